//! Tests of the language of statements: columns are compared with the tree, and texts are printed.

#[path = "../../../testing/src/cases.rs"]
pub mod cases;
mod columns;
mod ground;
mod printing;
