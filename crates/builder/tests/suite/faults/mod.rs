//! Injects every fault at every step of a build. The next build then produces the same bytes as a
//! build without faults, from any state that the disk may be in.
//!
//! A first run counts the steps that change the disk: creating, writing, syncing, renaming and
//! removing files, and creating and syncing folders. Then each fault is injected at each step of a
//! build. The build succeeds or returns an error. When it ends, and after each [`Aftermath`], all
//! listed shards exist and are valid. The next build continues and produces exactly the expected
//! files. These files survive even a loss of power right after that build.
//!
//! The default tests use small tables. `make crash-storm` builds larger tables.

mod disk;

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use grundy_builder::{BuildError, Plan, Report, Request, build_on};
use grundy_rules::{Game, games};
use grundy_shard::manifest::{Manifest, shard_path};
use grundy_sweep::Control;
use grundy_testing::random::Random;

use self::disk::{Aftermath, Fault, MemoryDisk, ROOT};

type Files = BTreeMap<PathBuf, Vec<u8>>;

const FAULTS: [Fault; 7] = [
    Fault::Dies,
    Fault::Fails(ErrorKind::StorageFull),
    Fault::Fails(ErrorKind::Other),
    Fault::Lies(ErrorKind::Other),
    Fault::Short,
    Fault::Half(ErrorKind::StorageFull),
    Fault::Half(ErrorKind::Other),
];

const AFTERMATHS: [Aftermath; 5] =
    [Aftermath::Killed, Aftermath::Nothing, Aftermath::Names, Aftermath::Bytes, Aftermath::Some(1)];

fn folder() -> PathBuf {
    Path::new(ROOT).join("db")
}

fn run(disk: &MemoryDisk<'_>, request: &Request, control: &Control) -> Result<Report, BuildError> {
    let manifest = Manifest::read_on(disk, &folder())?.unwrap_or_default();
    let plan = Plan::new(request.clone(), &manifest)?;
    let threads = rayon::ThreadPoolBuilder::new().num_threads(request.threads);
    let pool = threads.build().expect("a pool");
    pool.install(|| build_on(disk, &plan, &folder(), control, |_| ()))
}

/// Checks that all listed shards exist and that every byte is valid.
fn check_sound(disk: &MemoryDisk<'_>, expected: &Files, what: &str) {
    let manifest = Manifest::read_on(&disk.after(Aftermath::Killed), &folder());
    let manifest = manifest.unwrap_or_else(|error| panic!("{what}: {error}"));
    let contents = disk.contents();
    for (table, entry) in manifest.iter().flat_map(|manifest| &manifest.tables) {
        for shard in 0..entry.shards.len() as u32 {
            let path = folder().join(shard_path(table, shard));
            assert!(contents.get(&path) == expected.get(&path), "{what}: {}", path.display());
        }
    }
}

fn check_same(disk: &MemoryDisk<'_>, expected: &Files, what: &str) {
    let found = disk.contents();
    let names: Vec<_> = found.keys().map(|path| path.display().to_string()).collect();
    assert!(found.keys().eq(expected.keys()), "{what}: {names:?}");
    for (path, bytes) in &found {
        assert!(expected[path] == *bytes, "{what}: {} differs", path.display());
    }
}

/// A build into which faults are injected.
struct Scenario {
    request: Request,
    /// An earlier request, which is built without faults.
    before: Option<Request>,
    /// The step at which the build gets a stop signal.
    stop: Option<u64>,
    expected: Files,
}

#[derive(Default)]
struct Tried {
    faults: AtomicU64,
    builds: AtomicU64,
}

impl Scenario {
    fn new(request: Request) -> Scenario {
        let disk = MemoryDisk::new();
        run(&disk, &request, &Control::new()).expect("nothing is wrong");
        let expected = disk.contents();
        Scenario { request, before: None, stop: None, expected }
    }

    fn fresh(&self) -> MemoryDisk<'static> {
        let disk = MemoryDisk::new();
        if let Some(before) = &self.before {
            run(&disk, before, &Control::new()).expect("nothing is wrong");
        }
        disk
    }

    /// Runs the next build, and checks its files before and after a loss of power.
    fn resume(&self, disk: &MemoryDisk<'_>, what: &str, tried: &Tried) {
        tried.builds.fetch_add(1, Ordering::Relaxed);
        let report = run(disk, &self.request, &Control::new());
        assert!(report.is_ok(), "{what}: {:?}", report.err());
        check_same(disk, &self.expected, what);
        let lost = format!("{what}, then the power is lost");
        check_same(&disk.after(Aftermath::Nothing), &self.expected, &lost);
    }

    /// Injects one fault and checks the results. Returns false if the build ends before that step.
    fn fail(&self, step: u64, fault: Fault, aftermaths: &[Aftermath], tried: &Tried) -> bool {
        let control = Control::new();
        let disk = self.fresh().failing(step, fault);
        let disk = match self.stop {
            Some(stop) => disk.stopping(stop, &control),
            None => disk,
        };
        let result = run(&disk, &self.request, &control);
        if !disk.reached() {
            return false;
        }
        tried.faults.fetch_add(1, Ordering::Relaxed);
        tried.builds.fetch_add(1, Ordering::Relaxed);
        let what = format!("step {step}, {fault:?}, stop {:?}", self.stop);
        match &result {
            Ok(_) => check_same(&disk, &self.expected, &what),
            Err(BuildError::Stopped) => assert!(self.stop.is_some(), "{what}"),
            Err(error) => assert!(!error.to_string().is_empty(), "{what}"),
        }
        check_sound(&disk, &self.expected, &what);
        for &aftermath in aftermaths {
            let what = format!("{what}, {aftermath:?}");
            let after = disk.after(aftermath);
            check_sound(&after, &self.expected, &what);
            self.resume(&after, &what, tried);
        }
        true
    }

    /// Injects every fault at every step; returns the number of steps.
    fn storm(&self, faults: &[Fault], aftermaths: &[Aftermath], tried: &Tried) -> u64 {
        let next = AtomicU64::new(0);
        let last = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
                scope.spawn(|| {
                    loop {
                        let step = next.fetch_add(1, Ordering::Relaxed);
                        if !faults.iter().all(|&fault| self.fail(step, fault, aftermaths, tried)) {
                            return;
                        }
                        last.fetch_max(step + 1, Ordering::Relaxed);
                    }
                });
            }
        });
        last.into_inner()
    }
}

fn request(games: Vec<Game>, max_pile: u32, length: usize) -> Request {
    let small = Request::new(games, max_pile);
    Request { length: Some(length), single: Some(40), threads: 1, ..small }
}

fn few() -> Vec<Game> {
    vec![games::END_NIM, games::SHORT_GLOBAL_NIM]
}

#[test]
fn every_step_of_a_build_may_fail() {
    let scenario = Scenario::new(request(few(), 3, 2));
    let tried = Tried::default();
    let steps = scenario.storm(&FAULTS, &AFTERMATHS, &tried);
    // The build creates folders, shards and manifests for four tables, each in several steps.
    assert!(steps > 60, "{steps}");
    println!(
        "{steps} steps, {} faults, {} builds",
        tried.faults.into_inner(),
        tried.builds.into_inner()
    );
}

/// Stops a build at every step. Then injects faults in later steps.
#[test]
fn every_step_of_a_build_that_is_stopped_may_fail() {
    let tried = Tried::default();
    let mut scenario = Scenario::new(request(vec![games::SHORT_GLOBAL_NIM], 2, 1));
    let undisturbed = MemoryDisk::new();
    run(&undisturbed, &scenario.request, &Control::new()).expect("nothing is wrong");
    for stop in 0..undisturbed.steps() {
        scenario.stop = Some(stop);
        scenario.storm(&FAULTS, &AFTERMATHS[..3], &tried);
    }
    assert!(tried.faults.into_inner() > 1000);
}

#[test]
fn builds_survive_several_faults() {
    let scenario = Scenario::new(request(few(), 3, 2));
    let mut random = Random(7);
    for round in 0..60 {
        let mut disk = MemoryDisk::new();
        for _ in 0..4 {
            let fault = FAULTS[random.number() as usize % FAULTS.len()];
            disk = disk.failing(random.number() % 40, fault);
            let _ = run(&disk, &scenario.request, &Control::new());
            disk = disk.after(Aftermath::Some(random.number()));
            check_sound(&disk, &scenario.expected, &format!("round {round}"));
        }
        scenario.resume(&disk, &format!("round {round}"), &Tried::default());
    }
}

#[test]
fn an_unreadable_shard_is_rebuilt_and_an_unreadable_manifest_is_an_error() {
    let scenario = Scenario::new(request(few(), 3, 2));
    for has_manifest in [true, false] {
        let mut look = 0;
        loop {
            let disk = MemoryDisk::new();
            run(&disk, &scenario.request, &Control::new()).expect("nothing is wrong");
            if !has_manifest {
                disk.remove_for_test(&folder().join("manifest.json"));
            }
            let disk = disk.failing_to_read(look);
            let result = run(&disk, &scenario.request, &Control::new());
            if !disk.reached() {
                break;
            }
            let what = format!("look {look}");
            match result {
                Ok(_) => check_same(&disk, &scenario.expected, &what),
                Err(BuildError::Manifest(_) | BuildError::Write { .. }) => {}
                Err(error) => panic!("{what}: {error}"),
            }
            check_sound(&disk, &scenario.expected, &what);
            scenario.resume(&disk.after(Aftermath::Nothing), &what, &Tried::default());
            look += 1;
        }
        assert!(look > 4, "{look}");
    }
}

/// The builds cover all games, several shards of one table, and tables filled in order.
#[test]
#[ignore = "minutes: make crash-storm"]
fn the_long_storm() {
    let tried = Tried::default();
    let all = Scenario::new(request(Game::all().collect(), 4, 3));
    let steps = all.storm(&FAULTS, &AFTERMATHS, &tried);
    println!("every game: {steps} steps");
    // Build two shards of Loop-End-Nim. Then stop a build of three shards of single piles.
    let wide = Scenario::new(request(vec![games::LOOP_END_NIM], 24, 6));
    println!("several shards: {} steps", wide.storm(&FAULTS[..2], &AFTERMATHS[..2], &tried));
    let long = Request { single: Some(600_000), ..request(vec![games::SHORT_GLOBAL_NIM], 1, 1) };
    let mut long = Scenario::new(long);
    for stop in [8, 11, 16] {
        long.stop = Some(stop);
        println!("stopped at {stop}: {} steps", long.storm(&FAULTS[..2], &AFTERMATHS[..2], &tried));
    }
    println!(
        "{} faults, {} builds, no byte differs",
        tried.faults.into_inner(),
        tried.builds.into_inner()
    );
}
