//! Arithmetic and comparisons of the cases of numbers, in one order of the points.

use std::fmt::Display;

use grundy_language::ast::{BinaryOp, CompareOp, Expr, Function};
use grundy_language::eval::{arithmetic, call};

use super::order::{Decision, Linear, lcm};
use super::reader::{Num, Read, Reader, refuse};

/// The largest number of cases of an expression.
pub(super) const MOST_CASES: usize = 256;

impl Reader<'_> {
    /// Decides a comparison of two linear forms.
    pub(super) fn decides(
        &mut self,
        x: &Linear,
        op: CompareOp,
        y: &Linear,
        text: &dyn Display,
    ) -> Read<Option<bool>> {
        let Some(form) = x.plus(-1, y) else { return refuse(&text, "has too large numbers") };
        match self.order.decide(&form, op) {
            Decision::Always(always) => Ok(Some(always)),
            Decision::WithCap(cap) => {
                self.needs.cap = self.needs.cap.max(cap);
                Ok(None)
            }
            Decision::Never => refuse(
                text,
                "weighs the differences of piles against each other, so no box is large enough; a \
                 pile may be compared with a pile up to a constant, and a difference or a sum with \
                 a constant",
            ),
        }
    }

    pub(super) fn all_pairs(
        &mut self,
        x: &[Num],
        op: CompareOp,
        y: &[Num],
        text: &str,
    ) -> Read<Option<bool>> {
        let mut found = None;
        let mut first = true;
        for (x, y) in x.iter().flat_map(|x| y.iter().map(move |y| (x, y))) {
            let truth = self.pair(x, op, y, text)?;
            found = if first { truth } else { found.filter(|_| found == truth) };
            first = false;
        }
        Ok(found)
    }

    pub(super) fn pair(
        &mut self,
        x: &Num,
        op: CompareOp,
        y: &Num,
        text: &str,
    ) -> Read<Option<bool>> {
        use CompareOp::{Greater, GreaterEqual, Less, LessEqual};
        if let (Num::Linear(x), Num::Linear(y)) = (x, y) {
            return self.decides(x, op, y, &text);
        }
        let (of, op, constant) = match (as_constant(x), as_constant(y)) {
            (None, Some(constant)) => (x, op, constant),
            (Some(constant), None) => {
                let turned = match op {
                    Less => Greater,
                    LessEqual => GreaterEqual,
                    Greater => Less,
                    GreaterEqual => LessEqual,
                    other => other,
                };
                (y, turned, constant)
            }
            _ => {
                let of = if matches!(x, Num::Linear(_)) { y } else { x };
                return refuse(&text, &only_with_constants(of));
            }
        };
        if constant.abs() >= 1 << 16 {
            return refuse(&text, "has too large numbers");
        }
        let bounds = |reader: &mut Self, form: &Linear, from: i128, to: i128| {
            reader.decides(form, Less, &Linear::constant(from), &text)?;
            reader.decides(form, GreaterEqual, &Linear::constant(to), &text).map(|_| ())
        };
        match of {
            Num::Value(game) => {
                let most = match op {
                    Less | GreaterEqual => constant - 1,
                    _ => constant,
                };
                self.needs_value(*game, most.clamp(0, i128::from(u32::MAX)) as u32);
            }
            Num::Quotient(form, by) => bounds(self, form, constant * by, (constant + 1) * by)?,
            // The numbers that have no such exponent are excluded, so test for 0 too.
            Num::Twos(form) => {
                if constant > 8 {
                    return refuse(&text, "has too large numbers");
                }
                self.divides(form.modulus(1 << (constant.max(-1) + 1)));
                self.decides(form, CompareOp::Equal, &Linear::constant(0), &text)?;
            }
            Num::Log(form) => {
                if constant > 14 {
                    return refuse(&text, "has too large numbers");
                }
                let power = if constant < 0 { 1 } else { 1 << constant };
                bounds(self, form, 1, power)?;
                bounds(self, form, power, 2 * power)?;
            }
            // Less than 2^b iff the numbers agree but for their last b digits.
            Num::NimSum(x, y) => {
                let power = power_above(constant.max(0));
                self.divides(power);
                let Some(form) = x.plus(-1, y) else {
                    return refuse(&text, "has too large numbers");
                };
                bounds(self, &form, 1 - power, power)?;
            }
            Num::Linear(_) | Num::Product => return refuse(&text, &only_with_constants(of)),
        }
        Ok(None)
    }

    fn divides(&mut self, modulus: i128) {
        self.needs.modulus = lcm(self.needs.modulus, modulus);
    }

    pub(super) fn pairs(
        &mut self,
        op: BinaryOp,
        x: &[Num],
        y: &[Num],
        expr: &Expr,
    ) -> Read<Vec<Num>> {
        let mut all = Vec::new();
        for (x, y) in x.iter().flat_map(|x| y.iter().map(move |y| (x, y))) {
            all.extend(self.binary(op, x, y, expr)?);
            all = few(all, expr)?;
        }
        Ok(all)
    }

    fn binary(&mut self, op: BinaryOp, x: &Num, y: &Num, expr: &Expr) -> Read<Vec<Num>> {
        use BinaryOp::{Add, And, Div, Left, Mod, Mul, Or, Pow, Right, Sub, Xor};
        let constant = |number| Num::Linear(Linear::constant(number));
        let large = || refuse(expr, "has too large numbers");
        if let (Some(x), Some(y)) = (as_constant(x), as_constant(y)) {
            return match arithmetic(op, x, y) {
                Ok(number) => Ok(vec![constant(number)]),
                Err(_) => refuse(expr, "has no value"),
            };
        }
        let few_bits = |number: Option<i128>| number.filter(|number| (0..256).contains(number));
        let of = |form: Option<Linear>| match form {
            Some(form) => Ok(vec![Num::Linear(form)]),
            None => large(),
        };
        Ok(match (op, x, y) {
            (Add, Num::Linear(x), Num::Linear(y)) => return of(x.plus(1, y)),
            (Sub, Num::Linear(x), Num::Linear(y)) => return of(x.plus(-1, y)),
            (Mul, Num::Linear(form), Num::Linear(factor))
            | (Mul, Num::Linear(factor), Num::Linear(form))
                if factor.is_constant() =>
            {
                return of(Linear::default().plus(factor.constant, form));
            }
            (Left, Num::Linear(form), shift)
                if as_constant(shift).is_some_and(|by| (0..32).contains(&by)) =>
            {
                let by = as_constant(shift).unwrap_or_default();
                return of(Linear::default().plus(1 << by, form));
            }
            (
                Add | Sub | Mul | Pow,
                Num::Linear(_) | Num::Product,
                Num::Linear(_) | Num::Product,
            ) if op != Pow || as_constant(y).is_some_and(|power| (0..=16).contains(&power)) => {
                vec![Num::Product]
            }
            (Div, Num::Linear(form), by) => match as_constant(by) {
                Some(by) if (1..1 << 16).contains(&by) => vec![Num::Quotient(form.clone(), by)],
                _ => return refuse(expr, "divides by something that is not a positive constant"),
            },
            (Right, Num::Linear(form), by) => match as_constant(by) {
                Some(by) if (0..16).contains(&by) => vec![Num::Quotient(form.clone(), 1 << by)],
                _ => return refuse(expr, "shifts by something that is not a small constant"),
            },
            (Mod, of, by) => {
                let Some(by) = as_constant(by).filter(|by| (1..=256).contains(by)) else {
                    return refuse(expr, "divides by something that is not a positive constant");
                };
                match of {
                    Num::Linear(form) => self.divides(form.modulus(by)),
                    Num::Product => self.divides(by),
                    Num::Quotient(form, part) => self.divides(form.modulus(by * part)),
                    other => return refuse(expr, &only_with_constants(other)),
                }
                (0..by).map(constant).collect()
            }
            (Xor | And | Or, Num::Linear(form), bits)
            | (Xor | And | Or, bits, Num::Linear(form))
                if few_bits(as_constant(bits)).is_some() =>
            {
                let bits = as_constant(bits).unwrap_or_default();
                let power = power_above(bits);
                self.divides(form.modulus(power));
                let mut all = Vec::new();
                for rest in 0..power {
                    let changed = match op {
                        And => constant(rest & bits),
                        Xor => Num::Linear(plus(form, (rest ^ bits) - rest)),
                        _ => Num::Linear(plus(form, (rest | bits) - rest)),
                    };
                    all.push(changed);
                }
                all
            }
            (Xor, Num::Linear(x), Num::Linear(y)) => {
                for form in [x, y] {
                    let zero = Linear::constant(0);
                    if self.decides(form, CompareOp::GreaterEqual, &zero, expr)? != Some(true) {
                        return refuse(expr, "is a nim-sum of numbers that may be negative");
                    }
                }
                vec![Num::NimSum(x.clone(), y.clone())]
            }
            (Xor, ..) => {
                return refuse(
                    expr,
                    "is a nim-sum of more than two piles, which depends on all their binary digits",
                );
            }
            (_, Num::Value(_), _) | (_, _, Num::Value(_)) => {
                return refuse(expr, &only_with_constants(&Num::Value(0)));
            }
            (And | Or, ..) => return refuse(expr, "depends on all binary digits of a pile"),
            (Pow, ..) => return refuse(expr, "is a power whose exponent is not a small constant"),
            (Left, ..) => return refuse(expr, "shifts by something that is not a small constant"),
            _ => {
                let of = if matches!(x, Num::Linear(_)) { y } else { x };
                return refuse(expr, &only_with_constants(of));
            }
        })
    }

    pub(super) fn call(
        &mut self,
        function: Function,
        all: Vec<Vec<Num>>,
        expr: &Expr,
    ) -> Read<Vec<Num>> {
        use Function::{Abs, Gcd, IsPrime, Log2, Max, Min, Popcount, Sum, Tri, V2, Xor};
        let constants: Option<Vec<i128>> = all
            .iter()
            .map(|cases| match &cases[..] {
                [only] => as_constant(only),
                _ => None,
            })
            .collect();
        if let Some(constants) = constants {
            return match call(function, &constants) {
                Ok(number) => Ok(vec![Num::Linear(Linear::constant(number))]),
                Err(_) => refuse(expr, "has no value"),
            };
        }
        let mut all = all.into_iter();
        let Some(mut found) = all.next() else { return refuse(expr, "has no value") };
        match function {
            Sum | Xor => {
                let op = if function == Sum { BinaryOp::Add } else { BinaryOp::Xor };
                for next in all {
                    found = self.pairs(op, &found, &next, expr)?;
                }
            }
            Min | Max => {
                for next in all {
                    let op = if function == Min {
                        CompareOp::LessEqual
                    } else {
                        CompareOp::GreaterEqual
                    };
                    found = self.chosen_of(op, &found, &next, expr)?;
                }
            }
            Abs => {
                let zero = [Num::Linear(Linear::constant(0))];
                let minus = self.pairs(BinaryOp::Sub, &zero, &found, expr)?;
                found = self.chosen_of(CompareOp::GreaterEqual, &found, &minus, expr)?;
            }
            V2 | Log2 => {
                let mut forms = Vec::new();
                for case in &found {
                    forms.push(match case {
                        Num::Linear(form) if function == V2 => Num::Twos(form.clone()),
                        Num::Linear(form) => Num::Log(form.clone()),
                        other => return refuse(expr, &only_with_constants(other)),
                    });
                }
                found = forms;
            }
            Popcount => return refuse(expr, "depends on all binary digits of a pile"),
            Tri => return refuse(expr, "is a square, and not a pile plus a constant"),
            Gcd | IsPrime => return refuse(expr, "depends on the divisors of a pile"),
            _ => return refuse(expr, "is a mex of piles, and not a comparison"),
        }
        Ok(found)
    }

    /// Returns the cases of x if x op y, otherwise of y.
    fn chosen_of(&mut self, op: CompareOp, x: &[Num], y: &[Num], expr: &Expr) -> Read<Vec<Num>> {
        let text = expr.to_string();
        let mut all = Vec::new();
        for (x, y) in x.iter().flat_map(|x| y.iter().map(move |y| (x, y))) {
            match self.pair(x, op, y, &text)? {
                Some(true) => all.push(x.clone()),
                Some(false) => all.push(y.clone()),
                None => all.extend([x.clone(), y.clone()]),
            }
            all = few(all, expr)?;
        }
        Ok(all)
    }
}

/// Returns the reason why a number can only be compared with constants.
pub(super) fn only_with_constants(of: &Num) -> String {
    let what = match of {
        Num::Value(_) => "a value of the game; compare it with constants, as in `g == 1`",
        Num::Quotient(..) => "a quotient of a pile, which can only be compared with constants",
        Num::Twos(_) | Num::Log(_) => {
            "an exponent in a pile, which can only be compared with constants"
        }
        Num::NimSum(..) => "a nim-sum of piles, which can only be compared with constants",
        Num::Product => {
            "a product of piles, of which only remainders are decided, as in `p1 * p2 % 3 == 1`"
        }
        Num::Linear(_) => "a pile in a place for a constant",
    };
    format!("uses {what}")
}

pub(super) fn as_constant(num: &Num) -> Option<i128> {
    match num {
        Num::Linear(form) if form.is_constant() => Some(form.constant),
        _ => None,
    }
}

fn plus(form: &Linear, number: i128) -> Linear {
    Linear { constant: form.constant.saturating_add(number), ..form.clone() }
}

/// Removes duplicates; refuses an expression with too many cases.
pub(super) fn few(mut cases: Vec<Num>, expr: &Expr) -> Read<Vec<Num>> {
    cases.sort();
    cases.dedup();
    if cases.len() > MOST_CASES {
        return refuse(expr, "has too many cases");
    }
    Ok(cases)
}

/// Returns the least power of two that exceeds the number.
fn power_above(number: i128) -> i128 {
    (0..).map(|bits| 1 << bits).find(|power| *power > number).unwrap_or(1)
}
