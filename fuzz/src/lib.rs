//! Fuzz targets: statements that must be true of *any* input.
//!
//! Each module is a target: [`run`](shard::run) takes any bytes and panics if one of the statements
//! at the head of the module is false for them. Every target checks more than the absence of
//! crashes.
//!
//! | target | statement |
//! |---|---|
//! | [`shard`] | a value read without error from a damaged shard is the value that was written |
//! | [`position`] | a text read as a position has its piles, prints, and reads back |
//! | [`table`] | position and number determine each other, in the order of docs/FORMAT.md |
//! | [`solver`] | tables, answers and counts follow the rules, and a wrong cell is found |
//! | [`kernel`] | every instruction set gives the tile that the definition of mex gives |
//! | [`question`] | a statement prints and reads back, and is true in columns iff its tree is |
//! | [`certificate`] | a proof is accepted iff every family in it holds, and then it is true |
//!
//! The same functions run in two ways: under libFuzzer, which searches for inputs that reach new
//! code (`make fuzz-smoke`), and in `tests/short.rs` on a few thousand fixed inputs, in every
//! `make test`.
#![forbid(unsafe_code)]

pub mod certificate;
pub mod kernel;
pub mod position;
pub mod question;
pub mod shard;
pub mod solver;
pub mod table;

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of the module, and of the program in fuzz_targets/.
    pub name: &'static str,
    /// Panics if the target's statement is false for these bytes.
    pub run: fn(&[u8]),
    /// The first inputs.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// Every target.
pub const TARGETS: [Target; 7] = [
    Target { name: "shard", run: shard::run, seeds: shard::seeds },
    Target { name: "position", run: position::run, seeds: position::seeds },
    Target { name: "table", run: table::run, seeds: table::seeds },
    Target { name: "solver", run: solver::run, seeds: solver::seeds },
    Target { name: "kernel", run: kernel::run, seeds: kernel::seeds },
    Target { name: "question", run: question::run, seeds: question::seeds },
    Target { name: "certificate", run: certificate::run, seeds: certificate::seeds },
];
