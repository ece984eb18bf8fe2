//! Checks a statement on every position of a range. Saves a checkpoint after each stretch of work.

use std::io;

use grundy_rules::Pile;
use grundy_sweep::{Control, Covered, Swept, Work as _, next_stretch};

use super::gathered::{Answers, ReadyAsk, ask_together};
use super::question::{Ask, AskError, CheckReport, Lengths};
use super::share::{Checkpoint, Cut, Levels};
use crate::clock::Stopwatch;
use crate::walk::shifted;
use crate::{Error, Hook, Level};

/// The approximate number of cells between two checkpoints, unless the cells take over a second.
const CELLS_OF_A_STRETCH: u64 = 1 << 32;

impl Ask<'_> {
    /// Checks the statement on all positions of these lengths (≥ 1) with piles up to `max_pile`.
    ///
    /// # Errors
    /// [`AskError`] if a level does not exist, or if the statement has no value at some position. A
    /// stopped check returns an incomplete report instead of an error.
    pub fn check(&self, lengths: Lengths, max_pile: Pile) -> Result<CheckReport, AskError> {
        self.check_from(lengths, max_pile, &mut Checkpoint::default(), |_| Ok(()))
    }

    /// Does the same as [`Ask::check`], but skips the positions that the checkpoint covers. Calls
    /// `save` with the new checkpoint after each stretch of work.
    ///
    /// # Errors
    /// The errors of [`Ask::check`], the errors of `save`, and an error if the checkpoint is for
    /// another question.
    pub fn check_from(
        &self,
        lengths: Lengths,
        max_pile: Pile,
        checkpoint: &mut Checkpoint,
        mut save: impl FnMut(&Checkpoint) -> io::Result<()>,
    ) -> Result<CheckReport, AskError> {
        let begun = Stopwatch::start();
        let idle = Control::new();
        let control = self.options.control.unwrap_or(&idle);
        // Create all levels first, so that an invalid size is found before any work.
        let levels = Levels::new(self, lengths.clone(), max_pile, Cut::of_walk)?;
        if !checkpoint.is_of(&levels) {
            return Err(AskError::OtherCheckpoint);
        }
        self.check_seconds(lengths, max_pile)?;
        let total = levels.each.iter().map(Level::values).fold(0, u64::saturating_add);
        let mut found = CheckReport { complete: true, ..CheckReport::default() };
        let mut before = 0;
        for (piece, level) in levels.each.iter().enumerate() {
            let shifted = shifted(self.options.hook, before, total);
            let watched = level.clone().watched(&shifted);
            let at = (&levels, piece);
            let went =
                self.check_level(&watched, at, control, &mut found, checkpoint, &mut save)?;
            before += level.values();
            if !went {
                found.complete = false;
                break;
            }
        }
        found.seconds = begun.elapsed().as_secs_f64();
        Ok(found)
    }

    /// Checks several questions about one game on the same positions, in one walk over each level.
    /// Returns a result for each question. If a question has no value at some position, its result is
    /// an error, and the other questions are checked to the end. The questions should have the same
    /// database, domain, memory and control.
    ///
    /// ```
    /// use grundy::{Ask, Question, games};
    ///
    /// let said = ["P -> abs(first - last) <= 1", "g <= first + last", "g == first"];
    /// let questions: Result<Vec<Question>, _> =
    ///     said.iter().map(|text| Question::parse(games::END_NIM, text)).collect();
    /// let questions = questions?;
    /// let asks: Vec<Ask<'_>> = questions.iter().map(Ask::new).collect();
    /// let found = Ask::check_together(&asks, 2..=4, 9);
    /// let failures: Vec<bool> = found.into_iter().map(|one| one.unwrap().failures > 0).collect();
    /// assert_eq!(failures, [false, false, true]);
    /// # Ok::<(), grundy::Problem>(())
    /// ```
    ///
    /// # Panics
    /// Panics if the questions are about different games.
    pub fn check_together(
        asks: &[Ask<'_>],
        lengths: Lengths,
        max_pile: Pile,
    ) -> Vec<Result<CheckReport, AskError>> {
        let Some(first) = asks.first() else { return Vec::new() };
        assert!(asks.iter().all(|ask| ask.game() == first.game()), "a walk is over one game");
        let begun = Stopwatch::start();
        let ready = |ask: &Ask<'_>| {
            Levels::new(ask, lengths.clone(), max_pile, Cut::of_walk)?;
            ask.check_seconds(lengths.clone(), max_pile)?;
            Ok(CheckReport { complete: true, ..CheckReport::default() })
        };
        let mut found: Vec<Result<CheckReport, AskError>> = asks.iter().map(ready).collect();
        let (mut before, total) = (0, first.values_of(lengths.clone(), max_pile));
        for length in lengths.clone() {
            let is_open = |at: &usize| found[*at].as_ref().is_ok_and(|report| report.complete);
            let open: Vec<usize> = (0..asks.len()).filter(is_open).collect();
            let chosen: Vec<&Ask<'_>> = open.iter().map(|&at| &asks[at]).collect();
            let shifted = shifted(first.options.hook, before, total);
            before += first.values_of(length..=length, max_pile);
            let Some((swept, is_read)) = (match level_together(&chosen, length, max_pile, &shifted)
            {
                Ok(swept) => swept,
                // An error of the level is an error of each question.
                Err(_) => {
                    return asks.iter().map(|ask| ask.check(lengths.clone(), max_pile)).collect();
                }
            }) else {
                found.iter_mut().flatten().for_each(|report| report.complete = false);
                break;
            };
            for (at, result) in open.into_iter().zip(swept.acc) {
                match (result, &mut found[at]) {
                    (Ok(gathered), Ok(report)) => {
                        report.fresh += gathered.checked;
                        report.complete = swept.complete;
                        gathered.add_to(report, is_read);
                    }
                    (Err(wrong), one) => *one = Err(AskError::Undefined(wrong)),
                    (_, Err(_)) => {}
                }
            }
        }
        let seconds = begun.elapsed().as_secs_f64();
        found.iter_mut().flatten().for_each(|report| report.seconds = seconds);
        found
    }

    fn values_of(&self, lengths: Lengths, max_pile: Pile) -> u64 {
        let values = lengths.flat_map(|length| self.level(length, max_pile)).map(|l| l.values());
        values.fold(0, u64::saturating_add)
    }

    fn check_level(
        &self,
        level: &Level<'_>,
        (levels, piece): (&Levels<'_, '_>, usize),
        control: &Control,
        found: &mut CheckReport,
        checkpoint: &mut Checkpoint,
        save: &mut dyn FnMut(&Checkpoint) -> io::Result<()>,
    ) -> Result<bool, AskError> {
        let prepared = self.prepare(level)?;
        let walk = match level.walk(control) {
            Ok(walk) => walk,
            Err(Error::Stopped) => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        let lookups = match self.lookups(&prepared, level.table().max_pile(), control) {
            Ok(lookups) => lookups,
            Err(AskError::Level(Error::Stopped)) => return Ok(false),
            Err(error) => return Err(error),
        };
        let name = level.table().to_string();
        let Covered { is_read, parts, mut done, found: known } =
            checkpoint.get(&name, walk.is_read(), walk.parts());
        let mut all = levels.begin(piece);
        levels
            .add(piece, &mut all, known)
            .map_err(|what| AskError::Checkpoint { level: name.clone(), what })?;
        control.advance(all.cells);
        let threads = rayon::current_num_threads() as u64;
        let seconds = self.seconds_to_ask(level)? / threads as f64;
        // A stretch of only a few parts would leave some threads idle at its end.
        let of = |cells, seconds| parts_of_a_stretch(cells, seconds, parts).max(2 * threads);
        let cells = level.values();
        let stretches = [of(cells.saturating_mul(32), 8.0 * seconds), of(cells, seconds)];
        let mut complete = true;
        let before = all.gathered.checked;
        while done < parts && complete {
            let next = next_stretch(done, stretches, parts);
            done = next.end;
            let swept = self.ask_parts((&walk, next), &prepared, &lookups, None, control)?;
            complete = swept.complete;
            all.gathered.merge(swept.acc);
            all.cells += swept.cells;
            // The results of an interrupted stretch are reported, but not saved.
            if complete {
                checkpoint.put(&name, Covered { is_read, parts, done, found: all.part() });
                save(checkpoint).map_err(AskError::Save)?;
            }
        }
        let gathered = all.gathered;
        found.fresh += gathered.checked - before;
        gathered.add_to(found, is_read);
        Ok(complete)
    }
}

/// Evaluates questions on a level, in one walk. Also returns true if values were read. `None` if the
/// work was stopped, or if there are no questions.
fn level_together(
    asks: &[&Ask<'_>],
    length: usize,
    max_pile: Pile,
    hook: Hook<'_>,
) -> Result<Option<(Swept<Answers>, bool)>, AskError> {
    // Stored outcomes suffice only if they suffice for every question.
    let asks_values = asks.iter().find(|ask| !ask.question.asks_outcomes());
    let Some(first) = asks_values.or(asks.first()) else { return Ok(None) };
    let idle = Control::new();
    let control = first.options.control.unwrap_or(&idle);
    let level = first.level(length, max_pile)?.watched(hook);
    let ready = || {
        let walk = level.walk(control)?;
        let prepared = asks.iter().map(|ask| ask.prepare(&level).map_err(AskError::from));
        let prepared = prepared.collect::<Result<Vec<_>, AskError>>()?;
        let lookups =
            asks.iter().zip(&prepared).map(|(ask, one)| ask.lookups(one, max_pile, control));
        let lookups = lookups.collect::<Result<Vec<_>, AskError>>()?;
        let asked = asks.iter().zip(&prepared).zip(&lookups);
        let asked: Vec<ReadyAsk<'_>> = asked
            .map(|((ask, prepared), lookups)| ReadyAsk { show: ask.show, prepared, lookups })
            .collect();
        let parts = (&walk, 0..walk.parts());
        Ok(Some((ask_together(&asked, parts, None, control)?, walk.is_read())))
    };
    match ready() {
        Err(AskError::Level(Error::Stopped)) => Ok(None),
        found => found,
    }
}

/// Returns the number of parts between two checkpoints of a walk.
fn parts_of_a_stretch(cells: u64, seconds: f64, parts: u64) -> u64 {
    let stretches = (cells / CELLS_OF_A_STRETCH).max(seconds as u64).clamp(1, parts);
    parts.div_ceil(stretches)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stretch has about 2^32 cells. The expected numbers of parts are calculated by hand.
    #[test]
    fn a_walk_is_cut_into_stretches() {
        let cells = 1 << 32;
        assert_eq!(parts_of_a_stretch(1, 1.9, 10), 10);
        assert_eq!(parts_of_a_stretch(2 * cells - 1, 0.0, 10), 10);
        assert_eq!(parts_of_a_stretch(2 * cells, 1.0, 10), 5);
        assert_eq!(parts_of_a_stretch(3 * cells, 2.0, 10), 4);
        assert_eq!(parts_of_a_stretch(100 * cells, 0.0, 10), 1);
        assert_eq!(parts_of_a_stretch(1, 5.0, 10), 2);
    }
}
