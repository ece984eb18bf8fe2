//! Indexes of rows and of places, with or without remembered numbers. Places may be empty.

use grundy_language::Memories;

use super::{Index, Numbering, Place, Shape, check, check_range, too_large};
use crate::size::{LARGEST_MAX_PILE, LARGEST_RECORD};
use crate::{Game, Memory, Pile, Position, Size, TableError};

/// All words with piles least..=N in lexicographic order. A tile holds all words that differ only
/// in the last two piles; for one pile, a tile is a single row. If the game remembers
/// numbers, each word has a tile of one row, with the values for the states 0, 1, 2, and so on.
#[derive(Debug)]
pub struct BoxIndex {
    least: Pile,
    max_pile: Pile,
    length: usize,
    /// The number of values that a pile can have.
    side: u64,
    /// The numbers that the game remembers, and the number of columns, one for each state.
    memories: Option<Memories>,
    states: Option<u64>,
    numbering: Numbering,
}

impl BoxIndex {
    /// Returns the index of words with piles from `least` on. `states` is the number of states, if
    /// the game remembers numbers.
    pub fn new(
        game: Game,
        size: Size,
        least: Pile,
        states: Option<u64>,
    ) -> Result<BoxIndex, TableError> {
        check(game, size)?;
        let Size { max_pile, length, .. } = size;
        let side = u64::from(max_pile) + 1 - u64::from(least);
        let words = u32::try_from(length).ok().and_then(|length| side.checked_pow(length));
        let cells = words.and_then(|words| words.checked_mul(states.unwrap_or(1)));
        cells.filter(|&cells| cells <= 1 << 63).ok_or_else(|| too_large(game, size))?;
        check_range(size, LARGEST_MAX_PILE)?;
        let numbering = match states {
            Some(_) => Numbering::PlaceMoves,
            None => Numbering::Places,
        };
        let memories = game.memories().cloned();
        Ok(BoxIndex { least, max_pile, length, side, memories, states, numbering })
    }

    /// Returns the index of rows whose reversals may have other values.
    pub fn of_words(game: Game, size: Size) -> Result<BoxIndex, TableError> {
        let index = BoxIndex::new(game, size, 1, None)?;
        Ok(BoxIndex { numbering: Numbering::Words, ..index })
    }

    /// Returns the index of the single piles of a sum, up to [`LARGEST_RECORD`] coins.
    pub fn of_sums(game: Game, size: Size) -> Result<BoxIndex, TableError> {
        check(game, size)?;
        let max_pile = size.max_pile;
        if max_pile > LARGEST_RECORD {
            return Err(TableError::Record { max_pile });
        }
        let one = BoxIndex::of_words(game, Size { max_pile: 1, length: 1, ..size })?;
        Ok(BoxIndex { max_pile, side: max_pile.into(), ..one })
    }

    fn rank(&self, piles: &[Pile]) -> u64 {
        piles.iter().fold(0, |rank, &pile| rank * self.side + u64::from(pile - self.least))
    }

    fn write(&self, mut rank: u64, piles: &mut [Pile]) {
        for pile in piles.iter_mut().rev() {
            *pile = (rank % self.side) as Pile + self.least;
            rank /= self.side;
        }
    }

    fn words(&self) -> u64 {
        self.side.pow(self.length as u32)
    }
}

impl Index for BoxIndex {
    fn numbering(&self) -> Numbering {
        self.numbering
    }

    fn shape(&self) -> Shape {
        let side = self.side as usize;
        match (self.states, self.length) {
            (Some(cols), _) => Shape { cols: cols as usize, ..Shape::single(self.words()) },
            (None, 1) => Shape { rows: 1, cols: side, tiles: 1 },
            (None, _) => {
                Shape { rows: side, cols: side, tiles: self.words() / (self.side * self.side) }
            }
        }
    }

    fn positions(&self) -> u64 {
        self.words() * self.states.unwrap_or(1)
    }

    fn locate(&self, piles: &[Pile], memory: &Memory) -> Option<Place> {
        let inside = |pile: &Pile| (self.least..=self.max_pile).contains(pile);
        if piles.len() != self.length || !piles.iter().all(inside) {
            return None;
        }
        if let Some(cols) = self.states {
            let state = memory.state();
            let fits = u64::from(state) < cols;
            return fits.then(|| Place { col: state as usize, ..Place::tile(self.rank(piles)) });
        }
        let (word, ends) = piles.split_at(self.length.saturating_sub(2));
        let offset = |at: usize| (ends[at] - self.least) as usize;
        let (row, col) = if self.length == 1 { (0, offset(0)) } else { (offset(0), offset(1)) };
        Some(Place { row, col, ..Place::tile(self.rank(word)) })
    }

    fn position(&self, number: u64) -> Option<Position> {
        if number >= self.positions() {
            return None;
        }
        let cols = self.states.unwrap_or(1);
        let mut piles = vec![0; self.length];
        self.write(number / cols, &mut piles);
        let memory = Memory::of((number % cols) as u32, self.memories.as_ref());
        Some(Position { piles, memory })
    }

    fn step(&self, position: &mut Position) -> bool {
        if self.states.is_some() {
            return false;
        }
        for pile in position.piles.iter_mut().rev() {
            if *pile < self.max_pile {
                *pile += 1;
                break;
            }
            *pile = self.least;
        }
        true
    }

    fn tile_word(&self, tile: u64, word: &mut Vec<Pile>) {
        assert!(tile < self.shape().tiles);
        word.clear();
        let shared =
            if self.states.is_some() { self.length } else { self.length.saturating_sub(2) };
        word.resize(shared, 0);
        self.write(tile, word);
    }
}
