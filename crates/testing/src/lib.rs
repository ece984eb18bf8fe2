//! Tools that the tests of several crates share: small databases and ways to damage them, a file
//! system that fails, a web server, and the command line as a process.
//!
//! No code here computes values. The oracle uses `grundy_rules::reference`, which shares no code
//! with the tested evaluators. Functions panic on errors, so the test fails.

pub mod cases;
pub mod database;
pub mod disk;
pub mod files;
pub mod oracle;
pub mod own;
pub mod program;
pub mod random;
pub mod server;
