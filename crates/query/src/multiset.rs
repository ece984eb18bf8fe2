//! Nim and misère Nim beyond the tables.
//!
//! Of Nim every value is the nim-sum (Bouton 1901; the claim `bouton.general` holds it
//! against the tables). Of misère Nim, under the convention of Cairns and Ho, no formula is
//! known: a value is computed by mex over everything below the position.

use std::cell::Cell;
use std::time::Instant;

use grundy_kernels::multisets::{Corner, Rectangle};
use grundy_rules::{Game, Pile, Position, nim};

use crate::database::{Answer, Database, Moves, Source};
use crate::{QueryError, Work};

impl Database {
    /// The value of a position of either game.
    pub(crate) fn multiset_value(
        &self,
        game: Game,
        position: &Position,
    ) -> Result<Answer, QueryError> {
        let piles = position.piles();
        if let Some(stored) = self.holder(game, piles)
            && let Some(value) = stored.value(piles)?
        {
            return Ok(Answer { value, source: Source::Table });
        }
        let value = match (game, piles) {
            (Game::Nim, _) => nim::nim_sum(piles),
            (_, &[pile]) => pile - 1,
            _ => self.corner(piles)?.value,
        };
        Ok(Answer { value, source: Source::Computed })
    }

    /// Every move of a position of either game.
    pub(crate) fn multiset_moves(
        &self,
        game: Game,
        position: &Position,
    ) -> Result<Moves, QueryError> {
        let moves = game.moves(position);
        let one_by_one = game == Game::Nim
            || position.length() == 1
            || self.holder(game, position.piles()).is_some();
        if one_by_one {
            let answer = self.multiset_value(game, position)?;
            let moves = moves
                .into_iter()
                .map(|m| {
                    let value = self.multiset_value(game, &m.option)?.value;
                    Ok((m, value))
                })
                .collect::<Result<_, QueryError>>()?;
            return Ok(Moves { answer, moves });
        }
        let corner = self.corner(position.piles())?;
        let answer = Answer { value: corner.value, source: Source::Computed };
        let moves = moves.into_iter().map(|m| {
            let lowered = corner.lowered.iter().find(|(pile, _)| *pile == m.from);
            let value = lowered.and_then(|(_, values)| values.get(m.to as usize)).copied();
            (m, value.unwrap_or_default())
        });
        Ok(Moves { answer, moves: moves.collect() })
    }

    /// Evaluates a position of misère Nim of at least two piles, within the limits.
    fn corner(&self, piles: &[Pile]) -> Result<Corner, QueryError> {
        let rectangle = Rectangle::new(piles);
        let limits = self.limits();
        let memory = rectangle.bytes().min(u64::MAX as f64) as u64;
        let work = Work { cells: rectangle.points(), seconds: rectangle.seconds(), memory };
        work.check(piles, limits)?;
        // An estimate is an estimate: what takes several times as long ends too.
        let start = Instant::now();
        let late = Cell::new(false);
        let found = rectangle.evaluate(false, |_| {
            late.set(start.elapsed().as_secs_f64() > 4.0 * limits.seconds.max(1.0));
            !late.get()
        });
        found.ok_or_else(|| work.refused(piles, "--seconds"))
    }
}
