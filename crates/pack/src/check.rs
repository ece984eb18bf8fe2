//! The full check of a pack, which reads every byte once.

use std::collections::BTreeMap;

use grundy_shard::Shard;
use grundy_shard::manifest::{TableEntry, hex};
use rayon::prelude::*;

use crate::error::ShardFault;
use crate::manifest::{Digester, Placed, batches, description};
use crate::{Fault, FileEntry, Pack, PackError};

const PIECE: u64 = 1 << 20;

#[derive(Debug, Default)]
pub struct PackReport {
    /// The first thousand faults; empty if the pack is sound.
    pub faults: Vec<Fault>,
    pub tables: u64,
    pub shards: u64,
    pub bytes: u64,
    /// The number of stored values in undamaged shards.
    pub values: u64,
    shard_bytes: BTreeMap<String, Vec<Option<blake3::Hash>>>,
}

const MOST_FAULTS: usize = 1000;

impl PackReport {
    fn fault(&mut self, fault: Fault) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(fault);
        }
    }
}

/// Compares bytes with a shard that the manifest lists. Returns the first difference as an error.
pub(crate) fn fault_of(
    bytes: &[u8],
    table: &str,
    entry: &TableEntry,
    shard: usize,
) -> Result<(), ShardFault> {
    let listed = &entry.shards[shard];
    let (found, expected) = (bytes.len() as u64, listed.bytes);
    if found != expected {
        return Err(ShardFault::Length { found, expected });
    }
    let opened = Shard::open(bytes)?;
    if Some(opened.description()) != description(table, entry, shard).as_ref()
        || hex(opened.digest()) != listed.blake3
    {
        return Err(ShardFault::Other);
    }
    Ok(opened.verify()?)
}

impl Pack {
    /// Reads every byte and decodes every frame, in the caller's rayon pool. The shards in memory
    /// take at most `memory` bytes. `watch` gets the number of bytes that were read, and returns
    /// false to stop. Wrong bytes are not an error: the report lists them.
    pub fn check(
        &self,
        memory: u64,
        watch: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<PackReport, PackError> {
        let mut checked =
            PackReport { tables: self.manifest.tables.len() as u64, ..PackReport::default() };
        for (name, list) in self.manifest.sums(&self.text) {
            let member = &self.members[name];
            let is_so = member.bytes == list.len() as u64
                && member.read(0, member.bytes)? == list.as_bytes();
            if !is_so {
                checked.fault(Fault::Sums(name.to_owned()));
            }
            checked.bytes += member.bytes;
        }
        let data = self.manifest.data();
        for (name, listed) in &self.manifest.files {
            let mut digester = Digester::default();
            match data.get(&name[..]) {
                Some(shards) => {
                    for shards in batches(shards, memory) {
                        let shards = shards.map_err(|needed| PackError::Memory { needed })?;
                        self.check_shards(name, shards, &mut digester, &mut checked)?;
                        if !watch(shards.iter().map(Placed::bytes).sum()) {
                            return Err(PackError::Stopped);
                        }
                    }
                }
                None => {
                    let mut at = 0;
                    while at < listed.bytes {
                        let count = PIECE.min(listed.bytes - at);
                        digester.update(&self.members[name].read(at, count)?);
                        at += count;
                        if !watch(count) {
                            return Err(PackError::Stopped);
                        }
                    }
                }
            }
            checked.bytes += listed.bytes;
            if digester.finish() != *listed {
                checked.fault(Fault::Digest(name.clone()));
            }
        }
        checked.bytes += self.text.len() as u64;
        Ok(checked)
    }

    /// Checks the given shards of a data file in parallel. Adds their bytes to the file's digests.
    fn check_shards(
        &self,
        name: &str,
        shards: &[Placed<'_>],
        digester: &mut Digester,
        checked: &mut PackReport,
    ) -> Result<(), PackError> {
        let member = &self.members[name];
        let read = shards.iter().map(|placed| member.read(placed.offset, placed.bytes()));
        let bytes = read.collect::<Result<Vec<_>, _>>()?;
        let look = |(placed, bytes): (&Placed<'_>, &Vec<u8>)| {
            let fault = fault_of(bytes, placed.table, placed.entry, placed.shard).err();
            (fault, blake3::hash(bytes))
        };
        let (found, ()) = rayon::join(
            || shards.par_iter().zip(&bytes).map(look).collect::<Vec<_>>(),
            || bytes.iter().for_each(|bytes| digester.update(bytes)),
        );
        for (placed, (fault, digest)) in shards.iter().zip(found) {
            let (table, shard) = (placed.table.to_owned(), placed.shard);
            checked.shards += 1;
            let tiles = description(&table, placed.entry, shard).map_or(0, |shard| shard.tiles);
            let tile = u64::from(placed.entry.tile_rows) * u64::from(placed.entry.tile_cols);
            let digests = checked.shard_bytes.entry(table.clone()).or_default();
            digests.resize(placed.entry.shards.len(), None);
            digests[shard] = Some(digest);
            match fault {
                None => checked.values += tiles * tile,
                Some(source) => checked.fault(Fault::Shard { table, shard, source }),
            }
        }
        Ok(())
    }

    /// Returns a document of the pack after checking its digests; `None` if it is unknown.
    pub fn text(&self, name: &str) -> Result<Option<Vec<u8>>, PackError> {
        let Some(listed) = self.manifest.files.get(name) else { return Ok(None) };
        let bytes = self.members[name].read(0, listed.bytes)?;
        match FileEntry::of(&bytes) == *listed {
            true => Ok(Some(bytes)),
            false => Err(PackError::damaged(self.path(), Fault::Digest(name.to_owned()))),
        }
    }

    /// Returns the bytes of a shard, or an error if the bytes have changed since the check.
    pub fn shard(
        &self,
        checked: &PackReport,
        table: &str,
        shard: usize,
    ) -> Result<Vec<u8>, PackError> {
        let changed = || {
            let (table, source) = (table.to_owned(), ShardFault::Changed);
            PackError::damaged(self.path(), Fault::Shard { table, shard, source })
        };
        let packed = self.manifest.tables.get(table).ok_or_else(changed)?;
        let (Some(&at), Some(listed)) = (packed.offsets.get(shard), packed.entry.shards.get(shard))
        else {
            return Err(changed());
        };
        let bytes = self.members[&packed.file].read(at, listed.bytes)?;
        let digest = checked.shard_bytes.get(table).and_then(|digests| *digests.get(shard)?);
        match digest {
            Some(digest) if digest == blake3::hash(&bytes) => Ok(bytes),
            _ => Err(changed()),
        }
    }
}
