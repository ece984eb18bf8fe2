//! Long global nim: every set of moves, from tables and searched.

use grundy_builder::{Plan, Request, build, manifest};
use grundy_kernels::Isa;
use grundy_query::{
    Database, Limit, Limits, Problem, QueryError, SolveError, Source, Verification, verify,
};
use grundy_rules::{Game, MoveSet, Pile, Position};
use grundy_rules::{games, reference::Reference};
use grundy_sweep::Control;
use tempfile::TempDir;

use crate::common::spoil;

const GAME: Game = games::LONG_GLOBAL_NIM;

fn built(request: Request) -> (TempDir, Database) {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan::new(request, &manifest(folder.path()).unwrap()).unwrap();
    build(&plan, folder.path(), &Control::new(), |_| ()).unwrap();
    let opened = Database::open(folder.path()).unwrap();
    (folder, opened)
}

fn database(max_pile: Pile, length: usize) -> (TempDir, Database) {
    let length = Some(length);
    built(Request { length, literally: true, ..Request::new(vec![GAME], max_pile) })
}

const QUICK: Verification = Verification::sampled();
const FULL: Verification = Verification::full();

fn position(piles: &[Pile], set: u64) -> Position {
    Position::with_available(piles.to_vec(), &MoveSet::of_mask(set))
}

/// Every position of ascending piles up to N with every set.
fn each(max_pile: Pile, length: usize, mut show: impl FnMut(Position)) {
    let mut piles = vec![1; length];
    loop {
        if piles.is_sorted() {
            (0..1 << piles[length - 1]).for_each(|set| show(position(&piles, set)));
        }
        let Some(at) = piles.iter().position(|&pile| pile < max_pile) else { return };
        piles[at] += 1;
        piles[..at].fill(1);
    }
}

#[test]
fn whole_tables_hold_the_reference_values() {
    for (max_pile, length) in [(1, 1), (3, 1), (4, 1), (12, 1), (7, 2), (5, 3), (4, 4)] {
        let (_folder, db) = database(max_pile, length);
        let mut reference = Reference::new(GAME);
        let mut count = 0;
        each(max_pile, length, |position| {
            let answer = db.answer(GAME, &position).unwrap();
            assert_eq!(answer.value, Some(reference.value(&position)), "{position}");
            assert_eq!(answer.source, Source::Table, "{position}");
            count += 1;
        });
        let table = db.tables().iter().find(|stored| stored.table().length() == length);
        assert_eq!(table.unwrap().table().positions(), count);
        let checked = verify(&db, &FULL, &Control::new());
        assert!(checked.problems.is_empty(), "{:?}", checked.problems);
        assert!(verify(&db, &QUICK, &Control::new()).problems.is_empty());
    }
}

#[test]
fn moves_have_the_values_of_their_options() {
    let (_folder, db) = database(9, 2);
    let nowhere = tempfile::tempdir().unwrap();
    let none = Database::open(nowhere.path()).unwrap();
    for text in ["8{1,3,4}", "9", "4,9{1..5,9}", "3,3", "5{}", "7,11{2,3,8}", "2,4,6", "()"] {
        let position = GAME.parse(text).unwrap();
        let found = db.moves(GAME, &position).unwrap();
        let mut reference = Reference::new(GAME);
        assert_eq!(found.answer.value, Some(reference.value(&position)), "{text}");
        let computed = none.moves(GAME, &position).unwrap();
        assert_eq!(found.moves.len(), computed.moves.len(), "{text}");
        for ((m, answer), (same, other)) in found.moves.iter().zip(&computed.moves) {
            let expected = Some(reference.value(&m.option));
            assert_eq!(answer.value, expected, "{text} to {}", m.option);
            assert_eq!((m, answer.value), (same, other.value), "{text}");
        }
    }
    let answer = none.answer(GAME, GAME.parse("30").unwrap()).unwrap();
    assert_eq!((answer.value, answer.source), (Some(7), Source::Computed));
}

/// Larger than a frame, a piece of the kernel and a thread's share, on every instruction set
/// and number of threads.
#[test]
fn tables_are_the_same_whoever_builds_them() {
    let files = |isa: Isa, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let length = Some(1);
        let request = Request { length, threads, isa, ..Request::new(vec![GAME], 21) };
        let (folder, db) = pool.install(|| built(request));
        let checked = pool.install(|| verify(&db, &QUICK, &Control::new()));
        assert!(checked.problems.is_empty() && checked.derived > 1 << 18);
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

#[test]
fn what_is_too_large_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { memory: 1 << 20, seconds: 60.0 };
    let db = Database::open_within(folder.path(), limits).unwrap();
    let error = db.answer(GAME, GAME.parse("60,60").unwrap()).unwrap_err();
    let QueryError::Solve(SolveError::Unfinished { limit, .. }) = error else { panic!("{error}") };
    assert_eq!(limit, Limit::Memory);
    let db =
        Database::open_within(folder.path(), Limits { memory: 1 << 30, seconds: 0.0 }).unwrap();
    let error = db.answer(GAME, GAME.parse("60,60").unwrap()).unwrap_err();
    let QueryError::Solve(SolveError::Unfinished { limit, .. }) = error else { panic!("{error}") };
    assert_eq!(limit, Limit::Seconds);
    let error = db.answer(GAME, GAME.parse("100000").unwrap()).unwrap_err();
    assert!(matches!(error, QueryError::Solve(SolveError::BeyondSearch { .. })), "{error}");
    let error = db.moves(GAME, GAME.parse("900000000").unwrap()).unwrap_err();
    assert!(matches!(error, QueryError::Solve(SolveError::TooManyMoves { .. })), "{error}");
}

/// A shard with a wrong value that is otherwise sound, and listed as such.
#[test]
fn verify_finds_a_wrong_value() {
    for (length, byte) in [(1, 4 * 300 + 1), (1, 0), (1, 4 * 7 + 3), (2, 77)] {
        let (folder, db) = database(12, length);
        let stored = db.tables().iter().find(|t| t.table().length() == length).unwrap();
        let table = stored.table().clone();
        let again = spoil(folder.path(), &table, byte, |byte| byte ^ 4);
        let problems = verify(&again, &FULL, &Control::new()).problems;
        assert!(matches!(problems[..], [Problem::Value { .. }]), "{table}: {problems:?}");
    }
}

/// The seconds of an answer are those of the clock that it was given, and who watches a search may end
/// it.
#[test]
fn a_search_is_timed_and_watched() {
    use std::sync::atomic::{AtomicU64, Ordering};

    static HOURS: AtomicU64 = AtomicU64::new(0);
    static WATCHED: AtomicU64 = AtomicU64::new(0);
    let nowhere = tempfile::tempdir().unwrap();
    let large = GAME.parse("60,60").unwrap();
    let open = |seconds| {
        Database::open_within(nowhere.path(), Limits { memory: 1 << 22, seconds }).unwrap()
    };
    let limit = |db: &Database| match db.answer(GAME, &large).unwrap_err() {
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
    let error = db.answer(GAME, &large).unwrap_err();
    assert!(matches!(error, QueryError::Solve(SolveError::Stopped { .. })), "{error:?}");
    assert_eq!(WATCHED.load(Ordering::Relaxed), 4);
}
