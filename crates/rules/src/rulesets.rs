//! The rule files of the folder `games`. They are compiled into the program.

use crate::law::RuleFile;
use crate::{Game, RULE_FILES};

macro_rules! rulesets {
    ($($name:literal,)*) => {
        /// The name of each ruleset, and the text of its file.
        pub const RULESETS: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../games/", $name, ".game"))),)*
        ];
    };
}

rulesets! {
    "aliquot", "all-but-2", "chocolate-bar-2", "chomp-3", "circular-nim-4-2", "circular-nim-5-2",
    "circular-nim-6-3", "cyclic-nimhoff-3", "dawsons-kayles", "delete-nim", "diagonal-wythoff-1-2",
    "end-nim", "end-wythoff", "euclid", "exact-nim-4-2", "exact-nim-5-2", "fibonacci-nim",
    "global-fibonacci-nim", "grundys-game", "kayles", "larger-pile-wythoff", "laskers-nim",
    "loop-end-nim", "maharaja-nim", "mark", "mem", "misere-end-nim", "misere-nim",
    "misere-nim-empty-1", "moore-nim-2", "n-heap-wythoff", "nim", "nim-with-a-pass",
    "partizan-end-nim", "r-wythoff-2", "ryuo-nim", "short-global-nim", "silver-dollar-3",
    "slow-exact-nim-4-2", "slow-nim-3-2", "subtraction-1-2-3", "take-a-square", "totative",
    "treblecross", "welter",
    "wythoff",
}

/// Returns the names of the built-in games, then the names of rulesets that are not built in.
pub fn names() -> Vec<&'static str> {
    let rulesets = if RULE_FILES { RULESETS } else { &[] };
    let is_new = |name: &&str| Game::all().all(|game| game.id() != *name);
    let new = rulesets.iter().map(|(name, _)| *name).filter(is_new);
    Game::all().map(Game::id).chain(new).collect()
}

/// Returns the game of a ruleset. `None` for an unknown name, and if [`RULE_FILES`] is false.
pub fn game(name: &str) -> Option<Game> {
    if !RULE_FILES {
        return None;
    }
    let (_, text) = RULESETS.iter().find(|(known, _)| *known == name)?;
    match RuleFile::from_text(text).and_then(RuleFile::game) {
        Ok(game) => Some(game),
        Err(problem) => unreachable!("a test parses every ruleset: {problem}"),
    }
}
