//! Bounds of an expression over all positions.
//!
//! A pile is between the least pile of the game and the largest pile to check, and a value is
//! between 0 and the bound of the game. All other ranges follow from these two. If lanes are wide
//! enough for the range of a result, the operation does not wrap. The range is `None` if the exact
//! result may exceed 128 bits, or may not exist. Then the step has checks.

use grundy_language::eval::LARGEST_TESTED;

use crate::program::Op;

pub(crate) type Range = (i128, i128);

pub(crate) const FULL: Range = (i128::MIN, i128::MAX);

pub(crate) fn of_two(op: Op, (a, b): Range, (c, d): Range) -> Option<Range> {
    // A function that is monotonic in each operand has its extremes at the corners of the range.
    let corners = |f: fn(i128, i128) -> Option<i128>| {
        let all = [f(a, c)?, f(a, d)?, f(b, c)?, f(b, d)?];
        Some((*all.iter().min()?, *all.iter().max()?))
    };
    match op {
        Op::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
        Op::Sub => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
        Op::Mul => corners(i128::checked_mul),
        // The divisor nearest to 0 gives the largest quotient.
        Op::Div if c > 0 || d < 0 => corners(|x, y| {
            let quotient = x.checked_div(y)?;
            Some(if x % y != 0 && (x < 0) != (y < 0) { quotient - 1 } else { quotient })
        }),
        Op::Mod if c > 0 => Some(if a >= 0 { (0, b.min(d - 1)) } else { (0, d - 1) }),
        Op::Mod if d < 0 => Some((c.checked_add(1)?, 0)),
        Op::Pow if c >= 0 => {
            let most = u32::try_from(d).ok()?;
            let large = a.checked_abs()?.max(b.checked_abs()?).checked_pow(most)?.max(1);
            Some((if a < 0 { -large } else { 0 }, large))
        }
        Op::Left if c >= 0 && d <= 126 => {
            let shift = |x: i128, by: i128| {
                let shifted = x.checked_mul(1i128 << by)?;
                Some(shifted)
            };
            let all = [shift(a, c)?, shift(a, d)?, shift(b, c)?, shift(b, d)?];
            Some((*all.iter().min()?, *all.iter().max()?))
        }
        Op::Right if c >= 0 && d <= 127 => {
            let all = [a >> c, a >> d, b >> c, b >> d];
            Some((*all.iter().min()?, *all.iter().max()?))
        }
        Op::And if a >= 0 && c >= 0 => Some((0, b.min(d))),
        Op::And if a >= 0 || c >= 0 => Some((0, if c >= 0 { d } else { b })),
        Op::And | Op::Or | Op::Xor => {
            let bits = [a, b, c, d].map(bits).into_iter().max().unwrap_or(127);
            let most = if bits >= 127 { i128::MAX } else { (1i128 << bits) - 1 };
            Some((if a < 0 || c < 0 { -most - 1 } else { 0 }, most))
        }
        Op::Min => Some((a.min(c), b.min(d))),
        Op::Max => Some((a.max(c), b.max(d))),
        Op::Gcd => {
            let all = [a.checked_abs()?, b.checked_abs()?, c.checked_abs()?, d.checked_abs()?];
            Some((0, *all.iter().max()?))
        }
        Op::Equal | Op::Less | Op::LessEqual | Op::Bit => Some((0, 1)),
        _ => None,
    }
}

pub(crate) fn of_one(op: Op, (a, b): Range) -> Option<Range> {
    match op {
        Op::Neg => Some((b.checked_neg()?, a.checked_neg()?)),
        Op::Abs => {
            let (x, y) = (a.checked_abs()?, b.checked_abs()?);
            Some((if a <= 0 && b >= 0 { 0 } else { x.min(y) }, x.max(y)))
        }
        Op::Popcount if a >= 0 => Some((0, bits(b).into())),
        Op::V2 if a > 0 || b < 0 => Some((0, bits(a).max(bits(b)).into())),
        Op::Log2 if a > 0 => Some((a.ilog2().into(), b.ilog2().into())),
        Op::IsPrime if b < LARGEST_TESTED => Some((0, 1)),
        Op::Tri => {
            let tri = |x: i128| {
                let next = x.checked_add(1)?;
                if x % 2 == 0 { (x / 2).checked_mul(next) } else { (next / 2).checked_mul(x) }
            };
            let (x, y) = (tri(a)?, tri(b)?);
            // The function x * (x + 1) / 2 is 0 for x = -1 and x = 0, and positive elsewhere.
            Some((if a <= 0 && b >= -1 { 0 } else { x.min(y) }, x.max(y)))
        }
        _ => None,
    }
}

/// Returns the number of bits of x, without its sign.
fn bits(x: i128) -> u32 {
    128 - if x < 0 { (!x).leading_zeros() } else { x.leading_zeros() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_language::ast::{BinaryOp, Function};
    use grundy_language::eval::{arithmetic, call};

    /// Tests for all pairs of small ranges that the computed range contains every result, and is
    /// `None` if there are operands without a result.
    #[test]
    fn a_range_has_every_result() {
        let ops = [
            (Op::Add, BinaryOp::Add),
            (Op::Sub, BinaryOp::Sub),
            (Op::Mul, BinaryOp::Mul),
            (Op::Div, BinaryOp::Div),
            (Op::Mod, BinaryOp::Mod),
            (Op::Pow, BinaryOp::Pow),
            (Op::Left, BinaryOp::Left),
            (Op::Right, BinaryOp::Right),
            (Op::And, BinaryOp::And),
            (Op::Or, BinaryOp::Or),
            (Op::Xor, BinaryOp::Xor),
        ];
        for a in -4..=4i128 {
            for b in a..=4 {
                for c in -4..=4i128 {
                    for d in c..=4 {
                        for (op, binary) in ops {
                            let Some((low, high)) = of_two(op, (a, b), (c, d)) else { continue };
                            for x in a..=b {
                                for y in c..=d {
                                    let z = arithmetic(binary, x, y).expect("it has a range");
                                    assert!((low..=high).contains(&z), "{op:?} {x} {y}");
                                }
                            }
                        }
                        let (low, high) = of_two(Op::Gcd, (a, b), (c, d)).expect("it has a range");
                        for (x, y) in (a..=b).flat_map(|x| (c..=d).map(move |y| (x, y))) {
                            let z = call(Function::Gcd, &[x, y]).expect("it has a value");
                            assert!((low..=high).contains(&z), "gcd {x} {y}");
                        }
                    }
                }
                let ones = [
                    (Op::Abs, Function::Abs),
                    (Op::Popcount, Function::Popcount),
                    (Op::V2, Function::V2),
                    (Op::Log2, Function::Log2),
                    (Op::Tri, Function::Tri),
                    (Op::IsPrime, Function::IsPrime),
                ];
                for (op, function) in ones {
                    let Some((low, high)) = of_one(op, (a, b)) else { continue };
                    for x in a..=b {
                        let z = call(function, &[x]).expect("it has a range");
                        assert!((low..=high).contains(&z), "{op:?} {x}: {z} in {low}..{high}");
                    }
                }
            }
        }
    }

    /// Tests that numbers with a small range have narrow lanes. The ranges were calculated by hand.
    #[test]
    fn ranges_are_narrow() {
        let cases = [
            (Op::Add, (1, 2), (3, 5), (4, 7)),
            (Op::Sub, (1, 2), (3, 5), (-4, -1)),
            (Op::Mul, (-2, 3), (-5, 4), (-15, 12)),
            (Op::Div, (-7, 7), (2, 3), (-4, 3)),
            (Op::Mod, (0, 10), (1, 5), (0, 4)),
            (Op::Mod, (0, 2), (1, 5), (0, 2)),
            (Op::Mod, (-3, 10), (1, 5), (0, 4)),
            (Op::Mod, (-3, 10), (-5, -1), (-4, 0)),
            (Op::Pow, (-2, 1), (0, 3), (-8, 8)),
            (Op::Left, (-1, 3), (0, 2), (-4, 12)),
            (Op::Right, (-8, 12), (1, 2), (-4, 6)),
            (Op::And, (0, 6), (0, 9), (0, 6)),
            (Op::Or, (0, 6), (0, 9), (0, 15)),
            (Op::Xor, (-1, 6), (0, 9), (-16, 15)),
            (Op::Min, (1, 8), (2, 5), (1, 5)),
            (Op::Max, (1, 8), (2, 5), (2, 8)),
            (Op::Less, (1, 8), (2, 5), (0, 1)),
        ];
        for (op, one, other, range) in cases {
            assert_eq!(of_two(op, one, other), Some(range), "{op:?}");
        }
    }

    #[test]
    fn a_result_that_may_overflow_has_no_range() {
        let large = (0, i128::MAX);
        assert_eq!(of_two(Op::Add, large, (1, 1)), None);
        assert_eq!(of_two(Op::Mul, large, (2, 2)), None);
        assert_eq!(of_two(Op::Div, (1, 9), (-1, 1)), None);
        assert_eq!(of_two(Op::Left, (1, 1), (0, 127)), None);
        assert_eq!(of_two(Op::Pow, (2, 2), (0, 127)), None);
        assert_eq!(of_one(Op::Neg, FULL), None);
    }
}
