//! The database, which has tables and answers questions about positions.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use grundy_kernels::Isa;
use grundy_rules::{Game, IntoPosition, Pile, Position, Table, other_misere_value, outcome_form};
use grundy_solvers::{
    Answer, Answers, Effort, Env, IN_BROWSER, Limits, Moves, Stored, Tables, Wanted, Watch, solver,
};

use crate::location::{Folder, Location};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use crate::survey::LevelCache;
use crate::{Access, QueryError, StoredTable, Tile};

/// Answers questions about positions. Reads the answer from a table that has the position; computes
/// it if there is none.
///
/// A folder without tables is not an error. Threads can share a database. Every value from a table
/// comes from bytes with the right checksum.
///
/// ```
/// use grundy_query::Database;
/// use grundy_rules::{Outcome, games};
///
/// let database = Database::open("db")?;
/// assert_eq!(database.value(games::END_NIM, [5, 4, 5, 6, 7])?, 9);
/// assert_eq!(database.value(games::SHORT_GLOBAL_NIM, "20,20/3")?, 2);
///
/// // A position of a partizan game has an outcome class, and no value.
/// let answer = database.answer(games::PARTIZAN_END_NIM, [3, 1, 4])?;
/// assert_eq!((answer.value, answer.outcome), (None, Outcome::R));
/// # Ok::<(), grundy_query::QueryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Database {
    location: Arc<dyn Location>,
    /// The tables, ordered by game, length and largest pile. Copies of the database share them.
    tables: Arc<[StoredTable]>,
    /// The ids in the manifest that this program does not know.
    unknown: Arc<[String]>,
    manifest_version: Option<u32>,
    pub(crate) limits: Limits,
    isa: Isa,
    watch: Option<Watch>,
    clock: fn() -> f64,
    pub(crate) theorems: bool,
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub(crate) levels: LevelCache,
}

/// Returns the seconds since the first call. In a browser it returns 0; [`Database::clocked`] sets
/// another clock.
fn clock() -> f64 {
    if IN_BROWSER {
        return 0.0;
    }
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}

impl Database {
    /// Returns a database without tables, which computes everything.
    pub fn empty() -> Database {
        Database::empty_within(Limits::default())
    }

    pub fn empty_within(limits: Limits) -> Database {
        Database::without_tables(Arc::new(Folder::new(Path::new(""), Access::default())), limits)
    }

    fn without_tables(location: Arc<dyn Location>, limits: Limits) -> Database {
        Database {
            location,
            tables: Arc::new([]),
            unknown: Arc::new([]),
            manifest_version: None,
            limits,
            isa: Isa::best(),
            watch: None,
            clock,
            theorems: true,
            #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
            levels: LevelCache::default(),
        }
    }

    /// Opens a folder of tables that `grundy build` made, usually `db`. A folder without a
    /// manifest, or a missing folder, is an empty database. Only the manifest is read.
    ///
    /// # Errors
    /// [`QueryError::Manifest`] if the manifest is unreadable or of another version;
    /// [`QueryError::Entry`] if it contradicts itself.
    pub fn open(folder: impl AsRef<Path>) -> Result<Database, QueryError> {
        Database::open_within(folder, Limits::default())
    }

    pub fn open_within(folder: impl AsRef<Path>, limits: Limits) -> Result<Database, QueryError> {
        Database::open_by(folder, limits, Access::default())
    }

    /// Opens a folder like [`Database::open_within`]. `access` says if files are mapped into memory
    /// or read by system calls. Reading is safe even if other processes truncate files.
    pub fn open_by(
        folder: impl AsRef<Path>,
        limits: Limits,
        access: Access,
    ) -> Result<Database, QueryError> {
        Database::open_at(Arc::new(Folder::new(folder.as_ref(), access)), limits)
    }

    /// Opens a database at any location.
    pub fn open_at(location: Arc<dyn Location>, limits: Limits) -> Result<Database, QueryError> {
        let Some(manifest) = location.manifest()? else {
            return Ok(Database::without_tables(location, limits));
        };
        let (mut tables, mut unknown) = (Vec::new(), Vec::new());
        for (id, entry) in manifest.tables {
            match Table::of_id(&id, entry.rules.as_deref()) {
                Some(table) => tables.push(StoredTable::new(table, Arc::clone(&location), entry)?),
                // Ignore tables of games that this version does not know.
                None => unknown.push(id),
            }
        }
        tables.sort_by_key(StoredTable::value_len);
        let mut room = limits.memory.share(2).bytes();
        for table in &mut tables {
            match room.checked_sub(table.value_len()) {
                Some(left) => room = left,
                None => break,
            }
            table.make_resident();
        }
        tables.sort_by_key(|stored| {
            let table = stored.table();
            (table.game(), table.length(), table.max_pile(), table.form())
        });
        let (tables, unknown) = (tables.into(), unknown.into());
        let manifest_version = Some(manifest.format);
        let none = Database::without_tables(location, limits);
        Ok(Database { tables, unknown, manifest_version, ..none })
    }

    /// Returns the limits of each answer.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Calls `watch` about ten times a second during long searches. `watch` returns false to stop a
    /// search.
    pub fn watched(self, watch: Watch) -> Database {
        Database { watch: Some(watch), ..self }
    }

    /// Returns the same database without theorems. The copy computes all values that no table has.
    #[must_use]
    pub fn without_theorems(&self) -> Database {
        Database { theorems: false, ..self.clone() }
    }

    /// Returns the same database with another clock, which measures the time of an answer. The
    /// clock returns the seconds since a fixed moment.
    pub fn clocked(self, clock: fn() -> f64) -> Database {
        Database { clock, ..self }
    }

    /// Returns a copy with other limits for an answer. The copy shares the tables and caches.
    #[must_use]
    pub fn within(&self, limits: Limits) -> Database {
        Database { limits, ..self.clone() }
    }

    /// True if the folder has a manifest.
    pub fn exists(&self) -> bool {
        self.manifest_version.is_some()
    }

    /// Returns the version of the manifest; `None` if there is no manifest.
    pub fn manifest_version(&self) -> Option<u32> {
        self.manifest_version
    }

    /// Returns the ids of those tables in the manifest whose game or form this program does not
    /// know.
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }

    pub fn folder(&self) -> &Path {
        self.location.path()
    }

    pub fn is_remote(&self) -> bool {
        self.location.is_remote()
    }

    /// Prefetches the frames of these positions from a remote database, in few requests.
    /// Prefetching does not change any answer.
    pub fn prepare(&self, game: Game, positions: &[Position]) -> Result<(), QueryError> {
        if IN_BROWSER || !self.is_remote() {
            return Ok(());
        }
        self.timed(|_| self.fetch_for(game, positions))
    }

    fn fetch_for(&self, game: Game, positions: &[Position]) -> Result<(), QueryError> {
        let (mut frames, mut ends) = (BTreeSet::new(), BTreeSet::new());
        for position in positions {
            let piles = position.piles();
            let holds = |stored: &StoredTable| {
                let table = stored.table();
                table.game() == game && table.holds(piles)
            };
            // Use the first table that has the position, as look-ups do.
            let holder = self.tables().iter().enumerate().find(|(_, stored)| holds(stored));
            let frame = holder.and_then(|(at, stored)| Some((at, stored.missing_frame(position)?)));
            frames.extend(frame);
        }
        let mut wanted = Vec::new();
        for &(at, frame) in &frames {
            let stored = &self.tables()[at];
            let shard = stored.shard_of_frame(frame);
            if ends.insert((at, shard)) {
                wanted.extend(stored.wanted_ends(shard));
            }
        }
        self.location.want(&wanted).map_err(QueryError::Fetch)?;
        wanted.clear();
        for (at, frame) in frames {
            wanted.extend(self.tables()[at].wanted_frame(frame)?);
        }
        self.location.want(&wanted).map_err(QueryError::Fetch)
    }

    /// Returns all tables, by game, length and largest pile. In a browser the list is empty. The
    /// function is inlined, so that the compiler can then remove all code that reads tables.
    #[inline(always)]
    pub fn tables(&self) -> &[StoredTable] {
        if IN_BROWSER { &[] } else { &self.tables }
    }

    /// Returns the game with this id if there is a table of the game, or of its outcomes.
    pub fn game(&self, id: &str) -> Option<Game> {
        let games = self.tables().iter().map(|stored| stored.table().game());
        let mut games = games.map(|game| game.outcomes_of().unwrap_or(game));
        games.find(|game| game.id() == id)
    }

    /// Returns the stored table with the positions of this table.
    #[inline(always)]
    pub fn table(&self, table: &Table) -> Option<&StoredTable> {
        if self.tables().is_empty() {
            return None;
        }
        let table = table.with_all_lengths();
        self.tables().iter().find(|stored| *stored.table() == table)
    }

    /// Calls `run` with the limits and the clock of an answer. The time limit also applies to
    /// remote reads.
    pub(crate) fn timed<R>(&self, run: impl FnOnce(&Env<'_>) -> R) -> R {
        let Database { isa, watch, clock, theorems, .. } = *self;
        let Limits { memory, seconds } = self.limits;
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        let memory = memory.minus(self.levels.bytes());
        let limits = Limits { memory, seconds };
        self.location.within(seconds);
        let answer = run(&Env { tables: self, limits, isa, clock, watch, theorems });
        // Reads of whole tables have no time limit.
        self.location.within(f64::INFINITY);
        answer
    }

    /// Returns the Grundy value of a position.
    pub fn value(&self, game: Game, position: impl IntoPosition) -> Result<u32, QueryError> {
        let answer = self.answer(game, position)?;
        answer.value.ok_or(QueryError::NoValue { game })
    }

    /// Returns the Grundy value of a position, or its outcome class in a partizan game.
    pub fn answer(&self, game: Game, position: impl IntoPosition) -> Result<Answer, QueryError> {
        let position = position.into_position(game)?;
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        if let Some(answer) = self.precomputed(game, &position) {
            return Ok(answer);
        }
        Ok(self.timed(|env| solver(game).answer(game, &position, env))?)
    }

    /// Returns the answer of [`Database::answer`]. But if tables have only the outcome of a
    /// position and not its value, the answer has only the outcome.
    pub fn outcome(&self, game: Game, position: &Position) -> Result<Answer, QueryError> {
        let form = if self.tables().is_empty() { None } else { outcome_form(game).ok() };
        match form.filter(|&form| self.holds(form, position) && !self.holds(game, position)) {
            Some(form) => {
                let found = self.answer(form, position)?;
                Ok(Answer::of_class(found.outcome, found.source))
            }
            None => self.answer(game, position),
        }
    }

    /// Returns the value of a misère position under the convention G(empty) = 1 (see
    /// [`other_misere_value`]); `None` if the game is not misère.
    pub fn other_misere_value(
        &self,
        game: Game,
        position: &Position,
    ) -> Result<Option<u32>, QueryError> {
        let Some(normal) = game.normal_play() else { return Ok(None) };
        let answer = self.answer(normal, position)?;
        Ok(answer.value.map(|value| other_misere_value(position, value)))
    }

    /// Returns the approximate time in seconds to compute one position, if no table has it.
    pub fn seconds_alone(&self, game: Game, piles: &[Pile]) -> f64 {
        self.timed(|env| solver(game).seconds_alone(game, piles, env))
    }

    pub(crate) fn holds(&self, game: Game, position: &Position) -> bool {
        let piles = position.piles();
        self.find(game, piles.len(), &|stored| stored.table().holds(piles)).is_some()
    }

    /// Returns every move of a position, with the answer about the option it reaches.
    ///
    /// ```
    /// use grundy_query::{Database, is_winning};
    /// use grundy_rules::games::END_NIM;
    ///
    /// let found = Database::empty().moves(END_NIM, [2, 3, 4])?;
    /// let winning = found.moves.iter().filter(|(m, to)| is_winning(m.player, to.outcome));
    /// let options: Vec<String> = winning.map(|(m, _)| m.option.to_string()).collect();
    /// assert_eq!(options, ["2,3,2"]);
    /// # Ok::<(), grundy_query::QueryError>(())
    /// ```
    pub fn moves(&self, game: Game, position: impl IntoPosition) -> Result<Moves, QueryError> {
        let position = position.into_position(game)?;
        let mut found = self.timed(|env| solver(game).moves(game, &position, env))?;
        if game.rule_file().is_some() {
            // Different rules, or one rule used in different ways, may give the same move.
            let mut seen = BTreeSet::new();
            found.moves.retain(|(made, _)| seen.insert(made.identity()));
        }
        Ok(found)
    }

    /// Returns answers about the positions (`word`, b) at the beginning of play. Here b goes from
    /// the least pile to `last`; the least pile is 1, or 0 in games with places. An answer is
    /// `None` if the rules exclude the position. In End-Nim one computation gives the whole row.
    ///
    /// ```
    /// use grundy_query::Database;
    /// use grundy_rules::games::MISERE_END_NIM;
    ///
    /// // b -> G(5 b) in misère End-Nim.
    /// let row = Database::empty().row(MISERE_END_NIM, &[5], 6)?;
    /// let values: Vec<u32> = row.iter().flatten().filter_map(|answer| answer.value).collect();
    /// assert_eq!(values, [5, 3, 6, 2, 0, 1]);
    /// # Ok::<(), grundy_query::QueryError>(())
    /// ```
    pub fn row(&self, game: Game, word: &[Pile], last: Pile) -> Result<Answers, QueryError> {
        game.check_part(word, word.len() + 1)?;
        self.check_answers(&[word, &[last]].concat(), last.into())?;
        Ok(self.timed(|env| solver(game).row(game, word, last, env))?)
    }

    /// Returns answers about all positions (a, `middle`, b) at the beginning of play. Here a and b
    /// range from the least pile to `last`.
    pub fn tile(&self, game: Game, middle: &[Pile], last: Pile) -> Result<Tile, QueryError> {
        game.check_part(middle, middle.len() + 2)?;
        let corner = [&[last], middle, &[last]].concat();
        self.check_answers(&corner, u64::from(last).saturating_mul(last.into()))?;
        let answers = self.timed(|env| solver(game).tile(game, middle, last, env))?;
        Ok(Tile { game, middle: middle.to_vec(), size: last, answers })
    }

    /// Returns an error if the answers do not fit into memory, each beside its value.
    fn check_answers(&self, piles: &[Pile], count: u64) -> Result<(), QueryError> {
        let memory = count.saturating_mul(size_of::<(Answer, Option<u32>)>() as u64);
        let work = Effort { cells: count as f64, seconds: 0.0, memory };
        Ok(work.check(piles, self.limits)?)
    }

    /// Reads or computes the records of the single piles n = 1, ..., `last`, in a game that has
    /// them. Calls `show` with g(n), and with the pile m = n - k for each exceptional last move k,
    /// until `show` returns false.
    pub fn each_record(
        &self,
        game: Game,
        last: Pile,
        mut show: impl FnMut(u32, &[Pile]) -> bool,
    ) -> Result<(), QueryError> {
        match solver(game).records(game) {
            Some(records) => Ok(self.timed(|env| records.each(game, last, env, &mut show))?),
            None => Err(QueryError::NoRecords { game: game.id() }),
        }
    }
}

impl Tables for Database {
    fn find(&self, game: Game, length: usize, wanted: Wanted<'_>) -> Option<&dyn Stored> {
        if self.tables().is_empty() {
            return None;
        }
        find(self.tables(), game, length, wanted)
    }
}

/// Returns the first table of a game and length that `wanted` accepts, in order of max pile.
pub(crate) fn find<'a, S: Stored>(
    tables: &'a [S],
    game: Game,
    length: usize,
    wanted: Wanted<'_>,
) -> Option<&'a dyn Stored> {
    let length = game.stored_length(length);
    let place = |stored: &S| (stored.table().game(), stored.table().length());
    let from = tables.partition_point(|stored| place(stored) < (game, length));
    tables[from..]
        .iter()
        .take_while(|stored| place(stored) == (game, length))
        .map(|stored| stored as &dyn Stored)
        .find(|stored| wanted(*stored))
}
