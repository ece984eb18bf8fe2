//! The edges of what tables there are, what the games say of themselves, and the definitions for
//! sets of moves: each held against a count by hand or the reference.

use grundy_rules::games::{
    END_NIM, END_WYTHOFF, LONG_GLOBAL_NIM, MISERE_END_NIM, NIM, PARTIZAN_END_NIM, SHORT_GLOBAL_NIM,
};
use grundy_rules::{
    Game, LARGEST_LENGTH, LARGEST_MAX_PILE, Middles, Numbering, Pick, Pile, Position,
    PositionError, Table, TableError, nim_sum,
};

fn position(game: Game, text: &str) -> Position {
    game.parse(text).unwrap()
}

/// By hand. Of Nim 10 + 9 options, for equal piles have the same; of a row twice the largest pile,
/// for all follows from its ends; of End-Wythoff once more for both; of partizan End-Nim all coins;
/// of one pile with sets of moves k with 1 + ... + k coins.
#[test]
fn the_largest_values() {
    let largest = |game: &str, max_pile, length| {
        let game: Game = game.parse().unwrap();
        game.largest_value(max_pile, length)
    };
    assert_eq!([1, 2, 3].map(|length| largest("nim", 10, length)), [10, 19, 27]);
    assert_eq!(largest("misere-nim", 2, 5), 3);
    assert_eq!([1, 2].map(|length| largest("short-global-nim", 10, length)), [10, 19]);
    for game in ["end-nim", "misere-end-nim", "loop-end-nim"] {
        assert_eq!([2, 5].map(|length| largest(game, 10, length)), [20, 20], "{game}");
    }
    assert_eq!([1, 2, 3, 4].map(|length| largest("end-wythoff", 10, length)), [10, 20, 30, 30]);
    assert_eq!([1, 4].map(|length| largest("partizan-end-nim", 10, length)), [10, 40]);
    let sets = [1, 2, 3, 5, 6, 9, 10, 14, 15].map(|n| largest("long-global-nim", n, 1));
    assert_eq!(sets, [1, 1, 2, 2, 3, 3, 4, 4, 5]);
    assert_eq!(largest("long-global-nim", 10, 3), 10);
    let values = Table::values_only(SHORT_GLOBAL_NIM, 1000).unwrap();
    assert_eq!((values.largest_value(), values.value_bytes()), (1000, 4));
}

#[test]
fn papers_and_ends() {
    for game in Game::all() {
        let known = ["Bouton 1901", "Albert and Nowakowski 2001", "Cairns and Ho 2011"];
        let known =
            [&known[..], &["Fraenkel and Reisner 2009", "INTEGERS 8 (2008), #G01"]].concat();
        assert!(known.iter().any(|paper| game.paper().contains(paper)), "{}", game.paper());
    }
    // Of Nim two piles follow from what they lead to, and no more.
    let nim = NIM.ends().unwrap();
    assert_eq!(((nim.seed)(7), nim.any_length), (7, false));
    let row = END_NIM.ends().unwrap();
    assert_eq!(((row.seed)(7), row.any_length), (7, true));
    // By hand: 011 xor 001 xor 100.
    assert_eq!((nim_sum(&[3, 1, 4]), nim_sum(&[5, 5]), nim_sum(&[])), (6, 0, 0));
}

#[test]
fn a_move_on_both_ends_says_what_becomes_of_each() {
    let moves = END_WYTHOFF.moves(&position(END_WYTHOFF, "2,9,3"));
    let both: Vec<_> = moves.iter().filter(|made| made.pick == Pick::Both).collect();
    let told: Vec<_> = both.iter().map(|made| (made.from, made.to, made.right)).collect();
    assert_eq!(told, [(2, 0, Some((3, 1))), (2, 1, Some((3, 2)))]);
}

#[test]
fn positions_that_a_game_does_not_have() {
    let empty = Position::row(&[]);
    assert_eq!(END_NIM.check(&empty), Ok(()));
    assert!(matches!(MISERE_END_NIM.check(&empty), Err(PositionError::NoEmptyPosition { .. })));
    assert_eq!(MISERE_END_NIM.check(&Position::row(&[1])), Ok(()));
    // A run that goes down is named, not the whole set.
    let PositionError::Moves { word, .. } = LONG_GLOBAL_NIM.parse("8{1,3..2}").unwrap_err() else {
        panic!("another error");
    };
    assert_eq!(word, "3..2");
}

#[test]
fn what_a_table_holds() {
    let table = Table::new(END_NIM, 5, 2).unwrap();
    let holds = |piles: &[Pile]| table.holds(piles);
    assert!(holds(&[3, 4]) && holds(&[1, 5]));
    assert!(!holds(&[3]) && !holds(&[1, 2, 3]) && !holds(&[3, 6]) && !holds(&[0, 1]));
    let records = Table::new(SHORT_GLOBAL_NIM, 20, 1).unwrap();
    let place = |text: &str| records.locate(&position(SHORT_GLOBAL_NIM, text)).is_some();
    assert!(place("1") && place("20") && !place("21") && !place("()") && !place("3,4"));
}

/// Which refusal comes first, and the number of positions that it names.
#[test]
fn tables_that_do_not_exist() {
    let new = Table::new;
    let long = LARGEST_LENGTH + 1;
    assert_eq!(new(END_NIM, 1, long), Err(TableError::Length { length: long }));
    assert_eq!(new(NIM, 2, long), Err(TableError::Length { length: long }));
    assert!(new(END_NIM, 1, LARGEST_LENGTH).is_ok() && new(NIM, 2, LARGEST_LENGTH).is_ok());
    let wide = LARGEST_MAX_PILE + 1;
    assert_eq!(new(NIM, wide, 1), Err(TableError::MaxPile { max_pile: wide }));
    assert_eq!(new(END_NIM, wide, 2), Err(TableError::MaxPile { max_pile: wide }));
    let about = |game, max_pile, length| match new(game, max_pile, length) {
        Err(TableError::TooLarge { positions, .. }) => positions,
        other => panic!("{other:?}"),
    };
    // By hand: (10^5)^6 words; of Nim (10^5)^8 / 8!, 2.48 * 10^35.
    assert!((about(END_NIM, 100_000, 6) / 1e30 - 1.0).abs() < 1e-9);
    assert!((about(NIM, 100_000, 8) / 2.4802e35 - 1.0).abs() < 1e-3);
}

/// The same count is told where piles are beyond what a tile holds.
#[test]
fn too_many_multisets_of_large_piles() {
    // By hand: (4 * 10^9)^3 / 6 = 1.0667 * 10^28.
    match Table::new(NIM, 4_000_000_000, 3) {
        Err(TableError::TooLarge { positions, .. }) => {
            assert!((positions / 1.066_667e28 - 1.0).abs() < 1e-3, "{positions}");
        }
        other => panic!("{other:?}"),
    }
}

/// Positions, tiles, rows, columns and values of a cell, by hand from docs/FORMAT.md.
#[test]
fn shapes() {
    let shape = |game: &str, n, length| {
        let table = Table::new(game.parse().unwrap(), n, length).unwrap();
        let tile = (table.tile_rows(), table.tile_cols());
        (table.positions(), table.tiles(), tile, table.values_per_cell())
    };
    assert_eq!(shape("end-nim", 5, 1), (5, 1, (1, 5), 1));
    assert_eq!(shape("end-nim", 5, 3), (125, 5, (5, 5), 1));
    assert_eq!(shape("nim", 3, 2), (6, 6, (1, 1), 1));
    assert_eq!(shape("partizan-end-nim", 3, 1), (3, 1, (1, 3), 1));
    assert_eq!(shape("partizan-end-nim", 3, 3), (27, 3, (3, 3), 1));
    // Six multisets, each with the last moves 0, 1, 2, 3.
    assert_eq!(shape("short-global-nim", 3, 2), (24, 6, (1, 4), 1));
    // Piles 1, 2, 3 with the last moves 0, ..., n: 2 + 3 + 4.
    assert_eq!(shape("short-global-nim", 3, 1), (9, 3, (1, 64), 1));
    // 2 + 4 + ... + 32 positions among 64 numbers.
    assert_eq!(shape("long-global-nim", 5, 1), (62, 4, (1, 1), 16));
    // 1,1 with two sets of moves, 1,2 and 2,2 with four.
    assert_eq!(shape("long-global-nim", 2, 2), (10, 10, (1, 1), 1));
    let plain = |game, length| Table::new(game, 4, length).unwrap().numbering().is_plain();
    assert!(!plain(LONG_GLOBAL_NIM, 1) && !plain(SHORT_GLOBAL_NIM, 1));
    assert!(plain(LONG_GLOBAL_NIM, 2) && plain(SHORT_GLOBAL_NIM, 2) && plain(END_NIM, 1));
    assert_eq!(Table::new(LONG_GLOBAL_NIM, 10, 1).unwrap().largest_value(), 4);
    // Column 5 of the record of pile 7.
    let records = Table::new(SHORT_GLOBAL_NIM, 20, 1).unwrap();
    assert_eq!(records.position(64 * 6 + 5), Some(Position::after(vec![7], 0)));
    assert_eq!(records.position(64 * 20), None);
}

/// Of every numbering: too few piles, too many, too large, and none at all.
#[test]
fn what_no_table_holds() {
    for game in Game::all() {
        for length in 1..=3 {
            let table = Table::new(game, 5, length).unwrap();
            let at = |piles: &[Pile]| table.locate_piles(piles);
            let right = vec![5; length];
            assert_eq!(at(&right), table.locate(&game.position(&right)));
            assert!(at(&right).is_some(), "{table}");
            let (mut large, mut zero) = (right.clone(), right.clone());
            large[0] = 6;
            zero[0] = 0;
            let wrong = [&large[..], &zero, &right[1..], &[&right[..], &[1]].concat()];
            assert!(wrong.iter().all(|piles| at(piles).is_none()), "{table}");
        }
    }
}

#[test]
fn the_word_of_a_tile_is_what_its_positions_share() {
    for game in Game::all() {
        for length in 1..=4 {
            let table = Table::new(game, 3, length).unwrap();
            let row = game.ends().is_some_and(|ends| ends.any_length) || !game.is_impartial();
            let row = row || game == END_WYTHOFF;
            for tile in 0..table.tiles() {
                let mut word = vec![9; 7];
                table.tile_word(tile, &mut word);
                let cell = tile * table.tile_cells() as u64 * table.values_per_cell();
                let Some(position) = table.position(cell) else { continue };
                let piles = position.piles();
                let expected = match (length, game.is_impartial()) {
                    _ if !row => &[][..],
                    (1 | 2, _) => &[],
                    (_, true) => &piles[1..length - 1],
                    (_, false) => &piles[..length - 2],
                };
                assert_eq!(word, expected, "{table} {tile}");
            }
        }
    }
}

#[test]
fn tables_are_told_apart() {
    let table = |game, n, length| Table::new(game, n, length).unwrap();
    assert_eq!(table(END_NIM, 5, 3), table(END_NIM, 5, 3));
    for other in [table(END_NIM, 5, 2), table(END_NIM, 4, 3), table(NIM, 5, 3)] {
        assert_ne!(table(END_NIM, 5, 3), other);
    }
}

#[test]
fn each_game_is_numbered_as_it_says() {
    let of = |game, length| Table::new(game, 4, length).unwrap().numbering();
    assert_eq!(of(END_NIM, 3), Numbering::Middles);
    assert_eq!(of(NIM, 3), Numbering::Multisets);
    assert_eq!(of(PARTIZAN_END_NIM, 3), Numbering::Words);
    let short = [1, 2].map(|length| of(SHORT_GLOBAL_NIM, length));
    assert_eq!(short, [Numbering::Records, Numbering::LastMoves]);
    let long = [1, 2].map(|length| of(LONG_GLOBAL_NIM, length));
    assert_eq!(long, [Numbering::Sets, Numbering::SetRows]);
}

#[test]
fn palindromes() {
    assert!(Middles::is_palindrome(&[]) && Middles::is_palindrome(&[3]));
    assert!(Middles::is_palindrome(&[1, 2, 1]) && !Middles::is_palindrome(&[1, 2, 2]));
}
