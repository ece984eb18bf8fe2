//! The options that all subcommands take, and the database and threads that the options describe.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use anyhow::{Context, bail};
use grundy::papers::Means;
use grundy::tables::is_folder_pack;
use grundy::{
    Access, Ask, Control, Database, Game, GameError, Isa, Limits, MemoryLimit, Question, game_among,
};
use grundy_remote::{Address, Remote};

use crate::advice::with_advice;
use crate::output::{quoted, tell};
use crate::remote::client;
use crate::system::{address_space, group_memory};
use crate::watch::{show_search, stop_on_interrupt};

/// Returns the default of `--memory`: 4 GiB, or less if the system limits the process. Threads and
/// mapped files need a part of the system's limit on addresses. The limit of a control group counts
/// only memory in use.
pub(crate) fn default_memory() -> MemoryLimit {
    let allowed = address_space();
    let addresses = (allowed / 10).max(allowed.saturating_sub(256 << 20) / 2);
    MemoryLimit::default().at_most(addresses).at_most(group_memory() / 4 * 3)
}

#[derive(Clone, Debug)]
pub(crate) struct Common {
    pub(crate) db: PathBuf,
    /// True if the folder must exist: the user gave it, and the command does not create it.
    pub(crate) must_exist: bool,
    pub(crate) threads: usize,
    pub(crate) memory: MemoryLimit,
    pub(crate) isa: Isa,
    pub(crate) access: Access,
    /// The texts of rule files by their paths, which a task has in place of the files.
    pub(crate) given: BTreeMap<String, String>,
    /// The database of this command, after it was opened.
    pub(crate) opened: OnceLock<Database>,
}

/// The limit of the seconds in which a command without a shorter limit opens its database.
pub(crate) const OPENING: f64 = 60.0;

/// True for the form of the id of a rule file's game: a name, a hyphen and eight hex digits.
fn is_own_id(word: &str) -> bool {
    let is_hex = |c: char| matches!(c, '0'..='9' | 'a'..='f');
    word.rsplit_once('-').is_some_and(|(_, end)| end.len() == 8 && end.chars().all(is_hex))
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
        let ask = Ask::new(question).database(database).fastest().control(control);
        ask.memory(self.memory).isa(self.isa)
    }

    /// Returns a game by its name, by the path of its rule file, or by the id under which the
    /// database has its rules.
    pub(crate) fn game(&self, name: &str, seconds: f64) -> anyhow::Result<Game> {
        if let Some(text) = self.given.get(name.trim()) {
            return Ok(grundy::game_of_text(text)?.0);
        }
        let unknown = match grundy::game(name) {
            Err(GameError::Unknown(unknown)) if is_own_id(name.trim()) => unknown,
            found => return Ok(found?),
        };
        let found = self.open_unwatched(seconds)?.game(name.trim());
        Ok(found.ok_or(unknown)?)
    }

    /// Opens the database if a text names games by ids, because then their rules are known. The
    /// reader of the text points at an id that the opened database lacks.
    pub(crate) fn know_games(&self, text: &str, seconds: f64) -> anyhow::Result<()> {
        let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let mut words = text.split(|c| !is_inside(c));
        if words.any(|word| is_own_id(word) && grundy::game(word).is_err()) {
            self.open_unwatched(seconds)?;
        }
        Ok(())
    }

    /// Returns a function that finds the games that a statement names: those of the rule files
    /// `with` by their names, and all games that [`Common::game`] finds.
    pub(crate) fn reader(
        &self,
        with: &[String],
        seconds: f64,
    ) -> anyhow::Result<impl Fn(&str) -> Result<Game, String>> {
        let given = with.iter().map(|file| self.game(file, seconds));
        let given = given.collect::<anyhow::Result<Vec<Game>>>()?;
        let found = move |name: &str| self.game(name, seconds).map_err(|e| with_advice(e.as_ref()));
        Ok(move |name: &str| game_among(&given, name, &found))
    }

    /// Reads a statement. If it names games by paths or by names of `with`, shows their ids.
    pub(crate) fn question(
        &self,
        game: Game,
        text: &str,
        with: &[String],
        seconds: f64,
    ) -> anyhow::Result<Question> {
        let question = Question::parse_with(game, text, &self.reader(with, seconds)?)?;
        if question.text() != text.trim() {
            tell(format_args!("grundy: the statement is {}", question.text()));
        }
        Ok(question)
    }

    pub(crate) fn open_within(&self, limits: Limits) -> anyhow::Result<Database> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened.within(limits));
        }
        let db = self.db.display().to_string();
        let is_there = || self.db.try_exists().with_context(|| format!("cannot access {db}"));
        if self.must_exist && Address::of_place(&self.db)?.is_none() && !is_there()? {
            let build = match self.db.extension() {
                Some(ending) if ending == "tar" => String::new(),
                _ => format!(", or build it: `grundy build --max-pile 64 --db {}`", quoted(&db)),
            };
            bail!(
                "the database {db} does not exist; choose another --db or GRUNDY_DB, leave both \
                 out{build}"
            );
        }
        let place = &self.db;
        let opened = Database::open_place(place, limits, self.access, || client(limits))?;
        Ok(self.opened.get_or_init(|| opened).clone())
    }

    pub(crate) fn remote(&self) -> anyhow::Result<Arc<Remote>> {
        client(Limits { memory: self.memory, seconds: f64::INFINITY })
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
