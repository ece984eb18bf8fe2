//! Reads a rule file: lines of `key: value`, each with its span in the text.

use std::ops::RangeInclusive;

use grundy_language::ast::Builtin;
use grundy_language::moves::{MoveRule, define_set, parse_move, read_memories, resolve_move};
use grundy_language::parser::{parse_list, parse_part};
use grundy_language::resolve::nearest;
use grundy_language::{Expr, ExprKind, Names, Player, Problem, Resolver, Setting, Span};

use super::{Change, Kind, Law, MOST_PILES, canonical};
use crate::RULE_FILES;

/// The largest size of a rule file, in bytes.
pub const LONGEST_FILE: usize = 1 << 16;

/// The source of a game whose file names none.
pub const UNPUBLISHED: &str = "unpublished";

const LONGEST_NAME: usize = 40;

/// The largest number of options that a rule file may let a player forbid.
const MOST_BLOCKED: usize = 1 << 10;

const LONGEST_CODE: usize = 64;

const KEYS: [&str; 22] = [
    "name",
    "title",
    "source",
    "author",
    "license",
    "rule",
    "board",
    "piles",
    "length",
    "where",
    "remembers",
    "play",
    "blocks",
    "falls",
    "within",
    "move",
    "left",
    "right",
    "code",
    "set",
    "example",
    "",
];

/// The boards, with the kind of games that they can show; `None` for all kinds.
const BOARDS: [(&str, Option<Kind>); 6] = [
    ("piles", None),
    ("bar", Some(Kind::Places)),
    ("strip", Some(Kind::Places)),
    ("circle", Some(Kind::Places)),
    ("pins", Some(Kind::Sum)),
    ("split", Some(Kind::Sum)),
];

const MANY: [&str; 6] = ["move", "left", "right", "set", "remembers", "example"];

/// A parsed and resolved rule file.
#[derive(Clone, Debug)]
pub struct RuleFile {
    /// The name of the game.
    pub name: String,
    /// The name of the game for use in prose.
    pub title: String,
    /// The publication that defines the rules, or [`UNPUBLISHED`].
    pub source: String,
    /// The author of the game, for citations and packs of its tables.
    pub author: Option<String>,
    /// The licence of the game's tables, an SPDX expression such as `MIT OR Apache-2.0`.
    pub license: Option<String>,
    /// The rules for players.
    pub rule: String,
    /// The name of the board on which the page shows the game, by default `piles`.
    pub board: &'static str,
    /// The resolved rules.
    pub law: Law,
    /// The spans of the examples in the text.
    pub examples: Vec<Span>,
    /// How many numbers the sets have in all.
    pub numbers: usize,
    /// The text.
    pub text: String,
    /// The identity of the game: `name-xxxxxxxx`.
    pub id: String,
}

/// A line of the file: its key, and the spans of the key and of the value.
struct Field<'a> {
    key: &'a str,
    at: Span,
    value: Span,
}

impl RuleFile {
    /// Parses the bytes of a rule file.
    pub fn from_bytes(bytes: &[u8]) -> Result<RuleFile, Problem> {
        if bytes.len() > LONGEST_FILE {
            return Err(too_long());
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => RuleFile::from_text(text),
            Err(error) => {
                let what = format!("invalid UTF-8 text at byte {}", error.valid_up_to());
                Err(Problem::new(what, Span::default(), "").hint("save it as UTF-8"))
            }
        }
    }

    /// Parses the text of a rule file.
    pub fn from_text(text: &str) -> Result<RuleFile, Problem> {
        if !RULE_FILES {
            return Err(not_here());
        }
        if text.len() > LONGEST_FILE {
            return Err(too_long());
        }
        // Some editors begin a file with an invisible byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        plain(text).and_then(|()| read(text)).map_err(|problem| problem.of_line(text))
    }
}

/// Returns the error for a rule file if [`RULE_FILES`] is false.
pub(super) fn not_here() -> Problem {
    Problem::new("rule files do not work in a browser", Span::default(), "")
}

fn too_long() -> Problem {
    let what = format!("a rule file has at most {LONGEST_FILE} bytes; this one has more");
    Problem::new(what, Span::default(), "")
}

/// False for a character that changes how the text around it is shown: a control character, a
/// separator of lines, or a mark of the direction of writing.
pub fn is_plain(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2066}'..='\u{2069}');
    !c.is_control() && !turns && !matches!(c, '\u{2028}'..='\u{202e}')
}

/// Rejects characters that would change how a terminal shows the text around them.
fn plain(text: &str) -> Result<(), Problem> {
    let mut all = text.char_indices();
    let found = all.find(|&(at, c)| match c {
        '\n' | '\t' => false,
        '\r' => !text[at..].starts_with("\r\n"),
        _ => !is_plain(c),
    });
    let Some((at, c)) = found else { return Ok(()) };
    let what = format!("the character U+{:04X} is not allowed in a rule file", u32::from(c));
    let problem = Problem::new(what, Span::new(at, at + c.len_utf8()), "here");
    Err(problem.hint("it is invisible and changes how text is shown; leave it out"))
}

fn fields(text: &str) -> Result<Vec<Field<'_>>, Problem> {
    let mut found: Vec<Field<'_>> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, body) = (at, line.trim_end());
        at += line.len();
        let end = start + body.len();
        if body.trim_start().is_empty() || body.starts_with('#') {
            continue;
        }
        if body.starts_with([' ', '\t']) {
            match found.last_mut() {
                Some(field) => field.value.end = end,
                None => {
                    return Err(Problem::new(
                        "there is no line to continue",
                        Span::new(start, end),
                        "a line that begins with a space continues the previous line",
                    ));
                }
            }
            continue;
        }
        let Some((key, value)) = body.split_once(':') else {
            let what = "a line of a rule file must be `key: value`";
            return Err(Problem::new(what, Span::new(start, end), "no `:` here")
                .hint("begin a comment with `#`, and a continuation line with a space"));
        };
        let key_at = Span::new(start, start + key.trim_end().len());
        // The key of a set is followed by its name.
        let key = key.trim_end();
        let key = if key.starts_with("set ") { "set" } else { key };
        if !KEYS.contains(&key) || key.is_empty() {
            let problem = Problem::new(format!("there is no key `{key}`"), key_at, "unknown");
            return Err(match nearest(key, KEYS.into_iter().filter(|known| !known.is_empty())) {
                Some(near) => problem.hint(format!("did you mean `{near}`?")),
                None => problem.hint(format!("the keys are {}", KEYS[..KEYS.len() - 1].join(", "))),
            });
        }
        if !MANY.contains(&key) && found.iter().any(|before| before.key == key) {
            let what = format!("the key `{key}` occurs twice");
            return Err(Problem::new(what, key_at, "here again").hint("leave out one of them"));
        }
        let from = end - value.trim_start().len();
        found.push(Field { key, at: key_at, value: Span::new(from, end) });
    }
    Ok(found)
}

fn read(text: &str) -> Result<RuleFile, Problem> {
    let fields = fields(text)?;
    let get = |key: &str| fields.iter().find(|field| field.key == key);
    let value = |span: Span| {
        let lines = text[span.start..span.end].lines().filter(|line| !line.starts_with('#'));
        lines.map(str::trim).collect::<Vec<_>>().join(" ")
    };
    let needed = |key: &str| {
        let missing = Problem::new(
            format!("the key `{key}` is missing"),
            Span::new(text.len(), text.len()),
            "the file ends here",
        );
        let field = get(key).ok_or(missing.hint(format!("add a line `{key}: ...`")))?;
        match text[field.value.start..field.value.end].trim().is_empty() {
            false => Ok(field),
            true => Err(Problem::new(format!("`{key}` is empty"), field.at, "nothing follows")),
        }
    };
    let (name_at, kind_at) = (needed("name")?.value, needed("piles")?.value);
    let name = value(name_at);
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !name.chars().all(plain) || name.starts_with('-') || name.len() > LONGEST_NAME {
        let what = format!("a name has at most {LONGEST_NAME} small letters, digits and hyphens");
        return Err(Problem::new(what, name_at, "invalid name")
            .hint("the title may contain anything; the name is for the command line"));
    }
    let title = value(needed("title")?.value);
    let given = |key: &str| get(key).map(|_| needed(key)).transpose();
    let source = given("source")?.map_or_else(|| UNPUBLISHED.to_owned(), |f| value(f.value));
    let author = given("author")?.map(|field| value(field.value));
    let license = match given("license")? {
        Some(field) if !is_license(&value(field.value)) => {
            return Err(Problem::new(
                "this is no SPDX expression of licences",
                field.value,
                "here",
            )
            .hint(
                "write CC0-1.0, CC-BY-4.0, MIT OR Apache-2.0, or others from spdx.org/licenses",
            ));
        }
        field => field.map(|field| value(field.value)),
    };
    let kind = word(text, kind_at, "piles", &Kind::ALL)?;
    let board = get("board").map_or(Ok(BOARDS[0].0), |field| board(text, field.value, kind))?;
    let misere = match get("play") {
        None => false,
        Some(field) => word(text, field.value, "play", &[("normal", false), ("misere", true)])?,
    };
    let blocks = match get("blocks") {
        None => 0,
        Some(field) => {
            value(field.value).parse().ok().filter(|&k| k <= MOST_BLOCKED).ok_or_else(|| {
                let what = format!("`blocks` is a number of options, at most {MOST_BLOCKED}");
                Problem::new(what, field.value, "here").hint("write `blocks: 1`")
            })?
        }
    };
    let lengths = match get("length") {
        None => 1..=MOST_PILES,
        Some(field) => lengths(text, field.value)?,
    };
    let single = kind == Kind::Sum;
    let setting = Setting { rules: true, single, ..Setting::of_rows(&name) };
    let remembered = fields.iter().filter(|field| field.key == "remembers");
    let remembered: Vec<Span> = remembered.map(|field| field.value).collect();
    let memories = read_memories(text, &remembered, setting)?;
    let setting = Setting { memories: memories.as_ref(), ..setting };
    let mut names = Names::default();
    for field in fields.iter().filter(|field| field.key == "set") {
        let called = Span::new(field.at.start + "set".len(), field.at.end);
        define_set(&mut names, text, [called, field.value], setting)?;
    }
    let setting = Setting { names: Some(&names), ..setting };
    if single
        && let Some(field) = fields.iter().find(|field| {
            let keys =
                ["where", "length", "remembers", "blocks", "falls", "within", "left", "right"];
            keys.contains(&field.key) || misere && field.key == "play"
        })
    {
        let what = format!("a sum has no `{}`, because each pile is a game of its own", field.key);
        return Err(
            Problem::new(what, field.at, "here").hint("leave it out, or choose other `piles`")
        );
    }
    let admits = match get("where") {
        None => None,
        Some(field) => Some(condition(text, field.value, setting)?),
    };
    let falls = match get("falls") {
        None => Vec::new(),
        Some(field) => falls(text, field.value, setting)?,
    };
    let within_total = match get("within") {
        None => false,
        Some(field) => {
            word(text, field.value, "within", &[("largest pile", false), ("total", true)])?
        }
    };
    let mut moves: Vec<MoveRule> = Vec::new();
    for field in &fields {
        let player = match field.key {
            "move" => Player::Either,
            "left" => Player::Left,
            "right" => Player::Right,
            _ => continue,
        };
        moves.push(resolve_move(parse_move(text, field.value, player)?, setting)?);
    }
    let code = match get("code") {
        None => None,
        Some(field) if kind != Kind::Sum => {
            return Err(
                Problem::new("only a sum has a code", field.at, "here").hint("write `piles: sum`")
            );
        }
        Some(field) => {
            let code = Code::read(text, field.value)?;
            moves.extend(code.moves(field.value, setting)?);
            code.octal()
        }
    };
    let has = |player| moves.iter().any(|rule| rule.player == player);
    let (left, right, either) = (has(Player::Left), has(Player::Right), has(Player::Either));
    let fits = if either { !left && !right } else { left && right };
    if !fits {
        let end = Span::new(text.len(), text.len());
        let at = fields.iter().find(|f| f.key == "left" || f.key == "right").map_or(end, |f| f.at);
        let what = match either || left || right {
            false => "a game needs a `move`, or `left` and `right`, or in sums a `code`",
            true => "a game needs either `move`, or both `left` and `right`",
        };
        return Err(Problem::new(what, at, "here"));
    }
    if misere
        && (left || blocks > 0)
        && let Some(field) = get("play")
    {
        let what = "`play: misere` changes values, but a game with `left` and `right` or with \
                    `blocks` has outcome classes";
        return Err(Problem::new(what, field.at, "here").hint("leave it out"));
    }
    let splits = kind == Kind::Sum || kind == Kind::Heaps && within_total;
    let mut effects = moves.iter().flat_map(|rule| &rule.effects);
    if let Some(effect) =
        effects.find(|effect| !splits && matches!(effect.change, Change::Parts(_)))
    {
        let what = "only in a sum, or in heaps with `within: total`, can a pile become a list of \
                    piles";
        return Err(Problem::new(what, effect.span, "here").hint("write `piles: sum`"));
    }
    let law =
        Law { kind, lengths, admits, memories, misere, blocks, falls, within_total, moves, code };
    let rule = get("rule").map_or_else(|| law.in_words(text), |field| value(field.value));
    let examples =
        fields.iter().filter(|field| field.key == "example").map(|field| field.value).collect();
    let id = canonical::id(&name, &law);
    let text = text.to_owned();
    let numbers = names.numbers();
    Ok(RuleFile {
        name,
        title,
        source,
        author,
        license,
        rule,
        board,
        law,
        examples,
        numbers,
        text,
        id,
    })
}

/// The words that join identifiers in an SPDX expression.
const JOINS: [&str; 3] = ["AND", "OR", "WITH"];

/// True if a text has the form of an SPDX expression: an identifier, or several, as in
/// `MIT OR Apache-2.0`.
pub fn is_license(text: &str) -> bool {
    let is_id = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_alphanumeric())
            && word.chars().all(|c| c.is_ascii_alphanumeric() || ".-+".contains(c))
    };
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let (mut open, mut wants_id) = (0, true);
    for word in spaced.split(' ').filter(|word| !word.is_empty()) {
        match (word, wants_id) {
            ("(", true) => open += 1,
            (")", false) if open > 0 => open -= 1,
            (join, false) if JOINS.contains(&join) => wants_id = true,
            (id, true) if is_id(id) && !JOINS.contains(&id) => wants_id = false,
            _ => return false,
        }
    }
    open == 0 && !wants_id
}

/// Returns the identifiers in an SPDX expression.
pub fn license_ids(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '(', ')']).filter(|word| !word.is_empty() && !JOINS.contains(word))
}

/// Returns the page of a licence with this SPDX identifier.
pub fn license_page(id: &str) -> String {
    format!("https://spdx.org/licenses/{id}")
}

fn word<T: Copy>(text: &str, at: Span, key: &str, known: &[(&str, T)]) -> Result<T, Problem> {
    let found = text[at.start..at.end].trim();
    if let Some(&(_, meant)) = known.iter().find(|(name, _)| *name == found) {
        return Ok(meant);
    }
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    Err(Problem::new(
        format!("`{key}` must be one of: {}", names.join(", ")),
        at,
        "this is another word",
    ))
}

fn board(text: &str, at: Span, kind: Kind) -> Result<&'static str, Problem> {
    let found = word(text, at, "board", &BOARDS.map(|board| (board.0, board)))?;
    match found {
        (name, Some(needed)) if needed != kind => {
            let what =
                format!("the board `{name}` shows only games with `piles: {}`", needed.name());
            Err(Problem::new(what, at, "here").hint("leave the line out, or choose another board"))
        }
        (name, _) => Ok(name),
    }
}

fn lengths(text: &str, at: Span) -> Result<RangeInclusive<usize>, Problem> {
    let found = text[at.start..at.end].trim();
    let (first, last) = found.split_once("..").unwrap_or((found, found));
    let range = first.trim().parse::<usize>().ok().zip(last.trim().parse::<usize>().ok());
    match range.filter(|&(first, last)| 1 <= first && first <= last && last <= MOST_PILES) {
        Some((first, last)) => Ok(first..=last),
        None => Err(Problem::new("this is not a number of piles", at, "here")
            .hint(format!("write `length: 3` or `length: 2..4`, up to {MOST_PILES}"))),
    }
}

fn condition(text: &str, at: Span, setting: Setting<'_>) -> Result<Expr, Problem> {
    Resolver::new(setting).truth(&parse_part(text, at)?, "the condition of `where`")
}

/// Parses the numbers that every move lowers. The list is empty for the number of coins.
fn falls(text: &str, at: Span, setting: Setting<'_>) -> Result<Vec<Expr>, Problem> {
    let all = parse_list(text, at)?;
    let number = |expr: &Expr| Resolver::new(setting).number(expr, "`falls`");
    let all = all.iter().map(number).collect::<Result<Vec<Expr>, Problem>>()?;
    let is_total = matches!(&all[..], [one] if one.kind == ExprKind::Builtin(Builtin::Total));
    Ok(if is_total { Vec::new() } else { all })
}

/// The digits of a code, d0 first. If `repeats` is true, the last digit repeats for ever.
struct Code {
    digits: Vec<u8>,
    repeats: bool,
}

impl Code {
    /// Reads a code by Guy and Smith, such as `0.77`, `.77`, `4.7`, `0.8F` or `0.6111...`.
    fn read(text: &str, at: Span) -> Result<Code, Problem> {
        let found = text[at.start..at.end].trim();
        let wrong = |what: &str| {
            Err(Problem::new(what, at, "here").hint(
                "in `code: 0.77` the t-th digit after the point says what may remain of a pile \
                 after taking t coins, as a sum: 1 nothing, 2 one pile, 4 two piles, 8 three piles \
                 (digits above 9 are A to F); `...` at the end repeats the last digit",
            ))
        };
        let (shown, repeats) = match found.strip_suffix("...").or(found.strip_suffix('\u{2026}')) {
            Some(shown) => (shown, true),
            None => (found, false),
        };
        let Some((first, rest)) = shown.split_once('.') else {
            return wrong("a code needs a point");
        };
        let first = if first.is_empty() { "0" } else { first };
        let digit = |letter: char| letter.to_digit(16).map(|digit| digit as u8);
        let digits: Option<Vec<u8>> = first.chars().chain(rest.chars()).map(digit).collect();
        let Some(digits) = digits.filter(|_| first.len() == 1 && rest.len() <= LONGEST_CODE) else {
            return wrong(&format!(
                "a code has at most one digit before the point and at most {LONGEST_CODE} after \
                 it, from 0 to F"
            ));
        };
        // A move that takes no coin can only split a pile.
        if digits[0] & 3 != 0 {
            return wrong(
                "the digit before the point must be 0, or 4, 8 or C for splits that take nothing",
            );
        }
        if repeats && rest.is_empty() {
            return wrong("no digit after the point repeats");
        }
        match digits.iter().all(|&digit| digit == 0) {
            true => wrong("there is no move"),
            false => Ok(Code { digits, repeats }),
        }
    }

    /// Returns the digits if the code is octal and finite.
    fn octal(self) -> Option<Vec<u8>> {
        (!self.repeats && self.digits.iter().all(|&digit| digit < 8)).then_some(self.digits)
    }

    /// Returns the moves. If the digit d(t) has the bit 1, 2, 4 or 8, a move may take t coins and
    /// leave nothing, one pile, two piles or three piles.
    fn moves(&self, at: Span, setting: Setting<'_>) -> Result<Vec<MoveRule>, Problem> {
        let mut lines = Vec::new();
        for (taken, &digit) in self.digits.iter().enumerate() {
            let all = self.repeats && taken + 1 == self.digits.len();
            // The number of coins is chosen if the digit repeats.
            let (choice, t) = match all {
                true => (format!("t in {taken}..n"), "t".to_owned()),
                false => (String::new(), taken.to_string()),
            };
            let comma = if all { ", " } else { "" };
            let rest = if taken == 0 { "n".to_owned() } else { format!("(n - {t})") };
            if digit & 1 != 0 {
                let is = if all { ">=" } else { "==" };
                lines.push(format!("if n {is} {taken}: n := []"));
            }
            if digit & 2 != 0 {
                let space = if all { " " } else { "" };
                lines.push(format!("{choice}{space}if n > {t}: n := [n - {t}]"));
            }
            if digit & 4 != 0 {
                lines.push(format!("{choice}{comma}a in 1..{rest} // 2: n := [a, {rest} - a]"));
            }
            if digit & 8 != 0 {
                lines.push(format!(
                    "{choice}{comma}a in 1..{rest} // 3, b in a..({rest} - a) // 2: n := [a, b, \
                     {rest} - a - b]"
                ));
            }
        }
        let read = |line: String| {
            let whole = Span::new(0, line.len());
            let rule = resolve_move(parse_move(&line, whole, Player::Either)?, setting)?;
            Ok(MoveRule { span: at, ..rule })
        };
        lines.into_iter().map(read).collect()
    }
}

impl Law {
    /// Returns the lines of moves as a description of the rules, for a file without a `rule` line.
    fn in_words(&self, text: &str) -> String {
        let line = |rule: &MoveRule| {
            let said = text[rule.span.start..rule.span.end].split_whitespace();
            let said = said.collect::<Vec<_>>().join(" ");
            match rule.player {
                Player::Either => said,
                player => format!("{}: {said}", player.name()),
            }
        };
        let mut lines: Vec<String> = self.moves.iter().map(line).collect();
        lines.dedup();
        lines.join("; ")
    }
}
