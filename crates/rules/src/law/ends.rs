//! Decides if the moves of a rule file read and change only the two end piles of a row.
//!
//! The names `first`, `last` and `p1` are allowed. So are comparisons that have the same result in
//! all rows of two or more piles, such as `k >= 2`, `k == 1`, and `t < total` for a t no larger
//! than an end pile. If a rule uses nothing else, the rows x m y and x y have the same moves, for
//! any piles m between the ends x and y.

use grundy_language::ExprKind;
use grundy_language::ast::{Builtin, CompareOp, Expr};

use super::{Binder, Change, Choice, Kind, Law, MOST_PILES, MoveRule, Numbers};

impl Law {
    /// True if the law admits all rows, and moves in rows of two or more piles use only the ends.
    pub(super) fn plays_on_ends(&self) -> bool {
        let all_rows = self.kind == Kind::Row
            && self.lengths == (1..=MOST_PILES)
            && self.admits.is_none()
            && self.blocks == 0
            && self.only_takes()
            && self.memories.is_none();
        all_rows && self.moves.iter().all(is_on_ends)
    }
}

fn is_on_ends(rule: &MoveRule) -> bool {
    let reads_ends = |expr: &Expr| reads_ends(expr, &rule.binders);
    let choices = rule.binders.iter().all(|binder| match &binder.of {
        Choice::Number(Numbers::Range(from, to)) => reads_ends(from) && reads_ends(to),
        Choice::Number(Numbers::Set(set)) => reads_ends(set),
        _ => false,
    });
    let changes = rule.effects.iter().all(|effect| {
        let is_end =
            matches!(effect.pile.kind, ExprKind::Int(1) | ExprKind::Builtin(Builtin::Length));
        is_end
            && match &effect.change {
                Change::Less(e) | Change::Becomes(e) => reads_ends(e),
                Change::Parts(_) => false,
            }
    });
    choices && changes && rule.before.iter().chain(&rule.after).all(reads_ends)
}

fn reads_ends(expr: &Expr, binders: &[Binder]) -> bool {
    match &expr.kind {
        ExprKind::Builtin(name) => is_end(*name),
        ExprKind::Compare(left, rest) if left.kind == ExprKind::Builtin(Builtin::Length) => {
            matches!(&rest[..], [(op, right)] if is_settled(*op, &right.kind))
        }
        ExprKind::Compare(left, rest) if is_part_of_total(left, rest, binders) => true,
        ExprKind::Name(_) | ExprKind::At(..) | ExprKind::Index(..) => false,
        _ => {
            let mut all = true;
            expr.each_child(&mut |child| all &= reads_ends(child, binders));
            all
        }
    }
}

fn is_end(name: Builtin) -> bool {
    matches!(name, Builtin::First | Builtin::Last | Builtin::Pile(1))
}

/// True for `t < total` and `total > t` if t is at most an end pile. Both comparisons hold in every
/// row of two or more piles. A rule may use them to forbid taking the last coin.
fn is_part_of_total(left: &Expr, rest: &[(CompareOp, Expr)], binders: &[Binder]) -> bool {
    let (less, more) = match rest {
        [(CompareOp::Less, right)] => (left, right),
        [(CompareOp::Greater, right)] => (right, left),
        _ => return false,
    };
    let ExprKind::Local(_, place) = less.kind else { return false };
    let taken = binders.iter().find(|binder| binder.place == place);
    more.kind == ExprKind::Builtin(Builtin::Total)
        && matches!(
            taken,
            Some(Binder { of: Choice::Number(Numbers::Range(_, to)), .. })
                if matches!(to.kind, ExprKind::Builtin(name) if is_end(name))
        )
}

/// True if a comparison of the number of piles has the same result for all numbers from 2 on.
fn is_settled(op: CompareOp, right: &ExprKind) -> bool {
    let ExprKind::Int(number) = *right else { return false };
    match op {
        CompareOp::Equal | CompareOp::Unequal => number < 2,
        CompareOp::Less | CompareOp::GreaterEqual => number <= 2,
        CompareOp::LessEqual | CompareOp::Greater => number < 2,
        CompareOp::In | CompareOp::NotIn => false,
    }
}
