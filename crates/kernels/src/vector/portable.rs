//! Operations on plain words, which the compiler turns into baseline instructions of the target.

use super::{CellVector, LANES, Line, PLANES, SetVector, TileVector, Vector};

/// Eight words. The methods run on any machine.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Words(Line);

impl Words {
    #[inline(always)]
    fn zip(self, other: Words, f: impl Fn(u64, u64) -> u64) -> Words {
        let mut out = self;
        for lane in 0..LANES {
            out.0[lane] = f(self.0[lane], other.0[lane]);
        }
        out
    }

    /// Implements [`TileVector::spread`]: transposes bit matrices by swaps between words, then
    /// within words. AVX2 uses the same code.
    #[inline(always)]
    pub(super) fn spread_by_swaps(planes: &[Words; PLANES], out: &mut [[u8; 64]; LANES]) {
        let mut words = *planes;
        // Transpose 8 x 8 bytes: byte j of word p moves to byte p of word j.
        for (distance, mask) in
            [(4, 0x0000_0000_FFFF_FFFF), (2, 0x0000_FFFF_0000_FFFF), (1, 0x00FF_00FF_00FF_00FF)]
        {
            let shift = 8 * distance;
            for low in (0..8).filter(|word| word & distance == 0) {
                let (x, y) = (words[low], words[low + distance]);
                let swap = x.zip(y, |x, y| ((x >> shift) ^ y) & mask);
                words[low] = x.zip(swap, |x, t| x ^ (t << shift));
                words[low + distance] = y.zip(swap, |y, t| y ^ t);
            }
        }
        for (j, word) in words.iter().enumerate() {
            // Transpose 8 x 8 bits: bit i of byte p moves to bit p of byte i.
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

// SAFETY: this impl and those below run on every machine, so the condition of the traits always
// holds.
impl Vector for Words {
    #[inline(always)]
    unsafe fn splat(word: u64) -> Words {
        Words([word; LANES])
    }

    #[inline(always)]
    unsafe fn and(self, other: Words) -> Words {
        self.zip(other, |x, y| x & y)
    }

    #[inline(always)]
    unsafe fn or(self, other: Words) -> Words {
        self.zip(other, |x, y| x | y)
    }

    #[inline(always)]
    unsafe fn xor(self, other: Words) -> Words {
        self.zip(other, |x, y| x ^ y)
    }

    #[inline(always)]
    unsafe fn and_not(self, other: Words) -> Words {
        self.zip(other, |x, y| x & !y)
    }
}

impl TileVector for Words {
    #[inline(always)]
    unsafe fn lowest(self) -> Words {
        self.zip(self, |x, _| x & x.wrapping_neg())
    }

    #[inline(always)]
    unsafe fn where_zero(self, other: Words) -> Words {
        self.zip(other, |x, y| x & u64::from(y == 0).wrapping_neg())
    }

    #[inline(always)]
    unsafe fn any(self) -> bool {
        self.0.iter().fold(0, |all, &x| all | x) != 0
    }

    #[inline(always)]
    unsafe fn with_lane(self, lane: usize, other: Words) -> Words {
        let mut out = self;
        out.0[lane] = other.0[lane];
        out
    }

    #[inline(always)]
    unsafe fn shift_in(self, from: Words) -> Words {
        let [a, b, c, d, e, f, g, _] = self.0;
        Words([from.0[LANES - 1], a, b, c, d, e, f, g])
    }

    #[inline(always)]
    unsafe fn where_differ(self, x: Words, y: Words) -> Words {
        let mut out = self;
        for lane in 0..LANES {
            out.0[lane] &= u64::from(x.0[lane] != y.0[lane]).wrapping_neg();
        }
        out
    }

    #[inline(always)]
    unsafe fn meets(self, other: Words) -> u8 {
        (0..LANES).fold(0, |set, lane| set | (u8::from(self.0[lane] & other.0[lane] != 0) << lane))
    }

    #[inline(always)]
    unsafe fn last(self) -> u64 {
        self.0[LANES - 1]
    }

    #[inline(always)]
    unsafe fn spread(planes: &[Words; PLANES], out: &mut [[u8; 64]; LANES]) {
        Words::spread_by_swaps(planes, out);
    }
}

/// Doubles the low half of a word: bit i becomes bits 2i and 2i + 1.
#[inline(always)]
pub(crate) fn doubled_word(half: u64) -> u64 {
    let mut x = half & 0xFFFF_FFFF;
    x = (x | x << 16) & 0x0000_FFFF_0000_FFFF;
    x = (x | x << 8) & 0x00FF_00FF_00FF_00FF;
    x = (x | x << 4) & 0x0F0F_0F0F_0F0F_0F0F;
    x = (x | x << 2) & 0x3333_3333_3333_3333;
    x = (x | x << 1) & 0x5555_5555_5555_5555;
    x | x << 1
}

impl SetVector for Words {
    #[inline(always)]
    unsafe fn doubled(half: &[u64; LANES / 2]) -> Words {
        let mut out = [0; LANES];
        for (two, word) in out.as_chunks_mut::<2>().0.iter_mut().zip(half) {
            *two = [doubled_word(*word), doubled_word(word >> 32)];
        }
        Words(out)
    }
}

/// Compares one cell after another. Faster code leaves the last cells to this function.
#[inline(always)]
pub(super) fn one_by_one<T: Copy + Eq>(cells: &[T], value: T) -> u64 {
    cells.iter().enumerate().fold(0, |mask, (at, &cell)| mask | u64::from(cell == value) << at)
}

impl CellVector for Words {
    /// Compares eight bytes at a time in a word. The xor with the value makes equal bytes zero. The
    /// high bits of zero bytes are set, and a multiplication gathers them. The result is exact,
    /// because the eight products set different bits of the top byte, so no carry occurs.
    #[inline(always)]
    unsafe fn equal_bytes(cells: &[u8], value: u8) -> u64 {
        const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
        const GATHER: u64 = 0x0002_0408_1020_4081;
        let pattern = u64::from_le_bytes([value; 8]);
        let (eights, rest) = cells.as_chunks::<8>();
        let mut mask = 0;
        for (at, eight) in eights.iter().enumerate() {
            let differing = u64::from_le_bytes(*eight) ^ pattern;
            let zero = !(((differing & LOW) + LOW) | differing | LOW);
            mask |= ((zero >> 7).wrapping_mul(GATHER) >> 49 & 0xFF) << (8 * at);
        }
        if !rest.is_empty() {
            mask |= one_by_one(rest, value) << (8 * eights.len());
        }
        mask
    }

    #[inline(always)]
    unsafe fn equal_pairs(cells: &[u16], value: u16) -> u64 {
        one_by_one(cells, value)
    }
}
