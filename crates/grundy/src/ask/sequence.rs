//! Integer sequences: how many positions of each size satisfy a statement.

use grundy_rules::{Pile, Position};

use crate::{Ask, AskError, Error, Lengths};

/// What the size of a position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Its largest pile.
    LargestPile,
    /// All its coins.
    Total,
}

impl Count {
    fn of(self, position: &Position) -> u64 {
        match self {
            Count::LargestPile => position.max_pile().into(),
            Count::Total => position.piles().iter().copied().map(u64::from).sum(),
        }
    }
}

/// The numbers of positions of sizes 0, 1, ..., `to` that satisfy the statement of `ask`, of all
/// these lengths together; `None` if it was stopped. Of multisets each is counted once.
pub fn counts(
    ask: &Ask<'_>,
    lengths: Lengths,
    by: Count,
    to: Pile,
) -> Result<Option<Vec<u64>>, AskError> {
    // Of so many coins in so many piles no pile has more.
    let largest = |length: usize| match by {
        Count::LargestPile => to,
        Count::Total => (u64::from(to) + 1).saturating_sub(length as u64) as Pile,
    };
    for length in lengths.clone().filter(|&length| largest(length) > 0) {
        ask.check_seconds(length..=length, largest(length))?;
    }
    let shortage = |shortage| Error::Memory { table: format!("the sequence to {to}"), shortage };
    ask.options.memory.check(8 * (u64::from(to) + 1)).map_err(shortage)?;
    let mut counts = vec![0u64; to as usize + 1];
    for length in lengths {
        let max_pile = largest(length);
        if max_pile == 0 {
            continue;
        }
        let ended = ask.find(length..=length, max_pile, |position, _| {
            if let Some(count) = counts.get_mut(by.of(position) as usize) {
                *count += 1;
            }
            Ok::<bool, AskError>(true)
        })?;
        if !ended {
            return Ok(None);
        }
    }
    Ok(Some(counts))
}
