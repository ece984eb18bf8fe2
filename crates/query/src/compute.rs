//! Any position, interval by interval.
//!
//! The value of a₁ a₂ ... aₖ is the corner of an a₁ x aₖ rectangle whose borders belong
//! to shorter rows. Write (i, j) for the piles i..=j, and keep of each interval its
//! *edge*: the values with the last pile lowered, and those with the first pile lowered,
//!
//! ```text
//! row(i, j)[b] = G(aᵢ ... aⱼ₋₁ b),  b = 1..=aⱼ
//! col(i, j)[a] = G(a aᵢ₊₁ ... aⱼ),  a = 1..=aᵢ
//! ```
//!
//! Then the borders of the rectangle of (i, j) are row(i+1, j) above and col(i, j-1) to
//! the left, and its last row and column are the edge of (i, j). Intervals are done by
//! increasing length, so two diagonals of edges are all the memory; the edges of single
//! piles are the seed row; and wherever a table holds an interval its edge is read
//! instead, and nothing shorter is needed for it.
//!
//! ```text
//! length   1     2     3     4        k(k-1)/2 rectangles from nothing,
//!          a₁ ─┐                      one for each level above a table's
//!              ├ 12 ─┐                rows
//!          a₂ ─┤     ├ 123 ─┐
//!              ├ 23 ─┤      ├ 1234
//!          a₃ ─┤     ├ 234 ─┘
//!              ├ 34 ─┘
//!          a₄ ─┘
//! ```

use std::fmt;

use grundy_kernels::{Edge, Isa};
use grundy_rules::{Game, Pile, end_nim};

use crate::QueryError;

/// How much may be computed for one answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Bytes of memory.
    pub memory: u64,
    /// Seconds, as estimated.
    pub seconds: f64,
}

impl Default for Limits {
    /// 4 GiB and a minute.
    fn default() -> Limits {
        Limits { memory: 4 << 30, seconds: 60.0 }
    }
}

/// An estimate of what an answer takes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Cells of all rectangles.
    pub cells: f64,
    /// Seconds on one thread.
    pub seconds: f64,
    /// Bytes of memory.
    pub memory: u64,
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let memory = self.memory.div_ceil(1 << 20);
        let Work { cells, seconds, .. } = self;
        write!(f, "about {cells:.1e} cells, {seconds:.0} seconds and {memory} MiB")
    }
}

impl Work {
    /// Adds a rectangle. A cell costs a few operations and the search of a row's words.
    fn add(&mut self, a: Pile, b: Pile) {
        let (rows, cols) = (a.max(b) as f64, a.min(b) as f64);
        let cells = rows * cols;
        self.cells += cells;
        self.seconds += cells * (2.5 + 0.02 * cols / 8.0) * 1e-9;
        self.memory = self.memory.max(Edge::bytes(a as usize, b as usize));
    }
}

/// The edge of an interval: the values with one end pile lowered, up to what is there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lowered {
    /// By the last pile, b = 1, 2, ...
    pub(crate) row: Vec<u32>,
    /// By the first pile, a = 1, 2, ...
    pub(crate) col: Vec<u32>,
}

/// Rows that are known already.
pub(crate) trait Known {
    /// Whether a table holds the position with these piles.
    fn holds(&self, piles: &[Pile]) -> bool;
    /// The edge of a position that a table holds.
    fn lowered(&self, piles: &[Pile]) -> Result<Lowered, QueryError>;
}

/// What [`evaluate`] finds for a position of two or more piles.
#[derive(Clone, Debug)]
pub(crate) struct Evaluated {
    /// The position's edge: its value is the last of either.
    pub(crate) lowered: Lowered,
    /// The value without the first pile.
    pub(crate) without_first: u32,
    /// The value without the last pile.
    pub(crate) without_last: u32,
    /// Whether a table gave any of it.
    pub(crate) used_tables: bool,
}

/// Evaluates a position of at least two piles from known rows and single piles.
///
/// # Errors
/// [`QueryError::TooLarge`] before anything is computed, if the estimate exceeds the
/// limits; whatever `known` meets.
pub(crate) fn evaluate(
    game: Game,
    piles: &[Pile],
    known: &impl Known,
    limits: Limits,
) -> Result<Evaluated, QueryError> {
    let needs = Needs::find(piles, known);
    needs.check(piles, limits)?;
    let k = piles.len();
    let mut edge = Edge::new(Isa::best());
    // below[i] = edge of the interval at i on the diagonal of shorter ones.
    let mut below: Vec<Option<Lowered>> = Vec::new();
    for length in 1..k {
        below = needs.diagonal(game, piles, known, length, &below, &mut edge)?;
    }
    let last_of = |at: usize| {
        below[at].as_ref().and_then(|found| found.row.last().copied()).unwrap_or_default()
    };
    let (without_last, without_first) = (last_of(0), last_of(1));
    let mut top = needs.diagonal(game, piles, known, k, &below, &mut edge)?;
    let lowered = top[0].take().unwrap_or_default();
    let used_tables = needs.uses_tables;
    Ok(Evaluated { lowered, without_first, without_last, used_tables })
}

/// What is done for an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    Nothing,
    Read,
    Compute,
}

/// Which intervals are read and which computed.
struct Needs {
    /// `by_length[length - 1][i]`.
    by_length: Vec<Vec<Need>>,
    uses_tables: bool,
    work: Work,
}

impl Needs {
    fn find(piles: &[Pile], known: &impl Known) -> Needs {
        let k = piles.len();
        let mut by_length: Vec<Vec<Need>> =
            (1..=k).map(|length| vec![Need::Nothing; k + 1 - length]).collect();
        // The whole, and the two that lack an end, whose values are options.
        by_length[k - 1][0] = Need::Compute;
        by_length[k - 2].fill(Need::Compute);
        let (mut uses_tables, mut work) = (false, Work::default());
        for length in (1..=k).rev() {
            let mut held = 0;
            for i in 0..=k - length {
                if by_length[length - 1][i] == Need::Nothing {
                    continue;
                }
                let interval = &piles[i..i + length];
                let (first, last) = (interval[0], interval[length - 1]);
                held += 4 * u64::from(first) + 4 * u64::from(last);
                if known.holds(interval) {
                    by_length[length - 1][i] = Need::Read;
                    uses_tables = true;
                } else if length > 1 {
                    work.add(first, last);
                    by_length[length - 2][i] = Need::Compute;
                    by_length[length - 2][i + 1] = Need::Compute;
                }
            }
            work.memory = work.memory.max(2 * held);
        }
        Needs { by_length, uses_tables, work }
    }

    fn check(&self, piles: &[Pile], limits: Limits) -> Result<(), QueryError> {
        let work = self.work;
        let limit = if work.memory > limits.memory {
            "--memory"
        } else if work.seconds > limits.seconds {
            "--seconds"
        } else {
            return Ok(());
        };
        let shown = match piles {
            [first, .., last] if piles.len() > 12 => {
                format!("the row {first},...,{last} of {} piles", piles.len())
            }
            _ => piles.iter().map(Pile::to_string).collect::<Vec<_>>().join(","),
        };
        Err(QueryError::TooLarge { position: shown, work, limit })
    }

    /// The edges of all intervals of one length that are needed.
    fn diagonal(
        &self,
        game: Game,
        piles: &[Pile],
        known: &impl Known,
        length: usize,
        below: &[Option<Lowered>],
        edge: &mut Edge,
    ) -> Result<Vec<Option<Lowered>>, QueryError> {
        let needs = &self.by_length[length - 1];
        needs
            .iter()
            .enumerate()
            .map(|(i, need)| match need {
                Need::Nothing => Ok(None),
                Need::Read => known.lowered(&piles[i..i + length]).map(Some),
                Need::Compute if length == 1 => {
                    let row: Vec<u32> =
                        (1..=piles[i]).map(|pile| end_nim::seed(game, pile)).collect();
                    Ok(Some(Lowered { col: row.clone(), row }))
                }
                Need::Compute => {
                    if let (Some(without_last), Some(without_first)) = (&below[i], &below[i + 1]) {
                        edge.compute(&without_first.row, &without_last.col);
                    }
                    Ok(Some(Lowered { row: edge.row.clone(), col: edge.col.clone() }))
                }
            })
            .collect()
    }
}
