//! `grundy export`: writes values for other programs.
//!
//! The command first prints the number of values and bytes. It refuses an export that exceeds the
//! free disk space, the memory limit or the time limit. An output file gets its name only when it
//! is complete.

mod bfile;
mod csv;
mod latex;
mod npy;
#[cfg(feature = "parquet")]
mod parquet;

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use grundy::tables::{Listing, Rows, read_cells};
use grundy::{
    Bytes, Control, Database, Game, Memory, Number, Pile, Position, Remembers, Seconds, Table,
    Tile, convention_of, lex_word,
};
use grundy_builder::Publication;
use grundy_shard::publish::target;

use crate::args::{Common, Export, Format, size_option};
use crate::output::{Out, available_space, grouped, place, rate, tell};
use crate::plot::PictureFormat;
use crate::watch::{stop_on_interrupt, with_progress};
use crate::{End, picture};

/// Maximum bytes of an exported text. No program reads larger texts.
const MOST_TEXT: u64 = 1 << 40;

/// An export to standard output with at least this many bytes begins with a message of its size.
const LARGE: u64 = 1 << 24;

pub(crate) fn run(common: &Common, wanted: &Export, out: &mut Out) -> anyhow::Result<End> {
    let game = wanted.game.measured(common, wanted.within.seconds, wanted.remoteness)?;
    // The command line requires one of the two options.
    let max_pile = game.given_size(wanted.max_pile, wanted.max_total)?.unwrap_or(1);
    let middle = wanted.middle.as_deref();
    let middle = middle.map(|_| picture::part(game, "--middle", middle, 2)).transpose()?;
    let ends = middle.as_ref().map(|middle| middle.len() + 2);
    let usual = || game.stored_length(*game.lengths_near(2..=2).start());
    let length = wanted.length.or(ends).unwrap_or_else(usual);
    if let Some(ends) = ends
        && ends != length
    {
        bail!("--middle implies positions of {ends} piles, not {length}");
    }
    if max_pile == 0 {
        bail!("{} 0 has no positions: every pile has at least one coin", size_option(game));
    }
    check_options(game, wanted, length, max_pile)?;
    if let Some(path) = &wanted.output {
        let name = path.display();
        target(path).map_err(|error| {
            anyhow!(
                "cannot write {name}: {error} (-o names the file; without it the output goes to \
                 standard output)"
            )
        })?;
    }
    // Do not use theorems: an export must contain computed values.
    let database = common.open(wanted.within.seconds)?.without_theorems();
    // The table need not be stored. A sequence of single piles needs no table.
    let table = match wanted.format {
        Format::Bfile | Format::Latex if length == 1 => None,
        Format::Bfile if length == 2 && game.is_impartial() => None,
        _ if middle.is_some() => None,
        _ => Some(Table::new(game, max_pile, length)?),
    };
    let control = stop_on_interrupt()?;
    let job = ExportJob {
        common,
        wanted,
        database: &database,
        game,
        max_pile,
        length,
        middle: middle.as_deref(),
        table: table.as_ref(),
        control: &control,
    };
    let done = job.run(out);
    if control.is_stopped() {
        return Ok(End::Interrupted);
    }
    done?;
    Ok(End::Fine)
}

fn check_options(game: Game, wanted: &Export, length: usize, max_pile: Pile) -> anyhow::Result<()> {
    let square = matches!(wanted.format, Format::Latex | Format::Png | Format::Svg | Format::Pdf);
    let is_line = wanted.format == Format::Latex && length == 1;
    let has_sides = wanted.middle.is_some() || wanted.format == Format::Parquet || square;
    let is_sequence = is_line || wanted.format == Format::Bfile && length == 1;
    if game.is_within_total() && !is_sequence && (has_sides || wanted.format == Format::Bfile) {
        bail!(
            "tables of {game} hold positions with at most N coins, which {}; use csv or npy",
            match wanted.format {
                Format::Bfile => "are a sequence only for --length 1",
                _ => "do not fill a box of piles of at most N",
            }
        );
    }
    if length == 0 && wanted.all_orders {
        bail!("--all-orders needs a number of piles; add --length");
    }
    if square && !is_line && wanted.middle.is_none() && length != 2 {
        bail!(
            "a table or a picture has two piles, or a, w, b with --middle W{}",
            if length == 1 { "; `grundy plot` draws the values of single piles" } else { "" }
        );
    }
    if is_line && !game.is_impartial() {
        bail!("single piles of {game} have outcome classes, but no values for a table; use csv");
    }
    if wanted.middle.is_some() && wanted.format == Format::Bfile {
        bail!("a b-file contains all positions of its number of piles; leave out --middle");
    }
    let has_lines = matches!(wanted.format, Format::Csv | Format::Parquet);
    if wanted.all_orders && !(has_lines && game.is_unordered()) {
        bail!("--all-orders is for csv and parquet, and for games with unordered piles");
    }
    let is_array = wanted.format == Format::Bfile && length == 2 && game.is_impartial();
    if (wanted.no_empty || wanted.triangle) && !is_array {
        bail!("--no-empty and --triangle are for a b-file of the values of two piles");
    }
    if wanted.text && wanted.format != Format::Csv {
        bail!("--text is for csv");
    }
    if !(1..=4096).contains(&max_pile) && wanted.middle.is_some() {
        bail!("--max-pile {max_pile} is out of range; a tile has 1 to 4096 columns");
    }
    Ok(())
}

struct ExportJob<'a> {
    common: &'a Common,
    wanted: &'a Export,
    database: &'a Database,
    game: Game,
    /// The largest pile, or the largest total.
    max_pile: Pile,
    /// The number of piles; 0 for positions of every length.
    length: usize,
    middle: Option<&'a [Pile]>,
    table: Option<&'a Table>,
    control: &'a Control,
}

#[derive(Clone, Copy)]
struct Size {
    /// The number of values or lines.
    values: u64,
    /// The number of bytes, estimated unless `exact`.
    bytes: u64,
    exact: bool,
    seconds: f64,
}

impl ExportJob<'_> {
    fn run(&self, out: &mut Out) -> anyhow::Result<()> {
        self.common.start_threads()?;
        match self.wanted.format {
            Format::Npy => self.npy(out),
            Format::Csv | Format::Sage | Format::Pari | Format::Mathematica => self.csv(out),
            Format::Parquet => self.parquet(out),
            Format::Bfile => {
                let text = self.bfile()?;
                self.whole(out, &text)
            }
            Format::Latex => {
                let text = self.latex()?;
                self.whole(out, text.as_bytes())
            }
            Format::Png | Format::Svg | Format::Pdf => {
                let middle = self.middle.unwrap_or_default();
                let kind = match self.wanted.format {
                    Format::Svg => PictureFormat::Svg,
                    Format::Pdf => PictureFormat::Pdf,
                    _ => PictureFormat::Png,
                };
                let (game, n) = (self.game, self.max_pile);
                let picture = picture::tile(self.database, game, middle, n, false, None, kind)?;
                self.whole(out, &picture)
            }
        }
    }

    #[cfg(not(feature = "parquet"))]
    fn parquet(&self, _: &mut Out) -> anyhow::Result<()> {
        bail!(
            "this program was built without Parquet; build it with \
             `cargo build --release -p grundy-cli --features parquet`, or export npy or csv"
        )
    }

    fn rows<'a>(&'a self, table: &'a Table) -> anyhow::Result<Box<dyn Rows + 'a>> {
        let rows = self.database.rows(table, self.common.isa, self.control);
        if self.control.is_stopped() {
            bail!("interrupted before anything was written");
        }
        Ok(rows?)
    }

    fn listing(&self) -> Listing {
        self.table.map_or(Listing::Words, Listing::of)
    }

    /// Returns the number of rows to compute at a time. The rows take at most an eighth of the
    /// memory, and at most 256 MiB. If possible, the number is a multiple of `RowShape::together`.
    fn slab(&self, rows: &dyn Rows) -> u64 {
        let shape = rows.shape();
        let most = self.common.memory.share(8).bytes().clamp(1, 256 << 20)
            / shape.row_bytes().max(1) as u64;
        let most = most.max(1);
        let whole =
            if most > shape.together { most / shape.together * shape.together } else { most };
        whole.min(shape.rows)
    }

    /// Returns the estimated seconds to compute all rows, slab by slab. If all rows must be
    /// computed together, each slab computes all rows again.
    fn seconds(&self, rows: &dyn Rows) -> f64 {
        let shape = rows.shape();
        let again = if shape.together > 1 { shape.rows.div_ceil(self.slab(rows)) } else { 1 };
        shape.seconds * again as f64
    }

    /// Returns the options that make the output smaller.
    fn sizes(&self) -> &'static str {
        if self.game.is_within_total() { "--max-total" } else { "--max-pile or --length" }
    }

    /// Prints the size of the output. Refuses an output that is too large.
    fn announce(&self, size: Size) -> anyhow::Result<()> {
        let Size { values, bytes: expected, exact, seconds } = size;
        let about = if exact { "" } else { "about " };
        let convention = convention_of(self.game).map_or(String::new(), |it| format!(" ({it})"));
        let text = format!("{}, {about}{}{convention}", Number(values, "value"), Bytes(expected));
        if seconds > self.wanted.within.seconds {
            bail!(
                "this export would take about {} ({text}), but the limit is {}; choose a smaller \
                 {}, or raise --seconds",
                Seconds(seconds),
                Seconds(self.wanted.within.seconds),
                self.sizes()
            );
        }
        match &self.wanted.output {
            Some(path) => {
                if let Some(free) = available_space(&place(path)?)
                    && free < expected
                {
                    bail!(
                        "{} would have {text}, but only {} are free; choose a smaller {}, or \
                         another folder",
                        path.display(),
                        Bytes(free),
                        self.sizes()
                    );
                }
                // First check that the file can be created.
                let failed = || format!("cannot write {}", path.display());
                drop(Publication::create(path).with_context(failed)?);
                tell(format_args!("{}: {text}", path.display()));
            }
            None if expected >= LARGE => tell(format_args!("standard output: {text}")),
            None => {}
        }
        Ok(())
    }

    fn whole(&self, out: &mut Out, content: &[u8]) -> anyhow::Result<()> {
        match &self.wanted.output {
            Some(path) if !self.control.is_stopped() => {
                crate::output::save(path, content)?;
                tell(format_args!("wrote {}", path.display()));
                Ok(())
            }
            Some(_) => Ok(()),
            None => Ok(out.write_all(content)?),
        }
    }

    /// Writes each piece to the file or to standard output as soon as it is computed.
    fn stream(
        &self,
        out: &mut Out,
        size: Size,
        write: impl Fn(&mut dyn Write) -> anyhow::Result<()> + Send + Sync,
    ) -> anyhow::Result<()> {
        self.announce(size)?;
        let Some(path) = &self.wanted.output else {
            return match io::stdout().is_terminal() {
                true => write(out),
                false => with_progress(self.control, size.values, || write(out)),
            };
        };
        self.to_file(path, size.values, |mut file: &File| {
            let mut to = BufWriter::with_capacity(1 << 20, &mut file);
            write(&mut to)?;
            Ok(to.flush()?)
        })
    }

    /// Writes a file under a temporary name, and renames it when it is complete.
    fn to_file(
        &self,
        path: &Path,
        values: u64,
        write: impl FnOnce(&File) -> anyhow::Result<()> + Send,
    ) -> anyhow::Result<()> {
        let failed = || format!("cannot write {}", path.display());
        let publication = Publication::create(path).with_context(failed)?;
        let start = Instant::now();
        let written = with_progress(self.control, values, || write(publication.file()));
        if self.control.is_stopped() {
            return Ok(());
        }
        written.with_context(failed)?;
        publication.finish().with_context(failed)?;
        let seconds = start.elapsed().as_secs_f64();
        tell(format_args!(
            "complete: all {} in {}: {}",
            Number(values, "value"),
            Seconds(seconds),
            rate(values as f64, seconds)
        ));
        Ok(())
    }

    /// Calls `show` with w, the first b, and the cells of each row b -> G(w b). The words w come in
    /// lexicographic order. If `ascending` is true, skips words that are not ascending.
    fn each_row(
        &self,
        rows: &dyn Rows,
        ascending: bool,
        mut show: impl FnMut(&[Pile], Pile, &[u32]) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        let shape = rows.shape();
        let n = self.max_pile;
        let mut word = vec![1; self.length - 1];
        let mut cells = Vec::new();
        if ascending {
            let (control, mut made) = (Control::new(), Vec::new());
            loop {
                made.resize(shape.row_bytes(), 0);
                rows.fill(grundy::lex_index(&word, n.into()), &mut made, &control)?;
                cells.clear();
                read_cells(shape.width, &made, &mut cells);
                show(&word, word.last().copied().unwrap_or(1), &cells)?;
                self.control.advance(shape.cells as u64);
                if self.control.is_stopped() || !next_word(&mut word, n, true) {
                    return Ok(());
                }
            }
        }
        self.each_slab(rows, self.slab(rows), |first, made| {
            for (row, made) in (first..).zip(made.chunks_exact(shape.row_bytes())) {
                lex_word(row, n.into(), &mut word);
                cells.clear();
                read_cells(shape.width, made, &mut cells);
                show(&word, 1, &cells)?;
                if self.control.is_stopped() {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Computes `slab` rows at a time. Passes the first row's number and all bytes to `show`.
    fn each_slab(
        &self,
        rows: &dyn Rows,
        slab: u64,
        mut show: impl FnMut(u64, &[u8]) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        let (shape, mut made) = (rows.shape(), Vec::new());
        for first in (0..shape.rows).step_by(slab as usize) {
            made.resize(slab.min(shape.rows - first) as usize * shape.row_bytes(), 0);
            let filled = rows.fill(first, &mut made, self.control);
            if self.control.is_stopped() {
                break;
            }
            filled?;
            show(first, &made)?;
        }
        Ok(())
    }

    fn tile(&self, middle: &[Pile]) -> anyhow::Result<Tile> {
        Ok(self.database.tile(self.game, middle, self.max_pile)?)
    }
}

/// Advances to the next sequence of piles in lexicographic order. If `ascending` is true, skips
/// sequences that are not ascending. Returns false after the last sequence.
fn next_word(word: &mut [Pile], n: Pile, ascending: bool) -> bool {
    let Some(at) = word.iter().rposition(|&pile| pile < n) else { return false };
    word[at] += 1;
    let rest = if ascending { word[at] } else { 1 };
    word[at + 1..].fill(rest);
    true
}

/// Returns the columns of a position: p1, p2, ..., and the last move or the remaining moves.
pub(crate) fn columns_of(game: Game, length: usize) -> Vec<String> {
    let mut names: Vec<String> = (1..=length).map(|at| format!("p{at}")).collect();
    match game.remembers() {
        Remembers::Nothing => {}
        Remembers::Numbers => {
            let all = game.memories().into_iter().flat_map(grundy::Memories::all);
            names.extend(all.map(|of| match of.largest {
                Some(_) => of.name.to_string(),
                None => "k".to_owned(),
            }));
        }
        Remembers::Moves => names.push("moves".to_owned()),
    }
    names
}

/// Returns the cells of a position in the columns that `columns_of` names.
pub(crate) fn row_of(position: &Position, length: usize) -> Vec<String> {
    let mut row: Vec<String> = position.piles().iter().map(Pile::to_string).collect();
    row.resize(length.max(row.len()), String::new());
    match position.memory() {
        Memory::Nothing => {}
        memory @ Memory::Numbers(..) => {
            row.extend(memory.numbers().iter().map(|(_, number)| number.to_string()));
        }
        Memory::Available(moves) => {
            let moves: Vec<String> = moves.iter().map(|taken| taken.to_string()).collect();
            row.push(moves.join(" "));
        }
    }
    row
}

pub(crate) fn value_name(game: Game) -> &'static str {
    match (game.is_impartial(), game.misere_of().is_some()) {
        _ if game.remoteness_of().is_some() => "remoteness",
        (false, _) => "outcome",
        (true, false) => "g",
        (true, true) => "misere_g",
    }
}

fn push_number(out: &mut Vec<u8>, number: u64) {
    let start = out.len();
    let mut rest = number;
    loop {
        out.push(b'0' + (rest % 10) as u8);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out[start..].reverse();
}

/// Returns the bytes of a text; refuses a text that is too large. `sizes` names options.
fn text_bytes(lines: u64, bytes_a_line: u64, sizes: &str) -> anyhow::Result<u64> {
    match lines.checked_mul(bytes_a_line).filter(|&bytes| bytes <= MOST_TEXT) {
        Some(bytes) => Ok(bytes),
        None => bail!(
            "the output would have {} lines, too many to write; choose a smaller {sizes}, or npy",
            grouped(lines)
        ),
    }
}
