//! Answers about every game: from tables, beyond them, from nothing, and from tables that are wrong.

use grundy_builder::Request;
use grundy_kernels::Isa;
use grundy_query::{Answer, Database, Limit, Limits, Problem, QueryError, SolveError, Source};
use grundy_rules::reference::Reference;
use grundy_rules::{Game, Outcome, Pile, Position, Remembers, Table, games, nim_sum};
use grundy_sweep::MemoryLimit;
use grundy_testing::database::spoil;
use grundy_testing::oracle::{Oracle, each_position};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::common::{FULL, QUICK, checked, database, open, sound};

/// Tables of one game of exactly these sizes.
fn stored(game: Game, max_pile: Pile, length: usize, single: Pile) -> (TempDir, Database) {
    let request = Request::new(vec![game], max_pile);
    database(Request { length: Some(length), single: Some(single), literally: true, ..request })
}

/// An answer is what the rules say.
#[track_caller]
fn agrees(oracle: &mut Oracle, position: &Position, answer: &Answer) {
    assert_eq!(answer.value, oracle.value(position), "{position}");
    if let Some(class) = oracle.class(position) {
        assert_eq!(answer.outcome, class, "{position}");
    }
}

/// Every position of the tables, of piles in every order; from tables and from nothing.
#[test]
fn whole_tables_hold_what_the_rules_say() {
    let mut sizes: Vec<(Game, Pile, usize)> = Vec::new();
    for game in Game::all() {
        match game.remembers() {
            Remembers::Moves => {
                let all = [(1, 1), (3, 1), (4, 1), (12, 1), (7, 2), (5, 3), (4, 4)];
                sizes.extend(all.map(|(max_pile, length)| (game, max_pile, length)));
            }
            Remembers::LastMove => sizes.extend([(game, 6, 3), (game, 40, 1)]),
            Remembers::Nothing => sizes.extend([(game, 5, 5), (game, 4, 3)]),
        }
    }
    for (game, max_pile, length) in sizes {
        let (_folder, db) = stored(game, max_pile, length, 40);
        let nothing = Database::empty();
        let mut oracle = Oracle::new(game);
        let mut count = 0;
        each_position(game, max_pile, length, |position| {
            let answer = db.answer(game, &position).unwrap();
            agrees(&mut oracle, &position, &answer);
            assert_eq!(answer.source, Source::Table, "{position}");
            count += 1;
            if count % 5 == 0 {
                let answer = nothing.answer(game, &position).unwrap();
                agrees(&mut oracle, &position, &answer);
                assert_eq!(answer.source, Source::Computed, "{position}");
            }
        });
        if game.remembers() != Remembers::LastMove {
            let table = db.tables().iter().find(|stored| stored.table().length() == length);
            assert_eq!(table.unwrap().table().positions(), count);
        }
        let checked = sound(&db, &FULL);
        if game.remembers() == Remembers::Nothing {
            assert_eq!(checked.derived, checked.values);
        }
        assert!(checked.derived > 0);
        sound(&db, &QUICK);
    }
}

/// Two-byte values, in tiles and in multisets, and frames that end inside a shard.
#[test]
fn wide_tables_answer() {
    for (game, max_pile, positions) in [
        (games::END_NIM, 130, ["130,1,130", "129,2,7", "3,130,128", "5,128,4"]),
        (games::MISERE_END_NIM, 130, ["130,1,130", "129,2,7", "3,130,128", "5,128,4"]),
        (games::LOOP_END_NIM, 130, ["130,1,130", "129,2,7", "3,130,128", "5,128,4"]),
        (games::MISERE_NIM, 300, ["300,300", "1,300", "7,255", "256,299"]),
    ] {
        let length = positions[0].split(',').count();
        let (_folder, db) = stored(game, max_pile, length, 1);
        let table = Table::new(game, max_pile, length).unwrap();
        assert_eq!(db.table(&table).unwrap().entry().value_bytes, 2);
        let nothing = Database::empty();
        for position in positions.map(|text| game.parse(text).unwrap()) {
            let answer = db.answer(game, &position).unwrap();
            let computed = nothing.answer(game, &position).unwrap();
            assert_eq!((answer.source, computed.source), (Source::Table, Source::Computed));
            assert_eq!(answer.value, computed.value);
            if length == 3 {
                agrees(&mut Oracle::new(game), &position, &answer);
            }
        }
        let checked = sound(&db, &FULL);
        assert_eq!(checked.derived, checked.values);
    }
}

/// Piles up to 6, and what is remembered of the moves.
fn any_position() -> impl Strategy<Value = (Game, Position)> {
    let games: Vec<Game> = Game::all().collect();
    let piles = prop::collection::vec(1u32..=6, 1..=5);
    (prop::sample::select(games), piles, 1u32..=7, any::<u64>()).prop_map(
        |(game, piles, last, set)| {
            let text = piles.iter().map(Pile::to_string).collect::<Vec<_>>().join(",");
            let largest = piles.into_iter().max().unwrap_or(0);
            let moves = (1..=largest).filter(|taken| set >> taken & 1 == 1);
            let more = match game.remembers() {
                Remembers::Nothing => String::new(),
                Remembers::LastMove => format!("/{last}"),
                Remembers::Moves => {
                    let moves: Vec<String> = moves.map(|taken| taken.to_string()).collect();
                    format!("{{{}}}", moves.join(","))
                }
            };
            let position = game.parse(&format!("{text}{more}")).unwrap();
            (game, position)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    /// Any position and all its moves: inside the tables, beyond them, and from nothing.
    #[test]
    fn any_position_and_its_moves((game, position) in any_position(), is_stored in any::<bool>()) {
        let (_folder, db) = stored(game, if is_stored { 4 } else { 1 }, 3, 4);
        let db = if is_stored { db } else { Database::empty() };
        let mut oracle = Oracle::new(game);
        let found = db.moves(game, &position).unwrap();
        prop_assert_eq!(found.answer, db.answer(game, &position).unwrap());
        agrees(&mut oracle, &position, &found.answer);
        prop_assert_eq!(found.moves.len(), game.moves(&position).len());
        for (m, answer) in &found.moves {
            agrees(&mut oracle, &m.option, answer);
        }
        if game.is_impartial() {
            let values = found.moves.iter().filter_map(|(_, answer)| answer.value);
            prop_assert_eq!(Some(grundy_rules::mex(values.collect::<Vec<_>>())), found.answer.value);
        }
        if !is_stored {
            prop_assert_eq!(found.answer.source, Source::Computed);
        } else if game.remembers() == Remembers::Nothing {
            let piles = position.piles();
            let fits = piles.len() <= 3 && piles.iter().all(|&pile| pile <= 4);
            prop_assert_eq!(found.answer.source == Source::Table, fits);
        }
    }
}

/// Larger than a frame, a piece of the kernel and a thread's share, on every instruction set
/// and number of threads.
#[test]
fn tables_are_the_same_whoever_builds_them() {
    let files = |isa: Isa, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let length = Some(1);
        let request =
            Request { length, threads, isa, ..Request::new(vec![games::LONG_GLOBAL_NIM], 21) };
        let (folder, db) = pool.install(|| database(request));
        assert!(pool.install(|| sound(&db, &QUICK)).derived > 1 << 18);
        let table = &db.tables()[0];
        assert_eq!((db.tables().len(), table.table().positions()), (1, (1 << 22) - 2));
        drop(folder);
        table.entry().clone()
    };
    let first = files(Isa::Portable, 1);
    for isa in Isa::available() {
        assert_eq!(files(isa, 2), first, "{isa}");
    }
}

/// What is too large is refused by the limit that it is too large for, and by its name.
#[test]
fn what_is_too_large_is_refused_with_the_estimate() {
    let limits = |memory, seconds| Limits { memory, seconds };
    let refused = |limits, game: Game, position: &Position| {
        let db = Database::empty_within(limits);
        match db.answer(game, position).unwrap_err() {
            QueryError::Solve(error) => {
                assert!(
                    matches!(db.moves(game, position), Err(QueryError::Solve(_))),
                    "{position}"
                );
                error
            }
            error => panic!("{position}: {error}"),
        }
    };
    let cases: [(Game, Vec<Pile>, Limits, Option<Limit>); 9] = [
        (games::END_NIM, vec![10_000; 200], Limits::default(), Some(Limit::Seconds)),
        (
            games::END_NIM,
            vec![900_000_000; 3],
            limits(MemoryLimit::new(4 << 30), f64::MAX),
            Some(Limit::Memory),
        ),
        (
            games::MISERE_NIM,
            vec![500; 4],
            limits(MemoryLimit::new(1 << 20), 1.0),
            Some(Limit::Memory),
        ),
        (games::PARTIZAN_END_NIM, vec![3; 200_000], limits(MemoryLimit::new(1 << 20), 1.0), None),
        (games::SHORT_GLOBAL_NIM, vec![100_000_000], limits(MemoryLimit::new(1 << 24), 5.0), None),
        (games::SHORT_GLOBAL_NIM, vec![1000; 4], limits(MemoryLimit::new(1 << 24), 5.0), None),
        (
            games::LONG_GLOBAL_NIM,
            vec![60; 2],
            limits(MemoryLimit::new(1 << 20), 60.0),
            Some(Limit::Memory),
        ),
        (
            games::LONG_GLOBAL_NIM,
            vec![60; 2],
            limits(MemoryLimit::new(1 << 30), 0.0),
            Some(Limit::Seconds),
        ),
        (games::LONG_GLOBAL_NIM, vec![100_000], limits(MemoryLimit::new(1 << 30), 60.0), None),
    ];
    for (game, piles, limits, expected) in cases {
        let text = piles.iter().map(Pile::to_string).collect::<Vec<_>>().join(",");
        let position = game.parse(&text).unwrap();
        let error = refused(limits, game, &position);
        match &error {
            SolveError::TooLarge { limit, .. } | SolveError::Unfinished { limit, .. } => {
                assert!(expected.is_none_or(|expected| *limit == expected), "{error}");
            }
            SolveError::BeyondSearch { .. } => assert_eq!(piles, [100_000]),
            error => panic!("{error}"),
        }
        let text = error.to_string();
        if game == games::MISERE_NIM {
            let named = "500,500,500,500 is too large to compute here: about ";
            assert!(
                text.starts_with(named) && (text.ends_with("iB") || text.ends_with("bytes")),
                "{text}"
            );
        } else if game == games::PARTIZAN_END_NIM {
            assert!(text.contains("200000 piles"), "{text}");
        } else if piles[0] == 10_000 {
            assert!(matches!(error, SolveError::TooLarge { work, .. } if work.cells > 1e12));
        }
    }
    let many = games::LONG_GLOBAL_NIM.parse("900000000").unwrap();
    let error = Database::empty().moves(games::LONG_GLOBAL_NIM, &many).unwrap_err();
    assert!(matches!(error, QueryError::Solve(SolveError::TooManyMoves { .. })), "{error}");
}

#[test]
fn what_takes_little_is_answered_within_little() {
    let db = Database::empty_within(Limits { memory: MemoryLimit::new(1 << 20), seconds: 1.0 });
    // The nim-sum needs nothing.
    let piles = vec![1_000_000_000; 31];
    let sum = nim_sum(&piles);
    let answer = db.answer(games::NIM, Position::row(&piles)).unwrap();
    assert_eq!((answer.value, answer.source), (Some(sum), Source::Computed));
    // A partizan position has a class and no value.
    let answer = db.answer(games::PARTIZAN_END_NIM, Position::row(&[1])).unwrap();
    assert_eq!((answer.value, answer.outcome), (None, Outcome::N));
    let wide: Vec<Pile> = (0..200).map(|at| 1 + at * 7 % 31).collect();
    let db = Database::empty();
    assert!(db.answer(games::END_NIM, Position::row(&wide)).is_ok());
    let last = Position::after(Vec::new(), 5);
    assert_eq!(db.answer(games::SHORT_GLOBAL_NIM, &last).unwrap().value, Some(0));
}

/// A shard with a wrong value that is otherwise sound, and listed as such.
#[test]
fn verify_finds_a_wrong_value() {
    // A table, whether it has values alone, a byte, and what is changed of it.
    let mut cases: Vec<(Game, Pile, usize, bool, usize, u8)> = Vec::new();
    for game in Game::all().filter(|game| game.remembers() == Remembers::Nothing) {
        let table = Table::new(game, 6, 3).unwrap();
        let wrong = 2 * (table.cells() as usize * table.value_bytes() / 4);
        cases.push((game, 6, 3, false, wrong, 1));
    }
    // Of records of 64 numbers: a value a little off, and one that no pile can have; a row behind those
    // that are always looked at; a count of exceptions that no record has room for.
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
        let problems = checked(&open(folder.path()), &FULL).problems;
        let [Problem::Value { position, .. }] = &problems[..] else {
            panic!("{table}: {problems:?}");
        };
        if game.remembers() == Remembers::Nothing {
            // The value itself, or the first of which it is an option.
            let number = table.number(&game.parse(position).unwrap()).unwrap();
            assert!(number >= (byte / table.value_bytes()) as u64, "{table} {position}");
        }
    }
}

/// The seconds of an answer are those of the clock that it was given, and who watches a search may end
/// it.
#[test]
fn a_search_is_timed_and_watched() {
    use std::sync::atomic::{AtomicU64, Ordering};

    static HOURS: AtomicU64 = AtomicU64::new(0);
    static WATCHED: AtomicU64 = AtomicU64::new(0);
    let game = games::LONG_GLOBAL_NIM;
    let large = game.parse("60,60").unwrap();
    let open =
        |seconds| Database::empty_within(Limits { memory: MemoryLimit::new(1 << 22), seconds });
    let limit = |db: &Database| match db.answer(game, &large).unwrap_err() {
        QueryError::Solve(SolveError::Unfinished { limit, .. }) => limit,
        error => panic!("{error:?}"),
    };
    // So little memory is full in seconds; but for whom hours pass between two looks at the clock the
    // time is up before.
    assert_eq!(limit(&open(1e6)), Limit::Memory);
    let hours = || HOURS.fetch_add(1, Ordering::Relaxed) as f64 * 3600.0;
    assert_eq!(limit(&open(5000.0).clocked(hours)), Limit::Seconds);
    assert!(HOURS.load(Ordering::Relaxed) > 1);
    // Long enough for somebody to watch.
    let db = open(1e9).clocked(hours).watched(|_| WATCHED.fetch_add(1, Ordering::Relaxed) < 3);
    let error = db.answer(game, &large).unwrap_err();
    assert!(matches!(error, QueryError::Solve(SolveError::Stopped { .. })), "{error:?}");
    assert_eq!(WATCHED.load(Ordering::Relaxed), 4);
}

/// Of single piles the values alone, which answer where nothing is forbidden.
#[test]
fn values_alone_answer_where_nothing_is_forbidden() {
    let game = games::SHORT_GLOBAL_NIM;
    let request = Request::new(vec![game], 4);
    let single = Some(3000);
    let (folder, db) = database(Request { length: Some(2), single, values_only: true, ..request });
    let source =
        |piles: &[Pile], k| db.answer(game, Position::after(piles.to_vec(), k)).unwrap().source;
    assert_eq!((source(&[3000], 0), source(&[9], 10)), (Source::Table, Source::Table));
    assert_eq!(source(&[9], 9), Source::Computed);
    let mut oracle = Oracle::new(game);
    for (max_pile, length) in [(40, 1), (5, 2)] {
        each_position(game, max_pile, length, |position| {
            agrees(&mut oracle, &position, &db.answer(game, &position).unwrap());
        });
    }
    sound(&db, &FULL);
    let names: Vec<String> = db.tables().iter().map(|t| t.table().to_string()).collect();
    assert_eq!(names, ["short-global-nim/n3000/g", "short-global-nim/n4/k2"]);
    assert!(db.table(&Table::values_only(game, 3000).unwrap()).is_some());
    assert!(folder.path().join("short-global-nim/n3000/g").is_dir());
}

fn small(games: &[Game]) -> (TempDir, Database) {
    let request = Request::new(games.to_vec(), 6);
    database(Request { length: Some(3), single: Some(30), ..request })
}

/// Within the tables, beyond them and without any; (word, b) for all b, and (a, middle, b) row by row.
#[test]
fn rows_and_tiles_are_those_of_their_positions() {
    let (_folder, stored) = small(&[games::END_NIM, games::NIM]);
    let empty = Database::empty();
    assert!(!empty.exists() && empty.tables().is_empty());
    for (game, db) in
        [games::END_NIM, games::NIM].into_iter().flat_map(|game| [(game, &stored), (game, &empty)])
    {
        let mut reference = Reference::new(game);
        // The piles of Nim stand in ascending order.
        let mut value = |piles: &[Pile]| {
            let mut piles = piles.to_vec();
            if game == games::NIM {
                piles.sort_unstable();
            }
            Some(reference.value(&Position::new(piles).unwrap()))
        };
        for word in [&[][..], &[3], &[3, 1], &[2, 5, 4]] {
            let row = db.row(game, word, 9).unwrap();
            let found: Vec<Option<u32>> = row.iter().map(|answer| answer.value).collect();
            let expected: Vec<_> = (1..=9).map(|b| value(&[word, &[b]].concat())).collect();
            assert_eq!(found, expected, "{game} {word:?}");
            let tile = db.tile(game, word, 4).unwrap();
            let found: Vec<Option<u32>> =
                tile.rows().flatten().map(|answer| answer.value).collect();
            let cells = (1..=4).flat_map(|a| (1..=4).map(move |b| (a, b)));
            let expected: Vec<_> =
                cells.map(|(a, b)| value(&[&[a], word, &[b]].concat())).collect();
            assert_eq!(found, expected, "{game} {word:?}");
        }
        assert!(matches!(db.row(game, &[3, 0], 2), Err(QueryError::Position(_))));
        assert!(matches!(db.tile(game, &[0], 2), Err(QueryError::Position(_))));
    }
}

/// g(n), and m = n - k of each k for which *(n, k) is another value, as far as somebody wants them.
#[test]
fn records_are_those_of_single_piles() {
    const GAME: Game = games::SHORT_GLOBAL_NIM;
    let (_folder, stored) = small(&[GAME]);
    let empty = Database::empty();
    for (db, last) in [(&stored, 25), (&stored, 40), (&empty, 40)] {
        let mut reference = Reference::new(GAME);
        let mut n = 0;
        db.each_record(GAME, last, |value, exceptions| {
            n += 1;
            let mut of = |k| reference.value(&Position::after(vec![n], k));
            let free = of(0);
            let expected: Vec<Pile> =
                (1..=n).rev().filter(|&k| of(k) != free).map(|k| n - k).collect();
            assert_eq!((value, exceptions), (free, &expected[..]), "{n}");
            true
        })
        .unwrap();
        assert_eq!(n, last);
        let mut shown = 0;
        let stop = |_: u32, _: &[Pile]| {
            shown += 1;
            shown < 7
        };
        db.each_record(GAME, last, stop).unwrap();
        assert_eq!(shown, 7);
    }
    let error = stored.each_record(games::NIM, 9, |_, _| true).unwrap_err();
    assert!(matches!(error, QueryError::NoRecords { game: "nim" }), "{error}");
}
