//! Pictures are decoded again, and looked at.

use grundy_plot::{
    Cells, HeatMap, Line, PlotError, Scatter, heat_map, heat_map_svg, scatter, scatter_svg,
};

struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Picture {
    fn decode(bytes: &[u8]) -> Picture {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        Picture { width: info.width as usize, height: info.height as usize, pixels }
    }

    fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let at = 3 * (y * self.width + x);
        [self.pixels[at], self.pixels[at + 1], self.pixels[at + 2]]
    }

    fn count(&self, colour: [u8; 3]) -> usize {
        self.pixels.chunks_exact(3).filter(|pixel| *pixel == colour).count()
    }
}

fn map(cells: Cells<'_>, rows: usize, cols: usize) -> HeatMap<'_> {
    HeatMap { title: "A title", x_label: "b", y_label: "a", rows, cols, first: 1, cells }
}

#[test]
fn cells_have_their_colours() {
    let values = [0, 1, 2, 3];
    let bytes = heat_map(&map(Cells::Values(&values), 2, 2)).unwrap();
    let picture = Picture::decode(&bytes);
    // 500 pixels a cell, from (96, 56) on.
    assert_eq!(picture.at(96 + 250, 56 + 250), [68, 1, 84]);
    assert_eq!(picture.at(96 + 750, 56 + 750), [253, 231, 37]);
    assert_ne!(picture.at(96 + 750, 56 + 250), picture.at(96 + 250, 56 + 750));
    assert!(picture.width > 1100 && picture.height > 1100);
    assert_eq!(heat_map(&map(Cells::Values(&values), 2, 2)).unwrap(), bytes);
}

#[test]
fn no_difference_is_white() {
    let values = [0, 5, -5, 0];
    let picture = Picture::decode(&heat_map(&map(Cells::Differences(&values), 2, 2)).unwrap());
    assert_eq!(picture.at(96 + 250, 56 + 250), [255, 255, 255]);
    let (above, below) = (picture.at(96 + 750, 56 + 250), picture.at(96 + 250, 56 + 750));
    assert!(above[0] > above[2] && below[2] > below[0], "{above:?} {below:?}");
}

#[test]
fn large_maps_fit() {
    let values: Vec<u32> = (0..3000u32).flat_map(|a| (0..3000).map(move |b| a ^ b)).collect();
    let picture = Picture::decode(&heat_map(&map(Cells::Values(&values), 3000, 3000)).unwrap());
    assert!(picture.width < 1300, "{}", picture.width);
}

#[test]
fn points_lines_and_legend_are_drawn() {
    let points: Vec<(f64, f64)> = (0..5000).map(|n| (f64::from(n), f64::from(n) * 0.4)).collect();
    let plot = Scatter {
        title: "A title that is much too long to stand above a picture in letters of the usual size",
        x_label: "n",
        y_label: "g(n)",
        points: &points,
        points_label: "g(n)",
        lines: &[Line { slope: 0.3, offset: 0.0, label: "3n/10" }],
    };
    let picture = Picture::decode(&scatter(&plot).unwrap());
    assert!(picture.count([31, 83, 156]) > 1000 && picture.count([208, 74, 32]) > 900);
    assert_eq!(scatter(&plot).unwrap(), scatter(&plot).unwrap());
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    assert!(matches!(heat_map(&map(Cells::Values(&[]), 0, 0)), Err(PlotError::Empty)));
    let shape = heat_map(&map(Cells::Values(&[1]), 2, 2));
    assert!(matches!(shape, Err(PlotError::Shape { found: 1, .. })));
    let large = heat_map(&map(Cells::Values(&[1]), 20_000, 1));
    assert!(matches!(large, Err(PlotError::TooLarge { side: 20_000 })));
    let plot = |points| {
        scatter(&Scatter {
            title: "",
            x_label: "",
            y_label: "",
            points,
            points_label: "",
            lines: &[],
        })
    };
    assert!(matches!(plot(&[]), Err(PlotError::Empty)));
    assert!(matches!(plot(&[(1.0, f64::NAN)]), Err(PlotError::NotFinite { index: 0 })));
    assert!(matches!(plot(&[(0.0, 0.0), (-1e300, 1.0)]), Err(PlotError::NotFinite { index: 1 })));
    assert!(plot(&[(1.0, 1.0)]).is_ok());
}

#[test]
fn odd_input_makes_odd_pictures_and_no_panic() {
    let long = "x".repeat(10_000);
    for points in [&[(1e15, -1e15), (-1e15, 1e15)][..], &[(1e15, 0.0), (1e15 - 0.125, 1e-300)]] {
        let plot = Scatter {
            title: &long,
            x_label: &long,
            y_label: &long,
            points,
            points_label: &long,
            lines: &[Line { slope: f64::MAX, offset: f64::NAN, label: &long }; 50],
        };
        assert!(scatter(&plot).is_ok());
    }
    let cells = [i64::MIN, i64::MAX, 0, -1];
    let odd = HeatMap {
        title: &long,
        x_label: &long,
        y_label: &long,
        rows: 2,
        cols: 2,
        first: u64::MAX,
        cells: Cells::Differences(&cells),
    };
    assert!(heat_map(&odd).is_ok());
    assert!(heat_map(&HeatMap { cells: Cells::Values(&[u32::MAX; 4]), ..odd }).is_ok());
}

/// An SVG has the pixels of the PNG, of the data alone, and its words as text.
#[test]
fn an_svg_has_text_around_the_same_pixels() {
    let values = [0, 1, 2, 3];
    let map = map(Cells::Values(&values), 2, 2);
    let whole = Picture::decode(&heat_map(&map).unwrap());
    let svg = String::from_utf8(heat_map_svg(&map).unwrap()).unwrap();
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"));
    assert!(svg.contains(">A title</text>") && svg.contains(">b</text>"));
    let image = svg.split("base64,").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let inside = Picture::decode(&unbase64(image));
    assert_eq!((inside.width, inside.height), (1000, 1000));
    for (x, y) in [(0, 0), (999, 999), (499, 500), (500, 499), (250, 750)] {
        assert_eq!(inside.at(x, y), whole.at(96 + x, 56 + y));
    }
    let points = [(0.0, 0.0), (10.0, 7.0)];
    let lines = [Line { slope: 0.5, offset: 0.0, label: "n/2 & more" }];
    let plot = Scatter {
        title: "T",
        x_label: "n",
        y_label: "g(n)",
        points: &points,
        points_label: "g",
        lines: &lines,
    };
    let svg = String::from_utf8(scatter_svg(&plot).unwrap()).unwrap();
    assert!(svg.contains(">n/2 &amp; more</text>") && svg.contains("rotate(-90"));
}

/// Four letters as three bytes.
fn unbase64(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => 0,
    };
    let mut bytes = Vec::new();
    for four in text.as_bytes().chunks(4) {
        let bits = four.iter().fold(0u32, |bits, &letter| bits << 6 | u32::from(value(letter)));
        let padding = four.iter().filter(|&&letter| letter == b'=').count();
        bytes.extend_from_slice(&bits.to_be_bytes()[1..4 - padding]);
    }
    bytes
}
