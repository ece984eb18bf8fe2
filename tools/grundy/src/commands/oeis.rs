//! `grundy sequence --oeis-draft`: a sequence in the form in which the OEIS takes a new one.

use grundy::{Ask, Game, Pile, Position, convention_of};

use super::sequence::Terms;
use crate::made::VERSION;

/// Most letters of the terms, by the style sheet of the OEIS.
const MOST_LETTERS: usize = 260;

/// Most positions of an example, and most that are looked through for it.
const MOST_SHOWN: u64 = 8;
const MOST_TRIED: u64 = 1 << 20;

/// The name of a game in a sentence, in ASCII, with the convention of one of misere play.
pub(super) fn title(game: Game) -> String {
    let normal = game.misere_of().unwrap_or(game).title().replace('\u{e8}', "e");
    convention_of(game).map_or(normal.clone(), |convention| format!("{normal} ({convention})"))
}

/// Which positions a predicate has, as the end of a sentence.
pub(super) fn which(predicate: &str) -> String {
    let who = match predicate.trim() {
        "P" => "the player who is to move loses",
        "N" => "the player who is to move wins",
        "L" => "Left wins, whoever begins",
        "R" => "Right wins, whoever begins",
        other => return format!("that satisfy {other}, where g is the Grundy value"),
    };
    format!("in which {who}")
}

/// The lines of a draft.
pub(super) fn draft(game: Game, made: &Terms, command: &str) -> Vec<String> {
    let Terms { offset, terms, name, example, .. } = made;
    let mut data = String::new();
    for term in terms {
        let next = if data.is_empty() { term.to_string() } else { format!(", {term}") };
        if data.len() + next.len() > MOST_LETTERS {
            break;
        }
        data += &next;
    }
    let beyond = terms.iter().position(|&term| term > 1).map_or(1, |at| at + 1);
    let search: Vec<String> = terms.iter().take(12).map(u64::to_string).collect();
    let mut lines = vec![
        "%I A000000".to_owned(),
        format!("%S {data}"),
        format!("%N {name}"),
        format!("%D {}.", game.misere_of().unwrap_or(game).paper()),
    ];
    lines.extend(example.as_ref().map(|example| format!("%e {example}")));
    lines.push(format!("%o (Grundy {VERSION}) grundy {command}"));
    lines.push(format!("%Y Cf. what https://oeis.org/search?q={} finds.", search.join(",")));
    lines.push(format!("%K nonn{}", if terms.len() < 20 { ",more" } else { "" }));
    lines.push(format!("%O {offset},{beyond}"));
    lines
}

/// The positions that make the first term that is not too large to list.
pub(super) fn example(
    ask: &Ask<'_>,
    lengths: &std::ops::RangeInclusive<usize>,
    (offset, terms): (usize, &[u64]),
    is_counted: impl Fn(&Position, u64) -> bool,
) -> anyhow::Result<Option<String>> {
    let is_short = |&(_, &term): &(usize, &u64)| (1..=MOST_SHOWN).contains(&term);
    let Some((n, &term)) = (offset..).zip(terms).filter(is_short).max_by_key(|&(_, &term)| term)
    else {
        return Ok(None);
    };
    if (n as u64).saturating_pow(*lengths.end() as u32) > MOST_TRIED {
        return Ok(None);
    }
    let mut found = Vec::new();
    ask.find(lengths.clone(), n as Pile, |position, _| {
        if is_counted(position, n as u64) {
            found.push(format!("({})", position.to_string().trim_matches(['(', ')'])));
        }
        Ok::<bool, grundy::AskError>(true)
    })?;
    Ok((found.len() as u64 == term).then(|| match term {
        1 => format!("a({n}) = 1: {}.", found[0]),
        _ => format!("a({n}) = {term}: {}.", found.join(", ")),
    }))
}
