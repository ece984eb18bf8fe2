//! Recognizes statements that have the same truth value at a position and at its reversal.
//!
//! If a position and its reversal also have the same value in the game, only one of the two has to
//! be evaluated. The code compares two readings of a statement, as texts. The backward reading
//! exchanges `first` and `last`, `p1` and the last pile, and so on. Both readings must have the
//! same text after the operands of commutative operators (`+`, `==`, `and` and so on) are sorted.

use crate::ast::{
    BinaryOp, Builtin, CompareOp, Expr, ExprKind, Function, LogicOp, OtherPosition, Property,
};

/// The longest reading of a statement whose names are replaced by their values.
const LONGEST: usize = 1 << 14;

/// True if a tree reads the same forwards and backwards, for positions of this length.
pub fn is_symmetric(expr: &Expr, length: usize) -> bool {
    let [forwards, backwards] = [false, true].map(|back| reading(expr, length, back));
    forwards == backwards && forwards.len() <= LONGEST
}

/// Returns the text of a tree, read backwards if `back` is true. The value of a name that `let`
/// binds stands in place of the name.
pub fn reading(expr: &Expr, length: usize, back: bool) -> String {
    read(expr, &Reader { length, back, names: Vec::new() })
}

struct Reader {
    length: usize,
    back: bool,
    /// The values of the names in scope that `let` binds.
    names: Vec<Option<String>>,
}

impl Reader {
    fn with(&self, name: Option<String>) -> Reader {
        let names = self.names.iter().cloned().chain([name]).collect();
        Reader { names, ..*self }
    }
}

fn read(expr: &Expr, reader: &Reader) -> String {
    let &Reader { length, back, .. } = reader;
    let of = |expr: &Expr| read(expr, reader);
    let sorted = |mut all: Vec<String>| {
        all.sort();
        all.join(", ")
    };
    if let ExprKind::Local(_, place) = &expr.kind
        && let Some(Some(value)) = reader.names.get(*place)
    {
        return value.clone();
    }
    match &expr.kind {
        ExprKind::Builtin(builtin) => match (builtin, back) {
            (Builtin::First, _) => pile(1, length, back),
            (Builtin::Last, _) => pile(length, length, back),
            (Builtin::Pile(number), _) => pile(*number, length, back),
            (Builtin::Piles, true) => "reverse".to_owned(),
            (Builtin::Reverse, true) => "piles".to_owned(),
            (Builtin::Middle, true) => "middle~".to_owned(),
            (Builtin::Run(end), true) => Builtin::Run(end.other()).to_string(),
            (Builtin::After(end), true) => Builtin::After(end.other()).to_string(),
            (other, _) => other.to_string(),
        },
        ExprKind::Unary(op, x) => format!("({}{})", op.sign(), of(x)),
        ExprKind::Binary(op, x, y) => match op {
            BinaryOp::Add | BinaryOp::Mul | BinaryOp::Or | BinaryOp::And | BinaryOp::Xor => {
                format!("{}({})", op.sign(), sorted(vec![of(x), of(y)]))
            }
            _ => format!("({} {} {})", of(x), op.sign(), of(y)),
        },
        ExprKind::Compare(x, rest) => match &rest[..] {
            [(op @ (CompareOp::Equal | CompareOp::Unequal), y)] => {
                format!("{}({})", op.sign(), sorted(vec![of(x), of(y)]))
            }
            [(op @ (CompareOp::In | CompareOp::NotIn), y)] => {
                format!("({} {} {})", of(x), op.sign(), members(y, reader))
            }
            _ => {
                let rest = rest.iter().map(|(op, y)| format!("{} {}", op.sign(), of(y)));
                format!("({} {})", of(x), rest.collect::<Vec<_>>().join(" "))
            }
        },
        // If the left side of `and` is false, the right side is not evaluated. So do not exchange
        // the sides if one of them may have no value.
        ExprKind::Logic(op @ (LogicOp::And | LogicOp::Or | LogicOp::Iff), x, y) => {
            match *op == LogicOp::Iff || always_has_a_value(x) && always_has_a_value(y) {
                true => {
                    let all = operands(*op, x).into_iter().chain(operands(*op, y));
                    format!("{}({})", op.sign(), sorted(all.map(of).collect()))
                }
                false => format!("({} {} {})", of(x), op.sign(), of(y)),
            }
        }
        ExprKind::Logic(op, x, y) => format!("({} {} {})", of(x), op.sign(), of(y)),
        ExprKind::If(c, x, y) => format!("({} if {} else {})", of(x), of(c), of(y)),
        ExprKind::Let(_, value, body) => {
            // The number of copies may grow exponentially, so cut a long text.
            let text: String = of(value).chars().take(LONGEST + 1).collect();
            let body = read(body, &reader.with(Some(text.clone())));
            match always_has_a_value(value) {
                true => body,
                false => format!("(let {text}; {body})"),
            }
        }
        ExprKind::Call(Function::Abs, arguments) => match &arguments[0].kind {
            ExprKind::Binary(BinaryOp::Sub, x, y) => {
                format!("distance({})", sorted(vec![of(x), of(y)]))
            }
            _ => format!("abs({})", of(&arguments[0])),
        },
        ExprKind::Call(function, arguments) => {
            let all = arguments.iter().map(|x| members(x, reader)).collect();
            format!("{}({})", function.name(), sorted(all))
        }
        ExprKind::Each(function, name, source, body) => {
            let source = members(source, reader);
            let body = read(body, &reader.with(None));
            format!("{}({name} in {source}: {body})", function.name())
        }
        ExprKind::At(property, OtherPosition { game, piles, memory }) => {
            let piles = piles.iter().flatten();
            let there = piles.clone().map(of).collect::<Vec<_>>().join(", ");
            let again = piles.rev().map(|pile| turned(pile, reader));
            let again = again.collect::<Vec<_>>().join(", ");
            let name = property.name();
            let game_name = game.as_ref().map_or("", |game| &game.name);
            // If a position and its reversal have the same value, use the lesser of their texts.
            let is_one = game.as_ref().is_none_or(|game| game.symmetric);
            match &memory[..] {
                [] if is_one => format!("{name}[{game_name}]({})", there.min(again)),
                [] => format!("{name}[{game_name}]({there})"),
                all => {
                    let memory = all.iter().map(of).collect::<Vec<_>>().join(", ");
                    format!("{name}[{game_name}]({there}; {memory})")
                }
            }
        }
        ExprKind::Index(list, place) => format!("{}[{}]", of(list), of(place)),
        ExprKind::Set(all) => {
            let all = all.iter().map(|x| members(x, reader)).collect();
            format!("{{{}}}", sorted(all))
        }
        ExprKind::Range(x, y) => format!("{}..{}", of(x), of(y)),
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Name(_) | ExprKind::Local(..) => {
            expr.to_string()
        }
    }
}

/// Returns the operands of a chain of `and`, or of `or`, which may be read in any order.
fn operands(op: LogicOp, expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Logic(inner, x, y) if *inner == op && op != LogicOp::Iff => {
            [operands(op, x), operands(op, y)].concat()
        }
        _ => vec![expr],
    }
}

/// Returns the text of a pile: its number, counted from the other end if `back` is true.
fn pile(number: usize, length: usize, back: bool) -> String {
    match back && number <= length {
        true => format!("p{}", length + 1 - number),
        false => format!("p{number}"),
    }
}

/// Returns the text of a list, for a function that ignores the order of its members.
fn members(expr: &Expr, reader: &Reader) -> String {
    match expr.kind {
        ExprKind::Builtin(Builtin::Piles | Builtin::Reverse) => "piles".to_owned(),
        ExprKind::Builtin(Builtin::Middle) => "middle".to_owned(),
        _ => read(expr, reader),
    }
}

fn turned(expr: &Expr, reader: &Reader) -> String {
    match &expr.kind {
        ExprKind::Builtin(Builtin::Piles | Builtin::Reverse | Builtin::Middle) => {
            reading(expr, reader.length, !reader.back)
        }
        _ => read(expr, reader),
    }
}

fn always_has_a_value(expr: &Expr) -> bool {
    let mut sure = match &expr.kind {
        // A number other than 0 divides every number, and -1 may give a result that is too large.
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Mod, _, by) => {
            matches!(by.kind, ExprKind::Int(by) if by > 0)
        }
        ExprKind::Binary(op, ..) => !matches!(op, BinaryOp::Pow | BinaryOp::Left | BinaryOp::Right),
        ExprKind::At(property, ..) => *property == Property::Exists,
        ExprKind::Index(..) => false,
        ExprKind::Call(function, _) | ExprKind::Each(function, ..) => function.always_has_a_value(),
        _ => true,
    };
    expr.each_child(&mut |child| sure &= always_has_a_value(child));
    sure
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::cases;
    use crate::parser::parse;
    use crate::resolve::{Games, Setting, resolve};

    const CASES: &str = include_str!("mirror.txt");

    fn symmetric(text: &str, length: usize) -> bool {
        /// Two named games, one symmetric and one not.
        #[derive(Debug)]
        struct Two;
        impl Games for Two {
            fn named(&self, name: &str) -> Result<Setting<'_>, String> {
                let nim = Setting::of_rows("nim");
                Ok(if name == "nim" {
                    nim
                } else {
                    Setting { game: "other", symmetric: false, ..nim }
                })
            }
        }
        let setting = Setting { games: Some(&Two), ..Setting::of_rows("end-nim") };
        is_symmetric(&resolve(&parse(text).unwrap(), setting).unwrap(), length)
    }

    /// The statements were classified by hand.
    #[test]
    fn symmetric_statements_are_recognised() {
        for (heading, expected) in [("symmetric", true), ("not symmetric", false)] {
            for (line, [text]) in cases(CASES, heading) {
                assert_eq!(symmetric(text, 3), expected, "line {line}: {text}");
            }
        }
        // The third of four piles is the second from the end.
        assert!(!symmetric("p1 == p3", 4));
        assert!(symmetric("p2 == p3", 4) && symmetric("p1 == p4", 4));
    }

    /// If one side may have no value, the order of evaluation matters.
    #[test]
    fn sides_without_a_value_keep_their_order() {
        for (heading, expected) in [("sure", true), ("unsure", false)] {
            for (line, [text]) in cases(CASES, heading) {
                let turned = text.replace("first", "last");
                for sign in ["and", "or"] {
                    let both = format!("({text}) {sign} ({turned})");
                    assert_eq!(symmetric(&both, 2), expected, "line {line}: {both}");
                }
                // Both sides of `<->` are always evaluated.
                assert!(symmetric(&format!("({text}) <-> ({turned})"), 2), "line {line}: {text}");
            }
        }
    }
}
