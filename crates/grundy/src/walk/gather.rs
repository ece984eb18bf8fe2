//! The results of a walk, and the hook that watches it.

use grundy_kernels::Cell;
use grundy_rules::Table;
use grundy_sweep::{Control, Fold};

use super::block::{Block, Places};
use super::domain::Domain;

/// The number of values that a thread walks between two calls of the hook (a few milliseconds).
const LOOK_EVERY: u64 = 1 << 22;

/// A function that receives the progress of a walk, and returns false to stop it. Any thread may
/// call it, several hundred times per second. Levels of some games, such as your own, are
/// filled before the walk. While a level is filled, only a [`Control`] can stop the work.
pub type Hook<'a> = &'a (dyn Fn(Progress) -> bool + Sync);

/// The progress of a walk, counted in values. A position and its reversal count as one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub done: u64,
    pub total: u64,
}

/// Returns a hook for the rest of a walk, in which `before` of `total` values are already done.
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

pub(crate) struct Monitor<'a> {
    pub(crate) control: &'a Control,
    pub(crate) before: u64,
    pub(crate) total: u64,
    pub(crate) hook: Option<Hook<'a>>,
}

impl Monitor<'_> {
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

/// The closures of [`Level::fold`](super::Level::fold), as trait objects, because calls are rare.
pub(crate) struct Gather<'a, A> {
    pub(crate) table: &'a Table,
    pub(crate) domain: Domain,
    pub(crate) lookout: &'a Monitor<'a>,
    pub(crate) start: &'a (dyn Fn() -> A + Sync),
    pub(crate) each: &'a (dyn Fn(&mut A, &Block<'_>) + Sync),
    pub(crate) merge: &'a (dyn Fn(A, A) -> A + Sync),
}

/// The result of one thread, and the number of values since its last call of the hook.
pub(crate) struct ThreadState<A> {
    pub(crate) acc: A,
    unseen: u64,
}

impl<A> ThreadState<A> {
    pub(crate) fn new(acc: A) -> ThreadState<A> {
        ThreadState { acc, unseen: 0 }
    }

    pub(crate) fn look(&mut self, lookout: &Monitor<'_>, cells: u64) {
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
