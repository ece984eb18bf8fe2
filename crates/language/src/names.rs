//! The sets that a rule file names, and sets that a rule lists, such as `{each i in 1..9: i * i}`.
//!
//! A name stands for its numbers. So the resolver replaces the name by them, and a rule by the
//! numbers that it lists; no other module knows either. Both cost time and memory, so a file may
//! use only so many numbers in all.

use std::cell::Cell;
use std::collections::BTreeSet;

use crate::ast::{Expr, ExprKind};
use crate::eval::{At, Evaluator, Val};
use crate::problem::{Problem, Span};

/// The largest number of members of all sets of a file together. A set with a name counts where it
/// is named and at each use. Every position tries them all.
const MOST_NUMBERS: usize = 1 << 16;

/// The longest run of consecutive numbers that is written as numbers, and not as a range.
const LONGEST_RUN: usize = 8;

/// Words with a meaning of their own behind `in`.
pub(crate) const TAKEN: [&str; 4] = ["primes", "each", "cyclic", "n"];

/// The sets that a rule file names.
#[derive(Debug)]
pub struct Names {
    sets: Vec<(String, Expr)>,
    left: Cell<usize>,
}

impl Default for Names {
    fn default() -> Names {
        Names { sets: Vec::new(), left: Cell::new(MOST_NUMBERS) }
    }
}

impl Names {
    /// Defines a set, whose members must not depend on the position. `before` is what
    /// [`Names::numbers`] returned before the parts of the set were resolved.
    pub(crate) fn define(
        &mut self,
        name: String,
        at: Span,
        set: &Expr,
        before: usize,
        is_taken: bool,
    ) -> Result<(), Problem> {
        if TAKEN.contains(&&*name) || is_taken || self.sets.iter().any(|(known, _)| *known == name)
        {
            let what = format!("`{name}` already has a meaning");
            return Err(Problem::new(what, at, "here again").hint("take another name"));
        }
        // The set counts, and its parts do not.
        self.left.set(MOST_NUMBERS - before);
        let members = self.members(set, 0)?;
        self.sets.push((name, Expr::new(ExprKind::Set(members), set.span)));
        Ok(())
    }

    /// Returns how many numbers the sets have in all, counted at each use.
    pub fn numbers(&self) -> usize {
        MOST_NUMBERS - self.left.get()
    }

    /// Returns the set with this name.
    pub(crate) fn get(&self, name: &str, span: Span) -> Result<Option<Expr>, Problem> {
        let Some((_, set)) = self.sets.iter().find(|(known, _)| known == name) else {
            return Ok(None);
        };
        let ExprKind::Set(members) = &set.kind else { return Ok(None) };
        self.take(members.len(), span)?;
        Ok(Some(Expr { span, ..set.clone() }))
    }

    /// Returns the members of a set that does not depend on the position, in ascending order.
    /// `depth` names are bound around it.
    pub(crate) fn members(&self, set: &Expr, depth: usize) -> Result<Vec<Expr>, Problem> {
        let span = set.span;
        if !is_constant(set, depth) {
            let what = "the members of this set depend on the position or on a choice";
            return Err(Problem::new(what, span, "here")
                .hint("list constant numbers, and restrict them by `if`, as in `if t <= first`"));
        }
        let found = value(set, self.left.get(), depth)?;
        let all: BTreeSet<i128> = match found {
            Val::Set(all) => all,
            Val::List(all) => all.into_iter().collect(),
            other => unreachable!("wrong type after the type check: {other:?}"),
        };
        self.take(all.len(), span)?;
        let all: Vec<i128> = all.into_iter().collect();
        let int = |number: &i128| Expr::new(ExprKind::Int(*number), span);
        let is_run = |x: &i128, y: &i128| x.checked_add(1) == Some(*y);
        let written = all.chunk_by(is_run).flat_map(|run| match run {
            [first, .., last] if run.len() > LONGEST_RUN => {
                let range = ExprKind::Range(Box::new(int(first)), Box::new(int(last)));
                vec![Expr::new(range, span)]
            }
            _ => run.iter().map(int).collect(),
        });
        Ok(written.collect())
    }

    fn take(&self, numbers: usize, span: Span) -> Result<(), Problem> {
        let left = self.left.get().checked_sub(numbers).ok_or_else(|| {
            let what = format!("the sets of a file have at most {MOST_NUMBERS} numbers in all");
            Problem::new(what, span, "the limit is exceeded here")
                .hint("choose shorter ranges; each use of a name counts")
        })?;
        self.left.set(left);
        Ok(())
    }
}

/// Returns the value of an expression that does not depend on the position.
fn value(expr: &Expr, most: usize, depth: usize) -> Result<Val, Problem> {
    let here = At::new(&[]);
    let mut evaluator = Evaluator::up_to(&here, most);
    evaluator.names.resize(depth, Val::Int(0));
    evaluator
        .of(expr)
        .map_err(|fault| Problem::new(fault.cause.to_string(), fault.span, "this has no value"))
}

/// Returns a number that does not depend on the position; `None` if it does.
pub(crate) fn constant(expr: &Expr) -> Result<Option<i128>, Problem> {
    if !is_constant(expr, 0) {
        return Ok(None);
    }
    Ok(match value(expr, 0, 0)? {
        Val::Int(number) => Some(number),
        _ => None,
    })
}

fn is_constant(expr: &Expr, depth: usize) -> bool {
    let mut all = match expr.kind {
        ExprKind::Builtin(_) | ExprKind::At(..) => false,
        ExprKind::Local(_, place) => place >= depth,
        _ => true,
    };
    expr.each_child(&mut |child| all = all && is_constant(child, depth));
    all
}
