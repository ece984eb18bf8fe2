//! Keeps the state between two shards of a [chained](grundy_solvers::Making::Chained) table.
//!
//! A share that ends before the table writes the state at its end, and the share of the next shards
//! begins with it. Without the file, a share computes the earlier shards again, from the last state
//! that exists. It publishes only its own shards.

use std::io::Read;
use std::path::PathBuf;

use grundy_shard::manifest::shard_path;
use grundy_shard::publish::publish_on;
use grundy_shard::state::{StateError, read_state, write_state};
use grundy_solvers::InOrder;

use crate::error::BuildError;
use crate::geometry::{Geometry, ZSTD_LEVEL};
use crate::job::TableJob;
use crate::plan::TablePlan;
use crate::run::Run;

fn name_of(id: &str, shard: u32, geometry: &Geometry) -> String {
    let (version, shards) = (env!("CARGO_PKG_VERSION"), geometry.shards());
    format!("{id} before shard {shard} of {shards}, by grundy {version}")
}

impl Run<'_> {
    /// Returns the path of the state before a shard.
    pub(crate) fn state_path(&self, id: &str, shard: u32) -> PathBuf {
        self.folder.join(shard_path(id, shard)).with_extension("state")
    }

    /// True if the next share of a chained table can begin before `shard`, or has begun: the state
    /// or the shard is there, or the table ends before it.
    pub(crate) fn is_handed_on(&self, planned: &TablePlan, shard: u32) -> bool {
        let (id, geometry) = (planned.table.to_string(), &planned.geometry);
        let is_right = |bytes: Vec<u8>| read_state(&name_of(&id, shard, geometry), &bytes).is_ok();
        shard == geometry.shards()
            || self.disk.length(&self.folder.join(shard_path(&id, shard))).is_ok()
            || self
                .disk
                .read(&self.state_path(&id, shard), planned.most_state())
                .is_ok_and(is_right)
    }

    /// Removes the files with states of a finished table.
    pub(crate) fn remove_states(&self, planned: &TablePlan) -> Result<(), BuildError> {
        if !planned.is_chained() {
            return Ok(());
        }
        for shard in 1..planned.geometry.shards() {
            let path = self.state_path(&planned.table.to_string(), shard);
            if self.disk.length(&path).is_ok() {
                let removed = self.disk.remove(&path);
                removed.map_err(|source| BuildError::Write { path, source })?;
            }
        }
        Ok(())
    }
}

impl<'a> TableJob<'a> {
    /// Returns a run that continues before `shard` or before the last earlier shard with a state,
    /// and the number of this shard. `run` is a new run.
    pub(crate) fn continued(
        &self,
        run: Box<dyn InOrder + 'a>,
        shard: u32,
    ) -> Result<(Box<dyn InOrder + 'a>, u32), BuildError> {
        for shard in (1..=shard).rev() {
            let path = self.run.state_path(self.id, shard);
            if self.run.disk.length(&path).is_err() {
                continue;
            }
            let (mut run, most) = (run, self.planned.most_state());
            let mut load = || -> Result<bool, StateError> {
                let bytes = self.run.disk.read(&path, most).map_err(StateError::Read)?;
                let state = read_state(&name_of(self.id, shard, &self.planned.geometry), &bytes)?;
                let mut state = state.take(most);
                let loaded = run.load(&mut state).and_then(|fits| {
                    let is_at_end = state.read(&mut [0])? == 0;
                    Ok(fits && is_at_end)
                });
                loaded.map_err(StateError::Decode)
            };
            return match load() {
                Ok(true) => Ok((run, shard)),
                Ok(false) => Err(BuildError::State { path, source: StateError::Damaged }),
                Err(source) => Err(BuildError::State { path, source }),
            };
        }
        Ok((run, 0))
    }

    /// Publishes the state of a run before a shard.
    pub(crate) fn hand_on(&self, run: &dyn InOrder, shard: u32) -> Result<(), BuildError> {
        let path = self.run.state_path(self.id, shard);
        let name = name_of(self.id, shard, &self.planned.geometry);
        write_state(&name, ZSTD_LEVEL, |out| run.save(out))
            .and_then(|bytes| publish_on(self.run.disk, &path, &bytes))
            .map_err(|source| BuildError::Write { path, source })
    }
}
