//! Statements of one's own, checked on every position up to a size.

use std::fmt;
use std::ops::RangeInclusive;

use grundy_rules::{Game, Pile, Position};
use grundy_sweep::{Control, MemoryLimit};

use crate::clock::Stopwatch;
use crate::{Block, Database, Error, Hook, Least, Level, Merge, PositionView, Progress};

/// A claim about each position of a game: a predicate on the position and its value.
///
/// ```
/// use grundy::{Statement, games};
///
/// // Cairns and Ho 2011: of three piles in End-Nim, a, b, a with b other than a are P.
/// let three = Statement::new(games::END_NIM, |at| {
///     let &[a, b, c] = at.piles else { return true };
///     (at.value == 0) == (a == c && a != b)
/// });
/// let verdict = three.check(3..=3, 40)?;
/// assert_eq!((verdict.checked, verdict.failures), (64_000, 0));
///
/// // Is it never more than the larger end? No: the least counterexample is 1,2.
/// let bound = Statement::new(games::END_NIM, |at| {
///     at.value <= at.piles[0].max(at.piles[at.piles.len() - 1])
/// });
/// let verdict = bound.check(1..=4, 10)?;
/// let (position, value) = verdict.least.found().expect("it fails");
/// assert_eq!((position.to_string(), value), ("1,2".to_owned(), 3));
/// # Ok::<(), grundy::Error>(())
/// ```
///
/// Every position is looked at, both readings of a row, with every last move or set of moves
/// where the game remembers it; the predicate need not be symmetric. It is called from all
/// threads at once, some hundred million times a second.
pub struct Statement<'a, P> {
    game: Game,
    holds: P,
    database: Option<&'a Database>,
    memory: Option<MemoryLimit>,
    control: Option<&'a Control>,
    hook: Option<Hook<'a>>,
}

impl<'a, P: Fn(&PositionView<'_>) -> bool + Sync> Statement<'a, P> {
    /// The statement that `holds` is true of every position of a game.
    pub fn new(game: Game, holds: P) -> Statement<'a, P> {
        Statement { game, holds, database: None, memory: None, control: None, hook: None }
    }

    /// Takes the values from a database where it has them.
    pub fn database(self, database: &'a Database) -> Statement<'a, P> {
        Statement { database: Some(database), ..self }
    }

    /// Stays within so many bytes of memory, 4 GiB if nothing is said.
    pub fn memory(self, limit: impl Into<MemoryLimit>) -> Statement<'a, P> {
        Statement { memory: Some(limit.into()), ..self }
    }

    /// Counts values on a control, by which others can watch and stop the check.
    pub fn control(self, control: &'a Control) -> Statement<'a, P> {
        Statement { control: Some(control), ..self }
    }

    /// Tells a hook how far the check is; it ends when the hook says `false`, and has a verdict
    /// on what was seen.
    pub fn watched(self, hook: Hook<'a>) -> Statement<'a, P> {
        Statement { hook: Some(hook), ..self }
    }

    /// Whether it holds for one position.
    pub fn holds(&self, position: &Position, value: u32) -> bool {
        let (game, piles, memory) = (self.game, position.piles(), position.memory());
        (self.holds)(&PositionView { game, piles, memory, value })
    }

    /// Checks all positions of these lengths with piles of at most `max_pile` coins. Lengths
    /// begin at 1.
    ///
    /// # Errors
    /// As [`Level::sweep`]; being stopped is no error, but a verdict that is not complete.
    pub fn check(&self, lengths: RangeInclusive<usize>, max_pile: Pile) -> Result<Verdict, Error> {
        let start = Stopwatch::start();
        // All of them first: a size that cannot be is known before anything is walked.
        let levels = lengths.map(|length| self.level(length, max_pile));
        let levels = levels.collect::<Result<Vec<_>, _>>()?;
        let total = levels.iter().map(Level::values).fold(0, u64::saturating_add);
        let mut verdict = Verdict { complete: true, ..Verdict::default() };
        let mut before = 0;
        for level in levels {
            let shifted = |progress: Progress| match self.hook {
                Some(hook) => hook(Progress { done: before + progress.done, total }),
                None => true,
            };
            let swept = level.clone().watched(&shifted).fold(
                Verdict::default,
                |found, block| self.take(found, block),
                |mut left, right| {
                    left.checked += right.checked;
                    left.failures += right.failures;
                    left.least.merge(right.least);
                    left
                },
            )?;
            verdict.checked += swept.acc.checked;
            verdict.failures += swept.acc.failures;
            verdict.least.merge(swept.acc.least);
            before += level.values();
            if !swept.complete {
                verdict.complete = false;
                break;
            }
        }
        verdict.seconds = start.elapsed().as_secs_f64();
        Ok(verdict)
    }

    fn take(&self, found: &mut Verdict, block: &Block<'_>) {
        let mut failures = 0;
        block.each_position(|seen| {
            if !(self.holds)(seen) {
                failures += 1;
                found.least.take(seen);
            }
        });
        found.checked += block.positions();
        found.failures += failures;
    }

    fn level(&self, length: usize, max_pile: Pile) -> Result<Level<'a>, Error> {
        let mut level: Level<'a> = Level::new(self.game, length, max_pile)?;
        if let Some(database) = self.database {
            level = level.database(database);
        }
        if let Some(limit) = self.memory {
            level = level.memory(limit);
        }
        if let Some(control) = self.control {
            level = level.control(control);
        }
        Ok(level)
    }
}

impl<P> fmt::Debug for Statement<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Statement").field("game", &self.game).finish_non_exhaustive()
    }
}

/// What came of checking a [`Statement`].
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Positions looked at.
    pub checked: u64,
    /// How many of them are counterexamples.
    pub failures: u64,
    /// The counterexample of fewest coins, among those the lexicographically least, with its
    /// value.
    pub least: Least,
    /// Whether all positions were looked at, or it was stopped.
    pub complete: bool,
    /// Wall time.
    pub seconds: f64,
}

impl Verdict {
    /// Whether it holds for all positions: there is no counterexample, and none was left out.
    pub fn holds(&self) -> bool {
        self.failures == 0 && self.complete
    }
}

impl fmt::Display for Verdict {
    /// One line, without the time: the same on every run.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verdict { checked, failures, complete, .. } = self;
        match self.least.found() {
            Some((position, value)) => write!(
                f,
                "fails for {failures} of {checked} positions; least counterexample {position} \
                 of value {value}"
            )?,
            None => write!(f, "holds for {checked} positions")?,
        }
        if *complete { Ok(()) } else { f.write_str("; stopped before the end") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::Memory;
    use grundy_rules::games::END_NIM;

    #[test]
    fn what_is_said_is_kept() {
        let (database, control) = (Database::empty(), Control::new());
        let hook = |_: Progress| true;
        let plain = Statement::new(END_NIM, |at| at.value == at.coins() as u32);
        let level = plain.level(2, 9).unwrap();
        assert!(level.from().is_none() && level.check_memory(4 << 30).is_ok());
        assert!(format!("{plain:?}").contains("game"), "{plain:?}");
        let said = plain.database(&database).memory(12).control(&control).watched(&hook);
        let level = said.level(2, 9).unwrap();
        assert!(std::ptr::eq(level.from().unwrap(), &database));
        assert!(level.check_memory(12).is_ok() && level.check_memory(13).is_err());
        let idle = Control::new();
        assert!(std::ptr::eq(level.lookout(&idle).control, &control) && said.hook.is_some());
        assert!(said.holds(&Position::row(&[2, 3]), 5) && !said.holds(&Position::row(&[2, 3]), 4));
    }

    #[test]
    fn a_verdict_says_what_was_seen() {
        let least = {
            let mut least = Least::default();
            least.take(&PositionView {
                game: END_NIM,
                piles: &[2, 3],
                memory: &Memory::Nothing,
                value: 1,
            });
            least
        };
        let whole = Verdict { checked: 9, complete: true, ..Verdict::default() };
        assert!(whole.holds() && whole.to_string() == "holds for 9 positions");
        let part = Verdict { complete: false, ..whole.clone() };
        assert!(!part.holds());
        assert_eq!(part.to_string(), "holds for 9 positions; stopped before the end");
        let failed = Verdict { failures: 4, least, ..whole };
        assert!(!failed.holds());
        let said = "fails for 4 of 9 positions; least counterexample 2,3 of value 1";
        assert_eq!(failed.to_string(), said);
        let part = Verdict { complete: false, ..failed };
        assert_eq!(part.to_string(), format!("{said}; stopped before the end"));
    }

    /// By hand: of 9 and 81 positions those fail whose ends are equal, all of one pile and 9 of two.
    #[test]
    fn levels_are_added() {
        let statement = Statement::new(END_NIM, |at| at.piles[0] != at.piles[at.piles.len() - 1]);
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| statement.check(1..=2, 9)).unwrap();
            assert_eq!((found.checked, found.failures, found.complete), (90, 18, true));
            assert_eq!(found.least.found().unwrap().0.to_string(), "1");
            assert!(found.seconds > 0.0);
        }
        // A walk that is stopped is over, whatever comes next.
        let control = Control::new();
        let stops = Statement::new(END_NIM, |at| {
            control.stop();
            at.value < 99
        });
        let found = stops.control(&control).check(5..=6, 4).unwrap();
        assert!(!found.complete && found.checked > 0 && found.checked <= 1024, "{found}");
    }
}
