//! Checks of stored tables, right ones and ones that follow no rule: what a check counts in them is
//! what a loop over all positions counts, straight from the words of the claim.

use std::collections::HashMap;

use grundy_kernels::cells::cell_value;
use grundy_rules::reference::Outcomes;
use grundy_rules::{Game, MoveSet, Outcome, Pile, Position, Table, games, lex_word};

use crate::Range;
use crate::testing::{count, look, noise, referred, sizes, told, up_to};
use crate::words::Origin;

type Stored = (Table, Vec<u32>);

/// A table of numbers below a bound.
fn noisy(game: Game, max_pile: Pile, length: usize, below: u32, seed: u64) -> Stored {
    let mut next = noise(seed);
    told(game, max_pile, length, |_| next(below))
}

/// The positions of a table with their values.
fn positions((table, values): &Stored) -> impl Iterator<Item = (Position, u32)> {
    (0..).zip(values).filter_map(|(number, &value)| Some((table.position(number)?, value)))
}

fn value((table, values): &Stored, position: &Position) -> u32 {
    values[table.number(position).unwrap() as usize]
}

/// All words of a length.
fn words(max_pile: Pile, length: usize) -> impl Iterator<Item = Vec<Pile>> {
    (0..u64::from(max_pile).pow(length as u32)).map(move |number| {
        let mut word = vec![0; length];
        lex_word(number, max_pile.into(), &mut word);
        word
    })
}

#[track_caller]
fn finds(
    id: &str,
    range: Range,
    stored: &[Stored],
    cases: impl IntoIterator<Item = (Vec<Pile>, bool)>,
) {
    let looked = look(id, range, stored);
    assert_eq!(looked.origin, Some(Origin::Table), "{id}");
    assert_eq!(looked.counts(), count(cases), "{id}");
}

/// Two or three piles of short global nim with every last move up to 5, from a table of 6.
#[test]
fn last_moves_of_any_table() {
    for seed in 0..5 {
        let stored = [noisy(games::SHORT_GLOBAL_NIM, 6, 2, 3, seed)];
        let all = || {
            let all = positions(&stored[0]).map(|(p, v)| (p.piles().to_vec(), p.last_move(), v));
            all.filter(|(piles, k, _)| piles[1] <= 5 && *k <= 5)
        };
        let is_wrong = |k, v| (k == 1) != (v == 0);
        let unequal = all().filter(|(piles, ..)| piles[0] != piles[1]);
        let unequal = unequal.map(|(piles, k, v)| (piles, is_wrong(k, v)));
        finds("gn.thm4", sizes(5, 2), &stored, unequal);
        let ones = all().filter(|(piles, ..)| piles[0] == 1);
        let ones = ones.map(|(piles, k, v)| (piles, is_wrong(k, v)));
        finds("gn.thm3", sizes(5, 2), &stored, ones);
        let equal = all().filter(|(piles, k, _)| piles[0] == piles[1] && *k == 1);
        let equal = equal.map(|(piles, _, v)| {
            let is_p = [1, 2].contains(&piles[0]);
            (piles, is_p != (v == 0))
        });
        finds("gn.cor5", sizes(5, 2), &stored, equal);
        let smallest = all().filter(|(piles, k, _)| piles[0] > 1 && *k == 0).map(|(piles, ..)| {
            let left = Position::after(vec![piles[0] - 1, piles[1]], 1);
            let is_wrong = value(&stored[0], &left) != 0;
            (piles, is_wrong)
        });
        finds("gn.smallest-pile.corrected", sizes(5, 2), &stored, smallest);
        let stored = [noisy(games::SHORT_GLOBAL_NIM, 5, 3, 2, seed)];
        let three = positions(&stored[0]).filter(|(p, _)| p.max_pile() <= 4 && p.last_move() <= 4);
        let three = three.map(|(p, v)| (p.piles().to_vec(), is_wrong(p.last_move(), v)));
        finds("gn.thm6", sizes(4, 3), &stored, three);
    }
}

/// Two piles of End-Wythoff: the pairs of Wythoff up to 6 are (1,2), (3,5) and (4,7) without its
/// larger pile.
#[test]
fn pairs_of_wythoff_in_any_table() {
    for seed in 0..5 {
        let stored = [noisy(games::END_WYTHOFF, 8, 2, 3, seed)];
        let all = positions(&stored[0]).filter(|(p, _)| p.max_pile() <= 6).map(|(p, v)| {
            let (a, b) = (p.piles()[0], p.piles()[1]);
            let is_pair = [(1, 2), (3, 5)].contains(&(a.min(b), a.max(b)));
            (vec![a, b], is_pair != (v == 0))
        });
        finds("ew.wythoff", sizes(6, 2), &stored, all);
    }
}

/// Nim up to three piles of 5, and the 35 triples of section 4, which are those below 16 whose
/// nim-sum is 0.
#[test]
fn any_tables_of_nim() {
    for seed in 0..5 {
        let [normal, misere] = [games::NIM, games::MISERE_NIM].map(|game| {
            [(1, 7), (2, 5), (3, 6)].map(|(length, n)| noisy(game, n, length, 3, seed))
        });
        let all = |stored: &[Stored; 3]| {
            let all = stored.clone().into_iter().flat_map(|stored| {
                positions(&stored).map(|(p, v)| (p.piles().to_vec(), v)).collect::<Vec<_>>()
            });
            all.filter(|(piles, _)| piles.iter().all(|&pile| pile <= 5))
        };
        let sum = |piles: &[Pile]| piles.iter().fold(0, |sum, pile| sum ^ pile);
        let general = all(&normal).map(|(piles, v)| (piles.clone(), sum(&piles) != v));
        finds("bouton.general", sizes(5, 3), &normal, general);
        let other = all(&misere).map(|(piles, v)| {
            let ones = piles.iter().all(|&pile| pile == 1);
            let safe = if ones { piles.len() != 2 } else { sum(&piles) == 0 };
            (piles, safe != (v == 0))
        });
        finds("bouton.misere", sizes(5, 3), &misere, other);
        let stored = [noisy(games::NIM, 16, 3, 3, seed)];
        let list = positions(&stored[0]).filter(|(p, _)| p.max_pile() <= 15);
        let list = list.map(|(p, v)| (p.piles().to_vec(), (sum(p.piles()) == 0) != (v == 0)));
        finds("bouton.list35", Range::default(), &stored, list);
        // 1,1 is not safe, and 1 and 1,1,1 are; and the empty position is called safe.
        let stored = [1, 2, 3].map(|length| noisy(games::MISERE_NIM, 15, length, 3, seed));
        let literal = stored.iter().flat_map(positions).map(|(p, v)| {
            let safe = match *p.piles() {
                [1] | [1, 1, 1] => true,
                [1, 1] => false,
                _ => sum(p.piles()) == 0,
            };
            (p.piles().to_vec(), safe != (v == 0))
        });
        let literal = literal.chain([(Vec::new(), true)]);
        finds("bouton.misere-literal", Range::default(), &stored, literal);
    }
}

/// Which of the piles of a safe combination are counted, and what is said if safe ones are near.
#[test]
fn safe_combinations_are_counted() {
    let safe = |n: Pile, longest: usize| {
        let all = (1..=longest).flat_map(|length| words(n, length));
        let all = all.filter(|word| word.is_sorted());
        let all: Vec<bool> = all.map(|w| w.iter().fold(0, |sum, p| sum ^ p) == 0).collect();
        (all.len() as u64, all.iter().filter(|&&safe| safe).count() as u64)
    };
    let tally = look("bouton.thm1", sizes(5, 4), &[]).examined.tally;
    assert_eq!((tally.checked, tally.premise), safe(5, 4));
    let tally = look("bouton.thm2", sizes(5, 4), &[]).examined.tally;
    // Those of one pile are not spoken of; none of them is safe.
    let (checked, premise) = safe(5, 4);
    assert_eq!((tally.checked, tally.premise), (checked - 5, premise));
    // Three counts for n = 1, four for larger n.
    assert_eq!(look("bouton.chance", up_to(3), &[]).counts(), (3 + 4 + 4, 0, None));
}

/// The three games side by side, up to four piles of 3: rows of equal piles are P in End-Nim if there
/// is an even number of them, in Loop-End-Nim if an odd one, in the misère form as in End-Nim but for
/// ones. Of other rows the three have to say the same.
#[test]
fn three_games_of_any_tables() {
    for seed in 0..8 {
        // Mostly alike, so that not all rows differ.
        let stored: Vec<Stored> = games::END_NIM_GAMES
            .into_iter()
            .flat_map(|game| (1..=4).map(move |length| (game, length)))
            .map(|(game, length)| {
                let (mut alike, mut next) =
                    (noise(seed), noise(100 * seed + game.id().len() as u64));
                told(game, 3, length, |_| {
                    let value = alike(2);
                    if next(8) == 0 { 1 - value } else { value }
                })
            })
            .collect();
        let all = (1..=4).flat_map(|length| words(3, length)).map(|word| {
            let position = Position::new(word.clone()).unwrap();
            let is_p = |game| {
                let mut tables = stored.iter();
                let of =
                    |(table, _): &&Stored| (table.game(), table.length()) == (game, word.len());
                value(tables.find(of).unwrap(), &position) == 0
            };
            let found = games::END_NIM_GAMES.map(is_p);
            let even = word.len() % 2 == 0;
            let right = if word.iter().all(|&pile| pile == word[0]) {
                found == [even, even != (word[0] == 1), !even]
            } else {
                found[0] == found[1] && found[0] == found[2]
            };
            (word, !right)
        });
        finds("ch.cor2.4", sizes(3, 4), &stored, all);
    }
}

/// In bytes, and in two bytes for piles of more than 127: all rows hold and are counted.
#[test]
fn three_games_of_two_large_piles() {
    for n in [127, 128] {
        let looked = look("ch.cor2.4", sizes(n, 2), &[]);
        assert_eq!(looked.origin, Some(Origin::Computed));
        let words = u64::from(n) * u64::from(n + 1);
        assert_eq!((looked.done, looked.counts()), (3 * words, (words, 0, None)));
    }
    // Read, all cells of the three games are told too.
    let stored: Vec<Stored> = games::END_NIM_GAMES
        .into_iter()
        .flat_map(|game| [1, 2, 3].map(|length| referred(game, 6, length)))
        .collect();
    let looked = look("ch.cor2.4", sizes(6, 3), &stored);
    assert_eq!((looked.done, looked.counts()), (3 * 258, (258, 0, None)));
    // One of the nine is missing.
    let looked = look("ch.cor2.4", sizes(6, 3), &stored[1..]);
    assert_eq!(looked.origin, Some(Origin::Mixed));
    assert_eq!((looked.done, looked.counts()), (3 * 258, (258, 0, None)));
}

/// The thresholds of up to three piles of 4 by who wins: l(w) is how many a there are with which
/// Left, moving first, does not win a w.
#[test]
fn stored_thresholds_are_compared() {
    let mut outcomes = Outcomes::new(games::PARTIZAN_END_NIM);
    let mut threshold = |word: &[Pile]| {
        let loses = |a: &Pile| {
            let position = Position::new([&[*a], word].concat()).unwrap();
            matches!(outcomes.outcome(&position), Outcome::P | Outcome::R)
        };
        (1..).take_while(loses).count() as u32
    };
    let right = [1, 2, 3].map(|length| {
        let table = Table::new(games::PARTIZAN_END_NIM, 4, length).unwrap();
        told(games::PARTIZAN_END_NIM, 4, length, |number| {
            threshold(table.position(number).unwrap().piles())
        })
    });
    let all = |stored: &[Stored; 3]| {
        let pairs = stored.clone().into_iter().zip(right.clone());
        pairs.flat_map(|(stored, right)| {
            let right = right.1.clone();
            let all = positions(&stored).zip(right);
            all.map(|((p, v), right)| (p.piles().to_vec(), v != right)).collect::<Vec<_>>()
        })
    };
    let thresholds = |stored: &[Stored; 3]| {
        let looked = look("partizan.thm", sizes(4, 3), stored);
        // Who wins is computed in any case.
        assert_eq!(looked.origin, Some(Origin::Mixed));
        let said = looked.examined.tally.first.as_ref().map(|first| first.found.clone());
        assert_eq!(looked.counts(), count(all(stored)));
        said
    };
    assert_eq!(thresholds(&right), None);
    for seed in 0..5 {
        let mut next = noise(seed);
        let mut spoilt = right.clone();
        for (_, values) in &mut spoilt {
            values.iter_mut().for_each(|value| *value += u32::from(next(9) == 0));
        }
        thresholds(&spoilt);
    }
    let mut spoilt = right.clone();
    spoilt[0].1[2] = 7;
    assert_eq!(thresholds(&spoilt).unwrap(), "l of it is stored as 7, and is 3");
}

/// The table of a,4,b up to 16 read from larger ones: one wrong value makes one wrong row, if it is
/// in the table at all.
#[test]
fn printed_rows_are_read() {
    let right = [referred(games::END_NIM, 18, 2), referred(games::END_NIM, 17, 3)];
    let look = |stored: &[Stored]| {
        let looked = look("an.table", Range::default(), stored);
        (looked.origin, looked.counts())
    };
    assert_eq!(look(&right), (Some(Origin::Table), (16, 0, None)));
    for (piles, first) in [
        ([1, 4, 1], Some(vec![1, 4])),
        ([16, 4, 16], Some(vec![16, 4])),
        ([7, 4, 12], Some(vec![7, 4])),
        ([7, 4, 17], None),
        ([17, 4, 2], None),
        ([7, 5, 12], None),
    ] {
        let mut spoilt = right.clone();
        let (table, values) = &mut spoilt[1];
        let position = Position::new(piles.to_vec()).unwrap();
        let number = table.locate(&position).map(|place| table.number_of(place)).unwrap();
        values[number as usize] += 30;
        let failures = u64::from(first.is_some());
        assert_eq!(look(&spoilt), (Some(Origin::Table), (16, failures, first)), "{piles:?}");
    }
    // One of two lengths is not enough.
    assert_eq!(look(&right[..1]), (Some(Origin::Computed), (16, 0, None)));
}

/// The proof looks at positions that are of value neither 0 nor 1, and reads values of those to
/// which a listed move leads, which have to be 1.
#[test]
fn the_proof_is_read_from_tables() {
    let right = [referred(games::END_NIM, 8, 2), referred(games::END_NIM, 7, 3)];
    let checked = words(6, 3).filter(|word| {
        let value = value(&right[1], &Position::new(word.clone()).unwrap());
        word[0] <= word[2] && value > 1
    });
    let checked = checked.count() as u64;
    let look = |stored: &[Stored]| look("ch.proof5.1", sizes(6, 3), stored);
    let looked = look(&right);
    assert_eq!(looked.origin, Some(Origin::Table));
    assert_eq!(looked.counts(), (checked, 0, None));
    for (at, number) in [(0, 1), (1, 10), (1, 100), (1, 150)] {
        for (from, to, fails) in [(1, 9, true), (1, 0, true), (5, 9, false)] {
            let mut spoilt = right.clone();
            let values = &mut spoilt[at].1;
            // All values but one of another, from some number on.
            values.iter_mut().skip(number).filter(|v| **v == from).for_each(|v| *v = to);
            let (all, failures, _) = look(&spoilt).counts();
            assert_eq!((all, failures > 0), (checked, fails), "{at} {number} {from}");
        }
    }
}

/// Two piles of long global nim from a table of piles up to 8.
#[test]
fn sets_of_two_piles_in_any_table() {
    let game = games::LONG_GLOBAL_NIM;
    let set = |from: Pile, to: Pile| (from..=to).collect::<Vec<Pile>>();
    for seed in 0..5 {
        let stored = [noisy(game, 8, 2, 2, seed)];
        let value = |piles: &[Pile], moves: &[Pile]| {
            let mask = moves.iter().fold(0u64, |mask, s| mask | 1 << (s - 1));
            let moves = MoveSet::of_mask(mask);
            value(&stored[0], &Position::with_available(piles.to_vec(), &moves))
        };
        let pairs = || (1..=4).flat_map(|a| (1..a).map(move |b| (a, b)));
        let with = pairs().map(|(a, b)| {
            let moves = [vec![b], set(a, a + b)].concat();
            (vec![a, a + b], value(&[a, a + b], &moves) > 0)
        });
        finds("lgn.prop29", up_to(4), &stored, with);
        let of = |a, b| value(&[a, a + b], &set(a, a + b));
        let many = [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (2, 5), (2, 6)];
        let many = many.map(|(a, b)| (vec![a, a + b], of(a, b) > 0));
        finds("lgn.prop30", up_to(2), &stored, many);
        finds("lgn.prop30-sharp", up_to(1), &stored, [(vec![1, 6], of(1, 5) == 0)]);
        // Of equal piles those of two are read, and the others are searched, and are right.
        let looked = look("lgn.thm28", up_to(4), &stored);
        assert_eq!(looked.origin, Some(Origin::Mixed));
        let equal = [1, 3].into_iter().flat_map(|n| {
            let (all, but_n) = (value(&[n, n], &set(1, n)), value(&[n, n], &set(1, n - 1)));
            [(vec![n, n], all == 0), (vec![n, n], but_n > 0)]
        });
        let others = [1, 3].into_iter().flat_map(|n| vec![(vec![n], false); 10]);
        assert_eq!(looked.counts(), count(equal.chain(others)));
    }
}

/// Straight from the rules: a move s of the set takes s and cannot be made again.
fn long_value(n: Pile, moves: &[Pile], known: &mut HashMap<(Pile, Vec<Pile>), u32>) -> u32 {
    let moves: Vec<Pile> = moves.iter().copied().filter(|&s| s <= n).collect();
    if let Some(&value) = known.get(&(n, moves.clone())) {
        return value;
    }
    let options: Vec<u32> = moves
        .iter()
        .map(|&s| {
            let rest: Vec<Pile> = moves.iter().copied().filter(|&t| t != s).collect();
            long_value(n - s, &rest, known)
        })
        .collect();
    let value = (0..).find(|value| !options.contains(value)).unwrap();
    known.insert((n, moves), value);
    value
}

/// Single piles up to 8 with every set of moves.
#[test]
fn sets_of_single_piles_in_any_table() {
    const TO: Pile = 8;
    let mut known = HashMap::new();
    for seed in 0..4 {
        let stored = [noisy(games::LONG_GLOBAL_NIM, TO + 1, 1, 1 << 31, seed)];
        let (table, cells) = &stored[0];
        let mut values = HashMap::new();
        for number in 0..table.values() {
            let Some(position) = table.position(number) else { continue };
            let pile = position.piles().first().copied().unwrap_or(0);
            let moves: Vec<Pile> = position.available().iter().collect();
            let value = cell_value(cells[number as usize / 16], number as u32 % 16);
            values.insert((pile, moves), u32::from(value));
        }
        let without = |n: Pile, moves: &[Pile], s: Pile| {
            let rest = moves.iter().copied().filter(|&t| t != s && t <= n - s).collect();
            (n - s, rest)
        };
        let wins = |n: Pile, moves: &[Pile], s: Pile| values[&without(n, moves, s)] == 0;
        let is_n = |n: Pile, moves: &[Pile]| values[&(n, moves.to_vec())] > 0;
        let sets = |count: Option<usize>| {
            let all = (1..=TO).flat_map(|n| (0..1u64 << n).map(move |mask| (n, mask)));
            let all = all.map(|(n, mask)| {
                (n, (1..=n).filter(|s| mask >> (s - 1) & 1 == 1).collect::<Vec<_>>())
            });
            all.filter(move |(_, moves)| count.is_none_or(|count| moves.len() == count))
        };
        let mut truth = |n: Pile, moves: &[Pile]| long_value(n, moves, &mut known) > 0;
        // Theorems 23, 24, 25, the corrected 27 and the list hold of the true values.
        let piles = (1..=TO).map(|n| {
            let moves: Vec<Pile> = (1..n).collect();
            (vec![n], is_n(n, &moves) != [2, 6, 8].contains(&n))
        });
        finds("lgn.thm23", up_to(TO), &stored, piles);
        for (id, count) in
            [("lgn.thm24", 2), ("lgn.thm25", 3), ("lgn.thm27.corrected", 4), ("lgn.five-choice", 5)]
        {
            let all = sets(Some(count)).map(|(n, s)| (vec![n], is_n(n, &s) != truth(n, &s)));
            finds(id, up_to(TO), &stored, all);
        }
        let printed = sets(Some(4)).filter(|(n, s)| s[3] < *n).map(|(n, s)| {
            let (i, j, k, l) = (s[0], s[1], s[2], s[3]);
            let k_fits = i + j + k <= n && n < i + j + k + l;
            let l_fits = i + j + l <= n && n < i + j + k + l;
            let said =
                i + j > n || k_fits && i + j + l <= n || k_fits && k + l > n || l_fits && k + l > n;
            (vec![n], is_n(n, &s) != said)
        });
        finds("lgn.thm27", up_to(TO), &stored, printed);
        let premise = |id, count, premise: &dyn Fn(Pile, &[Pile]) -> bool| {
            let all = sets(Some(count)).filter(|(n, s)| premise(*n, s)).count() as u64;
            assert_eq!(look(id, up_to(TO), &stored).examined.tally.premise, all, "{id}");
        };
        let first_wins = |n: Pile, s: &[Pile]| wins(n, s, s[0]);
        premise("lgn.thm26", 4, &first_wins);
        let four = sets(Some(4));
        let four = four.map(|(n, s)| (vec![n], first_wins(n, &s) && !wins(n, &s, s[1])));
        finds("lgn.thm26", up_to(TO), &stored, four);
        premise("lgn.play-remark", 4, &is_n);
        let play = sets(Some(4)).map(|(n, s)| {
            let place = if s[0] + s[3] > n { 3 } else { 1 };
            (vec![n], is_n(n, &s) && !wins(n, &s, s[place]))
        });
        finds("lgn.play-remark", up_to(TO), &stored, play);
        premise("lgn.five-remark", 5, &first_wins);
        let five = sets(Some(5)).map(|(n, s)| {
            let other = wins(n, &s, s[1]) || wins(n, &s, s[4]);
            (vec![n], first_wins(n, &s) && !other)
        });
        finds("lgn.five-remark", up_to(TO), &stored, five);
        // A g-series of length 1 is a move that leaves 0. Of a longer one the first term leaves the
        // value p - 1, and p - 1 more moves fit with it; or what is left has a series of p - 1.
        let fit = |n: Pile, rest: &[Pile], count: usize| {
            let subsets = 0..1u32 << rest.len();
            subsets.filter(|subset| subset.count_ones() as usize == count).any(|subset| {
                let members = rest.iter().enumerate().filter(|(at, _)| subset >> at & 1 == 1);
                members.map(|(_, &s)| s).sum::<Pile>() <= n
            })
        };
        let first_term = |n: Pile, s: &[Pile], p: usize| {
            s.iter().any(|&first| {
                let (left, rest) = without(n, s, first);
                let others: Vec<Pile> = s.iter().copied().filter(|&t| t != first).collect();
                values[&(left, rest)] as usize == p - 1 && fit(left, &others, p - 1)
            })
        };
        struct Every<'a>(&'a HashMap<(Pile, Vec<Pile>), u32>);
        impl Every<'_> {
            fn term(&self, n: Pile, s: &[Pile], p: usize) -> bool {
                s.iter().any(|&first| {
                    let rest: Vec<Pile> =
                        s.iter().copied().filter(|&t| t != first && t <= n - first).collect();
                    let goes_on = p == 1 || self.term(n - first, &rest, p - 1);
                    self.0[&(n - first, rest)] as usize == p - 1 && goes_on
                })
            }
        }
        let compared = |has: &dyn Fn(Pile, &[Pile], usize) -> bool| {
            let all = sets(None).map(|(n, s)| {
                let reach = (1..).take_while(|&p| has(n, &s, p)).count();
                (vec![n], values[&(n, s)] as usize != reach)
            });
            all.collect::<Vec<_>>()
        };
        finds("lgn.thm33", up_to(TO), &stored, compared(&first_term));
        let every = |n: Pile, s: &[Pile], p: usize| Every(&values).term(n, s, p);
        finds("lgn.thm33-every-term", up_to(TO), &stored, compared(&every));
        let example = [(vec![8], values[&(8, vec![1, 3, 4])] != 1)];
        finds("lgn.example", Range::default(), &stored, example);
    }
}

/// How far a check says that it came: the cells that it filled, or the numbers that it went through.
#[test]
fn progress_is_counted() {
    let done = |id: &str, range| look(id, range, &[]).done;
    // n cells of each row n up to 9.
    for id in ["gn.prop7", "gn.prop8", "gn.prop9", "gn.cor10", "gn.thm14", "gn.cor15"] {
        assert_eq!(done(id, up_to(9)), 45, "{id}");
    }
    // Every n, for n = 1 there is nothing to do; every a.
    assert_eq!(done("gn.prop13", up_to(9)), 8);
    assert_eq!(done("lgn.prop29", up_to(6)), 6);
    assert_eq!(done("lgn.thm25", up_to(6)) % 100, 6);
    // 2 x 2^14 rows, and what is beyond them is not told.
    assert_eq!(done("gn.prop16", up_to(40_000)), 1 << 15);
    // 3 x 3 rows of 50 columns.
    let rows = Range { max_pile: Some(3), length: None, to: Some(50) };
    assert_eq!(done("an.period", rows), 450);
    // 3 + 6 multisets of up to two piles; the six of them with last moves 0 to 3.
    assert_eq!(done("bouton.thm1", sizes(3, 2)), 9);
    assert_eq!(done("gn.thm4", sizes(3, 2)), 24);
    // Multisets of three piles below 2, 4 and 8: 1, then 3 x 4 x 5 / 6, then 7 x 8 x 9 / 6.
    assert_eq!(done("bouton.chance", up_to(3)), 1 + 10 + 84);
    // Every left pile of three: 3 x 6 x 6 cells.
    assert_eq!(done("ch.proof5.1", sizes(6, 3)), 6 * 3 * 6 * 6);
    assert_eq!(done("lgn.conj34", up_to(30)), 30);
    // 16 words, each for itself.
    assert_eq!(done("ew.one-end", sizes(4, 2)), 16);
    assert_eq!(done("ew.wythoff", sizes(4, 2)), 16);
}

/// What is said of tables in which all values are the same.
#[test]
fn wrong_values_are_said() {
    let said = |id: &str, range, game, n, length, value| {
        let stored = [told(game, n, length, |_| value)];
        look(id, range, &stored).examined.tally.first.unwrap().to_string()
    };
    let short = |id, value| said(id, sizes(2, 2), games::SHORT_GLOBAL_NIM, 2, 2, value);
    let unequal = "short-global-nim 1,2: last move 0: value 0, not as stated";
    assert_eq!(short("gn.thm4", 0), unequal);
    let smallest = "short-global-nim 2,2: taking 1 from the smallest pile leaves the value 5";
    assert_eq!(short("gn.smallest-pile.corrected", 5), smallest);
    let nim = |id, value| said(id, sizes(1, 1), games::NIM, 1, 1, value);
    assert_eq!(nim("bouton.general", 0), "nim 1: value 0, nim-sum 1");
    let misere = |value| said("bouton.misere", sizes(2, 1), games::MISERE_NIM, 2, 1, value);
    assert_eq!(misere(1), "misere-nim 1: value 1, said to be safe");
    assert_eq!(misere(0), "misere-nim 2: value 0, said not to be safe");
    let list = |value| said("bouton.list35", Range::default(), games::NIM, 15, 3, value);
    assert_eq!(list(0), "nim 1,1,1: safe, and not printed");
    assert_eq!(list(1), "nim 1,2,3: printed, and not safe");
    let pairs = |value| said("ew.wythoff", sizes(2, 2), games::END_WYTHOFF, 2, 2, value);
    assert_eq!(pairs(0), "end-wythoff 1,1: value 0, and no pair of Wythoff's");
    assert_eq!(pairs(1), "end-wythoff 1,2: value 1, and a pair of Wythoff's");
    // 2 of 2 with the moves 1 and 2, of which one always wins.
    let long = |id, to| said(id, up_to(to), games::LONG_GLOBAL_NIM, 8, 1, 0);
    assert_eq!(long("lgn.thm24", 2), "long-global-nim 2: {1,2}: value 0, said to be N");
    assert_eq!(long("lgn.thm23", 2), "long-global-nim 2: value 0");
    // One move leaves 0 coins or more, which is a g-series of length 1.
    let series = "long-global-nim 1: {1}: value 0, there are g-series of lengths 1 to 1";
    assert_eq!(long("lgn.thm33", 1), series);
    // Of two piles (1,3) and (1,6), and (1,1) with the move 1.
    let two = |id, value| said(id, up_to(1), games::LONG_GLOBAL_NIM, 6, 2, value);
    assert_eq!(two("lgn.prop30", 1), "long-global-nim 1,3: {1..3}: value 1, not P");
    assert_eq!(two("lgn.prop30-sharp", 0), "long-global-nim 1,6: {1..6}: value 0, it is P too");
    assert_eq!(two("lgn.thm28", 0), "long-global-nim 1,1: {1}: value 0, not as stated");
    let example = said("lgn.example", Range::default(), games::LONG_GLOBAL_NIM, 8, 1, 0);
    assert_eq!(example, "long-global-nim 8: {1,3,4}: value 0");
}
