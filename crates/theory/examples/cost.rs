//! What checking costs: the bare sweep of one table, and the same sweep with
//! claims, in nanoseconds a cell.
//!
//! `cargo run --release -p grundy-theory --example cost -- MAXPILE LENGTH [TURNS]`

use std::time::Instant;

use grundy_kernels::{EqualMask, Isa};
use grundy_rules::{Game, Table};
use grundy_sweep::{Control, Fold, Tile};
use grundy_theory::{Claim, Inspection, Recompute, Source};

/// Looks at nothing.
struct Bare;

impl<T: EqualMask> Fold<T> for Bare {
    type Acc = u64;

    fn start(&self) -> u64 {
        0
    }

    fn tile(&self, acc: &mut u64, tile: Tile<'_, T>) {
        *acc += u64::from(tile.values[0].into() == 0);
    }

    fn merge(&self, left: u64, right: u64) -> u64 {
        left + right
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |at: usize, default: u32| {
        arguments.get(at).map_or(Ok(default), |word| word.parse::<u32>())
    };
    let (max_pile, length, turns) = (number(1, 64)?, number(2, 5)?, number(3, 5)?);
    let table = Table::new(Game::EndNim, max_pile, length as usize)?;
    let mut source = Recompute::new(Isa::best(), 4 << 30);
    measure(&mut source, &table, turns, "bare sweep", &Bare);
    let sets: [&[&str]; 6] = [
        &["an.thm2"],
        &["an.thm2", "ch.thm2.1"],
        &["an.prop1"],
        &["end.p-count"],
        &["end.bound"],
        &["end.rows"],
    ];
    for ids in sets {
        let mut claims = Vec::new();
        for id in ids {
            claims.extend(Claim::find(id)?);
        }
        let inspection = Inspection::new(Game::EndNim, length as usize, Isa::best(), &claims);
        measure(&mut source, &table, turns, &ids.join(" "), &inspection);
    }
    Ok(())
}

/// The best of some turns, after one that grows the ladder.
fn measure<F>(source: &mut Recompute, table: &Table, turns: u32, name: &str, fold: &F)
where
    F: Fold<u8> + Fold<u16>,
{
    let mut best = f64::INFINITY;
    for _ in 0..=turns {
        let start = Instant::now();
        if table.value_bytes() == 1 {
            let Ok(_) = source.fold::<u8, _>(table, &Control::new(), fold);
        } else {
            let Ok(_) = source.fold::<u16, _>(table, &Control::new(), fold);
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{name:24} {:.4} ns a cell, {best:.3} s", best * 1e9 / table.cells() as f64);
}
