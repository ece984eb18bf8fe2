//! Divides a check or a search into tasks. A task computes parts of tables from the rules.

use anyhow::bail;
use grundy::{Ask, Control, Database, Domain, Isa, Parts, Piece, Pile, Position, Question};

use crate::End;
use crate::args::{self, Common, Lengths, Sizes};
use crate::commands::{check, find};
use crate::tasks::{Divisible, Ending, all, each, to_json};

/// A question about all positions with a length in a range.
pub(super) struct Survey<'a> {
    common: &'a Common,
    question: Question,
    lengths: Lengths,
    max_pile: Pile,
    domain: Domain,
    seconds: f64,
    show: usize,
    database: Database,
    aim: Aim,
}

enum Aim {
    Check,
    Count,
    List { form: find::Form, first: u64 },
}

impl<'a> Survey<'a> {
    pub(super) fn check(common: &'a Common, wanted: &args::Check) -> anyhow::Result<Survey<'a>> {
        if wanted.checkpoint.is_some() {
            bail!("tasks write results instead; leave out --checkpoint");
        }
        let question = Question::parse(wanted.game.game()?, &wanted.statement)?;
        let survey =
            Survey::new(common, question, &wanted.sizes, wanted.within.seconds, Aim::Check)?;
        Ok(Survey { show: wanted.show, ..survey })
    }

    pub(super) fn find(common: &'a Common, wanted: &args::Find) -> anyhow::Result<Survey<'a>> {
        let game = wanted.game.game()?;
        let question = Question::parse(game, &wanted.predicate)?;
        let longest = *check::range(&question, &wanted.sizes).0.end();
        let form = find::Form { game, csv: wanted.csv, longest };
        let aim = match wanted.count {
            true => Aim::Count,
            false => Aim::List { form, first: wanted.first.unwrap_or(u64::MAX) },
        };
        Survey::new(common, question, &wanted.sizes, wanted.seconds, aim)
    }

    fn new(
        common: &'a Common,
        question: Question,
        sizes: &Sizes,
        seconds: f64,
        aim: Aim,
    ) -> anyhow::Result<Survey<'a>> {
        let (lengths, max_pile) = check::range(&question, sizes);
        let (database, domain) = (common.open_unwatched(60.0)?, sizes.which.domain()?);
        Ok(Survey { common, question, lengths, max_pile, domain, seconds, show: 1, database, aim })
    }

    fn ask<'b>(&'b self, control: &'b Control) -> Ask<'b> {
        let ask = self.common.ask(&self.question, &self.database, control);
        ask.seconds(self.seconds).show(self.show.max(1)).domain(self.domain)
    }

    /// Lists the positions of a share and their values, as a JSON array.
    fn list(
        &self,
        share: &[Parts],
        first: u64,
        control: &Control,
    ) -> anyhow::Result<Option<String>> {
        // The list may take only a quarter of the memory, because writing it makes copies.
        let most = self.common.memory.share(4).bytes();
        let (mut text, mut left) = ("[".to_owned(), first);
        let mut show = |position: &Position, cell: u32| -> anyhow::Result<bool> {
            if left == 0 {
                return Ok(false);
            }
            left -= 1;
            let comma = if text.len() > 1 { "," } else { "" };
            text.push_str(&format!("{comma}[\"{position}\",{cell}]"));
            if text.len() as u64 > most {
                bail!(
                    "the list is longer than a quarter of --memory; choose more --parts, or raise \
                     --memory"
                );
            }
            Ok(left > 0)
        };
        if first > 0 {
            let lengths = self.lengths.clone();
            self.ask(control).find_share(share, lengths, self.max_pile, &mut show)?;
        }
        text.push(']');
        Ok((!control.is_stopped()).then_some(text))
    }

    fn tell_list(
        &self,
        (form, first): (&find::Form, u64),
        Ending { results, control, out }: Ending<'_>,
    ) -> anyhow::Result<End> {
        form.header(out)?;
        let mut left = first;
        for result in each::<Vec<(String, u32)>>(results, "find") {
            for (position, cell) in result?.1 {
                if left == 0 || control.is_stopped() {
                    break;
                }
                left -= 1;
                let position = self.question.game().parse(&position)?;
                let is_there = self.lengths.contains(&position.length())
                    && position.piles().iter().all(|&pile| pile <= self.max_pile);
                if !is_there {
                    bail!("the result of a list task contains {position}, which is out of range");
                }
                form.line(&position, cell, out)?;
            }
        }
        if control.is_stopped() {
            return Ok(End::Interrupted);
        }
        let (positions, _) = self.ask(control).estimate(self.lengths.clone(), self.max_pile)?;
        form.end(first - left, first, positions, out)
    }
}

impl Divisible for Survey<'_> {
    /// Returns the pieces with their estimated costs, which are the same on every node.
    fn pieces(&self) -> anyhow::Result<Vec<Piece>> {
        let ask = Ask::new(&self.question).isa(Isa::Portable).show(self.show.max(1));
        let ask = ask.domain(self.domain);
        let lengths = self.lengths.clone();
        Ok(match self.aim {
            Aim::Check | Aim::Count => ask.pieces(lengths, self.max_pile)?,
            Aim::List { .. } => ask.find_pieces(lengths, self.max_pile)?,
        })
    }

    fn seconds(&self) -> f64 {
        self.seconds
    }

    fn run(&self, share: &[Parts], control: &Control) -> anyhow::Result<Option<String>> {
        match self.aim {
            Aim::List { first, .. } => self.list(share, first, control),
            Aim::Check | Aim::Count => {
                let (lengths, max_pile) = (self.lengths.clone(), self.max_pile);
                to_json(self.ask(control).check_share(share, lengths, max_pile)?)
            }
        }
    }

    fn finish(&self, ending: Ending<'_>) -> anyhow::Result<End> {
        if let Aim::List { form, first } = &self.aim {
            return self.tell_list((form, *first), ending);
        }
        let Ending { results, control, out } = ending;
        let (ask, shares) = (self.ask(control), all(results, "check")?);
        let checked = ask.merge_checked(shares, self.lengths.clone(), self.max_pile)?;
        let summary = |explained| ask.summary(checked, &self.lengths, self.max_pile, explained);
        // The output of a count shows no positions.
        match self.aim {
            Aim::Check => check::tell(&summary(usize::MAX), self.show, control, out),
            _ => find::tell_count(&summary(0), out),
        }
    }
}
