//! Tests of the language of statements: columns are compared with the tree, and texts are printed.

mod columns;
mod ground;
mod printing;
