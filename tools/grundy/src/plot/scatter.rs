use super::PictureFormat;
use super::canvas::{
    BOTTOM, Canvas, Colour, GRID, Surface, TEXT, TICK, TOP, text_height, text_width,
};
use super::pdf::Pdf;
use super::svg::Svg;
use super::ticks::ticks;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Scatter<'a> {
    pub(crate) title: &'a str,
    pub(crate) x_label: &'a str,
    pub(crate) y_label: &'a str,
    pub(crate) points: &'a [(f64, f64)],
    pub(crate) points_label: &'a str,
    pub(crate) lines: &'a [Line<'a>],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    pub(crate) slope: f64,
    pub(crate) offset: f64,
    pub(crate) label: &'a str,
}

const WIDTH: usize = 1000;
const HEIGHT: usize = 640;
const LEFT: usize = 130;
const RIGHT: usize = 40;

const POINT: Colour = [31, 83, 156];
const LINES: [Colour; 3] = [[208, 74, 32], [34, 139, 84], [140, 90, 170]];

pub(crate) fn scatter(plot: &Scatter<'_>, format: PictureFormat) -> anyhow::Result<Vec<u8>> {
    match format {
        PictureFormat::Png => draw::<Canvas>(plot),
        PictureFormat::Pdf => draw::<Pdf>(plot),
        PictureFormat::Svg => draw::<Svg>(plot),
    }
}

fn draw<S: Surface>(plot: &Scatter<'_>) -> anyhow::Result<Vec<u8>> {
    let bounds = |values: &dyn Fn(&(f64, f64)) -> f64| {
        let values = plot.points.iter().map(values);
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        if low < high { (low, high) } else { (low - 0.5, low + 0.5) }
    };
    let (x_low, x_high) = bounds(&|point| point.0);
    let (y_low, y_high) = bounds(&|point| point.1);
    let x_place = |x: f64| (x - x_low) / (x_high - x_low) * (WIDTH - 1) as f64;
    // The legend is in the upper left corner. Leave room for it if points would lie beside it.
    let legend = 24 + (1 + plot.lines.len()) * (text_height(TEXT) + 10);
    let legend = legend as f64 / HEIGHT as f64;
    let lowest = y_high - (y_high - y_low) * legend;
    let beside = |&(x, y): &(f64, f64)| 2.0 * x_place(x) <= WIDTH as f64 && y >= lowest;
    let room = if plot.points.iter().any(beside) { legend } else { 0.04 };
    let y_high = y_high + (y_high - y_low) * room;
    let y_place = |y: f64| (1.0 - (y - y_low) / (y_high - y_low)) * (HEIGHT - 1) as f64;

    let mut canvas = S::new(LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM);
    let mut pixels = Canvas::new(WIDTH, HEIGHT);
    for tick in ticks(x_low, x_high, 8) {
        let x = x_place(tick) as usize;
        pixels.fill(x, 0, 1, HEIGHT, GRID);
        canvas.tick_below(LEFT + x, TOP + HEIGHT, tick);
    }
    for tick in ticks(y_low, y_high, 7) {
        let y = y_place(tick) as usize;
        pixels.fill(0, y, WIDTH, 1, GRID);
        canvas.tick_beside(LEFT, TOP + y, tick);
    }
    for (line, colour) in plot.lines.iter().zip(LINES.iter().cycle()) {
        for x in 0..WIDTH {
            let value = x_low + x as f64 / (WIDTH - 1) as f64 * (x_high - x_low);
            let y = y_place(line.slope * value + line.offset);
            if (0.0..HEIGHT as f64 - 1.0).contains(&y) {
                pixels.fill(x, y as usize, 1, 2, *colour);
            }
        }
    }
    // If there are few points, draw them larger.
    let size = if plot.points.len() <= 20_000 { 2 } else { 1 };
    for &(x, y) in plot.points {
        let (x, y) = (x_place(x) as usize, y_place(y) as usize);
        let (x, y) = (x.min(WIDTH - size), y.min(HEIGHT - size));
        pixels.fill(x, y, size, size, POINT);
    }
    canvas.image(LEFT, TOP, &pixels)?;
    canvas.frame(LEFT, TOP, WIDTH, HEIGHT);
    canvas.title(LEFT + WIDTH / 2, LEFT + WIDTH + RIGHT, plot.title);
    let below = TOP + HEIGHT + TICK + 16 + text_height(TEXT);
    let start = (LEFT + WIDTH / 2).saturating_sub(text_width(TEXT, plot.x_label) / 2);
    canvas.text(start, below, TEXT, plot.x_label);
    let middle = TOP + HEIGHT / 2 + text_width(TEXT, plot.y_label) / 2;
    canvas.text_upwards(12, middle, TEXT, plot.y_label);

    // The legend, in the upper left corner.
    let mut y = TOP + 18;
    let entries = std::iter::once((plot.points_label, POINT, 6))
        .chain(plot.lines.iter().zip(LINES.iter().cycle()).map(|(l, &c)| (l.label, c, 2)));
    for (label, colour, thick) in entries {
        canvas.fill(LEFT + 18, y + (text_height(TEXT) - thick) / 2, 24, thick, colour);
        canvas.text(LEFT + 54, y, TEXT, label);
        y += text_height(TEXT) + 10;
    }
    canvas.finish()
}
