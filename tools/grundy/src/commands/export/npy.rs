//! Arrays for NumPy: version 1.0 of the npy format, with little-endian numbers in C order.

use std::fs::File;
use std::io::{self, Write};

use anyhow::bail;
use grundy::shares::price;
use grundy::tables::{Listing, Rows, has_thresholds};
use grundy::{EXCLUDED, Game, Level};

use super::{ExportJob, Size};
use crate::output::Out;

/// Returns the header. Numbers are signed if the rules exclude positions, which get -1.
fn header(game: Game, width: usize, shape: &[u64]) -> Vec<u8> {
    let axes: String = shape.iter().map(|size| format!("{size}, ")).collect();
    let kind = match width {
        _ if game.excludes() => "<i4",
        1 => "|u1",
        2 => "<u2",
        _ => "<u4",
    };
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({axes}), }}");
    // Magic, version and length take 10 bytes. The length of the whole header is a multiple of 64.
    let padding = 63 - (10 + text.len()) % 64;
    text.extend(std::iter::repeat_n(' ', padding));
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.as_bytes());
    header
}

/// Writes bytes at an offset of a file. Any thread may call this function.
#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

/// Seeks to the offset, then writes. A lock keeps other threads from moving the file's cursor.
#[cfg(not(unix))]
fn write_at(mut file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    use std::io::Seek;
    use std::sync::{Mutex, PoisonError};
    static ONE: Mutex<()> = Mutex::new(());
    let _held = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    file.seek(io::SeekFrom::Start(offset))?;
    file.write_all(bytes)
}

impl ExportJob<'_> {
    pub(super) fn npy(&self, out: &mut Out) -> anyhow::Result<()> {
        let n = u64::from(self.max_pile);
        if let Some(middle) = self.middle {
            return self.npy_tile(middle, out);
        }
        let Some(table) = self.table else { bail!("an array needs a number of piles") };
        if self.listing() == Listing::Records {
            return self.npy_records(out);
        }
        if has_thresholds(self.game) || self.game.excludes() {
            return self.npy_level(out);
        }
        let rows = self.rows(table)?;
        let shape = rows.shape();
        let axes = match self.listing() {
            // The array has one axis, the number of the position.
            Listing::Numbers => vec![shape.rows],
            Listing::LastMoves => [vec![n; self.length], vec![table.tile_cols() as u64]].concat(),
            _ => vec![n; self.length],
        };
        let header = header(self.game, shape.width, &axes);
        let (values, bytes) = (shape.rows.checked_mul(shape.cells as u64), shape.bytes());
        let (Some(values), Some(bytes)) = (values, bytes) else {
            bail!("{table} has more values than can be written");
        };
        let bytes = bytes.saturating_add(header.len() as u64);
        let seconds =
            if self.wanted.output.is_some() { shape.seconds } else { self.seconds(&*rows) };
        let size = Size { values, bytes, exact: true, seconds };
        match &self.wanted.output {
            // Threads write runs of rows in any order, each run at its own offset.
            Some(path) => {
                self.announce(size)?;
                self.to_file(path, values, |file| {
                    write_at(file, &header, 0)?;
                    let row = shape.row_bytes() as u64;
                    rows.each_run(0..shape.rows, self.control, &|at, cells| {
                        Ok(write_at(file, cells, header.len() as u64 + at * row)?)
                    })?;
                    Ok(())
                })
            }
            None => self.stream(out, size, |to| self.slabs(&*rows, &header, to)),
        }
    }

    fn slabs(&self, rows: &dyn Rows, header: &[u8], to: &mut dyn Write) -> anyhow::Result<()> {
        to.write_all(header)?;
        self.each_slab(rows, self.slab(rows), |_, made| to.write_all(made))
    }

    /// Writes the value of each position (-1 if it is excluded), or the index of its class.
    fn npy_level(&self, out: &mut Out) -> anyhow::Result<()> {
        let level = Level::new(self.game, self.length, self.max_pile)?;
        let level = level.memory(self.common.memory).control(self.control);
        let axes: Vec<u64> = level.axes().into_iter().map(|axis| axis as u64).collect();
        let header = header(self.game, level.array_width(), &axes);
        let values = level.array_bytes() / level.array_width() as u64;
        let bytes = level.array_bytes().saturating_add(header.len() as u64);
        self.announce(Size { values, bytes, exact: true, seconds: values as f64 * price::STORE })?;
        let classes = level.array()?.bytes;
        self.whole(out, &[header, classes].concat())
    }

    fn npy_tile(&self, middle: &[u32], out: &mut Out) -> anyhow::Result<()> {
        let tile = self.tile(middle)?;
        let n = tile.side() as u64;
        let numbers = || tile.cells().map(|cell| cell.unwrap_or(EXCLUDED));
        let width = match numbers().max().unwrap_or(0) {
            _ if self.game.excludes() => 4,
            0..=0xFF => 1,
            0x100..=0xFFFF => 2,
            _ => 4,
        };
        let mut array = header(self.game, width, &[n, n]);
        for number in numbers() {
            array.extend_from_slice(&number.to_le_bytes()[..width]);
        }
        let (values, bytes) = (n * n, array.len() as u64);
        self.announce(Size { values, bytes, exact: true, seconds: 0.0 })?;
        self.whole(out, &array)
    }

    fn npy_records(&self, out: &mut Out) -> anyhow::Result<()> {
        let values = u64::from(self.max_pile);
        let header = header(self.game, 4, &[values]);
        let bytes = header.len() as u64 + 4 * values;
        let size = Size { values, bytes, exact: true, seconds: 0.0 };
        self.stream(out, size, |to| {
            to.write_all(&header)?;
            let mut written = Ok(());
            self.database.each_record(self.game, self.max_pile, |g, _| {
                self.control.advance(1);
                written = to.write_all(&g.to_le_bytes());
                written.is_ok() && !self.control.is_stopped()
            })?;
            Ok(written?)
        })
    }
}
