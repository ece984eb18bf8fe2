//! Packs, wherever they lie: here, or on a server.

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
use crate::output::{available_space, tell};
use crate::places::{address_of, text};
use crate::watch::with_bytes;
use grundy::Bytes;
use grundy::Control;

/// More than a list of digests or a signature has.
const MOST_OWN: u64 = 1 << 20;

/// Bytes of the beginning of a tar, which is asked for to know its length.
const BEGINNING: u64 = 512;

fn key(file: Option<&Path>) -> anyhow::Result<Option<PublicKey>> {
    let Some(file) = file else { return Ok(None) };
    match PublicKey::of_text(&text(file)?) {
        Ok(key) => Ok(Some(key)),
        Err(error) => bail!("{}: {error}", file.display()),
    }
}

/// Opens a pack where it lies. Of one on a server, what is read is not kept.
pub(crate) fn open(common: &Common, source: &Path, pubkey: Option<&Path>) -> anyhow::Result<Pack> {
    let key = key(pubkey)?;
    let Some(address) = address_of(source)? else { return Ok(Pack::open(source, key.as_ref())?) };
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
    /// One of those that say what the others are: it is here.
    Text(Vec<u8>),
    /// One of the others, by its length.
    Data(u64),
}

/// The files that `pack.json` at an address lists, and the address of its folder.
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

/// Checks every byte of a pack, while a bar shows how far it is.
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

/// Counts bytes on a control, and says whether to go on.
pub(crate) fn advance(control: &Control, bytes: u64) -> bool {
    control.advance(bytes);
    !control.is_stopped()
}

/// A pack that has arrived: it lies here, or was fetched.
pub(crate) struct Arrived {
    pub(crate) pack: Pack,
    fetched: Option<PathBuf>,
}

impl Arrived {
    /// Takes away what was fetched: it is in the database, or is damaged.
    pub(crate) fn clear(&self) {
        if let Some(folder) = &self.fetched {
            // What is left of it does no harm, and the next one takes it away.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

/// Opens a pack to be unpacked. One on a server is fetched first, into a folder in that of the database;
/// what is there already is not fetched again.
pub(crate) fn arrive(
    common: &Common,
    source: &Path,
    pubkey: Option<&Path>,
    control: &Control,
) -> anyhow::Result<Arrived> {
    let Some(address) = address_of(source)? else {
        return Ok(Arrived { pack: open(common, source, pubkey)?, fetched: None });
    };
    // Names, lengths and the signature before the data: what is no pack is not fetched.
    let seen = open(common, source, pubkey)?;
    let remote = common.remote()?;
    let digest = blake3::hash(source.as_os_str().as_encoded_bytes()).to_hex();
    let folder = common.folder()?.join(format!("fetched-{}", &digest[..16]));
    let length: u64 = seen.manifest().files.values().map(|file| file.bytes).sum();
    if let Some(free) = available_space(&folder)
        && free < length
    {
        bail!(
            "{} would take {}, and {} are free there",
            folder.display(),
            Bytes(length),
            Bytes(free)
        );
    }
    // One at a time: they would write the same files.
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
            "grundy: what arrived is in {}, and the same command goes on from there",
            folder.display()
        ));
        return Err(error.into());
    }
    match Pack::open(&to, key(pubkey)?.as_ref()) {
        Ok(pack) if pack.manifest() == seen.manifest() => {
            Ok(Arrived { pack, fetched: Some(folder) })
        }
        opened => {
            let _ = fs::remove_dir_all(&folder);
            opened?;
            bail!("{} changed while it was fetched; say it again", source.display());
        }
    }
}
