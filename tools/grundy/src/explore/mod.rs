//! The server of `grundy explore`, for this machine only.
//!
//! ```text
//! server   connections, spoken to by hyper, and who is refused
//! reply    an answer as it leaves
//! assets   the files of the page, in memory
//! api      answers for other programs, JSON
//! work     how much of all this is done at a time, and in what memory
//! ```
//!
//! Each connection gets one answer. Few connections exist at a time, and fewer compute.

pub(crate) mod api;
pub(crate) mod assets;
mod reply;
pub(crate) mod server;
pub(crate) mod work;
