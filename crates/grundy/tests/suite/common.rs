//! Databases, and games that are not built in, for all tests.

use grundy::{
    Database, Family, Game, Meaning, Move, Order, Pile, Player, Position, Remembers, Rules,
    from_any_pile, from_either_end,
};
use grundy_builder::Request;
use grundy_testing::own;
use grundy_testing::own::UpToThree;
use tempfile::TempDir;

/// Builds a database with one table of a game, of exactly this size.
pub(crate) fn built(game: Game, max_pile: Pile, length: usize) -> (TempDir, Database) {
    let (length, single) = (Some(length), Some(max_pile));
    let request = Request { length, single, ..Request::new(vec![game], max_pile) };
    let folder = grundy_testing::database::built(request);
    let database = Database::open(folder.path()).unwrap();
    (folder, database)
}

// A symmetric row game: a move takes an odd number of coins from an end pile.
own! { OddEnds, "odd-ends", Order::Row,
    fn moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = from_either_end(position.piles(), |pile| 0..pile);
        moves.retain(|m| (m.from - m.to) % 2 == 1);
        moves
    }
}

// An asymmetric row game: a move takes coins from the right end pile only.
own! { RightEnd, "right-end", Order::Row,
    fn moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = from_either_end(position.piles(), |pile| 0..pile);
        moves.retain(|m| m.pick != grundy::Pick::Left);
        moves
    }
    fn is_symmetric(&self) -> bool {
        false
    }
}

// End-Nim, except that a move takes at most half of a lone pile. All values follow from the ends.
own! { HalfEnds, "half-ends", Order::Row,
    fn moves(&self, position: &Position) -> Vec<Move> {
        from_either_end(position.piles(), |pile| pile.div_ceil(2)..pile)
    }
    fn family(&self) -> Family {
        Family::Ends
    }
}

// A partizan game: Left takes one coin from any pile, and Right takes one or two.
own! { OneOrTwo, "one-or-two", Order::Row,
    fn moves(&self, position: &Position) -> Vec<Move> {
        let any = |most: Pile, player| {
            let lowered = move |from: Pile| from.saturating_sub(most)..from;
            let moves = from_any_pile(position.piles(), lowered, |mut piles, _| {
                piles.sort_unstable();
                Position::row(&piles)
            });
            moves.into_iter().map(move |m| Move { player, ..m })
        };
        any(1, Player::Left).chain(any(2, Player::Right)).collect()
    }
    fn meaning(&self) -> Meaning {
        Meaning::Classes
    }
}

// Nim as a game that remembers the last move.
own! { Forgetful, "forgetful", Order::Any,
    fn moves(&self, position: &Position) -> Vec<Move> {
        from_any_pile(position.piles(), |from| 0..from, Position::after)
    }
    fn remembers(&self) -> Remembers {
        Remembers::Numbers
    }
}

/// Returns games that are not built in, with one game of each kind.
pub(crate) fn own_games() -> impl Iterator<Item = Game> {
    const OWN: [&dyn Rules; 5] = [&UpToThree, &OddEnds, &RightEnd, &HalfEnds, &OneOrTwo];
    OWN.into_iter().map(Game::new)
}

pub(crate) fn forgetful() -> Game {
    Game::new(&Forgetful)
}
