use grundy_sweep::MemoryLimit;
use std::cell::RefCell;

use grundy_rules::reference::Reference;
use grundy_rules::{Position, games};

use super::*;

struct Values(Reference);

impl Default for Values {
    fn default() -> Values {
        Values(Reference::new(games::END_NIM))
    }
}

impl Values {
    fn of(&mut self, piles: &[Pile]) -> u32 {
        self.0.value(&Position::row(piles))
    }

    /// Returns the values after the last or the first pile is lowered.
    fn lowered(&mut self, piles: &[Pile], last: bool) -> Vec<u32> {
        let at = if last { piles.len() - 1 } else { 0 };
        let lower = |pile| {
            let mut lowered = piles.to_vec();
            lowered[at] = pile;
            self.of(&lowered)
        };
        (1..=piles[at]).map(lower).collect()
    }
}

/// Provides the rows of some intervals, and records all calls.
struct Held<'a> {
    values: &'a RefCell<Values>,
    held: &'a [&'a [Pile]],
    /// The intervals for which `holds` was called, and those whose rows and columns were read.
    calls: RefCell<Vec<Vec<Pile>>>,
    rows: RefCell<Vec<Vec<Pile>>>,
    cols: RefCell<Vec<Vec<Pile>>>,
}

impl<'a> Held<'a> {
    fn new(values: &'a RefCell<Values>, held: &'a [&'a [Pile]]) -> Held<'a> {
        let nothing = || RefCell::new(Vec::new());
        Held { values, held, calls: nothing(), rows: nothing(), cols: nothing() }
    }
}

impl Known for Held<'_> {
    fn holds(&self, piles: &[Pile]) -> bool {
        self.calls.borrow_mut().push(piles.to_vec());
        self.held.contains(&piles)
    }
    fn last_lowered(&self, piles: &[Pile], out: &mut Vec<u32>) -> Reply<()> {
        self.rows.borrow_mut().push(piles.to_vec());
        *out = self.values.borrow_mut().lowered(piles, true);
        Ok(())
    }
    fn first_lowered(&self, piles: &[Pile], out: &mut Vec<u32>) -> Reply<()> {
        self.cols.borrow_mut().push(piles.to_vec());
        *out = self.values.borrow_mut().lowered(piles, false);
        Ok(())
    }
}

const MUCH: Limits = Limits { memory: MemoryLimit::new(1 << 30), seconds: 60.0 };

/// Tests the value, the values without an end pile, and the edge, for many sets of held intervals.
#[test]
fn any_intervals_may_be_held() {
    let values = RefCell::default();
    let mut workspace = Workspace::new(Isa::best());
    for piles in [&[2, 3][..], &[4, 1, 3], &[3, 1, 4, 2], &[2, 2, 1, 3, 2], &[1, 3, 2, 2, 1, 4]] {
        let k = piles.len();
        let intervals: Vec<&[Pile]> = (1..=k).flat_map(|length| piles.windows(length)).collect();
        for chosen in 0..64u32 {
            // Tables hold every `step`-th interval, beginning with the interval at index `start`.
            let (start, step) = ((chosen % 8) as usize, (chosen / 8 + 1) as usize);
            let held: Vec<&[Pile]> = intervals.iter().copied().skip(start).step_by(step).collect();
            let held = if chosen == 0 { &[][..] } else { &held[..] };
            let known = Held::new(&values, held);
            let found = workspace
                .evaluate(&games::END_NIM.single_piles(1), piles, &known, MUCH, &|| Ok(()))
                .unwrap();
            let of = |piles: &[Pile]| values.borrow_mut().of(piles);
            assert_eq!(found.value, of(piles), "{piles:?}");
            assert_eq!(found.without_first, of(&piles[1..]), "{piles:?}");
            assert_eq!(found.without_last, of(&piles[..k - 1]), "{piles:?}");
            let edge = workspace.lowered().unwrap();
            assert_eq!(edge.row, values.borrow_mut().lowered(piles, true), "{piles:?}");
            assert_eq!(edge.col, values.borrow_mut().lowered(piles, false), "{piles:?}");
            let read = !known.rows.borrow().is_empty() || !known.cols.borrow().is_empty();
            assert_eq!(found.used_tables, read, "{piles:?} {held:?}");
        }
    }
}

/// This case was worked out by hand: the row 1 2 3 4, if a table holds 1 2 3. The column of 1 2 3
/// is read, and no interval inside it is needed. The row of 2 3 4 is needed. This row needs the
/// column of 2 3 and the row of 3 4. This column and this row need the column of 2, the row and the
/// column of 3, and the row of 4.
#[test]
fn no_row_below_the_held_rows_is_needed() {
    let values = RefCell::default();
    let mut workspace = Workspace::new(Isa::best());
    let mut evaluate = |held: &[&[Pile]]| {
        let known = Held::new(&values, held);
        let piles = [1, 2, 3, 4];
        let (work, _) = workspace.find_needs(&piles, &known, &|| Ok(())).unwrap();
        known.calls.borrow_mut().clear();
        workspace
            .evaluate(&games::END_NIM.single_piles(1), &piles, &known, MUCH, &|| Ok(()))
            .unwrap();
        let Held { calls, rows, cols, .. } = known;
        (work.cells, calls.into_inner(), rows.into_inner(), cols.into_inner())
    };
    let of = |all: &[&[Pile]]| all.iter().map(|piles| piles.to_vec()).collect::<Vec<_>>();
    // An interval of several piles has first pile times last pile cells: 4, 3 + 8, 2 + 6 + 12.
    let all = of(&[&[1, 2, 3], &[2, 3, 4], &[1, 2], &[2, 3], &[3, 4], &[1], &[2], &[3], &[4]]);
    assert_eq!(evaluate(&[]), (35.0, all, vec![], vec![]));
    let calls = of(&[&[1, 2, 3], &[2, 3, 4], &[2, 3], &[3, 4], &[2], &[3], &[4]]);
    let (cells, found, rows, cols) = evaluate(&[&[1, 2, 3]]);
    assert_eq!((cells, found), (4.0 + 8.0 + 6.0 + 12.0, calls));
    assert_eq!((rows, cols), (vec![], of(&[&[1, 2, 3]])));
    // Inner intervals need both sides; outer intervals need one. The whole row is not read.
    let (cells, found, rows, cols) = evaluate(&[&[1, 2, 3, 4], &[1, 2], &[2, 3], &[3, 4]]);
    let calls = of(&[&[1, 2, 3], &[2, 3, 4], &[1, 2], &[2, 3], &[3, 4]]);
    assert_eq!((cells, found), (4.0 + 3.0 + 8.0, calls));
    assert_eq!((rows, cols), (of(&[&[2, 3], &[3, 4]]), of(&[&[1, 2], &[2, 3]])));
}
