//! Claims have the same results on stored and computed values. If a table is wrong, a claim fails.

use std::collections::BTreeSet;

use grundy_builder::Lock;
use grundy_testing::database::spoil;
use grundy_testing::program::Folder;
use serde_json::Value;

/// Small tables of every game.
const BUILD: &str = "build --max-pile 16 --length 3 --heap 60 --threads 2";

/// Claims with their ranges. All claims occur here, and most ranges lie within the tables.
const RANGES: &[&str] = &[
    "bouton.thm1 bouton.thm2 bouton.general bouton.misere --max-pile 16 --length 3",
    "bouton.general bouton.misere --max-pile 10 --length 3",
    "bouton.chance --to 4",
    "bouton.list35 bouton.misere-literal an.table gn.table1 gn.def12 lgn.example ew.growth",
    "gn.def12.corrected",
    "an.prop1 an.thm2 partizan. ch. end. --max-pile 16 --length 3",
    "an.period an.period-pow2 --max-pile 5 --to 2000",
    "ew.wythoff --max-pile 16 --length 2",
    "ew.one-end --max-pile 4 --length 3",
    "gn.thm3 gn.thm4 gn.cor5 gn.thm6 --max-pile 16 --length 3",
    "gn.smallest-pile gn.smallest-pile.corrected --max-pile 12 --length 3",
    "gn.thm2 gn.cor11 gn.prop16 gn.half-bound gn.below-half --to 60",
    "gn.thm17 gn.prop19 gn.prop19.corrected gn.prop20 gn.cor21 gn.once --to 60",
    "gn.three-increasing gn.prop7 gn.prop8 gn.prop9 gn.cor10 --to 40",
    "gn.thm14 gn.thm14-differ gn.cor15 --to 60",
    "gn.prop13 --to 9",
    "lgn.thm23 lgn.thm24 lgn.thm25 lgn.thm26 lgn.thm27 --to 16",
    "lgn.thm27.corrected lgn.play-remark lgn.five-choice --to 12",
    "lgn.five-remark lgn.thm33 lgn.thm33-every-term --to 12",
    "lgn.thm28 --to 9",
    "lgn.prop29 --to 8",
    "lgn.prop30 lgn.prop30-sharp --to 4",
    "lgn.conj34 lgn.thm23 --to 16",
    "all. --to 4",
];

/// Claims that are always computed: no table has their values, or tables rely on these claims.
const COMPUTED: [&str; 19] = [
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
    "ew.growth",
    "gn.cor10",
    "lgn.conj34",
    "all.en2",
    "all.men2",
    "all.len2",
    "all.nonregular",
    "all.p-automata",
    "all.partizan",
];

/// Claims on outcomes and thresholds, with piles of 9 in one to four piles.
const MIXED: [&str; 2] = ["partizan.thm", "lgn.thm28"];

#[test]
fn a_claim_says_the_same_of_tables_and_of_what_is_computed() {
    let folder = Folder::after(BUILD);
    std::fs::create_dir(folder.path().join("none")).expect("a folder");
    let mut met = BTreeSet::new();
    for range in RANGES {
        let read = folder.json(&format!("diff {range}"));
        let computed = folder.json(&format!("diff {range} --db none"));
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
    for claim in folder.json("claims") {
        assert!(met.contains(claim["claim"].as_str().expect("an id")), "{claim}");
    }
}

/// Each case has a valid shard with one wrong value, and a claim that fails because of this value.
#[test]
fn a_wrong_value_in_a_table_is_a_counterexample() {
    let folder = Folder::after(BUILD);
    type Case = (&'static str, usize, fn(u8) -> u8, &'static str, &'static str);
    let cases: [Case; 13] = [
        // The multisets are 1,1; 1,2; 2,2; 1,3; 2,3, and the value of 2,3 is changed. A smaller
        // range reads the same table.
        ("nim/n16/k2", 4, |_| 7, "bouton.general --max-pile 16 --length 2", "2,3"),
        ("nim/n16/k2", 4, |_| 7, "bouton.general --max-pile 5 --length 2", "2,3"),
        ("misere-nim/n16/k2", 0, |_| 0, "bouton.misere --max-pile 16 --length 2", "1,1"),
        ("nim/n16/k3", 0, |_| 0, "bouton.list35", "1,1,1"),
        // The value of row 2, column 3 of the only tile.
        ("end-nim/n16/k2", 16 + 2, |_| 7, "ch.two-pile --max-pile 16", "2,3"),
        // The value of row 1, column 1 in the tile with the middle 4, then in that with middle 1.
        ("end-nim/n16/k3", 3 * 256, |_| 9, "an.table", "1,4"),
        ("loop-end-nim/n16/k3", 0, |_| 1, "ch.cor2.4 --max-pile 16 --length 3", "1,1,1"),
        // A threshold has two bytes. By hand l(1,2) = 2.
        ("partizan-end-nim/n16/k2", 2, |_| 9, "partizan.thm --max-pile 16 --length 2", "1,2"),
        // The record of the pile 1 begins with g(1) = 1.
        ("short-global-nim/n60/k1", 0, |_| 0, "gn.prop8 --to 60", "1"),
        // The record of the pile 2, 64 numbers of four bytes later: g(2) = 1, without exceptions.
        ("short-global-nim/n60/k1", 256, |_| 0, "gn.thm2 --to 60", "2"),
        // The value of the position 1,1 after a move of 1.
        ("short-global-nim/n16/k2", 1, |_| 1, "gn.cor5 --max-pile 16", "1,1"),
        // [3,{2,3}] has the number 8 + 3, bit 5 of the lowest plane of the first cell.
        ("long-global-nim/n16/k1", 0, |byte| byte ^ 1 << 5, "lgn.thm24 --to 12", "3"),
        // 10 sets of smaller piles and 8 sets of (1,3) come before [(2,3),{1,2,3}].
        ("long-global-nim/n16/k2", 18 + 7, |_| 1, "lgn.prop29 --to 8", "2,3"),
    ];
    for (table, byte, change, claim, first) in cases {
        let claim = format!("diff {claim}");
        let sound = spoil(&folder.at("db"), table, byte, change);
        assert_eq!(folder.run(&claim).status.code(), Some(1), "{table}");
        let verdict = &folder.json(&claim)[0];
        assert_eq!(verdict["verdict"], "fails", "{table}");
        assert_eq!(verdict["first"]["position"], first, "{table}");
        sound.restore();
        assert_eq!(folder.json(&claim)[0]["verdict"], "holds", "{table} is as it was");
    }
}

/// A file with values that its table cannot have is refused.
#[test]
fn an_impossible_table_is_refused() {
    let folder = Folder::after(BUILD);
    // The record of the pile 1 begins with g(1) and the number of its exceptions.
    let sound = spoil(&folder.at("db"), "short-global-nim/n60/k1", 4, |_| 200);
    let error = folder.refused("diff gn.thm17 --to 60", 2);
    assert!(error.contains("the stored table short-global-nim/n60/k1 is invalid"));
    sound.restore();
    let verdict = &folder.json("diff gn.thm17 --to 60")[0];
    assert_eq!((&verdict["verdict"], &verdict["source"]), (&"holds".into(), &"table".into()));
}

/// A command needs the lock of the database folder only if it writes into that folder.
#[test]
fn a_certificate_waits_for_no_lock() {
    let folder = Folder::new();
    let lock = Lock::take(&folder.at("db")).expect("the lock");
    let error = folder.refused("diff lgn.conj34 --to 20", 2);
    assert!(error.contains("while another process") && error.contains("--certificate"));
    folder.refused("diff lgn.conj34 --to 20 --certificate db/other.cert", 2);
    assert!(!folder.at("db/conj34.cert").exists() && !folder.at("db/other.cert").exists());
    folder.text("diff lgn.conj34 --to 20 --certificate conj34.cert");
    drop(lock);
    folder.text("diff lgn.conj34 --to 20");
    assert!(folder.at("db/conj34.cert").exists());
}
