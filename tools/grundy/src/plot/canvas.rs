//! A picture in memory. It draws pixels, rectangles and text, and encodes itself as PNG.

use anyhow::Context;

use super::font::{HEIGHT, WIDTH, below_the_line, glyph};
use super::ticks::number;

pub(crate) type Colour = [u8; 3];

pub(crate) const WHITE: Colour = [255, 255, 255];
pub(crate) const BLACK: Colour = [0, 0, 0];
pub(crate) const GRID: Colour = [226, 226, 226];

/// The scale of text: the side of a letter's dot, in pixels.
pub(crate) const TEXT: usize = 2;
/// The pixels above the data, the pixels below the data, and the length of a tick in pixels.
pub(crate) const TOP: usize = 56;
pub(crate) const BOTTOM: usize = 76;
pub(crate) const TICK: usize = 6;

pub(crate) trait Surface: Sized {
    fn new(width: usize, height: usize) -> Self;
    fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, colour: Colour);
    /// Draws text in dots of `scale` pixels. The upper left corner of the text is at (x, y).
    fn text(&mut self, x: usize, y: usize, scale: usize, text: &str);
    /// Draws text from bottom to top. The lower left corner of the text is at (x, y).
    fn text_upwards(&mut self, x: usize, y: usize, scale: usize, text: &str);
    /// Draws the pixels of `image`, with the upper left corner of `image` at (x, y).
    fn image(&mut self, x: usize, y: usize, image: &Canvas) -> anyhow::Result<()>;
    fn finish(self) -> anyhow::Result<Vec<u8>>;

    /// Draws the outline of a rectangle, just outside it.
    fn frame(&mut self, x: usize, y: usize, width: usize, height: usize) {
        self.fill(x - 1, y - 1, width + 2, 1, BLACK);
        self.fill(x - 1, y + height, width + 2, 1, BLACK);
        self.fill(x - 1, y - 1, 1, height + 2, BLACK);
        self.fill(x + width, y - 1, 1, height + 2, BLACK);
    }

    /// Draws a tick below an axis, with its number.
    fn tick_below(&mut self, x: usize, axis: usize, value: f64) {
        let text = number(value);
        self.fill(x, axis + 1, 1, TICK, BLACK);
        let left = x.saturating_sub(text_width(TEXT, &text) / 2);
        self.text(left, axis + TICK + 6, TEXT, &text);
    }

    fn tick_beside(&mut self, axis: usize, y: usize, value: f64) {
        let text = number(value);
        self.fill(axis - 1 - TICK, y, TICK, 1, BLACK);
        let left = axis.saturating_sub(TICK + 8 + text_width(TEXT, &text));
        self.text(left, y.saturating_sub(text_height(TEXT) / 2), TEXT, &text);
    }

    /// Draws a title above the middle of the data. Makes the letters smaller until they fit.
    fn title(&mut self, middle: usize, width: usize, title: &str) {
        let scale = fitting(3, width - 20, title);
        let left = middle.saturating_sub(text_width(scale, title) / 2).max(10);
        self.text(left, (TOP - text_height(scale)) / 2, scale, title);
    }
}

pub(crate) struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Canvas {
    /// Sets a pixel; ignores pixels outside the picture.
    pub(crate) fn set(&mut self, x: usize, y: usize, colour: Colour) {
        if x < self.width && y < self.height {
            let at = 3 * (y * self.width + x);
            self.pixels[at..at + 3].copy_from_slice(&colour);
        }
    }

    pub(crate) fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &[Colour]> {
        self.pixels.as_chunks::<3>().0.chunks_exact(self.width)
    }

    pub(crate) fn to_png(&self) -> anyhow::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(&self.pixels)?;
            writer.finish()
        });
        written.context("the picture cannot be written as PNG")?;
        Ok(bytes)
    }
}

impl Surface for Canvas {
    fn new(width: usize, height: usize) -> Canvas {
        Canvas { width, height, pixels: vec![255; 3 * width * height] }
    }

    fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, colour: Colour) {
        for row in y..y + height {
            for column in x..x + width {
                self.set(column, row, colour);
            }
        }
    }

    fn text(&mut self, x: usize, y: usize, scale: usize, text: &str) {
        for (column, row) in dots(text) {
            self.fill(x + scale * column, y + scale * row, scale, scale, BLACK);
        }
    }

    fn text_upwards(&mut self, x: usize, y: usize, scale: usize, text: &str) {
        for (column, row) in dots(text) {
            let up = scale * (column + 1);
            self.fill(x + scale * row, y.saturating_sub(up), scale, scale, BLACK);
        }
    }

    fn image(&mut self, x: usize, y: usize, image: &Canvas) -> anyhow::Result<()> {
        for (row, pixels) in image.rows().enumerate() {
            for (column, &colour) in pixels.iter().enumerate() {
                self.set(x + column, y + row, colour);
            }
        }
        Ok(())
    }

    fn finish(self) -> anyhow::Result<Vec<u8>> {
        self.to_png()
    }
}

/// Returns the column and the row of each dot of a text.
fn dots(text: &str) -> impl Iterator<Item = (usize, usize)> {
    text.chars().enumerate().flat_map(|(at, character)| {
        let below = below_the_line(character);
        glyph(character).into_iter().enumerate().flat_map(move |(column, bits)| {
            let rows = (0..HEIGHT).filter(move |row| bits >> row & 1 == 1);
            rows.map(move |row| (at * (WIDTH + 1) + column, row + below))
        })
    })
}

pub(crate) fn text_width(scale: usize, text: &str) -> usize {
    (scale * text.chars().count() * (WIDTH + 1)).saturating_sub(scale)
}

pub(crate) fn text_height(scale: usize) -> usize {
    scale * HEIGHT
}

/// Returns the largest scale up to `most` at which a text fits into `room` pixels, but at least 1.
fn fitting(most: usize, room: usize, text: &str) -> usize {
    (1..=most).rev().find(|&scale| text_width(scale, text) <= room).unwrap_or(1)
}
