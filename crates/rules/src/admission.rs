//! Checks positions against their games, and makes positions of games.

use std::ops::RangeInclusive;

use grundy_language::Problem;

use crate::law::{Kind, piles};
use crate::position::{join, shortened};
use crate::{Game, Memory, MoveSet, Order, Pile, Position, Remembers};

/// The largest pile that the notation accepts. It is larger than the piles of any table.
pub(crate) const LARGEST_PILE: Pile = 1_000_000_000;

/// The error for a text or piles that are not a valid position. Indices count piles from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    #[error("no piles given; write the piles from left to right, as in 3,1,4, or () for none")]
    Empty,
    #[error(
        "pile {index} of '{text}' is 0; every pile has at least one coin (leave out an empty pile)"
    )]
    Zero { index: usize, text: String },
    #[error(
        "pile {index} of '{text}' is '{word}', which is not a whole number of coins; write the piles as in 3,1,4"
    )]
    NotANumber { index: usize, word: String, text: String },
    #[error("pile {index} of '{text}' is too large; a pile has at most {LARGEST_PILE} coins")]
    TooLarge { index: usize, text: String },
    #[error(
        "'{word}' in '{text}' is not a last move; write the number of coins just taken, as in 20,20/3"
    )]
    LastMove { word: String, text: String },
    #[error(
        "'{word}' in '{text}' is not the number `{name}`, which is from {least} to {largest}",
        largest = largest.unwrap_or(LARGEST_PILE)
    )]
    Memory { word: String, text: String, name: String, least: Pile, largest: Option<Pile> },
    #[error(
        "'{text}' does not give each number that {game} remembers; write {names} after the piles, \
         each after a slash, or none of them at the beginning of play"
    )]
    Memories { game: Game, text: String, names: String },
    #[error(
        "'{word}' in '{text}' is not a set of moves; write each move once, from 1 on, as in 8{{1,3,4}} or 32{{1..7,28..31}}"
    )]
    Moves { word: String, text: String },
    #[error("'{text}' has a set of moves, which {game} does not remember; leave out the braces")]
    NoMoves { game: Game, text: String },
    #[error("'{text}' has a last move, which {game} does not remember; leave out the slash")]
    NoLastMove { game: Game, text: String },
    #[error("{text} is not a position of {game}, which does not remember moves")]
    OtherGame { game: Game, text: String },
    #[error("the empty position () is not a position of {game}")]
    NoEmptyPosition { game: Game },
    #[error("positions of {game} have {}, but this one has {length}", piles(lengths))]
    Length { game: Game, length: usize, lengths: RangeInclusive<usize> },
    #[error("this is not a position of {game}\n{problem}")]
    Excluded { game: Game, problem: Box<Problem> },
}

impl Position {
    /// Returns the row of these piles, from left to right.
    pub fn new(piles: Vec<Pile>) -> Result<Position, PositionError> {
        at_least(1, &piles)?;
        Ok(Position { piles, memory: Memory::Nothing })
    }
}

impl Game {
    /// Rejects a position if the game uses another kind of memory, or if the rules exclude the
    /// position. A position without a memory is at the beginning of play.
    pub fn check(self, position: &Position) -> Result<(), PositionError> {
        let fits = match (&position.memory, self.remembers()) {
            (Memory::Nothing, _) => true,
            (Memory::Numbers(_, of), _) => self.memories() == Some(of),
            (Memory::Available(_), remembers) => remembers == Remembers::Moves,
        };
        if !fits {
            let text = shortened(&position.to_string());
            return Err(PositionError::OtherGame { game: self, text });
        }
        if position.piles.is_empty() && !self.has_empty_position() {
            return Err(PositionError::NoEmptyPosition { game: self });
        }
        self.admitted(position)
    }

    /// Rejects a pile that is too small for the game. Empty piles are allowed only in places.
    pub fn check_piles(self, piles: &[Pile]) -> Result<(), PositionError> {
        at_least(self.order().least_pile(), piles)
    }

    /// Rejects a part of a position if no position has `length` piles, or if a pile is too small.
    pub fn check_part(self, part: &[Pile], length: usize) -> Result<(), PositionError> {
        self.check_piles(part)?;
        match self.law().filter(|law| law.kind != Kind::Sum && !law.lengths.contains(&length)) {
            Some(law) => {
                Err(PositionError::Length { game: self, length, lengths: law.lengths.clone() })
            }
            None => Ok(()),
        }
    }

    /// Returns the position of these piles with this memory.
    pub fn position_with(self, piles: &[Pile], memory: &Memory) -> Position {
        if let Memory::Available(set) = memory {
            return Position::with_available(piles.to_vec(), set);
        }
        Position { memory: memory.clone(), ..self.position(piles) }
    }

    /// Returns the memory with this state; 0 is the beginning of play.
    pub fn memory(self, state: u32) -> Memory {
        Memory::of(state, self.memories())
    }

    pub(crate) fn admitted(self, position: &Position) -> Result<(), PositionError> {
        let problem = match (self.admits(position), self.rule_file()) {
            (Ok(false), Some(file)) => {
                self.check_part(position.piles(), position.length())?;
                let by = file.law.admits.as_ref().map_or_else(Default::default, |by| by.span);
                let what = format!("{position} is not a position");
                Box::new(Problem::new(what, by, "by this").of_line(&file.text))
            }
            (Err(error), _) => error.problem,
            _ => return Ok(()),
        };
        Err(PositionError::Excluded { game: self, problem })
    }

    /// Returns the position of these piles at the beginning of play: there is no last move, and all
    /// moves are available. Zeros are left out, except in places.
    pub fn position(self, piles: &[Pile]) -> Position {
        let position = match self.order() {
            Order::Row => Position::row(piles),
            Order::Any => Position::multiset(piles.to_vec()),
            Order::Places => Position { piles: piles.to_vec(), memory: Memory::Nothing },
        };
        let memory = match self.remembers() {
            Remembers::Nothing => Memory::Nothing,
            Remembers::Numbers => self.memory(0),
            Remembers::Moves => Memory::Available(MoveSet::up_to(position.max_pile())),
        };
        Position { memory, ..position }
    }
}

/// Rejects an empty pile, if the least pile is 1.
fn at_least(least: Pile, piles: &[Pile]) -> Result<(), PositionError> {
    match piles.iter().position(|&pile| pile < least) {
        None => Ok(()),
        Some(at) => Err(PositionError::Zero { index: at + 1, text: shortened(&join(piles)) }),
    }
}
