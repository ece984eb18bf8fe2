//! The reference evaluator: the mex of the options' values, straight from the
//! rules, with a memo and nothing else. Everything fast is held against it.
//!
//! It knows no tiles, no tables and no symmetry, so that a mistake in any of
//! those cannot hide in it. Expect about a million positions a second; the
//! memo holds every follower of what was asked.

use std::collections::HashMap;

use crate::{Game, Position, end_nim, mex};

/// A slow evaluator with a memo, for one game.
#[derive(Debug)]
pub struct Reference {
    game: Game,
    memo: HashMap<Position, u32>,
}

impl Reference {
    /// An evaluator that has seen nothing yet.
    pub fn new(game: Game) -> Reference {
        Reference { game, memo: HashMap::new() }
    }

    /// The game it evaluates.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The Grundy value of a position, under the conventions of
    /// [`end_nim`].
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
            let moves = end_nim::moves(self.game, top);
            let known: Vec<u32> =
                moves.iter().filter_map(|m| self.memo.get(&m.option).copied()).collect();
            if known.len() == moves.len() {
                let value = mex(known);
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

/// Checks a tile, a rows by b columns, against the definition: every cell is the mex of
/// what stands above it, left of it, and on the borders `row` (G(w b)) and `col`
/// (G(a w)). Returns the first cell, as (row, column) from 0, that is not.
///
/// This is the reference for whole tables: it shares nothing with the kernels, and
/// reads the options' values from the very tile it checks.
///
/// # Panics
/// If the tile is not `col.len()` by `row.len()`.
pub fn first_wrong_cell(row: &[u32], col: &[u32], tile: &[u32]) -> Option<(usize, usize)> {
    assert_eq!(tile.len(), row.len() * col.len());
    // Sets of values as bits; a value that large is a wrong one, and its cell is named
    // before it is needed as an option. A border's may be large: it forbids nothing.
    let words = (row.len() + col.len()) / 64 + 1;
    let insert = |set: &mut [u64], value: u32| {
        if let Some(word) = set.get_mut(value as usize / 64) {
            *word |= 1 << (value % 64);
        }
    };
    let mut above = vec![0u64; words * row.len()];
    for (set, &value) in above.chunks_exact_mut(words).zip(row) {
        insert(set, value);
    }
    let mut left = vec![0u64; words];
    for (a, line) in tile.chunks_exact(row.len()).enumerate() {
        left.fill(0);
        insert(&mut left, col[a]);
        for (b, (&value, above)) in line.iter().zip(above.chunks_exact_mut(words)).enumerate() {
            let full = above.iter().zip(&left).position(|(x, y)| x | y != u64::MAX);
            let word = full.unwrap_or(words);
            let mex = match full {
                Some(word) => 64 * word as u32 + (above[word] | left[word]).trailing_ones(),
                None => 64 * word as u32,
            };
            if value != mex {
                return Some((a, b));
            }
            insert(above, value);
            insert(&mut left, value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(game: Game, text: &str) -> u32 {
        Reference::new(game).value(&game.parse(text).unwrap())
    }

    /// Facts of the papers, transcribed by hand.
    #[test]
    fn published_values() {
        // Albert and Nowakowski 2001, the table of a,4,b (rows 1, 2, 5 and 16).
        let row = |a: u32| -> Vec<u32> {
            let mut reference = Reference::new(Game::EndNim);
            (1..=16).map(|b| reference.value(&Position::of(&[a, 4, b]))).collect()
        };
        assert_eq!(row(1), [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
        assert_eq!(row(2), [1, 0, 3, 2, 5, 4, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15]);
        assert_eq!(row(5), [4, 5, 6, 7, 0, 3, 2, 10, 12, 8, 13, 9, 11, 17, 18, 19]);
        assert_eq!(row(16), [16, 15, 17, 14, 19, 18, 10, 21, 22, 23, 8, 24, 25, 6, 7, 0]);
        // The example of section 2.
        assert_eq!(value(Game::EndNim, "3,3,3,2,3,4,3,3"), 0);
        // Cairns and Ho 2011, sections 4 and 5.
        assert_eq!(value(Game::EndNim, "1,1,1"), 1);
        assert_eq!(value(Game::MisereEndNim, "1,2,2"), 1);
        assert_eq!(value(Game::MisereEndNim, "1,1,1"), 0);
        assert_eq!(value(Game::LoopEndNim, "4,4,4"), 0);
        assert_eq!(value(Game::EndNim, "1,2,3"), 2);
    }

    #[test]
    fn two_piles() {
        for a in 1..=20u32 {
            for b in 1..=20u32 {
                let text = format!("{a},{b}");
                assert_eq!(value(Game::EndNim, &text), a ^ b);
                assert_eq!(value(Game::LoopEndNim, &text), ((a - 1) ^ (b - 1)) + 1);
                assert_eq!(value(Game::MisereEndNim, &text) == 0, a == b && a != 1);
            }
        }
    }

    #[test]
    fn a_wrong_cell_is_found() {
        let mut reference = Reference::new(Game::EndNim);
        let mut value = |piles: &[u32]| reference.value(&Position::of(piles));
        let row: Vec<u32> = (1..=9).map(|b| value(&[4, b])).collect();
        let col: Vec<u32> = (1..=7).map(|a| value(&[a, 4])).collect();
        let cells = (1..=7).flat_map(|a| (1..=9).map(move |b| [a, 4, b]));
        let tile: Vec<u32> = cells.map(|piles| value(&piles)).collect();
        assert_eq!(first_wrong_cell(&row, &col, &tile), None);
        for at in 0..tile.len() {
            for wrong in [0, tile[at] + 1, tile[at] ^ 1, 1000] {
                let mut spoilt = tile.clone();
                spoilt[at] = wrong;
                let found = first_wrong_cell(&row, &col, &spoilt);
                let expected = (wrong != tile[at]).then_some((at / 9, at % 9));
                assert_eq!(found, expected);
            }
        }
        let mut other = col.clone();
        other.swap(0, 3);
        assert!(first_wrong_cell(&row, &other, &tile).is_some());
    }

    #[test]
    fn the_empty_position_is_lost() {
        assert_eq!(value(Game::EndNim, "()"), 0);
    }
}
