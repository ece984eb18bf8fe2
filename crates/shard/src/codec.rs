//! Transforms values so that zstd compresses them better.
//!
//! In End-Nim most values of a·w·b are near the nim-sum `a ^ b` of row and column. A tile xored
//! with these nim-sums consists mostly of small numbers, which compress better. If values have two
//! bytes, the high bytes are then mostly zero. zstd compresses low bytes and high bytes better and
//! faster when they are separate. docs/FORMAT.md has the measurements.
//!
//! All tiles of one shape have the same nim-sums. The codec computes them once, as bytes (the
//! *mask*), and xors the mask with each frame. A second xor with the mask restores the values.

use std::ops::Range;

use crate::description::{Codec, Description};

impl Codec {
    /// Transforms the values of one frame into `out`, and replaces the contents of `out`.
    ///
    /// The codec is `self`, not the codec in the description. The description must be valid, and
    /// `values` must consist of whole tiles.
    pub fn encode(self, description: &Description, values: &[u8], out: &mut Vec<u8>) {
        Transform::new(self, description).encode(values, out);
    }

    /// Undoes [`encode`](Codec::encode) in place.
    pub fn decode(self, description: &Description, bytes: &mut [u8]) {
        Transform::new(self, description).decode(bytes, &mut Vec::new());
    }
}

/// The minimum length of a mask, unless the frame is shorter. For tiny tiles, the mask repeats the
/// nim-sums up to this length, which keeps the inner loop long.
const MASK_BYTES: usize = 4096;

pub(crate) struct Transform {
    key: Key,
    steps: Steps,
}

/// The values that determine a transform: the codec, the bytes per value, the rows and columns per
/// tile, and the tiles per frame.
type Key = (Codec, u8, u32, u32, u32);

fn key(codec: Codec, of: &Description) -> Key {
    (codec, of.value_bytes, of.tile_rows, of.tile_cols, of.tiles_per_frame)
}

enum Steps {
    Nothing,
    /// Xors the bytes with this mask, repeated to the end of the frame.
    Mask(Vec<u8>),
    /// Separates low bytes from high bytes, and xors each half with its own mask.
    Planes {
        low: Vec<u8>,
        high: Vec<u8>,
    },
    /// Stores differences with this many bytes. The lowest bytes of all differences come first.
    Deltas(usize),
}

impl Transform {
    /// Builds the transform of a codec for the geometry of a shard. Allocates at most one frame.
    fn new(codec: Codec, description: &Description) -> Transform {
        let width = usize::from(description.value_bytes);
        let steps = match codec {
            Codec::Raw => Steps::Nothing,
            Codec::NimSumPlanes if width == 2 => Steps::Planes {
                low: nim_sums(description, 0..1),
                high: nim_sums(description, 1..2),
            },
            Codec::DeltaPlanes => Steps::Deltas(width),
            Codec::NimSum | Codec::NimSumPlanes => Steps::Mask(nim_sums(description, 0..width)),
        };
        Transform { key: key(codec, description), steps }
    }

    /// Returns the transform for this description. Reuses the transform in `slot` if it fits.
    pub(crate) fn cached<'a>(
        slot: &'a mut Option<Transform>,
        description: &Description,
    ) -> &'a Transform {
        let key = key(description.codec, description);
        let fitting = slot.take().filter(|transform| transform.key == key);
        slot.insert(fitting.unwrap_or_else(|| Transform::new(description.codec, description)))
    }

    /// Returns the transformed values of a frame: either `values` itself or the contents of `out`.
    pub(crate) fn encoded<'a>(&self, values: &'a [u8], out: &'a mut Vec<u8>) -> &'a [u8] {
        match self.steps {
            Steps::Nothing => values,
            _ => {
                self.encode(values, out);
                out
            }
        }
    }

    fn encode(&self, values: &[u8], out: &mut Vec<u8>) {
        match &self.steps {
            Steps::Nothing => values.clone_into(out),
            Steps::Mask(mask) => {
                values.clone_into(out);
                xor(out, mask);
            }
            Steps::Planes { low, high } => {
                out.resize(values.len(), 0);
                let (lows, highs) = out.split_at_mut(values.len() / 2);
                for ((pair, to_low), to_high) in
                    values.chunks_exact(2).zip(&mut *lows).zip(&mut *highs)
                {
                    *to_low = pair[0];
                    *to_high = pair[1];
                }
                xor(lows, low);
                xor(highs, high);
            }
            &Steps::Deltas(width) => {
                out.clear();
                out.resize(values.len(), 0);
                let count = values.len() / width;
                let mut before = 0u32;
                for (at, value) in values.chunks_exact(width).enumerate() {
                    let value = number(value);
                    let delta = value.wrapping_sub(before).to_le_bytes();
                    for (plane, byte) in delta[..width].iter().enumerate() {
                        out[plane * count + at] = *byte;
                    }
                    before = value;
                }
            }
        }
    }

    /// Undoes [`encode`](Transform::encode) in place, with `spare` as scratch memory.
    pub(crate) fn decode(&self, bytes: &mut [u8], spare: &mut Vec<u8>) {
        match &self.steps {
            Steps::Nothing => {}
            Steps::Mask(mask) => xor(bytes, mask),
            Steps::Planes { low, high } => {
                bytes.clone_into(spare);
                let (lows, highs) = spare.split_at_mut(bytes.len() / 2);
                xor(lows, low);
                xor(highs, high);
                for ((pair, low), high) in bytes.chunks_exact_mut(2).zip(&*lows).zip(&*highs) {
                    pair[0] = *low;
                    pair[1] = *high;
                }
            }
            &Steps::Deltas(width) => {
                bytes.clone_into(spare);
                let count = bytes.len() / width;
                let mut value = 0u32;
                for (at, out) in bytes.chunks_exact_mut(width).enumerate() {
                    let mut delta = [0; 4];
                    for (plane, byte) in delta[..width].iter_mut().enumerate() {
                        *byte = spare[plane * count + at];
                    }
                    value = value.wrapping_add(u32::from_le_bytes(delta));
                    out.copy_from_slice(&value.to_le_bytes()[..width]);
                }
            }
        }
    }
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

fn xor(bytes: &mut [u8], mask: &[u8]) {
    for chunk in bytes.chunks_mut(mask.len().max(1)) {
        for (byte, mask) in chunk.iter_mut().zip(mask) {
            *byte ^= mask;
        }
    }
}

/// Returns row ^ column for the cells of whole tiles. `which` selects the bytes of each nim-sum.
fn nim_sums(description: &Description, which: Range<usize>) -> Vec<u8> {
    let tile: Vec<u8> = (1..=description.tile_rows)
        .flat_map(|row| (1..=description.tile_cols).map(move |col| row ^ col))
        .flat_map(|sum| which.clone().map(move |byte| (sum >> (8 * byte)) as u8))
        .collect();
    let tiles = MASK_BYTES.div_ceil(tile.len().max(1)).min(description.tiles_per_frame as usize);
    tile.repeat(tiles)
}
