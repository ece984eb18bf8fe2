//! `grundy verify`: is every byte what it should be?

use std::path::Path;
use std::time::Instant;

use anyhow::bail;
use grundy_query::{Verification, verify};
use grundy_theory::conjecture;
use serde_json::json;

use crate::End;
use crate::advice::with_advice;
use crate::args::{Common, Verify};
use crate::output::{Out, bytes, grouped, tell};
use crate::watch::{stop_on_interrupt, with_progress};

pub(crate) fn run(common: &Common, wanted: &Verify, out: &mut Out) -> anyhow::Result<End> {
    if let Some(file) = &wanted.certificate {
        return certificate(common, file, out);
    }
    let database = common.open(f64::INFINITY)?;
    if !database.exists() {
        bail!("there is no database in {}: it has no manifest", common.db.display());
    }
    common.start_threads()?;
    let control = stop_on_interrupt()?;
    let total = database.tables().iter().map(|stored| stored.entry().cells()).sum();
    let how = Verification { full: wanted.full, part: wanted.sample };
    let checked = with_progress(&control, total, || verify(&database, how, &control));
    for problem in &checked.problems {
        tell(format_args!("grundy: {}", with_advice(problem)));
    }
    if out.is_json() {
        out.object(&json!({
            "tables": checked.tables,
            "shards": checked.shards,
            "bytes": checked.bytes,
            "values": checked.values,
            "derived": checked.derived,
            "problems": checked.problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "complete": !checked.stopped,
        }))?;
    } else {
        out.line(format!(
            "{} tables, {} shards, {}: {} values have the right checksums, {} of them were derived \
             again from the rules; {}",
            checked.tables,
            checked.shards,
            bytes(checked.bytes),
            grouped(checked.values),
            grouped(checked.derived),
            match checked.problems.len() {
                0 => "no problems".to_owned(),
                1 => "1 problem".to_owned(),
                count => format!("{count} problems"),
            },
        ))?;
    }
    Ok(if !checked.problems.is_empty() {
        End::Mismatch
    } else if checked.stopped {
        End::Interrupted
    } else {
        End::Fine
    })
}

/// Checks a proof of the triangular-number conjecture.
fn certificate(common: &Common, file: &Path, out: &mut Out) -> anyhow::Result<End> {
    let start = Instant::now();
    let checked = conjecture::check_file(file, common.memory)?;
    let gap = checked.first_gap();
    if out.is_json() {
        out.object(&json!({
            "certificate": file.display().to_string(),
            "bound": checked.bound(),
            "first_gap": gap,
            "families": checked.families(),
            "seconds": start.elapsed().as_secs_f64(),
        }))?;
    } else {
        let proves = match gap {
            None => format!("it proves the conjecture for n = 1 to {}", checked.bound()),
            Some(n) => format!("of n = 1 to {} it does not prove {n}, at least", checked.bound()),
        };
        let families = grouped(checked.families());
        out.line(format!("{}: {families} families hold; {proves}", file.display()))?;
    }
    Ok(if gap.is_some() { End::Mismatch } else { End::Fine })
}
