//! The client for databases and packs on servers.

use std::env;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use grundy_remote::{Remote, RemoteError, Settings};
use grundy_sweep::MemoryLimit;

/// The maximum number of bytes of memory for fetched extents.
const MOST_MEMORY: u64 = 256 << 20;

/// Returns a client that caches fetched extents in a part of `memory`. The client waits at most
/// `seconds` for a silent server before it tries again, and aborts a transfer when `stop` returns
/// true.
pub fn remote_client(
    memory: MemoryLimit,
    seconds: f64,
    stop: impl Fn() -> bool + Send + Sync + 'static,
) -> Result<Arc<Remote>, RemoteError> {
    let usual = Settings::default().patience;
    let patience = Duration::try_from_secs_f64(seconds.max(1.0)).map_or(usual, |p| p.min(usual));
    let remote = Remote::new(Settings {
        patience,
        memory: memory.share(4).at_most(MOST_MEMORY).bytes(),
        certificates: env::var_os("SSL_CERT_FILE").map(PathBuf::from),
        stop: Some(Box::new(stop)),
        ..Settings::default()
    })?;
    Ok(Arc::new(remote))
}
