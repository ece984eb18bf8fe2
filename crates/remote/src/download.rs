//! Downloads of whole files, which continue from the bytes already on disk.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::Arc;

use crate::{Address, Remote, RemoteError, RemoteFile, RemotePart};

/// The number of bytes to request normally, and the number to request after a cut connection.
const STEP: u64 = 4 << 20;
const LEAST_STEP: u64 = 64 << 10;

/// Appends the missing bytes to the file at `path`, up to `length` bytes. Existing bytes count as
/// the first bytes of the remote file, so the caller must check the contents afterwards. Calls
/// `watch` after each step with the number of bytes.
///
/// # Errors
/// [`RemoteError`] if a request fails. The bytes that arrived before the failure stay in the file.
pub fn download(
    remote: &Arc<Remote>,
    address: &Address,
    length: u64,
    path: &Path,
    watch: &dyn Fn(u64),
) -> Result<(), RemoteError> {
    let failed = |source: io::Error| RemoteError::File { path: path.display().to_string(), source };
    let open = OpenOptions::new().create(true).truncate(false).write(true).open(path);
    let mut file: File = open.map_err(failed)?;
    let mut at = file.metadata().map_err(failed)?.len();
    if at > length {
        // The local file is longer than the remote file, so it must be another file.
        file.set_len(0).map_err(failed)?;
        at = 0;
    }
    file.seek(SeekFrom::Start(at)).map_err(failed)?;
    watch(at);
    let from = RemoteFile::new(Arc::clone(remote), address.clone(), length);
    let from = RemotePart::whole(Arc::new(from));
    let mut step = STEP;
    while at < length {
        let count = step.min(length - at).min(remote.settings.memory);
        let bytes = match from.read(at, count) {
            // Some servers often cut connections, but can still send small parts.
            Err(error) if error.is_passing() && step > LEAST_STEP => {
                step = LEAST_STEP;
                continue;
            }
            read => read?,
        };
        step = (2 * step).min(STEP);
        file.write_all(&bytes).map_err(failed)?;
        at += count;
        watch(count);
    }
    file.sync_all().map_err(failed)
}
