//! The values of a family as a formula in i and j.
//!
//! From the start on, rows that are whole steps apart have the same value. With the step (e, f) = s
//! (e', f') for the largest s, these rows have the same d = e' j - f' i. So for each remainder of i
//! modulo e there is a list of values by d. The list is periodic at both ends.

use std::fmt::Write;

use crate::Family;

impl Family {
    /// Returns the values of u^i w v^j for all i and j from the start on, in a few lines.
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

    /// The values for one remainder of i modulo e, by d.
    fn list(&self, rest: usize, across: isize, along: isize) -> String {
        let [start, e, rest] = [self.start, self.step[0], rest].map(|number| number as isize);
        // All d that the stored values reach. Each d is evaluated at its least i.
        let far = across * self.values[0].len() as isize + along * self.values.len() as isize;
        let all: Vec<isize> = (-far..=far).filter(|d| (d + along * rest) % across == 0).collect();
        let value = |&d: &isize| {
            let least = (start..).find(|i| d + along * i >= across * start).unwrap_or(start);
            let i = least + (rest - least).rem_euclid(e);
            self.value(i as usize, ((d + along * i) / across) as usize).to_string()
        };
        let values: Vec<String> = all.iter().map(value).collect();
        let reversed: Vec<String> = values.iter().rev().cloned().collect();
        let ((first, above), (last, below)) = (repeats(&values), repeats(&reversed));
        // The end of the part periodic downwards. If both periodic parts overlap, cut at d = 0.
        let behind = values.len() - last;
        let cut = all.partition_point(|&d| d < 0).clamp(first, behind.max(first));
        let (behind, first) = if first < behind { (cut, cut) } else { (behind, first) };
        let on = |period| if period > 1 { " and so on" } else { "" };
        let middle = match &all[behind..first] {
            [] => String::new(),
            [only] => format!("d = {only}: {}; ", values[behind]),
            [from, .., to] => format!("d = {from} to {to}: {}; ", values[behind..first].join(", ")),
        };
        let down = reversed[values.len() - behind..][..below].join(", ") + on(below);
        let up = values[first..][..above].join(", ") + on(above);
        format!("d <= {}: {down}; {middle}d >= {}: {up}", all[behind - 1], all[first])
    }
}

/// Returns where the periodic end of a list begins, of at least two periods, and the period.
fn repeats(list: &[String]) -> (usize, usize) {
    let from = |period: usize| {
        let ends = (0..list.len() - period).rev().take_while(|&at| list[at] == list[at + period]);
        ends.last().filter(|at| list.len() - at >= list.len() / 4 + 2 * period)
    };
    let found = (1..list.len()).find_map(|period| Some((from(period)?, period)));
    found.unwrap_or((0, list.len()))
}
