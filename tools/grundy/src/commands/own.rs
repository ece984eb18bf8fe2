//! Claims of one's own: files of a folder, checked by `diff` beside those of the papers.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, bail};
use grundy::papers::Claim;
use grundy::{Control, OwnClaim, claims, usual_range};
use serde_json::{Value, json};

use crate::advice::with_advice;
use crate::args::{Common, Diff};
use crate::commands::check::{Report, in_words};
use crate::output::{grouped, tell};
use crate::places::text;

/// What came of a claim: its row of the table, the lines below it, and its JSON.
pub(crate) struct VerdictRow {
    pub(crate) columns: Vec<String>,
    pub(crate) details: Vec<String>,
    pub(crate) json: Value,
    pub(crate) is_surprise: bool,
}

/// An expectation in a word.
pub(crate) fn verdict(holds: bool) -> &'static str {
    if holds { "holds" } else { "fails" }
}

/// The folder that is looked into if nobody names one; it need not be there.
pub(crate) const USUAL_FOLDER: &str = "claims";

/// The claims of a folder, by the names of its files; none if the usual one is not there.
pub(crate) fn read(folder: &Path) -> anyhow::Result<Vec<OwnClaim>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error)
            if error.kind() == io::ErrorKind::NotFound && folder == Path::new(USUAL_FOLDER) =>
        {
            return Ok(Vec::new());
        }
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read {}", folder.display()));
        }
    };
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>();
    let mut paths = paths.with_context(|| format!("cannot read {}", folder.display()))?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "claim"));
    paths.sort();
    let mut all: Vec<OwnClaim> = Vec::new();
    for path in paths {
        let found = claims(&text(&path)?).with_context(|| path.display().to_string())?;
        for claim in found {
            if Claim::all().any(|known| known.id == claim.name) {
                bail!(
                    "{}: {} is the name of a claim of a paper; take another",
                    path.display(),
                    claim.name
                );
            }
            if all.iter().any(|known| known.name == claim.name) {
                bail!("{}: there are two claims called {}", path.display(), claim.name);
            }
            all.push(claim);
        }
    }
    Ok(all)
}

/// Those of one's own that are meant, by name or by the beginning of names up to a dot, and what
/// else was named; all, if nothing was.
pub(crate) fn choose(own: Vec<OwnClaim>, names: &[String]) -> (Vec<OwnClaim>, Vec<String>) {
    if names.is_empty() {
        return (own, Vec::new());
    }
    let is_meant = |claim: &OwnClaim, name: &str| {
        claim.name == name || name.ends_with('.') && claim.name.starts_with(name)
    };
    let is_own = |name: &String| own.iter().any(|claim| is_meant(claim, name));
    let rest = names.iter().filter(|name| !is_own(name)).cloned().collect();
    let meant = own.iter().filter(|claim| names.iter().any(|name| is_meant(claim, name)));
    (meant.cloned().collect(), rest)
}

/// Checks claims of one's own. One that has no verdict (its statement has no value somewhere, or it
/// would take too long) is told of, and the second of what is returned says so.
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
    for claim in own {
        let question = &claim.question;
        let (mut lengths, usual) = usual_range(question, claim.lengths.clone());
        if let Some(longest) = wanted.length {
            // One about a single length keeps it.
            if lengths.start() < lengths.end() || claim.lengths.is_none() {
                lengths = (*lengths.start()).min(longest)..=longest;
            }
        }
        let max_pile = wanted.max_pile.or(claim.max_pile).unwrap_or(usual);
        let ask = common.ask(question, &database, control).seconds(wanted.seconds);
        let checked = match ask.check(lengths.clone(), max_pile) {
            Ok(checked) => checked,
            Err(error) => {
                let text =
                    format!("grundy: {} has no verdict: {}", claim.name, with_advice(&error));
                text.lines().for_each(tell);
                is_lacking = true;
                continue;
            }
        };
        let report = Report { question, ask: &ask, checked: &checked };
        let found = report.verdict();
        let is_surprise = found != "stopped" && found != verdict(claim.expected);
        let remark = match (is_surprise, found) {
            (true, _) => "UNEXPECTED",
            (false, "fails") => "as known",
            _ => "",
        };
        let range = in_words(question.game(), &lengths, max_pile);
        let mut details = vec![range.clone()];
        if let Some(premise) = report.premise() {
            details.push(format!("the premise is true of {}", grouped(premise)));
        }
        if found == "stopped" {
            let positions = grouped(checked.checked);
            details.push(format!("stopped: no failure in {positions} positions so far"));
        } else if !checked.complete {
            details.push("stopped before the end".to_owned());
        }
        if let Some((position, _)) = checked.least.first() {
            let game = question.game();
            let parts = report.parts(0).unwrap_or_default();
            details.push(format!("least counterexample: {game} {position}: {parts}"));
        }
        let mut line = report.json(&claim.name, &range);
        line["expected"] = json!(verdict(claim.expected));
        line["status"] = json!(claim.status);
        verdicts.push(VerdictRow {
            columns: vec![
                claim.name.clone(),
                found.to_owned(),
                remark.to_owned(),
                grouped(checked.checked),
                grouped(checked.failures),
                "positions".to_owned(),
                report.source().to_owned(),
                format!("{:.2}", checked.seconds),
            ],
            details,
            json: line,
            is_surprise,
        });
    }
    Ok((verdicts, is_lacking))
}
