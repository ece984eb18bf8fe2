//! Compares tables, packed tables and searches of long global nim with the reference.

use std::collections::BTreeSet;

use grundy_kernels::Isa;
use grundy_kernels::cells::{cell_value, cell_values};
use grundy_kernels::subsets::{
    Block, MAX_PILE, Search, SearchError, SetRowValues, SubsetTables, most_moves,
};
use grundy_rules::games::LONG_GLOBAL_NIM;
use grundy_rules::reference::Reference;
use grundy_rules::{MoveSet, Position};

use crate::random::Random;

fn by_rules(reference: &mut Reference, piles: &[u32], set: &BTreeSet<u32>) -> u8 {
    let runs = set.iter().map(|&taken| (taken, taken)).collect();
    let set = MoveSet::of_runs(runs).unwrap();
    reference.value(&Position::with_available(piles.to_vec(), &set)) as u8
}

fn reference() -> Reference {
    Reference::new(LONG_GLOBAL_NIM)
}

fn members(mask: u64) -> BTreeSet<u32> {
    (1..=64).filter(|s| mask >> (s - 1) & 1 == 1).collect()
}

/// Returns the tables of all levels up to `max`. Fills the last levels in pieces and out of order.
fn tables(isa: Isa, max: u32) -> SubsetTables {
    let mut tables = SubsetTables::new(isa);
    tables.extend(max - 3).unwrap();
    while tables.max_pile() < max {
        let mut level = tables.next_level().unwrap();
        let n = level.n();
        let grain = SubsetTables::grain(n);
        let pieces: Vec<(usize, &mut [Block])> =
            level.blocks_mut().chunks_mut(3 * grain).enumerate().collect();
        for (at, piece) in pieces.into_iter().rev() {
            tables.fill(n, 3 * grain * at, piece);
        }
        tables.push(level);
    }
    tables
}

fn all(max: u32) -> Vec<SubsetTables> {
    Isa::available().map(|isa| tables(isa, max)).collect()
}

#[test]
fn levels_follow_from_those_below() {
    for tables in all(20) {
        for n in 1..=20u32 {
            for set in 0..1u64 << n {
                let mut seen = 0u32;
                for s in 1..=n {
                    if set >> (s - 1) & 1 == 1 {
                        seen |= 1 << tables.value(n - s, set & !(1 << (s - 1)));
                    }
                }
                assert_eq!(u32::from(tables.value(n, set)), seen.trailing_ones());
            }
        }
    }
}

/// All instruction sets agree, even for the values 6 and 7, which only larger piles have.
#[test]
fn instruction_sets_agree() {
    let mut tables: Vec<SubsetTables> = Isa::available().map(SubsetTables::new).collect();
    for one in &mut tables {
        one.extend(28).unwrap();
    }
    for n in 0..=28 {
        assert!(tables.iter().all(|one| one.level(n) == tables[0].level(n)), "level {n}");
    }
    let mut random = Random(2);
    for _ in 0..200_000 {
        let n = 25 + (random.number() % 4) as u32;
        let set = random.number() & ((1 << n) - 1) | 0b111_1111 & random.number();
        let seen = (1..=n)
            .filter(|s| set >> (s - 1) & 1 == 1)
            .fold(0u32, |seen, s| seen | 1 << tables[0].value(n - s, set & !(1 << (s - 1))));
        assert_eq!(u32::from(tables[0].value(n, set)), seen.trailing_ones(), "[{n}, {set:b}]");
    }
    // Compare with conjecture 34.
    for (n, value) in [(20, 5), (21, 6), (27, 6), (28, 7)] {
        assert_eq!(tables[0].value(n, (1 << n) - 1), value);
    }
}

#[test]
fn bounds_and_errors() {
    assert_eq!(SubsetTables::new(Isa::best()).extend(MAX_PILE + 1).unwrap_err().0, MAX_PILE + 1);
    assert_eq!((MAX_PILE, most_moves(35, u64::MAX), most_moves(36, u64::MAX)), (35, 7, 8));
    // The value of a set takes 3 bits. Each level below 9 takes one block.
    assert_eq!(SubsetTables::bytes(32), 3 * ((1 << 33) - (1 << 9)) / 8 + 9 * 192);
}

#[test]
fn packed_levels() {
    for isa in Isa::available() {
        let all = tables(isa, 20);
        for max in [0, 1, 2, 3, 4, 6, 9, 13, 19] {
            // Fill all levels except the last.
            let mut below = SubsetTables::new(isa);
            below.extend(max).unwrap();
            let cells = 1usize << (max + 2).saturating_sub(4);
            let mut packed = vec![0xAA; 4 * cells];
            let run = 4 * (1 << 11);
            let mut scratch = Vec::new();
            for (at, piece) in
                packed.chunks_mut(run).enumerate().collect::<Vec<_>>().into_iter().rev()
            {
                below.pack_cells((at * run / 4) as u64, piece, &mut scratch);
            }
            let cells: Vec<u32> =
                packed.as_chunks::<4>().0.iter().map(|&cell| u32::from_le_bytes(cell)).collect();
            for n in 0..=max + 1 {
                for set in 0..1u64 << n {
                    let number = (1 << n) + if n == 0 { 0 } else { set.reverse_bits() >> (64 - n) };
                    let (cell, within) = (cells[(number >> 4) as usize], (number & 15) as u32);
                    let value = cell_value(cell, within);
                    assert_eq!(value, all.value(n, set), "[{n}, {set:b}]");
                    assert_eq!(cell_values(cell)[within as usize], value);
                }
            }
            assert_eq!(cell_value(cells[0], 0), 0);
        }
    }
}

fn multisets(k: u32, max: u32) -> Vec<Vec<u32>> {
    // The order is colex, which compares the largest piles first.
    if k == 0 {
        return vec![vec![]];
    }
    (0..=max)
        .flat_map(|largest| {
            multisets(k - 1, largest).into_iter().map(move |mut rest| {
                rest.push(largest);
                rest
            })
        })
        .collect()
}

#[test]
fn every_position_of_few_piles() {
    for (k, max) in [(1, 9), (2, 6), (3, 5), (4, 3)] {
        let all: Vec<SetRowValues> =
            Isa::available().map(|isa| SetRowValues::new(isa, k, max, 1 << 20).unwrap()).collect();
        let mut memo = reference();
        let mut search = Search::new(1 << 24);
        for piles in multisets(k, max) {
            let largest = *piles.last().unwrap();
            for set in 0..1u64 << largest {
                let value = by_rules(&mut memo, &piles, &members(set));
                let backwards: Vec<u32> = piles.iter().rev().copied().collect();
                for table in &all {
                    assert_eq!(table.value(&backwards, set), Some(value), "{piles:?} {set:b}");
                    assert_eq!(table.value(&piles, set | 1 << largest), Some(value));
                    assert_eq!(table.sets(&piles).map(|sets| sets[set as usize]), Some(value));
                }
                let found = search.value(&backwards, members(set), &mut |_| false);
                assert_eq!(found, Ok(value), "{piles:?} {set:b}");
            }
        }
    }
}

#[test]
fn tables_of_several_piles_and_searches_agree() {
    for isa in Isa::available() {
        let mut random = Random(3);
        let mut search = Search::new(1 << 28);
        for (k, max) in [(2, 14), (3, 10), (4, 8)] {
            let table = SetRowValues::new(isa, k, max, 1 << 24).unwrap();
            for _ in 0..500 {
                let piles: Vec<u32> =
                    (0..k).map(|_| (random.number() % u64::from(max + 1)) as u32).collect();
                let set = random.number() & ((1 << max) - 1);
                let found = search.value(&piles, members(set), &mut |_| false).unwrap();
                assert_eq!(table.value(&piles, set), Some(found), "{piles:?} {set:b}");
            }
        }
    }
}

#[test]
fn searches_of_one_pile_at_random() {
    let tables = &all(26)[0];
    let mut random = Random(4);
    let mut search = Search::new(1 << 28);
    for _ in 0..20_000 {
        let n = (random.number() % 27) as u32;
        let set = random.number() & ((1 << n) - 1);
        let found = search.value(&[n], members(set), &mut |_| false);
        assert_eq!(found, Ok(tables.value(n, set)), "[{n}, {set:b}]");
    }
    // For sets that take more than one word, compare the search with the rules.
    for _ in 0..300 {
        let n = 60 + (random.number() % 100) as u32;
        let set: BTreeSet<u32> = (0..9).map(|_| 1 + (random.number() % 90) as u32).collect();
        let value = by_rules(&mut reference(), &[n], &set);
        assert_eq!(
            search.value(&[n], set.iter().copied(), &mut |_| false),
            Ok(value),
            "{n} {set:?}"
        );
    }
    for _ in 0..100 {
        let piles: Vec<u32> = (0..3).map(|_| 40 + (random.number() % 60) as u32).collect();
        let set: BTreeSet<u32> = (0..6).map(|_| 1 + (random.number() % 90) as u32).collect();
        let value = by_rules(&mut reference(), &piles, &set);
        let found = search.value(&piles, set.iter().copied(), &mut |_| false);
        assert_eq!(found, Ok(value), "{piles:?} {set:?}");
    }
}

#[test]
fn a_search_stops() {
    let mut search = Search::new(1 << 17);
    let large = &[25, 30, 35][..];
    let full = search.value(large, 1..=35, &mut |_| false).unwrap_err();
    assert!(matches!(full, SearchError::Memory { .. }), "{full}");
    assert!(search.bytes() <= 1 << 17 && search.states() > 1000);
    // A full memo does not prevent the next search.
    assert_eq!(search.value(&[8], [1, 3, 4], &mut |_| false), Ok(1));
    let mut search = Search::new(1 << 30);
    let mut calls = 0;
    let stopped = search.value(large, 1..=35, &mut |_| {
        calls += 1;
        calls == 5
    });
    assert!(matches!(stopped, Err(SearchError::Stopped { .. })));
    assert_eq!(calls, 5);
    assert!(search.value(&[u32::MAX; 2], 1..=u32::MAX, &mut |_| false).is_err());
    // The limits of piles and coins ignore coins that no move can take.
    assert_eq!(search.value(&[u32::MAX], [1, 3, 4], &mut |_| false), Ok(1));
    assert_eq!(search.value(&[8; 40], [9, 10], &mut |_| false), Ok(0));
    assert_eq!(search.value(&[1_000_000, 2, 2, 2], [4, 5], &mut |_| false), Ok(0));
    assert_eq!(search.value(&[0; 40], [1], &mut |_| false), Ok(0));
}
