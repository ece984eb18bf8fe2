//! Games that rule files define.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use grundy_language::{Expr, Memories, Problem, Span, Undefined};

use super::family::Recognised;
use super::read::not_here;
use super::singles::{Kept, Single};
use super::{Family, Kind, Law, RuleFile, Singles, walk};
use crate::games::Facts;
use crate::index::{self, BoxIndex, Index, MultisetIndex, RecordIndex};
use crate::{
    Game, Lowered, Meaning, Move, Order, Pick, Pile, Position, RULE_FILES, Remembers, Rules, Size,
    TableError,
};

/// The limit on the memory for rule files in one run, and the bytes that each file, and each number
/// in its sets, needs besides its text. Each file stays in memory until the program ends.
const MOST_BYTES: usize = 1 << 28;
const FILE_BYTES: usize = 1 << 12;
const NUMBER_BYTES: usize = size_of::<Expr>();

/// A game that a rule file defines. A built-in game also has [`Facts`].
#[derive(Debug)]
pub(crate) struct FileGame {
    file: RuleFile,
    facts: Option<&'static Facts>,
    symmetric: OnceLock<bool>,
    recognised: OnceLock<Recognised>,
    singles: Kept,
}

impl FileGame {
    pub(crate) fn new(file: RuleFile, facts: Option<&'static Facts>) -> FileGame {
        let (symmetric, recognised) = (OnceLock::new(), OnceLock::new());
        FileGame { file, facts, symmetric, recognised, singles: Kept::new() }
    }

    fn recognised(&self) -> &Recognised {
        self.recognised.get_or_init(|| self.file.law.recognised())
    }
}

/// The opened files. A [`Game`] is a handle that is copied freely and lives as long as the program,
/// so its file does, too. The list finds the game of a text or an id again.
static OPENED: Mutex<Vec<&'static FileGame>> = Mutex::new(Vec::new());

impl RuleFile {
    /// Returns the game that the file defines. The same text always gives the same game.
    pub fn game(self) -> Result<Game, Problem> {
        if !RULE_FILES {
            return Err(not_here());
        }
        let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = opened.iter().find(|known| known.file.text == self.text) {
            return Ok(Game::new(*known));
        }
        let bytes = opened.iter().map(|known| &known.file);
        let bytes = bytes.map(|file| file.text.len() + FILE_BYTES + file.numbers * NUMBER_BYTES);
        if bytes.sum::<usize>() >= MOST_BYTES {
            let what = format!("{} rule files are too many for one run", opened.len());
            return Err(Problem::new(what, Span::default(), ""));
        }
        let game: &'static FileGame = Box::leak(Box::new(FileGame::new(self, None)));
        opened.push(game);
        Ok(Game::new(game))
    }
}

/// Returns the game with this id, if its file was opened.
pub(crate) fn opened(id: &str) -> Option<Game> {
    if !RULE_FILES {
        return None;
    }
    let opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    opened.iter().find(|known| known.file.id == id).map(|known| Game::new(*known))
}

/// Returns moves with the names of the piles that they change, instead of a list of changes. Sorts
/// the moves by player, by these names, and by what they leave.
fn named(moves: Vec<Move>, kind: Kind, length: usize) -> Vec<Move> {
    let named = |made: Move| {
        let pick = match (kind, &made.changes[..]) {
            (Kind::Heaps, [_]) => Pick::Any,
            (Kind::Row, [_]) if length == 1 => Pick::Only,
            (Kind::Row, [one]) if one.pile == 1 => Pick::Left,
            (Kind::Row, [one]) if one.pile == length => Pick::Right,
            (Kind::Row, [..]) if made.changes.len() == 2 => Pick::Both,
            _ => return made,
        };
        let ends = |change: &Lowered| (change.from, change.to[0]);
        let ((from, to), right) = (ends(&made.changes[0]), made.changes.get(1).map(ends));
        Move { pick, from, to, right, changes: Vec::new(), ..made }
    };
    let mut moves: Vec<Move> = moves.into_iter().map(named).collect();
    moves.sort_by_key(|made| (made.player as u8, made.pick as u8, made.from, made.to));
    moves
}

/// Cells have at most 32 bits.
const MOST_VALUE: u64 = u32::MAX as u64;

impl Rules for FileGame {
    fn id(&self) -> &str {
        self.facts.map_or(&self.file.id, |facts| facts.id)
    }

    fn title(&self) -> &str {
        &self.file.title
    }

    fn paper(&self) -> &str {
        &self.file.source
    }

    fn rule(&self) -> &str {
        &self.file.rule
    }

    fn order(&self) -> Order {
        self.file.law.kind.order()
    }

    fn rule_file(&self) -> Option<&RuleFile> {
        self.facts.is_none().then_some(&self.file)
    }

    fn law(&self) -> Option<&Law> {
        Some(&self.file.law)
    }

    /// Returns no moves if the moves are undefined; [`Rules::try_moves`] then returns the error.
    fn moves(&self, position: &Position) -> Vec<Move> {
        self.try_moves(position).unwrap_or_default()
    }

    fn try_moves(&self, position: &Position) -> Result<Vec<Move>, Undefined> {
        self.moves_while(position, &mut || true).map(Option::unwrap_or_default)
    }

    fn moves_while(
        &self,
        position: &Position,
        more: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Vec<Move>>, Undefined> {
        let (law, length) = (&self.file.law, position.length());
        let moves = walk::moves(law, &self.file.text, position, more)?;
        Ok(moves.map(|moves| match self.facts {
            Some(_) => named(moves, law.kind, length),
            None => moves,
        }))
    }

    fn falls(&self, position: &Position) -> Result<Vec<i128>, Undefined> {
        walk::falls(&self.file.law, &self.file.text, position)
    }

    fn admits(&self, position: &Position) -> Result<bool, Undefined> {
        walk::admits(&self.file.law, &self.file.text, position)
    }

    fn terminal_value(&self) -> u32 {
        self.file.law.misere.into()
    }

    fn meaning(&self) -> Meaning {
        if self.file.law.has_classes() { Meaning::Classes } else { Meaning::Grundy }
    }

    fn remembers(&self) -> Remembers {
        if self.file.law.memories.is_some() { Remembers::Numbers } else { Remembers::Nothing }
    }

    fn has_empty_position(&self) -> bool {
        let knows_it = self.facts.is_none_or(|facts| facts.has_empty_position);
        knows_it && self.file.law.kind != Kind::Places
    }

    fn is_symmetric(&self) -> bool {
        *self.symmetric.get_or_init(|| self.file.law.is_symmetric())
    }

    fn family(&self) -> Family {
        self.recognised().family
    }

    fn singles(&self, terminal: u32, most: Pile) -> Cow<'_, Singles> {
        self.singles.get(terminal, most, |most| match &self.recognised().single {
            Single::Takes(lines) => Singles::of_moves(lines, terminal, most),
            Single::Other => Singles::by_moves(|position| self.moves(position), terminal, most),
        })
    }

    fn plays_on_ends(&self) -> bool {
        self.file.law.plays_on_ends()
    }

    fn normal_play(&self) -> Option<Game> {
        self.facts?.normal_play
    }

    fn cell_bytes(&self, length: usize) -> Option<usize> {
        self.facts?.cell_bytes(length)
    }

    fn has_records(&self) -> bool {
        self.facts.is_some_and(|facts| facts.records)
    }

    fn has_thresholds(&self) -> bool {
        self.facts.is_some_and(|facts| facts.thresholds)
    }

    fn index(&self, game: Game, size: Size) -> Result<Arc<dyn Index>, TableError> {
        let law = &self.file.law;
        if self.has_records() {
            return Ok(match size.length {
                1 => Arc::new(RecordIndex::new(game, size)?),
                _ => index::usual(game, size)?,
            });
        }
        if size.length > 0 && !law.allows(size.length) {
            let lengths = law.lengths_in_words();
            return Err(TableError::Piles { game, length: size.length, lengths });
        }
        let states = match &law.memories {
            None => None,
            Some(memories) if memories.has_last_move() => {
                let piles = match law.within_total {
                    true => 1,
                    false => law.most_changed(size.length).ok_or(TableError::NoIndex { game })?,
                };
                let last_moves = u64::from(size.max_pile) * piles as u64 + 1;
                Some(last_moves * u64::from(memories.states()))
            }
            Some(memories) => Some(memories.states().into()),
        };
        if law.within_total {
            return index::within_total(game, size, states);
        }
        Ok(match (law.kind, states) {
            (Kind::Sum, _) if size.length == 1 => Arc::new(BoxIndex::of_sums(game, size)?),
            (Kind::Sum, _) => Arc::new(MultisetIndex::of_sums(game, size)?),
            (Kind::Row | Kind::Heaps, None) => index::usual(game, size)?,
            (Kind::Heaps, Some(states)) => {
                Arc::new(MultisetIndex::with_states(game, size, states)?)
            }
            (Kind::Row | Kind::Places, states) => {
                Arc::new(BoxIndex::new(game, size, law.least_pile(), states)?)
            }
        })
    }

    /// Returns a bound on the number of options if one is known, or else the number of coins. The
    /// number of coins is also a bound on values if every move takes a coin, but not in sums: the
    /// nim-sum of several piles may exceed the pile that they replace.
    fn largest_value(&self, max_pile: Pile, length: usize) -> u64 {
        if let Some(largest) = self.facts.and_then(|facts| facts.largest_value) {
            return largest(max_pile, length);
        }
        let is_sum = self.file.law.kind == Kind::Sum;
        if is_sum && length > 1 {
            // A nim-sum has no more binary digits than the values of single piles.
            return (self.largest_value(max_pile, 1) + 1).next_power_of_two() - 1;
        }
        let law = &self.file.law;
        let has_all = law.within_total && law.kind == Kind::Heaps;
        let coins = u64::from(max_pile) * if law.within_total { 1 } else { length as u64 };
        let options = law.most_options(max_pile, length).filter(|_| !has_all);
        if !law.falls.is_empty() {
            // A value is less than the number of positions. Every total has 2^(total - 1) rows.
            let positions = match (law.within_total, law.kind) {
                (true, Kind::Row) => 1_u64.checked_shl(max_pile).unwrap_or(u64::MAX),
                (true, Kind::Heaps) => index::heaps_within(max_pile).unwrap_or(u64::MAX),
                _ => (u64::from(max_pile) + 1).saturating_pow(length as u32),
            };
            let states = |of: &Memories| match of.has_last_move() {
                true => u64::MAX,
                false => of.states().into(),
            };
            let positions = positions.saturating_mul(law.memories.as_ref().map_or(1, states));
            return options
                .map_or(positions, |options| options.min(positions))
                .clamp(1, MOST_VALUE);
        }
        match is_sum {
            true => options.map_or(coins, |options| options.max(coins)),
            false => options.map_or(coins, |options| options.min(coins)).max(1),
        }
    }
}
