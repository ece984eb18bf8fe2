//! Checks statements about positions, proves them for piles of all sizes, estimates the time of a
//! check, and maps counterexamples. Only the second module of the page contains this code.

use grundy::sizes::usual_limit;
use grundy::{
    Ask, AskError, Database, Domain, Lengths, Number, Order, Pile, Position, Progress, Question,
    Remembers, Seconds, game_among, usual_range,
};
use serde::Deserialize;
use serde_json::json;

use crate::game::{Failure, Told, named};
use crate::limits::{self, within};

/// A clock in seconds, and a callback for the progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Means {
    pub(crate) clock: fn() -> f64,
    pub(crate) progress: fn(f64, f64),
}

/// A statement and its range. If lengths or a largest pile are missing, the usual defaults apply.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Checking {
    game: String,
    statement: String,
    #[serde(default)]
    lengths: Option<[usize; 2]>,
    #[serde(default)]
    max_pile: Option<Pile>,
    /// `beginning` for the positions at the beginning of play.
    #[serde(default)]
    positions: Option<String>,
    /// The number of moves of the sets, if only sets with this number of moves are meant.
    #[serde(default)]
    sets: Option<u32>,
}

impl Checking {
    fn read(&self) -> Result<(Question, Lengths, Pile), Failure> {
        let game = named(&self.game)?;
        let by_name = |name: &str| named(name).map_err(|error| error.to_string());
        let read = |name: &str| game_among(&[game], name, &by_name);
        let question = Question::parse_with(game, &self.statement, &read)?;
        let lengths = self.lengths.map(|[first, last]| first..=last);
        if lengths.as_ref().is_some_and(|lengths| *lengths.start() == 0 || lengths.is_empty()) {
            return Err("lengths are at least 1, and the first is at most the last".into());
        }
        let (lengths, usual) = usual_range(&question, lengths);
        Ok((question, lengths, self.max_pile.unwrap_or(usual)))
    }

    pub(crate) fn estimate(&self, database: &Database) -> Told {
        let (question, lengths, max_pile) = self.read()?;
        let (positions, seconds) =
            self.asks(database, &question)?.estimate(lengths.clone(), max_pile)?;
        // The crates know their price on a processor; the browser adds some for each position.
        let game = question.game();
        let each = match game.remembers() {
            Remembers::Nothing if game.order() == Order::Row && game.rule_file().is_none() => 6e-8,
            Remembers::Nothing | Remembers::Numbers => 3e-7,
            Remembers::Moves => 1.3e-6,
        };
        let seconds = seconds + positions as f64 * each;
        let lengths = [lengths.start(), lengths.end()];
        let object = json!({
            "positions": positions, "seconds": seconds, "lengths": lengths, "max_pile": max_pile,
        });
        Ok((object, Vec::new()))
    }

    pub(crate) fn check(&self, database: &Database, means: Means) -> Told {
        let (question, lengths, max_pile) = self.read()?;
        let until = (means.clock)() + limits::STATEMENT_SECONDS;
        let hook = |Progress { done, total }| {
            (means.progress)(done as f64, total as f64);
            (means.clock)() < until
        };
        let ask = self.asks(database, &question)?.watched(&hook);
        let checked = ask.check(lengths.clone(), max_pile)?;
        if !checked.complete {
            return Err(format!(
                "the check was given up after {} and {}; choose a smaller range",
                Seconds(limits::STATEMENT_SECONDS),
                Number(checked.checked, "position")
            )
            .into());
        }
        let summary = ask.summary(checked, &lengths, max_pile, limits::MOST_EXPLAINED);
        Ok((json!(summary), Vec::new()))
    }

    /// Proves the statement for piles of all sizes, for each number of piles.
    pub(crate) fn prove(&self, database: &Database) -> Told {
        let (question, lengths, _) = self.read()?;
        let ask = self.asks(database, &question)?;
        let mut lines = Vec::new();
        for length in lengths {
            let found = ask.check_all_sizes(length, usual_limit(length))?;
            lines.push(json!({
                "length": length, "verdict": found.verdict(), "most": found.most,
                "checked": found.report.as_ref().map(|report| report.checked),
                "reason": found.reason,
            }));
        }
        Ok((json!({ "lengths": lines }), Vec::new()))
    }

    pub(crate) fn failures(&self, database: &Database, means: Means) -> Told {
        let (question, lengths, max_pile) = self.read()?;
        within("the largest pile", max_pile, limits::MOST_SIDE)?;
        // The statement may end in a comment, so put the closing bracket on a new line.
        let fails = Question::parse(question.game(), &format!("not ({}\n)", question.text()))?;
        let side = max_pile as usize;
        let mut numbers = vec![0; side * side];
        let until = (means.clock)() + limits::SECONDS;
        let count = |position: &Position, _| -> Result<bool, AskError> {
            let piles = position.piles();
            let ends = piles.first().zip(piles.last()).filter(|(a, b)| **a > 0 && **b > 0);
            if let Some((&first, &last)) = ends {
                numbers[(first as usize - 1) * side + last as usize - 1] += 1;
            }
            Ok((means.clock)() < until)
        };
        if !self.asks(database, &fails)?.find(lengths, max_pile, count)? {
            return Err("this map takes too long; choose a smaller range".into());
        }
        let largest = numbers.iter().max().copied();
        Ok((json!({ "side": side, "largest": largest }), numbers))
    }

    fn asks<'a>(&self, database: &'a Database, question: &'a Question) -> Result<Ask<'a>, Failure> {
        let ask = Ask::new(question).database(database).memory(limits::MEMORY);
        let domain = Domain::of(self.positions.as_deref(), self.sets)?;
        Ok(ask.seconds(limits::STATEMENT_SECONDS).show(limits::MOST_SHOWN).domain(domain))
    }
}
