//! The tiles of the middles u^i w v^j: their pattern, and the proof that it goes on.
//!
//! Number the piles of ... u u w v v ... so that w has the places 0 to n - 1. The tile T(a, b) of the
//! places a to b - 1 follows from T(a + 1, b) and T(a, b - 1), by a rule that depends on the piles
//! at the places a and b - 1 alone (see `tiles`).
//!
//! * *Lines are periodic.* T(n, b), with v alone, is a matter of finitely many tiles and so periodic
//!   from some b on. If line a + 1 is periodic from some b on, so is line a: its next tile follows from
//!   its last one and one of a periodic line. The same holds for the columns b = 0, 1, 2, ...
//! * *A step.* Let T at a step of e words u to the left and f words v to the right be the same for
//!   all tiles of one line and one column, those of u^s w v^j and of u^i w v^s for i, j >= s.
//!   Then it is so for all i, j >= s, as tiles with equal neighbours are equal.
//!
//! So finitely many lines, finitely many columns and a step give all tiles. In the picture the values
//! are those of the rows u^i w v^j; S shows where the tiles repeat along the step.
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
//!
//! *Values that are not regular.* Let the cell (i, j) have the value x, i, j >= s, and let the cells
//! (i, j + k p f), k >= 1, have another one, where p is such that these lie where line i is periodic
//! with a period that divides p f words. Then no two of the words u^(i + k p e) are the same to an automaton
//! for the rows of value x: it ends well behind w v^(j + k p f) for this k, and for no smaller one.
//! So these rows are no regular set.

use std::collections::HashSet;
use std::ops::ControlFlow;

use grundy_rules::{Game, Pile};
use serde::Serialize;

use crate::ends::EndMoves;
use crate::tiles::{EMPTY, Tiles};
use crate::{FamilyWords, Of, Output, Progress, Proof, ProverError, Subject, Watch};

/// The largest step that is looked for, in words.
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
    /// The words u and v of a step.
    pub step: [usize; 2],
    /// The first i and j from which tiles repeat along the step.
    pub start: usize,
    /// For v alone and each pile more to the left: where the line becomes periodic, in piles behind w, and its period.
    pub lines: Vec<[usize; 2]>,
    /// The same of u alone and each pile more to the right.
    pub columns: Vec<[usize; 2]>,
    /// The number of different tiles of the middles u^i w v^j, of rows with two ends.
    pub tiles: usize,
    /// The values for which the rows of that value are no regular set, each with an i and j that
    /// shows it.
    pub nonregular: Vec<(Output, usize, usize)>,
    /// The values of u^i w v^j, line by line, as far as all others follow from them.
    pub values: Vec<Vec<Output>>,
}

impl Family {
    /// Returns the value of u^i w v^j, for any i and j.
    pub fn value(&self, i: usize, j: usize) -> Output {
        let ([e, f], start) = (self.step, self.start);
        let steps = (i.saturating_sub(start) / e).min(j.saturating_sub(start) / f);
        let (mut i, mut j) = (i - steps * e, j - steps * f);
        let reduce = |at: &mut usize, [from, period]: [usize; 2], word: usize| {
            let (from, period) = (from.div_ceil(word), period / word);
            *at = if *at < from { *at } else { from + (*at - from) % period };
        };
        let (u, v) = (self.left.len(), self.right.len());
        if i < start + e {
            reduce(&mut j, self.lines[self.middle.len() + i * u], v);
        } else {
            reduce(&mut i, self.columns[self.middle.len() + j * v], u);
        }
        self.values[i][j]
    }
}

/// Finds and proves the pattern of a family. Goes on until there is one or the watcher ends it.
///
/// # Errors
/// [`ProverError`] if the game or the size is not one for a family.
pub fn prove_family(
    game: Game,
    words: &FamilyWords,
    of: Of,
    watch: Watch<'_>,
) -> Result<Proof<Family>, ProverError> {
    let piles = words.largest();
    let subject = Subject::new(game, piles, of)?;
    let mut plane = Plane {
        tiles: Tiles::new(EndMoves::of(game, piles, of)?),
        words: words.clone(),
        size: 0,
        low: 0,
        numbers: Vec::new(),
    };
    let mut size = 24;
    loop {
        if let ControlFlow::Break(progress) = plane.place(size, watch) {
            return Ok(Proof::Stopped(progress));
        }
        if let Some(family) = plane.pattern(&subject) {
            return Ok(Proof::Proved(family));
        }
        size *= 2;
    }
}

/// The tiles T(a, b) for places from `low` up to as far behind w.
struct Plane {
    tiles: Tiles,
    words: FamilyWords,
    /// The copies of u and of v.
    size: usize,
    low: isize,
    /// T(a, b) at a - low, b - a.
    numbers: Vec<Vec<u32>>,
}

impl Plane {
    fn pile(&self, place: isize) -> Pile {
        let FamilyWords { left, middle, right } = &self.words;
        match usize::try_from(place) {
            Err(_) => left[place.rem_euclid(left.len() as isize) as usize],
            Ok(place) if place < middle.len() => middle[place],
            Ok(place) => right[(place - middle.len()) % right.len()],
        }
    }

    /// The place behind w.
    fn end(&self) -> isize {
        self.words.middle.len() as isize
    }

    fn high(&self) -> isize {
        self.end() + (self.size * self.words.right.len()) as isize
    }

    fn at(&self, a: isize, b: isize) -> u32 {
        self.numbers[(a - self.low) as usize][(b - a) as usize]
    }

    /// The tile of w with so many piles before it and behind it.
    fn around(&self, before: usize, behind: usize) -> u32 {
        self.at(-(before as isize), self.end() + behind as isize)
    }

    /// The tile of u^i w v^j.
    fn of(&self, (i, j): (usize, usize)) -> u32 {
        self.around(i * self.words.left.len(), j * self.words.right.len())
    }

    /// Makes the tiles of up to so many copies of u and v.
    fn place(&mut self, size: usize, watch: Watch<'_>) -> ControlFlow<Progress> {
        self.size = size;
        self.low = -((size * self.words.left.len()) as isize);
        let (low, high) = (self.low, self.high());
        self.numbers = vec![Vec::new(); (high - low + 1) as usize];
        let mut steps = 0;
        for a in (low..=high).rev() {
            let mut line = vec![EMPTY];
            for b in a + 1..=high {
                let (tail, init) = (self.at(a + 1, b), line[line.len() - 1]);
                let (x, y) = (self.pile(a), self.pile(b - 1));
                line.push(self.tiles.make(tail, init, x, y));
            }
            steps += line.len() as u64;
            self.numbers[(a - low) as usize] = line;
            let progress = Progress { size, steps, bytes: self.tiles.bytes() + 4 * steps };
            if watch(progress).is_break() {
                return ControlFlow::Break(progress);
            }
        }
        ControlFlow::Continue(())
    }

    fn pattern(&self, subject: &Subject) -> Option<Family> {
        let ([e, f], start) = self.step()?;
        let FamilyWords { left, middle, right } = self.words.clone();
        let (u, v) = (left.len(), right.len());
        let lines = self.lines(middle.len() + (start + e) * u, Side::Right)?;
        let columns = self.lines(middle.len() + (start + f) * v, Side::Left)?;
        if !self.closes(Side::Right, &lines, start * v, [e * u, f * v])?
            || !self.closes(Side::Left, &columns, start * u, [f * v, e * u])?
        {
            return None;
        }
        // As many copies as show all that lines and columns say.
        let copies = |lines: &[[usize; 2]], word: usize, step: usize| {
            let end =
                |&[from, period]: &[usize; 2]| from.div_ceil(word) + 2 * lcm(period / word, step);
            lines.iter().map(end).max().unwrap_or(0).max(start + step)
        };
        let (wide, deep) = (copies(&lines, v, f), copies(&columns, u, e));
        if wide.max(deep) > self.size {
            return None;
        }
        let in_lines = (0..start + e).flat_map(|i| (0..=wide).map(move |j| (i, j)));
        let in_columns = (0..start + f).flat_map(|j| (0..=deep).map(move |i| (i, j)));
        let mut cells: Vec<(usize, usize)> = in_lines.chain(in_columns).collect();
        cells.sort_unstable();
        let tiles: HashSet<Vec<u32>> =
            cells.iter().map(|&at| self.tiles.with_two_ends(self.of(at))).collect();
        let value = |at| subject.of.output(self.tiles.cell(self.of(at), 0, 0));
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
            values: (0..=deep).map(|i| (0..=wide).map(|j| value((i, j))).collect()).collect(),
            left,
            middle,
            right,
        };
        for &(i, j) in cells.iter().filter(|&&(i, j)| i >= start && j >= start) {
            // Far out in the line, at steps that are whole periods of it.
            let line = start + (i - start) % e;
            let [from, period] = family.lines[family.middle.len() + line * u];
            let pair = [family.value(i, j), family.value(i, j + f * period * (from + i + 1))];
            for value in pair.into_iter().filter(|_| pair[0] != pair[1]) {
                if family.nonregular.iter().all(|&(known, ..)| known != value) {
                    family.nonregular.push((value, i, j));
                }
            }
        }
        family.nonregular.sort_unstable();
        Some(family)
    }

    /// The shortest step along which all tiles from some start on repeat, as far as they are made.
    fn step(&self) -> Option<([usize; 2], usize)> {
        let (u, v) = (self.words.left.len(), self.words.right.len());
        let begins = |[e, f]: [usize; 2]| {
            let mut start = 0;
            for i in 0..self.size - e {
                let mut j = start;
                while i >= start && j < self.size - f {
                    let same = (i * u..i * u + u).all(|a| {
                        (j * v..j * v + v)
                            .all(|b| self.around(a, b) == self.around(a + e * u, b + f * v))
                    });
                    start = if same { start } else { i.min(j) + 1 };
                    j += 1;
                }
                if start > self.size / 3 {
                    return None;
                }
            }
            Some(start)
        };
        let most = LONGEST_STEP.min(self.size / 3);
        let sums = (2..=2 * most).flat_map(|sum| (1..sum).map(move |e| [e, sum - e]));
        let mut steps = sums.filter(|step| step[0].max(step[1]) <= most);
        steps.find_map(|step| Some((step, begins(step)?)))
    }

    /// The tile `at` piles behind w in the line of `depth` piles before its end, or the mirror image.
    /// In line 0 a word is alone, and the shift moves both ends.
    fn on(&self, side: Side, depth: usize, shift: usize, at: usize) -> Option<u32> {
        let [depth, shift, at] = [depth, shift, at].map(|number| number as isize);
        let (a, b) = match side {
            Side::Right => (self.end() - depth + shift, self.end() + shift + at),
            Side::Left => (-shift - at, depth - shift),
        };
        (a >= self.low && b <= self.high()).then(|| self.at(a, b))
    }

    /// Returns the start of the periodic part and the period of each line, up to a depth.
    fn lines(&self, depth: usize, side: Side) -> Option<Vec<[usize; 2]>> {
        let word = match side {
            Side::Right => self.words.right.len(),
            Side::Left => self.words.left.len(),
        };
        let room = self.size * word;
        let mut lines = Vec::new();
        for depth in 0..=depth {
            let [from, above] = lines.last().copied().unwrap_or([0, word]);
            let shifts = if depth == 0 { word } else { 1 };
            let same = |at: usize, period: usize| {
                (0..shifts).all(|shift| {
                    let here = self.on(side, depth, shift, at);
                    here.is_some() && here == self.on(side, depth, shift, at + period)
                })
            };
            let next = |period: usize| {
                let whole = lcm(lcm(above, word), period);
                // As far out as can be seen, and then as early as it is so.
                let mut at = room.checked_sub(whole + period + shifts).filter(|&at| at >= from)?;
                if !(at..=at + whole).all(|at| same(at, period)) {
                    return None;
                }
                while at > from && same(at - 1, period) {
                    at -= 1;
                }
                Some([at, period])
            };
            lines.push((word..=room / 3).step_by(word).find_map(next)?);
        }
        Some(lines)
    }

    /// True if the step leads from a line to the last one, all along it: far lines, so many piles
    /// along.
    fn closes(
        &self,
        side: Side,
        lines: &[[usize; 2]],
        from: usize,
        [far, along]: [usize; 2],
    ) -> Option<bool> {
        let [first, last] = [lines.len() - 1 - far, lines.len() - 1];
        let periodic = lines[first][0].max(lines[last][0]) + along;
        (from..=periodic + lcm(lines[first][1], lines[last][1])).try_fold(true, |closes, at| {
            let moved = self.on(side, last, 0, at + along)?;
            Some(closes && self.on(side, first, 0, at)? == moved)
        })
    }
}

/// Lines of v go to the right, columns of u to the left.
#[derive(Clone, Copy)]
enum Side {
    Right,
    Left,
}

pub(crate) fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
