//! The value of a single position by the rules.
//!
//! Computes the mex over the options, without families. Caches each value by the pile and the moves
//! that fit into it. The exact value decides small cases in which the search finds no family.

use std::collections::HashMap;

/// The largest pile that [`exact_value`] accepts, whose moves are the bits of one word.
pub const EXACT_MAX: u32 = 63;

/// Returns the Grundy value of \[n, moves\]. Bit s of `moves` is set if s is available; bit 0 and
/// bits above n are ignored. Returns `None` for n > [`EXACT_MAX`].
///
/// The time grows exponentially. All full sets with n <= 60 together take about a second.
pub fn exact_value(n: u32, moves: u64) -> Option<u32> {
    (n <= EXACT_MAX).then(|| value(n, moves, &mut HashMap::new()))
}

fn value(pile: u32, moves: u64, memo: &mut HashMap<(u32, u64), u32>) -> u32 {
    // Keep the bits 1 to `pile`.
    let moves = moves & (u64::MAX >> (EXACT_MAX - pile)) & !1;
    if moves == 0 {
        return 0;
    }
    if let Some(&known) = memo.get(&(pile, moves)) {
        return known;
    }
    let mut seen = 0_u64;
    let mut rest = moves;
    while rest != 0 {
        let s = rest.trailing_zeros();
        rest &= rest - 1;
        seen |= 1 << value(pile - s, moves & !(1 << s), memo);
    }
    let mex = seen.trailing_ones();
    memo.insert((pile, moves), mex);
    mex
}
