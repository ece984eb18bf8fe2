//! The arrangement of the piles of a position, and the part of a position besides the piles.

/// The number of coins in a pile: at least 1, except in [places](Order::Places).
pub type Pile = u32;

/// The arrangement of the piles: a row, a multiset, or fixed places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The piles are a row: `1,3` and `3,1` are two positions.
    Row,
    /// The piles are a multiset, written in ascending order. Empty piles may be written too.
    Any,
    /// The piles are in places that may be empty: `3,0,4` and `3,4` are two positions.
    Places,
}

impl Order {
    /// Returns the least pile that a position may have: 0 in places, otherwise 1.
    pub fn least_pile(self) -> Pile {
        Pile::from(self != Order::Places)
    }
}

/// The part of a position besides the piles. It is written after the piles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remembers {
    /// Nothing.
    Nothing,
    /// Numbers, such as the number of coins that the last move took, as in `20,20/3`. In the usual
    /// index of a table, a last move larger than every pile has the same place as no last move. So
    /// a game with this index must give both positions the same value.
    Numbers,
    /// The numbers of coins that may still be taken, up to the largest pile, as in `8{1,3,4}`.
    Moves,
}
