//! Databases in folders, packs and on servers: look-ups, counts and checks, against the reference.

mod checked;
mod common;
mod database;
mod long_global;
mod nim;
mod places;
mod remote;
mod rows;
mod shares;
mod short_global;
