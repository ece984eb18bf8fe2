//! `grundy export`: values for other programs.

use std::io::{self, BufWriter, Write};

use anyhow::bail;
use grundy_query::{Answer, Database, Listing};
use grundy_rules::{Game, Pile, Position, Table, lex_word};
use grundy_solvers::solver;
use grundy_sweep::Control;

use crate::End;
use crate::args::{Common, Export, Format};
use crate::output::{Out, grouped, save};
use crate::picture;
use crate::watch::{stop_on_interrupt, with_progress};

/// Values beyond which an export is refused: a text of gigabytes.
const MOST_VALUES: u64 = 1 << 32;

/// Bytes of a value in an array, and of a line of text, about.
const ARRAY_BYTES: u64 = 4;
const LINE_BYTES: u64 = 24;

pub(crate) fn run(common: &Common, wanted: &Export, out: &mut Out) -> anyhow::Result<End> {
    let game: Game = wanted.game.parse()?;
    let middle = picture::middle(game, wanted.middle.as_deref())?;
    if wanted.middle.is_some() && !matches!(wanted.format, Format::Latex | Format::Png) {
        bail!("--middle is for latex and png; for the others say --length");
    }
    let length = wanted.length.unwrap_or(middle.len() + 2);
    if wanted.max_pile == 0 {
        bail!("--max-pile 0 has no positions: every pile has at least one coin");
    }
    if wanted.middle.is_some() && length != middle.len() + 2 {
        bail!("--middle makes positions of {} piles, not {length}", middle.len() + 2);
    }
    let database = common.open(f64::INFINITY)?;
    // Whether there is such a table, stored or not. A sequence needs none.
    let table = match wanted.format {
        Format::Bfile => None,
        _ => Some(Table::new(game, wanted.max_pile, length)?),
    };
    let max_pile = wanted.max_pile;
    let source = Source { database: &database, game, max_pile, length, table: table.as_ref() };
    let control = stop_on_interrupt()?;
    let write = |to: &mut dyn Write| -> anyhow::Result<()> {
        let mut to = BufWriter::with_capacity(1 << 16, to);
        match wanted.format {
            Format::Csv => source.csv(&control, &mut to)?,
            Format::Npy => source.npy(&control, &mut to)?,
            Format::Bfile => source.bfile(&control, &mut to)?,
            Format::Latex => source.latex(&middle, &mut to)?,
            Format::Png => {
                check_square(length, &middle)?;
                let picture = picture::tile(&database, game, &middle, wanted.max_pile, false)?;
                to.write_all(&picture)?;
            }
        }
        Ok(to.flush()?)
    };
    let values = match wanted.format {
        Format::Latex | Format::Png => u64::from(max_pile).pow(2),
        _ => source.values(),
    };
    if values > MOST_VALUES {
        bail!(
            "positions of {length} piles of up to {max_pile} coins are {} values, too many to write \
             out; choose a smaller max pile or length, or read the shards (docs/FORMAT.md)",
            grouped(values)
        );
    }
    match &wanted.output {
        Some(path) => {
            // A file is made whole before it gets its name.
            let needed = values.saturating_mul(match wanted.format {
                Format::Npy => ARRAY_BYTES,
                _ => LINE_BYTES,
            });
            if needed > common.memory {
                bail!(
                    "the file would take about {} MiB of memory and the limit is {} MiB; choose a \
                     smaller max pile or length, raise --memory, or write to standard output",
                    needed >> 20,
                    common.memory >> 20
                );
            }
            let mut bytes = Vec::new();
            with_progress(&control, source.count(), || write(&mut bytes))?;
            if !control.is_stopped() {
                save(path, &bytes)?;
            }
        }
        None => write(out)?,
    }
    Ok(if control.is_stopped() { End::Interrupted } else { End::Fine })
}

/// Refuses what has no rows and columns.
fn check_square(length: usize, middle: &[Pile]) -> anyhow::Result<()> {
    if middle.len() + 2 == length {
        return Ok(());
    }
    bail!("a table or a picture has two piles, or a, w, b with --middle W")
}

/// All positions up to a size.
struct Source<'a> {
    database: &'a Database,
    game: Game,
    max_pile: Pile,
    length: usize,
    table: Option<&'a Table>,
}

impl Source<'_> {
    /// In which shape they are listed.
    fn listing(&self) -> Listing {
        self.table.map_or(Listing::Words, |table| solver(self.game).listing(table))
    }

    /// The number of words of piles, or of positions in the order of the table.
    fn count(&self) -> u64 {
        match self.table {
            Some(table) if self.listing() == Listing::Numbers => table.positions(),
            _ => u64::from(self.max_pile).saturating_pow(self.length as u32),
        }
    }

    /// Lines of a text, or numbers of an array, about.
    fn values(&self) -> u64 {
        match self.table.map(|table| (table, solver(self.game).listing(table))) {
            // A line of a record has all last moves.
            Some((table, Listing::Records)) => u64::from(table.max_pile()),
            Some((table, _)) => table.positions(),
            None => self.count(),
        }
    }

    /// What is known of some piles at the beginning of play.
    fn answer(&self, piles: &[Pile]) -> anyhow::Result<Answer> {
        Ok(self.database.answer(self.game, &self.game.position(piles))?)
    }

    /// The positions of some piles: one, or one for each last move.
    fn positions(&self, piles: &[Pile]) -> Vec<Position> {
        match self.listing() {
            Listing::LastMoves => (0..=self.max_pile)
                .map(|last_move| Position::after(piles.to_vec(), last_move))
                .collect(),
            _ => vec![self.game.position(piles)],
        }
    }

    /// Shows every word of piles in lexicographic order, or every ascending one.
    fn each(
        &self,
        control: &Control,
        ascending: bool,
        mut show: impl FnMut(&[Pile]) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut piles = vec![0; self.length];
        for number in 0..self.count() {
            if is_stopped(control, number) {
                return Ok(());
            }
            lex_word(number, u64::from(self.max_pile), &mut piles);
            if !ascending || piles.is_sorted() {
                show(&piles)?;
            }
        }
        Ok(())
    }

    /// Shows every position with piles and its value in the order of the table, and 0 for the
    /// numbers before the first that has piles.
    fn each_number(
        &self,
        control: &Control,
        table: &Table,
        mut show: impl FnMut(Option<&Position>, u64) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        for number in 0..numbers(table) {
            if is_stopped(control, number) {
                return Ok(());
            }
            let position = table.position(number).filter(|found| !found.piles().is_empty());
            let value = match &position {
                Some(position) => self.database.answer(self.game, position)?.number(),
                None => 0,
            };
            show(position.as_ref(), value)?;
        }
        Ok(())
    }

    fn csv(&self, control: &Control, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.listing() == Listing::Records {
            return self.records(control, out);
        }
        let what = if self.game.is_impartial() { "grundy" } else { "outcome" };
        // The text of a position needs quotes and nothing else. It has them always, also where
        // there is no comma in it, so that the column is one of texts for whoever reads it.
        writeln!(out, "position,{what}")?;
        if let (Listing::Numbers, Some(table)) = (self.listing(), self.table) {
            return self.each_number(control, table, |position, value| match position {
                Some(position) => writeln!(out, "\"{position}\",{value}"),
                None => Ok(()),
            });
        }
        self.each(control, self.game.is_unordered(), |piles| {
            for position in self.positions(piles) {
                let answer = self.database.answer(self.game, &position)?;
                writeln!(out, "\"{position}\",{answer}")?;
            }
            Ok(())
        })
    }

    /// n, g(n), and the exceptional last moves.
    fn records(&self, control: &Control, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "n,g,exceptional_last_moves")?;
        let mut n = 0;
        let mut written = Ok(());
        self.database.each_record(self.game, self.max_pile, |g, remaining| {
            n += 1;
            control.advance(1);
            // What remains is less than n, or `each_record` had not shown it.
            let moves: Vec<String> = remaining.iter().rev().map(|m| (n - m).to_string()).collect();
            written = writeln!(out, "{n},{g},{}", moves.join(" "));
            written.is_ok() && !control.is_stopped()
        })?;
        Ok(written?)
    }

    /// The values as an array, format version 1.0 of NumPy's npy: little-endian numbers of two
    /// bytes, or four for records, in C order.
    fn npy(&self, control: &Control, out: &mut dyn Write) -> anyhow::Result<()> {
        let listing = self.listing();
        let mut shape = vec![u64::from(self.max_pile); self.length];
        match (listing, self.table) {
            // One axis, of the numbers of the positions.
            (Listing::Numbers, Some(table)) => shape = vec![numbers(table)],
            (Listing::LastMoves, _) => shape.push(u64::from(self.max_pile) + 1),
            _ => {}
        }
        let axes: String = shape.iter().map(|size| format!("{size}, ")).collect();
        let kind = if listing == Listing::Records { "<u4" } else { "<u2" };
        let mut header =
            format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({axes}), }}");
        // Magic, version and length are 10 bytes; with the header and its line end a multiple
        // of 64.
        let padding = 63 - (10 + header.len()) % 64;
        header.extend(std::iter::repeat_n(' ', padding));
        header.push('\n');
        out.write_all(b"\x93NUMPY\x01\x00")?;
        out.write_all(&(header.len() as u16).to_le_bytes())?;
        out.write_all(header.as_bytes())?;
        if listing == Listing::Records {
            let mut written = Ok(());
            self.database.each_record(self.game, self.max_pile, |g, _| {
                control.advance(1);
                written = out.write_all(&g.to_le_bytes());
                written.is_ok() && !control.is_stopped()
            })?;
            return Ok(written?);
        }
        if let (Listing::Numbers, Some(table)) = (listing, self.table) {
            return self.each_number(control, table, |_, value| {
                let value = u16::try_from(value).map_err(io::Error::other)?;
                out.write_all(&value.to_le_bytes())
            });
        }
        self.each(control, false, |piles| {
            for position in self.positions(piles) {
                let number = self.database.answer(self.game, &position)?.number();
                out.write_all(&u16::try_from(number)?.to_le_bytes())?;
            }
            Ok(())
        })
    }

    /// A b-file: n and a(n), a line each.
    fn bfile(&self, control: &Control, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut n = 0;
        match self.length {
            1 if solver(self.game).records().is_some() => {
                let mut written = writeln!(out, "0 0");
                self.database.each_record(self.game, self.max_pile, |g, _| {
                    n += 1;
                    written = writeln!(out, "{n} {g}");
                    written.is_ok() && !control.is_stopped()
                })?;
                written?;
            }
            1 => {
                // The last one first: it says whether the others can be had.
                self.answer(&[self.max_pile])?;
                for pile in (1..=self.max_pile).take_while(|_| !control.is_stopped()) {
                    writeln!(out, "{pile} {}", self.answer(&[pile])?.number())?;
                }
            }
            2 => {
                self.answer(&[self.max_pile.div_ceil(2); 2])?;
                // T(1,1); T(1,2), T(2,1); ...
                for sum in 2..=self.max_pile + 1 {
                    for a in 1..sum {
                        if is_stopped(control, n) {
                            return Ok(());
                        }
                        n += 1;
                        writeln!(out, "{n} {}", self.answer(&[a, sum - a])?.number())?;
                    }
                }
            }
            length => bail!(
                "a b-file is a sequence, and positions of {length} piles are none; --length 1 or 2"
            ),
        }
        Ok(())
    }

    fn latex(&self, middle: &[Pile], out: &mut dyn Write) -> anyhow::Result<()> {
        check_square(self.length, middle)?;
        if self.max_pile > 64 {
            bail!("a table in LaTeX has at most 64 columns; choose a smaller --max-pile");
        }
        let n = self.max_pile;
        let between: Vec<String> = middle.iter().map(Pile::to_string).collect();
        // All of it is known before anything is written.
        let answers = self.database.tile(self.game, middle, n)?;
        let corner = match &between[..] {
            [] => "$a\\backslash b$".to_owned(),
            piles => format!("$a,{},b$", piles.join(",")),
        };
        writeln!(out, "% {}, piles up to {n}", self.game)?;
        writeln!(out, "\\begin{{tabular}}{{r|{}}}", "r".repeat(n as usize))?;
        let columns: Vec<String> = (1..=n).map(|b| b.to_string()).collect();
        writeln!(out, "{corner} & {} \\\\", columns.join(" & "))?;
        writeln!(out, "\\hline")?;
        for (a, answers) in (1..=n).zip(answers.chunks(n as usize)) {
            let row = std::iter::once(a.to_string()).chain(answers.iter().map(Answer::to_string));
            writeln!(out, "{} \\\\", row.collect::<Vec<_>>().join(" & "))?;
        }
        writeln!(out, "\\end{{tabular}}")?;
        Ok(())
    }
}

/// The numbers of a table that are listed: those of positions, and the few before them that
/// none has.
fn numbers(table: &Table) -> u64 {
    table.values().min(table.positions() + 2)
}

/// Counts now and then, and says whether to stop.
fn is_stopped(control: &Control, number: u64) -> bool {
    if number.is_multiple_of(4096) {
        control.advance(4096);
        return control.is_stopped();
    }
    false
}
