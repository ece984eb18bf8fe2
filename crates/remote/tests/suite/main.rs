//! Bytes of files at addresses, from a server on loopback.

mod secure;
mod transfers;
