//! `grundy claims`: what can be checked.

use anyhow::anyhow;
use grundy_rules::Game;
use grundy_theory::{Claim, UnknownClaim};
use serde_json::json;

use crate::End;
use crate::args::Claims;
use crate::output::Out;

/// The claims that are meant: all, if nothing was typed; none twice.
pub(crate) fn choose(names: &[String]) -> anyhow::Result<Vec<&'static Claim>> {
    if names.is_empty() {
        return Ok(Claim::all().collect());
    }
    let mut chosen: Vec<&'static Claim> = Vec::new();
    for name in names {
        for claim in Claim::find(name).map_err(advised)? {
            if !chosen.iter().any(|known| known.id == claim.id) {
                chosen.push(claim);
            }
        }
    }
    Ok(chosen)
}

/// What was not found, what may have been meant, and what else there is.
fn advised(UnknownClaim { name, nearest }: UnknownClaim) -> anyhow::Error {
    let prefixes = Claim::papers().map(|paper| {
        // A reference up to its title.
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
    let chosen = choose(&wanted.claims)?;
    if out.is_json() {
        for claim in chosen {
            out.object(&json!({
                "claim": claim.id,
                "paper": claim.paper.reference,
                "number": claim.number,
                "statement": claim.statement,
                "reading": claim.reading,
                "games": claim.games.iter().map(|game| game.id()).collect::<Vec<_>>(),
                "unit": claim.unit(),
                "premise": claim.premise,
                "status": claim.status,
                "expected": claim.expected,
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
            "\n{}  {} ({}; expected: {}; {})",
            claim.id,
            claim.number,
            claim.status,
            claim.expected,
            games.join(", ")
        ))?;
        out.line(format!("    {}", claim.statement))?;
        if let Some(reading) = claim.reading {
            out.line(format!("    Read as: {reading}"))?;
        }
        let premise =
            claim.premise.map_or(String::new(), |premise| format!("; premise: {premise}"));
        out.line(format!("    Counted in {}{premise}", claim.unit()))?;
    }
    Ok(End::Fine)
}
