//! Parses, resolves and evaluates statements.

use grundy_language::ast::{Builtin, Expr, ExprKind, LogicOp, Property};
use grundy_language::eval::{Val, evaluate, parts};
use grundy_language::fault::Undefined;
use grundy_language::parser::parse;
use grundy_language::resolve::{resolve, resolve_number};
use grundy_language::{Problem, Setting};
use grundy_rules::{Game, Memory, Outcome, Pile};

use crate::games::{Games, Known, ReadGame, by_name, setting};
use crate::position_context::PositionContext;
use crate::values::Values;

/// The names that require the value of a position or of its options.
const VALUES: [Builtin; 4] =
    [Builtin::Value, Builtin::Options, Builtin::LeftOptions, Builtin::RightOptions];

/// A statement about each position of a game, in the language of docs/LANGUAGE.md.
///
/// ```
/// use grundy_questions::Question;
/// use grundy_rules::games;
///
/// let question = Question::parse(games::END_NIM, "g == 1 -> abs(first - last) <= 1")?;
/// assert!(question.has_premise());
/// let error = Question::parse(games::END_NIM, "g == 1 -> frist == last").unwrap_err();
/// assert_eq!(error.hint.as_deref(), Some("did you mean `first`?"));
/// # Ok::<(), grundy_questions::Problem>(())
/// ```
#[derive(Clone, Debug)]
pub struct Question {
    games: Games,
    text: String,
    expr: Expr,
}

impl Question {
    pub fn parse(game: Game, text: &str) -> Result<Question, Problem> {
        Question::parse_with(game, text, &by_name)
    }

    /// Parses a statement that may name other games in any way that `read` understands, such as by
    /// paths. The text of the question has their ids instead.
    pub fn parse_with(game: Game, text: &str, read: ReadGame<'_>) -> Result<Question, Problem> {
        Question::resolved(game, text, read, resolve)
    }

    fn resolved(
        game: Game,
        text: &str,
        read: ReadGame<'_>,
        resolve: fn(&Expr, Setting<'_>) -> Result<Expr, Problem>,
    ) -> Result<Question, Problem> {
        let (known, parsed) = (Known::new(game, read), parse(text)?);
        let setting = Setting { games: Some(&known), ..setting(game) };
        let expr = resolve(&parsed, setting).map_err(|problem| problem.of(text))?;
        let written = known.with_ids(text, &parsed);
        if written != text {
            return Question::resolved(game, &written, &by_name, resolve);
        }
        Ok(Question { games: known.games(), text: text.trim().to_owned(), expr })
    }

    pub fn game(&self) -> Game {
        self.games.own
    }

    pub fn other_games(&self) -> &[Game] {
        &self.games.others
    }

    pub(crate) fn games(&self) -> &Games {
        &self.games
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the resolved statement.
    pub fn expr(&self) -> &Expr {
        &self.expr
    }

    /// True if the statement is an implication, which may be vacuous.
    pub fn has_premise(&self) -> bool {
        premise(&self.expr).is_some()
    }

    /// Returns the condition A of a statement `A -> (B -> C)`, with the names that `let` gives.
    pub fn cases(&self) -> Option<Question> {
        let (condition, rest) = premise(&self.expr)?;
        premise(rest)?;
        Some(Question { expr: with_names(&self.expr, condition), ..self.clone() })
    }

    /// Returns the largest number of a pile that the statement names, such as 3 for `p3`. Returns 1
    /// for a statement that uses `k`, because the statement may be about any length.
    pub fn least_length(&self) -> usize {
        let mut all = vec![&self.expr];
        let mut longest = 0;
        while let Some(expr) = all.pop() {
            match expr.kind {
                ExprKind::Builtin(Builtin::Length) => return 1,
                ExprKind::Builtin(Builtin::Pile(number)) => longest = longest.max(number),
                _ => expr.each_child(&mut |child| all.push(child)),
            }
        }
        longest.max(1)
    }

    /// True if outcomes, without values and remoteness, are enough to evaluate the statement.
    pub fn asks_outcomes(&self) -> bool {
        let mut all = vec![&self.expr];
        while let Some(expr) = all.pop() {
            match expr.kind {
                ExprKind::Builtin(builtin) if VALUES.contains(&builtin) => return false,
                ExprKind::At(Property::Value | Property::Remoteness, _) => return false,
                _ => expr.each_child(&mut |child| all.push(child)),
            }
        }
        true
    }

    /// True if the truth of the statement at a position follows from the value of the position and
    /// the number of its piles.
    pub fn asks_values_only(&self) -> bool {
        let mut all = vec![&self.expr];
        while let Some(expr) = all.pop() {
            match expr.kind {
                ExprKind::Builtin(
                    Builtin::Value | Builtin::Outcome | Builtin::Class(_) | Builtin::Length,
                ) => {}
                ExprKind::Builtin(_) | ExprKind::At(..) => return false,
                _ => expr.each_child(&mut |child| all.push(child)),
            }
        }
        true
    }

    /// True if the statement is `P`, or a conjunction with the part `P`.
    pub fn holds_only_at_p(&self) -> bool {
        let mut all = vec![&self.expr];
        while let Some(expr) = all.pop() {
            match &expr.kind {
                ExprKind::Builtin(Builtin::Class(Outcome::P)) => return true,
                ExprKind::Logic(LogicOp::And, left, right) => all.extend([&**left, &**right]),
                _ => {}
            }
        }
        false
    }

    /// Evaluates the statement at a position with the slow evaluator. `cell` is the value of the
    /// position, or the index of its class.
    pub fn holds(
        &self,
        piles: &[Pile],
        memory: &Memory,
        cell: u32,
        values: &dyn Values,
    ) -> Result<bool, Undefined> {
        match self.value(piles, memory, cell, values)? {
            Val::Bool(truth) => Ok(truth),
            other => unreachable!("a statement must be true or false, not {other:?}"),
        }
    }

    fn value(
        &self,
        piles: &[Pile],
        memory: &Memory,
        cell: u32,
        values: &dyn Values,
    ) -> Result<Val, Undefined> {
        let context = PositionContext { games: &self.games, piles, memory, cell, values };
        evaluate(&self.expr, &context).map_err(|fault| {
            let position = self.game().position_with(piles, memory).to_string();
            Undefined::new(fault, position, &self.text)
        })
    }

    /// Returns the names, `let` bindings and looked-up positions of the statement, with their
    /// values at a position. Leaves out parts without a value.
    pub fn parts(
        &self,
        piles: &[Pile],
        memory: &Memory,
        cell: u32,
        values: &dyn Values,
    ) -> Vec<(String, String)> {
        let context = PositionContext { games: &self.games, piles, memory, cell, values };
        let found = parts(&self.expr, &context);
        found.into_iter().map(|(name, value)| (name, written(&value))).collect()
    }
}

/// A number for each position of a game, in the language of docs/LANGUAGE.md.
#[derive(Clone, Debug)]
pub struct Quantity(Question);

impl Quantity {
    pub fn parse(game: Game, text: &str) -> Result<Quantity, Problem> {
        Quantity::parse_with(game, text, &by_name)
    }

    /// Parses a number that may name other games in any way that `read` understands.
    pub fn parse_with(game: Game, text: &str, read: ReadGame<'_>) -> Result<Quantity, Problem> {
        Question::resolved(game, text, read, resolve_number).map(Quantity)
    }

    /// Returns the number at a position. `cell` is the value of the position, or the index of its
    /// class.
    pub fn at(
        &self,
        piles: &[Pile],
        memory: &Memory,
        cell: u32,
        values: &dyn Values,
    ) -> Result<i128, Undefined> {
        match self.0.value(piles, memory, cell, values)? {
            Val::Int(number) => Ok(number),
            other => unreachable!("the expression must be a number, not {other:?}"),
        }
    }
}

/// Returns the premise of an implication and the rest, below the names that `let` gives.
fn premise(expr: &Expr) -> Option<(&Expr, &Expr)> {
    match &expr.kind {
        ExprKind::Let(_, _, body) => premise(body),
        ExprKind::Logic(LogicOp::Implies, premise, rest) => Some((premise, rest)),
        _ => None,
    }
}

/// Puts the `let` bindings at the beginning of `expr` before another expression.
fn with_names(expr: &Expr, body: &Expr) -> Expr {
    match &expr.kind {
        ExprKind::Let(name, value, rest) => {
            let rest = Box::new(with_names(rest, body));
            Expr { kind: ExprKind::Let(name.clone(), value.clone(), rest), ..expr.clone() }
        }
        _ => body.clone(),
    }
}

/// Parses and prints a text without resolving its names. Also returns true if the printed text
/// parses to the same tree.
pub fn reprinted(text: &str) -> Result<(String, bool), Problem> {
    let expr = parse(text)?;
    let printed = expr.to_string();
    let again = parse(&printed);
    let is_same = again.is_ok_and(|again| again == expr);
    Ok((printed, is_same))
}

fn written(value: &Val) -> String {
    let joined = |all: Vec<String>| all.join(", ");
    match value {
        Val::Int(number) => number.to_string(),
        Val::Bool(truth) => truth.to_string(),
        Val::Class(class) => class.to_string(),
        Val::Set(set) => format!("{{{}}}", joined(set.iter().map(i128::to_string).collect())),
        Val::Classes(set) => {
            format!("{{{}}}", joined(set.iter().map(Outcome::to_string).collect()))
        }
        Val::List(list) => format!("({})", joined(list.iter().map(i128::to_string).collect())),
    }
}
