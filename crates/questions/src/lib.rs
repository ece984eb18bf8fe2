//! wip
#![forbid(unsafe_code)]
#![allow(missing_docs, dead_code)]
mod ast;
mod lexer;
mod parser;
mod print;
mod problem;
mod resolve;
pub use problem::{Problem, Span};
#[cfg(test)]
mod tests {
    #[test]
    fn shows() {
        for text in ["g == 1 -> abs(first - lst) <= 1", "a / 2", "g + (first == 1)", "((", "all(x in piles: x = 1)", "not g", "g == 0 and", "P -> first == last <-> N"] {
            match crate::parser::parse(text) {
                Ok(e) => match crate::resolve::resolve(&e, grundy_rules::games::END_NIM) { Ok(e) => println!("{e}"), Err(p) => println!("{}", p.of(text)) },
                Err(p) => println!("{p}"),
            }
        }
    }
}
