//! `grundy help`, and `grundy completions` and `grundy man`: files for packagers.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use clap::{Command, CommandFactory};
use grundy_shard::publish::create_folder;

use crate::End;
use crate::args::{Args, Completions, Help, Man};
use crate::output::{Out, save};
use crate::version::VERSION;

pub(crate) fn help(wanted: &Help, out: &mut Out) -> anyhow::Result<End> {
    let document = match wanted.topic.as_deref() {
        Some("rules") => Some(include_str!("../../texts/RULES.md")),
        Some("language") => Some(include_str!("../../texts/LANGUAGE.md")),
        _ => None,
    };
    if let Some(document) = document {
        out.write_all(document.as_bytes())?;
        return Ok(End::Fine);
    }
    let mut command = Args::command();
    command.build();
    if let Some(topic) = &wanted.topic {
        let Some(found) = command.find_subcommand(topic) else {
            bail!(
                "there is no command '{topic}'; `grundy help` lists the commands, and `grundy help \
                 rules` and `grundy help language` print documents"
            );
        };
        command = found.clone();
    }
    write!(out, "{}", command.render_long_help())?;
    Ok(End::Fine)
}

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
