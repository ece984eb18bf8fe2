//! A block of at most 256 families of one pile, with the moves that each of them uses.
//!
//! Four disjoint sets classify the moves:
//!
//! ```text
//!   all        every family uses the move
//!   disputed   the move has a row: bit f = family f uses it
//!   few        the move has a list of the families that use it
//!   most       the move has a list of the families that do not
//! ```
//!
//! No family uses a move outside these sets. A row takes a bit for each family, so 32 bytes for 256
//! families. A list takes eight bytes, one for each of its families; if there are fewer families,
//! the list repeats the last one.
//!
//! A block that is not full has no lists. Its rows have one byte for eight families, and grow with
//! the number of families. Rows are copied at every eighth family, and whenever a move gets a row,
//! mostly among the first few dozen families. Blocks are small, so copies are fast. The 256th
//! family closes a block. Then moves with few users or few non-users get lists instead of rows, and
//! the block does not change any more.

use crate::weights::OfLevel;

/// For each pile m, the search compares at most this many known families. If it compared more, it
/// would use the first families less often, and so make more families in total.
pub(crate) const COMPARED: usize = 8;

pub(crate) const FULL: usize = 256;

const ROW: usize = FULL / 8;

const LIST: usize = 8;

/// One bit for each family of a block.
pub(crate) type Set = [u64; FULL / 64];

#[derive(Debug, Default)]
pub(crate) struct Block {
    /// The four sets of moves, one after another: `all`, `disputed`, and in a full block also `few`
    /// and `most`. Move x is bit x % 64 of word x / 64.
    sets: Box<[u64]>,
    /// For each word of the sets, the number of rows (in a full block, also of lists) before it.
    before: Box<[u16]>,
    rows: Box<[u8]>,
    lists: Box<[List]>,
    count: u16,
    words: u16,
}

/// At most eight families of a block in ascending order. Each byte is the index of a family.
#[derive(Clone, Copy, Debug)]
struct List(u64);

/// Returns a word whose eight bytes all equal this byte.
const fn spread(byte: u8) -> u64 {
    u64::from_le_bytes([byte; LIST])
}

impl List {
    /// Creates the list of a set that has one to eight families.
    fn of(set: &Set) -> List {
        let mut families =
            (0..).zip(set).flat_map(|(k, &word)| ones(word).map(move |f| k * 64 + f));
        let mut last = 0;
        List(u64::from_le_bytes(std::array::from_fn(|_| {
            last = families.next().unwrap_or(last);
            last as u8
        })))
    }

    /// True if the list contains a family. All eight bytes of the argument are the family's index.
    fn has(self, spread_family: u64) -> bool {
        // True if a byte of the difference is zero. The subtraction turns the lowest zero byte into
        // 0xFF. If no byte is zero, there is no borrow, and no byte gets a new highest bit.
        let differs = self.0 ^ spread_family;
        differs.wrapping_sub(spread(1)) & !differs & spread(0x80) != 0
    }

    fn set(self) -> Set {
        let mut set = Set::default();
        for family in self.0.to_le_bytes() {
            set[usize::from(family) / 64] |= 1 << (family % 64);
        }
        set
    }
}

/// Returns the indices of the set bits of a word in ascending order.
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// Counts the set bits of a word below a given bit.
fn below(word: u64, bit: u32) -> usize {
    (word & ((1 << bit) - 1)).count_ones() as usize
}

fn size(words: &[u64]) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}

fn set(row: &[u8; ROW]) -> Set {
    let mut set = Set::default();
    for (word, bytes) in set.iter_mut().zip(row.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    set
}

impl Block {
    pub(crate) fn count(&self) -> usize {
        usize::from(self.count)
    }

    fn width(&self) -> usize {
        self.count().div_ceil(8)
    }

    fn all(&self) -> &[u64] {
        &self.sets[..usize::from(self.words)]
    }

    fn disputed(&self) -> &[u64] {
        let words = usize::from(self.words);
        &self.sets[words..][..words]
    }

    /// Returns the words (few, most) of the moves with lists, or none if the block is not full.
    fn listed(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let words = usize::from(self.words);
        let (few, most) = self.sets[words * 2..].split_at(self.before.len() - words);
        few.iter().copied().zip(most.iter().copied())
    }

    /// Returns the row of a move. `disputed` contains the word's disputed moves. Bit f % 8 of byte
    /// f / 8 is set if family f uses the move. Bits beyond the families of the block are arbitrary.
    fn row(&self, word: usize, disputed: u64, bit: u32) -> &[u8; ROW] {
        let row = usize::from(self.before[word]) + below(disputed, bit);
        self.rows[row * self.width()..].first_chunk().expect("rows are padded")
    }

    /// Returns the list of a move. The bits of `listed` are the moves of the word that have lists.
    fn list(&self, word: usize, listed: u64, bit: u32) -> List {
        let before = self.before[usize::from(self.words) + word];
        self.lists[usize::from(before) + below(listed, bit)]
    }

    pub(crate) fn unite(&self, family: u8, used: &mut [u64]) {
        let (byte, shift) = (usize::from(family) / 8, family % 8);
        for (word, (all, disputed)) in self.all().iter().zip(self.disputed()).enumerate() {
            used[word] |= all;
            for bit in ones(disputed & !used[word]) {
                used[word] |= u64::from(self.row(word, *disputed, bit)[byte] >> shift & 1) << bit;
            }
        }
        let spread_family = spread(family);
        for (word, (few, most)) in self.listed().enumerate() {
            for bit in ones((few | most) & !used[word]) {
                let uses =
                    self.list(word, few | most, bit).has(spread_family) != (most >> bit & 1 == 1);
                used[word] |= u64::from(uses) << bit;
            }
        }
    }

    /// Returns the families that use neither a move of `holes` nor the move `hole`, which is a word
    /// and a bit. Move x is bit x % 64 of word x / 64 of `holes`; moves above the pile are ignored.
    /// Returns `None` if an early check excludes all families.
    #[inline]
    pub(crate) fn without(&self, holes: &[u64], hole: Option<(usize, u32)>) -> Option<Set> {
        let all = self.all();
        let none = all.is_empty()
            || hole.is_some_and(|(word, bit)| all[word] >> bit & 1 == 1)
            || all.iter().zip(holes).fold(0, |met, (all, holes)| met | all & holes) != 0;
        (!none).then(|| self.divided(holes, hole))
    }

    /// Completes [`without`](Block::without) if no hole is used by all families.
    fn divided(&self, holes: &[u64], hole: Option<(usize, u32)>) -> Set {
        let mut taken = Set::default();
        let mut take = |row: &[u8; ROW]| {
            for (taken, row) in taken.iter_mut().zip(set(row)) {
                *taken |= row;
            }
        };
        for (word, (disputed, holes)) in self.disputed().iter().zip(holes).enumerate() {
            for bit in ones(disputed & holes) {
                take(self.row(word, *disputed, bit));
            }
        }
        if let Some((word, bit)) = hole
            && let disputed = self.disputed()[word]
            && disputed >> bit & 1 == 1
        {
            take(self.row(word, disputed, bit));
        }
        if !self.lists.is_empty() {
            self.take_listed(holes, hole, &mut taken);
        }
        let mut left = self.count();
        taken.map(|taken| {
            let there = if left < 64 { (1 << left) - 1 } else { u64::MAX };
            left = left.saturating_sub(64);
            !taken & there
        })
    }

    /// Adds the families that use a hole, for the holes that have lists.
    #[inline(never)]
    fn take_listed(&self, holes: &[u64], hole: Option<(usize, u32)>, taken: &mut Set) {
        for (word, ((few, most), &holes)) in self.listed().zip(holes).enumerate() {
            let hole = hole.filter(|hole| hole.0 == word).map_or(0, |(_, bit)| 1 << bit);
            for bit in ones((few | most) & (holes | hole)) {
                let others = if most >> bit & 1 == 1 { u64::MAX } else { 0 };
                let listed = self.list(word, few | most, bit).set();
                for (taken, listed) in taken.iter_mut().zip(listed) {
                    *taken |= listed ^ others;
                }
            }
        }
    }

    /// Finds the family that adds the least weight to `used`, among at most [`COMPARED`] families.
    /// If several families add the same weight, takes the first. Returns the family and its weight,
    /// if this weight is less than `limit`.
    pub(crate) fn lightest(
        &self,
        families: &[u8],
        weights: OfLevel<'_>,
        used: &[u64],
        limit: u32,
    ) -> Option<(u32, u8)> {
        let all = weights.added(self.all(), used);
        let limit = limit.checked_sub(all).filter(|&limit| limit > 0)?;
        let (least, family) = match families.len() {
            1 => self.least::<1>(families, weights, used, limit),
            2 => self.least::<2>(families, weights, used, limit),
            3..=4 => self.least::<4>(families, weights, used, limit),
            _ => self.least::<COMPARED>(families, weights, used, limit),
        }?;
        Some((all + least, family))
    }

    /// Implements [`lightest`](Block::lightest) for at most N families, without the moves that all
    /// families use. A small N is worthwhile, because there are often only one or two families.
    fn least<const N: usize>(
        &self,
        families: &[u8],
        weights: OfLevel<'_>,
        used: &[u64],
        limit: u32,
    ) -> Option<(u32, u8)> {
        // Repeat the last family to fill the array. A repetition is never chosen, because the first
        // of several equally light families is chosen.
        let families: [u8; N] = std::array::from_fn(|k| families[k.min(families.len() - 1)]);
        let mut added = [0; N];
        for (word, (disputed, used)) in self.disputed().iter().zip(used).enumerate() {
            for bit in ones(disputed & !used) {
                let weight = weights.one(word as u32 * 64 + bit);
                let row = self.row(word, *disputed, bit);
                for (added, &family) in added.iter_mut().zip(&families) {
                    let byte = u32::from(row[usize::from(family) / 8]);
                    *added += weight * (byte >> (family % 8) & 1);
                }
            }
            if added.iter().all(|&added| added >= limit) {
                return None;
            }
        }
        if !self.lists.is_empty() {
            self.weigh_listed(&families, weights, used, &mut added);
        }
        let each = added.into_iter().zip(families);
        each.min_by_key(|&(added, _)| added).filter(|&(least, _)| least < limit)
    }

    /// For each family, adds the weights of its moves that have lists and are not in `used`.
    #[inline(never)]
    fn weigh_listed(&self, families: &[u8], weights: OfLevel<'_>, used: &[u64], added: &mut [u32]) {
        for (word, ((few, most), used)) in self.listed().zip(used).enumerate() {
            for bit in ones((few | most) & !used) {
                let list = self.list(word, few | most, bit);
                let weight = weights.one(word as u32 * 64 + bit);
                let most = most >> bit & 1 == 1;
                for (added, &family) in added.iter_mut().zip(families) {
                    *added += weight * u32::from(list.has(spread(family)) != most);
                }
            }
        }
    }

    pub(crate) fn push(&mut self, used: &[u64]) {
        debug_assert!(self.count() < FULL);
        if self.count == 0 {
            self.words = used.len() as u16;
            self.sets = [used, &vec![0; used.len()]].concat().into();
            self.before = vec![0; used.len()].into();
            self.count = 1;
            return;
        }
        // The newly disputed moves: only this family uses them, or only this family does not.
        let newly: Vec<u64> = self
            .all()
            .iter()
            .zip(self.disputed())
            .zip(used)
            .map(|((all, disputed), used)| (all & !used) | (used & !all & !disputed))
            .collect();
        let (byte, bit) = (self.count() / 8, self.count % 8);
        if bit == 0 || newly.iter().any(|&word| word != 0) {
            self.lay_out(&newly);
        }
        self.count += 1;
        let (width, mut at) = (self.width(), byte);
        let (_, disputed) = self.sets.split_at(usize::from(self.words));
        for (disputed, used) in disputed.iter().zip(used) {
            for x in ones(*disputed) {
                self.rows[at] |= ((used >> x & 1) as u8) << bit;
                at += width;
            }
        }
    }

    /// Copies the rows into rows with room for a new family. Adds rows for newly disputed moves.
    fn lay_out(&mut self, newly: &[u64]) {
        let (old, new) = (self.width(), self.count() / 8 + 1);
        let count = size(self.disputed()) + size(newly);
        let padding = if count > 0 { ROW - new } else { 0 };
        let mut rows = vec![0; count * new + padding].into_boxed_slice();
        let (all, disputed) = self.sets.split_at_mut(usize::from(self.words));
        let (mut from, mut to, mut before) = (0, 0, 0);
        for (word, newly) in newly.iter().enumerate() {
            self.before[word] = before;
            for x in ones(disputed[word] | newly) {
                if disputed[word] >> x & 1 == 1 {
                    rows[to..][..old].copy_from_slice(&self.rows[from..][..old]);
                    from += old;
                } else if all[word] >> x & 1 == 1 {
                    let whole = usize::from(self.count) / 8;
                    rows[to..][..whole].fill(u8::MAX);
                    rows[to + whole] = (1 << (self.count % 8)) - 1;
                }
                to += new;
                before += 1;
            }
            disputed[word] |= newly;
            all[word] &= !newly;
        }
        self.rows = rows;
    }

    /// Closes a full block: replaces each row by a list if the list is short enough.
    pub(crate) fn close(&mut self) {
        debug_assert_eq!(self.count(), FULL);
        let words = usize::from(self.words);
        let mut disputed = vec![0; words];
        let (mut few, mut most) = (disputed.clone(), disputed.clone());
        let (mut rows, mut lists) = (Vec::new(), Vec::new());
        let (mut rows_before, mut lists_before) = (Vec::new(), Vec::new());
        for (word, &old) in self.disputed().iter().enumerate() {
            rows_before.push((rows.len() / ROW) as u16);
            lists_before.push(lists.len() as u16);
            for bit in ones(old) {
                let row = self.row(word, old, bit);
                let users = set(row);
                let others = users.map(|word| !word);
                if size(&users) <= LIST {
                    lists.push(List::of(&users));
                    few[word] |= 1 << bit;
                } else if size(&others) <= LIST {
                    lists.push(List::of(&others));
                    most[word] |= 1 << bit;
                } else {
                    rows.extend_from_slice(row);
                    disputed[word] |= 1 << bit;
                }
            }
        }
        self.sets = [self.all(), &disputed, &few, &most].concat().into();
        self.before = [rows_before, lists_before].concat().into();
        (self.rows, self.lists) = (rows.into(), lists.into());
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.sets)
            + size_of_val(&*self.before)
            + size_of_val(&*self.rows)
            + size_of_val(&*self.lists)
    }
}
