//! A file as a slice of bytes: the only mmap, and the only unsafe code, of this crate.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// A shard's file, mapped read-only.
#[derive(Debug)]
pub(crate) struct Map(Option<Mmap>);

impl Map {
    /// Maps a file of some length. The descriptor may be closed again; the mapping stays.
    pub(crate) fn of(file: &File, length: u64) -> io::Result<Map> {
        if length == 0 {
            // An empty range cannot be mapped; as a shard it is refused anyway.
            return Ok(Map(None));
        }
        // SAFETY: the slice is only sound while nobody changes the file under it. The
        // builder never writes into a shard: it publishes a new file and renames it
        // over the old name, which leaves the mapped one as it was. A user who edits
        // or truncates a shard in place while it is mapped breaks that; truncation ends
        // the process with a bus error, and changed bytes fail the frame's checksum,
        // because a frame is copied out by decompression and checked before use. Who cannot
        // promise that reads instead of mapping (`Access::Read`).
        let map = unsafe { Mmap::map(file)? };
        expect_jumps(&map);
        Ok(Map(Some(map)))
    }
}

/// Lookups jump; reading ahead would only fill the page cache. A hint, so an error in it is no
/// error.
#[cfg(unix)]
fn expect_jumps(map: &Mmap) {
    let _ = map.advise(memmap2::Advice::Random);
}

/// Elsewhere there is nobody to tell.
#[cfg(not(unix))]
fn expect_jumps(_: &Mmap) {}

impl AsRef<[u8]> for Map {
    fn as_ref(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }
}
