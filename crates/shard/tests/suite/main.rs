//! Tests of the shard format: round trips succeed, and damaged shards are never read as something
//! else.

mod common;
mod damage;
mod end_nim;
mod forged;
mod golden;
mod publish;
mod round_trip;
mod tools;
