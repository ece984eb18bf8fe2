//! AVX-512 and GFNI: one vector of 512 bits.

use std::arch::x86_64::{
    __m256i, __m512i, _mm256_loadu_si256, _mm512_alignr_epi64, _mm512_and_si512,
    _mm512_andnot_si512, _mm512_cmpneq_epi64_mask, _mm512_cvtepu32_epi64,
    _mm512_gf2p8affine_epi64_epi8, _mm512_mask_cmpeq_epi8_mask, _mm512_mask_cmpeq_epi16_mask,
    _mm512_mask_mov_epi64, _mm512_maskz_loadu_epi8, _mm512_maskz_loadu_epi16,
    _mm512_maskz_mov_epi64, _mm512_multishift_epi64_epi8, _mm512_or_si512, _mm512_permutexvar_epi8,
    _mm512_set1_epi8, _mm512_set1_epi16, _mm512_set1_epi64, _mm512_setzero_si512,
    _mm512_shuffle_i64x2, _mm512_sub_epi64, _mm512_test_epi64_mask, _mm512_testn_epi64_mask,
    _mm512_unpackhi_epi64, _mm512_unpacklo_epi64, _mm512_xor_si512,
};
use std::mem::transmute;

use super::{CellVector, LANES, Line, PLANES, SetVector, TileVector, Vector, Work};

#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Avx512(__m512i);

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,bmi1")]
pub(super) fn run(work: impl Work) {
    // SAFETY: the caller promises that the machine has the target features of this function.
    unsafe { work.run::<Avx512>() }
}

impl Vector for Avx512 {
    compiled_for! { "avx512f";
        unsafe fn splat(word: u64) -> Avx512 {
            Avx512(_mm512_set1_epi64(word.cast_signed()))
        }

        unsafe fn and(self, other: Avx512) -> Avx512 {
            Avx512(_mm512_and_si512(self.0, other.0))
        }

        unsafe fn or(self, other: Avx512) -> Avx512 {
            Avx512(_mm512_or_si512(self.0, other.0))
        }

        unsafe fn xor(self, other: Avx512) -> Avx512 {
            Avx512(_mm512_xor_si512(self.0, other.0))
        }

        unsafe fn and_not(self, other: Avx512) -> Avx512 {
            // The instruction negates its first operand.
            Avx512(_mm512_andnot_si512(other.0, self.0))
        }
    }
}

/// The source of each byte: byte 8 j + q comes from byte 8 (7 - q) + j, because the affine
/// instruction counts the rows of its matrix from the top.
const BYTES_ACROSS: [u8; 64] = {
    let mut index = [0; 64];
    let mut at = 0;
    while at < 64 {
        index[at] = ((7 - at % 8) * 8 + at / 8) as u8;
        at += 1;
    }
    index
};

impl TileVector for Avx512 {
    compiled_for! { "avx512f";
        unsafe fn lowest(self) -> Avx512 {
            Avx512(_mm512_and_si512(self.0, _mm512_sub_epi64(_mm512_setzero_si512(), self.0)))
        }

        unsafe fn where_zero(self, other: Avx512) -> Avx512 {
            Avx512(_mm512_maskz_mov_epi64(_mm512_testn_epi64_mask(other.0, other.0), self.0))
        }

        unsafe fn any(self) -> bool {
            _mm512_test_epi64_mask(self.0, self.0) != 0
        }

        unsafe fn with_lane(self, lane: usize, other: Avx512) -> Avx512 {
            Avx512(_mm512_mask_mov_epi64(self.0, 1 << lane, other.0))
        }

        unsafe fn shift_in(self, from: Avx512) -> Avx512 {
            Avx512(_mm512_alignr_epi64::<7>(self.0, from.0))
        }

        unsafe fn where_differ(self, x: Avx512, y: Avx512) -> Avx512 {
            Avx512(_mm512_maskz_mov_epi64(_mm512_cmpneq_epi64_mask(x.0, y.0), self.0))
        }

        unsafe fn meets(self, other: Avx512) -> u8 {
            _mm512_test_epi64_mask(self.0, other.0)
        }

        unsafe fn last(self) -> u64 {
            // SAFETY: this turns 64 plain bytes into 64 plain bytes.
            unsafe { transmute::<Avx512, Line>(self)[LANES - 1] }
        }
    }

    compiled_for! { "avx512f,avx512vbmi,gfni";
        /// Transposes 8 x 8 words, then bytes, then bits, each with one kind of instruction.
        unsafe fn spread(planes: &[Avx512; PLANES], out: &mut [[u8; 64]; LANES]) {
            // SAFETY: this turns 64 plain bytes into 64 plain bytes.
            let across = unsafe { transmute::<[u8; 64], __m512i>(BYTES_ACROSS) };
            let identity = _mm512_set1_epi64(0x8040_2010_0804_0201_u64.cast_signed());
            for odd in 0..2 {
                // The 128-bit block b of pairs[i] consists of planes 2i, 2i + 1 of lane 2b + odd.
                // (Use loops: a library function that takes a closure would be compiled without the
                // features, and perhaps not inlined.)
                let mut pairs = [planes[0].0; 4];
                for (pair, two) in pairs.iter_mut().zip(planes.as_chunks::<2>().0) {
                    *pair = match odd {
                        0 => _mm512_unpacklo_epi64(two[0].0, two[1].0),
                        _ => _mm512_unpackhi_epi64(two[0].0, two[1].0),
                    };
                }
                let low01 = _mm512_shuffle_i64x2::<0x44>(pairs[0], pairs[1]);
                let high01 = _mm512_shuffle_i64x2::<0xEE>(pairs[0], pairs[1]);
                let low23 = _mm512_shuffle_i64x2::<0x44>(pairs[2], pairs[3]);
                let high23 = _mm512_shuffle_i64x2::<0xEE>(pairs[2], pairs[3]);
                let lanes = [
                    _mm512_shuffle_i64x2::<0x88>(low01, low23),
                    _mm512_shuffle_i64x2::<0xDD>(low01, low23),
                    _mm512_shuffle_i64x2::<0x88>(high01, high23),
                    _mm512_shuffle_i64x2::<0xDD>(high01, high23),
                ];
                for (b, &lane) in lanes.iter().enumerate() {
                    let rows = _mm512_permutexvar_epi8(across, lane);
                    let bytes = _mm512_gf2p8affine_epi64_epi8::<0>(identity, rows);
                    // SAFETY: this turns 64 plain bytes into 64 plain bytes.
                    out[2 * b + odd] = unsafe { transmute::<__m512i, [u8; 64]>(bytes) };
                }
            }
        }
    }
}

impl SetVector for Avx512 {
    compiled_for! { "avx512f,avx512vbmi,gfni";
        /// Widens each group of 32 bits to a word. Byte j of the word takes the four bits from bit
        /// 4 j on. A multiplication by a bit matrix doubles these bits.
        unsafe fn doubled(half: &[u64; LANES / 2]) -> Avx512 {
            // The row for bit i of the result (counted from the top) contains only bit i / 2.
            const DOUBLE: u64 = 0x0101_0202_0404_0808;
            const EVERY_FOUR: u64 = 0x1C18_1410_0C08_0400;
            // SAFETY: 32 bytes are readable, and the load needs no alignment.
            let words = unsafe { _mm256_loadu_si256(half.as_ptr().cast::<__m256i>()) };
            let open = _mm512_cvtepu32_epi64(words);
            let every_four = _mm512_set1_epi64(EVERY_FOUR.cast_signed());
            let fours = _mm512_multishift_epi64_epi8(every_four, open);
            let double = _mm512_set1_epi64(DOUBLE.cast_signed());
            Avx512(_mm512_gf2p8affine_epi64_epi8::<0>(fours, double))
        }
    }
}

impl CellVector for Avx512 {
    compiled_for! { "avx512f,avx512bw";
        unsafe fn equal_bytes(cells: &[u8], value: u8) -> u64 {
            let sought = _mm512_set1_epi8(value.cast_signed());
            let lanes = u64::MAX >> (64 - cells.len());
            // SAFETY: this reads only the first `cells.len()` bytes; the caller promises 1 to 64.
            let loaded = unsafe { _mm512_maskz_loadu_epi8(lanes, cells.as_ptr().cast()) };
            _mm512_mask_cmpeq_epi8_mask(lanes, loaded, sought)
        }

        unsafe fn equal_pairs(cells: &[u16], value: u16) -> u64 {
            let sought = _mm512_set1_epi16(value.cast_signed());
            let mut mask = 0;
            for (at, half) in cells.chunks(32).enumerate() {
                let lanes = u32::MAX >> (32 - half.len());
                // SAFETY: this reads only `half.len()` values, 1 to 32, because no chunk is empty.
                let loaded = unsafe { _mm512_maskz_loadu_epi16(lanes, half.as_ptr().cast()) };
                let bits = _mm512_mask_cmpeq_epi16_mask(lanes, loaded, sought);
                mask |= u64::from(bits) << (32 * at);
            }
            mask
        }
    }
}
