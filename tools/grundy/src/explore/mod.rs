//! The server of `grundy explore`, for this machine only.
//!
//! ```text
//! server   accepts and refuses connections; hyper implements HTTP
//! reply    builds answers
//! assets   keeps the files of the page in memory
//! api      answers other programs in JSON
//! work     limits the parallel work and its memory
//! ```
//!
//! Each connection gets one answer. The numbers of connections and of computations are limited.

pub(crate) mod api;
pub(crate) mod assets;
mod reply;
pub(crate) mod server;
pub(crate) mod work;
