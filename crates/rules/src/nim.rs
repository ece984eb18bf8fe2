//! Nim and misère Nim: the rules (Bouton 1901).
//!
//! Piles are a multiset. A move takes one or more coins from one pile; an emptied pile
//! disappears. In Nim the player who takes the last coin wins.
//!
//! In misère Nim that player loses. Its values here follow the convention of Cairns and
//! Ho (2011), as those of misère End-Nim do: the last coin is never taken, so the single
//! pile 1 is terminal with value 0, and the empty position is not a position. With two
//! piles the two games are one.

use crate::moves::from_any_pile;
use crate::{Game, Move, Pile, Position};

/// Every move of a position, smallest pile first, by increasing remaining coins. Of
/// equal piles one is listed: the others lead to the same options.
///
/// # Panics
/// If the game is neither.
pub fn moves(game: Game, position: &Position) -> Vec<Move> {
    assert!(matches!(game, Game::Nim | Game::MisereNim), "{game} is not Nim");
    let piles = position.piles();
    // The last coin of all is taken in Nim only.
    let least = Pile::from(game == Game::MisereNim && piles.len() == 1);
    from_any_pile(
        piles,
        |from| least..from,
        |mut piles, _| {
            piles.sort_unstable();
            Position::of(&piles)
        },
    )
}

/// The value of a position of Nim by Bouton's theorem, the nim-sum of its piles.
pub fn nim_sum(piles: &[Pile]) -> Pile {
    piles.iter().fold(0, |sum, pile| sum ^ pile)
}

/// The value of misère Nim under the *other* convention of the literature
/// (`G(empty) = 1`, then mex; `MisereNimValue` in CGSuite): the nim-sum, except that 0
/// and 1 are exchanged if all piles are 1.
pub fn other_misere_value(piles: &[Pile]) -> Pile {
    let sum = nim_sum(piles);
    if piles.iter().all(|&pile| pile == 1) { sum ^ 1 } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::Reference;

    fn listed(game: Game, text: &str) -> Vec<String> {
        let position = game.parse(text).unwrap();
        moves(game, &position).iter().map(|m| m.option.to_string()).collect()
    }

    #[test]
    fn moves_are_those_of_the_rules() {
        assert_eq!(listed(Game::Nim, "2,1"), ["2", "1", "1,1"]);
        assert_eq!(listed(Game::Nim, "2,2"), ["2", "1,2"]);
        assert_eq!(listed(Game::Nim, "2"), ["()", "1"]);
        assert_eq!(listed(Game::MisereNim, "2"), ["1"]);
        assert_eq!(listed(Game::MisereNim, "1,1"), ["1"]);
        assert!(listed(Game::MisereNim, "1").is_empty() && listed(Game::Nim, "()").is_empty());
    }

    /// Two piles are the same game in a row and in a heap of heaps.
    #[test]
    fn two_piles_agree_with_end_nim() {
        for (game, row) in [(Game::Nim, Game::EndNim), (Game::MisereNim, Game::MisereEndNim)] {
            let (mut here, mut there) = (Reference::new(game), Reference::new(row));
            for a in 1..=9 {
                for b in a..=9 {
                    let position = Position::of(&[a, b]);
                    assert_eq!(here.value(&position), there.value(&position), "{game} {position}");
                }
            }
        }
    }

    /// G(empty) = 1 followed by mex, evaluated by itself.
    #[test]
    fn other_misere_convention() {
        fn value(piles: &[Pile]) -> u32 {
            if piles.is_empty() {
                return 1;
            }
            let options = moves(Game::Nim, &Position::of(piles));
            crate::mex(options.iter().map(|m| value(m.option.piles())))
        }
        for piles in [&[1][..], &[1, 1], &[1, 1, 1], &[2], &[1, 2], &[2, 2], &[1, 2, 3], &[3, 3]] {
            assert_eq!(value(piles), other_misere_value(piles), "{piles:?}");
        }
    }
}
