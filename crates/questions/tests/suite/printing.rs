//! Tests of printed statements, and of the messages for invalid statements.

use grundy_questions::{Problem, Question, Span, ValueError, Values, reprinted};
use grundy_rules::games::{self, END_NIM};
use grundy_rules::{Game, Memory, Pile};

use crate::cases::cases;

const CASES: &str = include_str!("printing.txt");

/// Tests that a printed statement has only necessary brackets. The expected texts follow from the
/// precedences in docs/LANGUAGE.md.
#[test]
fn a_statement_is_printed_with_the_brackets_it_needs() {
    for (line, [text, expected]) in cases(CASES, "printed") {
        assert_eq!(reprinted(text), Ok((expected.to_owned(), true)), "line {line}: {text}");
    }
}

/// Each case has a statement, the error, the hint, and the place in bytes (counted by hand).
#[test]
fn an_error_names_its_place_and_a_remedy() {
    for (line, [text, what, hint, place]) in cases(CASES, "refused") {
        let found = Question::parse(games::END_NIM, text).unwrap_err();
        assert!(found.what.contains(what), "line {line}: {found}");
        assert_eq!(
            format!("{} {}", found.span.start, found.span.end),
            place,
            "line {line}: {found}"
        );
        let said = found.hint.as_deref().unwrap_or("");
        assert!(said.contains(hint), "line {line}: {found}");
    }
}

/// Tests the list of the parts of a statement with their values at a position. The list contains
/// each name once, in order of appearance, and no literals. The values were calculated by hand.
#[test]
fn parts_of_a_statement_at_a_position() {
    /// The values of single piles of End-Nim, which are the numbers of coins.
    struct Single;
    impl Values for Single {
        fn cell(&self, _: Game, piles: &[Pile], _: &Memory) -> Result<u32, ValueError> {
            assert_eq!(piles.len(), 1);
            Ok(piles[0])
        }
    }
    let parts = |game, text: &str, piles: &[Pile], cell| {
        let question = Question::parse(game, text).unwrap();
        let found = question.parts(piles, &Memory::Nothing, cell, &Single);
        let shown: Vec<String> = found.iter().map(|(name, it)| format!("{name} = {it}")).collect();
        shown.join("; ")
    };
    let text = "let d = first - last; d < 2 -> g == g(first) and first > p2";
    assert_eq!(parts(END_NIM, text, &[3, 1], 2), "first = 3; last = 1; d = 2; g = 2; g(first) = 3");
    assert_eq!(parts(END_NIM, "outcome == P and 2 in {1, k}", &[3, 1], 2), "outcome = N; k = 2");
    assert_eq!(parts(END_NIM, "outcome == P", &[3, 3], 0), "outcome = P");
    assert_eq!(parts(END_NIM, "sum(middle) > total", &[3, 7, 1], 0), "middle = (7); total = 11");
    assert_eq!(parts(END_NIM, "let s = {2, 1}; g in s", &[1], 1), "s = {1, 2}; g = 1");
    assert_eq!(parts(END_NIM, "let b = g == 1; b", &[1], 1), "g = 1; b = true");
    let text = "g[nim] == g[end-nim] and g[loop-end-nim](first) > 1";
    let expected = "g[nim](piles) = 7; g = 3; g[loop-end-nim](first) = 7";
    assert_eq!(parts(END_NIM, text, &[7], 3), expected);
    // A part without a value is left out.
    assert_eq!(parts(END_NIM, "let d = 1 // (first - 1); g == d", &[1], 1), "first = 1");
}

/// Tests the places of carets if characters have several bytes. The places were counted by hand.
#[test]
fn carets_stand_under_characters() {
    let problem = |text: &str| Question::parse(games::END_NIM, text).unwrap_err();
    assert_eq!(problem("g == é and ∇").span, Span { start: 12, end: 15 });
    // The error marks the whole letter after a digit, even if it has two bytes.
    let found = problem("g == 3é");
    assert_eq!(found.span, Span { start: 5, end: 8 });
    assert!(found.to_string().contains("\n1 | g == 3é\n  |      ^^ a letter follows a digit"));
    // This span begins and ends inside characters.
    let moved = |text: &str, start: usize, end: usize| {
        let mut problem: Problem = problem(text);
        problem.span = Span { start, end };
        problem.to_string()
    };
    let inside = moved("g == éé ∇", 6, 9);
    assert!(inside.contains("\n1 | g == éé ∇\n  |      ^^"), "{inside}");
    let behind = moved("g == ∇", 90, 95);
    assert!(behind.contains("\n1 | g == ∇\n  |       ^"), "{behind}");
}

/// Tests that a message shows only sixty bytes before and after the error of a long statement.
#[test]
fn long_statements_are_shown_in_part() {
    let text = format!("{} ∇ {}", "é".repeat(150), "é".repeat(150));
    let shown = Question::parse(games::END_NIM, &text).unwrap_err().to_string();
    let line = shown.lines().find_map(|line| line.strip_prefix("1 | ")).unwrap();
    // A name of 300 bytes and a space precede the operator. Byte 301 - 60 = 241 is inside a
    // character, so the shown part begins at 240. The operator has 3 bytes, and byte 364, which is
    // 60 bytes after it, is also inside a character.
    let expected = format!("{} ∇ {}", "é".repeat(30), "é".repeat(30));
    assert_eq!(line, expected);
}
