//! Keeps the state between two shards of a [chained](grundy_solvers::Making::Chained) table.
//!
//! A share that ends before the table writes the state at its end, and the share of the next shards
//! begins with it. Without the file, a share computes the earlier shards again, from the last state
//! that exists. It publishes only its own shards.

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

/// The largest file with a state. Larger states do not fit into the memory of a build.
const MOST_BYTES: u64 = 1 << 40;

fn name_of(id: &str, shard: u32, geometry: &Geometry) -> String {
    let (version, shards) = (env!("CARGO_PKG_VERSION"), geometry.shards());
    format!("{id} before shard {shard} of {shards}, by grundy {version}")
}

impl Run<'_> {
    /// Returns the path of the state before a shard.
    pub(crate) fn state_path(&self, id: &str, shard: u32) -> PathBuf {
        self.folder.join(shard_path(id, shard)).with_extension("state")
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
            let mut run = run;
            let mut load = || -> Result<bool, StateError> {
                let bytes = self.run.disk.read(&path, MOST_BYTES)?;
                let mut state = read_state(&name_of(self.id, shard, self.geometry), &bytes)?;
                Ok(run.load(&mut state)?)
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
        let name = name_of(self.id, shard, self.geometry);
        write_state(&name, ZSTD_LEVEL, |out| run.save(out))
            .and_then(|bytes| publish_on(self.run.disk, &path, &bytes))
            .map_err(|source| BuildError::Write { path, source })
    }
}
