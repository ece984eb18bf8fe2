//! Builds tables whose tiles are computed in order.
//!
//! Each tile depends on all tiles before it, or the solver does not keep them. So one thread
//! computes the tiles, shard after shard, and the other threads compress and publish the finished
//! shards. A run that does not begin with the first shard begins with the last [state] before its
//! shards, or else computes the earlier tiles again. It publishes only its missing shards.
//!
//! [state]: crate::state

use std::ops::Range;

use grundy_shard::manifest::ShardEntry;
use grundy_solvers::InOrder;

use crate::error::BuildError;
use crate::job::TableJob;

const WAITING: usize = 1;

struct Filled {
    shard: u32,
    values: Vec<u8>,
}

impl<'a> TableJob<'a> {
    /// Builds the missing shards of a range. If the range ends before the table, it also publishes
    /// the state at its end, if this is missing. Returns the entries of the range, and the number
    /// of shards that an earlier run had built.
    pub(crate) fn build_in_order(
        &self,
        run: Box<dyn InOrder + 'a>,
        shards: Range<u32>,
    ) -> Result<(Vec<ShardEntry>, u32), BuildError> {
        let mut entries: Vec<_> = shards.clone().map(|shard| self.keep(shard)).collect();
        let missing: Vec<u32> = shards
            .clone()
            .zip(&entries)
            .filter(|(_, entry)| entry.is_none())
            .map(|(shard, _)| shard)
            .collect();
        let hands_on = !self.run.is_handed_on(self.planned, shards.end);
        let end = if hands_on { Some(shards.end) } else { missing.last().map(|last| last + 1) };
        if let Some(end) = end {
            let first = missing.first().map_or(end - 1, |&first| first);
            let (mut run, at) = self.continued(run, first)?;
            let (built, is_at_end) = self.fill_and_publish(&mut *run, at..end, &missing)?;
            for (shard, entry) in built {
                entries[(shard - shards.start) as usize] = Some(entry);
            }
            if hands_on && is_at_end {
                self.hand_on(&*run, end)?;
            }
        }
        // A missing shard means that the build was stopped.
        let entries: Option<Vec<ShardEntry>> = entries.into_iter().collect();
        let entries = entries.ok_or(BuildError::Stopped)?;
        let kept = (entries.len() - missing.len()) as u32;
        Ok((entries, kept))
    }

    /// Fills shards one after another, and publishes the missing ones. Returns their entries, and
    /// false if the control stopped the work before the end.
    fn fill_and_publish(
        &self,
        run: &mut dyn InOrder,
        shards: Range<u32>,
        missing: &[u32],
    ) -> Result<(Vec<(u32, ShardEntry)>, bool), BuildError> {
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
            let mut is_at_end = true;
            for shard in shards {
                let is_missing = missing.binary_search(&shard).is_ok();
                let filled = self.fill(run, shard, is_missing, &mut goes_on)?;
                let is_sent = filled.is_some_and(|values| {
                    !is_missing || sender.send(Filled { shard, values }).is_ok()
                });
                if !is_sent {
                    is_at_end = false;
                    break;
                }
            }
            // Wait until the workers have finished the shards in the queue.
            drop(sender);
            let all = published.into_iter().chain(done);
            let all = all.map(|(shard, made)| Ok((shard, made?)));
            Ok((all.collect::<Result<_, BuildError>>()?, is_at_end))
        })
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
        let description = self.planned.geometry.description(shard);
        let mut values = Vec::with_capacity(description.value_len() as usize);
        let mut left = description.tiles;
        while left > 0 {
            if !goes_on() {
                return Ok(None);
            }
            // The bits of a frame begin with a new byte.
            let tiles = self.planned.geometry.tiles_per_frame().min(left);
            run.next(tiles, &mut values)
                .map_err(|source| BuildError::of_fill(self.id.to_owned(), source))?;
            if is_missing {
                self.run.control.advance(tiles * self.planned.table.tile_cells() as u64);
            }
            left -= tiles;
        }
        Ok(Some(values))
    }
}
