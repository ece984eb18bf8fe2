//! Indexes of the positions with at most N coins, in games with `within: total`.

use grundy_language::Memories;

use super::{Index, Numbering, Place, Shape, Totals, check, sorted, too_large};
use crate::size::LARGEST_MAX_PILE;
use crate::{Game, Memory, Order, Pile, Position, Size, TableError, coins};

/// All positions with at most N coins, numbered by [`Totals`]. Rows and places have `length` piles.
/// A move may change the number of heaps, so the numbers of heaps include those of other lengths.
/// If the game remembers numbers, a tile is one row, with a column for each state.
#[derive(Debug)]
pub struct CoinIndex {
    totals: Totals,
    order: Order,
    length: usize,
    memories: Option<Memories>,
    cols: u64,
}

impl CoinIndex {
    /// Returns the index of the positions with at most `max_pile` coins. `states` is the number of
    /// states, if the game remembers numbers.
    pub fn new(game: Game, size: Size, states: Option<u64>) -> Result<CoinIndex, TableError> {
        check(game, size)?;
        let Size { max_pile: most, length, .. } = size;
        let order = game.order();
        // Each pile of a row has a coin that does not count.
        let fixed =
            if order == Order::Row { Pile::try_from(length).unwrap_or(Pile::MAX) } else { 0 };
        let largest = if order == Order::Any { Totals::MOST_COINS } else { LARGEST_MAX_PILE };
        if most == 0 || most > largest {
            return Err(TableError::MaxTotal { max_total: most, most: largest });
        }
        let few = game.order().least_pile() > 0 && length > most as usize;
        let coins = most.checked_sub(fixed).filter(|_| !few);
        let coins = coins.ok_or(TableError::FewCoins { max_total: most, length })?;
        let counted = if order == Order::Row { Order::Places } else { order };
        let totals = Totals::of(counted, length, coins).ok_or_else(|| too_large(game, size))?;
        let cols = states.unwrap_or(1);
        let cells = totals.count().checked_mul(cols);
        cells.filter(|&cells| cells <= 1 << 63).ok_or_else(|| too_large(game, size))?;
        Ok(CoinIndex { totals, order, length, memories: game.memories().cloned(), cols })
    }

    /// Returns the piles as the numbering counts them.
    fn counted(&self, piles: &[Pile]) -> Option<Vec<Pile>> {
        let counted: Vec<Pile> = match self.order {
            Order::Any => sorted(piles).into_owned(),
            Order::Row => piles.iter().map(|pile| pile.checked_sub(1)).collect::<Option<_>>()?,
            Order::Places => piles.to_vec(),
        };
        (coins(&counted) <= u64::from(self.totals.coins())).then_some(counted)
    }
}

impl Index for CoinIndex {
    fn numbering(&self) -> Numbering {
        if self.memories.is_none() { Numbering::Places } else { Numbering::PlaceMoves }
    }

    fn shape(&self) -> Shape {
        Shape { cols: self.cols as usize, ..Shape::single(self.totals.count()) }
    }

    fn positions(&self) -> u64 {
        let (coins, length) = (self.totals.coins() as usize, self.length);
        let words: u64 = match self.order {
            // Without one coin of each heap, at most `length` heaps remain. There are as many
            // partitions into heaps of at most this size.
            Order::Any if length > 0 => {
                (length..=coins).map(|n| self.totals.partitions(n - length, length)).sum()
            }
            Order::Any | Order::Row | Order::Places => self.totals.count(),
        };
        words * self.cols
    }

    fn locate(&self, piles: &[Pile], memory: &Memory) -> Option<Place> {
        let is_here = self.order == Order::Any || piles.len() == self.length;
        let counted = is_here.then(|| self.counted(piles))??;
        let state = memory.state();
        let fits = u64::from(state) < self.cols;
        let tile = || Place::tile(self.totals.number(&counted));
        fits.then(|| Place { col: state as usize, ..tile() })
    }

    fn position(&self, number: u64) -> Option<Position> {
        let (word, state) = (number / self.cols, (number % self.cols) as u32);
        (word < self.totals.count()).then_some(())?;
        let mut piles = Vec::new();
        self.totals.piles(word, &mut piles);
        if self.order == Order::Row {
            piles.iter_mut().for_each(|pile| *pile += 1);
        }
        Some(Position { piles, memory: Memory::of(state, self.memories.as_ref()) })
    }
}
