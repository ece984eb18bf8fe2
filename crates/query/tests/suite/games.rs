//! Tests tables of every game, with right and wrong values, and the limits of answers.

use std::sync::atomic::{AtomicU64, Ordering};

use grundy_builder::Request;
use grundy_query::{Database, Effort, Limit, Limits, Problem, QueryError, SolveError, Source};
use grundy_rules::{Game, Pile, Remembers, Table, games};
use grundy_sweep::{Control, MemoryLimit};
use grundy_testing::database::spoil;
use tempfile::TempDir;

use crate::common::{FULL, QUICK, checked, database, open};

/// Builds tables of a game: rows up to `max_pile` and `length`, and single piles up to `single`.
fn stored(game: Game, max_pile: Pile, length: usize, single: Pile) -> (TempDir, Database) {
    let request = Request::new(vec![game], max_pile);
    database(Request { length: Some(length), single: Some(single), literally: true, ..request })
}

/// Answers and moves return the errors of solvers, with their estimates. The limits, the clock and
/// the watch function reach the solvers.
#[test]
fn solvers_get_limits_a_clock_and_a_watch_function() {
    static HOURS: AtomicU64 = AtomicU64::new(0);
    static WATCHED: AtomicU64 = AtomicU64::new(0);
    let refused = |db: Database, game: Game, text: &str| {
        let position = game.parse(text).unwrap();
        assert!(matches!(db.moves(game, &position), Err(QueryError::Solve(_))), "{position}");
        match db.answer(game, &position).unwrap_err() {
            QueryError::Solve(error) => error,
            error => panic!("{position}: {error}"),
        }
    };
    let within = |memory, seconds| {
        Database::empty_within(Limits { memory: MemoryLimit::new(memory), seconds })
    };
    let text = refused(within(1 << 20, 1.0), games::MISERE_NIM, "500,500,500,500").to_string();
    let named = "500,500,500,500 is too large to compute here: about ";
    assert!(text.starts_with(named), "{text}");
    let game = games::LONG_GLOBAL_NIM;
    let limit = |db| match refused(db, game, "60,60") {
        SolveError::Unfinished { limit, .. } => limit,
        error => panic!("{error:?}"),
    };
    // This small memory is full within seconds. But each reading advances this clock by an hour, so
    // the time limit is reached first.
    assert_eq!(limit(within(1 << 22, 1e6)), Limit::Memory);
    assert_eq!(limit(within(4 << 30, 0.1)), Limit::Seconds);
    let hours = || HOURS.fetch_add(1, Ordering::Relaxed) as f64 * 3600.0;
    assert_eq!(limit(within(1 << 22, 5000.0).clocked(hours)), Limit::Seconds);
    // The work takes long enough for several calls of the watch function.
    let watch = |_: &Effort| WATCHED.fetch_add(1, Ordering::Relaxed) < 3;
    let error = refused(within(1 << 22, 1e9).clocked(hours).watched(watch), game, "60,60");
    assert!(matches!(error, SolveError::Stopped { .. }), "{error:?}");
    assert!(WATCHED.load(Ordering::Relaxed) > 3);
}

/// Tests a shard with a wrong value whose checksums and digest in the manifest are right.
#[test]
fn verify_finds_a_wrong_value() {
    // A case is a table, a flag that is true if the database stores only values, the index of a
    // byte, and the change of this byte.
    let mut cases: Vec<(Game, Pile, usize, bool, usize, u8)> = Vec::new();
    for game in Game::all().filter(|game| game.remembers() == Remembers::Nothing) {
        let table = Table::new(game, 6, 3).unwrap();
        let wrong = 2 * (table.cells() as usize * table.value_bytes() / 4);
        cases.push((game, 6, 3, false, wrong, 1));
    }
    // Four changes of records of 64 numbers: a value that is slightly wrong; an impossible value;
    // too many exceptions; and a wrong row that only a sample checks.
    for byte in [64 * 33 * 4 + 12, 64 * 33 * 4 + 15, 64 * 33 * 4 + 3, 64 * 1100 * 4 + 8] {
        cases.push((games::SHORT_GLOBAL_NIM, 6, 1, false, byte, 1));
    }
    cases.push((games::SHORT_GLOBAL_NIM, 6, 1, false, 64 * 40 * 4 + 7, 1));
    cases.push((games::SHORT_GLOBAL_NIM, 6, 1, true, 500 * 4, 1));
    cases.push((games::SHORT_GLOBAL_NIM, 6, 1, true, 1150 * 4 + 3, 1));
    cases.push((games::SHORT_GLOBAL_NIM, 6, 2, false, 60, 1));
    for (length, byte) in [(1, 4 * 300 + 1), (1, 0), (1, 4 * 7 + 3), (2, 77)] {
        cases.push((games::LONG_GLOBAL_NIM, 12, length, false, byte, 4));
    }
    for (game, max_pile, length, values_only, byte, bits) in cases {
        let request = Request::new(vec![game], max_pile);
        let (length, single) = (Some(length), Some(1200));
        let (folder, db) =
            database(Request { length, single, values_only, literally: true, ..request });
        let stored = db.tables().iter().find(|stored| Some(stored.table().length()) == length);
        let table = stored.unwrap().table().clone();
        drop(db);
        spoil(folder.path(), &table, byte, |byte| byte ^ bits);
        let db = open(folder.path());
        let problems = checked(&db, &FULL).problems;
        let [Problem::Value { position, .. }] = &problems[..] else {
            panic!("{table}: {problems:?}");
        };
        if game.remembers() == Remembers::Nothing {
            // The sample of such a small table has all values.
            assert_eq!(checked(&db, &QUICK).problems.len(), 1, "{table}");
            // The report names the wrong value itself, or the first position that leads to it.
            let number = table.number(&game.parse(position).unwrap()).unwrap();
            assert!(number >= (byte / table.value_bytes()) as u64, "{table} {position}");
        }
    }
}

/// Rows and records are checked before they are returned.
#[test]
fn invalid_rows_and_records_are_refused() {
    let db = Database::empty();
    assert!(matches!(db.row(games::NIM, &[3, 0], 2), Err(QueryError::Position(_))));
    assert!(matches!(db.tile(games::NIM, &[0], 2), Err(QueryError::Position(_))));
    let error = db.each_record(games::NIM, 9, |_, _| true).unwrap_err();
    assert!(matches!(error, QueryError::NoRecords { game: "nim" }), "{error}");
}

/// If many positions are in no table, their whole level is computed. The values stay the same.
/// Tables are used first. The level is computed even if one position is large.
#[test]
fn many_positions_are_answered_by_their_level() {
    for game in [games::MISERE_END_NIM, games::END_WYTHOFF, games::MISERE_NIM] {
        let length = if game == games::MISERE_END_NIM { 3 } else { 2 };
        let mut piles: Vec<Pile> = (0..3000 * length as Pile).map(|at| 1 + at * at % 47).collect();
        piles.extend([1, 200, 3].iter().rev().take(length));
        let (bulk, one) = (Database::empty(), Database::empty());
        let found = bulk.answers(game, length, &piles, &Control::new(), |answer| answer).unwrap();
        for (piles, found) in piles.chunks_exact(length).zip(found).step_by(37) {
            let expected = one.answer(game, piles).unwrap();
            assert_eq!((found.value, found.source), (expected.value, expected.source), "{piles:?}");
        }
    }
    let (_folder, database) = stored(games::MISERE_END_NIM, 4, 3, 4);
    let piles: Vec<Pile> = (0..9000).map(|at| 1 + at * at % 41).collect();
    let found = database.answers(games::MISERE_END_NIM, 3, &piles, &Control::new(), |a| a.source);
    for (piles, source) in piles.chunks_exact(3).zip(found.unwrap()) {
        let is_held = piles.iter().all(|&pile| pile <= 4);
        assert_eq!(source == Source::Table, is_held, "{piles:?}");
    }
}
