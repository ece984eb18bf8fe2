//! The moves of a game at the two ends of a row, as tables of small numbers.

use grundy_rules::{Game, Pile, Player, Position};

use crate::{Of, ProverError};

/// Stands for the cell of the empty row if the game does not have this position.
pub(crate) const NONE: u32 = u32::MAX;

/// The moves of all rows whose end piles are at most `piles`. The moves determine the cell of a
/// row. A cell is a Grundy value, or the sum of 1 if Right wins moving first and 2 if Left does.
#[derive(Debug)]
pub(crate) struct EndMoves {
    pub(crate) piles: Pile,
    of: Of,
    terminal: u32,
    has_empty: bool,
    /// The moves of rows with the ends a and b are at index a (piles + 1) + b. Each entry names the
    /// player and the two ends after the move. An end of 0 means no pile. A single pile counts as
    /// the left end.
    steps: Vec<Vec<(Player, Pile, Pile)>>,
}

impl EndMoves {
    pub(crate) fn of(game: Game, piles: Pile, of: Of) -> Result<EndMoves, ProverError> {
        // A pile larger than all ends represents the middle. In an option it separates the ends.
        let marker = piles + 1;
        let end = |piles: &[Pile]| match *piles {
            [] => Some(0),
            [pile] if pile < marker => Some(pile),
            _ => None,
        };
        let mut steps = Vec::new();
        for (a, b) in (0..=piles).flat_map(|a| (0..=piles).map(move |b| (a, b))) {
            let row = match (a, b) {
                (0, 0) => vec![],
                (0, pile) | (pile, 0) => vec![pile],
                (a, b) => vec![a, marker, b],
            };
            let moves = match row[..] {
                [] => Vec::new(),
                _ => game.try_moves(&Position::row(&row))?,
            };
            let step = |(player, option): (Player, &[Pile])| {
                let at = option.iter().position(|&pile| pile == marker);
                let (left, right) = match at {
                    Some(at) => (&option[..at], &option[at + 1..]),
                    None if row.len() == 1 => (option, &[][..]),
                    None => return None,
                };
                Some((player, end(left)?, end(right)?))
            };
            let all = moves.iter().map(|made| step((made.player, made.option.piles())));
            steps.push(all.collect::<Option<_>>().ok_or(ProverError::Ends { game })?);
        }
        let (terminal, has_empty) = (game.terminal_value(), game.has_empty_position());
        Ok(EndMoves { piles, of, terminal, has_empty, steps })
    }

    /// Returns the cell of a row with these ends. The function `cell` returns the cell of an option
    /// with given ends.
    pub(crate) fn solve(&self, a: Pile, b: Pile, cell: impl Fn(Pile, Pile) -> u32) -> u32 {
        let steps = &self.steps[(a * (self.piles + 1) + b) as usize];
        let cells = steps.iter().map(|&(player, left, right)| (player, cell(left, right)));
        match self.of {
            _ if a == 0 && b == 0 && !self.has_empty => NONE,
            Of::Values if steps.is_empty() => self.terminal,
            Of::Values => grundy_rules::mex(cells.map(|(_, cell)| cell)),
            Of::Outcomes if steps.is_empty() => 3 * self.terminal,
            Of::Outcomes => cells.fold(0, |wins, (player, cell)| {
                let left = player != Player::Right && cell & 1 == 0;
                let right = player != Player::Left && cell & 2 == 0;
                wins | u32::from(right) | u32::from(left) << 1
            }),
        }
    }
}
