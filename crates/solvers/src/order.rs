//! The order in which positions are filled.

use std::ops::Range;

use grundy_rules::{Game, Move, Position, RULE_FILES, Remembers};
use grundy_sweep::Control;
use rayon::prelude::*;

use crate::fill::FillError;

/// Marks, in the list of ranks, a cell that has no position. The value of such a cell stays 0.
pub(crate) const EXCLUDED: u32 = u32::MAX;

/// The number of positions that a thread takes at a time.
pub(crate) const CHUNK: usize = 1 << 10;

/// Returns the ranks of the positions with these numbers; a move leads to a position of lower rank.
/// The rank is [`EXCLUDED`] if `position` returns `None`, or if the rules exclude the position.
pub(crate) fn ranks(
    game: Game,
    numbers: Range<u64>,
    position: &(dyn Fn(u64) -> Option<Position> + Sync),
    control: &Control,
) -> Result<Vec<u32>, FillError> {
    let count = (numbers.end - numbers.start) as usize;
    let mut ranks = vec![EXCLUDED; count];
    let of = |number: u64| -> Result<Option<Position>, FillError> {
        Ok(match position(number) {
            // The condition `where` of a rule file may be undefined at a position.
            Some(position) if game.admits(&position)? => Some(position),
            _ => None,
        })
    };
    let first = |chunk: usize| numbers.start + (chunk * CHUNK) as u64;
    ranks.par_chunks_mut(CHUNK).enumerate().try_for_each(|(chunk, ranks)| {
        control.check()?;
        for (number, rank) in (first(chunk)..).zip(ranks) {
            *rank = of(number)?.map_or(EXCLUDED, |position| position.coins() as u32);
        }
        Ok::<(), FillError>(())
    })?;
    if !RULE_FILES || !game.has_falls() {
        return Ok(ranks);
    }
    let mut all_falls = vec![Vec::new(); count];
    all_falls.par_chunks_mut(CHUNK).enumerate().try_for_each(|(chunk, all)| {
        control.check()?;
        for (number, falls) in (first(chunk)..).zip(all) {
            *falls = of(number)?.map_or(Ok(Vec::new()), |position| game.falls(&position))?;
        }
        Ok::<(), FillError>(())
    })?;
    let mut sorted: Vec<&Vec<i128>> = all_falls.iter().collect();
    sorted.par_sort_unstable();
    sorted.dedup();
    for (rank, falls) in ranks.iter_mut().zip(&all_falls).filter(|(rank, _)| **rank != EXCLUDED) {
        *rank = sorted.binary_search(&falls).unwrap_or_default() as u32;
    }
    Ok(ranks)
}

/// The number of positions whose options are counted for an estimate.
pub(crate) const SAMPLED_POSITIONS: u64 = 16;

/// The time to list an option by the rules, in visits of an option in a table.
const BY_RULES: f64 = 32.0;

/// The time to number a pile of an option, in visits of an option in a table.
const BY_PILE: f64 = 0.25;

/// Returns the mean number of options of some positions, as visits of options in a table.
pub(crate) fn mean_options(game: Game, positions: impl Iterator<Item = Position>) -> f64 {
    let (mut count, mut options) = (0, 0.0);
    for position in positions {
        let moves = game.moves_while(&position, &mut || true).ok().flatten().unwrap_or_default();
        let visit = |made: &Move| 1.0 + BY_PILE * made.option.length() as f64;
        options += moves.iter().map(visit).sum::<f64>();
        count += 1;
    }
    let by_rules = game.has_falls() || game.remembers() != Remembers::Nothing;
    let each = if by_rules { BY_RULES } else { 1.0 };
    each * (options / f64::from(count.max(1)) + 1.0)
}
