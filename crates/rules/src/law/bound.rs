//! Bounds on the number of options. These bounds hold for values too.

use grundy_language::ast::{BinaryOp, Builtin, Function};
use grundy_language::{Expr, ExprKind};

use super::at::{Plain, constant};
use super::{Change, Kind, Law, MoveRule, Numbers};

impl Law {
    /// Returns a bound on the number of options of a position, if one can be derived.
    pub fn most_options(&self, max_pile: u32, length: usize) -> Option<u64> {
        if self.kind == Kind::Sum {
            return Some(self.most_replaced(max_pile));
        }
        let plain = self.at(length)?;
        let of = |line| choices(line, max_pile);
        plain.iter().map(of).try_fold(0u64, |sum, options| sum.checked_add(options?))
    }

    /// Returns a bound on the number of lists of piles that may replace a pile of a sum. Each new
    /// pile is smaller than the old pile. So all lines that leave at most one pile have at most
    /// `max_pile` lists together. A line that leaves `r` piles has at most `max_pile ** r` lists.
    fn most_replaced(&self, max_pile: u32) -> u64 {
        let pile = u64::from(max_pile);
        // If every move of the octal code takes a coin, no value exceeds the number of coins.
        if self.code.as_ref().is_some_and(|digits| digits[0] == 0) {
            return pile;
        }
        let plain = self.at(1);
        let lists = |(at, rule): (usize, &MoveRule)| {
            let parts = rule.effects.iter().map(|effect| match &effect.change {
                Change::Parts(all) if all.iter().any(is_list) => usize::MAX,
                Change::Parts(all) => all.len(),
                _ => 1,
            });
            let parts = parts.max().filter(|&parts| parts > 1)?;
            let lines = plain.as_ref().map(|all| all.iter().filter(|line| line.line == at));
            let chosen = lines.and_then(|mut lines| {
                lines.try_fold(0u64, |sum, line| sum.checked_add(choices(line, max_pile)?))
            });
            // A cell has at most 32 bits.
            let all = pile.saturating_pow(parts as u32).min(u32::MAX.into());
            Some(chosen.map_or(all, |chosen| chosen.min(all)))
        };
        self.moves.iter().enumerate().filter_map(lists).fold(pile, u64::saturating_add)
    }
}

fn is_list(part: &Expr) -> bool {
    matches!(part.kind, ExprKind::Each(Function::Each, ..))
}

/// Returns a bound on the number of choices of a line, if one can be derived.
fn choices(line: &Plain, max_pile: u32) -> Option<u64> {
    let mut from = Vec::new();
    line.binders.iter().try_fold(1u64, |all, numbers| {
        let (least, some) = size(numbers, max_pile.into(), &from)?;
        from.push(least);
        all.checked_mul(some.try_into().ok()?)
    })
}

/// Returns a lower bound on the numbers of a choice, if one can be derived, and an upper bound on
/// how many numbers there are. `from` contains the lower bounds for the earlier choices.
fn size(numbers: &Numbers, pile: i128, from: &[Option<i128>]) -> Option<(Option<i128>, i128)> {
    let range = |x: &Expr, y: &Expr| {
        let least = least(x, pile, from)?;
        Some((Some(least), (largest(y, pile)?.checked_sub(least)?.checked_add(1)?).max(0)))
    };
    match numbers {
        Numbers::Range(x, y) => range(x, y),
        Numbers::Set(set) => match &set.kind {
            ExprKind::Set(members) => {
                let size = |member: &Expr| match &member.kind {
                    ExprKind::Range(x, y) => Some(range(x, y)?.1),
                    _ => Some(1),
                };
                let mut sizes = members.iter().map(size);
                Some((None, sizes.try_fold(0i128, |all, some| all.checked_add(some?))?))
            }
            _ => None,
        },
    }
}

/// Returns a lower bound on the value of an expression, if one can be derived. `from` contains the
/// lower bounds on the choices that the expression may name.
fn least(expr: &Expr, pile: i128, from: &[Option<i128>]) -> Option<i128> {
    let of = |x: &Expr| least(x, pile, from);
    match &expr.kind {
        ExprKind::Int(number) => Some(*number),
        ExprKind::Builtin(Builtin::Pile(_) | Builtin::Total) => Some(0),
        ExprKind::Local(_, place) => *from.get(*place)?,
        ExprKind::Call(Function::Max, all) => all.iter().filter_map(of).max(),
        ExprKind::Call(Function::Min, all) => {
            all.iter().map(of).try_fold(i128::MAX, |m, x| Some(m.min(x?)))
        }
        ExprKind::Binary(BinaryOp::Add, x, y) => of(x)?.checked_add(of(y)?),
        ExprKind::Binary(BinaryOp::Sub, x, y) => of(x)?.checked_sub(largest(y, pile)?),
        ExprKind::Binary(BinaryOp::Mul, x, y) => {
            (of(x)? >= 0 && of(y)? >= 0).then_some(of(x)?.checked_mul(of(y)?)?)
        }
        ExprKind::Binary(BinaryOp::Div, x, y) => (of(x)? >= 0 && of(y)? > 0).then_some(0),
        _ => None,
    }
}

/// Returns an upper bound on the value of an expression, if one can be derived.
fn largest(expr: &Expr, pile: i128) -> Option<i128> {
    match &expr.kind {
        ExprKind::Int(number) => Some(*number),
        ExprKind::Builtin(Builtin::Pile(_)) => Some(pile),
        ExprKind::Call(Function::Min, all) => all.iter().filter_map(|x| largest(x, pile)).min(),
        ExprKind::Call(Function::Max, all) => {
            all.iter().map(|x| largest(x, pile)).try_fold(i128::MIN, |m, x| Some(m.max(x?)))
        }
        ExprKind::Binary(BinaryOp::Add, x, y) => largest(x, pile)?.checked_add(largest(y, pile)?),
        ExprKind::Binary(BinaryOp::Sub, x, y) => {
            largest(x, pile)?.checked_sub(constant(y).filter(|&y| y >= 0)?)
        }
        ExprKind::Binary(BinaryOp::Div, x, y) => {
            Some(largest(x, pile)?.max(0) / constant(y).filter(|&y| y > 0)?)
        }
        _ => None,
    }
}
