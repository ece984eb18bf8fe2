use std::io;

use anyhow::bail;
use grundy::papers::{Conclusion, Origin};
use grundy::{CheckSummary, Checkpoint, Control, Domain, Pile, Question, Seconds, usual_range};
use serde_json::{Value, json};

use crate::args::{
    Check, Common, Lengths, MOST_PILES, OPENING, Sizes, convention_of, id_of, named,
};
use crate::output::{Out, rate};
use crate::watch::with_progress;
use crate::{End, checkpoint};

pub(crate) fn range(question: &Question, sizes: &Sizes) -> anyhow::Result<(Lengths, Pile)> {
    if let Some(to) = sizes.to {
        if sizes.length.as_ref().is_some_and(|length| *length != (1..=1)) {
            bail!("--to {to} is about single piles; for more piles write --max-pile {to}");
        }
        return Ok((1..=1, to));
    }
    let game = question.game();
    let given = game.given_size(sizes.max_pile, sizes.max_total)?;
    let is_all = sizes.length.as_ref().is_some_and(|lengths| *lengths == (1..=MOST_PILES));
    if is_all && game.is_within_total() && game.order().least_pile() > 0 {
        // With n coins there are at most n piles.
        let most = given.unwrap_or_else(|| usual_range(question, Some(1..=1)).1);
        return Ok((1..=(most as usize).max(1), most));
    }
    let (lengths, usual) = usual_range(question, sizes.length.clone());
    Ok((lengths, given.unwrap_or(usual)))
}

pub(crate) fn in_words(summary: &CheckSummary) -> String {
    let CheckSummary { lengths: [first, last], max_pile, game, positions, sets, .. } = *summary;
    let domain = Domain::of(positions, sets).unwrap_or_default();
    let size = game.measure();
    match first == last {
        true => format!("{}: {size} <= {max_pile}, length {first}{domain}", named(game)),
        false => {
            format!("{}: {size} <= {max_pile}, lengths {first} to {last}{domain}", named(game))
        }
    }
}

pub(crate) fn run(common: &Common, wanted: &Check, out: &mut Out) -> anyhow::Result<End> {
    let seconds = wanted.within.seconds.min(OPENING);
    let game = wanted.game.game(common, seconds)?;
    let question = common.question(game, &wanted.statement, &wanted.with.files, seconds)?;
    let (lengths, max_pile) = range(&question, &wanted.sizes)?;
    let (database, control) = common.ready(seconds)?;
    let ask = common.ask(&question, &database, &control).seconds(wanted.within.seconds);
    let ask = ask.show(wanted.show.max(1)).domain(wanted.sizes.which.domain()?);
    let (positions, _) = ask.estimate(lengths.clone(), max_pile)?;
    let file = wanted.checkpoint.as_deref();
    let mut checkpoint = checkpoint::read(file)?;
    let save = |checkpoint: &Checkpoint| checkpoint::keep(file, checkpoint);
    let checked = with_progress(&control, positions, || {
        ask.check_from(lengths.clone(), max_pile, &mut checkpoint, save)
    })?;
    let summary = ask.summary(checked, &lengths, max_pile, usize::MAX);
    let end = tell(&summary, wanted.show, &control, out)?;
    if control.is_stopped() {
        checkpoint::tell_kept(file, &checkpoint);
    }
    Ok(end)
}

pub(crate) fn tell(
    summary: &CheckSummary,
    show: usize,
    control: &Control,
    out: &mut Out,
) -> anyhow::Result<End> {
    let CheckSummary { complete, verdict, .. } = *summary;
    if out.is_json() {
        out.object(&line(summary, &summary.statement))?;
    } else {
        print(summary, show, out)?;
    }
    Ok(match verdict {
        Conclusion::Fails => End::Mismatch,
        _ if control.is_stopped() || !complete => End::Interrupted,
        _ => End::Fine,
    })
}

/// Returns the summary of a check as JSON, with most of the fields that `diff --json` prints.
pub(crate) fn line(summary: &CheckSummary, claim: &str) -> Value {
    let (game, convention) = (id_of(summary.game), convention_of(summary.game));
    let shown = summary.counterexamples.iter().map(|found| {
        json!({
            "game": game, "convention": convention,
            "position": found.position,
            "grundy": found.value.as_u64(),
            "found": found.explanation(),
        })
    });
    let shown: Vec<Value> = shown.collect();
    json!({
        "claim": claim,
        "statement": summary.statement,
        "game": game, "convention": convention,
        "verdict": summary.verdict,
        "expected": null,
        "status": null,
        "unit": "positions",
        "checked": summary.checked,
        "premise": summary.premise,
        "failures": summary.failures,
        "undecided": 0,
        "first": shown.first(),
        "shown": shown,
        "range": in_words(summary),
        "seconds": summary.seconds,
        "rate": summary.fresh as f64 / summary.seconds.max(f64::MIN_POSITIVE),
        "complete": summary.complete,
        "source": summary.source,
    })
}

pub(crate) fn print(summary: &CheckSummary, show: usize, out: &mut Out) -> io::Result<()> {
    out.line(summary)?;
    for (number, found) in summary.counterexamples.iter().take(show).enumerate() {
        let title = if number == 0 { "least counterexample:" } else { "" };
        let line = format!("{title:<21} {}   {}", found.position, found.explanation());
        out.line(line.trim_end())?;
    }
    if !summary.complete && summary.failures > 0 {
        out.line("stopped before the end")?;
    }
    out.line(format!(
        "{}; {} in {}, {}",
        in_words(summary),
        match &summary.source {
            Origin::Mixed => "partly from tables",
            source => source.word(),
        },
        Seconds(summary.seconds),
        rate(summary.fresh as f64, summary.seconds)
    ))
}
