//! `grundy classes`: the value classes of a game as formulas, for piles of all sizes.

use grundy::sizes::{Limits, usual_limit, value_classes};
use grundy::{Outcome, Seconds};
use serde_json::{Value, json};

use crate::End;
use crate::args::{Classes, Common, OPENING, id_of, named};
use crate::commands::all_sizes::{stopped, write_certificate};
use crate::output::{Out, place, tell};
use crate::watch::{end_search, is_interrupted, stop_after};

pub(crate) fn run(common: &Common, wanted: &Classes, out: &mut Out) -> anyhow::Result<End> {
    let begun = std::time::Instant::now();
    let game = wanted.game.game(common, wanted.seconds)?;
    if let Some(file) = &wanted.certificate {
        place(file)?;
    }
    let values = match (&wanted.values, game.is_impartial()) {
        (Some(values), true) => values.clone(),
        (None, false) => 0..=Outcome::ALL.len() as u32 - 1,
        (None, true) => anyhow::bail!("choose the values, as in --values 0..2"),
        (Some(_), false) => {
            anyhow::bail!("{game} has outcome classes and no values; leave out --values")
        }
    };
    anyhow::ensure!(wanted.length > 0, "--length 0 has no piles; write --length 1 or more");
    let (database, control) = common.ready(wanted.seconds.min(OPENING))?;
    stop_after(&control, wanted.seconds, "proving");
    let limit = wanted.max_pile.unwrap_or_else(|| usual_limit(wanted.length));
    let limits = Limits { database: &database, memory: common.memory, control: Some(&control) };
    let found = value_classes(game, wanted.length, values, limit, &limits);
    end_search();
    let (classes, reason) = match found {
        Err(_) if control.is_stopped() => (Vec::new(), Some(stopped().to_owned())),
        found => match found? {
            Ok(found) => {
                if let Some(file) = &wanted.certificate {
                    write_certificate(common, file, &found.certificate)?;
                }
                (found.classes, None)
            }
            Err(why) => (Vec::new(), Some(why)),
        },
    };
    if out.is_json() {
        let object = |class: &grundy::sizes::ValueClass| {
            let number = |of: fn(&grundy::sizes::Found) -> i128| {
                class.found.as_ref().map(|found| of(found) as u64)
            };
            let value = class.value.parse::<u32>().map_or(json!(class.value), Value::from);
            json!({
                "value": value,
                "formula": class.formula,
                "latex": class.latex,
                "counts": class.counts.as_ref().map(|counts| json!({
                    "from": counts.from as u64,
                    "polynomials": counts.polynomials.iter().map(ToString::to_string).collect::<Vec<_>>(),
                })),
                "cap": number(|found| found.cap),
                "modulus": number(|found| found.modulus),
                "box": number(|found| found.most),
                "proved": class.found.is_some(),
            })
        };
        out.object(&json!({
            "game": id_of(game),
            "length": wanted.length,
            "values": classes.iter().map(object).collect::<Vec<_>>(),
            "reason": reason,
        }))?;
    } else {
        for class in &classes {
            match wanted.latex {
                true => out.line(format!("${}$", class.latex))?,
                false => out.line(format!("{} <-> {}", class.name, class.formula))?,
            }
            out.line(match class.found {
                Some(found) => format!(
                    "    proved: cap {}, modulus {}, box {}",
                    found.cap, found.modulus, found.most
                ),
                None => "    not proved".to_owned(),
            })?;
            if let Some(counts) = class.counts.as_ref().filter(|_| wanted.counts) {
                out.line(format!("    positions with piles up to n, for n >= {}:", counts.from))?;
                let period = counts.polynomials.len();
                for (rest, polynomial) in counts.polynomials.iter().enumerate() {
                    out.line(match period {
                        1 => format!("        {polynomial}"),
                        _ => format!("        {polynomial} if n % {period} == {rest}"),
                    })?;
                }
            }
        }
        if reason.is_none() {
            let time = Seconds(begun.elapsed().as_secs_f64());
            out.line(format!("{}: length {}; in {time}", named(game), wanted.length))?;
        }
    }
    if let Some(why) = &reason {
        tell(format_args!("grundy: undecided: {why}"));
    }
    let is_proved = reason.is_none() && classes.iter().all(|class| class.found.is_some());
    Ok(match is_proved {
        true => End::Fine,
        false if is_interrupted() => End::Interrupted,
        false => End::BadInput,
    })
}
