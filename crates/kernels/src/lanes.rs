//! Fills eight tiles side by side, for N <= 255.
//!
//! Each 64-bit lane of a vector belongs to one of eight tiles. A row takes one (if N <= 64), two or
//! four words in each lane. Each row places the values 0, 1, 2, ... in turn (see the crate's page).
//! After each value v, the set `free` of columns without a value is xored into a plane of bits:
//!
//! ```text
//! after placing v:   plane[tz(v + 1)] ^= free        tz = trailing zeros
//! ```
//!
//! A cell of value V is free after v = 0, ..., V - 1. So its bit in plane p is the parity of
//! #{ 1 <= j <= V : tz(j) = p }, which is bit p of the Gray code V ^ (V >> 1). So cells need not be
//! written one by one. A suffix xor over the planes turns Gray code into binary, and a
//! transposition of a bit matrix turns eight planes into 64 bytes. For two-byte values a second
//! transposition gives the high bytes. Half of all values change plane 0, a quarter plane 1, an
//! eighth plane 2. So these three planes stay in registers, and the others in a small array.
//!
//! No value of row a exceeds a + N. The loop over v ends when no column is free.

use crate::vector::{Aligned, AnyVector, LANES, PLANES, Present, TileVector, Work};
use crate::{Borders, Cell};

/// The largest N. A row of four words holds 256 columns, and the values for N = 255 are at most
/// 510. For longer rows, the `rows` module is faster.
pub(crate) const MAX_PILE: usize = 255;

/// The number of values that are placed between two checks of `free`.
const BLOCK: usize = 8;
/// The number of planes that are kept in registers.
const LOW: usize = 3;
const ALL_PLANES: usize = 2 * PLANES;

/// A type of cell whose values are made from planes. A value has three low bits and `HIGH` other
/// bits. `HIGH` is 5 for values below 2^8, and 6 for values below 2^9.
trait FromPlanes: Cell {
    /// Turns planes into the values of 64 columns in each lane.
    ///
    /// # Safety
    /// The machine has the instruction set of V.
    unsafe fn lines<V: TileVector>(planes: &[V; ALL_PLANES], lines: &mut [[Self; 64]; LANES]);
}

impl FromPlanes for u8 {
    #[inline(always)]
    unsafe fn lines<V: TileVector>(planes: &[V; ALL_PLANES], lines: &mut [[u8; 64]; LANES]) {
        if let Some(planes) = planes.first_chunk() {
            // SAFETY: the caller promises that the machine has the instruction set.
            unsafe { V::spread(planes, lines) }
        }
    }
}

impl FromPlanes for u16 {
    #[inline(always)]
    unsafe fn lines<V: TileVector>(planes: &[V; ALL_PLANES], lines: &mut [[u16; 64]; LANES]) {
        let (mut low, mut high) = ([[0; 64]; LANES], [[0; 64]; LANES]);
        if let (Some(low_planes), Some(high_planes)) = (planes.first_chunk(), planes.last_chunk()) {
            // SAFETY: the caller promises that the machine has the instruction set.
            unsafe {
                V::spread(low_planes, &mut low);
                V::spread(high_planes, &mut high);
            }
        }
        for lane in 0..LANES {
            for col in 0..64 {
                lines[lane][col] = u16::from(low[lane][col]) | u16::from(high[lane][col]) << 8;
            }
        }
    }
}

/// The sets `avail[v]`. Each set consists of W vectors.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    avail: Vec<Aligned>,
}

/// Places one value in a row of all eight tiles, and xors the free columns into a plane.
///
/// # Safety
/// The machine has the instruction set of V.
#[inline(always)]
pub(crate) unsafe fn place<V: TileVector, const W: usize>(
    free: &mut [V; W],
    avail: &mut [Aligned; W],
    plane: &mut [V; W],
) {
    // SAFETY: for the whole body, the caller promises that the machine has the instruction set.
    unsafe {
        // Take the leftmost free column from the first word that has a free column.
        let mut before = V::splat(0);
        for word in 0..W {
            let here = V::load(&avail[word].0);
            let mut open = free[word].and(here);
            if word > 0 {
                open = open.where_zero(before);
            }
            if word + 1 < W {
                before = before.or(open);
            }
            let rook = open.lowest();
            here.xor(rook).store(&mut avail[word].0);
            free[word] = free[word].xor(rook);
            plane[word] = plane[word].xor(free[word]);
        }
    }
}

/// Returns the set of the first n columns.
pub(crate) fn all_columns<const W: usize>(n: usize) -> [Aligned; W] {
    std::array::from_fn(|word| {
        let here = n.saturating_sub(64 * word).min(64);
        Aligned([if here == 64 { u64::MAX } else { (1 << here) - 1 }; LANES])
    })
}

/// Fills up to eight tiles. Unused lanes fill the last tile again, and their results are ignored.
///
/// # Safety
/// The machine has the instruction set of V.
#[inline(always)]
unsafe fn fill_eight<V: TileVector, T: FromPlanes, const W: usize, const HIGH: usize>(
    n: usize,
    scratch: &mut Scratch,
    borders: &[Borders<'_, T>],
    out: &mut [T],
) {
    let lane_of: [Borders<'_, T>; LANES] =
        std::array::from_fn(|lane| borders[lane.min(borders.len() - 1)]);
    let everything = all_columns::<W>(n);
    let values = (2 * n + 1).next_multiple_of(BLOCK);
    scratch.avail.clear();
    scratch.avail.extend(std::iter::repeat_n(everything, values).flatten());
    let (avail, _) = scratch.avail.as_chunks_mut::<W>();
    for (lane, borders) in lane_of.iter().enumerate() {
        for (col, &value) in borders.row.iter().enumerate() {
            avail[index(value)][col / 64].0[lane] &= !(1 << (col % 64));
        }
    }
    let mut lines = [[T::default(); 64]; LANES];
    for row in 0..n {
        // A row never contains the value of its own border.
        let border: [usize; LANES] = std::array::from_fn(|lane| index(lane_of[lane].col[row]));
        // SAFETY: the caller promises that the machine has the instruction set.
        let (low, high) = unsafe { place_row::<V, W, HIGH>(&everything, avail, &border) };
        for word in 0..W {
            // SAFETY: the same.
            unsafe { T::lines(&planes(word, &low, &high), &mut lines) };
            let start = row * n + 64 * word;
            // If N <= 192, the last of four words has no columns.
            let here = n.saturating_sub(64 * word).min(64);
            if here == 0 {
                break;
            }
            for (tile, line) in out.chunks_exact_mut(n * n).zip(&lines) {
                // This store may write past the row's end. Later rows overwrite these cells,
                // because rows come in order. Only the last rows of a tile need an exact copy.
                match tile[start..].first_chunk_mut::<64>() {
                    Some(whole) => *whole = *line,
                    None => tile[start..start + here].copy_from_slice(&line[..here]),
                }
            }
        }
    }
}

/// Places all values in a row of all eight tiles. Returns the planes `low` and `high`, which
/// collect the free columns after each value.
///
/// # Safety
/// The machine has the instruction set of V.
#[inline(always)]
unsafe fn place_row<V: TileVector, const W: usize, const HIGH: usize>(
    everything: &[Aligned; W],
    avail: &mut [[Aligned; W]],
    border: &[usize; LANES],
) -> ([[V; W]; LOW], [[V; W]; HIGH]) {
    // SAFETY: for the whole body, the caller promises that the machine has the instruction set.
    unsafe {
        // Load and store whole vectors. After a store of only a part of a cache line, a load of the
        // line has to wait for that store.
        let mut held = [[V::splat(0); W]; LANES];
        for lane in 0..LANES {
            for (held, avail) in held[lane].iter_mut().zip(&mut avail[border[lane]]) {
                *held = V::load(&avail.0);
                held.with_lane(lane, V::splat(0)).store(&mut avail.0);
            }
        }
        let mut free: [V; W] = std::array::from_fn(|word| V::load(&everything[word].0));
        let mut low = [[V::splat(0); W]; LOW];
        let mut high = [[V::splat(0); W]; HIGH];
        let (blocks, _) = avail.as_chunks_mut::<BLOCK>();
        for (number, block) in blocks.iter_mut().enumerate() {
            let [v0, v1, v2, v3, v4, v5, v6, v7] = block;
            // For v + 1 = 2^(3 + HIGH) there is no plane, but by then no column is free.
            let last = (number + 1).trailing_zeros() as usize % HIGH;
            place(&mut free, v0, &mut low[0]);
            place(&mut free, v1, &mut low[1]);
            place(&mut free, v2, &mut low[0]);
            place(&mut free, v3, &mut low[2]);
            place(&mut free, v4, &mut low[0]);
            place(&mut free, v5, &mut low[1]);
            place(&mut free, v6, &mut low[0]);
            place(&mut free, v7, &mut high[last]);
            if !free.iter().fold(V::splat(0), |all, &word| all.or(word)).any() {
                break;
            }
        }
        for lane in 0..LANES {
            for (&held, avail) in held[lane].iter().zip(&mut avail[border[lane]]) {
                V::load(&avail.0).with_lane(lane, held).store(&mut avail.0);
            }
        }
        (low, high)
    }
}

/// Turns planes of Gray codes into planes of binary values, for the columns of a word.
///
/// # Safety
/// The machine has the instruction set of V.
#[inline(always)]
unsafe fn planes<V: TileVector, const W: usize, const HIGH: usize>(
    word: usize,
    low: &[[V; W]; LOW],
    high: &[[V; W]; HIGH],
) -> [V; ALL_PLANES] {
    // SAFETY: for the whole body, the caller promises that the machine has the instruction set.
    unsafe {
        // Each bit of the value is the xor of this bit of the code and all higher bits of the code.
        let mut planes = [V::splat(0); ALL_PLANES];
        let mut above = V::splat(0);
        for p in (0..LOW + HIGH).rev() {
            above = above.xor(if p < LOW { low[p][word] } else { high[p - LOW][word] });
            planes[p] = above;
        }
        planes
    }
}

#[inline(always)]
pub(crate) fn index<T: Cell>(value: T) -> usize {
    let value: u32 = value.into();
    value as usize
}

struct Fill<'a, 'b, T> {
    n: usize,
    scratch: &'a mut Scratch,
    borders: &'a [Borders<'b, T>],
    out: &'a mut [T],
}

impl<T: FromPlanes> Work for Fill<'_, '_, T> {
    #[inline(always)]
    unsafe fn run<V: AnyVector>(self) {
        let Fill { n, scratch, borders, out } = self;
        for (group, tiles) in borders.chunks(LANES).zip(out.chunks_mut(LANES * n * n)) {
            // SAFETY: the caller promises that the machine has the instruction set.
            unsafe {
                match n {
                    0..=64 => fill_eight::<V, T, 1, 5>(n, scratch, group, tiles),
                    65..=127 => fill_eight::<V, T, 2, 5>(n, scratch, group, tiles),
                    128 => fill_eight::<V, T, 2, 6>(n, scratch, group, tiles),
                    _ => fill_eight::<V, T, 4, 6>(n, scratch, group, tiles),
                }
            }
        }
    }
}

#[expect(private_bounds, reason = "only this crate implements it, for one and two bytes")]
pub(crate) fn fill<T: FromPlanes>(
    isa: Present,
    n: usize,
    scratch: &mut Scratch,
    borders: &[Borders<'_, T>],
    out: &mut [T],
) {
    isa.run(Fill { n, scratch, borders, out });
}
