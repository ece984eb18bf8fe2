//! Certificates of the triangular-number conjecture.
//!
//! - A certificate is accepted if and only if it follows docs/FORMAT.md. An independent reader in
//!   this module makes the same decision, and checks each family with plain sets of moves.
//! - A certificate proves the conjecture for exactly those n for which it has a family.
//! - For each of these n, values computed from the rules confirm the conjecture.
//!
//! The input changes the uncompressed body of a valid certificate. The target then updates the
//! counts and the digest, because otherwise the digest would reveal every change.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use arbitrary::Unstructured;
use grundy_triangular::{Limits, check_certificate, exact_value, prove};

/// The largest n of the certificate.
const BOUND: u32 = 40;

/// Panics if one of the properties above fails for the changes that these bytes choose.
pub fn run(data: &[u8]) {
    // This call cannot fail: an exhausted input acts like zeros, and every choice has candidates.
    let _ = try_run(&mut Unstructured::new(data));
}

/// Returns inputs that change nothing, change each kind of number, or cut the body short.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = vec![Vec::new(), vec![0; 20]];
    for place in (0..240).step_by(3) {
        seeds.push(vec![1, place, 1, 0, 0]);
        seeds.push(vec![2, place, 3, place / 2, 1, 0, 0]);
    }
    seeds
}

/// The body of a certificate for all n up to `BOUND`.
static BODY: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let limits = Limits { memory: 1 << 30 };
    let (proof, _) = prove(BOUND, &limits, &mut |_| ControlFlow::Continue(())).expect("in bounds");
    let mut certificate = Vec::new();
    proof.write_to(&mut certificate).expect("memory");
    let end = certificate.len() - 32;
    zstd::decode_all(&certificate[32..end]).expect("a zstd frame")
});

fn try_run(input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let mut body = BODY.clone();
    for _ in 0..input.int_in_range(1..=2_u8)? {
        let at = usize::from(input.arbitrary::<u16>()?) % body.len();
        // Prefer small numbers, which are often valid.
        let byte = input.arbitrary::<u8>()?;
        body[at] = if input.ratio(3, 4)? { byte % 4 } else { byte };
    }
    if input.ratio(1, 16)? {
        body.truncate(input.choose_index(body.len())?);
    }
    let bound = if input.ratio(1, 16)? { input.int_in_range(0..=60)? } else { BOUND };
    let read = families(&body, bound);
    let (count, proved) = match &read {
        Some(families) => {
            let proved = families.iter().filter(|of| !of.is_empty()).count();
            (families.iter().map(Vec::len).sum::<usize>() as u64, proved as u32)
        }
        None => (input.arbitrary::<u16>()?.into(), input.int_in_range(0..=bound + 1)?),
    };
    let found = check_certificate(&certificate(&body, bound, count, proved)[..]);
    assert_eq!(found.is_ok(), read.is_some(), "{found:?}");
    let (Ok(checked), Some(families)) = (found, read) else { return Ok(()) };
    for (n, of) in (0..).zip(&families) {
        assert_eq!(checked.proves(n), !of.is_empty(), "{n}");
        let level = (0..).take_while(|k| k * (k + 1) / 2 <= n).last();
        if !of.is_empty() && n <= 20 {
            assert_eq!(exact_value(n, u64::MAX), level, "{n}");
        }
    }
    Ok(())
}

fn certificate(body: &[u8], bound: u32, families: u64, proved: u32) -> Vec<u8> {
    let mut bytes = b"GRUNDYT\n".to_vec();
    bytes.extend([1, bound, proved, 0].iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend(families.to_le_bytes());
    bytes.extend(zstd::encode_all(body, 1).expect("memory"));
    let digest = blake3::hash(&bytes);
    bytes.extend(digest.as_bytes());
    bytes
}

/// Returns the moves that each family of n = 0, 1, ..., `bound` uses. Returns `None` if a family is
/// wrong or the body is invalid.
fn families(body: &[u8], bound: u32) -> Option<Vec<Vec<BTreeSet<u32>>>> {
    let mut rest = body;
    let mut all: Vec<Vec<BTreeSet<u32>>> = Vec::new();
    let triangular = |l: u32| l * (l + 1) / 2;
    for n in 0..=bound {
        let count = varint(&mut rest)?;
        if n < 3 && count > 1 {
            return None;
        }
        let l = (0..).take_while(|&l| triangular(l) <= n).last()?;
        let mut of = Vec::new();
        for _ in 0..count {
            let mut used: BTreeSet<u32> = (1..=l).collect();
            for i in 0..l.saturating_sub(1) {
                let (t, f) = (varint(&mut rest)?, varint(&mut rest)?);
                let t = u32::try_from(t).ok().filter(|&t| t <= i)?;
                let m = triangular(i) + t;
                let below = all[m as usize].get(usize::try_from(f).ok()?)?;
                let q = n - m;
                if below.contains(&q) {
                    return None;
                }
                used.extend(below.iter().copied().chain([q]));
            }
            of.push(used);
        }
        all.push(of);
    }
    rest.is_empty().then_some(all)
}

/// Reads a number with seven bits in each byte; `None` if a shorter encoding exists.
fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0u128;
    for length in 0..10 {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        value |= u128::from(byte & 0x7F) << (7 * length);
        if byte < 0x80 {
            let shortest = byte > 0 || length == 0;
            return u64::try_from(value).ok().filter(|_| shortest);
        }
    }
    None
}
