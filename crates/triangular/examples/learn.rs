//! Learns the thresholds of small moves: the table in `src/thresholds.rs`.
//!
//! ```text
//! cargo run --release -p grundy-triangular --example learn [on] [HORIZON ROUNDS]...
//! ```
//!
//! Each round searches families for every n up to a horizon, from nothing, with the current
//! thresholds. For each move d and each level I it then computes the share u(I, d) of families that
//! use d, among piles of the levels I - 3 to I + 3. It averages 1 + 30 (1 - u)^3 with the earlier
//! rounds. The threshold of d is the last level with an average above 4.75, the value for u = 1/2.
//! Only thresholds of moves up to two fifths of the horizon are kept, because the horizon distorts
//! those of larger moves; the others come from the lines.
//!
//! It starts from the lines, or with `on` from the table in the source. The default goes from 1000
//! to 2500, takes a quarter of an hour, and reaches 230,085 families at 2500. The table in the
//! source came from its predecessor by `on 2500 30`, and gives 190,841. The program prints the
//! number of families in each round, and at the end the best table. It uses no randomness: every
//! run prints the same.

use std::ops::ControlFlow;

use grundy_triangular::{Limits, Proof, SMALL_MOVES, Weights, level, line, threshold};

/// The average at a threshold, where half of the families use the move.
const HALF: f64 = 1.0 + 30.0 * 0.125;

/// Averages of 1 + 30 (1 - u)^3, by level and move.
struct Averages(Vec<Vec<f64>>);

impl Averages {
    /// Returns averages that would give these thresholds, with a slope of 16 levels.
    fn of(thresholds: &[f64], horizon: u32) -> Averages {
        let level_of = |level: u32| {
            let each = (0..=horizon as usize).map(|d| {
                let share = ((f64::from(level) - thresholds[d]) / 16.0 + 0.5).clamp(0.0, 1.0);
                1.0 + 30.0 * (1.0 - share).powi(3)
            });
            each.collect()
        };
        Averages((0..=level(horizon)).map(level_of).collect())
    }

    /// Includes the moves used by the families of a proof.
    fn learn(&mut self, proof: &Proof, horizon: u32) {
        let (levels, moves) = (self.0.len(), horizon as usize + 1);
        let mut uses = vec![vec![0.0; moves]; levels];
        let mut families = vec![vec![0.0; moves]; levels];
        for m in 0..=horizon {
            let level = level(m) as usize;
            for family in proof.families_of(m) {
                families[level][..=m as usize].iter_mut().for_each(|count| *count += 1.0);
                family.into_iter().for_each(|d| uses[level][d as usize] += 1.0);
            }
        }
        for (level, averages) in self.0.iter_mut().enumerate() {
            let near = level.saturating_sub(3)..(level + 4).min(levels);
            for (d, average) in averages.iter_mut().enumerate() {
                let sum = |counts: &[Vec<f64>]| near.clone().map(|l| counts[l][d]).sum::<f64>();
                let share = sum(&uses) / sum(&families).max(1.0);
                *average = *average / 2.0 + (1.0 + 30.0 * (1.0 - share).powi(3)) / 2.0;
            }
        }
    }

    /// Returns the threshold of a move.
    fn threshold(&self, d: usize) -> f64 {
        let free = self.0.iter().rposition(|averages| averages[d] > HALF);
        free.unwrap_or(0) as f64
    }
}

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let on = words.first().is_some_and(|word| word == "on");
    let begin = if on { threshold } else { line };
    let numbers: Vec<u32> =
        words.drain(usize::from(on)..).map(|word| word.parse().expect("a number")).collect();
    let numbers =
        if numbers.is_empty() { vec![1000, 8, 1500, 10, 2000, 20, 2500, 20] } else { numbers };
    let last = numbers.chunks_exact(2).map(|pair| pair[0]).max().expect("a horizon and rounds");
    let mut thresholds: Vec<f64> = (0..=last).map(begin).collect();
    for pair in numbers.chunks_exact(2) {
        let (horizon, rounds) = (pair[0], pair[1]);
        let small = (horizon as usize * 2 / 5).min(SMALL_MOVES);
        let mut averages = Averages::of(&thresholds, horizon);
        let mut best = (u64::MAX, thresholds.clone());
        for round in 1..=rounds {
            let known = thresholds.clone();
            let of = move |d| known.get(d as usize).copied().unwrap_or_else(|| line(d));
            let mut proof = Proof::with_weights(Weights::of(of));
            let limits = Limits { memory: 16 << 30 };
            let ended = proof.extend(horizon, &limits, &mut |_| ControlFlow::Continue(()));
            println!("{horizon}, round {round}: {} families ({ended:?})", proof.families());
            if proof.families() < best.0 {
                best = (proof.families(), thresholds.clone());
            }
            averages.learn(&proof, horizon);
            for (d, threshold) in thresholds.iter_mut().enumerate().take(small) {
                *threshold = averages.threshold(d);
            }
        }
        thresholds = best.1;
    }
    for row in thresholds[..SMALL_MOVES].chunks(20) {
        println!("    {},", row.iter().map(f64::to_string).collect::<Vec<_>>().join(", "));
    }
}
