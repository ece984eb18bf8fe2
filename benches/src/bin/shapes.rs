//! The third part of `make bench`. It compares the fillers for arbitrary moves with a loop that
//! fills the same table, visits every option and allocates nothing. Then it compares the solvers
//! that a build uses for rule files with the general solver, which fills a smaller table. All
//! methods run on one thread, and their cells are compared.

use std::time::Instant;

use grundy_benches::{Failure, check, median_seconds, print_heading};
use grundy_builder::{Plan, Request, build, manifest};
use grundy_kernels::shapes::{
    Grid, Guide, HeapMove, HeapShape, Heaps, LANES, Leaving, Move, Shape, Splits, Unguided,
};
use grundy_kernels::{Compiler, Isa};
use grundy_rules::reference::Reference;
use grundy_rules::{Multisets, Pile, Table};
use grundy_solvers::{AnyGame, Job, Means, Solver, filling, solver};
use grundy_sweep::{Control, MemoryLimit};

fn main() -> Result<(), Failure> {
    print_heading("cargo run --release -p grundy-benches --bin shapes");
    println!("| table, one thread | positions/s | ratio |");
    println!("|---|---|---|");
    for size in [64, 65] {
        let pairs = (0..3).map(|at| unit(&[at, at + 1]));
        let rays: Vec<Move> = (0..4).map(|at| unit(&[at])).chain(pairs).map(ray).collect();
        let place = format!("four places 0..{}", size - 1);
        places(&format!("{place}, any from one or equal from two neighbours"), size, &rays)?;
        let few = (0..4).flat_map(|at| (1..=3).map(move |t| (at, t)));
        let few = few.map(|(at, t)| point(unit(&[at]).iter().map(|one| one * t).collect()));
        places(&format!("{place}, up to three from any"), size, &few.collect::<Vec<_>>())?;
    }
    let boxes = (0..3).map(|at| Shape::Box { piles: vec![at, at + 1], all: false });
    let boxes: Vec<Move> = boxes.map(|shape| Move { shape, guard: None }).collect();
    let grid = Grid::new(&[64; 4], &boxes, 0);
    let mut cells = vec![0; grid.cells()];
    let ours = median_seconds(3, || {
        let _ = grid.fill(Compiler::new(Isa::best()), u64::MAX, &Unguided, 1, &mut cells);
    });
    outcomes("four places 0..63, boxes of two neighbours", &cells, ours, |out| {
        grid.outcomes(u64::MAX, &Unguided, 0, out).is_ok()
    })?;
    let both = [HeapShape::Equal(1), HeapShape::Equal(2)];
    heaps("equal from any two or any from one", &both)?;
    heaps("Moore's Nim_2", &[HeapShape::Box { heaps: 2, all: false }])?;
    end_wythoff()?;
    sums()?;
    println!(
        "\n| rule files, one thread, stored positions/s | by shapes | predicted | option by option | ratio |"
    );
    println!("|---|---|---|---|---|");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| FILES.iter().try_for_each(rule_file))?;
    println!("\n| whole builds of End-Wythoff, piles to 64 | s | positions/s |");
    println!("|---|---|---|");
    [(4, 1), (5, 2)].into_iter().try_for_each(|(length, threads)| whole_build(length, threads))
}

fn unit(places: &[usize]) -> Vec<usize> {
    (0..4).map(|at| usize::from(places.contains(&at))).collect()
}

fn ray(step: Vec<usize>) -> Move {
    Move { shape: Shape::Ray { first: step.clone(), step }, guard: None }
}

fn point(first: Vec<usize>) -> Move {
    Move { shape: Shape::Ray { step: vec![0; first.len()], first }, guard: None }
}

fn print(task: &str, positions: usize, ours: f64, loop_over_all: f64) {
    let rate = |seconds: f64| positions as f64 / seconds;
    println!("| {task}: by shapes | {:.2e} | 1.00 |", rate(ours));
    println!(
        "| {task}: options one by one | {:.2e} | {:.2} |",
        rate(loop_over_all),
        loop_over_all / ours
    );
}

/// The values of the options of a cell. Values that occur are marked with the number of the cell.
struct Marks {
    marks: Vec<usize>,
    cell: usize,
}

impl Marks {
    fn mex(&self) -> u16 {
        (0..).zip(&self.marks).find(|(_, mark)| **mark != self.cell).map_or(0, |(value, _)| value)
    }
}

/// Fills a table of four places option by option. Cells that are `given` keep their values.
fn one_by_one(sizes: &[usize], moves: &[Move], cells: &mut [u16], given: impl Fn(usize) -> bool) {
    let strides: Vec<usize> = (0..sizes.len()).map(|at| sizes[at + 1..].iter().product()).collect();
    let vector =
        |v: &[usize]| -> usize { v.iter().zip(&strides).map(|(v, stride)| v * stride).sum() };
    let mut seen = Marks { marks: vec![usize::MAX; 4096], cell: 0 };
    let mut x = vec![0; sizes.len()];
    for cell in 0..cells.len() {
        seen.cell = cell;
        let mut rest = cell;
        for (x, stride) in x.iter_mut().zip(&strides) {
            (*x, rest) = (rest / stride, rest % stride);
        }
        if given(cell) {
            continue;
        }
        for Move { shape, .. } in moves {
            let Shape::Ray { first, step } = shape else { continue };
            if first.iter().zip(&x).any(|(first, x)| first > x) {
                continue;
            }
            let left = first.iter().zip(&x).zip(step).filter(|(_, step)| **step > 0);
            let steps = left.map(|((first, x), step)| (x - first) / step).min().unwrap_or(0);
            let (first, step) = (vector(first), vector(step));
            for t in 0..=steps {
                seen.marks[usize::from(cells[cell - first - t * step])] = cell;
            }
        }
        cells[cell] = seen.mex();
    }
}

fn places(task: &str, size: usize, moves: &[Move]) -> Result<(), Failure> {
    let sizes = [size; 4];
    let grid = Grid::new(&sizes, moves, 0);
    let mut cells = vec![0; grid.cells()];
    let mut filled = Ok(());
    let ours = median_seconds(5, || {
        filled = grid.fill(Compiler::new(Isa::best()), u64::MAX, &Unguided, 1, &mut cells);
    });
    let mut plain = vec![0; grid.cells()];
    let start = Instant::now();
    one_by_one(&sizes, moves, &mut plain, |_| false);
    let theirs = start.elapsed().as_secs_f64();
    check(task, filled.is_ok() && cells == plain)?;
    print(task, cells.len(), ours, theirs);
    outcomes(task, &cells, ours, |out| grid.outcomes(u64::MAX, &Unguided, 0, out).is_ok())
}

/// Measures a kernel of outcomes beside the kernel that filled these values in `ours` seconds.
fn outcomes(
    task: &str,
    values: &[u16],
    ours: f64,
    fill: impl Fn(&mut [u16]) -> bool,
) -> Result<(), Failure> {
    let (mut found, mut filled) = (vec![0; values.len()], false);
    let seconds = median_seconds(5, || filled = fill(&mut found));
    check(
        task,
        filled && found.iter().zip(values).all(|(found, value)| *found == (*value).min(1)),
    )?;
    let rate = values.len() as f64 / seconds;
    println!("| {task}: values | {:.2e} | 1.00 |", values.len() as f64 / ours);
    println!("| {task}: outcomes | {rate:.2e} | {:.2} |", seconds / ours);
    Ok(())
}

/// Measures four heaps of up to 64.
fn heaps(task: &str, shapes: &[HeapShape]) -> Result<(), Failure> {
    const LARGEST: usize = 64;
    let moves: Vec<HeapMove> =
        shapes.iter().map(|shape| HeapMove { shape: shape.clone(), guard: None }).collect();
    let table = Heaps::new(LARGEST, 4, &moves, 0).ok_or("too many heaps")?;
    let mut cells = vec![0; table.cells()];
    let mut filled = Ok(());
    let ours = median_seconds(5, || {
        filled = table.fill(Compiler::new(Isa::best()), u64::MAX, &Unguided, &mut cells);
    });
    // Moves on two heaps give many options: the loop fills and compares only heaps up to 20.
    let boxes = matches!(shapes[0], HeapShape::Box { .. });
    let compared = if boxes { 10_626 } else { cells.len() };
    let mut plain = vec![0; compared];
    let start = Instant::now();
    heaps_one_by_one(LARGEST, boxes, &mut plain)?;
    let theirs = start.elapsed().as_secs_f64() * (cells.len() / compared) as f64;
    check(task, filled.is_ok() && cells[..compared] == plain)?;
    let task = format!("four heaps 0..{LARGEST}, {task}");
    print(&task, cells.len(), ours, theirs);
    outcomes(&task, &cells, ours, |out| table.outcomes(u64::MAX, &Unguided, out).is_ok())
}

/// A move takes any number from one heap, or from two heaps the same number or any two numbers.
fn heaps_one_by_one(largest: usize, boxes: bool, cells: &mut [u16]) -> Result<(), Failure> {
    let multisets = Multisets::new(largest as Pile + 1, 4).ok_or("too many heaps")?;
    let mut seen = Marks { marks: vec![usize::MAX; 4096], cell: 0 };
    let mut piles = [1 as Pile; 4];
    for cell in 0..cells.len() {
        seen.cell = cell;
        let mut look = |option: &mut [Pile; 4]| {
            option.sort_unstable();
            seen.marks[usize::from(cells[multisets.rank(option) as usize])] = cell;
        };
        for one in 0..4 {
            for t in 1..piles[one] {
                let mut option = piles;
                option[one] -= t;
                look(&mut option);
                for other in one + 1..4 {
                    let range = if boxes { 1..piles[other] } else { t..piles[other].min(t + 1) };
                    for s in range {
                        let mut option = piles;
                        option[one] -= t;
                        option[other] -= s;
                        look(&mut option);
                    }
                }
            }
        }
        cells[cell] = seen.mex();
        multisets.step(&mut piles);
    }
    Ok(())
}

/// A tile between borders that are nim-sums.
struct Borders;

impl Guide for Borders {
    fn given(&self, lane: usize, outer: &[u32], row: &mut [u16]) -> usize {
        match outer {
            [0] => {
                (0..).zip(&mut *row).for_each(|(at, cell)| *cell = at ^ lane as u16);
                row.len()
            }
            _ => {
                row[0] = outer[0] as u16 ^ lane as u16;
                1
            }
        }
    }
}

/// Measures tiles like those of the levels of End-Wythoff with piles of up to 64.
fn end_wythoff() -> Result<(), Failure> {
    const SIZE: usize = 65;
    let moves = [vec![1, 0], vec![0, 1], vec![1, 1]].map(ray);
    let grid = Grid::new(&[SIZE; 2], &moves, 0);
    let mut cells = vec![0; grid.cells() * LANES];
    let mut filled = Ok(());
    let ours = median_seconds(501, || {
        filled = grid.fill(Compiler::new(Isa::best()), u64::MAX, &Borders, LANES, &mut cells);
    });
    let mut plain = cells.clone();
    let theirs = median_seconds(5, || {
        for tile in plain.chunks_exact_mut(grid.cells()) {
            one_by_one(&[SIZE; 2], &moves, tile, |at| at < SIZE || at % SIZE == 0);
        }
    });
    check("End-Wythoff", filled.is_ok() && cells == plain)?;
    print("End-Wythoff, tiles of piles to 64", 64 * 64 * LANES, ours, theirs);
    Ok(())
}

/// Measures g(0), ..., g(N) of games of single piles. The first values are compared with a loop
/// over all options.
fn sums() -> Result<(), Failure> {
    const FIRST: usize = 10_000;
    let leaving = |taken, digit: usize| {
        let bit = |bit: usize| digit >> bit & 1 == 1;
        let unequal = taken == 0;
        Leaving { taken, least: 0, nothing: bit(0), one: bit(1), two: bit(2), unequal }
    };
    let games: [(&str, Vec<Leaving>); 3] = [
        ("Kayles", vec![leaving(1, 7), leaving(2, 7)]),
        ("Dawson's Kayles", vec![leaving(2, 7)]),
        ("Grundy's game", vec![leaving(0, 4)]),
    ];
    for (name, leaving) in games {
        let splits = Splits { leaving, lowers_any: false, is_cut: false };
        let mut values = None;
        let ours = median_seconds(1, || values = splits.values(LAST, |_| true));
        let mut plain = Vec::new();
        let theirs = median_seconds(1, || plain = pairs(&splits, FIRST));
        let values = values.unwrap_or_default();
        check(name, values.len() > LAST && values[..=FIRST] == plain)?;
        // The loop over all options takes quadratic time, so scale the measured time.
        let ratio = (LAST / FIRST).pow(2) as f64;
        print(&format!("{name} to {LAST}, {ours:.2} s"), LAST, ours, theirs * ratio);
    }
    Ok(())
}

/// The largest pile.
const LAST: usize = 1_000_000;

fn pairs(splits: &Splits, last: usize) -> Vec<u16> {
    let mut values: Vec<u16> = vec![0];
    let mut seen = Marks { marks: vec![usize::MAX; 4096], cell: 0 };
    for n in 1..=last {
        seen.cell = n;
        for leaving in splits.leaving.iter().filter(|leaving| leaving.taken <= n) {
            let left = n - leaving.taken;
            if if left == 0 { leaving.nothing } else { leaving.one } {
                seen.marks[usize::from(values[left])] = n;
            }
            if leaving.two {
                let most = if leaving.unequal { left.saturating_sub(1) / 2 } else { left / 2 };
                (1..=most).for_each(|a| seen.marks[usize::from(values[a] ^ values[left - a])] = n);
            }
        }
        values.push(seen.mex());
    }
    values
}

/// Measures a build with compression and disk. Small positions are compared with the rules.
fn whole_build(length: usize, threads: usize) -> Result<(), Failure> {
    let game = grundy::game("end-wythoff")?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let folder = tempfile::tempdir()?;
    let request = Request { length: Some(length), threads, ..Request::new(vec![game], 64) };
    let plan = Plan::new(request, &manifest(folder.path())?)?;
    let start = Instant::now();
    pool.install(|| build(&plan, folder.path(), &Control::new(), |_| ()))?;
    let seconds = start.elapsed().as_secs_f64();
    let database = grundy::Database::open(folder.path())?;
    let mut rules = Reference::new(game);
    let small = Table::new(game, 5, length)?;
    for position in (0..small.cells()).filter_map(|number| small.position(number)) {
        let found = database.value(game, &position)?;
        check("a build of End-Wythoff", found == rules.value(&position))?;
    }
    let positions: u64 = plan.tables.iter().map(|planned| planned.table.positions()).sum();
    let rate = positions as f64 / seconds;
    println!("| {length} piles, {threads} threads | {seconds:.2} | {rate:.2e} |");
    Ok(())
}

/// Rule files: a name, the kind of piles, the moves, the number of piles, the largest pile, and the
/// largest pile of the smaller table for comparison.
const FILES: [(&str, &str, &str, usize, Pile, Pile); 13] = [
    ("point", "places", "i in 1..k if piles[i] >= 2: piles[i] -= 2", 4, 63, 9),
    ("ray", "places", "i in 1..k, t in 1..piles[i]: piles[i] -= t", 4, 63, 9),
    ("window", "places", "i in 1..k, t in 1..min(3, piles[i]): piles[i] -= t", 4, 63, 9),
    ("residue", "places", "i in 1..k, t in 1..piles[i] if t % 3 == 1: piles[i] -= t", 4, 63, 9),
    ("band", "places", "s in 1..p1, t in 1..p2 if abs(s - t) < 3: p1 -= s, p2 -= t", 4, 63, 9),
    (
        "box",
        "places",
        "H in windows(1..k, 2), each i in H t[i] in 0..piles[i]: piles[i] -= t[i]",
        4,
        63,
        9,
    ),
    ("ray with a condition", "places", "t in 1..p1 if p2 > p3: p1 -= t", 4, 63, 9),
    ("ray, inside rows", "row", "i in 1..k, t in 1..piles[i]: piles[i] -= t", 4, 63, 9),
    (
        "rays, ends of rows",
        "row",
        "t in 1..first: first -= t\nmove: t in 1..last if k >= 2: last -= t\n\
         move: t in 1..min(first, last) if k >= 2: first -= t, last -= t",
        4,
        64,
        9,
    ),
    ("ray, heaps", "heaps", "i in 1..k, t in 1..piles[i]: piles[i] -= t", 4, 64, 12),
    ("masks", "places", "i in 1..k, t in 1..piles[i] if t != p1: piles[i] -= t", 4, 63, 9),
    ("masks, two piles", "places", "t in 1..p1 if t != p2 % (p3 + 1): p1 -= t", 4, 63, 9),
    ("no shape", "places", "t in 1..p1 // (p2 + 1): p1 -= t * (p2 + 1)", 3, 63, 7),
];

fn rule_file(
    &(what, piles, moves, length, max_pile, few): &(&str, &str, &str, usize, Pile, Pile),
) -> Result<(), Failure> {
    let least = if piles == "places" { length } else { 1 };
    let text = format!(
        "name: bench\ntitle: Bench\nsource: here\npiles: {piles}\nlength: {least}..{length}\nmove: {moves}\n"
    );
    let (game, _) = grundy::game_of_text(&text)?;
    let small = Table::new(game, few, length)?;
    let start = Instant::now();
    let expected = bytes(&AnyGame, &small)?;
    let theirs = small.cells() as f64 / start.elapsed().as_secs_f64();
    check(what, bytes(solver(game), &small)? == expected)?;
    let table = Table::new(game, max_pile, length)?;
    let mut filled = Ok(Vec::new());
    let ours = table.cells() as f64 / median_seconds(3, || filled = bytes(solver(game), &table));
    filled?;
    let predicted = filling(game, max_pile, length).map_or(0.0, |(_, rate)| rate);
    println!(
        "| {what}: {table} | {ours:.2e} | {predicted:.2e} | {theirs:.2e} | {:.0} |",
        ours / theirs
    );
    Ok(())
}

/// Returns the bytes of a table that a solver fills on one thread.
fn bytes(by: &dyn Solver, table: &Table) -> Result<Vec<u8>, Failure> {
    let means = Means { memory: MemoryLimit::new(1 << 30), threads: 1, frame_bytes: 1 << 16 };
    let (game, max_pile) = (table.game(), table.max_pile());
    let mut maker = by.maker(Job { game, max_pile, isa: Isa::best() });
    maker.prepare(table, &by.needs(table, &means), &Control::new())?;
    Ok(maker.worker(table).tiles(0, table.tiles()).to_vec())
}
