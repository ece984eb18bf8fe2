//! The games, one file each, and the list of them.

pub(crate) mod end_nim;
pub(crate) mod end_wythoff;
pub(crate) mod long_global_nim;
pub(crate) mod loop_end_nim;
pub(crate) mod misere_end_nim;
pub(crate) mod misere_nim;
pub(crate) mod nim;
pub(crate) mod partizan_end_nim;
pub(crate) mod short_global_nim;

pub use crate::registry::*;
