//! Tests that wrong rules and invalid tables cause errors that name the place of the fault.

use grundy_sweep::MemoryLimit;
use std::fmt::Display;

use grundy_kernels::Isa;
use grundy_rules::{Game, Move, Order, Pick, Pile, Position, Table, from_any_pile, games};
use grundy_solvers::{AnyGame, Count, Counted, Env, Job, Needs, Solver, Surveyor, solver};
use grundy_sweep::Control;
use grundy_testing::own;

use crate::common::{PLENTY, Shelf, count_of, fill, wanted};
use crate::toys::LeftAndRight;

/// Nim with additional moves, and with a claimed bound on values.
#[derive(Debug)]
struct Claimed {
    largest: u64,
    adds: fn(&Position) -> Option<Vec<Pile>>,
}

own! { impl Claimed, "claimed", Order::Any,
    fn moves(&self, position: &Position) -> Vec<Move> {
        let nim = |piles: Vec<Pile>, _| Position::multiset(piles);
        let mut moves = from_any_pile(position.piles(), |from| 0..from, nim);
        let added = (self.adds)(position).map(Position::multiset);
        moves.extend(added.map(|option| Move::new(Pick::Only, 1, 0, option)));
        moves
    }
    fn largest_value(&self, _: Pile, _: usize) -> u64 {
        self.largest
    }
}

fn claimed(largest: u64, adds: fn(&Position) -> Option<Vec<Pile>>) -> Game {
    Game::new(Box::leak(Box::new(Claimed { largest, adds })))
}

/// Returns the text of an error, if there is one.
fn said<T>(found: Result<T, impl Display>) -> Option<String> {
    found.err().map(|error| error.to_string())
}

/// Fills tables up to a length, and counts the longest table. Both must fail with the same error.
fn filled(game: Game, max_pile: Pile, length: usize) -> Option<String> {
    let mut maker = AnyGame.maker(Job { game, max_pile, isa: Isa::best() });
    let (table, control) = (Table::new(game, max_pile, length).unwrap(), Control::new());
    let found = said(maker.prepare(&table, &AnyGame.needs(&table, &PLENTY), &control));
    assert_eq!(said(AnyGame.count(count_of(&table, None, &control))), found, "{table}");
    found
}

/// A value of 256 exceeds the claimed bound. Invalid moves lead to positions that no table holds:
/// to more piles, to larger piles, and from two piles to one pile that is too large. Moves to fewer
/// piles or to no pile are valid.
#[test]
fn rules_with_false_declarations_are_refused() {
    let nothing: fn(&Position) -> Option<Vec<Pile>> = |_| None;
    for (largest, max_pile) in [(255, 255), (256, 300), (1 << 20, 300)] {
        assert_eq!(filled(claimed(largest, nothing), max_pile, 1), None);
    }
    let to_a_larger = |at: &Position| (at.piles() == [1, 2]).then(|| vec![4]);
    let leads = |from, to| {
        format!("a move of claimed leads from {from} to {to}, a position outside its tables")
    };
    for (found, expected) in [
        (
            filled(claimed(255, nothing), 256, 1),
            "256 in claimed has the value 256, above the bound that its rules give".to_owned(),
        ),
        (filled(claimed(9, |at| (at.piles() == [2]).then(|| vec![1, 1])), 3, 1), leads("2", "1,1")),
        (filled(claimed(9, |at| (at.piles() == [2]).then(|| vec![4])), 3, 1), leads("2", "4")),
        (filled(claimed(9, to_a_larger), 3, 2), leads("1,2", "4")),
        (
            filled(games::LONG_GLOBAL_NIM, 5, 1),
            "the cells of long-global-nim/n5/k1 are not values of single positions, and no method \
             can fill them"
                .to_owned(),
        ),
    ] {
        assert_eq!(found, Some(expected));
    }
    let within: fn(&Position) -> _ = |at| (at.piles() == [1, 2]).then(|| vec![3]);
    assert_eq!(filled(claimed(9, within), 3, 2), None);
}

/// The costs were calculated by hand; the limit is ten minutes. Four cells with 2·10^9 options of
/// 90 ns each take 720 seconds; with 1.5·10^9 options they take 540 seconds. There are 2^38 rows of
/// 38 piles of one or two coins. The 2^40 rows of 40 piles have (2^36 + 2^18) / 2 parts, one for
/// each inner word of 36 piles, up to reversal. Even half of the parts take too long.
#[test]
fn a_count_beyond_the_time_limit_is_refused() {
    let control = Control::new();
    let count = |game, max_pile, length| {
        let table = Table::new(game, max_pile, length).unwrap();
        solver(game)
            .count(Count { memory: MemoryLimit::new(u64::MAX), ..count_of(&table, None, &control) })
    };
    for (game, max_pile, length, named) in [
        (claimed(4_000_000_000, |_| None), 4, 1, "claimed/n4/k1 has 4"),
        (games::END_NIM, 2, 38, "end-nim/n2/k38 has 274,877,906,944"),
        (games::PARTIZAN_END_NIM, 2, 38, "partizan-end-nim/n2/k38 has 274,877,906,944"),
    ] {
        let expected = format!("{named} positions, too many to enumerate here");
        assert_eq!(said(count(game, max_pile, length)), Some(expected));
    }
    match count(claimed(3_000_000_000, |_| None), 4, 1) {
        Ok(Some(Counted::Values(counts))) => assert_eq!(counts.values, [0, 1, 1, 1, 1]),
        other => panic!("{other:?}"),
    }
}

/// Tests errors for cells that are not the index of a class, in positions and in options, and for a
/// record that claims more exceptions than it can hold.
#[test]
fn impossible_cells_are_errors() {
    let game = Game::new(&LeftAndRight);
    let shelf = fill(&AnyGame, game, &wanted(3, 2), &PLENTY);
    let (single, pairs) = (shelf.of_length(1), shelf.of_length(2));
    // Words are in lexicographic order, so 1,1 is the first word of its tile, and 3,3 the last.
    for (place, piles) in [(0, [1, 1]), (8, [3, 3])] {
        let answer = |class, piles: &[Pile]| {
            let changed = Shelf::of([single.clone(), pairs.with_cell(place, class)]);
            AnyGame.answer(game, &game.position(piles), &Env::with_nothing(&changed))
        };
        let expected = format!(
            "the entry of {} in left-and-right/n3/k2 is not an outcome class",
            game.position(&piles)
        );
        assert_eq!(said(answer(4, &piles)), Some(expected.clone()));
        assert_eq!(said(answer(4, &[&piles[..], &[1]].concat())), Some(expected));
        // The largest index of a class is valid.
        assert_eq!(answer(3, &piles).unwrap().outcome, grundy_rules::Outcome::P);
    }
    let game = games::SHORT_GLOBAL_NIM;
    let shelf = fill(solver(game), game, &wanted(30, 1), &PLENTY);
    let spoilt = shelf.0[0].with_cell(4 * 64 + 1, 63);
    let found = solver(game).count(count_of(&spoilt.table, Some(&spoilt), &Control::new()));
    let expected = "the record of 5 in short-global-nim/n30/k1 is invalid";
    assert_eq!(said(found).as_deref(), Some(expected));
}

/// Tests that too little memory and a stop by the control cause different errors.
#[test]
fn sets_that_do_not_fit_are_not_filled() {
    let game = games::LONG_GLOBAL_NIM;
    let table = Table::new(game, 5, 2).unwrap();
    let needs = solver(game).needs(&table, &PLENTY);
    let memory = "long-global-nim/n5/k2 needs more memory than planned";
    for (less, stops, expected) in
        [(1, false, Some(memory)), (0, false, None), (0, true, Some("stopped before the end"))]
    {
        let control = Control::new();
        if stops {
            control.stop();
        }
        let mut maker = solver(game).maker(Job { game, max_pile: 5, isa: Isa::best() });
        let needs = Needs { memory: needs.memory - less, ..needs };
        assert_eq!(said(maker.prepare(&table, &needs, &control)).as_deref(), expected);
    }
}
