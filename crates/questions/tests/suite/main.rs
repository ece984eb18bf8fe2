//! The language of statements: its columns against its tree, and how it prints.

mod columns;
mod ground;
mod printing;
