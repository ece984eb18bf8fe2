//! What would be built, and what that takes. Pure: nothing is read or written.

use grundy_kernels::Isa;
use grundy_kernels::last_move::LastMoves;
use grundy_kernels::records::Records;
use grundy_kernels::subsets::{SetRowValues, SubsetTables};
use grundy_rules::{
    Game, Layout, Pile, Table, TableError,
    table::{default_heap, default_length, default_max_pile},
};
use grundy_shard::manifest::Manifest;
use grundy_sweep::{Ladder, MultisetLevels};

use crate::Geometry;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The games, in the order to build them.
    pub games: Vec<Game>,
    /// The largest pile, N.
    pub max_pile: Pile,
    /// The largest single pile of short global nim. `None`: the default for the max pile.
    pub heap: Option<Pile>,
    /// Of single piles of short global nim g(n) alone.
    pub values_only: bool,
    /// The longest table; all shorter ones are built too. `None`: each game's default.
    pub length: Option<usize>,
    /// Whether tables of long global nim, where a pile of n has 2^n sets of moves, are as
    /// large as asked for, and not at most as large as the default.
    pub all_sets: bool,
    /// Bytes of memory to stay within.
    pub memory: u64,
    /// Threads that will work.
    pub threads: usize,
    /// The instruction set of the kernels.
    pub isa: Isa,
}

/// The tables of a request, in the order in which they are built.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What was asked for.
    pub request: Request,
    /// Every table, game by game, by increasing length.
    pub tables: Vec<TablePlan>,
}

/// One table of a plan.
#[derive(Clone, Debug)]
pub struct TablePlan {
    /// The table.
    pub table: Table,
    /// How it is cut.
    pub geometry: Geometry,
    /// Whether the manifest lists it already.
    pub finished: bool,
    /// The highest level kept in memory while it is built.
    pub ladder_top: usize,
    /// Bytes of memory needed: the ladder and the threads' buffers.
    pub memory: u64,
    /// Bytes of its shards, estimated.
    pub bytes: u64,
    /// Seconds to build it, estimated.
    pub seconds: f64,
}

/// Why a request cannot be met.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// There is no such table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// It does not fit in memory.
    #[error(
        "{table} needs {needed} MiB of memory and the limit is {limit} MiB; \
         raise --memory, or choose a smaller max pile or fewer threads"
    )]
    Memory {
        /// The first table that does not fit.
        table: String,
        /// MiB needed.
        needed: u64,
        /// MiB allowed.
        limit: u64,
    },
    /// It does not fit on the disk.
    #[error(
        "the tables need about {needed} MiB ({positions:.1e} positions, about {seconds:.1e} \
         seconds) and the disk has {available} MiB free; choose a smaller max pile or length, \
         or another folder (--db)"
    )]
    Space {
        /// MiB needed.
        needed: u64,
        /// MiB there are.
        available: u64,
        /// Positions asked for.
        positions: f64,
        /// Seconds it would take.
        seconds: f64,
    },
}

/// Compressed bits per value, by game and length: round figures from docs/FORMAT.md, for
/// estimates only. Two-byte values of End-Nim take about twice as many.
fn bits_per_value(table: &Table) -> f64 {
    match table.layout() {
        Layout::Multisets(_) => 4.0,
        Layout::Words(_) => 0.4,
        Layout::LastMoves(_) => 0.9,
        Layout::Heaps { values_only: true } => 12.0,
        Layout::Heaps { values_only: false } => 38.0 * 8.0 / 64.0,
        // Of one pile per cell of sixteen: 0.04 bit a set.
        Layout::Sets => 0.6,
        Layout::SetRows(_) => 0.6,
        Layout::Middles(_) => {
            let bits = match table.length() {
                1 => 8.0,
                2 => 1.0,
                3 => 3.6,
                4 => 2.5,
                5 => 1.2,
                _ => 0.5,
            };
            bits * table.value_bytes() as f64
        }
    }
}

/// Nanoseconds of one thread to take a byte of values from kernel to shard, digest and
/// compression included, and to fill a value whose level below is not in memory; round
/// figures from benches/record, for estimates only.
const BUILD_NS_PER_BYTE: f64 = 1.9;
const FILL_NS: f64 = 0.5;
/// Nanoseconds to look at an option of short global nim, and to compute a row of one pile.
const LAST_MOVE_NS: f64 = 4.0;
const ROW_NS: f64 = 900.0;
/// Nanoseconds to fill a set of one pile of long global nim, and of several piles.
const SET_NS: f64 = 0.1;
const SET_ROWS_NS: f64 = 6.0;
/// Nanoseconds of one thread to fill a multiset, by the number of its piles.
const MULTISET_NS_PER_PILE: f64 = 5.0;

impl Request {
    /// Tables of these games up to a max pile, to the default lengths, with the best instruction
    /// set, 4 GiB of memory and two threads.
    pub fn new(games: Vec<Game>, max_pile: Pile) -> Request {
        Request {
            games,
            max_pile,
            length: None,
            all_sets: false,
            heap: None,
            values_only: false,
            memory: 4 << 30,
            threads: 2,
            isa: Isa::best(),
        }
    }
}

impl Plan {
    /// Plans a request for a database with this manifest.
    ///
    /// # Errors
    /// [`PlanError`] if a table does not exist or does not fit in memory.
    pub fn new(request: Request, manifest: &Manifest) -> Result<Plan, PlanError> {
        let mut tables = Vec::new();
        for &game in &request.games {
            let longest = request.length.unwrap_or_else(|| default_length(game, request.max_pile));
            let max_pile = |length| match request.all_sets {
                true => request.max_pile,
                false => default_max_pile(game, request.max_pile, length),
            };
            // The longest first, for its size says more than a shorter one's fault.
            Table::new(game, max_pile(longest), longest)?;
            for length in 1..=longest {
                let table = match (game, length) {
                    (Game::ShortGlobalNim, 1) => {
                        let heap = request.heap.unwrap_or_else(|| default_heap(request.max_pile));
                        Table::heaps(heap, request.values_only)?
                    }
                    _ => Table::new(game, max_pile(length), length)?,
                };
                let finished = manifest.tables.contains_key(&table.to_string());
                tables.push(TablePlan::new(table, finished, &request)?);
            }
        }
        Ok(Plan { request, tables })
    }

    /// The tables still to build.
    pub fn unfinished(&self) -> impl Iterator<Item = &TablePlan> {
        self.tables.iter().filter(|table| !table.finished)
    }

    /// Refuses a plan that does not fit into `available` bytes of disk.
    ///
    /// # Errors
    /// [`PlanError::Space`] with the estimates.
    pub fn check_space(&self, available: u64) -> Result<(), PlanError> {
        let needed: u64 = self.unfinished().map(|table| table.bytes).sum();
        if needed <= available {
            return Ok(());
        }
        Err(PlanError::Space {
            needed: needed >> 20,
            available: available >> 20,
            positions: self.unfinished().map(|table| table.table.positions() as f64).sum(),
            seconds: self.unfinished().map(|table| table.seconds).sum(),
        })
    }
}

impl TablePlan {
    fn new(table: Table, finished: bool, request: &Request) -> Result<TablePlan, PlanError> {
        let geometry = Geometry::of(&table);
        let threads = request.threads as u64;
        // Each thread holds a shard that is half compressed at worst, and a frame as
        // values, transformed, and compressed; one shard waits and one is written.
        let buffers =
            geometry.shard_bytes() / 2 * (threads + 2) + geometry.frame_bytes() * 3 * threads;
        let Needs { ladder_top, memory, seconds } = match table.layout() {
            Layout::Middles(_) => Needs::of_ladder(&table, &geometry, buffers, request),
            Layout::Words(_) => Needs { ladder_top: 0, memory: buffers, seconds: 0.0 },
            Layout::Multisets(multisets) => {
                let levels = MultisetLevels::bytes(multisets, table.largest_value());
                let fill = MULTISET_NS_PER_PILE * table.length() as f64;
                let seconds = table.cells() as f64 * fill * 1e-9;
                Needs { ladder_top: 0, memory: buffers.saturating_add(levels), seconds }
            }
            Layout::LastMoves(multisets) => {
                // The level below is smaller.
                let levels = LastMoves::bytes(multisets).saturating_mul(2);
                let seconds = LastMoves::work(multisets) * LAST_MOVE_NS * 1e-9;
                Needs { ladder_top: 0, memory: buffers.saturating_add(levels), seconds }
            }
            Layout::Heaps { .. } => {
                let rows = table.max_pile();
                // Shards are filled, wait and are compressed as values, and once more as bytes.
                let memory = Records::bytes(rows) + geometry.shard_bytes() * (threads + 3);
                let seconds = f64::from(rows) * ROW_NS * 1e-9;
                Needs { ladder_top: 0, memory, seconds }
            }
            Layout::Sets => {
                // The last level is only written.
                let levels = SubsetTables::bytes(table.max_pile() - 1);
                let seconds = table.values() as f64 * SET_NS * 1e-9 / request.threads as f64;
                Needs { ladder_top: 0, memory: buffers.saturating_add(levels), seconds }
            }
            Layout::SetRows(_) => {
                let level = SetRowValues::bytes(table.length() as u32, table.max_pile());
                let seconds = table.cells() as f64 * SET_ROWS_NS * 1e-9;
                Needs { ladder_top: 0, memory: buffers.saturating_add(level), seconds }
            }
        };
        if memory > request.memory {
            return Err(PlanError::Memory {
                table: table.to_string(),
                needed: memory >> 20,
                limit: request.memory >> 20,
            });
        }
        let cells = table.cells() as f64;
        let bytes = (cells * bits_per_value(&table) / 8.0) as u64;
        let build = match table.layout() {
            // Compressed while the rows to come are computed, and mostly zeros.
            Layout::Heaps { .. } => 0.0,
            _ => BUILD_NS_PER_BYTE * table.value_bytes() as f64,
        };
        let seconds = seconds + cells * build * 1e-9 / request.threads as f64;
        Ok(TablePlan { table, geometry, finished, ladder_top, memory, bytes, seconds })
    }
}

/// What filling the values of a table takes.
struct Needs {
    ladder_top: usize,
    /// Bytes, the buffers of the threads included.
    memory: u64,
    /// Seconds before any value goes into a shard.
    seconds: f64,
}

impl Needs {
    /// A table whose tiles are computed from levels in memory.
    fn of_ladder(table: &Table, geometry: &Geometry, buffers: u64, request: &Request) -> Needs {
        let ladder_bytes = match table.value_bytes() {
            1 => Ladder::<u8>::bytes,
            _ => Ladder::<u16>::bytes,
        };
        let top_within = match table.value_bytes() {
            1 => Ladder::<u8>::top_within,
            _ => Ladder::<u16>::top_within,
        };
        let wanted = (table.length() - 1).max(1);
        let room = request.memory.saturating_sub(buffers);
        let ladder_top = top_within(table.max_pile(), wanted, room);
        // Every level between the ladder and the table is computed again for each tile.
        let missing = wanted - ladder_top;
        let again = buffers_above(geometry, missing).saturating_mul(request.threads as u64);
        let ladder = ladder_bytes(table.max_pile(), ladder_top).unwrap_or(u64::MAX);
        let memory = ladder.saturating_add(buffers).saturating_add(again);
        let fill = FILL_NS * ((1u64 << (missing + 1).min(60)) - 2) as f64;
        let seconds = table.cells() as f64 * fill * 1e-9 / request.threads as f64;
        Needs { ladder_top, memory, seconds }
    }
}

/// Bytes of tiles of the levels that a thread computes between ladder and table.
fn buffers_above(geometry: &Geometry, missing: usize) -> u64 {
    geometry.frame_bytes().saturating_mul((1u64 << (missing + 1).min(40)) - 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(max_pile: Pile, length: usize, memory: u64) -> Request {
        let length = Some(length);
        Request { length, memory, ..Request::new(vec![Game::EndNim], max_pile) }
    }

    #[test]
    fn the_ladder_is_as_high_as_memory_allows() {
        let tops = |memory: u64| {
            let plan = Plan::new(request(64, 6, memory), &Manifest::default()).unwrap();
            plan.tables.iter().map(|table| table.ladder_top).collect::<Vec<_>>()
        };
        assert_eq!(tops(4 << 30), [1, 1, 2, 3, 4, 5]);
        assert_eq!(tops(1 << 30), [1, 1, 2, 3, 4, 4]);
        assert_eq!(tops(160 << 20), [1, 1, 2, 3, 4, 4]);
    }

    #[test]
    fn what_does_not_fit_is_refused_with_the_estimate() {
        let plan = |n, k, memory| Plan::new(request(n, k, memory), &Manifest::default());
        assert!(matches!(plan(64, 5, 1 << 20), Err(PlanError::Memory { .. })));
        assert!(matches!(
            plan(100_000, 6, 4 << 30),
            Err(PlanError::Table(TableError::TooLarge { .. }))
        ));
        assert!(matches!(plan(0, 6, 4 << 30), Err(PlanError::Table(TableError::MaxPile { .. }))));
        let large = plan(64, 7, 4 << 30).unwrap();
        match large.check_space(80 << 30) {
            Err(PlanError::Space { positions, .. }) => assert!(positions > 4.3e12),
            other => panic!("{other:?}"),
        }
        assert_eq!(plan(64, 5, 4 << 30).unwrap().check_space(80 << 30), Ok(()));
    }

    #[test]
    fn piles_with_sets_of_moves_are_smaller_unless_asked_for() {
        let games = vec![Game::LongGlobalNim];
        let sizes = |max_pile, length, all_sets| {
            let asked = Request { games: games.clone(), all_sets, ..request(max_pile, 4, 4 << 30) };
            Plan::new(Request { length, ..asked }, &Manifest::default())
                .map(|plan| plan.tables.iter().map(|t| t.table.max_pile()).collect::<Vec<_>>())
        };
        assert_eq!(sizes(64, None, false), Ok(vec![28, 16, 11, 9]));
        assert_eq!(sizes(10, None, false), Ok(vec![10, 10, 10, 9]));
        assert_eq!(sizes(18, Some(2), true), Ok(vec![18, 18]));
        assert_eq!(sizes(32, Some(1), true), Ok(vec![32]));
        assert!(matches!(sizes(35, Some(1), true), Err(PlanError::Memory { .. })));
        assert!(matches!(sizes(36, Some(1), true), Err(PlanError::Table(TableError::Sets { .. }))));
    }

    #[test]
    fn finished_tables_are_not_built_again() {
        let plan = Plan::new(request(8, 3, 1 << 30), &Manifest::default()).unwrap();
        assert_eq!(plan.unfinished().count(), 3);
    }
}
