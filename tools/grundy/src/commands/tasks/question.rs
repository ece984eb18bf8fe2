//! A question in shares: parts of levels are walked from the rules, or listed.

use anyhow::bail;
use grundy::{Ask, CheckedShare, Control, Database, Isa, Parts, Piece, Pile, Position, Question};

use crate::End;
use crate::args::{self, Common, Lengths, Sizes};
use crate::commands::{check, find};
use crate::output::Out;
use crate::tasks::{Divisible, Said, each};

/// What is asked, and of which positions.
struct Survey<'a> {
    common: &'a Common,
    question: Question,
    lengths: Lengths,
    max_pile: Pile,
    seconds: f64,
    show: usize,
    database: Database,
}

impl<'a> Survey<'a> {
    fn new(
        common: &'a Common,
        question: Question,
        sizes: &Sizes,
        seconds: f64,
        show: usize,
    ) -> anyhow::Result<Survey<'a>> {
        let (lengths, max_pile) = check::range(&question, sizes);
        let database = common.open_unwatched(60.0)?;
        Ok(Survey { common, question, lengths, max_pile, seconds, show, database })
    }

    fn ask<'b>(&'b self, control: &'b Control) -> Ask<'b> {
        let ask = self.common.ask(&self.question, &self.database, control);
        ask.seconds(self.seconds).show(self.show)
    }

    /// The same asked on any node: what pieces are weighed by.
    fn anywhere(&self) -> Ask<'_> {
        Ask::new(&self.question).isa(Isa::Portable).show(self.show)
    }
}

/// A check: what was gathered is merged.
pub(super) struct Check<'a> {
    asked: Survey<'a>,
    /// How many counterexamples are printed.
    show: usize,
}

impl<'a> Check<'a> {
    pub(super) fn new(common: &'a Common, wanted: &args::Check) -> anyhow::Result<Check<'a>> {
        if wanted.checkpoint.is_some() {
            bail!("results take the place of a file on the way; leave out --checkpoint");
        }
        let question = Question::parse(wanted.game.game()?, &wanted.statement)?;
        let (sizes, seconds) = (&wanted.sizes, wanted.seconds);
        let asked = Survey::new(common, question, sizes, seconds, wanted.show.max(1))?;
        Ok(Check { asked, show: wanted.show })
    }
}

fn checked_share(
    asked: &Survey<'_>,
    share: &[Parts],
    control: &Control,
) -> anyhow::Result<Option<String>> {
    let Survey { lengths, max_pile, .. } = asked;
    let covered = asked.ask(control).check_share(share, lengths.clone(), *max_pile)?;
    Ok(covered.map(|covered| serde_json::to_string(&covered)).transpose()?)
}

fn merged(
    asked: &Survey<'_>,
    results: Option<Said<'_>>,
    control: &Control,
) -> anyhow::Result<grundy::CheckReport> {
    let shares = each(results, "check").map(|result| Ok(result?.1));
    let shares: Vec<CheckedShare> = shares.collect::<anyhow::Result<_>>()?;
    Ok(asked.ask(control).merge_checked(shares, asked.lengths.clone(), asked.max_pile)?)
}

impl Divisible for Check<'_> {
    fn pieces(&self) -> anyhow::Result<Vec<Piece>> {
        let Survey { lengths, max_pile, .. } = &self.asked;
        Ok(self.asked.anywhere().pieces(lengths.clone(), *max_pile)?)
    }

    fn seconds(&self) -> f64 {
        self.asked.seconds
    }

    fn run(&self, share: &[Parts], control: &Control) -> anyhow::Result<Option<String>> {
        checked_share(&self.asked, share, control)
    }

    fn finish(
        &self,
        results: Option<Said<'_>>,
        control: &Control,
        out: &mut Out,
    ) -> anyhow::Result<End> {
        let checked = merged(&self.asked, results, control)?;
        let Survey { question, lengths, max_pile, .. } = &self.asked;
        let ask = self.asked.ask(control);
        let report = check::Report { question, ask: &ask, checked: &checked };
        report.tell(lengths, *max_pile, self.show, control, out)
    }
}

/// A list, or the number of what would be on it.
pub(super) struct Find<'a> {
    asked: Survey<'a>,
    form: find::Form,
    count: bool,
    first: u64,
}

impl<'a> Find<'a> {
    pub(super) fn new(common: &'a Common, wanted: &args::Find) -> anyhow::Result<Find<'a>> {
        let game = wanted.game.game()?;
        let question = Question::parse(game, &wanted.predicate)?;
        let asked = Survey::new(common, question, &wanted.sizes, wanted.seconds, 1)?;
        let (form, count) = (find::Form { game, csv: wanted.csv }, wanted.count);
        Ok(Find { asked, form, count, first: wanted.first.unwrap_or(u64::MAX) })
    }
}

impl Divisible for Find<'_> {
    fn pieces(&self) -> anyhow::Result<Vec<Piece>> {
        let Survey { lengths, max_pile, .. } = &self.asked;
        let ask = self.asked.anywhere();
        let pieces = match self.count {
            true => ask.pieces(lengths.clone(), *max_pile),
            false => ask.find_pieces(lengths.clone(), *max_pile),
        };
        Ok(pieces?)
    }

    fn seconds(&self) -> f64 {
        self.asked.seconds
    }

    /// A list is an array of positions and their values.
    fn run(&self, share: &[Parts], control: &Control) -> anyhow::Result<Option<String>> {
        if self.count {
            return checked_share(&self.asked, share, control);
        }
        let Survey { lengths, max_pile, common, .. } = &self.asked;
        // It is copied when it is written.
        let most = common.memory.share(4).bytes();
        let (mut text, mut left) = ("[".to_owned(), self.first);
        let mut show = |position: &Position, cell: u32| -> anyhow::Result<bool> {
            if left == 0 {
                return Ok(false);
            }
            left -= 1;
            let comma = if text.len() > 1 { "," } else { "" };
            text.push_str(&format!("{comma}[\"{position}\",{cell}]"));
            if text.len() as u64 > most {
                bail!(
                    "the list is longer than a quarter of --memory; cut it finer with --parts, or \
                     allow more"
                );
            }
            Ok(left > 0)
        };
        if self.first > 0 {
            self.asked.ask(control).find_share(share, lengths.clone(), *max_pile, &mut show)?;
        }
        if control.is_stopped() {
            return Ok(None);
        }
        text.push(']');
        Ok(Some(text))
    }

    fn finish(
        &self,
        results: Option<Said<'_>>,
        control: &Control,
        out: &mut Out,
    ) -> anyhow::Result<End> {
        let Survey { question, lengths, max_pile, .. } = &self.asked;
        if self.count {
            let checked = merged(&self.asked, results, control)?;
            return find::tell_count(question, &checked, lengths, *max_pile, out);
        }
        self.form.header(out)?;
        let mut left = self.first;
        for result in each::<Vec<(String, u32)>>(results, "find") {
            for (position, cell) in result?.1 {
                if left == 0 || control.is_stopped() {
                    break;
                }
                left -= 1;
                let position = question.game().parse(&position)?;
                let is_there = lengths.contains(&position.length())
                    && position.piles().iter().all(|pile| pile <= max_pile);
                if !is_there {
                    bail!("the result of a task of a list has {position}, which is out of range");
                }
                self.form.line(&position, cell, out)?;
            }
        }
        Ok(if control.is_stopped() { End::Interrupted } else { End::Fine })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    /// A position stands in a list as it is printed, which has to be text that JSON takes as it is.
    #[test]
    fn positions_need_no_escapes() {
        let positions = ["end-nim 3,1,4", "short-global-nim 20,20/3", "long-global-nim 8{1,3,4}"];
        for line in positions {
            let (game, position) = line.split_once(' ').expect("two words");
            let game: grundy::Game = game.parse().expect("a game");
            let position = game.parse(position).expect("a position");
            let text = Value::from(position.to_string()).to_string();
            assert_eq!(text, format!("\"{position}\""));
        }
    }
}
