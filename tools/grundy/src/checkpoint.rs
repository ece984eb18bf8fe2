//! Reads and reports the checkpoints of long checks.

use std::io;
use std::path::Path;

use anyhow::{Context, anyhow};
use grundy::Number;
use grundy::shares::Checkpoint;
use grundy_builder::publish;
use grundy_shard::publish::read_regular;
use grundy_shard::seal::{SealError, from_sealed, to_sealed};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::output::tell;

/// Maximum bytes of a checkpoint. A real checkpoint has only a few lines for each table.
const MOST_BYTES: u64 = 1 << 28;

pub(crate) fn read<F: DeserializeOwned>(file: Option<&Path>) -> anyhow::Result<Checkpoint<F>> {
    let Some(file) = file else { return Ok(Checkpoint::default()) };
    match read_regular(file, MOST_BYTES) {
        Ok(text) => from_sealed(text)
            .map_err(|error| match error {
                SealError::Broken => error.into(),
                _ => anyhow!("it is not a checkpoint, or has another version"),
            })
            .with_context(|| {
                format!("cannot continue from {}; delete it to start over", file.display())
            }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Checkpoint::default()),
        Err(error) => {
            Err(error).with_context(|| format!("cannot read the checkpoint {}", file.display()))
        }
    }
}

/// Reports the progress that the checkpoint of a stopped check contains.
pub(crate) fn tell_kept<F>(file: Option<&Path>, checkpoint: &Checkpoint<F>) {
    let whole = checkpoint.pieces().filter(|(_, done, parts)| done == parts).count() as u64;
    let begun = checkpoint.pieces().filter(|(_, done, parts)| done < parts);
    let of_one = |(name, done, parts)| format!("{done} of {} of {name}", Number(parts, "part"));
    let mut kept: Vec<String> = begun.map(of_one).collect();
    if whole > 0 {
        kept.insert(0, Number(whole, "whole table").to_string());
    }
    match file {
        Some(file) if !kept.is_empty() => tell(format_args!(
            "grundy: stopped; {} keeps {}; the same command continues from there",
            file.display(),
            kept.join(" and ")
        )),
        Some(file) => {
            let file = file.display();
            tell(format_args!(
                "grundy: stopped; {file} has no progress yet, because no part was complete; let \
                 the same command run for longer"
            ));
        }
        None => tell("grundy: stopped; only --checkpoint FILE saves progress"),
    }
}

pub(crate) fn keep<F: Serialize>(
    file: Option<&Path>,
    checkpoint: &Checkpoint<F>,
) -> io::Result<()> {
    let Some(file) = file else { return Ok(()) };
    publish(file, to_sealed(checkpoint)?.as_bytes())
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", file.display())))
}
