//! Fills tables of outcomes, row by row, by the same plans as tables of values.
//!
//! A position is a P-position if and only if none of its options is one. So a set needs only one
//! bit, which is set if its line contains a P-position. No cell needs a mex, and a row of adjacent
//! sets blocks 64 columns at once. Other sets are read only for columns that are not blocked yet.
//! If every move within the row has one option, the code decides many columns at once.

use super::row::{Join, Near, RowSteps, Stream};
use super::walk::Walk;
use super::{Guide, LimitError};

/// Bits, the lowest of a word first. An extra word at the end allows a read of 64 bits anywhere.
struct Bits<'a>(&'a mut [u64]);

fn words(bits: usize) -> usize {
    bits / 64 + 2
}

impl Bits<'_> {
    #[inline(always)]
    fn has(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    #[inline(always)]
    fn set(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    /// Returns 64 bits from index `at` on.
    #[inline(always)]
    fn get(&self, at: usize) -> u64 {
        let (word, shift) = (at / 64, at % 64);
        // Shift by 1 and by 63 - shift, because a shift by 64 is not allowed.
        self.0[word] >> shift | self.0[word + 1] << 1 << (63 - shift)
    }

    /// Sets the bits from `at` on that are set in `bits`.
    #[inline(always)]
    fn add(&mut self, at: usize, bits: u64) {
        let (word, shift) = (at / 64, at % 64);
        self.0[word] |= bits << shift;
        self.0[word + 1] |= bits >> 1 >> (63 - shift);
    }

    #[inline(always)]
    fn clear(&mut self, mut at: usize, count: usize) {
        let end = at + count;
        while at < end {
            let (shift, count) = (at % 64, (64 - at % 64).min(end - at));
            self.0[at / 64] &= !(low(count) << shift);
            at += count;
        }
    }
}

/// Returns a word whose lowest `count` bits are set; all bits if `count` exceeds 64.
#[inline(always)]
fn low(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Fills cells with outcomes: 0 in a P-position, 1 in an N-position.
pub(super) fn fill_bits(
    walk: &mut dyn Walk,
    guide: &dyn Guide,
    lane: usize,
    out: &mut [u16],
) -> Result<(), LimitError> {
    let mut cells = vec![0; words(out.len())];
    let mut sets = vec![0; words(walk.sets())];
    let (mut blocked, mut found) = (Vec::new(), Vec::new());
    let (mut plan, mut given, mut filled) = (RowSteps::default(), Vec::new(), 0);
    loop {
        let (at, len) = walk.row();
        given.resize(len, 0);
        let known = walk.given(lane, &mut given);
        plan.clear();
        walk.plan(&mut plan, known == len);
        blocked.clear();
        blocked.resize(words(len), 0);
        found.clear();
        found.resize(words(len), 0);
        let (sets, cells) = (Bits(&mut sets), Bits(&mut cells));
        let (blocked, found) = (Bits(&mut blocked), Bits(&mut found));
        Row { plan: &plan, len, sets, cells, blocked, found }.fill(at, &given[..known]);
        filled += len as u64;
        if !guide.goes_on(filled) {
            return Err(LimitError::Stopped);
        }
        if !walk.step() {
            break;
        }
    }
    for (out, word) in out.chunks_mut(64).zip(&cells) {
        for (at, out) in out.iter_mut().enumerate() {
            *out = u16::from(word >> at & 1 == 0);
        }
    }
    Ok(())
}

struct Row<'a> {
    plan: &'a RowSteps,
    len: usize,
    sets: Bits<'a>,
    cells: Bits<'a>,
    /// The columns that have a P-position as an option.
    blocked: Bits<'a>,
    /// The columns of P-positions.
    found: Bits<'a>,
}

impl Row<'_> {
    fn fill(&mut self, at: usize, given: &[u16]) {
        let plan = self.plan;
        self.gather(given.len() < self.len);
        for (column, _) in given.iter().enumerate().filter(|(_, value)| **value == 0) {
            self.block_right(column);
            self.found.set(column);
        }
        let apart = |stream: &&Stream| stream.read && stream.stride != 1;
        if plan.near.iter().all(|near| near.step == 0 && near.mask.is_none())
            && !plan.streams.iter().any(|stream| apart(&stream))
        {
            self.find_words(given.len());
            return self.hand_on(at);
        }
        let mut column = given.len();
        while let Some(free) = self.free(column) {
            column = free + 1;
            let is_blocked = plan.streams.iter().filter(apart).any(|stream| {
                free >= stream.from
                    && self.opens(stream.mask, free)
                    && self.sets.has(stream.at(free))
            });
            if !is_blocked {
                self.block_right(free);
                self.found.set(free);
            }
        }
        self.hand_on(at);
    }

    /// Finds the P-positions from column `from` on, if every move within the row has one option.
    /// Decides groups of columns at once, each as wide as the shortest such move.
    fn find_words(&mut self, from: usize) {
        let near = &self.plan.near;
        let nearest = near.iter().map(|near| near.first).min().unwrap_or(64).min(64);
        for first in (from / 64 * 64..self.len).step_by(64) {
            let word = first / 64;
            let open = low(self.len - first) & !low(from.saturating_sub(first));
            let (free, mut found) = (open & !self.blocked.0[word], 0);
            for at in (0..64).step_by(nearest) {
                let short = near.iter().filter(|near| near.first < 64);
                let blocked = short.fold(0, |bits, near| bits | found << near.first);
                found |= free & !blocked & low(nearest) << at;
            }
            self.found.0[word] |= found;
            for near in near.iter().filter(|near| first + near.first < self.len) {
                self.blocked.add(first + near.first, found);
            }
        }
    }

    /// Copies the P-positions of the row into the cells and the sets.
    fn hand_on(&mut self, at: usize) {
        let Row { plan, len, sets, cells, found, .. } = self;
        for first in (0..*len).step_by(64) {
            cells.add(at + first, found.0[first / 64]);
        }
        for stream in plan.streams.iter().filter(|stream| stream.write) {
            let mut is_met = false;
            for first in (0..*len).step_by(64) {
                let mut bits = found.0[first / 64];
                if stream.carry {
                    // Set all bits from the lowest set bit on.
                    let met = if is_met { u64::MAX } else { bits | bits.wrapping_neg() };
                    is_met |= bits != 0;
                    bits = met & low(*len - first);
                }
                if stream.stride == 1 && bits != 0 {
                    sets.add(stream.start + first, bits);
                    continue;
                }
                while bits != 0 {
                    sets.set(stream.at(first + bits.trailing_zeros() as usize));
                    bits &= bits - 1;
                }
            }
        }
    }

    /// Moves the sets to the row. Blocks the columns that have a P-position as an option in an
    /// earlier row, but does not read sets that are not adjacent.
    fn gather(&mut self, reads: bool) {
        let Row { plan, len, sets, cells, blocked, .. } = self;
        for &(start, count) in &plan.clear {
            sets.clear(start, count);
        }
        for &Join { to, from, stride, columns } in &plan.joins {
            if stride == 1 {
                for first in (0..columns).step_by(64) {
                    let bits = sets.get(from + first) & low(columns - first);
                    sets.add(to + first, bits);
                }
            } else {
                for at in (0..columns).map(|column| column * stride) {
                    if sets.has(from + at) {
                        sets.set(to + at);
                    }
                }
            }
        }
        for &(column, cell) in &plan.singles {
            if cells.has(cell) {
                blocked.set(column);
            }
        }
        for values in plan.values.iter().filter(|values| values.shift < values.end) {
            for column in (values.shift..values.end).step_by(64) {
                let bits = cells.get(values.cells + column - values.shift);
                let bits = bits & low(values.end - column);
                match values.sets {
                    _ if bits == 0 => {}
                    Some(start) => sets.add(start + column, bits),
                    None => blocked.add(column, bits & open(plan, *len, values.mask, column)),
                }
            }
        }
        for stream in plan.streams.iter().filter(|stream| stream.carry) {
            let mut is_met = false;
            for first in (0..*len).step_by(if stream.stride == 1 { 64 } else { 1 }) {
                if stream.stride != 1 {
                    is_met |= sets.has(stream.at(first));
                    if is_met {
                        sets.set(stream.at(first));
                    }
                    continue;
                }
                let bits = sets.get(stream.start + first) & low(*len - first);
                // Set all bits from the lowest set bit on.
                let met = if is_met { u64::MAX } else { bits | bits.wrapping_neg() };
                is_met |= bits != 0;
                sets.add(stream.start + first, met & low(*len - first));
            }
        }
        if !reads {
            return;
        }
        for stream in plan.streams.iter().filter(|stream| stream.read && stream.stride == 1) {
            for column in (stream.from..*len).step_by(64) {
                let bits = sets.get(stream.at(column)) & low(*len - column);
                if bits != 0 {
                    blocked.add(column, bits & open(plan, *len, stream.mask, column));
                }
            }
        }
    }

    /// Returns the first column that is not blocked, from `column` on.
    #[inline(always)]
    fn free(&self, column: usize) -> Option<usize> {
        let mut word = column / 64;
        let mut free = !self.blocked.0[word] & !low(column % 64);
        while free == 0 {
            word += 1;
            if 64 * word >= self.len {
                return None;
            }
            free = !self.blocked.0[word];
        }
        Some(64 * word + free.trailing_zeros() as usize).filter(|&free| free < self.len)
    }

    fn opens(&self, mask: Option<usize>, column: usize) -> bool {
        mask.is_none_or(|mask| self.plan.masks[mask * self.len + column])
    }

    /// Blocks the columns of the row from which a move leads to this column, a P-position.
    #[inline(always)]
    fn block_right(&mut self, column: usize) {
        for near in &self.plan.near {
            if let (Near { first: 1, step: 1, mask: None }, true) = (near, self.len <= 64) {
                self.blocked.0[0] |= !low(column + 1);
                continue;
            }
            let count = if near.step == 0 { 1 } else { usize::MAX };
            let columns = (column + near.first..self.len).step_by(near.step.max(1)).take(count);
            for column in columns {
                if self.opens(near.mask, column) {
                    self.blocked.set(column);
                }
            }
        }
    }
}

/// Returns 64 columns from `column` on, as the bits that a mask opens.
fn open(plan: &RowSteps, len: usize, mask: Option<usize>, column: usize) -> u64 {
    let Some(mask) = mask else { return u64::MAX };
    let columns = &plan.masks[mask * len + column..(mask + 1) * len];
    columns.chunks(8).take(8).rev().fold(0, |bits, columns| {
        let mut bytes = [0; 8];
        for (byte, &open) in bytes.iter_mut().zip(columns) {
            *byte = u8::from(open);
        }
        // The product moves the lowest bit of each byte to the highest byte.
        bits << 8 | u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
}
