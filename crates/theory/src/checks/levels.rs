//! Tables of End-Nim for two and three piles, in memory. They are read if they are stored, and
//! otherwise computed.

use std::collections::HashMap;

use grundy_rules::{Game, Pile, Table};
use grundy_sweep::AnyLadder;

use crate::job::Job;
use crate::stored::Halt;

/// All values of a game for words of two and three piles up to a bound.
pub(crate) enum Levels {
    /// The values of each tile, by length and middle, and the number of rows of a tile.
    Read {
        tiles: HashMap<(usize, Vec<Pile>), Vec<u32>>,
        side: usize,
    },
    Computed(AnyLadder),
}

impl Levels {
    /// Reads or computes the tables of lengths 2 to `longest`, which is at most 3.
    pub(crate) fn of(
        job: &Job<'_>,
        game: Game,
        max_pile: Pile,
        longest: usize,
    ) -> Result<Levels, Halt> {
        let held: Option<Vec<Table>> = (2..=longest)
            .map(|length| job.holder(&Table::new(game, max_pile, length).ok()?))
            .collect();
        if let Some(held) = held {
            let (mut tiles, side) = (HashMap::new(), max_pile as usize);
            for table in &held {
                read(job, table, side, &mut tiles)?;
            }
            return Ok(Levels::Read { tiles, side });
        }
        job.stored.computed();
        let Ok(table) = Table::new(game, max_pile, longest) else {
            unreachable!("{longest} piles of {max_pile} were planned")
        };
        Ok(Levels::Computed(AnyLadder::new(&table, longest, job.isa, job.control)?))
    }

    /// Returns the value of a position.
    ///
    /// # Panics
    /// Panics if the levels do not have this length, or if a pile is too large.
    pub(crate) fn value(&self, piles: &[Pile]) -> u32 {
        match self {
            Levels::Read { tiles, side } => {
                let [a, middle @ .., b] = piles else {
                    unreachable!("no level has a single pile: {piles:?}")
                };
                // A middle of at most one pile equals its reversal.
                let tile = &tiles[&(piles.len(), middle.to_vec())];
                tile[(*a as usize - 1) * side + *b as usize - 1]
            }
            Levels::Computed(ladder) => match ladder.value(piles) {
                Some(value) => value,
                None => unreachable!("no level has {} piles", piles.len()),
            },
        }
    }
}

/// Reads the stored cells whose piles are all at most `side` into `tiles`.
fn read(
    job: &Job<'_>,
    held: &Table,
    side: usize,
    tiles: &mut HashMap<(usize, Vec<Pile>), Vec<u32>>,
) -> Result<(), Halt> {
    let mut middle = Vec::new();
    job.read(held, |first, values| {
        let first = first / held.tile_cells() as u64;
        for (at, values) in (first..).zip(values.chunks_exact(held.tile_cells())) {
            held.tile_word(at, &mut middle);
            if middle.iter().any(|&pile| pile as usize > side) {
                continue;
            }
            let rows = values.chunks_exact(held.tile_cols()).take(side);
            let corner = rows.flat_map(|row| row[..side].iter().copied()).collect();
            tiles.insert((held.length(), middle.clone()), corner);
        }
        Ok(true)
    })
}
