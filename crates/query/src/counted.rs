//! Counts the positions of a table in shares, which several processes can count separately.
//!
//! The computation of a table is divided into parts. A share contains the counts of some of these
//! parts. Stored tables are not used. Shares are written and read with serde. The merge checks
//! their contents: the sum must be the number of positions of the table.

use grundy_kernels::Isa;
use grundy_rules::Table;
use grundy_solvers::{Count, Counted, solver};
use grundy_sweep::{Control, MergeError, Parts, Piece, Share, Work};
use serde::{Deserialize, Serialize};

use crate::{Database, QueryError};

/// The counts of a share of a table. Positions are texts, because only the game can parse them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CountedShare(Share<Counted<String>>);

impl Database {
    /// Returns the number of parts into which the count of a table is divided, and the cost of the
    /// count. The parts depend only on the table. The cost also depends on the memory limit, but
    /// neither on the machine nor on stored tables.
    pub fn count_piece(&self, table: &Table) -> Piece {
        solver(table.game()).count_piece(table, self.limits.memory)
    }

    /// Counts a share of a table, without using stored tables; `None` if the control stopped it.
    /// The share has a single piece, the table, with the index 0.
    pub fn count_share(
        &self,
        table: &Table,
        share: &[Parts],
        isa: Isa,
        control: &Control,
    ) -> Result<Option<CountedShare>, QueryError> {
        let piece = self.count_piece(table);
        let share = Share::done(&Counting { table, piece }, share, |_, parts| {
            let count = Count { table, stored: None, memory: self.limits.memory, isa, control };
            let counted = solver(table.game()).count_parts(count, parts.clone())?;
            let typed =
                |counted: Counted| counted.with_place(|position| Some(position.to_string()));
            Ok::<_, QueryError>(counted.filter(|_| !control.is_stopped()).and_then(typed))
        })?;
        Ok(share.map(CountedShare))
    }

    /// Merges shares, which must contain each part once, into the result of [`Database::count`].
    pub fn merge_counted(
        &self,
        table: &Table,
        shares: impl IntoIterator<Item = CountedShare>,
    ) -> Result<Counted, MergeError> {
        let counting = Counting { table, piece: self.count_piece(table) };
        let shares = shares.into_iter().map(|CountedShare(share)| share);
        let whole = Share::merge(&counting, shares)?.pop().flatten();
        Ok(whole.unwrap_or_else(|| unreachable!("the merge refuses an empty result")))
    }
}

struct Counting<'a> {
    table: &'a Table,
    piece: Piece,
}

impl Work for Counting<'_> {
    type Finding = Counted<String>;
    type Whole = Option<Counted>;

    fn words(&self) -> String {
        format!("{}, counted", self.table)
    }

    fn outline(&self) -> Vec<(String, u64)> {
        vec![(self.piece.name.clone(), self.piece.parts)]
    }

    fn begin(&self, _: usize) -> Option<Counted> {
        None
    }

    fn add(
        &self,
        _: usize,
        whole: &mut Option<Counted>,
        found: Counted<String>,
    ) -> Result<(), String> {
        let all = read(self.table, found).and_then(|counted| match whole.take() {
            Some(whole) => whole.merge(counted),
            None => Some(counted),
        });
        *whole = all;
        match whole {
            Some(_) => Ok(()),
            None => Err("the counts do not fit the table".to_owned()),
        }
    }

    fn is_whole(&self, _: usize, whole: &Option<Counted>) -> bool {
        whole.as_ref().is_some_and(|whole| is_whole(self.table, whole))
    }
}

/// True if all positions were counted. Counted records must have a row for each pile.
fn is_whole(table: &Table, counted: &Counted) -> bool {
    let sum = |counts: &[u64]| counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
    // Excluded positions are not counted.
    let are_all = |positions: u64| match table.game().excludes() {
        true => positions <= table.positions(),
        false => positions == table.positions(),
    };
    match counted {
        Counted::Values(counts) => {
            let positions = sum(&counts.values);
            let is_all = positions.is_some_and(are_all) || !table.numbering().is_plain();
            is_all && positions.is_some() && counts.values.last().is_some_and(|&last| last > 0)
        }
        // A game from a rule file has a separate table for each length.
        Counted::Classes(classes) if table.game().rule_file().is_some() => match &classes[..] {
            [(length, counts)] => *length == table.length() && sum(counts).is_some_and(are_all),
            _ => false,
        },
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

/// Parses the positions in the counts; `None` if a position is not in the table.
fn read(table: &Table, counted: Counted<String>) -> Option<Counted> {
    counted.with_place(|text| {
        let position = table.game().parse(&text).ok()?;
        let is_low = position.piles().iter().all(|&pile| pile <= table.max_pile());
        (is_low && position.length() == table.length()).then_some(position)
    })
}
