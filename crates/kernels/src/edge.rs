//! The last row and column of one rectangle: what a lookup needs.
//!
//! The value of a w b, and the borders of every longer position with this one
//! inside, need only T\[a\]\[1..=b\] and T\[1..=a\]\[b\] of the tile of `w`, cut
//! to a x b. Nothing else is written, and the rectangle may have any shape.

use crate::rows::{Scratch, place_all};

/// The edge of a rectangle of `col.len()` rows and `row.len()` columns.
#[derive(Debug, Default)]
pub struct Edge {
    scratch: Scratch,
    /// The last row: G(a w b') for b' = 1..=b.
    pub row: Vec<u32>,
    /// The last column: G(a' w b) for a' = 1..=a.
    pub col: Vec<u32>,
}

impl Edge {
    /// Computes the edge of the rectangle with these borders: `row_border[b' - 1]`
    /// = G(w b') and `col_border[a' - 1]` = G(a' w). The results stand in `row`
    /// and `col` until the next call.
    ///
    /// # Panics
    /// If a border is empty: every pile has a coin.
    pub fn compute(&mut self, row_border: &[u32], col_border: &[u32]) {
        assert!(!row_border.is_empty() && !col_border.is_empty());
        // Columns are bits of words: the shorter side makes the shorter words.
        if row_border.len() <= col_border.len() {
            trace(&mut self.scratch, row_border, col_border, &mut self.row, &mut self.col);
        } else {
            trace(&mut self.scratch, col_border, row_border, &mut self.col, &mut self.row);
        }
    }

    /// The value in the corner, G(a w b), of the last rectangle computed.
    pub fn corner(&self) -> u32 {
        self.row.last().copied().unwrap_or(0)
    }

    /// Bytes of memory for a rectangle with these sides.
    pub fn bytes(a: usize, b: usize) -> u64 {
        Scratch::bytes(a.max(b), a.min(b)) + 4 * (a + b) as u64
    }
}

fn trace(
    scratch: &mut Scratch,
    row_border: &[u32],
    col_border: &[u32],
    last_row: &mut Vec<u32>,
    last_col: &mut Vec<u32>,
) {
    let (rows, cols) = (col_border.len(), row_border.len());
    last_row.clear();
    last_row.resize(cols, 0);
    last_col.clear();
    last_col.resize(rows, 0);
    place_all(scratch, row_border, col_border, |row, col, value| {
        if row + 1 == rows {
            last_row[col] = value;
        }
        if col + 1 == cols {
            last_col[row] = value;
        }
    });
}
