//! Numbers of one width, and loops over columns of such numbers.
//!
//! These operations have no checks, because the ranges of the operands guarantee that no result
//! wraps. Operations that may have no result are checked ([`exact`]), for one entry at a time.

use grundy_language::eval::LARGEST_TESTED;
use grundy_language::fault::Cause;

use crate::program::Op;

pub(crate) trait Lane: Copy + Default + Ord + Send + Sync + 'static {
    const BITS: u32;
    fn of(number: i128) -> Self;
    fn wide(self) -> i128;
    fn of_cell(cell: u32) -> Self;
    fn low(self) -> u32;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// Returns the quotient, rounded down. The result of a division by 0 is arbitrary.
    fn div(self, other: Self) -> Self;
    fn modulo(self, other: Self) -> Self;
    fn pow(self, other: Self) -> Self;
    fn left(self, other: Self) -> Self;
    fn right(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn neg(self) -> Self;
    fn abs(self) -> Self;
    fn popcount(self) -> Self;
    fn v2(self) -> Self;
    fn log2(self) -> Self;
    fn tri(self) -> Self;
    fn gcd(self, other: Self) -> Self;
    fn is_prime(self) -> Self;
    fn bit(self, place: Self) -> Self;
    fn truth(truth: bool) -> Self;
}

macro_rules! lane {
    ($($number:ty),*) => {$(
        impl Lane for $number {
            const BITS: u32 = <$number>::BITS;
            #[inline(always)]
            fn of(number: i128) -> $number { number as $number }
            #[inline(always)]
            fn wide(self) -> i128 { self as i128 }
            #[inline(always)]
            fn of_cell(cell: u32) -> $number { cell as $number }
            #[inline(always)]
            fn low(self) -> u32 { self as u32 }
            #[inline(always)]
            fn add(self, other: $number) -> $number { self.wrapping_add(other) }
            #[inline(always)]
            fn sub(self, other: $number) -> $number { self.wrapping_sub(other) }
            #[inline(always)]
            fn mul(self, other: $number) -> $number { self.wrapping_mul(other) }
            #[inline(always)]
            fn div(self, other: $number) -> $number {
                if other == 0 {
                    return 0;
                }
                let (quotient, rest) = (self.wrapping_div(other), self.wrapping_rem(other));
                quotient - <$number>::from(rest != 0 && (rest < 0) != (other < 0))
            }
            #[inline(always)]
            fn modulo(self, other: $number) -> $number {
                if other == 0 {
                    return 0;
                }
                let rest = self.wrapping_rem(other);
                if rest != 0 && (rest < 0) != (other < 0) { rest + other } else { rest }
            }
            #[inline(always)]
            fn pow(self, other: $number) -> $number {
                self.wrapping_pow(other.max(0) as u32)
            }
            #[inline(always)]
            fn left(self, other: $number) -> $number { self.wrapping_shl(other as u32) }
            #[inline(always)]
            fn right(self, other: $number) -> $number {
                self >> (other as u32).min(<$number>::BITS - 1)
            }
            #[inline(always)]
            fn and(self, other: $number) -> $number { self & other }
            #[inline(always)]
            fn or(self, other: $number) -> $number { self | other }
            #[inline(always)]
            fn xor(self, other: $number) -> $number { self ^ other }
            #[inline(always)]
            fn neg(self) -> $number { self.wrapping_neg() }
            #[inline(always)]
            fn abs(self) -> $number { self.wrapping_abs() }
            #[inline(always)]
            fn popcount(self) -> $number { self.count_ones() as $number }
            #[inline(always)]
            fn v2(self) -> $number { self.trailing_zeros() as $number }
            #[inline(always)]
            fn log2(self) -> $number { self.max(1).ilog2() as $number }
            #[inline(always)]
            fn tri(self) -> $number {
                // One of x and x + 1 is even. Halve it, and multiply the half by the odd number.
                let next = self.wrapping_add(1);
                let odd = self & 1;
                let half = if odd == 0 { self >> 1 } else { next >> 1 };
                half.wrapping_mul(if odd == 0 { next } else { self })
            }
            #[inline(always)]
            fn gcd(self, other: $number) -> $number {
                let (mut x, mut y) = (self, other);
                while y != 0 {
                    (x, y) = (y, x.wrapping_rem(y));
                }
                x.wrapping_abs()
            }
            #[inline(always)]
            fn is_prime(self) -> $number {
                // The square of a divisor may exceed the lane, so compare quotients.
                let mut odd = (3..).step_by(2).take_while(|&divisor| divisor <= self / divisor);
                let is_odd_prime = self > 2 && self & 1 == 1 && odd.all(|by| self % by != 0);
                (self == 2 || is_odd_prime) as $number
            }
            #[inline(always)]
            fn bit(self, place: $number) -> $number {
                let inside = place >= 1 && place <= <$number>::BITS as $number;
                if inside { (self >> (place.wrapping_sub(1) as u32).min(<$number>::BITS - 1)) & 1 } else { 0 }
            }
            #[inline(always)]
            fn truth(truth: bool) -> $number { truth as $number }
        }
    )*};
}

lane!(i16, i32, i64, i128);

/// Returns the result of an operation with any numbers, or the reason why it has none. An operation
/// on one number ignores `b`. The slow evaluator has its own arithmetic.
pub(crate) fn exact(op: Op, a: i128, b: i128) -> Result<i128, Cause> {
    let found = match op {
        Op::Div | Op::Mod if b == 0 => return Err(Cause::DivisionByZero),
        Op::Pow if b < 0 => return Err(Cause::NegativeExponent),
        Op::Left | Op::Right if b >> 7 != 0 => return Err(Cause::Shift),
        Op::Popcount if a < 0 => return Err(Cause::Domain("popcount")),
        Op::V2 if a == 0 => return Err(Cause::Domain("v2")),
        Op::Log2 if a < 1 => return Err(Cause::Domain("log2")),
        Op::IsPrime if a >= LARGEST_TESTED => return Err(Cause::Domain("is_prime")),
        Op::Gcd if a == i128::MIN || b == i128::MIN => return wide_gcd(a, b),
        Op::Add => a.checked_add(b),
        Op::Sub => a.checked_sub(b),
        Op::Mul => a.checked_mul(b),
        // No other quotient is too large.
        Op::Div if b == -1 => a.checked_neg(),
        Op::Pow => power(a, b),
        Op::Left => Some(Lane::left(a, b)).filter(|shifted| shifted >> b == a),
        Op::Neg => a.checked_neg(),
        Op::Abs => a.checked_abs(),
        Op::Tri if a & 1 == 0 => a.checked_add(1).and_then(|next| next.checked_mul(a >> 1)),
        Op::Tri => a.checked_add(1).and_then(|next| a.checked_mul(next >> 1)),
        Op::Popcount | Op::V2 | Op::Log2 | Op::IsPrime | Op::Not => {
            let mut out = [0];
            apply_one(op, &mut out, Col::All(a));
            Some(out[0])
        }
        _ => {
            let mut out = [0];
            apply_two(op, &mut out, Col::All(a), Col::All(b));
            Some(out[0])
        }
    };
    found.ok_or(Cause::TooWide)
}

/// Returns the greatest common divisor of two numbers, one of which is -2^127.
fn wide_gcd(a: i128, b: i128) -> Result<i128, Cause> {
    let twos = a.trailing_zeros().min(b.trailing_zeros());
    if twos < 127 { Ok(1 << twos) } else { Err(Cause::TooWide) }
}

fn power(a: i128, exponent: i128) -> Option<i128> {
    let (mut product, mut square, mut rest) = (1i128, Some(a), exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            product = product.checked_mul(square?)?;
        }
        square = square.and_then(|square| square.checked_mul(square));
        rest >>= 1;
    }
    Some(product)
}

/// A column, or one number for all lanes.
#[derive(Clone, Copy)]
pub(crate) enum Col<'a, L> {
    All(L),
    Each(&'a [L]),
}

impl<L: Lane> Col<'_, L> {
    #[inline(always)]
    pub(crate) fn at(&self, lane: usize) -> L {
        match self {
            Col::All(number) => *number,
            Col::Each(column) => column[lane],
        }
    }
}

#[inline(always)]
fn one<L: Lane>(out: &mut [L], a: Col<'_, L>, f: impl Fn(L) -> L) {
    match a {
        Col::All(a) => out.fill(f(a)),
        Col::Each(a) => out.iter_mut().zip(a).for_each(|(out, &a)| *out = f(a)),
    }
}

#[inline(always)]
fn two<L: Lane>(out: &mut [L], a: Col<'_, L>, b: Col<'_, L>, f: impl Fn(L, L) -> L) {
    match (a, b) {
        (Col::Each(a), Col::Each(b)) => {
            out.iter_mut().zip(a).zip(b).for_each(|((out, &a), &b)| *out = f(a, b));
        }
        (Col::Each(a), Col::All(b)) => out.iter_mut().zip(a).for_each(|(out, &a)| *out = f(a, b)),
        (Col::All(a), Col::Each(b)) => out.iter_mut().zip(b).for_each(|(out, &b)| *out = f(a, b)),
        (Col::All(a), Col::All(b)) => out.fill(f(a, b)),
    }
}

#[inline(always)]
pub(crate) fn apply_one<L: Lane>(op: Op, out: &mut [L], a: Col<'_, L>) {
    match op {
        Op::Neg => one(out, a, L::neg),
        Op::Abs => one(out, a, L::abs),
        Op::Not => one(out, a, |a| L::truth(true).sub(a)),
        Op::Popcount => one(out, a, L::popcount),
        Op::V2 => one(out, a, L::v2),
        Op::Log2 => one(out, a, L::log2),
        Op::Tri => one(out, a, L::tri),
        Op::IsPrime => one(out, a, L::is_prime),
        other => unreachable!("{other:?} is of two"),
    }
}

#[inline(always)]
pub(crate) fn apply_two<L: Lane>(op: Op, out: &mut [L], a: Col<'_, L>, b: Col<'_, L>) {
    match op {
        Op::Add => two(out, a, b, L::add),
        Op::Sub => two(out, a, b, L::sub),
        Op::Mul => two(out, a, b, L::mul),
        Op::Div => two(out, a, b, L::div),
        Op::Mod => two(out, a, b, L::modulo),
        Op::Pow => two(out, a, b, L::pow),
        Op::Left => two(out, a, b, L::left),
        Op::Right => two(out, a, b, L::right),
        Op::And => two(out, a, b, L::and),
        Op::Or => two(out, a, b, L::or),
        Op::Xor => two(out, a, b, L::xor),
        Op::Min => two(out, a, b, L::min),
        Op::Max => two(out, a, b, L::max),
        Op::Gcd => two(out, a, b, L::gcd),
        Op::Equal => two(out, a, b, |a, b| L::truth(a == b)),
        Op::Less => two(out, a, b, |a, b| L::truth(a < b)),
        Op::LessEqual => two(out, a, b, |a, b| L::truth(a <= b)),
        Op::Bit => two(out, a, b, L::bit),
        other => unreachable!("{other:?} is of one"),
    }
}

#[inline(always)]
pub(crate) fn select<L: Lane>(
    out: &mut [L],
    condition: Col<'_, L>,
    then: Col<'_, L>,
    other: Col<'_, L>,
) {
    let no = L::default();
    match (condition, then, other) {
        (Col::Each(c), Col::Each(x), Col::Each(y)) => {
            for (((out, &c), &x), &y) in out.iter_mut().zip(c).zip(x).zip(y) {
                *out = if c == no { y } else { x };
            }
        }
        (Col::Each(c), Col::All(x), Col::All(y)) => {
            one(out, Col::Each(c), |c| if c == no { y } else { x });
        }
        (Col::Each(c), Col::Each(x), Col::All(y)) => {
            two(out, Col::Each(c), Col::Each(x), |c, x| if c == no { y } else { x });
        }
        (Col::Each(c), Col::All(x), Col::Each(y)) => {
            two(out, Col::Each(c), Col::Each(y), |c, y| if c == no { y } else { x });
        }
        (Col::All(c), x, y) => one(out, if c == no { y } else { x }, |x| x),
    }
}

/// Returns the number of lanes that are 1, if every lane is 0 or 1.
#[inline(always)]
pub(crate) fn count<L: Lane>(column: Col<'_, L>, lanes: usize) -> u64 {
    match column {
        Col::All(truth) => truth.wide() as u64 * lanes as u64,
        // A number of lanes fits even into the narrowest lane, so the sum cannot overflow.
        Col::Each(column) => {
            column.iter().fold(L::default(), |sum, &truth| sum.add(truth)).wide() as u64
        }
    }
}

#[inline(always)]
pub(crate) fn any<L: Lane>(column: Col<'_, L>) -> bool {
    match column {
        Col::All(truth) => truth != L::default(),
        Col::Each(column) => {
            column.iter().fold(L::default(), |any, &truth| any.or(truth)) != L::default()
        }
    }
}
