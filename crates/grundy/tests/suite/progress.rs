//! Tests of the progress that a walk reports.
//!
//! Seven piles up to 8 have (8^5 + 8^3) / 2 = 16,640 middles up to reversal, and so 16,640 · 64 =
//! 1,064,960 values. Eight piles have (8^6 + 8^3) / 2 middles and 8,404,992 values. A thread calls
//! the hook after every 2^22 = 4,194,304 values, so twice for eight piles. The reported counts
//! differ from the calculated counts by a few blocks, each of a few thousand values.

use std::sync::Mutex;

use grundy::{Ask, AskError, Control, Level, Progress, Question, Statement, games};

const SEVEN: u64 = 1_064_960;
const EIGHT: u64 = 8_404_992;
const LOOK: u64 = 1 << 22;

/// Returns the calls of the hook in a walk on one thread.
fn heard(walk: impl FnOnce(&(dyn Fn(Progress) -> bool + Sync)) + Send) -> Vec<Progress> {
    let all = Mutex::new(Vec::new());
    let hook = |progress: Progress| {
        all.lock().unwrap().push(progress);
        true
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| walk(&hook));
    all.into_inner().unwrap()
}

fn assert_are(heard: &[Progress], total: u64, done: &[u64]) {
    assert_eq!(heard.len(), done.len(), "{heard:?}");
    for (progress, &expected) in heard.iter().zip(done) {
        assert_eq!(progress.total, total);
        assert!(progress.done.abs_diff(expected) < 40_000, "{progress:?}, not {expected}");
    }
}

/// If a question or a closure walks several levels, the progress includes the earlier levels.
#[test]
fn levels_before_are_counted() {
    let question = Question::parse(games::END_NIM, "total >= 7").unwrap();
    let control = Control::new();
    let found = heard(|hook| {
        let ask = Ask::new(&question).control(&control).watched(hook);
        assert!(ask.check(7..=8, 8).unwrap().holds());
    });
    assert_are(&found, SEVEN + EIGHT, &[SEVEN + LOOK, SEVEN + 2 * LOOK]);
    assert_eq!(control.done(), SEVEN + EIGHT);
    let found = heard(|hook| {
        let statement = Statement::new(games::END_NIM, |at| at.value < 1000).watched(hook);
        let verdict = statement.check(7..=8, 8).unwrap();
        assert!(verdict.holds() && verdict.checked == 8u64.pow(7) + 8u64.pow(8));
    });
    assert_are(&found, SEVEN + EIGHT, &[SEVEN + LOOK, SEVEN + 2 * LOOK]);
}

/// A list ends soon after it is stopped. The first level is in memory, the second is looked up row
/// by row, and the third has sets of moves.
#[test]
fn a_stopped_list_ends() {
    for (game, length, max_pile, memory) in [
        (games::END_NIM, 3, 20, 1 << 30),
        (games::END_NIM, 4, 20, 1 << 16),
        (games::LONG_GLOBAL_NIM, 1, 12, 1 << 30),
    ] {
        let question = Question::parse(game, "g >= 0").unwrap();
        let control = Control::new();
        let mut shown = 0u64;
        let ended = Ask::new(&question).memory(memory).control(&control).find(
            length..=length,
            max_pile,
            |_, _| {
                shown += 1;
                control.stop();
                Ok::<bool, AskError>(true)
            },
        );
        let all = Level::new(game, length, max_pile).unwrap().positions();
        assert!(!ended.unwrap() && shown < all, "{game}: {shown} of {all}");
    }
}

/// The level of eight piles has 2080 parts, one for each inner word. The share contains 1560 of
/// these parts, and so about three quarters of the values.
#[test]
fn progress_counts_earlier_pieces() {
    let question = Question::parse(games::END_NIM, "total >= 7").unwrap();
    let found = heard(|hook| {
        let ask = Ask::new(&question).watched(hook);
        let pieces = ask.pieces(7..=8, 8).unwrap();
        assert_eq!((pieces[0].parts, pieces[1].parts), (288, 2080));
        ask.check_share(&[(0, 0..288), (1, 0..1560)], 7..=8, 8).unwrap().unwrap();
    });
    assert_are(&found, SEVEN + 6_303_744, &[SEVEN + LOOK]);
}
