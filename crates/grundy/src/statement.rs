//! Your own statements, checked on every position up to a size.

use std::fmt;

use grundy_rules::{Game, Pile, Position};

use crate::clock::Stopwatch;
use crate::walk::{WalkOptions, shifted, with_walk_options};
use crate::{Block, CheckReport, Error, Least, Lengths, Level, Merge, PositionView};

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
    /// The errors of [`Level::sweep`], except that a stopped check returns an incomplete report.
    pub fn check(&self, lengths: Lengths, max_pile: Pile) -> Result<CheckReport, Error> {
        let start = Stopwatch::start();
        // Create all levels first, so that an invalid size is found before any work.
        let levels =
            lengths.map(|length| Ok(Level::new(self.game, length, max_pile)?.with(self.options)));
        let levels = levels.collect::<Result<Vec<_>, Error>>()?;
        let total = levels.iter().map(Level::values).fold(0, u64::saturating_add);
        let mut report = CheckReport { complete: true, ..CheckReport::default() };
        let (mut found, mut before) = (Found::default(), 0);
        for level in levels {
            let shifted = shifted(self.options.hook, before, total);
            let each = |found: &mut Found, block: &Block<'_>| self.take(found, block);
            let merge = |mut left: Found, right| {
                left.merge(right);
                left
            };
            let swept = level.clone().watched(&shifted).fold(Found::default, each, merge)?;
            let is_read = level.read().is_some();
            report.read |= is_read && swept.cells > 0;
            report.computed |= !is_read && swept.cells > 0;
            found.merge(swept.acc);
            before += level.values();
            if !swept.complete {
                report.complete = false;
                break;
            }
        }
        let (checked, failures, least) = found;
        let first = least.found().map(|(position, value)| (position.clone(), value));
        (report.checked, report.fresh, report.failures) = (checked, checked, failures);
        (report.least, report.seconds) = (Vec::from_iter(first), start.elapsed().as_secs_f64());
        Ok(report)
    }

    fn take(&self, (checked, failures, least): &mut Found, block: &Block<'_>) {
        block.each_position(|seen| {
            if !(self.holds)(seen) {
                *failures += 1;
                least.take(seen);
            }
        });
        *checked += block.positions();
    }
}

/// The numbers of positions and of counterexamples, and the least counterexample.
type Found = (u64, u64, Least);

impl<P> fmt::Debug for Statement<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Statement").field("game", &self.game).finish_non_exhaustive()
    }
}
