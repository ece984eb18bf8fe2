//! Copies of the values of multisets for all orders of their piles, so look-ups need no sorting.
//!
//! The rows (u, 1), ..., (u, N) are filled in lexicographic order of the words u. If u is not
//! ascending, exchanging two neighbours gives an earlier word, whose row is copied. If u is
//! ascending and b is at least its last pile, (u, b) is a multiset. If b is less than the last pile
//! of u, exchanging these two piles gives a word in an earlier row.

use grundy_kernels::cells::{CellVec, Cells};
use grundy_rules::{Multisets, Pile, Table, lex_index, lex_word};

/// Returns the size of the result of [`spread`] in bytes: one value for each word of piles.
pub(super) fn bytes(table: &Table) -> u64 {
    let words = u64::from(table.max_pile()).checked_pow(table.length() as u32);
    words.map_or(u64::MAX, |words| words.saturating_mul(table.value_bytes() as u64))
}

/// Returns the values of all words. `cells` contains the values of the multisets in table order.
pub(super) fn spread(table: &Table, multisets: &Multisets, cells: Cells<'_>) -> CellVec {
    match table.value_bytes() {
        1 => CellVec::Bytes(spread_as(multisets, cells, |value| value as u8)),
        2 => CellVec::Words(spread_as(multisets, cells, |value| value as u16)),
        _ => CellVec::Longs(spread_as(multisets, cells, |value| value)),
    }
}

fn spread_as<T: Copy + Default>(
    multisets: &Multisets,
    cells: Cells<'_>,
    of: impl Fn(u32) -> T,
) -> Vec<T> {
    let (n, length) = (multisets.max_pile() as usize, multisets.length());
    let mut all = vec![T::default(); n.pow(length as u32)];
    let mut word: Vec<Pile> = vec![1; length];
    let place = |word: &[Pile]| lex_index(word, n as u64) as usize;
    for row in 0..n.pow(length as u32 - 1) {
        lex_word(row as u64, n as u64, &mut word[..length - 1]);
        let descent = word[..length - 1].windows(2).position(|pair| pair[0] > pair[1]);
        if let Some(at) = descent {
            word.swap(at, at + 1);
            let from = place(&word[..length - 1]) * n;
            all.copy_within(from..from + n, row * n);
            continue;
        }
        let last = word[..length - 1].last().map_or(1, |&pile| pile as usize);
        for b in 1..=n {
            all[row * n + b - 1] = match b < last {
                true => {
                    let before = row + 1 - last;
                    all[(before + b - 1) * n + last - 1]
                }
                false => {
                    word[length - 1] = b as Pile;
                    of(cells.get(multisets.rank(&word) as usize))
                }
            };
        }
    }
    all
}
