//! Positions.
//!
//! A position has piles, in a row or as a multiset, and the memory of the game. The module
//! [`notation`](crate::notation) reads and prints positions.

use std::fmt;

use grundy_language::Memories;

use crate::{MoveSet, Pile, RULE_FILES};

/// A position: a row or a multiset of piles, and the memory of the game.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    pub(crate) piles: Vec<Pile>,
    pub(crate) memory: Memory,
}

/// The part of a position besides its piles.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Memory {
    /// Nothing. Most games have no memory.
    Nothing,
    /// Numbers, as one state: 0 at the beginning. In short global nim the only number is how many
    /// coins the last move took, and the next move may not take this number.
    Numbers(u32, Memories),
    /// The numbers of coins that may still be taken, up to the largest pile, as in long global nim.
    Available(MoveSet),
}

impl Memory {
    /// Returns the memory after a move that took this number of coins, if that is all that is
    /// remembered.
    pub fn last_move(taken: Pile) -> Memory {
        Memory::Numbers(taken, Memories::LAST_MOVE.clone())
    }

    /// Returns the memory with this state, or nothing if there are no numbers to remember.
    pub(crate) fn of(state: u32, memories: Option<&Memories>) -> Memory {
        memories.map_or(Memory::Nothing, |of| Memory::Numbers(state, of.clone()))
    }

    /// Returns the remembered numbers as one number, or 0 if none are remembered.
    pub fn state(&self) -> u32 {
        match *self {
            Memory::Nothing | Memory::Available(_) => 0,
            Memory::Numbers(state, _) => state,
        }
    }

    /// Returns the number of coins that the last move took, or 0 if it is not remembered.
    pub fn taken(&self) -> Pile {
        match self {
            Memory::Numbers(state, _) if !RULE_FILES => *state,
            Memory::Numbers(state, of) if of.has_last_move() => state / of.states(),
            _ => 0,
        }
    }

    /// Returns the remembered numbers with their names.
    pub fn numbers(&self) -> Vec<(&str, u32)> {
        match self {
            Memory::Nothing | Memory::Available(_) => Vec::new(),
            Memory::Numbers(state, of) => {
                of.all().iter().map(|of| &*of.name).zip(of.values(*state)).collect()
            }
        }
    }
}

/// Returns the number of coins of some piles.
pub fn coins(piles: &[Pile]) -> u64 {
    piles.iter().map(|&pile| u64::from(pile)).sum()
}

impl Position {
    /// Returns the row of these piles, from left to right. Zeros are left out.
    pub fn row(piles: &[Pile]) -> Position {
        let piles = piles.iter().copied().filter(|&pile| pile > 0).collect();
        Position { piles, memory: Memory::Nothing }
    }

    /// Returns the position of these piles, which must already be in the order of the game.
    pub fn written(piles: &[Pile], memory: &Memory) -> Position {
        Position { piles: piles.to_vec(), memory: memory.clone() }
    }

    /// Returns the multiset of these piles. Zeros are left out.
    pub fn multiset(mut piles: Vec<Pile>) -> Position {
        piles.retain(|&pile| pile > 0);
        piles.sort_unstable();
        Position { piles, memory: Memory::Nothing }
    }

    /// Returns the multiset of these piles after a move that took this number of coins.
    pub fn after(piles: Vec<Pile>, last_move: Pile) -> Position {
        Position { memory: Memory::last_move(last_move), ..Position::multiset(piles) }
    }

    /// Returns the multiset of these piles with the numbers that may still be taken. Numbers larger
    /// than every pile are left out.
    pub fn with_available(piles: Vec<Pile>, available: &MoveSet) -> Position {
        let position = Position::multiset(piles);
        let largest = position.max_pile();
        Position { memory: Memory::Available(available.without(0, largest)), ..position }
    }

    /// Returns the memory of the game in this position.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Returns the number of coins that the last move took, or 0 if the game does not remember it.
    pub fn last_move(&self) -> Pile {
        self.memory.taken()
    }

    /// Returns the numbers that may be taken. Without a memory, these are 1 to the largest pile.
    pub fn available(&self) -> MoveSet {
        match &self.memory {
            Memory::Available(set) => set.clone(),
            Memory::Nothing | Memory::Numbers(..) => MoveSet::up_to(self.max_pile()),
        }
    }

    /// Returns the piles from left to right.
    pub fn piles(&self) -> &[Pile] {
        &self.piles
    }

    /// Returns the number of piles.
    pub fn length(&self) -> usize {
        self.piles.len()
    }

    /// Returns the number of coins.
    pub fn coins(&self) -> u64 {
        coins(&self.piles)
    }

    /// Returns the largest pile; 0 for the empty position.
    pub fn max_pile(&self) -> Pile {
        self.piles.iter().copied().max().unwrap_or(0)
    }

    /// Returns the same row read from right to left.
    pub fn reversed(&self) -> Position {
        Position { piles: self.piles.iter().rev().copied().collect(), memory: self.memory.clone() }
    }

    /// Returns the position or its reversal, whichever is lexicographically first.
    pub fn canonical(&self) -> Position {
        let reversed = self.reversed();
        if reversed.piles < self.piles { reversed } else { self.clone() }
    }
}

pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 120;
    match text.char_indices().nth(MOST) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}... ({} bytes)", &text[..at], text.len()),
    }
}

pub(crate) fn join(piles: &[Pile]) -> String {
    piles.iter().map(Pile::to_string).collect::<Vec<_>>().join(",")
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.piles.is_empty() { f.write_str("()") } else { f.write_str(&join(&self.piles)) }?;
        match &self.memory {
            Memory::Nothing | Memory::Numbers(0, _) => Ok(()),
            Memory::Numbers(state, of) => {
                of.values(*state).try_for_each(|number| write!(f, "/{number}"))
            }
            Memory::Available(set) => write!(f, "{set}"),
        }
    }
}
