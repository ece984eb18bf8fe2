//! A fast form of the statement that no row b -> G(w b) has a value twice.
//!
//! It looks at a whole tile. If it passes the tile, the statement holds at all its positions;
//! otherwise the statement itself is evaluated. So it can only save time, and the verdict still
//! comes from the statement, which compares each value with all values before it.

use grundy_kernels::cells::Cells;

/// Finds repeated values in the rows and columns of a tile. A column is a row of the reversed
/// middle. `at[v]` is the last row that had the value v, and `now` is the number of this row.
#[derive(Clone, Debug, Default)]
pub struct DistinctRows {
    at: Vec<u32>,
    now: u32,
}

impl DistinctRows {
    /// True if the statement holds at all positions a w b of a tile, and at their reversals. The
    /// values are in rows of `cols` for each a.
    pub fn passes(&mut self, cols: usize, cells: Cells<'_>) -> bool {
        match cells {
            Cells::Bytes(values) => self.are_distinct(cols, values, 1 << 8),
            Cells::Words(values) => self.are_distinct(cols, values, 1 << 16),
            Cells::Longs(_) => false,
        }
    }

    /// True if some value occurs twice.
    #[inline(always)]
    fn repeats<T: Copy + Into<u32>>(&mut self, values: impl Iterator<Item = T>) -> bool {
        if self.now == u32::MAX {
            self.at.fill(0);
            self.now = 0;
        }
        self.now += 1;
        values.fold(false, |any, value| {
            let at = &mut self.at[Into::<u32>::into(value) as usize];
            any | (std::mem::replace(at, self.now) == self.now)
        })
    }

    fn are_distinct<T: Copy + Into<u32>>(
        &mut self,
        cols: usize,
        values: &[T],
        most: usize,
    ) -> bool {
        if self.at.len() < most {
            self.at.resize(most, 0);
        }
        let mut rows = values.chunks_exact(cols);
        let columns = |col: usize| values[col..].iter().step_by(cols).copied();
        !rows.any(|row| self.repeats(row.iter().copied()))
            && !(0..cols).any(|col| self.repeats(columns(col)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value that occurs twice in a row or in a column is found.
    #[test]
    fn repeated_values_are_found() {
        let mut form = DistinctRows::default();
        let square = [0, 1, 2, 1, 2, 0, 2, 0, 1];
        assert!(form.passes(3, Cells::Bytes(&square)) && form.passes(3, Cells::Bytes(&square)));
        for (at, value) in [(0, 1), (0, 2), (4, 0), (8, 2)] {
            let mut spoilt = square;
            spoilt[at] = value;
            assert!(!form.passes(3, Cells::Bytes(&spoilt)), "{at} {value}");
        }
        assert!(!form.passes(2, Cells::Words(&[300, 301, 300, 302])));
        assert!(!form.passes(2, Cells::Longs(&[0, 1, 1, 0])));
    }
}
