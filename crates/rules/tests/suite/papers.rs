//! Tests of moves and values. The expected ones come from the papers, or were found by hand from
//! the rules. Each row of the constants is a case.

use grundy_rules::reference::{Outcomes, Reference};
use grundy_rules::{Game, Outcome, Player, lex_word};

/// Every move of some positions, in listing order. A move has the player (unless either may make
/// it), the pile, and the option.
const MOVES: [(&str, &str, &str); 29] = [
    ("nim", "2,1", "pile 2; pile 1; pile 1,1"),
    ("nim", "2,2", "pile 2; pile 1,2"),
    ("nim", "2", "pile (); pile 1"),
    ("nim", "()", ""),
    ("misere-nim", "2", "pile 1"),
    ("misere-nim", "1,1", "pile 1"),
    ("misere-nim", "1", ""),
    ("end-nim", "2,9,1", "left 9,1; left 1,9,1; right 2,9"),
    ("end-nim", "2", "only (); only 1"),
    ("misere-end-nim", "2", "only 1"),
    ("loop-end-nim", "2,1", "left 1; left 1,1; right 2"),
    ("loop-end-nim", "2", ""),
    ("partizan-end-nim", "2,9,1", "Left left 9,1; Left left 1,9,1; Right right 2,9"),
    ("partizan-end-nim", "1", "Left only (); Right only ()"),
    ("end-wythoff", "2,9,1", "left 9,1; left 1,9,1; right 2,9; both 1,9"),
    ("end-wythoff", "1,1", "left 1; right 1; both ()"),
    ("end-wythoff", "1,5,1", "left 5,1; right 1,5; both 5"),
    ("end-wythoff", "2", "only (); only 1"),
    ("end-wythoff", "()", ""),
    ("short-global-nim", "3", "pile ()/3; pile 1/2; pile 2/1"),
    ("short-global-nim", "3/2", "pile ()/3; pile 2/1"),
    ("short-global-nim", "1,2/1", "pile 1/2"),
    ("short-global-nim", "2,2", "pile 2/2; pile 1,2/1"),
    ("short-global-nim", "1/1", ""),
    ("long-global-nim", "8{1,3,4}", "pile 4{1,3}; pile 5{1,4}; pile 7{3,4}"),
    ("long-global-nim", "2,2", "pile 2{1}; pile 1,2{2}"),
    ("long-global-nim", "1,3{2}", "pile 1,1{}"),
    ("long-global-nim", "3{3}", "pile (){}"),
    ("long-global-nim", "5{}", ""),
];

#[test]
fn moves_are_those_of_the_rules() {
    for (game, text, expected) in MOVES {
        let game: Game = game.parse().unwrap();
        let moves = game.moves(&game.parse(text).unwrap());
        let told = moves.iter().map(|made| match made.player {
            Player::Either => format!("{} {}", made.pick.name(), made.option),
            player => format!("{} {} {}", player.name(), made.pick.name(), made.option),
        });
        assert_eq!(told.collect::<Vec<_>>().join("; "), expected, "{game} {text}");
    }
}

/// Values by game. They are from Bouton 1901, sections 2, 4 and 6; Albert and Nowakowski 2001, the
/// example of section 2; Cairns and Ho 2011, sections 4 and 5; and the paper on global nim: table 1
/// except its misprint at (9,9), values in the text, Theorems 3, 4 and 6, the example of section 5,
/// and Theorem 24. For End-Wythoff they are the first P-positions of Wythoff's game, (1,2), (3,5)
/// and (4,7), and (1,1), whose options are 1 and the empty position.
const VALUES: [(&str, &[(&str, u32)]); 8] = [
    ("nim", &[("9,5,12", 0), ("7,5,12", 7 ^ 5 ^ 12)]),
    ("misere-nim", &[("1,1,1", 0), ("1", 0), ("1,1", 1), ("2,2", 0)]),
    ("end-nim", &[("3,3,3,2,3,4,3,3", 0), ("1,1,1", 1), ("1,2,3", 2), ("()", 0)]),
    ("misere-end-nim", &[("1,2,2", 1), ("1,1,1", 0)]),
    ("loop-end-nim", &[("4,4,4", 0)]),
    ("end-wythoff", &[("1,2", 0), ("3,5", 0), ("7,4", 0), ("1,1", 2), ("2,2", 1), ("6", 6)]),
    (
        "short-global-nim",
        &[
            ("1", 1),
            ("2", 1),
            ("3", 2),
            ("4", 3),
            ("5", 3),
            ("6", 2),
            ("7", 4),
            ("8", 5),
            ("9", 5),
            ("4/1", 2),
            ("8/3", 3),
            ("8/1", 4),
            ("7/7", 0),
            ("5/1", 3),
            ("4/2", 3),
            ("9/9", 0),
            ("1,5/1", 0),
            ("2,5/1", 0),
            ("1,1,3/1", 0),
        ],
    ),
    ("long-global-nim", &[("8{1,3,4}", 1), ("5{2,3}", 0), ("5{3,4}", 1), ("6", 3), ("10", 4)]),
];

#[test]
fn values_are_those_of_the_papers() {
    for (game, values) in VALUES {
        let game: Game = game.parse().unwrap();
        let mut reference = Reference::new(game);
        for &(text, value) in values {
            assert_eq!(reference.value(&game.parse(text).unwrap()), value, "{game} {text}");
        }
    }
    let game: Game = "partizan-end-nim".parse().unwrap();
    assert_eq!(Outcomes::new(game).outcome(&game.position(&[])), Outcome::P);
}

/// A tile has the published values: rows 1, 2, 5 and 16 of the table of a,4,b in Albert and
/// Nowakowski 2001.
#[test]
fn a_tile_has_the_published_values() {
    let game: Game = "end-nim".parse().unwrap();
    let mut reference = Reference::new(game);
    for (a, row) in [
        (1, [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]),
        (2, [1, 0, 3, 2, 5, 4, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15]),
        (5, [4, 5, 6, 7, 0, 3, 2, 10, 12, 8, 13, 9, 11, 17, 18, 19]),
        (16, [16, 15, 17, 14, 19, 18, 10, 21, 22, 23, 8, 24, 25, 6, 7, 0]),
    ] {
        let found = (1..=16).map(|b| reference.value(&game.position(&[a, 4, b])));
        assert!(found.eq(row), "{a}");
    }
}

/// Both reference evaluators agree on an impartial game.
#[test]
fn outcomes_are_those_of_the_values() {
    let game: Game = "loop-end-nim".parse().unwrap();
    let (mut values, mut outcomes) = (Reference::new(game), Outcomes::new(game));
    let mut piles = [0; 3];
    for number in 0..125 {
        lex_word(number, 5, &mut piles);
        let position = game.position(&piles);
        let expected = Outcome::of_value(values.value(&position));
        assert_eq!(outcomes.outcome(&position), expected, "{position}");
    }
}
