use crate::plot::{Line, PictureFormat, Scatter, scatter};
use anyhow::bail;
use grundy::{Database, Game, Pile, Remembers, has_records};

use crate::End;
use crate::args::{Common, Plot, games_that};
use crate::output::{Out, place, save};
use crate::picture::{part, tile};
use crate::watch::end_search;

/// The default last n, and the default largest pile.
const LAST_N: Pile = 5000;
const MAX_PILE: Pile = 256;
/// The default largest pile for games with sets of moves, which need a search for each position.
const MAX_PILE_OF_SETS: Pile = 24;

pub(crate) fn run(common: &Common, wanted: &Plot, out: &mut Out) -> anyhow::Result<End> {
    let game = wanted.game.game()?;
    let kind = PictureFormat::of(&wanted.output)?;
    place(&wanted.output)?;
    // Do not use theorems: a picture must show computed values.
    let database = common.open(wanted.seconds)?.without_theorems();
    let picture = if has_records(game) {
        if wanted.max_pile.is_some() || wanted.middle.is_some() || wanted.differences {
            bail!("a picture of {game} shows g(n); it takes --to N and no other option");
        }
        sequence(&database, game, wanted.to.unwrap_or(LAST_N), kind)?
    } else {
        if wanted.to.is_some() {
            bail!("--to is for {}; for {game} use --max-pile", games_that(has_records));
        }
        let middle = part(game, "--middle", wanted.middle.as_deref(), 2)?;
        let usual = match game.remembers() {
            Remembers::Moves => MAX_PILE_OF_SETS,
            _ => MAX_PILE,
        };
        let max_pile = wanted.max_pile.unwrap_or(usual);
        tile(&database, game, &middle, max_pile, wanted.differences, kind)?
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
    kind: PictureFormat,
) -> anyhow::Result<Vec<u8>> {
    let mut points = vec![(0.0, 0.0)];
    database.each_record(game, to, |g, _| {
        points.push((points.len() as f64, f64::from(g)));
        true
    })?;
    let mut title = format!("{}, one pile", game.title());
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let plot = Scatter {
        title: &title,
        x_label: "n",
        y_label: "g(n)",
        points: &points,
        points_label: "g(n)",
        lines: &[Line { slope: 0.5, offset: 0.0, label: "n/2" }],
    };
    scatter(&plot, kind)
}
