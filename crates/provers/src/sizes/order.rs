//! Orders of points, and linear forms in them.
//!
//! A *point* is a pile, a number that a move leaves, or a number that a quantifier binds. An order
//! puts all points and 0 into blocks of equal numbers. The *gap* j is the difference of the numbers
//! of block j and block j - 1; it is at least 1. In a given order every linear form in the points
//! is a linear form in the gaps.

use std::collections::BTreeMap;

use grundy_language::ast::CompareOp;

/// The largest number in a form. Sums over the gaps of an order then fit into 128 bits.
const LARGEST: u128 = 1 << 62;

fn is_small(number: &i128) -> bool {
    number.unsigned_abs() <= LARGEST
}

/// A sum of multiples of points and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Linear {
    pub(super) of: BTreeMap<usize, i128>,
    pub(super) constant: i128,
}

impl Linear {
    pub(super) fn constant(constant: i128) -> Linear {
        Linear { of: BTreeMap::new(), constant }
    }

    pub(super) fn point(point: usize) -> Linear {
        Linear { of: BTreeMap::from([(point, 1)]), constant: 0 }
    }

    pub(super) fn is_constant(&self) -> bool {
        self.of.is_empty()
    }

    /// Returns `self + times * other`; `None` if a number is larger than [`LARGEST`].
    pub(super) fn plus(&self, times: i128, other: &Linear) -> Option<Linear> {
        let mut of = self.of.clone();
        for (&point, &factor) in &other.of {
            let sum = of.entry(point).or_default();
            *sum = sum.checked_add(factor.checked_mul(times)?).filter(is_small)?;
        }
        of.retain(|_, factor| *factor != 0);
        let constant = self.constant.checked_add(other.constant.checked_mul(times)?);
        let constant = constant.filter(is_small)?;
        Some(Linear { of, constant })
    }

    /// Returns the least modulus m such that the points mod m give the form mod `j`.
    pub(super) fn modulus(&self, j: i128) -> i128 {
        j / self.of.values().fold(j, |shared, &factor| gcd(shared, factor))
    }

    /// Returns the point and the shift of the form `point + shift`. `None` stands for the point 0.
    pub(super) fn as_point(&self) -> Option<(Option<usize>, i128)> {
        match self.of.iter().next() {
            None => Some((None, self.constant)),
            Some((&point, 1)) if self.of.len() == 1 => Some((Some(point), self.constant)),
            Some(_) => None,
        }
    }
}

pub(super) fn gcd(x: i128, y: i128) -> i128 {
    if y == 0 { x.abs() } else { gcd(y, x % y) }
}

/// Returns the least common multiple of two positive numbers.
pub(super) fn lcm(x: i128, y: i128) -> i128 {
    (x / gcd(x, y)).saturating_mul(y)
}

/// The order of the points and 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Order {
    /// The block of each point. The block of 0 is 0.
    pub(super) block: Vec<usize>,
    blocks: usize,
}

/// A comparison of a linear form with 0 in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// It has this result for all gaps.
    Always(bool),
    /// It depends only on the minimum of each gap and this cap.
    WithCap(i128),
    /// Gaps of both signs occur, so no cap decides it.
    Never,
}

impl Order {
    /// Returns all orders that extend this order by one more point.
    pub(super) fn extensions(&self) -> impl Iterator<Item = Order> + '_ {
        (0..=self.blocks).flat_map(move |at| {
            let mut tied = self.clone();
            tied.block.push(at);
            let mut between = self.clone();
            between.block.iter_mut().filter(|block| **block > at).for_each(|block| *block += 1);
            between.block.push(at + 1);
            between.blocks += 1;
            [tied, between]
        })
    }

    /// Returns the order of only some of the points. The others are put into the block of 0.
    pub(super) fn of_points(&self, kept: &[bool]) -> Order {
        let mut numbers: Vec<usize> = self
            .block
            .iter()
            .zip(kept)
            .filter(|(_, kept)| **kept)
            .map(|(block, _)| *block)
            .collect();
        numbers.push(0);
        numbers.sort_unstable();
        numbers.dedup();
        let place = |(&block, &kept): (&usize, &bool)| match kept {
            true => numbers.binary_search(&block).unwrap_or(0),
            false => 0,
        };
        let block = self.block.iter().zip(kept).map(place).collect();
        Order { block, blocks: numbers.len() - 1 }
    }

    /// Decides `form op 0`.
    pub(super) fn decide(&self, form: &Linear, op: CompareOp) -> Decision {
        let mut gaps = vec![0; self.blocks + 1];
        for (&point, &factor) in &form.of {
            gaps[1..=self.block[point]].iter_mut().for_each(|gap| *gap += factor);
        }
        let gaps = &gaps[1..];
        let (up, down) = (gaps.iter().any(|&gap| gap > 0), gaps.iter().any(|&gap| gap < 0));
        if up && down {
            return Decision::Never;
        }
        // Each gap is at least 1, so this sum is the bound of the form.
        let sum: i128 = gaps.iter().sum();
        let bound = sum + form.constant;
        let (least, most) =
            (if down { i128::MIN } else { bound }, if up { i128::MAX } else { bound });
        let always = match op {
            CompareOp::Equal if least > 0 || most < 0 => Some(false),
            CompareOp::Equal if least == 0 && most == 0 => Some(true),
            CompareOp::Unequal if least > 0 || most < 0 => Some(true),
            CompareOp::Unequal if least == 0 && most == 0 => Some(false),
            CompareOp::Less if most < 0 => Some(true),
            CompareOp::Less if least >= 0 => Some(false),
            CompareOp::LessEqual if most <= 0 => Some(true),
            CompareOp::LessEqual if least > 0 => Some(false),
            CompareOp::Greater if least > 0 => Some(true),
            CompareOp::Greater if most <= 0 => Some(false),
            CompareOp::GreaterEqual if least >= 0 => Some(true),
            CompareOp::GreaterEqual if most < 0 => Some(false),
            _ => None,
        };
        if let Some(always) = always {
            return Decision::Always(always);
        }
        // The form exceeds this size iff the comparison has its result for large gaps. A gap of at
        // least the cap suffices for that, and smaller gaps are known.
        let reaches = match op {
            CompareOp::Less | CompareOp::GreaterEqual => up,
            CompareOp::LessEqual | CompareOp::Greater => down,
            _ => false,
        };
        let size = form.constant.abs() - i128::from(reaches);
        let cap = |gap: &i128| (size - (sum.abs() - gap.abs())) / gap.abs() + 1;
        Decision::WithCap(gaps.iter().filter(|gap| **gap != 0).map(cap).max().unwrap_or(1).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// These are twice the ordered Bell numbers, because the first block may be that of 0 or not.
    #[test]
    fn all_orders_are_found_once() {
        let mut all = vec![Order::default()];
        for expected in [2, 6, 26, 150] {
            all = all.iter().flat_map(|order| order.extensions().collect::<Vec<_>>()).collect();
            let mut seen: Vec<&Vec<usize>> = all.iter().map(|order| &order.block).collect();
            seen.sort();
            seen.dedup();
            assert_eq!((all.len(), seen.len()), (expected, expected));
        }
    }

    /// By trying all gaps up to a bound: no decision has an exception.
    #[test]
    fn decisions_have_no_exception() {
        const MOST: i128 = 14;
        let mut orders = vec![Order::default()];
        for _ in 0..2 {
            orders =
                orders.iter().flat_map(|order| order.extensions().collect::<Vec<_>>()).collect();
        }
        let holds = |number: i128, op| match op {
            CompareOp::Equal => number == 0,
            CompareOp::Unequal => number != 0,
            CompareOp::Less => number < 0,
            CompareOp::LessEqual => number <= 0,
            CompareOp::Greater => number > 0,
            _ => number >= 0,
        };
        let all = [
            CompareOp::Equal,
            CompareOp::Unequal,
            CompareOp::Less,
            CompareOp::LessEqual,
            CompareOp::Greater,
            CompareOp::GreaterEqual,
        ];
        for order in &orders {
            for (x, y, constant) in
                (-2..=2).flat_map(|x| (-2..=2).flat_map(move |y| (-5..=5).map(move |c| (x, y, c))))
            {
                let form = Linear::constant(constant).plus(x, &Linear::point(0)).unwrap();
                let form = form.plus(y, &Linear::point(1)).unwrap();
                for op in all {
                    let truth = |gaps: [i128; 2]| {
                        let number = |point: usize| gaps[..order.block[point]].iter().sum::<i128>();
                        holds(x * number(0) + y * number(1) + constant, op)
                    };
                    let gaps = (1..=MOST).flat_map(|a| (1..=MOST).map(move |b| [a, b]));
                    let fits = |cap: i128| {
                        gaps.clone().all(|at| truth(at) == truth(at.map(|gap| gap.min(cap))))
                    };
                    match order.decide(&form, op) {
                        Decision::Always(always) => {
                            assert!(gaps.clone().all(|at| truth(at) == always));
                        }
                        Decision::WithCap(cap) => {
                            assert!(fits(cap) && cap < MOST, "{order:?} {form:?} {op:?} {cap}");
                        }
                        Decision::Never => {}
                    }
                }
            }
        }
    }
}
