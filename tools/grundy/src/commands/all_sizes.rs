//! `grundy check --all-sizes`: proves a statement for piles of all sizes.

use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use grundy::sizes::{Found, SizesReport, usual_limit};
use grundy::{Number, Seconds};

use crate::End;
use crate::args::{Check, Common, OPENING, named};
use crate::commands::check::{line, print, range};
use crate::commands::{prove, smt};
use crate::output::{Out, place, save, tell};
use crate::watch::{end_search, is_interrupted, stop_after};

/// Returns the reason why the control of a proof was stopped.
pub(crate) fn stopped() -> &'static str {
    match is_interrupted() {
        true => "it was stopped before a proof was found",
        false => "--seconds passed before a proof was found",
    }
}

/// Writes a certificate that the checker accepts. The checker has a reading of its own, which is
/// stricter for some rules.
pub(crate) fn write_certificate(common: &Common, file: &Path, text: &str) -> anyhow::Result<()> {
    prove::checked(common, text.as_bytes().to_vec()).with_context(|| {
        let file = file.display();
        format!("{file} is not written: the checker refuses it; leave out --certificate")
    })?;
    save(file, text.as_bytes())?;
    tell(format_args!("wrote {}; `grundy verify --certificate` checks it", file.display()));
    Ok(())
}

pub(crate) fn run(common: &Common, wanted: &Check, out: &mut Out) -> anyhow::Result<End> {
    let begun = Instant::now();
    let seconds = wanted.within.seconds.min(OPENING);
    let game = wanted.game.game(common, seconds)?;
    let question = &common.question(game, &wanted.statement, &wanted.with.files, seconds)?;
    let (lengths, _) = range(question, &wanted.sizes)?;
    if let Some(file) = &wanted.certificate {
        anyhow::ensure!(
            lengths.start() == lengths.end(),
            "a certificate is about one length; choose one by --length"
        );
        place(file)?;
    }
    let (database, control) = common.ready(seconds)?;
    stop_after(&control, wanted.within.seconds, "proving");
    let ask = common.ask(question, &database, &control).show(wanted.show.max(1));
    let mut worst = End::Fine;
    for length in lengths {
        let limit = wanted.sizes.max_pile.unwrap_or_else(|| usual_limit(length));
        let found = ask.check_all_sizes(length, limit);
        end_search();
        let found = found?;
        let (verdict, proof) = (found.verdict(), found.found);
        let reason = match control.is_stopped() {
            true if !is_interrupted() => {
                Some("--seconds passed before a proof was found".to_owned())
            }
            _ => found.reason.clone(),
        };
        let SizesReport { report, most, certificate, .. } = found;
        // A solver may decide what types do not.
        let (verdict, reason, by_solver) = match &wanted.smt {
            Some(folder) if verdict == "undecided" && !control.is_stopped() => {
                let seconds = wanted.within.seconds - begun.elapsed().as_secs_f64();
                let (verdict, why) =
                    smt::ask((&ask, game), length, folder, &wanted.solver, seconds)?;
                (verdict, Some(why), true)
            }
            _ => (verdict, reason, false),
        };
        match (&wanted.certificate, certificate) {
            (Some(file), Some(text)) => write_certificate(common, file, &text)?,
            (Some(_), None) if verdict == "holds" => {
                tell("grundy: no certificate: the statement names no value, or another game");
            }
            _ => {}
        }
        let checked = report.is_some();
        let summary = ask.summary(report.unwrap_or_default(), &(length..=length), most, usize::MAX);
        if out.is_json() {
            let mut object = line(&summary, &summary.statement);
            object["verdict"] = verdict.into();
            object["proved"] = (verdict == "holds" && !by_solver).into();
            object["cap"] = proof.map(|proof| proof.cap as u64).into();
            object["modulus"] = proof.map(|proof| proof.modulus as u64).into();
            object["box"] = proof.map(|proof| proof.most as u64).into();
            object["reason"] = reason.filter(|_| verdict == "undecided" || by_solver).into();
            out.object(&object)?;
        } else if let ("holds" | "fails", Some(why), true) = (verdict, &reason, by_solver) {
            out.line(format!("{verdict} for length {length}, not proved by this program: {why}"))?;
        } else if let ("holds", Some(Found { cap, modulus, .. })) = (verdict, proof) {
            let satisfied = match summary.premise {
                Some(0) => "; it is vacuous: none satisfies the premise",
                _ => "",
            };
            out.line(format!(
                "holds for piles of all sizes: proved by the {} with piles up to {most}{satisfied}",
                Number(summary.checked, "position")
            ))?;
            let game = named(summary.game);
            let time = Seconds(summary.seconds);
            out.line(format!("{game}: length {length}, cap {cap}, modulus {modulus}; in {time}"))?;
        } else if verdict == "fails" {
            print(&summary, wanted.show, out)?;
        } else {
            let why = reason.unwrap_or_default();
            out.line(format!("undecided for length {length}: {why}"))?;
            if checked {
                out.line(format!(
                    "no counterexample among {} with piles up to {most}",
                    Number(summary.checked, "position")
                ))?;
            }
        }
        worst = match (worst, verdict) {
            (_, "fails") | (End::Mismatch, _) => End::Mismatch,
            (_, "undecided") => End::BadInput,
            (worst, _) => worst,
        };
        if control.is_stopped() {
            break;
        }
    }
    Ok(if is_interrupted() { End::Interrupted } else { worst })
}
