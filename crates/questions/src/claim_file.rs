//! Reads files of claims that a user writes.
//!
//! ```text
//! # Text after a hash is ignored.
//! name: own.ends
//! game: end-nim
//! statement: g == 1 ->
//!            abs(first - last) <= 1
//! source: a talk, 2026
//! status: conjecture
//! expected: fails
//! flaw: misprint
//! corrected: g == 1 -> abs(first - last) <= 2
//! length: 2..3
//! max-pile: 32
//! ```
//!
//! A line that begins with a space continues the previous line. Each `name:` begins a claim.
//! Source, status, length and max pile are optional. If a claim is expected to fail, its default
//! flaw is `false`. `convention: misere` selects the misère form of the game.

use std::ops::RangeInclusive;

use grundy_language::Problem;
use grundy_rules::{Game, Pile, misere_form};

use crate::Question;

#[derive(Clone, Debug)]
pub struct OwnClaim {
    pub name: String,
    pub question: Question,
    pub source: String,
    /// The status of the claim, which can be any text.
    pub status: String,
    /// The flaw, from [`FLAWS`], if the claim is expected to fail.
    pub flaw: Option<&'static str>,
    /// The corrected statement, if the claim is a misprint and the file corrects it.
    pub corrected: Option<Question>,
    pub lengths: Option<RangeInclusive<usize>>,
    /// The largest pile to check, if the file gives it.
    pub max_pile: Option<Pile>,
}

#[derive(Clone, Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ClaimFileError {
    pub line: usize,
    pub what: String,
    /// The error in the statement, if the statement is invalid.
    #[source]
    pub problem: Option<Box<Problem>>,
}

const FIELDS: &str = "name, game, convention, statement, source, status, expected, flaw, corrected, length \
                      and max-pile";

/// The flaws that a claim can have. The claims of papers use the same words.
pub const FLAWS: [&str; 3] = ["misprint", "false", "depends on the convention"];

/// A function that finds a game by its name, or returns an error.
pub type ReadGame<'a> = &'a dyn Fn(&str) -> Result<Game, String>;

/// Reads the claims of a file; `game` finds a game by its name.
pub fn claims(text: &str, game: ReadGame<'_>) -> Result<Vec<OwnClaim>, ClaimFileError> {
    let mut found = Vec::new();
    let mut fields: Vec<(usize, String, String)> = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.split('#').next().unwrap_or("").trim_end();
        if text.trim().is_empty() {
            continue;
        }
        if text.starts_with([' ', '\t']) {
            match fields.last_mut() {
                Some((_, _, value)) => *value = format!("{value} {}", text.trim()),
                None => return Err(wrong(line, "there is no line to continue".to_owned())),
            }
            continue;
        }
        let Some((key, value)) = text.split_once(':') else {
            return Err(wrong(line, format!("this is not a field; the fields are {FIELDS}")));
        };
        let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
        if key == "name" && !fields.is_empty() {
            found.push(claim(&std::mem::take(&mut fields), game)?);
        }
        fields.push((line, key, value));
    }
    if !fields.is_empty() {
        found.push(claim(&fields, game)?);
    }
    Ok(found)
}

fn wrong(line: usize, what: String) -> ClaimFileError {
    ClaimFileError { line, what, problem: None }
}

/// Returns a claim from its fields. A field has a line number, a key and a value.
fn claim(
    fields: &[(usize, String, String)],
    read: ReadGame<'_>,
) -> Result<OwnClaim, ClaimFileError> {
    let begin = fields[0].0;
    for (at, (line, key, _)) in fields.iter().enumerate() {
        if !FIELDS.split([',', ' ']).any(|known| known == key && known != "and") {
            return Err(wrong(*line, format!("unknown field '{key}'; the fields are {FIELDS}")));
        }
        if fields[..at].iter().any(|(_, before, _)| before == key) {
            return Err(wrong(*line, format!("the field '{key}' occurs twice")));
        }
    }
    let get = |wanted: &str| {
        let field = fields.iter().find(|(_, key, _)| key == wanted);
        field.map(|(line, _, value)| (*line, value.as_str()))
    };
    let needed = |wanted: &str| {
        get(wanted).ok_or_else(|| wrong(begin, format!("the claim has no field '{wanted}'")))
    };
    let (line, name) = needed("name")?;
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-._".contains(c);
    if name.is_empty() || !name.chars().all(is_plain) {
        let what = format!("invalid name '{name}'; use small letters, digits and -._");
        return Err(wrong(line, what));
    }
    let (line, game) = needed("game")?;
    let game = read(game).map_err(|error| wrong(line, error))?;
    let game = match get("convention") {
        None => game,
        Some((line, "misere")) => {
            misere_form(game).map_err(|error| wrong(line, format!("{error}")))?
        }
        Some((line, other)) => {
            return Err(wrong(line, format!("unknown convention '{other}'; write misere")));
        }
    };
    let (line, statement) = needed("statement")?;
    let parse = |line, what, statement| {
        Question::parse(game, statement).map_err(|problem| ClaimFileError {
            line,
            what: format!("the {what} of {name} is invalid"),
            problem: Some(Box::new(problem)),
        })
    };
    let question = parse(line, "statement", statement)?;
    let fails = match needed("expected")? {
        (_, "holds") => false,
        (_, "fails") => true,
        (line, other) => {
            return Err(wrong(line, format!("invalid verdict '{other}'; write holds or fails")));
        }
    };
    let flaw = match get("flaw") {
        Some((line, _)) if !fails => {
            return Err(wrong(line, "a claim that is expected to hold has no flaw".to_owned()));
        }
        Some((line, flaw)) => {
            let what = || format!("unknown flaw '{flaw}'; choose one of {}", FLAWS.join(", "));
            Some(
                FLAWS
                    .into_iter()
                    .find(|known| *known == flaw)
                    .ok_or_else(|| wrong(line, what()))?,
            )
        }
        None => fails.then_some("false"),
    };
    let corrected = match get("corrected") {
        Some((line, _)) if flaw != Some("misprint") => {
            return Err(wrong(line, "a corrected statement needs `flaw: misprint`".to_owned()));
        }
        Some((line, text)) => Some(parse(line, "corrected statement", text)?),
        None => None,
    };
    let lengths = match get("length") {
        None => None,
        Some((line, text)) => {
            let (first, last) = text.split_once("..").unwrap_or((text, text));
            let range = first.trim().parse().ok().zip(last.trim().parse().ok());
            match range.filter(|&(first, last): &(usize, usize)| 1 <= first && first <= last) {
                Some((first, last)) => Some(first..=last),
                None => {
                    return Err(wrong(line, format!("invalid length '{text}'; write 3 or 1..4")));
                }
            }
        }
    };
    let max_pile = match get("max-pile") {
        None => None,
        Some((line, text)) => match text.parse() {
            Ok(pile) if pile >= 1 => Some(pile),
            _ => return Err(wrong(line, format!("invalid max pile '{text}'; write 1 or more"))),
        },
    };
    let text = |wanted: &str| get(wanted).map_or("", |(_, value)| value).to_owned();
    Ok(OwnClaim {
        name: name.to_owned(),
        question,
        source: text("source"),
        status: text("status"),
        flaw,
        corrected,
        lengths,
        max_pile,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(text: &str) -> Result<Vec<OwnClaim>, ClaimFileError> {
        super::claims(text, &|name| name.parse().map_err(|error| format!("{error}")))
    }

    const TWO: &str = "# mine\nname: own.a\ngame: end-nim\nstatement: g == 1 ->\n  first == last\n\
                       expected: fails\nlength: 2..3\nmax-pile: 9\n\nname: own.b\ngame: nim\n\
                       statement: g == xor(piles) # Bouton\nexpected: holds\nsource: Bouton\n";

    #[test]
    fn a_file_has_claims() {
        let found = claims(TWO).unwrap();
        let [a, b] = &found[..] else { panic!("two") };
        assert_eq!((a.name.as_str(), a.question.text()), ("own.a", "g == 1 -> first == last"));
        assert_eq!((a.flaw, a.lengths.clone(), a.max_pile), (Some("false"), Some(2..=3), Some(9)));
        assert_eq!((b.source.as_str(), b.flaw, b.lengths.clone()), ("Bouton", None, None));
        assert!(claims("").unwrap().is_empty());
        let misere = "expected: fails\nflaw: misprint\ncorrected: g == 2 -> first == last\nconvention: misere";
        let found = claims(&TWO.replacen("expected: fails", misere, 1)).unwrap();
        assert_eq!(
            (found[0].flaw, found[0].corrected.as_ref().map(Question::text)),
            (Some("misprint"), Some("g == 2 -> first == last"))
        );
        assert_eq!(found[0].question.game().misere_of(), Some(grundy_rules::games::END_NIM));
    }

    #[test]
    fn an_error_names_its_line() {
        let replaced = include_str!("claim_file.txt").lines().map(|case| {
            let [from, to, line] = case.split('\t').collect::<Vec<_>>().try_into().unwrap();
            (TWO.replace(&from.replace("\\n", "\n"), to), line.parse().unwrap())
        });
        for (bad, line) in replaced.chain([("  what".to_owned(), 1), ("what".to_owned(), 1)]) {
            assert_eq!(claims(&bad).unwrap_err().line, line, "{bad}");
        }
    }
}
