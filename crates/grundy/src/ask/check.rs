//! Checks a statement on every position of a range. Saves a checkpoint after each stretch of work.

use std::io;

use grundy_rules::Pile;
use grundy_sweep::{Control, Covered, Work as _, next_stretch};

use super::question::{Ask, AskError, CheckReport, Lengths};
use super::share::{Checkpoint, Cut, Levels};
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
