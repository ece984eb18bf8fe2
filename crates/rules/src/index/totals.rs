//! Numbers positions by their number of coins.
//!
//! The positions with fewer coins come first. So, if every move takes a coin, every option of a
//! position has a smaller number. Positions with the same number of coins are numbered by their
//! piles, one pile after another:
//!
//! | positions | first pile | with n coins | the number of positions |
//! |---|---|---|---|
//! | rows | the first | 2^(n-1) | a row is cut at some of its n - 1 gaps |
//! | multisets | the largest | p(n) | the partitions of n |
//! | k places | the first | C(n + k - 1, k - 1) | the combinatorial number system |
//!
//! The number of a position is the sum, over its piles, of the number of positions that agree with
//! it before this pile and have a smaller pile here.

use crate::{Game, Order, Pile, Remembers};

/// The most positions that are numbered.
const MOST_POSITIONS: u64 = 1 << 40;

/// The positions of a game with at most `coins` coins: all rows, all multisets, or all tuples with
/// a given number of places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    order: Order,
    /// The number of places; 0 in rows and multisets.
    places: usize,
    coins: usize,
    /// `ways[n][s]` = the number of ways to place n coins: with piles of at most s in multisets, in
    /// s places, and with s = 0 in rows.
    ways: Vec<Vec<u64>>,
    /// `starts[n]` = the number of positions with fewer than n coins.
    starts: Vec<u64>,
}

impl Totals {
    /// The most coins: a value is at most the number of coins, or one more in misère play, so
    /// values fit into a byte.
    pub const MOST_COINS: Pile = 250;

    /// Returns the positions with at most `coins` coins. `length` matters only in places. `None` if
    /// the game remembers something, or if there are too many coins or positions.
    pub fn new(game: Game, length: usize, coins: Pile) -> Option<Totals> {
        // A move of a sum, or of a game with `falls`, may add coins.
        let keeps_coins = !game.is_sum() && (game.only_takes() || game.is_within_total());
        let fits = coins <= Totals::MOST_COINS && game.remembers() == Remembers::Nothing;
        let fits = fits && keeps_coins;
        fits.then(|| Totals::of(game.order(), length, coins))?
    }

    /// Returns the numbering of these positions. `None` if there are too many.
    pub(crate) fn of(order: Order, length: usize, coins: Pile) -> Option<Totals> {
        let coins = coins as usize;
        let places = if order == Order::Places { length } else { 0 };
        let states = match order {
            Order::Row => 0,
            Order::Any => coins,
            Order::Places => length,
        };
        let mut ways = vec![vec![0u64; states + 1]; coins + 1];
        for n in 0..=coins {
            ways[n][0] = match order {
                Order::Row if n > 0 => 1u64.checked_shl(n as u32 - 1)?,
                _ => u64::from(n == 0),
            };
            for state in 1..=states {
                // The largest pile is smaller than `state`, or is `state`; the last place has no
                // coin, or at least one.
                let one = if order == Order::Any { n.checked_sub(state) } else { n.checked_sub(1) };
                let more = one.map_or(0, |rest| ways[rest][state]);
                ways[n][state] = ways[n][state - 1].checked_add(more)?;
            }
        }
        let mut starts = vec![0u64];
        for of_total in &ways {
            let sum = starts[starts.len() - 1].checked_add(of_total[states])?;
            starts.push(Some(sum).filter(|&sum| sum <= MOST_POSITIONS)?);
        }
        Some(Totals { order, places, coins, ways, starts })
    }

    /// Returns the number of positions.
    pub fn count(&self) -> u64 {
        self.starts[self.coins + 1]
    }

    /// Returns the largest number of coins.
    pub fn coins(&self) -> Pile {
        self.coins as Pile
    }

    /// Returns the number of positions with fewer than n coins: the number of the first with n.
    pub fn start(&self, n: usize) -> u64 {
        self.starts[n]
    }

    /// Returns the number of multisets of n coins whose piles are at most `largest`.
    pub fn partitions(&self, n: usize, largest: usize) -> u64 {
        self.ways[n][largest]
    }

    /// Returns how many ways to place n coins begin with a pile smaller than `pile`. In places,
    /// `left` places remain.
    fn below(&self, n: usize, left: usize, pile: usize) -> u64 {
        match self.order {
            Order::Row => self.ways[n][0] - self.ways[n - (pile - 1)][0],
            Order::Any => self.ways[n][pile - 1],
            // A first pile of at least `pile` keeps the other coins in all places.
            Order::Places => self.ways[n][left] - self.ways[n - pile][left],
        }
    }

    /// Returns the number of a position with at most `coins` coins. Multisets are ascending.
    pub fn number(&self, piles: &[Pile]) -> u64 {
        let total = piles.iter().map(|&pile| pile as usize).sum::<usize>();
        let (mut left, mut rest, mut number) = (piles.len(), total, self.starts[total]);
        let mut add = |&pile: &Pile| {
            number += self.below(rest, left, pile as usize);
            rest -= pile as usize;
            left -= 1;
        };
        match self.order {
            Order::Any => piles.iter().rev().for_each(&mut add),
            _ => piles.iter().for_each(&mut add),
        }
        number
    }

    /// Replaces `piles` by the piles of a number.
    ///
    /// # Panics
    /// If no position has this number.
    pub fn piles(&self, number: u64, piles: &mut Vec<Pile>) {
        let mut rest = self.starts.partition_point(|&start| start <= number) - 1;
        let mut number = number - self.starts[rest];
        piles.clear();
        let least = self.order.least_pile() as usize;
        while if self.places > 0 { piles.len() < self.places } else { rest > 0 } {
            let left = self.places - piles.len().min(self.places);
            let (mut from, mut to) = (least, rest);
            // Find the largest pile whose smaller piles begin at most `number` positions.
            while from < to {
                let middle = (from + to).div_ceil(2);
                match self.below(rest, left, middle) <= number {
                    true => from = middle,
                    false => to = middle - 1,
                }
            }
            number -= self.below(rest, left, from);
            rest -= from;
            piles.push(from as Pile);
        }
        if self.order == Order::Any {
            piles.reverse();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::law::RuleFile;

    #[test]
    fn numbers_and_positions_correspond() {
        let text = "name: a\ntitle: A\nsource: b\npiles: places\nlength: 3\n\
                    move: i in 1..k, t in 1..piles[i]: piles[i] -= t\n";
        let places = RuleFile::from_text(text).unwrap().game().unwrap();
        // The numbers of rows, of partitions, and of places with at most n coins.
        for (game, coins, count) in
            [(games::END_NIM, 9, 512), (games::NIM, 12, 272), (places, 6, 84)]
        {
            let totals = Totals::new(game, 3, coins).unwrap();
            assert_eq!(totals.count(), count, "{game}");
            let (mut piles, mut seen) = (Vec::new(), std::collections::HashSet::new());
            for number in 0..count {
                totals.piles(number, &mut piles);
                let coins = piles.iter().sum::<Pile>() as usize;
                assert!((totals.start(coins)..totals.start(coins + 1)).contains(&number));
                assert!(game.order() != Order::Any || piles.is_sorted(), "{piles:?}");
                assert_eq!(totals.number(&piles), number, "{game} {piles:?}");
                assert!(seen.insert(piles.clone()), "{game} {piles:?}");
            }
        }
        assert_eq!(Totals::new(games::NIM, 0, 84).unwrap().start(41), 215_308);
        assert!(Totals::new(games::SHORT_GLOBAL_NIM, 1, 9).is_none());
        assert!(Totals::new(games::END_NIM, 3, 64).is_none());
    }
}
