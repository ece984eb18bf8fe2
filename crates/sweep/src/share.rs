//! Divides work into shares, which different processes do, and merges the results.
//!
//! ```text
//! piece   a table, or another separate job         a name, and the number of its parts
//! share   some parts of some pieces                done by one process, written with serde
//! merge   all shares                               every part exactly once
//! ```
//!
//! A diff or a question implements [`Work`]: it lists its pieces, and adds up the findings
//! of parts. This module does the steps that are common to all work. It [cuts](cut()) the pieces
//! into shares, and records the work and the version of each share. It rejects shares that do not
//! form a whole. It also keeps the state of work that one process does [in stretches](Checkpoint).
//!
//! Before shares are merged, they have passed through files and networks. The merge checks that
//! their parts are complete, and [`Work::add`] checks that their findings are possible. These
//! checks detect mistakes and damage, but not deliberate forgery.

mod checkpoint;
mod cut;
#[cfg(test)]
mod tests;

use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use checkpoint::{Checkpoint, Covered, next_stretch};
pub use cut::{MOST_TASKS, Parts, cut};

/// The name and version of this crate, and the version of the findings, whose meaning may change.
const WRITTEN_BY: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"), ", 2");

/// A piece of work that consists of parts of equal cost. For example, the walk over a table has
/// many parts, and a check has only one part.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// The name: a table's id, or the subject of a check.
    pub name: String,
    /// The number of parts; 1 if the piece cannot be divided.
    pub parts: u64,
    /// The approximate seconds that one share of all parts takes on one thread.
    pub seconds: f64,
    /// The seconds among them that every share takes before its first part, for example to fill the
    /// table from which all parts read.
    pub begin: f64,
    /// The approximate bytes of memory for a share of this piece.
    pub memory: u64,
}

/// Work that can be divided into shares.
pub trait Work {
    /// The result of a range of parts of a piece, in the form that is written to files.
    type Finding;
    /// The sum of all findings for a piece.
    type Whole;

    /// Returns a text that differs for works with different pieces or findings.
    fn words(&self) -> String;

    /// Returns the name and the number of parts of each piece. They are the same on every machine.
    fn outline(&self) -> Vec<(String, u64)>;

    /// Returns the sum for a piece before any finding is added.
    fn begin(&self, piece: usize) -> Self::Whole;

    /// Adds the finding of a range of parts of a piece.
    ///
    /// # Errors
    /// Returns a sentence that says why the finding is impossible for this piece.
    fn add(
        &self,
        piece: usize,
        whole: &mut Self::Whole,
        found: Self::Finding,
    ) -> Result<(), String>;

    /// True if `whole` can be the sum of all parts of a piece.
    fn is_whole(&self, piece: usize, whole: &Self::Whole) -> bool;
}

/// Returns a digest of [`Work::words`] and of the program's version, as the name of the work.
fn name(work: &impl Work) -> String {
    let words = format!("{WRITTEN_BY}\n{}", work.words());
    blake3::hash(words.as_bytes()).to_hex().to_string()
}

/// The findings of a share of the work, written and read with serde. [`Share::merge`] checks the
/// contents before it uses them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share<F> {
    work: String,
    pieces: Vec<Stretch<F>>,
}

/// The finding of a range of parts of one piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stretch<F> {
    piece: usize,
    parts: Range<u64>,
    found: F,
}

/// An error: a share names parts that do not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid share: {} (it has {all} parts)", parts_in_words(piece, parts))]
pub struct NoSuchPart {
    /// The piece's name, or its index if the piece does not exist.
    pub piece: String,
    pub parts: Range<u64>,
    /// The number of parts of the piece.
    pub all: u64,
}

impl NoSuchPart {
    /// Returns an error if any of these parts does not exist.
    pub fn unless_in(outline: &[(String, u64)], share: &[Parts]) -> Result<(), NoSuchPart> {
        for (piece, parts) in share {
            let (name, all) = match outline.get(*piece) {
                Some((name, all)) => (name.clone(), *all),
                None => (format!("piece {piece}"), 0),
            };
            if parts.start >= parts.end || parts.end > all {
                return Err(NoSuchPart { piece: name, parts: parts.clone(), all });
            }
        }
        Ok(())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    #[error("a share belongs to a different command, or was written by another version")]
    OtherWork,
    #[error("no share covers {}", parts_in_words(piece, parts))]
    Missing { piece: String, parts: Range<u64> },
    #[error("more than one share covers {}", parts_in_words(piece, parts))]
    Twice { piece: String, parts: Range<u64> },
    #[error("a share is invalid at {}: {what}", parts_in_words(piece, parts))]
    Impossible { piece: String, parts: Range<u64>, what: String },
}

impl<F> Share<F> {
    /// Does a share of the work, piece by piece. Returns `None` if `find` was stopped.
    pub fn done<W: Work<Finding = F>, E: From<NoSuchPart>>(
        work: &W,
        share: &[Parts],
        mut find: impl FnMut(usize, &Range<u64>) -> Result<Option<F>, E>,
    ) -> Result<Option<Share<F>>, E> {
        NoSuchPart::unless_in(&work.outline(), share)?;
        let mut pieces = Vec::with_capacity(share.len());
        for (piece, parts) in share {
            let Some(found) = find(*piece, parts)? else { return Ok(None) };
            pieces.push(Stretch { piece: *piece, parts: parts.clone(), found });
        }
        Ok(Some(Share { work: name(work), pieces }))
    }

    /// Merges shares, which must cover every part once. Returns the sum for each piece.
    pub fn merge<W: Work<Finding = F>>(
        work: &W,
        shares: impl IntoIterator<Item = Share<F>>,
    ) -> Result<Vec<W::Whole>, MergeError> {
        let (ours, outline) = (name(work), work.outline());
        let mut covered: Vec<Vec<Stretch<F>>> = outline.iter().map(|_| Vec::new()).collect();
        for share in shares {
            if share.work != ours {
                return Err(MergeError::OtherWork);
            }
            for found in share.pieces {
                let Stretch { piece, parts, .. } = &found;
                let Some(covered) = covered.get_mut(*piece) else {
                    let what = "there is no such piece".to_owned();
                    let piece = format!("piece {piece}");
                    return Err(MergeError::Impossible { piece, parts: parts.clone(), what });
                };
                covered.push(found);
            }
        }
        let mut pieces = Vec::with_capacity(outline.len());
        for (number, ((name, all), mut covered)) in outline.into_iter().zip(covered).enumerate() {
            covered.sort_by_key(|found| (found.parts.start, found.parts.end));
            each_once(&name, covered.iter().map(|found| &found.parts), all)?;
            let mut whole = work.begin(number);
            let impossible =
                |parts, what| MergeError::Impossible { piece: name.clone(), parts, what };
            for Stretch { parts, found, .. } in covered {
                let added = work.add(number, &mut whole, found);
                added.map_err(|what| impossible(parts, what))?;
            }
            if !work.is_whole(number, &whole) {
                return Err(impossible(0..all, "the parts do not add up to the whole".to_owned()));
            }
            pieces.push(whole);
        }
        Ok(pieces)
    }
}

/// Checks that sorted parts cover a piece exactly once.
fn each_once<'a>(
    piece: &str,
    covered: impl IntoIterator<Item = &'a Range<u64>>,
    all: u64,
) -> Result<(), MergeError> {
    let piece = || piece.to_owned();
    let mut next = 0;
    for parts in covered {
        if parts.start >= parts.end || parts.end > all {
            let (parts, what) = (parts.clone(), format!("it has {all} parts"));
            return Err(MergeError::Impossible { piece: piece(), parts, what });
        }
        if parts.start > next {
            return Err(MergeError::Missing { piece: piece(), parts: next..parts.start });
        }
        if parts.start < next {
            let again = parts.start..parts.end.min(next);
            return Err(MergeError::Twice { piece: piece(), parts: again });
        }
        next = parts.end;
    }
    if next < all {
        return Err(MergeError::Missing { piece: piece(), parts: next..all });
    }
    Ok(())
}

/// Limits the seconds that a share or a checkpoint states, so that sums stay finite.
pub fn named_seconds(seconds: f64) -> f64 {
    seconds.clamp(0.0, 1e12)
}

/// Returns a text that names the first and the last of these parts. Part numbers begin at 0.
fn parts_in_words(piece: &str, parts: &Range<u64>) -> String {
    match parts.end.saturating_sub(1) {
        last if parts.start == last => format!("part {last} of {piece}"),
        last => format!("parts {} to {last} of {piece}", parts.start),
    }
}
