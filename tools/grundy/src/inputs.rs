//! Reads the files that users give by path or address, and short texts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use grundy::Number;
use grundy_shard::json;
use grundy_shard::publish::read_regular;

use crate::output::tell;

/// Maximum bytes of a key, a record or a file of claims.
const MOST_TEXT: u64 = 1 << 20;

/// Resolves links, `.` and `..` in a path. Keeps parts that do not exist. `None` if the system does
/// not show the path; then the paths are compared as they are written.
fn real(path: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(path).ok()?;
    let there = absolute.ancestors().find(|above| above.exists())?;
    let rest = absolute.strip_prefix(there).ok()?;
    Some(there.canonicalize().ok()?.join(rest))
}

pub(crate) fn lies_in(path: &Path, folder: &Path) -> bool {
    match (real(path), real(folder)) {
        (Some(path), Some(folder)) => path.starts_with(folder),
        _ => path.starts_with(folder),
    }
}

pub(crate) fn read(file: &Path, most: u64) -> anyhow::Result<Vec<u8>> {
    read_regular(file, most).with_context(|| format!("cannot read {}", file.display()))
}

pub(crate) fn text(file: &Path) -> anyhow::Result<String> {
    let bytes = read(file, MOST_TEXT)?;
    let text =
        String::from_utf8(bytes).with_context(|| format!("{} is not text", file.display()))?;
    // Some editors begin a file with an invisible byte order mark.
    Ok(text.strip_prefix('\u{feff}').map_or_else(|| text.clone(), str::to_owned))
}

const MOST_DIGESTS: u64 = 64 << 20;

/// Reads a list of digests, which is a JSON object from ids of tables to digests.
pub(crate) fn digests(file: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let text = read(file, MOST_DIGESTS)?;
    let listed: BTreeMap<String, String> = json::from_slice(&text).with_context(|| {
        format!(
            "{} is not a list of digests, which is a JSON object with a digest for each id",
            file.display()
        )
    })?;
    let is_digest = |text: &str| {
        text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    if let Some((id, digest)) = listed.iter().find(|(_, digest)| !is_digest(digest)) {
        bail!(
            "{}: '{digest}' of '{id}' is not a digest of 64 hexadecimal digits in lower case",
            file.display()
        );
    }
    Ok(listed)
}

/// Reports how many tables are not in a list of digests, and how many listed tables `place` lacks.
pub(crate) fn report_differences(list: &Path, place: &Path, of: &str, unlisted: u64, lacking: u64) {
    let list = list.display();
    if unlisted > 0 {
        tell(format_args!("grundy: {list} lists no digest of {}{of}", Number(unlisted, "table")));
    }
    if lacking > 0 {
        let (place, lacking) = (place.display(), Number(lacking, "table"));
        tell(format_args!("grundy: {place} lacks {lacking} that {list} lists"));
    }
}
