//! Stored records of the single piles of short global nim.
//!
//! A record has g(n), and for each exceptional last move k the remaining pile m = n - k. For such k
//! the value *(n, k) is *(m, k) (Corollary 10 of the paper), which the record of m determines. So
//! all records that were read stay in memory, in packed form.

use grundy_kernels::records::Exception;
use grundy_rules::{Pile, Table, games};
use grundy_sweep::records::{RecordRows, exceptions_of};

use crate::job::Job;
use crate::stored::Halt;

/// Returns the stored table with the records of all piles up to a bound, if there is one.
pub(crate) fn holder(job: &Job<'_>, to: Pile) -> Option<Table> {
    job.holder(&Table::new(games::SHORT_GLOBAL_NIM, to, 1).ok()?)
}

/// Calls `row` for each pile n up to a bound, with its exceptional last moves k, ordered by n - k.
pub(crate) fn each(
    job: &Job<'_>,
    held: &Table,
    to: Pile,
    mut row: impl FnMut(Pile, u32, &[Exception]) -> Result<(), Halt>,
) -> Result<(), Halt> {
    let mut rows = RecordRows::default();
    let mut exceptions = Vec::new();
    let mut n = 0;
    job.read(held, |_, values| {
        for record in values.chunks_exact(held.tile_cells()) {
            if n == to {
                return Ok(false);
            }
            n += 1;
            let Some(left) = exceptions_of(record, n) else {
                let what = format!("the record of the pile {n} is invalid: {:?}", &record[..4]);
                return Err(job.stored.refuse(held, what));
            };
            rows.push(record[0], left.iter().copied());
            exceptions.clear();
            exceptions.extend(
                left.iter()
                    .map(|&left| Exception { remaining: left, value: rows.value(left, n - left) }),
            );
            row(n, record[0], &exceptions)?;
        }
        Ok(n < to)
    })
}
