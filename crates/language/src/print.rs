//! Prints a tree as a text with as few brackets as possible. Parsing the text gives the same tree.

use std::fmt::{self, Display, Formatter, Write};

use crate::ast::{
    BinaryOp, Builtin, Expr, ExprKind, Function, LogicOp, NAMES, OtherPosition, Property, UnaryOp,
    power,
};

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write(self, power::LOOSE, f)
    }
}

impl Display for Builtin {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Builtin::Pile(number) => write!(f, "p{number}"),
            Builtin::Class(class) => class.fmt(f),
            Builtin::Run(end) => write!(f, "run({})", end.name()),
            Builtin::After(end) => write!(f, "after({})", end.name()),
            Builtin::State => f.write_str("state"),
            named => NAMES
                .iter()
                .filter(|(_, builtin)| builtin == named)
                .try_for_each(|(name, _)| f.write_str(name)),
        }
    }
}

/// Returns the precedence of the operator at the top of an expression.
fn top(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Unary(UnaryOp::Minus, _) => power::MINUS,
        ExprKind::Unary(UnaryOp::Not, _) => power::NOT,
        ExprKind::Binary(op, ..) => op.power(),
        ExprKind::Compare(..) => power::COMPARE,
        ExprKind::Logic(op, ..) => op.power(),
        ExprKind::If(..) => power::IF,
        ExprKind::Let(..) | ExprKind::Range(..) => power::LOOSE,
        _ => power::TIGHT,
    }
}

/// Writes an expression in a place that requires a precedence of at least `least`.
fn write(expr: &Expr, least: u8, f: &mut Formatter<'_>) -> fmt::Result {
    if top(expr) < least {
        f.write_char('(')?;
        inside(expr, f)?;
        return f.write_char(')');
    }
    inside(expr, f)
}

fn list(all: &[Expr], f: &mut Formatter<'_>) -> fmt::Result {
    for (at, expr) in all.iter().enumerate() {
        f.write_str(if at > 0 { ", " } else { "" })?;
        match &expr.kind {
            ExprKind::Range(..) => inside(expr, f)?,
            _ => write(expr, power::IFF, f)?,
        }
    }
    Ok(())
}

fn inside(expr: &Expr, f: &mut Formatter<'_>) -> fmt::Result {
    match &expr.kind {
        ExprKind::Int(number) => write!(f, "{number}"),
        ExprKind::Bool(truth) => write!(f, "{truth}"),
        ExprKind::Name(name) | ExprKind::Local(name, _) => f.write_str(name),
        ExprKind::Builtin(builtin) => builtin.fmt(f),
        ExprKind::Unary(op, of) => {
            f.write_str(op.sign())?;
            write(of, if *op == UnaryOp::Minus { power::MINUS } else { power::NOT }, f)
        }
        ExprKind::Binary(BinaryOp::Pow, left, right) => {
            // A minus before the left side would apply to the whole power.
            write(left, power::TIGHT, f)?;
            f.write_str(" ** ")?;
            write(right, power::MINUS, f)
        }
        ExprKind::Binary(op, left, right) => {
            write(left, op.power(), f)?;
            write!(f, " {} ", op.sign())?;
            write(right, op.power() + 1, f)
        }
        ExprKind::Compare(left, rest) => {
            write(left, power::OR_BITS, f)?;
            for (op, right) in rest {
                write!(f, " {} ", op.sign())?;
                match &right.kind {
                    ExprKind::Range(first, last) => {
                        write(first, power::OR_BITS, f)?;
                        f.write_str("..")?;
                        write(last, power::OR_BITS, f)?;
                    }
                    _ => write(right, power::OR_BITS, f)?,
                }
            }
            Ok(())
        }
        ExprKind::Logic(op, left, right) => {
            let (tight_left, tight_right) = match op {
                LogicOp::Implies => (op.power() + 1, op.power()),
                LogicOp::Iff => (op.power() + 1, op.power() + 1),
                _ => (op.power(), op.power() + 1),
            };
            write(left, tight_left, f)?;
            write!(f, " {} ", op.sign())?;
            write(right, tight_right, f)
        }
        ExprKind::If(condition, then, otherwise) => {
            write(then, power::OR, f)?;
            f.write_str(" if ")?;
            write(condition, power::OR, f)?;
            f.write_str(" else ")?;
            write(otherwise, power::IF, f)
        }
        ExprKind::Let(name, value, body) => {
            write!(f, "let {name} = ")?;
            write(value, power::IFF, f)?;
            f.write_str("; ")?;
            write(body, power::LOOSE, f)
        }
        ExprKind::Call(function, arguments) => {
            write!(f, "{}(", function.name())?;
            list(arguments, f)?;
            f.write_char(')')
        }
        ExprKind::Each(function, name, source, body) => {
            let (before, after) = if *function == Function::Each { (' ', "") } else { ('(', ")") };
            write!(f, "{}{before}{name} in ", function.name())?;
            match &source.kind {
                ExprKind::Range(..) => inside(source, f)?,
                _ => write(source, power::IFF, f)?,
            }
            f.write_str(": ")?;
            write(body, power::LOOSE, f)?;
            f.write_str(after)
        }
        ExprKind::At(property, OtherPosition { game, piles, memory }) => {
            f.write_str(property.name())?;
            if let Some(game) = game {
                write!(f, "[{}]", game.name)?;
            }
            let Some(piles) = piles else { return Ok(()) };
            // The resolver turns a name such as `g[nim]` into a position with the current piles.
            let own = [ExprKind::Builtin(Builtin::Piles)];
            if *property == Property::Remoteness
                && game.is_none()
                && piles.iter().map(|p| &p.kind).eq(&own)
            {
                return Ok(());
            }
            f.write_char('(')?;
            list(piles, f)?;
            if !memory.is_empty() {
                f.write_str("; ")?;
                list(memory, f)?;
            }
            f.write_char(')')
        }
        ExprKind::Index(of, index) => {
            write(of, power::TIGHT, f)?;
            f.write_char('[')?;
            write(index, power::LOOSE, f)?;
            f.write_char(']')
        }
        ExprKind::Set(members) => {
            f.write_char('{')?;
            list(members, f)?;
            f.write_char('}')
        }
        ExprKind::Range(first, last) => {
            write(first, power::IFF, f)?;
            f.write_str("..")?;
            write(last, power::IFF, f)
        }
    }
}
