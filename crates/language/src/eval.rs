//! The slow evaluator, which evaluates the tree at one position.
//!
//! Tests compare fast evaluators with it. It also computes the value of each part of a statement at
//! a counterexample. Numbers have 128 bits. If an expression overflows, it has no value.

use std::collections::BTreeSet;

use crate::Outcome;
use crate::ast::{
    BinaryOp, Builtin, CompareOp, End, Expr, ExprKind, Function, LogicOp, OtherPosition, Property,
    UnaryOp,
};
use crate::fault::{Cause, Fault};
use crate::memories::as_written;
use crate::problem::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Val {
    Int(i128),
    Bool(bool),
    Class(Outcome),
    Set(BTreeSet<i128>),
    Classes(BTreeSet<Outcome>),
    List(Vec<i128>),
}

pub const LARGEST_PILE: i128 = 1_000_000_000;

/// The largest number of members of a range that is written out. `x in a..b` writes out no range.
pub const LONGEST_RANGE: i128 = 1 << 20;

/// The largest number of members that nested expressions such as `all(...)` visit in total.
const MOST_MEMBERS: usize = 1 << 16;

/// The current position, from which expressions read.
pub trait Context {
    fn piles(&self) -> &[u32];

    /// Returns the numbers that the position remembers, as one number: see
    /// [`Memories`](crate::Memories). 0 is the beginning of play.
    fn state(&self) -> u32;

    /// Returns the value of a name that does not follow from the piles and the state.
    fn named(&self, builtin: Builtin, span: Span) -> Result<Val, Fault>;

    /// Returns a property of the position with these piles and this memory. Without a game id, the
    /// position belongs to the current game.
    fn other(
        &self,
        game: Option<&str>,
        property: Property,
        piles: &[i128],
        remembered: &[Val],
        span: Span,
    ) -> Result<Val, Fault>;
}

/// A position without values, at which expressions of rules are evaluated.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// The piles. They may be empty for an expression that does not mention them.
    pub piles: &'a [u32],
    /// The numbers that the position remembers: see [`Context::state`].
    pub state: u32,
}

impl<'a> At<'a> {
    /// Returns the position of these piles at the beginning of play.
    pub fn new(piles: &'a [u32]) -> At<'a> {
        At { piles, state: 0 }
    }
}

impl Context for At<'_> {
    fn piles(&self) -> &[u32] {
        self.piles
    }

    fn state(&self) -> u32 {
        self.state
    }

    fn named(&self, builtin: Builtin, _: Span) -> Result<Val, Fault> {
        unreachable!("rules have no name {builtin}")
    }

    fn other(
        &self,
        _: Option<&str>,
        _: Property,
        _: &[i128],
        _: &[Val],
        _: Span,
    ) -> Result<Val, Fault> {
        unreachable!("rules cannot name other positions")
    }
}

pub fn evaluate(expr: &Expr, context: &dyn Context) -> Result<Val, Fault> {
    Evaluator::new(context).of(expr)
}

/// Returns the text and the value of each name, of each `let` binding, and of each reference to
/// another position in a statement.
pub fn parts(expr: &Expr, context: &dyn Context) -> Vec<(String, Val)> {
    let mut found = Vec::new();
    Evaluator::new(context).parts(expr, &mut found);
    found
}

#[allow(missing_debug_implementations, reason = "`Context` does not implement Debug")]
pub struct Evaluator<'a> {
    context: &'a dyn Context,
    /// The values of the names in scope, outermost first.
    pub names: Vec<Val>,
    /// The depth of nested expressions like `all(...)`, the number of members visited so far, and
    /// the largest number of members.
    nested: usize,
    members: usize,
    most: usize,
}

type Found = Result<Val, Fault>;

/// Panics on a wrong type, because the resolver has checked all types.
macro_rules! ill_typed {
    ($found:expr) => {
        unreachable!("wrong type after the type check: {:?}", $found)
    };
}

impl<'a> Evaluator<'a> {
    pub fn new(context: &'a dyn Context) -> Evaluator<'a> {
        Evaluator::up_to(context, MOST_MEMBERS)
    }

    /// Returns an evaluator for nested expressions that visit at most this many members.
    pub(crate) fn up_to(context: &'a dyn Context, most: usize) -> Evaluator<'a> {
        Evaluator { context, names: Vec::new(), nested: 0, members: 0, most }
    }

    pub fn int(&mut self, expr: &Expr) -> Result<i128, Fault> {
        match self.of(expr)? {
            Val::Int(number) => Ok(number),
            other => ill_typed!(other),
        }
    }

    pub fn truth(&mut self, expr: &Expr) -> Result<bool, Fault> {
        match self.of(expr)? {
            Val::Bool(truth) => Ok(truth),
            other => ill_typed!(other),
        }
    }

    pub fn of(&mut self, expr: &Expr) -> Found {
        let fault = |cause| Fault { span: expr.span, cause };
        Ok(match &expr.kind {
            ExprKind::Int(number) => Val::Int(*number),
            ExprKind::Bool(truth) => Val::Bool(*truth),
            ExprKind::Name(name) => ill_typed!(name),
            ExprKind::Builtin(builtin) => self.builtin(*builtin, expr.span)?,
            ExprKind::Local(name, place) => match self.names.get(*place) {
                Some(value) => value.clone(),
                None => ill_typed!(name),
            },
            ExprKind::Unary(UnaryOp::Not, of) => Val::Bool(!self.truth(of)?),
            ExprKind::Unary(UnaryOp::Minus, of) => {
                let number = self.int(of)?;
                Val::Int(number.checked_neg().ok_or(fault(Cause::TooWide))?)
            }
            ExprKind::Binary(op, left, right) => match (self.of(left)?, self.of(right)?) {
                (Val::Int(x), Val::Int(y)) => Val::Int(arithmetic(*op, x, y).map_err(fault)?),
                (Val::Set(x), Val::Set(y)) => Val::Set(of_sets(*op, &x, &y)),
                (Val::Classes(x), Val::Classes(y)) => Val::Classes(of_sets(*op, &x, &y)),
                other => ill_typed!(other),
            },
            ExprKind::Compare(left, rest) => {
                let mut before = self.of(left)?;
                if let ([(op @ (CompareOp::In | CompareOp::NotIn), set)], &Val::Int(x)) =
                    (&rest[..], &before)
                {
                    return Ok(Val::Bool(self.is_among(x, set)? == (*op == CompareOp::In)));
                }
                for (op, right) in rest {
                    let next = self.of(right)?;
                    if !compare(*op, &before, &next) {
                        return Ok(Val::Bool(false));
                    }
                    before = next;
                }
                Val::Bool(true)
            }
            ExprKind::Logic(op, left, right) => {
                let left = self.truth(left)?;
                Val::Bool(match (op, left) {
                    (LogicOp::And, false) => false,
                    (LogicOp::Or, true) | (LogicOp::Implies, false) => true,
                    (LogicOp::Iff, left) => left == self.truth(right)?,
                    _ => self.truth(right)?,
                })
            }
            ExprKind::If(condition, then, otherwise) => match self.truth(condition)? {
                true => self.of(then)?,
                false => self.of(otherwise)?,
            },
            ExprKind::Let(_, value, body) => {
                let value = self.of(value)?;
                self.names.push(value);
                let found = self.of(body);
                self.names.pop();
                found?
            }
            ExprKind::Call(function, arguments) => {
                let mut all = Vec::new();
                for argument in arguments {
                    match self.of(argument)? {
                        Val::Int(number) => all.push(number),
                        Val::List(piles) => all.extend(piles),
                        Val::Set(set) => all.extend(set),
                        Val::Classes(set) => all.extend(set.into_iter().map(|c| c as i128)),
                        other => ill_typed!(other),
                    }
                }
                Val::Int(call(*function, &all).map_err(fault)?)
            }
            ExprKind::Each(function, _, source, body) => self.each(*function, source, body)?,
            ExprKind::At(property, there) => self.at(*property, there, expr.span)?,
            ExprKind::Index(of, index) => {
                let place = self.int(index)?;
                let at = usize::try_from(place).unwrap_or(0).wrapping_sub(1);
                // Borrow an existing list, because a copy is slow.
                let (found, length) = match &of.kind {
                    ExprKind::Builtin(Builtin::Piles) => {
                        let piles = self.context.piles();
                        (piles.get(at).map(|&pile| i128::from(pile)), piles.len())
                    }
                    ExprKind::Local(_, name) => match &self.names[*name] {
                        Val::List(list) => (list.get(at).copied(), list.len()),
                        other => ill_typed!(other),
                    },
                    _ => match self.of(of)? {
                        Val::List(list) => (list.get(at).copied(), list.len()),
                        other => ill_typed!(other),
                    },
                };
                Val::Int(found.ok_or(fault(Cause::NoPlace { place, length }))?)
            }
            ExprKind::Set(members) => {
                let (mut set, mut classes) = (BTreeSet::new(), BTreeSet::new());
                for member in members {
                    match self.of(member)? {
                        Val::Int(number) => set.extend([number]),
                        Val::Class(class) => classes.extend([class]),
                        Val::List(range) => set.extend(range),
                        other => ill_typed!(other),
                    }
                }
                if classes.is_empty() { Val::Set(set) } else { Val::Classes(classes) }
            }
            ExprKind::Range(first, last) => {
                let (first, last) = (self.int(first)?, self.int(last)?);
                if last.saturating_sub(first) >= LONGEST_RANGE {
                    return Err(fault(Cause::LongRange(LONGEST_RANGE)));
                }
                Val::List((first..=last).collect())
            }
        })
    }

    /// Tests if a number is a member, without writing out ranges.
    fn is_among(&mut self, x: i128, set: &Expr) -> Result<bool, Fault> {
        Ok(match &set.kind {
            ExprKind::Range(first, last) => {
                let (first, last) = (self.int(first)?, self.int(last)?);
                (first..=last).contains(&x)
            }
            ExprKind::Set(members) => {
                let mut found = false;
                for member in members {
                    found |= self.is_among(x, member)?;
                }
                found
            }
            _ => match self.of(set)? {
                Val::Int(number) => x == number,
                Val::List(list) => list.contains(&x),
                Val::Set(set) => set.contains(&x),
                other => ill_typed!(other),
            },
        })
    }

    fn builtin(&self, builtin: Builtin, span: Span) -> Found {
        let piles = self.context.piles();
        let numbers = |piles: &[u32]| Val::List(piles.iter().map(|&p| i128::from(p)).collect());
        let pile = |number: usize| match number.checked_sub(1).and_then(|at| piles.get(at)) {
            Some(&pile) => Ok(Val::Int(pile.into())),
            None => Err(Fault { span, cause: Cause::NoPile { number, length: piles.len() } }),
        };
        Ok(match builtin {
            Builtin::First => pile(1)?,
            Builtin::Last => pile(piles.len())?,
            Builtin::Pile(number) => pile(number)?,
            Builtin::Length => Val::Int(piles.len() as i128),
            Builtin::Run(end) | Builtin::After(end) => {
                let at_end: Vec<u32> = match end {
                    End::First => piles.to_vec(),
                    End::Last => piles.iter().rev().copied().collect(),
                };
                pile(1)?;
                let run = at_end.iter().take_while(|&&pile| pile == at_end[0]).count();
                Val::Int(match builtin {
                    Builtin::Run(_) => run as i128,
                    _ => at_end.get(run).map_or(0, |&pile| pile.into()),
                })
            }
            Builtin::Total => Val::Int(piles.iter().map(|&pile| i128::from(pile)).sum()),
            Builtin::LastMove | Builtin::State => Val::Int(self.context.state().into()),
            Builtin::Piles => numbers(piles),
            Builtin::Reverse => Val::List(piles.iter().rev().map(|&p| i128::from(p)).collect()),
            Builtin::Middle => match piles {
                [_, middle @ .., _] => numbers(middle),
                _ => Val::List(Vec::new()),
            },
            Builtin::Class(class) => Val::Class(class),
            other => self.context.named(other, span)?,
        })
    }

    fn each(&mut self, function: Function, source: &Expr, body: &Expr) -> Found {
        let members: Vec<Val> = match self.of(source)? {
            Val::List(list) => list.into_iter().map(Val::Int).collect(),
            Val::Set(set) => set.into_iter().map(Val::Int).collect(),
            Val::Classes(set) => set.into_iter().map(Val::Class).collect(),
            other => ill_typed!(other),
        };
        let fault = |cause| Fault { span: source.span.to(body.span), cause };
        self.members = members.len() + if self.nested > 0 { self.members } else { 0 };
        if self.members > self.most {
            return Err(fault(Cause::ManyMembers(self.most)));
        }
        let mut said = Vec::with_capacity(members.len());
        for member in members {
            self.names.push(member);
            self.nested += 1;
            let found = self.of(body);
            self.nested -= 1;
            self.names.pop();
            said.push(match found? {
                Val::Int(number) => number,
                Val::Bool(truth) => i128::from(truth),
                other => ill_typed!(other),
            });
        }
        Ok(match function {
            Function::All => Val::Bool(said.iter().all(|&truth| truth == 1)),
            Function::Any => Val::Bool(said.contains(&1)),
            Function::Count => Val::Int(said.iter().sum()),
            Function::Each => Val::List(said),
            other => Val::Int(call(other, &said).map_err(fault)?),
        })
    }

    fn at(&mut self, property: Property, there: &OtherPosition, span: Span) -> Found {
        let mut numbers = Vec::new();
        for pile in there.piles.iter().flatten() {
            match self.of(pile)? {
                Val::Int(number) => numbers.push(number),
                Val::List(list) => numbers.extend(list),
                other => ill_typed!(other),
            }
        }
        let remembered = there.memory.iter().map(|memory| self.of(memory));
        let remembered = remembered.collect::<Result<Vec<_>, _>>()?;
        let game = there.game.as_ref().map(|game| &*game.name);
        self.context.other(game, property, &numbers, &remembered, span)
    }

    fn parts(&mut self, expr: &Expr, found: &mut Vec<(String, Val)>) {
        let shown = match &expr.kind {
            ExprKind::Builtin(
                Builtin::Piles | Builtin::Pile(_) | Builtin::Class(_) | Builtin::State,
            ) => false,
            ExprKind::Builtin(_) => true,
            ExprKind::At(property, ..) => *property != Property::Exists,
            _ => false,
        };
        let written = if shown { as_written(expr).to_string() } else { String::new() };
        if shown && found.iter().all(|(name, _)| *name != written) {
            if let Ok(value) = self.of(expr) {
                found.push((written, value));
            }
            return;
        }
        match &expr.kind {
            ExprKind::Let(name, value, body) => {
                self.parts(value, found);
                if let Ok(value) = self.of(value) {
                    if !found.iter().any(|(known, _)| known == name) {
                        found.push((name.clone(), value.clone()));
                    }
                    self.names.push(value);
                    self.parts(body, found);
                    self.names.pop();
                }
            }
            // Leave out the body, because it has a different value for each member.
            ExprKind::Each(_, _, source, _) => self.parts(source, found),
            // The text of another position contains its piles, so do not list them again.
            ExprKind::At(..) => {}
            _ => expr.each_child(&mut |child| self.parts(child, found)),
        }
    }
}

/// Returns piles as a text with commas, or `()` if there are no piles.
pub fn written(piles: &[i128]) -> String {
    if piles.is_empty() {
        return "()".to_owned();
    }
    piles.iter().map(i128::to_string).collect::<Vec<_>>().join(",")
}

fn of_sets<T: Ord + Clone>(op: BinaryOp, x: &BTreeSet<T>, y: &BTreeSet<T>) -> BTreeSet<T> {
    match op {
        BinaryOp::Or => x | y,
        BinaryOp::And => x & y,
        BinaryOp::Xor => x ^ y,
        _ => x - y,
    }
}

/// Returns x // y, which is rounded down as in Python.
fn floor_div(x: i128, y: i128) -> Option<i128> {
    let quotient = x.checked_div(y)?;
    Some(if x % y != 0 && (x < 0) != (y < 0) { quotient - 1 } else { quotient })
}

pub fn arithmetic(op: BinaryOp, x: i128, y: i128) -> Result<i128, Cause> {
    let wide = Cause::TooWide;
    match op {
        BinaryOp::Or => Ok(x | y),
        BinaryOp::Xor => Ok(x ^ y),
        BinaryOp::And => Ok(x & y),
        BinaryOp::Add => x.checked_add(y).ok_or(wide),
        BinaryOp::Sub => x.checked_sub(y).ok_or(wide),
        BinaryOp::Mul => x.checked_mul(y).ok_or(wide),
        BinaryOp::Div | BinaryOp::Mod if y == 0 => Err(Cause::DivisionByZero),
        BinaryOp::Div => floor_div(x, y).ok_or(wide),
        // -1 divides every number, even if the quotient overflows.
        BinaryOp::Mod if y == -1 => Ok(0),
        BinaryOp::Mod => Ok(if x % y != 0 && (x < 0) != (y < 0) { x % y + y } else { x % y }),
        BinaryOp::Pow if y < 0 => Err(Cause::NegativeExponent),
        BinaryOp::Pow => match (x, u32::try_from(y)) {
            (0 | 1, _) => Ok(if y == 0 { 1 } else { x }),
            (-1, _) => Ok(if y % 2 == 0 { 1 } else { -1 }),
            (_, Ok(y)) => x.checked_pow(y).ok_or(wide),
            (_, Err(_)) => Err(wide),
        },
        BinaryOp::Left | BinaryOp::Right if !(0..=127).contains(&y) => Err(Cause::Shift),
        BinaryOp::Left => {
            let shifted = x.wrapping_shl(y as u32);
            if shifted >> y == x { Ok(shifted) } else { Err(wide) }
        }
        BinaryOp::Right => Ok(x >> y),
    }
}

fn compare(op: CompareOp, x: &Val, y: &Val) -> bool {
    let member = |x: &Val, of: &Val| match (x, of) {
        (Val::Int(number), Val::Set(set)) => set.contains(number),
        (Val::Int(number), Val::List(list)) => list.contains(number),
        (Val::Class(class), Val::Classes(set)) => set.contains(class),
        other => ill_typed!(other),
    };
    let ints = || match (x, y) {
        (Val::Int(x), Val::Int(y)) => (*x, *y),
        other => ill_typed!(other),
    };
    match op {
        CompareOp::Equal => x == y,
        CompareOp::Unequal => x != y,
        CompareOp::Less => ints().0 < ints().1,
        CompareOp::LessEqual => ints().0 <= ints().1,
        CompareOp::Greater => ints().0 > ints().1,
        CompareOp::GreaterEqual => ints().0 >= ints().1,
        CompareOp::In => member(x, y),
        CompareOp::NotIn => !member(x, y),
    }
}

/// The least number for which `is_prime` has no value, because the test would take long.
pub const LARGEST_TESTED: i128 = 1 << 40;

pub fn call(function: Function, all: &[i128]) -> Result<i128, Cause> {
    let name = function.name();
    let first = || match all {
        [x, ..] => Ok(*x),
        [] => Err(Cause::OfNothing(name)),
    };
    match function {
        Function::Abs => first()?.checked_abs().ok_or(Cause::TooWide),
        Function::Min => all.iter().copied().min().ok_or(Cause::OfNothing(name)),
        Function::Max => all.iter().copied().max().ok_or(Cause::OfNothing(name)),
        Function::Sum => {
            all.iter().try_fold(0i128, |sum, &x| sum.checked_add(x)).ok_or(Cause::TooWide)
        }
        Function::Xor => Ok(all.iter().fold(0, |xor, x| xor ^ x)),
        Function::Mex => Ok((0..).find(|value| !all.contains(value)).unwrap_or(0)),
        Function::Popcount => match first()? {
            x if x < 0 => Err(Cause::Domain(name)),
            x => Ok(x.count_ones().into()),
        },
        Function::V2 => match first()? {
            0 => Err(Cause::Domain(name)),
            x => Ok(x.trailing_zeros().into()),
        },
        Function::Log2 => match first()? {
            x if x <= 0 => Err(Cause::Domain(name)),
            x => Ok(x.ilog2().into()),
        },
        Function::Tri => {
            let x = first()?;
            // Halve the even one of x and x + 1 before the multiplication.
            let next = x.checked_add(1).ok_or(Cause::TooWide)?;
            let (half, whole) = if x % 2 == 0 { (x / 2, next) } else { (next / 2, x) };
            half.checked_mul(whole).ok_or(Cause::TooWide)
        }
        Function::Gcd => {
            let gcd = |mut x: u128, mut y: u128| {
                while y > 0 {
                    (x, y) = (y, x % y);
                }
                x
            };
            let found = all.iter().fold(0, |found, x| gcd(found, x.unsigned_abs()));
            found.try_into().map_err(|_| Cause::TooWide)
        }
        Function::IsPrime => match first()? {
            x if x >= LARGEST_TESTED => Err(Cause::Domain(name)),
            // Division is much faster in 64 bits. A negative number is not prime.
            x => Ok(u64::try_from(x).is_ok_and(is_prime).into()),
        },
        Function::Size => Ok(all.len() as i128),
        Function::Run
        | Function::After
        | Function::All
        | Function::Any
        | Function::Count
        | Function::Each => ill_typed!(name),
    }
}

/// True if a number below [`LARGEST_TESTED`] is prime.
fn is_prime(x: u64) -> bool {
    let mut divisors = (3..).step_by(2).take_while(|divisor| divisor * divisor <= x);
    x == 2 || x > 2 && x % 2 == 1 && divisors.all(|divisor| !x.is_multiple_of(divisor))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::cases;

    const CASES: &str = include_str!("eval.txt");

    /// Quotients are rounded down, and remainders have the sign of the divisor. Some cases are at
    /// the limits of 128 bits.
    #[test]
    fn arithmetic_of_whole_numbers() {
        use BinaryOp::{Add, Div, Left, Mod, Mul, Pow, Right, Sub};
        let result = |x: &str, sign, y: &str| {
            let all = [Add, Sub, Mul, Div, Mod, Pow, Left, Right];
            let op = all.into_iter().find(|op| op.sign() == sign).unwrap();
            arithmetic(op, x.parse().unwrap(), y.parse().unwrap())
        };
        for (_, [x, sign, y, expected]) in cases(CASES, "numbers") {
            let found = result(x, sign, y);
            assert!(
                matches!(found, Ok(z) if z.to_string() == expected),
                "{x} {sign} {y}: {found:?}"
            );
        }
        for (_, [x, sign, y]) in cases(CASES, "no number") {
            assert!(result(x, sign, y).is_err(), "{x} {sign} {y}");
        }
    }

    #[test]
    fn functions_of_numbers() {
        for (_, [name, numbers, expected]) in cases(CASES, "functions") {
            let numbers: Vec<i128> = numbers.split(' ').map(|x| x.parse().unwrap()).collect();
            let found = call(Function::named(name).unwrap(), &numbers);
            let found = found.map_or_else(|_| "none".to_owned(), |z| z.to_string());
            assert_eq!(found, expected, "{name} {numbers:?}");
        }
    }
}
