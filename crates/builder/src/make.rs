//! What computes the values of a table: one maker per family of games.
//!
//! A maker holds what the tables of one game are computed from and makes it ready for one
//! table after another, by increasing length. Workers, one a thread, then ask for any run
//! of tiles in any order, so a maker's answer depends on the tiles alone.

use bytemuck::NoUninit;
use grundy_kernels::last_move::LastMoves;
use grundy_kernels::subsets::{self, Block, SubsetTables};
use grundy_kernels::thresholds::{Prefix, fill_row};
use grundy_kernels::{Cell, Isa};
use grundy_rules::set_rows::set_of_index;
use grundy_rules::{Game, LARGEST_BYTE_MAX_PILE, Layout, Pile, SetRows, Table};
use grundy_sweep::{Control, Filler, Ladder, MultisetLevels, Stopped};

use crate::TablePlan;

/// Computes the tables of one game.
pub(crate) trait Maker: Sync {
    /// Makes ready what a table is computed from.
    fn prepare(&mut self, planned: &TablePlan, control: &Control) -> Result<(), Stopped>;

    /// The working memory of one thread, for the table made ready.
    fn worker<'a>(&'a self, table: &'a Table) -> Box<dyn Worker + 'a>;
}

/// One thread's part of a [`Maker`].
pub(crate) trait Worker {
    /// The bytes of the values of `count` tiles from number `first` on.
    fn tiles(&mut self, first: u64, count: u64) -> &[u8];
}

/// The maker of a game's tables.
pub(crate) fn maker(game: Game, max_pile: Pile, isa: Isa) -> Box<dyn Maker> {
    match game {
        Game::Nim | Game::MisereNim => Box::new(MultisetLevels::new(game, max_pile)),
        Game::PartizanEndNim => Box::new(Partizan),
        Game::ShortGlobalNim => Box::new(SeveralPiles { level: LastMoves::empty(max_pile) }),
        Game::LongGlobalNim => Box::new(Sets { one_pile: SubsetTables::new(isa), several: None }),
        Game::EndNim | Game::MisereEndNim | Game::LoopEndNim => {
            if max_pile <= LARGEST_BYTE_MAX_PILE {
                Box::new(Ladder::<u8>::new(game, max_pile, isa))
            } else {
                Box::new(Ladder::<u16>::new(game, max_pile, isa))
            }
        }
    }
}

/// The End-Nim games: tiles from the lowest levels, which are kept in memory.
impl<T: Cell + NoUninit> Maker for Ladder<T> {
    fn prepare(&mut self, planned: &TablePlan, control: &Control) -> Result<(), Stopped> {
        self.extend(planned.ladder_top, control)
    }

    fn worker<'a>(&'a self, table: &'a Table) -> Box<dyn Worker + 'a> {
        Box::new(EndNimWorker { table, filler: Filler::new(self), values: Vec::new() })
    }
}

struct EndNimWorker<'a, T> {
    table: &'a Table,
    filler: Filler<'a, T>,
    values: Vec<T>,
}

impl<T: Cell + NoUninit> Worker for EndNimWorker<'_, T> {
    fn tiles(&mut self, first: u64, count: u64) -> &[u8] {
        self.values.resize(count as usize * self.table.tile_cells(), T::default());
        self.filler.fill_stored(self.table, first, &mut self.values);
        bytemuck::cast_slice(&self.values)
    }
}

/// Nim and misère Nim: every level whole in memory, by mex.
impl Maker for MultisetLevels {
    fn prepare(&mut self, planned: &TablePlan, control: &Control) -> Result<(), Stopped> {
        self.extend(planned.table.length(), control)
    }

    fn worker<'a>(&'a self, table: &'a Table) -> Box<dyn Worker + 'a> {
        let values = self.level(table.length()).unwrap_or_default();
        Box::new(LevelWorker { values, width: table.value_bytes(), cells: 1, bytes: Vec::new() })
    }
}

/// Tiles of a level that is in memory.
struct LevelWorker<'a> {
    values: &'a [u16],
    /// Bytes of a value, and values of a tile.
    width: usize,
    cells: usize,
    bytes: Vec<u8>,
}

impl Worker for LevelWorker<'_> {
    fn tiles(&mut self, first: u64, count: u64) -> &[u8] {
        let (first, count) = (first as usize * self.cells, count as usize * self.cells);
        let values = &self.values[first..first + count];
        self.bytes.clear();
        match self.width {
            // The table's width holds all its values.
            1 => self.bytes.extend(values.iter().map(|&value| value as u8)),
            _ => self.bytes.extend(values.iter().flat_map(|value| value.to_le_bytes())),
        }
        &self.bytes
    }
}

/// Short global nim with several piles: the level below and its own in memory.
struct SeveralPiles {
    level: LastMoves,
}

impl Maker for SeveralPiles {
    fn prepare(&mut self, planned: &TablePlan, control: &Control) -> Result<(), Stopped> {
        while self.level.multisets().length() < planned.table.length() {
            let longer = self.level.with_another_pile(|_| !control.is_stopped());
            self.level = longer.ok_or(Stopped)?;
        }
        Ok(())
    }

    fn worker<'a>(&'a self, table: &'a Table) -> Box<dyn Worker + 'a> {
        let values = self.level.values();
        let (width, cells) = (table.value_bytes(), table.tile_cells());
        Box::new(LevelWorker { values, width, cells, bytes: Vec::new() })
    }
}

/// Long global nim: of one pile all levels but the last in memory, of several piles the whole
/// table, once as the kernel has it.
struct Sets {
    one_pile: SubsetTables,
    several: Option<subsets::SetRowValues>,
}

impl Maker for Sets {
    fn prepare(&mut self, planned: &TablePlan, control: &Control) -> Result<(), Stopped> {
        let (table, isa) = (&planned.table, self.one_pile.isa());
        if let Layout::Sets = table.layout() {
            return grundy_sweep::subsets::extend(
                &mut self.one_pile,
                table.max_pile() - 1,
                control,
            );
        }
        let (piles, max_pile) = (table.length() as u32, table.max_pile());
        // The table before goes first: the plan counts one.
        self.several = None;
        let mut go_on = || !control.is_stopped();
        let several =
            subsets::SetRowValues::watched(isa, piles, max_pile, planned.memory, &mut go_on);
        // The plan found the size possible and the memory enough.
        self.several = Some(several.map_err(|_| Stopped)?);
        Ok(())
    }

    fn worker<'a>(&'a self, table: &'a Table) -> Box<dyn Worker + 'a> {
        match (table.layout(), &self.several) {
            (Layout::SetRows(rows), Some(values)) => {
                Box::new(SetRowsWorker { rows, values, bytes: Vec::new() })
            }
            _ => Box::new(SetsWorker {
                tables: &self.one_pile,
                scratch: Vec::new(),
                bytes: Vec::new(),
            }),
        }
    }
}

struct SetsWorker<'a> {
    tables: &'a SubsetTables,
    scratch: Vec<Block>,
    bytes: Vec<u8>,
}

impl Worker for SetsWorker<'_> {
    fn tiles(&mut self, first: u64, count: u64) -> &[u8] {
        self.bytes.resize(4 * count as usize, 0);
        self.tables.pack_cells(first, &mut self.bytes, &mut self.scratch);
        &self.bytes
    }
}

struct SetRowsWorker<'a> {
    rows: &'a SetRows,
    values: &'a subsets::SetRowValues,
    bytes: Vec<u8>,
}

impl Worker for SetRowsWorker<'_> {
    fn tiles(&mut self, first: u64, count: u64) -> &[u8] {
        self.bytes.clear();
        let multisets = self.rows.multisets();
        let mut piles = vec![0; multisets.length()];
        self.rows.position(first, &mut piles);
        let (mut at, end) = (first, first + count);
        while at < end {
            // The kernel has the sets by mask, a file by index.
            let (start, sets) = self.rows.row(&piles);
            let row = self.values.sets(&piles).unwrap_or_default();
            let indices = at - start..sets.min(end - start);
            at += indices.end - indices.start;
            let pile = sets.trailing_zeros();
            let masks = indices.map(|index| set_of_index(pile, index) as usize);
            self.bytes.extend(masks.map(|mask| row[mask]));
            multisets.step(&mut piles);
        }
        &self.bytes
    }
}

/// Partizan End-Nim: rows of thresholds from nothing.
struct Partizan;

impl Maker for Partizan {
    fn prepare(&mut self, _: &TablePlan, _: &Control) -> Result<(), Stopped> {
        Ok(())
    }

    fn worker<'a>(&'a self, table: &'a Table) -> Box<dyn Worker + 'a> {
        Box::new(PartizanWorker {
            table,
            word: Vec::new(),
            prefix: Prefix::default(),
            values: Vec::new(),
        })
    }
}

struct PartizanWorker<'a> {
    table: &'a Table,
    word: Vec<Pile>,
    prefix: Prefix,
    values: Vec<u16>,
}

impl Worker for PartizanWorker<'_> {
    fn tiles(&mut self, first: u64, count: u64) -> &[u8] {
        let (rows, cols) = (self.table.tile_rows(), self.table.tile_cols());
        self.values.resize(count as usize * rows * cols, 0);
        for (tile, values) in (first..).zip(self.values.chunks_exact_mut(rows * cols)) {
            self.table.tile_word(tile, &mut self.word);
            self.prefix.set(&self.word);
            for (a, row) in (1..).zip(values.chunks_exact_mut(cols)) {
                // The table of length 1 has one row, of the empty word.
                let (left, right) =
                    if self.table.length() == 1 { (0, 0) } else { self.prefix.appended(a) };
                fill_row(left, right, row);
            }
        }
        bytemuck::cast_slice(&self.values)
    }
}
