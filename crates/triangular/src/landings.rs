//! Where the moves of families lead, for the certificate.
//!
//! A search has no use for them once a family is found, but they are most of what a certificate says.
//! So they are kept as the certificate will have them, two varints each, and packed: each
//! [`TOGETHER`] families of one pile, which repeat one another, are compressed at once.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use crate::no_zstd as zstd;

/// Families that are packed at once. More repeat no more, and wait for longer as they are.
const TOGETHER: usize = 32;

/// Higher levels gain a twentieth, for five times the time.
const ZSTD_LEVEL: i32 = 1;

/// Where one move of a family leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Landing {
    /// m - T(i), in 0..=i, for the pile m of level i that the move leaves.
    pub(crate) slack: u16,
    /// Which family of m.
    pub(crate) family: u32,
}

/// The landings of the families of one pile.
#[derive(Debug)]
pub(crate) struct Landings {
    /// How many a family has.
    each: usize,
    packed: Vec<Packed>,
    /// Those of the last families, not packed yet.
    last: Vec<u8>,
    /// How many families these are.
    waiting: usize,
    /// Bytes in `packed`.
    bytes: u64,
}

/// Landings of [`TOGETHER`] families.
#[derive(Debug)]
struct Packed {
    /// Compressed, or as they are if that could not be had.
    bytes: Box<[u8]>,
    /// Bytes before they were compressed.
    length: u32,
}

impl Landings {
    /// None yet, of families with so many landings each.
    pub(crate) fn new(each: usize) -> Landings {
        Landings { each, packed: Vec::new(), last: Vec::new(), waiting: 0, bytes: 0 }
    }

    /// Adds those of one more family.
    pub(crate) fn push(&mut self, landings: &[Landing]) {
        debug_assert_eq!(landings.len(), self.each);
        for landing in landings {
            put(&mut self.last, u32::from(landing.slack));
            put(&mut self.last, landing.family);
        }
        self.waiting += 1;
        if self.waiting == TOGETHER {
            let length = self.last.len();
            // Where there is no zstd, or no memory for it, they stay as they are.
            let bytes = match zstd::bulk::compress(&self.last, ZSTD_LEVEL) {
                Ok(bytes) if bytes.len() < length => bytes.into_boxed_slice(),
                _ => self.last.as_slice().into(),
            };
            self.bytes += bytes.len() as u64;
            self.packed.push(Packed { bytes, length: length as u32 });
            self.last.clear();
            self.waiting = 0;
        }
    }

    /// Those of each family, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Vec<Landing>> + '_ {
        let packed = self.packed.iter().flat_map(move |packed| {
            let bytes = packed.unpacked();
            let mut at = 0;
            (0..TOGETHER).map(move |_| self.take(&bytes, &mut at))
        });
        let mut at = 0;
        packed.chain((0..self.waiting).map(move |_| self.take(&self.last, &mut at)))
    }

    fn take(&self, bytes: &[u8], at: &mut usize) -> Vec<Landing> {
        let mut number = || {
            let (mut value, mut shift) = (0, 0);
            loop {
                let byte = bytes[*at];
                *at += 1;
                value |= u32::from(byte & 0x7F) << shift;
                shift += 7;
                if byte < 0x80 {
                    return value;
                }
            }
        };
        (0..self.each).map(|_| Landing { slack: number() as u16, family: number() }).collect()
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes + (self.packed.capacity() * size_of::<Packed>() + self.last.capacity()) as u64
    }
}

impl Packed {
    fn unpacked(&self) -> Vec<u8> {
        if self.bytes.len() == self.length as usize {
            return self.bytes.to_vec();
        }
        zstd::bulk::decompress(&self.bytes, self.length as usize)
            .expect("what was compressed here can be had back")
    }
}

/// A varint: seven bits a byte, the lowest first, and the high bit where more follow.
pub(crate) fn put(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever their number: none, those that wait, and packed ones before them; and whether they
    /// can be compressed or not.
    #[test]
    fn they_come_back_as_they_went_in() {
        for noise in [0, u32::MAX] {
            let mut seed = 5_u32;
            let mut landings = Landings::new(9);
            let mut all: Vec<Vec<Landing>> = Vec::new();
            for _ in 0..=2 * TOGETHER + 7 {
                assert!(landings.iter().eq(all.iter().cloned()));
                let family: Vec<Landing> = (0..9)
                    .map(|_| {
                        seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
                        Landing {
                            slack: (seed >> 23) as u16,
                            family: (seed & noise) >> (seed >> 27),
                        }
                    })
                    .collect();
                landings.push(&family);
                all.push(family);
            }
            assert_eq!(landings.packed.len(), 2);
            let packed: usize = landings.packed.iter().map(|packed| packed.bytes.len()).sum();
            assert_eq!(landings.bytes, packed as u64);
            assert!(landings.bytes() > landings.bytes);
        }
        let none = Landings::new(0);
        assert_eq!((none.iter().count(), none.bytes()), (0, 0));
    }
}
