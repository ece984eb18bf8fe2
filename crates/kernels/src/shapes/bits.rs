//! Fills tables of outcomes, row by row, from the same plans as tables of values.
//!
//! A position is a P-position iff none of its options is a P-position. So a set needs only one bit,
//! which is set if its line contains a P-position. A column is *blocked* if one of its options is a
//! P-position. Adjacent sets block 64 columns at once. Other sets are read only for unblocked
//! columns. If each move within the row has only one option, many columns are decided at once.

use std::io::{self, Read, Write};
use std::ops::Range;

use super::LimitError;
use super::row::{Join, Near, RowSteps, Stream};
use super::walk::Walk;

/// A sequence of bits, lowest first. An extra word allows reading 64 bits from any index.
#[derive(Clone, Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
    count: usize,
}

impl Bits {
    /// Replaces all bits by `count` bits that are 0.
    pub fn reset(&mut self, count: usize) {
        self.words.clear();
        self.words.resize(count / 64 + 2, 0);
        self.count = count;
    }

    pub fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    pub fn has(&self, at: usize) -> bool {
        self.words[at / 64] >> (at % 64) & 1 == 1
    }

    /// Sets each bit from index `at` on if its counterpart in a range of `from` is set.
    pub fn copy(&mut self, at: usize, from: &Bits, range: Range<usize>) {
        for first in range.clone().step_by(64) {
            self.add(at + first - range.start, from.get(first) & low(range.end - first));
        }
    }

    /// Appends a range of bits as bytes, the lowest bit of a byte first. The last byte is padded
    /// with 0.
    pub fn write(&self, range: Range<usize>, bytes: &mut Vec<u8>) {
        let end = bytes.len() + range.len().div_ceil(8);
        for first in range.clone().step_by(64) {
            bytes.extend_from_slice(&(self.get(first) & low(range.end - first)).to_le_bytes());
        }
        bytes.truncate(end);
    }

    /// Writes the number of bits, the number of words, and the words, as little-endian numbers.
    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        write_number(self.count as u64, out)?;
        write_number(self.words.len() as u64, out)?;
        self.words.iter().try_for_each(|&word| write_number(word, out))
    }

    /// Reads what [`Bits::save`] wrote. Takes no memory for words that do not follow.
    fn load(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.count = read_number(from)? as usize;
        self.words.clear();
        for _ in 0..read_number(from)? {
            self.words.push(read_number(from)?);
        }
        Ok(())
    }

    #[inline(always)]
    fn set(&mut self, at: usize) {
        self.words[at / 64] |= 1 << (at % 64);
    }

    /// Returns 64 bits from index `at` on.
    #[inline(always)]
    fn get(&self, at: usize) -> u64 {
        let (word, shift) = (at / 64, at % 64);
        // Shift by 1 and by 63 - shift, because a shift by 64 is not allowed.
        self.words[word] >> shift | self.words[word + 1] << 1 << (63 - shift)
    }

    /// Sets each bit from index `at` on if its counterpart in `bits` is set.
    #[inline(always)]
    fn add(&mut self, at: usize, bits: u64) {
        let (word, shift) = (at / 64, at % 64);
        self.words[word] |= bits << shift;
        self.words[word + 1] |= bits >> 1 >> (63 - shift);
    }

    #[inline(always)]
    fn clear(&mut self, mut at: usize, count: usize) {
        let end = at + count;
        while at < end {
            let (shift, count) = (at % 64, (64 - at % 64).min(end - at));
            self.words[at / 64] &= !(low(count) << shift);
            at += count;
        }
    }
}

fn write_number(number: u64, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&number.to_le_bytes())
}

fn read_number(from: &mut dyn Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// Returns a word whose lowest `count` bits are set; all bits if `count` exceeds 64.
#[inline(always)]
fn low(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// The least number of words that are dropped at once.
const LOT: usize = 4;

/// Fills outcomes row by row. Keeps the cells that later rows read, or all cells.
pub struct OutcomeRows<'a> {
    walk: Box<dyn Walk + 'a>,
    lane: usize,
    /// The P-positions among the cells from `base` on.
    cells: Bits,
    base: usize,
    keeps_all: bool,
    sets: Bits,
    /// The columns of the row with at least one option that is a P-position.
    blocked: Bits,
    /// The columns of the P-positions of the row.
    found: Bits,
    plan: RowSteps,
    given: Vec<u16>,
    filled: u64,
}

/// Returns the bytes of the sets and cells of [`OutcomeRows`], if rows have at most `len` cells and
/// read cells up to `back` cells before their first.
pub(super) fn bytes_in_order(sets: usize, back: usize, len: usize) -> u64 {
    let (sets, kept) = (sets as u64, (back as u64).saturating_add(len as u64));
    // Dropped cells stay until they are an eighth of the others. A row has three lists of bits, and
    // its given values.
    sets.saturating_add(kept).saturating_add(kept / 8) / 8 + 8 * (LOT as u64 + 16) + 4 * len as u64
}

impl<'a> OutcomeRows<'a> {
    pub(super) fn new(walk: Box<dyn Walk + 'a>, lane: usize) -> OutcomeRows<'a> {
        let [cells, mut sets, blocked, found] = <[Bits; 4]>::default();
        sets.reset(walk.sets());
        let (plan, given) = (RowSteps::default(), Vec::new());
        let (base, keeps_all, filled) = (0, false, 0);
        OutcomeRows {
            walk,
            lane,
            cells,
            base,
            keeps_all,
            sets,
            blocked,
            found,
            plan,
            given,
            filled,
        }
    }

    /// Returns the outcomes of all `count` cells: 0 in a P-position, 1 in an N-position.
    pub(super) fn all(mut self, count: usize) -> Result<Bits, LimitError> {
        self.keeps_all = true;
        self.cells.reset(count);
        while self.fill_next()? {}
        let mut cells = self.cells;
        cells.words.iter_mut().for_each(|word| *word = !*word);
        let behind = 64 * cells.words.len() - count;
        cells.clear(count, behind);
        Ok(cells)
    }

    /// Fills the next row; returns false after the last one.
    ///
    /// # Errors
    /// [`LimitError::Stopped`] if the guide stops the work.
    pub fn fill_next(&mut self) -> Result<bool, LimitError> {
        if self.filled > 0 && !self.walk.step() {
            return Ok(false);
        }
        let (at, len) = self.walk.row();
        if !self.keeps_all {
            self.make_room(at, len);
        }
        let OutcomeRows { walk, lane, cells, base, sets, blocked, found, plan, given, .. } = self;
        given.resize(len, 0);
        let known = walk.given(*lane, given);
        plan.plan(len, known == len, |plan, is_given| walk.plan(plan, is_given));
        blocked.reset(len);
        found.reset(len);
        Row { plan, len, sets, cells, base: *base, blocked, found }.fill(at, &given[..known]);
        self.filled += len as u64;
        if self.walk.goes_on(self.filled) { Ok(true) } else { Err(LimitError::Stopped) }
    }

    /// Writes the state after a row: the row itself, and the sets and cells that later rows read.
    pub fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        write_number(self.filled, out)?;
        write_number(self.base as u64, out)?;
        [&self.found, &self.cells, &self.sets].iter().try_for_each(|bits| bits.save(out))
    }

    /// Continues after the row at which a run of the same rows was saved. This run must be new.
    /// Returns false if the state does not fit; then the run is of no use.
    pub fn load(&mut self, from: &mut dyn Read) -> io::Result<bool> {
        let (filled, base) = (read_number(from)?, read_number(from)?);
        let OutcomeRows { found, cells, sets, .. } = self;
        let sizes = (sets.count, sets.words.len());
        [found, cells, sets].into_iter().try_for_each(|bits| bits.load(from))?;
        // Visiting a row takes much less time than filling it.
        let (mut at, mut len) = self.walk.row();
        while (at + len) as u64 != filled {
            if (at + len) as u64 > filled || !self.walk.step() {
                return Ok(false);
            }
            (at, len) = self.walk.row();
        }
        let first = usize::try_from(base).unwrap_or(usize::MAX);
        let fits = first.is_multiple_of(64)
            && first <= self.walk.kept()
            && (at + len - first) / 64 + 2 <= self.cells.words.len()
            && (self.found.count, self.found.words.len()) == (len, len / 64 + 2)
            && (self.sets.count, self.sets.words.len()) == sizes;
        (self.filled, self.base) = (filled, first);
        Ok(fits)
    }

    /// Returns the coordinates of the row, as the guide receives them.
    pub fn outer(&self) -> &[u32] {
        self.walk.outer()
    }

    /// Returns the number of columns of the row.
    pub fn columns(&self) -> usize {
        self.found.count()
    }

    /// Copies the outcomes of some columns of the row to `out`, from index `at` on. These bits of
    /// `out` must still be 0.
    pub fn copy(&self, columns: Range<usize>, out: &mut Bits, at: usize) {
        for first in columns.clone().step_by(64) {
            let bits = !self.found.get(first) & low(columns.end - first);
            out.add(at + first - columns.start, bits);
        }
    }

    /// Drops cells that no row reads any more, and makes room for a row.
    fn make_room(&mut self, at: usize, len: usize) {
        let words = &mut self.cells.words;
        let unread = (self.walk.kept() - self.base) / 64;
        if unread >= LOT && unread >= words.len().saturating_sub(unread) / 8 {
            words.drain(..unread.min(words.len()));
            self.base += 64 * unread;
        }
        let needed = (at + len - self.base) / 64 + 2;
        if needed > words.capacity() {
            // The vector would double its room.
            words.reserve_exact(needed + needed / 8 - words.len());
        }
        words.resize(needed.max(words.len()), 0);
    }
}

struct Row<'a> {
    plan: &'a RowSteps,
    len: usize,
    sets: &'a mut Bits,
    cells: &'a mut Bits,
    /// The number of the first cell in `cells`.
    base: usize,
    /// The columns with at least one option that is a P-position.
    blocked: &'a mut Bits,
    /// The columns of P-positions.
    found: &'a mut Bits,
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

    /// Finds the P-positions from column `from` on. Each move within the row must have only one
    /// option. Decides a group of columns at once. A group is as wide as the shortest move.
    fn find_words(&mut self, from: usize) {
        let near = &self.plan.near;
        let nearest = near.iter().map(|near| near.first).min().unwrap_or(64).min(64);
        for first in (from / 64 * 64..self.len).step_by(64) {
            let word = first / 64;
            let open = low(self.len - first) & !low(from.saturating_sub(first));
            let (free, mut found) = (open & !self.blocked.words[word], 0);
            for at in (0..64).step_by(nearest) {
                let short = near.iter().filter(|near| near.first < 64);
                let blocked = short.fold(0, |bits, near| bits | found << near.first);
                found |= free & !blocked & low(nearest) << at;
            }
            self.found.words[word] |= found;
            for near in near.iter().filter(|near| first + near.first < self.len) {
                self.blocked.add(first + near.first, found);
            }
        }
    }

    /// Copies the P-positions of the row into the cells and the sets.
    fn hand_on(&mut self, at: usize) {
        let Row { plan, len, sets, cells, base, found, .. } = self;
        if found.words.iter().all(|&bits| bits == 0) {
            return;
        }
        for first in (0..*len).step_by(64) {
            cells.add(at - *base + first, found.words[first / 64]);
        }
        for stream in plan.streams.iter().filter(|stream| stream.write) {
            let mut is_met = false;
            for first in (0..*len).step_by(64) {
                let mut bits = found.words[first / 64];
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

    /// Updates the sets for the row. Blocks the columns that have a P-position as an option in an
    /// earlier row. The caller reads the sets that are not adjacent.
    fn gather(&mut self, reads: bool) {
        let Row { plan, len, sets, cells, base, blocked, .. } = self;
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
            if cells.has(cell - *base) {
                blocked.set(column);
            }
        }
        for values in plan.values.iter().filter(|values| values.shift < values.end) {
            for column in (values.shift..values.end).step_by(64) {
                let bits = cells.get(values.cells - *base + column - values.shift);
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
        for first in (0..*len).step_by(64) {
            let plain = plan.streams.iter().filter(|stream| stream.is_plain());
            blocked.words[first / 64] |=
                plain.fold(0, |b, stream| b | sets.get(stream.start + first));
        }
        let others = plan.streams.iter().filter(|stream| stream.read && !stream.is_plain());
        for stream in others.filter(|stream| stream.stride == 1) {
            for column in (stream.from..*len).step_by(64) {
                let bits = sets.get(stream.at(column)) & low(*len - column);
                blocked.add(column, bits & open(plan, *len, stream.mask, column));
            }
        }
    }

    /// Returns the first column that is not blocked, from `column` on.
    #[inline(always)]
    fn free(&self, column: usize) -> Option<usize> {
        let mut word = column / 64;
        let mut free = !self.blocked.words[word] & !low(column % 64);
        while free == 0 {
            word += 1;
            if 64 * word >= self.len {
                return None;
            }
            free = !self.blocked.words[word];
        }
        Some(64 * word + free.trailing_zeros() as usize).filter(|&free| free < self.len)
    }

    fn opens(&self, mask: Option<usize>, column: usize) -> bool {
        mask.is_none_or(|mask| self.plan.masks[mask * self.len + column])
    }

    /// Blocks each column of the row from which a move leads to this column, a P-position.
    #[inline(always)]
    fn block_right(&mut self, column: usize) {
        for near in &self.plan.near {
            if let (Near { first: 1, step: 1, mask: None }, true) = (near, self.len <= 64) {
                self.blocked.words[0] |= !low(column + 1);
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

/// Returns a bit for each of the 64 columns from `column` on: 1 if the mask opens the column.
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
