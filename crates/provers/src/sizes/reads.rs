//! Decides which statements and conditions small boxes decide, and reads their cap and modulus.
//!
//! An expression is evaluated once in every order of the points. There a pile, a minimum or a
//! choice is a linear form, or one of a few linear forms, which are called *cases*. A comparison
//! is decided by a cap if each pair of cases is ([`Order::decide`]). So a part of a statement that
//! the order never reaches, as behind `first < last and`, sets no condition.

use std::collections::BTreeSet;

use grundy_language::ast::{
    BinaryOp, Builtin, CompareOp, End, Expr, ExprKind, Function, LogicOp, OtherPosition, Property,
    UnaryOp,
};

use super::numbers::{MOST_CASES, as_constant, few, only_with_constants};
use super::order::Linear;
use super::reader::{Num, Read, Reader, Val, refuse};

/// The reason why a statement is refused that counts or adds the members of a set.
const MAYBE_EQUAL: &str =
    "uses each member of a set once, and some members may be equal; use lists, such as `piles`";

/// True if members that occur twice do not change the result of a function.
pub(super) fn ignores_copies(function: Function) -> bool {
    matches!(function, Function::Min | Function::Max | Function::All | Function::Any)
}

/// Returns a set. Constants that occur twice are left out, so a set of constants is a list.
fn set_of(members: Vec<Vec<Num>>) -> Val {
    let constant = |cases: &Vec<Num>| match &cases[..] {
        [only] => as_constant(only),
        _ => None,
    };
    match members.iter().map(constant).collect::<Option<BTreeSet<i128>>>() {
        Some(all) => {
            let one = |number| vec![Num::Linear(Linear::constant(number))];
            Val::Members(all.into_iter().map(one).collect())
        }
        None if members.len() == 1 => Val::Members(members),
        None => Val::Set(members),
    }
}

impl Reader<'_> {
    pub(super) fn truth(&mut self, expr: &Expr) -> Read<Option<bool>> {
        match self.of(expr)? {
            Val::Truth(truth) => Ok(truth),
            // A class stands for the comparison with the outcome.
            other => unreachable!("wrong type after the type check: {other:?}"),
        }
    }

    pub(super) fn cases(&mut self, expr: &Expr) -> Read<Vec<Num>> {
        match self.of(expr)? {
            Val::Cases(cases) => Ok(cases),
            other => unreachable!("wrong type after the type check: {other:?}"),
        }
    }

    fn pile(&self, number: usize, expr: &Expr) -> Read<Vec<Num>> {
        match number.checked_sub(1).filter(|point| *point < self.length) {
            Some(point) => Ok(vec![Num::Linear(Linear::point(point))]),
            None => refuse(expr, &format!("is not a pile of {} piles", self.length)),
        }
    }

    /// Returns the number of equal piles at an end. The order decides which piles are equal.
    fn run(&self, end: End) -> usize {
        let piles = &self.order.block[..self.length];
        match end {
            End::First => piles.iter().take_while(|block| **block == piles[0]).count(),
            End::Last => piles.iter().rev().take_while(|block| piles.last() == Some(block)).count(),
        }
    }

    fn list(&self, piles: std::ops::Range<usize>) -> Val {
        Val::Members(piles.map(|at| vec![Num::Linear(Linear::point(at))]).collect())
    }

    pub(super) fn of(&mut self, expr: &Expr) -> Read<Val> {
        let length = self.length;
        Ok(match &expr.kind {
            ExprKind::Int(number) => Val::Cases(vec![Num::Linear(Linear::constant(*number))]),
            ExprKind::Bool(truth) => Val::Truth(Some(*truth)),
            ExprKind::Local(_, place) => self.names[*place].clone(),
            ExprKind::Builtin(builtin) => match builtin {
                Builtin::First => Val::Cases(self.pile(1, expr)?),
                Builtin::Last => Val::Cases(self.pile(length, expr)?),
                Builtin::Pile(number) => Val::Cases(self.pile(*number, expr)?),
                Builtin::Length => Val::Cases(vec![Num::Linear(Linear::constant(length as i128))]),
                Builtin::Total => {
                    let all = Val::Members(self.members_of(self.list(0..length)));
                    Val::Cases(self.call(Function::Sum, self.members_of(all), expr)?)
                }
                Builtin::Piles => self.list(0..length),
                Builtin::Reverse => {
                    let mut all = self.members_of(self.list(0..length));
                    all.reverse();
                    Val::Members(all)
                }
                Builtin::Middle => {
                    self.list(1.min(length)..length.saturating_sub(1).max(1.min(length)))
                }
                Builtin::Run(end) => {
                    Val::Cases(vec![Num::Linear(Linear::constant(self.run(*end) as i128))])
                }
                Builtin::After(end) => Val::Cases(match (self.run(*end), end) {
                    (run, _) if run == length => vec![Num::Linear(Linear::constant(0))],
                    (run, End::First) => self.pile(run + 1, expr)?,
                    (run, End::Last) => self.pile(length - run, expr)?,
                }),
                Builtin::Value => self.value_of(0),
                Builtin::Outcome => self.class_of(0),
                Builtin::Class(class) => Val::Class(Some(*class)),
                Builtin::Options | Builtin::LeftOptions | Builtin::RightOptions => {
                    // The type of an option follows only from a larger cap.
                    self.needs.shift = self.needs.shift.max(self.shift);
                    Val::Options
                }
                _ => return refuse(expr, "is no comparison of piles"),
            },
            ExprKind::Unary(UnaryOp::Not, of) => {
                let truth = self.under(|positive| positive.map(|truth| !truth), |r| r.truth(of))?;
                Val::Truth(truth.map(|truth| !truth))
            }
            ExprKind::Unary(UnaryOp::Minus, of) => {
                let zero = vec![Num::Linear(Linear::constant(0))];
                let of = self.cases(of)?;
                Val::Cases(self.pairs(BinaryOp::Sub, &zero, &of, expr)?)
            }
            ExprKind::Binary(op, x, y) => match (self.of(x)?, self.of(y)?) {
                (Val::Cases(x), Val::Cases(y)) => Val::Cases(self.pairs(*op, &x, &y, expr)?),
                (Val::Members(x) | Val::Set(x), Val::Members(y) | Val::Set(y))
                    if *op == BinaryOp::Or =>
                {
                    set_of([x, y].concat())
                }
                _ => return refuse(expr, "combines sets; list their members"),
            },
            ExprKind::Compare(left, rest) => {
                let mut before = self.both_ways(left)?;
                let mut all = Some(true);
                let mut shown = &**left;
                for (op, right) in rest {
                    let text = format!("{shown} {} {right}", op.sign());
                    let (next, found) = match &right.kind {
                        ExprKind::Range(from, to) if self.constants(from, to)?.is_none() => {
                            let found = self.is_between(&before, from, to, &text)?;
                            (Val::Classes, found.map(|truth| truth == (*op == CompareOp::In)))
                        }
                        _ => {
                            let next = self.both_ways(right)?;
                            let found = self.compare(*op, &before, &next, &text)?;
                            (next, found)
                        }
                    };
                    match found {
                        Some(true) => {}
                        Some(false) => return Ok(Val::Truth(Some(false))),
                        None => all = None,
                    }
                    (before, shown) = (next, right);
                }
                Val::Truth(all)
            }
            ExprKind::Logic(op, x, y) => Val::Truth(self.logic(*op, x, y)?),
            ExprKind::If(condition, x, y) => {
                match self.under(|_| None, |reader| reader.truth(condition))? {
                    Some(true) => self.of(x)?,
                    Some(false) => self.of(y)?,
                    None => match (self.of(x)?, self.of(y)?) {
                        (Val::Cases(x), Val::Cases(y)) => Val::Cases(few([x, y].concat(), expr)?),
                        (Val::Truth(x), Val::Truth(y)) => Val::Truth(x.filter(|_| x == y)),
                        (Val::Class(x), Val::Class(y)) => Val::Class(x.filter(|_| x == y)),
                        _ => return refuse(expr, "is no choice of numbers"),
                    },
                }
            }
            ExprKind::Let(_, value, body) => {
                let value = self.both_ways(value)?;
                self.names.push(value);
                let body = self.of(body);
                self.names.pop();
                body?
            }
            ExprKind::Call(Function::Size, all) => match (&all[0].kind, self.of(&all[0])?) {
                (ExprKind::Builtin(_), Val::Members(all)) => {
                    Val::Cases(vec![Num::Linear(Linear::constant(all.len() as i128))])
                }
                _ => {
                    return refuse(
                        expr,
                        "counts the members of a set; test single values, as in `1 in options`",
                    );
                }
            },
            ExprKind::Call(function, arguments) => {
                let mut all = Vec::new();
                for argument in arguments {
                    match self.of(argument)? {
                        Val::Cases(cases) => all.push(cases),
                        Val::Members(members) => all.extend(members),
                        Val::Set(members) if ignores_copies(*function) => all.extend(members),
                        Val::Set(_) => return refuse(expr, MAYBE_EQUAL),
                        _ => {
                            return refuse(
                                expr,
                                "combines the values of all options; test single values, as in \
                                 `1 in options`",
                            );
                        }
                    }
                }
                Val::Cases(self.call(*function, all, expr)?)
            }
            ExprKind::Each(function, _, source, body) => {
                self.each(*function, source, body, expr)?
            }
            ExprKind::Index(list, index) => {
                let (list, index) = (self.of(list)?, self.cases(index)?);
                let all = self.members_of(list);
                let mut cases = Vec::new();
                for index in index {
                    let at = as_constant(&index).and_then(|index| usize::try_from(index - 1).ok());
                    match at.and_then(|at| all.get(at)) {
                        Some(found) => cases.extend(found.iter().cloned()),
                        None => return refuse(expr, "has no constant place in the list"),
                    }
                }
                Val::Cases(few(cases, expr)?)
            }
            ExprKind::Set(all) => {
                let mut members = Vec::new();
                for member in all {
                    match self.of(member)? {
                        Val::Cases(cases) => members.push(cases),
                        Val::Members(all) | Val::Set(all) => members.extend(all),
                        Val::Class(_) => return Ok(Val::Classes),
                        _ => return refuse(expr, "is no set of piles and constants"),
                    }
                }
                set_of(members)
            }
            ExprKind::Range(from, to) => match self.constants(from, to)? {
                Some(range) if range.clone().count() <= MOST_CASES => Val::Members(
                    range.map(|number| vec![Num::Linear(Linear::constant(number))]).collect(),
                ),
                _ => return refuse(expr, "is a range that depends on piles"),
            },
            ExprKind::At(property, there) => self.at(*property, there, expr)?,
            // Words that this prover does not know.
            _ => return refuse(expr, "is no comparison of piles"),
        })
    }

    fn members_of(&self, list: Val) -> Vec<Vec<Num>> {
        match list {
            Val::Members(all) => all,
            other => unreachable!("wrong type after the type check: {other:?}"),
        }
    }

    /// Returns the range from one number to another, if both are constant.
    fn constants(
        &mut self,
        from: &Expr,
        to: &Expr,
    ) -> Read<Option<std::ops::RangeInclusive<i128>>> {
        let constant = |cases: Vec<Num>| match &cases[..] {
            [only] => as_constant(only),
            _ => None,
        };
        let (from, to) = (constant(self.cases(from)?), constant(self.cases(to)?));
        Ok(from.zip(to).map(|(from, to)| from..=to))
    }

    /// Reads a part that may be used under negations and without.
    fn both_ways(&mut self, expr: &Expr) -> Read<Val> {
        self.under(|_| None, |reader| reader.of(expr))
    }

    fn is_between(&mut self, x: &Val, from: &Expr, to: &Expr, text: &str) -> Read<Option<bool>> {
        let Val::Cases(x) = x else { return refuse(&text, "compares sets or lists") };
        let (from, to) = (self.cases(from)?, self.cases(to)?);
        let above = self.all_pairs(&from, CompareOp::LessEqual, x, text)?;
        let below = self.all_pairs(x, CompareOp::LessEqual, &to, text)?;
        Ok(match (above, below) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), below) => below,
            _ => None,
        })
    }

    /// Reads a part whose negations differ from those of the whole.
    fn under<T>(
        &mut self,
        change: impl Fn(Option<bool>) -> Option<bool>,
        read: impl FnOnce(&mut Self) -> Read<T>,
    ) -> Read<T> {
        let before = self.positive;
        self.positive = change(before);
        let found = read(self);
        self.positive = before;
        found
    }

    fn logic(&mut self, op: LogicOp, x: &Expr, y: &Expr) -> Read<Option<bool>> {
        let turned = |positive: Option<bool>| positive.map(|truth| !truth);
        let left = match op {
            LogicOp::And | LogicOp::Or => self.truth(x)?,
            LogicOp::Implies => self.under(turned, |reader| reader.truth(x))?,
            LogicOp::Iff => self.under(|_| None, |reader| reader.truth(x))?,
        };
        match (op, left) {
            (LogicOp::And, Some(false)) => return Ok(Some(false)),
            (LogicOp::Or, Some(true)) | (LogicOp::Implies, Some(false)) => return Ok(Some(true)),
            _ => {}
        }
        let right = match op {
            LogicOp::Iff => self.under(|_| None, |reader| reader.truth(y))?,
            _ => self.truth(y)?,
        };
        Ok(match (op, left, right) {
            (LogicOp::And, _, Some(false)) => Some(false),
            (LogicOp::Or | LogicOp::Implies, _, Some(true)) => Some(true),
            (LogicOp::Iff, Some(left), Some(right)) => Some(left == right),
            (LogicOp::And | LogicOp::Or | LogicOp::Implies, Some(_), right) => right,
            _ => None,
        })
    }

    fn value_of(&mut self, game: usize) -> Val {
        self.needs_value(game, 0);
        Val::Cases(vec![Num::Value(game)])
    }

    fn class_of(&mut self, game: usize) -> Val {
        self.needs_value(game, 0);
        Val::Class(None)
    }

    fn quantify(&mut self, numbers: usize, positive: Option<bool>) {
        let both = positive.is_none();
        self.needs.universal += if both || positive == Some(true) { numbers } else { 0 };
        self.needs.existential += if both || positive == Some(false) { numbers } else { 0 };
    }

    pub(super) fn compare(
        &mut self,
        op: CompareOp,
        x: &Val,
        y: &Val,
        text: &str,
    ) -> Read<Option<bool>> {
        Ok(match (x, y) {
            (Val::Cases(x), Val::Cases(y)) => self.all_pairs(x, op, y, text)?,
            (Val::Cases(x), Val::Members(all) | Val::Set(all)) => {
                let mut found = Some(false);
                for y in all {
                    match self.all_pairs(x, CompareOp::Equal, y, text)? {
                        Some(true) => {
                            found = Some(true);
                            break;
                        }
                        Some(false) => {}
                        None => found = None,
                    }
                }
                found.map(|truth| truth == (op == CompareOp::In))
            }
            (Val::Cases(x), Val::Options) => {
                // Some option has the value.
                self.quantify(
                    self.chosen,
                    self.positive.map(|truth| truth != (op == CompareOp::In)),
                );
                self.all_pairs(x, CompareOp::Equal, &[Num::Value(0)], text)?;
                None
            }
            (Val::Truth(Some(x)), Val::Truth(Some(y))) => {
                Some((x == y) == (op == CompareOp::Equal))
            }
            (Val::Class(Some(x)), Val::Class(Some(y))) => {
                Some((x == y) == (op == CompareOp::Equal))
            }
            (Val::Truth(_), Val::Truth(_)) | (Val::Class(_), Val::Class(_)) => None,
            (Val::Class(_), Val::Classes) => None,
            (Val::Class(_), Val::Options) => {
                self.needs_value(0, 0);
                self.quantify(
                    self.chosen,
                    self.positive.map(|truth| truth != (op == CompareOp::In)),
                );
                None
            }
            _ => return refuse(&text, "compares sets or lists; compare their members"),
        })
    }

    fn each(&mut self, function: Function, source: &Expr, body: &Expr, expr: &Expr) -> Read<Val> {
        if let ExprKind::Range(from, to) = &source.kind
            && self.constants(from, to)?.is_none()
        {
            return match function {
                Function::All | Function::Any => {
                    self.quantifier(function, (from, to), body, source)
                }
                _ => refuse(expr, "runs over a range that depends on piles"),
            };
        }
        // `count` and the other functions use the members both ways.
        let change = |positive: Option<bool>| match function {
            Function::All | Function::Any => positive,
            _ => None,
        };
        let over_options = matches!(
            source.kind,
            ExprKind::Builtin(Builtin::Options | Builtin::LeftOptions | Builtin::RightOptions)
        );
        let source_of = match source.kind {
            _ if over_options => {
                self.of(source)?;
                self.needs_value(0, 0);
                let of = match function {
                    Function::All => self.positive,
                    Function::Any => self.positive.map(|positive| !positive),
                    _ => {
                        return refuse(
                            expr,
                            "combines the values of all options; test single values",
                        );
                    }
                };
                self.quantify(self.chosen, of);
                vec![if self.impartial {
                    Val::Cases(vec![Num::Value(0)])
                } else {
                    Val::Class(None)
                }]
            }
            _ => match self.of(source)? {
                Val::Members(all) => all.into_iter().map(Val::Cases).collect(),
                Val::Set(all) if ignores_copies(function) => {
                    all.into_iter().map(Val::Cases).collect()
                }
                Val::Set(_) => return refuse(expr, MAYBE_EQUAL),
                _ => {
                    return refuse(
                        expr,
                        "runs over a set that is not a list of piles and constants",
                    );
                }
            },
        };
        let mut said = Vec::new();
        for member in source_of {
            self.names.push(member);
            let found = self.under(change, |reader| reader.of(body));
            self.names.pop();
            said.push(found?);
        }
        let truths: Vec<Option<bool>> = said
            .iter()
            .filter_map(|said| match said {
                Val::Truth(truth) => Some(*truth),
                _ => None,
            })
            .collect();
        Ok(match function {
            // A position may have no options.
            Function::All if over_options => Val::Truth(truths[0].filter(|truth| *truth)),
            Function::Any if over_options => Val::Truth(truths[0].filter(|truth| !*truth)),
            Function::All => Val::Truth(match () {
                () if truths.contains(&Some(false)) => Some(false),
                () => (!truths.contains(&None)).then_some(true),
            }),
            Function::Any => Val::Truth(match () {
                () if truths.contains(&Some(true)) => Some(true),
                () => (!truths.contains(&None)).then_some(false),
            }),
            Function::Count => {
                let sure = truths.iter().filter(|truth| **truth == Some(true)).count();
                let maybe = truths.iter().filter(|truth| truth.is_none()).count();
                let cases = (sure..=sure + maybe).map(|count| count as i128);
                Val::Cases(cases.map(|count| Num::Linear(Linear::constant(count))).collect())
            }
            function => {
                let numbers = said.into_iter().map(|said| match said {
                    Val::Cases(cases) => cases,
                    other => unreachable!("wrong type after the type check: {other:?}"),
                });
                Val::Cases(self.call(function, numbers.collect(), expr)?)
            }
        })
    }

    /// Reads `all` or `any` of the numbers between two piles, up to constants.
    fn quantifier(
        &mut self,
        function: Function,
        (from, to): (&Expr, &Expr),
        body: &Expr,
        range: &Expr,
    ) -> Read<Val> {
        let text = range.to_string();
        let (least, most) = (self.cases(from)?, self.cases(to)?);
        let zero = Num::Linear(Linear::constant(0));
        for least in &least {
            if self.pair(&zero, CompareOp::LessEqual, least, &text)? != Some(true) {
                return refuse(range, "may begin below 0");
            }
        }
        let all = Builtin::Piles;
        let piles = self.of(&Expr::new(ExprKind::Builtin(all), range.span))?;
        let largest = self.call(Function::Max, self.members_of(piles), range)?;
        for most in &most {
            if self.all_pairs(std::slice::from_ref(most), CompareOp::LessEqual, &largest, &text)?
                != Some(true)
            {
                return refuse(range, "may exceed the largest pile");
            }
        }
        self.quantify(
            1,
            match function {
                Function::All => self.positive,
                _ => self.positive.map(|positive| !positive),
            },
        );
        let point = self.order.block.len();
        let (order, before) = (self.order.clone(), self.needs.clone());
        let mut counts = (before.universal, before.existential);
        let mut found = None;
        let mut is_first = true;
        for order in order.extensions() {
            self.order = order;
            (self.needs.universal, self.needs.existential) = (before.universal, before.existential);
            let this = [Num::Linear(Linear::point(point))];
            let inside = (|| {
                let above = self.all_pairs(&least, CompareOp::LessEqual, &this, &text)?;
                let below = self.all_pairs(&this, CompareOp::LessEqual, &most, &text)?;
                if above == Some(false) || below == Some(false) {
                    return Ok(None);
                }
                self.names.push(Val::Cases(this.to_vec()));
                let truth = self.truth(body);
                self.names.pop();
                truth.map(Some)
            })();
            let Some(truth) = inside? else { continue };
            found = if is_first { truth } else { found.filter(|_| found == truth) };
            is_first = false;
            counts.0 = counts.0.max(self.needs.universal);
            counts.1 = counts.1.max(self.needs.existential);
        }
        self.order = order;
        (self.needs.universal, self.needs.existential) = counts;
        // The range may be empty.
        Ok(Val::Truth(match function {
            Function::All => {
                if is_first {
                    Some(true)
                } else {
                    found.filter(|truth| *truth)
                }
            }
            _ => {
                if is_first {
                    Some(false)
                } else {
                    found.filter(|truth| !*truth)
                }
            }
        }))
    }

    fn at(&mut self, property: Property, there: &OtherPosition, expr: &Expr) -> Read<Val> {
        if property == Property::Remoteness {
            return refuse(expr, "is a number of moves, which grows with the piles");
        }
        if !there.memory.is_empty() {
            return refuse(expr, "is about a game that remembers moves");
        }
        let id = there.game.as_ref().map_or(self.games[0], |game| &game.name);
        let Some(game) = self.games.iter().position(|known| *known == id) else {
            return refuse(expr, "is about an unknown game");
        };
        let (mut least, mut most, mut longest) = (0, 0, 0);
        for pile in there.piles.iter().flatten() {
            let all = match self.of(pile)? {
                Val::Cases(cases) => vec![cases],
                list => self.members_of(list),
            };
            longest += all.len();
            for case in all.into_iter().flatten() {
                let Num::Linear(form) = &case else {
                    return refuse(expr, &only_with_constants(&case));
                };
                let Some((_, shift)) = form.as_point() else {
                    return refuse(
                        expr,
                        "names a position whose piles are sums or differences of piles",
                    );
                };
                (least, most) = (least.min(shift), most.max(shift));
            }
        }
        self.needs.shift = self.needs.shift.max(most - least);
        let known = self.needs.longest.entry(game).or_default();
        *known = (*known).max(longest);
        self.needs_value(game, 0);
        Ok(match property {
            Property::Value => self.value_of(game),
            Property::Outcome => self.class_of(game),
            _ => Val::Truth(None),
        })
    }
}
