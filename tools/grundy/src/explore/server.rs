//! Accepts connections from this machine, and answers one request on each.
//!
//! Each connection has a thread. The number of connections is limited, and so are the times to
//! receive a request and to send an answer.

use std::borrow::Cow;
use std::io::{self, Read as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use grundy::Control;
use http::request::Parts;
use http::{Method, StatusCode};
use percent_encoding::percent_decode_str;

use super::api::{self, Api};
use super::assets::{Assets, File};
use super::reply::{POLICY, Refusal, Reply, UNFRAMED};
use super::request::{Timed, check, read_head, reads};

const PATIENCE: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(20);
const GRACE: Duration = Duration::from_millis(300);
/// After an answer the server reads for this time, and at most this many bytes. If it closed a
/// connection with unread bytes, the system would discard the answer.
const AFTERWARDS: Duration = Duration::from_secs(1);
const MOST_AFTERWARDS: u64 = 1 << 20;
/// Maximum number of parallel refusals. Further connections are closed immediately.
const MOST_REFUSED: usize = 64;

pub(crate) struct Server {
    assets: Assets,
    api: Api,
    at_work: Arc<Permits>,
}

impl Server {
    pub(crate) fn new(assets: Assets, api: Api, at_work: usize) -> Server {
        Server { assets, api, at_work: Permits::new(at_work) }
    }
}

/// A number of permits for parallel work.
struct Permits {
    free: Mutex<usize>,
    returned: Condvar,
}

impl Permits {
    fn new(free: usize) -> Arc<Permits> {
        Arc::new(Permits { free: Mutex::new(free), returned: Condvar::new() })
    }

    /// Waits until at least `wanted` permits are free, but not longer than `patience`.
    fn wait(&self, wanted: usize, patience: Duration) -> MutexGuard<'_, usize> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.returned.wait_timeout_while(free, patience, |free| *free < wanted);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Takes a permit, unless none becomes free in time.
    fn take(self: &Arc<Self>, patience: Duration) -> Option<Permit> {
        let mut free = self.wait(1, patience);
        *free = free.checked_sub(1)?;
        Some(Permit(Arc::clone(self)))
    }
}

struct Permit(Arc<Permits>);

impl Drop for Permit {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.returned.notify_all();
    }
}

/// Serves connections, a limited number at a time, until the server is stopped. Unfinished answers
/// are then lost, but no file on disk is damaged.
pub(crate) fn serve(listener: TcpListener, server: Server, connections: usize, control: &Control) {
    let free = Permits::new(connections);
    let accepted = Arc::clone(&free);
    thread::spawn(move || accept(&listener, &Arc::new(server), &accepted));
    while !control.is_stopped() {
        thread::sleep(LOOK);
    }
    drop(free.wait(connections, GRACE));
}

fn accept(listener: &TcpListener, server: &Arc<Server>, free: &Arc<Permits>) {
    let refused = Permits::new(MOST_REFUSED);
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // The client has gone, or the system has no more sockets.
            thread::sleep(LOOK);
            continue;
        };
        let (permit, server) = match free.take(Duration::ZERO) {
            Some(permit) => (permit, Some(Arc::clone(server))),
            None => match refused.take(Duration::ZERO) {
                Some(permit) => (permit, None),
                None => continue,
            },
        };
        // If the system has no more threads, the connection is closed.
        let _ = thread::Builder::new().spawn(move || {
            // An error ends only this connection.
            let _ = converse(&stream, server.as_deref());
            drop(permit);
        });
    }
}

/// Answers one request. If `server` is `None`, there are too many requests, so refuses the request.
fn converse(stream: &TcpStream, server: Option<&Server>) -> io::Result<()> {
    let (reply, is_head) = match read_head(&mut Timed::new(stream, PATIENCE)) {
        Ok(Some(head)) => {
            let found = match server {
                Some(server) => respond(&head, server),
                None => Err(busy("too many requests at the same time; try again in a moment")),
            };
            (found.unwrap_or_else(Reply::refused), head.method == Method::HEAD)
        }
        Ok(None) => return Ok(()),
        Err(refusal) => (Reply::refused(refusal), false),
    };
    reply.send(is_head, &mut Timed::new(stream, PATIENCE))?;
    stream.shutdown(Shutdown::Write)?;
    let rest = Timed::new(stream, AFTERWARDS);
    io::copy(&mut rest.take(MOST_AFTERWARDS), &mut io::sink()).map(drop)
}

fn busy(what: &str) -> Refusal {
    (StatusCode::SERVICE_UNAVAILABLE, what.to_owned())
}

fn respond<'a>(head: &Parts, server: &'a Server) -> Result<Reply<'a>, Refusal> {
    let path = decoded(head.uri.path())?;
    check(head, &path)?;
    let question = path.strip_prefix("/api/").filter(|path| api::KNOWN.contains(path));
    let file = server.assets.get(&path);
    match (question, file) {
        (None, None) => {
            Err((StatusCode::NOT_FOUND, "no file or question has this name".to_owned()))
        }
        _ if !reads(&head.method) => {
            let what = "use the method GET or HEAD".to_owned();
            let refused = Reply::refused((StatusCode::METHOD_NOT_ALLOWED, what));
            Ok(refused.with("Allow", "GET, HEAD"))
        }
        (Some(question), _) => {
            let text = answer(question, head.uri.query().unwrap_or_default(), server)?;
            Ok(Reply::json(StatusCode::OK, text))
        }
        (None, Some(file)) => Ok(sent(file, head)),
    }
}

/// Returns a file: compressed if the browser reads zstd, and without its content if the browser
/// already has the file.
fn sent<'a>(file: &'a File, head: &Parts) -> Reply<'a> {
    let says = |name: &str, word: &str| {
        let values = head.headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(',')).any(|one| one.trim() == word)
    };
    // Other sites may show the page in a frame, because clicks in the page cannot do any harm.
    let policy = match head.uri.query() {
        Some("embed") => POLICY.1.trim_end_matches(UNFRAMED),
        _ => POLICY.1,
    };
    let reply = |status, body: &'a [u8]| Reply::new(status, file.kind(), policy, body.into());
    let reply = if says("if-none-match", &file.tag) {
        reply(StatusCode::NOT_MODIFIED, b"")
    } else if says("accept-encoding", "zstd") {
        reply(StatusCode::OK, &file.packed).with("Content-Encoding", "zstd")
    } else {
        reply(StatusCode::OK, &file.bytes)
    };
    reply.with("Vary", "accept-encoding").with("ETag", &file.tag)
}

fn answer(path: &str, query: &str, server: &Server) -> Result<String, Refusal> {
    api::check_parameters(query)?;
    let permit = server.at_work.take(PATIENCE);
    let busy = || busy("the server is busy with other questions; try again later");
    let permit = permit.ok_or_else(busy)?;
    let text = on_own_thread(|| server.api.answer(path, query));
    drop(permit);
    text
}

/// Computes on a separate thread, which frees its caches at its end. A panic becomes an error
/// message.
fn on_own_thread<R: Send>(
    compute: impl FnOnce() -> Result<R, Refusal> + Send,
) -> Result<R, Refusal> {
    let computed = thread::scope(|scope| scope.spawn(compute).join());
    computed.unwrap_or_else(|_| {
        let what = "an error in the program prevents an answer";
        Err((StatusCode::INTERNAL_SERVER_ERROR, what.to_owned()))
    })
}

/// Decodes the escapes of a path, so that each resource has only one name.
fn decoded(path: &str) -> Result<Cow<'_, str>, Refusal> {
    api::check_escapes(path)?;
    let text = percent_decode_str(path).decode_utf8();
    text.map_err(|_| (StatusCode::BAD_REQUEST, "the address is not text".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_answered_with_a_sentence() {
        let (status, what) =
            on_own_thread::<()>(|| panic!("this is what the test is about")).unwrap_err();
        assert_eq!(status, 500);
        assert!(what.contains("an error in the program"));
    }

    #[test]
    fn permits_come_back() {
        let permits = Permits::new(2);
        let (first, second) = (permits.take(Duration::ZERO), permits.take(Duration::ZERO));
        assert!(first.is_some() && second.is_some());
        assert!(permits.take(Duration::from_millis(1)).is_none());
        thread::scope(|scope| {
            let waiting = scope.spawn(|| permits.take(Duration::from_secs(60)).is_some());
            drop(first);
            assert!(waiting.join().unwrap());
        });
        assert_eq!(*permits.wait(2, Duration::from_millis(1)), 1);
    }
}
