//! Addresses of files and folders, which are http and https URLs.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::{AddressFault, RemoteError};

/// The address of a file, or of a folder of files, on a web server.
///
/// ```
/// use grundy_remote::Address;
///
/// let release: Address = "https://example.org/tables/?token=7".parse()?;
/// // The query may contain a secret, so it is not shown.
/// assert_eq!(release.below("nim/n64").to_string(), "https://example.org/tables/nim/n64?...");
/// # Ok::<(), grundy_remote::RemoteError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// The scheme, the server and the path, without a slash at the end.
    path: String,
    /// The query, from the question mark on; or an empty text.
    query: String,
    is_https: bool,
}

impl Address {
    /// True if a word looks like an address, even if it is invalid.
    pub fn is_meant(word: &str) -> bool {
        word.contains("://")
    }

    /// Parses a place that looks like an address; returns `None` for a local path.
    pub fn of_place(place: &Path) -> Result<Option<Address>, RemoteError> {
        place.to_str().filter(|text| Address::is_meant(text)).map(str::parse).transpose()
    }

    /// Returns the address of a file below this address. No character of `name` may need an escape.
    #[must_use]
    pub fn below(&self, name: &str) -> Address {
        Address { path: format!("{}/{name}", self.path), ..self.clone() }
    }

    /// Returns the address of the file's folder, if this address ends with the file name `name`.
    #[must_use]
    pub fn folder_of(&self, name: &str) -> Option<Address> {
        let folder = self.path.strip_suffix(name)?.strip_suffix('/')?;
        // Without the file name, the address must still contain a server.
        let path = folder.to_owned();
        folder.split_once("://").filter(|(_, server)| !server.is_empty())?;
        Some(Address { path, ..self.clone() })
    }

    /// True if the path ends with this text.
    pub fn ends_with(&self, ending: &str) -> bool {
        self.path.ends_with(ending)
    }

    pub(crate) fn in_full(&self) -> String {
        format!("{}{}", self.path, self.query)
    }

    pub(crate) fn is_https(&self) -> bool {
        self.is_https
    }
}

impl FromStr for Address {
    type Err = RemoteError;

    fn from_str(text: &str) -> Result<Address, RemoteError> {
        // Do not show text that may contain a password.
        let shown = if text.contains('@') { "an address with an @" } else { text };
        let wrong = |fault| RemoteError::Address { text: shown.to_owned(), fault };
        let (scheme, rest) = text.split_once("://").ok_or_else(|| wrong(AddressFault::Scheme))?;
        let is_https = match &scheme.to_ascii_lowercase()[..] {
            "https" => true,
            "http" => false,
            _ => return Err(wrong(AddressFault::Scheme)),
        };
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(wrong(AddressFault::Character));
        }
        if rest.contains('#') {
            return Err(wrong(AddressFault::Fragment));
        }
        let (path, query) = match rest.find('?') {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        let path = path.trim_end_matches('/');
        let server = path.split('/').next().unwrap_or_default();
        let port = match server.rsplit_once(']') {
            Some((_, behind)) => behind.strip_prefix(':'),
            None => server.split_once(':').map(|(_, port)| port),
        };
        let is_port = port.is_none_or(|port| port.parse::<u16>().is_ok());
        if server.contains('@') || !is_port && text.contains('@') {
            // The password would be visible in process lists and messages.
            return Err(wrong(AddressFault::Password));
        }
        let is_bracketed = server.starts_with('[') == server.contains(']');
        if server.is_empty() || server.starts_with(':') || !is_port || !is_bracketed {
            return Err(wrong(AddressFault::Server));
        }
        let scheme = if is_https { "https" } else { "http" };
        Ok(Address { path: format!("{scheme}://{path}"), query: query.to_owned(), is_https })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.path, if self.query.is_empty() { "" } else { "?..." })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_below_the_path_and_before_the_query() {
        let at = |text: &str| text.parse::<Address>().unwrap();
        assert_eq!(at("HTTP://host:80/a//").below("b/c").to_string(), "http://host:80/a/b/c");
        assert_eq!(at("https://host").below("b").to_string(), "https://host/b");
        let download = at("https://host/x.tar?download=1");
        assert_eq!(download.in_full(), "https://host/x.tar?download=1");
        assert_eq!(download.to_string(), "https://host/x.tar?...");
        assert_eq!(at("http://[::1]:80/a@b").in_full(), "http://[::1]:80/a@b");
        assert!(at("https://host/x.tar?download=1").ends_with(".tar"));
        let folder = at("https://host/a/pack.json?t").folder_of("pack.json").unwrap();
        assert_eq!(folder.in_full(), "https://host/a?t");
        assert_eq!(at("https://host/unpack.json").folder_of("pack.json"), None);
        assert_eq!(at("https://pack.json").folder_of("pack.json"), None);
    }

    #[test]
    fn invalid_addresses_are_refused() {
        const INVALID: &str = "\
            db | ftp://host/x | file:///x | http:// | http:///x | http://:80/x | http://host/a b | \
            http://host/\u{e8} | http://host/x#part | https://me:secret@host/x | \
            ftp://me:secret@host/x | https://me:sec#secret@host/x | https://me:sec secret@host/x | \
            https:///me:secret@host/x | https://me:secret/x@host/x | https://me:secret?x@host/x | \
            http://host:99999/x | http://host:x/x | http://[::1/x";
        for text in INVALID.split(" | ") {
            let error = text.parse::<Address>().unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
        assert!(Address::is_meant("ftp://host") && !Address::is_meant("end-nim/n64"));
    }
}
