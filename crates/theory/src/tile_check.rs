//! Compares statements with tiles. One fold serves all claims about positions.
//!
//! ```text
//!                 ┌─ mask of zeros ─┬─ an.thm2     predicted xor actual
//! tile ── values ─┤                 ├─ ch.thm2.1   predicted xor actual
//!                 │                 └─ end.p-count count by largest pile
//!                 ├─ mask of ones  ─── ch.thm5.1   predicted xor actual
//!                 └──────────────────── end.bound  cell by cell
//! ```
//!
//! If a claim names a value, the mask of the cells with this value is computed once per tile. The
//! cells of a row are examined one by one only if the row contradicts the claim. So a claim that
//! holds takes almost no time.
//!
//! A cell represents two words if its middle is not its own reversal. Both words count, and both
//! can be the least counterexample.

use grundy_kernels::{EqualMask, Isa};
use grundy_rules::{Game, Middles, Pile};
use grundy_sweep::{Fold, Tile};

use crate::claim::{Claim, Rule};
use crate::statement::{Diagonals, Shape, Statement};
use crate::tally::Tally;

/// The claims about positions of one game, as a [`Fold`] over tiles of any of its tables. The tiles
/// can come from any source.
pub struct TileCheck {
    game: Game,
    isa: Isa,
    /// One statement per claim; `None` for claims about counts.
    statements: Vec<Option<Statement>>,
    values: Vec<u32>,
    counts_zeros: bool,
}

/// The accumulator of a [`TileCheck`].
#[derive(Debug, Default)]
pub struct TableTally {
    /// One tally per claim, in the given order. The tallies of claims about counts are empty.
    pub tallies: Vec<Tally>,
    /// The number of words of value 0, by their largest pile. Empty if no claim is about counts.
    pub zeros: Vec<u64>,
    scratch: Scratch,
}

#[derive(Debug, Default)]
struct Scratch {
    masks: Vec<Vec<u64>>,
    diagonals: Diagonals,
    /// The columns that the claim predicts for a row; after the comparison, the columns in which
    /// the prediction is wrong.
    row: Vec<u64>,
    piles: Vec<Pile>,
    seen: LastRows,
}

/// The values in the row with the index `now`: `at[v]` is the last row that had the value v.
#[derive(Debug, Default)]
struct LastRows {
    at: Vec<u32>,
    now: u32,
}

impl LastRows {
    fn next(&mut self, values: usize) {
        if self.at.len() < values || self.now == u32::MAX {
            self.at.clear();
            self.at.resize(values, 0);
            self.now = 0;
        }
        self.now += 1;
    }

    /// Records a value of this row. Returns true if the row already had this value.
    #[inline(always)]
    fn again(&mut self, value: u32) -> bool {
        let at = &mut self.at[value as usize];
        std::mem::replace(at, self.now) == self.now
    }
}

impl TileCheck {
    /// Creates the fold that checks these claims. Ignores claims of other kinds, and claims that do
    /// not cover this game and length.
    pub fn new(game: Game, length: usize, isa: Isa, claims: &[&Claim]) -> TileCheck {
        let statement = |claim: &&Claim| match claim.rule {
            Rule::Positions(statement)
                if claim.covers(game) && claim.lengths_to(length).contains(&length) =>
            {
                Some(statement(game))
            }
            _ => None,
        };
        let counts = claims.iter().any(|claim| matches!(claim.rule, Rule::Zeros(_)));
        TileCheck::of(game, isa, claims.iter().map(statement).collect(), counts)
    }

    pub(crate) fn of(
        game: Game,
        isa: Isa,
        statements: Vec<Option<Statement>>,
        counts_zeros: bool,
    ) -> TileCheck {
        let mut values: Vec<u32> = statements
            .iter()
            .flatten()
            .filter_map(|statement| match statement {
                Statement::Iff { value, .. } | Statement::Near { value, .. } => Some(*value),
                _ => None,
            })
            .chain(counts_zeros.then_some(0))
            .collect();
        values.sort_unstable();
        values.dedup();
        TileCheck { game, isa, statements, values, counts_zeros }
    }

    /// Returns the index of a value's mask. Searches a list, because there are at most three
    /// values.
    fn slot(&self, value: u32) -> usize {
        let Some(slot) = self.values.iter().position(|&known| known == value) else {
            unreachable!("there is a mask for every value that a statement names")
        };
        slot
    }
}

impl<T: EqualMask> Fold<T> for TileCheck {
    type Acc = TableTally;

    fn start(&self) -> TableTally {
        TableTally {
            tallies: vec![Tally::default(); self.statements.len()],
            zeros: Vec::new(),
            scratch: Scratch { masks: vec![Vec::new(); self.values.len()], ..Scratch::default() },
        }
    }

    fn tile(&self, acc: &mut TableTally, tile: Tile<'_, T>) {
        let TableTally { tallies, zeros, scratch } = acc;
        let view = View { game: self.game, tile, words: tile.cols().div_ceil(64) };
        for (&value, masks) in self.values.iter().zip(&mut scratch.masks) {
            masks.resize(tile.rows * view.words, 0);
            T::equal_mask(self.isa, tile.values, tile.cols(), T::from_value(value), masks);
        }
        if self.counts_zeros {
            view.count_zeros(&scratch.masks[0], zeros);
        }
        for (statement, tally) in self.statements.iter().zip(tallies) {
            let Some(statement) = statement else { continue };
            tally.checked += tile.values.len() as u64 * tile.weight();
            match statement {
                Statement::Iff { value, .. } | Statement::Near { value, .. } => {
                    let Scratch { masks, diagonals, row, piles, .. } = scratch;
                    let mut work =
                        MaskScratch { actual: &masks[self.slot(*value)], diagonals, row, piles };
                    view.compare_masks(statement, &mut work, tally);
                }
                Statement::Formula(_) => view.one_by_one(statement, &mut scratch.piles, tally),
                Statement::Bounded => view.compare_sums(statement, &mut scratch.piles, tally),
                Statement::Injective => {
                    view.look_for_repeats(&mut scratch.seen, &mut scratch.piles, tally);
                }
            }
        }
    }

    fn merge(&self, left: TableTally, right: TableTally) -> TableTally {
        let tallies = left.tallies.into_iter().zip(right.tallies);
        let (mut long, short) = if left.zeros.len() >= right.zeros.len() {
            (left.zeros, right.zeros)
        } else {
            (right.zeros, left.zeros)
        };
        for (total, count) in long.iter_mut().zip(&short) {
            *total += count;
        }
        TableTally {
            tallies: tallies.map(|(left, right)| left.merge(right)).collect(),
            zeros: long,
            scratch: left.scratch,
        }
    }
}

struct MaskScratch<'a> {
    actual: &'a [u64],
    diagonals: &'a mut Diagonals,
    row: &'a mut Vec<u64>,
    piles: &'a mut Vec<Pile>,
}

struct View<'a, T> {
    game: Game,
    tile: Tile<'a, T>,
    words: usize,
}

impl<T: EqualMask> View<'_, T> {
    /// Compares predicted masks with actual masks, for "the value is v iff ..." or "only if ...".
    fn compare_masks(&self, statement: &Statement, work: &mut MaskScratch<'_>, tally: &mut Tally) {
        let tile = &self.tile;
        if matches!(statement, Statement::Near { .. }) {
            // "If the value is v, then ...": the premise is true for cells of value v.
            let there: u32 = work.actual.iter().map(|word| word.count_ones()).sum();
            tally.premise += u64::from(there) * tile.weight();
        }
        match statement {
            Statement::Iff { holds, shape: Shape::Diagonals(bits), .. } if tile.length >= 3 => {
                work.diagonals.predict(bits, *holds, tile.middle, tile.cols());
                if self.words == 1 {
                    let diagonals = &*work.diagonals;
                    let wrong =
                        work.actual.iter().enumerate().fold(0, |wrong, (row, &actual)| {
                            wrong | diagonals.short_row(row) ^ actual
                        });
                    if wrong == 0 {
                        return;
                    }
                }
                self.rows(statement, work, tally, |work, row| work.diagonals.row(row, work.row));
            }
            // Without a middle, nothing is predicted. So evaluate the slow form near the diagonal.
            Statement::Iff { holds, shape: Shape::Diagonals(_), .. } if tile.length == 2 => {
                self.rows(statement, work, tally, |work, row| {
                    self.ask_band(*holds, 1, work.piles, work.row, row);
                });
            }
            Statement::Iff { holds, shape: Shape::Band(distance), .. } if tile.length >= 2 => {
                self.rows(statement, work, tally, |work, row| {
                    self.ask_band(*holds, *distance as usize, work.piles, work.row, row);
                });
            }
            Statement::Near { distance, .. } if tile.length >= 2 => {
                let distance = *distance as usize;
                if self.words == 1 && distance < 32 {
                    let around = (1u128 << (2 * distance + 1)) - 1;
                    let outside = |row: usize| !((around << row >> distance) as u64);
                    let wrong = work.actual.iter().enumerate();
                    if wrong.fold(0, |wrong, (row, &actual)| wrong | actual & outside(row)) == 0 {
                        return;
                    }
                }
                self.rows(statement, work, tally, |work, row| {
                    // Inside the band the claim allows any value, so predict the actual bits.
                    work.row.fill(0);
                    for col in self.band(row, distance) {
                        let actual = work.actual[row * self.words + col / 64];
                        work.row[col / 64] |= actual & 1 << (col % 64);
                    }
                });
            }
            _ => self.one_by_one(statement, work.piles, tally),
        }
    }

    fn band(&self, row: usize, distance: usize) -> std::ops::Range<usize> {
        row.saturating_sub(distance)..(row + distance + 1).min(self.tile.cols())
    }

    fn ask_band(
        &self,
        holds: fn(&[Pile]) -> bool,
        distance: usize,
        piles: &mut Vec<Pile>,
        mask: &mut [u64],
        row: usize,
    ) {
        mask.fill(0);
        for col in self.band(row, distance) {
            self.tile.piles(row, col, piles);
            mask[col / 64] |= u64::from(holds(piles)) << (col % 64);
        }
    }

    /// Compares the mask that `predict` writes for each row with the actual mask.
    fn rows(
        &self,
        statement: &Statement,
        work: &mut MaskScratch<'_>,
        tally: &mut Tally,
        predict: impl Fn(&mut MaskScratch<'_>, usize),
    ) {
        work.row.resize(self.words, 0);
        for row in 0..self.tile.rows {
            predict(work, row);
            for word in 0..self.words {
                let mut wrong = work.row[word] ^ work.actual[row * self.words + word];
                while wrong != 0 {
                    let col = 64 * word + wrong.trailing_zeros() as usize;
                    wrong &= wrong - 1;
                    self.fail_both(statement, row, col, work.piles, tally);
                }
            }
        }
    }

    /// Checks every word by the slow form, including the mirror images.
    fn one_by_one(&self, statement: &Statement, piles: &mut Vec<Pile>, tally: &mut Tally) {
        for (row, line) in self.tile.lines().enumerate() {
            for (col, &value) in line.iter().enumerate() {
                let value: u32 = value.into();
                self.tile.piles(row, col, piles);
                for _ in 0..self.tile.weight() {
                    if statement.allows(piles, value) == Some(false) {
                        tally.fail(self.game, piles, Some(value), || {
                            complaint(statement, piles, value)
                        });
                    }
                    piles.reverse();
                }
            }
        }
    }

    /// Compares each value with the sum of the position's two ends, row by row.
    fn compare_sums(&self, statement: &Statement, piles: &mut Vec<Pile>, tally: &mut Tally) {
        if self.tile.length < 2 {
            return;
        }
        let sums: Vec<T> = (2..=2 * self.tile.cols() as u32).map(T::from_value).collect();
        for (row, line) in self.tile.lines().enumerate() {
            let sums = &sums[row..row + line.len()];
            let above = |(value, sum): (&T, &T)| value > sum;
            if line.iter().zip(sums).fold(false, |any, pair| any | above(pair)) {
                for (col, pair) in line.iter().zip(sums).enumerate() {
                    if above(pair) {
                        self.fail_both(statement, row, col, piles, tally);
                    }
                }
            }
        }
    }

    /// Finds repeated values in rows. Also searches columns, which are rows of the reversed middle,
    /// unless the middle is its own reversal.
    fn look_for_repeats(&self, seen: &mut LastRows, piles: &mut Vec<Pile>, tally: &mut Tally) {
        let (tile, cols) = (&self.tile, self.tile.cols());
        let values = 1 << (8 * T::BYTES);
        let mut fail = |row: usize, col: usize, reversed: bool| {
            let value: u32 = tile.values[row * cols + col].into();
            tile.piles(row, col, piles);
            if reversed {
                piles.reverse();
            }
            tally.fail(self.game, piles, Some(value), || {
                complaint(&Statement::Injective, piles, value)
            });
        };
        for (row, line) in tile.lines().enumerate() {
            seen.next(values);
            if line.iter().fold(false, |any, &value| any | seen.again(value.into())) {
                seen.next(values);
                for (col, &value) in line.iter().enumerate() {
                    if seen.again(value.into()) {
                        fail(row, col, false);
                    }
                }
            }
        }
        if tile.weight() == 1 {
            return;
        }
        for col in 0..cols {
            seen.next(values);
            for row in 0..tile.rows {
                if seen.again(tile.values[row * cols + col].into()) {
                    fail(row, col, true);
                }
            }
        }
    }

    fn count_zeros(&self, masks: &[u64], zeros: &mut Vec<u64>) {
        let tile = &self.tile;
        let (cols, weight) = (tile.cols(), tile.weight());
        if zeros.len() <= cols {
            zeros.resize(cols + 1, 0);
        }
        let inner = tile.middle.iter().copied().max().unwrap_or(0) as usize;
        for (row, masks) in masks.chunks_exact(self.words).enumerate() {
            let first = if tile.length > 1 { row + 1 } else { 0 };
            let top = inner.max(first);
            for (word, &mask) in masks.iter().enumerate() {
                // In the columns up to `top` the largest pile is `top`, and in later columns it is
                // the right end.
                let low = match top.saturating_sub(64 * word) {
                    count @ 0..64 => (1u64 << count) - 1,
                    _ => u64::MAX,
                };
                zeros[top] += weight * u64::from((mask & low).count_ones());
                let mut high = mask & !low;
                while high != 0 {
                    zeros[64 * word + high.trailing_zeros() as usize + 1] += weight;
                    high &= high - 1;
                }
            }
        }
    }

    /// Counts a wrong cell as a failure of each word that it represents.
    fn fail_both(
        &self,
        statement: &Statement,
        row: usize,
        col: usize,
        piles: &mut Vec<Pile>,
        tally: &mut Tally,
    ) {
        let value: u32 = self.tile.values[row * self.tile.cols() + col].into();
        self.tile.piles(row, col, piles);
        for _ in 0..self.tile.weight() {
            tally.fail(self.game, piles, Some(value), || complaint(statement, piles, value));
            piles.reverse();
        }
        debug_assert!(
            self.tile.weight() == 1 || !Middles::is_palindrome(self.tile.middle),
            "each word once"
        );
    }
}

fn complaint(statement: &Statement, piles: &[Pile], value: u32) -> String {
    match statement {
        Statement::Iff { value: claimed, .. } if value == *claimed => {
            format!("value {value}, which the claim excludes")
        }
        Statement::Iff { value: claimed, .. } => format!("value {value}, claimed {claimed}"),
        Statement::Formula(formula) => format!("value {value}, claimed {}", formula(piles)),
        Statement::Near { distance, .. } => {
            format!("value {value}, though the ends differ by more than {distance}")
        }
        Statement::Bounded => format!("value {value}, more than the sum of the ends"),
        Statement::Injective => format!("value {value} also occurs earlier in the row"),
    }
}

#[cfg(test)]
mod tests;
