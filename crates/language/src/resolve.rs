//! Resolves names and checks types for a given game.
//!
//! The types are numbers, truth values, outcome classes, sets of numbers or classes, and lists of
//! piles. The only implicit conversion is from an outcome class to a truth value: `P -> ...` means
//! `outcome == P -> ...`.

use std::fmt;

use crate::ast::{
    BinaryOp, Builtin, CompareOp, End, Expr, ExprKind, Function, GameName, NAMES, OtherPosition,
    Property, Takes, UnaryOp, class_named,
};
use crate::memories::Memories;
use crate::names::Names;
use crate::problem::{Problem, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Int,
    Bool,
    Class,
    Ints,
    Classes,
    List,
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Int => "a number",
            Type::Bool => "a truth value",
            Type::Class => "an outcome class",
            Type::Ints => "a set of numbers",
            Type::Classes => "a set of outcome classes",
            Type::List => "a list of piles",
        })
    }
}

/// The largest number of piles that have names. No table has longer positions.
const MOST_PILES: usize = 63;

pub fn builtin(name: &str) -> Option<Builtin> {
    if let Some(class) = class_named(name) {
        return Some(Builtin::Class(class));
    }
    if let Some(number) = name.strip_prefix('p')
        && !number.starts_with('0')
        && let Ok(number) = number.parse()
        && (1..=MOST_PILES).contains(&number)
    {
        return Some(Builtin::Pile(number));
    }
    NAMES.iter().find(|(known, _)| *known == name).map(|&(_, builtin)| builtin)
}

/// Returns the name that is most similar to `name`, if any name is similar enough.
pub fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name: String = name.chars().take(40).collect();
    let by_distance = names.map(|known| (strsim::damerau_levenshtein(known, &name), known));
    let found = by_distance.min_by_key(|(distance, _)| *distance);
    let most = (1 + name.len() / 3).min(name.chars().count().saturating_sub(1));
    found.filter(|(distance, _)| *distance <= most).map(|(_, known)| known)
}

/// Words of other languages, with hints about their equivalents.
const INSTEAD: [(&[&str], &str); 14] = [
    (&["iff"], "write `<->` for if and only if"),
    (&["implies", "then", "if"], "write `->` for `implies`"),
    (&["xor", "XOR", "nimsum", "nim_sum"], "write `^` between two numbers, or `xor(piles)`"),
    (&["AND"], "write `and`"),
    (&["OR"], "write `or`"),
    (&["NOT"], "write `not`"),
    (&["TRUE", "True", "FALSE", "False"], "write `true` or `false`"),
    (&["odd", "even", "is"], "write `x % 2 == 1` for an odd number, `x % 2 == 0` for an even one"),
    (&["mod"], "write `%` for the remainder"),
    (&["div"], "write `//` to divide"),
    (&["G", "grundy", "Grundy", "value"], "write `g` for the value of a position"),
    (&["exists", "any"], "write `any(x in piles: x > 1)`"),
    (&["all", "forall"], "write `all(x in piles: x > 1)`"),
    (&["p", "pile"], "write `p1`, `p2`, ... for the piles"),
];

/// Returns a hint about a word of another language, or about a misplaced word.
pub(crate) fn instead(word: &str) -> Option<&'static str> {
    INSTEAD.iter().find(|(words, _)| words.contains(&word)).map(|&(_, hint)| hint)
}

pub fn nearest_function(name: &str) -> String {
    let known = Function::ALL.iter().map(|&(_, name, ..)| name);
    let known = known.filter(|name| Function::named(name).is_some()).collect::<Vec<_>>();
    let others = ["g", "outcome", "remoteness", "exists"];
    if name == "len" {
        return "did you mean `size`?".to_owned();
    }
    match nearest(name, known.iter().copied().chain(others)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let [known, others] = [known.join(", "), others.join(", ")];
            format!("the functions are {known}; functions of a position are {others}")
        }
    }
}

/// Resolves names and checks types. The whole expression must be a truth value.
pub fn resolve(expr: &Expr, setting: Setting<'_>) -> Result<Expr, Problem> {
    Resolver::new(setting).truth(expr, "a statement")
}

/// Resolves names and checks types. The whole expression must be a number.
pub fn resolve_number(expr: &Expr, setting: Setting<'_>) -> Result<Expr, Problem> {
    Resolver::new(setting).number(expr, "a sum or a maximum over positions")
}

/// The names of the language that a statement may use, which depend on its game.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    pub game: &'a str,
    pub impartial: bool,
    /// The numbers that positions remember, if any.
    pub memories: Option<&'a Memories>,
    pub moves: bool,
    /// True in rule files, which must not use values.
    pub rules: bool,
    /// True in the rules of a sum, which describe the moves of a single pile `n`.
    pub single: bool,
    /// True if a position and its reversal have the same value.
    pub symmetric: bool,
    /// The sets that a rule file names; `None` outside rule files.
    pub names: Option<&'a Names>,
    /// The other games that can be named, if any.
    pub games: Option<&'a dyn Games>,
}

pub trait Games {
    /// Finds a game by its name, and returns its setting.
    ///
    /// # Errors
    /// A sentence that says that the game is unknown.
    fn named(&self, name: &str) -> Result<Setting<'_>, String>;
}

impl<'a> Setting<'a> {
    /// Returns the setting of an impartial game without a memory.
    pub fn of_rows(game: &'a str) -> Setting<'a> {
        Setting {
            game,
            impartial: true,
            memories: None,
            moves: false,
            rules: false,
            single: false,
            symmetric: true,
            names: None,
            games: None,
        }
    }
}

pub struct Resolver<'a> {
    setting: Setting<'a>,
    /// The names bound by `let`, quantifiers and binders, innermost last.
    scopes: Vec<(String, Type)>,
}

pub type Resolved = Result<(Expr, Type), Problem>;

/// True if a name stands for a value, an outcome class or a property that follows from values.
fn uses_values(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::Value
            | Builtin::Outcome
            | Builtin::Class(_)
            | Builtin::Options
            | Builtin::LeftOptions
            | Builtin::RightOptions
    )
}

fn of_values(name: &str, span: Span) -> Problem {
    let what = format!("rules cannot use values or outcome classes, and `{name}` does");
    Problem::new(what, span, "not in rules")
        .hint("define the moves by the piles alone; use `grundy check` for statements about values")
}

fn wrong(what: impl Into<String>, expr: &Expr, found: Type) -> Problem {
    Problem::new(what, expr.span, format!("this is {found}"))
}

/// The set of all prime numbers, which can stand only behind `in`.
const PRIMES: &str = "primes";

/// Returns the condition that a number is prime, or that it is not.
pub(crate) fn is_prime(number: Expr, is: bool, span: Span) -> Expr {
    let of = |kind| Expr::new(kind, span);
    let test = of(ExprKind::Call(Function::IsPrime, vec![number]));
    let expected = of(ExprKind::Int(is.into()));
    of(ExprKind::Compare(Box::new(test), vec![(CompareOp::Equal, expected)]))
}

impl<'a> Resolver<'a> {
    pub fn new(setting: Setting<'a>) -> Resolver<'a> {
        Resolver { setting, scopes: Vec::new() }
    }

    /// Binds a name. Returns its place, which is the number of names bound before it. No text can
    /// refer to an empty name.
    pub fn name_next(&mut self, name: &str, found: Type) -> usize {
        self.scopes.push((name.to_owned(), found));
        self.scopes.len() - 1
    }

    /// Returns the place of the next name to be bound.
    pub(crate) fn next_place(&self) -> usize {
        self.scopes.len()
    }

    pub fn rename(&mut self, place: usize, name: &str) {
        name.clone_into(&mut self.scopes[place].0);
    }

    /// Resolves an expression that must be a truth value. Messages call the expression `where_`.
    pub fn truth(&mut self, expr: &Expr, where_: &str) -> Result<Expr, Problem> {
        let (resolved, found) = self.of(expr)?;
        match (&resolved.kind, found) {
            (_, Type::Bool) => Ok(resolved),
            (&ExprKind::Builtin(Builtin::Class(_)), _) => {
                let outcome = Expr::new(ExprKind::Builtin(Builtin::Outcome), expr.span);
                let rest = vec![(CompareOp::Equal, resolved)];
                Ok(Expr::new(ExprKind::Compare(Box::new(outcome), rest), expr.span))
            }
            _ => {
                let problem = wrong(format!("{where_} must be true or false"), expr, found);
                Err(match found {
                    Type::Int => problem.hint(match self.setting.rules {
                        true => "compare it with something, as in `total > 1`",
                        false => "compare it with something, as in `g == 0`",
                    }),
                    Type::Class => problem.hint("compare it, as in `outcome == P`"),
                    _ => problem.hint("write a condition, as in `all(x in piles: x > 1)`"),
                })
            }
        }
    }

    /// Resolves an expression that must be a number. Messages call the expression `where_`.
    pub fn number(&mut self, expr: &Expr, where_: &str) -> Result<Expr, Problem> {
        let (resolved, found) = self.of(expr)?;
        match found {
            Type::Int => Ok(resolved),
            _ => Err(wrong(format!("{where_} takes numbers"), expr, found)),
        }
    }

    pub fn of(&mut self, expr: &Expr) -> Resolved {
        let span = expr.span;
        let (kind, found) = match &expr.kind {
            ExprKind::Int(number) => (ExprKind::Int(*number), Type::Int),
            ExprKind::Bool(truth) => (ExprKind::Bool(*truth), Type::Bool),
            ExprKind::Name(name) if name == Property::Remoteness.name() => {
                let here = OtherPosition { game: None, piles: None, memory: Vec::new() };
                return self.at(Property::Remoteness, &here, span);
            }
            ExprKind::Name(name) => return self.name(name, span),
            ExprKind::Builtin(_) | ExprKind::Local(..) => unreachable!("names are resolved once"),
            ExprKind::Unary(UnaryOp::Minus, of) => {
                (ExprKind::Unary(UnaryOp::Minus, Box::new(self.number(of, "`-`")?)), Type::Int)
            }
            ExprKind::Unary(UnaryOp::Not, of) => (
                ExprKind::Unary(UnaryOp::Not, Box::new(self.truth(of, "the operand of `not`")?)),
                Type::Bool,
            ),
            ExprKind::Binary(op, left, right) => return self.binary(*op, left, right, span),
            ExprKind::Compare(left, rest) => return self.comparison(left, rest, span),
            ExprKind::Logic(op, left, right) => {
                let where_ = format!("each side of `{}`", op.sign());
                let left = self.truth(left, &where_)?;
                let right = self.truth(right, &where_)?;
                (ExprKind::Logic(*op, Box::new(left), Box::new(right)), Type::Bool)
            }
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.truth(condition, "the condition after `if`")?;
                let (then, first) = self.of(then)?;
                let (other, second) = self.of(otherwise)?;
                if first != second {
                    let what = format!("one side of `if ... else` is {first}, the other {second}");
                    return Err(wrong(what, otherwise, second));
                }
                (ExprKind::If(Box::new(condition), Box::new(then), Box::new(other)), first)
            }
            ExprKind::Let(name, value, body) => {
                let (value, found) = self.of(value)?;
                self.scopes.push((name.clone(), found));
                let body = self.of(body);
                self.scopes.pop();
                let (body, of_body) = body?;
                (ExprKind::Let(name.clone(), Box::new(value), Box::new(body)), of_body)
            }
            ExprKind::Call(function, arguments) => return self.call(*function, arguments, span),
            ExprKind::Each(function, name, source, body) => {
                return self.each(*function, name, source, body, span);
            }
            ExprKind::At(property, there) => return self.at(*property, there, span),
            ExprKind::Index(of, index) => {
                let (of, found) = self.of(of)?;
                if found != Type::List {
                    return Err(wrong("only a list of piles has numbered places", &of, found)
                        .hint("write `piles[1]` for the first pile"));
                }
                let index = self.number(index, "the place in a list")?;
                (ExprKind::Index(Box::new(of), Box::new(index)), Type::Int)
            }
            ExprKind::Set(members) => return self.set(members, span),
            ExprKind::Range(first, last) => {
                let first = self.number(first, "`..`")?;
                let last = self.number(last, "`..`")?;
                (ExprKind::Range(Box::new(first), Box::new(last)), Type::Ints)
            }
        };
        Ok((Expr::new(kind, span), found))
    }

    fn name(&self, name: &str, span: Span) -> Resolved {
        if let Some(place) = self.scopes.iter().rposition(|(known, _)| known == name) {
            let local = ExprKind::Local(name.to_owned(), place);
            return Ok((Expr::new(local, span), self.scopes[place].1));
        }
        if let Some(memories) = self.setting.memories
            && let Some(word) = memories.word(name, self.scopes.len(), span)
        {
            return Ok((word, Type::Int));
        }
        if let Some(names) = self.setting.names
            && let Some(set) = names.get(name, span)?
        {
            return Ok((set, Type::Ints));
        }
        let single = self.setting.single && name == "n";
        let Some(builtin) = builtin(name).or(single.then_some(Builtin::Pile(1))) else {
            let bound = self.scopes.iter().map(|(known, _)| known.as_str());
            let problem = Problem::new(format!("there is no name `{name}`"), span, "unknown");
            let single = self.setting.single.then_some("n");
            let names = NAMES.iter().map(|(n, _)| *n).chain(["remoteness", "P", "N", "L", "R"]);
            let names = names.filter(|n| !self.setting.rules || self.may_say(n, span));
            let remembered = self.setting.memories.into_iter().flat_map(crate::Memories::all);
            let bound = bound.chain(remembered.map(|of| &*of.name));
            let names = names.chain(single).chain(bound).filter(|n| !n.is_empty());
            let near = nearest(name, names.clone().chain(["p1", "p2", "p3"]));
            let mut scopes = self.scopes.iter();
            let set = scopes.find(|(_, kind)| self.setting.rules && *kind == Type::Ints);
            return Err(match near {
                _ if name == PRIMES => problem.hint("write `x in primes`, or `is_prime(x)`"),
                _ if instead(name).is_some() => problem.hint_of(instead(name)),
                _ if Function::named(name).is_some() => {
                    problem.hint(format!("`{name}` is a function; write `{name}(...)`"))
                }
                Some(near) => problem.hint(format!("did you mean `{near}`?")),
                None if set.is_some() => {
                    let set = set.map_or("", |(name, _)| name);
                    problem.hint(format!(
                        "to change the pile of each member of `{set}`, choose a number for each, \
                         as in `each i in {set} t[i] in 1..piles[i]: piles[i] -= t[i]`"
                    ))
                }
                None => {
                    let names = names.collect::<Vec<_>>().join(", ");
                    problem.hint(format!("the names are p1, p2, ..., {names}"))
                }
            });
        };
        let found = self.type_of(builtin, span)?;
        Ok((Expr::new(ExprKind::Builtin(builtin), span), found))
    }

    fn may_say(&self, name: &str, span: Span) -> bool {
        builtin(name).is_some_and(|builtin| self.type_of(builtin, span).is_ok())
    }

    /// Returns the type of a name, or an error if the game does not have the name.
    fn type_of(&self, builtin: Builtin, span: Span) -> Result<Type, Problem> {
        let Setting { game, impartial, memories, moves, rules, .. } = self.setting;
        let lacks =
            |what: String, hint: &str| Err(Problem::new(what, span, "not in this game").hint(hint));
        if rules && uses_values(builtin) {
            return Err(of_values(&builtin.to_string(), span));
        }
        match builtin {
            Builtin::Value if !impartial => lacks(
                format!("positions of {game} have outcome classes and no Grundy values"),
                "write `outcome`, as in `outcome == P`",
            ),
            Builtin::LastMove if !memories.is_some_and(Memories::has_last_move) => {
                let hint = match rules {
                    true => "write a line `remembers: last move`",
                    false => "leave out `last_move`",
                };
                lacks(format!("{game} does not remember the last move"), hint)
            }
            Builtin::Moves | Builtin::Size if !moves => lacks(
                format!("{game} does not remember which moves are left"),
                "leave out `moves` and `size`",
            ),
            Builtin::LeftOptions | Builtin::RightOptions if impartial => {
                lacks(format!("in {game} both players have the same moves"), "write `options`")
            }
            Builtin::Options if !impartial => Ok(Type::Classes),
            Builtin::LeftOptions | Builtin::RightOptions => Ok(Type::Classes),
            Builtin::Moves | Builtin::Options => Ok(Type::Ints),
            Builtin::Piles | Builtin::Middle | Builtin::Reverse => Ok(Type::List),
            Builtin::Outcome | Builtin::Class(_) => Ok(Type::Class),
            _ => Ok(Type::Int),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Resolved {
        let ((x, of_x), (y, of_y)) = (self.of(left)?, self.of(right)?);
        let of_sets = matches!(op, BinaryOp::Or | BinaryOp::And | BinaryOp::Xor | BinaryOp::Sub);
        let is_set = |found| matches!(found, Type::Ints | Type::Classes);
        let sign = op.sign();
        if of_x == of_y && (of_x == Type::Int || of_sets && is_set(of_x)) {
            return Ok((Expr::new(ExprKind::Binary(op, Box::new(x), Box::new(y)), span), of_x));
        }
        if is_set(of_x) && is_set(of_y) && of_sets || of_x == Type::Int && is_set(of_y) {
            let what = format!("`{sign}` cannot stand between {of_x} and {of_y}");
            return Err(wrong(what, right, of_y));
        }
        let bad = if of_x == Type::Int { (right, of_y) } else { (left, of_x) };
        let problem = wrong(format!("`{sign}` takes numbers, not {of_x} and {of_y}"), bad.0, bad.1);
        Err(match (op, bad.1) {
            (BinaryOp::And, Type::Bool) => problem.hint("write `and`; `&` binds tighter than `==`"),
            (BinaryOp::Or, Type::Bool) => problem.hint("write `or`; `|` binds tighter than `==`"),
            (BinaryOp::Xor, Type::Bool) => problem.hint("write `!=` between truth values"),
            (_, Type::Class) => problem.hint("compare classes by `==`"),
            (_, Type::List) => problem.hint("write `sum(...)`, `xor(...)` or `max(...)` of a list"),
            _ => problem,
        })
    }

    fn comparison(&mut self, left: &Expr, rest: &[(CompareOp, Expr)], span: Span) -> Resolved {
        if let [(op @ (CompareOp::In | CompareOp::NotIn), set)] = rest
            && self.is_primes(set)
        {
            let number = self.number(left, "`in primes`")?;
            return Ok((is_prime(number, *op == CompareOp::In, span), Type::Bool));
        }
        let (first, mut before) = self.of(left)?;
        let mut resolved = Vec::with_capacity(rest.len());
        let mut last = left;
        for (op, right) in rest {
            let (y, found) = self.of(right)?;
            let fits = match op {
                CompareOp::Equal | CompareOp::Unequal => before == found,
                CompareOp::In | CompareOp::NotIn => matches!(
                    (before, found),
                    (Type::Int, Type::Ints | Type::List) | (Type::Class, Type::Classes)
                ),
                _ => before == Type::Int && found == Type::Int,
            };
            if !fits {
                let sign = op.sign();
                let what = format!("`{sign}` cannot stand between {before} and {found}");
                let bad = if before == Type::Int { (right, found) } else { (last, before) };
                let problem = wrong(what, bad.0, bad.1);
                return Err(match op {
                    CompareOp::In | CompareOp::NotIn => {
                        problem.hint("write a number, then a set or list, as in `g in {1, 2}`")
                    }
                    CompareOp::Equal if [before, found].contains(&Type::Bool) => {
                        problem.hint("write `<->` for if and only if, as in `P <-> first == last`")
                    }
                    CompareOp::Equal | CompareOp::Unequal => {
                        problem.hint("both sides must be of the same kind")
                    }
                    _ => problem.hint("only numbers can be compared by size"),
                });
            }
            resolved.push((*op, y));
            (before, last) = (found, right);
        }
        Ok((Expr::new(ExprKind::Compare(Box::new(first), resolved), span), Type::Bool))
    }

    /// True if an expression is the word `primes`, which stands for all prime numbers.
    pub(crate) fn is_primes(&self, set: &Expr) -> bool {
        matches!(&set.kind, ExprKind::Name(name)
            if name == PRIMES && self.scopes.iter().all(|(known, _)| known != name))
    }

    fn call(&mut self, function: Function, arguments: &[Expr], span: Span) -> Resolved {
        let (name, takes) = (function.name(), function.takes());
        let problem = |what: String| Problem::new(what, span, "here");
        match takes {
            Takes::Condition => {
                let what = format!("`{name}` needs a condition on the members of a list or a set");
                let hint = format!("write `{name}(x in piles: x > 1)`");
                return Err(problem(what).hint(hint));
            }
            Takes::Numbers if arguments.is_empty() => {
                let hint = format!("write `{name}(piles)`, or list numbers");
                return Err(problem(format!("`{name}` has no arguments")).hint(hint));
            }
            Takes::Numbers => {}
            _ if arguments.len() != 1 => {
                let what = format!("`{name}` takes one argument, not {}", arguments.len());
                return Err(problem(what));
            }
            Takes::End => return self.at_end(function, &arguments[0], span),
            Takes::Number | Takes::Set => {}
        }
        let mut resolved = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let (x, found) = self.of(argument)?;
            let fits = match takes {
                Takes::Number => found == Type::Int,
                Takes::Set => matches!(found, Type::Ints | Type::Classes | Type::List),
                _ => matches!(found, Type::Int | Type::Ints | Type::List),
            };
            if !fits {
                let takes = if takes == Takes::Set { "a set or a list" } else { "numbers" };
                return Err(wrong(format!("`{name}` takes {takes}"), argument, found));
            }
            resolved.push(x);
        }
        match (function, resolved.pop()) {
            (Function::IsPrime, Some(number)) => Ok((is_prime(number, true, span), Type::Bool)),
            (_, last) => {
                resolved.extend(last);
                Ok((Expr::new(ExprKind::Call(function, resolved), span), Type::Int))
            }
        }
    }

    /// Resolves a function of an end, such as `run(first)`.
    fn at_end(&self, function: Function, argument: &Expr, span: Span) -> Resolved {
        let ends = [End::First, End::Last];
        let end = ends.into_iter().find(|end| match &argument.kind {
            ExprKind::Name(name) => name == end.name(),
            _ => false,
        });
        let Some(end) = end else {
            let name = function.name();
            let what = format!("`{name}` takes an end of the position");
            let hint = format!("write `{name}(first)` or `{name}(last)`");
            return Err(Problem::new(what, argument.span, "not an end").hint(hint));
        };
        let builtin = match function {
            Function::Run => Builtin::Run(end),
            _ => Builtin::After(end),
        };
        Ok((Expr::new(ExprKind::Builtin(builtin), span), Type::Int))
    }

    fn each(
        &mut self,
        function: Function,
        name: &str,
        source: &Expr,
        body: &Expr,
        span: Span,
    ) -> Resolved {
        let (source_of, found) = self.of(source)?;
        let member = match found {
            Type::Ints | Type::List => Type::Int,
            Type::Classes => Type::Class,
            _ => {
                let what = format!("`{name} in` must be followed by a list, a set or a range");
                return Err(wrong(what, source, found).hint("as in `piles`, `{1, 2}` or `1..k`"));
            }
        };
        self.scopes.push((name.to_owned(), member));
        let (where_, truths) = match function {
            Function::All | Function::Any | Function::Count => (function.name(), true),
            _ => (function.name(), false),
        };
        let said = match truths {
            true => self.truth(body, &format!("the condition of `{where_}` on each member")),
            false => self.number(body, &format!("`{where_}`")),
        };
        self.scopes.pop();
        let result = match function {
            Function::All | Function::Any => Type::Bool,
            Function::Each => Type::List,
            _ => Type::Int,
        };
        let parts = (Box::new(source_of), Box::new(said?));
        Ok((Expr::new(ExprKind::Each(function, name.to_owned(), parts.0, parts.1), span), result))
    }

    fn at(&mut self, property: Property, there: &OtherPosition, span: Span) -> Resolved {
        if self.setting.rules {
            return Err(of_values(property.name(), span));
        }
        let (setting, name) = self.game(there.game.as_ref())?;
        let Setting { game, impartial, memories, moves, .. } = setting;
        if property == Property::Value && !impartial {
            let what = format!("positions of {game} have outcome classes and no Grundy values");
            let hint = match &there.game {
                None => "write `outcome(...)`".to_owned(),
                Some(_) => format!("write `outcome[{game}]`, as in `P[{game}] -> P`"),
            };
            return Err(Problem::new(what, span, "not in this game").hint(hint));
        }
        if property == Property::Remoteness && !impartial {
            let what = format!(
                "{game} has no remoteness, because its positions have only outcome classes"
            );
            return Err(Problem::new(what, span, "not in this game").hint("write `outcome`"));
        }
        let Some(piles) = &there.piles else {
            return self.here(property, there, setting, span);
        };
        let mut resolved = Vec::with_capacity(piles.len());
        for pile in piles {
            let (x, found) = self.of(pile)?;
            if !matches!(found, Type::Int | Type::List) {
                let what = "a position is named by its piles: numbers or lists of piles";
                return Err(wrong(what, pile, found));
            }
            resolved.push(x);
        }
        let (wanted, many, what) = match (memories, moves) {
            (Some(of), _) if of == Memories::LAST_MOVE => {
                (Type::Int, 1, "the last move, a number".to_owned())
            }
            (Some(of), _) => {
                let names: Vec<&str> = of.all().iter().map(|of| &*of.name).collect();
                (Type::Int, names.len(), format!("numbers for {}", names.join(", ")))
            }
            (None, true) => (Type::Ints, 1, "the moves that are left, a set of numbers".to_owned()),
            (None, false) => (Type::Int, 0, String::new()),
        };
        let mut memory = Vec::with_capacity(there.memory.len());
        for (at, number) in there.memory.iter().enumerate() {
            if many == 0 {
                let what = format!("{game} remembers nothing besides the piles");
                return Err(
                    Problem::new(what, number.span, "here").hint("leave out the part from `;` on")
                );
            }
            let (x, found) = self.of(number)?;
            if found != wanted {
                return Err(wrong(format!("`;` must be followed by {what}"), number, found));
            }
            if at + 1 == there.memory.len() && at + 1 != many || at >= many {
                let what = format!("`;` must be followed by {what}");
                return Err(Problem::new(what, number.span, format!("this is number {}", at + 1)));
            }
            memory.push(x);
        }
        let found = match property {
            Property::Value | Property::Remoteness => Type::Int,
            Property::Outcome => Type::Class,
            Property::Exists | Property::Is(_) => Type::Bool,
        };
        let there = OtherPosition { game: name, piles: Some(resolved), memory };
        Ok((Expr::new(ExprKind::At(property, there), span), found))
    }

    /// Returns the setting of a named game, and its name in the resolved tree.
    fn game(&self, name: Option<&GameName>) -> Result<(Setting<'a>, Option<GameName>), Problem> {
        let (Some(GameName { name, span, .. }), own) = (name, self.setting) else {
            return Ok((self.setting, None));
        };
        let says = match name.contains(['/', '\\']) {
            true => "this rule file gives no game",
            false => "no game has this name",
        };
        let problem = |what| Problem::new(what, *span, says);
        let games = own.games.ok_or_else(|| problem("there are no other games here".to_owned()))?;
        let says_in = name.contains(" in ");
        let hint = if says_in { instead("exists") } else { None };
        let found = games.named(name).map_err(|what| problem(what).hint_of(hint))?;
        if found.game == own.game {
            return Ok((own, None));
        }
        let (name, symmetric) = (found.game.to_owned(), found.symmetric);
        Ok((found, Some(GameName { name, span: *span, symmetric })))
    }

    /// Resolves a property of the current position in another game, such as `g[nim]`. Passes on the
    /// memory if both games have the same kind of memory.
    fn here(
        &mut self,
        property: Property,
        there: &OtherPosition,
        setting: Setting<'_>,
        span: Span,
    ) -> Resolved {
        let named = |name: &str| Expr::new(ExprKind::Name(name.to_owned()), span);
        let own = self.setting;
        if setting.game == own.game {
            match property {
                Property::Exists | Property::Remoteness => {}
                Property::Value | Property::Outcome => return self.name(property.name(), span),
                Property::Is(_) => {
                    return Ok((self.truth(&named(property.name()), "")?, Type::Bool));
                }
            }
        }
        let memory = match own.memories.filter(|_| setting.memories == own.memories) {
            Some(memories) => memories.all().iter().map(|of| named(&of.name)).collect(),
            None if setting.moves && own.moves => vec![named("moves")],
            None => Vec::new(),
        };
        let piles = Some(vec![named("piles")]);
        self.at(property, &OtherPosition { game: there.game.clone(), piles, memory }, span)
    }

    fn set(&mut self, members: &[Expr], span: Span) -> Resolved {
        let mut resolved = Vec::with_capacity(members.len());
        let mut of_all = None;
        for member in members {
            let (x, found) = self.of(member)?;
            let set = match (&x.kind, found) {
                (ExprKind::Range(..), _) | (_, Type::Int | Type::List) => Type::Ints,
                (_, Type::Class) => Type::Classes,
                _ => {
                    let what = "the members of a set are numbers, ranges, lists or outcome classes";
                    return Err(wrong(what, member, found));
                }
            };
            if of_all.is_some_and(|before| before != set) {
                return Err(wrong("the members of a set must be of the same kind", member, found));
            }
            of_all = Some(set);
            match (&x.kind, self.setting.names) {
                (ExprKind::Each(Function::Each, ..), Some(names)) => {
                    resolved.extend(names.members(&x, self.scopes.len())?);
                }
                (ExprKind::Each(Function::Each, ..), None) => {
                    let what = "only a rule file lists a set by `each`";
                    return Err(Problem::new(what, x.span, "here").hint("list its numbers"));
                }
                _ => resolved.push(x),
            }
        }
        Ok((Expr::new(ExprKind::Set(resolved), span), of_all.unwrap_or(Type::Ints)))
    }
}
