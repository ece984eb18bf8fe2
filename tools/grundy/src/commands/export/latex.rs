//! A LaTeX table: a is the row, b the column.

use std::fmt::Write;

use anyhow::bail;
use grundy::{Answer, Pile};

use super::ExportJob;
use crate::args::symbol;
use crate::picture::titled;

impl ExportJob<'_> {
    pub(super) fn latex(&self) -> anyhow::Result<String> {
        let n = self.max_pile;
        if !(1..=64).contains(&n) {
            bail!("a table in LaTeX has 1 to 64 columns; choose a --max-pile from 1 to 64");
        }
        let middle = self.middle.unwrap_or_default();
        let tile = self.tile(middle)?;
        let between: String = middle.iter().map(|pile| format!("{pile},")).collect();
        let (title, g) = (titled(self.game), symbol(self.game));
        let mut out = String::new();
        writeln!(out, "% {title}: {g}(a,{between}b), a and b up to {n}")?;
        if self.game.excludes() {
            writeln!(out, "% a cell without a position is empty")?;
        }
        writeln!(out, "\\begin{{tabular}}{{r|{}}}", "r".repeat(tile.side()))?;
        let columns: Vec<String> = (tile.first()..=n).map(|b: Pile| b.to_string()).collect();
        // The heading is the same for every middle: a is the row, b the column.
        writeln!(out, "$a\\backslash b$ & {} \\\\", columns.join(" & "))?;
        writeln!(out, "\\hline")?;
        for (a, row) in (tile.first()..).zip(tile.rows()) {
            let mut line = vec![format!("{a}")];
            let shown = |found: &Option<Answer>| found.map_or(String::new(), |at| at.to_string());
            line.extend(row.iter().map(shown));
            writeln!(out, "{} \\\\", line.join(" & "))?;
        }
        writeln!(out, "\\end{{tabular}}")?;
        Ok(out)
    }
}
