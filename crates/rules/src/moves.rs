//! What a move is, in every game.

use crate::{Pile, Position};

/// Who may make a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Whoever is to move.
    Either,
    /// Left only.
    Left,
    /// Right only.
    Right,
}

impl Player {
    /// The player's name in listings.
    pub fn name(self) -> &'static str {
        match self {
            Player::Either => "either",
            Player::Left => "Left",
            Player::Right => "Right",
        }
    }
}

/// The pile on which a move is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The leftmost pile of a row.
    Left,
    /// The rightmost pile of a row.
    Right,
    /// The single pile that is left of a row.
    Only,
    /// A pile of this size, where the order of the piles does not matter.
    Any,
}

impl Pick {
    /// The pick's name in listings.
    pub fn name(self) -> &'static str {
        match self {
            Pick::Left => "left",
            Pick::Right => "right",
            Pick::Only => "only",
            Pick::Any => "pile",
        }
    }
}

/// A move: the pile it plays on, the coins it leaves there, and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Who may make it.
    pub player: Player,
    /// Which pile is reduced.
    pub pick: Pick,
    /// Coins before.
    pub from: Pile,
    /// Coins after; 0 if the pile disappears.
    pub to: Pile,
    /// The option reached.
    pub option: Position,
}

/// The moves on piles in no order: from each to what `left` says may be left of it, smallest
/// pile first. Of equal piles one is listed, for the others lead to the same options. `option`
/// makes a position of the piles then, in any order, and the coins taken.
pub(crate) fn from_any_pile<L: Iterator<Item = Pile>>(
    piles: &[Pile],
    left: impl Fn(Pile) -> L,
    option: impl Fn(Vec<Pile>, Pile) -> Position,
) -> Vec<Move> {
    let mut moves = Vec::new();
    for (at, &from) in piles.iter().enumerate() {
        if piles[..at].contains(&from) {
            continue;
        }
        for to in left(from) {
            let mut rest = piles.to_vec();
            rest.remove(at);
            rest.extend((to > 0).then_some(to));
            let option = option(rest, from - to);
            moves.push(Move { player: Player::Either, pick: Pick::Any, from, to, option });
        }
    }
    moves
}
