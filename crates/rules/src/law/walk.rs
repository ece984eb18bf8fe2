//! Lists the moves of a position directly from the law. Tests compare faster code with this module.
//!
//! The module tries all choices for the binders from left to right, and tests the conditions. It
//! applies the effects of each remaining choice to the old position. It is an error if a pile
//! becomes negative, if two effects change one pile, or if an option is invalid. Without `each`, a
//! move that takes nothing is an error too. The message gives the line, move and position.

use std::collections::{BTreeSet, HashSet};

use grundy_language::{
    At, Cause, Evaluator, Expr, Fault, Memories, Problem, Remembered, Span, Undefined, Val,
};

use super::{Change, Choice, Kind, Law, MoveRule, Numbers};
use crate::{Lowered, Memory, Move, Pile, Position};

const MOST_STEPS: u64 = 1 << 22;

/// The number of choices between two calls of `more`, which can stop the listing of moves.
pub const CHOICES_PER_LOOK: u64 = 1 << 6;
const MOST_MOVES: usize = 1 << 19;

/// Returns true if the law admits the position, or an error if its condition is undefined there.
pub(super) fn admits(law: &Law, text: &str, position: &Position) -> Result<bool, Undefined> {
    if position.piles().is_empty() && law.kind != Kind::Places {
        return Ok(true);
    }
    if law.kind != Kind::Sum && !law.allows(position.length()) {
        return Ok(false);
    }
    let Some(admits) = &law.admits else { return Ok(true) };
    let context = At { piles: position.piles(), state: position.memory().state() };
    let mut more = || true;
    Evaluator::new(&context).truth(admits).map_err(|Fault { span, cause }| {
        let walk = Walk::new(law, text, position, position.piles(), &mut more);
        let hint = hint(&cause, "exclude such positions by a premise, as in `k > 2 -> ...`");
        walk.fault(cause.to_string(), span, "this has no value at that position", hint)
    })
}

/// Returns the numbers that every move lowers lexicographically: the number of coins, or those of
/// the line `falls`. The position without piles has no numbers, and so comes before all others.
pub(super) fn falls(law: &Law, text: &str, position: &Position) -> Result<Vec<i128>, Undefined> {
    if law.falls.is_empty() {
        return Ok(vec![position.coins().into()]);
    }
    if position.piles().is_empty() {
        return Ok(Vec::new());
    }
    let context = At { piles: position.piles(), state: position.memory().state() };
    let mut more = || true;
    let walk = Walk::new(law, text, position, position.piles(), &mut more);
    law.falls.iter().map(|expr| walk.int(&mut Evaluator::new(&context), expr)).collect()
}

/// Returns the moves of a position, in the order of the lines. `None` if `more` returns false.
pub(super) fn moves(
    law: &Law,
    text: &str,
    position: &Position,
    more: &mut dyn FnMut() -> bool,
) -> Result<Option<Vec<Move>>, Undefined> {
    let mut all = Vec::new();
    // If the condition of `where` is undefined at this position, return the error.
    if law.admits.is_some() {
        admits(law, text, position)?;
    }
    if law.kind != Kind::Sum {
        let piles = position.piles();
        if !piles.is_empty() && !Walk::new(law, text, position, piles, more).all(&mut all)? {
            return Ok(None);
        }
    } else {
        let mut before = 0;
        for pile in position.piles() {
            // Equal piles are next to each other and have the same moves.
            if *pile != before && !Walk::new(law, text, position, &[*pile], more).all(&mut all)? {
                return Ok(None);
            }
            before = *pile;
        }
    }
    // Remove duplicates. They arise if heaps are equal, or if a chosen pile loses no coin.
    if law.kind != Kind::Row {
        let mut seen = HashSet::new();
        all.retain(|made| seen.insert(made.identity()));
    }
    Ok(Some(all))
}

/// Returns the hint for a fault: `restrict` if a condition could prevent the fault.
fn hint<'a>(cause: &Cause, restrict: &'a str) -> Option<&'a str> {
    match cause {
        Cause::NoPile { .. } | Cause::NoPlace { .. } | Cause::OfNothing(_) => Some(restrict),
        Cause::DivisionByZero => Some("divide by a number that is never 0"),
        Cause::Domain(_) => Some("use it only for numbers from 1 on"),
        Cause::ManyMembers(_) => Some("choose shorter ranges, or nest fewer ranges"),
        Cause::LongRange(_) => Some("the range of a binder may be longer, as in `t in 1..first`"),
        _ => None,
    }
}

/// A pile that a move changes: its place, its old size, and the piles that replace it.
type Changed = (usize, Pile, Vec<Pile>);

struct Walk<'a> {
    law: &'a Law,
    text: &'a str,
    position: &'a Position,
    piles: &'a [Pile],
    steps: u64,
    more: &'a mut dyn FnMut() -> bool,
    stopped: bool,
    /// The sets of the `each` binders in use, as lists of members.
    members: Vec<Vec<i128>>,
}

type Done = Result<(), Undefined>;

impl<'a> Walk<'a> {
    fn new(
        law: &'a Law,
        text: &'a str,
        position: &'a Position,
        piles: &'a [Pile],
        more: &'a mut dyn FnMut() -> bool,
    ) -> Walk<'a> {
        Walk { law, text, position, piles, steps: 0, more, stopped: false, members: Vec::new() }
    }

    /// Finds the moves. Returns false if `more` stopped the walk.
    fn all(mut self, found: &mut Vec<Move>) -> Result<bool, Undefined> {
        match self.lines(found) {
            Err(_) if self.stopped => Ok(false),
            done => done.map(|()| true),
        }
    }

    fn lines(&mut self, found: &mut Vec<Move>) -> Done {
        let context = At { piles: self.piles, state: self.position.memory().state() };
        let law = self.law;
        for rule in &law.moves {
            let mut names = Evaluator::new(&context);
            // Reserve the places of the binders; names inside a condition have later places.
            let places = rule.binders.last().map_or(0, |binder| binder.place + 1);
            names.names.resize(places, Val::Int(0));
            let mut holds = true;
            for condition in &rule.before {
                holds = holds && self.truth(&mut names, condition)?;
            }
            names.names.clear();
            if holds {
                self.bind(rule, 0, &mut names, found)?;
            }
        }
        Ok(())
    }

    /// Tries all choices for the binder with the index `at` and for later binders.
    fn bind(
        &mut self,
        rule: &MoveRule,
        at: usize,
        names: &mut Evaluator<'_>,
        found: &mut Vec<Move>,
    ) -> Done {
        let Some(binder) = rule.binders.get(at) else {
            for condition in &rule.after {
                if !self.truth(names, condition)? {
                    return Ok(());
                }
            }
            return self.act(rule, names, found);
        };
        match &binder.of {
            Choice::Number(of) => {
                let (first, last, set) = self.numbers(names, of)?;
                let mut choose = |this: &mut Self, number| {
                    this.step(binder.span)?;
                    names.names.push(Val::Int(number));
                    this.bind(rule, at + 1, names, found)?;
                    names.names.pop();
                    Ok(())
                };
                match set {
                    None => (first..=last).try_for_each(|number| choose(self, number)),
                    Some(set) => set.into_iter().try_for_each(|number| choose(self, number)),
                }
            }
            Choice::Subset { from, to, least, most } => {
                let [from, to, least, most] = [from, to, least, most].map(|e| self.int(names, e));
                let (from, to, least, most) = (from?, to?, least?, most?);
                let mut chosen = Vec::new();
                for size in least.max(0)..=most.min(to.saturating_sub(from).saturating_add(1)) {
                    self.subsets(rule, at, (from, to), size, &mut chosen, names, found)?;
                }
                Ok(())
            }
            Choice::Window { from, to, width, cyclic } => {
                let [from, to, width] = [from, to, width].map(|e| self.int(names, e));
                let (from, to, width) = (from?, to?, width?);
                let size = to.saturating_sub(from).saturating_add(1);
                if width < 1 || width > size {
                    return Ok(());
                }
                let starts = if *cyclic && width < size { size } else { size - width + 1 };
                for start in 0..starts {
                    self.step(binder.span)?;
                    let window = (start..start + width).map(|x| from + x % size).collect();
                    self.choose(rule, at, window, names, found)?;
                }
                Ok(())
            }
            Choice::Each { members, numbers, .. } => {
                let members: Vec<i128> = match self.of(names, members)? {
                    Val::Set(set) => set.into_iter().collect(),
                    Val::List(list) => list,
                    other => unreachable!("wrong type after the type check: {other:?}"),
                };
                self.members.push(members);
                let list = vec![0; self.piles.len()];
                let done = self.each(rule, at, numbers, 0, list, names, found);
                self.members.pop();
                done
            }
        }
    }

    /// Chooses a set, then continues with the next binder.
    fn choose(
        &mut self,
        rule: &MoveRule,
        at: usize,
        set: BTreeSet<i128>,
        names: &mut Evaluator<'_>,
        found: &mut Vec<Move>,
    ) -> Done {
        names.names.push(Val::Set(set));
        self.bind(rule, at + 1, names, found)?;
        names.names.pop();
        Ok(())
    }

    /// Tries the subsets of a range that have `more` members in addition to those already chosen.
    #[allow(clippy::too_many_arguments, reason = "they are the state of the walk")]
    fn subsets(
        &mut self,
        rule: &MoveRule,
        at: usize,
        (from, to): (i128, i128),
        more: i128,
        chosen: &mut Vec<i128>,
        names: &mut Evaluator<'_>,
        found: &mut Vec<Move>,
    ) -> Done {
        self.step(rule.binders[at].span)?;
        if more == 0 {
            // Count a step for each member, because a large set takes as long as many choices.
            chosen.iter().try_for_each(|_| self.step(rule.binders[at].span))?;
            return self.choose(rule, at, chosen.iter().copied().collect(), names, found);
        }
        for next in from..=to.saturating_sub(more - 1) {
            chosen.push(next);
            self.subsets(rule, at, (next + 1, to), more - 1, chosen, names, found)?;
            chosen.pop();
        }
        Ok(())
    }

    /// Chooses a number for each member from `next` on.
    #[allow(clippy::too_many_arguments, reason = "they are the state of the walk")]
    fn each(
        &mut self,
        rule: &MoveRule,
        at: usize,
        of: &Numbers,
        next: usize,
        list: Vec<i128>,
        names: &mut Evaluator<'_>,
        found: &mut Vec<Move>,
    ) -> Done {
        let span = rule.binders[at].span;
        let members = &self.members[self.members.len() - 1];
        let Some(&member) = members.get(next) else {
            names.names.extend([Val::Int(0), Val::List(list)]);
            self.bind(rule, at + 1, names, found)?;
            names.names.truncate(names.names.len() - 2);
            return Ok(());
        };
        let place = usize::try_from(member).unwrap_or(0).wrapping_sub(1);
        if place >= list.len() {
            let what = format!("there is no pile {member}");
            return Err(self.fault(what, span, "this chooses a number for it", None));
        }
        names.names.push(Val::Int(member));
        let (first, last, set) = self.numbers(names, of)?;
        names.names.pop();
        let set = set.unwrap_or_default();
        for number in (first..=last).chain(set) {
            self.step(span)?;
            let mut list = list.clone();
            list[place] = number;
            self.each(rule, at, of, next + 1, list, names, found)?;
        }
        Ok(())
    }

    /// Returns the two ends of a range. For a set, returns an empty range and the members.
    #[allow(clippy::type_complexity, reason = "callers use the three parts at once")]
    fn numbers(
        &self,
        names: &mut Evaluator<'_>,
        of: &Numbers,
    ) -> Result<(i128, i128, Option<Vec<i128>>), Undefined> {
        match of {
            Numbers::Range(from, to) => {
                let (first, last) = (self.int(names, from)?, self.int(names, to)?);
                if last.saturating_sub(first) >= MOST_STEPS.into() {
                    let what = format!("a range of more than {MOST_STEPS} numbers");
                    let span = Span::new(from.span.start, to.span.end);
                    let label = format!("from {first} to {last}");
                    return Err(self.fault(what, span, &label, None));
                }
                Ok((first, last, None))
            }
            Numbers::Set(set) => match self.of(names, set)? {
                Val::Set(set) => Ok((1, 0, Some(set.into_iter().collect()))),
                Val::List(list) => Ok((1, 0, Some(list))),
                other => unreachable!("wrong type after the type check: {other:?}"),
            },
        }
    }

    fn act(&mut self, rule: &MoveRule, names: &mut Evaluator<'_>, found: &mut Vec<Move>) -> Done {
        let mut changed: Vec<Changed> = Vec::with_capacity(rule.effects.len());
        let mut each = 0;
        for effect in &rule.effects {
            let Some(member) = effect.over else {
                self.effect(rule, effect.span, &effect.pile, &effect.change, names, &mut changed)?;
                continue;
            };
            let over = rule.binders.iter().filter(|b| matches!(b.of, Choice::Each { .. }));
            each = over.clone().position(|b| b.place == member + 1).unwrap_or(each);
            for at in 0..self.members[each].len() {
                names.names[member] = Val::Int(self.members[each][at]);
                self.effect(rule, effect.span, &effect.pile, &effect.change, names, &mut changed)?;
            }
            names.names[member] = Val::Int(0);
        }
        let all = |old: bool| -> u64 {
            let of = |c: &Changed| {
                if old { u64::from(c.1) } else { c.2.iter().map(|&p| u64::from(p)).sum() }
            };
            changed.iter().map(of).sum()
        };
        let (from, to) = (all(true), all(false));
        let is_sum = self.law.kind == Kind::Sum;
        let is_same = || changed.iter().all(|(_, old, new)| new[..] == [*old]);
        if !is_sum && to >= from && rule.skips_nothing() && is_same() {
            return Ok(());
        }
        if !is_sum && to >= from && self.law.falls.is_empty() {
            let what = format!(
                "a move takes at least one coin, but {} takes none",
                self.choice(rule, names)
            );
            let hint = "begin its range at 1, or restrict the moves by `if`";
            return Err(self.fault(what, rule.span, "this line", Some(hint)));
        }
        let mut piles: Vec<Pile> = self.position.piles().to_vec();
        let taken = from.saturating_sub(to);
        if is_sum {
            let Some((_, old, new)) = changed.pop() else { return Ok(()) };
            let place = piles.iter().position(|&pile| pile == old).unwrap_or(0);
            piles.remove(place);
            piles.extend(&new);
            changed.push((place, old, new));
        } else {
            for (place, _, new) in &changed {
                piles[*place] = new.first().copied().unwrap_or(0);
                piles.extend(new.iter().skip(1));
            }
        }
        let option = match self.law.kind {
            Kind::Row => Position::row(&piles),
            Kind::Heaps | Kind::Sum => Position::multiset(piles),
            Kind::Places => Position { piles, memory: Memory::Nothing },
        };
        let memory = match &self.law.memories {
            Some(memories) => self.remembered(memories, rule, taken, names)?,
            None => Memory::Nothing,
        };
        let option = Position { memory, ..option };
        if !admits(self.law, self.text, &option)? {
            let what =
                format!("{} leads to {option}, which is not a position", self.choice(rule, names));
            let hint = "restrict the moves by `if`, or admit more positions by `where`";
            return Err(self.fault(what, rule.span, "this line", Some(hint)));
        }
        self.check_fall(rule, names, &option)?;
        if found.len() >= MOST_MOVES {
            let what = format!("more than {MOST_MOVES} moves");
            return Err(self.fault(what, rule.span, "this line", None));
        }
        changed.retain(|(_, old, new)| new[..] != [*old]);
        let changes = changed
            .into_iter()
            .map(|(place, from, to)| Lowered { pile: place + 1, from, to })
            .collect();
        found.push(Move::of_piles(rule.player, changes, option));
        Ok(())
    }

    /// Returns the memory after a move that takes this number of coins.
    fn remembered(
        &self,
        memories: &Memories,
        rule: &MoveRule,
        taken: u64,
        names: &mut Evaluator<'_>,
    ) -> Result<Memory, Undefined> {
        let mut numbers: Vec<i128> =
            memories.values(self.position.memory().state()).map(i128::from).collect();
        if memories.has_last_move() {
            numbers[0] = taken.into();
        }
        for (place, number) in &rule.remembers {
            numbers[*place] = self.int(names, number)?;
        }
        let state = memories.state(&numbers).map_err(|place| {
            let Remembered { name, least, largest } = &memories.all()[place];
            let choice = self.choice(rule, names);
            let what = format!("{choice} would set `{name}` to {}", numbers[place]);
            let set = rule.remembers.iter().find(|(set, _)| *set == place);
            let span = set.map_or(rule.span, |(_, number)| number.span);
            let range = largest.map(|largest| format!("`{name}` is from {least} to {largest}"));
            self.fault(what, span, "here", range.as_deref())
        })?;
        Ok(Memory::Numbers(state, memories.clone()))
    }

    /// Returns an error unless the move lowers the list `falls` and stays in the table.
    fn check_fall(&self, rule: &MoveRule, names: &Evaluator<'_>, option: &Position) -> Done {
        let (law, text) = (self.law, self.text);
        let (from, to) = (self.position.coins(), option.coins());
        if law.within_total && to > from {
            let what = format!("{} makes {to} coins of {from}", self.choice(rule, names));
            let hint = "with `within: total` a move may move coins, but adds none";
            return Err(self.fault(what, rule.span, "this line", Some(hint)));
        }
        if law.falls.is_empty() {
            return Ok(());
        }
        let (before, after) = (falls(law, text, self.position)?, falls(law, text, option)?);
        if after < before {
            return Ok(());
        }
        let said = |all: &[i128]| all.iter().map(i128::to_string).collect::<Vec<_>>().join(", ");
        let what = format!(
            "{} does not lower `falls`, which is {} before it and {} after it",
            self.choice(rule, names),
            said(&before),
            said(&after)
        );
        let hint = "the first number of the list that a move changes must become smaller";
        Err(self.fault(what, rule.span, "this line", Some(hint)))
    }

    fn effect(
        &mut self,
        rule: &MoveRule,
        span: Span,
        pile: &Expr,
        change: &Change,
        names: &mut Evaluator<'_>,
        changed: &mut Vec<Changed>,
    ) -> Done {
        let number = self.int(names, pile)?;
        let place = usize::try_from(number).unwrap_or(0).wrapping_sub(1);
        let Some(&old) = self.piles.get(place) else {
            let what = format!("there is no pile {number}");
            let hint = "restrict the number of piles by `if`, as in `if k >= 2`";
            return Err(self.fault(what, span, "here", Some(hint)));
        };
        if changed.iter().any(|(before, ..)| *before == place) {
            let what = format!("two effects change pile {number}");
            let hint = "write one effect for the pile, or exclude equal piles by `if`";
            return Err(self.fault(what, span, "the second", Some(hint)));
        }
        let left = match change {
            Change::Less(e) => vec![i128::from(old).saturating_sub(self.int(names, e)?)],
            Change::Becomes(e) => vec![self.int(names, e)?],
            Change::Parts(all) => {
                let mut parts = Vec::with_capacity(all.len());
                for part in all {
                    match self.of(names, part)? {
                        Val::Int(number) => parts.push(number),
                        Val::List(list) => parts.extend(list),
                        other => unreachable!("wrong type after the type check: {other:?}"),
                    }
                }
                parts
            }
        };
        let is_sum = self.law.kind == Kind::Sum;
        // A list of many piles, empty ones included, takes as long as many choices.
        (1..left.len()).try_for_each(|_| self.step(span))?;
        let largest = self.piles.iter().copied().max().unwrap_or(0);
        let most = match is_sum {
            true => i128::from(old) - 1,
            false if self.law.within_total => self.position.coins().into(),
            false => largest.into(),
        };
        let mut new = Vec::new();
        for left in left {
            if left < 0 {
                let what = format!(
                    "{} would leave {left} coins in pile {number}",
                    self.choice(rule, names)
                );
                let hint = "end the range at the pile, as in `1..min(3, first)`; restrict a set by \
                            `if t <= first`";
                return Err(self.fault(what, span, "here", Some(hint)));
            }
            if left > most {
                let choice = self.choice(rule, names);
                let coins = if left == 1 { "coin" } else { "coins" };
                let what = format!("{choice} would make a pile of {left} {coins}");
                let hint = match is_sum {
                    true => "in a sum every new pile is smaller than the pile that it replaces",
                    false if self.law.within_total => "no pile has more coins than the position",
                    false => {
                        "no new pile may be larger than the largest pile of the position, unless \
                         a line says `within: total`"
                    }
                };
                return Err(self.fault(what, span, "here", Some(hint)));
            }
            if left > 0 || !matches!(change, Change::Parts(_)) {
                new.push(left as Pile);
            }
        }
        changed.push((place, old, new));
        Ok(())
    }

    fn of(&self, names: &mut Evaluator<'_>, expr: &Expr) -> Result<Val, Undefined> {
        match names.of(expr) {
            Ok(found) => Ok(found),
            Err(Fault { span, cause }) => {
                let restrict = "exclude this by an `if`; conditions without binders run first";
                let hint = hint(&cause, restrict);
                Err(self.fault(cause.to_string(), span, "this has no value at that position", hint))
            }
        }
    }

    fn int(&self, names: &mut Evaluator<'_>, expr: &Expr) -> Result<i128, Undefined> {
        match self.of(names, expr)? {
            Val::Int(number) => Ok(number),
            other => unreachable!("wrong type after the type check: {other:?}"),
        }
    }

    fn truth(&self, names: &mut Evaluator<'_>, expr: &Expr) -> Result<bool, Undefined> {
        match self.of(names, expr)? {
            Val::Bool(truth) => Ok(truth),
            other => unreachable!("wrong type after the type check: {other:?}"),
        }
    }

    /// Counts a choice; returns an error if there are too many.
    fn step(&mut self, span: Span) -> Done {
        self.steps += 1;
        self.stopped = self.steps.is_multiple_of(CHOICES_PER_LOOK) && !(self.more)();
        if self.steps <= MOST_STEPS && !self.stopped {
            return Ok(());
        }
        let what = format!("more than {MOST_STEPS} choices");
        Err(self.fault(what, span, "the limit is exceeded here", None))
    }

    /// Describes a choice: `the move t = 3`.
    fn choice(&self, rule: &MoveRule, names: &Evaluator<'_>) -> String {
        let shown: Vec<String> = rule
            .binders
            .iter()
            .filter_map(|binder| {
                let joined = |all: Vec<String>| all.join(",");
                Some(match names.names.get(binder.place)? {
                    Val::Int(number) => format!("{} = {number}", binder.name),
                    Val::Set(set) => {
                        let all = set.iter().map(i128::to_string).collect();
                        format!("{} = {{{}}}", binder.name, joined(all))
                    }
                    Val::List(list) => {
                        let all = list.iter().map(i128::to_string).collect();
                        format!("{} = ({})", binder.name, joined(all))
                    }
                    _ => return None,
                })
            })
            .collect();
        match shown.is_empty() {
            true => "the move".to_owned(),
            false => format!("the move {}", shown.join(", ")),
        }
    }

    fn fault(&self, what: String, span: Span, label: &str, hint: Option<&str>) -> Undefined {
        let position = self.position.to_string();
        let what = format!("{what} at the position {position}");
        let problem = Problem::new(what, span, label);
        let problem = match hint {
            Some(hint) => problem.hint(hint),
            None => problem,
        };
        Undefined { position, problem: Box::new(problem.of_line(self.text)), cause: None }
    }
}
