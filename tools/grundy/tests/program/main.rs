//! Runs the command line as a process, and tests output, exit codes and files.
//!
//! Most expected output is in the files of `tests/cases`, which [`cases`] runs. The other tests
//! compare values with the reference, read files with other programs, damage files, send signals
//! and run storms.

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
mod sequences;
mod statements;
mod stored;
mod storm;
mod tasks;
