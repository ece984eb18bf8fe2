//! Lines of text with columns for the piles, for what the game remembers, and for the value.
//!
//! ```text
//! p1,p2,p3,g              piles, value
//! p1,p2,k,g               with the last move
//! p1,p2,moves,g           with the moves that are left, as in 1 3 4
//! p1,p2,outcome           in a partizan game
//! position,g              with --text: the position as `grundy query` reads it, in quotes
//! n,g,exceptional_last_moves    single piles of a game with records
//! ```

use std::io::{self, Write};

use anyhow::bail;
use grundy::shares::price;
use grundy::tables::{Listing, has_thresholds};
use grundy::{Answer, Memory, Outcome, Pile, Position, Remembers, lex_word};

use super::{ExportJob, Size, columns_of, next_word, push_number, text_bytes, value_name};
use crate::output::Out;

const BLOCK: usize = 1 << 16;

struct Lines<'a> {
    text: Vec<u8>,
    to: &'a mut dyn Write,
}

impl Lines<'_> {
    fn end(&mut self) -> io::Result<()> {
        self.text.push(b'\n');
        if self.text.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.write_all(&self.text)?;
        self.text.clear();
        Ok(())
    }
}

impl ExportJob<'_> {
    pub(super) fn csv(&self, out: &mut Out) -> anyhow::Result<()> {
        if let Some(middle) = self.middle {
            return self.csv_tile(middle, out);
        }
        let Some(table) = self.table else { bail!("csv needs a number of piles") };
        let listing = self.listing();
        let n = u64::from(self.max_pile);
        let ascending = self.game.is_unordered() && !self.wanted.all_orders;
        let excludes = self.game.excludes() && self.game.is_unordered();
        let lines = match listing {
            Listing::Records => n,
            // Ascending words and numbered tables have one line for each position. Other tables
            // also have lines for words that are not ascending.
            _ if ascending || listing == Listing::Numbers && !excludes => table.positions(),
            Listing::LastMoves => {
                let words = n.saturating_pow(self.length as u32);
                words.saturating_mul(table.tile_cols() as u64)
            }
            _ => n.saturating_pow(self.length as u32),
        };
        let bytes = text_bytes(lines, self.bytes_a_line(listing))?;
        let size = |seconds| Size { values: lines, bytes, exact: false, seconds };
        // Formatting usually takes longer than computing.
        let formatting = lines as f64 * price::FORMAT;
        if listing == Listing::Records {
            return self.stream(out, size(formatting), |to| self.csv_records(to));
        }
        if has_thresholds(self.game) {
            return self.stream(out, size(formatting), |to| self.csv_by_rows(to));
        }
        let rows = self.rows(table)?;
        let size = size(formatting + self.seconds(&*rows));
        self.stream(out, size, |to| {
            let mut lines = Lines { text: self.header().into_bytes(), to };
            if listing == Listing::Numbers && excludes {
                self.csv_words(&*rows, &mut lines)?;
            } else if listing == Listing::Numbers {
                self.csv_numbers(&*rows, &mut lines)?;
            } else {
                self.each_row(&*rows, ascending, |word, least, cells| {
                    let moves = cells.len() / self.max_pile as usize;
                    let mut word = [word, &[0]].concat();
                    for (b, cells) in (1..).zip(cells.chunks(moves)).skip(least as usize - 1) {
                        word[self.length - 1] = b;
                        for (k, &cell) in (0..).zip(cells) {
                            self.push_position(&mut lines.text, &word, &self.memory(k));
                            self.push_cell(&mut lines.text, cell);
                            lines.end()?;
                        }
                    }
                    Ok(())
                })?;
            }
            Ok(lines.flush()?)
        })
    }

    fn header(&self) -> String {
        if self.wanted.text {
            return format!("position,{}\n", value_name(self.game));
        }
        format!("{},{}\n", columns_of(self.game, self.length).join(","), value_name(self.game))
    }

    fn bytes_a_line(&self, listing: Listing) -> u64 {
        let digits = u64::from(self.max_pile.ilog10()) + 2;
        let more = match listing {
            Listing::Words => 0,
            Listing::LastMoves => digits,
            Listing::Numbers => 3 * u64::from(self.max_pile) / 2,
            Listing::Records => 8 * digits,
        };
        self.length as u64 * digits + digits + more
    }

    /// Returns the memory of a position after the last move `k`.
    fn memory(&self, k: Pile) -> Memory {
        match self.game.remembers() {
            Remembers::LastMove => Memory::LastMove(k),
            _ => Memory::Nothing,
        }
    }

    /// Appends the columns of a position, without its value.
    fn push_position(&self, text: &mut Vec<u8>, piles: &[Pile], memory: &Memory) {
        if self.wanted.text {
            let position = Position::written(piles, memory);
            text.extend_from_slice(format!("\"{position}\",").as_bytes());
            return;
        }
        let mut push = |number: Pile, end| {
            push_number(text, number.into());
            text.push(end);
        };
        piles.iter().for_each(|&pile| push(pile, b','));
        match memory {
            Memory::Nothing => {}
            Memory::LastMove(taken) => push(*taken, b','),
            Memory::Available(moves) => {
                moves.iter().for_each(|taken| push(taken, b' '));
                text.pop_if(|last| *last == b' ');
                text.push(b',');
            }
        }
    }

    /// Writes a line for each answer of a row, whose last piles begin with `least`.
    fn push_row(
        &self,
        lines: &mut Lines<'_>,
        word: &[Pile],
        least: Pile,
        row: &[Option<Answer>],
    ) -> io::Result<()> {
        for (b, answer) in (least..).zip(row) {
            let Some(answer) = answer else { continue };
            self.push_position(&mut lines.text, &[word, &[b]].concat(), &self.memory(0));
            lines.text.extend_from_slice(answer.to_string().as_bytes());
            lines.end()?;
        }
        Ok(())
    }

    fn push_cell(&self, text: &mut Vec<u8>, cell: u32) {
        match Outcome::ALL.get(cell as usize).filter(|_| !self.game.is_impartial()) {
            Some(class) => text.extend_from_slice(class.to_string().as_bytes()),
            None => push_number(text, cell.into()),
        }
    }

    /// Writes answers row by row, because an outcome class follows from more than one cell.
    fn csv_by_rows(&self, to: &mut dyn Write) -> anyhow::Result<()> {
        let mut lines = Lines { text: self.header().into_bytes(), to };
        let n = u64::from(self.max_pile);
        let mut word = vec![0; self.length - 1];
        for row in 0..n.saturating_pow(self.length as u32 - 1) {
            if self.control.is_stopped() {
                return Ok(());
            }
            lex_word(row, n, &mut word);
            let answers = self.database.row(self.game, &word, self.max_pile)?;
            self.push_row(&mut lines, &word, 1, &answers)?;
            self.control.advance(n);
        }
        Ok(lines.flush()?)
    }

    fn csv_tile(&self, middle: &[Pile], out: &mut Out) -> anyhow::Result<()> {
        let lines = u64::from(self.max_pile).pow(2);
        let bytes = text_bytes(lines, self.bytes_a_line(Listing::Words))?;
        self.stream(out, Size { values: lines, bytes, exact: false, seconds: 0.0 }, |to| {
            let mut lines = Lines { text: self.header().into_bytes(), to };
            let tile = self.tile(middle)?;
            for (a, row) in (tile.first()..).zip(tile.rows()) {
                self.push_row(&mut lines, &[&[a], middle].concat(), tile.first(), row)?;
            }
            Ok(lines.flush()?)
        })
    }

    /// Writes the positions of unordered piles in the order of words, without excluded positions.
    fn csv_words(
        &self,
        rows: &dyn grundy::tables::Rows,
        lines: &mut Lines<'_>,
    ) -> anyhow::Result<()> {
        let Some(table) = self.table else { return Ok(()) };
        let (width, mut cells) = (rows.shape().width, Vec::new());
        self.each_slab(rows, self.slab(rows), |_, made| {
            grundy::tables::read_cells(width, made, &mut cells);
            Ok(())
        })?;
        let mut word = vec![1; self.length];
        let remembers = self.game.remembers() == Remembers::LastMove;
        while !self.control.is_stopped() {
            for taken in 0..=if remembers { table.largest_last_move() } else { 0 } {
                let memory = self.memory(taken);
                let position = self.game.position_with(&word, &memory);
                let kept = table.number(&position).filter(|&at| table.position(at).is_some());
                let Some(&cell) = kept.and_then(|at| cells.get(at as usize)) else { continue };
                self.push_position(&mut lines.text, &word, &memory);
                self.push_cell(&mut lines.text, cell);
                lines.end()?;
            }
            if !next_word(&mut word, self.max_pile, !self.wanted.all_orders) {
                break;
            }
        }
        Ok(())
    }

    /// Writes every position, in the order of the table.
    fn csv_numbers(
        &self,
        rows: &dyn grundy::tables::Rows,
        lines: &mut Lines<'_>,
    ) -> anyhow::Result<()> {
        let Some(table) = self.table else { return Ok(()) };
        let (width, mut cells) = (rows.shape().width, Vec::new());
        self.each_slab(rows, self.slab(rows).min(1 << 20), |first, made| {
            cells.clear();
            grundy::tables::read_cells(width, made, &mut cells);
            for (number, &cell) in (first..).zip(&cells) {
                let found = table.position(number).filter(|found| !found.piles().is_empty());
                let Some(position) = found else { continue };
                self.push_position(&mut lines.text, position.piles(), position.memory());
                self.push_cell(&mut lines.text, cell);
                lines.end()?;
            }
            Ok(())
        })
    }

    fn csv_records(&self, to: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(to, "n,g,exceptional_last_moves")?;
        let mut n = 0;
        let mut written = Ok(());
        self.database.each_record(self.game, self.max_pile, |g, remaining| {
            n += 1;
            self.control.advance(1);
            // All remaining piles are smaller than n, as `each_record` has checked.
            let moves: Vec<String> = remaining.iter().rev().map(|m| (n - m).to_string()).collect();
            written = writeln!(to, "{n},{g},{}", moves.join(" "));
            written.is_ok() && !self.control.is_stopped()
        })?;
        Ok(written?)
    }
}
