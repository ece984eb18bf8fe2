use grundy_sweep::MemoryLimit;
use std::cell::RefCell;

use super::*;
use crate::NoTables;

#[test]
fn an_answer_has_one_number() {
    let value = Answer::of_value(5, Source::Table);
    assert_eq!((value.number(), value.outcome, value.to_string()), (5, Outcome::N, "5".into()));
    assert_eq!(Answer::of_value(0, Source::Table).outcome, Outcome::P);
    let thresholds = Answer::of_thresholds(7, 3, Source::Computed);
    assert_eq!((thresholds.number(), thresholds.value), (7, None));
    assert_eq!(thresholds.thresholds, Some((7, 3)));
    // docs/FORMAT.md defines the indices of L, R, N and P.
    for (place, class) in (0..).zip([Outcome::L, Outcome::R, Outcome::N, Outcome::P]) {
        let answer = Answer::of_class(class, Source::TableAndComputed);
        assert_eq!((answer.number(), answer.outcome, answer.value), (place, class, None));
        assert_eq!(answer.to_string(), class.to_string());
        assert!(!answer.to_string().is_empty());
    }
    let all = [Source::Table, Source::TableAndComputed, Source::Computed];
    assert_eq!(all.map(|s| s.to_string()), ["table", "table+computed", "computed"]);
    let proved = [Source::Theorem, Source::Period].map(|s| s.to_string());
    assert_eq!(proved, ["theorem", "period"]);
}

/// A move wins if the player who makes it wins the resulting position by moving second.
#[test]
fn a_move_wins_that_leads_to_where_the_other_loses() {
    let wins =
        |player| [Outcome::L, Outcome::R, Outcome::N, Outcome::P].map(|o| is_winning(player, o));
    assert_eq!(wins(Player::Left), [true, false, false, true]);
    assert_eq!(wins(Player::Right), [false, true, false, true]);
    assert_eq!(wins(Player::Either), [false, false, false, true]);
}

#[test]
fn work_is_shown_in_fitting_units() {
    let work = Effort { cells: 1200.0, seconds: 2.0, memory: (3 << 20) + 1 };
    assert_eq!(work.to_string(), "about 1.2e3 cells, 2 seconds and 3.0 MiB");
    let Limits { memory, seconds } = Limits::default();
    assert_eq!((memory.bytes(), seconds), (4_294_967_296, 60.0));
}

#[test]
fn a_long_row_is_named_by_its_ends() {
    let mut row = vec![7];
    assert_eq!(named(&row), "7");
    assert_eq!(named(&[550, 2, 0, 0]), "550,2,0,0");
    row.extend([1; 10]);
    row.push(9);
    assert_eq!(named(&row), "7,1,1,1,1,1,1,1,1,1,1,9");
    row.push(8);
    assert_eq!(named(&row), "the row 7,...,8 of 13 piles");
}

#[test]
fn ten_million_moves_are_listed_and_no_more() {
    check_moves(&Position::row(&[4_000_000, 6_000_000])).unwrap();
    match check_moves(&Position::row(&[4_000_000, 6_000_001])) {
        Err(SolveError::TooManyMoves { position, coins, limit }) => {
            assert_eq!((&*position, coins), ("4000000,6000001", 10_000_001));
            assert_eq!(limit, 10_000_000);
        }
        other => panic!("{other:?}"),
    }
}

thread_local! {
    static NOW: Cell<f64> = const { Cell::new(0.0) };
    static SEEN: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
}

fn env(seconds: f64, watch: Watch) -> Env<'static> {
    let limits = Limits { memory: MemoryLimit::new(0), seconds };
    Env { limits, clock: || NOW.get(), watch: Some(watch), ..Env::with_nothing(&NoTables) }
}

/// Calls `look` at these times, and returns each result.
fn looks(watched: &Watched<'_>, times: &[f64]) -> Vec<Result<(), String>> {
    let look = |&time: &f64| {
        NOW.set(time);
        watched.look(&[5]).map_err(|error| error.to_string())
    };
    times.iter().map(look).collect()
}

#[test]
fn a_computation_ends_at_its_time_limit() {
    let watched = env(2.0, |_| true);
    let found = looks(&Watched::new(&watched), &[64.0, 65.0, 66.0, 66.5]);
    assert_eq!(found[..3], [Ok(()), Ok(()), Ok(())]);
    assert_eq!(found[3], Err("out of time at 5, after 2.5 seconds".into()));
    let stopped = env(2.0, |_| false);
    let found = looks(&Watched::new(&stopped), &[64.0, 64.0625, 65.0]);
    assert_eq!(found, [Ok(()), Ok(()), Err("the search for 5 was stopped".into())]);
}

/// A solver error from a store stays the same; any other error becomes an error of the store.
#[test]
fn an_error_of_a_store_is_passed_on() {
    let inner = SolveError::Stopped { position: "1,2".into() };
    let store: StoreError = Box::new(inner);
    assert!(
        matches!(SolveError::from(store), SolveError::Stopped { position } if position == "1,2")
    );
    let store: StoreError = "lost".into();
    let error = SolveError::from(store);
    assert!(matches!(error, SolveError::Store(_)));
    assert_eq!(error.to_string(), "lost");
}
