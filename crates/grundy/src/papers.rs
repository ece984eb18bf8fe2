//! Claims, checked with the values of a database: those of the papers (`grundy_theory`), and those
//! in your own files.
//!
//! ```
//! use grundy::papers::{Claim, Means, Plan, Range};
//! use grundy::{Control, Database, Isa};
//!
//! let claims = Claim::find("ch.thm5.1")?;
//! let range = Range { max_pile: Some(12), ..Range::default() };
//! let plan = Plan::new(&claims, &[], &range)?;
//! let (certificate, keeper) = (None, None);
//! let (isa, memory) = (Isa::best(), (1 << 30).into());
//! let means = Means { isa, memory, threads: 2, certificate, keeper };
//! let verdicts = plan.run(&Database::empty(), &means, &Control::new())?;
//! assert_eq!(verdicts[0].checked, 12 * 12 * 12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A claim is one or more questions with a range and an expectation, or a check in Rust:
//!
//! ```text
//! plan       the levels that the statements of the claims ask about, and the checks in Rust
//! share      the work of a plan in shares, which different processes can do
//! conclude   the results of the levels and checks ──► one verdict for each claim
//! all_sizes  proofs of claims about piles of all sizes
//! ```

mod all_sizes;
mod conclude;
mod plan;
mod share;

pub use grundy_theory::conjecture::{self, CertificateFailure};
pub use grundy_theory::{
    AllSizes, CertificateSink, Check, Claim, Conclusion, Counterexample, Domain, Estimate, Flaw,
    LimitError, Means, Origin, Paper, PlanError, Range, Status, Truth, Unit, UnknownClaim, Verdict,
    decided_by, decided_with, findings, named, period,
};
pub use plan::Plan;
pub use share::CoveredShare;
