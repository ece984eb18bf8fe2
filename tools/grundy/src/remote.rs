//! Databases and packs on servers: the client, and what is told of it.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use anyhow::bail;
use grundy::tables::is_folder_pack;
use grundy_remote::{Address, Remote, Settings};

use crate::args::Common;
use crate::output::tell;
use crate::watch::is_interrupted;
use grundy::Bytes;

/// The client of this process, if it has one.
static REMOTE: OnceLock<Arc<Remote>> = OnceLock::new();

/// memory that fetched extents take at most, whatever is allowed.
const MOST_MEMORY: u64 = 256 << 20;

/// The address that a place is meant to be; `None` for one of this machine.
pub(crate) fn address_of(place: &Path) -> anyhow::Result<Option<Address>> {
    match place.to_str() {
        Some(text) if Address::is_meant(text) => Ok(Some(text.parse()?)),
        _ => Ok(None),
    }
}

impl Common {
    /// The client.
    pub(crate) fn remote(&self) -> anyhow::Result<Arc<Remote>> {
        if let Some(remote) = REMOTE.get() {
            return Ok(Arc::clone(remote));
        }
        let remote = Remote::new(Settings {
            memory: self.memory.share(4).at_most(MOST_MEMORY).bytes(),
            // What other programs look for too.
            certificates: env::var_os("SSL_CERT_FILE").map(PathBuf::from),
            stop: Some(Box::new(is_interrupted)),
            ..Settings::default()
        })?;
        Ok(Arc::clone(REMOTE.get_or_init(|| Arc::new(remote))))
    }

    /// The database folder, for what writes there, or reads files of it by itself.
    pub(crate) fn folder(&self) -> anyhow::Result<&Path> {
        let db = self.db.display();
        if address_of(&self.db)?.is_some() {
            bail!(
                "{db} is on a server, and this needs a database folder; `grundy unpack {db} --db DIR` \
                 makes one of a pack"
            );
        }
        let is_pack = is_folder_pack(&self.db);
        if is_pack || self.db.is_file() {
            let what = if is_pack { "pack" } else { "file" };
            bail!(
                "{db} is a {what}, and this needs a database folder; `grundy unpack {db} --db DIR` \
                 makes one of a pack"
            );
        }
        Ok(&self.db)
    }
}

/// Tells what was fetched, if anything was.
pub(crate) fn tell_fetched() {
    let Some(remote) = REMOTE.get() else { return };
    let counts = remote.counts();
    let requests = match counts.requests {
        1 => "1 request".to_owned(),
        count => format!("{count} requests"),
    };
    tell(format_args!(
        "grundy: {requests}, {} fetched in {:.2} s",
        Bytes(counts.bytes),
        counts.seconds,
    ));
}
