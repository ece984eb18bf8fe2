//! Tiles. A tile has all positions with the same piles between the end piles.

use grundy_rules::{Game, Outcome, Pile};
use grundy_solvers::{Answer, Answers};

/// Answers about all positions a·w·b of a middle w, for a and b from the least pile to N. The least
/// pile is 1, or 0 in games with places.
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
    pub(crate) answers: Answers,
}

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

    /// Returns the least size of an end pile.
    pub fn first(&self) -> Pile {
        self.game.order().least_pile()
    }

    /// Returns the number of rows, which is also the number of columns.
    pub fn side(&self) -> usize {
        (self.size + 1 - self.first()) as usize
    }

    /// Returns the answer about a·w·b.
    ///
    /// # Panics
    /// Panics if a or b is too small or above N, or if the rules exclude the position.
    pub fn answer(&self, a: Pile, b: Pile) -> Answer {
        let first = self.first();
        assert!((first..=self.size).contains(&a) && (first..=self.size).contains(&b));
        match self.answers[(a - first) as usize * self.side() + (b - first) as usize] {
            Some(answer) => answer,
            None => panic!("{} has no position {a},{:?},{b}", self.game, self.middle),
        }
    }

    /// Returns the value of a·w·b, or the index of its class ([`Answer::cell`]).
    ///
    /// # Panics
    /// Panics in the same cases as [`Tile::answer`].
    pub fn value(&self, a: Pile, b: Pile) -> u32 {
        self.answer(a, b).cell()
    }

    /// Returns the outcome class of a·w·b.
    ///
    /// # Panics
    /// Panics in the same cases as [`Tile::answer`].
    pub fn outcome(&self, a: Pile, b: Pile) -> Outcome {
        self.answer(a, b).outcome
    }

    /// Returns one row for each a, with the answer for each b. An answer is `None` if the rules
    /// exclude the position.
    pub fn rows(&self) -> impl Iterator<Item = &[Option<Answer>]> {
        self.answers.chunks(self.side().max(1))
    }

    /// Returns all values, or indices of classes, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Option<u32>> {
        self.answers.iter().map(|found| found.as_ref().map(Answer::cell))
    }
}
