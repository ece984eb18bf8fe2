#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod certificate;
pub mod law;
pub mod position;
pub mod question;
pub mod shard;
pub mod table;

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of the module and of the program in fuzz_targets/.
    pub name: &'static str,
    /// Checks the properties of the target for these bytes, and panics if one fails.
    pub run: fn(&[u8]),
    /// Returns the first inputs.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// Every target.
pub const TARGETS: [Target; 6] = [
    Target { name: "shard", run: shard::run, seeds: shard::seeds },
    Target { name: "position", run: position::run, seeds: position::seeds },
    Target { name: "table", run: table::run, seeds: table::seeds },
    Target { name: "question", run: question::run, seeds: question::seeds },
    Target { name: "certificate", run: certificate::run, seeds: certificate::seeds },
    Target { name: "law", run: law::run, seeds: law::seeds },
];
