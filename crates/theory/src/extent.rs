//! Extents of checks: the part of a claim's domain that is checked, by default or as requested.
//!
//! A claim about any length is checked at every length up to the requested length, because short
//! lengths take almost no time. If one size of a claim contains another size, only the larger size
//! is used. But claims about counts need every length of each max pile.

use std::collections::BTreeSet;

use grundy_rules::{Game, Pile, Table, TableError};

use crate::claim::Claim;
use crate::domain::{Domain, Extent, Size};
use crate::words::Unit;

/// An error in the claims, games or range of a plan.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanError {
    #[error("{claim} is not about {}; it is about {}", list(.requested), list(.games))]
    OtherGame { claim: String, requested: Vec<Game>, games: Vec<Game> },
    #[error("{claim} is about positions of at least {from} piles, not of length {requested}")]
    TooShort { claim: String, requested: usize, from: usize },
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("{claim} is checked for {what} from 1 to a bound of at most {most}, not {to}")]
    Bound { claim: String, what: String, to: u32, most: u32 },
}

pub(crate) fn list(games: &[Game]) -> String {
    games.iter().map(|game| game.id()).collect::<Vec<_>>().join(", ")
}

/// The range of a check. Missing values are replaced by the defaults of each claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    pub max_pile: Option<Pile>,
    /// The number of piles. Claims about any length are checked for all lengths up to this number.
    pub length: Option<usize>,
    /// The last column for claims about rows, or the bound for claims about numbers.
    pub to: Option<u32>,
}

impl Range {
    /// Returns the name of a part of the range that no claim uses: `max_pile`, `length` or `to`.
    pub fn unused(&self, claims: &[&Claim]) -> Option<&'static str> {
        let used = |of: &dyn Fn(&Domain) -> bool| claims.iter().any(|claim| of(&claim.domain));
        let of_length =
            |domain: &Domain| matches!(domain, Domain::Positions { .. } | Domain::Usual { .. });
        let of_piles = |domain: &Domain| of_length(domain) || matches!(domain, Domain::Rows { .. });
        let of_bound =
            |domain: &Domain| matches!(domain, Domain::Rows { .. } | Domain::Numbers { .. });
        match self {
            Range { max_pile: Some(_), .. } if !used(&of_piles) => Some("max_pile"),
            Range { length: Some(_), .. } if !used(&of_length) => Some("length"),
            Range { to: Some(_), .. } if !used(&of_bound) => Some("to"),
            _ => None,
        }
    }

    /// Returns the claims that cover only shorter positions than requested, each with its largest
    /// length. A claim is checked up to that length.
    pub fn shorter<'a>(&self, claims: &[&'a Claim]) -> Vec<(&'a Claim, usize)> {
        let Some(requested) = self.length else { return Vec::new() };
        let shorter = claims.iter().filter_map(|&claim| match claim.domain {
            Domain::Positions { to: Some(to), .. } if to < requested => Some((claim, to)),
            _ => None,
        });
        shorter.collect()
    }
}

const WORDS_BY_DEFAULT: u64 = 1 << 24;

impl Claim {
    /// Returns the games among `games` that the claim covers; all that it covers if there are none.
    ///
    /// # Errors
    /// [`PlanError::OtherGame`] if the claim covers none of the games.
    pub fn wanted(&self, games: &[Game]) -> Result<Vec<Game>, PlanError> {
        let is_wanted = |game: &Game| games.is_empty() || games.contains(game);
        let wanted: Vec<Game> = self.games.iter().copied().filter(is_wanted).collect();
        // A statement may compare a game with others, and then has no positions of the others.
        let asked = match self.rust_check() {
            Some(_) => self.games.clone(),
            None => self.games.iter().copied().filter(|&game| self.asks_about(game)).collect(),
        };
        match wanted.iter().any(|game| asked.contains(game)) {
            false => Err(PlanError::OtherGame {
                claim: self.id.clone(),
                requested: games.to_vec(),
                games: asked,
            }),
            true => Ok(wanted),
        }
    }

    /// True if a statement of the claim is about the positions of a game.
    fn asks_about(&self, game: Game) -> bool {
        let checks = self.checks.iter().chain(&self.counted).chain(&self.correction);
        checks.flat_map(|check| &check.questions).any(|question| question.game() == game)
    }

    /// Returns the extent of a check of these games. `usual` chooses the sizes of a claim without a
    /// range.
    ///
    /// # Errors
    /// [`PlanError`] if the claim covers nothing in the range, or if a table would be too large.
    pub fn extent(
        &self,
        games: &[Game],
        range: &Range,
        usual: impl FnOnce() -> Vec<Size>,
    ) -> Result<Extent, PlanError> {
        let bound = |what: &str, to, most| PlanError::Bound {
            claim: self.id.clone(),
            what: what.to_owned(),
            to,
            most,
        };
        let sizes = match &self.domain {
            Domain::Printed(_) => return Ok(Extent::Printed),
            &Domain::Rows { max_pile, bound: last } => {
                let max_pile = range.max_pile.unwrap_or(max_pile);
                let last = range.to.unwrap_or(last);
                return match (last, max_pile) {
                    (0, _) => Err(bound("b", 0, Pile::MAX)),
                    (_, 0) => Err(bound("a", 0, Pile::MAX)),
                    (bound, max_pile) => Ok(Extent::Rows { max_pile, bound }),
                };
            }
            Domain::Numbers { what, default, most } => {
                let to = range.to.unwrap_or(*default);
                return match (1..=*most).contains(&to) {
                    true => Ok(Extent::Numbers { what: what.clone(), to }),
                    false => Err(bound(what, to, *most)),
                };
            }
            Domain::Positions { from, to, defaults } => {
                exact_sizes(self, *from, *to, defaults, range)?
            }
            Domain::Usual { .. } => usual(),
        };
        // An invalid size is an error here, so that checks need not test sizes.
        for (&game, size) in
            games.iter().flat_map(|game| sizes.iter().map(move |size| (game, size)))
        {
            Table::new(game, size.max_pile, size.length)?;
        }
        Ok(Extent::Sizes(sizes))
    }
}

fn exact_sizes(
    claim: &Claim,
    from: usize,
    to: Option<usize>,
    defaults: &[Size],
    range: &Range,
) -> Result<Vec<Size>, PlanError> {
    if let Some(requested) = range.length.filter(|&length| length < from) {
        return Err(PlanError::TooShort { claim: claim.id.clone(), requested, from });
    }
    let requested = match (range.max_pile, range.length) {
        (None, None) => None,
        (Some(max_pile), length) => {
            let length =
                length.or(to).unwrap_or_else(|| longest_by_default(claim.games[0], max_pile));
            Some(Size { max_pile, length: length.max(from) })
        }
        (None, Some(length)) => {
            let length = to.map_or(length, |to| length.min(to));
            Some(Size { max_pile: default_max_pile(length), length })
        }
    };
    let sizes: &[Size] = requested.as_ref().map_or(defaults, std::slice::from_ref);
    let counts = claim.unit == Unit::Counts;
    let mut exact = BTreeSet::new();
    for size in sizes {
        let last = to.map_or(size.length, |to| size.length.min(to));
        // Refuse an invalid size before computing all shorter lengths.
        Table::new(claim.games[0], size.max_pile, last)?;
        let first = if counts { 1 } else { from };
        for length in first..=last {
            let covered =
                sizes.iter().any(|other| other.max_pile > size.max_pile && other.length >= length);
            if counts || !covered {
                exact.insert(Size { max_pile: size.max_pile, length });
            }
        }
    }
    Ok(exact.into_iter().collect())
}

/// Returns the default max pile for a length, which is at least 1.
fn default_max_pile(length: usize) -> Pile {
    let few = |n: Pile| {
        u64::from(n).checked_pow(length as u32).is_some_and(|words| words <= WORDS_BY_DEFAULT)
    };
    (1..2000).take_while(|&n| few(n + 1)).fold(1, |_, n| n + 1)
}

/// Returns the default length for a max pile, for claims about any length. A check takes seconds.
fn longest_by_default(game: Game, max_pile: Pile) -> usize {
    let (most, piles) = if game.is_unordered() { (1 << 24, 4) } else { (1 << 31, 8) };
    let fits = |&length: &usize| {
        Table::new(game, max_pile, length).is_ok_and(|table| table.positions() <= most)
    };
    (1..=piles).take_while(fits).last().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::cases;
    use crate::testing::sizes;
    use grundy_rules::games;

    const CASES: &str = include_str!("extent.txt");

    fn extent(id: &str, range: Range) -> Result<Extent, PlanError> {
        let claim = Claim::find(id).unwrap()[0];
        claim.extent(&claim.games, &range, Vec::new)
    }

    fn keys(id: &str, range: Range) -> Vec<(Pile, usize)> {
        let extent = extent(id, range).unwrap();
        extent.sizes().iter().map(|size| (size.max_pile, size.length)).collect()
    }

    /// Each length of a claim is checked once, with the largest piles. Claims about counts are
    /// checked at each size, because they need the counts of shorter rows.
    #[test]
    fn larger_sizes_serve() {
        let keys = |id: &str| keys(id, Range::default());
        let served =
            [(2, 15..=20), (3, 12..=14), (4, 9..=11), (8, 7..=8), (16, 6..=6), (32, 5..=5)];
        let served = |from| {
            let served = served.iter().cloned().chain([(64, from..=4)]);
            let all = served.flat_map(|(n, lengths)| lengths.map(move |length| (n, length)));
            all.collect::<Vec<(Pile, usize)>>()
        };
        assert_eq!(keys("an.thm2"), served(1));
        assert_eq!(keys("an.prop1"), served(2));
        let all: Vec<(Pile, usize)> =
            [(2, 20), (3, 14), (4, 11), (8, 8), (16, 6), (32, 5), (64, 4)]
                .into_iter()
                .flat_map(|(n, longest)| (1..=longest).map(move |length| (n, length)))
                .collect();
        assert_eq!(keys("end.zeros"), all);
        assert_eq!(keys("ch.thm5.1"), [(127, 3)]);
    }

    /// If only the length is given, the max pile is at most 2000, with at most 2^24 words. If only
    /// the max pile is given, there are at most 2^31 words of eight piles, or 2^24 multisets of
    /// four.
    #[test]
    fn missing_sizes_get_defaults() {
        for (line, [of, max_pile, length, expected]) in cases(CASES, "defaults") {
            let (max_pile, length) = (max_pile.parse().ok(), length.parse().ok());
            let found = match of {
                "any game" => default_max_pile(length.unwrap()).to_string(),
                _ if of.contains('.') => {
                    let keys = keys(of, Range { max_pile, length, to: None }).into_iter();
                    let keys = keys.map(|(max_pile, length)| format!("{max_pile}x{length}"));
                    keys.collect::<Vec<_>>().join(" ")
                }
                game => longest_by_default(game.parse().unwrap(), max_pile.unwrap()).to_string(),
            };
            assert_eq!(found, expected, "line {line}");
        }
    }

    #[test]
    fn impossible_bounds_are_refused() {
        for (line, [id, max_pile, length, to, said]) in cases(CASES, "refused") {
            let (max_pile, length) = (max_pile.parse().ok(), length.parse().ok());
            let found = extent(id, Range { max_pile, length, to: to.parse().ok() });
            let found = found.err().map_or("-".to_owned(), |error| error.to_string());
            assert!(found.starts_with(said), "line {line}: {found}");
        }
        assert!(matches!(extent("an.thm2", sizes(64, 40)), Err(PlanError::Table(_))));
        let games = [games::NIM, games::LOOP_END_NIM];
        let error = Claim::find("ch.two-pile").unwrap()[0].wanted(&games).unwrap_err();
        assert_eq!(
            error.to_string(),
            "ch.two-pile is not about nim, loop-end-nim; it is about end-nim, misere-end-nim"
        );
    }

    /// Tests the messages about parts of the range that no claim uses, and about lengths that a
    /// claim does not cover.
    #[test]
    fn unused_parts_of_a_range_are_named() {
        for (line, [id, max_pile, length, to, expected]) in cases(CASES, "unused") {
            let (max_pile, length) = (max_pile.parse().ok(), length.parse().ok());
            let range = Range { max_pile, length, to: to.parse().ok() };
            let unused = range.unused(&Claim::find(id).unwrap()).unwrap_or("-");
            assert_eq!(unused, expected, "line {line}");
        }
        let claims: Vec<&Claim> = ["ch.two-pile", "ch.thm5.1", "an.thm2", "gn.thm2"]
            .map(|id| Claim::find(id).unwrap()[0])
            .to_vec();
        let shorter = |length| {
            let range = Range { length, ..Range::default() };
            let shorter = range.shorter(&claims).into_iter();
            shorter.map(|(claim, length)| (claim.id.as_str(), length)).collect::<Vec<_>>()
        };
        assert_eq!(shorter(None), []);
        assert_eq!(shorter(Some(2)), []);
        assert_eq!(shorter(Some(3)), [("ch.two-pile", 2)]);
        assert_eq!(shorter(Some(4)), [("ch.two-pile", 2), ("ch.thm5.1", 3)]);
    }
}
