//! Splits characters into words: numbers, names and operators.

use crate::ast::Property;
use crate::problem::{Problem, Span};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Int(i128),
    Name(String),
    /// The name of a game: the text between two brackets.
    Game(String),
    Sign(&'static str),
    End,
}

impl Token {
    /// Returns the word as messages show it.
    pub(crate) fn shown(&self) -> String {
        match self {
            Token::Int(number) => format!("`{number}`"),
            Token::Name(name) | Token::Game(name) => format!("`{name}`"),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end".to_owned(),
        }
    }
}

/// Every operator. If one operator is a prefix of another, the longer one comes first.
const SIGNS: [&str; 33] = [
    "<->", "**", "//", "<<", ">>", "->", "==", "!=", "<=", ">=", "..", "-=", "+=", ":=", "+", "-",
    "*", "%", "^", "&", "|", "<", ">", "(", ")", "{", "}", "[", "]", ",", ":", ";", "=",
];

/// Operators that papers use, each with its form in the language.
const PRINTED: [(&str, &str); 15] = [
    ("→", "->"),
    ("⇒", "->"),
    ("⟹", "->"),
    ("↔", "<->"),
    ("⇔", "<->"),
    ("⟺", "<->"),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
    ("⊕", "^"),
    ("∧", "and"),
    ("∨", "or"),
    ("¬", "not"),
    ("∈", "in"),
    ("−", "-"),
];

/// Operators of other languages, each with a hint.
const FOREIGN: [(&str, &str); 12] = [
    ("&&", "write `and`"),
    ("||", "write `or`"),
    ("=>", "write `->` for `implies`, or `>=` for `at least`"),
    ("=<", "write `<=`"),
    ("===", "write `==`"),
    ("<=>", "write `<->`"),
    ("<>", "write `!=`"),
    ("!", "write `not`, or `!=` for unequal"),
    ("/", "write `//` for division that rounds down; there are no fractions here"),
    ("~", "write `not` for the opposite of a statement"),
    ("\"", "a statement has numbers and names, but no strings"),
    ("'", "a statement has numbers and names, but no strings; write `outcome == P`"),
];

/// Splits a part of a text into words with their spans. The last word marks the end.
pub(crate) fn words(text: &str, part: Span) -> Result<Vec<(Token, Span)>, Problem> {
    let text = &text[..part.end];
    let mut found = Vec::new();
    let mut at = part.start;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if first == '#' {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let (token, length) = word(rest, at)?;
        let names_a_game = token == Token::Sign("[") && opens_game_name(&found);
        found.push((token, Span::new(at, at + length)));
        at += length;
        if names_a_game && let Some(length) = text[at..].find(']') {
            let name = text[at..at + length].trim();
            let begin = at + length - text[at..at + length].trim_start().len();
            found.push((Token::Game(name.to_owned()), Span::new(begin, begin + name.len())));
            at += length;
        }
    }
    found.push((Token::End, Span::new(text.len(), text.len())));
    Ok(found)
}

/// True if a bracket after the last word contains the name of a game, as in `g[end-nim]`.
fn opens_game_name(words: &[(Token, Span)]) -> bool {
    matches!(words.last(), Some((Token::Name(name), _)) if Property::named(name).is_some())
}

/// Reads the first word of a text. Returns it with its length in bytes.
fn word(rest: &str, at: usize) -> Result<(Token, usize), Problem> {
    let run = |of: fn(char) -> bool| rest.find(|c: char| !of(c)).unwrap_or(rest.len());
    let first = rest.chars().next().unwrap_or(' ');
    if first.is_ascii_digit() {
        let length = run(|c| c.is_ascii_digit() || c == '_');
        let span = Span::new(at, at + length);
        let digits: String = rest[..length].chars().filter(char::is_ascii_digit).collect();
        let behind = &rest[length..];
        if behind.starts_with('.') && !behind.starts_with("..") {
            return Err(Problem::new("a number must be whole", span, "a decimal point follows")
                .hint("there are no fractions; write `2 * x <= y` for `x <= 0.5 * y`"));
        }
        if let Some(letter) = behind.chars().next().filter(|c| c.is_alphabetic()) {
            return Err(Problem::new(
                "a name cannot begin with a digit",
                Span::new(at, at + length + letter.len_utf8()),
                "a letter follows a digit",
            )
            .hint("write `*` between a number and a name"));
        }
        return match digits.parse() {
            Ok(number) => Ok((Token::Int(number), length)),
            Err(_) => {
                Err(Problem::new("a number is too large", span, "the largest number is 2**127 - 1"))
            }
        };
    }
    if first.is_alphabetic() || first == '_' {
        let length = run(|c| c.is_alphanumeric() || c == '_');
        return Ok((Token::Name(rest[..length].to_owned()), length));
    }
    if let Some((printed, sign)) = PRINTED.iter().find(|(printed, _)| rest.starts_with(printed)) {
        let token = match *sign {
            "and" | "or" | "not" | "in" => Token::Name((*sign).to_owned()),
            sign => Token::Sign(sign),
        };
        return Ok((token, printed.len()));
    }
    let foreign = FOREIGN.iter().find(|(sign, _)| rest.starts_with(sign));
    let known = SIGNS.iter().find(|sign| rest.starts_with(**sign));
    match (known, foreign) {
        // `!=` and `//` are longer than the foreign operators with which they begin.
        (Some(sign), foreign) if foreign.is_none_or(|(other, _)| other.len() <= sign.len()) => {
            Ok((Token::Sign(sign), sign.len()))
        }
        (_, Some((sign, hint))) => Err(Problem::new(
            format!("`{sign}` is not an operator of this language"),
            Span::new(at, at + sign.len()),
            "here",
        )
        .hint(*hint)),
        _ => Err(Problem::new(
            format!("{first:?} has no meaning here"),
            Span::new(at, at + first.len_utf8()),
            "this character",
        )),
    }
}
