use super::PictureFormat;
use super::canvas::{BLACK, BOTTOM, Canvas, Colour, Surface, TEXT, TICK, TOP, text_height};
use super::colours::{CLASSES, difference, viridis};
use super::pdf::Pdf;
use super::svg::Svg;
use super::ticks::{number, ticks};

/// A matrix of numbers, drawn as colours. Row 1 is on top.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeatMap<'a> {
    pub(crate) title: &'a str,
    pub(crate) x_label: &'a str,
    pub(crate) y_label: &'a str,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) first: u64,
    pub(crate) cells: Cells<'a>,
    /// True for each cell without a position, which is drawn grey. Empty if all cells have
    /// positions.
    pub(crate) excluded: &'a [bool],
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Cells<'a> {
    /// Values, which are drawn in the colours of viridis.
    Values(&'a [u32]),
    /// Differences: 0 is white, positive differences are red, and negative differences are blue.
    Differences(&'a [i64]),
    /// Indices of classes, and the names of the classes. Each class has its own colour.
    Classes(&'a [u32], &'a [&'a str]),
}

/// The approximate length of the longer side of the data, in pixels.
const SIDE: usize = 1000;
/// Pixels around the data.
const LEFT: usize = 96;
const RIGHT: usize = 150;
const EXCLUDED: Colour = [190, 190, 190];
/// The width of the colour bar, and of the gap before it, in pixels.
const BAR: usize = 26;
const GAP: usize = 28;

pub(crate) fn heat_map(map: &HeatMap<'_>, format: PictureFormat) -> anyhow::Result<Vec<u8>> {
    match format {
        PictureFormat::Png => draw::<Canvas>(map),
        PictureFormat::Pdf => draw::<Pdf>(map),
        PictureFormat::Svg => draw::<Svg>(map),
    }
}

fn draw<S: Surface>(map: &HeatMap<'_>) -> anyhow::Result<Vec<u8>> {
    let HeatMap { rows, cols, .. } = *map;
    // A cell is a square of whole pixels. In a large map a pixel shows one of `skip`^2 cells.
    let longest = rows.max(cols);
    let (cell, skip) = (SIDE.div_ceil(longest).max(1), longest.div_ceil(SIDE).max(1));
    let cell = if skip > 1 { 1 } else { (SIDE / longest).max(1).min(cell) };
    let (width, height) = (cols.div_ceil(skip) * cell, rows.div_ceil(skip) * cell);
    let mut canvas = S::new(LEFT + width + RIGHT, TOP + height.max(200) + BOTTOM);
    let mut pixels = Canvas::new(width, height);
    let scale = Scale::of(map.cells);
    for y in 0..height {
        for x in 0..width {
            let at = y / cell * skip * cols + x / cell * skip;
            let colour = match map.excluded.get(at) {
                Some(true) => EXCLUDED,
                _ => scale.colour(map.cells, at),
            };
            pixels.set(x, y, colour);
        }
    }
    canvas.image(LEFT, TOP, &pixels)?;
    canvas.frame(LEFT, TOP, width, height);
    canvas.title(LEFT + width / 2, LEFT + width + RIGHT, map.title);

    // Returns the offset of the middle of cell n, in pixels.
    let place = |n: f64| ((n - map.first as f64) / skip as f64 + 0.5) * cell as f64;
    let last = |count: usize| map.first.saturating_add(count as u64 - 1) as f64;
    let named = |count: usize| {
        let mut named = ticks(map.first as f64, last(count), 8);
        named.retain(|n| n.fract() == 0.0);
        named.insert(0, map.first as f64);
        named.dedup();
        named
    };
    for tick in named(cols) {
        canvas.tick_below(LEFT + place(tick) as usize, TOP + height, tick);
    }
    for tick in named(rows) {
        canvas.tick_beside(LEFT, TOP + place(tick) as usize, tick);
    }
    let below = TOP + height + TICK + 16 + text_height(TEXT);
    canvas.text(LEFT + width / 2, below, TEXT, map.x_label);
    canvas.text_upwards(10, TOP + height / 2, TEXT, map.y_label);

    // The top of the colour bar stands for the largest number.
    let (left, bar) = (LEFT + width + GAP, height.max(200));
    for y in 0..bar {
        let part = 1.0 - (y as f64 + 0.5) / bar as f64;
        canvas.fill(left, TOP + y, BAR, 1, scale.bar(part));
    }
    canvas.frame(left, TOP, BAR, bar);
    for (text, part) in scale.ticks() {
        let y = TOP + ((1.0 - part) * (bar - 1) as f64) as usize;
        canvas.fill(left + BAR + 1, y, TICK, 1, BLACK);
        canvas.text(left + BAR + TICK + 6, y.saturating_sub(text_height(TEXT) / 2), TEXT, &text);
    }
    canvas.finish()
}

enum Scale<'a> {
    Values(u32),
    Differences(u64),
    Classes(&'a [&'a str]),
}

impl<'a> Scale<'a> {
    fn of(cells: Cells<'a>) -> Scale<'a> {
        match cells {
            Cells::Values(values) => Scale::Values(values.iter().copied().max().unwrap_or(0)),
            Cells::Differences(values) => {
                Scale::Differences(values.iter().map(|v| v.unsigned_abs()).max().unwrap_or(0))
            }
            Cells::Classes(_, names) => Scale::Classes(names),
        }
    }

    fn colour(&self, cells: Cells<'_>, at: usize) -> Colour {
        match (self, cells) {
            (Scale::Values(most), Cells::Values(values)) => {
                viridis(f64::from(values[at]) / f64::from((*most).max(1)))
            }
            (Scale::Differences(most), Cells::Differences(values)) => difference(values[at], *most),
            (Scale::Classes(_), Cells::Classes(classes, _)) => class(classes[at] as usize),
            _ => BLACK,
        }
    }

    fn bar(&self, part: f64) -> Colour {
        match self {
            Scale::Values(_) => viridis(part),
            Scale::Differences(most) => {
                // The bar has 0 in the middle, and is logarithmic in both directions.
                let size = (*most as f64 + 1.0).powf((2.0 * part - 1.0).abs()) - 1.0;
                let sign = if part > 0.5 { 1 } else { -1 };
                difference(sign * size.round() as i64, *most)
            }
            // The first class is on top.
            Scale::Classes(names) => class(((1.0 - part) * names.len() as f64) as usize),
        }
    }

    /// Returns the labels of the bar. Each label has a place from 0 to 1.
    fn ticks(&self) -> Vec<(String, f64)> {
        let numbers = match self {
            Scale::Values(most) => {
                let most = f64::from((*most).max(1));
                ticks(0.0, most, 6).into_iter().map(|value| (value, value / most)).collect()
            }
            Scale::Differences(most) => {
                let mut found = vec![(0.0, 0.5)];
                let scale = (*most as f64 + 1.0).ln();
                let mut size = 1u64;
                while size <= *most {
                    let part = (size as f64 + 1.0).ln() / scale / 2.0;
                    found.push((size as f64, 0.5 + part));
                    found.push((-(size as f64), 0.5 - part));
                    let Some(next) = size.checked_mul(4) else { break };
                    size = next;
                }
                found
            }
            Scale::Classes(names) => {
                let part = |at: usize| 1.0 - (at as f64 + 0.5) / names.len() as f64;
                let named = names.iter().enumerate();
                return named.map(|(at, name)| ((*name).to_owned(), part(at))).collect();
            }
        };
        numbers.into_iter().map(|(value, part)| (number(value), part)).collect()
    }
}

fn class(place: usize) -> Colour {
    CLASSES[place % CLASSES.len()]
}
