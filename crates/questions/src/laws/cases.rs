//! Covers the positions of a value by cases, which are conjunctions of conditions.

use super::condition::Condition;
use super::set::Set;

/// The maximum numbers of cases, of conditions in a case, and of conjunctions that a step keeps.
const MOST_CASES: usize = 5;
const MOST_CONDITIONS: usize = 4;
const BEAM: usize = 60;

/// The conditions found for the positions of a value.
pub(super) struct Cases<'a> {
    /// The cases, which are conjunctions. No position of another value satisfies any of them.
    pub(super) found: Vec<Vec<&'a Condition>>,
    /// True if every position of the value belongs to a case.
    pub(super) is_complete: bool,
    /// A few of the conditions that all positions of the value satisfy. On the sample, these few
    /// conditions imply the others.
    pub(super) necessary: Vec<&'a Condition>,
}

impl Cases<'_> {
    pub(super) fn cost(&self) -> u32 {
        self.found.iter().flatten().map(|condition| 1 + condition.cost).sum()
    }
}

/// Finds conditions that distinguish the positions of `target` from the rest of `domain`.
pub(super) fn cover<'a>(pool: &'a [Condition], domain: &Set, target: &Set) -> Cases<'a> {
    let others = domain.without(target);
    let within: Vec<&Condition> =
        pool.iter().filter(|condition| target.is_within(&condition.set)).collect();
    let (necessary, rest) = fewest(&within, &others);
    if rest.is_empty() {
        return Cases {
            found: vec![necessary.clone()],
            is_complete: !necessary.is_empty(),
            necessary,
        };
    }
    let mut found = Vec::new();
    let mut open = target.clone();
    // A case with only a few positions is probably a coincidence.
    let least = (target.count() / 25).max(2);
    while found.len() < MOST_CASES && !open.is_empty() {
        let Some((case, covered)) = best_case(pool, domain, &others, &open) else { break };
        if open.common(&covered) < least && found.is_empty() {
            break;
        }
        open = open.without(&covered);
        found.push(case);
    }
    Cases { is_complete: open.is_empty(), found, necessary }
}

/// Returns a few conditions that together exclude every position of `others` that any condition
/// excludes, and the positions of `others` that remain.
fn fewest<'a>(conditions: &[&'a Condition], others: &Set) -> (Vec<&'a Condition>, Set) {
    let all = conditions.iter().fold(others.clone(), |left, one| left.and(&one.set));
    let (mut chosen, mut left): (Vec<&Condition>, Set) = (Vec::new(), others.clone());
    while left != all {
        // Choose the condition that excludes the most positions, relative to its cost.
        let excluded = |one: &&&Condition| {
            let count = left.count() - left.common(&one.set);
            u64::from(count) * 60 / u64::from(one.cost + 2)
        };
        let Some(&best) = conditions.iter().max_by_key(excluded) else { break };
        left = left.and(&best.set);
        chosen.push(best);
    }
    // Remove conditions that later choices made superfluous.
    let mut at = 0;
    while at < chosen.len() {
        let without = chosen.iter().enumerate().filter(|(other, _)| *other != at);
        if without.fold(others.clone(), |left, (_, one)| left.and(&one.set)) == all {
            chosen.remove(at);
        } else {
            at += 1;
        }
    }
    (chosen, all)
}

/// Returns the best conjunction that the search finds, with the positions that satisfy it. The
/// conjunction covers many positions of `open` and no positions of `others`.
fn best_case<'a>(
    pool: &'a [Condition],
    domain: &Set,
    others: &Set,
    open: &Set,
) -> Option<(Vec<&'a Condition>, Set)> {
    let mut beam: Vec<(Vec<usize>, Set)> = vec![(Vec::new(), domain.clone())];
    let mut best: Option<(u64, Vec<usize>, Set)> = None;
    for _ in 0..MOST_CONDITIONS {
        let mut next: Vec<(u64, Vec<usize>, Set)> = Vec::new();
        for (chosen, set) in &beam {
            for (at, condition) in pool.iter().enumerate() {
                if chosen.contains(&at) {
                    continue;
                }
                let set = set.and(&condition.set);
                let (right, wrong) = (set.common(open), set.common(others));
                if right == 0 {
                    continue;
                }
                let mut chosen = chosen.clone();
                chosen.push(at);
                chosen.sort_unstable();
                let cost: u32 = chosen.iter().map(|&at| 1 + pool[at].cost).sum();
                // Prefer large coverage, then low cost.
                let score = (u64::from(right) << 20) / u64::from(80 + cost);
                if wrong == 0 {
                    if best.as_ref().is_none_or(|(known, ..)| score > *known) {
                        best = Some((score, chosen, set));
                    }
                } else {
                    // Keep the conjunctions that cover many positions of `open` and few of
                    // `others`. The next step adds a condition to each conjunction.
                    let purity = u64::from(right) * u64::from(right) * 1000
                        / (u64::from(right) + u64::from(wrong));
                    next.push((purity, chosen, set));
                }
            }
        }
        next.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        next.dedup_by(|a, b| a.1 == b.1);
        next.truncate(BEAM);
        beam = next.into_iter().map(|(_, chosen, set)| (chosen, set)).collect();
    }
    best.map(|(_, chosen, set)| (chosen.into_iter().map(|at| &pool[at]).collect(), set))
}
