//! Checks a family: its lines and columns are periodic, the step leads to the same tiles, and the
//! other fields follow from these.
//!
//! A tile consists of the cells of all rows p (a b) q with 0 <= p, q <= N. Here (a b) stands for
//! the piles at the places a to b - 1 of the row u ... u w v ... v.

use std::collections::{BTreeMap, HashMap, HashSet};

use grundy_rules::{Pile, Position};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Cell, CheckError, Checked, Rules, read};

const MEMBERS: &str = "columns convention format game left lines middle nonregular of piles right \
                       rules start step tiles values version";

#[derive(Deserialize)]
struct Text {
    game: String,
    left: Vec<Pile>,
    middle: Vec<Pile>,
    right: Vec<Pile>,
    step: [usize; 2],
    start: usize,
    lines: [usize; 2],
    columns: [usize; 2],
    tiles: usize,
    nonregular: Value,
    values: Value,
}

impl Text {
    /// Returns the number of rows of values in the certificate, and their length.
    fn sides(&self) -> (usize, usize) {
        let Text { step: [e, f], start, lines, columns, .. } = *self;
        ((start + e).max(columns[0] + columns[1]), (start + f).max(lines[0] + lines[1]))
    }
}

/// The upper limit for the step, the start, the periods and the total length of the words.
const MOST: usize = 1 << 14;

pub(super) fn check(certificate: &Value, memory: u64) -> Result<Checked, CheckError> {
    let text: Text = read(certificate, MEMBERS)?;
    let rules = Rules::named(certificate)?;
    let piles = [&text.left[..], &text.middle, &text.right].concat();
    let are_words = !text.left.is_empty() && !text.right.is_empty() && !piles.contains(&0);
    if !are_words || piles.iter().max() != Some(&rules.piles) {
        return Err(CheckError::Field { field: "piles" });
    }
    let [[e, f], lines, columns] = [text.step, text.lines, text.columns];
    let numbers = [e, f, text.start, piles.len(), lines[0], lines[1], columns[0], columns[1]];
    if numbers.iter().any(|&number| number > MOST) || [e, f, lines[1], columns[1]].contains(&0) {
        return Err(CheckError::Field { field: "step" });
    }
    // If the start is wrong, computing the tiles can take minutes. So first check the number of
    // values.
    let (deep, wide) = text.sides();
    let rows = text.values.as_array().filter(|rows| rows.len() == deep);
    if !rows.is_some_and(|rows| rows.iter().all(|row| row.as_array().map(Vec::len) == Some(wide))) {
        return Err(CheckError::Field { field: "values" });
    }
    let plane = Plane::new(&text, &rules, memory)?;
    plane.is_periodic()?;
    if !plane.repeats_from(text.start) || text.start > 0 && plane.repeats_from(text.start - 1) {
        return Err(CheckError::Step);
    }
    plane.check_derived_fields()?;
    let word = |piles: &[Pile]| match piles {
        [] => String::new(),
        piles => Position::row(piles).to_string(),
    };
    let [u, w, v] = [&text.left, &text.middle, &text.right].map(|piles| word(piles));
    let ((what, game), start) = (rules.words(), text.start);
    let mut statement = format!(
        "the {what} of the rows ({u})* {w} ({v})* of {game} repeat along the step ({e}, {f}) from \
         {start} on, for all lengths"
    );
    if let Some(cells) = text.nonregular.as_array().filter(|cells| !cells.is_empty()) {
        let shown: Vec<String> = cells.iter().map(|cell| cell[0].to_string()).collect();
        let shown = shown.join(", ").replace('"', "");
        let (kind, piles) = (if rules.values { "value" } else { "class" }, rules.piles);
        statement += &format!(
            "; the rows of one {kind} with piles of at most {piles} are not a regular set if the {kind} is one of {shown}"
        );
    }
    Ok(Checked { game: text.game, statement })
}

/// The tiles of all parts of u ... u w v ... v, with as many copies as the check needs.
struct Plane<'a> {
    text: &'a Text,
    rules: &'a Rules,
    row: Vec<Pile>,
    /// The places of the first pile of w and of the first pile after w.
    begin: usize,
    end: usize,
    /// The numbers of the tiles, indexed by the place of the first pile and by the number of piles.
    numbers: Vec<Vec<usize>>,
    tiles: Vec<Vec<Cell>>,
}

impl<'a> Plane<'a> {
    fn new(text: &'a Text, rules: &'a Rules, memory: u64) -> Result<Plane<'a>, CheckError> {
        let copies = |[from, period]: [usize; 2], step| from.max(text.start) + period + step + 1;
        let (deep, wide) = (copies(text.columns, text.step[0]), copies(text.lines, text.step[1]));
        let begin = deep * text.left.len();
        let end = begin + text.middle.len();
        let places = end + wide * text.right.len();
        // The memory of one tile, in bytes. Equal tiles are stored only once, and few tiles differ.
        let room = (rules.piles as u64 + 1).pow(2) * 32;
        if (places as u64).pow(2) * 8 + 64 * room > memory {
            return Err(CheckError::Memory);
        }
        let row = [text.left.repeat(deep), text.middle.clone(), text.right.repeat(wide)].concat();
        let (numbers, tiles) = (vec![Vec::new(); places + 1], Vec::new());
        let mut plane = Plane { text, rules, row, begin, end, numbers, tiles };
        let (mut known, mut made) = (HashMap::new(), HashMap::new());
        for (length, a) in (0..=places).flat_map(|n| (0..=places - n).map(move |a| (n, a))) {
            // The tile of a middle follows from the first and last pile of the middle, and from the
            // two tiles of the middle without its first pile and without its last pile.
            let from = length.checked_sub(1).map(|less| {
                let tiles = [plane.numbers[a + 1][less], plane.numbers[a][less]];
                (tiles, plane.row[a], plane.row[a + less])
            });
            let number = match made.get(&from) {
                Some(&number) => number,
                None => {
                    let cells = plane.tile(a, length)?;
                    let number = *known.entry(cells.clone()).or_insert(plane.tiles.len());
                    if number == plane.tiles.len() {
                        plane.tiles.push(cells);
                    }
                    if number as u64 * room > memory {
                        return Err(CheckError::Memory);
                    }
                    made.insert(from, number);
                    number
                }
            };
            plane.numbers[a].push(number);
        }
        Ok(plane)
    }

    fn tile(&self, a: usize, length: usize) -> Result<Vec<Cell>, CheckError> {
        let side = self.rules.piles as usize + 1;
        let mut cells = vec![None; side * side];
        let mut ends: Vec<usize> = (0..side * side).collect();
        ends.sort_by_key(|at| at / side + at % side);
        for at in ends {
            let (p, q) = (at / side, at % side);
            cells[at] = match (length, p, q) {
                // If p is 0, the first pile of the middle becomes the left end.
                (1.., 0, q) => {
                    self.tiles[self.numbers[a + 1][length - 1]][self.row[a] as usize * side + q]
                }
                (1.., p, 0) => {
                    let last = self.row[a + length - 1] as usize;
                    self.tiles[self.numbers[a][length - 1]][p * side + last]
                }
                // A pile larger than all ends represents the middle.
                _ => {
                    let row = [p, if length > 0 { side } else { 0 }, q].map(|pile| pile as Pile);
                    let row: Vec<Pile> = row.into_iter().filter(|&pile| pile > 0).collect();
                    self.rules.decide(&row, |option| {
                        // A single pile could be either end; here it counts as the left end.
                        let middle = option.iter().position(|&pile| pile as usize == side);
                        let parts = option.split_at(middle.unwrap_or(option.len().min(1)));
                        let [p, q] = [parts.0, parts.1].map(|piles| {
                            let mut piles = piles.iter().map(|&pile| pile as usize);
                            piles.find(|&pile| pile != side).unwrap_or(0)
                        });
                        cells.get(p * side + q).copied().flatten()
                    })?
                }
            };
        }
        Ok(cells)
    }

    /// Checks that the first lines and columns have the stated periods, beginning exactly at the
    /// stated places. The lines include the rotations of v^j; the columns include those of u^i.
    fn is_periodic(&self) -> Result<(), CheckError> {
        let Text { left, right, start, step: [e, f], .. } = self.text;
        let (u, v) = (left.len(), right.len());
        let tile = |a: usize, b: usize| self.numbers[a][b - a];
        let lines = |j: usize| -> Vec<usize> {
            let to = self.end + j * v;
            let across = (self.begin - (start + e) * u..self.end).map(|a| tile(a, to));
            across.chain((0..v).map(|shift| tile(self.end + shift, to + shift))).collect()
        };
        let columns = |i: usize| -> Vec<usize> {
            let a = self.begin - i * u;
            let across = (self.begin + 1..=self.end + (start + f) * v).map(|b| tile(a, b));
            across.chain((0..u).map(|shift| tile(a - shift, self.begin - shift))).collect()
        };
        let goes_on = |[from, period]: [usize; 2], tiles: &dyn Fn(usize) -> Vec<usize>| {
            let before: HashSet<Vec<usize>> = (0..from + period).map(tiles).collect();
            before.len() == from + period && tiles(from) == tiles(from + period)
        };
        match (goes_on(self.text.lines, &lines), goes_on(self.text.columns, &columns)) {
            (true, true) => Ok(()),
            (false, _) => Err(CheckError::Periods { field: "lines" }),
            (_, false) => Err(CheckError::Periods { field: "columns" }),
        }
    }

    /// True if the step leads to the same tiles everywhere from line `start` and column `start` on.
    fn repeats_from(&self, start: usize) -> bool {
        let Text { left, right, step: [e, f], lines, columns, .. } = self.text;
        let (u, v) = (left.len(), right.len());
        let same = |a, b| self.around(a, b) == self.around(a + e * u, b + f * v);
        let end = |[from, period]: [usize; 2]| from.max(start) + period;
        (start * v..=end(*lines) * v).all(|b| same(start * u, b))
            && (start * u..=end(*columns) * u).all(|a| same(a, start * v))
    }

    /// Returns the tile of the middle with `before` piles before w and `behind` piles after w.
    fn around(&self, before: usize, behind: usize) -> usize {
        self.numbers[self.begin - before][before + self.text.middle.len() + behind]
    }

    fn of(&self, i: usize, j: usize) -> usize {
        self.around(i * self.text.left.len(), j * self.text.right.len())
    }

    /// Returns the cell of u^i w v^j. Reduces (i, j) by the step, and then i or j by a period.
    fn cell(&self, mut i: usize, mut j: usize) -> Cell {
        let Text { step: [e, f], start, lines, columns, .. } = *self.text;
        while i >= start + e && j >= start + f {
            (i, j) = (i - e, j - f);
        }
        let (at, [from, period]) = if i < start + e { (&mut j, lines) } else { (&mut i, columns) };
        if *at >= from {
            *at = from + (*at - from) % period;
        }
        self.tiles[self.of(i, j)][0]
    }

    /// Checks the fields that follow from the tiles: `tiles`, `values` and `nonregular`.
    fn check_derived_fields(&self) -> Result<(), CheckError> {
        let Text { step: [e, f], start, lines, columns, .. } = *self.text;
        let (deep, wide) = self.text.sides();
        let text = |i, j| self.rules.text(self.cell(i, j));
        let values: Vec<Vec<Value>> =
            (0..deep).map(|i| (0..wide).map(|j| text(i, j)).collect()).collect();
        let side = self.rules.piles as usize + 1;
        let mut tiles = HashSet::new();
        for (i, j) in (0..deep).flat_map(|i| (0..wide).map(move |j| (i, j))) {
            let cells = self.tiles[self.of(i, j)].iter().enumerate();
            let two_ends = cells.filter(|(at, _)| at / side > 0 && at % side > 0);
            tiles.insert(two_ends.map(|(_, &cell)| cell).collect::<Vec<Cell>>());
        }
        // Compare each cell with a later cell of its line. The distance of the two cells is a
        // multiple of the step and the period, so cells at larger multiples equal the later cell.
        // The loops end when all further pairs would repeat pairs that were already compared.
        let mut found = BTreeMap::new();
        for i in start..deep + columns[1] * lines[1] * e {
            for j in start..if i < start + e { wide } else { start + f } {
                let pair = [self.cell(i, j), self.cell(i, j + (lines[0] + i + 1) * lines[1] * f)];
                for cell in pair.into_iter().filter(|_| pair[0] != pair[1]) {
                    let text = self.rules.text(cell);
                    let order = (cell.filter(|_| self.rules.values), text.to_string());
                    found.entry(order).or_insert(json!([text, i, j]));
                }
            }
        }
        let found: Vec<Value> = found.into_values().collect();
        for (field, is_so) in [
            ("values", json!(values) == self.text.values),
            ("tiles", tiles.len() == self.text.tiles),
            ("nonregular", json!(found) == self.text.nonregular),
        ] {
            if !is_so {
                return Err(CheckError::Field { field });
            }
        }
        Ok(())
    }
}
