//! Accepts and refuses connections from this machine. `hyper` implements HTTP.

use std::borrow::Cow;
use std::convert::Infallible;
use std::future::{poll_fn, ready};
use std::io::{IoSlice, Result as IoResult};
use std::net::TcpListener;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context as Task, Poll};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use grundy::Control;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use percent_encoding::percent_decode_str;
use tokio::io::{AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, copy, join, sink};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;
use tokio::sync::{Notify, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

use super::api::{self, Api, Question};
use super::assets::{Assets, File};
use super::reply::{POLICY, Refusal, Reply, UNFRAMED, asked_by, json_reply, refused, reply};

const PATIENCE: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(20);
const GRACE: Duration = Duration::from_millis(300);
/// After an answer the server reads for this time, and at most this many bytes. If it closed a
/// connection with unread bytes, the system would discard the answer.
const AFTERWARDS: Duration = Duration::from_secs(1);
const MOST_AFTERWARDS: u64 = 1 << 20;
const MOST_HEAD: usize = 16 << 10;
const MOST_BODY: usize = 1 << 20;
/// Maximum number of parallel refusals. Further connections are closed immediately.
const MOST_REFUSED: usize = 64;

pub(crate) struct Server {
    assets: Assets,
    api: Arc<Api>,
    at_work: Arc<Semaphore>,
}

impl Server {
    pub(crate) fn new(assets: Assets, api: Api, at_work: usize) -> Server {
        Server { assets, api: Arc::new(api), at_work: Arc::new(Semaphore::new(at_work)) }
    }
}

/// Serves connections, a limited number at a time, until the server is stopped. Unfinished answers
/// are then lost, but no file on disk is damaged.
pub(crate) fn serve(
    listener: TcpListener,
    server: Server,
    connections: usize,
    control: &Control,
) -> anyhow::Result<()> {
    listener.set_nonblocking(true).context("cannot serve")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("cannot serve")?;
    let served = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        accept(&listener, &Arc::new(server), connections, control).await;
        Ok::<_, std::io::Error>(())
    });
    runtime.shutdown_background();
    served.context("cannot serve")
}

async fn accept(
    listener: &tokio::net::TcpListener,
    server: &Arc<Server>,
    connections: usize,
    control: &Control,
) {
    let free = Arc::new(Semaphore::new(connections));
    let refused = Arc::new(Semaphore::new(MOST_REFUSED));
    while !control.is_stopped() {
        let stream = match timeout(LOOK, listener.accept()).await {
            Ok(Ok((stream, _))) => stream,
            // The client has gone, or the system has no more sockets.
            Ok(Err(_)) => {
                sleep(LOOK).await;
                continue;
            }
            Err(_) => continue,
        };
        let (permit, server) = match Arc::clone(&free).try_acquire_owned() {
            Ok(permit) => (permit, Some(Arc::clone(server))),
            Err(_) => match Arc::clone(&refused).try_acquire_owned() {
                Ok(permit) => (permit, None),
                Err(_) => continue,
            },
        };
        tokio::spawn(async move {
            converse(stream, server).await;
            drop(permit);
        });
    }
    let all = u32::try_from(connections).unwrap_or(u32::MAX);
    let _ = timeout(GRACE, free.acquire_many(all)).await;
}

/// Answers one request. If `server` is `None`, there are too many requests, so refuses the request.
async fn converse(stream: TcpStream, server: Option<Arc<Server>>) {
    let (replied, is_asked) = (Notify::new(), AtomicBool::new(false));
    let (server, replied, is_asked) = (server.as_deref(), &replied, &is_asked);
    let service = service_fn(move |request| {
        is_asked.store(true, Ordering::Relaxed);
        Box::pin(async move {
            let found = match server {
                Some(server) => respond(request, server).await,
                None => Err(busy("too many requests at the same time; try again in a moment")),
            };
            replied.notify_one();
            Ok::<_, Infallible>(found.unwrap_or_else(refused))
        })
    });
    let (from, to) = stream.into_split();
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(MOST_HEAD)
        // Clients may close their side of the connection after the request.
        .half_close(true)
        .keep_alive(false)
        .title_case_headers(true)
        .serve_connection(TokioIo::new(join(from, Answers { to, is_asked })), service);
    let mut too_long = pin!(async {
        replied.notified().await;
        sleep(PATIENCE).await;
    });
    let ended = poll_fn(|task| match connection.poll_without_shutdown(task) {
        // The answer was sent, or an error ended the connection.
        Poll::Ready(ended) => Poll::Ready(Some(ended.err())),
        Poll::Pending => too_long.as_mut().poll(task).map(|()| None),
    });
    let Some(error) = ended.await else { return };
    let (from, Answers { mut to, .. }) = connection.into_parts().io.into_inner().into_inner();
    let end = async {
        if let (Some(error), false) = (error, is_asked.load(Ordering::Relaxed))
            && let Some(refusal) = no_request(&error)
        {
            say(refusal, &mut to).await;
        }
        to.shutdown().await?;
        copy(&mut from.take(MOST_AFTERWARDS), &mut sink()).await
    };
    let _ = timeout(AFTERWARDS, end).await;
}

/// The output side of a connection. It discards all output before a valid request arrives, because
/// hyper's own answers to invalid requests explain nothing.
struct Answers<'a> {
    to: OwnedWriteHalf,
    is_asked: &'a AtomicBool,
}

impl AsyncWrite for Answers<'_> {
    fn poll_write(
        self: Pin<&mut Self>,
        task: &mut Task<'_>,
        bytes: &[u8],
    ) -> Poll<IoResult<usize>> {
        self.poll_write_vectored(task, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        task: &mut Task<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<IoResult<usize>> {
        match self.is_asked.load(Ordering::Relaxed) {
            true => Pin::new(&mut self.to).poll_write_vectored(task, slices),
            false => Poll::Ready(Ok(slices.iter().map(|slice| slice.len()).sum())),
        }
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<IoResult<()>> {
        Pin::new(&mut self.to).poll_flush(task)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<IoResult<()>> {
        Pin::new(&mut self.to).poll_shutdown(task)
    }
}

/// Returns the refusal of an invalid request; `None` if the client does not wait for an answer.
fn no_request(error: &hyper::Error) -> Option<Refusal> {
    let (status, what) = match () {
        () if error.is_timeout() => (StatusCode::REQUEST_TIMEOUT, "the request arrived too slowly"),
        () if error.is_incomplete_message() => {
            (StatusCode::BAD_REQUEST, "the request is incomplete")
        }
        () if error.is_parse_too_large() => {
            let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
            (status, "the head of the request is too long")
        }
        () if error.is_parse() => (StatusCode::BAD_REQUEST, "this is not an HTTP/1.1 request"),
        () => return None,
    };
    Some((status, what.to_owned()))
}

/// Sends a refusal, as the answer to a made-up request, because no valid request has arrived.
async fn say(refusal: Refusal, to: &mut OwnedWriteHalf) {
    let service = service_fn(|_| ready(Ok::<_, Infallible>(refused(refusal.clone()))));
    let io = TokioIo::new(join(&b"GET / HTTP/1.1\r\n\r\n"[..], to));
    let mut http = http1::Builder::new();
    let http = http.keep_alive(false).half_close(true).title_case_headers(true);
    // The client may have left.
    let _ = http.serve_connection(io, service).await;
}

fn busy(what: &str) -> Refusal {
    (StatusCode::SERVICE_UNAVAILABLE, what.to_owned())
}

async fn respond(request: Request<Incoming>, server: &Server) -> Result<Reply, Refusal> {
    let (head, body) = request.into_parts();
    let path = decoded(head.uri.path())?;
    check(&head, &path)?;
    if let Some(path) = path.strip_prefix("/api/") {
        return answer(path, &head, body, server).await;
    }
    if ![Method::GET, Method::HEAD].contains(&head.method) {
        return Ok(asked_by("GET, HEAD"));
    }
    match server.assets.get(&path) {
        Some(file) => Ok(sent(file, &head)),
        None => Err((StatusCode::NOT_FOUND, "no file or question has this name".to_owned())),
    }
}

/// Returns a file: compressed if the browser reads zstd, and without its content if the browser
/// already has the file.
fn sent(file: &File, head: &Parts) -> Reply {
    let says = |name: HeaderName, word: &str| {
        let values = head.headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(',')).any(|one| one.trim() == word)
    };
    let mut reply = if says(header::IF_NONE_MATCH, &file.tag) {
        reply(StatusCode::NOT_MODIFIED, file.kind(), Bytes::new())
    } else if says(header::ACCEPT_ENCODING, "zstd") {
        let mut packed = reply(StatusCode::OK, file.kind(), file.packed.clone());
        let zstd = HeaderValue::from_static("zstd");
        packed.headers_mut().insert(header::CONTENT_ENCODING, zstd);
        packed
    } else {
        reply(StatusCode::OK, file.kind(), file.bytes.clone())
    };
    // Other sites may show the page in a frame, because clicks in the page cannot do any harm.
    if head.uri.query() == Some("embed") {
        let policy = HeaderValue::from_static(POLICY.trim_end_matches(UNFRAMED));
        reply.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    let vary = HeaderValue::from_static("accept-encoding");
    reply.headers_mut().insert(header::VARY, vary);
    if let Ok(tag) = file.tag.parse() {
        reply.headers_mut().insert(header::ETAG, tag);
    }
    reply
}

/// Answers a question on a new thread, which frees its caches before the permit is returned.
async fn answer(
    path: &str,
    head: &Parts,
    body: Incoming,
    server: &Server,
) -> Result<Reply, Refusal> {
    let Some(methods) = api::methods(path) else {
        let what = "unknown question; see /api/openapi.json".to_owned();
        return Err((StatusCode::NOT_FOUND, what));
    };
    if !methods.split(", ").any(|method| method == head.method) {
        return Ok(asked_by(methods));
    }
    let query = head.uri.query().unwrap_or_default();
    api::check_parameters(path, query)?;
    if let Some(text) = api::known(path) {
        return Ok(json_reply(StatusCode::OK, text));
    }
    let question = Question {
        path: path.to_owned(),
        query: query.to_owned(),
        kind: only(head, "content-type")?.unwrap_or_default().to_owned(),
        body: if head.method == Method::POST { read(body).await? } else { Bytes::new() },
    };
    let permit = timeout(PATIENCE, Arc::clone(&server.at_work).acquire_owned()).await;
    let Ok(Ok(permit)) = permit else {
        return Err(busy("the server is busy with other questions; try again later"));
    };
    let api = Arc::clone(&server.api);
    let computed = spawn_blocking(move || {
        let computed = on_own_thread(move || api.answer(&question));
        drop(permit);
        computed
    });
    let text = computed.await.unwrap_or_else(|_| Err(fault()))?;
    Ok(json_reply(StatusCode::OK, text))
}

/// Computes on a separate thread. A panic becomes an error message.
fn on_own_thread<R: Send + 'static>(
    compute: impl FnOnce() -> Result<R, Refusal> + Send + 'static,
) -> Result<R, Refusal> {
    thread::spawn(compute).join().unwrap_or_else(|_| Err(fault()))
}

fn fault() -> Refusal {
    let what = "an error in the program prevents an answer";
    (StatusCode::INTERNAL_SERVER_ERROR, what.to_owned())
}

async fn read(body: Incoming) -> Result<Bytes, Refusal> {
    let too_large = || {
        let most = grundy::Bytes(MOST_BODY as u64);
        (StatusCode::PAYLOAD_TOO_LARGE, format!("a request may have at most {most}"))
    };
    if body.size_hint().lower() > MOST_BODY as u64 {
        return Err(too_large());
    }
    match timeout(PATIENCE, Limited::new(body, MOST_BODY).collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) => Err((StatusCode::BAD_REQUEST, "the request is incomplete".to_owned())),
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "the request arrived too slowly".to_owned())),
    }
}

/// Decodes the escapes of a path, so that each resource has only one name.
fn decoded(path: &str) -> Result<Cow<'_, str>, Refusal> {
    api::check_escapes(path)?;
    let text = percent_decode_str(path).decode_utf8();
    text.map_err(|_| (StatusCode::BAD_REQUEST, "the address is not text".to_owned()))
}

/// Refuses chunked requests, requests for other hosts, and requests from other sites.
fn check(head: &Parts, path: &str) -> Result<(), Refusal> {
    if head.headers.contains_key(header::TRANSFER_ENCODING) {
        let what = "a request must give its length and must not be chunked".to_owned();
        return Err((StatusCode::BAD_REQUEST, what));
    }
    // Refuse other host names, because they may also resolve to this machine (DNS rebinding).
    let host = only(head, "host")?.unwrap_or_default();
    if !is_here(host) {
        let what = "use the host name 127.0.0.1 or localhost".to_owned();
        return Err((StatusCode::FORBIDDEN, what));
    }
    if is_of_others(head, path, host)? {
        let what = "requests from pages of other sites are refused".to_owned();
        return Err((StatusCode::FORBIDDEN, what));
    }
    Ok(())
}

/// Returns the value of a header. Refuses a repeated header, because a proxy might read the other
/// value.
fn only<'a>(head: &'a Parts, name: &str) -> Result<Option<&'a str>, Refusal> {
    let wrong = |what| (StatusCode::BAD_REQUEST, what);
    let mut found = head.headers.get_all(name).iter();
    let Some(value) = found.next() else { return Ok(None) };
    if found.next().is_some() {
        return Err(wrong(format!("the request has {name} more than once")));
    }
    match value.to_str() {
        Ok(text) => Ok(Some(text)),
        Err(_) => Err(wrong(format!("the {name} of the request is not text"))),
    }
}

/// Returns true if another site caused the request, unless the request follows a link to the page.
/// Other sites may link to the page, but must not call the interface.
fn is_of_others(head: &Parts, path: &str, host: &str) -> Result<bool, Refusal> {
    let is_link = only(head, "sec-fetch-mode")? == Some("navigate")
        && [Method::GET, Method::HEAD].contains(&head.method)
        && !path.starts_with("/api/");
    let is_own = matches!(only(head, "sec-fetch-site")?, None | Some("same-origin" | "none"));
    let own = format!("http://{host}");
    let is_from_here = only(head, "origin")?.is_none_or(|origin| origin.eq_ignore_ascii_case(&own));
    Ok(!is_from_here || !is_own && !is_link)
}

fn is_here(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').unwrap_or_default(),
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let is_port = |port: &str| port.len() <= 5 && port.bytes().all(|byte| byte.is_ascii_digit());
    (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
        && ["127.0.0.1", "localhost", "::1"].iter().any(|own| name.eq_ignore_ascii_case(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_local_host_names_are_accepted() {
        for host in ["127.0.0.1:8017", "localhost", "Localhost:1", "[::1]:8017", "[::1]"] {
            assert!(is_here(host), "{host}");
        }
        for host in [
            "",
            "example.org",
            "example.org:8017",
            "localhost.example.org",
            "[::2]",
            "10.0.0.1",
            "localhost:80@example.org",
            "[::1",
            "[::1]x",
        ] {
            assert!(!is_here(host), "{host}");
        }
    }

    #[test]
    fn a_panic_is_answered_with_a_sentence() {
        let (status, what) =
            on_own_thread::<()>(|| panic!("this is what the test is about")).unwrap_err();
        assert_eq!(status, 500);
        assert!(what.contains("an error in the program"));
    }
}
