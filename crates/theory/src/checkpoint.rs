//! Where a long diff stands, so that it can be taken up again.
//!
//! A table is walked in parts (see [`Source::parts`](crate::Source::parts)), some
//! seconds of work at a time. After each stretch the checkpoint knows how many parts are
//! covered and what the claims have gathered from them; whoever keeps it in a file can
//! stop at any moment and loses one stretch at most. A checkpoint belongs to one plan:
//! the same claims over the same tables.
//!
//! What it says goes into a verdict, so it is not taken from anybody: its text carries the
//! version of its format, the program that wrote it, and a digest of all the rest. It guards
//! against damage and against mending by hand, not against forgery.
//!
//! ```text
//! {"format":1,"program":"grundy-theory 0.1.0","blake3":"...","checkpoint":{...}}
//! ```

use std::collections::BTreeMap;

use grundy_rules::Table;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::tally::Tally;
use crate::tile_check::Gathered;

/// The version of the text.
const FORMAT: u32 = 1;

/// Who writes it.
const PROGRAM: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));

/// The text of a checkpoint.
#[derive(Serialize, Deserialize)]
struct Envelope {
    format: u32,
    program: String,
    /// Of the bytes of `checkpoint`, behind the two fields above.
    blake3: String,
    checkpoint: Box<RawValue>,
}

/// Why a text is not taken for a checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// It is none.
    #[error("it is not a checkpoint of a diff")]
    Syntax(#[from] serde_json::Error),
    /// Another program wrote it, and may have counted otherwise.
    #[error(
        "it was written by {program} in format {format}, and this is {PROGRAM} with format {FORMAT}"
    )]
    Version {
        /// The program that wrote it.
        program: String,
        /// The format of its text.
        format: u32,
    },
    /// Its digest is not that of what it says.
    #[error("it is damaged: its digest is not that of what it says")]
    Digest,
}

/// What is covered of a plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The plan, in words: claims and tables.
    pub(crate) plan: String,
    /// By table id.
    tables: BTreeMap<String, Covered>,
}

/// What is covered of one table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Covered {
    /// Whether it was read from a stored table; otherwise it was computed.
    pub(crate) stored: bool,
    /// Parts of the whole table, in the order of the source that showed them.
    pub(crate) parts: u64,
    /// How many of them are covered, from the first.
    pub(crate) done: u64,
    pub(crate) cells: u64,
    pub(crate) seconds: f64,
    /// One per claim of the table's sweep.
    pub(crate) tallies: Vec<Tally>,
    pub(crate) zeros: Vec<u64>,
}

impl Checkpoint {
    /// The checkpoint as a text.
    ///
    /// # Errors
    /// Those of the serialisation, which has no reason to fail.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        let checkpoint = RawValue::from_string(serde_json::to_string(self)?)?;
        let blake3 = digest(FORMAT, PROGRAM, checkpoint.get());
        let program = PROGRAM.to_owned();
        serde_json::to_string(&Envelope { format: FORMAT, program, blake3, checkpoint })
    }

    /// Reads a text.
    ///
    /// # Errors
    /// [`CheckpointError`] if it is none, or of another program, or not whole.
    pub fn from_text(text: &[u8]) -> Result<Checkpoint, CheckpointError> {
        let Envelope { format, program, blake3, checkpoint } = serde_json::from_slice(text)?;
        if blake3 != digest(format, &program, checkpoint.get()) {
            return Err(CheckpointError::Digest);
        }
        if (format, &program[..]) != (FORMAT, PROGRAM) {
            return Err(CheckpointError::Version { program, format });
        }
        Ok(serde_json::from_str(checkpoint.get())?)
    }

    /// Whether it was made by the same plan; one that is empty is of any.
    pub(crate) fn is_of(&self, plan: &str) -> bool {
        self.plan.is_empty() || self.plan == plan
    }

    /// What is covered of a table that its source cuts into `parts`. If the source has
    /// changed (a table was stored meanwhile), the table starts again.
    pub(crate) fn get(&self, table: &Table, stored: bool, parts: u64) -> Covered {
        let found = self.tables.get(&table.to_string()).cloned();
        let fresh = Covered { stored, parts, ..Covered::default() };
        found.filter(|c| (c.stored, c.parts) == (stored, parts)).unwrap_or(fresh)
    }

    /// Keeps what is covered of a table.
    pub(crate) fn put(&mut self, table: &Table, covered: Covered) {
        self.tables.insert(table.to_string(), covered);
    }
}

impl Covered {
    /// Takes in what a stretch gathered.
    pub(crate) fn add(&mut self, gathered: Gathered, cells: u64) {
        self.cells += cells;
        if self.tallies.is_empty() {
            self.tallies = gathered.tallies;
        } else {
            for (tally, new) in self.tallies.iter_mut().zip(gathered.tallies) {
                *tally = std::mem::take(tally).merge(new);
            }
        }
        self.zeros.resize(self.zeros.len().max(gathered.zeros.len()), 0);
        for (zeros, new) in self.zeros.iter_mut().zip(gathered.zeros) {
            *zeros += new;
        }
    }
}

/// The digest of a checkpoint's text.
fn digest(format: u32, program: &str, checkpoint: &str) -> String {
    blake3::hash(format!("{format}\n{program}\n{checkpoint}").as_bytes()).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::games::END_NIM;

    fn checkpoint() -> Checkpoint {
        let mut checkpoint = Checkpoint { plan: "all of it".to_owned(), ..Checkpoint::default() };
        let table = Table::new(END_NIM, 5, 4).unwrap();
        let tallies = vec![Tally { checked: 625, ..Tally::default() }];
        let covered = Covered { parts: 3, done: 2, cells: 400, tallies, ..Covered::default() };
        checkpoint.put(&table, covered);
        checkpoint
    }

    #[test]
    fn a_text_reads_back() {
        let text = checkpoint().to_text().unwrap();
        assert_eq!(Checkpoint::from_text(text.as_bytes()).unwrap(), checkpoint());
    }

    /// Every bit of every byte; what is no JSON any more is refused as that.
    #[test]
    fn no_flipped_bit_goes_unnoticed() {
        let text = checkpoint().to_text().unwrap().into_bytes();
        for at in 0..text.len() {
            for bit in 0..8 {
                let mut damaged = text.clone();
                damaged[at] ^= 1 << bit;
                assert!(Checkpoint::from_text(&damaged).is_err(), "byte {at}, bit {bit}");
            }
            assert!(Checkpoint::from_text(&text[..at]).is_err());
        }
    }

    #[test]
    fn other_programs_are_refused() {
        let inner = RawValue::from_string("{}".to_owned()).unwrap();
        let (format, program) = (FORMAT + 1, "another 9.9".to_owned());
        let blake3 = digest(format, &program, inner.get());
        let other = Envelope { format, program, blake3, checkpoint: inner };
        let text = serde_json::to_string(&other).unwrap();
        let error = Checkpoint::from_text(text.as_bytes()).unwrap_err();
        assert!(matches!(error, CheckpointError::Version { format: 2, .. }));
    }

    /// What two stretches gathered; a table that is cut or kept otherwise starts again.
    #[test]
    fn stretches_add_up() {
        let gathered = |checked, zeros: &[u64]| {
            let mut gathered = Gathered::default();
            gathered.tallies = vec![Tally { checked, ..Tally::default() }];
            gathered.zeros = zeros.to_vec();
            gathered
        };
        let mut covered = Covered { parts: 3, ..Covered::default() };
        covered.add(gathered(5, &[1]), 10);
        covered.add(gathered(7, &[2, 3]), 20);
        covered.add(gathered(1, &[]), 1);
        assert_eq!((covered.cells, covered.tallies[0].checked), (31, 13));
        assert_eq!(covered.zeros, [3, 3]);
        let mut checkpoint = checkpoint();
        let table = Table::new(END_NIM, 5, 3).unwrap();
        checkpoint.put(&table, covered.clone());
        assert_eq!(checkpoint.get(&table, false, 3), covered);
        for (stored, parts) in [(true, 3), (false, 4)] {
            let fresh = Covered { stored, parts, ..Covered::default() };
            assert_eq!(checkpoint.get(&table, stored, parts), fresh);
        }
        let other = Table::new(END_NIM, 5, 2).unwrap();
        let fresh = Covered { parts: 3, ..Covered::default() };
        assert_eq!(checkpoint.get(&other, false, 3), fresh);
        assert!(checkpoint.is_of("all of it") && !checkpoint.is_of("some of it"));
        assert!(Checkpoint::default().is_of("some of it"));
    }
}
