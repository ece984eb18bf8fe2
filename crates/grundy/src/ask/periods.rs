//! The periods of rows b -> G(a, middle, b).

use grundy_rules::{Ends, Game, Pile};
use grundy_sweep::period::{self, MOST_MIDDLE, Row};
use grundy_sweep::{Control, MemoryLimit, MemoryShortage, Stopped};

/// A search for the periods of rows with the same middle.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // most names say it
pub struct PeriodSearch<'a> {
    pub game: Game,
    pub left: Pile,
    pub middle: &'a [Pile],
    /// The last column of a row, unless its period is proved earlier.
    pub to: u32,
    pub memory: MemoryLimit,
}

/// An error of a search for periods.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum PeriodError {
    #[error(
        "{game} has no periods: its values do not follow from the two ends of a row; choose one of \
         {}",
        Game::all().filter(|game| game.ends().is_some()).map(Game::id).collect::<Vec<_>>().join(", ")
    )]
    NoEnds { game: Game },
    #[error("periods of {game} are computed for two piles only; leave out middle")]
    AnyMiddle { game: Game },
    #[error("middle has {piles} piles; the limit is {MOST_MIDDLE}")]
    LongMiddle { piles: usize },
    #[error("left, to and the piles of middle must be at least 1")]
    Zero,
    #[error("cannot compute the strip of rows: {0}")]
    Memory(MemoryShortage),
    #[error("stopped before the end")]
    Stopped,
}

impl From<Stopped> for PeriodError {
    fn from(_: Stopped) -> PeriodError {
        PeriodError::Stopped
    }
}

impl PeriodSearch<'_> {
    /// Searches the rows for a = 1, ..., `left`.
    pub fn rows(&self, control: &Control) -> Result<Vec<Row>, PeriodError> {
        let ends = self.ends(1)?;
        Ok(period::strip(ends, self.left, self.middle, self.to as usize, control)?)
    }

    /// Searches the row for a = `left`. If `left` is 0, this is the row of the middle alone.
    pub fn row(&self, control: &Control) -> Result<Row, PeriodError> {
        Ok(period::row(self.ends(0)?, self.left, self.middle, self.to as usize, control)?)
    }

    /// Returns the end values of the game, or an error if the search is impossible or too large.
    fn ends(&self, least: Pile) -> Result<Ends, PeriodError> {
        let PeriodSearch { game, left, middle, to, memory } = *self;
        let ends = game.ends().ok_or(PeriodError::NoEnds { game })?;
        if !ends.any_length && !middle.is_empty() {
            return Err(PeriodError::AnyMiddle { game });
        }
        if middle.len() > MOST_MIDDLE {
            return Err(PeriodError::LongMiddle { piles: middle.len() });
        }
        if left < least || to == 0 || middle.contains(&0) {
            return Err(PeriodError::Zero);
        }
        let needed = period::bytes(left, middle, to as usize);
        memory.check(needed).map_err(PeriodError::Memory)?;
        Ok(ends)
    }
}
