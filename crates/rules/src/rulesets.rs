//! The rule files of the folder `games`. They are compiled into the program.

use crate::law::RuleFile;
use crate::{Game, RULE_FILES};

/// The name of each ruleset, and the text of its file, in the order of the names.
pub const RULESETS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/rulesets.rs"));

/// Returns the text of a ruleset.
pub(crate) fn text(name: &str) -> Option<&'static str> {
    let found = RULESETS.binary_search_by_key(&name, |(known, _)| known).ok()?;
    Some(RULESETS[found].1)
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
    let text = if RULE_FILES { text(name)? } else { return None };
    match RuleFile::from_text(text).and_then(RuleFile::game) {
        Ok(game) => Some(game),
        Err(problem) => unreachable!("a test reads every ruleset: {problem}"),
    }
}
