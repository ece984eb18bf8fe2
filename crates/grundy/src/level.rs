//! Walking over all positions of a level.
//!
//! Where the values come from depends on the game and on what is stored. Nobody who walks has
//! to know:
//!
//! ```text
//! stored in the database        its frames, decoded one after another
//! rows that follow from ends    tiles, from the lowest levels (grundy_sweep)
//! partizan End-Nim              thresholds, from the word alone
//! single piles with records     g(n) and its exceptions, spread out over the last moves
//! any other game                what fills its tables (grundy_solvers), a run at a time
//! ```
//!
//! A walk is cut into *units*, which the threads of the current rayon pool claim one by one, so
//! that each can use its working memory again and again. What a thread gathers is merged with
//! what the others did at the end.

use grundy_kernels::Cell;
use grundy_kernels::Isa;
use grundy_rules::{Game, Pile, Table};
use grundy_solvers::solver;
use grundy_sweep::{Control, Filler, Fold, Ladder, Swept};

use crate::block::{Block, Places, Values};
use crate::source::{Reader, Source};
use crate::walk::{Ground, Walk};
use crate::{Database, Error, Merge};

/// Bytes of memory that a walk may take unless it is told otherwise.
const MEMORY: u64 = 4 << 30;

/// Bytes of the lowest levels of a game of two ends, where a walk is shared out well without
/// more of them.
const LADDER_BYTES: u64 = 64 << 20;

/// Values from one look of a thread at the hook to its next: milliseconds.
const LOOK_EVERY: u64 = 1 << 22;

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
    memory: u64,
    control: Option<&'a Control>,
    hook: Option<Hook<'a>>,
}

/// Hears how far a walk is, and says whether it is to go on. Called from any of its threads,
/// some hundred times a second; not while a level is made that has to be there as a whole before
/// it is walked, as that of a game of one's own: only a [`Control`] stops that.
pub type Hook<'a> = &'a (dyn Fn(Progress) -> bool + Sync);

/// How far a walk is, in values: of a position and its reversal one is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Values seen.
    pub done: u64,
    /// All of them.
    pub total: u64,
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
        if !table.index().is_plain() && !known() {
            return Err(Error::Unnumbered { game });
        }
        Ok(Level { table, database: None, memory: MEMORY, control: None, hook: None })
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
    pub fn memory(self, bytes: u64) -> Level<'a> {
        Level { memory: bytes, ..self }
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
        if self.table.index().is_plain() { self.table.cells() } else { self.positions() }
    }

    /// Asks every block and merges the answers. The result does not depend on threads, for
    /// merging does not depend on the order ([`Merge`]).
    ///
    /// # Errors
    /// [`Error::Stopped`] if it was stopped; [`Error::Memory`] if it takes too much;
    /// [`Error::Query`] if a stored value cannot be read.
    pub fn sweep<R: Merge>(&self, ask: impl Fn(&Block<'_>) -> R + Sync) -> Result<R, Error> {
        let each = |found: &mut R, block: &Block<'_>| found.merge(ask(block));
        let merge = |mut left: R, right| {
            left.merge(right);
            left
        };
        let swept = self.fold(R::default, each, merge)?;
        if swept.complete { Ok(swept.acc) } else { Err(Error::Stopped) }
    }

    /// Folds over all blocks: each thread begins with `start` and takes in what `each` makes of
    /// the blocks it meets; `merge`, on which the order must make no difference, joins two
    /// threads. A walk that was stopped has gathered a part, and says so.
    ///
    /// # Errors
    /// As [`Level::sweep`], but for being stopped.
    pub fn fold<A: Send>(
        &self,
        start: impl Fn() -> A + Sync,
        each: impl Fn(&mut A, &Block<'_>) + Sync,
        merge: impl Fn(A, A) -> A + Sync,
    ) -> Result<Swept<A>, Error> {
        let idle = Control::new();
        let control = self.control.unwrap_or(&idle);
        match self.walk(control) {
            Ok(walk) => walk.fold_parts(0..walk.parts(), control, start, each, merge),
            Err(Error::Stopped) => Ok(Swept { acc: start(), cells: 0, complete: false }),
            Err(error) => Err(error),
        }
    }

    /// Makes ready what a walk needs, to walk the level in one go or part by part.
    ///
    /// # Errors
    /// As [`Level::sweep`].
    pub fn walk(&self, control: &Control) -> Result<Walk<'a>, Error> {
        let ground = match self.stored() {
            None if has_ladder(self.table.game()) => match self.is_narrow() {
                true => Ground::Narrow(self.ladder(control)?),
                false => Ground::Wide(self.ladder(control)?),
            },
            _ => Ground::Units(self.source(control)?),
        };
        Ok(Walk { level: self.clone(), ground })
    }

    /// Shows the blocks on this thread, in the order of the table, until `show` says no.
    ///
    /// ```
    /// use grundy::{Level, games};
    ///
    /// let mut values = Vec::new();
    /// Level::new(games::END_NIM, 2, 3)?.each(|block| {
    ///     block.each_position(|at| values.push(at.value));
    ///     true
    /// })?;
    /// // Two piles are Nim: 1,1 1,2 1,3, then 2,1 and so on.
    /// assert_eq!(values, [0, 3, 2, 3, 0, 1, 2, 1, 0]);
    /// # Ok::<(), grundy::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Level::sweep`]; it is no error if `show` says no.
    pub fn each(&self, show: impl FnMut(&Block<'_>) -> bool) -> Result<(), Error> {
        self.each_of_units(|units| 0..units, show)
    }

    /// Shows the blocks of some units, chosen when it is known how many there are.
    pub(crate) fn each_of_units(
        &self,
        choose: impl FnOnce(u64) -> std::ops::Range<u64>,
        mut show: impl FnMut(&Block<'_>) -> bool,
    ) -> Result<(), Error> {
        let idle = Control::new();
        let lookout = self.lookout(&idle);
        let source = self.source(lookout.control)?;
        let mut reader = Reader::new(&self.table, &source);
        let mut go_on = true;
        for unit in choose(source.units(&self.table)) {
            let cells = reader.read(unit, &mut |block| go_on = go_on && show(block))?;
            if !go_on {
                break;
            }
            lookout.advance(cells);
            if !lookout.look() {
                return Err(Error::Stopped);
            }
        }
        Ok(())
    }

    /// The database that it takes values from.
    pub(crate) fn from(&self) -> Option<&'a Database> {
        self.database
    }

    fn stored(&self) -> Option<&'a dyn grundy_solvers::Stored> {
        let found = self.database?.inner().table(&self.table)?;
        Some(found)
    }

    /// Whether the values of a game of two ends fit a byte.
    fn is_narrow(&self) -> bool {
        self.table.value_bytes() == 1
    }

    pub(crate) fn lookout<'b>(&'b self, idle: &'b Control) -> Lookout<'b> {
        let control = self.control.unwrap_or(idle);
        let Level { hook, .. } = *self;
        Lookout { control, before: control.done(), total: self.values(), hook }
    }

    /// A ladder that the level can be walked from.
    fn ladder<T: Cell>(&self, control: &Control) -> Result<Ladder<T>, Error> {
        let (top, needed) = self.ladder_top::<T>();
        self.check_memory(needed)?;
        let mut ladder = Ladder::<T>::new(self.table.game(), self.table.max_pile(), Isa::best());
        ladder.extend(top, control).map_err(|_| Error::Stopped)?;
        Ok(ladder)
    }

    /// The highest level of that ladder, and its bytes.
    fn ladder_top<T: Cell>(&self) -> (usize, u64) {
        let (length, n) = (self.table.length(), self.table.max_pile());
        // Up to four piles there is nothing else to share the work out by.
        let most = if length > 4 { LADDER_BYTES.min(self.memory) } else { self.memory };
        let top = Ladder::<T>::top_within(n, (length - 1).max(1), most);
        (top, Ladder::<T>::bytes(n, top).unwrap_or(u64::MAX))
    }

    pub(crate) fn check_memory(&self, needed: u64) -> Result<(), Error> {
        if needed <= self.memory {
            return Ok(());
        }
        Err(Error::Memory { table: self.table.to_string(), needed, allowed: self.memory })
    }

    /// Where the values come from, where it is not a ladder that is swept.
    fn source(&self, control: &Control) -> Result<Source<'a>, Error> {
        let (table, game) = (&self.table, self.table.game());
        if let Some(records) = solver(game).records().filter(|_| table.length() == 1) {
            return crate::source::records(records, table, self.database, self.memory);
        }
        if solver(game).has_thresholds() {
            // From nothing, and faster than anything stored could be read.
            return Ok(Source::Thresholds);
        }
        if let Some(stored) = self.stored() {
            return Ok(Source::Stored(stored));
        }
        if has_ladder(game) {
            return Ok(match self.is_narrow() {
                true => Source::Narrow(self.ladder(control)?),
                false => Source::Wide(self.ladder(control)?),
            });
        }
        crate::source::made(table, self.memory, control, |needed| self.check_memory(needed))
    }
}

impl std::fmt::Debug for Level<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Level").field("table", &self.table).finish_non_exhaustive()
    }
}

/// Whether a row of the game follows from its two ends, whatever its length.
pub(crate) fn has_ladder(game: Game) -> bool {
    grundy_solvers::follows_from_ends(game)
}

/// Who watches a walk.
pub(crate) struct Lookout<'a> {
    pub(crate) control: &'a Control,
    /// What the control had counted before.
    before: u64,
    total: u64,
    hook: Option<Hook<'a>>,
}

impl Lookout<'_> {
    pub(crate) fn advance(&self, cells: u64) {
        self.control.advance(cells);
    }

    /// Asks the hook; whether the walk goes on.
    fn look(&self) -> bool {
        if let Some(hook) = self.hook {
            let done = self.control.done() - self.before;
            if !hook(Progress { done, total: self.total }) {
                self.control.stop();
            }
        }
        !self.control.is_stopped()
    }
}

/// What is gathered on a walk: the closures of [`Level::fold`].
pub(crate) trait Gather: Sync {
    type Acc: Send;
    fn table(&self) -> &Table;
    fn lookout(&self) -> &Lookout<'_>;
    fn start(&self) -> Self::Acc;
    fn each(&self, acc: &mut Self::Acc, block: &Block<'_>);
    fn merge(&self, left: Self::Acc, right: Self::Acc) -> Self::Acc;
}

pub(crate) struct Folding<'a, S, E, M> {
    pub(crate) table: &'a Table,
    pub(crate) lookout: &'a Lookout<'a>,
    pub(crate) start: S,
    pub(crate) each: E,
    pub(crate) merge: M,
}

impl<A, S, E, M> Gather for Folding<'_, S, E, M>
where
    A: Send,
    S: Fn() -> A + Sync,
    E: Fn(&mut A, &Block<'_>) + Sync,
    M: Fn(A, A) -> A + Sync,
{
    type Acc = A;

    fn table(&self) -> &Table {
        self.table
    }

    fn lookout(&self) -> &Lookout<'_> {
        self.lookout
    }

    fn start(&self) -> A {
        (self.start)()
    }

    fn each(&self, acc: &mut A, block: &Block<'_>) {
        (self.each)(acc, block);
    }

    fn merge(&self, left: A, right: A) -> A {
        (self.merge)(left, right)
    }
}

/// One thread's part, and the values since its last look at the hook.
pub(crate) struct Part<A> {
    pub(crate) acc: A,
    unseen: u64,
}

impl<A> Part<A> {
    pub(crate) fn new<G: Gather<Acc = A>>(gather: &G) -> Part<A> {
        Part { acc: gather.start(), unseen: 0 }
    }

    pub(crate) fn look(&mut self, lookout: &Lookout<'_>, cells: u64) {
        self.unseen += cells;
        if self.unseen >= LOOK_EVERY {
            self.unseen = 0;
            lookout.look();
        }
    }
}

/// Tiles as blocks.
pub(crate) struct Tiles<'a, G> {
    pub(crate) gather: &'a G,
}

impl<T: Cell + Width, G: Gather> Fold<T> for Tiles<'_, G> {
    type Acc = Part<G::Acc>;

    fn start(&self) -> Self::Acc {
        Part::new(self.gather)
    }

    fn tile(&self, part: &mut Self::Acc, tile: grundy_sweep::Tile<'_, T>) {
        let places = Places::Tile { word: tile.middle, between: true, cols: tile.cols() };
        let (table, weight) = (self.gather.table(), tile.weight());
        let block = Block::new(table, T::values(tile.values), places, weight);
        self.gather.each(&mut part.acc, &block);
        part.look(self.gather.lookout(), tile.values.len() as u64);
    }

    fn merge(&self, left: Self::Acc, right: Self::Acc) -> Self::Acc {
        Part { acc: self.gather.merge(left.acc, right.acc), unseen: 0 }
    }
}

/// How wide a value is.
pub(crate) trait Width: Sized {
    fn values(values: &[Self]) -> Values<'_>;
}

impl Width for u8 {
    fn values(values: &[u8]) -> Values<'_> {
        Values::Bytes(values)
    }
}

impl Width for u16 {
    fn values(values: &[u16]) -> Values<'_> {
        Values::Words(values)
    }
}

/// Fills tiles of a ladder's level in the order of the table.
pub(crate) fn fill<'a, T: Cell + Width>(
    filler: &mut Filler<'_, T>,
    table: &Table,
    tiles: std::ops::Range<u64>,
    values: &'a mut Vec<T>,
) -> Values<'a> {
    values.resize((tiles.end - tiles.start) as usize * table.tile_cells(), T::default());
    filler.fill_stored(table, tiles.start, values);
    T::values(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::games::{END_NIM, LONG_GLOBAL_NIM, NIM, SHORT_GLOBAL_NIM};

    #[test]
    fn what_is_said_is_kept() {
        let (database, control) = (Database::empty(), Control::new());
        let hook = |_: Progress| true;
        let level = Level::new(END_NIM, 3, 9).unwrap();
        assert_eq!(level.memory, 4 << 30);
        assert!(level.from().is_none() && level.control.is_none() && level.hook.is_none());
        let level = level.database(&database).memory(12).control(&control).watched(&hook);
        assert_eq!(level.memory, 12);
        assert!(std::ptr::eq(level.from().unwrap(), &database));
        assert!(std::ptr::eq(level.control.unwrap(), &control) && level.hook.is_some());
        assert!(format!("{level:?}").contains("table"), "{level:?}");
        let computed = level.computed();
        assert!(computed.from().is_none() && computed.memory == 12 && computed.hook.is_some());
        assert!(computed.check_memory(12).is_ok());
        assert_eq!(
            computed.check_memory(13).unwrap_err().to_string(),
            "end-nim/n9/k3 takes 1 MiB of memory to walk and the limit is 0 MiB"
        );
    }

    /// By hand: N + N^2 + ... bytes, or twice as many; 64 MiB for five piles and more.
    #[test]
    fn a_ladder_is_as_high_as_it_may_be() {
        let top = |length, max_pile, memory| {
            let level = Level::new(END_NIM, length, max_pile).unwrap().memory(memory);
            match level.is_narrow() {
                true => level.ladder_top::<u8>(),
                false => level.ladder_top::<u16>(),
            }
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

    /// A hook hears how far it is since the walk began, and says whether it goes on.
    #[test]
    fn a_hook_is_asked() {
        let (control, heard) = (Control::new(), std::sync::Mutex::new(Vec::new()));
        control.advance(5);
        let hook = |progress: Progress| {
            heard.lock().unwrap().push((progress.done, progress.total));
            progress.done < 7
        };
        let level = Level::new(END_NIM, 3, 4).unwrap().control(&control).watched(&hook);
        let idle = Control::new();
        let lookout = level.lookout(&idle);
        assert!(std::ptr::eq(lookout.control, &control));
        lookout.advance(4);
        assert!(lookout.look());
        lookout.advance(3);
        assert!(!lookout.look() && control.is_stopped());
        assert_eq!(*heard.lock().unwrap(), [(4, 64), (7, 64)]);
        let plain = Level::new(END_NIM, 3, 4).unwrap();
        assert!(std::ptr::eq(plain.lookout(&idle).control, &idle) && plain.lookout(&idle).look());
        assert!(!level.lookout(&idle).look());
    }

    /// Every 2^22 values.
    #[test]
    fn a_thread_looks_now_and_then() {
        struct Nothing<'a>(&'a Table, Lookout<'a>);
        impl Gather for Nothing<'_> {
            type Acc = ();
            fn table(&self) -> &Table {
                self.0
            }
            fn lookout(&self) -> &Lookout<'_> {
                &self.1
            }
            fn start(&self) {}
            fn each(&self, (): &mut (), _: &Block<'_>) {}
            fn merge(&self, (): (), (): ()) {}
        }
        let asked = std::sync::atomic::AtomicU64::new(0);
        let hook = |_: Progress| {
            asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            true
        };
        let level = Level::new(END_NIM, 3, 4).unwrap().watched(&hook);
        let idle = Control::new();
        let gather = Nothing(level.table(), level.lookout(&idle));
        let mut part = Part::new(&gather);
        let times = |part: &mut Part<()>, cells| {
            part.look(gather.lookout(), cells);
            asked.load(std::sync::atomic::Ordering::Relaxed)
        };
        assert_eq!(times(&mut part, 4_194_303), 0);
        assert_eq!(times(&mut part, 1), 1);
        assert_eq!(times(&mut part, 4_194_303), 1);
        assert_eq!(times(&mut part, 2), 2);
        assert_eq!(times(&mut part, 9_000_000), 3);
        assert_eq!(times(&mut part, 1), 3);
    }

    /// It is stopped before its second unit, and where it is shown enough.
    #[test]
    fn units_are_shown_until_somebody_says_no() {
        let level = Level::new(NIM, 3, 90).unwrap();
        let units = |range: std::ops::Range<u64>, most: u64| {
            let (control, mut blocks, mut all) = (Control::new(), 0, 0);
            let level = level.clone().control(&control);
            let went = level.each_of_units(
                |units| {
                    all = units;
                    range
                },
                |_| {
                    blocks += 1;
                    blocks < most
                },
            );
            went.unwrap();
            (all, blocks, control.done())
        };
        // 90 · 91 · 92 / 6 multisets, 65536 a unit.
        assert_eq!(units(0..2, 9), (2, 2, 125_580));
        assert_eq!(units(1..2, 9), (2, 1, 60_044));
        assert_eq!(units(0..2, 1), (2, 1, 0));
        let hook = |progress: Progress| progress.done == 0;
        let mut blocks = 0;
        let stopped = level.watched(&hook).each(|_| {
            blocks += 1;
            true
        });
        assert!(matches!(stopped, Err(Error::Stopped)) && blocks == 1);
    }
}
