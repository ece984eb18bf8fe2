//! `grundy sequence --oeis-draft`: a sequence in the form of a submission to the OEIS.

use std::fmt;

use grundy::law::UNPUBLISHED;
use grundy::papers::Claim;
use grundy::{Ask, Game, Pile, Position, convention_of};

use crate::args::{Lengths, MOST_PILES, Sequence, SizeBy};
use crate::output::quoted;
use crate::version::VERSION;

/// A sequence: a(offset), a(offset + 1), ...
pub(super) struct Terms {
    pub(super) offset: u64,
    /// The terms. A term is -1 if its position does not exist.
    pub(super) terms: Vec<i64>,
    /// The number of positions on which the terms depend, if it is known.
    pub(super) positions: Option<u64>,
    /// A sentence that defines the terms.
    pub(super) name: String,
    pub(super) example: Option<String>,
}

impl Terms {
    /// Returns the definition of a term, in a form that fits into a sentence.
    pub(super) fn meaning(&self) -> String {
        let name = self.name.trim_end_matches('.');
        match name.strip_prefix("Number") {
            Some(rest) => format!("number{rest}"),
            None => name.to_owned(),
        }
    }
}

/// Maximum number of characters of all terms together, by the style sheet of the OEIS.
const MOST_LETTERS: usize = 260;

/// Maximum number of positions that an example shows, and that the search for an example tries.
const MOST_SHOWN: u64 = 8;
const MOST_TRIED: u64 = 1 << 20;

/// Returns a game's name in ASCII. The name of a misère form includes its convention.
pub(super) fn title(game: Game) -> String {
    let normal = game.misere_of().unwrap_or(game).title().replace('\u{e8}', "e");
    convention_of(game).map_or(normal.clone(), |convention| format!("{normal} ({convention})"))
}

/// Returns a noun for the positions that are counted, and a clause that contains the predicate.
pub(super) fn which(predicate: &str, each: &str) -> (String, String) {
    let who = match (predicate.trim(), each) {
        (class @ ("P" | "N"), "positions") => return (format!("{class}-positions"), String::new()),
        ("P", _) => "in which the player who is to move loses".to_owned(),
        ("N", _) => "in which the player who is to move wins".to_owned(),
        ("L", _) => "in which Left wins, whoever begins".to_owned(),
        ("R", _) => "in which Right wins, whoever begins".to_owned(),
        (other, _) => format!("that satisfy {other} (g is the Grundy value)"),
    };
    (each.to_owned(), format!(", {who}"))
}

/// Returns the address of a search for the sequence.
pub(super) fn search(terms: &[i64]) -> String {
    let terms: Vec<String> = terms.iter().take(12).map(i64::to_string).collect();
    format!("https://oeis.org/search?q={}", terms.join(","))
}

/// A command that prints a sequence. It omits options that do not change the sequence.
#[derive(Clone)]
pub(super) struct Command<'a> {
    wanted: &'a Sequence,
    game: &'a str,
    predicate: Option<&'a str>,
    by: SizeBy,
    cumulative: bool,
}

impl<'a> Command<'a> {
    pub(super) fn of(wanted: &'a Sequence) -> Command<'a> {
        let predicate = wanted.predicate.as_deref();
        Command {
            wanted,
            game: &wanted.game.name,
            predicate,
            by: wanted.by,
            cumulative: wanted.cumulative,
        }
    }

    /// Returns commands that print related sequences, each with its relation to this sequence.
    fn relatives(&self) -> Vec<(&'static str, Command<'a>)> {
        let Some(predicate) = self.predicate else { return Vec::new() };
        let sums = if self.cumulative { "first differences" } else { "partial sums" };
        let (size, by) = match self.by {
            SizeBy::Max => ("by the number of coins", SizeBy::Total),
            SizeBy::Total => ("by the largest pile", SizeBy::Max),
        };
        let other = match predicate.trim() {
            "P" => Some(("the N-positions", "N")),
            "N" => Some(("the P-positions", "P")),
            "L" => Some(("those that Right wins", "R")),
            "R" => Some(("those that Left wins", "L")),
            _ => None,
        };
        let mut all = vec![(sums, Command { cumulative: !self.cumulative, ..self.clone() })];
        // With `--length all` the size can only be the number of coins.
        if by == SizeBy::Total || self.wanted.length != Some(1..=MOST_PILES) {
            all.push((size, Command { by, ..self.clone() }));
        }
        all.extend(
            other.map(|(what, class)| (what, Command { predicate: Some(class), ..self.clone() })),
        );
        all
    }
}

impl fmt::Display for Command<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |text: &str| quoted(&text.replace(['\n', '\r'], " "));
        let Sequence { game, length, to, row, which, offset, with, .. } = self.wanted;
        write!(f, "grundy sequence {}", quoted(self.game))?;
        if game.convention.is_some() {
            write!(f, " --convention misere")?;
        }
        if let Some(predicate) = self.predicate {
            write!(f, " {}", quoted(predicate))?;
        }
        with.files.iter().try_for_each(|file| write!(f, " --with {}", quoted(file)))?;
        match length.as_ref().map(|length| (length.start(), length.end())) {
            None => {}
            Some((1, &MOST_PILES)) => write!(f, " --length all")?,
            Some((first, last)) if first == last => write!(f, " --length {first}")?,
            Some((first, last)) => write!(f, " --length {first}..{last}")?,
        }
        if let Some(positions) = &which.positions {
            write!(f, " --positions {positions}")?;
        }
        if let Some(sets) = which.sets {
            write!(f, " --sets {sets}")?;
        }
        if self.by == SizeBy::Total {
            write!(f, " --by total")?;
        }
        if let Some(to) = to {
            write!(f, " --to {to}")?;
        }
        if self.cumulative {
            write!(f, " --cumulative")?;
        }
        if let Some(offset) = offset {
            write!(f, " --offset {offset}")?;
        }
        match row {
            Some(row) => write!(f, " --row {}", quoted(row)),
            None => Ok(()),
        }
    }
}

pub(super) fn draft(game: Game, made: &Terms, wanted: &Sequence) -> Vec<String> {
    let mut command = Command::of(wanted);
    // Leave out the folder of a rule file, because it exists only on this machine.
    command.game = command.game.rsplit(['/', '\\']).next().unwrap_or_default();
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
    let mut lines = vec!["%I A000000".to_owned(), format!("%S {data}"), format!("%N {name}")];
    let papers = game.misere_of().unwrap_or(game).paper();
    for paper in papers.split("; ").filter(|paper| *paper != UNPUBLISHED) {
        let known = Claim::papers().into_iter().find(|known| paper.starts_with(&known.short));
        // Compare the year, because a rule file may cite another paper of the same authors.
        let year = paper.rsplit(' ').next().unwrap_or(paper);
        let known = known.filter(|known| {
            game.rule_file().is_none() || known.reference.contains(&format!("({year})"))
        });
        let cited = known.map_or(paper, |known| &known.reference);
        // Leave out the remark that follows the reference.
        lines.push(format!("%D {}.", cited.split(" (the ").next().unwrap_or(cited)));
    }
    if let Some(file) = game.rule_file() {
        // The board is only for the page.
        let is_rule = |line: &&str| !line.trim().is_empty() && !line.starts_with("board:");
        let rules = file.text.lines().filter(is_rule);
        lines.push("%C The game is defined by a rule file of the program Grundy:".to_owned());
        lines.extend(rules.map(|rule| format!("%C   {}", rule.trim_end())));
    }
    lines.extend(example.as_ref().map(|example| format!("%e {example}")));
    lines.push(format!("%o (Grundy {VERSION}) {command}"));
    let relatives = command.relatives();
    lines.extend(relatives.iter().map(|(how, other)| format!("%Y Cf. A000000 ({how}: {other}).")));
    let sign = if terms.contains(&-1) { "sign" } else { "nonn" };
    lines.push(format!("%K {sign}{}", if terms.len() < 20 { ",more" } else { "" }));
    lines.push(format!("%O {offset},{beyond}"));
    lines.push("%A (your name)".to_owned());
    lines
}

/// Returns an example: a term that counts only a few positions, with these positions.
pub(super) fn example(
    ask: &Ask<'_>,
    lengths: impl Fn(u64) -> Lengths,
    (offset, terms): (usize, &[u64]),
    is_counted: impl Fn(&Position, u64) -> bool,
) -> anyhow::Result<Option<String>> {
    let is_short = |&(n, &term): &(usize, &u64)| {
        let longest = *lengths(n as u64).end() as u32;
        (1..=MOST_SHOWN).contains(&term) && (n as u64).saturating_pow(longest) <= MOST_TRIED
    };
    let Some((n, &term)) = (offset..).zip(terms).filter(is_short).max_by_key(|&(_, &term)| term)
    else {
        return Ok(None);
    };
    let mut found = Vec::new();
    ask.find(lengths(n as u64), n as Pile, |position, _| {
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
