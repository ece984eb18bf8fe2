//! A plain loop over End-Wythoff with sets of bits, for comparison with the kernel.

use grundy_kernels::{Compiled, Compiler, Isa};

/// The sets of values that the options of a cell may have: those in its row, column and diagonal.
struct Lines {
    words: usize,
    bits: Vec<u64>,
}

impl Lines {
    fn new(lines: usize, words: usize) -> Lines {
        Lines { words, bits: vec![0; lines * words] }
    }

    #[inline(always)]
    fn line(&mut self, at: usize) -> &mut [u64] {
        &mut self.bits[at * self.words..][..self.words]
    }

    #[inline(always)]
    fn add(&mut self, at: usize, value: u16) {
        self.line(at)[usize::from(value) / 64] |= 1 << (value % 64);
    }
}

/// Returns the values of a tile, in which the ends a and b vary from 1 to n. `first(b)` and
/// `last(a)` are the values without the first and the last pile. `both(a, b)` is the value after
/// equal numbers of coins are taken until an end is empty.
#[inline(always)]
fn tile(
    n: usize,
    first: impl Fn(usize) -> u16,
    last: impl Fn(usize) -> u16,
    both: impl Fn(usize, usize) -> u16,
) -> Vec<u16> {
    let words = 3 * n / 64 + 1;
    let (mut columns, mut diagonals) = (Lines::new(n + 1, words), Lines::new(2 * n, words));
    for b in 1..=n {
        columns.add(b, first(b));
        diagonals.add(n - b, both(0, b));
        if b < n {
            diagonals.add(n + b, both(b, 0));
        }
    }
    diagonals.add(n, both(0, 0));
    let mut cells = Vec::with_capacity(n * n);
    for a in 1..=n {
        let mut row = Lines::new(1, words);
        row.add(0, last(a));
        let row = row.line(0);
        for b in 1..=n {
            let (column, diagonal) = (columns.line(b), diagonals.line(n + a - b));
            let (mut at, mut free) = (0, !(row[0] | column[0] | diagonal[0]));
            while free == 0 {
                at += 1;
                free = !(row[at] | column[at] | diagonal[at]);
            }
            let bit = free & free.wrapping_neg();
            (row[at], column[at], diagonal[at]) =
                (row[at] | bit, column[at] | bit, diagonal[at] | bit);
            cells.push((64 * at) as u16 + free.trailing_zeros() as u16);
        }
    }
    cells
}

/// Returns the values of three piles a, m, b of 1, ..., n coins in End-Wythoff: for each m, the
/// values of all a and b.
pub fn end_wythoff(n: usize) -> Vec<Vec<u16>> {
    Compiler::new(Isa::best()).run(EndWythoff(n))
}

struct EndWythoff(usize);

impl Compiled for EndWythoff {
    type Out = Vec<Vec<u16>>;

    #[inline(always)]
    fn run(self) -> Vec<Vec<u16>> {
        let EndWythoff(n) = self;
        let two = tile(n, |b| b as u16, |a| a as u16, |a, b| (a + b) as u16);
        let value = |a: usize, b: usize| two[(a - 1) * n + b - 1];
        let mut tiles = Vec::new();
        for m in 1..=n {
            let both = |a: usize, b: usize| match (a, b) {
                (0, 0) => m as u16,
                (a, 0) => value(a, m),
                (_, b) => value(m, b),
            };
            tiles.push(tile(n, |b| value(m, b), |a| value(a, m), both));
        }
        tiles
    }
}
