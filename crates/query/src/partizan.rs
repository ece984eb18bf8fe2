//! Partizan End-Nim: outcome classes, from stored thresholds or from nothing.

use grundy_kernels::thresholds;
use grundy_rules::{Game, Move, Outcome, Pile, Player, Position, partizan};

use crate::database::{Database, Source, check_moves};
use crate::{QueryError, Work};

/// The thresholds of a position, which give its outcome class (see
/// [`grundy_rules::partizan`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// The largest a with which Left, moving first, does not win the position with a pile
    /// of a in front.
    pub left: u64,
    /// The largest b with which Right, moving first, does not win the position with a pile
    /// of b behind.
    pub right: u64,
    /// Where they came from.
    pub source: Source,
}

impl Thresholds {
    /// The outcome class.
    pub fn outcome(self) -> Outcome {
        partizan::outcome(self.left, self.right)
    }
}

/// A position of partizan End-Nim with both players' moves.
#[derive(Clone, Debug)]
pub struct PartizanMoves {
    /// The position's own thresholds.
    pub answer: Thresholds,
    /// Every move and the class of the option it reaches.
    pub moves: Vec<(Move, Outcome)>,
}

/// Whether a move wins for the player who makes it: the other, moving first in the option,
/// does not win.
pub fn is_winning(player: Player, option: Outcome) -> bool {
    match player {
        Player::Left => matches!(option, Outcome::L | Outcome::P),
        Player::Right => matches!(option, Outcome::R | Outcome::P),
        Player::Either => option == Outcome::P,
    }
}

/// Seconds for a step of the recursion, of which there are as many as pairs of piles.
const STEP_SECONDS: f64 = 2e-9;

impl Database {
    /// The thresholds of a position of partizan End-Nim, and so its outcome class.
    ///
    /// # Errors
    /// [`QueryError`] if a shard is damaged, or the position is beyond the limits.
    pub fn thresholds(&self, position: &Position) -> Result<Thresholds, QueryError> {
        let piles = position.piles();
        if let Some(stored) = self.holder(Game::PartizanEndNim, piles) {
            let reversed: Vec<Pile> = piles.iter().rev().copied().collect();
            if let (Some(left), Some(right)) = (stored.value(piles)?, stored.value(&reversed)?) {
                let (left, right) = (u64::from(left), u64::from(right));
                return Ok(Thresholds { left, right, source: Source::Table });
            }
        }
        let pairs = (piles.len() as f64).powi(2);
        let memory = 32 * piles.len() as u64;
        Work { cells: pairs, seconds: pairs * STEP_SECONDS, memory }.check(piles, self.limits())?;
        let (left, right) = thresholds::of_word(piles);
        Ok(Thresholds { left, right, source: Source::Computed })
    }

    /// Every move of both players with the outcome class it leads to.
    ///
    /// # Errors
    /// As [`Database::thresholds`].
    pub fn partizan_moves(&self, position: &Position) -> Result<PartizanMoves, QueryError> {
        check_moves(position)?;
        let answer = self.thresholds(position)?;
        let moves = partizan::moves(position)
            .into_iter()
            .map(|m| {
                let outcome = self.thresholds(&m.option)?.outcome();
                Ok((m, outcome))
            })
            .collect::<Result<_, QueryError>>()?;
        Ok(PartizanMoves { answer, moves })
    }
}
