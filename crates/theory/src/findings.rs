//! The findings of all checks, as a document for readers of the papers.
//!
//! `grundy diff --json` prints one line per claim and run. The document combines many such lines.
//! For each claim it has the statement, the checked ranges, and the least counterexample of all
//! runs. A run is omitted if its range lies within the range of another run (`covers`). A table of
//! all claims comes first, with the failures on top. No verdict is computed here. Further findings
//! about a paper are written by hand (`findings/*.md` in this crate).
//!
//! Old lines without a unit, a premise and a source are accepted too. Their counts must be in the
//! claim's unit as well. If a claim now has another unit, its old lines must be computed again.

use std::fmt::Write;

use grundy_questions::Question;
use grundy_shard::json;
use grundy_sweep::grouped;
use serde_json::Value;

use self::covers::Covered;
use crate::catalogue::named;
use crate::claim::{Check, Claim};
use crate::domain::Domain;
use crate::words::{Conclusion, Status, Unit};

mod covers;

/// The error for a line that `diff --json` did not write.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid verdict in line {line}: {reason}")]
pub struct NotAVerdict {
    /// The number of the line, counted from 1.
    pub line: usize,
    pub reason: String,
}

struct Run {
    claim: String,
    verdict: Conclusion,
    complete: bool,
    checked: u64,
    premise: Option<u64>,
    failures: u64,
    undecided: u64,
    range: String,
    /// The proof for piles of all sizes, or the reason why there is none.
    all_sizes: Option<String>,
    first: Option<(u64, String)>,
    /// True if the check of the corrected statement failed. Then the line omits the correction.
    has_no_correction: bool,
}

impl Run {
    fn read(text: &str) -> Result<Run, String> {
        let value: Value = json::from_slice(text.as_bytes()).map_err(|error| error.to_string())?;
        let complete = value["complete"].as_bool().ok_or("it has no \"complete\"")?;
        let verdict = match text_of(&value, "verdict")?.as_str() {
            "fails" => Conclusion::Fails,
            // In old lines, "holds" may mean that a check was stopped without a counterexample.
            "holds" | "stopped" if !complete => Conclusion::Stopped,
            "holds" => Conclusion::Holds,
            other => return Err(format!("its verdict is \"{other}\"")),
        };
        let first = match &value["first"] {
            Value::Null => None,
            first => Some(counterexample(first)?),
        };
        Ok(Run {
            claim: text_of(&value, "claim")?,
            verdict,
            complete,
            checked: number_of(&value, "checked")?,
            premise: value["premise"].as_u64(),
            failures: number_of(&value, "failures")?,
            undecided: number_of(&value, "undecided")?,
            range: text_of(&value, "range")?,
            all_sizes: value["all_sizes"]["words"].as_str().map(str::to_owned),
            first,
            has_no_correction: value.get("corrected").is_some_and(Value::is_null)
                || value["correction"] == "fails",
        })
    }

    fn in_words(&self, unit: Unit) -> String {
        let part = if self.complete { "" } else { " (stopped before the end)" };
        let checked = format!("{} {} checked", grouped(self.checked), unit.of(self.checked));
        let mut line = format!("{}{part}: {checked}", self.range);
        if let Some(premise) = self.premise {
            let _ = write!(line, ", {} with a true premise", grouped(premise));
        }
        match self.failures {
            0 => {}
            1 => line.push_str(", 1 fails"),
            many => {
                let _ = write!(line, ", {} fail", grouped(many));
            }
        }
        if self.undecided > 0 {
            let _ = write!(line, ", {} undecided", grouped(self.undecided));
        }
        if let Some(words) = &self.all_sizes {
            let _ = write!(line, "; **{words}**");
        }
        line
    }
}

fn text_of(value: &Value, name: &str) -> Result<String, String> {
    value[name].as_str().map(str::to_owned).ok_or_else(|| format!("it has no \"{name}\""))
}

fn number_of(value: &Value, name: &str) -> Result<u64, String> {
    value[name].as_u64().ok_or_else(|| format!("it has no \"{name}\""))
}

/// Returns the number of coins and the text of a counterexample; 0 coins if it has no position.
fn counterexample(first: &Value) -> Result<(u64, String), String> {
    let (game, found) = (text_of(first, "game")?, text_of(first, "found")?);
    let Some(position) = first["position"].as_str() else {
        return Ok((0, format!("{game}: {found}")));
    };
    // In the notation of a position, its memory (such as a last move) follows the piles.
    let piles = position.split(['/', '{']).next().unwrap_or(position);
    let coins = piles.split(',').map(str::parse::<u64>);
    let coins =
        coins.sum::<Result<u64, _>>().map_err(|_| format!("{position} is not a position"))?;
    Ok((coins, format!("{game} {position}: {found}")))
}

/// Returns the document for these lines of `diff --json`.
pub fn document(lines: &str) -> Result<String, NotAVerdict> {
    document_with(lines, &[])
}

/// Returns the document, followed by a part about the reader's own claims. If all lines are about
/// these claims, returns only this part.
pub fn document_with(lines: &str, others: &[Claim]) -> Result<String, NotAVerdict> {
    let mut runs = Vec::new();
    for (at, line) in lines.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        runs.push(Run::read(line).map_err(|reason| NotAVerdict { line: at + 1, reason })?);
    }
    let is_own = |run: &Run| others.iter().any(|claim| claim.id == run.claim);
    let mut out = match !runs.is_empty() && runs.iter().all(is_own) {
        true => "# What the tables say about your claims\n".to_owned(),
        false => about_papers(&runs),
    };
    if !others.is_empty() {
        out.push_str("\n## Your own claims\n\nThe papers above do not contain these claims.\n");
    }
    for claim in others {
        let runs = runs_of(&claim.id, &runs);
        let flaw = own_flaw(claim, &runs);
        let said = [claim.paper.reference.as_str(), claim.status.word(), &flaw];
        let said: Vec<&str> = said.into_iter().filter(|said| !said.is_empty()).collect();
        out.push_str(&section(claim, &runs, &said.join("; ")));
    }
    // Outside code, the asterisk of a value *(n,k) would start italics. No piece of code spans
    // several lines.
    let escape = |line: &str| {
        let mut parts: Vec<String> = line.split('`').map(str::to_owned).collect();
        parts.iter_mut().step_by(2).for_each(|part| *part = part.replace("*(", "\\*("));
        parts.join("`")
    };
    Ok(out.split('\n').map(escape).collect::<Vec<_>>().join("\n"))
}

/// Returns the part of the document about the claims of the papers.
fn about_papers(runs: &[Run]) -> String {
    let mut out = String::from("# What the tables say about the papers\n\n");
    // Include the project's results only if the page covers all claims.
    if Claim::all().all(|claim| runs.iter().any(|run| run.claim == claim.id)) {
        out.push_str(include_str!("../findings/new.md"));
    }
    out.push_str(include_str!("../findings/opening.md"));
    out.push_str(&table(runs));
    for paper in Claim::papers() {
        // Writing to a string cannot fail.
        let _ = write!(out, "\n## {}\n\n{}\n", paper.reference, paper.notes);
        for claim in Claim::all().filter(|claim| claim.paper == *paper) {
            let runs = runs_of(&claim.id, runs);
            let verdict = conclusion(&runs);
            let said = format!("{}{}", status(claim), flaw(claim, verdict));
            let _ = write!(out, "\n<a id=\"{}\"></a>\n", claim.id);
            out.push_str(&section(claim, &runs, &said));
        }
    }
    out
}

/// Returns the runs of a claim, except those whose range another run contains.
fn runs_of<'a>(claim: &str, runs: &'a [Run]) -> Vec<&'a Run> {
    let runs: Vec<&Run> = runs.iter().filter(|run| run.claim == claim).collect();
    let covered: Vec<Covered<'_>> = runs.iter().map(|run| Covered::read(&run.range)).collect();
    let is_within = |small: usize, large: usize| {
        // If two runs have the same range, keep the later one.
        let either = covered[small].covers(&covered[large]);
        let is_larger = covered[large].covers(&covered[small]) && (!either || small < large);
        is_larger && runs[large].complete && runs[large].failures >= runs[small].failures
    };
    let is_kept = |&at: &usize| !(0..runs.len()).any(|large| is_within(at, large));
    (0..runs.len()).filter(is_kept).map(|at| runs[at]).collect()
}

/// Builds the table of all claims: first failures, then failures of our readings, then the rest.
fn table(runs: &[Run]) -> String {
    let mut rows = [const { String::new() }; 4];
    let mut counts = [0; 4];
    for claim in Claim::all() {
        let runs = runs_of(&claim.id, runs);
        let verdict = conclusion(&runs);
        let part = match (verdict, &claim.status) {
            ("fails", Status::OurReading) => 1,
            ("fails", _) => 0,
            _ if runs.is_empty() => 3,
            _ => 2,
        };
        counts[part] += 1;
        let largest = runs.iter().max_by_key(|run| run.checked);
        let range = largest.map_or_else(String::new, |run| {
            let proved = run.all_sizes.as_ref().map(|words| format!("; {words}"));
            let checked = format!("{} {}", grouped(run.checked), claim.unit.of(run.checked));
            format!("{}: {checked}{}", run.range, proved.unwrap_or_default())
        });
        let first = least(&runs).unwrap_or_default();
        let _ = writeln!(
            rows[part],
            "| [{id}](#{id}) | {}{}, {} | **{verdict}** ({}{}) | {} | {} |",
            if is_ours_on_a_paper(claim) { "here, on " } else { "" },
            claim.paper.short,
            claim.number.as_deref().unwrap_or_default(),
            claim.status,
            flaw(claim, verdict),
            cell(&range),
            cell(first),
            id = claim.id,
        );
    }
    let head = "| claim | source | verdict | largest range | least counterexample |\n\
                |---|---|---|---|---|\n";
    let mut out = String::from("\n## All claims\n");
    let titles = [
        ("fails", "fail"),
        ("reading of our own fails", "readings of our own fail"),
        ("holds where it was checked", "hold where they were checked"),
        ("was not checked", "were not checked"),
    ];
    for ((rows, count), title) in rows.iter().zip(counts).zip(titles) {
        if count > 0 {
            let title = if count == 1 { title.0 } else { title.1 };
            let _ = write!(out, "\n**{count} {title}**\n\n{head}{rows}");
        }
    }
    out
}

/// True if the claim is about the subject of a paper, and this project proved it.
fn is_ours_on_a_paper(claim: &Claim) -> bool {
    claim.status == Status::TheoremHere && claim.paper.short != "here"
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn least<'a>(runs: &[&'a Run]) -> Option<&'a str> {
    runs.iter().filter_map(|run| run.first.as_ref()).min().map(|(_, first)| first.as_str())
}

/// Returns the section of a claim. `said` explains its verdict.
fn section(claim: &Claim, runs: &[&Run], said: &str) -> String {
    let title = claim.number.as_ref().map_or(String::new(), |number| format!(": {number}"));
    let mut out = format!("\n### `{}`{title}\n", claim.id);
    if !claim.is_short {
        let _ = write!(out, "\n{}\n", claim.statement);
    }
    if let Some(reading) = &claim.reading {
        let _ = writeln!(out, "\n*Read as:* {reading}");
    }
    if let Some(premise) = &claim.premise {
        let _ = writeln!(out, "\n*Premise:* {premise}.");
    }
    for check in &claim.checks {
        let _ = writeln!(out, "\nIn {}: `{}`", claim.subject(check), check.text);
    }
    let verdict = conclusion(runs);
    let said = if said.is_empty() { String::new() } else { format!(" ({said})") };
    let _ = write!(out, "\n**{verdict}**{said}.\n");
    // A correction that fails is none.
    let is_refuted = runs.iter().any(|run| run.has_no_correction);
    match &claim.corrected {
        Some(corrected) if claim.is_short && verdict == "fails" && !is_refuted => {
            let _ = write!(out, "\nIt should say: `{corrected}`\n\n");
        }
        Some(corrected) if !claim.is_short => {
            let _ = write!(out, "\nIt should say: {corrected}\n\n");
        }
        _ => {}
    }
    for run in runs {
        let _ = writeln!(out, "- {}", run.in_words(claim.unit));
    }
    if let Some(first) = least(runs) {
        let _ = write!(out, "\nLeast counterexample: {first}.\n");
    }
    out
}

impl Claim {
    /// Returns the games and the numbers of piles that a statement of the claim is about.
    pub fn subject(&self, check: &Check) -> String {
        let games: Vec<String> =
            check.questions.iter().map(|question| named(question.game())).collect();
        let least = check.questions.iter().map(Question::least_length).max().unwrap_or(1);
        let lengths = match self.domain {
            Domain::Positions { from: 1, to: None, .. } | Domain::Usual { .. } => String::new(),
            Domain::Positions { from, to: None, .. } => format!("{from} or more"),
            Domain::Positions { from, to: Some(to), .. } if from < to => format!("{from} to {to}"),
            Domain::Positions { from, .. } => from.to_string(),
            Domain::Printed(Some(size)) => size.length.to_string(),
            _ => least.to_string(),
        };
        let mut said = games.join(", ");
        if !lengths.is_empty() {
            let piles = if lengths == "1" { "pile" } else { "piles" };
            let _ = write!(said, ", {lengths} {piles}");
        }
        if self.at_beginning {
            said.push_str(", at the beginning");
        }
        if let Some(moves) = self.sets {
            let _ = write!(said, ", sets of {moves} moves");
        }
        said
    }
}

/// Returns the flaw of a user's claim in words, or what is unexpected about its verdict.
fn own_flaw(claim: &Claim, runs: &[&Run]) -> String {
    let verdict = conclusion(runs);
    let [fails, holds] = [Conclusion::Fails, Conclusion::Holds].map(|one| verdict == one.word());
    let is_refuted =
        fails && claim.corrected.is_some() && runs.iter().all(|run| run.has_no_correction);
    match claim.flaw {
        _ if is_refuted => "UNEXPECTED: the corrected statement fails too".to_owned(),
        Some(flaw) if fails => flaw.to_string(),
        Some(_) if holds => "UNEXPECTED: the claim was expected to fail".to_owned(),
        None if fails => "UNEXPECTED: the claim was expected to hold".to_owned(),
        _ => String::new(),
    }
}

/// Returns the combined verdict. A claim fails if one run has a counterexample. Otherwise it holds
/// if one run is complete.
fn conclusion(runs: &[&Run]) -> &'static str {
    let any = |verdict: Conclusion| runs.iter().any(|run| run.verdict == verdict);
    static WORST_FIRST: [Conclusion; 3] =
        [Conclusion::Fails, Conclusion::Holds, Conclusion::Stopped];
    WORST_FIRST.iter().find(|&&verdict| any(verdict)).map_or("not checked", Conclusion::word)
}

/// Returns the flaw of a failed claim, to be appended to its status.
fn flaw(claim: &Claim, verdict: &str) -> String {
    let flaw = claim.flaw.filter(|_| verdict == Conclusion::Fails.word());
    flaw.map_or_else(String::new, |flaw| format!("; {flaw}"))
}

/// Returns the status in words. If the paper does not claim the statement, the text says so,
/// because then the verdict does not concern the paper.
fn status(claim: &Claim) -> String {
    match &claim.status {
        Status::OurReading => format!("{}, not the paper's", claim.status),
        Status::TheoremHere => format!("{}, [proof](PROOFS.md#{})", claim.status, claim.id),
        status => status.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section_of(claim: &str, lines: &[String]) -> String {
        let text = document(&lines.join("\n")).unwrap();
        assert!(text.contains("**not checked** (theorem)"));
        let start = text.find(&format!("### `{claim}`")).unwrap();
        text[start..].split("\n### ").next().unwrap().to_owned()
    }

    fn at(position: &str, found: &str) -> String {
        format!(r#"{{"game":"end-nim","position":"{position}","value":null,"found":"{found}"}}"#)
    }

    /// Tests lines without a unit, a premise and a source.
    #[test]
    fn runs_of_a_claim_come_together() {
        let of = |verdict, first: &str| line("an.period-pow2", verdict, 1234, "rows", first);
        let lines =
            [of("holds", "null"), of("fails", &at("9,9", "so")), of("fails", &at("5,4", "so"))];
        let section = section_of("an.period-pow2", &lines);
        assert!(section.contains("**fails** (remark; false)."), "{section}");
        assert!(section.contains("- rows: 1,234 rows checked, 1 fails\n"), "{section}");
        assert!(section.contains("Least counterexample: end-nim 5,4: so."), "{section}");
    }

    #[test]
    fn a_stopped_run_does_not_hold_and_a_reading_is_ours() {
        let with_premise = |verdict: &str, complete: bool| {
            let line = line("an.prop1", verdict, 9, "some", "null");
            let line = line.replace("\"undecided\":0", "\"undecided\":1,\"premise\":4");
            line.replace("\"complete\":true", &format!("\"complete\":{complete}"))
        };
        // In old lines, "holds" may mean that a check was stopped without a counterexample.
        for verdict in ["stopped", "holds"] {
            let section = section_of("an.prop1", &[with_premise(verdict, false)]);
            let said = "**stopped** (theorem).\n- some (stopped before the end): 9 positions \
                        checked, 4 with a true premise, 1 undecided\n";
            assert!(section.contains(said), "{section}");
            assert!(section.contains("*Premise:* the row is a P-position."));
        }
        let both = [with_premise("stopped", false), with_premise("holds", true)];
        assert!(section_of("an.prop1", &both).contains("**holds** (theorem)."));
        let id = "bouton.misere-literal";
        let ours = section_of(id, &[line(id, "fails", 9, "some", "null")]);
        assert!(
            ours.contains("**fails** (our reading, not the paper's; depends on the convention)."),
            "{ours}"
        );
        assert!(ours.contains("9 multisets checked, 1 fails\n"), "{ours}");
    }

    #[test]
    fn other_lines_are_refused() {
        let error = document("\n{\"claim\": 3}").unwrap_err();
        assert_eq!(error.line, 2);
        assert!(document("hello").is_err());
        let line = r#"{"claim":"an.prop1","verdict":"true","complete":true}"#;
        assert!(document(line).unwrap_err().reason.contains("its verdict is"));
    }

    fn line(claim: &str, verdict: &str, checked: u64, range: &str, first: &str) -> String {
        let fails = u8::from(verdict == "fails");
        let complete = verdict != "stopped";
        format!(
            r#"{{"claim":"{claim}","verdict":"{verdict}","checked":{checked},"failures":{fails},"undecided":0,"first":{first},"range":"{range}","complete":{complete}}}"#
        )
    }

    /// Failures come first, then failures of our readings, then the rest. The row of a claim shows
    /// the run with the most checks, and the counterexample with the fewest coins in any run.
    #[test]
    fn the_table_has_a_row_for_each_claim() {
        let lines = [
            line("an.period-pow2", "fails", 1000, "one", &at("5,4", "a | b")),
            line("an.period-pow2", "fails", 2000, "two", &at("1,1,8", "ten")),
            line("an.period-pow2", "holds", 1, "three", "null"),
            line("bouton.misere-literal", "fails", 1, "all", "null"),
            line("an.prop1", "holds", 5, "end-nim: piles <= 3, length 2", "null"),
            line("an.prop1", "holds", 7, "end-nim: piles <= 4, lengths 1 to 2", "null"),
        ];
        let text = document(&lines.join("\n")).unwrap();
        let start = text.find("## All claims\n\n").unwrap();
        let table = text[start..].split("\n## ").next().unwrap();
        let rest = Claim::all().count() - 2;
        let head = "| claim | source | verdict | largest range | least counterexample |\n\
                    |---|---|---|---|---|\n";
        let parts: Vec<&str> = table.split("\n**").collect();
        assert_eq!(parts.len(), 5, "{table}");
        let row = "| [an.period-pow2](#an.period-pow2) | Albert and Nowakowski, remark after the \
                   table | **fails** (remark; false) | two: 2,000 rows | end-nim 5,4: a \\| b |\n";
        assert_eq!(parts[1], format!("1 fails**\n\n{head}{row}"));
        let row = "| [bouton.misere-literal](#bouton.misere-literal) | Bouton, section 6 | **fails** \
                   (our reading; depends on the convention) | all: 1 multiset |  |\n";
        assert_eq!(parts[2], format!("1 reading of our own fails**\n\n{head}{row}"));
        let begin = format!("1 holds where it was checked**\n\n{head}");
        assert!(parts[3].starts_with(&begin), "{}", parts[3]);
        let begin = format!("{} were not checked**\n\n{head}", rest - 1);
        assert!(parts[4].starts_with(&begin), "{}", parts[4]);
        assert_eq!(parts[4].matches("**not checked**").count(), rest - 1);
        let row = "| **holds** (theorem) | end-nim: piles <= 4, lengths 1 to 2: 7 positions |  |\n";
        assert!(parts[3].contains(row), "{}", parts[3]);
        let text = document("").unwrap();
        assert!(text.contains(&format!("\n**{} were not", rest + 2)) && !text.contains("fail**"));
    }

    /// A run is omitted if its range lies within the range of another run, unless that run was
    /// stopped or has fewer failures. Of two runs with the same range, the later one stays.
    #[test]
    fn runs_within_others_are_left_out() {
        let kept = |runs: &[(&str, u64, &str)]| {
            let lines = runs.iter().map(|&(verdict, checked, range)| {
                Run::read(&line("x", verdict, checked, range, "null")).unwrap()
            });
            let runs: Vec<Run> = lines.collect();
            runs_of("x", &runs).iter().map(|run| run.checked).collect::<Vec<_>>()
        };
        let (small, large) = ("nim: n up to 5", "nim: n up to 9");
        assert_eq!(kept(&[("holds", 5, small), ("holds", 9, large)]), [9]);
        assert_eq!(kept(&[("holds", 9, large), ("holds", 5, small)]), [9]);
        assert_eq!(kept(&[("holds", 1, large), ("holds", 2, large)]), [2]);
        assert_eq!(kept(&[("stopped", 9, large), ("holds", 5, small)]), [9, 5]);
        assert_eq!(kept(&[("fails", 5, small), ("holds", 9, large)]), [5, 9]);
        assert_eq!(kept(&[("fails", 5, small), ("fails", 9, large)]), [9]);
        assert_eq!(kept(&[("holds", 5, "nim: m up to 5"), ("holds", 9, large)]), [5, 9]);
    }

    #[test]
    fn own_claims_are_at_the_end() {
        let own = |text: &str| {
            let game = |name: &str| name.parse().map_err(|_| format!("no game {name}"));
            crate::claims(text, &game).unwrap().remove(0)
        };
        let begin = "game: nim\nstatement: P\n";
        let two = format!("name: my.two\n{begin}status: guess\nexpected: holds\n");
        let first = r#"{"game":"nim","position":"2,2/1","value":1,"found":"so"}"#;
        let lines =
            [line("my.one", "fails", 9, "some", first), line("my.two", "holds", 1, "a", "null")];
        let one = format!(
            "name: my.one\n{begin}source: me\nstatus: guess\nexpected: fails\nflaw: misprint\n\
             corrected: N\n"
        );
        let three = format!("name: my.3\n{begin}expected: holds\n");
        let others = [own(&one), own(&two), own(&three)];
        let own_only = document_with(&lines.join("\n"), &others).unwrap();
        let lines = [&lines[..], &[line("ch.thm5.1", "holds", 1, "a", "null")]].concat();
        let text = document_with(&lines.join("\n"), &others).unwrap();
        assert!(
            !own_only.contains("papers\n")
                && text.ends_with(&own_only[own_only.find("\n## Your").unwrap()..])
        );
        let start = text.find("\n## Your own claims\n").unwrap();
        let expected = "\n## Your own claims\n\nThe papers above do not contain these claims.\n\
                        \n### `my.one`\n\nIn nim: `P`\n\n**fails** (me; guess; misprint).\n\
                        \nIt should say: `N`\n\n\
                        - some: 9 positions checked, 1 fails\n\
                        \nLeast counterexample: nim 2,2/1: so.\n\
                        \n### `my.two`\n\nIn nim: `P`\n\n**holds** (guess).\n\
                        - a: 1 position checked\n\
                        \n### `my.3`\n\nIn nim: `P`\n\n**not checked**.\n";
        assert_eq!(&text[start..], expected);
        assert!(text.contains(r"If \*(n,k) != g(n), then \*(n,k) = \*(n-k,k)."));
        let one = own(&three.replace("my.3", "my.one"));
        let two = own(&two.replace("holds", "fails"));
        let text = document_with(&lines.join("\n"), &[one, two]).unwrap();
        assert!(text.contains("expected to hold).") && text.contains("expected to fail)."));
        assert!(!document(&lines.join("\n")).unwrap().contains("Your own claims"));
    }

    #[test]
    fn coins_are_those_of_the_piles() {
        let of = |position: &str| {
            let text = format!(r#"{{"game":"nim","position":{position},"found":"so"}}"#);
            counterexample(&serde_json::from_str(&text).unwrap())
        };
        assert_eq!(of("\"3,4/2\"").unwrap(), (7, "nim 3,4/2: so".into()));
        assert_eq!(of("\"3{1,2}\"").unwrap(), (3, "nim 3{1,2}: so".into()));
        assert_eq!(of("null").unwrap(), (0, "nim: so".into()));
        assert_eq!(of("\"x\"").unwrap_err(), "x is not a position");
    }
}
