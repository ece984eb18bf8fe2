//! Forms of a game, with the same moves but misère values, remoteness or outcomes as values.
//!
//! **Misère play.** A player who cannot move wins. The *misère Grundy value* of a position without
//! moves is 1. The value of any other position is the mex of the misère values of its options
//! (Winning Ways, chapter 13; `MisereNimValue` in CGSuite). The value is 0 if and only if the
//! player to move loses. In most games only the empty position has no moves, so the convention is
//! G(empty) = 1.
//!
//! The *misère form* of a game ([`misere_form`]) has the same moves and these values. All generic
//! code accepts misère forms. If the values of a game follow from the two ends of a row, so do the
//! misère values, but the values of single piles differ ([`Rules::singles`]). Records of single
//! piles, and bounds below the number of options, are valid only in normal play. So the tables of a
//! misère form do not use them. Tables of misère forms are never stored.
//!
//! The built-in misère games (`misere-nim`, `misere-end-nim`) use the convention of Cairns and Ho:
//! the last coin is never taken. Each has the same misère form as the corresponding game under
//! normal play ([`Rules::normal_play`]).
//!
//! **Remoteness** is the length of play in moves if the winner hurries and the loser delays
//! ([`remoteness_form`]). It is 0 for a position without moves. For any other P-position, it is 1
//! more than the largest remoteness of its options. For an N-position, it is 1 more than the
//! smallest remoteness of the options that are P-positions. So the positions of even remoteness are
//! the P-positions in normal play, and the N-positions in misère play.
//!
//! **Outcomes.** In the form of outcomes ([`outcome_form`]) a P-position has the value 0 and an
//! N-position the value 1. Its tables store one bit for each position.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use grundy_language::Undefined;

use crate::index::{self, Index};
use crate::law::{Family, Kind, Law, RuleFile, Singles};
use crate::{
    Game, Meaning, Move, Order, Pile, Position, Remembers, Rules, Size, TableError, games, mex,
};

/// The error for a game without a misère form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{game} has no misère values, because its positions have outcome classes and no values")]
pub struct NoMisereForm {
    /// The game.
    pub game: Game,
}

/// The error for a game that has no remoteness.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{game} has no remoteness, because its positions have only outcome classes")]
pub struct NoRemoteness {
    /// The partizan game.
    pub game: Game,
}

/// The error for a game that has no tables of outcomes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoOutcomeForm {
    #[error("{game} has no tables of outcomes alone, because all its tables have outcome classes")]
    Classes { game: Game },
    #[error("{game} has no tables of outcomes alone, because its positions remember moves")]
    Remembers { game: Game },
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
    let normal = game.normal_play().unwrap_or(game);
    let exists = normal.is_impartial() && games::GAMES.contains(&normal);
    exists.then(|| form(normal, Measure::Misere)).ok_or(NoMisereForm { game })
}

/// Returns the game with the same moves in which the value of a position is its remoteness.
///
/// ```
/// use grundy_rules::{games::NIM, reference::Reference, remoteness_form};
///
/// let lasting = remoteness_form(NIM)?;
/// let mut reference = Reference::new(lasting);
/// let mut value = |text: &str| reference.value(&lasting.parse(text).unwrap());
/// assert_eq!((value("()"), value("5"), value("3,3"), value("1,2")), (0, 1, 6, 3));
/// # Ok::<(), grundy_rules::NoRemoteness>(())
/// ```
///
/// # Errors
/// [`NoRemoteness`] if the game is partizan.
pub fn remoteness_form(game: Game) -> Result<Game, NoRemoteness> {
    let exists = game.is_impartial();
    exists.then(|| form(game, Measure::Remoteness)).ok_or(NoRemoteness { game })
}

/// Returns the game with the same moves and with outcomes as values: 0 for P, and 1 for N.
///
/// ```
/// use grundy_rules::{games::NIM, outcome_form, reference::Reference};
///
/// let outcomes = outcome_form(NIM)?;
/// let mut reference = Reference::new(outcomes);
/// let mut value = |text: &str| reference.value(&outcomes.parse(text).unwrap());
/// assert_eq!((value("()"), value("5"), value("1,2,3"), value("1,2")), (0, 1, 0, 1));
/// # Ok::<(), grundy_rules::NoOutcomeForm>(())
/// ```
///
/// # Errors
/// [`NoOutcomeForm`] if the game is partizan, or remembers moves.
pub fn outcome_form(game: Game) -> Result<Game, NoOutcomeForm> {
    if !game.is_impartial() {
        return Err(NoOutcomeForm::Classes { game });
    }
    match game.remembers() {
        Remembers::Nothing => Ok(form(game, Measure::Outcome)),
        Remembers::Numbers | Remembers::Moves => Err(NoOutcomeForm::Remembers { game }),
    }
}

/// Returns the form of a game. Each form is created once and never freed, because a [`Game`] is a
/// handle that lives as long as the program.
fn form(of: Game, measure: Measure) -> Game {
    static FORMS: Mutex<Vec<&'static Form>> = Mutex::new(Vec::new());
    let mut forms = FORMS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = forms.iter().find(|known| (known.of, known.measure) == (of, measure)) {
        return Game::new(*known);
    }
    let ending = match measure {
        Measure::Misere => "-empty-1",
        Measure::Remoteness => "-remoteness",
        Measure::Outcome => OUTCOMES,
    };
    let id = format!("{}{ending}", of.id()).leak();
    let made: &'static Form = Box::leak(Box::new(Form { of, id, measure }));
    forms.push(made);
    Game::new(made)
}

/// The suffix of the ids of outcome forms. No id of a rule file has this suffix.
pub(crate) const OUTCOMES: &str = "-outcomes";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    Misere,
    Remoteness,
    Outcome,
}

#[derive(Debug)]
struct Form {
    of: Game,
    id: &'static str,
    measure: Measure,
}

impl Form {
    /// Returns the original game if the form has the given measure.
    fn of(&self, measure: Measure) -> Option<Game> {
        (self.measure == measure).then_some(self.of)
    }
}

impl Rules for Form {
    fn id(&self) -> &str {
        self.id
    }

    fn title(&self) -> &str {
        self.of.title()
    }

    fn paper(&self) -> &str {
        self.of.paper()
    }

    fn order(&self) -> Order {
        self.of.order()
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        self.of.moves(position)
    }

    fn try_moves(&self, position: &Position) -> Result<Vec<Move>, Undefined> {
        self.of.try_moves(position)
    }

    fn moves_while(
        &self,
        position: &Position,
        more: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Vec<Move>>, Undefined> {
        self.of.moves_while(position, more)
    }

    fn falls(&self, position: &Position) -> Result<Vec<i128>, Undefined> {
        self.of.falls(position)
    }

    fn admits(&self, position: &Position) -> Result<bool, Undefined> {
        self.of.admits(position)
    }

    fn rule_file(&self) -> Option<&RuleFile> {
        self.of.rules().rule_file()
    }

    /// The law of the game describes normal play, so a misère form has no law.
    fn law(&self) -> Option<&Law> {
        if self.measure == Measure::Misere { None } else { self.of.rules().law() }
    }

    fn terminal_value(&self) -> u32 {
        match self.measure {
            Measure::Misere => 1,
            Measure::Remoteness => 0,
            Measure::Outcome => self.of.terminal_value(),
        }
    }

    /// P-positions have even remoteness in normal play, and odd remoteness in misère play.
    fn value_of(&self, options: &[u32]) -> u32 {
        match (options, self.measure) {
            ([], _) => self.terminal_value(),
            (_, Measure::Misere) => mex(options.iter().copied()),
            (_, Measure::Outcome) => options.contains(&0).into(),
            (_, Measure::Remoteness) => {
                let lost = |&&remoteness: &&u32| remoteness % 2 == self.of.terminal_value();
                let next = options.iter().filter(lost).min().or(options.iter().max());
                next.map_or(0, |remoteness| remoteness + 1)
            }
        }
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
        match self.law() {
            Some(law) if law.kind == Kind::Sum && self.measure == Measure::Remoteness => {
                Err(TableError::Remoteness { game: self.of })
            }
            Some(_) if !self.of.has_records() => self.of.index(game, size),
            _ => index::usual(game, size),
        }
    }

    /// The number of options bounds the mex, and the number of coins bounds the remoteness. If
    /// values follow from the two ends, the number of coins in the two end piles is a bound. Single
    /// piles use this bound too, so the cells of all lengths have the same width.
    fn largest_value(&self, max_pile: Pile, length: usize) -> u64 {
        match self.family() {
            _ if self.measure == Measure::Outcome => 1,
            Family::Ends => 2 * u64::from(max_pile),
            // No number of coins bounds the number of moves.
            _ if self.of.has_falls() => u32::MAX.into(),
            _ => (u64::from(max_pile) * length as u64).max(1),
        }
    }

    /// A misère form has other values of single piles. The families of records and of partizan
    /// games need normal play.
    fn family(&self) -> Family {
        match self.measure {
            Measure::Outcome => Family::Outcomes,
            Measure::Remoteness => Family::Other,
            Measure::Misere => match self.of.family() {
                family @ (Family::Ends | Family::Heaps) => family,
                _ => Family::Other,
            },
        }
    }

    fn singles(&self, terminal: u32, most: Pile) -> Cow<'_, Singles> {
        self.of.rules().singles(terminal, most)
    }

    fn plays_on_ends(&self) -> bool {
        self.of.plays_on_ends()
    }

    fn misere_of(&self) -> Option<Game> {
        self.of(Measure::Misere)
    }

    fn remoteness_of(&self) -> Option<Game> {
        self.of(Measure::Remoteness)
    }

    fn outcomes_of(&self) -> Option<Game> {
        self.of(Measure::Outcome)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::other_misere_value;
    use crate::reference::Reference;

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
                // A built-in misère game has the P-positions of the misère form. The misère values
                // follow from the values in normal play.
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
