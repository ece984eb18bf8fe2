//! Publishes files atomically: a file appears under its name as a whole or not at all.
//!
//! The bytes are written to a temporary file in the same folder and forced to disk. Only then is
//! the file renamed. Finally the folder is forced to disk, because otherwise a loss of power could
//! undo the rename. Readers always see a whole file under the name. If a process is killed in
//! between, a temporary file remains. No reader opens it, and [`of_temporary`] recognises it.

use std::fmt;
use std::fs::{self, File, FileType, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::disk::{Disk, FileSystem};

const MARK: &str = ".tmp-";

/// Writes `bytes` to a new file at the [`target`] of `path`, and replaces an existing file.
///
/// After an error no temporary file is left. `path` is unchanged, with one exception: if only the
/// last step fails, `path` is the new file but may not survive a loss of power.
pub fn publish(path: &Path, bytes: &[u8]) -> io::Result<()> {
    publish_on(&FileSystem, &target(path)?, bytes)
}

/// Returns the file to write for `path`. Follows symbolic links, even if the target of the last
/// link does not exist yet.
///
/// # Errors
/// The errors of the system, and [`io::ErrorKind::InvalidInput`] for a pipe, a device or a folder.
pub fn target(path: &Path) -> io::Result<PathBuf> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => fs::canonicalize(path),
        Ok(found) => {
            let text =
                format!("it is {}, not a regular file; choose another", called(found.file_type()));
            Err(io::Error::new(io::ErrorKind::InvalidInput, text))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // The target does not exist, so the chain of links is finite.
            let mut end = path.to_owned();
            while let Ok(next) = fs::read_link(&end) {
                end = folder_of(&end).join(next);
            }
            Ok(end)
        }
        Err(error) => Err(error),
    }
}

fn called(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    if kind.is_dir() { "a folder" } else { "something else" }
}

/// Publishes on the given disk. If `path` is a link, replaces the link and does not follow it.
pub fn publish_on(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (temporary, mut file) = create_temporary(path, |path| disk.create(path))?;
    let temporary = Temporary { disk, path: Some(temporary) };
    file.write_all(bytes)?;
    file.sync()?;
    // Some systems cannot rename open files.
    drop(file);
    temporary.rename(path)?;
    disk.sync_folder(folder_of(path))
}

/// A file that is written in pieces, because it is too large for memory. It has a temporary name
/// until [`finish`](Publication::finish). Dropping an unfinished publication removes the file.
pub struct Publication {
    path: PathBuf,
    temporary: Temporary<'static>,
    file: File,
}

impl fmt::Debug for Publication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Publication").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Publication {
    /// Creates a temporary file next to the [`target`] of `path`. Leaves `path` unchanged.
    pub fn create(path: &Path) -> io::Result<Publication> {
        let path = target(path)?;
        let create = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
        let (temporary, file) = create_temporary(&path, create)?;
        let temporary = Temporary { disk: &FileSystem, path: Some(temporary) };
        Ok(Publication { path, temporary, file })
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Forces the file to disk, and renames it. Replaces an existing file.
    pub fn finish(self) -> io::Result<()> {
        let Publication { path, temporary, file } = self;
        file.sync_all()?;
        // Some systems cannot rename open files.
        drop(file);
        temporary.rename(&path)?;
        FileSystem.sync_folder(folder_of(&path))
    }
}

/// Returns the final name of a temporary file of [`publish`], or `None` for any other name. If no
/// process is publishing in the folder, a killed process left the temporary file. Then the next
/// process that publishes under the final name may remove it.
pub fn of_temporary(name: &str) -> Option<&str> {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (name, unique) = name.rsplit_once(MARK).filter(|(name, _)| !name.is_empty())?;
    let (process, count) = unique.split_once('-')?;
    (number(process) && number(count)).then_some(name)
}

/// Creates a folder and its parents, and forces each new name to disk. Otherwise a loss of power
/// could lose files that are published in the folder.
pub fn create_folder(path: &Path) -> io::Result<()> {
    create_folder_on(&FileSystem, path)
}

/// Does the same as [`create_folder`], on the given disk.
pub fn create_folder_on(disk: &dyn Disk, path: &Path) -> io::Result<()> {
    let above = folder_of(path);
    if disk.is_folder(path) {
        // The process that created the folder may have been killed before it synced the name.
        return match disk.sync_folder(above) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
            synced => synced,
        };
    }
    if path.parent().is_some() {
        create_folder_on(disk, above)?;
    }
    match disk.create_folder(path) {
        // Another process created the folder first.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && disk.is_folder(path) => {
            Ok(())
        }
        Err(error) => Err(error),
        Ok(()) => disk.sync_folder(above),
    }
}

/// Opens a regular file, or a link to one. Returns the file and its length, or returns
/// [`io::ErrorKind::InvalidInput`] for anything else, because opening a pipe may block forever.
pub fn open_regular(path: &Path) -> io::Result<(File, u64)> {
    check_regular(path)?;
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    Ok((file, length))
}

/// Returns an error if the path exists but is not a regular file.
pub fn check_regular(path: &Path) -> io::Result<()> {
    FileSystem.length(path).map(drop)
}

/// Reads a regular file, or returns [`io::ErrorKind::InvalidData`] if it exceeds `most` bytes.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    FileSystem.read(path, most)
}

struct Temporary<'a> {
    disk: &'a dyn Disk,
    path: Option<PathBuf>,
}

impl Temporary<'_> {
    fn rename(mut self, to: &Path) -> io::Result<()> {
        if let Some(path) = &self.path {
            self.disk.rename(path, to)?;
        }
        self.path = None;
        Ok(())
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // Ignore this error: the caller already gets a more useful error.
            let _ = self.disk.remove(path);
        }
    }
}

/// Creates a new file next to `path`. Returns its path, and the result of `create`.
fn create_temporary<F>(
    path: &Path,
    create: impl Fn(&Path) -> io::Result<F>,
) -> io::Result<(PathBuf, F)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = path
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let mut name = name.to_os_string();
        name.push(format!("{MARK}{}-{count}", process::id()));
        let temporary = path.with_file_name(name);
        match create(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            // A process with the same id created this file, earlier or on another machine.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Returns the folder of a file, or `.` if the path is only a name.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_bare_name_is_this_one() {
        assert_eq!(folder_of(Path::new("a.zst")), Path::new("."));
        assert_eq!(folder_of(Path::new("b/a.zst")), Path::new("b"));
        assert_eq!(folder_of(Path::new("/a.zst")), Path::new("/"));
    }
}
