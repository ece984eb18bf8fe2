//! Divides a check into tasks. A task computes parts of tables from the rules.

use anyhow::bail;
use grundy::{Ask, Control, Database, Domain, Isa, Parts, Piece, Pile, Question};

use crate::End;
use crate::args::{self, Common, Lengths, OPENING};
use crate::commands::check;
use crate::tasks::{Divisible, Ending, all, to_json};

/// A statement about all positions with a length in a range.
pub(super) struct Check<'a> {
    common: &'a Common,
    wanted: &'a args::Check,
    question: Question,
    lengths: Lengths,
    max_pile: Pile,
    domain: Domain,
    database: Database,
}

impl<'a> Check<'a> {
    pub(super) fn new(common: &'a Common, wanted: &'a args::Check) -> anyhow::Result<Check<'a>> {
        if wanted.checkpoint.is_some() {
            bail!("tasks write results instead; leave out --checkpoint");
        }
        if wanted.all_sizes {
            bail!("a proof for all sizes is not divided into tasks; leave out --all-sizes");
        }
        let seconds = wanted.within.seconds.min(OPENING);
        let game = wanted.game.game(common, seconds)?;
        let question = common.question(game, &wanted.statement, &wanted.with.files, seconds)?;
        let (lengths, max_pile) = check::range(&question, &wanted.sizes)?;
        let (database, domain) = (common.open_unwatched(seconds)?, wanted.sizes.which.domain()?);
        Ok(Check { common, wanted, question, lengths, max_pile, domain, database })
    }

    fn ask<'b>(&'b self, control: &'b Control) -> Ask<'b> {
        let ask = self.common.ask(&self.question, &self.database, control);
        ask.seconds(self.seconds()).show(self.wanted.show.max(1)).domain(self.domain)
    }
}

impl Divisible for Check<'_> {
    /// Returns the pieces with their estimated costs, which are the same on every node.
    fn pieces(&self) -> anyhow::Result<Vec<Piece>> {
        let ask = Ask::new(&self.question).isa(Isa::Portable).show(self.wanted.show.max(1));
        let ask = ask.domain(self.domain);
        Ok(ask.pieces(self.lengths.clone(), self.max_pile)?)
    }

    fn seconds(&self) -> f64 {
        self.wanted.within.seconds
    }

    fn run(&self, share: &[Parts], control: &Control) -> anyhow::Result<Option<String>> {
        to_json(self.ask(control).check_share(share, self.lengths.clone(), self.max_pile)?)
    }

    fn finish(&self, Ending { results, control, out }: Ending<'_>) -> anyhow::Result<End> {
        let (ask, shares) = (self.ask(control), all(results, "check")?);
        let checked = ask.merge_checked(shares, self.lengths.clone(), self.max_pile)?;
        let summary = ask.summary(checked, &self.lengths, self.max_pile, usize::MAX);
        check::tell(&summary, self.wanted.show, control, out)
    }
}
