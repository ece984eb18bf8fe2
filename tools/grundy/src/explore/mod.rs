//! What `grundy explore` serves, to this machine only.
//!
//! ```text
//! server   connections, and what is refused before anything is read of it
//! http     a request as it stands on the wire, an answer as it goes there
//! assets   the files of the page, in memory
//! api      answers for other programs, JSON
//! work     how much of all this is done at a time, and in what memory
//! ```
//!
//! Heads are read by `httparse`, which `ureq` brings anyway; the rest of HTTP that a page on the same
//! machine needs is a few lines. Each connection answers once and has a thread of its own, of which
//! there are not many; of those fewer still compute at a time.

pub(crate) mod api;
pub(crate) mod assets;
mod http;
pub(crate) mod server;
pub(crate) mod work;
