//! The triangular-number conjecture, by families and certificates (`grundy_triangular`).

use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use grundy_rules::Game;
use grundy_triangular::{
    CertificateError, Checked, Limits, Proof, ProveError, Verdict, check_certificate, prove,
    prove_from,
};

use crate::job::{Examined, Extent, Job};
use crate::plan::{Estimate, Means};

/// Looks for families up to n, and gives what was found when it ended: at the bound, at the
/// memory limit, or because the control said so.
fn search(to: u32, job: &Job<'_>) -> Result<Proof, ProveError> {
    let mut last = 0;
    let mut watch = |progress: grundy_triangular::Progress| {
        job.control.advance(u64::from(progress.n - last.min(progress.n)));
        last = progress.n;
        if job.control.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let limits = Limits { memory: job.memory };
    let before = job.certificate.and_then(|path| File::open(path).ok());
    let proof = match before {
        Some(file) => prove_from(BufReader::new(file), to, &limits, &mut watch)?,
        None => prove(to, &limits, &mut watch)?,
    };
    Ok(proof.0)
}

/// Checks a certificate, with code that shares nothing with the search.
///
/// # Errors
/// What is wrong with it.
pub fn check_file(path: &Path) -> Result<Checked, CertificateFailure> {
    let failed = |source| CertificateFailure { path: path.to_owned(), source };
    let file = File::open(path).map_err(|error| failed(error.into()))?;
    check_certificate(BufReader::new(file)).map_err(failed)
}

/// Why a certificate is none.
#[derive(Debug, thiserror::Error)]
#[error("the certificate {path} proves nothing")]
pub struct CertificateFailure {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub source: CertificateError,
}

/// What the search takes, about: measured up to n = 1000.
pub(crate) fn cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let &Extent::Numbers { to, .. } = extent else { return Estimate::default() };
    let n = f64::from(to);
    // Ten times as many families from 700 to 1000, and a hundred times the time.
    let seconds = 35.0 * (n / 1000.0).powi(13) + 0.01;
    let memory = (192.0 * (n / 1000.0).powi(7)) as u64;
    Estimate { positions: to.into(), cells: to.into(), seconds, memory: (memory + 16) << 20 }
}

/// Every n up to the bound: proved by a family whose certificate the checker accepts, or found
/// by exact evaluation; a counterexample only by the latter.
pub(crate) fn check(job: &Job<'_>) -> Examined {
    let mut examined = Examined::default();
    let &Extent::Numbers { to, .. } = job.extent else { return examined };
    let Ok(proof) = search(to, job) else {
        examined.stopped = true;
        return examined;
    };
    examined.stopped = proof.decided() <= to;
    let mut certificate = Vec::new();
    let checked = match proof.write_to(&mut certificate) {
        Ok(()) => check_certificate(BufReader::new(&certificate[..])).ok(),
        Err(_) => None,
    };
    let mut open = Vec::new();
    for n in 1..=to {
        match proof.verdict(n) {
            // What the search calls proved counts if the checker, which shares nothing with
            // it, says so too.
            Some(Verdict::Proved) if checked.as_ref().is_some_and(|c| c.proves(n)) => {
                examined.tally.checked += 1;
            }
            Some(Verdict::Evaluated) => examined.tally.checked += 1,
            Some(Verdict::Refuted { value }) => {
                examined.tally.checked += 1;
                examined.tally.fail(Game::LongGlobalNim, &[n], Some(value), || {
                    format!("[{n},{{1..{n}}}] has the value {value}")
                });
            }
            Some(Verdict::Proved | Verdict::NotDecided) | None => open.push(n),
        }
    }
    examined.undecided = open.len() as u64;
    examined.remark = Some(what_is_known(&open, to));
    examined.certificate = checked.map(|_| certificate);
    examined
}

/// How far all is certified, and what is not decided.
fn what_is_known(open: &[u32], to: u32) -> String {
    let Some(&first) = open.first() else { return format!("holds to {to} (certified)") };
    // The end of the range is most often open as a whole.
    let mut rest = to;
    while open.len() as u32 > to - rest && open[open.len() - 1 - (to - rest) as usize] == rest {
        rest -= 1;
    }
    let (single, run) = open.split_at(open.len() - (to - rest) as usize);
    let mut parts: Vec<String> = single.iter().take(MOST_LISTED).map(u32::to_string).collect();
    if single.len() > MOST_LISTED {
        parts.push(format!("{} more", single.len() - MOST_LISTED));
    }
    match run {
        [] => {}
        [only] => parts.push(only.to_string()),
        [from, ..] => parts.push(format!("{from} to {to}")),
    }
    format!("holds to {} (certified), not decided for n = {}", first - 1, parts.join(", "))
}

/// Open n that are named one by one.
const MOST_LISTED: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_said_in_few_words() {
        assert_eq!(what_is_known(&[], 50), "holds to 50 (certified)");
        assert_eq!(
            what_is_known(&[7, 9, 49, 50], 50),
            "holds to 6 (certified), not decided for n = 7, 9, 49 to 50"
        );
        assert_eq!(what_is_known(&[50], 50), "holds to 49 (certified), not decided for n = 50");
        assert!(what_is_known(&[1, 2, 3], 3).ends_with("n = 1 to 3"));
        let odd: Vec<u32> = (1..60).step_by(2).collect();
        assert!(what_is_known(&odd, 60).ends_with("19, 20 more"));
    }
}
