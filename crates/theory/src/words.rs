//! The words that verdicts use.
//!
//! Verdicts are published. So each word has one meaning and one spelling, in tables, JSON and
//! documents.

use serde::{Serialize, Serializer};

/// Defines the word of each variant, for tables, JSON and documents.
macro_rules! written {
    ($($type:ident { $($variant:ident $(($rest:tt))?: $word:expr),* $(,)? })*) => {$(
        impl $type {
            /// Returns the published word.
            pub fn word(&self) -> &str {
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
    Flaw { Misprint: "misprint", False: "false", Convention: "depends on the convention" }
    Status {
        Theorem: "theorem",
        TheoremHere: "theorem (here)",
        Remark: "remark",
        Conjecture: "conjecture",
        Observation: "observation",
        OurReading: "our reading",
        Other(text): text,
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
        Cases: "cases",
    }
    Origin { Table: "table", Computed: "computed", Mixed: "mixed" }
}

/// The expected conclusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// There is no counterexample.
    Holds,
    /// There is at least one counterexample.
    Fails,
}

/// The flaw of a statement that is known to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The printed text is not what the paper means.
    Misprint,
    /// The statement that the paper means is false.
    False,
    /// The claim fails in this reading. In another reading of the same words it holds, or may hold.
    Convention,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// The whole range was covered, and there is no counterexample in it.
    Holds,
    /// There is a counterexample. A part of the range may not be covered.
    Fails,
    /// A part of the range was covered and has no counterexample. This decides nothing.
    Stopped,
}

impl Conclusion {
    pub fn of(failures: u64, complete: bool) -> Conclusion {
        match (failures, complete) {
            (0, true) => Conclusion::Holds,
            (0, false) => Conclusion::Stopped,
            _ => Conclusion::Fails,
        }
    }
}

/// The certainty of a claim according to its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Stated with a proof, or with a proof left to the reader.
    Theorem,
    /// Proved by this project in docs/PROOFS.md.
    TheoremHere,
    /// Mentioned in passing.
    Remark,
    /// Stated as a belief.
    Conjecture,
    /// Derived from computed values.
    Observation,
    /// A reading of the printed text that no paper claims. Its check shows why the paper does not
    /// mean it. The verdict does not concern the paper.
    OurReading,
    /// The words of a user's file of claims.
    Other(String),
}

/// The unit in which a claim counts checked cases, failures and true premises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Positions. A row and its mirror image both count. If the game remembers a last move or a set
    /// of moves, positions that differ only in these count separately.
    Positions,
    /// Multisets of piles, for games in which the order of piles does not matter.
    Multisets,
    /// A pile n and a number k.
    Pairs,
    /// Rows b -> G(w b).
    Rows,
    /// A pile n and a set of moves within 1..=n.
    Sets,
    Piles,
    /// Sums of positive terms, with a last move if the claim mentions one.
    Sums,
    /// Numbers of positions, each compared with the claimed number.
    Counts,
    /// Cases of a proof for rows of all lengths: tuples of states, or tiles.
    Cases,
}

impl Unit {
    /// Returns the word in the singular or plural for a count.
    pub fn of(&self, count: u64) -> &str {
        let word = self.word();
        if count == 1 { word.trim_end_matches('s') } else { word }
    }
}

/// The origin of the values that a claim was compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Table,
    /// The values were computed, because no table has them.
    Computed,
    Mixed,
}

impl Origin {
    /// Returns the origin of values. The flags say if values were read or computed.
    pub fn of(read: bool, computed: bool) -> Origin {
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
    fn words_are_the_same_in_json_and_text() {
        assert_eq!(serde_json::to_string(&Status::OurReading).unwrap(), "\"our reading\"");
        assert_eq!(format!("{:>9}", Conclusion::Stopped), "  stopped");
        assert_eq!((Unit::Multisets.of(1), Unit::Multisets.of(2)), ("multiset", "multisets"));
        let origins = [(true, false), (false, true), (true, true), (false, false)];
        let words = origins.map(|(read, computed)| Origin::of(read, computed).to_string());
        assert_eq!(words, ["table", "computed", "mixed", "computed"]);
    }
}
