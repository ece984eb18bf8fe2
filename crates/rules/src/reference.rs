//! The reference evaluators, straight from the rules, with a memo and nothing else:
//! Grundy values as the mex of the options' values, and outcome classes by who can win.
//! Everything fast is held against them.
//!
//! They know no tiles, no tables and no symmetry, so that a mistake in any of
//! those cannot hide in them. Expect about a million positions a second; the
//! memo holds every follower of what was asked.
//!
//! The functions that look for a first wrong value do the same for whole pieces of a
//! table: they read the options' values from the table itself.

use std::collections::HashMap;

use crate::{Game, Multisets, Outcome, Pile, Player, Position, mex};

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

/// Checks the row l(u b), b = 1, 2, ..., of
/// [partizan End-Nim](crate::games::PARTIZAN_END_NIM) against the moves; `left` and `right` are the
/// thresholds of u, 0 if u is empty.
/// Returns the first b, from 1, for which it is wrong.
///
/// Left, moving first, wins a u b just if Right, moving first, loses a' u b for some
/// a' < a. That is so for a' = 0, no pile, if b <= r(u), by the meaning of r. For a' >= 1
/// it is so if Left, moving first, wins all that Right can leave: a' u b' with b' < b, that
/// is if a' > l(u b'), and a' u, that is if a' > l(u). So l(u b), the largest a with which
/// Left does not win, is 0 in the first case and else the least such a', one more than
/// the greatest of l(u), l(u 1), ..., l(u b-1).
pub fn first_wrong_threshold(left: u64, right: u64, row: &[u64]) -> Option<usize> {
    let mut greatest = left;
    for (b, &found) in (1u64..).zip(row) {
        let expected = if b <= right { 0 } else { greatest + 1 };
        if found != expected {
            return Some(b as usize);
        }
        greatest = greatest.max(found);
    }
    None
}

/// Checks the values of the multisets from number `first` on against those of their
/// options: `here` holds the values of all multisets of that length in order, `below` those
/// of one pile less (of Nim; empty for single piles). Returns the first that is not the mex,
/// counted from `first`.
///
/// # Panics
/// If the game is not Nim or misère Nim, or `here` or `below` is too short.
pub fn first_wrong_multiset(
    game: Game,
    multisets: &Multisets,
    first: u64,
    values: &[u32],
    here: &[u32],
    below: &[u32],
) -> Option<usize> {
    assert!(game.is_unordered(), "the piles of {game} are in a row");
    let length = multisets.length();
    let shorter = Multisets::new(multisets.max_pile(), length - 1)?;
    let (mut piles, mut option) = (vec![0; length], Vec::new());
    // The number of the last position that had an option of this value.
    let mut seen: Vec<u64> = Vec::new();
    for (at, &value) in values.iter().enumerate() {
        let number = first + at as u64;
        multisets.unrank(number, &mut piles);
        for (place, &from) in piles.iter().enumerate() {
            for to in 0..from {
                option.clear();
                option.extend_from_slice(&piles);
                option[place] = to;
                option.sort_unstable();
                let found = match (to, length) {
                    // The last coin of all.
                    (0, 1) if !game.has_empty_position() => continue,
                    (0, 1) => 0,
                    (0, _) => below[shorter.rank(&option[1..]) as usize],
                    _ => here[multisets.rank(&option) as usize],
                };
                if seen.len() <= found as usize {
                    seen.resize(found as usize + 1, u64::MAX);
                }
                seen[found as usize] = number;
            }
        }
        let mex = seen.iter().position(|&last| last != number).unwrap_or(seen.len());
        if value as usize != mex {
            return Some(at);
        }
    }
    None
}

/// Checks the values *(p, k), k = 0, 1, ..., of a multiset p of short global nim against
/// those of the options, which `value_of` gives for ascending piles and a last move. Returns
/// the first k for which the value is not the mex.
///
/// # Errors
/// Those of `value_of`.
pub fn first_wrong_last_move<E>(
    game: Game,
    piles: &[Pile],
    row: &[u32],
    mut value_of: impl FnMut(&[Pile], Pile) -> Result<u32, E>,
) -> Result<Option<usize>, E> {
    let options = game
        .moves(&Position::after(piles.to_vec(), 0))
        .into_iter()
        .map(|m| Ok((m.from - m.to, value_of(m.option.piles(), m.option.last_move())?)))
        .collect::<Result<Vec<(Pile, u32)>, E>>()?;
    let mut seen = Vec::new();
    for (k, &value) in (0..).zip(row) {
        seen.clear();
        seen.resize(options.len() + 1, false);
        for &(_, found) in options.iter().filter(|(taken, _)| *taken != k) {
            if let Some(seen) = seen.get_mut(found as usize) {
                *seen = true;
            }
        }
        if seen.iter().position(|seen| !seen) != Some(value as usize) {
            return Ok(Some(k as usize));
        }
    }
    Ok(None)
}

/// Rows of short global nim with one pile as they are stored: g(n), and the m = n - k of the
/// exceptional last moves k, in ascending order.
pub trait StoredRows {
    /// g(m), m >= 1.
    fn value(&self, pile: Pile) -> u32;
    /// The m of the exceptions of a row.
    fn exceptions(&self, pile: Pile) -> &[Pile];
}

/// Row n of short global nim with one pile by definition, from the rows before it: g(n) and
/// the m of its exceptional last moves. Every option m, with last move n - m, is looked at.
pub fn stored_row(rows: &impl StoredRows, n: Pile) -> (u32, Vec<Pile>) {
    // How often each value occurs, and where last.
    let mut seen: Vec<(u32, Pile)> = Vec::new();
    for m in 0..n {
        let k = n - m;
        // *(m, k): step down while k is exceptional.
        let mut pile = m;
        while pile >= k && rows.exceptions(pile).binary_search(&(pile - k)).is_ok() {
            pile -= k;
        }
        let value = if pile == 0 { 0 } else { rows.value(pile) } as usize;
        if seen.len() <= value {
            seen.resize(value + 1, (0, 0));
        }
        seen[value] = (seen[value].0 + 1, m);
    }
    let g = seen.iter().position(|&(count, _)| count == 0).unwrap_or(seen.len());
    let once = seen[..g].iter().filter(|(count, _)| *count == 1);
    let mut exceptions: Vec<Pile> = once.map(|&(_, m)| m).collect();
    exceptions.sort_unstable();
    (g as u32, exceptions)
}

/// Checks values of one pile of long global nim against those of the options: `values` are
/// those of the sets with the indices `first`, `first` + 1, ... for a pile (see
/// [`crate::set_rows`]), a power of two of them, at a multiple of it. `below` gives the
/// values of as many sets as it is asked for of a smaller pile, from an index on. Returns the
/// first place whose value is not the mex.
///
/// # Errors
/// Those of `below`.
///
/// # Panics
/// If `values` is not such a run, or the pile is 0 or above 63.
pub fn first_wrong_set<E>(
    pile: Pile,
    first: u64,
    values: &[u8],
    mut below: impl FnMut(Pile, u64, usize) -> Result<Vec<u8>, E>,
) -> Result<Option<usize>, E> {
    let count = values.len();
    assert!((1..=63).contains(&pile) && count.is_power_of_two());
    assert!(first.is_multiple_of(count as u64));
    let mut seen = vec![0u64; count];
    for taken in 1..=pile {
        // The index of the option: the bit of the move is cleared, and the moves above what is
        // left, which stand lowest, are dropped.
        let bit = 1u64 << (pile - taken);
        let option = |index: u64| (index & !bit) >> taken;
        let start = option(first);
        let options = below(pile - taken, start, (count >> taken).max(1))?;
        for (index, seen) in (first..).zip(&mut seen) {
            if index & bit != 0 {
                *seen |= 1 << (options[(option(index) - start) as usize] & 63);
            }
        }
    }
    let right = |(&value, seen): (&u8, &u64)| u32::from(value) == seen.trailing_ones();
    Ok(values.iter().zip(&seen).position(|pair| !right(pair)))
}

/// Whether the value of a position of long global nim is the mex of those of its options, which
/// `value_of` gives for ascending piles and the mask of the moves left: bit s-1 is move s.
///
/// # Errors
/// Those of `value_of`.
pub fn is_right_with_set<E>(
    piles: &[Pile],
    set: u64,
    value: u32,
    mut value_of: impl FnMut(&[Pile], u64) -> Result<u32, E>,
) -> Result<bool, E> {
    let mut seen = 0u64;
    for (at, &pile) in piles.iter().enumerate() {
        if piles[..at].contains(&pile) {
            continue;
        }
        for taken in (1..=pile).filter(|taken| set >> (taken - 1) & 1 == 1) {
            let mut left = piles.to_vec();
            left[at] -= taken;
            left.retain(|&pile| pile > 0);
            left.sort_unstable();
            seen |= 1 << (value_of(&left, set & !(1 << (taken - 1)))? & 63);
        }
    }
    Ok(value == seen.trailing_ones())
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
            let full = above.iter().zip(&left).take_while(|&(x, y)| x | y == u64::MAX).count();
            // There are fewer options than bits, so some word is not full.
            let mex = 64 * full as u32 + (above[full] | left[full]).trailing_ones();
            if value != mex {
                return Some((a, b));
            }
            insert(above, value);
            insert(&mut left, value);
        }
    }
    None
}

/// A tile by the definition, for borders whose level is nowhere stored: every cell is the mex of
/// what stands above it, left of it, and on the borders `row` (G(w b)) and `col` (G(a w)).
pub fn tile_between(row: &[u32], col: &[u32]) -> Vec<u32> {
    let cols = row.len();
    let mut tile: Vec<u32> = Vec::with_capacity(cols * col.len());
    // The number of the cell that last had an option of this value.
    let mut seen = vec![usize::MAX; 2 * (cols + col.len()) + 2];
    for (a, &border) in col.iter().enumerate() {
        for b in 0..cols {
            let cell = a * cols + b;
            let left = tile[a * cols..].iter().chain([&border]);
            let above = (0..a).map(|a| &tile[a * cols + b]).chain([&row[b]]);
            for &value in left.chain(above) {
                if let Some(seen) = seen.get_mut(value as usize) {
                    *seen = cell;
                }
            }
            let mex = seen.iter().position(|&last| last != cell);
            // There are fewer options than places.
            tile.push(mex.unwrap_or(seen.len()) as u32);
        }
    }
    tile
}

/// All values of a table of multisets of Nim or misère Nim by the definition, from those of one
/// pile less (nothing, for single piles).
pub fn multiset_level(game: Game, multisets: &Multisets, below: &[u32]) -> Vec<u32> {
    let length = multisets.length();
    let shorter = Multisets::new(multisets.max_pile(), length - 1);
    let mut level: Vec<u32> = Vec::new();
    let (mut piles, mut option) = (vec![1; length], Vec::new());
    for _ in 0..multisets.count() {
        let mut values = Vec::new();
        for (place, &from) in piles.iter().enumerate() {
            for to in 0..from {
                option.clear();
                option.extend_from_slice(&piles);
                option[place] = to;
                option.sort_unstable();
                match (&shorter, to, length) {
                    // The last coin of all.
                    (_, 0, 1) => values.extend(game.has_empty_position().then_some(0)),
                    (Some(shorter), 0, _) => {
                        values.push(below[shorter.rank(&option[1..]) as usize]);
                    }
                    _ => values.push(level[multisets.rank(&option) as usize]),
                }
            }
        }
        level.push(mex(values));
        multisets.step(&mut piles);
    }
    level
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{
        END_NIM, LOOP_END_NIM, MISERE_END_NIM, MISERE_NIM, NIM, PARTIZAN_END_NIM, SHORT_GLOBAL_NIM,
    };

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
    fn a_wrong_cell_is_found() {
        let mut reference = Reference::new(END_NIM);
        let mut value = |piles: &[u32]| reference.value(&Position::row(piles));
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
    fn tiles_and_levels_by_definition() {
        let mut reference = Reference::new(MISERE_END_NIM);
        let mut value = |piles: &[u32]| reference.value(&Position::row(piles));
        let row: Vec<u32> = (1..=7).map(|b| value(&[3, 2, b])).collect();
        let col: Vec<u32> = (1..=5).map(|a| value(&[a, 3, 2])).collect();
        let cells = (1..=5).flat_map(|a| (1..=7).map(move |b| [a, 3, 2, b]));
        let expected: Vec<u32> = cells.map(|piles| value(&piles)).collect();
        assert_eq!(tile_between(&row, &col), expected);
        for game in [NIM, MISERE_NIM] {
            let mut reference = Reference::new(game);
            let mut below = Vec::new();
            for length in 1..=3 {
                let multisets = Multisets::new(6, length).unwrap();
                let mut piles = vec![0; length];
                let expected: Vec<u32> = (0..multisets.count())
                    .map(|number| {
                        multisets.unrank(number, &mut piles);
                        reference.value(&Position::row(&piles))
                    })
                    .collect();
                below = multiset_level(game, &multisets, &below);
                assert_eq!(below, expected, "{game}");
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

    #[test]
    fn a_wrong_multiset_is_found() {
        for game in [NIM, MISERE_NIM] {
            let mut reference = Reference::new(game);
            let mut below = Vec::new();
            for length in 1..=3 {
                let multisets = Multisets::new(6, length).unwrap();
                let mut piles = vec![0; length];
                let here: Vec<u32> = (0..multisets.count())
                    .map(|number| {
                        multisets.unrank(number, &mut piles);
                        reference.value(&Position::row(&piles))
                    })
                    .collect();
                let check = |values: &[u32], from: usize| {
                    let to_check = &values[from..];
                    first_wrong_multiset(game, &multisets, from as u64, to_check, &here, &below)
                };
                assert_eq!(check(&here, 0), None);
                assert_eq!(check(&here, 3), None);
                for at in 0..here.len() {
                    let mut spoilt = here.clone();
                    spoilt[at] += 1;
                    assert_eq!(check(&spoilt, 0), Some(at));
                }
                below = here;
            }
        }
    }

    #[test]
    fn rows_of_short_global_nim() {
        struct Rows(Vec<(u32, Vec<Pile>)>);
        impl StoredRows for Rows {
            fn value(&self, pile: Pile) -> u32 {
                self.0[pile as usize].0
            }
            fn exceptions(&self, pile: Pile) -> &[Pile] {
                &self.0[pile as usize].1
            }
        }
        let mut reference = Reference::new(SHORT_GLOBAL_NIM);
        let mut rows = Rows(vec![(0, Vec::new())]);
        for n in 1..=60 {
            let (g, exceptions) = stored_row(&rows, n);
            for k in 0..=n {
                let value = reference.value(&Position::after(vec![n], k));
                let exceptional = k > 0 && exceptions.contains(&(n - k));
                assert_eq!(exceptional, value != g, "*({n},{k})");
            }
            rows.0.push((g, exceptions));
        }
        let mut row: Vec<u32> =
            (0..=9).map(|k| reference.value(&Position::after(vec![2, 3, 4], k))).collect();
        let mut check = |row: &[u32]| {
            let mut value = |piles: &[Pile], k| -> Result<u32, std::convert::Infallible> {
                Ok(reference.value(&Position::after(piles.to_vec(), k)))
            };
            first_wrong_last_move(SHORT_GLOBAL_NIM, &[2, 3, 4], row, &mut value).unwrap()
        };
        assert_eq!(check(&row), None);
        for k in 0..row.len() {
            row[k] += 1;
            assert_eq!(check(&row), Some(k));
            row[k] -= 1;
        }
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

    /// Thresholds by their meaning, from outcomes alone.
    #[test]
    fn rows_of_thresholds() {
        let mut outcomes = Outcomes::new(PARTIZAN_END_NIM);
        let mut threshold = |word: &[u32], on_left: bool| {
            let fails = |outcomes: &mut Outcomes, a: u32| match on_left {
                true => !outcomes.left_wins_first(&Position::row(&[&[a], word].concat())),
                false => !outcomes.right_wins_first(&Position::row(&[word, &[a]].concat())),
            };
            (1..40).take_while(|&a| fails(&mut outcomes, a)).count() as u64
        };
        for u in [&[][..], &[1], &[3], &[1, 2], &[2, 1], &[3, 1, 2]] {
            let row: Vec<u64> = (1..=4).map(|b| threshold(&[u, &[b]].concat(), true)).collect();
            let (left, right) = (threshold(u, true), threshold(u, false));
            assert_eq!(first_wrong_threshold(left, right, &row), None, "{u:?}");
            for at in 0..row.len() {
                let mut spoilt = row.clone();
                spoilt[at] += 1;
                assert_eq!(first_wrong_threshold(left, right, &spoilt), Some(at + 1));
            }
        }
    }
}
