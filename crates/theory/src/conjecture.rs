//! Checks the triangular-number conjecture with families and certificates (`grundy_triangular`).

use grundy_sweep::MemoryLimit;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use grundy_rules::{Game, games};
use grundy_sweep::cost::price::FAMILIES;
pub use grundy_triangular::{CertificateError, ValidCertificate};
use grundy_triangular::{Ended, Limits, Proof, ProveError, Verdict, check_certificate_within};

use crate::domain::Extent;
use crate::estimate::{CertificateSink, Estimate, Means};
use crate::job::{Examination, Job};

/// The search keeps its first certificate after `FIRST_KEPT`. The time until it keeps the next one
/// is at least `SEARCHED_FOR_KEPT` times the time that it took to keep a certificate.
const FIRST_KEPT: Duration = Duration::from_secs(2);
const SEARCHED_FOR_KEPT: u32 = 20;

/// Searches for families up to n, and keeps certificates in the meantime. Returns the proof, and
/// the reason why the search ended: the bound, the memory limit, or a stop by the control.
fn search(to: u32, job: &Job<'_>) -> Result<(Proof, Ended), ProveError> {
    let mut last = 0;
    let mut proof = job.certificate.map_or_else(Proof::new, Proof::of_certificate);
    let (mut since, mut wait) = (Instant::now(), FIRST_KEPT);
    loop {
        let mut pause = false;
        let mut watch = |progress: grundy_triangular::Progress| {
            // Pause to keep a certificate only between two values of n. Then no work is lost.
            let next = progress.n > last;
            job.control.advance(u64::from(progress.n.saturating_sub(last)));
            last = last.max(progress.n);
            pause = next && job.keeper.is_some() && since.elapsed() >= wait;
            if pause || job.control.is_stopped() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let ended = proof.extend(to, &Limits { memory: job.memory.bytes() }, &mut watch)?;
        match job.keeper {
            Some(keeper) if pause && ended == Ended::Stopped && !job.control.is_stopped() => {
                let start = Instant::now();
                keep(&proof, keeper, job.memory);
                since = Instant::now();
                wait = FIRST_KEPT.max((since - start) * SEARCHED_FOR_KEPT);
            }
            _ => return Ok((proof, ended)),
        }
    }
}

/// Keeps the certificate of the proof so far, if memory suffices and the checker accepts it.
/// Otherwise the previous certificate stays, and the end of the search reports the reason.
fn keep(proof: &Proof, keeper: CertificateSink<'_>, memory: MemoryLimit) {
    let mut certificate = Vec::new();
    let written = proof.write_to(&mut certificate);
    let left = memory.minus(proof.bytes()).minus(certificate.len() as u64).bytes();
    if written.is_ok() && check_certificate_within(&certificate[..], left).is_ok() {
        (keeper.0)(&certificate);
    }
}

/// Checks a certificate within about this much memory, with code independent of the search.
pub fn check_file(
    path: &Path,
    memory: MemoryLimit,
) -> Result<ValidCertificate, CertificateFailure> {
    let failed = |source| CertificateFailure { path: path.to_owned(), source };
    // Opening a pipe may wait for ever, and reading a device may never end.
    let regular = fs::metadata(path).and_then(|found| match found.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    });
    let opened = regular.and_then(|()| File::open(path));
    let file = opened.map_err(|error| failed(error.into()))?;
    check_certificate_within(BufReader::new(file), memory.bytes()).map_err(failed)
}

/// Checks a certificate in memory; error messages call it `name`.
pub fn check_bytes(
    name: &Path,
    bytes: &[u8],
    memory: MemoryLimit,
) -> Result<ValidCertificate, CertificateFailure> {
    check_certificate_within(bytes, memory.bytes())
        .map_err(|source| CertificateFailure { path: name.to_owned(), source })
}

#[derive(Debug, thiserror::Error)]
#[error("{}", self.said())]
pub struct CertificateFailure {
    pub path: PathBuf,
    pub source: CertificateError,
}

impl CertificateFailure {
    fn said(&self) -> String {
        let path = self.path.display();
        match self.source {
            CertificateError::Memory | CertificateError::Io(_) => {
                format!("cannot check the certificate {path}")
            }
            _ => format!("the certificate {path} proves nothing"),
        }
    }
}

/// Estimates the cost of the search and of checking its result. Memory was measured at n = 2000 (30
/// MB), 2500 (100 MB) and 3000 (610 MB).
pub(crate) fn cost(_: &[Game], extent: &Extent, means: &Means<'_>) -> Estimate {
    let to = extent.bound();
    let scaled = |n: u32, power| (f64::from(n) / 2000.0).powi(power);
    let memory = ((16.0 * scaled(to, 9) + 16.0) * f64::from(1 << 20)) as u64;
    // An earlier certificate stays in memory, and its range is not searched again.
    let (known, before) = means.certificate.map_or((0, 0), |c| (c.bound(), c.bytes()));
    let seconds = (0.1 + (scaled(to, 14) - scaled(known, 14)).max(0.0)) * FAMILIES;
    let memory = memory.max(before).saturating_add(before);
    Estimate { positions: to.into(), cells: to.into(), seconds, memory }
}

/// Checks every n up to the bound, by a family whose certificate the checker accepts, or by exact
/// evaluation. Only an exact evaluation can give a counterexample.
pub(crate) fn check(job: &Job<'_>) -> Examination {
    let mut examined = Examination::default();
    let to = job.bound();
    let (proof, ended) = match search(to, job) {
        Ok(found) => found,
        Err(error) => {
            let remark = Some(error.to_string());
            return Examination { stopped: true, remark, ..examined };
        }
    };
    examined.stopped = proof.decided() <= to;
    let mut certificate = Vec::new();
    let checked = match proof.write_to(&mut certificate) {
        Ok(()) => check_certificate_within(&certificate[..], job.memory.bytes()),
        Err(error) => Err(error.into()),
    };
    let mut open = Vec::new();
    for n in 1..=to {
        match proof.verdict(n) {
            // A result of the search counts as proved only if the independent checker agrees.
            Some(Verdict::Proved) if checked.as_ref().is_ok_and(|c| c.proves(n)) => {
                examined.tally.checked += 1;
            }
            Some(Verdict::Evaluated) => examined.tally.checked += 1,
            Some(Verdict::Refuted { value }) => {
                examined.tally.checked += 1;
                examined.tally.fail(games::LONG_GLOBAL_NIM, &[n], Some(value), || {
                    format!("[{n},{{1..{n}}}] has the value {value}")
                });
            }
            Some(Verdict::Proved | Verdict::NotDecided) | None => open.push(n),
        }
    }
    examined.undecided = open.len() as u64;
    let why = match (&checked, ended) {
        (Err(error), _) => format!("; its certificate is invalid: {error}"),
        (Ok(_), Ended::Memory) => "; the memory limit was reached".to_owned(),
        (Ok(_), Ended::Finished | Ended::Stopped) => String::new(),
    };
    examined.remark = Some(known_range(&open, to) + &why);
    examined.certificate = checked.is_ok().then_some(certificate);
    examined
}

fn known_range(open: &[u32], to: u32) -> String {
    let Some(&first) = open.first() else { return format!("holds to {to} (certified)") };
    // Usually all n at the end of the range are undecided. Find the first of them.
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

const MOST_LISTED: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{looked_with, means, up_to};

    /// Up to ten undecided n are listed. If the last n are all undecided, they are listed as a
    /// range.
    #[test]
    fn open_cases_are_listed_briefly() {
        let odd: Vec<u32> = (1..20).step_by(2).collect();
        let named = "0 (certified), not decided for n = 1, 3, 5, 7, 9, 11, 13, 15, 17, 19";
        for (open, to, said) in [
            (vec![], 50, "50 (certified)"),
            (vec![7, 9, 49, 50], 50, "6 (certified), not decided for n = 7, 9, 49 to 50"),
            (vec![50], 50, "49 (certified), not decided for n = 50"),
            (vec![1, 2, 3], 3, "0 (certified), not decided for n = 1 to 3"),
            (odd.clone(), 90, named),
            ([&odd[..], &[21]].concat(), 90, &format!("{named}, 1 more")),
            ([&odd[..], &[89, 90]].concat(), 90, &format!("{named}, 89 to 90")),
            ([&odd[..], &[90]].concat(), 90, &format!("{named}, 90")),
            ((1..60).step_by(2).collect(), 60, &format!("{named}, 20 more")),
        ] {
            assert_eq!(known_range(&open, to), format!("holds to {said}"));
        }
    }

    fn run(to: u32, memory: u64, certificate: Option<&ValidCertificate>) -> Examination {
        let means = Means { certificate, ..means(memory, 1) };
        looked_with("lgn.conj34", up_to(to), &[], &means).unwrap().examined
    }

    /// If memory suffices, every n is checked and certified, and the independent checker accepts
    /// the certificate.
    #[test]
    fn proved_cases_are_counted() {
        let found = run(40, 1 << 30, None);
        assert_eq!((found.tally.checked, found.tally.failures, found.undecided), (40, 0, 0));
        assert_eq!((found.stopped, found.certificate.is_some()), (false, true));
        assert_eq!(found.remark.as_deref(), Some("holds to 40 (certified)"));
        let bytes = found.certificate.unwrap();
        let name = Path::new("name");
        let checked = check_bytes(name, &bytes, MemoryLimit::new(1 << 30)).unwrap();
        let further = run(60, 1 << 30, Some(&checked));
        assert_eq!((further.tally.checked, further.undecided), (60, 0));
        let memory = |certificate| {
            let extent = Extent::Numbers { what: "n".into(), to: 100 };
            let means = Means { certificate, ..means(0, 1) };
            cost(&[games::LONG_GLOBAL_NIM], &extent, &means).memory
        };
        assert_eq!(memory(Some(&checked)), memory(None) + checked.bytes());
        let said = |failure: CertificateFailure| failure.to_string();
        let error = check_bytes(name, &bytes, MemoryLimit::new(0)).err().unwrap();
        assert_eq!(said(error), "cannot check the certificate name");
        let error =
            check_bytes(name, &bytes[..bytes.len() / 2], MemoryLimit::new(1 << 30)).err().unwrap();
        assert_eq!(said(error), "the certificate name proves nothing");
        let error = check_file(Path::new("."), MemoryLimit::new(1 << 30)).err().unwrap();
        assert!(error.source.to_string().len() + error.to_string().len() > 20);
        assert_eq!(said(error), "cannot check the certificate .");
    }

    #[test]
    fn little_memory_decides_few_cases() {
        let found = run(60, 1, None);
        assert_eq!((found.tally.checked + found.undecided, found.stopped), (60, true));
        assert!(found.undecided > 0 && found.tally.failures == 0);
        let remark = found.remark.unwrap();
        assert!(remark.contains("not decided for n = "), "{remark}");
    }

    /// A certificate is kept only if there is enough memory to check it.
    #[test]
    fn certificates_are_kept() {
        let mut proof = Proof::new();
        let limits = Limits { memory: 1 << 30 };
        proof.extend(30, &limits, &mut |_| ControlFlow::Continue(())).unwrap();
        let kept = std::sync::Mutex::new(Vec::new());
        let keep_in = |bytes: &[u8]| kept.lock().unwrap().push(bytes.to_vec());
        keep(&proof, CertificateSink(&keep_in), MemoryLimit::new(0));
        assert!(kept.lock().unwrap().is_empty());
        keep(&proof, CertificateSink(&keep_in), MemoryLimit::new(1 << 30));
        let kept = kept.lock().unwrap().clone();
        assert_eq!(kept.len(), 1);
        let checked = check_bytes(Path::new("kept"), &kept[0], MemoryLimit::new(1 << 30)).unwrap();
        assert!((1..=30).all(|n| proof.verdict(n) != Some(Verdict::Proved) || checked.proves(n)));
        assert_eq!(format!("{:?}", CertificateSink(&keep_in)), "CertificateSink");
    }
}
