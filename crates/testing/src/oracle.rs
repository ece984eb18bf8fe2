//! Evaluates positions from the rules, with the slow evaluators of `grundy_rules::reference`.

use grundy_rules::reference::{Outcomes, Reference};
use grundy_rules::{Game, Outcome, Position};

/// Evaluates an impartial game by values, or a partizan game by outcome classes.
#[derive(Debug)]
pub enum Oracle {
    Values(Reference),
    /// The remoteness, and the values of the game itself, which give the outcome classes.
    Remoteness(Reference, Reference),
    Classes(Outcomes),
}

impl Oracle {
    #[must_use]
    pub fn new(game: Game) -> Oracle {
        match (game.remoteness_of(), game.is_impartial()) {
            (Some(of), _) => Oracle::Remoteness(Reference::new(game), Reference::new(of)),
            (None, true) => Oracle::Values(Reference::new(game)),
            (None, false) => Oracle::Classes(Outcomes::new(game)),
        }
    }

    /// Returns the value, if the game has values, and the outcome class.
    pub fn says(&mut self, position: &Position) -> (Option<u32>, Outcome) {
        match self {
            Oracle::Values(values) => {
                let value = values.value(position);
                (Some(value), Outcome::of_value(value))
            }
            Oracle::Remoteness(moves, values) => {
                (Some(moves.value(position)), Outcome::of_value(values.value(position)))
            }
            Oracle::Classes(classes) => (None, classes.outcome(position)),
        }
    }

    /// Returns the value, or the index of the class in [`Outcome::ALL`].
    pub fn cell(&mut self, position: &Position) -> u32 {
        let (value, class) = self.says(position);
        value.unwrap_or(class as u32)
    }

    /// Returns the value or class as the command line prints it.
    pub fn text(&mut self, position: &Position) -> String {
        let (value, class) = self.says(position);
        value.map_or_else(|| class.to_string(), |value| value.to_string())
    }
}
