//! The database as a whole: which tables there are, and answers.

use std::cell::RefCell;
use std::fmt;
use std::path::{Path, PathBuf};

use grundy_kernels::Isa;
use grundy_rules::{Game, Layout, Move, Outcome, Pick, Pile, Position, Table, end_nim, nim};
use grundy_shard::manifest::{MANIFEST_FILE, Manifest};

use crate::compute::{Evaluated, Known, Limits, Lowered, Workspace};
use crate::{QueryError, StoredTable, Work};

/// Where a value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A stored table.
    Table,
    /// Computed from rows of stored tables.
    TableAndComputed,
    /// Computed from the rules alone.
    Computed,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Table => "table",
            Source::TableAndComputed => "table+computed",
            Source::Computed => "computed",
        })
    }
}

/// The value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The Grundy value.
    pub value: u32,
    /// Where it came from.
    pub source: Source,
}

impl Answer {
    /// The outcome class.
    pub fn outcome(self) -> Outcome {
        Outcome::of_value(self.value)
    }
}

/// A position with all its moves.
#[derive(Clone, Debug)]
pub struct Moves {
    /// The position's own value.
    pub answer: Answer,
    /// Every move and the value of the option it reaches; a move is winning if that
    /// value is 0.
    pub moves: Vec<(Move, u32)>,
}

/// A database folder, opened for reading. Shared between threads freely.
#[derive(Debug)]
pub struct Database {
    folder: PathBuf,
    /// By game, length and max pile.
    tables: Vec<StoredTable>,
    limits: Limits,
    watch: Option<Watch>,
}

/// Hears of a long search now and then: positions found so far, seconds, bytes of memory.
pub type Watch = fn(&Work);

impl Database {
    /// Opens a database. A folder without a manifest, or no folder, is an empty one.
    /// Nothing but the manifest is read.
    ///
    /// # Errors
    /// [`QueryError::Manifest`] if the manifest is unreadable or of another version;
    /// [`QueryError::Entry`] if it contradicts itself.
    pub fn open(folder: &Path, limits: Limits) -> Result<Database, QueryError> {
        let manifest = Manifest::read(folder)?.unwrap_or_default();
        // A table of a game that this release does not know is left alone.
        let mut tables = manifest
            .tables
            .into_iter()
            .filter_map(|(id, entry)| Some((id.parse::<Table>().ok()?, entry)))
            .map(|(table, entry)| StoredTable::new(table, folder, entry))
            .collect::<Result<Vec<_>, _>>()?;
        tables.sort_by_key(StoredTable::value_len);
        let mut room = limits.memory / 2;
        for table in &mut tables {
            match room.checked_sub(table.value_len()) {
                Some(left) => room = left,
                None => break,
            }
            table.make_resident();
        }
        tables.sort_by_key(|stored| {
            let table = stored.table();
            (table.game(), table.length(), table.max_pile())
        });
        Ok(Database { folder: folder.to_owned(), tables, limits, watch: None })
    }

    /// Has `watch` hear of searches that take long, once a tenth of a second or so.
    pub fn watched(self, watch: Watch) -> Database {
        Database { watch: Some(watch), ..self }
    }

    /// Who hears of long searches.
    pub(crate) fn watch(&self) -> Option<Watch> {
        self.watch
    }

    /// Whether there is one: a folder with a manifest.
    pub fn exists(&self) -> bool {
        self.folder.join(MANIFEST_FILE).exists()
    }

    /// The database's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// All tables, by game, length and max pile.
    pub fn tables(&self) -> &[StoredTable] {
        &self.tables
    }

    /// A table by what it is.
    pub fn table(&self, table: &Table) -> Option<&StoredTable> {
        self.tables.iter().find(|stored| stored.table() == table)
    }

    /// The smallest table that holds a position of these piles, if reading it is the
    /// fastest way to the value.
    pub(crate) fn holder(&self, game: Game, piles: &[Pile]) -> Option<&StoredTable> {
        let from = self
            .tables
            .partition_point(|t| (t.table().game(), t.table().length()) < (game, piles.len()));
        self.tables[from..]
            .iter()
            .take_while(|t| (t.table().game(), t.table().length()) == (game, piles.len()))
            .find(|t| t.table().holds(piles))
            .filter(|t| {
                let quickly_computed = match t.table().layout() {
                    Layout::Middles(_) => self.has_resident_below(game, piles),
                    Layout::Words(_) => true,
                    Layout::Multisets(_)
                    | Layout::LastMoves(_)
                    | Layout::Heaps { .. }
                    | Layout::Sets
                    | Layout::SetRows(_) => false,
                };
                !(quickly_computed && t.is_asked_at_random())
            })
    }

    /// How much may be computed for one answer.
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// Whether a table one or two piles shorter is resident from which a position of
    /// these piles can be computed: some microseconds, against tens for a frame.
    fn has_resident_below(&self, game: Game, piles: &[Pile]) -> bool {
        let largest = piles.iter().copied().max().unwrap_or_default();
        self.tables.iter().any(|stored| {
            let table = stored.table();
            stored.is_resident()
                && table.game() == game
                && table.max_pile() >= largest
                && table.length() < piles.len()
                && table.length() + 2 >= piles.len()
        })
    }

    /// The value of any position of an impartial game. For partizan End-Nim see
    /// [`Database::thresholds`].
    ///
    /// # Errors
    /// [`QueryError`] if a shard is damaged, the position is beyond the limits, or the game
    /// has no values.
    pub fn value(&self, game: Game, position: &Position) -> Result<Answer, QueryError> {
        match game {
            Game::Nim | Game::MisereNim => return self.multiset_value(game, position),
            Game::PartizanEndNim => return Err(QueryError::NoValues { game }),
            Game::ShortGlobalNim => return self.short_global_value(position),
            Game::LongGlobalNim => return self.long_global_value(position),
            Game::EndNim | Game::MisereEndNim | Game::LoopEndNim => {}
        }
        let piles = position.piles();
        if let Some(stored) = self.holder(game, piles)
            && let Some(value) = stored.value(piles)?
        {
            return Ok(Answer { value, source: Source::Table });
        }
        match piles {
            [] => Ok(Answer { value: 0, source: Source::Computed }),
            &[pile] => Ok(Answer { value: end_nim::seed(game, pile), source: Source::Computed }),
            _ => self.evaluate(game, piles, |found, _| found.answer()),
        }
    }

    /// The value of a misère position under the other convention, G(empty) = 1 (see
    /// [`end_nim::misere_value_from_normal`] and [`nim::other_misere_value`]); `None` if the
    /// game is not misère.
    ///
    /// # Errors
    /// As [`Database::value`].
    pub fn other_misere_value(
        &self,
        game: Game,
        position: &Position,
    ) -> Result<Option<u32>, QueryError> {
        match game {
            Game::MisereNim => Ok(Some(nim::other_misere_value(position.piles()))),
            Game::MisereEndNim => {
                let normal = self.value(Game::EndNim, position)?.value;
                Ok(Some(end_nim::misere_value_from_normal(position, normal)))
            }
            _ => Ok(None),
        }
    }

    /// Every move of a position of an impartial game with the value it leads to. For
    /// partizan End-Nim see [`Database::partizan_moves`].
    ///
    /// # Errors
    /// As [`Database::value`].
    pub fn moves(&self, game: Game, position: &Position) -> Result<Moves, QueryError> {
        check_moves(position)?;
        match game {
            Game::Nim | Game::MisereNim => return self.multiset_moves(game, position),
            Game::PartizanEndNim => return Err(QueryError::NoValues { game }),
            Game::ShortGlobalNim => return self.short_global_moves(position),
            Game::LongGlobalNim => return self.long_global_moves(position),
            Game::EndNim | Game::MisereEndNim | Game::LoopEndNim => {}
        }
        let moves = game.moves(position);
        if position.length() < 2 {
            let answer = self.value(game, position)?;
            let moves = moves
                .into_iter()
                .map(|m| Ok((m.clone(), self.value(game, &m.option)?.value)))
                .collect::<Result<_, QueryError>>()?;
            return Ok(Moves { answer, moves });
        }
        let held = self.holder(game, position.piles()).is_some();
        self.evaluate(game, position.piles(), |found, lowered| {
            let source = if held { Source::Table } else { found.answer().source };
            let value_of = |m: &Move| match (m.pick, m.to) {
                (Pick::Left, 0) => found.without_first,
                (Pick::Left, to) => lowered.col[to as usize - 1],
                (_, 0) => found.without_last,
                (_, to) => lowered.row[to as usize - 1],
            };
            let moves = moves.into_iter().map(|m| {
                let value = value_of(&m);
                (m, value)
            });
            let answer = Answer { source, ..found.answer() };
            Moves { answer, moves: moves.collect() }
        })
    }

    /// The values of the words (`word`, b) for b = 1, ..., `last`, of a game whose positions have
    /// values: along a row of End-Nim computed once for all b.
    ///
    /// # Errors
    /// As [`Database::value`].
    pub fn row(&self, game: Game, word: &[Pile], last: Pile) -> Result<Vec<u32>, QueryError> {
        let along_row = Game::END_NIM.contains(&game) && !word.is_empty();
        if !along_row {
            return (1..=last)
                .map(|b| {
                    let mut piles = [word, &[b]].concat();
                    piles.sort_unstable();
                    let position = match game {
                        Game::ShortGlobalNim => Position::after(piles, 0),
                        _ => Position::new(piles),
                    };
                    Ok(self.value(game, &position.unwrap_or_default())?.value)
                })
                .collect();
        }
        let piles = [word, &[last]].concat();
        match self.holder(game, &piles) {
            Some(stored) => {
                let mut row = Vec::new();
                stored.last_lowered(&piles, &mut row)?;
                Ok(row)
            }
            None => self.evaluate(game, &piles, |_, lowered| lowered.row.clone()),
        }
    }

    /// The row R_w of a middle `w` of `table`, N values: from the table one pile
    /// shorter if it is stored, else computed.
    pub(crate) fn full_row(&self, table: &Table, word: &[Pile]) -> Result<Vec<u32>, QueryError> {
        let mut piles = word.to_vec();
        piles.push(table.max_pile());
        let mut row = Vec::new();
        match (self.holder(table.game(), &piles), word) {
            (Some(stored), _) => stored.last_lowered(&piles, &mut row)?,
            (None, []) => {
                row.extend((1..=table.max_pile()).map(|b| end_nim::seed(table.game(), b)));
            }
            (None, _) => {
                row = self.evaluate(table.game(), &piles, |_, lowered| lowered.row.clone())?;
            }
        }
        Ok(row)
    }

    /// Evaluates a position of at least two piles and hands `take` what was found.
    fn evaluate<R>(
        &self,
        game: Game,
        piles: &[Pile],
        take: impl FnOnce(Evaluated, &Lowered) -> R,
    ) -> Result<R, QueryError> {
        thread_local! {
            static WORKSPACE: RefCell<Workspace> = RefCell::new(Workspace::new(Isa::best()));
        }
        let rows = Rows { database: self, game };
        WORKSPACE.with_borrow_mut(|workspace| {
            let found = workspace.evaluate(game, piles, &rows, self.limits)?;
            let nothing = Lowered::default();
            Ok(take(found, workspace.lowered().unwrap_or(&nothing)))
        })
    }
}

/// The most coins of a position whose moves are listed: each move is a line.
const MOST_COINS: u64 = 10_000_000;

/// Refuses to list the moves of a position that has too many.
pub(crate) fn check_moves(position: &Position) -> Result<(), QueryError> {
    let coins = position.piles().iter().map(|&pile| u64::from(pile)).sum();
    if coins <= MOST_COINS {
        return Ok(());
    }
    Err(QueryError::TooManyMoves { position: position.to_string(), coins, limit: MOST_COINS })
}

impl Evaluated {
    fn answer(self) -> Answer {
        let source = if self.used_tables { Source::TableAndComputed } else { Source::Computed };
        Answer { value: self.value, source }
    }
}

/// The rows of one game's tables.
struct Rows<'a> {
    database: &'a Database,
    game: Game,
}

impl Known for Rows<'_> {
    fn holds(&self, piles: &[Pile]) -> bool {
        self.database.holder(self.game, piles).is_some()
    }

    fn last_lowered(&self, piles: &[Pile], out: &mut Vec<u32>) -> Result<(), QueryError> {
        match self.database.holder(self.game, piles) {
            Some(stored) => stored.last_lowered(piles, out),
            None => Ok(()),
        }
    }

    fn first_lowered(&self, piles: &[Pile], out: &mut Vec<u32>) -> Result<(), QueryError> {
        match self.database.holder(self.game, piles) {
            Some(stored) => stored.first_lowered(piles, out),
            None => Ok(()),
        }
    }
}
