//! Builds a table. Workers compute and compress its shards, and one writer publishes them.

use std::ops::Range;

use crossbeam_channel::{Receiver, Sender};
use grundy_shard::manifest::{ShardEntry, hex, shard_path};
use grundy_shard::publish::publish_on;
use grundy_shard::{EncodedShard, Encoder, ShardError};
use grundy_solvers::{Maker, Worker};
use grundy_sweep::try_fold_units;

use crate::error::BuildError;
use crate::geometry::ZSTD_LEVEL;
use crate::plan::TablePlan;
use crate::run::Run;

const WAITING_SHARDS: usize = 1;

pub(crate) struct TableJob<'a> {
    pub(crate) run: &'a Run<'a>,
    pub(crate) id: &'a str,
    pub(crate) planned: &'a TablePlan,
    pub(crate) maker: &'a dyn Maker,
    pub(crate) threads: usize,
}

enum Finished {
    /// A valid shard that was already on disk.
    Kept(ShardEntry),
    /// A shard that is built but not yet written.
    Built(EncodedShard),
}

type Message = (u32, Result<Finished, ShardError>);

impl<'a> TableJob<'a> {
    pub(crate) fn of(
        run: &'a Run<'_>,
        planned: &'a TablePlan,
        id: &'a str,
        maker: &'a dyn Maker,
    ) -> TableJob<'a> {
        let threads = rayon::current_num_threads();
        TableJob { run, id, planned, maker, threads }
    }

    /// Builds shards whose tiles do not depend on each other.
    pub(crate) fn build_tiles(
        &self,
        shards: Range<u32>,
    ) -> Result<(Vec<ShardEntry>, u32), BuildError> {
        let (sender, receiver) = crossbeam_channel::bounded(WAITING_SHARDS);
        let (shards, kept) = std::thread::scope(|scope| {
            let writer = scope.spawn(|| self.write(shards.clone(), receiver));
            self.work(shards.clone(), &sender);
            drop(sender);
            writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })?;
        // A missing shard means that the workers were stopped.
        let shards: Option<Vec<ShardEntry>> = shards.into_iter().collect();
        Ok((shards.ok_or(BuildError::Stopped)?, kept))
    }

    pub(crate) fn publish_values(
        &self,
        shard: u32,
        values: &[u8],
    ) -> Result<ShardEntry, BuildError> {
        let mut encoder = Encoder::new(ZSTD_LEVEL);
        let encode = |encoder: &mut Encoder| {
            encoder.begin(self.planned.geometry.description(shard))?;
            for frame in values.chunks(self.planned.geometry.frame_bytes() as usize) {
                encoder.push_frame(frame)?;
            }
            encoder.finish()
        };
        let encoded = encode(&mut encoder).map_err(|source| self.not_encoded(shard, source))?;
        self.publish(shard, &encoded)
    }

    fn not_encoded(&self, shard: u32, source: ShardError) -> BuildError {
        BuildError::Encode { table: self.id.to_owned(), shard, source }
    }

    fn publish(&self, shard: u32, encoded: &EncodedShard) -> Result<ShardEntry, BuildError> {
        let path = self.run.folder.join(shard_path(self.id, shard));
        publish_on(self.run.disk, &path, &encoded.bytes)
            .map_err(|source| BuildError::Write { path, source })?;
        Ok(ShardEntry { bytes: encoded.bytes.len() as u64, blake3: hex(&encoded.digest) })
    }

    /// Builds shards on all threads, until the control stops them or the writer ends.
    fn work(&self, shards: Range<u32>, sender: &Sender<Message>) {
        let room = || (self.maker.worker(&self.planned.table), Encoder::new(ZSTD_LEVEL));
        let build = |(worker, encoder): &mut (Box<dyn Worker + '_>, _), (): &mut (), shard| {
            let shard = shard as u32;
            let finished = match self.keep(shard) {
                Some(entry) => Ok(Finished::Kept(entry)),
                None => match self.encode(shard, &mut **worker, encoder) {
                    Ok(Some(encoded)) => Ok(Finished::Built(encoded)),
                    Ok(None) => return Ok(0),
                    Err(error) => Err(error),
                },
            };
            sender.send((shard, finished)).map(|()| 0).map_err(drop)
        };
        let shards = u64::from(shards.start)..u64::from(shards.end);
        // The only possible error is that the writer has ended. The writer reports the reason.
        let _ = try_fold_units(shards, self.run.control, room, || (), build, |(), ()| ());
    }

    pub(crate) fn keep(&self, shard: u32) -> Option<ShardEntry> {
        self.run.keep(self.id, &self.planned.geometry, shard)
    }

    /// Computes and compresses a shard, frame by frame. Returns `None` if stopped.
    fn encode(
        &self,
        shard: u32,
        worker: &mut dyn Worker,
        encoder: &mut Encoder,
    ) -> Result<Option<EncodedShard>, ShardError> {
        let description = self.planned.geometry.description(shard);
        let (mut tile, end) = (description.first_tile, description.first_tile + description.tiles);
        encoder.begin(description)?;
        while tile < end {
            if self.run.control.is_stopped() {
                return Ok(None);
            }
            let tiles = self.planned.geometry.tiles_per_frame().min(end - tile);
            encoder.push_frame(worker.tiles(tile, tiles))?;
            self.run.control.advance(tiles * self.planned.table.tile_cells() as u64);
            tile += tiles;
        }
        encoder.finish().map(Some)
    }

    /// Publishes shards as they arrive, and collects their entries. An error ends the function
    /// early and closes the channel, so the workers stop.
    fn write(
        &self,
        shards: Range<u32>,
        receiver: Receiver<Message>,
    ) -> Result<(Vec<Option<ShardEntry>>, u32), BuildError> {
        let mut entries = vec![None; shards.len()];
        let mut kept = 0;
        for (shard, finished) in receiver {
            let entry = match finished.map_err(|source| self.not_encoded(shard, source))? {
                Finished::Kept(entry) => {
                    kept += 1;
                    entry
                }
                Finished::Built(encoded) => self.publish(shard, &encoded)?,
            };
            entries[(shard - shards.start) as usize] = Some(entry);
        }
        Ok((entries, kept))
    }
}
