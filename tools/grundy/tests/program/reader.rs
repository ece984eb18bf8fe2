//! Reads tables with a Python program that was written from docs/FORMAT.md alone.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use grundy::{Game, games, lex_word, outcome_form};
use grundy_shard::{Codec, Description, Shard};
use grundy_testing::database::{decoded, encoded, shard};
use grundy_testing::program::{Folder, python, text};

fn run<S: AsRef<std::ffi::OsStr>>(python: &OsString, file: &Path, words: &[S]) -> Output {
    let reader = Path::new(env!("CARGO_MANIFEST_DIR")).join("texts/read_shard.py");
    Command::new(python).arg(reader).arg(file).args(words).output().expect("python starts")
}

fn read<S: AsRef<std::ffi::OsStr>>(python: &OsString, file: &Path, words: &[S]) -> String {
    let output = run(python, file, words);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout).replace('\r', "")
}

/// Compares the values that the reader gives for positions of a table with the program's answers.
fn agree(python: &OsString, folder: &Folder, table: &str, positions: &[String]) {
    let (game, _) = table.split_once('/').expect("a table's id");
    let outcomes = game.strip_suffix("-outcomes");
    let game = outcomes.unwrap_or(game);
    let read = read(python, &shard(&folder.at("db"), table), positions);
    let answers = folder.json(&format!("query {game} {}", positions.join(" ")));
    for (line, answer) in read.lines().zip(answers) {
        let outcome = serde_json::Value::from(u8::from(answer["outcome"] == "N"));
        let stored = match game {
            _ if outcomes.is_some() => &outcome,
            "partizan-end-nim" => &answer["left_threshold"],
            _ => &answer["grundy"],
        };
        let (_, value) = line.split_once(' ').expect("a value");
        assert_eq!(value, stored.to_string(), "{game} {line}");
        assert_eq!(answer["source"], "table");
    }
    assert_eq!(read.lines().count(), positions.len());
}

#[test]
fn python_reads_every_kind_of_table() {
    let Some(python) = python("zstandard") else { return };
    let folder = Folder::new();
    let games = games::GAMES.into_iter().filter(|&game| game != games::LONG_GLOBAL_NIM);
    let names: Vec<&str> = games.clone().map(Game::id).collect();
    for (n, length) in [(300u64, 1), (130, 2), (4, 4)] {
        let names = names.join(",");
        folder.text(&format!("build --games {names} --max-pile {n} --length {length} --heap {n}"));
        folder.text(&format!("build --max-pile {n} --length {length} --outcomes"));
        for game in games.clone() {
            let positions: Vec<String> = (0..n.pow(length as u32))
                .step_by(37)
                .map(|index| {
                    let mut piles = vec![0; length];
                    lex_word(index, n, &mut piles);
                    piles.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
                })
                .collect();
            agree(&python, &folder, &format!("{game}/n{n}/k{length}"), &positions);
            if outcome_form(game).is_ok() {
                agree(&python, &folder, &format!("{game}-outcomes/n{n}/k{length}"), &positions);
            }
        }
    }
}

#[test]
fn python_reads_every_set_of_moves() {
    let Some(python) = python("zstandard") else { return };
    let folder = Folder::new();
    let game = games::LONG_GLOBAL_NIM.id();
    folder.text(&format!("build --games {game} --max-pile 9 --length 3"));
    for (length, pile_sets) in [(1, vec!["1", "2", "4", "8", "9"]), (3, vec!["9,4,4", "1,2,8"])] {
        let mut positions = Vec::new();
        for piles in pile_sets {
            let largest: u32 =
                piles.split(',').filter_map(|pile| pile.parse().ok()).max().unwrap_or(0);
            positions.push(piles.to_owned());
            positions.push(format!("{piles}{{1..{largest}}}"));
            for set in (0..1u32 << largest).step_by(3) {
                let moves = (1..=largest).filter(|s| set >> (s - 1) & 1 == 1);
                let moves: Vec<String> = moves.map(|s| s.to_string()).collect();
                positions.push(format!("{piles}{{{}}}", moves.join(",")));
            }
        }
        agree(&python, &folder, &format!("{game}/n9/k{length}"), &positions);
    }
}

/// A table of each numbering of rule files: the largest pile, the lengths, the largest last move of
/// the compared positions, and the rules (a ruleset, or the lines of a file).
const OWN: [(u64, std::ops::RangeInclusive<usize>, u64, &str); 14] = [
    (9, 1..=3, 0, "greedy-nim"),
    (5, 4..=4, 0, "circular-nim-4-2"),
    (40, 1..=1, 0, "kayles"),
    (12, 1..=3, 0, "staircase-nim"),
    (12, 1..=4, 0, "misere-kayles"),
    (
        9,
        1..=3,
        2,
        "piles: heaps\nwithin: total\nremembers: a in 0..2\nmove: i in 1..k, t in 1..piles[i] if t != a: piles[i] -= t, a := min(t, 2)",
    ),
    (
        12,
        1..=4,
        0,
        "piles: row\nwithin: total\nmove: t in 1..first if k > 1: first -= t, last += t // 2\nmove: t in 1..first if k == 1: first -= t",
    ),
    (9, 1..=2, 0, "partizan-euclid"),
    (9, 1..=2, 9, "global-fibonacci-nim"),
    (
        5,
        1..=5,
        0,
        "piles: row\nmove: t in 1..first: first -= t\nmove: t in 1..min(2, last): last -= t",
    ),
    (5, 1..=5, 0, "piles: row\nmove: t in 1..first: first -= t\nmove: t in 1..last: last -= t"),
    (
        5,
        1..=3,
        5,
        "piles: row\nremembers: last move\nmove: t in 1..first if t != last_move: first -= t",
    ),
    (
        5,
        2..=2,
        5,
        "piles: places\nlength: 2\nremembers: last move\nmove: i in 1..k, t in 1..piles[i] if t != last_move: piles[i] -= t",
    ),
    (
        5,
        1..=2,
        4,
        "piles: heaps\nlength: 1..2\nremembers: a in 0..4\nremembers: b in 0..5\nmove: t in 1..first if t != a and t != b: first -= t, a := min(t, 4), b := a",
    ),
];

/// The reader finds the numbering in the manifest above a shard, and in a pack.
#[test]
fn python_reads_the_tables_of_rule_files() {
    let Some(python) = python("zstandard") else { return };
    let classes = ["L", "R", "N", "P"];
    for (n, lengths, most, rules) in OWN {
        let folder = Folder::new();
        let is_file = rules.contains(':');
        if is_file {
            folder.write("own.game", format!("name: own\ntitle: Own\n{rules}\n"));
        }
        let game = if is_file { "./own.game" } else { rules };
        let has_places = ["places", "circular", "staircase"].iter().any(|&one| rules.contains(one));
        let least = u64::from(!has_places);
        let is_by_total =
            ["total", "staircase", "misere-kayles"].iter().any(|&one| rules.contains(one));
        for length in lengths {
            folder.text(&format!("build --games {game} --max-pile {n} --length {length}"));
            let digests: serde_json::Value =
                serde_json::from_str(&folder.text("status --digests")).expect("an object");
            let endings = [format!("/k{length}"), format!("/t{n}")];
            let mut tables = digests.as_object().expect("an object").keys();
            let table = tables.find(|id| endings.iter().any(|ending| id.ends_with(ending)));
            let table = table.expect("a table");
            let mut positions: Vec<String> = Vec::new();
            for index in (0..(n + 1 - least).pow(length as u32)).step_by(7) {
                let mut piles = vec![0; length];
                lex_word(index, n + 1 - least, &mut piles);
                let piles: Vec<u64> =
                    piles.iter().map(|&pile| u64::from(pile) + least - 1).collect();
                if is_by_total && piles.iter().sum::<u64>() > n {
                    continue;
                }
                let piles: Vec<String> = piles.iter().map(u64::to_string).collect();
                let last = index % (most + 1);
                let numbers = rules.matches("remembers:").count().max(1);
                let memory =
                    if last > 0 { format!("/{last}").repeat(numbers) } else { String::new() };
                positions.push(piles.join(",") + &memory);
            }
            let answers = folder.json(&format!("query {game} {}", positions.join(" ")));
            let expected: String = (positions.iter().zip(&answers))
                .map(|(position, answer)| match answer["grundy"].as_u64() {
                    Some(value) => format!("{position} {value}\n"),
                    None => {
                        let at = classes.iter().position(|&class| answer["outcome"] == class);
                        format!("{position} {}\n", at.expect("a class"))
                    }
                })
                .collect();
            assert_eq!(read(&python, &shard(&folder.at("db"), table), &positions), expected);
            // A damaged manifest is no manifest of another program.
            let whole = folder.read("db/manifest.json");
            folder.write("db/manifest.json", &whole[1..]);
            let output = run(&python, &shard(&folder.at("db"), table), &positions[..1]);
            let said = text(&output.stderr);
            assert!(said.contains("manifest.json is damaged") || !is_file, "{said}");
            folder.write("db/manifest.json", whole);
            let pack = format!("pack-{length}");
            let rights = if is_file { " --author A --license CC0-1.0" } else { "" };
            folder.text(&format!("pack {table} -o {pack}{rights}"));
            let mut words = vec![table.clone()];
            words.extend(positions);
            assert_eq!(read(&python, &folder.at(&format!("{pack}/pack.json")), &words), expected);
        }
    }
}

#[test]
fn python_reads_a_table_of_a_pack() {
    let Some(python) = python("zstandard") else { return };
    let folder = Folder::new();
    // The table of six piles has several shards in one file.
    folder.text("build --games end-nim --max-pile 24 --length 6");
    folder.text("pack -o pack");
    for (table, positions) in [
        ("end-nim/n24/k3", ["3,1,4", "24,24,24", "1,1,1"]),
        ("end-nim/n24/k6", ["1,1,1,1,1,1", "24,23,22,21,20,19", "24,24,24,24,24,24"]),
    ] {
        let read =
            read(&python, &folder.at("pack/pack.json"), &[&[table], &positions[..]].concat());
        let answers = folder.text(&format!("query end-nim {}", positions.join(" ")));
        for ((line, answer), position) in read.lines().zip(answers.lines()).zip(positions) {
            assert_eq!(line, format!("{position} {answer}"));
        }
        assert_eq!(read.lines().count(), positions.len());
    }
}

/// The reader decodes values of two bytes in each codec, and refuses files with a flipped bit.
#[test]
fn python_reads_every_codec_and_no_damage() {
    let Some(python) = python("zstandard") else { return };
    let folder = Folder::after("build --games nim --max-pile 300 --length 1");
    let path = shard(&folder.at("db"), "nim/n300/k1");
    let whole = folder.read("db/nim/n300/k1/nim-n300-k1-00000.zst");
    let values = decoded(&whole).expect("a sound shard");
    let nim = Shard::open(&whole).expect("a sound shard").description().clone();
    for codec in Codec::ALL {
        let bytes = encoded(&Description { codec, ..nim.clone() }, &values).bytes;
        fs::write(&path, &bytes).expect("written");
        assert_eq!(read(&python, &path, &["1", "300"]), "1 1\n300 300\n", "{codec:?}");
        for at in [30, 100, bytes.len() - 30] {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            fs::write(&path, &bytes).expect("written");
            assert!(!run(&python, &path, &["1"]).status.success(), "byte {at}");
        }
    }
}
