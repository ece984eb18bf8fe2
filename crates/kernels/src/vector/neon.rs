//! NEON: four vectors of 128 bits.

use std::arch::aarch64::{
    uint8x16_t, uint64x2_t, vaddvq_u64, vandq_u8, vandq_u64, vbicq_u64, vbslq_u8, vbslq_u64,
    vceqq_u8, vceqq_u16, vceqq_u64, vceqzq_u64, vdupq_n_u8, vdupq_n_u16, vdupq_n_u64, veorq_u64,
    vextq_u64, vgetq_lane_u64, vld1q_u8, vld1q_u16, vmaxvq_u32, vnegq_s64, vorrq_u64, vpaddq_u8,
    vqtbl1q_u8, vreinterpretq_s64_u64, vreinterpretq_u8_u16, vreinterpretq_u8_u64,
    vreinterpretq_u32_u64, vreinterpretq_u64_s64, vreinterpretq_u64_u8, vshlq_n_u8, vshrq_n_u8,
    vsliq_n_u8, vsriq_n_u8, vtstq_u64, vuzp1q_u8, vzip1q_u8, vzip2q_u8,
};
use std::mem::transmute;

use super::portable::one_by_one;
use super::{CellVector, LANES, PLANES, SetVector, TileVector, Vector, Work};

/// The number of 128-bit vectors in a line.
const PARTS: usize = 4;
/// The number of lanes in a part.
const EACH: usize = LANES / PARTS;
/// Vectors in which one of the two lanes consists of ones.
const ONE_LANE: [[u64; EACH]; EACH] = [[u64::MAX, 0], [0, u64::MAX]];
/// Vectors with bit i in lane i.
const LANE_BITS: [[u64; EACH]; PARTS] = [[1, 2], [4, 8], [16, 32], [64, 128]];

/// Four 128-bit vectors.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Neon([uint64x2_t; PARTS]);

#[target_feature(enable = "neon")]
pub(super) fn run(work: impl Work) {
    // SAFETY: the caller promises that the machine has the target features of this function.
    unsafe { work.run::<Neon>() }
}

#[inline]
#[target_feature(enable = "neon")]
fn two(words: [u64; EACH]) -> uint64x2_t {
    // SAFETY: this turns 16 plain bytes into 16 plain bytes.
    unsafe { transmute::<[u64; EACH], uint64x2_t>(words) }
}

impl Neon {
    /// Applies `f` to each part. (Uses a loop, because a closure that a library function calls is
    /// compiled without the features.)
    #[inline(always)]
    fn zip(self, other: Neon, f: impl Fn(uint64x2_t, uint64x2_t) -> uint64x2_t) -> Neon {
        let mut out = self;
        for part in 0..PARTS {
            out.0[part] = f(self.0[part], other.0[part]);
        }
        out
    }
}

impl Vector for Neon {
    compiled_for! { "neon";
        unsafe fn splat(word: u64) -> Neon {
            Neon([vdupq_n_u64(word); PARTS])
        }

        unsafe fn and(self, other: Neon) -> Neon {
            self.zip(other, |x, y| vandq_u64(x, y))
        }

        unsafe fn or(self, other: Neon) -> Neon {
            self.zip(other, |x, y| vorrq_u64(x, y))
        }

        unsafe fn xor(self, other: Neon) -> Neon {
            self.zip(other, |x, y| veorq_u64(x, y))
        }

        unsafe fn and_not(self, other: Neon) -> Neon {
            self.zip(other, |x, y| vbicq_u64(x, y))
        }
    }
}

impl TileVector for Neon {
    compiled_for! { "neon";
        unsafe fn lowest(self) -> Neon {
            self.zip(self, |x, _| {
                let negative = vreinterpretq_u64_s64(vnegq_s64(vreinterpretq_s64_u64(x)));
                vandq_u64(x, negative)
            })
        }

        unsafe fn where_zero(self, other: Neon) -> Neon {
            self.zip(other, |x, y| vandq_u64(x, vceqzq_u64(y)))
        }

        unsafe fn any(self) -> bool {
            let [a, b, c, d] = self.0;
            let all = vorrq_u64(vorrq_u64(a, b), vorrq_u64(c, d));
            vmaxvq_u32(vreinterpretq_u32_u64(all)) != 0
        }

        unsafe fn with_lane(self, lane: usize, other: Neon) -> Neon {
            let mut out = self;
            let (part, within) = (lane / EACH, lane % EACH);
            out.0[part] = vbslq_u64(two(ONE_LANE[within]), other.0[part], self.0[part]);
            out
        }

        unsafe fn shift_in(self, from: Neon) -> Neon {
            let [a, b, c, d] = self.0;
            Neon([
                vextq_u64::<1>(from.0[PARTS - 1], a),
                vextq_u64::<1>(a, b),
                vextq_u64::<1>(b, c),
                vextq_u64::<1>(c, d),
            ])
        }

        unsafe fn where_differ(self, x: Neon, y: Neon) -> Neon {
            let mut out = self;
            for part in 0..PARTS {
                out.0[part] = vbicq_u64(self.0[part], vceqq_u64(x.0[part], y.0[part]));
            }
            out
        }

        unsafe fn meets(self, other: Neon) -> u8 {
            let mut set = vdupq_n_u64(0);
            for part in 0..PARTS {
                let meet = vtstq_u64(self.0[part], other.0[part]);
                set = vorrq_u64(set, vandq_u64(meet, two(LANE_BITS[part])));
            }
            // No bit is set in two lanes.
            vaddvq_u64(set) as u8
        }

        unsafe fn last(self) -> u64 {
            vgetq_lane_u64::<1>(self.0[PARTS - 1])
        }

        /// Byte j of the planes of a lane is a matrix of 8 x 8 bits, with one row for each plane.
        /// Swaps between the planes transpose all these matrices together. Then byte j of the i-th
        /// vector is the value of column 8 j + i. Three rounds of zips bring the bytes of the eight
        /// vectors into order. Each round works at half the distance of the round before.
        unsafe fn spread(planes: &[Neon; PLANES], out: &mut [[u8; 64]; LANES]) {
            for (part, lanes) in out.as_chunks_mut::<EACH>().0.iter_mut().enumerate() {
                let mut rows = [vdupq_n_u8(0); PLANES];
                for (row, plane) in rows.iter_mut().zip(planes) {
                    *row = vreinterpretq_u8_u64(plane.0[part]);
                }
                for low in 0..4 {
                    let (x, y) = (rows[low], rows[low + 4]);
                    rows[low] = vsliq_n_u8::<4>(x, y);
                    rows[low + 4] = vsriq_n_u8::<4>(y, x);
                }
                let mask = vdupq_n_u8(0x33);
                for low in [0, 1, 4, 5] {
                    let (x, y) = (rows[low], rows[low + 2]);
                    rows[low] = vbslq_u8(mask, x, vshlq_n_u8::<2>(y));
                    rows[low + 2] = vbslq_u8(mask, vshrq_n_u8::<2>(x), y);
                }
                let mask = vdupq_n_u8(0x55);
                for low in [0, 2, 4, 6] {
                    let (x, y) = (rows[low], rows[low + 1]);
                    rows[low] = vbslq_u8(mask, x, vshlq_n_u8::<1>(y));
                    rows[low + 1] = vbslq_u8(mask, vshrq_n_u8::<1>(x), y);
                }
                // The low halves of the vectors belong to the first lane, and the high halves to
                // the second; the first zip separates them.
                let [a, b, c, d, e, f, g, h] = rows;
                let sides = [
                    [vzip1q_u8(a, e), vzip1q_u8(b, f), vzip1q_u8(c, g), vzip1q_u8(d, h)],
                    [vzip2q_u8(a, e), vzip2q_u8(b, f), vzip2q_u8(c, g), vzip2q_u8(d, h)],
                ];
                for ([ae, bf, cg, dh], lane) in sides.into_iter().zip(lanes) {
                    let even = [vzip1q_u8(ae, cg), vzip2q_u8(ae, cg)];
                    let odd = [vzip1q_u8(bf, dh), vzip2q_u8(bf, dh)];
                    let line = [
                        vzip1q_u8(even[0], odd[0]),
                        vzip2q_u8(even[0], odd[0]),
                        vzip1q_u8(even[1], odd[1]),
                        vzip2q_u8(even[1], odd[1]),
                    ];
                    // SAFETY: this turns 64 plain bytes into 64 plain bytes.
                    *lane = unsafe { transmute::<[uint8x16_t; PARTS], [u8; 64]>(line) };
                }
            }
        }
    }
}

/// The table of nibbles with every bit written twice.
const DOUBLED_NIBBLES: [u8; 16] = [
    0x00, 0x03, 0x0C, 0x0F, 0x30, 0x33, 0x3C, 0x3F, 0xC0, 0xC3, 0xCC, 0xCF, 0xF0, 0xF3, 0xFC, 0xFF,
];

impl SetVector for Neon {
    compiled_for! { "neon";
        /// Doubles the bits of each nibble with a table of sixteen entries.
        unsafe fn doubled(half: &[u64; LANES / 2]) -> Neon {
            // SAFETY: this turns 16 plain bytes into 16 plain bytes.
            let table = unsafe { transmute::<[u8; 16], uint8x16_t>(DOUBLED_NIBBLES) };
            let mut out = [vdupq_n_u64(0); PARTS];
            let pairs = out.as_chunks_mut::<2>().0.iter_mut();
            for (out, &quarter) in pairs.zip(half.as_chunks::<2>().0) {
                let bytes = vreinterpretq_u8_u64(two(quarter));
                let low = vqtbl1q_u8(table, vandq_u8(bytes, vdupq_n_u8(0x0F)));
                let high = vqtbl1q_u8(table, vshrq_n_u8::<4>(bytes));
                *out = [
                    vreinterpretq_u64_u8(vzip1q_u8(low, high)),
                    vreinterpretq_u64_u8(vzip2q_u8(low, high)),
                ];
            }
            Neon(out)
        }
    }
}

/// Returns a mask: bit i is set if byte i of `masks` is all ones. All other bytes must be 0.
#[inline]
#[target_feature(enable = "neon")]
fn bits_of(masks: [uint8x16_t; PARTS]) -> u64 {
    // Each byte keeps the bit that belongs to its index modulo 8. Three sums of neighbours combine
    // eight bytes without a carry.
    let place = vreinterpretq_u8_u64(vdupq_n_u64(0x8040_2010_0804_0201));
    let [a, b, c, d] = masks;
    let low = vpaddq_u8(vandq_u8(a, place), vandq_u8(b, place));
    let high = vpaddq_u8(vandq_u8(c, place), vandq_u8(d, place));
    let fours = vpaddq_u8(low, high);
    vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(fours, fours)))
}

/// Computes the mask of 1 to 64 cells from masks of sixteen cells. The last group consists of the
/// last sixteen cells, so some cells are compared twice.
#[inline]
#[target_feature(enable = "neon")]
fn by_sixteens<T: Copy + Eq>(cells: &[T], value: T, equal: impl Fn(&[T; 16]) -> uint8x16_t) -> u64 {
    let none = vdupq_n_u8(0);
    if let Some(cells) = cells.first_chunk::<64>() {
        let mut masks = [none; PARTS];
        for (mask, cells) in masks.iter_mut().zip(cells.as_chunks::<16>().0) {
            *mask = equal(cells);
        }
        return bits_of(masks);
    }
    let Some(last) = cells.last_chunk::<16>() else { return one_by_one(cells, value) };
    let mut masks = [none; PARTS];
    for (mask, cells) in masks.iter_mut().zip(cells.as_chunks::<16>().0) {
        *mask = equal(cells);
    }
    bits_of(masks) | bits_of([equal(last), none, none, none]) << (cells.len() - 16)
}

impl CellVector for Neon {
    compiled_for! { "neon";
        unsafe fn equal_bytes(cells: &[u8], value: u8) -> u64 {
            let sought = vdupq_n_u8(value);
            by_sixteens(cells, value, |cells| {
                // SAFETY: 16 bytes are readable, and the load needs no alignment.
                let loaded = unsafe { vld1q_u8(cells.as_ptr()) };
                vceqq_u8(loaded, sought)
            })
        }

        unsafe fn equal_pairs(cells: &[u16], value: u16) -> u64 {
            let sought = vdupq_n_u16(value);
            by_sixteens(cells, value, |cells| {
                let at = cells.as_ptr();
                // SAFETY: sixteen values are readable, and the loads need no alignment.
                let (low, high) = unsafe { (vld1q_u16(at), vld1q_u16(at.add(8))) };
                let low = vreinterpretq_u8_u16(vceqq_u16(low, sought));
                let high = vreinterpretq_u8_u16(vceqq_u16(high, sought));
                // Keep one byte of each two-byte mask.
                vuzp1q_u8(low, high)
            })
        }
    }
}
