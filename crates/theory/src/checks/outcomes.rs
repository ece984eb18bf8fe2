//! Claims about partizan End-Nim, over all words of a length at a time.
//!
//! Who wins comes from the moves alone (`grundy_sweep::outcomes`); the thresholds of the
//! theorem come from their recursion (`grundy_kernels::thresholds`). A row of a tile is
//! compared as a word of bits: for a fixed middle m the theorem says that Right, moving
//! first, wins x m y just if y > r(x m), which is a run of ones in the row of x, and that
//! Left wins it just if x > l(m y), which is a set of columns that grows from row to row.
//!
//! What tables store of this game is l(w) for each word w. Where they are at hand the theorem
//! is asked of them too: the thresholds read must be those of the recursion. Who wins is
//! computed in any case, and with it the counts of the two conjectures.

use grundy_kernels::outcomes::words;
use grundy_kernels::thresholds::{Prefix, fill_row};
use grundy_rules::{Game, Outcome, Pile, Table, games};
use grundy_sweep::outcomes::{OutcomeFold, OutcomeLevels, OutcomeView, count_outcomes};

use crate::domain::{Extent, Size, longest};
use crate::estimate::{Estimate, Means};
use crate::job::{Examined, Job};
use crate::stored::Halt;
use crate::tally::Tally;

const GAME: Game = games::PARTIZAN_END_NIM;

/// What walking all words of the sizes takes.
pub(crate) fn cost(_: &[Game], extent: &Extent, means: &Means<'_>) -> Estimate {
    let mut total = Estimate::NOTHING;
    for (max_pile, length) in longest(extent.sizes()) {
        let words = (1..=length as u32)
            .map(|length| u64::from(max_pile).saturating_pow(length))
            .fold(0, u64::saturating_add);
        // A row of up to 64 columns is one step.
        let steps = words as f64 / f64::from(max_pile.min(64));
        total.add(Estimate {
            positions: words,
            cells: words,
            seconds: steps * 10e-9 / means.threads.max(1) as f64,
            memory: OutcomeLevels::bytes(max_pile, length - 1).unwrap_or(u64::MAX),
        });
    }
    total
}

/// Gathers the failures of a check of tiles.
struct Check<F> {
    max_pile: Pile,
    /// Checks a tile; `Prefix` is working memory.
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

/// Checks every tile of the sizes of some lengths; `after` is told of each size with its tally.
fn each_tile(
    job: &Job<'_>,
    wanted: impl Fn(usize) -> bool,
    check: impl Fn(Pile, &mut Tally, &mut Prefix, OutcomeView<'_>) + Sync,
    after: impl Fn(Size, &mut Tally) -> Result<(), Halt>,
) -> Examined {
    Examined::by(|total| {
        for (max_pile, longest) in longest(job.sizes()) {
            let mut levels = OutcomeLevels::new(max_pile);
            let tile = |tally: &mut Tally, prefix: &mut Prefix, view: OutcomeView<'_>| {
                check(max_pile, tally, prefix, view);
            };
            let fold = Check { max_pile, tile };
            let lengths = (1..=longest)
                .filter(|&length| wanted(length))
                .filter(|&length| job.sizes().contains(&Size { max_pile, length }));
            for length in lengths {
                let (mut tally, complete) = if length == 1 {
                    let mut acc = fold.start();
                    fold.tile(&mut acc, levels.single_piles());
                    (acc.0, true)
                } else {
                    levels.extend(length - 1, job.control)?;
                    let swept = levels.sweep(job.control, &fold);
                    (swept.acc.0, swept.complete)
                };
                let read =
                    if complete { after(Size { max_pile, length }, &mut tally) } else { Err(Halt) };
                *total = std::mem::take(total).merge(tally);
                read?;
            }
        }
        Ok(())
    })
}

/// The outcome classes are those that the thresholds give, and the thresholds stored are those
/// of the recursion.
pub(crate) fn thresholds(job: &Job<'_>) -> Examined {
    job.stored.computed();
    each_tile(job, |_| true, compare, |size, tally| compare_stored(size, job, tally))
}

/// Compares a stored table with the recursion. Each of its words was counted when who wins was
/// compared, and must not fail twice; so this is for tables in which none has failed.
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
                // Of a single pile there is nothing before it.
                let (left, right) = if length == 1 { (0, 0) } else { prefix.appended(x) };
                fill_row(left, right, &mut expected);
                for ((y, &value), &threshold) in (1..).zip(row).zip(&expected) {
                    if value != u32::from(threshold) {
                        let last: &[Pile] = if length == 1 { &[y] } else { &[x, y] };
                        let piles = [&word[..], last].concat();
                        tally.fail(GAME, &piles, Some(value), || {
                            format!("l of it is stored as {value}, and is {threshold}")
                        });
                    }
                }
            }
        }
        Ok(true)
    })
}

/// Compares a tile with what the thresholds of x m and m y say.
fn compare(max_pile: Pile, tally: &mut Tally, prefix: &mut Prefix, tile: OutcomeView<'_>) {
    let width = words(max_pile as usize);
    if tile.rows == 1 {
        // Single piles: nothing stands before or behind, and both players win.
        for y in 1..=max_pile {
            let bit = |set: &[u64]| set[(y as usize - 1) / 64] >> ((y - 1) % 64) & 1 == 1;
            if !(bit(tile.left) && bit(tile.right)) {
                tally.fail(GAME, &[y], None, || "a single pile that is not N".to_owned());
            }
        }
        return;
    }
    // reached[v]: the columns y with l(m y) = v; Left needs more than that in front.
    prefix.set(tile.middle);
    let mut reached = vec![0u64; (max_pile as usize + 1) * width];
    for y in 1..=max_pile {
        let (left, _) = prefix.appended(y);
        if left <= u64::from(max_pile) {
            let at = left as usize * width + (y as usize - 1) / 64;
            reached[at] |= 1 << ((y - 1) % 64);
        }
    }
    // r(x m) = l(rev(m) x).
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
            let inside = (u64::from(max_pile) - first).min(64);
            let columns = u64::MAX >> (64 - inside);
            // Columns first + 1 .. of this word that exceed the threshold.
            let right_wins = match before.saturating_sub(first) {
                over @ 0..64 => u64::MAX << over & columns,
                _ => 0,
            };
            let wrong_left = left_wins ^ tile.left[row + word];
            let wrong = wrong_left | right_wins ^ tile.right[row + word];
            if wrong != 0 {
                fail(tally, &tile, x, word, wrong, wrong_left != 0);
            }
        }
    }
}

/// Counts the wrong columns of a word of a row.
fn fail(tally: &mut Tally, tile: &OutcomeView<'_>, x: Pile, word: usize, wrong: u64, left: bool) {
    let mut rest = wrong;
    while rest != 0 {
        let y = 64 * word as u32 + rest.trailing_zeros() + 1;
        rest &= rest - 1;
        let piles = [&[x], tile.middle, &[y]].concat();
        let player = if left { "Left" } else { "Right" };
        tally.fail(GAME, &piles, None, || format!("{player}, moving first, does otherwise"));
    }
}

/// No word of even length is N.
pub(crate) fn no_even_n(job: &Job<'_>) -> Examined {
    each_tile(
        job,
        |length| length.is_multiple_of(2),
        |max_pile, tally, _, tile| {
            let width = words(max_pile as usize);
            for (at, (left, right)) in tile.left.iter().zip(tile.right).enumerate() {
                let mut both = left & right;
                while both != 0 {
                    let y = 64 * (at % width) as u32 + both.trailing_zeros() + 1;
                    both &= both - 1;
                    let piles = [&[(at / width) as Pile + 1], tile.middle, &[y]].concat();
                    tally.fail(GAME, &piles, None, || "it is N".to_owned());
                }
            }
        },
        |_, _| Ok(()),
    )
}

/// The N-words of length 2m - 1 are as many as the P-words of lengths 2m - 1 and 2m.
pub(crate) fn odd_n(job: &Job<'_>) -> Examined {
    Examined::by(|tally| {
        for (max_pile, longest) in longest(job.sizes()) {
            // The last length has no partner if it is odd.
            let counts = count_outcomes(max_pile, longest / 2 * 2, job.control)?;
            for (pair, m) in counts.chunks_exact(2).zip(1..) {
                tally.checked += 1;
                let n_words = pair[0][Outcome::N as usize];
                let p_words = pair[0][Outcome::P as usize] + pair[1][Outcome::P as usize];
                if n_words != p_words {
                    tally.fail(GAME, &[], None, || {
                        format!(
                            "piles <= {max_pile}: {n_words} N-words of length {}, and {p_words} \
                             P-words of lengths {} and {}",
                            2 * m - 1,
                            2 * m - 1,
                            2 * m
                        )
                    });
                }
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_sweep::Control;

    /// A tile with one bit changed has one wrong word, and it is named.
    #[test]
    fn a_wrong_class_is_found() {
        let n = 5;
        let mut levels = OutcomeLevels::new(n);
        levels.extend(3, &Control::new()).unwrap();
        struct Spoil;
        impl OutcomeFold for Spoil {
            type Acc = u64;
            fn start(&self) -> u64 {
                0
            }
            fn tile(&self, tried: &mut u64, tile: OutcomeView<'_>) {
                for (x, y, left) in [(1, 1, true), (3, 5, false), (5, 2, true)] {
                    let (mut lefts, mut rights) = (tile.left.to_vec(), tile.right.to_vec());
                    let set = if left { &mut lefts } else { &mut rights };
                    set[x as usize - 1] ^= 1 << (y - 1);
                    let spoilt = OutcomeView { left: &lefts, right: &rights, ..tile };
                    let mut tally = Tally::default();
                    compare(5, &mut tally, &mut Prefix::default(), spoilt);
                    let first = tally.first.unwrap();
                    let piles = [&[x], tile.middle, &[y]].concat();
                    assert_eq!((tally.failures, first.piles), (1, piles));
                    assert!(first.found.starts_with(if left { "Left" } else { "Right" }));
                    *tried += 1;
                }
            }
            fn merge(&self, left: u64, right: u64) -> u64 {
                left + right
            }
        }
        assert_eq!(levels.sweep(&Control::new(), &Spoil).acc, 3 * 25);
    }
}
