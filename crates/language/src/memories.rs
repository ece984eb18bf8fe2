//! The numbers that positions of a game remember besides their piles.
//!
//! All of them together are one number, the *state*, so that a table has a column for each state,
//! and no evaluator knows how many numbers a game remembers. The first of them is the most
//! significant digit of the state. State 0 is the beginning of play, with the least numbers. The
//! last move has no largest number, so it can only be the first; if it is alone, it is the state.

use std::borrow::Cow;
use std::sync::Arc;

use crate::ast::{BinaryOp, Builtin, CompareOp, Expr, ExprKind, Function, LogicOp};
use crate::fault::Cause;
use crate::problem::Span;

/// The largest number of states that the named memories of a game may have.
pub(crate) const MOST_STATES: u32 = 1 << 12;

/// A number that positions remember.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Remembered {
    /// The word for it in rules and statements.
    pub name: Cow<'static, str>,
    pub least: u32,
    /// The largest number; `None` for the last move.
    pub largest: Option<u32>,
}

/// The word for the last move.
pub(crate) const LAST_MOVE: &str = "last_move";

pub(crate) const LAST: Remembered =
    Remembered { name: Cow::Borrowed(LAST_MOVE), least: 0, largest: None };

static ONLY_LAST_MOVE: [Remembered; 1] = [LAST];

/// The numbers that positions of a game remember, in the order in which they are written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Memories(Option<Arc<[Remembered]>>);

impl Memories {
    /// Positions remember how many coins the last move took.
    pub const LAST_MOVE: &'static Memories = &Memories(None);

    /// Returns these memories, of which the last move can only be the first; `None` if there are
    /// none.
    pub(crate) fn new(all: &[Remembered]) -> Option<Memories> {
        match all {
            [] => None,
            [one] if *one == LAST => Some(Memories::LAST_MOVE.clone()),
            all => Some(Memories(Some(all.into()))),
        }
    }

    /// Returns the numbers, in the order in which they are written.
    pub fn all(&self) -> &[Remembered] {
        self.0.as_deref().unwrap_or(&ONLY_LAST_MOVE)
    }

    /// Returns the place of the number with this name.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.all().iter().position(|known| known.name == name)
    }

    /// True if positions remember the last move.
    pub fn has_last_move(&self) -> bool {
        self.all()[0].largest.is_none()
    }

    /// Returns the number of states in which the last move is the same.
    pub fn states(&self) -> u32 {
        self.all().iter().filter_map(Remembered::values).product()
    }

    /// Returns the number of states in which the numbers up to this place are the same.
    fn weight(&self, place: usize) -> u32 {
        self.all()[place + 1..].iter().filter_map(Remembered::values).product()
    }

    /// Returns the remembered numbers of a state.
    pub fn values(&self, state: u32) -> impl Iterator<Item = u32> + '_ {
        self.all().iter().enumerate().map(move |(place, of)| {
            let digit = state / self.weight(place);
            of.least + of.values().map_or(digit, |values| digit % values)
        })
    }

    /// Returns the state with these numbers, or the place of a number that no state has.
    pub fn state(&self, values: &[i128]) -> Result<u32, usize> {
        let mut state = 0u32;
        for (place, (of, &value)) in self.all().iter().zip(values).enumerate() {
            let digit = u32::try_from(value).ok().and_then(|value| value.checked_sub(of.least));
            let digit = digit.filter(|&digit| of.values().is_none_or(|values| digit < values));
            let next = digit.and_then(|digit| digit.checked_mul(self.weight(place)));
            state = next.and_then(|next| state.checked_add(next)).ok_or(place)?;
        }
        Ok(state)
    }

    /// Returns the remembered number with this name, computed from the state. `depth` names are
    /// bound around it.
    pub(crate) fn word(&self, name: &str, depth: usize, span: Span) -> Option<Expr> {
        let place = self.place(name)?;
        let of = |kind| Expr::new(kind, span);
        if self == Memories::LAST_MOVE {
            return Some(of(ExprKind::Builtin(Builtin::LastMove)));
        }
        let by = |op, left: Expr, right: u32| {
            let right = of(ExprKind::Int(right.into()));
            of(ExprKind::Binary(op, Box::new(left), Box::new(right)))
        };
        let mut number =
            by(BinaryOp::Div, of(ExprKind::Builtin(Builtin::State)), self.weight(place));
        if let Some(values) = self.all()[place].values() {
            number = by(BinaryOp::Mod, number, values);
        }
        number = by(BinaryOp::Add, number, self.all()[place].least);
        let word = Box::new(of(ExprKind::Local(name.to_owned(), depth)));
        Some(of(ExprKind::Let(name.to_owned(), Box::new(number), word)))
    }

    /// Returns the state with these numbers, or a negative number if there is none.
    pub fn state_of(&self, numbers: &[Expr], span: Span) -> Expr {
        let of = |kind| Expr::new(kind, span);
        let int = |number: u32| of(ExprKind::Int(number.into()));
        if self == Memories::LAST_MOVE {
            return numbers[0].clone();
        }
        let mut exists = of(ExprKind::Bool(true));
        let mut terms = Vec::new();
        for (place, (of_place, number)) in self.all().iter().zip(numbers).enumerate() {
            let fits = of_place.has(number, span);
            exists = of(ExprKind::Logic(LogicOp::And, Box::new(exists), Box::new(fits)));
            let least = Box::new(int(of_place.least));
            let digit = of(ExprKind::Binary(BinaryOp::Sub, Box::new(number.clone()), least));
            let weight = Box::new(int(self.weight(place)));
            terms.push(of(ExprKind::Binary(BinaryOp::Mul, Box::new(digit), weight)));
        }
        let state = of(ExprKind::Call(Function::Sum, terms));
        let none = of(ExprKind::Int(-1));
        of(ExprKind::If(Box::new(exists), Box::new(state), Box::new(none)))
    }
}

/// Returns an expression as its author wrote it: with the names of remembered numbers.
pub(crate) fn as_written(expr: &Expr) -> Expr {
    match &expr.kind {
        // Only a name from [`Memories::word`] is in the same place as its number.
        ExprKind::Let(name, _, body) if body.span == expr.span => {
            Expr::new(ExprKind::Name(name.clone()), expr.span)
        }
        _ => expr.with_children(&mut as_written),
    }
}

impl Remembered {
    /// Returns how many numbers there are; `None` for the last move.
    pub fn values(&self) -> Option<u32> {
        self.largest.map(|largest| largest - self.least + 1)
    }

    /// Returns the condition that positions can remember this number.
    pub fn has(&self, number: &Expr, span: Span) -> Expr {
        let int = |number: u32| Expr::new(ExprKind::Int(number.into()), span);
        let mut rest = vec![(CompareOp::LessEqual, number.clone())];
        rest.extend(self.largest.map(|largest| (CompareOp::LessEqual, int(largest))));
        Expr::new(ExprKind::Compare(Box::new(int(self.least)), rest), span)
    }

    /// Returns the reason why no position remembers a number out of range; `None` for the last
    /// move.
    pub fn out_of_range(&self) -> Option<Cause> {
        let (name, least) = (self.name.clone().into_owned(), self.least);
        self.largest.map(|largest| Cause::NotRemembered { name, least, largest })
    }
}
