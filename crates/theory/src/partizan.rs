//! Partizan End-Nim, the second half of Albert and Nowakowski (2001).
//!
//! Our text of the paper lacks that half. The theorem here was derived again and is proved
//! in `grundy_kernels::thresholds`; the two conjectures are read off the counts.

use grundy_rules::Game;

use crate::claim::{Claim, Domain, Paper, Rule, Status, Truth, Whole};
use crate::job::Size;
use crate::whole::outcomes;

pub(crate) static PAPER: Paper = Paper {
    prefix: "partizan",
    reference: "Partizan End-Nim: M. H. Albert and R. J. Nowakowski, The game of End-Nim, second \
                half (derived again)",
};

/// Every length; a second or so.
const SIZES: &[Size] = &[
    Size { max_pile: 64, length: 5 },
    Size { max_pile: 16, length: 6 },
    Size { max_pile: 8, length: 8 },
    Size { max_pile: 4, length: 11 },
    Size { max_pile: 3, length: 13 },
    Size { max_pile: 2, length: 18 },
];

const fn claim(
    id: &'static str,
    number: &'static str,
    statement: &'static str,
    status: Status,
    whole: Whole,
) -> Claim {
    Claim {
        id,
        paper: &PAPER,
        number,
        statement,
        reading: None,
        games: &[Game::PartizanEndNim],
        domain: Domain::Positions { from: 1, to: None, defaults: SIZES },
        status,
        expected: Truth::Holds,
        rule: Rule::Whole(whole),
    }
}

pub(crate) static CLAIMS: &[Claim] = &[
    Claim {
        reading: Some(
            "Checked for every word x m y against who wins by the moves: Left, moving first, just \
             if x > l(m y), and Right just if y > r(x m), that is if l(x m y) > 0. So the pair \
             (l, r) of the word is (0,0) for P, (0,+) for L, (+,0) for R and (+,+) for N.",
        ),
        ..claim(
            "partizan.thm",
            "thresholds",
            "Let l(empty) = r(empty) = 0, l(u b) = 0 if b <= r(u) and l(u) + b - r(u) otherwise, and \
             r(a u) = 0 if a <= l(u) and r(u) + a - l(u) otherwise. Left, moving first, wins a w \
             iff a > l(w); Right, moving first, wins w b iff b > r(w).",
            Status::Theorem,
            Whole { check: outcomes::thresholds, cost: outcomes::cost },
        )
    },
    claim(
        "partizan.even-n",
        "even lengths",
        "No row of an even number of piles is N.",
        Status::Conjecture,
        Whole { check: outcomes::no_even_n, cost: outcomes::cost },
    ),
    Claim {
        reading: Some("One check for each m and each largest pile n."),
        ..claim(
            "partizan.odd-n",
            "odd lengths",
            "There are as many N-rows of 2m - 1 piles of at most n as P-rows of 2m - 1 and of 2m \
             such piles together.",
            Status::Conjecture,
            Whole { check: outcomes::odd_n, cost: outcomes::cost },
        )
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Extent, Job};
    use grundy_kernels::Isa;
    use grundy_rules::reference::Outcomes;
    use grundy_rules::{Outcome, Position, lex_word};
    use grundy_sweep::Control;

    /// The sweep's verdicts on small sizes, beside the classes of the reference.
    #[test]
    fn claims_hold_and_the_reference_agrees() {
        let mut reference = Outcomes::new(Game::PartizanEndNim);
        let control = Control::new();
        for (n, length) in [(3u32, 6), (5, 4), (70, 2)] {
            let sizes = (1..=length).map(|length| Size { max_pile: n, length }).collect();
            let extent = Extent::Sizes(sizes);
            let games = [Game::PartizanEndNim];
            let job = Job {
                games: &games,
                extent: &extent,
                isa: Isa::Portable,
                memory: 1 << 30,
                certificate: None,
                control: &control,
            };
            let words: u64 = (1..=length as u32).map(|k| u64::from(n).pow(k)).sum();
            let examined = outcomes::thresholds(&job);
            assert_eq!((examined.tally.checked, examined.tally.failures), (words, 0));
            assert_eq!(outcomes::no_even_n(&job).tally.failures, 0);
            assert_eq!(outcomes::odd_n(&job).tally.failures, 0);
            for k in (2..=length.min(4)).step_by(2) {
                let mut piles = vec![0; k];
                for index in 0..u64::from(n).pow(k as u32) {
                    lex_word(index, u64::from(n), &mut piles);
                    let position = Position::new(piles.clone()).unwrap();
                    assert_ne!(reference.outcome(&position), Outcome::N, "{position}");
                }
            }
        }
    }
}
