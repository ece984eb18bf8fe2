//! The periods of rows b -> G(a, middle, b).

use grundy_query::Limits;
use grundy_rules::{Family, Game, IN_BROWSER, Pile, PositionError, RULE_FILES, Remembers};
use grundy_solvers::{sum_row, words_of};
use grundy_sweep::period::{self, MOST_MIDDLE, Row, Words};
use grundy_sweep::{Control, MemoryLimit, MemoryShortage, Stopped};

use super::sequence::{growing, row_values};
use crate::clock::Stopwatch;
use crate::{Database, Error, Level};

/// A search for the periods of rows with the same middle.
#[derive(Clone, Copy, Debug)]
pub struct PeriodSearch<'a> {
    pub game: Game,
    pub left: Pile,
    pub middle: &'a [Pile],
    /// The last column to search, unless the period of the row is proved earlier.
    pub to: u32,
    pub memory: MemoryLimit,
}

/// An error of a search for periods.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PeriodError {
    #[error(
        "no proof covers the periods of these rows of {game}: its moves are neither as in \
         docs/PROOFS.md, section 4, nor given by an octal code; `grundy sequence` lists values"
    )]
    NotProved { game: Game },
    #[error("the values of the row are not known: {what}")]
    Values { what: String },
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error("middle has {piles} piles; the limit is {MOST_MIDDLE}")]
    LongMiddle { piles: usize },
    #[error("cannot compute the strip of rows: {0}")]
    Memory(MemoryShortage),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The number of columns of a row that is computed first, and the longest time, in seconds, to
/// compute a row whose period no proof covers.
const FIRST_COLUMNS: Pile = 64;
const LONGEST_ROW: f64 = 10.0;

impl PeriodSearch<'_> {
    /// Searches the rows with a = 1, ..., `left`, or only the row of the middle if `left` is 0.
    pub fn rows(&self, control: &Control) -> Result<Vec<Row>, PeriodError> {
        let observe = |word: &[Pile]| self.observed(word, control);
        self.search(control, &observe)
    }

    /// Does the same as [`PeriodSearch::rows`], but refuses games without proofs for these rows.
    pub fn with_proofs(&self, control: &Control) -> Result<Vec<Row>, PeriodError> {
        self.search(control, &|_| Err(PeriodError::NotProved { game: self.game }))
    }

    /// Searches the rows. `observe` finds the periods of rows that no proof covers.
    fn search(
        &self,
        control: &Control,
        observe: &dyn Fn(&[Pile]) -> Result<Row, PeriodError>,
    ) -> Result<Vec<Row>, PeriodError> {
        let PeriodSearch { game, left, middle, to, memory } = *self;
        if middle.len() > MOST_MIDDLE {
            return Err(PeriodError::LongMiddle { piles: middle.len() });
        }
        let word = [&[left][..left.min(1) as usize], middle].concat();
        game.check_part(&word, word.len() + 1)?;
        let fits = |rows, middle| {
            let needed = period::bytes(rows, middle, to as usize);
            memory.check(needed).map_err(PeriodError::Memory)
        };
        let words = match game.family() {
            // Two heaps are a row.
            family if family == Family::Ends || family == Family::Heaps && middle.is_empty() => {
                fits(left, middle)?;
                Words::of_ends(game)
            }
            _ if !RULE_FILES => return Err(PeriodError::NotProved { game }),
            _ => {
                let product = |all: Pile, &pile: &Pile| all.saturating_mul(pile.saturating_add(1));
                fits(word.iter().fold(1, product), &[])?;
                let single = word.is_empty().then(|| sum_row(game, to as usize, control));
                if let Some(row) = single.flatten() {
                    return Ok(vec![row?]);
                }
                let largest = word.iter().copied().max().unwrap_or(1);
                match words_of(game, word.len(), largest) {
                    Some(words) => words,
                    None => {
                        let words = (left.min(1)..=left)
                            .map(|a| [&[a][..left.min(1) as usize], middle].concat());
                        return words.map(|word| observe(&word)).collect();
                    }
                }
            }
        };
        Ok(words.strip(left, middle, to as usize, control)?)
    }

    /// Computes a row, and looks for a period without a proof. A row ends early if more columns
    /// would take too long, but the single piles of a game without a memory are one table.
    fn observed(&self, word: &[Pile], control: &Control) -> Result<Row, PeriodError> {
        let PeriodSearch { game, to, memory, .. } = *self;
        let remembers = game.remembers() != Remembers::Nothing;
        let has_row = word.is_empty() || game.is_impartial() && !remembers;
        if IN_BROWSER || game.excludes() || !has_row {
            return Err(PeriodError::NotProved { game });
        }
        if !word.is_empty() || remembers {
            let limits = Limits { memory, seconds: LONGEST_ROW };
            let database = Database::empty_within(limits).without_theorems();
            let begun = Stopwatch::start();
            let portion = |last| {
                control.check()?;
                row_values(&database, game, word, last, &mut || true)
                    .map_err(|error| PeriodError::Values { what: error.to_string() })
            };
            // Twice as many columns take up to four times as long.
            let is_soon = || 4.0 * begun.elapsed().as_secs_f64() <= LONGEST_ROW;
            let (first, row) = growing((FIRST_COLUMNS, 2, to), portion, |error| {
                error.map_or_else(is_soon, |error| matches!(error, PeriodError::Stopped(_)))
            })?;
            // The row begins with b = 1.
            let values =
                row.into_iter().flatten().skip(usize::from(first == 0)).collect::<Vec<_>>();
            return Ok(Row { found: period::observed(&values), values });
        }
        let mut values = Vec::new();
        let walked = Level::new(game, 1, to).and_then(|level| {
            level.memory(memory).control(control).each(|block| {
                block.each_cell(|at, _| values.extend((at.piles[0] > 0).then_some(at.value)));
                !control.is_stopped()
            })
        });
        match walked {
            Err(Error::Stopped) => return Err(Stopped.into()),
            Err(Error::Memory { shortage, .. }) => return Err(PeriodError::Memory(shortage)),
            Err(error) => return Err(PeriodError::Values { what: error.to_string() }),
            Ok(()) => control.check()?,
        }
        Ok(Row { found: period::observed(&values), values })
    }

    /// Searches only the last of the [rows](PeriodSearch::rows).
    pub fn row(&self, control: &Control) -> Result<Row, PeriodError> {
        let mut rows = self.rows(control)?;
        Ok(rows.swap_remove(rows.len() - 1))
    }
}
