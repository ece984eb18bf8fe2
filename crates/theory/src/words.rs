//! The words of a verdict.
//!
//! Verdicts are published, so each word means one thing and is written one way: in a table,
//! as JSON and in a document.

use serde::{Serialize, Serializer};

/// Gives each variant its word, which is written in tables, as JSON and in documents.
macro_rules! written {
    ($($type:ident { $($variant:ident $(($rest:tt))?: $word:literal),* $(,)? })*) => {$(
        impl $type {
            /// Returns its word.
            pub fn word(self) -> &'static str {
                match self {
                    $($type::$variant $(($rest))? => $word),*
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.word())
            }
        }

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }
    )*};
}

written! {
    Truth { Holds: "holds", Fails: "fails" }
    Conclusion { Holds: "holds", Fails: "fails", Stopped: "stopped" }
    Flaw { Misprint(_): "misprint", False: "false", Convention: "depends on the convention" }
    Status {
        Theorem: "theorem",
        TheoremHere: "theorem (here)",
        Remark: "remark",
        Conjecture: "conjecture",
        Observation: "observation",
        OurReading: "our reading",
    }
    Unit {
        Positions: "positions",
        Multisets: "multisets",
        Pairs: "pairs",
        Rows: "rows",
        Sets: "sets",
        Piles: "piles",
        Sums: "sums",
        Counts: "counts",
    }
    Origin { Table: "table", Computed: "computed", Mixed: "mixed" }
}

/// What a verdict is expected to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// No counterexample.
    Holds,
    /// At least one counterexample.
    Fails,
}

/// The flaw of a statement that is known to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The print says something else than the paper means: what it should say.
    Misprint(&'static str),
    /// The paper means something false.
    False,
    /// It fails in this reading, and holds or may hold in another that the words allow.
    Convention,
}

impl Flaw {
    /// Says what a misprint should say.
    pub fn corrected(self) -> Option<&'static str> {
        match self {
            Flaw::Misprint(corrected) => Some(corrected),
            Flaw::False | Flaw::Convention => None,
        }
    }
}

/// What a check concluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// The whole range was covered, and there is no counterexample in it.
    Holds,
    /// There is a counterexample, whether or not the whole range was covered.
    Fails,
    /// A part of the range was covered, without a counterexample: nothing is decided.
    Stopped,
}

/// How sure the source is of what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Stated with a proof, or with a proof left to the reader.
    Theorem,
    /// Proved by this project: docs/PROOFS.md.
    TheoremHere,
    /// Said in passing.
    Remark,
    /// Believed.
    Conjecture,
    /// Read off computed values.
    Observation,
    /// Written by nobody: what the print would say if it were taken another way, checked to
    /// show why it is not. Its verdict is none on the paper.
    OurReading,
}

/// What a claim is checked for one by one. What is checked, what fails and where the premise
/// is true are counted in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Positions. Both readings of a row of piles count; a last move or a set of moves that
    /// the game remembers makes a position of its own.
    Positions,
    /// Multisets of piles, for games in which their order does not matter.
    Multisets,
    /// A pile n and a number k.
    Pairs,
    /// Rows b -> G(w b).
    Rows,
    /// A pile n and a set of moves within 1..=n.
    Sets,
    /// Single piles.
    Piles,
    /// Ways to write a number as a sum, with a last move where one is spoken of.
    Sums,
    /// Numbers of positions, each compared with the number claimed.
    Counts,
}

impl Unit {
    /// The word for so many of them.
    pub fn of(self, count: u64) -> &'static str {
        let word = self.word();
        if count == 1 { word.trim_end_matches('s') } else { word }
    }
}

/// Where the values came from that a claim was compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Stored tables.
    Table,
    /// Computed as they were looked at, or nothing that is stored.
    Computed,
    /// Some of each.
    Mixed,
}

impl Origin {
    /// From whether something was read, and whether something was computed.
    pub(crate) fn of(read: bool, computed: bool) -> Origin {
        match (read, computed) {
            (true, false) => Origin::Table,
            (true, true) => Origin::Mixed,
            (false, _) => Origin::Computed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_written_alike() {
        assert_eq!(serde_json::to_string(&Status::OurReading).unwrap(), "\"our reading\"");
        assert_eq!(format!("{:>9}", Conclusion::Stopped), "  stopped");
        assert_eq!((Unit::Multisets.of(1), Unit::Multisets.of(2)), ("multiset", "multisets"));
        let origins = [(true, false), (false, true), (true, true), (false, false)];
        let words = origins.map(|(read, computed)| Origin::of(read, computed).word());
        assert_eq!(words, ["table", "computed", "mixed", "computed"]);
    }
}
