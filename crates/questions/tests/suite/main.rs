//! Tests that compare columns with the slow evaluator, and tests of printed statements.

#[path = "../../../testing/src/cases.rs"]
pub mod cases;
mod columns;
mod ground;
mod printing;
