//! Claims about partizan End-Nim, checked for all words (rows of piles), shorter lengths first.
//!
//! Outcomes are computed from the moves (`grundy_sweep::outcomes`), and the thresholds of the
//! theorem from their recursion (`grundy_kernels::thresholds`). The row of a tile with the left end
//! x is compared as a set of bits. Fix the middle m. By the theorem, Right, moving first, wins x m
//! y iff y > r(x m). So the bits of these y are a run of ones. Left, moving first, wins x m y iff
//! x > l(m y). So the set of these y never shrinks from one row to the next.
//!
//! Tables of this game store l(w) for each word w. If there are such tables, their thresholds are
//! compared with the recursion. Outcomes are always computed, and so are the numbers in the two
//! claims about counts.

use grundy_kernels::outcomes::words;
use grundy_kernels::thresholds::{Prefix, fill_row};
use grundy_rules::{Game, Outcome, Pile, Table, games};
use grundy_sweep::cost::price::ROW;
use grundy_sweep::outcomes::{
    OutcomeCounts, OutcomeFold, OutcomeLevels, OutcomeView, count_outcomes,
};

use crate::domain::{Extent, Size, longest};
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::stored::Halt;
use crate::tally::Tally;

const GAME: Game = games::PARTIZAN_END_NIM;

pub(crate) fn cost(_: &[Game], extent: &Extent, means: &Means<'_>) -> Estimate {
    let each = |(max_pile, length): (Pile, usize)| {
        let words = (1..=length as u32)
            .map(|length| u64::from(max_pile).saturating_pow(length))
            .fold(0, u64::saturating_add);
        // A step handles up to 64 columns of a row.
        let rows = words as f64 / f64::from(max_pile.min(64));
        let seconds = rows * ROW / means.threads.max(1) as f64;
        let memory = OutcomeLevels::bytes(max_pile, length - 1).unwrap_or(u64::MAX);
        Estimate { positions: words, cells: words, seconds, memory }
    };
    longest(extent.sizes()).into_iter().map(each).sum()
}

struct Check<F> {
    max_pile: Pile,
    /// Checks a tile. `Prefix` is working memory.
    tile: F,
}

impl<F: Fn(&mut Tally, &mut Prefix, OutcomeView<'_>) + Sync> OutcomeFold for Check<F> {
    type Acc = (Tally, Prefix);

    fn start(&self) -> Self::Acc {
        Self::Acc::default()
    }

    fn tile(&self, (tally, prefix): &mut Self::Acc, tile: OutcomeView<'_>) {
        tally.checked += tile.rows as u64 * u64::from(self.max_pile);
        (self.tile)(tally, prefix, tile);
    }

    fn merge(&self, left: Self::Acc, right: Self::Acc) -> Self::Acc {
        (left.0.merge(right.0), left.1)
    }
}

/// Checks every tile of the wanted lengths. Calls `after` with the tally of each size.
fn each_tile(
    job: &Job<'_>,
    wanted: impl Fn(usize) -> bool,
    check: impl Fn(Size, &mut Tally, &mut Prefix, OutcomeView<'_>) + Sync,
    after: impl Fn(Size, &mut Tally) -> Result<(), Halt>,
) -> Examination {
    Examination::by(|total| {
        for (max_pile, longest) in longest(job.sizes()) {
            let mut levels = OutcomeLevels::new(max_pile);
            let sizes = (1..=longest).map(|length| Size { max_pile, length });
            for size in sizes.filter(|size| wanted(size.length) && job.sizes().contains(size)) {
                let tile = |tally: &mut Tally, prefix: &mut Prefix, view: OutcomeView<'_>| {
                    check(size, tally, prefix, view);
                };
                let fold = Check { max_pile, tile };
                let (mut tally, complete) = if size.length == 1 {
                    let mut acc = fold.start();
                    fold.tile(&mut acc, levels.single_piles());
                    (acc.0, true)
                } else {
                    levels.extend(size.length - 1, job.control)?;
                    let swept = levels.sweep(job.control, &fold);
                    (swept.acc.0, swept.complete)
                };
                let read = if complete { after(size, &mut tally) } else { Err(Halt) };
                *total = std::mem::take(total).merge(tally);
                read?;
            }
        }
        Ok(())
    })
}

/// Checks that the thresholds give the outcome classes, and that the stored thresholds equal those
/// of the recursion.
pub(crate) fn thresholds(job: &Job<'_>) -> Examination {
    job.stored.computed();
    each_tile(job, |_| true, compare, |size, tally| compare_stored(size, job, tally))
}

/// Compares a stored table with the recursion. The comparison of outcomes has already counted each
/// word, and no word may fail twice. So this comparison is skipped if there are failures.
fn compare_stored(
    Size { max_pile, length }: Size,
    job: &Job<'_>,
    tally: &mut Tally,
) -> Result<(), Halt> {
    let table = Table::new(GAME, max_pile, length).ok();
    let held = table.filter(|table| job.holder(table).as_ref() == Some(table));
    let Some(table) = held.filter(|_| tally.failures == 0) else { return Ok(()) };
    let (mut word, mut prefix) = (Vec::new(), Prefix::default());
    let mut expected = vec![0; max_pile as usize];
    job.read(&table, |first, values| {
        let first = first / table.tile_cells() as u64;
        for (tile, values) in (first..).zip(values.chunks_exact(table.tile_cells())) {
            table.tile_word(tile, &mut word);
            prefix.set(&word);
            for (x, row) in (1..).zip(values.chunks_exact(table.tile_cols())) {
                // For a single pile, the prefix is empty.
                let (left, right) = if length == 1 { (0, 0) } else { prefix.appended(x) };
                fill_row(left, right, &mut expected);
                for ((y, &value), &threshold) in (1..).zip(row).zip(&expected) {
                    if value != u32::from(threshold) {
                        let last: &[Pile] = if length == 1 { &[y] } else { &[x, y] };
                        let piles = [&word[..], last].concat();
                        tally.fail(GAME, &piles, Some(value), || {
                            format!("its l is stored as {value}, but is {threshold}")
                        });
                    }
                }
            }
        }
        Ok(true)
    })
}

/// Compares a tile with the outcomes given by the thresholds of x m and m y.
fn compare(size: Size, tally: &mut Tally, prefix: &mut Prefix, tile: OutcomeView<'_>) {
    let Size { max_pile, length } = size;
    let width = words(max_pile as usize);
    if length == 1 {
        // The player to move wins every single pile.
        for (at, (left, right)) in tile.left.iter().zip(tile.right).enumerate() {
            let wrong = columns(max_pile, at) & !(left & right);
            fail(size, tally, &tile, at, wrong, "a single pile that is not N");
        }
        return;
    }
    // Left wins iff x > l(m y).
    let reached = reached(max_pile, prefix, tile.middle);
    // r(x m) = l(rev(m) x), where rev reverses a row.
    let reversed: Vec<Pile> = tile.middle.iter().rev().copied().collect();
    prefix.set(&reversed);
    let mut left_wins = vec![0u64; width];
    for x in 1..=max_pile {
        let row = (x as usize - 1) * width;
        for (wins, new) in left_wins.iter_mut().zip(&reached[row..row + width]) {
            *wins |= new;
        }
        let (before, _) = prefix.appended(x);
        for (word, left_wins) in left_wins.iter().enumerate() {
            let first = 64 * word as u64;
            let columns = columns(max_pile, word);
            // Set the bits of the columns above the threshold. The first bit is column first + 1.
            let right_wins = match before.saturating_sub(first) {
                over @ 0..64 => u64::MAX << over & columns,
                _ => 0,
            };
            let wrong_left = left_wins ^ tile.left[row + word];
            let wrong = wrong_left | right_wins ^ tile.right[row + word];
            if wrong != 0 {
                let player = if wrong_left != 0 { "Left" } else { "Right" };
                let said = format!("the thresholds are wrong about {player} moving first");
                fail(size, tally, &tile, row + word, wrong, &said);
            }
        }
    }
}

/// Returns a row of bits for each v = 0, 1, ..., n. A bit is set for each column y with l(m y) = v.
fn reached(max_pile: Pile, prefix: &mut Prefix, middle: &[Pile]) -> Vec<u64> {
    let width = words(max_pile as usize);
    prefix.set(middle);
    let mut reached = vec![0u64; (max_pile as usize + 1) * width];
    for y in 1..=max_pile {
        let (left, _) = prefix.appended(y);
        if left <= u64::from(max_pile) {
            let at = left as usize * width + (y as usize - 1) / 64;
            reached[at] |= 1 << ((y - 1) % 64);
        }
    }
    reached
}

/// Returns the bits of a 64-bit word that stand for columns of a row. `word` is the word's index.
fn columns(max_pile: Pile, word: usize) -> u64 {
    u64::MAX >> (64 - (u64::from(max_pile) - 64 * word as u64).min(64))
}

/// Counts the wrong columns in a word of bits. `at` is the index of the word in the tile.
fn fail(
    Size { max_pile, length }: Size,
    tally: &mut Tally,
    tile: &OutcomeView<'_>,
    at: usize,
    mut wrong: u64,
    found: &str,
) {
    let width = words(max_pile as usize);
    while wrong != 0 {
        let y = 64 * (at % width) as Pile + wrong.trailing_zeros() + 1;
        wrong &= wrong - 1;
        let x = (at / width) as Pile + 1;
        let piles = if length == 1 { vec![y] } else { [&[x], tile.middle, &[y]].concat() };
        tally.fail(GAME, &piles, None, || found.to_owned());
    }
}

pub(crate) fn p_rows(job: &Job<'_>) -> Examination {
    each_tile(job, |_| true, compare_lost, |_, _| Ok(()))
}

/// Compares the P-positions with the positions a v with a = l(v).
fn compare_lost(size: Size, tally: &mut Tally, prefix: &mut Prefix, tile: OutcomeView<'_>) {
    let max_pile = size.max_pile;
    let width = words(max_pile as usize);
    let met = match size.length {
        1 => vec![0; 2 * width],
        _ => reached(max_pile, prefix, tile.middle),
    };
    for (at, (left, right)) in tile.left.iter().zip(tile.right).enumerate() {
        let lost = !(left | right) & columns(max_pile, at % width);
        // `met` has a row for v = 0 before the row for v = 1.
        let wrong = lost ^ met[at + width];
        if wrong != 0 {
            fail(size, tally, &tile, at, wrong, "it is P or meets the threshold, but not both");
        }
    }
}

/// Counts the rows v with l(v) > n, and the rows with r(v) = 0, in which Left loses if she begins.
struct Sums {
    max_pile: Pile,
    length: usize,
}

impl OutcomeFold for Sums {
    type Acc = (u64, u64);

    fn start(&self) -> Self::Acc {
        (0, 0)
    }

    fn tile(&self, (lost, above): &mut Self::Acc, tile: OutcomeView<'_>) {
        let won: u64 = tile.left.iter().map(|word| u64::from(word.count_ones())).sum();
        *lost += tile.rows as u64 * u64::from(self.max_pile) - won;
        if self.length == 1 {
            // l(y) = y.
            return;
        }
        let mut prefix = Prefix::default();
        prefix.set(&tile.middle.iter().rev().copied().collect::<Vec<_>>());
        let mut row = vec![0; self.max_pile as usize];
        for x in 1..=self.max_pile {
            // These are the thresholds of the reversed word.
            let (right, left) = prefix.appended(x);
            fill_row(left, right, &mut row);
            *above += row.iter().filter(|&&l| Pile::from(l) > self.max_pile).count() as u64;
        }
    }

    fn merge(&self, left: Self::Acc, right: Self::Acc) -> Self::Acc {
        (left.0 + right.0, left.1 + right.1)
    }
}

pub(crate) fn sums(job: &Job<'_>) -> Examination {
    Examination::by(|tally| {
        for (max_pile, longest) in longest(job.sizes()) {
            let mut levels = OutcomeLevels::new(max_pile);
            for length in (1..=longest).step_by(2) {
                let fold = Sums { max_pile, length };
                let mut counts = fold.start();
                if length == 1 {
                    fold.tile(&mut counts, levels.single_piles());
                } else {
                    levels.extend(length - 1, job.control)?;
                    let swept = levels.sweep(job.control, &fold);
                    if !swept.complete {
                        return Err(Halt);
                    }
                    counts = swept.acc;
                }
                compare_sums(max_pile, length, counts, tally);
            }
        }
        Ok(())
    })
}

fn compare_sums(max_pile: Pile, length: usize, (lost, above): (u64, u64), tally: &mut Tally) {
    tally.checked += 1;
    if lost != above {
        tally.fail(GAME, &[], None, || {
            format!(
                "piles <= {max_pile}, length {length}: {above} rows with l(v) > n, and {lost} with \
                 r(v) = 0"
            )
        });
    }
}

pub(crate) fn no_even_n(job: &Job<'_>) -> Examination {
    each_tile(job, |length| length.is_multiple_of(2), compare_n, |_, _| Ok(()))
}

fn compare_n(size: Size, tally: &mut Tally, _: &mut Prefix, tile: OutcomeView<'_>) {
    for (at, (left, right)) in tile.left.iter().zip(tile.right).enumerate() {
        if left & right != 0 {
            fail(size, tally, &tile, at, left & right, "it is N");
        }
    }
}

pub(crate) fn odd_n(job: &Job<'_>) -> Examination {
    Examination::by(|tally| {
        for (max_pile, longest) in longest(job.sizes()) {
            // Lengths are compared in pairs, so the last length must be even.
            let counts = count_outcomes(max_pile, longest / 2 * 2, job.control).finished()?;
            compare_counts(max_pile, &counts, tally);
        }
        Ok(())
    })
}

/// Compares the classes of the words of lengths 1 and 2, 3 and 4, ...
fn compare_counts(max_pile: Pile, counts: &[OutcomeCounts], tally: &mut Tally) {
    for (pair, m) in counts.chunks_exact(2).zip(1..) {
        tally.checked += 1;
        let n_words = pair[0][Outcome::N as usize];
        let p_words = pair[0][Outcome::P as usize] + pair[1][Outcome::P as usize];
        if n_words != p_words {
            tally.fail(GAME, &[], None, || {
                format!(
                    "piles <= {max_pile}: {n_words} N-words of length {}, and {p_words} P-words of \
                     lengths {} and {}",
                    2 * m - 1,
                    2 * m - 1,
                    2 * m
                )
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_sweep::Control;

    /// Calls a function for every tile, and adds up the numbers of changed words that it returns.
    struct Each<F>(F);

    impl<F: Fn(OutcomeView<'_>) -> u64 + Sync> OutcomeFold for Each<F> {
        type Acc = u64;
        fn start(&self) -> u64 {
            0
        }
        fn tile(&self, spoilt: &mut u64, tile: OutcomeView<'_>) {
            *spoilt += (self.0)(tile);
        }
        fn merge(&self, left: u64, right: u64) -> u64 {
            left + right
        }
    }

    fn each(n: Pile, length: usize, test: impl Fn(OutcomeView<'_>) -> u64 + Sync) -> u64 {
        let mut levels = OutcomeLevels::new(n);
        levels.extend(length - 1, &Control::new()).unwrap();
        levels.sweep(&Control::new(), &Each(test)).acc
    }

    /// Returns the failure that the check finds in a changed tile; the tile itself must pass.
    fn found(
        size: Size,
        tile: OutcomeView<'_>,
        (left, right): (Vec<u64>, Vec<u64>),
        check: fn(Size, &mut Tally, &mut Prefix, OutcomeView<'_>),
    ) -> (u64, Vec<Pile>, String) {
        let mut tally = Tally::default();
        check(size, &mut tally, &mut Prefix::default(), tile);
        assert_eq!((tally.failures, tally.first), (0, None));
        let mut tally = Tally::default();
        let spoilt = OutcomeView { left: &left, right: &right, ..tile };
        check(size, &mut tally, &mut Prefix::default(), spoilt);
        let first = tally.first.unwrap();
        (tally.failures, first.piles, first.found)
    }

    /// Tests that the checks of thresholds, P-positions and even lengths find a changed position.
    /// The position is a single pile, or lies in a row of one or two words of bits.
    #[test]
    fn a_wrong_word_is_found() {
        type Places = (Pile, usize, &'static [(Pile, Pile)]);
        let places: [Places; 4] = [
            (70, 1, &[(1, 1), (1, 3), (1, 64), (1, 65), (1, 70)]),
            (5, 4, &[(1, 1), (3, 5), (5, 2)]),
            (70, 2, &[(1, 1), (3, 64), (64, 65), (65, 64), (70, 70), (66, 2)]),
            (66, 3, &[(2, 65)]),
        ];
        for (max_pile, length, places) in places {
            let size = Size { max_pile, length };
            let width = words(max_pile as usize);
            let spoil = |tile: OutcomeView<'_>| {
                for &(x, y) in places {
                    let at = (x as usize - 1) * width + (y as usize - 1) / 64;
                    let bit = 1 << ((y - 1) % 64);
                    let first: &[Pile] = if length == 1 { &[] } else { &[x] };
                    let piles = [first, tile.middle, &[y]].concat();
                    let with = |left: bool, right: bool| {
                        let mut bits = (tile.left.to_vec(), tile.right.to_vec());
                        bits.0[at] = bits.0[at] & !bit | if left { bit } else { 0 };
                        bits.1[at] = bits.1[at] & !bit | if right { bit } else { 0 };
                        bits
                    };
                    let (left, right) = (tile.left[at] & bit != 0, tile.right[at] & bit != 0);
                    for (others, player) in [
                        (with(!left, right), "Left"),
                        (with(left, !right), "Right"),
                        (with(!left, !right), "Left"),
                    ] {
                        let said = match length {
                            1 => "a single pile that is not N".to_owned(),
                            _ => format!("the thresholds are wrong about {player} moving first"),
                        };
                        assert_eq!(found(size, tile, others, compare), (1, piles.clone(), said));
                    }
                    let lost = found(size, tile, with(!(left || right), false), compare_lost);
                    let said = "it is P or meets the threshold, but not both".to_owned();
                    assert_eq!(lost, (1, piles.clone(), said));
                    if length % 2 == 0 {
                        let n = found(size, tile, with(true, true), compare_n);
                        assert_eq!(n, (1, piles, "it is N".to_owned()));
                    }
                }
                places.len() as u64
            };
            if length == 1 {
                spoil(OutcomeLevels::new(max_pile).single_piles());
                continue;
            }
            let tiles = u64::from(max_pile).pow(length as u32 - 2);
            assert_eq!(each(max_pile, length, spoil), places.len() as u64 * tiles);
        }
    }

    /// Tests correct and wrong numbers of words, in the order L, R, N, P.
    #[test]
    fn wrong_numbers_of_words_are_found() {
        let right = [[0, 0, 5, 0], [9, 9, 0, 5], [7, 7, 6, 4], [9, 9, 0, 2], [1, 1, 1, 1]];
        let mut tally = Tally::default();
        compare_counts(9, &right, &mut tally);
        assert_eq!((tally.checked, tally.failures), (2, 0));
        for wrong in [[7, 7, 7, 4], [7, 7, 6, 5]] {
            let mut tally = Tally::default();
            compare_counts(9, &[right[0], right[1], wrong, right[3]], &mut tally);
            assert_eq!((tally.checked, tally.failures), (2, 1));
            let (n, p) = (wrong[2], wrong[3] + 2);
            let said =
                format!("piles <= 9: {n} N-words of length 3, and {p} P-words of lengths 3 and 4");
            assert_eq!(tally.first.unwrap().found, said);
        }
        let mut tally = Tally::default();
        compare_sums(9, 3, (4, 4), &mut tally);
        assert_eq!((tally.checked, tally.failures), (1, 0));
        compare_sums(9, 5, (4, 6), &mut tally);
        assert_eq!((tally.checked, tally.failures), (2, 1));
        let said = "piles <= 9, length 5: 6 rows with l(v) > n, and 4 with r(v) = 0";
        assert_eq!(tally.first.unwrap().found, said);
    }

    /// Calculates the sums of three piles of at most 2 by hand. Two piles: 1,1 and 2,2 are P, so l
    /// = r = 0. l(1,2) = l(1) + 2 - r(1) = 2 and r(1,2) = 0; 2,1 is the mirror image. Three piles:
    /// l(1,1,y) = l(2,2,y) = y, l(1,2,y) = 2 + y and l(2,1,y) = 0. So l exceeds 2 for two words,
    /// and r is 0 for two words.
    #[test]
    fn sums_of_three_piles() {
        let mut levels = OutcomeLevels::new(2);
        levels.extend(2, &Control::new()).unwrap();
        assert_eq!(levels.sweep(&Control::new(), &Sums { max_pile: 2, length: 3 }).acc, (2, 2));
    }
}
