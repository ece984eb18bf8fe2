//! The command line as a process: output, exit codes, files.
//!
//! Its output is in the files of `tests/cases`, which [`cases`] runs; here is what text cannot say:
//! values held against the reference, files read by others, damage, signals and storms.

mod cases;
mod crashes;
mod examples;
mod expected;
mod explore;
mod export;
mod findings;
mod packs;
mod reader;
mod remote;
mod statements;
mod stored;
mod storm;
mod tasks;
