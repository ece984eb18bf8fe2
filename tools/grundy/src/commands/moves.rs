//! `grundy moves`: every option of a position.

use grundy::{Answer, Move, Player, is_winning, made_json};
use serde_json::json;

use crate::End;
use crate::args::{Common, Moves, convention_of, named};
use crate::output::{Out, columns};
use crate::watch::end_search;

pub(crate) fn run(common: &Common, wanted: &Moves, out: &mut Out) -> anyhow::Result<End> {
    let game = wanted.game.game()?;
    let position = game.parse(&wanted.position)?;
    let database = common.open(wanted.seconds)?;
    let found = database.moves(game, &position);
    end_search();
    let mut found = found?;
    let any = !found.moves.is_empty();
    if wanted.winning {
        found.moves.retain(|(made, option)| is_winning(made.player, option.outcome));
    }
    let answer = found.answer;
    if out.is_json() {
        let mut object = json!({
            "game": game.misere_of().unwrap_or(game).id(),
            "position": position.to_string(),
            "grundy": answer.value,
            "outcome": answer.outcome.to_string(),
            "source": answer.source.to_string(),
        });
        if let Some(convention) = convention_of(game) {
            object["convention"] = convention.into();
        }
        if database.is_remote() {
            object["remote"] = true.into();
        }
        object["moves"] =
            found.moves.iter().map(|(made, option)| made_json(made, option)).collect();
        out.object(&object)?;
        return Ok(End::Fine);
    }
    let value = answer.value.map_or_else(String::new, |value| format!("value {value}, "));
    out.line(format!("{position} in {}: {value}{}", named(game), answer.outcome))?;
    if found.moves.is_empty() {
        out.line(match (any, game.terminal_value()) {
            (true, _) => "no move wins",
            (false, 0) => "no moves: the player to move has lost",
            (false, _) => "no moves: the player to move has won",
        })?;
        return Ok(End::Fine);
    }
    let rows: Vec<Vec<String>> = found.moves.iter().map(row).collect();
    for line in columns(&rows) {
        out.line(line)?;
    }
    Ok(End::Fine)
}

fn row((made, found): &(Move, Answer)) -> Vec<String> {
    let who = match made.player {
        Player::Either => made.pick.name(),
        player => player.name(),
    };
    let lowered = match made.right {
        Some((from, to)) => format!("{},{from} to {},{to}", made.from, made.to),
        None => format!("{} to {}", made.from, made.to),
    };
    let mark = if is_winning(made.player, found.outcome) { "wins" } else { "" };
    let option = made.option.to_string();
    vec![who.to_owned(), lowered, option, found.to_string(), mark.to_owned()]
}
