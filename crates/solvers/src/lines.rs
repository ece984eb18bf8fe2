//! Finds the options of positions of rule files, without building a position for each option.
//!
//! The reference (`rules::law`) builds a position and a description for each move, but filling a
//! table needs only the piles of the options. This module converts the lines of a law, written out
//! for one length ([`Plain`]), to expression trees, and tries all choices. It leaves irregular
//! cases to the reference, which reports the error. Irregular cases are undefined expressions,
//! negative piles, and moves that take no coins. It also finds the positions that have a move to a
//! given position.

use std::cell::Cell;
use std::mem::take;
use std::ops::RangeInclusive;

use grundy_language::ast::{BinaryOp, Builtin, CompareOp, Function, LogicOp, UnaryOp};
use grundy_language::eval::{LARGEST_TESTED, LONGEST_RANGE};
use grundy_language::{Expr, ExprKind, Player};
use grundy_rules::Pile;
use grundy_rules::law::{Change, Kind, Law, Numbers, Plain};

/// The maximum number of choices for one position. The reference has the same limit.
const MOST_STEPS: u32 = 1 << 22;

/// An expression. The value of a true condition is 1.
#[derive(Debug)]
enum Node {
    Int(i64),
    Pile(usize),
    Name(usize),
    Total,
    Minus(Box<Node>),
    Not(Box<Node>),
    Binary(BinaryOp, Box<[Node; 2]>),
    /// A chain of comparisons. True if all adjacent numbers satisfy the operators between them.
    Compare(Vec<Node>, Vec<CompareOp>),
    /// True if a number is in at least one of these ranges.
    Among(Box<Node>, Vec<[Node; 2]>),
    Logic(LogicOp, Box<[Node; 2]>),
    If(Box<[Node; 3]>),
    Call(Function, Vec<Node>),
}

#[derive(Debug)]
struct Line {
    player: Player,
    /// The ranges for each chosen number. The ranges usually do not overlap.
    binders: Vec<Vec<[Node; 2]>>,
    /// True for each number that is chosen from a set.
    sets: Vec<bool>,
    before: Vec<Node>,
    after: Vec<Node>,
    /// The place of each changed pile, with the piles that replace it or (if the flag is true) the
    /// coins taken.
    effects: Vec<(usize, Vec<Node>, bool)>,
    /// The effect whose pile the last number determines, if this pile changes by one coin when the
    /// number does, and no other pile changes.
    run: Option<usize>,
    /// True if a part of `after` uses the last number.
    tests_last: bool,
    skips_nothing: bool,
}

/// Options that differ only in the size of one pile, before emptied piles vanish and heaps are
/// sorted.
pub(crate) struct Run<'a> {
    /// The player who may move to these options.
    pub(crate) player: Player,
    pub(crate) piles: &'a mut Vec<Pile>,
    pub(crate) place: usize,
    pub(crate) sizes: RangeInclusive<Pile>,
}

/// The moves of positions of one length.
#[derive(Debug)]
pub(crate) struct Lines {
    kind: Kind,
    /// True if a move may make a pile larger than the largest of the position.
    within_total: bool,
    lines: Vec<Line>,
}

/// The position and the choices at which an expression is evaluated.
struct At<'a> {
    piles: &'a [Pile],
    names: Vec<i64>,
    steps: u32,
    option: Vec<Pile>,
    /// True if a pile between the first and the last was read.
    reads_middle: Cell<bool>,
}

impl Lines {
    /// Returns the moves of positions with this many piles; `None` if a line cannot be expressed.
    pub(crate) fn new(law: &Law, length: usize) -> Option<Lines> {
        if law.memories.is_some() || !law.falls.is_empty() {
            return None;
        }
        let lines = Lines::of(law.kind, &law.at(length)?, length)?;
        // The value of several piles of a sum is not that of a position in a table.
        let splits = |line: &Line| line.effects.iter().any(|(_, parts, _)| parts.len() > 1);
        if law.kind == Kind::Sum && (length > 1 || lines.lines.iter().any(splits)) {
            return None;
        }
        Some(Lines { within_total: law.within_total, ..lines })
    }

    /// Returns the moves of the given lines only.
    pub(crate) fn of(kind: Kind, lines: &[Plain], length: usize) -> Option<Lines> {
        let lines = lines.iter().map(|plain| Line::new(plain, length));
        Some(Lines { kind, within_total: false, lines: lines.collect::<Option<_>>()? })
    }

    /// Calls `show` with the piles of each option, and may show an option more than once. Returns
    /// `None` in an irregular case, or if `show` returns `None`.
    pub(crate) fn options(
        &self,
        piles: &[Pile],
        show: impl FnMut(&[Pile]) -> Option<()>,
    ) -> Option<()> {
        self.options_at(&mut At::new(piles), show)
    }

    /// Does the same as [`Lines::options`], but returns `None` if the moves depend on piles between
    /// the first and the last.
    pub(crate) fn options_of_ends(
        &self,
        piles: &[Pile],
        show: impl FnMut(&[Pile]) -> Option<()>,
    ) -> Option<()> {
        let mut at = At::new(piles);
        self.options_at(&mut at, show).filter(|()| !at.reads_middle.get())
    }

    fn options_at(
        &self,
        at: &mut At<'_>,
        mut show: impl FnMut(&[Pile]) -> Option<()>,
    ) -> Option<()> {
        let mut option = Vec::new();
        self.runs_at(at, |run| self.expand(&run, &mut option, &mut show))
    }

    /// Calls `show` with the options of a run. Uses `option` as a buffer.
    pub(crate) fn expand(
        &self,
        run: &Run<'_>,
        option: &mut Vec<Pile>,
        mut show: impl FnMut(&[Pile]) -> Option<()>,
    ) -> Option<()> {
        run.sizes.clone().try_for_each(|size| {
            option.clear();
            option.extend_from_slice(run.piles);
            option[run.place] = size;
            if self.kind != Kind::Places {
                option.retain(|&pile| pile > 0);
            }
            if self.kind == Kind::Heaps {
                option.sort_unstable();
            }
            show(option)
        })
    }

    /// True if a condition of some line must be tested for each option of a run.
    pub(crate) fn test_last(&self) -> bool {
        self.lines.iter().any(|line| line.run.is_some() && line.tests_last)
    }

    /// Does the same as [`Lines::options`] for runs of options.
    pub(crate) fn runs(
        &self,
        piles: &[Pile],
        show: impl FnMut(Run<'_>) -> Option<()>,
    ) -> Option<()> {
        self.runs_at(&mut At::new(piles), show)
    }

    fn runs_at(&self, at: &mut At<'_>, mut show: impl FnMut(Run<'_>) -> Option<()>) -> Option<()> {
        for line in &self.lines {
            // These conditions use no chosen numbers, so test them first.
            if at.all(&line.before)? {
                line.walk(at, line.run.is_some(), &|_| None, &mut |at, to| {
                    line.each_run(at, to, &mut |at, to| {
                        line.act(at, self.within_total, to, &mut show)
                    })
                })?;
            }
        }
        Some(())
    }

    /// Calls `show` with positions of `length` piles of at most `most` that may have a move to the
    /// position `option`, and with a function that tests this by the rules. Some positions that
    /// have such a move may be missing, and some may be shown more than once.
    pub(crate) fn sources(
        &self,
        option: &[Pile],
        length: usize,
        most: Pile,
        show: &mut impl FnMut(&[Pile], &mut dyn FnMut() -> bool),
    ) {
        let Some(emptied) = length.checked_sub(option.len()) else { return };
        let mut rest = vec![0; emptied];
        rest.extend_from_slice(option);
        let mut placed = Vec::with_capacity(length);
        for line in self.lines.iter().filter(|line| line.is_reversible()) {
            self.place(line, &mut rest, &mut placed, most, show);
        }
    }

    /// Places the piles of an option as they are after a move by the line, before emptied piles
    /// vanish and heaps are sorted. Tries all ways that leave the unchanged piles as a position.
    fn place(
        &self,
        line: &Line,
        rest: &mut Vec<Pile>,
        placed: &mut Vec<Pile>,
        most: Pile,
        show: &mut impl FnMut(&[Pile], &mut dyn FnMut() -> bool),
    ) {
        if rest.is_empty() {
            return self.sources_by(line, placed, most, show);
        }
        let least = match self.kind {
            Kind::Places => 0,
            _ if line.changes(placed.len()) => 0,
            Kind::Heaps => line.unchanged_before(placed, placed.len()).unwrap_or(1),
            _ => 1,
        };
        for at in 0..rest.len() {
            let pile = rest[at];
            let is_next = match self.kind {
                Kind::Heaps => !rest[..at].contains(&pile),
                Kind::Places => at == 0,
                // The emptied piles may have been anywhere between the other piles.
                _ => at == 0 || rest[at - 1] == 0 && pile > 0,
            };
            if is_next && pile >= least {
                placed.push(rest.remove(at));
                self.place(line, rest, placed, most, show);
                placed.pop();
                rest.insert(at, pile);
            }
        }
    }

    /// Shows the positions from which a move by this line may lead to exactly these piles.
    fn sources_by(
        &self,
        line: &Line,
        option: &[Pile],
        most: Pile,
        show: &mut impl FnMut(&[Pile], &mut dyn FnMut() -> bool),
    ) {
        // The piles that the move may have changed. Heaps are sorted before the move.
        let between = |place: usize| match self.kind {
            Kind::Heaps => (
                line.unchanged_before(option, place).unwrap_or(1),
                (place..option.len()).find(|&at| !line.changes(at)).map_or(most, |at| option[at]),
            ),
            _ => (0, most),
        };
        // With the largest of these piles, a position usually has the widest ranges.
        let (mut widest, mut source) = (option.to_vec(), option.to_vec());
        line.effects.iter().for_each(|(place, ..)| widest[*place] = between(*place).1);
        let replaced = line.effects.iter().find(|(.., is_less)| !is_less);
        let mut scratch = Vec::new();
        let only = |name: usize| {
            let numbers = line.effects.iter().filter_map(|(place, parts, is_less)| {
                let left = i64::from(option[*place]);
                match parts[..] {
                    [Node::Name(found)] if found == name && *is_less => {
                        let (from, to) = between(*place);
                        Some((i64::from(from) - left, i64::from(to) - left))
                    }
                    [Node::Name(found)] if found == name => Some((left, left)),
                    _ => None,
                }
            });
            numbers.reduce(|(x, y), (from, to)| (x.max(from), y.min(to)))
        };
        let mut at = At::new(&widest);
        // A failure means only that some positions are missing.
        _ = line.walk(&mut at, false, &only, &mut |at, _| {
            for (place, parts, _) in line.effects.iter().filter(|(.., is_less)| *is_less) {
                let pile = i64::from(option[*place]).checked_add(at.of(&parts[0])?);
                match pile.and_then(|pile| Pile::try_from(pile).ok()).filter(|&pile| pile <= most) {
                    Some(pile) => source[*place] = pile,
                    None => return Some(()),
                }
            }
            let (from, to) = replaced.map_or((0, 0), |(place, ..)| between(*place));
            for pile in from..=to {
                if let Some((place, ..)) = replaced {
                    source[*place] = pile;
                }
                if self.kind == Kind::Heaps && !source.is_sorted() {
                    continue;
                }
                show(&source, &mut || {
                    let (names, option_of) = (take(&mut at.names), take(&mut scratch));
                    let mut tried = At { names, option: option_of, ..At::new(&source) };
                    let leads = line.leads(&mut tried, option, self.within_total);
                    (at.names, scratch) = (tried.names, tried.option);
                    leads == Some(true)
                });
            }
            Some(())
        });
    }
}

impl Line {
    fn new(plain: &Plain, length: usize) -> Option<Line> {
        let of = |expr: &Expr| node(expr, length);
        let all = |exprs: &[Expr]| exprs.iter().map(of).collect::<Option<Vec<Node>>>();
        let binders = plain.binders.iter().map(|numbers| match numbers {
            Numbers::Range(from, to) => Some(vec![[of(from)?, of(to)?]]),
            Numbers::Set(set) => ranges(set, length),
        });
        let effects = plain.effects.iter().map(|(place, change)| match change {
            Change::Less(e) => Some((*place, vec![of(e)?], true)),
            Change::Becomes(e) => Some((*place, vec![of(e)?], false)),
            Change::Parts(parts) => Some((*place, all(parts)?, false)),
        });
        let last = plain.binders.len().checked_sub(1);
        Some(Line {
            player: plain.player,
            run: last.and_then(|last| run_of(plain, last)),
            tests_last: last.is_some_and(|last| plain.after.iter().any(|of| uses(of, last))),
            binders: binders.collect::<Option<_>>()?,
            sets: plain.binders.iter().map(|of| matches!(of, Numbers::Set(_))).collect(),
            before: all(&plain.before)?,
            after: all(&plain.after)?,
            effects: effects.collect::<Option<_>>()?,
            skips_nothing: plain.skips_nothing,
        })
    }

    /// True if [`Lines::sources`] looks for positions by this line.
    fn is_reversible(&self) -> bool {
        self.effects.iter().all(|(_, parts, _)| parts.len() == 1)
            && self.effects.iter().filter(|(.., is_less)| !is_less).count() <= 1
    }

    fn changes(&self, place: usize) -> bool {
        self.effects.iter().any(|(changed, ..)| *changed == place)
    }

    /// Returns the last pile before this place that the line does not change.
    fn unchanged_before(&self, piles: &[Pile], place: usize) -> Option<Pile> {
        (0..place).rev().find(|&at| !self.changes(at)).map(|at| piles[at])
    }

    /// Calls `chosen` for all choices of numbers. `only` restricts the numbers of a name. If
    /// `in_runs` is true, the last number may be any from the chosen one to the one given.
    fn walk(
        &self,
        at: &mut At<'_>,
        in_runs: bool,
        only: &impl Fn(usize) -> Option<(i64, i64)>,
        chosen: &mut impl FnMut(&mut At<'_>, Option<i64>) -> Option<()>,
    ) -> Option<()> {
        let name = at.names.len();
        let Some(ranges) = self.binders.get(name) else { return chosen(at, None) };
        let is_run = in_runs && name + 1 == self.binders.len();
        let (least, most) = only(name).unwrap_or((i64::MIN, i64::MAX));
        for [from, to] in ranges {
            let (from, to) = (at.of(from)?, at.of(to)?);
            // The reference reports an error for longer ranges in sets.
            if self.sets[name] && to.saturating_sub(from) >= LONGEST_RANGE as i64 {
                return None;
            }
            let (from, to) = (from.max(least), to.min(most));
            if is_run && from <= to {
                at.count(to.saturating_sub(from).saturating_add(1))?;
                at.names.push(from);
                chosen(at, Some(to))?;
                at.names.pop();
                continue;
            }
            for number in from..=to {
                at.count(1)?;
                at.names.push(number);
                self.walk(at, in_runs, only, chosen)?;
                at.names.pop();
            }
        }
        Some(())
    }

    /// Calls `show` for the choices that satisfy the conditions. The last number may be any from
    /// the chosen one to `to`; `show` gets runs of these.
    fn each_run(
        &self,
        at: &mut At<'_>,
        to: Option<i64>,
        show: &mut impl FnMut(&mut At<'_>, Option<i64>) -> Option<()>,
    ) -> Option<()> {
        let Some(to) = to.filter(|_| self.tests_last) else {
            return if at.all(&self.after)? { show(at, to) } else { Some(()) };
        };
        let last = at.names.len() - 1;
        let mut begun = None;
        for number in at.names[last]..=to {
            at.names[last] = number;
            match (at.all(&self.after)?, begun) {
                (true, None) => begun = Some(number),
                (false, Some(first)) => {
                    at.names[last] = first;
                    show(at, Some(number - 1))?;
                    begun = None;
                }
                _ => {}
            }
        }
        begun.map_or(Some(()), |first| {
            at.names[last] = first;
            show(at, Some(to))
        })
    }

    /// True if the numbers chosen may be chosen at the position, and the move leads to `option`.
    fn leads(&self, at: &mut At<'_>, option: &[Pile], within_total: bool) -> Option<bool> {
        let mut may = at.all(&self.before)?;
        for (ranges, &number) in self.binders.iter().zip(&at.names) {
            may = may && at.is_among(number, ranges)?;
        }
        may = may && at.all(&self.after)?;
        let mut is_led = false;
        if may {
            self.act(at, within_total, None, &mut |run| {
                is_led = run.piles == option;
                Some(())
            })?;
        }
        Some(is_led)
    }

    /// Shows the piles after the move. If the last number may be any up to `to`, shows the run of
    /// these options.
    fn act(
        &self,
        at: &mut At<'_>,
        within_total: bool,
        to: Option<i64>,
        show: &mut impl FnMut(Run<'_>) -> Option<()>,
    ) -> Option<()> {
        let sizes = at.piles.iter().map(|&pile| i64::from(pile));
        let largest = if within_total { sizes.sum() } else { sizes.max()? };
        let left = |at: &At<'_>, old: i64, number: &Node, is_less: bool| {
            let number = at.of(number)?;
            let new = if is_less { old.checked_sub(number)? } else { number };
            (0..=largest).contains(&new).then_some(new)
        };
        let mut option = take(&mut at.option);
        option.clear();
        option.extend_from_slice(at.piles);
        let (mut taken, mut run) = (0, None);
        for (effect, (place, parts, is_less)) in self.effects.iter().enumerate() {
            let old = at.pile(*place);
            option[*place] = 0;
            taken += old;
            for (part, number) in parts.iter().enumerate() {
                let mut new = left(at, old, number, *is_less)?;
                if let Some(to) = to.filter(|_| self.run == Some(effect)) {
                    let from = at.with_last(to);
                    let other = left(at, old, number, *is_less)?;
                    at.with_last(from);
                    run = Some((*place, new.min(other) as Pile..=new.max(other) as Pile));
                    new = new.max(other);
                }
                taken -= new;
                match part {
                    0 => option[*place] = new as Pile,
                    _ => option.push(new as Pile),
                }
            }
        }
        let (place, sizes) = match run {
            Some(run) => run,
            None => (0, option[0]..=option[0]),
        };
        if taken > 0 {
            show(Run { player: self.player, piles: &mut option, place, sizes })?;
        } else if let Some(to) = to {
            // Some of these choices take no coins.
            at.option = option;
            return (at.names[at.names.len() - 1]..=to).try_for_each(|number| {
                at.with_last(number);
                self.act(at, within_total, None, show)
            });
        } else if !self.skips_nothing || option != at.piles {
            return None;
        }
        at.option = option;
        Some(())
    }
}

/// True if an expression uses the number with this place.
fn uses(expr: &Expr, name: usize) -> bool {
    let mut found = matches!(expr.kind, ExprKind::Local(_, place) if place == name);
    expr.each_child(&mut |child| found |= uses(child, name));
    found
}

/// Returns the effect of the [run](Line::run) of a line, whose last number has the place `last`.
fn run_of(plain: &Plain, last: usize) -> Option<usize> {
    let is_last = |expr: &Expr| matches!(expr.kind, ExprKind::Local(_, place) if place == last);
    let is_even = |expr: &Expr| match &expr.kind {
        ExprKind::Binary(BinaryOp::Sub, x, y) => !uses(x, last) && is_last(y),
        _ => is_last(expr),
    };
    let parts = |(_, change): &(usize, Change)| match change {
        Change::Less(part) | Change::Becomes(part) => vec![part.clone()],
        Change::Parts(parts) => parts.clone(),
    };
    let parts = plain.effects.iter().map(parts).collect::<Vec<_>>();
    let mut found = (0..).zip(&parts).filter(|(_, all)| all.iter().any(|of| uses(of, last)));
    let (effect, all) = found.next()?;
    (found.next().is_none() && all.len() == 1 && is_even(&all[0])).then_some(effect)
}

/// Returns the ranges of a set such as `{1, 3..5}`.
fn ranges(set: &Expr, length: usize) -> Option<Vec<[Node; 2]>> {
    let range = |expr: &Expr| match &expr.kind {
        ExprKind::Range(from, to) => Some([node(from, length)?, node(to, length)?]),
        _ => Some([node(expr, length)?, node(expr, length)?]),
    };
    match &set.kind {
        ExprKind::Set(members) => members.iter().map(range).collect(),
        ExprKind::Range(..) => Some(vec![range(set)?]),
        ExprKind::Builtin(Builtin::Piles | Builtin::Reverse) => {
            Some((0..length).map(|place| [Node::Pile(place), Node::Pile(place)]).collect())
        }
        _ => None,
    }
}

fn node(expr: &Expr, length: usize) -> Option<Node> {
    let of = |expr: &Expr| node(expr, length);
    let pair = |x: &Expr, y: &Expr| Some(Box::new([of(x)?, of(y)?]));
    Some(match &expr.kind {
        ExprKind::Int(number) => Node::Int(i64::try_from(*number).ok()?),
        ExprKind::Bool(truth) => Node::Int((*truth).into()),
        ExprKind::Builtin(Builtin::Pile(number)) if *number <= length => {
            Node::Pile(number.checked_sub(1)?)
        }
        ExprKind::Builtin(Builtin::Total) => Node::Total,
        ExprKind::Local(_, place) => Node::Name(*place),
        ExprKind::Unary(UnaryOp::Minus, x) => Node::Minus(Box::new(of(x)?)),
        ExprKind::Unary(UnaryOp::Not, x) => Node::Not(Box::new(of(x)?)),
        ExprKind::Binary(op, x, y) => Node::Binary(*op, pair(x, y)?),
        ExprKind::Compare(x, rest) => match &rest[..] {
            [(op @ (CompareOp::In | CompareOp::NotIn), set)] => {
                let among = Node::Among(Box::new(of(x)?), ranges(set, length)?);
                if *op == CompareOp::In { among } else { Node::Not(Box::new(among)) }
            }
            rest if rest.iter().any(|(op, _)| matches!(op, CompareOp::In | CompareOp::NotIn)) => {
                return None;
            }
            rest => {
                let all = [&**x].into_iter().chain(rest.iter().map(|(_, y)| y)).map(of);
                Node::Compare(all.collect::<Option<_>>()?, rest.iter().map(|(op, _)| *op).collect())
            }
        },
        ExprKind::Logic(op, x, y) => Node::Logic(*op, pair(x, y)?),
        ExprKind::If(c, x, y) => Node::If(Box::new([of(c)?, of(x)?, of(y)?])),
        ExprKind::Call(
            f @ (Function::Abs
            | Function::Min
            | Function::Max
            | Function::Sum
            | Function::Xor
            | Function::Gcd
            | Function::IsPrime),
            all,
        ) if !all.is_empty() => Node::Call(*f, all.iter().map(of).collect::<Option<_>>()?),
        _ => return None,
    })
}

fn gcd(mut x: i64, mut y: i64) -> i64 {
    while y != 0 {
        (x, y) = (y, x.wrapping_rem(y));
    }
    x
}

fn is_prime(x: i64) -> bool {
    let mut odd = (3..).step_by(2).take_while(|divisor| divisor * divisor <= x);
    x == 2 || x > 2 && x % 2 == 1 && odd.all(|divisor| x % divisor != 0)
}

impl At<'_> {
    fn new(piles: &[Pile]) -> At<'_> {
        let (names, option) = (Vec::new(), Vec::new());
        At { piles, names, steps: 0, option, reads_middle: Cell::new(false) }
    }

    /// Counts choices. Returns `None` if there are too many.
    fn count(&mut self, choices: i64) -> Option<()> {
        self.steps = self.steps.saturating_add(choices.try_into().unwrap_or(u32::MAX));
        (self.steps <= MOST_STEPS).then_some(())
    }

    /// Replaces the last number, and returns it.
    fn with_last(&mut self, number: i64) -> i64 {
        self.names.last_mut().map_or(number, |last| std::mem::replace(last, number))
    }

    fn pile(&self, place: usize) -> i64 {
        if place > 0 && place + 1 < self.piles.len() {
            self.reads_middle.set(true);
        }
        self.piles[place].into()
    }

    fn all(&self, conditions: &[Node]) -> Option<bool> {
        for condition in conditions {
            if self.of(condition)? == 0 {
                return Some(false);
            }
        }
        Some(true)
    }

    fn is_among(&self, number: i64, ranges: &[[Node; 2]]) -> Option<bool> {
        let mut found = false;
        for [from, to] in ranges {
            found |= match (from, to) {
                (Node::Pile(x), Node::Pile(y)) if x == y => number == self.pile(*x),
                _ => (self.of(from)?..=self.of(to)?).contains(&number),
            };
        }
        Some(found)
    }

    /// Returns the value of an expression; `None` if the value is undefined or too large.
    fn of(&self, node: &Node) -> Option<i64> {
        Some(match node {
            Node::Int(number) => *number,
            Node::Pile(place) => self.pile(*place),
            Node::Name(place) => *self.names.get(*place)?,
            Node::Total => (0..self.piles.len()).map(|place| self.pile(place)).sum(),
            Node::Minus(x) => self.of(x)?.checked_neg()?,
            Node::Not(x) => 1 - self.of(x)?,
            Node::Binary(op, two) => {
                let (x, y) = (self.of(&two[0])?, self.of(&two[1])?);
                match op {
                    BinaryOp::Add => x.checked_add(y)?,
                    BinaryOp::Sub => x.checked_sub(y)?,
                    BinaryOp::Mul => x.checked_mul(y)?,
                    BinaryOp::Or => x | y,
                    BinaryOp::Xor => x ^ y,
                    BinaryOp::And => x & y,
                    // If the divisor is positive, both operations round down.
                    BinaryOp::Div if y > 0 => x.div_euclid(y),
                    BinaryOp::Mod if y > 0 => x.rem_euclid(y),
                    _ => return None,
                }
            }
            Node::Compare(all, ops) => {
                let mut before = self.of(&all[0])?;
                for (op, next) in ops.iter().zip(&all[1..]) {
                    let next = self.of(next)?;
                    let holds = match op {
                        CompareOp::Equal => before == next,
                        CompareOp::Unequal => before != next,
                        CompareOp::Less => before < next,
                        CompareOp::LessEqual => before <= next,
                        CompareOp::Greater => before > next,
                        CompareOp::GreaterEqual => before >= next,
                        CompareOp::In | CompareOp::NotIn => return None,
                    };
                    if !holds {
                        return Some(0);
                    }
                    before = next;
                }
                1
            }
            Node::Among(x, ranges) => {
                let x = self.of(x)?;
                self.is_among(x, ranges)?.into()
            }
            Node::Logic(op, two) => match (op, self.of(&two[0])? != 0) {
                (LogicOp::And, false) => 0,
                (LogicOp::Or, true) | (LogicOp::Implies, false) => 1,
                (LogicOp::Iff, x) => (x == (self.of(&two[1])? != 0)).into(),
                _ => self.of(&two[1])?,
            },
            Node::If(three) => match self.of(&three[0])? != 0 {
                true => self.of(&three[1])?,
                false => self.of(&three[2])?,
            },
            Node::Call(function, all) => {
                let first = self.of(&all[0])?;
                all[1..]
                    .iter()
                    .try_fold(first, |found, x| {
                        let x = self.of(x)?;
                        Some(match function {
                            Function::Min => found.min(x),
                            Function::Max => found.max(x),
                            Function::Sum => found.checked_add(x)?,
                            Function::Gcd => gcd(found, x),
                            _ => found ^ x,
                        })
                    })
                    .and_then(|found| match function {
                        Function::Abs => found.checked_abs(),
                        Function::Gcd => gcd(found, 0).checked_abs(),
                        Function::IsPrime => {
                            (found < LARGEST_TESTED as i64).then(|| is_prime(found).into())
                        }
                        _ => Some(found),
                    })?
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use grundy_rules::{Game, Table, rulesets};

    use super::*;

    type Pairs = BTreeSet<(Vec<Pile>, Vec<Pile>)>;

    /// Returns the positions of a table and their options, found from each end.
    fn pairs(game: Game, lines: &Lines, max_pile: Pile, length: usize) -> [Pairs; 2] {
        let (mut forwards, mut backwards) = (Pairs::new(), Pairs::new());
        let table = Table::new(game, max_pile, length).unwrap();
        let all = (0..table.values()).filter_map(|number| table.position(number));
        let mut options: BTreeSet<Vec<Pile>> = BTreeSet::new();
        for position in all {
            let piles = position.piles();
            _ = lines.options(piles, |option| {
                options.insert(option.to_vec());
                forwards.insert((piles.to_vec(), option.to_vec()));
                Some(())
            });
        }
        for option in options {
            lines.sources(&option, length, max_pile, &mut |piles, has_move| {
                // The table may store the reversal of the row.
                let place = table.locate_piles(piles).filter(|place| !place.reversed);
                let is_kept = || game.keeps(&game.position(piles));
                if place.is_some() && is_kept() && has_move() {
                    backwards.insert((piles.to_vec(), option.clone()));
                }
            });
        }
        [forwards, backwards]
    }

    /// A source has a move to the option by the rules. No source is missing, if each line leaves at
    /// most one pile by `:=`, and if the ranges of its numbers grow with the piles.
    #[test]
    fn sources_are_the_positions_with_a_move() {
        let (mut complete, mut incomplete) = (0, BTreeSet::new());
        for name in rulesets::names() {
            let Some(game) = rulesets::game(name) else { continue };
            let Some(law) = game.law().filter(|law| law.only_takes()) else { continue };
            for (max_pile, length) in [(9, 1), (7, 2), (5, 3), (3, 4)] {
                let is_here = law.lengths.contains(&length);
                let lines = is_here.then(|| Lines::new(law, length)).flatten();
                let Some(lines) = lines else { continue };
                let [forwards, backwards] = pairs(game, &lines, max_pile, length);
                assert!(backwards.is_subset(&forwards), "{name} {length}");
                match backwards == forwards {
                    true => complete += usize::from(!forwards.is_empty()),
                    false => _ = incomplete.insert(name),
                }
            }
        }
        assert!(complete > 60, "{complete}");
        let others =
            ["adjacent-nim", "chocolate-bar-2", "chomp-3", "crim", "delete-nim", "partizan-euclid"];
        assert_eq!(Vec::from_iter(incomplete), others);
    }
}
