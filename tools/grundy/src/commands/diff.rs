use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use grundy::papers::{
    CertificateSink, Checkpoint, Claim, Conclusion, Flaw, Means, Plan, Status, Tables, Verdict,
    conjecture,
};
use grundy::{Control, Game, Number};
use grundy_builder::{Lock, LockError, publish};

use crate::args::{Common, Diff, games};
use crate::commands::claims;
use crate::commands::own::{self, VerdictRow};
use crate::inputs::lies_in;
use crate::output::{self, Out, columns, place, tell};
use crate::watch::{stop_on_interrupt, with_progress};
use crate::{End, checkpoint};

const CONJECTURE: &str = "lgn.conj34";

pub(crate) fn run(common: &Common, wanted: &Diff, out: &mut Out) -> anyhow::Result<End> {
    let games = games(&wanted.games)?;
    let (mut own, papers) = own::choose(own::read(&wanted.own.folder)?, &wanted.claims);
    own.retain(|claim| {
        let game = claim.question.game();
        games.is_empty() || games.contains(&game.misere_of().unwrap_or(game))
    });
    if papers.is_empty() && !wanted.claims.is_empty() {
        // The user selected none of the papers' claims.
        if wanted.certificate.is_some() || wanted.checkpoint.is_some() || wanted.to.is_some() {
            bail!(
                "your own claims take only --max-pile, --length and --games; `grundy check` can keep \
                 a checkpoint"
            );
        }
        common.start_threads()?;
        let control = stop_on_interrupt()?;
        let own = own::run(common, wanted, &own, &control)?;
        return report(&[], &own, &control, out);
    }
    let chosen = chosen(&papers, &games, own.len())?;
    let certificate = certificate(common, wanted, &chosen)?;
    let before = match &certificate {
        Some(Certificate { file, .. }) if file.exists() => {
            let checked = conjecture::check_file(file, common.memory);
            Some(
                checked
                    .context("diff continues an existing certificate; delete it to start over")?,
            )
        }
        _ => None,
    };
    let keep = |bytes: &[u8]| {
        let Some(Certificate { file, .. }) = &certificate else { return };
        if let Err(error) = publish(file, bytes) {
            // Continue the search. Only the last save must succeed.
            tell(format_args!("grundy: cannot save progress in {}: {error}", file.display()));
        }
    };
    let means = Means {
        isa: common.isa,
        memory: common.memory,
        threads: common.threads,
        certificate: before.as_ref(),
        keeper: certificate.as_ref().map(|_| CertificateSink(&keep)),
    };
    let plan = plan(&chosen, &games, wanted)?;
    if wanted.checkpoint.is_some() && !plan.has_sweeps() {
        bail!(
            "a checkpoint saves the progress only of claims about stored tables; leave out \
             --checkpoint"
        );
    }
    let estimate = plan.estimate(&means);
    estimate.within(common.memory, wanted.within.seconds)?;
    let database = common.open(f64::INFINITY)?;
    common.start_threads()?;
    let control = stop_on_interrupt()?;
    let mut source = Tables::new(&database, &means);
    let file = wanted.checkpoint.as_deref();
    let mut checkpoint = checkpoint::read(file)?;
    let mut save = |checkpoint: &Checkpoint| checkpoint::keep(file, checkpoint);
    let verdicts = with_progress(&control, estimate.cells, || {
        source.run_from(&plan, &means, &control, &mut checkpoint, &mut save)
    });
    let verdicts = verdicts?;
    let proof = verdicts.iter().find_map(|verdict| verdict.certificate.as_deref());
    if let (Some(Certificate { file, .. }), Some(proof)) = (&certificate, proof) {
        output::save(file, proof)?;
        tell(format_args!("wrote {}; `grundy verify --certificate` checks it", file.display()));
    }
    let is_cut = control.is_stopped() && plan.has_sweeps();
    let own = own::run(common, wanted, &own, &control)?;
    let end = report(&verdicts, &own, &control, out)?;
    if is_cut {
        checkpoint::tell_kept(file, &checkpoint);
    }
    Ok(end)
}

/// Returns the papers' claims to check. If there are none, and no `own` claims, returns an error.
pub(crate) fn chosen(
    names: &[String],
    games: &[Game],
    own: usize,
) -> anyhow::Result<Vec<&'static Claim>> {
    let mut chosen = claims::choose(names)?;
    if names.is_empty() && !games.is_empty() {
        // If the user named no claims, skip claims about other games.
        chosen.retain(|claim| games.iter().any(|&game| claim.covers(game)));
    }
    if chosen.is_empty() && own == 0 {
        bail!("no claim is about these games; `grundy claims` lists the claims");
    }
    Ok(chosen)
}

pub(crate) fn plan(
    chosen: &[&'static Claim],
    games: &[Game],
    wanted: &Diff,
) -> anyhow::Result<Plan<'static>> {
    let range =
        grundy::papers::Range { max_pile: wanted.max_pile, length: wanted.length, to: wanted.to };
    if let Some(option) = range.unused(chosen) {
        bail!("none of these claims uses --{}; leave it out", option.replace('_', "-"));
    }
    let shorter = range.shorter(chosen);
    if let (Some(given), [(first, to), ..]) = (range.length, &shorter[..]) {
        if shorter.len() == chosen.len() {
            bail!("{} is about positions of at most {to} piles, not --length {given}", first.id);
        }
        let named = shorter.iter().map(|(claim, to)| format!("{} ({to})", claim.id));
        let named: Vec<String> = named.collect();
        tell(format_args!(
            "grundy: --length is greater than the number of piles of these claims, which are \
             checked up to that number: {}",
            named.join(", ")
        ));
    }
    Ok(Plan::new(chosen, games, &range)?)
}

pub(crate) fn report(
    verdicts: &[Verdict],
    (own, is_lacking): &(Vec<VerdictRow>, bool),
    control: &Control,
    out: &mut Out,
) -> anyhow::Result<End> {
    let of_papers: Vec<VerdictRow> = verdicts.iter().map(row).collect::<Result<_, _>>()?;
    let rows = || of_papers.iter().chain(own);
    if out.is_json() {
        rows().try_for_each(|row| out.object(&row.json))?;
    } else {
        let header = ["claim", "verdict", "", "checked", "failures", "unit", "source", "seconds"];
        let header = header.map(str::to_owned).to_vec();
        let lines: Vec<_> =
            [header].into_iter().chain(rows().map(|row| row.columns.clone())).collect();
        let mut lines = columns(&lines).into_iter();
        lines.next().map_or(Ok(()), |header| out.line(header))?;
        for (line, row) in lines.zip(rows()) {
            out.line(line)?;
            row.details.iter().try_for_each(|detail| out.line(format!("    {detail}")))?;
        }
        let rows: Vec<_> = rows().collect();
        out.line(summary(&rows))?;
    }
    let is_surprise = rows().any(|row| row.is_surprise);
    Ok(if *is_lacking {
        End::BadInput
    } else if is_surprise {
        End::Mismatch
    } else if control.is_stopped() {
        End::Interrupted
    } else {
        End::Fine
    })
}

struct Certificate {
    file: PathBuf,
    /// The lock of the database folder, which the command needs to write the certificate there.
    _lock: Option<Lock>,
}

/// Returns the file of the certificate: the file that the user gave or, if only the conjecture is
/// checked, a file in the database folder. An existing certificate is continued.
fn certificate(
    common: &Common,
    wanted: &Diff,
    chosen: &[&Claim],
) -> anyhow::Result<Option<Certificate>> {
    let file = match (&wanted.certificate, chosen) {
        (Some(file), _) => file.clone(),
        (None, [claim]) if claim.id == CONJECTURE && common.folder().is_ok() => {
            common.db.join(crate::commands::certificate::FILE)
        }
        _ => return Ok(None),
    };
    if !chosen.iter().any(|claim| claim.id == CONJECTURE) {
        bail!("--certificate is for {CONJECTURE}, which is not among the chosen claims");
    }
    // If the path is a link, write to its target.
    let end = place(&file)?;
    let lock = match lies_in(&end, &common.db) {
        true => Some(Lock::take(common.folder()?)),
        false => None,
    };
    let lock = lock.transpose().map_err(|error| match error {
        LockError::Taken(folder) => anyhow!(
            "cannot write {} while another process, such as a build or a diff of {CONJECTURE}, \
             writes into {}; wait until it ends, or choose another file with --certificate",
            file.display(),
            folder.display()
        ),
        other => other.into(),
    })?;
    Ok(Some(Certificate { file, _lock: lock }))
}

fn row(verdict: &Verdict) -> serde_json::Result<VerdictRow> {
    let remark = match (verdict.status, verdict.verdict) {
        (_, Conclusion::Fails) => verdict.flaw.map_or("", Flaw::word),
        // The statement that was checked is our reading of the statement in the paper.
        (Status::OurReading, _) => "our reading",
        _ => "",
    };
    let counted = verdict.unit.of(verdict.checked).to_string();
    let first = verdict.first.as_ref().map(ToString::to_string);
    let line = serde_json::to_value(verdict)?;
    Ok(VerdictRow::new(line, &counted, first, remark, verdict.is_surprise()))
}

/// Returns a line that counts the verdicts of each kind.
fn summary(rows: &[&VerdictRow]) -> String {
    let count = |is: &dyn Fn(&VerdictRow) -> bool| rows.iter().filter(|row| is(row)).count() as u64;
    let mut parts = Vec::new();
    for (verdict, one, more) in [
        ("holds", "holds", "hold"),
        ("fails", "fails", "fail"),
        ("stopped", "is stopped", "are stopped"),
    ] {
        let is_known = |row: &VerdictRow| row.columns[1] == verdict && !row.is_surprise;
        let mut remarks: Vec<&str> =
            rows.iter().filter(|row| is_known(row)).map(|row| row.columns[2].as_str()).collect();
        let known = remarks.len();
        remarks.retain(|remark| verdict == "fails" && !remark.is_empty());
        remarks.sort_unstable();
        let kinds = remarks.chunk_by(|a, b| a == b).map(|of| format!("{} {}", of.len(), of[0]));
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        let kinds = if kinds.is_empty() { kinds } else { format!(" ({kinds})") };
        if known > 0 {
            parts.push(format!("{known} {}{kinds}", if known == 1 { one } else { more }));
        }
    }
    let unexpected = count(&|row| row.is_surprise);
    if unexpected > 0 {
        parts.push(format!("{unexpected} UNEXPECTED"));
    }
    let claims = Number(rows.len() as u64, "claim");
    format!("{claims}{}{}", if parts.is_empty() { "" } else { ": " }, parts.join(", "))
}
