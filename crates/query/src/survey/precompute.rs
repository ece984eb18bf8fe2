//! Computes a level (all positions of one length) in advance if this saves time, and reads it.

use grundy_kernels::Isa;
use grundy_kernels::cells::CellVec;
use grundy_rules::{Game, Numbering, Pile, Position, Remembers, Table};
use grundy_solvers::{Answer, Limits, Listing, Means, Source, all_cells, solver};
use grundy_sweep::Control;
use grundy_sweep::cost::price::STORE;

use crate::Database;
use crate::held_level::{HeldLevel, Layout};

/// The max pile of a level is the largest needed pile n, plus n / MARGIN.
const MARGIN: Pile = 64;

impl Database {
    /// Prepares answers about `count` positions; `some` is a sample of them. Computes their whole
    /// level if this is faster than computing the positions one by one. Answers stay the same.
    pub fn precompute(&self, game: Game, some: &[Position], count: usize, control: &Control) {
        let is_listed = game.is_impartial() && game.remembers() == Remembers::Nothing;
        if !is_listed || some.is_empty() {
            return;
        }
        let weight = count as f64 / some.len() as f64 / rayon::current_num_threads() as f64;
        let mut lengths: Vec<usize> = some.iter().map(Position::length).collect();
        lengths.sort_unstable();
        lengths.dedup();
        for length in lengths.into_iter().filter(|&length| length > 1) {
            let here = some.iter().filter(|position| position.length() == length);
            let mut beyond: Vec<(Pile, f64)> = self.timed(|env| {
                here.filter(|position| self.is_unknown(game, position))
                    .filter_map(|position| {
                        let seconds = solver(game).seconds_alone(game, position.piles(), env);
                        // Positions that exceed the time limit are refused, so they take no time.
                        let is_allowed = seconds <= env.limits.seconds;
                        is_allowed.then_some((position.max_pile(), weight * seconds))
                    })
                    .collect()
            });
            beyond.sort_by_key(|(largest, _)| *largest);
            let all: f64 = beyond.iter().map(|(_, seconds)| seconds).sum();
            let before = self.levels.spend(game, length, all);
            // If this level is too slow or too large, try a level without the largest pile.
            let mut now = all;
            while let Some((largest, seconds)) = beyond.pop() {
                let max_pile = largest.saturating_add(largest / MARGIN);
                if self.compute(game, length, max_pile, before + now, control) {
                    break;
                }
                now -= seconds;
            }
        }
    }

    /// True if no theorem, table or computed level has the position.
    fn is_unknown(&self, game: Game, position: &Position) -> bool {
        let is_proved = self.theorems && game.theorem(position).is_some();
        !is_proved && !self.holds(game, position) && self.levels.value(game, position).is_none()
    }

    /// Computes a level if this takes less than `spent` seconds, the estimated time of computing
    /// the positions one by one. All levels together must fit into a quarter of the memory. Returns
    /// true if it computed the level.
    fn compute(
        &self,
        game: Game,
        length: usize,
        max_pile: Pile,
        spent: f64,
        control: &Control,
    ) -> bool {
        let Ok(table) = Table::new(game, max_pile, length) else { return false };
        let multisets = table.multisets().filter(|_| table.numbering() == Numbering::Multisets);
        let Limits { memory, seconds: allowed } = self.limits;
        let memory = memory.share(4);
        // As words, values of two bytes are in memory twice, as cells and as numbers.
        let (cells, width) = match (multisets, table.value_bytes()) {
            (Some(_), _) => (table.cells() as f64, 4),
            (None, 1) => (f64::from(max_pile).powi(length as i32), 1),
            (None, width) => (f64::from(max_pile).powi(length as i32), 2 * width),
        };
        let bytes = cells * width as f64;
        let threads = rayon::current_num_threads() as u64;
        let needs = solver(game)
            .needs(&table, &Means { memory, threads, frame_bytes: 1 << 16, in_order: false });
        let seconds = 2.0 * needs.seconds + cells * STORE;
        // The earlier level that this one replaces still takes memory.
        let room = memory.bytes().saturating_sub(self.levels.bytes());
        let fits = bytes < room as f64 && memory.check(needs.memory).is_ok();
        let is_listed = Listing::of(&table) == Listing::Words && table.least_pile() == 1;
        if !is_listed || !fits || seconds > spent.min(allowed) {
            return false;
        }
        // Only one thread at a time computes a level, because two threads may need the same level.
        let Ok(_computing) = self.levels.computing.try_lock() else { return false };
        // Count progress separately, because the caller's control counts answers, not cells.
        let control = control.part();
        let found = match multisets {
            Some(multisets) => all_cells(solver(game), &table, &needs, Isa::best(), &control)
                .ok()
                .map(|cells| (CellVec::Longs(cells), Layout::Multisets(multisets.clone()))),
            None => self.words(&table, &control),
        };
        let level = found.map(|(values, layout)| HeldLevel { values, from: 0, layout, max_pile });
        let is_computed = level.is_some();
        if let Some(level) = level {
            self.levels.keep(game, length, level);
        }
        is_computed
    }

    /// Computes the values of all words of a table, in lexicographic order.
    fn words(&self, table: &Table, control: &Control) -> Option<(CellVec, Layout)> {
        let rows = self.rows(table, Isa::best(), control).ok()?;
        let shape = rows.shape();
        // Compute all rows in one call, because every call has to prepare its tables first.
        let mut bytes = vec![0; usize::try_from(shape.bytes()?).ok()?];
        rows.fill(0, &mut bytes, control).ok()?;
        let values = CellVec::of_stored(shape.width, bytes);
        Some((values, Layout::words(table.max_pile(), table.length())))
    }

    /// Returns the value of a position from a computed level, if no table and no theorem has it.
    pub(crate) fn precomputed(&self, game: Game, position: &Position) -> Option<Answer> {
        let value = self.levels.value(game, position)?;
        let is_proved = self.theorems && game.theorem(position).is_some();
        let is_known = is_proved || self.holds(game, position);
        (!is_known).then(|| Answer::of_value(value, Source::Computed))
    }
}
