//! Games by their names: built-in games, and rule files.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use grundy_questions::{ClaimFileError, OwnClaim};
use grundy_rules::law::{self, Checked, LONGEST_FILE, RuleFile};
use grundy_rules::reference::{Outcomes, Reference};
use grundy_rules::{Game, Pile, Position, Problem, UnknownGame};

use crate::{Error, Level};

/// The time limit for all examples of a file together, in seconds.
const EXAMPLE_SECONDS: f64 = 0.05;

/// The errors of naming a game.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// No built-in game has the name.
    #[error(transparent)]
    Unknown(#[from] UnknownGame),
    /// The file cannot be read.
    #[error("the rule file {} cannot be read", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The rules are invalid, or an example contradicts them.
    #[error("{}{problem}", if path.is_empty() { String::new() } else { format!("{path}:\n") })]
    Rules {
        /// The path of the file, or nothing for a text.
        path: String,
        /// The error, its place and a hint.
        problem: Box<Problem>,
    },
}

/// Returns a game by its name, or by the path of a rule file: any name with a slash, or ending in
/// `.game`.
///
/// ```
/// assert_eq!(grundy::game("end-nim")?, grundy::games::END_NIM);
/// // Rulesets that come with the program.
/// assert!(grundy::game("kayles")?.law().is_some());
/// # Ok::<(), grundy::GameError>(())
/// ```
pub fn game(name: &str) -> Result<Game, GameError> {
    game_in(Path::new(""), name).map(|(game, _)| game)
}

/// As [`game()`], with paths relative to a folder; also returns the result of checking the
/// examples.
pub fn game_in(folder: &Path, name: &str) -> Result<(Game, Checked), GameError> {
    let is_path = name.contains(['/', '\\']) || name.trim_end().ends_with(".game");
    if !is_path {
        return Ok((name.parse()?, Checked::default()));
    }
    let path = folder.join(name.trim());
    let read = || {
        let mut bytes = Vec::new();
        File::open(&path)?.take(LONGEST_FILE as u64 + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|source| GameError::File { path: path.clone(), source })?;
    let shown = path.display().to_string();
    checked(RuleFile::from_bytes(&bytes), &shown)
}

/// Returns the game of the text of a rule file, after checking its examples.
pub fn game_of_text(text: &str) -> Result<(Game, Checked), GameError> {
    checked(RuleFile::from_text(text), "")
}

fn checked(file: Result<RuleFile, Problem>, path: &str) -> Result<(Game, Checked), GameError> {
    let opened = file.and_then(|file| {
        let game = file.clone().game()?;
        Ok((game, file.check(game, &mut enough())?))
    });
    opened.map_err(|problem| GameError::Rules { path: path.to_owned(), problem: Box::new(problem) })
}

/// Returns a function that returns true until the time limit.
#[cfg(not(target_arch = "wasm32"))]
fn enough() -> impl FnMut() -> bool {
    let begun = std::time::Instant::now();
    move || begun.elapsed().as_secs_f64() < EXAMPLE_SECONDS
}

/// Without a clock, positions are counted: about a million are evaluated in a second.
#[cfg(target_arch = "wasm32")]
fn enough() -> impl FnMut() -> bool {
    let mut left = (EXAMPLE_SECONDS * 1e6) as u64;
    move || {
        left = left.saturating_sub(1);
        left > 0
    }
}

/// Reads a file of your own claims; paths of rule files are relative to its folder.
pub fn claims(folder: &Path, text: &str) -> Result<Vec<OwnClaim>, ClaimFileError> {
    let read = |name: &str| match game_in(folder, name) {
        Ok((game, _)) => Ok(game),
        Err(error) => Err(error.to_string()),
    };
    grundy_questions::claims(text, &read)
}

/// The result of testing a game: its tables compared with the rules, one position at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The lengths and largest piles compared, with the number of positions.
    pub levels: Vec<(usize, Pile, u64)>,
    /// A position with different values: that of the table, and that of the rules.
    pub wrong: Option<(Position, u32, u32)>,
}

/// Compares the table filler of a game with the definition, on all positions of up to four piles,
/// about `budget` positions altogether.
pub fn hold_against_rules(game: Game, budget: u64) -> Result<Held, Error> {
    let (least, most) = match game.law() {
        Some(law) if law.kind == law::Kind::Sum => (1, 1),
        Some(law) => law.lengths.clone().into_inner(),
        None => (1, 4),
    };
    let lengths: Vec<usize> = (least..=most.min(least.max(4))).collect();
    let mut held = Held { levels: Vec::new(), wrong: None };
    let mut values = game.is_impartial().then(|| Reference::new(game));
    let mut classes = (!game.is_impartial()).then(|| Outcomes::new(game));
    for &length in &lengths {
        let each = budget / lengths.len() as u64;
        let fits = |&pile: &Pile| {
            let table = grundy_rules::Table::new(game, pile, length);
            table.is_ok_and(|table| table.positions() <= each)
        };
        let max_pile = (1..=4096).take_while(fits).last().unwrap_or(1);
        let level = Level::new(game, length, max_pile)?;
        let found = level.sweep(|block| {
            let mut all = BTreeSet::new();
            block.each_position(|seen| _ = all.insert((seen.position(), seen.value)));
            all
        })?;
        for (position, value) in &found {
            let by_rules = match (&mut values, &mut classes) {
                (Some(values), _) => values.value_while(position, &mut || true),
                (_, Some(classes)) => {
                    let class = classes.outcome_while(position, &mut || true);
                    class.map(|class| class.map(|class| class as u32))
                }
                _ => Ok(None),
            };
            let by_rules = by_rules.map_err(|error| Error::Value { what: error.to_string() })?;
            if let Some(by_rules) = by_rules.filter(|found| found != value) {
                held.wrong = Some((position.clone(), *value, by_rules));
                return Ok(held);
            }
        }
        held.levels.push((length, max_pile, found.len() as u64));
    }
    Ok(held)
}
