//! Answers for other programs: values, moves, many positions at once. Read-only.

use std::time::Instant;

use grundy::made_json;
use grundy_query::Database;
use grundy_rules::{Game, Position};
use serde::Deserialize;
use serde_json::{Value, json};

use super::http::{Request, Response};
use crate::advice::with_advice;
use crate::commands::query;

/// Positions that are asked for at once.
const MOST_POSITIONS: usize = 10_000;
/// Coins of a position whose moves are listed: each is a line.
const MOST_COINS: u64 = 100_000;
/// What describes all of this, for programs that write programs.
const OPENAPI: &str = include_str!("../../texts/openapi.json");

/// What is asked of many positions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bulk {
    game: String,
    positions: Vec<String>,
}

/// Answers from a database.
pub(crate) struct Api {
    database: Database,
    /// Those of a request altogether.
    seconds: f64,
}

/// A status, and a sentence.
type Refused = (u16, String);

impl Api {
    pub(crate) fn new(database: Database, seconds: f64) -> Api {
        Api { database, seconds }
    }

    pub(crate) fn respond(&self, path: &str, request: &Request) -> Response<'static> {
        let wants = match path {
            "values" => "POST",
            "games" | "value" | "moves" | "openapi.json" => "GET",
            _ => return Response::wrong(404, "there is no such question; see /api/openapi.json"),
        };
        let is_right = request.method == wants || wants == "GET" && request.method == "HEAD";
        if !is_right {
            return Response::wrong(405, format_args!("that is asked by {wants}"));
        }
        let answered = match path {
            "games" => Ok(games()),
            "value" => self.value(request),
            "moves" => self.moves(request),
            "values" => self.values(request),
            _ => {
                return Response {
                    status: 200,
                    kind: "application/json",
                    body: OPENAPI.as_bytes().into(),
                };
            }
        };
        match answered {
            Ok(value) => Response::json(200, &value),
            Err((status, what)) => Response::wrong(status, what),
        }
    }

    fn value(&self, request: &Request) -> Result<Value, Refused> {
        let (game, position) = asked(request)?;
        self.described(game, &position)
    }

    fn described(&self, game: Game, position: &Position) -> Result<Value, Refused> {
        let answer = self.database.answer(game, position).map_err(beyond)?;
        query::described(&self.database, game, position, &answer)
            .map_err(|error| (422, with_advice(error.as_ref())))
    }

    fn moves(&self, request: &Request) -> Result<Value, Refused> {
        let (game, position) = asked(request)?;
        if position.coins() > MOST_COINS {
            let coins = position.coins();
            return Err((422, format!("{coins} coins; moves are listed up to {MOST_COINS}")));
        }
        let mut object = self.described(game, &position)?;
        let found = self.database.moves(game, &position).map_err(beyond)?;
        object["moves"] =
            found.moves.iter().map(|(made, option)| made_json(made, option)).collect();
        Ok(object)
    }

    fn values(&self, request: &Request) -> Result<Value, Refused> {
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
        let begun = Instant::now();
        let one = |text: &String| {
            if begun.elapsed().as_secs_f64() > self.seconds {
                return json!({"position": text, "error": "the time was up before its turn"});
            }
            let position = game.parse(text).map_err(said);
            match position.and_then(|position| self.described(game, &position)) {
                Ok(value) => value,
                Err((_, what)) => json!({"position": text, "error": what}),
            }
        };
        let values: Vec<Value> = positions.iter().map(one).collect();
        Ok(json!({"game": game.id(), "values": values}))
    }
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
