//! Tests of the possible tables, their sizes, contents and places. The expected ones were found by
//! hand from docs/FORMAT.md.

use std::collections::HashSet;

use grundy_rules::games::{
    END_NIM, END_WYTHOFF, LONG_GLOBAL_NIM, MISERE_NIM, NIM, PARTIZAN_END_NIM, SHORT_GLOBAL_NIM,
};
use grundy_rules::law::RuleFile;
use grundy_rules::rulesets::RULESETS;
use grundy_rules::{Form, Game, Numbering, Pile, Position, Table, TableError};

fn table(game: Game, max_pile: Pile, length: usize) -> Table {
    Table::new(game, max_pile, length).unwrap()
}

/// Each case has a table with the expected numbers of positions, tiles, rows and columns, values in
/// a cell, and bytes of a cell.
#[test]
fn tables_have_the_expected_shapes() {
    use Numbering::{LastMoves, Middles, Multisets, Records, SetRows, Sets, Words};
    let (short, long) = (SHORT_GLOBAL_NIM, LONG_GLOBAL_NIM);
    type Shape = (u64, u64, (usize, usize), u64, usize);
    let cases: [(Game, Pile, usize, Numbering, Shape); 20] = [
        (END_NIM, 5, 1, Middles, (5, 1, (1, 5), 1, 1)),
        (END_NIM, 5, 3, Middles, (125, 5, (5, 5), 1, 1)),
        (END_NIM, 64, 5, Middles, (1 << 30, (64 * 64 * 64 + 64 * 64) / 2, (64, 64), 1, 1)),
        (END_NIM, 128, 1, Middles, (128, 1, (1, 128), 1, 2)),
        (NIM, 3, 2, Multisets, (6, 6, (1, 1), 1, 1)),
        (NIM, 9, 3, Multisets, (165, 165, (1, 1), 1, 1)),
        (PARTIZAN_END_NIM, 3, 1, Words, (3, 1, (1, 3), 1, 2)),
        (PARTIZAN_END_NIM, 3, 3, Words, (27, 3, (3, 3), 1, 2)),
        (PARTIZAN_END_NIM, 7, 4, Words, (7 * 7 * 7 * 7, 49, (7, 7), 1, 2)),
        // There are six multisets, each with the last moves 0, 1, 2 and 3.
        (short, 3, 2, LastMoves, (24, 6, (1, 4), 1, 1)),
        (short, 9, 2, LastMoves, (450, 45, (1, 10), 1, 1)),
        // The piles n = 1, 2, 3 with the last moves 0, ..., n are 2 + 3 + 4 positions.
        (short, 3, 1, Records, (9, 3, (1, 64), 1, 4)),
        (short, 1_000_000, 1, Records, (500_001_500_000, 1_000_000, (1, 64), 1, 4)),
        // There are 2 + 4 + ... + 32 positions among 64 numbers.
        (long, 5, 1, Sets, (62, 4, (1, 1), 16, 4)),
        (long, 2, 1, Sets, (6, 1, (1, 1), 16, 4)),
        (long, 28, 1, Sets, ((1 << 29) - 2, 1 << 25, (1, 1), 16, 4)),
        // 1,1 has two sets of moves; 1,2 and 2,2 have four each.
        (long, 2, 2, SetRows, (10, 10, (1, 1), 1, 1)),
        // The bound on values of End-Wythoff is a + b + min(a, b), so 3 N, from three piles on. For
        // two piles it is 2 N.
        (END_WYTHOFF, 85, 3, Middles, (614_125, 85, (85, 85), 1, 1)),
        (END_WYTHOFF, 86, 3, Middles, (636_056, 86, (86, 86), 1, 2)),
        (END_WYTHOFF, 127, 2, Middles, (127 * 127, 1, (127, 127), 1, 1)),
    ];
    for (game, n, length, numbering, shape) in cases {
        let table = table(game, n, length);
        let tile = (table.tile_rows(), table.tile_cols());
        let per_cell = table.values_per_cell();
        let found = (table.positions(), table.tiles(), tile, per_cell, table.value_bytes());
        assert_eq!((table.numbering(), found), (numbering, shape), "{table}");
        assert_eq!(table.cells(), table.tiles() * (tile.0 * tile.1) as u64);
        assert_eq!(table.values(), table.cells() * per_cell);
        assert_eq!(numbering.is_plain(), ![Records, Sets].contains(&numbering));
        assert_eq!(table.to_string(), format!("{game}/n{n}/k{length}"));
        assert_eq!(table.to_string().parse(), Ok(table));
    }
    let width = |n, k| table(MISERE_NIM, n, k).value_bytes();
    assert_eq!((width(64, 4), width(65, 4), width(2000, 2), width(255, 1)), (1, 1, 2, 1));
    assert_eq!((width(64, 5), width(128, 2)), (2, 1));
    assert_eq!(table(LONG_GLOBAL_NIM, 10, 1).largest_value(), 4);
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

/// Each case has the first error that is found, with the number of positions in its message:
/// (10^5)^6 words; for Nim (10^5)^8 / 8! and (4 * 10^9)^3 / 6.
#[test]
fn invalid_table_sizes_are_refused() {
    for game in Game::all() {
        assert_eq!(Table::new(game, 3, 0), Err(TableError::Length { length: 0 }), "{game}");
        for (n, length) in [(0, 3), (0, 1), (100_000, 6), (u32::MAX, 63)] {
            assert!(Table::new(game, n, length).is_err(), "{game}");
        }
    }
    for (game, n, length, said) in [
        (END_NIM, 0, 3, "max pile 0 is out of range"),
        (END_NIM, 5000, 2, "max pile 5000 is out of range"),
        (END_NIM, 4097, 2, "max pile 4097"),
        (NIM, 4097, 1, "max pile 4097"),
        (END_NIM, 1, 64, "length 64 is out of range"),
        (NIM, 2, 64, "length 64"),
        (END_NIM, 100_000, 6, "about 1.0e30 positions"),
        (NIM, 100_000, 8, "about 2.5e35 positions"),
        (NIM, 4_000_000_000, 3, "about 1.1e28 positions"),
        (LONG_GLOBAL_NIM, 64, 1, "those of 1 pile have a max pile of 1 to 35"),
        (LONG_GLOBAL_NIM, 32, 2, "those of 2 piles have a max pile of 1 to 31"),
        (LONG_GLOBAL_NIM, 31, 31, "more than any table can hold"),
        (SHORT_GLOBAL_NIM, 500_000_000, 1, "a single pile of 500000000 is out of range"),
    ] {
        let error = Table::new(game, n, length).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    assert!(Table::new(END_NIM, 1, 63).is_ok() && Table::new(NIM, 2, 63).is_ok());
    let none = Table::values_only(SHORT_GLOBAL_NIM, 0);
    assert_eq!(none, Err(TableError::Record { max_pile: 0 }));
    let form = Table::values_only(NIM, 4);
    assert_eq!(form, Err(TableError::Form { game: NIM, length: 1 }));
}

/// Words are in lexicographic order. Column 5 is of the record of pile 7. A set has a bit for each
/// of the moves 1, 2, ... below the leading bit, as in 110110000 for 8{1,3,4}.
#[test]
fn where_positions_stand() {
    let words = table(PARTIZAN_END_NIM, 7, 4);
    let number = words.number(&Position::row(&[3, 7, 1, 2]));
    assert_eq!(number, Some(((2 * 7 + 6) * 7) * 7 + 1));
    for (table, number, position) in [
        (table(NIM, 9, 3), 9, "3,3,3"),
        (table(SHORT_GLOBAL_NIM, 9, 2), 6 * 10 + 4, "1,4/4"),
        (table(SHORT_GLOBAL_NIM, 20, 1), 64 * 6 + 5, "7"),
        (table(LONG_GLOBAL_NIM, 28, 1), 0b1_1011_0000, "8{1,3,4}"),
    ] {
        assert_eq!(table.position(number).unwrap().to_string(), position);
    }
}

/// Games that remember the last move, and have bounds on it that no ruleset has.
const REMEMBERS: [&str; 3] = [
    "row\nmove: i in 1..k, t in 1..piles[i] if t != last_move: piles[i] -= t",
    "heaps\nlength: 1..3\nmove: each i in 1..k t[i] in 0..piles[i] if last_move < 9: piles[i] -= t[i]",
    "places\nlength: 1..3\nmove: each i in 1..k t[i] in 0..piles[i] if last_move < 9: piles[i] -= t[i]",
];

/// Every position of a table has its own number, and so do its options. Multisets are in
/// colexicographic order. A reversed row has its own number or that of the row. Built-in games
/// treat a last move larger than every pile as no last move.
#[test]
fn tables_number_their_positions_and_options() {
    let text = |lines: &str| {
        format!("name: x\ntitle: x\nsource: x\nremembers: last move\npiles: {lines}\n")
    };
    let texts = RULESETS.iter().map(|(_, text)| (*text).to_owned()).chain(REMEMBERS.map(text));
    let files = texts.map(|text| RuleFile::from_text(&text).and_then(RuleFile::game).unwrap());
    for game in Game::all().chain(files) {
        let tables = [1, 9, 5, 4, 3, 3, 2].into_iter().enumerate();
        let tables: Vec<_> = tables.map(|(length, n)| Table::new(game, n, length).ok()).collect();
        assert!(tables.iter().any(Option::is_some), "{game}");
        for table in tables.iter().flatten().filter(|table| table.numbering() != Numbering::Records)
        {
            let (mut seen, mut before) = (HashSet::new(), Vec::new());
            for number in 0..table.values() {
                let Some(position) = table.position(number).filter(|at| !at.piles().is_empty())
                else {
                    continue;
                };
                let is_none = position.last_move() > position.max_pile() && game.law().is_none();
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
                } else if game.is_unordered() {
                    assert!(before <= back, "{table} {position}");
                    before = back;
                }
                for option in game.moves(&position).into_iter().map(|made| made.option) {
                    let into = tables.get(option.length()).and_then(Option::as_ref);
                    assert!(
                        into.is_none_or(
                            |into| option.piles().is_empty() || into.number(&option).is_some()
                        ),
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
