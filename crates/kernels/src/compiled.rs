//! Compiles plain code for each instruction set.
//!
//! Other kernels call vector instructions explicitly. The compiler vectorises simple loops over
//! slices by itself, but only with instructions that every CPU of the target has. So [`Compiler`]
//! compiles such loops once for each [`Isa`], and runs the version for the chosen instruction set.

use crate::Isa;
use crate::vector::{AnyVector, Present, Work};

/// Plain loops that the compiler can turn into vector instructions.
pub trait Compiled {
    type Out;

    /// Does the work. Implementations must be `#[inline(always)]`, and so must every function that
    /// they call, because other functions are compiled for the baseline instruction set.
    fn run(self) -> Self::Out;
}

/// Runs code compiled for one instruction set of this machine.
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

    /// Runs the work in the function that was compiled for the instruction set.
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
    // SAFETY: this calls no instruction; the compiler uses only what the caller promises.
    #[inline(always)]
    unsafe fn run<V: AnyVector>(self) {
        *self.out = Some(self.work.run());
    }
}
