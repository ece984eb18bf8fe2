//! Fills every position of a few small piles.
//!
//! The positions have k piles of at most N coins, p1 <= ... <= pk, some of them possibly empty.
//! With one more coin on each pile they are the [`Multisets`] of k piles up to N + 1. They have the
//! same numbers, in *colex* order (compare the largest piles first):
//!
//! ```text
//!   k = 2:   (0,0)  (0,1) (1,1)  (0,2) (1,2) (2,2)  (0,3) ...
//!             2^0     2 * 2^1         3 * 2^2        sets of moves within {1..pk}
//! ```
//!
//! Each position has a row of 2^pk bytes: the values for all sets S, in the order of their masks
//! (bit s-1 is move s). The number of a position does not depend on N. Rows with the same largest
//! pile have equal lengths and form a *layer*.
//!
//! **Options come first.** A move lowers one pile. After sorting, every p_i of the option is at
//! most the old p_i, and some p_i is less. At the last index where they differ, the option is
//! smaller, so it has the smaller number. Filling the rows in order computes options first.
//!
//! **A row at a time.** For a pile p and a move s <= p, the sets that contain s form runs of
//! 2^(s-1). The options of such a run are a run of the same length in one earlier row. For each
//! option the code sets bit `value` of the values seen. Each move removes a member of S, so no
//! value exceeds N, and a word of 32 bits has room for the values up to N = 31.

use std::ops::Range;

use grundy_rules::{Multisets, Pile};

use crate::Isa;
use crate::vector::{AnyVector, Present, Work};

/// The largest pile and the largest number of piles of a [`SetRowValues`].
const MOST: u32 = 31;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetRowsError {
    #[error("{piles} piles of {max_pile} coins: tables have 1 to {MOST} piles of up to {MOST}")]
    Size { piles: u32, max_pile: u32 },
    #[error("stopped")]
    Stopped,
    #[error("{piles} piles of {max_pile} coins need {bytes} bytes; the limit is {limit}")]
    Memory { piles: u32, max_pile: u32, bytes: u64, limit: u64 },
}

/// The values of all positions of up to k piles of at most N coins, with every S.
///
/// ```
/// use grundy_kernels::Isa;
/// use grundy_kernels::subsets::SetRowValues;
///
/// let table = SetRowValues::new(Isa::best(), 2, 8, 1 << 20)?;
/// assert_eq!(table.value(&[8], 0b1101), Some(1));
/// // Theorem 28: if n is odd and all piles are n, {1..n} is N, and {1..n-1} is P.
/// assert_ne!(table.value(&[5, 5], 0b11111), Some(0));
/// assert_eq!(table.value(&[5, 5], 0b01111), Some(0));
/// # Ok::<(), grundy_kernels::subsets::SetRowsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SetRowValues {
    /// The rows. A row has k piles of 1 to N + 1 coins: each pile of the position plus one coin.
    rows: Multisets,
    /// For each largest pile: the index in `values` at which its layer begins.
    layers: Vec<usize>,
    values: Vec<u8>,
}

impl SetRowValues {
    /// Fills the table.
    ///
    /// # Errors
    /// If k is 0, k or N is above 31, or the table takes more than `limit` bytes.
    ///
    /// # Panics
    /// If the machine lacks the instruction set.
    pub fn new(
        isa: Isa,
        piles: u32,
        max_pile: u32,
        limit: u64,
    ) -> Result<SetRowValues, SetRowsError> {
        SetRowValues::watched(isa, piles, max_pile, limit, &mut || true)
    }

    /// Fills the table as [`SetRowValues::new`] does. Calls `go_on` before each row.
    ///
    /// # Errors
    /// The same as for [`SetRowValues::new`], and an error if `go_on` returned false.
    ///
    /// # Panics
    /// If the machine lacks the instruction set.
    pub fn watched(
        isa: Isa,
        piles: u32,
        max_pile: u32,
        limit: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<SetRowValues, SetRowsError> {
        // Wider vectors would not be faster, because the runs are short.
        let isa = Present::new(isa).up_to_avx2();
        if piles == 0 || piles > MOST || max_pile > MOST {
            return Err(SetRowsError::Size { piles, max_pile });
        }
        let bytes = SetRowValues::bytes(piles, max_pile);
        let rows = rows(piles, max_pile);
        let (Some(rows), true, Ok(size)) = (rows, bytes <= limit, usize::try_from(bytes)) else {
            return Err(SetRowsError::Memory { piles, max_pile, bytes, limit });
        };
        let layers = layers(&rows).map(|(start, _)| start as usize).collect();
        let mut table = SetRowValues { rows, layers, values: vec![0; size] };
        if table.fill(isa, go_on) { Ok(table) } else { Err(SetRowsError::Stopped) }
    }

    /// Returns the bytes of a table, one for each position, or `u64::MAX` on overflow.
    pub fn bytes(piles: u32, max_pile: u32) -> u64 {
        let rows = rows(piles, max_pile);
        rows.and_then(|rows| layers(&rows).last()).map_or(u64::MAX, |(_, end)| end)
    }

    pub fn piles(&self) -> u32 {
        self.rows.length() as u32
    }

    pub fn max_pile(&self) -> u32 {
        self.rows.max_pile() - 1
    }

    /// Returns the value of \[piles, S\]. The piles may have any order, and empty piles may be
    /// omitted. Bit s-1 of `set` is move s; moves above the largest pile are ignored. Returns
    /// `None` if the table has fewer piles or only smaller piles.
    pub fn value(&self, piles: &[u32], set: u64) -> Option<u8> {
        let values = self.sets(piles)?;
        Some(values[set as usize & (values.len() - 1)])
    }

    /// Returns the values of these piles with each set of moves up to the largest pile, in order of
    /// masks. The piles may have any order, and empty piles may be omitted. Returns `None` if the
    /// table has fewer piles or only smaller piles.
    pub fn sets(&self, piles: &[u32]) -> Option<&[u8]> {
        let mut sorted = [1; MOST as usize];
        let sorted = &mut sorted[..self.rows.length()];
        let mut rest = sorted.iter_mut();
        for &pile in piles.iter().filter(|&&pile| pile > 0) {
            if pile >= self.rows.max_pile() {
                return None;
            }
            *rest.next()? = pile + 1;
        }
        sorted.sort_unstable();
        Some(&self.values[self.row(sorted)])
    }

    /// Returns the range in `values` of k sorted piles, each with its additional coin.
    fn row(&self, sorted: &[Pile]) -> Range<usize> {
        let largest = sorted[sorted.len() - 1] - 1;
        // The smaller piles determine the row within the layer.
        let below = sorted[..sorted.len() - 1].iter().enumerate();
        let number: u64 = below.map(|(place, &pile)| self.rows.term(place, pile)).sum();
        let start = self.layers[largest as usize] + ((number as usize) << largest);
        start..start + (1 << largest)
    }

    /// Fills the table. Returns false if `go_on` does.
    fn fill(&mut self, isa: Present, go_on: &mut dyn FnMut() -> bool) -> bool {
        let k = self.rows.length();
        let mut piles = vec![1; k];
        let mut lowered = vec![1; k];
        let mut seen = Vec::new();
        let mut start = 0;
        loop {
            if !go_on() {
                return false;
            }
            seen.clear();
            seen.resize(1usize << (piles[k - 1] - 1), 0u32);
            for at in 0..k {
                if at > 0 && piles[at] == piles[at - 1] {
                    continue;
                }
                for s in 1..piles[at] {
                    lowered.copy_from_slice(&piles);
                    lowered[at] -= s;
                    lowered.sort_unstable();
                    let option = &self.values[self.row(&lowered)];
                    isa.run(See { s, option, seen: &mut seen });
                }
            }
            for (value, &seen) in self.values[start..].iter_mut().zip(&seen) {
                *value = seen.trailing_ones() as u8;
            }
            start += seen.len();
            if !self.rows.step(&mut piles) {
                return true;
            }
        }
    }
}

/// Returns the multisets of piles with the additional coins; `None` if there are too many.
fn rows(piles: u32, max_pile: u32) -> Option<Multisets> {
    Multisets::new(max_pile.checked_add(1)?, piles as usize)
}

/// Returns the range of each largest pile's layer, for 0..=N. Ends that overflow become `u64::MAX`.
fn layers(rows: &Multisets) -> impl Iterator<Item = (u64, u64)> {
    let first = |largest: Pile| match rows.length().checked_sub(1) {
        Some(last) if largest < rows.max_pile() => rows.term(last, largest + 1),
        _ => rows.count(),
    };
    (0..rows.max_pile()).scan(0u64, move |end, largest| {
        let start = *end;
        let sets = 1u64.checked_shl(largest).unwrap_or(u64::MAX);
        *end = start.saturating_add((first(largest + 1) - first(largest)).saturating_mul(sets));
        Some((start, *end))
    })
}

/// Adds the values of the options that move s leads to, for each set that contains s, to `seen`.
/// `option` is the row of the resulting piles.
struct See<'a> {
    s: u32,
    option: &'a [u8],
    seen: &'a mut [u32],
}

impl Work for See<'_> {
    // SAFETY: this function needs no instruction set.
    #[inline(always)]
    unsafe fn run<V: AnyVector>(self) {
        see(self.s, self.option, self.seen);
    }
}

/// Does the work of [`See`]. The compiler knows that separate arguments do not overlap.
#[inline(always)]
fn see(s: u32, option: &[u8], seen: &mut [u32]) {
    let run = 1usize << (s - 1);
    let within = option.len() - 1;
    if run < 8 || option.len() < 8 {
        for (set, seen) in seen.iter_mut().enumerate() {
            let has = (set >> (s - 1) & 1) as u32;
            *seen |= has << option[set & !run & within];
        }
        return;
    }
    let piece = run.min(option.len());
    for (pair, both) in seen.chunks_exact_mut(2 * run).enumerate() {
        let base = (pair * 2 * run) & within;
        let values = &option[base..base + piece];
        for seen in both[run..].chunks_exact_mut(piece) {
            for (seen, &value) in seen.iter_mut().zip(values) {
                *seen |= 1 << (value & 31);
            }
        }
    }
}
