//! Connections from this machine.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use grundy_sweep::Control;

use super::api::Api;
use super::assets::Assets;
use super::http::{self, Request, Response};
use super::work::Permits;

/// How long a request may take to arrive, and an answer to be taken.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often it is looked whether it is to end.
const LOOK: Duration = Duration::from_millis(20);
/// How long it waits, at its end, for answers that are under way.
const GRACE: Duration = Duration::from_millis(300);
/// How long is read on, and how much, of what is not going to be answered: a connection that is closed over
/// bytes that nobody read takes the answer away again.
const AFTERWARDS: Duration = Duration::from_secs(1);
const MOST_AFTERWARDS: u64 = 1 << 20;
/// Connections that are refused at a time; more are closed at once.
const MOST_REFUSED: usize = 64;

/// What answers.
pub(crate) struct Server {
    pub(crate) assets: Assets,
    pub(crate) api: Api,
}

/// Answers until it is stopped, so many connections at a time. What then still computes, or waits for
/// somebody slow, is left to end with the process: what is fetched is kept under its name once it is whole.
pub(crate) fn serve(
    listener: &TcpListener,
    server: Server,
    connections: usize,
    control: &Control,
) -> anyhow::Result<()> {
    listener.set_nonblocking(true).context("cannot serve")?;
    let server = Arc::new(server);
    let permits = Permits::new(connections);
    let mut refused = Refused::default();
    while !control.is_stopped() {
        refused.read_on();
        // Where there is no connection it is one that went away again, or the system has no more of them.
        let Ok((stream, _)) = listener.accept() else {
            thread::sleep(LOOK);
            continue;
        };
        let Some(permit) = permits.take(Duration::ZERO) else {
            refused.add(stream);
            continue;
        };
        let server = Arc::clone(&server);
        let _ = thread::Builder::new().name("answer".to_owned()).spawn(move || {
            let _permit = permit;
            // Who goes away before the answer does not want it.
            let _ = answer(&stream, &server);
        });
    }
    let until = Instant::now() + GRACE;
    let is_quiet = || {
        let free: Vec<_> = (0..connections).map_while(|_| permits.take(Duration::ZERO)).collect();
        free.len() == connections
    };
    while !is_quiet() && Instant::now() < until {
        thread::sleep(LOOK);
    }
    Ok(())
}

/// Connections that are too many: they have their answer, and are read until it has arrived.
#[derive(Default)]
struct Refused(Vec<(TcpStream, Instant)>);

impl Refused {
    fn add(&mut self, mut stream: TcpStream) {
        if self.0.len() == MOST_REFUSED {
            return;
        }
        let busy = Response::wrong(503, "too many requests at once; ask again in a moment");
        let written = stream
            .set_nonblocking(true)
            .and_then(|()| busy.write(&mut stream, true))
            .and_then(|()| stream.shutdown(Shutdown::Write));
        if written.is_ok() {
            self.0.push((stream, Instant::now() + AFTERWARDS));
        }
    }

    fn read_on(&mut self) {
        self.0.retain_mut(|(stream, until)| {
            if Instant::now() > *until {
                return false;
            }
            match io::copy(&mut stream.take(MOST_AFTERWARDS), &mut io::sink()) {
                Ok(_) => false,
                Err(error) => error.kind() == ErrorKind::WouldBlock,
            }
        });
    }
}

/// A stream of which all together takes no longer than so long.
struct Timed<'a> {
    stream: &'a TcpStream,
    until: Instant,
}

impl Read for Timed<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        let mut stream = self.stream;
        stream.read(room)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.stream.set_write_timeout(Some(left))?;
        let mut stream = self.stream;
        stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn answer(stream: &TcpStream, server: &Server) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    let timed = |patience| Timed { stream, until: Instant::now() + patience };
    let (response, with_body) = match http::read(&mut timed(PATIENCE)) {
        Ok(request) => (guarded(|| respond(&request, server)), request.method != "HEAD"),
        Err(response) => (response, true),
    };
    response.write(&mut timed(PATIENCE), with_body)?;
    stream.shutdown(Shutdown::Write)?;
    io::copy(&mut timed(AFTERWARDS).take(MOST_AFTERWARDS), &mut io::sink())?;
    Ok(())
}

/// The answer, and a sentence even where the program is wrong.
fn guarded<'a>(respond: impl FnOnce() -> Response<'a>) -> Response<'a> {
    catch_unwind(AssertUnwindSafe(respond)).unwrap_or_else(|_| {
        Response::wrong(500, "this cannot be answered; the program is at fault")
    })
}

fn respond<'a>(request: &Request, server: &'a Server) -> Response<'a> {
    // A page of somebody else, whose name was made to lead here, is not answered.
    if !is_here(&request.host) {
        return Response::wrong(403, "this is served as 127.0.0.1 or localhost only");
    }
    if is_of_others(request) {
        return Response::wrong(403, "this does not answer what the pages of others ask");
    }
    if let Some(path) = request.path.strip_prefix("/api/") {
        return server.api.respond(path, request);
    }
    if !matches!(&*request.method, "GET" | "HEAD") {
        return Response::asked_by("GET, HEAD");
    }
    match server.assets.get(&request.path) {
        Some((bytes, kind)) => Response::of(200, kind, bytes),
        None => Response::wrong(404, "there is nothing here of this name"),
    }
}

/// Whether a page of somebody else has the browser ask. Its links may lead to the page here, whose address
/// is a citation, and not to what is computed.
fn is_of_others(request: &Request) -> bool {
    let is_link = request.mode.as_deref() == Some("navigate")
        && matches!(&*request.method, "GET" | "HEAD")
        && !request.path.starts_with("/api/");
    let is_own = matches!(request.site.as_deref(), None | Some("same-origin" | "none"));
    let own = format!("http://{}", request.host);
    let is_from_here =
        request.origin.as_ref().is_none_or(|origin| origin.eq_ignore_ascii_case(&own));
    !is_from_here || !is_own && !is_link
}

/// Whether the browser asked for this machine.
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
    fn only_this_machine_is_here() {
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

    /// What browsers say, by the Fetch standard and Fetch Metadata.
    #[test]
    fn the_pages_of_others_are_not_answered() {
        let is_of_others = |start: &str, head: &str| {
            let text = format!("{start} HTTP/1.1\r\nHost: localhost:8017\r\n{head}\r\n");
            let request = http::read(&mut text.as_bytes()).unwrap();
            is_of_others(&request)
        };
        for (start, head) in [
            ("GET /api/games", ""),
            ("GET /api/games", "Sec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate\r\n"),
            (
                "POST /api/values",
                "Origin: http://localhost:8017\r\nSec-Fetch-Site: same-origin\r\n",
            ),
            ("GET /", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"),
        ] {
            assert!(!is_of_others(start, head), "{start} {head}");
        }
        for (start, head) in [
            ("POST /api/values", "Origin: http://localhost:8018\r\n"),
            ("POST /api/values", "Origin: null\r\n"),
            ("POST /api/values", "Origin: https://localhost:8017\r\n"),
            ("GET /api/games", "Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: no-cors\r\n"),
            ("GET /api/games", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"),
            ("GET /main.js", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n"),
            ("POST /", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"),
        ] {
            assert!(is_of_others(start, head), "{start} {head}");
        }
    }

    #[test]
    fn a_mistake_of_the_program_is_a_sentence() {
        let response = guarded(|| panic!("this is what the test is about"));
        assert_eq!((response.status, response.kind), (500, "application/json"));
        assert!(response.body.starts_with(b"{\"error\""));
    }
}
