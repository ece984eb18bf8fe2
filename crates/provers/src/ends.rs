//! The moves of a game at the two ends of a row, as tables of small numbers.

use grundy_rules::{Game, Pile, Player, Position};

use crate::{Of, ProverError};

/// The cell of the empty row in a game that does not have it.
pub(crate) const NONE: u32 = u32::MAX;

/// The two end piles after a move; 0 is no pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    player: Player,
    left: Pile,
    right: Pile,
}

/// The moves of all rows with end piles of at most `piles`, and how they decide a cell: a Grundy
/// value, or an outcome as two bits, 1 if Right wins moving first and 2 if Left does.
#[derive(Debug)]
pub(crate) struct EndMoves {
    pub(crate) piles: Pile,
    of: Of,
    terminal: u32,
    has_empty: bool,
    /// The moves of single piles.
    single: Vec<Vec<Step>>,
    /// The moves of rows with ends a and b, at a (piles + 1) + b.
    pair: Vec<Vec<Step>>,
}

impl EndMoves {
    pub(crate) fn of(game: Game, piles: Pile, of: Of) -> Result<EndMoves, ProverError> {
        let mut single = vec![Vec::new()];
        for pile in 1..=piles {
            let moves = game.try_moves(&Position::row(&[pile]))?;
            let step = |left: &[Pile]| match *left {
                [] => Some((0, 0)),
                [left] => Some((left, 0)),
                _ => None,
            };
            let steps = moves.iter().map(|m| Some((m.player, step(m.option.piles())?)));
            single.push(listed(game, piles, steps)?);
        }
        // A pile that no end has shows which of the two a move leaves.
        let marker = piles + 1;
        let mut pair = vec![Vec::new(); (piles as usize + 1).pow(2)];
        for (a, b) in (1..=piles).flat_map(|a| (1..=piles).map(move |b| (a, b))) {
            let moves = game.try_moves(&Position::row(&[a, marker, b]))?;
            let step = |left: &[Pile]| match *left {
                [x, y, z] if y == marker => Some((x, z)),
                [x, y] if y == marker => Some((x, 0)),
                [y, z] if y == marker => Some((0, z)),
                [y] if y == marker => Some((0, 0)),
                _ => None,
            };
            let steps = moves.iter().map(|m| Some((m.player, step(m.option.piles())?)));
            pair[(a * marker + b) as usize] = listed(game, piles, steps)?;
        }
        let terminal = game.terminal_value();
        Ok(EndMoves { piles, of, terminal, has_empty: game.has_empty_position(), single, pair })
    }

    /// Returns the cell of a row with these ends (0 for none, as in a single pile a), if `cell`
    /// gives the cells of the options by their ends.
    pub(crate) fn solve(&self, a: Pile, b: Pile, mut cell: impl FnMut(Pile, Pile) -> u32) -> u32 {
        let steps = match (a, b) {
            (0, 0) if !self.has_empty => return NONE,
            (0, 0) => &[][..],
            (a, 0) => &self.single[a as usize],
            (a, b) => &self.pair[(a * (self.piles + 1) + b) as usize],
        };
        let cells = steps.iter().map(|step| (step.player, cell(step.left, step.right)));
        match self.of {
            Of::Values if steps.is_empty() => self.terminal,
            Of::Values => grundy_rules::mex(cells.map(|(_, cell)| cell).collect::<Vec<_>>()),
            Of::Outcomes if steps.is_empty() => 3 * self.terminal,
            Of::Outcomes => cells.fold(0, |wins, (player, cell)| {
                let left = player != Player::Right && cell & 1 == 0;
                let right = player != Player::Left && cell & 2 == 0;
                wins | u32::from(right) | u32::from(left) << 1
            }),
        }
    }
}

fn listed(
    game: Game,
    piles: Pile,
    steps: impl Iterator<Item = Option<(Player, (Pile, Pile))>>,
) -> Result<Vec<Step>, ProverError> {
    let step = |step: Option<(Player, (Pile, Pile))>| match step {
        Some((player, (left, right))) if left.max(right) <= piles => {
            Ok(Step { player, left, right })
        }
        _ => Err(ProverError::Ends { game }),
    };
    steps.map(step).collect()
}
