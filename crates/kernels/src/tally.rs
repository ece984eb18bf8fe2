//! Counts the values of a tile without filling it.
//!
//! The greedy rooks on the crate's page need not write values, because the final sets suffice.
//! `avail[v]` loses one column for every cell that gets v, and one for every column with border v.
//! It never gains a column. So after the last row
//!
//! ```text
//! cells of value v  =  N  -  columns whose border is v  -  bits left in avail[v]
//! ```
//!
//! So it is enough to count the bits of 2N + 1 sets for N² cells. Filling a tile spends half its
//! time on placing rooks and half on turning them into bytes. Counting omits the second half.

use crate::lanes::{all_columns, index, place};
use crate::vector::{Aligned, AnyVector, LANES, Present, TileVector, Work};
use crate::{Borders, Cell, rows};

const BLOCK: usize = 8;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The total weight of the cells of value v, for each v.
    pub values: Vec<u64>,
    pub largest: Vec<u32>,
}

/// Working memory. For each value v, `avail` contains W vectors, and `open` the number of columns
/// whose border is not v.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    avail: Vec<Aligned>,
    open: Vec<[u16; LANES]>,
    long: rows::Scratch,
    counts: Vec<u32>,
}

/// Places all values in a row of all eight tiles.
///
/// # Safety
/// The machine has the instruction set of V.
#[inline(always)]
unsafe fn place_row<V: TileVector, const W: usize>(
    everything: &[Aligned; W],
    avail: &mut [[Aligned; W]],
    border: &[usize; LANES],
) {
    // SAFETY: for the whole body, the caller promises that the machine has the instruction set.
    unsafe {
        // Load and store whole vectors, as in the `lanes` module.
        let mut held = [[V::splat(0); W]; LANES];
        for lane in 0..LANES {
            for (held, avail) in held[lane].iter_mut().zip(&mut avail[border[lane]]) {
                *held = V::load(&avail.0);
                held.with_lane(lane, V::splat(0)).store(&mut avail.0);
            }
        }
        let mut free: [V; W] = std::array::from_fn(|word| V::load(&everything[word].0));
        // `place` requires a plane, which is not used here.
        let mut plane = [V::splat(0); W];
        let (blocks, _) = avail.as_chunks_mut::<BLOCK>();
        for block in blocks {
            for avail in block {
                place(&mut free, avail, &mut plane);
            }
            if !free.iter().fold(V::splat(0), |all, &word| all.or(word)).any() {
                break;
            }
        }
        for lane in 0..LANES {
            for (&held, avail) in held[lane].iter().zip(&mut avail[border[lane]]) {
                V::load(&avail.0).with_lane(lane, held).store(&mut avail.0);
            }
        }
    }
}

/// Counts up to eight tiles.
///
/// # Safety
/// The machine has the instruction set of V.
#[inline(always)]
unsafe fn tally_eight<V: TileVector, T: Cell, const W: usize>(
    n: usize,
    scratch: &mut Scratch,
    borders: &[Borders<'_, T>],
    weights: &[u64],
    tally: &mut Tally,
) {
    let lane_of: [Borders<'_, T>; LANES] =
        std::array::from_fn(|lane| borders[lane.min(borders.len() - 1)]);
    let everything = all_columns::<W>(n);
    let values = (2 * n + 1).next_multiple_of(BLOCK);
    scratch.avail.clear();
    scratch.avail.extend(std::iter::repeat_n(everything, values).flatten());
    scratch.open.clear();
    scratch.open.resize(values, [n as u16; LANES]);
    let (avail, _) = scratch.avail.as_chunks_mut::<W>();
    for (lane, borders) in lane_of.iter().enumerate() {
        for (col, &value) in borders.row.iter().enumerate() {
            avail[index(value)][col / 64].0[lane] &= !(1 << (col % 64));
            scratch.open[index(value)][lane] -= 1;
        }
    }
    for row in 0..n {
        let border: [usize; LANES] = std::array::from_fn(|lane| index(lane_of[lane].col[row]));
        // SAFETY: the caller promises that the machine has the instruction set.
        unsafe { place_row::<V, W>(&everything, avail, &border) };
    }
    // Unused lanes contain the last tile again, with weight 0.
    let mut weight = [0; LANES];
    weight[..borders.len()].copy_from_slice(weights);
    let mut largest = [0; LANES];
    for ((value, avail), open) in (0u32..).zip(&*avail).zip(&scratch.open) {
        let mut sum = 0;
        for lane in 0..LANES {
            let left: u32 = avail.iter().map(|word| word.0[lane].count_ones()).sum();
            let count = u64::from(open[lane]) - u64::from(left);
            sum += weight[lane] * count;
            largest[lane] = if count > 0 { value } else { largest[lane] };
        }
        if sum > 0 {
            tally.add(value, sum);
        }
    }
    tally.largest.extend_from_slice(&largest[..borders.len()]);
}

impl Tally {
    fn add(&mut self, value: u32, sum: u64) {
        if self.values.len() <= value as usize {
            self.values.resize(value as usize + 1, 0);
        }
        self.values[value as usize] += sum;
    }

    pub fn clear(&mut self) {
        self.values.clear();
        self.largest.clear();
    }
}

struct Count<'a, 'b, T> {
    n: usize,
    scratch: &'a mut Scratch,
    borders: &'a [Borders<'b, T>],
    weights: &'a [u64],
    tally: &'a mut Tally,
}

impl<T: Cell> Work for Count<'_, '_, T> {
    #[inline(always)]
    unsafe fn run<V: AnyVector>(self) {
        let Count { n, scratch, borders, weights, tally } = self;
        for (group, weights) in borders.chunks(LANES).zip(weights.chunks(LANES)) {
            // SAFETY: the caller promises that the machine has the instruction set.
            unsafe {
                match n {
                    0..=64 => tally_eight::<V, T, 1>(n, scratch, group, weights, tally),
                    65..=128 => tally_eight::<V, T, 2>(n, scratch, group, weights, tally),
                    _ => tally_eight::<V, T, 4>(n, scratch, group, weights, tally),
                }
            }
        }
    }
}

pub(crate) fn count<T: Cell>(
    isa: Present,
    n: usize,
    scratch: &mut Scratch,
    borders: &[Borders<'_, T>],
    weights: &[u64],
    tally: &mut Tally,
) {
    if n <= crate::lanes::MAX_PILE {
        isa.run(Count { n, scratch, borders, weights, tally });
        return;
    }
    for (border, &weight) in borders.iter().zip(weights) {
        let Scratch { long, counts, .. } = &mut *scratch;
        counts.clear();
        counts.resize(2 * n + 1, 0);
        // Each value occurs once in a row, so successive changes affect different counters.
        rows::each_rook(isa, long, border, |_, _, value| counts[value as usize] += 1);
        let mut largest = 0;
        for (value, &count) in (0u32..).zip(&*counts).filter(|&(_, &count)| count > 0) {
            tally.add(value, weight * u64::from(count));
            largest = value;
        }
        tally.largest.push(largest);
    }
}
