//! Plans: the tables to build, with their cost. Planning reads and writes nothing.

use std::ops::Range;

use grundy_kernels::Isa;
use grundy_rules::{Form, Game, NoOutcomeForm, Pile, Table, TableError, outcome_form};
use grundy_shard::manifest::Manifest;
use grundy_solvers::{Making, Means, Needs, TableRequest, solver};
use grundy_sweep::cost::price::{SHARD_BYTE, STATE_BYTE};
use grundy_sweep::{Bytes, MemoryLimit, MemoryShortage, Seconds};

use crate::geometry::Geometry;

/// The games and sizes to build, and the resources to use.
#[derive(Clone, Debug)]
pub struct Request {
    pub games: Vec<Game>,
    pub max_pile: Pile,
    /// The largest single pile, if the game has records of single piles. `None` means the default.
    pub single: Option<Pile>,
    /// True to store only the values g(n) of single piles, without forbidden last moves.
    pub values_only: bool,
    /// The length of the longest table; shorter tables are built, too. `None` means the default.
    pub length: Option<usize>,
    /// True to store the outcome of each position in one bit, in place of its value.
    pub outcomes: bool,
    /// True to use the sizes exactly as given. Otherwise the plan lowers large sizes of a game in
    /// which a pile of n coins has 2^n sets of moves.
    pub literally: bool,
    pub memory: MemoryLimit,
    pub threads: usize,
    pub isa: Isa,
}

/// The tables of a request, in build order.
#[derive(Clone, Debug)]
pub struct Plan {
    pub request: Request,
    /// All tables, game by game. The tables of a game are in order of length.
    pub tables: Vec<TablePlan>,
}

#[derive(Clone, Debug)]
pub struct TablePlan {
    pub table: Table,
    pub geometry: Geometry,
    pub finished: bool,
    /// The cost of filling the table, without the buffers of the threads.
    pub needs: Needs,
    /// The bytes of memory that the build of the table needs, with buffers.
    pub memory: u64,
    pub bytes: u64,
    pub seconds: f64,
}

/// An invalid request, or a request that needs too much memory or disk space.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Outcomes(#[from] NoOutcomeForm),
    #[error("{table}: {shortage}")]
    Memory {
        /// The first table that needs too much memory.
        table: String,
        shortage: MemoryShortage,
    },
    #[error(
        "the tables need about {} ({positions:.1e} positions, about {}) but the disk has {} free",
        Bytes(*needed), Seconds(*seconds), Bytes(*available)
    )]
    Space { needed: u64, available: u64, positions: f64, seconds: f64 },
}

impl Request {
    /// Requests tables of these games up to a max pile. The defaults are two threads, 4 GiB of
    /// memory, and the best instruction set.
    pub fn new(games: Vec<Game>, max_pile: Pile) -> Request {
        Request {
            games,
            max_pile,
            length: None,
            literally: false,
            single: None,
            values_only: false,
            outcomes: false,
            memory: MemoryLimit::default(),
            threads: 2,
            isa: Isa::best(),
        }
    }
}

impl PlanError {
    /// Returns the error that names less memory.
    fn with_less(self, other: PlanError) -> PlanError {
        let needed = |error: &PlanError| match error {
            PlanError::Memory { shortage, .. } => shortage.needed,
            _ => 0,
        };
        if needed(&self) < needed(&other) { self } else { other }
    }
}

impl Plan {
    /// Plans a request for a database with this manifest.
    pub fn new(mut request: Request, manifest: &Manifest) -> Result<Plan, PlanError> {
        if request.outcomes {
            for game in &mut request.games {
                *game = outcome_form(*game)?;
            }
            request.outcomes = false;
        }
        let mut tables = Vec::new();
        let wanted = TableRequest {
            max_pile: request.max_pile,
            length: request.length,
            literally: request.literally,
            single: request.single,
            form: if request.values_only { Form::ValuesOnly } else { Form::Whole },
        };
        for &game in &request.games {
            for table in solver(game).tables(game, &wanted)? {
                let finished = manifest.tables.contains_key(&table.to_string());
                tables.push(TablePlan::new(table, finished, &request)?);
            }
        }
        Ok(Plan { request, tables }.with_codecs_of(manifest))
    }

    /// Returns the plan in which the tables of a manifest keep their codecs.
    #[must_use]
    pub(crate) fn with_codecs_of(mut self, manifest: &Manifest) -> Plan {
        for planned in &mut self.tables {
            let geometry = Geometry::of(&planned.table);
            planned.geometry = match manifest.tables.get(&planned.table.to_string()) {
                Some(entry) => geometry.like(entry),
                None => geometry,
            };
        }
        self
    }

    /// Returns the tables that are still to be built.
    pub fn unfinished(&self) -> impl Iterator<Item = &TablePlan> {
        self.tables.iter().filter(|table| !table.finished)
    }

    /// Returns an error if the plan does not fit into `available` bytes of disk.
    pub fn check_space(&self, available: u64) -> Result<(), PlanError> {
        let needed: u64 = self.unfinished().map(|table| table.bytes).sum();
        if needed <= available {
            return Ok(());
        }
        Err(PlanError::Space {
            needed,
            available,
            positions: self.unfinished().map(|table| table.table.positions() as f64).sum(),
            seconds: self.unfinished().map(|table| table.seconds).sum(),
        })
    }
}

impl TablePlan {
    /// Returns the number of separately built parts. A part is a shard, a frame of a chained table,
    /// or the whole table.
    pub fn parts(&self) -> u64 {
        match self.needs.making {
            Making::Apart => self.geometry.shards().into(),
            Making::Chained => self.geometry.frames(),
            Making::Together | Making::InOrder => 1,
        }
    }

    /// True if each part begins with the state that the part before it leaves.
    pub fn is_chained(&self) -> bool {
        self.needs.making == Making::Chained
    }

    /// Returns the approximate seconds that a share of a chained table takes for its states.
    pub fn seconds_to_begin(&self) -> f64 {
        if self.is_chained() { self.most_state() as f64 * STATE_BYTE } else { 0.0 }
    }

    /// Returns the maximum bytes of a file with the state between two parts. The memory of the fill
    /// and of a shard holds this state, and compression adds little to it.
    pub(crate) fn most_state(&self) -> u64 {
        let most = self.needs.memory.saturating_add(self.geometry.shard_bytes());
        most.saturating_add(most / 64).saturating_add(1 << 16)
    }

    /// True if the table has several shards, and each is computed after the one before it.
    pub fn is_in_turn(&self) -> bool {
        let is_in_order = matches!(self.needs.making, Making::Chained | Making::InOrder);
        is_in_order && self.geometry.shards() > 1
    }

    /// Returns the estimated bytes of a table of values in place of this table of outcomes. `None`
    /// if this is a table of values.
    pub fn bytes_of_values(&self) -> Option<u64> {
        let game = self.table.game().outcomes_of()?;
        let values = Table::new(game, self.table.max_pile(), self.table.length()).ok()?;
        let needs = solver(game).needs(&values, &Means::one_thread(MemoryLimit::default()));
        Some((values.cells() as f64 * needs.bits_per_cell / 8.0) as u64)
    }

    /// Returns the tiles that a range of parts computes.
    pub(crate) fn tiles_of(&self, parts: &Range<u64>) -> Range<u64> {
        let each = match self.needs.making {
            Making::Apart => self.geometry.tiles_per_shard(),
            Making::Chained => self.geometry.tiles_per_frame(),
            Making::Together | Making::InOrder => self.table.tiles(),
        };
        parts.start * each..parts.end.saturating_mul(each).min(self.table.tiles())
    }

    /// Returns the shards that a range of parts completes.
    pub(crate) fn shards_of(&self, parts: &Range<u64>) -> Range<u32> {
        let (tiles, each) = (self.tiles_of(parts), self.geometry.tiles_per_shard());
        let ends = tiles.end == self.table.tiles();
        let end = if ends { self.geometry.shards() } else { (tiles.end / each) as u32 };
        (tiles.start / each) as u32..end
    }

    /// Plans a table, in order if the memory suffices for that.
    fn new(table: Table, finished: bool, request: &Request) -> Result<TablePlan, PlanError> {
        let plan = |in_order| TablePlan::by(table.clone(), finished, request, in_order);
        plan(true).or_else(|in_order| plan(false).map_err(|whole| in_order.with_less(whole)))
    }

    /// Plans a table. `in_order` is true if its tiles may be computed in order.
    fn by(
        table: Table,
        finished: bool,
        request: &Request,
        in_order: bool,
    ) -> Result<TablePlan, PlanError> {
        let geometry = Geometry::of(&table);
        let threads = request.threads as u64;
        // Each thread holds one compressed shard (at worst half as long as its values) and three
        // frame buffers. Two more compressed shards are in the channel and in the writer.
        let shards = (threads + 2).min(geometry.shards().into());
        let buffers = geometry.shard_bytes() / 2 * shards + geometry.cell_bytes() * 3 * threads;
        let means = Means {
            memory: request.memory.minus(buffers),
            threads,
            frame_bytes: geometry.cell_bytes(),
            in_order,
        };
        let needs = solver(table.game()).needs(&table, &means);
        let memory = needs.memory.saturating_add(match needs.making {
            Making::Apart | Making::Together => buffers,
            // The memory holds the values of some shards: one being filled, one waiting, and one
            // for each thread that compresses. Each of these also holds a compressed shard.
            Making::InOrder | Making::Chained => {
                let compress = threads.saturating_sub(1).max(1);
                let all = u64::from(geometry.shards());
                let [values, compressed] = [compress + 2, compress].map(|shards| all.min(shards));
                geometry.shard_bytes() * values + geometry.shard_bytes() / 2 * compressed
            }
        });
        let shortage = |shortage| PlanError::Memory { table: table.to_string(), shortage };
        request.memory.check(memory).map_err(shortage)?;
        let cells = table.cells() as f64;
        let bytes = (cells * needs.bits_per_cell / 8.0) as u64;
        let build = match needs.making {
            // Compression takes no extra time: other threads do it, and most bytes are zeros.
            Making::InOrder | Making::Chained => 0.0,
            Making::Apart | Making::Together => SHARD_BYTE * table.value_bytes() as f64,
        };
        let seconds = needs.seconds + cells * build / request.threads as f64;
        Ok(TablePlan { table, geometry, finished, needs, memory, bytes, seconds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(name: &str) -> Game {
        name.parse().unwrap()
    }

    fn request(max_pile: Pile, length: usize, memory: u64) -> Request {
        let length = Some(length);
        Request {
            length,
            memory: MemoryLimit::new(memory),
            ..Request::new(vec![game("end-nim")], max_pile)
        }
    }

    fn planned(request: Request) -> Result<Plan, PlanError> {
        Plan::new(request, &Manifest::default())
    }

    /// Two threads need half the time of one thread. Compressing and writing a cell takes time in
    /// proportion to its bytes.
    #[test]
    fn seconds_are_shared_by_threads_and_grow_with_the_bytes() {
        let seconds = |threads, max_pile| {
            let wanted = Request { threads, ..request(max_pile, 3, 4 << 30) };
            let table = planned(wanted).unwrap().tables.remove(2);
            (table.seconds, (table.seconds - table.needs.seconds) / table.table.cells() as f64)
        };
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
        let ((one, narrow), (two, _), (_, wide)) =
            (seconds(1, 64), seconds(2, 64), seconds(1, 200));
        assert!(narrow > 0.0 && near(one, 2.0 * two) && near(wide, 2.0 * narrow));
    }

    /// A plan is accepted if disk space and memory just suffice, and refused with one byte less.
    #[test]
    fn a_build_that_just_fits_is_allowed() {
        let plan = |memory| planned(request(64, 4, memory));
        let mut found = plan(4 << 30).unwrap();
        let needed = found.tables.iter().map(|table| table.bytes).sum();
        assert_eq!(found.check_space(needed), Ok(()));
        assert_eq!(found.check_space(u64::MAX), Ok(()));
        assert!(found.check_space(needed - 1).is_err());
        found.tables[3].finished = true;
        let less: u64 = found.tables[..3].iter().map(|table| table.bytes).sum();
        assert_eq!(found.check_space(less), Ok(()));
        let (available, seconds) = (less - 1, found.tables[..3].iter().map(|t| t.seconds).sum());
        // The number of positions of one to three piles of up to 64.
        let positions = f64::from(64 + 64 * 64 + 64 * 64 * 64);
        let needed = less;
        assert_eq!(
            found.check_space(less - 1),
            Err(PlanError::Space { needed, available, positions, seconds })
        );

        // Levels 1 and 2 are always kept in memory, so no plan needs less than `most`.
        let short = |memory| planned(request(64, 2, memory));
        let most = short(4 << 30).unwrap().tables.iter().map(|table| table.memory).max().unwrap();
        assert!(short(most).is_ok());
        let (table, limit) = ("end-nim/n64/k2".to_owned(), MemoryLimit::new(most - 1));
        let shortage = MemoryShortage { needed: most, limit };
        assert_eq!(short(most - 1).unwrap_err(), PlanError::Memory { table, shortage });
    }
}
