//! The numbers l and r of Cairns and Ho 2011, for the explanations of [`crate::reasons`].
//!
//! The paper assumes a1 <= ak, "by reversing if necessary", so the row is reversed first if a1 >
//! ak. The paper's l(A) is "the largest natural number i for which a1 = ... = a(i-1) <= ai". Here i
//! runs from 1 to k. The condition is empty for i = 1. r(A) is l of the reversed row, except for
//! rows of equal piles, for which each game has its own convention.

use grundy_rules::Pile;

/// Returns the row, reversed if necessary so that a1 <= ak.
fn ascending(piles: &[Pile]) -> Vec<Pile> {
    let mut word = piles.to_vec();
    if let [first, .., last] = *piles
        && first > last
    {
        word.reverse();
    }
    word
}

/// Returns the largest i in 1..k for which a1 = ... = a(i-1) <= ai.
fn l(word: &[Pile]) -> usize {
    // The condition is empty for i = 1.
    (2..=word.len())
        .rev()
        .find(|&i| {
            let run = &word[..i - 1];
            run.iter().all(|&pile| pile == word[0]) && run.iter().all(|&pile| pile <= word[i - 1])
        })
        .unwrap_or(1)
}

/// Returns the largest j for which a(k-j+1) >= a(k-j+2) = ... = ak; or `if_equal` if all piles are
/// equal.
fn r(word: &[Pile], if_equal: usize) -> usize {
    if word.iter().all(|&pile| pile == word[0]) {
        return if_equal;
    }
    let reversed: Vec<Pile> = word.iter().rev().copied().collect();
    l(&reversed)
}

fn condition(word: &[Pile], l: usize, r: usize) -> bool {
    let (first, last) = (word[0], word[word.len() - 1]);
    last == first && (l + r).is_multiple_of(2)
        || last == first + 1 && !l.is_multiple_of(2) && r.is_multiple_of(2)
}

pub(crate) fn theorem_2_1(piles: &[Pile]) -> bool {
    is_lost(piles, |_| 0)
}

pub(crate) fn theorem_2_2(piles: &[Pile]) -> bool {
    is_lost(piles, IF_EQUAL_MISERE)
}

pub(crate) fn theorem_2_3(piles: &[Pile]) -> bool {
    is_lost(piles, |_| 1)
}

pub(crate) const IF_EQUAL_MISERE: fn(&[Pile]) -> usize = |word| usize::from(word[0] == 1);

fn is_lost(piles: &[Pile], if_equal: fn(&[Pile]) -> usize) -> bool {
    let (word, l, r) = l_and_r(piles, if_equal);
    condition(&word, l, r)
}

/// Returns the row, reversed if a1 > ak, with its l and r.
pub(crate) fn l_and_r(piles: &[Pile], if_equal: fn(&[Pile]) -> usize) -> (Vec<Pile>, usize, usize) {
    let word = ascending(piles);
    let (l, r) = (l(&word), r(&word, if_equal(&word)));
    (word, l, r)
}
