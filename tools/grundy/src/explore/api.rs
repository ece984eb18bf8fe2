//! The read-only interface for other programs: the value and the moves of a position, in the form
//! of `query --json` and `moves --json`.

use std::time::Instant;

use grundy::{Database, Game, Limits, MoveReport, Order, Position, PositionReport};
use http::StatusCode;
use serde_json::json;

use super::reply::Refusal;
use crate::advice::with_advice;

/// The names of the questions.
pub(crate) const KNOWN: [&str; 2] = ["value", "moves"];

const MOST_ANSWER: usize = 4 << 20;
/// The bytes that a move takes in an answer, without the option to which the move leads.
const MOVE_BYTES: u64 = 160;

pub(crate) struct Api {
    database: Database,
    limits: Limits,
}

impl Api {
    pub(crate) fn new(database: Database, limits: Limits) -> Api {
        Api { database, limits }
    }

    pub(crate) fn answer(&self, path: &str, query: &str) -> Result<String, Refusal> {
        let begun = Instant::now();
        let (game, position) = game_and_position(query)?;
        let database = || {
            let left = self.limits.seconds - begun.elapsed().as_secs_f64();
            self.database.within(Limits { seconds: left.max(0.0), ..self.limits })
        };
        let refused = |error| beyond(with_advice(&error));
        let has_moves = path == "moves";
        if has_moves {
            unless_too_many(game, &position)?;
        }
        let answer = database().answer(game, &position).map_err(refused)?;
        let report = PositionReport::in_full(&database(), game, &position, &answer);
        let mut report = report.map_err(refused)?;
        if has_moves {
            let found = database().moves(game, &position).map_err(refused)?;
            let moves = found.moves.iter().map(|(made, option)| MoveReport::new(made, option));
            report.moves = Some(moves.collect());
        }
        let text = json!(report).to_string();
        if text.len() > MOST_ANSWER { Err(too_long()) } else { Ok(text) }
    }
}

/// Refuses far too many moves. In rows a move lowers one end pile or both.
fn unless_too_many(game: Game, position: &Position) -> Result<(), Refusal> {
    let most_moves = match (game.order(), position.piles()) {
        (Order::Row, [first, .., last]) => 2 * (u64::from(*first) + u64::from(*last)),
        _ => position.coins(),
    };
    let each = position.to_string().len() as u64 + MOVE_BYTES;
    match most_moves.saturating_mul(each) > 4 * MOST_ANSWER as u64 {
        true => Err(too_long()),
        false => Ok(()),
    }
}

fn too_long() -> Refusal {
    let most = grundy::Bytes(MOST_ANSWER as u64);
    beyond(format!("the answer is too long: it has more than {most}"))
}

/// Refuses invalid percent escapes, because the decoder would not report them.
pub(crate) fn check_escapes(text: &str) -> Result<(), Refusal> {
    let is_escape = |text: &str| {
        text.get(..2).is_some_and(|two| two.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    match text.split('%').skip(1).all(is_escape) {
        true => Ok(()),
        false => {
            Err(wrong("the address has a % without two hexadecimal digits after it".to_owned()))
        }
    }
}

/// Refuses unknown parameters, because they would have no effect.
pub(crate) fn check_parameters(query: &str) -> Result<(), Refusal> {
    check_escapes(query)?;
    let mut names = form_urlencoded::parse(query.as_bytes()).map(|(name, _)| name);
    match names.find(|name| !["game", "position"].contains(&&**name)) {
        Some(name) => {
            Err(wrong(format!("unknown parameter '{name:.40}'; give game= and position=")))
        }
        None => Ok(()),
    }
}

fn game_and_position(query: &str) -> Result<(Game, Position), Refusal> {
    let get = |wanted: &str| {
        let pairs = form_urlencoded::parse(query.as_bytes());
        let mut found = pairs.filter(|(name, _)| name == wanted).map(|(_, value)| value);
        match (found.next(), found.next()) {
            (Some(value), None) => Ok(value),
            (None, _) => Err(wrong(format!("{wanted}= is missing"))),
            (Some(_), Some(_)) => Err(wrong(format!("{wanted}= occurs twice; give it once"))),
        }
    };
    let game: Game = get("game")?.parse().map_err(advised)?;
    let position = game.parse(&get("position")?).map_err(advised)?;
    Ok((game, position))
}

fn wrong(what: String) -> Refusal {
    (StatusCode::BAD_REQUEST, what)
}

fn advised(error: impl std::error::Error + 'static) -> Refusal {
    wrong(with_advice(&error))
}

fn beyond(what: String) -> Refusal {
    (StatusCode::UNPROCESSABLE_ENTITY, what)
}
