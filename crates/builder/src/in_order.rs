//! Builds tables whose tiles must be computed in order, with checkpoints.
//!
//! Each tile depends on all tiles before it. So one thread computes the tiles, shard after shard,
//! and the other threads compress and publish the finished shards. A run to 10^8 records takes
//! minutes. So the builder saves the kernel's state in a *checkpoint*, at intervals and when the
//! run is stopped. The next run continues from the checkpoint if all earlier shards are on disk and
//! valid.
//!
//! ```text
//! checkpoint   "GRUNDYCP" │ length of the rest │ BLAKE3 of the rest │ table's id │
//!              number, count and values of the unfinished shard │ state of the kernel
//! ```
//!
//! The builder publishes the file `checkpoint` atomically beside the shards, and removes it when
//! the table is finished. No other program reads it. It is not part of the format, so another
//! release may ignore it and start over.

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use grundy_shard::manifest::ShardEntry;
use grundy_shard::publish::publish_on;
use grundy_solvers::InOrder;

use crate::error::BuildError;
use crate::job::TableJob;
use crate::run::CHECKPOINT_FILE;

/// Time between checkpoints. A checkpoint after 10^8 rows takes one or two gigabytes.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(30);
const MAGIC: &[u8; 8] = b"GRUNDYCP";
const HEAD: usize = 8 + 8 + 32;

const WAITING: usize = 1;

struct Filled {
    shard: u32,
    values: Vec<u8>,
}

/// The kernel's state, and the values of the current shard computed so far.
struct Producer {
    run: Box<dyn InOrder>,
    values: Vec<u8>,
}

impl TableJob<'_> {
    /// Builds the table from its beginning or from a checkpoint. Returns the entries of its shards,
    /// and the number of shards that an earlier run had built.
    pub(crate) fn build_in_order(
        &self,
        run: Box<dyn InOrder>,
    ) -> Result<(Vec<ShardEntry>, u32), BuildError> {
        let shards = self.geometry.shards();
        let mut producer = Producer { run, values: Vec::new() };
        let mut published = Published { entries: vec![None; shards as usize], failed: None };
        let mut first = 0;
        if let Some(saved) = self.read_checkpoint() {
            let begun = saved.shard;
            let kept: Vec<_> = (0..begun).map_while(|shard| self.keep(shard)).collect();
            if kept.len() == begun as usize && self.take_up(&mut producer, saved) {
                self.run.control.advance(producer.values.len() as u64 / self.cell_bytes());
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
                        let entry = self.publish_values(shard, &values);
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
            // Wait until the workers have finished the shards in the queue.
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
        self.run.remove_checkpoint(self.id)?;
        let entries: Option<Vec<ShardEntry>> = published.entries.into_iter().collect();
        Ok((entries.ok_or(BuildError::Stopped)?, first))
    }

    fn checkpoint_path(&self) -> PathBuf {
        self.run.folder.join(self.id).join(CHECKPOINT_FILE)
    }

    fn write_checkpoint(&self, producer: &Producer, shard: u32) -> Result<(), BuildError> {
        let path = self.checkpoint_path();
        let bytes = producer.to_bytes(self.id, shard, self.cell_bytes());
        bytes
            .and_then(|bytes| publish_on(self.run.disk, &path, &bytes))
            .map_err(|source| BuildError::Write { path, source })
    }

    fn read_checkpoint(&self) -> Option<Saved> {
        // A valid checkpoint has a state within the memory limit, and values for at most one shard.
        let values = self.geometry.shard_bytes().saturating_add(1 << 20);
        let most = self.run.memory.bytes().saturating_add(values);
        Saved::from_bytes(self.id, &self.run.disk.read(&self.checkpoint_path(), most).ok()?)
    }

    fn cell_bytes(&self) -> u64 {
        self.table.value_bytes() as u64
    }

    /// Continues from a checkpoint if it belongs to this table and has the right number of values.
    fn take_up(&self, producer: &mut Producer, saved: Saved) -> bool {
        let mut run = match self.maker.in_order(self.table) {
            Some(run) if saved.shard < self.geometry.shards() => run,
            _ => return false,
        };
        let tile_bytes = self.table.tile_cells() as u64 * self.cell_bytes();
        let begun = u64::from(saved.shard) * self.geometry.tiles_per_shard();
        let sound = run.load(&saved.state)
            && run.done().checked_sub(begun) == Some(saved.values.len() as u64 / tile_bytes);
        if sound {
            *producer = Producer { run, values: saved.values };
        }
        sound
    }
}

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

    /// True if all earlier shards are valid. Only then can a run continue in this shard.
    fn has_all_before(&self, shard: u32) -> bool {
        self.entries[..shard as usize].iter().all(Option::is_some)
    }
}

/// The number of tiles to fill before the next check of the clock and of the stop signal.
const STRIDE: u64 = 1 << 14;

impl Producer {
    /// Computes the rest of a shard. Returns all bytes of the shard, or `None` if stopped.
    fn fill(
        &mut self,
        job: &TableJob<'_>,
        shard: u32,
        mut go_on: impl FnMut(&Producer) -> Result<bool, BuildError>,
    ) -> Result<Option<Vec<u8>>, BuildError> {
        let tile_cells = job.table.tile_cells() as u64;
        let tile_bytes = (tile_cells * job.cell_bytes()) as usize;
        let wanted = job.geometry.description(shard).tiles as usize * tile_bytes;
        self.values.reserve_exact(wanted.saturating_sub(self.values.len()));
        while self.values.len() < wanted {
            if job.run.control.is_stopped() || !go_on(self)? {
                return Ok(None);
            }
            let tiles = STRIDE.min(((wanted - self.values.len()) / tile_bytes) as u64);
            self.run
                .next(tiles, &mut self.values)
                .map_err(|source| BuildError::of_fill(job.id.to_owned(), source))?;
            job.run.control.advance(tiles * tile_cells);
        }
        Ok(Some(std::mem::take(&mut self.values)))
    }

    fn to_bytes(&self, table: &str, shard: u32, cell_bytes: u64) -> io::Result<Vec<u8>> {
        // Append the large state without a copy, and fill in the head at the end.
        let mut bytes = vec![0; HEAD];
        bytes.extend((table.len() as u32).to_le_bytes());
        bytes.extend(table.as_bytes());
        bytes.extend(shard.to_le_bytes());
        bytes.extend((self.values.len() as u64 / cell_bytes).to_le_bytes());
        bytes.extend(&self.values);
        self.run.save(&mut bytes)?;
        let length = (bytes.len() - HEAD) as u64;
        let digest = blake3::hash(&bytes[HEAD..]);
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..16].copy_from_slice(&length.to_le_bytes());
        bytes[16..HEAD].copy_from_slice(digest.as_bytes());
        Ok(bytes)
    }
}

struct Saved {
    /// The index of the unfinished shard; `values` holds its values so far.
    shard: u32,
    values: Vec<u8>,
    state: Vec<u8>,
}

impl Saved {
    fn from_bytes(table: &str, bytes: &[u8]) -> Option<Saved> {
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
        let width = table.parse::<grundy_rules::Table>().ok()?.value_bytes();
        let count = usize::try_from(u64::from_le_bytes(*count)).ok()?.checked_mul(width)?;
        let (values, state) = rest.split_at_checked(count)?;
        let shard = u32::from_le_bytes(*shard);
        Some(Saved { shard, values: values.to_vec(), state: state.to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_kernels::Isa;
    use grundy_rules::{Table, games::SHORT_GLOBAL_NIM};
    use grundy_solvers::{Job, solver};

    fn checkpoint() -> (Vec<u8>, String) {
        let table = Table::new(SHORT_GLOBAL_NIM, 300, 1).unwrap();
        let job = Job { game: SHORT_GLOBAL_NIM, max_pile: 300, isa: Isa::Portable };
        let maker = solver(SHORT_GLOBAL_NIM).maker(job);
        let mut producer = Producer { run: maker.in_order(&table).unwrap(), values: Vec::new() };
        producer.run.next(3, &mut producer.values).unwrap();
        let bytes = producer.to_bytes(&table.to_string(), 0, table.value_bytes() as u64).unwrap();
        (bytes, table.to_string())
    }

    #[test]
    fn no_flipped_bit_of_a_checkpoint_is_accepted() {
        let (bytes, table) = checkpoint();
        assert!(Saved::from_bytes(&table, &bytes).is_some());
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(Saved::from_bytes(&table, &flipped).is_none(), "bit {bit}");
        }
        for length in 0..bytes.len() {
            assert!(Saved::from_bytes(&table, &bytes[..length]).is_none(), "{length} bytes");
        }
        assert!(Saved::from_bytes(&table, &[&bytes[..], &[0]].concat()).is_none());
        assert!(Saved::from_bytes("short-global-nim/n301/k1", &bytes).is_none());
        println!("checkpoint of a build: {} flips", 8 * bytes.len());
    }
}
