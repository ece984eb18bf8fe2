//! Claims about words of piles of any game. The values are from stored tables or the reference.

use grundy_rules::reference::Reference;
use grundy_rules::{Game, Pile, Position, Table, lex_word};
use grundy_sweep::cost::price::MEMO;

use crate::domain::{Extent, Size};
use crate::estimate::{Estimate, Means};
use crate::job::Job;
use crate::stored::Halt;

const REFERENCE_BYTES: u64 = 200;

/// Estimates the cost of evaluating words with one more pile than the sizes state. This pile may be
/// twice as large as the others. So a word has about 2N options, where N is the max pile of the
/// size.
pub(crate) fn cost(games: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let each = |&Size { max_pile, length }: &Size| {
        let words = u64::from(max_pile).saturating_pow(length as u32);
        let longer = words.saturating_mul(2 * u64::from(max_pile) + 1);
        Estimate { cells: words, ..by_reference(games, longer, 2.0 * f64::from(max_pile)) }
    };
    extent.sizes().iter().map(each).sum()
}

pub(crate) fn position_cost(games: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let each = |&Size { max_pile, length }: &Size| {
        let positions = u64::from(max_pile).saturating_pow(length as u32);
        by_reference(games, positions, f64::from(max_pile) * length.min(3) as f64 / 2.0)
    };
    extent.sizes().iter().map(each).sum()
}

fn by_reference(games: &[Game], positions: u64, options: f64) -> Estimate {
    let all = positions.saturating_mul(games.len() as u64);
    let memory = all.saturating_mul(REFERENCE_BYTES);
    Estimate { positions: all, cells: all, seconds: all as f64 * options * MEMO, memory }
}

/// Calls `show` for the words of all sizes, with the reference evaluator.
pub(crate) fn each_word(
    job: &Job<'_>,
    mut show: impl FnMut(Game, &[Pile], &mut Reference),
) -> Result<(), Halt> {
    job.stored.computed();
    for &game in job.games {
        let mut reference = Reference::new(game);
        for &Size { max_pile, length } in job.sizes() {
            let mut word = vec![0; length];
            for number in 0..u64::from(max_pile).pow(length as u32) {
                job.control.check()?;
                lex_word(number, max_pile.into(), &mut word);
                show(game, &word, &mut reference);
                job.control.advance(1);
            }
        }
    }
    Ok(())
}

/// Calls `show` with each position of the sizes and its value, from a stored table or the
/// reference. If a table stores only one of a position and its reversal, shows only that one.
pub(crate) fn each_position(
    job: &Job<'_>,
    mut show: impl FnMut(Game, &Position, u32),
) -> Result<(), Halt> {
    for &game in job.games {
        for &Size { max_pile, length } in job.sizes() {
            let Ok(table) = Table::new(game, max_pile, length) else {
                unreachable!("the plan has no such table: {game}, {max_pile}, {length}")
            };
            match job.holder(&table) {
                Some(held) => job.read(&held, |first, values| {
                    for (number, &value) in (first..).zip(values) {
                        match held.position(number) {
                            Some(position) if position.max_pile() <= max_pile => {
                                show(game, &position, value);
                            }
                            _ => {}
                        }
                    }
                    Ok(true)
                })?,
                None => {
                    job.stored.computed();
                    let mut reference = Reference::new(game);
                    for number in 0..table.values() {
                        job.control.check()?;
                        let Some(position) = table.position(number) else { continue };
                        let value = reference.value(&position);
                        show(game, &position, value);
                    }
                }
            }
            job.control.advance(table.cells());
        }
    }
    Ok(())
}
