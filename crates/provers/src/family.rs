//! The tiles of the middles u^i w v^j: their pattern, and the proof that it continues.
//!
//! Number the piles of ... u u w v v ... so that the first pile of w has place 0. T(a, b) is the
//! tile of the piles at the places a to b - 1. It follows from T(a + 1, b) and T(a, b - 1) by a
//! rule that depends only on the piles at the places a and b - 1 (see `tiles`). docs/PROOFS.md
//! proves these statements:
//!
//! * *Lines are periodic.* Take the tiles of u^i w v^j for finitely many i, and the tiles of the
//!   rotations of v^j. They follow from the corresponding tiles for j - 1. So if all of them equal
//!   the tiles of an earlier j, they repeat from that j on. The same holds for columns.
//! * *A step.* If e more words u and f more words v lead to the same tiles on one line and one
//!   column, they do so on all later lines and columns.
//!
//! So finitely many lines, finitely many columns and a step determine all tiles.
//!
//! ```text
//!           j = 0 1 2 ... s
//!   i = 0    . . . . . . . . periodic ──►
//!       1    . . . . . . . . periodic ──►
//!       s    . . S . . .
//!       |    . . . \ . .                    step (e, f)
//!            . . . . S .
//!            periodic
//! ```

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use grundy_rules::{Game, Pile};
use serde::Serialize;

use crate::ends::EndMoves;
use crate::tiles::{EMPTY, Tiles};
use crate::{FamilyWords, Of, Output, Progress, Proof, ProverError, Subject, Watch};

/// The largest number that the search tries for e and for f in a step (e, f).
const LONGEST_STEP: usize = 40;

/// The pattern of the tiles of u^i w v^j, proved for all i and j. Serializes as its certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Family {
    format: &'static str,
    version: u32,
    /// The game, and the largest pile of the family.
    #[serde(flatten)]
    pub subject: Subject,
    /// The word u.
    pub left: Vec<Pile>,
    /// The word w.
    pub middle: Vec<Pile>,
    /// The word v.
    pub right: Vec<Pile>,
    /// The step (e, f): e copies of u and f copies of v.
    pub step: [usize; 2],
    /// The least number s such that the tiles repeat along the step from i = s and j = s on.
    pub start: usize,
    /// The j at which lines up to i = start + e become periodic, and the period in copies of v.
    pub lines: [usize; 2],
    /// The i at which columns up to j = start + f become periodic, and the period in copies of u.
    pub columns: [usize; 2],
    /// The number of different tiles of the middles u^i w v^j, restricted to rows with two ends.
    pub tiles: usize,
    /// The values whose rows do not form a regular set, each with the first i and j that show this.
    pub nonregular: Vec<(Output, usize, usize)>,
    /// The values of u^i w v^j, line by line, up to the size that determines all other values.
    pub values: Vec<Vec<Output>>,
}

impl Family {
    /// Returns the value of u^i w v^j, for any i and j.
    pub fn value(&self, i: usize, j: usize) -> Output {
        let ([e, f], start) = (self.step, self.start);
        let steps = (i.saturating_sub(start) / e).min(j.saturating_sub(start) / f);
        let (i, j) = (i - steps * e, j - steps * f);
        let reduced = |at: usize, [from, period]: [usize; 2]| match at.checked_sub(from) {
            Some(behind) => from + behind % period,
            None => at,
        };
        match i < start + e {
            true => self.values[i][reduced(j, self.lines)],
            false => self.values[reduced(i, self.columns)][j],
        }
    }

    /// Compares each cell with a later cell of its line, at a distance that is a multiple of the
    /// step and the period. Returns the values of pairs that differ, each with its first i and j.
    fn not_regular(&self) -> Vec<(Output, usize, usize)> {
        let ([e, f], start, [from, period]) = (self.step, self.start, self.lines);
        let mut found: Vec<(Output, usize, usize)> = Vec::new();
        // Further lines would only repeat pairs that were already compared.
        for i in start..self.values.len() + self.columns[1] * e * period {
            let end = if i < start + e { self.values[0].len() } else { start + f };
            for j in start..end {
                let pair = [self.value(i, j), self.value(i, j + f * period * (from + i + 1))];
                for value in pair.into_iter().filter(|_| pair[0] != pair[1]) {
                    if found.iter().all(|&(known, ..)| known != value) {
                        found.push((value, i, j));
                    }
                }
            }
        }
        found.sort_unstable();
        found
    }
}

/// Finds and proves the pattern of a family. Continues until it succeeds or the watcher stops it.
///
/// # Errors
/// [`ProverError`] if the prover cannot handle the game or the size.
pub fn prove_family(
    game: Game,
    words: &FamilyWords,
    of: Of,
    watch: Watch<'_>,
) -> Result<Proof<Family>, ProverError> {
    let piles = words.largest();
    let subject = Subject::new(game, piles, of)?;
    let tiles = Tiles::new(EndMoves::of(game, piles, of)?);
    let mut plane = Plane { tiles, words, size: 24, numbers: Vec::new() };
    loop {
        if let ControlFlow::Break(progress) = plane.place(watch) {
            return Ok(Proof::Stopped(progress));
        }
        if let Some(family) = plane.pattern(&subject) {
            return Ok(Proof::Proved(family));
        }
        plane.size *= 2;
    }
}

/// The tiles of all parts of u^size w v^size.
struct Plane<'a> {
    tiles: Tiles,
    words: &'a FamilyWords,
    /// The number of copies of u, which is also the number of copies of v.
    size: usize,
    /// The numbers of the tiles T(a, b), indexed by a and b - a. The row's first pile has place 0.
    numbers: Vec<Vec<u32>>,
}

impl Plane<'_> {
    fn around(&self, before: usize, behind: usize) -> u32 {
        let FamilyWords { left, middle, .. } = self.words;
        self.numbers[self.size * left.len() - before][before + middle.len() + behind]
    }

    fn of(&self, i: usize, j: usize) -> u32 {
        self.around(i * self.words.left.len(), j * self.words.right.len())
    }

    fn place(&mut self, watch: Watch<'_>) -> ControlFlow<Progress> {
        let row = self.words.row(self.size, self.size);
        self.numbers = vec![vec![EMPTY]; row.len() + 1];
        let mut placed = 0;
        for a in (0..row.len()).rev() {
            for b in a + 1..=row.len() {
                let (tail, init) = (self.numbers[a + 1][b - a - 1], self.numbers[a][b - a - 1]);
                let made = self.tiles.make(tail, init, row[a], row[b - 1]);
                self.numbers[a].push(made);
            }
            placed += (row.len() - a) as u64;
            let progress = Progress { size: self.size, bytes: self.tiles.bytes() + 4 * placed };
            watch(progress).map_break(|()| progress)?;
        }
        ControlFlow::Continue(())
    }

    fn pattern(&self, subject: &Subject) -> Option<Family> {
        let ([e, f], start) = self.step()?;
        let FamilyWords { left, middle, right } = self.words.clone();
        let (depth, width) = ((start + e) * left.len(), (start + f) * right.len());
        let begin = self.size * left.len();
        let end = begin + middle.len();
        let lines = self.repeats(|j| {
            let along = j * right.len();
            let alone = (0..right.len()).map(|shift| self.numbers[end + shift][along]);
            let on = |a: usize| self.numbers[end - a][a + along];
            alone.chain((1..=depth + middle.len()).map(on)).collect()
        })?;
        let columns = self.repeats(|i| {
            let along = i * left.len();
            let alone = (0..left.len()).map(|shift| self.numbers[begin - shift - along][along]);
            let on = |b: usize| self.numbers[begin - along][along + b];
            alone.chain((1..=width + middle.len()).map(on)).collect()
        })?;
        // The step was tested only on the tiles computed so far. They must contain whole periods.
        let closes =
            |[from, period]: [usize; 2], step| from.max(start) + period + step <= self.size;
        if !closes(lines, f) || !closes(columns, e) {
            return None;
        }
        let [deep, wide] = [(columns, e), (lines, f)]
            .map(|([from, period], step)| (from + period).max(start + step));
        let tiles = (0..deep).flat_map(|i| (0..wide).map(move |j| self.of(i, j)));
        let tiles: HashSet<Vec<u32>> = tiles.map(|tile| self.tiles.with_two_ends(tile)).collect();
        let value = |i, j| subject.of.output(self.tiles.cell(self.of(i, j), 0, 0));
        let mut family = Family {
            format: "grundy-family",
            version: 1,
            subject: subject.clone(),
            step: [e, f],
            start,
            lines,
            columns,
            tiles: tiles.len(),
            nonregular: Vec::new(),
            values: (0..deep).map(|i| (0..wide).map(|j| value(i, j)).collect()).collect(),
            left,
            middle,
            right,
        };
        family.nonregular = family.not_regular();
        Some(family)
    }

    /// Returns the shortest step along which the tiles computed so far repeat, and its start.
    fn step(&self) -> Option<([usize; 2], usize)> {
        let (u, v) = (self.words.left.len(), self.words.right.len());
        let begins = |[e, f]: [usize; 2]| {
            let same = |a, b| self.around(a, b) == self.around(a + e * u, b + f * v);
            (0..=self.size / 3).find(|&start| {
                (start * u..=(self.size - e) * u).all(|a| same(a, start * v))
                    && (start * v..=(self.size - f) * v).all(|b| same(start * u, b))
            })
        };
        let most = LONGEST_STEP.min(self.size / 3);
        let sums = (2..=2 * most).flat_map(|sum| (1..sum).map(move |e| [e, sum - e]));
        let mut steps = sums.filter(|step| step[0].max(step[1]) <= most);
        steps.find_map(|step| Some((step, begins(step)?)))
    }

    /// Returns the number of copies at which a list of tiles becomes periodic, and the period.
    fn repeats(&self, list: impl Fn(usize) -> Vec<u32>) -> Option<[usize; 2]> {
        let mut seen = HashMap::new();
        (0..self.size).find_map(|at| {
            let first = *seen.entry(list(at)).or_insert(at);
            (first < at).then_some([first, at - first])
        })
    }
}
