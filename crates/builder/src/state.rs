//! Keeps the state between two parts of a [chained](grundy_solvers::Making::Chained) table.
//!
//! A share that ends before the table writes the state at its end, and the next share begins with
//! it. The state is that of the run, and the bytes of the shard that the run has begun. Without the
//! file, a share computes the earlier tiles again, from the last state that exists. It publishes
//! only its own shards.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use grundy_rules::Table;
use grundy_shard::manifest::shard_path;
use grundy_shard::publish::publish_on;
use grundy_shard::state::{StateError, read_state, write_state};
use grundy_solvers::InOrder;

use crate::error::BuildError;
use crate::geometry::ZSTD_LEVEL;
use crate::job::TableJob;
use crate::plan::TablePlan;
use crate::run::{Run, STATE};

fn name_of(planned: &TablePlan, tile: u64) -> String {
    let (version, tiles) = (env!("CARGO_PKG_VERSION"), planned.table.tiles());
    format!("{} before tile {tile} of {tiles}, by grundy {version}", planned.table)
}

/// Returns the path of the state before a tile, relative to the database folder.
pub(crate) fn state_path(table: &Table, tile: u64) -> PathBuf {
    let id = table.to_string();
    let name = format!("{}-before-{tile}.{STATE}", id.replace('/', "-"));
    shard_path(&id, 0).with_file_name(name)
}

impl Run<'_> {
    /// True if the next share of a chained table can begin before `tile`, or has begun: the state
    /// or the shard of this tile is there, or the table ends before it. A state that cannot be read
    /// counts as missing, because this share then writes it again.
    pub(crate) fn is_handed_on(&self, planned: &TablePlan, tile: u64) -> bool {
        let shard = (tile / planned.geometry.tiles_per_shard()) as u32;
        let shard = shard_path(&planned.table.to_string(), shard);
        let is_right = |bytes: Vec<u8>| read_state(&name_of(planned, tile), &bytes).is_ok();
        let state = self.folder.join(state_path(&planned.table, tile));
        tile >= planned.table.tiles()
            || self.disk.length(&self.folder.join(shard)).is_ok()
            || self.disk.read(&state, planned.most_state()).is_ok_and(is_right)
    }

    /// Returns the tiles before which a table has states, and the names of the files.
    fn states(&self, planned: &TablePlan) -> Vec<(u64, OsString)> {
        let all = self.disk.files(&self.folder.join(planned.table.to_string()));
        let tile_of = |name: &OsString| {
            let tile = Path::new(name).file_stem()?.to_str()?.rsplit_once('-')?.1.parse().ok()?;
            state_path(&planned.table, tile).ends_with(name).then_some(tile)
        };
        let all = all.unwrap_or_default().into_iter();
        all.filter_map(|name| Some((tile_of(&name)?, name))).collect()
    }

    /// Removes the files with states of a finished table.
    pub(crate) fn remove_states(&self, planned: &TablePlan) -> Result<(), BuildError> {
        for (_, name) in self.states(planned) {
            let path = self.folder.join(planned.table.to_string()).join(name);
            let removed = self.disk.remove(&path);
            removed.map_err(|source| BuildError::Write { path, source })?;
        }
        Ok(())
    }
}

/// A run, the number of the next tile, and the bytes of the shard that the run has begun.
pub(crate) struct Begun<'a> {
    pub(crate) run: Box<dyn InOrder + 'a>,
    pub(crate) tile: u64,
    pub(crate) shard: Vec<u8>,
}

impl<'a> TableJob<'a> {
    /// Returns a run that continues before `tile`, or before the last earlier tile with a state.
    /// `run` is a new run.
    pub(crate) fn continued(
        &self,
        mut run: Box<dyn InOrder + 'a>,
        tile: u64,
    ) -> Result<Begun<'a>, BuildError> {
        let known =
            if self.planned.is_chained() { self.run.states(self.planned) } else { Vec::new() };
        let earlier = known.iter().map(|&(at, _)| at).filter(|&at| at <= tile);
        let Some(tile) = earlier.max() else {
            return Ok(Begun { run, tile: 0, shard: Vec::new() });
        };
        let path = self.run.folder.join(state_path(&self.planned.table, tile));
        let (most, mut shard) = (self.planned.most_state(), Vec::new());
        let mut load = || -> Result<bool, StateError> {
            let bytes = self.run.disk.read(&path, most).map_err(StateError::Read)?;
            let state = read_state(&name_of(self.planned, tile), &bytes)?;
            let mut state = state.take(most);
            let mut read = || {
                let fits = run.load(&mut state)?;
                state.read_to_end(&mut shard)?;
                Ok(fits)
            };
            read().map_err(StateError::Decode)
        };
        match load() {
            Ok(true) if shard.len() as u64 == self.planned.geometry.begun_bytes(tile) => {
                Ok(Begun { run, tile, shard })
            }
            Ok(_) => Err(BuildError::State { path, source: StateError::Damaged }),
            Err(source) => Err(BuildError::State { path, source }),
        }
    }

    /// Publishes the state of a run.
    pub(crate) fn hand_on(&self, begun: &Begun<'_>) -> Result<(), BuildError> {
        let path = self.run.folder.join(state_path(&self.planned.table, begun.tile));
        let save = |out: &mut dyn Write| {
            begun.run.save(out)?;
            out.write_all(&begun.shard)
        };
        write_state(&name_of(self.planned, begun.tile), ZSTD_LEVEL, save)
            .and_then(|bytes| publish_on(self.run.disk, &path, &bytes))
            .map_err(|source| BuildError::Write { path, source })
    }
}
