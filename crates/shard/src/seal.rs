//! The seal of a text: its last line, which contains the BLAKE3 digest of all text before it.
//!
//! A sealed JSON object is still valid JSON; its last member is `blake3`. The digest is computed
//! from the bytes, not from the decoded values, so the seal detects every changed bit.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::json;

/// The text before the digits of the seal, and the text after them.
const BEFORE_SEAL: &str = ",\n  \"blake3\": \"";
const BEHIND_SEAL: &str = "\"\n}\n";

/// The number of hexadecimal digits of a seal.
const SEAL_LEN: usize = 64;

/// Appends a seal to a JSON object with an indentation of two spaces.
pub fn sealed(mut text: String) -> String {
    // Remove the closing brace, because the seal is the last member.
    if text.ends_with("\n}") {
        text.truncate(text.len() - 2);
    }
    text.push_str(BEFORE_SEAL);
    let seal = blake3::hash(text.as_bytes()).to_hex();
    text.push_str(&seal);
    text.push_str(BEHIND_SEAL);
    text
}

/// The state of the seal at the end of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seal {
    /// The text does not end with a seal.
    Missing,
    /// The text was changed after it was sealed.
    Broken,
    /// The text is unchanged.
    Whole,
}

impl Seal {
    /// Checks the seal of a text.
    pub fn of(text: &[u8]) -> Seal {
        let digits = text.len().checked_sub(BEHIND_SEAL.len() + SEAL_LEN);
        let Some((sealed, end)) = digits.map(|at| text.split_at(at)) else {
            return Seal::Missing;
        };
        if !sealed.ends_with(BEFORE_SEAL.as_bytes()) || !end.ends_with(BEHIND_SEAL.as_bytes()) {
            return Seal::Missing;
        }
        // Compare the digests as text, so that a seal in capital letters is not valid.
        match end.starts_with(blake3::hash(sealed).to_hex().as_bytes()) {
            true => Seal::Whole,
            false => Seal::Broken,
        }
    }
}

/// An error while reading a sealed text.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    #[error("it is incomplete or of another version: it has no digest at its end")]
    Missing,
    #[error("it is damaged: its content does not match its digest")]
    Broken,
    #[error("it is of another kind, or of another version")]
    Syntax(#[from] serde_json::Error),
}

/// Serializes a value to a JSON object with a seal.
pub fn to_sealed<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    Ok(sealed(serde_json::to_string_pretty(value)?))
}

/// Reads a sealed value.
pub fn from_sealed<T: DeserializeOwned>(mut text: Vec<u8>) -> Result<T, SealError> {
    match Seal::of(&text) {
        Seal::Missing => return Err(SealError::Missing),
        Seal::Broken => return Err(SealError::Broken),
        Seal::Whole => {}
    }
    text.truncate(text.len() - BEHIND_SEAL.len() - SEAL_LEN - BEFORE_SEAL.len());
    text.extend(b"\n}");
    Ok(json::from_slice(&text)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Letter {
        number: u64,
        text: String,
    }

    #[test]
    fn the_kinds_of_damage_have_different_errors() {
        let said = |text: String| from_sealed::<Letter>(text.into_bytes()).unwrap_err().to_string();
        let letter = Letter { number: 7, text: "a".to_owned() };
        let whole = to_sealed(&letter).unwrap();
        assert_eq!(from_sealed::<Letter>(whole.clone().into_bytes()).unwrap(), letter);
        let none = "it is incomplete or of another version: it has no digest at its end";
        assert_eq!(said("{}".to_owned()), none);
        let damaged = "it is damaged: its content does not match its digest";
        assert_eq!(said(whole.replace('7', "8")), damaged);
        let other = to_sealed(&serde_json::json!({ "number": 7 })).unwrap();
        assert_eq!(said(other), "it is of another kind, or of another version");
        let twice = "{\n  \"number\": 7,\n  \"number\": 8,\n  \"text\": \"\"\n}";
        assert_eq!(said(sealed(twice.to_owned())), "it is of another kind, or of another version");
    }
}
