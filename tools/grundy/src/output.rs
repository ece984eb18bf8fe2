//! Writes results to a buffered standard output, and formats numbers for people to read.

use std::fmt::{Display, Write as _};
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
pub(crate) use grundy::grouped;
use grundy::law::is_plain;
use grundy::{Number, Table, convention_of};
use grundy_builder::publish;
use grundy_shard::publish::target;
use serde::Serialize;
use serde_json::{Value, json};

pub(crate) struct Out {
    writer: BufWriter<Stdout>,
    json: bool,
}

/// Standard output. Its error messages name it as `standard output`.
struct Stdout(StdoutLock<'static>);

pub(crate) fn to_stdout(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write to standard output: {error}"))
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(to_stdout)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(to_stdout)
    }
}

impl Out {
    pub(crate) fn new(json: bool) -> Out {
        Out { writer: BufWriter::with_capacity(1 << 16, Stdout(io::stdout().lock())), json }
    }

    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    pub(crate) fn line(&mut self, text: impl std::fmt::Display) -> io::Result<()> {
        writeln!(self.writer, "{text}")
    }

    pub(crate) fn table(&mut self, rows: &[Vec<String>]) -> io::Result<()> {
        columns(rows).iter().try_for_each(|line| self.line(line))
    }

    pub(crate) fn object(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.writer, value)?;
        writeln!(self.writer)
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Returns the path of the file to write: the target, if `path` is a link.
pub(crate) fn place(path: &Path) -> anyhow::Result<PathBuf> {
    target(path).with_context(|| format!("cannot write {}", path.display()))
}

pub(crate) fn save(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    publish(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Returns a JSON object with the common fields of a table and the fields in `more`.
pub(crate) fn describe(table: &Table, more: Value) -> Value {
    let mut object = json!({
        "table": table.to_string(),
        "game": table.game().id(),
        "max_pile": table.max_pile(),
        "length": table.length(),
        "positions": table.positions(),
        "values": table.values(),
    });
    if let Some(convention) = convention_of(table.game()) {
        object["convention"] = convention.into();
    }
    if let (Some(all), Value::Object(more)) = (object.as_object_mut(), more) {
        all.extend(more);
    }
    object
}

/// Returns numbers in one line, with commas.
pub(crate) fn in_line(numbers: &[impl Display]) -> String {
    let mut line = String::new();
    for number in numbers {
        let comma = if line.is_empty() { "" } else { ", " };
        write!(line, "{comma}{number}").expect("a string has room");
    }
    line
}

/// Writes a line to standard error. Ignores failures, because no work depends on the line.
pub(crate) fn tell(text: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{}", one_line(&text.to_string()));
}

/// Returns a text as one line that is safe for a terminal: escapes characters that change the text
/// around them, and cuts the middle of a very long text.
pub(crate) fn one_line(text: &str) -> String {
    /// The number of characters to keep at the beginning and at the end.
    const KEPT: usize = 700;
    let (head, tail) = match text.len() > 3 * KEPT {
        true => (text.char_indices().nth(KEPT), text.char_indices().rev().nth(KEPT)),
        false => (None, None),
    };
    let shown = |part: &str| -> String {
        let spelt = |character: char| match is_plain(character) {
            true => character.to_string(),
            false => character.escape_default().to_string(),
        };
        part.chars().map(spelt).collect()
    };
    match (head, tail) {
        (Some((head, _)), Some((tail, _))) if head < tail => format!(
            "{} [{} bytes left out] {}",
            shown(&text[..head]),
            tail - head,
            shown(&text[tail..])
        ),
        _ => shown(text),
    }
}

/// Returns a count in words, as in 1 problem or no problems.
pub(crate) fn count_of(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}s"),
        count => Number(count as u64, what).to_string(),
    }
}

/// Returns a rate, as in 8.4e8/s.
pub(crate) fn rate(count: f64, seconds: f64) -> String {
    let rate = if seconds > 0.0 { count / seconds } else { 0.0 };
    format!("{rate:.1e}/s")
}

/// Returns the free bytes on the disk of a file or folder; `None` if they are unknown.
pub(crate) fn available_space(path: &Path) -> Option<u64> {
    let absolute = std::path::absolute(path).ok()?;
    let existing = absolute.ancestors().find(|folder| folder.is_dir())?;
    fs4::available_space(existing).ok()
}

pub(crate) fn strings<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

/// Returns rows as lines of text. Aligns the first column left, and all other columns right.
pub(crate) fn columns(rows: &[Vec<String>]) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..count).map(|column| width(column).unwrap_or(0)).collect();
    rows.iter()
        .map(|row| {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
                if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        })
        .collect()
}

/// Quotes a word for a shell.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
