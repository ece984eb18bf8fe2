//! The picture of a tile for `plot` and `export`.

use crate::plot::{Cells, HeatMap, PictureFormat, heat_map};
use anyhow::bail;
use grundy::{Database, Game, Outcome, Pile, nim_sum};

const MOST_CELLS: Pile = 4096;

/// Returns the piles between the two ends; none without a text.
pub(crate) fn middle(game: Game, text: Option<&str>) -> anyhow::Result<Vec<Pile>> {
    let Some(text) = text else { return Ok(Vec::new()) };
    if game.is_unordered() {
        bail!("the piles of {game} are in no order; leave --middle out");
    }
    Ok(game.parse(text)?.piles().to_vec())
}

/// Draws the values of all a, middle, b as a heat map, or their differences from a xor b. A
/// partizan game has outcome classes.
pub(crate) fn tile(
    database: &Database,
    game: Game,
    middle: &[Pile],
    max_pile: Pile,
    differences: bool,
    kind: PictureFormat,
) -> anyhow::Result<Vec<u8>> {
    if !game.is_impartial() && differences {
        bail!("positions of {game} have no values to differ; leave --differences out");
    }
    if game.is_unordered() && !middle.is_empty() {
        bail!("the piles of {game} are in no order; leave --middle out");
    }
    if !(1..=MOST_CELLS).contains(&max_pile) {
        bail!("--max-pile {max_pile} is out of range; a picture has 1 to {MOST_CELLS} columns");
    }
    let values: Vec<u32> = database.tile(game, middle, max_pile)?.cells().collect();
    let side = max_pile as usize;
    let gaps: Vec<i64>;
    let classes = Outcome::ALL.map(|class| class.to_string());
    let classes = classes.each_ref().map(String::as_str);
    let cells = if !game.is_impartial() {
        Cells::Classes(&values, &classes)
    } else if differences {
        let ends = (1..=max_pile).flat_map(|a| (1..=max_pile).map(move |b| [a, b]));
        gaps = values
            .iter()
            .zip(ends)
            .map(|(&value, ends)| i64::from(value) - i64::from(nim_sum(&ends)))
            .collect();
        Cells::Differences(&gaps)
    } else {
        Cells::Values(&values)
    };
    let word = [&["a".to_owned()], &numbers(middle)[..], &["b".to_owned()]].concat().join(",");
    let what = match (game.is_impartial(), differences) {
        (false, _) => format!("who wins {word}"),
        (true, false) => format!("G({word})"),
        (true, true) => format!("G({word}) - (a xor b)"),
    };
    let title = match game.misere_of() {
        Some(normal) => format!("{normal}, misere: {what}"),
        None if game.normal_play().is_some() => format!("{game} (Cairns and Ho): {what}"),
        None => format!("{game}: {what}"),
    };
    let map = HeatMap {
        title: &title,
        x_label: "b",
        y_label: "a",
        rows: side,
        cols: side,
        first: 1,
        cells,
    };
    heat_map(&map, kind)
}

fn numbers(piles: &[Pile]) -> Vec<String> {
    piles.iter().map(Pile::to_string).collect()
}
