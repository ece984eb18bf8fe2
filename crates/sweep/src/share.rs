//! Work that is cut into shares, done in different processes, and merged.
//!
//! ```text
//! piece   a table, or something else that is done by itself    a name, and into how many parts it is cut
//! share   some parts of some pieces                            done by one process, written with serde
//! merge   all shares                                           every part exactly once
//! ```
//!
//! The owner of such work (a diff, a question, a count) says in [`Work`] what its pieces are, and how what was
//! found in some parts is added up. What it has in common with other such work is here: how the line
//! of pieces is [cut](cut()), who wrote a share, what it is of, why shares do not make a whole, and where
//! work stands that one process does a [stretch at a time](Checkpoint).
//!
//! A share has gone through files and networks when it is merged. Its parts are counted, and its work
//! is asked whether anybody can have found that there. That guards against mistakes and damage. Nothing
//! here could tell a share that was forged with care.

mod checkpoint;
mod cut;
#[cfg(test)]
mod tests;

use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use checkpoint::{Checkpoint, Covered};
pub use cut::{MOST_TASKS, Parts, cut};

/// The version of what is gathered, and who gathers it: others may count otherwise.
const WRITTEN_BY: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"), ", 2");

/// One stretch of work, in parts that cost the same: a table that is walked in parts, say, or a check,
/// which is one part.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// What it is called: a table's id, or what is checked.
    pub name: String,
    /// Into how many parts it can be cut; 1 if it cannot.
    pub parts: u64,
    /// About how long all of them take one thread.
    pub seconds: f64,
    /// About how many bytes of memory a share of it takes.
    pub memory: u64,
}

/// Work that can be done share by share.
pub trait Work {
    /// The finding in some parts of a piece, as it is written.
    type Finding;
    /// The knowledge of a piece, from some of its parts or from all.
    type Whole;

    /// All that decides what the pieces are and what is gathered from them.
    fn words(&self) -> String;

    /// The name of each piece, and into how many parts it is cut: the same on any machine.
    fn outline(&self) -> Vec<(String, u64)>;

    /// Returns what is known of a piece before any of its parts.
    fn begin(&self, piece: usize) -> Self::Whole;

    /// Takes in what was found in some parts of a piece.
    ///
    /// # Errors
    /// A sentence, if nobody can have found that there.
    fn add(
        &self,
        piece: usize,
        whole: &mut Self::Whole,
        found: Self::Finding,
    ) -> Result<(), String>;

    /// Tells whether that can be what is known of a piece from all of its parts.
    fn is_whole(&self, piece: usize, whole: &Self::Whole) -> bool;
}

/// The name of some work: a digest of all that it is, and of who does it.
fn name(work: &impl Work) -> String {
    let words = format!("{WRITTEN_BY}\n{}", work.words());
    blake3::hash(words.as_bytes()).to_hex().to_string()
}

/// The finding of some parts of some work. It is written and read with serde; what it says is believed
/// only when it is merged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share<F> {
    work: String,
    pieces: Vec<Stretch<F>>,
}

/// The finding of some parts of one piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stretch<F> {
    piece: usize,
    parts: Range<u64>,
    found: F,
}

/// There are no such parts to be a share.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no share of {}: it has {all} parts", said(piece, parts))]
pub struct NoSuchPart {
    /// The piece's name, or its number if there is none.
    pub piece: String,
    /// What was asked for.
    pub parts: Range<u64>,
    /// How many parts it has.
    pub all: u64,
}

impl NoSuchPart {
    /// Refuses parts that some work does not have, by the places of its pieces.
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

/// Why shares do not make a whole.
#[allow(missing_docs, reason = "the messages say it")]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    #[error("a share is of other work, or was written by another version")]
    OtherWork,
    #[error("no share covers {}", said(piece, parts))]
    Missing { piece: String, parts: Range<u64> },
    #[error("more than one share covers {}", said(piece, parts))]
    Twice { piece: String, parts: Range<u64> },
    #[error("a share cannot be right about {}: {what}", said(piece, parts))]
    Impossible { piece: String, parts: Range<u64>, what: String },
}

impl<F> Share<F> {
    /// Does some parts of some work, piece after piece. `None` if `find` was stopped.
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

    /// Merges shares that cover every part once: what is known of each piece of some work.
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
                return Err(impossible(0..all, "together they are not all of it".to_owned()));
            }
            pieces.push(whole);
        }
        Ok(pieces)
    }
}

/// Refuses parts, in order, that are not all that a piece has, each once.
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

/// Returns the seconds that a share or a checkpoint names, made such that sums of them are finite: of
/// seconds a text may say anything.
pub fn named_seconds(seconds: f64) -> f64 {
    seconds.clamp(0.0, 1e12)
}

/// Parts, from 0, with the last one.
fn said(piece: &str, parts: &Range<u64>) -> String {
    match parts.end.saturating_sub(1) {
        last if parts.start == last => format!("part {last} of {piece}"),
        last => format!("parts {} to {last} of {piece}", parts.start),
    }
}
