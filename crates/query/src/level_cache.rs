//! Levels computed as a whole, because no table has them and many of their positions are needed.
//!
//! A position that is computed alone takes microseconds to milliseconds; a cell of a level takes
//! less than a nanosecond. A caller with many positions first gives a sample of them. The estimated
//! times of the positions are added up for each length. When they exceed the time of the whole
//! level, the level is computed. So the total is at most twice the best time, in any order of
//! calls.

use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockWriteGuard};

use grundy_rules::{Game, Position};

use crate::held_level::HeldLevel;

/// The levels computed so far, and the time spent on single positions of other levels. Copies of a
/// database share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct LevelCache {
    accounts: Arc<RwLock<Vec<Account>>>,
    /// The lock that a thread holds while it computes a level.
    pub(crate) computing: Arc<Mutex<()>>,
}

/// The time spent on the positions of one game and length, and their level if it is computed.
#[derive(Debug)]
struct Account {
    game: Game,
    length: usize,
    /// The estimated seconds that these positions take one by one.
    spent: f64,
    /// The values of all words, in lexicographic order.
    level: Option<HeldLevel>,
}

impl LevelCache {
    pub(crate) fn value(&self, game: Game, position: &Position) -> Option<u32> {
        let accounts = self.accounts.read().unwrap_or_else(PoisonError::into_inner);
        let is_here =
            |account: &&Account| (account.game, account.length) == (game, position.length());
        accounts.iter().find(is_here)?.level.as_ref()?.cell(position.piles(), position.memory())
    }

    /// Returns the memory of all levels, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let accounts = self.accounts.read().unwrap_or_else(PoisonError::into_inner);
        let bytes = |account: &Account| Some(account.level.as_ref()?.bytes());
        accounts.iter().filter_map(bytes).sum()
    }

    fn write(&self) -> RwLockWriteGuard<'_, Vec<Account>> {
        self.accounts.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds to the seconds spent, and returns their previous sum.
    pub(crate) fn spend(&self, game: Game, length: usize, seconds: f64) -> f64 {
        let mut accounts = self.write();
        let is_here = |account: &Account| (account.game, account.length) == (game, length);
        let at = accounts.iter().position(is_here).unwrap_or_else(|| {
            accounts.push(Account { game, length, spent: 0.0, level: None });
            accounts.len() - 1
        });
        let before = accounts[at].spent;
        accounts[at].spent += seconds;
        before
    }

    /// Stores a level, in place of an earlier one.
    pub(crate) fn keep(&self, game: Game, length: usize, level: HeldLevel) {
        let mut accounts = self.write();
        let is_here = |account: &&mut Account| (account.game, account.length) == (game, length);
        if let Some(account) = accounts.iter_mut().find(is_here) {
            account.spent = 0.0;
            account.level = Some(level);
        }
    }
}
