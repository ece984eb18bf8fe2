//! The order of ranges: a run covers another run if its range contains the other range.
//!
//! A line of `grundy diff --json` gives its range in words. `conclude` writes them in three forms:
//!
//! ```text
//! end-nim, loop-end-nim: piles <= 64, lengths 1 to 5; piles <= 16, length 6
//! short-global-nim: n up to 1000000
//! end-nim: the whole claim
//! ```
//!
//! In the second form the text may contain any numbers. Text in any other form covers only itself.

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Covered<'a> {
    games: Vec<&'a str>,
    what: What<'a>,
}

#[derive(Debug, PartialEq, Eq)]
enum What<'a> {
    /// Positions: (max pile, first length, last length).
    Sizes(Vec<(u64, u64, u64)>),
    /// The words of the range, and the numbers between the words.
    Numbers(Vec<&'a str>, Vec<u64>),
}

impl Covered<'_> {
    pub(crate) fn read(range: &str) -> Covered<'_> {
        let (games, what) = range.split_once(": ").unwrap_or(("", range));
        let sizes = what.split("; ").map(size).collect::<Option<Vec<_>>>();
        let numbers = || {
            let words = what.split(|c: char| c.is_ascii_digit()).filter(|word| !word.is_empty());
            let numbers = what.split(|c: char| !c.is_ascii_digit());
            let numbers = numbers.filter(|digits| !digits.is_empty());
            let numbers = numbers.map(|digits| digits.parse().unwrap_or(u64::MAX));
            What::Numbers(words.collect(), numbers.collect())
        };
        Covered {
            games: games.split(", ").collect(),
            what: sizes.map_or_else(numbers, What::Sizes),
        }
    }

    pub(crate) fn covers(&self, other: &Covered<'_>) -> bool {
        let games = other.games.iter().all(|game| self.games.contains(game));
        games
            && match (&self.what, &other.what) {
                (What::Sizes(mine), What::Sizes(theirs)) => {
                    let has = |max_pile: u64, length: u64| {
                        let within = |&(n, first, last): &(u64, u64, u64)| {
                            max_pile <= n && (first..=last).contains(&length)
                        };
                        mine.iter().any(within)
                    };
                    theirs.iter().all(|&(n, first, last)| (first..=last).all(|k| has(n, k)))
                }
                (What::Numbers(words, mine), What::Numbers(others, theirs)) => {
                    let larger = || mine.iter().zip(theirs).all(|(mine, theirs)| mine >= theirs);
                    words == others && mine.len() == theirs.len() && larger()
                }
                _ => false,
            }
    }
}

/// Parses "piles <= 64, lengths 1 to 4" or "piles <= 16, length 6".
fn size(words: &str) -> Option<(u64, u64, u64)> {
    let (max_pile, lengths) = words.strip_prefix("piles <= ")?.split_once(", ")?;
    let (first, last) = match lengths.strip_prefix("lengths ") {
        Some(lengths) => lengths.split_once(" to ")?,
        None => lengths.strip_prefix("length ").map(|length| (length, length))?,
    };
    // Reject lengths that no row can have.
    let last = last.parse().ok().filter(|&last: &u64| last <= 1 << 16)?;
    Some((max_pile.parse().ok()?, first.parse().ok()?, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::cases;

    const CASES: &str = include_str!("covers.txt");

    #[test]
    fn a_larger_range_covers_a_smaller_one() {
        let covers = |a: &str, b: &str| Covered::read(a).covers(&Covered::read(b));
        for (_, [large, small]) in cases(CASES, "larger") {
            assert!(covers(large, small), "{large} | {small}");
            assert!(!covers(small, large), "{small} | {large}");
        }
        for (_, [one, other]) in cases(CASES, "different") {
            assert!(!covers(one, other) && !covers(other, one), "{one} | {other}");
        }
        for same in ["nothing", "end-nim: the whole claim", "some", "piles <= 3, lengths 1 to x"] {
            assert!(covers(same, same), "{same}");
        }
    }
}
