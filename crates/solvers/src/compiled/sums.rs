//! Finds the moves of a single pile of a sum, for the kernel.
//!
//! The moves come from the digits of an octal code, or from lines of two forms. A line of the first
//! form leaves one pile, n - e, where e depends only on the chosen number. A line of the second
//! form leaves two piles, a and n - e - a, for all a up to half of n - e.
//!
//! The value of a position follows from the values of its piles. The values of piles are read from
//! a table, or filled together up to the largest pile.

use std::collections::HashMap;
use std::iter;
use std::sync::{Arc, Mutex, PoisonError};

use grundy_kernels::shapes::{Leaving, Splits};
use grundy_kernels::{Compiler, Isa};
use grundy_language::ast::{BinaryOp, Builtin, CompareOp, ExprKind};
use grundy_language::{Evaluator, Expr, Val};
use grundy_rules::law::{At, Change, Law, Numbers, Plain};
use grundy_rules::{Game, Pile, Position, Table};
use grundy_sweep::cost::price;

use super::recognise::least_of;
use super::{RuleGames, Way, way};
use crate::answer::{Answer, Answers, Effort, Env, Limit, Reply, SolveError, Source, named};
use crate::fill::{FillError, Means};
use crate::generic::cells_of;
use crate::solver::{Solver, row_one_by_one};

/// The maximum number of moves. Listing more would take long.
const MOST: usize = 1 << 17;

/// The maximum number of chosen numbers to visit, without conditions on them and with conditions.
/// Visiting this many takes about a second.
const MOST_VISITED: usize = 1 << 24;
const MOST_TOLD: usize = 1 << 21;

/// Returns about the time to fill the piles of 1, ..., `largest` coins.
pub(super) fn seconds(splits: &Splits, largest: usize) -> f64 {
    let piles = largest as f64;
    let pairs = splits.work(Compiler::new(Isa::best()), largest);
    // Many moves share a row of bits. If a move can lower a pile to any smaller pile, all smaller
    // values are visited.
    let left = splits.leaving.len().min(16 + largest / 256) as f64;
    let left = left + if splits.lowers_any { piles / 2.0 } else { 0.0 };
    pairs * price::RULE_PAIR + piles * (price::RULE_PILE + left * price::RULE_LEFT)
}

/// Returns the moves of piles of up to `largest` coins; `None` if a line has neither form.
pub(super) fn splits(law: &Law, largest: usize) -> Option<Splits> {
    let mut splits = Splits::default();
    if let Some(code) = &law.code {
        let of = |(taken, digit): (usize, &u8)| {
            let bit = |bit: u8| digit >> bit & 1 == 1;
            let (nothing, one, two) = (bit(0), bit(1), bit(2));
            Leaving { taken, nothing, one, two, ..Leaving::default() }
        };
        splits.leaving = code.iter().enumerate().map(of).collect();
        return Some(splits);
    }
    for plain in law.at(1)? {
        let [(0, Change::Parts(parts))] = &plain.effects[..] else { return None };
        match &parts[..] {
            [one] => lowered(&plain, one, largest, &mut splits)?,
            [part, other] => split(&plain, part, other, &mut splits)?,
            _ => return None,
        }
    }
    (splits.leaving.len() <= MOST).then_some(splits)
}

/// The minimum number of values to fill together, and the maximum number to cache.
const LEAST: Pile = 1 << 10;
const MOST_KEPT: Pile = 1 << 22;

/// The cached values of single piles, from pile 0 on. The key is the id of the game.
type Kept = HashMap<&'static str, Arc<Vec<u32>>>;

/// Returns the answer for a position, whose value is the nim-sum of the values of its piles.
pub(super) fn answer(game: Game, position: &Position, env: &Env<'_>) -> Reply<Answer> {
    let mut value = 0;
    let (mut read, mut filled) = (false, None);
    for &pile in position.piles() {
        let stored = match env.holder(game, &[pile]) {
            Some(stored) => stored.cell_of(&game.position(&[pile]))?,
            None => None,
        };
        read |= stored.is_some();
        value ^= match stored {
            Some(value) => value,
            None => {
                if filled.is_none() {
                    filled = Some(values(game, position, env)?);
                }
                filled.as_ref().map_or(0, |values| values[pile as usize])
            }
        };
    }
    let source = match (read, filled.is_some()) {
        (true, true) => Source::TableAndComputed,
        (true, false) => Source::Table,
        _ => Source::Computed,
    };
    Ok(Answer::of_value(value, source))
}

/// Returns the answers for the last piles of a row. Without a table, fills the values once.
pub(super) fn row(game: Game, word: &[Pile], last: Pile, env: &Env<'_>) -> Reply<Answers> {
    let piles = [word, &[last]].concat();
    if game.excludes() || piles.iter().all(|&pile| env.holder(game, &[pile]).is_some()) {
        return row_one_by_one(&RuleGames, game, word, last, env);
    }
    let values = values(game, &game.position(&piles), env)?;
    let beside = word.iter().fold(0, |sum, &pile| sum ^ values[pile as usize]);
    let answer = |pile| Answer::of_value(beside ^ values[pile as usize], Source::Computed);
    Ok((game.order().least_pile()..=last).map(|pile| Some(answer(pile))).collect())
}

/// Returns the values of single piles from 0 to at least the largest pile of a position.
fn values(game: Game, position: &Position, env: &Env<'_>) -> Reply<Arc<Vec<u32>>> {
    // The cache is global, because an `Env` lives only for one question.
    static KEPT: Mutex<Option<Kept>> = Mutex::new(None);
    // Without a kernel, moves may be undefined for larger piles, so do not fill larger piles.
    let has_shape = matches!(*way(game, LEAST, 1), Way::Sum(..));
    let largest = position.max_pile().max(if has_shape { LEAST } else { 1 });
    // One thread computes the values. Other threads wait here, and then find them in the cache.
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = kept.get_or_insert_default();
    if let Some(known) = kept.get(game.id()).filter(|known| known.len() > largest as usize) {
        return Ok(known.clone());
    }
    let prepared = |largest: Pile| {
        let table = Table::new(game, largest, 1).map_err(|e| SolveError::Store(Box::new(e)))?;
        let needs = RuleGames.needs(&table, &Means::one_thread(env.limits.memory));
        let memory = needs.memory.saturating_add(8 * u64::from(largest));
        let work = Effort { cells: f64::from(largest), seconds: needs.seconds, memory };
        work.check(position.piles(), env.limits)?;
        Ok((table, needs, memory, largest))
    };
    // Positions often come in ascending order, so fill more than this one needs if others came.
    let known = kept.get(game.id()).filter(|_| has_shape).map_or(0, |known| known.len() as Pile);
    // The larger size must have a kernel, too.
    let more = largest.max(known.saturating_add(known / 8));
    let more = if matches!(*way(game, more, 1), Way::Sum(..)) { more } else { largest };
    let ready = prepared(more);
    let (table, needs, memory, largest) = ready.or_else(|_: SolveError| prepared(largest))?;
    let begun = (env.clock)();
    let made = cells_of(&RuleGames, &table, &needs, env, env.limits.seconds);
    let mut values = made.map_err(|error| match (error, (env.clock)() - begun) {
        (FillError::Stopped(_), seconds) if seconds > env.limits.seconds => {
            let (position, states) = (named(position.piles()), largest.into());
            SolveError::Unfinished { position, states, seconds, memory, limit: Limit::Seconds }
        }
        (error, _) => error.into(),
    })?;
    values.insert(0, 0);
    let values = Arc::new(values);
    if largest <= MOST_KEPT {
        kept.insert(game.id(), values.clone());
    }
    Ok(values)
}

fn is_pile(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Builtin(Builtin::Pile(1) | Builtin::First | Builtin::Last))
}

fn speaks_of_pile(expr: &Expr) -> bool {
    let mut found = matches!(expr.kind, ExprKind::Builtin(_));
    expr.each_child(&mut |child| found = found || speaks_of_pile(child));
    found
}

fn is_binder(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Local(_, 0))
}

/// Returns the expression e of `n - e`.
fn less(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Sub, pile, less) if is_pile(pile) => Some(less),
        _ => None,
    }
}

/// Returns the number c of a condition `n >= c`.
fn least_pile(condition: &Expr) -> Option<usize> {
    least_of(condition).filter(|(op, ..)| *op != CompareOp::Equal).map(|(.., least)| least)
}

/// Adds a line that leaves one pile, n - e.
fn lowered(plain: &Plain, left: &Expr, largest: usize, splits: &mut Splits) -> Option<()> {
    let taken = less(left).filter(|taken| !speaks_of_pile(taken))?;
    let mut told: Vec<&Expr> = Vec::new();
    let mut least = 0;
    // True if no choice takes more coins than the pile has.
    let mut is_safe = false;
    for condition in plain.before.iter().chain(&plain.after) {
        match &condition.kind {
            ExprKind::Compare(less, rest) if matches!(&rest[..], [(CompareOp::LessEqual, pile)] if is_pile(pile) && **less == *taken) =>
            {
                is_safe = true;
            }
            _ if speaks_of_pile(condition) => least = least.max(least_pile(condition)?),
            _ => told.push(condition),
        }
    }
    let here = At::new(&[]);
    let mut evaluator = Evaluator::new(&here);
    // Without a chosen number, the loop runs once.
    let mut numbers: Box<dyn Iterator<Item = usize>> = Box::new(iter::once(0));
    let mut is_cut = false;
    // True if the chosen number is at most the pile.
    let mut by_pile = false;
    if let [Numbers::Set(set)] = &plain.binders[..] {
        let set = evaluator.of(Some(set).filter(|set| !speaks_of_pile(set))?).ok()?;
        let members: Vec<i128> = match set {
            Val::Set(set) => set.into_iter().collect(),
            Val::List(list) => list,
            _ => return None,
        };
        let members: Vec<usize> =
            members.into_iter().map(usize::try_from).collect::<Result<_, _>>().ok()?;
        numbers = Box::new(members.into_iter());
    } else if let [Numbers::Range(from, to)] = &plain.binders[..] {
        let first = Some(from).filter(|e| !speaks_of_pile(e))?;
        let first = usize::try_from(evaluator.int(first).ok()?).ok()?;
        let bounds = match &to.kind {
            ExprKind::Call(grundy_language::ast::Function::Min, all) => all.iter().collect(),
            _ => vec![to],
        };
        let mut last = usize::MAX;
        for bound in bounds {
            if is_pile(bound) {
                // Since t <= n, a pile that loses t coins never becomes negative.
                by_pile = true;
                is_safe |= is_binder(taken);
            } else {
                let bound = Some(bound).filter(|e| !speaks_of_pile(e))?;
                last = last.min(usize::try_from(evaluator.int(bound).ok()?).ok()?);
            }
        }
        if is_binder(taken)
            && told.is_empty()
            && is_safe
            && first == 1
            && last == usize::MAX
            && least <= 1
        {
            splits.lowers_any = true;
            return Some(());
        }
        // These piles allow no larger number, or at least cannot lose that many coins.
        is_cut = last > largest && (by_pile || is_binder(taken));
        let last = if is_cut { largest } else { last };
        let most = if told.is_empty() { MOST_VISITED } else { MOST_TOLD };
        if last.saturating_sub(first) >= most {
            return None;
        }
        numbers = Box::new(first..=last);
    } else if !plain.binders.is_empty() {
        return None;
    }
    splits.is_cut |= is_cut;
    let mut most = 0;
    for number in numbers {
        evaluator.names = vec![Val::Int(number as i128)];
        let mut holds = true;
        for condition in &told {
            holds &= evaluator.truth(condition).ok()?;
        }
        let taken = usize::try_from(evaluator.int(taken).ok()?).ok()?;
        if !holds {
            continue;
        }
        most = most.max(taken);
        if taken > largest {
            splits.is_cut = true;
            continue;
        }
        if taken == 0 || splits.leaving.len() > MOST {
            return None;
        }
        let left = Leaving { nothing: true, one: true, ..Leaving::default() };
        let least = if by_pile { least.max(number) } else { least };
        splits.leaving.push(Leaving { taken, least, ..left });
    }
    // If some chosen numbers are not visited, they may take too many coins from smaller piles.
    (is_safe || !is_cut && most <= least.max(1)).then_some(())
}

/// Adds a line that leaves two piles, a and n - e - a, for a from 0 or 1 up to half of n - e. The
/// expression e may depend on another chosen number.
fn split(plain: &Plain, part: &Expr, other: &Expr, splits: &mut Splits) -> Option<()> {
    let (number, from, to) = match &plain.binders[..] {
        [Numbers::Range(from, to)] => (None, from, to),
        [number, Numbers::Range(from, to)] => (Some(number), from, to),
        _ => return None,
    };
    let place = plain.binders.len() - 1;
    let is_part = |expr: &Expr| matches!(expr.kind, ExprKind::Local(_, at) if at == place);
    let ExprKind::Int(from @ 0..=1) = from.kind else { return None };
    let ExprKind::Binary(BinaryOp::Sub, whole, less) = &other.kind else { return None };
    let ExprKind::Binary(BinaryOp::Div, half, two) = &to.kind else { return None };
    let conditions = plain.before.iter().chain(&plain.after);
    let least = conditions.map(least_pile).try_fold(0, |least, more| Some(least.max(more?)))?;
    if !is_part(part) || !is_part(less) || !matches!(two.kind, ExprKind::Int(2)) {
        return None;
    }
    let here = At::new(&[]);
    let mut evaluator = Evaluator::new(&here);
    let numbers = match number {
        None => 0..=0,
        Some(Numbers::Range(from, to)) if !speaks_of_pile(from) && !speaks_of_pile(to) => {
            evaluator.int(from).ok()?..=evaluator.int(to).ok()?
        }
        Some(_) => return None,
    };
    for number in numbers {
        evaluator.names = vec![Val::Int(number)];
        let taken = usize::try_from(off(whole, &mut evaluator)?).ok()?;
        let unequal = match off(half, &mut evaluator)? - off(whole, &mut evaluator)? {
            0 => false,
            1 => true,
            _ => return None,
        };
        let one = from == 0;
        if one && taken == 0 || splits.leaving.len() > MOST {
            return None;
        }
        let nothing = one && !unequal;
        splits.leaving.push(Leaving { taken, least, nothing, one, two: true, unequal });
    }
    Some(())
}

/// Returns the constant that an expression subtracts from n: e in n - e, and d + e in n - d - e.
fn off(expr: &Expr, evaluator: &mut Evaluator<'_>) -> Option<i128> {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Sub, of, less) if !speaks_of_pile(less) => {
            off(of, evaluator)?.checked_add(evaluator.int(less).ok()?)
        }
        _ => is_pile(expr).then_some(0),
    }
}
