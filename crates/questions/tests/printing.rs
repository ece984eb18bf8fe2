//! Statements printed again, and what is said of those that cannot be read.

use grundy_questions::{Problem, Question, Span, reprinted};
use grundy_rules::games;

/// By hand, from the order of the signs in docs/LANGUAGE.md: what is printed has the brackets that it
/// needs and no others.
#[test]
fn a_statement_is_printed_with_the_brackets_it_needs() {
    let cases = [
        ("g==-1", "g == -1"),
        ("- (- g) < 0", "--g < 0"),
        ("-(p1 + p2) < 0", "-(p1 + p2) < 0"),
        ("-(2 ** 3) < 0", "-2 ** 3 < 0"),
        ("(-2) ** 3 < 0", "(-2) ** 3 < 0"),
        ("2 ** -p1 < 0", "2 ** -p1 < 0"),
        ("2 ** (3 ** p1) > 0", "2 ** 3 ** p1 > 0"),
        ("(2 ** 3) ** p1 > 0", "(2 ** 3) ** p1 > 0"),
        ("not (P)", "not P"),
        ("not (P and N)", "not (P and N)"),
        ("not (g == 0)", "not g == 0"),
        ("(not P) == true", "(not P) == true"),
        ("g == (p1 + p2) + p3", "g == p1 + p2 + p3"),
        ("g == p1 - (p2 - p3)", "g == p1 - (p2 - p3)"),
        ("g == (p1 * p2) + p3", "g == p1 * p2 + p3"),
        ("g == p1 * (p2 + p3)", "g == p1 * (p2 + p3)"),
        ("g == p1 // (p2 % p3)", "g == p1 // (p2 % p3)"),
        ("g == (p1 ^ p2) | p3 & 1 << 2", "g == p1 ^ p2 | p3 & 1 << 2"),
        ("g == p1 ^ (p2 | p3)", "g == p1 ^ (p2 | p3)"),
        ("g >> 1 == (p1 >> (p2 + 1))", "g >> 1 == p1 >> p2 + 1"),
        ("1 <= g < 3", "1 <= g < 3"),
        ("(1 <= g) == (g < 3)", "(1 <= g) == (g < 3)"),
        ("g in 1..3", "g in 1..3"),
        ("g not in {1, 2..3}", "g not in {1, 2..3}"),
        ("(P and N) or (L and R)", "P and N or L and R"),
        ("P and (N or L) and R", "P and (N or L) and R"),
        ("P and (N and L)", "P and (N and L)"),
        ("P -> (N -> L)", "P -> N -> L"),
        ("(P -> N) -> L", "(P -> N) -> L"),
        ("(P <-> N) -> L", "(P <-> N) -> L"),
        ("P <-> (N -> L)", "P <-> N -> L"),
        ("(P if N else L) or R", "(P if N else L) or R"),
        ("P if N else (L if R else P)", "P if N else L if R else P"),
        ("(P if N else L) if R else P", "(P if N else L) if R else P"),
        ("let d = p1;d == 2", "let d = p1; d == 2"),
        ("P and (let d = p1; d == 2)", "P and (let d = p1; d == 2)"),
        ("max( p1,p2 ) == 2", "max(p1, p2) == 2"),
        ("all(i in 1..k:piles[ i ] > 1)", "all(i in 1..k: piles[i] > 1)"),
        ("any(x in piles:x > 1 -> P)", "any(x in piles: x > 1 -> P)"),
        ("g(p1,p2 - 1;3) == 0", "g(p1, p2 - 1; 3) == 0"),
        ("{} == {1}", "{} == {1}"),
    ];
    for (text, expected) in cases {
        assert_eq!(reprinted(text), Ok((expected.to_owned(), true)), "{text}");
    }
}

/// Where the caret stands, by counting: under the character, whatever its bytes, and never in the
/// middle of one.
#[test]
fn carets_stand_under_characters() {
    let problem = |text: &str| Question::parse(games::END_NIM, text).unwrap_err();
    assert_eq!(problem("g == é and ∇").span, Span { start: 12, end: 15 });
    // A letter of two bytes behind a digit belongs to what is wrong.
    let found = problem("g == 3é");
    assert_eq!(found.span, Span { start: 5, end: 8 });
    assert!(found.to_string().contains("\n1 | g == 3é\n  |      ^^ a digit, then a letter"));
    // A span of somebody else's that begins and ends inside of characters.
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

/// Of a long statement the part around what is wrong is shown: sixty bytes on either side.
#[test]
fn long_statements_are_shown_in_part() {
    let text = format!("{} ∇ {}", "é".repeat(150), "é".repeat(150));
    let shown = Question::parse(games::END_NIM, &text).unwrap_err().to_string();
    let line = shown.lines().find_map(|line| line.strip_prefix("1 | ")).unwrap();
    // The name of 300 bytes and a space lie before the sign: from 301 - 60 = 241, inside of a
    // character, it goes back to 240. Behind the sign of 3 bytes 60 more end in a character at 364.
    let expected = format!("{} ∇ {}", "é".repeat(30), "é".repeat(30));
    assert_eq!(line, expected);
}
