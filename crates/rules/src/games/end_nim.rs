//! End-Nim: the rules (Albert and Nowakowski 2001; Cairns and Ho 2011).
//!
//! Piles stand in a row. A move takes one or more coins from the leftmost or
//! the rightmost pile; an emptied pile disappears. With one pile left it is a
//! pile of Nim, and there the three games part (Cairns and Ho 2011, sections 1
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

use crate::moves::from_either_end;
use crate::{Ends, Move, Order, Position, Rules};

/// End-Nim.
#[derive(Debug)]
pub(crate) struct EndNim;

impl Rules for EndNim {
    fn id(&self) -> &'static str {
        "end-nim"
    }

    fn title(&self) -> &'static str {
        "End-Nim"
    }

    fn paper(&self) -> &'static str {
        "Albert and Nowakowski 2001; Cairns and Ho 2011"
    }

    fn order(&self) -> Order {
        Order::Row
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        from_either_end(position.piles(), |pile| 0..pile)
    }

    fn ends(&self) -> Option<Ends> {
        Some(Ends { seed: |pile| pile, any_length: true })
    }

    /// mex {1} = 0, mex {1, 0} = 2, mex {1, 0, 2} = 3, ...
    fn misere_ends(&self) -> Option<Ends> {
        Some(Ends { seed: |pile| if pile == 1 { 0 } else { pile }, any_length: true })
    }
}

#[cfg(test)]
mod tests {
    use crate::games::{END_NIM, END_NIM_GAMES, LOOP_END_NIM, MISERE_END_NIM, MISERE_NIM, NIM};
    use crate::reference::Reference;
    use crate::{Game, Pile, Position, other_misere_value};

    #[test]
    fn seeds_are_what_the_moves_give() {
        for game in Game::all() {
            let Some(ends) = game.ends() else { continue };
            let mut reference = Reference::new(game);
            for pile in 1..=40 {
                let value = reference.value(&Position::row(&[pile]));
                assert_eq!(value, (ends.seed)(pile), "{game} {pile}");
            }
        }
    }

    #[test]
    fn moves_are_those_of_the_rules() {
        let listed = |game: Game, text: &str| {
            let position = game.parse(text).unwrap();
            game.moves(&position).iter().map(|m| m.option.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(listed(END_NIM, "2,9,1"), ["9,1", "1,9,1", "2,9"]);
        assert_eq!(listed(LOOP_END_NIM, "2,1"), ["1", "1,1", "2"]);
        assert_eq!(listed(END_NIM, "2"), ["()", "1"]);
        assert_eq!(listed(MISERE_END_NIM, "2"), ["1"]);
        assert!(listed(LOOP_END_NIM, "2").is_empty());
    }

    /// G(empty) = 1 followed by mex, evaluated by itself on all small words, of End-Nim and of
    /// Nim.
    #[test]
    fn other_misere_convention() {
        use std::collections::HashMap;
        fn value(game: Game, position: &Position, memo: &mut HashMap<Position, u32>) -> u32 {
            if position.piles().is_empty() {
                return 1;
            }
            if let Some(&known) = memo.get(position) {
                return known;
            }
            let moves = game.moves(position);
            let found = crate::mex(moves.iter().map(|m| value(game, &m.option, memo)));
            memo.insert(position.clone(), found);
            found
        }
        for (misere, normal) in [(MISERE_END_NIM, END_NIM), (MISERE_NIM, NIM)] {
            assert_eq!(misere.normal_play(), Some(normal));
            let (mut memo, mut reference) = (HashMap::new(), Reference::new(normal));
            for index in 0..4 * 5u32.pow(3) {
                let piles: Vec<Pile> =
                    (0..4).map(|at| index / 5u32.pow(at) % 5).filter(|&pile| pile > 0).collect();
                let position = normal.position(&piles);
                let expected = value(normal, &position, &mut memo);
                if !position.piles().is_empty() {
                    let found = other_misere_value(&position, reference.value(&position));
                    assert_eq!(found, expected, "{normal} {position}");
                }
            }
        }
        assert!(END_NIM_GAMES.iter().filter(|game| game.normal_play().is_some()).count() == 1);
    }
}
