//! Fills one chunk of a level: all sets with the same smaller moves.
//!
//! A chunk of 2^k entries of level n fixes the subset of the moves 1..=n-k (c, the chunk's number)
//! and lets the k larger moves vary. Write S_t for the part of S within 1..=t. The option by move s
//! depends only on S_(n-s). So the code finds the *seen* sets (the values of the options) of all S
//! by deciding one move after another, t = n-k, n-k+1, ..., n:
//!
//! ```text
//!   seen(S_t)  =  seen(S_(t-1))                      every bit twice: t in S or not
//!                 | {T_(n-t)[S_(n-t)]}               if t is in S        (move t)
//!                 | {T_t[S_t without n-t]}           if n-t is in S      (move n-t)
//! ```
//!
//! Every chunk has n >= 2k, hence n-t < k <= n-k < t. So the value in the second line is the same
//! for the whole chunk, and one bit of the chunk's number decides whether the third line applies.
//! The third line reads 2^(t-(n-k)) consecutive values in level t. An entry costs less than two
//! doublings and one option.
//!
//! The seen sets are bit planes, one per value. Let K be the largest number of moves of the chunk's
//! largest set with a sum of at most n. Then no play has more than K moves, and no option has a
//! value above K-1 (see [`super`]). So K planes are enough. The code is compiled for each K,
//! because chunks with few small moves need fewer planes.

#![expect(
    clippy::needless_range_loop,
    reason = "iterator adaptors are not inlined into functions with target features"
)]

use super::{Block, LOG_BLOCK, SubsetTables, most_moves, natural};
use crate::vector::{AnyVector, LANES, Line, SetVector, Work, doubled_word};

/// The largest k for which 2^(k-1) seen sets and half as many still fit into the L1 cache.
pub(super) const MAX_LOG_CHUNK: u32 = 15;
/// The number of planes. Below 36 coins, no value exceeds 7, so no option's value exceeds 6.
const PLANES: usize = 7;
/// A block of seen sets, one line per value.
type Seen = [Line; PLANES];
const NOTHING_SEEN: Seen = [[0; 8]; PLANES];
/// The number of blocks of seen sets for half of the largest chunk.
const SEEN_BLOCKS: usize = 1 << (MAX_LOG_CHUNK - 1 - LOG_BLOCK);
const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;

/// Fills `out` with chunks of a level, from the chunk with number `first` on.
pub(super) fn chunks(tables: &SubsetTables, n: u32, k: u32, first: usize, out: &mut [Block]) {
    tables.isa.run(Chunks { tables, n, k, first, out });
}

struct Chunks<'a> {
    tables: &'a SubsetTables,
    n: u32,
    k: u32,
    first: usize,
    out: &'a mut [Block],
}

struct Chunk<'a> {
    tables: &'a SubsetTables,
    n: u32,
    k: u32,
    number: usize,
    /// The set's members within 1..=n-k. Bit s-1 is move s.
    small: u64,
}

impl Chunk<'_> {
    /// Returns the value of the option that move t leads to, for n-k < t <= n.
    #[inline(always)]
    fn by_large_move(&self, t: u32) -> usize {
        usize::from(self.tables.value_within(self.n - t, self.small))
    }

    /// Returns the set of values of all options that a move s leads to, with s and n-s at most n-k.
    #[inline(always)]
    fn first_seen(&self) -> u8 {
        let mut seen = 0;
        for s in self.k.max(1)..=self.n - self.k {
            if self.small >> (s - 1) & 1 == 1 {
                let left = self.small & !(1 << (s - 1));
                seen |= 1 << self.tables.value_within(self.n - s, left);
            }
        }
        seen
    }

    /// Returns the index in level t of the first option for move n-t, if the set contains n-t.
    #[inline(always)]
    fn by_small_move(&self, t: u32) -> Option<usize> {
        let s = self.n - t;
        if self.small >> (s - 1) & 1 == 0 {
            return None;
        }
        Some((self.number & !(1 << (self.n - self.k - s))) << (t - (self.n - self.k)))
    }
}

impl Work for Chunks<'_> {
    #[inline(always)]
    unsafe fn run<V: AnyVector>(self) {
        let Chunks { tables, n, k, first, out } = self;
        // SAFETY: the caller promises that the machine has the instruction set.
        unsafe { chunks_with::<V>(tables, n, k, first, out) }
    }
}

/// Fills chunks. The arguments are separate so that the compiler knows that they do not overlap.
///
/// # Safety
/// The machine has the instruction set of V.
#[inline(always)]
unsafe fn chunks_with<V: SetVector>(
    tables: &SubsetTables,
    n: u32,
    k: u32,
    first: usize,
    out: &mut [Block],
) {
    debug_assert!((LOG_BLOCK..=MAX_LOG_CHUNK).contains(&k) && 2 * k <= n);
    let mut from = [NOTHING_SEEN; SEEN_BLOCKS];
    let mut to = [NOTHING_SEEN; SEEN_BLOCKS];
    for (at, out) in out.chunks_exact_mut(1 << (k - LOG_BLOCK)).enumerate() {
        let number = first + at;
        let small = natural(n - k, number as u64);
        let chunk = Chunk { tables, n, k, number, small };
        let largest = small | ((1 << k) - 1) << (n - k);
        // SAFETY: the caller promises that the machine has the instruction set.
        unsafe {
            match most_moves(n, largest) {
                0 | 1 => chunk_of::<V, 1>(&chunk, &mut from, &mut to, out),
                2 => chunk_of::<V, 2>(&chunk, &mut from, &mut to, out),
                3 => chunk_of::<V, 3>(&chunk, &mut from, &mut to, out),
                4 => chunk_of::<V, 4>(&chunk, &mut from, &mut to, out),
                5 => chunk_of::<V, 5>(&chunk, &mut from, &mut to, out),
                6 => chunk_of::<V, 6>(&chunk, &mut from, &mut to, out),
                _ => chunk_of::<V, 7>(&chunk, &mut from, &mut to, out),
            }
        }
    }
}

/// Fills a chunk in which no value exceeds K.
///
/// # Safety
/// The machine has the instruction set of V.
#[inline(always)]
unsafe fn chunk_of<V: SetVector, const K: usize>(
    chunk: &Chunk<'_>,
    from: &mut [Seen; SEEN_BLOCKS],
    to: &mut [Seen; SEEN_BLOCKS],
    out: &mut [Block],
) {
    let (n, k) = (chunk.n, chunk.k);
    let start = n - k;
    // The last doubling is done together with the mex; the earlier doublings fill 2^(k-1) bits.
    let words_up_to = (k - 1).min(LOG_BLOCK);
    first_block::<K>(chunk, words_up_to, &mut from[0]);
    let (mut from, mut to) = (from, to);
    for log in words_up_to + 1..k {
        let t = start + log;
        let large = chunk.by_large_move(t);
        let blocks = 1 << (log - LOG_BLOCK);
        let option = match chunk.by_small_move(t) {
            Some(base) => {
                let base = base >> LOG_BLOCK;
                Some(&chunk.tables.level(t)[base..base + blocks])
            }
            None => None,
        };
        // SAFETY: the caller promises that the machine has the instruction set.
        unsafe { double::<V, K>(&from[..blocks / 2], &mut to[..blocks], large, option) };
        std::mem::swap(&mut from, &mut to);
    }
    // SAFETY: the caller promises that the machine has the instruction set.
    unsafe { finish::<V, K>(&from[..out.len() / 2 + usize::from(out.len() == 1)], out) };
}

/// Does the first `upto` <= 9 doublings, within a block.
#[inline(always)]
fn first_block<const K: usize>(chunk: &Chunk<'_>, upto: u32, seen: &mut Seen) {
    let start = chunk.n - chunk.k;
    let first = chunk.first_seen();
    for v in 0..K {
        seen[v][0] = u64::from(first >> v & 1);
    }
    for log in 1..=upto {
        let t = start + log;
        let large = chunk.by_large_move(t);
        let words = 1usize << log.saturating_sub(6);
        for v in 0..K {
            let odd = if v == large { ODD } else { 0 };
            // Go backwards, so that each word is read before it is overwritten.
            for word in (0..words).rev() {
                let half = seen[v][word / 2] >> (32 * (word % 2));
                seen[v][word] = doubled_word(half) | odd;
            }
        }
        if let Some(base) = chunk.by_small_move(t) {
            let block = &chunk.tables.level(t)[base >> LOG_BLOCK];
            let word = base >> 6 & 7;
            for at in 0..words {
                let shift = base & 63;
                let p0 = block[0][word + at] >> shift;
                let p1 = block[1][word + at] >> shift;
                let p2 = block[2][word + at] >> shift;
                for v in 0..K {
                    let x0 = if v & 1 == 1 { p0 } else { !p0 };
                    let x1 = if v & 2 == 2 { p1 } else { !p1 };
                    let x2 = if v & 4 == 4 { p2 } else { !p2 };
                    seen[v][at] |= x0 & x1 & x2;
                }
            }
        }
    }
}

/// Returns a mask of the sets for which the planes `p` have the value v.
///
/// # Safety
/// The machine has the instruction set of V.
#[inline(always)]
unsafe fn equals<V: SetVector>(p: [V; 3], v: usize) -> V {
    // SAFETY: for the whole body, the caller promises that the machine has the instruction set.
    unsafe {
        let low = match v & 3 {
            0 => V::splat(u64::MAX).and_not(p[0].or(p[1])),
            1 => p[0].and_not(p[1]),
            2 => p[1].and_not(p[0]),
            _ => p[0].and(p[1]),
        };
        if v & 4 == 0 { low.and_not(p[2]) } else { low.and(p[2]) }
    }
}

#[inline(always)]
fn halves(line: &Line) -> &[[u64; LANES / 2]] {
    line.as_chunks().0
}

/// Does one doubling. Move t leads to the value `large`, and move n-t to the values `option`.
///
/// # Safety
/// The machine has the instruction set of V.
#[inline(always)]
unsafe fn double<V: SetVector, const K: usize>(
    from: &[Seen],
    to: &mut [Seen],
    large: usize,
    option: Option<&[Block]>,
) {
    // SAFETY: for the whole body, the caller promises that the machine has the instruction set.
    unsafe {
        let mut odd = [V::splat(0); K];
        odd[large] = V::splat(ODD);
        match option {
            None => {
                for (from, to) in from.iter().zip(to.as_chunks_mut::<2>().0) {
                    for (side, to) in to.iter_mut().enumerate() {
                        for v in 0..K {
                            let twice = V::doubled(&halves(&from[v])[side]);
                            twice.or(odd[v]).store(&mut to[v]);
                        }
                    }
                }
            }
            Some(option) => {
                let options = option.as_chunks::<2>().0;
                let pairs = from.iter().zip(to.as_chunks_mut::<2>().0);
                for ((from, to), options) in pairs.zip(options) {
                    for (side, (to, option)) in to.iter_mut().zip(options).enumerate() {
                        let p = [V::load(&option[0]), V::load(&option[1]), V::load(&option[2])];
                        for v in 0..K {
                            let twice = V::doubled(&halves(&from[v])[side]);
                            twice.or(odd[v]).or(equals(p, v)).store(&mut to[v]);
                        }
                    }
                }
            }
        }
    }
}

/// Does the last doubling, for move n, which leads to value 0. Then computes the mex, the number of
/// values 0, 1, ... before the first gap. Its bits are xors of masks of the sets with mex >= i.
///
/// # Safety
/// The machine has the instruction set of V.
#[inline(always)]
unsafe fn finish<V: SetVector, const K: usize>(from: &[Seen], out: &mut [Block]) {
    let sides = out.len().min(2);
    for (from, out) in from.iter().zip(out.chunks_exact_mut(sides)) {
        for (side, out) in out.iter_mut().enumerate() {
            // SAFETY: the caller promises that the machine has the instruction set.
            unsafe {
                let mut run = V::doubled(&halves(&from[0])[side]).or(V::splat(ODD));
                let mut bits = [run, V::splat(0), V::splat(0)];
                for v in 1..K {
                    run = run.and(V::doubled(&halves(&from[v])[side]));
                    bits[0] = bits[0].xor(run);
                    if v % 2 == 1 {
                        bits[1] = bits[1].xor(run);
                    }
                    if v == 3 {
                        bits[2] = run;
                    }
                }
                for (plane, bits) in out.iter_mut().zip(bits) {
                    bits.store(plane);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Isa;

    /// Fills chunks that are smaller than necessary. As in large levels, the fixed moves then
    /// contain both s and n-s for at least one s.
    #[test]
    fn chunks_of_every_size() {
        for isa in Isa::available() {
            let mut tables = SubsetTables::new(isa);
            assert_eq!(tables.extend(23), Ok(()));
            for n in 18..=23 {
                for k in LOG_BLOCK..=n / 2 {
                    let mut out = vec![[[0; 8]; 3]; 1 << (n - LOG_BLOCK)];
                    let (low, high) = out.split_at_mut(1 << (n - LOG_BLOCK - 2));
                    chunks(&tables, n, k, 1 << (n - k - 2), high);
                    chunks(&tables, n, k, 0, low);
                    assert!(out == tables.level(n), "{isa}, level {n}, chunks of 2^{k}");
                }
            }
        }
    }
}
