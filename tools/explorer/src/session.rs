//! Questions of a page, and their answers.

use grundy::papers::period::{Periodicity, observed};
use grundy::papers::{decided_by, decided_with};
use grundy::{
    Answer, Bytes, Control, Database, Family, Game, IntoPosition, Level, Limits, Memory, Move,
    MoveReport, Outcome, PeriodSearch, Pile, Position, PositionReport, RULE_FILES, Remembers,
    Source, Table, is_winning, nim_period, nim_sum, remoteness_form, some_moves,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::game::{Failure, Told, about, classes, named};
use crate::limits::{self, within};
use crate::own;
use crate::statement::Means;

/// A question, which is a JSON object whose member `ask` has the name of a variant.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
enum Request {
    /// The list of games.
    Games,
    /// The value of a position, and the value after each move.
    Position { game: String, position: String },
    /// The answers to each move of a lost position.
    Replies { game: String, position: String },
    /// The value of a position, without its moves.
    Value { game: String, position: String },
    /// The values of a·w·b for all a and b up to `side`, or their differences from a xor b.
    Tile { game: String, middle: String, side: Pile, differences: bool },
    /// The values of w·b for b up to `last`, and the period of that row.
    Row { game: String, word: String, last: Pile },
    /// The values g(n) of single piles up to `last`.
    Singles { game: String, last: Pile },
    /// The values of one pile with each set of moves. The set at index m contains s if bit s - 1 of
    /// m is set.
    Sets { game: String, pile: Pile },
}

impl Request {
    /// True if only the larger module of the page has the game, or the fast methods for pictures of
    /// it.
    fn is_large(&self) -> bool {
        let (game, is_picture) = match self {
            Request::Tile { game, .. } | Request::Row { game, .. } => (game, true),
            Request::Position { game, .. }
            | Request::Replies { game, .. }
            | Request::Value { game, .. }
            | Request::Singles { game, .. }
            | Request::Sets { game, .. } => (game, false),
            Request::Games => return false,
        };
        match game.parse::<Game>() {
            Ok(game) => is_picture && game.family() == Family::Lines,
            Err(_) => true,
        }
    }
}

/// The answer to a question.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// A JSON object. If there is no answer, its member `error` is a sentence.
    pub text: String,
    /// The numbers of a picture.
    pub numbers: Vec<u32>,
}

/// Answers questions from the rules alone, without tables.
#[derive(Debug)]
pub struct Session {
    database: Database,
    means: Means,
}

impl Session {
    /// Returns a session. `clock` returns seconds; `progress` is called during long work.
    pub fn new(clock: fn() -> f64, progress: fn(f64, f64)) -> Session {
        let limits = Limits { memory: limits::MEMORY.into(), seconds: limits::SECONDS };
        Session {
            database: Database::empty_within(limits).clocked(clock),
            means: Means { clock, progress },
        }
    }

    /// Answers a question. An error is a sentence in the member `error`.
    pub fn ask(&self, question: &[u8]) -> Reply {
        match self.answer(question) {
            Ok((value, numbers)) => Reply { text: value.to_string(), numbers },
            Err(error) => {
                Reply { text: json!({"error": error.to_string()}).to_string(), numbers: Vec::new() }
            }
        }
    }

    fn answer(&self, question: &[u8]) -> Told {
        if question.len() > limits::MOST_BYTES {
            let most = Bytes(limits::MOST_BYTES as u64);
            return Err(format!("the question is too long; it may have at most {most}").into());
        }
        if RULE_FILES && let Some(told) = own::answer(&self.database, self.means, question) {
            return told;
        }
        let request = serde_json::from_slice::<Request>(question);
        if !RULE_FILES && request.as_ref().map_or(true, Request::is_large) {
            return Ok((json!({ "module": "whole.wasm" }), Vec::new()));
        }
        match request? {
            Request::Games => Ok((games(), Vec::new())),
            Request::Position { game, position } => self.position(&game, &position),
            Request::Replies { game, position } => self.replies(&game, &position),
            Request::Value { game, position } => {
                let (game, position) = read(&game, &position)?;
                let answer = self.database.answer(game, &position)?;
                Ok((json!(PositionReport::new(game, &position, &answer)), Vec::new()))
            }
            Request::Tile { game, middle, side, differences } => {
                self.tile(&game, &middle, side, differences)
            }
            Request::Row { game, word, last } => self.row(&game, &word, last),
            Request::Singles { game, last } => self.singles(&game, last),
            Request::Sets { game, pile } => self.sets(&game, pile),
        }
    }

    fn position(&self, game: &str, text: &str) -> Told {
        let (game, position) = read(game, text)?;
        // A theorem may decide a position that is too large to compute.
        let (answer, beyond) = match self.database.answer(game, &position) {
            Ok(answer) => (answer, None),
            Err(error) => (by_theorem(game, &position).ok_or(error.to_string())?, Some(error)),
        };
        let report = match &beyond {
            None => PositionReport::in_full(&self.database, game, &position, &answer)?,
            Some(_) => PositionReport::new(game, &position, &answer),
        };
        let mut object = json!(report);
        if let Some(error) = &beyond {
            object["source"] = "theorem".into();
            object["beyond"] = error.to_string().into();
        }
        object["reason"] = reason(game, &position, &answer);
        object["coins"] = position.coins().into();
        object["piles"] = position.piles().into();
        match position.memory() {
            Memory::Nothing => {}
            Memory::Numbers(_, of) => {
                if of.has_last_move() {
                    object["last_move"] = position.last_move().into();
                }
                if RULE_FILES && of.states() > 1 {
                    object["memory"] = position.memory().numbers().into_iter().collect();
                }
            }
            Memory::Available(set) => {
                let few = set.iter().take(limits::MOST_LISTED_COINS as usize);
                object["available"] = few.collect::<Vec<Pile>>().into();
            }
        }
        if position.coins() > limits::MOST_LISTED_COINS {
            object["unlisted"] = format!(
                "the position has {} coins, too many to list its moves; the limit is {}",
                position.coins(),
                limits::MOST_LISTED_COINS
            )
            .into();
            if let Some(some) = some_moves(game, &position) {
                let told = |made: &Move| -> Result<MoveReport, Failure> {
                    Ok(MoveReport::new(made, &self.database.answer(game, &made.option)?))
                };
                object["moves"] = json!(some.iter().map(told).collect::<Result<Vec<_>, _>>()?);
            }
            return Ok((object, Vec::new()));
        }
        let moves = match beyond {
            None => self.database.moves(game, &position).map(|found| found.moves),
            Some(error) => {
                let known = |made: Move| Some((by_theorem(game, &made.option)?, made));
                let found = game.moves(&position).into_iter().map(known);
                let all: Option<Vec<_>> =
                    found.map(|one| one.map(|(to, made)| (made, to))).collect();
                all.ok_or(error)
            }
        };
        let moves = match moves {
            Ok(moves) => moves,
            // If the moves cannot be listed, answer with the position alone.
            Err(error) => {
                object["unlisted"] = error.to_string().into();
                return Ok((object, Vec::new()));
            }
        };
        // The remoteness needs all positions of a table, so compute it only for a small table.
        let table = |form| Table::new(form, position.max_pile().max(1), position.length());
        let is_small =
            |form: &Game| table(*form).is_ok_and(|table| table.values() <= limits::MOST_LASTING);
        let form = remoteness_form(game).ok().filter(is_small);
        let lasting = form.and_then(|form| self.database.moves(form, &position).ok());
        if let Some(lasting) = &lasting {
            object["remoteness"] = lasting.answer.value.into();
        }
        let moves = moves.iter().enumerate().map(|(at, (made, option))| {
            let mut one = json!(MoveReport::new(made, option));
            if let Some(lasting) = &lasting {
                one["remoteness"] = lasting.moves[at].1.value.into();
            }
            if is_winning(made.player, option.outcome) && game.is_impartial() {
                one["reason"] = reason(game, &made.option, option);
            }
            one
        });
        object["moves"] = moves.collect::<Vec<Value>>().into();
        Ok((object, Vec::new()))
    }

    /// Returns each move of a position with a winning answer to it. Prefers an answer that takes as
    /// many coins as the move; otherwise takes the first winning answer.
    fn replies(&self, game: &str, text: &str) -> Told {
        let (game, position) = read(game, text)?;
        within("the number of coins", position.coins(), limits::MOST_ANSWERED_COINS)?;
        let mut all = Vec::new();
        let begun = (self.means.clock)();
        for (made, option) in &self.database.moves(game, &position)?.moves {
            if (self.means.clock)() - begun > limits::SECONDS {
                return Err(format!("they take longer than {} seconds", limits::SECONDS).into());
            }
            let next = self.database.moves(game, &made.option)?.moves;
            let wins = |(by, to): &&(Move, Answer)| {
                (game.is_impartial() || by.player != made.player)
                    && is_winning(by.player, to.outcome)
            };
            let taken = |option: &Position, from: &Position| {
                from.coins().cast_signed() - option.coins().cast_signed()
            };
            let as_many = taken(&made.option, &position);
            let alike = |(by, _): &&(Move, Answer)| taken(&by.option, &made.option) == as_many;
            let mut winning = next.iter().filter(wins);
            let reply = winning.clone().find(alike).or_else(|| winning.next());
            let mut one = json!(MoveReport::new(made, option));
            one["reply"] = reply.map_or(Value::Null, |(by, to)| json!(MoveReport::new(by, to)));
            all.push(one);
        }
        Ok((json!({ "replies": all }), Vec::new()))
    }

    fn tile(&self, game: &str, middle: &str, side: Pile, differences: bool) -> Told {
        let game = named(game)?;
        within("the side", side, limits::MOST_SIDE)?;
        let middle = word(game, middle)?;
        if game.is_unordered() && !middle.is_empty() {
            return Err(format!("the piles of {game} are unordered; leave out the middle").into());
        }
        if differences && !game.is_impartial() {
            return Err(format!("positions of {game} have no values to compare").into());
        }
        no_gaps(game)?;
        let tile = self.database.tile(game, &middle, side)?;
        // The page counts piles from 1.
        let from = (1 - tile.first()) as usize;
        let of_row = |row: &[Option<Answer>]| row[from..].to_vec();
        let answers: Vec<Answer> = tile.rows().skip(from).flat_map(of_row).flatten().collect();
        let mut numbers: Vec<u32> = answers.iter().map(Answer::cell).collect();
        let zeros = match game.is_impartial() {
            true => Outcome::of_value(0),
            false => Outcome::P,
        };
        let lost = answers.iter().filter(|answer| answer.outcome == zeros).count();
        if differences {
            let ends = (1..=side).flat_map(|a| (1..=side).map(move |b| [a, b]));
            for (number, ends) in numbers.iter_mut().zip(ends) {
                // The page reads the difference as a signed number of 32 bits.
                *number = number.wrapping_sub(nim_sum(&ends));
            }
        }
        let largest = numbers.iter().map(|&number| i64::from(number as i32).abs()).max();
        let object = json!({
            "side": side, "differences": differences, "largest": largest, "lost": lost,
            "classes": classes(game),
        });
        Ok((object, numbers))
    }

    fn row(&self, game: &str, text: &str, last: Pile) -> Told {
        let game = named(game)?;
        within("the last pile", last, limits::MOST_ROW)?;
        let word = word(game, text)?;
        no_gaps(game)?;
        let answers = self.database.row(game, &word, last)?;
        let from = 1 - game.order().least_pile() as usize;
        let numbers: Vec<u32> = answers[from..].iter().flatten().map(Answer::cell).collect();
        let found = nim_period(game, &word)
            .or_else(|| found_period(game, &word, last))
            // The cells of other games are classes, which have no sums.
            .or_else(|| {
                observed(&numbers).filter(|found| game.is_impartial() || found.saltus == 0)
            });
        Ok((json!({ "classes": classes(game), "period": found }), numbers))
    }

    fn singles(&self, game: &str, last: Pile) -> Told {
        let game = named(game)?;
        within("the last pile", last, limits::MOST_SINGLE)?;
        let mut numbers = Vec::with_capacity(last as usize);
        self.database.each_record(game, last, |value, _| {
            numbers.push(value);
            true
        })?;
        Ok((json!({}), numbers))
    }

    fn sets(&self, game: &str, pile: Pile) -> Told {
        let game = named(game)?;
        within("the pile", pile, limits::MOST_SETS)?;
        if game.remembers() != Remembers::Moves {
            return Err(format!("{game} does not remember which moves were made").into());
        }
        let mut numbers = vec![0; 1 << pile];
        Level::new(game, 1, pile)?.memory(limits::MEMORY).each(|block| {
            block.each_position(|seen| {
                let Memory::Available(set) = seen.memory else { return };
                let place = set.mask().and_then(|mask| usize::try_from(mask).ok());
                let place = place.filter(|_| seen.piles == [pile]);
                if let Some(number) = place.and_then(|place| numbers.get_mut(place)) {
                    *number = seen.value;
                }
            });
            true
        })?;
        let largest = numbers.iter().max().copied();
        Ok((json!({ "pile": pile, "largest": largest }), numbers))
    }
}

/// Parses the name of a game and a position of this game.
fn read(game: &str, text: &str) -> Result<(Game, Position), Failure> {
    let game = named(game)?;
    Ok((game, text.into_position(game)?))
}

/// Parses piles; an empty text means no piles.
fn word(game: Game, text: &str) -> Result<Vec<Pile>, Failure> {
    Ok(game.parse_part(if text.is_empty() { "()" } else { text })?)
}

/// Rejects games that exclude positions, because the page draws whole squares and rows.
fn no_gaps(game: Game) -> Result<(), Failure> {
    match game.excludes() {
        true => {
            Err(format!("the rules of {game} exclude positions; `grundy plot` draws them").into())
        }
        false => Ok(()),
    }
}

/// Returns the period of a row, if the game has rows with periods.
fn found_period(game: Game, word: &[Pile], to: Pile) -> Option<Periodicity> {
    let (&left, middle) = word.split_first().unwrap_or((&0, &[]));
    // If the ends do not determine a row, search only a few columns, which prove no long period.
    let each = word.iter().fold(1, |all: u64, &pile| all.saturating_mul(u64::from(pile) + 1));
    let few = (limits::MOST_SEARCHED / each) as Pile;
    let to = if matches!(game.family(), Family::Ends | Family::Heaps) { to } else { to.min(few) };
    let search = PeriodSearch { game, left, middle, to, memory: (limits::MEMORY / 4).into() };
    search.row(&Control::new()).ok()?.found
}

/// Returns the claim that decides who wins, with the values of its variables; null if none does.
fn reason(game: Game, position: &Position, answer: &Answer) -> Value {
    match decided_by(game, position) {
        Some((claim, outcome)) if outcome == answer.outcome => {
            json!({ "claim": claim, "with": decided_with(game, position) })
        }
        _ => Value::Null,
    }
}

/// Returns an answer with only the outcome, if a theorem decides it.
fn by_theorem(game: Game, position: &Position) -> Option<Answer> {
    let (_, outcome) = decided_by(game, position)?;
    Some(Answer::of_class(outcome, Source::Computed))
}

fn games() -> Value {
    let games: Vec<Value> = Game::all().map(about).collect();
    json!({
        "games": games,
        "version": env!("CARGO_PKG_VERSION"),
        "most": {
            "side": limits::MOST_SIDE, "row": limits::MOST_ROW, "single": limits::MOST_SINGLE,
            "sets": limits::MOST_SETS, "seconds": limits::SECONDS,
        },
    })
}
