//! Answers about short global nim: from records and tables, computed, and from damaged ones.

use grundy_builder::{Plan, Request, build, manifest};
use grundy_query::{
    Database, Limits, Problem, QueryError, SolveError, Source, Verification, verify,
};
use grundy_rules::reference::Reference;
use grundy_rules::{Pile, Position, Table, games, lex_word};
use grundy_sweep::Control;
use tempfile::TempDir;

use crate::common::spoil;

fn database(max_pile: Pile, length: usize, single: Pile, values_only: bool) -> (TempDir, Database) {
    let folder = tempfile::tempdir().unwrap();
    let request = Request {
        length: Some(length),
        single: Some(single),
        values_only,
        ..Request::new(vec![games::SHORT_GLOBAL_NIM], max_pile)
    };
    let plan = Plan::new(request, &manifest(folder.path()).unwrap()).unwrap();
    build(&plan, folder.path(), &Control::new(), |_| ()).unwrap();
    let opened = Database::open(folder.path()).unwrap();
    (folder, opened)
}

const FULL: Verification = Verification::full();

/// Every position of up to three piles of up to 6, and piles up to 40, with every last move.
fn agrees_with_the_reference(db: &Database, source: Option<Source>) {
    let mut reference = Reference::new(games::SHORT_GLOBAL_NIM);
    let mut check = |position: Position| {
        let answer = db.answer(games::SHORT_GLOBAL_NIM, &position).unwrap();
        assert_eq!(answer.value, Some(reference.value(&position)), "{position}");
        if let Some(source) = source {
            assert_eq!(answer.source, source, "{position}");
        }
    };
    for n in 1..=40 {
        (0..=n + 2).for_each(|k| check(Position::after(vec![n], k)));
    }
    for length in 2..=3 {
        let mut piles = vec![0; length];
        for index in 0..5u64.pow(length as u32) {
            lex_word(index, 5, &mut piles);
            (0..=6).for_each(|k| check(Position::after(piles.clone(), k)));
        }
    }
}

#[test]
fn stored_and_computed_values_are_those_of_the_reference() {
    let (_folder, db) = database(6, 3, 2000, false);
    agrees_with_the_reference(&db, Some(Source::Table));
    let checked = verify(&db, &FULL, &Control::new());
    assert!(checked.problems.is_empty(), "{:?}", checked.problems);
    assert!(checked.derived > 1000);
    let nothing = tempfile::tempdir().unwrap();
    let empty = Database::open(nothing.path()).unwrap();
    agrees_with_the_reference(&empty, Some(Source::Computed));
    let last = Position::after(Vec::new(), 5);
    assert_eq!(db.answer(games::SHORT_GLOBAL_NIM, &last).unwrap().value, Some(0));
}

#[test]
fn moves_have_the_values_of_their_options() {
    let (_folder, db) = database(5, 2, 30, false);
    let mut reference = Reference::new(games::SHORT_GLOBAL_NIM);
    for (piles, k) in [(vec![20], 3), (vec![40], 0), (vec![4, 5], 1), (vec![3, 7, 7], 2)] {
        let position = Position::after(piles, k);
        let found = db.moves(games::SHORT_GLOBAL_NIM, &position).unwrap();
        assert_eq!(found.answer.value, Some(reference.value(&position)));
        assert_eq!(found.moves.len(), games::SHORT_GLOBAL_NIM.moves(&position).len());
        for (m, answer) in found.moves {
            let expected = Some(reference.value(&m.option));
            assert_eq!(answer.value, expected, "{position}: {m:?}");
        }
    }
}

#[test]
fn values_alone_answer_where_nothing_is_forbidden() {
    let (_folder, db) = database(1, 1, 3000, true);
    let source = |piles: &[Pile], k| {
        let position = Position::after(piles.to_vec(), k);
        db.answer(games::SHORT_GLOBAL_NIM, &position).unwrap().source
    };
    assert_eq!((source(&[3000], 0), source(&[9], 10)), (Source::Table, Source::Table));
    assert_eq!(source(&[9], 9), Source::Computed);
    agrees_with_the_reference(&db, None);
    assert!(verify(&db, &FULL, &Control::new()).problems.is_empty());
}

#[test]
fn what_is_too_large_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { memory: 1 << 24, seconds: 5.0 };
    let db = Database::open_within(folder.path(), limits).unwrap();
    for piles in [vec![100_000_000], vec![1000; 4]] {
        let position = Position::after(piles, 0);
        let error = db.answer(games::SHORT_GLOBAL_NIM, &position).unwrap_err();
        assert!(matches!(error, QueryError::Solve(SolveError::TooLarge { .. })), "{error}");
        assert!(db.moves(games::SHORT_GLOBAL_NIM, &position).is_err());
    }
}

/// A shard with a wrong value that is otherwise sound, and listed as such.
#[test]
fn verify_finds_a_wrong_value() {
    let cases = [
        // A value a little off, and one that no pile can have; a row behind those that are
        // always looked at; a count of exceptions that no record has room for.
        (1, 64 * 33 + 3, false, 0),
        (1, 64 * 33 + 3, false, 3),
        (1, 64 * 33, false, 3),
        (1, 64 * 1100 + 2, false, 0),
        (1, 64 * 40 + 1, false, 3),
        (1, 500, true, 0),
        (1, 1150, true, 3),
        (2, 60, false, 0),
    ];
    for (length, cell, values_only, byte) in cases {
        let (folder, db) = database(6, length, 1200, values_only);
        let stored = db.tables().iter().find(|t| t.table().length() == length).unwrap();
        let table = stored.table().clone();
        let at = cell * table.value_bytes() + byte;
        let again = spoil(folder.path(), &table, at, |byte| byte ^ 1);
        let problems = verify(&again, &FULL, &Control::new()).problems;
        assert!(matches!(problems[..], [Problem::Value { .. }]), "{table}: {problems:?}");
    }
}

#[test]
fn tables_have_their_names() {
    let (folder, db) = database(4, 2, 100, true);
    let names: Vec<String> = db.tables().iter().map(|t| t.table().to_string()).collect();
    assert_eq!(names, ["short-global-nim/n100/g", "short-global-nim/n4/k2"]);
    assert!(db.table(&Table::values_only(games::SHORT_GLOBAL_NIM, 100).unwrap()).is_some());
    assert!(folder.path().join("short-global-nim/n100/g").is_dir());
}
