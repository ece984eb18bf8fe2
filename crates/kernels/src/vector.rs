//! Eight 64-bit lanes: what an instruction set offers to the algorithms.

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use portable::Words;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Avx512};

/// Lanes of a vector.
pub(crate) const LANES: usize = 8;
/// Bits of a byte value: the planes that [`Vector::spread`] turns into bytes.
pub(crate) const PLANES: usize = 8;

/// Eight 64-bit lanes in memory.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub(crate) [u64; LANES]);

/// Eight 64-bit lanes in registers: what an instruction set has to offer.
///
/// The methods of the x86-64 implementations may only run on a machine that has
/// their instruction set. They are called from the generic algorithms alone, all of
/// them inlined into `#[target_feature]` wrappers, which are entered only for an
/// [`Isa`](crate::Isa) that is available.
pub(crate) trait Vector: Copy {
    fn load(lanes: &Lanes) -> Self;
    fn store(self, lanes: &mut Lanes);
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// The lowest set bit of each lane.
    fn lowest(self) -> Self;
    /// The lanes of `self` where `other` is zero, zero elsewhere.
    fn where_zero(self, other: Self) -> Self;
    fn any(self) -> bool;
    /// `self` with one lane taken from `other`.
    fn with_lane(self, lane: usize, other: Self) -> Self;
    /// Every lane moves up by one; the last lane of `from` becomes the first.
    fn shift_in(self, from: Self) -> Self;
    /// The lanes of `self` where `x` and `y` differ, zero elsewhere.
    fn where_differ(self, x: Self, y: Self) -> Self;
    /// Bit i is set if lane i of `self` and lane i of `other` share a bit.
    fn meets(self, other: Self) -> u8;
    /// The last lane.
    fn last(self) -> u64;
    /// `planes[p]` holds bit p of 64 values in each lane; byte c of `out[lane]`
    /// becomes the value of column c.
    fn spread(planes: &[Self; PLANES], out: &mut [[u8; 64]; LANES]);

    #[inline(always)]
    fn splat(word: u64) -> Self {
        Self::load(&Lanes([word; LANES]))
    }

    #[inline(always)]
    fn zero() -> Self {
        Self::splat(0)
    }
}
