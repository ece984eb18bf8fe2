//! The games that questions name, or define by the text of a rule file.

use grundy::law::RuleFile;
use grundy::{Game, Order, Outcome, RULE_FILES, Remembers, convention_of};
use serde_json::{Value, json};

/// An error, as a sentence.
pub(crate) type Failure = Box<dyn std::error::Error>;

pub(crate) type Told = Result<(Value, Vec<u32>), Failure>;

/// True if a text is a rule file, which has several lines, and not the name of a game.
pub(crate) fn is_rules(game: &str) -> bool {
    RULE_FILES && game.contains('\n')
}

/// Returns the game with a name, or with the text of a rule file.
pub(crate) fn named(game: &str) -> Result<Game, Failure> {
    match is_rules(game) {
        true => Ok(RuleFile::from_text(game)?.game()?),
        false => Ok(game.parse()?),
    }
}

/// Returns the facts that the page shows about a game.
pub(crate) fn about(game: Game) -> Value {
    json!({
        "id": game.id(),
        "title": game.title(),
        "paper": game.paper(),
        "rule": game.rule(),
        "convention": convention_of(game),
        "row": game.order() == Order::Row,
        "impartial": game.is_impartial(),
        "unplayable": (game.blocks() > 0).then_some("players forbid moves"),
        "remembers": match game.remembers() {
            Remembers::Numbers if game.memories().is_some_and(|of| of.states() == 1) => "last-move",
            Remembers::Nothing | Remembers::Numbers => "nothing",
            Remembers::Moves => "moves",
        },
        "lost_without_moves": game.terminal_value() == 0,
        "single_piles": grundy::has_records(game),
    })
}

/// Returns the names of the outcome classes for a game without values.
pub(crate) fn classes(game: Game) -> Option<Vec<String>> {
    (!game.is_impartial()).then(|| Outcome::ALL.iter().map(ToString::to_string).collect())
}
