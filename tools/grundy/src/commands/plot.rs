//! `grundy plot`: pictures.

use anyhow::bail;
use grundy_plot::{Cells, HeatMap, Line, Scatter, heat_map, scatter};
use grundy_query::Database;
use grundy_rules::{Game, Pile, nim};

use crate::Outcome;
use crate::args::{Common, Plot};
use crate::commands::export::save;
use crate::output::Out;

/// The last n, and the largest pile, that are drawn when nobody says.
const LAST_N: Pile = 5000;
const MAX_PILE: Pile = 256;

/// The largest side of a picture of a tile.
const MOST_CELLS: Pile = 4096;

pub(crate) fn run(common: &Common, wanted: &Plot, out: &mut Out) -> anyhow::Result<Outcome> {
    let game: Game = wanted.game.parse()?;
    let database = common.open(f64::INFINITY)?;
    let picture = match game {
        Game::ShortGlobalNim => {
            if wanted.max_pile.is_some() || wanted.middle.is_some() || wanted.differences {
                bail!("of {game} g(n) is drawn: --to says how far, and there is no other option");
            }
            sequence(&database, wanted.to.unwrap_or(LAST_N))?
        }
        _ => {
            if wanted.to.is_some() {
                bail!("--to is for short-global-nim; of {game} say --max-pile");
            }
            let middle = middle(game, wanted.middle.as_deref())?;
            let max_pile = wanted.max_pile.unwrap_or(MAX_PILE);
            tile(&database, game, &middle, max_pile, wanted.differences)?
        }
    };
    save(&wanted.output, &picture)?;
    if !out.is_json() {
        out.line(format!("wrote {}", wanted.output.display()))?;
    }
    Ok(Outcome::Fine)
}

/// The piles between the two ends; nothing typed is none.
pub(crate) fn middle(game: Game, text: Option<&str>) -> anyhow::Result<Vec<Pile>> {
    let Some(text) = text else { return Ok(Vec::new()) };
    if game.is_unordered() {
        bail!("the piles of {game} are in no order; leave --middle out");
    }
    Ok(game.parse(text)?.piles().to_vec())
}

/// g(n) against n.
fn sequence(database: &Database, to: Pile) -> anyhow::Result<Vec<u8>> {
    let mut points = vec![(0.0, 0.0)];
    database.each_record(to, |g, _| {
        points.push((points.len() as f64, f64::from(g)));
        true
    })?;
    let picture = scatter(&Scatter {
        title: "Short global nim, one pile",
        x_label: "n",
        y_label: "g(n)",
        points: &points,
        points_label: "g(n)",
        lines: &[Line { slope: 0.5, offset: 0.0, label: "n/2" }],
    });
    Ok(picture?)
}

/// The values of all a, middle, b as a heat map, or how they differ from a xor b.
pub(crate) fn tile(
    database: &Database,
    game: Game,
    middle: &[Pile],
    max_pile: Pile,
    differences: bool,
) -> anyhow::Result<Vec<u8>> {
    if !game.is_impartial() {
        bail!("positions of {game} have no values to draw");
    }
    if game.is_unordered() && !middle.is_empty() {
        bail!("the piles of {game} are in no order; leave --middle out");
    }
    if !(1..=MOST_CELLS).contains(&max_pile) {
        bail!("--max-pile {max_pile} is out of range; a picture has 1 to {MOST_CELLS} columns");
    }
    // One look at the largest position has all rows computed that the others need.
    let mut values = Vec::with_capacity(max_pile as usize * max_pile as usize);
    for a in 1..=max_pile {
        let row = database.row(game, &[&[a], middle].concat(), max_pile)?;
        values.extend(row);
    }
    let side = max_pile as usize;
    let gaps: Vec<i64>;
    let cells = if differences {
        let ends = (1..=max_pile).flat_map(|a| (1..=max_pile).map(move |b| [a, b]));
        gaps = values
            .iter()
            .zip(ends)
            .map(|(&value, ends)| i64::from(value) - i64::from(nim::nim_sum(&ends)))
            .collect();
        Cells::Differences(&gaps)
    } else {
        Cells::Values(&values)
    };
    let word = [&["a".to_owned()], &numbers(middle)[..], &["b".to_owned()]].concat().join(",");
    let what = if differences { format!("G({word}) - (a xor b)") } else { format!("G({word})") };
    let title = format!("{}: {what}", game.id());
    Ok(heat_map(&HeatMap {
        title: &title,
        x_label: "b",
        y_label: "a",
        rows: side,
        cols: side,
        first: 1,
        cells,
    })?)
}

fn numbers(piles: &[Pile]) -> Vec<String> {
    piles.iter().map(Pile::to_string).collect()
}
