//! Remote files, read from a server on loopback.

mod secure;
mod transfers;
