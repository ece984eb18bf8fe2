//! Writes a value class as a formula in the language of statements.
//!
//! The formula is a disjunction of terms. A term bounds differences of two piles, and fixes some
//! piles modulo a divisor of the modulus. It begins as the type of one position of the class, and
//! is then relaxed step by step, as long as no position of another class satisfies it. One position
//! of each type is enough for that.

use super::search::{Found, NOT_A_POSITION, Table, gaps};

/// A conjunction of conditions on the numbers z0 = 0, z1, ..., of which the piles are z1, z2, ...
#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    /// The bounds of zj - zi, for each pair i < j in order.
    bounds: Vec<[Option<i64>; 2]>,
    /// The divisor and the remainder of each number.
    rests: Vec<(i64, i64)>,
}

struct Writer {
    cap: i64,
    modulus: i64,
    /// The pairs i < j of numbers.
    pairs: Vec<(usize, usize)>,
    names: Vec<String>,
}

/// Returns the formula of the positions with this value. The classes of the table must be unions
/// of types of the cap and the modulus. In a row whose class does not change if the ends are
/// exchanged, a and c are the smaller and the larger end.
pub fn formula(table: &Table, found: Found, value: u8) -> String {
    let (k, side) = (table.length, table.most + 1);
    let exchanged = |piles: &[i64]| {
        let mut other = piles.to_vec();
        other.swap(0, k - 1);
        other.iter().fold(0, |place, &pile| place * side + pile as usize)
    };
    let has = |place: usize| table.values[place] == value;
    let (cap, modulus) = (found.cap as i64, found.modulus as i64);
    // Keep one position of each type, and one order of the ends.
    let places = (0..table.values.len()).filter(|&place| table.values[place] != NOT_A_POSITION);
    let least = places.map(|place| (has(place), table.piles(place)));
    let mut all: Vec<(bool, Vec<i64>)> =
        least.filter(|(_, piles)| found.is_least(&gaps(piles))).collect();
    let symmetric = k > 1 && all.iter().all(|(is_in, piles)| has(exchanged(piles)) == *is_in);
    all.retain(|(_, piles)| !symmetric || piles[0] <= piles[k - 1]);
    let mut names: Vec<String> = (0..=k).map(|at| format!("p{at}")).collect();
    if symmetric {
        (names[1], names[k]) = ("a".to_owned(), "c".to_owned());
    }
    let mut pairs: Vec<(usize, usize)> =
        (0..=k).flat_map(|j| (0..j).map(move |i| (i, j))).collect();
    // The difference of the ends is relaxed last, and named first.
    pairs.sort_by_key(|&(i, j)| (i > 0, i == 1, (i, j) == (1, k), i, j));
    let writer = Writer { cap, modulus, pairs, names };
    let with_zero = |piles: &Vec<i64>| [&[0], &piles[..]].concat();
    let split = |wanted| -> Vec<Vec<i64>> {
        all.iter().filter(|(is_in, _)| *is_in == wanted).map(|(_, z)| with_zero(z)).collect()
    };
    let (mut members, others) = (split(true), split(false));
    // Begin with large differences, because their terms cover more.
    members.sort_by_key(|z| (-z.iter().sum::<i64>(), z.clone()));
    let mut terms: Vec<Term> = Vec::new();
    let mut open = members.clone();
    while let Some(seed) = open.first() {
        let term = writer.relaxed(writer.of_type(seed), &members, &others);
        open.retain(|z| !writer.admits(&term, z));
        terms.push(term);
    }
    // Leave out each term that the others cover.
    for at in (0..terms.len()).rev() {
        let covers = |z: &Vec<i64>| {
            let others = terms.iter().enumerate().filter(|(other, _)| *other != at);
            others.map(|(_, term)| term).any(|term| writer.admits(term, z))
        };
        if members.iter().all(covers) {
            terms.remove(at);
        }
    }
    let mut texts: Vec<Vec<String>> = terms.iter().map(|term| writer.conditions(term)).collect();
    texts.sort();
    let body = factored(&texts);
    match symmetric && !terms.iter().all(|term| writer.conditions(term).is_empty()) {
        true => format!("let a = min(first, last); let c = max(first, last); {body}"),
        false => body,
    }
}

impl Writer {
    /// Returns the term of the type of some numbers.
    fn of_type(&self, z: &[i64]) -> Term {
        let bound = |&(i, j): &(usize, usize)| match z[j] - z[i] {
            d if d >= self.cap => [Some(self.cap), None],
            d if d <= -self.cap => [None, Some(-self.cap)],
            d => [Some(d), Some(d)],
        };
        let bounds = self.pairs.iter().map(bound).collect();
        Term { bounds, rests: z.iter().map(|z| (self.modulus, z % self.modulus)).collect() }
    }

    fn admits(&self, term: &Term, z: &[i64]) -> bool {
        let within = |(&(i, j), bounds): (&(usize, usize), &[Option<i64>; 2])| {
            let d = z[j] - z[i];
            bounds[0].is_none_or(|least| least <= d) && bounds[1].is_none_or(|most| d <= most)
        };
        self.pairs.iter().zip(&term.bounds).rev().all(within)
            && term.rests.iter().zip(z).all(|((by, rest), z)| z % by == *rest)
    }

    /// Relaxes a term as far as none of the others satisfies it.
    fn relaxed(&self, mut term: Term, members: &[Vec<i64>], others: &[Vec<i64>]) -> Term {
        let last = self.pairs.len() - 1;
        let ends = Term {
            bounds: (0..=last)
                .map(|at| if at == last { term.bounds[at] } else { [None, None] })
                .collect(),
            rests: vec![(1, 0); term.rests.len()],
        };
        // Until the ends are relaxed, only numbers with the same difference of the ends matter.
        let near: Vec<&Vec<i64>> = others.iter().filter(|z| self.admits(&ends, z)).collect();
        let far: Vec<&Vec<i64>> = others.iter().collect();
        let fits = |term: &Term, others: &[&Vec<i64>]| !others.iter().any(|z| self.admits(term, z));
        let divisors = (1..=self.modulus).filter(|by| self.modulus % by == 0);
        for at in [0].into_iter().chain((1..term.rests.len()).rev()) {
            for by in divisors.clone() {
                let mut next = term.clone();
                next.rests[at] = (by, term.rests[at].1 % by);
                if fits(&next, &near) {
                    term = next;
                    break;
                }
            }
        }
        for at in 0..=last {
            let others = if at == last { &far } else { &near };
            let with = |bounds: [Option<i64>; 2]| {
                let mut next = term.clone();
                next.bounds[at] = bounds;
                next
            };
            if fits(&with([None, None]), others) {
                term = with([None, None]);
                continue;
            }
            // Keep a bound unless another one admits more members of the class.
            let size = |term: &Term| members.iter().filter(|z| self.admits(term, z)).count();
            let [least, most] = term.bounds[at];
            let (mut best, mut bounds) = (size(&term), term.bounds[at]);
            for (end, step) in [(0, -1), (1, 1)] {
                // Types do not decide if a difference is at most the cap, or at least its opposite.
                let steps = [least, most][end].into_iter().flat_map(|bound| {
                    (1..).map(move |times| bound + step * times).take_while(|b| b.abs() < self.cap)
                });
                for bound in steps.map(Some).chain([None]) {
                    let mut wider = bounds;
                    wider[end] = bound;
                    let next = with(wider);
                    if !fits(&next, others) {
                        break;
                    }
                    if size(&next) > best {
                        (best, bounds) = (size(&next), wider);
                    }
                }
            }
            term = with(bounds);
        }
        term
    }

    /// Returns the conditions of a term, the difference of the ends first.
    fn conditions(&self, term: &Term) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        let sum = |name: &str, number: i64| match (name, number) {
            ("p0", number) => number.to_string(),
            (name, 0) => name.to_owned(),
            (name, number) if number > 0 => format!("{name} + {number}"),
            (name, number) => format!("{name} - {}", -number),
        };
        let bound = |(&(i, j), bounds): (&(usize, usize), &[Option<i64>; 2])| {
            let (x, y) = (&self.names[i], &self.names[j]);
            match *bounds {
                [None, None] => None,
                [Some(least), Some(most)] if least == most => {
                    Some(format!("{y} == {}", sum(x, least)))
                }
                [Some(1), None] if i > 0 => Some(format!("{y} > {x}")),
                [None, Some(-1)] => Some(format!("{y} < {x}")),
                [Some(least), None] => Some(format!("{y} >= {}", sum(x, least))),
                [None, Some(most)] => Some(format!("{y} <= {}", sum(x, most))),
                [Some(least), Some(most)] => {
                    Some(format!("{} <= {y} <= {}", sum(x, least), sum(x, most)))
                }
            }
        };
        let bounds: Vec<Option<String>> = self.pairs.iter().zip(&term.bounds).map(bound).collect();
        all.extend(bounds.last().cloned().flatten());
        for (name, (by, rest)) in self.names.iter().zip(&term.rests).skip(1) {
            all.extend((*by > 1).then(|| format!("{name} % {by} == {rest}")));
        }
        all.extend(bounds.iter().rev().skip(1).flatten().cloned());
        all
    }
}

/// Joins terms by `or`. Takes out conditions that consecutive terms begin with.
fn factored(terms: &[Vec<String>]) -> String {
    if terms.is_empty() {
        return "false".to_owned();
    }
    if terms.iter().any(Vec::is_empty) {
        return "true".to_owned();
    }
    let groups = terms.chunk_by(|x, y| x[0] == y[0]);
    let text = |group: &[Vec<String>]| {
        let rests: Vec<Vec<String>> = group.iter().map(|term| term[1..].to_vec()).collect();
        match (&rests[..], factored(&rests)) {
            (_, rest) if rest == "true" => group[0][0].clone(),
            ([_], rest) => format!("{} and {rest}", group[0][0]),
            (_, rest) if rest.contains(" or ") => format!("{} and ({rest})", group[0][0]),
            (_, rest) => format!("{} and {rest}", group[0][0]),
        }
    };
    groups.map(text).collect::<Vec<_>>().join(" or ")
}

/// Returns a formula in LaTeX, for a mathematical environment.
pub fn latex(formula: &str) -> String {
    let (names, body) = match formula.rsplit_once("; ") {
        Some((_, body)) => (r"\text{with } a=\min(p_1,p_k),\ c=\max(p_1,p_k){:}\ ", body),
        None => ("", formula),
    };
    let mut all: Vec<String> = Vec::new();
    let mut words = body.split(' ');
    while let Some(word) = words.next() {
        let sign = match word {
            "and" => r"\land",
            "or" => r"\lor",
            "==" => "=",
            ">=" => r"\ge",
            "<=" => r"\le",
            "true" => r"\top",
            "false" => r"\bot",
            // Residues are `name % number == number`.
            "%" => {
                let number = words.next().unwrap_or_default();
                let rest = words.by_ref().nth(1).unwrap_or_default();
                let number_end = rest.trim_end_matches(')');
                let closed = &rest[number_end.len()..];
                all.push(format!(r"\equiv {number_end} \pmod{{{number}}}{closed}"));
                continue;
            }
            _ => word,
        };
        let pile = sign.trim_start_matches('(').strip_prefix('p');
        all.push(match pile.and_then(|pile| sign.split_once('p').map(|(open, _)| (open, pile))) {
            Some((open, pile)) if !sign.starts_with('\\') => {
                let number = pile.trim_end_matches(')');
                format!("{open}p_{{{number}}}{}", &pile[number.len()..])
            }
            _ => sign.to_owned(),
        });
    }
    names.to_owned() + &all.join(" ")
}
