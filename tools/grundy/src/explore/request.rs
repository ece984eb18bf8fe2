//! Reads the head of a request within limits of time and length.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use http::request::Parts;
use http::{Method, Request, StatusCode};
use httparse::{EMPTY_HEADER, Error, Status};

use super::reply::Refusal;

const MOST_HEAD: usize = 16 << 10;
const MOST_HEADERS: usize = 100;

/// A connection on which reading and writing must end at a given time.
pub(crate) struct Timed<'a> {
    stream: &'a TcpStream,
    end: Instant,
}

impl Timed<'_> {
    pub(crate) fn new(stream: &TcpStream, patience: Duration) -> Timed<'_> {
        Timed { stream, end: Instant::now() + patience }
    }

    fn left(&self) -> io::Result<Option<Duration>> {
        match self.end.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Err(io::ErrorKind::TimedOut.into()),
            left => Ok(Some(left)),
        }
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(into)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Reads the head of a request. `None` if the client does not wait for an answer: it has left, or
/// sent nothing but empty lines.
pub(crate) fn read_head(from: &mut impl Read) -> Result<Option<Parts>, Refusal> {
    let refused = |status, what: &str| Err((status, what.to_owned()));
    let mut bytes = Vec::new();
    loop {
        let mut headers = [EMPTY_HEADER; MOST_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        match request.parse(&bytes) {
            Ok(Status::Complete(_)) => return parts(&request).map(Some),
            Ok(Status::Partial) if bytes.len() <= MOST_HEAD => {}
            Ok(Status::Partial) | Err(Error::TooManyHeaders) => {
                let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
                return refused(status, "the head of the request is too long");
            }
            Err(_) => return Err(no_request()),
        }
        let known = bytes.len();
        bytes.resize(MOST_HEAD + 1, 0);
        let read = from.read(&mut bytes[known..]);
        bytes.truncate(known + read.as_ref().unwrap_or(&0));
        match read {
            Ok(0) if bytes.iter().all(|byte| b"\r\n".contains(byte)) => return Ok(None),
            Ok(0) => return refused(StatusCode::BAD_REQUEST, "the request is incomplete"),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // A timeout has another kind on Windows.
            Err(error)
                if [io::ErrorKind::TimedOut, io::ErrorKind::WouldBlock].contains(&error.kind()) =>
            {
                return refused(StatusCode::REQUEST_TIMEOUT, "the request arrived too slowly");
            }
            Err(_) => return Ok(None),
        }
    }
}

fn parts(request: &httparse::Request<'_, '_>) -> Result<Parts, Refusal> {
    let (method, address) = (request.method.unwrap_or_default(), request.path.unwrap_or_default());
    let mut made = Request::builder().method(method).uri(address);
    for header in request.headers.iter() {
        made = made.header(header.name, header.value);
    }
    made.body(()).map(|made| made.into_parts().0).map_err(|_| no_request())
}

fn no_request() -> Refusal {
    (StatusCode::BAD_REQUEST, "this is not an HTTP/1.1 request".to_owned())
}

/// True if the request asks for a file or an answer, or only for its head.
pub(crate) fn reads(method: &Method) -> bool {
    [Method::GET, Method::HEAD].contains(method)
}

/// Returns the value of a header. Refuses a repeated header, because a proxy might read the other
/// value.
pub(crate) fn only<'a>(head: &'a Parts, name: &str) -> Result<Option<&'a str>, Refusal> {
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

/// Refuses requests with an invalid or unknown length, requests for other hosts, and requests from
/// other sites.
pub(crate) fn check(head: &Parts, path: &str) -> Result<(), Refusal> {
    let length = only(head, "content-length")?.unwrap_or("0");
    let is_number = !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit());
    if head.headers.contains_key("transfer-encoding") || !is_number {
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

/// Returns true if another site caused the request, unless the request follows a link to the page.
/// Other sites may link to the page, but must not call the interface.
fn is_of_others(head: &Parts, path: &str, host: &str) -> Result<bool, Refusal> {
    let is_link = only(head, "sec-fetch-mode")? == Some("navigate")
        && reads(&head.method)
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

    /// A reader that gives few bytes at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let most = into.len().min(64);
            self.0.read(&mut into[..most])
        }
    }

    /// A head has at most 16 KiB and 100 headers.
    #[test]
    fn heads_are_limited() {
        let read = |text: &str| read_head(&mut Slow(text.as_bytes()));
        let status = |text: &str| read(text).unwrap_err().0.as_u16();
        let with = |headers: &str| format!("GET /a?b=c HTTP/1.1\r\n{headers}\r\n");
        let head = read(&with("Host: x\r\n")).unwrap().unwrap();
        assert_eq!((head.uri.path(), head.uri.query()), ("/a", Some("b=c")));
        assert!(read(&with(&"x: y\r\n".repeat(100))).is_ok());
        assert_eq!(status(&with(&"x: y\r\n".repeat(101))), 431);
        let long = |length| with(&format!("x: {}\r\n", "y".repeat(length)));
        let most = (16 << 10) - long(0).len();
        assert!(read(&long(most)).is_ok() && read(&long(most + 1)).is_ok());
        assert_eq!(status(&long(most + 2)), 431);
        assert_eq!((status("GET"), status("x\0"), status(&with("x"))), (400, 400, 400));
        assert!(read("\r\n\r\n").unwrap().is_none() && read("").unwrap().is_none());
    }
}
