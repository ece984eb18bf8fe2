//! Fills tables.
//!
//! A [`Maker`] holds the data from which it computes the tables of one game. It prepares one table
//! after another, by increasing length. Most makers can then compute any run of tiles, on any
//! thread and in any order ([`Worker`]), with the same output. If each tile depends on all tiles
//! before it, the tiles are computed in order ([`InOrder`]).

use std::io::{self, Read, Write};

use bytemuck::NoUninit;
use grundy_kernels::cells::read_bits;
use grundy_kernels::{Cell, Isa};
use grundy_rules::{Form, Game, Numbering, Pile, Table, TableError, Undefined};
use grundy_sweep::{Control, MemoryLimit, Stopped};

#[derive(Clone, Copy, Debug)]
pub struct TableRequest {
    pub max_pile: Pile,
    /// The length of the longest table, or `None` for the default. Shorter tables are included.
    pub length: Option<usize>,
    /// True if the solver must use the requested sizes, false if it may lower them.
    pub literally: bool,
    /// The largest single pile, for a game that has records, or `None` for the game's default.
    pub single: Option<Pile>,
    /// The contents of tables of single piles, for a game that has records.
    pub form: Form,
}

/// The resources of a build, without the resources for writing shards.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// The memory, without the buffers of the threads.
    pub memory: MemoryLimit,
    pub threads: u64,
    pub frame_bytes: u64,
    /// True if the caller takes all tiles once, in order, so that a solver need not keep them.
    pub in_order: bool,
}

impl Means {
    /// Returns the resources of a build with one thread and frames of the usual size.
    pub fn one_thread(memory: MemoryLimit) -> Means {
        Means { memory, threads: 1, frame_bytes: 1 << 16, in_order: false }
    }

    /// Returns the resources for a caller that takes tiles in any order.
    #[must_use]
    pub fn at_random(self) -> Means {
        Means { in_order: false, ..self }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Needs {
    /// The bytes of memory, without the memory for shards.
    pub memory: u64,
    /// The seconds, without the time for writing shards.
    pub seconds: f64,
    pub bits_per_cell: f64,
    /// The number of piles of the highest level in memory, if the game has levels.
    pub level: usize,
    /// The dependence between the parts of the table.
    pub making: Making,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Making {
    /// The parts are independent and the preparation is short, so many machines can share the work.
    Apart,
    /// The parts are independent, but the preparation is most of the work.
    Together,
    /// The parts are computed one after another ([`Maker::in_order`]).
    InOrder,
    /// The parts are computed one after another, and each may be computed by another machine, which
    /// receives the state of the one before ([`InOrder::save`]).
    Chained,
}

/// The transformation of cells before compression, which is a part of the file format.
/// docs/FORMAT.md shows the measured sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    Raw,
    /// Each value of a tile is xored with the nim-sum of its row and column.
    NimSum,
    /// The same as `NimSum`; then the low bytes of all cells are separated from the high bytes.
    NimSumPlanes,
    /// Differences of neighbouring cells; the low bytes are separated from the high bytes.
    DeltaPlanes,
}

impl Packing {
    /// Returns the packing of a new table, which depends on its numbering.
    pub fn of(table: &Table) -> Packing {
        let is_byte = table.value_bytes() == 1;
        match table.numbering() {
            _ if table.has_bits() => Packing::Raw,
            Numbering::Middles if is_byte => Packing::NimSum,
            Numbering::Middles => Packing::NimSumPlanes,
            // Multisets have no tiles with rows and columns, so only the bytes are separated.
            Numbering::Multisets if !is_byte => Packing::NimSumPlanes,
            Numbering::Records if table.form() == Form::ValuesOnly => Packing::DeltaPlanes,
            _ => Packing::Raw,
        }
    }
}

/// Computes the tables of one game.
pub trait Maker: Send + Sync {
    /// Prepares the data from which a table is computed.
    fn prepare(&mut self, table: &Table, needs: &Needs, control: &Control)
    -> Result<(), FillError>;

    /// Returns the working memory of one thread, for the prepared table.
    fn worker<'a>(&'a self, table: &'a Table) -> Box<dyn Worker + 'a>;

    /// Returns the initial state, if the table was prepared to compute its tiles in order
    /// ([`Making::InOrder`], [`Making::Chained`]).
    fn in_order<'a>(
        &'a self,
        _table: &'a Table,
        _control: &'a Control,
    ) -> Option<Box<dyn InOrder + 'a>> {
        None
    }
}

/// The part of a [`Maker`] for one thread.
pub trait Worker {
    /// Returns the bytes of `count` tiles, from index `first` on. Outcomes are bits, the lowest bit
    /// of a byte first: see [`with_bytes`].
    fn tiles(&mut self, first: u64, count: u64) -> &[u8];
}

/// Returns the bytes of some tiles. If the table stores bits, expands each bit to a byte in `room`.
pub fn with_bytes<'a>(
    table: &Table,
    tiles: u64,
    bytes: &'a [u8],
    room: &'a mut Vec<u8>,
) -> &'a [u8] {
    if !table.has_bits() {
        return bytes;
    }
    read_bits(bytes, tiles as usize * table.tile_cells(), room);
    room
}

/// Computes tiles one after another.
pub trait InOrder {
    /// Appends the bytes of the next `count` tiles. Outcomes are bits, and the last byte is padded
    /// with 0.
    fn next(&mut self, count: u64, out: &mut Vec<u8>) -> Result<(), FillError>;

    /// Writes what the next tiles need of the earlier ones, if the work is
    /// [chained](Making::Chained).
    fn save(&self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Continues after the tiles at which a run was saved, if no tile is computed yet. Returns
    /// false if the state does not fit; then the run is of no use.
    fn load(&mut self, _: &mut dyn Read) -> io::Result<bool> {
        Ok(false)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum FillError {
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error("row {pile} of {game} has {count} exceptional last moves, more than a record holds")]
    NoRoom { game: Game, pile: Pile, count: usize },
    #[error("a move of {game} leads from {position} to {option}, a position outside its tables")]
    LeadsOut { game: Game, position: String, option: String },
    #[error("{position} in {game} has the value {value}, above the bound that its rules give")]
    TooWide { game: Game, position: String, value: u32 },
    #[error("the cells of {table} are not values of single positions, and no method can fill them")]
    NotValues { table: String },
    /// The moves of a rule file are undefined at a position.
    #[error(transparent)]
    Rules(#[from] Undefined),
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("{table} needs more memory than planned")]
    Memory { table: String },
    /// Only a false state with a right digest gives this error.
    #[error(
        "the rows of {table} end before its tiles; the state that the build began with is false"
    )]
    Ended { table: String },
}

/// Returns the tables of all lengths up to the requested length, with the same largest pile. By
/// default, adds lengths as long as their tables satisfy `fits`.
pub(crate) fn tables_up_to(
    game: Game,
    wanted: &TableRequest,
    max_pile: impl Fn(usize) -> Pile,
    most: usize,
    fits: impl Fn(&Table) -> bool,
) -> Result<Vec<Table>, TableError> {
    let fits = |&length: &usize| {
        Table::new(game, max_pile(length), length).is_ok_and(|table| fits(&table))
    };
    let least = game.law().map_or(1, |law| *law.table_lengths().start());
    let lengths = game.lengths_near(least..=most);
    let chosen = || lengths.take_while(fits).last().unwrap_or(least);
    let longest = wanted.length.unwrap_or_else(chosen);
    // Try the longest table first, because an error about its size is the most useful.
    Table::new(game, max_pile(longest), longest)?;
    (least.min(longest)..=longest)
        .map(|length| Table::new(game, max_pile(length), length))
        .collect()
}

/// The parameters of a maker: the game, the largest pile of a request, and the instruction set.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    pub game: Game,
    pub max_pile: Pile,
    pub isa: Isa,
}

/// Computes all cells of a prepared table, about 2^16 at a time. A larger tile is computed alone.
/// Calls `show` with the number of the first cell and the bytes.
///
/// # Errors
/// [`FillError::Stopped`] if the control stops the work.
pub(crate) fn each_run(
    maker: &dyn Maker,
    table: &Table,
    control: &Control,
    mut show: impl FnMut(u64, &[u8]),
) -> Result<(), FillError> {
    let (mut worker, tile, mut room) = (maker.worker(table), table.tile_cells() as u64, Vec::new());
    let run = ((1 << 16) / tile).max(1);
    for first in (0..table.tiles()).step_by(run as usize) {
        control.check()?;
        let tiles = run.min(table.tiles() - first);
        show(first * tile, with_bytes(table, tiles, worker.tiles(first, tiles), &mut room));
    }
    Ok(())
}

/// Returns cells as the bytes to store. On a big-endian machine, the function reverses the bytes of
/// each cell in place, so `cells` holds no valid numbers afterwards.
pub(crate) fn stored_bytes<T: Cell + NoUninit>(cells: &mut [T]) -> &[u8] {
    swap_stored(cells);
    bytemuck::cast_slice(cells)
}

/// Turns cells into their stored form, and stored cells into numbers: on a big-endian machine, the
/// function reverses the bytes of each cell.
pub(crate) fn swap_stored<T: Cell>(cells: &mut [T]) {
    if cfg!(target_endian = "big") {
        cells.iter_mut().for_each(|cell| *cell = cell.to_le());
    }
}
