//! Outcome classes and players, which have names in the language.

/// The outcome class of a position, which tells who wins with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// Left wins, no matter who begins. Only partizan games have this class.
    L,
    /// Right wins, no matter who begins. Only partizan games have this class.
    R,
    /// The next player, who is to move, wins.
    N,
    /// The previous player wins, so the player to move loses. In impartial games, the positions of
    /// this class have Grundy value 0.
    P,
}

impl Outcome {
    pub const ALL: [Outcome; 4] = [Outcome::L, Outcome::R, Outcome::N, Outcome::P];

    /// Returns the letter that papers use.
    pub fn name(self) -> &'static str {
        ["L", "R", "N", "P"][self as usize]
    }

    /// Returns the outcome class of an impartial position with this Grundy value.
    pub fn of_value(value: u32) -> Outcome {
        if value == 0 { Outcome::P } else { Outcome::N }
    }

    /// Returns the outcome class. Each argument is true if that player, moving first, wins.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    Either,
    Left,
    Right,
}

impl Player {
    /// Returns the name of the player in listings.
    pub fn name(self) -> &'static str {
        match self {
            Player::Either => "either",
            Player::Left => "Left",
            Player::Right => "Right",
        }
    }
}
