//! A file system whose failures a test chooses.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use grundy_shard::disk::{Disk, FileSystem, NewFile};

/// The real file system, with a function that is called before each step. The function receives the
/// name of the method and the path, and can return an error.
#[derive(Debug)]
pub struct Hindered<F>(pub F);

impl<F: Fn(&str, &Path) -> io::Result<()> + Sync> Disk for Hindered<F> {
    fn create(&self, path: &Path) -> io::Result<Box<dyn NewFile + '_>> {
        self.0("create", path).and_then(|()| FileSystem.create(path))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.0("rename", to).and_then(|()| FileSystem.rename(from, to))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.0("remove", path).and_then(|()| FileSystem.remove(path))
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.0("create_folder", path).and_then(|()| FileSystem.create_folder(path))
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.0("sync_folder", folder).and_then(|()| FileSystem.sync_folder(folder))
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        self.0("sync", path).and_then(|()| FileSystem.sync(path))
    }

    fn is_folder(&self, path: &Path) -> bool {
        FileSystem.is_folder(path)
    }

    fn files(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        self.0("files", folder).and_then(|()| FileSystem.files(folder))
    }

    fn length(&self, path: &Path) -> io::Result<u64> {
        self.0("length", path).and_then(|()| FileSystem.length(path))
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        self.0("read", path).and_then(|()| FileSystem.read(path, most))
    }
}
