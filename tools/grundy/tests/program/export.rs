//! Other programs read the exports: csv is compared with `query` and the reference, NumPy reads the
//! arrays, and pyarrow reads Parquet. `cases/exports.md` shows the formats themselves.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::path::Path;
use std::process::Command;

use grundy::reference::Reference;
use grundy::{
    Game, Outcome, Position, Remembers, Table, games, misere_form, remoteness_form, rulesets,
};
use grundy_testing::oracle::Oracle;
use grundy_testing::program::{Folder, python};

/// Returns the position that the columns before the value describe.
fn position(game: Game, columns: &[&str]) -> Position {
    let (last, piles) = columns.split_last().expect("columns");
    let text = match game.remembers() {
        Remembers::Nothing => columns.join(","),
        Remembers::Numbers => format!("{}/{last}", piles.join(",")),
        Remembers::Moves => format!("{}{{{}}}", piles.join(","), last.replace(' ', ",")),
    };
    game.parse(&text).expect("a position")
}

/// Returns the position, the value and the text of each line of csv.
fn lines(game: Game, csv: &str) -> Vec<(Position, String, String)> {
    let read = |line: &str| {
        let (columns, value) = line.rsplit_once(',').expect("columns");
        let columns: Vec<&str> = columns.split(',').collect();
        (position(game, &columns), value.to_owned(), line.to_owned())
    };
    csv.lines().skip(1).map(read).collect()
}

/// Every position has a line of csv, and every line agrees with the reference, with and without
/// tables, under normal and misère play.
#[test]
fn csv_says_what_the_reference_does() {
    let folder = Folder::after("build --max-pile 4 --length 3 --heap 9");
    std::fs::create_dir(folder.at("none")).expect("a folder");
    let misere = games::GAMES.into_iter().filter_map(|game| misere_form(game).ok());
    for game in games::GAMES.into_iter().chain(misere) {
        let mut oracle = Oracle::new(game);
        let typed = game.misere_of().map(|of| format!("{of} --convention misere"));
        let typed = typed.unwrap_or_else(|| game.to_string());
        for (length, db) in [(1, "none"), (2, "db"), (3, "none"), (3, "db")] {
            if game == games::SHORT_GLOBAL_NIM && length == 1 {
                // A line of a record ends with the exceptional last moves, not with a value.
                continue;
            }
            let export =
                format!("export {typed} --max-pile 4 --length {length} --db {db} --format csv");
            let csv = folder.text(&export);
            let header = csv.lines().next().expect("a header");
            let value = if game.is_impartial() { "g" } else { "outcome" };
            assert!(header.starts_with("p1,") && header.ends_with(value), "{header}");
            let mut found = HashMap::new();
            for (position, value, line) in lines(game, &csv) {
                assert_eq!(value, oracle.text(&position), "{game} {position}");
                assert_eq!(found.insert(position, value), None, "{line}");
            }
            let table = Table::new(game, 4, length).expect("a table");
            assert_eq!(found.len() as u64, table.positions(), "{game} {length}");

            // `--text` writes positions in the form that `query` reads.
            let texts = folder.text(&format!("{export} --text"));
            assert_eq!(texts.lines().count(), csv.lines().count());
            for (line, other) in texts.lines().zip(csv.lines()).skip(1) {
                let (position, value) = line.rsplit_once(',').expect("two columns");
                let position = game.parse(position.trim_matches('"')).expect("a position");
                assert_eq!(value, oracle.text(&position), "{game} {position}");
                assert_eq!(other.rsplit_once(',').expect("columns").1, value);
            }
            if !game.is_unordered() || game.remembers() == Remembers::Moves {
                continue;
            }
            let csv = folder.text(&format!("{export} --all-orders"));
            for (position, value, line) in lines(game, &csv) {
                assert_eq!(value, oracle.text(&position), "{game} {line}");
            }
            let moves = if game.remembers() == Remembers::Numbers { 5 } else { 1 };
            assert_eq!(csv.lines().count(), 1 + 4usize.pow(length as u32) * moves, "{game}");
        }
    }
}

/// Prints the entries of the dictionary in a file as lines of csv.
const PYTHON: &str = "import sys\n\
                      for key, value in eval(open(sys.argv[1]).read()).items():\n    \
                      key = key if isinstance(key, tuple) else (key,)\n    \
                      print(*key, value, sep=',')";
const PARI: &str = "m = Mat(read(\"out\"));\n\
                    name(key) = if(type(key) == \"t_VEC\", strjoin([Str(x) | x <- key], \",\"), key);\n\
                    for(i = 1, #m~, print(name(m[i,1]), \",\", m[i,2]))\n";

/// Sage writes dictionaries as Python does. The other dictionaries differ only in punctuation.
#[test]
fn dictionaries_have_the_entries_of_csv() {
    let Some(python) = python("sys") else { return };
    let folder = Folder::new();
    let gp = |script: &str| {
        std::fs::write(folder.at("script.gp"), script).expect("a script");
        Command::new("gp").current_dir(folder.at("")).args(["-q", "-f", "script.gp"]).output()
    };
    let has_pari = gp("quit\n").is_ok();
    assert!(has_pari || std::env::var_os("CI").is_none(), "there is no gp");
    let own = rulesets::names().into_iter().filter(|name| name.starts_with("ch"));
    let names = games::GAMES.iter().map(|game| game.id()).chain(own);
    for (name, length) in names.flat_map(|name| [(name, 1), (name, 2), (name, 3)]) {
        let export = format!("export {name} --max-pile 3 --length {length} --format");
        let csv = folder.run(&format!("{export} csv"));
        let text = folder.run(&format!("{export} csv --text")).stdout;
        let is_text = name == "long-global-nim";
        let csv = String::from_utf8(if is_text { text } else { csv.stdout }).expect("text");
        let records = name == "short-global-nim" && length == 1;
        let line = |line: &str| match records {
            true => line.split(',').take(2).collect::<Vec<_>>().join(","),
            false => line.replace('"', ""),
        };
        let mut lines: Vec<String> = csv.lines().skip(1).map(line).collect();
        lines.sort();
        for format in ["sage", "pari", "mathematica"] {
            if lines.is_empty() || format == "pari" && !has_pari {
                continue;
            }
            let mut text = folder.text(&format!("{export} {format}"));
            if format == "mathematica" {
                text = text.replace("<|", "<").replace("|>", ">").replace('{', "(");
                text = text.replace('}', ")").replace(" -> ", ": ");
                text = text.replace('<', "{").replace('>', "}");
            }
            std::fs::write(folder.at("out"), &text).expect("a file");
            let read = match format {
                "pari" => gp(&format!("{PARI}quit\n")),
                _ => Command::new(&python).args(["-c", PYTHON]).arg(folder.at("out")).output(),
            };
            let read = String::from_utf8(read.expect("it runs").stdout).expect("text");
            let mut read: Vec<String> = read.lines().map(str::to_owned).collect();
            if is_text && format == "mathematica" {
                read.iter_mut().for_each(|line| *line = line.replace('(', "{").replace(')', "}"));
            }
            read.sort();
            assert_eq!(read, lines, "{name} {length} {format}");
        }
    }
}

/// Values, classes and remoteness agree with the reference. datapackage.json describes the files.
#[test]
fn data_sets_are_small_and_right() {
    let folder = Folder::new();
    let some = ["nim", "misere-nim", "short-global-nim", "long-global-nim", "partizan-end-nim"];
    for name in some.into_iter().chain(["grundys-game", "welter", "silver-dollar-3"]) {
        let made = folder.json(&format!("dataset {name} --out {name}")).remove(0);
        let files = made["files"].as_object().expect("files");
        let bytes: u64 = files.values().map(|bytes| bytes.as_u64().expect("bytes")).sum();
        assert!(bytes < 1_000_000, "{name}: {bytes}");
        let read =
            |file: &str| String::from_utf8(folder.read(&format!("{name}/{file}"))).expect("text");
        let readme = read("README.md");
        for heading in ["\n## Completeness\n", "\n## Reliability\n", "\n## Source\n"] {
            assert!(readme.contains(heading), "{readme}");
        }
        let package: serde_json::Value =
            serde_json::from_str(&read("datapackage.json")).expect("JSON");
        for file in package["resources"].as_array().expect("resources") {
            let text = read(file["path"].as_str().expect("a path"));
            let fields = file["schema"]["fields"].as_array().expect("fields").iter();
            let fields: Vec<_> = fields.map(|field| field["name"].as_str().unwrap_or("")).collect();
            assert_eq!(text.lines().next(), Some(&*fields.join(",")), "{name}");
            assert_eq!(file["bytes"], text.len(), "{name}");
        }
        let game = grundy::game(name).expect("a game");
        let mut oracle = Oracle::new(game);
        let mut lasting = remoteness_form(game).ok().map(Reference::new);
        let mut known = 0;
        for line in read("p-positions.csv").lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let &[_, length, ref columns @ .., _, "P", remoteness] = &cells[..] else {
                panic!("{line}")
            };
            let length: usize = length.parse().expect("a number");
            let has_memory = usize::from(game.remembers() != Remembers::Nothing);
            let memory = &columns[columns.len() - has_memory..];
            let at = position(game, &[&columns[..length], memory].concat());
            // Compare only small positions, because the reference is slow.
            if at.coins() < 24 && length < 4 {
                assert!(["0", "P"].contains(&&*oracle.text(&at)), "{name} {at}");
                known += 1;
                if !remoteness.is_empty() {
                    let expected = lasting.as_mut().map(|of| of.value(&at).to_string());
                    assert_eq!(Some(remoteness), expected.as_deref(), "{name} {at}");
                }
            }
        }
        assert!(known > 5, "{name}: {known}");
    }
    // Six coins in two piles have the value 4. The first single pile with this value has 7 coins.
    let firsts = String::from_utf8(folder.read("short-global-nim/first-values.csv")).expect("text");
    assert!(firsts.contains("\nshort-global-nim,2,1,5,,,0,4,N,3\n"), "{firsts}");
    folder.refused("dataset nim --out nim", 2);
    let last = folder.path().join("nim/datapackage.json");
    std::fs::remove_file(&last).expect("a description");
    folder.text("dataset nim --out nim");
    assert!(last.exists());
}

/// Prints the type, the shape, and all numbers of an array.
const READ: &str = "import sys, numpy\n\
                    a = numpy.load(sys.argv[1])\n\
                    print(a.dtype.str, *a.shape)\n\
                    print(*a.ravel().tolist())";

/// Returns an array as NumPy reads it: its type, its shape and its numbers.
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
    let Some(python) = python("numpy") else { return };
    let folder = Folder::after("build --max-pile 5 --length 3 --heap 9");
    std::fs::create_dir(folder.at("none")).expect("a folder");
    let file = folder.at("values.npy");
    for game in games::GAMES {
        for (length, db) in [(1usize, "db"), (2, "db"), (3, "db"), (3, "none")] {
            let export =
                format!("export {game} --max-pile 5 --length {length} --db {db} --format npy");
            folder.text(&format!("{export} -o values.npy"));
            // Separate code writes to a pipe. If memory is short, this code writes slab by slab.
            for memory in ["4G", "512"] {
                if memory == "4G" || game == games::END_NIM && db == "none" {
                    let piped = folder.run(&format!("{export} --memory {memory}")).stdout;
                    assert_eq!(piped, folder.read("values.npy"), "{game} {length}");
                }
            }
            let (kind, shape, numbers) = read(&python, &file);
            if game == games::LONG_GLOBAL_NIM || game == games::SHORT_GLOBAL_NIM && length == 1 {
                assert_eq!(shape.len(), 1, "{game}");
                continue;
            }
            assert_eq!(kind, "|u1", "{game}");
            let mut expected = vec![5; length];
            expected.extend((game.remembers() == Remembers::Numbers).then_some(6));
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
                let shown = match game.is_impartial() {
                    true => number.to_string(),
                    false => Outcome::ALL[*number as usize].to_string(),
                };
                assert_eq!(shown, oracle.text(&position), "{game} {position}");
            }
        }
    }
    // Read the tile of a middle, and values larger than a byte.
    folder.text("export end-nim --middle 4 --max-pile 9 --format npy -o values.npy");
    let (kind, shape, numbers) = read(&python, &file);
    assert_eq!((kind.as_str(), &shape[..]), ("|u1", &[9, 9][..]));
    let mut reference = Reference::new(games::END_NIM);
    for (at, number) in numbers.into_iter().enumerate() {
        let position = Position::row(&[at as u32 / 9 + 1, 4, at as u32 % 9 + 1]);
        assert_eq!(number, reference.value(&position), "{position}");
    }
    folder.text("export end-nim --max-pile 300 --format npy -o values.npy");
    let (kind, _, numbers) = read(&python, &file);
    assert_eq!(kind, "<u2");
    let nim = (0..300u32).flat_map(|a| (0..300u32).map(move |b| (a + 1) ^ (b + 1)));
    assert!(numbers.into_iter().eq(nim));
}

/// Returns the decompressed pixels of a picture.
fn pixels(file: &Path) -> Vec<u8> {
    let bytes = std::io::BufReader::new(File::open(file).expect("a picture"));
    let mut reader = png::Decoder::new(bytes).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a small picture")];
    reader.next_frame(&mut pixels).expect("pixels");
    pixels
}

/// The pictures in the documents were checked by eye: letters, axes, points and colours.
#[test]
fn the_pictures_of_the_documents_are_drawn_again() {
    let pictures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
    let folder = Folder::new();
    for (name, drawn) in [
        ("short-global-nim.png", "short-global-nim --to 5000"),
        ("end-nim-a-4-b.png", "end-nim --middle 4 --max-pile 256"),
        ("end-nim-a-4-b-differences.png", "end-nim --middle 4 --max-pile 256 --differences"),
    ] {
        folder.text(&format!("plot {drawn} {name}"));
        assert!(pixels(&folder.at(name)) == pixels(&pictures.join(name)), "{name}");
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn without_parquet_its_feature_is_named() {
    let export = "export end-nim --max-pile 3 --format parquet -o x.parquet";
    assert!(Folder::new().refused(export, 2).contains("--features parquet"));
}

/// Parquet files, read by pyarrow, have the same columns as csv.
#[cfg(feature = "parquet")]
#[test]
fn parquet_has_the_columns_of_csv() {
    const READ: &str = "import sys, pyarrow.parquet as parquet\n\
                        t = parquet.read_table(sys.argv[1])\n\
                        print(*t.column_names, sep=',')\n\
                        for row in zip(*(c.to_pylist() for c in t.columns)): print(*row, sep=',')";
    let Some(python) = python("pyarrow") else { return };
    let folder = Folder::new();
    for game in ["end-nim", "nim", "end-wythoff"] {
        let export = format!("export {game} --max-pile 9 --length 3 --format");
        folder.text(&format!("{export} parquet -o values.parquet"));
        let mut read = Command::new(&python);
        let read = read.args(["-c", READ]).arg(folder.at("values.parquet")).output();
        let csv = folder.text(&format!("{export} csv"));
        let read = read.expect("it starts").stdout;
        assert_eq!(String::from_utf8_lossy(&read), csv, "{game}");
    }
}
