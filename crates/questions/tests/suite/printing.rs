//! Tests of printed statements, and of the messages for invalid statements.

use grundy_questions::{Problem, Question, Span, ValueError, Values, reprinted};
use grundy_rules::games::{self, END_NIM};
use grundy_rules::{Game, Memory, Pile};

/// A printed statement has only the brackets that it needs. The expected texts follow from the
/// precedences in docs/LANGUAGE.md.
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
        ("g == p1 - p2 - p3", "g == p1 - p2 - p3"),
        ("P and N and L", "P and N and L"),
        ("P -> let d = p1; d == 2", "P -> (let d = p1; d == 2)"),
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
        ("g==g[ nim ]", "g == g[nim]"),
        ("P[misere-end-nim] (p1,p2 - 1;3)", "P[misere-end-nim](p1, p2 - 1; 3)"),
        ("-g[nim][ 1 ]", "-g[nim][1]"),
    ];
    for (text, expected) in cases {
        assert_eq!(reprinted(text), Ok((expected.to_owned(), true)), "{text}");
    }
}

/// Each case has a statement, the error, its place in bytes (counted by hand), and the hint.
#[test]
fn an_error_names_its_place_and_a_remedy() {
    let cases = [
        ("g == 1 && P", "`&&` is not an operator of this language", 7..9, Some("write `and`")),
        ("g / 2 == 1", "`/` is not an operator of this language", 2..3, Some("write `//` for")),
        ("g = 1", "", 2..3, Some("write `==` to compare, `let` to name")),
        ("g == 1)", "", 6..7, Some("it closes no open bracket")),
        ("(g == 1", "", 7..7, Some("close it with `)`")),
        ("", "the statement is empty", 0..0, None),
        ("g ==", "something is missing here", 4..4, None),
        ("== 1", "something is missing here", 0..2, None),
        ("P iff g == 0", "an operator is missing", 2..5, Some("write `<->`")),
        ("P implies g == 0", "an operator is missing", 2..9, Some("write `->`")),
        ("p1 xor p2 == 0", "an operator is missing", 3..6, Some("write `^`")),
        ("p1 mod 2 == 0", "an operator is missing", 3..6, Some("write `%`")),
        ("G == 0", "there is no name `G`", 0..1, Some("write `g`")),
        ("G(piles) == 0", "there is no function `G`", 0..1, Some("write `g`")),
        ("exists(x in piles: x == 1)", "`exists` takes a position", 0..6, Some("write `any(")),
        ("exists[x in piles: x == 1]", "", 7..25, Some("write `any(")),
        ("exists x in piles: x == 1", "an operator is missing", 7..8, Some("write `any(")),
        ("forall(x in piles: x == 1)", "there is no function", 0..6, Some("write `all(")),
        ("P <=> g == 0", "`<=>` is not an operator of this language", 2..5, Some("write `<->`")),
        ("any x in piles: x > 1", "an operator is missing", 4..5, Some("write `any(x in piles")),
        ("outcome == 'P'", "`'` is not an operator", 11..12, Some("write `outcome == P`")),
        ("len(piles) == 3", "there is no function `len`", 0..3, Some("did you mean `size`?")),
        ("x == 1", "there is no name `x`", 0..1, Some("the names are")),
        ("g == 12.5", "a number must be whole", 5..7, Some("there are no fractions")),
        ("g == 3x", "a name cannot begin with a digit", 5..7, Some("write `*` between")),
        ("g == 1 2", "", 7..8, None),
        ("g == frist", "there is no name `frist`", 5..10, Some("did you mean `first`?")),
        ("g == abs", "there is no name `abs`", 5..8, Some("`abs` is a function; write `abs(...)`")),
        ("g == abs(1, 2)", "`abs` takes one argument, not 2", 5..14, None),
        ("g == sum()", "`sum` has no arguments", 5..10, Some("write `sum(piles)`")),
        (
            "g in 3",
            "`in` cannot stand between a number and a number",
            5..6,
            Some("write a number, then a set"),
        ),
        (
            "P == 1",
            "`==` cannot stand between an outcome class and a number",
            0..1,
            Some("both sides must be"),
        ),
        (
            "P < N",
            "`<` cannot stand between an outcome class and",
            0..1,
            Some("only numbers can be"),
        ),
        ("g + {1} == 2", "`+` cannot stand between a number and a set of numbers", 4..7, None),
        ("{1} & {P} == {}", "`&` cannot stand between a set of numbers and a set of", 6..9, None),
        ("{1} + {2} == {}", "`+` takes numbers, not a set of numbers and a set", 0..3, None),
        (
            "g + piles == 1",
            "`+` takes numbers, not a number and a list",
            4..9,
            Some("write `sum(...)`"),
        ),
        ("(g == 1) ^ (g == 2)", "`^` takes numbers", 0..8, Some("write `!=` between truth values")),
        ("(g == 1) & (g == 2)", "`&` takes numbers", 0..8, Some("write `and`; `&` binds")),
        ("(g == 1) | (g == 2)", "`|` takes numbers", 0..8, Some("write `or`; `|` binds")),
        ("P + N == 1", "`+` takes numbers", 0..1, Some("compare classes by `==`")),
        (
            "g(piles; 3) == 1",
            "end-nim remembers nothing besides the piles",
            9..10,
            Some("leave out"),
        ),
        ("g == g[nin]", "unknown game 'nin'; did you mean 'nim'?", 7..10, None),
        ("g == g[](1)", "unknown game ''", 7..7, None),
        ("g == g[nim", "`]` is missing", 10..10, Some("close it with `]`")),
        ("exists == 1", "there is no name `exists`", 0..6, None),
        ("let exists = 1; true", "`exists` already has a meaning", 4..10, None),
        (
            "g == g[partizan-end-nim](3)",
            "positions of partizan-end-nim have outcome classes and no Grundy values",
            5..27,
            Some("write `outcome[partizan-end-nim]`"),
        ),
        ("g[nim](3; 1) == 0", "nim remembers nothing besides the piles", 10..11, None),
        (
            "g[short-global-nim](3; {1}) == 0",
            "`;` must be followed by the last move, a number",
            23..26,
            None,
        ),
        (
            "last_move == 1",
            "end-nim does not remember the last move",
            0..9,
            Some("leave out `last_move`"),
        ),
    ];
    for (text, what, place, hint) in cases {
        let found = Question::parse(games::END_NIM, text).unwrap_err();
        assert!(found.what.contains(what), "{text}: {found}");
        assert_eq!(found.span.start..found.span.end, place, "{text}: {found}");
        let said = found.hint.as_deref().unwrap_or("");
        assert!(hint.is_none_or(|hint| said.contains(hint)), "{text}: {found}");
    }
}

/// The parts of a statement are shown with their values at a position. Each name is listed once, in
/// order of appearance. Literals are left out. The expected values are found by hand.
#[test]
fn parts_of_a_statement_at_a_position() {
    /// A source that has only the values of single piles of End-Nim. They are the numbers of coins.
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

/// Carets are under characters, even if these have several bytes. The places are counted by hand.
#[test]
fn carets_stand_under_characters() {
    let problem = |text: &str| Question::parse(games::END_NIM, text).unwrap_err();
    assert_eq!(problem("g == é and ∇").span, Span { start: 12, end: 15 });
    // A letter of two bytes after a digit is part of the error.
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

/// Only a part of a long statement is shown: sixty bytes before the error and sixty after it.
#[test]
fn long_statements_are_shown_in_part() {
    let text = format!("{} ∇ {}", "é".repeat(150), "é".repeat(150));
    let shown = Question::parse(games::END_NIM, &text).unwrap_err().to_string();
    let line = shown.lines().find_map(|line| line.strip_prefix("1 | ")).unwrap();
    // A name of 300 bytes and a space are before the operator. Byte 301 - 60 = 241 is inside a
    // character, so the shown part begins at 240. Byte 364, which is 60 bytes after the operator of
    // 3 bytes, is inside a character too.
    let expected = format!("{} ∇ {}", "é".repeat(30), "é".repeat(30));
    assert_eq!(line, expected);
}
