//! Tests that compare counts of positions by size with loops over all positions of the reference.

use grundy::reference::Reference;
use grundy::{
    Ask, AskError, Control, Count, Database, Error, Game, Pile, Question, counts, games,
    misere_form,
};

/// Counts, one by one, the positions of value 0 that have these lengths and piles up to `to`.
fn loops(game: Game, lengths: std::ops::RangeInclusive<usize>, by: Count, to: Pile) -> Vec<u64> {
    let mut reference = Reference::new(game);
    let mut found = vec![0; to as usize + 1];
    let least = game.order().least_pile();
    for length in lengths {
        let mut piles = vec![least; length];
        loop {
            let is_listed = !game.is_unordered() || piles.is_sorted();
            let size = match by {
                Count::LargestPile => piles.iter().copied().max().unwrap(),
                Count::Total => piles.iter().sum(),
            };
            if is_listed && size <= to && reference.value(&game.position(&piles)) == 0 {
                found[size as usize] += 1;
            }
            // The next word of piles up to `to`.
            let Some(at) = piles.iter().rposition(|&pile| pile < to) else { break };
            piles[at] += 1;
            piles[at + 1..].fill(least);
        }
    }
    found
}

#[test]
fn counts_are_those_of_a_loop() {
    let form = misere_form(games::END_NIM).unwrap();
    for game in [
        games::END_NIM,
        games::LOOP_END_NIM,
        games::MISERE_END_NIM,
        form,
        games::NIM,
        games::END_WYTHOFF,
    ] {
        let question = Question::parse(game, "P").unwrap();
        let ask = Ask::new(&question);
        for (lengths, by, to) in [
            (2..=2, Count::LargestPile, 5),
            (1..=3, Count::LargestPile, 6),
            (1..=7, Count::Total, 7),
            (3..=3, Count::Total, 12),
            // There are no positions with more piles than coins.
            (1..=5, Count::Total, 3),
            (4..=5, Count::Total, 3),
            (1..=2, Count::LargestPile, 1),
        ] {
            let found = counts(&ask, lengths.clone(), by, to).unwrap();
            assert_eq!(found, Some(loops(game, lengths, by, to)), "{game}, {by:?} to {to}");
        }
    }
    // This game has places, which may be empty.
    let game = grundy::game("circular-nim-4-2").unwrap();
    let question = Question::parse(game, "P").unwrap();
    for (by, to) in [(Count::LargestPile, 3), (Count::Total, 7)] {
        let found = counts(&Ask::new(&question), 4..=4, by, to).unwrap();
        assert_eq!(found, Some(loops(game, 4..=4, by, to)), "{by:?}");
    }
    // The P-positions of two piles in Nim are two equal piles, with 2, 4, 6 or 8 coins together.
    let question = Question::parse(games::NIM, "P").unwrap();
    let found = counts(&Ask::new(&question), 2..=2, Count::Total, 8).unwrap();
    assert_eq!(found.unwrap(), [0, 0, 1, 0, 1, 0, 1, 0, 1]);
}

/// A sequence takes eight bytes for each size from 0 on.
#[test]
fn a_sequence_stays_within_its_limits() {
    let question = Question::parse(games::END_NIM, "g > 3").unwrap();
    let database = Database::empty();
    let ask = Ask::new(&question).database(&database);
    let within = |bytes| counts(&ask.clone().memory(bytes), 1..=1, Count::LargestPile, 100);
    // The value of a single pile is its size.
    let expected: Vec<u64> = (0..=100).map(|size| u64::from(size > 3)).collect();
    assert_eq!(within(808).unwrap().unwrap(), expected);
    match within(807) {
        Err(AskError::Level(Error::Memory { table, shortage, .. })) => {
            let limit = 807.into();
            assert_eq!(table, "the sequence to 100");
            assert_eq!(shortage, grundy::MemoryShortage { needed: 808, limit });
        }
        other => panic!("{other:?}"),
    }
    let hasty = counts(&ask.clone().seconds(1e-12), 1..=3, Count::Total, 20);
    assert!(matches!(hasty, Err(AskError::Seconds { .. })), "{hasty:?}");
    // An empty level takes no time.
    let none = counts(&ask.clone().seconds(0.0), 5..=6, Count::Total, 4).unwrap();
    assert_eq!(none.unwrap(), [0; 5]);
}

/// Looking up so many rows would take too long, so the test stops the work.
#[test]
fn a_stopped_sequence_has_no_terms() {
    let question = Question::parse(games::END_NIM, "P").unwrap();
    let control = Control::new();
    let found = std::thread::scope(|scope| {
        scope.spawn(|| {
            while control.done() == 0 {
                std::thread::yield_now();
            }
            control.stop();
        });
        let ask = Ask::new(&question).control(&control);
        counts(&ask, 4..=4, Count::LargestPile, 250)
    });
    assert_eq!(found.unwrap(), None);
}
