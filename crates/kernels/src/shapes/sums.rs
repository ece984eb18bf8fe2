//! Fills sums of piles: computes the values g(0), ..., g(N) of single piles that a move may split.
//!
//! A move takes t coins from a pile of n, and leaves nothing, one pile, or two piles. The value of
//! two piles is the nim-sum of their values. The filler marks the values of some pairs of piles,
//! and then searches all pairs for each number v that has no mark, beginning with the least. A
//! search compares many pairs with v at once, because one list of values is stored in both
//! directions, and it ends at the first pair with the value v. The least number that no pair has
//! is g(n). A mark takes as long as tens of compared pairs, but one mark may spare a whole search.
//! So the number of marks follows the length of the searches for the piles before.
//!
//! Only the last search visits all pairs. *Sparse spaces* (Guy and Smith; Flammenkamp) spare it:
//!
//! ```text
//!   R  the piles with an even number of bits in value & mask      0 is in R
//!   C  the others                                                 R + R: even, R + C: odd
//! ```
//!
//! The space may also count the last bit of the size of a pile. In some games, nearly all piles are
//! in C for a suitable mask. Two piles have an odd number of bits iff one of them is in R and the
//! other in C. So the pairs with one of the few piles in R give *all* options with odd numbers of
//! bits, and such a number needs no search. The result is right for any mask.
//!
//! If a move may take any number of a large set and leaves one pile, the filler keeps a row of bits
//! for each value v: bit n is set if some number of the set leads from n to a pile of value v. Each
//! pile adds the set, shifted, to one of the rows, a word at a time.
//!
//! Whenever the length of the row has doubled, the filler chooses the space with the fewest piles
//! in R so far. Then it also tests the row for a *period*. Suppose that no move takes over t coins,
//! piles of t or more allow all moves, and g(n + p) = g(n) for n = m to 2m + p + t. Then the
//! equation holds for all n >= m (Guy and Smith). Proof by induction: if n + p leaves two piles,
//! one is at least m + p. Taking p coins from it gives an option of n with the same value.

use std::ops::Range;

use crate::compiled::{Compiled, Compiler};

/// The results of a move that takes `taken` coins from a pile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leaving {
    pub taken: usize,
    /// The smallest pile that allows this move, if it is larger than `taken`.
    pub least: usize,
    /// True if the move may leave nothing.
    pub nothing: bool,
    /// True if the move may leave one pile.
    pub one: bool,
    /// True if the move may leave two piles.
    pub two: bool,
    /// True if the two piles must differ.
    pub unequal: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Splits {
    /// The possible results for each number of coins taken.
    pub leaving: Vec<Leaving>,
    /// True if a move may also lower a pile to any smaller pile, or to nothing.
    pub lowers_any: bool,
    /// True if large piles may have more moves than are listed.
    pub is_cut: bool,
}

impl Leaving {
    fn from(&self) -> usize {
        self.taken.max(self.least)
    }
}

/// A sparse space.
#[derive(Clone, Copy, Debug, Default)]
struct Space {
    mask: u16,
    /// 1 if the last bit of the size of a pile counts, otherwise 0.
    parity: usize,
}

impl Space {
    #[inline(always)]
    fn is_rare(self, pile: usize, value: u16) -> bool {
        let bits = (value & self.mask).count_ones() as usize + (pile & self.parity);
        bits.is_multiple_of(2)
    }

    /// Returns the space with the fewest piles in R, and the number of these piles.
    fn best(values: &[u16]) -> (Space, usize) {
        let largest = values.iter().copied().max().unwrap_or(0);
        let bits = (16 - largest.leading_zeros()).min(12);
        let mut counts = vec![[0u32; 2]; usize::from(largest) + 1];
        (0..).zip(values).for_each(|(pile, &value)| counts[usize::from(value)][pile % 2] += 1);
        let rare = |space: &Space| -> u32 {
            let of = |(value, [even, odd]): (u16, &[u32; 2])| {
                let count = |pile, count| if space.is_rare(pile, value) { count } else { 0 };
                count(0, *even) + count(1, *odd)
            };
            (0..).zip(&counts).map(of).sum()
        };
        let masks = (1..1u32 << bits).map(|mask| mask as u16);
        let spaces = masks.flat_map(|mask| [0, 1].map(|parity| Space { mask, parity }));
        let fewest = spaces.map(|space| (space, rare(&space) as usize)).min_by_key(|best| best.1);
        fewest.unwrap_or((Space::default(), values.len()))
    }
}

/// The length of the row at which a space is first sought.
const FIRST_LOOK: usize = 128;

/// A space is used if fewer than one pile in this many is in R.
const SHARE: usize = 16;

/// The number of pairs that a search compares before it looks at the results.
const CHUNK: usize = 128;

/// Searching a chunk takes about as long as this number of marks.
const MARKS_OF_CHUNK: usize = 16;
const LEAST_MARKS: usize = 32;

/// The number of values. `seen` has a place for each, so an index needs no test.
const VALUES: usize = 1 << 16;

/// The next pile to fill, and what is known before.
struct Next<'a> {
    leaving: &'a [Leaving],
    pile: usize,
    values: &'a [u16],
    /// The same values in the opposite order: its last one is that of pile 0.
    reversed: &'a [u16],
    space: Option<Space>,
    /// The piles in R.
    rare: &'a [usize],
    /// True for each option that was found.
    seen: &'a mut [bool; VALUES],
    /// The number of pairs to mark. It follows the length of searches.
    marks: &'a mut usize,
}

impl<'a> Next<'a> {
    /// Returns the values of a and of left - a for each a in a range.
    #[inline(always)]
    fn pairs(&self, left: usize, ones: Range<usize>) -> (&'a [u16], &'a [u16]) {
        let first = self.reversed.len() - left + ones.start - 1;
        (&self.values[ones.clone()], &self.reversed[first..first + ones.len()])
    }

    /// Compares the values of pairs with a value until a pair has it. Returns the number of pairs
    /// compared, and whether one was found.
    #[inline(always)]
    fn search(&self, left: usize, last: usize, value: u16) -> (usize, bool) {
        let (ones, others) = self.pairs(left, 1..last + 1);
        let ((chunks, rest), (other_chunks, other_rest)) = (ones.as_chunks(), others.as_chunks());
        for (at, (ones, others)) in (1..).zip(chunks.iter().zip(other_chunks)) {
            if has::<CHUNK>(ones, others, value) {
                return (at * CHUNK, true);
            }
        }
        let mut rest = rest.iter().zip(other_rest);
        (ones.len(), rest.any(|(one, other)| one ^ other == value))
    }
}

/// True if a pair has the value. The loop has no early end, so it becomes vector instructions.
#[inline(always)]
fn has<const N: usize>(ones: &[u16; N], others: &[u16; N], value: u16) -> bool {
    let mut found = 0;
    for at in 0..N {
        found |= u16::from(ones[at] ^ others[at] == value);
    }
    found > 0
}

impl Compiled for Next<'_> {
    type Out = Option<u16>;

    #[inline(always)]
    fn run(self) -> Option<u16> {
        let (leaving, pile) = (self.leaving, self.pile);
        let possible = || leaving.iter().filter(|leaving| leaving.from() <= pile);
        let splitting = || possible().filter(|leaving| leaving.two && pile - leaving.taken > 1);
        let last = |leaving: &Leaving| (pile - leaving.taken - usize::from(leaving.unequal)) / 2;
        for leaving in possible() {
            let left = pile - leaving.taken;
            if left == 0 && leaving.nothing || left > 0 && leaving.one {
                self.seen[usize::from(self.values[left])] = true;
            }
        }
        let each = self.marks.div_ceil(splitting().count().max(1));
        for leaving in splitting() {
            let (left, last) = (pile - leaving.taken, last(leaving));
            for &rare in self.rare.iter().take_while(|&&rare| rare < left) {
                if !(leaving.unequal && 2 * rare == left) {
                    self.seen[usize::from(self.values[rare] ^ self.values[left - rare])] = true;
                }
            }
            // These are pairs of nearly equal piles, because a search begins with small piles.
            let first = (last + 1).saturating_sub(each).max(1);
            let (ones, others) = self.pairs(left, first..last + 1);
            for at in 0..ones.len() {
                self.seen[usize::from(ones[at] ^ others[at])] = true;
            }
        }
        let (mut least, mut searched) = (0, 0);
        let value = loop {
            while *self.seen.get(least)? {
                least += 1;
            }
            let value = least as u16;
            let (mut compared, mut is_found) = (0, false);
            for leaving in splitting() {
                let left = pile - leaving.taken;
                // The piles in R give all options with an odd number of bits.
                if self.space.is_none_or(|space| space.is_rare(left, value)) {
                    let (more, found) = self.search(left, last(leaving), value);
                    (compared, is_found) = (compared + more, found);
                }
                if is_found {
                    break;
                }
            }
            if !is_found {
                break value;
            }
            searched += compared.div_ceil(CHUNK);
            least += 1;
        };
        *self.marks = match searched * MARKS_OF_CHUNK > *self.marks {
            true => *self.marks + self.marks.div_ceil(16),
            false => (*self.marks - *self.marks / 16).max(LEAST_MARKS),
        };
        Some(value)
    }
}

/// The piles from which numbers of a set lead to each value.
struct Reach {
    /// Bit t is set if a move may take t coins.
    taken: Vec<u64>,
    /// Bit n of `piles[v]` is set if such a move leads from n to a pile of value v.
    piles: Vec<Vec<u64>>,
}

impl Reach {
    /// The number of values whose rows of bits are kept; more would need too much memory.
    const MOST: usize = 256;

    /// Removes the moves that take a number of a set and leave one pile, if they are so many that
    /// rows of bits are faster than visits.
    fn of(leaving: &mut Vec<Leaving>, last: usize) -> Option<Reach> {
        let in_set = |l: &Leaving| l.nothing && l.one && !l.two && l.least <= l.taken;
        let count = leaving.iter().filter(|leaving| in_set(leaving)).count();
        if count <= 16 + last / 256 {
            return None;
        }
        let mut taken = vec![0; last / 64 + 1];
        for leaving in leaving.extract_if(.., |leaving| in_set(leaving)) {
            if leaving.taken <= last {
                taken[leaving.taken / 64] |= 1 << (leaving.taken % 64);
            }
        }
        let mut reach = Reach { taken, piles: Vec::new() };
        reach.add(0, 0);
        Some(reach)
    }

    fn mark(&self, pile: usize, seen: &mut [bool; VALUES]) {
        for (seen, row) in seen.iter_mut().zip(&self.piles) {
            *seen |= row[pile / 64] >> (pile % 64) & 1 == 1;
        }
    }

    /// Adds a pile with its value. Returns false if the value is too large.
    fn add(&mut self, pile: usize, value: u16) -> bool {
        let value = usize::from(value);
        if value >= Reach::MOST {
            return false;
        }
        if value >= self.piles.len() {
            self.piles.resize(value + 1, vec![0; self.taken.len()]);
        }
        let (words, bits) = (pile / 64, pile % 64);
        let row = &mut self.piles[value][words..];
        row.iter_mut().zip(&self.taken).for_each(|(to, from)| *to |= from << bits);
        if bits > 0 {
            let carried = row[1..].iter_mut().zip(&self.taken);
            carried.for_each(|(to, from)| *to |= from >> (64 - bits));
        }
        true
    }
}

/// The number of searches, measured in numbers of all pairs, that a pile takes without a space.
const SEARCHES: f64 = 5.0;

/// The number of piles from which [`Splits::work`] extrapolates.
const FEW: usize = 1 << 14;

/// The maximum number of moves that split a pile for which [`Splits::work`] fills these piles.
const MOST_KINDS: usize = 16;

impl Splits {
    /// Returns about the number of pairs to compare for the piles of 1, ..., `last` coins.
    pub fn work(&self, compiler: Compiler, last: usize) -> f64 {
        let kinds = self.leaving.iter().filter(|leaving| leaving.two).count();
        // Filling few piles takes long, too, if many kinds of moves split them.
        let is_plain = self.lowers_any || kinds == 0 || kinds > MOST_KINDS;
        let kinds = kinds as f64;
        let all = |piles: usize| kinds * SEARCHES * (piles as f64).powi(2) / 4.0;
        if is_plain || last <= FEW {
            return all(last);
        }
        let values = self.values(compiler, FEW, |_| true);
        if values.len() <= FEW {
            return all(last);
        }
        if self.period(&values).is_some() {
            return all(FEW);
        }
        // The number of piles in R grows with a power of the number of piles.
        let [half, whole] = [FEW / 2, FEW].map(|piles| Space::best(&values[..piles]).1 as f64);
        let growth = (whole / half).log2();
        let (mut work, mut piles) = (all(FEW), FEW);
        while piles < last {
            let next = (2 * piles).min(last);
            let rare = whole * (next as f64 / FEW as f64).powf(growth);
            let sparse = kinds * rare * (CHUNK / MARKS_OF_CHUNK) as f64 * (next - piles) as f64;
            let is_sparse = rare < (next / SHARE) as f64;
            work += if is_sparse { sparse } else { all(next) - all(piles) };
            piles = next;
        }
        work
    }

    /// Computes the values of piles of 0, ..., `last` coins. Regularly calls `go_on` with the
    /// current pile. Returns fewer values if `go_on` returns false, or if a value exceeds 16 bits.
    ///
    /// # Panics
    /// If a move takes nothing and does not split.
    pub fn values(
        &self,
        compiler: Compiler,
        last: usize,
        go_on: impl FnMut(usize) -> bool,
    ) -> Vec<u16> {
        self.values_with(compiler, last, SHARE, go_on)
    }

    fn values_with(
        &self,
        compiler: Compiler,
        last: usize,
        share: usize,
        mut go_on: impl FnMut(usize) -> bool,
    ) -> Vec<u16> {
        let idle = |leaving: &Leaving| leaving.taken == 0 && (leaving.one || leaving.nothing);
        assert!(!self.leaving.iter().any(idle), "a move takes something or splits");
        // If all smaller numbers are options, too many values differ for a space.
        let splits = !self.lowers_any && self.leaving.iter().any(|leaving| leaving.two);
        let (mut values, mut reversed) = (vec![0; last + 1], vec![0; last + 1]);
        // `below` has the values of all smaller piles, if all are options.
        let (mut below, mut seen) = (Box::new([false; VALUES]), Box::new([false; VALUES]));
        below[0] = self.lowers_any;
        let mut leaving = self.leaving.clone();
        let mut reach = Reach::of(&mut leaving, last);
        let (mut space, mut rare) = (None, Vec::new());
        let (mut marks, mut next_look, mut end) = (LEAST_MARKS, FIRST_LOOK, 1);
        for pile in 1..=last {
            if pile.is_multiple_of(1 << 10) && !go_on(pile) {
                values.truncate(pile);
                return values;
            }
            if pile == next_look {
                let known = &values[..pile];
                if let Some(period) = self.period(known) {
                    (pile..=last).for_each(|pile| values[pile] = values[pile - period]);
                    return values;
                }
                let best = Some(known).filter(|_| splits).map(Space::best);
                space = best.filter(|best| best.1 < pile / share).map(|(space, _)| space);
                let is_rare = |&at: &usize| space.is_some_and(|space| space.is_rare(at, known[at]));
                rare = (1..pile).filter(is_rare).collect();
                next_look *= 2;
            }
            seen[..end].copy_from_slice(&below[..end]);
            reach.iter().for_each(|reach| reach.mark(pile, &mut seen));
            let found = compiler.run(Next {
                leaving: &leaving,
                pile,
                values: &values[..pile],
                reversed: &reversed[last + 1 - pile..],
                space,
                rare: &rare,
                seen: &mut seen,
                marks: &mut marks,
            });
            let Some(value) = found else {
                values.truncate(pile);
                return values;
            };
            (values[pile], reversed[last - pile]) = (value, value);
            if space.is_some_and(|space| space.is_rare(pile, value)) {
                rare.push(pile);
            }
            if rare.len() > pile / share {
                (space, rare) = (None, Vec::new());
            }
            end = end.max((usize::from(value) + 1).next_power_of_two());
            if self.lowers_any {
                below[usize::from(value)] = true;
            }
            if reach.as_mut().is_some_and(|reach| !reach.add(pile, value)) {
                (reach, leaving) = (None, self.leaving.clone());
            }
        }
        values
    }

    /// Returns a period that is proved for all large piles. Compares each value only a few times.
    pub fn period(&self, values: &[u16]) -> Option<usize> {
        // The theorem does not cover unequal piles, nor moves that take any number.
        if self.lowers_any || self.is_cut || self.leaving.iter().any(|leaving| leaving.unequal) {
            return None;
        }
        let most_taken = self.leaving.iter().map(Leaving::from).max()?;
        let known = values.len();
        let mut left = 16 * known;
        (1..known / 2).take_while(|period| 2 * period + most_taken < known).find(|period| {
            let equal = (0..known - period).rev().take(left);
            let run = equal.take_while(|&n| values[n] == values[n + period]).count();
            left = left.saturating_sub(run + 1);
            let from = (known - period - run).max(1);
            2 * from + 2 * period + most_taken < known
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Isa;

    /// Octal codes and Grundy's game have the same values with a space and without one. The parity
    /// of the pile decides in the fourth code.
    #[test]
    fn sparse_spaces_change_no_value() {
        let octal = |digits: &[u8]| {
            let of = |(taken, digit): (usize, &u8)| {
                let bit = |bit: u8| digit >> bit & 1 == 1;
                let (nothing, one, two) = (bit(0), bit(1), bit(2));
                Leaving { taken, nothing, one, two, ..Leaving::default() }
            };
            digits.iter().enumerate().map(of).collect()
        };
        let unequal = vec![Leaving { two: true, unequal: true, ..Leaving::default() }];
        let codes: [&[u8]; 5] = [&[0, 0, 0, 6], &[0, 3, 7], &[0, 7, 6], &[0, 0, 4], &[0, 0, 1, 6]];
        let games = codes.map(octal).into_iter().chain([unequal]);
        for leaving in games {
            let splits = Splits { leaving, ..Splits::default() };
            let by = |share| splits.values_with(Compiler::new(Isa::best()), 4000, share, |_| true);
            assert_eq!(by(1), by(usize::MAX), "{splits:?}");
        }
    }
}
