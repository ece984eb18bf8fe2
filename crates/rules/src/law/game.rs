//! Games that rule files define.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use grundy_language::{Problem, Span, Undefined};

use super::read::not_here;
use super::{Kind, RuleFile, walk};
use crate::index::{self, BoxIndex, Index, MultisetIndex};
use crate::{
    Game, Meaning, Move, Order, Pile, Position, RULE_FILES, Remembers, Rules, Size, TableError,
};

/// The limit on the memory for rule files in one run, and the bytes that each file needs besides
/// its text. Each file stays in memory until the program ends.
const MOST_BYTES: usize = 1 << 28;
const FILE_BYTES: usize = 1 << 12;

#[derive(Debug)]
pub(crate) struct FileGame {
    file: RuleFile,
    id: &'static str,
    title: &'static str,
    paper: &'static str,
    symmetric: OnceLock<bool>,
}

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
        let bytes = opened.iter().map(|known| known.file.text.len() + FILE_BYTES);
        if bytes.sum::<usize>() >= MOST_BYTES {
            let what = format!("{} rule files are too many for one run", opened.len());
            return Err(Problem::new(what, Span::default(), ""));
        }
        let kept = |text: &str| -> &'static str { text.to_owned().leak() };
        let (id, title, paper) = (kept(&self.id), kept(&self.title), kept(&self.source));
        let game = FileGame { file: self, id, title, paper, symmetric: OnceLock::new() };
        let game: &'static FileGame = Box::leak(Box::new(game));
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

impl Rules for FileGame {
    fn id(&self) -> &'static str {
        self.id
    }

    fn title(&self) -> &'static str {
        self.title
    }

    fn paper(&self) -> &'static str {
        self.paper
    }

    fn order(&self) -> Order {
        self.file.law.kind.order()
    }

    fn rule_file(&self) -> Option<&RuleFile> {
        Some(&self.file)
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
        walk::moves(&self.file.law, &self.file.text, position, more)
    }

    fn admits(&self, position: &Position) -> Result<bool, Undefined> {
        walk::admits(&self.file.law, &self.file.text, position)
    }

    fn terminal_value(&self) -> u32 {
        self.file.law.misere.into()
    }

    fn meaning(&self) -> Meaning {
        if self.file.law.is_partizan() { Meaning::Classes } else { Meaning::Grundy }
    }

    fn remembers(&self) -> Remembers {
        if self.file.law.last_move { Remembers::LastMove } else { Remembers::Nothing }
    }

    fn has_empty_position(&self) -> bool {
        self.file.law.kind != Kind::Places
    }

    fn is_symmetric(&self) -> bool {
        *self.symmetric.get_or_init(|| self.file.law.is_symmetric())
    }

    fn plays_on_ends(&self) -> bool {
        self.file.law.plays_on_ends()
    }

    fn index(&self, game: Game, size: Size) -> Result<Arc<dyn Index>, TableError> {
        let law = &self.file.law;
        let lengths = law.table_lengths();
        if !lengths.contains(&size.length) {
            let lengths = law.lengths_in_words();
            return Err(TableError::Piles { game, length: size.length, lengths });
        }
        let last_moves = match law.last_move {
            false => None,
            true => {
                let piles = law.most_changed(size.length).ok_or(TableError::NoIndex { game })?;
                Some(u64::from(size.max_pile) * piles as u64)
            }
        };
        Ok(match (law.kind, last_moves) {
            (Kind::Sum, _) => Arc::new(BoxIndex::of_sums(game, size)?),
            (Kind::Row | Kind::Heaps, None) => index::usual(game, size)?,
            (Kind::Heaps, Some(most)) => {
                Arc::new(MultisetIndex::with_all_last_moves(game, size, most)?)
            }
            (Kind::Row | Kind::Places, most) => {
                Arc::new(BoxIndex::new(game, size, law.least_pile(), most)?)
            }
        })
    }

    /// Returns a bound on the number of options if one is known, or else the number of coins. The
    /// number of coins is also a bound on values, but not in sums: the nim-sum of several piles may
    /// exceed the pile that they replace.
    fn largest_value(&self, max_pile: Pile, length: usize) -> u64 {
        let coins = u64::from(max_pile) * length as u64;
        let options = self.file.law.most_options(max_pile, length);
        match self.file.law.kind {
            Kind::Sum => options.map_or(coins, |options| options.max(coins)),
            _ => options.map_or(coins, |options| options.min(coins)).max(1),
        }
    }
}
