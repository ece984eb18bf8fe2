//! b-files of the OEIS: lines of n and a(n).
//!
//! The values of single piles are a sequence, those of two piles an array read by antidiagonals.
//! The piles of this array may be empty, as in most arrays of the OEIS. `--no-empty` leaves these
//! positions out. `--triangle` reads only the positions a, b with a <= b, by rows of equal b, as in
//! A051933 and A317205. Positions of three piles are ordered by sum, then lexicographically:
//!
//! ```text
//! 0,0   0,1  1,0   0,2  1,1  2,0   ...        1,1,1   1,1,2  1,2,1  2,1,1   ...
//! ```

use std::io::Write;

use anyhow::bail;
use grundy::tables::{Listing, read_cells};
use grundy::{Pile, lex_index, row_values};

use super::ExportJob;
use crate::args::named;
use crate::output::grouped;

/// Maximum number of values of a sequence. All values are kept in memory.
const MOST_VALUES: u64 = 1 << 27;

/// Bytes of memory for a term, which consist of its answer and its line of text.
const LINE_BYTES: u64 = 64;

impl ExportJob<'_> {
    pub(super) fn bfile(&self) -> anyhow::Result<Vec<u8>> {
        let mut out = Vec::new();
        let what = match self.game.is_impartial() {
            _ if self.game.remoteness_of().is_some() => "remoteness",
            true => "Grundy value",
            false if self.game.rule_file().is_some() => bail!(
                "positions of {} have outcome classes, but no values for a b-file; use csv",
                self.game
            ),
            false => "threshold l",
        };
        let of = match self.length {
            1 => "the pile n".to_owned(),
            2 if self.game.is_impartial() && !self.wanted.no_empty => {
                let order = match self.wanted.triangle {
                    true => "b >= a >= 0, by b",
                    false => "a, b >= 0, by antidiagonals",
                };
                format!("the n-th position (a, b) with {order}")
            }
            piles => format!("the n-th position of {piles} piles, in order of the number of coins"),
        };
        writeln!(out, "# a(n) = {what} in {} of {of}", named(self.game))?;
        match self.length {
            1 => self.singles(&mut out)?,
            2 if self.game.is_impartial() => self.antidiagonals(&mut out)?,
            2 | 3 => self.by_sums(&mut out)?,
            length => {
                bail!("positions of {length} piles do not form a sequence; use --length 1, 2 or 3")
            }
        }
        Ok(out)
    }

    /// Writes the values of single piles. The sequence begins at n = 0 if that position exists.
    fn singles(&self, out: &mut Vec<u8>) -> anyhow::Result<()> {
        let lines = u64::from(self.max_pile);
        if let Err(shortage) = self.common.memory.check(lines * LINE_BYTES) {
            bail!(
                "cannot hold {} lines: {shortage}; choose a smaller --max-pile, or raise --memory",
                grouped(lines)
            );
        }
        let (game, n) = (self.game, self.max_pile);
        let (first, values) = if game.is_impartial() {
            let more = &mut || !self.control.is_stopped();
            let (first, values) = row_values(self.database, game, &[], n, more)?;
            (first, values.into_iter().map(|value| value.map(u64::from)).collect())
        } else {
            let answers = self.database.row(game, &[], n)?;
            let numbers = answers.into_iter().map(|answer| answer.map(|at| at.number()));
            (game.order().least_pile().into(), numbers.collect::<Vec<_>>())
        };
        if self.control.is_stopped() {
            bail!("interrupted before anything was written");
        }
        for (pile, value) in (first..).zip(values) {
            let Some(value) = value else {
                bail!("{pile} is not a position of {game}; a b-file has no gaps")
            };
            writeln!(out, "{pile} {value}")?;
        }
        Ok(())
    }

    /// Writes the values of two piles. Unless `--no-empty` is given, they may be empty; the value
    /// of (0, b) in a game whose empty piles vanish is that of the single pile b.
    fn antidiagonals(&self, out: &mut Vec<u8>) -> anyhow::Result<()> {
        let (game, n) = (self.game, self.max_pile);
        let tile = self.database.tile(game, &[], n)?;
        let rows: Vec<&[Option<_>]> = tile.rows().collect();
        let least = Pile::from(self.wanted.no_empty);
        let mut singles = Vec::new();
        if least == 0 && game.order().least_pile() == 1 {
            let more = &mut || !self.control.is_stopped();
            let first;
            (first, singles) = row_values(self.database, game, &[], n, more)?;
            if self.control.is_stopped() {
                bail!("interrupted before anything was written");
            }
            if first > 0 {
                bail!("{game} has no position without piles; use --no-empty");
            }
        }
        let value = |a: Pile, b: Pile| match (singles.is_empty(), a, b) {
            (false, 0, pile) | (false, pile, 0) => singles[pile as usize].map(u64::from),
            _ => {
                let at = |pile: Pile| (pile - tile.first()) as usize;
                rows[at(a)][at(b)].map(|answer| answer.number())
            }
        };
        let mut number = u64::from(least);
        // A line is a row of the triangle, or an antidiagonal. Stop before a pile could exceed the
        // largest pile.
        let lines = match self.wanted.triangle {
            true => least..=n,
            false => 2 * least..=n + least,
        };
        for line in lines {
            let most = if self.wanted.triangle { line } else { line - least };
            for a in least..=most {
                let b = if self.wanted.triangle { line } else { line - a };
                let Some(value) = value(a, b) else {
                    bail!("{game} has no position {a},{b}; a b-file has no gaps")
                };
                writeln!(out, "{number} {value}")?;
                number += 1;
            }
        }
        Ok(())
    }

    /// Writes the values of positions in order of the number of coins. Stops before a pile of a
    /// position could exceed the largest pile.
    fn by_sums(&self, out: &mut Vec<u8>) -> anyhow::Result<()> {
        let Some(table) = self.table else { bail!("a b-file needs a number of piles") };
        let n = self.max_pile;
        if self.listing() != Listing::Words {
            let game = self.game;
            if game.excludes() {
                bail!("a b-file cannot leave out the positions that {game} excludes; use csv");
            }
            bail!("{game} has no array of values for several piles; use --length 1, or csv");
        }
        let rows = self.rows(table)?;
        let shape = rows.shape();
        if shape.rows.saturating_mul(shape.cells as u64) > MOST_VALUES {
            bail!("{table} is too large for a b-file; choose a smaller --max-pile");
        }
        let mut made = vec![0; shape.rows as usize * shape.row_bytes()];
        rows.fill(0, &mut made, self.control)?;
        let mut values = Vec::new();
        read_cells(shape.width, &made, &mut values);
        let mut number = 0u64;
        let mut show = |piles: &[u32]| {
            number += 1;
            writeln!(out, "{number} {}", values[lex_index(piles, n.into()) as usize])
        };
        let most = n + self.length as u32 - 1;
        for sum in self.length as u32..=most {
            for a in 1..sum {
                match self.length {
                    2 => show(&[a, sum - a])?,
                    _ => (1..sum - a).try_for_each(|b| show(&[a, b, sum - a - b]))?,
                }
            }
        }
        Ok(())
    }
}
