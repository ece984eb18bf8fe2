//! Checks a statement on every position of a range. Saves a checkpoint after each stretch of work.

use std::io;

use grundy_rules::Pile;
use grundy_sweep::{Control, Covered, Work as _, next_stretch};

use super::gathered::ask_parts;
use super::question::{Ask, AskError, CheckReport, Lengths};
use super::share::{Asked, CheckedLevel, Checkpoint, Levels};
use crate::clock::Stopwatch;
use crate::walk::shifted;
use crate::{Error, Level};

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
        // A statement without a value ends the check, but not the caller's job.
        let control = &self.options.control.unwrap_or(&idle).counted_part();
        // Create all levels first, so that an invalid size is found before any work.
        let levels = Levels::new(self, lengths.clone(), max_pile)?;
        if !checkpoint.is_of(&levels) {
            return Err(AskError::OtherCheckpoint);
        }
        self.check_seconds(lengths, max_pile)?;
        let mut found = CheckReport { complete: true, ..CheckReport::default() };
        for walked in levels.check(control, checkpoint, &mut save)? {
            found.complete &= walked.complete;
            found.fresh += walked.fresh;
            for gathered in walked.all.gathered {
                gathered.add_to(&mut found, walked.is_read);
            }
        }
        found.seconds = begun.elapsed().as_secs_f64();
        Ok(found)
    }

    /// Counts the positions of a level that satisfy the statement, by their largest pile. `None` if
    /// the control stops the work.
    pub(crate) fn counts_by_largest_pile(
        &self,
        length: usize,
        max_pile: Pile,
    ) -> Result<Option<Vec<u64>>, AskError> {
        let idle = Control::new();
        let control = &self.options.control.unwrap_or(&idle).counted_part();
        let levels = Levels::new(&self.clone().counted(true), length..=length, max_pile)?;
        let mut walked = levels.check(control, &mut Checkpoint::default(), &mut |_| Ok(()))?;
        let whole = walked.pop().filter(|walked| walked.complete);
        Ok(whole.and_then(|mut walked| walked.all.gathered.remove(0).counts))
    }
}

/// The results of a walk over a level.
pub(crate) struct Walked {
    pub(crate) all: CheckedLevel,
    pub(crate) is_read: bool,
    /// The number of positions that the checkpoint did not cover.
    fresh: u64,
    pub(crate) complete: bool,
}

/// Saves a checkpoint.
pub(crate) type Save<'a> = &'a mut dyn FnMut(&Checkpoint) -> io::Result<()>;

impl Walked {
    /// Returns the results of shares that cover a whole level.
    pub(crate) fn whole(all: CheckedLevel) -> Walked {
        Walked { all, is_read: false, fresh: 0, complete: true }
    }
}

impl Levels<'_> {
    /// Walks over all levels, without the parts that the checkpoint covers. A stopped walk returns
    /// the results so far; there are no results of the levels after it.
    pub(crate) fn check(
        &self,
        control: &Control,
        checkpoint: &mut Checkpoint,
        save: Save<'_>,
    ) -> Result<Vec<Walked>, AskError> {
        let total = self.each.iter().map(|asked| asked.level.values());
        let total = total.fold(0, u64::saturating_add);
        let (mut before, mut all) = (0, Vec::new());
        for (piece, Asked { level, asks }) in self.each.iter().enumerate() {
            let shifted = shifted(asks[0].options.hook, before, total);
            let watched = level.clone().watched(&shifted);
            let mut walked =
                Walked { all: self.begin(piece), is_read: false, fresh: 0, complete: false };
            self.check_level(&watched, piece, control, &mut walked, checkpoint, save)?;
            before += level.values();
            let complete = walked.complete;
            all.push(walked);
            if !complete {
                break;
            }
        }
        Ok(all)
    }

    fn check_level(
        &self,
        level: &Level<'_>,
        piece: usize,
        control: &Control,
        walked: &mut Walked,
        checkpoint: &mut Checkpoint,
        save: Save<'_>,
    ) -> Result<(), AskError> {
        let asks = &self.each[piece].asks;
        if let [ask] = &asks[..]
            && ask.is_by_value(level)
        {
            if let Some(found) = ask.check_by_value(level, control)? {
                walked.fresh = found.checked;
                walked.all.gathered[0].merge(found);
                walked.complete = true;
            }
            return Ok(());
        }
        let walk = match level.walk(control) {
            Ok(walk) => walk,
            Err(Error::Stopped) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let asked = asks.iter().map(|ask| ask.ready(level, control));
        let asked = match asked.collect::<Result<Vec<_>, _>>() {
            Ok(asked) => asked,
            Err(AskError::Level(Error::Stopped)) => return Ok(()),
            Err(error) => return Err(error),
        };
        let name = self.each[piece].name();
        let Covered { is_read, parts, mut done, found: known } =
            checkpoint.get(&name, walk.is_read(), walk.parts());
        let all = &mut walked.all;
        if done > 0 {
            self.add(piece, all, known)
                .map_err(|what| AskError::Checkpoint { level: name.clone(), what })?;
        }
        control.advance(all.cells);
        let checked = |all: &CheckedLevel| all.gathered.first().map_or(0, |found| found.checked);
        let before = checked(all);
        let threads = rayon::current_num_threads() as u64;
        let seconds = asks.iter().map(|ask| ask.seconds_to_ask(level)).sum::<Result<f64, _>>()?;
        let seconds = seconds / threads as f64;
        // A stretch of only a few parts would leave some threads idle at its end.
        let of = |cells, seconds| parts_of_a_stretch(cells, seconds, parts).max(2 * threads);
        let cells = level.values();
        let stretches = [of(cells.saturating_mul(32), 8.0 * seconds), of(cells, seconds)];
        walked.is_read = is_read;
        walked.complete = true;
        while done < parts && walked.complete {
            let begun = Stopwatch::start();
            let next = next_stretch(done, stretches, parts);
            done = next.end;
            let swept = ask_parts((&walk, next), &asked, None, control)?;
            walked.complete = swept.complete;
            for (all, found) in all.gathered.iter_mut().zip(swept.acc) {
                all.merge(found);
            }
            all.cells += swept.cells;
            all.seconds += begun.elapsed().as_secs_f64();
            // The results of an interrupted stretch are reported, but not saved.
            if walked.complete {
                checkpoint.put(&name, Covered { is_read, parts, done, found: all.part() });
                save(checkpoint).map_err(AskError::Save)?;
            }
        }
        walked.fresh = checked(all) - before;
        Ok(())
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
