//! Partizan End-Nim, the second half of Albert and Nowakowski (2001).
//!
//! The available text of the paper lacks that half, so the theorem was derived here. docs/PROOFS.md
//! proves it. It also proves the statements on classes and counts, which were first seen in tables.

use crate::checks::outcomes;
use crate::claim::{Rule, check};

pub(crate) static RULES: &[(&str, Rule)] = &[
    ("partizan.thm", check(outcomes::thresholds, outcomes::cost)),
    ("partizan.p-rows", check(outcomes::p_rows, outcomes::cost)),
    ("partizan.even-n", check(outcomes::no_even_n, outcomes::cost)),
    ("partizan.odd-n", check(outcomes::odd_n, outcomes::cost)),
    ("partizan.sums", check(outcomes::sums, outcomes::cost)),
];

#[cfg(test)]
mod tests {
    use crate::testing::{look, sizes};

    #[test]
    fn words_and_lengths_are_counted() {
        for (n, length) in [(1u32, 4_usize), (3, 6), (5, 4), (70, 2)] {
            let words: u64 = (1..=length as u32).map(|k| u64::from(n).pow(k)).sum();
            for (id, checked) in [
                ("partizan.thm", words),
                ("partizan.p-rows", words),
                ("partizan.odd-n", length as u64 / 2),
                ("partizan.sums", length.div_ceil(2) as u64),
            ] {
                let tally = look(id, sizes(n, length), &[]).examined.tally;
                assert_eq!((tally.checked, tally.failures), (checked, 0), "{id}");
            }
        }
    }
}
