//! The landings of families, kept for the certificate.
//!
//! A landing is the position after a move of a family. A search does not need the landings once a
//! family is found, but they make up most of a certificate. So they are stored as varints, as in
//! the certificate. They are compressed in packs, because families of one pile are similar. A pack
//! contains first all slacks (see [`Landing`]) and then all family numbers, both level by level,
//! because numbers of one level are similar.
//!
//! Larger packs take less memory per family. So packs grow: 16 waiting families make one pack,
//! eight packs of 16 merge into one of 128, and eight of these into one of 1024.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use crate::no_zstd as zstd;

const WAITING: usize = 16;

const MERGED: usize = 8;

/// The number of families of the largest packs. Larger packs would save little.
const LARGEST: usize = WAITING * MERGED * MERGED;

/// The compression level. Higher levels save a twentieth, but take five times as long.
const ZSTD_LEVEL: i32 = 1;

/// The position after one move of a family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Landing {
    /// m - T(i), from 0 to i. The pile m of level i remains after the move.
    pub(crate) slack: u16,
    pub(crate) family: u32,
}

#[derive(Debug)]
pub(crate) struct Landings {
    /// The packs of the first families, in order. The largest packs come first.
    packs: Vec<Pack>,
    /// The number of bytes that the packs take on the heap.
    packed: usize,
    /// The landings of the last families, which are not packed yet.
    waiting: Box<[u8]>,
    count: u16,
    each: u16,
}

#[derive(Debug)]
struct Pack {
    /// The bytes of the pack. They are uncompressed if compression fails or does not help.
    bytes: Box<[u8]>,
    length: u32,
    count: u16,
}

impl Landings {
    pub(crate) fn new(each: u16) -> Landings {
        Landings { packs: Vec::new(), packed: 0, waiting: Box::default(), count: 0, each }
    }

    pub(crate) fn push(&mut self, landings: &[Landing]) {
        // Without zstd, or if it lacks memory, the bytes stay uncompressed.
        self.push_by(landings, |bytes| zstd::bulk::compress(bytes, ZSTD_LEVEL).ok());
    }

    /// Does the same as [`Landings::push`], with a given function for compression, which may fail.
    fn push_by(&mut self, landings: &[Landing], compress: impl Fn(&[u8]) -> Option<Vec<u8>>) {
        debug_assert_eq!(landings.len(), usize::from(self.each));
        let mut new = Vec::with_capacity(landings.len() * 2);
        for landing in landings {
            put(&mut new, u32::from(landing.slack));
            put(&mut new, landing.family);
        }
        let mut waiting = std::mem::take(&mut self.waiting).into_vec();
        waiting.reserve_exact(new.len());
        waiting.extend_from_slice(&new);
        self.waiting = waiting.into();
        self.count += 1;
        if usize::from(self.count) < WAITING {
            return;
        }
        let mut families: Vec<Landing> = self.waiting().collect();
        let mut count = std::mem::take(&mut self.count);
        self.waiting = Box::default();
        while let Some(first) = self.packs.len().checked_sub(MERGED - 1)
            && usize::from(count) < LARGEST
            && self.packs[first].count == count
        {
            let mut merged = Vec::with_capacity(families.len() * MERGED);
            for pack in self.packs.drain(first..) {
                self.packed -= pack.bytes.len();
                merged.append(&mut pack.families(self.each));
            }
            merged.append(&mut families);
            families = merged;
            count *= MERGED as u16;
        }
        self.packs.reserve_exact(1);
        let pack = Pack::of(&families, count, self.each, compress);
        self.packed += pack.bytes.len();
        self.packs.push(pack);
        self.packs.shrink_to_fit();
    }

    fn waiting(&self) -> impl Iterator<Item = Landing> + '_ {
        let mut bytes = &*self.waiting;
        (0..self.count * self.each)
            .map(move |_| Landing { slack: take(&mut bytes) as u16, family: take(&mut bytes) })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Vec<Landing>> + '_ {
        let packed = self.packs.iter().map(|pack| (pack.families(self.each), pack.count));
        let waiting = std::iter::once_with(|| (self.waiting().collect(), self.count));
        packed.chain(waiting).flat_map(|(families, count)| {
            let each = usize::from(self.each);
            (0..usize::from(count)).map(move |family| families[family * each..][..each].to_vec())
        })
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.packed + self.packs.capacity() * size_of::<Pack>() + self.waiting.len()) as u64
    }
}

impl Pack {
    /// Encodes the landings of `count` families one after another, `each` landings for each family.
    fn of(
        families: &[Landing],
        count: u16,
        each: u16,
        compress: impl Fn(&[u8]) -> Option<Vec<u8>>,
    ) -> Pack {
        let mut bytes = Vec::with_capacity(families.len() * 3);
        let each = usize::from(each);
        let by_level = || (0..each).flat_map(|i| families.iter().skip(i).step_by(each));
        by_level().for_each(|landing| put(&mut bytes, u32::from(landing.slack)));
        by_level().for_each(|landing| put(&mut bytes, landing.family));
        let length = bytes.len() as u32;
        let bytes = match compress(&bytes) {
            Some(compressed) if compressed.len() < bytes.len() => compressed,
            _ => bytes,
        };
        Pack { bytes: bytes.into(), length, count }
    }

    fn families(&self, each: u16) -> Vec<Landing> {
        let (count, each) = (usize::from(self.count), usize::from(each));
        let mut families = vec![Landing::default(); count * each];
        let unpacked;
        let mut bytes = if self.bytes.len() == self.length as usize {
            &*self.bytes
        } else {
            unpacked = zstd::bulk::decompress(&self.bytes, self.length as usize)
                .expect("bytes that were compressed here can be decompressed");
            &unpacked
        };
        for i in 0..each {
            families
                .iter_mut()
                .skip(i)
                .step_by(each)
                .for_each(|landing| landing.slack = take(&mut bytes) as u16);
        }
        for i in 0..each {
            families
                .iter_mut()
                .skip(i)
                .step_by(each)
                .for_each(|landing| landing.family = take(&mut bytes));
        }
        families
    }
}

fn take(bytes: &mut &[u8]) -> u32 {
    let (mut value, mut shift) = (0, 0);
    loop {
        let (&byte, rest) = bytes.split_first().expect("each number that was written can be read");
        *bytes = rest;
        value |= u32::from(byte & 0x7F) << shift;
        shift += 7;
        if byte < 0x80 {
            return value;
        }
    }
}

/// Appends a varint: seven bits per byte, lowest first. The high bit is set if more bytes follow.
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

    /// Returns the landings of `count` families, `each` for each family. If `noise` is zero, all
    /// landings lead to family 0.
    fn families(count: usize, each: usize, noise: u32) -> Vec<Vec<Landing>> {
        let mut seed = 5_u32;
        let mut landing = || {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            Landing { slack: (seed >> 23) as u16, family: (seed & noise) >> (seed >> 27) }
        };
        (0..count).map(|_| (0..each).map(|_| landing()).collect()).collect()
    }

    fn sizes(landings: &Landings) -> Vec<usize> {
        landings.packs.iter().map(|pack| usize::from(pack.count)).collect()
    }

    /// Reads the store when it is empty, has only waiting families, or has packs of each size.
    /// Compression never fails, always fails, or sometimes fails.
    #[test]
    fn landings_come_back_unchanged() {
        let always = |_: usize| true;
        let some = |k: usize| !k.is_multiple_of(3);
        let none = |_: usize| false;
        for (noise, zstd) in [
            (0, &always as &dyn Fn(usize) -> bool),
            (u32::MAX, &always),
            (0, &some),
            (u32::MAX, &some),
            (0, &none),
        ] {
            let all = families(LARGEST + WAITING * MERGED + WAITING + 3, 9, noise);
            let mut landings = Landings::new(9);
            let calls = std::cell::Cell::new(0);
            for (k, family) in all.iter().enumerate() {
                if k % 97 == 0 || k % WAITING <= 1 && k < 300 {
                    assert!(landings.iter().eq(all[..k].iter().cloned()), "{k}");
                }
                landings.push_by(family, |bytes| {
                    calls.set(calls.get() + 1);
                    zstd(calls.get()).then(|| zstd::bulk::compress(bytes, ZSTD_LEVEL).unwrap())
                });
            }
            assert!(landings.iter().eq(all.iter().cloned()));
            assert_eq!(sizes(&landings), [LARGEST, WAITING * MERGED, WAITING]);
            assert_eq!(calls.get(), all.len() / WAITING);
            let packed: usize = landings.packs.iter().map(|pack| pack.bytes.len()).sum();
            let others = 3 * size_of::<Pack>() + landings.waiting.len();
            assert_eq!(landings.bytes(), (packed + others) as u64);
            if !zstd(1) && !zstd(2) {
                assert!(landings.packs.iter().all(|pack| pack.bytes.len() == pack.length as usize));
            }
        }
        let none = Landings::new(0);
        assert_eq!((none.iter().count(), none.bytes()), (0, 0));
    }

    /// Families of the piles 0, 1 and 2 have no landings.
    #[test]
    fn a_family_may_have_no_landings() {
        let mut landings = Landings::new(0);
        (0..300).for_each(|_| landings.push(&[]));
        assert_eq!(landings.iter().collect::<Vec<_>>(), vec![Vec::new(); 300]);
    }
}
