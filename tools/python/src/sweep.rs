//! Walks over levels, passed to a Python function in blocks.
//!
//! The kernel computes a tile of 64 times 64 values in a microsecond, and a call of Python takes as
//! long. So a block collects about 10^5 values from many tiles in one array. The function may keep
//! this array. The piles of a block are computed on request.
//!
//! ```text
//! threads    tile tile tile ... ──► values of a block ──► f(block) ──► fold(so far, result)
//!            without the lock                             with the interpreter's lock
//! ```

use std::sync::{Mutex, PoisonError};

use grundy::{BlockPlaces, CellVec, Cells, Control, MemoryLimit, MoveSet, Table};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::database::Db;
use crate::fault::Fault;
use crate::lend;
use crate::position::{Name, game};
use crate::run::{Terms, quick, run};

const BLOCK_VALUES: usize = 1 << 17;

/// Positions of a sweep, with their values.
#[pyclass(frozen, module = "grundy")]
pub(crate) struct Block {
    table: Table,
    kept: Vec<(BlockPlaces, usize)>,
    values: Py<PyAny>,
    count: usize,
    weight: u64,
    is_reversed: bool,
    found: PyOnceLock<PositionColumns>,
}

struct PositionColumns {
    piles: Py<PyAny>,
    memories: Py<PyAny>,
    last_moves: Py<PyAny>,
    move_sets: Py<PyAny>,
}

#[pymethods]
impl Block {
    /// The game's name.
    #[getter]
    fn game(&self) -> &'static str {
        self.table.game().id()
    }

    /// The number of piles of each position.
    #[getter]
    fn length(&self) -> usize {
        self.table.length()
    }

    /// The largest pile of the level.
    #[getter]
    fn max_pile(&self) -> u32 {
        self.table.max_pile()
    }

    /// The number of positions that each value stands for: 1, or 2 if reversals are left out.
    #[getter]
    fn weight(&self) -> u64 {
        self.weight
    }

    /// The values, shape (m,).
    #[getter]
    fn values(&self, py: Python<'_>) -> Py<PyAny> {
        self.values.clone_ref(py)
    }

    /// The piles, shape (m, k): row i contains the piles of value i.
    #[getter]
    fn piles(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.found(py)?.piles.clone_ref(py))
    }

    /// The remembered numbers, shape (m, r), in the order in which they are written.
    #[getter]
    fn memories(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.found(py)?.memories.clone_ref(py))
    }

    /// The last moves, shape (m,); 0 if there was none.
    #[getter]
    fn last_moves(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.found(py)?.last_moves.clone_ref(py))
    }

    /// The remaining moves as bits, shape (m,); the move s has the bit s - 1.
    #[getter]
    fn move_sets(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.found(py)?.move_sets.clone_ref(py))
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        let (table, weight) = (&self.table, self.weight);
        let twice = if weight == 2 { ", each of which also stands for its reversal" } else { "" };
        format!("<block of {table}: {} values{twice}>", self.count)
    }
}

impl Block {
    fn found(&self, py: Python<'_>) -> PyResult<&PositionColumns> {
        self.found.get_or_try_init(py, || {
            let length = self.table.length();
            let (piles, memories, last_moves, move_sets) =
                quick(py, || Ok::<_, Fault>(self.list()))?;
            let piles = PyArray1::from_vec(py, piles);
            lend::seal(&piles)?;
            let piles = piles.reshape([self.count, length])?.into_any().unbind();
            let memories = PyArray1::from_vec(py, memories);
            lend::seal(&memories)?;
            let many = self.table.remembered().len();
            let memories = memories.reshape([self.count, many])?.into_any().unbind();
            Ok(PositionColumns {
                piles,
                memories,
                last_moves: lend::give(py, last_moves)?,
                move_sets: lend::give(py, move_sets)?,
            })
        })
    }

    fn list(&self) -> (Vec<i32>, Vec<i32>, Vec<i32>, Vec<u64>) {
        let remembers = self.table.game().remembers();
        let mut piles = Vec::with_capacity(self.count * self.table.length());
        let (mut memories, mut last_moves, mut move_sets) = (Vec::new(), Vec::new(), Vec::new());
        let most = self.kept.iter().map(|&(_, count)| count).max().unwrap_or(0);
        // Pass zeros as values, because the positions do not depend on the values.
        let any = vec![0; most];
        for (kept, count) in &self.kept {
            kept.show(&self.table, Cells::Bytes(&any[..*count]), |block| {
                block.each_cell(|at, _| {
                    let numbers = at.piles.iter().map(|&pile| pile as i32);
                    match self.is_reversed {
                        false => piles.extend(numbers),
                        true => piles.extend(numbers.rev()),
                    }
                    match remembers {
                        grundy::Remembers::Nothing => {}
                        grundy::Remembers::Numbers => {
                            last_moves.push(at.last_move() as i32);
                            let numbers = at.memory.numbers().into_iter();
                            memories.extend(numbers.map(|(_, number)| number as i32));
                        }
                        grundy::Remembers::Moves => move_sets.push(mask(at.memory)),
                    }
                });
            });
        }
        if remembers != grundy::Remembers::Numbers {
            last_moves.resize(self.count, 0);
        }
        if remembers != grundy::Remembers::Moves {
            move_sets.resize(self.count, 0);
        }
        (piles, memories, last_moves, move_sets)
    }
}

fn mask(memory: &grundy::Memory) -> u64 {
    match memory {
        // The set fits into 64 bits, because no move in a level with sets of moves exceeds 64.
        grundy::Memory::Available(set) => MoveSet::mask(set).unwrap_or(u64::MAX),
        _ => 0,
    }
}

fn to_array(py: Python<'_>, values: CellVec) -> PyResult<Py<PyAny>> {
    match values {
        CellVec::Bytes(values) => lend::give(py, values),
        CellVec::Words(values) => lend::give(py, values),
        CellVec::Longs(values) => lend::give(py, values),
    }
}

struct Batch {
    kept: Vec<(BlockPlaces, usize)>,
    values: CellVec,
    count: usize,
    weight: u64,
}

/// The state of a thread: unfinished blocks by weight, blocks of merged threads, and the result.
#[derive(Default)]
struct Part {
    making: [Option<Batch>; 2],
    rest: Vec<Batch>,
    result: Option<Py<PyAny>>,
}

/// The functions of a call, and the first exception that one of them raised.
struct Functions<'a> {
    show: Py<PyAny>,
    fold: Py<PyAny>,
    both: bool,
    table: &'a Table,
    control: &'a Control,
    raised: Mutex<Option<PyErr>>,
}

impl Functions<'_> {
    /// Calls the function with a block, then with the block of reversals, if these are requested.
    fn show(&self, result: &mut Option<Py<PyAny>>, batch: Batch) {
        if self.control.is_stopped() {
            return;
        }
        let shown = Python::attach(|py| -> PyResult<()> {
            let Batch { kept, values, count, weight } = batch;
            let values = to_array(py, values)?;
            let twice = self.both && weight == 2;
            let again = twice.then(|| (kept.clone(), values.clone_ref(py)));
            let weight = if self.both { 1 } else { weight };
            let make = |kept, values, is_reversed| Block {
                table: self.table.clone(),
                kept,
                values,
                count,
                weight,
                is_reversed,
                found: PyOnceLock::new(),
            };
            self.take(py, result, make(kept, values, false))?;
            match again {
                Some((kept, values)) => self.take(py, result, make(kept, values, true)),
                None => Ok(()),
            }
        });
        self.keep(shown);
    }

    fn take(&self, py: Python<'_>, result: &mut Option<Py<PyAny>>, block: Block) -> PyResult<()> {
        let next = self.show.call1(py, (block,))?;
        self.join(py, result, next)
    }

    fn join(
        &self,
        py: Python<'_>,
        result: &mut Option<Py<PyAny>>,
        next: Py<PyAny>,
    ) -> PyResult<()> {
        if next.is_none(py) {
            return Ok(());
        }
        *result = Some(match result.take() {
            None => next,
            Some(before) => self.fold.call1(py, (before, next))?,
        });
        Ok(())
    }

    /// After an exception, stops the walk. Keeps only the first exception.
    fn keep(&self, shown: PyResult<()>) {
        if let Err(error) = shown {
            self.control.stop();
            // Ignore a poisoned lock: the value is complete even if another thread has panicked.
            self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    fn each(&self, part: &mut Part, block: &grundy::Block<'_>) {
        let slot = &mut part.making[usize::from(block.weight() == 2)];
        let batch = slot.get_or_insert_with(|| Batch {
            kept: Vec::new(),
            values: CellVec::with_capacity(
                block.values().width(),
                BLOCK_VALUES.max(block.values().count()),
            ),
            count: 0,
            weight: block.weight(),
        });
        batch.kept.push((block.kept(), block.cells() as usize));
        batch.values.extend(block.values());
        batch.count += block.cells() as usize;
        if batch.count >= BLOCK_VALUES
            && let Some(batch) = slot.take()
        {
            self.show(&mut part.result, batch);
        }
    }

    fn merge(&self, mut left: Part, right: Part) -> Part {
        left.rest.extend(right.rest);
        left.rest.extend(right.making.into_iter().flatten());
        if let Some(result) = right.result {
            let joined = Python::attach(|py| self.join(py, &mut left.result, result));
            self.keep(joined);
        }
        left
    }
}

#[pymethods]
impl Db {
    /// Calls a function with all blocks of a level, and folds the results.
    #[pyo3(signature = (name, length, max_pile, show, fold, both, memory, threads, hook))]
    #[expect(clippy::too_many_arguments, reason = "Python passes the arguments by name")]
    fn sweep(
        &self,
        py: Python<'_>,
        name: Name,
        length: usize,
        max_pile: u32,
        show: Py<PyAny>,
        fold: Py<PyAny>,
        both: bool,
        memory: Option<u64>,
        threads: Option<usize>,
        hook: Option<Py<PyAny>>,
    ) -> PyResult<Option<Py<PyAny>>> {
        let terms = Terms::new(threads, hook);
        let control = &*terms.control;
        let level = self
            .level(game(&name)?, length, max_pile, memory.map(MemoryLimit::new))?
            .control(control);
        let raised = Mutex::new(None);
        let table = level.table();
        let functions = Functions { show, fold, both, table, control, raised };
        let walk = || {
            let each = |part: &mut Part, block: &grundy::Block<'_>| functions.each(part, block);
            let swept =
                level.fold(Part::default, each, |left, right| functions.merge(left, right))?;
            let mut part = swept.acc;
            let rest = part.rest.drain(..).collect::<Vec<_>>();
            for batch in rest.into_iter().chain(part.making.into_iter().flatten()) {
                functions.show(&mut part.result, batch);
            }
            Ok::<_, grundy::Error>((part.result, swept.complete))
        };
        // If a function raised an exception, it takes precedence over an error of the walk.
        let swept = run(py, &terms, || Ok::<_, Fault>(walk()))?;
        if let Some(error) = functions.raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        match swept.map_err(Fault::from)? {
            (result, true) => Ok(result),
            (_, false) => Err(Fault::from(grundy::Error::Stopped).into()),
        }
    }
}
