//! The limits to the byte and to the moment: what stands at a limit is done, what is beyond it is
//! refused with exactly what it takes. Estimates are counted by hand from what the modules say that a
//! cell, a row or a step takes; the time is that of a clock of the test's own.

use std::cell::RefCell;

use grundy_kernels::subsets::SearchError;
use grundy_rules::{Game, Position, games};
use grundy_solvers::{
    Answer, AnyGame, Desk, Effort, Limit, Limits, NoTables, SolveError, Solver, solver,
};

use crate::common::{clock, plain, tables_of};
use crate::toys::UpToThree;

const MUCH: u64 = 1 << 30;

fn desk(memory: u64, seconds: f64) -> Desk<'static> {
    Desk { limits: Limits { memory, seconds }, ..Desk::with_nothing(&NoTables) }
}

/// A desk with a clock, and two seconds.
fn timed(times: &[f64]) -> Desk<'static> {
    clock::set(times);
    Desk { clock: clock::now, ..desk(MUCH, 2.0) }
}

thread_local! {
    static SEEN: RefCell<Vec<Effort>> = const { RefCell::new(Vec::new()) };
}

/// What a watcher has seen since the last time.
fn seen() -> Vec<Effort> {
    SEEN.take()
}

/// Lets everything go on.
fn look_on(work: &Effort) -> bool {
    SEEN.with_borrow_mut(|seen| seen.push(*work));
    true
}

/// Stops the third time.
fn twice(work: &Effort) -> bool {
    look_on(work);
    SEEN.with_borrow(|seen| seen.len() < 3)
}

/// By hand: 320 bytes for each coin, and 4 for each pile; the last position of a row or a tile says
/// whether the others can be had, and where there is none nothing is asked.
#[test]
fn any_game_refuses_too_many_coins() {
    let game = plain(games::END_NIM);
    let refused = |found: Result<Vec<Answer>, SolveError>| match found {
        Err(SolveError::TooLarge { position, work, limit: Limit::Memory }) => {
            (position, work.cells, work.memory)
        }
        other => panic!("{other:?}"),
    };
    let answer =
        |desk: &Desk<'_>| Ok(vec![AnyGame.answer(game, &game.position(&[900; 2]), desk)?]);
    let expected = ("900,900".to_owned(), 1800.0, 1800 * 328);
    assert_eq!(refused(answer(&desk(1800 * 328 - 1, 60.0))), expected);
    assert!(matches!(answer(&desk(1800 * 328, 60.0)), Err(SolveError::Unfinished { .. })));
    let row = |last, memory| AnyGame.row(game, &[5], last, &desk(memory, 60.0));
    assert_eq!(refused(row(1000, 0)), ("5,1000".to_owned(), 1005.0, 1005 * 328));
    assert!(row(0, 0).unwrap().is_empty());
    let tile = |last, memory| AnyGame.tile(game, &[5], last, &desk(memory, 60.0));
    assert_eq!(refused(tile(1000, 0)), ("1000,5,1000".to_owned(), 2005.0, 2005 * 332));
    assert!(tile(0, 0).unwrap().is_empty());
}

/// By hand, for a pile of two in a stack of positions that wait and a memo of those that are known:
/// first the pile waits, then with 0 and 1, then with the 0 below the 1 once more, and never more: four
/// positions of 160 bytes and 4 for the pile. At the start 2 · 324 bytes are asked for.
#[test]
fn a_search_takes_what_it_knows_and_what_waits() {
    let game = plain(games::NIM);
    let answer = |memory| AnyGame.answer(game, &game.position(&[2]), &desk(memory, 60.0));
    assert_eq!(answer(656).unwrap().value, Some(2));
    match answer(655) {
        Err(SolveError::Unfinished { position, states, seconds, memory, limit }) => {
            assert_eq!((&*position, states, seconds), ("2", 0, 0.0));
            assert_eq!((memory, limit), (656, Limit::Memory));
        }
        other => panic!("{other:?}"),
    }
    match answer(647) {
        Err(SolveError::TooLarge { work, .. }) => assert_eq!((work.cells, work.memory), (2.0, 648)),
        other => panic!("{other:?}"),
    }
}

/// Once in 4096 looks, of which there is one at least for each of the 201 · 202 / 2 positions: at the
/// limit it goes on, and beyond it ends.
#[test]
fn a_search_looks_at_the_clock_now_and_then() {
    let game = Game::new(&UpToThree);
    let answer = |desk: &Desk<'_>| AnyGame.answer(game, &game.position(&[200, 200]), desk);
    assert_eq!(answer(&timed(&[64.0, 66.0])).unwrap().value, Some(0));
    match answer(&timed(&[64.0, 65.0, 66.0, 66.5])) {
        Err(SolveError::Unfinished { position, states, seconds, memory, limit }) => {
            assert_eq!((&*position, seconds, limit), ("200,200", 2.5, Limit::Seconds));
            // Three times 4096 looks, at least one for each position found, and not many more.
            assert!((2048..=3 * 4096).contains(&states), "{states}");
            assert!(memory.is_multiple_of(168) && memory / 168 > states, "{memory} {states}");
        }
        other => panic!("{other:?}"),
    }
    // Who watches sees the same, and nothing of what is small.
    let watched = |times: &[f64]| Desk { watch: Some(look_on), ..timed(times) };
    let small = AnyGame.answer(game, &game.position(&[10, 10]), &watched(&[64.0, 90.0])).unwrap();
    assert_eq!((small.value, seen()), (Some(0), Vec::new()));
    assert!(answer(&watched(&[64.0, 65.0, 66.0, 66.5])).is_err());
    let seen = seen();
    assert_eq!(seen.iter().map(|work| work.seconds).collect::<Vec<_>>(), [1.0, 2.0, 2.5]);
    for work in &seen {
        assert!(work.cells > 0.0 && work.memory > 168 * work.cells as u64, "{work:?}");
    }
    let stopped = answer(&Desk { watch: Some(|_| false), ..timed(&[64.0]) });
    match stopped {
        Err(SolveError::Stopped { position }) => assert_eq!(position, "200,200"),
        other => panic!("{other:?}"),
    }
}

/// What was estimated may take four times as long, and a second at least.
#[test]
fn misere_nim_ends_when_it_is_late() {
    let game = games::MISERE_NIM;
    // 401 · 401 points, of which 2^16 are done from one look to the next.
    let position = game.position(&[400, 400]);
    let answer = |seconds, late| {
        let limits = Limits { memory: MUCH, seconds };
        solver(game).answer(game, &position, &Desk { limits, ..timed(&[64.0, 64.0 + late]) })
    };
    for (seconds, late) in [(0.5, 4.0), (1.0, 4.0), (2.0, 8.0)] {
        assert!(answer(seconds, late).is_ok(), "{seconds}");
        match answer(seconds, late + 0.5) {
            Err(SolveError::TooLarge { position, limit, .. }) => {
                assert_eq!((&*position, limit), ("400,400", Limit::Seconds));
            }
            other => panic!("{seconds}: {other:?}"),
        }
    }
}

/// By hand: of 5000 rows it looks at the clock before rows 1 and 4097; of 41 · 42 points before the
/// first and the 1025th.
#[test]
fn short_global_nim_ends_when_the_time_is_up() {
    let game = games::SHORT_GLOBAL_NIM;
    let (one, two) = (game.position(&[5000]), game.position(&[40, 41]));
    let (solver, records) = (solver(game), solver(game).records().unwrap());
    type Take<'a> = &'a dyn Fn(&Desk<'_>) -> Result<(), SolveError>;
    let takes: [(&str, Take<'_>); 4] = [
        ("5000", &|desk| solver.answer(game, &one, desk).map(|_| ())),
        ("5000", &|desk| records.each(game, 5000, desk, &mut |_, _| true)),
        ("5000", &|desk| solver.row(game, &[], 5000, desk).map(|_| ())),
        ("40,41", &|desk| solver.answer(game, &two, desk).map(|_| ())),
    ];
    for (expected, take) in takes {
        take(&timed(&[64.0, 66.0])).unwrap();
        match take(&timed(&[64.0, 66.5])) {
            Err(SolveError::TimeUp { position, seconds }) => {
                assert_eq!((&*position, seconds), (expected, 2.5));
            }
            other => panic!("{other:?}"),
        }
    }
}

/// A row is looked at after each of its positions, the last of which comes first; a tile after each
/// row. Where there is nothing to do nobody looks.
#[test]
fn positions_one_by_one_end_when_the_time_is_up() {
    let game = games::PARTIZAN_END_NIM;
    let row = |last, times: &[f64]| solver(game).row(game, &[5], last, &timed(times));
    match row(3, &[64.0, 65.0, 66.0, 66.5]) {
        Err(SolveError::TimeUp { position, seconds }) => {
            assert_eq!((&*position, seconds), ("5,2", 2.5));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(row(3, &[64.0, 65.0, 66.0]).unwrap().len(), 3);
    assert!(row(0, &[64.0, 65.0, 66.0]).unwrap().is_empty());
    assert_eq!(clock::left(), 2);
    let tile = |times: &[f64]| solver(game).tile(game, &[7], 2, &timed(times));
    // One for the tile, four for a row of two, one after it.
    let times = [64.0, 66.0, 66.0, 66.0, 66.0, 66.0, 66.5];
    match tile(&times) {
        Err(SolveError::TimeUp { position, seconds }) => {
            assert_eq!((&*position, seconds), ("1,7,2", 2.5));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(tile(&times[..6]).unwrap().len(), 4);
}

/// The search for long global nim looks at the clock now and then, and shows itself every tenth of a
/// second: not sooner, and counted from the last time.
#[test]
fn a_search_of_sets_shows_itself() {
    let game = games::LONG_GLOBAL_NIM;
    let position = game.position(&[30, 31]);
    let stopped = |times: &[f64]| {
        let desk = Desk { watch: Some(twice), ..timed(times) };
        match solver(game).answer(game, &position, &desk) {
            Err(SolveError::Stopped { position }) => assert_eq!(position, "30,31{1..31}"),
            other => panic!("{other:?}"),
        }
        seen()
    };
    let shown = stopped(&[64.0, 64.0625, 64.25, 64.3125, 64.5, 64.625]);
    assert_eq!(shown.iter().map(|work| work.seconds).collect::<Vec<_>>(), [0.25, 0.5, 0.625]);
    for work in &shown {
        assert!(work.cells >= 1.0 && work.memory > work.cells as u64, "{work:?}");
    }
    // A tenth is not more than a tenth.
    let shown = stopped(&[0.0, 0.1, 0.2, 0.5, 1.0]);
    assert_eq!(shown.iter().map(|work| work.seconds).collect::<Vec<_>>(), [0.2, 0.5, 1.0]);
    // The limit itself is within it. The time that is reported is that of the end.
    match solver(game).answer(game, &position, &timed(&[64.0, 66.0, 66.0, 66.5, 67.0])) {
        Err(SolveError::Unfinished { position, states, seconds, memory, limit }) => {
            assert_eq!((&*position, seconds, limit), ("30,31{1..31}", 3.0, Limit::Seconds));
            assert!(states > 0 && memory > states);
        }
        other => panic!("{other:?}"),
    }
    // The moves have one time for all of them.
    match solver(game).moves(game, &position, &timed(&[64.0, 66.5, 67.0])) {
        Err(SolveError::Unfinished { seconds, .. }) => assert_eq!(seconds, 3.0),
        other => panic!("{other:?}"),
    }
}

/// A question that is one of many has a part of the memory, and one after another may have more.
#[test]
fn a_search_of_sets_shares_the_memory() {
    let game = games::LONG_GLOBAL_NIM;
    let position = game.position(&[30, 31, 32]);
    let used = |limit: u64| match solver(game).answer(game, &position, &desk(limit, 1e9)) {
        Err(SolveError::Unfinished { memory, limit: Limit::Memory, seconds: 0.0, .. }) => memory,
        other => panic!("{other:?}"),
    };
    let quarter = 1 << 20;
    let (small, large) = (used(quarter), used(4 * quarter));
    assert!(small <= quarter && quarter < large && large <= 4 * quarter, "{small} {large}");
    let four = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    assert_eq!(four.install(|| used(4 * quarter)), small);
    // The memo of a search that came to its end is not that of the next.
    assert_eq!((used(quarter), used(4 * quarter)), (small, large));
}

#[test]
fn what_no_search_takes_is_refused() {
    let game = games::LONG_GLOBAL_NIM;
    match solver(game).answer(game, &game.position(&[900_000_000; 2]), &desk(MUCH, 60.0)) {
        Err(SolveError::BeyondSearch { position, source: SearchError::Size { piles, coins } }) => {
            assert_eq!((&*position, piles), ("900000000,900000000{1..900000000}", 2));
            assert!(coins > 1 << 20);
        }
        other => panic!("{other:?}"),
    }
}

/// What a table holds is read, and needs neither memory nor time.
#[test]
fn what_is_stored_takes_nothing() {
    for game in Game::all() {
        let shelf = tables_of(game, 4, 2).unwrap();
        let desk =
            Desk { limits: Limits { memory: 0, seconds: 0.0 }, ..Desk::with_nothing(&shelf) };
        for piles in [&[3][..], &[2, 3]] {
            let position: Position = game.position(piles);
            solver(game).answer(game, &position, &desk).unwrap();
            let (&last, word) = piles.split_last().unwrap();
            let row = solver(game).row(game, word, last, &desk).unwrap();
            assert_eq!(row.len(), last as usize, "{game}");
        }
    }
}
