#![doc = include_str!("../README.md")]
#![allow(missing_docs, reason = "clear names need no comment")]
#![forbid(unsafe_code)]

mod albert_nowakowski;
mod all_lengths;
mod bouton;
mod cairns_ho;
#[cfg(test)]
#[path = "../../testing/src/cases.rs"]
pub mod cases;
mod catalogue;
mod checks;
mod claim;
mod claim_text;
mod conclude;
pub mod conjecture;
mod domain;
mod end_wythoff;
mod estimate;
mod examine;
pub mod findings;
mod job;
mod long_global;
mod own_facts;
mod partizan;
mod plan;
mod range;
mod reasons;
mod run;
mod share;
mod short_global;
mod source;
mod statement;
mod stored;
mod tally;
#[cfg(test)]
mod testing;
mod three_piles;
mod tile_check;
mod verdict;
mod words;
mod zeros;

pub use catalogue::UnknownClaim;
pub use claim::{Claim, Paper};
pub use conclude::TableFinding;
pub use domain::{Domain, Size};
pub use estimate::{CertificateSink, Estimate, LimitError, Means};
pub use grundy_sweep::{MergeError, Piece, period};
pub use plan::{Plan, PlanError};
pub use range::Range;
pub use reasons::{decided_by, decided_with};
pub use run::diff;
pub use share::{Checkpoint, CoveredShare, ShareError};
pub use source::{Recompute, TileSource};
pub use stored::RunError;
pub use tally::{Counterexample, Tally};
pub use tile_check::{TableTally, TileCheck};
pub use verdict::Verdict;
pub use words::{Conclusion, Flaw, Origin, Status, Truth, Unit};
