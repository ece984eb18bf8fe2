use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use grundy::papers::{
    CertificateSink, Claim, Conclusion, Means, Plan, Range, Status, Verdict, conjecture,
};
use grundy::{Checkpoint, Control, Game, Number, grouped};
use grundy_builder::{Lock, LockError, publish};

use crate::args::{Common, Diff, OPENING, games};
use crate::commands::{claims, own};
use crate::inputs::lies_in;
use crate::output::{self, Out, columns, place, tell};
use crate::watch::{stop_on_interrupt, with_progress};
use crate::{End, checkpoint};

const CONJECTURE: &str = "lgn.conj34";

pub(crate) fn run(common: &Common, wanted: &Diff, out: &mut Out) -> anyhow::Result<End> {
    let games = games(common, &wanted.games, wanted.within.seconds.min(OPENING))?;
    let (mut own, papers) =
        own::choose(own::read(common, &wanted.own.folder, wanted.within.seconds)?, &wanted.claims);
    own.retain(|claim| !own::wanted(claim, &games).is_empty());
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
        let own = own::run(common, wanted, &own, &games, &control)?;
        return report(&[], &own, &control, out);
    }
    let chosen = chosen(&papers, &games, own.len())?;
    let certificate = certificate(common, wanted, &chosen)?;
    let before = match &certificate {
        Some(Certificate { file, .. }) if !matches!(file.try_exists(), Ok(false)) => {
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
        certificate: before.as_ref(),
        keeper: certificate.as_ref().map(|_| CertificateSink(&keep)),
        ..common.means()
    };
    let plan = plan(&chosen, &games, wanted)?;
    if wanted.checkpoint.is_some() && !plan.has_levels() {
        bail!(
            "a checkpoint saves the progress only of claims about stored tables; leave out \
             --checkpoint"
        );
    }
    let estimate = plan.estimate(&means)?;
    estimate.within(common.memory, wanted.within.seconds)?;
    let database = common.open(f64::INFINITY)?;
    common.start_threads()?;
    let control = stop_on_interrupt()?;
    let file = wanted.checkpoint.as_deref();
    let mut checkpoint = checkpoint::read(file)?;
    let mut save = |checkpoint: &Checkpoint| checkpoint::keep(file, checkpoint);
    let verdicts = with_progress(&control, estimate.cells, || {
        plan.run_from(&database, &means, &control, &mut checkpoint, &mut save)
    });
    let verdicts = verdicts?;
    let proof = verdicts.iter().find_map(|verdict| verdict.certificate.as_deref());
    if let (Some(Certificate { file, .. }), Some(proof)) = (&certificate, proof) {
        output::save(file, proof)?;
        tell(format_args!("wrote {}; `grundy verify --certificate` checks it", file.display()));
    }
    let is_cut = control.is_stopped() && plan.has_levels();
    let own = own::run(common, wanted, &own, &games, &control)?;
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
        chosen.retain(|claim| claim.wanted(games).is_ok());
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
    let range = Range { max_pile: wanted.max_pile, length: wanted.length, to: wanted.to };
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
    (own, is_lacking): &(Vec<Verdict>, bool),
    control: &Control,
    out: &mut Out,
) -> anyhow::Result<End> {
    let all: Vec<&Verdict> = verdicts.iter().chain(own).collect();
    if out.is_json() {
        for verdict in &all {
            // The fields are in alphabetical order.
            out.object(&serde_json::to_value(verdict)?)?;
        }
    } else {
        let header = ["claim", "verdict", "", "checked", "failures", "unit", "source", "seconds"];
        let header = header.map(str::to_owned).to_vec();
        let lines: Vec<_> =
            [header].into_iter().chain(all.iter().map(|verdict| row(verdict))).collect();
        let mut lines = columns(&lines).into_iter();
        lines.next().map_or(Ok(()), |header| out.line(header))?;
        for (line, verdict) in lines.zip(&all) {
            out.line(line)?;
            details(verdict).iter().try_for_each(|detail| out.line(format!("    {detail}")))?;
        }
        out.line(summary(&all))?;
    }
    let is_surprise = all.iter().any(|verdict| verdict.is_surprise());
    Ok(if *is_lacking {
        End::BadInput
    } else if is_surprise {
        End::Mismatch
    } else if control.is_stopped() {
        // A proof that was stopped decides nothing either.
        End::Interrupted
    } else if all.iter().any(|verdict| is_undecided(verdict)) {
        End::BadInput
    } else {
        End::Fine
    })
}

/// True if a claim about piles of all sizes is neither proved nor refuted.
fn is_undecided(verdict: &Verdict) -> bool {
    verdict.verdict == Conclusion::Holds
        && verdict.all_sizes.as_ref().is_some_and(|all| !all.proved)
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

/// Returns a remark on an expected verdict.
fn remark(verdict: &Verdict) -> &str {
    match (&verdict.status, verdict.verdict) {
        _ if is_undecided(verdict) => "undecided",
        (_, Conclusion::Fails) => verdict.flaw.as_ref().map_or("", |flaw| flaw.word()),
        // The statement that was checked is our reading of the statement in the paper.
        (Status::OurReading, _) => "our reading",
        _ => "",
    }
}

fn row(verdict: &Verdict) -> Vec<String> {
    vec![
        verdict.claim.clone(),
        verdict.verdict.to_string(),
        if verdict.is_surprise() { "UNEXPECTED" } else { remark(verdict) }.to_owned(),
        grouped(verdict.checked),
        grouped(verdict.failures),
        verdict.unit.to_string(),
        verdict.origin.to_string(),
        format!("{:.2}", verdict.seconds),
    ]
}

/// Returns the lines below the row of a verdict.
fn details(verdict: &Verdict) -> Vec<String> {
    let mut details = vec![verdict.range.clone()];
    details.extend(verdict.all_sizes.as_ref().map(|all| all.words.clone()));
    if let Some(premise) = verdict.premise {
        details.push(format!("the premise is true of {}", grouped(premise)));
    }
    if verdict.verdict == Conclusion::Stopped {
        let (checked, unit) = (grouped(verdict.checked), verdict.unit.of(verdict.checked));
        details.push(format!("stopped: no failure in {checked} {unit} so far"));
    } else if !verdict.complete {
        details.push("stopped before the end".to_owned());
    }
    let correction = verdict.correction;
    if let (Conclusion::Fails, Some(corrected)) = (verdict.verdict, &verdict.corrected)
        && correction != Some(Conclusion::Fails)
    {
        details.push(format!("it should say: {corrected}"));
    }
    if let Some(first) = &verdict.first {
        details.push(format!("least counterexample: {first}"));
    }
    if verdict.undecided > 0 {
        details.push(format!("{} undecided", grouped(verdict.undecided)));
    }
    match (correction, &verdict.against_correction, &verdict.corrected) {
        (Some(Conclusion::Fails), Some(first), Some(text)) => {
            details.push(format!("the corrected statement `{text}` fails too: {first}"));
        }
        (Some(Conclusion::Stopped), ..) => {
            details.push("the correction is not checked to the end".to_owned());
        }
        _ => {}
    }
    details
}

/// Returns a line that counts the verdicts of each kind.
fn summary(all: &[&Verdict]) -> String {
    let mut parts = Vec::new();
    for (verdict, undecided, one, more) in [
        (Conclusion::Holds, false, "holds", "hold"),
        (Conclusion::Holds, true, "is undecided", "are undecided"),
        (Conclusion::Fails, false, "fails", "fail"),
        (Conclusion::Stopped, false, "is stopped", "are stopped"),
    ] {
        let is_known = |one: &Verdict| {
            one.verdict == verdict && is_undecided(one) == undecided && !one.is_surprise()
        };
        let mut remarks: Vec<&str> =
            all.iter().filter(|one| is_known(one)).map(|one| remark(one)).collect();
        let known = remarks.len();
        remarks.retain(|remark| verdict == Conclusion::Fails && !remark.is_empty());
        remarks.sort_unstable();
        let kinds = remarks.chunk_by(|a, b| a == b).map(|of| format!("{} {}", of.len(), of[0]));
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        let kinds = if kinds.is_empty() { kinds } else { format!(" ({kinds})") };
        if known > 0 {
            parts.push(format!("{known} {}{kinds}", if known == 1 { one } else { more }));
        }
    }
    let unexpected = all.iter().filter(|verdict| verdict.is_surprise()).count();
    if unexpected > 0 {
        parts.push(format!("{unexpected} UNEXPECTED"));
    }
    let claims = Number(all.len() as u64, "claim");
    format!("{claims}{}{}", if parts.is_empty() { "" } else { ": " }, parts.join(", "))
}
