//! The operations of an instruction set, and the entry into code compiled for it.
//!
//! [`Vector`] is eight 64-bit words in registers, with loads, stores and the bit operations that
//! every algorithm uses. Three more traits have operations for particular algorithms:
//! [`TileVector`] for tiles and edges, [`SetVector`] for sets of moves, [`CellVector`] for finding
//! a value among cells. Each file of the module implements all four for one instruction set:
//!
//! ```text
//!   portable.rs   Words     eight words            any machine
//!   avx2.rs       Avx2      two 256-bit vectors    x86-64
//!   avx512.rs     Avx512    one 512-bit vector     x86-64
//!   neon.rs       Neon      four 128-bit vectors   ARM of 64 bits
//! ```
//!
//! # Safety
//!
//! Executing an instruction that the CPU lacks is undefined behaviour. So each method of these
//! traits is `unsafe`, and all have the same condition: **the caller promises that the machine has
//! the instruction set of the implementing type.** Code that is generic over the type V cannot give
//! that promise itself. So the algorithms are `unsafe` functions of V with the same condition. The
//! outermost function is the `run` of a [`Work`].
//!
//! Only [`Present`] gives the promise. A `Present` is an [`Isa`] that was detected on this machine.
//! The only constructor detects the instruction set, and [`Present::run`] uses only the vectors of
//! that set. A [`Kernel`](crate::Kernel), an [`Edge`](crate::Edge) and similar types contain a
//! `Present`, so they are safe to use. Detection happens once, at the start of a job.
//!
//! # Speed
//!
//! `Present` calls a function with `#[target_feature]`, into which the whole algorithm is inlined.
//! So all code that is generic in V has `#[inline(always)]`. The methods of all vectors except the
//! portable one have their own `#[target_feature]` (`compiled_for`). So the compiler checks that
//! each method names the features it needs. A method that is not inlined still uses these features.

/// Defines the methods of a vector. Each method is inlined, and compiled for the named features.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! compiled_for {
    ($features:literal;
     $($(#[$doc:meta])* unsafe fn $name:ident $parts:tt $(-> $out:ty)? $body:block)*) => {
        $($(#[$doc])*
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn $name $parts $(-> $out)? $body)*
    };
}
mod portable;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

pub(crate) use portable::doubled_word;

use crate::Isa;

pub(crate) const LANES: usize = 8;
/// The number of planes that [`TileVector::spread`] turns into bytes, one for each bit.
pub(crate) const PLANES: usize = 8;

pub(crate) type Line = [u64; LANES];

/// A [`Line`] aligned to a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Aligned(pub(crate) Line);

/// Eight 64-bit words in registers.
///
/// # Safety
/// For each method of this trait and of its subtraits, the caller promises that the machine has the
/// instruction set of the implementing type.
pub(crate) trait Vector: Copy {
    #[inline(always)]
    unsafe fn load(line: &Line) -> Self {
        const { assert!(size_of::<Self>() == size_of::<Line>()) };
        // SAFETY: this copies 64 plain bytes; the read needs no alignment.
        unsafe { std::ptr::from_ref(line).cast::<Self>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn store(self, line: &mut Line) {
        // SAFETY: the same.
        unsafe { std::ptr::from_mut(line).cast::<Self>().write_unaligned(self) };
    }
    /// Returns a vector of eight equal words.
    unsafe fn splat(word: u64) -> Self;
    unsafe fn and(self, other: Self) -> Self;
    unsafe fn or(self, other: Self) -> Self;
    unsafe fn xor(self, other: Self) -> Self;
    /// Returns the bits of `self` that are not in `other`.
    unsafe fn and_not(self, other: Self) -> Self;
}

/// The operations for tiles and edges. A word is a *lane*: it belongs to one tile or to one value.
///
/// # Safety
/// The same as for [`Vector`].
pub(crate) trait TileVector: Vector {
    unsafe fn lowest(self) -> Self;
    /// Returns `self` with zero in the lanes in which `other` is not zero.
    unsafe fn where_zero(self, other: Self) -> Self;
    unsafe fn any(self) -> bool;
    /// Returns `self` with one lane replaced by that lane of `other`.
    unsafe fn with_lane(self, lane: usize, other: Self) -> Self;
    /// Moves every lane up by one. The last lane of `from` becomes the first lane.
    unsafe fn shift_in(self, from: Self) -> Self;
    /// Returns `self` with zero in the lanes in which `x` and `y` are equal.
    unsafe fn where_differ(self, x: Self, y: Self) -> Self;
    /// Returns a mask: bit i is set if lane i of `self` and lane i of `other` share a set bit.
    unsafe fn meets(self, other: Self) -> u8;
    unsafe fn last(self) -> u64;
    /// Turns planes into bytes: `planes[p]` contains bit p of 64 values in each lane. Byte c of
    /// `out[lane]` becomes the value of column c.
    unsafe fn spread(planes: &[Self; PLANES], out: &mut [[u8; 64]; LANES]);
}

/// The operation for sets of moves. The eight words form one sequence of 512 bits.
///
/// # Safety
/// The same as for [`Vector`].
pub(crate) trait SetVector: Vector {
    /// Returns a vector in which every bit of `half` occurs twice in succession.
    unsafe fn doubled(half: &[u64; LANES / 2]) -> Self;
}

/// The operations for finding a value among cells.
///
/// # Safety
/// The same as for [`Vector`]; the caller also promises that there are 1 to 64 cells.
pub(crate) trait CellVector: Vector {
    /// Returns a mask: bit i is set if cell i equals `value`.
    unsafe fn equal_bytes(cells: &[u8], value: u8) -> u64;
    /// Returns the same mask as `equal_bytes`, but for cells of two bytes.
    unsafe fn equal_pairs(cells: &[u16], value: u16) -> u64;
}

pub(crate) trait AnyVector: TileVector + SetVector + CellVector {}
impl<V: TileVector + SetVector + CellVector> AnyVector for V {}

/// Work that can be done with the vectors of any instruction set.
pub(crate) trait Work {
    /// Does the work with V. Implementations are `#[inline(always)]`, so that they are compiled for
    /// the instruction set even if they use no vectors themselves.
    ///
    /// # Safety
    /// The machine has the instruction set of V.
    unsafe fn run<V: AnyVector>(self);
}

/// An instruction set that was detected on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Present(Isa);

impl Present {
    /// Checks that the machine has the instruction set.
    ///
    /// # Panics
    /// If the machine lacks the instruction set.
    pub(crate) fn new(isa: Isa) -> Present {
        assert!(isa.is_available(), "this machine has no {isa}");
        Present(isa)
    }

    pub(crate) fn isa(self) -> Isa {
        self.0
    }

    /// Returns this set, or AVX2 in place of AVX-512, for code that gains nothing from AVX-512.
    pub(crate) fn up_to_avx2(self) -> Present {
        match self.0 {
            // A machine with AVX-512 also has AVX2: see `Isa::is_available`.
            Isa::Avx512 => Present(Isa::Avx2),
            _ => self,
        }
    }

    pub(crate) fn run(self, work: impl Work) {
        match self.0 {
            // SAFETY: a `Present` exists only for an instruction set that the machine has.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => unsafe { avx512::run(work) },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => unsafe { avx2::run(work) },
            // SAFETY: the same.
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => unsafe { neon::run(work) },
            // SAFETY: plain words need only the baseline instructions of the target.
            _ => unsafe { work.run::<portable::Words>() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "this machine has no")]
    fn an_absent_instruction_set_is_refused() {
        let absent = Isa::ALL.into_iter().find(|isa| !isa.is_available());
        // No processor has both AVX-512 and NEON.
        Present::new(absent.unwrap());
    }
}
