//! Where a long check of a question stands, so that it can be taken up again.
//!
//! Its text carries the version of its format, the program that wrote it, and a digest of all the
//! rest: it guards against damage and against mending by hand, not against forgery. It belongs to
//! one question and one range.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use grundy_questions::Question;
use grundy_rules::{Game, Pile, Position, misere_form};
use serde_json::{Value, json};

/// The version of the text.
const FORMAT: u32 = 1;

/// Who writes it.
const PROGRAM: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));

/// Why a text is not taken for a checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// It is none.
    #[error("it is not a checkpoint of a question")]
    Syntax,
    /// Another program wrote it, and may have counted otherwise.
    #[error("it was written by another program than {PROGRAM} with format {FORMAT}")]
    Version,
    /// Its digest is not that of what it says.
    #[error("it is damaged: its digest is not that of what it says")]
    Digest,
}

/// What is covered of a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoint {
    /// The question and its range, in words; empty of a checkpoint of any.
    question: String,
    game: Option<Game>,
    /// By length.
    levels: BTreeMap<usize, Covered>,
}

/// What is covered of one level.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Covered {
    /// Whether it was read from a stored table; otherwise it was computed.
    pub(crate) is_read: bool,
    /// Parts of the whole level.
    pub(crate) parts: u64,
    /// How many of them are covered, from the first.
    pub(crate) done: u64,
    pub(crate) cells: u64,
    pub(crate) checked: u64,
    pub(crate) premise: u64,
    pub(crate) failures: u64,
    pub(crate) least: Vec<(Position, u32)>,
}

impl Checkpoint {
    /// The checkpoint as a text.
    pub fn to_text(&self) -> String {
        let levels: Vec<Value> = self
            .levels
            .iter()
            .map(|(length, covered)| {
                let least = covered.least.iter();
                let least: Vec<Value> =
                    least.map(|(position, cell)| json!([position.to_string(), cell])).collect();
                json!({
                    "length": length, "read": covered.is_read, "parts": covered.parts,
                    "done": covered.done, "cells": covered.cells, "checked": covered.checked,
                    "premise": covered.premise, "failures": covered.failures, "least": least,
                })
            })
            .collect();
        // A misère form has no name that is read again.
        let named = self.game.map(|game| game.misere_of().unwrap_or(game).id());
        let is_misere = self.game.is_some_and(|game| game.misere_of().is_some());
        let said = json!({
            "question": self.question, "game": named, "misere": is_misere, "levels": levels,
        })
        .to_string();
        let blake3 = digest(FORMAT, PROGRAM, &said);
        json!({ "format": FORMAT, "program": PROGRAM, "blake3": blake3, "checkpoint": said })
            .to_string()
    }

    /// Reads a text.
    ///
    /// # Errors
    /// [`CheckpointError`] if it is none, or of another program, or not whole.
    pub fn from_text(text: &[u8]) -> Result<Checkpoint, CheckpointError> {
        let outer: Value = serde_json::from_slice(text).map_err(|_| CheckpointError::Syntax)?;
        let field = |name: &str| outer[name].as_str().ok_or(CheckpointError::Syntax);
        let format = outer["format"].as_u64().ok_or(CheckpointError::Syntax)?;
        let (program, said) = (field("program")?, field("checkpoint")?);
        let format = u32::try_from(format).map_err(|_| CheckpointError::Version)?;
        if field("blake3")? != digest(format, program, said) {
            return Err(CheckpointError::Digest);
        }
        if (format, program) != (FORMAT, PROGRAM) {
            return Err(CheckpointError::Version);
        }
        read(said).ok_or(CheckpointError::Syntax)
    }

    /// Whether it is of this question; an empty one becomes it.
    pub(crate) fn is_of(
        &mut self,
        question: &Question,
        lengths: &RangeInclusive<usize>,
        max_pile: Pile,
        show: usize,
    ) -> bool {
        let (first, last) = (lengths.start(), lengths.end());
        let (game, text) = (question.game(), question.text());
        let words =
            format!("{game}, {first} to {last} piles up to {max_pile}, {show} shown: {text}");
        if self.question.is_empty() {
            self.question.clone_from(&words);
            self.game = Some(game);
        }
        self.question == words
    }

    /// What is covered of a length that its source cuts into `parts`. If the source has changed (a
    /// table was stored meanwhile), the length begins again.
    pub(crate) fn get(&self, length: usize, is_read: bool, parts: u64) -> Covered {
        let found = self.levels.get(&length).cloned();
        let fresh = Covered { is_read, parts, ..Covered::default() };
        found.filter(|c| (c.is_read, c.parts) == (is_read, parts)).unwrap_or(fresh)
    }

    pub(crate) fn put(&mut self, length: usize, covered: Covered) {
        self.levels.insert(length, covered);
    }
}

/// Reads what stands inside a text whose digest is right.
fn read(said: &str) -> Option<Checkpoint> {
    let value: Value = serde_json::from_str(said).ok()?;
    let game: Option<Game> = match value["game"].as_str() {
        Some(name) => {
            let game: Game = name.parse().ok()?;
            Some(if value["misere"] == true { misere_form(game).ok()? } else { game })
        }
        None => None,
    };
    let mut levels = BTreeMap::new();
    for level in value["levels"].as_array()? {
        let number = |name: &str| level[name].as_u64();
        let mut least = Vec::new();
        for pair in level["least"].as_array()? {
            let position = game?.parse(pair[0].as_str()?).ok()?;
            least.push((position, u32::try_from(pair[1].as_u64()?).ok()?));
        }
        let covered = Covered {
            is_read: level["read"].as_bool()?,
            parts: number("parts")?,
            done: number("done")?,
            cells: number("cells")?,
            checked: number("checked")?,
            premise: number("premise")?,
            failures: number("failures")?,
            least,
        };
        levels.insert(usize::try_from(number("length")?).ok()?, covered);
    }
    Some(Checkpoint { question: value["question"].as_str()?.to_owned(), game, levels })
}

/// The digest of a checkpoint's text.
fn digest(format: u32, program: &str, said: &str) -> String {
    blake3::hash(format!("{format}\n{program}\n{said}").as_bytes()).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::games::END_NIM;

    #[test]
    fn a_text_reads_back_and_no_changed_byte_goes_unnoticed() {
        let question = Question::parse(END_NIM, "g == 1 -> first == last").unwrap();
        let mut checkpoint = Checkpoint::default();
        assert!(checkpoint.is_of(&question, &(1..=3), 9, 10));
        assert!(!checkpoint.is_of(&question, &(1..=3), 8, 10));
        let least = vec![(END_NIM.parse("1,3,3").unwrap(), 1)];
        let covered = Covered { parts: 3, done: 2, failures: 1, least, ..Covered::default() };
        checkpoint.put(3, covered);
        let text = checkpoint.to_text().into_bytes();
        assert_eq!(Checkpoint::from_text(&text).unwrap(), checkpoint);
        for at in 0..text.len() {
            let mut damaged = text.clone();
            damaged[at] ^= 1;
            let read = Checkpoint::from_text(&damaged);
            assert!(read.is_err() || read.unwrap() == checkpoint, "byte {at}");
            assert!(Checkpoint::from_text(&text[..at]).is_err());
        }
    }

    #[test]
    fn what_is_covered_is_that_of_the_source() {
        let mut checkpoint = Checkpoint::default();
        let fresh = Covered { is_read: true, parts: 3, ..Covered::default() };
        assert_eq!(checkpoint.get(2, true, 3), fresh);
        let covered =
            Covered { is_read: true, parts: 3, done: 2, checked: 9, ..Covered::default() };
        checkpoint.put(2, covered.clone());
        assert_eq!(checkpoint.get(2, true, 3), covered);
        // Of another length, a source that is no longer the same, or that is cut otherwise.
        assert_eq!(checkpoint.get(1, true, 3), fresh);
        assert_eq!(checkpoint.get(2, false, 3), Covered { is_read: false, ..fresh.clone() });
        assert_eq!(checkpoint.get(2, true, 4), Covered { parts: 4, ..fresh });
    }

    #[test]
    fn a_checkpoint_is_of_one_question_and_range() {
        let question = |text| Question::parse(END_NIM, text).unwrap();
        let (one, other) = (question("g == 1"), question("g == 2"));
        let misere = Question::parse(misere_form(END_NIM).unwrap(), "g == 1").unwrap();
        let mut checkpoint = Checkpoint::default();
        assert!(checkpoint.is_of(&one, &(1..=3), 9, 10) && checkpoint.is_of(&one, &(1..=3), 9, 10));
        assert!(!checkpoint.is_of(&other, &(1..=3), 9, 10));
        assert!(!checkpoint.is_of(&misere, &(1..=3), 9, 10));
        assert!(
            !checkpoint.is_of(&one, &(2..=3), 9, 10) && !checkpoint.is_of(&one, &(1..=4), 9, 10)
        );
        assert!(
            !checkpoint.is_of(&one, &(1..=3), 8, 10) && !checkpoint.is_of(&one, &(1..=3), 9, 9)
        );
        // Of a misère form, too, and of no question at all.
        for mut checkpoint in [Checkpoint::default(), {
            let mut of_misere = Checkpoint::default();
            assert!(of_misere.is_of(&misere, &(1..=3), 9, 10));
            of_misere
        }] {
            let least = match checkpoint.game {
                Some(game) => vec![(game.parse("1,3").unwrap(), 4)],
                None => Vec::new(),
            };
            let covered = Covered {
                is_read: true,
                parts: 7,
                done: 6,
                cells: 5,
                checked: 4,
                premise: 3,
                failures: 2,
                least,
            };
            checkpoint.put(2, covered);
            let again = Checkpoint::from_text(checkpoint.to_text().as_bytes()).unwrap();
            assert_eq!(again, checkpoint);
        }
    }

    /// Texts with a right digest: of another program, of another format, and that say nothing.
    #[test]
    fn texts_of_others_are_refused() {
        let text = |format: u64, program: &str, said: &str| {
            let blake3 = digest(format as u32, program, said);
            json!({ "format": format, "program": program, "blake3": blake3, "checkpoint": said })
                .to_string()
        };
        let read = |text: String| Checkpoint::from_text(text.as_bytes()).unwrap_err().to_string();
        let said = Checkpoint::default().to_text();
        let said: Value = serde_json::from_str(&said).unwrap();
        let said = said["checkpoint"].as_str().unwrap();
        assert!(Checkpoint::from_text(text(1, PROGRAM, said).as_bytes()).is_ok());
        assert!(read(text(1, "grundy 0", said)).starts_with("it was written by another program"));
        assert!(read(text(2, PROGRAM, said)).starts_with("it was written by another program"));
        // More than a number of 32 bits is no version either.
        assert!(read(text(1 << 32, PROGRAM, said)).starts_with("it was written by another"));
        let damaged = text(1, PROGRAM, said).replace("levels", "Levels");
        assert!(read(damaged).starts_with("it is damaged"));
        let none = "it is not a checkpoint of a question";
        assert_eq!(read(text(1, PROGRAM, "{}")), none);
        assert_eq!(read(text(1, PROGRAM, "[")), none);
        let unknown = r#"{"question":"","game":"no-such-game","misere":false,"levels":[]}"#;
        assert_eq!(read(text(1, PROGRAM, unknown)), none);
        for other in ["", "[]", "{}", r#"{"format":1}"#] {
            assert_eq!(read(other.to_owned()), none);
        }
    }
}
