//! Tests the search for laws: the games, the numbers of positions, and the limits.

use grundy::{
    Control, Game, Guess, Guesses, Isa, LawKind, MemoryLimit, Pile, games, usual_max_pile,
};

use crate::common::own_games;

fn guess(game: Game, length: usize, max_pile: Pile, seconds: f64) -> Guesses {
    let control = Control::new();
    let guess = Guess {
        game,
        length,
        max_pile,
        database: None,
        memory: MemoryLimit::new(1 << 30),
        isa: Isa::best(),
        seconds,
        control: &control,
    };
    guess.run().unwrap()
}

fn has_rows(guessed: &Guesses) -> bool {
    guessed.found.iter().any(|found| found.subject == "rows")
}

/// The laws are also tested on larger piles. For these piles no law about periods is true, because
/// the row 5,4,b has the period 12, which is not a power of two.
#[test]
fn laws_of_three_piles() {
    let guessed = guess(games::END_NIM, 3, 12, f64::INFINITY);
    assert_eq!((guessed.sample, guessed.complete), ((12, 1728), true));
    assert!(guessed.found.iter().all(|found| found.tried_to == 256), "{guessed:?}");
    assert!(!has_rows(&guessed) && guessed.refuted > 0, "{guessed:?}");
    for found in &guessed.found {
        assert_eq!(found.checked, 1728);
        assert!((1..=1728).contains(&found.constrained), "{found:?}");
    }
    // Each subject occurs once. The strongest laws come first.
    let subjects: std::collections::BTreeSet<&str> =
        guessed.found.iter().map(|found| found.subject.as_str()).collect();
    assert_eq!(subjects.len(), guessed.found.len());
    assert!(
        guessed.found.is_sorted_by_key(|found| (found.kind, std::cmp::Reverse(found.constrained)))
    );
    // Cairns and Ho 2011: three piles are a P-position iff they are a, b, a with b other than a.
    let zero = guessed.found.iter().find(|found| found.subject == "g == 0").unwrap();
    assert_eq!((zero.kind, zero.constrained), (LawKind::Equivalence, 12 * 11), "{zero:?}");
    // The sample is smaller than the range: 17^3 = 4913 positions, because 18^3 exceeds 5000.
    let larger = guess(games::END_NIM, 3, 20, f64::INFINITY);
    assert_eq!(larger.sample, (17, 4913));
    assert!(larger.found.iter().all(|found| found.checked == 8000));
}

/// If a move takes up to three coins, the value of a pile is its remainder modulo 4. For piles
/// below 4 the formula of Nim is true, too. For piles below 8 the formulas with the remainders
/// modulo 4 and 8 are both true.
#[test]
fn formulas_include_remainders() {
    let up_to_three = own_games().next().unwrap();
    for (length, max_pile) in [(1, 3), (2, 3), (2, 10), (3, 8)] {
        let guessed = guess(up_to_three, length, max_pile, f64::INFINITY);
        let found = guessed.found.iter().find(|found| found.kind == LawKind::Formula);
        let found = found.unwrap_or_else(|| panic!("{length} {max_pile}: {guessed:?}"));
        let expected = if length == 1 { "g == total % 4" } else { "g == xor(piles) % 4" };
        assert_eq!(found.statement, expected);
        assert!(found.tried_to > max_pile, "{found:?}");
    }
}

/// End-Nim with two piles is Nim, and a single pile n has the value n. Periods are tried only if
/// the order of piles matters, positions have values, and the game remembers nothing.
#[test]
fn periods_are_searched_in_rows() {
    let formula =
        |guessed: &Guesses| guessed.found.first().is_some_and(|f| f.kind == LawKind::Formula);
    let two = guess(games::END_NIM, 2, 20, f64::INFINITY);
    assert!(has_rows(&two) && formula(&two) && two.sample == (20, 400), "{two:?}");
    let one = guess(games::END_NIM, 1, 30, f64::INFINITY);
    assert!(!has_rows(&one) && formula(&one), "{one:?}");
    let nim = guess(games::NIM, 2, 20, f64::INFINITY);
    assert!(!has_rows(&nim) && formula(&nim) && nim.sample == (20, 210), "{nim:?}");
    for (game, length) in [(games::PARTIZAN_END_NIM, 2), (games::SHORT_GLOBAL_NIM, 2)] {
        let other = guess(game, length, 6, f64::INFINITY);
        assert!(!has_rows(&other) && other.complete, "{game}: {other:?}");
    }
}

/// A time limit of 0 is over before hundreds of laws are checked on millions of positions. The
/// sample is complete or empty.
#[test]
fn a_guess_ends_at_its_time_limit() {
    let cut = guess(games::END_NIM, 4, 40, 0.0);
    assert!(!cut.complete && [(8, 4096), (0, 0)].contains(&cut.sample), "{cut:?}");
}

/// The expected sizes are the largest powers of two, or three times powers of two, up to 1024, with
/// at most this number of positions.
#[test]
fn default_sizes_fit_the_number_of_positions() {
    assert_eq!(usual_max_pile(games::END_NIM, 3, 5000), 16);
    assert_eq!(usual_max_pile(games::END_NIM, 3, 64), 4);
    assert_eq!(usual_max_pile(games::END_NIM, 3, 63), 3);
    assert_eq!(usual_max_pile(games::END_NIM, 3, 7), 1);
    assert_eq!(usual_max_pile(games::NIM, 2, 1176), 48);
    assert_eq!(usual_max_pile(games::NIM, 2, 1175), 32);
    assert_eq!(usual_max_pile(games::END_NIM, 1, 1 << 20), 1024);
    assert_eq!(usual_max_pile(games::END_NIM, 1, 767), 512);
    assert_eq!(usual_max_pile(games::END_NIM, 1, 768), 768);
}
