#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

#[cfg(test)]
#[path = "../../testing/src/cases.rs"]
pub mod cases;
mod catalogue;
mod checks;
mod claim;
mod claim_text;
pub mod conjecture;
mod domain;
mod estimate;
mod examine;
mod extent;
mod fast;
pub mod findings;
mod job;
mod reasons;
mod stored;
mod tally;
#[cfg(test)]
mod testing;
mod verdict;
mod words;

pub use catalogue::{UnknownClaim, named};
pub use checks::counts::{CountRule, Counts, compare as compare_counts};
pub use claim::{Check, Claim, Paper, RustCheck};
pub use claim_text::{ClaimFileError, claims};
pub use domain::{Domain, Extent, Size};
pub use estimate::{CertificateSink, Estimate, LimitError, Means};
pub use examine::CheckResult;
pub use extent::{PlanError, Range};
pub use fast::DistinctRows;
pub use grundy_sweep::period;
pub use job::Examination;
pub use reasons::{decided_by, decided_with};
pub use stored::{NoTables, ReadError, Tables};
pub use tally::{Counterexample, Tally};
pub use verdict::{AllSizes, Verdict};
pub use words::{Conclusion, Flaw, Origin, Status, Truth, Unit};
