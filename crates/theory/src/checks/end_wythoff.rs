//! The growth of the differences in End-Wythoff (A. S. Fraenkel and E. Reisner, 2009).
//!
//! For every word w of one or more piles and every a >= 1 there is exactly one b >= 0 (0 means no
//! pile) such that a·w·b is a P-position. This b is at most 2a + 1; docs/PROOFS.md has a proof.

use grundy_rules::{Pile, games};

use crate::job::{Examination, Job};

/// Returns the lost cells (a, b) of the rows 0 to `to`, if the cells (0, r) and (l, 0) are lost. In
/// each other row, the lost cell is the first cell that has no lost cell above it in its column or
/// on its diagonal.
fn lost(r: usize, l: usize, to: usize) -> Vec<(usize, usize)> {
    let size = 2 * to + r + 4;
    let (mut columns, mut diagonals) = (vec![false; size], vec![false; size + to]);
    let row = |a: usize| {
        let is_free = |&b: &usize| !columns[b] && !diagonals[to + b - a];
        let b = match a {
            0 => r,
            a if a == l => 0,
            _ => (1..).find(is_free).unwrap_or(0),
        };
        (columns[b], diagonals[to + b - a]) = (true, true);
        (a, b)
    };
    (0..=to).map(row).collect()
}

pub(crate) fn growth(job: &Job<'_>) -> Examination {
    Examination::by(|tally| {
        job.stored.computed();
        let numbers = 1..=24;
        for (r, l) in numbers.clone().flat_map(|r| numbers.clone().map(move |l| (r, l))) {
            job.control.check()?;
            tally.checked += 1;
            let lost = lost(r, l, 4 * r + 99);
            let above: Vec<_> = lost.into_iter().filter(|&(a, b)| b > a && a > 0).collect();
            let mut steps = above.windows(2).map(|pair| (pair[0], pair[1]));
            let wrong = steps.find(|&((a, b), (c, d))| c > 3 * r + 27 && d + a != c + b + 1);
            if let Some(((a, b), (c, d))) = wrong {
                tally.fail(games::END_WYTHOFF, &[r as Pile, l as Pile], None, || {
                    format!("for this r and l, the cell {a}, {b} is followed by {c}, {d}")
                });
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use grundy_rules::Position;
    use grundy_rules::reference::Reference;

    use super::*;

    /// Two of the P-positions around a word determine all others.
    #[test]
    fn two_numbers_determine_the_lost_positions() {
        let mut reference = Reference::new(games::END_WYTHOFF);
        for word in [&[1][..], &[3], &[1, 2], &[2, 2], &[4, 1], &[1, 3, 1], &[2, 1, 3]] {
            let mut is_lost = |a: usize, b: usize| {
                let end = |pile: usize| (pile > 0).then_some(pile as Pile);
                let row: Vec<Pile> =
                    end(a).into_iter().chain(word.to_vec()).chain(end(b)).collect();
                reference.value(&Position::row(&row)) == 0
            };
            let r = (0..).find(|&b| is_lost(0, b)).unwrap();
            let l = (0..).find(|&a| is_lost(a, 0)).unwrap();
            for (a, b) in lost(r, l, 12) {
                assert!(is_lost(a, b), "{word:?}: {a}, {b}");
            }
        }
    }
}
