//! The files of claims, `claims/*.txt` in this crate.
//!
//! The first block describes the paper, and each other block describes a claim. Blank lines
//! separate blocks. A line that begins with a space continues the line before.
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
//! ```
//!
//! The domain is one of these:
//!
//! ```text
//! positions 2.. 64x4 8x8      two or more piles; by default piles to 64 up to length 4, and to 8
//!                             up to length 8; without sizes, the usual ones
//! rows of 16 to 1048576       default bounds of the left and middle pile, and of the column
//! numbers n to 18 most 35     the default bound and the largest
//! printed                     the text of the paper
//! ```

use grundy_rules::{Game, Pile};

use crate::claim::{Claim, Paper, Rule};
use crate::domain::{ANY_LENGTH, Domain, Size};
use crate::words::Status::{Conjecture, Observation, OurReading, Remark, Theorem, TheoremHere};
use crate::words::Unit::{Cases, Counts, Multisets, Pairs, Piles, Positions, Rows, Sets, Sums};
use crate::words::{Flaw, Status, Unit};

pub(crate) struct ClaimFile {
    pub(crate) path: &'static str,
    pub(crate) text: &'static str,
    pub(crate) notes: &'static str,
    pub(crate) rules: &'static [(&'static str, Rule)],
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("crates/theory/{path}:{line}: {what}")]
pub(crate) struct ClaimTextError {
    path: &'static str,
    line: usize,
    what: String,
}

/// The number of a line, and the reason why the line is wrong.
type Fault = (usize, String);

impl ClaimFile {
    /// Reads the paper and its claims. Both borrow the text, which is compiled into the program.
    pub(crate) fn read(&self) -> Result<(&'static Paper, Vec<Claim>), ClaimTextError> {
        self.parts().map_err(|(line, what)| ClaimTextError { path: self.path, line, what })
    }

    fn parts(&self) -> Result<(&'static Paper, Vec<Claim>), Fault> {
        let mut blocks = blocks(self.text)?.into_iter();
        let mut head = blocks.next().ok_or((1, "the file is empty".to_owned()))?;
        let paper = Box::leak(Box::new(Paper {
            prefix: head.text("paper")?,
            short: head.text("short")?,
            reference: head.text("reference")?,
            notes: self.notes,
        }));
        head.end()?;
        let claims = blocks.map(|block| self.claim(paper, block)).collect::<Result<Vec<_>, _>>()?;
        let is_told = |id: &str| claims.iter().any(|claim| claim.id == id);
        match self.rules.iter().find(|(id, _)| !is_told(id)) {
            Some((id, _)) => Err((1, format!("no block describes {id}, which has a rule"))),
            None => Ok((paper, claims)),
        }
    }

    fn claim(&self, paper: &'static Paper, mut block: Block) -> Result<Claim, Fault> {
        let of_claim = |id| self.rules.iter().find_map(|&(of, rule)| (of == id).then_some(rule));
        let (id, rule) =
            block.read("claim", "a claim with a rule", |id| Some((id, of_claim(id)?)))?;
        let statuses = [Theorem, TheoremHere, Remark, Conjecture, Observation, OurReading];
        let units = [Positions, Multisets, Pairs, Rows, Sets, Piles, Sums, Counts, Cases];
        let corrected = block.optional("corrected");
        let flaws = [Flaw::Misprint(corrected.unwrap_or("")), Flaw::False, Flaw::Convention];
        let flaw = match block.has("flaw") {
            true => Some(block.read("flaw", "a flaw", |word| named(&flaws, Flaw::word, word))?),
            false => None,
        };
        if corrected.is_some() != matches!(flaw, Some(Flaw::Misprint(_))) {
            return Err((
                block.line,
                format!("a misprint needs a correction, and only a misprint may have one: {id}"),
            ));
        }
        let claim = Claim {
            id,
            paper,
            number: block.text("number")?,
            statement: block.text("statement")?,
            reading: block.optional("reading"),
            games: block.read("games", "a list of games", games)?,
            domain: block.read("domain", "a domain", domain)?,
            premise: block.optional("premise"),
            status: block
                .read("status", "a status", |word| named(&statuses, Status::word, word))?,
            flaw,
            unit: block.read("unit", "a unit", |word| named(&units, Unit::word, word))?,
            rule,
        };
        block.end()?;
        Ok(claim)
    }
}

fn named<T: Copy>(all: &[T], word: fn(T) -> &'static str, wanted: &str) -> Option<T> {
    all.iter().copied().find(|&one| word(one) == wanted)
}

fn games(text: &str) -> Option<&'static [Game]> {
    let games = text.split(' ').map(|id| Game::all().find(|game| game.id() == id));
    Some(games.collect::<Option<Vec<Game>>>()?.leak())
}

fn domain(text: &'static str) -> Option<Domain> {
    let words: Vec<&'static str> = text.split(' ').collect();
    Some(match *words {
        ["printed"] => Domain::Printed,
        ["rows", "of", pile, "to", bound] => {
            Domain::Rows { max_pile: pile.parse().ok()?, bound: bound.parse().ok()? }
        }
        ["numbers", what, "to", default, "most", most] => {
            Domain::Numbers { what, default: default.parse().ok()?, most: most.parse().ok()? }
        }
        ["positions", lengths, ref sizes @ ..] => {
            let (from, to) = lengths.split_once("..").unwrap_or((lengths, lengths));
            let to = if to.is_empty() { None } else { Some(to.parse().ok()?) };
            let sizes = sizes.iter().map(|size| {
                let (pile, length) = size.split_once('x')?;
                Some(Size { max_pile: pile.parse::<Pile>().ok()?, length: length.parse().ok()? })
            });
            let sizes: &[Size] = sizes.collect::<Option<Vec<Size>>>()?.leak();
            let defaults = if sizes.is_empty() { ANY_LENGTH } else { sizes };
            Domain::Positions { from: from.parse().ok()?, to, defaults }
        }
        _ => return None,
    })
}

/// A block of fields. Each field has its line number, its key, and the parts of its value.
#[derive(Default)]
struct Block {
    line: usize,
    fields: Vec<(usize, &'static str, Vec<&'static str>)>,
}

fn blocks(text: &'static str) -> Result<Vec<Block>, Fault> {
    let (mut blocks, mut block) = (Vec::new(), Block::default());
    for (line, text) in (1..).zip(text.lines().chain([""])) {
        if text.is_empty() {
            blocks.push(std::mem::take(&mut block));
            continue;
        }
        match (block.fields.last_mut(), text.split_once(": ")) {
            (Some((.., value)), _) if text.starts_with(' ') => value.push(text.trim()),
            (before, Some((key, value))) => {
                block.line = if before.is_none() { line } else { block.line };
                block.fields.push((line, key, vec![value]));
            }
            _ => return Err((line, "it is not a field, \"key: value\"".to_owned())),
        }
    }
    blocks.retain(|block| !block.fields.is_empty());
    Ok(blocks)
}

impl Block {
    fn has(&self, wanted: &str) -> bool {
        self.fields.iter().any(|(_, key, _)| *key == wanted)
    }

    fn field(&mut self, wanted: &str) -> Option<(usize, &'static str)> {
        let at = self.fields.iter().position(|(_, key, _)| *key == wanted)?;
        let (line, _, parts) = self.fields.remove(at);
        Some((line, if parts.len() == 1 { parts[0] } else { parts.join(" ").leak() }))
    }

    fn optional(&mut self, key: &str) -> Option<&'static str> {
        self.field(key).map(|(_, value)| value)
    }

    fn read<T>(
        &mut self,
        key: &str,
        what: &str,
        read: impl FnOnce(&'static str) -> Option<T>,
    ) -> Result<T, Fault> {
        let (begin, field) = (self.line, self.field(key));
        let missing = || (begin, format!("the block has no field '{key}'"));
        let (line, value) = field.ok_or_else(missing)?;
        read(value).ok_or_else(|| (line, format!("'{value}' is not {what}")))
    }

    fn text(&mut self, key: &str) -> Result<&'static str, Fault> {
        self.read(key, "a text", Some)
    }

    /// Returns an error if a field of the block was not read.
    fn end(self) -> Result<(), Fault> {
        match self.fields.first() {
            Some((line, key, _)) => {
                Err((*line, format!("'{key}' is not a field here, or occurs twice")))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::cases;
    use crate::catalogue::FILES;
    use crate::statement::Statement;

    /// All files are valid. The largest bound in a claim's text is the largest that its check can
    /// handle.
    #[test]
    fn the_files_are_valid() {
        for file in &FILES {
            let (paper, claims) = file.read().unwrap_or_else(|error| panic!("{error}"));
            for claim in claims {
                assert!(claim.id.starts_with(&format!("{}.", paper.prefix)), "{claim:?}");
                let unit = match claim.rule {
                    Rule::Positions(_) => Positions,
                    Rule::Zeros(_) => Counts,
                    Rule::Check(_) => claim.unit,
                };
                assert_eq!(claim.unit, unit, "{claim:?}");
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

    #[test]
    fn a_wrong_file_is_refused_with_its_line() {
        const HEAD: &str = "paper: x\nshort: X\nreference: X,\n  a book\n";
        const CLAIM: &str = "\n\nclaim: x.1\nnumber: 1\nstatement: It\n  holds.\nstatus: remark\n\
                             games: nim end-nim\ndomain: positions 2..4 8x3\nunit: positions\n";
        static RULES: [(&str, Rule); 1] = [("x.1", Rule::Positions(|_| Statement::Bounded))];
        let read = |text: String| {
            let (path, notes, text) = ("claims/x.txt", "", text.leak());
            let read = ClaimFile { path, text, notes, rules: &RULES }.read();
            read.map_err(|error| error.to_string())
        };
        let (paper, claims) = read(format!("{HEAD}{CLAIM}")).unwrap();
        assert_eq!((paper.reference, claims[0].statement), ("X, a book", "It holds."));
        let defaults = &[Size { max_pile: 8, length: 3 }];
        assert_eq!(claims[0].domain, Domain::Positions { from: 2, to: Some(4), defaults });
        for (_, [old, new, error]) in cases(include_str!("claim_text.txt"), "wrong") {
            let [old, new] = [old, new]
                .map(|it| it.replace("HEAD", HEAD).replace("CLAIM", CLAIM).replace("\\n", "\n"));
            let text = format!("{HEAD}{CLAIM}");
            assert!(text.contains(&old), "{old}");
            let said = read(text.replacen(&old, &new, 1)).map(|_| ());
            assert_eq!(said, Err(format!("crates/theory/claims/x.txt:{error}")));
        }
    }
}
