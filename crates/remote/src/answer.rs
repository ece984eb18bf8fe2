//! The status and the headers of an answer, which the server sends before the bytes.

use std::time::Duration;

use ureq::http::{HeaderMap, header};

use crate::{Address, RemoteError};

#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    pub(crate) status: u16,
    pub(crate) length: Option<u64>,
    range: Option<String>,
    pub(crate) validators: Validators,
    encoding: Option<String>,
    wait: Option<Duration>,
    /// The address that answered, if the server redirects to another one.
    moved: Option<String>,
}

/// The headers that distinguish versions of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Validators {
    pub(crate) etag: Option<String>,
    pub(crate) modified: Option<String>,
}

/// The range that an answer contains, and the length of the whole file if the server states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) first: u64,
    pub(crate) last: u64,
    pub(crate) length: Option<u64>,
}

/// Maximum length of a useful header.
const MOST_TEXT: usize = 1000;

impl Head {
    pub(crate) fn of(headers: &HeaderMap, status: u16, moved: Option<String>) -> Head {
        let text = |name| {
            let value = headers.get(name)?.to_str().ok()?.trim();
            (value.len() <= MOST_TEXT).then(|| value.to_owned())
        };
        let number = |name| text(name)?.parse().ok();
        Head {
            status,
            length: number(header::CONTENT_LENGTH),
            range: text(header::CONTENT_RANGE),
            validators: Validators {
                etag: text(header::ETAG),
                modified: text(header::LAST_MODIFIED),
            },
            encoding: text(header::CONTENT_ENCODING),
            wait: number(header::RETRY_AFTER).map(Duration::from_secs),
            moved,
        }
    }

    /// Returns an error unless the answer contains bytes of the file.
    pub(crate) fn check(&self, address: &Address) -> Result<(), RemoteError> {
        let address = || match &self.moved {
            Some(to) => format!("{address}, which redirects to {to},"),
            None => address.to_string(),
        };
        let &Head { status, wait, .. } = self;
        match status {
            200 | 206 => {}
            401 | 403 | 404 | 410 => {
                return Err(RemoteError::NotThere { address: address(), status });
            }
            // The file has changed or become shorter.
            412 | 416 => return Err(RemoteError::Changed { address: address() }),
            _ => return Err(RemoteError::Status { address: address(), status, wait }),
        }
        match &self.encoding {
            Some(encoding) if !encoding.eq_ignore_ascii_case("identity") => {
                Err(RemoteError::Encoded { address: address(), encoding: encoding.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Returns the range that the server states; `None` if it is missing or malformed.
    pub(crate) fn sent(&self) -> Option<Sent> {
        let (range, length) = self.range.as_deref()?.strip_prefix("bytes ")?.split_once('/')?;
        let (first, last) = range.split_once('-')?;
        let length = match length.trim() {
            "*" => None,
            length => Some(length.parse().ok()?),
        };
        Some(Sent { first: first.trim().parse().ok()?, last: last.trim().parse().ok()?, length })
    }

    pub(crate) fn range_text(&self) -> String {
        self.range.clone().unwrap_or_else(|| "an unnamed range".to_owned())
    }
}

impl Validators {
    /// True if two answers may contain the same version of a file. Compares tags, or dates if there
    /// are no tags.
    pub(crate) fn agree(&self, other: &Validators) -> bool {
        match (&self.etag, &other.etag, &self.modified, &other.modified) {
            (Some(left), Some(right), ..) | (_, _, Some(left), Some(right)) => left == right,
            _ => true,
        }
    }

    /// Returns the value of If-Range: a strong tag, or a date if there is no tag.
    pub(crate) fn if_range(&self) -> Option<&str> {
        match &self.etag {
            Some(etag) if etag.starts_with('"') => Some(etag),
            // Different files may have equal weak tags, so If-Range must not contain a weak tag.
            Some(_) => None,
            None => self.modified.as_deref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(lines: &[(&'static str, &str)]) -> Head {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.insert(*name, value.parse().unwrap());
        }
        Head::of(&headers, 206, None)
    }

    /// The examples of RFC 9110, section 14.4.
    #[test]
    fn ranges_as_the_standard_has_them() {
        let sent = |text: &str| head(&[("content-range", text)]).sent();
        let of = |first, last, length| Some(Sent { first, last, length });
        assert_eq!(sent("bytes 42-1233/1234"), of(42, 1233, Some(1234)));
        assert_eq!(sent("bytes 42-1233/*"), of(42, 1233, None));
        assert_eq!(sent("bytes */1234"), None);
        for text in ["", "bytes", "lines 1-2/3", "bytes 1-x/3", "bytes 1-2/x", "bytes -1-2/3"] {
            assert_eq!(sent(text), None, "{text}");
        }
        let much = "9".repeat(30);
        assert_eq!(sent(&format!("bytes 0-{much}/{much}")), None);
    }

    #[test]
    fn validators_tell_files_apart() {
        let of = |lines: &[(&'static str, &str)]| head(lines).validators;
        let (none, tag) = (of(&[]), of(&[("etag", "\"a\"")]));
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        assert!(none.agree(&tag) && tag.agree(&tag));
        assert!(!tag.agree(&of(&[("etag", "\"b\"")])));
        assert_eq!(tag.if_range(), Some("\"a\""));
        assert_eq!(of(&[("last-modified", date)]).if_range(), Some(date));
        assert_eq!(of(&[("etag", "W/\"a\""), ("last-modified", date)]).if_range(), None);
    }
}
