use std::io;

use anyhow::anyhow;
use grundy::papers::{Claim, UnknownClaim, named};

use crate::End;
use crate::args::{Claims, Common, OPENING};
use crate::commands::own;
use crate::output::Out;

/// Returns the claims with these names, each once. If there are no names, returns all claims.
pub(crate) fn choose(names: &[String]) -> anyhow::Result<Vec<&'static Claim>> {
    Claim::choose(names).map_err(advised)
}

fn advised(UnknownClaim { name, nearest }: UnknownClaim) -> anyhow::Error {
    let prefixes = Claim::papers().into_iter().map(|paper| {
        // Show only the part of the reference before its first comma, usually the authors.
        let author = paper.reference.split(',').next().unwrap_or(&paper.reference);
        format!("{}. ({author})", paper.prefix)
    });
    let prefixes: Vec<String> = prefixes.collect();
    anyhow!(
        "unknown claim '{name}'; did you mean '{nearest}'? A prefix stands for all claims of a \
         paper: {}",
        prefixes.join(", ")
    )
}

pub(crate) fn run(common: &Common, wanted: &Claims, out: &mut Out) -> anyhow::Result<End> {
    let (own, papers) =
        own::choose(own::read(common, &wanted.own.folder, OPENING)?, &wanted.claims);
    let chosen = match (papers.is_empty(), own.is_empty()) {
        (true, false) if !wanted.claims.is_empty() => Vec::new(),
        _ => choose(&papers)?,
    };
    if out.is_json() {
        chosen.into_iter().chain(&own).try_for_each(|claim| out.object(&claim.about()))?;
        return Ok(End::Fine);
    }
    let mut paper = "";
    for claim in chosen {
        if claim.paper.prefix != paper {
            if !paper.is_empty() {
                out.line("")?;
            }
            paper = &claim.paper.prefix;
            out.line(&claim.paper.reference)?;
        }
        show(claim, "", out)?;
    }
    if !own.is_empty() {
        out.line(if paper.is_empty() { "Your own claims" } else { "\nYour own claims" })?;
    }
    for claim in &own {
        show(claim, &claim.paper.reference, out)?;
    }
    Ok(End::Fine)
}

/// Shows a claim, with its source in the first line.
fn show(claim: &Claim, source: &str, out: &mut Out) -> io::Result<()> {
    let games: Vec<String> = claim.games.iter().map(|&game| named(game)).collect();
    let flaw = claim.flaw.map_or(String::new(), |flaw| format!(", {flaw}"));
    let expected = format!("expected: {}{flaw}", claim.expected());
    let said = [source, claim.status.word(), &expected, &games.join(", ")];
    let said: Vec<&str> = said.into_iter().filter(|said| !said.is_empty()).collect();
    let number = claim.number.as_ref().map_or(String::new(), |number| format!("{number} "));
    out.line(format!("\n{}  {number}({})", claim.id, said.join("; ")))?;
    out.line(format!("    {}", claim.statement))?;
    if let Some(corrected) = &claim.corrected {
        let checked = if claim.correction.is_some() { " (`diff` checks this)" } else { "" };
        out.line(format!("    It should say: {corrected}{checked}"))?;
    }
    if let Some(reading) = &claim.reading {
        out.line(format!("    Read as: {reading}"))?;
    }
    if !claim.is_short {
        for check in &claim.checks {
            out.line(format!("    In {}: {}", claim.subject(check), check.text))?;
        }
        let premise = claim.premise.as_ref();
        let premise = premise.map_or(String::new(), |premise| format!("; premise: {premise}"));
        out.line(format!("    Counted in {}{premise}", claim.unit))?;
    }
    Ok(())
}
