//! Reads tables for `verify`, which decodes its own frames.
//!
//! A check must not depend on a cache that other code filled. So `verify` reads cells through this
//! module, which computes no values. Each thread decodes the frames that it needs, and caches some
//! of them.

use grundy_sweep::MemoryLimit;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use grundy_rules::{Game, Table};
use grundy_solvers::{Reading, StoreError, Stored, Tables, Wanted};

use crate::database::find;
use crate::{Database, StoredTable};

/// The limits of the frame cache of a thread, in slots and in bytes. A hash of the table and the
/// frame selects the slot.
const PLACES: usize = 1 << 10;
const MOST_BYTES: u64 = 64 << 20;

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::new(Kept { frames: vec![None; PLACES], bytes: 0 });
}

struct Kept {
    frames: Vec<Option<KeptFrame>>,
    bytes: usize,
}

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

    /// Caches a frame. Empties the cache first, if the cache would exceed `most` bytes.
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

pub(crate) struct UncachedTables<'a> {
    tables: Vec<Uncached<'a>>,
}

pub(crate) struct Uncached<'a> {
    stored: &'a StoredTable,
    /// A number that identifies this table and reader in this process.
    unique: u64,
    /// The maximum total length of the frames that a thread caches.
    most: u64,
}

impl UncachedTables<'_> {
    /// Returns the tables of a database; each thread caches frames within `memory`.
    pub(crate) fn of(database: &Database, memory: MemoryLimit) -> UncachedTables<'_> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let most = memory.at_most(MOST_BYTES).bytes();
        let unique = || NEXT.fetch_add(1, Ordering::Relaxed);
        let reader = |stored| Uncached { stored, unique: unique(), most };
        UncachedTables { tables: database.tables().iter().map(reader).collect() }
    }

    pub(crate) fn table(&self, at: usize) -> &Uncached<'_> {
        &self.tables[at]
    }
}

pub(crate) fn forget() {
    KEPT.with_borrow_mut(Kept::clear);
}

impl Tables for UncachedTables<'_> {
    fn find(&self, game: Game, length: usize, wanted: Wanted<'_>) -> Option<&dyn Stored> {
        find(&self.tables, game, length, wanted)
    }
}

impl Uncached<'_> {
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

    fn read(&self, bytes: &[u8], at: usize) -> u32 {
        let width = usize::from(self.stored.entry().value_bytes);
        if width == 0 {
            // The lowest bit of a byte comes first.
            return u32::from(bytes[at / 8] & 1 << (at % 8) != 0);
        }
        let cell = &bytes[at * width..(at + 1) * width];
        cell.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte))
    }

    fn cells_per_frame(&self) -> u64 {
        let table = self.stored.table();
        u64::from(self.stored.entry().tiles_per_frame) * table.tile_cells() as u64
    }
}

impl Stored for Uncached<'_> {
    fn table(&self) -> &Table {
        self.stored.table()
    }

    fn cell(&self, cell: u64) -> Reading<u32> {
        let per_frame = self.cells_per_frame();
        let within = (cell % per_frame) as usize;
        self.with_frame(cell / per_frame, |bytes| self.read(bytes, within))
    }

    fn cells(&self, first: u64, step: u64, count: usize, out: &mut Vec<u32>) -> Reading<()> {
        let per_frame = self.cells_per_frame();
        out.clear();
        let mut at = first;
        while out.len() < count {
            let missing = count - out.len();
            self.with_frame(at / per_frame, |bytes| {
                let (_, tiles) = self.stored.frame_tiles(at / per_frame);
                let cells = tiles as usize * self.stored.table().tile_cells();
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

    fn file_bytes(&self) -> u64 {
        self.stored.file_bytes()
    }

    fn frame_of(&self, tile: u64) -> u64 {
        self.stored.frame_of(tile)
    }

    fn frame(&self, frame: u64, out: &mut Vec<u8>) -> Reading<Range<u64>> {
        self.stored.decode(frame, out)?;
        let (first, tiles) = self.stored.frame_tiles(frame);
        if self.stored.table().has_bits() {
            let bits = std::mem::take(out);
            let cells = 0..tiles as usize * self.stored.table().tile_cells();
            out.extend(cells.map(|cell| self.read(&bits, cell) as u8));
        }
        Ok(first..first + tiles)
    }

    fn is_resident(&self) -> bool {
        false
    }

    fn is_asked_at_random(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use grundy_builder::Request;
    use grundy_rules::games::END_NIM;
    use grundy_testing::database::built;

    use super::*;

    /// The reader must return the same cells as look-ups, even if they span several frames.
    #[test]
    fn lines_of_cells_cross_frames() {
        let folder = built(Request { length: Some(3), ..Request::new(vec![END_NIM], 130) });
        let database = Database::open(folder.path()).unwrap();
        let reader = UncachedTables::of(&database, MemoryLimit::new(MOST_BYTES));
        let (stored, reader) = (&database.tables()[2], reader.table(2));
        // The table has 130 tiles of 130 x 130 values of two bytes. A frame of 64 KiB has one tile.
        assert_eq!((reader.table().to_string(), reader.frames()), ("end-nim/n130/k3".into(), 130));
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        for (first, step, count) in
            [(0, 1, 40_000), (16_899, 1, 2), (16_890, 7, 20_000), (129, 16_900, 130), (5, 130, 1)]
        {
            reader.cells(first, step, count, &mut found).unwrap();
            stored.cells(first, step, count, &mut expected).unwrap();
            assert_eq!(found.len(), count);
            assert!(found == expected, "{first} {step} {count}");
        }
        let mut bytes = Vec::new();
        for frame in [0, 1, 129] {
            assert_eq!(reader.frame(frame, &mut bytes).unwrap(), frame..frame + 1);
            assert_eq!(bytes.len(), 2 * 130 * 130);
        }
    }

    /// The cache never exceeds the given number of bytes. Older frames make room for new frames.
    #[test]
    fn a_thread_keeps_so_many_bytes() {
        let mut kept = Kept { frames: vec![None; PLACES], bytes: 0 };
        let frame = |table, frame, bytes: &[u8]| KeptFrame { table, frame, bytes: bytes.into() };
        kept.keep(frame(1, 7, &[1; 40]), 100);
        kept.keep(frame(2, 7, &[2; 60]), 100);
        assert_eq!(kept.bytes, 100);
        assert_eq!(kept.find(1, 7).as_deref(), Some(&[1; 40][..]));
        assert_eq!(kept.find(2, 7).as_deref(), Some(&[2; 60][..]));
        assert_eq!((kept.find(1, 8), kept.find(3, 7)), (None, None));
        // A frame in the same slot replaces the old one, whose bytes are freed.
        kept.keep(frame(1, 7, &[3; 0]), 100);
        assert_eq!((kept.bytes, kept.find(1, 7).as_deref()), (60, Some(&[][..])));
        kept.keep(frame(1, 9, &[4; 41]), 100);
        assert_eq!((kept.bytes, kept.find(2, 7)), (41, None));
        kept.clear();
        assert_eq!((kept.bytes, kept.find(1, 9)), (0, None));
    }
}
