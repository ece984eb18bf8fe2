//! Rules that say something wrong of themselves, tables that hold what cannot be: each is an error
//! that names the place, and none is a value.

use grundy_kernels::Isa;
use grundy_rules::{
    Game, Move, Order, Pick, Pile, Position, Remembers, Rules, Table, from_any_pile, games,
};
use grundy_solvers::{
    AnyGame, Count, Counted, Desk, FillError, Job, Needs, SolveError, Solver, solver,
};
use grundy_sweep::Control;

use crate::common::{PLENTY, Shelf, fill, wanted};
use crate::toys::LeftAndRight;

/// Nim with a largest value that is claimed, and moves that are added.
#[derive(Debug)]
struct Claimed {
    order: Order,
    largest: u64,
    adds: fn(&Position) -> Option<Vec<Pile>>,
}

impl Rules for Claimed {
    fn id(&self) -> &'static str {
        "claimed"
    }
    fn title(&self) -> &'static str {
        "claimed"
    }
    fn paper(&self) -> &'static str {
        "made up"
    }
    fn order(&self) -> Order {
        self.order
    }
    fn moves(&self, position: &Position) -> Vec<Move> {
        let nim = |piles: Vec<Pile>, _| Position::multiset(piles);
        let mut moves = from_any_pile(position.piles(), |from| 0..from, nim);
        let added = (self.adds)(position).map(Position::multiset);
        moves.extend(added.map(|option| Move::new(Pick::Only, 1, 0, option)));
        moves
    }
    fn remembers(&self) -> Remembers {
        Remembers::Nothing
    }
    fn largest_value(&self, _: Pile, _: usize) -> u64 {
        self.largest
    }
}

fn claimed(largest: u64, adds: fn(&Position) -> Option<Vec<Pile>>) -> Game {
    Game::new(Box::leak(Box::new(Claimed { order: Order::Any, largest, adds })))
}

/// Fills tables up to a length, and counts the longest: both fail alike.
fn filled(game: Game, max_pile: Pile, length: usize) -> Result<(), FillError> {
    let mut maker = AnyGame.maker(Job { game, max_pile, isa: Isa::best() });
    let table = Table::new(game, max_pile, length).unwrap();
    let needs = AnyGame.needs(&table, &PLENTY);
    let control = Control::new();
    let found = maker.prepare(&table, &needs, &control);
    let of =
        Count { table: &table, stored: None, memory: 1 << 40, isa: Isa::best(), control: &control };
    match (&found, AnyGame.count(of)) {
        (Ok(()), counted) => assert!(counted.unwrap().is_some()),
        (Err(error), Err(SolveError::Store(counted))) => {
            assert_eq!(counted.to_string(), error.to_string());
        }
        (_, counted) => panic!("{table}: {counted:?}"),
    }
    found
}

/// By hand: a pile of Nim has as many coins as value, and one byte holds 255.
#[test]
fn a_value_above_the_largest_is_an_error() {
    let nothing: fn(&Position) -> Option<Vec<Pile>> = |_| None;
    filled(claimed(255, nothing), 255, 1).unwrap();
    match filled(claimed(255, nothing), 256, 1) {
        Err(FillError::TooWide { position, value, .. }) => {
            assert_eq!((&*position, value), ("256", 256));
        }
        other => panic!("{other:?}"),
    }
    filled(claimed(256, nothing), 300, 1).unwrap();
    // Four bytes hold whatever there is.
    filled(claimed(1 << 20, nothing), 300, 1).unwrap();
}

/// To more piles, to larger ones, and from two piles to one that is too large.
#[test]
fn a_move_that_leads_out_is_an_error() {
    let leads = |adds, length, from: &str, to: &str| match filled(claimed(9, adds), 3, length) {
        Err(FillError::LeadsOut { position, option, .. }) => {
            assert_eq!((&*position, &*option), (from, to));
        }
        other => panic!("{from}: {other:?}"),
    };
    leads(|at| (at.piles() == [2]).then(|| vec![1, 1]), 1, "2", "1,1");
    leads(|at| (at.piles() == [2]).then(|| vec![4]), 1, "2", "4");
    leads(|at| (at.piles() == [1, 2]).then(|| vec![4]), 2, "1,2", "4");
    // To fewer piles and to none is a move like any other.
    filled(claimed(9, |at| (at.piles() == [1, 2]).then(|| vec![3])), 3, 2).unwrap();
}

#[test]
fn cells_that_are_not_values_are_not_filled() {
    let game = games::LONG_GLOBAL_NIM;
    match filled(game, 5, 1) {
        Err(FillError::NotValues { table }) => {
            assert_eq!(table, Table::new(game, 5, 1).unwrap().to_string());
        }
        other => panic!("{other:?}"),
    }
}

/// By hand: four cells with 2·10^9 options each, of 90 ns, are 720 seconds, and with 1.5·10^9 they are
/// 540; ten minutes are allowed.
#[test]
fn what_takes_too_long_is_not_counted() {
    let count = |largest| {
        let game = claimed(largest, |_| None);
        let (table, control) = (Table::new(game, 4, 1).unwrap(), Control::new());
        let isa = Isa::best();
        let of = Count { table: &table, stored: None, memory: 1 << 40, isa, control: &control };
        AnyGame.count(of)
    };
    match count(4_000_000_000) {
        Err(SolveError::TooManyPositions { positions, .. }) => assert_eq!(positions, 4),
        other => panic!("{other:?}"),
    }
    match count(3_000_000_000) {
        Ok(Some(Counted::Values(counts))) => assert_eq!(counts.values, [0, 1, 1, 1, 1]),
        other => panic!("{other:?}"),
    }
}

/// By hand: there are 2^38 rows of 38 piles of one or two coins; of 40 piles 2^40, of which the inner
/// words of 36 piles are (2^36 + 2^18) / 2 up to reversal, and one in two of them is too many.
#[test]
fn what_has_too_many_positions_is_not_counted() {
    let game = games::END_NIM;
    let control = Control::new();
    fn of<'a>(table: &'a Table, memory: u64, control: &'a Control) -> Count<'a> {
        Count { table, stored: None, memory, isa: Isa::best(), control }
    }
    for game in [game, games::PARTIZAN_END_NIM] {
        let table = Table::new(game, 2, 38).unwrap();
        match solver(game).count(of(&table, u64::MAX, &control)) {
            Err(SolveError::TooManyPositions { table: named, positions }) => {
                assert_eq!((named, positions), (table.to_string(), 1 << 38));
            }
            other => panic!("{other:?}"),
        }
    }
    let table = Table::new(game, 2, 40).unwrap();
    let parts: u64 = ((1 << 36) + (1 << 18)) / 2;
    assert_eq!(solver(game).count_piece(&table, 1 << 20).parts, parts);
    let half = solver(game).count_parts(of(&table, 1 << 20, &control), 1..parts / 2 + 1);
    match half {
        Err(SolveError::TooManyPositions { positions, .. }) => {
            assert!(positions.abs_diff(1 << 39) < 1 << 10, "{positions}");
        }
        other => panic!("{other:?}"),
    }
}

/// A cell that is no class's place, read for the position and for an option of it.
#[test]
fn a_cell_that_is_no_class_is_an_error() {
    let game = Game::new(&LeftAndRight);
    let shelf = fill(&AnyGame, game, &wanted(3, 2), &PLENTY);
    let (single, pairs) = (shelf.of_length(1), shelf.of_length(2));
    // Words are numbered in lexicographic order: 1,1 is the first, and the last of its tile 3,3.
    for (place, piles) in [(0, [1, 1]), (8, [3, 3])] {
        let spoilt = Shelf::of([single.clone(), pairs.with_cell(place, 4)]);
        let desk = Desk::with_nothing(&spoilt);
        let beyond = [&piles[..], &[1]].concat();
        for position in [game.position(&piles), game.position(&beyond)] {
            match AnyGame.answer(game, &position, &desk) {
                Err(SolveError::NoClass { position, table }) => {
                    assert_eq!(position, game.position(&piles).to_string());
                    assert_eq!(table, pairs.table.to_string());
                }
                other => panic!("{position}: {other:?}"),
            }
        }
        // The place of the last class is one.
        let changed = Shelf::of([single.clone(), pairs.with_cell(place, 3)]);
        let desk = Desk::with_nothing(&changed);
        let answer = AnyGame.answer(game, &game.position(&piles), &desk).unwrap();
        assert_eq!(answer.outcome, grundy_rules::Outcome::P);
    }
}

/// Less memory than was planned for is an error of its own, and so is being stopped.
#[test]
fn sets_that_do_not_fit_are_not_filled() {
    let game = games::LONG_GLOBAL_NIM;
    let table = Table::new(game, 5, 2).unwrap();
    let needs = solver(game).needs(&table, &PLENTY);
    let prepare = |memory, stopped: bool| {
        let control = Control::new();
        if stopped {
            control.stop();
        }
        let mut maker = solver(game).maker(Job { game, max_pile: 5, isa: Isa::best() });
        maker.prepare(&table, &Needs { memory, ..needs }, &control)
    };
    match prepare(needs.memory - 1, false) {
        Err(FillError::Memory { table: named }) => assert_eq!(named, table.to_string()),
        other => panic!("{other:?}"),
    }
    assert!(prepare(needs.memory, false).is_ok());
    assert!(matches!(prepare(needs.memory, true), Err(FillError::Stopped(_))));
}
