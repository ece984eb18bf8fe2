//! `grundy completions` and `grundy man`: what packagers want.

use std::io::Write;

use anyhow::Context;
use clap::CommandFactory;

use crate::End;
use crate::args::{Args, Completions, Man};
use crate::output::Out;

pub(crate) fn completions(wanted: &Completions, out: &mut Out) -> anyhow::Result<End> {
    // Into memory first: the generator panics if the reader goes away.
    let mut script = Vec::new();
    clap_complete::generate(wanted.shell, &mut Args::command(), "grundy", &mut script);
    out.write_all(&script)?;
    Ok(End::Fine)
}

pub(crate) fn man(wanted: &Man, out: &mut Out) -> anyhow::Result<End> {
    match &wanted.folder {
        None => clap_mangen::Man::new(Args::command()).render(out)?,
        Some(folder) => {
            let failed = || format!("cannot write manual pages into {}", folder.display());
            std::fs::create_dir_all(folder).with_context(failed)?;
            clap_mangen::generate_to(Args::command(), folder).with_context(failed)?;
        }
    }
    Ok(End::Fine)
}
