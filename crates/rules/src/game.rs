//! Games, and the search for a game by its name.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, RangeInclusive};
use std::str::FromStr;

use crate::law::{Kind, Law, Singles};
use crate::theorems::is_heaps;
use crate::{
    IN_BROWSER, Meaning, Order, Outcome, Pile, Position, Rules, TableError, games, rulesets,
};

/// A game: a handle to its [`Rules`], with all their methods.
///
/// ```
/// use grundy_rules::{Game, games};
///
/// let game: Game = "end-nim".parse()?;
/// assert_eq!(game, games::END_NIM);
/// assert_eq!(game.title(), "End-Nim");
/// assert_eq!(game.moves(&game.parse("2,1")?).len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Game {
    /// The rules of a game outside the registry.
    rules: Option<&'static dyn Rules>,
    /// The place in the registry. Games outside it have `u16::MAX` and are compared by name.
    rank: u16,
}

impl Game {
    /// Returns a game that is not in the registry. All generic code accepts such a game, but its
    /// name cannot be parsed.
    pub const fn new(rules: &'static dyn Rules) -> Game {
        Game { rules: Some(rules), rank: u16::MAX }
    }

    pub(crate) const fn built_in(rank: u16) -> Game {
        Game { rules: None, rank }
    }

    /// Returns every game of the registry, in the order in which games are listed and built.
    pub fn all() -> impl Iterator<Item = Game> + Clone {
        games::GAMES.into_iter()
    }

    /// Returns the rules of the game.
    pub fn rules(self) -> &'static dyn Rules {
        self.rules.unwrap_or_else(|| games::rules(self.rank))
    }

    /// Returns the name on the command line, in folders and in JSON.
    pub fn id(self) -> &'static str {
        self.rules.map_or_else(|| games::id(self.rank), Rules::id)
    }

    /// Returns the name of the game for use in prose.
    pub fn title(self) -> &'static str {
        self.rules().title()
    }

    /// Returns the publication that defines the rules: authors, year, section.
    pub fn paper(self) -> &'static str {
        self.rules().paper()
    }

    /// True if both players have the same moves, so that positions have Grundy values.
    pub fn is_impartial(self) -> bool {
        self.meaning() == Meaning::Grundy
    }

    /// True if the order of the piles does not matter. A position is then a multiset, written in
    /// ascending order.
    pub fn is_unordered(self) -> bool {
        self.order() == Order::Any
    }

    /// Returns the range `wanted`, with both ends moved to the nearest length that tables can have.
    pub fn lengths_near(self, wanted: RangeInclusive<usize>) -> RangeInclusive<usize> {
        let Some(law) = self.law() else { return wanted };
        let (least, most) = law.table_lengths().into_inner();
        (*wanted.start()).clamp(least, most)..=(*wanted.end()).clamp(least, most)
    }

    /// True if each pile is a game of its own, so that values of several piles are nim-sums.
    pub fn is_sum(self) -> bool {
        self.law().is_some_and(|law| law.kind == Kind::Sum)
    }

    /// True if a number in a table may have no position: the rule file has a `where`, or a table
    /// holds the positions with at most N coins.
    pub fn excludes(self) -> bool {
        self.law().is_some_and(Law::excludes)
    }

    /// True if tables hold the positions with at most N coins, instead of piles of at most N.
    pub fn is_within_total(self) -> bool {
        self.law().is_some_and(|law| law.within_total)
    }

    /// Returns what is at most N in the positions of a table: the `piles`, or the `total`.
    pub fn measure(self) -> &'static str {
        if self.is_within_total() { "total" } else { "piles" }
    }

    /// Returns the name of the N of a table in messages.
    pub fn size_name(self) -> &'static str {
        if self.is_within_total() { "max total" } else { "max pile" }
    }

    /// Returns the N of a table: its largest pile, or with `within: total` its largest total, which
    /// may be given in either way. `None` if neither is given.
    pub fn given_size(
        self,
        max_pile: Option<Pile>,
        max_total: Option<Pile>,
    ) -> Result<Option<Pile>, TableError> {
        match (max_pile, max_total) {
            (Some(_), Some(_)) => Err(TableError::TwoSizes),
            (None, Some(max_total)) if !self.is_within_total() => {
                Err(TableError::NotWithinTotal { game: self, max_total })
            }
            _ => Ok(max_pile.or(max_total)),
        }
    }

    /// Returns the length of the tables that store positions of this length: 0 if a move may change
    /// the number of heaps, so that a table stores positions of every length.
    pub fn stored_length(self, length: usize) -> usize {
        if self.is_within_total() && self.is_unordered() { 0 } else { length }
    }

    /// Returns the least N of the tables with positions of this length.
    pub fn least_size(self, length: usize) -> Pile {
        // With fewer coins there are no positions of so many piles.
        if self.is_within_total() { length as Pile } else { 1 }
    }

    /// Returns the least N of the tables that hold a position.
    pub fn size_of(self, position: &Position) -> u64 {
        if self.is_within_total() { position.coins() } else { position.max_pile().into() }
    }

    /// True if moves lower the list of the line `falls`, which is not the number of coins.
    pub fn has_falls(self) -> bool {
        self.law().is_some_and(|law| !law.falls.is_empty())
    }

    /// True if every move takes a coin, and makes no pile larger than the largest of the position.
    pub fn only_takes(self) -> bool {
        self.law().is_none_or(crate::law::Law::only_takes)
    }

    /// Returns the number of piles, if the game has tables of one length only.
    pub fn only_length(self) -> Option<usize> {
        let (least, most) = self.law()?.table_lengths().into_inner();
        (least == most).then_some(least)
    }

    /// True unless the rules exclude the position. If their condition is undefined at the position,
    /// returns true; [`Rules::try_moves`] then returns the error.
    pub fn keeps(self, position: &Position) -> bool {
        self.admits(position).unwrap_or(true)
    }

    /// Calls `answer` with the position of each list of piles. Returns the results in the same
    /// order, with `None` for each position that the rules exclude.
    pub fn each_admitted<T, E>(
        self,
        places: impl Iterator<Item = Vec<Pile>>,
        mut answer: impl FnMut(&Position) -> Result<T, E>,
    ) -> Result<Vec<Option<T>>, E> {
        let places = places.map(|piles| self.position(&piles));
        places.map(|at| self.keeps(&at).then(|| answer(&at)).transpose()).collect()
    }

    /// Returns the values of the single piles up to `most`: see [`Rules::singles`].
    pub fn single_piles(self, most: Pile) -> Cow<'static, Singles> {
        let rules = self.rules();
        rules.singles(rules.terminal_value(), most)
    }

    /// Returns the class of a position with this cell: a value, or in a partizan game the index of
    /// the class in [`Outcome::ALL`] (modulo four).
    pub fn class_of(self, cell: u32) -> Outcome {
        match self.is_impartial() {
            true => Outcome::of_value(cell),
            false => Outcome::ALL[cell as usize % Outcome::ALL.len()],
        }
    }

    /// True if positions of `length` piles have the moves and values of Nim.
    pub fn is_nim(self, length: usize) -> bool {
        is_heaps(self.family(), length) && self.single_piles(3).is_nim(&[])
    }

    /// Returns the name of a game outside the registry. Games of the registry are compared by rank
    /// only, which is faster; look-ups compare games often.
    fn telling_id(self) -> Option<&'static str> {
        self.rules.map(Rules::id)
    }
}

impl Deref for Game {
    type Target = dyn Rules;

    fn deref(&self) -> &'static dyn Rules {
        self.rules()
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        self.rank == other.rank && self.telling_id() == other.telling_id()
    }
}

impl Eq for Game {}

impl PartialOrd for Game {
    fn partial_cmp(&self, other: &Game) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Game {
    fn cmp(&self, other: &Game) -> Ordering {
        self.rank.cmp(&other.rank).then_with(|| self.telling_id().cmp(&other.telling_id()))
    }
}

impl Hash for Game {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.rank, self.telling_id()).hash(state);
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Game({})", self.id())
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The error for an unknown name of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown game '{name}'; {}{}", meant(*nearest), list())]
pub struct UnknownGame {
    /// The unknown name, shortened if it is long.
    pub name: String,
    /// The most similar name of a built-in game or a ruleset, if one is similar.
    pub nearest: Option<&'static str>,
}

fn meant(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |name| format!("did you mean '{name}'? "))
}

fn list() -> String {
    match IN_BROWSER {
        true => format!("The games are: {}", rulesets::names().join(", ")),
        false => "`grundy games` lists all games".to_owned(),
    }
}

impl FromStr for Game {
    type Err = UnknownGame;

    fn from_str(name: &str) -> Result<Game, UnknownGame> {
        let wanted =
            name.trim().to_ascii_lowercase().replace(['_', ' '], "-").replace(['è', 'È'], "e");
        if let Some(game) = Game::all().find(|game| game.id() == wanted) {
            return Ok(game);
        }
        if let Some(game) = crate::law::opened(&wanted).or_else(|| rulesets::game(&wanted)) {
            return Ok(game);
        }
        // Limit the time of comparing a long text. Every known name has less than 40 characters.
        let compared: String = wanted.chars().take(40).collect();
        let is_path = name.contains(['/', '\\', '.']);
        let known = if is_path { Vec::new() } else { rulesets::names() };
        let near = known.into_iter().filter_map(|known| {
            // Prefer a game whose name contains the text, such as "loop".
            let part = wanted.len() > 2 && known.contains(&wanted);
            let distance = strsim::damerau_levenshtein(known, &compared);
            // More than a third of the letters must be right: "foo" is no "nim".
            let is_near = distance <= 2 && 3 * distance < 2 * compared.len();
            (part || is_near).then_some(((!part, distance), known))
        });
        let nearest = near.min().map(|(_, known)| known);
        Err(UnknownGame { name: crate::position::shortened(name), nearest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for game in Game::all() {
            assert_eq!(game.id().parse(), Ok(game));
            assert_eq!(game.title().parse(), Ok(game));
            assert!(!game.paper().is_empty());
        }
    }

    #[test]
    fn a_near_name_is_suggested() {
        for (typed, meant) in [
            ("loop", "loop-end-nim"),
            ("endnim", "end-nim"),
            ("end-withoff", "end-wythoff"),
            ("wythof", "wythoff"),
        ] {
            let error = typed.parse::<Game>().unwrap_err();
            assert_eq!(error.nearest, Some(meant));
            assert!(error.to_string().contains(&format!("did you mean '{meant}'?")));
        }
        for typed in ["foo", "bar-hive", "extremes.gam", "./wythof", "", "x"] {
            let error = typed.parse::<Game>().unwrap_err();
            assert_eq!(error.nearest, None, "{error}");
        }
    }
}
