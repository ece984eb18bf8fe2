//! Lines of text with columns for the piles, for the last move or the remaining moves, and for the
//! value.
//!
//! ```text
//! p1,p2,p3,g              piles, value
//! p1,p2,k,g               with the last move
//! p1,p2,moves,g           with the moves that are left, as in 1 3 4
//! p1,p2,outcome           in a partizan game
//! position,g              with --text: the position as `grundy query` reads it, in quotes
//! n,g,exceptional_last_moves    single piles of a game with records
//! ```
//!
//! If positions of every length are listed, those with fewer piles leave the last columns empty.
//!
//! Sage, PARI/GP and Mathematica read the same lines as the entries of a dictionary ([`Dialect`]).

use std::io::{self, Write};

use anyhow::bail;
use grundy::shares::price;
use grundy::tables::{Listing, has_thresholds};
use grundy::{Answer, Memory, Outcome, Pile, Position, Remembers, lex_word};

use super::{ExportJob, Size, columns_of, next_word, push_number, text_bytes, value_name};
use crate::args::Format;
use crate::output::{Out, grouped};

const BLOCK: usize = 1 << 16;

/// The syntax of a dictionary: its beginning and end, the brackets of a tuple, and the separators.
#[derive(Clone, Copy)]
struct Dialect {
    open: &'static str,
    brackets: [u8; 2],
    arrow: &'static str,
    next: &'static str,
    close: &'static str,
}

/// Maximum number of entries of a dictionary. Other programs read a dictionary as one text.
const MOST_ENTRIES: u64 = 100_000;

impl Dialect {
    fn of(format: Format) -> Option<Dialect> {
        let of = |open, brackets: &[u8; 2], arrow, next, close| {
            Some(Dialect { open, brackets: *brackets, arrow, next, close })
        };
        match format {
            Format::Sage => of("{", b"()", ": ", ",\n", "}"),
            // PARI/GP reads each line as a whole statement, so all entries are in one line.
            Format::Pari => of("Map([", b"[]", ",", ";", "])"),
            Format::Mathematica => of("<|", b"{}", " -> ", ",\n", "|>"),
            _ => None,
        }
    }
}

struct Lines<'a> {
    text: Vec<u8>,
    to: &'a mut dyn Write,
    dialect: Option<Dialect>,
    count: u64,
}

impl Lines<'_> {
    /// Writes a position. `columns` appends its columns, each with a comma after it.
    fn position(&mut self, columns: impl FnOnce(&mut Vec<u8>)) {
        let Some(Dialect { brackets: [open, close], arrow, next, .. }) = self.dialect else {
            return columns(&mut self.text);
        };
        self.text.extend_from_slice(if self.count > 0 { next.as_bytes() } else { b"" });
        let start = self.text.len();
        columns(&mut self.text);
        self.text.pop();
        if self.text[start] != b'"' && self.text[start..].contains(&b',') {
            self.text.insert(start, open);
            self.text.push(close);
        }
        self.text.extend_from_slice(arrow.as_bytes());
    }

    fn value(&mut self, value: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        let start = self.text.len();
        value(&mut self.text);
        match self.dialect {
            None => self.text.push(b'\n'),
            Some(_) if self.text[start].is_ascii_alphabetic() => {
                self.text.insert(start, b'"');
                self.text.push(b'"');
            }
            Some(_) => {}
        }
        self.count += 1;
        if self.text.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    fn finish(mut self) -> anyhow::Result<()> {
        if let Some(dialect) = self.dialect {
            writeln!(self.text, "{}", dialect.close)?;
        }
        Ok(self.flush()?)
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
        // In a table by total, the multisets of a length are in order, too.
        let by_words = self.wanted.all_orders || !self.game.is_within_total();
        let excludes = self.game.excludes() && self.game.is_unordered() && by_words;
        let lines = match listing {
            Listing::Records => n,
            // The position without piles has no line.
            _ if self.length == 0 => table.positions() - 1,
            // If piles are ascending, or positions are numbered as in the table, there is one line
            // for each position of the table.
            _ if ascending || listing == Listing::Numbers && !excludes => table.positions(),
            Listing::LastMoves => {
                let words = n.saturating_pow(self.length as u32);
                words.saturating_mul(table.tile_cols() as u64)
            }
            _ => n.saturating_pow(self.length as u32),
        };
        self.check_entries(lines)?;
        let bytes = text_bytes(lines, self.bytes_a_line(listing), self.sizes())?;
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
            let mut lines = self.lines(self.header(), to);
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
                            lines.position(|text| {
                                self.push_position(text, &word, &self.game.memory(k));
                            });
                            lines.value(|text| self.push_cell(text, cell))?;
                        }
                    }
                    Ok(())
                })?;
            }
            lines.finish()
        })
    }

    fn check_entries(&self, lines: u64) -> anyhow::Result<()> {
        if Dialect::of(self.wanted.format).is_some() && lines > MOST_ENTRIES {
            bail!(
                "a dictionary has up to {} entries, and this one would have {}; choose a smaller \
                 {}, or csv or npy",
                grouped(MOST_ENTRIES),
                grouped(lines),
                self.sizes()
            );
        }
        Ok(())
    }

    fn lines<'a>(&self, header: String, to: &'a mut dyn Write) -> Lines<'a> {
        let dialect = Dialect::of(self.wanted.format);
        let open = dialect.map_or(header, |dialect| dialect.open.to_owned());
        Lines { text: open.into_bytes(), to, dialect, count: 0 }
    }

    /// Returns true if a position is one column of text.
    fn as_text(&self) -> bool {
        let in_key = Dialect::of(self.wanted.format).is_some();
        // Keys of different lengths would have different types.
        let has_text = self.game.remembers() == Remembers::Moves || self.length == 0;
        self.wanted.text || in_key && has_text
    }

    /// Returns the number of columns of piles.
    fn longest(&self) -> usize {
        if self.length == 0 { self.max_pile as usize } else { self.length }
    }

    fn header(&self) -> String {
        if self.as_text() {
            return format!("position,{}\n", value_name(self.game));
        }
        format!("{},{}\n", columns_of(self.game, self.longest()).join(","), value_name(self.game))
    }

    fn bytes_a_line(&self, listing: Listing) -> u64 {
        let digits = u64::from(self.max_pile.ilog10()) + 2;
        let more = match listing {
            Listing::Words => 0,
            Listing::LastMoves => digits,
            Listing::Numbers => 3 * u64::from(self.max_pile) / 2,
            Listing::Records => 8 * digits,
        };
        self.longest() as u64 * digits + digits + more
    }

    /// Appends the columns of a position, without its value.
    fn push_position(&self, text: &mut Vec<u8>, piles: &[Pile], memory: &Memory) {
        if self.as_text() {
            let position = Position::written(piles, memory);
            text.extend_from_slice(format!("\"{position}\",").as_bytes());
            return;
        }
        let mut push = |number: Pile, end| {
            push_number(text, number.into());
            text.push(end);
        };
        piles.iter().for_each(|&pile| push(pile, b','));
        text.extend(std::iter::repeat_n(b',', self.longest() - piles.len()));
        let mut push = |number: Pile, end| {
            push_number(text, number.into());
            text.push(end);
        };
        match memory {
            Memory::Nothing => {}
            Memory::Numbers(state, of) => of.values(*state).for_each(|number| push(number, b',')),
            Memory::Available(moves) => {
                moves.iter().for_each(|taken| push(taken, b' '));
                text.pop_if(|last| *last == b' ');
                text.push(b',');
            }
        }
    }

    /// Writes a line for each answer of a row. In the first line the last pile is `least`.
    fn push_row(
        &self,
        lines: &mut Lines<'_>,
        word: &[Pile],
        least: Pile,
        row: &[Option<Answer>],
    ) -> io::Result<()> {
        for (b, answer) in (least..).zip(row) {
            let Some(answer) = answer else { continue };
            let piles = [word, &[b]].concat();
            lines.position(|text| self.push_position(text, &piles, &self.game.memory(0)));
            lines.value(|text| text.extend_from_slice(answer.to_string().as_bytes()))?;
        }
        Ok(())
    }

    fn push_cell(&self, text: &mut Vec<u8>, cell: u32) {
        match Outcome::ALL.get(cell as usize).filter(|_| !self.game.is_impartial()) {
            Some(class) => text.extend_from_slice(class.to_string().as_bytes()),
            None => push_number(text, cell.into()),
        }
    }

    fn csv_by_rows(&self, to: &mut dyn Write) -> anyhow::Result<()> {
        let mut lines = self.lines(self.header(), to);
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
        lines.finish()
    }

    fn csv_tile(&self, middle: &[Pile], out: &mut Out) -> anyhow::Result<()> {
        let lines = u64::from(self.max_pile).pow(2);
        self.check_entries(lines)?;
        let bytes = text_bytes(lines, self.bytes_a_line(Listing::Words), self.sizes())?;
        self.stream(out, Size { values: lines, bytes, exact: false, seconds: 0.0 }, |to| {
            let mut lines = self.lines(self.header(), to);
            let tile = self.tile(middle)?;
            for (a, row) in (tile.first()..).zip(tile.rows()) {
                self.push_row(&mut lines, &[&[a], middle].concat(), tile.first(), row)?;
            }
            lines.finish()
        })
    }

    /// Writes sorted positions: each multiset once, or in all orders. Omits excluded positions.
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
        let remembers = self.game.memories().is_some();
        while !self.control.is_stopped() {
            for state in 0..=if remembers { table.largest_state() } else { 0 } {
                let memory = self.game.memory(state);
                let position = self.game.position_with(&word, &memory);
                let kept = table.number(&position).filter(|&at| table.position(at).is_some());
                let Some(&cell) = kept.and_then(|at| cells.get(at as usize)) else { continue };
                lines.position(|text| self.push_position(text, &word, &memory));
                lines.value(|text| self.push_cell(text, cell))?;
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
                let (piles, memory) = (position.piles(), position.memory());
                lines.position(|text| self.push_position(text, piles, memory));
                lines.value(|text| self.push_cell(text, cell))?;
            }
            Ok(())
        })
    }

    fn csv_records(&self, to: &mut dyn Write) -> anyhow::Result<()> {
        let mut lines = self.lines("n,g,exceptional_last_moves\n".to_owned(), to);
        let mut n = 0;
        let mut written = Ok(());
        self.database.each_record(self.game, self.max_pile, |g, remaining| {
            n += 1;
            self.control.advance(1);
            // `each_record` has checked that all remaining piles are smaller than n.
            let moves: Vec<String> = remaining.iter().rev().map(|m| (n - m).to_string()).collect();
            lines.position(|text| text.extend_from_slice(format!("{n},").as_bytes()));
            let dialect = lines.dialect;
            written = lines.value(|text| {
                push_number(text, u64::from(g));
                if dialect.is_none() {
                    text.extend_from_slice(format!(",{}", moves.join(" ")).as_bytes());
                }
            });
            written.is_ok() && !self.control.is_stopped()
        })?;
        written?;
        lines.finish()
    }
}
