//! The options that all subcommands take, and the database and threads that the options describe.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use grundy::papers::Means;
use grundy::tables::is_folder_pack;
use grundy::{Access, Ask, Control, Database, Isa, Limits, MemoryLimit, Question};
use grundy_remote::{Address, Remote};

use crate::output::quoted;
use crate::remote::client;
use crate::watch::{show_search, stop_on_interrupt};

/// Returns the default of `--memory`: 4 GiB, or less if the system limits the process. Threads and
/// mapped files need a part of the system's limit.
pub(crate) fn default_memory() -> MemoryLimit {
    let allowed = address_space();
    MemoryLimit::default().at_most((allowed / 10).max(allowed.saturating_sub(256 << 20) / 2))
}

/// Returns the system's limit for the memory of this process, in bytes.
#[cfg(unix)]
fn address_space() -> u64 {
    use rustix::process::{Resource, getrlimit};
    let limits = [Resource::As, Resource::Data].map(|of| getrlimit(of).current);
    limits.into_iter().flatten().min().unwrap_or(u64::MAX)
}

#[cfg(not(unix))]
fn address_space() -> u64 {
    u64::MAX
}

#[derive(Debug)]
pub(crate) struct Common {
    pub(crate) db: PathBuf,
    /// True if the folder must exist: the user gave it, and the command does not create it.
    pub(crate) must_exist: bool,
    pub(crate) threads: usize,
    pub(crate) memory: MemoryLimit,
    pub(crate) isa: Isa,
    pub(crate) access: Access,
}

impl Common {
    /// Starts the thread pool of this process. Commands that look up few positions need no pool,
    /// and start faster without it.
    pub(crate) fn start_threads(&self) -> anyhow::Result<()> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build_global()
            .context("cannot start the threads")
    }

    pub(crate) fn open(&self, seconds: f64) -> anyhow::Result<Database> {
        Ok(self.open_unwatched(seconds)?.watched(show_search))
    }

    /// Opens the database without progress reports on long searches.
    pub(crate) fn open_unwatched(&self, seconds: f64) -> anyhow::Result<Database> {
        self.open_within(Limits { memory: self.memory, seconds })
    }

    /// Prepares for a command about many positions: starts threads, handles Ctrl-C, and opens a
    /// database that uses no theorems and does not report long searches.
    pub(crate) fn ready(&self, seconds: f64) -> anyhow::Result<(Database, Arc<Control>)> {
        let database = self.open_unwatched(seconds)?.without_theorems();
        self.start_threads()?;
        Ok((database, stop_on_interrupt()?))
    }

    /// Returns the resources for checking claims.
    pub(crate) fn means(&self) -> Means<'static> {
        let Common { isa, memory, threads, .. } = *self;
        Means { isa, memory, threads, certificate: None, keeper: None }
    }

    pub(crate) fn ask<'a>(
        &self,
        question: &'a Question,
        database: &'a Database,
        control: &'a Control,
    ) -> Ask<'a> {
        let ask = Ask::new(question).database(database).control(control);
        ask.memory(self.memory).isa(self.isa)
    }

    pub(crate) fn open_within(&self, limits: Limits) -> anyhow::Result<Database> {
        if self.must_exist && Address::of_place(&self.db)?.is_none() && !self.db.exists() {
            let db = self.db.display().to_string();
            let build = match self.db.extension() {
                Some(ending) if ending == "tar" => String::new(),
                _ => format!(", or build it: `grundy build --max-pile 64 --db {}`", quoted(&db)),
            };
            bail!(
                "the database {db} does not exist; choose another --db or GRUNDY_DB, leave both \
                 out{build}"
            );
        }
        Database::open_place(&self.db, limits, self.access, || self.remote())
    }

    pub(crate) fn remote(&self) -> anyhow::Result<Arc<Remote>> {
        client(self.memory)
    }

    /// Returns the database folder, for commands that access its files directly.
    pub(crate) fn folder(&self) -> anyhow::Result<&Path> {
        let db = self.db.display();
        if Address::of_place(&self.db)?.is_some() {
            bail!(
                "{db} is on a server, but this command needs a database folder; `grundy unpack \
                 {db} --db DIR` makes a folder from a pack"
            );
        }
        let is_pack = is_folder_pack(&self.db);
        if is_pack || self.db.is_file() {
            let what = if is_pack { "pack" } else { "file" };
            bail!(
                "{db} is a {what}, but this command needs a database folder; `grundy unpack {db} \
                 --db DIR` makes a folder from a pack"
            );
        }
        Ok(&self.db)
    }
}
