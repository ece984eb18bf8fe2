//! Tests databases in folders, in packs and on servers. Look-ups, counts and checks are compared
//! with the reference.

mod checked;
mod common;
mod database;
mod games;
mod outcomes;
mod places;
mod remote;
