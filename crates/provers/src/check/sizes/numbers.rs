//! Calculates with numbers whose forms are known.

use grundy_language::ast::{BinaryOp, CompareOp, Function};
use grundy_language::eval::{arithmetic, call};

use super::tracked::{Form, Num, Tracked, Tracker, Why, never, num_of, too_large};

impl Tracker<'_> {
    pub(super) fn binary(&self, op: BinaryOp, x: &Num, y: &Num) -> Tracked<Num> {
        let constant = |num: &Num| match num {
            Num::Form(form) => form.as_constant(),
            _ => None,
        };
        let (of_x, of_y) = (constant(x), constant(y));
        if let (Some(x), Some(y)) = (of_x, of_y) {
            let found = arithmetic(op, x.into(), y.into()).ok().and_then(|x| i64::try_from(x).ok());
            return found.map(|x| Num::Form(Form::constant(x))).ok_or_else(too_large);
        }
        if op == BinaryOp::Mod {
            return self.residue(x, of_y);
        }
        Ok(match (op, x, y) {
            (BinaryOp::Add, Num::Form(x), Num::Form(y)) => num_of(x.plus(1, y)?),
            (BinaryOp::Sub, Num::Form(x), Num::Form(y)) => num_of(x.plus(-1, y)?),
            (BinaryOp::Mul, Num::Form(form), _) if of_y.is_some() => {
                num_of(Form::constant(0).plus(of_y.unwrap_or(0), form)?)
            }
            (BinaryOp::Mul, _, Num::Form(form)) if of_x.is_some() => {
                num_of(Form::constant(0).plus(of_x.unwrap_or(0), form)?)
            }
            (BinaryOp::Left, Num::Form(form), _)
                if of_y.is_some_and(|by| (0..32).contains(&by)) =>
            {
                num_of(Form::constant(0).plus(1 << of_y.unwrap_or(0), form)?)
            }
            (BinaryOp::Div, Num::Form(form), _) if of_y.is_some_and(|by| by > 0) => {
                Num::Quotient(*form, of_y.unwrap_or(1))
            }
            (BinaryOp::Right, Num::Form(form), _)
                if of_y.is_some_and(|by| (0..32).contains(&by)) =>
            {
                Num::Quotient(*form, 1 << of_y.unwrap_or(0))
            }
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Pow, x, y)
                if op != BinaryOp::Pow || of_y.is_some_and(|power| (0..=16).contains(&power)) =>
            {
                let of = |num: &Num| match num {
                    Num::Form(form) => Some(self.value(form)),
                    Num::Product(value) => Some(*value),
                    _ => None,
                };
                let found =
                    of(x).zip(of(y)).and_then(|(x, y)| arithmetic(op, x.into(), y.into()).ok());
                match found.and_then(|found| i64::try_from(found).ok()) {
                    Some(value) => Num::Product(value),
                    None => return never("calculates with numbers that are no piles"),
                }
            }
            (BinaryOp::Xor | BinaryOp::And | BinaryOp::Or, Num::Form(form), _)
                if of_y.is_some_and(|bits| (0..256).contains(&bits)) =>
            {
                self.bits(op, form, of_y.unwrap_or(0))?
            }
            (BinaryOp::Xor | BinaryOp::And | BinaryOp::Or, _, Num::Form(form))
                if of_x.is_some_and(|bits| (0..256).contains(&bits)) =>
            {
                self.bits(op, form, of_x.unwrap_or(0))?
            }
            (BinaryOp::Xor, Num::Form(x), Num::Form(y)) => self.nim_sum(x, y)?,
            _ => return never(format!("uses `{}` of piles", op.sign())),
        })
    }

    fn known_modulo(&self, form: &Form, by: i64) -> Tracked<i64> {
        match form.modulus(by) {
            needed if self.modulus % needed == 0 => Ok(self.value(form).rem_euclid(by)),
            needed => Err(Why::Modulus(needed)),
        }
    }

    fn residue(&self, x: &Num, by: Option<i64>) -> Tracked<Num> {
        let Some(by) = by.filter(|by| (1..=256).contains(by)) else {
            return never("divides by something that is not a positive constant");
        };
        let rest = match x {
            Num::Form(form) => self.known_modulo(form, by)?,
            Num::Quotient(form, part) => {
                self.known_modulo(form, by.checked_mul(*part).ok_or_else(too_large)?)? / part
            }
            Num::Product(value) if self.modulus % by == 0 => value.rem_euclid(by),
            Num::Product(_) => return Err(Why::Modulus(by)),
            _ => return never("has a remainder that types do not decide"),
        };
        Ok(Num::Form(Form::constant(rest)))
    }

    /// Returns a pile whose last digits are changed by the digits of a constant.
    fn bits(&self, op: BinaryOp, form: &Form, bits: i64) -> Tracked<Num> {
        let power = (0..9).map(|digits| 1 << digits).find(|power| *power > bits).unwrap_or(512);
        let rest = self.known_modulo(form, power)?;
        let Ok(changed) = arithmetic(op, rest.into(), bits.into()) else { return Err(too_large()) };
        Ok(match op {
            BinaryOp::And => Num::Form(Form::constant(changed as i64)),
            _ => num_of(form.plus(1, &Form::constant(changed as i64 - rest))?),
        })
    }

    /// Returns what types know of a nim-sum: whether it is less than the power of two that divides
    /// the modulus, and then its value.
    fn nim_sum(&self, x: &Form, y: &Form) -> Tracked<Num> {
        for form in [x, y] {
            let zero = Num::Form(Form::constant(0));
            if !self.compare(&num_of(*form), CompareOp::GreaterEqual, &zero)? {
                return never("is a nim-sum of negative numbers");
            }
        }
        let power = 1 << self.modulus.trailing_zeros().min(16);
        let large = Num::Between(power, None, Why::Modulus(2 * power));
        let difference = x.plus(-1, y)?;
        let (least, most) = self.range(&difference);
        if least.is_some_and(|least| least >= power) || most.is_some_and(|most| most <= -power) {
            return Ok(large);
        }
        let exact = least.filter(|_| least == most).ok_or(Why::Cap)?;
        let rest = self.known_modulo(x, power)?;
        Ok(match (0..power).contains(&(rest - exact)) {
            true => Num::Form(Form::constant(rest ^ (rest - exact))),
            false => large,
        })
    }

    pub(super) fn joined(&self, function: Function, all: Vec<Num>) -> Tracked<Num> {
        let constants = all.iter().map(|num| match num {
            Num::Form(form) => form.as_constant().map(i128::from),
            _ => None,
        });
        if let Some(constants) = constants.collect::<Option<Vec<i128>>>() {
            let found = call(function, &constants).ok().and_then(|found| i64::try_from(found).ok());
            return match found {
                Some(found) => Ok(Num::Form(Form::constant(found))),
                None => never("has no value"),
            };
        }
        let mut all = all.into_iter();
        let Some(mut found) = all.next() else { return never("has no value") };
        match function {
            Function::Sum | Function::Xor => {
                let op = if function == Function::Sum { BinaryOp::Add } else { BinaryOp::Xor };
                for next in all {
                    found = self.binary(op, &found, &next)?;
                }
            }
            Function::Min | Function::Max => {
                let is_min = function == Function::Min;
                let op = if is_min { CompareOp::LessEqual } else { CompareOp::GreaterEqual };
                for next in all {
                    if !self.compare(&found, op, &next)? {
                        found = next;
                    }
                }
            }
            Function::Abs => {
                let Num::Form(form) = found else { return never("is the size of no pile") };
                let zero = Num::Form(Form::constant(0));
                if !self.compare(&found, CompareOp::GreaterEqual, &zero)? {
                    found = num_of(Form::constant(0).plus(-1, &form)?);
                }
            }
            Function::V2 => {
                let Num::Form(form) = found else { return never("is an exponent of no pile") };
                let zero = Num::Form(Form::constant(0));
                if self.compare(&found, CompareOp::Equal, &zero)? {
                    return never("has no value");
                }
                let mut digits = 0;
                found = loop {
                    let needed = form.modulus(2 << digits);
                    if digits > 12 || self.modulus % needed != 0 {
                        break Num::Between(digits, None, Why::Modulus(needed));
                    }
                    if self.known_modulo(&form, 2 << digits)? != 0 {
                        break Num::Form(Form::constant(digits));
                    }
                    digits += 1;
                };
            }
            Function::Log2 => {
                let Num::Form(form) = found else { return never("is an exponent of no pile") };
                if !self.compare(&found, CompareOp::Greater, &Num::Form(Form::constant(0)))? {
                    return never("has no value");
                }
                let (least, most) = self.range(&form);
                let log = |x: i64| i64::from(x.max(1).ilog2());
                found = Num::Between(least.map_or(0, log), most.map(log), Why::Cap);
            }
            _ => return never(format!("uses {} of piles", function.name())),
        }
        Ok(found)
    }
}
