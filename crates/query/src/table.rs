//! One stored table.
//!
//! Shards are opened at the first access. A frame is decoded as a whole (64 KiB, tens of
//! microseconds) and then cached in one of two ways. The way is chosen when the database is opened:
//!
//! * *resident*: all decoded frames stay in memory. A look-up is then a division and two loads. The
//!   smallest tables are resident, as many as fit into half of the memory limit.
//! * *recent*: a cache of [`RECENT_FRAMES`] frames, which prefers repeatedly used frames. All other
//!   tables use it. After 2 * [`RECENT_FRAMES`] decoded frames, access is probably random. Values
//!   are then computed from a resident table for one or two piles fewer, if there is such a table.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use grundy_kernels::cells::read_bits;
use grundy_rules::{Position, Table};
use grundy_shard::manifest::{TableEntry, hex};
use grundy_shard::{Decoder, Shard, ShardError, Source as _, ends};
use grundy_solvers::{Reading, Stored};
use quick_cache::sync::Cache;

use crate::location::{Location, ShardBytes, ShardRange};
use crate::{Difference, QueryError};

/// The number of decoded frames cached for a table that is not resident.
const RECENT_FRAMES: usize = 64;

/// The number of frames fetched together during a sequential read of a remote table.
const FRAMES_AHEAD: u64 = 512;

#[derive(Debug)]
pub struct StoredTable {
    table: Table,
    location: Arc<dyn Location>,
    entry: TableEntry,
    shards: Vec<OnceLock<Shard<ShardBytes>>>,
    /// The indices of runs of frames that were fetched together from a remote table.
    fetched: Mutex<BTreeSet<u64>>,
    frames: Frames,
}

type Slot = OnceLock<Arc<[u8]>>;

#[derive(Debug)]
enum Frames {
    /// One slot for each frame; the slots are allocated at the first look-up.
    Resident(OnceLock<Box<[Slot]>>),
    /// A cache of recent frames, and the number of frames decoded.
    Recent { frames: Cache<u64, Arc<[u8]>>, decoded: AtomicUsize },
}

thread_local! {
    static DECODER: RefCell<Decoder> = RefCell::new(Decoder::new());
}

impl StoredTable {
    /// Returns a table at a location. No shard is open yet.
    pub(crate) fn new(
        table: Table,
        location: Arc<dyn Location>,
        entry: TableEntry,
    ) -> Result<StoredTable, QueryError> {
        let width = if table.has_bits() { 0 } else { table.value_bytes() };
        let shape = (width, table.tile_rows(), table.tile_cols(), table.tiles());
        let listed = (
            usize::from(entry.value_bytes),
            entry.tile_rows as usize,
            entry.tile_cols as usize,
            entry.tiles,
        );
        // Later code divides by the numbers in this entry, and uses them as indices.
        if shape != listed || !entry.is_consistent() {
            return Err(QueryError::Entry {
                folder: location.path().to_owned(),
                table: table.to_string(),
            });
        }
        let shards = entry.shards.iter().map(|_| OnceLock::new()).collect();
        let frames =
            Frames::Recent { frames: Cache::new(RECENT_FRAMES), decoded: AtomicUsize::new(0) };
        let fetched = Mutex::default();
        Ok(StoredTable { table, location, entry, shards, fetched, frames })
    }

    pub(crate) fn make_resident(&mut self) {
        self.frames = Frames::Resident(OnceLock::new());
    }

    pub fn is_resident(&self) -> bool {
        matches!(self.frames, Frames::Resident(_))
    }

    pub fn table(&self) -> &Table {
        &self.table
    }

    pub fn entry(&self) -> &TableEntry {
        &self.entry
    }

    pub fn value_len(&self) -> u64 {
        self.entry.value_len()
    }

    pub fn shard_path(&self, shard: usize) -> PathBuf {
        self.location.shard_path(&self.table.to_string(), shard as u32)
    }

    pub fn frames(&self) -> u64 {
        self.entry.tiles.div_ceil(u64::from(self.entry.tiles_per_frame))
    }

    /// Returns the first tile and the number of tiles of a frame.
    pub fn frame_tiles(&self, frame: u64) -> (u64, u64) {
        let per_frame = u64::from(self.entry.tiles_per_frame);
        let first = frame * per_frame;
        (first, per_frame.min(self.entry.tiles - first))
    }

    pub(crate) fn shard_of_frame(&self, frame: u64) -> usize {
        (frame / self.frames_per_shard()) as usize
    }

    pub(crate) fn shard_frames(&self, shard: usize) -> Range<u64> {
        let first = shard as u64 * self.frames_per_shard();
        first..(first + self.frames_per_shard()).min(self.frames())
    }

    fn frames_per_shard(&self) -> u64 {
        self.entry.tiles_per_shard / u64::from(self.entry.tiles_per_frame)
    }

    /// Returns a shard; opens it if necessary, and compares it with the manifest.
    pub(crate) fn shard(&self, index: usize) -> Result<&Shard<ShardBytes>, QueryError> {
        let slot = &self.shards[index];
        if let Some(shard) = slot.get() {
            return Ok(shard);
        }
        let path = || self.shard_path(index);
        let bytes = (self.location)
            .shard(&self.table.to_string(), index as u32, &self.entry.shards[index])
            .map_err(|source| QueryError::Open { path: path(), source })?;
        let opened = match self.open_shard(index, bytes.clone()) {
            Err(QueryError::Damaged { .. } | QueryError::Foreign { .. }) if bytes.forget() => {
                self.open_shard(index, bytes)
            }
            opened => opened,
        };
        opened.map(|shard| slot.get_or_init(|| shard))
    }

    fn open_shard(&self, index: usize, bytes: ShardBytes) -> Result<Shard<ShardBytes>, QueryError> {
        let length = bytes.length();
        let shard = Shard::open(bytes).map_err(|source| self.damaged(index, source))?;
        let listed = &self.entry.shards[index];
        let description = shard.description();
        let table = self.table.to_string();
        let expected = self.entry.description(&table, index as u32, description.codec);
        let difference = if description.table != table {
            Some(Difference::Table)
        } else if *description != expected {
            Some(Difference::Place)
        } else if description.codec.name() != self.entry.codec {
            Some(Difference::Codec)
        } else if hex(shard.digest()) != listed.blake3 {
            Some(Difference::Digest)
        } else if length != listed.bytes {
            Some(Difference::Length)
        } else {
            None
        };
        match difference {
            Some(what) => Err(QueryError::Foreign { path: self.shard_path(index), what }),
            None => Ok(shard),
        }
    }

    /// Returns the error for a shard whose bytes are damaged or could not be transferred.
    pub(crate) fn damaged(&self, index: usize, source: ShardError) -> QueryError {
        match source {
            ShardError::Read(source) if self.location.is_remote() => QueryError::Fetch(source),
            source => QueryError::Damaged { path: self.shard_path(index), source },
        }
    }

    pub(crate) fn decode(&self, frame: u64, out: &mut Vec<u8>) -> Result<(), QueryError> {
        let index = self.shard_of_frame(frame);
        let shard = self.shard(index)?;
        let within = frame % self.frames_per_shard();
        out.resize(shard.description().frame_len(within), 0);
        DECODER
            .with_borrow_mut(|decoder| match shard.decode_frame(within, decoder, out) {
                // Forget damaged bytes and read again. Failed reads have already been retried.
                Err(error) if !matches!(error, ShardError::Read(_)) && shard.source().forget() => {
                    shard.decode_frame(within, decoder, out)
                }
                decoded => decoded,
            })
            .map_err(|source| self.damaged(index, source))
    }

    /// Returns the frame of a position, if the table has the position and the frame is not in
    /// memory.
    pub(crate) fn missing_frame(&self, position: &Position) -> Option<u64> {
        let number = self.table.number_of(self.table.locate(position)?);
        let frame = number / self.table.values_per_cell() / self.cells_per_frame();
        let is_there = match &self.frames {
            Frames::Resident(slots) => slots
                .get()
                .and_then(|slots| slots.get(frame as usize))
                .is_some_and(|slot| slot.get().is_some()),
            Frames::Recent { frames, .. } => frames.peek(&frame).is_some(),
        };
        (!is_there).then_some(frame)
    }

    /// Returns the ranges to read for opening a shard; an empty list if the shard is open.
    pub(crate) fn wanted_ends(&self, shard: usize) -> Vec<ShardRange> {
        if self.shards[shard].get().is_some() {
            return Vec::new();
        }
        let frames = self.shard_frames(shard);
        let ranges = ends(frames.end - frames.start, self.entry.shards[shard].bytes);
        ranges.map(|range| self.wanted(shard, range)).into()
    }

    pub(crate) fn wanted_frame(&self, frame: u64) -> Result<Option<ShardRange>, QueryError> {
        let shard = self.shard_of_frame(frame);
        let range = self.shard(shard)?.frame_range(frame % self.frames_per_shard());
        Ok(range.map(|range| self.wanted(shard, range)))
    }

    /// Prefetches the run of frames around a frame of a remote table, for a sequential read.
    fn fetch_run(&self, frame: u64) -> Result<(), QueryError> {
        if !self.location.is_remote() {
            return Ok(());
        }
        let run = frame / FRAMES_AHEAD;
        // Other readers of the same run wait at this lock.
        let mut fetched = self.fetched.lock().unwrap_or_else(PoisonError::into_inner);
        if !fetched.insert(run) {
            return Ok(());
        }
        let first = run * FRAMES_AHEAD;
        let frames = first..(first + FRAMES_AHEAD).min(self.frames());
        let shards = self.shard_of_frame(frames.start)..=self.shard_of_frame(frames.end - 1);
        let ends: Vec<ShardRange> = shards.flat_map(|shard| self.wanted_ends(shard)).collect();
        self.location.want(&ends).map_err(QueryError::Fetch)?;
        let wanted = frames.map(|frame| self.wanted_frame(frame));
        let wanted: Vec<ShardRange> =
            wanted.filter_map(Result::transpose).collect::<Result<_, _>>()?;
        self.location.want(&wanted).map_err(QueryError::Fetch)
    }

    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub(crate) fn fetch_shard(&self, shard: usize) -> Result<(), QueryError> {
        let all = self.wanted(shard, 0..self.entry.shards[shard].bytes);
        self.location.want(&[all]).map_err(QueryError::Fetch)
    }

    fn wanted(&self, shard: usize, range: Range<u64>) -> ShardRange {
        ShardRange { table: self.table.to_string(), shard: shard as u32, range }
    }

    /// Returns the decoded bytes of a frame; they stay in place as long as the `Arc` lives.
    pub fn shared_frame(&self, frame: u64) -> Result<Arc<[u8]>, QueryError> {
        self.with_frame(frame, Arc::clone)
    }

    fn with_frame<R>(
        &self,
        frame: u64,
        read: impl FnOnce(&Arc<[u8]>) -> R,
    ) -> Result<R, QueryError> {
        match &self.frames {
            Frames::Resident(slots) => {
                let slots = slots.get_or_init(|| (0..self.frames()).map(|_| Slot::new()).collect());
                let slot = &slots[frame as usize];
                if let Some(bytes) = slot.get() {
                    return Ok(read(bytes));
                }
                let mut bytes = Vec::new();
                self.decode(frame, &mut bytes)?;
                Ok(read(slot.get_or_init(|| bytes.into())))
            }
            Frames::Recent { frames: recent, decoded } => {
                if let Some(bytes) = recent.get(&frame) {
                    return Ok(read(&bytes));
                }
                decoded.fetch_add(1, Ordering::Relaxed);
                let mut bytes = Vec::new();
                self.decode(frame, &mut bytes)?;
                let bytes: Arc<[u8]> = bytes.into();
                recent.insert(frame, bytes.clone());
                Ok(read(&bytes))
            }
        }
    }

    fn value_at(&self, bytes: &[u8], cell: usize) -> u32 {
        match self.entry.value_bytes {
            0 => u32::from(bytes[cell / 8] >> (cell % 8) & 1),
            1 => u32::from(bytes[cell]),
            4 => {
                let four = &bytes[4 * cell..4 * cell + 4];
                u32::from_le_bytes([four[0], four[1], four[2], four[3]])
            }
            _ => u32::from(u16::from_le_bytes([bytes[2 * cell], bytes[2 * cell + 1]])),
        }
    }

    fn cells_per_frame(&self) -> u64 {
        u64::from(self.entry.tiles_per_frame) * self.table.tile_cells() as u64
    }
}

impl Stored for StoredTable {
    fn table(&self) -> &Table {
        &self.table
    }

    fn cell(&self, cell: u64) -> Reading<u32> {
        let per_frame = self.cells_per_frame();
        let within = (cell % per_frame) as usize;
        Ok(self.with_frame(cell / per_frame, |bytes| self.value_at(bytes, within))?)
    }

    fn cells(&self, first: u64, step: u64, count: usize, out: &mut Vec<u32>) -> Reading<()> {
        let per_frame = self.cells_per_frame();
        out.clear();
        let mut at = first;
        while out.len() < count {
            let missing = count - out.len();
            self.with_frame(at / per_frame, |bytes| {
                let here =
                    (per_frame.min(self.entry.cells() - at / per_frame * per_frame)) as usize;
                let here = ((at % per_frame) as usize..here).step_by(step as usize);
                out.extend(here.take(missing).map(|cell| self.value_at(bytes, cell)));
            })?;
            at = first + step * out.len() as u64;
        }
        Ok(())
    }

    fn frames(&self) -> u64 {
        StoredTable::frames(self)
    }

    fn file_bytes(&self) -> u64 {
        self.entry.bytes()
    }

    fn frame_of(&self, tile: u64) -> u64 {
        tile / u64::from(self.entry.tiles_per_frame)
    }

    fn frame(&self, frame: u64, out: &mut Vec<u8>) -> Reading<Range<u64>> {
        self.fetch_run(frame)?;
        let (first, tiles) = self.frame_tiles(frame);
        match self.table.has_bits() {
            false => self.decode(frame, out)?,
            true => {
                let mut bits = Vec::new();
                self.decode(frame, &mut bits)?;
                read_bits(&bits, (tiles * self.table.tile_cells() as u64) as usize, out);
            }
        }
        Ok(first..first + tiles)
    }

    fn is_resident(&self) -> bool {
        StoredTable::is_resident(self)
    }

    /// True if so many frames were decoded that look-ups are probably at random positions.
    fn is_asked_at_random(&self) -> bool {
        match &self.frames {
            Frames::Resident(_) => false,
            Frames::Recent { decoded, .. } => decoded.load(Ordering::Relaxed) >= 2 * RECENT_FRAMES,
        }
    }
}
