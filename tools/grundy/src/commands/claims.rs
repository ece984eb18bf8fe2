use anyhow::anyhow;
use grundy::Game;
use grundy::papers::{Claim, Flaw, UnknownClaim};
use serde_json::json;

use crate::End;
use crate::args::{Claims, convention_of, id_of, named};
use crate::commands::own;
use crate::output::Out;

/// Returns the claims with these names, each once. If there are no names, returns all claims.
pub(crate) fn choose(names: &[String]) -> anyhow::Result<Vec<&'static Claim>> {
    Claim::choose(names).map_err(advised)
}

fn advised(UnknownClaim { name, nearest }: UnknownClaim) -> anyhow::Error {
    let prefixes = Claim::papers().map(|paper| {
        // Show only the part of the reference before its first comma, usually the authors.
        let author = paper.reference.split(',').next().unwrap_or(paper.reference);
        format!("{}. ({author})", paper.prefix)
    });
    anyhow!(
        "unknown claim '{name}'; did you mean '{nearest}'? A prefix stands for all claims of a \
         paper: {}",
        prefixes.join(", ")
    )
}

pub(crate) fn run(wanted: &Claims, out: &mut Out) -> anyhow::Result<End> {
    let (own, papers) = own::choose(own::read(&wanted.own.folder)?, &wanted.claims);
    let chosen = match (papers.is_empty(), own.is_empty()) {
        (true, false) if !wanted.claims.is_empty() => Vec::new(),
        _ => choose(&papers)?,
    };
    if out.is_json() {
        for claim in chosen {
            out.object(&claim.about())?;
        }
        for claim in own {
            out.object(&json!({
                "claim": claim.name,
                "paper": claim.source,
                "number": null,
                "statement": claim.question.text(),
                "reading": null,
                "games": [id_of(claim.question.game())],
                "convention": convention_of(claim.question.game()),
                "unit": "positions",
                "premise": null,
                "status": claim.status,
                "expected": own::expected(&claim),
                "flaw": claim.flaw,
                "corrected": claim.corrected.as_ref().map(grundy::Question::text),
            }))?;
        }
        return Ok(End::Fine);
    }
    let mut paper = "";
    for claim in chosen {
        if claim.paper.prefix != paper {
            if !paper.is_empty() {
                out.line("")?;
            }
            paper = claim.paper.prefix;
            out.line(claim.paper.reference)?;
        }
        let games: Vec<&str> = claim.games.iter().copied().map(Game::id).collect();
        out.line(format!(
            "\n{}  {} ({}; expected: {}{}; {})",
            claim.id,
            claim.number,
            claim.status,
            claim.expected(),
            claim.flaw.map_or(String::new(), |flaw| format!(", {flaw}")),
            games.join(", ")
        ))?;
        out.line(format!("    {}", claim.statement))?;
        if let Some(corrected) = claim.flaw.and_then(Flaw::corrected) {
            out.line(format!("    It should say: {corrected}"))?;
        }
        if let Some(reading) = claim.reading {
            out.line(format!("    Read as: {reading}"))?;
        }
        let premise =
            claim.premise.map_or(String::new(), |premise| format!("; premise: {premise}"));
        out.line(format!("    Counted in {}{premise}", claim.unit()))?;
    }
    if !own.is_empty() {
        out.line(if paper.is_empty() { "Your own claims" } else { "\nYour own claims" })?;
    }
    for claim in own {
        let said = [claim.source.as_str(), claim.status.as_str()];
        let said: Vec<&str> = said.into_iter().filter(|said| !said.is_empty()).collect();
        let game = named(claim.question.game());
        let said = if said.is_empty() { String::new() } else { format!("{}; ", said.join("; ")) };
        let expected = own::expected(&claim);
        let flaw = claim.flaw.map_or(String::new(), |flaw| format!(", {flaw}"));
        out.line(format!("\n{}  ({said}expected: {expected}{flaw}; {game})", claim.name))?;
        out.line(format!("    {}", claim.question.text()))?;
        if let Some(corrected) = &claim.corrected {
            out.line(format!("    It should say: {} (`diff` checks this)", corrected.text()))?;
        }
    }
    Ok(End::Fine)
}
