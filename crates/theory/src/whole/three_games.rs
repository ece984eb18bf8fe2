//! Corollary 2.4 of Cairns and Ho: the three games side by side.
//!
//! The corollary compares games, so its check does too, and uses none of the
//! theorems that it follows from: the tiles of one middle are filled for all
//! three games and their masks of zeros compared. They may differ only at a row
//! of equal piles, which stands on the diagonal of a middle of equal piles.

use grundy_kernels::{EqualMask, Isa};
use grundy_rules::{Game, Pile, Table};
use grundy_sweep::{Control, Filler, Ladder, Stopped, Tile};
use rayon::prelude::*;

use crate::job::{Examined, Extent, Job, Size};
use crate::plan::{Estimate, Means, size_cost};
use crate::source::ladder_top;
use crate::tally::Tally;

/// What filling the tiles of three games takes.
pub(crate) fn cost(games: &[Game], extent: &Extent, means: &Means<'_>) -> Estimate {
    let Extent::Sizes(sizes) = extent else { return Estimate::default() };
    let mut total = Estimate::default();
    for &Size { max_pile, length } in sizes {
        let Ok(table) = Table::new(games[0], max_pile, length) else { continue };
        let cost = size_cost(&table, means);
        // Tiles are filled one by one, not walked: j levels above the ladder a tile takes
        // j (j + 1) / 2 of them.
        let deep = f64::from((cost.between + 1) * (cost.between + 2) / 2);
        let nanoseconds = 3.0 * table.cells() as f64 * (cost.cell * deep + 1.0);
        total.add(Estimate {
            positions: table.positions(),
            cells: 3 * table.cells(),
            seconds: nanoseconds * 1e-9 / means.threads.max(1) as f64,
            memory: 3 * cost.memory,
        });
    }
    total
}

/// Cells of one game that are compared at a time.
const BATCH_CELLS: usize = 1 << 16;

pub(crate) fn compare(job: &Job<'_>) -> Examined {
    let mut examined = Examined::default();
    for &size in job.sizes() {
        let part = if size.max_pile <= grundy_rules::table::LARGEST_BYTE_MAX_PILE {
            compare_size::<u8>(size, job.isa, job.memory / 3, job.control)
        } else {
            compare_size::<u16>(size, job.isa, job.memory / 3, job.control)
        };
        examined.tally = examined.tally.merge(part.tally);
        examined.stopped |= part.stopped;
    }
    examined
}

/// What the corollary says of a row of equal piles.
fn equal_piles_are_p(game: Game, pile: Pile, length: usize) -> bool {
    let even = length.is_multiple_of(2);
    match game {
        Game::EndNim => even,
        Game::MisereEndNim => even && pile > 1 || !even && pile == 1,
        Game::LoopEndNim => !even,
        _ => unreachable!("the corollary compares the three End-Nim games"),
    }
}

fn compare_size<T: EqualMask>(size: Size, isa: Isa, memory: u64, control: &Control) -> Examined {
    let mut examined = Examined { stopped: true, ..Examined::default() };
    let top = ladder_top::<T>(size.max_pile, size.length, memory);
    let mut ladders = Game::END_NIM.map(|game| Ladder::<T>::new(game, size.max_pile, isa));
    if ladders.iter_mut().try_for_each(|ladder| ladder.extend(top, control)).is_err() {
        return examined;
    }
    // The plan has made sure that there is such a table.
    let Ok(table) = Table::new(Game::EndNim, size.max_pile, size.length) else {
        return examined;
    };
    let per_batch = (BATCH_CELLS / table.tile_cells()).max(8) as u64;
    let batches = table.tiles().div_ceil(per_batch);
    let compared = (0..batches)
        .into_par_iter()
        .map_init(
            || ladders.each_ref().map(|ladder| (Filler::new(ladder), Vec::new(), Vec::new())),
            |games, batch| {
                if control.check().is_err() {
                    return (Tally::default(), Err(Stopped));
                }
                let first = batch * per_batch;
                let count = per_batch.min(table.tiles() - first) as usize;
                (compare_tiles(&table, isa, first, count, games, control), Ok(()))
            },
        )
        .reduce(|| (Tally::default(), Ok(())), |(a, x), (b, y)| (a.merge(b), x.and(y)));
    examined.tally = compared.0;
    examined.stopped = compared.1.is_err();
    examined
}

/// One game's filler, its tiles, and their masks of zeros.
type Side<'a, T> = (Filler<'a, T>, Vec<T>, Vec<u64>);

fn compare_tiles<T: EqualMask>(
    table: &Table,
    isa: Isa,
    first: u64,
    count: usize,
    games: &mut [Side<'_, T>; 3],
    control: &Control,
) -> Tally {
    let (cells, cols) = (table.tile_cells(), table.tile_cols());
    let words = cols.div_ceil(64);
    for (filler, values, masks) in games.iter_mut() {
        values.resize(count * cells, T::default());
        masks.resize(count * table.tile_rows() * words, 0);
        filler.fill_stored(table, first, values);
        T::equal_mask(isa, values, cols, T::from_value(0), masks);
    }
    control.advance(3 * (count * cells) as u64);
    let mut tally = Tally::default();
    let mut middle = Vec::new();
    for at in 0..count {
        table.tile_word(first + at as u64, &mut middle);
        let tile = |game: usize| Tile {
            length: table.length(),
            middle: &middle,
            rows: table.tile_rows(),
            values: &games[game].1[at * cells..(at + 1) * cells],
        };
        tally.checked += cells as u64 * tile(0).weight();
        let masks = |game: usize| {
            let per_tile = table.tile_rows() * words;
            &games[game].2[at * per_tile..(at + 1) * per_tile]
        };
        let constant = middle.windows(2).all(|pair| pair[0] == pair[1]);
        if constant || masks(0) != masks(1) || masks(0) != masks(2) {
            compare_cells([tile(0), tile(1), tile(2)], &mut tally);
        }
    }
    tally
}

/// Cell by cell, where something differs or may.
fn compare_cells<T: EqualMask>(tiles: [Tile<'_, T>; 3], tally: &mut Tally) {
    let cols = tiles[0].cols();
    let mut piles = Vec::new();
    for cell in 0..tiles[0].values.len() {
        let is_p = tiles.map(|tile| tile.values[cell].into() == 0);
        tiles[0].piles(cell / cols, cell % cols, &mut piles);
        let equal = piles.iter().all(|&pile| pile == piles[0]);
        for (at, game) in Game::END_NIM.into_iter().enumerate() {
            let claimed =
                if equal { equal_piles_are_p(game, piles[0], piles.len()) } else { is_p[0] };
            if is_p[at] != claimed {
                for _ in 0..tiles[0].weight() {
                    let value: u32 = tiles[at].values[cell].into();
                    tally.fail(game, &piles, Some(value), || {
                        format!("value {value}, claimed {}", if claimed { "P" } else { "N" })
                    });
                    piles.reverse();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_on_small_sizes_in_either_width() {
        for (max_pile, length) in [(7, 1), (20, 2), (12, 3), (6, 5), (3, 7)] {
            let size = Size { max_pile, length };
            let words = u64::from(max_pile).pow(length as u32);
            let bytes = compare_size::<u8>(size, Isa::best(), 1 << 20, &Control::new());
            let pairs = compare_size::<u16>(size, Isa::Portable, 1 << 20, &Control::new());
            assert_eq!((bytes.tally.checked, bytes.tally.failures), (words, 0));
            assert_eq!(bytes, pairs);
        }
    }

    /// Tiles in which one cell was changed: the corollary fails there, at the
    /// reading of the row that comes first.
    #[test]
    fn a_difference_is_found() {
        let values = [[1u8, 0, 0, 1], [1, 0, 0, 1], [1, 1, 0, 1]];
        let tiles =
            [0, 1, 2].map(|at| Tile { length: 4, middle: &[2, 1], rows: 2, values: &values[at] });
        let mut tally = Tally::default();
        compare_cells(tiles, &mut tally);
        assert_eq!(tally.failures, 2);
        let first = tally.first.unwrap();
        assert_eq!((first.game, first.piles.as_slice()), (Game::LoopEndNim, &[1, 2, 1, 2][..]));
    }
}
