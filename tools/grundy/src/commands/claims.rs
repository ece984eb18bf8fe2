//! `grundy claims`: what can be checked.

use grundy_rules::Game;
use grundy_theory::{Claim, UnknownClaim};
use serde_json::json;

use crate::Outcome;
use crate::args::Claims;
use crate::output::Out;

/// The claims that are meant: all, if nothing was typed; none twice.
pub(crate) fn choose(names: &[String]) -> Result<Vec<&'static Claim>, UnknownClaim> {
    if names.is_empty() {
        return Ok(Claim::all().collect());
    }
    let mut chosen: Vec<&'static Claim> = Vec::new();
    for name in names {
        for claim in Claim::find(name)? {
            if !chosen.iter().any(|known| known.id == claim.id) {
                chosen.push(claim);
            }
        }
    }
    Ok(chosen)
}

pub(crate) fn run(wanted: &Claims, out: &mut Out) -> anyhow::Result<Outcome> {
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
                "status": claim.status,
                "expected": claim.expected,
            }))?;
        }
        return Ok(Outcome::Fine);
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
    }
    Ok(Outcome::Fine)
}
