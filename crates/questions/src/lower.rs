//! Compiles the tree to a program.
//!
//! The number of piles is known, so lists have a fixed number of members, and a quantifier over a
//! list becomes steps for each member. A quantifier over a set becomes steps for each possible
//! member, with a *guard* that is true if the member is present. Results are reused, but results
//! from a part that may be skipped are reused only in this part.

use grundy_language::Problem;
use grundy_language::ast::{
    BinaryOp, Builtin, CompareOp, Expr, ExprKind, Function, LogicOp, UnaryOp,
};

use crate::band::{self, Band};
use crate::games::Games;
use crate::program::{Arg, Op, Program};
use crate::steps::{
    FALSE, LARGEST_KEPT_TILE, Low, Lower, Lowered, MOST_STEPS, SetLow, Shape, TRUE,
};

/// The largest number of lanes to keep for results that depend only on the ends.
const MOST_KEPT_LANES: usize = 1 << 22;

/// The largest number of compiled expressions, counted with repetitions.
const MOST_LOWERED: u32 = 1 << 20;

pub(crate) fn lower(expr: &Expr, games: &Games, shape: Shape) -> Lowered<Program> {
    let mut lower = Lower::new(games.clone(), shape);
    let result = lower.top(expr, TRUE)?;
    let (width, mut program) = (lower.width(), lower.program);
    // Keeping too many registers of a whole tile takes more time than it saves.
    let kept = (program.registers[1] as usize).saturating_mul(shape.tile_cells);
    if kept > MOST_KEPT_LANES && shape.tile_cells <= LARGEST_KEPT_TILE {
        return self::lower(expr, games, Shape { tile_cells: usize::MAX, ..shape });
    }
    program.result = result;
    program.premise = lower.premise;
    program.width = width;
    Ok(program.without_idle_steps())
}

/// Compiles a statement for the band of a tile. `None` if the statement has no band.
pub(crate) fn lower_band(expr: &Expr, games: &Games, shape: Shape) -> Option<(Program, Band)> {
    let mut lower = Lower::new(games.clone(), Shape { is_band: true, ..shape });
    let result = lower.top(expr, TRUE).ok()?;
    let premise = lower.premise;
    let band = band::find(&lower, result, premise).filter(|_| !lower.is_full)?;
    let width = lower.width();
    let program = Program { result, premise, width, ..lower.program };
    Some((program.without_idle_steps(), band))
}

impl Lower {
    /// Compiles the whole statement, and records its premises.
    fn top(&mut self, expr: &Expr, mask: Arg) -> Lowered<Arg> {
        match &expr.kind {
            ExprKind::Let(_, value, body) => {
                let value = self.of(value, mask)?;
                self.names.push(value);
                let result = self.top(body, mask)?;
                self.names.pop();
                Ok(result)
            }
            ExprKind::Logic(LogicOp::Implies, left, right) => {
                let left = self.truth(left, mask)?;
                let under = self.and(mask, left);
                self.premise = None;
                if under == FALSE {
                    self.premise = Some(FALSE);
                    return Ok(TRUE);
                }
                let right = self.region(under, |lower| lower.top(right, under))?;
                // The premise of a nested implication includes the outer premise.
                self.premise = Some(match self.premise {
                    Some(inner) if inner != under => self.and(under, inner),
                    _ => under,
                });
                Ok(self.two(Op::LessEqual, left, right))
            }
            _ => self.truth(expr, mask),
        }
    }

    pub(crate) fn int(&mut self, expr: &Expr, mask: Arg) -> Lowered<Arg> {
        match self.of(expr, mask)? {
            Low::Int(operand) => Ok(operand),
            other => unreachable!("wrong type after the type check: {other:?}"),
        }
    }

    pub(crate) fn truth(&mut self, expr: &Expr, mask: Arg) -> Lowered<Arg> {
        match self.of(expr, mask)? {
            Low::Bool(operand) => Ok(operand),
            other => unreachable!("wrong type after the type check: {other:?}"),
        }
    }

    pub(crate) fn of(&mut self, expr: &Expr, mask: Arg) -> Lowered<Low> {
        let span = expr.span;
        self.lowered += 1;
        self.is_full |= self.lowered > MOST_LOWERED;
        if self.is_full {
            let what = format!("written out, the statement has more than {MOST_STEPS} steps");
            let problem = Problem::new(what, span, "this part is too long");
            let size = self.game().size_name();
            return Err(
                problem.hint(format!("choose a smaller {size} or length, or shorter ranges"))
            );
        }
        Ok(match &expr.kind {
            ExprKind::Int(number) => Low::Int(Arg::Fixed(*number)),
            ExprKind::Bool(truth) => Low::Bool(Arg::Fixed((*truth).into())),
            ExprKind::Builtin(builtin) => self.builtin(*builtin, mask, span)?,
            ExprKind::Name(name) => unreachable!("{name} is resolved before"),
            ExprKind::Local(_, place) => self.names[*place].clone(),
            ExprKind::Unary(UnaryOp::Not, of) => {
                let of = self.truth(of, mask)?;
                Low::Bool(self.not(of))
            }
            ExprKind::Unary(UnaryOp::Minus, of) => {
                let of = self.int(of, mask)?;
                Low::Int(self.unary(Op::Neg, of, mask, span)?)
            }
            ExprKind::Binary(op, left, right) => {
                match (self.of(left, mask)?, self.of(right, mask)?) {
                    (Low::Int(x), Low::Int(y)) => Low::Int(self.arithmetic(*op, x, y, mask, span)?),
                    (Low::Set(x), Low::Set(y)) => Low::Set(self.of_sets(*op, &x, &y)),
                    other => unreachable!("wrong type after the type check: {other:?}"),
                }
            }
            ExprKind::Compare(left, rest) => Low::Bool(self.comparison(left, rest, mask)?),
            ExprKind::Logic(op, left, right) => {
                let left = self.truth(left, mask)?;
                let under = match op {
                    LogicOp::And | LogicOp::Implies => self.and(mask, left),
                    LogicOp::Or => {
                        let not_left = self.not(left);
                        self.and(mask, not_left)
                    }
                    LogicOp::Iff => mask,
                };
                if under == FALSE {
                    // The left side determines the result, so do not compile the right side.
                    return Ok(Low::Bool(if *op == LogicOp::And { left } else { TRUE }));
                }
                let right = match op {
                    LogicOp::Iff => self.truth(right, mask)?,
                    _ => self.region(under, |lower| lower.truth(right, under))?,
                };
                Low::Bool(match op {
                    LogicOp::And => self.and(left, right),
                    LogicOp::Or => self.or(left, right),
                    LogicOp::Implies => self.two(Op::LessEqual, left, right),
                    LogicOp::Iff => self.two(Op::Equal, left, right),
                })
            }
            ExprKind::If(condition, then, otherwise) => {
                self.choice(condition, then, otherwise, mask)?
            }
            ExprKind::Let(_, value, body) => {
                let value = self.of(value, mask)?;
                self.names.push(value);
                let found = self.of(body, mask);
                self.names.pop();
                found?
            }
            ExprKind::Call(function, arguments) => {
                let mut all = Vec::new();
                for argument in arguments {
                    match self.of(argument, mask)? {
                        Low::Int(number) => all.push((number, TRUE)),
                        Low::List(list) => all.extend(list),
                        Low::Set(set) => {
                            if let Some(found) = self.of_options(*function, &set, arguments.len()) {
                                return Ok(Low::Int(found));
                            }
                            all.extend(self.distinct(&set));
                        }
                        other => unreachable!("wrong type after the type check: {other:?}"),
                    }
                }
                Low::Int(self.call(*function, &all, mask, span)?)
            }
            ExprKind::Each(function, _, source, body) => {
                self.each(*function, source, body, mask)?
            }
            ExprKind::At(property, there) => self.other(*property, there, mask, span)?,
            ExprKind::Index(of, index) => {
                let (of, index) = (self.of(of, mask)?, self.int(index, mask)?);
                let Low::List(list) = of else { unreachable!("the types were checked") };
                Low::Int(self.index(&list, index, mask, span)?)
            }
            ExprKind::Set(members) => {
                let mut items = Vec::new();
                for member in members {
                    match self.of(member, mask)? {
                        Low::Int(x) => items.push((x, TRUE)),
                        Low::List(list) => items.extend(list),
                        Low::Set(set) => items.extend(self.items(&set)),
                        other => unreachable!("wrong type after the type check: {other:?}"),
                    }
                }
                Low::Set(SetLow::Items(items))
            }
            ExprKind::Range(first, last) => {
                let (first, last) = (self.int(first, mask)?, self.int(last, mask)?);
                Low::Set(self.numbers(first, last, span)?)
            }
        })
    }

    pub(crate) fn each(
        &mut self,
        function: Function,
        source: &Expr,
        body: &Expr,
        mask: Arg,
    ) -> Lowered<Low> {
        let counts = matches!(function, Function::Count | Function::Sum | Function::Xor);
        let span = source.span.to(body.span);
        if let Some(found) = self.is_option(function, source, body, mask)? {
            return Ok(Low::Bool(found));
        }
        let members: Vec<_> = match self.of(source, mask)? {
            Low::List(list) => list,
            Low::Set(set) if counts => self.distinct(&set),
            Low::Set(set) => self.items(&set),
            other => unreachable!("wrong type after the type check: {other:?}"),
        };
        let mut said = Vec::with_capacity(members.len());
        for (value, guard) in members {
            let under = self.and(mask, guard);
            if under == FALSE {
                continue;
            }
            self.names.push(Low::Int(value));
            let found = self.region(under, |lower| lower.of(body, under));
            self.names.pop();
            match found? {
                Low::Int(x) | Low::Bool(x) => said.push((x, guard)),
                other => unreachable!("wrong type after the type check: {other:?}"),
            }
        }
        Ok(match function {
            Function::All => {
                let mut all = TRUE;
                for (truth, guard) in said {
                    let fits = self.two(Op::LessEqual, guard, truth);
                    all = self.and(all, fits);
                }
                Low::Bool(all)
            }
            Function::Any => {
                let mut any = FALSE;
                for (truth, guard) in said {
                    let found = self.and(guard, truth);
                    any = self.or(any, found);
                }
                Low::Bool(any)
            }
            Function::Count => {
                let mut count = Arg::Fixed(0);
                for (truth, guard) in said {
                    let found = self.and(guard, truth);
                    count = self.arithmetic(BinaryOp::Add, count, found, mask, span)?;
                }
                Low::Int(count)
            }
            other => Low::Int(self.call(other, &said, mask, span)?),
        })
    }

    /// Compiles `any option: option == x` and `all options: option != x` to one step, which tests
    /// if x is the value of an option. `None` for other statements, or if x depends on the option.
    fn is_option(
        &mut self,
        function: Function,
        source: &Expr,
        body: &Expr,
        mask: Arg,
    ) -> Lowered<Option<Arg>> {
        let (ExprKind::Compare(left, rest), ExprKind::Builtin(_)) = (&body.kind, &source.kind)
        else {
            return Ok(None);
        };
        let wanted = match (function, &rest[..]) {
            (Function::Any, [(CompareOp::Equal, right)]) => right,
            (Function::All, [(CompareOp::Unequal, right)]) => right,
            _ => return Ok(None),
        };
        let place = self.names.len();
        let is_name = |expr: &Expr| matches!(&expr.kind, ExprKind::Local(_, at) if *at == place);
        let wanted = match (is_name(left), is_name(wanted)) {
            (true, false) if is_the_same_without(place, wanted) => wanted,
            (false, true) if is_the_same_without(place, left) => &**left,
            _ => return Ok(None),
        };
        let Low::Set(set @ SetLow::Options(..)) = self.of(source, mask)? else { return Ok(None) };
        let wanted = self.int(wanted, mask)?;
        let found = self.contains(&set, wanted);
        Ok(Some(if function == Function::Any { found } else { self.not(found) }))
    }

    fn choice(
        &mut self,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
        mask: Arg,
    ) -> Lowered<Low> {
        let condition = self.truth(condition, mask)?;
        match condition {
            TRUE => return self.of(then, mask),
            FALSE => return self.of(otherwise, mask),
            _ => {}
        }
        let denied = self.not(condition);
        let (yes, no) = (self.and(mask, condition), self.and(mask, denied));
        let then = self.region(yes, |lower| lower.of(then, yes).map(|low| lower.settled(low)))?;
        let other =
            self.region(no, |lower| lower.of(otherwise, no).map(|low| lower.settled(low)))?;
        Ok(self.either(condition, then, other))
    }

    /// Writes out the options, which are gathered only in the lanes of the current part.
    fn settled(&mut self, low: Low) -> Low {
        match low {
            Low::Set(set @ SetLow::Options(..)) => Low::Set(SetLow::Items(self.items(&set))),
            other => other,
        }
    }

    /// Returns the first of two results if the condition is true, and otherwise the second.
    pub(crate) fn either(&mut self, condition: Arg, then: Low, other: Low) -> Low {
        match (then, other) {
            (Low::Int(x), Low::Int(y)) => Low::Int(self.select(condition, x, y)),
            (Low::Bool(x), Low::Bool(y)) => Low::Bool(self.select(condition, x, y)),
            (Low::List(x), Low::List(y)) => {
                let none = (Arg::Fixed(0), FALSE);
                let at = |list: &[(Arg, Arg)], at: usize| list.get(at).copied().unwrap_or(none);
                let all = (0..x.len().max(y.len())).map(|place| {
                    let (x, y) = (at(&x, place), at(&y, place));
                    let value = match (x.1, y.1) {
                        (FALSE, _) => y.0,
                        (_, FALSE) => x.0,
                        _ => self.select(condition, x.0, y.0),
                    };
                    (value, self.select(condition, x.1, y.1))
                });
                Low::List(all.collect())
            }
            (Low::Set(SetLow::Mask(x, most)), Low::Set(SetLow::Mask(y, other))) => {
                Low::Set(SetLow::Mask(self.select(condition, x, y), most.max(other)))
            }
            (Low::Set(x), Low::Set(y)) => {
                let (mut all, denied) = (Vec::new(), self.not(condition));
                for (set, side) in [(x, condition), (y, denied)] {
                    for (value, guard) in self.items(&set) {
                        all.push((value, self.and(guard, side)));
                    }
                }
                Low::Set(SetLow::Items(all))
            }
            other => unreachable!("wrong type after the type check: {other:?}"),
        }
    }

    fn comparison(&mut self, left: &Expr, rest: &[(CompareOp, Expr)], mask: Arg) -> Lowered<Arg> {
        let before = self.of(left, mask)?;
        self.chain(before, rest, mask)
    }

    /// Compiles a chain of comparisons, which ends at the first false comparison.
    fn chain(&mut self, before: Low, rest: &[(CompareOp, Expr)], mask: Arg) -> Lowered<Arg> {
        let Some(((op, right), rest)) = rest.split_first() else { return Ok(TRUE) };
        let next = self.of(right, mask)?;
        let holds = self.compare(*op, &before, &next);
        if rest.is_empty() || holds == FALSE {
            return Ok(holds);
        }
        let under = self.and(mask, holds);
        let others = self.region(under, |lower| lower.chain(next, rest, under))?;
        Ok(self.and(holds, others))
    }

    fn compare(&mut self, op: CompareOp, x: &Low, y: &Low) -> Arg {
        let negative = matches!(op, CompareOp::Unequal | CompareOp::NotIn);
        let found = match (op, x, y) {
            (CompareOp::In | CompareOp::NotIn, Low::Int(x), Low::Set(set)) => {
                self.contains(set, *x)
            }
            (CompareOp::In | CompareOp::NotIn, Low::Int(x), Low::List(list)) => {
                self.contains(&SetLow::Items(list.clone()), *x)
            }
            (_, Low::Set(x), Low::Set(y)) => self.same_set(x, y),
            (_, Low::List(x), Low::List(y)) => {
                let none = (Arg::Fixed(0), FALSE);
                let mut all = TRUE;
                for at in 0..x.len().max(y.len()) {
                    let at = |list: &[(Arg, Arg)]| list.get(at).copied().unwrap_or(none);
                    let (x, y) = (at(x), at(y));
                    // Both members are missing, or both are present and equal.
                    let (same, as_many) =
                        (self.two(Op::Equal, x.0, y.0), self.two(Op::Equal, x.1, y.1));
                    let same = self.two(Op::LessEqual, x.1, same);
                    let same = self.and(as_many, same);
                    all = self.and(all, same);
                }
                all
            }
            (_, Low::Int(x) | Low::Bool(x), Low::Int(y) | Low::Bool(y)) => match op {
                CompareOp::Less => self.two(Op::Less, *x, *y),
                CompareOp::LessEqual => self.two(Op::LessEqual, *x, *y),
                CompareOp::Greater => self.two(Op::Less, *y, *x),
                CompareOp::GreaterEqual => self.two(Op::LessEqual, *y, *x),
                _ => self.two(Op::Equal, *x, *y),
            },
            other => unreachable!("wrong type after the type check: {other:?}"),
        };
        if negative { self.not(found) } else { found }
    }
}

/// True if an expression always has a value, and does not use the local name at `place`.
fn is_the_same_without(place: usize, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) => true,
        ExprKind::Builtin(builtin) => !matches!(builtin, Builtin::Pile(_)),
        ExprKind::Local(_, at) => *at != place,
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Xor, x, y) => {
            is_the_same_without(place, x) && is_the_same_without(place, y)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
