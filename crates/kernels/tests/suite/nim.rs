//! Compares the fillers of Nim and of partizan End-Nim with the reference evaluators.

use grundy_kernels::multisets::{Rectangle, fill};
use grundy_kernels::outcomes::{OutcomeTile, words};
use grundy_kernels::thresholds::{Prefix, fill_row, of_word};
use grundy_rules::reference::{Outcomes, Reference};
use grundy_rules::{Multisets, Pile, Position, class_of_thresholds, games, lex_word};
use proptest::prelude::*;

fn position(piles: &[Pile]) -> Position {
    Position::new(piles.to_vec()).unwrap()
}

#[test]
fn a_fill_can_be_stopped() {
    let multisets = Multisets::new(5, 2).unwrap();
    assert_eq!(fill(&multisets, &[1, 2, 3, 4, 5], 9, |_| false), None);
    assert_eq!(Rectangle::new(&[300, 300]).evaluate(&[1; 300], |_| false), None);
}

proptest! {
    #[test]
    fn rectangles_have_reference_values(
        piles in prop::collection::vec(1u32..=9, 2..=4),
        misere in any::<bool>(),
    ) {
        let game = if misere { games::MISERE_NIM } else { games::NIM };
        let mut sorted = piles.clone();
        sorted.sort_unstable();
        let mut reference = Reference::new(game);
        let singles: Vec<u32> = (1..=9).map(|pile| reference.value(&position(&[pile]))).collect();
        let corner = Rectangle::new(&piles).evaluate(&singles, |_| true).unwrap();
        prop_assert_eq!(corner.value, reference.value(&position(&sorted)));
        for m in game.moves(&position(&sorted)) {
            let (_, values) = corner.lowered.iter().find(|(pile, _)| *pile == m.from).unwrap();
            prop_assert_eq!(values[m.to as usize], reference.value(&m.option), "{:?}", m);
        }
    }
}

/// Compares every tile of words up to a length. The borders belong to words with one pile less.
#[test]
fn outcome_tiles_agree_with_the_reference() {
    let game = games::PARTIZAN_END_NIM;
    for (n, longest) in [(1, 6), (2, 7), (3, 6), (5, 4), (8, 3), (65, 2)] {
        let mut outcomes = Outcomes::new(game);
        for length in 2..=longest {
            let middle_length = length - 2;
            let mut middle = vec![0; middle_length];
            for index in 0..(n as u64).pow(middle_length as u32) {
                lex_word(index, n as u64, &mut middle);
                let mut wins = |piles: &[Pile]| {
                    let position = position(piles);
                    outcomes.first_wins(&position)
                };
                let mut above = vec![0u64; words(n)];
                for y in 1..=n {
                    let right = wins(&[&middle[..], &[y as Pile]].concat()).1;
                    above[(y - 1) / 64] |= u64::from(right) << ((y - 1) % 64);
                }
                let before: Vec<bool> =
                    (1..=n).map(|x| wins(&[&[x as Pile], &middle[..]].concat()).0).collect();
                let mut tile = OutcomeTile::default();
                tile.fill(n, &above, |x| before[x - 1]);
                for x in 1..=n {
                    for y in 1..=n {
                        let at = (x - 1) * words(n) + (y - 1) / 64;
                        let bit = |set: &[u64]| set[at] >> ((y - 1) % 64) & 1 == 1;
                        let piles = [&[x as Pile], &middle[..], &[y as Pile]].concat();
                        assert_eq!((bit(&tile.left), bit(&tile.right)), wins(&piles), "{piles:?}");
                    }
                }
                let beyond = tile.left.iter().chain(&tile.right);
                let counted: u32 = beyond.map(|word| word.count_ones()).sum();
                assert!(counted as usize <= 2 * n * n);
            }
        }
    }
}

/// Compares the recursion with the outcome classes, and with the definition of the thresholds.
#[test]
fn thresholds_agree_with_the_reference() {
    let mut outcomes = Outcomes::new(games::PARTIZAN_END_NIM);
    for (n, longest) in [(2u64, 8), (3, 6), (4, 5), (9, 3), (60, 1)] {
        for length in 1..=longest {
            let mut piles = vec![0; length];
            for index in 0..n.pow(length as u32) {
                lex_word(index, n, &mut piles);
                let (left, right) = of_word(&piles);
                let class = class_of_thresholds(left, right);
                assert_eq!(class, outcomes.outcome(&position(&piles)), "{piles:?}");
                if length <= 3 && left < 12 {
                    let wins = |outcomes: &mut Outcomes, a: u64| {
                        outcomes.first_wins(&position(&[&[a as Pile], &piles[..]].concat())).0
                    };
                    assert!(left == 0 || !wins(&mut outcomes, left), "{piles:?}");
                    assert!(wins(&mut outcomes, left + 1), "{piles:?}");
                }
                let mut reversed = piles.clone();
                reversed.reverse();
                assert_eq!(of_word(&reversed), (right, left));
            }
        }
    }
    assert_eq!(of_word(&[]), (0, 0));
    assert_eq!(of_word(&[1_000_000_000; 30]).0, 0);
}

/// Compares the runs of zero thresholds. Words have up to four piles up to 4, then any pile.
#[test]
fn runs_of_outcome_classes() {
    let mut words = vec![Vec::new()];
    for at in 0.. {
        let word: Vec<u32> = words[at].clone();
        if word.len() == 4 {
            break;
        }
        words.extend((1..=4).map(|pile| [&word[..], &[pile]].concat()));
    }
    for word in words {
        let mut prefix = Prefix::default();
        prefix.set(&word);
        let (to, from) = prefix.zeros();
        for b in 1..=20 {
            let (left, right) = of_word(&[&word[..], &[b]].concat());
            assert_eq!(
                (left == 0, right == 0),
                (u64::from(b) <= to, u64::from(b) >= from),
                "{word:?} {b}"
            );
        }
    }
}

/// A threshold above 16 bits causes a panic. The largest threshold of a row is l plus its length.
#[test]
fn rows_of_the_largest_thresholds() {
    let mut row = [7; 3];
    fill_row(65_532, 0, &mut row);
    assert_eq!(row, [65_533, 65_534, 65_535]);
    fill_row(65_532, 2, &mut row);
    assert_eq!(row, [0, 0, 65_533]);
    fill_row(0, 9, &mut row);
    assert_eq!(row, [0; 3]);
    assert!(std::panic::catch_unwind(|| fill_row(65_533, 0, &mut [0; 3])).is_err());
}
