//! The numbering of the positions of long global nim.
//!
//! If the largest pile of a position is p, its sets of moves are the subsets of 1..=p. In the index
//! of a set, large moves have the low bits:
//!
//! ```text
//!   index of S:    bit   p-1  p-2  ...   1    0
//!                  move   1    2        p-1   p
//! ```
//!
//! So the subset of S within 1..=m has the index of S shifted right by p - m.
//!
//! **One pile.** \[p, S\] has the number 2^p + index of S. Below the leading bit, the bits from
//! high to low are the moves 1, 2, ..., p. Shifting the number right by one drops the move p and
//! gives the number for the pile p - 1. The piles 0 to N have the numbers 1 to 2^(N+1) - 1.
//!
//! **Several piles.** Multisets are in the order of [`Multisets`], first by their largest pile.
//! Each multiset has a *row* of all its sets. The rows with largest pile p have length 2^p and
//! follow each other, so the number of a position is
//!
//! ```text
//!   sum over q < p of (multisets with largest pile q) 2^q
//!     +  (multisets with largest pile p before this one) 2^p  +  index of S
//! ```

use super::{Index, LARGEST_SET_ROWS, Multisets, Numbering, Place, Shape, check, holds, sorted};
use crate::{Game, Memory, MoveSet, Pile, Position, Size, TableError};

/// Returns the index of a set among the sets within 1..=p, for p at most 63. Bit s-1 of `set` is
/// the move s. Moves larger than p are ignored.
#[inline]
pub fn set_index(largest: Pile, set: u64) -> u64 {
    if largest == 0 { 0 } else { set.reverse_bits() >> (64 - largest) }
}

/// Returns the set with this index, as a mask.
#[inline]
pub fn set_of_index(largest: Pile, index: u64) -> u64 {
    // Reversing the bits twice restores them.
    set_index(largest, index)
}

/// The numbered positions of k piles from 1 to N, with every set of moves up to the largest pile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetRows {
    multisets: Multisets,
    /// `starts[p - 1]` is the first number for the largest pile p. The last entry is `count()`.
    starts: Vec<u64>,
}

impl SetRows {
    /// Returns the positions of `length` piles. `None` if there are more than 2^63 positions.
    pub fn new(max_pile: Pile, length: usize) -> Option<SetRows> {
        let multisets = Multisets::new(max_pile, length)?;
        let mut rows = SetRows { multisets, starts: vec![0] };
        for largest in 1..=max_pile {
            let count = rows.first_multiset(largest + 1) - rows.first_multiset(largest);
            let sets = 1u64.checked_shl(largest)?;
            let end = rows.count().checked_add(count.checked_mul(sets)?)?;
            if end > 1 << 63 {
                return None;
            }
            rows.starts.push(end);
        }
        Some(rows)
    }

    /// Returns the multisets of piles, in the order of their rows.
    pub fn multisets(&self) -> &Multisets {
        &self.multisets
    }

    /// Returns the number of positions.
    pub fn count(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Returns the rank of the first multiset with this largest pile. It is the number of multisets
    /// that have only smaller piles.
    fn first_multiset(&self, largest: Pile) -> u64 {
        self.multisets.term(self.multisets.length() - 1, largest)
    }

    /// Returns the number of the first position with these piles, and the count of all positions
    /// with these piles. The piles must be in ascending order.
    pub fn row(&self, piles: &[Pile]) -> (u64, u64) {
        let largest = piles.last().copied().unwrap_or(1);
        let within = self.multisets.rank(piles) - self.first_multiset(largest);
        (self.starts[largest as usize - 1] + (within << largest), 1 << largest)
    }

    /// Returns the number of a position. `piles` are in ascending order, and `set` is a mask.
    pub fn number(&self, piles: &[Pile], set: u64) -> u64 {
        let (first, sets) = self.row(piles);
        first + set_index(sets.trailing_zeros(), set)
    }

    /// Writes the piles of the position with this number, in ascending order. Returns its set.
    ///
    /// # Panics
    /// Panics if `number >= count()` or if `piles` has the wrong length.
    pub fn position(&self, number: u64, piles: &mut [Pile]) -> u64 {
        assert!(number < self.count());
        let largest = self.starts.partition_point(|&start| start <= number) as Pile;
        let within = number - self.starts[largest as usize - 1];
        self.multisets.unrank(self.first_multiset(largest) + (within >> largest), piles);
        set_of_index(largest, within & ((1 << largest) - 1))
    }
}

/// Returns the available moves as a mask. Without a memory, all moves are available.
pub(super) fn mask_of(memory: &Memory) -> Option<u64> {
    match memory {
        Memory::Available(set) => set.mask(),
        _ => Some(u64::MAX),
    }
}

/// Several piles with the available moves. A tile is one value, in the order of [`SetRows`].
#[derive(Debug)]
pub struct SetRowIndex {
    rows: SetRows,
}

impl SetRowIndex {
    /// Returns the positions of a table.
    pub fn new(game: Game, size: Size) -> Result<SetRowIndex, TableError> {
        let Size { max_pile, length, .. } = size;
        let most = LARGEST_SET_ROWS;
        if length == 0 {
            check(game, size)?;
        }
        if !(1..=most).contains(&max_pile) || length > most as usize {
            return Err(TableError::Sets { game, max_pile, length, most });
        }
        check(game, size)?;
        let rows = SetRows::new(max_pile, length).ok_or_else(|| {
            let positions = 2f64.powi(max_pile as i32) * super::about_positions(game, size);
            TableError::TooLarge { game, max_pile, length, positions }
        })?;
        Ok(SetRowIndex { rows })
    }
}

impl Index for SetRowIndex {
    fn numbering(&self) -> Numbering {
        Numbering::SetRows
    }

    fn shape(&self) -> Shape {
        Shape::single(self.rows.count())
    }

    fn positions(&self) -> u64 {
        self.rows.count()
    }

    fn locate(&self, piles: &[Pile], memory: &Memory) -> Option<Place> {
        let multisets = self.rows.multisets();
        if !holds(piles, multisets.max_pile(), multisets.length()) {
            return None;
        }
        Some(Place::tile(self.rows.number(&sorted(piles), mask_of(memory)?)))
    }

    fn position(&self, number: u64) -> Option<Position> {
        if number >= self.rows.count() {
            return None;
        }
        let mut piles = vec![0; self.rows.multisets().length()];
        let set = self.rows.position(number, &mut piles);
        Some(Position::with_available(piles, &MoveSet::of_mask(set)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_numbered_with_the_large_moves_fastest() {
        assert_eq!((set_index(3, 0b100), set_index(3, 0b001)), (1, 4));
        assert_eq!((set_index(0, 7), set_index(2, 0b111)), (0, 3));
        for set in 0..1 << 9 {
            let index = set_index(9, set);
            assert_eq!(set_of_index(9, index), set);
            for m in 0..9 {
                assert_eq!(set_index(m, set), index >> (9 - m));
            }
        }
        assert!(SetRows::new(63, 2).is_none());
    }
}
