//! Tests code that tables of registered games never use: unregistered games, misère forms, and
//! seeds. Expected values were counted by hand, or come from the reference evaluator.

use std::sync::Arc;

use grundy_rules::games::{
    END_NIM, END_WYTHOFF, LONG_GLOBAL_NIM, MISERE_END_NIM, MISERE_NIM, NIM, PARTIZAN_END_NIM,
    SHORT_GLOBAL_NIM,
};
use grundy_rules::index::{Index, RecordIndex};
use grundy_rules::reference::Reference;
use grundy_rules::{
    Family, Game, Memory, Move, MoveSet, Order, Outcome, Pick, Pile, Position, PositionError,
    Rules, Size, Table, TableError, from_any_pile, misere_form, nim_sum,
};

use crate::cases::cases;

/// Nim stored in records, with a bound on its values that is too small.
#[derive(Debug)]
struct Small(&'static str);

impl Rules for Small {
    fn id(&self) -> &'static str {
        self.0
    }

    fn title(&self) -> &'static str {
        "Nim"
    }

    fn paper(&self) -> &'static str {
        "none"
    }

    fn order(&self) -> Order {
        Order::Any
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        from_any_pile(position.piles(), |from| 0..from, |piles, _| Position::multiset(piles))
    }

    fn index(&self, game: Game, size: Size) -> Result<Arc<dyn Index>, TableError> {
        Ok(Arc::new(RecordIndex::new(game, size)?))
    }

    fn largest_value(&self, _: Pile, _: usize) -> u64 {
        1
    }
}

#[test]
fn cells_have_room_for_the_largest_value() {
    let table = Table::new(Game::new(&Small("small")), 300, 1).unwrap();
    assert_eq!((table.largest_value(), table.value_bytes()), (300, 2));
}

#[test]
fn games_are_told_apart_and_ordered() {
    let (a, b) = (Game::new(&Small("a")), Game::new(&Small("b")));
    let mut sorted = vec![b, LONG_GLOBAL_NIM, a, NIM];
    sorted.sort();
    assert_eq!(sorted, [NIM, LONG_GLOBAL_NIM, a, b]);
    assert!(a != b && a == Game::new(&Small("a")) && Game::all().is_sorted());
}

#[test]
fn an_emptied_pile_is_removed() {
    let moves = |rest: Vec<Pile>, _| {
        assert!(rest.iter().all(|&pile| pile > 0), "{rest:?}");
        Position::multiset(rest)
    };
    assert_eq!(from_any_pile(&[2, 1], |from| 0..from, moves).len(), 3);
}

#[test]
fn messages_contain_names() {
    assert_eq!(Outcome::ALL.map(|class| class.to_string()), ["L", "R", "N", "P"]);
    assert_eq!(format!("{END_NIM:?}"), "Game(end-nim)");
    let unknown = "end-nin".parse::<Game>().unwrap_err().to_string();
    assert!(unknown.ends_with("'end-nim'? `grundy games` lists all games"), "{unknown}");
}

/// In games whose values follow from the two ends, the reference evaluator confirms the seeds.
#[test]
fn seeds_are_those_of_the_reference() {
    let has_singles = |game: &Game| matches!(game.family(), Family::Ends | Family::Heaps);
    let with_ends = Game::all().filter(has_singles);
    let rows = ["end-nim", "misere-end-nim", "loop-end-nim"];
    let known: Vec<&str> = with_ends.clone().map(Game::id).collect();
    assert_eq!(known, [&["nim", "misere-nim"][..], &rows].concat());
    let forms = with_ends.clone().map(|game| misere_form(game).unwrap());
    for game in with_ends.chain(forms) {
        let singles = game.single_piles(40);
        let mut reference = Reference::new(game);
        for pile in 1..=40 {
            let value = reference.value(&game.position(&[pile]));
            assert_eq!(singles.value(pile), value, "{game} {pile}");
        }
        assert!(singles.repeats().is_some_and(|found| found.period == 1), "{game}");
    }
    for game in Game::all().filter_map(|game| misere_form(game).ok()) {
        let whole = game.family() == Family::Ends;
        assert_eq!(whole, ["end-nim-empty-1", "loop-end-nim-empty-1"].contains(&game.id()));
    }
}

#[test]
fn a_misere_form_is_the_same_game_but_for_its_values() {
    for game in Game::all().filter(|game| game.is_impartial() && game.normal_play().is_none()) {
        let form = misere_form(game).unwrap();
        assert_eq!((form.id(), misere_form(game)), (&*format!("{game}-empty-1"), Ok(form)));
        assert_eq!((form.title(), form.paper()), (game.title(), game.paper()));
        assert_eq!(form.misere_of(), Some(game));
        let empty = Position::row(&[]);
        assert_eq!(form.check(&empty).is_ok(), game.check(&empty).is_ok(), "{form}");
        // Skip single piles, because records and sets are correct only in normal play.
        let index = |game: Game| Table::new(game, 4, 3).unwrap().numbering();
        assert_eq!(index(form), index(game));
    }
    assert!(misere_form(PARTIZAN_END_NIM).is_err());
    assert_eq!(misere_form(MISERE_NIM), misere_form(NIM));
    // A value is at most the number of coins. If values depend only on the two ends and the middle,
    // a value is at most the number of coins in two piles.
    let largest = |game: Game, length| misere_form(game).unwrap().largest_value(10, length);
    assert_eq!([1, 2, 3].map(|length| largest(NIM, length)), [10, 20, 30]);
    assert_eq!([1, 2, 3].map(|length| largest(END_NIM, length)), [20, 20, 20]);
    assert_eq!(largest(END_WYTHOFF, 3), 30);
}

#[test]
fn positions_have_piles_coins_and_a_canonical_form() {
    assert_eq!(Position::multiset(vec![2, 0, 1]).piles(), [1, 2]);
    assert_eq!(Position::row(&[3, 1, 4]).coins(), 8);
    assert!(Position::new(vec![1, 2]).is_ok() && Position::new(vec![1, 0]).is_err());
    // The canonical form is the smaller of a word and its reversal.
    for (row, canonical) in [([4, 1, 3], [3, 1, 4]), ([3, 1, 4], [3, 1, 4]), ([2, 9, 2], [2, 9, 2])]
    {
        assert_eq!(Position::row(&row).canonical().piles(), canonical);
    }
    assert_eq!(SHORT_GLOBAL_NIM.position(&[3, 0]).memory(), &Memory::last_move(0));
    let all = Memory::Available(MoveSet::up_to(3));
    assert_eq!(LONG_GLOBAL_NIM.position(&[2, 3]).memory(), &all);
    // A game rejects the memory of another game.
    let (after, left) =
        (Position::after(vec![3], 1), Position::with_available(vec![3], &MoveSet::up_to(2)));
    for game in Game::all() {
        let is = |other: Game| game == other;
        assert_eq!(game.check(&after).is_ok(), is(SHORT_GLOBAL_NIM), "{game}");
        assert_eq!(game.check(&left).is_ok(), is(LONG_GLOBAL_NIM), "{game}");
    }
}

/// The largest values were calculated by hand. In Nim two piles have at most 10 + 9 options,
/// because equal piles have the same options. In End-Nim the bound is the number of coins in the
/// two end piles. In End-Wythoff, moves on both ends give at most 10 more options. In partizan
/// End-Nim the bound is the number of coins. In long global nim, the bound for a single pile of n
/// coins is the largest k with 1 + ... + k <= n.
#[test]
fn the_largest_values() {
    for (line, [game, max_pile, length, largest]) in cases(include_str!("tables.txt"), "largest") {
        let (game, max_pile): (Game, Pile) = (game.parse().unwrap(), max_pile.parse().unwrap());
        let found = game.largest_value(max_pile, length.parse().unwrap());
        assert_eq!(found.to_string(), largest, "line {line}");
    }
    // 3, 1 and 4 are 011, 001 and 100 in binary.
    assert_eq!((nim_sum(&[3, 1, 4]), nim_sum(&[5, 5]), nim_sum(&[])), (6, 0, 0));
}

#[test]
fn a_move_on_both_ends_names_both_results() {
    let moves = END_WYTHOFF.moves(&END_WYTHOFF.position(&[2, 9, 3]));
    let both: Vec<_> = moves.iter().filter(|made| made.pick == Pick::Both).collect();
    let changes: Vec<_> = both.iter().map(|made| (made.from, made.to, made.right)).collect();
    assert_eq!(changes, [(2, 0, Some((3, 1))), (2, 1, Some((3, 2)))]);
}

#[test]
fn positions_that_a_game_does_not_have() {
    let empty = Position::row(&[]);
    assert_eq!(END_NIM.check(&empty), Ok(()));
    assert!(matches!(MISERE_END_NIM.check(&empty), Err(PositionError::NoEmptyPosition { .. })));
    assert_eq!(MISERE_END_NIM.check(&Position::row(&[1])), Ok(()));
    // In Welter's game no two piles are equal.
    let welter: Game = "welter".parse().unwrap();
    assert!(welter.parse("3,3").is_err() && welter.parse("3,2").is_ok());
    assert!(welter.check(&welter.position(&[3, 3])).is_err());
}
