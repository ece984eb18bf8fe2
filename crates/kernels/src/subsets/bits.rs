//! Runs of bits in registers: what an instruction set offers to the filler.

/// Bits of a [`Block`](super::Block)'s plane, as words.
pub(crate) type Line = [u64; 8];

/// A run of 64 * WORDS bits in registers.
///
/// The methods of the x86-64 implementations may only run on a machine that has
/// their instruction set: they are inlined into `#[target_feature]` wrappers, which
/// are entered only for an [`Isa`](crate::Isa) that is available.
pub(crate) trait Bits: Copy {
    /// Words of a run: a divisor of 8.
    const WORDS: usize;
    fn load(line: &Line, word: usize) -> Self;
    fn store(self, line: &mut Line, word: usize);
    fn splat(word: u64) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// `!self & other`.
    fn not_and(self, other: Self) -> Self;
    /// Every bit of half a run written twice: the half number `half` of the line.
    fn doubled(line: &Line, half: usize) -> Self;
}

/// Bit i of the low half of a word becomes bits 2i and 2i + 1.
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

/// Plain words, which any compiler turns into what the target's baseline has.
#[derive(Clone, Copy)]
pub(crate) struct Plain([u64; 2]);

impl Bits for Plain {
    const WORDS: usize = 2;

    #[inline(always)]
    fn load(line: &Line, word: usize) -> Plain {
        Plain([line[word], line[word + 1]])
    }

    #[inline(always)]
    fn store(self, line: &mut Line, word: usize) {
        line[word] = self.0[0];
        line[word + 1] = self.0[1];
    }

    #[inline(always)]
    fn splat(word: u64) -> Plain {
        Plain([word; 2])
    }

    #[inline(always)]
    fn and(self, other: Plain) -> Plain {
        Plain([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }

    #[inline(always)]
    fn or(self, other: Plain) -> Plain {
        Plain([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }

    #[inline(always)]
    fn xor(self, other: Plain) -> Plain {
        Plain([self.0[0] ^ other.0[0], self.0[1] ^ other.0[1]])
    }

    #[inline(always)]
    fn not_and(self, other: Plain) -> Plain {
        Plain([!self.0[0] & other.0[0], !self.0[1] & other.0[1]])
    }

    #[inline(always)]
    fn doubled(line: &Line, half: usize) -> Plain {
        let word = line[half];
        Plain([doubled_word(word), doubled_word(word >> 32)])
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m128i, __m256i, __m512i, _mm_loadu_si128, _mm256_and_si256, _mm256_andnot_si256,
        _mm256_cvtepu8_epi16, _mm256_loadu_si256, _mm256_or_si256, _mm256_set1_epi8,
        _mm256_set1_epi64x, _mm256_setr_epi8, _mm256_shuffle_epi8, _mm256_slli_epi16,
        _mm256_storeu_si256, _mm256_xor_si256, _mm512_and_si512, _mm512_andnot_si512,
        _mm512_cvtepu32_epi64, _mm512_gf2p8affine_epi64_epi8, _mm512_loadu_si512,
        _mm512_multishift_epi64_epi8, _mm512_or_si512, _mm512_set1_epi64, _mm512_storeu_si512,
        _mm512_xor_si512,
    };

    use super::{Bits, Line};

    /// 256 bits.
    #[derive(Clone, Copy)]
    #[repr(transparent)]
    pub(crate) struct Avx2(__m256i);

    // SAFETY, for every block in this impl: Avx2 is instantiated under
    // #[target_feature(enable = "avx2")] alone, which covers the intrinsics; loads and
    // stores need no alignment, and stay within the words that the slices check.
    impl Bits for Avx2 {
        const WORDS: usize = 4;

        #[inline(always)]
        fn load(line: &Line, word: usize) -> Avx2 {
            let words: &[u64] = &line[word..word + 4];
            // SAFETY: above.
            Avx2(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
        }

        #[inline(always)]
        fn store(self, line: &mut Line, word: usize) {
            let words: &mut [u64] = &mut line[word..word + 4];
            // SAFETY: above.
            unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
        }

        #[inline(always)]
        fn splat(word: u64) -> Avx2 {
            // SAFETY: above.
            Avx2(unsafe { _mm256_set1_epi64x(word.cast_signed()) })
        }

        #[inline(always)]
        fn and(self, other: Avx2) -> Avx2 {
            // SAFETY: above.
            Avx2(unsafe { _mm256_and_si256(self.0, other.0) })
        }

        #[inline(always)]
        fn or(self, other: Avx2) -> Avx2 {
            // SAFETY: above.
            Avx2(unsafe { _mm256_or_si256(self.0, other.0) })
        }

        #[inline(always)]
        fn xor(self, other: Avx2) -> Avx2 {
            // SAFETY: above.
            Avx2(unsafe { _mm256_xor_si256(self.0, other.0) })
        }

        #[inline(always)]
        fn not_and(self, other: Avx2) -> Avx2 {
            // SAFETY: above.
            Avx2(unsafe { _mm256_andnot_si256(self.0, other.0) })
        }

        /// Each byte becomes two nibbles in two bytes, and each nibble its double by a
        /// table of sixteen.
        #[inline(always)]
        fn doubled(line: &Line, half: usize) -> Avx2 {
            let words: &[u64] = &line[2 * half..2 * half + 2];
            // SAFETY: above.
            unsafe {
                let table = _mm256_setr_epi8(
                    0x00, 0x03, 0x0C, 0x0F, 0x30, 0x33, 0x3C, 0x3F, -0x40, -0x3D, -0x34, -0x31,
                    -0x10, -0x0D, -0x04, -0x01, 0x00, 0x03, 0x0C, 0x0F, 0x30, 0x33, 0x3C, 0x3F,
                    -0x40, -0x3D, -0x34, -0x31, -0x10, -0x0D, -0x04, -0x01,
                );
                let bytes = _mm256_cvtepu8_epi16(_mm_loadu_si128(words.as_ptr().cast::<__m128i>()));
                let nibbles = _mm256_and_si256(
                    _mm256_or_si256(bytes, _mm256_slli_epi16::<4>(bytes)),
                    _mm256_set1_epi8(0x0F),
                );
                Avx2(_mm256_shuffle_epi8(table, nibbles))
            }
        }
    }

    /// 512 bits.
    #[derive(Clone, Copy)]
    #[repr(transparent)]
    pub(crate) struct Avx512(__m512i);

    // SAFETY, for every block in this impl: Avx512 is instantiated under
    // #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")]
    // alone, which covers the intrinsics; loads and stores need no alignment, and stay
    // within the words that the slices check.
    impl Bits for Avx512 {
        const WORDS: usize = 8;

        #[inline(always)]
        fn load(line: &Line, _: usize) -> Avx512 {
            // SAFETY: above.
            Avx512(unsafe { _mm512_loadu_si512(line.as_ptr().cast()) })
        }

        #[inline(always)]
        fn store(self, line: &mut Line, _: usize) {
            // SAFETY: above.
            unsafe { _mm512_storeu_si512(line.as_mut_ptr().cast(), self.0) }
        }

        #[inline(always)]
        fn splat(word: u64) -> Avx512 {
            // SAFETY: above.
            Avx512(unsafe { _mm512_set1_epi64(word.cast_signed()) })
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
        fn not_and(self, other: Avx512) -> Avx512 {
            // SAFETY: above.
            Avx512(unsafe { _mm512_andnot_si512(self.0, other.0) })
        }

        /// Each half word of 32 bits opens to a word; byte j of the word takes the four
        /// bits from bit 4 j on; one multiplication by a bit matrix doubles them.
        #[inline(always)]
        fn doubled(line: &Line, half: usize) -> Avx512 {
            let words: &[u64] = &line[4 * half..4 * half + 4];
            // Row for bit i of the result (counted from the top byte down): bit i / 2.
            const DOUBLE: u64 = 0x0101_0202_0404_0808;
            const EVERY_FOUR: u64 = 0x1C18_1410_0C08_0400;
            // SAFETY: above.
            unsafe {
                let open =
                    _mm512_cvtepu32_epi64(_mm256_loadu_si256(words.as_ptr().cast::<__m256i>()));
                let every_four = _mm512_set1_epi64(EVERY_FOUR.cast_signed());
                let fours = _mm512_multishift_epi64_epi8(every_four, open);
                let double = _mm512_set1_epi64(DOUBLE.cast_signed());
                Avx512(_mm512_gf2p8affine_epi64_epi8::<0>(fours, double))
            }
        }
    }
}
