//! The values of a family as a formula in i and j.
//!
//! From the start on, rows whole steps apart have the same value. With the step (e, f) = s (e', f')
//! they have the same d = e' j - f' i. So for each rest of i modulo e there is a list by d, and it
//! repeats itself at both ends.

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

    /// The values for one rest of i, by d.
    fn list(&self, rest: usize, across: isize, along: isize) -> String {
        let ([e, _], start) = (self.step, self.start);
        // The least row of a d.
        let value = |d: isize| {
            let mut all = (start..).filter(|i| i % e == rest).map(|i| (i, d + along * i as isize));
            let (i, scaled) = all.find(|&(_, j)| j >= across * start as isize)?;
            Some(self.value(i, (scaled / across) as usize).to_string())
        };
        // As far as lines and columns say.
        let [deep, wide] = [self.values.len(), self.values[0].len()].map(|n| n as isize);
        let far = across * wide + along * deep;
        let all: Vec<isize> =
            (-far..=far).filter(|d| (d + along * rest as isize) % across == 0).collect();
        let values: Vec<String> = all.iter().filter_map(|&d| value(d)).collect();
        let (first, above) = repeats(&values);
        let reversed: Vec<String> = values.iter().rev().cloned().collect();
        let (from, below) = repeats(&reversed);
        let last = values.len() - 1 - from;
        // Repeated ends that overlap are cut at d = 0.
        let cut = all.partition_point(|&d| d < 0).clamp(first, (last + 1).max(first));
        let (last, first) = if first <= last { (cut - 1, cut) } else { (last, first) };
        let on = |period| if period > 1 { " and so on" } else { "" };
        let down: Vec<&str> =
            reversed[values.len() - 1 - last..][..below].iter().map(String::as_str).collect();
        let middle = match &all[last + 1..first] {
            [] => String::new(),
            [only] => format!("d = {only}: {}; ", values[last + 1]),
            [from, .., to] => {
                format!("d = {from} to {to}: {}; ", values[last + 1..first].join(", "))
            }
        };
        let up = values[first..first + above].join(", ");
        let (down, below, above) = (down.join(", "), on(below), on(above));
        format!("d <= {}: {down}{below}; {middle}d >= {}: {up}{above}", all[last], all[first])
    }
}

/// Returns where a list begins to repeat itself to its end at least twice, and the period.
fn repeats(list: &[String]) -> (usize, usize) {
    let from = |period: usize| {
        let ends = (0..list.len() - period).rev().take_while(|&at| list[at] == list[at + period]);
        ends.last().filter(|at| list.len() - at >= list.len() / 4 + 2 * period)
    };
    let found = (1..list.len()).find_map(|period| Some((from(period)?, period)));
    found.unwrap_or((0, list.len()))
}
