//! The reference evaluators, which follow the rules directly and keep results in a memo. Tests
//! compare all fast code with them.
//!
//! The evaluators use no tiles, tables or symmetry. So they do not share the faults of code that
//! uses these. They evaluate about a million positions a second. The memo keeps all positions.

use std::collections::{HashMap, HashSet};

use grundy_language::Undefined;

use crate::{Game, Move, Outcome, Player, Position, mex};

/// A slow evaluator of the Grundy values of one impartial game, with a memo.
#[derive(Debug)]
pub struct Reference {
    game: Game,
    /// True if the rules define the value of a position as the nim-sum of the values of its piles.
    is_sum: bool,
    memo: HashMap<Position, u32>,
    /// The memo of a remoteness form. The truth value says if the player to move wins.
    lasting: HashMap<Position, (bool, u32)>,
}

impl Reference {
    /// Returns an evaluator with an empty memo.
    ///
    /// # Panics
    /// Panics if the game is not impartial.
    pub fn new(game: Game) -> Reference {
        assert!(game.is_impartial(), "positions of {game} have no Grundy values");
        let is_sum = game.is_sum();
        Reference { game, is_sum, memo: HashMap::new(), lasting: HashMap::new() }
    }

    /// Returns the game of this evaluator.
    pub fn game(&self) -> Game {
        self.game
    }

    /// Returns the Grundy value of a position, by the conventions of the rules of the game.
    ///
    /// # Panics
    /// Panics if the moves of a rule file are undefined ([`Reference::value_while`]).
    pub fn value(&mut self, position: &Position) -> u32 {
        match self.value_while(position, &mut || true) {
            Ok(Some(value)) => value,
            Ok(None) => unreachable!("nothing stops it"),
            Err(error) => panic!("{error}"),
        }
    }

    /// Does the same as [`Reference::value`], but stops with `None` when `more` returns false.
    /// Calls `more` once for each position.
    pub fn value_while(
        &mut self,
        position: &Position,
        more: &mut dyn FnMut() -> bool,
    ) -> Result<Option<u32>, Undefined> {
        if let Some(of) = self.game.remoteness_of() {
            let found = settle(of, &mut self.lasting, position, more, None, |_, options| {
                let of_options = |won| options.iter().filter(move |o| o.0 == won).map(|o| o.1);
                match (options, of_options(false).min()) {
                    ([], _) => (of.terminal_value() > 0, 0),
                    (_, Some(least)) => (true, 1 + least),
                    (_, None) => (false, 1 + of_options(true).max().unwrap_or(0)),
                }
            })?;
            return Ok(found.map(|(_, remoteness)| remoteness));
        }
        let (game, terminal) = (self.game, self.game.terminal_value());
        let join: Option<fn(u32, u32) -> u32> = self.is_sum.then_some(|x, y| x ^ y);
        let found = settle(game, &mut self.memo, position, more, join, |_, values| match values {
            [] => terminal,
            _ => mex(values.iter().copied()),
        })?;
        Ok(found.map(|value| if game.outcomes_of().is_some() { value.min(1) } else { value }))
    }
}

/// A slow evaluator of the outcome classes of any game, with a memo. A player who moves first wins
/// if and only if more distinct options than the other player may forbid are lost for the other
/// player, moving first.
#[derive(Debug)]
pub struct Outcomes {
    game: Game,
    /// For each position: true if Left, moving first, wins; true if Right, moving first, wins.
    memo: HashMap<Position, (bool, bool)>,
}

impl Outcomes {
    /// Returns an evaluator with an empty memo.
    pub fn new(game: Game) -> Outcomes {
        Outcomes { game, memo: HashMap::new() }
    }

    /// Returns the outcome class of a position.
    pub fn outcome(&mut self, position: &Position) -> Outcome {
        let (left, right) = self.first_wins(position);
        Outcome::of_first_moves(left, right)
    }

    /// Does the same as [`Outcomes::outcome`], but stops with `None` when `more` returns false.
    pub fn outcome_while(
        &mut self,
        position: &Position,
        more: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Outcome>, Undefined> {
        let found = self.first_wins_while(position, more)?;
        Ok(found.map(|(left, right)| Outcome::of_first_moves(left, right)))
    }

    /// Returns true if Left, moving first, wins, and true if Right, moving first, wins.
    pub fn first_wins(&mut self, position: &Position) -> (bool, bool) {
        match self.first_wins_while(position, &mut || true) {
            Ok(Some(found)) => found,
            Ok(None) => unreachable!("nothing stops it"),
            Err(error) => panic!("{error}"),
        }
    }

    fn first_wins_while(
        &mut self,
        position: &Position,
        more: &mut dyn FnMut() -> bool,
    ) -> Result<Option<(bool, bool)>, Undefined> {
        let blocks = self.game.blocks();
        settle(self.game, &mut self.memo, position, more, None, |moves, wins| {
            // A move wins if the other player, who moves first in the option, loses. The other
            // player forbids as many of these options as the rules allow.
            let first_wins = |other: Player, loses: fn(&(bool, bool)) -> bool| {
                let moves =
                    moves.iter().zip(wins).filter(|(m, wins)| m.player != other && loses(wins));
                moves.map(|(m, _)| &m.option).collect::<HashSet<_>>().len() > blocks
            };
            (
                first_wins(Player::Right, |(_, right)| !right),
                first_wins(Player::Left, |(left, _)| !left),
            )
        })
    }
}

/// A slow evaluator of cells: Grundy values, or outcome classes if the game is partizan.
#[derive(Debug)]
pub enum ByRules {
    Values(Reference),
    Classes(Outcomes),
}

impl ByRules {
    /// Returns an evaluator with an empty memo.
    pub fn new(game: Game) -> ByRules {
        match game.is_impartial() {
            true => ByRules::Values(Reference::new(game)),
            false => ByRules::Classes(Outcomes::new(game)),
        }
    }

    /// Returns the value of a position, or the index of its class in [`Outcome::ALL`].
    ///
    /// # Panics
    /// Panics if the moves of a rule file are undefined.
    pub fn cell(&mut self, position: &Position) -> u32 {
        match self {
            ByRules::Values(of) => of.value(position),
            ByRules::Classes(of) => of.outcome(position) as u32,
        }
    }

    /// Does the same as [`ByRules::cell`], but stops with `None` when `more` returns false.
    pub fn cell_while(
        &mut self,
        position: &Position,
        more: &mut dyn FnMut() -> bool,
    ) -> Result<Option<u32>, Undefined> {
        match self {
            ByRules::Values(of) => of.value_while(position, more),
            ByRules::Classes(of) => Ok(of.outcome_while(position, more)?.map(|class| class as u32)),
        }
    }
}

/// Computes the result of a position. First computes the results of all positions that can be
/// reached from it and are not in the memo. `of` computes a result from the moves of a position and
/// the results of its options. Stops with `None` if `more` returns false. If `join` is given,
/// computes only results of single piles, which `join` combines into the result of several piles.
///
/// The search has its own stack, because a recursion can be as deep as the number of coins.
fn settle<T: Copy + Default>(
    game: Game,
    memo: &mut HashMap<Position, T>,
    position: &Position,
    more: &mut dyn FnMut() -> bool,
    join: Option<fn(T, T) -> T>,
    of: impl Fn(&[Move], &[T]) -> T,
) -> Result<Option<T>, Undefined> {
    let parts = |position: &Position| match join {
        Some(_) => position.piles().iter().map(|&pile| game.position(&[pile])).collect(),
        None => vec![position.clone()],
    };
    let known = |memo: &HashMap<Position, T>, position: &Position| match join {
        Some(join) => {
            let all = parts(position);
            all.iter().try_fold(T::default(), |sum, part| Some(join(sum, *memo.get(part)?)))
        }
        None => memo.get(position).copied(),
    };
    let mut stack = parts(position);
    while let Some(top) = stack.last() {
        if memo.contains_key(top) {
            stack.pop();
            continue;
        }
        if !more() {
            return Ok(None);
        }
        let Some(moves) = game.moves_while(top, more)? else { return Ok(None) };
        let found: Vec<T> = moves.iter().filter_map(|m| known(memo, &m.option)).collect();
        if found.len() == moves.len() {
            if let Some(done) = stack.pop() {
                memo.insert(done, of(&moves, &found));
            }
        } else {
            let unknown = moves.iter().flat_map(|m| parts(&m.option));
            stack.extend(unknown.filter(|part| !memo.contains_key(part)));
        }
    }
    Ok(known(memo, position))
}
