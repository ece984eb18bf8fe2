//! Searches for the least box in which value classes are unions of types.
//!
//! Two numbers above a gap of at least C + m can be lowered by m without a change of type, and such
//! steps lead to the least member of each type. So the classes are unions of types of the cap C and
//! the modulus m iff no such step changes the value. One pass over the table finds the least C for
//! a given m: a step that changes the value at a gap d excludes all C up to d - m.

/// The entry of a table for piles that are not a position.
pub const NOT_A_POSITION: u8 = u8::MAX;

/// The values of all positions of one length, with piles up to a bound.
#[derive(Clone, Debug)]
pub struct Table {
    /// The number of piles.
    pub length: usize,
    /// The largest pile.
    pub most: usize,
    /// The values, at the place with the digits p1, p2, ... in base `most` + 1. Values above the
    /// largest value of interest are equal.
    pub values: Vec<u8>,
}

/// A cap and a modulus whose types are finer than the classes of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The cap.
    pub cap: i128,
    /// The modulus.
    pub modulus: i128,
    /// The box.
    pub most: i128,
}

impl Found {
    /// True if numbers with these gaps are the least of their type.
    pub(super) fn is_least(&self, gaps: &[i64]) -> bool {
        gaps.iter().all(|&gap| i128::from(gap) < self.cap + self.modulus)
    }
}

/// Returns the gaps between 0 and the piles, in ascending order.
pub(super) fn gaps(piles: &[i64]) -> Vec<i64> {
    let mut points = [&[0], piles].concat();
    points.sort_unstable();
    points.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

impl Table {
    /// Returns the piles of a place.
    pub(super) fn piles(&self, place: usize) -> Vec<i64> {
        let side = self.most + 1;
        let digit = |at| (place / side.pow((self.length - 1 - at) as u32) % side) as i64;
        (0..self.length).map(digit).collect()
    }

    /// Returns the values of all positions with piles up to `most`, in order.
    pub(super) fn values_within(&self, most: usize) -> Vec<u8> {
        let side = self.most + 1;
        let is_within = |mut place: usize| {
            (0..self.length).all(|_| {
                let pile = place % side;
                place /= side;
                pile <= most
            })
        };
        let all = self.values.iter().enumerate();
        let kept = all.filter(|(place, value)| **value != NOT_A_POSITION && is_within(*place));
        kept.map(|(_, value)| *value).collect()
    }

    /// Returns the least cap that is at least `cap` for which the classes are unions of types of
    /// this modulus; `None` if it exceeds `most`.
    fn least_cap(&self, modulus: usize, mut cap: usize, most: usize) -> Option<usize> {
        let side = self.most + 1;
        let prefixes = side.pow(self.length as u32 - 1);
        let mut prefix = vec![0; self.length - 1];
        for place in (0..prefixes).rev() {
            let mut rest = place;
            for pile in prefix.iter_mut().rev() {
                (*pile, rest) = (rest % side, rest / side);
            }
            let row = &self.values[place * side..][..side];
            let mut bounds = prefix.clone();
            bounds.sort_unstable();
            bounds.dedup();
            bounds.push(usize::MAX);
            let mut below = 0;
            for high in bounds {
                // The piles from `high` on are lowered, and the largest other pile is `below`.
                let lowered = |pile: &usize| *pile >= high;
                let step = prefix
                    .iter()
                    .fold(0, |step, pile| step * side + if lowered(pile) { modulus } else { 0 });
                if high != usize::MAX && high - below >= cap + modulus {
                    let other = &self.values[(place - step) * side..][..side];
                    while high - below >= cap + modulus {
                        let end = high - cap - modulus + 1;
                        let Some(x) = (0..end.min(side)).find(|&x| row[x] != other[x]) else {
                            break;
                        };
                        cap = high - below.max(x) - modulus + 1;
                    }
                }
                let least = below + cap + modulus;
                if least <= self.most && (high == usize::MAX || least <= high) {
                    let other = &self.values[(place - step) * side..][..side];
                    let changes = |&x: &usize| row[x] != other[x - modulus];
                    if let Some(x) = (least..side).rev().find(changes) {
                        cap = high.min(x) - below - modulus + 1;
                    }
                }
                if cap > most {
                    return None;
                }
                below = if high == usize::MAX { below } else { high };
            }
        }
        Some(cap)
    }
}

/// Returns the least box within the tables, among all caps and moduli. `own` is the least cap and
/// modulus that the game and the statement need. `box_of` returns the box for a cap and a modulus,
/// which must be at least the modulus and must not decrease in the cap. `Err` contains the least
/// box of a cap and a modulus that fit the tables, but need larger tables; `go_on` stops the
/// search.
pub fn least_box(
    tables: &[Table],
    own: (i128, i128),
    box_of: impl Fn(i128, i128) -> i128,
    mut go_on: impl FnMut() -> bool,
) -> Result<Found, Option<i128>> {
    let within = tables.iter().map(|table| table.most as i128).min().unwrap_or(i128::MAX);
    let mut best: Option<Found> = None;
    let mut beyond: Option<i128> = None;
    for modulus in (1..).map(|times| times * own.1) {
        // A box below the best one, or below the best one that is too large for the tables.
        let bound = match (best, beyond) {
            (Some(best), _) => best.most,
            (None, beyond) => beyond.unwrap_or(4 * within),
        };
        if modulus >= bound || !go_on() {
            break;
        }
        let most = (own.0..).take_while(|&cap| box_of(cap, modulus) < bound).last();
        let Some(most) = most else { continue };
        let cap = tables.iter().try_fold(own.0 as usize, |cap, table| {
            table.least_cap(modulus as usize, cap, most as usize)
        });
        let Some(cap) = cap.map(|cap| cap as i128) else { continue };
        let found = Found { cap, modulus, most: box_of(cap, modulus) };
        match found.most <= within {
            true => best = Some(found),
            false => beyond = Some(found.most),
        }
    }
    best.ok_or(beyond)
}
