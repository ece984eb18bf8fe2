#![doc = include_str!("../README.md")]
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
pub use proof::{Limits, MAX_BOUND, Progress, Proof, ProveError, Verdict, Watch, prove};
pub use search::Ended;

/// Returns T(k) = 1 + ... + k.
pub const fn triangular(k: u32) -> u32 {
    k * (k + 1) / 2
}

/// Returns the largest k with T(k) <= n. By Conjecture 34 this is the value of \[n, {1..n}\].
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
