//! The syntax tree of a statement.
//!
//! The parser keeps names as they were typed. [`resolve`](crate::resolve) replaces them by their
//! meaning in a game. Both evaluators work on the resolved tree.

use crate::Outcome;

use crate::problem::Span;

/// An expression and its span in the text. Comparisons ignore the span.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    /// The height of the tree from this node down. Its limit also limits the depth of recursion.
    pub height: usize,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Expr {}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    Int(i128),
    Bool(bool),
    /// A name as it was typed.
    Name(String),
    /// A resolved name of the language.
    Builtin(Builtin),
    /// A resolved name that `let`, a quantifier or a binder binds. The number is its place among
    /// the names in scope; the outermost name has place 0.
    Local(String, usize),
    /// `-x`, `not x`.
    Unary(UnaryOp, Box<Expr>),
    /// `x + y`, `x - y` and so on, for numbers or sets.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `x < y <= z`: every pair is compared, as in Python.
    Compare(Box<Expr>, Vec<(CompareOp, Expr)>),
    /// `x and y`, `x -> y`: the right side is evaluated only if it is needed.
    Logic(LogicOp, Box<Expr>, Box<Expr>),
    /// `x if c else y`, stored as condition, then, else.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `let name = value; body`.
    Let(String, Box<Expr>, Box<Expr>),
    /// `abs(x)`, `xor(piles)`.
    Call(Function, Vec<Expr>),
    /// `all(x in source: body)`.
    Each(Function, String, Box<Expr>, Box<Expr>),
    /// `g[nim](p1, p2 - 1; 3)`: a property of another position.
    At(Property, OtherPosition),
    /// `piles[i]`, where i counts from 1.
    Index(Box<Expr>, Box<Expr>),
    /// `{1, 2, 3}`.
    Set(Vec<Expr>),
    /// `a..b`, including both ends.
    Range(Box<Expr>, Box<Expr>),
}

/// A position that a statement names: its game, its piles, and its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherPosition {
    /// The name of the game. In a resolved tree, `None` means the game of the statement.
    pub game: Option<GameName>,
    /// The piles. Before names are resolved, `None` means the piles of the current position.
    pub piles: Option<Vec<Expr>>,
    pub memory: Vec<Expr>,
}

/// The name of a game, or its id in a resolved tree, with a span. Comparisons ignore the span.
#[derive(Clone, Debug)]
pub struct GameName {
    pub name: String,
    pub span: Span,
    /// True if a position and its reversal have the same value in the game. The resolver sets it.
    pub symmetric: bool,
}

impl PartialEq for GameName {
    fn eq(&self, other: &GameName) -> bool {
        self.name == other.name
    }
}

impl Eq for GameName {}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    Value,
    Outcome,
    First,
    Last,
    Length,
    Total,
    LastMove,
    /// All numbers that positions remember, as one number: see [`Memories`](crate::Memories).
    State,
    Size,
    /// The number of equal piles at an end of the position.
    Run(End),
    /// The pile after these equal piles, or 0 if all piles are equal.
    After(End),
    /// A pile, given by its number. The first pile has number 1.
    Pile(usize),
    Piles,
    Middle,
    Reverse,
    Moves,
    Options,
    LeftOptions,
    RightOptions,
    Class(Outcome),
}

/// An end of a position. Its name is the name of the pile at this end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    First,
    Last,
}

impl End {
    pub fn name(self) -> &'static str {
        match self {
            End::First => "first",
            End::Last => "last",
        }
    }

    pub fn other(self) -> End {
        match self {
            End::First => End::Last,
            End::Last => End::First,
        }
    }
}

/// The names of the language, except those of single piles.
pub const NAMES: [(&str, Builtin); 15] = [
    ("g", Builtin::Value),
    ("outcome", Builtin::Outcome),
    ("first", Builtin::First),
    ("last", Builtin::Last),
    ("k", Builtin::Length),
    ("total", Builtin::Total),
    ("last_move", Builtin::LastMove),
    ("size", Builtin::Size),
    ("piles", Builtin::Piles),
    ("middle", Builtin::Middle),
    ("reverse", Builtin::Reverse),
    ("moves", Builtin::Moves),
    ("options", Builtin::Options),
    ("left_options", Builtin::LeftOptions),
    ("right_options", Builtin::RightOptions),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Minus,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Or,
    Xor,
    And,
    Left,
    Right,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Pow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    NotIn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogicOp {
    And,
    Or,
    Implies,
    Iff,
}

/// A function of several arguments, or of the members of a set or list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    Abs,
    Min,
    Max,
    Sum,
    Xor,
    Mex,
    Popcount,
    V2,
    Log2,
    Tri,
    Gcd,
    /// 1 for a prime and 0 for another number. Resolving makes it a truth value.
    IsPrime,
    Size,
    Run,
    After,
    All,
    Any,
    Count,
    /// The list of a number for each member, as in `{each i in 1..9: i * i}`.
    Each,
}

/// The arguments of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// One number.
    Number,
    /// One set or list.
    Set,
    /// Numbers, lists and sets, or a number for each member of a list or set.
    Numbers,
    /// A condition on each member of a list or set.
    Condition,
    /// An end of the position: `first` or `last`.
    End,
}

/// A property of a position that is given by its piles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    Value,
    Outcome,
    Remoteness,
    Exists,
    Is(Outcome),
}

impl UnaryOp {
    pub fn sign(self) -> &'static str {
        match self {
            UnaryOp::Minus => "-",
            UnaryOp::Not => "not ",
        }
    }
}

impl BinaryOp {
    pub fn sign(self) -> &'static str {
        match self {
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::And => "&",
            BinaryOp::Left => "<<",
            BinaryOp::Right => ">>",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "//",
            BinaryOp::Mod => "%",
            BinaryOp::Pow => "**",
        }
    }

    /// Returns the precedence, which is one of the numbers of [`power`].
    pub fn power(self) -> u8 {
        match self {
            BinaryOp::Or => power::OR_BITS,
            BinaryOp::Xor => power::OR_BITS + 1,
            BinaryOp::And => power::OR_BITS + 2,
            BinaryOp::Left | BinaryOp::Right => power::OR_BITS + 3,
            BinaryOp::Add | BinaryOp::Sub => power::OR_BITS + 4,
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => power::OR_BITS + 5,
            BinaryOp::Pow => power::POW,
        }
    }
}

/// The precedences, loosest first, as in Python. `->` and `<->` bind loosest.
pub mod power {
    pub const LOOSE: u8 = 0;
    pub const IFF: u8 = 1;
    pub const IMPLIES: u8 = 2;
    pub const IF: u8 = 3;
    pub const OR: u8 = 4;
    pub const AND: u8 = 5;
    pub const NOT: u8 = 6;
    pub const COMPARE: u8 = 7;
    pub const OR_BITS: u8 = 8;
    pub const MINUS: u8 = 14;
    pub const POW: u8 = 15;
    pub const TIGHT: u8 = 16;
}

impl CompareOp {
    pub fn sign(self) -> &'static str {
        match self {
            CompareOp::Equal => "==",
            CompareOp::Unequal => "!=",
            CompareOp::Less => "<",
            CompareOp::LessEqual => "<=",
            CompareOp::Greater => ">",
            CompareOp::GreaterEqual => ">=",
            CompareOp::In => "in",
            CompareOp::NotIn => "not in",
        }
    }
}

impl LogicOp {
    pub fn sign(self) -> &'static str {
        match self {
            LogicOp::And => "and",
            LogicOp::Or => "or",
            LogicOp::Implies => "->",
            LogicOp::Iff => "<->",
        }
    }

    /// Returns the precedence, which is one of the numbers of [`power`].
    pub fn power(self) -> u8 {
        match self {
            LogicOp::And => power::AND,
            LogicOp::Or => power::OR,
            LogicOp::Implies => power::IMPLIES,
            LogicOp::Iff => power::IFF,
        }
    }
}

impl Function {
    /// Each function with its name and its arguments, and true if it always has a value.
    pub const ALL: [(Function, &'static str, Takes, bool); 19] = [
        (Function::Abs, "abs", Takes::Number, true),
        (Function::Min, "min", Takes::Numbers, false),
        (Function::Max, "max", Takes::Numbers, false),
        (Function::Sum, "sum", Takes::Numbers, true),
        (Function::Xor, "xor", Takes::Numbers, true),
        (Function::Mex, "mex", Takes::Numbers, true),
        (Function::Popcount, "popcount", Takes::Number, false),
        (Function::V2, "v2", Takes::Number, false),
        (Function::Log2, "log2", Takes::Number, false),
        (Function::Tri, "tri", Takes::Number, false),
        (Function::Gcd, "gcd", Takes::Numbers, true),
        (Function::IsPrime, "is_prime", Takes::Number, false),
        (Function::Size, "size", Takes::Set, true),
        (Function::Run, "run", Takes::End, true),
        (Function::After, "after", Takes::End, true),
        (Function::All, "all", Takes::Condition, true),
        (Function::Any, "any", Takes::Condition, true),
        (Function::Count, "count", Takes::Condition, true),
        (Function::Each, "each", Takes::Set, true),
    ];

    pub fn name(self) -> &'static str {
        Function::ALL[self as usize].1
    }

    pub fn takes(self) -> Takes {
        Function::ALL[self as usize].2
    }

    pub fn always_has_a_value(self) -> bool {
        Function::ALL[self as usize].3
    }

    pub fn named(name: &str) -> Option<Function> {
        let mut called = Function::ALL.into_iter().filter(|(of, ..)| *of != Function::Each);
        called.find(|(_, known, ..)| *known == name).map(|(function, ..)| function)
    }

    /// True if the function accepts members of a set or list, as in `all(x in piles: x > 1)`.
    pub fn takes_members(self) -> bool {
        matches!(self.takes(), Takes::Numbers | Takes::Condition)
    }
}

impl Property {
    pub fn name(self) -> &'static str {
        match self {
            Property::Value => "g",
            Property::Outcome => "outcome",
            Property::Remoteness => "remoteness",
            Property::Exists => "exists",
            Property::Is(class) => class.name(),
        }
    }

    pub fn named(name: &str) -> Option<Property> {
        match name {
            "g" => Some(Property::Value),
            "outcome" => Some(Property::Outcome),
            "remoteness" => Some(Property::Remoteness),
            "exists" => Some(Property::Exists),
            _ => class_named(name).map(Property::Is),
        }
    }
}

pub fn class_named(name: &str) -> Option<Outcome> {
    Outcome::ALL.into_iter().find(|&class| class.name() == name)
}

impl Expr {
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        let mut expr = Expr { kind, span, height: 0 };
        let mut below = 0;
        expr.each_child(&mut |child| below = below.max(child.height));
        expr.height = below + 1;
        expr
    }

    pub fn each_child<'a>(&'a self, show: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Name(_)
            | ExprKind::Builtin(_)
            | ExprKind::Local(..) => {}
            ExprKind::Unary(_, x) => show(x),
            ExprKind::Binary(_, x, y)
            | ExprKind::Logic(_, x, y)
            | ExprKind::Let(_, x, y)
            | ExprKind::Each(_, _, x, y)
            | ExprKind::Index(x, y)
            | ExprKind::Range(x, y) => {
                show(x);
                show(y);
            }
            ExprKind::Compare(x, rest) => {
                show(x);
                rest.iter().for_each(|(_, y)| show(y));
            }
            ExprKind::If(condition, x, y) => {
                show(condition);
                show(x);
                show(y);
            }
            ExprKind::Call(_, all) | ExprKind::Set(all) => all.iter().for_each(show),
            ExprKind::At(_, OtherPosition { piles, memory, .. }) => {
                piles.iter().flatten().chain(memory).for_each(show);
            }
        }
    }

    /// Returns a copy in which `of` has replaced each direct child.
    pub fn with_children(&self, of: &mut dyn FnMut(&Expr) -> Expr) -> Expr {
        let mut boxed = |expr: &Expr| Box::new(of(expr));
        let kind = match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Name(_)
            | ExprKind::Builtin(_)
            | ExprKind::Local(..) => self.kind.clone(),
            ExprKind::Unary(op, x) => ExprKind::Unary(*op, boxed(x)),
            ExprKind::Binary(op, x, y) => ExprKind::Binary(*op, boxed(x), boxed(y)),
            ExprKind::Logic(op, x, y) => ExprKind::Logic(*op, boxed(x), boxed(y)),
            ExprKind::Let(name, x, y) => ExprKind::Let(name.clone(), boxed(x), boxed(y)),
            ExprKind::Each(function, name, x, y) => {
                ExprKind::Each(*function, name.clone(), boxed(x), boxed(y))
            }
            ExprKind::Index(x, y) => ExprKind::Index(boxed(x), boxed(y)),
            ExprKind::Range(x, y) => ExprKind::Range(boxed(x), boxed(y)),
            ExprKind::If(c, x, y) => ExprKind::If(boxed(c), boxed(x), boxed(y)),
            ExprKind::Compare(x, rest) => {
                let first = boxed(x);
                ExprKind::Compare(first, rest.iter().map(|(op, y)| (*op, of(y))).collect())
            }
            ExprKind::Call(function, all) => {
                ExprKind::Call(*function, all.iter().map(of).collect())
            }
            ExprKind::Set(all) => ExprKind::Set(all.iter().map(of).collect()),
            ExprKind::At(property, OtherPosition { game, piles, memory }) => {
                let piles = piles.as_ref().map(|piles| piles.iter().map(&mut *of).collect());
                let memory = memory.iter().map(&mut *of).collect();
                ExprKind::At(*property, OtherPosition { game: game.clone(), piles, memory })
            }
        };
        Expr::new(kind, self.span)
    }
}
