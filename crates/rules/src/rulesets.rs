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

/// Returns the name of the ruleset with the moves of a rule file and misère play.
pub fn misere_form_of(file: &RuleFile) -> Option<&'static str> {
    let misere = RuleFile::from_text(&format!("{}\nplay: misere\n", file.text)).ok()?;
    // An id ends in a hash of the rules.
    let hash = |file: &RuleFile| file.id.rsplit('-').next().map(str::to_owned);
    let has_its_rules = |text| RuleFile::from_text(text).is_ok_and(|of| hash(&of) == hash(&misere));
    RULESETS.iter().find(|(_, text)| has_its_rules(text)).map(|(name, _)| *name)
}
