//! Finds the shapes of the moves of a rule file.
//!
//! A line written out for one length ([`Plain`]) chooses numbers t, s, ... from ranges, has
//! conditions, and takes these numbers from piles. A kernel can apply the line (see [`shapes`]) if:
//!
//! * Each pile loses a number that is linear in one chosen number t. The end of a range, or a
//!   condition, keeps this number within the pile. So no pile becomes negative, and the kernel has
//!   exactly the moves of the line.
//! * No other condition on t mentions piles. So the possible numbers t can be computed once, and
//!   divided into progressions and single numbers.
//! * Conditions on the piles do not mention t; they form a guard.
//!
//! If a line chooses two numbers, and all pairs occur, the line is a box. If not, the pairs
//! are grouped by their difference. Other lines are written out as single options with masks
//! ([`super::masks`]). If this is impossible too, tables are filled option by option.

use grundy_kernels::shapes::{HeapMove, HeapShape, Move, Shape};
use grundy_language::Expr;
use grundy_language::ast::{BinaryOp, CompareOp, ExprKind};
use grundy_rules::law::{Change, Kind, Law, Numbers, is_defined};

use super::line::{Line, Linear, MOST_MOVES, Mentions, constant, linear, mentions, parts, pile_of};
use super::masks::Truth;

/// The maximum number of entries in the table of a condition that mentions no chosen numbers.
const MOST_ENTRIES: usize = 1 << 16;

/// The moves of positions of one length.
#[derive(Clone, Debug)]
pub(crate) struct Shapes {
    pub(crate) moves: Vec<Move>,
    pub(crate) guards: Vec<Guard>,
    /// The classes of the lines of the file, in order.
    pub(crate) classes: Vec<(usize, Class)>,
}

/// The conditions of a move: as tables, or as expressions if the tables would be large.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Guard {
    pub(crate) tables: Vec<Truth>,
    pub(crate) texts: Vec<Expr>,
}

impl Guard {
    fn new(conditions: Vec<Expr>, size: (usize, usize, usize)) -> Guard {
        let mut guard = Guard::default();
        for condition in conditions {
            match Truth::new(&[&condition], &[], size, MOST_ENTRIES) {
                Some(table) => guard.tables.push(table),
                None => guard.texts.push(condition),
            }
        }
        guard
    }
}

/// The class of a line of a rule file. The class determines how a kernel applies the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// One option.
    Point,
    /// All numbers of coins that the piles allow.
    Ray,
    /// A few numbers of coins.
    Window,
    /// Every m-th number of coins.
    Residue,
    /// Independent numbers for several piles.
    Box,
    /// Two numbers of coins with a small difference.
    Band,
    /// Single options, each with a condition that relates the chosen numbers to piles.
    Masked,
    /// A pile that becomes one or two other piles, in sums.
    Split,
    /// A line without a kernel, which is filled option by option.
    Other,
}

impl Class {
    /// Returns the name of the class in listings.
    pub fn name(self) -> &'static str {
        let names = ["point", "ray", "window", "residue", "box", "band", "masks", "split"];
        names.get(self as usize).copied().unwrap_or("options one by one")
    }
}

/// Returns the shapes of all moves of positions of `length` piles of at most `largest`. The error
/// is the number of the first line without a shape, or `None` if the law as a whole has none.
pub(crate) fn shapes(law: &Law, length: usize, largest: usize) -> Result<Shapes, Option<usize>> {
    let of_one_kind = law.admits.is_none() && law.memories.is_none() && law.kind != Kind::Sum;
    let of_one_kind = of_one_kind && law.blocks == 0 && law.only_takes();
    let reaches_all = law.kind == Kind::Places || *law.lengths.start() <= 1;
    let lines = law.at(length).filter(|_| of_one_kind && reaches_all).ok_or(None)?;
    let mut found = Shapes { moves: Vec::new(), guards: Vec::new(), classes: Vec::new() };
    for plain in &lines {
        let least = law.least_pile() as usize;
        let line = Line { plain, length, least, largest };
        if plain.effects.is_empty() {
            // A line with a false condition has no moves, and later conditions are not evaluated.
            let is_false = |condition: &&Expr| matches!(condition.kind, ExprKind::Bool(false));
            let mut asked = plain.before.iter().take_while(|condition| !is_false(condition));
            let is_asked = asked.all(|condition| is_defined(condition, length));
            is_asked.then_some(()).ok_or(Some(plain.line))?;
            continue;
        }
        match line.read() {
            Some((shapes, guard, class)) => {
                let guard = found.guard(Guard::new(guard, line.size()));
                found.moves.extend(shapes.into_iter().map(|shape| Move { shape, guard }));
                found.classes.push((plain.line, class));
            }
            None => {
                for (shape, tables) in line.masked().ok_or(Some(plain.line))? {
                    let guard = found.guard(Guard { tables, texts: Vec::new() });
                    found.moves.push(Move { shape, guard });
                }
                found.classes.push((plain.line, Class::Masked));
            }
        }
        if found.moves.len() > MOST_MOVES {
            return Err(Some(plain.line));
        }
    }
    found.classes.sort();
    found.classes.dedup();
    join_boxes(&mut found.moves, length);
    Ok(found)
}

impl Shapes {
    /// Returns the index of a guard, or `None` if it has no conditions.
    fn guard(&mut self, guard: Guard) -> Option<usize> {
        if guard == Guard::default() {
            return None;
        }
        let known = self.guards.iter().position(|known| *known == guard);
        Some(known.unwrap_or_else(|| {
            self.guards.push(guard);
            self.guards.len() - 1
        }))
    }
}

/// Joins rays into a box if each subset of the box's piles has a ray.
fn join_boxes(moves: &mut Vec<Move>, length: usize) {
    let lowered = |made: &Move| -> Option<u64> {
        if made.guard.is_some() {
            return None;
        }
        match &made.shape {
            Shape::Box { piles, all: true } => Some(piles.iter().map(|&pile| 1 << pile).sum()),
            Shape::Ray { first, step } if first == step && step.iter().sum::<usize>() == 1 => {
                step.iter().position(|&taken| taken == 1).map(|pile| 1 << pile)
            }
            _ => None,
        }
    };
    let sets: std::collections::BTreeSet<u64> = moves.iter().filter_map(lowered).collect();
    let is_whole = |&set: &u64| {
        let mut part = set;
        while part > 0 {
            if !sets.contains(&part) {
                return false;
            }
            part = (part - 1) & set;
        }
        set.count_ones() > 1
    };
    let whole: Vec<u64> = sets.iter().copied().filter(is_whole).collect();
    let largest: Vec<u64> = whole
        .iter()
        .copied()
        .filter(|&set| !whole.iter().any(|&other| other != set && other & set == set))
        .collect();
    moves.retain(|made| {
        lowered(made).is_none_or(|set| !largest.iter().any(|large| large & set == set))
    });
    moves.extend(largest.into_iter().map(|set| {
        let piles = (0..length).filter(|pile| set >> pile & 1 == 1).collect();
        Move { shape: Shape::Box { piles, all: false }, guard: None }
    }));
}

/// Returns the moves of multisets, if the moves are the same for every choice of heaps.
pub(crate) fn of_heaps(law: &Law, heaps: usize, largest: usize) -> Option<Vec<HeapMove>> {
    let mut chosen: Option<Vec<HeapShape>> = None;
    for length in (1..=heaps).rev() {
        let found = shapes(law, length, largest).ok().filter(|found| found.guards.is_empty())?;
        let here = alike(&found.moves, length)?;
        let Some(all) = &chosen else {
            chosen = Some(here);
            continue;
        };
        let wanted: Vec<HeapShape> =
            all.iter().filter_map(|shape| of_fewer(shape, length)).collect();
        if !wanted.iter().all(|shape| here.contains(shape))
            || !here.iter().all(|shape| wanted.contains(shape))
        {
            return None;
        }
    }
    let moves = chosen?.into_iter().map(|shape| HeapMove { shape, guard: None });
    Some(moves.collect())
}

/// Returns the form of `shape` for positions of only `heaps` heaps.
fn of_fewer(shape: &HeapShape, heaps: usize) -> Option<HeapShape> {
    match shape {
        HeapShape::Box { heaps: more, all: false } if *more >= heaps => Some(match heaps {
            1 => HeapShape::Equal(1),
            heaps => HeapShape::Box { heaps, all: false },
        }),
        shape => (heaps_of(shape) <= heaps).then(|| shape.clone()),
    }
}

fn heaps_of(shape: &HeapShape) -> usize {
    match shape {
        HeapShape::Equal(heaps) | HeapShape::Box { heaps, .. } => *heaps,
        HeapShape::Point(taken) => taken.len(),
    }
}

/// Returns the distinct shapes of the moves, if each shape occurs for every choice of heaps.
fn alike(moves: &[Move], length: usize) -> Option<Vec<HeapShape>> {
    let mut counted: Vec<(HeapShape, Vec<&Shape>)> = Vec::new();
    for made in moves {
        let shape = match &made.shape {
            Shape::Box { piles, all } => HeapShape::Box { heaps: piles.len(), all: *all },
            Shape::Ray { first, step } => {
                let mut taken: Vec<usize> = first.iter().copied().filter(|&t| t > 0).collect();
                taken.sort_unstable();
                if step.iter().all(|&t| t == 0) {
                    HeapShape::Point(taken)
                } else if first == step && taken.iter().all(|&t| t == 1) {
                    HeapShape::Equal(taken.len())
                } else {
                    return None;
                }
            }
        };
        match counted.iter_mut().find(|(known, _)| *known == shape) {
            Some((_, seen)) if seen.contains(&&made.shape) => {}
            Some((_, seen)) => seen.push(&made.shape),
            None => counted.push((shape, vec![&made.shape])),
        }
    }
    counted
        .into_iter()
        .map(|(shape, seen)| (seen.len() as u64 == choices(&shape, length)).then_some(shape))
        .collect()
}

/// Returns the number of ways to choose the heaps that a move of this shape lowers.
fn choices(shape: &HeapShape, length: usize) -> u64 {
    let heaps = heaps_of(shape) as u64;
    let ordered = |from: u64, of: u64| (0..of).map(|i| from.saturating_sub(i)).product::<u64>();
    match shape {
        HeapShape::Point(taken) => {
            // Equal numbers are interchangeable.
            let same = taken
                .chunk_by(|a, b| a == b)
                .map(|run| ordered(run.len() as u64, run.len() as u64));
            ordered(length as u64, heaps) / same.product::<u64>()
        }
        _ => ordered(length as u64, heaps) / ordered(heaps, heaps),
    }
}

/// Returns the operator, the pile and its least size for a condition such as `p1 >= 5`.
pub(super) fn least_of(condition: &Expr) -> Option<(CompareOp, usize, usize)> {
    let ExprKind::Compare(left, rest) = &condition.kind else { return None };
    let [(op, right)] = &rest[..] else { return None };
    let (pile, least) = match op {
        CompareOp::GreaterEqual | CompareOp::Greater | CompareOp::Equal => (&**left, right),
        CompareOp::LessEqual | CompareOp::Less => (right, &**left),
        _ => return None,
    };
    let more = usize::from(matches!(op, CompareOp::Greater | CompareOp::Less));
    Some((*op, pile_of(pile)?, constant(least)?.checked_add(more)?))
}

type Read = (Vec<Shape>, Vec<Expr>, Class);

impl Line<'_> {
    /// Returns the shapes of the line, the conditions of its guard, and its class.
    fn read(&self) -> Option<Read> {
        let plain = self.plain;
        let binders = plain.binders.len();
        let mut taken: Vec<(usize, Linear)> = Vec::new();
        for (pile, change) in &plain.effects {
            let Change::Less(number) = change else { return None };
            taken.push((*pile, linear(number)?));
        }
        let mut guard = Vec::new();
        let mut told = Vec::new();
        // Mark the piles that provably do not become negative.
        let mut safe = vec![false; self.length];
        for (pile, of) in &taken {
            safe[*pile] = of.factor == 0 && of.more <= self.least;
        }
        for condition in plain.before.iter().chain(&plain.after) {
            match mentions(condition, binders) {
                Mentions { binders: false, .. } => {
                    is_defined(condition, self.length).then_some(())?;
                    self.mark_constant(condition, &taken, &mut safe);
                    guard.push(condition.clone());
                }
                Mentions { piles: false, .. } => told.push(condition),
                _ => safe[self.used_up(condition, &taken)?] = true,
            }
        }
        let mut ranges: Vec<(&Expr, Vec<&Expr>)> = Vec::new();
        let mut sets = Vec::new();
        for (place, numbers) in plain.binders.iter().enumerate() {
            match numbers {
                Numbers::Range(from, to) => {
                    if mentions(from, binders).piles {
                        return None;
                    }
                    let mut least = Vec::new();
                    for part in parts(to) {
                        if mentions(part, binders).piles {
                            safe[self.ends_at(part, place, &taken)?] = true;
                        } else {
                            least.push(part);
                        }
                    }
                    ranges.push((from, least));
                    sets.push(None);
                }
                Numbers::Set(set) => {
                    if mentions(set, binders).piles {
                        return None;
                    }
                    ranges.push((set, Vec::new()));
                    sets.push(Some(set));
                }
            }
        }
        let conditions = self.conditions();
        let all_told: Vec<&Expr> =
            conditions.iter().filter(|condition| !mentions(condition, binders).piles).collect();
        let uses = |place: usize| {
            taken.iter().filter(|(_, of)| of.factor > 0 && of.place == place).count()
        };
        if (0..binders).any(|place| uses(place) == 0)
            || taken.iter().any(|&(pile, of)| !safe[pile] && (of.factor, of.more) != (0, 0))
        {
            return None;
        }
        let admits = |chosen: &[usize]| self.allows(chosen, &all_told);
        let (shapes, class) = match binders {
            0 => self.point(&taken)?,
            1 => self.one(&taken, admits)?,
            2 if taken.iter().all(|(_, of)| (of.factor, of.more) == (1, 0)) => {
                self.two(&taken, admits)?
            }
            _ => match self.many(&taken, &ranges, &sets) {
                Some(found) if told.is_empty() => found,
                _ => self.few(&taken, &ranges, admits)?,
            },
        };
        Some((shapes, guard, class))
    }

    /// Marks a pile as safe if it loses a constant, and a condition makes it at least that large.
    fn mark_constant(&self, condition: &Expr, taken: &[(usize, Linear)], safe: &mut [bool]) {
        let Some((_, pile, least)) = least_of(condition) else { return };
        let enough =
            |&&(at, of): &&(usize, Linear)| at == pile && of.factor == 0 && of.more <= least;
        if taken.iter().any(|one| enough(&one)) {
            safe[pile] = true;
        }
    }

    /// Returns the pile that a condition such as `t <= p1` keeps from becoming negative.
    fn used_up(&self, condition: &Expr, taken: &[(usize, Linear)]) -> Option<usize> {
        let ExprKind::Compare(left, rest) = &condition.kind else { return None };
        let [(op, right)] = &rest[..] else { return None };
        let (number, pile) = match op {
            CompareOp::LessEqual => (left.as_ref(), right),
            CompareOp::GreaterEqual => (right, left.as_ref()),
            _ => return None,
        };
        let (number, pile) = (linear(number)?, pile_of(pile)?);
        taken.contains(&(pile, number)).then_some(pile)
    }

    /// Returns the pile p whose size ends a range. The range of t ends at p if p loses t, at p // 2
    /// if p loses 2t, and at p - 1 if p loses t + 1.
    fn ends_at(&self, bound: &Expr, place: usize, taken: &[(usize, Linear)]) -> Option<usize> {
        let (of, factor) = match &bound.kind {
            ExprKind::Binary(BinaryOp::Div, of, by) => (of.as_ref(), constant(by)?),
            _ => (bound, 1),
        };
        let (of, more) = match &of.kind {
            ExprKind::Binary(BinaryOp::Sub, of, less) => (of.as_ref(), constant(less)?),
            _ => (of, 0),
        };
        let pile = pile_of(of)?;
        let number = Linear { place, factor, more };
        (factor > 0 && taken.contains(&(pile, number))).then_some(pile)
    }

    fn vector(&self, of: impl Fn(usize) -> usize) -> Vec<usize> {
        (0..self.length).map(of).collect()
    }

    /// Reads a move without chosen numbers.
    fn point(&self, taken: &[(usize, Linear)]) -> Option<(Vec<Shape>, Class)> {
        let less = |pile| taken.iter().find(|(at, _)| *at == pile).map_or(0, |(_, of)| of.more);
        let first = self.vector(less);
        let step = vec![0; self.length];
        (first.iter().sum::<usize>() > 0).then(|| (vec![Shape::Ray { first, step }], Class::Point))
    }

    fn one(
        &self,
        taken: &[(usize, Linear)],
        admits: impl Fn(&[usize]) -> Option<bool>,
    ) -> Option<(Vec<Shape>, Class)> {
        let allowed: Vec<bool> = (0..=self.largest).map(|t| admits(&[t])).collect::<Option<_>>()?;
        let less = |t: usize, pile| {
            taken.iter().find(|(at, _)| *at == pile).map_or(0, |(_, of)| of.factor * t + of.more)
        };
        let nothing = (0..self.length).all(|pile| less(0, pile) == 0);
        if nothing && allowed[0] && !self.plain.skips_nothing {
            return None;
        }
        let mut shapes = Vec::new();
        let mut class = Class::Ray;
        for (first, step) in progressions(&allowed, usize::from(nothing)) {
            class = class.max(match step {
                0 => Class::Window,
                1 => Class::Ray,
                _ => Class::Residue,
            });
            let first_of = self.vector(|pile| less(first, pile));
            let step_of = self.vector(|pile| less(first + step, pile) - less(first, pile));
            shapes.push(Shape::Ray { first: first_of, step: step_of });
        }
        Some((shapes, class))
    }

    /// Reads a move that chooses two numbers, and takes each number from one or more piles.
    fn two(
        &self,
        taken: &[(usize, Linear)],
        admits: impl Fn(&[usize]) -> Option<bool>,
    ) -> Option<(Vec<Shape>, Class)> {
        let size = self.largest + 1;
        let mut allowed = vec![false; size * size];
        for (at, allowed) in allowed.iter_mut().enumerate() {
            *allowed = admits(&[at / size, at % size])?;
        }
        if allowed[0] && !self.plain.skips_nothing {
            return None;
        }
        allowed[0] = false;
        if taken.len() == 2 {
            let piles: Vec<usize> = taken.iter().map(|&(pile, _)| pile).collect();
            let is_all = |least: usize| {
                let inside = |at: usize| at > 0 && (at / size).min(at % size) >= least;
                allowed.iter().enumerate().all(|(at, &allowed)| allowed == inside(at))
            };
            for all in [false, true] {
                if is_all(usize::from(all)) {
                    return Some((vec![Shape::Box { piles, all }], Class::Box));
                }
            }
        }
        let vector = |s: usize, t: usize| {
            self.vector(|pile| {
                let place = taken.iter().find(|(at, _)| *at == pile).map(|(_, of)| of.place);
                place.map_or(0, |place| [s, t][place])
            })
        };
        let mut shapes = Vec::new();
        for difference in 0..2 * size - 1 {
            let (s, t) =
                (difference.saturating_sub(size - 1), (size - 1).saturating_sub(difference));
            let line: Vec<bool> =
                (0..size - s.max(t)).map(|at| allowed[(s + at) * size + t + at]).collect();
            for (first, step) in progressions(&line, 0) {
                let first = vector(s + first, t + first);
                shapes.push(Shape::Ray { first, step: vector(step, step) });
            }
            if shapes.len() > MOST_MOVES {
                return None;
            }
        }
        Some((shapes, Class::Band))
    }

    /// Reads a move that takes a separate number from each of several piles.
    fn many(
        &self,
        taken: &[(usize, Linear)],
        ranges: &[(&Expr, Vec<&Expr>)],
        sets: &[Option<&Expr>],
    ) -> Option<(Vec<Shape>, Class)> {
        let plain = |&(_, of): &(usize, Linear)| (of.factor, of.more) == (1, 0);
        let from = constant(ranges.first()?.0)?;
        let alike =
            ranges.iter().all(|(least, most)| constant(least) == Some(from) && most.is_empty());
        let all = from == 1;
        let fits = alike && sets.iter().all(Option::is_none) && taken.iter().all(plain);
        if !fits || taken.len() != ranges.len() || !(all || from == 0 && self.plain.skips_nothing) {
            return None;
        }
        let piles = taken.iter().map(|&(pile, _)| pile).collect();
        Some((vec![Shape::Box { piles, all }], Class::Box))
    }

    /// Reads a move that chooses several numbers, each of which has its own bound.
    fn few(
        &self,
        taken: &[(usize, Linear)],
        ranges: &[(&Expr, Vec<&Expr>)],
        admits: impl Fn(&[usize]) -> Option<bool>,
    ) -> Option<(Vec<Shape>, Class)> {
        let bounds = ranges.iter().map(|(_, most)| most.iter().copied().filter_map(constant).min());
        let sizes: Vec<usize> =
            bounds.map(|bound| Some(bound?.min(self.largest) + 1)).collect::<Option<_>>()?;
        let all = sizes.iter().try_fold(1usize, |all, &size| all.checked_mul(size))?;
        let mut shapes = Vec::new();
        for mut number in 0..Some(all).filter(|&all| all <= MOST_MOVES << 4)? {
            let mut chosen = vec![0; sizes.len()];
            for (chosen, size) in chosen.iter_mut().zip(&sizes) {
                (*chosen, number) = (number % size, number / size);
            }
            if !admits(&chosen)? {
                continue;
            }
            let first = self.vector(|pile| {
                let of = taken.iter().find(|(at, _)| *at == pile);
                of.map_or(0, |(_, of)| of.more + of.factor * chosen.get(of.place).unwrap_or(&0))
            });
            if first.iter().all(|&taken| taken == 0) {
                if !self.plain.skips_nothing {
                    return None;
                }
                continue;
            }
            shapes.push(Shape::Ray { first, step: vec![0; self.length] });
        }
        Some((shapes, Class::Window))
    }
}

/// True if the moves do not depend on the order of the piles.
pub(crate) fn is_symmetric(found: &Shapes, length: usize) -> bool {
    let swapped = |shape: &Shape, at: usize| match shape.clone() {
        Shape::Ray { mut first, mut step } => {
            first.swap(at, at + 1);
            step.swap(at, at + 1);
            Shape::Ray { first, step }
        }
        Shape::Box { piles, all } => {
            let other = |pile: usize| {
                if pile == at {
                    at + 1
                } else if pile == at + 1 {
                    at
                } else {
                    pile
                }
            };
            let mut piles: Vec<usize> = piles.into_iter().map(other).collect();
            piles.sort_unstable();
            Shape::Box { piles, all }
        }
    };
    let all: Vec<&Shape> = found.moves.iter().map(|made| &made.shape).collect();
    found.guards.is_empty()
        && (1..length).all(|at| all.iter().all(|shape| all.contains(&&swapped(shape, at - 1))))
}

/// Divides numbers into progressions and single numbers, so that filling takes the least time.
/// Returns the first number and the step of each progression; a single number has step 0. A
/// progression costs as much as two or three single numbers.
fn progressions(allowed: &[bool], from: usize) -> Vec<(usize, usize)> {
    let cut = |step: usize| {
        let mut found = Vec::new();
        for residue in 0..step {
            let numbers = (residue..allowed.len()).step_by(step).filter(|&t| t >= from);
            let numbers: Vec<usize> = numbers.collect();
            let tail = numbers.iter().rev().take_while(|&&t| allowed[t]).count();
            let (before, tail) = numbers.split_at(numbers.len() - tail);
            found.extend(before.iter().filter(|&&t| allowed[t]).map(|&t| (t, 0)));
            match tail {
                [first, _, _, ..] => found.push((*first, step)),
                few => found.extend(few.iter().map(|&t| (t, 0))),
            }
        }
        found.sort_unstable();
        found
    };
    let cost = |found: &Vec<(usize, usize)>| -> usize {
        found.iter().map(|&(_, step)| if step == 0 { 1 } else { 3 }).sum()
    };
    (1..=allowed.len().clamp(1, 24)).map(cut).min_by_key(cost).unwrap_or_default()
}
