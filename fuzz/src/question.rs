//! The language of questions.
//!
//! - Parsing any text gives a statement or an error message. Printing a statement and parsing the
//!   result gives the same tree.
//! - Random statements of every type are evaluated at every position of a small table. The columns
//!   of every instruction set agree with the slow evaluator, which uses the tree and numbers of 128
//!   bits. They agree on the truth of the statement and of its premise, and on missing values.

use arbitrary::Unstructured;
use grundy_questions::{Question, reprinted};
use grundy_rules::{Game, Pile, Remembers, games};

use ground::{ByReference, Ground};

// Share the table and the comparison with the tests of `questions`.
#[allow(dead_code)]
#[path = "../../crates/questions/tests/suite/ground.rs"]
mod ground;

/// Panics if one of the properties above fails. The bytes are used as a text, and as the choices
/// that generate a statement.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match reprinted(&text) {
        Ok((printed, is_same)) => {
            assert!(is_same, "{text:?} prints {printed:?}");
            assert_eq!(reprinted(&printed).map(|(again, _)| again).ok(), Some(printed));
        }
        Err(problem) => assert!(!problem.to_string().is_empty()),
    }
    let mut input = Unstructured::new(data);
    if let Ok((game, length, max_pile, statement)) = written(&mut input) {
        let question = Question::parse(game, &statement);
        let question = question.expect("a written statement can be parsed");
        // A statement with too many steps gives an error.
        let _ = Ground::new(game, length, max_pile, ByReference::default()).compare(&question);
    }
}

/// Returns texts, and bytes that choose statements.
pub fn seeds() -> Vec<Vec<u8>> {
    include_str!("question.txt").lines().map(|text| text.as_bytes().to_vec()).collect()
}

/// Returns a random game, a size of its table, and a statement.
fn written(input: &mut Unstructured<'_>) -> arbitrary::Result<(Game, usize, Pile, String)> {
    let sizes = [
        (games::END_NIM, 3, 4),
        (games::END_NIM, 2, 16),
        (games::LOOP_END_NIM, 1, 9),
        (games::PARTIZAN_END_NIM, 2, 16),
        (games::MISERE_NIM, 3, 3),
        (games::SHORT_GLOBAL_NIM, 2, 3),
        (games::LONG_GLOBAL_NIM, 2, 3),
    ];
    let &(game, length, max_pile) = input.choose(&sizes)?;
    let mut writer = Writer { game, names: Vec::new() };
    Ok((game, length, max_pile, writer.truth(input, 4)?))
}

struct Writer {
    game: Game,
    names: Vec<String>,
}

type Written = arbitrary::Result<String>;

impl Writer {
    fn truth(&mut self, input: &mut Unstructured<'_>, depth: u32) -> Written {
        if depth == 0 || input.is_empty() {
            let simple = ["true", "P", "N", "first < last", "k == 2", "false"];
            return Ok((*input.choose(&simple)?).to_owned());
        }
        let depth = depth - 1;
        Ok(match input.int_in_range(0..=12)? {
            0 => format!("not ({})", self.truth(input, depth)?),
            1..=4 => {
                let op = *input.choose(&["and", "or", "->", "<->"])?;
                format!("({}) {op} ({})", self.truth(input, depth)?, self.truth(input, depth)?)
            }
            5..=7 => {
                let op = *input.choose(&["==", "!=", "<", "<=", ">", ">="])?;
                format!("({}) {op} ({})", self.number(input, depth)?, self.number(input, depth)?)
            }
            8 => format!("({}) in {}", self.number(input, depth)?, self.set(input, depth)?),
            9 => {
                let all = *input.choose(&["all", "any"])?;
                let source = self.source(input, depth)?;
                let (name, body) = self.with_name(|writer| writer.truth(input, depth))?;
                format!("{all}({name} in {source}: {body})")
            }
            10 => {
                let (_, there) = self.position(input, depth)?;
                format!("exists{there}")
            }
            11 => {
                let (_, there) = self.position(input, depth)?;
                let class = *input.choose(&["P", "N", "outcome"])?;
                let same = if class == "outcome" { " == outcome" } else { "" };
                format!("(exists{there} -> {class}{there}{same})")
            }
            _ => format!("{} == {}", self.set(input, depth)?, self.set(input, depth)?),
        })
    }

    fn number(&mut self, input: &mut Unstructured<'_>, depth: u32) -> Written {
        if depth == 0 || input.is_empty() {
            let mut simple = vec![
                "0",
                "1",
                "2",
                "3",
                "-1",
                "7",
                "40000",
                "p1",
                "first",
                "last",
                "total",
                "k",
                "run(first)",
                "after(first)",
                "run(last)",
                "after(last)",
            ];
            if self.game.is_impartial() {
                simple.extend(["g", "remoteness"]);
            }
            match self.game.remembers() {
                Remembers::Numbers => simple.push("last_move"),
                Remembers::Moves => simple.push("size"),
                Remembers::Nothing => {}
            }
            let mut simple: Vec<String> = simple.into_iter().map(str::to_owned).collect();
            simple.extend(self.names.iter().cloned());
            return Ok(input.choose(&simple)?.clone());
        }
        let depth = depth - 1;
        Ok(match input.int_in_range(0..=10)? {
            0..=4 => {
                let all = ["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>", "**"];
                let op = *input.choose(&all)?;
                format!("({}) {op} ({})", self.number(input, depth)?, self.number(input, depth)?)
            }
            5 => {
                let function =
                    *input.choose(&["abs", "popcount", "v2", "log2", "tri", "gcd", "-"])?;
                format!("{function}({})", self.number(input, depth)?)
            }
            6 => {
                let function = *input.choose(&["min", "max", "sum", "xor", "mex", "gcd"])?;
                format!("{function}({}, {})", self.set(input, depth)?, self.number(input, depth)?)
            }
            7 => {
                let function =
                    *input.choose(&["min", "max", "sum", "xor", "mex", "gcd", "count"])?;
                let source = self.source(input, depth)?;
                let (name, body) = self.with_name(|writer| match function {
                    "count" => writer.truth(input, depth),
                    _ => writer.number(input, depth),
                })?;
                format!("{function}({name} in {source}: {body})")
            }
            8 => {
                let truth = self.truth(input, depth)?;
                format!(
                    "(({}) if ({truth}) else ({}))",
                    self.number(input, depth)?,
                    self.number(input, depth)?
                )
            }
            9 => {
                let (game, there) = self.position(input, depth)?;
                let value = match game.is_impartial() {
                    true => format!("g{there}"),
                    false => format!("(1 if P{there} else 2)"),
                };
                format!("({value} if exists{there} else 7)")
            }
            _ => {
                let value = self.number(input, depth)?;
                let (name, body) = self.with_name(|writer| writer.number(input, depth))?;
                format!("(let {name} = {value}; {body})")
            }
        })
    }

    /// Calls `write`, which writes an expression that may use a new name.
    fn with_name(
        &mut self,
        write: impl FnOnce(&mut Self) -> Written,
    ) -> arbitrary::Result<(String, String)> {
        let name = format!("x{}", self.names.len());
        self.names.push(name.clone());
        let written = write(self);
        self.names.pop();
        Ok((name, written?))
    }

    fn source(&mut self, input: &mut Unstructured<'_>, depth: u32) -> Written {
        Ok(match input.int_in_range(0..=5)? {
            0 => "piles".to_owned(),
            3 => {
                let truth = self.truth(input, depth.saturating_sub(1))?;
                format!("(middle if ({truth}) else {})", input.choose(&["piles", "reverse"])?)
            }
            1 => "middle".to_owned(),
            2 => format!("0..{}", input.choose(&["k", "first", "3", "last - 1"])?),
            _ => self.set(input, depth)?,
        })
    }

    fn set(&mut self, input: &mut Unstructured<'_>, depth: u32) -> Written {
        let known = match (self.game.remembers(), self.game.is_impartial()) {
            (Remembers::Moves, _) => "moves",
            (_, true) => "options",
            _ => "{1, 2}",
        };
        if depth == 0 || input.is_empty() {
            return Ok((*input.choose(&["{1, 2}", "{}", known, "{first, last}"])?).to_owned());
        }
        let depth = depth - 1;
        Ok(match input.int_in_range(0..=5)? {
            0 => known.to_owned(),
            3 => format!("{{middle, {}}}", self.number(input, depth)?),
            4 => {
                let truth = self.truth(input, depth)?;
                format!(
                    "({} if ({truth}) else {})",
                    self.set(input, depth)?,
                    self.set(input, depth)?
                )
            }
            1 => format!("{{{}, {}}}", self.number(input, depth)?, self.number(input, depth)?),
            2 => {
                let op = *input.choose(&["|", "&", "-", "^"])?;
                format!("({} {op} {})", self.set(input, depth)?, self.set(input, depth)?)
            }
            _ => "{1..3}".to_owned(),
        })
    }

    fn position(
        &mut self,
        input: &mut Unstructured<'_>,
        depth: u32,
    ) -> arbitrary::Result<(Game, String)> {
        let (game, name) = match input.arbitrary::<bool>()? {
            true => (self.game, String::new()),
            false => {
                let game = *input.choose(&games::GAMES)?;
                (game, format!("[{game}]"))
            }
        };
        let piles = match input.int_in_range(0..=4)? {
            0 => "reverse".to_owned(),
            3 => "(middle if first > last else piles)".to_owned(),
            1 => "middle".to_owned(),
            // Keep the piles small, so that the reference is fast.
            2 => format!("min(9, {}), p1", self.number(input, depth.min(1))?),
            _ => "p1 - 1, last".to_owned(),
        };
        let memory = match (game.remembers(), input.arbitrary::<bool>()?) {
            (Remembers::Numbers, true) => format!("; {}", self.number(input, 1)?),
            (Remembers::Moves, true) => format!("; {}", self.set(input, 1)?),
            _ => String::new(),
        };
        Ok((game, format!("{name}({piles}{memory})")))
    }
}
