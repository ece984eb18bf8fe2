//! The identity of a game: a hash of a canonical text with the significant parts of its rules.

use std::fmt::Write;

use grundy_language::ast::Expr;
use grundy_language::{ExprKind, Player};

use super::{Change, Choice, Law, MoveRule, Numbers};

/// Returns the id `name-xxxxxxxx`, with digits from the BLAKE3 hash of the canonical text.
pub(super) fn id(name: &str, law: &Law) -> String {
    let digits = blake3::hash(text(law).as_bytes()).to_hex();
    format!("{name}-{}", &digits[..8])
}

/// Returns the significant parts of a law: piles, play, lengths, valid positions, memory, and
/// moves. The text does not depend on the order of the lines or on the names in them.
fn text(law: &Law) -> String {
    let mut out = format!("piles: {}\nlength: {}..{}\n", law.kind.name(), law.lengths.start(), {
        law.lengths.end()
    });
    if let Some(admits) = &law.admits {
        _ = writeln!(out, "where: {}", nameless(admits, 0));
    }
    for of in law.memories.iter().flat_map(grundy_language::Memories::all) {
        _ = match of.largest {
            None => writeln!(out, "remembers: last move"),
            Some(largest) => writeln!(out, "remembers: {}..{largest}", of.least),
        };
    }
    if law.misere {
        out.push_str("play: misere\n");
    }
    if law.blocks > 0 {
        _ = writeln!(out, "blocks: {}", law.blocks);
    }
    if !law.falls.is_empty() {
        let all: Vec<String> = law.falls.iter().map(|expr| nameless(expr, 0)).collect();
        _ = writeln!(out, "falls: {}", all.join("; "));
    }
    if law.within_total {
        out.push_str("within: total\n");
    }
    let mut moves: Vec<String> = law.moves.iter().map(line).collect();
    moves.sort();
    out + &moves.join("\n")
}

fn line(rule: &MoveRule) -> String {
    let mut out = match rule.player {
        Player::Either => "move:".to_owned(),
        player => format!("{}:", player.name().to_ascii_lowercase()),
    };
    for binder in &rule.binders {
        let place = binder.place;
        let say = |e: &Expr| nameless(e, place);
        _ = match &binder.of {
            Choice::Number(of) => write!(out, " ${place} in {},", numbers(of, place)),
            Choice::Subset { from, to, least, most } => {
                let (from, to, least, most) = (say(from), say(to), say(least), say(most));
                write!(out, " ${place} in subsets({from}..{to}, {least}..{most}),")
            }
            Choice::Window { from, to, width, cyclic } => {
                let kind = if *cyclic { "cyclic windows" } else { "windows" };
                write!(out, " ${place} in {kind}({}..{}, {}),", say(from), say(to), say(width))
            }
            Choice::Each { members, numbers: of, .. } => {
                let (members, of) = (nameless(members, place - 1), numbers(of, place));
                write!(out, " each ${} in {members} ${place} in {of},", place - 1)
            }
        };
    }
    let places = rule.binders.last().map_or(0, |binder| binder.place + 1);
    for condition in rule.before.iter().chain(&rule.after) {
        _ = write!(out, " if {},", nameless(condition, places));
    }
    for effect in &rule.effects {
        let say = |e: &Expr| nameless(e, places);
        let pile = say(&effect.pile);
        _ = match &effect.change {
            Change::Less(e) => write!(out, " [{pile}] -= {},", say(e)),
            Change::Becomes(e) => write!(out, " [{pile}] := {},", say(e)),
            Change::Parts(all) => {
                // The ids of sums leave out the pile, which is always the first.
                let pile = if pile == "1" { String::new() } else { format!("[{pile}] ") };
                write!(out, " {pile}:= [{}],", all.iter().map(say).collect::<Vec<_>>().join("; "))
            }
        };
    }
    for (place, number) in &rule.remembers {
        _ = write!(out, " memory {place} := {},", nameless(number, places));
    }
    out
}

fn numbers(of: &Numbers, depth: usize) -> String {
    match of {
        Numbers::Range(from, to) => format!("{}..{}", nameless(from, depth), nameless(to, depth)),
        Numbers::Set(set) => nameless(set, depth),
    }
}

fn nameless(expr: &Expr, depth: usize) -> String {
    fn renamed(expr: &Expr, depth: usize) -> Expr {
        let kind = match &expr.kind {
            ExprKind::Local(_, place) => ExprKind::Local(format!("${place}"), *place),
            ExprKind::Let(_, value, body) => ExprKind::Let(
                format!("${depth}"),
                Box::new(renamed(value, depth)),
                Box::new(renamed(body, depth + 1)),
            ),
            ExprKind::Each(function, _, source, body) => ExprKind::Each(
                *function,
                format!("${depth}"),
                Box::new(renamed(source, depth)),
                Box::new(renamed(body, depth + 1)),
            ),
            _ => return expr.with_children(&mut |child| renamed(child, depth)),
        };
        Expr::new(kind, expr.span)
    }
    renamed(expr, depth).to_string()
}
