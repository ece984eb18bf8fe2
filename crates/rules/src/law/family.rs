//! Recognises rules that have a faster method than the method for any rules.
//!
//! The program looks at the lines of moves written out for each number of piles ([`Law::at`]), so
//! that a rule may be written in many ways. A line that takes s coins from one pile becomes a list
//! of conditions, each of the form x >= 0, where x is linear in s and in the sizes of the piles.
//!
//! The line lowers its pile by *any* number of coins if the conditions keep s between 1 and the
//! pile, and are otherwise true. A condition is true if it holds for all 1 <= s <= own pile and all
//! other piles of at least 1. If no coefficient is negative after the own pile is written as s plus
//! what is left, the condition holds everywhere if it holds where all piles and s are 1.
//!
//! Positions may have any number of piles, but only some lengths can be written out. Suppose that a
//! rule compares the number of piles, and the number of a pile that it chooses, only with constants
//! up to m and with each other, and uses them otherwise only to name piles. Then all piles from m +
//! 1 on, except the last, are alike, so the moves of all longer positions are those of positions of
//! m + 3 piles.

use grundy_language::Memories;
use grundy_language::ast::{BinaryOp, Builtin, CompareOp, Function, UnaryOp};
use grundy_language::{Expr, ExprKind, Player};

use super::at::{Plain, constant, is_defined, selects_pile, values};
use super::singles::{Single, Takes};
use super::{Change, Choice, Kind, Law, MOST_PILES, MoveRule, Numbers};

/// The families of rules with a method of their own, for all piles of any size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// A row that has the value of its reversal. If there are two or more piles, either player may
    /// take any number of coins from either end. Single piles may have other rules.
    Ends,
    /// A row. Left takes any number of coins from the first pile, and Right from the last pile.
    Sides,
    /// Heaps. If there are two or more, a move takes any number of coins from one heap. Single
    /// heaps may have other rules.
    Heaps,
    /// Heaps. A move takes any number of coins from one heap, except the number of the last move.
    LastMoves,
    /// Heaps and a set of numbers. A move takes a number of the set, which leaves the set, from one
    /// heap. Rule files cannot express such rules.
    Sets,
    /// Rules of a rule file that are in no other family. The shapes of their lines of moves
    /// determine the method.
    Lines,
    /// The [form of outcomes](crate::outcome_form) of another game.
    Outcomes,
    /// Other rules.
    Other,
}

/// The family of a law, and the moves of single piles in the families in which these may differ.
#[derive(Clone, Debug)]
pub(super) struct Recognised {
    pub(super) family: Family,
    pub(super) single: Single,
}

const LINES: Recognised = Recognised { family: Family::Lines, single: Single::Takes(Vec::new()) };

impl Law {
    /// Returns the family of the rules.
    pub(super) fn recognised(&self) -> Recognised {
        let is_all = self.lengths == (1..=MOST_PILES) && self.admits.is_none() && self.blocks == 0;
        let remembers_last = self.memories.as_ref() == Some(Memories::LAST_MOVE);
        let is_all = is_all && self.only_takes();
        let family = match self.kind {
            _ if !is_all => return LINES,
            Kind::Row if self.memories.is_some() => return LINES,
            Kind::Row if self.is_partizan() => Family::Sides,
            Kind::Row if self.is_symmetric() => Family::Ends,
            Kind::Heaps if self.is_partizan() => return LINES,
            Kind::Heaps if remembers_last && !self.misere => Family::LastMoves,
            Kind::Heaps if self.memories.is_none() => Family::Heaps,
            Kind::Row | Kind::Heaps | Kind::Places | Kind::Sum => return LINES,
        };
        let may_differ = matches!(family, Family::Ends | Family::Heaps);
        let mut constants = Constants { chosen: Vec::new(), most: 2 };
        if !self.moves.iter().all(|rule| constants.take(rule).is_some()) {
            return LINES;
        }
        let lengths = 1 + usize::from(may_differ)..=constants.most + 3;
        if constants.most > MOST_CONSTANT || !lengths.rev().all(|length| self.is_of(family, length))
        {
            return LINES;
        }
        match self.single().filter(|_| may_differ) {
            Some(single) => Recognised { family, single },
            None if may_differ => LINES,
            None => Recognised { family, ..LINES },
        }
    }

    /// True if the moves of positions of `length` piles are those of the family.
    fn is_of(&self, family: Family, length: usize) -> bool {
        let Some(lines) = self.at(length) else { return false };
        let mut found: Vec<(u8, usize)> = Vec::new();
        for plain in lines.iter().filter(|plain| !plain.is_idle()) {
            let line = Line::read(plain, length);
            match line.filter(|line| line.takes_any(family == Family::LastMoves)) {
                Some(line) => found.push((plain.player as u8, line.pile)),
                None => return false,
            }
        }
        found.sort_unstable();
        found.dedup();
        let of = |player: Player, pile| (player as u8, pile);
        match family {
            Family::Ends => found == [of(Player::Either, 0), of(Player::Either, length - 1)],
            Family::Sides => found == [of(Player::Left, 0), of(Player::Right, length - 1)],
            _ => found.into_iter().eq((0..length).map(|pile| of(Player::Either, pile))),
        }
    }

    /// Returns the moves of single piles. `None` if they may be undefined for some size.
    fn single(&self) -> Option<Single> {
        let lines: Vec<Plain> = self.at(1)?.into_iter().filter(|line| !line.is_idle()).collect();
        let takes: Option<Vec<Vec<Takes>>> = lines.iter().map(takes).collect();
        match takes {
            Some(takes) => Some(Single::Takes(takes.concat())),
            None => lines.iter().all(is_safe).then_some(Single::Other),
        }
    }
}

/// The largest constant with which a rule of a family may compare numbers of piles.
const MOST_CONSTANT: usize = 16;

/// The constants with which rules compare numbers of piles.
struct Constants {
    /// The places of the binders that choose piles, in the current line.
    chosen: Vec<usize>,
    most: usize,
}

impl Constants {
    /// Takes the constants of a line. Returns `None` if the line uses a number of piles, or the
    /// number of a pile, in another way.
    fn take(&mut self, rule: &MoveRule) -> Option<()> {
        self.chosen.clear();
        for binder in &rule.binders {
            let place = binder.place;
            match &binder.of {
                Choice::Number(Numbers::Range(from, to)) if is_pile(rule, place) => {
                    self.number(from)?;
                    self.number(to)?;
                    self.chosen.push(place);
                }
                Choice::Number(Numbers::Set(set)) if is_pile(rule, place) => {
                    let ExprKind::Set(members) = &set.kind else { return None };
                    members.iter().try_for_each(|member| self.number(member))?;
                    self.chosen.push(place);
                }
                Choice::Number(numbers) => self.numbers(numbers)?,
                Choice::Subset { from, to, least, most } => {
                    [from, to, least, most].into_iter().try_for_each(|e| self.number(e))?;
                }
                Choice::Window { from, to, width, .. } => {
                    [from, to, width].into_iter().try_for_each(|e| self.number(e))?;
                }
                Choice::Each { members, numbers, .. } => {
                    matches!(members.kind, ExprKind::Local(..)).then_some(())?;
                    self.chosen.push(place - 1);
                    self.numbers(numbers)?;
                }
            }
        }
        rule.before.iter().chain(&rule.after).try_for_each(|e| self.expr(e))?;
        rule.effects.iter().try_for_each(|effect| {
            self.number(&effect.pile)?;
            match &effect.change {
                Change::Less(e) | Change::Becomes(e) => self.expr(e),
                Change::Parts(_) => None,
            }
        })
    }

    /// Takes a number of piles, or the number of a pile.
    fn number(&mut self, expr: &Expr) -> Option<()> {
        match expr.kind {
            ExprKind::Int(number) => self.most = self.most.max(usize::try_from(number).ok()?),
            ExprKind::Builtin(Builtin::Length) => {}
            ExprKind::Local(_, place) if self.chosen.contains(&place) => {}
            _ => return None,
        }
        Some(())
    }

    fn numbers(&mut self, numbers: &Numbers) -> Option<()> {
        match numbers {
            Numbers::Range(from, to) => self.expr(from).and_then(|()| self.expr(to)),
            Numbers::Set(set) => self.expr(set),
        }
    }

    fn expr(&mut self, expr: &Expr) -> Option<()> {
        let is_of_piles = |expr: &Expr| match expr.kind {
            ExprKind::Builtin(Builtin::Length) => true,
            ExprKind::Local(_, place) => self.chosen.contains(&place),
            _ => false,
        };
        match &expr.kind {
            ExprKind::Compare(left, rest)
                if is_of_piles(left) || rest.iter().any(|(_, right)| is_of_piles(right)) =>
            {
                self.number(left)?;
                rest.iter().try_for_each(|(_, right)| self.number(right))
            }
            ExprKind::Index(list, index) => {
                let is_list =
                    matches!(list.kind, ExprKind::Builtin(Builtin::Piles) | ExprKind::Local(..));
                is_list.then_some(())?;
                self.number(index)
            }
            ExprKind::Builtin(Builtin::Pile(pile)) => {
                self.most = self.most.max(*pile);
                Some(())
            }
            ExprKind::Builtin(Builtin::Length | Builtin::Size)
            | ExprKind::Call(Function::Size, _)
            | ExprKind::Each(..)
            | ExprKind::Let(..)
            | ExprKind::At(..) => None,
            _ if is_of_piles(expr) => None,
            _ => {
                let mut all = Some(());
                expr.each_child(&mut |child| all = all.and_then(|()| self.expr(child)));
                all
            }
        }
    }
}

/// True if a binder chooses a pile that the line changes or reads.
fn is_pile(rule: &MoveRule, place: usize) -> bool {
    let uses = |e: &Expr| grundy_language::moves::uses(e, &mut |used| used == place);
    rule.effects.iter().any(|effect| uses(&effect.pile)) || selects_pile(rule, place)
}

impl Plain {
    /// True if the line has no moves, and no condition of it may be undefined.
    fn is_idle(&self) -> bool {
        let is_false = |condition: &Expr| matches!(condition.kind, ExprKind::Bool(false));
        self.effects.is_empty() && self.before.first().is_some_and(is_false)
    }
}

/// A number that is linear in the sizes of the piles and in a chosen number.
#[derive(Clone, Debug, Default)]
struct Linear {
    constant: i128,
    chosen: i128,
    /// The factor of the pile that the line changes.
    own: i128,
    /// The factor of each other pile without a factor in `others`.
    rest: i128,
    others: Vec<(usize, i128)>,
}

impl Linear {
    fn of(expr: &Expr, own: usize, length: usize) -> Option<Linear> {
        let of = |expr: &Expr| Linear::of(expr, own, length);
        let number = |constant: i128| Linear { constant, ..Linear::default() };
        Some(match &expr.kind {
            ExprKind::Int(constant) => number(*constant),
            ExprKind::Local(_, 0) => Linear { chosen: 1, ..Linear::default() },
            ExprKind::Builtin(Builtin::Total) => {
                Linear { own: 1, rest: i128::from(length > 1), ..Linear::default() }
            }
            ExprKind::Builtin(Builtin::Pile(pile)) if *pile == own + 1 => {
                Linear { own: 1, ..Linear::default() }
            }
            ExprKind::Builtin(Builtin::Pile(pile)) if *pile <= length => {
                Linear { others: vec![(pile - 1, 1)], ..Linear::default() }
            }
            ExprKind::Call(Function::Sum, all) => {
                all.iter().try_fold(number(0), |sum, part| sum.plus(&of(part)?, 1))?
            }
            ExprKind::Unary(UnaryOp::Minus, x) => number(0).plus(&of(x)?, -1)?,
            ExprKind::Binary(BinaryOp::Add, x, y) => of(x)?.plus(&of(y)?, 1)?,
            ExprKind::Binary(BinaryOp::Sub, x, y) => of(x)?.plus(&of(y)?, -1)?,
            ExprKind::Binary(BinaryOp::Mul, x, y) => match (constant(x), constant(y)) {
                (Some(factor), _) => number(0).plus(&of(y)?, factor)?,
                (_, Some(factor)) => number(0).plus(&of(x)?, factor)?,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Adds a multiple of another number. Returns `None` if the numbers grow large.
    fn plus(mut self, other: &Linear, factor: i128) -> Option<Linear> {
        let add = |x: &mut i128, y: i128| -> Option<()> {
            *x = x.checked_add(y.checked_mul(factor)?)?;
            (x.abs() < 1 << 64).then_some(())
        };
        let mut piles: Vec<usize> =
            self.others.iter().chain(&other.others).map(|&(pile, _)| pile).collect();
        piles.sort_unstable();
        piles.dedup();
        let mut others = Vec::with_capacity(piles.len());
        for pile in piles {
            let mut here = self.of_pile(pile);
            add(&mut here, other.of_pile(pile))?;
            others.push((pile, here));
        }
        self.others = others;
        add(&mut self.constant, other.constant)?;
        add(&mut self.chosen, other.chosen)?;
        add(&mut self.own, other.own)?;
        add(&mut self.rest, other.rest)?;
        Some(self)
    }

    fn of_pile(&self, pile: usize) -> i128 {
        let found = self.others.iter().find(|(other, _)| *other == pile);
        found.map_or(self.rest, |&(_, factor)| factor)
    }

    /// True if the number is at least 0 for 1 <= s <= own pile, and other piles of at least 1.
    fn is_never_negative(&self, length: usize) -> bool {
        let others = self.others.iter().map(|&(_, factor)| factor);
        let rest = (length - 1 - self.others.len()) as i128;
        let mut factors =
            others.clone().chain([self.rest * rest, self.own, self.own + self.chosen]);
        let least =
            others.sum::<i128>() + self.rest * rest + self.own + self.chosen + self.constant;
        factors.all(|factor| factor >= 0) && least >= 0
    }

    /// Returns the factors of s and of the own pile, and the constant, if there is no other pile.
    fn alone(&self) -> Option<(i128, i128, i128)> {
        let is_alone = self.rest == 0 && self.others.iter().all(|&(_, factor)| factor == 0);
        is_alone.then_some((self.chosen, self.own, self.constant))
    }
}

/// A line that takes s coins from one pile, where s is the chosen number, or a number of a set.
struct Line {
    pile: usize,
    length: usize,
    /// Numbers that are not negative for the moves of the line, and no others.
    conditions: Vec<Linear>,
    /// True if s differs from the last move.
    differs: bool,
    /// The numbers of the set.
    set: Option<Vec<i128>>,
    skips_nothing: bool,
}

impl Line {
    fn read(plain: &Plain, length: usize) -> Option<Line> {
        let [(pile, change)] = &plain.effects[..] else { return None };
        let linear = |expr: &Expr| Linear::of(expr, *pile, length);
        let taken = match change {
            Change::Less(e) => linear(e)?,
            Change::Becomes(e) => Linear { own: 1, ..Linear::default() }.plus(&linear(e)?, -1)?,
            Change::Parts(_) => return None,
        };
        // If s = t + x or s = x - t, replace t by s - x or by x - s.
        let sign = taken.chosen;
        let set = match (&plain.binders[..], sign) {
            ([], 0) => None,
            ([Numbers::Set(_)], 1) => Some(values(&plain.binders[0])?),
            ([Numbers::Range(..)], 1 | -1) => None,
            _ => return None,
        };
        let shift = Linear { chosen: 0, ..taken.clone() };
        let of_s = |of: Linear| -> Option<Linear> {
            let chosen = of.chosen;
            let rest = Linear { chosen: chosen * sign, ..of };
            rest.plus(&shift, -chosen * sign)
        };
        let mut line = Line {
            pile: *pile,
            length,
            conditions: Vec::new(),
            differs: false,
            set,
            skips_nothing: plain.skips_nothing,
        };
        // Without a choice, s is the number that the line takes: s = x.
        if plain.binders.is_empty() {
            let s = Linear { chosen: 1, ..Linear::default() };
            line.conditions.push(s.clone().plus(&shift, -1)?);
            line.conditions.push(shift.clone().plus(&s, -1)?);
        }
        let t = Linear { chosen: 1, ..Linear::default() };
        if let [Numbers::Range(from, to)] = &plain.binders[..] {
            line.conditions.push(of_s(t.clone().plus(&linear(from)?, -1)?)?);
            for end in parts(to) {
                line.conditions.push(of_s(linear(end)?.plus(&t, -1)?)?);
            }
        }
        for condition in plain.before.iter().chain(&plain.after) {
            let ExprKind::Compare(left, rest) = &condition.kind else { return None };
            let mut left = &**left;
            for (op, right) in rest {
                let (least, most, strict) = match op {
                    CompareOp::Less => (left, right, 1),
                    CompareOp::LessEqual => (left, right, 0),
                    CompareOp::Greater => (right, left, 1),
                    CompareOp::GreaterEqual => (right, left, 0),
                    CompareOp::Unequal => {
                        let last = ExprKind::Builtin(Builtin::LastMove);
                        let other = if left.kind == last { right } else { left };
                        let is_last = [&left.kind, &right.kind].contains(&&last);
                        let s = of_s(linear(other).filter(|_| is_last)?)?.alone();
                        line.differs = s == Some((1, 0, 0));
                        if !line.differs {
                            return None;
                        }
                        left = right;
                        continue;
                    }
                    _ => return None,
                };
                let mut condition = linear(most)?.plus(&linear(least)?, -1)?;
                condition.constant -= strict;
                line.conditions.push(of_s(condition)?);
                left = right;
            }
        }
        Some(line)
    }

    /// True if the line takes any number of coins, or any number but that of the last move.
    fn takes_any(&self, differs: bool) -> bool {
        let least = 1 - i128::from(self.skips_nothing);
        let mut bounds = self.conditions.iter().filter_map(Linear::alone);
        let is_least = |bound: (i128, i128, i128)| matches!(bound, (1, 0, c) if c <= -least);
        let is_most = |bound: (i128, i128, i128)| matches!(bound, (-1, 1, c) if c <= 0);
        bounds.clone().any(is_least)
            && bounds.any(is_most)
            && self.differs == differs
            && self.set.is_none()
            && self.conditions.iter().all(|condition| condition.is_never_negative(self.length))
    }
}

/// Returns the parts of the end of a range: the arguments of `min`, or the end itself.
fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Call(Function::Min, all) => all.iter().flat_map(parts).collect(),
        _ => vec![expr],
    }
}

/// Returns the numbers of coins that a line takes from a single pile. `None` if the line is of
/// another form, or if the pile may become negative.
fn takes(plain: &Plain) -> Option<Vec<Takes>> {
    let line = Line::read(plain, 1).filter(|line| !line.differs)?;
    let of = |chosen: Option<i128>| -> Option<Takes> {
        let (mut least, mut most, mut leave, mut from) = (0, None, None, 1);
        let mut at_most = |number| most = Some(most.map_or(number, |most: i128| most.min(number)));
        let mut at_least = |number: i128| least = least.max(number);
        if let Some(number) = chosen {
            at_least(number);
            at_most(number);
        }
        for condition in &line.conditions {
            match condition.alone()? {
                (-1, 0, c) => at_most(c),
                (1, 0, c) => at_least(-c),
                (-1, 1, c) => leave = leave.max(Some(-c)),
                (0, 1, c) => from = from.max(-c),
                (0, 0, c) if c >= 0 => {}
                _ => return None,
            }
        }
        if least < 1 - i128::from(line.skips_nothing) {
            return None;
        }
        // A number up to the least pile never makes the pile negative.
        let fits = leave.is_some_and(|leave| leave >= 0) || most.is_some_and(|most| most <= from);
        let number = |number: i128| u32::try_from(number.max(0)).ok();
        fits.then_some(Takes {
            least: number(least.max(1))?,
            most: most.map(number).map_or(Some(None), |most| most.map(Some))?,
            leave: number(leave.unwrap_or(0))?,
            from: number(from)?,
        })
    };
    match &line.set {
        None => Some(vec![of(None)?]),
        Some(set) => set.iter().map(|&number| of(Some(number))).collect(),
    }
}

/// True if the moves of a line are defined for a single pile of any size: the line takes a chosen
/// number from 1 up to at most the pile, and all its conditions have values.
fn is_safe(plain: &Plain) -> bool {
    let [(0, Change::Less(Expr { kind: ExprKind::Local(_, 0), .. }))] = &plain.effects[..] else {
        return false;
    };
    let conditions = || plain.before.iter().chain(&plain.after);
    let linear = |expr: &Expr| Linear::of(expr, 0, 1).and_then(|number| number.alone());
    let is_within = |expr: &Expr| match &expr.kind {
        ExprKind::Binary(BinaryOp::Div, x, by) => {
            constant(by).is_some_and(|by| by > 0) && matches!(linear(x), Some((0, 1, c)) if c <= 0)
        }
        _ => matches!(linear(expr), Some((0, 1, c)) if c <= 0),
    };
    let bounds = |condition: &Expr| match &condition.kind {
        ExprKind::Compare(left, rest) => {
            matches!(&rest[..], [(CompareOp::LessEqual | CompareOp::Less, right)]
                if matches!(left.kind, ExprKind::Local(_, 0)) && is_within(right))
        }
        _ => false,
    };
    let is_bounded = || conditions().any(bounds);
    let chooses = match &plain.binders[..] {
        [Numbers::Range(from, to)] => {
            constant(from).is_some_and(|from| from >= 1)
                && is_defined(to, 1)
                && (parts(to).into_iter().any(is_within) || is_bounded())
        }
        [set] => {
            values(set).is_some_and(|all| all.iter().all(|&number| number >= 1)) && is_bounded()
        }
        [] => false,
        _ => false,
    };
    chooses && conditions().all(|condition| is_defined(condition, 1))
}
