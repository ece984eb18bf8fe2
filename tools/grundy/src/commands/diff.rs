//! `grundy diff`: do the statements of the papers hold?

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use grundy_builder::publish;
use grundy_kernels::EqualMask;
use grundy_query::{Database, QueryError, StoredTable, scan};
use grundy_rules::Table;
use grundy_sweep::{Control, Fold, Swept};
use grundy_theory::{
    Checkpoint, Claim, Means, Plan, Recompute, Source, Truth, Verdict, conjecture,
};

use crate::Outcome;
use crate::args::{Common, Diff, games};
use crate::commands::claims;
use crate::output::{Out, columns, grouped};
use crate::watch::{stop_on_interrupt, with_progress};

/// The claim that has certificates.
const CONJECTURE: &str = "lgn.conj34";

/// Reads the tables that are stored, and computes the others.
struct Stored<'a> {
    database: &'a Database,
    recompute: Recompute,
}

impl Source for Stored<'_> {
    type Error = QueryError;

    fn parts(&self, table: &Table) -> u64 {
        self.database.table(table).map_or_else(|| self.recompute.parts(table), StoredTable::frames)
    }

    fn fold<T: EqualMask, F: Fold<T>>(
        &mut self,
        table: &Table,
        parts: Range<u64>,
        control: &Control,
        fold: &F,
    ) -> Result<Swept<F::Acc>, QueryError> {
        match self.database.table(table) {
            Some(stored) => scan::<T, F>(stored, parts, control, fold),
            None => Ok(match self.recompute.fold::<T, F>(table, parts, control, fold) {
                Ok(swept) => swept,
                Err(never) => match never {},
            }),
        }
    }
}

pub(crate) fn run(common: &Common, wanted: &Diff, out: &mut Out) -> anyhow::Result<Outcome> {
    let games = games(&wanted.games)?;
    let mut chosen = claims::choose(&wanted.claims)?;
    if wanted.claims.is_empty() && !games.is_empty() {
        // Nobody named the claims that say nothing about these games.
        chosen.retain(|claim| games.iter().any(|&game| claim.speaks_of(game)));
    }
    let certificate = certificate(common, wanted, &chosen)?;
    let before =
        match &certificate {
            Some(file) if file.exists() => {
                let checked = conjecture::check_file(file, common.memory);
                Some(checked.context(
                    "a certificate that is there is gone on from; delete it to begin anew",
                )?)
            }
            _ => None,
        };
    let range =
        grundy_theory::Range { max_pile: wanted.max_pile, length: wanted.length, to: wanted.to };
    let means = Means {
        isa: common.isa,
        memory: common.memory,
        threads: common.threads,
        certificate: before.as_ref(),
    };
    if let Some(option) = range.unused(&chosen) {
        bail!("none of these claims looks at --{}; leave it out", option.replace('_', "-"));
    }
    let plan = Plan::new(&chosen, &games, &range)?;
    if wanted.checkpoint.is_some() && !plan.has_sweeps() {
        bail!("a checkpoint keeps claims on the positions of tables, and here there is none");
    }
    let estimate = plan.estimate(&means);
    estimate.within(common.memory, wanted.seconds)?;
    let database = common.open(f64::INFINITY)?;
    common.start_threads()?;
    let control = stop_on_interrupt()?;
    let recompute = Recompute::new(common.isa, common.memory);
    let mut source = Stored { database: &database, recompute };
    let mut checkpoint = match &wanted.checkpoint {
        Some(file) => read(file)?,
        None => Checkpoint::default(),
    };
    let save = |checkpoint: &Checkpoint| match &wanted.checkpoint {
        Some(file) => publish(file, &serde_json::to_vec(checkpoint)?),
        None => Ok(()),
    };
    let verdicts = with_progress(&control, estimate.cells, || {
        plan.run_from(&mut source, &means, &control, &mut checkpoint, save)
    })?;
    let proof = verdicts.iter().find_map(|verdict| verdict.certificate.as_deref());
    if let (Some(file), Some(proof)) = (&certificate, proof) {
        publish(file, proof).with_context(|| format!("cannot write {}", file.display()))?;
        eprintln!("wrote {}; `grundy verify --certificate` checks it", file.display());
    }
    if out.is_json() {
        for verdict in &verdicts {
            out.object(&serde_json::to_value(verdict)?)?;
        }
    } else {
        print(&verdicts, out)?;
    }
    Ok(if verdicts.iter().any(Verdict::is_surprise) {
        Outcome::Mismatch
    } else if control.is_stopped() {
        Outcome::Interrupted
    } else {
        Outcome::Fine
    })
}

/// Where the certificate of the conjecture goes: where it was asked for, or if the conjecture
/// alone is checked, into the database folder. One that is there is gone on from.
fn certificate(
    common: &Common,
    wanted: &Diff,
    chosen: &[&Claim],
) -> anyhow::Result<Option<PathBuf>> {
    let file = match (&wanted.certificate, chosen) {
        (Some(file), _) => file.clone(),
        (None, [claim]) if claim.id == CONJECTURE => {
            fs::create_dir_all(&common.db)
                .with_context(|| format!("cannot write to {}", common.db.display()))?;
            common.db.join("conj34.cert")
        }
        _ => return Ok(None),
    };
    if !chosen.iter().any(|claim| claim.id == CONJECTURE) {
        bail!("--certificate is for {CONJECTURE}, which is not among the claims asked for");
    }
    Ok(Some(file))
}

/// What a checkpoint file says; nothing is covered if there is none.
fn read(file: &Path) -> anyhow::Result<Checkpoint> {
    match std::fs::read(file) {
        Ok(text) => serde_json::from_slice(&text)
            .with_context(|| format!("{} is not a checkpoint of a diff", file.display())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Checkpoint::default()),
        Err(error) => {
            Err(error).with_context(|| format!("cannot read the checkpoint {}", file.display()))
        }
    }
}

fn print(verdicts: &[Verdict], out: &mut Out) -> anyhow::Result<()> {
    let header = ["claim", "verdict", "", "checked", "failures", "seconds"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for verdict in verdicts {
        let remark = match (verdict.is_surprise(), verdict.verdict) {
            (true, _) => "UNEXPECTED",
            (false, Truth::Fails) => "as known",
            (false, Truth::Holds) => "",
        };
        rows.push(vec![
            verdict.claim.to_owned(),
            verdict.verdict.to_string(),
            remark.to_owned(),
            grouped(verdict.checked),
            grouped(verdict.failures),
            format!("{:.2}", verdict.seconds),
        ]);
    }
    for (line, verdict) in
        columns(&rows).into_iter().zip(std::iter::once(None).chain(verdicts.iter().map(Some)))
    {
        out.line(line)?;
        let Some(verdict) = verdict else { continue };
        let stopped = if verdict.complete { "" } else { " (stopped before the end)" };
        out.line(format!("    {}{stopped}", verdict.range))?;
        if let Some(first) = &verdict.first {
            out.line(format!("    least counterexample: {first}"))?;
        }
        if verdict.undecided > 0 {
            out.line(format!("    {} cases left open", grouped(verdict.undecided)))?;
        }
    }
    Ok(())
}
