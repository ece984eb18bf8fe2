//! Lines of rule files that define moves.
//!
//! ```text
//!   i in 1..k, t in 1..piles[i] if k >= 2: piles[i] -= t
//!   └───────── binders ───────┘ condition   └─ effects ─┘
//! ```
//!
//! Each binder makes a choice, which may depend on the choices to its left. A condition selects the
//! choices that are moves. Effects change the piles. The same types represent a line before and
//! after its names are resolved ([`resolve_move`]).

use crate::Player;
use crate::ast::{BinaryOp, Builtin, Expr, ExprKind, Function, LogicOp, power};
use crate::lexer::Token;
use crate::memories::{LAST, LAST_MOVE, MOST_STATES, Memories, Remembered};
use crate::names::{Names, TAKEN, constant};
use crate::parser::{Parser, parse_part};
use crate::problem::{Problem, Span};
use crate::resolve::{Resolver, Setting, Type, is_prime};

/// A line of a rule file that defines moves.
#[derive(Clone, Debug)]
pub struct MoveRule {
    pub player: Player,
    /// The choices. Each may depend on earlier choices.
    pub binders: Vec<Binder>,
    /// The parts of the condition that use no binder. They are tested first.
    pub before: Vec<Expr>,
    /// The other parts of the condition. They are tested after all choices.
    pub after: Vec<Expr>,
    /// The changes of the piles, which are all computed from the old position.
    pub effects: Vec<Effect>,
    /// The numbers that the move remembers, each with its place among the
    /// [`Memories`].
    pub remembers: Vec<(usize, Expr)>,
    pub span: Span,
}

/// A choice that is a part of a move.
#[derive(Clone, Debug)]
pub struct Binder {
    /// The name in the text. For `each i in H t[i]` it is `t`.
    pub name: String,
    pub span: Span,
    /// The place of the name. The first name has place 0.
    pub place: usize,
    pub of: Choice,
}

#[derive(Clone, Debug)]
pub enum Choice {
    Number(Numbers),
    /// A subset of a range, with at least `least` and at most `most` members.
    Subset {
        from: Expr,
        to: Expr,
        least: Expr,
        most: Expr,
    },
    /// `width` consecutive numbers of a range. If `cyclic`, the first number follows the last.
    Window {
        from: Expr,
        to: Expr,
        width: Expr,
        cyclic: bool,
    },
    /// A number for each member of a set. The name is bound to a list of these numbers, with 0 for
    /// other indices. The member's name has the place before the list's name.
    Each {
        members: Expr,
        member: String,
        numbers: Numbers,
    },
}

#[derive(Clone, Debug)]
pub enum Numbers {
    /// All numbers from the first to the second, inclusive; none if the second is smaller.
    Range(Expr, Expr),
    Set(Expr),
}

#[derive(Clone, Debug)]
pub struct Effect {
    /// The number of the pile: 1 for `first`, k for `last`, and 1 for the pile of a sum.
    pub pile: Expr,
    /// The index of the variable of an `each`, if the effect applies to every member.
    pub over: Option<usize>,
    pub change: Change,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Change {
    Less(Expr),
    Becomes(Expr),
    /// Splits the pile into these piles, or into lists of piles. It occurs only in sums, and in
    /// heaps with `within: total`.
    Parts(Vec<Expr>),
}

impl MoveRule {
    /// True if a choice that takes no coins is skipped; false if such a choice is an error.
    pub fn skips_nothing(&self) -> bool {
        self.binders.iter().any(|binder| matches!(binder.of, Choice::Each { .. }))
    }
}

/// Parses a line of moves in a part of a text.
pub fn parse_move(text: &str, part: Span, player: Player) -> Result<MoveRule, Problem> {
    let mut parser = Parser::of_part(text, part)?;
    let mut binders = Vec::new();
    if parser.is_name("each") || parser.then_is_name("in") {
        loop {
            binders.push(parser.binder()?);
            if !parser.takes_sign(",") {
                break;
            }
        }
    }
    let mut after = Vec::new();
    if parser.takes_name("if") {
        after.push(parser.expression(power::LOOSE)?);
    }
    match binders.is_empty() && after.is_empty() {
        true => _ = parser.takes_sign(":"),
        false => parser.expect(":", "between the choices and the effects")?,
    }
    let mut effects = Vec::new();
    loop {
        effects.push(parser.effect()?);
        if !parser.takes_sign(",") {
            break;
        }
    }
    parser.ends("the move")?;
    Ok(MoveRule {
        player,
        binders,
        before: Vec::new(),
        after,
        effects,
        remembers: Vec::new(),
        span: part,
    })
}

impl Parser {
    fn binder(&mut self) -> Result<Binder, Problem> {
        if self.takes_name("each") {
            let member = self.fresh_name("`each`")?;
            self.expect_in("`each`", "`each i in H t[i] in 1..piles[i]`")?;
            let members = self.before_name(Parser::range_or_set)?;
            let members = match members {
                Numbers::Set(set) => set,
                Numbers::Range(from, to) => {
                    let span = from.span.to(to.span);
                    Expr::new(ExprKind::Range(Box::new(from), Box::new(to)), span)
                }
            };
            let span = self.span();
            let name = self.fresh_name("the set")?;
            self.expect("[", "after the name, as in `t[i]`")?;
            if !self.takes_name(&member) {
                return Err(self.unexpected(&format!("`{member}` is missing, as in `t[{member}]`")));
            }
            self.expect("]", "after the name, as in `t[i]`")?;
            self.expect_in("`t[i]`", "`t[i] in 1..piles[i]`")?;
            let numbers = self.range_or_set()?;
            let of = Choice::Each { members, member, numbers };
            return Ok(Binder { name, span, place: 0, of });
        }
        let span = self.span();
        let is_number = matches!(self.peek(), Token::Int(_));
        let name = self.fresh_name("the previous part").map_err(|problem| match is_number {
            true => problem.hint("write a set of numbers in braces, as in `t in {1, 2, 3}`"),
            false => problem,
        })?;
        self.expect_in("the name", "`t in 1..first`")?;
        let is_called = |parser: &Parser, name| parser.is_name(name) && parser.then_is_sign("(");
        let of = if is_called(self, "subsets") {
            let (from, to) = self.of_range("subsets")?;
            let least = self.expression(power::OR)?;
            let most = match self.takes_sign("..") {
                true => self.expression(power::OR)?,
                false => least.clone(),
            };
            self.expect(")", "after the numbers of members")?;
            Choice::Subset { from, to, least, most }
        } else if is_called(self, "windows") || self.is_name("cyclic") {
            let cyclic = self.takes_name("cyclic");
            if !is_called(self, "windows") {
                return Err(self.unexpected("`cyclic` must be followed by `windows(a..b, w)`"));
            }
            let (from, to) = self.of_range("windows")?;
            let width = self.expression(power::OR)?;
            self.expect(")", "after the number of neighbours")?;
            Choice::Window { from, to, width, cyclic }
        } else {
            Choice::Number(self.range_or_set()?)
        };
        Ok(Binder { name, span, place: 0, of })
    }

    fn expect_in(&mut self, behind: &str, example: &str) -> Result<(), Problem> {
        match self.takes_name("in") {
            true => Ok(()),
            false => {
                let what = format!("`in` is missing after {behind}");
                Err(self.unexpected(&what).hint(format!("write {example}")))
            }
        }
    }

    /// Parses the beginning of `subsets(a..b, `.
    fn of_range(&mut self, name: &str) -> Result<(Expr, Expr), Problem> {
        self.take();
        self.expect("(", "here")?;
        let Numbers::Range(from, to) = self.range_or_set()? else {
            return Err(self.unexpected(&format!("`{name}` take a range, as in `{name}(1..k, 2)`")));
        };
        self.expect(",", "after the range")?;
        Ok((from, to))
    }

    /// Parses ` in a..b` after a name.
    pub(crate) fn range_of(&mut self, name: &str) -> Result<(Expr, Expr), Problem> {
        self.expect_in(&format!("`{name}`"), &format!("`{name} in 0..3`"))?;
        match self.range_or_set()? {
            Numbers::Range(from, to) => Ok((from, to)),
            Numbers::Set(set) => Err(Problem::new("a memory has a range", set.span, "here")),
        }
    }

    fn range_or_set(&mut self) -> Result<Numbers, Problem> {
        let first = self.expression(power::OR)?;
        match self.takes_sign("..") {
            true => Ok(Numbers::Range(first, self.expression(power::OR)?)),
            false => Ok(Numbers::Set(first)),
        }
    }

    fn effect(&mut self) -> Result<Effect, Problem> {
        let start = self.span();
        if !matches!(self.peek(), Token::Name(_)) {
            return Err(self
                .unexpected("the effect on a pile is missing")
                .hint("write `first -= t`, or `piles[i] := 0`"));
        }
        let pile = self.postfix()?;
        let change = if self.takes_sign("-=") {
            Change::Less(self.expression(power::IFF)?)
        } else if self.takes_sign("+=") {
            let more = self.expression(power::IFF)?;
            let span = pile.span.to(more.span);
            let parts = (Box::new(pile.clone()), Box::new(more));
            Change::Becomes(Expr::new(ExprKind::Binary(BinaryOp::Add, parts.0, parts.1), span))
        } else if self.takes_sign(":=") {
            match self.takes_sign("[") {
                false => Change::Becomes(self.expression(power::IFF)?),
                true => {
                    let mut parts = Vec::new();
                    while !self.is_sign("]") {
                        parts.push(self.each_or(|parser| parser.expression(power::IFF))?);
                        if !self.takes_sign(",") {
                            break;
                        }
                    }
                    self.expect("]", "after the piles")?;
                    Change::Parts(parts)
                }
            }
        } else {
            let problem = self.unexpected("a pile must be followed by `-=`, `+=` or `:=`");
            return Err(problem.hint("write `first -= t` to take t, or `first := 0` to leave 0"));
        };
        Ok(Effect { pile, over: None, change, span: start.to(self.previous()) })
    }
}

/// Defines a set that a rule file names. The parts of the text are its name and its members.
pub fn define_set(
    names: &mut Names,
    text: &str,
    [name, set]: [Span; 2],
    setting: Setting<'_>,
) -> Result<(), Problem> {
    let mut parser = Parser::of_part(text, name)?;
    let called = parser.fresh_name("`set`")?;
    parser.ends("the name of the set")?;
    let raw = parse_part(text, set)?;
    let before = names.numbers();
    let mut resolver = Resolver::new(Setting { names: Some(names), ..setting });
    match resolver.of(&raw)? {
        (resolved, Type::Ints) => {
            let is_taken = setting.memories.is_some_and(|of| of.place(&called).is_some());
            names.define(called, name, &resolved, before, is_taken)
        }
        (_, found) => Err(Problem::new("a set has numbers", set, format!("this is {found}"))
            .hint("write `{1, 4, 9}`, or `{each i in 1..3: i * i}`")),
    }
}

/// Returns the memories of these lines; `None` if there are none.
pub fn read_memories(
    text: &str,
    lines: &[Span],
    setting: Setting<'_>,
) -> Result<Option<Memories>, Problem> {
    let mut all: Vec<Remembered> = Vec::new();
    let mut states = 1u32;
    for &line in lines {
        let is_last = text[line.start..line.end].trim() == "last move";
        let next = if is_last { LAST } else { read_memory(text, line, setting)? };
        let problem = |what: String| Err(Problem::new(what, line, "here"));
        if all.iter().any(|known| known.name == next.name) {
            return problem(format!("`{}` is remembered twice", next.name));
        }
        if is_last && !all.is_empty() {
            return problem("`remembers: last move` stands before the other memories".to_owned());
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
    Ok(Memories::new(&all))
}

/// Parses `NAME in a..b`.
fn read_memory(text: &str, line: Span, setting: Setting<'_>) -> Result<Remembered, Problem> {
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

/// Resolves the names of a line. In a sum, `n` is the size of the pile.
pub fn resolve_move(raw: MoveRule, setting: Setting<'_>) -> Result<MoveRule, Problem> {
    let names: Vec<String> = raw.binders.iter().map(|binder| binder.name.clone()).collect();
    resolved(raw, setting).map_err(|problem| {
        let early = names.iter().find(|name| problem.what == format!("there is no name `{name}`"));
        match early {
            None => problem,
            Some(name) => problem
                .saying(format!("`{name}` is used before it is bound"))
                .hint("bind it further left, because a binder may use only earlier names"),
        }
    })
}

fn resolved(raw: MoveRule, setting: Setting<'_>) -> Result<MoveRule, Problem> {
    let mut resolver = Resolver::new(setting);
    let mut known: Vec<String> = Vec::new();
    let mut members: Vec<(usize, String)> = Vec::new();
    let mut binders = Vec::with_capacity(raw.binders.len());
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for Binder { name, span, of, .. } in raw.binders {
        let is_remembered = setting.memories.is_some_and(|of| of.place(&name).is_some());
        if known.contains(&name) || is_remembered || setting.single && name == "n" {
            let what = format!("`{name}` is bound twice");
            return Err(Problem::new(what, span, "here again").hint("take another name"));
        }
        known.push(name.clone());
        let number = |resolver: &mut Resolver<'_>, expr: &Expr| resolver.number(expr, "a choice");
        let (of, found) = match of {
            Choice::Number(Numbers::Set(set)) if resolver.is_primes(&set) => {
                // No move takes or leaves more coins than there are.
                let coins = if setting.single { Builtin::Pile(1) } else { Builtin::Total };
                let [from, to] = [ExprKind::Int(2), ExprKind::Builtin(coins)]
                    .map(|kind| Expr::new(kind, set.span));
                let place = resolver.next_place();
                let number = Expr::new(ExprKind::Local(name.clone(), place), set.span);
                after.push(is_prime(number, true, set.span));
                (Choice::Number(Numbers::Range(from, to)), Type::Int)
            }
            Choice::Number(of) => (Choice::Number(numbers(&mut resolver, &of)?), Type::Int),
            Choice::Subset { from, to, least, most } => {
                let mut number = |expr| number(&mut resolver, expr);
                let [from, to, least, most] =
                    [number(&from)?, number(&to)?, number(&least)?, number(&most)?];
                (Choice::Subset { from, to, least, most }, Type::Ints)
            }
            Choice::Window { from, to, width, cyclic } => {
                let mut number = |expr| number(&mut resolver, expr);
                let [from, to, width] = [number(&from)?, number(&to)?, number(&width)?];
                (Choice::Window { from, to, width, cyclic }, Type::Ints)
            }
            Choice::Each { members: set, member, numbers: of } => {
                let set = members_of(&mut resolver, &set)?;
                let place = resolver.name_next(&member, Type::Int);
                let of = numbers(&mut resolver, &of)?;
                // Hide the name from later binders and conditions, but not from effects.
                resolver.rename(place, "");
                members.push((place, member.clone()));
                (Choice::Each { members: set, member, numbers: of }, Type::List)
            }
        };
        let place = resolver.name_next(&name, found);
        binders.push(Binder { name, span, place, of });
    }
    let places = binders.last().map_or(0, |binder| binder.place + 1);
    for condition in &raw.after {
        let condition = resolver.truth(condition, "the condition of a move")?;
        for part in conjuncts(condition) {
            match uses(&part, &mut |place| place < places) {
                true => after.push(part),
                false => before.push(part),
            }
        }
    }
    for (place, name) in &members {
        resolver.rename(*place, name);
    }
    let mut effects: Vec<Effect> = Vec::with_capacity(raw.effects.len());
    let mut remembers: Vec<(usize, Expr)> = Vec::new();
    for Effect { pile, change, span, .. } in raw.effects {
        if let ExprKind::Name(name) = &pile.kind
            && let Some(place) = setting.memories.and_then(|of| of.place(name))
        {
            let number = remembered(&mut resolver, name, change, span, &members)?;
            if remembers.iter().any(|(before, _)| *before == place) {
                let what = format!("two effects change `{name}`");
                return Err(Problem::new(what, span, "changed again here"));
            }
            remembers.push((place, number));
            continue;
        }
        let mut number = |expr: &Expr| resolver.number(expr, "the effect on a pile");
        let mut made = Vec::new();
        let change = match (change, setting.single) {
            (Change::Less(e), false) => Change::Less(number(&e)?),
            (Change::Becomes(e), false) => Change::Becomes(number(&e)?),
            (Change::Less(e), true) => {
                let rest = ExprKind::Binary(
                    BinaryOp::Sub,
                    Box::new(Expr::new(ExprKind::Builtin(Builtin::Pile(1)), e.span)),
                    Box::new(number(&e)?),
                );
                Change::Parts(vec![Expr::new(rest, e.span)])
            }
            (Change::Becomes(e), true) => Change::Parts(vec![number(&e)?]),
            (Change::Parts(all), _) => {
                let part = |part: &Expr| match part.kind {
                    ExprKind::Each(Function::Each, ..) => Ok(resolver.of(part)?.0),
                    _ => resolver.number(part, "the effect on a pile"),
                };
                Change::Parts(all.iter().map(part).collect::<Result<_, _>>()?)
            }
        };
        let pile = target(&mut resolver, &pile, setting)?;
        match &change {
            Change::Less(e) | Change::Becomes(e) => made.push(e),
            Change::Parts(all) => made.extend(all),
        }
        made.push(&pile);
        let over =
            |place: usize| made.iter().any(|e| uses(e, &mut |used| used == place)).then_some(place);
        let mut over = members.iter().filter_map(|&(place, _)| over(place));
        let (first, second) = (over.next(), over.next());
        if second.is_some() {
            let what = "an effect uses the members of one `each`, but this uses two";
            return Err(Problem::new(what, span, "here").hint("write one effect for each of them"));
        }
        if effects.iter().any(|before| before.pile == pile) {
            let what = "two effects change the same pile";
            return Err(Problem::new(what, span, "changed again here")
                .hint("write one effect for the pile"));
        }
        effects.push(Effect { pile, over: first, change, span });
    }
    remembers.sort_by_key(|(place, _)| *place);
    Ok(MoveRule { binders, before, after, effects, remembers, ..raw })
}

/// Returns the number that a move remembers under a name.
fn remembered(
    resolver: &mut Resolver<'_>,
    name: &str,
    change: Change,
    span: Span,
    members: &[(usize, String)],
) -> Result<Expr, Problem> {
    let wrong = |what: String, hint: &str| Err(Problem::new(what, span, "here").hint(hint));
    if name == LAST_MOVE {
        return wrong("every move sets `last_move` itself".to_owned(), "leave the effect out");
    }
    let Change::Becomes(number) = change else {
        return wrong(format!("`{name}` takes one number"), &format!("write `{name} := 1`"));
    };
    let number = resolver.number(&number, "a memory")?;
    if uses(&number, &mut |place| members.iter().any(|(member, _)| *member == place)) {
        let what = format!("`{name}` is one number, and `each` gives several");
        return wrong(what, "compute one number, as in `sum(i in H: t[i])`");
    }
    Ok(number)
}

fn numbers(resolver: &mut Resolver<'_>, of: &Numbers) -> Result<Numbers, Problem> {
    Ok(match of {
        Numbers::Range(from, to) => {
            let from = resolver.number(from, "a range")?;
            Numbers::Range(from, resolver.number(to, "a range")?)
        }
        Numbers::Set(set) => Numbers::Set(members_of(resolver, set)?),
    })
}

fn members_of(resolver: &mut Resolver<'_>, set: &Expr) -> Result<Expr, Problem> {
    match resolver.of(set)? {
        (set, Type::Ints | Type::List) => Ok(set),
        (_, found) => Err(Problem::new(
            "`in` must be followed by a range or a set of numbers",
            set.span,
            format!("this is {found}"),
        )
        .hint("write `t in 1..first`, or `t in {1, 4, 9}`")),
    }
}

fn target(resolver: &mut Resolver<'_>, pile: &Expr, setting: Setting<'_>) -> Result<Expr, Problem> {
    let of = |kind| Ok(Expr::new(kind, pile.span));
    match &pile.kind {
        ExprKind::Index(list, place) if list.kind == ExprKind::Name("piles".to_owned()) => {
            return resolver.number(place, "the place of a pile");
        }
        ExprKind::Name(name) => match (crate::resolve::builtin(name), setting.single) {
            (_, true) if name == "n" => return of(ExprKind::Int(1)),
            (Some(Builtin::First), false) => return of(ExprKind::Int(1)),
            (Some(Builtin::Last), false) => return of(ExprKind::Builtin(Builtin::Length)),
            (Some(Builtin::Pile(number)), false) => return of(ExprKind::Int(number as i128)),
            _ => {}
        },
        _ => {}
    }
    let hint = match setting.single {
        true => "in a sum the pile is `n`",
        false => "a pile is `first`, `last`, `p1` and so on, or `piles[i]`",
    };
    Err(Problem::new("this is not a pile", pile.span, "here").hint(hint))
}

/// Returns the parts of a condition that are joined by `and` at the outermost level.
fn conjuncts(condition: Expr) -> Vec<Expr> {
    match condition.kind {
        ExprKind::Logic(LogicOp::And, left, right) => {
            let mut all = conjuncts(*left);
            all.extend(conjuncts(*right));
            all
        }
        _ => vec![condition],
    }
}

/// True if the expression uses a bound name whose place satisfies `fits`.
pub fn uses(expr: &Expr, fits: &mut dyn FnMut(usize) -> bool) -> bool {
    if let ExprKind::Local(_, place) = expr.kind {
        return fits(place);
    }
    let mut found = false;
    expr.each_child(&mut |child| found = found || uses(child, fits));
    found
}
