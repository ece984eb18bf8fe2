//! Pictures of plain numbers, as the bytes of a PNG or SVG file: points with straight guide lines,
//! and heat maps. The module knows no games.
//!
//! ```text
//! ┌───────────── title ─────────────┐     Every cell of a heat map is a square of whole pixels
//! │ y │                     │ colour│     (or, beyond a thousand cells a side, a pixel shows
//! │   │      the data       │  bar  │     the nearest cell): nothing is blurred, for stripes
//! │   └──── x, ticks ───────┘       │     and diagonals of one cell are what one looks for.
//! └─────────────────────────────────┘
//! ```
//!
//! The bytes depend only on the numbers. A PNG has the letters of dot-matrix displays and needs no
//! font; an SVG has the same pixels, with titles and axes as text.

mod canvas;
mod colours;
mod font;
mod heat_map;
mod scatter;
mod svg;
#[cfg(test)]
mod tests;
mod ticks;

pub(crate) use heat_map::{Cells, HeatMap, heat_map};
pub(crate) use scatter::{Line, Scatter, scatter};

use std::path::Path;

use anyhow::bail;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PictureFormat {
    Png,
    Svg,
}

impl PictureFormat {
    pub(crate) fn of(path: &Path) -> anyhow::Result<PictureFormat> {
        let end = path.extension().map(|end| end.to_string_lossy().to_lowercase());
        match end.as_deref() {
            Some("png") => Ok(PictureFormat::Png),
            Some("svg") => Ok(PictureFormat::Svg),
            _ => bail!("{} names no kind of picture; end it in .png or .svg", path.display()),
        }
    }
}
