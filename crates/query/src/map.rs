//! Maps a file as a slice of bytes. This is the only mmap, and the only unsafe code, in this crate.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use memmap2::Mmap;

#[derive(Debug)]
pub(crate) struct Map(Option<Mmap>);

impl Map {
    /// Maps a file of this length. The mapping stays valid after the file is closed.
    pub(crate) fn of(file: &File, length: u64) -> io::Result<Map> {
        if length == 0 {
            // An empty file cannot be mapped; no shard is empty.
            return Ok(Map(None));
        }
        // SAFETY: the slice is sound only while nobody changes the file. The builder never writes
        // into a shard. It publishes a new file and renames it over the old name, which leaves the
        // mapped file unchanged. A user who edits or truncates a mapped shard in place breaks this.
        // Truncation ends the process with a bus error. Changed bytes fail the frame's checksum,
        // because a frame is decompressed into a copy and checked before use. Users who cannot rule
        // out such changes choose `Access::Read`.
        let map = unsafe { Mmap::map(file)? };
        expect_jumps(&map);
        Ok(Map(Some(map)))
    }
}

/// Advises the system not to read ahead. Look-ups are at random places, so reading ahead would only
/// fill the page cache. The advice is optional, so errors are ignored.
#[cfg(unix)]
fn expect_jumps(map: &Mmap) {
    let _ = map.advise(memmap2::Advice::Random);
}

/// Does nothing, because other systems have no such advice.
#[cfg(not(unix))]
fn expect_jumps(_: &Mmap) {}

impl AsRef<[u8]> for Map {
    fn as_ref(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }
}
