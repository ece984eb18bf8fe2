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
