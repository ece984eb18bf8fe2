//! The file of a shard: mapped into memory, or read when needed.
//!
//! Mapping is the default. It is faster, because a look-up needs no system call. But if a mapped
//! file is truncated, or if its server becomes unreachable, an access to it ends the process with a
//! bus error, without a message. So files on remote file systems are read, and all other files too
//! if the caller chooses [`Access::Read`]. In both modes every frame is checked before its values
//! are returned.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use grundy_shard::publish::open_regular;
use grundy_shard::{Source, range_of, read_at};

use crate::map::Map;

/// The way in which the files of a database are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Maps files, except those on remote file systems.
    #[default]
    Mapped,
    /// Reads each frame with system calls. Opens the file each time, because a database may have
    /// more files than a process can have open.
    Read,
}

#[derive(Debug)]
pub(crate) enum ShardFile {
    Mapped(Map),
    Read { path: PathBuf, length: u64 },
}

impl ShardFile {
    pub(crate) fn open(path: &Path, access: Access) -> io::Result<ShardFile> {
        let (file, length) = open_regular(path)?;
        Ok(match access {
            Access::Mapped if !is_remote(&file, path) => ShardFile::Mapped(Map::of(&file, length)?),
            _ => ShardFile::Read { path: path.to_owned(), length },
        })
    }
}

impl Source for ShardFile {
    fn length(&self) -> u64 {
        match self {
            ShardFile::Mapped(map) => map.length(),
            // Get the current length, which the error message shows if the file was truncated.
            ShardFile::Read { path, length } => fs::metadata(path).map_or(*length, |now| now.len()),
        }
    }

    fn range<'a>(&'a self, at: u64, count: usize, room: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        match self {
            ShardFile::Mapped(map) => map.range(at, count, room),
            ShardFile::Read { path, length } => {
                // Check the range first, so that a wrong length cannot allocate much memory.
                range_of(at, count, *length)?;
                room.resize(count, 0);
                // Another file may have replaced this file. If its bytes differ, the checksums fail
                // later.
                let (file, _) = open_regular(path)?;
                read_at(&file, at, room)?;
                Ok(room)
            }
        }
    }
}

/// True if a file is on a file system of another machine or process, according to statfs(2).
#[cfg(target_os = "linux")]
fn is_remote(file: &File, _: &Path) -> bool {
    /// The numbers of these file systems. Most of them are in linux/magic.h.
    const REMOTE: [u32; 14] = [
        0x0000_6969, // nfs
        0x0000_517B, // smb
        0xFF53_4D42, // cifs
        0xFE53_4D42, // smb2
        0x0102_1997, // 9p
        0x6573_5546, // fuse: sshfs, s3fs, and others that may go away
        0x00C3_6400, // ceph
        0x5346_414F, // afs
        0x6B41_4653, // afs, as the kernel names it
        0x7375_7245, // coda
        0x0BD0_0BD0, // lustre
        0x4750_4653, // gpfs
        0x0116_1970, // gfs2
        0x1983_0326, // beegfs
    ];
    // A file is read, not mapped, if the system does not say.
    rustix::fs::fstatfs(file).map_or(true, |found| REMOTE.contains(&(found.f_type as u32)))
}

/// True if the system does not report the file system as local.
#[cfg(target_os = "macos")]
fn is_remote(file: &File, _: &Path) -> bool {
    /// MNT_LOCAL of sys/mount.h.
    const LOCAL: u32 = 0x1000;
    rustix::fs::fstatfs(file).map_or(true, |found| found.f_flags & LOCAL == 0)
}

/// True if the full path shows that the file is on a network share.
#[cfg(windows)]
fn is_remote(_: &File, path: &Path) -> bool {
    use std::path::{Component, Prefix};

    let Ok(path) = fs::canonicalize(path) else { return false };
    matches!(path.components().next(), Some(Component::Prefix(prefix))
        if matches!(prefix.kind(), Prefix::UNC(..) | Prefix::VerbatimUNC(..)))
}

#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
fn is_remote(_: &File, _: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapped_and_read_files_give_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let bytes: Vec<u8> = (0..=255).cycle().take(5000).collect();
        fs::write(&path, &bytes).unwrap();
        let mapped = ShardFile::open(&path, Access::Mapped).unwrap();
        let is_local = !is_remote(&File::open(&path).unwrap(), &path);
        assert_eq!(matches!(mapped, ShardFile::Mapped(_)), is_local);
        let mut room = Vec::new();
        for access in [Access::Mapped, Access::Read] {
            let file = ShardFile::open(&path, access).unwrap();
            assert_eq!(file.length(), 5000);
            for (at, count) in [(0, 0), (0, 5000), (4999, 1), (5000, 0), (256, 1024)] {
                let found = file.range(at as u64, count, &mut room).unwrap();
                assert_eq!(found, &bytes[at..at + count]);
            }
            for (at, count) in [(0, 5001), (5001, 0), (u64::MAX, 1), (1, usize::MAX)] {
                let error = file.range(at, count, &mut room).unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "{access:?} {at} {count}");
            }
        }
        fs::write(&path, "").unwrap();
        for access in [Access::Mapped, Access::Read] {
            assert_eq!(ShardFile::open(&path, access).unwrap().length(), 0);
        }
    }
}
