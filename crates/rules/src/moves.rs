//! Moves, in a form that all games share.

use std::collections::BTreeSet;

use grundy_language::Player;

use crate::{Pile, Position};

/// The pile, or the piles, that a move changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The leftmost pile of a row.
    Left,
    /// The rightmost pile of a row.
    Right,
    /// The leftmost and the rightmost pile of a row. The same number of coins is taken from each.
    Both,
    /// The only pile that is left in a row.
    Only,
    /// A pile with `from` coins, if the order of the piles does not matter.
    Any,
    /// The piles that [`Move::changes`] names.
    Piles,
}

impl Pick {
    /// Returns the name of the pick in listings.
    pub fn name(self) -> &'static str {
        match self {
            Pick::Left => "left",
            Pick::Right => "right",
            Pick::Both => "both",
            Pick::Only => "only",
            Pick::Any => "pile",
            Pick::Piles => "piles",
        }
    }
}

/// The change of one pile, for a move that may change several piles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lowered {
    /// The number of the pile in the position, from 1.
    pub pile: usize,
    /// The number of coins before the move.
    pub from: Pile,
    /// The piles that replace the old pile: exactly one, except in sums.
    pub to: Vec<Pile>,
}

/// A move: the pile that it changes, the coins that it leaves there, and the resulting option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The player who may make the move.
    pub player: Player,
    /// The pile that is reduced.
    pub pick: Pick,
    /// The coins of the pile before the move (of the leftmost pile, for a move on both ends).
    pub from: Pile,
    /// The coins of the pile after the move, or 0 if the pile disappears.
    pub to: Pile,
    /// The coins of the rightmost pile before and after, for a move on both ends.
    pub right: Option<(Pile, Pile)>,
    /// The change of each pile, for a move of a rule file.
    pub changes: Vec<Lowered>,
    /// The option that the move leads to.
    pub option: Position,
}

impl Move {
    /// Returns a move that either player may make on one pile.
    pub fn new(pick: Pick, from: Pile, to: Pile, option: Position) -> Move {
        Move { player: Player::Either, pick, from, to, right: None, changes: Vec::new(), option }
    }

    /// Returns a value that is the same for moves which differ only in the places of equal piles.
    pub fn identity(&self) -> (u8, Position, BTreeSet<(Pile, Pile)>) {
        let left = |one: &Lowered| one.to.iter().fold(0, |sum: Pile, &to| sum.saturating_add(to));
        let amounts = self.changes.iter().map(|one| (one.from, left(one)));
        let amounts = amounts.filter(|(from, to)| from != to).collect();
        (self.player as u8, self.option.clone(), amounts)
    }

    /// Returns a move with these changes. `from` and `to` are sums over all changed piles.
    pub fn of_piles(player: Player, changes: Vec<Lowered>, option: Position) -> Move {
        let from = changes.iter().map(|change| change.from).fold(0, Pile::saturating_add);
        let after = changes.iter().flat_map(|change| &change.to);
        let to = after.fold(0, |sum: Pile, &pile| sum.saturating_add(pile));
        Move { player, changes, ..Move::new(Pick::Piles, from, to, option) }
    }

    /// Describes the changes of a move of a rule file: `take 2 from pile 1 and 2 from pile 3`.
    pub fn in_words(&self) -> String {
        let mut out = String::new();
        let mut takes = false;
        for (at, Lowered { pile, from, to }) in self.changes.iter().enumerate() {
            out += if at > 0 { " and " } else { "" };
            let goes_on = std::mem::replace(&mut takes, matches!(to[..], [to] if to < *from));
            out += &match to[..] {
                [to] if to < *from => {
                    let take = if goes_on { "" } else { "take " };
                    format!("{take}{} from pile {pile}", from - to)
                }
                [to] => format!("add {} to pile {pile}", to - from),
                [] => format!("remove a pile of {from}"),
                _ => {
                    let all: Vec<String> = to.iter().map(Pile::to_string).collect();
                    let (all, left) = (all.join(" and "), to.iter().map(|&to| u64::from(to)).sum());
                    match u64::from(*from).saturating_sub(left) {
                        0 => format!("turn pile {pile} of {from} into {all}"),
                        taken => format!("take {taken} from pile {pile} and leave {all}"),
                    }
                }
            };
        }
        out
    }
}

/// Returns the moves on piles whose order does not matter. Each pile, smallest first, is lowered to
/// every size that `lowered` returns. Equal piles have equal options, so their moves are listed
/// once. The function `option` receives the new piles, unsorted, and the number of coins taken.
pub fn from_any_pile<L: Iterator<Item = Pile>>(
    piles: &[Pile],
    lowered: impl Fn(Pile) -> L,
    option: impl Fn(Vec<Pile>, Pile) -> Position,
) -> Vec<Move> {
    let mut moves = Vec::new();
    for (at, &from) in piles.iter().enumerate() {
        if piles[..at].contains(&from) {
            continue;
        }
        for to in lowered(from) {
            let mut rest = piles.to_vec();
            rest.remove(at);
            rest.extend((to > 0).then_some(to));
            moves.push(Move::new(Pick::Any, from, to, option(rest, from - to)));
        }
    }
    moves
}

/// Returns the moves on the two ends of a row, for either player. The moves on the left end come
/// first. The moves on one end are in ascending order of the coins that they leave. A single pile
/// is lowered to the sizes that `single` returns.
pub fn from_either_end(
    piles: &[Pile],
    single: impl Fn(Pile) -> std::ops::Range<Pile>,
) -> Vec<Move> {
    match *piles {
        [] => Vec::new(),
        [pile] => {
            single(pile).map(|to| Move::new(Pick::Only, pile, to, Position::row(&[to]))).collect()
        }
        [first, .., last] => {
            let left = (0..first).map(|to| Move::new(Pick::Left, first, to, with_first(piles, to)));
            let right = (0..last).map(|to| Move::new(Pick::Right, last, to, with_last(piles, to)));
            left.chain(right).collect()
        }
    }
}

/// Returns the row with its first pile lowered to `to`. An emptied pile disappears.
pub(crate) fn with_first(piles: &[Pile], to: Pile) -> Position {
    Position::row(&[&[to], &piles[1..]].concat())
}

/// Returns the row with its last pile lowered to `to`. An emptied pile disappears.
pub(crate) fn with_last(piles: &[Pile], to: Pile) -> Position {
    Position::row(&[&piles[..piles.len() - 1], &[to]].concat())
}
