//! Cuts a sequence of pieces into shares of nearly equal cost.
//!
//! ```text
//! pieces    k4 ▕▏▏▏▏▏▏▏   k5 ▕████▕████▕████▕████▕████   a check ▕███████████
//! shares    0 ─────────────────────╯╰── 1 ─────────────╯  ╰── 2 ─────────────
//! ```
//!
//! Parts of one piece have equal costs; parts of different pieces may not. The cut depends only on
//! the pieces, and is computed in whole numbers, so every node computes the same cut.

use std::ops::Range;

use super::Piece;

/// The maximum number of tasks in a plan. Schedulers accept fewer tasks than this.
pub const MOST_TASKS: u64 = 1_000_000;

impl Piece {
    /// Returns the cost of one part in picoseconds. Whole numbers give the same cut on every
    /// machine. The minimum prevents a million small parts from becoming one task.
    fn unit(&self) -> u128 {
        const LEAST: f64 = 1e6;
        // The maximum for all parts together, which prevents overflow below.
        const MOST: f64 = 1e30;
        let all = self.seconds * 1e12;
        let each = all.clamp(0.0, MOST) / self.parts.max(1) as f64;
        // `max` also replaces NaN by the minimum.
        each.max(LEAST) as u128
    }
}

/// The index of a piece, and a range of its parts.
pub type Parts = (usize, Range<u64>);

/// Cuts pieces into at most `tasks` shares of nearly equal cost, and never into more than
/// [`MOST_TASKS`]. The shares contain each part of each piece once, in order. No share is empty.
pub fn cut(pieces: &[Piece], tasks: u64) -> Vec<Vec<Parts>> {
    let tasks = u128::from(tasks.clamp(1, MOST_TASKS));
    let total: u128 = pieces.iter().map(|piece| u128::from(piece.parts) * piece.unit()).sum();
    let mut shares: Vec<Vec<Parts>> = Vec::new();
    let mut last = None;
    let mut before = 0u128;
    for (number, piece) in pieces.iter().enumerate() {
        let unit = piece.unit();
        // A part belongs to the share that contains its middle. Costs are doubled to avoid halves.
        let share_of =
            |part: u64| (2 * (before + u128::from(part) * unit) + unit) * tasks / (2 * total);
        let mut part = 0;
        while part < piece.parts {
            let share = share_of(part);
            // Find the next part whose middle is in a later share.
            let border = ((share + 1) * 2 * total).div_ceil(tasks);
            let parts = border.saturating_sub(2 * before + unit).div_ceil(2 * unit);
            let end = u64::try_from(parts).unwrap_or(u64::MAX).min(piece.parts);
            match shares.last_mut() {
                Some(begun) if last == Some(share) => begun.push((number, part..end)),
                _ => shares.push(vec![(number, part..end)]),
            }
            last = Some(share);
            part = end;
        }
        before += u128::from(piece.parts) * unit;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn piece(parts: u64, seconds: f64) -> Piece {
        Piece { name: "a table".to_owned(), parts, seconds, memory: 0 }
    }

    #[test]
    fn pieces_without_cost_are_divided_too() {
        let shares = cut(&[piece(10, 0.0), piece(10, f64::NAN)], 4);
        let sizes: Vec<u64> = shares
            .iter()
            .map(|share| share.iter().map(|(_, parts)| parts.end - parts.start).sum())
            .collect();
        assert_eq!(sizes, [5, 5, 5, 5]);
    }

    /// A part costs at least a millionth of a second, and all parts together at most 10^30
    /// picoseconds. The expected costs were calculated manually.
    #[test]
    fn a_part_costs_whole_picoseconds() {
        assert_eq!(piece(4, 10.0).unit(), 2_500_000_000_000);
        assert_eq!(piece(1, 1e-6).unit(), 1_000_000);
        assert_eq!(piece(1, 3e-6).unit(), 3_000_000);
        assert_eq!(piece(10, 5e-6).unit(), 1_000_000);
        assert_eq!(piece(0, 5.0).unit(), 5_000_000_000_000);
        for seconds in [0.0, -7.0, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(piece(3, seconds).unit(), 1_000_000);
        }
        assert_eq!(piece(1, f64::INFINITY).unit(), 1e30 as u128);
        assert_eq!(piece(2, 1e30).unit(), 5e29 as u128);
    }

    #[test]
    fn tasks_are_bounded() {
        assert_eq!(cut(&[piece(3_000_000, 3.0)], u64::MAX).len(), 1_000_000);
        assert_eq!(cut(&[piece(3, 3.0)], 0), vec![vec![(0, 0..3)]]);
        assert_eq!(
            cut(&[piece(3, 3.0)], 9),
            vec![vec![(0, 0..1)], vec![(0, 1..2)], vec![(0, 2..3)]]
        );
    }

    proptest! {
        /// Every part occurs once, in order. No share is empty. No share exceeds an equal share by
        /// more than a part.
        #[test]
        fn shares_are_all_parts_once(
            pieces in prop::collection::vec((0u64..50, 0.0f64..100.0), 0..8),
            tasks in 1u64..70,
        ) {
            let pieces: Vec<Piece> = pieces.into_iter().map(|(n, s)| piece(n, s)).collect();
            let shares = cut(&pieces, tasks);
            let all: Vec<(usize, u64)> = pieces.iter().enumerate()
                .flat_map(|(number, piece)| (0..piece.parts).map(move |part| (number, part)))
                .collect();
            let covered: Vec<(usize, u64)> = shares.iter().flatten()
                .flat_map(|(number, parts)| parts.clone().map(move |part| (*number, part)))
                .collect();
            prop_assert_eq!(covered, all);
            prop_assert!(shares.len() as u64 <= tasks);
            let unit = |number: usize| pieces[number].unit() as f64;
            let cost = |share: &Vec<Parts>| -> f64 {
                share.iter().map(|(n, parts)| (parts.end - parts.start) as f64 * unit(*n)).sum()
            };
            let total: f64 = shares.iter().map(cost).sum();
            for share in &shares {
                prop_assert!(!share.is_empty());
                let longest = share.iter().map(|(n, _)| unit(*n)).fold(0.0, f64::max);
                prop_assert!(cost(share) <= total / tasks as f64 + longest * 1.001);
            }
        }
    }
}
