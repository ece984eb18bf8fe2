//! Folders of files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns every regular file below a folder with its bytes. Ignores unreadable files.
#[must_use]
pub fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for file in fs::read_dir(next).expect("a folder") {
            let path = file.expect("a file").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.is_file()
                && let Ok(bytes) = fs::read(&path)
            {
                all.insert(path.strip_prefix(folder).expect("below").to_owned(), bytes);
            }
        }
    }
    all
}

pub fn copy(from: &Path, to: &Path) {
    for (name, bytes) in files(from) {
        let path = to.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, bytes).expect("written");
    }
}

/// Renews the seal (the last member, `blake3`) of a JSON text.
#[must_use]
pub fn sealed(text: &str) -> String {
    let (said, _) = text.rsplit_once("\n  \"blake3\": ").expect("a seal");
    let said = format!("{said}\n  \"blake3\": \"");
    format!("{said}{}\"\n}}\n", blake3::hash(said.as_bytes()).to_hex())
}

pub fn flip(path: &Path) {
    let mut bytes = fs::read(path).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path, bytes).expect("written");
}
