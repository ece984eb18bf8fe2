//! Reads the class of moves of a game from its resolved rules.
//!
//! A move chooses a line of the rules, and numbers. A number of a range without a constant end is
//! a new point: the number of coins that the move leaves in a pile. Numbers of a constant range are
//! tried one by one, so each is a form of moves of its own. All conditions must be comparisons that
//! types decide, and each new pile must be a point plus a constant, at most as large as the old
//! one.

use std::collections::BTreeSet;

use grundy_language::ast::{BinaryOp, Builtin, CompareOp, Expr, ExprKind, Function};
use grundy_rules::law::{Change, Kind, Law, Numbers, Plain};
use grundy_rules::{Game, Remembers, rulesets};

use super::Refusal;
use super::order::{Linear, Order, lcm};
use super::reader::{Needs, Num, Reader, Val};

/// The largest number that a move of a constant range may take.
const MOST_TAKEN: i128 = 64;

/// The moves of a game, as the theorem of small boxes needs them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves {
    /// The numbers of piles up to the length of the theorem, in ascending order.
    pub lengths: Vec<usize>,
    /// The least cap and modulus that decide all conditions.
    pub cap: i128,
    /// See `cap`.
    pub modulus: i128,
    /// The number of chosen numbers, and the largest difference of constants added to piles, for
    /// each form of moves.
    forms: Vec<(usize, i128)>,
    /// The number of piles of the longest position.
    length: usize,
}

impl Moves {
    /// Returns the moves of positions of up to `length` piles.
    ///
    /// # Errors
    /// [`Refusal`] names the part of the rules that is no comparison of two piles.
    pub fn of(game: Game, length: usize) -> Result<Moves, Refusal> {
        let refuse = |why: &str| Err(Refusal(format!("{game} {why}")));
        if game.remembers() != Remembers::Nothing {
            return refuse("remembers moves, and types compare only piles");
        }
        if game.remoteness_of().is_some() || game.outcomes_of().is_some() {
            return refuse("is a form whose values do not follow by mex");
        }
        let Some(law) = law_of(game) else { return refuse("has no rule file") };
        if law.blocks > 0 {
            return refuse("lets a player forbid options, and types do not count options");
        }
        if !law.only_takes() {
            return refuse("has `falls` or `within`, and types need moves that take coins");
        }
        if law.kind == Kind::Sum {
            return refuse("is a sum, whose piles are separate games");
        }
        if !law.lengths.contains(&length) {
            return refuse(&format!("has no positions of {length} piles"));
        }
        let lengths: Vec<usize> = match law.kind {
            Kind::Places => vec![length],
            _ => (*law.lengths.start()..=length).collect(),
        };
        let mut all = Moves { lengths, cap: 1, modulus: 1, forms: Vec::new(), length };
        for &length in &all.lengths.clone() {
            all.read(law, length, game.terminal_value() == 1).map_err(|Refusal(why)| {
                Refusal(format!("the rules of {game} are no comparisons of two piles: {why}"))
            })?;
        }
        all.forms.sort_unstable();
        all.forms.dedup();
        Ok(all)
    }

    /// Returns the largest number of chosen numbers.
    pub fn chosen(&self) -> usize {
        self.forms.iter().map(|(chosen, _)| *chosen).max().unwrap_or(0)
    }

    /// Returns the largest difference of constants that a move adds to piles.
    pub fn shift(&self) -> i128 {
        self.forms.iter().map(|(_, shift)| *shift).max().unwrap_or(0)
    }

    /// Returns the box for a cap and a modulus: if classes are unions of types in the box, and are
    /// the value classes there, then they are the value classes for piles of all sizes.
    pub fn box_of(&self, cap: i128, modulus: i128) -> i128 {
        let k = self.length as i128;
        let of = |&(chosen, shift): &(usize, i128)| {
            let (r, cap) = (chosen as i128, cap + shift);
            ((k + r) * (cap + modulus - 1)).max(k * ((r + 1) * (cap - 1) + modulus))
        };
        self.forms.iter().map(of).max().unwrap_or(k * (cap + modulus - 1))
    }

    fn read(&mut self, law: &Law, length: usize, misere: bool) -> Result<(), Refusal> {
        let Some(lines) = law.at(length) else {
            return Err(Refusal("the changed pile depends on the piles".to_owned()));
        };
        let (orders, admits) = orders(law, length)?;
        self.add(admits.cap, admits.modulus);
        for line in &lines {
            let used = used_piles(line, length);
            let parts: BTreeSet<Order> =
                orders.iter().map(|order| order.of_points(&used)).collect();
            for order in parts {
                let mut reader = Reader::new(length, order);
                // Names inside conditions have the places behind the choices.
                reader.names = vec![number(Linear::constant(0)); line.binders.len()];
                Form { moves: self, line, misere, chosen: 0 }.bind(0, reader)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, cap: i128, modulus: i128) {
        self.cap = self.cap.max(cap);
        self.modulus = lcm(self.modulus, modulus);
    }
}

/// Returns the resolved rules of a game, or of the game of which it is the misère form.
pub(super) fn law_of(game: Game) -> Option<&'static Law> {
    let named = game.misere_of().unwrap_or(game);
    named.rules().law().or_else(|| rulesets::game(named.id())?.rules().law())
}

/// Returns which piles a line reads or changes.
fn used_piles(line: &Plain, length: usize) -> Vec<bool> {
    let mut used = vec![false; length];
    line.effects.iter().for_each(|(pile, _)| used[*pile] = true);
    let mut look = |expr: &Expr| {
        let mut all = vec![expr];
        while let Some(expr) = all.pop() {
            match expr.kind {
                ExprKind::Builtin(Builtin::Pile(number)) if number <= length => {
                    used[number - 1] = true;
                }
                ExprKind::Builtin(_) => used.fill(true),
                _ => expr.each_child(&mut |child| all.push(child)),
            }
        }
    };
    line.before.iter().chain(&line.after).for_each(&mut look);
    for numbers in &line.binders {
        match numbers {
            Numbers::Range(from, to) => [from, to].into_iter().for_each(&mut look),
            Numbers::Set(set) => look(set),
        }
    }
    for (_, change) in &line.effects {
        match change {
            Change::Less(e) | Change::Becomes(e) => look(e),
            Change::Parts(all) => all.iter().for_each(&mut look),
        }
    }
    used
}

fn number(of: Linear) -> Val {
    Val::Cases(vec![Num::Linear(of)])
}

/// Returns the orders of the piles that positions may have, and what their condition needs.
fn orders(law: &Law, length: usize) -> Result<(Vec<Order>, Needs), Refusal> {
    let mut all = vec![Order::default()];
    for at in 0..length {
        let is_valid = |order: &Order| match law.kind {
            Kind::Places => true,
            Kind::Heaps if at > 0 => order.block[at] >= order.block[at - 1],
            _ => order.block[at] > 0,
        };
        let longer = all.iter().flat_map(Order::extensions).filter(is_valid);
        all = longer.take(MOST_ORDERS + 1).collect();
        if all.len() > MOST_ORDERS {
            return Err(Refusal(format!("{length} piles have too many orders")));
        }
    }
    let mut needs = Needs::default();
    let Some(admits) = &law.admits else { return Ok((all, needs)) };
    let mut kept = Vec::new();
    for order in all {
        let mut reader = Reader::new(length, order.clone());
        if reader.truth(admits)? != Some(false) {
            no_quantified(&reader)?;
            needs.cap = needs.cap.max(reader.needs.cap);
            needs.modulus = lcm(needs.modulus, reader.needs.modulus);
            kept.push(order);
        }
    }
    Ok((kept, needs))
}

/// Refuses rules that quantify numbers, because the box of the moves has no room for them.
fn no_quantified(reader: &Reader<'_>) -> Result<(), Refusal> {
    match reader.needs.universal + reader.needs.existential {
        0 => Ok(()),
        _ => Err(Refusal("a condition is about all numbers of a range".to_owned())),
    }
}

/// The largest number of orders of the piles of a position.
const MOST_ORDERS: usize = 1 << 13;

/// Returns the orders of the piles of all positions of a game, and what their condition needs.
pub(super) fn orders_of(game: Game, length: usize) -> Result<(Vec<Order>, Needs), Refusal> {
    let Some(law) = law_of(game) else { return Err(Refusal(format!("{game} has no rule file"))) };
    orders(law, length)
}

struct Form<'a> {
    moves: &'a mut Moves,
    line: &'a Plain,
    misere: bool,
    chosen: usize,
}

impl Form<'_> {
    /// Tries all numbers of the binder `at` and of later binders.
    fn bind(&mut self, at: usize, mut reader: Reader<'_>) -> Result<(), Refusal> {
        let Some(numbers) = self.line.binders.get(at) else { return self.act(reader) };
        if let Some(all) = taken(numbers) {
            for taken in all {
                let mut reader = reader.clone();
                reader.names[at] = number(Linear::constant(taken));
                if self.is_within(at, &mut reader)? {
                    self.bind(at + 1, reader)?;
                }
            }
            return Ok(());
        }
        let is_it = |expr: &Expr| matches!(expr.kind, ExprKind::Local(_, place) if place == at);
        let target = self.line.effects.iter().find_map(|(pile, change)| match change {
            Change::Less(e) if is_it(e) => Some((*pile, true)),
            Change::Becomes(e) if is_it(e) => Some((*pile, false)),
            _ => None,
        });
        let Some((pile, lowers)) = target else {
            return Err(Refusal(
                "a choice is not the number of coins that a pile loses or keeps".to_owned(),
            ));
        };
        let point = reader.order.block.len();
        let left = Linear::point(point);
        let chosen =
            if lowers { Linear::point(pile).plus(-1, &left).unwrap_or_default() } else { left };
        let order = reader.order.clone();
        self.chosen += 1;
        for order in order.extensions() {
            reader.order = order;
            reader.names[at] = number(chosen.clone());
            let mut reader = reader.clone();
            if self.is_within(at, &mut reader)? {
                self.bind(at + 1, reader)?;
            }
        }
        self.chosen -= 1;
        Ok(())
    }

    /// Returns false if the number of a binder is never in its range.
    fn is_within(&self, at: usize, reader: &mut Reader<'_>) -> Result<bool, Refusal> {
        let Val::Cases(chosen) = reader.names[at].clone() else { return Ok(true) };
        // Names inside the range or the set take the places from `at` on.
        let later = reader.names.split_off(at);
        let truth = self.within(at, &chosen, reader);
        reader.names.extend(later);
        Ok(truth? != Some(false))
    }

    fn within(
        &self,
        at: usize,
        chosen: &[Num],
        reader: &mut Reader<'_>,
    ) -> Result<Option<bool>, Refusal> {
        Ok(match &self.line.binders[at] {
            Numbers::Range(from, to) => {
                let mut truth = Some(true);
                let ends = parts(from, Function::Max).map(|end| (end, CompareOp::LessEqual));
                let more = parts(to, Function::Min).map(|end| (end, CompareOp::GreaterEqual));
                for (end, op) in ends.chain(more) {
                    let end = reader.cases(end)?;
                    match reader.all_pairs(&end, op, chosen, "the range of a choice")? {
                        Some(false) => return Ok(Some(false)),
                        found => truth = truth.and(found),
                    }
                }
                truth
            }
            Numbers::Set(set) => {
                let set = reader.of(set)?;
                let chosen = Val::Cases(chosen.to_vec());
                reader.compare(CompareOp::In, &chosen, &set, "the set of a choice")?
            }
        })
    }

    fn act(&mut self, mut reader: Reader<'_>) -> Result<(), Refusal> {
        for condition in self.line.before.iter().chain(&self.line.after) {
            if reader.truth(condition)? == Some(false) {
                return Ok(());
            }
        }
        no_quantified(&reader)?;
        let (mut least, mut most) = (0, 0);
        for (pile, change) in &self.line.effects {
            let old = Linear::point(*pile);
            let (new, expr) = match change {
                Change::Becomes(e) => (reader.cases(e)?, e),
                Change::Less(e) => {
                    let old = [Num::Linear(old.clone())];
                    let less = reader.cases(e)?;
                    (reader.pairs(BinaryOp::Sub, &old, &less, e)?, e)
                }
                Change::Parts(_) => return Err(Refusal("piles are split".to_owned())),
            };
            for case in new {
                let Num::Linear(new) = case else {
                    return Err(Refusal(format!("`{expr}` changes a pile by no comparison")));
                };
                let Some((_, shift)) = new.as_point() else {
                    return Err(Refusal(format!(
                        "`{expr}` takes the same number from several piles, or leaves a sum of piles"
                    )));
                };
                if reader.decides(&new, CompareOp::LessEqual, &old, expr)? != Some(true) {
                    return Err(Refusal(format!("`{expr}` may make a pile larger")));
                }
                (least, most) = (least.min(shift), most.max(shift));
            }
        }
        let (cap, shift) = (reader.needs.cap, most - least);
        // In misère play, the positions without moves are a class of their own.
        let decided =
            if self.misere { (self.chosen as i128 + 1) * (cap - 1) + 1 } else { cap - shift };
        self.moves.add(decided, reader.needs.modulus);
        let form = (self.chosen, shift);
        if !self.moves.forms.contains(&form) {
            self.moves.forms.push(form);
        }
        Ok(())
    }
}

/// Returns the arguments of a minimum or maximum, or else the expression itself.
fn parts(expr: &Expr, function: Function) -> impl Iterator<Item = &Expr> {
    match &expr.kind {
        ExprKind::Call(called, all) if *called == function => all.iter(),
        _ => std::slice::from_ref(expr).iter(),
    }
}

/// Returns the numbers of a choice, if their range has a constant end.
fn taken(of: &Numbers) -> Option<Vec<i128>> {
    let constant = |expr: &Expr| match expr.kind {
        ExprKind::Int(number) => Some(number),
        _ => None,
    };
    let bound = |expr, function| parts(expr, function).filter_map(constant).min();
    match of {
        Numbers::Range(from, to) => {
            let (from, to) = (bound(from, Function::Max)?, bound(to, Function::Min)?);
            (from >= 0 && to <= MOST_TAKEN).then(|| (from..=to).collect())
        }
        Numbers::Set(set) => match &set.kind {
            ExprKind::Set(all) => {
                let all: Vec<i128> = all.iter().map(constant).collect::<Option<_>>()?;
                all.iter().all(|taken| (0..=MOST_TAKEN).contains(taken)).then_some(all)
            }
            _ => None,
        },
    }
}
