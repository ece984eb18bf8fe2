//! The command line as a process: output, exit codes, files.
//!
//! The files of `tests/cases`, which [`cases`] runs, hold most output. The tests here do what text
//! cannot: compare values with the reference, read files with other programs, damage them, send
//! signals and run storms.

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
