//! Levels that are computed as a whole, because no table has them and many positions are needed.
//!
//! Computing one position takes microseconds to milliseconds. In a whole level, a cell takes less
//! than a nanosecond. A caller with many positions first gives a sample of them. For each length,
//! the cache adds up the estimated times of the positions. When the sum exceeds the time of the
//! whole level, the level is computed. So the total time is at most twice the shortest possible
//! time, in any order of calls.

use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockWriteGuard};

use grundy_rules::{Game, Position};

use crate::held_level::HeldLevel;

/// The computed levels, and the time spent on single positions of levels that are not computed.
/// Copies of a database share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct LevelCache {
    accounts: Arc<RwLock<Vec<Account>>>,
    /// The lock that a thread holds while it computes a level.
    pub(crate) computing: Arc<Mutex<()>>,
}

/// The positions of one game and length: the time spent on them, and their level if it is computed.
#[derive(Debug)]
struct Account {
    game: Game,
    length: usize,
    /// The estimated seconds to compute these positions one by one.
    spent: f64,
    /// The values of all positions with piles up to a size.
    level: Option<HeldLevel>,
}

impl LevelCache {
    pub(crate) fn value(&self, game: Game, position: &Position) -> Option<u32> {
        let accounts = self.accounts.read().unwrap_or_else(PoisonError::into_inner);
        let is_here =
            |account: &&Account| (account.game, account.length) == (game, position.length());
        accounts.iter().find(is_here)?.level.as_ref()?.cell(position.piles(), position.memory())
    }

    pub(crate) fn bytes(&self) -> u64 {
        let accounts = self.accounts.read().unwrap_or_else(PoisonError::into_inner);
        let bytes = |account: &Account| Some(account.level.as_ref()?.bytes());
        accounts.iter().filter_map(bytes).sum()
    }

    fn write(&self) -> RwLockWriteGuard<'_, Vec<Account>> {
        self.accounts.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds `seconds` to the time spent on a game and length. Returns the earlier time.
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

    pub(crate) fn keep(&self, game: Game, length: usize, level: HeldLevel) {
        let mut accounts = self.write();
        let is_here = |account: &&mut Account| (account.game, account.length) == (game, length);
        if let Some(account) = accounts.iter_mut().find(is_here) {
            account.spent = 0.0;
            account.level = Some(level);
        }
    }
}
