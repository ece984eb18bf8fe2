//! Runs some rounds of one kernel's work, so that `tools/instructions.sh` can count instructions:
//! `cargo run --release --example work tile 64 neon 100`. Prints the number of cells of a round.
//!
//! The tool subtracts few rounds from many, so that the cost of starting the program cancels.

use std::error::Error;

use grundy_kernels::subsets::SubsetTables;
use grundy_kernels::{Borders, Cell as _, Edge, EqualMask, Isa, Kernel, Scratch, Tally};

/// The number of tiles that are filled together.
const TILES: usize = 64;

/// Returns a border like those of the game: distinct values, none above twice the largest pile.
fn border(n: usize, seed: u64) -> Vec<u32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut left: Vec<u32> = (0..=n as u32).collect();
    let mut pick = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        left.swap_remove((state % left.len() as u64) as usize)
    };
    (0..n).map(|_| pick()).collect()
}

/// Fills, counts or searches tiles.
fn tiles<T: EqualMask>(what: &str, n: usize, isa: Isa, rounds: u32) -> Option<u64> {
    let cells = |seed| border(n, seed).into_iter().map(T::from_value).collect::<Vec<T>>();
    let owned: Vec<_> = (0..TILES as u64).map(|at| (cells(2 * at), cells(2 * at + 1))).collect();
    let borders: Vec<_> = owned.iter().map(|(row, col)| Borders { row, col }).collect();
    let kernel = Kernel::new(isa, n);
    let mut scratch = Scratch::default();
    let mut out = vec![T::default(); TILES * n * n];
    let mut tally = Tally::default();
    let mut masks = vec![0; TILES * n * n.div_ceil(64)];
    kernel.fill(&mut scratch, &borders, &mut out);
    for _ in 0..rounds {
        match what {
            "tile" => kernel.fill(&mut scratch, &borders, &mut out),
            "tally" => kernel.tally(&mut scratch, &borders, &[1; TILES], &mut tally),
            "mask" => T::equal_mask(isa, &out, n, T::from_value(2), &mut masks),
            _ => return None,
        }
    }
    Some(out.len() as u64)
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [what, n, isa, rounds] = &words[..] else { return Err("WORK N ISA ROUNDS".into()) };
    let (n, isa, rounds) = (n.parse::<u32>()?, isa.parse()?, rounds.parse()?);
    let size = n as usize;
    let cells = match what.as_str() {
        "edge" => {
            let mut edge = Edge::new(isa);
            let (row, col) = (border(size, 1), border(size, 2));
            for _ in 0..rounds {
                edge.compute(&row, &col);
            }
            Some(u64::from(n) * u64::from(n))
        }
        "sets" => {
            let mut tables = SubsetTables::new(isa);
            tables.extend(n - 1)?;
            let mut level = tables.next_level()?;
            for _ in 0..rounds {
                tables.fill(n, 0, level.blocks_mut());
            }
            Some(1 << n)
        }
        _ if size <= u8::MAX_PILE => tiles::<u8>(what, size, isa, rounds),
        _ => tiles::<u16>(what, size, isa, rounds),
    };
    println!("{}", cells.ok_or("WORK is tile, tally, mask, edge or sets")?);
    Ok(())
}
