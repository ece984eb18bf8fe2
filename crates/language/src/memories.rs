//! The numbers that positions of a game remember besides their piles.
//!
//! All of them together are one number, the *state*, so that a table has a column for each state,
//! and no evaluator knows how many numbers a game remembers. The first of them is the most
//! significant digit of the state. State 0 is the beginning of play, where each number is the least.
//! The last move has no largest number, so it can only be the first; if it is alone, it is the state.

use std::borrow::Cow;
use std::sync::Arc;

use crate::ast::{BinaryOp, Builtin, CompareOp, Expr, ExprKind, Function, LogicOp};
use crate::names::{TAKEN, constant};
use crate::parser::Parser;
use crate::problem::{Problem, Span};
use crate::resolve::{Resolver, Setting};

/// The largest number of states that the named memories of a game may have.
const MOST_STATES: u32 = 1 << 12;

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

static ONLY_LAST_MOVE: [Remembered; 1] =
    [Remembered { name: Cow::Borrowed(LAST_MOVE), least: 0, largest: None }];

/// The numbers that positions of a game remember, in the order in which they are written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Memories(Option<Arc<[Remembered]>>);

impl Memories {
    /// Positions remember how many coins the last move took.
    pub const LAST_MOVE: &'static Memories = &Memories(None);

    /// Returns the memories of these lines; `None` if there are none.
    pub fn of_lines(
        text: &str,
        lines: &[Span],
        setting: Setting<'_>,
    ) -> Result<Option<Memories>, Problem> {
        let mut all: Vec<Remembered> = Vec::new();
        let mut states = 1u32;
        for &line in lines {
            let is_last = text[line.start..line.end].trim() == "last move";
            let next = if is_last { ONLY_LAST_MOVE[0].clone() } else { read(text, line, setting)? };
            let problem = |what: String| Err(Problem::new(what, line, "here"));
            if all.iter().any(|known| known.name == next.name) {
                return problem(format!("`{}` is remembered twice", next.name));
            }
            if is_last && !all.is_empty() {
                return problem(
                    "`remembers: last move` stands before the other memories".to_owned(),
                );
            }
            states = states.saturating_mul(next.values().unwrap_or(1));
            if states > MOST_STATES {
                return problem(format!(
                    "the memories of a game have at most {MOST_STATES} states together, and with \
                     this one they have more"
                ));
            }
            all.push(next);
        }
        Ok(match &all[..] {
            [] => None,
            all if all == ONLY_LAST_MOVE => Some(Memories::LAST_MOVE.clone()),
            all => Some(Memories(Some(all.into()))),
        })
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

    /// Returns the remembered number with this name, computed from the state. `depth` names are bound
    /// around it.
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
            let mut rest = vec![(CompareOp::LessEqual, number.clone())];
            rest.extend(of_place.largest.map(|largest| (CompareOp::LessEqual, int(largest))));
            let fits = of(ExprKind::Compare(Box::new(int(of_place.least)), rest));
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

impl Remembered {
    /// Returns how many numbers there are; `None` for the last move.
    pub fn values(&self) -> Option<u32> {
        self.largest.map(|largest| largest - self.least + 1)
    }
}

/// Parses `NAME in a..b`.
fn read(text: &str, line: Span, setting: Setting<'_>) -> Result<Remembered, Problem> {
    let mut parser = Parser::of_part(text, line)?;
    let says = |problem: Problem| {
        problem.hint("write `remembers: last move`, or a name with a range, as in `pile in 0..3`")
    };
    let at = parser.span();
    let name = parser.fresh_name("`remembers`").map_err(says)?;
    if TAKEN.contains(&&*name) || Function::named(&name).is_some() {
        let what = format!("`{name}` is a word of the language");
        return Err(Problem::new(what, at, "here").hint("take another name"));
    }
    let (from, to) = parser.range_of(&name).map_err(says)?;
    parser.ends("the range")?;
    let mut ends = [0; 2];
    for (end, expr) in ends.iter_mut().zip([from, to]) {
        let resolved = Resolver::new(setting).number(&expr, "an end of a range")?;
        let found = constant(&resolved)?.and_then(|n| u32::try_from(n).ok());
        *end = found.ok_or_else(|| {
            let what = "a memory is a range of constant numbers from 0 on";
            Problem::new(what, expr.span, "this is no such number")
        })?;
    }
    let [least, largest] = ends;
    if least >= largest {
        let what = format!("`{name}` has at least two numbers, but {least}..{largest} does not");
        return Err(Problem::new(what, line, "here"));
    }
    if largest - least >= MOST_STATES {
        let what = format!("a memory has at most {MOST_STATES} numbers");
        return Err(Problem::new(what, line, "this has more"));
    }
    Ok(Remembered { name: name.into(), least, largest: Some(largest) })
}
