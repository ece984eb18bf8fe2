//! The words of a verdict.
//!
//! Verdicts are published, so each word means one thing and is written one way: in a table,
//! as JSON and in a document.

use serde::{Serialize, Serializer};

/// Writes a word as JSON, in the spelling that people read.
macro_rules! as_written {
    ($($word:ty),*) => {$(
        impl std::fmt::Display for $word {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.word())
            }
        }

        impl Serialize for $word {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }
    )*};
}

as_written!(Truth, Conclusion, Status, Unit, Origin);

/// What a verdict is expected to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// No counterexample.
    Holds,
    /// At least one counterexample.
    Fails,
}

impl Truth {
    /// `holds` or `fails`.
    pub fn word(self) -> &'static str {
        match self {
            Truth::Holds => "holds",
            Truth::Fails => "fails",
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

impl Conclusion {
    /// `holds`, `fails` or `stopped`.
    pub fn word(self) -> &'static str {
        match self {
            Conclusion::Holds => "holds",
            Conclusion::Fails => "fails",
            Conclusion::Stopped => "stopped",
        }
    }
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

impl Status {
    /// `theorem`, `theorem (here)`, `remark`, `conjecture`, `observation` or `our reading`.
    pub fn word(self) -> &'static str {
        match self {
            Status::Theorem => "theorem",
            Status::TheoremHere => "theorem (here)",
            Status::Remark => "remark",
            Status::Conjecture => "conjecture",
            Status::Observation => "observation",
            Status::OurReading => "our reading",
        }
    }
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
    /// `positions`, `multisets`, `pairs`, `rows`, `sets`, `piles`, `sums` or `counts`.
    pub fn word(self) -> &'static str {
        match self {
            Unit::Positions => "positions",
            Unit::Multisets => "multisets",
            Unit::Pairs => "pairs",
            Unit::Rows => "rows",
            Unit::Sets => "sets",
            Unit::Piles => "piles",
            Unit::Sums => "sums",
            Unit::Counts => "counts",
        }
    }

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
    /// `table`, `computed` or `mixed`.
    pub fn word(self) -> &'static str {
        match self {
            Origin::Table => "table",
            Origin::Computed => "computed",
            Origin::Mixed => "mixed",
        }
    }

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
        assert_eq!(Origin::of(false, false), Origin::Computed);
    }

    /// The words that stand in their documentation.
    #[test]
    fn each_has_its_word() {
        let truths = [Truth::Holds, Truth::Fails].map(Truth::word);
        assert_eq!(truths, ["holds", "fails"]);
        let conclusions = [Conclusion::Holds, Conclusion::Fails, Conclusion::Stopped];
        assert_eq!(conclusions.map(Conclusion::word), ["holds", "fails", "stopped"]);
        use Status::*;
        let status = [Theorem, TheoremHere, Remark, Conjecture, Observation, OurReading];
        let words =
            ["theorem", "theorem (here)", "remark", "conjecture", "observation", "our reading"];
        assert_eq!(status.map(Status::word), words);
        use Unit::*;
        let units = [Positions, Multisets, Pairs, Rows, Sets, Piles, Sums, Counts];
        let words = ["positions", "multisets", "pairs", "rows", "sets", "piles", "sums", "counts"];
        assert_eq!(units.map(Unit::word), words);
        assert_eq!(units.map(|unit| unit.of(0)), words);
        assert_eq!(words.map(|word| &word[..word.len() - 1]), units.map(|unit| unit.of(1)));
        let origins = [(true, false), (false, true), (true, true), (false, false)];
        let words = origins.map(|(read, computed)| Origin::of(read, computed).word());
        assert_eq!(words, ["table", "computed", "mixed", "computed"]);
    }
}
