//! The division of a table into frames and shards, and their compression.

use grundy_rules::Table;
use grundy_shard::manifest::{NumberingEntry, ShardEntry, TableEntry};
use grundy_shard::{Codec, Description, bytes_of, cut};
use grundy_solvers::Packing;

/// The zstd level. Higher levels take too long for the space that they save (docs/FORMAT.md).
pub(crate) const ZSTD_LEVEL: i32 = 1;

/// The division of one table into frames and shards. The format fixes this division.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry {
    table: Table,
    tiles_per_frame: u64,
    tiles_per_shard: u64,
    codec: Codec,
}

/// Returns the number of bytes of a stored value, or 0 if a value is one bit.
fn width(table: &Table) -> u8 {
    if table.has_bits() { 0 } else { table.value_bytes() as u8 }
}

impl Geometry {
    pub fn of(table: &Table) -> Geometry {
        let (tiles_per_frame, tiles_per_shard) = cut(table.tile_cells() as u64, width(table));
        // docs/FORMAT.md explains the choice with measurements.
        let codec = match Packing::of(table) {
            Packing::Raw => Codec::Raw,
            Packing::NimSum => Codec::NimSum,
            Packing::NimSumPlanes => Codec::NimSumPlanes,
            Packing::DeltaPlanes => Codec::DeltaPlanes,
        };
        Geometry { table: table.clone(), tiles_per_frame, tiles_per_shard, codec }
    }

    /// Returns the geometry with the codec of a finished table, which keeps its codec even if a new
    /// table would have another one.
    #[must_use]
    pub fn like(self, entry: &TableEntry) -> Geometry {
        let named = Codec::ALL.into_iter().find(|codec| codec.name() == entry.codec);
        Geometry { codec: named.unwrap_or(self.codec), ..self }
    }

    pub fn codec(&self) -> Codec {
        self.codec
    }

    pub fn tiles_per_frame(&self) -> u64 {
        self.tiles_per_frame
    }

    pub fn tiles_per_shard(&self) -> u64 {
        self.tiles_per_shard
    }

    pub fn shards(&self) -> u32 {
        self.table.tiles().div_ceil(self.tiles_per_shard) as u32
    }

    pub fn frames(&self) -> u64 {
        self.table.tiles().div_ceil(self.tiles_per_frame)
    }

    pub fn frame_bytes(&self) -> u64 {
        bytes_of(self.tiles_per_frame * self.table.tile_cells() as u64, width(&self.table))
    }

    /// Returns the memory in bytes that the uncompressed cells of a frame take. A cell of one bit
    /// takes a byte for the bit, and the bytes of the value that determines the bit.
    pub fn cell_bytes(&self) -> u64 {
        let cells = self.tiles_per_frame * self.table.tile_cells() as u64;
        let of = self.table.game().outcomes_of();
        let values =
            of.and_then(|of| Table::new(of, self.table.max_pile(), self.table.length()).ok());
        let beside = values.map_or(0, |values| values.value_bytes().max(2));
        cells * (self.table.value_bytes() + beside) as u64
    }

    pub fn shard_bytes(&self) -> u64 {
        let tiles = self.tiles_per_shard.min(self.table.tiles());
        bytes_of(tiles * self.table.tile_cells() as u64, width(&self.table))
    }

    /// Returns the number of bytes before a tile in its shard.
    pub fn begun_bytes(&self, tile: u64) -> u64 {
        bytes_of(tile % self.tiles_per_shard * self.table.tile_cells() as u64, width(&self.table))
    }

    pub fn entry(&self, shards: Vec<ShardEntry>) -> TableEntry {
        TableEntry {
            value_bytes: width(&self.table),
            tile_rows: self.table.tile_rows() as u32,
            tile_cols: self.table.tile_cols() as u32,
            tiles: self.table.tiles(),
            tiles_per_frame: self.tiles_per_frame as u32,
            tiles_per_shard: self.tiles_per_shard,
            codec: self.codec().name().to_owned(),
            rules: self.table.game().rule_file().map(|file| file.text.clone()),
            numbering: self.numbering(),
            shards,
        }
    }

    /// Returns the numbering of the table of a rule file.
    pub fn numbering(&self) -> Option<NumberingEntry> {
        let (arrangement, table) = (self.table.arrangement()?, &self.table);
        Some(NumberingEntry::new(arrangement, &table.remembered(), table.max_pile()))
    }

    /// True if a manifest entry describes this table, in any codec. Ignores the shards in the
    /// entry.
    pub fn is_entry(&self, entry: &TableEntry) -> bool {
        // The id identifies the rules, so the texts of rule files may differ.
        let rules = entry.rules.clone();
        let mut expected = self.clone().like(entry).entry(entry.shards.clone());
        // Manifests of version 2 have no numberings.
        expected.numbering = expected.numbering.filter(|_| entry.numbering.is_some());
        entry.is_consistent() && *entry == TableEntry { rules, ..expected }
    }

    pub fn description(&self, shard: u32) -> Description {
        let first_tile = u64::from(shard) * self.tiles_per_shard;
        Description {
            table: self.table.to_string(),
            value_bytes: width(&self.table),
            tile_rows: self.table.tile_rows() as u32,
            tile_cols: self.table.tile_cols() as u32,
            tiles_per_frame: self.tiles_per_frame as u32,
            first_tile,
            tiles: self.tiles_per_shard.min(self.table.tiles() - first_tile),
            shard,
            shards: self.shards(),
            codec: self.codec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::Game;

    fn tables() -> Vec<Table> {
        let wide = [(64, 1), (64, 2), (10, 4), (127, 3), (128, 3), (1024, 2)];
        let of = |game| wide.into_iter().filter_map(move |(n, k)| Table::new(game, n, k).ok());
        let long = Game::all().filter_map(|game| Table::new(game, 64, 5).ok());
        Game::all().flat_map(of).chain(long).collect()
    }

    #[test]
    fn shards_cover_the_table_once() {
        for table in tables() {
            let geometry = Geometry::of(&table);
            let mut next = 0;
            for shard in 0..geometry.shards() {
                let description = geometry.description(shard);
                description.validate().unwrap();
                assert_eq!(description.first_tile, next);
                next += description.tiles;
                assert!(description.value_len() <= 64 << 20);
            }
            assert_eq!(next, table.tiles());
        }
    }
}
