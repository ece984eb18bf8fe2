use anyhow::bail;
use grundy::papers::period::Row;
use grundy::{Game, PeriodError, PeriodSearch, Pile};
use serde_json::json;

use crate::End;
use crate::args::{Common, OPENING, Periods, convention_of, id_of};
use crate::output::Out;
use crate::watch::{end_of_stopped, end_search, stop_after, stop_on_interrupt};

pub(crate) fn run(common: &Common, wanted: &Periods, out: &mut Out) -> anyhow::Result<End> {
    let seconds = wanted.within.seconds;
    let game = wanted.game.game(common, seconds.min(OPENING))?;
    let middle = game.parse_part(wanted.middle.as_deref().unwrap_or("()"))?;
    let (left, to, memory) = (wanted.left.unwrap_or(0), wanted.to, common.memory);
    let search = PeriodSearch { game, left, middle: &middle, to, memory };
    let control = stop_on_interrupt()?;
    stop_after(&control, seconds, "computing");
    let rows = search.rows(&control);
    end_search();
    let rows = match rows {
        Ok(rows) => rows,
        Err(PeriodError::Stopped(_)) => return Ok(end_of_stopped()),
        Err(PeriodError::Memory(shortage)) => bail!(
            "cannot compute these rows: {shortage}; choose a smaller --left or --to, or raise --memory"
        ),
        Err(error) => return Err(error.into()),
    };
    let lefts = (left.min(1)..).zip(&rows).filter(|&(a, _)| wanted.all || a == left);
    if out.is_json() {
        for (left, row) in lefts {
            out.object(&describe(game, left, &middle, to, row))?;
        }
        return Ok(End::Fine);
    }
    if let Some(convention) = convention_of(game) {
        out.line(format!("convention: {convention}"))?;
    }
    let header = ["row", "preperiod", "from", "period", "saltus", ""];
    let mut lines = vec![header.map(str::to_owned).to_vec()];
    for (left, row) in lefts {
        let piles = [left].into_iter().filter(|&left| left > 0).chain(middle.iter().copied());
        let name: Vec<String> = piles.map(|pile| format!("{pile},")).collect();
        let mut line = vec![format!("{}b", name.concat())];
        let how_far = match row.values.len() as u32 {
            looked if looked < to => format!("up to {looked}; a longer row takes too long"),
            _ => format!("up to {to}; --to looks further"),
        };
        match row.found {
            Some(found) => line.extend([
                found.preperiod.to_string(),
                found.from().to_string(),
                found.period.to_string(),
                found.saltus.to_string(),
                match found.proved {
                    true => "proved".to_owned(),
                    false => format!("observed {how_far}"),
                },
            ]),
            None => {
                line.extend(vec!["-".to_owned(); 4]);
                line.push(format!("none found {how_far}"));
            }
        }
        lines.push(line);
    }
    out.table(&lines)?;
    Ok(End::Fine)
}

fn describe(game: Game, left: Pile, middle: &[Pile], to: u32, row: &Row) -> serde_json::Value {
    let is_proved = row.found.is_some_and(|found| found.proved);
    let mut object = json!({
        "game": id_of(game),
        "left": Some(left).filter(|&left| left > 0),
        "middle": middle,
        "to": if is_proved { to } else { to.min(row.values.len() as u32) },
        "preperiod": row.found.map(|found| found.preperiod),
        "from": row.found.map(|found| found.from()),
        "period": row.found.map(|found| found.period),
        "saltus": row.found.map(|found| found.saltus),
        "proved": is_proved,
    });
    if let Some(convention) = convention_of(game) {
        object["convention"] = convention.into();
    }
    object
}
