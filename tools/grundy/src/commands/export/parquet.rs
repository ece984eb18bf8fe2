//! Parquet files, written with the crate of the Arrow project. They have the columns of csv, as
//! unsigned numbers. The metadata contains the name of the game and its convention.

use std::fs::File;
use std::sync::Arc;

use anyhow::bail;
use grundy::Remembers;
use grundy::shares::price;
use grundy::tables::{Listing, has_thresholds};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::Int32Type;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::{ExportJob, Size, columns_of, value_name};
use crate::args::{convention_of, id_of};
use crate::output::Out;

const GROUP: usize = 1 << 20;

impl ExportJob<'_> {
    pub(super) fn parquet(&self, _: &mut Out) -> anyhow::Result<()> {
        let game = self.game;
        let Some(path) = &self.wanted.output else {
            bail!("parquet needs a file; use -o FILE");
        };
        let (Some(table), Listing::Words) = (self.table, self.listing()) else {
            bail!("parquet stores only positions that are piles; export npy or csv");
        };
        if has_thresholds(game) || game.remembers() != Remembers::Nothing {
            bail!("parquet cannot store positions of {game}; export npy or csv");
        }
        let ascending = game.is_unordered() && !self.wanted.all_orders;
        let rows = self.rows(table)?;
        let values = match ascending {
            true => table.positions(),
            false => u64::from(self.max_pile).saturating_pow(self.length as u32),
        };
        let names =
            [columns_of(self.game, self.length), vec![value_name(self.game).to_owned()]].concat();
        // Columns of piles compress well, so the column of values takes most of the file.
        let bytes = values.saturating_mul(2);
        let seconds = self.seconds(&*rows) + values as f64 * price::FORMAT;
        self.announce(Size { values, bytes, exact: false, seconds })?;
        self.to_file(path, values, |file| {
            let mut groups = Groups::new(file, &names, self)?;
            self.each_row(&*rows, ascending, |word, least, cells| {
                let n = self.max_pile as usize;
                let skipped = least as usize - 1;
                for (b, &cell) in (1..).zip(&cells[..n]).skip(skipped) {
                    let piles = word.iter().copied().chain([b, cell]);
                    for (column, number) in groups.columns.iter_mut().zip(piles) {
                        column.push(number.cast_signed());
                    }
                }
                groups.flush(GROUP).map_err(std::io::Error::other)
            })?;
            groups.finish()
        })
    }
}

struct Groups<'a> {
    writer: SerializedFileWriter<&'a File>,
    columns: Vec<Vec<i32>>,
}

impl<'a> Groups<'a> {
    fn new(file: &'a File, names: &[String], job: &ExportJob<'_>) -> anyhow::Result<Groups<'a>> {
        let column = |name: &String| {
            let unsigned = LogicalType::integer(32, false);
            let column = Type::primitive_type_builder(name, Physical::INT32)
                .with_repetition(Repetition::REQUIRED)
                .with_logical_type(Some(unsigned));
            Ok(Arc::new(column.build()?))
        };
        let fields = names.iter().map(column).collect::<anyhow::Result<Vec<_>>>()?;
        let schema = Type::group_type_builder("positions").with_fields(fields).build()?;
        let mut said = vec![KeyValue::new("game".to_owned(), id_of(job.game).to_owned())];
        if let Some(convention) = convention_of(job.game) {
            said.push(KeyValue::new("convention".to_owned(), convention.to_owned()));
        }
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
            .set_key_value_metadata(Some(said))
            .build();
        let writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties))?;
        Ok(Groups { writer, columns: vec![Vec::new(); names.len()] })
    }

    /// Writes a row group if at least this many rows are waiting.
    fn flush(&mut self, least: usize) -> parquet::errors::Result<()> {
        if self.columns.first().is_none_or(|column| column.len() < least.max(1)) {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for numbers in &mut self.columns {
            if let Some(mut column) = group.next_column()? {
                column.typed::<Int32Type>().write_batch(numbers, None, None)?;
                column.close()?;
            }
            numbers.clear();
        }
        group.close()?;
        Ok(())
    }

    fn finish(mut self) -> anyhow::Result<()> {
        self.flush(1)?;
        self.writer.close()?;
        Ok(())
    }
}
