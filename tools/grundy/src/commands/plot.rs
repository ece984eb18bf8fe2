use crate::plot::{Line, PictureFormat, Scatter, scatter};
use anyhow::bail;
use grundy::law::is_plain;
use grundy::{Database, Game, Pile, Remembers, has_records, row_values, usual_max_pile};

use crate::End;
use crate::args::{Common, Plot};
use crate::output::{Out, place, save};
use crate::picture::{part, tile, titled};
use crate::watch::end_search;

/// The default last n, and the default largest pile.
const LAST_N: Pile = 5000;
/// The default last n of games without records, some of which need a search for each pile.
const LAST_N_BY_RULES: Pile = 200;
const MAX_PILE: Pile = 256;
/// The default largest pile for games with sets of moves, which need a search for each position.
const MAX_PILE_OF_SETS: Pile = 24;

pub(crate) fn run(common: &Common, wanted: &Plot, out: &mut Out) -> anyhow::Result<End> {
    let game = wanted.game.game(common, wanted.seconds)?;
    let kind = PictureFormat::of(&wanted.output)?;
    place(&wanted.output)?;
    // Do not use theorems: a picture must show computed values.
    let database = common.open(wanted.seconds)?.without_theorems();
    let title = wanted.title.as_deref();
    if title.is_some_and(|title| !title.chars().all(is_plain)) {
        bail!("--title has a control character; leave it out");
    }
    let is_tile = wanted.max_pile.is_some() || wanted.middle.is_some() || wanted.differences;
    let is_pair = game.is_sum() && is_tile;
    let singles =
        has_records(game) || wanted.to.is_some() || game.only_length() == Some(1) && !is_pair;
    let picture = if singles {
        if is_tile {
            bail!(
                "a picture of single piles takes --to N, but not --max-pile, --middle or --differences"
            );
        }
        let usual = if has_records(game) { LAST_N } else { LAST_N_BY_RULES };
        sequence(&database, game, wanted.to.unwrap_or(usual), title, kind)?
    } else {
        let middle = part(game, "--middle", wanted.middle.as_deref(), 2)?;
        let usual = match game.remembers() {
            Remembers::Moves => MAX_PILE_OF_SETS,
            // Some games need a search for each position.
            _ => usual_max_pile(game, 2, u64::from(MAX_PILE).pow(2)).clamp(1, MAX_PILE),
        };
        let max_pile = wanted.max_pile.unwrap_or(usual);
        tile(&database, game, &middle, max_pile, wanted.differences, title, kind)?
    };
    end_search();
    save(&wanted.output, &picture)?;
    out.line(format!("wrote {}", wanted.output.display()))?;
    Ok(End::Fine)
}

fn sequence(
    database: &Database,
    game: Game,
    to: Pile,
    title: Option<&str>,
    kind: PictureFormat,
) -> anyhow::Result<Vec<u8>> {
    if !game.is_impartial() {
        bail!("single piles of {game} have outcome classes, but no values to draw");
    }
    let (first, values) = row_values(database, game, &[], to, &mut || true)?;
    let points: Vec<(f64, f64)> =
        (first..).zip(values).filter_map(|(n, g)| Some((n as f64, f64::from(g?)))).collect();
    let heading = format!("{}, one pile", titled(game));
    // The values of short global nim are near n/2.
    let half = [Line { slope: 0.5, offset: 0.0, label: "n/2" }];
    let plot = Scatter {
        title: title.unwrap_or(&heading),
        x_label: "n",
        y_label: "g(n)",
        points: &points,
        points_label: "g(n)",
        lines: if has_records(game) { &half } else { &[] },
    };
    scatter(&plot, kind)
}
