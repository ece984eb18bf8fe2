//! The third part of `make bench`. It compares the solvers that a build uses for rule files with
//! the general solver, which visits every option and fills a smaller table. Both run on one thread,
//! and the program compares their cells.

use std::time::Instant;

use grundy_benches::cases::cases;
use grundy_benches::{Failure, check, median_seconds, print_heading};
use grundy_builder::{Plan, Request, build, manifest};
use grundy_kernels::Isa;
use grundy_rules::reference::Reference;
use grundy_rules::{Pile, Table, outcome_form};
use grundy_solvers::{AnyGame, Job, Means, Solver, filling, solver};
use grundy_sweep::{Control, MemoryLimit};

fn main() -> Result<(), Failure> {
    print_heading("cargo run --release -p grundy-benches --bin shapes");
    println!(
        "| rule files, one thread, stored positions/s | by shapes | predicted | option by option | ratio | outcomes |"
    );
    println!("|---|---|---|---|---|---|");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut files = cases(include_str!("../rules.txt"), "rules").into_iter();
    pool.install(|| files.try_for_each(|(_, file)| rule_file(file)))?;
    println!("\n| whole builds of End-Wythoff, piles to 64 | s | positions/s |");
    println!("|---|---|---|");
    [(4, 1), (5, 2)].into_iter().try_for_each(|(length, threads)| whole_build(length, threads))
}

/// Measures a whole build, with compression and disk. Compares small positions with the rules.
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

fn rule_file([what, piles, moves, length, max_pile, few]: [&str; 6]) -> Result<(), Failure> {
    let (length, max_pile, few): (usize, Pile, Pile) =
        (length.parse()?, max_pile.parse()?, few.parse()?);
    let lengths = match piles {
        "places" => format!("length: {length}\n"),
        "sum" => String::new(),
        _ => format!("length: 1..{length}\n"),
    };
    let moves = moves.replace(" / ", "\n");
    let head = "name: bench\ntitle: Bench\nsource: here\n";
    let text = format!("{head}piles: {piles}\n{lengths}move: {moves}\n");
    let (game, _) = grundy::game_of_text(&text)?;
    let small = Table::new(game, few, length)?;
    let start = Instant::now();
    let expected = bytes(&AnyGame, &small)?;
    let theirs = small.cells() as f64 / start.elapsed().as_secs_f64();
    check(what, bytes(solver(game), &small)? == expected)?;
    let table = Table::new(game, max_pile, length)?;
    let (ours, values) = rate(&table)?;
    let (outcomes, bits) = rate(&Table::new(outcome_form(game)?, max_pile, length)?)?;
    let wins = values.chunks(table.value_bytes()).map(|value| value.iter().any(|&byte| byte > 0));
    check(what, (0..).zip(wins).all(|(at, wins)| (bits[at / 8] >> (at % 8) & 1 == 1) == wins))?;
    let predicted = filling(game, max_pile, length).map_or(0.0, |(_, rate)| rate);
    println!(
        "| {what}: {table} | {ours:.2e} | {predicted:.2e} | {theirs:.2e} | {:.0} | {outcomes:.2e} |",
        ours / theirs
    );
    Ok(())
}

/// Returns the number of cells that one thread fills per second, and the bytes of the cells.
fn rate(table: &Table) -> Result<(f64, Vec<u8>), Failure> {
    let mut filled = Ok(Vec::new());
    let seconds = median_seconds(3, || filled = bytes(solver(table.game()), table));
    Ok((table.cells() as f64 / seconds, filled?))
}

/// Fills a table on one thread with the given solver, and returns its bytes.
fn bytes(by: &dyn Solver, table: &Table) -> Result<Vec<u8>, Failure> {
    let means = Means { memory: MemoryLimit::new(1 << 30), threads: 1, frame_bytes: 1 << 16 };
    let (game, max_pile) = (table.game(), table.max_pile());
    let mut maker = by.maker(Job { game, max_pile, isa: Isa::best() });
    maker.prepare(table, &by.needs(table, &means), &Control::new())?;
    Ok(maker.worker(table).tiles(0, table.tiles()).to_vec())
}
