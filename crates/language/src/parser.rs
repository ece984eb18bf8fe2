//! Builds the tree from words, by precedence climbing.
//!
//! Operators bind as in Python. The loosest operators are `->`, which is right-associative, and
//! `<->`, which does not chain. Brackets nest at most `DEEPEST` deep, and the tree has at most
//! `DEEPEST` levels. A chain 1 + 1 + 1 + ... adds a level for each operator. So no text can make
//! recursion over the tree exhaust the stack.

use crate::ast::{
    BinaryOp, CompareOp, Expr, ExprKind, Function, GameName, LogicOp, OtherPosition, Property,
    UnaryOp, power,
};
use crate::lexer::{Token, words};
use crate::problem::{Problem, Span};

/// The largest number of bytes of a statement.
pub const LONGEST: usize = 1 << 16;

const DEEPEST: usize = 200;

const RESERVED: [&str; 10] =
    ["and", "or", "not", "in", "let", "if", "else", "true", "false", "options"];

pub fn parse(text: &str) -> Result<Expr, Problem> {
    if text.len() > LONGEST {
        let what = format!("a statement has at most {LONGEST} bytes; this one has {}", text.len());
        let span = Span::new(LONGEST, LONGEST);
        return Err(Problem::new(what, span, "the limit is here").of(text));
    }
    parse_part(text, Span::new(0, text.len())).map_err(|problem| problem.of(text))
}

pub fn parse_part(text: &str, part: Span) -> Result<Expr, Problem> {
    let mut parser = Parser::of_part(text, part)?;
    let expr = parser.expression(power::LOOSE)?;
    parser.ends("the statement")?;
    Ok(expr)
}

/// Parses a list of expressions with commas between them.
pub fn parse_list(text: &str, part: Span) -> Result<Vec<Expr>, Problem> {
    let mut parser = Parser::of_part(text, part)?;
    let mut all = vec![parser.expression(power::LOOSE)?];
    while parser.takes_sign(",") {
        all.push(parser.expression(power::LOOSE)?);
    }
    parser.ends("the list")?;
    Ok(all)
}

fn too_deep(span: Span) -> Problem {
    Problem::new("the statement is nested too deeply", span, "this part of it")
        .hint("name parts of it with `let`, or write several statements")
}

pub(crate) struct Parser {
    words: Vec<(Token, Span)>,
    next: usize,
    depth: usize,
    /// True if a name may follow a complete expression. If false, an operator must precede a name.
    name_ends: bool,
}

type Parsed = Result<Expr, Problem>;

impl Parser {
    pub(crate) fn of_part(text: &str, part: Span) -> Result<Parser, Problem> {
        Ok(Parser { words: words(text, part)?, next: 0, depth: 0, name_ends: false })
    }

    /// Returns an error unless the text ends here.
    pub(crate) fn ends(&self, what: &str) -> Result<(), Problem> {
        match self.peek() {
            Token::End => Ok(()),
            other => {
                let found = other.shown();
                Err(self.unexpected(&format!("{what} ends before {found}")))
            }
        }
    }

    /// Parses a part that may end before a name.
    pub(crate) fn before_name<T>(&mut self, read: impl FnOnce(&mut Parser) -> T) -> T {
        self.name_ends = true;
        let found = read(self);
        self.name_ends = false;
        found
    }

    fn then(&self) -> &Token {
        &self.words[(self.next + 1).min(self.words.len() - 1)].0
    }

    pub(crate) fn then_is_name(&self, name: &str) -> bool {
        matches!(self.then(), Token::Name(found) if found == name)
    }

    pub(crate) fn then_is_sign(&self, sign: &str) -> bool {
        matches!(self.then(), Token::Sign(found) if *found == sign)
    }

    pub(crate) fn peek(&self) -> &Token {
        &self.words[self.next].0
    }

    pub(crate) fn span(&self) -> Span {
        self.words[self.next].1
    }

    pub(crate) fn previous(&self) -> Span {
        match self.next {
            0 => Span::default(),
            next => self.words[next - 1].1,
        }
    }

    pub(crate) fn take(&mut self) -> (Token, Span) {
        let word = self.words[self.next].clone();
        if self.next + 1 < self.words.len() {
            self.next += 1;
        }
        word
    }

    pub(crate) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(found) if *found == sign)
    }

    pub(crate) fn is_name(&self, name: &str) -> bool {
        matches!(self.peek(), Token::Name(found) if found == name)
    }

    pub(crate) fn takes_sign(&mut self, sign: &str) -> bool {
        let is = self.is_sign(sign);
        if is {
            self.take();
        }
        is
    }

    pub(crate) fn takes_name(&mut self, name: &str) -> bool {
        let is = self.is_name(name);
        if is {
            self.take();
        }
        is
    }

    pub(crate) fn unexpected(&self, what: &str) -> Problem {
        let problem = Problem::new(what, self.span(), format!("{} is here", self.peek().shown()));
        match self.peek() {
            Token::Sign("=") => problem.hint("write `==` to compare, `let` to name"),
            Token::Sign(")" | "]" | "}") => problem.hint("it closes no open bracket"),
            Token::Sign("[") => problem.hint("write a set as `{1, 2}`"),
            Token::Name(name) if name == "let" => problem.hint("put `(let ...)` in brackets"),
            _ => problem,
        }
    }

    pub(crate) fn expect(&mut self, sign: &'static str, after: &str) -> Result<(), Problem> {
        if self.takes_sign(sign) {
            return Ok(());
        }
        let problem = self.unexpected(&format!("`{sign}` is missing {after}"));
        Err(match problem.hint {
            None if matches!(self.peek(), Token::End) => {
                problem.hint(format!("close it with `{sign}`"))
            }
            _ => problem,
        })
    }

    /// Makes an expression; returns an error if its tree is too deep.
    fn made(&self, kind: ExprKind, span: Span) -> Parsed {
        let expr = Expr::new(kind, span);
        if expr.height > DEEPEST { Err(too_deep(span)) } else { Ok(expr) }
    }

    /// Parses a nested expression. Returns an error if the nesting is too deep.
    pub(crate) fn expression(&mut self, least: u8) -> Parsed {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(too_deep(self.span()));
        }
        let parsed = self.climb(least);
        self.depth -= 1;
        parsed
    }

    /// Parses an expression whose operators bind at least as tightly as `least`.
    fn climb(&mut self, least: u8) -> Parsed {
        let mut left = self.prefix(least)?;
        loop {
            let (word, span) = (self.peek().clone(), self.span());
            let sign = match &word {
                Token::Sign(sign) => *sign,
                Token::Name(name) => name.as_str(),
                _ => return Ok(left),
            };
            if let Some(op) = binary(sign) {
                let tight = op.power();
                if tight < least {
                    return Ok(left);
                }
                self.take();
                // `**` is right-associative, and its right side may begin with a minus sign.
                let right = match op {
                    BinaryOp::Pow => self.expression(power::MINUS)?,
                    _ => self.expression(tight + 1)?,
                };
                let span = left.span.to(right.span);
                left = self.made(ExprKind::Binary(op, Box::new(left), Box::new(right)), span)?;
            } else if let Some(op) = logic(sign) {
                let tight = op.power();
                if tight < least {
                    return Ok(left);
                }
                self.take();
                let right = match op {
                    LogicOp::Implies => self.expression(tight)?,
                    _ => self.expression(tight + 1)?,
                };
                let span = left.span.to(right.span);
                left = self.made(ExprKind::Logic(op, Box::new(left), Box::new(right)), span)?;
                if op == LogicOp::Iff && self.is_sign("<->") {
                    let problem = self.unexpected("`<->` does not chain");
                    return Err(problem.hint("use brackets to show which two sides are compared"));
                }
            } else if sign == "if" && least <= power::IF {
                self.take();
                let condition = self.expression(power::OR)?;
                if !self.takes_name("else") {
                    let problem = self.unexpected("`else` is missing after `x if condition`");
                    return Err(problem.hint(
                        "write `x if condition else y`; the condition of a move goes before its colon",
                    ));
                }
                let otherwise = self.expression(power::IF)?;
                let span = left.span.to(otherwise.span);
                let parts = (Box::new(condition), Box::new(left), Box::new(otherwise));
                left = self.made(ExprKind::If(parts.0, parts.1, parts.2), span)?;
            } else if least <= power::COMPARE && self.compares(sign) {
                left = self.comparison(left)?;
            } else {
                return match &word {
                    Token::Name(_) if self.name_ends => Ok(left),
                    Token::Name(_) | Token::Int(_) if !is_reserved(sign) => {
                        let of_left = match &left.kind {
                            ExprKind::Name(name) => crate::resolve::instead(name),
                            _ => None,
                        };
                        let hint = crate::resolve::instead(sign).or(of_left).unwrap_or(
                            "write `*` to multiply, `and` to join conditions, `->` for `implies`",
                        );
                        Err(Problem::new("an operator is missing", span, "before this").hint(hint))
                    }
                    _ => Ok(left),
                };
            }
        }
    }

    fn compares(&self, sign: &str) -> bool {
        compare(sign).is_some() || sign == "not" && self.then_is_name("in")
    }

    fn comparison(&mut self, left: Expr) -> Parsed {
        let mut rest = Vec::new();
        loop {
            let sign = match self.peek() {
                Token::Sign(sign) => (*sign).to_owned(),
                Token::Name(name) => name.clone(),
                _ => break,
            };
            if !self.compares(&sign) {
                break;
            }
            self.take();
            let op = match compare(&sign) {
                Some(op) => op,
                None => {
                    self.take();
                    CompareOp::NotIn
                }
            };
            let mut right = self.expression(power::OR_BITS)?;
            if matches!(op, CompareOp::In | CompareOp::NotIn) && self.takes_sign("..") {
                let last = self.expression(power::OR_BITS)?;
                let span = right.span.to(last.span);
                right = self.made(ExprKind::Range(Box::new(right), Box::new(last)), span)?;
            }
            rest.push((op, right));
        }
        let end = rest.last().map_or(left.span, |(_, last)| last.span);
        let span = left.span.to(end);
        self.made(ExprKind::Compare(Box::new(left), rest), span)
    }

    fn prefix(&mut self, least: u8) -> Parsed {
        let start = self.span();
        if self.is_sign("-") || self.is_sign("+") {
            let minus = self.is_sign("-");
            self.take();
            let of = self.expression(power::MINUS)?;
            let span = start.to(of.span);
            return Ok(match minus {
                true => self.made(ExprKind::Unary(UnaryOp::Minus, Box::new(of)), span)?,
                false => Expr { span, ..of },
            });
        }
        if self.is_name("not") {
            if least > power::NOT {
                let problem = self.unexpected("`not` binds too loosely to stand here");
                return Err(problem.hint("put `(not ...)` in brackets"));
            }
            self.take();
            let of = self.expression(power::NOT)?;
            let span = start.to(of.span);
            return self.made(ExprKind::Unary(UnaryOp::Not, Box::new(of)), span);
        }
        if self.is_name("let") && least <= power::IMPLIES + 1 {
            return self.binding();
        }
        self.postfix()
    }

    fn binding(&mut self) -> Parsed {
        let start = self.take().1;
        let name = self.fresh_name("`let`")?;
        self.expect("=", "after the name, as in `let d = abs(first - last); ...`")?;
        let value = self.expression(power::IFF)?;
        self.expect(";", "after the value of `let`")?;
        let body = self.expression(power::LOOSE)?;
        let span = start.to(body.span);
        self.made(ExprKind::Let(name, Box::new(value), Box::new(body)), span)
    }

    pub(crate) fn fresh_name(&mut self, behind: &str) -> Result<String, Problem> {
        match self.peek().clone() {
            Token::Name(name) if !is_reserved(&name) => {
                self.next_is_free(&name, self.next)?;
                self.take();
                Ok(name)
            }
            _ => Err(self.unexpected(&format!("a name is missing after {behind}"))),
        }
    }

    pub(crate) fn postfix(&mut self) -> Parsed {
        let mut expr = self.primary()?;
        while self.takes_sign("[") {
            let index = self.expression(power::LOOSE)?;
            self.expect("]", "after the number of the pile")?;
            let span = expr.span.to(self.previous());
            expr = self.made(ExprKind::Index(Box::new(expr), Box::new(index)), span)?;
        }
        Ok(expr)
    }

    fn primary(&mut self) -> Parsed {
        let (word, start) = (self.peek().clone(), self.span());
        let kind = match word {
            Token::Int(number) => {
                self.take();
                ExprKind::Int(number)
            }
            Token::Sign("(") => {
                self.take();
                let inner = self.expression(power::LOOSE)?;
                self.expect(")", "after the part in brackets")?;
                return Ok(Expr { span: start.to(self.previous()), ..inner });
            }
            Token::Sign("{") => {
                self.take();
                ExprKind::Set(self.members()?)
            }
            Token::Name(name) => return self.named(&name),
            _ => {
                let is_empty = self.next == 0 && self.words.len() == 1;
                let what =
                    if is_empty { "the statement is empty" } else { "something is missing here" };
                return Err(self.unexpected(what));
            }
        };
        let span = start.to(self.previous());
        self.made(kind, span)
    }

    /// Parses the rest of `{1, 2, 4..7}` after the brace.
    fn members(&mut self) -> Result<Vec<Expr>, Problem> {
        let mut members = Vec::new();
        while !self.is_sign("}") {
            members.push(self.each_or(Parser::range)?);
            if !self.takes_sign(",") {
                break;
            }
        }
        self.expect("}", "after the members of the set")?;
        Ok(members)
    }

    /// Parses `each i in 1..9: i * i`, or something else.
    pub(crate) fn each_or(&mut self, other: impl FnOnce(&mut Parser) -> Parsed) -> Parsed {
        if !self.is_name("each") || !matches!(self.then(), Token::Name(_)) {
            return other(self);
        }
        let start = self.take().1;
        let name = self.fresh_name("`each`")?;
        if !self.takes_name("in") {
            let problem = self.unexpected("`in` is missing after `each`");
            return Err(problem.hint("write `{each i in 1..9: i * i}`"));
        }
        let source = self.range()?;
        self.expect(":", "after the range, as in `{each i in 1..9: i * i}`")?;
        let body = self.expression(power::IFF)?;
        let span = start.to(body.span);
        self.made(ExprKind::Each(Function::Each, name, Box::new(source), Box::new(body)), span)
    }

    fn range(&mut self) -> Parsed {
        let first = self.expression(power::IFF)?;
        if !self.takes_sign("..") {
            return Ok(first);
        }
        let last = self.expression(power::IFF)?;
        let span = first.span.to(last.span);
        self.made(ExprKind::Range(Box::new(first), Box::new(last)), span)
    }

    fn named(&mut self, name: &str) -> Parsed {
        let start = self.take().1;
        let kind = match name {
            "true" | "True" => ExprKind::Bool(true),
            "false" | "False" => ExprKind::Bool(false),
            "any" if self.is_name("option") || self.is_name("options") => {
                return self.about_options(Function::Any, start);
            }
            "all" if self.is_name("option") || self.is_name("options") => {
                return self.about_options(Function::All, start);
            }
            _ if matches!(self.then(), Token::Game(_)) => return self.in_a_game(name, start),
            _ if self.is_sign("(") => return self.called(name, start),
            "options" => ExprKind::Name(name.to_owned()),
            _ if is_reserved(name) => {
                let what = format!("no expression begins with `{name}`");
                return Err(Problem::new(what, start, "here").hint(match name {
                    "let" => "put `(let ...)` in brackets",
                    "if" => "write `condition -> statement`, or `x if condition else y`",
                    _ => "something is missing before it",
                }));
            }
            _ => ExprKind::Name(name.to_owned()),
        };
        self.made(kind, start)
    }

    /// Parses `any option: option == 0`, which is short for `any(option in options: option == 0)`.
    fn about_options(&mut self, function: Function, start: Span) -> Parsed {
        let span = self.take().1;
        self.expect(":", "after `option`, as in `any option: option == 0`")?;
        let body = self.expression(power::IFF)?;
        let source = Expr::new(ExprKind::Name("options".to_owned()), span);
        let parts = (Box::new(source), Box::new(body));
        let span = start.to(parts.1.span);
        self.made(ExprKind::Each(function, "option".to_owned(), parts.0, parts.1), span)
    }

    /// Parses `[nim]` after a property, and `(piles)` if it follows.
    fn in_a_game(&mut self, name: &str, start: Span) -> Parsed {
        self.take();
        let (word, span) = self.take();
        let (Token::Game(game), Some(property)) = (word, Property::named(name)) else {
            unreachable!("it was peeked at")
        };
        self.expect("]", "after the name of the game")?;
        let game = Some(GameName { name: game, span, symmetric: false });
        match self.takes_sign("(") {
            true => self.position(property, game, start),
            false => {
                let here = OtherPosition { game, piles: None, memory: Vec::new() };
                self.made(ExprKind::At(property, here), start.to(self.previous()))
            }
        }
    }

    /// Parses the rest of a position after its opening bracket: `p1, p2 - 1; 3)`.
    fn position(&mut self, property: Property, game: Option<GameName>, start: Span) -> Parsed {
        let (mut piles, mut memory) = (Vec::new(), Vec::new());
        while !self.is_sign(")") && !self.is_sign(";") {
            piles.push(self.expression(power::IFF)?);
            if !self.takes_sign(",") {
                break;
            }
        }
        if self.takes_sign(";") {
            memory.push(self.expression(power::IFF)?);
            while self.takes_sign(",") {
                memory.push(self.expression(power::IFF)?);
            }
        }
        self.expect(")", "after the piles of the position")?;
        let there = OtherPosition { game, piles: Some(piles), memory };
        self.made(ExprKind::At(property, there), start.to(self.previous()))
    }

    fn called(&mut self, name: &str, start: Span) -> Parsed {
        self.take();
        if let Some(property) = Property::named(name) {
            if property == Property::Exists && self.then_is_name("in") {
                let what = "`exists` takes a position";
                return Err(
                    Problem::new(what, start, "here").hint_of(crate::resolve::instead(name))
                );
            }
            return self.position(property, None, start);
        }
        let Some(function) = Function::named(name) else {
            let problem = Problem::new(format!("there is no function `{name}`"), start, "unknown");
            return Err(match crate::resolve::instead(name) {
                None => problem.hint(crate::resolve::nearest_function(name)),
                hint => problem.hint_of(hint),
            });
        };
        // Try the form `all(x in piles: ...)`.
        let is_name = matches!(self.peek(), Token::Name(name) if !is_reserved(name));
        if is_name && self.then_is_name("in") && function.takes_members() {
            let begin = self.next;
            let variable = self.take().0;
            self.take();
            let source = self.range()?;
            if self.takes_sign(":") {
                let Token::Name(variable) = variable else { unreachable!("it was peeked at") };
                self.next_is_free(&variable, begin)?;
                let body = self.expression(power::LOOSE)?;
                self.expect(")", "after the condition on each member")?;
                let span = start.to(self.previous());
                let parts = (Box::new(source), Box::new(body));
                return self.made(ExprKind::Each(function, variable, parts.0, parts.1), span);
            }
            // Without a colon, `x in piles` is a comparison, so parse it again as an argument.
            self.next = begin;
        }
        let mut arguments = Vec::new();
        while !self.is_sign(")") {
            arguments.push(self.expression(power::IFF)?);
            if !self.takes_sign(",") {
                break;
            }
        }
        self.expect(")", &format!("after the arguments of `{name}`"))?;
        let span = start.to(self.previous());
        self.made(ExprKind::Call(function, arguments), span)
    }

    fn next_is_free(&self, variable: &str, at: usize) -> Result<(), Problem> {
        if crate::resolve::builtin(variable).is_none() && Property::named(variable).is_none() {
            return Ok(());
        }
        let what = format!("`{variable}` already has a meaning");
        Err(Problem::new(what, self.words[at].1, "a name of the language")
            .hint("take another name"))
    }
}

fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

fn binary(sign: &str) -> Option<BinaryOp> {
    use BinaryOp::{Add, And, Div, Left, Mod, Mul, Or, Pow, Right, Sub, Xor};
    let all = [Or, Xor, And, Left, Right, Add, Sub, Mul, Div, Mod, Pow];
    all.into_iter().find(|op| op.sign() == sign)
}

fn logic(sign: &str) -> Option<LogicOp> {
    let all = [LogicOp::And, LogicOp::Or, LogicOp::Implies, LogicOp::Iff];
    all.into_iter().find(|op| op.sign() == sign)
}

fn compare(sign: &str) -> Option<CompareOp> {
    use CompareOp::{Equal, Greater, GreaterEqual, In, Less, LessEqual, Unequal};
    let all = [Equal, Unequal, Less, LessEqual, Greater, GreaterEqual, In];
    all.into_iter().find(|op| op.sign() == sign)
}
