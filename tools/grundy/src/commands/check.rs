//! `grundy check`: checks your own statement.

use std::io;

use grundy::{
    Ask, CheckReport, Checkpoint, Control, Game, Number, Pile, Question, Seconds, usual_range,
};
use serde_json::{Value, json};

use crate::args::{Check, Common, Lengths, Sizes, convention_of, id_of, named};
use crate::output::{Out, grouped, rate};
use crate::watch::with_progress;
use crate::{End, checkpoint};

pub(crate) fn range(question: &Question, sizes: &Sizes) -> (Lengths, Pile) {
    if let Some(to) = sizes.to {
        return (1..=1, to);
    }
    let (lengths, max_pile) = usual_range(question, sizes.length.clone());
    (lengths, sizes.max_pile.unwrap_or(max_pile))
}

pub(crate) fn in_words(game: Game, lengths: &Lengths, max_pile: Pile) -> String {
    let (first, last) = (lengths.start(), lengths.end());
    match first == last {
        true => format!("{}: piles <= {max_pile}, length {first}", named(game)),
        false => format!("{}: piles <= {max_pile}, lengths {first} to {last}", named(game)),
    }
}

pub(crate) fn run(common: &Common, wanted: &Check, out: &mut Out) -> anyhow::Result<End> {
    let game = wanted.game.game()?;
    let question = Question::parse(game, &wanted.statement)?;
    let (lengths, max_pile) = range(&question, &wanted.sizes);
    let (database, control) = common.ready(60.0)?;
    let ask = common.ask(&question, &database, &control).seconds(wanted.seconds);
    let ask = ask.show(wanted.show.max(1));
    let (positions, _) = ask.estimate(lengths.clone(), max_pile)?;
    let file = wanted.checkpoint.as_deref();
    let mut checkpoint = checkpoint::read(file)?;
    let save = |checkpoint: &Checkpoint| checkpoint::keep(file, checkpoint);
    let checked = with_progress(&control, positions, || {
        ask.check_from(lengths.clone(), max_pile, &mut checkpoint, save)
    })?;
    let report = Report { question: &question, ask: &ask, checked: &checked };
    let end = report.tell(&lengths, max_pile, wanted.show, &control, out)?;
    if control.is_stopped() {
        checkpoint::tell_kept(file);
    }
    Ok(end)
}

pub(crate) struct Report<'a> {
    pub(crate) question: &'a Question,
    pub(crate) ask: &'a Ask<'a>,
    pub(crate) checked: &'a CheckReport,
}

impl Report<'_> {
    pub(crate) fn tell(
        &self,
        lengths: &Lengths,
        max_pile: Pile,
        show: usize,
        control: &Control,
        out: &mut Out,
    ) -> anyhow::Result<End> {
        let range = in_words(self.question.game(), lengths, max_pile);
        if out.is_json() {
            out.object(&self.json(self.question.text(), &range))?;
        } else {
            self.print(&range, show, out)?;
        }
        Ok(self.end(control))
    }

    fn end(&self, control: &Control) -> End {
        match self.checked.verdict() {
            "fails" => End::Mismatch,
            _ if control.is_stopped() || !self.checked.complete => End::Interrupted,
            _ => End::Fine,
        }
    }

    pub(crate) fn premise(&self) -> Option<u64> {
        self.question.has_premise().then_some(self.checked.premise)
    }

    pub(crate) fn parts(&self, number: usize) -> Option<String> {
        let (position, cell) = self.checked.least.get(number)?;
        let parts = self.ask.parts(position, *cell).into_iter();
        let parts: Vec<String> = parts.map(|(name, value)| format!("{name} = {value}")).collect();
        Some(parts.join(", "))
    }

    /// Returns the fields of a line of `diff --json`, and further ones of a question.
    pub(crate) fn json(&self, claim: &str, range: &str) -> Value {
        let game = self.question.game();
        let CheckReport { checked, failures, seconds, complete, fresh, least, .. } = self.checked;
        let shown: Vec<Value> = least
            .iter()
            .enumerate()
            .map(|(number, (position, cell))| {
                let value = game.is_impartial().then_some(*cell);
                json!({
                    "game": id_of(game), "convention": convention_of(game),
                    "position": position.to_string(),
                    "grundy": value,
                    "found": self.parts(number),
                })
            })
            .collect();
        json!({
            "claim": claim,
            "statement": self.question.text(),
            "game": id_of(game), "convention": convention_of(game),
            "verdict": self.checked.verdict(),
            "expected": null,
            "status": null,
            "unit": "positions",
            "checked": checked,
            "premise": self.premise(),
            "failures": failures,
            "undecided": 0,
            "first": shown.first(),
            "shown": shown,
            "range": range,
            "seconds": seconds,
            "rate": *fresh as f64 / seconds.max(f64::MIN_POSITIVE),
            "complete": complete,
            "source": self.checked.source(),
        })
    }

    fn print(&self, range: &str, show: usize, out: &mut Out) -> io::Result<()> {
        let CheckReport { checked, failures, seconds, complete, fresh, least, .. } = self.checked;
        let positions = Number(*checked, "position");
        let premise = match self.premise() {
            Some(0) if *complete && *failures == 0 => {
                "; it says nothing: none satisfies the premise".to_owned()
            }
            Some(premise) => format!("; {} satisfy the premise", grouped(premise)),
            None => String::new(),
        };
        let verdict = match self.checked.verdict() {
            "fails" => format!("fails at {} of {positions}{premise}", grouped(*failures)),
            "holds" => format!("holds at {positions}{premise}"),
            _ => format!("stopped: no counterexample among {positions} so far{premise}"),
        };
        out.line(verdict)?;
        for (number, (position, _)) in least.iter().take(show).enumerate() {
            let title = if number == 0 { "least counterexample:" } else { "" };
            let parts = self.parts(number).unwrap_or_default();
            out.line(format!("{title:<21} {position}   {parts}").trim_end())?;
        }
        if !complete && *failures > 0 {
            out.line("stopped before the end")?;
        }
        out.line(format!(
            "{range}; {} in {}, {}",
            match self.checked.source() {
                "mixed" => "partly from tables",
                source => source,
            },
            Seconds(*seconds),
            rate(*fresh as f64, *seconds)
        ))
    }
}
