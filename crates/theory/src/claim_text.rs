//! Files of claims: those of the papers, `claims/*.txt` in this crate, and those of a user.
//!
//! Each line is a field, `key: value`. A line that begins with a space continues the line before,
//! and the text after a hash is a comment. `paper:` begins the description of a paper, to which the
//! claims below belong; `claim:` begins a claim.
//!
//! ```text
//! paper: an
//! short: Albert and Nowakowski
//! reference: authors, title and publication
//!
//! claim: an.prop1
//! number: Proposition 1
//! statement: the statement in plain words
//! reading: the interpretation, if there is one
//! premise: the premise, if there is one
//! status: theorem
//! flaw: misprint (or false, or depends on the convention), if it is known to fail
//! corrected: the correct statement of a misprint
//! games: end-nim loop-end-nim
//! domain: positions 2..
//! unit: positions
//! check: P -> abs(first - last) <= 1
//! ```
//!
//! A `check` is a statement in the language of docs/LANGUAGE.md. A claim may have several; one that
//! begins with `in end-nim:` is only about the games that it names. If the claim names no premise,
//! the premises of a statement select the cases that it is about. `by` names a check in Rust
//! (`checks`), a fast form of the statements, or a rule for the numbers of the positions that the
//! statement `count` selects. `positions: at the beginning` and `sets: of 4` select the positions
//! at the beginning of play, or those with a set of four moves. `range: all sizes` says that the
//! claim is about piles of all sizes, for each of its numbers of piles.
//!
//! The domain is one of these:
//!
//! ```text
//! positions 2.. 64x4 8x8      two or more piles; by default piles to 64 up to length 4, and to 8
//!                             up to length 8; without sizes, the usual ones
//! rows of 16 to 1048576       default bounds of the left and middle pile, and of the column
//! numbers n to 18 most 35     the default bound and the largest
//! printed 8x1                 the text of the paper; the size is that of its positions
//! ```
//!
//! # Short claims
//!
//! A claim that begins with `name:` is in the form for users. Its statement and its correction are
//! in the language, unless it has a `check`. All its other fields have defaults, except
//! `expected: holds` or `expected: fails`:
//!
//! ```text
//! name: own.ends
//! game: end-nim
//! statement: g == 1 -> abs(first - last) <= 1
//! source: a talk, 2026
//! expected: fails
//! length: 2..3
//! max-pile: 32
//! ```
//!
//! If a claim is expected to fail, its default flaw is `false`. `convention: misere` selects the
//! misère form of the games.

use std::sync::Arc;

use grundy_questions::{Problem, Question, ReadGame};
use grundy_rules::{Game, misere_form};

use crate::checks;
use crate::claim::{By, Check, Claim, Paper};
use crate::domain::{ANY_LENGTH, Domain, Size};
use crate::words::Status::{Conjecture, Observation, OurReading, Remark, Theorem, TheoremHere};
use crate::words::Unit::{Cases, Counts, Multisets, Pairs, Piles, Positions, Rows, Sets, Sums};
use crate::words::{Flaw, Status, Truth, Unit};

/// An error in a file of claims.
#[derive(Clone, Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ClaimFileError {
    pub line: usize,
    pub what: String,
    /// The error in a statement, if a statement is invalid.
    #[source]
    pub problem: Option<Box<Problem>>,
}

const FIELDS: [&str; 28] = [
    "paper",
    "short",
    "reference",
    "claim",
    "name",
    "number",
    "statement",
    "check",
    "count",
    "by",
    "reading",
    "premise",
    "source",
    "status",
    "expected",
    "flaw",
    "corrected",
    "game",
    "games",
    "convention",
    "domain",
    "length",
    "piles",
    "max-pile",
    "range",
    "positions",
    "sets",
    "unit",
];

/// Reads the claims of a file; `game` finds a game by its name.
pub fn claims(text: &str, game: ReadGame<'_>) -> Result<Vec<Claim>, ClaimFileError> {
    claims_with(text, "", game)
}

/// Reads the claims of a file. The notes are those of its papers.
pub(crate) fn claims_with(
    text: &str,
    notes: &str,
    game: ReadGame<'_>,
) -> Result<Vec<Claim>, ClaimFileError> {
    let (mut paper, mut claims) = (None, Vec::new());
    for mut block in blocks(text)? {
        match block.fields[0].key.as_str() {
            "paper" => paper = Some(Arc::new(block.paper(notes)?)),
            "claim" | "name" => claims.push(block.claim(paper.as_ref(), game)?),
            other => {
                let what = format!("a file begins with paper, claim or name, not with {other}");
                return Err(wrong(block.fields[0].line, what));
            }
        }
        block.end()?;
    }
    Ok(claims)
}

fn wrong(line: usize, what: impl Into<String>) -> ClaimFileError {
    ClaimFileError { line, what: what.into(), problem: None }
}

struct Field {
    line: usize,
    key: String,
    value: String,
}

/// The fields of a paper or claim that are not read yet. The first field is never removed before
/// it was read.
struct Block {
    begin: usize,
    fields: Vec<Field>,
}

fn blocks(text: &str) -> Result<Vec<Block>, ClaimFileError> {
    let mut blocks: Vec<Block> = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let last = blocks.last_mut().and_then(|block| block.fields.last_mut());
        let goes_on = text.starts_with([' ', '\t']);
        // The numbers of articles begin with a hash.
        let is_reference = match goes_on {
            true => last.as_ref().is_some_and(|field| field.key == "reference"),
            false => text.starts_with("reference:"),
        };
        let text = if is_reference { text } else { text.split('#').next().unwrap_or("") };
        if text.trim().is_empty() {
            continue;
        }
        if goes_on {
            let Some(field) = last else {
                return Err(wrong(line, "there is no line to continue"));
            };
            field.value = format!("{} {}", field.value, text.trim());
            continue;
        }
        let Some((key, value)) = text.split_once(':') else {
            let what = format!("this is not a field; the fields are {}", FIELDS.join(", "));
            return Err(wrong(line, what));
        };
        let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
        if !FIELDS.contains(&key.as_str()) {
            let what = format!("unknown field '{key}'; the fields are {}", FIELDS.join(", "));
            return Err(wrong(line, what));
        }
        let begins = ["paper", "claim", "name"].contains(&key.as_str());
        let field = Field { line, key, value };
        match blocks.last_mut() {
            Some(block) if !begins => block.fields.push(field),
            _ => blocks.push(Block { begin: line, fields: vec![field] }),
        }
    }
    Ok(blocks)
}

impl Block {
    fn optional(&mut self, key: &str) -> Option<(usize, String)> {
        let at = self.fields.iter().position(|field| field.key == key)?;
        let Field { line, value, .. } = self.fields.remove(at);
        Some((line, value))
    }

    fn text(&mut self, key: &str) -> Option<String> {
        self.optional(key).map(|(_, value)| value)
    }

    fn needed(&mut self, key: &str) -> Result<(usize, String), ClaimFileError> {
        let missing = || wrong(self.begin, format!("there is no field '{key}'"));
        let missing = missing();
        self.optional(key).ok_or(missing)
    }

    /// Returns an error if a field of the block was not read.
    fn end(self) -> Result<(), ClaimFileError> {
        match self.fields.first() {
            Some(Field { line, key, .. }) => {
                Err(wrong(*line, format!("'{key}' is not a field here, or occurs twice")))
            }
            None => Ok(()),
        }
    }

    fn paper(&mut self, notes: &str) -> Result<Paper, ClaimFileError> {
        Ok(Paper {
            prefix: self.needed("paper")?.1,
            short: self.text("short").unwrap_or_default(),
            reference: self.needed("reference")?.1,
            notes: notes.to_owned(),
        })
    }

    fn claim(
        &mut self,
        paper: Option<&Arc<Paper>>,
        read: ReadGame<'_>,
    ) -> Result<Claim, ClaimFileError> {
        let is_short = self.fields[0].key == "name";
        let Field { line, value: id, .. } = self.fields.remove(0);
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-._".contains(c);
        if id.is_empty() || !id.chars().all(is_plain) {
            let what = format!("invalid name '{id}'; use small letters, digits and -._");
            return Err(wrong(line, what));
        }
        let games = self.games(read)?;
        let (line, mut statement) = self.needed("statement")?;
        let parse = |line, what: &str, text: &str| {
            checked(&games, text, false, read).map_err(|problem| {
                let what = format!("the {what} of {id} is invalid");
                ClaimFileError { line, what, problem: Some(Box::new(problem)) }
            })
        };
        let premise = self.text("premise");
        let mut checks = Vec::new();
        while let Some((line, text)) = self.optional("check") {
            let (games, text) = self.narrowed(line, &games, &text, read)?;
            let problem = |problem| {
                let what = format!("the check of {id} is invalid");
                ClaimFileError { line, what, problem: Some(Box::new(problem)) }
            };
            checks.push(checked(&games, text, premise.is_some(), read).map_err(problem)?);
        }
        let counted = match self.optional("count") {
            Some((line, text)) => Some(parse(line, "count", &text)?),
            None => None,
        };
        let is_formula = is_short && checks.is_empty();
        if is_formula {
            let check = parse(line, "statement", &statement)?;
            statement.clone_from(&check.text);
            checks.push(check);
        }
        let flaw = self.flaw(is_short)?;
        let (corrected, correction) = match self.optional("corrected") {
            Some((line, _)) if flaw != Some(Flaw::Misprint) => {
                return Err(wrong(line, "a corrected statement needs `flaw: misprint`"));
            }
            Some((line, text)) if is_formula => {
                let correction = parse(line, "corrected statement", &text)?;
                (Some(correction.text.clone()), Some(correction))
            }
            corrected => (corrected.map(|(_, text)| text), None),
        };
        let status = self.text("status").unwrap_or_default();
        let statuses = [Theorem, TheoremHere, Remark, Conjecture, Observation, OurReading];
        let known = statuses.into_iter().find(|known| known.word() == status);
        let paper = match (self.text("source"), paper) {
            (None, Some(paper)) => Arc::clone(paper),
            (source, _) => Arc::new(Paper {
                prefix: id.split('.').next().unwrap_or(&id).to_owned(),
                short: String::new(),
                reference: source.unwrap_or_default(),
                notes: String::new(),
            }),
        };
        Ok(Claim {
            paper,
            number: self.text("number"),
            statement,
            reading: self.text("reading"),
            domain: self.domain()?,
            all_sizes: self.says("range", "all sizes")?,
            at_beginning: self.says("positions", "at the beginning")?,
            sets: self.sets()?,
            premise,
            status: known.unwrap_or(Status::Other(status)),
            flaw,
            corrected,
            correction,
            unit: self.unit()?,
            checks,
            counted,
            by: self.by()?,
            is_short: is_formula,
            games,
            id,
        })
    }

    fn games(&mut self, read: ReadGame<'_>) -> Result<Vec<Game>, ClaimFileError> {
        let (line, names) = match self.optional("games") {
            Some((line, names)) => (line, names.split(' ').map(str::to_owned).collect()),
            None => {
                let (line, name) = self.needed("game")?;
                (line, vec![name])
            }
        };
        let games = names.iter().map(|name| read(name)).collect::<Result<Vec<Game>, _>>();
        let games = games.map_err(|error| wrong(line, error))?;
        match self.optional("convention") {
            None => Ok(games),
            Some((line, convention)) if convention == "misere" => {
                let forms = games.into_iter().map(misere_form).collect::<Result<_, _>>();
                forms.map_err(|error| wrong(line, error.to_string()))
            }
            Some((line, other)) => {
                Err(wrong(line, format!("unknown convention '{other}'; write misere")))
            }
        }
    }

    /// Returns the games of a check, and its statement without the names of the games.
    fn narrowed<'a>(
        &self,
        line: usize,
        games: &[Game],
        text: &'a str,
        read: ReadGame<'_>,
    ) -> Result<(Vec<Game>, &'a str), ClaimFileError> {
        let named = text.strip_prefix("in ").and_then(|text| text.split_once(": "));
        let Some((names, text)) = named else { return Ok((games.to_vec(), text)) };
        let some = names.split(", ").map(|name| match read(name) {
            Ok(game) if games.contains(&game) => Ok(game),
            Ok(_) => Err(wrong(line, format!("the claim is not about {name}"))),
            Err(error) => Err(wrong(line, error)),
        });
        Ok((some.collect::<Result<_, _>>()?, text))
    }

    fn flaw(&mut self, is_short: bool) -> Result<Option<Flaw>, ClaimFileError> {
        let flaws = [Flaw::Misprint, Flaw::False, Flaw::Convention];
        let flaw = match self.optional("flaw") {
            None => None,
            Some((line, word)) => {
                let known = flaws.into_iter().find(|flaw| flaw.word() == word);
                let words = flaws.each_ref().map(Flaw::word).join(", ");
                let what = || format!("unknown flaw '{word}'; choose one of {words}");
                Some((line, known.ok_or_else(|| wrong(line, what()))?))
            }
        };
        let expected = match is_short {
            true => Some(self.needed("expected")?),
            false => self.optional("expected"),
        };
        let expected = match expected {
            None => None,
            Some((_, word)) if word == Truth::Holds.word() => Some(Truth::Holds),
            Some((_, word)) if word == Truth::Fails.word() => Some(Truth::Fails),
            Some((line, other)) => {
                return Err(wrong(
                    line,
                    format!("invalid verdict '{other}'; write holds or fails"),
                ));
            }
        };
        match (flaw, expected) {
            (Some((line, _)), Some(Truth::Holds)) => {
                Err(wrong(line, "a claim that is expected to hold has no flaw"))
            }
            (None, Some(Truth::Fails)) => Ok(Some(Flaw::False)),
            (flaw, _) => Ok(flaw.map(|(_, flaw)| flaw)),
        }
    }

    /// Returns true if the claim has the field, whose only possible text is `words`.
    fn says(&mut self, field: &str, words: &str) -> Result<bool, ClaimFileError> {
        match self.optional(field) {
            None => Ok(false),
            Some((_, text)) if text == words => Ok(true),
            Some((line, text)) => {
                Err(wrong(line, format!("invalid {field} '{text}'; write {words}")))
            }
        }
    }

    fn sets(&mut self) -> Result<Option<u32>, ClaimFileError> {
        let Some((line, text)) = self.optional("sets") else { return Ok(None) };
        match text.strip_prefix("of ").and_then(|count| count.parse().ok()) {
            Some(count) => Ok(Some(count)),
            None => Err(wrong(line, format!("invalid sets '{text}'; write of 4, for four moves"))),
        }
    }

    fn by(&mut self) -> Result<Option<By>, ClaimFileError> {
        let Some((line, name)) = self.optional("by") else { return Ok(None) };
        match checks::named(&name) {
            Some(by) => Ok(Some(by)),
            None => Err(wrong(line, format!("there is no check '{name}' in the program"))),
        }
    }

    fn unit(&mut self) -> Result<Unit, ClaimFileError> {
        let units = [Positions, Multisets, Pairs, Rows, Sets, Piles, Sums, Counts, Cases];
        let Some((line, word)) = self.optional("unit") else { return Ok(Positions) };
        let known = units.into_iter().find(|unit| unit.word() == word);
        known.ok_or_else(|| wrong(line, format!("'{word}' is not a unit")))
    }

    fn domain(&mut self) -> Result<Domain, ClaimFileError> {
        if let Some((line, text)) = self.optional("domain") {
            return domain(&text).ok_or_else(|| wrong(line, format!("'{text}' is not a domain")));
        }
        let lengths = match self.optional("length") {
            None => None,
            Some((line, text)) => {
                let (first, last) = text.split_once("..").unwrap_or((&text, &text));
                let range = first.trim().parse().ok().zip(last.trim().parse().ok());
                match range.filter(|&(first, last): &(usize, usize)| 1 <= first && first <= last) {
                    Some(range) => Some(range),
                    None => {
                        let what = format!("invalid length '{text}'; write 3 or 1..4");
                        return Err(wrong(line, what));
                    }
                }
            }
        };
        let max_pile = match self.optional("max-pile").or_else(|| self.optional("piles")) {
            None => None,
            Some((line, text)) => match text.parse() {
                Ok(pile) if pile >= 1 => Some(pile),
                _ => {
                    return Err(wrong(line, format!("invalid max pile '{text}'; write 1 or more")));
                }
            },
        };
        Ok(Domain::Usual { lengths, max_pile })
    }
}

/// Parses a statement for each of its games.
fn checked(
    games: &[Game],
    text: &str,
    has_premise: bool,
    read: ReadGame<'_>,
) -> Result<Check, Problem> {
    let questions = games.iter().map(|&game| Question::parse_with(game, text, read));
    let questions = questions.collect::<Result<Vec<_>, _>>()?;
    let cases = questions.iter().filter_map(|question| has_premise.then(|| question.cases())?);
    let text = questions.first().map_or(text, Question::text).to_owned();
    Ok(Check { text, cases: cases.collect(), questions })
}

fn domain(text: &str) -> Option<Domain> {
    let words: Vec<&str> = text.split(' ').collect();
    Some(match *words {
        ["printed"] => Domain::Printed(None),
        ["printed", size] => Domain::Printed(Some(read_size(size)?)),
        ["rows", "of", pile, "to", bound] => {
            Domain::Rows { max_pile: pile.parse().ok()?, bound: bound.parse().ok()? }
        }
        ["numbers", what, "to", default, "most", most] => Domain::Numbers {
            what: what.to_owned(),
            default: default.parse().ok()?,
            most: most.parse().ok()?,
        },
        ["positions", lengths, ref sizes @ ..] => {
            let (from, to) = lengths.split_once("..").unwrap_or((lengths, lengths));
            let to = if to.is_empty() { None } else { Some(to.parse().ok()?) };
            let sizes = sizes.iter().map(|size| read_size(size)).collect::<Option<Vec<Size>>>()?;
            let defaults = if sizes.is_empty() { ANY_LENGTH.to_vec() } else { sizes };
            Domain::Positions { from: from.parse().ok()?, to, defaults }
        }
        _ => return None,
    })
}

fn read_size(text: &str) -> Option<Size> {
    let (pile, length) = text.split_once('x')?;
    Some(Size { max_pile: pile.parse().ok()?, length: length.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::cases;
    use crate::catalogue::FILES;

    fn claims(text: &str) -> Result<Vec<Claim>, ClaimFileError> {
        super::claims(text, &|name| name.parse().map_err(|error| format!("{error}")))
    }

    /// All files of the papers are valid. The largest bound in a claim's text is the largest that
    /// its check can handle.
    #[test]
    fn the_files_are_valid() {
        for file in &FILES {
            for claim in file.read().unwrap_or_else(|error| panic!("{error}")) {
                assert!(claim.id.starts_with(&format!("{}.", claim.paper.prefix)), "{claim:?}");
                assert!(claim.number.is_some() && !claim.paper.short.is_empty(), "{claim:?}");
                assert!(!matches!(claim.status, Status::Other(_)), "{claim:?}");
                let is_misprint = claim.flaw == Some(Flaw::Misprint);
                assert_eq!(claim.corrected.is_some(), is_misprint, "{claim:?}");
                assert!(claim.by.is_some() || !claim.checks.is_empty(), "{claim:?}");
            }
        }
        let most = |id: &str| match Claim::find(id).unwrap()[0].domain {
            Domain::Numbers { most, .. } => most,
            _ => 0,
        };
        assert_eq!(most("gn.thm2"), grundy_rules::index::LARGEST_RECORD);
        assert_eq!(most("lgn.thm23"), grundy_kernels::subsets::MAX_PILE);
        assert_eq!(most("lgn.conj34"), grundy_triangular::MAX_BOUND);
    }

    const PAPER: &str = "paper: x\nshort: X\nreference: X, #R1\n  a book\n\nclaim: x.1\nnumber: 1\n\
                         statement: It\n  holds.\nstatus: remark\ngames: nim end-nim\n\
                         domain: positions 2..4 8x3\nunit: positions\ncheck: in nim: g == 1\n";
    const TWO: &str = "# mine\nname: own.a\ngame: end-nim\nstatement: g == 1 ->\n  first == last\n\
                       expected: fails\nlength: 2..3\nmax-pile: 9\n\nname: own.b\ngame: nim\n\
                       statement: g == xor(piles) # Bouton\nexpected: holds\nsource: Bouton\n";

    #[test]
    fn a_file_has_claims() {
        let found = claims(PAPER).unwrap().remove(0);
        assert_eq!(
            (found.paper.reference.as_str(), found.statement.as_str()),
            ("X, #R1 a book", "It holds.")
        );
        let defaults = vec![Size { max_pile: 8, length: 3 }];
        assert_eq!(found.domain, Domain::Positions { from: 2, to: Some(4), defaults });
        let games = |check: &Check| check.questions.iter().map(Question::game).collect::<Vec<_>>();
        assert_eq!(games(&found.checks[0]), [grundy_rules::games::NIM]);
        let both = claims(&PAPER.replace("in nim: ", "")).unwrap().remove(0);
        assert_eq!(games(&both.checks[0]), both.games);
        let found = claims(TWO).unwrap();
        let [a, b] = &found[..] else { panic!("two") };
        assert_eq!(
            (a.id.as_str(), a.checks[0].text.as_str()),
            ("own.a", "g == 1 -> first == last")
        );
        let usual = Domain::Usual { lengths: Some((2, 3)), max_pile: Some(9) };
        assert_eq!((a.flaw, &a.domain), (Some(Flaw::False), &usual));
        assert_eq!((b.paper.reference.as_str(), b.flaw), ("Bouton", None));
        assert_eq!(b.domain, Domain::Usual { lengths: None, max_pile: None });
        assert!(claims("").unwrap().is_empty());
        let misere = "expected: fails\nflaw: misprint\ncorrected: g == 2 -> first == last\nconvention: misere";
        let found = claims(&TWO.replacen("expected: fails", misere, 1)).unwrap().remove(0);
        let corrected = found.correction.map(|check| check.text);
        assert_eq!((found.flaw, corrected), (Some(Flaw::Misprint), found.corrected));
        assert_eq!(found.games[0].misere_of(), Some(grundy_rules::games::END_NIM));
    }

    /// A claim of a user may have all fields of a claim of a paper.
    #[test]
    fn a_claim_of_a_user_has_words_and_several_games() {
        let text = "paper: me\nreference: a talk\n\nname: me.1\ngames: nim end-nim\n\
                    statement: All is well.\nreading: Here.\npremise: it is P\nexpected: holds\n\
                    unit: multisets\ncheck: P -> k > 0\nnumber: Theorem 1\n";
        let found = claims(text).unwrap().remove(0);
        assert_eq!((found.statement.as_str(), found.checks.len()), ("All is well.", 1));
        assert_eq!((found.unit, found.games.len()), (Unit::Multisets, 2));
        assert_eq!(
            (found.paper.reference.as_str(), found.number.as_deref()),
            ("a talk", Some("Theorem 1"))
        );
    }

    #[test]
    fn an_error_names_its_line() {
        for (_, [file, old, new, error]) in cases(include_str!("claim_text.txt"), "wrong") {
            let text = if file == "paper" { PAPER } else { TWO };
            let [old, new] = [old, new].map(|it| it.replace("\\n", "\n"));
            assert!(text.contains(&old), "{old}");
            let said = claims(&text.replacen(&old, &new, 1)).map(|_| ());
            let said = said.map_err(|error| error.to_string());
            assert_eq!(said.unwrap_err(), error, "{old}: {new}");
        }
    }
}
