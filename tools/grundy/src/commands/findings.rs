//! `grundy findings`: writes the results of the checks as a document.

use std::io::Write;

use anyhow::Context;
use grundy::papers::findings::document_with;

use crate::End;
use crate::args::{Common, Findings, OPENING};
use crate::commands::own;
use crate::inputs::read;
use crate::output::Out;

/// Maximum bytes of a file. A real file has a line for each claim.
const MOST_BYTES: u64 = 1 << 28;

pub(crate) fn run(common: &Common, wanted: &Findings, out: &mut Out) -> anyhow::Result<End> {
    let mut lines = String::new();
    for file in &wanted.files {
        let failed = || format!("cannot read {}", file.display());
        let text = String::from_utf8(read(file, MOST_BYTES)?).with_context(failed)?;
        // Read each file separately, so that an error names its file.
        grundy::papers::findings::document(&text).with_context(|| {
            format!("{} does not contain lines of `grundy diff --json`", file.display())
        })?;
        lines.push_str(&text);
        lines.push('\n');
    }
    let own = own::read(common, &wanted.own.folder, OPENING)?;
    out.write_all(document_with(&lines, &own)?.as_bytes())?;
    Ok(End::Fine)
}
