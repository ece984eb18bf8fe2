//! The read-only interface for other programs: values, moves, and values of many positions at once.

use std::fmt::Write;
use std::time::Instant;

use grundy::rulesets::names;
use grundy::{Database, Game, Limits, MoveReport, Order, Position, PositionReport};
use hyper::StatusCode;
use hyper::body::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};

use super::reply::Refusal;
use crate::advice::with_advice;

const MOST_POSITIONS: usize = 10_000;
const MOST_ANSWER: usize = 4 << 20;
/// The bytes that a move takes in an answer, without the option to which the move leads.
const MOVE_BYTES: u64 = 160;
const OPENAPI: &str = include_str!("../../texts/openapi.json");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bulk {
    game: String,
    positions: Vec<String>,
}

pub(crate) struct Question {
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) kind: String,
    pub(crate) body: Bytes,
}

pub(crate) struct Api {
    database: Database,
    limits: Limits,
}

struct Answering<'a> {
    api: &'a Api,
    begun: Instant,
}

/// Returns the HTTP methods that a path allows; `None` if there is no such path.
pub(crate) fn methods(path: &str) -> Option<&'static str> {
    match path {
        "values" => Some("POST"),
        "games" | "value" | "moves" | "openapi.json" => Some("GET, HEAD"),
        _ => None,
    }
}

pub(crate) fn known(path: &str) -> Option<String> {
    match path {
        "games" => Some(games().to_string()),
        "openapi.json" => Some(OPENAPI.to_owned()),
        _ => None,
    }
}

impl Api {
    pub(crate) fn new(database: Database, limits: Limits) -> Api {
        Api { database, limits }
    }

    pub(crate) fn answer(&self, question: &Question) -> Result<String, Refusal> {
        let answering = Answering { api: self, begun: Instant::now() };
        match &*question.path {
            "value" => answering.value(question),
            "moves" => answering.moves(question),
            _ => answering.values(question),
        }
    }
}

impl Answering<'_> {
    fn database(&self) -> Database {
        self.api.database.within(Limits { seconds: self.left().max(0.0), ..self.api.limits })
    }

    fn left(&self) -> f64 {
        self.api.limits.seconds - self.begun.elapsed().as_secs_f64()
    }

    fn value(&self, question: &Question) -> Result<String, Refusal> {
        let (game, position) = game_and_position(question)?;
        Ok(self.described(game, &position)?.to_string())
    }

    fn described(&self, game: Game, position: &Position) -> Result<Value, Refusal> {
        let refused = |error| beyond(with_advice(&error));
        let answer = self.database().answer(game, position).map_err(refused)?;
        let report = PositionReport::in_full(&self.database(), game, position, &answer);
        Ok(json!(report.map_err(refused)?))
    }

    fn moves(&self, question: &Question) -> Result<String, Refusal> {
        let (game, position) = game_and_position(question)?;
        // Refuse if there are far too many moves. In rows a move lowers one end pile or both.
        let most_moves = match (game.order(), position.piles()) {
            (Order::Row, [first, .., last]) => 2 * (u64::from(*first) + u64::from(*last)),
            _ => position.coins(),
        };
        let each = position.to_string().len() as u64 + MOVE_BYTES;
        if most_moves.saturating_mul(each) > 4 * MOST_ANSWER as u64 {
            return Err(too_long());
        }
        let mut text = self.described(game, &position)?.to_string();
        let found =
            self.database().moves(game, &position).map_err(|error| beyond(with_advice(&error)))?;
        // Remove the closing brace, so that more members can follow.
        text.pop();
        text.push_str(",\"moves\":[");
        let moves = found.moves.iter().map(|(made, option)| json!(MoveReport::new(made, option)));
        append(&mut text, moves)?;
        text.push_str("]}");
        Ok(text)
    }

    fn values(&self, question: &Question) -> Result<String, Refusal> {
        let kind = question.kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            let what = "send the positions as application/json".to_owned();
            return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, what));
        }
        let Bulk { game, positions } = serde_json::from_slice(&question.body)
            .map_err(|error| wrong(format!("invalid request: {error}")))?;
        if positions.len() > MOST_POSITIONS {
            let found = positions.len();
            let what = format!("{found} positions in one request; the limit is {MOST_POSITIONS}");
            return Err((StatusCode::PAYLOAD_TOO_LARGE, what));
        }
        let game: Game = game.parse().map_err(advised)?;
        let one = |text: &String| {
            if self.left() <= 0.0 {
                return json!({"position": text, "error": "the time ended before this position was \
                               reached"});
            }
            let position = game.parse(text).map_err(advised);
            match position.and_then(|position| self.described(game, &position)) {
                Ok(value) => value,
                Err((_, what)) => json!({"position": text, "error": what}),
            }
        };
        let mut text = format!("{{\"game\":{},\"values\":[", json!(game.id()));
        append(&mut text, positions.iter().map(one))?;
        text.push_str("]}");
        Ok(text)
    }
}

/// Appends a list, unless the answer becomes too long.
fn append(text: &mut String, values: impl Iterator<Item = Value>) -> Result<(), Refusal> {
    for (at, value) in values.enumerate() {
        if at > 0 {
            text.push(',');
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "{value}");
        if text.len() > MOST_ANSWER {
            return Err(too_long());
        }
    }
    Ok(())
}

fn too_long() -> Refusal {
    let most = grundy::Bytes(MOST_ANSWER as u64);
    beyond(format!(
        "the answer is too long: it has more than {most}. Ask for fewer positions in one request"
    ))
}

fn games() -> Value {
    let known = names().into_iter().filter_map(|name| Some((name, name.parse::<Game>().ok()?)));
    let games = known.map(|(name, game)| {
        json!({
            "game": name,
            "built_in": game.rule_file().is_none(),
            "title": game.title(),
            "paper": game.paper(),
            "rule": game.rule(),
            "convention": grundy::convention_of(game),
            "impartial": game.is_impartial(),
        })
    });
    json!({"games": games.collect::<Vec<Value>>()})
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
pub(crate) fn check_parameters(path: &str, query: &str) -> Result<(), Refusal> {
    check_escapes(query)?;
    let known: &[&str] =
        if ["value", "moves"].contains(&path) { &["game", "position"] } else { &[] };
    let mut names = form_urlencoded::parse(query.as_bytes()).map(|(name, _)| name);
    match names.find(|name| !known.contains(&&**name)) {
        Some(name) => Err(wrong(format!("unknown parameter '{name:.40}'; see /api/openapi.json"))),
        None => Ok(()),
    }
}

fn game_and_position(question: &Question) -> Result<(Game, Position), Refusal> {
    let get = |wanted: &str| {
        let pairs = form_urlencoded::parse(question.query.as_bytes());
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
