//! Partizan End-Nim: the rules (Albert and Nowakowski 2001).
//!
//! Piles stand in a row. Left takes one or more coins from the leftmost pile, Right from
//! the rightmost; an emptied pile disappears; with one pile left both may take from it.
//! Who takes the last coin wins.
//!
//! A position has no Grundy value but an outcome class, and two *thresholds* say which:
//!
//! ```text
//! l(w) = the largest a with which Left, moving first, does not win a w
//! r(w) = the largest b with which Right, moving first, does not win w b
//! ```
//!
//! More coins on one's own end never hurt, so Left, moving first, wins a w just if
//! a > l(w). In particular, if Left can win by taking a whole pile of any size in front
//! of w, then w is lost for Right moving first: l(w) = 0 iff Right, moving first, loses
//! w. So (l, r) gives the class: (0, 0) is P, (0, +) L, (+, 0) R, and (+, +) N. By
//! symmetry r(w) = l(rev w).

use crate::end_nim::{with_first, with_last};
use crate::{Move, Outcome, Pick, Player, Position};

/// Every move of a position, Left's first, by increasing remaining coins.
pub fn moves(position: &Position) -> Vec<Move> {
    let (Some(&first), Some(&last)) = (position.piles().first(), position.piles().last()) else {
        return Vec::new();
    };
    let single = position.length() == 1;
    let pick = |pick| if single { Pick::Only } else { pick };
    let left = (0..first).map(|to| Move {
        player: Player::Left,
        pick: pick(Pick::Left),
        from: first,
        to,
        option: with_first(position, to),
    });
    let right = (0..last).map(|to| Move {
        player: Player::Right,
        pick: pick(Pick::Right),
        from: last,
        to,
        option: with_last(position, to),
    });
    left.chain(right).collect()
}

/// The outcome class of a position from its thresholds (l, r).
pub fn outcome(left: u64, right: u64) -> Outcome {
    Outcome::of_first_moves(right > 0, left > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::reference::Outcomes;

    #[test]
    fn moves_are_those_of_the_rules() {
        let position = Game::PartizanEndNim.parse("2,9,1").unwrap();
        let listed: Vec<String> =
            moves(&position).iter().map(|m| format!("{} {}", m.player.name(), m.option)).collect();
        assert_eq!(listed, ["Left 9,1", "Left 1,9,1", "Right 2,9"]);
        let single = Game::PartizanEndNim.parse("1").unwrap();
        assert_eq!(moves(&single).len(), 2);
    }

    /// The thresholds as defined, by the outcomes that the rules give, are those that
    /// separate the classes.
    #[test]
    fn thresholds_give_the_class() {
        let game = Game::PartizanEndNim;
        let mut outcomes = Outcomes::new(game);
        for word in [&[1][..], &[3], &[2, 1], &[1, 2], &[2, 2], &[1, 3, 2], &[3, 1, 1, 2]] {
            let position = Position::of(word);
            let left = (0..40).rev().find(|&a| {
                a == 0 || !outcomes.left_wins_first(&Position::of(&[&[a], word].concat()))
            });
            let right = (0..40).rev().find(|&b| {
                b == 0 || !outcomes.right_wins_first(&Position::of(&[word, &[b]].concat()))
            });
            let (left, right) = (left.unwrap(), right.unwrap());
            assert!(left < 39 && right < 39);
            let class = outcome(u64::from(left), u64::from(right));
            assert_eq!(class, outcomes.outcome(&position), "{position}");
        }
    }
}
