//! Compares parts of a search with small cases calculated by hand.

use super::*;

/// Searches respect every limit, and their answers stay correct. By conjecture 34, which is proved
/// for these n, the value of n coins with all moves is the largest k with 1 + ... + k <= n.
#[test]
fn searches_keep_their_limits_and_answers() {
    for limit in (8192..60_000).step_by(1111) {
        let mut search = Search::new(limit);
        for (n, value) in [(10, 4), (15, 5), (21, 6), (28, 7), (36, 8), (44, 8), (45, 9)] {
            match search.value(&[n], 1..=n, &mut |_| false) {
                Ok(found) => assert_eq!(found, value, "{n} in {limit}"),
                Err(error) => assert!(matches!(error, SearchError::Memory { .. }), "{error}"),
            }
            assert!(search.bytes() <= limit, "{} of {limit}", search.bytes());
        }
    }
}

/// A search finds every position of the memo again, even after its slots were doubled twice.
#[test]
fn every_stored_position_is_found_again() {
    let mut search = Search::new(1 << 24);
    let value = search.value(&[20, 21], 1..=21, &mut |_| false).unwrap();
    let states = search.states();
    assert!(states > 2 * 768, "{states}");
    assert_eq!(search.slots.iter().filter(|&&slot| slot != 0).count() as u64, states);
    assert!(3 * search.slots.len() as u64 > 4 * states);
    let mut at = 0;
    for _ in 0..states {
        let words = Piles::read(&search.found[at..]).position_words();
        search.work = search.found[at..at + words].to_vec();
        let found = search.look_up(0, hash(&search.work));
        assert!(found.is_some(), "place {at}");
        at += words;
    }
    assert_eq!(at, search.found.len());
    // Repeat the first search with the piles in another order, and with useless moves and piles.
    search.visits = 0;
    assert_eq!(search.value(&[21, 0, 20], 1..=99, &mut |_| false), Ok(value));
    assert_eq!((search.states(), search.visits), (states, 0));
    // Piles below the least move and moves above the largest pile make no difference.
    let before = search.value(&[9, 70, 80], [66, 71], &mut |_| false);
    let states = search.states();
    assert_eq!(search.value(&[80, 65, 70, 3], [66, 71, 81], &mut |_| false), before);
    assert_eq!(search.states(), states);
    search.forget();
    assert_eq!((search.states(), search.bytes()), (0, 8192));
}

/// Checks the number in the module's documentation: the search visits about a thousand positions.
#[test]
fn options_without_a_new_value_are_skipped() {
    let mut search = Search::new(1 << 24);
    assert_eq!(search.value(&[130], 1..=130, &mut |_| false), Ok(15));
    assert!((500..2000).contains(&search.states()), "{}", search.states());
}

#[test]
fn the_largest_positions() {
    let mut search = Search::new(1 << 20);
    let mut value =
        |piles: &[u32], set: &[u32]| search.value(piles, set.iter().copied(), &mut |_| false);
    // The only move can be made only once.
    assert_eq!(value(&[1; 32], &[1]), Ok(1));
    assert_eq!(value(&[1; 33], &[1]), Err(SearchError::Size { piles: 33, coins: 33 }));
    assert_eq!(value(&[8255], &[8255]), Ok(1));
    // An option has the value 1 if a whole pile was taken: the other move takes the other pile. It
    // has the value 0 if 255 was taken from the larger pile: 8000 exceeds both piles.
    assert_eq!(value(&[8000, 255], &[255, 8000]), Ok(2));
    let size = SearchError::Size { piles: 1, coins: 8256 };
    assert_eq!(size.to_string().matches("8255 coins in 32 piles").count(), 1);
    assert_eq!(value(&[8256], &[8256]), Err(size));
}

#[test]
fn the_stop_function_is_called_every_1024_positions() {
    let mut search = Search::new(1 << 24);
    let mut calls = Vec::new();
    search
        .value(&[25, 27], 1..=27, &mut |search| {
            calls.push(search.states());
            false
        })
        .unwrap();
    let visited = search.visits;
    assert_eq!(calls.len() as u64, visited / 1024);
    // Only positions that the memo lacks are visited. Each is stored after its evaluation.
    assert_eq!(visited, search.states());
    assert!(calls.len() > 2 && calls.is_sorted_by(|a, b| a < b), "{calls:?}");
}
