//! Tests exact limits of memory and time. Work at a limit is done, and work beyond it is refused
//! with its exact cost. The expected costs were calculated by hand from the documented costs of
//! cells, rows and steps. The tests have their own clock.

use std::cell::RefCell;

use grundy_rules::{Game, Pile, Position, games};
use grundy_solvers::{AnyGame, Effort, Env, Limit, NoTables, SolveError, Solver, solver};

use crate::common::{clock, env, plain, tables_of};
use crate::compiled::game;
use crate::toys::UpToThree;

const MUCH: u64 = 1 << 30;

/// Returns an environment whose clock returns these times, with a limit of two seconds.
fn timed(times: &[f64]) -> Env<'static> {
    clock::set(times);
    Env { clock: clock::now, ..env(MUCH, 2.0) }
}

thread_local! {
    static SEEN: RefCell<Vec<Effort>> = const { RefCell::new(Vec::new()) };
}

/// A watcher that never stops the work, and stores the efforts in `SEEN`.
fn look_on(work: &Effort) -> bool {
    SEEN.with_borrow_mut(|seen| seen.push(*work));
    true
}

/// A watcher that stops the work when it is called for the third time.
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

/// Tests that the refusal precedes the list of moves, which would fill the memory.
#[test]
fn moves_of_too_many_coins_are_not_listed() {
    let env = env(4 << 30, 60.0);
    for game in Game::all() {
        for solver in [solver(game), &AnyGame] {
            let error = solver.moves(game, &game.position(&[900_000_000]), &env).unwrap_err();
            let SolveError::TooManyMoves { coins, .. } = error else { panic!("{game}: {error}") };
            assert_eq!(coins, 900_000_000);
        }
        let position = game.position(&[900_000_000, 900_000_000]);
        let (position, limit, _) = refused(AnyGame.answer(game, &position, &env));
        assert_eq!((&*position, limit), ("900000000,900000000", Limit::Memory), "{game}");
    }
}

#[test]
fn every_family_answers_or_refuses_large_positions() {
    let env = env(1 << 24, 1.0);
    for game in Game::all() {
        for piles in [&[900_000_000][..], &[900_000_000; 2], &[1_000_000; 40], &[60_000, 1, 60_000]]
        {
            match solver(game).answer(game, &game.position(piles), &env) {
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
    let row = solver(nameless).row(nameless, &[5], 900_000_000, &env);
    assert!(matches!(row, Err(SolveError::TooLarge { .. })));
    let game = games::LONG_GLOBAL_NIM;
    let beyond = solver(game).answer(game, &game.position(&[900_000_000; 2]), &env).unwrap_err();
    let said = "900000000,900000000{1..900000000} is too large for a search";
    assert_eq!(beyond.to_string(), said);
}

/// The messages of refusals state the effort.
#[test]
fn refusals_name_the_needed_time_and_memory() {
    let answer = |game: Game, piles: &[Pile], memory| {
        AnyGame.answer(game, &game.position(piles), &env(memory, 60.0)).unwrap_err().to_string()
    };
    assert_eq!(
        answer(plain(games::END_NIM), &[900; 2], 0),
        "900,900 is too large to compute here: about 1.8e3 cells and 576.6 KiB"
    );
    assert_eq!(
        answer(plain(games::NIM), &[2], 655),
        "2 is too large to search here: 0 positions, 0.01 seconds and 656 bytes did not suffice"
    );
}

/// Tests that the watcher receives the efforts of a search, and is not called for small positions.
#[test]
fn a_search_reads_the_clock_regularly() {
    let game = Game::new(&UpToThree);
    let answer = |env: &Env<'_>| AnyGame.answer(game, &game.position(&[200, 200]), env);
    let (_, _, work) = refused(answer(&timed(&[64.0, 65.0, 66.0, 66.5])));
    // The clock is read at every 256th look. Each position takes one look or a few looks.
    assert!((128.0..=3.0 * 256.0).contains(&work.cells), "{work:?}");
    let watched = |times: &[f64]| Env { watch: Some(look_on), ..timed(times) };
    let small = AnyGame.answer(game, &game.position(&[10, 10]), &watched(&[64.0, 90.0])).unwrap();
    assert_eq!((small.value, SEEN.take()), (Some(0), Vec::new()));
    assert!(answer(&watched(&[64.0, 65.0, 66.0, 66.5])).is_err());
    let seen = SEEN.take();
    assert_eq!(seen.iter().map(|work| work.seconds).collect::<Vec<_>>(), [1.0, 2.0, 2.5]);
    // At the first look, the search has gone down only, and has found no value.
    assert!(seen.iter().is_sorted_by(|work, next| work.cells < next.cells));
    assert!(seen.iter().all(|work| work.memory > 168 * work.cells as u64));
    assert!(is_stopped(&answer(&Env { watch: Some(|_| false), ..timed(&[64.0]) })));
}

/// Tests that the solver for any game, with one MiB of memory, refuses a position of every game.
/// Listing moves ends at the time limit, and answering ends when the watcher stops the work.
#[test]
fn the_solver_for_any_game_ends_at_the_limits() {
    // The clock advances a second at each look.
    let late: Vec<f64> = (0..1000).map(f64::from).collect();
    for game in Game::all() {
        // In every game, at least 20,000 positions are below this position. End-Nim has the fewest.
        let position = game.position(&[40; 6]);
        let (_, limit, work) = refused(AnyGame.answer(game, &position, &env(1 << 20, 1e9)));
        assert_eq!(limit, Limit::Memory, "{game}");
        assert!((1 << 20..2 << 20).contains(&work.memory), "{game}: {work:?}");
        let (_, limit, work) = refused(AnyGame.moves(game, &position, &timed(&late)));
        assert!(limit == Limit::Seconds && work.seconds > 2.0, "{game}");
        let watched = Env { watch: Some(|_| false), ..timed(&[0.0]) };
        assert!(is_stopped(&AnyGame.answer(game, &position, &watched)), "{game}");
    }
}

/// Tests that computations by rows can be stopped, and that later computations still work.
#[test]
fn the_watch_function_can_stop_a_rectangle() {
    let game = games::END_NIM;
    let answer =
        |piles: &[Pile], env: &Env<'_>| solver(game).answer(game, &game.position(piles), env);
    for piles in [&[200, 5000][..], &[3; 300]] {
        assert!(is_stopped(&answer(piles, &Env { watch: Some(|_| false), ..timed(&[0.0, 1.0]) })));
        let known = answer(&[200, 5000], &Env::with_nothing(&NoTables)).unwrap();
        assert_eq!(known.value, Some(200 ^ 5000));
    }
}

/// Each case has the position that a refusal names, a computation, its limit, and clock times
/// within and beyond the limit. A search reads the clock at every 4096th look, and a rule file at
/// every 1024th choice. Other computations read it before rows 1 and 4097 of 5000, before points 1
/// and 1025 of 41 · 42, and before points 1 and 2^16 of 401 · 401. They also read it after each
/// position of a row (the last position comes first), and after each row of a tile. Nim may take
/// four times the limit, and at least 4 s.
#[test]
fn every_computation_ends_at_its_time_limit() {
    let answer = |game: Game, piles: &'static [Pile]| {
        move |env: &Env<'_>| solver(game).answer(game, &game.position(piles), env).map(|_| ())
    };
    let (short, rows) = (games::SHORT_GLOBAL_NIM, games::PARTIZAN_END_NIM);
    let (three, nim) =
        (answer(Game::new(&UpToThree), &[200, 200]), answer(games::MISERE_NIM, &[400, 400]));
    let (one, two, end) =
        (answer(short, &[5000]), answer(short, &[40, 41]), answer(games::END_NIM, &[200, 5000]));
    let head = "name: x\ntitle: X\nsource: x\npiles: row\n";
    let many = answer(game(&format!("{head}move: s in 1..99, t in 1..19 if s < 0: p1 -= t")), &[5]);
    let records = |env: &Env<'_>| {
        solver(short).records(short).unwrap().each(short, 5000, env, &mut |_, _| true)
    };
    let listed = |env: &Env<'_>| solver(short).row(short, &[], 5000, env).map(|_| ());
    let row = |env: &Env<'_>| solver(rows).row(rows, &[5], 3, env).map(|_| ());
    let tile = |env: &Env<'_>| solver(rows).tile(rows, &[7], 2, env).map(|_| ());
    type Ask<'a> = &'a dyn Fn(&Env<'_>) -> Result<(), SolveError>;
    let (in_time, late): (&[f64], &[f64]) = (&[64.0, 66.0], &[64.0, 66.5]);
    // The clock is read once for the tile, four times for a row of two cells, and once after a row.
    let in_tile = [64.0, 66.0, 66.0, 66.0, 66.0, 66.0, 66.5];
    for (expected, ask, seconds, in_time, late) in [
        ("200,200", &three as Ask<'_>, 2.0, in_time, late),
        ("400,400", &nim, 0.5, &[64.0, 68.0], &[64.0, 68.5]),
        ("400,400", &nim, 1.0, &[64.0, 68.0], &[64.0, 68.5]),
        ("400,400", &nim, 2.0, &[64.0, 72.0], &[64.0, 72.5]),
        ("5000", &one, 2.0, in_time, late),
        ("5000", &records, 2.0, in_time, late),
        ("5000", &listed, 2.0, in_time, late),
        ("40,41", &two, 2.0, in_time, late),
        ("5", &many, 2.0, in_time, late),
        ("200,5000", &end, 2.0, in_time, late),
        ("5,2", &row, 2.0, &[64.0, 65.0, 66.0], &[64.0, 65.0, 66.0, 66.5]),
        ("1,7,2", &tile, 2.0, &in_tile[..6], &in_tile),
    ] {
        let limited = |times: &[f64]| Env { limits: env(MUCH, seconds).limits, ..timed(times) };
        ask(&limited(in_time)).unwrap();
        let (position, limit, work) = refused(ask(&limited(late)));
        assert_eq!((&*position, limit), (expected, Limit::Seconds));
        // If the work was estimated before, the error contains the estimate.
        let taken = late[late.len() - 1] - late[0];
        assert!(work.seconds == taken || expected == "400,400", "{expected}: {work:?}");
    }
}

/// Tests that the search for long global nim reads the clock regularly, and calls the watcher if
/// the last call was more than a tenth of a second ago.
#[test]
fn a_search_of_sets_reports_progress() {
    let game = games::LONG_GLOBAL_NIM;
    let position = game.position(&[30, 31]);
    let answer = |env: &Env<'_>| solver(game).answer(game, &position, env);
    // The watcher is not called after exactly a tenth of a second.
    for (times, shown) in [
        (&[64.0, 64.0625, 64.25, 64.3125, 64.5, 64.625][..], [0.25, 0.5, 0.625]),
        (&[0.0, 0.1, 0.2, 0.5, 1.0], [0.2, 0.5, 1.0]),
    ] {
        match answer(&Env { watch: Some(twice), ..timed(times) }) {
            Err(SolveError::Stopped { position }) => assert_eq!(position, "30,31{1..31}"),
            other => panic!("{other:?}"),
        }
        let seen = SEEN.take();
        assert_eq!(seen.iter().map(|work| work.seconds).collect::<Vec<_>>(), shown);
        for work in &seen {
            assert!(work.cells >= 1.0 && work.memory > work.cells as u64, "{work:?}");
        }
    }
    // A time equal to the limit is allowed. The error reports the time at the end.
    let (name, limit, work) = refused(answer(&timed(&[64.0, 66.0, 66.0, 66.5, 67.0])));
    assert_eq!((&*name, work.seconds, limit), ("30,31{1..31}", 3.0, Limit::Seconds));
    assert!(work.cells > 0.0 && work.memory > work.cells as u64);
    // All moves share one time limit.
    let (_, _, work) = refused(solver(game).moves(game, &position, &timed(&[64.0, 66.5, 67.0])));
    assert_eq!(work.seconds, 3.0);
}

/// Tests that parallel searches share the memory, and that a single search may use all of it.
#[test]
fn a_search_of_sets_shares_the_memory() {
    let game = games::LONG_GLOBAL_NIM;
    let position = game.position(&[30, 31, 32]);
    let used = |memory| {
        let (_, limit, work) = refused(solver(game).answer(game, &position, &env(memory, 1e9)));
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

#[test]
fn a_stored_position_needs_no_memory_and_no_time() {
    for game in Game::all() {
        let shelf = tables_of(game, 4, 2).unwrap();
        let env = Env { limits: env(0, 0.0).limits, ..Env::with_nothing(&shelf) };
        for piles in [&[3][..], &[2, 3]] {
            let position: Position = game.position(piles);
            solver(game).answer(game, &position, &env).unwrap();
            let (&last, word) = piles.split_last().unwrap();
            let row = solver(game).row(game, word, last, &env).unwrap();
            assert_eq!(row.len(), last as usize, "{game}");
        }
    }
}
