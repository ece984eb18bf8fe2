//! Writes out a law for positions of one length.
//!
//! If the length is known, `k` and the places of piles are numbers, and choices of piles can be
//! written out. `i in 1..k, t in 1..piles[i]: piles[i] -= t` becomes k lines that lower one pile
//! each. An `each` becomes a line for each set of piles, with a number for each pile of the set.
//! The resulting lines have only ranges of numbers, conditions, and piles in known places. A kernel
//! can be compiled from these lines.

use std::collections::BTreeSet;

use grundy_language::ast::{BinaryOp, Builtin, Function, LogicOp};
use grundy_language::eval::{LONGEST_RANGE, Val, call, evaluate};
use grundy_language::{At, Expr, ExprKind, Player, Span, mirror};

use super::{Binder, Change, Choice, Effect, Kind, Law, MOST_PILES, MoveRule, Numbers};

/// The largest number of lines to write out, and of expressions to visit while doing so.
const MOST_LINES: usize = 1 << 12;
const MOST_NODES: usize = 1 << 19;

/// A line of a law for positions of one length.
#[derive(Clone, Debug)]
pub struct Plain {
    /// The index of the original line in the law.
    pub line: usize,
    /// The player who may make the moves of the line.
    pub player: Player,
    /// The choices. The i-th choice has place i.
    pub binders: Vec<Numbers>,
    /// The parts of the condition that use no binder. They are tested first. If a condition binds
    /// names itself, their places follow the places of the choices.
    pub before: Vec<Expr>,
    /// The other parts of the condition.
    pub after: Vec<Expr>,
    /// The places of the changed piles, in ascending order from 0, each with its change.
    pub effects: Vec<(usize, Change)>,
    /// True if a choice that takes no coins is skipped, false if it is an error.
    pub skips_nothing: bool,
}

/// The known value of a name.
#[derive(Clone, Debug)]
enum Known {
    Int(i128),
    Set(BTreeSet<i128>),
    Place(usize),
    /// The number chosen for each pile.
    List(Vec<Expr>),
}

impl Law {
    /// Writes out the lines of moves for positions of `length` piles. `None` if there are too many
    /// lines, if the place of a pile depends on the sizes of piles, or if a line sets a memory. A
    /// line that has no choices at this length keeps the conditions that use no binder, because
    /// they may be undefined.
    pub fn at(&self, length: usize) -> Option<Vec<Plain>> {
        if self.moves.iter().any(|rule| !rule.remembers.is_empty()) {
            return None;
        }
        let mut writer = Writer { length, out: Vec::new(), nodes: 0 };
        for (line, rule) in self.moves.iter().enumerate() {
            let plain = Plain {
                line,
                player: rule.player,
                binders: Vec::new(),
                before: Vec::new(),
                after: Vec::new(),
                effects: Vec::new(),
                skips_nothing: rule.skips_nothing(),
            };
            let lines = writer.out.len();
            writer.bind(rule, 0, plain.clone(), &mut Vec::new(), &mut Vec::new())?;
            if writer.out.len() == lines && !rule.before.is_empty() {
                let places = rule.binders.last().map_or(0, |binder| binder.place + 1);
                let mut known = vec![Known::Int(0); places];
                let fold = |e| writer.fold(e, &mut known, 0);
                let before = rule.before.iter().map(fold).collect::<Option<_>>()?;
                writer.out.push(Plain { before, ..plain });
            }
        }
        Some(writer.out)
    }

    /// Returns a binder that has no choices at any position, if there is one.
    pub fn empty_choice(&self) -> Option<&Binder> {
        let less = |x: &Expr, y: &Expr| constant(x).zip(constant(y)).is_some_and(|(x, y)| x < y);
        let is_empty = |binder: &&Binder| match &binder.of {
            Choice::Number(Numbers::Range(from, to)) => less(to, from),
            Choice::Window { width, .. } => constant(width).is_some_and(|width| width < 1),
            _ => false,
        };
        self.moves.iter().flat_map(|rule| &rule.binders).find(is_empty)
    }

    /// True if a comparison of texts shows that a row and its reversal have the same moves.
    pub fn is_symmetric(&self) -> bool {
        // If the law excludes positions, every position needs its own cell. So it does if a
        // reversal may come later in the order of filling.
        if self.kind != Kind::Row || self.has_classes() || self.excludes() || !self.falls.is_empty()
        {
            return false;
        }
        let mut lines = 0;
        for length in self.lengths.clone() {
            let Some(plain) = self.at(length) else { return false };
            lines += plain.len();
            if lines > MOST_LINES {
                return false;
            }
            let read = |back: bool| {
                let mut all: Vec<_> = plain.iter().map(|p| p.reading(length, back)).collect();
                all.sort();
                all.dedup();
                all
            };
            if read(false) != read(true) {
                return false;
            }
        }
        true
    }

    /// Returns how many piles a move to `length` piles can change at most; `None` if unlimited.
    pub(crate) fn most_changed(&self, length: usize) -> Option<usize> {
        let of = |rule: &MoveRule| match rule.effects.iter().all(|effect| effect.over.is_none()) {
            true => Some(rule.effects.len()),
            // An effect on the members of an `each` can change all piles.
            false if self.kind == Kind::Places => Some(length),
            false if *self.lengths.end() < MOST_PILES => Some(*self.lengths.end()),
            false => None,
        };
        self.moves.iter().map(of).try_fold(0, |most, piles| Some(most.max(piles?)))
    }
}

pub(super) fn constant(expr: &Expr) -> Option<i128> {
    match expr.kind {
        ExprKind::Int(number) => Some(number),
        _ => None,
    }
}

/// True if the expression has a value at every position.
fn is_total(expr: &Expr) -> bool {
    let here = match &expr.kind {
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Mod, _, y) => constant(y).is_some_and(|y| y > 0),
        ExprKind::Binary(BinaryOp::Pow | BinaryOp::Left | BinaryOp::Right, ..) => false,
        ExprKind::Range(x, y) => {
            let size = constant(x).zip(constant(y)).and_then(|(x, y)| y.checked_sub(x));
            size.is_some_and(|size| size < LONGEST_RANGE)
        }
        ExprKind::Call(f, _) => {
            !matches!(f, Function::V2 | Function::Log2 | Function::Tri | Function::IsPrime)
        }
        _ => true,
    };
    let mut all = here;
    expr.each_child(&mut |child| all &= is_total(child));
    all
}

/// True if an expression has a value at all positions of `length` piles. If the function returns
/// false, the value may be undefined at some position; evaluating the rules then finds the
/// position.
pub fn is_defined(expr: &Expr, length: usize) -> bool {
    bits(expr, length).is_some()
}

/// Returns an upper bound on the bits of an expression's value, if it has a value at all positions.
fn bits(expr: &Expr, length: usize) -> Option<u32> {
    let bits = |expr: &Expr| bits(expr, length);
    let most = |all: &[Expr]| all.iter().map(bits).try_fold(0, |most, bits| Some(most.max(bits?)));
    let found = match &expr.kind {
        ExprKind::Int(number) => 128 - number.unsigned_abs().leading_zeros(),
        ExprKind::Bool(_) => 1,
        ExprKind::Builtin(Builtin::Pile(number)) if *number > length => return None,
        ExprKind::Builtin(_) | ExprKind::Local(..) => 40,
        ExprKind::Unary(_, of) => bits(of)?,
        ExprKind::Binary(op, x, y) => match (op, bits(x)?, bits(y)?) {
            (BinaryOp::Mul, x, y) => x + y,
            (BinaryOp::Div | BinaryOp::Mod, x, by) => {
                constant(y).filter(|&by| by > 0)?;
                x.max(by)
            }
            (BinaryOp::Pow | BinaryOp::Left | BinaryOp::Right, ..) => return None,
            (_, x, y) => x.max(y) + 1,
        },
        ExprKind::Compare(x, rest) => {
            rest.iter().map(|(_, y)| bits(y)).try_fold(bits(x)?, |most, y| Some(most.max(y?)))?
        }
        ExprKind::Logic(_, x, y) => bits(x)?.max(bits(y)?),
        ExprKind::If(condition, x, y) => bits(condition)?.max(bits(x)?).max(bits(y)?),
        ExprKind::Call(
            Function::Abs | Function::Min | Function::Max | Function::Xor | Function::Gcd,
            all,
        )
        | ExprKind::Set(all) => most(all).filter(|_| !all.is_empty())?,
        // Each number of so few bits is tested.
        ExprKind::Call(Function::IsPrime, all) => {
            most(all).filter(|&bits| bits <= 40).map(|_| 1)?
        }
        ExprKind::Call(Function::Sum, all) => most(all)? + all.len().ilog2() + 1,
        _ => return None,
    };
    (found <= 120).then_some(found)
}

impl Plain {
    /// Returns the line as a text, read forwards or backwards. Equal texts mean equal moves.
    fn reading(&self, length: usize, back: bool) -> String {
        let place = |at: usize| if back { length - 1 - at } else { at };
        // Sort binders by the piles that they change, unless one depends on another.
        let uses = |e: &Expr, at: usize| grundy_language::moves::uses(e, &mut |place| place == at);
        let count = self.binders.len();
        let first_use = |at: usize| {
            let used = self.effects.iter().filter(|(_, change)| match change {
                Change::Less(e) | Change::Becomes(e) => uses(e, at),
                Change::Parts(all) => all.iter().any(|e| uses(e, at)),
            });
            used.map(|(pile, _)| place(*pile)).min().unwrap_or(usize::MAX)
        };
        let depends = self.binders.iter().any(|numbers| match numbers {
            Numbers::Range(x, y) => (0..count).any(|at| uses(x, at) || uses(y, at)),
            Numbers::Set(x) => (0..count).any(|at| uses(x, at)),
        });
        let mut order: Vec<usize> = (0..count).collect();
        if !depends {
            order.sort_by_key(|&at| (first_use(at), at));
        }
        let mut name = vec![0; count];
        order.iter().enumerate().for_each(|(new, &at)| name[at] = new);
        let say = |e: &Expr| mirror::reading(&renamed(e, &name), length, back);
        let binder = |at: &usize| match &self.binders[*at] {
            Numbers::Range(from, to) => format!("{}..{}", say(from), say(to)),
            Numbers::Set(set) => say(set),
        };
        let mut effects: Vec<(usize, String)> = self
            .effects
            .iter()
            .map(|(at, change)| {
                let change = match change {
                    Change::Less(e) => format!("-= {}", say(e)),
                    Change::Becomes(e) => format!(":= {}", say(e)),
                    Change::Parts(all) => {
                        format!(":= {}", all.iter().map(say).collect::<Vec<_>>().join(","))
                    }
                };
                (place(*at), change)
            })
            .collect();
        effects.sort();
        let mut conditions: Vec<String> = self.before.iter().chain(&self.after).map(say).collect();
        conditions.sort();
        let binders: Vec<String> = order.iter().map(binder).collect();
        format!("{binders:?} {conditions:?} {effects:?} {}", self.skips_nothing)
    }
}

fn renamed(expr: &Expr, name: &[usize]) -> Expr {
    match expr.kind {
        ExprKind::Local(_, place) => {
            let place = name.get(place).copied().unwrap_or(place);
            Expr::new(ExprKind::Local(format!("${place}"), place), expr.span)
        }
        _ => expr.with_children(&mut |child| renamed(child, name)),
    }
}

struct Writer {
    length: usize,
    out: Vec<Plain>,
    nodes: usize,
}

impl Writer {
    /// Writes out the binder with the index `at` and all later binders.
    fn bind(
        &mut self,
        rule: &MoveRule,
        at: usize,
        plain: Plain,
        known: &mut Vec<Known>,
        lists: &mut Vec<Vec<i128>>,
    ) -> Option<()> {
        let Some(binder) = rule.binders.get(at) else { return self.act(rule, plain, known, lists) };
        let depth = plain.binders.len();
        match &binder.of {
            Choice::Number(of) => {
                let of = self.numbers(of, known, depth)?;
                // Write out a binder that selects a pile, but keep one that chooses coins.
                let chooses_pile = rule.effects.iter().any(|effect| {
                    grundy_language::moves::uses(&effect.pile, &mut |place| place == binder.place)
                }) || selects_pile(rule, binder.place);
                match (chooses_pile, values(&of)) {
                    (true, Some(all)) => {
                        for number in all {
                            known.push(Known::Int(number));
                            self.bind(rule, at + 1, plain.clone(), known, lists)?;
                            known.pop();
                        }
                    }
                    (true, None) => return None,
                    (false, _) => {
                        let mut plain = plain;
                        plain.binders.push(of);
                        known.push(Known::Place(depth));
                        self.bind(rule, at + 1, plain, known, lists)?;
                        known.pop();
                    }
                }
            }
            Choice::Subset { from, to, least, most } => {
                let [from, to, least, most] =
                    [from, to, least, most].map(|e| constant(&self.fold(e, known, depth)?));
                let (from, to, least, most) = (from?, to?, least?, most?);
                let size = (to - from + 1).max(0);
                if size > 20 {
                    return None;
                }
                for mask in 0u32..1 << size {
                    let members = i128::from(mask.count_ones());
                    if (least..=most).contains(&members) {
                        let set =
                            (0..size).filter(|bit| mask >> bit & 1 == 1).map(|bit| from + bit);
                        known.push(Known::Set(set.collect()));
                        self.bind(rule, at + 1, plain.clone(), known, lists)?;
                        known.pop();
                    }
                }
            }
            Choice::Window { from, to, width, cyclic } => {
                let [from, to, width] =
                    [from, to, width].map(|e| constant(&self.fold(e, known, depth)?));
                let (from, to, width) = (from?, to?, width?);
                let size = to - from + 1;
                if width < 1 || width > size {
                    return Some(());
                }
                let starts = if *cyclic && width < size { size } else { size - width + 1 };
                for start in 0..starts {
                    let set = (start..start + width).map(|x| from + x % size).collect();
                    known.push(Known::Set(set));
                    self.bind(rule, at + 1, plain.clone(), known, lists)?;
                    known.pop();
                }
            }
            Choice::Each { members, numbers, .. } => {
                let members = self.members(members, known, depth)?;
                let mut plain = plain;
                let mut list = vec![int(0, binder.span); self.length];
                for &member in &members {
                    known.push(Known::Int(member));
                    let of = self.numbers(numbers, known, plain.binders.len())?;
                    known.pop();
                    let place = plain.binders.len();
                    let pile = usize::try_from(member).ok()?.checked_sub(1)?;
                    *list.get_mut(pile)? =
                        Expr::new(ExprKind::Local(format!("${place}"), place), binder.span);
                    plain.binders.push(of);
                }
                lists.push(members);
                known.extend([Known::Int(0), Known::List(list)]);
                self.bind(rule, at + 1, plain, known, lists)?;
                known.truncate(known.len() - 2);
                lists.pop();
            }
        }
        Some(())
    }

    fn act(
        &mut self,
        rule: &MoveRule,
        mut plain: Plain,
        known: &mut Vec<Known>,
        lists: &[Vec<i128>],
    ) -> Option<()> {
        let depth = plain.binders.len();
        for (from, to) in [(&rule.before, &mut plain.before), (&rule.after, &mut plain.after)] {
            for condition in from {
                let condition = self.fold(condition, known, depth)?;
                match condition.kind {
                    ExprKind::Bool(true) => {}
                    ExprKind::Bool(false) => return Some(()),
                    _ => to.push(condition),
                }
            }
        }
        // Test a condition that uses no binder first. But if an earlier binder or condition may be
        // undefined, keep the order, because the order decides if there is an error.
        let is_total = plain.after.iter().all(is_total)
            && plain.binders.iter().all(|numbers| match numbers {
                Numbers::Range(x, y) => is_total(x) && is_total(y),
                Numbers::Set(set) => is_total(set),
            });
        if is_total {
            let (late, early): (Vec<_>, Vec<_>) = plain
                .after
                .into_iter()
                .partition(|e| grundy_language::moves::uses(e, &mut |place| place < depth));
            plain.after = late;
            plain.before.extend(early);
        }
        for effect in &rule.effects {
            match effect.over {
                None => self.effect(effect, &mut plain, known)?,
                Some(member) => {
                    let each = rule.binders.iter().filter(|b| matches!(b.of, Choice::Each { .. }));
                    let at = each.clone().position(|b| b.place == member + 1)?;
                    for &pile in &lists[at] {
                        known[member] = Known::Int(pile);
                        self.effect(effect, &mut plain, known)?;
                    }
                }
            }
        }
        plain.effects.sort_by_key(|(place, _)| *place);
        self.out.push(plain);
        (self.out.len() <= MOST_LINES).then_some(())
    }

    fn effect(&mut self, effect: &Effect, plain: &mut Plain, known: &mut Vec<Known>) -> Option<()> {
        let depth = plain.binders.len();
        let pile = constant(&self.fold(&effect.pile, known, depth)?)?;
        let place = usize::try_from(pile).ok()?.checked_sub(1)?;
        if place >= self.length || plain.effects.iter().any(|(before, _)| *before == place) {
            return None;
        }
        let change = match &effect.change {
            Change::Less(e) => Change::Less(self.fold(e, known, depth)?),
            Change::Becomes(e) => Change::Becomes(self.fold(e, known, depth)?),
            Change::Parts(all) => Change::Parts(
                all.iter().map(|e| self.fold(e, known, depth)).collect::<Option<_>>()?,
            ),
        };
        plain.effects.push((place, change));
        Some(())
    }

    fn numbers(&mut self, of: &Numbers, known: &mut Vec<Known>, depth: usize) -> Option<Numbers> {
        Some(match of {
            Numbers::Range(from, to) => {
                Numbers::Range(self.fold(from, known, depth)?, self.fold(to, known, depth)?)
            }
            Numbers::Set(set) => Numbers::Set(self.fold(set, known, depth)?),
        })
    }

    fn members(&mut self, set: &Expr, known: &mut Vec<Known>, depth: usize) -> Option<Vec<i128>> {
        match &set.kind {
            ExprKind::Local(_, place) => match &known[*place] {
                Known::Set(set) => Some(set.iter().copied().collect()),
                _ => None,
            },
            _ => values(&Numbers::Set(self.fold(set, known, depth)?)),
        }
    }

    /// Evaluates the known parts of an expression. Names that the expression itself binds have the
    /// places from `depth` on.
    fn fold(&mut self, expr: &Expr, known: &mut Vec<Known>, depth: usize) -> Option<Expr> {
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return None;
        }
        let span = expr.span;
        let of = |kind| Some(Expr::new(kind, span));
        let pile = |number: usize| Expr::new(ExprKind::Builtin(Builtin::Pile(number)), span);
        match &expr.kind {
            ExprKind::Builtin(Builtin::Length) => of(ExprKind::Int(self.length as i128)),
            ExprKind::Builtin(Builtin::First) => Some(pile(1)),
            ExprKind::Builtin(Builtin::Last) => Some(pile(self.length)),
            ExprKind::Local(name, place) => match &known[*place] {
                Known::Int(number) => of(ExprKind::Int(*number)),
                Known::Set(set) => {
                    of(ExprKind::Set(set.iter().map(|&member| int(member, span)).collect()))
                }
                Known::Place(place) => of(ExprKind::Local(name.clone(), *place)),
                Known::List(_) => None,
            },
            ExprKind::Index(list, index) => {
                let at = constant(&self.fold(index, known, depth)?);
                match (&list.kind, at) {
                    (ExprKind::Builtin(Builtin::Piles), Some(number))
                        if (1..=self.length as i128).contains(&number) =>
                    {
                        Some(pile(number as usize))
                    }
                    (ExprKind::Local(_, place), Some(number)) => match &known[*place] {
                        Known::List(list) => {
                            list.get(usize::try_from(number).ok()?.checked_sub(1)?).cloned()
                        }
                        _ => None,
                    },
                    _ => None,
                }
            }
            ExprKind::Let(_, value, body) => {
                let value = self.fold(value, known, depth)?;
                let meant = match value.kind {
                    ExprKind::Int(number) => Known::Int(number),
                    ExprKind::Local(_, place) => Known::Place(place),
                    _ => return None,
                };
                known.push(meant);
                let body = self.fold(body, known, depth);
                known.pop();
                body
            }
            ExprKind::Each(function, name, source, body) => {
                self.each(*function, name, source, body, known, depth, span)
            }
            ExprKind::Call(function, all) => {
                let mut folded = Vec::with_capacity(all.len());
                for argument in all {
                    match &argument.kind {
                        ExprKind::Builtin(Builtin::Piles | Builtin::Reverse) => {
                            folded.extend((1..=self.length).map(pile));
                        }
                        ExprKind::Builtin(Builtin::Middle) => {
                            folded.extend((2..self.length).map(pile));
                        }
                        ExprKind::Local(_, place) if matches!(known[*place], Known::List(_)) => {
                            let Known::List(list) = &known[*place] else { return None };
                            folded.extend(list.iter().cloned());
                        }
                        _ => folded.push(self.fold(argument, known, depth)?),
                    }
                }
                if folded.is_empty() && matches!(function, Function::Sum | Function::Xor) {
                    return of(ExprKind::Int(0));
                }
                let numbers: Option<Vec<i128>> = folded.iter().map(constant).collect();
                match numbers
                    .filter(|_| *function != Function::Size)
                    .map(|all| call(*function, &all))
                {
                    Some(Ok(number)) => of(ExprKind::Int(number)),
                    _ => of(ExprKind::Call(*function, folded)),
                }
            }
            _ => {
                let mut whole = true;
                let folded =
                    expr.with_children(&mut |child| match self.fold(child, known, depth) {
                        Some(child) => child,
                        None => {
                            whole = false;
                            child.clone()
                        }
                    });
                whole.then(|| simplified(folded))
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "they are the parts of the expression")]
    fn each(
        &mut self,
        function: Function,
        name: &str,
        source: &Expr,
        body: &Expr,
        known: &mut Vec<Known>,
        depth: usize,
        span: Span,
    ) -> Option<Expr> {
        let places: Option<Vec<usize>> = match source.kind {
            ExprKind::Builtin(Builtin::Piles | Builtin::Reverse) => {
                Some((1..=self.length).collect())
            }
            ExprKind::Builtin(Builtin::Middle) => Some((2..self.length).collect()),
            _ => None,
        };
        let mut said = Vec::new();
        // A list whose length varies stays as it is.
        let is_list = function == Function::Each;
        if let Some(places) = places.filter(|_| !is_list) {
            // Each member is a pile in a known place, so substitute this pile for the name.
            for place in places {
                let member = Expr::new(ExprKind::Builtin(Builtin::Pile(place)), span);
                let body = with_name(body, known.len(), &member);
                known.push(Known::Int(0));
                let folded = self.fold(&body, known, depth);
                known.pop();
                said.push(folded?);
            }
        } else if let Some(members) = self.members(source, known, depth).filter(|_| !is_list) {
            for member in members {
                known.push(Known::Int(member));
                let folded = self.fold(body, known, depth);
                known.pop();
                said.push(folded?);
            }
        } else {
            // The members depend on the piles.
            let source = self.fold(source, known, depth)?;
            known.push(Known::Place(depth));
            let body = self.fold(body, known, depth + 1);
            known.pop();
            let parts = (Box::new(source), Box::new(body?));
            let kind = ExprKind::Each(function, name.to_owned(), parts.0, parts.1);
            return Some(Expr::new(kind, span));
        }
        let truth = |truth: bool| Expr::new(ExprKind::Bool(truth), span);
        let joined = |op: LogicOp, start: bool, said: Vec<Expr>| {
            said.into_iter().fold(truth(start), |x, y| {
                simplified(Expr::new(ExprKind::Logic(op, Box::new(x), Box::new(y)), span))
            })
        };
        Some(match function {
            Function::All => joined(LogicOp::And, true, said),
            Function::Any => joined(LogicOp::Or, false, said),
            Function::Count => {
                let one = |x| {
                    let parts = (Box::new(x), Box::new(int(1, span)), Box::new(int(0, span)));
                    simplified(Expr::new(ExprKind::If(parts.0, parts.1, parts.2), span))
                };
                let all: Vec<Expr> = said.into_iter().map(one).collect();
                match all.iter().map(constant).sum() {
                    Some(count) => int(count, span),
                    None => Expr::new(ExprKind::Call(Function::Sum, all), span),
                }
            }
            function => {
                let numbers: Option<Vec<i128>> = said.iter().map(constant).collect();
                match numbers.map(|all| call(function, &all)) {
                    Some(Ok(number)) => int(number, span),
                    _ => Expr::new(ExprKind::Call(function, said), span),
                }
            }
        })
    }
}

fn with_name(expr: &Expr, place: usize, other: &Expr) -> Expr {
    match expr.kind {
        ExprKind::Local(_, found) if found == place => other.clone(),
        _ => expr.with_children(&mut |child| with_name(child, place, other)),
    }
}

/// True if any expression of the rule indexes a list by the binder with this place.
pub(super) fn selects_pile(rule: &MoveRule, place: usize) -> bool {
    fn within(expr: &Expr, place: usize) -> bool {
        let here = matches!(&expr.kind, ExprKind::Index(_, index)
            if grundy_language::moves::uses(index, &mut |used| used == place));
        let mut found = here;
        expr.each_child(&mut |child| found = found || within(child, place));
        found
    }
    let mut found = false;
    let mut look = |e: &Expr| found = found || within(e, place);
    for binder in &rule.binders {
        let (of, others): (Option<&Numbers>, Vec<&Expr>) = match &binder.of {
            Choice::Number(of) => (Some(of), Vec::new()),
            Choice::Each { members, numbers, .. } => (Some(numbers), vec![members]),
            Choice::Subset { from, to, least, most } => (None, vec![from, to, least, most]),
            Choice::Window { from, to, width, .. } => (None, vec![from, to, width]),
        };
        match of {
            Some(Numbers::Range(x, y)) => [x, y].into_iter().for_each(&mut look),
            Some(Numbers::Set(x)) => look(x),
            None => {}
        }
        others.into_iter().for_each(&mut look);
    }
    rule.before.iter().chain(&rule.after).for_each(&mut look);
    for effect in &rule.effects {
        match &effect.change {
            Change::Less(e) | Change::Becomes(e) => look(e),
            Change::Parts(all) => all.iter().for_each(&mut look),
        }
    }
    found
}

fn int(number: i128, span: Span) -> Expr {
    Expr::new(ExprKind::Int(number), span)
}

pub(super) fn values(of: &Numbers) -> Option<Vec<i128>> {
    let range = |from: &Expr, to: &Expr| {
        let (from, to) = (constant(from)?, constant(to)?);
        (to - from < MOST_LINES as i128).then(|| (from..=to).collect::<Vec<_>>())
    };
    match of {
        Numbers::Range(from, to) => range(from, to),
        Numbers::Set(set) => match &set.kind {
            ExprKind::Range(from, to) => range(from, to),
            ExprKind::Set(members) => {
                let mut all = BTreeSet::new();
                for member in members {
                    match &member.kind {
                        ExprKind::Int(number) => _ = all.insert(*number),
                        ExprKind::Range(from, to) => all.extend(range(from, to)?),
                        _ => return None,
                    }
                }
                Some(all.into_iter().collect())
            }
            _ => None,
        },
    }
}

/// Evaluates an expression if enough of its parts are known. The parts are already evaluated.
fn simplified(expr: Expr) -> Expr {
    let span = expr.span;
    let truth = |expr: &Expr| match expr.kind {
        ExprKind::Bool(truth) => Some(truth),
        _ => None,
    };
    let is = |truth| Expr::new(ExprKind::Bool(truth), span);
    match &expr.kind {
        ExprKind::Logic(op, x, y) => match (op, truth(x), truth(y)) {
            (LogicOp::And, Some(false), _) => return is(false),
            (LogicOp::Or, Some(true), _) | (LogicOp::Implies, Some(false), _) => return is(true),
            (LogicOp::And | LogicOp::Implies, Some(true), _) | (LogicOp::Or, Some(false), _) => {
                return (**y).clone();
            }
            (LogicOp::And, None, Some(true)) | (LogicOp::Or, None, Some(false)) => {
                return (**x).clone();
            }
            _ => {}
        },
        ExprKind::If(condition, x, y) => match truth(condition) {
            Some(true) => return (**x).clone(),
            Some(false) => return (**y).clone(),
            None => {}
        },
        _ => {}
    }
    match is_known(&expr).then(|| evaluate(&expr, &At::new(&[]))) {
        Some(Ok(Val::Int(number))) => int(number, span),
        Some(Ok(Val::Bool(truth))) => is(truth),
        _ => expr,
    }
}

/// True if the expression mentions neither piles nor names.
fn is_known(expr: &Expr) -> bool {
    let mut all = matches!(
        expr.kind,
        ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Compare(..)
            | ExprKind::Logic(..)
            | ExprKind::Range(..)
            | ExprKind::Set(_)
    );
    expr.each_child(&mut |child| all = all && is_known(child));
    all
}
