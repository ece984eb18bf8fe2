//! Connections from this machine.

use std::io::{self, ErrorKind, Read};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use grundy_sweep::Control;

use super::api::Api;
use super::assets::Assets;
use super::http::{self, Request, Response};

/// Connections at a time.
const MOST_CONNECTIONS: usize = 32;
/// How long a request may take to arrive, and an answer to be taken.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often it is looked whether it is to end.
const LOOK: Duration = Duration::from_millis(20);

/// Answers until it is stopped.
pub(crate) fn serve(
    listener: &TcpListener,
    assets: &Assets,
    api: &Api,
    control: &Control,
) -> anyhow::Result<()> {
    listener.set_nonblocking(true).context("cannot serve")?;
    let open = AtomicUsize::new(0);
    thread::scope(|scope| {
        while !control.is_stopped() {
            let stream = match listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    thread::sleep(LOOK);
                    continue;
                }
                // A connection that went away again, or too many of them.
                Err(_) => {
                    thread::sleep(LOOK);
                    continue;
                }
            };
            if open.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
                open.fetch_sub(1, Ordering::Relaxed);
                let mut stream = stream;
                // Who asks too much at once need not hear of it.
                let _ = Response::wrong(503, "too many requests at once").write(&mut stream, true);
                continue;
            }
            let open = &open;
            scope.spawn(move || {
                // Who goes away before the answer does not want it.
                let _ = answer(stream, assets, api);
                open.fetch_sub(1, Ordering::Relaxed);
            });
        }
    });
    Ok(())
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

fn answer(mut stream: TcpStream, assets: &Assets, api: &Api) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut timed = Timed { stream: &stream, until: Instant::now() + PATIENCE };
    let (response, with_body) = match http::read(&mut timed) {
        Ok(request) => (respond(&request, assets, api), request.method != "HEAD"),
        Err(response) => (response, true),
    };
    response.write(&mut stream, with_body)?;
    // What was not read would make the system throw away what was written.
    stream.shutdown(std::net::Shutdown::Write)?;
    let mut rest = Timed { stream: &stream, until: Instant::now() + Duration::from_secs(1) };
    io::copy(&mut (&mut rest).take(1 << 20), &mut io::sink())?;
    Ok(())
}

fn respond<'a>(request: &Request, assets: &'a Assets, api: &Api) -> Response<'a> {
    // A page of somebody else, whose name was made to lead here, is not answered.
    if !is_here(&request.host) {
        return Response::wrong(403, "this is served as 127.0.0.1 or localhost only");
    }
    if let Some(path) = request.path.strip_prefix("/api/") {
        return api.respond(path, request);
    }
    if !matches!(&*request.method, "GET" | "HEAD") {
        return Response::wrong(405, "pages are only read");
    }
    match assets.get(&request.path) {
        Some((bytes, kind)) => Response { status: 200, kind, body: bytes.into() },
        None => Response::wrong(404, "there is nothing here of this name"),
    }
}

/// Whether the browser asked for this machine.
fn is_here(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    matches!(name, "127.0.0.1" | "localhost" | "::1")
}

#[cfg(test)]
mod tests {
    use super::is_here;

    #[test]
    fn only_this_machine_is_here() {
        for host in ["127.0.0.1:8017", "localhost", "localhost:1", "[::1]:8017"] {
            assert!(is_here(host), "{host}");
        }
        for host in
            ["", "example.org", "example.org:8017", "localhost.example.org", "[::2]", "10.0.0.1"]
        {
            assert!(!is_here(host), "{host}");
        }
    }
}
