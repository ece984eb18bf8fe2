//! Short files that describe other files. A request reads the whole file or only its beginning.
//! Every process requests the file again.

use std::sync::{Arc, MutexGuard, PoisonError};

use crate::answer::Validators;
use crate::extents::Extents;
use crate::file::take;
use crate::{Address, Remote, RemoteError, RemoteFile};

/// The contents of a short file, or the beginning of a long one.
#[derive(Clone, Debug)]
pub struct Text {
    pub bytes: Vec<u8>,
    pub length: u64,
    address: Address,
    validators: Validators,
}

impl Text {
    /// Returns the file from which these bytes were read. If the file changes later, reads fail.
    pub fn file(&self, remote: &Arc<Remote>) -> RemoteFile {
        let address = self.address.clone();
        RemoteFile::new(Arc::clone(remote), address, self.length).seen(self.validators.clone())
    }
}

impl Remote {
    pub(crate) fn extents(&self) -> MutexGuard<'_, Extents> {
        self.extents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a file of at most `most` bytes.
    pub fn text(&self, address: &Address, most: u64) -> Result<Text, RemoteError> {
        let most = most.min(self.settings.memory);
        self.tries(address, || self.ask_text(address, None, most))
    }

    /// Reads the first `count` bytes of a file, or the whole file if it has fewer.
    pub fn beginning(&self, address: &Address, count: u64) -> Result<Text, RemoteError> {
        self.tries(address, || self.ask_text(address, Some(count), count))
    }

    fn ask_text(
        &self,
        address: &Address,
        first: Option<u64>,
        most: u64,
    ) -> Result<Text, RemoteError> {
        let mut headers = Vec::new();
        if let Some(count) = first {
            headers.push(("Range", format!("bytes=0-{}", count.saturating_sub(1))));
        }
        let mut answer = self.ask(address, headers, most.min(1 << 20))?;
        answer.head.check(address)?;
        let wrong = |requested: &str| RemoteError::WrongRange {
            address: address.to_string(),
            requested: requested.to_owned(),
            found: answer.head.range_text(),
        };
        let validators = answer.head.validators.clone();
        let too_long = || RemoteError::TooLong { address: address.to_string(), most };
        let mut bytes = Vec::new();
        let length = match (answer.head.status, first) {
            (206, None) => return Err(wrong("all bytes")),
            (206, Some(count)) => {
                let requested = format!("bytes 0-{}", count - 1);
                let sent = answer.head.sent().ok_or_else(|| wrong(&requested))?;
                let length = sent.length.ok_or_else(|| wrong(&requested))?;
                if sent.first != 0 || Some(sent.last) != count.min(length).checked_sub(1) {
                    return Err(wrong(&requested));
                }
                take(&answer, address, count.min(length), &mut bytes)?;
                length
            }
            (_, Some(count)) => {
                // The server sends the whole file, so stop after `count` bytes.
                let length = answer
                    .head
                    .length
                    .ok_or_else(|| RemoteError::NoRanges { address: address.to_string() })?;
                while (bytes.len() as u64) < count.min(length) {
                    match answer.bytes()? {
                        Some(more) => bytes.extend_from_slice(&more),
                        None => {
                            let (address, found) = (address.to_string(), bytes.len() as u64);
                            return Err(RemoteError::Cut { address, found });
                        }
                    }
                }
                bytes.truncate(count.min(length) as usize);
                length
            }
            (_, None) => {
                let stated = answer.head.length;
                if stated.is_some_and(|length| length > most) {
                    return Err(too_long());
                }
                answer.extend(stated.unwrap_or(most));
                while let Some(more) = answer.bytes()? {
                    if (bytes.len() + more.len()) as u64 > most {
                        return Err(too_long());
                    }
                    bytes.extend_from_slice(&more);
                }
                let found = bytes.len() as u64;
                if stated.is_some_and(|stated| found < stated) {
                    return Err(RemoteError::Cut { address: address.to_string(), found });
                }
                found
            }
        };
        Ok(Text { bytes, length, address: address.clone(), validators })
    }
}
