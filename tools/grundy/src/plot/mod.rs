//! Draws numbers as PNG, SVG or PDF: points with straight guide lines, and heat maps. The module
//! does not know the games.
//!
//! ```text
//! ┌───────────── title ─────────────┐     Every cell of a heat map is a square of whole pixels.
//! │ y │                     │ colour│     If a side has more than a thousand cells, a pixel shows
//! │   │      the data       │  bar  │     one of several cells. Nothing is blurred, because people
//! │   └──── x, ticks ───────┘       │     look for stripes and diagonals of one cell's width.
//! └─────────────────────────────────┘
//! ```
//!
//! The bytes of a picture depend only on its numbers and texts. A PNG needs no font, because it has
//! the letters of dot-matrix displays. SVG and PDF have the same data, with text around them.

mod canvas;
mod colours;
mod font;
mod heat_map;
mod pdf;
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
    Pdf,
}

impl PictureFormat {
    pub(crate) fn of(path: &Path) -> anyhow::Result<PictureFormat> {
        let end = path.extension().map(|end| end.to_string_lossy().to_lowercase());
        match end.as_deref() {
            Some("png") => Ok(PictureFormat::Png),
            Some("svg") => Ok(PictureFormat::Svg),
            Some("pdf") => Ok(PictureFormat::Pdf),
            _ => bail!(
                "{} has no known file ending; end the name in .png, .svg or .pdf",
                path.display()
            ),
        }
    }
}
