//! Reads what the theorem of small boxes needs to know of the moves of a game.
//!
//! Each line of the rules is tried at each position of a small box, with all numbers that a move
//! can leave. [`Tracker`] tells if the types of a cap and a modulus decide each condition. The
//! least cap and modulus that do are the result. The choices of a line are made as
//! `grundy_rules::law` makes them, but by separate code, because numbers keep their forms here.

use grundy_language::ast::{CompareOp, Expr, ExprKind, Function};
use grundy_rules::law::{Change, Choice, Kind, Law, MoveRule, Numbers};

use super::tracked::{Form, NoCells, Num, Tracked, Tracker, Val, Why, gcd};

/// The largest number that a choice between constants can take.
const MOST_TAKEN: i64 = 64;

/// The largest number of tuples of a box.
const MOST_TUPLES: u64 = 1 << 24;

/// The moves of one line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Moved {
    /// The most numbers that a choice of the line contains, even if no such choice is a move.
    begun: usize,
    /// The number of piles that are replaced by chosen numbers.
    pub(super) chosen: usize,
    /// The largest difference of constants that are added to piles.
    pub(super) shift: i64,
}

/// The properties of the moves of a game that the theorem uses.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    /// The least cap and modulus that decide the rules.
    pub(super) cap: i64,
    pub(super) modulus: i64,
    pub(super) forms: Vec<Moved>,
}

impl Reading {
    /// Reads the moves of positions with these numbers of piles.
    pub(super) fn of(law: &Law, lengths: &[usize], misere: bool) -> Result<Reading, String> {
        let mut all = Reading { cap: 1, modulus: 1, forms: Vec::new() };
        for &length in lengths {
            let admits = |tracker: &mut Tracker<'_>, _: &mut Moved| {
                law.admits.as_ref().map_or(Ok(true), |admits| tracker.truth(admits)).map(|_| ())
            };
            all.least(law, length, Moved::default(), false, &admits)?;
            for rule in &law.moves {
                let line = |tracker: &mut Tracker<'_>, form: &mut Moved| {
                    // Whether a position is valid has a pass of its own.
                    let is_valid = match law.admits.as_ref().map(|admits| tracker.truth(admits)) {
                        Some(Err(Why::Never(why))) => return Err(Why::Never(why)),
                        truth => truth != Some(Ok(false)),
                    };
                    match is_valid {
                        true => Line { rule, form, members: Vec::new() }.moves(tracker),
                        false => Ok(()),
                    }
                };
                let form = all.least(law, length, Moved::default(), misere, &line)?;
                all.forms.push(form);
            }
        }
        Ok(all)
    }

    /// Returns the box for a cap and a modulus.
    pub(super) fn box_of(&self, length: usize, cap: i64, modulus: i64) -> i64 {
        let k = length as i64;
        let one = |form: &Moved| {
            let (r, cap) = (form.chosen as i64, cap + form.shift);
            ((k + r) * (cap + modulus - 1)).max(k * ((r + 1) * (cap - 1) + modulus))
        };
        self.forms.iter().map(one).max().unwrap_or(k * (cap + modulus - 1))
    }

    /// Returns the largest difference of constants that a move adds to piles.
    pub(super) fn shift(&self) -> i64 {
        self.forms.iter().map(|form| form.shift).max().unwrap_or(0)
    }

    /// Returns the most chosen numbers of a move.
    pub(super) fn chosen(&self) -> usize {
        self.forms.iter().map(|form| form.chosen).max().unwrap_or(0)
    }

    /// Finds the least cap and modulus for which types decide a part of the rules, by a pass over
    /// all positions with a member of each type. The pass may find more chosen numbers or larger
    /// shifts; then it begins again.
    fn least(
        &mut self,
        law: &Law,
        length: usize,
        mut form: Moved,
        misere: bool,
        part: &dyn Fn(&mut Tracker<'_>, &mut Moved) -> Tracked<()>,
    ) -> Result<Moved, String> {
        let (mut cap, mut modulus) = (1, 1);
        'again: loop {
            let of_pass = if misere { cap } else { cap + form.shift };
            let most = (length + form.begun) as i64 * (of_pass + modulus - 1);
            let side = most as u64 + 1;
            let tuples = side.checked_pow((length + form.begun) as u32);
            if tuples.is_none_or(|tuples| tuples > MOST_TUPLES) {
                return Err("the rules have too many types to be read again".to_owned());
            }
            for place in 0..side.pow(length as u32) {
                let digit = |at| (place / side.pow((length - 1 - at) as u32) % side) as i64;
                let piles: Vec<i64> = (0..length).map(digit).collect();
                let is_valid = match law.kind {
                    Kind::Row => !piles.contains(&0),
                    Kind::Heaps => piles[0] > 0 && piles.is_sorted(),
                    _ => true,
                };
                if !is_valid {
                    continue;
                }
                let mut tracker = Tracker::new(&NoCells, &piles, of_pass, modulus);
                let mut found = form;
                let why = part(&mut tracker, &mut found);
                if found != form {
                    (form, cap, modulus) = (found, 1, 1);
                    continue 'again;
                }
                if tracker.quantified != (0, 0) {
                    return Err("a condition is about all numbers of a range".to_owned());
                }
                match why {
                    Ok(()) => continue,
                    Err(Why::Cap) => cap += 1,
                    Err(Why::Modulus(by)) => modulus = modulus / gcd(modulus, by) * by,
                    Err(Why::Never(why)) => return Err(why),
                }
                continue 'again;
            }
            let own = match misere {
                true => (form.chosen as i64 + 1) * (cap - 1) + 1,
                false => cap,
            };
            self.cap = self.cap.max(own);
            self.modulus = self.modulus / gcd(self.modulus, modulus) * modulus;
            return Ok(form);
        }
    }
}

/// A choice that is made, to be compared with its range.
struct Made<'a> {
    number: Num,
    numbers: &'a Numbers,
    /// The values of the names when the choice was made.
    names: Vec<Val>,
}

struct Line<'a> {
    rule: &'a MoveRule,
    form: &'a mut Moved,
    /// The sets of the `each` binders.
    members: Vec<Vec<i64>>,
}

/// Makes the next choices, after a number was chosen.
type GoOn<'a, 'f> =
    dyn FnMut(&mut Line<'a>, Num, &mut Tracker<'_>, &mut Vec<Made<'a>>) -> Tracked<()> + 'f;

impl<'a> Line<'a> {
    fn moves(mut self, tracker: &mut Tracker<'_>) -> Tracked<()> {
        let places = self.rule.binders.last().map_or(0, |binder| binder.place + 1);
        tracker.names = vec![Val::constant(0); places];
        // The other conditions matter only where a choice is in its range.
        let excludes = |condition: &Expr| tracker.truth(condition) == Ok(false);
        let is_excluded = self.rule.before.iter().any(excludes);
        tracker.quantified = (0, 0);
        if is_excluded {
            return Ok(());
        }
        tracker.names.clear();
        self.bind(0, tracker, &mut Vec::new())
    }

    fn bind(
        &mut self,
        at: usize,
        tracker: &mut Tracker<'_>,
        made: &mut Vec<Made<'a>>,
    ) -> Tracked<()> {
        let rule = self.rule;
        let Some(binder) = rule.binders.get(at) else { return self.act(tracker, made) };
        let mut number = |expr: &Expr| tracker.form(expr)?.as_constant().ok_or_else(no_constant);
        match &binder.of {
            Choice::Number(numbers) => {
                let place = binder.place;
                let is_it =
                    |e: &Expr| matches!(e.kind, ExprKind::Local(_, found) if found == place);
                self.choose(
                    numbers,
                    &is_it,
                    None,
                    tracker,
                    made,
                    &mut |line, num, tracker, made| {
                        tracker.names.push(Val::Num(num));
                        let done = line.bind(at + 1, tracker, made);
                        tracker.names.pop();
                        done
                    },
                )
            }
            Choice::Subset { from, to, least, most } => {
                let (from, to, least, most) =
                    (number(from)?, number(to)?, number(least)?, number(most)?);
                let size = usize::try_from(to - from + 1).unwrap_or(0).min(16);
                for bits in 0_u32..1 << size {
                    if (least..=most).contains(&i64::from(bits.count_ones())) {
                        let set = (0..size).filter(|at| bits >> at & 1 == 1);
                        let set = set.map(|at| Num::Form(Form::constant(from + at as i64)));
                        self.with_set(set.collect(), at, tracker, made)?;
                    }
                }
                Ok(())
            }
            Choice::Window { from, to, width, cyclic } => {
                let (from, to, width) = (number(from)?, number(to)?, number(width)?);
                let size = to - from + 1;
                if width < 1 || width > size {
                    return Ok(());
                }
                let starts = if *cyclic && width < size { size } else { size - width + 1 };
                for start in 0..starts {
                    let mut set: Vec<i64> =
                        (start..start + width).map(|x| from + x % size).collect();
                    set.sort_unstable();
                    let set = set.into_iter().map(|x| Num::Form(Form::constant(x)));
                    self.with_set(set.collect(), at, tracker, made)?;
                }
                Ok(())
            }
            Choice::Each { members, numbers, .. } => {
                let Val::List(all) = tracker.of(members)? else { return Err(no_constant()) };
                let constant = |num: Num| match num {
                    Num::Form(form) => form.as_constant().ok_or_else(no_constant),
                    _ => Err(no_constant()),
                };
                let all: Vec<i64> = all.into_iter().map(constant).collect::<Tracked<_>>()?;
                if all.iter().any(|member| !(1..=tracker.length as i64).contains(member)) {
                    return Err(Why::Never("chooses a number for no pile".to_owned()));
                }
                self.members.push(all);
                let list = vec![Num::Form(Form::constant(0)); tracker.length];
                let done = self.each(at, numbers, 0, list, tracker, made);
                self.members.pop();
                done
            }
        }
    }

    fn with_set(
        &mut self,
        set: Vec<Num>,
        at: usize,
        tracker: &mut Tracker<'_>,
        made: &mut Vec<Made<'a>>,
    ) -> Tracked<()> {
        tracker.names.push(Val::List(set));
        let done = self.bind(at + 1, tracker, made);
        tracker.names.pop();
        done
    }

    /// Chooses a number for each member from `next` on.
    fn each(
        &mut self,
        at: usize,
        numbers: &'a Numbers,
        next: usize,
        list: Vec<Num>,
        tracker: &mut Tracker<'_>,
        made: &mut Vec<Made<'a>>,
    ) -> Tracked<()> {
        let all = &self.members[self.members.len() - 1];
        let Some(&member) = all.get(next) else {
            tracker.names.extend([Val::constant(0), Val::List(list)]);
            let done = self.bind(at + 1, tracker, made);
            tracker.names.truncate(tracker.names.len() - 2);
            return done;
        };
        let place = self.rule.binders[at].place;
        let is_it = |e: &Expr| match &e.kind {
            ExprKind::Index(list, _) => matches!(list.kind, ExprKind::Local(_, p) if p == place),
            _ => false,
        };
        tracker.names.push(Val::constant(member));
        let done = self.choose(
            numbers,
            &is_it,
            Some(member),
            tracker,
            made,
            &mut |line, num, tracker, made| {
                let name = tracker.names.pop();
                let mut list = list.clone();
                list[member as usize - 1] = num;
                let done = line.each(at, numbers, next + 1, list, tracker, made);
                tracker.names.extend(name);
                done
            },
        );
        tracker.names.pop();
        done
    }

    /// Chooses a number: all constants of a range with a constant end, or else a new point.
    fn choose(
        &mut self,
        numbers: &'a Numbers,
        is_it: &dyn Fn(&Expr) -> bool,
        member: Option<i64>,
        tracker: &mut Tracker<'_>,
        made: &mut Vec<Made<'a>>,
        go_on: &mut GoOn<'a, '_>,
    ) -> Tracked<()> {
        let mut with =
            |line: &mut Self, num: Num, tracker: &mut Tracker<'_>, made: &mut Vec<Made<'a>>| {
                made.push(Made { number: num.clone(), numbers, names: tracker.names.clone() });
                let done = go_on(line, num, tracker, made);
                made.pop();
                done
            };
        if let Some(all) = constants(numbers, tracker)? {
            for number in all {
                with(self, Num::Form(Form::constant(number)), tracker, made)?;
            }
            return Ok(());
        }
        let Some((pile, lowers)) = self.target(is_it, member, tracker)? else {
            return Err(Why::Never("chooses a number that no pile loses or keeps".to_owned()));
        };
        let point = tracker.points.len();
        if point >= tracker.length + self.form.begun {
            self.form.begun = point + 1 - tracker.length;
            return Ok(());
        }
        let most = (tracker.length + self.form.begun) as i64 * (tracker.cap + tracker.modulus - 1);
        for left in 0..=most {
            tracker.points.push(left);
            let form = match lowers {
                true => Form::point(pile).plus(-1, &Form::point(point))?,
                false => Form::point(point),
            };
            let done = with(self, Num::Form(form), tracker, made);
            tracker.points.pop();
            done?;
        }
        Ok(())
    }

    /// Returns the pile that loses the chosen number (true), or becomes it (false).
    fn target(
        &self,
        is_it: &dyn Fn(&Expr) -> bool,
        member: Option<i64>,
        tracker: &mut Tracker<'_>,
    ) -> Tracked<Option<(usize, bool)>> {
        for effect in &self.rule.effects {
            let lowers = match &effect.change {
                Change::Less(e) if is_it(e) => true,
                Change::Becomes(e) if is_it(e) => false,
                _ => continue,
            };
            let pile = match (effect.over, member) {
                (Some(_), Some(member)) => member,
                (Some(_), None) => continue,
                (None, _) => tracker.form(&effect.pile)?.as_constant().ok_or_else(no_constant)?,
            };
            return Ok(Some((place_of(pile, tracker)?, lowers)));
        }
        Ok(None)
    }

    fn act(&mut self, tracker: &mut Tracker<'_>, made: &[Made<'a>]) -> Tracked<()> {
        let mut changed: Vec<(usize, Form)> = Vec::new();
        let mut effect = |pile: &Expr, change: &Change, tracker: &mut Tracker<'_>| -> Tracked<()> {
            let pile = tracker.form(pile)?.as_constant().ok_or_else(no_constant)?;
            let pile = place_of(pile, tracker)?;
            let new = match change {
                Change::Becomes(e) => tracker.form(e)?,
                Change::Less(e) => Form::point(pile).plus(-1, &tracker.form(e)?)?,
                Change::Parts(_) => return Err(Why::Never("splits piles".to_owned())),
            };
            changed.push((pile, new));
            Ok(())
        };
        let each: Vec<usize> = self
            .rule
            .binders
            .iter()
            .filter_map(|binder| match binder.of {
                Choice::Each { .. } => Some(binder.place - 1),
                _ => None,
            })
            .collect();
        for one in &self.rule.effects {
            let Some(member) = one.over else {
                effect(&one.pile, &one.change, tracker)?;
                continue;
            };
            let which = each.iter().position(|place| *place == member).unwrap_or(0);
            for &number in &self.members[which] {
                tracker.names[member] = Val::constant(number);
                effect(&one.pile, &one.change, tracker)?;
            }
            tracker.names[member] = Val::constant(0);
        }
        let (mut least, mut most) = (0, 0);
        for (_, new) in &changed {
            let Some(shift) = new.shift() else {
                let why = "takes the same number from several piles, or leaves a sum of piles";
                return Err(Why::Never(why.to_owned()));
            };
            (least, most) = (least.min(shift), most.max(shift));
        }
        // One part that is false at all positions of the type is enough, whatever the others are.
        let (names, quantified) = (tracker.names.clone(), tracker.quantified);
        let mut parts: Vec<Tracked<bool>> = Vec::new();
        for one in made {
            tracker.names.clone_from(&one.names);
            parts.extend(is_within(one, tracker));
        }
        tracker.names = names;
        let conditions = self.rule.before.iter().chain(&self.rule.after);
        parts.extend(conditions.map(|condition| tracker.truth(condition)));
        if parts.contains(&Ok(false)) {
            tracker.quantified = quantified;
            return Ok(());
        }
        self.form.chosen = self.form.chosen.max(tracker.points.len() - tracker.length);
        if let Some(why) = parts.into_iter().find_map(Tracked::err) {
            return Err(why);
        }
        let num = |form: &Form| Num::Form(*form);
        let mut is_same = true;
        for (pile, new) in &changed {
            let old = num(&Form::point(*pile));
            is_same &= tracker.compare(&num(new), CompareOp::Equal, &old)?;
            if !tracker.compare(&num(new), CompareOp::LessEqual, &old)?
                || !tracker.compare(
                    &num(new),
                    CompareOp::GreaterEqual,
                    &Num::Form(Form::constant(0)),
                )?
            {
                return Err(Why::Never("may make a pile larger, or less than 0".to_owned()));
            }
        }
        if !is_same {
            self.form.shift = self.form.shift.max(most - least);
        }
        Ok(())
    }
}

fn no_constant() -> Why {
    Why::Never("chooses piles by the sizes of piles".to_owned())
}

fn place_of(pile: i64, tracker: &Tracker<'_>) -> Tracked<usize> {
    match (1..=tracker.length as i64).contains(&pile) {
        true => Ok(pile as usize - 1),
        false => Err(Why::Never("changes a pile that does not exist".to_owned())),
    }
}

/// Returns the arguments of a minimum or maximum, or else the expression.
fn parts(expr: &Expr, function: Function) -> &[Expr] {
    match &expr.kind {
        ExprKind::Call(called, all) if *called == function => all,
        _ => std::slice::from_ref(expr),
    }
}

/// Returns the numbers of a set of constants, or of a range that ends at a constant.
fn constants(numbers: &Numbers, tracker: &mut Tracker<'_>) -> Tracked<Option<Vec<i64>>> {
    let mut bound = |expr: &Expr, function| -> Tracked<Option<i64>> {
        let mut least = None;
        for part in parts(expr, function) {
            let constant = tracker.form(part)?.as_constant();
            least = [least, constant].into_iter().flatten().min();
        }
        Ok(least)
    };
    match numbers {
        Numbers::Range(from, to) => {
            let ends = bound(from, Function::Max)?.zip(bound(to, Function::Min)?);
            Ok(ends
                .filter(|(from, to)| *from >= 0 && *to <= MOST_TAKEN)
                .map(|(from, to)| (from..=to).collect()))
        }
        Numbers::Set(set) => {
            let (Val::List(all) | Val::Set(all)) = tracker.of(set)? else { return Ok(None) };
            let constant = |num: Num| match num {
                Num::Form(form) => form.as_constant(),
                _ => None,
            };
            Ok(all.into_iter().map(constant).collect())
        }
    }
}

/// Compares a number with the parts of its range.
fn is_within(made: &Made<'_>, tracker: &mut Tracker<'_>) -> Vec<Tracked<bool>> {
    match made.numbers {
        Numbers::Range(from, to) => {
            let ends = parts(from, Function::Max).iter().map(|end| (end, CompareOp::LessEqual));
            let more = parts(to, Function::Min).iter().map(|end| (end, CompareOp::GreaterEqual));
            let compare = |(end, op)| {
                let end = tracker.num(end)?;
                tracker.compare(&end, op, &made.number)
            };
            ends.chain(more).map(compare).collect()
        }
        Numbers::Set(set) => {
            let mut is_member = || {
                let (Val::List(all) | Val::Set(all)) = tracker.of(set)? else { return Ok(false) };
                let mut found = false;
                for member in &all {
                    found = found || tracker.compare(&made.number, CompareOp::Equal, member)?;
                }
                Ok(found)
            };
            vec![is_member()]
        }
    }
}
