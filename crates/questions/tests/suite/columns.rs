//! Compares columns with the slow evaluator. The tests evaluate every statement of columns.txt at
//! every position of small tables of every game. They use tiles and single positions, both
//! directions of rows, and every instruction set.
//!
//! The reference evaluator gives the values.

use std::collections::BTreeSet;

use grundy_kernels::Isa;
use grundy_questions::{Cells, Column, Dense, Places, Question, Tile, ValueError, Values};
use grundy_rules::law::RuleFile;
use grundy_rules::rulesets::RULESETS;
use grundy_rules::{Game, Memory, Order, Pile, Remembers, games};

use crate::cases::cases;
use crate::ground::{ByReference, Ground};

const STATEMENTS: &str = include_str!("columns.txt");

/// Compares the results of the statements under these headings of columns.txt.
fn check(game: Game, length: usize, max_pile: Pile, headings: &str) {
    let values = match game.order() {
        Order::Row if game.rule_file().is_none() => {
            ByReference::with_rows(&[game, games::NIM], max_pile)
        }
        _ => ByReference::default(),
    };
    let ground = Ground::new(game, length, max_pile, values);
    let memories = game.rules().memories().map_or(&[][..], |memories| memories.all());
    let names: Vec<&str> = memories.iter().map(|of| &*of.name).collect();
    for (line, [statement]) in headings.split(' ').flat_map(|it| cases(STATEMENTS, it)) {
        let statement = statement.replace("; last_move", &format!("; {}", names.join(", ")));
        let compared =
            Question::parse(game, &statement).and_then(|question| ground.compare(&question));
        compared.unwrap_or_else(|problem| panic!("line {line}: {problem}"));
    }
}

#[test]
fn rows_in_tiles() {
    for game in games::END_NIM_GAMES {
        for (length, max_pile) in [(1, 17), (2, 16), (3, 4)] {
            check(game, length, max_pile, "all others values partly");
        }
    }
    check(games::END_NIM, 3, 16, "three");
}

/// Tests rulesets, which have empty piles, large last moves, and excluded positions.
#[test]
fn rulesets_are_evaluated_as_by_the_reference() {
    for (_, text) in RULESETS {
        let game = RuleFile::from_text(text).and_then(RuleFile::game).unwrap();
        for length in game.lengths_near(1..=3) {
            let headings = match game.remembers() {
                Remembers::Numbers => "rulesets ruleset-last-moves",
                _ if game.is_impartial() => "rulesets ruleset-values",
                _ => "rulesets",
            };
            let largest = if length > 3 { 1 } else { 3 };
            check(game, length, largest, headings);
        }
    }
}

/// Values that do not depend on rules, and are the same for a position and its reversal.
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

/// The same values. Those of rows of up to four piles of at most `max_pile` are in memory.
struct HeldValues {
    max_pile: Pile,
    levels: Vec<(Vec<u8>, Vec<usize>)>,
}

impl HeldValues {
    fn new(max_pile: Pile) -> HeldValues {
        let n = max_pile as usize;
        let level = |length: u32| {
            let strides: Vec<usize> = (0..length).rev().map(|at| n.pow(at)).collect();
            let pile = |place: usize, stride: &usize| (place / stride % n) as Pile + 1;
            let piles = |place| strides.iter().map(|s| pile(place, s)).collect::<Vec<_>>();
            let value = |place| AnyValues::of(&piles(place)) as u8;
            ((0..n.pow(length)).map(value).collect(), strides)
        };
        HeldValues { max_pile, levels: (1..=4).map(level).collect() }
    }
}

impl Values for HeldValues {
    fn cell(&self, game: Game, piles: &[Pile], memory: &Memory) -> Result<u32, ValueError> {
        AnyValues.cell(game, piles, memory)
    }

    fn dense(&self, _: Game, length: usize) -> Option<Dense<'_>> {
        let (cells, strides) = self.levels.get(length.checked_sub(1)?)?;
        Some(Dense { cells: Cells::Bytes(cells), strides, max_pile: self.max_pile })
    }
}

#[test]
fn tiles_of_long_rows() {
    check_long_rows::<16>(&AnyValues);
}

/// Tests large tiles, which have columns of their own, with look-ups of held values and others.
#[test]
fn large_tiles_of_long_rows() {
    check_long_rows::<36>(&HeldValues::new(36));
    check_long_rows::<36>(&HeldValues::new(33));
}

/// Compares each position of tiles with the slow evaluator. The shared piles stand between a and b,
/// or before a and b. A tile of weight 2 includes the reversals.
fn check_long_rows<const N: usize>(values: &dyn Values) {
    let statements = cases(STATEMENTS, "long-rows").into_iter();
    let both = [Places::Between, Places::Behind];
    for ((_, [text]), places) in statements.flat_map(|case| both.map(|places| (case, places))) {
        let question = Question::parse(games::END_NIM, text).unwrap();
        let shape = Some((places, N * N));
        let prepared = question.prepare(4, N as Pile, shape, Isa::best()).unwrap();
        let mut worker = prepared.worker(values);
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
                    if question.holds(&piles, &Memory::Nothing, cell, values).unwrap() {
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
            let mut show = |column: &Column<'_>| {
                // Each end pile has at least one coin.
                let least = column.least_coins();
                assert!(least >= u64::from(word[0] + word[1]) + 2, "{text}");
                column.each(true, |piles, _, _| {
                    assert!(piles.iter().map(|&pile| u64::from(pile)).sum::<u64>() >= least);
                    assert!(found.insert(piles.to_vec()), "{text}");
                });
            };
            worker.tile(tile, &mut show).unwrap();
            worker.flush(&mut show).unwrap();
            assert_eq!(found, expected, "{text} {word:?} {places:?}");
        }
    }
}

/// Values that are 0 near the diagonal of most tiles, and at one cell far from it.
struct NearDiagonal;

impl Values for NearDiagonal {
    fn cell(&self, _: Game, piles: &[Pile], _: &Memory) -> Result<u32, ValueError> {
        let &[first, x, y, last] = piles else { unreachable!("rows have four piles") };
        let is_near = first.abs_diff(last) <= 1 && (x + y) % 3 != 0;
        let is_far = [[first, x, y, last], [last, y, x, first]].contains(&[2, 3, 5, 20]);
        Ok(if is_near || is_far { 0 } else { 1 + (first + last) % 5 })
    }
}

/// Compares large tiles, whose bands are evaluated together, with the slow evaluator. One tile has
/// a cell outside the band that matters. The last batch is not full.
#[test]
fn bands_and_masks_of_several_tiles() {
    const N: usize = 24;
    for (premise, text) in [
        (Some("P"), "P -> abs(first - last) <= 1"),
        (Some("P"), "P -> first - last <= 1 and last <= first + 1 and (p2 + p3) % 3 != 0"),
        (None, "P <-> abs(first - last) <= 1 and (p2 + p3) % 3 != 0"),
        (None, "P <-> abs(first - last) <= 1"),
        (Some("P"), "P -> first <= last"),
        (None, "P"),
        (None, "not P"),
        (None, "g == 3"),
        (None, "P and first < last"),
        (Some("first > last + 2 and P"), "first > last + 2 -> (P -> first > last)"),
    ] {
        let question = Question::parse(games::END_NIM, text).unwrap();
        let premise = premise.map(|text| Question::parse(games::END_NIM, text).unwrap());
        for isa in Isa::available() {
            let shape = Some((Places::Between, N * N));
            let prepared = question.prepare(4, N as Pile, shape, isa).unwrap();
            let mut worker = prepared.worker(&NearDiagonal);
            let (mut expected, mut failures) = ([0u64; 3], BTreeSet::new());
            let (mut found, mut failed) = ([0u64; 3], BTreeSet::new());
            let (mut by_largest, mut counted) = (vec![0u64; N + 1], vec![0u64; N + 1]);
            let mut show = |column: &Column<'_>| {
                found[0] += column.positions();
                found[1] += column.holds();
                found[2] += column.premise();
                column.count_by_largest_pile(&mut counted);
                column.each(false, |piles, _, _| assert!(failed.insert(piles.to_vec()), "{text}"));
            };
            for word in (1..=13).flat_map(|x| (x..=13).map(move |y| [x, y])) {
                let all = (0..N * N)
                    .map(|at| [(at / N) as Pile + 1, word[0], word[1], (at % N) as Pile + 1]);
                let value = |piles: &[Pile]| {
                    NearDiagonal.cell(games::END_NIM, piles, &Memory::Nothing).unwrap()
                };
                let weight = if word[0] == word[1] { 1 } else { 2 };
                for row in all.clone() {
                    let [a, x, y, b] = row;
                    for piles in [row, [b, y, x, a]].into_iter().take(weight) {
                        let holds = |question: &Question| {
                            let cell = value(&piles);
                            question.holds(&piles, &Memory::Nothing, cell, &NearDiagonal).unwrap()
                        };
                        expected[0] += 1;
                        expected[2] += u64::from(premise.as_ref().is_some_and(holds));
                        match holds(&question) {
                            true => {
                                expected[1] += 1;
                                by_largest[piles.into_iter().max().unwrap() as usize] += 1;
                            }
                            false => assert!(failures.insert(piles.to_vec())),
                        }
                    }
                }
                let cells: Vec<u8> = all.map(|piles| value(&piles) as u8).collect();
                let (cols, cells, weight) = (N, Cells::Bytes(&cells), weight as u64);
                let tile = Tile { word: &word, places: Places::Between, cols, cells, weight };
                worker.tile(tile, &mut show).unwrap();
            }
            worker.flush(&mut show).unwrap();
            assert_eq!(found, expected, "{text} {isa}");
            assert_eq!(counted, by_largest, "{text} {isa}");
            assert_eq!(failed, failures, "{text} {isa}");
        }
    }
}

/// Tests that columns with fewer positions than lanes count only their positions.
#[test]
fn counts_of_a_short_column() {
    for (text, expected) in [("P -> true", [0, 1, 3, 5]), ("first == last", [0, 1, 1, 1])] {
        let question = Question::parse(games::END_NIM, text).unwrap();
        let prepared = question.prepare(2, 3, None, Isa::best()).unwrap();
        let mut worker = prepared.worker(&AnyValues);
        let mut found = [0; 4];
        let mut show = |column: &Column<'_>| column.count_by_largest_pile(&mut found);
        for piles in (1..=3).flat_map(|a| (1..=3).map(move |b| [a, b])) {
            worker.push(&piles, &Memory::Nothing, AnyValues::of(&piles), &mut show).unwrap();
        }
        worker.flush(&mut show).unwrap();
        assert_eq!(found, expected, "{text}");
    }
}

/// Evaluates a statement on two piles of up to n coins, all with the value 0. Counts the positions,
/// those where the statement is true (in two ways), and those where its premise is true.
fn counts(text: &str, n: usize) -> [u64; 4] {
    let cells = vec![0; n * n];
    let question = Question::parse(games::END_NIM, text).unwrap();
    let (word, places) = (&[][..], Places::Between);
    let prepared = question.prepare(2, n as Pile, Some((places, n * n)), Isa::best()).unwrap();
    let tile = Tile { word, places, cols: n, cells: Cells::Bytes(&cells), weight: 1 };
    let mut worker = prepared.worker(&AnyValues);
    let mut found = [0; 4];
    let mut show = |column: &Column<'_>| {
        found[0] += column.positions();
        found[1] += column.holds();
        column.each(true, |_, _, _| found[2] += 1);
        found[3] += column.premise();
    };
    worker.tile(tile, &mut show).unwrap();
    worker.flush(&mut show).unwrap();
    found
}

/// Tests very large tiles, for which results of the rate Table are not kept. The expected numbers
/// of positions were calculated by hand.
#[test]
fn large_tiles_are_evaluated_without_a_cache() {
    for (text, holds) in [
        ("first < last", 300 * 299 / 2),
        ("first + last == 300", 299),
        ("last == 300", 300),
        ("first == 7 and last > 290", 10),
    ] {
        assert_eq!(counts(text, 300)[..3], [90_000, holds, holds], "{text}");
    }
}

/// Tests that the premise of an implication after `let` is counted. It is true in 16 rows.
#[test]
fn premises_behind_names() {
    for text in ["first == 3 -> P", "let d = first; d == 3 -> P"] {
        assert!(Question::parse(games::END_NIM, text).unwrap().has_premise());
        assert_eq!(counts(text, 16)[3], 16, "{text}");
    }
}

#[test]
fn rows_of_other_games_are_evaluated_as_by_the_reference() {
    for (length, max_pile) in [(1, 5), (2, 16), (3, 4)] {
        check(games::PARTIZAN_END_NIM, length, max_pile, "all others partly");
        check(games::END_WYTHOFF, length, max_pile, "all others values");
    }
    check(games::PARTIZAN_END_NIM, 2, 16, "classes-of-large-tiles classes");
    check(games::PARTIZAN_END_NIM, 3, 4, "classes-of-large-tiles classes");
    check(games::PARTIZAN_END_NIM, 3, 16, "classes-of-large-tiles");
}

#[test]
fn piles_in_any_order() {
    for (length, max_pile) in [(1, 9), (2, 7), (3, 5)] {
        for game in [games::NIM, games::MISERE_NIM] {
            check(game, length, max_pile, "all others values partly");
        }
    }
}

#[test]
fn memories_are_evaluated_as_by_the_reference() {
    assert_eq!(games::SHORT_GLOBAL_NIM.remembers(), Remembers::Numbers);
    for (game, length, max_pile, more) in [
        (games::SHORT_GLOBAL_NIM, 2, 4, "last-moves"),
        (games::SHORT_GLOBAL_NIM, 3, 3, "last-moves"),
        (games::LONG_GLOBAL_NIM, 1, 6, "moves"),
        (games::LONG_GLOBAL_NIM, 2, 4, "moves"),
    ] {
        check(game, length, max_pile, &format!("all others values {more}"));
    }
}
