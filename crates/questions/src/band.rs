//! Statements that are decided near the diagonal of a tile.
//!
//! In `g == 1 <-> F`, the condition F often implies that the two ends are nearly equal. Then only
//! the cells of a band need F. Elsewhere no cell may have the value 1, which one mask of the tile
//! shows:
//!
//! ```text
//!             last
//!         \ \ . . . .        \  |first - last| <= d: evaluated as columns
//!         \ \ \ . . .        .  only compared with the value
//! first   . \ \ \ . .
//!         . . \ \ \ .
//! ```
//!
//! The statement may use the value of the position only to compare it with one number, the mark. A
//! search proves that F is false outside the band. It assumes that the ends differ by more than d,
//! and follows the steps backwards from the result. Each comparison of two numbers that differ by a
//! constant gives a bound on a difference of two piles. If the bounds contradict each other in
//! every case, the assumption is impossible.

use std::cell::Cell;
use std::collections::HashMap;

use crate::program::{Arg, Input, LookUp, Op, Rate, Step};
use crate::steps::Lower;

/// The largest distance of the ends in a band.
const MOST_DISTANCE: i64 = 8;

/// The largest number of cases that a search distinguishes.
const MOST_CASES: u32 = 1 << 12;

/// A bound that says nothing. The sum of three bounds does not overflow.
const FREE: i64 = i64::MAX / 8;

/// The cells near the diagonal, and what the statement says about all other cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Band {
    /// The value of marked cells.
    pub(crate) value: u32,
    pub(crate) distance: usize,
    /// True if the statement is true of marked cells. It is true of all other cells.
    pub(crate) allows_marks: bool,
    /// The truth of the premise at cells that are not marked, and at marked cells.
    pub(crate) premise: [bool; 2],
}

/// A number: the difference of two variables, and a constant. Variable 0 is the number 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Term {
    plus: usize,
    minus: usize,
    more: i64,
}

impl Term {
    fn negative(self) -> Term {
        Term { plus: self.minus, minus: self.plus, more: -self.more }
    }

    /// Returns the sum, if it is a difference of two variables.
    fn with(self, other: Term) -> Option<Term> {
        let (mut plus, mut minus) = ([self.plus, other.plus], [self.minus, other.minus]);
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            if plus[i] == minus[j] {
                (plus[i], minus[j]) = (0, 0);
            }
        }
        let one = |two: [usize; 2]| two.contains(&0).then(|| two[0] + two[1]);
        let more = self.more.checked_add(other.more).filter(|more| more.abs() < FREE)?;
        Some(Term { plus: one(plus)?, minus: one(minus)?, more })
    }
}

/// Bounds on the differences of variables, and the known truth values.
#[derive(Clone)]
struct Zone {
    /// `most[i][j]` is an upper bound on variable i minus variable j.
    most: Vec<Vec<i64>>,
    terms: HashMap<Arg, Term>,
    truths: HashMap<Arg, bool>,
    is_empty: bool,
}

impl Zone {
    fn variable(&mut self, (low, high): (i128, i128)) -> Term {
        let bound = |number: i128| i64::try_from(number).map_or(FREE, |n| n.min(FREE));
        let new = self.most.len();
        self.most.iter_mut().for_each(|row| row.push(FREE));
        self.most.push(vec![FREE; new + 1]);
        self.most[new][new] = 0;
        let variable = Term { plus: new, minus: 0, more: 0 };
        self.limit(variable, bound(high));
        self.limit(variable.negative(), bound(low.saturating_neg()));
        variable
    }

    /// Returns an upper bound on a number.
    fn most(&self, term: Term) -> i64 {
        self.most[term.plus][term.minus].saturating_add(term.more).min(FREE)
    }

    /// Adds the bound that a number is at most `most`.
    fn limit(&mut self, term: Term, most: i64) {
        let Term { plus, minus, more } = term;
        let most = most.saturating_sub(more);
        if most >= self.most[plus][minus].min(FREE / 2) {
            return;
        }
        self.is_empty |= self.most[minus][plus].saturating_add(most) < 0;
        for i in 0..self.most.len() {
            for j in 0..self.most.len() {
                let by =
                    self.most[i][plus].saturating_add(most).saturating_add(self.most[minus][j]);
                self.most[i][j] = self.most[i][j].min(by);
            }
        }
    }

    /// Adds the bound that x is at most y plus `more`.
    fn compare(&mut self, x: Term, y: Term, more: i64) {
        if let Some(difference) = x.with(y.negative()) {
            self.limit(difference, more);
        }
    }
}

type Goals = Vec<(Arg, bool)>;

struct Search<'a> {
    lower: &'a Lower,
    made: HashMap<Arg, &'a Step>,
    left: Cell<u32>,
}

impl Search<'_> {
    /// False if no position of the zone has these truth values, and for each list of cases the
    /// truth values of one of its cases. True if the search does not know.
    fn can(&self, mut zone: Zone, mut goals: Goals, mut open: Vec<Vec<Goals>>) -> bool {
        let Some(left) = self.left.get().checked_sub(1) else { return true };
        self.left.set(left);
        while let Some((arg, truth)) = goals.pop() {
            let known = match arg {
                Arg::Fixed(number) => Some((number != 0) == truth),
                _ => zone.truths.insert(arg, truth).map(|before| before == truth),
            };
            match known {
                Some(true) => continue,
                Some(false) => return false,
                None => {}
            }
            match self.made.get(&arg) {
                Some(&&Step::One { op: Op::Not, a, .. }) => goals.push((a, !truth)),
                Some(&&Step::Two { op, a, b, .. }) => match op {
                    Op::And | Op::Or if (op == Op::And) == truth => {
                        goals.extend([(a, truth), (b, truth)]);
                    }
                    Op::And | Op::Or => open.push(vec![vec![(a, truth)], vec![(b, truth)]]),
                    Op::Equal | Op::Less | Op::LessEqual
                        if self.is_truth(a) && self.is_truth(b) =>
                    {
                        let cases = [(false, false), (false, true), (true, false), (true, true)];
                        let cases = cases.into_iter().filter(|(x, y)| match op {
                            Op::Equal => (x == y) == truth,
                            Op::Less => (x < y) == truth,
                            _ => (x <= y) == truth,
                        });
                        open.push(cases.map(|(x, y)| vec![(a, x), (b, y)]).collect());
                    }
                    Op::Equal | Op::Less | Op::LessEqual => {
                        let (x, y) = (self.term(&mut zone, a), self.term(&mut zone, b));
                        match (op, truth) {
                            (Op::Equal, true) => {
                                zone.compare(x, y, 0);
                                zone.compare(y, x, 0);
                            }
                            (Op::Less, true) => zone.compare(x, y, -1),
                            (Op::Less, false) => zone.compare(y, x, 0),
                            (Op::LessEqual, true) => zone.compare(x, y, 0),
                            (Op::LessEqual, false) => zone.compare(y, x, -1),
                            _ => {}
                        }
                    }
                    _ => {}
                },
                Some(&&Step::Select { condition, then, other, .. }) => open.push(vec![
                    vec![(condition, true), (then, truth)],
                    vec![(condition, false), (other, truth)],
                ]),
                _ => {}
            }
            if zone.is_empty {
                return false;
            }
        }
        match open.pop() {
            None => true,
            Some(cases) => cases.into_iter().any(|case| self.can(zone.clone(), case, open.clone())),
        }
    }

    fn is_truth(&self, arg: Arg) -> bool {
        let (low, high) = self.lower.range(arg);
        low >= 0 && high <= 1
    }

    fn term(&self, zone: &mut Zone, arg: Arg) -> Term {
        if let Some(&known) = zone.terms.get(&arg) {
            return known;
        }
        let found = match (arg, self.made.get(&arg)) {
            (Arg::Fixed(number), _) => {
                let more = i64::try_from(number).ok().filter(|more| (-FREE..FREE).contains(more));
                more.map(|more| Term { plus: 0, minus: 0, more })
            }
            (_, Some(&&Step::One { op: Op::Neg, a, .. })) => Some(self.term(zone, a).negative()),
            (_, Some(&&Step::One { op: Op::Abs, a, .. })) => {
                let x = self.term(zone, a);
                match (zone.most(x.negative()) <= 0, zone.most(x) <= 0) {
                    (true, _) => Some(x),
                    (_, true) => Some(x.negative()),
                    _ => None,
                }
            }
            (_, Some(&&Step::Two { op, a, b, .. })) => {
                let (x, y) = (self.term(zone, a), self.term(zone, b));
                match op {
                    Op::Add => x.with(y),
                    Op::Sub => x.with(y.negative()),
                    Op::Max => Some(self.greatest(zone, arg, x, y)),
                    // The least number is the negative of the greatest negative number.
                    Op::Min => {
                        let (low, high) = self.lower.range(arg);
                        let range = (high.saturating_neg(), low.saturating_neg());
                        let (x, y) = (x.negative(), y.negative());
                        Some(greatest(zone, range, x, y).negative())
                    }
                    _ => None,
                }
            }
            (_, Some(&&Step::Select { condition, then, other, .. })) => {
                let can = |truth| self.can(zone.clone(), vec![(condition, truth)], Vec::new());
                match (can(true), can(false)) {
                    (false, _) => Some(self.term(zone, other)),
                    (_, false) => Some(self.term(zone, then)),
                    _ => None,
                }
            }
            _ => None,
        };
        let found = found.unwrap_or_else(|| zone.variable(self.lower.range(arg)));
        zone.terms.insert(arg, found);
        found
    }

    fn greatest(&self, zone: &mut Zone, arg: Arg, x: Term, y: Term) -> Term {
        greatest(zone, self.lower.range(arg), x, y)
    }

    fn band(&self, result: Arg, premise: Option<Arg>, distance: i64) -> Option<Band> {
        let Lower { inputs, shape, marked, .. } = self.lower;
        let mark = *inputs.get(&Input::Mark)?;
        let ends = [0, shape.length - 1].map(|at| inputs.get(&Input::Pile(at)).copied());
        let [Some(first), Some(last)] = ends else { return None };
        let zones = [(first, last), (last, first)].map(|(large, small)| {
            let (terms, truths) = (HashMap::new(), HashMap::new());
            let mut zone = Zone { most: vec![vec![0]], terms, truths, is_empty: false };
            let (large, small) = (self.term(&mut zone, large), self.term(&mut zone, small));
            zone.compare(small, large, -distance - 1);
            zone
        });
        let never = |goals: &[(Arg, bool)]| {
            zones.iter().all(|zone| !self.can(zone.clone(), goals.to_vec(), Vec::new()))
        };
        let truth = |of: Arg, is_marked: bool| match () {
            () if never(&[(of, true), (mark, is_marked)]) => Some(false),
            () if never(&[(of, false), (mark, is_marked)]) => Some(true),
            () => None,
        };
        // Outside the band no step may fail, because it does not run there.
        let is_safe = |step: &Step| match *step {
            Step::Fail { mask, .. } | Step::Checked { mask, .. } => never(&[(mask, true)]),
            Step::Other(LookUp { mask, out, .. }) => {
                out.rate() != Rate::Cell || never(&[(mask, true)])
            }
            _ => true,
        };
        if !self.lower.program.per_cell.iter().all(is_safe) || truth(result, false) != Some(true) {
            return None;
        }
        Some(Band {
            value: u32::try_from((*marked)?).ok()?,
            distance: distance as usize,
            allows_marks: truth(result, true)?,
            premise: match premise {
                Some(premise) => [truth(premise, false)?, truth(premise, true)?],
                None => [false; 2],
            },
        })
    }
}

/// Returns the greatest of two numbers, or a variable that is at least as large as both.
fn greatest(zone: &mut Zone, range: (i128, i128), x: Term, y: Term) -> Term {
    let is_above = |x: Term, y: Term| {
        y.with(x.negative()).is_some_and(|difference| zone.most(difference) <= 0)
    };
    if is_above(x, y) {
        return x;
    }
    if is_above(y, x) {
        return y;
    }
    let found = zone.variable(range);
    zone.compare(x, found, 0);
    zone.compare(y, found, 0);
    found
}

/// Returns the band of a compiled statement, if it has one.
pub(crate) fn find(lower: &Lower, result: Arg, premise: Option<Arg>) -> Option<Band> {
    let program = &lower.program;
    let steps = || program.per_tile.iter().chain(&program.per_table).chain(&program.per_cell);
    let value = lower.inputs.get(&Input::Value);
    let uses_value = |step: &Step| value.is_some_and(|value| step.reads().contains(value));
    if !program.options.is_empty() || steps().any(uses_value) || value == Some(&result) {
        return None;
    }
    let made = steps().filter_map(|step| Some((step.out()?, step))).collect();
    let search = Search { lower, made, left: Cell::new(MOST_CASES) };
    (0..=MOST_DISTANCE).find_map(|distance| {
        search.left.set(MOST_CASES);
        search.band(result, premise, distance)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Question;
    use crate::lower::lower_band;
    use crate::program::Layout;
    use crate::steps::Shape;
    use grundy_rules::games::END_NIM;

    fn band(text: &str, length: usize) -> Option<Band> {
        let question = Question::parse(END_NIM, text).unwrap();
        let (max_pile, layout) = (64, Layout::Between);
        let shape = Shape { length, max_pile, layout, tile_cells: 64 * 64, is_band: true };
        lower_band(question.expr(), question.games(), shape).map(|(_, band)| band)
    }

    /// The expected bands were found by hand.
    #[test]
    fn statements_about_nearly_equal_ends_have_bands() {
        for (text, value, distance, premise) in [
            ("P <-> first == last", 0, 0, [false; 2]),
            ("P -> abs(first - last) <= 1", 0, 1, [false, true]),
            ("P and k >= 2 -> abs(first - last) <= 1", 0, 1, [false, true]),
            (
                "g == 1 <-> max(piles) == 1 or max(first, last) == min(first, last) + 2",
                1,
                2,
                [false; 2],
            ),
            ("last - 3 == first < p2 <-> g == 5", 5, 3, [false; 2]),
            ("g != 2 or all(x in piles: x == first)", 2, 0, [false; 2]),
            ("let d = abs(first - last); d > 4 -> N", 0, 4, [true; 2]),
            ("g == 1 <-> last in first..first + 1 and p2 > 9 // first", 1, 1, [false; 2]),
            ("g == 1 <-> (first == last if p2 == 1 else first == last + 1)", 1, 1, [false; 2]),
        ] {
            let expected = Band { value, distance, allows_marks: false, premise };
            assert_eq!(band(text, 3), Some(expected), "{text}");
        }
        let loose = band("first == last -> (P -> first > 1)", 2);
        let premise = [false; 2];
        assert_eq!(loose, Some(Band { value: 0, distance: 0, allows_marks: true, premise }));
        for text in [
            "P <-> first + last == 9",
            "g == 1 <-> first == p2",
            "g <= first + last",
            "g == 1 or g == 2 -> first == last",
            "N <-> first == last",
            "P -> 12 % (first - p2) == first - last",
            "P -> first == last + 9",
            "P -> first * last < 3",
            "g == 1 <-> first == last and 12 // (first - 1) > 3 or 4 // (p2 - 1) == 4",
        ] {
            assert_eq!(band(text, 3), None, "{text}");
        }
    }
}
