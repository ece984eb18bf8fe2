//! The table printed in section 2 of Albert and Nowakowski.
//!
//! The available text of the paper has lost spaces, in different places in each row. Only the
//! sequence of digits is certain. So each row is compared as a sequence of digits: the row's
//! number, then sixteen values.

use grundy_rules::{Pile, Table, games};
use grundy_sweep::AnyLadder;

use crate::job::{Examination, Job};
use crate::stored::Halt;

/// The rows a = 1 to 16 of the table of a,4,b. Each row begins with the number a, as in the text.
const PRINTED: &str = include_str!("printed_table.txt");

const MIDDLE: u32 = 4;

/// Counts each row of sixteen values as one comparison.
pub(crate) fn compare(job: &Job<'_>) -> Examination {
    Examination::by(|tally| {
        let side = PRINTED.lines().count() as u32;
        let rows = rows(job, side)?;
        for ((a, printed), row) in (1u32..).zip(PRINTED.lines()).zip(rows) {
            let digits: String = row.iter().map(u32::to_string).collect();
            let printed: String = printed.split(' ').collect();
            tally.checked += 1;
            if printed != format!("{a}{digits}") {
                tally.fail(games::END_NIM, &[a, MIDDLE], None, || {
                    format!(
                        "the row's digits are {digits}, but {printed} is printed, with the row's number first"
                    )
                });
            }
        }
        Ok(())
    })
}

/// Returns the values of the positions a,4,b for a, b = 1 to `side`, row by row.
fn rows(job: &Job<'_>, side: Pile) -> Result<Vec<Vec<u32>>, Halt> {
    let Ok(table) = Table::new(games::END_NIM, side, 3) else {
        unreachable!("three piles of {side} have a table")
    };
    let mut rows = Vec::new();
    if let Some(held) = job.holder(&table) {
        // The tiles of three piles are in the order of their middle piles.
        let tile = held.tile_cells() as u64 * u64::from(MIDDLE - 1);
        job.read(&held, |first, values| {
            if let Some(values) = tile.checked_sub(first).and_then(|at| values.get(at as usize..)) {
                let here = values.chunks_exact(held.tile_cols()).take(side as usize);
                rows.extend(here.map(|row| row[..side as usize].to_vec()));
            }
            Ok(rows.is_empty())
        })?;
    } else {
        job.stored.computed();
        let ladder = AnyLadder::new(&table, 3, job.isa, job.control)?;
        let value = |a, b| ladder.value(&[a, MIDDLE, b]).unwrap_or_default();
        rows.extend((1..=side).map(|a| (1..=side).map(|b| value(a, b)).collect()));
    }
    Ok(rows)
}
