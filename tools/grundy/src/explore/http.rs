//! A request as it stands on the wire, and an answer as it goes there.

use std::io::{self, Read, Write};

/// Bytes of the head of a request.
const MOST_HEAD: usize = 16 << 10;
/// Bytes that are read at a time.
const PIECE: usize = 4096;
/// Bytes of its body.
pub(crate) const MOST_BODY: usize = 1 << 20;

/// What is asked.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Without what follows the ?.
    pub(crate) path: String,
    /// Names and values behind the ?.
    pub(crate) query: Vec<(String, String)>,
    /// The machine that was asked for, as the browser says.
    pub(crate) host: String,
    /// Whose page asks, as the browser says; nothing of what is no browser, or of the reader's own wish.
    pub(crate) origin: Option<String>,
    /// The same in a word: same-origin, same-site, cross-site, none.
    pub(crate) site: Option<String>,
    /// What for: navigate, cors and others.
    pub(crate) mode: Option<String>,
    pub(crate) content_type: String,
    pub(crate) body: Vec<u8>,
}

/// What is answered.
#[derive(Debug)]
pub(crate) struct Response<'a> {
    pub(crate) status: u16,
    pub(crate) kind: &'static str,
    /// How it may be asked, if not as it was; or nothing.
    pub(crate) allow: &'static str,
    pub(crate) body: std::borrow::Cow<'a, [u8]>,
}

/// What the page may do: load what lies beside it, and compile it. Nothing else, from nowhere else.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
                      connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

impl<'a> Response<'a> {
    pub(crate) fn json(status: u16, value: &serde_json::Value) -> Response<'a> {
        Response::of(status, "application/json", format!("{value}\n").into_bytes())
    }

    pub(crate) fn of(
        status: u16,
        kind: &'static str,
        body: impl Into<std::borrow::Cow<'a, [u8]>>,
    ) -> Response<'a> {
        Response { status, kind, allow: "", body: body.into() }
    }

    /// A sentence about what is wrong.
    pub(crate) fn wrong(status: u16, what: impl std::fmt::Display) -> Response<'a> {
        Response::json(status, &serde_json::json!({ "error": what.to_string() }))
    }

    /// That this is asked otherwise.
    pub(crate) fn asked_by(allow: &'static str) -> Response<'a> {
        Response { allow, ..Response::wrong(405, format_args!("that is asked by {allow}")) }
    }

    pub(crate) fn write(&self, to: &mut impl Write, with_body: bool) -> io::Result<()> {
        let words = match self.status {
            200 => "OK",
            400 => "Bad Request",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            408 => "Request Timeout",
            413 => "Content Too Large",
            415 => "Unsupported Media Type",
            422 => "Unprocessable Content",
            500 => "Internal Server Error",
            _ => "Service Unavailable",
        };
        let allow = match self.allow {
            "" => String::new(),
            allow => format!("Allow: {allow}\r\n"),
        };
        write!(
            to,
            "HTTP/1.1 {} {words}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\
             Connection: close\r\nCache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n\
             Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
             Content-Security-Policy: {POLICY}\r\n{allow}\r\n",
            self.status,
            self.kind,
            self.body.len(),
        )?;
        if with_body {
            to.write_all(&self.body)?;
        }
        to.flush()
    }
}

/// Reads a request, or says what to answer instead.
pub(crate) fn read(from: &mut impl Read) -> Result<Request, Response<'static>> {
    let mut bytes = Vec::new();
    let (mut request, mut length, head) = loop {
        if let Some(found) = head(&bytes)? {
            break found;
        }
        if bytes.len() >= MOST_HEAD {
            return Err(Response::wrong(413, "the head of the request is too long"));
        }
        more(from, &mut bytes)?;
    };
    if length > MOST_BODY {
        let most = MOST_BODY >> 20;
        return Err(Response::wrong(413, format_args!("a request has at most {most} MiB")));
    }
    length += head;
    bytes.reserve_exact(length.saturating_sub(bytes.len()) + PIECE);
    while bytes.len() < length {
        more(from, &mut bytes)?;
    }
    bytes.truncate(length);
    bytes.drain(..head);
    request.body = bytes;
    Ok(request)
}

/// Appends what comes next.
fn more(from: &mut impl Read, bytes: &mut Vec<u8>) -> Result<(), Response<'static>> {
    let mut room = [0; PIECE];
    match from.read(&mut room) {
        Ok(0) => Err(Response::wrong(400, "the request ends before its end")),
        Ok(count) => {
            bytes.extend_from_slice(&room[..count]);
            Ok(())
        }
        Err(_) => Err(Response::wrong(408, "the request did not come in time")),
    }
}

/// The head, once all of it is there: the request without its body, the body's length, and where it
/// begins.
fn head(bytes: &[u8]) -> Result<Option<(Request, usize, usize)>, Response<'static>> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut parsed = httparse::Request::new(&mut headers);
    let end = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(end)) => end,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(error) => {
            return Err(Response::wrong(400, format_args!("that is no HTTP request: {error}")));
        }
    };
    // Of two that differ, whoever stands between might believe the other.
    let header = |name: &str| {
        let named = |header: &&httparse::Header<'_>| header.name.eq_ignore_ascii_case(name);
        let mut found = parsed.headers.iter().filter(named);
        let Some(header) = found.next() else { return Ok(None) };
        if found.next().is_some() {
            return Err(Response::wrong(
                400,
                format_args!("the request says {name} more than once"),
            ));
        }
        let text = std::str::from_utf8(header.value).ok().map(|text| Some(text.trim().to_owned()));
        text.ok_or_else(|| {
            Response::wrong(400, format_args!("the {name} of the request is no text"))
        })
    };
    if header("Transfer-Encoding")?.is_some() {
        return Err(Response::wrong(400, "a request says its length, and does not come in chunks"));
    }
    let length = match header("Content-Length")? {
        None => 0,
        Some(text) => Some(text)
            .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| Response::wrong(400, "the length of the request is no number"))?,
    };
    let target = parsed.path.unwrap_or("/");
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let undecodable = || Response::wrong(400, "the address has a % that encodes nothing");
    let pairs = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        Some((decoded(name)?, decoded(value)?))
    });
    let query = pairs.collect::<Option<_>>().ok_or_else(undecodable)?;
    let request = Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        path: decoded(path).ok_or_else(undecodable)?,
        query,
        host: header("Host")?.unwrap_or_default(),
        origin: header("Origin")?,
        site: header("Sec-Fetch-Site")?,
        mode: header("Sec-Fetch-Mode")?,
        content_type: header("Content-Type")?.unwrap_or_default(),
        body: Vec::new(),
    };
    Ok(Some((request, length, end)))
}

/// A part of an address in plain: %2C is a comma, + a space.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                let text = std::str::from_utf8(&digits).ok()?;
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return None;
                }
                u8::from_str_radix(text, 16).ok()?
            }
            b'+' => b' ',
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Result<Request, u16> {
        read(&mut text.as_bytes()).map_err(|response| response.status)
    }

    /// By hand, from RFC 9112 and the URL standard.
    #[test]
    fn a_request_is_read_as_it_stands() {
        let request = asked(
            "POST /api/values?game=end%2Dnim&position=8%7B1,3%7D&x HTTP/1.1\r\nHost: localhost:1\r\n\
             content-type: application/json\r\nContent-Length: 4\r\n\r\n{1}\nrest",
        )
        .unwrap();
        assert_eq!((&*request.method, &*request.path), ("POST", "/api/values"));
        let pairs = [("game", "end-nim"), ("position", "8{1,3}"), ("x", "")];
        assert_eq!(request.query, pairs.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!((&*request.host, &request.body[..]), ("localhost:1", &b"{1}\n"[..]));
    }

    #[test]
    fn what_is_no_request_is_refused() {
        assert_eq!(asked("").unwrap_err(), 400);
        assert_eq!(asked("GET / HTTP/1.1\r\nHost:").unwrap_err(), 400);
        assert_eq!(asked("\0\0\0\r\n\r\n").unwrap_err(), 400);
        assert_eq!(asked("GET /%zz HTTP/1.1\r\n\r\n").unwrap_err(), 400);
        assert_eq!(asked("GET /%ff HTTP/1.1\r\n\r\n").unwrap_err(), 400);
        assert_eq!(asked("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n").unwrap_err(), 400);
        for twice in [
            "Host: localhost\r\nhost: localhost",
            "Content-Length: 1\r\nContent-Length: 1",
            "Content-Length: +1",
            "Content-Length:",
            "Content-Length: 1, 1",
            "Transfer-Encoding: chunked",
            "Origin: null\r\nOrigin: http://localhost",
        ] {
            assert_eq!(asked(&format!("GET / HTTP/1.1\r\n{twice}\r\n\r\n1")).unwrap_err(), 400);
        }
        let long = format!("GET / HTTP/1.1\r\nContent-Length: {}\r\n\r\n", MOST_BODY + 1);
        assert_eq!(asked(&long).unwrap_err(), 413);
        assert_eq!(asked(&format!("GET /{} HTTP/1.1", "a".repeat(MOST_HEAD))).unwrap_err(), 413);
    }
}
