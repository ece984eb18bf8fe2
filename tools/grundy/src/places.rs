//! Where paths lie.

use std::path::{Path, PathBuf};

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
