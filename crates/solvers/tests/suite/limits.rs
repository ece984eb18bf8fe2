//! What is too large is refused, and a search ends where the limits say.

use std::sync::atomic::{AtomicU64, Ordering};

use grundy_rules::{Game, Position, games};
use grundy_solvers::{AnyGame, Desk, Limit, Limits, NoTables, SolveError, Solver, Watch, solver};

use crate::common::plain;

#[test]
fn more_moves_than_can_be_listed_are_refused() {
    let desk = Desk::with_nothing(&NoTables);
    for game in Game::all() {
        for solver in [solver(game), &AnyGame] {
            let position = game.position(&[900_000_000]);
            let error = solver.moves(game, &position, &desk).unwrap_err();
            let SolveError::TooManyMoves { coins, .. } = error else { panic!("{game}: {error}") };
            assert_eq!(coins, 900_000_000);
        }
    }
}

/// Before its moves are listed, which alone would fill the memory.
#[test]
fn the_solver_for_any_game_refuses_what_has_too_many_coins() {
    let desk = Desk::with_nothing(&NoTables);
    for game in Game::all() {
        let position = game.position(&[900_000_000, 900_000_000]);
        let error = AnyGame.answer(game, &position, &desk).unwrap_err();
        let SolveError::TooLarge { position, limit, .. } = error else { panic!("{game}: {error}") };
        assert_eq!((&*position, limit), ("900000000,900000000", Limit::Memory), "{game}");
    }
}

#[test]
fn the_solver_for_any_game_ends_at_the_limits() {
    // A clock that is a second later each time it is looked at.
    static SECONDS: AtomicU64 = AtomicU64::new(0);
    static WATCHED: AtomicU64 = AtomicU64::new(0);
    let clock = || SECONDS.fetch_add(1, Ordering::Relaxed) as f64;
    let watch: Watch = |work| {
        WATCHED.fetch_max(work.cells as u64, Ordering::Relaxed);
        true
    };
    for game in Game::all() {
        // Twenty thousand positions at least, those of End-Nim.
        let position = game.position(&[40; 6]);
        let limits = Limits { memory: 1 << 20, seconds: 1e9 };
        let desk = Desk { limits, clock, ..Desk::with_nothing(&NoTables) };
        match AnyGame.answer(game, &position, &desk) {
            Err(SolveError::Unfinished { limit: Limit::Memory, memory, .. }) => {
                assert!(memory > limits.memory && memory < 2 * limits.memory, "{game}");
            }
            other => panic!("{game}: {other:?}"),
        }
        let limits = Limits { memory: 1 << 30, seconds: 1.0 };
        let desk = Desk { limits, watch: Some(watch), ..desk };
        match AnyGame.moves(game, &position, &desk) {
            Err(SolveError::Unfinished { limit: Limit::Seconds, states, seconds, .. }) => {
                assert!(states > 0 && seconds > 1.0, "{game}");
            }
            other => panic!("{game}: {other:?}"),
        }
    }
    assert!(WATCHED.load(Ordering::Relaxed) > 1000);
}

#[test]
fn who_watches_can_stop_a_search() {
    static SECONDS: AtomicU64 = AtomicU64::new(0);
    let clock = || SECONDS.fetch_add(1, Ordering::Relaxed) as f64;
    let limits = Limits { memory: 1 << 30, seconds: 1e9 };
    let desk = Desk { limits, clock, watch: Some(|_| false), ..Desk::with_nothing(&NoTables) };
    for game in Game::all() {
        // One has far more positions below it than are searched between two looks.
        let position = game.position(&[40; 6]);
        let stopped = AnyGame.answer(game, &position, &desk);
        assert!(matches!(stopped, Err(SolveError::Stopped { .. })), "{game}: {stopped:?}");
    }
    let game = games::LONG_GLOBAL_NIM;
    let stopped = solver(game).answer(game, &game.position(&[30, 31]), &desk);
    assert!(matches!(stopped, Err(SolveError::Stopped { .. })), "{stopped:?}");
}

/// What is computed row by row, and not searched.
#[test]
fn who_watches_can_stop_a_rectangle() {
    static SECONDS: AtomicU64 = AtomicU64::new(0);
    let clock = || SECONDS.fetch_add(1, Ordering::Relaxed) as f64;
    let limits = Limits { memory: 1 << 30, seconds: 1e9 };
    let game = games::END_NIM;
    for piles in [&[200, 5000][..], &[3; 300]] {
        let position = game.position(piles);
        let desk = Desk { limits, clock, watch: Some(|_| false), ..Desk::with_nothing(&NoTables) };
        let stopped = solver(game).answer(game, &position, &desk);
        assert!(matches!(stopped, Err(SolveError::Stopped { .. })), "{position}: {stopped:?}");
        // Nobody watches, but the time is up sooner than was estimated.
        let limits = Limits { memory: 1 << 30, seconds: 2.0 };
        let late = solver(game).answer(game, &position, &Desk { limits, watch: None, ..desk });
        assert!(matches!(late, Err(SolveError::TimeUp { .. })), "{position}: {late:?}");
        // What was left half done does no harm.
        let desk = Desk::with_nothing(&NoTables);
        let known = solver(game).answer(game, &game.position(&[200, 5000]), &desk).unwrap();
        assert_eq!(known.value, Some(200 ^ 5000));
    }
}

/// Whatever the family: a refusal or an answer, and never a long wait, for large positions.
#[test]
fn no_family_is_at_a_loss_for_large_positions() {
    let limits = Limits { memory: 1 << 24, seconds: 1.0 };
    for game in Game::all() {
        let desk = Desk { limits, ..Desk::with_nothing(&NoTables) };
        for piles in [&[900_000_000][..], &[900_000_000; 2], &[1_000_000; 40], &[60_000, 1, 60_000]]
        {
            let position = game.position(piles);
            match solver(game).answer(game, &position, &desk) {
                Ok(_) => {}
                Err(
                    SolveError::TooLarge { .. }
                    | SolveError::Unfinished { .. }
                    | SolveError::BeyondSearch { .. },
                ) => {}
                Err(error) => panic!("{game}: {error}"),
            }
        }
    }
    let nameless = plain(grundy_rules::games::END_NIM);
    let desk = Desk { limits, ..Desk::with_nothing(&NoTables) };
    let row = solver(nameless).row(nameless, &[5], 900_000_000, &desk);
    assert!(matches!(row, Err(SolveError::TooLarge { .. })));
}

/// The borders of a tile may have values far above those of its cells: with a middle of some
/// tens of thousands, beyond what a cell of two bytes holds.
#[test]
fn a_tile_between_large_borders_has_the_values_of_its_positions() {
    let desk = Desk::with_nothing(&NoTables);
    let game = games::END_NIM;
    for middle in [65_535, 65_538] {
        let tile = solver(game).tile(game, &[middle], 2, &desk).unwrap();
        let ends = (1..=2).flat_map(|a| (1..=2).map(move |b| (a, b)));
        for ((a, b), found) in ends.zip(tile) {
            let position = Position::row(&[a, middle, b]);
            let expected = solver(game).answer(game, &position, &desk).unwrap();
            assert_eq!(found.value, expected.value, "{position}");
        }
    }
}
