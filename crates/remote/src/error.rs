//! Error types of requests.

use std::io;
use std::time::Duration;

/// A fault in the text of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressFault {
    #[error("it does not begin with http:// or https://")]
    Scheme,
    #[error("it names no server")]
    Server,
    #[error("it contains a user name or a password, which others could see")]
    Password,
    #[error("it contains a #, which no file address has")]
    Fragment,
    /// A character that is not an ASCII letter, digit or symbol.
    #[error("it contains a character that must be written as % and two digits")]
    Character,
}

/// An error while getting bytes from a server.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    #[error("invalid address '{text}': {fault}")]
    Address { text: String, fault: AddressFault },
    #[error("cannot read the certificates in {path}: {text}")]
    Certificates { path: String, text: String },
    #[error("{address}: {text}")]
    Broken { address: String, text: String },
    #[error("{address}: no secure connection: {text}")]
    Tls { address: String, text: String },
    #[error("{address}: {text}")]
    Unknown { address: String, text: String },
    /// The redirects do not lead to a file.
    #[error("{address}: {text}")]
    Redirect { address: String, text: String },
    #[error("{address}: the connection was cut after {found} bytes")]
    Cut { address: String, found: u64 },
    #[error("{address}: the server took too long")]
    Slow { address: String },
    /// Most of the time was lost to requests without an answer.
    #[error("{address}: the server took too long, and was silent for most of the time before")]
    Silent { address: String },
    #[error("{address}: out of time")]
    TimeUp { address: String },
    #[error("stopped before the end")]
    Stopped,
    #[error("{address} is {} (the server answers {status})", not_there(*status))]
    NotThere { address: String, status: u16 },
    #[error("{address}: the server answers {status}")]
    Status { address: String, status: u16, wait: Option<Duration> },
    #[error("{address}: the server serves no ranges, and the file is too large to read whole")]
    NoRanges { address: String },
    #[error("{address}: the server sent {found} instead of {requested}")]
    WrongRange { address: String, requested: String, found: String },
    #[error("{address}: the server sends more than the maximum of {most} bytes")]
    TooLong { address: String, most: u64 },
    #[error("{address} has {found} bytes, expected {expected}")]
    Length { address: String, found: u64, expected: u64 },
    #[error("{address} changed while it was read")]
    Changed { address: String },
    #[error("{address}: the server sends the file encoded as {encoding}; it must be plain")]
    Encoded { address: String, encoding: String },
    #[error("{address}: a request of {} MiB exceeds the memory limit", count.div_ceil(1 << 20))]
    Memory { address: String, count: u64 },
    #[error("{path}: {source}")]
    File { path: String, source: io::Error },
}

/// Explains why an answer with this status does not contain the file.
fn not_there(status: u16) -> &'static str {
    match status {
        401 | 403 => "forbidden or missing",
        _ => "not there",
    }
}

impl RemoteError {
    /// True if another try may succeed.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            RemoteError::Broken { .. } | RemoteError::Cut { .. } | RemoteError::Slow { .. } => true,
            // These statuses mean a timeout, too many or too early requests, or a temporary error.
            RemoteError::Status { status, .. } => {
                matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
            }
            _ => false,
        }
    }

    /// Returns the pause that the server requests.
    pub(crate) fn wait(&self) -> Option<Duration> {
        match self {
            RemoteError::Status { wait, .. } => *wait,
            _ => None,
        }
    }
}

impl From<RemoteError> for io::Error {
    fn from(error: RemoteError) -> io::Error {
        io::Error::other(error)
    }
}
