//! Builds answers. An answer has a status, the type of its body, and restrictions for the browser.

use std::fmt::Display;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::json;

pub(crate) type Reply = Response<Full<Bytes>>;

pub(crate) type Refusal = (StatusCode, String);

pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
                      connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// The end of the page's security policy, which forbids frames.
pub(crate) const UNFRAMED: &str = "; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 5] = [
    (header::CACHE_CONTROL, "no-cache"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (header::CONTENT_SECURITY_POLICY, POLICY),
];

pub(crate) fn reply(status: StatusCode, kind: &'static str, body: Bytes) -> Reply {
    let mut reply = Response::new(Full::new(body));
    *reply.status_mut() = status;
    for (name, value) in [(header::CONTENT_TYPE, kind)].into_iter().chain(HEADERS) {
        reply.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    reply
}

pub(crate) fn json_reply(status: StatusCode, text: impl Display) -> Reply {
    reply(status, "application/json", format!("{text}\n").into())
}

pub(crate) fn refused((status, what): Refusal) -> Reply {
    json_reply(status, json!({ "error": what }))
}

pub(crate) fn asked_by(methods: &'static str) -> Reply {
    let mut reply = refused((StatusCode::METHOD_NOT_ALLOWED, format!("use the method {methods}")));
    reply.headers_mut().insert(header::ALLOW, HeaderValue::from_static(methods));
    reply
}
