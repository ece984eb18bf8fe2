//! What a family of games implements.

use grundy_sweep::MemoryLimit;
use std::ops::Range;

use grundy_rules::{Game, Pile, Position, Table, TableError};
use grundy_sweep::Piece;
use grundy_sweep::cost::nanoseconds;

use crate::answer::{Answer, Desk, Moves, Reply, Watched, check_moves};
use crate::check::{Checker, Checking};
use crate::count::{Count, Counted};
use crate::fill::{Job, Maker, Means, Needs, Packing, TableRequest, tables_up_to};
use crate::rows::{self, Rows};

/// How the games of a family are solved. All of it is there for any rules in
/// [`AnyGame`](crate::AnyGame); a family says what it does faster.
pub trait Solver: Sync {
    /// The positions of the longest table that is built when no length is asked for, at most, and its
    /// length: seconds.
    fn most(&self) -> (u64, usize) {
        (1 << 18, 8)
    }

    /// The tables that a request means, by increasing length.
    fn tables(&self, game: Game, wanted: &TableRequest) -> Result<Vec<Table>, TableError> {
        let (positions, piles) = self.most();
        tables_up_to(
            game,
            wanted,
            |_| wanted.max_pile,
            piles,
            |table| table.positions() <= positions,
        )
    }

    /// How the cells of a table are prepared for compression: part of the format.
    fn packing(&self, _: &Table) -> Packing {
        Packing::Raw
    }

    /// What filling a table takes.
    fn needs(&self, table: &Table, means: &Means) -> Needs;

    /// What fills tables.
    fn maker(&self, job: Job) -> Box<dyn Maker>;

    /// What is known of a position, from what is stored or computed.
    fn answer(&self, game: Game, position: &Position, desk: &Desk<'_>) -> Reply<Answer>;

    /// About the seconds that a position of impartial play takes by itself, where no table has it: of
    /// each position below it every move is looked at.
    fn seconds_alone(&self, _: Game, piles: &[Pile], _: &Desk<'_>) -> f64 {
        let below: f64 = piles.iter().map(|&pile| f64::from(pile)).product();
        let coins: f64 = piles.iter().map(|&pile| f64::from(pile)).sum();
        below * coins * nanoseconds::LOOK * 1e-9
    }

    /// Every move of a position, with what is known of the option it reaches.
    fn moves(&self, game: Game, position: &Position, desk: &Desk<'_>) -> Reply<Moves> {
        moves_by(game, position, |at| self.answer(game, at, desk))
    }

    /// The positions (`word`, b) for b = 1, ..., `last`, at the beginning of play.
    fn row(&self, game: Game, word: &[Pile], last: Pile, desk: &Desk<'_>) -> Reply<Vec<Answer>> {
        row_one_by_one(self, game, word, last, desk)
    }

    /// The positions (a, `middle`, b) for a and b from 1 to `last`, at the beginning of play, row
    /// by row.
    fn tile(&self, game: Game, middle: &[Pile], last: Pile, desk: &Desk<'_>) -> Reply<Vec<Answer>> {
        tile_by_rows(self, game, middle, last, desk)
    }

    /// Derives the cells of a stored table again, reading options from stored tables.
    fn checker<'a>(&self, of: Checking<'a>) -> Reply<Box<dyn Checker + 'a>>;

    /// Whether the pieces of a table are checked by one checker, in order, since each takes all
    /// that is before it.
    fn checks_in_order(&self, _: &Table) -> bool {
        false
    }

    /// Counts a table; if it was stopped, the part that was counted, or `None` if there is none.
    fn count(&self, count: Count<'_>) -> Reply<Option<Counted>>;

    /// How counting a table can be shared out: into parts that depend on the table alone, and what all
    /// of them take one thread. A table that is not cut is one part.
    fn count_piece(&self, table: &Table, memory: MemoryLimit) -> Piece {
        self.needs(table, &Means::one_thread(memory)).piece(table, 1)
    }

    /// Counts some of the parts of a table, computed whatever is stored; stopped as above.
    /// All parts together, merged, are what [`Solver::count`] counts.
    fn count_parts(&self, count: Count<'_>, _parts: Range<u64>) -> Reply<Option<Counted>> {
        self.count(Count { stored: None, ..count })
    }

    /// All rows of a table, for other programs: see [`Rows`].
    fn rows<'a>(&self, of: Count<'a>) -> Reply<Box<dyn Rows + 'a>> {
        rows::of_any(of, |means| self.needs(of.table, means), |job| self.maker(job))
    }

    /// Whether a cell is the threshold l(w) of its word: with that of the reversal it gives the
    /// class, and both come from nothing faster than from a table.
    fn has_thresholds(&self) -> bool {
        false
    }

    /// The rows of single piles, of a game that has records.
    fn records(&self) -> Option<&dyn Records> {
        None
    }
}

/// Rows of single piles, which can be large.
pub trait Records: Sync {
    /// Shows g(n) and the m = n - k of the exceptional last moves k for n = 1, ..., `last`, from
    /// a table or computed, until `show` says no.
    fn each(
        &self,
        game: Game,
        last: Pile,
        desk: &Desk<'_>,
        show: &mut dyn FnMut(u32, &[Pile]) -> bool,
    ) -> Reply<()>;
}

/// A row, each position by itself; the seconds are those of all together.
pub(crate) fn row_one_by_one<S: Solver + ?Sized>(
    solver: &S,
    game: Game,
    word: &[Pile],
    last: Pile,
    desk: &Desk<'_>,
) -> Reply<Vec<Answer>> {
    let watched = Watched::begun(desk);
    // The last one first: it says whether the others can be had.
    let one = |b| {
        let position = game.position(&[word, &[b]].concat());
        let answer = solver.answer(game, &position, desk)?;
        watched.look(position.piles())?;
        Ok(answer)
    };
    if last > 0 {
        one(last)?;
    }
    (1..=last).map(one).collect()
}

/// A tile, each row by itself; the seconds are those of all rows together.
pub(crate) fn tile_by_rows<S: Solver + ?Sized>(
    solver: &S,
    game: Game,
    middle: &[Pile],
    last: Pile,
    desk: &Desk<'_>,
) -> Reply<Vec<Answer>> {
    let watched = Watched::begun(desk);
    // The last row first: it says whether the others can be had.
    let mut rows = Vec::new();
    for a in (1..=last).rev() {
        let word = [&[a], middle].concat();
        rows.push(solver.row(game, &word, last, desk)?);
        watched.look(&[&word[..], &[last]].concat())?;
    }
    Ok(rows.into_iter().rev().flatten().collect())
}

/// Every move of a position, each option answered by itself.
pub(crate) fn moves_by(
    game: Game,
    position: &Position,
    mut answer: impl FnMut(&Position) -> Reply<Answer>,
) -> Reply<Moves> {
    check_moves(position)?;
    let found = answer(position)?;
    let moves = game.try_moves(position)?.into_iter().map(|made| {
        let found = answer(&made.option)?;
        Ok((made, found))
    });
    Ok(Moves { answer: found, moves: moves.collect::<Reply<_>>()? })
}
