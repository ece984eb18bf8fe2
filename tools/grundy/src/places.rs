//! What users name by a path: where it lies, and short texts.

use std::path::{Path, PathBuf};

use anyhow::Context;
use grundy_shard::publish::read_regular;

/// Most bytes of a key, of a record, and of a file of claims.
const MOST_TEXT: u64 = 1 << 20;

/// A path without links and dots, as far as it is there.
fn real(path: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(path).ok()?;
    let there = absolute.ancestors().find(|above| above.exists())?;
    let rest = absolute.strip_prefix(there).ok()?;
    Some(there.canonicalize().ok()?.join(rest))
}

/// Whether a path is a folder, or lies in it, or will, however the two are written.
pub(crate) fn lies_in(path: &Path, folder: &Path) -> bool {
    match (real(path), real(folder)) {
        (Some(path), Some(folder)) => path.starts_with(folder),
        _ => path.starts_with(folder),
    }
}

/// A file of the user's, of so many bytes at most.
pub(crate) fn read(file: &Path, most: u64) -> anyhow::Result<Vec<u8>> {
    read_regular(file, most).with_context(|| format!("cannot read {}", file.display()))
}

/// A short text of the user's.
pub(crate) fn text(file: &Path) -> anyhow::Result<String> {
    let bytes = read(file, MOST_TEXT)?;
    String::from_utf8(bytes).with_context(|| format!("{} is no text", file.display()))
}
