//! Families of rows, and their notation: `3* 1 3*`.

use std::fmt;
use std::str::FromStr;

use grundy_rules::{Pile, Position};

/// The words u, w and v of the family u* w v*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyWords {
    pub(crate) left: Vec<Pile>,
    pub(crate) middle: Vec<Pile>,
    pub(crate) right: Vec<Pile>,
}

/// An error in the words of a family.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordError {
    #[error("invalid family '{text}'; write u* w v*, such as '3* 1 3*' or '(3,2,1)* 3,1 3*'")]
    Form { text: String },
    #[error("'{text}' repeats an empty word; write a pile before each *")]
    Empty { text: String },
    #[error("'{text}' has a pile of 0; every pile has at least one coin")]
    Zero { text: String },
    #[error(
        "'{text}' is ambiguous: {twice} can be read in two ways, because some piles can belong to the left or to the right word"
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

    fn read(text: &str) -> Option<FamilyWords> {
        let piles = |list: &str| -> Option<Vec<Pile>> {
            let piles = list.split([',', ' ']).filter(|pile| !pile.is_empty());
            piles.map(|pile| pile.parse().ok()).collect()
        };
        // Returns the word before a star, and the text before that word.
        let last = |part: &str| match part.strip_suffix(')') {
            Some(part) => {
                let (before, word) = part.rsplit_once('(')?;
                Some((piles(before)?, piles(word)?))
            }
            None => {
                let digits = part.trim_end_matches(|c: char| c.is_ascii_digit()).len();
                Some((piles(&part[..digits])?, piles(&part[digits..])?))
            }
        };
        let text = text.strip_suffix('*')?;
        let (left, right) = text.split_once('*')?;
        let ((before, left), (middle, right)) = (last(left)?, last(right)?);
        before.is_empty().then_some(FamilyWords { left, middle, right })
    }
}

impl FromStr for FamilyWords {
    type Err = WordError;

    fn from_str(text: &str) -> Result<FamilyWords, WordError> {
        let short: String = text.chars().take(60).collect();
        let Some(words) = FamilyWords::read(text.trim()) else {
            return Err(WordError::Form { text: short });
        };
        if words.left.is_empty() || words.right.is_empty() {
            return Err(WordError::Empty { text: short });
        }
        if words.row(1, 1).contains(&0) {
            return Err(WordError::Zero { text: short });
        }
        // Different pairs (i, j) can give the same row if and only if u^|v| w equals w v^|u|.
        let (i, j) = (words.right.len(), words.left.len());
        if words.row(i, 0) == words.row(0, j) {
            let twice = Position::row(&words.row(i, 0)).to_string().chars().take(60).collect();
            return Err(WordError::Ambiguous { text: short, twice });
        }
        Ok(words)
    }
}

impl fmt::Display for FamilyWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let star = |piles: &[Pile]| match piles {
            [pile] => format!("{pile}*"),
            piles => format!("({})*", Position::row(piles)),
        };
        write!(f, "{} ", star(&self.left))?;
        if !self.middle.is_empty() {
            write!(f, "{} ", Position::row(&self.middle))?;
        }
        f.write_str(&star(&self.right))
    }
}
