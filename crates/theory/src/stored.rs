//! The access of checks to stored tables.
//!
//! A check is one function for all sources, so it does not know the error types of the sources. It
//! reads through [`Stored`]. If a read fails, the [`Reader`] keeps the error and returns [`Halt`]
//! to the check. The caller of the check then takes the error from the reader. The reader also
//! records the origin of the values, which is part of the verdict.

use std::cell::{Cell, RefCell};
use std::convert::Infallible;

use grundy_rules::{Game, Table};
use grundy_sweep::Stopped;

use crate::words::Origin;

/// The error that ends a check that was stopped, or that cannot read a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Halt;

impl From<Stopped> for Halt {
    fn from(Stopped: Stopped) -> Halt {
        Halt
    }
}

pub(crate) trait Stored {
    fn tables(&self, game: Game, length: usize) -> Vec<Table>;

    /// Calls `show` with the values of one of these tables, as [`Tables::each_block`] does.
    fn each_block(
        &self,
        table: &Table,
        show: &mut dyn FnMut(u64, &[u32]) -> bool,
    ) -> Result<(), Halt>;

    /// Records that the table has impossible values, and returns `Halt`.
    fn refuse(&self, table: &Table, what: String) -> Halt;

    fn computed(&self);
}

/// A source of stored tables.
pub trait Tables {
    type Error: std::error::Error + 'static;

    /// Returns the stored tables in any order.
    fn tables(&self) -> Vec<Table>;

    /// Calls `show` with the values of one of these tables in order, a block at a time, until
    /// `show` returns false. The arguments of `show` are the offset of the first value, and the
    /// values. Each block has whole tiles, and the blocks together are the whole table.
    fn each_block(
        &mut self,
        table: &Table,
        show: &mut dyn FnMut(u64, &[u32]) -> bool,
    ) -> Result<(), Self::Error>;
}

/// A source without tables, so that checks compute all values.
#[derive(Clone, Copy, Debug)]
pub struct NoTables;

impl Tables for NoTables {
    type Error = Infallible;

    fn tables(&self) -> Vec<Table> {
        Vec::new()
    }

    fn each_block(
        &mut self,
        table: &Table,
        _: &mut dyn FnMut(u64, &[u32]) -> bool,
    ) -> Result<(), Infallible> {
        unreachable!("{table} is not stored")
    }
}

/// An error that ends a check without a result.
#[derive(Debug, thiserror::Error)]
pub enum ReadError<E: std::error::Error + 'static> {
    #[error(transparent)]
    Source(E),
    #[error("the stored table {table} is invalid: {what}")]
    Impossible { table: String, what: String },
}

pub(crate) struct Reader<'a, S: Tables> {
    source: RefCell<&'a mut S>,
    failure: RefCell<Option<ReadError<S::Error>>>,
    read: Cell<bool>,
    computed: Cell<bool>,
}

impl<'a, S: Tables> Reader<'a, S> {
    pub(crate) fn new(source: &'a mut S) -> Reader<'a, S> {
        Reader {
            source: RefCell::new(source),
            failure: RefCell::new(None),
            read: Cell::new(false),
            computed: Cell::new(false),
        }
    }

    pub(crate) fn finish(self) -> Result<Origin, ReadError<S::Error>> {
        match self.failure.into_inner() {
            Some(failure) => Err(failure),
            None => Ok(Origin::of(self.read.get(), self.computed.get())),
        }
    }
}

impl<S: Tables> Stored for Reader<'_, S> {
    fn tables(&self, game: Game, length: usize) -> Vec<Table> {
        let mut tables = self.source.borrow().tables();
        // A game may also have tables without positions, such as the table of g(n) in short global
        // nim.
        tables.retain(|table| {
            let is_wanted = (table.game(), table.length()) == (game, length);
            is_wanted && Table::new(game, table.max_pile(), length).as_ref() == Ok(table)
        });
        tables.sort_by_key(Table::max_pile);
        tables
    }

    fn each_block(
        &self,
        table: &Table,
        show: &mut dyn FnMut(u64, &[u32]) -> bool,
    ) -> Result<(), Halt> {
        self.read.set(true);
        let (mut shown, mut to_the_end) = (0, true);
        let mut count = |first: u64, values: &[u32]| {
            to_the_end = first == shown && show(first, values);
            shown += values.len() as u64;
            to_the_end
        };
        let read = self.source.borrow_mut().each_block(table, &mut count);
        if let Err(error) = read {
            *self.failure.borrow_mut() = Some(ReadError::Source(error));
            return Err(Halt);
        }
        // Missing values must not count as checked.
        if to_the_end && shown != table.cells() {
            return Err(self.refuse(table, format!("it ends after {shown} values")));
        }
        Ok(())
    }

    fn refuse(&self, table: &Table, what: String) -> Halt {
        let table = table.to_string();
        *self.failure.borrow_mut() = Some(ReadError::Impossible { table, what });
        Halt
    }

    fn computed(&self) {
        self.computed.set(true);
    }
}

#[cfg(test)]
mod tests {
    use super::ReadError;
    use crate::testing::{looked, noisy_records, stored, up_to};
    use crate::words::Origin;
    use grundy_rules::{Table, games};

    /// The smallest sufficient table is read. A table of g(n) has no positions, so it is not read.
    #[test]
    fn the_smallest_table_is_read() {
        let values = Table::values_only(games::SHORT_GLOBAL_NIM, 30).unwrap();
        let cells = vec![0; values.cells() as usize];
        let small = noisy_records(3, 9);
        let large = noisy_records(4, 12);
        let other = stored(games::NIM, 12, 1, |_| 0);
        let stored = [(values, cells), large, other, small.clone()];
        let found = |to, stored: &[(Table, Vec<u32>)]| {
            let found = looked("gn.thm2", up_to(to), stored).unwrap();
            (found.origin, found.examined.tally.failures)
        };
        let failures = found(9, &[small]);
        assert_eq!(failures.0, Origin::Table);
        assert_eq!(found(9, &stored), failures);
        assert_eq!(found(12, &stored).0, Origin::Table);
        assert_eq!(found(13, &stored), (Origin::Computed, 0));
        assert_eq!(found(9, &stored[..1]), (Origin::Computed, 0));
    }

    /// Impossible values are refused; the error names their place.
    #[test]
    fn an_invalid_record_ends_the_run() {
        let (table, mut values) = noisy_records(3, 9);
        values[4 * table.tile_cells()] = 6;
        let error = looked("gn.thm2", up_to(9), &[(table, values)]).err().unwrap();
        assert!(matches!(error, ReadError::Impossible { .. }));
        let said = "the stored table short-global-nim/n9/k1 is invalid: the record of the pile 5 \
                    is invalid: [6, ";
        assert!(error.to_string().starts_with(said), "{error}");
    }
}
