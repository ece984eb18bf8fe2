//! Error types of requests.

use std::io;
use std::time::Duration;

/// A fault in the text of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum AddressFault {
    #[error("it does not begin with http:// or https://")]
    Scheme,
    #[error("it names no server")]
    Server,
    #[error("it has a name or a password in it, which others would see")]
    Password,
    #[error("it has a # in it, which no file is named by")]
    Fragment,
    /// A character that is not an ASCII letter, digit or symbol.
    #[error("it has a character in it that has to be written as % and two digits")]
    Character,
}

/// An error while getting bytes from a server.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // of fields, whose names say it
pub enum RemoteError {
    #[error("'{text}' is no address: {fault}")]
    Address { text: String, fault: AddressFault },
    #[error("the certificates in {path} cannot be read: {text}")]
    Certificates { path: String, text: String },
    #[error("{address}: {text}")]
    Broken { address: String, text: String },
    #[error("{address}: no safe connection: {text}")]
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
    #[error("{address}: the time is up")]
    TimeUp { address: String },
    #[error("stopped before the end")]
    Stopped,
    #[error("{address} is {} (the server answers {status})", not_there(*status))]
    NotThere { address: String, status: u16 },
    #[error("{address}: the server answers {status}")]
    Status { address: String, status: u16, wait: Option<Duration> },
    #[error("{address}: the server serves no ranges, and the file is too large to be read whole")]
    NoRanges { address: String },
    #[error("{address}: the server sent {found} where {asked} were asked for")]
    WrongRange { address: String, asked: String, found: String },
    #[error("{address}: the server sends more than the {most} bytes that there can be")]
    TooLong { address: String, most: u64 },
    #[error("{address} has {found} bytes, should have {expected}")]
    Length { address: String, found: u64, expected: u64 },
    #[error("{address} changed while it was read")]
    Changed { address: String },
    #[error("{address}: the server sends it as {encoding}, and not as it is")]
    Encoded { address: String, encoding: String },
    #[error("{address}: {} MiB at once are more than the memory allows", count.div_ceil(1 << 20))]
    Memory { address: String, count: u64 },
    #[error("{path}: {source}")]
    File { path: String, source: io::Error },
}

/// Explains a status of an answer that contains no file.
fn not_there(status: u16) -> &'static str {
    match status {
        401 | 403 => "not given to us, or not there",
        _ => "not there",
    }
}

impl RemoteError {
    /// True if another try may succeed.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            RemoteError::Broken { .. } | RemoteError::Cut { .. } | RemoteError::Slow { .. } => true,
            // Too many requests, too early, and temporary server errors.
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
