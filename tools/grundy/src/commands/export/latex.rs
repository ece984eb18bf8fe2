//! A LaTeX table of two piles: a is the row, b the column. Values of single piles are in lines.

use std::fmt::Write;

use anyhow::bail;
use grundy::{Answer, Pile, row_values};

use super::ExportJob;
use crate::args::symbol;
use crate::picture::titled;

/// The number of single piles in a line, and the largest single pile.
const IN_A_LINE: usize = 20;
const MOST_SINGLES: Pile = 1000;

impl ExportJob<'_> {
    pub(super) fn latex(&self) -> anyhow::Result<String> {
        let n = self.max_pile;
        if self.length == 1 {
            return self.latex_singles();
        }
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

    fn latex_singles(&self) -> anyhow::Result<String> {
        let (game, n) = (self.game, self.max_pile);
        if n > MOST_SINGLES {
            bail!(
                "a table in LaTeX has single piles up to {MOST_SINGLES}; choose a --max-pile up to that"
            );
        }
        let more = &mut || !self.control.is_stopped();
        let (first, values) = row_values(self.database, game, &[], n, more)?;
        let mut out = format!("% {}: g(n), n up to {n}\n", titled(game));
        writeln!(out, "\\begin{{tabular}}{{r|{}}}", "r".repeat(values.len().min(IN_A_LINE)))?;
        for (line, values) in values.chunks(IN_A_LINE).enumerate() {
            let start = first as usize + line * IN_A_LINE;
            let piles = (start..start + values.len()).map(|n| n.to_string());
            let shown = values.iter().map(|g| g.map_or(String::new(), |g| g.to_string()));
            writeln!(out, "$n$ & {} \\\\ \\hline", piles.collect::<Vec<_>>().join(" & "))?;
            writeln!(out, "$g(n)$ & {} \\\\", shown.collect::<Vec<_>>().join(" & "))?;
        }
        writeln!(out, "\\end{{tabular}}")?;
        Ok(out)
    }
}
