//! The values of a family as a formula in i and j.
//!
//! Let (e, f) be the step. From the start on, the rows at (i, j) and (i + e, j + f) have the same
//! value. They also have the same remainder of i modulo e, and the same d = e' j - f' i. Here e' =
//! e/s and f' = f/s, where s is the greatest common divisor of e and f. So the formula lists, for
//! each remainder, the values in order of d. The list is periodic at both ends.

use std::fmt::Write;

use crate::Family;

impl Family {
    /// Returns the values of u^i w v^j as a few lines of text, for all i and j from the start on.
    pub fn formula(&self) -> String {
        let ([e, f], start) = (self.step, self.start);
        let shared = (1..=e).rev().find(|n| e % n == 0 && f % n == 0).unwrap_or(1);
        let (across, along) = ((e / shared) as isize, (f / shared) as isize);
        let times = |number: isize, name: &str| match number {
            1 => name.to_owned(),
            number => format!("{number}{name}"),
        };
        let (j, i) = (times(across, "j"), times(along, "i"));
        let mut out = format!("for i, j >= {start}, with d = {j} - {i}");
        for rest in 0..e {
            let class = match e {
                1 => String::new(),
                2 => format!("i {}: ", ["even", "odd"][rest]),
                e => format!("i = {rest} mod {e}: "),
            };
            _ = write!(out, "\n  {class}{}", self.list(rest, across, along));
        }
        out
    }

    /// Returns the values for one remainder of i modulo e, in order of d.
    fn list(&self, rest: usize, across: isize, along: isize) -> String {
        let [start, e, rest] = [self.start, self.step[0], rest].map(|number| number as isize);
        let [lines, columns] = [self.lines, self.columns].map(|from| from.map(|at| at as isize));
        // `turn` is the least multiple of e that is a period of the columns.
        let turn = columns[1] * (1..e).find(|times| columns[1] * times % e == 0).unwrap_or(e);
        let far = across * (lines[0].max(start) + lines[1] + 1)
            + along * (columns[0].max(start) + turn + 1);
        let all: Vec<isize> = (-far..=far).filter(|d| (d + along * rest) % across == 0).collect();
        // Take the value at the least possible i for this d.
        let place = |d: isize| {
            let least = start.max(-(d - across * start).div_euclid(along));
            let i = least + (rest - least).rem_euclid(e);
            (i, (d + along * i) / across)
        };
        let value = |&d: &isize| {
            let (i, j) = place(d);
            self.value(i as usize, j as usize).to_string()
        };
        let values: Vec<String> = all.iter().map(value).collect();
        let reversed: Vec<String> = values.iter().rev().cloned().collect();
        // The d of the row at which i and j both equal `start`.
        let corner = (across - along) * start;
        let from = all.partition_point(|&d| d < corner || place(d).1 < lines[0]);
        let (first, above) = repeats(&values, from, lines[1]);
        let until = all.partition_point(|&d| d <= corner && place(d).0 >= columns[0]);
        let period = self.step[1] as isize * turn / e;
        let (last, below) = repeats(&reversed, all.len() - until, period);
        // The values before `behind` repeat towards small d, and the values from `first` on repeat
        // towards large d. If these two parts overlap, divide them at d = 0.
        let behind = values.len() - last;
        let cut = all.partition_point(|&d| d < 0).clamp(first, behind.max(first));
        let (behind, first) = if first < behind { (cut, cut) } else { (behind, first) };
        let middle = match &all[behind..first] {
            [] => String::new(),
            [only] => format!("d = {only}: {}; ", values[behind]),
            few => {
                let d: Vec<String> = few.iter().map(ToString::to_string).collect();
                let (end, of) = (d.len() - 1, values[behind..first].join(", "));
                match across {
                    1 => format!("d = {} to {}: {of}; ", d[0], d[end]),
                    _ => format!("d = {}: {of}; ", d.join(", ")),
                }
            }
        };
        // List each periodic part, beginning with the d that is nearest to the middle.
        let tail = |d: &[isize], sign, of: &[String]| match of {
            [only] => format!("d {sign} {}: {only}", d[0]),
            _ => format!("d = {}, {}, ...: {} in turn", d[0], d[1], of.join(", ")),
        };
        let back: Vec<isize> = all[..behind].iter().rev().copied().collect();
        let down = tail(&back, "<=", &reversed[values.len() - behind..][..below]);
        let up = tail(&all[first..], ">=", &values[first..][..above]);
        format!("{down}; {middle}{up}")
    }
}

/// Returns the first place from which a list is periodic, and its least period. The caller has
/// proved that `period` is a period from the place `from` on.
fn repeats(list: &[String], from: usize, period: isize) -> (usize, usize) {
    let once = &list[from..from + period as usize];
    let is_period =
        |&n: &usize| once.len().is_multiple_of(n) && once[n..] == once[..once.len() - n];
    let period = (1..once.len()).find(is_period).unwrap_or(once.len());
    let before = (0..from).rev().take_while(|&at| list[at] == list[at + period]).count();
    (from - before, period)
}
