//! Answers from whole, partial, missing and damaged databases.

use std::fs;
use std::path::Path;

use grundy_builder::{Plan, Request, build, manifest};
use grundy_kernels::Isa;
use grundy_query::{
    Database, Limit, Limits, Problem, QueryError, SolveError, Source, Verification, verify,
};
use grundy_rules::reference::Reference;
use grundy_rules::{Pile, Position, Table, games, lex_word};
use grundy_shard::manifest::{Manifest, hex};
use grundy_shard::{Decoder, Encoder, Shard};
use grundy_solvers::Stored;
use grundy_sweep::{Control, Histogram, Ladder, sweep};
use proptest::prelude::*;
use tempfile::TempDir;

fn database(max_pile: Pile, length: usize) -> (TempDir, Database) {
    let folder = tempfile::tempdir().unwrap();
    let games = games::END_NIM_GAMES.to_vec();
    let request = Request { length: Some(length), ..Request::new(games, max_pile) };
    let plan = Plan::new(request, &manifest(folder.path()).unwrap()).unwrap();
    build(&plan, folder.path(), &Control::new(), |_| ()).unwrap();
    let opened = open(folder.path());
    (folder, opened)
}

fn open(folder: &Path) -> Database {
    Database::open(folder, Limits::default()).unwrap()
}

const QUICK: Verification = Verification { full: false, part: None };
const FULL: Verification = Verification { full: true, part: None };

#[test]
fn whole_tables_hold_the_reference_values() {
    let (_folder, db) = database(5, 5);
    for game in games::END_NIM_GAMES {
        let mut reference = Reference::new(game);
        for length in 1..=5 {
            let mut piles = vec![0; length];
            for index in 0..5u64.pow(length as u32) {
                lex_word(index, 5, &mut piles);
                let position = Position::new(piles.clone()).unwrap();
                let answer = db.answer(game, &position).unwrap();
                assert_eq!(answer.value, Some(reference.value(&position)), "{game} {position}");
                assert_eq!(answer.source, Source::Table);
            }
        }
    }
}

/// Two-byte values, and frames that end inside a shard.
#[test]
fn two_byte_tables() {
    let (_folder, db) = database(130, 3);
    for game in games::END_NIM_GAMES {
        let table = Table::new(game, 130, 3).unwrap();
        assert_eq!(db.table(&table).unwrap().entry().value_bytes, 2);
        let mut reference = Reference::new(game);
        for piles in [[130, 1, 130], [129, 2, 7], [3, 130, 128], [5, 128, 4]] {
            let position = Position::new(piles.to_vec()).unwrap();
            let answer = db.answer(game, &position).unwrap();
            let expected = (Some(reference.value(&position)), Source::Table);
            assert_eq!((answer.value, answer.source), expected);
        }
    }
    let checked = verify(&db, FULL, &Control::new());
    assert!(checked.problems.is_empty(), "{:?}", checked.problems);
    assert_eq!(checked.derived, checked.values);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Any position: inside the tables, above them, wider than them, from nothing.
    #[test]
    fn any_position_has_its_reference_value(
        game in prop::sample::select(&games::END_NIM_GAMES[..]),
        piles in prop::collection::vec(1u32..=7, 1..=6),
    ) {
        thread_local! {
            static DB: (TempDir, Database) = database(5, 3);
        }
        let position = Position::new(piles.clone()).unwrap();
        let expected = Some(Reference::new(game).value(&position));
        let (stored, computed) = DB.with(|(folder, db)| {
            let empty = open(&folder.path().join("nothing-here"));
            (db.answer(game, &position).unwrap(), empty.answer(game, &position).unwrap())
        });
        prop_assert_eq!(stored.value, expected);
        prop_assert_eq!(computed.value, expected);
        prop_assert_eq!(computed.source, Source::Computed);
        let fits = piles.len() <= 3 && piles.iter().all(|&pile| pile <= 5);
        prop_assert_eq!(stored.source == Source::Table, fits);
    }

    #[test]
    fn moves_lead_to_the_values_of_their_options(
        game in prop::sample::select(&games::END_NIM_GAMES[..]),
        piles in prop::collection::vec(1u32..=6, 1..=5),
    ) {
        thread_local! {
            static DB: (TempDir, Database) = database(5, 4);
        }
        let position = Position::new(piles).unwrap();
        let found = DB.with(|(_, db)| db.moves(game, &position).unwrap());
        let mut reference = Reference::new(game);
        prop_assert_eq!(found.answer.value, Some(reference.value(&position)));
        let mut values = Vec::new();
        for (m, answer) in &found.moves {
            let value = reference.value(&m.option);
            prop_assert_eq!(answer.value, Some(value), "{}", &m.option);
            values.push(value);
        }
        prop_assert_eq!(Some(grundy_rules::mex(values)), found.answer.value);
    }
}

#[test]
fn sources_are_told_apart() {
    let (_folder, db) = database(5, 3);
    let source = |text: &str| {
        db.answer(games::END_NIM, &games::END_NIM.parse(text).unwrap()).unwrap().source
    };
    assert_eq!(source("5,5,5"), Source::Table);
    assert_eq!(source("5,5,5,5"), Source::TableAndComputed);
    assert_eq!(source("6,5,5"), Source::TableAndComputed);
    assert_eq!(source("6,7"), Source::Computed);
    assert_eq!(source("()"), Source::Computed);
}

#[test]
fn what_is_too_large_is_refused_with_the_estimate() {
    let folder = tempfile::tempdir().unwrap();
    let answer = |limits: Limits, piles: Vec<Pile>| {
        let db = Database::open(folder.path(), limits).unwrap();
        db.answer(games::END_NIM, &Position::new(piles).unwrap())
    };
    let limits = Limits::default();
    match answer(limits, vec![10_000; 200]) {
        Err(QueryError::Solve(SolveError::TooLarge { work, limit, .. })) => {
            assert_eq!(limit, Limit::Seconds);
            assert!(work.cells > 1e12);
        }
        other => panic!("{other:?}"),
    }
    match answer(Limits { seconds: f64::MAX, ..limits }, vec![900_000_000; 3]) {
        Err(QueryError::Solve(SolveError::TooLarge { limit, .. })) => {
            assert_eq!(limit, Limit::Memory);
        }
        other => panic!("{other:?}"),
    }
    let wide: Vec<Pile> = (0..200).map(|at| 1 + at * 7 % 31).collect();
    assert!(answer(limits, wide).is_ok());
}

#[test]
fn the_other_misere_convention() {
    let (_folder, db) = database(5, 3);
    for (text, expected) in [("1", 0), ("1,1", 1), ("1,1,1", 0), ("1,2", 3), ("2,1,1", 3)] {
        let position = games::MISERE_END_NIM.parse(text).unwrap();
        let normal = Reference::new(games::END_NIM).value(&position);
        let found = db.other_misere_value(games::MISERE_END_NIM, &position).unwrap().unwrap();
        let swapped = if text.bytes().all(|byte| byte == b'1' || byte == b',') { 1 } else { 0 };
        assert_eq!(found, normal ^ swapped);
        if swapped == 1 {
            assert_eq!(found, expected, "{text}");
        }
    }
}

#[test]
fn scanning_a_table_sees_what_a_sweep_sees() {
    let (_folder, db) = database(12, 5);
    for game in games::END_NIM_GAMES {
        for length in 1..=5 {
            let table = Table::new(game, 12, length).unwrap();
            let control = Control::new();
            let mut ladder = Ladder::<u8>::new(game, 12, Isa::Portable);
            ladder.extend(2, &control).unwrap();
            let computed = sweep(&ladder, &table, &control, &Histogram);
            let stored = db.table(&table).unwrap();
            let read = (stored as &dyn Stored)
                .scan::<u8, _>(0..stored.frames(), &control, &Histogram)
                .unwrap();
            assert_eq!(read, computed);
        }
    }
}

/// Whatever byte is wrong: an error, or the right value. Never a wrong one.
#[test]
fn a_flipped_byte_never_gives_a_wrong_value() {
    let (folder, db) = database(9, 4);
    let table = Table::new(games::END_NIM, 9, 4).unwrap();
    let path = db.table(&table).unwrap().shard_path(0);
    let right: Vec<Option<u32>> = (0..table.cells())
        .step_by(97)
        .map(|at| db.answer(games::END_NIM, &table.position(at).unwrap()).unwrap().value)
        .collect();
    drop(db);
    let bytes = fs::read(&path).unwrap();
    let mut errors = 0;
    for at in (0..bytes.len()).step_by(41) {
        let mut spoilt = bytes.clone();
        spoilt[at] ^= 1 << (at % 8);
        fs::remove_file(&path).unwrap();
        fs::write(&path, spoilt).unwrap();
        let db = open(folder.path());
        for (sample, &expected) in right.iter().enumerate().step_by(7) {
            let position = table.position(sample as u64 * 97).unwrap();
            match db.answer(games::END_NIM, &position) {
                Ok(answer) => assert_eq!(answer.value, expected, "byte {at}"),
                Err(QueryError::Damaged { path: named, .. }) => {
                    assert_eq!(named, path);
                    errors += 1;
                }
                Err(error) => panic!("byte {at}: {error}"),
            }
        }
        let checked = verify(&db, QUICK, &Control::new());
        assert!(!checked.problems.is_empty(), "verify missed byte {at}");
    }
    assert!(errors > 0);
    for cut in [0, 1, 20, bytes.len() / 2, bytes.len() - 1] {
        fs::remove_file(&path).unwrap();
        fs::write(&path, &bytes[..cut]).unwrap();
        let position = table.position(5).unwrap();
        let error = open(folder.path()).answer(games::END_NIM, &position).unwrap_err();
        assert!(matches!(error, QueryError::Damaged { .. }), "{cut}: {error}");
    }
    fs::remove_file(&path).unwrap();
    let error = open(folder.path()).answer(games::END_NIM, &table.position(5).unwrap());
    assert!(matches!(error, Err(QueryError::Open { .. })));
}

#[test]
fn a_shard_of_another_table_is_refused() {
    let (folder, db) = database(9, 4);
    let shard = |game| db.table(&Table::new(game, 9, 4).unwrap()).unwrap().shard_path(0);
    fs::copy(shard(games::LOOP_END_NIM), shard(games::END_NIM)).unwrap();
    let fresh = open(folder.path());
    let error =
        fresh.answer(games::END_NIM, &games::END_NIM.parse("1,2,3,4").unwrap()).unwrap_err();
    assert!(matches!(error, QueryError::Foreign { what: "table", .. }), "{error}");
}

/// A table that is sound to the last checksum and digest, with one value that the
/// rules contradict: only deriving values again can notice.
#[test]
fn verify_notices_a_wrong_value_under_right_checksums() {
    let (folder, db) = database(9, 3);
    let table = Table::new(games::END_NIM, 9, 3).unwrap();
    let path = db.table(&table).unwrap().shard_path(0);
    assert!(verify(&db, FULL, &Control::new()).problems.is_empty());

    let shard = Shard::open(fs::read(&path).unwrap()).unwrap();
    let mut values = vec![0; shard.description().frame_len(0)];
    shard.decode_frame(0, &mut Decoder::new(), &mut values).unwrap();
    let offset = table.number(&Position::row(&[3, 4, 5])).unwrap();
    values[offset as usize] += 1;
    let mut encoder = Encoder::new(1);
    encoder.begin(shard.description().clone()).unwrap();
    encoder.push_frame(&values).unwrap();
    let forged = encoder.finish().unwrap();
    fs::remove_file(&path).unwrap();
    fs::write(&path, &forged.bytes).unwrap();
    let mut listed = Manifest::read(folder.path()).unwrap().unwrap();
    let entry = listed.tables.get_mut(&table.to_string()).unwrap();
    entry.shards[0].bytes = forged.bytes.len() as u64;
    entry.shards[0].blake3 = hex(&forged.digest);
    listed.publish(folder.path()).unwrap();

    let checked = verify(&open(folder.path()), QUICK, &Control::new());
    match &checked.problems[..] {
        [Problem::Value { position, .. }] => assert_eq!(position, "3,4,5"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn verify_in_parts_sees_every_shard_once() {
    let (_folder, db) = database(5, 4);
    let all = verify(&db, QUICK, &Control::new()).shards;
    let parts: u64 = (1..=5)
        .map(|n| verify(&db, Verification { full: false, part: Some((n, 5)) }, &Control::new()))
        .map(|checked| checked.shards)
        .sum();
    assert_eq!(parts, all);
}

#[test]
fn another_format_version_is_refused() {
    let (folder, _db) = database(4, 2);
    let path = folder.path().join("manifest.json");
    let text = fs::read_to_string(&path).unwrap().replace("\"format\": 1", "\"format\": 99");
    fs::write(&path, text).unwrap();
    let error = Database::open(folder.path(), Limits::default()).unwrap_err();
    assert!(error.to_string().contains("format version 99"), "{error}");
}

/// Numbers that lookups would divide by or index with are checked when it is opened.
#[test]
fn a_manifest_that_contradicts_itself_is_refused() {
    let (folder, _db) = database(4, 3);
    let path = folder.path().join("manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    let member = |name: &str| {
        let line = text.lines().rfind(|line| line.contains(name)).unwrap();
        line.trim().trim_end_matches(',').to_owned()
    };
    for name in ["tiles_per_frame", "tiles_per_shard", "tile_rows", "value_bytes", "tiles"] {
        let spoilt = text.replace(&member(&format!("\"{name}\"")), &format!("\"{name}\": 0"));
        assert_ne!(spoilt, text);
        fs::write(&path, spoilt).unwrap();
        let error = Database::open(folder.path(), Limits::default()).unwrap_err();
        assert!(matches!(error, QueryError::Entry { .. }), "{name}: {error}");
    }
}

/// With room for the shorter tables alone, a table asked at random is computed from
/// them after a while; the values stay those of the table.
#[test]
fn a_large_table_asked_at_random_is_computed() {
    let (folder, all) = database(32, 5);
    let table = Table::new(games::LOOP_END_NIM, 32, 5).unwrap();
    // Lengths 1 to 4 of three games fit into half of this, length 5 does not.
    let limits = Limits { memory: 4 << 20, ..Limits::default() };
    let little = Database::open(folder.path(), limits).unwrap();
    assert!(!little.table(&table).unwrap().is_resident());
    assert!(all.table(&table).unwrap().is_resident());
    let mut sources = Vec::new();
    for at in 0..1000u64 {
        let offset = at * 2_654_435_761 % table.cells();
        let position = table.position(offset).unwrap();
        let (found, expected) = (
            little.answer(games::LOOP_END_NIM, &position).unwrap(),
            all.answer(games::LOOP_END_NIM, &position).unwrap(),
        );
        assert_eq!(found.value, expected.value, "{position}");
        assert_eq!(expected.source, Source::Table);
        sources.push(found.source);
    }
    assert_eq!(sources[0], Source::Table);
    assert!(sources.contains(&Source::TableAndComputed));
}
