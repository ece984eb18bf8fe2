//! Derives values of short global nim again.
//!
//! Deriving a row of one pile by definition visits every smaller pile. So only one row of each run
//! is derived by definition, from the stored rows before it, if these rows fit into memory. In
//! addition, [`Recount`] derives the first rows, or on request all rows, as far as memory allows.
//! It uses the method of the kernel, but shares no code with it.

use grundy_rules::{Game, Multisets, Pile, Position};
use grundy_sweep::records::RecordRows;

use super::recount::{BYTES_PER_ROW, Recount};
use super::rows;
use crate::answer::Reply;
use crate::check::{Checker, Checking, Derived, Options, TileRun, derived, wrong_at};
use crate::multisets::multisets;
use crate::tables::Stored;

/// The number of rows that are derived in order, from the first row on, if the check is not full.
const FIRST_ROWS: u64 = 30_000;

/// The number of rows between two checks of the control.
const LOOK_EVERY: u64 = 1 << 14;

/// The approximate bytes of a stored row in memory: g(n) and 17 exceptions.
const STORED_BYTES_PER_ROW: u64 = 80;

pub(super) struct RecordChecker<'a> {
    of: Checking<'a>,
    recount: Recount,
    /// The number of rows that can be derived in order within the memory.
    derivable: u64,
    /// The stored rows, from which single rows are derived by definition. The rows are read at the
    /// first use, unless they exceed the memory.
    rows: Option<RecordRows>,
    can_read: bool,
}

impl RecordChecker<'_> {
    pub(super) fn new(of: Checking<'_>) -> RecordChecker<'_> {
        let (last, memory) = (of.stored.table().max_pile(), of.memory);
        RecordChecker {
            of,
            recount: Recount::new(last),
            derivable: memory.share(2).bytes() / BYTES_PER_ROW,
            rows: None,
            can_read: u64::from(last) * STORED_BYTES_PER_ROW <= memory.share(2).bytes(),
        }
    }

    /// Returns the stored rows, up to the first invalid one.
    fn rows(&mut self) -> Reply<&RecordRows> {
        Ok(match &mut self.rows {
            Some(rows) => rows,
            none => none.insert(rows::read(self.of.stored)?),
        })
    }
}

impl Checker for RecordChecker<'_> {
    fn check(&mut self, run: TileRun<'_>) -> Reply<Derived> {
        let TileRun { first, cells, full } = run;
        let table = self.of.stored.table();
        let columns = table.tile_cols();
        let count = (cells.len() / columns) as u64;
        let wanted = if full { u64::MAX } else { FIRST_ROWS };
        let mut result = Derived::default();
        // Compares a record with the derived row, and counts the values if `counts` is set.
        let check = |result: &mut Derived, row: u64, derived: (u32, Vec<Pile>), counts: bool| {
            let (g, exceptions) = derived;
            let start = (row - first) as usize * columns;
            let mut expected = vec![g];
            if columns > 1 {
                expected.push(exceptions.len() as u32);
                expected.extend(exceptions);
            }
            expected.resize(columns.max(expected.len()), 0);
            let record = &cells[start..start + columns];
            let differs = record.iter().zip(&expected).position(|(found, right)| found != right);
            result.values += if counts { columns as u64 } else { 0 };
            // If the derived row has more exceptions than a record can hold, the record is wrong.
            let at = differs.or((expected.len() > columns).then_some(0));
            result.wrong = at.map(|at| wrong_at(table, run, start + at));
            result.wrong.is_none()
        };
        let in_order = (first + count).min(wanted).min(self.derivable);
        for row in first..in_order.max(first) {
            while u64::from(self.recount.row()) < row {
                self.recount.next();
                if u64::from(self.recount.row()) % LOOK_EVERY == 0 && self.of.control.is_stopped() {
                    return Ok(result);
                }
            }
            // The row with the number `row` is for the pile `row + 1`.
            let derived = self.recount.next();
            if !check(&mut result, row, derived, true) {
                return Ok(result);
            }
        }
        // Choose a pseudorandom place in each run.
        let number = first / count.max(1);
        let chosen = first + number.wrapping_mul(0x9E37_79B9_7F4A_7C15) % count.max(1);
        if columns > 1 && self.can_read {
            let rows = self.rows()?;
            let damaged = rows.count();
            // After an invalid record, no row can be derived.
            if (first..first + count).contains(&damaged) {
                result.wrong = Some(wrong_at(table, run, (damaged - first) as usize * columns));
                return Ok(result);
            }
            if chosen < damaged {
                let expected = row_by_definition(rows, chosen as Pile + 1);
                let is_counted = (first..in_order).contains(&chosen);
                if !check(&mut result, chosen, expected, !is_counted) {
                    return Ok(result);
                }
            }
        }
        if full {
            let left_out = (first + count).saturating_sub(in_order.max(first));
            result.left_out = left_out * columns as u64;
        }
        Ok(result)
    }
}

/// Derives row n by definition, from the rows before it. Returns g(n), and the remaining piles m =
/// n - k of the exceptional last moves k. Visits every option m, with last move n - m.
pub(super) fn row_by_definition(rows: &RecordRows, n: Pile) -> (u32, Vec<Pile>) {
    // The number of options with each value, and the last of these options.
    let mut seen: Vec<(u32, Pile)> = Vec::new();
    for m in 0..n {
        let k = n - m;
        // Find *(m, k): take k coins while k is exceptional.
        let mut pile = m;
        while pile >= k && rows.exceptions(pile).binary_search(&(pile - k)).is_ok() {
            pile -= k;
        }
        let value = rows.g(pile) as usize;
        if seen.len() <= value {
            seen.resize(value + 1, (0, 0));
        }
        seen[value] = (seen[value].0 + 1, m);
    }
    let g = seen.iter().position(|&(count, _)| count == 0).unwrap_or(seen.len());
    let once = seen[..g].iter().filter(|(count, _)| *count == 1);
    let mut exceptions: Vec<Pile> = once.map(|&(_, m)| m).collect();
    exceptions.sort_unstable();
    (g as u32, exceptions)
}

pub(super) struct LastMoveChecker<'a>(Options<'a, Multisets>);

impl LastMoveChecker<'_> {
    pub(super) fn new(of: Checking<'_>) -> LastMoveChecker<'_> {
        LastMoveChecker(Options::new(of, |found| found.tile_cols() > 1, multisets))
    }
}

impl Checker for LastMoveChecker<'_> {
    fn check(&mut self, run: TileRun<'_>) -> Reply<Derived> {
        let LastMoveChecker(options) = self;
        let table = options.stored.table();
        let columns = table.tile_cols();
        let mut piles = vec![0; table.length()];
        let mut record = Vec::new();
        for (at, row) in run.cells.chunks_exact(columns).enumerate() {
            options.numbering.unrank(run.first + at as u64, &mut piles);
            let value_of = |piles: &[Pile], k: Pile| {
                let column = if piles.last().is_some_and(|&largest| k <= largest) { k } else { 0 };
                options.value(
                    piles,
                    |multisets, table| {
                        multisets.rank(piles) * table.tile_cols() as u64 + u64::from(column)
                    },
                    |found| value_of_record(found, piles[0], k, &mut record),
                    || Position::after(piles.to_vec(), k),
                )
            };
            let wrong = first_wrong_last_move(table.game(), &piles, row, value_of)?;
            if let Some(k) = wrong {
                return Ok(derived(table, run, Some(at * columns + k)));
            }
        }
        Ok(derived(table, run, None))
    }
}

/// Returns *(n, k) from a table of records. If k is exceptional, the value is *(n - k, k).
fn value_of_record(stored: &dyn Stored, pile: Pile, k: Pile, record: &mut Vec<u32>) -> Reply<u32> {
    let columns = stored.table().tile_cols();
    let mut pile = pile;
    while pile > 0 {
        stored.cells(u64::from(pile - 1) * columns as u64, 1, columns, record)?;
        let exceptional = k > 0
            && pile >= k
            && record[2..].iter().take(record[1] as usize).any(|&m| m == pile - k);
        if !exceptional {
            return Ok(record[0]);
        }
        pile -= k;
    }
    Ok(0)
}

/// Compares the values *(p, k), k = 0, 1, ..., of a multiset p with the values of the options.
/// Returns the first k with a wrong value. `value_of` returns the value for ascending piles and a
/// last move. All options are counted by value once; for each k, the options that take k coins are
/// subtracted.
fn first_wrong_last_move<E>(
    game: Game,
    piles: &[Pile],
    row: &[u32],
    mut value_of: impl FnMut(&[Pile], Pile) -> Result<u32, E>,
) -> Result<Option<usize>, E> {
    let options = game
        .moves(&Position::after(piles.to_vec(), 0))
        .into_iter()
        .map(|m| Ok((m.from - m.to, value_of(m.option.piles(), m.option.last_move())?)))
        .collect::<Result<Vec<(Pile, u32)>, E>>()?;
    let mut options = options;
    options.sort_unstable();
    // The number of options with each value. Larger values do not affect the mex.
    let mut count = vec![0u32; options.len() + 1];
    for &(_, found) in &options {
        if let Some(count) = count.get_mut(found as usize) {
            *count += 1;
        }
    }
    let all = count.iter().position(|&count| count == 0).unwrap_or(count.len());
    let mut rest = &options[..];
    for (k, &value) in (0..).zip(row) {
        // Subtract the options that take k coins.
        let without = rest.iter().take_while(|(taken, _)| *taken == k).count();
        let (without, others) = rest.split_at(without);
        rest = others;
        let mut mex = all;
        for &(_, found) in without {
            if let Some(count) = count.get_mut(found as usize) {
                *count -= 1;
                if *count == 0 {
                    mex = mex.min(found as usize);
                }
            }
        }
        for &(_, found) in without {
            if let Some(count) = count.get_mut(found as usize) {
                *count += 1;
            }
        }
        if mex != value as usize {
            return Ok(Some(k as usize));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use grundy_rules::games::SHORT_GLOBAL_NIM;
    use grundy_rules::reference::Reference;

    use super::*;

    /// g(n) is the value without a last move. Every k that gives a different value is exceptional.
    #[test]
    fn rows_by_definition_are_those_of_the_reference() {
        let (mut reference, mut rows) = (Reference::new(SHORT_GLOBAL_NIM), RecordRows::default());
        for n in 1..=60 {
            let (g, exceptions) = row_by_definition(&rows, n);
            for k in 0..=n {
                let value = reference.value(&Position::after(vec![n], k));
                let is_exception = k > 0 && exceptions.contains(&(n - k));
                assert_eq!(is_exception, value != g, "*({n},{k})");
            }
            rows.push(g, exceptions);
        }
    }
}
