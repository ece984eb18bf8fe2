//! Tests shares and checkpoints with work that adds numbers.

use crate::cases::cases;
use proptest::prelude::*;

use super::*;

/// Work with rows of numbers. A piece is a row, and a part is a number.
struct Rows {
    title: &'static str,
    rows: Vec<Vec<u64>>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sum {
    numbers: u64,
    sum: u64,
}

impl Work for Rows {
    type Finding = Sum;
    type Whole = Sum;

    fn words(&self) -> String {
        self.title.to_owned()
    }

    fn outline(&self) -> Vec<(String, u64)> {
        let each = self.rows.iter().enumerate();
        each.map(|(number, row)| (format!("row {number}"), row.len() as u64)).collect()
    }

    fn begin(&self, _: usize) -> Sum {
        Sum::default()
    }

    fn add(&self, piece: usize, whole: &mut Sum, found: Sum) -> Result<(), String> {
        let most: u64 = self.rows[piece].iter().sum();
        let sum = whole.sum.checked_add(found.sum).filter(|&sum| sum <= most);
        whole.sum = sum.ok_or_else(|| format!("its numbers come to {most}"))?;
        whole.numbers = whole.numbers.saturating_add(found.numbers);
        Ok(())
    }

    fn is_whole(&self, piece: usize, whole: &Sum) -> bool {
        whole.numbers == self.rows[piece].len() as u64
    }
}

impl Rows {
    fn pieces(&self) -> Vec<Piece> {
        let piece =
            |(name, parts)| Piece { name, parts, seconds: parts as f64, begin: 0.0, memory: 0 };
        self.outline().into_iter().map(piece).collect()
    }

    fn share(&self, share: &[Parts]) -> Result<Share<Sum>, NoSuchPart> {
        let done = Share::done(self, share, |piece, parts| {
            let numbers = &self.rows[piece][parts.start as usize..parts.end as usize];
            let sum = Sum { numbers: numbers.len() as u64, sum: numbers.iter().sum() };
            Ok::<_, NoSuchPart>(Some(sum))
        })?;
        let text = serde_json::to_string(&done.unwrap()).unwrap();
        Ok(serde_json::from_str(&text).unwrap())
    }

    fn sums(&self) -> Vec<u64> {
        self.rows.iter().map(|row| row.iter().sum()).collect()
    }
}

fn nine() -> Rows {
    Rows { title: "nine", rows: vec![vec![7], (1..=9).collect()] }
}

proptest! {
    /// The result depends neither on the cut nor on the order of the shares.
    #[test]
    fn shares_of_any_cut_are_the_whole(
        rows in prop::collection::vec(prop::collection::vec(0u64..1000, 1..40), 1..6),
        tasks in 1u64..=64,
        turn in 0usize..64,
    ) {
        let work = Rows { title: "any", rows };
        let mut shares: Vec<_> =
            cut(&work.pieces(), tasks).iter().map(|share| work.share(share).unwrap()).collect();
        let turn = turn % shares.len();
        shares.rotate_left(turn);
        let merged = Share::merge(&work, shares.clone()).unwrap();
        let sums: Vec<u64> = merged.iter().map(|whole| whole.sum).collect();
        prop_assert_eq!(sums, work.sums());
        // A missing share is an error, and so is a share that occurs twice.
        let one = shares.pop().unwrap();
        let missing = Share::merge(&work, shares.clone()).unwrap_err();
        let is_missing = matches!(missing, MergeError::Missing { .. });
        prop_assert!(is_missing, "{}", missing);
        let twice = Share::merge(&work, shares.into_iter().chain([one.clone(), one])).unwrap_err();
        let is_twice = matches!(twice, MergeError::Twice { .. });
        prop_assert!(is_twice, "{}", twice);
    }
}

/// Each case lists shares of the nine parts of the second row, and the resulting error.
#[test]
fn gaps_and_overlaps_are_named() {
    let work = nine();
    for (parts, said) in [
        (&[4..9, 0..1, 1..4][..], None),
        (&[4..9, 0..1], Some("no share covers parts 1 to 3 of row 1")),
        (&[0..1, 1..4], Some("no share covers parts 4 to 8 of row 1")),
        (&[1..4, 4..9], Some("no share covers part 0 of row 1")),
        (&[], Some("no share covers parts 0 to 8 of row 1")),
        (&[0..5, 4..9], Some("more than one share covers part 4 of row 1")),
        (&[2..4, 0..9], Some("more than one share covers parts 2 to 3 of row 1")),
    ] {
        let first = work.share(&[(0, 0..1)]).unwrap();
        let each = parts.iter().map(|parts| work.share(&[(1, parts.clone())]).unwrap());
        let merged = Share::merge(&work, each.chain([first]));
        assert_eq!(merged.err().map(|error| error.to_string()).as_deref(), said, "{parts:?}");
    }
}

/// Each case is a valid share with one changed field.
#[test]
fn impossible_findings_are_named() {
    let work = nine();
    let whole = serde_json::to_value(work.share(&[(0, 0..1), (1, 0..9)]).unwrap()).unwrap();
    for (_, [place, spoilt, said]) in cases(include_str!("findings.txt"), "impossible") {
        let mut share = whole.clone();
        *share.pointer_mut(place).unwrap() = serde_json::from_str(spoilt).unwrap();
        let share: Share<Sum> = serde_json::from_value(share).unwrap();
        let error = Share::merge(&work, [share]).unwrap_err().to_string();
        assert_eq!(error, said, "{place}");
    }
    let theirs = Rows { title: "others", ..nine() };
    let theirs = theirs.share(&[(0, 0..1), (1, 0..9)]).unwrap();
    assert_eq!(Share::merge(&work, [theirs]), Err(MergeError::OtherWork));
}

#[test]
fn missing_parts_are_refused() {
    let work = nine();
    for (piece, parts, said) in [
        (1, 0..10, "invalid share: parts 0 to 9 of row 1 (it has 9 parts)"),
        (1, 9..10, "invalid share: part 9 of row 1 (it has 9 parts)"),
        (1, 3..3, "invalid share: parts 3 to 2 of row 1 (it has 9 parts)"),
        (usize::MAX, 0..1, "invalid share: part 0 of piece 18446744073709551615 (it has 0 parts)"),
    ] {
        assert_eq!(work.share(&[(0, 0..1), (piece, parts)]).unwrap_err().to_string(), said);
    }
    let stopped = Share::done(&work, &[(0, 0..1), (1, 2..9)], |piece, _| {
        Ok::<_, NoSuchPart>((piece == 0).then(Sum::default))
    });
    assert_eq!(stopped, Ok(None));
}

#[test]
fn a_checkpoint_belongs_to_one_work_and_one_source() {
    let (work, other) = (nine(), Rows { title: "others", ..nine() });
    let mut checkpoint = Checkpoint::default();
    assert!(checkpoint.is_of(&work) && checkpoint.is_of(&work) && !checkpoint.is_of(&other));
    let covered = Covered { is_read: true, parts: 9, done: 2, found: Sum { numbers: 2, sum: 3 } };
    checkpoint.put("row 1", covered.clone());
    let text = serde_json::to_string(&checkpoint).unwrap();
    let mut checkpoint: Checkpoint<Sum> = serde_json::from_str(&text).unwrap();
    assert!(checkpoint.is_of(&work) && !checkpoint.is_of(&other));
    assert_eq!(checkpoint.get("row 1", true, 9), covered);
    // The piece starts again if its name, its source or the number of its parts differs.
    for (piece, is_read, parts) in [("row 0", true, 9), ("row 1", false, 9), ("row 1", true, 8)] {
        let fresh = Covered { is_read, parts, ..Covered::default() };
        assert_eq!(checkpoint.get(piece, is_read, parts), fresh);
    }
    checkpoint.put("row 1", Covered { done: 10, ..covered });
    assert_eq!(checkpoint.get("row 1", true, 9).done, 0);
}
