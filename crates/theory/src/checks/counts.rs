//! Claims about numbers of positions. A walk counts the positions that satisfy a statement, by
//! their largest pile. So a level of max pile N gives the number for every n <= N.

use std::collections::{BTreeMap, BTreeSet};

use grundy_rules::{Game, Pile, games};

use crate::tally::Tally;

/// Returns the claimed number of positions of a game. The arguments are the game, n, the length k,
/// and the numbers that were counted for n and all shorter lengths. `None` if the claim is not
/// about this length.
pub type CountRule = fn(Game, u64, usize, &[u64]) -> Option<i128>;

/// For a game, a max pile and a length, the numbers of positions with piles of at most n, for n = 0
/// to the max pile.
pub type Counts = BTreeMap<(Game, Pile, usize), Vec<u64>>;

pub(crate) fn p_count(game: Game, n: u64, length: usize, _: &[u64]) -> Option<i128> {
    let n = i128::from(n);
    let words = n.checked_pow(length as u32)?;
    let sign = if length.is_multiple_of(2) { 1 } else { -1 };
    let end_nim = (words + sign * n) / (n + 1);
    Some(match game {
        _ if game == games::MISERE_END_NIM => end_nim - sign,
        _ if game == games::LOOP_END_NIM => end_nim - sign * n,
        _ => end_nim,
    })
}

pub(crate) fn zeros(_: Game, n: u64, length: usize, below: &[u64]) -> Option<i128> {
    let shorter = *below.get(length.checked_sub(2)?)?;
    Some(i128::from(n).checked_pow(length as u32 - 1)? - i128::from(shorter))
}

/// Compares counts with a rule. Several levels may give the same count, which counts once.
pub fn compare(rule: CountRule, counts: &Counts) -> Tally {
    let (mut tally, mut so_far) = (Tally::default(), BTreeSet::new());
    for (&(game, max_pile, length), found) in counts {
        for (n, &counted) in (0..).zip(found).skip(1) {
            let shorter = (1..length)
                .map_while(|length| Some(counts.get(&(game, max_pile, length))?[n as usize]));
            let claimed = rule(game, n, length, &shorter.collect::<Vec<_>>());
            if let Some(claimed) = claimed.filter(|_| so_far.insert((game, n, length))) {
                compare_count(&mut tally, (game, n, length), counted, claimed);
            }
        }
    }
    tally
}

fn compare_count(tally: &mut Tally, of: (Game, u64, usize), counted: u64, claimed: i128) {
    let (game, n, length) = of;
    tally.checked += 1;
    if i128::from(counted) != claimed {
        tally.fail(game, &[], None, || {
            format!(
                "{counted} P-positions of length {length}, piles <= {n}; the claim says {claimed}"
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In End-Nim the rows of one and two piles of at most n have 0 and n P-positions. A count that
    /// two levels give is checked once. The first length has no shorter length.
    #[test]
    fn a_count_is_checked_once() {
        let of = |length, max_pile: Pile, extra| {
            let counts = (0..=u64::from(max_pile)).map(|n| if length == 1 { 0 } else { n } + extra);
            ((games::END_NIM, max_pile, length), counts.collect())
        };
        let right = Counts::from([of(1, 3, 0), of(2, 3, 0), of(1, 5, 0), of(2, 5, 0)]);
        for (rule, checked) in [(p_count as CountRule, 10), (zeros, 5)] {
            let tally = compare(rule, &right);
            assert_eq!((tally.checked, tally.failures), (checked, 0));
        }
        let tally = compare(p_count, &Counts::from([of(1, 2, 0), of(2, 2, 1)]));
        assert_eq!((tally.checked, tally.failures), (4, 2));
        let first = "end-nim: 2 P-positions of length 2, piles <= 1; the claim says 1";
        assert_eq!(tally.first.unwrap().to_string(), first);
    }
}
