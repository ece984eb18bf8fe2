//! The sources of the values of a level. A source gives the values unit by unit.

use std::ops::Range;
use std::sync::Arc;

use grundy_kernels::Isa;
use grundy_kernels::cells::{CellVec, Cells, cell_value, cell_values, longs};
use grundy_kernels::thresholds::Prefix;
use grundy_rules::{Middles, Numbering, Pile, Table, class_of_thresholds};
use grundy_solvers::{
    Env, Job, Limits, Maker, Means, NoTables, Stored, Tables, Worker, solver, with_bytes,
};
use grundy_sweep::records::RecordRows;
use grundy_sweep::{AnyLadder, Control};

use super::block::{Block, Places, multiset};
use super::domain::Domain;
use super::level::{Level, WalkOptions};
use crate::Error;

/// The approximate number of cells in a unit of small tiles. Such a unit stays in the L2 cache.
const UNIT_CELLS: u64 = 1 << 16;

pub(crate) enum ValueSource<'a> {
    Stored(&'a dyn Stored),
    /// The lowest levels of a game whose values follow from the two ends.
    Ladder(AnyLadder),
    Made(Arc<dyn Maker>),
    Thresholds,
    /// Single piles with each last move. A unit is a pile.
    Records {
        rows: RecordRows,
        is_read: bool,
    },
}

/// Writes the values of a pile with the last moves 0, 1, ..., up to its number of coins.
fn spread(rows: &RecordRows, pile: Pile, out: &mut Vec<u32>) {
    out.clear();
    out.resize(pile as usize + 1, rows.g(pile));
    for &left in rows.exceptions(pile) {
        // By Corollary 10 of James and Schlatter, *(pile, taken) = *(left, taken).
        let taken = pile - left;
        out[taken as usize] = rows.value(left, taken);
    }
}

pub(crate) fn records<'a>(
    records: &dyn grundy_solvers::Records,
    table: &Table,
    options: &WalkOptions<'_>,
) -> Result<ValueSource<'a>, Error> {
    let mut rows = RecordRows::default();
    let mut take = |value: u32, exceptions: &[Pile]| {
        let kept = if options.domain == Domain::All { exceptions } else { &[] };
        rows.push(value, kept.iter().copied());
        true
    };
    let (game, last) = (table.game(), table.max_pile());
    match options.database {
        Some(database) => database.each_record(game, last, take)?,
        None => {
            let limits = Limits { memory: options.memory, ..Limits::default() };
            let env = Env { limits, ..Env::with_nothing(&NoTables) };
            records.each(game, last, &env, &mut take)?;
        }
    }
    // A table of g(n) alone has no records.
    let held = |stored: &dyn Stored| {
        let held = stored.table();
        held.max_pile() >= last && Table::new(game, held.max_pile(), 1).as_ref() == Ok(held)
    };
    let is_read = options.database.is_some_and(|all| Tables::find(all, game, 1, &held).is_some());
    Ok(ValueSource::Records { rows, is_read })
}

pub(crate) fn made<'a>(level: &Level<'_>, control: &Control) -> Result<ValueSource<'a>, Error> {
    let (table, memory) = (level.table(), level.options().memory);
    if let Some(maker) = level.kept().and_then(|kept| kept.get(table)) {
        return Ok(ValueSource::Made(maker));
    }
    let (game, max_pile) = (table.game(), table.max_pile());
    let threads = rayon::current_num_threads() as u64;
    let needs = solver(game)
        .needs(table, &Means { memory, threads, frame_bytes: UNIT_CELLS, in_order: false });
    level.check_memory(needs.memory)?;
    let mut maker = solver(game).maker(Job { game, max_pile, isa: Isa::best() });
    maker.prepare(table, &needs, control)?;
    let maker: Arc<dyn Maker> = maker.into();
    if let Some(kept) = level.kept() {
        kept.put(table, &maker);
    }
    Ok(ValueSource::Made(maker))
}

impl ValueSource<'_> {
    pub(crate) fn units(&self, table: &Table) -> u64 {
        match self {
            ValueSource::Stored(stored) => stored.frame_of(table.tiles() - 1) + 1,
            ValueSource::Records { rows, .. } => rows.count(),
            _ => made_units(table),
        }
    }
}

pub(crate) fn made_units(table: &Table) -> u64 {
    table.tiles().div_ceil(tiles_per_unit(table))
}

pub(crate) fn tiles_per_unit(table: &Table) -> u64 {
    (UNIT_CELLS / table.tile_cells() as u64).max(1)
}

pub(crate) struct Reader<'a> {
    table: &'a Table,
    given: Given<'a>,
    bytes: Vec<u8>,
    values: CellVec,
    shown: Shown<'a>,
    domain: Domain,
}

enum Given<'a> {
    Stored(&'a dyn Stored),
    Made(Box<dyn Worker + 'a>),
    Thresholds(Prefix),
    Records(&'a RecordRows, Vec<u32>),
}

impl<'a> Reader<'a> {
    pub(crate) fn new(table: &'a Table, domain: Domain, source: &'a ValueSource<'_>) -> Reader<'a> {
        let given = match source {
            ValueSource::Stored(stored) => Given::Stored(*stored),
            ValueSource::Ladder(AnyLadder::Narrow(ladder)) => Given::Made(ladder.worker(table)),
            ValueSource::Ladder(AnyLadder::Wide(ladder)) => Given::Made(ladder.worker(table)),
            ValueSource::Made(maker) => Given::Made(maker.worker(table)),
            ValueSource::Thresholds => Given::Thresholds(Prefix::default()),
            ValueSource::Records { rows, .. } => Given::Records(rows, Vec::new()),
        };
        // The cells of a larger stored table may be wider.
        let made = match source {
            ValueSource::Stored(stored) => stored.table(),
            _ => table,
        };
        let width = if is_packed(made) { 1 } else { made.value_bytes() };
        let (bytes, values) = (Vec::new(), CellVec::with_capacity(width, 0));
        Reader { table, given, bytes, values, shown: Shown::new(table, domain), domain }
    }

    /// Shows the blocks of a unit. Returns the number of their values.
    pub(crate) fn read(
        &mut self,
        unit: u64,
        show: &mut dyn FnMut(&Block<'_>),
    ) -> Result<u64, Error> {
        let Reader { table, given, bytes, values, shown, domain } = self;
        let each = tiles_per_unit(table);
        let tiles = unit * each..((unit + 1) * each).min(table.tiles());
        Ok(match given {
            Given::Stored(stored) => {
                let tiles = stored.frame(unit, bytes).map_err(grundy_query::QueryError::from)?;
                let tiles = keep_beginning(bytes, tiles, stored.table(), table);
                shown.bytes(tiles, bytes, values, show)
            }
            Given::Made(worker) => {
                let run = tiles.end - tiles.start;
                let made = with_bytes(table, run, worker.tiles(tiles.start, run), bytes);
                shown.bytes(tiles, made, values, show)
            }
            Given::Thresholds(prefix) => {
                bytes.clear();
                for tile in tiles.clone() {
                    classes(table, tile, prefix, &mut shown.word, bytes);
                }
                shown.tiles(tiles, Cells::Bytes(bytes), show)
            }
            Given::Records(rows, longs) => {
                let pile = unit as Pile + 1;
                match domain {
                    Domain::All => spread(rows, pile, longs),
                    _ => *longs = vec![rows.g(pile)],
                }
                let places = Places::LastMoves { piles: &[pile][..] };
                let block = Block::new(table, Cells::Longs(longs), places, 1);
                show(&block);
                block.cells()
            }
        })
    }
}

/// Keeps the cells of a stored frame that belong to a table with which the stored table
/// [begins](Table::begins). Returns the tiles that are left.
fn keep_beginning(
    bytes: &mut Vec<u8>,
    tiles: Range<u64>,
    stored: &Table,
    table: &Table,
) -> Range<u64> {
    let each = bytes.len() / (tiles.end - tiles.start) as usize;
    let kept = each / stored.tile_cells() * table.tile_cells();
    let left = tiles.start..tiles.end.min(table.tiles());
    let count = (left.end - left.start) as usize;
    if kept < each {
        (0..count).for_each(|tile| bytes.copy_within(tile * each..tile * each + kept, tile * kept));
    }
    bytes.truncate(count * kept);
    left
}

/// Appends the outcome classes of a tile of partizan End-Nim, as their indices in
/// [`Outcome::ALL`](grundy_rules::Outcome::ALL).
fn classes(table: &Table, tile: u64, prefix: &mut Prefix, word: &mut Vec<Pile>, out: &mut Vec<u8>) {
    table.tile_word(tile, word);
    let n = u64::from(table.max_pile());
    let rows = if table.length() == 1 { 0..1 } else { 1..table.max_pile() + 1 };
    for a in rows {
        word.extend((a > 0).then_some(a));
        prefix.set(word);
        let (to, from) = prefix.zeros();
        let mut done = 0;
        for end in [to.min(from - 1), to.max(from - 1), n].map(|end| end.min(n)) {
            let [left, right] = [done >= to, done + 1 < from].map(u64::from);
            out.resize(out.len() + (end - done) as usize, class_of_thresholds(left, right) as u8);
            done = end;
        }
        if a > 0 {
            word.pop();
        }
    }
}

/// True if each cell of the table has several values.
fn is_packed(table: &Table) -> bool {
    table.numbering() == Numbering::Sets
}

fn decode<'a>(table: &Table, bytes: &'a [u8], values: &'a mut CellVec) -> Cells<'a> {
    values.clear();
    match values {
        CellVec::Bytes(values) if is_packed(table) => {
            longs(bytes).for_each(|cell| values.extend_from_slice(&cell_values(cell)));
        }
        CellVec::Bytes(_) => return Cells::Bytes(bytes),
        _ => values.extend_stored(bytes),
    }
    values.cells()
}

struct Shown<'a> {
    table: &'a Table,
    domain: Domain,
    /// The piles that the positions of a tile share.
    word: Vec<Pile>,
}

impl Shown<'_> {
    fn new(table: &Table, domain: Domain) -> Shown<'_> {
        Shown { table, domain, word: Vec::new() }
    }

    /// Shows consecutive tiles with their stored bytes. Returns the number of values shown.
    fn bytes(
        &mut self,
        tiles: Range<u64>,
        bytes: &[u8],
        values: &mut CellVec,
        show: &mut dyn FnMut(&Block<'_>),
    ) -> u64 {
        let table = self.table;
        if self.domain == Domain::All {
            return self.tiles(tiles, decode(table, bytes, values), show);
        }
        // Few positions of a table of sets are in the domain, so decode only their values.
        let each = table.values_per_cell();
        let packed = is_packed(table).then(|| longs(bytes).collect::<Vec<u32>>());
        let decoded = match packed {
            Some(_) => Cells::Bytes(&[]),
            None => decode(table, bytes, values),
        };
        let first = tiles.start * each * table.tile_cells() as u64;
        let end = tiles.end * each * table.tile_cells() as u64;
        let (mut shown, mut next) = (0, first);
        while let Some(number) = self.domain.next(table, next).filter(|&number| number < end) {
            let at = number - first;
            let value = match &packed {
                Some(cells) => cell_value(cells[(at / each) as usize], (at % each) as u32).into(),
                None => decoded.get(at as usize),
            };
            if !table.first_numbers(number..number + 1).is_empty() {
                let places = Places::Numbers { first: number };
                show(&Block::new(table, Cells::Longs(&[value]), places, 1));
                shown += 1;
            }
            next = number + 1;
        }
        shown
    }

    /// Shows consecutive tiles with their values. Returns the number of values shown.
    fn tiles(
        &mut self,
        tiles: Range<u64>,
        values: Cells<'_>,
        show: &mut dyn FnMut(&Block<'_>),
    ) -> u64 {
        let Shown { table, word, .. } = self;
        let (cells, cols) = (table.tile_cells(), table.tile_cols());
        let of_tile = |at: usize| values.part(at * cells..(at + 1) * cells);
        match table.numbering() {
            kind @ (Numbering::Middles | Numbering::Words) => {
                let between = kind == Numbering::Middles;
                for (at, tile) in tiles.enumerate() {
                    table.tile_word(tile, word);
                    let weight = if between && !Middles::is_palindrome(word) { 2 } else { 1 };
                    let places = Places::Tile { word: &word[..], between, cols };
                    show(&Block::new(table, of_tile(at), places, weight));
                }
            }
            Numbering::Multisets => {
                show(&Block::new(table, values, Places::Multisets { first: tiles.start }, 1));
            }
            Numbering::LastMoves => {
                for (at, tile) in tiles.enumerate() {
                    multiset(table, tile, word);
                    show(&Block::new(
                        table,
                        of_tile(at),
                        Places::LastMoves { piles: &word[..] },
                        1,
                    ));
                }
            }
            Numbering::Records
            | Numbering::Sets
            | Numbering::SetRows
            | Numbering::Places
            | Numbering::PlaceMoves => {
                let first = tiles.start * table.values_per_cell() * cells as u64;
                let (mut left, mut shown) = (first..first + values.count() as u64, 0);
                // In tables of sets, some values in the first and last cells belong to no position.
                // The rules may exclude other positions.
                loop {
                    let run = table.first_numbers(left);
                    if run.is_empty() {
                        return shown;
                    }
                    let [from, to] = [run.start, run.end].map(|number| (number - first) as usize);
                    let places = Places::Numbers { first: run.start };
                    show(&Block::new(table, values.part(from..to), places, 1));
                    shown += run.end - run.start;
                    left = run.end..first + values.count() as u64;
                }
            }
        }
        values.count() as u64
    }
}
