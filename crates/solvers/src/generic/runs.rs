//! Fills cells by the lines of a law. The options of a [`Run`] differ only in the size of one pile,
//! so their numbers have a pattern, and no option is sorted or numbered alone.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU32, Ordering};

use grundy_rules::{Numbering, Outcome, Pile, Player, Position, Table};
use grundy_sweep::cost::price;

use super::{Levels, class_of};
use crate::lines::{Lines, Run};
use crate::order::{EXCLUDED, SAMPLED_POSITIONS};

/// The cells of the table that is being filled, and the ranks of their positions.
pub(super) type Own<'a> = (&'a [AtomicU32], &'a [u32]);

/// Returns the mex of some values, without sorting them.
fn least_missing(values: &[u32]) -> u32 {
    let mut seen = vec![0u64; values.len() / 64 + 1];
    for &value in values {
        if let Some(word) = seen.get_mut(value as usize / 64) {
            *word |= 1 << (value % 64);
        }
    }
    let full = seen.iter().take_while(|&&word| word == u64::MAX).count();
    64 * full as u32 + seen[full].trailing_ones()
}

impl Levels {
    /// Computes the value of a position from its law; `None` if [`Lines::runs`] returns `None`.
    pub(super) fn by_lines(
        &self,
        lines: &Lines,
        table: &Table,
        own: Own<'_>,
        position: &Position,
        found: &mut Vec<u32>,
    ) -> Option<u32> {
        let game = self.game;
        let (blocks, in_runs) = (game.blocks(), has_pattern(table));
        let mut option = Vec::new();
        if game.is_impartial() && blocks == 0 {
            found.clear();
            lines.runs(position.piles(), |run| match in_runs {
                true => self.read_run(table, own, run, found),
                false => lines.expand(&run, &mut option, |piles| {
                    found.push(self.read(table, own, piles)?);
                    Some(())
                }),
            })?;
            let has_values = game.outcomes_of().is_none() && game.remoteness_of().is_none();
            let is_mex = has_values && !found.is_empty();
            return Some(if is_mex { least_missing(found) } else { game.value_of(found) });
        }
        // The options after which Right, moving first, loses, and those after which Left does.
        let mut lost: [Vec<Vec<Pile>>; 2] = Default::default();
        lines.runs(position.piles(), |run| {
            let player = run.player;
            let mut note = |cell: u32, piles: &[Pile]| {
                let class = class_of(cell)?;
                let sides = [(Player::Right, Outcome::L), (Player::Left, Outcome::R)];
                for (lost, (other, loses)) in lost.iter_mut().zip(sides) {
                    let is_lost = player != other && (class == loses || class == Outcome::P);
                    if is_lost && lost.len() <= blocks && lost.iter().all(|known| known != piles) {
                        lost.push(piles.to_vec());
                    }
                }
                Some(())
            };
            if blocks > 0 || !in_runs {
                let expanded = |piles: &[Pile]| note(self.read(table, own, piles)?, piles);
                return lines.expand(&run, &mut option, expanded);
            }
            found.clear();
            self.read_run(table, own, run, found)?;
            // Without blocks, it does not matter which option loses.
            found.iter().try_for_each(|&cell| note(cell, &[]))
        })?;
        let [left, right] = lost.map(|lost| lost.len() > blocks);
        Some(Outcome::of_first_moves(left, right) as u32)
    }

    /// Reads the cell of an option.
    fn read(&self, table: &Table, (cells, ranks): Own<'_>, piles: &[Pile]) -> Option<u32> {
        let cell = |table: &Table| Some(table.number_of(table.locate_piles(piles)?) as usize);
        if table.has_length(piles.len()) {
            // Return `None`, so that the rules list the moves and report the excluded option.
            let option = Some(cell(table)?).filter(|&option| ranks[option] != EXCLUDED)?;
            return Some(cells[option].load(Ordering::Relaxed));
        }
        if piles.is_empty() {
            return Some(self.empty);
        }
        let level = self.levels.get(&piles.len())?;
        let option = cell(&level.table)?;
        if self.game.excludes() {
            level.table.position(option as u64)?;
        }
        Some(level.cells[option])
    }

    /// Does the same as [`Levels::read`] for all options of a run.
    fn read_run(
        &self,
        table: &Table,
        own: Own<'_>,
        run: Run<'_>,
        found: &mut Vec<u32>,
    ) -> Option<()> {
        let Run { piles, mut place, mut sizes, .. } = run;
        if table.least_pile() > 0 {
            let before = piles[..place].iter().filter(|&&pile| pile == 0).count();
            let gone = piles.remove(place);
            piles.retain(|&pile| pile > 0);
            place -= before;
            if *sizes.start() == 0 {
                found.push(self.read(table, own, piles)?);
                sizes = 1..=*sizes.end();
            }
            piles.insert(place, gone);
        }
        if sizes.is_empty() {
            return Some(());
        }
        let has_excluded = self.game.excludes();
        if table.has_length(piles.len()) {
            let ((cells, ranks), mut is_right) = (own, true);
            each_number(table, piles, place, sizes, |numbers| {
                let from = found.len();
                if has_excluded {
                    numbers.read(found, |at| ranks[at]);
                    is_right &= !found[from..].contains(&EXCLUDED);
                    found.truncate(from);
                }
                numbers.read(found, |at| cells[at].load(Ordering::Relaxed));
            })?;
            return is_right.then_some(());
        }
        if has_excluded {
            return sizes.into_iter().try_for_each(|size| {
                piles[place] = size;
                found.push(self.read(table, own, piles)?);
                Some(())
            });
        }
        let level = self.levels.get(&piles.len())?;
        each_number(&level.table, piles, place, sizes, |numbers| {
            numbers.read(found, |at| level.cells[at]);
        })
    }
}

/// Estimates the seconds for a cell of a table that is filled in runs; `None` for other tables.
pub(super) fn seconds_in_runs(table: &Table) -> Option<f64> {
    let game = table.game();
    let lines = Lines::new(game.law()?, table.length())?;
    if !has_pattern(table) || game.blocks() > 0 {
        return None;
    }
    let each = if lines.test_last() { price::TESTED_OPTION } else { price::RUN_OPTION };
    // Rules may exclude all positions whose numbers follow a pattern.
    let spread = |part: u64| u128::from(part.wrapping_mul(SPREAD));
    let number = |part: u64| ((spread(part) * u128::from(table.cells())) >> 64) as u64;
    let some = (1..8 * SAMPLED_POSITIONS).filter_map(|part| table.position(number(part)));
    let (mut count, mut seconds) = (0, 0.0);
    for position in some.take(SAMPLED_POSITIONS as usize) {
        count += 1;
        _ = lines.runs(position.piles(), |run| {
            let options = 1 + run.sizes.end() - run.sizes.start();
            seconds += price::RUN + each * f64::from(options);
            Some(())
        });
    }
    (count > 0).then(|| price::RUN_POSITION + seconds / f64::from(count))
}

/// A number whose multiples are spread evenly modulo 2^64: 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// True if [`each_number`] knows the pattern of the numbers of a table.
fn has_pattern(table: &Table) -> bool {
    match table.numbering() {
        Numbering::Multisets => true,
        Numbering::Words | Numbering::Places => !table.game().is_within_total(),
        _ => false,
    }
}

/// The numbers of some positions.
enum Numbers<'a> {
    /// Numbers with equal differences.
    Even { first: u64, step: u64, count: u64 },
    /// A number and one of these terms each.
    Sums(u64, &'a [u64]),
}

impl Numbers<'_> {
    /// Appends what `read` returns for each number.
    fn read(&self, found: &mut Vec<u32>, read: impl Fn(usize) -> u32) {
        match *self {
            Numbers::Even { first, step, count } => {
                found.extend((0..count).map(|at| read((first + at * step) as usize)));
            }
            Numbers::Sums(number, terms) => {
                found.extend(terms.iter().map(|term| read((number + term) as usize)));
            }
        }
    }
}

/// Calls `show` with the numbers of the positions whose pile at `place` has one of these sizes.
/// Returns `None`, before any call, if the table does not hold all these positions. Changes the
/// size at `place`, and the order of heaps.
fn each_number(
    table: &Table,
    piles: &mut Vec<Pile>,
    place: usize,
    sizes: RangeInclusive<Pile>,
    mut show: impl FnMut(Numbers<'_>),
) -> Option<()> {
    let held = table.least_pile()..=table.max_pile();
    let (mut from, to) = (*sizes.start(), *sizes.end());
    piles[place] = from;
    let all_held = held.contains(&to) && piles.iter().all(|pile| held.contains(pile));
    if !all_held || !table.has_length(piles.len()) || !has_pattern(table) {
        return None;
    }
    let Some(multisets) = table.multisets() else {
        let first = table.number_of(table.locate_piles(piles)?);
        let mut step = 0;
        if from < to {
            // The digits of the number are the sizes of the piles.
            piles[place] = from + 1;
            step = table.number_of(table.locate_piles(piles)?) - first;
        }
        show(Numbers::Even { first, step, count: u64::from(to - from) + 1 });
        return Some(());
    };
    piles.swap_remove(place);
    piles.sort_unstable();
    let terms = (1..).zip(&*piles).map(|(at, &pile)| multisets.term(at, pile));
    let mut number: u64 = terms.sum();
    // Those of the other piles that are smaller come before the pile.
    for at in 0..=piles.len() {
        let next = piles.get(at).copied();
        let until = next.map_or(to, |next| next.min(to));
        if from <= until {
            show(Numbers::Sums(number, multisets.terms(at, from..=until)));
            from = until + 1;
        }
        match next {
            Some(next) if from <= to => {
                number = number - multisets.term(at + 1, next) + multisets.term(at, next);
            }
            _ => break,
        }
    }
    Some(())
}
