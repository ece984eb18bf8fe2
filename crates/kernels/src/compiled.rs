//! Plain code, compiled for each instruction set.
//!
//! The kernels choose their vectors by hand. Simple loops over slices the compiler turns into
//! vector instructions by itself, for what it may use; a [`Compiler`] has them compiled once
//! for each [`Isa`] and runs the version that was chosen.

use crate::Isa;
use crate::vector::{AnyVector, Present, Work};

/// Something to be done by loops that the compiler is to make vectors of.
pub trait Compiled {
    /// What comes of it.
    type Out;

    /// Does it. Implementations are `#[inline(always)]`, and so is all that is to be compiled for
    /// the instruction set: a function that is called is compiled for every machine.
    fn run(self) -> Self::Out;
}

/// Runs code that was compiled for an instruction set that this machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compiler(Present);

impl Compiler {
    /// For this instruction set.
    ///
    /// # Panics
    /// If the machine lacks it.
    pub fn new(isa: Isa) -> Compiler {
        Compiler(Present::new(isa))
    }

    /// Runs some work.
    pub fn run<W: Compiled>(self, work: W) -> W::Out {
        let mut out = None;
        self.0.run(Plain { work, out: &mut out });
        match out {
            Some(out) => out,
            None => unreachable!("a work that is run has come to its end"),
        }
    }
}

struct Plain<'a, W: Compiled> {
    work: W,
    out: &'a mut Option<W::Out>,
}

impl<W: Compiled> Work for Plain<'_, W> {
    // SAFETY: no instruction is named here: nothing is asked of the machine that the compiler was not
    // promised by whoever enters.
    #[inline(always)]
    unsafe fn run<V: AnyVector>(self) {
        *self.out = Some(self.work.run());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sum<'a>(&'a [u16]);

    impl Compiled for Sum<'_> {
        type Out = u32;

        #[inline(always)]
        fn run(self) -> u32 {
            self.0.iter().map(|&x| u32::from(x)).sum()
        }
    }

    #[test]
    fn every_instruction_set_gives_the_same() {
        let numbers: Vec<u16> = (0..1000).collect();
        for isa in Isa::available() {
            assert_eq!(Compiler::new(isa).run(Sum(&numbers)), 999 * 1000 / 2);
        }
    }
}
