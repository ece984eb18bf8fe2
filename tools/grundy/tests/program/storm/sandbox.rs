//! A folder with a sound database and damaged files, in which commands run.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;

use grundy_testing::cases::cases;
use grundy_testing::files::copy;
use grundy_testing::program::Folder;
use grundy_testing::random::Random;
use serde_json::Value;

/// The shard to damage, with positions that commands look up.
pub(crate) const SHARD: &str = "end-nim/n6/k2/end-nim-n6-k2-00000.zst";

/// A folder with all files that commands name. The lock of the database `locked` is held.
pub(crate) struct Sandbox {
    folder: Folder,
    _lock: File,
}

pub(super) fn pipe(path: &Path) {
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, mode, 0)
        .expect("a pipe");
}

fn noise(length: usize) -> Vec<u8> {
    let mut random = Random(0);
    (0..length).map(|_| random.number() as u8).collect()
}

/// Returns a certificate with huge counts and a compressed body of a gibibyte of zeros.
fn bomb() -> Vec<u8> {
    let mut bytes = b"GRUNDYT\n".to_vec();
    for number in [1_u32, u32::MAX, u32::MAX, 0, u32::MAX, u32::MAX] {
        bytes.extend(number.to_le_bytes());
    }
    let mut body = zstd::stream::write::Encoder::new(bytes, 1).expect("zstd");
    for _ in 0..1024 {
        body.write_all(&[0; 1 << 20]).expect("zstd");
    }
    let mut bytes = body.finish().expect("zstd");
    let digest = blake3::hash(&bytes);
    bytes.extend(digest.as_bytes());
    bytes
}

/// Expands a line, in which <3:x> means xxx, and NUL means the character with the code 0.
fn repeated(line: &str) -> String {
    let mut parts = line.split('<');
    let first = parts.next().unwrap_or_default().to_owned();
    let written = parts.fold(first, |before, part| {
        let parsed =
            part.split_once(':').and_then(|(count, rest)| Some((count.parse().ok()?, rest)));
        // In all other cases < is an operator.
        let Some((count, rest)) = parsed else { return before + "<" + part };
        let (what, rest) = rest.split_once('>').expect("an end");
        before + &what.repeat(count) + rest
    });
    written.replace("NUL", "\0")
}

impl Sandbox {
    pub(crate) fn new() -> Sandbox {
        let folder = Folder::after("build --max-pile 6 --length 2 --heap 200");
        let at = folder.path();
        let write = |name: &str, bytes: &[u8]| {
            let path = at.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, bytes).expect("written");
        };
        folder.text("diff lgn.conj34 --to 60 --certificate cert");
        let lines = folder.text("diff ch.two-pile --max-pile 6 --json");
        write("findings.jsonl", lines.as_bytes());

        write("empty", b"");
        write("nothing", b"");
        write("noise", &noise(10_000));
        write("latin1", b"3,1\n\xE9\n");
        write("nul", &[0; 1000]);
        write("zero-bytes", b"3,1\0,4\n");
        write("words", b"hello, world\n");
        write("ones", "1 ".repeat(20_000).as_bytes());
        write("digits", "9".repeat(1_000_000).as_bytes());
        write("braces", "8{1,1}\n".repeat(1000).as_bytes());
        write("threes", "3,3,3\n".repeat(1000).as_bytes());
        write("png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
        write("deep", "[".repeat(1_000_000).as_bytes());
        fs::create_dir(at.join("folder")).expect("a folder");
        pipe(&at.join("pipe"));
        symlink("/dev/zero", at.join("zero")).expect("a link");
        symlink("/dev/full", at.join("full")).expect("a link");
        symlink("loop", at.join("loop")).expect("a link");
        File::create(at.join("endless")).and_then(|file| file.set_len(4 << 30)).expect("a file");
        write("taken/nim", b"in the way");
        write("locked/lock", b"");
        let lock = File::options().write(true).open(at.join("locked/lock")).expect("a file");
        lock.try_lock().expect("nobody else has it");

        let certificate = fs::read(at.join("cert")).expect("written");
        write("cert2", &certificate);
        write("cert-cut", &certificate[..certificate.len() / 2]);
        write("cert-grown", &[&certificate[..], b"more"].concat());
        let spoilt = |place: usize| {
            let mut bytes = certificate.clone();
            bytes[place] ^= 4;
            bytes
        };
        write("cert-bit", &spoilt(certificate.len() / 2));
        // The changed byte belongs to the bound in the header.
        write("cert-bound", &spoilt(12));
        write("cert-bomb", &bomb());

        let sandbox = Sandbox { folder, _lock: lock };
        sandbox.rule_files();
        sandbox.manifests();
        sandbox.shards();
        sandbox
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Creates rule files that are too long, too deep, or invalid, or have too many moves.
    fn rule_files(&self) {
        let write = |name: &str, text: &str| {
            fs::write(self.path().join(name).with_extension("game"), text).expect("written");
        };
        let head = "name: x\ntitle: X\nsource: here\npiles: heaps\n";
        for (_, [name, line]) in cases(include_str!("moves.txt"), "moves") {
            write(name, &format!("{head}move: {}\n", repeated(line)));
        }
        let ray = "move: t in 1..p1: p1 -= t\n";
        write("long", &format!("{head}{ray}# {}\n", "a".repeat(10_000_000)));
        write("path", &format!("{}{ray}", head.replace("name: x", "name: ../../x")));
        write("escape", &format!("{}{ray}", head.replace('X', "\x1b[31mX\0")));
        write("length", &format!("{head}{ray}length: 1..{}\n", u64::MAX));
        write("code", &format!("{}code: 0.{}\n", head.replace("heaps", "sum"), "7".repeat(60_000)));
        fs::write(self.path().join("bytes.game"), noise(10_000)).expect("written");
    }

    /// Creates databases with invalid or false manifests.
    fn manifests(&self) {
        let at = |name: &str| {
            let folder = self.path().join(name);
            fs::create_dir(&folder).expect("a folder");
            folder.join("manifest.json")
        };
        let manifest = fs::read(self.path().join("db/manifest.json")).expect("a manifest");
        fs::write(self.path().join("db-file"), b"a file").expect("written");
        pipe(&at("db-pipe"));
        symlink("/dev/zero", at("db-zero")).expect("a link");
        File::create(at("db-long")).and_then(|file| file.set_len(4 << 30)).expect("a file");
        fs::create_dir(at("db-folder")).expect("a folder");
        let texts: [(&str, &[u8]); 9] = [
            ("db-noise", &noise(5000)),
            ("db-empty", b""),
            ("db-null", b"null"),
            ("db-array", b"[]"),
            ("db-deep", &[b"{\"format\":1,\"tables\":".to_vec(), vec![b'['; 100_000]].concat()),
            ("db-future", b"{\"format\":99,\"whatever\":[]}"),
            ("db-negative", b"{\"format\":-1,\"tables\":{}}"),
            ("db-half", &manifest[..manifest.len() / 2]),
            ("db-twice", &manifest.repeat(2)),
        ];
        for (name, text) in texts {
            fs::write(at(name), text).expect("written");
        }
        let latin1 = manifest.iter().map(|&byte| if byte == b'k' { 0xE9 } else { byte });
        fs::write(at("db-latin1"), latin1.collect::<Vec<u8>>()).expect("written");
        type Lie = (&'static str, fn(&mut Value));
        let lies: [Lie; 6] = [
            ("db-tiles", |entry| entry["tiles"] = u64::MAX.into()),
            ("db-frames", |entry| entry["tiles_per_frame"] = 0.into()),
            ("db-no-shards", |entry| entry["shards"] = Value::Array(Vec::new())),
            ("db-width", |entry| entry["value_bytes"] = 3.into()),
            ("db-bytes", |entry| entry["shards"][0]["bytes"] = u64::MAX.into()),
            ("db-digest", |entry| entry["shards"][0]["blake3"] = "no digest".into()),
        ];
        for (name, lie) in lies {
            copy(&self.path().join("db"), &self.path().join(name));
            let mut value: Value = serde_json::from_slice(&manifest).expect("JSON");
            lie(&mut value["tables"]["end-nim/n6/k2"]);
            let path = self.path().join(name).join("manifest.json");
            fs::write(path, value.to_string()).expect("written");
        }
    }

    fn shards(&self) {
        let database = |name: &str| {
            copy(&self.path().join("db"), &self.path().join(name));
            let path = self.path().join(name).join(SHARD);
            let bytes = fs::read(&path).expect("a shard");
            fs::remove_file(&path).expect("removed");
            (path, bytes)
        };
        let write = |name: &str, spoil: fn(&mut Vec<u8>)| {
            let (path, mut bytes) = database(name);
            spoil(&mut bytes);
            fs::write(path, bytes).expect("written");
        };
        database("shard-gone");
        write("shard-empty", Vec::clear);
        write("shard-cut", |bytes| bytes.truncate(bytes.len() - 1));
        write("shard-grown", |bytes| bytes.push(0));
        write("shard-noise", |bytes| *bytes = noise(bytes.len()));
        write("shard-bit", |bytes| {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 16;
        });
        let other = self.path().join("db").join(SHARD.replace("k2", "k1"));
        fs::copy(other, database("shard-other").0).expect("copied");
        pipe(&database("shard-pipe").0);
        symlink("/dev/zero", database("shard-zero").0).expect("a link");
        let long = database("shard-long").0;
        File::create(long).and_then(|file| file.set_len(4 << 30)).expect("a file");
        fs::create_dir(database("shard-folder").0).expect("a folder");
        let path = database("shard-loop").0;
        symlink(path.file_name().expect("a name"), &path).expect("a link");
    }
}
