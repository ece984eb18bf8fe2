//! Searches for laws, which are simple statements that may hold for all positions of a game.
//!
//! The search does not use the rules of the game, and proves no law. It receives a few thousand
//! positions with values. The caller checks the laws on many more positions. The kinds of laws are:
//!
//! * *Formulas*: the value equals a short expression of the piles, as in `g == first ^ last`.
//! * *Positions of a value*: the search tests a few hundred simple conditions (module `condition`).
//!   It keeps the conditions that all positions of a value v (or of a class) satisfy. If no other
//!   position satisfies all of them, a small subset of these conditions gives an equivalence, such
//!   as `g == 0 <-> first == last and p2 != first`. Otherwise the search covers the positions of
//!   value v by cases, large cases first. A case is a conjunction of conditions that no position of
//!   another value satisfies. If few cases cover all positions of value v, they give an equivalence
//!   too. If not, the kept conditions give a necessary condition, such as `g == 5 -> ...`.
//! * *Bounds*: the value is at most, or at least, a short expression.
//! * *Symmetries*: exchanging piles does not change the value.
//!
//! A case of only two or three positions of a small sample is more often a coincidence than a law.
//! So the search uses only a few short cases.

mod cases;
mod condition;
mod set;

use std::collections::BTreeSet;

use grundy_rules::{Game, Memory, Outcome, Pile};

use cases::{Cases, cover};
use condition::{Condition, Names, pool};
use set::Set;

/// Positions of one length, with their values or classes.
#[derive(Clone, Debug)]
pub struct Sample {
    pub game: Game,
    pub length: usize,
    /// The piles, memory, and cell of each position.
    pub positions: Vec<(Vec<Pile>, Memory, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LawKind {
    /// A formula for the value of every position.
    Formula,
    /// A condition that holds at exactly the positions of one value.
    Equivalence,
    /// Exchanging piles does not change the value.
    Symmetry,
    /// If the last pile is large, adding the period to it adds the period to the value.
    Period,
    /// A condition that all positions of a value satisfy.
    Necessary,
    /// The value is at most, or at least, an expression.
    Bound,
}

/// A statement that may hold for all positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    pub kind: LawKind,
    pub text: String,
    /// The subject. If a law holds, the caller skips the later laws with the same subject.
    pub subject: String,
}

/// The search looks for laws about the positions of a value only if the value is below this limit.
const VALUES: u32 = 9;

/// Returns laws to check, with the strongest law of each subject first. Equivalences and necessary
/// conditions hold on the sample. The other laws are not tested. The search for the laws about one
/// value begins when the caller has taken the laws before them.
pub fn laws(sample: &Sample) -> impl Iterator<Item = Law> {
    let mut laws = Vec::new();
    if sample.game.is_impartial() {
        laws.extend(formulas(sample));
        laws.extend(bounds(sample));
    }
    laws.extend(symmetries(sample));
    laws.into_iter().chain(places(sample))
}

/// Returns the symmetries to check, if the order of piles matters in the game.
fn symmetries(sample: &Sample) -> Vec<Law> {
    if sample.game.is_unordered() || sample.length < 2 {
        return Vec::new();
    }
    let of = if sample.game.is_impartial() { "g" } else { "outcome" };
    let law = |subject: &str, other: String| Law {
        kind: LawKind::Symmetry,
        text: format!("{of} == {of}({other})"),
        subject: subject.to_owned(),
    };
    let mut laws = vec![law("reverse", "reverse".to_owned())];
    if sample.length > 2 {
        for at in 1..sample.length {
            let mut order: Vec<usize> = (1..=sample.length).collect();
            order.swap(at - 1, at);
            let piles: Vec<String> = order.iter().map(|pile| format!("p{pile}")).collect();
            laws.push(law(&format!("swap {at}"), piles.join(", ")));
        }
    }
    laws
}

fn formulas(sample: &Sample) -> Vec<Law> {
    let names = Names::of(sample);
    let (first, last) = (names.pile(0), names.pile(sample.length - 1));
    let less = |pile: usize| format!("({} - 1)", names.pile(pile));
    let all_less: Vec<String> = (0..sample.length).map(less).collect();
    let mut parts = vec!["xor(piles)".to_owned(), "total".to_owned(), "max(piles)".to_owned()];
    parts.push(format!("({})", all_less.join(" ^ ")));
    if sample.length > 2 {
        parts.push(format!("({first} ^ {last})"));
        parts.push(format!("({} ^ {})", less(0), less(sample.length - 1)));
    }
    if sample.length > 1 {
        parts.push(format!("abs({first} - {last})"));
    }
    let mut texts = Vec::new();
    for part in &parts {
        texts.push(format!("g == {part}"));
        texts.extend((1..=2).map(|more| format!("g == {part} + {more}")));
        texts.extend((1..=2).map(|less| format!("g == {part} - {less}")));
    }
    for modulus in 2..=8 {
        texts.extend(["total", "xor(piles)"].map(|part| format!("g == {part} % {modulus}")));
        let rests = (0..sample.length).map(|pile| format!("{} % {modulus}", names.pile(pile)));
        texts.push(format!("g == {}", rests.collect::<Vec<_>>().join(" ^ ")));
    }
    let law = |text| Law { kind: LawKind::Formula, text, subject: "formula".to_owned() };
    texts.into_iter().map(law).collect()
}

/// Returns the upper and the lower bounds to check, each kind sorted by strength on the sample.
fn bounds(sample: &Sample) -> Vec<Law> {
    let mut laws = Vec::new();
    // The text of each expression, and the function that computes it.
    type Bound = (&'static str, fn(&[Pile]) -> i64);
    let parts: [Bound; 8] = [
        ("", |_| 0),
        ("total", |p| p.iter().copied().map(i64::from).sum()),
        ("max(piles)", |p| p.iter().copied().max().unwrap_or(0).into()),
        ("min(piles)", |p| p.iter().copied().min().unwrap_or(0).into()),
        ("first + last", |p| i64::from(p[0]) + i64::from(p[p.len() - 1])),
        ("max(first, last)", |p| p[0].max(p[p.len() - 1]).into()),
        ("abs(first - last)", |p| (i64::from(p[0]) - i64::from(p[p.len() - 1])).abs()),
        ("2 * max(first, last)", |p| 2 * i64::from(p[0].max(p[p.len() - 1]))),
    ];
    // For a single pile, every later expression equals a multiple of one of the first two.
    let parts = if sample.length == 1 { &parts[..2] } else { &parts[1..] };
    for above in [true, false] {
        let mut found: Vec<(i64, String)> = Vec::new();
        for &(text, part) in parts {
            let gaps = sample.positions.iter().map(|(piles, _, g)| i64::from(*g) - part(piles));
            // The number that must be added to the expression to make the bound true.
            let Some(more) = (if above { gaps.max() } else { gaps.min() }) else { continue };
            let sum: i64 = sample.positions.iter().map(|(piles, ..)| part(piles) + more).sum();
            let sign = if above { "<=" } else { ">=" };
            let text = match more {
                0 if text.is_empty() => continue,
                _ if text.is_empty() => format!("g {sign} {more}"),
                0 => format!("g {sign} {text}"),
                1.. => format!("g {sign} {text} + {more}"),
                _ => format!("g {sign} {text} - {}", -more),
            };
            found.push((if above { sum } else { -sum }, text));
        }
        found.sort();
        let subject = if above { "above" } else { "below" };
        laws.extend(found.into_iter().map(|(_, text)| Law {
            kind: LawKind::Bound,
            text,
            subject: subject.to_owned(),
        }));
    }
    laws
}

/// Returns the values or classes that laws may be about. For each value or class, returns the text
/// of a condition, such as `g == 0`, and the cell.
fn subjects(sample: &Sample) -> Vec<(String, u32)> {
    let there: BTreeSet<u32> = sample.positions.iter().map(|(.., cell)| *cell).collect();
    match sample.game.is_impartial() {
        true => {
            there.into_iter().filter(|&v| v < VALUES).map(|v| (format!("g == {v}"), v)).collect()
        }
        false => (0..)
            .zip(Outcome::ALL)
            .filter(|(at, _)| there.contains(at))
            .map(|(at, class)| (format!("outcome == {class}"), at))
            .collect(),
    }
}

fn places(sample: &Sample) -> impl Iterator<Item = Law> {
    let names = Names::of(sample);
    let conditions = pool(sample);
    // If each row has the same value as its reversal, restrict laws to one of the two rows.
    let halved = halves(sample);
    subjects(sample).into_iter().flat_map(move |(subject, cell)| {
        let mut laws = Vec::new();
        let whole = Set::of(sample.positions.iter().map(|_| true));
        let target = Set::of(sample.positions.iter().map(|(.., found)| *found == cell));
        let mut law = |kind, text| laws.push(Law { kind, text, subject: subject.clone() });
        let joined = |all: &[&Condition]| {
            let texts: Vec<String> = all.iter().map(|one| one.text(&names)).collect();
            texts.join(" and ")
        };
        let written = |cases: &Cases<'_>| match &cases.found[..] {
            [only] => joined(only),
            many => {
                let each: Vec<String> =
                    many.iter().map(|all| format!("({})", joined(all))).collect();
                each.join(" or ")
            }
        };
        let all = cover(&conditions, &whole, &target);
        if all.is_complete {
            law(LawKind::Equivalence, format!("{subject} <-> {}", written(&all)));
        }
        if let Some((half, premise)) =
            halved.as_ref().filter(|_| !all.is_complete || all.found.len() > 1)
        {
            let of_half = target.and(half);
            let cases = cover(&conditions, half, &of_half);
            if cases.is_complete && (!all.is_complete || cases.cost() < all.cost()) {
                let text = format!("{premise} -> ({subject} <-> {})", written(&cases));
                law(LawKind::Equivalence, text);
            }
        }
        // Leave out conditions that almost all positions outside the target satisfy too.
        let others = whole.without(&target);
        let least = others.count() / 25;
        let says = |condition: &&&Condition| others.without(&condition.set).count() > least;
        let necessary: Vec<&Condition> = all.necessary.iter().filter(says).copied().collect();
        if !necessary.is_empty() {
            law(LawKind::Necessary, format!("{subject} -> {}", joined(&necessary)));
        }
        laws
    })
}

/// Returns the set of positions with `first <= last`, and the text of this condition. `None` if a
/// position and its reversal in the sample differ in value, or if the positions are not rows.
fn halves(sample: &Sample) -> Option<(Set, String)> {
    if sample.game.is_unordered() || sample.length < 2 {
        return None;
    }
    let value = |piles: &[Pile], memory: &Memory| {
        let found =
            sample.positions.binary_search_by(|(p, m, _)| (&p[..], m).cmp(&(piles, memory)));
        found.ok().map(|at| sample.positions[at].2)
    };
    let sound = sample.positions.iter().all(|(piles, memory, cell)| {
        let reversed: Vec<Pile> = piles.iter().rev().copied().collect();
        value(&reversed, memory).is_none_or(|found| found == *cell)
    });
    let half = Set::of(sample.positions.iter().map(|(p, ..)| p[0] <= p[p.len() - 1]));
    sound.then(|| (half, "first <= last".to_owned()))
}

#[cfg(test)]
mod tests {
    use grundy_rules::reference::Reference;
    use grundy_rules::{Position, games};

    use super::*;

    fn sample(game: Game, length: usize, max_pile: Pile) -> Sample {
        let mut reference = Reference::new(game);
        let mut words = vec![Vec::new()];
        for _ in 0..length {
            let longer = |word: &Vec<Pile>| -> Vec<Vec<Pile>> {
                (1..=max_pile).map(|pile| [&word[..], &[pile]].concat()).collect()
            };
            words = words.iter().flat_map(longer).collect();
        }
        words.retain(|word| !game.is_unordered() || word.is_sorted());
        let positions = words.into_iter().map(|word| {
            let value = reference.value(&Position::row(&word));
            (word, Memory::Nothing, value)
        });
        Sample { game, length, positions: positions.collect() }
    }

    fn texts(laws: &[Law], kind: LawKind) -> Vec<&str> {
        laws.iter().filter(|law| law.kind == kind).map(|law| law.text.as_str()).collect()
    }

    /// Tests the laws of End-Nim with two piles, which equals Nim. No law may be vacuous.
    #[test]
    fn laws_of_two_piles() {
        let laws = laws(&sample(games::END_NIM, 2, 12)).collect::<Vec<_>>();
        let found = texts(&laws, LawKind::Equivalence);
        for expected in ["g == 0 <-> first == last", "g == 1 <-> xor(piles) == 1"] {
            assert!(found.contains(&expected), "{found:?}");
        }
        assert!(!found.iter().any(|text| text.starts_with("first <= last -> (g == 0 <-> ")));
        let necessary = texts(&laws, LawKind::Necessary);
        assert!(!necessary.is_empty());
        for text in necessary {
            assert!(text.split_once(" -> ").is_some_and(|(_, rest)| !rest.is_empty()), "{text}");
        }
    }

    /// Tests that the search finds theorems of Cairns and Ho for three piles: those of section 5
    /// about the value 0, and Theorem 5.1 about the value 1 in End-Nim.
    #[test]
    fn published_theorems_are_found_again() {
        let zeros = [
            (games::END_NIM, "g == 0 <-> first == last and p2 != last"),
            (games::LOOP_END_NIM, "g == 0 <-> first == last"),
        ];
        for (game, expected) in zeros {
            let laws = laws(&sample(game, 3, 10)).collect::<Vec<_>>();
            assert!(texts(&laws, LawKind::Equivalence).contains(&expected), "{game}: {laws:#?}");
        }
        let laws = laws(&sample(games::END_NIM, 3, 14)).collect::<Vec<_>>();
        let found =
            texts(&laws, LawKind::Equivalence).into_iter().find(|text| text.contains("g == 1"));
        let found = found.expect("an equivalence");
        for part in [
            "first <= last -> (g == 1 <-> ",
            "(p2 < first and last == first + 1 and first % 2 == 0)",
            "(last <= p2 and last == first + 1 and p2 != last + 1 and first % 2 == 1)",
            "(p2 == last and first % 2 == 1 and p2 == first + 2)",
            "(total == 3)",
        ] {
            assert!(found.contains(part), "{found}");
        }
    }

    /// In Greedy Nim a move takes coins from a largest heap. The P-positions are those with an even
    /// number of largest heaps (Albert and Nowakowski 2004).
    #[test]
    fn the_number_of_largest_piles_is_even() {
        let greedy = grundy_rules::rulesets::game("greedy-nim").expect("the ruleset");
        let laws = laws(&sample(greedy, 4, 6)).collect::<Vec<_>>();
        let found = texts(&laws, LawKind::Equivalence);
        let expected = "g == 0 <-> count(x in piles: x == max(piles)) % 2 == 0";
        assert!(found.contains(&expected), "{found:?}");
    }

    /// Tests every law about the positions of a value on its sample, with the slow evaluator.
    #[test]
    fn laws_are_true_of_their_sample() {
        struct Reversed<'a>(&'a Sample);
        impl crate::Values for Reversed<'_> {
            fn cell(&self, _: Game, piles: &[Pile], _: &Memory) -> Result<u32, crate::ValueError> {
                let found = self.0.positions.iter().find(|(known, ..)| known == piles);
                Ok(found.map_or(0, |(.., cell)| *cell))
            }
        }
        for (game, length, max_pile) in
            [(games::END_NIM, 3, 6), (games::MISERE_END_NIM, 2, 15), (games::END_WYTHOFF, 2, 12)]
        {
            let sample = sample(game, length, max_pile);
            let laws = laws(&sample).collect::<Vec<_>>();
            assert!(laws.len() > 10);
            for law in laws {
                let question = crate::Question::parse(game, &law.text).expect("a statement");
                if matches!(law.kind, LawKind::Formula | LawKind::Symmetry) {
                    continue;
                }
                for (piles, memory, cell) in &sample.positions {
                    let holds = question.holds(piles, memory, *cell, &Reversed(&sample));
                    assert!(holds.expect("a value"), "{}: {piles:?}", law.text);
                }
            }
        }
    }
}
