//! Questions in the language of docs/LANGUAGE.md.

use grundy::sizes::usual_limit;
use grundy::{
    Ask, AskError, Count, Domain, Game, Guess, Isa, MemoryLimit, Pile, Position, Problem, Quantity,
    QueryError, Question, ReadGame, Totals, counts, game_among, row_values, usual_lengths,
    usual_max_pile, usual_range, with_causes,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;

use crate::database::Db;
use crate::fault::Fault;
use crate::position::{Name, Parts, game as named, given_size, parts, piles};
use crate::run::{Terms, run};

#[derive(FromPyObject)]
pub(crate) struct QuestionOptions {
    #[pyo3(item)]
    lengths: Option<(usize, usize)>,
    #[pyo3(item)]
    max_pile: Option<Pile>,
    #[pyo3(item)]
    max_total: Option<Pile>,
    #[pyo3(item)]
    positions: Option<String>,
    #[pyo3(item)]
    sets: Option<u32>,
    #[pyo3(item)]
    games: Vec<Name>,
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
    /// Parses a statement, or a number, with a function of `grundy`.
    fn read<T>(
        &self,
        (game, text): (Game, &str),
        parse: impl FnOnce(Game, &str, ReadGame<'_>) -> Result<T, Problem>,
    ) -> PyResult<T> {
        let given = self.games.iter().map(|name| Ok(named(name)?)).collect::<PyResult<Vec<_>>>()?;
        let found = |name: &str| grundy::game(name).map_err(|error| with_causes(&error));
        let read = parse(game, text, &|name| game_among(&given, name, &found));
        Ok(read.map_err(AskError::from).map_err(Fault::from)?)
    }

    fn question(&self, name: &str, statement: &str) -> PyResult<Question> {
        self.read((named(name)?, statement), Question::parse_with)
    }

    /// Returns the lengths and the largest pile or total, or the defaults if they are not given.
    fn range(&self, question: &Question) -> PyResult<(std::ops::RangeInclusive<usize>, Pile)> {
        let (lengths, usual) =
            usual_range(question, self.lengths.map(|(first, last)| first..=last));
        Ok((lengths, self.size(question.game())?.unwrap_or(usual)))
    }

    fn size(&self, game: Game) -> PyResult<Option<Pile>> {
        given_size(game, self.max_pile, self.max_total)
    }

    fn ask<'a>(&self, db: &'a Db, question: &'a Question, terms: &'a Terms) -> PyResult<Ask<'a>> {
        let domain = Domain::of(self.positions.as_deref(), self.sets);
        Ok(Ask::new(question)
            .domain(domain.map_err(grundy::Error::from).map_err(Fault::from)?)
            .database(db.get()?)
            .memory(self.memory.map_or(db.memory, MemoryLimit::new))
            .seconds(self.seconds)
            .control(&terms.control))
    }

    fn terms(&self, py: Python<'_>) -> Terms {
        Terms::new(self.threads, self.hook.as_ref().map(|hook| hook.clone_ref(py)))
    }
}

/// A position in parts, its value, and its outcome class.
type FoundPosition = (Parts, Option<u32>, String);

/// The largest number, and the first position that has it.
type Largest = Option<(i128, Parts)>;

/// The kind of a law, its statement, the number of checked positions, the number of positions with
/// a true premise, and the largest pile.
type Law = (String, String, u64, u64, Pile);

#[pymethods]
impl Db {
    /// Checks a statement; returns JSON.
    fn check(
        &self,
        py: Python<'_>,
        name: Name,
        statement: &str,
        show: usize,
        wanted: QuestionOptions,
    ) -> PyResult<String> {
        let question = wanted.question(&name, statement)?;
        let (lengths, max_pile) = wanted.range(&question)?;
        let terms = wanted.terms(py);
        let ask = wanted.ask(self, &question, &terms)?.show(show.max(1));
        let checked = run(py, &terms, || ask.check(lengths.clone(), max_pile))?;
        Ok(json!(ask.summary(checked, &lengths, max_pile, usize::MAX)).to_string())
    }

    /// Checks a statement for piles of all sizes; returns JSON, and the certificate.
    fn check_all_sizes<'py>(
        &self,
        py: Python<'py>,
        name: Name,
        statement: &str,
        show: usize,
        wanted: QuestionOptions,
    ) -> PyResult<(String, Option<Bound<'py, PyBytes>>)> {
        let question = wanted.question(&name, statement)?;
        let (lengths, _) = wanted.range(&question)?;
        let length = *lengths.start();
        if lengths.start() != lengths.end() {
            let why =
                "a proof for piles of all sizes is about one length; choose it, as in length=3";
            return Err(PyValueError::new_err(why));
        }
        let limit = wanted.size(question.game())?.unwrap_or_else(|| usual_limit(length));
        let terms = wanted.terms(py).within(wanted.seconds);
        let ask = wanted.ask(self, &question, &terms)?.show(show.max(1));
        let found = run(py, &terms, || ask.check_all_sizes(length, limit))?;
        let (verdict, reason) = (found.verdict(), found.reason.clone());
        let proof =
            found.found.map(|found| [found.cap, found.modulus, found.most].map(|x| x as u64));
        let certificate = found.certificate.as_ref().map(|text| PyBytes::new(py, text.as_bytes()));
        let report = found.report.unwrap_or_default();
        let summary = ask.summary(report, &lengths, found.most, usize::MAX);
        let mut told = json!(summary);
        told["verdict"] = verdict.into();
        told["proof"] = json!(proof.filter(|_| verdict == "holds"));
        told["reason"] = json!(reason.filter(|_| verdict == "undecided"));
        Ok((told.to_string(), certificate))
    }

    /// Adds up a number over the positions that satisfy a predicate. Returns the number of
    /// positions, the sum, and the largest number with the first position that has it.
    fn totals(
        &self,
        py: Python<'_>,
        name: Name,
        predicate: &str,
        number: &str,
        wanted: QuestionOptions,
    ) -> PyResult<(u64, i128, Largest)> {
        let question = wanted.question(&name, predicate)?;
        let quantity = wanted.read((question.game(), number), Quantity::parse_with)?;
        let (lengths, max_pile) = wanted.range(&question)?;
        let terms = wanted.terms(py);
        let ask = wanted.ask(self, &question, &terms)?;
        let Totals { count, sum, largest, .. } = run(py, &terms, || {
            ask.check_seconds(lengths.clone(), max_pile)?;
            ask.totals(&quantity, lengths, max_pile)
        })?;
        Ok((count, sum, largest.map(|(most, position)| (most, parts(&position)))))
    }

    /// Returns the positions that satisfy a predicate, in order, with their values or classes. The
    /// flag is true if the list is complete.
    fn find(
        &self,
        py: Python<'_>,
        name: Name,
        predicate: &str,
        first: Option<u64>,
        wanted: QuestionOptions,
    ) -> PyResult<(Vec<FoundPosition>, bool)> {
        let question = wanted.question(&name, predicate)?;
        let (lengths, max_pile) = wanted.range(&question)?;
        let terms = wanted.terms(py);
        let ask = wanted.ask(self, &question, &terms)?.first(first.unwrap_or(u64::MAX));
        let game = question.game();
        let mut found = Vec::new();
        let mut left = first.unwrap_or(u64::MAX);
        let limit = wanted.memory.map_or(self.memory, MemoryLimit::new);
        let mut too_many = false;
        let complete = run(py, &terms, || {
            if left == 0 {
                return Ok(false);
            }
            if first.is_none() {
                ask.check_seconds(lengths.clone(), max_pile)?;
            }
            let show = |position: &Position, cell: u32| -> Result<bool, AskError> {
                left -= 1;
                // The Python object of a position takes about a kilobyte.
                if (found.len() as u64).saturating_mul(1000)
                    > limit.bytes().saturating_add(1_000_000)
                {
                    too_many = true;
                    return Ok(false);
                }
                let value = game.is_impartial().then_some(cell);
                found.push((parts(position), value, game.class_of(cell).to_string()));
                Ok(left > 0)
            };
            ask.find(lengths, max_pile, show)
        })?;
        if too_many {
            let what = format!("the positions exceed the memory limit of {limit}");
            let advice = "ask for fewer with first=, or raise memory=";
            return Err(Fault::new("LimitError", what).advised(advice).into());
        }
        Ok((found, complete))
    }

    /// Counts the positions of each size up to `to` that satisfy a predicate. `by` is "max",
    /// "total", or "all" (totals over all lengths). Also returns the lengths and the least size.
    fn counts(
        &self,
        py: Python<'_>,
        name: Name,
        predicate: &str,
        by: &str,
        to: Pile,
        wanted: QuestionOptions,
    ) -> PyResult<(Vec<u64>, (usize, usize), usize)> {
        let question = wanted.question(&name, predicate)?;
        let usual = || usual_lengths(&question).into_inner();
        let mut lengths = wanted.lengths.unwrap_or_else(usual);
        if by == "all" {
            if question.game().order().least_pile() == 0 {
                let what = "piles may be empty, so the number of piles has no bound";
                return Err(PyValueError::new_err(format!("{what}; give a length")));
            }
            // With n coins there are at most n piles.
            lengths = (1, (to as usize).max(1));
        }
        let by = if by == "max" { Count::LargestPile } else { Count::Total };
        let terms = wanted.terms(py);
        let ask = wanted.ask(self, &question, &terms)?;
        match run(py, &terms, || counts(&ask, lengths.0..=lengths.1, by, to))? {
            Some(counts) => Ok((counts, lengths, by.least(question.game(), lengths.0))),
            None => Err(Fault::from(grundy::Error::Stopped).into()),
        }
    }

    /// Returns the first n, and the values of (w, n) from this n to `to`. If w is empty and the
    /// game has records, returns the values g(n), beginning with n = 0.
    fn terms(
        &self,
        py: Python<'_>,
        name: Name,
        word: &Bound<'_, PyAny>,
        to: Pile,
    ) -> PyResult<(u64, Vec<i64>)> {
        let (game, word) = (named(&name)?, piles(word)?);
        // Sequences use stored or computed values, but never theorems.
        let (database, terms) = (self.get()?.without_theorems(), Terms::default());
        run(py, &terms, || -> Result<(u64, Vec<i64>), QueryError> {
            let more = &mut || !terms.control.is_stopped();
            let (first, values) = row_values(&database, game, &word, to, more)?;
            // The term is -1 if the rules exclude the position.
            Ok((first, values.into_iter().map(|value| value.map_or(-1, i64::from)).collect()))
        })
    }

    /// Returns the laws that hold, each as a [`Law`]. The flag is true if all laws were tested.
    fn guess(
        &self,
        py: Python<'_>,
        name: Name,
        length: usize,
        wanted: QuestionOptions,
    ) -> PyResult<(Vec<Law>, bool)> {
        let (game, terms) = (named(&name)?, wanted.terms(py));
        let usual = || usual_max_pile(game, length, Guess::USUAL_POSITIONS);
        let max_pile = wanted.size(game)?.unwrap_or_else(usual);
        let guess = Guess {
            game,
            length,
            max_pile,
            database: Some(self.get()?),
            memory: wanted.memory.map_or(self.memory, MemoryLimit::new),
            isa: Isa::best(),
            seconds: wanted.seconds,
            control: &terms.control,
        };
        let found = run(py, &terms, || guess.run())?;
        if found.found.is_empty() && !found.complete {
            let what = format!("no law was found in {} seconds", wanted.seconds);
            return Err(Fault::new("LimitError", what).advised("raise seconds=").into());
        }
        let parts = |law: &grundy::FoundLaw| {
            let kind = format!("{:?}", law.kind).to_lowercase();
            (kind, law.statement.clone(), law.checked, law.constrained, law.tried_to)
        };
        Ok((found.found.iter().map(parts).collect(), found.complete))
    }
}
