//! A language for statements about positions of Nim variants, and its evaluation on billions of
//! them.
//!
//! ```text
//!   text ──► grundy_language: tree, names, types
//!                                            │
//!             the slow evaluator ◄───────────┼──► lower (ranges) ──► program
//!             one position, 128 bits         │                          │
//!             the oracle                     │         registers of 16 to 128 bits
//!                                            │         columns of 1024 positions
//!                                            └──────────► worker ◄──────┘
//! ```
//!
//! docs/LANGUAGE.md describes the language. A [`Question`] is a statement about the positions of
//! one game, resolved; a text that cannot be read gives a [`Problem`] with a place in it. The
//! question is *prepared* for positions of one length and max pile ([`Prepared`]). Each thread has
//! a [`Worker`], which takes tiles of values or single positions and returns [`Column`]s of
//! answers.
//!
//! # Speed
//!
//! The length is known when a statement is prepared, so every list and quantifier is written out.
//! Parts that depend only on the ends of a row are the same in all tiles and computed once. Parts
//! that depend on the piles between them are computed once a tile. The rest is computed step by
//! step on columns that stay in the L1 cache, in vectorized loops, in the narrowest numbers that
//! suffice: mostly 16 bits.
//!
//! # Overflow
//!
//! The largest pile and the length give bounds for each part of a statement (`range`). Steps whose
//! result fits are not checked. The others run lane by lane in 128 bits, checked, only in the lanes
//! that need them. A missing value (division by zero, an invalid position) ends the run with the
//! position ([`Undefined`]).
//!
//! # Limits
//!
//! It has no files, threads or clocks. The caller provides the values of other positions
//! ([`Values`]).
//!
//! ```
//! use grundy_kernels::Isa;
//! use grundy_questions::{Cells, Places, Question, Tile, ValueError, Values};
//! use grundy_rules::{Game, Memory, Pile, games};
//!
//! /// This statement needs no other position.
//! struct Nothing;
//! impl Values for Nothing {
//!     fn cell(&self, _: Game, _: &[Pile], _: &Memory) -> Result<u32, ValueError> {
//!         unreachable!("the statement names no other position")
//!     }
//! }
//!
//! let question = Question::parse(games::END_NIM, "g == first ^ last")?;
//! let prepared = question.prepare(2, 16, Some((Places::Between, 256)), Isa::best())?;
//! // Two piles are Nim.
//! let cells: Vec<u8> = (1..=16).flat_map(|a| (1..=16).map(move |b| a ^ b)).collect();
//! let (word, places, cells) = (&[][..], Places::Between, Cells::Bytes(&cells));
//! let (mut checked, mut holds) = (0, 0);
//! prepared
//!     .worker(&Nothing)
//!     .tile(Tile { word, places, cols: 16, cells, weight: 1 }, &mut |column| {
//!         checked += column.positions();
//!         holds += column.holds();
//!     })
//!     .expect("it has a value everywhere");
//! assert_eq!((checked, holds), (256, 256));
//! # Ok::<(), grundy_questions::Problem>(())
//! ```
#![forbid(unsafe_code)]

mod claim_file;
mod games;
mod here;
mod lane;
pub mod laws;
mod lower;
mod machine;
mod names;
mod options;
mod program;
mod question;
mod range;
mod sets;
mod steps;
mod values;
mod worker;

pub use claim_file::{ClaimFileError, FLAWS, OwnClaim, ReadGame, claims};
pub use grundy_language::{Problem, Span, Undefined, ValueError};
pub use question::{Question, reprinted};
pub use values::{Cells, Dense, Values};
pub use worker::{Asks, Column, Places, Prepared, Show, Tile, Worker};
