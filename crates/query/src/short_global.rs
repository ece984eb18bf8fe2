//! Short global nim: from records and tables, or computed.
//!
//! A single pile that no table holds takes all rows up to it; several piles take everything
//! below them. Both are estimated first and refused beyond the limits.

use std::convert::Infallible;

use grundy_kernels::last_move::Rectangle;
use grundy_kernels::records::{self, Records};
use grundy_rules::reference::StoredRows;
use grundy_rules::{Game, Layout, Pile, Position};

use crate::database::{Answer, Database, Moves, Source};
use crate::{QueryError, StoredTable, Work};

const GAME: Game = Game::ShortGlobalNim;

/// Seconds to compute a row of one pile, and bytes to keep it.
const ROW_SECONDS: f64 = 1e-6;
const ROW_BYTES: u64 = 100;

impl Database {
    /// The value of a position of short global nim.
    pub(crate) fn short_global_value(&self, position: &Position) -> Result<Answer, QueryError> {
        let (piles, k) = (position.piles(), position.last_move());
        let stored = |value| Answer { value, source: Source::Table };
        let computed = |value| Answer { value, source: Source::Computed };
        match piles {
            [] => Ok(computed(0)),
            &[pile] => match self.records_of(pile, k) {
                Some(table) => table.record_value(pile, k).map(stored),
                None => Ok(computed(self.rows_to(pile)?.value(pile, k))),
            },
            _ => match self.holder(GAME, piles) {
                Some(table) => Ok(stored(table.value_after(piles, k)?)),
                None => Ok(computed(self.rectangle(piles)?.value_of(piles, k))),
            },
        }
    }

    /// Every move of a position of short global nim.
    pub(crate) fn short_global_moves(&self, position: &Position) -> Result<Moves, QueryError> {
        let moves = GAME.moves(position);
        let piles = position.piles();
        // What is not stored is computed once for all options.
        let below: Box<dyn Below> = match piles {
            &[pile] if self.records_of(pile, 1).is_none() => Box::new(self.rows_to(pile)?),
            [_, _, ..] if self.holder(GAME, piles).is_none() => Box::new(self.rectangle(piles)?),
            _ => {
                let answer = self.short_global_value(position)?;
                let moves = moves
                    .into_iter()
                    .map(|m| {
                        let value = self.short_global_value(&m.option)?.value;
                        Ok((m, value))
                    })
                    .collect::<Result<_, QueryError>>()?;
                return Ok(Moves { answer, moves });
            }
        };
        let value = below.value_of(piles, position.last_move());
        let moves = moves.into_iter().map(|m| {
            let value = below.value_of(m.option.piles(), m.option.last_move());
            (m, value)
        });
        let answer = Answer { value, source: Source::Computed };
        Ok(Moves { answer, moves: moves.collect() })
    }

    /// Shows g(n) and the m = n - k of the exceptional last moves k for n = 1, ..., `last`, from
    /// a table or computed, until `show` says no.
    ///
    /// # Errors
    /// [`QueryError`] if a shard is damaged, or the rows are beyond the limits.
    pub fn each_record(
        &self,
        last: Pile,
        mut show: impl FnMut(u32, &[Pile]) -> bool,
    ) -> Result<(), QueryError> {
        if let Some(stored) = self.records_of(last, 1) {
            return stored.each_record(|pile, g, left| show(g, left) && pile < last);
        }
        self.check_rows(last)?;
        let mut heaps = Records::new(last);
        let mut left = Vec::new();
        for _ in 0..last {
            let row = heaps.next_row();
            left.clear();
            left.extend(row.exceptions.iter().map(|exception| exception.remaining));
            if !show(row.value, &left) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Refuses rows that are beyond the limits.
    fn check_rows(&self, last: Pile) -> Result<(), QueryError> {
        let rows = u64::from(last);
        let memory = Records::bytes(last) + ROW_BYTES * rows;
        let work = Work { cells: rows as f64, seconds: rows as f64 * ROW_SECONDS, memory };
        work.check(&[last], self.limits())
    }

    /// The smallest table that has the value of a single pile with a last move: records, or
    /// g(n) alone where that is the value.
    fn records_of(&self, pile: Pile, k: Pile) -> Option<&StoredTable> {
        let tables = self.tables().iter().filter(|stored| {
            let table = stored.table();
            let has = match table.layout() {
                Layout::Heaps { values_only } => !values_only || k == 0 || k > pile,
                _ => false,
            };
            has && table.max_pile() >= pile
        });
        tables.min_by_key(|stored| stored.table().max_pile())
    }

    /// All rows up to a pile, within the limits.
    fn rows_to(&self, pile: Pile) -> Result<Rows, QueryError> {
        self.check_rows(pile)?;
        let mut heaps = Records::new(pile);
        let mut found = Rows { g: vec![0], starts: vec![0, 0], left: Vec::new() };
        for _ in 0..pile {
            let row = heaps.next_row();
            found.g.push(row.value);
            found.left.extend(row.exceptions.iter().map(|exception| exception.remaining));
            found.starts.push(found.left.len());
        }
        Ok(found)
    }

    /// Everything below some piles, within the limits.
    fn rectangle(&self, piles: &[Pile]) -> Result<Rectangle, QueryError> {
        let rectangle = Rectangle::new(piles);
        let memory = rectangle.bytes().min(u64::MAX as f64) as u64;
        let (cells, seconds) = (rectangle.cells(), rectangle.seconds());
        let work = Work { cells, seconds, memory };
        work.check(piles, self.limits())?;
        rectangle.evaluate(|_| true).ok_or_else(|| work.refused(piles, "--seconds"))
    }
}

/// Computed values of a position and of what can be reached from it.
trait Below {
    /// The value of a position that is below, its piles in ascending order.
    fn value_of(&self, piles: &[Pile], k: Pile) -> u32;
}

/// The exceptions that a record lists, if it can be that of a pile: values are at most n, and what
/// is left is less, in ascending order, with zeros behind.
fn exceptions_of(record: &[u32], pile: Pile) -> Option<&[Pile]> {
    let &[g, ref rest @ ..] = record else { return None };
    let listed = match rest {
        [] => Some(&[][..]),
        [count, places @ ..] => {
            let (listed, padding) = places.split_at_checked(*count as usize)?;
            padding.iter().all(|&place| place == 0).then_some(listed)
        }
    };
    let ascending = |left: &&[Pile]| {
        left.windows(2).all(|two| two[0] < two[1]) && left.last().is_none_or(|&last| last < pile)
    };
    listed.filter(ascending).filter(|_| g <= pile)
}

/// All rows of one pile up to some n, in memory.
#[derive(Default)]
pub(crate) struct Rows {
    g: Vec<u32>,
    /// The m of the exceptions of row n are `left[starts[n]..starts[n + 1]]`.
    starts: Vec<usize>,
    left: Vec<u32>,
}

impl Rows {
    fn value(&self, pile: Pile, k: Pile) -> u32 {
        let read = |pile: u32, k: u32| -> Result<(u32, bool), Infallible> {
            let row = self.exceptions(pile);
            let left = pile.checked_sub(k);
            Ok((self.g[pile as usize], left.is_some_and(|m| row.binary_search(&m).is_ok())))
        };
        match records::value(pile, k, read) {
            Ok(value) => value,
            Err(never) => match never {},
        }
    }
}

impl Below for Rows {
    fn value_of(&self, piles: &[Pile], k: Pile) -> u32 {
        piles.first().map_or(0, |&pile| self.value(pile, k))
    }
}

impl Below for Rectangle {
    fn value_of(&self, piles: &[Pile], k: Pile) -> u32 {
        // In the corner's order a smaller position has its piles at the end, after zeros: both
        // are ascending, so no pile exceeds the one in its place.
        let mut padded = vec![0; self.dimensions() - piles.len()];
        padded.extend_from_slice(piles);
        let row = self.row(&padded);
        u32::from(row.get(k as usize).copied().unwrap_or(row[0]))
    }
}

impl StoredTable {
    /// Shows n, g(n) and the m = n - k of the exceptional last moves k of all rows of a table of
    /// single piles, until `show` says no. Of a table of g(n) alone there are no exceptions.
    ///
    /// # Errors
    /// [`QueryError`] at the first damaged frame, or record that cannot be one.
    pub fn each_record(
        &self,
        mut show: impl FnMut(Pile, u32, &[Pile]) -> bool,
    ) -> Result<(), QueryError> {
        let columns = self.table().tile_cols();
        let mut pile = 0;
        let mut sound = true;
        self.each_frame(|_, values| {
            values.chunks_exact(columns).all(|record| {
                pile += 1;
                match exceptions_of(record, pile) {
                    Some(left) => show(pile, record[0], left),
                    None => {
                        sound = false;
                        false
                    }
                }
            })
        })?;
        if sound {
            return Ok(());
        }
        Err(QueryError::Record { pile, table: self.table().to_string() })
    }

    /// *(n, k) from the records of a table of single piles.
    ///
    /// # Errors
    /// [`QueryError`] if a shard is damaged.
    pub fn record_value(&self, pile: Pile, k: Pile) -> Result<u32, QueryError> {
        records::value(pile, k, |pile, k| self.read_record(pile, pile.checked_sub(k)))
    }
}

impl Rows {
    /// Reads a whole table, up to the first record that cannot be one.
    pub(crate) fn read(stored: &StoredTable) -> Result<Rows, QueryError> {
        let mut rows = Rows { g: vec![0], starts: vec![0, 0], left: Vec::new() };
        let read = stored.each_record(|_, g, left| {
            rows.g.push(g);
            rows.left.extend_from_slice(left);
            rows.starts.push(rows.left.len());
            true
        });
        match read {
            Err(QueryError::Record { .. }) | Ok(()) => Ok(rows),
            Err(error) => Err(error),
        }
    }

    /// The number of rows.
    pub(crate) fn count(&self) -> u64 {
        self.g.len() as u64 - 1
    }
}

impl StoredRows for Rows {
    fn value(&self, pile: Pile) -> u32 {
        self.g[pile as usize]
    }

    fn exceptions(&self, pile: Pile) -> &[Pile] {
        &self.left[self.starts[pile as usize]..self.starts[pile as usize + 1]]
    }
}
