//! The statements of the papers on Nim, End-Nim and their relatives, as claims that are
//! checked against any source of values.
//!
//! ```text
//! Claim::find("ch.")      Plan::new(claims, games, range)     plan.run(source, ...)
//!  who says what    ──►    which tables, what it takes    ──►   one Verdict per claim
//!                                                                    │
//!                          Source ── tiles ──► Inspection (a Fold) ──┘
//! ```
//!
//! * A [`Claim`] carries what a paper says, in its words and as a rule, and what
//!   verdict is expected. One file per paper: `bouton`, `albert_nowakowski` (with
//!   `partizan`), `cairns_ho` (with `three_piles`), `short_global`, `long_global`,
//!   `ours`.
//! * A verdict is always computed. The rule of a claim is transcribed from the
//!   paper; its fast form is tested equal to it.
//! * One sweep of a table serves all claims about it ([`Inspection`]), whoever
//!   shows the tiles ([`Source`]).
//! * [`findings`] makes a document of verdicts, for readers of the papers.
//! * [`period`] finds and proves the ultimate periods of rows b -> G(a w b).
//!
//! ```
//! use grundy_kernels::Isa;
//! use grundy_sweep::Control;
//! use grundy_theory::{Claim, Means, Range, Truth, diff};
//!
//! let claims = Claim::find("ch.thm5.1")?;
//! let range = Range { max_pile: Some(20), ..Range::default() };
//! let means = Means { isa: Isa::best(), memory: 1 << 30, threads: 2, certificate: None };
//! let verdicts = diff(&claims, &[], &range, &means, &Control::new())?;
//! assert_eq!((verdicts[0].verdict, verdicts[0].checked), (Truth::Holds, 8000));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod albert_nowakowski;
mod bouton;
mod cairns_ho;
mod catalogue;
mod checkpoint;
mod claim;
pub mod conjecture;
mod counts;
pub mod findings;
mod inspect;
mod job;
mod long_global;
mod ours;
mod partizan;
pub mod period;
mod plan;
mod short_global;
mod source;
mod statement;
mod tally;
#[cfg(test)]
mod testing;
mod three_piles;
mod verdict;
mod whole;

pub use catalogue::UnknownClaim;
pub use checkpoint::Checkpoint;
pub use claim::{Claim, Domain, Paper, Status, Truth};
pub use inspect::{Inspected, Inspection};
pub use job::Size;
pub use plan::{Estimate, Means, Plan, PlanError, Range, RunError, diff};
pub use source::{Recompute, Source};
pub use tally::{Counterexample, Tally};
pub use verdict::Verdict;
