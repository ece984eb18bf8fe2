//! Work that is cut into shares, done in different processes, and merged.
//!
//! ```text
//! piece   a table, or something else that is done by itself    a name, and into how many parts it is cut
//! share   some parts of some pieces                            done by one process
//! merge   all shares                                           every part exactly once
//! ```
//!
//! Who has such work (a diff, a question, a count) says what its pieces are and how shares are
//! merged. What they have in common is here: how a piece is described, and why shares do not make a
//! whole.

use std::ops::Range;

/// One stretch of work: a table that is walked in parts, say, or a check, which is one part.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// What it is called: a table's id, or what is checked.
    pub name: String,
    /// Into how many parts it is cut.
    pub parts: u64,
    /// About how long all of them take one thread.
    pub seconds: f64,
    /// About how many bytes of memory a share of it takes.
    pub memory: u64,
}

/// Why shares do not make a whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// A share is of something else, or was written by another version.
    #[error("a share is of other work, or was written by another version")]
    OtherWork,
    /// Parts that no share covers.
    #[error("no share covers {}", said(piece, parts))]
    Missing {
        /// The piece's name.
        piece: String,
        /// The first run of parts that is missing.
        parts: Range<u64>,
    },
    /// Parts that more than one share covers.
    #[error("more than one share covers {}", said(piece, parts))]
    Twice {
        /// The piece's name.
        piece: String,
        /// The first run of parts that is covered again.
        parts: Range<u64>,
    },
    /// Something that nobody can have found there.
    #[error("a share cannot be right about {}: {what}", said(piece, parts))]
    Impossible {
        /// The piece's name, or its number if there is none.
        piece: String,
        /// What the share says that it covers.
        parts: Range<u64>,
        /// What is wrong.
        what: String,
    },
}

impl MergeError {
    /// Whether the parts are all of a piece that has so many, each once.
    ///
    /// # Errors
    /// [`MergeError::Missing`] or [`MergeError::Twice`], with the first parts of which it is true;
    /// [`MergeError::Impossible`] for parts that the piece does not have.
    pub fn unless_each_once<'a>(
        piece: &str,
        parts: impl IntoIterator<Item = &'a Range<u64>>,
        all: u64,
    ) -> Result<(), MergeError> {
        let mut covered: Vec<&Range<u64>> = parts.into_iter().collect();
        covered.sort_by_key(|parts| (parts.start, parts.end));
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
}

/// Parts, from 0, with the last one.
fn said(piece: &str, parts: &Range<u64>) -> String {
    match parts.end.saturating_sub(1) {
        last if parts.start == last => format!("part {last} of {piece}"),
        last => format!("parts {} to {last} of {piece}", parts.start),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_covered_once_or_it_is_said_which_are_not() {
        let said = |parts: &[Range<u64>]| {
            MergeError::unless_each_once("it", parts, 9).err().map(|error| error.to_string())
        };
        assert_eq!(said(&[4..9, 0..1, 1..4]), None);
        let whole = [4..9, 0..1, 1..4];
        assert_eq!(said(&whole[..2]).unwrap(), "no share covers parts 1 to 3 of it");
        assert_eq!(said(&whole[1..]).unwrap(), "no share covers parts 4 to 8 of it");
        assert_eq!(said(&[]).unwrap(), "no share covers parts 0 to 8 of it");
        assert_eq!(said(&[0..5, 4..9]).unwrap(), "more than one share covers part 4 of it");
        let impossible = "a share cannot be right about parts 4 to 9 of it: it has 9 parts";
        assert_eq!(said(&[0..4, 4..10]).unwrap(), impossible);
        let (from, to) = (3, 3);
        assert!(said(&[0..9, from..to]).unwrap().ends_with("it has 9 parts"));
    }
}
