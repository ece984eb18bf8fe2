//! Reads packs that were made to harm: names that lead out of the folder, links, pipes, devices,
//! repeated members, lists with false contents, and small files that unpack to large ones.
//!
//! Every command refuses such a pack in little time and memory, and writes nothing.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Output;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use grundy_testing::files::{copy, files};
use grundy_testing::program::{Folder, text};
use serde_json::Value;

use super::corruption::{lies, places, with_seal};
use super::hostile::limited;
use super::sandbox::pipe;
use super::{each_on_all_processors, written};

/// A folder with a small database, and its pack as a folder and as a tar.
static RELEASE: LazyLock<Folder> = LazyLock::new(|| {
    let folder = Folder::after("build --max-pile 4 --length 2 --games end-nim");
    folder.text("pack -o good");
    folder.text("pack -o good.tar");
    folder
});

/// The commands that read a pack; only the last one writes.
const READERS: [&str; 3] = ["verify ./", "query end-nim 3,1 --db ./", "unpack --db new ./"];

/// Lets each command read a bad pack. Returns what is wrong.
fn faults(folder: &Folder, name: &str, what: &str, tried: &AtomicUsize) -> Vec<String> {
    let mut faults = Vec::new();
    let before = files(folder.path());
    for line in READERS {
        let line = format!("{line}{name}");
        let output = limited(folder.start(&line));
        tried.fetch_add(1, Ordering::Relaxed);
        faults.extend(fault(&output, &line).map(|fault| format!("{what}: {line}: {fault}")));
        let written = written(folder, "new");
        if !written.is_empty() {
            faults.push(format!("{what}: {line} wrote {:?}", written.keys()));
        }
        // The lock of the new database stays.
        let _ = fs::remove_dir_all(folder.at("new"));
        if files(folder.path()) != before {
            faults.push(format!("{what}: {line} changed files"));
        }
    }
    faults
}

fn fault(output: &Output, line: &str) -> Option<String> {
    let said = text(&output.stderr) + &text(&output.stdout);
    match output.status.code() {
        Some(1) if line.starts_with("verify") => None,
        Some(2) if !said.contains("panicked") => None,
        // The value does not come from a bad file: it may be computed.
        Some(0) if line.starts_with("query") && said == "2\n" => None,
        code => Some(format!("{code:?}: {said}")),
    }
}

/// Tries bad packs, which a function makes from their numbers, on all processors.
fn storm(campaign: &str, count: usize, make: impl Fn(&Folder, usize) -> Option<String> + Sync) {
    let (tried, found) = (AtomicUsize::new(0), std::sync::Mutex::new(Vec::new()));
    each_on_all_processors(count, Folder::new, |folder, at| {
        let Some(what) = make(folder, at) else { return };
        let name = if folder.at("bad.tar").exists() { "bad.tar" } else { "bad" };
        let new = faults(folder, name, &what, &tried);
        found.lock().expect("no panic").extend(new);
        let _ = fs::remove_file(folder.at("bad.tar"));
        let _ = fs::remove_dir_all(folder.at("bad"));
    });
    let found = found.into_inner().expect("no panic");
    println!("{campaign}: {} commands, {} faults", tried.into_inner(), found.len());
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Returns the places of the headers in a tar.
fn headers(tar: &[u8]) -> Vec<usize> {
    let (mut all, mut at) = (Vec::new(), 0);
    while tar.get(at).is_some_and(|&byte| byte != 0) {
        all.push(at);
        let size = std::str::from_utf8(&tar[at + 124..at + 135]).expect("digits");
        at += 512 + usize::from_str_radix(size, 8).expect("octal").next_multiple_of(512);
    }
    all
}

/// The names of members that a reader must not write to.
const NAMES: [&str; 14] = [
    "/escaped",
    "../escaped",
    "grundy-tables/../../escaped",
    "grundy-tables/./pack.json",
    "./grundy-tables/pack.json",
    "grundy-tables//pack.json",
    "grundy-tables/",
    "grundy-tables/a/b",
    "grundy-tables\\..\\escaped",
    "C:\\escaped",
    "grundy-tables/CON",
    "grundy-tables/\u{202e}gpj",
    "grundy-tables/new\nline",
    "",
];

type Spoil = Box<dyn Fn(&mut [u8]) + Send + Sync>;

/// Returns the changes of a tar's header, each with a description.
fn spoilt_headers(step: usize) -> Vec<(String, Spoil)> {
    let mut all: Vec<(String, Spoil)> = Vec::new();
    for name in NAMES {
        let spoil = move |header: &mut [u8]| {
            header[..100].fill(0);
            header[..name.len()].copy_from_slice(name.as_bytes());
        };
        all.push((format!("the name {name:?}"), Box::new(spoil)));
    }
    let kinds = (0..=255_u8).filter(|kind| !b"0\0".contains(kind));
    all.extend(kinds.map(|kind| -> (String, Spoil) {
        (format!("the kind {kind}"), Box::new(move |header: &mut [u8]| header[156] = kind))
    }));
    for size in [
        &b"77777777777\0"[..],
        b"00000000000\0",
        b"00000000001\0",
        b"-0000000001\0",
        b"           \0",
        b"\x80\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF",
        b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF",
    ] {
        let spoil = move |header: &mut [u8]| header[124..136].copy_from_slice(size);
        all.push((format!("the size {size:?}"), Box::new(spoil)));
    }
    let prefix = |header: &mut [u8]| header[345..355].copy_from_slice(b"../../../a");
    all.push(("a prefix".to_owned(), Box::new(prefix)));
    let link = |header: &mut [u8]| header[157..168].copy_from_slice(b"/etc/passwd");
    all.push(("a target of a link".to_owned(), Box::new(link)));
    all.into_iter().step_by(step).collect()
}

fn tars(step: usize) {
    let good = RELEASE.read("good.tar");
    let members = headers(&good);
    let spoils = spoilt_headers(step);
    storm("headers of a tar", members.len() * spoils.len(), |folder, at| {
        let (what, spoil) = &spoils[at / members.len()];
        let (mut tar, start) = (good.clone(), members[at % members.len()]);
        let header = &mut tar[start..start + 512];
        let before = header.to_vec();
        spoil(header);
        if *header == before {
            return None;
        }
        // Write the right checksum, so that any tar program accepts the header.
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        folder.write("bad.tar", tar);
        Some(format!("member {} has {what}", at % members.len()))
    });
    // Members that are repeated, left out, or in another order, and tars that end early.
    let end = *members.last().expect("a member");
    let ends: Vec<usize> = members[1..].iter().copied().chain([good.len() - 1024]).collect();
    let member = |at: usize| &good[members[at]..ends[at]];
    let count = members.len();
    storm("members of a tar", count * (count + 2), |folder, at| {
        let (one, other) = (at % count, at / count);
        let mut order: Vec<usize> = (0..count).collect();
        let what = match other.checked_sub(count) {
            Some(0) => format!("without member {}", order.remove(one)),
            Some(_) => {
                folder.write("bad.tar", &good[..members[one] + (end - members[one]) % 512]);
                return Some(format!("cut in member {one}"));
            }
            None => {
                order.insert(other, one);
                format!("member {one} again before {other}")
            }
        };
        let tar: Vec<u8> = order.into_iter().flat_map(member).copied().collect();
        folder.write("bad.tar", [&tar[..], &[0; 1024]].concat());
        Some(what)
    });
}

/// Replaces each file of a pack by something that is no file, or by a link to the same bytes.
fn folders() {
    let good = files(&RELEASE.at("good"));
    let names: Vec<&Path> = good.keys().map(|name| &**name).collect();
    let kinds = ["a link", "a link to zeros", "a pipe", "a folder", "a hard link to a longer file"];
    storm("files of a folder", names.len() * kinds.len(), |folder, at| {
        let (name, kind) = (names[at / kinds.len()], kinds[at % kinds.len()]);
        copy(&RELEASE.at("good"), &folder.at("bad"));
        let path = folder.at("bad").join(name);
        fs::remove_file(&path).expect("removed");
        match kind {
            "a link" => symlink(RELEASE.at("good").join(name), &path).expect("a link"),
            "a link to zeros" => symlink("/dev/zero", &path).expect("a link"),
            "a pipe" => pipe(&path),
            "a folder" => fs::create_dir(&path).expect("a folder"),
            _ => {
                let longer = [&good[name][..], b"\n"].concat();
                folder.write("longer", longer);
                fs::hard_link(folder.at("longer"), &path).expect("a link");
            }
        }
        Some(format!("{} is {kind}", name.display()))
    });
}

/// Gives every member of pack.json false values under a right seal.
fn lists(step: usize) {
    let truth: Value = serde_json::from_slice(&RELEASE.read("good/pack.json")).expect("JSON");
    let mut all = Vec::new();
    places(&truth, "", &mut all);
    // The date is free, and nothing compares the SHA-256 digests but the list SHA256SUMS.
    all.retain(|place| place != "/blake3" && place != "/date");
    let escapes = ["../../escaped", "/etc/passwd", "pack.json", "a/b"].map(Value::from);
    let tries = all.iter().flat_map(|place| {
        let lies = lies(truth.pointer(place).expect("there"));
        lies.into_iter().chain(escapes.clone()).map(move |lie| (place, lie))
    });
    let tries: Vec<_> = tries.step_by(step).collect();
    storm("lists of a pack", tries.len(), |folder, at| {
        let (place, lie) = &tries[at];
        let mut list = truth.clone();
        *list.pointer_mut(place).expect("there") = lie.clone();
        copy(&RELEASE.at("good"), &folder.at("bad"));
        folder.write("bad/pack.json", with_seal(&list));
        Some(format!("{place} is {lie}"))
    });
}

/// Returns a frame of zstd with this many zeros.
fn zeros(mebibytes: usize) -> Vec<u8> {
    let mut frame = zstd::stream::write::Encoder::new(Vec::new(), 1).expect("zstd");
    for _ in 0..mebibytes {
        frame.write_all(&[0; 1 << 20]).expect("zstd");
    }
    frame.finish().expect("zstd")
}

/// Puts bombs in place of the values of a shard, and behind them, under right digests.
fn bombs() {
    let name = "end-nim-n4-k2.zst";
    let shard = RELEASE.read(&format!("good/{name}"));
    let find = |magic: &[u8], from: usize| {
        from + shard[from..].windows(4).position(|at| at == magic).expect("a frame")
    };
    let start = find(b"\x28\xB5\x2F\xFD", 0);
    let end = find(b"\x51\x2A\x4D\x18", start);
    let bombs: Vec<Vec<u8>> = [1, 64, 2048].into_iter().map(zeros).collect();
    storm("bombs", bombs.len() * 4, |folder, at| {
        let bomb = &bombs[at / 4];
        let (what, bytes) = match at % 4 {
            0 => ("the values", [&shard[..start], bomb, &shard[end..]].concat()),
            1 => ("before the values", [&shard[..start], bomb, &shard[start..]].concat()),
            2 => ("behind the values", [&shard[..end], bomb, &shard[end..]].concat()),
            _ => ("the whole shard", bomb.clone()),
        };
        copy(&RELEASE.at("good"), &folder.at("bad"));
        folder.write(&format!("bad/{name}"), &bytes);
        let list = folder.read("bad/pack.json");
        let mut list: Value = serde_json::from_slice(&list).expect("JSON");
        list["files"][name]["bytes"] = bytes.len().into();
        list["files"][name]["blake3"] = blake3::hash(&bytes).to_hex().to_string().into();
        list["tables"]["end-nim/n4/k2"]["entry"]["shards"][0]["bytes"] = bytes.len().into();
        folder.write("bad/pack.json", with_seal(&list));
        Some(format!("{} MiB: {what}", [1, 64, 2048][at / 4]))
    });
}

#[test]
fn hostile_packs_are_refused() {
    tars(90);
    folders();
    lists(150);
    bombs();
}

#[test]
#[ignore = "minutes: make door-storm"]
fn every_hostile_pack_is_refused() {
    tars(1);
    lists(1);
}
