//! Stored records of the single piles of short global nim.
//!
//! A record has g(n), and the m = n - k of the exceptional last moves k. The value of such a k is
//! that of the option (m, k) (Corollary 10 of the paper), which is found in the record of m; so
//! the records that were read are kept, packed.

use std::convert::Infallible;

use grundy_kernels::records::{Exception, value};
use grundy_rules::{Pile, Table, games};

use crate::job::Job;
use crate::stored::Halt;

/// The stored table of the records of all piles up to a bound, if there is one.
pub(crate) fn holder(job: &Job<'_>, to: Pile) -> Option<Table> {
    job.holder(&Table::new(games::SHORT_GLOBAL_NIM, to, 1).ok()?)
}

/// The records read so far.
struct Records {
    /// By pile from 0: g(n), and where the exceptions of n end in `left`.
    rows: Vec<(u32, usize)>,
    /// The m = n - k of the exceptions, n by n, each n's in ascending order.
    left: Vec<Pile>,
}

impl Records {
    /// *(n, k) of a pile that was read.
    fn value(&self, n: Pile, k: Pile) -> u32 {
        let row = |pile: Pile, k: Pile| {
            let (g, end) = self.rows[pile as usize];
            let start = self.rows[pile as usize - 1].1;
            let exceptional = pile >= k && self.left[start..end].binary_search(&(pile - k)).is_ok();
            Ok::<_, Infallible>((g, exceptional))
        };
        match value(n, k, row) {
            Ok(value) => value,
            Err(never) => match never {},
        }
    }
}

/// Shows the rows of the piles up to a bound, each with its exceptional last moves by
/// ascending m = n - k.
pub(crate) fn each(
    job: &Job<'_>,
    held: &Table,
    to: Pile,
    mut row: impl FnMut(Pile, u32, &[Exception]) -> Result<(), Halt>,
) -> Result<(), Halt> {
    let mut records = Records { rows: vec![(0, 0)], left: Vec::new() };
    let mut exceptions = Vec::new();
    let mut n = 0;
    job.read(held, |_, values| {
        for record in values.chunks_exact(held.tile_cells()) {
            if n == to {
                return Ok(false);
            }
            n += 1;
            let Some((g, left)) = parse(n, record) else {
                let what = format!("the record of the pile {n} is none: {:?}", &record[..4]);
                return Err(job.stored.refuse(held, what));
            };
            records.left.extend_from_slice(left);
            records.rows.push((g, records.left.len()));
            exceptions.clear();
            exceptions.extend(
                left.iter().map(|&left| Exception {
                    remaining: left,
                    value: records.value(left, n - left),
                }),
            );
            row(n, g, &exceptions)?;
        }
        Ok(n < to)
    })
}

/// g(n) and the exceptions of a record; `None` if it can be no record of n.
fn parse(n: Pile, record: &[u32]) -> Option<(u32, &[Pile])> {
    let (&[g, count], rest) = record.split_first_chunk()?;
    let left = rest.get(..count as usize)?;
    let ascending = left.windows(2).all(|two| two[0] < two[1]);
    (g <= n && ascending && left.last().is_none_or(|&last| last < n)).then_some((g, left))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_record_is_refused() {
        assert_eq!(parse(4, &[3, 2, 0, 3, 0]), Some((3, &[0, 3][..])));
        for wrong in [[5, 0, 0, 0, 0], [3, 4, 0, 1, 2], [3, 2, 3, 0, 0], [3, 1, 4, 0, 0]] {
            assert_eq!(parse(4, &wrong), None, "{wrong:?}");
        }
    }
}
