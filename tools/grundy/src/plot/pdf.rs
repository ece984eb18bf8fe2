//! A picture as PDF: the rectangles and texts of the SVG, in a file of one page.

use std::fmt::Write as _;

use super::canvas::{Canvas, Colour, Surface};
use super::font::HEIGHT;
use super::svg::shapes;

/// The page. A point is a pixel, and y grows downwards, as in the other formats.
pub(crate) struct Pdf {
    width: usize,
    height: usize,
    content: String,
    image: Option<String>,
    pixels: Vec<u8>,
}

impl Pdf {
    fn colour(&mut self, colour: Colour) {
        let [red, green, blue] = colour.map(|part| f64::from(part) / 255.0);
        let _ = writeln!(self.content, "{red:.3} {green:.3} {blue:.3} rg");
    }

    /// Writes text along the axes of `turn`. A letter of Courier is 0.6 times as wide as its size.
    fn words(&mut self, turn: &str, [x, y]: [usize; 2], scale: usize, text: &str) {
        let mut letters = String::new();
        for letter in text.chars() {
            // The encoding has the letters of Latin-1.
            let code = u8::try_from(u32::from(letter)).unwrap_or(b'?');
            let _ = write!(letters, "\\{code:03o}");
        }
        let size = 10 * scale;
        let _ = writeln!(self.content, "0 g BT /F {size} Tf {turn} {x} {y} Tm ({letters}) Tj ET");
    }
}

impl Surface for Pdf {
    fn new(width: usize, height: usize) -> Pdf {
        let content = format!("1 0 0 -1 0 {height} cm\n");
        Pdf { width, height, content, image: None, pixels: Vec::new() }
    }

    fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, colour: Colour) {
        self.colour(colour);
        let _ = writeln!(self.content, "{x} {y} {width} {height} re f");
    }

    fn text(&mut self, x: usize, y: usize, scale: usize, text: &str) {
        self.words("1 0 0 -1", [x, y + scale * HEIGHT], scale, text);
    }

    fn text_upwards(&mut self, x: usize, y: usize, scale: usize, text: &str) {
        self.words("0 -1 -1 0", [x + scale * HEIGHT, y], scale, text);
    }

    fn image(&mut self, x: usize, y: usize, image: &Canvas) -> anyhow::Result<()> {
        if let Some(shapes) = shapes(image) {
            for (colour, rectangles) in shapes {
                self.colour(colour);
                for [left, top, width, height] in rectangles {
                    let _ = writeln!(self.content, "{} {} {width} {height} re", x + left, y + top);
                }
                self.content.push_str("f\n");
            }
            return Ok(());
        }
        let (width, height) = image.size();
        let bottom = y + height;
        let _ = writeln!(self.content, "q {width} 0 0 -{height} {x} {bottom} cm /I Do Q");
        // A PDF can contain the compressed rows of a PNG. A chunk has its length, its name, its
        // data and a checksum.
        let png = image.to_png()?;
        let mut rest = &png[8..];
        while let Some((length, after)) = rest.split_first_chunk::<4>() {
            let (name, after) = after.split_at(4);
            let (data, after) = after.split_at(u32::from_be_bytes(*length) as usize);
            if name == b"IDAT" {
                self.pixels.extend_from_slice(data);
            }
            rest = &after[4..];
        }
        self.image = Some(format!(
            "/Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /DeviceRGB \
             /BitsPerComponent 8 /Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors 3 \
             /Columns {width} >>"
        ));
        Ok(())
    }

    fn finish(self) -> anyhow::Result<Vec<u8>> {
        let Pdf { width, height, content, image, pixels } = self;
        let pictures = if image.is_some() { " /XObject << /I 6 0 R >>" } else { "" };
        let mut objects = vec![
            ("/Type /Catalog /Pages 2 0 R".to_owned(), None),
            ("/Type /Pages /Kids [3 0 R] /Count 1".to_owned(), None),
            (
                format!(
                    "/Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 4 0 R \
                     /Resources << /Font << /F 5 0 R >>{pictures} >>"
                ),
                None,
            ),
            (String::new(), Some(content.into_bytes())),
            (
                "/Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding"
                    .to_owned(),
                None,
            ),
        ];
        objects.extend(image.map(|image| (image, Some(pixels))));
        let mut file = b"%PDF-1.4\n".to_vec();
        let mut places = String::new();
        for (number, (entries, stream)) in (1..).zip(&objects) {
            // Each line of the table of places has twenty bytes.
            let _ = writeln!(places, "{:010} 00000 n ", file.len());
            let length =
                stream.as_ref().map_or(String::new(), |data| format!(" /Length {}", data.len()));
            file.extend(format!("{number} 0 obj\n<< {entries}{length} >>\n").into_bytes());
            if let Some(data) = stream {
                file.extend_from_slice(b"stream\n");
                file.extend_from_slice(data);
                file.extend_from_slice(b"\nendstream\n");
            }
            file.extend_from_slice(b"endobj\n");
        }
        let (start, count) = (file.len(), objects.len() + 1);
        let end = format!(
            "xref\n0 {count}\n0000000000 65535 f \n{places}trailer\n<< /Size {count} /Root 1 0 R >>\n\
             startxref\n{start}\n%%EOF\n"
        );
        file.extend(end.into_bytes());
        Ok(file)
    }
}
