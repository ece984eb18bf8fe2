//! Databases in folders, packs and on servers: look-ups, counts and checks, compared with the
//! reference.

mod checked;
mod common;
mod database;
mod games;
mod places;
mod remote;
mod shares;
