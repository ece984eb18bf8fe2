//! What an instruction set offers to the algorithms, and how they are run with it.
//!
//! [`Vector`] is eight 64-bit words in registers, with loads, stores and the operations on
//! bits that every algorithm uses. What only some need stands in traits of its own:
//! [`TileVector`] for tiles and edges, [`SetVector`] for sets of moves, [`CellVector`] for
//! finding a value among cells. One file beside this one implements all four for one
//! instruction set:
//!
//! ```text
//!   portable.rs   Words     eight words            any machine
//!   avx2.rs       Avx2      two 256-bit vectors    x86-64
//!   avx512.rs     Avx512    one 512-bit vector     x86-64
//!   neon.rs       Neon      four 128-bit vectors   ARM of 64 bits
//! ```
//!
//! # Why it is safe
//!
//! An instruction that the CPU lacks is undefined behaviour, so each method of these traits
//! is `unsafe`, with one contract for all: **the caller promises that the machine has the
//! instruction set of the implementing type.** Nobody can promise that for a type parameter.
//! So the algorithms hand the promise on: they are `unsafe` functions of V with the same
//! contract, and at their top is a [`Work`]. The promise is kept in one place, by
//! [`Present`]: it is an [`Isa`] that this machine was seen to have, for there is no other
//! way to make one, and it runs a work with the vectors of that instruction set alone.
//! Whoever holds an instruction set for a job (a [`Kernel`](crate::Kernel), an
//! [`Edge`](crate::Edge), ...) holds a `Present`, and is safe to use. The machine is asked
//! once, when the job is set up.
//!
//! # Why it is fast
//!
//! `Present` enters a function with `#[target_feature]`, into which the whole algorithm is
//! inlined: hence `#[inline(always)]` on all that is generic in V. The methods of the
//! vectors but the portable one have `#[target_feature]` of their own, so the compiler checks that each
//! names what its instructions need, and one that is not inlined is still compiled to them.

mod portable;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

pub(crate) use portable::doubled_word;

use crate::Isa;

/// Words of a vector.
pub(crate) const LANES: usize = 8;
/// Bits of a byte value: the planes that [`TileVector::spread`] turns into bytes.
pub(crate) const PLANES: usize = 8;

/// Eight words in memory.
pub(crate) type Line = [u64; LANES];

/// A [`Line`] that is a line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Aligned(pub(crate) Line);

/// Eight 64-bit words in registers.
///
/// # Safety
///
/// Of each method, here and in the traits built on this one: the caller promises that the
/// machine has the instruction set of the implementing type.
pub(crate) trait Vector: Copy {
    unsafe fn load(line: &Line) -> Self;
    unsafe fn store(self, line: &mut Line);
    /// The same word eight times.
    unsafe fn splat(word: u64) -> Self;
    unsafe fn and(self, other: Self) -> Self;
    unsafe fn or(self, other: Self) -> Self;
    unsafe fn xor(self, other: Self) -> Self;
    /// The bits of `self` that are not in `other`.
    unsafe fn and_not(self, other: Self) -> Self;
}

/// What tiles and edges need: each word is a *lane*, for one tile or for one value.
///
/// # Safety
///
/// As [`Vector`].
pub(crate) trait TileVector: Vector {
    /// The lowest set bit of each lane.
    unsafe fn lowest(self) -> Self;
    /// The lanes of `self` where `other` is zero, zero elsewhere.
    unsafe fn where_zero(self, other: Self) -> Self;
    unsafe fn any(self) -> bool;
    /// `self` with one lane taken from `other`.
    unsafe fn with_lane(self, lane: usize, other: Self) -> Self;
    /// Every lane moves up by one; the last lane of `from` becomes the first.
    unsafe fn shift_in(self, from: Self) -> Self;
    /// The lanes of `self` where `x` and `y` differ, zero elsewhere.
    unsafe fn where_differ(self, x: Self, y: Self) -> Self;
    /// Bit i is set if lane i of `self` and lane i of `other` share a bit.
    unsafe fn meets(self, other: Self) -> u8;
    /// The last lane.
    unsafe fn last(self) -> u64;
    /// `planes[p]` holds bit p of 64 values in each lane; byte c of `out[lane]`
    /// becomes the value of column c.
    unsafe fn spread(planes: &[Self; PLANES], out: &mut [[u8; 64]; LANES]);
}

/// What sets of moves need: the words are one run of 512 bits.
///
/// # Safety
///
/// As [`Vector`].
pub(crate) trait SetVector: Vector {
    /// Every bit of half a run written twice.
    unsafe fn doubled(half: &[u64; LANES / 2]) -> Self;
}

/// What finding a value among cells needs.
///
/// # Safety
///
/// As [`Vector`]; and the caller promises that there are 1 to 64 cells.
pub(crate) trait CellVector: Vector {
    /// Bit i is set if cell i is `value`.
    unsafe fn equal_bytes(cells: &[u8], value: u8) -> u64;
    /// The same for cells of two bytes.
    unsafe fn equal_pairs(cells: &[u16], value: u16) -> u64;
}

/// All that an instruction set offers.
pub(crate) trait AnyVector: TileVector + SetVector + CellVector {}
impl<V: TileVector + SetVector + CellVector> AnyVector for V {}

/// Something to be done with the vectors of whatever instruction set was chosen.
pub(crate) trait Work {
    /// Does it with V. Implementations are `#[inline(always)]`, so that they are compiled
    /// for the instruction set even where they use no vector themselves.
    ///
    /// # Safety
    ///
    /// The machine has the instruction set of V.
    unsafe fn run<V: AnyVector>(self);
}

/// An instruction set that this machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Present(Isa);

impl Present {
    /// Asks the machine.
    ///
    /// # Panics
    /// If it lacks the instruction set.
    pub(crate) fn new(isa: Isa) -> Present {
        assert!(isa.is_available(), "this machine has no {isa}");
        Present(isa)
    }

    pub(crate) fn isa(self) -> Isa {
        self.0
    }

    /// The same without AVX-512, for what gains nothing by it.
    pub(crate) fn up_to_avx2(self) -> Present {
        match self.0 {
            // A machine is said to have AVX-512 only if it has AVX2: see `Isa::is_available`.
            Isa::Avx512 => Present(Isa::Avx2),
            _ => self,
        }
    }

    /// Runs the work, compiled for this instruction set.
    pub(crate) fn run(self, work: impl Work) {
        match self.0 {
            // SAFETY: a Present is made for an instruction set that the machine has.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => unsafe { avx512::run(work) },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => unsafe { avx2::run(work) },
            // SAFETY: the same.
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => unsafe { neon::run(work) },
            // SAFETY: plain words are compiled to what every machine of the target has.
            _ => unsafe { work.run::<portable::Words>() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where AVX-512 gains nothing, AVX2 is used in its place, and all others as they are.
    #[test]
    fn a_set_without_the_widest_vectors() {
        for isa in Isa::available() {
            let expected = if isa == Isa::Avx512 { Isa::Avx2 } else { isa };
            assert_eq!(Present::new(isa).up_to_avx2().isa(), expected);
        }
    }

    #[test]
    #[should_panic(expected = "this machine has no")]
    fn a_set_that_is_not_there_is_refused() {
        let absent = Isa::ALL.into_iter().find(|isa| !isa.is_available());
        // No processor has both AVX-512 and NEON.
        Present::new(absent.unwrap());
    }
}
