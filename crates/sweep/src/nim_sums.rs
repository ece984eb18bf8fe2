//! Positions of several piles whose values are nim-sums of the values of single piles.
//!
//! The numbers of positions of each value follow from the numbers of single piles of each value,
//! without a walk over the positions. Let h(v) be the number of piles of value v. The multisets of
//! piles have the generating function
//!
//! ```text
//! product over v of (1 - x [v])^-h(v),     [v] [w] = [v xor w]
//! ```
//!
//! A character of the group of nim-sums maps each \[v\] to 1 or -1, so it maps the function to
//! (1 - x)^-a (1 + x)^-b, where a piles have the image 1 and b piles have the image -1. The
//! Hadamard transform computes a - b for all characters, and turns the coefficients of x^k into
//! counts.

use grundy_rules::Pile;

/// Replaces each entry c by the sum of all entries v with the sign (-1)^(number of ones of c & v).
fn transform(all: &mut [i128]) {
    let mut half = 1;
    while half < all.len() {
        for pair in all.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for (x, y) in low.iter_mut().zip(high) {
                (*x, *y) = (*x + *y, *x - *y);
            }
        }
        half *= 2;
    }
}

/// Returns the number of multisets of 0, 1, ..., `length` of these things.
fn multisets(things: i128, length: usize) -> Vec<i128> {
    let mut all = vec![1];
    for j in 1..=length as i128 {
        all.push(all[all.len() - 1] * (things + j - 1) / j);
    }
    all
}

/// Returns the number of nim-sums: all numbers with as many binary digits as the largest value.
pub fn count_of_sums(values: &[u32]) -> usize {
    (values.iter().copied().max().unwrap_or(0) as usize + 1).next_power_of_two()
}

/// Returns the number of positions of each value with `length` piles. `values` contains the values
/// of the piles 1, 2, ..., and there are at most 2^63 positions.
pub fn counts(values: &[u32], length: usize) -> Vec<u64> {
    let mut all = vec![0; count_of_sums(values)];
    values.iter().for_each(|&value| all[value as usize] += 1);
    transform(&mut all);
    for difference in &mut all {
        let [plus, minus] = [*difference, -*difference]
            .map(|difference| multisets((values.len() as i128 + difference) / 2, length));
        let signed = (0..).zip(&minus).zip(plus.iter().rev());
        *difference = signed.map(|((j, x), y)| if j % 2 == 0 { x * y } else { -x * y }).sum();
    }
    transform(&mut all);
    let sums = all.len() as i128;
    all.into_iter().map(|count| (count / sums) as u64).collect()
}

/// Returns the position of `length` piles, and its value, that is least among those whose value is
/// `wanted`, in order of coins and then of piles. `None` if there is none, or if `more` is false.
pub fn least(
    values: &[u32],
    length: usize,
    wanted: impl Fn(u32) -> bool,
    more: impl Fn() -> bool,
) -> Option<(Vec<Pile>, u32)> {
    // A position with few coins has the smallest pile of each value.
    let mut firsts = vec![None; count_of_sums(values)];
    for (pile, &value) in (1..).zip(values) {
        firsts[value as usize].get_or_insert(pile);
    }
    let mut firsts: Vec<(Pile, usize)> =
        (0..).zip(firsts).filter_map(|(value, pile)| Some((pile?, value))).collect();
    firsts.sort_unstable();
    // The least number of coins of each value, for 0, 1, ..., `length` piles.
    let mut coins = vec![vec![u64::MAX; count_of_sums(values)]];
    coins[0][0] = 0;
    for _ in 0..length {
        let mut next = vec![u64::MAX; coins[0].len()];
        for &(pile, value) in &firsts {
            if !more() {
                return None;
            }
            for (sum, &fewer) in coins[coins.len() - 1].iter().enumerate() {
                let all = &mut next[sum ^ value];
                *all = (*all).min(fewer.saturating_add(pile.into()));
            }
        }
        coins.push(next);
    }
    let totals = (0..).zip(&coins[length]).filter(|&(value, &all)| all < u64::MAX && wanted(value));
    let least = totals.clone().map(|(_, &all)| all).min()?;
    let places = totals.filter(|&(_, &all)| all == least).map(|(value, _)| {
        let (mut piles, mut sum, mut all) = (Vec::new(), value as usize, least);
        for fewer in coins[..length].iter().rev() {
            let fits = |&&(pile, value): &&(Pile, usize)| {
                fewer[sum ^ value].checked_add(pile.into()) == Some(all)
            };
            let Some(&(pile, value)) = firsts.iter().find(fits) else { break };
            piles.push(pile);
            (sum, all) = (sum ^ value, all - u64::from(pile));
        }
        (piles, value)
    });
    places.min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::Multisets;

    /// Compares counts and least positions with all multisets, for the values of several games and
    /// for values that no game has.
    #[test]
    fn counts_and_least_positions_agree_with_a_walk() {
        let rows: [&[u32]; 5] = [
            &[1, 2, 3, 4, 5, 6, 7],
            &[1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6],
            &[0, 0, 1, 0, 2, 1, 0, 2],
            &[5, 9, 9, 0, 12],
            &[0],
        ];
        for values in rows {
            for length in 1..=4 {
                let all = Multisets::new(values.len() as Pile, length).unwrap();
                let mut found = vec![0; count_of_sums(values)];
                let mut leasts = vec![None; found.len()];
                let mut piles = vec![1; length];
                loop {
                    let sum = piles.iter().fold(0, |sum, &pile| sum ^ values[pile as usize - 1]);
                    found[sum as usize] += 1;
                    let here = (piles.iter().sum::<Pile>(), piles.clone());
                    let least = leasts[sum as usize].get_or_insert(here.clone());
                    *least = here.min(least.clone());
                    if !all.step(&mut piles) {
                        break;
                    }
                }
                assert_eq!(counts(values, length), found, "{values:?} {length}");
                for (value, expected) in (0..).zip(&leasts) {
                    let found = least(values, length, |sum| sum == value, || true);
                    let expected = expected.clone().map(|(_, piles)| (piles, value));
                    assert_eq!(found, expected, "{values:?} {length}");
                }
                let of_two = |sum| sum == 1 || sum == 2;
                let two = leasts.iter().skip(1).take(2).flatten().min().map(|(_, piles)| piles);
                let found = least(values, length, of_two, || true);
                assert_eq!(found.as_ref().map(|(piles, _)| piles), two);
                assert_eq!(least(values, length, |_| true, || false), None);
            }
        }
    }
}
