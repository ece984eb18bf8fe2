//! `grundy moves`: shows every option of a position.

use grundy::{Answer, Move, MoveReport, Player, PositionReport, is_winning};

use crate::End;
use crate::args::{Common, Moves, named};
use crate::output::Out;
use crate::watch::end_search;

pub(crate) fn run(common: &Common, wanted: &Moves, out: &mut Out) -> anyhow::Result<End> {
    let game = wanted.game.game()?;
    let position = game.parse(&wanted.position)?;
    let database = wanted.answering.open(common)?;
    let found = database.moves(game, &position);
    end_search();
    let mut found = found?;
    let any = !found.moves.is_empty();
    if wanted.winning {
        found.moves.retain(|(made, option)| is_winning(made.player, option.outcome));
    }
    let answer = found.answer;
    if out.is_json() {
        let moves = found.moves.iter().map(|(made, option)| MoveReport::new(made, option));
        out.object(&PositionReport {
            remote: database.is_remote(),
            moves: Some(moves.collect()),
            ..PositionReport::new(game, &position, &answer)
        })?;
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
    out.table(&rows)?;
    Ok(End::Fine)
}

fn row((made, found): &(Move, Answer)) -> Vec<String> {
    let who = match made.player {
        Player::Either if !made.changes.is_empty() => "",
        Player::Either => made.pick.name(),
        player => player.name(),
    };
    let lowered = match made.right {
        None if !made.changes.is_empty() => made.in_words(),
        Some((from, to)) => format!("{},{from} to {},{to}", made.from, made.to),
        None => format!("{} to {}", made.from, made.to),
    };
    let mark = if is_winning(made.player, found.outcome) { "wins" } else { "" };
    let option = made.option.to_string();
    vec![who.to_owned(), lowered, option, found.to_string(), mark.to_owned()]
}
