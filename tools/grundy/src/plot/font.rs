//! Dot-matrix letters. A letter has five columns of seven dots. Bit 0 of a column is its top dot.

pub(crate) const WIDTH: usize = 5;
pub(crate) const HEIGHT: usize = 7;

/// The characters from the space to the tilde, sixteen in each line of the file, then è.
const LETTERS: &str = include_str!("letters.txt");

/// Returns the columns of è or of a character in printable ASCII, or of a box for any other.
pub(crate) fn glyph(character: char) -> [u8; WIDTH] {
    let code = if character == 'è' { 0x7F } else { character as usize };
    let place = code.checked_sub(0x20).filter(|&place| place < 96 && character != '\u{7f}');
    let Some(place) = place else {
        return [0x7F, 0x41, 0x41, 0x41, 0x7F];
    };
    let mut columns = [0; WIDTH];
    let lines = LETTERS.lines().skip(place / 16 * (HEIGHT + 1)).take(HEIGHT);
    for (row, line) in lines.enumerate() {
        let dots = line.bytes().skip(place % 16 * (WIDTH + 1));
        for (column, dot) in columns.iter_mut().zip(dots) {
            *column |= u8::from(dot == b'#') << row;
        }
    }
    columns
}

/// Returns the number of dots by which to lower a letter with a tail, such as g.
pub(crate) fn below_the_line(character: char) -> usize {
    if "gpqy".contains(character) { 2 } else { 0 }
}
