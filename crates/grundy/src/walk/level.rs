//! A level: all positions of a size, and how they are to be walked.

use grundy_rules::{Game, Pile, Table};
use grundy_sweep::cost::{HANDY_BYTES, LadderSize};
use grundy_sweep::{Control, MemoryLimit};

use super::gather::{Hook, Lookout};
use crate::{Database, Error};

/// All positions of so many piles, each of at most so many coins; with what the game remembers.
///
/// It is walked by [`sweep`](Level::sweep) or [`fold`](Level::fold) on all threads, in any
/// order, or by [`each`](Level::each) on one thread in the order of the table.
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
/// Of short global nim every last move up to the largest pile of the level is walked (of a
/// single pile, up to the pile), of long global nim every set of moves.
#[derive(Clone)]
pub struct Level<'a> {
    table: Table,
    database: Option<&'a Database>,
    memory: MemoryLimit,
    control: Option<&'a Control>,
    hook: Option<Hook<'a>>,
}

impl<'a> Level<'a> {
    /// The positions of `length` piles of at most `max_pile` coins, which will be computed.
    ///
    /// # Errors
    /// [`Error::Table`] if a size is zero or beyond all counting; [`Error::Unnumbered`] if
    /// the cells of a game of one's own are not values of positions.
    pub fn new(game: Game, length: usize, max_pile: Pile) -> Result<Level<'static>, Error> {
        let table = Table::new(game, max_pile, length)?;
        let known = || Game::all().any(|known| known == game);
        if !table.numbering().is_plain() && !known() {
            return Err(Error::Unnumbered { game });
        }
        Ok(Level {
            table,
            database: None,
            memory: MemoryLimit::default(),
            control: None,
            hook: None,
        })
    }

    /// Takes the values from a database where it has them.
    pub fn database(self, database: &'a Database) -> Level<'a> {
        Level { database: Some(database), ..self }
    }

    /// The same level, computed even where a database has it.
    pub(crate) fn computed(self) -> Level<'a> {
        Level { database: None, ..self }
    }

    /// Stays within so many bytes of memory, 4 GiB if nothing is said.
    pub fn memory(self, limit: impl Into<MemoryLimit>) -> Level<'a> {
        Level { memory: limit.into(), ..self }
    }

    /// Counts values on a control, by which others can watch and stop the walk.
    pub fn control(self, control: &'a Control) -> Level<'a> {
        Level { control: Some(control), ..self }
    }

    /// Tells a hook how far the walk is; it ends when the hook says `false`.
    pub fn watched(self, hook: Hook<'a>) -> Level<'a> {
        Level { hook: Some(hook), ..self }
    }

    /// The table that has these positions.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The number of positions, reversals included.
    pub fn positions(&self) -> u64 {
        self.table.positions()
    }

    /// The number of values: one for a position and its reversal.
    pub fn values(&self) -> u64 {
        if self.table.numbering().is_plain() { self.table.cells() } else { self.positions() }
    }

    /// The database that it takes values from.
    pub(crate) fn from(&self) -> Option<&'a Database> {
        self.database
    }

    pub(crate) fn stored(&self) -> Option<&'a dyn grundy_solvers::Stored> {
        let found = self.database?.table(&self.table)?;
        Some(found)
    }

    pub(crate) fn lookout<'b>(&'b self, idle: &'b Control) -> Lookout<'b> {
        let control = self.control.unwrap_or(idle);
        let Level { hook, .. } = *self;
        Lookout { control, before: control.done(), total: self.values(), hook }
    }

    /// A ladder that it can be walked from.
    pub(crate) fn ladder_size(&self) -> LadderSize {
        let length = self.table.length();
        // Up to four piles there is nothing else to share the work out by.
        let most = if length > 4 { self.memory.at_most(HANDY_BYTES) } else { self.memory };
        LadderSize::within(&self.table, (length - 1).max(1), most)
    }

    /// Memory to use.
    pub(crate) fn allowed(&self) -> MemoryLimit {
        self.memory
    }

    pub(crate) fn check_memory(&self, needed: u64) -> Result<(), Error> {
        let shortage = |shortage| Error::Memory { table: self.table.to_string(), shortage };
        self.memory.check(needed).map_err(shortage)
    }
}

impl std::fmt::Debug for Level<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Level").field("table", &self.table).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Progress;
    use grundy_rules::games::{END_NIM, LONG_GLOBAL_NIM, NIM, SHORT_GLOBAL_NIM};

    #[test]
    fn what_is_said_is_kept() {
        let (database, control) = (Database::empty(), Control::new());
        let hook = |_: Progress| true;
        let level = Level::new(END_NIM, 3, 9).unwrap();
        assert_eq!(level.memory, MemoryLimit::new(4 << 30));
        assert!(level.from().is_none() && level.control.is_none() && level.hook.is_none());
        let level = level.database(&database).memory(12).control(&control).watched(&hook);
        assert_eq!(level.memory, MemoryLimit::new(12));
        assert!(std::ptr::eq(level.from().unwrap(), &database));
        assert!(std::ptr::eq(level.control.unwrap(), &control) && level.hook.is_some());
        assert!(format!("{level:?}").contains("table"), "{level:?}");
        let computed = level.computed();
        assert!(
            computed.from().is_none()
                && computed.memory == MemoryLimit::new(12)
                && computed.hook.is_some()
        );
        assert!(computed.check_memory(12).is_ok());
        assert_eq!(
            computed.check_memory(13).unwrap_err().to_string(),
            "cannot walk end-nim/n9/k3: 13 bytes of memory are needed and the limit is 12 bytes"
        );
    }

    /// By hand: N + N^2 + ... bytes, or twice as many; 64 MiB for five piles and more.
    #[test]
    fn a_ladder_is_as_high_as_it_may_be() {
        let top = |length, max_pile, memory| {
            let level = Level::new(END_NIM, length, max_pile).unwrap().memory(memory);
            let LadderSize { top, bytes } = level.ladder_size();
            (top, bytes)
        };
        assert_eq!(top(1, 9, 1 << 30), (1, 9));
        assert_eq!(top(2, 9, 1 << 30), (1, 9));
        assert_eq!(top(3, 9, 1 << 30), (2, 90));
        assert_eq!(top(4, 9, 1 << 30), (3, 819));
        assert_eq!(top(4, 9, 819), (3, 819));
        assert_eq!(top(4, 9, 818), (2, 90));
        assert_eq!(top(4, 9, 1), (2, 90));
        // 2 · (400 + 400^2 + 400^3) bytes are more than 64 MiB, which only four piles may take.
        assert_eq!(top(4, 400, 1 << 30), (3, 128_320_800));
        assert_eq!(top(5, 400, 1 << 30), (2, 320_800));
        assert_eq!(top(6, 64, 1 << 30), (4, 17_043_520));
        assert_eq!(top(6, 64, 300_000), (3, 266_304));
    }

    /// The positions of three piles up to 4, 64 rows or 20 multisets; of four, 256 rows of which
    /// 4 · 4 middles read alike both ways, and so 10 tiles of 16 values.
    #[test]
    fn positions_and_values_are_counted() {
        let count = |game, length, max_pile| {
            let level = Level::new(game, length, max_pile).unwrap();
            (level.positions(), level.values())
        };
        assert_eq!(count(END_NIM, 3, 4), (64, 64));
        assert_eq!(count(END_NIM, 4, 4), (256, 160));
        assert_eq!(count(NIM, 3, 4), (20, 20));
        assert_eq!(count(SHORT_GLOBAL_NIM, 1, 4), (14, 14));
        assert_eq!(count(SHORT_GLOBAL_NIM, 2, 4), (50, 50));
        // Of a pile n every set of the moves 1, ..., n.
        assert_eq!(count(LONG_GLOBAL_NIM, 1, 4), (30, 30));
    }
}
