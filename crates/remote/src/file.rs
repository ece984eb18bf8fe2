//! A file on a server, which is read in extents.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use grundy_shard::{Source, range_of};

use crate::answer::{Head, Validators};
use crate::client::Answer;
use crate::deadline::{deadline, inherit};
use crate::ranges::{MOST_GAP, MOST_MERGED, merged};
use crate::{Address, Remote, RemoteError};

/// Maximum length of a file or part that is fetched whole. Readers soon need most of such a file.
const WHOLE: u64 = 128 << 10;

/// Maximum length of a file that is fetched whole from a server without ranges.
const MOST_WHOLE: u64 = 8 << 20;

/// Bytes fetched at once when a caller begins to read sequentially.
const AHEAD: u64 = 64 << 10;

/// A file on a server, of known length. Threads may share it.
#[derive(Debug)]
pub struct RemoteFile {
    remote: Arc<Remote>,
    address: Address,
    length: u64,
    /// A number that is unique in this process.
    number: u64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    validators: Validators,
    /// The end of the last extent that was read without `want`, and the number of bytes to prefetch
    /// there.
    end: u64,
    ahead: u64,
}

/// A fetched extent, which may be larger than the request.
struct Fetched {
    start: u64,
    bytes: Arc<[u8]>,
}

impl RemoteFile {
    /// Creates a handle for the file at an address. The length must be known. Sends no request yet.
    pub fn new(remote: Arc<Remote>, address: Address, length: u64) -> RemoteFile {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        RemoteFile { remote, address, length, number, state: Mutex::default() }
    }

    #[must_use]
    pub(crate) fn seen(self, validators: Validators) -> RemoteFile {
        self.state().validators = validators;
        self
    }

    pub fn address(&self) -> &Address {
        &self.address
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fetches those ranges that are not yet in the cache. [`want`] does this for several files.
    pub fn want(&self, ranges: &[Range<u64>]) -> Result<(), RemoteError> {
        want(&[(self, ranges.to_vec())])
    }

    /// Returns the valid ranges that are not in the cache, merged into requests.
    fn missing(&self, ranges: &[Range<u64>]) -> Vec<Range<u64>> {
        let is_missing = |range: &&Range<u64>| {
            range.start < range.end && range.end <= self.length && !self.has(range)
        };
        merged(ranges.iter().filter(is_missing).cloned().collect())
    }

    fn has(&self, range: &Range<u64>) -> bool {
        let count = range.end - range.start;
        self.remote.extents().find(self.number, range.start, count).is_some()
    }

    fn extent(&self, range: &Range<u64>) -> Result<Fetched, RemoteError> {
        let count = range.end - range.start;
        if let Some((start, bytes)) = self.remote.extents().find(self.number, range.start, count) {
            return Ok(Fetched { start, bytes });
        }
        let end = self.prefetch_end(range);
        self.fetch(&(range.start..end))
    }

    fn prefetch_end(&self, range: &Range<u64>) -> u64 {
        let mut state = self.state();
        let goes_on = range.end > state.end
            && range.start <= state.end.saturating_add(MOST_GAP)
            && state.end > 0;
        state.ahead = if goes_on { (2 * state.ahead).clamp(AHEAD, MOST_MERGED) } else { 0 };
        let end = range.end.max(range.start.saturating_add(state.ahead)).min(self.length);
        state.end = end;
        end
    }

    fn fetch(&self, range: &Range<u64>) -> Result<Fetched, RemoteError> {
        let (start, bytes) = self.read(range)?;
        let bytes: Arc<[u8]> = bytes.into();
        self.remote.extents().keep(self.number, start, Arc::clone(&bytes));
        Ok(Fetched { start, bytes })
    }

    /// Reads a range from the server, bypassing the cache. If the server does not support ranges,
    /// reads the whole file. Returns the bytes and the offset of the first byte.
    pub(crate) fn read(&self, range: &Range<u64>) -> Result<(u64, Vec<u8>), RemoteError> {
        let count = range.end.saturating_sub(range.start);
        if range.end > self.length {
            return Err(self.of_length(self.length, range.end));
        }
        if count > self.remote.settings.memory {
            return Err(RemoteError::Memory { address: self.address.to_string(), count });
        }
        let mut bytes = Vec::new();
        let start = self.remote.tries(&self.address, || self.attempt(range, &mut bytes))?;
        Ok((start, bytes))
    }

    /// Requests those bytes of a range that `got` lacks. Returns the offset at which `got` begins.
    fn attempt(&self, range: &Range<u64>, got: &mut Vec<u8>) -> Result<u64, RemoteError> {
        let address = || self.address.to_string();
        let from = range.start + got.len() as u64;
        if from == range.end {
            return Ok(range.start);
        }
        let known = self.state().validators.clone();
        let mut headers = vec![("Range", format!("bytes={from}-{}", range.end - 1))];
        if let Some(validator) = known.if_range() {
            headers.push(("If-Range", validator.to_owned()));
        }
        let mut answer = self.remote.ask(&self.address, headers, range.end - from)?;
        answer.head.check(&self.address)?;
        self.check_same(&answer.head)?;
        if answer.head.status == 200 {
            if let Some(found) = answer.head.length.filter(|found| *found != self.length) {
                return Err(self.of_length(found, self.length));
            }
            if self.length > MOST_WHOLE.min(self.remote.settings.memory) {
                return Err(RemoteError::NoRanges { address: address() });
            }
            answer.extend(self.length);
            let mut whole = Vec::new();
            take(&answer, &self.address, self.length, &mut whole)?;
            *got = whole;
            return Ok(0);
        }
        let wrong = || RemoteError::WrongRange {
            address: address(),
            requested: format!("bytes {from}-{}", range.end - 1),
            found: answer.head.range_text(),
        };
        let sent = answer.head.sent().ok_or_else(wrong)?;
        if let Some(found) = sent.length.filter(|found| *found != self.length) {
            return Err(self.of_length(found, self.length));
        }
        if (sent.first, sent.last) != (from, range.end - 1) {
            return Err(wrong());
        }
        take(&answer, &self.address, range.end - from, got)?;
        Ok(range.start)
    }

    fn of_length(&self, found: u64, expected: u64) -> RemoteError {
        RemoteError::Length { address: self.address.to_string(), found, expected }
    }

    /// Returns an error if the answer is for another version of the file.
    fn check_same(&self, head: &Head) -> Result<(), RemoteError> {
        let mut state = self.state();
        if !state.validators.agree(&head.validators) {
            return Err(RemoteError::Changed { address: self.address.to_string() });
        }
        let Validators { etag, modified } = &head.validators;
        if state.validators.etag.is_none() {
            state.validators.etag.clone_from(etag);
        }
        if state.validators.modified.is_none() {
            state.validators.modified.clone_from(modified);
        }
        Ok(())
    }
}

/// Fetches those ranges of several files that are not yet in the cache. Merges neighbouring ranges
/// and sends requests in parallel. If the cache is too small, later reads fetch some ranges again.
pub fn want(files: &[(&RemoteFile, Vec<Range<u64>>)]) -> Result<(), RemoteError> {
    let Some((first, _)) = files.first() else { return Ok(()) };
    let settings = &first.remote.settings;
    let mut room = settings.memory / 2;
    let all = files.iter().flat_map(|(file, ranges)| {
        file.missing(ranges).into_iter().map(move |range| (*file, range))
    });
    let missing: Vec<(&RemoteFile, Range<u64>)> = all
        .take_while(|(_, range)| {
            room = room.saturating_sub(range.end - range.start);
            room > 0
        })
        .collect();
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    let (until, in_vain) = (deadline(), Arc::new(AtomicBool::new(false)));
    let work = || {
        while let Some((file, range)) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
            // An earlier answer may have contained the whole file.
            if file.has(range) {
                continue;
            }
            if let Err(error) = file.fetch(range) {
                next.store(missing.len(), Ordering::Relaxed);
                failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                in_vain.store(true, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        let helpers = missing.len().min(settings.connections).saturating_sub(1);
        for _ in 0..helpers {
            // If no thread can be created, this thread does all the work.
            let _ = thread::Builder::new().spawn_scoped(scope, || {
                inherit(until, &in_vain);
                work();
            });
        }
        work();
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Appends exactly `count` bytes of an answer. Keeps the bytes of an answer that is cut short.
pub(crate) fn take(
    answer: &Answer<'_>,
    address: &Address,
    count: u64,
    into: &mut Vec<u8>,
) -> Result<(), RemoteError> {
    let before = into.len();
    loop {
        let found = (into.len() - before) as u64;
        match answer.bytes()? {
            // Memory grows only as bytes arrive, whatever length the server states.
            Some(bytes) if found + bytes.len() as u64 <= count => into.extend_from_slice(&bytes),
            Some(_) => {
                return Err(RemoteError::TooLong { address: address.to_string(), most: count });
            }
            None if found < count => {
                return Err(RemoteError::Cut { address: address.to_string(), found });
            }
            None => return Ok(()),
        }
    }
}

impl Source for RemoteFile {
    fn length(&self) -> u64 {
        self.length
    }

    fn range<'a>(&'a self, at: u64, count: usize, room: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        let range = range_of(at, count, self.length)?;
        room.clear();
        if count > 0 {
            let Fetched { start, bytes } = self.extent(&range)?;
            let from = (at - start) as usize;
            room.extend_from_slice(&bytes[from..from + count]);
        }
        Ok(room)
    }

    fn forget(&self) -> bool {
        self.remote.extents().forget(self.number);
        *self.state() = State::default();
        true
    }
}

/// A part of a file on a server: a shard in a data file, a file in a tar, or the whole file.
#[derive(Clone, Debug)]
pub struct RemotePart {
    file: Arc<RemoteFile>,
    at: u64,
    length: u64,
}

impl RemotePart {
    /// Creates a part of `length` bytes at offset `at`; `None` if the file is too short.
    pub fn new(file: Arc<RemoteFile>, at: u64, length: u64) -> Option<RemotePart> {
        at.checked_add(length).filter(|end| *end <= file.length)?;
        Some(RemotePart { file, at, length })
    }

    pub fn whole(file: Arc<RemoteFile>) -> RemotePart {
        let length = file.length;
        RemotePart { file, at: 0, length }
    }

    pub fn file(&self) -> &Arc<RemoteFile> {
        &self.file
    }

    /// Converts a range of the part to a range of the file. A short part is always read whole.
    pub fn in_file(&self, range: Range<u64>) -> Range<u64> {
        if self.length <= WHOLE {
            return self.at..self.at + self.length;
        }
        let place = |at: u64| self.at + at.min(self.length);
        place(range.start)..place(range.end)
    }

    /// Reads bytes from the server, bypassing the cache.
    pub fn read(&self, at: u64, count: u64) -> Result<Vec<u8>, RemoteError> {
        let range = self.at.saturating_add(at)..self.at.saturating_add(at).saturating_add(count);
        if range.end > self.at + self.length {
            return Err(self.file.of_length(self.length, range.end - self.at));
        }
        let (start, mut bytes) = self.file.read(&range)?;
        bytes.drain(..(range.start - start) as usize);
        bytes.truncate(count as usize);
        Ok(bytes)
    }
}

impl Source for RemotePart {
    fn length(&self) -> u64 {
        self.length
    }

    fn range<'a>(&'a self, at: u64, count: usize, room: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        let range = range_of(at, count, self.length)?;
        if self.length <= WHOLE && count > 0 {
            self.file.want(&[self.in_file(range)])?;
        }
        self.file.range(self.at + at, count, room)
    }

    fn forget(&self) -> bool {
        self.file.forget()
    }
}

/// A part of a file that is read only once. Long reads bypass the cache.
#[derive(Clone, Debug)]
pub struct Passing(pub RemotePart);

impl Source for Passing {
    fn length(&self) -> u64 {
        self.0.length
    }

    fn range<'a>(&'a self, at: u64, count: usize, room: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        if count as u64 <= WHOLE {
            return self.0.range(at, count, room);
        }
        *room = self.0.read(at, count as u64)?;
        Ok(room)
    }
}
