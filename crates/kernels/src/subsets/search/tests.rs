//! The parts of a search, checked with small cases done by hand.

use super::*;

fn piles(sorted: &[u16]) -> Piles {
    let mut piles = Piles::default();
    sorted.iter().for_each(|&pile| piles.insert(pile));
    piles
}

fn listed(piles: &Piles) -> &[u16] {
    &piles.sorted[..piles.count]
}

/// The set with these members, in words.
fn set(members: &[u32]) -> Vec<u64> {
    let most = members.iter().copied().max().unwrap_or(0);
    let mut words = vec![0; most.div_ceil(64) as usize];
    for member in members {
        words[(member - 1) as usize / 64] |= 1 << ((member - 1) % 64);
    }
    words
}

#[test]
fn piles_stay_sorted() {
    let mut all = piles(&[5, 2, 9, 2]);
    assert_eq!((listed(&all), all.largest(), all.coins()), (&[2, 2, 5, 9][..], 9, 18));
    // One of the twos to 1, the nine to 3, the five to nothing.
    all.lower(1, 1);
    assert_eq!(listed(&all), [1, 2, 5, 9]);
    all.lower(3, 6);
    assert_eq!(listed(&all), [1, 2, 3, 5]);
    all.lower(3, 5);
    assert_eq!((listed(&all), all.largest(), all.coins()), (&[1, 2, 3][..], 3, 6));
    all.drop_below(1);
    assert_eq!(listed(&all), [1, 2, 3]);
    all.drop_below(3);
    assert_eq!(listed(&all), [3]);
    all.drop_below(4);
    assert_eq!((listed(&all), all.largest(), all.coins()), (&[][..], 0, 0));
}

/// The count and the piles are numbers of 16 bits, four a word; 513 = 0x0201 shows the order.
#[test]
fn piles_are_written_four_numbers_a_word() {
    let cases: [(&[u16], &[u64]); 4] = [
        (&[], &[0]),
        (&[3, 513], &[0x0201_0003_0002]),
        (&[1, 2, 3], &[0x0003_0002_0001_0003]),
        (&[1, 2, 3, 4, 5, 6, 7], &[0x0003_0002_0001_0007, 0x0007_0006_0005_0004]),
    ];
    for (sorted, expected) in cases {
        let piles = piles(sorted);
        let mut words = Vec::new();
        piles.write(&mut words);
        assert_eq!((&words[..], piles.words()), (expected, expected.len()), "{sorted:?}");
        assert_eq!(listed(&Piles::read(&words)), sorted);
    }
    // Four piles need a second word, empty after the fourth.
    assert_eq!((piles(&[1; 3]).words(), piles(&[1; 4]).words()), (1, 2));
    // A set adds one word for each 64 moves.
    assert_eq!(piles(&[]).position_words(), 1);
    assert_eq!((piles(&[64]).position_words(), piles(&[65]).position_words()), (2, 3));
    assert_eq!(piles(&[1, 2, 3, 130]).position_words(), 2 + 3);
}

#[test]
fn smallest_moves_that_fit() {
    let few = set(&[1, 2, 3, 4, 5]);
    // 1 + 2 + 3 + 4 = 10, and 15 with the five; 1 + 2 + 4 = 7, and 12.
    for (coins, without, expected) in
        [(0, 0, 0), (9, 0, 3), (10, 0, 4), (14, 0, 4), (15, 0, 5), (11, 3, 3), (12, 3, 4)]
    {
        assert_eq!(most_moves(coins, &few, without), expected, "{coins} {without}");
    }
    // Moves 64, 65 and 130 stand at the end of a word, the beginning of one, and in the third.
    let wide = set(&[64, 65, 130]);
    for (coins, expected) in [(63, 0), (64, 1), (128, 1), (129, 2), (258, 2), (259, 3)] {
        assert_eq!(most_moves(coins, &wide, 0), expected, "{coins}");
    }
    assert_eq!(most_moves(195, &wide, 64), 2);
}

/// Returns a search with a set on its stack.
fn with_set(members: &[u32]) -> Search {
    Search { work: set(members), ..Search::new(1 << 20) }
}

#[test]
fn options_by_their_bounds() {
    // Taking all coins leaves nothing: bound 0. After 1 of 10 the two fits, after 2 the one:
    // bound 1.
    let found = |sorted: &[u16], members: &[u32]| -> Vec<(u32, u16, usize)> {
        let search = with_set(members);
        let options = search.options(&piles(sorted), 0, search.work.len());
        options.iter().map(|option| (option.bound, option.coins, option.pile)).collect()
    };
    assert_eq!(found(&[10], &[1, 2, 10]), [(0, 10, 0), (1, 1, 0), (1, 2, 0)]);
    // Equal piles are tried once, and piles below the move not at all. After 66 of 1 + 1 + 67 the
    // one fits, after 1 the 66 does.
    assert_eq!(found(&[1, 1, 67], &[1, 66]), [(1, 1, 0), (1, 1, 2), (1, 66, 2)]);
}

/// The canonical form: no move above the largest pile, no pile below the least move.
#[test]
fn positions_are_pushed_in_their_canonical_form() {
    let pushed = |sorted: &[u16], members: &[u32]| {
        let mut search = with_set(members);
        let from = search.work.len();
        let bound = search.push(piles(sorted), 0, from);
        (bound, search.work.split_off(from))
    };
    // No move is possible: no piles.
    assert_eq!(pushed(&[2, 5], &[6, 7]), (0, vec![0]));
    assert_eq!(pushed(&[], &[1]), (0, vec![0]));
    // The piles 1 and 2 are dropped, and so are the moves 6 and 70. 3 + 4 fit into 8 coins.
    assert_eq!(pushed(&[1, 2, 3, 5], &[3, 4, 6, 70]), (2, vec![0x0005_0003_0002, 0b1100]));
    // 64 and 65: the border of a word, as a pile and as a move.
    assert_eq!(pushed(&[63, 64], &[64, 65]), (1, vec![0x0040_0001, 1 << 63]));
    assert_eq!(pushed(&[64, 65], &[65, 66]), (1, vec![0x0041_0001, 0, 1]));
    assert_eq!(pushed(&[66, 67], &[67, 200]), (1, vec![0x0043_0001, 0, 0b100]));
}

/// Every limit holds, and the answers stay right. By conjecture 34, which is proved this far, the
/// value of n coins with all moves is the largest k with 1 + ... + k <= n.
#[test]
fn limits_hold_and_answers_stay() {
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

/// Every position of the memo is found again, even after its slots were doubled twice.
#[test]
fn what_is_kept_is_found() {
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
    // Repeat the first question, with its piles in another order and with useless moves and piles.
    search.asked = 0;
    assert_eq!(search.value(&[21, 0, 20], 1..=99, &mut |_| false), Ok(value));
    assert_eq!((search.states(), search.asked), (states, 0));
    // Piles below the least move and moves above the largest pile make no difference.
    let before = search.value(&[9, 70, 80], [66, 71], &mut |_| false);
    let states = search.states();
    assert_eq!(search.value(&[80, 65, 70, 3], [66, 71, 81], &mut |_| false), before);
    assert_eq!(search.states(), states);
    search.forget();
    assert_eq!((search.states(), search.bytes()), (0, 8192));
}

/// The count of the module's page: not all ten million positions below are visited.
#[test]
fn options_that_add_nothing_are_passed_over() {
    let mut search = Search::new(1 << 24);
    assert_eq!(search.value(&[130], 1..=130, &mut |_| false), Ok(15));
    assert!((500..2000).contains(&search.states()), "{}", search.states());
}

/// The limits of piles and coins.
#[test]
fn the_largest_positions() {
    let mut search = Search::new(1 << 20);
    let mut value =
        |piles: &[u32], set: &[u32]| search.value(piles, set.iter().copied(), &mut |_| false);
    // There is one move, which can be made once.
    assert_eq!(value(&[1; 32], &[1]), Ok(1));
    assert_eq!(value(&[1; 33], &[1]), Err(SearchError::Size { piles: 33, coins: 33 }));
    assert_eq!(value(&[8255], &[8255]), Ok(1));
    // Taking 255 or 8000 from the pile of that size leaves one pile that the other move takes: 1.
    // Taking 255 from the larger pile leaves none that 8000 fits into: 0.
    assert_eq!(value(&[8000, 255], &[255, 8000]), Ok(2));
    let size = SearchError::Size { piles: 1, coins: 8256 };
    assert_eq!(size.to_string().matches("8255 coins in 32 piles").count(), 1);
    assert_eq!(value(&[8256], &[8256]), Err(size));
}

/// `stop` is called every 1024 positions, within one question or over many.
#[test]
fn who_watches_is_asked_now_and_then() {
    let mut search = Search::new(1 << 24);
    let mut asked = Vec::new();
    search
        .value(&[25, 27], 1..=27, &mut |search| {
            asked.push(search.states());
            false
        })
        .unwrap();
    let visited = search.asked;
    assert_eq!(asked.len() as u64, visited / 1024);
    // Each position that is not found in the memo is stored after its evaluation.
    assert_eq!(visited, search.states());
    assert!(asked.len() > 2 && asked.is_sorted_by(|a, b| a < b), "{asked:?}");
}
