//! Compares the fillers of short global nim with the definition and the reference.

use std::convert::Infallible;

use grundy_kernels::last_move::{LastMoves, Rectangle};
use grundy_kernels::records::{Records, value};
use grundy_rules::{Multisets, Position, games, mex, reference::Reference};

/// Computes all *(n, k) for n <= last by definition: the mex of *(n - j, j) over all j except k.
fn dense(last: usize) -> Vec<Vec<u32>> {
    let mut rows: Vec<Vec<u32>> = vec![vec![0]];
    for n in 1..=last {
        let option = |j: usize| {
            let row: &Vec<u32> = &rows[n - j];
            *row.get(j).unwrap_or(&row[0])
        };
        let options: Vec<u32> = (1..=n).map(option).collect();
        // Forbidding a move can matter only if its value occurs once.
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
fn one_pile_has_the_values_of_the_definition() {
    compare_with_the_definition(1500);
}

#[test]
#[ignore = "every cell up to 6000; `make test-long` runs it"]
fn one_large_pile_has_the_values_of_the_definition() {
    compare_with_the_definition(6000);
}

/// Compares the table that `dense` computes with values computed by the rules.
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
fn rectangles_have_the_values_of_tables() {
    let mut level = LastMoves::empty(6);
    for length in 1..=3 {
        level = level.with_another_pile(|_| true).unwrap();
        let whole = Rectangle::new(&vec![6; length]).evaluate(|_| true).unwrap();
        let multisets = Multisets::new(6, length).unwrap();
        let mut piles = vec![1; length];
        for number in 0..multisets.count() {
            assert_eq!(whole.row(&piles), level.row_at(number), "{piles:?}");
            // A smaller rectangle has the same values at its corner.
            let corner = Rectangle::new(&piles).evaluate(|_| true).unwrap();
            let row = corner.row(&piles);
            assert_eq!(*row, level.row_at(number)[..row.len()]);
            multisets.step(&mut piles);
        }
    }
    assert!(Rectangle::new(&[9, 9]).evaluate(|_| false).is_none());
    assert_eq!(LastMoves::empty(9).with_another_pile(|_| false), None);
    assert!(Rectangle::new(&[100_000; 4]).bytes() > 1e24);
}

/// All last moves of a pile are exceptional in this test. The value of the last move 0, or of a
/// last move above the pile, still comes from the pile's own row.
#[test]
fn a_value_is_read_from_as_few_rows_as_possible() {
    let calls = std::cell::RefCell::new(Vec::new());
    let row = |pile, k| -> Result<(u32, bool), Infallible> {
        calls.borrow_mut().push((pile, k));
        assert!(calls.borrow().len() < 9, "it goes on forever");
        Ok((10 * pile, true))
    };
    for (n, k, expected, rows) in [
        (5, 0, 50, &[(5, 0)][..]),
        (3, 4, 30, &[(3, 4)]),
        // The rows are 7, 5, 3 and 1. Row 1 is the last one, because 2 cannot be taken from 1.
        (7, 2, 10, &[(7, 2), (5, 2), (3, 2), (1, 2)]),
        (4, 4, 0, &[(4, 4)]),
        (0, 3, 0, &[]),
    ] {
        assert_eq!(value(n, k, row), Ok(expected), "{n} {k}");
        assert_eq!(calls.take(), rows, "{n} {k}");
    }
}
