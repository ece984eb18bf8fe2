//! Claims are asked of the bytes that are stored: they hold on tables as they do on values
//! computed, and a table that is wrong makes them fail, or is refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use grundy_builder::Lock;
use grundy_shard::manifest::{Manifest, hex};
use grundy_shard::{Decoder, Encoder, Shard};
use serde_json::Value;

fn grundy(db: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(cargo_bin("grundy"));
    command.arg("--db").arg(db).args(args).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Every game, small.
fn database() -> tempfile::TempDir {
    let db = tempfile::tempdir().expect("a temporary folder");
    let built = grundy(
        db.path(),
        &["build", "--max-pile", "16", "--length", "3", "--heap", "60", "--threads", "2"],
    );
    assert!(built.status.success(), "{}", text(&built.stderr));
    db
}

/// The verdicts of `diff --json`, whatever the exit code.
fn verdicts(db: &Path, args: &[&str]) -> Vec<Value> {
    let out = grundy(db, &[&["diff", "--json"], args].concat());
    let lines = text(&out.stdout);
    assert!(!lines.is_empty(), "{args:?}: {}", text(&out.stderr));
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Claims with a range: all claims there are, most of them within the tables.
const RANGES: &[&[&str]] = &[
    &[
        "bouton.thm1",
        "bouton.thm2",
        "bouton.general",
        "bouton.misere",
        "--max-pile",
        "16",
        "--length",
        "3",
    ],
    &["bouton.general", "bouton.misere", "--max-pile", "10", "--length", "3"],
    &["bouton.chance", "--to", "4"],
    &["bouton.list35", "bouton.misere-literal", "an.table", "gn.table1", "gn.def12", "lgn.example"],
    &["gn.def12.corrected"],
    &["an.prop1", "an.thm2", "partizan.", "ch.", "end.", "--max-pile", "16", "--length", "3"],
    &["an.period", "an.period-pow2", "--max-pile", "5", "--to", "2000"],
    &["ew.wythoff", "--max-pile", "16", "--length", "2"],
    &["ew.one-end", "--max-pile", "4", "--length", "3"],
    &["gn.thm3", "gn.thm4", "gn.cor5", "gn.thm6", "--max-pile", "16", "--length", "3"],
    &["gn.smallest-pile", "gn.smallest-pile.corrected", "--max-pile", "12", "--length", "3"],
    &["gn.thm2", "gn.cor11", "gn.prop16", "gn.half-bound", "gn.below-half", "--to", "60"],
    &["gn.thm17", "gn.prop19", "gn.prop19.corrected", "gn.prop20", "gn.cor21", "--to", "60"],
    &["gn.three-increasing", "gn.prop7", "gn.prop8", "gn.prop9", "gn.cor10", "--to", "40"],
    &["gn.thm14", "gn.thm14-differ", "gn.cor15", "--to", "60"],
    &["gn.prop13", "--to", "9"],
    &["lgn.thm23", "lgn.thm24", "lgn.thm25", "lgn.thm26", "lgn.thm27", "--to", "16"],
    &["lgn.thm27.corrected", "lgn.play-remark", "lgn.five-choice", "--to", "12"],
    &["lgn.five-remark", "lgn.thm33", "lgn.thm33-every-term", "--to", "12"],
    &["lgn.thm28", "--to", "9"],
    &["lgn.prop29", "--to", "8"],
    &["lgn.prop30", "lgn.prop30-sharp", "--to", "4"],
    &["lgn.conj34", "lgn.thm23", "--to", "16"],
];

/// What no table has, or tables rely on.
const COMPUTED: [&str; 12] = [
    "bouton.thm1",
    "bouton.thm2",
    "bouton.chance",
    "an.period",
    "an.period-pow2",
    "partizan.even-n",
    "partizan.odd-n",
    "partizan.p-rows",
    "partizan.sums",
    "ew.one-end",
    "gn.cor10",
    "lgn.conj34",
];

/// Who wins, and thresholds; piles of 9 in one to four piles.
const MIXED: [&str; 2] = ["partizan.thm", "lgn.thm28"];

#[test]
fn a_claim_says_the_same_of_tables_and_of_what_is_computed() {
    let db = database();
    let nothing = tempfile::tempdir().expect("a temporary folder");
    let mut met = std::collections::HashSet::new();
    for range in RANGES {
        let (read, computed) = (verdicts(db.path(), range), verdicts(nothing.path(), range));
        assert_eq!(read.len(), computed.len());
        for (mut read, mut computed) in read.into_iter().zip(computed) {
            let claim = read["claim"].as_str().expect("an id").to_owned();
            let expected = match claim.as_str() {
                claim if COMPUTED.contains(&claim) => "computed",
                claim if MIXED.contains(&claim) => "mixed",
                _ => "table",
            };
            assert_eq!((&read["source"], &claim), (&expected.into(), &claim));
            assert_eq!(computed["source"], "computed", "{claim}");
            for verdict in [&mut read, &mut computed] {
                verdict["seconds"] = 0.into();
                verdict["source"] = Value::Null;
            }
            assert_eq!(read, computed);
            met.insert(claim);
        }
    }
    let listed = text(&grundy(db.path(), &["claims", "--json"]).stdout);
    for line in listed.lines() {
        let claim: Value = serde_json::from_str(line).expect("JSON");
        assert!(met.contains(claim["claim"].as_str().expect("an id")), "{line}");
    }
}

/// The first shard of a table.
fn shard(db: &Path, table: &str) -> PathBuf {
    db.join(format!("{table}/{}-00000.zst", table.replace('/', "-")))
}

/// Changes a byte among the values of the first shard of a table, so that the shard is sound and
/// listed as it is now: what nothing but the values themselves can tell. Gives a way back.
fn spoil(db: &Path, table: &str, byte: usize, change: fn(u8) -> u8) -> impl FnOnce() {
    let path = shard(db, table);
    let manifest = db.join("manifest.json");
    let before = (fs::read(&path).expect("a shard"), fs::read(&manifest).expect("a manifest"));
    let shard = Shard::open(&before.0).expect("a sound shard");
    let mut encoder = Encoder::new(1);
    encoder.begin(shard.description().clone()).expect("a description");
    let mut first = 0;
    for frame in 0..shard.description().frames() {
        let mut values = vec![0; shard.description().frame_len(frame)];
        shard.decode_frame(frame, &mut Decoder::new(), &mut values).expect("a sound frame");
        if let Some(value) = byte.checked_sub(first).and_then(|at| values.get_mut(at)) {
            assert_ne!(*value, change(*value), "{table} has that value");
            *value = change(*value);
        }
        first += values.len();
        encoder.push_frame(&values).expect("a frame");
    }
    let spoilt = encoder.finish().expect("a shard");
    fs::write(&path, &spoilt.bytes).expect("written");
    let mut listed = Manifest::read(db).expect("a manifest").expect("a manifest");
    let entry = listed.tables.get_mut(table).expect("the table");
    entry.shards[0].blake3 = hex(&spoilt.digest);
    entry.shards[0].bytes = spoilt.bytes.len() as u64;
    listed.publish(db).expect("written");
    move || {
        fs::write(path, before.0).expect("written");
        fs::write(manifest, before.1).expect("written");
    }
}

/// A wrong value in a sound shard of each kind of table, and a claim that it makes fail.
#[test]
fn a_wrong_value_in_a_table_is_a_counterexample() {
    let db = database();
    let fails = |(table, byte, change): (&str, usize, fn(u8) -> u8), claim: &str, first: &str| {
        let claim: Vec<&str> = claim.split(' ').collect();
        let mend = spoil(db.path(), table, byte, change);
        let out = grundy(db.path(), &[&["diff", "--json"], &claim[..]].concat());
        assert_eq!(out.status.code(), Some(1), "{table}: {}", text(&out.stderr));
        let verdict: Value = serde_json::from_str(&text(&out.stdout)).expect("one line");
        assert_eq!(verdict["verdict"], "fails", "{table}");
        assert_eq!(verdict["first"]["position"], first, "{table}");
        mend();
        let sound = verdicts(db.path(), &claim).remove(0);
        assert_eq!(sound["verdict"], "holds", "{table} is as it was");
    };
    // The multisets 1,1; 1,2; 2,2; 1,3; 2,3: the last of them. Asked of a smaller range too,
    // which the larger table holds.
    fails(("nim/n16/k2", 4, |_| 7), "bouton.general --max-pile 16 --length 2", "2,3");
    fails(("nim/n16/k2", 4, |_| 7), "bouton.general --max-pile 5 --length 2", "2,3");
    fails(("misere-nim/n16/k2", 0, |_| 0), "bouton.misere --max-pile 16 --length 2", "1,1");
    fails(("nim/n16/k3", 0, |_| 0), "bouton.list35", "1,1,1");
    // Row 2, column 3 of the one tile.
    fails(("end-nim/n16/k2", 16 + 2, |_| 7), "ch.two-pile --max-pile 16", "2,3");
    // The tile of the middle 4: row 1, column 1. And of the middle 1.
    fails(("end-nim/n16/k3", 3 * 256, |_| 9), "an.table", "1,4");
    fails(("loop-end-nim/n16/k3", 0, |_| 1), "ch.cor2.4 --max-pile 16 --length 3", "1,1,1");
    // Two bytes a threshold: l(1,2) = 2.
    fails(("partizan-end-nim/n16/k2", 2, |_| 9), "partizan.thm --max-pile 16 --length 2", "1,2");
    // The record of the pile 1 begins with g(1) = 1.
    fails(("short-global-nim/n60/k1", 0, |_| 0), "gn.prop8 --to 60", "1");
    // That of 2, 64 numbers of four bytes further: g(2) = 1, and it has no exceptions.
    fails(("short-global-nim/n60/k1", 256, |_| 0), "gn.thm2 --to 60", "2");
    // (1,1) after a move of 1.
    fails(("short-global-nim/n16/k2", 1, |_| 1), "gn.cor5 --max-pile 16", "1,1");
    // [3,{2,3}] has the number 8 + 3, bit 5 of the lowest plane of the first cell.
    fails(("long-global-nim/n16/k1", 0, |byte| byte ^ 1 << 5), "lgn.thm24 --to 12", "3");
    // [(2,3),{1,2,3}]: 10 sets of smaller piles and 8 of (1,3) stand before those of (2,3).
    fails(("long-global-nim/n16/k2", 18 + 7, |_| 1), "lgn.prop29 --to 8", "2,3");
}

/// A file that was changed is refused, by name; so are values that no table of the kind has.
#[test]
fn a_damaged_table_is_refused() {
    let db = database();
    let refused = |claim: &str, said: &str| {
        let claim: Vec<&str> = claim.split(' ').collect();
        let out = grundy(db.path(), &[&["diff"], &claim[..]].concat());
        assert_eq!(out.status.code(), Some(2), "{}", text(&out.stdout));
        let error = text(&out.stderr);
        assert!(error.contains(said) && out.stdout.is_empty(), "{error}");
    };
    for (table, claim) in [
        ("nim/n16/k3", "bouton.general --max-pile 16 --length 3"),
        ("misere-nim/n16/k3", "bouton.misere-literal"),
        ("end-nim/n16/k3", "ch.thm5.1 --max-pile 16"),
        ("end-nim/n16/k3", "ch.proof5.1 --max-pile 16"),
        ("partizan-end-nim/n16/k3", "partizan.thm --max-pile 16 --length 3"),
        ("short-global-nim/n60/k1", "gn.thm17 --to 60"),
        ("short-global-nim/n16/k3", "gn.thm6 --max-pile 16 --length 3"),
        ("long-global-nim/n16/k1", "lgn.thm23 --to 16"),
        ("long-global-nim/n16/k2", "lgn.prop30 --to 4"),
    ] {
        let path = shard(db.path(), table);
        let sound = fs::read(&path).expect("a shard");
        let mut flipped = sound.clone();
        // In the last frame, before the table of frames and the digest.
        let at = flipped.len() - 100;
        flipped[at] ^= 4;
        fs::write(&path, flipped).expect("written");
        refused(claim, &path.display().to_string());
        fs::write(&path, sound).expect("written");
    }
    // The record of the pile 1 has g(1), and then how many exceptions there are.
    let mend = spoil(db.path(), "short-global-nim/n60/k1", 4, |_| 200);
    refused("gn.thm17 --to 60", "what is stored as short-global-nim/n60/k1 cannot be that table");
    mend();
    let sound = verdicts(db.path(), &["gn.thm17", "--to", "60"]).remove(0);
    assert_eq!((&sound["verdict"], &sound["source"]), (&"holds".into(), &"table".into()));
}

/// Who writes into the database folder has its lock.
#[test]
fn a_certificate_waits_for_no_lock() {
    let db = tempfile::tempdir().expect("a temporary folder");
    let lock = Lock::take(db.path()).expect("the lock");
    let out = grundy(db.path(), &["diff", "lgn.conj34", "--to", "20"]);
    assert_eq!(out.status.code(), Some(2));
    let error = text(&out.stderr);
    assert!(error.contains("while something else writes into") && error.contains("--certificate"));
    let inside = db.path().join("other.cert");
    let inside = inside.to_str().expect("a path");
    let out = grundy(db.path(), &["diff", "lgn.conj34", "--to", "20", "--certificate", inside]);
    assert_eq!(out.status.code(), Some(2), "{}", text(&out.stderr));
    assert!(!db.path().join("conj34.cert").exists() && !db.path().join("other.cert").exists());
    let elsewhere = tempfile::tempdir().expect("a temporary folder");
    let outside = elsewhere.path().join("conj34.cert");
    let outside = outside.to_str().expect("a path");
    let out = grundy(db.path(), &["diff", "lgn.conj34", "--to", "20", "--certificate", outside]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    drop(lock);
    let out = grundy(db.path(), &["diff", "lgn.conj34", "--to", "20"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert!(db.path().join("conj34.cert").exists());
}
