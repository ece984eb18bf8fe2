//! Checks certificates of the triangular-number conjecture, and puts them into packs and databases.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use grundy::Number;
use grundy::papers::conjecture::{self, CertificateError, ValidCertificate};
use grundy_builder::Lock;
use grundy_pack::Pack;
use grundy_shard::publish::{publish, read_regular};
use serde_json::json;

use crate::End;
use crate::args::Common;
use crate::commands::prove;
use crate::inputs::read;
use crate::output::{Out, grouped, tell};

/// The certificate's file name in a database folder and in a pack.
pub(crate) const FILE: &str = "conj34.cert";

/// Maximum bytes of a packed certificate. The certificate up to n = 2000 has 24 MB.
const MOST: u64 = 256 << 20;

pub(crate) fn run(common: &Common, file: &Path, out: &mut Out) -> anyhow::Result<End> {
    if prove::is_certificate(file) {
        return prove::verify(common, file, out);
    }
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
        out.line(format!("{}: {}", file.display(), sentence(&checked)))?;
    }
    Ok(if gap.is_some() { End::Mismatch } else { End::Fine })
}

pub(crate) fn sentence(checked: &ValidCertificate) -> String {
    let proves = match checked.first_gap() {
        None => format!("they prove the conjecture for n = 1 to {}", checked.bound()),
        Some(n) => format!("they leave out at least n = {n} of n = 1 to {}", checked.bound()),
    };
    format!("{} hold; {proves}", Number(checked.families(), "family"))
}

/// Reads a certificate for a pack; refuses a certificate with a gap.
pub(crate) fn to_pack(common: &Common, file: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = read(file, common.memory.at_most(MOST).bytes())?;
    whole(common, file, &bytes)?;
    Ok(bytes)
}

/// Returns the checked certificate of a pack; `None` if the pack has no certificate.
pub(crate) fn of_pack(
    common: &Common,
    pack: &Pack,
) -> anyhow::Result<Option<(ValidCertificate, Vec<u8>)>> {
    let name = pack.path().join(FILE);
    let length = pack.manifest().files.get(FILE).map_or(0, |file| file.bytes);
    if length > common.memory.at_most(MOST).bytes() {
        bail!("{} has {} bytes, more than a certificate can have", name.display(), grouped(length));
    }
    let Some(bytes) = pack.text(FILE)? else { return Ok(None) };
    let checked = whole(common, &name, &bytes)?;
    Ok(Some((checked, bytes)))
}

/// Checks that a certificate proves every n up to its bound.
fn whole(common: &Common, name: &Path, bytes: &[u8]) -> anyhow::Result<ValidCertificate> {
    let checked = conjecture::check_bytes(name, bytes, common.memory)?;
    if let Some(n) = checked.first_gap() {
        let bound = checked.bound();
        bail!("{} leaves out at least n = {n} of n = 1 to {bound}", name.display());
    }
    Ok(checked)
}

pub(crate) fn is_short_of_memory(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<conjecture::CertificateFailure>()
        .is_some_and(|failure| matches!(failure.source, CertificateError::Memory))
}

/// Puts the certificate of a pack into a database folder. An existing certificate stays, because it
/// may prove more.
pub(crate) fn unpack(common: &Common, bytes: &[u8], out: &mut Out) -> anyhow::Result<()> {
    let _lock = Lock::take(&common.db)?;
    let file: PathBuf = common.db.join(FILE);
    // If this look fails, publishing fails, too, and reports the reason. A file that cannot be read
    // counts as different.
    if file.symlink_metadata().is_ok() {
        let is_same = read_regular(&file, bytes.len() as u64).is_ok_and(|there| there == bytes);
        if !is_same {
            tell(format_args!("grundy: {} already exists and differs; it is kept", file.display()));
        }
        return Ok(());
    }
    publish(&file, bytes).with_context(|| format!("cannot write {}", file.display()))?;
    match out.is_json() {
        true => out.object(&json!({ "certificate": file.display().to_string() }))?,
        false => out.line(format!("unpacked {}", file.display()))?,
    }
    Ok(())
}
