//! Evaluates positions by the rules alone, with the slow evaluators of `grundy_rules::reference`.

use grundy_rules::reference::{Outcomes, Reference};
use grundy_rules::{Game, Outcome, Position, Remembers};

/// Values of an impartial game, or outcome classes of a partizan game.
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

    /// Returns the value of a position, if the game has values.
    pub fn value(&mut self, position: &Position) -> Option<u32> {
        let Oracle::Values(values) = self else { return None };
        Some(values.value(position))
    }

    /// Returns the class of a position, if the game has outcome classes.
    pub fn class(&mut self, position: &Position) -> Option<Outcome> {
        let Oracle::Classes(classes) = self else { return None };
        Some(classes.outcome(position))
    }

    /// Returns the value, or the index of the class in [`Outcome::ALL`].
    pub fn cell(&mut self, position: &Position) -> u32 {
        match self {
            Oracle::Values(values) => values.value(position),
            Oracle::Classes(classes) => classes.outcome(position) as u32,
        }
    }

    /// Returns the value or class as the command line prints it.
    pub fn text(&mut self, position: &Position) -> String {
        match self {
            Oracle::Values(values) => values.value(position).to_string(),
            Oracle::Classes(classes) => classes.outcome(position).to_string(),
        }
    }
}

/// Calls `show` for every position of `length` piles of up to `max_pile`, with every last move or
/// set of moves if the game remembers them. Unordered piles are shown once.
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
