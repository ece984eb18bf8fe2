//! Reads remote files from a server on loopback.

mod secure;
mod transfers;
