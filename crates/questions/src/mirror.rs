//! Whether a statement says the same of a position and of its reversal.
//!
//! If it does, and the game gives both the same value, one of the two need not be looked at. Only
//! what is plain to see counts: both readings, with the two sides of `+`, `==`, `and` and the like
//! in one order, print the same.

use crate::ast::{Asked, BinaryOp, Builtin, CompareOp, Expr, Function, Kind, LogicOp};

/// Whether both readings of positions of this length are the same to a resolved tree.
pub(crate) fn is_symmetric(expr: &Expr, length: usize) -> bool {
    reading(expr, length, false) == reading(expr, length, true)
}

/// The text of a tree, read backwards or not.
fn reading(expr: &Expr, length: usize, back: bool) -> String {
    let of = |expr: &Expr| reading(expr, length, back);
    let sorted = |mut all: Vec<String>| {
        all.sort();
        all.join(", ")
    };
    match &expr.kind {
        Kind::Builtin(builtin) => match (builtin, back) {
            (Builtin::First, _) => pile(1, length, back),
            (Builtin::Last, _) => pile(length, length, back),
            (Builtin::Pile(number), _) => pile(*number, length, back),
            (Builtin::Piles, true) => "reverse".to_owned(),
            (Builtin::Reverse, true) => "piles".to_owned(),
            (Builtin::Middle, true) => "middle~".to_owned(),
            (other, _) => other.to_string(),
        },
        Kind::Unary(op, x) => format!("({}{})", op.sign(), of(x)),
        Kind::Binary(op, x, y) => match op {
            BinaryOp::Add | BinaryOp::Mul | BinaryOp::Or | BinaryOp::And | BinaryOp::Xor => {
                format!("{}({})", op.sign(), sorted(vec![of(x), of(y)]))
            }
            _ => format!("({} {} {})", of(x), op.sign(), of(y)),
        },
        Kind::Compare(x, rest) => match &rest[..] {
            [(op @ (CompareOp::Equal | CompareOp::Unequal), y)] => {
                format!("{}({})", op.sign(), sorted(vec![of(x), of(y)]))
            }
            [(op @ (CompareOp::In | CompareOp::NotIn), y)] => {
                format!("({} {} {})", of(x), op.sign(), members(y, length, back))
            }
            _ => {
                let rest = rest.iter().map(|(op, y)| format!("{} {}", op.sign(), of(y)));
                format!("({} {})", of(x), rest.collect::<Vec<_>>().join(" "))
            }
        },
        // The right side of `and` is not looked at where the left one is false: that makes a
        // difference where it has no value. Then the order stays.
        Kind::Logic(op @ (LogicOp::And | LogicOp::Or | LogicOp::Iff), x, y) => {
            match *op == LogicOp::Iff || always_has_a_value(x) && always_has_a_value(y) {
                true => format!("{}({})", op.sign(), sorted(vec![of(x), of(y)])),
                false => format!("({} {} {})", of(x), op.sign(), of(y)),
            }
        }
        Kind::Logic(op, x, y) => format!("({} {} {})", of(x), op.sign(), of(y)),
        Kind::If(c, x, y) => format!("({} if {} else {})", of(x), of(c), of(y)),
        Kind::Let(name, value, body) => format!("(let {name} = {}; {})", of(value), of(body)),
        Kind::Call(Function::Abs, arguments) => match &arguments[0].kind {
            Kind::Binary(BinaryOp::Sub, x, y) => {
                format!("distance({})", sorted(vec![of(x), of(y)]))
            }
            _ => format!("abs({})", of(&arguments[0])),
        },
        Kind::Call(function, arguments) => {
            let all = arguments.iter().map(|x| members(x, length, back)).collect();
            format!("{}({})", function.name(), sorted(all))
        }
        Kind::Each(function, name, source, body) => {
            let source = members(source, length, back);
            format!("{}({name} in {source}: {})", function.name(), of(body))
        }
        Kind::At(asked, piles, None) => {
            // Both readings of another position are one, too.
            let there: Vec<String> = piles.iter().map(of).collect();
            let again = piles.iter().rev().map(|pile| turned(pile, length, back)).collect();
            let (there, again): (String, Vec<String>) = (there.join(", "), again);
            let name = match asked {
                Asked::Exists => "exists",
                other => other.name(),
            };
            format!("{name}({})", there.min(again.join(", ")))
        }
        Kind::At(asked, piles, Some(memory)) => {
            let piles: Vec<String> = piles.iter().map(of).collect();
            format!("{}({}; {})", asked.name(), piles.join(", "), of(memory))
        }
        Kind::Index(list, place) => format!("{}[{}]", of(list), of(place)),
        Kind::Set(all) => format!("{{{}}}", sorted(all.iter().map(of).collect())),
        Kind::Range(x, y) => format!("{}..{}", of(x), of(y)),
        Kind::Int(_) | Kind::Bool(_) | Kind::Name(_) | Kind::Local(_) => expr.to_string(),
    }
}

/// A pile by its number, counted from the other end if the reading is backwards.
fn pile(number: usize, length: usize, back: bool) -> String {
    match back && number <= length {
        true => format!("p{}", length + 1 - number),
        false => format!("p{number}"),
    }
}

/// A list whose order makes no difference.
fn members(expr: &Expr, length: usize, back: bool) -> String {
    match expr.kind {
        Kind::Builtin(Builtin::Piles | Builtin::Reverse) => "piles".to_owned(),
        Kind::Builtin(Builtin::Middle) => "middle".to_owned(),
        _ => reading(expr, length, back),
    }
}

/// A part of the name of another position, in the other reading of that position.
fn turned(expr: &Expr, length: usize, back: bool) -> String {
    match (&expr.kind, back) {
        (Kind::Builtin(Builtin::Piles | Builtin::Reverse), _)
        | (Kind::Builtin(Builtin::Middle), _) => reading(expr, length, !back),
        _ => reading(expr, length, back),
    }
}

/// Whether there is nothing in it that may have no value.
fn always_has_a_value(expr: &Expr) -> bool {
    let mut sure = match &expr.kind {
        Kind::Binary(op, ..) => !matches!(
            op,
            BinaryOp::Div | BinaryOp::Mod | BinaryOp::Pow | BinaryOp::Left | BinaryOp::Right
        ),
        Kind::At(asked, ..) => *asked == Asked::Exists,
        Kind::Index(..) => false,
        Kind::Call(function, _) => matches!(
            function,
            Function::Abs | Function::Sum | Function::Xor | Function::Mex | Function::Size
        ),
        Kind::Each(function, ..) => !matches!(function, Function::Min | Function::Max),
        _ => true,
    };
    expr.each_child(&mut |child| sure &= always_has_a_value(child));
    sure
}
