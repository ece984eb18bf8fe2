//! The trait of games: [`Rules`].

use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

use grundy_language::{Memories, Undefined};

use crate::index::{self, Index};
use crate::law::{Family, Law, RuleFile, Singles};
use crate::theorems::theorem;
use crate::{Game, Move, Order, Pile, Player, Position, Remembers, Size, TableError, mex};

/// The kind of result that solving a position gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A Grundy value, in games in which both players have the same moves.
    Grundy,
    /// An outcome class, in games in which the players have different moves or forbid options.
    Classes,
}

/// The rules of a game.
///
/// Rule files implement this trait, and so does long global nim. An implementation gives the game's
/// name and source, the arrangement of its piles, its memory, its moves, and the numbering of its
/// positions. No other code in the project defines any of these.
///
/// Only five methods have no default, so a file of rules is short:
///
/// ```
/// use grundy_rules::{Game, Move, Order, Pile, Position, Rules, from_any_pile};
///
/// /// Nim in which a move takes one, two or three coins.
/// #[derive(Debug)]
/// struct UpToThree;
///
/// impl Rules for UpToThree {
///     fn id(&self) -> &'static str { "up-to-three" }
///     fn title(&self) -> &'static str { "Nim with moves up to three" }
///     fn paper(&self) -> &'static str { "folklore" }
///     fn order(&self) -> Order { Order::Any }
///     fn moves(&self, position: &Position) -> Vec<Move> {
///         from_any_pile(position.piles(), |from: Pile| from.saturating_sub(3)..from, |piles, _| {
///             Position::multiset(piles)
///         })
///     }
/// }
///
/// let game = Game::new(&UpToThree);
/// let position = game.parse("7,2")?;
/// assert_eq!(game.moves(&position).len(), 2 + 3);
/// assert_eq!(grundy_rules::reference::Reference::new(game).value(&position), (7 % 4) ^ (2 % 4));
/// # Ok::<(), grundy_rules::PositionError>(())
/// ```
///
/// Every command accepts the games of the [registry](crate::games).
pub trait Rules: Debug + Send + Sync {
    /// Returns the name on the command line, in folders and in JSON: lower case, with hyphens.
    fn id(&self) -> &str;

    /// Returns the name of the game for use in prose.
    fn title(&self) -> &str;

    /// Returns the publication that defines the rules: authors, year, section.
    fn paper(&self) -> &str;

    /// Returns the rules for players, in one or two sentences. The text is empty if there is none.
    fn rule(&self) -> &str {
        self.rule_file().map_or("", |file| &file.rule)
    }

    /// Returns the arrangement of the piles.
    fn order(&self) -> Order;

    /// Returns every move of a position, in listing order. Every move takes at least one coin, and
    /// leaves no pile larger than the largest pile of the position. In a rule file with `falls` or
    /// `within`, every move lowers [`Rules::falls`], and the position stays in its table.
    fn moves(&self, position: &Position) -> Vec<Move>;

    /// Does the same as [`Rules::moves`], but returns an error if the moves are undefined. Only
    /// moves of rule files can be undefined.
    fn try_moves(&self, position: &Position) -> Result<Vec<Move>, Undefined> {
        Ok(self.moves(position))
    }

    /// Does the same as [`Rules::try_moves`], but stops with `None` if `more` returns false. A
    /// single position of a rule file may have millions of moves.
    fn moves_while(
        &self,
        position: &Position,
        _more: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Vec<Move>>, Undefined> {
        self.try_moves(position).map(Some)
    }

    /// Returns the numbers that every move lowers lexicographically, the order of filling.
    fn falls(&self, position: &Position) -> Result<Vec<i128>, Undefined> {
        Ok(vec![position.coins().into()])
    }

    /// Returns false if the rules exclude the position, or an error if a condition is undefined.
    fn admits(&self, _position: &Position) -> Result<bool, Undefined> {
        Ok(true)
    }

    /// Returns the rule file of a game that is not built in.
    fn rule_file(&self) -> Option<&RuleFile> {
        None
    }

    /// Returns the resolved rules of the rule file. A built-in game has no rule file of the user,
    /// but its rules come from a rule file too.
    fn law(&self) -> Option<&Law> {
        self.rule_file().map(|file| &file.law)
    }

    /// Returns the value of a position without moves. It is 1 for a
    /// [`misere_form`](crate::misere_form) and for a rule file with `play: misere`, otherwise 0.
    fn terminal_value(&self) -> u32 {
        0
    }

    /// Returns the number of options that the other player may forbid before a move. A player wins
    /// by moving first if more distinct options than these are lost for the other player.
    fn blocks(&self) -> usize {
        self.rule_file().map_or(0, |file| file.law.blocks)
    }

    /// Returns the value of a position whose options have these values: their mex, except in
    /// [`remoteness_form`](crate::remoteness_form) and [`outcome_form`](crate::outcome_form).
    fn value_of(&self, options: &[u32]) -> u32 {
        match options {
            [] => self.terminal_value(),
            _ => mex(options.iter().copied()),
        }
    }

    /// Returns the kind of result that solving a position gives.
    fn meaning(&self) -> Meaning {
        Meaning::Grundy
    }

    /// Returns the part of a position besides the piles.
    fn remembers(&self) -> Remembers {
        Remembers::Nothing
    }

    /// Returns the numbers that positions remember, if they remember numbers.
    fn memories(&self) -> Option<&Memories> {
        let of_law = self.law().and_then(|law| law.memories.as_ref());
        (self.remembers() == Remembers::Numbers).then(|| of_law.unwrap_or(Memories::LAST_MOVE))
    }

    /// True if the position without piles exists.
    fn has_empty_position(&self) -> bool {
        true
    }

    /// True if a position and its reversal have the same value, and share a cell of a table.
    fn is_symmetric(&self) -> bool {
        self.order() == Order::Row && self.meaning() == Meaning::Grundy
    }

    /// Returns the numbering of the positions of a table.
    fn index(&self, game: Game, size: Size) -> Result<Arc<dyn Index>, TableError> {
        index::usual(game, size)
    }

    /// Returns a bound on the values of positions of up to `length` piles, each up to `max_pile`.
    /// Every move takes a coin, so the number of coins is a bound. If values follow from the two
    /// ends, the number of coins in the two end piles is a bound.
    fn largest_value(&self, max_pile: Pile, length: usize) -> u64 {
        let piles = if self.family() == Family::Ends { 2 } else { length as u64 };
        u64::from(max_pile) * piles
    }

    /// Returns the size of a stored cell in bytes. `None` means just enough for the largest value.
    fn cell_bytes(&self, _length: usize) -> Option<usize> {
        None
    }

    /// Returns the family of the rules, if there is a faster method than the method for any rules.
    /// The moves must be those of the family.
    fn family(&self) -> Family {
        Family::Other
    }

    /// Returns the values of the single piles up to `most`, if a position without moves has the
    /// value `terminal`. In [`Family::Ends`] and [`Family::Heaps`] all other values follow.
    fn singles(&self, terminal: u32, most: Pile) -> Cow<'_, Singles> {
        Cow::Owned(Singles::by_moves(|position| self.moves(position), terminal, most))
    }

    /// True if tables of single piles store records, because they can be large.
    fn has_records(&self) -> bool {
        false
    }

    /// True if a cell is the threshold l(w) of its word w. Together with the threshold of the
    /// reversal, l(w) determines the outcome class. Computing both thresholds is faster than
    /// reading them from a table.
    fn has_thresholds(&self) -> bool {
        false
    }

    /// Returns the value of a position by a proved theorem. `None` if no theorem applies.
    fn theorem(&self, position: &Position) -> Option<u32> {
        match self.family() {
            family @ (Family::Ends | Family::Heaps) => {
                theorem(family, &self.singles(self.terminal_value(), 3), position)
            }
            _ => None,
        }
    }

    /// Returns the player who may lower the first pile of a row, and the player who may lower the
    /// last pile. A move may take any number of coins from the pile. `None` if rows of two or more
    /// piles have other moves.
    fn lowers_ends(&self) -> Option<[Player; 2]> {
        match self.family() {
            Family::Ends => Some([Player::Either; 2]),
            Family::Sides => Some([Player::Left, Player::Right]),
            _ => None,
        }
    }

    /// True if the moves of rows of two or more piles read and change only the two end piles.
    fn plays_on_ends(&self) -> bool {
        self.lowers_ends().is_some()
    }

    /// Returns the original game if this game is a misère form, otherwise `None`.
    fn misere_of(&self) -> Option<Game> {
        None
    }

    /// Returns the original game if this game is a remoteness form, otherwise `None`.
    fn remoteness_of(&self) -> Option<Game> {
        None
    }

    /// Returns the original game if this game is a form of outcomes, otherwise `None`.
    fn outcomes_of(&self) -> Option<Game> {
        None
    }

    /// Returns the same game under normal play, if this is a built-in misère game. See
    /// [`other_misere_value`](crate::other_misere_value).
    fn normal_play(&self) -> Option<Game> {
        None
    }
}
