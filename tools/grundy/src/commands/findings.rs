//! `grundy findings`: what the checks found, as a document.

use std::fs;
use std::io::Write;

use anyhow::Context;

use crate::End;
use crate::args::Findings;
use crate::output::Out;

pub(crate) fn run(wanted: &Findings, out: &mut Out) -> anyhow::Result<End> {
    let mut lines = String::new();
    for file in &wanted.files {
        let text =
            fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        // Each file by itself first, so that an error names the file.
        grundy_theory::findings::document(&text).with_context(|| {
            format!("{} does not have the lines of `grundy diff --json`", file.display())
        })?;
        lines.push_str(&text);
        lines.push('\n');
    }
    out.write_all(grundy_theory::findings::document(&lines)?.as_bytes())?;
    Ok(End::Fine)
}
