//! Filling tables: what one needs, and the two ways in which its tiles come.
//!
//! A [`Maker`] holds what the tables of one game are computed from and makes it ready for one
//! table after another, by increasing length. Most can then give any run of tiles in any order,
//! on any thread ([`Worker`]), so what is written depends on the tiles alone. Where each tile
//! depends on all before it, they come in order ([`InOrder`]), and the state can be saved.

use grundy_sweep::MemoryLimit;
use std::io;

use bytemuck::NoUninit;
use grundy_kernels::{Cell, Isa};
use grundy_rules::law::Kind;
use grundy_rules::{Form, Game, Pile, Table, TableError, Undefined};
use grundy_sweep::{Control, Piece, Stopped};

/// Which tables of a game are wanted.
#[derive(Clone, Copy, Debug)]
pub struct TableRequest {
    /// The largest pile, N.
    pub max_pile: Pile,
    /// The longest table; all shorter ones are wanted too. `None`: as the game chooses.
    pub length: Option<usize>,
    /// Whether sizes that a game would cut are taken literally.
    pub literally: bool,
    /// The largest single pile, of a game that has records. `None`: as the game chooses.
    pub single: Option<Pile>,
    /// What is stored of single piles, in a game that has records.
    pub form: Form,
}

/// What a build may use, beside what its shards take.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// Bytes of memory that are left when each thread has its buffers.
    pub memory: MemoryLimit,
    /// Threads that will work.
    pub threads: u64,
    /// Bytes of the values of a frame.
    pub frame_bytes: u64,
}

impl Means {
    /// The means of one thread, with frames as they usually are.
    pub(crate) fn one_thread(memory: MemoryLimit) -> Means {
        Means { memory, threads: 1, frame_bytes: 1 << 16 }
    }
}

/// What filling a table takes, as estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Needs {
    /// Bytes of memory, beside what the shards take.
    pub memory: u64,
    /// Seconds before, or beside, putting the cells into shards.
    pub seconds: f64,
    /// Compressed bits of a cell.
    pub bits_per_cell: f64,
    /// The highest level kept in memory, where there are levels.
    pub level: usize,
    /// How its parts hang together.
    pub making: Making,
}

impl Needs {
    /// A table of so many parts, as work that can be shared out.
    pub(crate) fn piece(self, table: &Table, parts: u64) -> Piece {
        Piece { name: table.to_string(), parts, seconds: self.seconds, memory: self.memory }
    }
}

/// How the parts of a table can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Making {
    /// Any of them without the others, from a base that costs little beside them: on many machines.
    Apart,
    /// All from what is made ready once, which is most of the work.
    Together,
    /// One after another ([`Maker::in_order`]).
    InOrder,
}

/// How cells are prepared for compression; docs/FORMAT.md has what was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// As they are.
    Raw,
    /// Of a row and column of a tile the nim-sum taken off.
    NimSum,
    /// The same, and the bytes of the cells parted.
    NimSumPlanes,
    /// Differences of neighbours, and their bytes parted.
    DeltaPlanes,
}

/// Computes the tables of one game.
pub trait Maker: Sync {
    /// Makes ready what a table is computed from.
    fn prepare(&mut self, table: &Table, needs: &Needs, control: &Control)
    -> Result<(), FillError>;

    /// The working memory of one thread, for the table made ready.
    fn worker<'a>(&'a self, table: &'a Table) -> Box<dyn Worker + 'a>;

    /// Of a table whose tiles come in order only: its beginning.
    fn in_order(&self, _table: &Table) -> Option<Box<dyn InOrder>> {
        None
    }
}

/// One thread's part of a [`Maker`].
pub trait Worker {
    /// The bytes of `count` tiles from number `first` on.
    fn tiles(&mut self, first: u64, count: u64) -> &[u8];
}

/// Tiles one after another.
pub trait InOrder: Send {
    /// The number of tiles that have come.
    fn done(&self) -> u64;

    /// Appends the bytes of the next `count` tiles.
    ///
    /// # Errors
    /// [`FillError::NoRoom`] if a tile cannot hold what belongs into it.
    fn next(&mut self, count: u64, out: &mut Vec<u8>) -> Result<(), FillError>;

    /// Saves the state.
    fn save(&self, out: &mut Vec<u8>) -> io::Result<()>;

    /// Takes a saved state up, in place of its own; `false` if it is none.
    fn load(&mut self, from: &[u8]) -> bool;
}

/// Why a table is not filled.
#[allow(missing_docs, reason = "the messages say it")]
#[derive(Debug, thiserror::Error)]
pub enum FillError {
    /// The control asked for it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error("row {pile} of {game} has {count} exceptional last moves, more than a record holds")]
    NoRoom { game: Game, pile: Pile, count: usize },
    #[error("a move of {game} leads from {position} to {option}, which its tables do not hold")]
    LeadsOut { game: Game, position: String, option: String },
    #[error("{position} in {game} has the value {value}, above the largest that its rules tell of")]
    TooWide { game: Game, position: String, value: u32 },
    #[error(
        "the cells of {table} are not values of single positions, and nothing is known to fill it"
    )]
    NotValues { table: String },
    /// The moves of a rule file cannot be worked out somewhere.
    #[error(transparent)]
    Rules(#[from] Undefined),
    /// There is no such table.
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("{table} takes more memory than was planned for")]
    Memory { table: String },
}

/// The tables of lengths 1 to the one wanted, all with the same largest pile. `fits` says
/// whether a length is one to choose when nobody does.
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
    let (least, longest) = match game.law() {
        Some(law) if law.kind == Kind::Sum => (1, 1),
        Some(law) => law.lengths.clone().into_inner(),
        None => (1, most),
    };
    let chosen = || (least..=most.min(longest)).take_while(fits).last().unwrap_or(least);
    let longest = wanted.length.unwrap_or_else(chosen);
    // The longest first, for its size says more than a shorter one's fault.
    Table::new(game, max_pile(longest), longest)?;
    (least.min(longest)..=longest)
        .map(|length| Table::new(game, max_pile(length), length))
        .collect()
}

/// What fills tables: the game, the largest pile of a request, the instruction set.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// The game.
    pub game: Game,
    /// The largest pile.
    pub max_pile: Pile,
    /// The instruction set of the kernels.
    pub isa: Isa,
}

/// Cells as the bytes that are stored. On a machine that is not little-endian itself they are
/// turned where they stand, and are no numbers from then on.
pub(crate) fn stored_bytes<T: Cell + NoUninit>(cells: &mut [T]) -> &[u8] {
    if cfg!(target_endian = "big") {
        for cell in &mut *cells {
            *cell = cell.to_le();
        }
    }
    bytemuck::cast_slice(cells)
}
