//! `grundy prove`: proves the values of all rows with small piles, by an automaton.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use grundy::theorems::{self, Progress, Proof, ProverError, check};
use grundy::{Bytes, Number, Seconds};
use grundy_shard::seal::{from_sealed, to_sealed};
use serde::Serialize;
use serde_json::{Value, json};

use crate::End;
use crate::args::{Common, Prove, Theorem, id_of};
use crate::inputs::read;
use crate::output::{Out, place, save, tell};
use crate::watch::{end_search, show_line, stop_on_interrupt};

/// Maximum bytes of a certificate.
const MOST: u64 = 256 << 20;

pub(crate) fn run(common: &Common, wanted: &Prove, out: &mut Out) -> anyhow::Result<End> {
    let game = wanted.theorem.game.game()?;
    let of = wanted.theorem.of(game);
    if let Some(file) = &wanted.dot {
        place(file)?;
    }
    let search = Search {
        common,
        theorem: &wanted.theorem,
        about: json!({ "game": id_of(game), "piles": wanted.piles, "of": of }),
        unit: "state",
        far: |states| {
            format!("an automaton for these rows would have at least {}", Number(states, "state"))
        },
    };
    let prove = |watch: theorems::Watch<'_>| theorems::prove(game, wanted.piles, of, watch);
    search.run(out, prove, |found| {
        if let Some(file) = &wanted.dot {
            save(file, found.dot().as_bytes())?;
        }
        let tuples = Number(found.tuples as u64, "tuple");
        let more = json!({ "states": found.states, "tuples": found.tuples });
        Ok((more, format!("proved over {tuples} of states")))
    })
}

/// The search for a theorem, within limits.
pub(crate) struct Search<'a> {
    pub(crate) common: &'a Common,
    pub(crate) theorem: &'a Theorem,
    /// The fields of the answer that repeat the question.
    pub(crate) about: Value,
    /// The noun, in the singular, for the things that the progress counts.
    pub(crate) unit: &'static str,
    /// Describes how far an unsuccessful search got.
    pub(crate) far: fn(u64) -> String,
}

impl Search<'_> {
    /// Proves a theorem, checks the proof, and writes its certificate. `describe` returns further
    /// fields of the answer, and its last lines.
    pub(crate) fn run<T: Serialize>(
        self,
        out: &mut Out,
        prove: impl FnOnce(theorems::Watch<'_>) -> Result<Proof<T>, ProverError>,
        describe: impl FnOnce(&T) -> anyhow::Result<(Value, String)>,
    ) -> anyhow::Result<End> {
        let certificate = self.theorem.certificate.as_deref();
        if let Some(file) = certificate {
            place(file)?;
        }
        let (control, begun) = (stop_on_interrupt()?, Instant::now());
        let memory = self.common.memory.bytes();
        let (mut calls, mut why) = (0_u32, "");
        let found = prove(&mut |at: Progress| {
            calls = calls.wrapping_add(1);
            let passed = if calls % 64 == 1 { begun.elapsed().as_secs_f64() } else { 0.0 };
            if passed > 0.5 {
                let (size, bytes) = (Number(at.size as u64, self.unit), Bytes(at.bytes));
                show_line(format!("proving: {size}, {}, {bytes}", Seconds(passed)));
            }
            why = match () {
                () if control.is_stopped() => "it was stopped",
                () if at.bytes > memory => "--memory was used up",
                () if passed > self.theorem.seconds => "--seconds passed",
                () => return ControlFlow::Continue(()),
            };
            ControlFlow::Break(())
        });
        end_search();
        let seconds = begun.elapsed().as_secs_f64();
        let object = |more: Value, is_proved: bool| {
            let mut all = self.about.clone();
            for (name, value) in more.as_object().into_iter().flatten() {
                all[name] = value.clone();
            }
            (all["proved"], all["seconds"]) = (is_proved.into(), seconds.into());
            all
        };
        let found = match found? {
            Proof::Proved(found) => found,
            Proof::Stopped(at) => {
                if out.is_json() {
                    let units = if self.unit == "copy" { "copies" } else { "states" };
                    out.object(&object(json!({ units: at.size }), false))?;
                }
                let far = (self.far)(at.size as u64);
                tell(format_args!(
                    "grundy: {why} before a proof was found: {far}; this does not show that none \
                     exists"
                ));
                return Ok(if control.is_stopped() { End::Interrupted } else { End::BadInput });
            }
        };
        let checked = check(&serde_json::to_value(&found)?, memory).context(
            "the checker rejects the proof, which is an error of this program; please report it",
        )?;
        if let Some(file) = certificate {
            save(file, to_sealed(&found)?.as_bytes())?;
            tell(format_args!("wrote {}; `grundy verify --certificate` checks it", file.display()));
        }
        let (more, last) = describe(&found)?;
        if out.is_json() {
            out.object(&object(more, true))?;
        } else {
            // The pattern that the proof is about comes first.
            let (pattern, proved) = last.rsplit_once('\n').unwrap_or(("", &last));
            Some(pattern).filter(|text| !text.is_empty()).map_or(Ok(()), |text| out.line(text))?;
            out.line(&checked.statement)?;
            out.line(format!("{proved}, and checked, in {}", Seconds(seconds)))?;
        }
        Ok(End::Fine)
    }
}

/// True if a file begins like the certificate of a theorem.
pub(crate) fn is_certificate(file: &Path) -> bool {
    let is_regular = file.metadata().is_ok_and(|found| found.is_file());
    let mut first = [0];
    let read = |mut file: std::fs::File| std::io::Read::read_exact(&mut file, &mut first);
    is_regular && std::fs::File::open(file).and_then(read).is_ok() && first == *b"{"
}

/// Checks the certificate of a theorem.
pub(crate) fn verify(common: &Common, file: &Path, out: &mut Out) -> anyhow::Result<End> {
    let begun = Instant::now();
    let text = read(file, common.memory.at_most(MOST).bytes())?;
    let proves_nothing = || format!("the certificate {} proves nothing", file.display());
    let certificate: Value = from_sealed(text).with_context(proves_nothing)?;
    let checked = check(&certificate, common.memory.bytes()).with_context(proves_nothing)?;
    if out.is_json() {
        out.object(&json!({
            "certificate": file.display().to_string(),
            "game": checked.game,
            "statement": checked.statement,
            "seconds": begun.elapsed().as_secs_f64(),
        }))?;
    } else {
        out.line(format!("{} proves that {}", file.display(), checked.statement))?;
    }
    Ok(End::Fine)
}
