//! A little End-Nim, straight from its rules and from docs/FORMAT.md, for shards whose
//! values can be looked up. The crate itself knows no games.

use std::collections::HashMap;

use grundy_shard::{Codec, Description};

/// Grundy values, remembered.
#[derive(Default)]
pub(crate) struct EndNim(HashMap<Vec<u32>, u32>);

impl EndNim {
    /// The Grundy value of a row of piles.
    pub(crate) fn value(&mut self, piles: &[u32]) -> u32 {
        let (Some(&first), Some(&last)) = (piles.first(), piles.last()) else {
            return 0;
        };
        if let Some(&value) = self.0.get(piles) {
            return value;
        }
        let mut seen = Vec::new();
        for (end, size) in [(0, first), (piles.len() - 1, last)] {
            for left in 0..size {
                let mut option = piles.to_vec();
                option[end] = left;
                option.retain(|&pile| pile > 0);
                seen.push(self.value(&option));
            }
        }
        let value = (0..).find(|value| !seen.contains(value)).unwrap();
        self.0.insert(piles.to_vec(), value);
        value
    }
}

/// Every word of this length with letters 1 to `max`, in lexicographic order.
pub(crate) fn words(max: u32, length: usize) -> Vec<Vec<u32>> {
    (0..length).fold(vec![Vec::new()], |shorter, _| {
        let longer = |word: Vec<u32>| (1..=max).map(move |letter| [&word[..], &[letter]].concat());
        shorter.into_iter().flat_map(longer).collect()
    })
}

/// The stored middles, in the order of their tiles.
pub(crate) fn middles(max: u32, length: usize) -> Vec<Vec<u32>> {
    if length < 2 {
        return words(max, length);
    }
    let mut out = Vec::new();
    for x in 1..=max {
        for y in x..=max {
            let inner = length - 2;
            let inner = if x == y { middles(max, inner) } else { words(max, inner) };
            out.extend(inner.into_iter().map(|u| [&[x], &u[..], &[y]].concat()));
        }
    }
    out
}

/// The table of length `length` >= 2 as one shard: its description and its values.
///
/// Values of more than one byte are given something in their high bytes: the number of the tile.
pub(crate) fn table(max: u32, length: usize, width: u8, codec: Codec) -> (Description, Vec<u8>) {
    let middles = middles(max, length - 2);
    let description = Description {
        table: format!("end-nim/n{max}/k{length}"),
        value_bytes: width,
        tile_rows: max,
        tile_cols: max,
        tiles_per_frame: 4,
        first_tile: 0,
        tiles: middles.len() as u64,
        shard: 0,
        shards: 1,
        codec,
    };
    let mut game = EndNim::default();
    let mut values = Vec::new();
    for (tile, middle) in (0..).zip(&middles) {
        for a in 1..=max {
            for b in 1..=max {
                let value = game.value(&[&[a], &middle[..], &[b]].concat());
                let value = if width > 1 { value + (tile << 8) } else { value };
                values.extend_from_slice(&value.to_le_bytes()[..usize::from(width)]);
            }
        }
    }
    (description, values)
}

#[test]
fn stored_middles_are_those_not_above_their_reverse() {
    for (max, length) in [(1, 5), (3, 2), (3, 3), (3, 4), (2, 6), (2, 7)] {
        let mut stored = middles(max, length);
        let canonical = |word: &Vec<u32>| word.iter().le(word.iter().rev());
        let expected: Vec<_> = words(max, length).into_iter().filter(canonical).collect();
        stored.sort();
        assert_eq!(stored, expected, "N = {max}, m = {length}");
    }
}
