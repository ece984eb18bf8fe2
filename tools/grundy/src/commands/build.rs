use grundy_builder::{BuildError, Report, TableReport, build};
use serde_json::json;

use crate::End;
use crate::advice::with_advice;
use crate::args::{Common, Tables};
use crate::commands::plan;
use crate::output::{Out, describe as describe_table, rate, tell};
use crate::watch::{stop_on_interrupt, with_listing};
use grundy::{Bytes, Number, Seconds, Table};

pub(crate) fn run(common: &Common, wanted: &Tables, out: &mut Out) -> anyhow::Result<End> {
    let (plan, fits) = plan::make(common, wanted)?;
    fits?;
    common.start_threads()?;
    let control = stop_on_interrupt()?;
    let total = plan.unfinished().map(|planned| planned.table.cells()).sum();
    let mut written = Ok(());
    let built = with_listing(&control, total, |bar| {
        // Print a line for each table, because without a terminal there is no progress bar.
        build(&plan, &common.db, &control, |report| {
            if !out.is_json() {
                tell(format_args!("built {}", line(report)));
            } else if written.is_ok() {
                let mut print = || out.object(&describe(report)).and_then(|()| out.flush());
                written = bar.suspend(&mut print);
            }
        })
    });
    let report = match built {
        Ok(report) => report,
        Err(error) => return stopped(error),
    };
    written?;
    if !out.is_json() {
        out.line(summary(&report, &common.db.display().to_string()))?;
    }
    Ok(End::Fine)
}

/// Reports that the user stopped the build, because that is no error. Returns every other error.
pub(crate) fn stopped(error: BuildError) -> anyhow::Result<End> {
    if !matches!(error, BuildError::Stopped) {
        return Err(error.into());
    }
    tell(format_args!("grundy: {}", with_advice(&error)));
    Ok(End::Interrupted)
}

pub(crate) fn describe_all(report: &Report, out: &mut Out) -> std::io::Result<()> {
    report.tables.iter().try_for_each(|table| out.object(&describe(table)))
}

fn line(report: &TableReport) -> String {
    let kept = match report.kept_shards {
        0 => String::new(),
        kept => {
            let all = Number((kept + report.built_shards).into(), "shard");
            format!(", {kept} of {all} {} reused", if kept == 1 { "was" } else { "were" })
        }
    };
    let recoded = match report.recoded_shards {
        0 => String::new(),
        recoded => {
            let shards = Number(recoded.into(), "shard");
            format!(", {shards} of another version replaced, because the codec has changed")
        }
    };
    format!(
        "{}: {}, {} in {}{kept}{recoded}",
        report.table,
        Number(report.table.positions(), "position"),
        Bytes(report.bytes),
        Seconds(report.seconds),
    )
}

fn summary(report: &Report, db: &str) -> String {
    if report.tables.is_empty() {
        return format!("nothing to build: {db} has all these tables");
    }
    let total = |figure: fn(&Table) -> u64| {
        report.tables.iter().map(|built| figure(&built.table)).sum::<u64>()
    };
    let (positions, values) = (total(Table::positions), total(Table::cells));
    let size: u64 = report.tables.iter().map(|built| built.bytes).sum();
    format!(
        "built {} in {db}: {}, {} ({:.2} bits per position, {:.2} per stored value) in {}: {}",
        Number(report.tables.len() as u64, "table"),
        Number(positions, "position"),
        Bytes(size),
        8.0 * size as f64 / positions as f64,
        8.0 * size as f64 / values as f64,
        Seconds(report.seconds),
        rate(positions as f64, report.seconds),
    )
}

fn describe(report: &TableReport) -> serde_json::Value {
    let more = json!({
        "bytes": report.bytes,
        "seconds": report.seconds,
        "kept_shards": report.kept_shards,
        "built_shards": report.built_shards,
    });
    describe_table(&report.table, more)
}
