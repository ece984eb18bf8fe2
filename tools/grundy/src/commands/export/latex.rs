//! A LaTeX table: a is the row, b the column.

use std::fmt::Write;

use anyhow::bail;
use grundy::{Pile, convention_of, id_of};

use super::ExportJob;

impl ExportJob<'_> {
    pub(super) fn latex(&self) -> anyhow::Result<String> {
        let n = self.max_pile;
        if !(1..=64).contains(&n) {
            bail!("a table in LaTeX has 1 to 64 columns; choose a --max-pile of that");
        }
        let middle = self.middle.unwrap_or_default();
        let between: String = middle.iter().map(|pile| format!("{pile},")).collect();
        let convention = convention_of(self.game).map_or(String::new(), |it| format!(" ({it})"));
        let id = id_of(self.game);
        let mut out = String::new();
        writeln!(out, "% {id}{convention}: G(a,{between}b), a and b up to {n}")?;
        writeln!(out, "\\begin{{tabular}}{{r|{}}}", "r".repeat(n as usize))?;
        let columns: Vec<String> = (1..=n).map(|b: Pile| b.to_string()).collect();
        // The heading is the same for every middle: a is the row, b the column.
        writeln!(out, "$a\\backslash b$ & {} \\\\", columns.join(" & "))?;
        writeln!(out, "\\hline")?;
        for (a, row) in (1..).zip(self.tile(middle)?.rows()) {
            let mut line = vec![format!("{a}")];
            line.extend(row.iter().map(ToString::to_string));
            writeln!(out, "{} \\\\", line.join(" & "))?;
        }
        writeln!(out, "\\end{{tabular}}")?;
        Ok(out)
    }
}
