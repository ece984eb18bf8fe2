//! Decodes pictures and compares their pixels.

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

    fn count(&self, colour: [u8; 3]) -> usize {
        self.pixels.chunks_exact(3).filter(|pixel| *pixel == colour).count()
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
    // Each cell has 500 pixels, and the first begins at (96, 56).
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
    // By hand: the largest size is 3, and ln 2 / ln 4 is half way from pale to dark.
    let values = [1, 3, -3, -1];
    let picture = heat_map(&map(Cells::Differences(&values), 2, 2));
    let at = |x: usize, y: usize| picture.at(96 + x, 56 + y);
    assert_eq!([at(250, 250), at(750, 250)], [[192, 108, 108], [130, 8, 24]]);
    assert_eq!([at(250, 750), at(750, 750)], [[8, 30, 120], [103, 125, 183]]);
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

/// An SVG has the same data pixels as the PNG, and its titles and labels as text.
#[test]
fn an_svg_has_text_around_the_same_pixels() {
    let values = [0, 1, 2, 3];
    let map = map(Cells::Values(&values), 2, 2);
    let whole = heat_map(&map);
    let svg = heat_map_svg(&map);
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
    let plot = plot(&points, &lines);
    let svg = scatter_svg(&plot);
    assert!(svg.contains(">n/2 &amp; more</text>") && svg.contains("rotate(-90"));
}

/// A text in an SVG: x, y, size and content.
type Word<'a> = (usize, usize, usize, &'a str);

/// Returns the black rectangles of an SVG (ticks and frames), and its words.
fn drawn(svg: &str) -> (Vec<[usize; 4]>, Vec<Word<'_>>) {
    let value = |line: &str, name: &str| -> usize {
        let rest = line.split(&format!(" {name}=\"")).nth(1).expect("an attribute");
        rest.split('"').next().and_then(|number| number.parse().ok()).expect("a number")
    };
    let black = svg.lines().filter(|line| line.contains("fill=\"#000000\""));
    let black = black.map(|line| ["x", "y", "width", "height"].map(|name| value(line, name)));
    let words = svg.lines().filter(|line| line.starts_with("<text"));
    let words = words.map(|line| {
        let text = line.split('>').nth(1).and_then(|rest| rest.split('<').next()).expect("a text");
        (value(line, "x"), value(line, "y"), value(line, "font-size"), text)
    });
    (black.collect(), words.collect())
}

/// Positions by hand. The data take 1000 by 640 pixels from (130, 56) on. x runs from 0 to 10 over
/// 999 pixels, and y upwards from 0 to 104 (a twenty-fifth above the largest y) over 639. A letter
/// is five dots wide and seven high, a dot has two pixels, and one dot separates letters.
#[test]
fn points_stand_where_their_axes_say() {
    let lines = [Line { slope: 0.5, offset: 0.0, label: "n/2" }];
    let points = [(0.0, 0.0), (10.0, 100.0)];
    let plot = plot(&points, &lines);
    let svg = scatter_svg(&plot);
    assert!(svg.contains("width=\"1170\" height=\"772\" viewBox=\"0 0 1170 772\""));
    let (black, words) = drawn(&svg);
    let below = [130, 329, 529, 729, 929, 1129].map(|x| [x, 697, 1, 6]);
    let beside = [695, 572, 449, 326, 203, 80].map(|y| [123, y, 6, 1]);
    let frame = [[129, 55, 1002, 1], [129, 696, 1002, 1], [129, 55, 1, 642], [1130, 55, 1, 642]];
    assert_eq!(black, [&below[..], &beside, &frame].concat());
    let expected = [
        (125, 722, 20, "0"),
        (324, 722, 20, "2"),
        (524, 722, 20, "4"),
        (724, 722, 20, "6"),
        (924, 722, 20, "8"),
        (1118, 722, 20, "10"),
        (106, 702, 20, "0"),
        (94, 579, 20, "20"),
        (94, 456, 20, "40"),
        (94, 333, 20, "60"),
        (94, 210, 20, "80"),
        (82, 87, 20, "100"),
        (623, 38, 30, "T"),
        (625, 746, 20, "n"),
        (26, 399, 20, "g(n)"),
        (184, 88, 20, "g"),
        (184, 112, 20, "n/2"),
    ];
    assert_eq!(words, expected);
    assert!(svg.contains("rotate(-90 26 399)"));
    for legend in [
        "x=\"148\" y=\"78\" width=\"24\" height=\"6\"",
        "x=\"148\" y=\"104\" width=\"24\" height=\"2\"",
    ] {
        assert!(svg.contains(legend), "{legend}");
    }
    let picture = scatter(&plot);
    let at = |x: usize, y: usize| picture.at(130 + x, 56 + y);
    let (point, line, grid) = ([31, 83, 156], [208, 74, 32], [226, 226, 226]);
    assert_eq!([at(0, 638), at(1, 639), at(998, 24), at(999, 25)], [point; 4]);
    // At 500 pixels n/2 is 2.5025, which is 623.6 pixels down.
    assert_eq!([at(500, 622), at(500, 623), at(500, 624)], [[255; 3], line, line]);
    assert_eq!(
        [at(199, 10), at(10, 516), at(198, 10), at(10, 515)],
        [grid, grid, [255; 3], [255; 3]]
    );
    // The axes do not begin at 0: x runs from 2 to 12, and y from 10 to 114.
    let points = [(2.0, 10.0), (12.0, 110.0)];
    let svg = scatter_svg(&Scatter { points: &points, ..plot });
    let (black, words) = drawn(&svg);
    let beside = [633, 510, 387, 264, 142].map(|y| [123, y, 6, 1]);
    assert_eq!(black[..11], [&below[..], &beside].concat());
    assert_eq!((words[0].3, words[5].3, words[6].3, words[10].3), ("2", "12", "20", "100"));
    // At 500 pixels 10n is 70.05, which is 270.03 pixels down.
    let steep = [Line { slope: 10.0, offset: 0.0, label: "10n" }];
    let steep = Scatter { points: &points, lines: &steep, ..plot };
    let picture = scatter(&steep);
    let at = |x: usize, y: usize| picture.at(130 + x, 56 + y);
    assert_eq!([at(500, 269), at(500, 270), at(500, 271)], [[255; 3], line, line]);
    // A title has room for 1150 pixels, and 64 letters of three pixels a dot take 1149.
    for (letters, size) in [(64, 30), (65, 20)] {
        let title = "x".repeat(letters);
        let svg = scatter_svg(&Scatter { title: &title, ..plot });
        let (_, words) = drawn(&svg);
        assert!(words.iter().any(|word| (word.2, word.3) == (size, &title[..])), "{letters}");
    }
    // A point has four pixels, or one if there are many points. The legend's point has 24 by 6.
    for (count, pixels) in [(20_000, 4), (20_001, 1)] {
        let points = vec![(5.0, 5.0); count];
        let picture = scatter(&Scatter { points: &points, lines: &[], ..plot });
        assert_eq!(picture.count(point), 24 * 6 + pixels);
    }
}

/// By hand: cells have 500 pixels and begin at (96, 56). The bar is 28 pixels beside the cells and
/// 26 wide, and its values run upwards over 999 pixels.
#[test]
fn a_map_has_its_axes_and_its_bar() {
    let values = [0, 1, 2, 4];
    let svg = heat_map_svg(&map(Cells::Values(&values), 2, 2));
    assert!(svg.contains("width=\"1246\" height=\"1132\" viewBox=\"0 0 1246 1132\""));
    let (black, words) = drawn(&svg);
    let map_frame =
        [[95, 55, 1002, 1], [95, 1056, 1002, 1], [95, 55, 1, 1002], [1096, 55, 1, 1002]];
    let axes = [[346, 1057, 1, 6], [846, 1057, 1, 6], [89, 306, 6, 1], [89, 806, 6, 1]];
    let bar_frame =
        [[1123, 55, 28, 1], [1123, 1056, 28, 1], [1123, 55, 1, 1002], [1150, 55, 1, 1002]];
    let bar = [1055, 805, 555, 305, 56].map(|y| [1151, y, 6, 1]);
    assert_eq!(black, [&map_frame[..], &axes, &bar_frame, &bar].concat());
    let expected = [
        (535, 38, 30, "A title"),
        (341, 1082, 20, "1"),
        (841, 1082, 20, "2"),
        (72, 313, 20, "1"),
        (72, 813, 20, "2"),
        (596, 1106, 20, "b"),
        (24, 556, 20, "a"),
        (1162, 1062, 20, "0"),
        (1162, 812, 20, "1"),
        (1162, 562, 20, "2"),
        (1162, 312, 20, "3"),
        (1162, 63, 20, "4"),
    ];
    assert_eq!(words, expected);
    let picture = heat_map(&map(Cells::Values(&values), 2, 2));
    let near = |a: [u8; 3], b: [u8; 3]| a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 2);
    assert!(near(picture.at(1130, 56), [253, 231, 37]), "{:?}", picture.at(1130, 56));
    assert!(near(picture.at(1130, 1055), [68, 1, 84]), "{:?}", picture.at(1130, 1055));
    assert!(near(picture.at(1130, 805), picture.at(96 + 750, 56 + 250)));

    // Sizes have a logarithmic scale from the middle in both directions: 1 is at ln 2 / ln 6 =
    // 0.387 of the way, and 4 is at ln 5 / ln 6 = 0.898.
    let values = [0, 5, -5, 0];
    let map = map(Cells::Differences(&values), 2, 2);
    let svg = heat_map_svg(&map);
    let (black, words) = drawn(&svg);
    assert_eq!(black[12..], [555, 362, 748, 106, 1004].map(|y| [1151, y, 6, 1]));
    let signs: Vec<&str> = words[7..].iter().map(|word| word.3).collect();
    assert_eq!(signs, ["0", "1", "-1", "4", "-4"]);
    let picture = heat_map(&map);
    assert_eq!(picture.at(1130, 56), picture.at(96 + 750, 56 + 250));
    assert_eq!(picture.at(1130, 1055), picture.at(96 + 250, 56 + 750));
    assert_eq!(picture.at(1130, 555), [255; 3]);
}

/// By hand: the bar has four bands of 250 pixels, the first on top, each with its name beside it.
#[test]
fn classes_have_names_in_place_of_numbers() {
    let map = map(Cells::Classes(&[0, 1, 2, 3], &["L", "R", "N", "P"]), 2, 2);
    let (svg, picture) = (heat_map_svg(&map), heat_map(&map));
    let (black, words) = drawn(&svg);
    assert_eq!(black[12..], [180, 430, 680, 930].map(|y| [1151, y, 6, 1]));
    assert_eq!(words[7..].iter().map(|word| word.3).collect::<Vec<_>>(), ["L", "R", "N", "P"]);
    let cells = [(250, 250), (750, 250), (250, 750), (750, 750)];
    for ((x, y), bar) in cells.into_iter().zip([180, 430, 680, 930]) {
        assert_eq!(picture.at(96 + x, 56 + y), picture.at(1130, bar));
    }
}

/// A pixel shows the first of several cells if a side has more than a thousand.
#[test]
fn a_pixel_of_a_large_map_is_one_of_its_cells() {
    let mut values = vec![0; 1500];
    values[700] = 1;
    let picture = heat_map(&map(Cells::Values(&values), 1, 1500));
    assert_eq!((picture.width, picture.height), (96 + 750 + 150, 56 + 200 + 76));
    let bright: Vec<usize> =
        (0..750).filter(|&x| picture.at(96 + x, 56) == [253, 231, 37]).collect();
    assert_eq!(bright, [350]);
    // Up to a thousand cells, each cell has one or more whole pixels.
    for (cols, width) in [(1000, 1000), (999, 999), (500, 1000), (499, 998), (1001, 501)] {
        let picture = heat_map(&map(Cells::Values(&vec![1; cols]), 1, cols));
        assert_eq!(picture.width, 96 + width + 150, "{cols}");
    }
}

/// Decodes four letters as three bytes.
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
