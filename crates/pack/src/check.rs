//! Reading every byte of a pack, once.

use std::collections::BTreeMap;

use grundy_shard::Shard;
use grundy_shard::manifest::{TableEntry, hex};
use rayon::prelude::*;

use crate::error::ShardFault;
use crate::manifest::{Digester, Placed, batches, description};
use crate::{Fault, FileEntry, Pack, PackError};

const PIECE: u64 = 1 << 20;

#[derive(Debug, Default)]
#[allow(missing_docs)] // the names say it
pub struct PackReport {
    /// What is wrong, the first thousand; nothing, if all is well.
    pub faults: Vec<Fault>,
    pub tables: u64,
    pub shards: u64,
    pub bytes: u64,
    /// Stored values in the shards that are sound.
    pub values: u64,
    /// BLAKE3 of the bytes of each shard of a table, as they were then.
    shard_bytes: BTreeMap<String, Vec<Option<blake3::Hash>>>,
}

/// So many faults are told; who wants more has no pack.
const MOST_FAULTS: usize = 1000;

impl PackReport {
    fn fault(&mut self, fault: Fault) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(fault);
        }
    }
}

/// What is wrong with the bytes of a shard that is to be this one of its table.
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
    /// Reads every byte, and decodes every frame, in the rayon pool of the caller. Shards take at most
    /// `memory` bytes at once. `watch` hears of the bytes that were read, and says whether to go on.
    /// Wrong bytes are no error: they are in the report that is returned.
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

    /// Checks some shards of a data file at once, while its digests are made.
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

    /// A file that is not data, if the pack has it and its bytes are those that are listed.
    pub fn text(&self, name: &str) -> Result<Option<Vec<u8>>, PackError> {
        let Some(listed) = self.manifest.files.get(name) else { return Ok(None) };
        let bytes = self.members[name].read(0, listed.bytes)?;
        match FileEntry::of(&bytes) == *listed {
            true => Ok(Some(bytes)),
            false => Err(PackError::damaged(self.path(), Fault::Digest(name.to_owned()))),
        }
    }

    /// The bytes of a shard, if they are those that were checked.
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
