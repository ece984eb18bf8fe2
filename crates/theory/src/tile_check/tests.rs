//! Tests that the fold and the slow form find the same failures in tiles with any values.

use super::*;
use crate::testing::{count, iff, noise};
use grundy_rules::games;

/// The largest pile and the middle of each tile; `None` for single piles.
const MIDDLES: [(Pile, Option<&[Pile]>); 13] = [
    (5, None),
    (5, Some(&[])),
    (5, Some(&[2])),
    (5, Some(&[3, 1])),
    (5, Some(&[4, 4])),
    (64, Some(&[64])),
    (70, None),
    (70, Some(&[])),
    (70, Some(&[66])),
    (70, Some(&[64, 65])),
    (70, Some(&[64, 64])),
    (130, Some(&[129])),
    (130, Some(&[])),
];

/// Returns random values below a bound for a tile.
fn values(n: Pile, middle: Option<&[Pile]>, below: u32, seed: u64) -> Vec<u16> {
    let mut next = noise(seed);
    let rows = if middle.is_some() { n } else { 1 };
    (0..rows * n).map(|_| next(below) as u16).collect()
}

fn tile<'a>(n: Pile, middle: Option<&'a [Pile]>, values: &'a [u16]) -> Tile<'a, u16> {
    let (length, rows) = middle.map_or((1, 1), |middle| (middle.len() + 2, n as usize));
    Tile { length, middle: middle.unwrap_or_default(), rows, values }
}

/// Returns the words of a tile with their values. If the tile also represents the reversed words,
/// returns those too.
fn words(n: Pile, middle: Option<&[Pile]>, values: &[u16]) -> Vec<(Vec<Pile>, u32)> {
    let mut words = Vec::new();
    for (at, &value) in (0..).zip(values) {
        let (a, b) = (at / n + 1, at % n + 1);
        match middle {
            None => words.push((vec![b], value.into())),
            Some(middle) => {
                let word = [&[a], middle, &[b]].concat();
                let reversed: Vec<Pile> = word.iter().rev().copied().collect();
                words.push((word, value.into()));
                if !middle.iter().eq(middle.iter().rev()) {
                    words.push((reversed, value.into()));
                }
            }
        }
    }
    words
}

/// Checks several statements about single values in one fold. Each statement must have as many
/// failures as its slow form, and the same least counterexample.
#[test]
fn fast_and_slow_forms_have_the_same_counts() {
    let theorem_2 = Claim::find("an.thm2").unwrap()[0];
    let Rule::Positions(theorem_2) = theorem_2.rule else { unreachable!() };
    let ends = |piles: &[Pile]| {
        piles[0] == piles[piles.len() - 1] && piles.iter().sum::<Pile>().is_multiple_of(3)
    };
    let near = |value, distance| Statement::Near { value, distance };
    let band =
        |value, distance| Statement::Iff { value, holds: ends, shape: Shape::Band(distance) };
    let statements = [
        theorem_2(games::END_NIM),
        near(1, 0),
        near(0, 1),
        near(3, 2),
        near(1, 31),
        near(1, 32),
        near(1, 69),
        band(2, 0),
        band(0, 3),
        iff(1, |piles| piles[0] > piles[piles.len() - 1]),
        Statement::Formula(|piles| piles[0].min(piles[piles.len() - 1]) % 3),
        Statement::Bounded,
    ];
    for (at, (n, middle)) in MIDDLES.into_iter().enumerate() {
        for below in [4, 2 * n + 4] {
            let values = values(n, middle, below, at as u64 + 1);
            let all = statements.iter().copied().map(Some).collect();
            let check = TileCheck::of(games::END_NIM, Isa::Portable, all, false);
            let mut acc = Fold::<u16>::start(&check);
            check.tile(&mut acc, tile(n, middle, &values));
            for (number, (statement, tally)) in statements.iter().zip(acc.tallies).enumerate() {
                let words = words(n, middle, &values);
                let premise = match statement {
                    Statement::Near { value, .. } => {
                        words.iter().filter(|(_, v)| v == value).count()
                    }
                    _ => 0,
                };
                let at = format!("{number}, {n}, {middle:?}");
                assert_eq!(tally.premise, premise as u64, "{at}");
                let wrong = words.into_iter().map(|(word, value)| {
                    let wrong = statement.allows(&word, value) == Some(false);
                    (word, wrong)
                });
                let found = (tally.checked, tally.failures, tally.first.map(|first| first.piles));
                assert_eq!(found, count(wrong), "{at}");
            }
        }
    }
}

/// Repeated values of any size are found in a row, or in a column if the column is a row of the
/// reversed middle.
#[test]
fn repeats_are_counted_cell_by_cell() {
    for (at, (n, middle)) in MIDDLES.into_iter().enumerate() {
        for factor in [1, 257, 13_000] {
            let mut values = values(n, middle, 5, at as u64 + 1);
            values.iter_mut().for_each(|value| *value *= factor);
            // All values differ, except in the first five columns.
            let next = (1..60_000).filter(|value| value % factor != 0 || *value > 4 * factor);
            for (at, value) in next.enumerate().take(values.len()) {
                if at % n as usize > 4 {
                    values[at] = value;
                }
            }
            let check = TileCheck::of(
                games::END_NIM,
                Isa::Portable,
                vec![Some(Statement::Injective)],
                false,
            );
            let mut acc = Fold::<u16>::start(&check);
            check.tile(&mut acc, tile(n, middle, &values));
            let value = |a: usize, b: usize| values[a * n as usize + b];
            let rows = values.len() / n as usize;
            let mut wrong = Vec::new();
            for (a, b) in (0..rows).flat_map(|a| (0..n as usize).map(move |b| (a, b))) {
                let word = match middle {
                    None => vec![b as Pile + 1],
                    Some(middle) => [&[a as Pile + 1], middle, &[b as Pile + 1]].concat(),
                };
                let both = middle.is_some_and(|middle| !middle.iter().eq(middle.iter().rev()));
                if both {
                    let reversed = word.iter().rev().copied().collect();
                    wrong.push((reversed, (0..a).any(|above| value(above, b) == value(a, b))));
                }
                wrong.push((word, (0..b).any(|before| value(a, before) == value(a, b))));
            }
            let tally = &acc.tallies[0];
            let first = tally.first.as_ref().map(|first| first.piles.clone());
            let found = (tally.checked, tally.failures, first);
            assert_eq!(found, count(wrong), "{n}, {middle:?}, {factor}");
        }
    }
}

#[test]
fn zeros_are_counted_word_by_word() {
    for (at, (n, middle)) in MIDDLES.into_iter().enumerate() {
        let values = values(n, middle, 3, at as u64 + 1);
        // Zeros are counted even if no statement is about the value 0.
        let statements = [iff(2, |_| true), iff(1, |_| false)].map(Some).into();
        let check = TileCheck::of(games::END_NIM, Isa::best(), statements, true);
        let mut acc = Fold::<u16>::start(&check);
        check.tile(&mut acc, tile(n, middle, &values));
        check.tile(&mut acc, tile(n, middle, &values));
        let mut expected = vec![0; n as usize + 1];
        for (word, value) in words(n, middle, &values) {
            expected[*word.iter().max().unwrap() as usize] += 2 * u64::from(value == 0);
        }
        assert_eq!(acc.zeros, expected, "{n}, {middle:?}");
    }
}

#[test]
fn counterexamples_name_the_value() {
    let wrong = |statement: &Statement, value| {
        let check = TileCheck::of(games::END_NIM, Isa::Portable, vec![Some(*statement)], false);
        let mut acc = Fold::<u16>::start(&check);
        let mut values = [9; 9];
        values[2] = value;
        check.tile(&mut acc, tile(3, Some(&[1]), &values));
        let failures = acc.tallies[0].failures;
        (failures, complaint(statement, &[1, 1, 3], value.into()))
    };
    let said = |count, text: &str| (count, text.to_owned());
    let never = iff(4, |_| false);
    assert_eq!(wrong(&never, 4), said(1, "value 4, which the claim excludes"));
    let always = iff(9, |_| true);
    assert_eq!(wrong(&always, 4), said(1, "value 4, claimed 9"));
    let formula = Statement::Formula(|_| 9);
    assert_eq!(wrong(&formula, 4), said(1, "value 4, claimed 9"));
    let near = Statement::Near { value: 4, distance: 1 };
    assert_eq!(wrong(&near, 4), said(1, "value 4, though the ends differ by more than 1"));
    let bounded = wrong(&Statement::Bounded, 4);
    // Every cell of value 9 is too large.
    assert_eq!(bounded, said(8, "value 4, more than the sum of the ends"));
    assert_eq!(wrong(&Statement::Bounded, 5), said(9, "value 5, more than the sum of the ends"));
    let injective = wrong(&Statement::Injective, 4);
    assert_eq!(injective, said(5, "value 4 also occurs earlier in the row"));
}
