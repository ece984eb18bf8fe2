//! Tests tables of outcomes, which have one bit for each position.

use grundy_builder::{PlanError, Request};
use grundy_query::{Problem, Source};
use grundy_rules::reference::Reference;
use grundy_rules::{Game, Pile, Remembers, Table, games, outcome_form, rulesets};
use grundy_testing::database::{build, spoil};

use crate::common::{FULL, QUICK, checked, database, open, sound};

fn bits(game: Game, max_pile: Pile, length: usize) -> Request {
    let request = Request::new(vec![game], max_pile);
    Request { length: Some(length), literally: true, outcomes: true, ..request }
}

#[test]
fn every_game_that_can_have_outcomes_has_the_right_ones() {
    let files = rulesets::names().into_iter().filter_map(rulesets::game);
    let mut tables = 0;
    for game in Game::all().chain(files) {
        // No database holds tables of positions with at most N coins.
        if game.is_within_total() {
            continue;
        }
        let Ok(form) = outcome_form(game) else {
            assert!(!game.is_impartial() || game.remembers() != Remembers::Nothing, "{game}");
            continue;
        };
        let length = game.lengths_near(3..=3).into_inner().0;
        let max_pile = if length > 3 { 2 } else { 4 };
        let (_folder, db) = database(bits(game, max_pile, length));
        let report = sound(&db, &FULL);
        assert_eq!(report.derived, report.values);
        let mut values = Reference::new(game);
        for stored in db.tables() {
            let table = stored.table();
            assert_eq!((table.game(), stored.entry().value_bytes), (form, 0));
            assert_eq!(stored.value_len(), table.cells().div_ceil(8));
            for position in (0..table.values()).filter_map(|number| table.position(number)) {
                let value = values.value(&position);
                let found = db.outcome(game, &position).unwrap();
                assert_eq!((found.value, found.source), (None, Source::Table), "{table}");
                assert_eq!(found.outcome.to_string(), if value > 0 { "N" } else { "P" });
                // Values are computed as if this table of outcomes did not exist.
                assert_eq!(db.answer(game, &position).unwrap().value, Some(value), "{table}");
            }
            tables += 1;
        }
    }
    assert!(tables > 60, "{tables}");
}

/// A wrong bit contradicts the options of its position. If the values are stored too, outcomes and
/// values must agree.
#[test]
fn verify_finds_a_wrong_outcome() {
    for game in [games::NIM, games::END_NIM] {
        let (folder, db) = database(bits(game, 6, 3));
        let table = Table::new(outcome_form(game).unwrap(), 6, 3).unwrap();
        drop(db);
        let sound_files = spoil(folder.path(), &table, 3, |byte| byte ^ 16);
        for how in [&FULL, &QUICK] {
            let problems = checked(&open(folder.path()), how).problems;
            let [Problem::Value { position, .. }] = &problems[..] else { panic!("{problems:?}") };
            // The report names position 28, whose bit is wrong, or a later position with 28 as an option.
            assert!(table.number(&game.parse(position).unwrap()).unwrap() >= 28, "{position}");
        }
        sound_files.restore();
        build(folder.path(), Request { outcomes: false, ..bits(game, 6, 3) });
        sound(&open(folder.path()), &FULL);
        spoil(folder.path(), &table, 3, |byte| byte ^ 16);
        let problems = checked(&open(folder.path()), &FULL).problems;
        let [Problem::Outcome { position, table: values, .. }] = &problems[..] else {
            panic!("{problems:?}")
        };
        assert_eq!(*position, table.position(28).unwrap().to_string());
        assert_eq!(*values, format!("{game}/n6/k3"));
    }
}

/// Only the last frame of a table may end inside a byte. Tiles may begin at any bit.
#[test]
fn outcomes_fill_several_frames() {
    let (_folder, db) = database(bits(games::END_NIM, 129, 3));
    let stored = &db.tables()[2];
    // A tile has 16,641 bits, so 24 tiles take 49,923 bytes, and 32 tiles would exceed 64 KiB.
    assert_eq!((stored.entry().tiles_per_frame, stored.frames()), (24, 6));
    sound(&db, &QUICK);
    let mut values = Reference::new(games::END_NIM);
    for piles in [[1, 1, 1], [129, 129, 129], [2, 24, 2], [2, 25, 3], [129, 128, 129], [7, 97, 8]] {
        let position = games::END_NIM.position(&piles);
        let found = db.outcome(games::END_NIM, &position).unwrap();
        assert_eq!(found.outcome.to_string() == "N", values.value(&position) > 0, "{position}");
        assert_eq!(found.source, Source::Table);
    }
}

#[test]
fn games_without_outcome_tables_are_refused() {
    for game in [games::PARTIZAN_END_NIM, games::SHORT_GLOBAL_NIM, games::LONG_GLOBAL_NIM] {
        let plan = grundy_builder::Plan::new(bits(game, 4, 2), &Default::default());
        assert!(matches!(plan, Err(PlanError::Outcomes(_))), "{plan:?}");
    }
}
