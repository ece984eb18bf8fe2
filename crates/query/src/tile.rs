//! Tiles: all positions with the same piles between their ends.

use grundy_rules::{Game, Outcome, Pile};
use grundy_solvers::Answer;

/// Answers about all positions a·w·b of a middle w, for a and b from 1 to N.
///
/// ```
/// use grundy_query::Database;
/// use grundy_rules::{Outcome, games};
///
/// let tile = Database::empty().tile(games::END_NIM, &[4], 8)?;
/// assert_eq!((tile.value(5, 6), tile.value(5, 5)), (3, 0));
/// assert_eq!(tile.outcome(5, 5), Outcome::P);
/// for line in tile.rows() {
///     assert_eq!(line.len(), 8);
/// }
/// # Ok::<(), grundy_query::QueryError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    pub(crate) game: Game,
    pub(crate) middle: Vec<Pile>,
    pub(crate) size: Pile,
    pub(crate) answers: Vec<Answer>,
}

#[allow(missing_docs)] // the names say it
impl Tile {
    pub fn game(&self) -> Game {
        self.game
    }

    pub fn middle(&self) -> &[Pile] {
        &self.middle
    }

    pub fn size(&self) -> Pile {
        self.size
    }

    /// Returns the answer about a·w·b.
    ///
    /// # Panics
    /// Panics if a or b is 0 or above N.
    pub fn answer(&self, a: Pile, b: Pile) -> Answer {
        assert!((1..=self.size).contains(&a) && (1..=self.size).contains(&b));
        self.answers[(a as usize - 1) * self.size as usize + b as usize - 1]
    }

    /// Returns the value of a·w·b, or the index of its class ([`Answer::cell`]).
    ///
    /// # Panics
    /// As [`Tile::answer`].
    pub fn value(&self, a: Pile, b: Pile) -> u32 {
        self.answer(a, b).cell()
    }

    /// Returns the outcome class of a·w·b.
    ///
    /// # Panics
    /// As [`Tile::answer`].
    pub fn outcome(&self, a: Pile, b: Pile) -> Outcome {
        self.answer(a, b).outcome
    }

    /// Returns the rows a = 1, 2, ..., N, each with the answers for b = 1, 2, ..., N.
    pub fn rows(&self) -> impl Iterator<Item = &[Answer]> {
        self.answers.chunks(self.size.max(1) as usize)
    }

    /// Returns all values, or indices of classes, row by row.
    pub fn cells(&self) -> impl Iterator<Item = u32> {
        self.answers.iter().map(Answer::cell)
    }
}
