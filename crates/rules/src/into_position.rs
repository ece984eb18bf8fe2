//! Conversion of texts and piles into positions of a game.

use crate::{Game, Pile, Position, PositionError};

/// A value that can be converted to a position of a game: a text, a position, or only piles.
///
/// ```
/// use grundy_rules::{IntoPosition, games};
///
/// let row = "3,1,4".into_position(games::END_NIM)?;
/// assert_eq!([3, 1, 4].into_position(games::END_NIM)?, row);
/// // In Nim the order does not matter: piles are put in ascending order.
/// assert_eq!([3, 1, 4].into_position(games::NIM)?.to_string(), "1,3,4");
/// // A text can also give the last move, if the game remembers it: three coins were just taken.
/// assert_eq!("20,20/3".into_position(games::SHORT_GLOBAL_NIM)?.last_move(), 3);
/// assert!([3, 0, 4].into_position(games::END_NIM).is_err());
/// # Ok::<(), grundy_rules::PositionError>(())
/// ```
pub trait IntoPosition {
    /// Converts the value to a position of this game.
    fn into_position(self, game: Game) -> Result<Position, PositionError>;
}

impl IntoPosition for &str {
    fn into_position(self, game: Game) -> Result<Position, PositionError> {
        game.parse(self)
    }
}

impl IntoPosition for &[Pile] {
    fn into_position(self, game: Game) -> Result<Position, PositionError> {
        game.check_piles(self)?;
        checked(game, game.position(self))
    }
}

impl<const LENGTH: usize> IntoPosition for [Pile; LENGTH] {
    fn into_position(self, game: Game) -> Result<Position, PositionError> {
        self[..].into_position(game)
    }
}

impl<const LENGTH: usize> IntoPosition for &[Pile; LENGTH] {
    fn into_position(self, game: Game) -> Result<Position, PositionError> {
        self[..].into_position(game)
    }
}

impl IntoPosition for &Vec<Pile> {
    fn into_position(self, game: Game) -> Result<Position, PositionError> {
        self[..].into_position(game)
    }
}

impl IntoPosition for Position {
    fn into_position(self, game: Game) -> Result<Position, PositionError> {
        game.check(&self)?;
        if !game.is_unordered() || self.piles().is_sorted() {
            return Ok(self);
        }
        Ok(game.position_with(self.piles(), self.memory()))
    }
}

impl IntoPosition for &Position {
    fn into_position(self, game: Game) -> Result<Position, PositionError> {
        self.clone().into_position(game)
    }
}

fn checked(game: Game, position: Position) -> Result<Position, PositionError> {
    game.check(&position)?;
    Ok(position)
}
