//! What a game is: [`Rules`].

use std::fmt::Debug;
use std::sync::Arc;

use grundy_language::Undefined;

use crate::index::{self, Index};
use crate::law::{Law, RuleFile};
use crate::{Game, Move, Pile, Player, Position, Size, TableError};

/// Whether the order of the piles counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Piles stand in a row; `1,3` and `3,1` are two positions.
    Row,
    /// Piles are a multiset, written in ascending order; empty ones may be written too.
    Any,
    /// Piles stand in places, of which some may be empty; `3,0,4` and `3,4` are two positions.
    Places,
}

/// What a game remembers besides the piles, and so what may stand behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remembers {
    /// Nothing.
    Nothing,
    /// The number of coins just taken, as in `20,20/3`. One that is larger than every pile must
    /// mean what none means: they have one place in a table.
    LastMove,
    /// The numbers of coins that may still be taken, as in `8{1,3,4}`. Those that are larger than
    /// every pile are not kept.
    Moves,
}

/// What is known of a position when it is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A Grundy value: both players have the same moves.
    Grundy,
    /// An outcome class: the players' moves differ.
    Classes,
}

/// The values of single piles of a game in which a longer position follows from them by mex
/// over what taking coins from its two ends leads to, and by nothing else. So the rows
/// b -> G(a w b) can be computed along tiles, if they are rows that read the same backwards
/// ([`Rules::is_symmetric`]) and numbered by middles.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// The value of the single pile of so many coins, at least 1.
    pub seed: fn(Pile) -> u32,
    /// Whether that is so for positions of any length, or of two piles only.
    pub any_length: bool,
}

/// What a game is: its law.
///
/// A game is one implementation of this trait: what it is called, who published it, whether
/// the order of its piles counts, what it remembers besides the piles, which moves there are,
/// and how its positions are numbered. Nothing else in the project says any of this.
///
/// Only five things have no default, so a file of rules is short:
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
/// A game that stands in the [registry](crate::games) is one that every command knows.
pub trait Rules: Debug + Send + Sync {
    /// The name on the command line, in folders and in JSON: lower case, with hyphens.
    fn id(&self) -> &'static str;

    /// The name in prose.
    fn title(&self) -> &'static str;

    /// Who published the rules: authors, year, section.
    fn paper(&self) -> &'static str;

    /// Whether the order of the piles counts.
    fn order(&self) -> Order;

    /// Every move of a position, in the order in which they are listed. Every move takes at
    /// least one coin away, and makes no pile larger than the largest one.
    fn moves(&self, position: &Position) -> Vec<Move>;

    /// The same, of games whose moves may not be worked out: those of rule files.
    fn try_moves(&self, position: &Position) -> Result<Vec<Move>, Undefined> {
        Ok(self.moves(position))
    }

    /// Refuses what is no position of the game, though it is written like one.
    fn admits(&self, _position: &Position) -> Result<(), Undefined> {
        Ok(())
    }

    /// The rule file that the game comes from.
    fn rule_file(&self) -> Option<&RuleFile> {
        None
    }

    /// What the rule file says.
    fn law(&self) -> Option<&Law> {
        self.rule_file().map(|file| &file.law)
    }

    /// The value of a position without moves: 0, but of misère play
    /// ([`misere_form`](crate::misere_form), `play: misere` of a rule file).
    fn terminal_value(&self) -> u32 {
        0
    }

    /// What is known of a position when it is solved.
    fn meaning(&self) -> Meaning {
        Meaning::Grundy
    }

    /// What the game remembers besides the piles.
    fn remembers(&self) -> Remembers {
        Remembers::Nothing
    }

    /// Whether the position without piles can be reached, and so is a position.
    fn has_empty_position(&self) -> bool {
        true
    }

    /// Whether a position read backwards has the same value. Of a row and its reversal one is
    /// stored then.
    fn is_symmetric(&self) -> bool {
        self.order() == Order::Row && self.meaning() == Meaning::Grundy
    }

    /// How the positions of a table are numbered.
    fn index(&self, game: Game, size: Size) -> Result<Arc<dyn Index>, TableError> {
        index::usual(game, size)
    }

    /// The largest value that a position of at most `length` piles of at most `max_pile` can
    /// have: at most its coins, for every move takes one; and where all follows from the two ends,
    /// at most theirs, for that many options there are. The thresholds of partizan End-Nim are at
    /// most the number of coins, too.
    fn largest_value(&self, max_pile: Pile, length: usize) -> u64 {
        let piles = match self.ends() {
            Some(Ends { any_length: true, .. }) => 2,
            _ => length as u64,
        };
        u64::from(max_pile) * piles
    }

    /// Bytes of a stored cell, where it is not just wide enough for the largest value.
    fn cell_bytes(&self, _length: usize) -> Option<usize> {
        None
    }

    /// The value of a position by a theorem that is proved; `None` where none says it.
    fn theorem(&self, _position: &Position) -> Option<u32> {
        None
    }

    /// The values of single piles, if all else follows from what the two ends lead to.
    fn ends(&self) -> Option<Ends> {
        None
    }

    /// The same where a position without moves has the value 1, if all else still follows from the
    /// two ends.
    fn misere_ends(&self) -> Option<Ends> {
        None
    }

    /// The players who may lower the first pile of a row and the last, to any smaller number or to
    /// nothing, if two piles or more have no other moves.
    fn lowers_ends(&self) -> Option<[Player; 2]> {
        let ends = self.ends().filter(|ends| ends.any_length && self.order() == Order::Row);
        ends.map(|_| [Player::Either; 2])
    }

    /// Of a misère form, the game that it is a form of.
    fn misere_of(&self) -> Option<Game> {
        None
    }

    /// For a misère game, the same game under normal play: under the other convention of the
    /// literature, G(empty) = 1, the value differs from that one's only where 0 and 1 change
    /// places on piles that are all 1.
    fn normal_play(&self) -> Option<Game> {
        None
    }
}

/// The misère value under the *other* convention of the literature (`G(empty) = 1`, then mex;
/// `MisereNimValue` in CGSuite), from the normal-play value of the same position: the two
/// differ only in that 0 and 1 are exchanged if all piles are 1.
pub fn other_misere_value(position: &Position, normal: u32) -> u32 {
    if position.piles().iter().all(|&pile| pile == 1) { normal ^ 1 } else { normal }
}
