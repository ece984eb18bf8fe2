//! Tests of several crates share what is here: small databases and ways to spoil them, a disk that fails, a
//! web server, the command line as a process, and the order of a crate's modules.
//!
//! Nothing here knows the value of a position: the oracle asks `grundy_rules::reference`, which shares no
//! code with what it checks. Whatever goes wrong here fails the test that asked for it.

#![allow(missing_docs)] // of what is never published

pub mod database;
pub mod disk;
pub mod files;
pub mod modules;
pub mod oracle;
pub mod program;
pub mod server;
