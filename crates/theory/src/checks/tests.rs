//! Tests of checks with stored tables: correct tables and random tables.

use grundy_rules::reference::{Outcomes, Reference};
use grundy_rules::{Game, Outcome, Pile, Position, Table, games};

use super::dense::printed;
use crate::Range;
use crate::cases::cases;
use crate::testing::{
    count, look, noise, noisy_records, noisy_rows, referred, sizes, stored, up_to,
};
use crate::words::Origin::{Computed, Mixed, Table as Read};

type Stored = (Table, Vec<u32>);

/// The empty range, for statements about printed text.
const PRINT: Range = Range { max_pile: None, length: None, to: None };

const CASES: &str = include_str!("tests.txt");

/// Reads the range of a case: a size such as 5x2, the largest number, or - for printed text.
fn range(text: &str) -> Range {
    match text.split_once('x') {
        Some((max_pile, length)) => sizes(max_pile.parse().unwrap(), length.parse().unwrap()),
        None => Range { to: text.parse().ok(), ..PRINT },
    }
}

fn noisy(game: Game, max_pile: Pile, length: usize, below: u32, seed: u64) -> Stored {
    let mut next = noise(seed);
    stored(game, max_pile, length, |_| next(below))
}

/// Each case has random tables, a number of seeds, the range of the check, a claim, and the totals:
/// checked cases, true premises and failures. The totals were confirmed by loops over all
/// positions, written from the words of the claims. Later tests still run such loops.
#[test]
fn failures_in_random_tables_are_counted() {
    let stored = |name: &str, seed: u64| {
        let of = |game, sizes: &[(Pile, usize, u32)]| -> Vec<Stored> {
            sizes.iter().map(|&(n, length, below)| noisy(game, n, length, below, seed)).collect()
        };
        match name {
            "long" => of(games::LONG_GLOBAL_NIM, &[(9, 1, 1 << 31), (8, 2, 2)]),
            records => vec![noisy_records(seed, records.parse().unwrap())],
        }
    };
    for (_, [tables, seeds, sizes, id, expected]) in cases(CASES, "totals") {
        let mut sum = (0, 0, 0);
        for seed in 0..seeds.parse().unwrap() {
            let looked = look(id, range(sizes), &stored(tables, seed));
            let origin = if id == "lgn.thm28" { Mixed } else { Read };
            assert_eq!(looked.origin, Some(origin), "{id}");
            let tally = looked.examined.tally;
            sum = (sum.0 + tally.checked, sum.1 + tally.premise, sum.2 + tally.failures);
        }
        assert_eq!(format!("{} {} {}", sum.0, sum.1, sum.2), expected, "{id}");
    }
}

/// Changes one value in correct tables of partizan End-Nim. Exactly its position fails.
#[test]
fn one_wrong_value_is_one_failure() {
    let right = [1, 2, 3].map(|length| right_thresholds(4, length));
    let look = |stored: &[Stored]| look("partizan.thm", sizes(4, 3), stored).counts();
    let (checked, failures, first) = look(&right);
    assert_eq!((failures, first), (0, None));
    for at in 0..right.len() {
        for number in 0..right[at].0.cells() {
            let mut spoilt = right.clone();
            let (table, values) = &mut spoilt[at];
            let value = &mut values[number as usize];
            *value = u32::from(*value == 0);
            let piles = table.position(number).map(|position| position.piles().to_vec());
            assert_eq!(look(&spoilt), (checked, 1, piles));
        }
    }
}

#[test]
fn printed_cells_are_compared_one_by_one() {
    let printed = printed();
    for seed in 0..40 {
        let (stored, dense) = noisy_rows(seed, 12);
        let value = |n: usize, k: usize| dense[n].get(k).copied().unwrap_or(dense[n][0]);
        let cells = (0..10).flat_map(|n| (0..10).map(move |k| (n, k)));
        let cases = cells.map(|(n, k)| (vec![n as Pile], value(n, k) != printed[n][k]));
        assert_eq!(look("gn.table1", PRINT, &[stored]).counts(), count(cases), "{seed}");
    }
}

#[test]
fn values_that_occur_once_are_counted() {
    for seed in 0..40 {
        let (stored, dense) = noisy_rows(seed, 24);
        let g = |n: usize| dense[n][0];
        let piles = |value: u32| (0..=20).filter(move |&n| g(n) == value);
        let most = (0..=10).map(g).max().unwrap();
        let cases = (0..=most).map(|value| {
            let last = piles(value).next_back().unwrap_or_default();
            (vec![last as Pile], (piles(value).count() == 1) != [0, 12].contains(&value))
        });
        assert_eq!(look("gn.once", up_to(20), &[stored]).counts(), count(cases), "{seed}");
    }
}

#[test]
fn statements_outside_tables_are_counted() {
    let mut reference = Reference::new(games::SHORT_GLOBAL_NIM);
    let mut value = |n, k| reference.value(&Position::after(vec![n], k));
    let cells = (1..=20).flat_map(|n| (1..=n).map(move |k| (n, k)));
    let exceptional = cells.filter(|&(n, k)| value(n, k) != value(n, 0)).count() as u64;
    for (id, range, counts) in [
        // There are three counts for n = 1, and four for each larger n.
        ("bouton.chance", up_to(3), (3 + 4 + 4, 0, 0)),
        ("gn.cor10", up_to(20), (210, exceptional, 0)),
        // There are up to six equal piles of 1, 3 or 5, up to four of 7 or 9, or up to two of 11.
        // Each of these positions has two sets of moves: all moves, and all moves except n.
        ("lgn.thm28", up_to(11), (2 * (3 * 6 + 2 * 4 + 2), 0, 0)),
    ] {
        let tally = look(id, range, &[]).examined.tally;
        assert_eq!((tally.checked, tally.premise, tally.failures), counts, "{id}");
    }
}

/// Returns the thresholds of partizan End-Nim, derived from outcomes: l(w) is the number of a for
/// which Left, moving first, does not win a w.
fn right_thresholds(max_pile: Pile, length: usize) -> Stored {
    let game = games::PARTIZAN_END_NIM;
    let mut outcomes = Outcomes::new(game);
    let table = Table::new(game, max_pile, length).unwrap();
    stored(game, max_pile, length, |number| {
        let word = table.position(number).unwrap();
        let loses = |a: &Pile| {
            let position = Position::new([&[*a], word.piles()].concat()).unwrap();
            matches!(outcomes.outcome(&position), Outcome::P | Outcome::R)
        };
        (1..).take_while(loses).count() as u32
    })
}

/// The table of a,4,b up to 16 is read from larger tables. A wrong value in the printed table makes
/// one row wrong.
#[test]
fn printed_rows_are_read() {
    let right = [referred(games::END_NIM, 17, 3)];
    let look = |stored: &[Stored]| {
        let looked = look("an.table", Range::default(), stored);
        (looked.origin, looked.counts())
    };
    for (piles, first) in [
        ([1, 4, 1], Some(vec![1, 4])),
        ([16, 4, 16], Some(vec![16, 4])),
        ([7, 4, 12], Some(vec![7, 4])),
        ([7, 4, 17], None),
        ([17, 4, 2], None),
        ([7, 5, 12], None),
    ] {
        let mut spoilt = right.clone();
        let (table, values) = &mut spoilt[0];
        let position = Position::new(piles.to_vec()).unwrap();
        let number = table.locate(&position).map(|place| table.number_of(place)).unwrap();
        values[number as usize] += 30;
        let failures = u64::from(first.is_some());
        assert_eq!(look(&spoilt), (Some(Read), (16, failures, first)), "{piles:?}");
    }
    assert_eq!(look(&[referred(games::END_NIM, 15, 3)]), (Some(Computed), (16, 0, None)));
}

/// Tests the messages about the first counterexample in tables with few values, and in records.
/// With g = 0, 1, 1, 3, 1 the piles 1 and 2 have the value 1 and no exceptional last move, and f(1)
/// = 1. With g = 0, 1, 2, 3 the exceptional values are *(2,1) = g(1) and *(3,3) = 0. With g = 0, 1,
/// 2, 0, 0, 0, 0 no value is exceptional. Then 1 + 1 is a g-series for (2,0) but not for (2,1), and
/// 4 + 2 is no g-series for (6,0), as *(2,4) = 2.
#[test]
fn counterexamples_show_the_wrong_value() {
    let numbers = |text: &str| text.split(' ').map(|it| it.parse().unwrap()).collect::<Vec<u32>>();
    for (_, [id, sizes, table, said]) in cases(CASES, "messages") {
        let (of, cells) = table.split_once(": ").unwrap();
        let stored = if of == "records" {
            let records: Vec<_> = cells.split(" / ").map(numbers).collect();
            let game = games::SHORT_GLOBAL_NIM;
            let width = Table::new(game, records.len() as Pile, 1).unwrap().tile_cells() as u64;
            stored(game, records.len() as Pile, 1, |at| {
                let record = &records[(at / width) as usize];
                record.get((at % width) as usize).copied().unwrap_or(0)
            })
        } else {
            let [game, n, length] = of.split(' ').collect::<Vec<_>>().try_into().unwrap();
            let cells = numbers(cells);
            let (n, length) = (n.parse().unwrap(), length.parse().unwrap());
            stored(game.parse().unwrap(), n, length, |at| cells[at as usize % cells.len()])
        };
        let game = stored.0.game();
        let first = look(id, range(sizes), &[stored]).examined.tally.first.unwrap();
        assert_eq!(first.to_string(), format!("{game} {said}"), "{id}");
    }
}
