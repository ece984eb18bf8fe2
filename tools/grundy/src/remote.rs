//! The client for remote databases and packs, and its messages.

use std::env;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use grundy_remote::{Remote, Settings};

use crate::output::tell;
use crate::watch::is_interrupted;
use grundy::{Bytes, MemoryLimit, Number, Seconds};

static REMOTE: OnceLock<Arc<Remote>> = OnceLock::new();

/// Bytes of memory for fetched extents at most.
const MOST_MEMORY: u64 = 256 << 20;

/// Returns the client of this process, which caches fetched extents in a part of the memory.
pub(crate) fn client(memory: MemoryLimit) -> anyhow::Result<Arc<Remote>> {
    if let Some(remote) = REMOTE.get() {
        return Ok(Arc::clone(remote));
    }
    let remote = Remote::new(Settings {
        memory: memory.share(4).at_most(MOST_MEMORY).bytes(),
        // Other programs use this variable too.
        certificates: env::var_os("SSL_CERT_FILE").map(PathBuf::from),
        stop: Some(Box::new(is_interrupted)),
        ..Settings::default()
    })?;
    Ok(Arc::clone(REMOTE.get_or_init(|| Arc::new(remote))))
}

pub(crate) fn tell_fetched() {
    let Some(remote) = REMOTE.get() else { return };
    let counts = remote.counts();
    tell(format_args!(
        "grundy: {}, {} fetched in {}",
        Number(counts.requests, "request"),
        Bytes(counts.bytes),
        Seconds(counts.seconds),
    ));
}
