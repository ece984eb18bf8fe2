//! Tests that a program has no steps for results that are known when it is compiled.

use grundy_language::parser::parse;
use grundy_language::resolve::resolve;
use grundy_rules::games;

use super::*;
use crate::games::setting;
use crate::program::{Layout, Step};

/// Returns the program of a statement about two piles of End-Nim, each from 1 to 7.
fn program(text: &str) -> Program {
    let own = games::END_NIM;
    let expr = resolve(&parse(text).unwrap(), setting(own)).unwrap();
    let shape = Shape { length: 2, max_pile: 7, layout: Layout::List, tile_cells: 0 };
    lower(&expr, &Games::new(own), shape).unwrap()
}

/// An operation without effect takes no step: x + 0 is x, and two names of one pile are equal. The
/// expected numbers of steps were counted by hand.
#[test]
fn an_operation_without_effect_takes_no_step() {
    let the_same = "first / first + 0 / 0 + first / first - 0 / first * 1 / 1 * first / first << 0 / \
        first >> 0 / (first | 0) / (0 | first) / (first ^ 0) / (0 ^ first) / p1 / piles[1] / \
        piles[k - 1]";
    for text in the_same.split(" / ") {
        for sign in ["==", "<=", ">="] {
            let found = program(&format!("{text} {sign} first"));
            assert_eq!((found.result, found.per_cell.len()), (TRUE, 0), "{text} {sign}");
        }
        for sign in ["!=", "<", ">"] {
            let found = program(&format!("{text} {sign} first"));
            assert_eq!((found.result, found.per_cell.len()), (FALSE, 0), "{text} {sign}");
        }
    }
    // If the operation has an effect, it takes a step, and the comparison takes another one.
    let others = ["first + 1", "1 + first", "first - 1", "first * 2", "2 * first", "first << 1"];
    for text in others.into_iter().chain(["first >> 1", "(first | 1)", "(1 ^ first)"]) {
        assert_eq!(program(&format!("{text} == first")).per_cell.len(), 2, "{text}");
    }
}

/// A comparison whose result follows from the ranges takes no step: a pile is between 1 and 7.
#[test]
fn a_comparison_known_from_ranges_takes_no_step() {
    let always = ["first <= 7", "first < 8", "first >= 1", "first > 0", "first != 0", "first != 8"];
    let never = ["first > 7", "first >= 8", "first < 1", "first <= 0", "first == 0", "first == 8"];
    for (all, expected) in [(always, TRUE), (never, FALSE)] {
        for text in all {
            let found = program(text);
            assert_eq!((found.result, found.per_cell.len()), (expected, 0), "{text}");
        }
    }
    let open = ["first <= 6", "first < 7", "first >= 2", "first > 1", "first != 1", "first == 7"];
    for text in open {
        let found = program(text);
        assert!(!matches!(found.result, Arg::Fixed(_)), "{text}");
        assert!((1..=2).contains(&found.per_cell.len()), "{text}");
    }
}

/// Results are reused, even if commutative operands are exchanged. The expected numbers of steps
/// were counted by hand.
#[test]
fn a_repeated_expression_takes_no_second_step() {
    let steps = |text: &str| program(text).per_cell.len();
    assert_eq!(steps("first + last == last + first"), 1);
    assert_eq!(steps("first * last == last * first"), 1);
    assert_eq!(steps("(first ^ last) == (last ^ first)"), 1);
    assert_eq!(steps("first - last == first - last"), 1);
    assert_eq!(steps("first - last == last - first"), 3);
    assert_eq!(steps("g == 3"), 1);
    assert_eq!(steps("not g == 3"), 2);
    // A double negation is its operand.
    assert_eq!(steps("not not g == 3"), 2);
    assert_eq!(program("not not g == 3").result, program("g == 3").result);
    // In these statements a truth value is compared with true or false.
    for text in ["true -> g == 3", "(g == 3) <-> true", "true <-> (g == 3)"] {
        assert_eq!(steps(text), 1, "{text}");
        assert_eq!(program(text).result, program("g == 3").result, "{text}");
    }
    for text in ["g == 3 and true", "g == 3 or false", "false or g == 3", "true and g == 3"] {
        assert_eq!(program(text).result, program("g == 3").result, "{text}");
    }
    assert_eq!(program("false -> g == 3").result, TRUE);
    assert_eq!(program("false and g == 3").result, FALSE);
    assert_eq!(program("true or g == 3").result, TRUE);
}

/// Some right sides matter only where the left side is true. They are skipped if the left side is
/// true nowhere. A part that is always evaluated is never skipped.
#[test]
fn needless_right_sides_are_skipped() {
    let skips = |text: &str| {
        let steps = program(text).per_cell;
        steps.iter().filter(|step| matches!(step, Step::Skip { .. })).count()
    };
    assert_eq!(skips("g == 3 and g(first) == 2"), 1);
    assert_eq!(skips("g == 3 or g(first) == 2"), 1);
    assert_eq!(skips("g == 3 -> g(first) == 2"), 1);
    assert_eq!(skips("true and g(first) == 2"), 0);
    assert_eq!(skips("g == 3 <-> g(first) == 2"), 0);
}
