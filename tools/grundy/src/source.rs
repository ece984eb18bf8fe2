//! Opens, checks and fetches local and remote packs.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use grundy_builder::Lock;
use grundy_pack::{
    MANIFEST_FILE, MOST_MANIFEST_BYTES, Pack, PackError, PackManifest, PackReport, PublicKey,
    SIGNATURE_FILE,
};
use grundy_remote::{Address, Passing, Remote, RemoteFile, RemotePart, download};
use grundy_shard::Source;

use crate::args::Common;
use crate::inputs::text;
use crate::output::{available_space, tell};
use crate::watch::with_bytes;
use grundy::{Bytes, Control};

/// Maximum bytes of a list of digests or a signature.
const MOST_OWN: u64 = 1 << 20;

/// Bytes to request from the beginning of a tar. The server also sends the length of the tar.
const BEGINNING: u64 = 512;

fn key(file: Option<&Path>) -> anyhow::Result<Option<PublicKey>> {
    let Some(file) = file else { return Ok(None) };
    match PublicKey::of_text(&text(file)?) {
        Ok(key) => Ok(Some(key)),
        Err(error) => bail!("{}: {error}", file.display()),
    }
}

/// Opens a pack without copying it. Does not cache bytes of a remote pack.
pub(crate) fn open(common: &Common, source: &Path, pubkey: Option<&Path>) -> anyhow::Result<Pack> {
    let key = key(pubkey)?;
    let Some(address) = Address::of_place(source)? else {
        return Ok(Pack::open(source, key.as_ref())?);
    };
    let remote = common.remote()?;
    let whole = |file: RemoteFile| -> Arc<dyn Source + Send + Sync> {
        Arc::new(Passing(RemotePart::whole(Arc::new(file))))
    };
    if address.ends_with(".tar") {
        let beginning = remote.beginning(&address, BEGINNING)?;
        return Ok(Pack::open_tar(source, whole(beginning.file(&remote)), key.as_ref())?);
    }
    let (address, files) = listed(&remote, address)?;
    let files = files.into_iter().map(|(name, file)| {
        let source: Arc<dyn Source + Send + Sync> = match file {
            File::Text(bytes) => Arc::new(bytes),
            File::Data(length) => {
                let at = address.below(&name);
                whole(RemoteFile::new(Arc::clone(&remote), at, length))
            }
        };
        (name, source)
    });
    Ok(Pack::open_files(source, files.collect(), key.as_ref())?)
}

enum File {
    /// The content of a file that describes the other files.
    Text(Vec<u8>),
    /// The length of a file of values.
    Data(u64),
}

/// Returns the files that `pack.json` lists at an address, and the address of its folder.
fn listed(
    remote: &Arc<Remote>,
    address: Address,
) -> anyhow::Result<(Address, Vec<(String, File)>)> {
    let address = address.folder_of(MANIFEST_FILE).unwrap_or(address);
    let text = remote.text(&address.below(MANIFEST_FILE), MOST_MANIFEST_BYTES)?.bytes;
    let manifest = PackManifest::of_text(&text)
        .map_err(|fault| PackError::damaged(Path::new(&address.to_string()), fault))?;
    let mut files: Vec<(String, File)> = (manifest.files.iter())
        .map(|(name, entry)| (name.clone(), File::Data(entry.bytes)))
        .collect();
    files.push((MANIFEST_FILE.to_owned(), File::Text(text)));
    let signature = manifest.signer.iter().map(|_| SIGNATURE_FILE);
    for name in ["SHA256SUMS", "B3SUMS"].into_iter().chain(signature) {
        let text = remote.text(&address.below(name), MOST_OWN)?;
        files.push((name.to_owned(), File::Text(text.bytes)));
    }
    Ok((address, files))
}

/// Checks every byte of a pack, with a progress bar.
pub(crate) fn check(
    common: &Common,
    pack: &Pack,
    control: &Control,
) -> Result<PackReport, PackError> {
    let total = pack.manifest().files.values().map(|file| file.bytes).sum();
    with_bytes(control, total, || {
        pack.check(common.memory.bytes(), &|bytes| advance(control, bytes))
    })
}

/// Adds bytes to the progress of a control; returns false if the job should stop.
pub(crate) fn advance(control: &Control, bytes: u64) -> bool {
    control.advance(bytes);
    !control.is_stopped()
}

/// A pack on this machine. If its files were fetched, `fetched` is the folder of these files.
pub(crate) struct Arrived {
    pub(crate) pack: Pack,
    fetched: Option<PathBuf>,
}

impl Arrived {
    /// Removes the fetched files, which are damaged or have been copied into the database.
    pub(crate) fn clear(&self) {
        if let Some(folder) = &self.fetched {
            // Ignore a failure: files that stay do no harm, and the next run removes them.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

/// Opens a pack for unpacking. First fetches the files of a remote pack into a folder of the
/// database, except those that an earlier run fetched.
pub(crate) fn arrive(
    common: &Common,
    source: &Path,
    pubkey: Option<&Path>,
    control: &Control,
) -> anyhow::Result<Arrived> {
    let Some(address) = Address::of_place(source)? else {
        return Ok(Arrived { pack: open(common, source, pubkey)?, fetched: None });
    };
    // Check names, lengths and the signature before fetching the pack.
    let seen = open(common, source, pubkey)?;
    let remote = common.remote()?;
    let digest = blake3::hash(source.as_os_str().as_encoded_bytes()).to_hex();
    let folder = common.folder()?.join(format!("fetched-{}", &digest[..16]));
    let length: u64 = seen.manifest().files.values().map(|file| file.bytes).sum();
    if let Some(free) = available_space(&folder)
        && free < length
    {
        bail!(
            "{} would need {} of disk space, but only {} are free",
            folder.display(),
            Bytes(length),
            Bytes(free)
        );
    }
    // Only one process at a time may write these files.
    let _lock = Lock::take(common.folder()?)?;
    let made = fs::create_dir_all(&folder);
    made.with_context(|| format!("cannot create {}", folder.display()))?;
    let (to, files) = if address.ends_with(".tar") {
        let length = remote.beginning(&address, BEGINNING)?.length;
        (folder.join("pack.tar"), vec![(address, folder.join("pack.tar"), length)])
    } else {
        let (address, listed) = listed(&remote, address)?;
        let to = folder.join("pack");
        fs::create_dir_all(&to).with_context(|| format!("cannot create {}", to.display()))?;
        let mut files = Vec::new();
        for (name, file) in listed {
            let path = to.join(&name);
            match file {
                File::Text(bytes) => {
                    let written = fs::write(&path, bytes);
                    written.with_context(|| format!("cannot write {}", path.display()))?;
                }
                File::Data(length) => files.push((address.below(&name), path, length)),
            }
        }
        (to, files)
    };
    let total = files.iter().map(|(.., length)| length).sum();
    let fetched = with_bytes(control, total, || {
        files.iter().try_for_each(|(address, path, length)| {
            download(&remote, address, *length, path, &|bytes| control.advance(bytes))
        })
    });
    if let Err(error) = fetched {
        tell(format_args!(
            "grundy: the received part is in {}; the same command continues from there",
            folder.display()
        ));
        return Err(error.into());
    }
    match Pack::open(&to, key(pubkey)?.as_ref()) {
        Ok(pack) if pack.manifest() == seen.manifest() => {
            Ok(Arrived { pack, fetched: Some(folder) })
        }
        opened => {
            // The next run removes files that stay.
            let _ = fs::remove_dir_all(&folder);
            opened?;
            bail!("{} changed while it was fetched; repeat the command", source.display());
        }
    }
}
