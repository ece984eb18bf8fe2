//! The subcommands, one file each.

pub(crate) mod build;
pub(crate) mod certificate;
pub(crate) mod check;
pub(crate) mod cite;
pub(crate) mod claims;
pub(crate) mod diff;
pub(crate) mod documents;
pub(crate) mod export;
pub(crate) mod find;
pub(crate) mod findings;
pub(crate) mod finish;
pub(crate) mod guess;
pub(crate) mod moves;
pub(crate) mod own;
pub(crate) mod pack;
pub(crate) mod periods;
pub(crate) mod plan;
pub(crate) mod plot;
pub(crate) mod query;
pub(crate) mod sequence;
pub(crate) mod stats;
pub(crate) mod status;
pub(crate) mod task;
pub(crate) mod tasks;
pub(crate) mod unpack;
pub(crate) mod verify;
