//! Building a plan in shares gives the same bytes as one build. This holds for any division, order
//! and number of processes, whether or not some shards already exist.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use grundy_builder::{
    BuildError, Lock, LockError, Plan, Request, SharedShard, begins, build, build_share,
    find_share, finish, finish_from, is_share_done, manifest, shards,
};
use grundy_rules::{Game, games, rulesets};
use grundy_shard::manifest::{Manifest, ShardEntry, shard_path};
use grundy_sweep::Control;
use grundy_testing::files::flip;

use crate::build::contents;

type Share = Vec<(usize, Range<u64>)>;

/// Returns a plan for End-Nim with several shards (24^6 positions), and one for other small tables.
fn plans() -> [Plan; 2] {
    let large = Request { length: Some(6), ..Request::new(vec![games::END_NIM], 24) };
    let others = Game::all().filter(|game| *game != games::END_NIM).collect();
    let small = Request { length: Some(3), single: Some(3000), ..Request::new(others, 7) };
    [large, small].map(|request| Plan::new(request, &Manifest::default()).unwrap())
}

fn expected(plan: &Plan) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    build(plan, folder.path(), &Control::new(), |_| ()).unwrap();
    contents(folder.path())
}

/// Returns one share for each part of each table.
fn finest(plan: &Plan) -> Vec<Share> {
    let each = plan.tables.iter().enumerate();
    each.flat_map(|(number, planned)| {
        (0..planned.parts()).map(move |part| vec![(number, part..part + 1)])
    })
    .collect()
}

fn all_of(plan: &Plan) -> Share {
    let each = plan.tables.iter().enumerate();
    each.map(|(number, planned)| (number, 0..planned.parts())).collect()
}

/// Returns a plan for the outcomes of a rule file, whose parts are the frames of a shard.
fn chain() -> Plan {
    let request = Request::new(vec![rulesets::game("exact-nim-4-2").unwrap()], 60);
    let request = Request { length: Some(4), outcomes: true, ..request };
    Plan::new(request, &Manifest::default()).unwrap()
}

#[test]
fn shares_build_what_a_build_does() {
    for plan in plans().into_iter().chain([chain()]) {
        let expected = expected(&plan);
        for mut cut in [finest(&plan), vec![all_of(&plan)]] {
            cut.reverse();
            let folder = tempfile::tempdir().unwrap();
            let mut written = Vec::new();
            for share in &cut {
                let made = build_share(&plan, share, folder.path(), &Control::new()).unwrap();
                assert!(made.iter().all(|shard| !shard.kept));
                let paths: Vec<PathBuf> = made.iter().map(|shard| shard.path.clone()).collect();
                assert_eq!(paths, shards(&plan, share));
                written.extend(made);
            }
            assert!(!folder.path().join("manifest.json").exists());
            let again = build_share(&plan, &all_of(&plan), folder.path(), &Control::new()).unwrap();
            assert!(again.iter().all(|shard| shard.kept));
            // A build removes the temporary files of a killed process that built a share.
            let records = folder.path().join("short-global-nim/n3000/k1");
            if records.is_dir() {
                let half = records.join("short-global-nim-n3000-k1-00000.zst.tmp-1-2");
                fs::write(half, "half").unwrap();
            }
            // It also removes the folder of a killed process that built a share again.
            fs::create_dir_all(folder.path().join("again.tmp/nim")).unwrap();
            fs::write(folder.path().join("again.tmp/nim/shard"), "half").unwrap();
            let report = finish(&plan, folder.path(), &Control::new(), &BTreeMap::new()).unwrap();
            assert_eq!(report.tables.len(), plan.tables.len());
            assert!(!folder.path().join("again.tmp").exists());
            assert!(contents(folder.path()) == expected);
            assert!(
                finish(&plan, folder.path(), &Control::new(), &BTreeMap::new())
                    .unwrap()
                    .tables
                    .is_empty()
            );

            // Shards may be stored elsewhere; then the folder contains only the manifest.
            let elsewhere = tempfile::tempdir().unwrap();
            let entry = |shard: &SharedShard| (shard.path.clone(), shard.entry.clone());
            let entries = written.iter().map(entry).collect();
            finish_from(&plan, elsewhere.path(), &Control::new(), &entries).unwrap();
            assert_eq!(manifest(elsewhere.path()).unwrap(), manifest(folder.path()).unwrap());
        }
    }
}

/// Each share of a chain begins with the state that the share before it leaves, and writes it again
/// if it is lost or damaged.
#[test]
fn a_chain_hands_its_state_on() {
    let plan = chain();
    let (last, idle) = (plan.tables.len() - 1, Control::new());
    let parts = plan.tables[last].parts();
    assert!(plan.tables[last].is_chained() && parts > 1);
    let share = |part| [(last, part..part + 1)];
    let folder = tempfile::tempdir().unwrap();
    let build = |part| build_share(&plan, &share(part), folder.path(), &idle);
    let is_done = |part| is_share_done(&plan, &share(part), folder.path(), &idle);
    let state = folder.path().join(&begins(&plan, &share(1))[0]);
    assert!(begins(&plan, &share(0)).is_empty() && !is_done(0));
    assert_eq!((build(0).unwrap(), is_done(0)), (Vec::new(), true));
    let sound = fs::read(&state).unwrap();
    for is_lost in [true, false] {
        if is_lost {
            fs::remove_file(&state).unwrap();
        } else {
            flip(&state);
        }
        assert!(!is_done(0));
        if state.exists() {
            assert!(matches!(build(1), Err(BuildError::State { path, .. }) if path == state));
        }
        build(0).unwrap();
        assert!(is_done(0) && fs::read(&state).unwrap() == sound);
    }
    // Without the state, a share computes the earlier parts again.
    fs::remove_file(&state).unwrap();
    build(parts - 1).unwrap();
    assert!(is_done(parts - 1) && !state.exists());
    build_share(&plan, &all_of(&plan), folder.path(), &idle).unwrap();
    fs::write(&state, sound).unwrap();
    finish(&plan, folder.path(), &idle, &BTreeMap::new()).unwrap();
    assert!(contents(folder.path()) == expected(&plan));
}

/// Four parallel processes each build the whole plan. They never see a partial shard.
#[test]
fn shares_do_not_hinder_each_other() {
    let [_, plan] = plans();
    let expected = expected(&plan);
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                build_share(&plan, &all_of(&plan), folder.path(), &Control::new()).unwrap();
            });
        }
    });
    finish(&plan, folder.path(), &Control::new(), &BTreeMap::new()).unwrap();
    assert!(contents(folder.path()) == expected);
}

#[test]
fn nothing_is_published_before_all_is_there() {
    let [plan, _] = plans();
    let last = plan.tables.len() - 1;
    assert!(plan.tables[last].parts() > 1);
    let folder = tempfile::tempdir().unwrap();
    let mut share = all_of(&plan);
    share[last].1.end -= 1;
    build_share(&plan, &share, folder.path(), &Control::new()).unwrap();
    let missing =
        |count: usize| match finish(&plan, folder.path(), &Control::new(), &BTreeMap::new()) {
            Err(BuildError::Missing { count: found, .. }) => assert_eq!(found, count),
            other => panic!("{other:?}"),
        };
    missing(1);
    // A shard with a changed bit counts as missing.
    let damaged = folder.path().join(&shards(&plan, &[(last, 0..1)])[0]);
    let sound = fs::read(&damaged).unwrap();
    flip(&damaged);
    missing(2);
    let found = find_share(&plan, &all_of(&plan), folder.path(), &Control::new());
    assert_eq!(found.iter().filter(|entry| entry.is_none()).count(), 2);
    assert!(!folder.path().join("manifest.json").exists());
    build_share(&plan, &all_of(&plan), folder.path(), &Control::new()).unwrap();
    assert!(fs::read(&damaged).unwrap() == sound);
    // `finish` rejects a valid shard if its task reported a different one.
    let path = shards(&plan, &[(last, 0..1)])[0].clone();
    let other = ShardEntry { bytes: sound.len() as u64, blake3: "00".repeat(32) };
    let reported = BTreeMap::from([(path, other)]);
    match finish(&plan, folder.path(), &Control::new(), &reported) {
        Err(BuildError::Replaced { path }) => assert_eq!(path, damaged),
        other => panic!("{other:?}"),
    }
    assert!(!folder.path().join("manifest.json").exists());
    finish(&plan, folder.path(), &Control::new(), &BTreeMap::new()).unwrap();

    // `finish_from` rejects an impossible entry.
    let mut said = manifest(folder.path()).unwrap().tables;
    let elsewhere = tempfile::tempdir().unwrap();
    let mut entries = BTreeMap::new();
    for (planned, (_, entry)) in plan.tables.iter().zip(&mut said) {
        let id = planned.table.to_string();
        let shards = (0..).zip(entry.shards.drain(..));
        entries.extend(shards.map(|(number, shard)| (shard_path(&id, number), shard)));
    }
    let some = entries.keys().next().unwrap().clone();
    let sound = entries[&some].clone();
    // These shards are too long for their values, are empty, or have a short or invalid digest.
    let with_digest = |blake3: String| ShardEntry { blake3, ..sound.clone() };
    for entry in [
        ShardEntry { bytes: 1 << 40, ..sound.clone() },
        ShardEntry { bytes: 0, ..sound.clone() },
        with_digest(sound.blake3[1..].to_owned()),
        with_digest("g".repeat(64)),
        with_digest("A".repeat(64)),
    ] {
        entries.insert(some.clone(), entry);
        let impossible = finish_from(&plan, elsewhere.path(), &Control::new(), &entries);
        assert!(matches!(impossible, Err(BuildError::Impossible { .. })), "{impossible:?}");
    }
    entries.remove(&some);
    let missing = finish_from(&plan, elsewhere.path(), &Control::new(), &entries);
    assert!(matches!(missing, Err(BuildError::Missing { count: 1, .. })), "{missing:?}");
    assert!(!elsewhere.path().join("manifest.json").exists());
}

#[test]
fn builders_and_shares_keep_apart() {
    let [_, plan] = plans();
    let folder = tempfile::tempdir().unwrap();
    let lock = Lock::take(folder.path()).unwrap();
    let refused = build_share(&plan, &all_of(&plan), folder.path(), &Control::new());
    assert!(matches!(refused, Err(BuildError::Lock(LockError::Taken(_)))), "{refused:?}");
    drop(lock);
    let control = Control::new();
    control.stop();
    let stopped = build_share(&plan, &all_of(&plan), folder.path(), &control);
    assert!(matches!(stopped, Err(BuildError::Stopped)), "{stopped:?}");
    let stopped = finish(&plan, folder.path(), &control, &BTreeMap::new());
    assert!(matches!(stopped, Err(BuildError::Stopped)), "{stopped:?}");
}
