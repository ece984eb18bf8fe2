//! The measures of size that the N of a table limits.

use grundy_rules::Game;

/// The measure that the N of a table limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Each pile.
    Pile,
    /// The number of coins, in games with `within: total`.
    Total,
}

impl Measure {
    /// Returns what the N of the tables of a game limits.
    pub fn of(game: Game) -> Measure {
        if game.is_within_total() { Measure::Total } else { Measure::Pile }
    }

    /// Returns what the N of a table limits, by its id: the total in GAME/tN and GAME/tN/kLENGTH.
    pub fn of_table(id: &str) -> Measure {
        let size = id.split('/').nth(1).and_then(|size| size.strip_prefix('t'));
        let is_total = size.is_some_and(|total| total.parse::<u32>().is_ok());
        if is_total { Measure::Total } else { Measure::Pile }
    }
}
