//! Sets of values, as bits.
//!
//! The largest value of a table is unknown until it is filled. The number of options is only a
//! loose bound: with four places of size 64 and seven rays, a cell has up to 441 options, but no
//! value exceeds 139. So a filler begins with small sets. When a value does not fit, it continues
//! with sets of twice the width ([`Set::Wider`]).

/// A set of the numbers below [`Set::BITS`].
pub(super) trait Set: Copy + Default + Send + Sync + 'static {
    const BITS: usize;
    /// True if a search for the least missing number should end at the first word that has it.
    const IS_WIDE: bool = Self::BITS >= 512;
    /// The type of sets of twice the width. For the widest sets, this is the same type.
    type Wider: Set;
    fn union(self, other: Self) -> Self;
    /// Adds a value below [`Set::BITS`].
    fn insert(&mut self, value: u16);
    /// Removes a value below [`Set::BITS`].
    fn remove(&mut self, value: u16);
    /// Returns the set with a value below [`Set::BITS`] added. The code needs no index, so the set
    /// can stay in registers.
    fn with(self, value: u16) -> Self;
    /// Returns the least number that is missing, or [`Set::BITS`] if no number is missing.
    fn mex(&self) -> usize;
    /// Returns 64 bits of the set, for the numbers from 64 `at` on.
    fn word(&self, at: usize) -> u64;
    fn is_empty(&self) -> bool;
    fn widened(&self) -> Self::Wider;
}

/// Defines sets of several words. Their alignment ensures that no vector crosses a cache line.
macro_rules! sets {
    ($($name:ident: $words:tt words, aligned to $align:tt, then $wider:ident of $more:tt;)*) => {$(
        #[derive(Clone, Copy, Debug)]
        #[repr(align($align))]
        pub(super) struct $name([u64; $words]);

        impl Default for $name {
            #[inline(always)]
            fn default() -> $name {
                $name([0; $words])
            }
        }

        impl Set for $name {
            const BITS: usize = 64 * $words;
            type Wider = $wider;

            #[inline(always)]
            fn union(self, other: $name) -> $name {
                $name(std::array::from_fn(|word| self.0[word] | other.0[word]))
            }

            #[inline(always)]
            fn insert(&mut self, value: u16) {
                // The mask keeps the index in range, because the number of words is a power of two.
                self.0[usize::from(value) / 64 & ($words - 1)] |= 1 << (value % 64);
            }

            #[inline(always)]
            fn remove(&mut self, value: u16) {
                self.0[usize::from(value) / 64 & ($words - 1)] &= !(1 << (value % 64));
            }

            #[inline(always)]
            fn with(self, value: u16) -> $name {
                let bit = |at| if usize::from(value) / 64 == at { 1 << (value % 64) } else { 0 };
                $name(std::array::from_fn(|word| self.0[word] | bit(word)))
            }

            #[inline(always)]
            fn mex(&self) -> usize {
                if $words > 4 {
                    for (at, word) in self.0.iter().enumerate() {
                        if *word != u64::MAX {
                            return 64 * at + word.trailing_ones() as usize;
                        }
                    }
                    return Self::BITS;
                }
                // Search the words without branches, from the last to the first.
                let mut found = Self::BITS;
                for (at, &word) in self.0.iter().enumerate().rev() {
                    let here = 64 * at + word.trailing_ones() as usize;
                    found = if word == u64::MAX { found } else { here };
                }
                found
            }

            #[inline(always)]
            fn word(&self, at: usize) -> u64 {
                self.0[at & ($words - 1)]
            }

            #[inline(always)]
            fn is_empty(&self) -> bool {
                self.0.iter().all(|&word| word == 0)
            }

            fn widened(&self) -> $wider {
                let mut wider = [0; $more];
                wider[..$words].copy_from_slice(&self.0);
                $wider(wider)
            }
        }
    )*};
}

sets! {
    Set64: 1 words, aligned to 8, then Set128 of 2;
    Set128: 2 words, aligned to 16, then Set256 of 4;
    Set256: 4 words, aligned to 32, then Set512 of 8;
    Set512: 8 words, aligned to 64, then Set1024 of 16;
    Set1024: 16 words, aligned to 64, then Set2048 of 32;
    Set2048: 32 words, aligned to 64, then Set4096 of 64;
    Set4096: 64 words, aligned to 64, then Set8192 of 128;
    Set8192: 128 words, aligned to 64, then Set8192 of 128;
}

/// The number of values that fit the widest set ([`Set::BITS`]).
pub(super) const MOST: usize = 8192;
