//! Searches for the ultimate period of a row b -> G(a w b), and proves it.
//!
//! A row is *ultimately arithmetico-periodic* if from some b on it repeats with an added constant:
//! G(b + q) = G(b) + s for all b > p. The least such q is the period, s is the saltus, and the
//! least p for this q is the preperiod. Every row has such a period. The saltus equals the period,
//! except for single piles of Loop-End-Nim (docs/PROOFS.md, section 4). So every search would end
//! with a proof if it had no bound.
//!
//! ```text
//!             b = 0    1     2     3   ...
//! row 0         .    G(w1) G(w2) G(w3)         the row of w, one pile shorter
//! row 1      G(1w)   ·     ·     ·
//!  ...                                         T[i][b] = the least value that is
//! row a      G(aw)   ·     ·     ·             neither left of it nor above it
//! ```
//!
//! Rows are computed from top to bottom. Let M(b) be the set of values that row i does not have up
//! to column b. The rest of the row depends only on M(b) and on the rows above. Suppose that all
//! rows above have period q beyond column p. (This is proved first; for row 0, by recursion on the
//! number of piles.) *If M(c) = M(b) + (c - b) for some p <= b < c with c - b a multiple of q, then
//! row i has period c - b beyond b.* The reason is that the values above increase by c - b, and so
//! do the missing values. M is infinite, but contains all large numbers. So the code compares only
//! the first number above all used values and the missing numbers below it, relative to the column.
//!
//! The values of the row of single piles may be bounded, if a move takes only a few coins from a
//! single pile. When the values of M(b) exceed all values of a bounded row, the rest of row i does
//! not depend on that row.
//!
//! If the joint period of the rows above is too long for the bound, a period may still be
//! *observed*. Take the longest suffix of the row that contains its own period at least twice. If
//! this suffix is at least a third of the computed row, its period is reported as observed.

use std::collections::HashMap;
use std::rc::Rc;

use grundy_rules::law::Repeats;
use grundy_rules::{Game, Pile, Singles, coins};
use serde::Serialize;

use crate::cost::price;
use crate::{Control, Stopped};

/// A period: the least numbers such that G(b + period) = G(b) + saltus for all b > preperiod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Periodicity {
    /// The least p such that the row repeats after column p.
    pub preperiod: usize,
    pub period: usize,
    /// The number that one period adds to the values.
    pub saltus: i64,
    /// True if the period is proved for all b; false if it was observed up to the bound.
    pub proved: bool,
}

impl Periodicity {
    /// Returns the least b such that G(b + period) = G(b) + saltus holds from b on.
    pub fn from(&self) -> usize {
        self.preperiod + 1
    }
}

/// The row b -> G(left, middle, b), as far as it was computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The values G for b = 1, 2, ... A row with a proved period ends after its first period.
    pub values: Vec<u32>,
    pub found: Option<Periodicity>,
}

impl Row {
    /// Returns G at b >= 1, if it was computed or follows from a proved period.
    pub fn value(&self, b: usize) -> Option<u32> {
        if let Some(&value) = self.values.get(b.checked_sub(1)?) {
            return Some(value);
        }
        let Periodicity { preperiod, period, saltus, .. } = self.found.filter(|f| f.proved)?;
        let turns = (b - preperiod - 1) / period;
        let base = *self.values.get(b - turns * period - 1)?;
        u32::try_from(i64::from(base) + turns as i64 * saltus).ok()
    }

    /// Returns the row b -> G(b - shift). G(0) is `border`, and G(b) with b < 0 is `u32::MAX`.
    fn shifted(&self, shift: usize, border: u32) -> Row {
        let before = std::iter::repeat_n(u32::MAX, shift - 1).chain([border]);
        let found = self.found.map(|f| Periodicity { preperiod: f.preperiod + shift, ..f });
        Row { values: before.chain(self.values.iter().copied()).collect(), found }
    }

    /// Returns the row of single piles, up to `bound` unless it has a proved period.
    fn seed(singles: &Singles, bound: usize) -> Row {
        let found = singles.repeats().map(|of| Periodicity {
            preperiod: of.preperiod,
            period: of.period,
            saltus: of.saltus.into(),
            proved: true,
        });
        let length = found.map_or(bound, |found| found.preperiod + found.period);
        Row { values: singles.up_to(length as Pile).collect(), found }
    }

    /// True if the period of the row is proved, and its values do not rise.
    fn is_bounded(&self) -> bool {
        self.found.is_some_and(|found| found.proved && found.saltus == 0)
    }
}

/// The longest middle that callers should pass. The recursion is as deep as the middle is long.
pub const MOST_MIDDLE: usize = 200;

/// Returns an upper estimate of the cells that a strip computes, including its border rows.
pub fn cells(left: Pile, middle: &[Pile], bound: usize) -> u64 {
    (coins(middle) + u64::from(left)).saturating_mul(bound as u64)
}

/// The approximate bytes for each cell of a row during the search for a period: its value, and the
/// memory of the search.
pub const CELL_BYTES: u64 = 24;

/// Estimates the bytes of a strip. Each value takes four bytes, and the row that is searched for a
/// period takes more.
pub fn bytes(left: Pile, middle: &[Pile], bound: usize) -> u64 {
    let searched = CELL_BYTES.saturating_mul(bound as u64);
    cells(left, middle, bound).saturating_mul(4).saturating_add(searched)
}

/// Estimates the seconds for cells of a strip. Each cell is compared with `rows` rows above.
pub fn seconds(cells: u64, rows: u64) -> f64 {
    cells as f64 * (price::STRIP_CELL + rows as f64 * price::STRIP_ROW)
}

/// A function from a word to its options, each with the coins that the move also takes from pile b.
type Options = Box<dyn Fn(&[Pile]) -> Vec<(Vec<Pile>, usize)>>;

/// The moves of positions w b, where w is a word of piles. A move lowers b to any smaller number or
/// to nothing, or changes the word.
pub struct Words {
    /// Returns the options of a word, small options first.
    pub options: Options,
    /// The game with the row of single piles, if this row does not follow from the moves.
    pub seed: Option<Game>,
    /// The value of the position without piles.
    pub terminal: u32,
    pub is_symmetric: bool,
}

impl Words {
    /// Returns the moves of a game whose values follow from moves at the two ends.
    pub fn of_ends(game: Game) -> Words {
        // A constant row of single piles is ignored, because its value is in every border.
        let repeats = game.single_piles(1).repeats();
        let is_idle = repeats == Some(Repeats { preperiod: 0, period: 1, saltus: 0 });
        let options = move |word: &[Pile]| match word.split_first() {
            Some((&first, rest)) => (Pile::from(is_idle && rest.is_empty())..first)
                .map(|a| if a == 0 { (rest.to_vec(), 0) } else { ([&[a], rest].concat(), 0) })
                .collect(),
            None => Vec::new(),
        };
        let (options, seed) = (Box::new(options), Some(game));
        Words { options, seed, terminal: game.terminal_value(), is_symmetric: true }
    }

    /// Computes the rows b -> G(a, middle, b) for a = 1..=left. Each row ends after `bound`
    /// columns, or when its period is proved. If `left` is 0, computes only the row of the middle.
    pub fn strip(
        &self,
        left: Pile,
        middle: &[Pile],
        bound: usize,
        control: &Control,
    ) -> Result<Vec<Row>, Stopped> {
        let mut search = Search { words: self, control, known: HashMap::new() };
        let words = (left.min(1)..=left).map(|a| [&[a][..left.min(1) as usize], middle].concat());
        let rows: Vec<_> = words.map(|word| search.row(&word, bound)).collect::<Result<_, _>>()?;
        drop(search);
        Ok(rows.into_iter().map(Rc::unwrap_or_clone).collect())
    }
}

struct Search<'a> {
    words: &'a Words,
    control: &'a Control,
    known: HashMap<Vec<Pile>, Rc<Row>>,
}

impl Search<'_> {
    fn row(&mut self, word: &[Pile], bound: usize) -> Result<Rc<Row>, Stopped> {
        if let Some(row) = self.known.get(word)
            && (row.values.len() >= bound || row.found.is_some_and(|found| found.proved))
        {
            return Ok(row.clone());
        }
        let row = match &self.words.seed {
            Some(game) if word.is_empty() => Row::seed(&game.single_piles(bound as Pile), bound),
            _ => {
                let mut above = Vec::new();
                for (option, shift) in (self.words.options)(word) {
                    let row = self.row(&option, bound)?;
                    above.push(match shift {
                        0 => row,
                        _ => Rc::new(row.shifted(shift, self.border(&option)?)),
                    });
                }
                next_row(&above, self.border(word)?, bound, self.control)?
            }
        };
        Ok(self.known.entry(word.to_vec()).insert_entry(Rc::new(row)).get().clone())
    }

    /// Returns the value of the position that consists of the piles of a word.
    fn border(&mut self, word: &[Pile]) -> Result<u32, Stopped> {
        let mut rest = word.to_vec();
        if self.words.is_symmetric {
            rest.reverse();
        }
        let Some(last) = rest.pop() else { return Ok(self.words.terminal) };
        let row = self.row(&rest, (last as usize).next_power_of_two())?;
        Ok(row.value(last as usize).unwrap_or_default())
    }
}

/// Goes along a row, column by column. A proved period continues the row forever.
struct Cursor<'a> {
    values: &'a [u32],
    /// The index to which the cursor returns after the last column, and the number to add then.
    back: usize,
    saltus: u32,
    at: usize,
    lift: u32,
}

impl<'a> Cursor<'a> {
    fn new(row: &'a Row) -> Cursor<'a> {
        // A row above ends after its first proved period, or is as long as the bound.
        let (back, saltus) = match row.found {
            Some(found) if found.proved => (found.preperiod, found.saltus as u32),
            _ => (0, 0),
        };
        Cursor { values: &row.values, back, saltus, at: 0, lift: 0 }
    }

    #[inline(always)]
    fn step(&mut self) -> u32 {
        let value = self.values[self.at] + self.lift;
        self.at += 1;
        if self.at == self.values.len() {
            self.at = self.back;
            self.lift += self.saltus;
        }
        value
    }
}

/// The values that a row has used. All other values are missing.
struct Used {
    /// Bit v % 64 of word v / 64 is set if v is used.
    bits: Vec<u64>,
    /// The first word that may have an unused bit.
    first: usize,
    /// One more than the highest value used.
    end: usize,
}

impl Used {
    fn new() -> Used {
        Used { bits: vec![0; 1], first: 0, end: 0 }
    }

    fn insert(&mut self, value: u32) {
        let value = value as usize;
        if value / 64 >= self.bits.len() {
            self.bits.resize(2 * (value / 64) + 1, 0);
        }
        self.bits[value / 64] |= 1 << (value % 64);
        self.end = self.end.max(value + 1);
        while self.bits.get(self.first) == Some(&u64::MAX) {
            self.first += 1;
        }
    }

    #[inline(always)]
    fn least_missing(&self, above: &[u32]) -> u32 {
        for word in self.first.. {
            let mut open = !self.bits.get(word).copied().unwrap_or(0);
            for &value in above {
                let here = value as usize / 64 == word;
                open &= !(u64::from(here) << (value % 64));
            }
            if open != 0 {
                return 64 * word as u32 + open.trailing_zeros();
            }
        }
        unreachable!("some value is free")
    }

    /// Returns the state that determines the columns after column b, relative to b.
    fn state(&self, b: usize) -> Box<[i64]> {
        let relative = |value: usize| value as i64 - b as i64;
        let missing = (64 * self.first..self.end)
            .filter(|&value| self.bits[value / 64] >> (value % 64) & 1 == 0);
        std::iter::once(self.end).chain(missing).map(relative).collect()
    }
}

const PATIENCE: usize = 1 << 16;

/// Computes the row below `above`, with `border` at b = 0.
fn next_row(
    above: &[Rc<Row>],
    border: u32,
    bound: usize,
    control: &Control,
) -> Result<Row, Stopped> {
    control.check()?;
    let joint = joint_period(above, bound);
    let bounded = above.iter().filter(|row| row.is_bounded()).flat_map(|row| &row.values);
    let settled = bounded.copied().max();
    let mut cursors: Vec<Cursor<'_>> = above.iter().map(|row| Cursor::new(row)).collect();
    let mut column = vec![0; cursors.len()];
    let mut used = Used::new();
    used.insert(border);
    let mut values: Vec<u32> = Vec::new();
    let mut states: HashMap<Box<[i64]>, usize> = HashMap::new();
    let mut next_look = joint.map_or(usize::MAX, |(preperiod, period)| preperiod.max(period));
    for b in 1..=bound {
        if b % PATIENCE == 0 {
            control.check()?;
        }
        for (value, cursor) in column.iter_mut().zip(&mut cursors) {
            *value = cursor.step();
        }
        let value = used.least_missing(&column);
        used.insert(value);
        values.push(value);
        if b == next_look
            && let Some((_, period)) = joint
        {
            next_look += period;
            if settled.is_some_and(|most| used.least_missing(&[]) <= most) {
                continue;
            }
            if let Some(&earlier) = states.get(&used.state(b)) {
                return Ok(proved(values, earlier));
            }
            states.insert(used.state(b), b);
        }
    }
    let found = repetition(relative(&values)).map(|(preperiod, period)| {
        // The saltus of these rows is their period.
        Periodicity { preperiod, period, saltus: period as i64, proved: false }
    });
    // A row without a proved period has many values, and a strip has many rows. Free unused memory.
    values.shrink_to_fit();
    Ok(Row { values, found })
}

/// Returns the joint preperiod and period of rows with proved periods, except rows with bounded
/// values. Returns `None` if a period is not proved, or if the joint period does not fit twice into
/// the bound.
fn joint_period(rows: &[Rc<Row>], bound: usize) -> Option<(usize, usize)> {
    rows.iter().filter(|row| !row.is_bounded()).try_fold((0, 1), |(preperiod, period), row| {
        let found = row.found.filter(|found| found.proved)?;
        let joint = lcm(period, found.period).filter(|&joint| joint <= bound / 2)?;
        Some((preperiod.max(found.preperiod), joint))
    })
}

fn lcm(a: usize, b: usize) -> Option<usize> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).checked_mul(b)
}

/// Returns the row with its period. The states after the last column and after column `from` are
/// equal, so the least period divides their distance. Going back from `from` gives the preperiod.
fn proved(mut values: Vec<u32>, from: usize) -> Row {
    let steps = relative(&values);
    let cycle = &steps[from..];
    let shortest = least_period(cycle);
    // A shorter period of the cycle must also divide the length of the cycle.
    let period = if cycle.len().is_multiple_of(shortest) { shortest } else { cycle.len() };
    let preperiod =
        (0..from).rev().find(|&at| steps[at] != steps[at + period]).map_or(0, |at| at + 1);
    values.truncate(preperiod + period);
    let saltus = period as i64;
    Row { values, found: Some(Periodicity { preperiod, period, saltus, proved: true }) }
}

/// Returns the period that the end of a row suggests, with any saltus: 0, the period, or another
/// number. No row falls for ever, so the saltus is not negative.
pub fn observed(values: &[u32]) -> Option<Periodicity> {
    let plain = || values.iter().map(|&value| value.into()).collect();
    let steps = || values.windows(2).map(|pair| i64::from(pair[1]) - i64::from(pair[0])).collect();
    let found = repetition(plain()).or_else(|| repetition(relative(values)));
    let (preperiod, period) = found.or_else(|| repetition(steps()))?;
    let saltus = i64::from(*values.get(preperiod + period)?) - i64::from(values[preperiod]);
    (saltus >= 0).then_some(Periodicity { preperiod, period, saltus, proved: false })
}

/// Returns the period of the longest suffix that contains its own period at least twice, if that
/// suffix is at least a third of the word; before it, returns where the suffix begins.
fn repetition(mut word: Vec<i64>) -> Option<(usize, usize)> {
    word.reverse();
    let borders = borders(&word);
    let (length, border) = (1..=word.len())
        .rev()
        .map(|length| (length, borders[length - 1]))
        .find(|&(length, border)| 2 * (length - border) <= length)?;
    (3 * length >= word.len()).then_some((word.len() - length, length - border))
}

/// Returns G(b) - b. The result is periodic if G is arithmetico-periodic and saltus = period.
fn relative(values: &[u32]) -> Vec<i64> {
    values.iter().enumerate().map(|(at, &value)| i64::from(value) - at as i64).collect()
}

/// Returns the prefix function: for each prefix of the word, the length of its longest proper
/// prefix that is also its suffix (Knuth, Morris and Pratt).
fn borders(word: &[i64]) -> Vec<usize> {
    let mut borders = vec![0; word.len()];
    let mut length = 0;
    for at in 1..word.len() {
        while length > 0 && word[at] != word[length] {
            length = borders[length - 1];
        }
        length += usize::from(word[at] == word[length]);
        borders[at] = length;
    }
    borders
}

/// Returns the least q such that word[i] = word[i + q] for every i for which both exist.
fn least_period(word: &[i64]) -> usize {
    word.len() - borders(word).last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strip(game: Game, left: Pile, middle: &[Pile], bound: usize, c: &Control) -> Done {
        Words::of_ends(game).strip(left, middle, bound, c)
    }

    type Done = Result<Vec<Row>, Stopped>;

    use grundy_rules::games;
    use grundy_rules::{Position, misere_form, reference::Reference};

    fn found(game: Game, left: Pile, middle: &[Pile], bound: usize) -> (usize, usize, bool) {
        let rows = strip(game, left, middle, bound, &Control::new()).unwrap();
        let found = rows[left as usize - 1].found.unwrap();
        assert_eq!(found.saltus, found.period as i64);
        (found.preperiod, found.period, found.proved)
    }

    /// Most rows have a proved period, from which later values follow.
    #[test]
    fn values_are_those_of_the_reference() {
        let misere = [games::END_NIM, games::LOOP_END_NIM].map(|game| misere_form(game).unwrap());
        for game in games::END_NIM_GAMES.into_iter().chain(misere) {
            let mut reference = Reference::new(game);
            for middle in [&[][..], &[1], &[4], &[2, 3], &[3, 1, 2]] {
                let rows = strip(game, 6, middle, 100, &Control::new()).unwrap();
                for (a, b, row) in
                    (1..).zip(&rows).flat_map(|(a, row)| (1..=100).map(move |b| (a, b, row)))
                {
                    let piles = [&[a], middle, &[b]].concat();
                    let expected = reference.value(&Position::new(piles).unwrap());
                    assert_eq!(row.value(b as usize), Some(expected), "{game} {a} {middle:?} {b}");
                }
            }
        }
    }

    #[test]
    fn known_periods() {
        // Nim: the period of b -> a xor b is the least power of two above a.
        for (a, period) in [(1, 2), (2, 4), (3, 4), (4, 8), (7, 8), (8, 16)] {
            assert_eq!(found(games::END_NIM, a, &[], 4096), (0, period, true));
        }
        // From b = 8 on, the row 5,4,b has a period that is not a power of two.
        assert_eq!(found(games::END_NIM, 5, &[4], 4096), (7, 12, true));
    }

    #[test]
    fn a_stopped_search_says_so() {
        let control = Control::new();
        control.stop();
        assert_eq!(strip(games::MISERE_END_NIM, 10, &[], 1 << 20, &control), Err(Stopped));
    }

    fn periodic(preperiod: usize, period: usize, saltus: i64, proved: bool) -> Periodicity {
        Periodicity { preperiod, period, saltus, proved }
    }

    /// The row begins with 5, 1, 3, 2, 6. Each later value is 10 more than the value two before it.
    #[test]
    fn rows_go_on_by_their_periods() {
        let found = Some(periodic(3, 2, 10, true));
        let row = Row { values: vec![5, 1, 3, 2, 6], found };
        let all: Vec<_> = (0..10).map(|b| row.value(b)).collect();
        let expected = [5, 1, 3, 2, 6, 12, 16, 22, 26].map(Some);
        assert_eq!((all[0], &all[1..]), (None, &expected[..]));
        assert_eq!(row.value(4 + 2 * 1000), Some(10_002));
        // If a value exceeds the type, the result is `None`.
        assert_eq!(row.value(4 + 2 * 500_000_000), None);
        for found in [None, Some(periodic(3, 2, 10, false))] {
            let row = Row { values: vec![5, 1, 3, 2, 6], found };
            assert_eq!((row.value(5), row.value(6)), (Some(6), None));
        }
        assert_eq!(periodic(3, 2, 10, true).from(), 4);
        assert_eq!(cells(2, &[3, 4], 10), 90);
        assert_eq!(cells(2, &[], 10), 20);
        assert_eq!(cells(2, &[1], usize::MAX), u64::MAX);
        // A cursor visits the values that `Row::value` returns.
        let mut cursor = Cursor::new(&row);
        let walked: Vec<_> = (1..10).map(|_| Some(cursor.step())).collect();
        assert_eq!(walked, expected);
    }

    /// Returns the values with the given differences G(b) - b, for b from 0 on.
    fn of_steps(steps: &[u32]) -> Vec<u32> {
        (0..).zip(steps).map(|(b, step)| b + step).collect()
    }

    #[test]
    fn a_repetition_at_the_end_is_an_observed_period() {
        let found = |word: &[i64]| repetition(word.to_vec());
        assert_eq!(found(&[5, 1, 2, 1, 2, 1, 2]), Some((1, 2)));
        assert_eq!(found(&[5, 2, 1, 2, 1, 2]), Some((1, 2)));
        // Two periods must fill at least a third of the row. Less than two periods do not count.
        assert_eq!(found(&[9, 8, 7, 6, 1, 1]), Some((4, 1)));
        assert_eq!(found(&[10, 9, 8, 7, 6, 1, 1]), None);
        assert_eq!(found(&[7, 8, 9, 7, 8]), None);
        assert_eq!(found(&[7, 8, 9, 7, 8, 9]), Some((0, 3)));
        assert_eq!(found(&[4, 7, 8, 9, 7, 8, 9]), Some((1, 3)));
        assert_eq!(found(&[]), None);
        let halves: Vec<u32> = (0..20).map(|b| b / 2).collect();
        for (values, expected) in [
            (&halves[..], Some((0, 2, 1))),
            (&[7, 0, 1, 0, 1, 0, 1], Some((1, 2, 0))),
            (&of_steps(&[5, 1, 2, 1, 2, 1, 2]), Some((1, 2, 2))),
            (&[9, 8, 7, 6, 5, 4], None),
        ] {
            let found = observed(values).map(|found| (found.preperiod, found.period, found.saltus));
            assert_eq!(found, expected, "{values:?}");
        }
    }

    /// The differences are 6, 7, then 1, 2, 3 repeated. Columns 5 and 11 have the same state.
    #[test]
    fn the_least_of_a_proved_period_is_found() {
        let steps = [6, 7, 1, 2, 3, 1, 2, 3, 1, 2, 3];
        let row = proved(of_steps(&steps), 5);
        assert_eq!(row.found, Some(periodic(2, 3, 3, true)));
        assert_eq!(row.values, of_steps(&steps[..5]));
        // The first row is periodic from its first column on. In the second row, the least period
        // of the cycle does not divide the length of the cycle.
        let row = proved(of_steps(&[1, 2, 1, 2]), 2);
        assert_eq!(row.found, Some(periodic(0, 2, 2, true)));
        let row = proved(of_steps(&[9, 1, 2, 1]), 1);
        assert_eq!(row.found, Some(periodic(1, 3, 3, true)));
        assert_eq!((least_period(&[1, 2, 1, 2, 1]), least_period(&[1, 2, 3])), (2, 3));
        assert_eq!(borders(&[1, 2, 1, 2, 1, 1, 2, 3].map(i64::from)), [0, 0, 1, 2, 3, 1, 2, 0]);
    }
}
