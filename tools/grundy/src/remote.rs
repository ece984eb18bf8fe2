//! The client for remote databases and packs, and its messages.

use std::sync::{Arc, OnceLock};

use grundy_remote::Remote;

use crate::output::tell;
use crate::watch::is_interrupted;
use grundy::{Bytes, Limits, Number, Seconds, remote_client};

/// The client is global, because the program reports at its end what it fetched, after any error.
static REMOTE: OnceLock<Arc<Remote>> = OnceLock::new();

/// Returns the client of this process. It caches fetched bytes within a part of the memory, and
/// waits at most `limits.seconds` for a silent server.
pub(crate) fn client(limits: Limits) -> anyhow::Result<Arc<Remote>> {
    if let Some(remote) = REMOTE.get() {
        return Ok(Arc::clone(remote));
    }
    let remote = remote_client(limits.memory, limits.seconds, is_interrupted)?;
    Ok(Arc::clone(REMOTE.get_or_init(|| remote)))
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
