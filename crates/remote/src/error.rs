//! What can go wrong between here and a server, as types.

use std::io;
use std::time::Duration;

/// Why a text is no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressFault {
    /// Neither http nor https.
    #[error("it does not begin with http:// or https://")]
    Scheme,
    /// No server is named.
    #[error("it names no server")]
    Server,
    /// A name or a password.
    #[error("it has a name or a password in it, which others would see")]
    Password,
    /// A place in a page.
    #[error("it has a # in it, which no file is named by")]
    Fragment,
    /// A character that is no letter, digit or sign of ASCII.
    #[error("it has a character in it that has to be written as % and two digits")]
    Character,
}

/// Why bytes could not be had.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // of fields, whose names say it
pub enum RemoteError {
    /// It is no address.
    #[error("'{text}' is no address: {fault}")]
    Address { text: String, fault: AddressFault },
    /// The certificates that were named cannot be used.
    #[error("the certificates in {path} cannot be read: {text}")]
    Certificates { path: String, text: String },
    /// There is no connection, or it broke.
    #[error("{address}: {text}")]
    Broken { address: String, text: String },
    /// The server is not who it should be, or speaks no TLS that is known here.
    #[error("{address}: no safe connection: {text}")]
    Tls { address: String, text: String },
    /// There is no such server, or the address names none.
    #[error("{address}: {text}")]
    Unknown { address: String, text: String },
    /// It leads elsewhere, and not to an end.
    #[error("{address}: {text}")]
    Redirect { address: String, text: String },
    /// The answer ended before its end.
    #[error("{address}: the connection was cut after {found} bytes")]
    Cut { address: String, found: u64 },
    /// The server says nothing, or too slowly.
    #[error("{address}: the server took too long")]
    Slow { address: String },
    /// The time is up that all of it was allowed to take.
    #[error("{address}: the time is up")]
    TimeUp { address: String },
    /// The caller asked for it.
    #[error("stopped before the end")]
    Stopped,
    /// There is no such file. Many servers answer 401 or 403 for what they do not have.
    #[error("{address} is {} (the server answers {status})", not_there(*status))]
    NotThere { address: String, status: u16 },
    /// The server refuses, or is at a loss.
    #[error("{address}: the server answers {status}")]
    Status { address: String, status: u16, wait: Option<Duration> },
    /// It sends whole files only, and the file is too large for that.
    #[error("{address}: the server serves no ranges, and the file is too large to be read whole")]
    NoRanges { address: String },
    /// It sent something else than was asked for.
    #[error("{address}: the server sent {found} where {asked} were asked for")]
    WrongRange { address: String, asked: String, found: String },
    /// More bytes than were asked for, or than such a file has.
    #[error("{address}: the server sends more than the {most} bytes that there can be")]
    TooLong { address: String, most: u64 },
    /// It has another length than what is known of it says.
    #[error("{address} has {found} bytes, should have {expected}")]
    Length { address: String, found: u64, expected: u64 },
    /// It is not the file that it was.
    #[error("{address} changed while it was read")]
    Changed { address: String },
    /// It was sent compressed, or in another way that is not the file's bytes.
    #[error("{address}: the server sends it as {encoding}, and not as it is")]
    Encoded { address: String, encoding: String },
    /// A range that takes more memory than there is.
    #[error("{address}: {count} bytes at once are more than the memory allows")]
    Memory { address: String, count: u64 },
    /// A file of this machine.
    #[error("{path}: {source}")]
    File { path: String, source: io::Error },
}

/// What an answer without a file means.
fn not_there(status: u16) -> &'static str {
    match status {
        401 | 403 => "not given to us, or not there",
        _ => "not there",
    }
}

impl RemoteError {
    /// Whether another try may go better.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            RemoteError::Broken { .. } | RemoteError::Cut { .. } | RemoteError::Slow { .. } => true,
            // Too many requests, too early, and what a server says when it is at a loss.
            RemoteError::Status { status, .. } => {
                matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
            }
            _ => false,
        }
    }

    /// How long the server asks to wait.
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
