//! The seal of a text: the BLAKE3 of all text before it, in its last line.
//!
//! A JSON object that is sealed is still one for whoever does not care, with a member `blake3` at its
//! end. No bit of it can change unnoticed: the seal is of the text and not of what the text means.

/// What stands before the seal's digits, and behind them.
const BEFORE_SEAL: &str = ",\n  \"blake3\": \"";
const BEHIND_SEAL: &str = "\"\n}\n";

/// Hexadecimal digits of a seal.
const SEAL_LEN: usize = 64;

/// A JSON object, written with an indent of two spaces, with its seal.
pub fn sealed(mut text: String) -> String {
    // The brace that closes the object, which the seal is to stand before.
    if text.ends_with("\n}") {
        text.truncate(text.len() - 2);
    }
    text.push_str(BEFORE_SEAL);
    let seal = blake3::hash(text.as_bytes()).to_hex();
    text.push_str(&seal);
    text.push_str(BEHIND_SEAL);
    text
}

/// The end of a text that may have a seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seal {
    /// There is none.
    Missing,
    /// The text before it is another.
    Broken,
    /// The text before it is what was sealed.
    Whole,
}

impl Seal {
    /// What stands at the end of a text.
    pub fn of(text: &[u8]) -> Seal {
        let digits = text.len().checked_sub(BEHIND_SEAL.len() + SEAL_LEN);
        let Some((sealed, end)) = digits.map(|at| text.split_at(at)) else {
            return Seal::Missing;
        };
        if !sealed.ends_with(BEFORE_SEAL.as_bytes()) || !end.ends_with(BEHIND_SEAL.as_bytes()) {
            return Seal::Missing;
        }
        // As text: digits in capitals would be another file.
        match end.starts_with(blake3::hash(sealed).to_hex().as_bytes()) {
            true => Seal::Whole,
            false => Seal::Broken,
        }
    }
}
