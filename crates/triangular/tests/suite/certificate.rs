//! Tests of certificates: written certificates are accepted, and all other files are refused.

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;

use grundy_triangular::{
    CertificateError, Limits, Progress, Proof, ValidCertificate, Verdict, check_certificate,
    check_certificate_within, level, prove, triangular,
};

const PLENTY: Limits = Limits { memory: 1 << 32 };

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn certificate(to: u32) -> Vec<u8> {
    let (proof, _) = prove(to, &PLENTY, &mut go_on).unwrap();
    let mut bytes = Vec::new();
    proof.write_to(&mut bytes).unwrap();
    bytes
}

fn check(bytes: &[u8]) -> Result<ValidCertificate, CertificateError> {
    check_certificate(bytes)
}

/// A parsed certificate: the families of each n. Each family is a list of (slack, family).
#[derive(Clone)]
struct Parts {
    bound: u32,
    proved: u32,
    families: u64,
    body: Vec<Vec<Vec<(u32, u32)>>>,
}

impl Parts {
    fn of(bytes: &[u8]) -> Self {
        let checked = check(bytes).unwrap();
        let body = (0..=checked.bound())
            .map(|n| {
                let of = checked.each_of(n).map(|(_, landings)| landings);
                let wide = |landings: Vec<(u16, u32)>| {
                    landings.into_iter().map(|(slack, g)| (u32::from(slack), g)).collect()
                };
                of.map(wide).collect()
            })
            .collect();
        let proved = (0..=checked.bound()).filter(|&n| checked.proves(n)).count() as u32;
        Self { bound: checked.bound(), proved, families: checked.families(), body }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        for families in &self.body {
            varint(&mut body, families.len() as u32);
            for &(slack, family) in families.iter().flatten() {
                varint(&mut body, slack);
                varint(&mut body, family);
            }
        }
        self.with_body(&body)
    }

    fn with_body(&self, body: &[u8]) -> Vec<u8> {
        let mut bytes = b"GRUNDYT\n".to_vec();
        for number in [1, self.bound, self.proved, 0] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&self.families.to_le_bytes());
        let mut encoder = zstd::stream::write::Encoder::new(bytes, 3).unwrap();
        encoder.write_all(body).unwrap();
        let mut bytes = encoder.finish().unwrap();
        let digest = blake3::hash(&bytes);
        bytes.extend_from_slice(digest.as_bytes());
        bytes
    }
}

fn varint(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

#[test]
fn a_certificate_comes_back_as_it_was() {
    let bytes = certificate(120);
    let checked = check(&bytes).unwrap();
    assert_eq!((checked.bound(), checked.first_gap()), (120, None));
    assert!(checked.proves(120) && !checked.proves(121));
    assert_eq!(checked.families_of(121), 0);
    assert_eq!(checked.each_of(121).count(), 0);
    assert!((0..=120).all(|n| checked.each_of(n).count() == checked.families_of(n) as usize));
    assert!(checked.families() >= 121);
    // Each family takes eight bytes for 64 moves, and two bytes for a landing, whose numbers are
    // small.
    assert!((0..=120).all(|n| checked.families_of(n) < 128));
    let family = |n: u32| u64::from(8 * (n / 64 + 1) + 2 * level(n).saturating_sub(1));
    let least: u64 = (0..=120).map(|n| u64::from(checked.families_of(n)) * family(n)).sum();
    // Each pile takes two numbers of four bytes, and two vectors of three words.
    assert_eq!(checked.bytes(), least + 121 * (8 + 6 * size_of::<usize>() as u64));
    // The checker counts the moves of all families; each family has l - 1 moves.
    let moves: u64 = (0..=120)
        .map(|n| u64::from(checked.families_of(n)) * u64::from(level(n).saturating_sub(1)))
        .sum();
    assert_eq!(checked.moves(), moves);
}

#[test]
fn the_bytes_depend_on_the_bound_alone() {
    assert_eq!(certificate(260), certificate(260));
    let parts = Parts::of(&certificate(260));
    assert_eq!(Parts::of(&parts.bytes()).bytes(), parts.bytes());
}

#[test]
fn a_proof_continues_from_a_certificate() {
    let bytes = certificate(200);
    let mut proof = Proof::of_certificate(&check(&bytes).unwrap());
    proof.extend(260, &PLENTY, &mut go_on).unwrap();
    assert!((0..=260).all(|n| proof.verdict(n) == Some(Verdict::Proved)));
    let mut longer = Vec::new();
    proof.write_to(&mut longer).unwrap();
    assert_eq!(check(&longer).unwrap().first_gap(), None);
    // A proof that continues a certificate to its own bound searches nothing.
    let mut proof = Proof::of_certificate(&check(&bytes).unwrap());
    proof.extend(200, &PLENTY, &mut go_on).unwrap();
    let mut same = Vec::new();
    proof.write_to(&mut same).unwrap();
    let (same, bytes) = (check(&same).unwrap(), check(&bytes).unwrap());
    assert!(same.bound() == 200 && same.first_gap().is_none());
    assert!(same.families() <= bytes.families());
}

#[test]
fn an_empty_proof_makes_a_certificate_of_nothing() {
    let mut bytes = Vec::new();
    Proof::new().write_to(&mut bytes).unwrap();
    let checked = check(&bytes).unwrap();
    assert_eq!((checked.bound(), checked.first_gap(), checked.families()), (0, Some(0), 0));
}

#[test]
fn a_file_is_replaced_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proof");
    fs::write(&path, "old").unwrap();
    let (proof, _) = prove(90, &PLENTY, &mut go_on).unwrap();
    proof.write(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), certificate(90));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(proof.write(&folder.path().join("missing/proof")).is_err());
}

#[test]
fn every_flipped_byte_is_noticed() {
    let bytes = certificate(120);
    for at in 0..bytes.len() {
        for mask in [0x01, 0x80, 0xFF] {
            let mut damaged = bytes.clone();
            damaged[at] ^= mask;
            assert!(check(&damaged).is_err(), "byte {at} xor {mask:#x}");
        }
    }
}

#[test]
fn every_cut_is_noticed_and_so_is_a_tail() {
    let bytes = certificate(120);
    for length in 0..bytes.len() {
        assert!(check(&bytes[..length]).is_err(), "{length}");
    }
}

/// Each fault has its message: faults in the header and at the end, forged counts, and wrong
/// landings of the pile 100.
///
/// The checker must not trust an impossible count in the body. Families of the pile 0 have no
/// moves, so they take memory, but no bytes in the file. Families of the pile 3 have one move,
/// which leaves no coins. The body ends after their count, so the message shows whether the checker
/// accepts the count: 2^32 - 1 is possible, 2^32 is not.
#[test]
fn every_fault_has_its_message() {
    let small = certificate(20);
    let with = |at: usize, bytes: &[u8]| {
        let mut damaged = small.clone();
        damaged[at..at + bytes.len()].copy_from_slice(bytes);
        damaged
    };
    let last = small.len() - 1;
    let whole = certificate(120);
    let parts = Parts::of(&whole);
    let forged = |change: &dyn Fn(&mut Parts)| {
        let mut parts = parts.clone();
        change(&mut parts);
        parts.bytes()
    };
    let of_body = |bound, proved, families, body: &[u8]| {
        Parts { bound, proved, families, body: Vec::new() }.with_body(body)
    };
    let many = u64::MAX;
    let families = parts.families;
    let promises = |promised: u64, found: u64| {
        format!("the header promises {promised} families, but there are {found}")
    };
    let cut = || "the certificate is cut short".to_owned();
    let here = |said: &str| format!("[100,{{1..100}}], family 0: {said}");
    for (bytes, said) in [
        (with(0, b"g"), "this is not a certificate".to_owned()),
        (with(8, &[2]), "the certificate has version 2; this program reads version 1".to_owned()),
        (
            with(12, &60_001_u32.to_le_bytes()),
            "the header of the certificate is damaged".to_owned(),
        ),
        (with(12, &60_000_u32.to_le_bytes()), cut()),
        (with(20, &[1]), "the header of the certificate is damaged".to_owned()),
        (with(last, &[small[last] ^ 1]), "the digest of the certificate is wrong".to_owned()),
        (small[..20].to_vec(), cut()),
        (small[..last].to_vec(), cut()),
        ([&small[..], &[0]].concat(), "the certificate has bytes after its end".to_owned()),
        (forged(&|p| p.families += 1), promises(families + 1, families)),
        (forged(&|p| p.families -= 1), promises(families - 1, families)),
        (
            forged(&|p| p.proved -= 1),
            "the header promises a proof for 120 piles, but there is one for 121".to_owned(),
        ),
        (forged(&|p| p.bound += 1), cut()),
        (forged(&|p| p.bound -= 1), "the certificate has bytes after its end".to_owned()),
        (of_body(0, 121, many, &[0x80, 0x80, 0x80, 0x80, 0x0F]), promises(many, 0xF000_0000)),
        (of_body(3, 121, many, &[1, 1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]), cut()),
        (
            of_body(3, 121, many, &[1, 1, 1, 0x80, 0x80, 0x80, 0x80, 0x10]),
            promises(many, 0x1_0000_0003),
        ),
        (of_body(3, 121, 50, &[1, 1, 1, 47]), cut()),
        (of_body(3, 121, 50, &[1, 1, 1, 48]), promises(50, 51)),
        // The header states the number of families in eight bytes.
        (of_body(3, 4, 5 + (1 << 33), &[1, 1, 1, 2, 0, 0, 0, 0]), promises(5 + (1 << 33), 5)),
        (
            of_body(0, 4, many, &[0x81, 0x00]),
            "[0,{1..0}], family 0: a number is not well formed".to_owned(),
        ),
        // On level i, the slack i + 1 is one too many.
        (forged(&|p| p.body[100][0][5].0 = 6), here("the slack 6 leads outside level 5")),
        (
            forged(&|p| p.body[100][0][5].0 = 1 << 20),
            here("the slack 1048576 leads outside level 5"),
        ),
        (forged(&|p| p.body[100][0][0].1 = 1000), here("pile 0 has no family 1000")),
    ] {
        let error = check_certificate_within(&bytes[..], 1 << 20).unwrap_err();
        assert_eq!(error.to_string(), said);
    }
    let error = check_certificate_within(&whole[..], 10_000).unwrap_err();
    assert_eq!(error.to_string(), "checking needs more memory than the limit");
    assert!(check_certificate_within(&whole[..], 1 << 20).is_ok());
    // Some slacks lead to a pile whose family uses the move.
    let slacks = (0..12).flat_map(|i| (0..=i as u32).map(move |slack| (i, slack)));
    let forgeries = slacks.map(|(i, slack)| forged(&|p| p.body[100][0][i] = (slack, 0)));
    let mut errors = forgeries.filter_map(|bytes| check(&bytes).err());
    assert!(errors.any(|error| matches!(
        error,
        CertificateError::MoveUsedBelow { n: 100, taken, landing, .. } if taken + landing == 100
    )));
    // A family may occur twice.
    let twice = check(&of_body(3, 4, 5, &[1, 1, 1, 2, 0, 0, 0, 0])).unwrap();
    assert_eq!((twice.families(), twice.families_of(3)), (5, 2));
}

#[test]
fn a_dropped_family_is_a_fault_where_it_is_needed() {
    let parts = Parts::of(&certificate(120));
    for n in 0..=60_usize {
        let mut damaged = parts.clone();
        damaged.families -= damaged.body[n].len() as u64;
        damaged.proved -= 1;
        damaged.body[n].clear();
        let needed = parts.body.iter().enumerate().any(|(big, families)| {
            families.iter().any(|family| {
                family
                    .iter()
                    .enumerate()
                    .any(|(i, &(slack, _))| big > n && triangular(i as u32) + slack == n as u32)
            })
        });
        match check(&damaged.bytes()) {
            Err(CertificateError::NotListed { landing, .. }) => {
                assert!(needed && landing == n as u32);
            }
            Err(error) => panic!("{error}"),
            // A pile n without a family does not count as proved.
            Ok(checked) => assert!(!needed && !checked.proves(n as u32)),
        }
    }
}

#[test]
fn up_to_320_one_family_for_each_pile_is_found() {
    let checked = check(&certificate(320)).unwrap();
    assert!((0..=320).all(|n| checked.families_of(n) == 1));
}

fn numbers(value: &serde_json::Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|number| number.as_u64().unwrap() as u32).collect()
}

fn lists(value: &serde_json::Value) -> Vec<Vec<u32>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

/// Creates a certificate with at most one family for each n. Each n has the list of piles to which
/// its family leads, or `None` if it has no family.
fn one_family_each(piles: Vec<Option<Vec<u32>>>) -> ValidCertificate {
    let landing = |(i, m): (u32, u32)| (m - triangular(i), 0);
    let body: Vec<Vec<Vec<(u32, u32)>>> = piles
        .into_iter()
        .map(|piles| {
            piles.map(|piles| (0..).zip(piles).map(landing).collect()).into_iter().collect()
        })
        .collect();
    let proved = body.iter().flatten().count() as u32;
    let parts = Parts { bound: body.len() as u32 - 1, proved, families: proved.into(), body };
    check(&parts.bytes()).unwrap()
}

/// The checker accepts certificates of the solutions of docs/proofs/gap.py, which use only moves
/// that the thresholds allow.
#[test]
fn solutions_of_a_solver_make_valid_certificates() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let lines = fs::read_to_string(format!("{root}/docs/proofs/gap.jsonl")).unwrap();
    let mut kinds = [0; 4];
    for line in lines.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let question = line["asked"].as_str().unwrap();
        if line["found"] == false {
            kinds[0] += 1;
            continue;
        }
        if let Some(last) = question.strip_prefix("one-") {
            let checked = one_family_each(lists(&line["families"]).into_iter().map(Some).collect());
            assert_eq!((checked.bound().to_string(), checked.first_gap()), (last.to_owned(), None));
            kinds[1] += 1;
            continue;
        }
        let roots: Vec<u32> = match question.split_once('-') {
            Some((from, to)) => (from.parse().unwrap()..=to.parse().unwrap()).collect(),
            None => Vec::new(),
        };
        let (x, sets) = (numbers(&line["x"]), lists(&line["piles"]));
        let top = sets.len() as u32 - 1;
        let piles = |n: u32| {
            let chosen = sets[level(n) as usize].contains(&n);
            let most = if chosen { level(n).saturating_sub(1) } else { u32::MAX };
            let landing = |i: u32| {
                let allowed = |m: &&u32| (i..=most).contains(&x[(n - *m) as usize]);
                *sets[i as usize].iter().find(allowed).expect(question)
            };
            let wanted = chosen || roots.contains(&n);
            wanted.then(|| (0..level(n).saturating_sub(1)).map(landing).collect())
        };
        let checked = one_family_each((0..triangular(top + 1)).map(piles).collect());
        assert!(roots.iter().all(|&n| checked.proves(n)), "{question}");
        let proves_one =
            |level: u32| (triangular(level)..triangular(level + 1)).any(|n| checked.proves(n));
        assert!(!roots.is_empty() || (proves_one(top - 1) && proves_one(top)), "{question}");
        kinds[if roots.is_empty() { 2 } else { 3 }] += 1;
    }
    assert_eq!(kinds, [5, 3, 6, 5]);
}
