//! Tests that a program has no steps for results that are known at compile time.

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
    let (layout, is_band) = (Layout::List, false);
    let shape = Shape { length: 2, max_pile: 7, layout, tile_cells: 0, is_band };
    lower(&expr, &Games::new(own), shape).unwrap()
}

/// Tests that operations such as x + 0, and the different names of a pile, take no step.
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
    // These operations take a step, and the comparison takes another step.
    let others = ["first + 1", "1 + first", "first - 1", "first * 2", "2 * first", "first << 1"];
    for text in others.into_iter().chain(["first >> 1", "(first | 1)", "(1 ^ first)"]) {
        assert_eq!(program(&format!("{text} == first")).per_cell.len(), 2, "{text}");
    }
}

/// Tests that a comparison takes no step if its result follows from the range of a pile, 1 to 7.
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

/// Tests that results are reused, even if commutative operands are exchanged.
#[test]
fn a_repeated_expression_takes_no_second_step() {
    let steps = |text: &str| program(text).per_cell.len();
    assert_eq!(steps("first + last == last + first"), 0);
    assert_eq!(steps("first * last == last * first"), 0);
    assert_eq!(steps("(first ^ last) == (last ^ first)"), 0);
    assert_eq!(steps("first - last == first - last"), 0);
    assert_eq!(steps("first - last == last - first"), 3);
    assert_eq!(steps("g == 3"), 1);
    assert_eq!(steps("not g == 3"), 2);
    // A double negation takes no step, and a step whose result is not needed is left out.
    assert_eq!(steps("not not g == 3"), 1);
    assert_eq!(program("not not g == 3").result, program("g == 3").result);
    // A comparison of a truth value with true or false takes no step except a negation.
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

/// Tests that a right side is skipped if the left side determines the result in all lanes.
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
