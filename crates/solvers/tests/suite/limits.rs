//! Exact limits of memory and time: work at a limit is done, work beyond it is refused with its
//! exact cost. Estimates are computed by hand from the documented costs of cells, rows and steps;
//! the test has its own clock.

use grundy_sweep::MemoryLimit;
use std::cell::RefCell;

use grundy_rules::{Game, Pile, Position, games};
use grundy_solvers::{
    Answer, AnyGame, Desk, Effort, Limit, Limits, NoTables, SolveError, Solver, solver,
};

use crate::common::{clock, plain, tables_of};
use crate::toys::UpToThree;

const MUCH: u64 = 1 << 30;

fn desk(memory: u64, seconds: f64) -> Desk<'static> {
    Desk {
        limits: Limits { memory: MemoryLimit::new(memory), seconds },
        ..Desk::with_nothing(&NoTables)
    }
}

/// Returns a desk with a clock, and two seconds.
fn timed(times: &[f64]) -> Desk<'static> {
    clock::set(times);
    Desk { clock: clock::now, ..desk(MUCH, 2.0) }
}

thread_local! {
    static SEEN: RefCell<Vec<Effort>> = const { RefCell::new(Vec::new()) };
}

/// Lets everything continue, and keeps the efforts in `SEEN`.
fn look_on(work: &Effort) -> bool {
    SEEN.with_borrow_mut(|seen| seen.push(*work));
    true
}

/// Stops at the third call.
fn twice(work: &Effort) -> bool {
    look_on(work);
    SEEN.with_borrow(|seen| seen.len() < 3)
}

/// Returns a refusal: the position, the limit that was too low, and the effort.
fn refused<T: std::fmt::Debug>(found: Result<T, SolveError>) -> (String, Limit, Effort) {
    match found {
        Err(SolveError::TooLarge { position, work, limit }) => (position, limit, work),
        Err(SolveError::Unfinished { position, states, seconds, memory, limit }) => {
            (position, limit, Effort { cells: states as f64, seconds, memory })
        }
        Err(SolveError::TimeUp { position, seconds }) => {
            (position, Limit::Seconds, Effort { seconds, ..Effort::default() })
        }
        other => panic!("{other:?}"),
    }
}

fn is_stopped<T>(found: &Result<T, SolveError>) -> bool {
    matches!(found, Err(SolveError::Stopped { .. }))
}

/// The refusal comes before listing the moves, which alone would fill the memory.
#[test]
fn what_has_too_many_coins_is_refused() {
    let desk = desk(4 << 30, 60.0);
    for game in Game::all() {
        for solver in [solver(game), &AnyGame] {
            let error = solver.moves(game, &game.position(&[900_000_000]), &desk).unwrap_err();
            let SolveError::TooManyMoves { coins, .. } = error else { panic!("{game}: {error}") };
            assert_eq!(coins, 900_000_000);
        }
        let position = game.position(&[900_000_000, 900_000_000]);
        let (position, limit, _) = refused(AnyGame.answer(game, &position, &desk));
        assert_eq!((&*position, limit), ("900000000,900000000", Limit::Memory), "{game}");
    }
}

/// Every family refuses or answers large positions without a long wait.
#[test]
fn no_family_is_at_a_loss_for_large_positions() {
    let desk = desk(1 << 24, 1.0);
    for game in Game::all() {
        for piles in [&[900_000_000][..], &[900_000_000; 2], &[1_000_000; 40], &[60_000, 1, 60_000]]
        {
            match solver(game).answer(game, &game.position(piles), &desk) {
                Ok(_)
                | Err(
                    SolveError::TooLarge { .. }
                    | SolveError::Unfinished { .. }
                    | SolveError::BeyondSearch { .. },
                ) => {}
                Err(error) => panic!("{game}: {error}"),
            }
        }
    }
    let nameless = plain(games::END_NIM);
    let row = solver(nameless).row(nameless, &[5], 900_000_000, &desk);
    assert!(matches!(row, Err(SolveError::TooLarge { .. })));
    let game = games::LONG_GLOBAL_NIM;
    let beyond = solver(game).answer(game, &game.position(&[900_000_000; 2]), &desk).unwrap_err();
    let said = "900000000,900000000{1..900000000} is beyond what can be searched";
    assert_eq!(beyond.to_string(), said);
}

/// By hand: 320 bytes for each coin, and 4 for each pile. The last position of a row or a tile
/// decides if the others are allowed; an empty row needs nothing.
#[test]
fn any_game_refuses_too_many_coins() {
    let game = plain(games::END_NIM);
    let (answer, row, tile) = (
        |memory| AnyGame.answer(game, &game.position(&[900; 2]), &desk(memory, 60.0)),
        |last, memory| AnyGame.row(game, &[5], last, &desk(memory, 60.0)),
        |last, memory| AnyGame.tile(game, &[5], last, &desk(memory, 60.0)),
    );
    let most = 1800 * 328;
    for (found, position, coins, memory) in [
        (refused(answer(most - 1)), "900,900", 1800.0, most),
        (refused(row(1000, 0)), "5,1000", 1005.0, 1005 * 328),
        (refused(tile(1000, 0)), "1000,5,1000", 2005.0, 2005 * 332),
    ] {
        let (named, limit, work) = found;
        assert_eq!((&*named, limit), (position, Limit::Memory));
        assert_eq!((work.cells, work.memory), (coins, memory), "{position}");
    }
    assert!(matches!(answer(most), Err(SolveError::Unfinished { .. })));
    let said =
        "900,900 is too large to compute here: about 1.8e3 cells, 0.01 seconds and 576.6 KiB";
    assert_eq!(answer(0).unwrap_err().to_string(), said);
    assert!(row(0, 0).unwrap().is_empty() && tile(0, 0).unwrap().is_empty());
}

/// By hand, for a pile of two, with a stack of waiting positions and a memo of known ones. First
/// the pile waits, then 0 and 1 too, then the 0 below the 1 once more. So there are at most four
/// positions of 160 bytes and 4 for the pile. At the start 2 · 324 bytes are required.
#[test]
fn a_search_takes_what_it_knows_and_what_waits() {
    let game = plain(games::NIM);
    let answer = |memory| AnyGame.answer(game, &game.position(&[2]), &desk(memory, 60.0));
    assert_eq!(answer(656).unwrap().value, Some(2));
    let said =
        "2 is too large to search here: 0 positions, 0.01 seconds and 656 bytes did not suffice";
    assert_eq!(answer(655).unwrap_err().to_string(), said);
    for (memory, needed, found) in [(655, 656, 0.0), (647, 648, 2.0)] {
        let (position, limit, work) = refused(answer(memory));
        assert_eq!((&*position, limit), ("2", Limit::Memory));
        assert_eq!((work.cells, work.memory), (found, needed));
    }
}

/// The clock is read once in 4096 looks; there is at least one look for each of the 201 · 202 / 2
/// positions. At the limit the search continues, and beyond it ends.
#[test]
fn a_search_looks_at_the_clock_now_and_then() {
    let game = Game::new(&UpToThree);
    let answer = |desk: &Desk<'_>| AnyGame.answer(game, &game.position(&[200, 200]), desk);
    assert_eq!(answer(&timed(&[64.0, 66.0])).unwrap().value, Some(0));
    let (position, limit, work) = refused(answer(&timed(&[64.0, 65.0, 66.0, 66.5])));
    assert_eq!((&*position, work.seconds, limit), ("200,200", 2.5, Limit::Seconds));
    // Three times 4096 looks: at least one for each position found, and not many more.
    assert!((2048.0..=3.0 * 4096.0).contains(&work.cells), "{work:?}");
    assert!(work.memory.is_multiple_of(168) && work.memory / 168 > work.cells as u64, "{work:?}");
    // The watcher receives the same numbers, and is not called for small positions.
    let watched = |times: &[f64]| Desk { watch: Some(look_on), ..timed(times) };
    let small = AnyGame.answer(game, &game.position(&[10, 10]), &watched(&[64.0, 90.0])).unwrap();
    assert_eq!((small.value, SEEN.take()), (Some(0), Vec::new()));
    assert!(answer(&watched(&[64.0, 65.0, 66.0, 66.5])).is_err());
    let seen = SEEN.take();
    assert_eq!(seen.iter().map(|work| work.seconds).collect::<Vec<_>>(), [1.0, 2.0, 2.5]);
    for work in &seen {
        assert!(work.cells > 0.0 && work.memory > 168 * work.cells as u64, "{work:?}");
    }
    assert!(is_stopped(&answer(&Desk { watch: Some(|_| false), ..timed(&[64.0]) })));
}

/// The solver for any game: in every game a memo of a MiB is too small. Neither moves nor an answer
/// exceed the time limit or ignore the watcher.
#[test]
fn the_solver_for_any_game_ends_at_the_limits() {
    // The clock advances a second at each look.
    let late: Vec<f64> = (0..1000).map(f64::from).collect();
    for game in Game::all() {
        // At least twenty thousand positions, those of End-Nim.
        let position = game.position(&[40; 6]);
        let (_, limit, work) = refused(AnyGame.answer(game, &position, &desk(1 << 20, 1e9)));
        assert_eq!(limit, Limit::Memory, "{game}");
        assert!((1 << 20..2 << 20).contains(&work.memory), "{game}: {work:?}");
        let (_, limit, work) = refused(AnyGame.moves(game, &position, &timed(&late)));
        assert!(limit == Limit::Seconds && work.cells > 0.0 && work.seconds > 2.0, "{game}");
        let watched = Desk { watch: Some(|_| false), ..timed(&[0.0]) };
        assert!(is_stopped(&AnyGame.answer(game, &position, &watched)), "{game}");
    }
}

/// Positions that are computed row by row instead of searched.
#[test]
fn who_watches_can_stop_a_rectangle() {
    let late: Vec<f64> = (0..10_000).map(f64::from).collect();
    let game = games::END_NIM;
    let answer =
        |piles: &[Pile], desk: &Desk<'_>| solver(game).answer(game, &game.position(piles), desk);
    for piles in [&[200, 5000][..], &[3; 300]] {
        assert!(is_stopped(&answer(piles, &Desk { watch: Some(|_| false), ..timed(&late) })));
        // There is no watcher, but the time is up sooner than estimated.
        let late = answer(piles, &timed(&late));
        assert!(matches!(late, Err(SolveError::TimeUp { .. })), "{piles:?}: {late:?}");
        // An interrupted computation does no harm.
        let known = answer(&[200, 5000], &Desk::with_nothing(&NoTables)).unwrap();
        assert_eq!(known.value, Some(200 ^ 5000));
    }
}

/// Estimated work may take four times as long, and at least a second.
#[test]
fn misere_nim_ends_when_it_is_late() {
    let game = games::MISERE_NIM;
    // 401 · 401 points, 2^16 of them between two looks.
    let position = game.position(&[400, 400]);
    let answer = |seconds, late| {
        let limits = Limits { memory: MemoryLimit::new(MUCH), seconds };
        solver(game).answer(game, &position, &Desk { limits, ..timed(&[64.0, 64.0 + late]) })
    };
    for (seconds, late) in [(0.5, 4.0), (1.0, 4.0), (2.0, 8.0)] {
        assert!(answer(seconds, late).is_ok(), "{seconds}");
        let (position, limit, _) = refused(answer(seconds, late + 0.5));
        assert_eq!((&*position, limit), ("400,400", Limit::Seconds));
    }
}

/// By hand: with 5000 rows it looks at the clock before rows 1 and 4097; with 41 · 42 points,
/// before the first and the 1025th.
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
        let (position, _, work) = refused(take(&timed(&[64.0, 66.5])));
        assert_eq!((&*position, work.seconds), (expected, 2.5));
    }
}

/// A row is checked after each of its positions, the last of which comes first; a tile is checked
/// after each row. Empty ones are not checked.
#[test]
fn positions_one_by_one_end_when_the_time_is_up() {
    let game = games::PARTIZAN_END_NIM;
    let row = |last, times: &[f64]| solver(game).row(game, &[5], last, &timed(times));
    let tile = |times: &[f64]| solver(game).tile(game, &[7], 2, &timed(times));
    // One for the tile, four for a row of two, one after it.
    let times = [64.0, 66.0, 66.0, 66.0, 66.0, 66.0, 66.5];
    for (found, expected) in [(row(3, &[64.0, 65.0, 66.0, 66.5]), "5,2"), (tile(&times), "1,7,2")] {
        let (position, _, work) = refused(found);
        assert_eq!((&*position, work.seconds), (expected, 2.5));
    }
    assert_eq!(tile(&times[..6]).unwrap().len(), 4);
    assert_eq!(row(3, &[64.0, 65.0, 66.0]).unwrap().len(), 3);
    assert!(row(0, &[64.0, 65.0, 66.0]).unwrap().is_empty());
    assert_eq!(clock::left(), 2);
}

/// The search for long global nim reads the clock now and then, and calls the watcher when more
/// than a tenth of a second has passed since the last call.
#[test]
fn a_search_of_sets_shows_itself() {
    let game = games::LONG_GLOBAL_NIM;
    let position = game.position(&[30, 31]);
    let answer = |desk: &Desk<'_>| solver(game).answer(game, &position, desk);
    // Exactly a tenth is too short.
    for (times, shown) in [
        (&[64.0, 64.0625, 64.25, 64.3125, 64.5, 64.625][..], [0.25, 0.5, 0.625]),
        (&[0.0, 0.1, 0.2, 0.5, 1.0], [0.2, 0.5, 1.0]),
    ] {
        match answer(&Desk { watch: Some(twice), ..timed(times) }) {
            Err(SolveError::Stopped { position }) => assert_eq!(position, "30,31{1..31}"),
            other => panic!("{other:?}"),
        }
        let seen = SEEN.take();
        assert_eq!(seen.iter().map(|work| work.seconds).collect::<Vec<_>>(), shown);
        for work in &seen {
            assert!(work.cells >= 1.0 && work.memory > work.cells as u64, "{work:?}");
        }
    }
    // The limit itself is allowed. The reported time is that of the end.
    let (name, limit, work) = refused(answer(&timed(&[64.0, 66.0, 66.0, 66.5, 67.0])));
    assert_eq!((&*name, work.seconds, limit), ("30,31{1..31}", 3.0, Limit::Seconds));
    assert!(work.cells > 0.0 && work.memory > work.cells as u64);
    // All moves share one time limit.
    let (_, _, work) = refused(solver(game).moves(game, &position, &timed(&[64.0, 66.5, 67.0])));
    assert_eq!(work.seconds, 3.0);
}

/// Questions in parallel share the memory; later single ones may have more.
#[test]
fn a_search_of_sets_shares_the_memory() {
    let game = games::LONG_GLOBAL_NIM;
    let position = game.position(&[30, 31, 32]);
    let used = |memory| {
        let (_, limit, work) = refused(solver(game).answer(game, &position, &desk(memory, 1e9)));
        assert_eq!((limit, work.seconds), (Limit::Memory, 0.0));
        work.memory
    };
    let quarter = 1 << 20;
    let (small, large) = (used(quarter), used(4 * quarter));
    assert!(small <= quarter && quarter < large && large <= 4 * quarter, "{small} {large}");
    let four = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    assert_eq!(four.install(|| used(4 * quarter)), small);
    // The memo of a finished search is not reused under another limit.
    assert_eq!((used(quarter), used(4 * quarter)), (small, large));
}

/// Stored positions need neither memory nor time.
#[test]
fn what_is_stored_takes_nothing() {
    for game in Game::all() {
        let shelf = tables_of(game, 4, 2).unwrap();
        let desk = Desk { limits: desk(0, 0.0).limits, ..Desk::with_nothing(&shelf) };
        for piles in [&[3][..], &[2, 3]] {
            let position: Position = game.position(piles);
            solver(game).answer(game, &position, &desk).unwrap();
            let (&last, word) = piles.split_last().unwrap();
            let row: Vec<Answer> = solver(game).row(game, word, last, &desk).unwrap();
            assert_eq!(row.len(), last as usize, "{game}");
        }
    }
}
