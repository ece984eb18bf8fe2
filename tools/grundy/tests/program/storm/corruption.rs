//! Flips every bit of shards, cuts them at every length, and changes every field of a manifest.
//! (The tests of `grundy_shard` and `grundy_triangular` flip bits of manifests and certificates.)
//!
//! Damage never causes a wrong value or a panic, and each error names the file. zstd ignores a few
//! bits of a frame, and no checksum covers them. A flip of such a bit changes no value. `verify`
//! detects all other flips.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use grundy::tables::{Verification, verify};
use grundy::{Answer, Control, Database, Position, Table, with_causes};
use serde_json::Value;

use super::each_on_all_processors;
use grundy_testing::files::{files, sealed};
use grundy_testing::program::Folder;

const LENGTH_OF_HEADER: usize = 4;
const TRAILER: usize = 60;

/// Maximum number of values of a table to look up after each change.
const MOST_VALUES: u64 = 16;

/// The files of a sound database, and the right answers for positions of its tables.
struct Sound {
    files: BTreeMap<PathBuf, Vec<u8>>,
    values: Vec<(Table, Vec<(Position, Answer)>)>,
}

impl Sound {
    fn new(build: &str) -> Sound {
        let folder = Folder::after(&format!("build {build}"));
        let mut files = files(&folder.at("db"));
        files.remove(Path::new("lock"));
        // Compute the answers from the rules, without a database.
        let computed = Database::empty();
        let database = Database::open(folder.at("db")).expect("it is sound");
        let values = |table: &Table| {
            // Take only a few positions, because each look-up after an error opens the shard again.
            let apart = table.values().div_ceil(MOST_VALUES) as usize;
            let positions = (0..table.values()).step_by(apart).filter_map(|at| table.position(at));
            let answered = positions.filter(|position| !position.piles().is_empty());
            answered
                .map(|position| {
                    let answer = computed.answer(table.game(), &position).expect("it is small");
                    (position, answer)
                })
                .collect()
        };
        let tables = database.tables().iter().map(|stored| stored.table().clone());
        let values = tables.map(|table| (table.clone(), values(&table))).collect();
        Sound { files, values }
    }

    fn copy(&self) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, bytes) in &self.files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, bytes).expect("written");
        }
        folder
    }

    fn shards(&self) -> Vec<PathBuf> {
        let is_shard = |name: &&PathBuf| name.extension().is_some_and(|end| end == "zst");
        self.files.keys().filter(is_shard).cloned().collect()
    }

    /// Looks up values of the tables in a folder, and verifies the folder. Each look-up must give
    /// the right value, or an error that names the file. Returns true if the folder cannot be
    /// opened, or has a problem that `verify` reports.
    fn is_noticed(&self, database: &Path, file: &Path, what: &str) -> bool {
        let named = file.file_name().expect("a name").to_string_lossy().into_owned();
        let opened = match Database::open(database) {
            Ok(opened) => opened,
            Err(error) => {
                let text = with_causes(&error);
                let folder = database.display().to_string();
                assert!(text.contains(&named) || text.contains(&folder), "{what}: {text}");
                return true;
            }
        };
        let mut noticed = false;
        for (table, values) in &self.values {
            for (position, expected) in values {
                match opened.answer(table.game(), position) {
                    Ok(found) => {
                        let same =
                            (found.value, found.outcome) == (expected.value, expected.outcome);
                        assert!(same, "{what}: {} {position}: {found:?}", table.game());
                    }
                    Err(error) => {
                        let text = with_causes(&error);
                        assert!(
                            text.contains(&named) || named == "manifest.json",
                            "{what}: {text}"
                        );
                        noticed = true;
                    }
                }
            }
        }
        let checked = verify(&opened, &Verification::sampled(), &Control::new());
        for problem in &checked.problems {
            let text = with_causes(problem);
            let names = text.contains(&named) || named == "manifest.json";
            assert!(names, "{what}: {text}");
        }
        // `verify` must report a problem if a value was refused.
        assert!(!noticed || !checked.problems.is_empty() || named == "manifest.json", "{what}");
        !checked.problems.is_empty()
    }
}

fn flipped(bytes: &[u8], bit: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[bit / 8] ^= 1 << (bit % 8);
    bytes
}

/// Calls `attempt` once for each number below `count`. Threads on all processors share the
/// numbers, and each thread has its own copy of the database.
fn each(sound: &Sound, count: usize, attempt: impl Fn(&Path, usize) + Sync) {
    each_on_all_processors(count, || sound.copy(), |folder, number| attempt(folder.path(), number));
}

/// Flips each bit of some shards, and cuts them. Returns the number of flips, and the number of
/// undetected flips.
fn spoil_shards(sound: &Sound, shards: &[PathBuf]) -> (usize, usize) {
    let (mut flips, mut unnoticed) = (0, 0);
    for name in shards {
        let bytes = &sound.files[name];
        let harmless = Mutex::new(Vec::new());
        each(sound, 8 * bytes.len(), |folder, bit| {
            fs::write(folder.join(name), flipped(bytes, bit)).expect("written");
            let what = format!("{}, bit {bit}", name.display());
            if !sound.is_noticed(folder, name, &what) {
                harmless.lock().expect("no panic").push(bit / 8);
            }
            fs::write(folder.join(name), bytes).expect("written");
        });
        each(sound, bytes.len(), |folder, length| {
            fs::write(folder.join(name), &bytes[..length]).expect("written");
            let what = format!("{}, {length} bytes of it", name.display());
            assert!(sound.is_noticed(folder, name, &what), "{what}");
            fs::write(folder.join(name), bytes).expect("written");
        });
        // zstd may ignore only bits within frames, in the headers of blocks and of its own tables.
        let harmless = harmless.into_inner().expect("no panic");
        let header = u32::from_le_bytes(*bytes[LENGTH_OF_HEADER..].first_chunk().expect("4 bytes"));
        let table = bytes.windows(4).rposition(|four| four == [0x5E, 0x2A, 0x4D, 0x18]);
        let frames = header as usize + 8..table.expect("a seek table") - TRAILER;
        assert!(harmless.iter().all(|at| frames.contains(at)), "{}: {harmless:?}", name.display());
        assert!(harmless.len() < 40, "{}: {harmless:?}", name.display());
        flips += 8 * bytes.len();
        unnoticed += harmless.len();
    }
    (flips, unnoticed)
}

#[test]
fn no_flipped_bit_of_a_shard_gives_a_wrong_value() {
    let sound = Sound::new("--max-pile 3 --length 2 --heap 20 --games end-nim,short-global-nim");
    let shards = [
        PathBuf::from("end-nim/n3/k2/end-nim-n3-k2-00000.zst"),
        PathBuf::from("short-global-nim/n20/k1/short-global-nim-n20-k1-00000.zst"),
    ];
    let (flips, unnoticed) = spoil_shards(&sound, &shards);
    println!("shards: {flips} flips, {unnoticed} that zstd ignores");
}

/// Damages tables of every game, with values of one, two and four bytes, and tables of g(n) alone.
#[test]
#[ignore = "minutes: make corruption-storm"]
fn no_flipped_bit_of_any_shard_gives_a_wrong_value() {
    let builds = [
        "--max-pile 4 --length 3 --heap 40",
        "--heap 300 --values-only",
        "--max-pile 130 --length 1 --games end-nim,misere-nim,end-wythoff",
    ];
    for build in builds {
        let sound = Sound::new(build);
        let (flips, unnoticed) = spoil_shards(&sound, &sound.shards());
        println!("shards of {build}: {flips} flips, {unnoticed} that zstd ignores");
    }
}

/// Lists the JSON pointers of all members and elements below a value.
pub(super) fn places(value: &Value, at: &str, all: &mut Vec<String>) {
    let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
    let below: Vec<(String, &Value)> = match value {
        Value::Object(members) => {
            members.iter().map(|(name, value)| (format!("{at}/{}", escaped(name)), value)).collect()
        }
        Value::Array(elements) => {
            elements.iter().enumerate().map(|(n, value)| (format!("{at}/{n}"), value)).collect()
        }
        _ => Vec::new(),
    };
    for (place, value) in below {
        all.push(place.clone());
        places(value, &place, all);
    }
}

/// Returns false values that can replace a true value.
pub(super) fn lies(truth: &Value) -> Vec<Value> {
    let mut lies: Vec<Value> = vec![
        Value::Null,
        true.into(),
        0.into(),
        1.into(),
        (-1).into(),
        1.5.into(),
        u32::MAX.into(),
        u64::MAX.into(),
        "".into(),
        "x".into(),
        "0".repeat(64).into(),
        Value::Array(Vec::new()),
        Value::Object(serde_json::Map::new()),
        Value::Array(vec![truth.clone(), truth.clone()]),
    ];
    if let Some(number) = truth.as_u64() {
        let near = [number + 1, number.saturating_sub(1), 2 * number, number / 2, number << 32];
        lies.extend(near.map(Value::from));
    }
    if let Some(text) = truth.as_str() {
        let codecs = ["raw", "nim-sum", "nim-sum-planes", "delta-planes"];
        lies.extend(codecs.map(Value::from));
        lies.push(text.to_uppercase().into());
        lies.push(text.chars().rev().collect::<String>().into());
    }
    if let Some(list) = truth.as_array() {
        lies.push(Value::Array(list.iter().rev().cloned().collect()));
        lies.push(Value::Array([&list[..], &list[..]].concat()));
    }
    lies.retain(|lie| lie != truth);
    lies
}

#[test]
fn a_manifest_that_lies_gives_no_wrong_value() {
    let sound = Sound::new("--max-pile 3 --length 2 --games end-nim,nim");
    let name = Path::new("manifest.json");
    let truth: Value = serde_json::from_slice(&sound.files[name]).expect("JSON");
    let mut all = Vec::new();
    places(&truth, "", &mut all);
    let mut manifests = Vec::new();
    for place in &all {
        let truth_there = truth.pointer(place).expect("there");
        for lie in lies(truth_there) {
            let mut manifest = truth.clone();
            *manifest.pointer_mut(place).expect("there") = lie.clone();
            manifests.push((format!("{place} is {lie}"), manifest));
        }
        // Remove the member, or rename it.
        let (above, last) = place.rsplit_once('/').expect("a place");
        let mut manifest = truth.clone();
        if let Some(members) = manifest.pointer_mut(above).and_then(Value::as_object_mut) {
            let last = last.replace("~1", "/").replace("~0", "~");
            if let Some(truth_there) = members.remove(&last) {
                manifests.push((format!("{place} is left out"), Value::Object(members.clone())));
                let names =
                    members.keys().cloned().chain(["more".to_owned(), "end-nim/n4/k2".into()]);
                for other in names.collect::<Vec<_>>() {
                    let mut members = members.clone();
                    members.insert(other.clone(), truth_there.clone());
                    let mut manifest = truth.clone();
                    *manifest.pointer_mut(above).expect("there") = Value::Object(members);
                    manifests.push((format!("{place} is renamed to {other}"), manifest));
                }
            }
        }
    }
    assert!(manifests.len() > 500);
    let unnoticed = Mutex::new(Vec::new());
    each(&sound, manifests.len(), |folder, number| {
        let (what, manifest) = &manifests[number];
        fs::write(folder.join(name), manifest.to_string()).expect("written");
        // A manifest of version 1 needs no seal, so it may be accepted. Its content is right.
        assert!(sound.is_noticed(folder, name, what) || what == "/format is 1", "{what}");
        // Then repeat the change with a valid seal.
        fs::write(folder.join(name), with_seal(manifest)).expect("written");
        if !sound.is_noticed(folder, name, &format!("sealed, {what}")) {
            unnoticed.lock().expect("no panic").push(what.clone());
        }
    });
    let unnoticed = unnoticed.into_inner().expect("no panic");
    let (all, sealed) = (manifests.len(), unnoticed.len());
    println!("{all} false manifests, all noticed; with a valid seal, {sealed} not noticed");
    // With a new seal, a manifest without one of the tables describes a smaller but sound database.
    let is_sound = |what: &String| {
        let fewer = what.starts_with("/tables/") && what.matches('/').count() == 2;
        fewer && what.ends_with(" is left out")
            || what == "/tables is {}"
            // Version 2 differs only in the numberings, which built-in games do not have.
            || what == "/format is 2"
            || what.starts_with("/blake3 ")
    };
    let others: Vec<&String> = unnoticed.iter().filter(|what| !is_sound(what)).collect();
    assert!(others.is_empty(), "{others:#?}");
}

/// Writes the result of a task with one false field and a valid digest, for every field and many
/// false values; tries one of every `step`. `finish` refuses the result, does the same as with the
/// true result, or gives another answer. Returns the number of tries, and the fields that led to
/// other answers.
fn forge_results(command: &str, step: usize) -> (usize, Vec<String>) {
    let folder = Folder::new();
    folder.write("TASKS", folder.text(&format!("tasks --parts 1 {command}")));
    folder.text("task --file TASKS --index 0 --results results");
    let (name, text) = files(&folder.at("results")).pop_first().expect("a result");
    let name = format!("results/{}", name.display());
    let finish = || {
        let output = folder.run("finish --file TASKS --results results --json");
        let published = folder.at("db/manifest.json");
        let manifest = fs::read(&published).ok();
        if manifest.is_some() {
            fs::remove_file(published).expect("removed");
        }
        let lines = String::from_utf8(output.stdout).expect("text");
        let lines = lines.lines().map(|line| {
            let mut line: Value = serde_json::from_str(line).expect("JSON");
            line.as_object_mut().expect("an object").retain(|name, _| !TIMES.contains(&&**name));
            line.to_string()
        });
        (output.status.code().expect("no signal"), lines.collect::<Vec<_>>(), manifest)
    };
    let honest = finish();
    let truth: Value = serde_json::from_slice(&text).expect("JSON");
    let (mut all, mut tries, mut others) = (Vec::new(), 0, Vec::new());
    places(&truth, "", &mut all);
    for place in all.iter().filter(|place| !place.starts_with("/blake3")) {
        for lie in lies(truth.pointer(place).expect("there")) {
            tries += 1;
            if tries % step != 0 {
                continue;
            }
            let mut result = truth.clone();
            *result.pointer_mut(place).expect("there") = lie.clone();
            folder.write(&name, with_seal(&result));
            let found = finish();
            match found.0 {
                2 => assert_eq!((found.1.len(), found.2), (0, None), "{place} is {lie}"),
                _ if found == honest => {}
                _ => others.push(format!("{place} is {lie}")),
            }
        }
    }
    println!("{command}: {} forged results, {} give another answer", tries / step, others.len());
    (tries / step, others)
}

/// The members of lines of output that differ from run to run.
const TIMES: [&str; 2] = ["seconds", "rate"];

/// Forges results of builds, whose shards show the truth, and of checks, whose numbers nothing
/// shows. So a forger may choose some numbers of a check, but no table.
fn forge_all(step: usize) {
    for build in ["build --max-pile 4 --length 2 --games nim,end-nim", "build --heap 30"] {
        let (tries, others) = forge_results(build, step);
        assert!(tries > 10 && others.is_empty(), "{build}: {others:#?}");
    }
    let check = "check end-nim 'P -> first != last' --length 3 --max-pile 4";
    for check in [check, "diff ch.thm2.1 an.prop1 --max-pile 4 --length 3"] {
        let (tries, others) = forge_results(check, step);
        assert!(tries > 10, "{check}: {tries}");
        println!("{others:#?}");
    }
}

#[test]
fn a_forged_result_publishes_nothing_false() {
    forge_all(11);
}

#[test]
#[ignore = "minutes: make corruption-storm"]
fn every_forged_result_publishes_nothing_false() {
    forge_all(1);
}

pub(super) fn with_seal(manifest: &Value) -> String {
    let mut members = manifest.clone();
    if let Some(members) = members.as_object_mut() {
        members.remove("blake3");
    }
    let text = serde_json::to_string_pretty(&members).expect("JSON");
    sealed(&format!("{},\n  \"blake3\": ", text.trim_end_matches("\n}")))
}
