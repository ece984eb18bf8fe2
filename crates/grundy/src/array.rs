//! A level as an array: a value for each row of piles, in the order of the words.

use grundy_kernels::Isa;
use grundy_rules::Pile;
use grundy_solvers::{Listing, solver};
use grundy_sweep::Control;

use crate::{Database, Error, Level, Values};

/// The values of a level: the value of a position with piles a, b, ... stands at
/// \[a - 1\]\[b - 1\]...
///
/// Piles whose order does not matter stand there in every order. Where a last move is remembered
/// the last axis has it, from 0; single piles of short global nim have the value at the beginning of
/// play alone. Sets of moves have one axis, of the numbers of the positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// How long each axis is.
    pub axes: Vec<usize>,
    /// Bytes of a value; of a game of outcome classes it is the place of the class in
    /// [`Outcome::ALL`](crate::Outcome::ALL).
    pub width: usize,
    /// The values, little-endian, the last axis first.
    pub bytes: Vec<u8>,
}

impl Level<'_> {
    /// Writes down the values of the whole level.
    ///
    /// ```
    /// use grundy::{Level, games};
    ///
    /// let array = Level::new(games::END_NIM, 3, 4)?.array()?;
    /// assert_eq!((&array.axes[..], array.width), (&[4, 4, 4][..], 1));
    /// // 2,1,3 is the row a = 2, b = 1, and there the third.
    /// assert_eq!(array.bytes[1 * 16 + 0 * 4 + 2], 1);
    /// # Ok::<(), grundy::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Memory`] if it does not fit; else as [`Level::sweep`].
    pub fn array(&self) -> Result<Array, Error> {
        let idle = Control::new();
        let control = self.lookout(&idle).control;
        let nothing = Database::empty();
        let database = self.from().unwrap_or(&nothing);
        let found = self.array_by(database, control);
        if control.is_stopped() { Err(Error::Stopped) } else { found }
    }

    fn array_by(&self, database: &Database, control: &Control) -> Result<Array, Error> {
        let (table, n) = (self.table(), self.table().max_pile());
        let listing = solver(table.game()).listing(table);
        if listing == Listing::Records {
            self.check_memory(4 * u64::from(n))?;
            let mut bytes = Vec::with_capacity(4 * n as usize);
            database.inner().each_record(table.game(), n, |value, _| {
                bytes.extend(value.to_le_bytes());
                !control.is_stopped()
            })?;
            return Ok(Array { axes: vec![n as usize], width: 4, bytes });
        }
        if solver(table.game()).has_thresholds() {
            return self.classes();
        }
        let rows = database.inner().rows(table, Isa::best(), control)?;
        let shape = rows.shape();
        let needed = shape.bytes().unwrap_or(u64::MAX);
        self.check_memory(needed)?;
        let mut bytes = vec![0; needed as usize];
        rows.fill(0, &mut bytes, control).map_err(Error::from)?;
        Ok(Array { axes: axes(listing, table.length(), n, shape.rows), width: shape.width, bytes })
    }

    /// Where thresholds are stored, classes are what is walked: in the order of the words.
    fn classes(&self) -> Result<Array, Error> {
        self.check_memory(self.positions())?;
        let mut bytes = Vec::with_capacity(self.positions() as usize);
        self.each(|block| {
            if let Values::Bytes(values) = block.values() {
                bytes.extend_from_slice(values);
            }
            true
        })?;
        Ok(Array { axes: self.axes(), width: 1, bytes })
    }

    /// How long each axis of [`Level::array`] is.
    pub fn axes(&self) -> Vec<usize> {
        let table = self.table();
        let numbers = table.values().min(table.positions() + 2);
        axes(solver(table.game()).listing(table), table.length(), table.max_pile(), numbers)
    }
}

fn axes(listing: Listing, length: usize, max_pile: Pile, numbers: u64) -> Vec<usize> {
    let n = max_pile as usize;
    match listing {
        Listing::Numbers => vec![numbers as usize],
        Listing::LastMoves => [vec![n; length], vec![n + 1]].concat(),
        _ => vec![n; length],
    }
}
