//! Long global nim: from tables of all sets of moves, or by a memoised search, within the
//! memory limit.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use grundy_kernels::subsets::{Search, SearchError};
use grundy_rules::{Game, Memory, MoveSet, Pile, Position};

use crate::database::{Answer, Database, Moves, Source};
use crate::{QueryError, Work};

/// From one look of the watcher to the next.
const SHOW_EVERY: Duration = Duration::from_millis(100);

thread_local! {
    /// What earlier questions of this thread found serves later ones.
    static SEARCH: RefCell<Option<(u64, Search)>> = const { RefCell::new(None) };
}

impl Database {
    /// The value of a position of long global nim.
    pub(crate) fn long_global_value(&self, position: &Position) -> Result<Answer, QueryError> {
        self.long_global_value_since(position, Instant::now())
    }

    /// The same, the time that a search may take having begun earlier.
    fn long_global_value_since(
        &self,
        position: &Position,
        start: Instant,
    ) -> Result<Answer, QueryError> {
        let all = MoveSet::up_to(position.max_pile());
        let available = match position.memory() {
            Memory::Available(set) => set,
            _ => &all,
        };
        let piles = position.piles();
        if let Some(set) = available.mask()
            && let Some(value) = self.stored_set_value(piles, set)?
        {
            return Ok(Answer { value, source: Source::Table });
        }
        self.searched(position, available, start)
    }

    /// The value of a position by the mask of its set, if a table has it.
    fn stored_set_value(&self, piles: &[Pile], set: u64) -> Result<Option<u32>, QueryError> {
        match self.holder(Game::LongGlobalNim, piles) {
            Some(stored) => stored.set_value(piles, set),
            None => Ok(None),
        }
    }

    /// The value of a position with ascending piles and the mask of its set, from wherever.
    pub(crate) fn set_value(&self, piles: &[Pile], set: u64) -> Result<u32, QueryError> {
        match self.stored_set_value(piles, set)? {
            Some(value) => Ok(value),
            None => {
                let position = Position::with_available(piles.to_vec(), MoveSet::of_mask(set));
                Ok(self.long_global_value(&position.unwrap_or_default())?.value)
            }
        }
    }

    fn searched(
        &self,
        position: &Position,
        available: &MoveSet,
        start: Instant,
    ) -> Result<Answer, QueryError> {
        let (piles, limits) = (position.piles(), self.limits());
        // A question that is one of many leaves memory to the others.
        let asked_together =
            rayon::current_thread_index().map_or(1, |_| rayon::current_num_threads());
        let memory = limits.memory / asked_together as u64;
        let mut shown = start;
        let mut stop = |search: &Search| {
            let seconds = start.elapsed().as_secs_f64();
            if let Some(watch) = self.watch()
                && shown.elapsed() > SHOW_EVERY
            {
                shown = Instant::now();
                watch(&Work { cells: search.states() as f64, seconds, memory: search.bytes() });
            }
            seconds > limits.seconds
        };
        SEARCH.with_borrow_mut(|kept| {
            if kept.as_ref().is_none_or(|(before, _)| *before != memory) {
                *kept = None;
            }
            let (_, search) = kept.get_or_insert_with(|| (memory, Search::new(memory)));
            match search.value(piles, available.iter(), &mut stop) {
                Ok(value) => Ok(Answer { value: u32::from(value), source: Source::Computed }),
                Err(error) => {
                    let (states, memory) = (search.states(), search.bytes());
                    let seconds = start.elapsed().as_secs_f64();
                    search.forget();
                    let position = position.to_string();
                    let limit = match error {
                        SearchError::Size { .. } => {
                            return Err(QueryError::BeyondSearch { position, source: error });
                        }
                        SearchError::Memory { .. } => "--memory",
                        SearchError::Stopped { .. } => "--seconds",
                    };
                    Err(QueryError::Unfinished { position, states, seconds, memory, limit })
                }
            }
        })
    }

    /// Every move of a position of long global nim.
    pub(crate) fn long_global_moves(&self, position: &Position) -> Result<Moves, QueryError> {
        let start = Instant::now();
        let answer = self.long_global_value_since(position, start)?;
        let moves = grundy_rules::long_global::moves(position)
            .into_iter()
            .map(|m| {
                let value = self.long_global_value_since(&m.option, start)?.value;
                Ok((m, value))
            })
            .collect::<Result<_, QueryError>>()?;
        Ok(Moves { answer, moves })
    }
}
