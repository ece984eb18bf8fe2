//! Compares the examples of a rule file with its rules. Examples are values or classes from papers.

use grundy_language::{Problem, Span};

use super::RuleFile;
use crate::reference::ByRules;
use crate::{Game, Outcome, Position};

/// The result of checking the examples of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// The number of examples that agree with the rules.
    pub right: usize,
    /// The number of examples that were not evaluated in time.
    pub left_out: usize,
}

/// The value or class that an example gives to its position.
enum Says {
    Value(u32),
    Class(Outcome),
}

impl RuleFile {
    /// Compares the examples with the rules of the game, as long as `more` returns true.
    pub fn check(&self, game: Game, more: &mut dyn FnMut() -> bool) -> Result<Checked, Problem> {
        let mut checked = Checked { right: 0, left_out: 0 };
        let mut rules = ByRules::new(game);
        for &span in &self.examples {
            let (position, says) =
                self.example(game, span).map_err(|problem| problem.of_line(&self.text))?;
            let found = rules.cell_while(&position, more).map_err(|error| *error.problem)?;
            let Some(found) = found else {
                checked.left_out += 1;
                continue;
            };
            let is_right = match says {
                Says::Value(value) => value == found,
                Says::Class(class) if game.is_impartial() => Outcome::of_value(found) == class,
                Says::Class(class) => found == class as u32,
            };
            if !is_right {
                return Err(self.wrong(game, span, &position, found, &mut rules));
            }
            checked.right += 1;
        }
        Ok(checked)
    }

    fn wrong(
        &self,
        game: Game,
        span: Span,
        position: &Position,
        found: u32,
        rules: &mut ByRules,
    ) -> Problem {
        let written = match game.is_impartial() {
            true => format!("has the value {found}"),
            false => format!("is {}", game.class_of(found)),
        };
        let what = format!("wrong example: by the rules {position} {written}");
        let problem = Problem::new(what, span, "this says otherwise");
        let moves = game.try_moves(position).unwrap_or_default();
        let options: Vec<String> =
            moves.iter().take(12).map(|made| made.option.to_string()).collect();
        let mut hint = match options.is_empty() {
            true => "it has no moves".to_owned(),
            false => format!("its options are {}", options.join("  ")),
        };
        if game.is_impartial() && !options.is_empty() {
            let all = moves.iter().take(12).map(|made| rules.cell(&made.option).to_string());
            hint += &format!(", with the values {}", all.collect::<Vec<_>>().join(", "));
        }
        if moves.len() > 12 {
            hint += &format!(", and {} more", moves.len() - 12);
        }
        problem.hint(hint).of_line(&self.text)
    }

    /// Parses an example such as `g(20; 3) = 4` or `P(1,2)`.
    fn example(&self, game: Game, span: Span) -> Result<(Position, Says), Problem> {
        let text = self.text[span.start..span.end].trim();
        let wrong = |what: &str| {
            Problem::new(what, span, "here").hint("write `g(3,1) = 2`, `g(20; 3) = 4` or `P(1,2)`")
        };
        let read = || {
            let (subject, rest) = text.split_once('(')?;
            let (inside, says) = rest.split_once(')')?;
            let says = says.trim();
            let says = match subject.trim() {
                "g" => Says::Value(
                    says.strip_prefix('=')?.trim_start_matches('=').trim().parse().ok()?,
                ),
                class if says.is_empty() => {
                    Says::Class(Outcome::ALL.into_iter().find(|known| known.name() == class)?)
                }
                _ => return None,
            };
            Some((inside, says))
        };
        let (inside, says) =
            read().ok_or_else(|| wrong("an example must be a value or a class of a position"))?;
        if matches!(says, Says::Value(_)) && !game.is_impartial() {
            return Err(wrong("positions of this game have outcome classes and no values"));
        }
        let piles = match inside.trim() {
            "" => "()".to_owned(),
            inside => match inside.split_once(';') {
                Some((piles, memory)) => format!("{piles}/{}", memory.replace(',', "/")),
                None => inside.to_owned(),
            },
        };
        match game.parse(&piles) {
            Ok(position) => Ok((position, says)),
            Err(error) => Err(Problem::new(error.to_string(), span, "this is not a position")),
        }
    }
}
