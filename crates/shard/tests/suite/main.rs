//! Tests the shard format. Round trips succeed, and damaged shards never give wrong values.

mod common;
mod damage;
mod end_nim;
mod forged;
mod golden;
mod publish;
mod round_trip;
mod tools;
