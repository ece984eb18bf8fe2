//! The server of `grundy explore`, for this machine only.
//!
//! ```text
//! server   accepts connections, and limits their number
//! request  reads requests within limits of time and length; refuses requests of other sites
//! reply    builds and sends answers
//! assets   keeps the files of the page in memory
//! api      answers other programs in JSON
//! work     limits the parallel work and its memory
//! ```
//!
//! Each connection gets one answer. The numbers of connections and of computations are limited.

pub(crate) mod api;
pub(crate) mod assets;
mod reply;
mod request;
pub(crate) mod server;
pub(crate) mod work;
