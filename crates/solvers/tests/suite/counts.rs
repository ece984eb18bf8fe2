//! Compares counts from stored and computed tables with counting by the rules.

use std::collections::BTreeMap;

use grundy_rules::{Game, Table};
use grundy_solvers::{Counted, Surveyor, solver};
use grundy_sweep::Control;
use grundy_testing::oracle::Oracle;

use crate::common::{Held, PLENTY, count_of, fill, plain, positions, tables_of, wanted};
use crate::fill::each_size;

fn count(
    solver: &dyn Surveyor,
    table: &Table,
    stored: Option<&Held>,
    control: &Control,
) -> Option<Counted> {
    solver.count(count_of(table, stored, control)).unwrap()
}

/// Counts how often each value, or each class (by its index in L, R, N, P), occurs in the table.
fn tally(table: &Table, oracle: &mut Oracle) -> Vec<u64> {
    let (game, max_pile) = (table.game(), table.max_pile());
    let mut tally = Vec::new();
    for position in positions(game, max_pile, table.length(), max_pile) {
        let cell = oracle.cell(&position) as usize;
        tally.resize(tally.len().max(cell + 1), 0);
        tally[cell] += 1;
    }
    tally
}

fn agrees(table: &Table, counted: &Counted, oracle: &mut Oracle) {
    let (game, max_pile, length) = (table.game(), table.max_pile(), table.length());
    let expected = tally(table, oracle);
    match counted {
        Counted::Values(counts) => {
            assert_eq!(counts.values, expected, "{table}");
            assert_eq!(counts.positions(), table.positions(), "{table}");
            assert_eq!(counts.maximum() as usize, expected.len() - 1, "{table}");
            let first = counts.first_maximum.as_ref().unwrap();
            assert_eq!(oracle.cell(first), counts.maximum(), "{table} {first}");
            let key = |coins: u64, piles: &[u32]| (coins, piles.to_vec());
            let is_before = |other: &grundy_rules::Position| {
                key(other.coins(), other.piles()) < key(first.coins(), first.piles())
            };
            let mut earlier = positions(game, max_pile, length, max_pile);
            earlier.retain(is_before);
            let none = earlier.iter().all(|other| oracle.cell(other) < counts.maximum());
            assert!(none, "{table}: {first} is not the first");
        }
        Counted::Classes(lengths) => {
            let mut found = BTreeMap::new();
            for (length, classes) in lengths {
                let shorter = Table::new(game, max_pile, *length).unwrap();
                let mut expected = tally(&shorter, oracle);
                expected.resize(4, 0);
                assert_eq!(classes.to_vec(), expected, "{shorter}");
                found.insert(*length, classes.iter().sum::<u64>());
            }
            assert_eq!(found.get(&length), Some(&table.positions()), "{table}");
        }
        Counted::Records { counts, exceptions } => {
            assert!(exceptions);
            let mut value = |pile, k| oracle.cell(&grundy_rules::Position::after(vec![pile], k));
            let mut all = 0;
            let mut most = (0, 0);
            let mut often: BTreeMap<u32, (u32, u32)> = BTreeMap::from([(0, (1, 0))]);
            for pile in 1..=max_pile {
                let g = value(pile, 0);
                let exceptional = (1..=pile).filter(|&k| value(pile, k) != g).count() as u32;
                all += u64::from(exceptional);
                if exceptional > most.0 {
                    most = (exceptional, pile);
                }
                let entry = often.entry(g).or_insert((0, pile));
                entry.0 += 1;
            }
            assert_eq!(counts.rows, u64::from(max_pile), "{table}");
            assert_eq!((counts.exceptions, counts.most_exceptions), (all, most), "{table}");
            let found = (0..).zip(counts.values.iter().copied());
            assert!(found.filter(|(_, (count, _))| *count > 0).eq(often), "{table}");
        }
        Counted::Sets { counts, first_maximum } => {
            assert_eq!(counts.total(), expected, "{table}");
            for (largest, counts) in counts.piles.iter().enumerate() {
                let of_pile = positions(game, max_pile, length, 0);
                let of_pile = of_pile.iter().filter(|p| p.max_pile() as usize == largest);
                assert_eq!(counts.iter().sum::<u64>(), of_pile.count() as u64, "{table}");
            }
            let first = first_maximum.as_ref().unwrap();
            assert_eq!(oracle.cell(first) as usize, expected.len() - 1, "{table} {first}");
            let number = table.number(first).unwrap();
            let earlier = (0..number).filter_map(|number| table.position(number));
            let is_less =
                |other: grundy_rules::Position| (oracle.cell(&other) as usize) < expected.len() - 1;
            assert!(earlier.into_iter().all(is_less), "{table}: {first} is not the first");
        }
    }
}

#[test]
fn stored_and_computed_counts_are_those_of_the_rules() {
    each_size(|game, max_pile, longest| {
        let shelf = tables_of(game, max_pile, longest).unwrap();
        let mut oracle = Oracle::new(game);
        for held in &shelf.0 {
            for stored in [None, Some(held)] {
                let control = Control::new();
                let counted = count(solver(game), &held.table, stored, &control).unwrap();
                agrees(&held.table, &counted, &mut oracle);
                // Computed counts and counts of thresholds read no stored cells.
                if stored.is_some() && !game.has_thresholds() {
                    assert_eq!(control.done(), held.table.cells(), "{}", held.table);
                }
            }
        }
    });
}

#[test]
fn a_count_that_is_stopped_reads_no_further() {
    for game in Game::all().chain(Game::all().map(plain)) {
        let shelf = fill(solver(game), game, &wanted(4, 3), &PLENTY);
        for held in &shelf.0 {
            for stored in [None, Some(held)] {
                let stopped = Control::new();
                stopped.stop();
                let counted = count(solver(game), &held.table, stored, &stopped);
                let all = held.table.positions();
                assert!(counted.is_none_or(|counted| counted.positions() <= all), "{}", held.table);
                // The frame has five tiles.
                let frame = 5 * held.table.tile_cells() as u64;
                assert!(stopped.done() <= frame, "{}: {}", held.table, stopped.done());
            }
        }
    }
}
