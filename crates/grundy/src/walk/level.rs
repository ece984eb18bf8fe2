//! A level: all positions of a size, and the settings of a walk over them.

use grundy_kernels::Isa;
use grundy_rules::{Game, Pile, Table};
use grundy_solvers::{Production, Stored, Tables};
use grundy_sweep::cost::{HANDY_BYTES, LadderSize, WalkCost, price};
use grundy_sweep::{Control, MemoryLimit};

use super::domain::Domain;
use super::gather::{Hook, Monitor};
use super::kept::Kept;
use crate::{Database, Error, Measure};

/// All positions of `length` piles of at most `max_pile` coins.
///
/// [`sweep`](Level::sweep) and [`fold`](Level::fold) walk a level on all threads, in any order;
/// [`each`](Level::each) walks it on one thread in the order of the table.
///
/// ```
/// use grundy::{Level, games};
///
/// let level = Level::new(games::MISERE_NIM, 4, 20)?;
/// assert_eq!(level.positions(), 8_855); // multisets
/// let p_positions = level.sweep(|block| block.count(|value| value == 0))?;
/// assert_eq!(p_positions, 385);
/// # Ok::<(), grundy::Error>(())
/// ```
///
/// In short global nim a level has each position with every last move up to the max pile (for a
/// single pile, up to the pile). In long global nim it has each position with every set of moves.
#[derive(Clone, Debug)]
pub struct Level<'a> {
    table: Table,
    options: WalkOptions<'a>,
    /// The filled tables that the level shares with levels of other lengths.
    kept: Option<Kept>,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct WalkOptions<'a> {
    pub(crate) database: Option<&'a Database>,
    pub(crate) memory: MemoryLimit,
    pub(crate) control: Option<&'a Control>,
    pub(crate) hook: Option<Hook<'a>>,
    pub(crate) domain: Domain,
    pub(crate) fastest: bool,
}

/// Defines the methods that set the [`WalkOptions`] of a type with the field `options`.
macro_rules! with_walk_options {
    ($a:lifetime) => {
        /// Reads values from a database if it contains them.
        pub fn database(mut self, database: &$a $crate::Database) -> Self {
            self.options.database = Some(database);
            self
        }

        /// Computes the values that a database contains if computing is faster than reading.
        pub fn fastest(mut self) -> Self {
            self.options.fastest = true;
            self
        }

        /// Limits the memory, in bytes. The default is 4 GiB.
        pub fn memory(mut self, limit: impl Into<$crate::MemoryLimit>) -> Self {
            self.options.memory = limit.into();
            self
        }

        /// Counts values on a control, through which other threads can watch and stop the work.
        pub fn control(mut self, control: &$a $crate::Control) -> Self {
            self.options.control = Some(control);
            self
        }

        /// Calls a hook with the progress; the work ends when the hook returns false.
        pub fn watched(mut self, hook: $crate::Hook<$a>) -> Self {
            self.options.hook = Some(hook);
            self
        }

        /// Visits only the positions of this domain.
        pub fn domain(mut self, domain: $crate::Domain) -> Self {
            self.options.domain = domain;
            self
        }
    };
}
pub(crate) use with_walk_options;

impl std::fmt::Debug for WalkOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WalkOptions").field("memory", &self.memory).finish_non_exhaustive()
    }
}

impl<'a> Level<'a> {
    with_walk_options!('a);

    /// Returns the level of `length` piles of at most `max_pile` coins, without a database.
    ///
    /// # Errors
    /// [`Error::Table`] if a size is zero or too large to count; [`Error::Unnumbered`] if
    /// the cells of your own game are not values of positions.
    pub fn new(game: Game, length: usize, max_pile: Pile) -> Result<Level<'static>, Error> {
        let table = Table::new(game, max_pile, length)?;
        let known = || Game::all().any(|known| known == game);
        if !table.numbering().is_plain() && !known() {
            return Err(Error::Unnumbered { game });
        }
        Ok(Level { table, options: WalkOptions::default(), kept: None })
    }

    pub(crate) fn with<'b>(self, options: WalkOptions<'b>) -> Level<'b> {
        Level { table: self.table, options, kept: self.kept }
    }

    /// Shares filled tables with levels of other lengths.
    pub(crate) fn sharing(self, kept: &Kept) -> Level<'a> {
        Level { kept: Some(kept.clone()), ..self }
    }

    pub(crate) fn kept(&self) -> Option<&Kept> {
        self.kept.as_ref()
    }

    /// Returns the same level without its database, so that all values are computed.
    pub(crate) fn computed(mut self) -> Level<'a> {
        self.options.database = None;
        self
    }

    /// Returns the table of these positions.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the number of positions. Reversals and positions that the rules exclude count too.
    pub fn positions(&self) -> u64 {
        self.options.domain.count(&self.table)
    }

    /// Returns the number of positions of the table, which may hold those of all lengths.
    pub(crate) fn visited(&self) -> u64 {
        match self.options.domain {
            Domain::All => self.table.most_numbers(),
            _ => self.positions(),
        }
    }

    /// Returns the number of values. A position and its reversal share one value.
    pub fn values(&self) -> u64 {
        match self.table.numbering().is_plain() && self.options.domain == Domain::All {
            true => self.table.cells(),
            false => self.positions(),
        }
    }

    pub(crate) fn options(&self) -> &WalkOptions<'a> {
        &self.options
    }

    /// Returns the stored table of these positions, or else the smallest one that begins with them.
    pub(crate) fn stored(&self) -> Option<&'a dyn Stored> {
        let (database, table) = (self.options.database?, &self.table);
        let is_wanted = |stored: &dyn Stored| stored.table() == table;
        let is_larger = |stored: &dyn Stored| table.begins(stored.table());
        let find = |wanted| Tables::find(database, table.game(), table.length(), wanted);
        find(&is_wanted).or_else(|| find(&is_larger))
    }

    /// Returns the stored table that a walk reads; `None` if computing its values is
    /// [faster](Level::fastest).
    pub(crate) fn read(&self) -> Option<&'a dyn Stored> {
        let (stored, table) = (self.stored()?, &self.table);
        let WalkOptions { memory, fastest, .. } = self.options;
        let is_computed = fastest && matches!(Production::of(table), Production::Ladder) && {
            let threads = rayon::current_num_threads();
            let cost = WalkCost::of(table, Isa::best(), memory, threads);
            let seconds = table.cells() as f64 * cost.walk * cost.cell;
            memory.check(cost.memory).is_ok()
                && seconds < stored.file_bytes() as f64 * price::READ_BYTE
        };
        (!is_computed).then_some(stored)
    }

    pub(crate) fn lookout<'b>(&'b self, idle: &'b Control) -> Monitor<'b> {
        let WalkOptions { control, hook, .. } = self.options;
        let control = control.unwrap_or(idle);
        Monitor { control, before: control.done(), total: self.values(), hook }
    }

    pub(crate) fn ladder_size(&self) -> LadderSize {
        let length = self.table.length();
        // Threads can share a walk of up to four piles only if the ladder has all shorter lengths.
        let memory = self.options.memory;
        let most = if length > 4 { memory.at_most(HANDY_BYTES) } else { memory };
        LadderSize::within(&self.table, (length - 1).max(1), most)
    }

    pub(crate) fn check_memory(&self, needed: u64) -> Result<(), Error> {
        self.options.memory.check(needed).map_err(|shortage| {
            let (table, measure) = (self.table.to_string(), Measure::of(self.table.game()));
            Error::Memory { table, measure, shortage }
        })
    }
}
