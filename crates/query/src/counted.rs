//! A table counted share by share, in different processes.
//!
//! A share is some parts of the walk that computes a table, whatever is stored, and what was counted
//! there. It is written and read with serde; what it says is believed only when it is merged, and
//! then there are as many positions as the table has.

use std::ops::Range;

use grundy_kernels::Isa;
use grundy_rules::Table;
use grundy_solvers::{Count, Counted, solver};
use grundy_sweep::{Control, MergeError, Piece};
use serde::{Deserialize, Serialize};

use crate::{Database, QueryError};

/// The version of what a share says, and who says it: others may have counted otherwise.
const WRITTEN_BY: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"), ", 2");

/// What was counted of some parts of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountedShare {
    /// The table's id, and who counted.
    table: String,
    parts: Range<u64>,
    /// Positions stand as they are typed: they are read when it is known of which game they are.
    counted: Counted<String>,
}

impl Database {
    /// How counting a table is shared out: its parts, and what all of them take. They depend on the
    /// table, and the estimates on the memory limit too, but not on the machine or on what is stored.
    pub fn count_piece(&self, table: &Table) -> Piece {
        solver(table.game()).count_piece(table, self.limits.memory)
    }

    /// Counts some parts of a table, computed whatever is stored; `None` if the control stopped it.
    ///
    /// # Errors
    /// [`QueryError::NoSuchPart`] if the table does not have them; else as [`Database::count`].
    pub fn count_share(
        &self,
        table: &Table,
        parts: Range<u64>,
        isa: Isa,
        control: &Control,
    ) -> Result<Option<CountedShare>, QueryError> {
        let all = self.count_piece(table).parts;
        if parts.start >= parts.end || parts.end > all {
            return Err(QueryError::NoSuchPart { table: table.to_string(), parts, all });
        }
        let count = Count { table, stored: None, memory: self.limits.memory, isa, control };
        let counted = solver(table.game()).count_parts(count, parts.clone())?;
        let typed = |counted: Counted| counted.with_place(|position| Some(position.to_string()));
        let share = |counted| CountedShare { table: written_by(table), parts, counted };
        Ok(counted.and_then(typed).map(share))
    }

    /// What [`Database::count`] counts of a table, from shares that cover every part once.
    ///
    /// # Errors
    /// [`MergeError`] if they do not, or cannot be right.
    pub fn merge_counted(
        &self,
        table: &Table,
        shares: impl IntoIterator<Item = CountedShare>,
    ) -> Result<Counted, MergeError> {
        let Piece { name, parts: all, .. } = self.count_piece(table);
        let shares: Vec<CountedShare> = shares.into_iter().collect();
        if shares.iter().any(|share| share.table != written_by(table)) {
            return Err(MergeError::OtherWork);
        }
        MergeError::unless_each_once(&name, shares.iter().map(|share| &share.parts), all)?;
        let mut whole: Option<Counted> = None;
        for CountedShare { parts, counted, .. } in shares {
            let merged = read(table, counted).and_then(|counted| match whole.take() {
                Some(whole) => whole.merge(counted),
                None => Some(counted),
            });
            if merged.is_none() {
                let what = "it is not what is counted of such a table".to_owned();
                return Err(MergeError::Impossible { piece: name, parts, what });
            }
            whole = merged;
        }
        match whole.filter(|whole| is_whole(table, whole)) {
            Some(whole) => Ok(whole),
            None => {
                let what = "together they are not all positions".to_owned();
                Err(MergeError::Impossible { piece: name, parts: 0..all, what })
            }
        }
    }
}

fn written_by(table: &Table) -> String {
    format!("{table}, counted by {WRITTEN_BY}")
}

/// Whether so many positions were counted as there are; of single piles, as many rows.
fn is_whole(table: &Table, counted: &Counted) -> bool {
    let sum = |counts: &[u64]| counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
    match counted {
        Counted::Values(counts) => {
            let positions = sum(&counts.values);
            let is_all = positions == Some(table.positions()) || !table.numbering().is_plain();
            is_all && positions.is_some() && counts.values.last().is_some_and(|&last| last > 0)
        }
        Counted::Classes(classes) => {
            let n = u64::from(table.max_pile());
            let words = |length: usize| n.checked_pow(u32::try_from(length).ok()?);
            let lengths = classes.iter().map(|(length, _)| *length);
            lengths.eq(1..=table.length())
                && classes.iter().all(|(length, counts)| sum(counts) == words(*length))
        }
        Counted::Records { counts, .. } => counts.rows == u64::from(table.max_pile()),
        Counted::Sets { counts, .. } => {
            let piles = counts.piles.iter().map(|counts| sum(counts));
            let all = piles.collect::<Option<Vec<u64>>>().and_then(|piles| sum(&piles));
            all == Some(table.positions())
        }
    }
}

/// What was counted, with its position read; `None` if that is none of the table.
fn read(table: &Table, counted: Counted<String>) -> Option<Counted> {
    counted.with_place(|text| {
        let position = table.game().parse(&text).ok()?;
        let is_low = position.piles().iter().all(|&pile| pile <= table.max_pile());
        (is_low && position.length() == table.length()).then_some(position)
    })
}
