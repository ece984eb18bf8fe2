//! Your own statements, checked on every position up to a size.

use std::fmt;

use grundy_rules::{Game, Pile, Position};

use crate::clock::Stopwatch;
use crate::walk::{WalkOptions, shifted, with_walk_options};
use crate::{Block, Error, Least, Lengths, Level, Merge, PositionView};

/// A claim about each position of a game: a predicate on the position and its value.
///
/// ```
/// use grundy::{Statement, games};
///
/// // Cairns and Ho 2011: three piles in End-Nim are P iff they are a, b, a with b other than a.
/// let three = Statement::new(games::END_NIM, |at| {
///     let &[a, b, c] = at.piles else { return true };
///     (at.value == 0) == (a == c && a != b)
/// });
/// let verdict = three.check(3..=3, 40)?;
/// assert_eq!((verdict.checked, verdict.failures), (64_000, 0));
/// # Ok::<(), grundy::Error>(())
/// ```
///
/// Every position is checked: each row and its reversal, with every last move or set of moves if
/// the game remembers these. The predicate need not be symmetric. All threads call it at the same
/// time, some hundred million times per second.
pub struct Statement<'a, P> {
    game: Game,
    holds: P,
    options: WalkOptions<'a>,
}

impl<'a, P: Fn(&PositionView<'_>) -> bool + Sync> Statement<'a, P> {
    with_walk_options!('a);

    /// Returns the statement that `holds` is true for every position of a game.
    pub fn new(game: Game, holds: P) -> Statement<'a, P> {
        Statement { game, holds, options: WalkOptions::default() }
    }

    /// True if the statement holds for this position.
    pub fn holds(&self, position: &Position, value: u32) -> bool {
        let (game, piles, memory) = (self.game, position.piles(), position.memory());
        (self.holds)(&PositionView { game, piles, memory, value })
    }

    /// Checks all positions of these lengths (≥ 1) with piles of at most `max_pile` coins.
    ///
    /// # Errors
    /// The errors of [`Level::sweep`], except that a stopped check returns an incomplete verdict.
    pub fn check(&self, lengths: Lengths, max_pile: Pile) -> Result<Verdict, Error> {
        let start = Stopwatch::start();
        // Create all levels first, so that an invalid size is found before any work.
        let levels =
            lengths.map(|length| Ok(Level::new(self.game, length, max_pile)?.with(self.options)));
        let levels = levels.collect::<Result<Vec<_>, Error>>()?;
        let total = levels.iter().map(Level::values).fold(0, u64::saturating_add);
        let mut verdict = Verdict { complete: true, ..Verdict::default() };
        let mut before = 0;
        for level in levels {
            let shifted = shifted(self.options.hook, before, total);
            let swept = level.clone().watched(&shifted).fold(
                Verdict::default,
                |found, block| self.take(found, block),
                Verdict::with,
            )?;
            verdict = verdict.with(swept.acc);
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
}

impl<P> fmt::Debug for Statement<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Statement").field("game", &self.game).finish_non_exhaustive()
    }
}

/// The result of checking a [`Statement`].
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// The number of positions checked.
    pub checked: u64,
    /// The number of counterexamples.
    pub failures: u64,
    /// The least counterexample (fewest coins, then lexicographic order), with its value.
    pub least: Least,
    /// True if all positions were checked; false if the check was stopped.
    pub complete: bool,
    /// Wall time in seconds.
    pub seconds: f64,
}

impl Verdict {
    fn with(mut self, other: Verdict) -> Verdict {
        self.checked += other.checked;
        self.failures += other.failures;
        self.least.merge(other.least);
        self
    }

    /// True if the check is complete and found no counterexample.
    pub fn holds(&self) -> bool {
        self.failures == 0 && self.complete
    }
}

impl fmt::Display for Verdict {
    /// Writes one line without the time, so the line is the same on every run.
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
