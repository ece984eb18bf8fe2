//! Compiles plain code for each instruction set.
//!
//! Other kernels call vector instructions explicitly. The compiler can vectorise simple loops over
//! slices, but only with instructions that every CPU of the target has. So [`Compiler`] compiles
//! such loops once for each [`Isa`], and runs the version for the chosen instruction set.

use crate::Isa;
use crate::vector::{AnyVector, Present, Work};

pub trait Compiled {
    type Out;

    /// Does the work. This method and every function that it calls must be `#[inline(always)]`.
    /// Otherwise the compiler uses only the baseline instruction set for them.
    fn run(self) -> Self::Out;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compiler(Present);

impl Compiler {
    /// Chooses an instruction set.
    ///
    /// # Panics
    /// If the machine lacks this instruction set.
    pub fn new(isa: Isa) -> Compiler {
        Compiler(Present::new(isa))
    }

    pub fn run<W: Compiled>(self, work: W) -> W::Out {
        let mut out = None;
        self.0.run(Plain { work, out: &mut out });
        match out {
            Some(out) => out,
            None => unreachable!("`run` stores the result of the work"),
        }
    }
}

struct Plain<'a, W: Compiled> {
    work: W,
    out: &'a mut Option<W::Out>,
}

impl<W: Compiled> Work for Plain<'_, W> {
    // SAFETY: the caller promises that the machine has the instruction set of V.
    #[inline(always)]
    unsafe fn run<V: AnyVector>(self) {
        *self.out = Some(self.work.run());
    }
}
