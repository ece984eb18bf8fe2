//! Compares columns with the slow evaluator. Every statement below is evaluated on every position
//! of small tables of every game: in tiles and one by one, forwards and backwards, and with every
//! instruction set.
//!
//! The reference evaluator gives the values.

use std::collections::BTreeSet;

use grundy_kernels::Isa;
use grundy_questions::{Cells, Column, Places, Question, Tile, ValueError, Values};
use grundy_rules::law::RuleFile;
use grundy_rules::rulesets::RULESETS;
use grundy_rules::{Game, Memory, Order, Pile, Remembers, games};

use crate::ground::{ByReference, Ground};

/// Statements that are valid in every game.
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

/// Statements that are valid in games with Grundy values.
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
    "let h = g + 1; any option: option == h",
    "any option: option == option",
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
    "remoteness % 2 == 0 <-> P",
    "remoteness > 2 or remoteness == remoteness(reverse) and remoteness(first) <= remoteness + 2",
    "exists(first, last - 1) -> remoteness(first, last - 1) <= total",
];

/// Statements that have no value at some positions.
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

/// Statements about other games, valid in every game. They have no value where the other game does
/// not have the position, or where the position has too many coins.
const OF_OTHERS: &[&str] = &[
    "g[nim] == xor(piles)",
    "P[nim] -> first == last or k != 2",
    "g[end-nim] == g[nim] -> k < 3 or P[misere-end-nim]",
    "g[end-nim](middle, first) >= g[end-nim](first) or k < 3",
    "outcome[partizan-end-nim] == L -> outcome[partizan-end-nim](reverse) == R",
    "L[partizan-end-nim] or first > last and not P",
    "exists[loop-end-nim](p1 - 1) -> g[loop-end-nim](p1 - 1) > 0",
    "exists[end-nim](first - 1, 1, last - 1) <-> g[nim](first - 1, last - 1) >= 0 and first > 1",
    "k == 2 and exists[nim](p1, p2 - 1) -> g[nim](p1, p2 - 1) != g[nim](p2, p1)",
    "g[short-global-nim](min(first, 4), 2; 1) >= g[short-global-nim](2) or P[misere-nim]",
    "N[short-global-nim](min(first, 4), 2; min(last, 3)) or first == last",
    "g[long-global-nim](min(first, 5), 2; {1, last}) <= 3",
    "exists[long-global-nim](first; {last - 1}) or last == 1",
    "let d = g[nim] - g[end-nim]; d == 0 or k > 2",
    "all(x in piles: g[nim](x) == x and g[loop-end-nim](x) == g[loop-end-nim](x, 0))",
    "P[end-wythoff](first, last) -> first != last",
    "g[end-nim](last + 100) >= 0",
    "g[end-nim](first, last - 1, 1) >= 0",
    "P[misere-nim](first - 1) or true",
    "g[nim](first - last) >= 0",
    "remoteness[nim] >= 1 and remoteness[end-nim](first, last) % 2 >= 0",
];

const OF_LAST_MOVES: &[&str] = &[
    "last_move == 0 -> g == g(piles)",
    "g == g(piles; last_move)",
    "last_move > first -> g == g(piles; 0)",
    "last_move == 1 and k >= 2 -> P or min(piles) != max(piles)",
    "exists(first - last_move; last_move) or last_move > first",
    "first > last_move -> g(first - last_move; last_move) >= 0",
    "g[short-global-nim] == g and outcome[short-global-nim] == outcome and (P[short-global-nim] <-> P)",
    "P[nim] or g[long-global-nim](min(first, 3)) >= 0",
    "remoteness == remoteness(piles; last_move) and (remoteness % 2 == 0 <-> P)",
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
    "g[long-global-nim] == g and exists[long-global-nim]",
    "P[long-global-nim](piles) -> g[short-global-nim](first; size) >= 0",
];

fn check(game: Game, length: usize, max_pile: Pile, statements: &[&str]) {
    let values = match game.order() {
        Order::Row if game.law().is_none() => ByReference::with_rows(&[game, games::NIM], max_pile),
        _ => ByReference::default(),
    };
    let ground = Ground::new(game, length, max_pile, values);
    for statement in statements {
        let compared =
            Question::parse(game, statement).and_then(|question| ground.compare(&question));
        compared.unwrap_or_else(|problem| panic!("{problem}"));
    }
}

#[test]
fn rows_in_tiles() {
    for game in games::END_NIM_GAMES {
        for (length, max_pile) in [(1, 17), (2, 16), (3, 4)] {
            check(game, length, max_pile, &[OF_ALL, OF_OTHERS, OF_VALUES, PARTLY].concat());
        }
    }
    let of_three = [
        "g == 1 -> abs(first - last) <= 1",
        "p2 > p1 and g < p3",
        "all options: option != g",
        "any option: p3 + p1 - 2 == option",
        "p1 < p3 -> g + 1 in options or size(options) % 2 == mex(options) % 2",
    ];
    check(games::END_NIM, 3, 16, &of_three);
}

/// The rulesets have positions with piles of 0, positions with last moves larger than every pile,
/// and excluded positions.
#[test]
fn rulesets_are_evaluated_as_by_the_reference() {
    let of_values = [
        "remoteness <= total or g > 0",
        "g == g(piles)",
        "p1 >= 1 -> g <= total",
        "g(p1, p1) == 0 or true",
    ];
    let of_last_moves = ["g == g(piles; last_move)", "last_move <= total", "exists(p1; last_move)"];
    let of_all = [
        "p1 >= 1",
        "P -> min(piles) > 0 or total % 2 == 0",
        "exists(piles) and (exists(p1 - 1) or first != 1)",
        "exists(p1, p1) or exists(p1, p1, last) or exists(last, 0, 0, last)",
        "exists(p1 - 1, 1, last) -> 2 ** p1 > last",
    ];
    for (_, text) in RULESETS {
        let game = RuleFile::from_text(text).and_then(RuleFile::game).unwrap();
        for length in game.lengths_near(1..=3) {
            let more = match game.remembers() {
                Remembers::LastMove => &of_last_moves[..],
                _ if game.is_impartial() => &of_values,
                _ => &[],
            };
            let largest = if length > 3 { 1 } else { 3 };
            check(game, length, largest, &[&of_all[..], more].concat());
        }
    }
}

/// Values that are the same for a position and its reversal, and that do not depend on the rules.
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

/// The shared piles of the tiles are between the ends or before them. The reversals are included if
/// they are in no tile. Each position is compared with the slow evaluator.
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
            let mut show = |column: &Column<'_>| {
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

/// Evaluates a statement on two piles of up to n, all with the value 0. Returns four numbers: the
/// checked positions, those at which the statement is true (first as counted, then as listed), and
/// those at which its premise is true.
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

/// If a tile is very large, results that depend only on its ends are not kept. The statements are
/// true at the right number of positions, which is found by hand.
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

/// The premise of an implication after `let` is counted too. It holds in the 16 rows with first =
/// 3.
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
        check(games::PARTIZAN_END_NIM, length, max_pile, &[OF_ALL, OF_OTHERS, PARTLY].concat());
        check(games::END_WYTHOFF, length, max_pile, &[OF_ALL, OF_OTHERS, OF_VALUES].concat());
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
    check(games::PARTIZAN_END_NIM, 3, 16, &of_classes[..2]);
}

#[test]
fn piles_in_any_order() {
    for (length, max_pile) in [(1, 9), (2, 7), (3, 5)] {
        for game in [games::NIM, games::MISERE_NIM] {
            check(game, length, max_pile, &[OF_ALL, OF_OTHERS, OF_VALUES, PARTLY].concat());
        }
    }
}

#[test]
fn memories_are_evaluated_as_by_the_reference() {
    assert_eq!(games::SHORT_GLOBAL_NIM.remembers(), Remembers::LastMove);
    for (game, length, max_pile, more) in [
        (games::SHORT_GLOBAL_NIM, 2, 4, OF_LAST_MOVES),
        (games::SHORT_GLOBAL_NIM, 3, 3, OF_LAST_MOVES),
        (games::LONG_GLOBAL_NIM, 1, 6, OF_MOVES),
        (games::LONG_GLOBAL_NIM, 2, 4, OF_MOVES),
    ] {
        check(game, length, max_pile, &[OF_ALL, OF_OTHERS, OF_VALUES, more].concat());
    }
}
