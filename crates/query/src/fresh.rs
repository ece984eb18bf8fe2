//! The reading path of `verify`: frames decoded for it alone.
//!
//! What is checked must not come out of a cache that something else filled, nor from the choice
//! of tables by which look-ups are answered. So verify reads cells through this: each thread
//! decodes the frames it needs and keeps some. Nothing is computed here.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use grundy_rules::{Game, Table};
use grundy_solvers::{StoreError, Stored, Tables};

use crate::{Database, StoredTable};

/// Places for the frames that a thread keeps, by a hash of table and number, and the bytes they
/// may take together at most: enough for what the options of one piece look at.
const PLACES: usize = 1 << 10;
const MOST_BYTES: u64 = 64 << 20;

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::new(Kept { frames: vec![None; PLACES], bytes: 0 });
}

struct Kept {
    frames: Vec<Option<KeptFrame>>,
    bytes: usize,
}

/// A frame in memory: which table of which reader it is of, its number, its bytes.
#[derive(Clone)]
struct KeptFrame {
    table: u64,
    frame: u64,
    bytes: Rc<[u8]>,
}

impl Kept {
    fn place(table: u64, frame: u64) -> usize {
        let mixed = (table ^ frame.rotate_left(40)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 54) as usize
    }

    fn find(&self, table: u64, frame: u64) -> Option<Rc<[u8]>> {
        let kept = self.frames[Kept::place(table, frame)].as_ref()?;
        (kept.table == table && kept.frame == frame).then(|| kept.bytes.clone())
    }

    /// Keeps a frame, and `most` bytes of frames in all.
    fn keep(&mut self, kept: KeptFrame, most: u64) {
        if (self.bytes + kept.bytes.len()) as u64 > most {
            self.clear();
        }
        self.bytes += kept.bytes.len();
        let place = Kept::place(kept.table, kept.frame);
        if let Some(before) = self.frames[place].replace(kept) {
            self.bytes -= before.bytes.len();
        }
    }

    fn clear(&mut self) {
        self.frames.fill(None);
        self.bytes = 0;
    }
}

/// All tables of a database, read afresh.
pub(crate) struct FreshTables<'a> {
    tables: Vec<Fresh<'a>>,
}

/// One of them.
pub(crate) struct Fresh<'a> {
    stored: &'a StoredTable,
    /// A number that no other table of any reader of this process has.
    unique: u64,
    /// Bytes of frames that a thread keeps.
    most: u64,
}

impl FreshTables<'_> {
    /// The tables of a database; each thread keeps `memory` bytes of frames at most.
    pub(crate) fn of(database: &Database, memory: u64) -> FreshTables<'_> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let most = memory.min(MOST_BYTES);
        let fresh = |stored| Fresh { stored, unique: NEXT.fetch_add(1, Ordering::Relaxed), most };
        FreshTables { tables: database.tables().iter().map(fresh).collect() }
    }

    /// A table by its place in the database.
    pub(crate) fn table(&self, at: usize) -> &Fresh<'_> {
        &self.tables[at]
    }
}

/// Forgets what the thread keeps, and gives its memory back.
pub(crate) fn forget() {
    KEPT.with_borrow_mut(Kept::clear);
}

impl Tables for FreshTables<'_> {
    fn find(
        &self,
        game: Game,
        length: usize,
        wanted: &dyn Fn(&dyn Stored) -> bool,
    ) -> Option<&dyn Stored> {
        let of = |fresh: &&Fresh<'_>| {
            let table = fresh.stored.table();
            table.game() == game && table.length() == length
        };
        self.tables.iter().filter(of).map(|fresh| fresh as &dyn Stored).find(|f| wanted(*f))
    }
}

impl Fresh<'_> {
    /// Runs `read` on the bytes of a frame.
    fn with_frame<R>(&self, frame: u64, read: impl FnOnce(&[u8]) -> R) -> Result<R, StoreError> {
        let table = self.unique;
        if let Some(bytes) = KEPT.with_borrow(|kept| kept.find(table, frame)) {
            return Ok(read(&bytes));
        }
        let mut bytes = Vec::new();
        self.stored.decode(frame, &mut bytes)?;
        let bytes: Rc<[u8]> = bytes.into();
        let kept = KeptFrame { table, frame, bytes: bytes.clone() };
        KEPT.with_borrow_mut(|all| all.keep(kept, self.most));
        Ok(read(&bytes))
    }

    /// The cell at a place in a frame.
    fn read(&self, bytes: &[u8], at: usize) -> u32 {
        let width = self.stored.table().value_bytes();
        let cell = &bytes[at * width..(at + 1) * width];
        cell.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte))
    }

    fn cells_per_frame(&self) -> u64 {
        let table = self.stored.table();
        u64::from(self.stored.entry().tiles_per_frame) * table.tile_cells() as u64
    }
}

impl Stored for Fresh<'_> {
    fn table(&self) -> &Table {
        self.stored.table()
    }

    fn cell(&self, cell: u64) -> Result<u32, StoreError> {
        let per_frame = self.cells_per_frame();
        let within = (cell % per_frame) as usize;
        self.with_frame(cell / per_frame, |bytes| self.read(bytes, within))
    }

    fn cells(
        &self,
        first: u64,
        step: u64,
        count: usize,
        out: &mut Vec<u32>,
    ) -> Result<(), StoreError> {
        let per_frame = self.cells_per_frame();
        out.clear();
        let mut at = first;
        while out.len() < count {
            let missing = count - out.len();
            self.with_frame(at / per_frame, |bytes| {
                let cells = bytes.len() / self.stored.table().value_bytes();
                let here = ((at % per_frame) as usize..cells).step_by(step as usize);
                out.extend(here.take(missing).map(|cell| self.read(bytes, cell)));
            })?;
            at = first + step * out.len() as u64;
        }
        Ok(())
    }

    fn frames(&self) -> u64 {
        self.stored.frames()
    }

    fn frame(&self, frame: u64, out: &mut Vec<u8>) -> Result<Range<u64>, StoreError> {
        self.stored.decode(frame, out)?;
        let (first, tiles) = self.stored.frame_tiles(frame);
        Ok(first..first + tiles)
    }

    fn is_resident(&self) -> bool {
        false
    }

    fn is_asked_at_random(&self) -> bool {
        false
    }
}
