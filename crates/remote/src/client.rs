//! Requests to servers, with retries.
//!
//! Each transfer runs in its own thread, and sends the bytes through a channel as they arrive. So a
//! caller never waits beyond its deadline, even if the system is still resolving a name, opening a
//! secure connection or reading. An abandoned transfer ends at one of its own timeouts.

use std::cell::Cell;
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{fmt, thread};

use grundy_shard::publish::read_regular;
use ureq::http::{Response, Uri};
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Body, ResponseExt as _};

use crate::answer::Head;
use crate::deadline::{deadline, is_in_vain};
use crate::extents::Extents;
use crate::{Address, RemoteError};

/// Maximum number of redirects. A permanent name, a login page and a file store may each redirect.
const MOST_REDIRECTS: u32 = 5;

/// Maximum bytes of a certificate file. All certificates that browsers usually trust take 0.3 MB.
const MOST_CERTIFICATES: u64 = 16 << 20;

/// Minimum bytes per second. A slower transfer is cancelled.
const SLOWEST: u64 = 4 << 10;

/// Interval at which a waiting caller checks for a stop or a deadline.
const LOOK: Duration = Duration::from_millis(50);

/// Number of consecutive failed requests after which each request gets only one try.
const MOST_FAILURES: u32 = 3;

/// Time that may be lost to requests without an answer, in units of [`Settings::patience`], before
/// a request that gets no answer is final. This matters only while silence takes most of the time.
const MOST_SILENCES: u32 = 3;

/// Maximum pause that a server may request.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Maximum bytes of a message in the channel, and maximum number of messages.
const HANDFUL: usize = 64 << 10;
const HANDFULS: usize = 4;

/// Settings for requests and caching.
pub struct Settings {
    /// Maximum bytes of the cache. A request for more bytes is an error.
    pub memory: u64,
    /// Timeout for a connection, for an answer, and for the next bytes of an answer.
    pub patience: Duration,
    /// Number of tries before giving up.
    pub tries: u32,
    /// The pause after the first try. Each further pause is three times the previous pause.
    pub pause: Duration,
    pub connections: usize,
    /// A PEM file with the certificates to trust, instead of the usual certificates.
    pub certificates: Option<PathBuf>,
    pub stop: Option<Box<dyn Fn() -> bool + Send + Sync>>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            memory: 256 << 20,
            patience: Duration::from_secs(20),
            tries: 4,
            pause: Duration::from_millis(250),
            connections: 6,
            certificates: None,
            stop: None,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// Number of requests, including retries.
    pub requests: u64,
    /// Bytes of the answers, without headers.
    pub bytes: u64,
    /// Seconds during which at least one request was pending.
    pub seconds: f64,
}

/// A client for web servers, with a cache of the fetched bytes. Threads may share the client.
pub struct Remote {
    agents: [Agent; 2],
    pub(crate) extents: Mutex<Extents>,
    pub(crate) settings: Settings,
    requests: AtomicU64,
    bytes: AtomicU64,
    /// Number of consecutive requests whose tries all failed.
    failures: AtomicU32,
    busy: Mutex<Busy>,
}

#[derive(Default)]
struct Busy {
    /// Number of waiting threads.
    waiting: usize,
    /// Start of the current wait.
    since: Option<Instant>,
    /// Total time of earlier waits.
    before: Duration,
    /// Time of tries that took too long, counted once for all threads.
    silent: Duration,
    /// End of the last silence.
    silent_until: Option<Instant>,
}

impl Busy {
    fn seconds(&self) -> Duration {
        self.before + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").field("counts", &self.counts()).finish_non_exhaustive()
    }
}

pub(crate) enum Event {
    Head(Head),
    Bytes(Vec<u8>),
    End,
    Failed(ureq::Error),
    Broken(io::Error),
}

pub(crate) struct Answer<'a> {
    remote: &'a Remote,
    address: &'a Address,
    events: Receiver<Event>,
    /// The time at which the transfer counts as too slow.
    slow: Instant,
    found: Cell<u64>,
    pub(crate) head: Head,
}

impl Remote {
    /// Creates a client.
    pub fn new(settings: Settings) -> Result<Remote, RemoteError> {
        let roots = match &settings.certificates {
            None => RootCerts::WebPki,
            Some(path) => {
                let wrong = |text: String| RemoteError::Certificates {
                    path: path.display().to_string(),
                    text,
                };
                let text = read_regular(path, MOST_CERTIFICATES)
                    .map_err(|error| wrong(error.to_string()))?;
                let certificates = parse_pem(&text).filter_map(|item| match item {
                    Ok(PemItem::Certificate(certificate)) => Some(Ok(certificate)),
                    Ok(_) => None,
                    Err(error) => Some(Err(wrong(error.to_string()))),
                });
                let certificates = certificates.collect::<Result<Vec<_>, _>>()?;
                if certificates.is_empty() {
                    return Err(wrong("there are none".to_owned()));
                }
                RootCerts::new_with_certs(&certificates)
            }
        };
        let agent = |https_only| -> Agent {
            let patience = Some(settings.patience);
            Agent::config_builder()
                .http_status_as_error(false)
                .https_only(https_only)
                .max_redirects(MOST_REDIRECTS)
                .tls_config(TlsConfig::builder().root_certs(roots.clone()).build())
                .user_agent(concat!("grundy/", env!("CARGO_PKG_VERSION")))
                .accept_encoding("identity")
                .max_idle_connections_per_host(settings.connections)
                .timeout_resolve(patience)
                .timeout_connect(patience)
                .timeout_send_request(patience)
                .timeout_recv_response(patience)
                .timeout_per_read(patience)
                .build()
                .new_agent()
        };
        Ok(Remote {
            agents: [agent(false), agent(true)],
            extents: Mutex::new(Extents::new(settings.memory)),
            settings,
            requests: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            failures: AtomicU32::new(0),
            busy: Mutex::default(),
        })
    }

    /// Returns the counts of all requests so far.
    pub fn counts(&self) -> Counts {
        Counts {
            requests: self.requests.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            seconds: self.busy().seconds().as_secs_f64(),
        }
    }

    fn busy(&self) -> MutexGuard<'_, Busy> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts the time since `start` as silence. True if too much of the time was silence.
    fn count_silence(&self, start: Instant) -> bool {
        let mut busy = self.busy();
        let now = Instant::now();
        let from = busy.silent_until.map_or(start, |until| until.max(start));
        busy.silent += now.saturating_duration_since(from);
        busy.silent_until = Some(now);
        busy.silent >= self.settings.patience * MOST_SILENCES && busy.silent * 2 > busy.seconds()
    }

    /// Returns an error if the caller has stopped or the deadline has passed.
    fn check(&self, address: &Address) -> Result<(), RemoteError> {
        if is_in_vain() || self.settings.stop.as_ref().is_some_and(|stop| stop()) {
            return Err(RemoteError::Stopped);
        }
        if deadline().is_some_and(|deadline| deadline <= Instant::now()) {
            return Err(RemoteError::TimeUp { address: address.to_string() });
        }
        Ok(())
    }

    /// Sends a request for about `count` bytes, and waits for the headers of the answer.
    pub(crate) fn ask<'a>(
        &'a self,
        address: &'a Address,
        headers: Vec<(&'static str, String)>,
        count: u64,
    ) -> Result<Answer<'a>, RemoteError> {
        self.check(address)?;
        self.requests.fetch_add(1, Ordering::Relaxed);
        let agent = self.agents[usize::from(address.is_https())].clone();
        let (sender, events) = mpsc::sync_channel(HANDFULS);
        let text = address.in_full();
        let broken = |error: io::Error| RemoteError::Broken {
            address: address.to_string(),
            text: error.to_string(),
        };
        thread::Builder::new()
            .name("transfer".to_owned())
            .spawn(move || transfer(&agent, &text, headers, &sender))
            .map_err(broken)?;
        let patience = self.settings.patience + Duration::from_secs(count.div_ceil(SLOWEST));
        let slow = Instant::now() + patience;
        let (found, head) = (Cell::new(0), Head::default());
        let mut answer = Answer { remote: self, address, events, slow, found, head };
        match answer.next()? {
            Event::Head(head) => answer.head = head,
            event => return Err(answer.fault_of(event)),
        }
        Ok(answer)
    }

    /// Retries until success, a permanent error, or the maximum number of tries.
    pub(crate) fn tries<R>(
        &self,
        address: &Address,
        mut attempt: impl FnMut() -> Result<R, RemoteError>,
    ) -> Result<R, RemoteError> {
        let _waiting = Waiting::begin(self);
        let mut pause = self.settings.pause;
        // If the server seems to be down, further requests must not wait for retries.
        let is_down = self.failures.load(Ordering::Relaxed) >= MOST_FAILURES;
        let mut left = if is_down { 1 } else { self.settings.tries };
        loop {
            left = left.saturating_sub(1);
            let start = Instant::now();
            let error = match attempt() {
                Ok(result) => {
                    self.failures.store(0, Ordering::Relaxed);
                    return Ok(result);
                }
                Err(error) if !error.is_passing() => return Err(error),
                Err(RemoteError::Slow { address }) if self.count_silence(start) => {
                    return Err(RemoteError::Silent { address });
                }
                Err(error) if left == 0 => {
                    self.failures.fetch_add(1, Ordering::Relaxed);
                    return Err(error);
                }
                Err(error) => error,
            };
            let wait = error.wait().unwrap_or(pause);
            let until = Instant::now() + wait;
            // If no retry is possible before the deadline, report the error now.
            if wait > LONGEST_PAUSE || deadline().is_some_and(|deadline| deadline < until) {
                return Err(error);
            }
            while let Some(rest) = until.checked_duration_since(Instant::now()) {
                self.check(address)?;
                thread::sleep(rest.min(LOOK));
            }
            pause *= 3;
        }
    }
}

/// A guard that counts a thread as waiting until it is dropped.
struct Waiting<'a>(&'a Remote);

impl Waiting<'_> {
    fn begin(remote: &Remote) -> Waiting<'_> {
        let mut busy = remote.busy();
        busy.waiting += 1;
        busy.since.get_or_insert_with(Instant::now);
        Waiting(remote)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut busy = self.0.busy();
        busy.waiting -= 1;
        if busy.waiting == 0
            && let Some(since) = busy.since.take()
        {
            busy.before += since.elapsed();
        }
    }
}

impl Answer<'_> {
    fn next(&self) -> Result<Event, RemoteError> {
        loop {
            self.remote.check(self.address)?;
            let now = Instant::now();
            let Some(left) = self.slow.checked_duration_since(now) else {
                return Err(RemoteError::Slow { address: self.address.to_string() });
            };
            let left = deadline().map_or(left, |deadline| left.min(deadline - now));
            match self.events.recv_timeout(left.min(LOOK)) {
                Ok(event) => return Ok(event),
                Err(RecvTimeoutError::Timeout) => {}
                // The transfer's thread ended without a message.
                Err(RecvTimeoutError::Disconnected) => return Ok(Event::End),
            }
        }
    }

    pub(crate) fn bytes(&self) -> Result<Option<Vec<u8>>, RemoteError> {
        match self.next()? {
            Event::Bytes(bytes) => {
                let count = bytes.len() as u64;
                self.remote.bytes.fetch_add(count, Ordering::Relaxed);
                self.found.set(self.found.get() + count);
                Ok(Some(bytes))
            }
            Event::End => Ok(None),
            event => Err(self.fault_of(event)),
        }
    }

    /// Extends the time limit for `count` more bytes.
    pub(crate) fn extend(&mut self, count: u64) {
        self.slow += Duration::from_secs(count.div_ceil(SLOWEST));
    }

    fn fault_of(&self, event: Event) -> RemoteError {
        let address = self.address.to_string();
        let error = match event {
            Event::Failed(error) => error,
            Event::Broken(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return RemoteError::Cut { address, found: self.found.get() };
            }
            Event::Broken(error) => error.into(),
            Event::Head(_) | Event::Bytes(_) | Event::End => {
                return RemoteError::Broken { address, text: "no answer".to_owned() };
            }
        };
        match error {
            ureq::Error::Timeout(_) => RemoteError::Slow { address },
            ureq::Error::Io(error) if error.kind() == io::ErrorKind::TimedOut => {
                RemoteError::Slow { address }
            }
            ureq::Error::Io(error) if is_of_tls(&error) => {
                RemoteError::Tls { address, text: error.to_string() }
            }
            ureq::Error::Rustls(error) => RemoteError::Tls { address, text: error.to_string() },
            ureq::Error::Tls(text) => RemoteError::Tls { address, text: text.to_owned() },
            ureq::Error::TooManyRedirects => RemoteError::Redirect {
                address,
                text: format!(
                    "it redirects more than {MOST_REDIRECTS} times, or to neither http nor https"
                ),
            },
            ureq::Error::RequireHttpsOnly(_) => RemoteError::Redirect {
                address,
                text: "it redirects from https to http, where others could change it".to_owned(),
            },
            ureq::Error::Protocol(error) => {
                RemoteError::Broken { address, text: format!("the answer is not HTTP: {error}") }
            }
            ureq::Error::HostNotFound => {
                RemoteError::Unknown { address, text: "unknown server".to_owned() }
            }
            ureq::Error::BadUri(text) => RemoteError::Unknown { address, text },
            error => RemoteError::Broken { address, text: error.to_string() },
        }
    }
}

/// True if the TLS handshake failed. False if the connection failed.
fn is_of_tls(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidData
}

fn transfer(
    agent: &Agent,
    address: &str,
    headers: Vec<(&'static str, String)>,
    to: &SyncSender<Event>,
) {
    let mut request = agent.get(address);
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let response: Response<Body> = match request.call() {
        Ok(response) => response,
        Err(error) => {
            let _ = to.send(Event::Failed(error));
            return;
        }
    };
    let (asked, last) = (address.parse::<Uri>(), response.get_uri());
    let moved = asked.is_ok_and(|asked| asked != *last).then(|| last.to_string());
    let head = Head::of(response.headers(), response.status().as_u16(), moved);
    if to.send(Event::Head(head)).is_err() {
        return;
    }
    let mut reader = response.into_body().into_reader();
    loop {
        let mut bytes = vec![0; HANDFUL];
        let event = match reader.read(&mut bytes) {
            Ok(0) => Event::End,
            Ok(count) => {
                bytes.truncate(count);
                Event::Bytes(bytes)
            }
            Err(error) => Event::Broken(error),
        };
        let is_last = !matches!(event, Event::Bytes(_));
        // The receiver may already have been dropped.
        if to.send(event).is_err() || is_last {
            return;
        }
    }
}
