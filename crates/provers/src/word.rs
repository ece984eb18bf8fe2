//! Families of rows, as they are written: `3* 1 3*`.

use std::fmt;
use std::str::FromStr;

use grundy_rules::Pile;

/// The words u, w and v of the family u* w v*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyWords {
    pub(crate) left: Vec<Pile>,
    pub(crate) middle: Vec<Pile>,
    pub(crate) right: Vec<Pile>,
}

/// An error in the words of a family.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum WordError {
    #[error(
        "'{text}' is no family; write it as u* w v*, such as '3* 1 3*', '3* 2,2 3*' or '(3,2,1)* 3,1 3*'"
    )]
    Form { text: String },
    #[error("'{text}' repeats an empty word; name a pile before each *")]
    Empty { text: String },
    #[error("'{text}' has a pile of 0; every pile has at least one coin")]
    Zero { text: String },
    #[error(
        "'{text}' is ambiguous: {twice} can be read in two ways, as piles can go to the left or to the right word"
    )]
    Ambiguous { text: String, twice: String },
}

impl FamilyWords {
    /// Returns the row u^i w v^j.
    pub fn row(&self, i: usize, j: usize) -> Vec<Pile> {
        [self.left.repeat(i), self.middle.clone(), self.right.repeat(j)].concat()
    }

    /// Returns the largest pile.
    pub fn largest(&self) -> Pile {
        self.row(1, 1).into_iter().max().unwrap_or(0)
    }
}

impl FromStr for FamilyWords {
    type Err = WordError;

    fn from_str(text: &str) -> Result<FamilyWords, WordError> {
        let form = || WordError::Form { text: text.chars().take(60).collect() };
        let mut words: Vec<(Vec<Pile>, bool)> = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (word, behind) = match rest.strip_prefix('(') {
                Some(inner) => {
                    let (word, behind) = inner.split_once(')').ok_or_else(form)?;
                    if !behind.starts_with('*') {
                        return Err(form());
                    }
                    (word, behind)
                }
                None => {
                    rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()))
                }
            };
            let piles = word.split([',', ' ']).filter(|pile| !pile.is_empty());
            let piles = piles.map(|pile| pile.parse().map_err(|_| form()));
            let piles: Vec<Pile> = piles.collect::<Result<_, _>>()?;
            let (is_repeated, behind) = match behind.strip_prefix('*') {
                Some(behind) => (true, behind),
                None => (false, behind),
            };
            if piles.is_empty() {
                let text = text.to_owned();
                return Err(if is_repeated { WordError::Empty { text } } else { form() });
            }
            if piles.contains(&0) {
                return Err(WordError::Zero { text: text.to_owned() });
            }
            words.push((piles, is_repeated));
            rest = behind.trim_start_matches([',', ' ']);
        }
        let [(left, true), middle @ .., (right, true)] = &words[..] else { return Err(form()) };
        if middle.iter().any(|(_, is_repeated)| *is_repeated) {
            return Err(form());
        }
        let middle = middle.iter().flat_map(|(piles, _)| piles.clone()).collect();
        let words = FamilyWords { left: left.clone(), middle, right: right.clone() };
        // The row u^|v| w is w v^|u| iff some two rows of the family are one.
        let (i, j) = (words.right.len(), words.left.len());
        if words.row(i, 0) == words.row(0, j) {
            let twice: Vec<String> = words.row(i, 0).iter().map(Pile::to_string).collect();
            let (text, twice) = (text.to_owned(), twice.join(","));
            return Err(WordError::Ambiguous { text, twice });
        }
        Ok(words)
    }
}

impl fmt::Display for FamilyWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |piles: &[Pile]| piles.iter().map(Pile::to_string).collect::<Vec<_>>().join(",");
        let star = |piles: &[Pile]| match piles {
            [pile] => format!("{pile}*"),
            piles => format!("({})*", list(piles)),
        };
        write!(f, "{} ", star(&self.left))?;
        if !self.middle.is_empty() {
            write!(f, "{} ", list(&self.middle))?;
        }
        write!(f, "{}", star(&self.right))
    }
}
