//! The tar of a list of files, in the only form that this crate writes and reads.
//!
//! A tar (POSIX ustar) has a header of 512 bytes before each file. Each file is padded with zeros
//! to a multiple of 512, and 1024 zeros end the tar. All headers are equal except for name, length
//! and checksum. So a reader computes each expected header, and compares every bit. Any tar program
//! can read the tar.

use std::collections::BTreeMap;

use crate::{MANIFEST_FILE, PackManifest};

/// The length of a header in bytes. Files are padded to a multiple of this length.
pub(crate) const BLOCK: u64 = 512;

/// The folder that contains all files of the tar. A tar program unpacks only into this folder.
pub(crate) const FOLDER: &str = "grundy-tables/";

pub(crate) const END: u64 = 2 * BLOCK;

/// A length with more than eleven octal digits is written in base 256, as in GNU tar.
const MOST_OCTAL: u64 = 1 << 33;

pub(crate) fn header(name: &str, bytes: u64, date: u64) -> [u8; BLOCK as usize] {
    let mut header = [0; BLOCK as usize];
    let mut put = |at: usize, text: &[u8]| header[at..at + text.len()].copy_from_slice(text);
    let full = format!("{FOLDER}{name}");
    // File names in a pack are short, so a name with its folder fits into 100 bytes.
    put(0, &full.as_bytes()[..full.len().min(100)]);
    put(100, b"0000644\0");
    put(108, b"0000000\0");
    put(116, b"0000000\0");
    put(124, &number(bytes));
    put(136, &number(date));
    // The checksum is computed while its own field contains spaces.
    put(148, b"        ");
    put(156, b"0");
    put(257, b"ustar\x0000");
    put(329, b"0000000\0");
    put(337, b"0000000\0");
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header
}

fn number(number: u64) -> [u8; 12] {
    let mut field = [0; 12];
    if number < MOST_OCTAL {
        field[..11].copy_from_slice(format!("{number:011o}").as_bytes());
    } else {
        field[0] = 0x80;
        field[4..].copy_from_slice(&number.to_be_bytes());
    }
    field
}

/// Returns the byte range of the first file, `pack.json`, from the first bytes of a pack's tar.
/// Returns `None` if this is not the tar of a pack.
pub fn first_file(beginning: &[u8]) -> Option<std::ops::Range<u64>> {
    let block = beginning.first_chunk()?;
    let (name, bytes, date) = read_header(block)?;
    let is_first = name.strip_prefix(FOLDER) == Some(MANIFEST_FILE);
    (is_first && *block == header(MANIFEST_FILE, bytes, date))
        .then(|| BLOCK..BLOCK.saturating_add(bytes))
}

impl PackManifest {
    /// Returns the offset of each data file in the tar of this pack. `text` is the content of
    /// `pack.json`. Returns `None` if the tar would be too long.
    pub fn places_in_tar(&self, text: &[u8]) -> Option<BTreeMap<String, u64>> {
        let sums = self.sums(text);
        let mut at = 0_u64;
        let mut places = BTreeMap::new();
        // Leave out the signature. Its length is unknown, but it is always the last file.
        for name in self.order(false) {
            let listed = self.files.get(&name).map(|file| file.bytes);
            let own = || match sums.iter().find(|(sums, _)| *sums == name) {
                Some((_, list)) => list.len() as u64,
                None => text.len() as u64,
            };
            let begins = at.checked_add(BLOCK)?;
            at = begins.checked_add(padded(listed.unwrap_or_else(own))?)?;
            places.insert(name, begins);
        }
        Some(places)
    }
}

/// Returns the name, length and date in a header; `None` if a field has another form.
pub(crate) fn read_header(header: &[u8; BLOCK as usize]) -> Option<(String, u64, u64)> {
    let name = &header[..100];
    let end = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
    let name = std::str::from_utf8(&name[..end]).ok()?;
    Some((name.to_owned(), read_number(&header[124..136])?, read_number(&header[136..148])?))
}

fn read_number(field: &[u8]) -> Option<u64> {
    if field[0] == 0x80 {
        return field[4..].try_into().ok().map(u64::from_be_bytes);
    }
    let digits = std::str::from_utf8(&field[..11]).ok()?;
    u64::from_str_radix(digits, 8).ok()
}

/// Returns the padded length of a file; `None` if it exceeds 64 bits.
pub(crate) fn padded(bytes: u64) -> Option<u64> {
    bytes.checked_next_multiple_of(BLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_back() {
        for bytes in [0, 1, 511, MOST_OCTAL - 1, MOST_OCTAL, u64::MAX] {
            let header = header("a-name.zst", bytes, 1_700_000_000);
            let read = read_header(&header);
            assert_eq!(read, Some(("grundy-tables/a-name.zst".to_owned(), bytes, 1_700_000_000)));
        }
    }

    /// The offsets of the fields come from POSIX.1-2017, pax, "ustar Interchange Format".
    #[test]
    fn fields_stand_where_ustar_has_them() {
        let header = header("x", 8, 9);
        assert_eq!(&header[..16], b"grundy-tables/x\0");
        assert_eq!(&header[124..136], b"00000000010\0");
        assert_eq!(&header[136..148], b"00000000011\0");
        assert_eq!((header[156], &header[257..265]), (b'0', &b"ustar\x0000"[..]));
        let spaces = header.iter().enumerate().map(|(at, &byte)| match at {
            148..156 => 32,
            _ => u32::from(byte),
        });
        let sum = spaces.sum::<u32>();
        assert_eq!(&header[148..156], format!("{sum:06o}\0 ").as_bytes());
    }
}
