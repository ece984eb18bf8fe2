//! Tests of the shard format: what is written is read back, and what is damaged is
//! never read as something else.

mod common;
mod damage;
mod end_nim;
mod forged;
mod golden;
mod publish;
mod round_trip;
mod tools;
