//! Pictures of plain numbers, as the bytes of a PNG or SVG file: points with straight guide lines,
//! and heat maps. Knows no games.
//!
//! ```text
//! ┌───────────── title ─────────────┐     Every cell of a heat map is a square of whole pixels
//! │ y │                     │ colour│     (or, beyond a thousand cells a side, a pixel shows
//! │   │      the data       │  bar  │     the nearest cell): nothing is blurred, for stripes
//! │   └──── x, ticks ───────┘       │     and diagonals of one cell are what one looks for.
//! └─────────────────────────────────┘
//! ```
//!
//! The bytes depend on the numbers alone. Letters of a PNG are those of dot-matrix displays, so that
//! no font has to be found; an SVG has the same pixels, and titles and axes as text.

mod canvas;
mod colours;
mod font;
mod heat_map;
mod scatter;
mod svg;
#[cfg(test)]
mod tests;
mod ticks;

pub(crate) use heat_map::{Cells, HeatMap, heat_map, heat_map_svg};
pub(crate) use scatter::{Line, Scatter, scatter, scatter_svg};

/// The most rows or columns of a heat map.
pub(crate) const MOST_CELLS: usize = 16_384;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlotError {
    /// Nothing to draw.
    #[error("there is nothing to draw")]
    Empty,
    /// The numbers are not rows times columns.
    #[error("{found} cells are not {rows} rows of {cols}")]
    Shape {
        /// How many there are.
        found: usize,
        /// Rows.
        rows: usize,
        /// Columns.
        cols: usize,
    },
    /// More cells than a picture can show.
    #[error("{side} rows or columns are too many to draw; the limit is {MOST_CELLS}")]
    TooLarge {
        /// What was asked for.
        side: usize,
    },
    /// A coordinate that is no number, or beyond 10^15.
    #[error("point {index} has a coordinate that is not a number up to 10^15")]
    NotFinite {
        /// Number of the point, from 0.
        index: usize,
    },
    /// The picture cannot be encoded.
    #[error("the picture cannot be written as PNG")]
    Encode(#[from] png::EncodingError),
}
