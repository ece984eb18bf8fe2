//! Shares of checks and of lists, of every game, against one run.

use std::ops::{Range, RangeInclusive};

use grundy::{
    Ask, AskError, Checked, CheckedShare, Control, Game, MergeError, Piece, Pile, Question,
    Remembers, games, misere_form,
};
use serde_json::{Value, json};

use crate::common::{built, own_games};

type Sizes = (Game, RangeInclusive<usize>, Pile);
type Share = Vec<(usize, Range<u64>)>;

/// Every game there is, some in their misère form and some of one's own, with sizes that are cut in
/// many ways.
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
    // Rows of so many piles are walked in parts.
    all.push((games::LOOP_END_NIM, 5..=6, 4));
    all.push((games::PARTIZAN_END_NIM, 3..=4, 20));
    all
}

/// Something that is false of many positions and true of others.
fn question(game: Game) -> Question {
    let text = match game.is_impartial() {
        true => "g >= 1 -> sum(piles) % 3 == 1",
        false => "not P -> sum(piles) % 3 == 1",
    };
    Question::parse(game, text).unwrap()
}

/// The parts of all pieces, cut into so many shares of about as many parts.
fn cut(pieces: &[Piece], shares: usize) -> Vec<Share> {
    let parts = pieces.iter().map(|piece| piece.parts).enumerate();
    let all: Vec<(usize, u64)> =
        parts.flat_map(|(piece, parts)| (0..parts).map(move |part| (piece, part))).collect();
    let bounds: Vec<usize> = (0..=shares).map(|share| share * all.len() / shares).collect();
    let share = |bound: &[usize]| {
        let mut share: Share = Vec::new();
        for &(piece, part) in &all[bound[0]..bound[1]] {
            match share.last_mut().filter(|(last, parts)| (*last, parts.end) == (piece, part)) {
                Some((_, parts)) => parts.end += 1,
                None => share.push((piece, part..part + 1)),
            }
        }
        share
    };
    bounds.windows(2).map(share).collect()
}

fn without_time(checked: Checked) -> Checked {
    Checked { seconds: 0.0, ..checked }
}

/// Another order of numbers below `count`: every seventh, then the next.
fn shuffled(count: usize) -> impl Iterator<Item = usize> {
    (0..7).rev().flat_map(move |first| (first..count).step_by(7))
}

fn as_text(share: &CheckedShare) -> CheckedShare {
    serde_json::from_str(&serde_json::to_string(share).unwrap()).unwrap()
}

/// Whether there was something to gather.
fn shares_are_one_check(ask: &Ask<'_>, lengths: &RangeInclusive<usize>, max_pile: Pile) -> bool {
    let whole = ask.check(lengths.clone(), max_pile).unwrap();
    let expected = without_time(Checked { read: false, computed: true, ..whole });
    let pieces = ask.pieces(lengths.clone(), max_pile).unwrap();
    for shares in [1, 2, 7, 64] {
        let cut = cut(&pieces, shares);
        let covered = shuffled(shares).map(|share| {
            let covered = ask.check_share(&cut[share], lengths.clone(), max_pile);
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
    // Of a game or two every position of the size satisfies it; of the others there is something.
    assert!(idle.len() <= 4, "{idle:?}");
}

/// What is stored is read in one run, and changes nothing of the shares but where the values of
/// other positions come from.
#[test]
fn a_database_changes_no_share() {
    for (game, max_pile, lengths) in [(games::END_NIM, 4, 2..=6), (games::NIM, 6, 2..=4)] {
        let (_folder, database) = built(game, max_pile, *lengths.end());
        let question = Question::parse(game, "g >= 2 -> all options: option != 3").unwrap();
        let ask = Ask::new(&question).database(&database).show(3);
        assert!(ask.check(lengths.clone(), max_pile).unwrap().read);
        assert!(shares_are_one_check(&ask, &lengths, max_pile));
        let pieces = Ask::new(&question).pieces(lengths.clone(), max_pile).unwrap();
        assert_eq!(pieces, ask.pieces(lengths, max_pile).unwrap());
    }
}

/// How many parts there are, counted by hand.
#[test]
fn levels_are_cut_as_walks_that_compute_them() {
    let parts = |game, lengths: RangeInclusive<usize>, max_pile| -> Vec<u64> {
        let question = Question::parse(game, "P").unwrap();
        let pieces = Ask::new(&question).pieces(lengths, max_pile).unwrap();
        assert!(pieces.iter().all(|piece| piece.seconds > 0.0 && piece.memory > 0));
        pieces.iter().map(|piece| piece.parts).collect()
    };
    // Inner words of one and of two piles up to four, each with its reversal.
    assert_eq!(parts(games::END_NIM, 4..=6, 4), [1, 4, 10]);
    // A level that is filled as a whole.
    assert_eq!(parts(games::NIM, 1..=4, 9), [1; 4]);
    // Tiles of 64 · 64 cells, sixteen a unit.
    assert_eq!(parts(games::PARTIZAN_END_NIM, 3..=4, 64), [4, 256]);
    // Single piles with their last moves: a part each.
    assert_eq!(parts(games::SHORT_GLOBAL_NIM, 1..=1, 9), [9]);
}

/// What one run lists, and what shares list one after another.
fn list(
    ask: &Ask<'_>,
    shares: Option<&[Share]>,
    lengths: &RangeInclusive<usize>,
    max_pile: Pile,
) -> Vec<(String, u32)> {
    let mut found = Vec::new();
    let mut show = |position: &grundy::Position, cell| {
        found.push((position.to_string(), cell));
        Ok::<bool, AskError>(true)
    };
    match shares {
        None => assert!(ask.find(lengths.clone(), max_pile, &mut show).unwrap()),
        Some(shares) => {
            for share in shares {
                let went = ask.find_share(share, lengths.clone(), max_pile, &mut show);
                assert!(went.unwrap());
            }
        }
    }
    found
}

#[test]
fn shares_of_a_list_are_one_list() {
    for (game, lengths, max_pile) in all() {
        let question = question(game);
        // Levels in memory, and rows that are looked up one by one.
        for memory in [1 << 30, 1 << 12] {
            let ask = Ask::new(&question).memory(memory);
            if memory == 1 << 12 && !(game == games::END_NIM || game == games::PARTIZAN_END_NIM) {
                continue;
            }
            let expected = list(&ask, None, &lengths, max_pile);
            assert!(!expected.is_empty());
            let pieces = ask.find_pieces(lengths.clone(), max_pile).unwrap();
            for shares in [1, 2, 7, 64] {
                let found = list(&ask, Some(&cut(&pieces, shares)), &lengths, max_pile);
                assert_eq!(found, expected, "{shares} shares of {ask:?}");
            }
        }
    }
}

/// A share stops where it is told to, and says so.
#[test]
fn a_share_that_is_stopped_is_none() {
    let question = question(games::END_NIM);
    let control = Control::new();
    let ask = Ask::new(&question).control(&control);
    let mut shown = 0;
    let went = ask.find_share(&[(1, 1..3)], 2..=3, 5, |_, _| {
        shown += 1;
        Ok::<bool, AskError>(shown < 3)
    });
    assert_eq!((went.unwrap(), shown), (false, 3));
    control.stop();
    assert_eq!(ask.check_share(&[(1, 0..1)], 4..=5, 5).unwrap(), None);
    for share in [(9, 0..1), (usize::MAX, 0..1), (1, 0..6), (1, 4..4)] {
        let refused = ask.check_share(std::slice::from_ref(&share), 4..=5, 5);
        assert!(matches!(refused, Err(AskError::NoSuchPart { .. })), "{share:?}");
        let refused = ask.find_share(&[share], 4..=5, 5, |_, _| Ok::<bool, AskError>(true));
        assert!(matches!(refused, Err(AskError::NoSuchPart { .. })));
    }
    let hasty = Ask::new(&question).seconds(1e-12);
    let refused = hasty.check_share(&[(1, 0..1)], 4..=5, 5);
    assert!(matches!(refused, Err(AskError::Seconds { .. })));
}

#[test]
fn shares_that_make_no_whole_are_refused() {
    let question = question(games::END_NIM);
    let ask = Ask::new(&question).show(4);
    let pieces = ask.pieces(4..=6, 4).unwrap();
    let shares: Vec<CheckedShare> = cut(&pieces, 3)
        .iter()
        .map(|share| ask.check_share(share, 4..=6, 4).unwrap().unwrap())
        .collect();
    let merged =
        |ask: &Ask<'_>, shares: &[CheckedShare]| match ask.merge_checked(shares.to_vec(), 4..=6, 4)
        {
            Err(AskError::Merge(error)) => Some(error),
            other => {
                other.unwrap();
                None
            }
        };
    assert_eq!(merged(&ask, &shares), None);
    assert!(matches!(merged(&ask, &shares[1..]), Some(MergeError::Missing { .. })));
    let twice = [&shares[..], &shares[2..]].concat();
    assert!(matches!(merged(&ask, &twice), Some(MergeError::Twice { .. })));
    let other = Ask::new(&question).show(3);
    assert_eq!(merged(&other, &shares), Some(MergeError::OtherWork));
    let error = ask.merge_checked(shares.clone(), 4..=6, 5).unwrap_err();
    assert!(error.to_string().contains("other work"), "{error}");
    // Spoilt in every place and many ways: never a panic, and what is counted is counted right.
    let whole = without_time(ask.merge_checked(shares.clone(), 4..=6, 4).unwrap());
    let all = serde_json::to_value(&shares).unwrap();
    let mut places = Vec::new();
    pointers(&all, "", &mut places);
    let spoils = [
        json!(0),
        json!(u64::MAX),
        json!(-1),
        json!("x"),
        json!("1,9"),
        json!(null),
        json!([]),
        json!([["1,1,1,1", 4_000_000_000_u32]]),
    ];
    for place in &places {
        for spoilt in &spoils {
            let mut all = all.clone();
            *all.pointer_mut(place).unwrap() = spoilt.clone();
            let Ok(read) = serde_json::from_value::<Vec<CheckedShare>>(all) else { continue };
            let Ok(merged) = ask.merge_checked(read, 4..=6, 4) else { continue };
            assert_eq!((merged.checked, merged.complete), (whole.checked, true), "{place}");
            assert!(merged.failures <= merged.checked && merged.premise <= merged.checked);
        }
    }
}

/// The place of every value within a value.
fn pointers(value: &Value, at: &str, places: &mut Vec<String>) {
    places.push(at.to_owned());
    match value {
        Value::Array(values) => {
            for (number, value) in values.iter().enumerate() {
                pointers(value, &format!("{at}/{number}"), places);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                pointers(value, &format!("{at}/{name}"), places);
            }
        }
        _ => {}
    }
}
