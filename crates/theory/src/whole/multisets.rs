//! Claims about Nim: tables of multisets, filled by mex as the claim is checked.

use grundy_rules::{Game, Layout, Multisets, Pile, Table};
use grundy_sweep::{MultisetLevels, Stopped};

use crate::job::{Examined, Extent, Job, longest};
use crate::plan::{Estimate, Means};

/// Seconds to fill and check a multiset of k piles, for each of its piles.
const SECONDS_PER_PILE: f64 = 20e-9;

/// What filling the tables of the sizes takes.
pub(crate) fn cost(games: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let Extent::Sizes(sizes) = extent else { return Estimate::default() };
    let mut total = Estimate::default();
    for (max_pile, length) in longest(sizes) {
        let Ok(table) = Table::new(games[0], max_pile, length) else { continue };
        let Layout::Multisets(multisets) = table.layout() else { continue };
        let positions = multisets.count().saturating_mul(games.len() as u64);
        total.add(Estimate {
            positions,
            cells: positions,
            seconds: positions as f64 * length as f64 * SECONDS_PER_PILE,
            memory: MultisetLevels::bytes(multisets, table.largest_value()),
        });
    }
    total
}

/// Shows all multisets of the lengths wanted with their values, game by game, each length
/// of each max pile once.
pub(crate) fn each(
    job: &Job<'_>,
    examined: &mut Examined,
    mut show: impl FnMut(&mut Examined, Game, &[Pile], u32),
) {
    for &game in job.games {
        for (max_pile, length) in longest(job.sizes()) {
            let mut wanted = |found: &[Pile], value| {
                let is_wanted = job
                    .sizes()
                    .iter()
                    .any(|size| size.max_pile == max_pile && size.length == found.len());
                if is_wanted {
                    examined.tally.checked += 1;
                    show(examined, game, found, value);
                }
            };
            if each_up_to(job, game, max_pile, length, &mut wanted).is_err() {
                examined.stopped = true;
                return;
            }
        }
    }
}

/// Shows all multisets of 1 to `length` piles with their values.
fn each_up_to(
    job: &Job<'_>,
    game: Game,
    max_pile: Pile,
    length: usize,
    show: &mut impl FnMut(&[Pile], u32),
) -> Result<(), Stopped> {
    let mut levels = MultisetLevels::new(game, max_pile);
    for length in 1..=length {
        levels.extend(length, job.control)?;
        // The plan has made sure that there are such tables.
        let Some(multisets) = Multisets::new(max_pile, length) else { return Ok(()) };
        let values = levels.level(length).unwrap_or_default();
        let mut piles = vec![1; length];
        for (at, &value) in values.iter().enumerate() {
            if at % (1 << 16) == 0 {
                job.control.check()?;
            }
            show(&piles, u32::from(value));
            multisets.step(&mut piles);
        }
        job.control.advance(values.len() as u64);
    }
    Ok(())
}
