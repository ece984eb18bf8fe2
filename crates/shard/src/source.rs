//! Where the bytes of a shard come from.

use std::fs::File;
use std::io;
use std::ops::Range;

/// Bytes that are read in ranges: in memory, mapped, of a file, from far away.
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
    /// How many bytes there are. A source that changes its length has errors in `range`.
    fn length(&self) -> u64;

    /// `count` bytes from `at` on: where they lie, or read into `room`.
    ///
    /// # Errors
    /// Those of the source, and [`io::ErrorKind::UnexpectedEof`] if it has fewer bytes.
    fn range<'a>(&'a self, at: u64, count: usize, room: &'a mut Vec<u8>) -> io::Result<&'a [u8]>;

    /// Told that its bytes are wrong, it forgets what it keeps of them. Says whether to read them
    /// again: they may be others then.
    fn forget(&self) -> bool {
        false
    }
}

/// The places of `count` bytes from `at` on, among `length` bytes.
///
/// # Errors
/// [`io::ErrorKind::UnexpectedEof`] if there are fewer: no length that is stated is believed.
pub fn range_of(at: u64, count: usize, length: u64) -> io::Result<Range<u64>> {
    let end = at.checked_add(count as u64).filter(|end| *end <= length);
    end.map(|end| at..end).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

/// All that is in memory, or mapped there.
impl<B: AsRef<[u8]> + ?Sized> Source for B {
    fn length(&self) -> u64 {
        self.as_ref().len() as u64
    }

    fn range<'a>(&'a self, at: u64, count: usize, _: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        let range = range_of(at, count, self.length())?;
        // What is in memory has places of this size.
        Ok(&self.as_ref()[range.start as usize..range.end as usize])
    }
}

/// Fills `room` with the bytes of a file from a place on.
#[cfg(unix)]
pub fn read_at(file: &File, at: u64, room: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, room, at)
}

/// Fills `room` with the bytes of a file from a place on; the file's own place moves.
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

/// Elsewhere there are no files.
#[cfg(not(any(unix, windows)))]
pub fn read_at(_: &File, _: u64, _: &mut [u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
