//! Tests that whole builds give the same bytes in all circumstances.

use grundy_sweep::MemoryLimit;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{fs, io};

use grundy_builder::{
    BuildError, LOCK_FILE, Lock, LockError, Plan, Report, Request, build, build_on, manifest,
};
use grundy_kernels::Isa;
use grundy_rules::{Game, games, rulesets};
use grundy_shard::manifest::TableEntry;
use grundy_solvers::{Making, Means, solver};
use grundy_sweep::Control;
use grundy_testing::disk::Hindered;
use grundy_testing::files::files;
use tempfile::TempDir;

fn request(max_pile: u32, length: usize) -> Request {
    Request { length: Some(length), ..Request::new(vec![games::LOOP_END_NIM], max_pile) }
}

fn run(request: &Request, folder: &Path, control: &Control) -> Result<Report, BuildError> {
    let plan = Plan::new(request.clone(), &manifest(folder).unwrap()).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(request.threads).build().unwrap();
    pool.install(|| build(&plan, folder, control, |_| ()))
}

pub(crate) fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = files(folder).into_iter().filter(|(name, _)| !name.ends_with(LOCK_FILE));
    files.map(|(name, bytes)| (name.to_string_lossy().into_owned(), bytes)).collect()
}

fn built(request: &Request) -> (TempDir, BTreeMap<String, Vec<u8>>) {
    let folder = tempfile::tempdir().unwrap();
    run(request, folder.path(), &Control::new()).unwrap();
    let files = contents(folder.path());
    (folder, files)
}

fn assert_same(found: &BTreeMap<String, Vec<u8>>, expected: &BTreeMap<String, Vec<u8>>) {
    assert!(found.keys().eq(expected.keys()), "{:?}", found.keys());
    for (name, bytes) in expected {
        assert!(found[name] == *bytes, "{name} differs");
    }
}

/// Threads, instruction sets and memory limits do not change a byte. The tables have values of one
/// and two bytes, several shards (24^6 positions), and small sizes of every game.
#[test]
fn the_same_bytes_however_they_are_built() {
    let most = vec![games::MISERE_NIM, games::LOOP_END_NIM, games::PARTIZAN_END_NIM];
    // For short global nim, the tables have up to three piles.
    let short = [&most[..], &[games::SHORT_GLOBAL_NIM]].concat();
    let all: Vec<Game> = Game::all().collect();
    let mut cases = Vec::new();
    for (games, (max_pile, length), single, threads) in [
        (most.clone(), (16, 5), None, &[2, 7][..]),
        (most, (24, 6), None, &[2, 7]),
        (short, (130, 3), None, &[2, 7]),
        (all, (7, 4), Some(3000), &[3]),
    ] {
        let one = Request { threads: 1, games, single, ..request(max_pile, length) };
        let other = |&threads: &usize| Request { threads, ..one.clone() };
        cases.push((one.clone(), threads.iter().map(other).collect()));
    }
    for (max_pile, length) in [(16, 5), (65, 4), (130, 3)] {
        let of = |isa| Request { isa, ..request(max_pile, length) };
        cases.push((of(Isa::Portable), Isa::available().map(of).collect()));
    }
    // These tables exceed a frame, and exceed the piece that the kernel fills at once.
    let sets = |isa| Request { isa, games: vec![games::LONG_GLOBAL_NIM], ..request(21, 1) };
    cases.push((sets(Isa::Portable), Isa::available().map(sets).collect()));
    // With little memory, the builder computes the intermediate levels again for each tile.
    let plenty = Request { threads: 1, ..request(24, 5) };
    let longest = |request: &Request| {
        let plan = Plan::new(request.clone(), &Default::default()).unwrap();
        plan.tables.last().unwrap().clone()
    };
    let little =
        Request { memory: MemoryLimit::new(longest(&plenty).memory - 1), ..plenty.clone() };
    assert!(longest(&little).needs.level < longest(&plenty).needs.level);
    cases.push((plenty, vec![little]));
    for (one, others) in cases {
        let (_folder, expected) = built(&one);
        for other in others {
            let (_folder, found) = built(&other);
            assert_same(&found, &expected);
        }
    }
}

#[test]
fn intact_shards_are_reused_and_others_rebuilt() {
    let (folder, expected) = built(&request(24, 6));
    let shards: Vec<&String> = expected.keys().filter(|name| name.contains("k6")).collect();
    assert!(shards.len() >= 2, "{shards:?}");
    type Spoil = fn(&mut Vec<u8>);
    let spoil: [(&str, Spoil); 4] = [
        ("cut short", |bytes| bytes.truncate(bytes.len() / 2)),
        ("a bit flipped", |bytes| bytes[100_000] ^= 1),
        ("empty", Vec::clear),
        ("another file", |bytes| *bytes = b"something else".to_vec()),
    ];
    for (what, spoil) in spoil {
        fs::remove_file(folder.path().join("manifest.json")).unwrap();
        let path = folder.path().join(shards[0]);
        let mut bytes = expected[shards[0]].clone();
        spoil(&mut bytes);
        fs::write(&path, bytes).unwrap();
        let leftover = format!("{}.tmp-123-4", path.display());
        fs::write(leftover, "half a shard").unwrap();
        let report = run(&request(24, 6), folder.path(), &Control::new()).unwrap();
        let last = report.tables.last().unwrap();
        assert_eq!((last.kept_shards as usize, last.built_shards), (shards.len() - 1, 1), "{what}");
        assert_same(&contents(folder.path()), &expected);
    }
    // A build rejects a shard that belongs to another place in the table.
    fs::remove_file(folder.path().join("manifest.json")).unwrap();
    fs::write(folder.path().join(shards[0]), &expected[shards[1]]).unwrap();
    run(&request(24, 6), folder.path(), &Control::new()).unwrap();
    assert_same(&contents(folder.path()), &expected);
}

/// Runs a build, and stops it after `cells` cells.
fn run_until(cells: u64, request: &Request, folder: &Path) -> Result<Report, BuildError> {
    let (control, over) = (Control::new(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while control.done() < cells && !over.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            control.stop();
        });
        let result = run(request, folder, &control);
        over.store(true, Ordering::Relaxed);
        result
    })
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let inside = file.join("db");
    assert!(manifest(&inside).is_err());
    match Lock::take(&inside) {
        Err(LockError::Io { path, .. }) => assert_eq!(path, inside),
        other => panic!("{other:?}"),
    }
    // A file occupies the path of a table's folder. No partial table remains.
    let db = folder.path().join("db");
    fs::create_dir_all(db.join("loop-end-nim/n4")).unwrap();
    fs::write(db.join("loop-end-nim/n4/k2"), "in the way").unwrap();
    match run(&request(4, 3), &db, &Control::new()) {
        Err(BuildError::Write { path, .. }) => assert!(path.ends_with("k2"), "{path:?}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(manifest(&db).unwrap().tables.len(), 1);
}

#[test]
fn a_table_with_another_entry_is_rebuilt() {
    let (folder, expected) = built(&request(12, 4));
    type Spoil = fn(&mut TableEntry);
    let spoil: [(&str, Spoil); 7] = [
        ("tiles", |entry| entry.tiles -= 1),
        ("tiles of a frame", |entry| entry.tiles_per_frame /= 2),
        ("tiles of a shard", |entry| {
            // The changed entry is still valid: it has one shard, and a shard has whole frames.
            entry.tiles_per_shard += u64::from(entry.tiles_per_frame);
        }),
        ("no whole frames", |entry| entry.tiles_per_shard += 1),
        ("one shard more", |entry| entry.shards.push(entry.shards[0].clone())),
        ("a longer shard", |entry| entry.shards[0].bytes += 1),
        ("a shorter shard", |entry| entry.shards[0].bytes -= 1),
    ];
    for (what, spoil) in spoil {
        let mut listed = manifest(folder.path()).unwrap();
        spoil(listed.tables.get_mut("loop-end-nim/n12/k4").unwrap());
        listed.publish(folder.path()).unwrap();
        let report = run(&request(12, 4), folder.path(), &Control::new()).unwrap();
        assert_eq!(report.tables.len(), 1, "{what}");
        assert_same(&contents(folder.path()), &expected);
    }
}

/// A manifest of version 1 has no seal. A build adds a seal if the manifest agrees with every
/// shard's header; otherwise the manifest stays unchanged.
#[test]
fn a_manifest_without_a_seal_is_compared_with_the_shards() {
    let (folder, expected) = built(&request(12, 3));
    let path = folder.path().join("manifest.json");
    let sealed = String::from_utf8(expected["manifest.json"].clone()).unwrap();
    // According to docs/FORMAT.md, an unsealed manifest has format 1 and lacks the last member.
    let (unsealed, _) = sealed.rsplit_once(",\n  \"blake3\": ").unwrap();
    let unsealed = unsealed.replacen("\"format\": 3", "\"format\": 1", 1) + "\n}";
    fs::write(&path, &unsealed).unwrap();
    // One table is missing, so the build writes the manifest again.
    let report = run(&request(12, 4), folder.path(), &Control::new()).unwrap();
    assert_eq!(report.tables.len(), 1);
    let (_, whole) = built(&request(12, 4));
    assert_same(&contents(folder.path()), &whole);

    let digest = {
        let at = unsealed.rfind("\"blake3\": \"").unwrap() + "\"blake3\": \"".len();
        unsealed[at..at + 64].to_owned()
    };
    for (right, wrong) in [
        (digest.as_str(), "0".repeat(64)),
        ("loop-end-nim/n12/k3", "loop-end-nim/n13/k3".to_owned()),
        ("loop-end-nim/n12/k3", "no-game/n12/k3".to_owned()),
        ("nim-sum", "raw".to_owned()),
    ] {
        assert!(unsealed.contains(right), "{right}");
        let lies = unsealed.replace(right, &wrong);
        // A build of other tables rejects the manifest before it writes anything.
        fs::write(&path, &lies).unwrap();
        let error = run(&request(11, 2), folder.path(), &Control::new()).unwrap_err();
        assert!(matches!(error, BuildError::Unsealed { .. }), "{wrong}: {error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), lies);
        assert!(!folder.path().join("loop-end-nim/n11").exists());
        // A build of the same tables rebuilds them, and keeps no wrong shard.
        let again = run(&request(12, 4), folder.path(), &Control::new());
        if wrong.contains('/') {
            assert!(matches!(again, Err(BuildError::Unsealed { .. })), "{wrong}");
        } else {
            assert!(again.unwrap().tables.len() > 1, "{wrong}");
            assert_same(&contents(folder.path()), &whole);
        }
    }
}

/// Returns a copy of a database in tests/golden, which is never written again.
fn golden(name: &str) -> TempDir {
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files(&old) {
        let to = folder.path().join(name);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, bytes).unwrap();
    }
    folder
}

/// The database in tests/golden/db-2 was built when manifests had version 2 and no numberings. It
/// is still read, and the next build only replaces its manifest.
#[test]
fn a_database_of_manifest_version_2_is_read_and_renewed() {
    let folder = golden("db-2");
    assert_eq!(manifest(folder.path()).unwrap().format, 2);
    let own = grundy_rules::rulesets::game("global-fibonacci-nim").unwrap();
    let request = Request { length: Some(2), ..Request::new(vec![own, games::NIM], 4) };
    let report = run(&request, folder.path(), &Control::new()).unwrap();
    assert!(report.tables.is_empty(), "{report:?}");
    let (_, new) = built(&request);
    assert_same(&contents(folder.path()), &new);
    let manifest = manifest(folder.path()).unwrap();
    let numbered = manifest.tables.values().filter(|entry| entry.numbering.is_some());
    assert_eq!((manifest.format, numbered.count()), (3, 2));
}

/// The database in tests/golden/db-3 has tables of a game that remembers the last move and a number
/// with a name, db-4 has a table by totals, and db-5 one of heaps of every number. A build of the
/// same tables leaves them as they are.
#[test]
fn databases_of_named_memories_and_of_totals_are_read() {
    for (name, game, largest, kind, memory) in [
        ("db-3", "imitation-nim", 5, "heaps", Some(("smaller", 1))),
        ("db-4", "yama-nim", 9, "places-by-total", None),
        ("db-5", "misere-kayles", 9, "heaps-by-total", None),
    ] {
        let folder = golden(name);
        let before = contents(folder.path());
        let own = grundy_rules::rulesets::game(game).unwrap();
        let request = Request::new(vec![own], largest);
        assert!(run(&request, folder.path(), &Control::new()).unwrap().tables.is_empty());
        assert_same(&before, &contents(folder.path()));
        assert_same(&before, &built(&request).1);
        for entry in manifest(folder.path()).unwrap().tables.values() {
            let numbering = entry.numbering.as_ref().unwrap();
            let mut memories = numbering.memories.iter().map(|of| (of.name.as_str(), of.largest));
            assert_eq!((&*numbering.kind, memories.next_back()), (kind, memory));
        }
    }
}

/// If the lock file is a named pipe, opening it could block forever, so a build reports an error.
#[cfg(unix)]
#[test]
fn a_lock_that_is_no_regular_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let lock = folder.path().join(LOCK_FILE);
    std::os::unix::fs::symlink("/dev/null", lock).unwrap();
    assert!(matches!(Lock::take(folder.path()), Err(LockError::Io { .. })));
}

fn records(single: u32) -> Request {
    let games = vec![games::SHORT_GLOBAL_NIM];
    Request { games, single: Some(single), ..request(1, 1) }
}

/// A stopped build of records keeps its shards. The next build computes all records again, up to
/// the last missing shard, and produces the same bytes.
#[test]
fn a_stopped_run_of_records_keeps_its_shards() {
    // These records fill a little more than two shards.
    let wanted = records(600_000);
    let (_folder, expected) = built(&wanted);
    let folder = tempfile::tempdir().unwrap();
    let stopped = run_until(300_000 * 64, &wanted, folder.path());
    assert!(matches!(stopped, Err(BuildError::Stopped)));
    let control = Control::new();
    let report = run(&wanted, folder.path(), &control).unwrap();
    assert!(report.tables[0].kept_shards >= 1 && report.tables[0].built_shards >= 1);
    assert_eq!(control.done(), report.tables[0].table.cells());
    assert_same(&contents(folder.path()), &expected);

    // Any shard may be missing, or all but the manifest may be there.
    let shards = ["00000", "00001", "00002"].map(|shard| {
        folder
            .path()
            .join(format!("short-global-nim/n600000/k1/short-global-nim-n600000-k1-{shard}.zst"))
    });
    for missing in [&[0][..], &[1], &[0, 2], &[]] {
        fs::remove_file(folder.path().join("manifest.json")).unwrap();
        missing.iter().for_each(|&shard: &usize| fs::remove_file(&shards[shard]).unwrap());
        let control = Control::new();
        let report = run(&wanted, folder.path(), &control).unwrap();
        assert_eq!(report.tables[0].built_shards as usize, missing.len());
        assert_eq!(control.done(), report.tables[0].table.cells());
        assert_same(&contents(folder.path()), &expected);
    }
}

/// A build rebuilds an existing shard that it cannot sync. But if all writing is forbidden, it
/// keeps the shard, because then no unsynced bytes can exist.
#[test]
fn a_reused_shard_is_synced_or_rebuilt() {
    let request = request(16, 3);
    let kept = |kind: io::ErrorKind| {
        let (folder, _) = built(&request);
        fs::remove_file(folder.path().join("manifest.json")).unwrap();
        let plan = Plan::new(request.clone(), &manifest(folder.path()).unwrap()).unwrap();
        let disk = Hindered(|step: &str, _: &Path| match step {
            "sync" => Err(kind.into()),
            _ => Ok(()),
        });
        let report = build_on(&disk, &plan, folder.path(), &Control::new(), |_| ()).unwrap();
        report.tables.iter().map(|table| (table.kept_shards, table.built_shards)).collect()
    };
    let all: Vec<(u32, u32)> = kept(io::ErrorKind::ReadOnlyFilesystem);
    assert_eq!(all, [(1, 0); 3]);
    let all: Vec<(u32, u32)> = kept(io::ErrorKind::Other);
    assert_eq!(all, [(0, 1); 3]);
}

/// Outcomes that a solver hands out in order have the bytes of a table that it fills as a whole,
/// also after a stop. The tables have several frames, which do not end with whole bytes of bits.
#[test]
fn outcomes_in_order_have_the_bytes_of_the_whole_table() {
    for (name, max_pile, length) in [("circular-nim-4-2", 26, 4), ("exact-nim-4-2", 60, 4)] {
        let game = rulesets::game(name).unwrap();
        let request = Request { outcomes: true, ..Request::new(vec![game], max_pile) };
        let request = Request { length: Some(length), ..request };
        let mut plan = Plan::new(request.clone(), &manifest(Path::new("none")).unwrap()).unwrap();
        let whole = tempfile::tempdir().unwrap();
        for planned in &mut plan.tables {
            assert!(planned.is_chained(), "{}", planned.table);
            let means = Means::one_thread(MemoryLimit::NONE);
            planned.needs = solver(planned.table.game()).needs(&planned.table, &means);
            assert_eq!(planned.needs.making, Making::Together, "{}", planned.table);
        }
        build(&plan, whole.path(), &Control::new(), |_| ()).unwrap();
        let expected = contents(whole.path());
        for threads in [1, 3] {
            let (request, folder) =
                (Request { threads, ..request.clone() }, tempfile::tempdir().unwrap());
            let control = Control::new();
            control.stop();
            assert!(matches!(run(&request, folder.path(), &control), Err(BuildError::Stopped)));
            run(&request, folder.path(), &Control::new()).unwrap();
            assert_same(&contents(folder.path()), &expected);
        }
    }
}
