//! Answers for other programs: values, moves, many positions at once. Read-only.

use std::fmt::Write;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use grundy::made_json;
use grundy_query::{Database, Limits};
use grundy_rules::{Game, Order, Position};
use serde::Deserialize;
use serde_json::{Value, json};

use super::http::{Request, Response};
use super::work::Permits;
use crate::advice::with_advice;
use crate::commands::query;

/// Positions that are asked for at once.
const MOST_POSITIONS: usize = 10_000;
/// Bytes of an answer.
const MOST_ANSWER: usize = 4 << 20;
/// Bytes of a move in an answer, without the option it reaches.
const MOVE_BYTES: u64 = 160;
/// How long a question waits for those before it.
const PATIENCE: Duration = Duration::from_secs(10);
/// What describes all of this, for programs that write programs.
const OPENAPI: &str = include_str!("../../texts/openapi.json");

/// What is asked of many positions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bulk {
    game: String,
    positions: Vec<String>,
}

/// Answers from a database, a few at a time.
pub(crate) struct Api {
    database: Database,
    /// What one answer may take, of however many positions it is.
    limits: Limits,
    permits: Arc<Permits>,
}

/// A status, and a sentence.
type Refused = (u16, String);

/// One answer, and what it may still take.
struct Answering<'a> {
    api: &'a Api,
    begun: Instant,
}

impl Api {
    pub(crate) fn new(database: Database, limits: Limits, at_work: usize) -> Api {
        Api { database, limits, permits: Permits::new(at_work) }
    }

    pub(crate) fn respond(&self, path: &str, request: &Request) -> Response<'static> {
        let wants = match path {
            "values" => "POST",
            "games" | "value" | "moves" | "openapi.json" => "GET, HEAD",
            _ => return Response::wrong(404, "there is no such question; see /api/openapi.json"),
        };
        if !wants.split(", ").any(|method| method == request.method) {
            return Response::asked_by(wants);
        }
        let answered = match path {
            "games" => Ok(games().to_string()),
            "openapi.json" => Ok(OPENAPI.to_owned()),
            _ => match self.permits.take(PATIENCE) {
                Some(_permit) => {
                    let answering = Answering { api: self, begun: Instant::now() };
                    let answer = || match path {
                        "value" => answering.value(request),
                        "moves" => answering.moves(request),
                        _ => answering.values(request),
                    };
                    // On a thread of its own: what a thread keeps for its next question goes with it,
                    // before the permit does.
                    let done = thread::scope(|scope| scope.spawn(answer).join());
                    done.unwrap_or_else(|panic| resume_unwind(panic))
                }
                None => {
                    Err((503, "other questions are being answered; ask again later".to_owned()))
                }
            },
        };
        match answered {
            Ok(text) => Response::of(200, "application/json", (text + "\n").into_bytes()),
            Err((status, what)) => Response::wrong(status, what),
        }
    }
}

impl Answering<'_> {
    /// The database, within the time that is left.
    fn database(&self) -> Database {
        self.api.database.within(Limits { seconds: self.left().max(0.0), ..self.api.limits })
    }

    fn left(&self) -> f64 {
        self.api.limits.seconds - self.begun.elapsed().as_secs_f64()
    }

    fn value(&self, request: &Request) -> Result<String, Refused> {
        let (game, position) = asked(request)?;
        Ok(self.described(game, &position)?.to_string())
    }

    fn described(&self, game: Game, position: &Position) -> Result<Value, Refused> {
        let answer = self.database().answer(game, position).map_err(beyond)?;
        query::described(&self.database(), game, position, &answer)
            .map_err(|error| (422, with_advice(error.as_ref())))
    }

    fn moves(&self, request: &Request) -> Result<String, Refused> {
        let (game, position) = asked(request)?;
        // What is far too much is not made. Of a row only its ends are lowered, or both alike.
        let most_moves = match (game.order(), position.piles()) {
            (Order::Row, [first, .., last]) => 2 * (u64::from(*first) + u64::from(*last)),
            _ => position.coins(),
        };
        let each = position.to_string().len() as u64 + MOVE_BYTES;
        if most_moves.saturating_mul(each) > 4 * MOST_ANSWER as u64 {
            return Err(too_long());
        }
        let mut text = self.described(game, &position)?.to_string();
        let found = self.database().moves(game, &position).map_err(beyond)?;
        // Into the object that is there.
        text.pop();
        text.push_str(",\"moves\":[");
        let moves = found.moves.iter().map(|(made, option)| made_json(made, option));
        append(&mut text, moves)?;
        text.push_str("]}");
        Ok(text)
    }

    fn values(&self, request: &Request) -> Result<String, Refused> {
        let kind = request.content_type.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err((415, "positions are sent as application/json".to_owned()));
        }
        let Bulk { game, positions } = serde_json::from_slice(&request.body)
            .map_err(|error| (400, format!("that is not what is expected here: {error}")))?;
        if positions.len() > MOST_POSITIONS {
            let found = positions.len();
            return Err((413, format!("{found} positions; at most {MOST_POSITIONS} at once")));
        }
        let game: Game = game.parse().map_err(said)?;
        let one = |text: &String| {
            if self.left() <= 0.0 {
                return json!({"position": text, "error": "the time was up before its turn"});
            }
            let position = game.parse(text).map_err(said);
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

/// Appends a list, as long as it is an answer.
fn append(text: &mut String, values: impl Iterator<Item = Value>) -> Result<(), Refused> {
    for (at, value) in values.enumerate() {
        if at > 0 {
            text.push(',');
        }
        // A text has room for it.
        let _ = write!(text, "{value}");
        if text.len() > MOST_ANSWER {
            return Err(too_long());
        }
    }
    Ok(())
}

fn too_long() -> Refused {
    let most = MOST_ANSWER >> 20;
    (422, format!("the answer has more than {most} MiB; ask for less at once"))
}

fn games() -> Value {
    let games = Game::all().map(|game| {
        json!({
            "game": game.id(),
            "title": game.title(),
            "paper": game.paper(),
            "impartial": game.is_impartial(),
        })
    });
    json!({"games": games.collect::<Vec<Value>>()})
}

/// The game and the position of an address.
fn asked(request: &Request) -> Result<(Game, Position), Refused> {
    let get = |wanted: &str| {
        let found = request.query.iter().find(|(name, _)| name == wanted);
        found.map(|(_, value)| &**value).ok_or_else(|| (400, format!("{wanted}= is missing")))
    };
    let game: Game = get("game")?.parse().map_err(said)?;
    let position = game.parse(get("position")?).map_err(said)?;
    Ok((game, position))
}

fn said(error: impl std::error::Error + 'static) -> Refused {
    (400, with_advice(&error))
}

fn beyond(error: grundy_query::QueryError) -> Refused {
    (422, with_advice(&error))
}
