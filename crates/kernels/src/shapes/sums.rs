//! Fills sums of piles: computes the values g(0), ..., g(N) of single piles that a move may split.
//!
//! A move takes t coins from a pile of n, and leaves nothing, one pile, or two piles. The value of
//! two piles is the nim-sum of their values. Visiting all pairs costs n steps for each value.
//! *Sparse spaces* (Guy and Smith; Flammenkamp) need a few hundred:
//!
//! ```text
//!   R  the values v with an even number of bits in v & mask     0 is in R
//!   C  the others                                               R ^ R = R,  R ^ C = C,  C ^ C = R
//! ```
//!
//! In many games nearly all values are in C for a suitable mask. Two piles have a value in C iff
//! one pile has a value in R and the other in C. So the pairs with one of the few piles in R give
//! *all* options in C. Let c be the least number in C that no option has. Then g(n) is c, unless no
//! option has some smaller r in R. So pairs of piles are visited until every r < c was seen, which
//! happens soon. If some r is still missing after all pairs, the least such r is the value. The
//! result is right for any mask.
//!
//! Whenever the length of the row has doubled, the filler chooses the mask with the fewest piles in
//! R so far. Then it also tests the row for a *period*. Suppose that no move takes over t coins,
//! piles of t or more allow all moves, and g(n + p) = g(n) for n = m to 2m + p + t. Then the
//! equation holds for all n >= m (Guy and Smith). Proof by induction: if n + p leaves two piles,
//! one is at least m + p. Taking p coins from it gives an option of n with the same value.

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

/// The values of options. Each value is marked with the last pile that has an option of this value.
struct Marks {
    marks: Vec<u32>,
    pile: u32,
}

impl Marks {
    fn mark(&mut self, value: u16) -> bool {
        let mark = &mut self.marks[usize::from(value)];
        let is_new = *mark != self.pile;
        *mark = self.pile;
        is_new
    }

    fn has(&self, value: usize) -> bool {
        self.marks.get(value).is_some_and(|&mark| mark == self.pile)
    }
}

fn is_rare(value: u16, mask: u16) -> bool {
    (value & mask).count_ones().is_multiple_of(2)
}

/// The length of the row at which the first mask is chosen.
const FIRST_LOOK: usize = 128;

impl Splits {
    /// Computes the values of piles of 0, ..., `last` coins. Regularly calls `go_on` with the
    /// current pile. Returns `None` if `go_on` returns false, or if a value exceeds 16 bits.
    ///
    /// # Panics
    /// If a move takes nothing and does not split.
    pub fn values(&self, last: usize, mut go_on: impl FnMut(usize) -> bool) -> Option<Vec<u16>> {
        let idle = |leaving: &Leaving| leaving.taken == 0 && (leaving.one || leaving.nothing);
        assert!(!self.leaving.iter().any(idle), "a move takes something or splits");
        let mut values = vec![0u16];
        let mut seen = Marks { marks: vec![u32::MAX; 1 << 17], pile: 0 };
        // At first there is no mask: every value is in R, and all pairs are visited.
        let (mut mask, mut rare) = (0, vec![0usize; 0]);
        let mut next_look = FIRST_LOOK;
        for n in 1..=last {
            if n.is_multiple_of(1 << 10) && !go_on(n) {
                return None;
            }
            if n == next_look {
                if let Some(period) = self.period(&values) {
                    (n..=last).for_each(|n| values.push(values[n - period]));
                    return Some(values);
                }
                mask = best_mask(&values);
                rare = (1..n).filter(|&pile| is_rare(values[pile], mask)).collect();
                next_look *= 2;
            }
            seen.pile = u32::try_from(n).ok()?;
            if self.lowers_any {
                values.iter().for_each(|&value| _ = seen.mark(value));
            }
            for leaving in self.leaving.iter().filter(|leaving| leaving.from() <= n) {
                let left = n - leaving.taken;
                if left == 0 && leaving.nothing || left > 0 && leaving.one {
                    seen.mark(values[left]);
                }
                if !leaving.two {
                    continue;
                }
                for &pile in rare.iter().take_while(|&&pile| pile < left) {
                    if !(leaving.unequal && 2 * pile == left) {
                        seen.mark(values[pile] ^ values[left - pile]);
                    }
                }
            }
            let value = self.least(n, mask, &values, &mut seen)?;
            if is_rare(value, mask) {
                rare.push(n);
            }
            values.push(value);
        }
        Some(values)
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

    /// Returns the least value that no option has. All options in C must be marked already.
    fn least(&self, n: usize, mask: u16, values: &[u16], seen: &mut Marks) -> Option<u16> {
        let splits = |leaving: &&Leaving| leaving.two && leaving.taken < n && leaving.least <= n;
        let splitting = self.leaving.iter().filter(splits);
        if splitting.clone().next().is_none() {
            return (0..=u16::MAX).find(|&value| !seen.has(value.into()));
        }
        // Without a mask, C is empty, and all values below the limit are in R.
        let limit = seen.marks.len() / 2;
        let is_common = |value: &usize| !is_rare(*value as u16, mask);
        let common = match mask {
            0 => limit,
            _ => (0..limit).filter(is_common).find(|&value| !seen.has(value))?,
        };
        let mut missing = match mask {
            0 => usize::MAX,
            _ => (0..common).filter(|&v| is_rare(v as u16, mask) && !seen.has(v)).count(),
        };
        // The kinds of splits take turns, because a value may occur in only one kind.
        for at in 0..n / 2 {
            if missing == 0 {
                break;
            }
            for leaving in splitting.clone() {
                let left = n - leaving.taken;
                let last = if leaving.unequal { (left - 1) / 2 } else { left / 2 };
                if at >= last {
                    continue;
                }
                // Visit the middle too: in periodic rows some values occur only there.
                let pile = if at.is_multiple_of(2) { 1 + at / 2 } else { last - at / 2 };
                let value = values[pile] ^ values[left - pile];
                if usize::from(value) < common && is_rare(value, mask) && seen.mark(value) {
                    missing -= 1;
                }
            }
        }
        let rare = (0..common).find(|&v| is_rare(v as u16, mask) && !seen.has(v));
        u16::try_from(rare.unwrap_or(common)).ok()
    }
}

/// Returns the mask for which the fewest piles have values in R.
fn best_mask(values: &[u16]) -> u16 {
    let largest = values.iter().copied().max().unwrap_or(0);
    let bits = (16 - largest.leading_zeros()).min(10);
    let mut counts = vec![0u32; usize::from(largest) + 1];
    values.iter().for_each(|&value| counts[usize::from(value)] += 1);
    let rare = |mask: &u16| -> u32 {
        let counted = (0..).zip(&counts);
        counted.filter(|(value, _)| is_rare(*value, *mask)).map(|(_, &count)| count).sum()
    };
    (1..1u32 << bits).map(|mask| mask as u16).min_by_key(rare).unwrap_or(1)
}
