//! A picture as SVG. It has the same data pixels as the PNG; titles and axes are text. Up to
//! [`MOST_SHAPES`] rectangles of one colour are vectors, which stay sharp at any size. Larger
//! pictures contain the pixels as a PNG, which has fewer bytes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ct_codecs::{Base64, Encoder as _};

use super::canvas::{Canvas, Colour, Surface, WHITE};
use super::font::HEIGHT;

/// Maximum number of rectangles in a picture of vectors. Each takes about twenty bytes.
const MOST_SHAPES: usize = 20_000;

pub(crate) struct Svg {
    text: String,
}

impl Svg {
    /// Writes text. The width of a monospaced letter is 0.6 times the font size. So with a font
    /// size of 10 dots, a letter is 6 dots wide, as in a PNG.
    fn words(&mut self, x: usize, y: usize, scale: usize, text: &str, turned: bool) {
        let turn =
            if turned { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
        let _ = writeln!(
            self.text,
            "<text x=\"{x}\" y=\"{y}\" font-family=\"monospace\" font-size=\"{}\"{turn} \
             xml:space=\"preserve\">{}</text>",
            10 * scale,
            escaped(text)
        );
    }
}

impl Surface for Svg {
    fn new(width: usize, height: usize) -> Svg {
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n"
        );
        let mut svg = Svg { text };
        svg.fill(0, 0, width, height, WHITE);
        svg
    }

    fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, colour: Colour) {
        let [red, green, blue] = colour;
        // Writing to a string cannot fail.
        let _ = writeln!(
            self.text,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             fill=\"#{red:02x}{green:02x}{blue:02x}\"/>"
        );
    }

    fn text(&mut self, x: usize, y: usize, scale: usize, text: &str) {
        self.words(x, y + scale * HEIGHT, scale, text, false);
    }

    fn text_upwards(&mut self, x: usize, y: usize, scale: usize, text: &str) {
        self.words(x + scale * HEIGHT, y, scale, text, true);
    }

    fn image(&mut self, x: usize, y: usize, image: &Canvas) -> anyhow::Result<()> {
        let (width, height) = image.size();
        if let Some(shapes) = shapes(image) {
            for ([red, green, blue], rectangles) in shapes {
                let _ = write!(
                    self.text,
                    "<path fill=\"#{red:02x}{green:02x}{blue:02x}\" shape-rendering=\"crispEdges\" d=\""
                );
                for [left, top, wide, high] in rectangles {
                    let (left, top) = (x + left, y + top);
                    let _ = write!(self.text, "M{left} {top}h{wide}v{high}h-{wide}z");
                }
                self.text.push_str("\"/>\n");
            }
            return Ok(());
        }
        let png = Base64::encode_to_string(image.to_png()?)?;
        let _ = writeln!(
            self.text,
            "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{png}\"/>"
        );
        Ok(())
    }

    fn finish(mut self) -> anyhow::Result<Vec<u8>> {
        self.text.push_str("</svg>\n");
        Ok(self.text.into_bytes())
    }
}

/// Returns the rectangles of each colour: left, top, width and height. White is the background.
/// Equal rows of pixels are one row of rectangles. `None` if there are too many rectangles.
pub(crate) fn shapes(image: &Canvas) -> Option<BTreeMap<Colour, Vec<[usize; 4]>>> {
    let mut shapes: BTreeMap<Colour, Vec<[usize; 4]>> = BTreeMap::new();
    let mut count = 0;
    let rows: Vec<&[Colour]> = image.rows().collect();
    let mut top = 0;
    for same in rows.chunk_by(|row, next| row == next) {
        let mut left = 0;
        for run in same[0].chunk_by(|pixel, next| pixel == next) {
            if run[0] != WHITE {
                count += 1;
                shapes.entry(run[0]).or_default().push([left, top, run.len(), same.len()]);
            }
            left += run.len();
        }
        if count > MOST_SHAPES {
            return None;
        }
        top += same.len();
    }
    Some(shapes)
}

/// Escapes the special characters of XML in a text.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
