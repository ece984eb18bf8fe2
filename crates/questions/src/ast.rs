//! The tree of a statement.
//!
//! What the parser makes has names as they were typed. [`resolve`](crate::resolve) gives them
//! their meaning in a game; both evaluators work on what it returns.

use grundy_rules::Outcome;

use crate::problem::Span;

/// An expression, and where it stands in the text. Two are equal if they say the same, wherever
/// they stand.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
    /// Levels of the tree below and with this one: what a walk over it takes of the stack.
    pub(crate) height: usize,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Expr {}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExprKind {
    /// A whole number.
    Int(i128),
    /// `true` or `false`.
    Bool(bool),
    /// A name as it was typed.
    Name(String),
    /// A name of the language, resolved.
    Builtin(Builtin),
    /// A name bound by `let` or a quantifier, resolved.
    Local(String),
    /// `-x`, `not x`.
    Unary(UnaryOp, Box<Expr>),
    /// `x + y` and the like, of numbers or of sets.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `x < y <= z`: each pair, as in Python.
    Compare(Box<Expr>, Vec<(CompareOp, Expr)>),
    /// `x and y`, `x -> y`: the right side is looked at only where it decides.
    Logic(LogicOp, Box<Expr>, Box<Expr>),
    /// `x if c else y`: condition, then, else.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `let name = value; body`.
    Let(String, Box<Expr>, Box<Expr>),
    /// `abs(x)`, `xor(piles)`.
    Call(Function, Vec<Expr>),
    /// `all(x in source: body)`.
    Each(Function, String, Box<Expr>, Box<Expr>),
    /// `g(p1, p2 - 1; 3)`: what is asked of another position, its piles, what it remembers.
    At(Property, Vec<Expr>, Option<Box<Expr>>),
    /// `piles[i]`, counted from 1.
    Index(Box<Expr>, Box<Expr>),
    /// `{1, 2, 3}`.
    Set(Vec<Expr>),
    /// `a..b`, both ends included.
    Range(Box<Expr>, Box<Expr>),
}

/// A name of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Builtin {
    Value,
    Outcome,
    First,
    Last,
    Length,
    Total,
    LastMove,
    Size,
    /// Counted from 1.
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

/// The names of the language that are not of a single pile.
pub(crate) const NAMES: [(&str, Builtin); 15] = [
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
pub(crate) enum UnaryOp {
    Minus,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BinaryOp {
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
pub(crate) enum CompareOp {
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
pub(crate) enum LogicOp {
    And,
    Or,
    Implies,
    Iff,
}

/// What is called with arguments, or over the members of a set or list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Function {
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
    Size,
    All,
    Any,
    Count,
}

/// What is asked of a position that is named by its piles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Property {
    Value,
    Outcome,
    Exists,
    /// Whether its outcome class is this.
    Is(Outcome),
}

impl UnaryOp {
    pub(crate) fn sign(self) -> &'static str {
        match self {
            UnaryOp::Minus => "-",
            UnaryOp::Not => "not ",
        }
    }
}

impl BinaryOp {
    pub(crate) fn sign(self) -> &'static str {
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

    /// How tightly it binds: the numbers of [`power`].
    pub(crate) fn power(self) -> u8 {
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

/// How tightly the parts of an expression bind, loosest first: Python's order, with the arrows
/// of logic below it.
pub(crate) mod power {
    pub(crate) const LOOSE: u8 = 0;
    pub(crate) const IFF: u8 = 1;
    pub(crate) const IMPLIES: u8 = 2;
    pub(crate) const IF: u8 = 3;
    pub(crate) const OR: u8 = 4;
    pub(crate) const AND: u8 = 5;
    pub(crate) const NOT: u8 = 6;
    pub(crate) const COMPARE: u8 = 7;
    pub(crate) const OR_BITS: u8 = 8;
    pub(crate) const MINUS: u8 = 14;
    pub(crate) const POW: u8 = 15;
    pub(crate) const TIGHT: u8 = 16;
}

impl CompareOp {
    pub(crate) fn sign(self) -> &'static str {
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
    pub(crate) fn sign(self) -> &'static str {
        match self {
            LogicOp::And => "and",
            LogicOp::Or => "or",
            LogicOp::Implies => "->",
            LogicOp::Iff => "<->",
        }
    }

    pub(crate) fn power(self) -> u8 {
        match self {
            LogicOp::And => power::AND,
            LogicOp::Or => power::OR,
            LogicOp::Implies => power::IMPLIES,
            LogicOp::Iff => power::IFF,
        }
    }
}

impl Function {
    /// Each with its name.
    pub(crate) const ALL: [(Function, &'static str); 14] = [
        (Function::Abs, "abs"),
        (Function::Min, "min"),
        (Function::Max, "max"),
        (Function::Sum, "sum"),
        (Function::Xor, "xor"),
        (Function::Mex, "mex"),
        (Function::Popcount, "popcount"),
        (Function::V2, "v2"),
        (Function::Log2, "log2"),
        (Function::Tri, "tri"),
        (Function::Size, "size"),
        (Function::All, "all"),
        (Function::Any, "any"),
        (Function::Count, "count"),
    ];

    pub(crate) fn name(self) -> &'static str {
        // They stand in order.
        Function::ALL[self as usize].1
    }

    pub(crate) fn named(name: &str) -> Option<Function> {
        let found = Function::ALL.into_iter().find(|(_, known)| *known == name);
        found.map(|(function, _)| function)
    }

    /// Whether it can be said of the members of a set or list, as in `all(x in piles: x > 1)`.
    pub(crate) fn takes_members(self) -> bool {
        use Function::{All, Any, Count, Max, Mex, Min, Sum, Xor};
        matches!(self, All | Any | Count | Sum | Xor | Min | Max | Mex)
    }
}

impl Property {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Property::Value => "g",
            Property::Outcome => "outcome",
            Property::Exists => "exists",
            Property::Is(class) => class.name(),
        }
    }

    pub(crate) fn named(name: &str) -> Option<Property> {
        match name {
            "g" => Some(Property::Value),
            "outcome" => Some(Property::Outcome),
            "exists" => Some(Property::Exists),
            _ => class_named(name).map(Property::Is),
        }
    }
}

pub(crate) fn class_named(name: &str) -> Option<Outcome> {
    Outcome::ALL.into_iter().find(|&class| class.name() == name)
}

impl Expr {
    pub(crate) fn new(kind: ExprKind, span: Span) -> Expr {
        let mut expr = Expr { kind, span, height: 0 };
        let mut below = 0;
        expr.each_child(&mut |child| below = below.max(child.height));
        expr.height = below + 1;
        expr
    }

    /// Shows each expression that stands directly in this one.
    pub(crate) fn each_child<'a>(&'a self, show: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Name(_)
            | ExprKind::Builtin(_)
            | ExprKind::Local(_) => {}
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
            ExprKind::At(_, piles, memory) => {
                piles.iter().for_each(&mut *show);
                if let Some(memory) = memory {
                    show(memory);
                }
            }
        }
    }
}
