//! Decodes pictures and compares their pixels. (The tests of `export` draw the pictures of the
//! documents again. `cases/exports.md` checks the places of axes and letters.)

use ct_codecs::{Base64, Decoder as _};

use super::{Cells, HeatMap, Line, PictureFormat, Scatter};

fn heat_map(map: &HeatMap<'_>) -> Picture {
    Picture::decode(&super::heat_map(map, PictureFormat::Png).unwrap())
}

fn heat_map_svg(map: &HeatMap<'_>) -> String {
    String::from_utf8(super::heat_map(map, PictureFormat::Svg).unwrap()).unwrap()
}

fn scatter(plot: &Scatter<'_>) -> Picture {
    Picture::decode(&super::scatter(plot, PictureFormat::Png).unwrap())
}

fn scatter_svg(plot: &Scatter<'_>) -> String {
    String::from_utf8(super::scatter(plot, PictureFormat::Svg).unwrap()).unwrap()
}

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
}

fn map(cells: Cells<'_>, rows: usize, cols: usize) -> HeatMap<'_> {
    HeatMap {
        title: "A title",
        x_label: "b",
        y_label: "a",
        rows,
        cols,
        first: 1,
        cells,
        excluded: &[],
    }
}

fn plot<'a>(points: &'a [(f64, f64)], lines: &'a [Line<'a>]) -> Scatter<'a> {
    Scatter { title: "T", x_label: "n", y_label: "g(n)", points, points_label: "g", lines }
}

#[test]
fn cells_have_their_colours() {
    let values = [0, 1, 2, 3];
    let picture = heat_map(&map(Cells::Values(&values), 2, 2));
    // Each cell is 500 pixels wide and high, and the first cell begins at (96, 56).
    assert_eq!(picture.at(96 + 250, 56 + 250), [68, 1, 84]);
    assert_eq!(picture.at(96 + 750, 56 + 750), [253, 231, 37]);
    assert_ne!(picture.at(96 + 750, 56 + 250), picture.at(96 + 250, 56 + 750));
    assert!(picture.width > 1100 && picture.height > 1100);
}

#[test]
fn no_difference_is_white() {
    let values = [0, 5, -5, 0];
    let picture = heat_map(&map(Cells::Differences(&values), 2, 2));
    assert_eq!(picture.at(96 + 250, 56 + 250), [255, 255, 255]);
    let (above, below) = (picture.at(96 + 750, 56 + 250), picture.at(96 + 250, 56 + 750));
    assert!(above[0] > above[2] && below[2] > below[0], "{above:?} {below:?}");
    // The largest absolute value is 3, so 1 is half way from pale to dark: ln(1 + 1) / ln(1 + 3) =
    // 1/2.
    let values = [1, 3, -3, -1];
    let picture = heat_map(&map(Cells::Differences(&values), 2, 2));
    let at = |x: usize, y: usize| picture.at(96 + x, 56 + y);
    assert_eq!([at(250, 250), at(750, 250)], [[192, 108, 108], [130, 8, 24]]);
    assert_eq!([at(250, 750), at(750, 750)], [[8, 30, 120], [103, 125, 183]]);
}

#[test]
fn odd_input_causes_no_panic() {
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
        scatter(&plot);
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
        excluded: &[],
    };
    heat_map(&odd);
    heat_map(&HeatMap { cells: Cells::Values(&[u32::MAX; 4]), ..odd });
}

/// An SVG has the same data pixels as the PNG. Its titles and labels are text.
#[test]
fn an_svg_has_text_around_the_same_pixels() {
    let values = [0, 1, 2, 3];
    let map = map(Cells::Values(&values), 2, 2);
    let whole = heat_map(&map);
    let svg = heat_map_svg(&map);
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"));
    assert!(svg.contains(">A title</text>") && svg.contains(">b</text>"));
    // The cells are four squares of 500 pixels.
    for (x, y) in [(0, 0), (500, 0), (0, 500), (500, 500)] {
        let (x, y) = (96 + x, 56 + y);
        let [red, green, blue] = whole.at(x + 250, y + 250);
        let colour = format!("<path fill=\"#{red:02x}{green:02x}{blue:02x}\"");
        let path = svg.lines().find(|line| line.starts_with(&colour)).unwrap();
        assert!(path.contains(&format!("M{x} {y}h500v500h-500z")), "{path}");
    }
    // Many cells are pixels of a PNG.
    let values: Vec<u32> = (0..200 * 200).map(|at| at % 7).collect();
    let many = self::map(Cells::Values(&values), 200, 200);
    let (whole, svg) = (heat_map(&many), heat_map_svg(&many));
    let image = svg.split("base64,").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let inside = Picture::decode(&Base64::decode_to_vec(image, None).unwrap());
    assert_eq!((inside.width, inside.height), (1000, 1000));
    for (x, y) in [(0, 0), (999, 999), (499, 500), (500, 499), (250, 750)] {
        assert_eq!(inside.at(x, y), whole.at(96 + x, 56 + y));
    }
    let points = [(0.0, 0.0), (10.0, 7.0)];
    let lines = [Line { slope: 0.5, offset: 0.0, label: "n/2 & more" }];
    let plot = plot(&points, &lines);
    let svg = scatter_svg(&plot);
    assert!(svg.contains(">n/2 &amp; more</text>") && svg.contains("rotate(-90"));
}

/// The table of places in a PDF says where its objects begin. Few cells are rectangles.
#[test]
fn a_pdf_has_its_objects_where_it_says() {
    let many: Vec<u32> = (0..200 * 200).map(|at| at % 7).collect();
    for (values, side, objects) in [(&[0, 1, 2, 3][..], 2, 5), (&many, 200, 6)] {
        let map = map(Cells::Values(values), side, side);
        let pdf = super::heat_map(&map, PictureFormat::Pdf).unwrap();
        let text = String::from_utf8_lossy(&pdf);
        let start: usize = text.lines().rev().nth(1).unwrap().parse().unwrap();
        let table = std::str::from_utf8(&pdf[start..]).unwrap();
        let places: Vec<usize> = table
            .lines()
            .filter_map(|line| line.strip_suffix(" 00000 n "))
            .map(|place| place.parse().unwrap())
            .collect();
        assert_eq!(places.len(), objects);
        for (number, place) in (1..).zip(places) {
            assert!(pdf[place..].starts_with(format!("{number} 0 obj\n").as_bytes()));
        }
        assert_eq!(text.contains("96 56 500 500 re\n"), side == 2);
        assert_eq!(text.contains("/Predictor 15"), side == 200);
        assert!(text.contains("(\\101\\040\\164\\151\\164\\154\\145) Tj"), "{text}");
    }
}

/// If a side has more than a thousand cells, a pixel shows the first of several cells.
#[test]
fn a_pixel_of_a_large_map_is_one_of_its_cells() {
    let mut values = vec![0; 1500];
    values[700] = 1;
    let picture = heat_map(&map(Cells::Values(&values), 1, 1500));
    assert_eq!((picture.width, picture.height), (96 + 750 + 150, 56 + 200 + 76));
    let bright: Vec<usize> =
        (0..750).filter(|&x| picture.at(96 + x, 56) == [253, 231, 37]).collect();
    assert_eq!(bright, [350]);
    // With up to a thousand cells, the side of each cell is a whole number of pixels.
    for (cols, width) in [(1000, 1000), (999, 999), (500, 1000), (499, 998), (1001, 501)] {
        let picture = heat_map(&map(Cells::Values(&vec![1; cols]), 1, cols));
        assert_eq!(picture.width, 96 + width + 150, "{cols}");
    }
}
