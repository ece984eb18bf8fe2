//! Checks a family: that its lines and columns are periodic, that the step leads to the same tiles,
//! and that all it says follows.
//!
//! The piles of ... u u w v v ... are numbered from w on. A tile is all cells of the rows p (a b) q, with
//! (a b) the piles from a to before b, and 0 <= p, q <= N.

use std::collections::{BTreeSet, HashMap};

use grundy_rules::Pile;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Cell, CheckError, Checked, Rules, read};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    #[serde(rename = "format")]
    _format: String,
    #[serde(rename = "version")]
    _version: u32,
    game: String,
    convention: Option<String>,
    rules: Option<String>,
    piles: Pile,
    of: String,
    left: Vec<Pile>,
    middle: Vec<Pile>,
    right: Vec<Pile>,
    step: [usize; 2],
    start: usize,
    lines: Vec<[usize; 2]>,
    columns: Vec<[usize; 2]>,
    tiles: usize,
    nonregular: Value,
    values: Value,
}

/// Numbers beyond these are in no certificate.
const MOST: usize = 1 << 14;

pub(super) fn check(certificate: &Value, memory: u64) -> Result<Checked, CheckError> {
    let text: Text = read(certificate, 17)?;
    let (convention, rules) = (text.convention.as_deref(), text.rules.as_deref());
    let rules = Rules::named(&text.game, convention, rules, (text.piles, &text.of))?;
    let field = |field| CheckError::Field { field };
    let (u, w, v) = (&text.left, &text.middle, &text.right);
    let most = u.iter().chain(w).chain(v).max().copied();
    let no_zero = !u.iter().chain(w).chain(v).any(|&pile| pile == 0);
    if u.is_empty() || v.is_empty() || most != Some(text.piles) || !no_zero {
        return Err(field("piles"));
    }
    let ([e, f], start) = (text.step, text.start);
    let numbers = [e, f, start, w.len()].into_iter().chain([u.len(), v.len()]);
    if numbers.clone().any(|number| number > MOST) || e == 0 || f == 0 {
        return Err(field("step"));
    }
    let mut plane = Plane::new(&rules, [u, w, v]);
    let sides = [
        Side {
            name: "lines",
            lines: &text.lines,
            word: v.len(),
            far: e * u.len(),
            along: f * v.len(),
        },
        Side {
            name: "columns",
            lines: &text.columns,
            word: u.len(),
            far: f * v.len(),
            along: e * u.len(),
        },
    ];
    let mut reach = [0; 2];
    for (side, reach) in sides.iter().zip(&mut reach) {
        let across = u.len() + v.len() - side.word;
        let fits = |&[from, period]: &[usize; 2]| {
            from <= MOST && (1..=MOST).contains(&period) && period % side.word == 0
        };
        let count = w.len() + start * across + side.far + 1;
        if side.lines.len() != count || !side.lines.iter().all(fits) {
            return Err(field(side.name));
        }
        let all =
            (0..count).map(|depth| side.lines[depth][0] + side.whole(depth) + side.lines[depth][1]);
        let words = copies(side.lines, side.word, start, side.along / side.word);
        *reach = all.max().unwrap_or(0).max(side.closed()).max(words * side.word)
            + side.along
            + side.word;
    }
    plane.make(reach[1], reach[0], memory)?;
    for (side, is_line) in sides.iter().zip([true, false]) {
        for (depth, &[from, period]) in side.lines.iter().enumerate() {
            let before = if depth == 0 { 0 } else { side.lines[depth - 1][0] };
            // With one word alone all its shifts go on together.
            let shifts = if depth == 0 { side.word } else { 1 };
            let same = |at: usize, period: usize| {
                let on = |shift, at| plane.on(is_line, depth, shift, at);
                (0..shifts).all(|shift| on(shift, at) == on(shift, at + period))
            };
            let whole = side.whole(depth);
            let sooner = from > before && same(from - 1, period);
            let less = (side.word..period).step_by(side.word).any(|less| {
                (from..from + period).all(|at| at + less > from + whole || same(at, less))
            });
            if from < before || sooner || less || !(from..=from + whole).all(|at| same(at, period))
            {
                return Err(CheckError::Line { field: side.name, line: depth });
            }
        }
        let (end, Side { far, along, .. }) = (side.lines.len() - 1, *side);
        let on = |depth, at| plane.on(is_line, depth, 0, at);
        let mut all = start * side.word..=side.closed();
        if !all.all(|at| on(end - far, at) == on(end, at + along)) {
            return Err(CheckError::Step);
        }
    }
    let [wide, deep] = [&sides[0], &sides[1]]
        .map(|side| copies(side.lines, side.word, start, side.along / side.word));

    // Now all follows from the tiles of a few words.
    let mut tiles = Vec::new();
    let mut found: Vec<(Cell, usize, usize)> = Vec::new();
    for i in 0..=deep {
        for j in 0..=wide {
            if i >= start + e && j >= start + f {
                continue;
            }
            tiles.push(plane.of(i, j));
            if i < start || j < start {
                continue;
            }
            // Far out in the line, at steps that are whole periods of it.
            let line = start + (i - start) % e;
            let [from, period] = text.lines[w.len() + line * u.len()];
            let (from, period) = (from.div_ceil(v.len()), period / v.len());
            let moved = (i - line) / e * f;
            let far = (from..from + period).find(|far| (far + moved) % period == j % period);
            let far = plane.value(line, far.ok_or(field("lines"))?);
            let here = plane.value(i, j);
            for value in [here, far] {
                if here != far && found.iter().all(|&(known, ..)| known != value) {
                    found.push((value, i, j));
                }
            }
        }
    }
    let side = text.piles as usize + 1;
    let two_ends = |tile: &u32| -> Vec<Cell> {
        let cells = plane.tiles[*tile as usize].iter().enumerate();
        cells.filter(|(at, _)| at / side > 0 && at % side > 0).map(|(_, &cell)| cell).collect()
    };
    let tiles: BTreeSet<Vec<Cell>> = tiles.iter().map(two_ends).collect();
    if tiles.len() != text.tiles {
        return Err(field("tiles"));
    }
    found.sort_by_key(|&(cell, ..)| match cell {
        Cell::Value(value) => (value, String::new()),
        class => (0, class.text().to_string()),
    });
    let nonregular: Vec<Value> =
        found.iter().map(|&(value, i, j)| json!([value.text(), i, j])).collect();
    if Value::Array(nonregular.clone()) != text.nonregular {
        return Err(field("nonregular"));
    }
    let line = |i| (0..=wide).map(|j| plane.value(i, j).text()).collect::<Vec<_>>();
    if json!((0..=deep).map(line).collect::<Vec<_>>()) != text.values {
        return Err(field("values"));
    }

    let list = |piles: &[Pile]| piles.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let ((what, game), (u, w, v)) = (rules.words(), (list(u), list(w), list(v)));
    let mut statement = format!(
        "the {what} of the rows ({u})* {w} ({v})* of {game} repeat along the step ({e}, {f}) from \
         {start} on, for all lengths"
    );
    let shown: Vec<String> = nonregular.iter().map(|x| x[0].to_string().replace('"', "")).collect();
    if !shown.is_empty() {
        let (word, shown) = (if rules.values { "value" } else { "class" }, shown.join(", "));
        statement += &format!(
            "; the rows of {word} {shown} with piles of at most {}, each by itself, are no regular set",
            text.piles
        );
    }
    Ok(Checked { game: text.game, statement })
}

/// The lines or the columns, and the step in piles: so many lines far, so many piles along them.
#[derive(Clone, Copy)]
struct Side<'a> {
    name: &'static str,
    lines: &'a [[usize; 2]],
    word: usize,
    far: usize,
    along: usize,
}

impl Side<'_> {
    /// The piles after which a line that goes on for so many goes on for ever.
    fn whole(&self, depth: usize) -> usize {
        let above = if depth == 0 { self.word } else { self.lines[depth - 1][1] };
        common(common(above, self.word), self.lines[depth][1])
    }

    /// The piles after which the two lines of the step are both periodic, and agree for ever.
    fn closed(&self) -> usize {
        let [first, last] =
            [self.far + 1, 1].map(|from_end| self.lines[self.lines.len() - from_end]);
        first[0].max(last[0]) + common(first[1], last[1])
    }
}

/// The copies of a word up to which lines say all.
fn copies(lines: &[[usize; 2]], word: usize, start: usize, step: usize) -> usize {
    let mut most = start + step;
    for &[from, period] in lines {
        let words = (period / word).max(1);
        most = most.max(from.div_ceil(word).saturating_add(common(words, step).saturating_mul(2)));
    }
    most
}

/// The least common multiple.
fn common(a: usize, b: usize) -> usize {
    let mut all = a.max(1);
    while !all.is_multiple_of(b.max(1)) {
        all += a.max(1);
    }
    all
}

struct Plane<'a> {
    rules: &'a Rules,
    words: [&'a [Pile]; 3],
    left: usize,
    /// The number of the tile from place a - left, so many piles long.
    numbers: Vec<Vec<u32>>,
    tiles: Vec<Vec<Cell>>,
}

impl<'a> Plane<'a> {
    fn new(rules: &'a Rules, words: [&'a Vec<Pile>; 3]) -> Plane<'a> {
        let words = words.map(Vec::as_slice);
        Plane { rules, words, left: 0, numbers: Vec::new(), tiles: Vec::new() }
    }

    /// The pile at a place, counted from the first that is looked at.
    fn pile(&self, place: usize) -> Pile {
        let [u, w, v] = self.words;
        if place < self.left {
            // Counted back from w, u ends there.
            return u[(u.len() - (self.left - place) % u.len()) % u.len()];
        }
        let place = place - self.left;
        w.get(place).copied().unwrap_or_else(|| v[(place - w.len()) % v.len()])
    }

    fn make(&mut self, left: usize, right: usize, memory: u64) -> Result<(), CheckError> {
        let side = self.rules.piles as usize + 1;
        let places = left + self.words[1].len() + right;
        // Most tiles are equal; a tile takes this much.
        let room = (side * side * 16 * 64) as u64;
        if (places as u64).saturating_mul(places as u64).saturating_mul(4).saturating_add(room)
            > memory
        {
            return Err(CheckError::Memory);
        }
        self.left = left;
        let mut known: HashMap<Vec<Cell>, u32> = HashMap::new();
        let mut from_neighbours: HashMap<(u32, u32, Pile, Pile), u32> = HashMap::new();
        self.numbers = vec![Vec::new(); places + 1];
        for length in 0..=places {
            for a in 0..=places - length {
                let ends = match length {
                    0 => (0, 0, 0, 0),
                    _ => {
                        let (x, y) = (self.pile(a), self.pile(a + length - 1));
                        (self.numbers[a + 1][length - 1], self.numbers[a][length - 1], x, y)
                    }
                };
                let number = match from_neighbours.get(&ends) {
                    Some(&number) if length > 0 || a > 0 => number,
                    _ => {
                        let cells = self.tile(a, length)?;
                        let next = known.len() as u32;
                        let number = *known.entry(cells.clone()).or_insert(next);
                        if number == next {
                            self.tiles.push(cells);
                        }
                        if u64::from(next) * (side * side * 32) as u64 > memory {
                            return Err(CheckError::Memory);
                        }
                        from_neighbours.insert(ends, number);
                        number
                    }
                };
                self.numbers[a].push(number);
            }
        }
        Ok(())
    }

    /// Makes a tile by the moves.
    fn tile(&self, a: usize, length: usize) -> Result<Vec<Cell>, CheckError> {
        let side = self.rules.piles + 1;
        let mut cells = vec![Cell::Nothing; (side * side) as usize];
        let middle: Vec<Pile> = (length > 0).then_some(side).into_iter().collect();
        for coins in 0..2 * side - 1 {
            for p in coins.saturating_sub(side - 1)..side.min(coins + 1) {
                let q = coins - p;
                let cell = if length > 0 && p == 0 {
                    // One pile of the middle less, and it is an end.
                    self.cell(self.numbers[a + 1][length - 1], self.pile(a), q)
                } else if length > 0 && q == 0 {
                    self.cell(self.numbers[a][length - 1], p, self.pile(a + length - 1))
                } else {
                    // A pile that no end has stands for the middle.
                    let ends = |end: Pile| (end > 0).then_some(end);
                    let row: Vec<Pile> =
                        ends(p).into_iter().chain(middle.clone()).chain(ends(q)).collect();
                    self.rules.decide(&row, |option| {
                        let at = match middle.is_empty() {
                            false => option.iter().position(|&pile| pile == side)?,
                            // One pile may stand at either end; the left one is taken.
                            true => option.len().min(1),
                        };
                        let p = option[..at].first().copied().unwrap_or(0);
                        let q =
                            option[at..].iter().find(|&&pile| pile != side).copied().unwrap_or(0);
                        (p < side && q < side).then(|| cells[(p * side + q) as usize])
                    })?
                };
                cells[(p * side + q) as usize] = cell;
            }
        }
        Ok(cells)
    }

    fn cell(&self, tile: u32, p: Pile, q: Pile) -> Cell {
        self.tiles[tile as usize][(p * (self.rules.piles + 1) + q) as usize]
    }

    /// The tile `at` piles behind w, `depth` piles to the left of its end; or the mirror image.
    fn on(&self, is_line: bool, depth: usize, shift: usize, at: usize) -> u32 {
        let (begin, end) = (self.left, self.left + self.words[1].len());
        // The shift, of one word alone, moves both ends.
        let (a, b) = match is_line {
            true => (end + shift - depth, end + shift + at),
            false => (begin - shift - at, begin + depth - shift),
        };
        self.numbers[a][b - a]
    }

    fn of(&self, i: usize, j: usize) -> u32 {
        let [u, w, v] = self.words;
        self.numbers[self.left - i * u.len()][i * u.len() + w.len() + j * v.len()]
    }

    fn value(&self, i: usize, j: usize) -> Cell {
        self.cell(self.of(i, j), 0, 0)
    }
}
