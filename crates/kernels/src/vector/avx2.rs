//! AVX2: two vectors of 256 bits.

use std::arch::x86_64::{
    __m128i, __m256i, _mm_loadu_si128, _mm256_and_si256, _mm256_andnot_si256, _mm256_blend_epi32,
    _mm256_blendv_epi8, _mm256_castsi256_pd, _mm256_cmpeq_epi8, _mm256_cmpeq_epi64,
    _mm256_cvtepu8_epi16, _mm256_extract_epi64, _mm256_loadu_si256, _mm256_movemask_epi8,
    _mm256_movemask_pd, _mm256_or_si256, _mm256_permute4x64_epi64, _mm256_set1_epi8,
    _mm256_set1_epi64x, _mm256_setr_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_slli_epi16, _mm256_sub_epi64, _mm256_testz_si256, _mm256_xor_si256,
};
use std::mem::transmute;

use super::portable::{Words, one_by_one};
use super::{CellVector, LANES, PLANES, SetVector, TileVector, Vector, Work};

/// Vectors in which one of the four lanes consists of ones.
const ONE_LANE: [[u64; 4]; 4] =
    [[u64::MAX, 0, 0, 0], [0, u64::MAX, 0, 0], [0, 0, u64::MAX, 0], [0, 0, 0, u64::MAX]];

#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Avx2([__m256i; 2]);

#[target_feature(enable = "avx2,bmi1")]
pub(super) fn run(work: impl Work) {
    // SAFETY: the caller promises that the machine has the target features of this function.
    unsafe { work.run::<Avx2>() }
}

impl Vector for Avx2 {
    compiled_for! { "avx2";
        unsafe fn splat(word: u64) -> Avx2 {
            Avx2([_mm256_set1_epi64x(word.cast_signed()); 2])
        }

        unsafe fn and(self, other: Avx2) -> Avx2 {
            Avx2([_mm256_and_si256(self.0[0], other.0[0]), _mm256_and_si256(self.0[1], other.0[1])])
        }

        unsafe fn or(self, other: Avx2) -> Avx2 {
            Avx2([_mm256_or_si256(self.0[0], other.0[0]), _mm256_or_si256(self.0[1], other.0[1])])
        }

        unsafe fn xor(self, other: Avx2) -> Avx2 {
            Avx2([_mm256_xor_si256(self.0[0], other.0[0]), _mm256_xor_si256(self.0[1], other.0[1])])
        }

        unsafe fn and_not(self, other: Avx2) -> Avx2 {
            // The instruction negates its first operand.
            let (low, high) = (other.0[0], other.0[1]);
            Avx2([_mm256_andnot_si256(low, self.0[0]), _mm256_andnot_si256(high, self.0[1])])
        }
    }
}

/// Returns a mask with all ones in each lane in which `x` and `y` are equal.
#[inline]
#[target_feature(enable = "avx2")]
fn equal_lanes(x: Avx2, y: Avx2) -> [__m256i; 2] {
    [_mm256_cmpeq_epi64(x.0[0], y.0[0]), _mm256_cmpeq_epi64(x.0[1], y.0[1])]
}

impl TileVector for Avx2 {
    compiled_for! { "avx2";
        unsafe fn lowest(self) -> Avx2 {
            let (zero, [low, high]) = (_mm256_setzero_si256(), self.0);
            Avx2([
                _mm256_and_si256(low, _mm256_sub_epi64(zero, low)),
                _mm256_and_si256(high, _mm256_sub_epi64(zero, high)),
            ])
        }

        unsafe fn where_zero(self, other: Avx2) -> Avx2 {
            let [low, high] = equal_lanes(other, Avx2([_mm256_setzero_si256(); 2]));
            Avx2([_mm256_and_si256(self.0[0], low), _mm256_and_si256(self.0[1], high)])
        }

        unsafe fn any(self) -> bool {
            let all = _mm256_or_si256(self.0[0], self.0[1]);
            _mm256_testz_si256(all, all) == 0
        }

        unsafe fn with_lane(self, lane: usize, other: Avx2) -> Avx2 {
            let mut out = self;
            let (half, within) = (lane / 4, lane % 4);
            // SAFETY: this turns 32 plain bytes into 32 plain bytes.
            let this = unsafe { transmute::<[u64; 4], __m256i>(ONE_LANE[within]) };
            out.0[half] = _mm256_blendv_epi8(self.0[half], other.0[half], this);
            out
        }

        unsafe fn shift_in(self, from: Avx2) -> Avx2 {
            // Rotate each half by one lane; the lane that wraps around moves to the other half.
            let low = _mm256_permute4x64_epi64::<0x93>(self.0[0]);
            let high = _mm256_permute4x64_epi64::<0x93>(self.0[1]);
            let new = _mm256_permute4x64_epi64::<0x93>(from.0[1]);
            Avx2([_mm256_blend_epi32::<0x03>(low, new), _mm256_blend_epi32::<0x03>(high, low)])
        }

        unsafe fn where_differ(self, x: Avx2, y: Avx2) -> Avx2 {
            let [low, high] = equal_lanes(x, y);
            Avx2([_mm256_andnot_si256(low, self.0[0]), _mm256_andnot_si256(high, self.0[1])])
        }

        unsafe fn meets(self, other: Avx2) -> u8 {
            let both =
                [_mm256_and_si256(self.0[0], other.0[0]), _mm256_and_si256(self.0[1], other.0[1])];
            let [low, high] = equal_lanes(Avx2(both), Avx2([_mm256_setzero_si256(); 2]));
            let low = _mm256_movemask_pd(_mm256_castsi256_pd(low)) as u8;
            let high = _mm256_movemask_pd(_mm256_castsi256_pd(high)) as u8;
            !(low | high << 4)
        }

        unsafe fn last(self) -> u64 {
            _mm256_extract_epi64::<3>(self.0[1]).cast_unsigned()
        }
    }

    #[inline(always)]
    unsafe fn spread(planes: &[Avx2; PLANES], out: &mut [[u8; 64]; LANES]) {
        // SAFETY: this copies plain bytes to as many plain bytes.
        let words = unsafe { transmute::<[Avx2; PLANES], [Words; PLANES]>(*planes) };
        // The compiler vectorises the swaps on plain words.
        Words::spread_by_swaps(&words, out);
    }
}

impl SetVector for Avx2 {
    compiled_for! { "avx2";
        /// Splits each byte into nibbles, and doubles their bits with a table of sixteen entries.
        unsafe fn doubled(half: &[u64; LANES / 2]) -> Avx2 {
            let table = _mm256_setr_epi8(
                0x00, 0x03, 0x0C, 0x0F, 0x30, 0x33, 0x3C, 0x3F, -0x40, -0x3D, -0x34, -0x31, -0x10,
                -0x0D, -0x04, -0x01, 0x00, 0x03, 0x0C, 0x0F, 0x30, 0x33, 0x3C, 0x3F, -0x40, -0x3D,
                -0x34, -0x31, -0x10, -0x0D, -0x04, -0x01,
            );
            let mut out = [_mm256_setzero_si256(); 2];
            for (out, quarter) in out.iter_mut().zip(half.as_chunks::<2>().0) {
                // SAFETY: 16 bytes are readable, and the load needs no alignment.
                let bytes = unsafe { _mm_loadu_si128(quarter.as_ptr().cast::<__m128i>()) };
                let bytes = _mm256_cvtepu8_epi16(bytes);
                let nibbles = _mm256_and_si256(
                    _mm256_or_si256(bytes, _mm256_slli_epi16::<4>(bytes)),
                    _mm256_set1_epi8(0x0F),
                );
                *out = _mm256_shuffle_epi8(table, nibbles);
            }
            Avx2(out)
        }
    }
}

impl CellVector for Avx2 {
    compiled_for! { "avx2";
        unsafe fn equal_bytes(cells: &[u8], value: u8) -> u64 {
            let sought = _mm256_set1_epi8(value.cast_signed());
            let (halves, rest) = cells.as_chunks::<32>();
            let mut mask = 0;
            for (at, half) in halves.iter().enumerate() {
                // SAFETY: 32 bytes are readable, and the load needs no alignment.
                let loaded = unsafe { _mm256_loadu_si256(half.as_ptr().cast::<__m256i>()) };
                let bits = _mm256_movemask_epi8(_mm256_cmpeq_epi8(loaded, sought));
                mask |= u64::from(bits.cast_unsigned()) << (32 * at);
            }
            if !rest.is_empty() {
                mask |= one_by_one(rest, value) << (32 * halves.len());
            }
            mask
        }

        /// Plain Rust is enough, because filling two-byte values takes at least ten times as long.
        unsafe fn equal_pairs(cells: &[u16], value: u16) -> u64 {
            one_by_one(cells, value)
        }
    }
}
