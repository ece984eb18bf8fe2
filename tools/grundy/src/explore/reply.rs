//! Builds answers. An answer has a status, the type of its body, and restrictions for the browser.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, Write};

use http::StatusCode;
use serde_json::json;

/// A reason why a request gets no other answer.
pub(crate) type Refusal = (StatusCode, String);

pub(crate) const POLICY: (&str, &str) = (
    "Content-Security-Policy",
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
     connect-src 'self'; frame-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'",
);

/// The end of the page's security policy, which forbids frames.
pub(crate) const UNFRAMED: &str = "; frame-ancestors 'none'";

const HEADERS: [(&str, &str); 4] = [
    ("Cache-Control", "no-cache"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
];

pub(crate) struct Reply<'a> {
    status: StatusCode,
    headers: Vec<(&'static str, &'a str)>,
    body: Cow<'a, [u8]>,
}

impl<'a> Reply<'a> {
    pub(crate) fn new(
        status: StatusCode,
        kind: &'a str,
        policy: &'a str,
        body: Cow<'a, [u8]>,
    ) -> Reply<'a> {
        let first = [("Content-Type", kind), (POLICY.0, policy)];
        Reply { status, headers: first.into_iter().chain(HEADERS).collect(), body }
    }

    pub(crate) fn with(mut self, name: &'static str, value: &'a str) -> Reply<'a> {
        self.headers.push((name, value));
        self
    }

    pub(crate) fn json(status: StatusCode, text: impl Display) -> Reply<'a> {
        let body = format!("{text}\n").into_bytes();
        Reply::new(status, "application/json", POLICY.1, body.into())
    }

    pub(crate) fn refused((status, what): Refusal) -> Reply<'a> {
        Reply::json(status, json!({ "error": what }))
    }

    /// Writes the answer to a request, without the body if the request asks only for the head.
    pub(crate) fn send(&self, is_head: bool, to: &mut impl Write) -> io::Result<()> {
        let mut head = format!("HTTP/1.1 {}\r\nConnection: close\r\n", self.status);
        if self.status != StatusCode::NOT_MODIFIED {
            head += &format!("Content-Length: {}\r\n", self.body.len());
        }
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        to.write_all((head + "\r\n").as_bytes())?;
        if is_head { Ok(()) } else { to.write_all(&self.body) }
    }
}
