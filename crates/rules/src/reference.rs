//! The reference evaluators, straight from the rules, with a memo and nothing else:
//! Grundy values as the mex of the options' values, and outcome classes by who can win.
//! Everything fast is held against them.
//!
//! They know no tiles, no tables and no symmetry, so that a mistake in any of
//! those cannot hide in them. Expect about a million positions a second; the
//! memo holds every follower of what was asked.

use std::collections::HashMap;

use crate::{Game, Outcome, Player, Position, mex};

/// A slow evaluator of Grundy values with a memo, for one impartial game.
#[derive(Debug)]
pub struct Reference {
    game: Game,
    memo: HashMap<Position, u32>,
}

impl Reference {
    /// An evaluator that has seen nothing yet.
    ///
    /// # Panics
    /// If the game is not impartial.
    pub fn new(game: Game) -> Reference {
        assert!(game.is_impartial(), "positions of {game} have no Grundy values");
        Reference { game, memo: HashMap::new() }
    }

    /// The game it evaluates.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The Grundy value of a position, under the conventions of the game's rules.
    ///
    /// An explicit stack stands in for recursion: the depth is the total number
    /// of coins, which a thread's stack need not bear.
    pub fn value(&mut self, position: &Position) -> u32 {
        let mut stack = vec![position.clone()];
        while let Some(top) = stack.last() {
            if self.memo.contains_key(top) {
                stack.pop();
                continue;
            }
            let moves = self.game.moves(top);
            let known: Vec<u32> =
                moves.iter().filter_map(|m| self.memo.get(&m.option).copied()).collect();
            if known.len() == moves.len() {
                let value = if moves.is_empty() { self.game.terminal_value() } else { mex(known) };
                if let Some(done) = stack.pop() {
                    self.memo.insert(done, value);
                }
            } else {
                let unknown = moves.into_iter().map(|m| m.option);
                stack.extend(unknown.filter(|option| !self.memo.contains_key(option)));
            }
        }
        self.memo[position]
    }
}

/// A slow evaluator of outcome classes with a memo, for any game: a player wins moving
/// first just if some move leads to where the other, moving first, does not win.
#[derive(Debug)]
pub struct Outcomes {
    game: Game,
    /// Whether Left wins moving first, and whether Right does.
    memo: HashMap<Position, (bool, bool)>,
}

impl Outcomes {
    /// An evaluator that has seen nothing yet.
    pub fn new(game: Game) -> Outcomes {
        Outcomes { game, memo: HashMap::new() }
    }

    /// The outcome class of a position.
    pub fn outcome(&mut self, position: &Position) -> Outcome {
        let (left, right) = self.first_wins(position);
        Outcome::of_first_moves(left, right)
    }

    /// Whether Left wins, moving first.
    pub fn left_wins_first(&mut self, position: &Position) -> bool {
        self.first_wins(position).0
    }

    /// Whether Right wins, moving first.
    pub fn right_wins_first(&mut self, position: &Position) -> bool {
        self.first_wins(position).1
    }

    fn first_wins(&mut self, position: &Position) -> (bool, bool) {
        let mut stack = vec![position.clone()];
        while let Some(top) = stack.last() {
            if self.memo.contains_key(top) {
                stack.pop();
                continue;
            }
            let moves = self.game.moves(top);
            let unknown: Vec<Position> = moves
                .iter()
                .filter(|m| !self.memo.contains_key(&m.option))
                .map(|m| m.option.clone())
                .collect();
            if unknown.is_empty() {
                let loses = |player: Player| {
                    // The other player, moving first in the option, does not win.
                    moves.iter().any(|m| {
                        let (left, right) = self.memo[&m.option];
                        match player {
                            Player::Left => m.player != Player::Right && !right,
                            _ => m.player != Player::Left && !left,
                        }
                    })
                };
                let wins = (loses(Player::Left), loses(Player::Right));
                if let Some(done) = stack.pop() {
                    self.memo.insert(done, wins);
                }
            } else {
                stack.extend(unknown);
            }
        }
        self.memo[position]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{END_NIM, LOOP_END_NIM, MISERE_END_NIM, MISERE_NIM, NIM, PARTIZAN_END_NIM};

    fn value(game: Game, text: &str) -> u32 {
        Reference::new(game).value(&game.parse(text).unwrap())
    }

    /// Facts of the papers, transcribed by hand.
    #[test]
    fn published_values() {
        // Albert and Nowakowski 2001, the table of a,4,b (rows 1, 2, 5 and 16).
        let row = |a: u32| -> Vec<u32> {
            let mut reference = Reference::new(END_NIM);
            (1..=16).map(|b| reference.value(&Position::row(&[a, 4, b]))).collect()
        };
        assert_eq!(row(1), [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
        assert_eq!(row(2), [1, 0, 3, 2, 5, 4, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15]);
        assert_eq!(row(5), [4, 5, 6, 7, 0, 3, 2, 10, 12, 8, 13, 9, 11, 17, 18, 19]);
        assert_eq!(row(16), [16, 15, 17, 14, 19, 18, 10, 21, 22, 23, 8, 24, 25, 6, 7, 0]);
        // The example of section 2.
        assert_eq!(value(END_NIM, "3,3,3,2,3,4,3,3"), 0);
        // Cairns and Ho 2011, sections 4 and 5.
        assert_eq!(value(END_NIM, "1,1,1"), 1);
        assert_eq!(value(MISERE_END_NIM, "1,2,2"), 1);
        assert_eq!(value(MISERE_END_NIM, "1,1,1"), 0);
        assert_eq!(value(LOOP_END_NIM, "4,4,4"), 0);
        assert_eq!(value(END_NIM, "1,2,3"), 2);
    }

    #[test]
    fn two_piles() {
        for a in 1..=20u32 {
            for b in 1..=20u32 {
                let text = format!("{a},{b}");
                assert_eq!(value(END_NIM, &text), a ^ b);
                assert_eq!(value(LOOP_END_NIM, &text), ((a - 1) ^ (b - 1)) + 1);
                assert_eq!(value(MISERE_END_NIM, &text) == 0, a == b && a != 1);
            }
        }
    }

    #[test]
    fn the_empty_position_is_lost() {
        assert_eq!(value(END_NIM, "()"), 0);
        assert_eq!(Outcomes::new(PARTIZAN_END_NIM).outcome(&Position::row(&[])), Outcome::P);
    }

    /// Bouton 1901: the examples of sections 2, 4 and 6.
    #[test]
    fn published_values_of_nim() {
        assert_eq!(value(NIM, "9,5,12"), 0);
        assert_eq!(value(NIM, "7,5,12"), 7 ^ 5 ^ 12);
        assert_eq!(value(MISERE_NIM, "1,1,1"), 0);
        assert_eq!(value(MISERE_NIM, "1"), 0);
        assert_ne!(value(MISERE_NIM, "1,1"), 0);
        assert_eq!(value(MISERE_NIM, "2,2"), 0);
    }

    /// Of an impartial game the two evaluators agree.
    #[test]
    fn outcomes_are_those_of_the_values() {
        let mut values = Reference::new(LOOP_END_NIM);
        let mut outcomes = Outcomes::new(LOOP_END_NIM);
        for a in 1..=5 {
            for b in 1..=5 {
                for c in 1..=5 {
                    let position = Position::row(&[a, b, c]);
                    let expected = Outcome::of_value(values.value(&position));
                    assert_eq!(outcomes.outcome(&position), expected, "{position}");
                }
            }
        }
    }
}
