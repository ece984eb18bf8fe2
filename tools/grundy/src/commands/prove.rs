//! `grundy prove`: the values of all rows with small piles, by an automaton.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use grundy::theorems::{self, Checked, Progress, Proof, check};
use grundy::{Bytes, Control, Number, Seconds};
use grundy_shard::seal::{from_sealed, to_sealed};
use serde::Serialize;
use serde_json::{Value, json};

use crate::End;
use crate::args::{Common, Prove, id_of};
use crate::output::{Out, place, save, tell};
use crate::places::read;
use crate::watch::{end_search, show_line, stop_on_interrupt};

/// Most bytes of a certificate.
const MOST: u64 = 256 << 20;

pub(crate) fn run(common: &Common, wanted: &Prove, out: &mut Out) -> anyhow::Result<End> {
    let theorem = &wanted.theorem;
    let game = theorem.game.game()?;
    let of = theorem.of(game);
    for file in theorem.certificate.iter().chain(&wanted.dot) {
        place(file)?;
    }
    let control = stop_on_interrupt()?;
    let mut search = Search::new(common, theorem.seconds, &control, "states");
    let found = theorems::prove(game, wanted.piles, of, &mut |at| search.goes_on(at))?;
    let about = json!({ "game": id_of(game), "piles": wanted.piles, "of": of });
    let found = match found {
        Proof::Proved(found) => found,
        Proof::Stopped(at) => {
            let what =
                format!("an automaton would have at least {}", Number(at.size as u64, "state"));
            return search.gives_up(&what, about, json!({ "states": at.size }), out);
        }
    };
    let checked = search.check(&found, theorem.certificate.as_deref())?;
    if let Some(file) = &wanted.dot {
        save(file, found.dot().as_bytes())?;
    }
    let (states, tuples) = (found.states, found.tuples);
    if out.is_json() {
        let more = json!({ "states": states, "tuples": tuples, "proved": true });
        return search.object(about, more, out);
    }
    out.line(&checked.statement)?;
    let tuples = Number(tuples as u64, "tuple");
    out.line(format!("proved over {tuples} of states, and checked, in {}", search.seconds()))?;
    Ok(End::Fine)
}

/// The search for a theorem, within limits.
pub(crate) struct Search<'a> {
    common: &'a Common,
    control: &'a Control,
    begun: Instant,
    limit: f64,
    unit: &'static str,
    asked: u32,
    why: &'static str,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        common: &'a Common,
        limit: f64,
        control: &'a Control,
        unit: &'static str,
    ) -> Search<'a> {
        Search { common, control, begun: Instant::now(), limit, unit, asked: 0, why: "" }
    }

    pub(crate) fn goes_on(&mut self, at: Progress) -> ControlFlow<()> {
        self.asked = self.asked.wrapping_add(1);
        let passed = match self.asked % 64 {
            1 => self.begun.elapsed().as_secs_f64(),
            _ => 0.0,
        };
        if passed > 0.5 {
            let (size, unit, bytes) = (at.size, self.unit, Bytes(at.bytes));
            show_line(format!("proving: {size} {unit}, {}, {bytes}", Seconds(passed)));
        }
        self.why = match () {
            () if self.control.is_stopped() => "it was stopped",
            () if at.bytes > self.common.memory.bytes() => "--memory was used up",
            () if passed > self.limit => "--seconds passed",
            () => return ControlFlow::Continue(()),
        };
        ControlFlow::Break(())
    }

    pub(crate) fn seconds(&self) -> Seconds {
        Seconds(self.begun.elapsed().as_secs_f64())
    }

    /// Says how far the search got.
    pub(crate) fn gives_up(
        &self,
        what: &str,
        about: Value,
        more: Value,
        out: &mut Out,
    ) -> anyhow::Result<End> {
        end_search();
        if out.is_json() {
            let mut more = more;
            more["proved"] = false.into();
            self.object(about, more, out)?;
        }
        tell(format_args!(
            "grundy: {} before there was a proof: {what}; whether there is one, this does not say",
            self.why
        ));
        Ok(if self.control.is_stopped() { End::Interrupted } else { End::BadInput })
    }

    /// Has a theorem checked, and writes its certificate.
    pub(crate) fn check(
        &self,
        found: &impl Serialize,
        file: Option<&Path>,
    ) -> anyhow::Result<Checked> {
        end_search();
        let checked = check(&serde_json::to_value(found)?, self.common.memory.bytes());
        let checked = checked.context("what was proved does not pass the checker")?;
        if let Some(file) = file {
            save(file, to_sealed(found)?.as_bytes())?;
            tell(format_args!("wrote {}; `grundy verify --certificate` checks it", file.display()));
        }
        Ok(checked)
    }

    pub(crate) fn object(
        &self,
        mut about: Value,
        more: Value,
        out: &mut Out,
    ) -> anyhow::Result<End> {
        if let (Some(all), Value::Object(more)) = (about.as_object_mut(), more) {
            all.extend(more);
            all.insert("seconds".to_owned(), self.begun.elapsed().as_secs_f64().into());
        }
        out.object(&about)?;
        Ok(End::Fine)
    }
}

/// True if a file begins as a certificate of a theorem does.
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
        out.line(format!("{}: it proves that {}", file.display(), checked.statement))?;
    }
    Ok(End::Fine)
}
