//! Tests true and false statements of users, and a check that is stopped.

use std::sync::atomic::{AtomicU64, Ordering};

use grundy::{Control, Error, Statement, games, nim_sum};

/// Bouton's theorem (1901): the value of a position of Nim is the XOR of its piles.
#[test]
fn a_theorem_holds() {
    let statement = Statement::new(games::NIM, |at| at.value == nim_sum(at.piles));
    let verdict = statement.check(1..=4, 20).unwrap();
    // There are 20 + 210 + 1540 + 8855 multisets of 1 to 4 piles up to 20.
    assert_eq!((verdict.checked, verdict.failures, verdict.holds()), (10_625, 0, true));
}

#[test]
fn an_asymmetric_predicate_is_checked_on_both_readings() {
    let statement = Statement::new(games::END_NIM, |at| at.piles != [3, 1, 2]);
    let verdict = statement.check(3..=3, 4).unwrap();
    assert_eq!((verdict.checked, verdict.failures), (64, 1));
    // The options of 3,1,2 are 1,2 and 1,1,2 and 2,1,2 and 3,1 and 3,1,1, with values 3, 2, 0, 2,
    // 3.
    let (position, value) = &verdict.least[0];
    assert_eq!((position.to_string().as_str(), *value), ("3,1,2", 1));
}

#[test]
fn a_check_can_be_watched_and_stopped() {
    let last = AtomicU64::new(0);
    let hook = |progress: grundy::Progress| {
        last.fetch_max(progress.done, Ordering::Relaxed);
        progress.done < progress.total / 2
    };
    let statement = Statement::new(games::END_NIM, |at| at.value < 1000).watched(&hook);
    let verdict = statement.check(1..=5, 40).unwrap();
    assert!(!verdict.complete && !verdict.holds() && verdict.failures == 0);
    assert!(verdict.checked > 0 && last.into_inner() > 0);
    assert_eq!(verdict.verdict().word(), "stopped");

    let control = Control::new();
    control.stop();
    let statement = Statement::new(games::END_NIM, |_| true).control(&control);
    assert!(!statement.check(1..=3, 9).unwrap().complete);
    let statement = Statement::new(games::END_WYTHOFF, |_| true).memory(100);
    assert!(matches!(statement.check(1..=3, 9), Err(Error::Memory { .. })));
    let statement = Statement::new(games::END_WYTHOFF, |_| true);
    assert!(matches!(statement.check(0..=3, 9), Err(Error::Table(_))));
}
