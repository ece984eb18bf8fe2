//! Computes tables of End-Nim from the rules, so that shards have meaningful values. The crate
//! itself knows nothing about games.

use grundy_rules::reference::Reference;
use grundy_rules::{Table, games};
use grundy_shard::{Codec, Description};

/// Returns the table of length `length` >= 2 as one shard: its description and its values.
///
/// If a value has several bytes, the high bytes contain the index of the tile.
pub(crate) fn table(max: u32, length: usize, width: u8, codec: Codec) -> (Description, Vec<u8>) {
    let table = Table::new(games::END_NIM, max, length).unwrap();
    let description = Description {
        table: table.to_string(),
        value_bytes: width,
        tile_rows: max,
        tile_cols: max,
        tiles_per_frame: 4,
        first_tile: 0,
        tiles: table.tiles(),
        shard: 0,
        shards: 1,
        codec,
    };
    let mut game = Reference::new(games::END_NIM);
    let mut values = Vec::new();
    for cell in 0..table.cells() {
        let value = game.value(&table.position(cell).unwrap());
        let tile = (cell / table.tile_cells() as u64) as u32;
        let value = if width > 1 { value + (tile << 8) } else { value };
        values.extend_from_slice(&value.to_le_bytes()[..usize::from(width)]);
    }
    (description, values)
}
