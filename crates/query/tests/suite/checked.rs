//! What a verification says that it did: shard by shard, in shares, and within its memory.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use grundy_builder::Request;
use grundy_query::{
    Database, Problem, QueryError, Verification, VerifyReport, chosen, verify, verify_share,
};
use grundy_rules::{Game, Pile, games};
use grundy_sweep::Control;
use rayon::ThreadPoolBuilder;
use tempfile::TempDir;

use crate::common::{database, open};

const QUICK: Verification = Verification::sampled();

fn stored(games: &[Game], max_pile: Pile, length: usize, single: Pile) -> (TempDir, Database) {
    let request = Request::new(games.to_vec(), max_pile);
    database(Request { length: Some(length), single: Some(single), ..request })
}

/// Twelve shards, one a table: of five parts the first two have three of them and the others two.
#[test]
fn parts_take_shards_in_turn() {
    let (_folder, db) = stored(&games::END_NIM_GAMES, 5, 4, 5);
    let shards = |n| verify(&db, &Verification { part: Some((n, 5)), ..QUICK }, &Control::new());
    assert_eq!([1, 2, 3, 4, 5].map(|n| shards(n).shards), [3, 3, 2, 2, 2]);
    // Of each of three games 5 + 25 + 125 values, and of four piles those of the 15 middles that are
    // not behind their reversals, 25 each; every byte of every file.
    let control = Control::new();
    let all = verify(&db, &QUICK, &control);
    assert_eq!((all.tables, all.shards, all.values), (12, 12, 3 * 530));
    assert_eq!(control.done(), 3 * 530);
    let length = |stored: &grundy_query::StoredTable| fs::metadata(stored.shard_path(0)).unwrap();
    assert_eq!(all.bytes, db.tables().iter().map(|stored| length(stored).len()).sum::<u64>());
}

/// The (24^4 + 24^2) / 2 middles of six piles of up to 24 have 24^2 values of a byte each, which are more
/// than the 64 MiB of a shard, and so are 300,000 records of single piles: two shards each. The first
/// table is checked shard by shard, the records in order.
#[test]
fn shares_of_tables_of_several_shards() {
    let (_folder, db) = stored(&[games::END_NIM], 24, 6, 1);
    let how = Verification { tables: vec!["end-nim/n24/k6".to_owned()], ..QUICK };
    let parts: Vec<u64> = chosen(&db, &how).iter().map(|chosen| chosen.parts).collect();
    assert_eq!(parts, [2]);
    let share = |parts| verify_share(&db, &how, &[(0, parts)], &Control::new());
    let (first, second) = (share(0..1), share(1..2));
    assert_eq!((first.shards, second.shards), (1, 1));
    assert_eq!(first.values + second.values, 166_176 * 576);
    assert!(first.problems.is_empty() && second.problems.is_empty());

    let (_folder, db) = stored(&[games::SHORT_GLOBAL_NIM], 1, 1, 300_000);
    let how = Verification { tables: vec!["short-global-nim/n300000".to_owned()], ..QUICK };
    let parts: Vec<u64> = chosen(&db, &how).iter().map(|chosen| chosen.parts).collect();
    assert_eq!(parts, [1]);
    let whole = verify_share(&db, &how, &[(0, 0..1)], &Control::new());
    assert_eq!((whole.shards, whole.problems.len()), (2, 0));
}

/// Each thread has its part of the memory: twice as many threads with twice as much leave out as
/// much, and one of them with as much leaves out less.
#[test]
fn threads_share_the_memory() {
    let (_folder, db) = stored(&[games::SHORT_GLOBAL_NIM], 1, 1, 20_000);
    let left_out = |threads: usize, memory: u64| {
        let how = Verification { memory, ..Verification::full() };
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let checked = pool.install(|| verify(&db, &how, &Control::new()));
        assert!(checked.problems.is_empty(), "{:?}", checked.problems);
        checked.left_out.get("short-global-nim/n20000/k1").copied().unwrap_or(0)
    };
    let one = left_out(1, 4_000_000);
    assert!(one > 0);
    assert_eq!(left_out(2, 8_000_000), one);
    assert!(left_out(2, 4_000_000) > one);
    assert_eq!(left_out(1, 1 << 30), 0);
}

/// The database, after a bit in the middle of one of its shards has changed.
fn damaged(folder: &TempDir, shard: &Path) -> Database {
    let mut bytes = fs::read(shard).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(shard, bytes).unwrap();
    open(folder.path())
}

/// Where one frame in sixteen is derived again, the bytes of all the others are looked at.
#[test]
fn damage_between_sampled_frames_is_found() {
    let (folder, db) = stored(&[games::END_NIM], 32, 4, 1);
    let stored = db.tables().iter().find(|t| t.table().to_string() == "end-nim/n32/k4").unwrap();
    // (32^2 + 32) / 2 = 528 middles of 2^10 values, 64 in a frame: the first frame is derived and the
    // last, which has 16.
    assert_eq!(stored.frames(), 9);
    assert_eq!((stored.frame_tiles(7), stored.frame_tiles(8)), ((448, 64), (512, 16)));
    let path = stored.shard_path(0);
    let how = Verification { tables: vec!["end-nim/n32/k4".to_owned()], ..QUICK };
    assert_eq!(verify(&db, &how, &Control::new()).derived, (64 + 16) << 10);
    drop(db);
    let db = damaged(&folder, &path);
    let checked = verify(&db, &how, &Control::new());
    match &checked.problems[..] {
        [Problem::Shard(QueryError::Damaged { path: named, .. })] => assert_eq!(named, &path),
        problems => panic!("{problems:?}"),
    }
    assert_eq!((checked.shards, checked.derived), (0, 0));
}

/// A digest of a table that the database does not have is no fault of it, and is counted.
#[test]
fn expected_tables_that_are_not_there_are_counted() {
    let (_folder, db) = stored(&[games::END_NIM], 4, 2, 1);
    let not_there = ["end-nim/n4/k3", "end-nim/n5/k2", "loop-end-nim/n4/k2"];
    let expected = not_there.map(|id| (id.to_owned(), "00".repeat(32)));
    let how = Verification { expected: BTreeMap::from(expected), ..QUICK };
    let checked = verify(&db, &how, &Control::new());
    assert_eq!((checked.not_there, checked.as_expected, checked.problems.len()), (3, 0, 0));
    let how = Verification { tables: vec!["end-nim".to_owned()], ..how };
    assert_eq!(verify(&db, &how, &Control::new()).not_there, 2);
}

/// Sixteen sets of coins stand in a cell: the numbers of all sets of piles up to 9 are below 2^10.
#[test]
fn values_of_cells_that_hold_several_are_counted() {
    let (_folder, db) = stored(&[games::LONG_GLOBAL_NIM], 9, 1, 9);
    assert_eq!(verify(&db, &QUICK, &Control::new()).values, 1 << 10);
}

/// Where a checker goes through a table in order, what is wrong with the bytes is said once, by
/// whoever looks at these.
#[test]
fn damage_of_records_is_told_once() {
    let (folder, db) = stored(&[games::SHORT_GLOBAL_NIM], 1, 1, 300);
    let path = db.tables()[0].shard_path(0);
    drop(db);
    let db = damaged(&folder, &path);
    for how in [QUICK, Verification::full()] {
        let problems = verify(&db, &how, &Control::new()).problems;
        let is_told = matches!(problems[..], [Problem::Shard(QueryError::Damaged { .. })]);
        assert!(is_told, "{problems:?}");
    }
}

#[test]
fn a_verification_that_was_stopped_says_so() {
    let (_folder, db) = stored(&games::END_NIM_GAMES, 4, 2, 1);
    let control = Control::new();
    control.stop();
    let checked = verify(&db, &QUICK, &control);
    assert!(checked.stopped && checked.problems.is_empty());
    assert_eq!((checked.shards, checked.derived), (0, 0));
}

/// One in sixteen, in 4 GiB; or all of them.
#[test]
fn how_thorough_a_verification_is() {
    let sampled = Verification::sampled();
    assert_eq!((sampled.full, sampled.part, sampled.memory), (false, None, 4_294_967_296));
    assert!(sampled.tables.is_empty() && sampled.expected.is_empty());
    assert_eq!(Verification::full(), Verification { full: true, ..sampled.clone() });
    assert!(sampled.wants("nim/n5/k2"));
    let some = Verification { tables: vec!["nim/n5".into(), "end".into()], ..sampled };
    assert!(some.wants("nim/n5/k2") && some.wants("end-nim/n5/k2") && !some.wants("loop-end-nim"));
}

/// Where there is memory for all, nothing is said to be left out; where there is not, how much.
#[test]
fn nothing_is_left_out_for_nothing() {
    let (_folder, db) = stored(&[games::SHORT_GLOBAL_NIM, games::END_NIM], 6, 2, 400);
    let whole = verify(&db, &Verification::full(), &Control::new());
    assert!(whole.problems.is_empty() && whole.left_out.is_empty(), "{whole:?}");
    assert_eq!(whole.derived, whole.values);
}

/// Both together: sums, and one that was stopped has been stopped.
#[test]
fn what_was_checked_adds_up() {
    let part = |tables: u64, id: &str, stopped| VerifyReport {
        tables,
        shards: 10 * tables,
        bytes: 100 * tables,
        values: 1000 * tables,
        derived: 500 * tables,
        left_out: BTreeMap::from([(id.to_owned(), tables)]),
        as_expected: 2 * tables,
        not_there: 3 * tables,
        problems: Vec::new(),
        stopped,
    };
    let both = part(1, "a", false).and(part(2, "b", true)).and(part(4, "a", false));
    assert_eq!((both.tables, both.shards, both.bytes), (7, 70, 700));
    assert_eq!((both.values, both.derived), (7000, 3500));
    assert_eq!((both.as_expected, both.not_there, both.stopped), (14, 21, true));
    assert_eq!(both.left_out, BTreeMap::from([("a".to_owned(), 5), ("b".to_owned(), 2)]));
    assert!(!part(1, "a", false).and(part(1, "a", false)).stopped);
    // What others counted may be anything.
    let most = VerifyReport { values: u64::MAX, ..VerifyReport::default() };
    assert_eq!(most.and(part(1, "a", false)).values, u64::MAX);
}

/// The first of two shards of records is damaged: that is told once, and from what stands behind it
/// nothing is derived.
#[test]
fn nothing_is_derived_behind_damage() {
    let (folder, db) = stored(&[games::SHORT_GLOBAL_NIM], 1, 1, 300_000);
    let stored = db.tables().iter().find(|stored| stored.table().max_pile() == 300_000).unwrap();
    assert_eq!(stored.entry().shards.len(), 2);
    let path = stored.shard_path(0);
    drop(db);
    let db = damaged(&folder, &path);
    let how = Verification { tables: vec!["short-global-nim/n300000".to_owned()], ..QUICK };
    let checked = verify(&db, &how, &Control::new());
    assert!(
        matches!(&checked.problems[..], [Problem::Shard(QueryError::Damaged { path: named, .. })]
            if *named == path),
        "{:?}",
        checked.problems
    );
    // The bytes of the second shard are sound. Half of the first are before the damage.
    assert_eq!(checked.shards, 1);
    let first = db.tables()[db.tables().len() - 1].entry().tiles_per_shard;
    assert!(checked.derived < first, "{} of {first}", checked.derived);
}
