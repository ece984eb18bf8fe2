//! Short global nim with one pile: rows one after another, and checkpoints.
//!
//! A row depends on all before it, so one thread computes the rows in order, a shard at a time,
//! and the others compress and publish what it hands them. A run to 10^8 takes minutes, and what
//! a row needs of the past is much less than the rows: so the state is saved now and then, in a
//! *checkpoint*, and when the run is stopped. The next run goes on there if the shards before
//! it are on disk, whole and right.
//!
//! ```text
//! checkpoint   "GRUNDYCP" │ length of the rest │ BLAKE3 of the rest │ table's id │ values of
//!              the shard that was begun │ state of the kernel
//! ```
//!
//! It stands beside the shards as `checkpoint`, written as they are (whole, or not at all), and
//! is removed when the table is finished. Nobody but the builder reads it: it is no part of the
//! format, and another release may ignore it and compute from the beginning.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bytemuck::cast_slice;
use grundy_kernels::records::Records;
use grundy_rules::{Layout, MOST_EXCEPTIONS, Table};
use grundy_shard::manifest::ShardEntry;
use grundy_shard::publish::publish;

use crate::BuildError;
use crate::run::Job;

/// From one checkpoint to the next. The state of 10^8 rows is a gigabyte or two.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(30);
/// Name of a checkpoint in the folder of its table.
const CHECKPOINT_FILE: &str = "checkpoint";
const MAGIC: &[u8; 8] = b"GRUNDYCP";
/// Bytes of magic, length and digest.
const HEAD: usize = 8 + 8 + 32;

/// Shards of values that wait to be compressed.
const WAITING: usize = 1;

/// A shard's values, in records or one by one.
struct Filled {
    shard: u32,
    values: Vec<u32>,
}

/// A run of rows: the state, and the values of the shard that was begun.
struct Producer {
    heaps: Records,
    values: Vec<u32>,
}

impl Job<'_> {
    /// Builds the table of single piles; returns the entries of its shards, and how many of
    /// them an earlier run had left.
    pub(crate) fn build_heaps(&self) -> Result<(Vec<ShardEntry>, u32), BuildError> {
        let shards = self.geometry.shards();
        let mut producer = Producer::new(self.table);
        let mut published = Published { entries: vec![None; shards as usize], failed: None };
        let mut first = 0;
        if let Some((saved, begun)) = self.read_checkpoint() {
            let kept: Vec<_> = (0..begun).map_while(|shard| self.keep(shard)).collect();
            if kept.len() == begun as usize {
                self.run.control.advance(saved.values.len() as u64);
                producer = saved;
                first = begun;
                (0..).zip(kept).for_each(|(shard, entry)| published.note((shard, Ok(entry))));
            }
        }
        let (sender, receiver) = crossbeam_channel::bounded::<Filled>(WAITING);
        let (back, done) = crossbeam_channel::unbounded();
        std::thread::scope(|scope| {
            for _ in 0..self.threads.saturating_sub(1).max(1) {
                let (receiver, back) = (receiver.clone(), back.clone());
                scope.spawn(move || {
                    for Filled { shard, values } in receiver {
                        let entry = self.publish_values(shard, cast_slice(&values));
                        if back.send((shard, entry)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop((receiver, back));
            let mut last_checkpoint = Instant::now();
            let mut stopped = None;
            for shard in first..shards {
                let made = producer.fill(self, shard, |producer| {
                    done.try_iter().for_each(|found| published.note(found));
                    let due = last_checkpoint.elapsed() > CHECKPOINT_EVERY;
                    if due && published.has_all_before(shard) {
                        last_checkpoint = Instant::now();
                        self.write_checkpoint(producer, shard)?;
                    }
                    Ok(published.failed.is_none())
                })?;
                let sent = made.map(|values| sender.send(Filled { shard, values }).is_ok());
                if sent != Some(true) {
                    stopped = Some(shard);
                    break;
                }
            }
            // What was handed over is finished first.
            drop(sender);
            done.iter().for_each(|found| published.note(found));
            match (published.failed.take(), stopped) {
                (Some(error), _) => Err(error),
                (None, Some(shard)) => {
                    self.write_checkpoint(&producer, shard)?;
                    Err(BuildError::Stopped)
                }
                (None, None) => Ok(()),
            }
        })?;
        let path = self.checkpoint_path();
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(BuildError::Write { path, source });
            }
            _ => {}
        }
        let entries: Option<Vec<ShardEntry>> = published.entries.into_iter().collect();
        Ok((entries.ok_or(BuildError::Stopped)?, first))
    }

    fn checkpoint_path(&self) -> PathBuf {
        self.run.folder.join(self.id).join(CHECKPOINT_FILE)
    }

    /// Saves the state in the middle of a shard.
    fn write_checkpoint(&self, producer: &Producer, shard: u32) -> Result<(), BuildError> {
        let path = self.checkpoint_path();
        let bytes = producer.to_bytes(self.id, shard);
        bytes
            .and_then(|bytes| publish(&path, &bytes))
            .map_err(|source| BuildError::Write { path, source })
    }

    /// The run that a checkpoint keeps, and the shard that it had begun; `None` if there is no
    /// checkpoint, or it is of another table, or not whole.
    fn read_checkpoint(&self) -> Option<(Producer, u32)> {
        let bytes = fs::read(self.checkpoint_path()).ok()?;
        let (producer, shard) = Producer::from_bytes(self.id, &bytes)?;
        let cells = self.table.tile_cells() as u64;
        let rows = u64::from(producer.heaps.next() - 1);
        let begun = u64::from(shard) * self.geometry.tiles_per_shard();
        let sound = shard < self.geometry.shards()
            && rows.checked_sub(begun) == Some(producer.values.len() as u64 / cells);
        sound.then_some((producer, shard))
    }
}

/// The shards that are on disk, and the first failure to put one there.
struct Published {
    entries: Vec<Option<ShardEntry>>,
    failed: Option<BuildError>,
}

impl Published {
    fn note(&mut self, (shard, found): (u32, Result<ShardEntry, BuildError>)) {
        match found {
            Ok(entry) => self.entries[shard as usize] = Some(entry),
            Err(error) => self.failed = self.failed.take().or(Some(error)),
        }
    }

    /// Whether a checkpoint in this shard could be gone on from.
    fn has_all_before(&self, shard: u32) -> bool {
        self.entries[..shard as usize].iter().all(Option::is_some)
    }
}

/// Rows from one look at the clock and the stop signal to the next.
const STRIDE: usize = 1 << 14;

impl Producer {
    fn new(table: &Table) -> Producer {
        Producer { heaps: Records::new(table.max_pile()), values: Vec::new() }
    }

    /// Computes the rest of a shard and takes its values out; `None` if stopped.
    fn fill(
        &mut self,
        job: &Job<'_>,
        shard: u32,
        mut go_on: impl FnMut(&Producer) -> Result<bool, BuildError>,
    ) -> Result<Option<Vec<u32>>, BuildError> {
        let values_only = matches!(job.table.layout(), Layout::Heaps { values_only: true });
        let width = job.table.tile_cells();
        let wanted = job.geometry.description(shard).tiles as usize * width;
        self.values.reserve_exact(wanted.saturating_sub(self.values.len()));
        while self.values.len() < wanted {
            if job.run.control.is_stopped() || !go_on(self)? {
                return Ok(None);
            }
            let rows = STRIDE.min((wanted - self.values.len()) / width);
            for _ in 0..rows {
                let row = self.heaps.next_row();
                self.values.push(row.value);
                if values_only {
                    continue;
                }
                let count = row.exceptions.len();
                if count > MOST_EXCEPTIONS {
                    return Err(BuildError::TooManyExceptions { pile: row.pile, count });
                }
                self.values.push(count as u32);
                self.values.extend(row.exceptions.iter().map(|exception| exception.remaining));
                self.values.extend(std::iter::repeat_n(0, MOST_EXCEPTIONS - count));
            }
            job.run.control.advance((rows * width) as u64);
        }
        Ok(Some(std::mem::take(&mut self.values)))
    }

    fn to_bytes(&self, table: &str, shard: u32) -> io::Result<Vec<u8>> {
        // The state may be gigabytes: written once, and the head put in its place afterwards.
        let mut bytes = vec![0; HEAD];
        bytes.extend((table.len() as u32).to_le_bytes());
        bytes.extend(table.as_bytes());
        bytes.extend(shard.to_le_bytes());
        bytes.extend((self.values.len() as u64).to_le_bytes());
        bytes.extend(cast_slice::<u32, u8>(&self.values));
        self.heaps.save(&mut bytes)?;
        let length = (bytes.len() - HEAD) as u64;
        let digest = blake3::hash(&bytes[HEAD..]);
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..16].copy_from_slice(&length.to_le_bytes());
        bytes[16..HEAD].copy_from_slice(digest.as_bytes());
        Ok(bytes)
    }

    fn from_bytes(table: &str, bytes: &[u8]) -> Option<(Producer, u32)> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (length, rest) = rest.split_first_chunk()?;
        let (digest, rest) = rest.split_first_chunk::<32>()?;
        let whole = u64::from_le_bytes(*length) == rest.len() as u64
            && blake3::hash(rest) == blake3::Hash::from_bytes(*digest);
        let (length, rest) = rest.split_first_chunk()?;
        let (id, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        if !whole || id != table.as_bytes() {
            return None;
        }
        let (shard, rest) = rest.split_first_chunk()?;
        let (count, rest) = rest.split_first_chunk()?;
        let count = usize::try_from(u64::from_le_bytes(*count)).ok()?.checked_mul(4)?;
        let (values, mut rest) = rest.split_at_checked(count)?;
        let values = bytemuck::pod_collect_to_vec(values);
        let heaps = Records::load(&mut rest).ok()?;
        Some((Producer { heaps, values }, u32::from_le_bytes(*shard)))
    }
}
