//! Tests the reports of checks that run shard by shard, in shares, or within a memory limit.

use grundy_sweep::MemoryLimit;
use std::fs;
use std::path::PathBuf;

use grundy_builder::Request;
use grundy_query::{Database, StoredTable, Verification, is_named, verify};
use grundy_rules::{Game, Pile, games};
use grundy_sweep::Control;
use grundy_testing::files::flip;
use rayon::ThreadPoolBuilder;
use tempfile::TempDir;

use crate::common::{FULL, QUICK, checked, damaged, database, only, open, sound, table};

fn stored(games: &[Game], max_pile: Pile, length: usize, single: Pile) -> (TempDir, Database) {
    let request = Request::new(games.to_vec(), max_pile);
    database(Request { length: Some(length), single: Some(single), ..request })
}

/// Flips a bit of the first shard of a table. Returns the database, and the path of the shard.
fn flipped(folder: &TempDir, db: Database, id: &str) -> (Database, PathBuf) {
    let path = table(&db, id).shard_path(0);
    // Close the database first, because a mapped file must not change.
    drop(db);
    flip(&path);
    (open(folder.path()), path)
}

/// There are twelve shards, one for each table. Two of the five parts have three shards, and the
/// other three have two.
#[test]
fn parts_take_shards_in_turn() {
    let (_folder, db) = stored(&games::END_NIM_GAMES, 5, 4, 5);
    let shards = |n| checked(&db, &Verification { part: Some((n, 5)), ..QUICK }).shards;
    assert_eq!([1, 2, 3, 4, 5].map(shards), [3, 3, 2, 2, 2]);
    // Each of three games has 5 + 25 + 125 values. Four piles have 25 values for each of the 15
    // middles that are no larger than their reversals. The report counts the bytes of all files.
    let control = Control::new();
    let all = verify(&db, &QUICK, &control);
    assert_eq!((all.tables, all.shards, all.values), (12, 12, 3 * 530));
    assert_eq!(control.done(), 3 * 530);
    let length = |stored: &StoredTable| fs::metadata(stored.shard_path(0)).unwrap().len();
    assert_eq!(all.bytes, db.tables().iter().map(length).sum::<u64>());
    control.stop();
    let stopped = verify(&db, &QUICK, &control);
    assert!(stopped.stopped && stopped.problems.is_empty());
    assert_eq!((stopped.shards, stopped.derived), (0, 0));
}

/// The (24^4 + 24^2) / 2 middles of six piles of up to 24 have 24^2 values of one byte each. This
/// table, and the 300,000 records of single piles, exceed the 64 MiB of a shard, so they have two
/// shards each. The first table is checked shard by shard, and the records in order.
#[test]
fn parts_of_tables_of_several_shards() {
    let (_folder, db) = stored(&[games::END_NIM], 24, 6, 1);
    let part = |n| sound(&db, &Verification { part: Some((n, 2)), ..only("end-nim/n24/k6") });
    let (first, second) = (part(1), part(2));
    assert_eq!((first.shards, second.shards), (1, 1));
    assert_eq!(first.values + second.values, 166_176 * 576);

    let (folder, db) = stored(&[games::SHORT_GLOBAL_NIM], 1, 1, 300_000);
    let how = only("short-global-nim/n300000");
    assert_eq!(sound(&db, &how).shards, 2);
    // The first shard is damaged. The report names the damage once, and no value after it is
    // derived. The bytes of the second shard are intact, and so is the first half of the first
    // shard.
    let (db, path) = flipped(&folder, db, "short-global-nim/n300000/k1");
    let checked = damaged(&db, &how, &path);
    assert_eq!(checked.shards, 1);
    let first = table(&db, "short-global-nim/n300000/k1").entry().tiles_per_shard;
    assert!(checked.derived < first, "{} of {first}", checked.derived);
}

/// Threads divide the memory equally. Twice as many threads with twice the memory leave out the
/// same values; twice as many threads with the same memory leave out more.
#[test]
fn threads_share_the_memory() {
    let (_folder, db) = stored(&[games::SHORT_GLOBAL_NIM], 1, 1, 20_000);
    let left_out = |threads: usize, memory: u64| {
        let how = Verification { memory: MemoryLimit::new(memory), ..FULL };
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let checked = pool.install(|| sound(&db, &how));
        checked.left_out.get("short-global-nim/n20000/k1").copied().unwrap_or(0)
    };
    let one = left_out(1, 4_000_000);
    assert!(one > 0);
    assert_eq!(left_out(2, 8_000_000), one);
    assert!(left_out(2, 4_000_000) > one);
    assert_eq!(left_out(1, 1 << 30), 0);
}

/// If only one frame in sixteen is derived again, the bytes of all other frames are still checked.
/// If a table is checked in order, damaged bytes are reported once, by the check of the bytes.
#[test]
fn damage_between_sampled_frames_is_found() {
    let (folder, db) = stored(&[games::END_NIM], 32, 4, 1);
    // There are (32^2 + 32) / 2 = 528 middles of 2^10 values, and a frame has 64 middles. The check
    // derives the last frame, which has 16 middles, and one other frame.
    let how = only("end-nim/n32/k4");
    let frames = table(&db, "end-nim/n32/k4");
    assert_eq!(frames.frames(), 9);
    assert_eq!((frames.frame_tiles(7), frames.frame_tiles(8)), ((448, 64), (512, 16)));
    assert_eq!(sound(&db, &how).derived, (64 + 16) << 10);
    let (db, path) = flipped(&folder, db, "end-nim/n32/k4");
    let found = damaged(&db, &how, &path);
    assert_eq!((found.shards, found.derived), (0, 0));

    let (folder, db) = stored(&[games::SHORT_GLOBAL_NIM], 1, 1, 300);
    let (db, path) = flipped(&folder, db, "short-global-nim/n300/k1");
    for how in [QUICK, FULL] {
        damaged(&db, &how, &path);
    }
}

/// A table can be named by the first parts of its id, or by the name of its rule file.
#[test]
fn tables_have_names() {
    let cases = [
        ("end-nim/n6/k3", "end-nim", true),
        ("end-nim/n6/k3", "end-nim/n6/", true),
        ("end-nim/n6/k3", "end-nim/n6/k", false),
        ("end-nim/n6/k3", "end", false),
        ("end-nim/n6/k3", "", false),
        ("end3-0123abcd/n6/k3", "end3", true),
        ("end3-0123abcd/n6/k3", "end3-0123abcd", true),
        ("end3-0123abcd/n6/k3", "end3-0123", false),
        ("end3-0123abcd-2/n6/k3", "end3", false),
    ];
    for (id, name, is_so) in cases {
        assert_eq!(is_named(id, name), is_so, "{id} {name}");
    }
}
