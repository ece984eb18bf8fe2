//! What is exported, read again by something else: csv against `query` and the reference, arrays by
//! NumPy, files where the disk is full.

use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use grundy::reference::{Outcomes, Reference};
use grundy::{Game, Position, Remembers, games, misere_form};

fn grundy(db: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin("grundy"));
    command.arg("--db").arg(db).args(args);
    command
}

fn run(db: &Path, args: &[&str]) -> Output {
    grundy(db, args).output().expect("the program starts")
}

fn stdout(db: &Path, args: &[&str]) -> String {
    let output = run(db, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text").replace('\r', "")
}

fn failure(db: &Path, args: &[&str]) -> String {
    let output = run(db, args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    String::from_utf8(output.stderr).expect("text")
}

/// What a position of a game is in a column of csv, by the reference.
struct Oracle {
    game: Game,
    values: Option<Reference>,
    classes: Option<Outcomes>,
}

impl Oracle {
    fn new(game: Game) -> Oracle {
        let values = game.is_impartial().then(|| Reference::new(game));
        Oracle { game, values, classes: (!game.is_impartial()).then(|| Outcomes::new(game)) }
    }

    fn text(&mut self, position: &Position) -> String {
        match (&mut self.values, &mut self.classes) {
            (Some(values), _) => values.value(position).to_string(),
            (_, Some(classes)) => classes.outcome(position).to_string(),
            _ => unreachable!("a game has one of them"),
        }
    }

    /// The position that the columns before the value say.
    fn position(&self, columns: &[&str]) -> Position {
        let (text, more) = match self.game.remembers() {
            Remembers::Nothing => (columns.join(","), String::new()),
            Remembers::LastMove => {
                let (last, piles) = columns.split_last().expect("columns");
                (piles.join(","), format!("/{last}"))
            }
            Remembers::Moves => {
                let (last, piles) = columns.split_last().expect("columns");
                (piles.join(","), format!("{{{}}}", last.replace(' ', ",")))
            }
        };
        self.game.parse(&format!("{text}{more}")).expect("a position")
    }
}

/// Every line of csv says what the reference does, in all the ways to write it, and there are as
/// many lines as positions.
#[test]
fn csv_says_what_the_reference_does() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let stored = folder.path().join("stored");
    let all: Vec<&str> = games::GAMES.into_iter().map(Game::id).collect();
    let build =
        ["build", "--max-pile", "4", "--length", "3", "--heap", "9", "--games", &all.join(",")];
    stdout(&stored, &build);
    for game in games::GAMES {
        let mut oracle = Oracle::new(game);
        for (length, db) in [(1, folder.path()), (2, &stored), (3, folder.path()), (3, &stored)] {
            let records = game == games::SHORT_GLOBAL_NIM && length == 1;
            if records {
                continue;
            }
            let length = length.to_string();
            let export = ["export", game.id(), "--max-pile", "4", "--length", &length];
            let csv = stdout(db, &[&export[..], &["--format", "csv"]].concat());
            let mut lines = csv.lines();
            let header = lines.next().expect("a header");
            let value = if game.is_impartial() { "g" } else { "outcome" };
            assert!(header.starts_with("a,") && header.ends_with(value), "{header}");
            let mut found = HashMap::new();
            for line in lines {
                let columns: Vec<&str> = line.split(',').collect();
                let (value, columns) = columns.split_last().expect("columns");
                let position = oracle.position(columns);
                assert_eq!(*value, oracle.text(&position), "{game} {position}");
                assert_eq!(found.insert(columns.join(","), value.to_string()), None, "{line}");
            }
            let table = grundy::Table::new(game, 4, length.parse().expect("a length"));
            assert_eq!(found.len() as u64, table.expect("a table").positions(), "{game} {length}");

            // The same as texts that `query` reads, line for line.
            let text = stdout(db, &[&export[..], &["--format", "csv", "--text"]].concat());
            for (line, other) in text.lines().zip(csv.lines()).skip(1) {
                let (position, value) = line.rsplit_once(',').expect("two columns");
                let position = game.parse(position.trim_matches('"')).expect("a position");
                assert_eq!(value, oracle.text(&position), "{game} {position}");
                assert_eq!(other.rsplit_once(',').expect("columns").1, value);
            }
            assert_eq!(text.lines().count(), csv.lines().count());

            if game.is_unordered() {
                let all_orders = [&export[..], &["--format", "csv", "--all-orders"]].concat();
                if game.remembers() == Remembers::Moves {
                    continue;
                }
                let csv = stdout(db, &all_orders);
                for line in csv.lines().skip(1) {
                    let columns: Vec<&str> = line.split(',').collect();
                    let (value, columns) = columns.split_last().expect("columns");
                    let position = oracle.position(columns);
                    assert_eq!(*value, oracle.text(&position), "{game} {line}");
                }
                let piles = 4usize.pow(length.parse().expect("a length"));
                let moves = if game.remembers() == Remembers::LastMove { 5 } else { 1 };
                assert_eq!(csv.lines().count(), 1 + piles * moves, "{game}");
            }
        }
    }
}

/// A Python with NumPy, if there is one; on CI there must be.
fn python() -> Option<OsString> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/bin/python3");
    let python = env::var_os("GRUNDY_PYTHON")
        .unwrap_or_else(|| if own.exists() { own.into() } else { "python3".into() });
    let import = Command::new(&python).args(["-c", "import numpy"]).output();
    if import.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    assert!(env::var_os("CI").is_none(), "{python:?} has no package numpy");
    println!("skipped: {python:?} has no package numpy");
    None
}

/// Prints the type, the shape, and all numbers of an array.
const READ: &str = "import sys, numpy\n\
                    a = numpy.load(sys.argv[1])\n\
                    print(a.dtype.str, *a.shape)\n\
                    print(*a.ravel().tolist())";

/// An array as NumPy reads it: its type, its shape and its numbers.
fn read(python: &OsString, file: &Path) -> (String, Vec<usize>, Vec<u32>) {
    let output = Command::new(python).args(["-c", READ]).arg(file).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let (shape, numbers) = text.split_once('\n').expect("two lines");
    let (kind, shape) = shape.split_once(' ').expect("a shape");
    let axes = shape.split_whitespace().map(|axis| axis.parse().expect("a number"));
    let numbers = numbers.split_whitespace().map(|number| number.parse().expect("a number"));
    (kind.to_owned(), axes.collect(), numbers.collect())
}

#[test]
fn numpy_reads_every_kind_of_array() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let stored = folder.path().join("stored");
    stdout(&stored, &["build", "--max-pile", "5", "--length", "3", "--heap", "9"]);
    let file = folder.path().join("values.npy");
    let piped = folder.path().join("piped.npy");
    let path = file.to_str().expect("a path");
    for game in games::GAMES {
        for (length, db) in
            [(1usize, &stored), (2, &stored), (3, &stored), (3, &folder.path().to_owned())]
        {
            let k = length.to_string();
            let export =
                ["export", game.id(), "--max-pile", "5", "--length", &k, "--format", "npy"];
            stdout(db, &[&export[..], &["-o", path]].concat());
            // What goes to a pipe comes in another way, and with little memory in pieces.
            for memory in ["4G", "512"] {
                if memory == "512" && (game != games::END_NIM || db == &stored) {
                    continue;
                }
                let output = run(db, &[&export[..], &["--memory", memory]].concat());
                fs::write(&piped, output.stdout).expect("written");
                assert_eq!(fs::read(&piped).ok(), fs::read(&file).ok(), "{game} {length}");
            }
            let (kind, shape, numbers) = read(&python, &file);
            if game == games::LONG_GLOBAL_NIM || game == games::SHORT_GLOBAL_NIM && length == 1 {
                assert_eq!(shape.len(), 1, "{game}");
                continue;
            }
            let wide = game == games::PARTIZAN_END_NIM;
            assert_eq!(kind, if wide { "<u2" } else { "|u1" }, "{game}");
            let mut expected = vec![5; length];
            expected.extend((game.remembers() == Remembers::LastMove).then_some(6));
            assert_eq!(shape, expected, "{game}");
            let mut oracle = Oracle::new(game);
            for (at, number) in numbers.iter().enumerate() {
                let mut rest = at;
                let mut indices: Vec<usize> = Vec::new();
                for &axis in shape.iter().rev() {
                    indices.insert(0, rest % axis);
                    rest /= axis;
                }
                let text = indices[..length].iter().map(|i| (i + 1).to_string());
                let text = text.collect::<Vec<_>>().join(",");
                let position = match indices.get(length) {
                    Some(k) => game.parse(&format!("{text}/{k}")),
                    None => game.parse(&text),
                };
                let position = position.expect("a position");
                if wide {
                    // l(w) is the largest a with which Left, moving first, does not win a·w.
                    let wins = |a: u32, classes: &mut Outcomes| {
                        let piles = [&[a], position.piles()].concat();
                        classes.left_wins_first(&Position::row(&piles))
                    };
                    let classes = oracle.classes.as_mut().expect("a partizan game");
                    assert!(*number == 0 || !wins(*number, classes), "{position}");
                    assert!(wins(number + 1, classes), "{position}");
                } else {
                    assert_eq!(number.to_string(), oracle.text(&position), "{game} {position}");
                }
            }
        }
    }
    // The tile of a middle, and values beyond a byte.
    let tile =
        ["export", "end-nim", "--middle", "4", "--max-pile", "9", "--format", "npy", "-o", path];
    stdout(&stored, &tile);
    let (kind, shape, numbers) = read(&python, &file);
    assert_eq!((kind.as_str(), &shape[..]), ("|u1", &[9, 9][..]));
    let mut reference = Reference::new(games::END_NIM);
    for (at, number) in numbers.into_iter().enumerate() {
        let position = Position::row(&[at as u32 / 9 + 1, 4, at as u32 % 9 + 1]);
        assert_eq!(number, reference.value(&position), "{position}");
    }
    let wide = ["export", "end-nim", "--max-pile", "300", "--format", "npy", "-o", path];
    stdout(&stored, &wide);
    let (kind, _, numbers) = read(&python, &file);
    assert_eq!(kind, "<u2");
    let nim = (0..300u32).flat_map(|a| (0..300u32).map(move |b| (a + 1) ^ (b + 1)));
    assert!(numbers.into_iter().eq(nim));
}

/// The values of misère play are those of the definition, whatever prints them.
#[test]
fn misere_play_is_that_of_the_definition() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let db = folder.path();
    for game in games::GAMES {
        let args = ["export", game.id(), "--convention", "misere", "--max-pile", "4", "--format"];
        let Ok(form) = misere_form(game) else {
            assert!(failure(db, &[&args[..], &["csv"]].concat()).contains("no misère values"));
            continue;
        };
        let mut oracle = Oracle::new(form);
        for length in ["1", "2", "3"] {
            if game == games::LONG_GLOBAL_NIM && length == "3" {
                continue;
            }
            let csv = stdout(db, &[&args[..], &["csv", "--length", length]].concat());
            assert!(
                csv.lines().next().is_some_and(|header| header.ends_with(",misere_g")),
                "{csv}"
            );
            let (mut counts, mut texts, mut expected) = (Vec::new(), Vec::new(), Vec::new());
            for line in csv.lines().skip(1) {
                let columns: Vec<&str> = line.split(',').collect();
                let (value, columns) = columns.split_last().expect("columns");
                let position = oracle.position(columns);
                assert_eq!(*value, oracle.text(&position), "{form} {position}");
                let at: usize = value.parse().expect("a value");
                let reversed = position.reversed();
                counts.resize(counts.len().max(at + 1), 0u64);
                counts[at] += 1;
                assert_eq!(oracle.text(&reversed), *value, "{form} {reversed}");
                texts.push(position.to_string());
                expected.push(value.to_string());
            }
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let query = [&["query", game.id(), "--convention", "misere"], &texts[..]].concat();
            assert_eq!(stdout(db, &query).lines().collect::<Vec<_>>(), expected, "{form}");
            let stats = ["stats", game.id(), "--convention", "misere", "--json", "--max-pile", "4"];
            let stats = stdout(db, &[&stats[..], &["--length", length]].concat());
            let stats: serde_json::Value = serde_json::from_str(&stats).expect("JSON");
            assert!(stats["convention"].as_str().is_some_and(|text| text.starts_with("misere")));
            assert_eq!(stats["histogram"], serde_json::json!(counts), "{form} {length}");
        }
    }
    // By hand: G() = 1, G(1) = 0, G(2) = 2, G(1,1) = 1, and 1,2 leads to 2, 1,1 and 1.
    let query = ["query", "end-nim", "--convention", "misere", "()", "1", "2", "1,1", "1,2"];
    assert_eq!(stdout(db, &query), "1\n0\n2\n1\n3\n");
    let moves = stdout(db, &["moves", "end-nim", "1,1", "--convention", "misere"]);
    assert!(moves.contains("1,1 in end-nim (misere, ") && moves.contains("value 1, N"), "{moves}");
    let end = stdout(db, &["moves", "end-nim", "()", "--convention", "misere"]);
    assert!(end.contains("the player to move has won"), "{end}");
    let periods = ["periods", "end-nim", "--left", "1", "--convention", "misere"];
    assert!(stdout(db, &periods).starts_with("convention: misere"));
    let bfile = ["export", "end-nim", "--max-pile", "2", "--convention", "misere", "--format"];
    let bfile = stdout(db, &[&bfile[..], &["bfile"]].concat());
    assert!(
        bfile.starts_with("# end-nim, misere") && bfile.ends_with("1 1\n2 3\n3 3\n"),
        "{bfile}"
    );
}

#[test]
fn sequences_and_tables() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let db = folder.path();
    // By hand: 1,1,1 leads to 1,1 alone; 1,1,2 to 1,2, 1,1,1 and 1,1; 1,2,1 to 1,2 and 2,1.
    let bfile = ["export", "end-nim", "--max-pile", "2", "--length", "3", "--format", "bfile"];
    assert_eq!(stdout(db, &bfile), "1 1\n2 2\n3 0\n4 2\n");
    let latex = ["export", "end-nim", "--max-pile", "2", "--format", "latex"];
    let two = stdout(db, &latex);
    let three = stdout(db, &[&latex[..], &["--middle", "4"]].concat());
    for table in [&two, &three] {
        assert!(table.contains("$a\\backslash b$ & 1 & 2 \\\\"), "{table}");
    }
    assert!(three.starts_with("% end-nim: G(a,4,b)"), "{three}");
}

/// The names of all files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect()
}

/// A file that cannot be finished does not appear, and leaves nothing behind.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing_half_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let db = folder.path().join("nowhere");
    let out = folder.path().join("out");
    fs::create_dir(&out).expect("a folder");
    for (format, game) in [("npy", "end-nim"), ("csv", "end-nim"), ("npy", "short-global-nim")] {
        let file: std::path::PathBuf = out.join("values");
        let before = out.join("values");
        fs::write(&before, "what was there").expect("written");
        // Files of at most 64 KiB, and no signal where one would become longer.
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' XFSZ; ulimit -f 128; exec \"$0\" \"$@\""]);
        command.arg(cargo_bin("grundy")).arg("--db").arg(&db);
        command.args([
            "export",
            game,
            "--max-pile",
            "64",
            "--length",
            "3",
            "--format",
            format,
            "-o",
        ]);
        let output = command.arg(&file).output().expect("it starts");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{format} {text}");
        assert!(text.contains("cannot write") && text.contains("too large"), "{text}");
        assert_eq!(fs::read_to_string(&before).expect("a file"), "what was there");
        assert_eq!(names(&out), ["values"], "{format}");
    }
    if let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") {
        let mut command = grundy(&db, &["export", "end-nim", "--max-pile", "40", "--length", "3"]);
        let output = command.args(["--format", "npy"]).stdout(full).output().expect("it starts");
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("No space left"));
    }
}

#[test]
fn what_does_not_fit_is_refused_before_it_is_begun() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let db = folder.path();
    let file = db.join("large.npy");
    let path = file.to_str().expect("a path");
    let export =
        ["export", "end-nim", "--format", "npy", "-o", path, "--max-pile", "64", "--length"];
    let refused = |more: &[&str], part: &str| {
        let message = failure(db, &[&export[..], more].concat());
        assert!(message.contains(part), "{message}");
        assert!(!file.exists() && names(db).is_empty(), "{more:?}");
    };
    refused(&["8", "--seconds", "inf"], "free");
    refused(&["7"], "--seconds");
    refused(&["12"], "positions");
    refused(&["3", "--memory", "1K"], "memory");
    refused(&["3", "--all-orders"], "--all-orders is for csv and parquet");
    refused(&["3", "--text"], "--text is for csv");
    let output = run(db, &[&export[..], &["3"]].concat());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    assert!(text.starts_with(&format!("{path}: 262,144 values, 256.1 KiB\n")), "{text}");
    assert!(text.ends_with("/s\n"), "{text}");
    assert_eq!(fs::metadata(&file).expect("a file").len(), 128 + 262_144);
}

#[cfg(not(feature = "parquet"))]
#[test]
fn without_parquet_its_feature_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let args = ["export", "end-nim", "--max-pile", "3", "--format", "parquet", "-o", "x.parquet"];
    assert!(failure(folder.path(), &args).contains("--features parquet"));
}

/// The columns of csv, as the arrow project's package for Python reads them.
#[cfg(feature = "parquet")]
#[test]
fn parquet_has_the_columns_of_csv() {
    const READ: &str = "import sys, pyarrow.parquet as parquet\n\
                        t = parquet.read_table(sys.argv[1])\n\
                        print(*t.column_names, sep=',')\n\
                        for row in zip(*(c.to_pylist() for c in t.columns)): print(*row, sep=',')";
    let python = env::var_os("GRUNDY_PYTHON").unwrap_or_else(|| "python3".into());
    let import = Command::new(&python).args(["-c", "import pyarrow"]).output();
    if !import.is_ok_and(|output| output.status.success()) {
        println!("skipped: {python:?} has no package pyarrow");
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("values.parquet");
    let path = file.to_str().expect("a path");
    for game in ["end-nim", "nim", "end-wythoff"] {
        let export = ["export", game, "--max-pile", "9", "--length", "3", "--format"];
        stdout(folder.path(), &[&export[..], &["parquet", "-o", path]].concat());
        let read = Command::new(&python).args(["-c", READ, path]).output().expect("it starts");
        let csv = stdout(folder.path(), &[&export[..], &["csv"]].concat());
        assert_eq!(String::from_utf8(read.stdout).expect("text"), csv, "{game}");
    }
}
