//! The explorer: a page in the browser that computes by itself, from the same crates as the program.
//!
//! ```text
//! page (ES modules) ──► worker ──► ask: a line of JSON ──► Session ──► grundy, the facade
//!        ▲                                                   │
//!        └────────── text: a line of JSON; numbers: u32 ◄────┘
//! ```
//!
//! [`Session::ask`] is all there is, and can be called from any program; `exports` is how a page
//! calls it. There is no mathematics here: what the page shows, the crates say.
//!
//! Nothing here trusts the page. What it asks for may have come from an address that somebody made:
//! every size has a limit ([`limits`]), every search is bounded in memory and time, and what cannot
//! be answered is a sentence.
#![deny(unsafe_code)]

#[cfg(target_family = "wasm")]
mod exports;
pub mod limits;
mod session;

pub use session::{Reply, Session};
