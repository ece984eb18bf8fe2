//! End-Nim and its two relatives: the rules.
//!
//! Piles stand in a row. A move takes one or more coins from the leftmost or
//! the rightmost pile; an emptied pile disappears. With one pile left it is a
//! plain heap, and there the three games part (Cairns and Ho 2011, sections 1
//! and 4):
//!
//! | game | moves of the single pile b | its value |
//! |---|---|---|
//! | `end-nim` | to b-1, ..., 1 and to the empty position | b |
//! | `misere-end-nim` | to b-1, ..., 1: the last coin is never taken | b - 1 |
//! | `loop-end-nim` | none: whoever leaves one pile has won | 0 |
//!
//! For two or more piles the moves are the same in all three. Reading a
//! position from right to left changes nothing.

use crate::{Game, Move, Pick, Pile, Player, Position};

/// The coins that may remain when the single pile `pile` is reduced.
fn single_pile_moves(game: Game, pile: Pile) -> std::ops::Range<Pile> {
    match game {
        Game::EndNim => 0..pile,
        Game::MisereEndNim => 1..pile,
        Game::LoopEndNim => 0..0,
        _ => unreachable!("{game} is not an impartial game on a row of piles"),
    }
}

/// Every move of a position, left end first, by increasing remaining coins.
///
/// # Panics
/// If the game is none of [`Game::END_NIM`].
pub fn moves(game: Game, position: &Position) -> Vec<Move> {
    match position.piles() {
        [] => Vec::new(),
        &[pile] => single_pile_moves(game, pile)
            .map(|to| {
                let option = if to == 0 { Position::default() } else { Position::of(&[to]) };
                Move { player: Player::Either, pick: Pick::Only, from: pile, to, option }
            })
            .collect(),
        &[first, .., last] => {
            let left = (0..first).map(|to| Move {
                player: Player::Either,
                pick: Pick::Left,
                from: first,
                to,
                option: with_first(position, to),
            });
            let right = (0..last).map(|to| Move {
                player: Player::Either,
                pick: Pick::Right,
                from: last,
                to,
                option: with_last(position, to),
            });
            left.chain(right).collect()
        }
    }
}

/// The row with its first pile lowered to `to`; an emptied pile disappears.
pub(crate) fn with_first(position: &Position, to: Pile) -> Position {
    let mut piles = position.piles().to_vec();
    if to == 0 {
        piles.remove(0);
    } else {
        piles[0] = to;
    }
    Position::of(&piles)
}

/// The row with its last pile lowered to `to`; an emptied pile disappears.
pub(crate) fn with_last(position: &Position, to: Pile) -> Position {
    let mut piles = position.piles().to_vec();
    piles.pop();
    if to > 0 {
        piles.push(to);
    }
    Position::of(&piles)
}

/// The value of the single pile `pile`: an entry of the seed row, from which
/// every longer position follows by mex. The tests hold it against [`moves`].
///
/// # Panics
/// For the global nims, where a pile alone is no position.
pub fn seed(game: Game, pile: Pile) -> u32 {
    match game {
        Game::Nim | Game::EndNim | Game::PartizanEndNim => pile,
        Game::ShortGlobalNim | Game::LongGlobalNim => {
            unreachable!("a pile alone is no position of {game}")
        }
        Game::MisereNim | Game::MisereEndNim => pile - 1,
        Game::LoopEndNim => 0,
    }
}

/// The value under the *other* misère convention of the literature
/// (`G(empty) = 1`, then mex; `MisereNimValue` in CGSuite), from the normal-play
/// End-Nim value of the same position: the two differ only in that 0 and 1 are
/// exchanged on rows of piles that are all 1.
pub fn misere_value_from_normal(position: &Position, normal: u32) -> u32 {
    if position.piles().iter().all(|&pile| pile == 1) { normal ^ 1 } else { normal }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::Reference;

    #[test]
    fn seed_row_is_what_the_moves_give() {
        for game in [&Game::END_NIM[..], &[Game::Nim, Game::MisereNim]].concat() {
            let mut reference = Reference::new(game);
            for pile in 1..=40 {
                assert_eq!(
                    reference.value(&Position::of(&[pile])),
                    seed(game, pile),
                    "{game} {pile}"
                );
            }
        }
    }

    #[test]
    fn moves_are_those_of_the_rules() {
        let listed = |game: Game, text: &str| {
            let position = game.parse(text).unwrap();
            moves(game, &position).iter().map(|m| m.option.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(listed(Game::EndNim, "2,9,1"), ["9,1", "1,9,1", "2,9"]);
        assert_eq!(listed(Game::LoopEndNim, "2,1"), ["1", "1,1", "2"]);
        assert_eq!(listed(Game::EndNim, "2"), ["()", "1"]);
        assert_eq!(listed(Game::MisereEndNim, "2"), ["1"]);
        assert!(listed(Game::LoopEndNim, "2").is_empty());
    }

    /// G(empty) = 1 followed by mex, evaluated by itself on all small words.
    #[test]
    fn other_misere_convention() {
        use std::collections::HashMap;
        fn value(piles: Vec<Pile>, memo: &mut HashMap<Vec<Pile>, u32>) -> u32 {
            if piles.is_empty() {
                return 1;
            }
            if let Some(&known) = memo.get(&piles) {
                return known;
            }
            let position = Position::of(&piles);
            let options: Vec<u32> = moves(Game::EndNim, &position)
                .into_iter()
                .map(|m| value(m.option.piles().to_vec(), memo))
                .collect();
            let found = crate::mex(options);
            memo.insert(piles, found);
            found
        }
        let mut memo = HashMap::new();
        let mut normal = Reference::new(Game::EndNim);
        for a in 1..=4 {
            for b in 0..=4 {
                for c in 0..=4 {
                    for d in 0..=4 {
                        let piles: Vec<Pile> =
                            [a, b, c, d].into_iter().filter(|&pile| pile > 0).collect();
                        let position = Position::of(&piles);
                        let expected = value(piles, &mut memo);
                        let found = misere_value_from_normal(&position, normal.value(&position));
                        assert_eq!(found, expected, "{position}");
                    }
                }
            }
        }
    }
}
