//! Columns against the tree: every statement below, on every position of small tables of every
//! game, tile by tile and one by one, forwards and backwards, with every instruction set.
//!
//! The values are those of the reference evaluator; the tree is walked one position at a time.

use std::collections::BTreeSet;
use std::sync::Mutex;

use grundy_kernels::Isa;
use grundy_questions::{Cells, Dense, Places, Question, Tile, ValueError, Values, Worker};
use grundy_rules::reference::{Outcomes, Reference};
use grundy_rules::{Game, Memory, Numbering, Order, Pile, Position, Remembers, Table, games};

/// What every game understands.
const OF_ALL: &[&str] = &[
    "true",
    "P",
    "outcome == P -> first == last",
    "N <-> outcome != P",
    "not (P and first < last) or total % 3 == 1",
    "k == 3 -> p1 + p2 <= p3 or p3 <= p1 or p2 in {1, 2}",
    "k >= 3 and xor(p1, p2, p3) == 0",
    "xor(piles) == first ^ last ^ xor(middle)",
    "max(piles) - min(piles) <= 2",
    "all(x in piles: x % 2 == 0) -> total % 2 == 0",
    "any(x in middle: x > first) and count(x in piles: x == 1) < 2",
    "sum(x in piles: x * x) == sum(i in 1..k: piles[i] ** 2)",
    "let d = abs(first - last); d <= 1 or d > 2 and P",
    "first // 2 * 2 + first % 2 == first",
    "-first // 2 <= -(first // 2) and -7 % first == -7 - first * (-7 // first)",
    "first > 1 -> last // (first - 1) >= 0",
    "first != last and 12 % (first - last) == 0",
    "piles == reverse or first ^ last > 0",
    "tri(first) == first * (first + 1) // 2 and v2(2 * last) >= 1",
    "log2(total) <= popcount(2 ** log2(total) - 1)",
    "mex(first, last, k) in 0..3 and mex(piles) <= k",
    "first << 2 == 4 * first and last >> 1 == last // 2",
    "1 << first > first and 2 ** last > last",
    "2 ** (first + 60) > 2 ** last or P",
    "(first if first > last else last) == max(first, last)",
    "1 <= first <= last < 4",
    "{first, last} == {last, first} and size({first, last}) <= 2",
    "{1, 2} - {first} == {2} or first != 1",
    "{first} | {last} == {first, last} and {first, 1} & {1} == {1}",
    "count(x in {first, last, 2}: x > 1) <= 3",
    "count(x in {first, last}: x > 0) == 2",
    "sum(x in {first, last, 2}: x) > 4",
    "sum({first, last}) <= first + last",
    "exists(first - 1, last) <-> first >= 1",
    "exists(p1 - 2) -> first >= 1",
    "outcome in {P, N, L, R}",
    "P(first) or exists(first)",
    "outcome(first) != outcome(last) -> first != last",
    "k > 2 -> outcome(middle) == outcome(middle)",
    "P(reverse) <-> P(piles)",
    "k == 2 and exists(p1, p2 - 1) -> outcome(p1, p2 - 1) == N",
    "all(i in 1..first: i <= first) and sum(i in 1..first: i) == tri(first)",
    "any(i in 1..k: piles[i] == 1) -> min(piles) == 1",
    "piles[1] == first and piles[k] == last",
    "first ^ -1 == -first - 1 and (first | -4) < 0 and (-4 & last) >= 0",
    "true -> (first == last -> P)",
    "first == 1 -> (last == 2 -> (k == 2 -> N))",
    "false -> P",
];

/// What games with Grundy values understand.
const OF_VALUES: &[&str] = &[
    "g == 0 -> first == last",
    "g == 1 -> abs(first - last) <= 1",
    "g <= first + last",
    "g ^ first == last",
    "g % 2 == 0 <-> g & 1 == 0",
    "k == 2 -> g(p2, p1) == g",
    "g == g(reverse)",
    "k == 3 and exists(p1, p2 - 1, p3) -> g(p1, p2 - 1, p3) != g",
    "exists(first + 1, last) -> g(first + 1, last) >= 0",
    "g(first) >= 0 and g(first, 1) >= 0",
    "k > 2 -> g(middle) <= sum(middle)",
    "g == mex(options)",
    "any option: option == 0",
    "all options: option != g",
    "g in options",
    "g > 0 -> 0 in options and size(options) >= g",
    "count(x in options: x < g) == g",
    "sum(x in options: 1) == size(options)",
    "max(options) >= g - 1 or first == 1",
    "options == {0} or options - {0} != {}",
    "all(x in 0..g: x == g or x in options)",
    "g(first + 100) >= 0 or true",
    "g(first + 3) >= first",
    "g(2, first) == g(first, 2) and g(3, 2, first) >= g(2)",
    "let d = abs(first - last); d <= 1 -> g <= 3",
    "(g + 1) ** 9 > g",
    "2 ** (20 * g) > g",
];

/// What is only true or false where it has a value.
const PARTLY: &[&str] = &[
    "last // (first - 1) >= 0",
    "first % (last - 2) == 0",
    "v2(first - last) >= 0",
    "log2(first - 1) >= 0",
    "2 ** (first - 2) >= 0",
    "1 << (first - 2) > 0",
    "min(middle) >= 1",
    "max(x in {1, 2} - {first, last}: x) > 0",
    "p3 >= 1",
    "piles[first] > 0",
    "exists(first - 1, 1, last) or P(first - 1, 1, last)",
    "k < 3 or P(p1, p2 - 1, p3) or true",
    "P(first, last - 2, 1) or true",
    "2 ** (127 * first) > 0",
    "total << (50 * first) > 0",
    "(2 ** 100) * (2 ** (10 * first)) > 0",
];

const OF_LAST_MOVES: &[&str] = &[
    "last_move == 0 -> g == g(piles)",
    "g == g(piles; last_move)",
    "last_move > first -> g == g(piles; 0)",
    "last_move == 1 and k >= 2 -> P or min(piles) != max(piles)",
    "exists(first - last_move; last_move) or last_move > first",
    "first > last_move -> g(first - last_move; last_move) >= 0",
];

const OF_MOVES: &[&str] = &[
    "size == size(moves) and size <= max(piles)",
    "all(s in moves: s <= max(piles))",
    "1 in moves and size == 1 -> N",
    "g == g(piles; moves)",
    "moves == {} -> P",
    "any(s in moves: exists(first - s; moves - {s}) and P(first - s; moves - {s})) -> N",
    "g(piles; moves | {1}) >= 0 and exists(piles; moves ^ {1})",
    "first in moves -> g(piles; moves & {first}) == 1 or k > 1",
    "min(moves | {9}) <= 9 and sum(moves) <= tri(max(piles))",
    "mex(moves) == 0 and g <= size",
];

/// The reference of one game.
#[derive(Default)]
struct Evaluator {
    values: Option<Reference>,
    classes: Option<Outcomes>,
}

/// The values of the reference, with its memo.
struct ByReference {
    values: Mutex<Evaluator>,
    /// Values in memory of rows, as tables of the End-Nim games have them.
    dense: Vec<(Vec<u8>, Vec<usize>)>,
    max_pile: Pile,
}

impl ByReference {
    fn new() -> ByReference {
        ByReference { values: Mutex::default(), dense: Vec::new(), max_pile: 0 }
    }

    /// The same with rows of up to three piles in memory.
    fn with_rows(game: Game, max_pile: Pile) -> ByReference {
        let mut found = ByReference::new();
        let n = max_pile as usize;
        for length in 1..=3 {
            let strides: Vec<usize> = (0..length).map(|at| n.pow(at as u32)).collect();
            let mut cells = vec![0; n.pow(length as u32)];
            let mut piles = vec![1; length];
            for _ in 0..cells.len() {
                let place: usize =
                    piles.iter().zip(&strides).map(|(&p, s)| (p as usize - 1) * s).sum();
                let position = game.position(&piles);
                cells[place] = found.cell(game, position.piles(), position.memory()).unwrap() as u8;
                for pile in &mut piles {
                    *pile = *pile % max_pile + 1;
                    if *pile > 1 {
                        break;
                    }
                }
            }
            found.dense.push((cells, strides));
        }
        found.max_pile = max_pile;
        found
    }
}

impl Values for ByReference {
    fn cell(&self, game: Game, piles: &[Pile], memory: &Memory) -> Result<u32, ValueError> {
        let position = match memory {
            Memory::Nothing => Position::row(piles),
            Memory::LastMove(taken) => Position::after(piles.to_vec(), *taken),
            Memory::Available(set) => Position::with_available(piles.to_vec(), set),
        };
        // What is far from the table is not worked out.
        let most = if game.order() == Order::Row { 130 } else { 30 };
        if position.coins() > most {
            return Err(std::sync::Arc::new(std::io::Error::other("too many coins")));
        }
        let mut evaluator = self.values.lock().unwrap();
        Ok(match game.is_impartial() {
            true => evaluator.values.get_or_insert_with(|| Reference::new(game)).value(&position),
            false => {
                let classes = evaluator.classes.get_or_insert_with(|| Outcomes::new(game));
                classes.outcome(&position) as u32
            }
        })
    }

    fn dense(&self, length: usize) -> Option<Dense<'_>> {
        let (cells, strides) = self.dense.get(length.checked_sub(1)?)?;
        Some(Dense { cells: Cells::Bytes(cells), strides, max_pile: self.max_pile })
    }
}

/// What a statement comes to: the positions of which it is true, of which it is false, and those
/// of which the premise is true; or that it has no value somewhere.
type Answer = Option<(BTreeSet<Position>, BTreeSet<Position>, u64)>;

fn positions(table: &Table) -> Vec<Position> {
    let mut all = BTreeSet::new();
    for number in 0..table.values() {
        if let Some(position) = table.position(number).filter(|p| p.length() == table.length()) {
            if table.game().is_symmetric() {
                all.insert(position.reversed());
            }
            all.insert(position);
        }
    }
    all.into_iter().collect()
}

fn by_tree(question: &Question, positions: &[(Position, u32)], values: &dyn Values) -> Answer {
    let (mut yes, mut no) = (BTreeSet::new(), BTreeSet::new());
    for (position, cell) in positions {
        let holds = question.holds(position.piles(), position.memory(), *cell, values).ok()?;
        if holds {
            yes.insert(position.clone())
        } else {
            no.insert(position.clone())
        };
    }
    Some((yes, no, 0))
}

#[derive(Default)]
struct Gathered {
    yes: BTreeSet<Position>,
    no: BTreeSet<Position>,
    premise: u64,
    checked: u64,
}

impl Gathered {
    fn take(&mut self, game: Game, column: &grundy_questions::Column<'_>) {
        let as_position = |piles: &[Pile], memory: &Memory| match memory {
            Memory::Nothing => game.position(piles),
            Memory::LastMove(taken) => Position::after(piles.to_vec(), *taken),
            Memory::Available(set) => Position::with_available(piles.to_vec(), set),
        };
        let before = self.yes.len() as u64;
        column.each(true, |piles, memory, _| assert!(self.yes.insert(as_position(piles, memory))));
        assert_eq!(self.yes.len() as u64 - before, column.holds());
        column.each(false, |piles, memory, _| assert!(self.no.insert(as_position(piles, memory))));
        self.premise += column.premise();
        self.checked += column.positions();
    }

    fn answer(self) -> Answer {
        assert_eq!((self.yes.len() + self.no.len()) as u64, self.checked);
        Some((self.yes, self.no, self.premise))
    }
}

fn one_by_one(mut worker: Worker<'_>, game: Game, positions: &[(Position, u32)]) -> Answer {
    let mut gathered = Gathered::default();
    let mut show = |column: &grundy_questions::Column<'_>| gathered.take(game, column);
    for (position, cell) in positions {
        worker.push(position.piles(), position.memory(), *cell, &mut show).ok()?;
    }
    worker.flush(&mut show).ok()?;
    gathered.answer()
}

fn by_tiles(mut worker: Worker<'_>, table: &Table, values: &dyn Values) -> Answer {
    let game = table.game();
    let mut gathered = Gathered::default();
    let mut show = |column: &grundy_questions::Column<'_>| gathered.take(game, column);
    let places = match table.numbering() {
        Numbering::Middles => Places::Between,
        _ => Places::Behind,
    };
    let mut word = Vec::new();
    for tile in 0..table.tiles() {
        table.tile_word(tile, &mut word);
        let first = tile * table.tile_cells() as u64;
        let cells: Vec<u8> = (first..first + table.tile_cells() as u64)
            .map(|number| {
                let position = table.position(number).expect("rows have no gaps");
                values.cell(game, position.piles(), position.memory()).unwrap() as u8
            })
            .collect();
        let is_palindrome = word.iter().eq(word.iter().rev());
        let weight = if places == Places::Between && !is_palindrome { 2 } else { 1 };
        let (cols, cells) = (table.tile_cols(), Cells::Bytes(&cells));
        let tile = Tile { word: &word, places, cols, cells, weight };
        worker.tile(tile, &mut show).ok()?;
    }
    worker.flush(&mut show).ok()?;
    gathered.answer()
}

fn check(game: Game, length: usize, max_pile: Pile, statements: &[&str]) {
    let table = Table::new(game, max_pile, length).unwrap();
    let values = match game.order() {
        Order::Row => ByReference::with_rows(game, max_pile),
        Order::Any => ByReference::new(),
    };
    let positions: Vec<(Position, u32)> = positions(&table)
        .into_iter()
        .map(|position| {
            let cell = values.cell(game, position.piles(), position.memory()).unwrap();
            (position, cell)
        })
        .collect();
    let tiles = match table.numbering() {
        Numbering::Middles => Some((Places::Between, table.tile_cells())),
        Numbering::Words => Some((Places::Behind, table.tile_cells())),
        _ => None,
    };
    for statement in statements {
        let question =
            Question::parse(game, statement).unwrap_or_else(|problem| panic!("{problem}"));
        let expected = by_tree(&question, &positions, &values);
        for isa in Isa::available() {
            let what = format!("{statement} in {game}, {length} piles of {max_pile}, {isa}");
            let prepared =
                question.prepare(length, max_pile, tiles, isa).unwrap_or_else(|p| panic!("{p}"));
            let listed = one_by_one(prepared.worker(&values), game, &positions);
            let same = |found: &Answer| {
                let sets =
                    |answer: &Answer| answer.as_ref().map(|(yes, no, _)| (yes.clone(), no.clone()));
                assert_eq!(sets(found), sets(&expected), "{what}");
            };
            same(&listed);
            if tiles.is_some() {
                let tiled = by_tiles(prepared.worker(&values), &table, &values);
                same(&tiled);
                assert_eq!(tiled, listed, "{what}");
            }
            if let (Some((_, no, premise)), true) = (&listed, question.has_premise()) {
                assert!(no.len() as u64 <= *premise, "{what}");
            }
        }
    }
}

#[test]
fn rows_in_tiles() {
    for game in [games::END_NIM, games::MISERE_END_NIM, games::LOOP_END_NIM] {
        for (length, max_pile) in [(1, 17), (2, 16), (3, 4)] {
            check(game, length, max_pile, OF_ALL);
            check(game, length, max_pile, OF_VALUES);
            check(game, length, max_pile, PARTLY);
        }
    }
    check(games::END_NIM, 3, 16, &["g == 1 -> abs(first - last) <= 1", "p2 > p1 and g < p3"]);
}

/// Some values that are those of the reversal too, whatever the rules say.
struct AnyValues;

impl AnyValues {
    fn of(piles: &[Pile]) -> u32 {
        let weighted = |at: usize, pile: Pile| pile * (at.min(piles.len() - 1 - at) as u32 + 3);
        piles.iter().enumerate().map(|(at, &pile)| weighted(at, pile)).sum::<u32>() % 7
    }
}

impl Values for AnyValues {
    fn cell(&self, _: Game, piles: &[Pile], _: &Memory) -> Result<u32, ValueError> {
        Ok(AnyValues::of(piles))
    }
}

/// Tiles with piles between the ends or before them, each with its mirror image if that is in no
/// other tile: what the tree says of each position.
#[test]
fn tiles_of_long_rows() {
    let statements = [
        "p2 % 3 == 1 and g != p3",
        "2 * p2 - p3 > g -> first < last",
        "p1 < p2 and p3 < p4",
        "p2 // p3 == 2 or first == 5 and last == 7",
        "g(p2, p3) == g",
        "g(p2) + g(p3, p2) > 2 * g(p1)",
        "sum(middle) % 2 == g % 2",
        "p1 == 3 and p3 == 1 and g > 2",
    ];
    const N: usize = 16;
    for (text, places) in
        statements.into_iter().flat_map(|s| [(s, Places::Between), (s, Places::Behind)])
    {
        let question = Question::parse(games::END_NIM, text).unwrap();
        let prepared = question.prepare(4, 16, Some((places, N * N)), Isa::best()).unwrap();
        let mut worker = prepared.worker(&AnyValues);
        for (word, weight) in [([1, 2], 2), ([5, 3], 2), ([16, 7], 2), ([4, 4], 1)] {
            let weight = if places == Places::Between { weight } else { 1 };
            let piles = |a: usize, b: usize| match places {
                Places::Between => vec![a as Pile + 1, word[0], word[1], b as Pile + 1],
                Places::Behind => vec![word[0], word[1], a as Pile + 1, b as Pile + 1],
            };
            let all = (0..N * N).map(|at| piles(at / N, at % N));
            let cells: Vec<u8> = all.clone().map(|piles| AnyValues::of(&piles) as u8).collect();
            let (mut expected, mut found) = (BTreeSet::new(), BTreeSet::new());
            for piles in all {
                let reversed: Vec<Pile> = piles.iter().rev().copied().collect();
                for piles in [piles, reversed].into_iter().take(weight) {
                    let cell = AnyValues::of(&piles);
                    if question.holds(&piles, &Memory::Nothing, cell, &AnyValues).unwrap() {
                        expected.insert(piles);
                    }
                }
            }
            let tile = Tile {
                word: &word,
                places,
                cols: N,
                cells: Cells::Bytes(&cells),
                weight: weight as u64,
            };
            let mut show = |column: &grundy_questions::Column<'_>| {
                // The ends are at least 1 each.
                assert_eq!(column.least_coins(), u64::from(word[0] + word[1]) + 2);
                column.each(true, |piles, _, _| assert!(found.insert(piles.to_vec()), "{text}"));
            };
            worker.tile(tile, &mut show).unwrap();
            worker.flush(&mut show).unwrap();
            assert_eq!(found, expected, "{text} {word:?} {places:?}");
        }
    }
}

/// A tile that is too large for what depends on its ends to be kept; counted by hand.
#[test]
fn tiles_that_are_too_large_to_be_kept() {
    const N: usize = 300;
    let cells = vec![0; N * N];
    for (text, holds) in [
        ("first < last", 300 * 299 / 2),
        ("first + last == 300", 299),
        ("last == 300", 300),
        ("first == 7 and last > 290", 10),
    ] {
        let question = Question::parse(games::END_NIM, text).unwrap();
        let tiles = Some((Places::Between, N * N));
        let prepared = question.prepare(2, N as Pile, tiles, Isa::best()).unwrap();
        let (word, places) = (&[][..], Places::Between);
        let tile = Tile { word, places, cols: N, cells: Cells::Bytes(&cells), weight: 1 };
        let mut worker = prepared.worker(&AnyValues);
        let (mut checked, mut found, mut listed) = (0, 0, 0);
        let mut show = |column: &grundy_questions::Column<'_>| {
            checked += column.positions();
            found += column.holds();
            column.each(true, |_, _, _| listed += 1);
        };
        worker.tile(tile, &mut show).unwrap();
        worker.flush(&mut show).unwrap();
        assert_eq!((checked, found, listed), (90_000, holds, holds), "{text}");
    }
}

/// Of an implication behind `let` the premise is counted too: by hand, 16 rows with first = 3.
#[test]
fn premises_behind_names() {
    let cells = vec![0; 256];
    for text in ["first == 3 -> P", "let d = first; d == 3 -> P"] {
        let question = Question::parse(games::END_NIM, text).unwrap();
        assert!(question.has_premise());
        let prepared = question.prepare(2, 16, Some((Places::Between, 256)), Isa::best()).unwrap();
        let (word, places) = (&[][..], Places::Between);
        let tile = Tile { word, places, cols: 16, cells: Cells::Bytes(&cells), weight: 1 };
        let mut worker = prepared.worker(&AnyValues);
        let mut premise = 0;
        let mut show = |column: &grundy_questions::Column<'_>| premise += column.premise();
        worker.tile(tile, &mut show).unwrap();
        worker.flush(&mut show).unwrap();
        assert_eq!(premise, 16, "{text}");
    }
}

#[test]
fn other_rows() {
    for (length, max_pile) in [(1, 5), (2, 16), (3, 4)] {
        check(games::PARTIZAN_END_NIM, length, max_pile, OF_ALL);
        check(games::PARTIZAN_END_NIM, length, max_pile, PARTLY);
        check(games::END_WYTHOFF, length, max_pile, OF_ALL);
        check(games::END_WYTHOFF, length, max_pile, OF_VALUES);
    }
    let of_classes = [
        "L -> any(x in left_options: x in {L, P})",
        "P -> all(x in left_options: x in {R, N}) and all(x in right_options: x in {L, N})",
        "count(x in options: x == P) >= 0 and size(options) <= 4",
        "left_options == right_options or L or R or P or N",
        "outcome(first) == N",
    ];
    check(games::PARTIZAN_END_NIM, 2, 16, &of_classes);
    check(games::PARTIZAN_END_NIM, 3, 4, &of_classes);
}

#[test]
fn piles_in_any_order() {
    for game in [games::NIM, games::MISERE_NIM] {
        for (length, max_pile) in [(1, 9), (2, 7), (3, 5)] {
            check(game, length, max_pile, OF_ALL);
            check(game, length, max_pile, OF_VALUES);
            check(game, length, max_pile, PARTLY);
        }
    }
}

#[test]
fn what_games_remember() {
    for (length, max_pile) in [(2, 4), (3, 3)] {
        let game = games::SHORT_GLOBAL_NIM;
        assert_eq!(game.remembers(), Remembers::LastMove);
        check(game, length, max_pile, OF_ALL);
        check(game, length, max_pile, OF_VALUES);
        check(game, length, max_pile, OF_LAST_MOVES);
    }
    for (length, max_pile) in [(1, 6), (2, 4)] {
        check(games::LONG_GLOBAL_NIM, length, max_pile, OF_ALL);
        check(games::LONG_GLOBAL_NIM, length, max_pile, OF_VALUES);
        check(games::LONG_GLOBAL_NIM, length, max_pile, OF_MOVES);
    }
}
