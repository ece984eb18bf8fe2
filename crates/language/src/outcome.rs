//! Outcome classes and players, which are words of the language.

/// The outcome class of a position: who wins with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// Left wins, whoever begins. In partizan games only.
    L,
    /// Right wins, whoever begins. In partizan games only.
    R,
    /// The next player, the one to move, wins.
    N,
    /// The previous player wins: the player to move loses. In an impartial game, exactly
    /// the positions of Grundy value 0.
    P,
}

impl Outcome {
    /// The classes in the order in which they are listed.
    pub const ALL: [Outcome; 4] = [Outcome::L, Outcome::R, Outcome::N, Outcome::P];

    /// The letter of the papers.
    pub fn name(self) -> &'static str {
        ["L", "R", "N", "P"][self as usize]
    }

    /// The outcome class of an impartial position with this Grundy value.
    pub fn of_value(value: u32) -> Outcome {
        if value == 0 { Outcome::P } else { Outcome::N }
    }

    /// The outcome class by who wins moving first.
    pub fn of_first_moves(left_wins: bool, right_wins: bool) -> Outcome {
        match (left_wins, right_wins) {
            (true, false) => Outcome::L,
            (false, true) => Outcome::R,
            (true, true) => Outcome::N,
            (false, false) => Outcome::P,
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Who may make a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Whoever is to move.
    Either,
    /// Left only.
    Left,
    /// Right only.
    Right,
}

impl Player {
    /// The player's name in listings.
    pub fn name(self) -> &'static str {
        match self {
            Player::Either => "either",
            Player::Left => "Left",
            Player::Right => "Right",
        }
    }
}
