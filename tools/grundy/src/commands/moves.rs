use std::iter::repeat;

use grundy::{Answer, Move, MoveReport, Player, PositionReport, is_winning, sort_by_remoteness};

use crate::End;
use crate::args::{Common, Moves, named};
use crate::output::{Out, strings};
use crate::watch::end_search;

pub(crate) fn run(common: &Common, wanted: &Moves, out: &mut Out) -> anyhow::Result<End> {
    let game = wanted.game.game(common, wanted.answering.seconds)?;
    let position = game.parse(&wanted.position)?;
    let database = wanted.answering.open(common)?;
    let found = database.moves(game, &position);
    end_search();
    let mut found = found?;
    let mut sorted = || sort_by_remoteness(&database, game, &position, &mut found);
    let lasting = wanted.remoteness.then(&mut sorted).transpose();
    end_search();
    let (remoteness, after) = lasting?.unzip();
    let all = found.moves.len();
    let after = after.into_iter().flatten().map(Some).chain(repeat(None));
    let mut moves: Vec<_> = found.moves.into_iter().zip(after).collect();
    if wanted.winning {
        moves.retain(|((made, option), _)| is_winning(made.player, option.outcome));
    }
    let answer = found.answer;
    if out.is_json() {
        let moves = moves.iter().map(|((made, option), remoteness)| MoveReport {
            remoteness: *remoteness,
            ..MoveReport::new(made, option)
        });
        out.object(&PositionReport {
            remote: database.is_remote(),
            moves: Some(moves.collect()),
            of_moves: Some(all),
            remoteness,
            ..PositionReport::new(game, &position, &answer)
        })?;
        return Ok(End::Fine);
    }
    let value = answer.value.map_or_else(String::new, |value| format!("value {value}, "));
    let lasts = remoteness.map_or_else(String::new, |moves| format!(", remoteness {moves}"));
    let wins =
        if wanted.winning { format!(", {} of {all} moves", moves.len()) } else { String::new() };
    out.line(format!("{position} in {}: {value}{}{lasts}{wins}", named(game), answer.outcome))?;
    if moves.is_empty() {
        out.line(match (all > 0, game.terminal_value()) {
            (true, _) => "no move wins",
            (false, _) if game.normal_play().is_some() => {
                "no moves: the player to move would take the last coin, and has lost"
            }
            (false, 0) => "no moves: the player to move has lost",
            (false, _) => "no moves: the player to move has won",
        })?;
        return Ok(End::Fine);
    }
    let mut rows: Vec<Vec<String>> = moves.iter().map(|one| row(game.blocks(), one)).collect();
    if wanted.remoteness {
        rows.insert(0, strings(["", "", "option", "value", "remoteness", ""]));
    }
    out.table(&rows)?;
    Ok(End::Fine)
}

fn row(blocks: usize, ((made, found), after): &((Move, Answer), Option<u32>)) -> Vec<String> {
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
    let mark = match is_winning(made.player, found.outcome) {
        true if blocks > 0 => "wins unless forbidden",
        true => "wins",
        false => "",
    };
    let option = made.option.to_string();
    let after = after.iter().map(u32::to_string);
    let first = [who.to_owned(), lowered, option, found.to_string()].into_iter();
    first.chain(after).chain([mark.to_owned()]).collect()
}
