//! Questions for solvers of linear arithmetic, for statements that types do not decide.
//!
//! `P <-> F` holds for places of all sizes if no move leads from a position of F to one of F, and a
//! move leads from every other position to one of F, because every move takes coins. If F and the
//! moves are linear, both are formulas of Presburger arithmetic. They are written in SMT-LIB 2 as
//! searches for a counterexample: the answer `unsat` says that there is none.

use grundy_language::ast::{
    BinaryOp, Builtin, CompareOp, Expr, ExprKind, Function, LogicOp, UnaryOp,
};
use grundy_language::eval::{arithmetic, call};
use grundy_language::{Evaluator, Outcome};
use grundy_rules::law::{At, Change, Kind, Numbers, Plain};
use grundy_rules::{Game, Pile, Remembers};

use super::Refusal;
use super::moves::law_of;
use super::reader::{Read, refuse};
use super::reads::ignores_copies;

/// A search for a counterexample, in SMT-LIB 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverQuestion {
    /// The name of its file, which says what a solver looks for.
    pub name: &'static str,
    /// The text of the file.
    pub text: String,
}

/// A number: its text, and its value if it is a constant.
#[derive(Clone, Debug)]
struct Num {
    text: String,
    constant: Option<i128>,
}

#[derive(Clone, Debug)]
enum Said {
    Num(Num),
    Truth(String),
    List(Vec<Num>),
    /// A set, of which some members may be equal.
    Set(Vec<Num>),
}

/// Writes expressions about a position.
struct Writer {
    piles: Vec<Num>,
    names: Vec<Said>,
}

fn constant(number: i128) -> Num {
    let text = if number < 0 { format!("(- {})", -number) } else { number.to_string() };
    Num { text, constant: Some(number) }
}

fn open(text: String) -> Num {
    Num { text, constant: None }
}

fn joined(word: &str, none: &str, all: &[String]) -> String {
    match all {
        [] => none.to_owned(),
        [one] => one.clone(),
        _ => format!("({word} {})", all.join(" ")),
    }
}

/// Returns F of a statement `P <-> F`.
fn right_side(expr: &Expr) -> Read<&Expr> {
    let is_p = |expr: &Expr| match &expr.kind {
        ExprKind::Compare(x, rest) => match &rest[..] {
            [(CompareOp::Equal, y)] => {
                x.kind == ExprKind::Builtin(Builtin::Outcome)
                    && y.kind == ExprKind::Builtin(Builtin::Class(Outcome::P))
                    || x.kind == ExprKind::Builtin(Builtin::Value) && y.kind == ExprKind::Int(0)
            }
            _ => false,
        },
        _ => false,
    };
    match &expr.kind {
        ExprKind::Logic(LogicOp::Iff, p, f) if is_p(p) => Ok(f),
        _ => refuse(expr, "is not of the form `P <-> ...`, which solvers are asked about"),
    }
}

/// Returns the searches for counterexamples to `P <-> F`, for positions of `length` places.
///
/// # Errors
/// [`Refusal`] names the part of the statement or of the rules that is not linear.
pub fn solver_questions(game: Game, expr: &Expr, length: usize) -> Read<Vec<SolverQuestion>> {
    let condition = right_side(expr)?;
    let is_plain = game.is_impartial()
        && game.terminal_value() == 0
        && game.remembers() == Remembers::Nothing
        && game.remoteness_of().is_none()
        && game.outcomes_of().is_none();
    let law = law_of(game);
    let law = law.filter(|law| is_plain && law.kind == Kind::Places && law.only_takes());
    let law = law.filter(|law| law.lengths.contains(&length));
    let lines = law.and_then(|law| law.at(length).map(|lines| (law, lines)));
    let Some((law, lines)) = lines else {
        let why = "is no game with `piles: places`, normal play, the same moves for both players, \
                   moves that take coins, and positions of this length";
        return Err(Refusal(format!("{game} {why}, as solvers are asked about")));
    };
    let piles: Vec<Num> = (1..=length).map(|number| open(format!("p{number}"))).collect();
    let mut writer = Writer { piles: piles.clone(), names: Vec::new() };
    let mut text =
        format!("; {game}: {expr}\n(set-option :produce-models true)\n(set-logic LIA)\n");
    for pile in &piles {
        text += &format!("(declare-const {0} Int)\n(assert (<= 0 {0}))\n", pile.text);
    }
    if let Some(admits) = &law.admits {
        text += &format!("(assert {})\n", writer.truth(admits)?);
    }
    let inside = writer.truth(condition)?;
    let moves = lines.iter().map(|line| writer.line(line, condition)).collect::<Read<Vec<_>>>()?;
    let moves = joined("or", "false", &moves);
    let names: Vec<&str> = piles.iter().map(|pile| &pile.text[..]).collect();
    let end = format!("(check-sat)\n(get-value ({}))\n", names.join(" "));
    let question = |name, is_in: String, moves: String| SolverQuestion {
        name,
        text: format!("{text}(assert {is_in})\n(assert {moves})\n{end}"),
    };
    Ok(vec![
        question("move-inside", inside.clone(), moves.clone()),
        question("no-move-from-outside", format!("(not {inside})"), format!("(not {moves})")),
    ])
}

/// True if the moves of the game confirm that `P <-> F` is false here or at an option: F holds here
/// and at an option, or neither here nor at any option.
pub fn confirms(game: Game, expr: &Expr, piles: &[Pile]) -> bool {
    let Ok(condition) = right_side(expr) else { return false };
    let holds = |piles: &[Pile]| Evaluator::new(&At::new(piles)).truth(condition).ok();
    let position = game.position(piles);
    let Ok(moves) = game.try_moves(&position) else { return false };
    let options: Option<Vec<bool>> = moves.iter().map(|made| holds(made.option.piles())).collect();
    let known = holds(piles).zip(options).filter(|_| game.keeps(&position));
    known.is_some_and(|(here, options)| options.contains(&true) == here)
}

impl Writer {
    /// Writes that a line has a move to a position that satisfies the condition.
    fn line(&mut self, line: &Plain, condition: &Expr) -> Read<String> {
        let names: Vec<String> = (0..line.binders.len()).map(|at| format!("x{at}")).collect();
        self.names.clear();
        let mut all = Vec::new();
        for (name, numbers) in names.iter().zip(&line.binders) {
            all.push(match numbers {
                Numbers::Range(from, to) => {
                    format!("(<= {} {name} {})", self.num(from)?.text, self.num(to)?.text)
                }
                Numbers::Set(set) => {
                    let (Said::List(members) | Said::Set(members)) = self.of(set)? else {
                        return refuse(set, "is no set of numbers");
                    };
                    let equal = members.iter().map(|one| format!("(= {name} {})", one.text));
                    joined("or", "false", &equal.collect::<Vec<_>>())
                }
            });
            // A range uses the names before it, and names of its own.
            self.names.push(Said::Num(open(name.clone())));
        }
        for part in line.before.iter().chain(&line.after) {
            all.push(self.truth(part)?);
        }
        let mut new = self.piles.clone();
        let mut changed = Vec::new();
        for (pile, change) in &line.effects {
            let old = &self.piles[*pile].text.clone();
            new[*pile] = match change {
                Change::Less(e) => open(format!("(- {old} {})", self.num(e)?.text)),
                Change::Becomes(e) => self.num(e)?,
                Change::Parts(_) => return Err(Refusal("the rules split piles".to_owned())),
            };
            all.push(format!("(<= 0 {})", new[*pile].text));
            changed.push(format!("(distinct {old} {})", new[*pile].text));
        }
        all.push(joined("or", "false", &changed));
        all.push(Writer { piles: new, names: Vec::new() }.truth(condition)?);
        self.names.clear();
        let bound: Vec<String> = names.iter().map(|name| format!("({name} Int)")).collect();
        Ok(match bound.is_empty() {
            true => joined("and", "true", &all),
            false => format!("(exists ({}) {})", bound.join(" "), joined("and", "true", &all)),
        })
    }

    fn truth(&mut self, expr: &Expr) -> Read<String> {
        match self.of(expr)? {
            Said::Truth(text) => Ok(text),
            _ => refuse(expr, "is no condition"),
        }
    }

    fn num(&mut self, expr: &Expr) -> Read<Num> {
        match self.of(expr)? {
            Said::Num(num) => Ok(num),
            _ => refuse(expr, "is no number"),
        }
    }

    fn list(&mut self, expr: &Expr) -> Read<Vec<Num>> {
        match self.of(expr)? {
            Said::List(all) => Ok(all),
            _ => refuse(expr, "is no list of numbers"),
        }
    }

    fn of(&mut self, expr: &Expr) -> Read<Said> {
        let number = |num| Ok(Said::Num(num));
        match &expr.kind {
            ExprKind::Int(value) => number(constant(*value)),
            ExprKind::Bool(truth) => Ok(Said::Truth(truth.to_string())),
            ExprKind::Local(_, place) => Ok(self.names[*place].clone()),
            ExprKind::Builtin(builtin) => {
                let length = self.piles.len();
                let pile = |place: Option<usize>| match place.and_then(|at| self.piles.get(at)) {
                    Some(pile) => Ok(Said::Num(pile.clone())),
                    None => refuse(expr, "is no pile"),
                };
                match builtin {
                    Builtin::First => pile(Some(0)),
                    Builtin::Last => pile(length.checked_sub(1)),
                    Builtin::Pile(number) => pile(number.checked_sub(1)),
                    Builtin::Length => number(constant(length as i128)),
                    Builtin::Piles => Ok(Said::List(self.piles.clone())),
                    Builtin::Total => number(self.call(Function::Sum, self.piles.clone(), expr)?),
                    _ => refuse(expr, "is no linear condition on the piles"),
                }
            }
            ExprKind::Unary(UnaryOp::Not, of) => {
                Ok(Said::Truth(format!("(not {})", self.truth(of)?)))
            }
            ExprKind::Unary(UnaryOp::Minus, of) => {
                let of = self.num(of)?;
                number(self.binary(BinaryOp::Sub, constant(0), of, expr)?)
            }
            ExprKind::Binary(op, x, y) => {
                let (x, y) = (self.num(x)?, self.num(y)?);
                number(self.binary(*op, x, y, expr)?)
            }
            ExprKind::Compare(left, rest) => {
                let (mut before, mut all) = (self.of(left)?, Vec::new());
                for (op, right) in rest {
                    let next = match (&before, &right.kind) {
                        (Said::Num(x), ExprKind::Range(from, to)) => {
                            let ends = (self.num(from)?.text, self.num(to)?.text);
                            Said::Truth(format!("(<= {} {} {})", ends.0, x.text, ends.1))
                        }
                        _ => self.of(right)?,
                    };
                    all.push(compared(*op, &before, &next, expr)?);
                    before = next;
                }
                Ok(Said::Truth(joined("and", "true", &all)))
            }
            ExprKind::Logic(op, x, y) => {
                let word = match op {
                    LogicOp::And => "and",
                    LogicOp::Or => "or",
                    LogicOp::Implies => "=>",
                    LogicOp::Iff => "=",
                };
                Ok(Said::Truth(format!("({word} {} {})", self.truth(x)?, self.truth(y)?)))
            }
            ExprKind::If(condition, x, y) => {
                let condition = self.truth(condition)?;
                match (self.of(x)?, self.of(y)?) {
                    (Said::Num(x), Said::Num(y)) => {
                        number(open(format!("(ite {condition} {} {})", x.text, y.text)))
                    }
                    (Said::Truth(x), Said::Truth(y)) => {
                        Ok(Said::Truth(format!("(ite {condition} {x} {y})")))
                    }
                    _ => refuse(expr, "is no choice of numbers"),
                }
            }
            ExprKind::Let(_, value, body) => {
                let value = self.of(value)?;
                self.with(value, body)
            }
            ExprKind::Call(function, arguments) => {
                let mut all = Vec::new();
                for argument in arguments {
                    match self.of(argument)? {
                        Said::Num(num) => all.push(num),
                        Said::List(list) => all.extend(list),
                        Said::Set(list) if ignores_copies(*function) => all.extend(list),
                        Said::Set(_) | Said::Truth(_) => {
                            return refuse(expr, "is no linear condition");
                        }
                    }
                }
                number(self.call(*function, all, expr)?)
            }
            ExprKind::Each(function, _, source, body) => {
                let mut said = Vec::new();
                let members = match self.of(source)? {
                    Said::List(all) => all,
                    Said::Set(all) if ignores_copies(*function) => all,
                    _ => return refuse(expr, "is no linear condition"),
                };
                for member in members {
                    said.push(self.with(Said::Num(member), body)?);
                }
                let (mut truths, mut numbers) = (Vec::new(), Vec::new());
                for one in said {
                    match one {
                        Said::Truth(text) => truths.push(text),
                        Said::Num(num) => numbers.push(num),
                        _ => return refuse(expr, "is no linear condition"),
                    }
                }
                match function {
                    Function::All => Ok(Said::Truth(joined("and", "true", &truths))),
                    Function::Any => Ok(Said::Truth(joined("or", "false", &truths))),
                    Function::Count => {
                        let one = |text: &String| open(format!("(ite {text} 1 0)"));
                        number(self.call(Function::Sum, truths.iter().map(one).collect(), expr)?)
                    }
                    _ => number(self.call(*function, numbers, expr)?),
                }
            }
            ExprKind::Index(list, index) => {
                let (list, index) = (self.list(list)?, self.num(index)?);
                let at = index.constant.and_then(|index| usize::try_from(index - 1).ok());
                match at.and_then(|at| list.into_iter().nth(at)) {
                    Some(found) => number(found),
                    None => refuse(expr, "has no constant place in the list"),
                }
            }
            ExprKind::Set(all) => {
                let all = all.iter().map(|one| self.num(one)).collect::<Read<Vec<Num>>>()?;
                Ok(if all.len() > 1 { Said::Set(all) } else { Said::List(all) })
            }
            ExprKind::Range(from, to) => match (self.num(from)?.constant, self.num(to)?.constant) {
                (Some(from), Some(to)) if to - from < 256 => {
                    Ok(Said::List((from..=to).map(constant).collect()))
                }
                _ => refuse(expr, "is a range that depends on piles"),
            },
            ExprKind::At(..) | ExprKind::Name(_) => {
                refuse(expr, "is no linear condition on the piles")
            }
        }
    }

    fn with(&mut self, name: Said, body: &Expr) -> Read<Said> {
        self.names.push(name);
        let said = self.of(body);
        self.names.pop();
        said
    }

    fn binary(&self, op: BinaryOp, x: Num, y: Num, expr: &Expr) -> Read<Num> {
        if let (Some(x), Some(y)) = (x.constant, y.constant) {
            let found = arithmetic(op, x, y);
            return found.map(constant).or_else(|_| refuse(expr, "has no value"));
        }
        let word = match op {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul if x.constant.or(y.constant).is_some() => "*",
            BinaryOp::Div if y.constant.is_some_and(|by| by > 0) => "div",
            BinaryOp::Mod if y.constant.is_some_and(|by| by > 0) => "mod",
            _ => return refuse(expr, "is no linear condition on the piles"),
        };
        Ok(open(format!("({word} {} {})", x.text, y.text)))
    }

    fn call(&self, function: Function, all: Vec<Num>, expr: &Expr) -> Read<Num> {
        let constants: Option<Vec<i128>> = all.iter().map(|num| num.constant).collect();
        if let Some(constants) = constants {
            let found = call(function, &constants);
            return found.map(constant).or_else(|_| refuse(expr, "has no value"));
        }
        // Each operand is written once; otherwise the text would double with each operand.
        let choice = |op: &str, x: Num, y: Num| {
            open(format!("(let ((m {}) (n {})) (ite ({op} m n) m n))", x.text, y.text))
        };
        let mut all = all.into_iter();
        let Some(first) = all.next() else { return refuse(expr, "has no value") };
        Ok(match function {
            Function::Sum => {
                let add = |sum: Num, next: Num| open(format!("(+ {} {})", sum.text, next.text));
                all.fold(first, add)
            }
            Function::Min => all.fold(first, |x, y| choice("<=", x, y)),
            Function::Max => all.fold(first, |x, y| choice(">=", x, y)),
            Function::Abs => {
                let minus = open(format!("(- {})", first.text));
                choice(">=", first, minus)
            }
            _ => return refuse(expr, "is no linear condition on the piles"),
        })
    }
}

fn compared(op: CompareOp, x: &Said, y: &Said, expr: &Expr) -> Read<String> {
    let not = |is_not: bool, text: String| if is_not { format!("(not {text})") } else { text };
    Ok(match (op, x, y) {
        (CompareOp::In | CompareOp::NotIn, Said::Num(x), Said::List(all) | Said::Set(all)) => {
            let equal: Vec<String> =
                all.iter().map(|y| format!("(= {} {})", x.text, y.text)).collect();
            not(op == CompareOp::NotIn, joined("or", "false", &equal))
        }
        (CompareOp::In | CompareOp::NotIn, Said::Num(_), Said::Truth(within)) => {
            not(op == CompareOp::NotIn, within.clone())
        }
        (CompareOp::Equal | CompareOp::Unequal, Said::Truth(x), Said::Truth(y)) => {
            not(op == CompareOp::Unequal, format!("(= {x} {y})"))
        }
        (_, Said::Num(x), Said::Num(y)) => {
            let word = match op {
                CompareOp::Equal => "=",
                CompareOp::Unequal => "distinct",
                op => op.sign(),
            };
            format!("({word} {} {})", x.text, y.text)
        }
        _ => return refuse(expr, "compares sets or lists"),
    })
}
