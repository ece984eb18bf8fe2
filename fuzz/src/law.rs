//! Rule files and their compiler.
//!
//! - Parsing any bytes as a rule file gives rules or an error message, and never panics.
//! - If the lines of a random rule file have shapes, the kernels of every instruction set fill the
//!   same tables as the general solver, which visits every option. This holds with much and with
//!   little memory. Small tables agree with the rules at every position.
//! - The checker accepts these tables, and finds a changed cell.

use arbitrary::Unstructured;
use grundy_rules::Pile;
use grundy_rules::law::RuleFile;

// Share the comparison of tables with the tests of `solvers`.
#[allow(dead_code)]
#[path = "../../crates/solvers/tests/suite/common.rs"]
mod common;
#[path = "../../crates/solvers/tests/suite/laws.rs"]
mod laws;

/// Panics if one of the properties above fails. The bytes are used as a rule file, and as the
/// choices that generate a rule file.
pub fn run(data: &[u8]) {
    if let Err(problem) = RuleFile::from_bytes(data) {
        assert!(!problem.to_string().is_empty());
    }
    if let Ok((text, max_pile, length)) = written(&mut Unstructured::new(data)) {
        let game = RuleFile::from_text(&text).and_then(RuleFile::game);
        let game = game.unwrap_or_else(|problem| panic!("{text}\n{problem}"));
        laws::holds(game, max_pile, length);
    }
}

/// Returns rule files, and bytes that choose each form of a line.
pub fn seeds() -> Vec<Vec<u8>> {
    let rulesets = grundy_rules::rulesets::RULESETS.iter();
    let texts = rulesets.map(|(_, text)| text.as_bytes().to_vec());
    let choices = (0..FORMS.len() as u8).map(|form| vec![form, form, 1, 2, form, 1, 1, 0, form, 7]);
    texts.chain(choices).collect()
}

type Written<T> = arbitrary::Result<T>;

/// Returns a random rule file, with the largest pile and the length of its table.
fn written(input: &mut Unstructured<'_>) -> Written<(String, Pile, usize)> {
    if input.ratio(1, 6)? {
        return of_family(input);
    }
    let kind = *input.choose(&["row", "heaps", "places", "sum"])?;
    let length = if kind == "sum" { 1 } else { input.int_in_range(1..=4)? };
    let mut text = format!("name: toy\ntitle: Toy\nsource: here\npiles: {kind}\n");
    text += &with_numbers(input, "set few: {each i in 1..D: i * i, C..20}\n")?;
    let mut keys = vec!["move"];
    if kind != "sum" {
        let least = if kind == "places" { length } else { 1 };
        text += &format!("length: {least}..{length}\n");
        text +=
            input.choose(&["", "", "play: misere\n", "where: total % 7 < 6\n", "blocks: 1\n"])?;
        text += input.choose(&["", "", "", "falls: sum(x in piles: x * x)\n"])?;
        text += input.choose(&["", "", "", "within: total\n"])?;
        if !text.contains("misere") && input.ratio(1, 8)? {
            keys = vec!["left", "right"];
        }
    }
    let remembers = kind != "sum" && input.ratio(1, 6)?;
    if remembers {
        text += input.choose(&["", "remembers: last move\n"])?;
        text += "remembers: some in 0..2\nremembers: side in 1..3\n";
    }
    for at in 0..input.int_in_range(keys.len()..=3)? {
        let mut line = match kind {
            "sum" => split(input)?,
            "heaps" if text.contains("within") && input.ratio(1, 3)? => with_numbers(
                input,
                "i in 1..k, a in 0..(piles[i] - C) // 2: \
                                     piles[i] := [a, piles[i] - C - a]",
            )?,
            _ => line(input)?,
        };
        if remembers {
            let sets = *input.choose(&SETS)?;
            line += &with_numbers(input, sets)?;
        }
        text += &format!("{}: {line}\n", keys[at % keys.len()]);
    }
    let (few, many) = [(60, 300), (20, 70), (8, 17), (4, 8)][length - 1];
    // A table of heaps within a total has the positions of all lengths, and the memories multiply
    // the positions, whose falls are compared one by one.
    let is_by_total = text.contains("within");
    let largest = match input.ratio(1, 8)? {
        _ if remembers && (is_by_total || text.contains("falls")) => 3,
        _ if is_by_total => 16,
        true => many,
        false => few,
    };
    Ok((text, input.int_in_range(1..=largest)?, length))
}

/// Moves, each as binders, a condition and effects. The placeholders `C` and `D` stand for small
/// numbers, and `P` and `Q` for two piles.
const FORMS: [[&str; 3]; 33] = [
    ["t in 1..P", "", "P -= t"],
    ["t in 1..P - C", "", "P -= t"],
    ["t in C..P", "", "P -= t"],
    ["t in 1..min(C, P)", "", "P -= t"],
    ["t in {1, C, D + 4}", "t <= P", "P -= t"],
    ["t in 1..P", "t % D == C % D", "P -= t"],
    ["t in 1..P", "t % D != 1 and t > C", "P -= t"],
    ["t in 1..P", "t != C", "P -= t"],
    ["t in 1..P", "t != Q", "P -= t"],
    ["t in 1..P", "(t + Q) % (D + 1) != first % 2", "P -= t"],
    ["t in 1..Q", "t <= P and t % Q == 0", "P -= t"],
    ["t in 1..min(P, Q // D) - C", "", "P -= t + C"],
    ["t in 1 - C..P - C", "", "P -= t + C"],
    ["t in 1..P // D", "", "P -= D * t"],
    ["t in 0..(P - C) // D", "", "P -= D * t + C"],
    ["t in 1..min(P, Q)", "", "P -= t, Q -= t"],
    ["t in 1..min(P, Q // D)", "", "P -= t, Q -= D * t"],
    ["t in C..min(P - 1, Q)", "", "P -= t + 1, Q -= t"],
    ["t in 1..min(C, P, Q)", "", "P -= t, Q -= t"],
    ["t in C + 1..P", "", "P -= t, Q += C"],
    ["t in 1..P", "P - t >= Q + t", "P -= t, Q += t"],
    ["", "", "P += Q, Q := 0"],
    ["s in 1..P, t in 1..Q", "", "P -= s, Q -= t"],
    ["s in 0..P, t in 0..Q", "abs(s - t) < C and s + t > 0", "P -= s, Q -= t"],
    ["s in 1..P, t in 1..Q", "s <= t + C", "P -= s, Q -= t"],
    ["s in 1..P, t in 1..Q", "(s + t) % D == 0", "P -= s, Q -= t"],
    ["", "P >= C", "P -= C"],
    ["", "P >= C and Q >= D", "P -= C, Q -= D"],
    ["H in subsets(1..k, 1..D), each i in H t[i] in 1..piles[i]", "", "piles[i] -= t[i]"],
    ["H in windows(1..k, D), each i in H t[i] in 0..piles[i]", "", "piles[i] -= t[i]"],
    ["H in cyclic windows(1..k, 2), each i in H t[i] in 1..piles[i]", "", "piles[i] -= t[i]"],
    ["each i in 1..k t[i] in 0..min(C, piles[i])", "sum(i in 1..k: t[i]) <= D", "piles[i] -= t[i]"],
    ["t in few", "t <= P and t not in 4..9000", "P -= t"],
];

/// Numbers that a move remembers. Some of them are out of range.
const SETS: [&str; 6] = [
    "",
    ", some := (some + D) % 3",
    ", some := total % D, side := 4 - side",
    ", side := min(first, 3)",
    ", side := 1 + (some + side) % 3",
    ", some := first - last",
];

/// Ways to choose two piles: binders, a condition, and the texts for `P` and `Q`.
const PILES: [[&str; 4]; 6] = [
    ["i in 1..k, j in i + 1..k", "", "piles[i]", "piles[j]"],
    ["i in 1..k, j in 1..k", "i != j", "piles[i]", "piles[j]"],
    ["i in 1..k - 1", "", "piles[i]", "piles[i + 1]"],
    ["i in 1..k, j in {1}", "i != 1", "piles[i]", "piles[j]"],
    ["", "k >= 2", "first", "last"],
    ["", "k >= 2", "p2", "p1"],
];

/// Additional conditions. Some of the conditions have no value at some positions.
const CONDITIONS: [&str; 9] = [
    "k >= 2",
    "total % D == 1",
    "first >= C",
    "last != C",
    "first <= last",
    "12 // P > C",
    "k > 1 and p2 % D < p1 % (D + 1)",
    "D in piles",
    "1 // (last - D) == 0",
];

/// Ways to take any number of coins from an end of a row, or from a heap. Some of them are wrong.
const ANY: [&str; 8] = [
    "t in 1..P if k >= 2: P -= t",
    "t in 0..P - 1 if k > 1: P := t",
    "t in 1..total if t <= P and k != 1: P -= t",
    "t in 1..min(P, total - 1) if k >= 2: P -= t",
    "t in 1 - C..P - C if k >= 2: P -= t + C",
    "t in 1..P if t < total: P -= t",
    "t in 1..P if t != C: P -= t",
    "t in C..P if k >= D: P -= t",
];

/// Returns a rule file that may belong to a family with a solver of its own.
fn of_family(input: &mut Unstructured<'_>) -> Written<(String, Pile, usize)> {
    let kind = *input.choose(&["row", "heaps"])?;
    let mut text = format!("name: toy\ntitle: Toy\nsource: here\npiles: {kind}\n");
    text += input.choose(&["", "", "play: misere\n"])?;
    let any = *input.choose(&ANY)?;
    let any = with_numbers(input, any)?;
    if kind == "heaps" {
        text += &format!("move: i in 1..k, {}\n", any.replace('P', "piles[i]"));
    } else {
        text += &["first", "last"].map(|end| format!("move: {}\n", any.replace('P', end))).concat();
    }
    // A single pile can have one effect.
    let single = |form: &&[&str; 3]| !form[2].contains(", ");
    let singles: Vec<_> = FORMS[..16].iter().filter(single).collect();
    for _ in 0..input.int_in_range(0..=2)? {
        let [binders, guard, effects] = **input.choose(&singles)?;
        let guard = if guard.is_empty() { String::new() } else { format!(" and {guard}") };
        let comma = if binders.is_empty() { "" } else { " " };
        let line = format!("{binders}{comma}if k == 1{guard}: {effects}");
        text += &format!("move: {}\n", with_numbers(input, &line)?.replace(['P', 'Q'], "first"));
    }
    let length = input.int_in_range(1..=4)?;
    Ok((text, input.int_in_range(1..=[60, 20, 8, 4][length - 1])?, length))
}

fn line(input: &mut Unstructured<'_>) -> Written<String> {
    let [binders, guard, effects] = *input.choose(&FORMS)?;
    let [chosen, apart, p, q] = *input.choose(&PILES)?;
    let condition = if input.ratio(1, 3)? { *input.choose(&CONDITIONS)? } else { "" };
    // A form without placeholders for piles names its piles itself.
    let has_holes = effects.contains('P');
    let listed = |parts: &[&str], by: &str| {
        let parts = parts.iter().copied();
        let parts = parts.filter(|part| !part.is_empty() && (has_holes || !part.contains('P')));
        parts.collect::<Vec<_>>().join(by)
    };
    let binders = listed(&[if has_holes { chosen } else { "" }, binders], ", ");
    let guard = listed(&[if has_holes { apart } else { "" }, guard, condition], " and ");
    let guard = if guard.is_empty() { guard } else { format!(" if {guard}") };
    let line = format!("{binders}{guard}: {effects}").replace('P', p).replace('Q', q);
    with_numbers(input, &line)
}

fn with_numbers(input: &mut Unstructured<'_>, line: &str) -> Written<String> {
    let [c, d] = [input.int_in_range(1..=3)?, input.int_in_range(1..=3_u8)?];
    let line: String = line.replace('C', &u8::to_string(&c));
    Ok(line.replace('D', &d.to_string()))
}

/// Moves on a single pile n. Some of the moves take nothing, or more coins than the pile has.
const SPLITS: [&str; 14] = [
    "t in 1..min(D, n): n := [n - t]",
    "t in {1, C, D + 4} if t <= n: n := [n - t]",
    "t in few if t <= n: n := [n - t]",
    "t in 1..n: n := [each i in C..t: n - i]",
    "t in 1..n if t % D == C % D: n := [n - t]",
    "t in 1..n if t != C: n := [n - t]",
    "t in 1..n // D: n := [n - D * t]",
    "if n > C: n := [n - C]",
    "a in 1..n // 2: n := [a, n - a]",
    "a in 1..(n - 1) // 2: n := [a, n - a]",
    "a in 1..(n - C) // 2: n := [a, n - C - a]",
    "a in 0..(n - C - 1) // 2: n := [a, n - C - a]",
    "t in C..D, a in 0..(n - t) // 2: n := [a, n - t - a]",
    "t in C..D, a in 1..(n - 2 * t - 1) // 2: n := [a, n - 2 * t - a]",
];

fn split(input: &mut Unstructured<'_>) -> Written<String> {
    let line = *input.choose(&SPLITS)?;
    with_numbers(input, line)
}
