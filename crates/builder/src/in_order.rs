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
use crate::state::Begun;

const WAITING: usize = 1;

struct Filled {
    shard: u32,
    values: Vec<u8>,
}

impl<'a> TableJob<'a> {
    /// Builds the missing shards of a range of parts. If the range ends before the table, it also
    /// publishes the state at its end, if this is missing. Returns the entries of the shards that
    /// the range completes, and the number of those that an earlier run had built.
    pub(crate) fn build_in_order(
        &self,
        run: Box<dyn InOrder + 'a>,
        parts: &Range<u64>,
    ) -> Result<(Vec<ShardEntry>, u32), BuildError> {
        let (shards, own) = (self.planned.shards_of(parts), self.planned.tiles_of(parts));
        let mut entries: Vec<_> = shards.clone().map(|shard| self.keep(shard)).collect();
        let missing: Vec<u32> = shards
            .clone()
            .zip(&entries)
            .filter(|(_, entry)| entry.is_none())
            .map(|(shard, _)| shard)
            .collect();
        let each = self.planned.geometry.tiles_per_shard();
        let hands_on = !self.run.is_handed_on(self.planned, own.end);
        let end = match missing.last() {
            _ if hands_on => Some(own.end),
            last => last.map(|last| (u64::from(*last) + 1) * each),
        };
        if let Some(end) = end {
            let first = missing.first().map_or(own.end - 1, |&first| u64::from(first) * each);
            let first = first.max(own.start);
            let mut begun = self.continued(run, first)?;
            let tiles = own.start..end.min(own.end);
            let (built, is_at_end) = self.fill_and_publish(&mut begun, tiles, &missing)?;
            for (shard, entry) in built {
                entries[(shard - shards.start) as usize] = Some(entry);
            }
            if hands_on && is_at_end {
                self.hand_on(&begun)?;
            }
        }
        // A missing shard means that the build was stopped.
        let entries: Option<Vec<ShardEntry>> = entries.into_iter().collect();
        let entries = entries.ok_or(BuildError::Stopped)?;
        let kept = (entries.len() - missing.len()) as u32;
        Ok((entries, kept))
    }

    /// Fills tiles one after another, and publishes the missing shards. `own` are the tiles that
    /// count as progress; the run may begin before them. Returns the entries of the shards, and
    /// false if the control stopped the work before the end.
    fn fill_and_publish(
        &self,
        begun: &mut Begun<'_>,
        own: Range<u64>,
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
            let each = self.planned.geometry.tiles_per_shard();
            let mut is_at_end = true;
            while begun.tile < own.end {
                let shard = (begun.tile / each) as u32;
                let is_kept = missing.binary_search(&shard).is_err();
                let shard_end = self.planned.table.tiles().min((u64::from(shard) + 1) * each);
                let counts =
                    if is_kept && shard_end <= own.end { own.end..own.end } else { own.clone() };
                let end = shard_end.min(own.end);
                let whole = self.planned.geometry.description(shard).value_len() as usize;
                begun.shard.reserve_exact(whole.saturating_sub(begun.shard.len()));
                if !self.fill(begun, end, counts, &mut goes_on)? {
                    is_at_end = false;
                    break;
                }
                if end < shard_end {
                    continue;
                }
                let values = std::mem::take(&mut begun.shard);
                if !is_kept && sender.send(Filled { shard, values }).is_err() {
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

    /// Fills the tiles before `end`, which is at most the end of the shard. Returns false if
    /// stopped. The cells of an existing shard are already counted.
    fn fill(
        &self,
        begun: &mut Begun<'_>,
        end: u64,
        counts: Range<u64>,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, BuildError> {
        while begun.tile < end {
            if !goes_on() {
                return Ok(false);
            }
            // The bits of a frame begin with a new byte.
            let tiles = self.planned.geometry.tiles_per_frame().min(end - begun.tile);
            begun
                .run
                .next(tiles, &mut begun.shard)
                .map_err(|source| BuildError::of_fill(self.id.to_owned(), source))?;
            if counts.contains(&begun.tile) {
                self.run.control.advance(tiles * self.planned.table.tile_cells() as u64);
            }
            begun.tile += tiles;
        }
        Ok(true)
    }
}
