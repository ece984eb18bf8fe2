//! Tests of the notation of positions, and of the messages for invalid texts.

use grundy_rules::Game;

use crate::cases::cases;

const CASES: &str = include_str!("notation.txt");

#[test]
fn a_text_is_printed_as_it_is_written() {
    for (line, [game, text, printed]) in cases(CASES, "printed") {
        let game: Game = game.parse().unwrap();
        let found = game.parse(text).map(|position| position.to_string());
        assert_eq!(found.as_deref(), Ok(printed), "line {line}");
    }
}

/// A message names a pile by its number, from 1. A sign is not a digit, although `u32::from_str`
/// accepts it, and 0 is not a move. If a run descends, the message names the run, not the set.
#[test]
fn an_invalid_position_is_refused_with_a_reason() {
    for (line, [game, text, said]) in cases(CASES, "refused") {
        let error = game.parse::<Game>().unwrap().parse(text).unwrap_err().to_string();
        assert!(error.starts_with(said), "line {line}: {error}");
    }
}
