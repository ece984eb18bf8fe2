//! Misère play. By the convention used here, a position without moves has the value 1.
//!
//! A player who cannot move wins. The *misère Grundy value* of a position without moves is 1. The
//! value of any other position is the mex of the misère values of its options (Winning Ways,
//! chapter 13; `MisereNimValue` in CGSuite). The value is 0 if and only if the player to move
//! loses. In most games only the empty position has no moves, so the convention is G(empty) = 1.
//!
//! The *misère form* of a game ([`misere_form`]) has the same moves and these values. All generic
//! code accepts misère forms. If the values of a game follow from the two ends of a row, the values
//! of its misère form do so too, but its single piles have other values ([`Rules::misere_ends`]).
//! Two special results about a game do not hold for its misère form: records of single piles, and
//! bounds below the number of options. So the numbering of the tables of misère forms depends only
//! on the order of the piles. These tables are never stored.
//!
//! The built-in misère games (`misere-nim`, `misere-end-nim`) use the convention of Cairns and Ho:
//! the last coin is never taken. Their misère form is the misère form of the same game under normal
//! play ([`Rules::normal_play`]).

use std::sync::{Arc, LazyLock};

use crate::index::{self, Index};
use crate::{
    Ends, Game, Meaning, Move, Order, Pile, Position, Remembers, Rules, Size, TableError, games,
    other_misere_value,
};

/// The error for a game that has no misère form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{game} has no misère values, because its positions have outcome classes and no values")]
pub struct NoMisereForm {
    /// The game without a misère form.
    pub game: Game,
}

/// Returns the misère form of a game: a position without moves has the value 1, and the value of
/// any other position is the mex of the values of its options.
///
/// ```
/// use grundy_rules::{games::END_NIM, misere_form, reference::Reference};
///
/// let misere = misere_form(END_NIM)?;
/// let mut reference = Reference::new(misere);
/// let mut value = |text: &str| reference.value(&misere.parse(text).unwrap());
/// assert_eq!((value("()"), value("1"), value("2"), value("1,1")), (1, 0, 2, 1));
/// # Ok::<(), grundy_rules::NoMisereForm>(())
/// ```
///
/// # Errors
/// [`NoMisereForm`] if the game is partizan, or not in the registry.
pub fn misere_form(game: Game) -> Result<Game, NoMisereForm> {
    static FORMS: LazyLock<Vec<Misere>> = LazyLock::new(|| {
        let impartial = games::GAMES.into_iter().filter(|game| game.is_impartial());
        let normal = impartial.filter(|game| game.normal_play().is_none());
        // The names of the forms are never freed.
        normal.map(|of| Misere { of, id: format!("{}-empty-1", of.id()).leak() }).collect()
    });
    let normal = game.normal_play().unwrap_or(game);
    let found = FORMS.iter().find(|form| form.of == normal);
    found.map(|form| Game::new(form)).ok_or(NoMisereForm { game })
}

#[derive(Debug)]
struct Misere {
    of: Game,
    id: &'static str,
}

impl Rules for Misere {
    fn id(&self) -> &'static str {
        self.id
    }

    fn title(&self) -> &'static str {
        self.of.title()
    }

    fn paper(&self) -> &'static str {
        self.of.paper()
    }

    fn order(&self) -> Order {
        self.of.order()
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        self.of.moves(position)
    }

    fn terminal_value(&self) -> u32 {
        1
    }

    fn meaning(&self) -> Meaning {
        self.of.meaning()
    }

    fn remembers(&self) -> Remembers {
        self.of.remembers()
    }

    fn has_empty_position(&self) -> bool {
        self.of.has_empty_position()
    }

    fn is_symmetric(&self) -> bool {
        self.of.is_symmetric()
    }

    fn index(&self, game: Game, size: Size) -> Result<Arc<dyn Index>, TableError> {
        index::usual(game, size)
    }

    /// The number of options bounds the mex. If values follow from the two ends, the coins of two
    /// piles are the bound. This bound is used even for single piles, so that the tables of all
    /// lengths have cells of the same width.
    fn largest_value(&self, max_pile: Pile, length: usize) -> u64 {
        match self.ends() {
            Some(Ends { any_length: true, .. }) => 2 * u64::from(max_pile),
            _ => (u64::from(max_pile) * length as u64).max(1),
        }
    }

    fn ends(&self) -> Option<Ends> {
        self.of.misere_ends()
    }

    /// In Nim, and in End-Nim with at most two piles, misère play exchanges the values 0 and 1 if
    /// all piles are 1, and changes no other values. (Theorems of other games do not hold: their
    /// single piles have other values.)
    fn theorem(&self, position: &Position) -> Option<u32> {
        let is_nim = [games::NIM, games::END_NIM].contains(&self.of);
        let normal = self.of.theorem(position).filter(|_| is_nim)?;
        Some(other_misere_value(position, normal))
    }

    fn plays_on_ends(&self) -> bool {
        self.of.plays_on_ends()
    }

    fn misere_of(&self) -> Option<Game> {
        Some(self.of)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::reference::Reference;

    /// Computes the value by the definition.
    fn by_definition(game: Game, at: &Position, memo: &mut HashMap<Position, u32>) -> u32 {
        if let Some(&known) = memo.get(at) {
            return known;
        }
        let mut options: Vec<u32> = Vec::new();
        for made in game.moves(at) {
            options.push(by_definition(game, &made.option, memo));
        }
        let value = match options.is_empty() {
            true => 1,
            false => (0..).find(|value| !options.contains(value)).unwrap(),
        };
        memo.insert(at.clone(), value);
        value
    }

    #[test]
    fn values_are_those_of_the_definition() {
        for game in Game::all() {
            let Ok(misere) = misere_form(game) else {
                assert!(!game.is_impartial(), "{game}");
                continue;
            };
            let normal = game.normal_play().unwrap_or(game);
            let (mut reference, mut memo) = (Reference::new(misere), HashMap::new());
            for number in 0..4 * 4u32.pow(3) {
                let piles: Vec<Pile> =
                    (0..4).map(|at| number / 4u32.pow(at) % 4).filter(|&pile| pile > 0).collect();
                let position = misere.position(&piles);
                if piles.is_empty() && !normal.has_empty_position() {
                    continue;
                }
                let expected = by_definition(normal, &position, &mut memo);
                assert_eq!(reference.value(&position), expected, "{game} {position}");
                // The built-in misère games have the same P-positions, and the misère values follow
                // from those of normal play.
                if game != normal && !piles.is_empty() {
                    let [other, played] =
                        [game, normal].map(|of| Reference::new(of).value(&position));
                    assert_eq!(other == 0, expected == 0, "{game} {position}");
                    assert_eq!(other_misere_value(&position, played), expected, "{normal}");
                }
            }
        }
    }
}
