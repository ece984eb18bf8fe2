//! `grundy families`: proves a pattern in the values of the rows u* w v*, for all lengths.

use std::fs;

use anyhow::Context;
use grundy::theorems::{Family, FamilyWords, Of, families};
use grundy::{Number, Outcome};
use serde_json::json;

use crate::End;
use crate::args::{Common, Families, id_of, named};
use crate::commands::prove::Search;
use crate::output::{Out, save, tell};
use crate::plot::{Cells, HeatMap, PictureFormat, heat_map};

const SIDE: usize = 64;

pub(crate) fn run(common: &Common, wanted: &Families, out: &mut Out) -> anyhow::Result<End> {
    let game = wanted.theorem.game.game(common, wanted.theorem.seconds)?;
    let of = wanted.theorem.of(game);
    let words: FamilyWords = wanted.words.join(" ").parse()?;
    let search = Search {
        common,
        options: &wanted.theorem,
        about: json!({ "game": id_of(game), "family": words.to_string(), "of": of }),
        unit: ("copy", "copies"),
    };
    search.run(
        out,
        |within, watch| families(game, &words, of, within, watch),
        |found| {
            if let Some(folder) = &wanted.out {
                fs::create_dir_all(folder)
                    .with_context(|| format!("cannot make {}", folder.display()))?;
                let name = format!("{}-{words}", id_of(game)).replace([' ', ','], "-");
                let name: String =
                    name.chars().filter(|c| c.is_alphanumeric() || *c == '-').collect();
                let title = format!("{}: {words}", named(game));
                for (end, format) in [("png", PictureFormat::Png), ("svg", PictureFormat::Svg)] {
                    let file = folder.join(format!("{name}.{end}"));
                    save(&file, &picture(found, &title, format)?)?;
                    tell(format_args!("wrote {}", file.display()));
                }
            }
            let more = json!({
                "piles": found.subject.piles,
                "step": found.step,
                "start": found.start,
                "tiles": found.tiles,
                "nonregular": found.nonregular.iter().map(|(value, ..)| value).collect::<Vec<_>>(),
                "formula": found.formula(),
            });
            let tiles = Number(found.tiles as u64, "tile");
            let (rows, formula) = (format!("the rows {words} of {}", named(game)), found.formula());
            let copies = "with i copies on the left and j on the right";
            Ok((more, format!("{rows}, {copies}, {formula}\nproved over {tiles}")))
        },
    )
}

fn picture(found: &Family, title: &str, format: PictureFormat) -> anyhow::Result<Vec<u8>> {
    let shown = (0..SIDE * SIDE).map(|at| found.value(at / SIDE, at % SIDE).number());
    let (numbers, excluded): (Vec<u32>, Vec<bool>) =
        shown.map(|number| (number.unwrap_or_default(), number.is_none())).unzip();
    let classes = Outcome::ALL.map(Outcome::name);
    let cells = match found.subject.of {
        Of::Values => Cells::Values(&numbers),
        Of::Outcomes => Cells::Classes(&numbers, &classes),
    };
    let (x_label, y_label, first) = ("j", "i", 0);
    heat_map(
        &HeatMap {
            title,
            x_label,
            y_label,
            rows: SIDE,
            cols: SIDE,
            first,
            cells,
            excluded: &excluded,
        },
        format,
    )
}
