//! The pool of simple conditions.

use grundy_language::Memories;
use grundy_rules::{Memory, Pile};

use super::Sample;
use super::set::Set;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Term {
    /// A pile, counted from 0.
    Pile(usize),
    Total,
    NimSum,
    Min,
    Max,
    /// The number of largest piles.
    Largest,
    /// A number that positions remember, by its place among them.
    Remembered(usize),
    Size,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// p_i is p_j + d.
    Equal(usize, usize, i64),
    /// p_i is not p_j + d.
    Differ(usize, usize, i64),
    /// p_i <= p_j + d.
    AtMost(usize, usize, i64),
    /// |p_i - p_j| <= d.
    Near(usize, usize, i64),
    /// The term is r modulo m.
    Residue(Term, i64, i64),
    Is(Term, i64),
    IsNot(Term, i64),
    AtLeast(Term, i64),
}

/// A condition, and the positions that satisfy it.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    rule: Rule,
    pub(super) set: Set,
    /// The complexity. If two conditions are equivalent, the simpler one is preferred.
    pub(super) cost: u32,
}

pub(super) struct Names {
    length: usize,
    has_ends: bool,
    memories: Option<&'static Memories>,
}

impl Names {
    pub(super) fn of(sample: &Sample) -> Names {
        let game = sample.game;
        let memories = game.rules().memories();
        Names { length: sample.length, has_ends: !game.is_unordered(), memories }
    }

    pub(super) fn pile(&self, at: usize) -> String {
        match at {
            0 if self.has_ends => "first".to_owned(),
            _ if self.has_ends && at + 1 == self.length => "last".to_owned(),
            _ => format!("p{}", at + 1),
        }
    }

    fn term(&self, term: Term) -> String {
        match term {
            Term::Pile(at) => self.pile(at),
            Term::Total => "total".to_owned(),
            Term::NimSum => "xor(piles)".to_owned(),
            Term::Min => "min(piles)".to_owned(),
            Term::Max => "max(piles)".to_owned(),
            Term::Largest => "count(x in piles: x == max(piles))".to_owned(),
            Term::Remembered(place) => {
                let memories = self.memories.map_or(&[][..], |memories| memories.all());
                memories.get(place).map_or_else(String::new, |of| of.name.to_string())
            }
            Term::Size => "size".to_owned(),
        }
    }
}

impl Term {
    fn of(self, piles: &[Pile], memory: &Memory) -> i64 {
        match (self, memory) {
            (Term::Pile(at), _) => piles[at].into(),
            (Term::Total, _) => piles.iter().copied().map(i64::from).sum(),
            (Term::NimSum, _) => piles.iter().fold(0, |sum, pile| sum ^ pile).into(),
            (Term::Min, _) => piles.iter().copied().min().unwrap_or(0).into(),
            (Term::Max, _) => piles.iter().copied().max().unwrap_or(0).into(),
            (Term::Largest, _) => {
                let largest = piles.iter().max();
                piles.iter().filter(|&pile| Some(pile) == largest).count() as i64
            }
            (Term::Remembered(place), Memory::Numbers(state, of)) => {
                of.values(*state).nth(place).unwrap_or(0).into()
            }
            (Term::Size, Memory::Available(set)) => set.iter().count() as i64,
            (Term::Remembered(_) | Term::Size, _) => 0,
        }
    }
}

impl Rule {
    fn is_true(self, piles: &[Pile], memory: &Memory) -> bool {
        let gap = |i: usize, j: usize| i64::from(piles[i]) - i64::from(piles[j]);
        let value = |term: Term| term.of(piles, memory);
        match self {
            Rule::Equal(i, j, d) => gap(i, j) == d,
            Rule::Differ(i, j, d) => gap(i, j) != d,
            Rule::AtMost(i, j, d) => gap(i, j) <= d,
            Rule::Near(i, j, d) => gap(i, j).abs() <= d,
            Rule::Residue(term, m, r) => value(term) % m == r,
            Rule::Is(term, c) => value(term) == c,
            Rule::IsNot(term, c) => value(term) != c,
            Rule::AtLeast(term, c) => value(term) >= c,
        }
    }

    fn cost(self) -> u32 {
        match self {
            Rule::Equal(_, _, d) | Rule::Differ(_, _, d) | Rule::AtMost(_, _, d) => {
                1 + d.unsigned_abs() as u32
            }
            Rule::Near(_, _, d) => 1 + d as u32,
            Rule::Residue(_, m, _) => 1 + m as u32 / 2,
            // A condition with a particular number is less general, so its cost is higher.
            Rule::Is(_, c) | Rule::IsNot(_, c) | Rule::AtLeast(_, c) => 2 + c as u32,
        }
    }
}

impl Condition {
    pub(super) fn text(&self, names: &Names) -> String {
        let compared = |i: usize, sign: &str, j: usize, d: i64| {
            let (left, right) = (names.pile(i), names.pile(j));
            match d {
                0 => format!("{left} {sign} {right}"),
                1.. => format!("{left} {sign} {right} + {d}"),
                _ => format!("{left} {sign} {right} - {}", -d),
            }
        };
        match self.rule {
            Rule::Equal(i, j, d) => compared(i, "==", j, d),
            Rule::Differ(i, j, d) => compared(i, "!=", j, d),
            Rule::AtMost(i, j, -1) => compared(i, "<", j, 0),
            Rule::AtMost(i, j, d) => compared(i, "<=", j, d),
            Rule::Near(i, j, d) => format!("abs({} - {}) <= {d}", names.pile(i), names.pile(j)),
            Rule::Residue(term, m, r) => format!("{} % {m} == {r}", names.term(term)),
            Rule::Is(term, c) => format!("{} == {c}", names.term(term)),
            Rule::IsNot(term, c) => format!("{} != {c}", names.term(term)),
            Rule::AtLeast(term, c) => format!("{} >= {c}", names.term(term)),
        }
    }
}

/// Returns the conditions that hold at some but not all positions of the sample, simplest first. If
/// several conditions hold at the same positions, only the simplest condition is kept.
pub(super) fn pool(sample: &Sample) -> Vec<Condition> {
    let length = sample.length;
    let mut rules = Vec::new();
    for i in 0..length {
        for j in i + 1..length {
            rules.push(Rule::Equal(i, j, 0));
            rules.push(Rule::Differ(i, j, 0));
            for d in 1..=3 {
                rules.extend([Rule::Equal(j, i, d), Rule::Equal(i, j, d)]);
                rules.extend([Rule::Differ(j, i, d), Rule::Differ(i, j, d)]);
                rules.push(Rule::Near(i, j, d));
            }
            for d in -2..=2 {
                rules.extend([Rule::AtMost(i, j, d), Rule::AtMost(j, i, d)]);
            }
        }
    }
    let mut terms: Vec<Term> = (0..length).map(Term::Pile).collect();
    if length > 1 {
        terms.extend([Term::Total, Term::NimSum]);
    }
    match sample.positions.first() {
        Some((_, Memory::Numbers(_, of), _)) => {
            terms.extend((0..of.all().len()).map(Term::Remembered));
        }
        Some((_, Memory::Available(_), _)) => terms.push(Term::Size),
        _ => {}
    }
    for term in terms {
        for m in [2, 3, 4] {
            rules.extend((0..m).map(|r| Rule::Residue(term, m, r)));
        }
        for c in 0..=3 {
            rules.extend([Rule::Is(term, c), Rule::IsNot(term, c), Rule::AtLeast(term, c)]);
        }
    }
    let mut parities = Vec::new();
    // In places, no name says which pile is smallest.
    if length > 1 && sample.game.order().least_pile() == 0 {
        parities.extend([Term::Min, Term::Max]);
    }
    if length > 2 && sample.game.is_unordered() {
        parities.push(Term::Largest);
    }
    for term in parities {
        rules.extend((0..2).map(|r| Rule::Residue(term, 2, r)));
    }
    rules.sort_by_key(|rule| rule.cost());
    let mut pool: Vec<Condition> = Vec::new();
    for rule in rules {
        let truths = sample.positions.iter().map(|(piles, memory, _)| rule.is_true(piles, memory));
        let set = Set::of(truths);
        let count = set.count() as usize;
        let is_new = !pool.iter().any(|other| other.set == set);
        if (1..sample.positions.len()).contains(&count) && is_new {
            pool.push(Condition { rule, set, cost: rule.cost() });
        }
    }
    pool
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::cases::cover;

    /// Returns one condition for each set of positions. All conditions have the same cost.
    fn conditions(sets: &[&[usize]]) -> Vec<Condition> {
        let rule = Rule::Is(Term::Total, 0);
        sets.iter().map(|&set| Condition { rule, set: positions(set), cost: 1 }).collect()
    }

    fn positions(set: &[usize]) -> Set {
        Set::of((0..20).map(|at| set.contains(&at)))
    }

    /// Tests the search for cases. The first case needs two positions, and there are at most five
    /// cases. The expected results were derived by hand.
    #[test]
    fn conditions_have_few_cases_of_several_positions() {
        let domain = Set::of((0..20).map(|_| true));
        let covered = |sets: &[&[usize]], target: &[usize]| {
            let pool = conditions(sets);
            let cases = cover(&pool, &domain, &positions(target));
            (cases.found.len(), cases.is_complete)
        };
        assert_eq!(covered(&[&[0, 1], &[2, 3]], &[0, 1, 2, 3]), (2, true));
        assert_eq!(covered(&[&[0], &[1]], &[0, 1]), (0, false));
        assert_eq!(covered(&[&[0, 1], &[2]], &[0, 1, 2]), (2, true));
        let all: Vec<usize> = (0..12).collect();
        let pairs: Vec<&[usize]> = all.chunks(2).collect();
        assert_eq!(covered(&pairs, &all), (5, false));
        assert_eq!(covered(&pairs[..5], &all[..10]), (5, true));
        // One condition holds at exactly the target positions, so it is the only case.
        assert_eq!(covered(&[&[0, 1, 2, 3], &[0, 1]], &[0, 1, 2, 3]), (1, true));
    }
}
