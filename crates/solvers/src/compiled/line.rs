//! A line of a rule file, written out for one length, and the forms of its expressions.

use grundy_language::ast::{BinaryOp, Builtin, CompareOp, ExprKind, Function};
use grundy_language::{Evaluator, Expr, Val};
use grundy_rules::law::{At, Numbers, Plain};

/// The largest number of moves of a cell for which shapes are faster than visiting single options.
pub(super) const MOST_MOVES: usize = 1 << 10;

pub(super) struct Line<'a> {
    pub(super) plain: &'a Plain,
    pub(super) length: usize,
    /// The smallest and the largest pile.
    pub(super) least: usize,
    pub(super) largest: usize,
}

/// A number factor·t + more, where the binder at `place` chooses t.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Linear {
    pub(super) place: usize,
    pub(super) factor: usize,
    pub(super) more: usize,
}

/// The kinds of names in an expression.
#[derive(Default)]
pub(super) struct Mentions {
    pub(super) binders: bool,
    pub(super) piles: bool,
}

pub(super) fn mentions(expr: &Expr, binders: usize) -> Mentions {
    let mut found = Mentions::default();
    fn walk(expr: &Expr, binders: usize, found: &mut Mentions) {
        match &expr.kind {
            ExprKind::Builtin(_) => found.piles = true,
            ExprKind::Local(_, place) if *place < binders => found.binders = true,
            _ => {}
        }
        expr.each_child(&mut |child| walk(child, binders, found));
    }
    walk(expr, binders, &mut found);
    found
}

/// Returns the piles that an expression mentions, or `None` if it contains names such as `total`.
pub(super) fn piles_of(expr: &Expr) -> Option<Vec<usize>> {
    let mut found = Some(Vec::new());
    fn walk(expr: &Expr, found: &mut Option<Vec<usize>>) {
        if matches!(expr.kind, ExprKind::Builtin(_)) {
            *found = found.take().zip(pile_of(expr)).map(|(mut all, pile)| {
                all.push(pile);
                all
            });
        }
        expr.each_child(&mut |child| walk(child, found));
    }
    walk(expr, &mut found);
    found
}

pub(super) fn constant(expr: &Expr) -> Option<usize> {
    match expr.kind {
        ExprKind::Int(number) => usize::try_from(number).ok(),
        _ => None,
    }
}

pub(super) fn pile_of(expr: &Expr) -> Option<usize> {
    match expr.kind {
        ExprKind::Builtin(Builtin::Pile(number)) => number.checked_sub(1),
        _ => None,
    }
}

pub(super) fn linear(expr: &Expr) -> Option<Linear> {
    match &expr.kind {
        ExprKind::Int(_) => Some(Linear { place: 0, factor: 0, more: constant(expr)? }),
        ExprKind::Local(_, place) => Some(Linear { place: *place, factor: 1, more: 0 }),
        ExprKind::Binary(BinaryOp::Mul, x, y) => {
            let (factor, of) = match (constant(x), constant(y)) {
                (Some(factor), _) => (factor, linear(y)?),
                (_, Some(factor)) => (factor, linear(x)?),
                _ => return None,
            };
            let (times, more) = (of.factor.checked_mul(factor)?, of.more.checked_mul(factor)?);
            Some(Linear { place: of.place, factor: times, more })
        }
        ExprKind::Binary(BinaryOp::Add, x, y) => {
            let (x, y) = (linear(x)?, linear(y)?);
            let place = match (x.factor, y.factor) {
                (_, 0) => x.place,
                (0, _) => y.place,
                _ if x.place == y.place => x.place,
                _ => return None,
            };
            let factor = x.factor.checked_add(y.factor)?;
            Some(Linear { place, factor, more: x.more.checked_add(y.more)? })
        }
        _ => None,
    }
}

/// Returns the parts of a bound: the arguments of `min`, or the bound itself.
pub(super) fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Call(Function::Min, all) => all.iter().flat_map(parts).collect(),
        _ => vec![expr],
    }
}

impl Line<'_> {
    /// Returns all conditions of the line in order, including the bounds of its ranges.
    pub(super) fn conditions(&self) -> Vec<Expr> {
        let mut conditions: Vec<Expr> = self.plain.before.clone();
        for (place, numbers) in self.plain.binders.iter().enumerate() {
            if let Numbers::Range(from, to) = numbers {
                let span = from.span;
                let number = || Expr::new(ExprKind::Local(String::new(), place), span);
                let at_most = |x: Expr, y: Expr| {
                    let kind = ExprKind::Compare(Box::new(x), vec![(CompareOp::LessEqual, y)]);
                    Expr::new(kind, span)
                };
                conditions.push(at_most(from.clone(), number()));
                let ends = parts(to).into_iter().cloned();
                conditions.extend(ends.map(|end| at_most(number(), end)));
            }
        }
        conditions.extend(self.plain.after.iter().cloned());
        conditions
    }

    pub(super) fn size(&self) -> (usize, usize, usize) {
        (self.length, self.least, self.largest)
    }

    /// True if the sets, the beginnings of ranges and the conditions `told` allow the numbers.
    /// `None` if a set or a beginning mentions piles or is negative, or an expression has no value.
    pub(super) fn allows(&self, numbers: &[usize], told: &[&Expr]) -> Option<bool> {
        let here = At::new(&[]);
        let mut evaluator = Evaluator::new(&here);
        let names = |count: usize| -> Vec<Val> {
            numbers[..count].iter().map(|&number| Val::Int(number as i128)).collect()
        };
        for (place, numbers_of) in self.plain.binders.iter().enumerate() {
            evaluator.names = names(place);
            match numbers_of {
                Numbers::Set(set) if mentions(set, place).piles || is_long(set) => return None,
                Numbers::Set(set) => match evaluator.of(set).ok()? {
                    Val::Set(members) if members.iter().any(|&member| member < 0) => return None,
                    Val::Set(members) if members.contains(&(numbers[place] as i128)) => {}
                    _ => return Some(false),
                },
                Numbers::Range(from, _) if mentions(from, place).piles => return None,
                Numbers::Range(from, _) => match evaluator.int(from).ok()? {
                    from if from < 0 => return None,
                    from if from > numbers[place] as i128 => return Some(false),
                    _ => {}
                },
            }
        }
        evaluator.names = names(numbers.len());
        for condition in told {
            if !evaluator.truth(condition).ok()? {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// True if a set has too many numbers to be compared with each number of coins.
fn is_long(set: &Expr) -> bool {
    matches!(&set.kind, ExprKind::Set(members) if members.len() > MOST_MOVES << 2)
}
