//! The triangular-number conjecture of long global nim.
//!
//! A position \[n, S\] of one-pile long global nim is a pile of n coins and a set S of moves. A
//! move s in S with s <= n takes s coins and removes s from S. Conjecture 34 of the 2008 INTEGERS
//! paper on global nims says: \[n, {1..n}\] has Grundy value k for the largest triangular number
//! T(k) = 1 + ... + k that is at most n. Here `level(n)` is that k.
//!
//! # Upper bound
//!
//! Moves are distinct, so p moves out of {j+1, j+2, ...} take at least (j+1) + ... + (j+p) =
//! T(j+p) - T(j) coins. So from \[n - T(j), S\] with S inside {j+1, ...} the longest play has at
//! most p moves, where p is largest with T(j+p) <= n: `level(n)` - j. A Grundy value never exceeds
//! the longest play.
//!
//! # Families
//!
//! Equality needs, for each smaller v, an option of value v. A search for these, position by
//! position, is possible but slow (its positions grow tenfold from n = 500 to 700), and nearly all
//! of them repeat the same argument. They come in *families*:
//!
//! ```text
//!   pile            n      n-1     n-3     n-6    ...   n-T(j)            j = 0..=l, l = level(n)
//!   moves from      1..    2..     3..     4..    ...   j+1..
//!   value           l      l-1     l-2     l-3    ...   l-j
//!                     ──1──►  ──2──►  ──3──►              the smallest move: one family member on
//!                   │      │       │
//!                  q_i    q_i     q_i                     q_i: the same move from each member
//!                   ▼      ▼       ▼                      with j <= i
//!   pile            m      m-1     m-3     ...            the family of m = n - q_i, level(m) = i
//!   value           i      i-1     i-2
//! ```
//!
//! A **family** of n is a choice, for each i = 0..=l-2, of a move q_i such that level(n - q_i) = i,
//! and of a family F_i of m_i = n - q_i which does not use q_i. It *uses* the moves W = {1..l}, all
//! q_i, and all moves used by the F_i.
//!
//! **Theorem.** Let F be a family of n, W the moves that it uses, 0 <= j <= l = level(n), and S a
//! set of moves that contains no move up to j and every member of W from j+1 to n - T(j). Then
//! \[n - T(j), S\] has Grundy value l - j.
//!
//! *Proof*, by induction on the pile. The value is at most l - j, as shown above. Let v < l - j.
//! * If v = l - j - 1, take j + 1. It is in W as j < l, and T(j+1) <= n, so it is in S and
//!   fits. The next position, \[n - T(j+1), S without j+1\], is the next member of F: value v.
//! * If v <= l - j - 2, let i = j + v <= l - 2 and take q = q_i. It is in W. It exceeds j,
//!   as q = n - m_i > T(l) - T(i+1) >= T(l) - T(l-1) = l. It fits, as m_i >= T(i) >= T(j)
//!   gives q <= n - T(j). The next position is \[m_i - T(j), S without q\]. As F_i does not use
//!   q and W contains all moves of F_i, this is member j of F_i (j <= i): value i - j = v. ∎
//!
//! With j = 0 and S = {1..n}: **if n has a family, the conjecture holds for n.** S may contain any
//! moves besides W, so one family represents very many positions. Every position of the
//! theorem is *tight*: its value equals its longest play.
//!
//! # Search, certificate, check
//!
//! * [`Proof`] searches for families, n by n ([`prove`] starts from nothing). If it finds none, the
//!   conjecture is not refuted; the verdict is then [`Verdict::NotDecided`]. Only an exact
//!   evaluation straight from the rules can report a counterexample.
//! * [`Proof::write`] writes a certificate, which contains only the families.
//! * [`check_certificate`] reads a certificate and verifies every family with independent code. It
//!   makes one pass over bit sets, without search.
//! * [`prove_from`] continues from a certificate.
//!
//! Coq has checked the theorem from the rules on: docs/proofs/families.v. docs/CONJECTURE.md has
//! the range reached, the cost, and other methods tried.
//!
//! Source: the 2008 INTEGERS paper on global nims (volume 8, G01), section 5, Conjecture 34.

#![forbid(unsafe_code)]

mod block;
mod certificate;
mod check;
mod exact;
mod landings;
mod moves;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod no_zstd;
mod proof;
mod search;
mod table;
mod thresholds;
mod weights;

pub use certificate::{MAGIC, VERSION};
pub use check::{CertificateError, ValidCertificate, check_certificate, check_certificate_within};
pub use exact::{EXACT_MAX, exact_value};
pub use proof::{
    Limits, MAX_BOUND, Progress, Proof, ProveError, Verdict, Watch, prove, prove_from,
};
pub use search::Ended;
pub use thresholds::{SMALL_MOVES, line, threshold};
pub use weights::Weights;

/// Returns T(k) = 1 + ... + k.
pub const fn triangular(k: u32) -> u32 {
    k * (k + 1) / 2
}

/// Returns the largest k with T(k) <= n: the value of \[n, {1..n}\] by Conjecture 34.
pub fn level(n: u32) -> u32 {
    // k <= sqrt(2n) < k + 2.
    let mut k = (2 * u64::from(n)).isqrt() as u32;
    while u64::from(k) * (u64::from(k) + 1) / 2 > u64::from(n) {
        k -= 1;
    }
    k
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_is_the_largest_triangular_root() {
        for n in 0..100_000 {
            let k = level(n);
            assert!(triangular(k) <= n && n < triangular(k + 1));
        }
    }
}
