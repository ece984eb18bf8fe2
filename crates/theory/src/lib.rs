//! Checks the statements of the papers on Nim, End-Nim and their relatives, as claims, against any
//! source of values.
//!
//! ```text
//! Claim::find("ch.")      Plan::new(claims, games, range)     plan.run(source, ...)
//!  claims of a paper ──►   tables to visit and their cost ──►   one Verdict per claim
//!                                                                    │
//!                    ┌── tiles ──────────► TileCheck (a Fold) ───────┤
//!           Source ──┤                                               │
//!                    └── stored values ──► checks ───────────────────┘
//! ```
//!
//! * A [`Claim`] holds the statement of a paper, in words and as a rule, and the expected verdict.
//!   One file per paper has its claims: `bouton`, `albert_nowakowski` (with `partizan`),
//!   `cairns_ho` (with `three_piles`), `short_global`, `long_global`, and `own_facts` for this
//!   project's own results.
//! * A statement about each position by itself is a predicate beside its claim. Other checks are in
//!   `checks`, by technique and not by paper, since one walk over multisets, over rows of single
//!   piles or over sets of moves serves many claims.
//! * A verdict is always computed. The rule of a claim is transcribed from the paper; tests compare
//!   its fast form with it.
//! * One sweep of a table serves all claims about it ([`TileCheck`]), for any source of tiles
//!   ([`TileSource`]). Stored values are read if a claim covers stored positions. The verdict tells
//!   whether values were read or computed ([`Origin`]).
//! * The work of a plan is divided into [`Piece`]s. Different processes can do them share by share;
//!   merging gives the verdicts of one run ([`CoveredShare`]).
//! * A verdict counts in one unit, which its claim names ([`Unit`]).
//! * [`findings`] makes a document of verdicts, for readers of the papers.
//! * [`period`] finds and proves the ultimate periods of rows b -> G(a w b).
//!
//! The modules build on each other in one direction, from the words of a verdict to the findings; a
//! test checks this.
//!
//! ```
//! use grundy_kernels::Isa;
//! use grundy_sweep::Control;
//! use grundy_theory::{Claim, Conclusion, Means, Range, Unit, diff};
//!
//! let claims = Claim::find("ch.thm5.1")?;
//! let range = Range { max_pile: Some(20), ..Range::default() };
//! let (certificate, keeper) = (None, None);
//! let means = Means { isa: Isa::best(), memory: (1 << 30).into(), threads: 2, certificate, keeper };
//! let verdicts = diff(&claims, &[], &range, &means, &Control::new())?;
//! assert_eq!((verdicts[0].verdict, verdicts[0].checked), (Conclusion::Holds, 8000));
//! assert_eq!(verdicts[0].unit, Unit::Positions);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod albert_nowakowski;
mod bouton;
mod cairns_ho;
mod catalogue;
mod checks;
mod claim;
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
pub use estimate::{Estimate, Keeper, Means, TooMuch};
pub use grundy_sweep::period;
pub use grundy_sweep::{MergeError, Piece};
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
