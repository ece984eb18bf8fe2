//! Games that only tests define, so the solvers know nothing but their rules.

use grundy_rules::{
    Family, Game, Meaning, Move, Order, Pick, Pile, Player, Position, Remembers, Rules, TableError,
    from_any_pile, from_either_end,
};
use grundy_solvers::solver;
use grundy_testing::own;
pub(crate) use grundy_testing::own::UpToThree;

use crate::common::wanted;

fn lowered(piles: &[Pile], at: usize, to: Pile) -> Position {
    let mut piles = piles.to_vec();
    piles[at] = to;
    Position::row(&piles)
}

/// Returns the moves of `player` on one end of a row. `to` lists the new sizes of the pile.
fn from_end(
    piles: &[Pile],
    last: bool,
    player: Player,
    to: impl Fn(Pile) -> Vec<Pile>,
) -> Vec<Move> {
    let at = if last { piles.len().saturating_sub(1) } else { 0 };
    let Some(&from) = piles.get(at) else { return Vec::new() };
    let pick = match (piles.len(), last) {
        (1, _) => Pick::Only,
        (_, false) => Pick::Left,
        (_, true) => Pick::Right,
    };
    let make = |to| Move { player, ..Move::new(pick, from, to, lowered(piles, at, to)) };
    to(from).into_iter().map(make).collect()
}

/// Returns the sizes of a pile after taking at most `most` coins.
fn at_most(most: Pile) -> impl Fn(Pile) -> Vec<Pile> {
    move |from| (from.saturating_sub(most)..from).collect()
}

own! {
    /// A move takes any number from the leftmost pile, or the whole rightmost pile. So a row and
    /// its reversal may have different values.
    pub(crate) LeftOrAllOfRight, "left-or-all-of-right", Order::Row,
    fn moves(&self, position: &Position) -> Vec<Move> {
        let piles = position.piles();
        let mut moves = from_end(piles, false, Player::Either, at_most(Pile::MAX));
        if piles.len() > 1 {
            moves.extend(from_end(piles, true, Player::Either, |_| vec![0]));
        }
        moves
    }
    fn is_symmetric(&self) -> bool {
        false
    }
}

own! {
    /// Left takes one or two coins from the first pile. Right takes them from the last pile.
    pub(crate) LeftAndRight, "left-and-right", Order::Row,
    fn moves(&self, position: &Position) -> Vec<Move> {
        let piles = position.piles();
        let mut moves = from_end(piles, false, Player::Left, at_most(2));
        moves.extend(from_end(piles, true, Player::Right, at_most(2)));
        moves
    }
    fn meaning(&self) -> Meaning {
        Meaning::Classes
    }
}

own! {
    /// From any pile, Left takes an odd number of coins or four, and Right takes an even number.
    OddAndEven, "odd-and-even", Order::Any,
    fn moves(&self, position: &Position) -> Vec<Move> {
        let by = |player, numbers: fn(Pile) -> bool| {
            let lowered = move |from: Pile| (0..from).filter(move |to| numbers(from - to));
            let moves = from_any_pile(position.piles(), lowered, |piles, _| {
                Position::multiset(piles)
            });
            moves.into_iter().map(move |made| Move { player, ..made })
        };
        by(Player::Left, |taken| taken % 2 == 1)
            .chain(by(Player::Right, |taken| taken % 2 == 0 && taken != 4))
            .chain(by(Player::Either, |taken| taken == 4))
            .collect()
    }
    fn meaning(&self) -> Meaning {
        Meaning::Classes
    }
}

own! {
    /// Nim without moves that take as many coins as the last move, or twice as many.
    NotAsManyNorTwice, "not-as-many-nor-twice", Order::Any,
    fn moves(&self, position: &Position) -> Vec<Move> {
        let last_move = position.last_move();
        from_any_pile(
            position.piles(),
            |from| (0..from).filter(move |to| ![last_move, 2 * last_move].contains(&(from - to))),
            Position::after,
        )
    }
    fn remembers(&self) -> Remembers {
        Remembers::Numbers
    }
}

own! {
    /// A move takes an available number of coins from any pile. This number and the next larger
    /// number become unavailable.
    TwoAreUsedUp, "two-are-used-up", Order::Any,
    fn moves(&self, position: &Position) -> Vec<Move> {
        let available = position.available();
        let lowered = |from: Pile| {
            let taken: Vec<Pile> = available.iter().take_while(|&s| s <= from).collect();
            taken.into_iter().map(move |s| from - s)
        };
        from_any_pile(position.piles(), lowered, |piles, taken| {
            let left = available.without(taken, Pile::MAX).without(taken + 1, Pile::MAX);
            Position::with_available(piles, &left)
        })
    }
    fn remembers(&self) -> Remembers {
        Remembers::Moves
    }
}

own! {
    /// A relative of End-Nim in which a move takes a single pile as a whole.
    pub(crate) AllAtOnce, "all-at-once", Order::Row,
    fn moves(&self, position: &Position) -> Vec<Move> {
        from_either_end(position.piles(), |_| 0..1)
    }
    fn family(&self) -> Family {
        Family::Ends
    }
    fn largest_value(&self, max_pile: Pile, _: usize) -> u64 {
        2 * u64::from(max_pile)
    }
}

pub(crate) fn toys() -> Vec<Game> {
    const TOYS: [&dyn Rules; 7] = [
        &UpToThree,
        &LeftOrAllOfRight,
        &LeftAndRight,
        &OddAndEven,
        &NotAsManyNorTwice,
        &TwoAreUsedUp,
        &AllAtOnce,
    ];
    TOYS.map(Game::new).to_vec()
}

/// Ordered rows with a memory have no default numbering and no tables.
#[test]
fn a_row_with_a_memory_has_no_tables() {
    own! {
        /// End-Nim under another name, with a memory.
        WithMemory, "with-memory", Order::Row,
        fn moves(&self, position: &Position) -> Vec<Move> {
            from_either_end(position.piles(), |pile| 0..pile)
        }
        fn remembers(&self) -> Remembers {
            Remembers::Numbers
        }
    }
    let game = Game::new(&WithMemory);
    let error = solver(game).tables(game, &wanted(4, 2)).unwrap_err();
    assert_eq!(error, TableError::NoIndex { game });
}
