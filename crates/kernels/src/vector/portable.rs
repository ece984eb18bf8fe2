//! Plain words, which any compiler turns into what the target's baseline has.

use super::{LANES, Lanes, PLANES, Vector};

/// Eight words.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Words([u64; LANES]);

impl Words {
    #[inline(always)]
    fn zip(self, other: Words, f: impl Fn(u64, u64) -> u64) -> Words {
        let mut out = self;
        for lane in 0..LANES {
            out.0[lane] = f(self.0[lane], other.0[lane]);
        }
        out
    }
}

impl Vector for Words {
    #[inline(always)]
    fn load(lanes: &Lanes) -> Words {
        Words(lanes.0)
    }

    #[inline(always)]
    fn store(self, lanes: &mut Lanes) {
        lanes.0 = self.0;
    }

    #[inline(always)]
    fn and(self, other: Words) -> Words {
        self.zip(other, |x, y| x & y)
    }

    #[inline(always)]
    fn or(self, other: Words) -> Words {
        self.zip(other, |x, y| x | y)
    }

    #[inline(always)]
    fn xor(self, other: Words) -> Words {
        self.zip(other, |x, y| x ^ y)
    }

    #[inline(always)]
    fn lowest(self) -> Words {
        self.zip(self, |x, _| x & x.wrapping_neg())
    }

    #[inline(always)]
    fn where_zero(self, other: Words) -> Words {
        self.zip(other, |x, y| x & u64::from(y == 0).wrapping_neg())
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.0.iter().fold(0, |all, &x| all | x) != 0
    }

    #[inline(always)]
    fn with_lane(self, lane: usize, other: Words) -> Words {
        let mut out = self;
        out.0[lane] = other.0[lane];
        out
    }

    #[inline(always)]
    fn shift_in(self, from: Words) -> Words {
        let [a, b, c, d, e, f, g, _] = self.0;
        Words([from.0[LANES - 1], a, b, c, d, e, f, g])
    }

    #[inline(always)]
    fn where_differ(self, x: Words, y: Words) -> Words {
        let mut out = self;
        for lane in 0..LANES {
            out.0[lane] &= u64::from(x.0[lane] != y.0[lane]).wrapping_neg();
        }
        out
    }

    #[inline(always)]
    fn meets(self, other: Words) -> u8 {
        (0..LANES).fold(0, |set, lane| set | (u8::from(self.0[lane] & other.0[lane] != 0) << lane))
    }

    #[inline(always)]
    fn last(self) -> u64 {
        self.0[LANES - 1]
    }

    /// Bit-matrix transposition by swaps between words, then within them.
    #[inline(always)]
    fn spread(planes: &[Words; PLANES], out: &mut [[u8; 64]; LANES]) {
        let mut words = *planes;
        // 8 x 8 bytes: word p, byte j  →  word j, byte p.
        for (distance, mask) in
            [(4, 0x0000_0000_FFFF_FFFF), (2, 0x0000_FFFF_0000_FFFF), (1, 0x00FF_00FF_00FF_00FF)]
        {
            let shift = 8 * distance;
            for low in (0..8).filter(|word| word & distance == 0) {
                let (x, y) = (words[low], words[low + distance]);
                let swap = x.zip(y, |x, y| ((x >> shift) ^ y) & mask);
                words[low] = x.zip(swap, |x, t| x ^ (t << shift));
                words[low + distance] = y.xor(swap);
            }
        }
        for (j, word) in words.iter().enumerate() {
            // 8 x 8 bits within the word: byte p, bit i  →  byte i, bit p.
            let mut x = *word;
            for (shift, mask) in [
                (7, 0x00AA_00AA_00AA_00AA),
                (14, 0x0000_CCCC_0000_CCCC),
                (28, 0x0000_0000_F0F0_F0F0),
            ] {
                x = x.zip(x, |x, _| {
                    let t = (x ^ (x >> shift)) & mask;
                    x ^ t ^ (t << shift)
                });
            }
            for (line, bits) in out.iter_mut().zip(x.0) {
                line[8 * j..8 * j + 8].copy_from_slice(&bits.to_le_bytes());
            }
        }
    }
}
