//! The thresholds of moves, which determine the families that should not use a move.
//!
//! Let x(d) be the threshold of the move d. Families of piles with levels up to x(d) should avoid
//! d, and families of higher piles may use it. Then moves that were already played rarely exclude
//! the lower families. The thresholds of moves below [`SMALL_MOVES`] are learned (by
//! `examples/learn.rs` of commit 402d429). Thresholds of larger moves lie on five lines, fitted to
//! learned thresholds of moves up to 1300:
//!
//! ```text
//!   d mod 6     0        1, 5       2          3         4
//!   x(d)      s - 5     s + 12    s + 9.5    s + 9    1.18 s - 2.3   s = sqrt(2 d) ~ level(d)
//! ```
//!
//! So if d is a multiple of 6, even families of piles slightly larger than d use it. If d is
//! coprime to 6, only families of piles more than about 12 levels above d use it. The lines do not
//! fit small moves: with lines alone the search needs many times as many families.

/// The moves below this number have learned thresholds.
pub(crate) const SMALL_MOVES: usize = 1000;

pub(crate) fn threshold(d: u32) -> f64 {
    LEARNED.get(d as usize).map_or_else(|| line(d), |&learned| f64::from(learned))
}

/// Returns the threshold that the lines give for a move.
fn line(d: u32) -> f64 {
    let s = (2.0 * f64::from(d)).sqrt();
    match d % 6 {
        0 => s - 5.0,
        2 => s + 9.5,
        3 => s + 9.0,
        4 => 1.18 * s - 2.3,
        _ => s + 12.0,
    }
}

/// The best thresholds of 30 rounds of learning up to n = 2500 (`learn on 2500 30`). These rounds
/// began with the table of commit 4d6cd69. Fourteen rounds up to 1500 and eleven up to 2000 turned
/// weights by divisibility into that table.
const LEARNED: [u8; SMALL_MOVES] = include!("learned.txt");

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines continue the learned thresholds: their mean difference is below three levels.
    #[test]
    fn the_lines_continue_the_learned_thresholds() {
        for class in 0..6 {
            let last = (800..1000).filter(|d| d % 6 == class);
            let apart: Vec<f64> = last.map(|d| threshold(d) - line(d)).collect();
            let mean = apart.iter().sum::<f64>() / apart.len() as f64;
            assert!(mean.abs() < 3.0, "{class}: {mean}");
        }
        assert_eq!([threshold(1000), threshold(1002)], [line(1000), line(1002)]);
    }
}
