//! Files in which a long check keeps what it has covered.

use std::error::Error;
use std::io;
use std::path::Path;

use anyhow::Context;
use grundy_builder::publish;
use grundy_shard::publish::read_regular;

/// More than a checkpoint has, which has some lines for each table.
const MOST_BYTES: u64 = 1 << 28;

/// What a file says, by what reads its text; nothing is covered if no file is named, or none there.
pub(crate) fn read<C, E>(
    file: Option<&Path>,
    from_text: impl FnOnce(&[u8]) -> Result<C, E>,
) -> anyhow::Result<C>
where
    C: Default,
    E: Error + Send + Sync + 'static,
{
    let Some(file) = file else { return Ok(C::default()) };
    match read_regular(file, MOST_BYTES) {
        Ok(text) => from_text(&text).with_context(|| {
            format!("cannot go on from {}; delete it to begin anew", file.display())
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(C::default()),
        Err(error) => {
            Err(error).with_context(|| format!("cannot read the checkpoint {}", file.display()))
        }
    }
}

/// Keeps a text in the file, if one is named.
///
/// # Errors
/// Those of writing it; the text that was there still is.
pub(crate) fn keep(file: Option<&Path>, text: &str) -> io::Result<()> {
    let Some(file) = file else { return Ok(()) };
    publish(file, text.as_bytes())
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", file.display())))
}
