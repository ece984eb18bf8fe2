//! Tests of moves and values. The expected results are from the papers, or derived by hand.

use grundy_rules::reference::{Outcomes, Reference};
use grundy_rules::{Game, Outcome, Player, lex_word};

use crate::cases::cases;

const CASES: &str = include_str!("papers.txt");

/// Tests the lists of all moves of a position, including their order. A move is written as the pile
/// and the option. If only one player has the move, the player precedes the pile.
#[test]
fn moves_are_those_of_the_rules() {
    for (line, [game, text, expected]) in cases(CASES, "moves") {
        let game: Game = game.parse().unwrap();
        let moves = game.moves(&game.parse(text).unwrap());
        let moves_in_words = moves.iter().map(|made| match made.player {
            Player::Either => format!("{} {}", made.pick.name(), made.option),
            player => format!("{} {} {}", player.name(), made.pick.name(), made.option),
        });
        let expected = expected.replace("none", "");
        assert_eq!(moves_in_words.collect::<Vec<_>>().join("; "), expected, "line {line}");
    }
}

/// The values are from Bouton 1901, sections 2, 4 and 6; Albert and Nowakowski 2001, the
/// example of section 2; Cairns and Ho 2011, sections 4 and 5; and the paper on global nim: table 1
/// except its misprint at (9,9), values in the text, Theorems 3, 4 and 6, the example of section 5,
/// and Theorem 24. For End-Wythoff, (1,2), (3,5) and (4,7) are the first P-positions of Wythoff's
/// game, and the values of (1,1) and (2,2) were derived by hand.
#[test]
fn values_are_those_of_the_papers() {
    for (line, [game, text, value]) in cases(CASES, "values") {
        let game: Game = game.parse().unwrap();
        let found = Reference::new(game).value(&game.parse(text).unwrap());
        assert_eq!(found.to_string(), value, "line {line}");
    }
    let game: Game = "partizan-end-nim".parse().unwrap();
    assert_eq!(Outcomes::new(game).outcome(&game.position(&[])), Outcome::P);
}

/// The expected values are rows 1, 2, 5 and 16 of the table of a,4,b in Albert and Nowakowski 2001.
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
