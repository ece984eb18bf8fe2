//! The x86-64 vectors.

use std::arch::x86_64::{
    __m256i, __m512i, _mm256_and_si256, _mm256_andnot_si256, _mm256_blend_epi32,
    _mm256_blendv_epi8, _mm256_castsi256_pd, _mm256_cmpeq_epi64, _mm256_extract_epi64,
    _mm256_movemask_pd, _mm256_or_si256, _mm256_permute4x64_epi64, _mm256_setzero_si256,
    _mm256_sub_epi64, _mm256_testz_si256, _mm256_xor_si256, _mm512_alignr_epi64, _mm512_and_si512,
    _mm512_cmpneq_epi64_mask, _mm512_gf2p8affine_epi64_epi8, _mm512_mask_mov_epi64,
    _mm512_maskz_mov_epi64, _mm512_or_si512, _mm512_permutexvar_epi8, _mm512_set1_epi64,
    _mm512_setzero_si512, _mm512_shuffle_i64x2, _mm512_sub_epi64, _mm512_test_epi64_mask,
    _mm512_testn_epi64_mask, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64, _mm512_xor_si512,
};
use std::mem::transmute;

use super::{LANES, Lanes, PLANES, Vector, Words};

/// All ones in one lane of four.
const ONE_LANE: [[u64; 4]; 4] =
    [[u64::MAX, 0, 0, 0], [0, u64::MAX, 0, 0], [0, 0, u64::MAX, 0], [0, 0, 0, u64::MAX]];

/// Two 256-bit vectors.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Avx2([__m256i; 2]);

// SAFETY, for every block in this impl: Avx2 is instantiated under
// #[target_feature(enable = "avx2,bmi1")] alone, which covers the intrinsics; transmutes are between 64
// plain bytes and 64 plain bytes.
impl Vector for Avx2 {
    #[inline(always)]
    fn load(lanes: &Lanes) -> Avx2 {
        // SAFETY: above.
        Avx2(unsafe { transmute::<[u64; LANES], [__m256i; 2]>(lanes.0) })
    }

    #[inline(always)]
    fn store(self, lanes: &mut Lanes) {
        // SAFETY: above.
        lanes.0 = unsafe { transmute::<[__m256i; 2], [u64; LANES]>(self.0) };
    }

    #[inline(always)]
    fn and(self, other: Avx2) -> Avx2 {
        // SAFETY: above.
        Avx2(unsafe {
            [_mm256_and_si256(self.0[0], other.0[0]), _mm256_and_si256(self.0[1], other.0[1])]
        })
    }

    #[inline(always)]
    fn or(self, other: Avx2) -> Avx2 {
        // SAFETY: above.
        Avx2(unsafe {
            [_mm256_or_si256(self.0[0], other.0[0]), _mm256_or_si256(self.0[1], other.0[1])]
        })
    }

    #[inline(always)]
    fn xor(self, other: Avx2) -> Avx2 {
        // SAFETY: above.
        Avx2(unsafe {
            [_mm256_xor_si256(self.0[0], other.0[0]), _mm256_xor_si256(self.0[1], other.0[1])]
        })
    }

    #[inline(always)]
    fn lowest(self) -> Avx2 {
        // SAFETY: above.
        unsafe {
            let zero = _mm256_setzero_si256();
            let minus = [_mm256_sub_epi64(zero, self.0[0]), _mm256_sub_epi64(zero, self.0[1])];
            self.and(Avx2(minus))
        }
    }

    #[inline(always)]
    fn where_zero(self, other: Avx2) -> Avx2 {
        // SAFETY: above.
        unsafe {
            let zero = _mm256_setzero_si256();
            let mask = [_mm256_cmpeq_epi64(other.0[0], zero), _mm256_cmpeq_epi64(other.0[1], zero)];
            self.and(Avx2(mask))
        }
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: above.
        unsafe {
            let all = _mm256_or_si256(self.0[0], self.0[1]);
            _mm256_testz_si256(all, all) == 0
        }
    }

    #[inline(always)]
    fn with_lane(self, lane: usize, other: Avx2) -> Avx2 {
        let mut out = self;
        let (half, within) = (lane / 4, lane % 4);
        // SAFETY: above.
        out.0[half] = unsafe {
            let this = transmute::<[u64; 4], __m256i>(ONE_LANE[within]);
            _mm256_blendv_epi8(self.0[half], other.0[half], this)
        };
        out
    }

    #[inline(always)]
    fn shift_in(self, from: Avx2) -> Avx2 {
        // SAFETY: above.
        unsafe {
            // Each half rotated by a lane; the lane that comes round goes one half on.
            let low = _mm256_permute4x64_epi64::<0x93>(self.0[0]);
            let high = _mm256_permute4x64_epi64::<0x93>(self.0[1]);
            let new = _mm256_permute4x64_epi64::<0x93>(from.0[1]);
            Avx2([_mm256_blend_epi32::<0x03>(low, new), _mm256_blend_epi32::<0x03>(high, low)])
        }
    }

    #[inline(always)]
    fn where_differ(self, x: Avx2, y: Avx2) -> Avx2 {
        // SAFETY: above.
        unsafe {
            let low = _mm256_cmpeq_epi64(x.0[0], y.0[0]);
            let high = _mm256_cmpeq_epi64(x.0[1], y.0[1]);
            Avx2([_mm256_andnot_si256(low, self.0[0]), _mm256_andnot_si256(high, self.0[1])])
        }
    }

    #[inline(always)]
    fn meets(self, other: Avx2) -> u8 {
        let both = self.and(other);
        // SAFETY: above.
        unsafe {
            let zero = _mm256_setzero_si256();
            let low = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(both.0[0], zero)));
            let high = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(both.0[1], zero)));
            !(low as u8 | (high as u8) << 4)
        }
    }

    #[inline(always)]
    fn last(self) -> u64 {
        // SAFETY: above.
        unsafe { _mm256_extract_epi64::<3>(self.0[1]) as u64 }
    }

    #[inline(always)]
    fn spread(planes: &[Avx2; PLANES], out: &mut [[u8; 64]; LANES]) {
        // SAFETY: above. The swaps on plain words vectorise as they stand.
        let words = unsafe { transmute::<[Avx2; PLANES], [Words; PLANES]>(*planes) };
        Words::spread(&words, out);
    }
}

/// One 512-bit vector.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Avx512(__m512i);

/// Byte 8 j + q of a vector comes from byte 8 (7 - q) + j: the affine
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

// SAFETY, for every block in this impl: Avx512 is instantiated under
// #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,bmi1")]
// alone, which covers the intrinsics; transmutes are between 64
// plain bytes and 64 plain bytes.
impl Vector for Avx512 {
    #[inline(always)]
    fn load(lanes: &Lanes) -> Avx512 {
        // SAFETY: above.
        Avx512(unsafe { transmute::<[u64; LANES], __m512i>(lanes.0) })
    }

    #[inline(always)]
    fn store(self, lanes: &mut Lanes) {
        // SAFETY: above.
        lanes.0 = unsafe { transmute::<__m512i, [u64; LANES]>(self.0) };
    }

    #[inline(always)]
    fn and(self, other: Avx512) -> Avx512 {
        // SAFETY: above.
        Avx512(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Avx512) -> Avx512 {
        // SAFETY: above.
        Avx512(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Avx512) -> Avx512 {
        // SAFETY: above.
        Avx512(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn lowest(self) -> Avx512 {
        // SAFETY: above.
        Avx512(unsafe {
            _mm512_and_si512(self.0, _mm512_sub_epi64(_mm512_setzero_si512(), self.0))
        })
    }

    #[inline(always)]
    fn where_zero(self, other: Avx512) -> Avx512 {
        // SAFETY: above.
        Avx512(unsafe { _mm512_maskz_mov_epi64(_mm512_testn_epi64_mask(other.0, other.0), self.0) })
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: above.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) != 0 }
    }

    #[inline(always)]
    fn with_lane(self, lane: usize, other: Avx512) -> Avx512 {
        // SAFETY: above.
        Avx512(unsafe { _mm512_mask_mov_epi64(self.0, 1 << lane, other.0) })
    }

    #[inline(always)]
    fn shift_in(self, from: Avx512) -> Avx512 {
        // SAFETY: above.
        Avx512(unsafe { _mm512_alignr_epi64::<7>(self.0, from.0) })
    }

    #[inline(always)]
    fn where_differ(self, x: Avx512, y: Avx512) -> Avx512 {
        // SAFETY: above.
        Avx512(unsafe { _mm512_maskz_mov_epi64(_mm512_cmpneq_epi64_mask(x.0, y.0), self.0) })
    }

    #[inline(always)]
    fn meets(self, other: Avx512) -> u8 {
        // SAFETY: above.
        unsafe { _mm512_test_epi64_mask(self.0, other.0) }
    }

    #[inline(always)]
    fn last(self) -> u64 {
        // SAFETY: above.
        unsafe { transmute::<__m512i, [u64; LANES]>(self.0)[LANES - 1] }
    }

    /// Transposition of 8 x 8 words, then bytes, then bits, each in one kind of
    /// instruction.
    #[inline(always)]
    fn spread(planes: &[Avx512; PLANES], out: &mut [[u8; 64]; LANES]) {
        // SAFETY: above.
        unsafe {
            let p = transmute::<[Avx512; PLANES], [__m512i; PLANES]>(*planes);
            let across = transmute::<[u8; 64], __m512i>(BYTES_ACROSS);
            let identity = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
            for odd in 0..2 {
                // 128-bit block b of pairs[i] = planes 2i, 2i + 1 of lane 2b + odd.
                // (Loops, not closures: a closure that is not inlined is compiled
                // without the features, and turns each intrinsic into a call.)
                let mut pairs = [p[0]; 4];
                for (pair, two) in pairs.iter_mut().zip(p.as_chunks::<2>().0) {
                    *pair = match odd {
                        0 => _mm512_unpacklo_epi64(two[0], two[1]),
                        _ => _mm512_unpackhi_epi64(two[0], two[1]),
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
                    out[2 * b + odd] = transmute::<__m512i, [u8; 64]>(bytes);
                }
            }
        }
    }
}
