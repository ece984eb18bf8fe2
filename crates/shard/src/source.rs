//! Where the bytes of a shard come from.

use std::io;

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

/// All that is in memory, or mapped there.
impl<B: AsRef<[u8]> + ?Sized> Source for B {
    fn length(&self) -> u64 {
        self.as_ref().len() as u64
    }

    fn range<'a>(&'a self, at: u64, count: usize, _: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        let start = usize::try_from(at).ok();
        let end = start.and_then(|start| start.checked_add(count));
        (start.zip(end))
            .and_then(|(start, end)| self.as_ref().get(start..end))
            .ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}
