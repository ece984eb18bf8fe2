//! The questions that only the second module of the page answers: about statements, families of
//! rows, and games of rule files. For these games the page sends the text of the file in place of a
//! name.

use grundy::rulesets::RULESETS;
use grundy::{Database, Game, Pile, Player, Position, game_of_text, is_winning};
use serde::Deserialize;
use serde_json::json;

use crate::family::Rows;
use crate::game::{Told, about, is_rules, named};
use crate::statement::{Checking, Means};

/// A question for the second module.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
enum Request {
    /// The facts about a game, and a first position. The answer also checks the game's examples.
    Game { game: String },
    /// The rule files that come with the program.
    Rulesets,
    /// A check of a statement.
    Check(Checking),
    /// A proof of a statement for piles of all sizes.
    AllSizes(Checking),
    /// The number of positions that a check covers, and its approximate time in seconds.
    Estimate(Checking),
    /// The number of counterexamples for each first pile and each last pile.
    Failures(Checking),
    /// The pattern of a family of rows, and its values.
    Families(Rows),
}

/// Answers a question for the second module; returns `None` for any other question.
pub(crate) fn answer(database: &Database, means: Means, question: &[u8]) -> Option<Told> {
    Some(match serde_json::from_slice(question).ok()? {
        Request::Game { game: text } => game(database, &text),
        Request::Rulesets => Ok((json!(rulesets()), Vec::new())),
        Request::Check(asked) => asked.check(database, means),
        Request::AllSizes(asked) => asked.prove(database),
        Request::Estimate(asked) => asked.estimate(database),
        Request::Failures(asked) => asked.failures(database, means),
        Request::Families(rows) => rows.prove(means),
    })
}

fn game(database: &Database, text: &str) -> Told {
    let game = if is_rules(text) { game_of_text(text)?.0 } else { named(text)? };
    let mut object = about(game);
    if let Some(file) = game.rule_file() {
        object["example"] = to_begin_with(database, game).map(|at| at.to_string()).into();
        object["board"] = file.board.into();
        object["kind"] = file.law.kind.name().into();
        object["lengths"] = json!([file.law.lengths.start(), file.law.lengths.end()]);
        object["name"] = file.name.as_str().into();
        object["text"] = file.text.as_str().into();
    }
    Ok((object, Vec::new()))
}

/// Returns a small position in which only a few moves win. If there is no such position, returns
/// any position that the rules admit.
fn to_begin_with(database: &Database, game: Game) -> Option<Position> {
    let length = *game.lengths_near(3..=3).start();
    let largest: u64 = [20, 20, 12, 7][length.min(3)];
    let count = largest.saturating_pow(length.min(8) as u32);
    // The factor 37 shuffles the positions, and is prime, so that all positions occur.
    let numbered = |number: u64| {
        let digits = std::iter::successors(Some(number * 37 % count), |rest| Some(rest / largest));
        let piles = digits.map(|rest| (rest % largest) as Pile + 1);
        game.position(&piles.take(length).collect::<Vec<Pile>>())
    };
    let admitted = |position: &Position| game.admits(position).is_ok();
    let some: Vec<Position> =
        (4..count.min(4000)).map(numbered).filter(admitted).take(41).collect();
    let fitting = |position: &Position| {
        let found = database.moves(game, position).ok()?.moves;
        let wins = found.iter().filter(|(made, to)| {
            made.player != Player::Right && is_winning(made.player, to.outcome)
        });
        Some((1..=2).contains(&wins.count()) && position.coins() > 6 && found.len() > 3)
    };
    let best = some.iter().skip(1).find(|position| fitting(position) == Some(true));
    let has_moves =
        |at: &&Position| database.moves(game, *at).is_ok_and(|found| !found.moves.is_empty());
    best.or_else(|| some.iter().find(has_moves)).or(some.first()).cloned()
}

/// Returns the name, the title and the text of each rule file that comes with the program.
fn rulesets() -> Vec<[&'static str; 3]> {
    let title = |text: &'static str| text.lines().find_map(|line| line.strip_prefix("title: "));
    RULESETS.iter().map(|(name, text)| [name, title(text).unwrap_or(name), text]).collect()
}
