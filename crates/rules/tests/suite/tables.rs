//! Tests of the possible tables and their sizes, and of the numbers of positions. A fuzz target
//! compares the numbers with docs/FORMAT.md.

use std::collections::HashSet;

use grundy_rules::games::{END_NIM, LONG_GLOBAL_NIM, NIM, SHORT_GLOBAL_NIM};
use grundy_rules::law::RuleFile;
use grundy_rules::rulesets::RULESETS;
use grundy_rules::{Form, Game, Numbering, Pile, Position, Table, TableError};

use crate::cases::cases;

const CASES: &str = include_str!("tables.txt");

fn table(game: Game, max_pile: Pile, length: usize) -> Table {
    Table::new(game, max_pile, length).unwrap()
}

#[test]
fn a_table_may_hold_values_alone() {
    let values = Table::values_only(SHORT_GLOBAL_NIM, 1000).unwrap();
    assert_eq!((values.largest_value(), values.value_bytes(), values.tile_cols()), (1000, 4, 1));
    assert_eq!("short-global-nim/n1000/g".parse(), Ok(values.clone()));
    assert_eq!(
        (values.form(), values.position(99)),
        (Form::ValuesOnly, Some(Position::after(vec![100], 0)))
    );
    for id in ["nim/n100/g", "end-nim/n64", "end-nim/n064/k5", "chess/n64/k5", "end-nim/n64/k5/x"] {
        assert!(id.parse::<Table>().is_err(), "{id}");
    }
    for other in [table(END_NIM, 5, 2), table(END_NIM, 4, 3), table(NIM, 5, 3)] {
        assert_ne!(table(END_NIM, 5, 3), other);
    }
}

/// If a size has several errors, the message reports the first one. The expected numbers are
/// (10^5)^6 words, and in Nim (10^5)^8 / 8! and (4 * 10^9)^3 / 6 positions.
#[test]
fn invalid_table_sizes_are_refused() {
    for game in Game::all() {
        assert_eq!(Table::new(game, 3, 0), Err(TableError::Length { length: 0 }), "{game}");
        for (n, length) in [(0, 3), (0, 1), (100_000, 6), (u32::MAX, 63)] {
            assert!(Table::new(game, n, length).is_err(), "{game}");
        }
    }
    for (_, [game, n, length, said]) in cases(CASES, "sizes") {
        let (game, n): (Game, Pile) = (game.parse().unwrap(), n.parse().unwrap());
        let length = length.parse().unwrap();
        let error = Table::new(game, n, length).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    assert!(Table::new(END_NIM, 1, 63).is_ok() && Table::new(NIM, 2, 63).is_ok());
    let none = Table::values_only(SHORT_GLOBAL_NIM, 0);
    assert_eq!(none, Err(TableError::Record { max_pile: 0 }));
    let form = Table::values_only(NIM, 4);
    assert_eq!(form, Err(TableError::Form { game: NIM, length: 1 }));
}

/// Games that remember numbers. Their conditions on the last move occur in no ruleset.
const REMEMBERS: [&str; 9] = [
    "places\nlength: 1..3\nremembers: pile in 1..3\nremembers: few in 0..1\nmove: i in 1..k, t in \
     1..piles[i] if i != pile or last_move == 1: piles[i] -= t, pile := i, few := 1 if t < 3 else 0",
    "heaps\nlength: 1..3\nremembers: few in 0..2\nmove: i in 1..k, t in 1..piles[i] if t != few: \
     piles[i] -= t, few := min(t, 2)",
    "row\nlength: 1..3\nremembers: taken in 0..20\nmove: t in 1..first if t != taken: first -= t, \
     taken := t",
    "row\nmove: i in 1..k, t in 1..piles[i] if t != last_move: piles[i] -= t",
    "row\nwithin: total\nmove: i in 1..k, t in 1..piles[i] if t != last_move: piles[i] -= t",
    "heaps\nwithin: total\nremembers: few in 0..2\nmove: i in 1..k, t in 1..piles[i], a in 0..1 if \
     t != few and a <= piles[i] - t: piles[i] := [a, piles[i] - t - a], few := min(t, 2)",
    "places\nlength: 2\nwithin: total\nremembers: touched in 0..2\nmove: i in 1..2, t in \
     2..piles[i] if i != touched: piles[i] -= t, piles[3 - i] += 1, touched := i",
    "heaps\nlength: 1..3\nmove: each i in 1..k t[i] in 0..piles[i] if last_move < 9: piles[i] -= t[i]",
    "places\nlength: 1..3\nmove: each i in 1..k t[i] in 0..piles[i] if last_move < 9: piles[i] -= t[i]",
];

/// Every position of a table has its own number, in one of the runs of numbers of positions, and
/// its options have numbers too. The table of length 0 holds positions of every length. Multisets
/// are in colexicographic order. A reversed row has its own number or the number of the row.
/// Built-in games treat a last move larger than every pile as no last move.
#[test]
fn tables_number_their_positions_and_options() {
    let text = |lines: &str| {
        let last = if lines.contains("last_move") { "remembers: last move\n" } else { "" };
        format!("name: x\ntitle: x\nsource: x\n{last}piles: {lines}\n")
    };
    let texts = RULESETS.iter().map(|(_, text)| (*text).to_owned()).chain(REMEMBERS.map(text));
    let files = texts.map(|text| RuleFile::from_text(&text).and_then(RuleFile::game).unwrap());
    for game in Game::all().chain(files) {
        let tables = [6, 9, 5, 4, 3, 3, 2].into_iter().enumerate();
        let tables: Vec<_> = tables.map(|(length, n)| Table::new(game, n, length).ok()).collect();
        assert!(tables.iter().any(Option::is_some), "{game}");
        for table in tables.iter().flatten().filter(|table| table.numbering() != Numbering::Records)
        {
            let (mut seen, mut before) = (HashSet::new(), Vec::new());
            let mut run = table.first_numbers(0..table.values());
            for number in 0..table.values() {
                if number == run.end {
                    run = table.first_numbers(number..table.values());
                }
                let of_table = |at: &Position| table.length() == 0 || !at.piles().is_empty();
                let position = table.position(number).filter(of_table);
                assert_eq!(run.contains(&number), position.is_some(), "{table} {number}");
                let Some(position) = position else { continue };
                let mut stepped = position.clone();
                let next = table.position(number + 1);
                assert!(next.is_none() || !table.step(&mut stepped) || next == Some(stepped));
                let is_none = position.last_move() > position.max_pile() && game.has_records();
                assert_eq!(table.number(&position) == Some(number), !is_none, "{table} {position}");
                assert_eq!(game.parse(&position.to_string()).as_ref(), Ok(&position));
                assert!(table.holds(position.piles()));
                assert_eq!(game.position_with(position.piles(), position.memory()), position);
                let back: Vec<Pile> = position.piles().iter().rev().copied().collect();
                if game.is_symmetric() {
                    let back = game.position(&back);
                    let found = table.number(&back).and_then(|number| table.position(number));
                    assert!([&position, &back].contains(&&found.unwrap()), "{table} {position}");
                    seen.insert(back);
                } else if game.is_unordered() && !game.is_within_total() {
                    assert!(before <= back, "{table} {position}");
                    before = back;
                }
                for option in game.moves(&position).into_iter().map(|made| made.option) {
                    let into = tables.get(option.length()).and_then(Option::as_ref);
                    // A pile of a sum may be split into more piles, and that table is smaller.
                    // A table within a total needs no table of other totals.
                    let may_leave = game.is_sum() || game.is_within_total();
                    let is_out = |into: &Table| may_leave && !into.holds(option.piles());
                    assert!(
                        into.is_none_or(|into| option.piles().is_empty()
                            || is_out(into)
                            || into.number(&option).is_some()),
                        "{position} {option}"
                    );
                }
                seen.insert(position);
            }
            let excludes = game.law().is_some_and(|law| law.admits.is_some());
            assert!(excludes || seen.len() as u64 == table.positions(), "{table}");
        }
    }
}

/// Each cell of a table that begins another one is at the same place of the same tile there.
#[test]
fn a_smaller_table_is_the_beginning_of_a_larger_one() {
    let games = [NIM, SHORT_GLOBAL_NIM, LONG_GLOBAL_NIM, END_NIM];
    let mut begun = 0;
    for (game, length) in games.into_iter().flat_map(|game| [1, 2, 3].map(|length| (game, length)))
    {
        let (small, large) = (table(game, 4, length), table(game, 6, length));
        assert!(!large.begins(&small), "{large}");
        if !small.begins(&large) {
            continue;
        }
        begun += 1;
        let [few, many] = [&small, &large].map(|of| of.tile_cells() as u64 * of.values_per_cell());
        for number in 0..small.tiles() * few {
            let there = number / few * many + number % few;
            if let Some(position) = small.position(number) {
                assert_eq!(large.position(there), Some(position), "{small} {number}");
            }
        }
    }
    assert_eq!(begun, 3 + 2 + 3);
}
