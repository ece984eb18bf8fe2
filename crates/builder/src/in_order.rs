//! Builds tables whose tiles are computed in order.
//!
//! Each tile depends on all tiles before it, or the solver does not keep them. So one thread
//! computes the tiles, shard after shard, and the other threads compress and publish the finished
//! shards. The next run after a stopped one computes the tiles from the first one again, up to the
//! last missing shard, because no file holds the kernel's state. It publishes only the missing
//! shards.

use grundy_shard::manifest::ShardEntry;
use grundy_solvers::InOrder;

use crate::error::BuildError;
use crate::job::TableJob;

const WAITING: usize = 1;

struct Filled {
    shard: u32,
    values: Vec<u8>,
}

impl TableJob<'_> {
    /// Builds the missing shards of the table. Returns the entries of all shards, and the number of
    /// shards that an earlier run had built.
    pub(crate) fn build_in_order(
        &self,
        mut run: Box<dyn InOrder + '_>,
    ) -> Result<(Vec<ShardEntry>, u32), BuildError> {
        let shards = 0..self.geometry.shards();
        let mut entries: Vec<_> = shards.map(|shard| self.keep(shard)).collect();
        let missing: Vec<bool> = entries.iter().map(Option::is_none).collect();
        let wanted = missing.iter().rposition(|&missing| missing).map_or(0, |last| last + 1);
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
            let mut published = Vec::new();
            let mut goes_on = || {
                published.extend(done.try_iter());
                !self.run.control.is_stopped() && published.iter().all(|(_, made)| made.is_ok())
            };
            for (shard, &is_missing) in (0..).zip(&missing[..wanted]) {
                let Some(values) = self.fill(&mut *run, shard, is_missing, &mut goes_on)? else {
                    break;
                };
                if is_missing && sender.send(Filled { shard, values }).is_err() {
                    break;
                }
            }
            // Wait until the workers have finished the shards in the queue.
            drop(sender);
            for (shard, made) in published.into_iter().chain(done) {
                entries[shard as usize] = Some(made?);
            }
            Ok::<_, BuildError>(())
        })?;
        // A missing shard means that the build was stopped.
        let entries: Option<Vec<ShardEntry>> = entries.into_iter().collect();
        let kept = missing.iter().filter(|&&missing| !missing).count() as u32;
        Ok((entries.ok_or(BuildError::Stopped)?, kept))
    }

    /// Computes a shard. Returns all its bytes, or `None` if stopped. The cells of an existing
    /// shard are already counted.
    fn fill(
        &self,
        run: &mut dyn InOrder,
        shard: u32,
        is_missing: bool,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Vec<u8>>, BuildError> {
        let description = self.geometry.description(shard);
        let mut values = Vec::with_capacity(description.value_len() as usize);
        let mut left = description.tiles;
        while left > 0 {
            if !goes_on() {
                return Ok(None);
            }
            // The bits of a frame begin with a new byte.
            let tiles = self.geometry.tiles_per_frame().min(left);
            run.next(tiles, &mut values)
                .map_err(|source| BuildError::of_fill(self.id.to_owned(), source))?;
            if is_missing {
                self.run.control.advance(tiles * self.table.tile_cells() as u64);
            }
            left -= tiles;
        }
        Ok(Some(values))
    }
}
