//! `grundy completions` and `grundy man`: files for packagers.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use clap::{Command, CommandFactory};
use grundy_shard::publish::create_folder;

use crate::End;
use crate::args::{Args, Completions, Man};
use crate::output::{Out, save};
use crate::version::VERSION;

pub(crate) fn completions(wanted: &Completions, out: &mut Out) -> anyhow::Result<End> {
    // Write into memory first, because the generator panics if writing fails.
    let mut script = Vec::new();
    clap_complete::generate(wanted.shell, &mut Args::command(), "grundy", &mut script);
    out.write_all(&script)?;
    Ok(End::Fine)
}

pub(crate) fn man(wanted: &Man, out: &mut Out) -> anyhow::Result<End> {
    // The version text has three lines, but the title of a page has one line, so replace the text.
    let mut command = Args::command().version(VERSION);
    match &wanted.folder {
        None => clap_mangen::Man::new(command).render(out)?,
        Some(folder) => {
            let failed = || format!("cannot create {}", folder.display());
            create_folder(folder).with_context(failed)?;
            command = command.disable_help_subcommand(true);
            command.build();
            pages(command, folder)?;
        }
    }
    Ok(End::Fine)
}

fn pages(command: Command, folder: &Path) -> anyhow::Result<()> {
    for part in command.get_subcommands().filter(|part| !part.is_hide_set()) {
        pages(part.clone(), folder)?;
    }
    let man = clap_mangen::Man::new(command);
    let mut page = Vec::new();
    man.render(&mut page)?;
    save(&folder.join(man.get_filename()), &page)
}
