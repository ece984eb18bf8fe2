//! The command line as a process: output, exit codes, files. `tests/readme.rs` is a program of its own,
//! for it changes its folder.

mod cli;
mod crashes;
mod expected;
mod explore;
mod export;
mod findings;
mod hostile;
mod language;
mod laws;
mod packs;
mod reader;
mod remote;
mod stored;
mod storm;
mod tasks;
