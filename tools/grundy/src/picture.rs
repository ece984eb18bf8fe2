//! Draws a tile for `plot` and `export`.

use crate::args::symbol;
use crate::plot::{Cells, HeatMap, PictureFormat, heat_map};
use anyhow::bail;
use grundy::{Database, Game, Outcome, Pile, nim_sum};

const MOST_CELLS: Pile = 4096;

/// Reads the piles in the text of an option. The whole position has `more` additional piles.
pub(crate) fn part(
    game: Game,
    option: &str,
    text: Option<&str>,
    more: usize,
) -> anyhow::Result<Vec<Pile>> {
    let piles = game.parse_part(text.unwrap_or("()"))?;
    match (game.check_part(&piles, piles.len() + more), game.only_length()) {
        (Err(error), Some(length)) if length > more => {
            bail!("{error}; use {}", example(option, length - more))
        }
        (checked, _) => Ok(checked.map(|()| piles)?),
    }
}

/// Returns a text that says how many piles the option needs, with an example.
fn example(option: &str, piles: usize) -> String {
    let plural = if piles == 1 { "" } else { "s" };
    format!("{option} with {piles} pile{plural}, as in {option} {}", vec!["2"; piles].join(","))
}

/// Draws the values of all positions (a, middle, b) as a heat map, or their differences from a xor
/// b. For a partizan game, draws outcome classes. The heading is `title`, or describes the values.
pub(crate) fn tile(
    database: &Database,
    game: Game,
    middle: &[Pile],
    max_pile: Pile,
    differences: bool,
    title: Option<&str>,
    kind: PictureFormat,
) -> anyhow::Result<Vec<u8>> {
    if !game.is_impartial() && differences {
        bail!("positions of {game} have no values; leave out --differences");
    }
    if !(1..=MOST_CELLS).contains(&max_pile) {
        bail!(
            "--max-pile {max_pile} is out of range; a picture has between 1 and {MOST_CELLS} \
             columns"
        );
    }
    let tile = database.tile(game, middle, max_pile)?;
    let excluded: Vec<bool> = tile.cells().map(|cell| cell.is_none()).collect();
    let values: Vec<u32> = tile.cells().map(Option::unwrap_or_default).collect();
    let (first, side) = (tile.first(), tile.side());
    let gaps: Vec<i64>;
    let classes = Outcome::ALL.map(|class| class.to_string());
    let classes = classes.each_ref().map(String::as_str);
    let cells = if !game.is_impartial() {
        Cells::Classes(&values, &classes)
    } else if differences {
        let ends = (first..=max_pile).flat_map(|a| (first..=max_pile).map(move |b| [a, b]));
        gaps = values
            .iter()
            .zip(ends)
            .zip(&excluded)
            .map(|((&value, ends), &excluded)| match excluded {
                true => 0,
                false => i64::from(value) - i64::from(nim_sum(&ends)),
            })
            .collect();
        Cells::Differences(&gaps)
    } else {
        Cells::Values(&values)
    };
    let word = [&["a".to_owned()], &numbers(middle)[..], &["b".to_owned()]].concat().join(",");
    let what = match (game.is_impartial(), differences) {
        (false, _) => format!("who wins {word}"),
        (true, false) => format!("{}({word})", symbol(game)),
        (true, true) => format!("G({word}) - (a xor b)"),
    };
    let title = title.map_or_else(|| format!("{}: {what}", titled(game)), str::to_owned);
    let map = HeatMap {
        title: &title,
        x_label: "b",
        y_label: "a",
        rows: side,
        cols: side,
        first: first.into(),
        cells,
        excluded: &excluded,
    };
    heat_map(&map, kind)
}

/// Returns the title of a game for headings, with its convention.
pub(crate) fn titled(game: Game) -> String {
    let game = game.remoteness_of().unwrap_or(game);
    let title = game.misere_of().unwrap_or(game).title();
    let mut letters = title.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let end = match game.misere_of() {
        Some(_) => ", misère",
        None if game.normal_play().is_some() => " (Cairns and Ho)",
        None => "",
    };
    format!("{first}{}{end}", letters.as_str())
}

fn numbers(piles: &[Pile]) -> Vec<String> {
    piles.iter().map(Pile::to_string).collect()
}
