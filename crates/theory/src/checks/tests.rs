//! Tests of checks with stored tables: correct tables and random ones.

use grundy_rules::reference::{Outcomes, Reference};
use grundy_rules::{Game, Outcome, Pile, Position, Table, games};

use super::dense::PRINTED;
use crate::Range;
use crate::testing::{
    count, look, noise, noisy_records, noisy_rows, referred, sizes, told, up_to, words,
};
use crate::words::Origin::{Computed, Mixed, Table as Read};

type Stored = (Table, Vec<u32>);

/// The empty range, for statements about printed text.
const PRINT: Range = Range { max_pile: None, length: None, to: None };

/// A table of random numbers below a bound.
fn noisy(game: Game, max_pile: Pile, length: usize, below: u32, seed: u64) -> Stored {
    let mut next = noise(seed);
    told(game, max_pile, length, |_| next(below))
}

/// Tables of the three games, mostly equal, so that only some rows differ.
fn mostly_alike(sizes: &[(Pile, usize)], seed: u64) -> Vec<Stored> {
    let all =
        games::END_NIM_GAMES.into_iter().flat_map(|game| sizes.iter().map(move |&s| (game, s)));
    let tables = all.map(|(game, (max_pile, length))| {
        let (mut alike, mut next) = (noise(seed), noise(100 * seed + game.id().len() as u64));
        told(game, max_pile, length, |_| {
            let value = alike(2);
            if next(8) == 0 { 1 - value } else { value }
        })
    });
    tables.collect()
}

/// Each case has random tables made from seeds, the number of seeds, the range of the check, and
/// the totals for each claim: checked cases, true premises and failures. Loops over all positions,
/// straight from the words of the claims, once gave the same totals. Later tests still run such
/// loops.
#[test]
fn failures_in_random_tables_are_counted() {
    type Counted = (&'static str, u64, u64, u64);
    let counted = |stored: &dyn Fn(u64) -> Vec<Stored>, seeds, range, all: &[Counted]| {
        for &(id, checked, premise, failures) in all {
            let mut sum = (0, 0, 0);
            for seed in 0..seeds {
                let looked = look(id, range, &stored(seed));
                let origin = if id == "lgn.thm28" { Mixed } else { Read };
                assert_eq!(looked.origin, Some(origin), "{id}");
                let tally = looked.examined.tally;
                sum = (sum.0 + tally.checked, sum.1 + tally.premise, sum.2 + tally.failures);
            }
            assert_eq!(sum, (checked, premise, failures), "{id}");
        }
    };
    let of = |game, sizes: &'static [(Pile, usize, u32)]| {
        move |seed| {
            let tables =
                sizes.iter().map(|&(n, length, below)| noisy(game, n, length, below, seed));
            tables.collect()
        }
    };
    let short = of(games::SHORT_GLOBAL_NIM, &[(6, 2, 3), (5, 3, 2)]);
    let two: [Counted; 4] = [
        ("gn.thm3", 150, 0, 56),
        ("gn.thm4", 300, 0, 101),
        ("gn.cor5", 25, 0, 14),
        ("gn.smallest-pile.corrected", 50, 0, 35),
    ];
    counted(&short, 5, sizes(5, 2), &two);
    counted(&short, 5, sizes(4, 3), &[("gn.thm6", 500, 0, 274)]);
    let wythoff = of(games::END_WYTHOFF, &[(8, 2, 3)]);
    counted(&wythoff, 5, sizes(6, 2), &[("ew.wythoff", 180, 0, 60)]);
    let nim = of(games::NIM, &[(7, 1, 3), (5, 2, 3), (16, 3, 3)]);
    counted(&nim, 5, sizes(5, 3), &[("bouton.general", 275, 0, 239)]);
    counted(&nim, 5, PRINT, &[("bouton.list35", 3400, 0, 1179)]);
    let misere = of(games::MISERE_NIM, &[(15, 1, 3), (15, 2, 3), (15, 3, 3)]);
    counted(&misere, 5, sizes(5, 3), &[("bouton.misere", 275, 0, 101)]);
    counted(&misere, 5, PRINT, &[("bouton.misere-literal", 4080, 0, 1415)]);
    let small = |seed| mostly_alike(&[(3, 1), (3, 2), (3, 3), (3, 4)], seed);
    counted(&small, 8, sizes(3, 4), &[("ch.cor2.4", 960, 0, 328)]);
    let long = of(games::LONG_GLOBAL_NIM, &[(9, 1, 1 << 31), (8, 2, 2)]);
    counted(&long, 5, up_to(1), &[("lgn.prop30-sharp", 5, 0, 2)]);
    counted(&long, 5, up_to(2), &[("lgn.prop30", 35, 0, 16)]);
    counted(&long, 5, up_to(4), &[("lgn.prop29", 30, 0, 13), ("lgn.thm28", 120, 0, 8)]);
    let sets: [Counted; 10] = [
        ("lgn.thm23", 32, 0, 12),
        ("lgn.thm24", 336, 0, 125),
        ("lgn.thm25", 504, 0, 184),
        ("lgn.thm26", 504, 172, 45),
        ("lgn.thm27", 224, 0, 99),
        ("lgn.thm27.corrected", 504, 0, 160),
        ("lgn.play-remark", 504, 326, 24),
        ("lgn.five-choice", 336, 0, 86),
        ("lgn.five-remark", 336, 93, 0),
        ("lgn.thm33", 2040, 0, 1816),
    ];
    counted(&long, 4, up_to(8), &sets);
    counted(&long, 4, up_to(8), &[("lgn.thm33-every-term", 2040, 0, 1813)]);
    counted(&long, 4, PRINT, &[("lgn.example", 4, 0, 4)]);
    let records = |to: usize| move |seed| vec![noisy_records(seed, to)];
    let cells: [Counted; 7] = [
        ("gn.prop7", 1960, 0, 0),
        ("gn.prop8", 560, 0, 390),
        ("gn.prop9", 1120, 0, 366),
        ("gn.prop13", 2203, 0, 0),
        ("gn.thm14", 1400, 0, 1066),
        ("gn.thm14-differ", 1400, 0, 1102),
        ("gn.cor15", 1400, 180, 136),
    ];
    counted(&records(10), 40, up_to(7), &cells);
    counted(
        &records(10),
        40,
        PRINT,
        &[("gn.def12", 1280, 0, 186), ("gn.def12.corrected", 1280, 0, 167)],
    );
    let rows: [Counted; 10] = [
        ("gn.thm2", 1200, 0, 658),
        ("gn.cor11", 1200, 0, 451),
        ("gn.prop16", 1200, 0, 173),
        ("gn.half-bound", 1200, 0, 120),
        ("gn.thm17", 12600, 11310, 1254),
        ("gn.prop19", 13800, 0, 7058),
        ("gn.prop19.corrected", 13800, 0, 6154),
        ("gn.prop20", 1200, 587, 23),
        ("gn.cor21", 1140, 106, 21),
        ("gn.three-increasing", 1080, 0, 44),
    ];
    counted(&records(24), 60, up_to(20), &rows);
    // g(n) is at most n. From 147 on it is the largest value that the claim allows, or one more.
    let bound = |seed: u64| {
        let table = Table::new(games::SHORT_GLOBAL_NIM, 150, 1).unwrap();
        let mut values = vec![0; table.cells() as usize];
        for n in 140..=150 {
            values[(n - 1) * table.tile_cells()] = (n as u32 - 1) / 2 + seed as u32;
        }
        vec![(table, values)]
    };
    counted(&bound, 2, up_to(150), &[("gn.below-half", 300, 0, 4)]);
}

/// Changes one value of correct tables at a time. Exactly that position fails, if the claim covers
/// it. If a row also represents its reversal, both fail, and the lesser one is reported.
#[test]
fn one_wrong_value_is_one_failure() {
    type Case = (&'static str, Range, Vec<Stored>, usize, fn(&Position) -> bool);
    let of = |games: &[Game], n, lengths: &[usize]| -> Vec<Stored> {
        let each = games.iter().flat_map(|&game| lengths.iter().map(move |&k| (game, k)));
        each.map(|(game, length)| referred(game, n, length)).collect()
    };
    let three = games::END_NIM_GAMES;
    let cases: [Case; 6] = [
        ("bouton.general", sizes(3, 3), of(&[games::NIM], 4, &[1, 2, 3]), 1, |position| {
            position.max_pile() < 4
        }),
        ("gn.thm4", sizes(5, 2), of(&[games::SHORT_GLOBAL_NIM], 6, &[2]), 1, |position| {
            let piles = position.piles();
            piles[0] < piles[1] && piles[1] < 6 && position.last_move() < 6
        }),
        ("ew.wythoff", sizes(4, 2), of(&[games::END_WYTHOFF], 5, &[2]), 1, |position| {
            position.max_pile() < 5
        }),
        ("ch.cor2.4", sizes(3, 4), of(&three, 3, &[1, 2, 3, 4]), 1, |_| true),
        // Rows of two words of bits.
        ("ch.cor2.4", sizes(66, 2), of(&three, 66, &[1, 2]), 97, |_| true),
        ("partizan.thm", sizes(4, 3), [1, 2, 3].map(|k| right_thresholds(4, k)).into(), 1, |_| {
            true
        }),
    ];
    for (id, range, right, step, is_spoken_of) in cases {
        let (checked, failures, first) = look(id, range, &right).counts();
        assert_eq!((failures, first), (0, None), "{id}");
        for at in 0..right.len() {
            for number in (0..right[at].0.cells()).step_by(step) {
                let mut spoilt = right.clone();
                let (table, values) = &mut spoilt[at];
                let value = &mut values[number as usize];
                *value = u32::from(*value == 0);
                let Some(position) = table.position(number) else { continue };
                let mut readings = vec![position.piles().to_vec()];
                let reversed = position.reversed();
                if table.game().rules().is_symmetric() && table.number(&reversed) == Some(number) {
                    readings.push(reversed.piles().to_vec());
                    readings.sort();
                    readings.dedup();
                }
                readings.retain(|_| is_spoken_of(&position));
                let expected = (checked, readings.len() as u64, readings.into_iter().next());
                assert_eq!(look(id, range, &spoilt).counts(), expected, "{id}, {position}");
            }
        }
    }
}

/// For each position the proof names one option, which has the value 1. The position fails iff the
/// table gives this option another value.
#[test]
fn the_proof_reads_one_option_of_each_position() {
    let right = [referred(games::END_NIM, 8, 2), referred(games::END_NIM, 7, 3)];
    let look = |stored: &[Stored]| look("ch.proof5.1", sizes(6, 3), stored).counts();
    let mut reference = Reference::new(games::END_NIM);
    let spoken_of = words(6, 3).filter(|word| {
        word[0] <= word[2] && reference.value(&Position::new(word.clone()).unwrap()) > 1
    });
    let spoken_of = spoken_of.count() as u64;
    assert_eq!(look(&right), (spoken_of, 0, None));
    let mut failed = 0;
    for (at, (table, values)) in right.iter().enumerate() {
        for (number, &value) in (0..).zip(values) {
            let mut spoilt = right.clone();
            spoilt[at].1[number as usize] = 9;
            let (checked, failures, first) = look(&spoilt);
            assert_eq!(checked, spoken_of);
            failed += failures;
            let Some(first) = first.map(|piles| Position::new(piles).unwrap()) else { continue };
            let option = table.position(number).unwrap();
            let moves = games::END_NIM.moves(&first);
            assert!(moves.iter().any(|m| m.option == option), "{first}: {option}");
            assert_eq!(value, 1, "{option}");
        }
    }
    assert_eq!(failed, spoken_of);
}

#[test]
fn printed_cells_are_compared_one_by_one() {
    for seed in 0..40 {
        let (stored, dense) = noisy_rows(seed, 12);
        let value = |n: usize, k: usize| dense[n].get(k).copied().unwrap_or(dense[n][0]);
        let cells = (0..10).flat_map(|n| (0..10).map(move |k| (n, k)));
        let cases = cells.map(|(n, k)| (vec![n as Pile], value(n, k) != PRINTED[n][k]));
        assert_eq!(look("gn.table1", PRINT, &[stored]).counts(), count(cases), "{seed}");
    }
}

#[test]
fn values_that_occur_once_are_counted() {
    for seed in 0..40 {
        let (stored, dense) = noisy_rows(seed, 24);
        let g = |n: usize| dense[n][0];
        let piles = |value: u32| (0..=20).filter(move |&n| g(n) == value);
        let most = (0..=10).map(g).max().unwrap();
        let cases = (0..=most).map(|value| {
            let last = piles(value).last().unwrap_or_default();
            (vec![last as Pile], (piles(value).count() == 1) != [0, 12].contains(&value))
        });
        assert_eq!(look("gn.once", up_to(20), &[stored]).counts(), count(cases), "{seed}");
    }
}

#[test]
fn statements_outside_tables_are_counted() {
    let mut reference = Reference::new(games::SHORT_GLOBAL_NIM);
    let mut value = |n, k| reference.value(&Position::after(vec![n], k));
    let cells = (1..=20).flat_map(|n| (1..=n).map(move |k| (n, k)));
    let exceptional = cells.filter(|&(n, k)| value(n, k) != value(n, 0)).count() as u64;
    for (id, range, counts) in [
        ("bouton.thm1", sizes(5, 4), (125, 23, 0)),
        ("bouton.thm2", sizes(5, 4), (120, 23, 0)),
        // There are three counts for n = 1, and four for each larger n.
        ("bouton.chance", up_to(3), (3 + 4 + 4, 0, 0)),
        ("gn.cor10", up_to(20), (210, exceptional, 0)),
        // One to six piles of 1, 3 and 5, up to four of 7 and 9, and up to two of 11; each with all
        // moves, and with all moves but n.
        ("lgn.thm28", up_to(11), (2 * (3 * 6 + 2 * 4 + 2), 0, 0)),
    ] {
        let tally = look(id, range, &[]).examined.tally;
        assert_eq!((tally.checked, tally.premise, tally.failures), counts, "{id}");
    }
}

/// Returns the thresholds of partizan End-Nim by outcomes: l(w) is the number of a for which Left,
/// moving first, does not win a w.
fn right_thresholds(max_pile: Pile, length: usize) -> Stored {
    let game = games::PARTIZAN_END_NIM;
    let mut outcomes = Outcomes::new(game);
    let table = Table::new(game, max_pile, length).unwrap();
    told(game, max_pile, length, |number| {
        let word = table.position(number).unwrap();
        let loses = |a: &Pile| {
            let position = Position::new([&[*a], word.piles()].concat()).unwrap();
            matches!(outcomes.outcome(&position), Outcome::P | Outcome::R)
        };
        (1..).take_while(loses).count() as u32
    })
}

/// With one-byte values, two-byte values for piles above 127, and stored tables. Progress counts
/// all cells of the three games. In the last case one of the nine tables is missing.
#[test]
fn three_games_are_read_or_filled() {
    let stored: Vec<Stored> = games::END_NIM_GAMES
        .into_iter()
        .flat_map(|game| [1, 2, 3].map(|length| referred(game, 6, length)))
        .collect();
    for (n, length, stored, origin, words) in [
        (127, 2, &[][..], Computed, 127 * 128),
        (128, 2, &[], Computed, 128 * 129),
        (6, 3, &stored, Read, 258),
        (6, 3, &stored[1..], Mixed, 258),
    ] {
        let looked = look("ch.cor2.4", sizes(n, length), stored);
        assert_eq!((looked.origin, looked.done), (Some(origin), 3 * words));
        assert_eq!(looked.counts(), (words, 0, None));
    }
}

/// The table of a,4,b up to 16 is read from larger tables. One wrong value makes one wrong row, if
/// it is in the printed table.
#[test]
fn printed_rows_are_read() {
    let right = [referred(games::END_NIM, 18, 2), referred(games::END_NIM, 17, 3)];
    let look = |stored: &[Stored]| {
        let looked = look("an.table", Range::default(), stored);
        (looked.origin, looked.counts())
    };
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
        assert_eq!(look(&spoilt), (Some(Read), (16, failures, first)), "{piles:?}");
    }
    // Tables are read only if both lengths are stored.
    assert_eq!(look(&right[..1]), (Some(Computed), (16, 0, None)));
}

/// The messages about the first counterexample in tables with only one value, and in records.
#[test]
fn counterexamples_show_the_wrong_value() {
    let of = |game, n, length| move |value| told(game, n, length, |_| value);
    let records = |records: &[&[u32]]| {
        let table = Table::new(games::SHORT_GLOBAL_NIM, records.len() as Pile, 1).unwrap();
        let cells = table.tile_cells();
        let padded = records.iter().flat_map(|record| {
            let padding = std::iter::repeat_n(0, cells - record.len());
            record.iter().copied().chain(padding)
        });
        let values = padded.collect();
        (table, values)
    };
    let short = of(games::SHORT_GLOBAL_NIM, 2, 2);
    let misere = of(games::MISERE_NIM, 2, 1);
    let list = of(games::NIM, 15, 3);
    let pairs = of(games::END_WYTHOFF, 2, 2);
    let sets = of(games::LONG_GLOBAL_NIM, 8, 1);
    let two = of(games::LONG_GLOBAL_NIM, 6, 2);
    let thresholds = told(games::PARTIZAN_END_NIM, 3, 1, |number| [1, 2, 7][number as usize]);
    // With g = 0, 1, 1, 3, 1 the piles 1 and 2, both of value 1, have no exceptional last move, and
    // f(1) = 1. With g = 0, 1, 2, 3 the exceptional values are *(2,1) = g(1) and *(3,3) = 0. With g
    // = 0, 1, 2, 0, 0, 0, 0 there are no exceptional values: 1 + 1 is a g-series for (2,0) but not
    // for (2,1), and 4 + 2 is no g-series for (6,0), as *(2,4) = 2.
    let ones = || records(&[&[1], &[1], &[3], &[1]]);
    let rising = || records(&[&[1], &[2, 1, 1], &[3, 1, 0]]);
    let flat = || records(&[&[1], &[2], &[0], &[0], &[0], &[0]]);
    for (id, range, stored, said) in [
        ("gn.thm4", sizes(2, 2), short(0), "1,2: last move 0: value 0, not as stated"),
        (
            "gn.smallest-pile.corrected",
            sizes(2, 2),
            short(5),
            "2,2: taking 1 from the smallest pile leaves the value 5",
        ),
        ("bouton.general", sizes(1, 1), of(games::NIM, 1, 1)(0), "1: value 0, nim-sum 1"),
        ("bouton.misere", sizes(2, 1), misere(1), "1: value 1, said to be safe"),
        ("bouton.misere", sizes(2, 1), misere(0), "2: value 0, said not to be safe"),
        ("bouton.list35", PRINT, list(0), "1,1,1: safe but not printed"),
        ("bouton.list35", PRINT, list(1), "1,2,3: printed but not safe"),
        ("ew.wythoff", sizes(2, 2), pairs(0), "1,1: value 0, but it is no pair of Wythoff's"),
        ("ew.wythoff", sizes(2, 2), pairs(1), "1,2: value 1, but it is a pair of Wythoff's"),
        ("partizan.thm", sizes(3, 1), thresholds, "3: its l is stored as 7, but is 3"),
        // On a pile of 2 with the moves 1 and 2, one of them always wins.
        ("lgn.thm24", up_to(2), sets(0), "2: {1,2}: value 0, said to be N"),
        ("lgn.thm23", up_to(2), sets(0), "2: value 0"),
        // A move is always possible, so there is a g-series of length 1.
        ("lgn.thm33", up_to(1), sets(0), "1: {1}: value 0, there are g-series of lengths 1 to 1"),
        // The positions are (1,3) and (1,6), and (1,1) with the move 1.
        ("lgn.prop30", up_to(1), two(1), "1,3: {1..3}: value 1, not P"),
        ("lgn.prop30-sharp", up_to(1), two(0), "1,6: {1..6}: value 0, it is P too"),
        ("lgn.thm28", up_to(1), two(0), "1,1: {1}: value 0, not as stated"),
        ("lgn.example", PRINT, sets(0), "8: {1,3,4}: value 0"),
        ("gn.thm2", up_to(4), ones(), "1: *(1,1) = 1"),
        ("gn.cor11", up_to(4), ones(), "3: the mex of the values before is 2"),
        ("gn.prop16", up_to(4), ones(), "3: the bound is 2"),
        ("gn.thm17", up_to(4), ones(), "1: g(2) = 1 too, and *(1,1)"),
        ("gn.prop19", up_to(4), ones(), "4: g(4) = 1, and f(1) = 1"),
        ("gn.prop19", up_to(3), rising(), "3: *(3,3) = 0, and f(0) = 0"),
        ("gn.prop20", up_to(3), rising(), "2: g(3) = 3, *(2,1) < 2"),
        ("gn.cor21", up_to(3), rising(), "0: 0, 1, 2 increase"),
        ("gn.three-increasing", up_to(3), rising(), "0: 0, 1, 2, 3 increase"),
        ("gn.thm14", up_to(2), flat(), "2: *(2,1) = 2, but there are g-series of lengths 1 to 1"),
        ("gn.def12", PRINT, flat(), "6: 4 + 2 is listed but is no g-series"),
    ] {
        let game = stored.0.game();
        let first = look(id, range, &[stored]).examined.tally.first.unwrap();
        assert_eq!(first.to_string(), format!("{game} {said}"), "{id}");
    }
}
