//! Finds games by their names: built-in games, and rule files.

use std::error::Error as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use grundy_kernels::Isa;
use grundy_questions::ReadGame;
use grundy_rules::law::{Checked, LONGEST_FILE, RuleFile};
use grundy_rules::reference::ByRules;
use grundy_rules::{Form, Game, Pile, Position, Problem, Table, UnknownGame};
use grundy_solvers::{
    Class, Job, Means, TableRequest, classes_alone, filling, read_cells, solver, with_bytes,
};
use grundy_sweep::{Control, MemoryLimit};
use grundy_theory::{Claim, ClaimFileError};

use crate::Error;

/// The time limit for all examples of a file together, in seconds.
const EXAMPLE_SECONDS: f64 = 0.05;

/// An error in finding a game by its name.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    #[error(transparent)]
    Unknown(#[from] UnknownGame),
    /// A rule file of this name exists, but the name lacks the ending `.game`.
    #[error("unknown game '{name}'; write {name}.game for the rule file in this folder")]
    Beside { name: String },
    #[error("the rule file {} cannot be read", path.display())]
    File { path: PathBuf, source: io::Error },
    /// The rules are invalid, or an example contradicts them. Rules from a text have no path.
    #[error("{}{problem}", before(path, problem))]
    Rules { path: String, problem: Box<Problem> },
}

/// Returns the path as a prefix of the message. A message with an excerpt begins on a new line.
fn before(path: &str, problem: &Problem) -> String {
    let end = if problem.to_string().contains('\n') { '\n' } else { ' ' };
    if path.is_empty() { String::new() } else { format!("{path}:{end}") }
}

/// Returns a game by its name, or by the path of a rule file, which has a slash or ends in `.game`.
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

/// Does the same as [`game()`] for paths relative to a folder. Also counts the checked examples.
pub fn game_in(folder: &Path, name: &str) -> Result<(Game, Checked), GameError> {
    let is_path = name.contains(['/', '\\']) || name.trim_end().ends_with(".game");
    if !is_path {
        let error = match name.parse() {
            Ok(game) => return Ok((game, Checked::default())),
            Err(error) => error,
        };
        // A browser has no files.
        #[cfg(not(target_arch = "wasm32"))]
        if folder.join(format!("{}.game", name.trim())).is_file() {
            return Err(GameError::Beside { name: name.trim().to_owned() });
        }
        return Err(error.into());
    }
    let path = folder.join(name.trim());
    let read = || {
        // Opening a pipe may block for ever.
        if !std::fs::metadata(&path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        let mut bytes = Vec::new();
        File::open(&path)?.take(LONGEST_FILE as u64 + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|source| GameError::File { path: path.clone(), source })?;
    let shown = path.display().to_string();
    checked(RuleFile::from_bytes(&bytes), &shown)
}

/// Returns the game that the text of a rule file defines, after checking its examples.
pub fn game_of_text(text: &str) -> Result<(Game, Checked), GameError> {
    checked(RuleFile::from_text(text), "")
}

/// Returns the game that a statement names: one of the games that were given with it, by the name
/// in its rule file, or else the game that `read` finds.
pub fn game_among(given: &[Game], name: &str, read: ReadGame<'_>) -> Result<Game, String> {
    let has_name = |game: &&Game| game.rule_file().is_some_and(|file| file.name == name.trim());
    let mut named: Vec<Game> = given.iter().filter(has_name).copied().collect();
    if named.is_empty() {
        return read(name);
    }
    named.extend(name.parse::<Game>());
    named.sort();
    named.dedup();
    if let [game] = named[..] {
        return Ok(game);
    }
    let ids: Vec<&str> = named.iter().map(|game| game.id()).collect();
    Err(format!("several games have the name {name}: {}; write the id of one", ids.join(", ")))
}

fn checked(file: Result<RuleFile, Problem>, path: &str) -> Result<(Game, Checked), GameError> {
    let opened = file.and_then(|file| {
        let game = file.clone().game()?;
        Ok((game, file.check(game, &mut enough())?))
    });
    opened.map_err(|problem| GameError::Rules { path: path.to_owned(), problem: Box::new(problem) })
}

/// Returns a function whose result is true until the time limit of the examples has passed.
#[cfg(not(target_arch = "wasm32"))]
fn enough() -> impl FnMut() -> bool {
    let begun = std::time::Instant::now();
    move || begun.elapsed().as_secs_f64() < EXAMPLE_SECONDS
}

/// Does the same in a browser, which has no clock: allows a million positions per second.
#[cfg(target_arch = "wasm32")]
fn enough() -> impl FnMut() -> bool {
    let mut left = (EXAMPLE_SECONDS * 1e6) as u64;
    move || {
        left = left.saturating_sub(1);
        left > 0
    }
}

/// Reads a file of your own claims. Paths of rule files are relative to its folder.
pub fn claims(folder: &Path, text: &str) -> Result<Vec<Claim>, ClaimFileError> {
    let read = |name: &str| match game_in(folder, name) {
        Ok((game, _)) => Ok(game),
        Err(error) => Err(match error.source() {
            Some(cause) => format!("{error}: {cause}"),
            None => error.to_string(),
        }),
    };
    grundy_theory::claims(text, &read)
}

/// The largest pile of a usual table. (The table of a sum is a single row, so it has larger piles.)
const USUAL_PILE: Pile = 64;
const USUAL_SUM: Pile = 1_000_000;

/// The method that fills a usual table of a rule file.
#[derive(Clone, Debug, PartialEq)]
pub struct Filling {
    /// The longest table with piles of at most 64 that can be filled in a minute.
    pub table: Table,
    /// True if the table is filled option by option. Then each class assumes a game of one line.
    pub one_by_one: bool,
    /// The class of each line of moves, in order.
    pub classes: Vec<&'static str>,
    /// The estimated number of cells per second and thread.
    pub rate: f64,
}

/// Returns the method that fills a usual table of a rule file. `None` if there is no table.
pub fn usual_filling(game: Game) -> Option<Filling> {
    let max_pile = if game.is_sum() { USUAL_SUM } else { USUAL_PILE };
    let form = Form::default();
    let wanted = TableRequest { max_pile, length: None, literally: false, single: None, form };
    let table = solver(game).tables(game, &wanted).ok()?.pop()?;
    let (mut classes, rate) = filling(game, max_pile, table.length())?;
    let one_by_one = classes.contains(&Class::Other);
    if one_by_one {
        classes = classes_alone(game.law()?, max_pile, table.length());
    }
    Some(Filling { table, one_by_one, classes: classes.iter().map(|c| c.name()).collect(), rate })
}

/// The result of testing a game: a comparison of its tables with the rules, position by position.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    pub tables: Vec<ComparedTable>,
    /// The first position at which a table contradicts the rules.
    pub wrong: Option<Differs>,
}

/// A table that was compared with the rules, cell by cell.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedTable {
    pub table: Table,
    /// The number of cells that belong to a position.
    pub positions: u64,
    /// The instruction sets whose kernels filled the table. Each kernel filled it twice, with the
    /// most and with the least memory. Empty if the table was filled option by option.
    pub isas: Vec<Isa>,
}

/// A position whose value in a table differs from its value according to the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Differs {
    pub position: Position,
    /// Its value in the table, or the index of its class.
    pub found: u32,
    /// The value of the position by the rules, or the index of its class.
    pub by_rules: u32,
    /// The instruction set for which the table was filled.
    pub isa: Isa,
}

/// The largest number of options to visit in a comparison. Visiting them takes about ten seconds.
const MOST_OPTIONS: u64 = 1 << 22;

/// Compares tables of a game with its rules, for up to four piles. The tables have about `budget`
/// positions in all, or fewer if the positions have many options.
pub fn compare_with_rules(game: Game, budget: u64, control: &Control) -> Result<Comparison, Error> {
    let lengths: Vec<usize> = game.lengths_near(1..=4).collect();
    let mut held = Comparison { tables: Vec::new(), wrong: None };
    let mut rules = ByRules::new(game);
    for &length in &lengths {
        let each = budget / lengths.len() as u64;
        // A pile in a sum has at least as many options as coins.
        let each = if game.is_sum() { each / 50 } else { each };
        let options = |pile| game.law().and_then(|law| law.most_options(pile, length)).unwrap_or(0);
        let most = MOST_OPTIONS / lengths.len() as u64;
        let fits = |&pile: &Pile| {
            let positions = Table::new(game, pile, length).map_or(u64::MAX, |t| t.most_numbers());
            positions <= each && positions.saturating_mul(options(pile)) <= most
        };
        let least = game.least_size(length);
        let max_pile = (least..=4096).take_while(fits).last().unwrap_or(least);
        let table = Table::new(game, max_pile, length)?;
        if !table.numbering().is_plain() {
            return Err(Error::Unnumbered { game });
        }
        let by_shapes = filling(game, max_pile, length)
            .is_some_and(|(classes, _)| !classes.contains(&Class::Other));
        let isas = if by_shapes { Isa::available().collect() } else { Vec::new() };
        let mut filled = Vec::new();
        for &isa in if by_shapes { &isas[..] } else { &[Isa::Portable] } {
            for memory in if by_shapes { &[u64::MAX, 0][..] } else { &[u64::MAX] } {
                filled.push((isa, cells(&table, isa, *memory, control)?));
            }
        }
        let mut positions = 0;
        for number in 0..table.cells() {
            let Some(position) = table.position(number) else { continue };
            positions += 1;
            let by_rules = rules.cell_while(&position, &mut || !control.is_stopped());
            let by_rules = by_rules.map_err(|error| Error::Value { what: error.to_string() })?;
            let Some(by_rules) = by_rules else { return Err(Error::Stopped) };
            for (isa, cells) in &filled {
                let found = cells[number as usize];
                if found != by_rules {
                    held.wrong = Some(Differs { position, found, by_rules, isa: *isa });
                    return Ok(held);
                }
            }
        }
        held.tables.push(ComparedTable { table, positions, isas });
    }
    Ok(held)
}

/// Fills a table and returns its cells. Uses `memory` bytes, or more if this is not enough.
fn cells(table: &Table, isa: Isa, memory: u64, control: &Control) -> Result<Vec<u32>, Error> {
    let (game, max_pile) = (table.game(), table.max_pile());
    let means = Means {
        memory: MemoryLimit::new(memory),
        threads: 1,
        frame_bytes: 1 << 16,
        in_order: false,
    };
    let mut maker = solver(game).maker(Job { game, max_pile, isa });
    maker.prepare(table, &solver(game).needs(table, &means), control)?;
    let (mut cells, mut room, tiles) = (Vec::new(), Vec::new(), table.tiles());
    let (mut worker, width) = (maker.worker(table), table.value_bytes());
    read_cells(width, with_bytes(table, tiles, worker.tiles(0, tiles), &mut room), &mut cells);
    Ok(cells)
}
