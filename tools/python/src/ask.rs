//! Questions in the language of docs/LANGUAGE.md.

use std::sync::Arc;

use grundy::has_records;
use grundy::{
    Ask, AskError, Control, Count, Game, Guess, Isa, Outcome, Pile, Position, QueryError, Question,
    counts, usual_range,
};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::database::Db;
use crate::fault::Fault;
use crate::position::{Name, Parts, game, parts, piles};
use crate::run::{Terms, run};

/// How a question is asked.
#[derive(FromPyObject)]
pub(crate) struct QuestionOptions {
    #[pyo3(item)]
    lengths: Option<(usize, usize)>,
    #[pyo3(item)]
    max_pile: Option<Pile>,
    #[pyo3(item)]
    memory: Option<u64>,
    #[pyo3(item)]
    seconds: f64,
    #[pyo3(item)]
    threads: Option<usize>,
    #[pyo3(item)]
    hook: Option<Py<PyAny>>,
}

impl QuestionOptions {
    fn question(name: &str, statement: &str) -> PyResult<Question> {
        let read = Question::parse(game(name)?, statement);
        Ok(read.map_err(AskError::from).map_err(Fault::from)?)
    }

    /// The range that is meant: the largest pile that all its tables have, else a moment's work.
    fn range(&self, db: &Db, question: &Question) -> (std::ops::RangeInclusive<usize>, Pile) {
        let lengths = self.lengths.map(|(first, last)| first..=last);
        let (lengths, usual) = usual_range(question, lengths);
        let stored = lengths.clone().map(|k| db.known().largest_stored(question.game(), k));
        let stored = stored.collect::<Option<Vec<Pile>>>().and_then(|all| all.into_iter().min());
        (lengths, self.max_pile.or(stored).unwrap_or(usual))
    }

    fn ask<'a>(
        &self,
        db: &'a Db,
        question: &'a Question,
        control: &'a Control,
    ) -> PyResult<Ask<'a>> {
        Ok(Ask::new(question)
            .database(db.get()?)
            .memory(self.memory.unwrap_or(db.memory))
            .seconds(self.seconds)
            .control(control))
    }

    fn terms(&self, py: Python<'_>) -> Terms {
        let hook = self.hook.as_ref().map(|hook| hook.clone_ref(py));
        Terms { threads: self.threads, hook }
    }
}

/// Kind, statement, positions it was checked on, those it says something about.
type Law = (String, String, u64, u64);

/// A value, or the letter of a class.
fn value_of(game: Game, cell: u32) -> Value {
    match game.is_impartial() {
        true => json!(cell),
        false => json!(Outcome::ALL.get(cell as usize).map(ToString::to_string)),
    }
}

#[pymethods]
impl Db {
    /// Checks a statement: a text of JSON.
    fn check(
        &self,
        py: Python<'_>,
        name: Name,
        statement: &str,
        show: usize,
        wanted: QuestionOptions,
    ) -> PyResult<String> {
        let question = QuestionOptions::question(&name, statement)?;
        let (lengths, max_pile) = wanted.range(self, &question);
        let control = Arc::new(Control::new());
        let ask = wanted.ask(self, &question, &control)?.show(show.max(1));
        let checked =
            run(py, &wanted.terms(py), &control, || ask.check(lengths.clone(), max_pile))?;
        let checked = checked.map_err(Fault::from)?;
        let least: Vec<Value> = checked
            .least
            .iter()
            .map(|(position, cell)| {
                let found = ask.parts(position, *cell);
                let value = value_of(question.game(), *cell);
                json!({ "position": position.to_string(), "value": value, "parts": found })
            })
            .collect();
        let premise = question.has_premise().then_some(checked.premise);
        let told = json!({
            "game": question.game().id(),
            "statement": question.text(),
            "checked": checked.checked,
            "premise": premise,
            "failures": checked.failures,
            "counterexamples": least,
            "complete": checked.complete,
            "read": checked.read,
            "computed": checked.computed,
            "seconds": checked.seconds,
            "lengths": [lengths.start(), lengths.end()],
            "max_pile": max_pile,
        });
        Ok(told.to_string())
    }

    /// The positions that satisfy a predicate, in order, with their values or classes.
    fn find(
        &self,
        py: Python<'_>,
        name: Name,
        predicate: &str,
        first: u64,
        wanted: QuestionOptions,
    ) -> PyResult<Vec<(Parts, Option<u32>, String)>> {
        let question = QuestionOptions::question(&name, predicate)?;
        let (lengths, max_pile) = wanted.range(self, &question);
        let control = Arc::new(Control::new());
        let ask = wanted.ask(self, &question, &control)?;
        let game = question.game();
        let mut found = Vec::new();
        let mut left = first;
        let (allowed, mut too_many) = (wanted.memory.unwrap_or(self.memory), false);
        let listed = run(py, &wanted.terms(py), &control, || {
            let show = |position: &Position, cell: u32| -> Result<bool, AskError> {
                if left == 0 {
                    return Ok(false);
                }
                left -= 1;
                // What Python makes of a position has about a kilobyte.
                if (found.len() as u64).saturating_mul(1000) > allowed.saturating_add(1_000_000) {
                    too_many = true;
                    return Ok(false);
                }
                let (value, outcome) = match game.is_impartial() {
                    true => (Some(cell), Outcome::of_value(cell).to_string()),
                    false => {
                        let class = Outcome::ALL.get(cell as usize);
                        (None, class.map_or_else(String::new, ToString::to_string))
                    }
                };
                found.push((parts(position), value, outcome));
                Ok(left > 0)
            };
            ask.find(lengths, max_pile, show)
        })?;
        listed.map_err(Fault::from)?;
        if too_many {
            let what = format!("there are more positions than fit the limit of {allowed} bytes");
            let advice = "ask for fewer with first=, or allow more bytes with memory=";
            return Err(Fault::new("LimitError", what).advised(advice).into());
        }
        Ok(found)
    }

    /// How many positions of sizes 0, 1, ..., `to` satisfy a predicate, and the lengths they have.
    fn counts(
        &self,
        py: Python<'_>,
        name: Name,
        predicate: &str,
        total: bool,
        to: Pile,
        wanted: QuestionOptions,
    ) -> PyResult<(Vec<u64>, (usize, usize))> {
        let question = QuestionOptions::question(&name, predicate)?;
        let lengths = wanted.lengths.unwrap_or(match question.least_length() {
            1 => (2, 2),
            piles => (piles, piles),
        });
        let by = if total { Count::Total } else { Count::LargestPile };
        let control = Arc::new(Control::new());
        let ask = wanted.ask(self, &question, &control)?;
        let work = || counts(&ask, lengths.0..=lengths.1, by, to);
        match run(py, &wanted.terms(py), &control, work)?.map_err(Fault::from)? {
            Some(terms) => Ok((terms, lengths)),
            None => Err(Fault::from(grundy::Error::Stopped).into()),
        }
    }

    /// The values (w, n), n = 1, ..., `to`; without w in a game with records of single piles g(n)
    /// from 0 on. With the number of the first.
    fn terms(
        &self,
        py: Python<'_>,
        name: Name,
        word: &Bound<'_, PyAny>,
        to: Pile,
    ) -> PyResult<(u64, Vec<u32>)> {
        let (game, word) = (game(&name)?, piles(word)?);
        let (database, control) = (self.get()?, Arc::new(Control::new()));
        let work = || -> Result<(u64, Vec<u32>), QueryError> {
            if word.is_empty() && has_records(game) {
                let mut terms = vec![0];
                database.each_record(game, to, |value, _| {
                    terms.push(value);
                    !control.is_stopped()
                })?;
                return Ok((0, terms));
            }
            let answers = database.row(game, &word, to)?;
            let value = |answer: &grundy::Answer| answer.value.ok_or(QueryError::NoValue { game });
            Ok((1, answers.iter().map(value).collect::<Result<_, _>>()?))
        };
        let terms = Terms { threads: None, hook: None };
        Ok(run(py, &terms, &control, work)?.map_err(Fault::from)?)
    }

    /// Laws that hold: kind, statement, positions it was checked on, those it says something about;
    /// and whether all were tried.
    fn guess(
        &self,
        py: Python<'_>,
        name: Name,
        length: usize,
        max_pile: Pile,
        wanted: QuestionOptions,
    ) -> PyResult<(Vec<Law>, bool)> {
        let (game, control) = (game(&name)?, Arc::new(Control::new()));
        let guess = Guess {
            game,
            length,
            max_pile,
            database: Some(self.get()?),
            memory: wanted.memory.unwrap_or(self.memory),
            isa: Isa::best(),
            seconds: wanted.seconds,
            control: &control,
        };
        let found = run(py, &wanted.terms(py), &control, || guess.run())?.map_err(Fault::from)?;
        let told = |law: &grundy::FoundLaw| {
            let kind = format!("{:?}", law.kind).to_lowercase();
            (kind, law.statement.clone(), law.checked, law.constrained)
        };
        Ok((found.found.iter().map(told).collect(), found.complete))
    }
}
