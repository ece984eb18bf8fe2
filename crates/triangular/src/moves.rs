//! Sets of moves as bits: move x is bit x % 64 of word x / 64.

/// Returns the number of words that have a bit for each move 0..=n.
pub(crate) fn words(n: u32) -> usize {
    n as usize / 64 + 1
}

pub(crate) fn insert(set: &mut [u64], x: u32) {
    set[x as usize / 64] |= 1 << (x % 64);
}

pub(crate) fn contains(set: &[u64], x: u32) -> bool {
    set[x as usize / 64] >> (x % 64) & 1 == 1
}
