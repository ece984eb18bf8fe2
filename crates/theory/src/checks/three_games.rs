//! Corollary 2.4 of Cairns and Ho, which compares three games.
//!
//! The check compares games directly, and uses none of the theorems that imply the corollary. It
//! reads or fills the tiles of a middle for all three games, and compares the masks of zeros. The
//! masks may differ only at rows of equal piles. If the middle has equal piles, such a row is on
//! the diagonal.
//!
//! A row of piles counts as one position, although it is examined in three games. If any game
//! contradicts the claim, the row counts as one failure.

use grundy_kernels::{EqualMask, Isa};
use grundy_rules::{Game, Middles, Pile, Table, games};
use grundy_sweep::cost::price::STORE;
use grundy_sweep::cost::{WalkCost, ladder_top};
use grundy_sweep::{Control, Filler, Ladder, MemoryLimit, Stopped, fold_units};

use crate::domain::{Extent, Size};
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::stored::Halt;
use crate::tally::Tally;

/// Returns the table of a size; the plan has checked that it exists.
fn table_of(game: Game, Size { max_pile, length }: Size) -> Table {
    match Table::new(game, max_pile, length) {
        Ok(table) => table,
        Err(error) => unreachable!("the plan has no such table: {error}"),
    }
}

pub(crate) fn cost(games: &[Game], extent: &Extent, means: &Means<'_>) -> Estimate {
    let each = |&size: &Size| {
        let table = table_of(games[0], size);
        let cost = WalkCost::of(&table, means.isa, means.memory, means.threads);
        // Each tile is filled separately from the levels in memory (the ladder). So if j levels
        // are above the ladder, a tile takes as long as j (j + 1) / 2 tiles of a sweep.
        let deep = f64::from((cost.between + 1) * (cost.between + 2) / 2);
        let (positions, cells) = (table.positions(), 3 * table.cells());
        let seconds = cells as f64 * (cost.cell * deep + STORE) / means.threads.max(1) as f64;
        Estimate { positions, cells, seconds, memory: 3 * cost.memory }
    };
    extent.sizes().iter().map(each).sum()
}

/// The number of cells of each game that are compared at a time.
const BATCH_CELLS: usize = 1 << 16;

pub(crate) fn compare(job: &Job<'_>) -> Examination {
    Examination::by(|tally| job.sizes().iter().try_for_each(|&size| compare_size(size, job, tally)))
}

fn compare_size(size: Size, job: &Job<'_>, tally: &mut Tally) -> Result<(), Halt> {
    let tables = games::END_NIM_GAMES.map(|game| table_of(game, size));
    let stored = tables.iter().all(|table| job.holder(table).as_ref() == Some(table));
    let kept = tables[0].tiles().saturating_mul(2 * 8 * mask_words(&tables[0]) as u64);
    if stored && job.memory.check(kept).is_ok() {
        return compare_stored(&tables, job, tally);
    }
    job.stored.computed();
    let found = if size.max_pile <= <u8 as grundy_kernels::Cell>::MAX_PILE as Pile {
        compare_computed::<u8>(&tables[0], job.isa, job.memory.share(3), job.control)
    } else {
        compare_computed::<u16>(&tables[0], job.isa, job.memory.share(3), job.control)
    };
    *tally = std::mem::take(tally).merge(found.0);
    Ok(found.1?)
}

/// Returns the number of words in the masks of a tile. Each row takes whole words.
fn mask_words(table: &Table) -> usize {
    table.tile_rows() * table.tile_cols().div_ceil(64)
}

fn equal_piles_are_p(game: Game, pile: Pile, length: usize) -> bool {
    let even = length.is_multiple_of(2);
    match game {
        _ if game == games::END_NIM => even,
        _ if game == games::MISERE_END_NIM => even && pile > 1 || !even && pile == 1,
        _ if game == games::LOOP_END_NIM => !even,
        _ => unreachable!("the corollary compares the three End-Nim games"),
    }
}

/// Reads the games one after another, and keeps the masks of the first two.
fn compare_stored(tables: &[Table; 3], job: &Job<'_>, tally: &mut Tally) -> Result<(), Halt> {
    let words = mask_words(&tables[0]);
    let [first, second, third] = tables;
    let mut kept = [Vec::new(), Vec::new()];
    for (table, kept) in [first, second].into_iter().zip(&mut kept) {
        read_masks(job, table, |_, mask| kept.extend_from_slice(mask))?;
    }
    let mut middle = Vec::new();
    read_masks(job, third, |tile, mask| {
        third.tile_word(tile, &mut middle);
        let at = tile as usize * words..(tile as usize + 1) * words;
        let masks = [&kept[0][at.clone()], &kept[1][at], mask];
        compare_tile(third, &middle, masks, tally);
    })
}

/// Calls `show` with the mask of zeros of each tile of a stored table, in order.
fn read_masks(job: &Job<'_>, table: &Table, mut show: impl FnMut(u64, &[u64])) -> Result<(), Halt> {
    let (cells, cols) = (table.tile_cells(), table.tile_cols());
    let words = cols.div_ceil(64);
    let mut mask = vec![0; mask_words(table)];
    job.read(table, |first, values| {
        let first = first / cells as u64;
        for (tile, values) in (first..).zip(values.chunks_exact(cells)) {
            mask.fill(0);
            for (row, values) in values.chunks_exact(cols).enumerate() {
                for (col, &value) in values.iter().enumerate() {
                    mask[row * words + col / 64] |= u64::from(value == 0) << (col % 64);
                }
            }
            show(tile, &mask);
        }
        job.control.advance(values.len() as u64);
        Ok(true)
    })
}

fn compare_computed<T: EqualMask>(
    table: &Table,
    isa: Isa,
    memory: MemoryLimit,
    control: &Control,
) -> (Tally, Result<(), Stopped>) {
    let (max_pile, length) = (table.max_pile(), table.length());
    let top = ladder_top::<T>(max_pile, length, memory);
    let mut ladders = games::END_NIM_GAMES.map(|game| Ladder::<T>::new(game, max_pile, isa));
    if let Err(stopped) = ladders.iter_mut().try_for_each(|ladder| ladder.extend(top, control)) {
        return (Tally::default(), Err(stopped));
    }
    let per_batch = (BATCH_CELLS / table.tile_cells()).max(8) as u64;
    let batches = table.tiles().div_ceil(per_batch);
    let room = || ladders.each_ref().map(|ladder| (Filler::new(ladder), Vec::new(), Vec::new()));
    let compare = |games: &mut _, tally: &mut Tally, batch| {
        let first = batch * per_batch;
        let count = per_batch.min(table.tiles() - first) as usize;
        compare_tiles(table, isa, first, count, games, tally);
        3 * (count * table.tile_cells()) as u64
    };
    let swept = fold_units(0..batches, control, room, Tally::default, compare, Tally::merge);
    (swept.acc, if swept.complete { Ok(()) } else { Err(Stopped) })
}

type Side<'a, T> = (Filler<'a, T>, Vec<T>, Vec<u64>);

fn compare_tiles<T: EqualMask>(
    table: &Table,
    isa: Isa,
    first: u64,
    count: usize,
    games: &mut [Side<'_, T>; 3],
    tally: &mut Tally,
) {
    let (cells, words) = (table.tile_cells(), mask_words(table));
    for (filler, values, masks) in games.iter_mut() {
        values.resize(count * cells, T::default());
        masks.resize(count * words, 0);
        filler.fill_stored(table, first, values);
        T::equal_mask(isa, values, table.tile_cols(), T::from_value(0), masks);
    }
    let mut middle = Vec::new();
    for at in 0..count {
        table.tile_word(first + at as u64, &mut middle);
        let masks = games.each_ref().map(|(_, _, masks)| &masks[at * words..(at + 1) * words]);
        compare_tile(table, &middle, masks, tally);
    }
}

fn compare_tile(table: &Table, middle: &[Pile], masks: [&[u64]; 3], tally: &mut Tally) {
    let weight = if Middles::is_palindrome(middle) { 1 } else { 2 };
    tally.checked += table.tile_cells() as u64 * weight;
    let constant = middle.windows(2).all(|pair| pair[0] == pair[1]);
    if !constant && masks[0] == masks[1] && masks[0] == masks[2] {
        return;
    }
    // Compare cell by cell if the masks differ, or are allowed to differ.
    let (rows, cols) = (table.tile_rows(), table.tile_cols());
    for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
        let word = row * cols.div_ceil(64) + col / 64;
        let is_p = masks.map(|mask| mask[word] >> (col % 64) & 1 == 1);
        let mut piles = Vec::new();
        if table.length() > 1 {
            piles.push(row as Pile + 1);
        }
        piles.extend_from_slice(middle);
        piles.push(col as Pile + 1);
        let equal = piles.iter().all(|&pile| pile == piles[0]);
        let claimed = |game| match equal {
            true => equal_piles_are_p(game, piles[0], piles.len()),
            false => is_p[0],
        };
        let mut games = games::END_NIM_GAMES.into_iter().zip(is_p);
        let Some((game, is_p)) = games.find(|&(game, is_p)| is_p != claimed(game)) else {
            continue;
        };
        for _ in 0..weight {
            tally.fail(game, &piles, None, || {
                let class = |is_p| if is_p { "P" } else { "N" };
                format!("it is {}, claimed {}", class(is_p), class(!is_p))
            });
            piles.reverse();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counterexamples_show_the_wrong_class() {
        let two = table_of(games::END_NIM, Size { max_pile: 1, length: 2 });
        // 1,1 is P in End-Nim, and N in the other two games.
        for (masks, said) in [
            ([&[0], &[0], &[0]], "end-nim 1,1: it is N, claimed P"),
            ([&[1], &[1], &[0]], "misere-end-nim 1,1: it is P, claimed N"),
            ([&[1], &[0], &[1]], "loop-end-nim 1,1: it is P, claimed N"),
        ] {
            let mut tally = Tally::default();
            compare_tile(&two, &[], masks.map(|mask: &[u64; 1]| &mask[..]), &mut tally);
            assert_eq!(tally.first.unwrap().to_string(), said);
        }
    }
}
