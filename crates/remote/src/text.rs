//! Short files that say what others are: read whole, or from their beginning, and asked for anew by
//! every process. If a server can say that one is still what it was, nothing more is sent.

use std::sync::{Arc, MutexGuard, PoisonError};

use crate::answer::Validators;
use crate::cache::Key;
use crate::extents::Extents;
use crate::file::take;
use crate::{Address, Remote, RemoteError, RemoteFile};

/// A text, or the beginning of a file.
#[derive(Clone, Debug)]
pub struct Text {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The length of the whole file.
    pub length: u64,
    address: Address,
    validators: Validators,
    key: Key,
    /// Whether it is on disk as it is.
    is_kept: bool,
}

impl Text {
    /// The file that it is the beginning of: one that has changed since is an error. `content` as for
    /// [`RemoteFile::new`].
    pub fn file(&self, remote: &Arc<Remote>, content: &[u8]) -> RemoteFile {
        let address = self.address.clone();
        RemoteFile::new(Arc::clone(remote), address, self.length, content)
            .seen(self.validators.clone())
    }

    /// As it is kept on disk; `None` if a server could not say later whether it still is this one.
    fn to_kept(&self) -> Option<Vec<u8>> {
        let Validators { etag, modified } = &self.validators;
        // A date is not enough: copies keep theirs, and a second is long.
        etag.as_ref()?;
        // None of these has a line's end in it: they were lines.
        let line = |text: &Option<String>| text.clone().unwrap_or_default();
        let mut kept =
            format!("{}\n{}\n{}\n", line(etag), line(modified), self.length).into_bytes();
        kept.extend_from_slice(&self.bytes);
        Some(kept)
    }

    fn of_kept(kept: &[u8], address: &Address, key: Key) -> Option<Text> {
        let mut parts = kept.splitn(4, |byte| *byte == b'\n');
        let mut line = || String::from_utf8(parts.next()?.to_vec()).ok();
        let (etag, modified, length) = (line()?, line()?, line()?.parse().ok()?);
        let some = |text: String| Some(text).filter(|text| !text.is_empty());
        let validators = Validators { etag: some(etag), modified: some(modified) };
        let bytes = parts.next()?.to_vec();
        let address = address.clone();
        Some(Text { bytes, length, address, validators, key, is_kept: true })
    }
}

/// What the lines before a kept text take at most.
const MOST_LINES: u64 = 4 << 10;

fn key(address: &Address, first: Option<u64>) -> Key {
    Key::of(
        &address.in_full(),
        &[b"text".to_vec(), first.unwrap_or(0).to_le_bytes().into()].concat(),
    )
}

impl Remote {
    pub(crate) fn extents(&self) -> MutexGuard<'_, Extents> {
        self.extents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A file of at most `most` bytes.
    ///
    /// # Errors
    /// [`RemoteError`]; [`RemoteError::NotThere`] if there is none.
    pub fn text(&self, address: &Address, most: u64) -> Result<Text, RemoteError> {
        self.fresh(address, None, most.min(self.settings.memory))
    }

    /// The first `count` bytes of a file, or all if it has fewer.
    ///
    /// # Errors
    /// As [`Remote::text`].
    pub fn beginning(&self, address: &Address, count: u64) -> Result<Text, RemoteError> {
        self.fresh(address, Some(count), count)
    }

    /// Keeps a text on disk that was found to be what it should be: who asks again has it from there, if
    /// the server says that it is still the same. One that is wrong must not come back so.
    pub fn keep(&self, text: &Text) {
        if let Some(kept) = text.to_kept().filter(|_| !text.is_kept) {
            self.cache.write_text(text.key, &kept);
        }
    }

    fn fresh(&self, address: &Address, first: Option<u64>, most: u64) -> Result<Text, RemoteError> {
        let key = key(address, first);
        let kept = self.cache.read_text(key, most.saturating_add(MOST_LINES));
        let kept = kept.and_then(|kept| Text::of_kept(&kept, address, key));
        self.tries(address, || self.ask_text(address, first, most, kept.as_ref()))
    }

    fn ask_text(
        &self,
        address: &Address,
        first: Option<u64>,
        most: u64,
        kept: Option<&Text>,
    ) -> Result<Text, RemoteError> {
        let mut headers = Vec::new();
        if let Some(count) = first {
            headers.push(("Range", format!("bytes=0-{}", count.saturating_sub(1))));
        }
        if let Some(etag) = kept.and_then(|kept| kept.validators.etag.as_ref()) {
            headers.push(("If-None-Match", etag.clone()));
        }
        let mut answer = self.ask(address, headers, most.min(1 << 20))?;
        if let (304, Some(kept)) = (answer.head.status, kept) {
            return Ok(kept.clone());
        }
        answer.head.check(address)?;
        let wrong = |asked: &str| RemoteError::WrongRange {
            address: address.to_string(),
            asked: asked.to_owned(),
            found: answer.head.range_text(),
        };
        let validators = answer.head.validators.clone();
        let too_long = || RemoteError::TooLong { address: address.to_string(), most };
        let mut bytes = Vec::new();
        let length = match (answer.head.status, first) {
            (206, None) => return Err(wrong("all bytes")),
            (206, Some(count)) => {
                let asked = format!("bytes 0-{}", count - 1);
                let sent = answer.head.sent().ok_or_else(|| wrong(&asked))?;
                let length = sent.length.ok_or_else(|| wrong(&asked))?;
                if sent.first != 0 || Some(sent.last) != count.min(length).checked_sub(1) {
                    return Err(wrong(&asked));
                }
                take(&answer, address, count.min(length), &mut bytes)?;
                length
            }
            (_, Some(count)) => {
                // The whole file, of which no more is read.
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
        let (address, key) = (address.clone(), key(address, first));
        Ok(Text { bytes, length, address, validators, key, is_kept: false })
    }
}
