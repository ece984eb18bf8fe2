//! `grundy export`: values for other programs.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, bail};
use grundy_builder::publish;
use grundy_query::Database;
use grundy_rules::table::position_of_number;
use grundy_rules::{Game, Layout, Pile, Position, Table, lex_word};
use grundy_sweep::Control;

use crate::Outcome;
use crate::args::{Common, Export, Format};
use crate::commands::plot;
use crate::output::{Out, grouped};
use crate::watch::{stop_on_interrupt, with_progress};

/// Values beyond which an export is refused: a text of gigabytes.
const MOST_VALUES: u64 = 1 << 32;

pub(crate) fn run(common: &Common, wanted: &Export, out: &mut Out) -> anyhow::Result<Outcome> {
    let game: Game = wanted.game.parse()?;
    let middle = plot::middle(game, wanted.middle.as_deref())?;
    if wanted.middle.is_some() && !matches!(wanted.format, Format::Latex | Format::Png) {
        bail!("--middle is for latex and png; for the others say --length");
    }
    let length = wanted.length.unwrap_or(middle.len() + 2);
    if wanted.middle.is_some() && length != middle.len() + 2 {
        bail!("--middle makes positions of {} piles, not {length}", middle.len() + 2);
    }
    let database = common.open(f64::INFINITY)?;
    let source = Source { database: &database, game, max_pile: wanted.max_pile, length };
    // Whether there is such a table, stored or not. A sequence needs none.
    let table = match wanted.format {
        Format::Bfile => None,
        _ => Some(Table::new(game, wanted.max_pile, length)?),
    };
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
                let picture = plot::tile(&database, game, &middle, wanted.max_pile, false)?;
                to.write_all(&picture)?;
            }
        }
        Ok(to.flush()?)
    };
    // Of one pile of short global nim a line has all last moves.
    let values = |table: &Table| match table.layout() {
        Layout::Heaps { .. } => u64::from(table.max_pile()),
        _ => table.positions(),
    };
    if let Some(table) = table.filter(|table| values(table) > MOST_VALUES) {
        bail!(
            "{table} has {} positions, too many to write out; choose a smaller max pile or length, \
             or read the shards (docs/FORMAT.md)",
            grouped(table.positions())
        );
    }
    match &wanted.output {
        Some(path) => {
            let mut bytes = Vec::new();
            with_progress(&control, source.count(), || write(&mut bytes))?;
            if !control.is_stopped() {
                save(path, &bytes)?;
            }
        }
        None => write(out)?,
    }
    Ok(if control.is_stopped() { Outcome::Interrupted } else { Outcome::Fine })
}

/// Puts a file in its place, whole or not at all.
pub(crate) fn save(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    publish(path, bytes).with_context(|| format!("cannot write {}", path.display()))
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
}

impl Source<'_> {
    /// The number of words of piles, or of positions with every set of moves.
    fn count(&self) -> u64 {
        match Table::new(self.game, self.max_pile, self.length) {
            Ok(table) if self.game == Game::LongGlobalNim => table.positions(),
            _ => u64::from(self.max_pile).saturating_pow(self.length as u32),
        }
    }

    /// The position of some piles with nothing to remember.
    fn position(&self, piles: &[Pile], last_move: Pile) -> anyhow::Result<Position> {
        let mut piles = piles.to_vec();
        if self.game.is_unordered() {
            piles.sort_unstable();
        }
        Ok(match self.game {
            Game::ShortGlobalNim => Position::after(piles, last_move)?,
            _ => Position::new(piles)?,
        })
    }

    fn value(&self, piles: &[Pile], last_move: Pile) -> anyhow::Result<u32> {
        let position = self.position(piles, last_move)?;
        if self.game == Game::PartizanEndNim {
            return Ok(self.database.thresholds(&position)?.left.try_into()?);
        }
        Ok(self.database.value(self.game, &position)?.value)
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
            if number % 4096 == 0 {
                control.advance(4096);
                if control.is_stopped() {
                    return Ok(());
                }
            }
            lex_word(number, u64::from(self.max_pile), &mut piles);
            if !ascending || piles.is_sorted() {
                show(&piles)?;
            }
        }
        Ok(())
    }

    fn csv(&self, control: &Control, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.game == Game::ShortGlobalNim && self.length == 1 {
            return self.records(control, out);
        }
        if self.game == Game::LongGlobalNim {
            writeln!(out, "position,grundy")?;
            return self.each_set(control, |position, value| {
                position.map_or(Ok(()), |position| writeln!(out, "\"{position}\",{value}"))
            });
        }
        let header = match self.game {
            Game::PartizanEndNim => "position,outcome",
            _ => "position,grundy",
        };
        writeln!(out, "{header}")?;
        let last_moves = match self.game {
            Game::ShortGlobalNim => 0..=self.max_pile,
            _ => 0..=0,
        };
        self.each(control, self.game.is_unordered(), |piles| {
            for last_move in last_moves.clone() {
                let position = self.position(piles, last_move)?;
                if self.game == Game::PartizanEndNim {
                    let outcome = self.database.thresholds(&position)?.outcome();
                    writeln!(out, "\"{position}\",{outcome}")?;
                } else {
                    let value = self.database.value(self.game, &position)?.value;
                    writeln!(out, "\"{position}\",{value}")?;
                }
            }
            Ok(())
        })
    }

    /// Shows every position of long global nim and its value in the order of the table; of one
    /// pile by number, where the numbers 0 and 1 are no position of it and have the value 0.
    fn each_set(
        &self,
        control: &Control,
        mut show: impl FnMut(Option<&Position>, u32) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        let table = Table::new(self.game, self.max_pile, self.length)?;
        let one_pile = matches!(table.layout(), Layout::Sets);
        let numbers = if one_pile { table.positions() + 2 } else { table.cells() };
        for number in 0..numbers {
            if number % 4096 == 0 {
                control.advance(4096);
                if control.is_stopped() {
                    return Ok(());
                }
            }
            let position = match one_pile {
                true => position_of_number(number).filter(|_| number > 1),
                false => table.position_at(number),
            };
            let value = match &position {
                Some(position) => self.database.value(self.game, position)?.value,
                None => 0,
            };
            show(position.as_ref(), value)?;
        }
        Ok(())
    }

    /// n, g(n), and the exceptional last moves.
    fn records(&self, control: &Control, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "n,g,exceptional_last_moves")?;
        let mut n = 0;
        self.database.each_record(self.max_pile, |g, left| {
            n += 1;
            control.advance(1);
            // What is left is less than n, or `each_record` had not shown it.
            let moves: Vec<String> = left.iter().rev().map(|m| (n - m).to_string()).collect();
            writeln!(out, "{n},{g},{}", moves.join(" ")).is_ok() && !control.is_stopped()
        })?;
        Ok(())
    }

    /// The values as an array, format version 1.0 of NumPy's npy: little-endian numbers of two
    /// bytes, or four for one pile of short global nim, in C order.
    fn npy(&self, control: &Control, out: &mut dyn Write) -> anyhow::Result<()> {
        let heaps = self.game == Game::ShortGlobalNim && self.length == 1;
        let mut shape = vec![u64::from(self.max_pile); self.length];
        if self.game == Game::LongGlobalNim {
            // One axis, of the numbers of the positions.
            let table = Table::new(self.game, self.max_pile, self.length)?;
            shape = match table.layout() {
                Layout::Sets => vec![table.positions() + 2],
                _ => vec![table.cells()],
            };
        }
        let last_moves = match self.game {
            Game::ShortGlobalNim if !heaps => {
                shape.push(u64::from(self.max_pile) + 1);
                0..=self.max_pile
            }
            _ => 0..=0,
        };
        let axes: String = shape.iter().map(|size| format!("{size}, ")).collect();
        let kind = if heaps { "<u4" } else { "<u2" };
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
        if heaps {
            let mut written = Ok(());
            self.database.each_record(self.max_pile, |g, _| {
                control.advance(1);
                written = out.write_all(&g.to_le_bytes());
                written.is_ok() && !control.is_stopped()
            })?;
            return Ok(written?);
        }
        if self.game == Game::LongGlobalNim {
            return self.each_set(control, |_, value| out.write_all(&(value as u16).to_le_bytes()));
        }
        self.each(control, false, |piles| {
            for last_move in last_moves.clone() {
                let value = u16::try_from(self.value(piles, last_move)?)?;
                out.write_all(&value.to_le_bytes())?;
            }
            Ok(())
        })
    }

    /// A b-file: n and a(n), a line each.
    fn bfile(&self, control: &Control, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut n = 0;
        match (self.length, self.game) {
            (1, Game::ShortGlobalNim) => {
                let mut written = writeln!(out, "0 0");
                self.database.each_record(self.max_pile, |g, _| {
                    n += 1;
                    written = writeln!(out, "{n} {g}");
                    written.is_ok() && !control.is_stopped()
                })?;
                written?;
            }
            (1, _) => {
                for pile in (1..=self.max_pile).take_while(|_| !control.is_stopped()) {
                    writeln!(out, "{pile} {}", self.value(&[pile], 0)?)?;
                }
            }
            (2, _) => {
                // T(1,1); T(1,2), T(2,1); ...
                for sum in 2..=self.max_pile + 1 {
                    for a in 1..sum {
                        n += 1;
                        writeln!(out, "{n} {}", self.value(&[a, sum - a], 0)?)?;
                    }
                }
            }
            (length, _) => bail!(
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
        let corner = match &between[..] {
            [] => "$a\\backslash b$".to_owned(),
            piles => format!("$a,{},b$", piles.join(",")),
        };
        writeln!(out, "% {}, piles up to {n}", self.game)?;
        writeln!(out, "\\begin{{tabular}}{{r|{}}}", "r".repeat(n as usize))?;
        let columns: Vec<String> = (1..=n).map(|b| b.to_string()).collect();
        writeln!(out, "{corner} & {} \\\\", columns.join(" & "))?;
        writeln!(out, "\\hline")?;
        for a in 1..=n {
            let mut row = vec![a.to_string()];
            for b in 1..=n {
                let piles = [&[a], middle, &[b]].concat();
                row.push(match self.game {
                    Game::PartizanEndNim => {
                        let position = self.position(&piles, 0)?;
                        self.database.thresholds(&position)?.outcome().to_string()
                    }
                    _ => self.value(&piles, 0)?.to_string(),
                });
            }
            writeln!(out, "{} \\\\", row.join(" & "))?;
        }
        writeln!(out, "\\end{{tabular}}")?;
        Ok(())
    }
}
