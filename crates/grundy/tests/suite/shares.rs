//! Tests that compare the shares of checks and lists with one undivided run, for every game.

use std::ops::RangeInclusive;

use grundy::{
    Ask, AskError, CheckReport, CheckedShare, Control, Game, MergeError, Pile, Question, Remembers,
    games, misere_form,
};
use grundy_sweep::cut;

use crate::common::{built, own_games};

type Sizes = (Game, RangeInclusive<usize>, Pile);

/// Returns games of every kind, with sizes that are divided in different ways.
fn all() -> Vec<Sizes> {
    let mut all: Vec<Sizes> = Game::all()
        .flat_map(|game| {
            let size = match game.remembers() {
                Remembers::Nothing => (game, 1..=5, 4),
                _ => (game, 1..=2, 4),
            };
            [size, (game, 1..=1, 9)]
        })
        .collect();
    all.extend(own_games().map(|game| (game, 1..=3, 5)));
    all.push((misere_form(games::END_NIM).unwrap(), 1..=4, 3));
    all.push((misere_form(games::NIM).unwrap(), 1..=3, 5));
    // At these lengths rows are walked in parts.
    all.push((games::LOOP_END_NIM, 5..=6, 4));
    all.push((games::PARTIZAN_END_NIM, 3..=4, 20));
    // These levels are filled as a whole, and walked in two to eight parts.
    all.push((games::NIM, 4..=4, 40));
    for (name, length, max_pile) in [("wythoff", 2, 400), ("misere-kayles", 3, 45)] {
        all.push((grundy::game(name).unwrap(), length..=length, max_pile));
    }
    all
}

/// Returns a statement that is false at many positions and true at others.
fn question(game: Game) -> Question {
    let text = match game.is_impartial() {
        true => "g >= 1 -> sum(piles) % 3 == 1",
        false => "not P -> sum(piles) % 3 == 1",
    };
    Question::parse(game, text).unwrap()
}

fn without_time(checked: CheckReport) -> CheckReport {
    CheckReport { seconds: 0.0, ..checked }
}

fn as_text(share: &CheckedShare) -> CheckedShare {
    serde_json::from_str(&serde_json::to_string(share).unwrap()).unwrap()
}

/// Checks that merged shares equal one check. Returns true if there was a counterexample.
fn shares_are_one_check(ask: &Ask<'_>, lengths: &RangeInclusive<usize>, max_pile: Pile) -> bool {
    let whole = ask.check(lengths.clone(), max_pile).unwrap();
    let expected = without_time(CheckReport { read: false, computed: true, ..whole });
    let mut pieces = ask.pieces(lengths.clone(), max_pile).unwrap();
    // Divide even where it costs more than it saves.
    pieces.iter_mut().for_each(|piece| piece.begin = 0.0);
    for shares in [1, 2, 7, 64] {
        let cut = cut(&pieces, shares);
        let covered = cut.iter().rev().map(|share| {
            let covered = ask.check_share(share, lengths.clone(), max_pile);
            as_text(&covered.unwrap().unwrap())
        });
        let covered: Vec<CheckedShare> = covered.collect();
        let merged = ask.merge_checked(covered, lengths.clone(), max_pile).unwrap();
        assert_eq!(without_time(merged), expected, "{shares} shares of {ask:?}, {lengths:?}");
    }
    expected.failures > 0
}

#[test]
fn shares_of_a_check_merge_to_one_check() {
    let mut idle = Vec::new();
    for (game, lengths, max_pile) in all() {
        let question = question(game);
        for show in [1, 5] {
            if !shares_are_one_check(&Ask::new(&question).show(show), &lengths, max_pile) {
                idle.push((game, lengths.clone()));
            }
        }
    }
    // At most two games have no counterexample. `idle` lists a game twice, once for each `show`.
    assert!(idle.len() <= 4, "{idle:?}");
}

/// An undivided run reads stored tables. Shares use tables only for the look-ups of the statement.
#[test]
fn a_database_changes_no_share() {
    for (game, max_pile, lengths) in [(games::END_NIM, 4, 2..=6), (games::NIM, 6, 2..=4)] {
        let (_folder, database) = built(game, max_pile, *lengths.end());
        let question =
            Question::parse(game, "g >= 2 -> P[misere-end-nim] or (all options: option != 3)")
                .unwrap();
        let ask = Ask::new(&question).database(&database).show(3);
        assert!(ask.check(lengths.clone(), max_pile).unwrap().read);
        assert!(shares_are_one_check(&ask, &lengths, max_pile));
        let pieces = Ask::new(&question).pieces(lengths.clone(), max_pile).unwrap();
        assert_eq!(pieces, ask.pieces(lengths, max_pile).unwrap());
    }
}

#[test]
fn a_stopped_share_has_no_result() {
    let question = question(games::END_NIM);
    let control = Control::new();
    let ask = Ask::new(&question).control(&control);
    control.stop();
    assert_eq!(ask.check_share(&[(1, 0..1)], 4..=5, 5).unwrap(), None);
    for share in [(9, 0..1), (usize::MAX, 0..1), (1, 0..6), (1, 4..4)] {
        let refused = ask.check_share(std::slice::from_ref(&share), 4..=5, 5);
        assert!(matches!(refused, Err(AskError::NoSuchPart { .. })), "{share:?}");
    }
    // The estimated time of a part is its fraction of the whole time.
    let (_, whole) = Ask::new(&question).estimate(5..=5, 4).unwrap();
    let parts = Ask::new(&question).pieces(5..=5, 4).unwrap()[0].parts;
    let short = Ask::new(&question).seconds(1.5 * whole / parts as f64);
    assert!(parts > 1 && short.check_share(&[(0, 0..1)], 5..=5, 4).is_ok());
    assert!(matches!(short.check_share(&[(0, 0..parts)], 5..=5, 4), Err(AskError::Seconds { .. })));
    let hasty = Ask::new(&question).seconds(1e-12);
    let refused = hasty.check_share(&[(1, 0..1)], 4..=5, 5);
    assert!(matches!(refused, Err(AskError::Seconds { .. })));
}

/// For one and two piles up to 9, the estimated time on two threads is half of that on one thread.
#[test]
fn an_estimate_is_shared_by_threads() {
    let question = question(games::END_NIM);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Ask::new(&question).estimate(1..=2, 9).unwrap())
    };
    let ((positions, one), (_, two)) = (on(1), on(2));
    assert_eq!(positions, 9 + 81);
    assert!(two > 0.0 && (one / two - 2.0).abs() < 1e-9, "{one} {two}");
}

#[test]
fn shares_of_another_check_are_refused() {
    let question = question(games::END_NIM);
    let ask = Ask::new(&question).show(4);
    let share = || ask.check_share(&[(0, 0..1)], 4..=4, 4).unwrap();
    for (game, text) in [(games::END_NIM, "P"), (games::NIM, question.text())] {
        let other = Question::parse(game, text).unwrap();
        let refused = Ask::new(&other).show(4).merge_checked(share(), 4..=4, 4);
        assert!(matches!(refused, Err(AskError::Merge(MergeError::OtherWork))), "{refused:?}");
    }
    ask.merge_checked(share(), 4..=4, 4).unwrap();
    for (show, lengths, max_pile) in [(3, 4..=4, 4), (4, 4..=4, 5), (4, 4..=5, 4)] {
        let other = ask.clone().show(show);
        let refused = other.merge_checked(share(), lengths, max_pile);
        assert!(matches!(refused, Err(AskError::Merge(MergeError::OtherWork))), "{refused:?}");
    }
}
