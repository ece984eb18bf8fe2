//! Positions by the rules alone: the slow evaluators of `grundy_rules::reference`.

use grundy_rules::reference::{Outcomes, Reference};
use grundy_rules::{Game, Outcome, Position, Remembers};

/// The values of an impartial game, or the outcome classes of a partizan one.
#[derive(Debug)]
pub enum Oracle {
    Values(Reference),
    Classes(Outcomes),
}

impl Oracle {
    #[must_use]
    pub fn new(game: Game) -> Oracle {
        match game.is_impartial() {
            true => Oracle::Values(Reference::new(game)),
            false => Oracle::Classes(Outcomes::new(game)),
        }
    }

    /// The value of a position, where the game has values.
    pub fn value(&mut self, position: &Position) -> Option<u32> {
        let Oracle::Values(values) = self else { return None };
        Some(values.value(position))
    }

    /// The class of a position, where the game has no values.
    pub fn class(&mut self, position: &Position) -> Option<Outcome> {
        let Oracle::Classes(classes) = self else { return None };
        Some(classes.outcome(position))
    }

    /// The value, or the place of the class among [`Outcome::ALL`]: what a walk shows.
    pub fn cell(&mut self, position: &Position) -> u32 {
        match self {
            Oracle::Values(values) => values.value(position),
            Oracle::Classes(classes) => classes.outcome(position) as u32,
        }
    }

    /// The value or the class as the command line prints it.
    pub fn text(&mut self, position: &Position) -> String {
        match self {
            Oracle::Values(values) => values.value(position).to_string(),
            Oracle::Classes(classes) => classes.outcome(position).to_string(),
        }
    }
}

/// Shows every position of a number of piles of up to `max_pile`, with every last move or every set of
/// moves where the game remembers these; once each, if the piles are in no order.
pub fn each_position(game: Game, max_pile: u32, length: usize, mut show: impl FnMut(Position)) {
    let mut piles = vec![1; length];
    loop {
        if !game.is_unordered() || piles.is_sorted() {
            let largest = piles.iter().copied().max().unwrap_or(0);
            let text = piles.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
            let parse = |more: &str| game.parse(&format!("{text}{more}")).expect("a position");
            match game.remembers() {
                Remembers::Nothing => show(parse("")),
                Remembers::LastMove => (0..=max_pile + 1).for_each(|last| match last {
                    0 => show(parse("")),
                    last => show(parse(&format!("/{last}"))),
                }),
                Remembers::Moves => (0..1u64 << largest).for_each(|set| {
                    let moves = (1..=largest).filter(|taken| set >> (taken - 1) & 1 == 1);
                    let moves = moves.map(|taken| taken.to_string()).collect::<Vec<_>>().join(",");
                    show(parse(&format!("{{{moves}}}")));
                }),
            }
        }
        let Some(at) = piles.iter().rposition(|&pile| pile < max_pile) else { return };
        piles[at] += 1;
        piles[at + 1..].fill(1);
    }
}
