//! Reads and checks the user's own claims, which are in the files of a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use grundy::papers::Claim;
use grundy::{CheckSummary, Control, OwnClaim, Question, claims, usual_range};
use serde_json::{Value, json};

use crate::advice::with_advice;
use crate::args::{Common, Diff, USUAL_FOLDER, id_of};
use crate::commands::check;
use crate::inputs::text;
use crate::output::{grouped, tell};

pub(crate) struct VerdictRow {
    pub(crate) columns: Vec<String>,
    pub(crate) details: Vec<String>,
    pub(crate) json: Value,
    pub(crate) is_surprise: bool,
}

impl VerdictRow {
    /// Makes a row from a line of JSON. `counted` is the noun for the cases, `first` the least
    /// counterexample in words, and `remark` the reason for an expected verdict.
    pub(crate) fn new(
        json: Value,
        counted: &str,
        first: Option<String>,
        remark: &str,
        is_surprise: bool,
    ) -> VerdictRow {
        let text = |name: &str| json[name].as_str().unwrap_or_default().to_owned();
        let number = |name: &str| json[name].as_u64().unwrap_or_default();
        let (verdict, checked) = (text("verdict"), grouped(number("checked")));
        let mut details = vec![text("range")];
        if let Some(premise) = json["premise"].as_u64() {
            details.push(format!("the premise is true of {}", grouped(premise)));
        }
        if verdict == "stopped" {
            details.push(format!("stopped: no failure in {checked} {counted} so far"));
        } else if json["complete"] == false {
            details.push("stopped before the end".to_owned());
        }
        if let (true, Some(corrected)) = (verdict == "fails", json["corrected"].as_str()) {
            details.push(format!("it should say: {corrected}"));
        }
        details.extend(first.map(|first| format!("least counterexample: {first}")));
        if number("undecided") > 0 {
            details.push(format!("{} undecided", grouped(number("undecided"))));
        }
        let columns = vec![
            text("claim"),
            verdict,
            if is_surprise { "UNEXPECTED".to_owned() } else { remark.to_owned() },
            checked,
            grouped(number("failures")),
            text("unit"),
            text("source"),
            format!("{:.2}", json["seconds"].as_f64().unwrap_or_default()),
        ];
        VerdictRow { columns, details, json, is_surprise }
    }
}

pub(crate) fn expected(claim: &OwnClaim) -> &'static str {
    if claim.flaw.is_none() { "holds" } else { "fails" }
}

/// Reads the claims in a folder, sorted by file name. Only the default folder may be missing.
pub(crate) fn read(folder: &Path) -> anyhow::Result<Vec<OwnClaim>> {
    let paths = fs::read_dir(folder).and_then(|all| all.map(|entry| Ok(entry?.path())).collect());
    let mut paths: Vec<PathBuf> = match paths {
        // A file of claims may be given in place of a folder.
        _ if folder.is_file() => vec![folder.to_owned()],
        Err(error)
            if error.kind() == io::ErrorKind::NotFound && folder == Path::new(USUAL_FOLDER) =>
        {
            return Ok(Vec::new());
        }
        paths => paths.with_context(|| {
            format!("cannot read {}, a folder of .claim files or one file", folder.display())
        })?,
    };
    let is_claim = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "claim");
    paths.retain(|path| path == folder || is_claim(path));
    if paths.is_empty() && folder != Path::new(USUAL_FOLDER) {
        bail!(
            "{} contains no .claim file; docs/LANGUAGE.md says how to write one",
            folder.display()
        );
    }
    paths.sort();
    let mut all: Vec<OwnClaim> = Vec::new();
    for path in paths {
        let found = claims(path.parent().unwrap_or(Path::new("")), &text(&path)?)
            .with_context(|| path.display().to_string())?;
        for claim in found {
            if Claim::all().any(|known| known.id == claim.name) {
                bail!(
                    "{}: {} is the name of a claim of a paper; choose another name",
                    path.display(),
                    claim.name
                );
            }
            if all.iter().any(|known| known.name == claim.name) {
                bail!("{}: two claims have the name {}", path.display(), claim.name);
            }
            all.push(claim);
        }
    }
    Ok(all)
}

/// Returns the user's own claims that `names` selects, and the names that select none. A name is an
/// id, or a prefix (`me.`, or `me` for short). If there are no names, returns all claims.
pub(crate) fn choose(own: Vec<OwnClaim>, names: &[String]) -> (Vec<OwnClaim>, Vec<String>) {
    if names.is_empty() {
        return (own, Vec::new());
    }
    let is_meant = |id: &str, name: &str| {
        let prefix = if name.contains('.') { name.to_owned() } else { format!("{name}.") };
        id == name || prefix.ends_with('.') && id.starts_with(&prefix)
    };
    let is_own = |name: &String| own.iter().any(|claim| is_meant(&claim.name, name));
    // The same prefix may also select claims of a paper.
    let is_other = |name: &String| Claim::all().any(|claim| is_meant(claim.id, name));
    let rest = names.iter().filter(|name| !is_own(name) || is_other(name)).cloned().collect();
    let meant = own.iter().filter(|claim| names.iter().any(|name| is_meant(&claim.name, name)));
    (meant.cloned().collect(), rest)
}

/// Checks the user's own claims. The returned flag is true if a claim got no verdict: its
/// statement has no value at some position, or its check would take too long. Prints these errors.
pub(crate) fn run(
    common: &Common,
    wanted: &Diff,
    own: &[OwnClaim],
    control: &Control,
) -> anyhow::Result<(Vec<VerdictRow>, bool)> {
    if own.is_empty() {
        return Ok((Vec::new(), false));
    }
    let mut is_lacking = false;
    let database = common.open_unwatched(60.0)?;
    let mut verdicts = Vec::new();
    'claims: for claim in own {
        let question = &claim.question;
        let (mut lengths, usual) = usual_range(question, claim.lengths.clone());
        if let Some(longest) = wanted.length {
            // A claim about one length keeps its length.
            if lengths.start() < lengths.end() || claim.lengths.is_none() {
                lengths = (*lengths.start()).min(longest)..=longest;
            }
        }
        let max_pile = wanted.max_pile.or(claim.max_pile).unwrap_or(usual);
        let mut summaries = Vec::new();
        for question in [question].into_iter().chain(&claim.corrected) {
            let ask = common.ask(question, &database, control).seconds(wanted.within.seconds);
            match ask.check(lengths.clone(), max_pile) {
                Ok(checked) => {
                    summaries.push(ask.summary(checked, &lengths, max_pile, usize::MAX));
                }
                Err(error) => {
                    let what = if summaries.is_empty() { "" } else { "the correction of " };
                    let error = with_advice(&error);
                    let text = format!("grundy: {what}{} has no verdict: {error}", claim.name);
                    text.lines().for_each(tell);
                    is_lacking = true;
                    continue 'claims;
                }
            }
        }
        let summary = &summaries[0];
        let correction = summaries.get(1);
        let found = summary.verdict;
        let is_false = correction.is_some_and(|corrected| corrected.verdict == "fails");
        let is_surprise = found != "stopped" && found != expected(claim) || is_false;
        let remark = claim.flaw.filter(|_| found == "fails").unwrap_or_default();
        let least = |summary: &CheckSummary| {
            let found = summary.counterexamples.first()?;
            Some(format!("{} {}: {}", id_of(summary.game), found.position, found.explanation()))
        };
        let first = least(summary);
        let mut line = check::line(summary, &claim.name);
        line["expected"] = json!(expected(claim));
        line["flaw"] = json!(claim.flaw);
        // Leave out a correction that is false.
        let corrected = claim.corrected.as_ref().map(Question::text);
        line["corrected"] = json!(corrected.filter(|_| !is_false));
        line["status"] = json!(claim.status);
        let mut row = VerdictRow::new(line, "positions", first, remark, is_surprise);
        if let (Some(text), Some(summary)) = (corrected, correction) {
            match summary.verdict {
                "fails" => row.details.push(format!(
                    "the corrected statement `{text}` fails too: {}",
                    least(summary).unwrap_or_default()
                )),
                "stopped" => row.details.push("the correction is not checked to the end".into()),
                _ => {}
            }
        }
        verdicts.push(row);
    }
    Ok((verdicts, is_lacking))
}
