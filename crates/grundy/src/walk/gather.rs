//! The findings of a walk, and the hook that watches it.

use grundy_kernels::Cell;
use grundy_rules::Table;
use grundy_sweep::{Control, Fold};

use super::block::{Block, Places};

/// Values from one look of a thread at the hook to its next: milliseconds.
const LOOK_EVERY: u64 = 1 << 22;

/// Hears how far a walk is, and says whether it is to go on. Called from any of its threads,
/// some hundred times a second; not while a level is made that has to be there as a whole before
/// it is walked, as that of a game of one's own: only a [`Control`] stops that.
pub type Hook<'a> = &'a (dyn Fn(Progress) -> bool + Sync);

/// How far a walk is, in values: of a position and its reversal one is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // most names say it
pub struct Progress {
    pub done: u64,
    pub total: u64,
}

/// The hook of a walk that is a part of a longer one: so many of `total` values were walked before it.
pub(crate) fn shifted<'a>(
    hook: Option<Hook<'a>>,
    before: u64,
    total: u64,
) -> impl Fn(Progress) -> bool + Sync + 'a {
    move |Progress { done, .. }| {
        let done = before.saturating_add(done).min(total);
        hook.is_none_or(|hook| hook(Progress { done, total }))
    }
}

pub(crate) struct Lookout<'a> {
    pub(crate) control: &'a Control,
    pub(crate) before: u64,
    pub(crate) total: u64,
    pub(crate) hook: Option<Hook<'a>>,
}

impl Lookout<'_> {
    pub(crate) fn look(&self) -> bool {
        if let Some(hook) = self.hook {
            let done = self.control.done() - self.before;
            if !hook(Progress { done, total: self.total }) {
                self.control.stop();
            }
        }
        !self.control.is_stopped()
    }
}

/// The closures of [`Level::fold`](super::Level::fold), which gather on a walk. They are called
/// once a block, so that nothing is won by compiling each walk for its own.
pub(crate) struct Gather<'a, A> {
    pub(crate) table: &'a Table,
    pub(crate) lookout: &'a Lookout<'a>,
    pub(crate) start: &'a (dyn Fn() -> A + Sync),
    pub(crate) each: &'a (dyn Fn(&mut A, &Block<'_>) + Sync),
    pub(crate) merge: &'a (dyn Fn(A, A) -> A + Sync),
}

/// One thread's part, and the values since its last look at the hook.
pub(crate) struct ThreadState<A> {
    pub(crate) acc: A,
    unseen: u64,
}

impl<A> ThreadState<A> {
    pub(crate) fn new(acc: A) -> ThreadState<A> {
        ThreadState { acc, unseen: 0 }
    }

    pub(crate) fn look(&mut self, lookout: &Lookout<'_>, cells: u64) {
        self.unseen += cells;
        if self.unseen >= LOOK_EVERY {
            self.unseen = 0;
            lookout.look();
        }
    }
}

impl<T: Cell, A: Send> Fold<T> for Gather<'_, A> {
    type Acc = ThreadState<A>;

    fn start(&self) -> ThreadState<A> {
        ThreadState::new((self.start)())
    }

    fn tile(&self, part: &mut ThreadState<A>, tile: grundy_sweep::Tile<'_, T>) {
        let places = Places::Tile { word: tile.middle, between: true, cols: tile.cols() };
        let block = Block::new(self.table, T::cells(tile.values), places, tile.weight());
        (self.each)(&mut part.acc, &block);
        part.look(self.lookout, tile.values.len() as u64);
    }

    fn merge(&self, left: ThreadState<A>, right: ThreadState<A>) -> ThreadState<A> {
        ThreadState::new((self.merge)(left.acc, right.acc))
    }
}
