//! Cuts a sequence of pieces into shares of nearly equal cost.
//!
//! ```text
//! pieces    k4 ▕▏▏▏▏▏▏▏   k5 ▕████▕████▕████▕████▕████   a check ▕███████████
//! shares    0 ─────────────────────╯╰── 1 ─────────────╯  ╰── 2 ─────────────
//! ```
//!
//! Parts of one piece have equal costs; parts of different pieces may not. If a share of a piece
//! begins with work of its own, its parts come in grains, which take at least as long. The cut
//! depends only on the pieces, and is computed in whole numbers, so every node computes the same.

use std::ops::Range;

use super::Piece;

/// The maximum number of tasks in a plan. Schedulers accept fewer tasks than this.
pub const MOST_TASKS: u64 = 1_000_000;

impl Piece {
    /// Returns the approximate seconds of a share of so many parts.
    pub fn seconds_of(&self, parts: u64) -> f64 {
        self.begin + self.inside() * parts as f64 / self.parts.max(1) as f64
    }

    /// Returns the seconds of all parts, without the beginning.
    fn inside(&self) -> f64 {
        (self.seconds - self.begin).max(0.0)
    }

    /// Returns the number of parts that a share takes together, so that they take no less time than
    /// the beginning. So a division at most doubles the work.
    fn grain(&self) -> u64 {
        // The conversion replaces NaN by 0, and limits large numbers.
        let grain = (self.begin * self.parts as f64 / self.inside()).ceil() as u64;
        grain.clamp(1, self.parts.max(1))
    }

    /// Returns the cost of one part in picoseconds. Whole numbers give the same cut on every
    /// machine. The minimum prevents a million small parts from becoming one task.
    fn unit(&self) -> u128 {
        const LEAST: f64 = 1e6;
        // The maximum for all parts together, which prevents overflow below.
        const MOST: f64 = 1e30;
        let all = self.inside() * 1e12;
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
    let grains = |piece: &Piece| {
        let grain = piece.grain();
        (piece.parts.div_ceil(grain), u128::from(grain) * piece.unit(), grain)
    };
    let cost = |piece: &Piece| {
        let (grains, unit, _) = grains(piece);
        u128::from(grains) * unit
    };
    let total: u128 = pieces.iter().map(cost).sum();
    let mut shares: Vec<Vec<Parts>> = Vec::new();
    let mut last = None;
    let mut before = 0u128;
    for (number, piece) in pieces.iter().enumerate() {
        let (grains, unit, grain) = grains(piece);
        // A grain belongs to the share that contains its middle. Costs are doubled to avoid halves.
        let share_of =
            |at: u64| (2 * (before + u128::from(at) * unit) + unit) * tasks / (2 * total);
        let mut at = 0;
        while at < grains {
            let share = share_of(at);
            // Find the next grain whose middle is in a later share.
            let border = ((share + 1) * 2 * total).div_ceil(tasks);
            let next = border.saturating_sub(2 * before + unit).div_ceil(2 * unit);
            let end = u64::try_from(next).unwrap_or(u64::MAX).min(grains);
            let parts = at * grain..(end * grain).min(piece.parts);
            match shares.last_mut() {
                Some(begun) if last == Some(share) => begun.push((number, parts)),
                _ => shares.push(vec![(number, parts)]),
            }
            last = Some(share);
            at = end;
        }
        before += u128::from(grains) * unit;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn piece(parts: u64, seconds: f64) -> Piece {
        Piece { name: "a table".to_owned(), parts, seconds, begin: 0.0, memory: 0 }
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
        /// Every part occurs once, in order. No share is empty. A share takes whole grains, which
        /// take no less time than the beginning. No share exceeds an equal share by more than a
        /// grain.
        #[test]
        fn shares_are_all_parts_once(
            pieces in prop::collection::vec((0u64..50, 0.0f64..100.0, -1.0f64..1.2), 0..8),
            tasks in 1u64..70,
        ) {
            let begun = |(n, s, part): (u64, f64, f64)| Piece { begin: part.max(0.0) * s, ..piece(n, s) };
            let pieces: Vec<Piece> = pieces.into_iter().map(begun).collect();
            let shares = cut(&pieces, tasks);
            let all: Vec<(usize, u64)> = pieces.iter().enumerate()
                .flat_map(|(number, piece)| (0..piece.parts).map(move |part| (number, part)))
                .collect();
            let covered: Vec<(usize, u64)> = shares.iter().flatten()
                .flat_map(|(number, parts)| parts.clone().map(move |part| (*number, part)))
                .collect();
            prop_assert_eq!(covered, all);
            prop_assert!(shares.len() as u64 <= tasks);
            for (number, parts) in shares.iter().flatten() {
                let grain = pieces[*number].grain();
                prop_assert!(parts.start % grain == 0);
                prop_assert!(parts.end % grain == 0 || parts.end == pieces[*number].parts);
                let alone = pieces[*number].seconds_of(grain) / 2.0;
                prop_assert!(grain == pieces[*number].parts || pieces[*number].begin <= alone * 1.001);
            }
            let unit = |number: usize| pieces[number].unit() as f64;
            let cost = |share: &Vec<Parts>| -> f64 {
                share.iter().map(|(n, parts)| (parts.end - parts.start) as f64 * unit(*n)).sum()
            };
            let grains = |piece: &Piece| piece.parts.div_ceil(piece.grain()) * piece.grain();
            let whole = |piece: &Piece| grains(piece) as f64 * piece.unit() as f64;
            let total: f64 = pieces.iter().map(whole).sum();
            for share in &shares {
                prop_assert!(!share.is_empty());
                let longest = |(n, _): &Parts| unit(*n) * pieces[*n].grain() as f64;
                let longest = share.iter().map(longest).fold(0.0, f64::max);
                prop_assert!(cost(share) <= total / tasks as f64 + longest * 1.001);
            }
        }
    }
}
