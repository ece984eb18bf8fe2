//! `grundy prove`: proves the values of all rows with small piles, by an automaton.

use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use grundy::theorems::{Checked, Progress, Theorem, TheoremError, Within, check, prove};
use grundy::{Bytes, Limit, Number, Seconds};
use grundy_shard::seal::from_sealed;
use serde_json::{Value, json};

use crate::End;
use crate::args::{AutomatonFormat, Common, Prove, Theorem as TheoremOptions, id_of};
use crate::inputs::read;
use crate::output::{Out, place, save, tell};
use crate::watch::{end_search, show_line, stop_on_interrupt};

const MOST: u64 = 256 << 20;

pub(crate) fn run(common: &Common, wanted: &Prove, out: &mut Out) -> anyhow::Result<End> {
    let game = wanted.theorem.game.game(common, wanted.theorem.seconds)?;
    let of = wanted.theorem.of(game);
    if let Some(file) = &wanted.output {
        place(file)?;
    }
    let search = Search {
        common,
        options: &wanted.theorem,
        about: json!({ "game": id_of(game), "piles": wanted.piles, "of": of }),
        unit: ("state", "states"),
    };
    search.run(
        out,
        |within, watch| prove(game, wanted.piles, of, within, watch),
        |found| {
            if let (Some(file), Some(format)) = (&wanted.output, wanted.format) {
                let text = match format {
                    AutomatonFormat::Dot => found.dot(),
                    AutomatonFormat::Svg => found.svg(),
                    AutomatonFormat::Walnut => found.walnut(),
                };
                save(file, text.as_bytes())?;
                tell(format_args!("wrote {}", file.display()));
            }
            let tuples = Number(found.tuples as u64, "tuple");
            let more = json!({ "states": found.states, "tuples": found.tuples });
            Ok((more, format!("proved over {tuples} of states")))
        },
    )
}

/// The search for a theorem, with its options.
pub(crate) struct Search<'a> {
    pub(crate) common: &'a Common,
    pub(crate) options: &'a TheoremOptions,
    /// The fields of the JSON output that describe the question.
    pub(crate) about: Value,
    /// The noun for the things that the progress counts, in singular and plural.
    pub(crate) unit: (&'static str, &'static str),
}

impl Search<'_> {
    /// Searches for a theorem, and writes its certificate. `describe` returns further fields of the
    /// JSON output, and lines of text. The last line is printed after the statement.
    pub(crate) fn run<T>(
        self,
        out: &mut Out,
        prove: impl FnOnce(&Within<'_>, &mut dyn FnMut(Progress)) -> Result<Theorem<T>, TheoremError>,
        describe: impl FnOnce(&T) -> anyhow::Result<(Value, String)>,
    ) -> anyhow::Result<End> {
        let file = self.options.certificate.as_deref();
        if let Some(file) = file {
            place(file)?;
        }
        let (control, begun) = (stop_on_interrupt()?, Instant::now());
        let memory = self.common.memory.bytes();
        let within = Within { memory, seconds: self.options.seconds, control: &control };
        let found = prove(&within, &mut |at: Progress| {
            let passed = begun.elapsed().as_secs_f64();
            if passed > 0.5 {
                let (size, bytes) = (Number(at.size as u64, self.unit.0), Bytes(at.bytes));
                show_line(format!("proving: {size}, {}, {bytes}", Seconds(passed)));
            }
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
        let Theorem { found, statement, certificate, .. } = match found {
            Err(TheoremError::Unfinished { limit, size, far }) => {
                if out.is_json() {
                    out.object(&object(json!({ (self.unit.1): size }), false))?;
                }
                let (why, end) = match limit {
                    None => ("it was stopped", End::Interrupted),
                    Some(Limit::Memory) => ("--memory was used up", End::BadInput),
                    Some(Limit::Seconds) => ("--seconds passed", End::BadInput),
                };
                tell(format_args!(
                    "grundy: {why} before a proof was found: {far}; this does not show that none \
                     exists"
                ));
                return Ok(end);
            }
            found => found?,
        };
        if let Some(file) = file {
            save(file, certificate.as_bytes())?;
            tell(format_args!("wrote {}; `grundy verify --certificate` checks it", file.display()));
        }
        let (more, last) = describe(&found)?;
        if out.is_json() {
            out.object(&object(more, true))?;
        } else {
            // Print the statement before the last line of the description.
            let (pattern, proved) = last.rsplit_once('\n').unwrap_or(("", &last));
            Some(pattern).filter(|text| !text.is_empty()).map_or(Ok(()), |text| out.line(text))?;
            out.line(&statement)?;
            out.line(format!("{proved}, and checked, in {}", Seconds(seconds)))?;
        }
        Ok(End::Fine)
    }
}

/// Returns true if a file begins like the certificate of a theorem. The check of the other kind of
/// certificates reports why a file cannot be read.
pub(crate) fn is_certificate(file: &Path) -> bool {
    let is_regular = file.metadata().is_ok_and(|found| found.is_file());
    let mut first = [0];
    let read = |mut file: std::fs::File| std::io::Read::read_exact(&mut file, &mut first);
    is_regular && std::fs::File::open(file).and_then(read).is_ok() && first == *b"{"
}

/// Checks the text of a certificate, with its seal.
pub(crate) fn checked(common: &Common, text: Vec<u8>) -> anyhow::Result<Checked> {
    let certificate: Value = from_sealed(text)?;
    Ok(check(&certificate, common.memory.bytes())?)
}

pub(crate) fn verify(common: &Common, file: &Path, out: &mut Out) -> anyhow::Result<End> {
    let begun = Instant::now();
    let text = read(file, common.memory.at_most(MOST).bytes())?;
    let proves_nothing = || format!("the certificate {} proves nothing", file.display());
    let checked = checked(common, text).with_context(proves_nothing)?;
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
