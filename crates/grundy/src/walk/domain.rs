//! The positions that a walk visits, in games that remember a last move or a set of moves.

use std::fmt;

use grundy_rules::{Game, Multisets, Numbering, Pile, Remembers, SetRows, Table};

/// The positions over which a statement ranges: all positions of a level, or a part of them.
///
/// A claim file says `positions: at the beginning` for [`Domain::Beginning`] and `sets: of 4` for
/// `Domain::Sets(4)`; [`Domain::of`] reads the words of the command line, Python and JSON.
/// [`Domain::check`] says whether a game has such positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Domain {
    /// All positions.
    #[default]
    All,
    /// The positions at the beginning of play: no last move, and all moves are allowed.
    Beginning,
    /// The positions with a set of this many moves.
    Sets(u32),
}

/// The reason why a domain is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DomainError {
    #[error(
        "{game} remembers nothing besides the piles, so all its positions are at the beginning \
         of play"
    )]
    Beginning { game: Game },
    #[error("{game} remembers no set of moves, so a number of moves chooses none of its positions")]
    Sets { game: Game },
    #[error("'{word}' names no positions; write beginning")]
    Unknown { word: String },
    #[error("at the beginning of play all moves are allowed; choose either positions or sets")]
    Both,
}

impl Domain {
    /// The word for [`Domain::Beginning`].
    pub const BEGINNING: &'static str = "beginning";

    /// Reads the words of the options `positions` and `sets`, both of which may be missing.
    ///
    /// # Errors
    /// [`DomainError`] if the word is unknown, or if both options are given.
    pub fn of(positions: Option<&str>, sets: Option<u32>) -> Result<Domain, DomainError> {
        match (positions, sets) {
            (None, None) => Ok(Domain::All),
            (None, Some(moves)) => Ok(Domain::Sets(moves)),
            (Some(Domain::BEGINNING), None) => Ok(Domain::Beginning),
            (Some(Domain::BEGINNING), Some(_)) => Err(DomainError::Both),
            (Some(word), _) => Err(DomainError::Unknown { word: word.to_owned() }),
        }
    }

    /// Returns the word for the option `positions`, if it is needed.
    pub fn positions(self) -> Option<&'static str> {
        (self == Domain::Beginning).then_some(Domain::BEGINNING)
    }

    /// Returns the number for the option `sets`, if it is needed.
    pub fn sets(self) -> Option<u32> {
        match self {
            Domain::Sets(moves) => Some(moves),
            Domain::All | Domain::Beginning => None,
        }
    }

    /// Returns an error if the game has no positions of this kind.
    ///
    /// ```
    /// use grundy::{Domain, games};
    ///
    /// assert!(Domain::Sets(4).check(games::LONG_GLOBAL_NIM).is_ok());
    /// let refused = Domain::Beginning.check(games::NIM).unwrap_err();
    /// assert!(refused.to_string().starts_with("nim remembers nothing"));
    /// ```
    ///
    /// # Errors
    /// [`DomainError`] if the game does not remember what the domain chooses by.
    pub fn check(self, game: Game) -> Result<(), DomainError> {
        match (self, game.remembers()) {
            (Domain::Beginning, Remembers::Nothing) => Err(DomainError::Beginning { game }),
            (Domain::Sets(_), Remembers::Nothing | Remembers::Numbers) => {
                Err(DomainError::Sets { game })
            }
            _ => Ok(()),
        }
    }

    /// Returns the number of positions of a table that belong to the domain.
    pub(crate) fn count(self, table: &Table) -> u64 {
        let (n, length) = (table.max_pile(), table.length());
        let multisets = |n: Pile| Multisets::new(n, length).map_or(u64::MAX, |all| all.count());
        let sets = |largest: Pile| match self {
            Domain::Sets(moves) => choose(largest.into(), moves as usize),
            Domain::All | Domain::Beginning => 1,
        };
        match table.numbering() {
            _ if self == Domain::All => table.positions(),
            Numbering::Records => n.into(),
            Numbering::Sets | Numbering::SetRows => (1..=n)
                .map(|p| {
                    (multisets(p) - if p > 1 { multisets(p - 1) } else { 0 })
                        .saturating_mul(sets(p))
                })
                .fold(0, u64::saturating_add),
            _ => table.tiles(),
        }
    }

    /// Returns the least number of a position of the domain that is at least `number`. The numbers
    /// from it on may belong to no position.
    pub(crate) fn next(self, table: &Table, number: u64) -> Option<u64> {
        let cells = table.tile_cells() as u64;
        let next = match (self, table.numbering()) {
            (Domain::All, _) => number,
            // The number of a pile with a set has a bit above the bits of the set.
            (Domain::Beginning, Numbering::Sets) => {
                number.max(3).checked_add(1)?.next_power_of_two() - 1
            }
            (Domain::Sets(moves), Numbering::Sets) => {
                with_ones(number.max(2), moves.saturating_add(1))?
            }
            (_, Numbering::SetRows) => {
                let rows = SetRows::new(table.max_pile(), table.length())?;
                let mut piles = vec![1; table.length()];
                let mut next = number;
                loop {
                    if next >= rows.count() {
                        return None;
                    }
                    rows.position(next, &mut piles);
                    let (first, sets) = rows.row(&piles);
                    let index = match self {
                        Domain::Sets(moves) => with_ones(next - first, moves),
                        _ => Some(sets - 1),
                    };
                    match index.filter(|&index| index < sets) {
                        Some(index) => break first + index,
                        None => next = first + sets,
                    }
                }
            }
            _ => number.checked_next_multiple_of(cells)?,
        };
        (next < table.values()).then_some(next)
    }
}

impl fmt::Display for Domain {
    /// Writes words that follow the size of positions, such as `, at the beginning of play`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Domain::All => Ok(()),
            Domain::Beginning => f.write_str(", at the beginning of play"),
            Domain::Sets(1) => f.write_str(", sets of 1 move"),
            Domain::Sets(moves) => write!(f, ", sets of {moves} moves"),
        }
    }
}

/// Returns the least number from `number` on that has this number of ones in binary.
fn with_ones(mut number: u64, ones: u32) -> Option<u64> {
    while number.count_ones() > ones {
        // Carry the lowest one upwards.
        number = number.checked_add(number & number.wrapping_neg())?;
    }
    while number.count_ones() < ones {
        // Fill the lowest zero.
        number |= number.checked_add(1)?;
    }
    Some(number)
}

/// Returns the number of ways to choose `chosen` of `all`, or `u64::MAX` if it is larger.
pub(crate) fn choose(all: u64, chosen: usize) -> u64 {
    if chosen as u64 > all {
        return 0;
    }
    let steps = (1..=chosen as u64).map(|at| (all.saturating_sub(at - 1), at));
    let ways = steps.fold(1.0, |found, (from, at)| found * from as f64 / at as f64);
    ways.round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::games::{LONG_GLOBAL_NIM, SHORT_GLOBAL_NIM};
    use grundy_rules::{Memory, Position};

    /// Compares the numbers of a domain with a test of every position of the table.
    #[test]
    fn a_domain_is_a_part_of_a_table() {
        let domains = [Domain::All, Domain::Beginning, Domain::Sets(0), Domain::Sets(2)];
        for (game, length) in [(LONG_GLOBAL_NIM, 1), (LONG_GLOBAL_NIM, 2), (SHORT_GLOBAL_NIM, 2)] {
            let table = Table::new(game, 5, length).unwrap();
            for domain in domains.into_iter().filter(|domain| domain.check(game).is_ok()) {
                let has = |at: &Position| match (domain, at.memory()) {
                    (Domain::Beginning, Memory::Numbers(state, _)) => *state == 0,
                    (Domain::Beginning, Memory::Available(set)) => set.iter().eq(1..=at.max_pile()),
                    (Domain::Sets(moves), Memory::Available(set)) => {
                        set.iter().count() == moves as usize
                    }
                    _ => true,
                };
                let is_in = |number: &u64| {
                    let position = table.position(*number);
                    position.is_some_and(|at| at.length() == length && has(&at))
                };
                let expected: Vec<u64> = (0..table.values()).filter(is_in).collect();
                let mut found = Vec::new();
                while let Some(number) = domain.next(&table, found.last().map_or(0, |at| at + 1)) {
                    found.push(number);
                }
                found.retain(|number| domain != Domain::All || is_in(number));
                assert_eq!(found, expected, "{table} {domain:?}");
                assert_eq!(domain.count(&table), expected.len() as u64, "{table} {domain:?}");
            }
        }
    }

    #[test]
    fn numbers_with_as_many_ones() {
        let of =
            |ones| std::iter::successors(with_ones(0, ones), move |at| with_ones(at + 1, ones));
        assert_eq!(of(0).take(2).collect::<Vec<_>>(), [0]);
        assert_eq!(of(2).take(5).collect::<Vec<_>>(), [3, 5, 6, 9, 10]);
        assert_eq!((choose(5, 2), choose(5, 0), choose(2, 3)), (10, 1, 0));
    }
}
