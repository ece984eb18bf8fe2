//! Answers about Nim, misère Nim, partizan End-Nim and End-Wythoff: from tables, beyond them,
//! and from damaged ones.

use grundy_builder::{Plan, Request, build, manifest};
use grundy_query::{
    Database, Limit, Limits, Problem, QueryError, SolveError, Source, Verification, verify,
};
use grundy_rules::reference::{Outcomes, Reference};
use grundy_rules::{Game, Outcome, Pile, Position, Table, games, lex_word, nim_sum};
use grundy_sweep::Control;
use proptest::prelude::*;
use tempfile::TempDir;

use crate::common::spoil;

const GAMES: [Game; 4] =
    [games::NIM, games::MISERE_NIM, games::PARTIZAN_END_NIM, games::END_WYTHOFF];

fn database(max_pile: Pile, length: usize) -> (TempDir, Database) {
    let folder = tempfile::tempdir().unwrap();
    let request = Request { length: Some(length), ..Request::new(GAMES.to_vec(), max_pile) };
    let plan = Plan::new(request, &manifest(folder.path()).unwrap()).unwrap();
    build(&plan, folder.path(), &Control::new(), |_| ()).unwrap();
    let opened = Database::open(folder.path()).unwrap();
    (folder, opened)
}

fn position(game: Game, piles: &[Pile]) -> Position {
    let text: Vec<String> = piles.iter().map(Pile::to_string).collect();
    game.parse(&text.join(",")).unwrap()
}

const FULL: Verification = Verification::full();

#[test]
fn whole_tables_hold_what_the_references_say() {
    let (_folder, db) = database(5, 5);
    let mut outcomes = Outcomes::new(games::PARTIZAN_END_NIM);
    let mut references = [games::NIM, games::MISERE_NIM, games::END_WYTHOFF].map(Reference::new);
    for length in 1..=5 {
        let mut piles = vec![0; length];
        for index in 0..5u64.pow(length as u32) {
            lex_word(index, 5, &mut piles);
            for reference in &mut references {
                let position = position(reference.game(), &piles);
                let answer = db.answer(reference.game(), &position).unwrap();
                assert_eq!(answer.value, Some(reference.value(&position)), "{position}");
                assert_eq!(answer.source, Source::Table);
            }
            let position = position(games::PARTIZAN_END_NIM, &piles);
            let answer = db.answer(games::PARTIZAN_END_NIM, &position).unwrap();
            assert_eq!(answer.outcome, outcomes.outcome(&position), "{position}");
            assert_eq!(answer.source, Source::Table);
        }
    }
    let checked = verify(&db, &FULL, &Control::new());
    assert!(checked.problems.is_empty(), "{:?}", checked.problems);
    assert_eq!(checked.derived, checked.values);
}

/// Two-byte values of multisets.
#[test]
fn wide_tables() {
    let (_folder, db) = database(300, 2);
    let table = Table::new(games::MISERE_NIM, 300, 2).unwrap();
    assert_eq!(db.table(&table).unwrap().entry().value_bytes, 2);
    let nothing = tempfile::tempdir().unwrap();
    let empty = Database::open(nothing.path()).unwrap();
    for piles in [[300, 300], [1, 300], [7, 255], [256, 299]] {
        let position = position(games::MISERE_NIM, &piles);
        let (stored, computed) = (
            db.answer(games::MISERE_NIM, &position).unwrap(),
            empty.answer(games::MISERE_NIM, &position).unwrap(),
        );
        assert_eq!(stored.value, computed.value);
        assert_eq!((stored.source, computed.source), (Source::Table, Source::Computed));
    }
    assert!(verify(&db, &FULL, &Control::new()).problems.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Any position and all its moves: inside the tables, beyond them, and from nothing.
    #[test]
    fn any_position_and_its_moves(
        game in prop::sample::select(&GAMES[..]),
        piles in prop::collection::vec(1u32..=6, 1..=5),
        stored in any::<bool>(),
    ) {
        let (_folder, db) = if stored {
            database(4, 3)
        } else {
            let folder = tempfile::tempdir().unwrap();
            let db = Database::open(folder.path()).unwrap();
            (folder, db)
        };
        let position = position(game, &piles);
        if game == games::PARTIZAN_END_NIM {
            let mut reference = Outcomes::new(game);
            let found = db.moves(game, &position).unwrap();
            prop_assert_eq!(found.answer.outcome, reference.outcome(&position));
            for (m, answer) in found.moves {
                prop_assert_eq!(answer.outcome, reference.outcome(&m.option));
            }
        } else {
            let mut reference = Reference::new(game);
            let found = db.moves(game, &position).unwrap();
            prop_assert_eq!(found.answer, db.answer(game, &position).unwrap());
            prop_assert_eq!(found.answer.value, Some(reference.value(&position)));
            for (m, answer) in found.moves {
                prop_assert_eq!(answer.value, Some(reference.value(&m.option)));
            }
        }
    }
}

#[test]
fn what_is_too_large_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { memory: 1 << 20, seconds: 1.0 };
    let db = Database::open_within(folder.path(), limits).unwrap();
    let refused = db.answer(games::MISERE_NIM, position(games::MISERE_NIM, &[500; 4]));
    match refused.unwrap_err() {
        QueryError::Solve(error @ SolveError::TooLarge { limit: Limit::Memory, .. }) => {
            let error = error.to_string();
            let named = "500,500,500,500 is too large to compute here: about ";
            assert!(error.starts_with(named) && error.ends_with(" MiB"), "{error}");
        }
        error => panic!("{error}"),
    }
    let moves = db.moves(games::MISERE_NIM, position(games::MISERE_NIM, &[500; 4]));
    assert!(matches!(moves, Err(QueryError::Solve(SolveError::TooLarge { .. }))));
    let many = Position::new(vec![3; 200_000]).unwrap();
    let error = db.answer(games::PARTIZAN_END_NIM, &many).unwrap_err().to_string();
    assert!(error.contains("200000 piles"), "{error}");
    // The nim-sum needs nothing.
    let piles = vec![1_000_000_000; 31];
    let answer = db.answer(games::NIM, position(games::NIM, &piles)).unwrap();
    assert_eq!((answer.value, answer.source), (Some(nim_sum(&piles)), Source::Computed));
    // A partizan position has a class and no value.
    let single = position(games::PARTIZAN_END_NIM, &[1]);
    let answer = db.answer(games::PARTIZAN_END_NIM, &single).unwrap();
    assert_eq!((answer.value, answer.outcome), (None, Outcome::N));
}

/// A shard with a wrong value that is otherwise sound, and listed as such.
#[test]
fn verify_finds_a_wrong_value() {
    for game in GAMES {
        let (folder, db) = database(6, 3);
        let table = Table::new(game, 6, 3).unwrap();
        let wrong = 2 * (table.cells() as usize * table.value_bytes() / 4);
        drop(db);
        let db = spoil(folder.path(), &table, wrong, |byte| byte ^ 1);
        let problems = verify(&db, &FULL, &Control::new()).problems;
        let [Problem::Value { position, .. }] = &problems[..] else {
            panic!("{table}: {problems:?}");
        };
        // The value itself, or the first of which it is an option.
        let number = table.number(&game.parse(position).unwrap()).unwrap();
        assert!(number >= (wrong / table.value_bytes()) as u64, "{table} {position}");
    }
}
