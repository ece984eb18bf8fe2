//! What the checks found, as a document for readers of the papers.
//!
//! `grundy diff --json` prints a line a claim and run; a document is made from many such
//! lines: of each claim its statement, the ranges it was checked on, and the least
//! counterexample of all runs. Nothing is computed here. What the tables say about a
//! paper beyond its claims stands beside the claims of that paper, as prose.

use std::fmt::Write;

use serde_json::Value;

use crate::claim::Claim;
use crate::{albert_nowakowski, bouton, cairns_ho, long_global, ours, partizan, short_global};

/// A line that is not one of a diff.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is not a verdict of `diff --json`: {reason}")]
pub struct NotAVerdict {
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// One run of one claim, as a line of JSON says.
struct Run {
    claim: String,
    fails: bool,
    complete: bool,
    checked: u64,
    failures: u64,
    range: String,
    first: Option<(u64, String)>,
}

impl Run {
    fn read(text: &str) -> Result<Run, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let text_of = |name: &str| {
            let found = value[name].as_str().map(str::to_owned);
            found.ok_or_else(|| format!("it has no \"{name}\""))
        };
        let number_of =
            |name: &str| value[name].as_u64().ok_or_else(|| format!("it has no \"{name}\""));
        let first = value["first"].as_object().map(|first| {
            let part = |name: &str| first.get(name).and_then(Value::as_str).unwrap_or_default();
            let coins =
                part("position").split(',').filter_map(|pile| pile.parse::<u64>().ok()).sum();
            (coins, format!("{} {}: {}", part("game"), part("position"), part("found")))
        });
        Ok(Run {
            claim: text_of("claim")?,
            fails: text_of("verdict")? == "fails",
            complete: value["complete"].as_bool().unwrap_or(true),
            checked: number_of("checked")?,
            failures: number_of("failures")?,
            range: text_of("range")?,
            first,
        })
    }
}

/// The document that the lines of `diff --json` make.
///
/// # Errors
/// [`NotAVerdict`] if a line is something else.
pub fn document(lines: &str) -> Result<String, NotAVerdict> {
    let mut runs = Vec::new();
    for (at, line) in lines.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        runs.push(Run::read(line).map_err(|reason| NotAVerdict { line: at + 1, reason })?);
    }
    let mut out = String::from(OPENING);
    for (paper, prose) in [
        (&bouton::PAPER, BOUTON),
        (&albert_nowakowski::PAPER, ALBERT_NOWAKOWSKI),
        (&partizan::PAPER, PARTIZAN),
        (&cairns_ho::PAPER, CAIRNS_HO),
        (&short_global::PAPER, SHORT_GLOBAL),
        (&long_global::PAPER, LONG_GLOBAL),
        (&ours::PAPER, OURS),
    ] {
        // Writing to a string cannot fail.
        let _ = write!(out, "\n## {}\n\n{prose}\n", paper.reference);
        for claim in Claim::all().filter(|claim| claim.paper == paper) {
            let of_claim: Vec<&Run> = runs.iter().filter(|run| run.claim == claim.id).collect();
            out.push_str(&section(claim, &of_claim));
        }
    }
    Ok(out)
}

/// One claim: what it says, and what came of it.
fn section(claim: &Claim, runs: &[&Run]) -> String {
    let mut out = format!("\n### `{}`: {}\n\n{}\n", claim.id, claim.number, claim.statement);
    if let Some(reading) = claim.reading {
        let _ = writeln!(out, "\n*Read as:* {reading}");
    }
    let verdict = if runs.iter().any(|run| run.fails) { "fails" } else { "holds" };
    let verdict = if runs.is_empty() { "not checked" } else { verdict };
    let _ = write!(out, "\n**{verdict}** ({}).\n", claim.status);
    for run in runs {
        let part = if run.complete { "" } else { " (part of it)" };
        let _ = write!(out, "- {}{part}: {} checked", run.range, grouped(run.checked));
        if run.failures > 0 {
            let _ = write!(out, ", {} failures", grouped(run.failures));
        }
        out.push('\n');
    }
    if let Some((_, first)) = runs.iter().filter_map(|run| run.first.as_ref()).min() {
        let _ = write!(out, "\nLeast counterexample: {first}.\n");
    }
    out
}

/// 1000000 as 1,000,000.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

const OPENING: &str = "\
# What the tables say about the papers

Every statement on Nim, End-Nim and their relatives that the papers make, as it was read, with its
verdict on the positions it was checked on. `make diff` writes this page: the verdicts are
computed, from tables that the rules alone determine. A statement that holds on a range is
not thereby proved; one that fails has a counterexample, and the least is given (fewest
coins, then lexicographically first). Both readings of a row count as positions.
";

const BOUTON: &str = "\
**Which chance.** The chance of a safe combination in section 3 is that of a multiset, equal
piles allowed, all multisets being equally likely. It is not the chance of three piles chosen one by
one, nor, as section 1 advises for the beginning, of three different piles. The odds need n >= 2.

**Empty piles in section 6.** The exceptions are said for three piles that may be empty: 1,1,0 is
not safe, 1,1,1 and 1,0,0 are. Taken to the letter, 0,0,0 stays safe; but who leaves it has taken
the last counter and lost. The general rule at the end of the section, an odd number of ones is
safe and an even number is not, has it right if none counts as even.
";

const PARTIZAN: &str = "\
The theorem says more than who wins: it measures by how much. Its proof is in
crates/kernels/src/thresholds.rs. Both conjectures are read off the counts, which
`grundy stats partizan-end-nim` prints: no row of an even number of piles is N, and the N-rows of an odd
number of piles are as many as the P-rows of that number and the next together.
";

const ALBERT_NOWAKOWSKI: &str = "\
**A remark that fails.** The periods of the rows b -> G(a w b) are said to be powers of two. The
row 5,4,b has least period 12, from b = 8 on; it is the fifth row of the printed table, which
is too narrow to show it. Of the rows a,c,b with a and c up to 32, 620 of 1024 have a least period
that is no power of two. For c = 1, 2, 3 and a up to 40 all are powers of two; all these periods
are proved.

**A remark that can be proved.** That every row is ultimately arithmetico-periodic is reported as
proved for the first few a. It holds for every row, with saltus equal to period. Consider the
tile of w and its row a, and what the row still misses after column b. The row has used b + 1
different values, none above a + b once b is large, so at most a numbers up to a + b are
missing. If m is missing, every earlier column whose value exceeds m has m above it, at most
once in each of the a rows above; the other columns, at least b - a of them, hold different
values below m, so m >= b - a. What is missing is therefore a set within a of b: finitely many
possibilities relative to b. The next value depends on that set and on the column above, which
is arithmetico-periodic by induction (on the rows, and on the number of piles for the border);
so the sets repeat, and with them the values. (The single piles of Loop-End-Nim are a constant
row, but its value 0 stands on both borders of the tile of two piles, and so is missing nowhere.) `grundy periods` carries this out, and says
*proved* when it has found the repetition.

**How Theorem 2 is to be read.** For x < y the cell of y is in the top row of the diagram *and* that of
x in the bottom row. The top row for the larger end alone is not enough: 1,2,2 would be P.
";

const CAIRNS_HO: &str = "\
**A convention left unsaid.** The value of misère positions is nowhere defined. Proposition 4.2 and
Theorem 5.2 hold if the last coin is never taken: the single pile 1 is terminal with value 0,
and the single pile b has value b - 1. They fail if the empty position has value 1, the other
convention of the literature; that one changes End-Nim only on rows of piles that are all 1,
where 0 and 1 are exchanged.

**How l and r are to be read.** First reverse the row if a1 > ak. Then l is the largest i from 1 to k
with a1 = ... = a(i-1) <= ai, and i = 1 always qualifies; r is l of the reversed row, but 0 (or 1,
as the theorems say) if all piles are equal. Letting i run to k + 1, using the general r for equal
piles, reading the last sign as <, or not reversing first each make Theorem 2.1 fail, first at
(1), (1), (1,1) and (2,2,1,1).

**The rows of two misère piles**, of which Proposition 4.2 is the only published fact, are
arithmetico-periodic, with periods 1, 3, 9, 36, 144, 720, 5040, 10080, 151200, 1058400 for a = 1
to 10, each of them proved (`grundy periods misere-end-nim --left 10 --to 4000000 --all`). With
two piles misère Nim is the same game, so these are its rows too; where the values 2 and 3 stand
is said by `end.misere-2` and `end.misere-3` below.
";

const SHORT_GLOBAL: &str = "\
Here g(n) is *(n,0), one pile with nothing forbidden.

**A misprint in Table 1.** (9,9) is printed 5 and is 0, as Theorem 2 of the paper says.

**What a g-series is.** The list of the g-series for (6,0) is complete only if neighbouring terms
must differ, which Definition 12 does not say. With that reading Theorem 14 has one failure,
(4,3), up to n = 4000; to the letter it has none, and four more series exist.

**Proposition 19 as printed is false**, already for *(1,1) = 0, as *(m, m - f(v)) may be v. Nothing else
may: g(m) != v for m >= 2 f(v) + 1, so Corollary 18 and the bound on the last occurrence of a value
stand.

**\"At most three consecutive increasing terms\" is false**: g(34), ..., g(37) are 16, 17, 18, 20.
Corollary 21 covers unique running maxima only. The first runs of 4, 5, 6, 7, 8 and 9 increasing
terms begin at n = 34, 334, 5800, 56507, 1428196 and 95814992; there is no longer one up to 10^8.

**The remark after Theorem 6** needs two piles: of a single pile of 3, taking one leaves (2,1), which is not
lost.

**The bound beyond 1000.** The paper observed g(n) <= n/2 + 2 or (n-1)/2 + 3 up to n = 1000. From n = 147 on
even g(n) < n/2, up to 10^8. The ratio g(n)/n falls slowly: 0.4555 at 10^5, 0.4549 at 10^6, 0.4544
at 10^7, 0.4538 at 10^8.

**Values that occur once.** Of the values up to half the largest reached by 10^7, four occur once:
0 at n = 0, 12 at 22, 1270 at 2782 and 105161 at 230784 (`grundy stats short-global-nim`). By the
corrected Proposition 19 a value occurs no more beyond twice its first n, so these are settled.

**What the dips are.** Far below the line stand single n at which a correction takes the only other
occurrence of a small value away: two piles m and m + 11 of equal value, and around them values that
occur once. The deepest beyond 1000 are g(5000) = 1140 and g(5256) = 1198, less than half of what is
around them.
";

const LONG_GLOBAL: &str = "\
Here [n,S] is one pile of n with the moves S, and T(k) = 1 + 2 + ... + k.

**The conjecture on triangular numbers** was checked to n = 50 in the paper. It holds much further:
`lgn.conj34` below says how far, with a certificate that anyone can check (`grundy diff lgn.conj34`
writes it, `grundy verify --certificate` checks it, docs/FORMAT.md gives its bytes and why it proves
what it says). What makes that possible is that the positions a proof meets come in families:
if n has moves q_0, ..., q_(l-2) to piles n - q_i with T(i) <= n - q_i < T(i + 1), each with such moves of
its own that leave q_i alone, then not only has [n,{1..n}] the value l, but [n - T(j), S] has the value l - j
for every S above j that has the moves used. A search for such moves is no search for a
counterexample: had it failed for some n, that n would be undecided. It did not fail.

**Theorem 27 as printed is false**, for n = 6 and {2,3,4,5}, which is N. The last line of its proof is
right, with i + l > n for the first case and k + l > n for the second. **The remark after it** fails for
n = 6 and {1,2,3,4}, where only 3 wins. The ten cases for five moves are right as printed.

**What a g-series is.** Definition 31 puts a condition on the first term alone. Theorem 33 holds to the
letter, and also if what follows the first term must be a g-series itself.

**Proposition 29** needs b >= 1, and **Proposition 30** is sharp as far as it was checked: with b = 2a + 3
the position is N.

**All sets.** Of the 536,870,910 positions [n,S] with n up to 28 and S within {1..n}, 29,291,469 are P. No value
exceeds the number of smallest moves that fit into n together, and 7 first occurs at 28, the first
triangular number for which it can, for sets such as {1..7,12,13,18,22}.

**Two piles with all moves.** By the same bound *[(a,b),{1..b}], a <= b, is at most the k with T(k) <= a + b <
T(k + 1). It is equal to it for a = 1, 2 and 5 and all b from 6 on, up to 60. For a = 3 and b from 7 to
60 it is less just for 12 <= b <= 17, 25 <= b <= 32 and 42 <= b <= 51: for k = 5, 7 and 9.
";

const OURS: &str = "\
Facts that come out of the tables and are not in the papers.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_a_claim_come_together() {
        let line = |failures: u64, first: &str| {
            let verdict = if failures > 0 { "fails" } else { "holds" };
            format!(
                r#"{{"claim":"an.period-pow2","verdict":"{verdict}","expected":"fails","checked":1234,"failures":{failures},"first":{first},"range":"rows","seconds":1.0,"complete":true}}"#
            )
        };
        let at = |position: &str| {
            format!(r#"{{"game":"end-nim","position":"{position}","value":null,"found":"so"}}"#)
        };
        let lines = [line(0, "null"), line(2, &at("9,9")), line(1, &at("5,4"))].join("\n");
        let text = document(&lines).unwrap();
        let start = text.find("### `an.period-pow2`").unwrap();
        let section = text[start..].split("\n### ").next().unwrap();
        assert!(section.contains("**fails** (remark)."), "{section}");
        assert!(section.contains("- rows: 1,234 checked, 2 failures\n"), "{section}");
        assert!(section.contains("Least counterexample: end-nim 5,4: so."), "{section}");
        assert!(text.contains("**not checked** (theorem)"));
    }

    #[test]
    fn other_lines_are_refused() {
        let error = document("\n{\"claim\": 3}").unwrap_err();
        assert_eq!(error.line, 2);
        assert!(document("hello").is_err());
    }
}
