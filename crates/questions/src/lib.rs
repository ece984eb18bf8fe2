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
//! What the language says stands in docs/LANGUAGE.md. A [`Question`] is a statement about the
//! positions of one game, read and given its meaning; what cannot be read is a [`Problem`]
//! with a place in the text. It is *prepared* for positions of one length and max pile
//! ([`Prepared`]), and worked out by a [`Worker`] for each thread, which is shown tiles of values
//! or single positions and shows [`Column`]s of answers.
//!
//! # Why it is fast
//!
//! The length is known when a statement is prepared, so every list and quantifier is written
//! out. What depends on the ends of a row alone is the same in all tiles and worked out once; what
//! depends on the piles between them, once a tile. The rest is worked out a step at a time on
//! columns that stay in the nearest cache, by loops that the compiler turns into vector
//! instructions, in the narrowest numbers that hold everything: most statements need 16 bits.
//!
//! # Why it never wraps
//!
//! From the largest pile and the length follows between which numbers each part of a statement
//! lies (`range`). Steps whose result fits are taken without looking; the others lane by
//! lane in 128 bits, checked, where they are asked for. What has no value somewhere (division by
//! zero, a position that is none) ends the run with the position ([`Undefined`]).
//!
//! # What it does not know
//!
//! Files, threads and clocks. Values of other positions come from whoever has them ([`Values`]).
//!
//! ```
//! use grundy_kernels::Isa;
//! use grundy_questions::{Cells, Places, Question, Tile, ValueError, Values};
//! use grundy_rules::{Game, Memory, Pile, games};
//!
//! /// Nobody is asked for another position here.
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
