//! The language of statements: its columns compared with its tree, and its printing.

mod columns;
mod ground;
mod printing;
