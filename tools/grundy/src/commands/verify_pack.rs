//! `grundy verify` for packs, which are checked without being unpacked.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::bail;
use grundy::{Bytes, Control, Game, Number};
use grundy_builder::known;
use grundy_pack::{MANIFEST_FILE, Pack, PackError, PackReport};
use serde_json::json;

use crate::End;
use crate::advice::with_advice;
use crate::args::{Common, Verify};
use crate::commands::certificate;
use crate::inputs::{digests, report_differences};
use crate::output::{Out, count_of, grouped, tell};
use crate::source::{check, open};
use crate::watch::{end_of_stopped, is_interrupted, stop_after, stop_on_interrupt};

pub(crate) fn is_source(word: &str) -> bool {
    let path = Path::new(word);
    let is_table = word.split('/').next().is_some_and(|name| name.parse::<Game>().is_ok());
    word.ends_with(".tar")
        || word.contains("://")
        || word.starts_with(['/', '.'])
        || !is_table && (path.is_file() || path.join(MANIFEST_FILE).is_file())
}

#[derive(Default)]
struct PackFindings {
    /// The report; `None` if the pack was not checked.
    checked: Option<PackReport>,
    signer: Option<String>,
    proof: Option<String>,
    as_expected: u64,
    /// The number of expected tables that the pack lacks.
    not_there: u64,
    problems: Vec<String>,
    stopped: bool,
}

pub(crate) fn run(common: &Common, wanted: &Verify, out: &mut Out) -> anyhow::Result<End> {
    if let Some(table) = wanted.tables.iter().find(|word| !is_source(word)) {
        bail!(
            "'{table}' is a table; check packs in a separate command, or write ./{table} if it is \
             a pack"
        );
    }
    if wanted.full || wanted.sample.is_some() {
        bail!("--full and --sample are for databases; unpack the pack, and verify the database");
    }
    let expected = wanted.against.as_deref().map(digests).transpose()?;
    common.start_threads()?;
    let control = stop_on_interrupt()?;
    stop_after(&control, wanted.seconds.unwrap_or(f64::INFINITY), "");
    let (mut is_sound, mut unread) = (true, None);
    for source in &wanted.tables {
        let seen = match look(common, wanted, source, expected.as_ref(), &control) {
            Ok(seen) => seen,
            // Check the other packs, then return the error.
            Err(error) if unread.is_none() => {
                unread = Some(error);
                continue;
            }
            Err(error) => {
                tell(format_args!("grundy: {}", with_advice(error.as_ref())));
                continue;
            }
        };
        is_sound &= seen.problems.is_empty();
        seen.report(source, wanted, out)?;
        if seen.stopped {
            if is_interrupted() || !is_sound {
                tell("grundy: stopped before the end");
            }
            return Ok(if is_sound { end_of_stopped() } else { End::Mismatch });
        }
    }
    match (unread, is_sound) {
        (Some(error), _) => Err(error),
        (None, true) => Ok(End::Fine),
        (None, false) => Ok(End::Mismatch),
    }
}

/// Checks a pack. An error means that the check was impossible; the pack itself may be sound.
fn look(
    common: &Common,
    wanted: &Verify,
    source: &str,
    expected: Option<&BTreeMap<String, String>>,
    control: &Control,
) -> anyhow::Result<PackFindings> {
    let mut seen = PackFindings::default();
    let opened = open(common, Path::new(source), wanted.pubkey.as_deref());
    let pack = match opened {
        Ok(pack) => pack,
        Err(error) => {
            return match error.downcast_ref::<PackError>() {
                Some(damaged @ PackError::Damaged { .. }) => {
                    seen.problems.push(with_advice(damaged));
                    Ok(seen)
                }
                _ => Err(error),
            };
        }
    };
    seen.signer.clone_from(&pack.manifest().signer);
    for (id, packed) in &pack.manifest().tables {
        if let Err(error) = known(id, &packed.entry) {
            seen.problems.push(with_advice(&error));
        }
    }
    // Decode no table if an entry is wrong, because a small file can decode to a huge table.
    if !seen.problems.is_empty() {
        return Ok(seen);
    }
    let checked = match check(common, &pack, control) {
        Err(PackError::Stopped) => return Ok(PackFindings { stopped: true, ..seen }),
        checked => checked?,
    };
    seen.problems.extend(checked.faults.iter().map(|fault| with_advice(fault)));
    seen.checked = Some(checked);
    seen.hold_against(&pack, expected, wanted)?;
    if seen.problems.is_empty() {
        match certificate::of_pack(common, &pack) {
            Ok(proof) => seen.proof = proof.map(|(proof, _)| certificate::sentence(&proof)),
            Err(error) if certificate::is_short_of_memory(&error) => return Err(error),
            Err(error) => seen.problems.push(format!("{error:#}")),
        }
    }
    Ok(seen)
}

impl PackFindings {
    fn hold_against(
        &mut self,
        pack: &Pack,
        expected: Option<&BTreeMap<String, String>>,
        wanted: &Verify,
    ) -> anyhow::Result<()> {
        let (Some(expected), Some(file)) = (expected, &wanted.against) else { return Ok(()) };
        let tables = &pack.manifest().tables;
        let mut unlisted = 0_u64;
        for (id, packed) in tables {
            match expected.get(id) {
                Some(digest) if *digest == packed.entry.digest() => self.as_expected += 1,
                Some(_) => self.problems.push(format!("{id} has an unexpected digest")),
                None => unlisted += 1,
            }
        }
        if unlisted == tables.len() as u64 {
            bail!(
                "{} lists none of the tables of {}; `grundy status --digests` writes such a list",
                file.display(),
                pack.path().display()
            );
        }
        self.not_there = expected.keys().filter(|id| !tables.contains_key(*id)).count() as u64;
        let of = format!(" of {}", pack.path().display());
        report_differences(file, pack.path(), &of, unlisted, self.not_there);
        Ok(())
    }

    /// Returns `checked` for a signature by the user's key, or `claimed` for a key from the pack.
    fn signature(&self, wanted: &Verify) -> Option<&'static str> {
        match (&wanted.pubkey, &self.signer) {
            (Some(_), _) if self.checked.is_some() => Some("checked"),
            (None, Some(_)) => Some("claimed"),
            _ => None,
        }
    }

    fn report(&self, source: &str, wanted: &Verify, out: &mut Out) -> anyhow::Result<()> {
        for problem in &self.problems {
            // The text of the problem may begin with the name of the pack.
            let name = if problem.starts_with(source) { "" } else { &format!("{source}: ") };
            tell(format_args!("grundy: {name}{problem}"));
        }
        let none = PackReport::default();
        let checked = self.checked.as_ref().unwrap_or(&none);
        let signature = self.signature(wanted);
        let against = wanted.against.as_ref();
        if out.is_json() {
            out.object(&json!({
                "pack": source,
                "tables": checked.tables,
                "shards": checked.shards,
                "bytes": checked.bytes,
                "values": checked.values,
                "signer": self.signer,
                "signature": signature,
                "as_expected": against.map(|_| self.as_expected),
                "not_there": against.map(|_| self.not_there),
                "certificate": self.proof,
                "problems": self.problems,
                "complete": !self.stopped,
            }))?;
            return Ok(());
        }
        if self.checked.is_none() {
            return Ok(());
        }
        let signed = match (signature, &self.signer) {
            (Some("checked"), _) => "; signed by the given key".to_owned(),
            (_, Some(key)) => format!("; signed by {key}, which the pack itself names (--pubkey)"),
            _ => String::new(),
        };
        let expected = Number(self.as_expected, "digest");
        let as_expected = against.map_or(String::new(), |_| format!("; {expected} as expected"));
        let proof = self.proof.as_ref();
        let proof =
            proof.map_or(String::new(), |proof| format!("; {}: {proof}", certificate::FILE));
        out.line(format!(
            "{source}: {}, {}, {}: {} values have the right checksums{signed}{as_expected}{proof}; {}",
            Number(checked.tables, "table"),
            Number(checked.shards, "shard"),
            Bytes(checked.bytes),
            grouped(checked.values),
            count_of(self.problems.len(), "problem"),
        ))?;
        Ok(())
    }
}
