//! The fillers of short global nim against the definition and the reference.

use std::convert::Infallible;

use grundy_kernels::last_move::{LastMoves, Rectangle};
use grundy_kernels::records::{Records, value};
use grundy_rules::{Multisets, Position, mex};
use grundy_rules::{games, reference::Reference};

/// Every *(n, k), n <= last, by definition: the mex of *(n - j, j) over j other than k.
fn dense(last: usize) -> Vec<Vec<u32>> {
    let mut rows: Vec<Vec<u32>> = vec![vec![0]];
    for n in 1..=last {
        let option = |j: usize| {
            let row: &Vec<u32> = &rows[n - j];
            *row.get(j).unwrap_or(&row[0])
        };
        let options: Vec<u32> = (1..=n).map(option).collect();
        // Only a value that occurs once can make a difference.
        let mut count = vec![0; n + 2];
        options.iter().for_each(|&v| count[v as usize] += 1);
        let g = mex(options.iter().copied());
        let row = (0..=n).map(|k| match k {
            0 => g,
            _ if count[options[k - 1] as usize] > 1 => g,
            _ => mex((1..=n).filter(|&j| j != k).map(|j| options[j - 1])),
        });
        let row = row.collect();
        rows.push(row);
    }
    rows
}

fn compare_with_the_definition(last: u32) {
    let expected = dense(last as usize);
    let mut records = Records::new(last);
    let mut rows: Vec<(u32, Vec<u32>)> = vec![(0, Vec::new())];
    for n in 1..=last {
        let row = records.next_row();
        assert!(row.exceptions.is_sorted_by_key(|exception| exception.remaining));
        for exception in row.exceptions {
            let k = n - exception.remaining;
            assert_eq!(exception.value, expected[n as usize][k as usize], "*({n},{k})");
            assert!(exception.value < row.value);
        }
        let stored = (row.value, row.exceptions.iter().map(|e| e.remaining).collect());
        rows.push(stored);
        for k in 0..=n + 2 {
            let read = |pile: u32, k: u32| -> Result<(u32, bool), Infallible> {
                let (g, left) = &rows[pile as usize];
                Ok((*g, k <= pile && left.contains(&(pile - k))))
            };
            let found = value(n, k, read).unwrap();
            let row = &expected[n as usize];
            assert_eq!(found, *row.get(k as usize).unwrap_or(&row[0]), "*({n},{k})");
        }
    }
}

#[test]
fn one_pile_by_definition() {
    compare_with_the_definition(1500);
}

#[test]
#[ignore = "every cell up to 6000; `make test-long` runs it"]
fn one_pile_by_definition_further() {
    compare_with_the_definition(6000);
}

/// The naive table is itself what the rules say.
#[test]
fn the_definition_is_that_of_the_rules() {
    let rows = dense(40);
    let mut reference = Reference::new(games::SHORT_GLOBAL_NIM);
    for (n, row) in (1u32..).zip(&rows[1..]) {
        for (k, &value) in (0..).zip(row) {
            let position = Position::after(vec![n], k);
            assert_eq!(reference.value(&position), value, "{position}");
        }
    }
}

#[test]
fn known_values() {
    let mut records = Records::new(40);
    let g: Vec<u32> = (1..=40).map(|_| records.next_row().value).collect();
    assert_eq!(g[..9], [1, 1, 2, 3, 3, 2, 4, 5, 5]);
    assert_eq!(g[33..37], [16, 17, 18, 20]);
}

#[test]
fn a_run_goes_on_where_it_was_saved() {
    let last = 5000;
    let mut whole = Records::new(last);
    let rows: Vec<_> = (1..=last)
        .map(|_| {
            let row = whole.next_row();
            (row.value, row.exceptions.to_vec())
        })
        .collect();
    for at in [0, 1, 2, 777, 4999, 5000] {
        let mut records = Records::new(last);
        for _ in 0..at {
            records.next_row();
        }
        let mut bytes = Vec::new();
        records.save(&mut bytes).unwrap();
        let mut again = Records::load(&mut &bytes[..]).unwrap();
        assert_eq!(again.next(), at + 1);
        for expected in &rows[at as usize..] {
            let row = again.next_row();
            assert_eq!((row.value, row.exceptions.to_vec()), *expected, "row {}", row.pile);
        }
        for cut in [0, 3, bytes.len() / 2, bytes.len() - 1] {
            assert!(Records::load(&mut &bytes[..cut]).is_err());
        }
    }
}

#[test]
fn several_piles_have_reference_values() {
    for (n, longest) in [(1, 4), (2, 4), (14, 2), (7, 3), (4, 4)] {
        let mut reference = Reference::new(games::SHORT_GLOBAL_NIM);
        let mut level = LastMoves::empty(n);
        for length in 1..=longest {
            level = level.with_another_pile(|_| true).unwrap();
            let multisets = Multisets::new(n, length).unwrap();
            let mut piles = vec![1; length];
            for number in 0..multisets.count() {
                for (k, &value) in (0..).zip(level.row_at(number)) {
                    let position = Position::after(piles.clone(), k);
                    assert_eq!(u32::from(value), reference.value(&position), "{position}");
                }
                multisets.step(&mut piles);
            }
        }
    }
    assert_eq!(LastMoves::empty(9).with_another_pile(|_| false), None);
}

#[test]
fn rectangles_have_the_values_of_tables() {
    let mut level = LastMoves::empty(6);
    for length in 1..=3 {
        level = level.with_another_pile(|_| true).unwrap();
        let whole = Rectangle::new(&vec![6; length]).evaluate(|_| true).unwrap();
        let multisets = Multisets::new(6, length).unwrap();
        let mut piles = vec![1; length];
        for number in 0..multisets.count() {
            assert_eq!(whole.row(&piles), level.row_at(number), "{piles:?}");
            // The corner of a smaller one.
            let corner = Rectangle::new(&piles).evaluate(|_| true).unwrap();
            let row = corner.row(&piles);
            assert_eq!(*row, level.row_at(number)[..row.len()]);
            multisets.step(&mut piles);
        }
    }
    assert!(Rectangle::new(&[9, 9]).evaluate(|_| false).is_none());
    assert!(Rectangle::new(&[100_000; 4]).bytes() > 1e24);
}
