//! Sources of the bytes of shards.

use std::fs::File;
use std::io;
use std::ops::Range;

/// Bytes with random access by range: in memory, memory-mapped, in a file, or remote.
///
/// ```
/// use grundy_shard::Source;
///
/// let (bytes, mut room) = (b"bytes in memory", Vec::new());
/// assert_eq!(bytes.range(6, 2, &mut room)?, b"in");
/// assert!(bytes.range(6, 100, &mut room).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Source {
    /// Returns the total number of bytes. If the number changes later, `range` may return errors.
    fn length(&self) -> u64;

    /// Returns `count` bytes from `at` on. Borrows them from the source, or reads them into `room`.
    ///
    /// # Errors
    /// Errors of the source, and [`io::ErrorKind::UnexpectedEof`] if the source is too short.
    fn range<'a>(&'a self, at: u64, count: usize, room: &'a mut Vec<u8>) -> io::Result<&'a [u8]>;

    /// Drops cached bytes, because the caller found an error in them. Returns true if the caller
    /// should read them again.
    fn forget(&self) -> bool {
        false
    }
}

/// Returns the range of `count` bytes from `at` on. The source has `length` bytes.
///
/// # Errors
/// [`io::ErrorKind::UnexpectedEof`] if the range ends beyond `length`.
pub fn range_of(at: u64, count: usize, length: u64) -> io::Result<Range<u64>> {
    let end = at.checked_add(count as u64).filter(|end| *end <= length);
    end.map(|end| at..end).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

/// Bytes in memory, or mapped into memory.
impl<B: AsRef<[u8]> + ?Sized> Source for B {
    fn length(&self) -> u64 {
        self.as_ref().len() as u64
    }

    fn range<'a>(&'a self, at: u64, count: usize, _: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        let range = range_of(at, count, self.length())?;
        // Offsets into memory fit into `usize`.
        Ok(&self.as_ref()[range.start as usize..range.end as usize])
    }
}

/// Fills `room` with the bytes of a file from offset `at` on.
#[cfg(unix)]
pub fn read_at(file: &File, at: u64, room: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, room, at)
}

/// Fills `room` with the bytes of a file from offset `at` on. Moves the file's cursor.
#[cfg(windows)]
pub fn read_at(file: &File, mut at: u64, mut room: &mut [u8]) -> io::Result<()> {
    use std::os::windows::fs::FileExt;

    while !room.is_empty() {
        let count = file.seek_read(room, at)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        room = &mut room[count..];
        at += count as u64;
    }
    Ok(())
}

/// Returns an error, because this platform has no files.
#[cfg(not(any(unix, windows)))]
pub fn read_at(_: &File, _: u64, _: &mut [u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
