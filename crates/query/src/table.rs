//! One stored table.
//!
//! Shards are mapped when first touched. A frame is decoded whole (64 KiB, tens of
//! microseconds) and then kept, in one of two ways, decided when the database is opened:
//!
//! * *resident*: every frame that was ever needed stays. A lookup is then a division and
//!   two loads. For the tables that fit, smallest first, into half of the memory limit.
//! * *recent*: the last [`RECENT_FRAMES`] frames stay. For all others. When twice as many
//!   had to be decoded, the table is being asked at random, and if a resident table one or
//!   two piles shorter is there, values are computed from that one instead.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use grundy_rules::set_rows::{cell_value, cell_values};
use grundy_rules::table::SETS_PER_CELL;
use grundy_rules::{Layout, Pile, Table};
use grundy_shard::manifest::{TableEntry, hex, shard_path};
use grundy_shard::{Decoder, Shard};

use crate::QueryError;
use crate::map::Map;

/// Decoded frames that a table keeps when it is too large to keep all.
const RECENT_FRAMES: usize = 64;

/// A table that the manifest lists.
#[derive(Debug)]
pub struct StoredTable {
    table: Table,
    folder: PathBuf,
    entry: TableEntry,
    shards: Vec<OnceLock<Shard<Map>>>,
    frames: Frames,
}

/// A decoded frame that, once there, stays.
type Slot = OnceLock<Box<[u8]>>;

#[derive(Debug)]
enum Frames {
    /// One slot a frame; the slots themselves are made at the first lookup.
    Resident(OnceLock<Box<[Slot]>>),
    /// The most recent last.
    Recent { frames: Mutex<VecDeque<(u64, Arc<[u8]>)>>, decoded: AtomicUsize },
}

thread_local! {
    static DECODER: RefCell<Decoder> = RefCell::new(Decoder::new());
}

impl StoredTable {
    /// A table of the database in `folder`, nothing opened yet.
    ///
    /// # Errors
    /// [`QueryError::Entry`] if the entry is not one of this table.
    pub(crate) fn new(
        table: Table,
        folder: &Path,
        entry: TableEntry,
    ) -> Result<StoredTable, QueryError> {
        let shape = (table.value_bytes(), table.tile_rows(), table.tile_cols(), table.tiles());
        let listed = (
            usize::from(entry.value_bytes),
            entry.tile_rows as usize,
            entry.tile_cols as usize,
            entry.tiles,
        );
        // Everything below divides by and indexes with what the entry says.
        if shape != listed || !entry.is_consistent() {
            return Err(QueryError::Entry { folder: folder.to_owned(), table: table.to_string() });
        }
        let shards = entry.shards.iter().map(|_| OnceLock::new()).collect();
        let frames = Frames::Recent { frames: Mutex::default(), decoded: AtomicUsize::new(0) };
        Ok(StoredTable { table, folder: folder.to_owned(), entry, shards, frames })
    }

    /// Decides that every decoded frame stays in memory.
    pub(crate) fn make_resident(&mut self) {
        self.frames = Frames::Resident(OnceLock::new());
    }

    /// Whether decoded frames stay in memory.
    pub fn is_resident(&self) -> bool {
        matches!(self.frames, Frames::Resident(_))
    }

    /// Whether it is not resident and has decoded so many frames that lookups must be
    /// jumping about in it, so that a lookup most often pays for a whole frame.
    pub(crate) fn is_asked_at_random(&self) -> bool {
        match &self.frames {
            Frames::Resident(_) => false,
            Frames::Recent { decoded, .. } => decoded.load(Ordering::Relaxed) >= 2 * RECENT_FRAMES,
        }
    }

    /// Which table it is.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// What the manifest says of it.
    pub fn entry(&self) -> &TableEntry {
        &self.entry
    }

    /// Bytes of its values, uncompressed.
    pub fn value_len(&self) -> u64 {
        self.entry.cells() * u64::from(self.entry.value_bytes)
    }

    /// The file of a shard.
    pub fn shard_path(&self, shard: usize) -> PathBuf {
        self.folder.join(shard_path(&self.table.to_string(), shard as u32))
    }

    /// The number of frames of all shards.
    pub fn frames(&self) -> u64 {
        self.entry.tiles.div_ceil(u64::from(self.entry.tiles_per_frame))
    }

    /// The first tile and the number of tiles of a frame.
    pub(crate) fn frame_tiles(&self, frame: u64) -> (u64, u64) {
        let per_frame = u64::from(self.entry.tiles_per_frame);
        let first = frame * per_frame;
        (first, per_frame.min(self.entry.tiles - first))
    }

    /// The shard that holds a frame.
    pub(crate) fn shard_of_frame(&self, frame: u64) -> usize {
        (frame / self.frames_per_shard()) as usize
    }

    /// The frames of a shard.
    pub(crate) fn shard_frames(&self, shard: usize) -> Range<u64> {
        let first = shard as u64 * self.frames_per_shard();
        first..(first + self.frames_per_shard()).min(self.frames())
    }

    fn frames_per_shard(&self) -> u64 {
        self.entry.tiles_per_shard / u64::from(self.entry.tiles_per_frame)
    }

    /// A shard, opened if it is not yet, and held against the manifest.
    pub(crate) fn shard(&self, index: usize) -> Result<&Shard<Map>, QueryError> {
        let slot = &self.shards[index];
        if let Some(shard) = slot.get() {
            return Ok(shard);
        }
        let path = self.shard_path(index);
        let map =
            Map::open(&path).map_err(|source| QueryError::Open { path: path.clone(), source })?;
        let length = map.as_ref().len() as u64;
        let shard = Shard::open(map)
            .map_err(|source| QueryError::Damaged { path: path.clone(), source })?;
        let listed = &self.entry.shards[index];
        let description = shard.description();
        let same_shape = (description.value_bytes, description.tile_rows, description.tile_cols)
            == (self.entry.value_bytes, self.entry.tile_rows, self.entry.tile_cols)
            && description.tiles_per_frame == self.entry.tiles_per_frame
            && description.first_tile == index as u64 * self.entry.tiles_per_shard
            && description.tiles
                == self.entry.tiles_per_shard.min(self.entry.tiles - description.first_tile);
        let difference = if description.table != self.table.to_string() {
            Some("table")
        } else if description.shard as usize != index || !same_shape {
            Some("place in the table")
        } else if hex(shard.digest()) != listed.blake3 {
            Some("digest")
        } else if length != listed.bytes {
            Some("length")
        } else {
            None
        };
        match difference {
            Some(what) => Err(QueryError::Foreign { path, what }),
            None => Ok(slot.get_or_init(|| shard)),
        }
    }

    /// Decodes a frame into `out`, which is resized to fit.
    pub(crate) fn decode(&self, frame: u64, out: &mut Vec<u8>) -> Result<(), QueryError> {
        let index = self.shard_of_frame(frame);
        let shard = self.shard(index)?;
        let within = frame % self.frames_per_shard();
        out.resize(shard.description().frame_len(within), 0);
        DECODER
            .with_borrow_mut(|decoder| shard.decode_frame(within, decoder, out))
            .map_err(|source| QueryError::Damaged { path: self.shard_path(index), source })
    }

    /// Runs `read` on the bytes of a frame.
    fn with_frame<R>(&self, frame: u64, read: impl FnOnce(&[u8]) -> R) -> Result<R, QueryError> {
        match &self.frames {
            Frames::Resident(slots) => {
                let slots = slots.get_or_init(|| (0..self.frames()).map(|_| Slot::new()).collect());
                let slot = &slots[frame as usize];
                if let Some(bytes) = slot.get() {
                    return Ok(read(bytes));
                }
                let mut bytes = Vec::new();
                self.decode(frame, &mut bytes)?;
                Ok(read(slot.get_or_init(|| bytes.into_boxed_slice())))
            }
            Frames::Recent { frames: recent, decoded } => {
                let lock = || recent.lock().unwrap_or_else(PoisonError::into_inner);
                let found =
                    lock().iter().find(|(at, _)| *at == frame).map(|(_, bytes)| bytes.clone());
                if let Some(bytes) = found {
                    return Ok(read(&bytes));
                }
                decoded.fetch_add(1, Ordering::Relaxed);
                let mut bytes = Vec::new();
                self.decode(frame, &mut bytes)?;
                let bytes: Arc<[u8]> = bytes.into();
                let mut recent = lock();
                if recent.len() == RECENT_FRAMES {
                    recent.pop_front();
                }
                recent.push_back((frame, bytes.clone()));
                drop(recent);
                Ok(read(&bytes))
            }
        }
    }

    /// Shows all values of the table in order, a frame at a time, as the offset of the first one
    /// and the values, until `show` says no.
    ///
    /// # Errors
    /// [`QueryError`] at the first damaged frame.
    pub fn each_frame(&self, mut show: impl FnMut(u64, &[u32]) -> bool) -> Result<(), QueryError> {
        let (mut bytes, mut values) = (Vec::new(), Vec::new());
        let mut offset = 0;
        for frame in 0..self.frames() {
            self.decode(frame, &mut bytes)?;
            values.clear();
            self.append_values(&bytes, &mut values);
            if !show(offset, &values) {
                return Ok(());
            }
            offset += values.len() as u64;
        }
        Ok(())
    }

    /// All values of the table, in order.
    ///
    /// # Errors
    /// [`QueryError`] at the first damaged frame.
    pub fn values(&self) -> Result<Vec<u32>, QueryError> {
        // Not reserved: the manifest alone says how many there are.
        let mut all = Vec::new();
        self.each_frame(|_, values| {
            all.extend_from_slice(values);
            true
        })?;
        Ok(all)
    }

    /// Appends the values that stand in `bytes`.
    pub(crate) fn append_values(&self, bytes: &[u8], values: &mut Vec<u32>) {
        match self.entry.value_bytes {
            1 => values.extend(bytes.iter().map(|&value| u32::from(value))),
            4 => values.extend(
                bytes
                    .chunks_exact(4)
                    .map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])),
            ),
            _ => values.extend(
                bytes.chunks_exact(2).map(|pair| u32::from(u16::from_le_bytes([pair[0], pair[1]]))),
            ),
        }
    }

    fn value_at(&self, bytes: &[u8], cell: usize) -> u32 {
        match self.entry.value_bytes {
            1 => u32::from(bytes[cell]),
            4 => {
                let four = &bytes[4 * cell..4 * cell + 4];
                u32::from_le_bytes([four[0], four[1], four[2], four[3]])
            }
            _ => u32::from(u16::from_le_bytes([bytes[2 * cell], bytes[2 * cell + 1]])),
        }
    }

    /// The value of a position that the table holds; `None` if it does not.
    pub(crate) fn value(&self, piles: &[Pile]) -> Result<Option<u32>, QueryError> {
        let Some(place) = self.table.locate(piles) else { return Ok(None) };
        let (frame, start) = self.frame_of(place.tile);
        let cell = start + place.row * self.table.tile_cols() + place.col;
        self.with_frame(frame, |bytes| Some(self.value_at(bytes, cell)))
    }

    /// The value of a position that the table holds for a last move: short global nim of
    /// several piles.
    pub(crate) fn value_after(&self, piles: &[Pile], last_move: Pile) -> Result<u32, QueryError> {
        let Some(place) = self.table.locate_after(piles, last_move) else { return Ok(0) };
        let (frame, start) = self.frame_of(place.tile);
        self.with_frame(frame, |bytes| self.value_at(bytes, start + place.col))
    }

    /// The value of a position of long global nim that the table holds, by the mask of its set;
    /// `None` if it does not.
    pub(crate) fn set_value(&self, piles: &[Pile], set: u64) -> Result<Option<u32>, QueryError> {
        let Some((cell, within)) = self.table.locate_set(piles, set) else { return Ok(None) };
        let (frame, start) = self.frame_of(cell);
        let one_pile = matches!(self.table.layout(), Layout::Sets);
        self.with_frame(frame, |bytes| {
            let found = self.value_at(bytes, start);
            Some(if one_pile { u32::from(cell_value(found, within)) } else { found })
        })
    }

    /// The values of `count` sets of a pile, from an index on, in a table of long global nim
    /// with one pile that holds them.
    pub(crate) fn sets(&self, pile: Pile, first: u64, count: usize) -> Result<Vec<u8>, QueryError> {
        let number = (1 << pile) + first;
        let end = number + count as u64;
        let mut values = Vec::with_capacity(count);
        let mut cell = number / SETS_PER_CELL;
        while cell * SETS_PER_CELL < end {
            let (frame, start) = self.frame_of(cell);
            cell += self.with_frame(frame, |bytes| {
                let cells =
                    (bytes.len() / 4 - start).min((end.div_ceil(SETS_PER_CELL) - cell) as usize);
                for at in 0..cells {
                    let first = (cell + at as u64) * SETS_PER_CELL;
                    let from = number.saturating_sub(first).min(SETS_PER_CELL) as usize;
                    let to = (end - first).min(SETS_PER_CELL) as usize;
                    values.extend_from_slice(
                        &cell_values(self.value_at(bytes, start + at))[from..to],
                    );
                }
                cells as u64
            })?;
        }
        Ok(values)
    }

    /// g(n) from the record of a single pile that the table holds, and whether `left` is
    /// among the m = n - k of its exceptional last moves k. There are none if only g(n) is
    /// stored.
    pub(crate) fn read_record(
        &self,
        pile: Pile,
        left: Option<Pile>,
    ) -> Result<(u32, bool), QueryError> {
        let (frame, start) = self.frame_of(u64::from(pile) - 1);
        let columns = self.table.tile_cols();
        self.with_frame(frame, |bytes| {
            let at = |column: usize| self.value_at(bytes, start + column);
            let count = if columns > 1 { (at(1) as usize).min(columns - 2) } else { 0 };
            (at(0), left.is_some_and(|left| (0..count).any(|place| at(2 + place) == left)))
        })
    }

    /// The frame of a tile, and the tile's first cell in it.
    fn frame_of(&self, tile: u64) -> (u64, usize) {
        let per_frame = u64::from(self.entry.tiles_per_frame);
        (tile / per_frame, (tile % per_frame) as usize * self.table.tile_cells())
    }

    /// The values of a position that the table holds with its last pile lowered:
    /// G(a₁ ... b) for b = 1, ..., up to what is there. Written into `out`.
    pub(crate) fn last_lowered(
        &self,
        piles: &[Pile],
        out: &mut Vec<u32>,
    ) -> Result<(), QueryError> {
        self.line(piles, true, out)
    }

    /// The same with the first pile lowered.
    pub(crate) fn first_lowered(
        &self,
        piles: &[Pile],
        out: &mut Vec<u32>,
    ) -> Result<(), QueryError> {
        self.line(piles, false, out)
    }

    /// A line of the tile of a position, from its border to the position: the row if the
    /// last pile is lowered, the column if the first is, and the other way round if the
    /// tile is stored for the reversed middle.
    fn line(&self, piles: &[Pile], lower_last: bool, out: &mut Vec<u32>) -> Result<(), QueryError> {
        out.clear();
        let Some(place) = self.table.locate(piles) else { return Ok(()) };
        let (frame, start) = self.frame_of(place.tile);
        let lowered = if lower_last { piles.last() } else { piles.first() };
        let count = lowered.map_or(0, |&pile| pile as usize);
        // The one row of a table of length 1 is lowered along the row either way.
        let along_row = lower_last != place.reversed || self.table.length() == 1;
        let n = self.table.tile_cols();
        let (first, step) = if along_row { (place.row * n, 1) } else { (place.col, n) };
        self.with_frame(frame, |bytes| {
            out.extend((0..count).map(|at| self.value_at(bytes, start + first + at * step)));
        })
    }
}
