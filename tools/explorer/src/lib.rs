//! The explorer: a web page that computes in the browser, with the same crates as the program.
//!
//! ```text
//! page (ES modules) ──► worker ──► ask: a line of JSON ──► Session ──► grundy, the facade
//!        ▲                                                   │
//!        └────────── text: a line of JSON; numbers: u32 ◄────┘
//! ```
//!
//! [`Session::ask`] is the whole interface, and any program can call it. The page calls it through
//! `exports`. There is no mathematics here, because the page shows results of the crates.
//!
//! Nothing here trusts the page, because a link made by a stranger may contain any question. Every
//! size has a limit ([`limits`]), every search is bounded in memory and time, and every failure is
//! reported as a sentence.
#![deny(unsafe_code)]

#[cfg(target_family = "wasm")]
mod exports;
mod family;
mod game;
pub mod limits;
mod own;
mod session;
mod statement;

pub use session::{Reply, Session};
