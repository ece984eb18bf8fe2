//! The statements of the papers on Nim, End-Nim and their relatives, as claims that are
//! checked against any source of values.
//!
//! ```text
//! Claim::find("ch.")      Plan::new(claims, games, range)     plan.run(source, ...)
//!  who says what    ──►    which tables, what it takes    ──►   one Verdict per claim
//!                                                                    │
//!                    ┌── tiles ──────────► TileCheck (a Fold) ───────┤
//!           Source ──┤                                               │
//!                    └── stored values ──► checks ───────────────────┘
//! ```
//!
//! * A [`Claim`] carries what a paper says, in its words and as a rule, and what
//!   verdict is expected. One file per paper has its claims: `bouton`, `albert_nowakowski` (with
//!   `partizan`), `cairns_ho` (with `three_piles`), `short_global`, `long_global`, and
//!   `own_facts` for what this project adds.
//! * A statement about each position by itself is a predicate beside its claim. What is checked in
//!   another way stands in `checks`, by technique and not by paper, since one walk over
//!   multisets, over rows of single piles or over sets of moves serves many claims.
//! * A verdict is always computed. The rule of a claim is transcribed from the
//!   paper; its fast form is tested equal to it.
//! * One sweep of a table serves all claims about it ([`TileCheck`]), whoever
//!   shows the tiles ([`TileSource`]). Stored values are read where a claim speaks of positions
//!   that are stored; the verdict says what was read and what computed ([`Origin`]).
//! * The work of a plan is cut into [`Piece`]s, which can be done share by share in different
//!   processes and merged to the verdicts of one run ([`CoveredShare`]).
//! * A verdict counts in one unit, which its claim names ([`Unit`]).
//! * [`findings`] makes a document of verdicts, for readers of the papers.
//! * [`period`] finds and proves the ultimate periods of rows b -> G(a w b).
//!
//! The modules build on each other in one direction, from the words of a verdict to the
//! findings; a test holds them to that.
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
