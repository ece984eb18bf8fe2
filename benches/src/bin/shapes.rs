//! The third part of `make bench`. It measures the solvers that a build uses for rule files. It
//! compares them with a loop that fills the same table option by option, and with the general
//! solver, which fills a smaller table. All three run on one thread. The program also compares the
//! cells that they fill.

use std::time::Instant;

use grundy_benches::cases::cases;
use grundy_benches::{Failure, check, median_seconds, print_heading};
use grundy_benches::{bitsets, scan};
use grundy_builder::{Plan, Request, build, manifest};
use grundy_kernels::Isa;
use grundy_kernels::cells::read_cells;
use grundy_rules::reference::Reference;
use grundy_rules::{Pile, Table, outcome_form};
use grundy_solvers::{AnyGame, Job, Means, Solver, filling, solver};
use grundy_sweep::{Control, MemoryLimit};

fn main() -> Result<(), Failure> {
    print_heading("cargo run --release -p grundy-benches --bin shapes");
    println!(
        "| rule files, one thread, stored positions/s | by shapes | predicted | loop over options | ratio | general solver | ratio | outcomes |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut files = cases(include_str!("../rules.txt"), "rules").into_iter();
    pool.install(|| files.try_for_each(|(_, file)| rule_file(file)))?;
    println!("\n| End-Wythoff, one thread | by shapes, s | loop over sets of bits, s | ratio |");
    println!("|---|---|---|---|");
    pool.install(|| [64, 320, 400, 512].into_iter().try_for_each(three_piles))?;
    println!("\n| whole builds of End-Wythoff, piles to 64 | s | positions/s |");
    println!("|---|---|---|");
    [(4, 1), (5, 2)].into_iter().try_for_each(|(length, threads)| whole_build(length, threads))
}

/// Measures the values of three piles, tile by tile, and compares all of them.
fn three_piles(max_pile: Pile) -> Result<(), Failure> {
    let table = Table::new(grundy::game("end-wythoff")?, max_pile, 3)?;
    let (game, by) = (table.game(), solver(table.game()));
    let start = Instant::now();
    let tiles = bitsets::end_wythoff(max_pile as usize);
    let theirs = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let mut maker = by.maker(Job { game, max_pile, isa: Isa::best() });
    let needs = by.needs(&table, &Means::one_thread(MemoryLimit::new(1 << 30)));
    maker.prepare(&table, &needs, &Control::new())?;
    let (mut worker, mut values) = (maker.worker(&table), Vec::new());
    for (tile, expected) in (0..table.tiles()).zip(&tiles) {
        values.clear();
        read_cells(table.value_bytes(), worker.tiles(tile, 1), &mut values);
        check("End-Wythoff", values.iter().copied().eq(expected.iter().copied().map(u32::from)))?;
    }
    let ours = start.elapsed().as_secs_f64();
    println!("| {table} | {ours:.2} | {theirs:.2} | {:.2} |", ours / theirs);
    Ok(())
}

/// Measures a whole build with compression and disk writes. Checks the values of small positions.
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

fn rule_file(
    [what, piles, moves, length, max_pile, few, places]: [&str; 7],
) -> Result<(), Failure> {
    let (length, max_pile, few): (usize, Pile, Pile) =
        (length.parse()?, max_pile.parse()?, few.parse()?);
    let lengths = match piles {
        "places" => format!("length: {length}\n"),
        "sum" => String::new(),
        _ => format!("length: 1..{length}\n"),
    };
    let moves = match moves.starts_with("code: ") {
        true => moves.to_owned(),
        false => format!("move: {}", moves.replace(" / ", "\n")),
    };
    let head = "name: bench\ntitle: Bench\nsource: here\n";
    let text = format!("{head}piles: {piles}\n{lengths}{moves}\n");
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
    let (mut by_loop, mut ratio, start) = (String::new(), String::new(), Instant::now());
    if places != "-" {
        let side = max_pile as usize + 1;
        let cells = match piles {
            "sum" => scan::values(places, max_pile as usize),
            _ => one_by_one(piles, places, side),
        };
        let rate = table.cells() as f64 / start.elapsed().as_secs_f64();
        (by_loop, ratio) = (format!("{rate:.2e}"), format!("{:.1}", ours / rate));
        for number in (0..table.cells()).step_by(101) {
            let position = table.position(number).ok_or("a number without a position")?;
            let mut word = [0; 4];
            word.iter_mut().zip(position.piles()).for_each(|(to, &pile)| *to = pile as usize);
            let at = number as usize * table.value_bytes();
            let value = u16::from(values[at])
                + u16::from(*values.get(at + 1).filter(|_| table.value_bytes() > 1).unwrap_or(&0))
                    * 256;
            let at = if piles == "sum" { word[0] } else { rank(sorted(piles, word), side) };
            check(what, cells[at] == value)?;
        }
    }
    let predicted = filling(game, max_pile, length).map_or(0.0, |(_, rate)| rate);
    println!(
        "| {what}: {table} | {ours:.2e} | {predicted:.2e} | {by_loop} | {ratio} | {theirs:.2e} | {:.0} | {outcomes:.2e} |",
        ours / theirs
    );
    Ok(())
}

/// Returns the number of cells that one thread fills per second, and the bytes of the cells.
fn rate(table: &Table) -> Result<(f64, Vec<u8>), Failure> {
    let by = solver(table.game());
    let mut filled = Ok(());
    let seconds = median_seconds(3, || filled = fill(by, table, |_| ()));
    filled?;
    Ok((table.cells() as f64 / seconds, bytes(by, table)?))
}

/// Fills a table on one thread with the given solver, and returns its bytes.
fn bytes(by: &dyn Solver, table: &Table) -> Result<Vec<u8>, Failure> {
    fill(by, table, <[u8]>::to_vec)
}

/// Fills a table on one thread with the given solver, and passes its bytes to `take`.
fn fill<T>(by: &dyn Solver, table: &Table, take: impl FnOnce(&[u8]) -> T) -> Result<T, Failure> {
    let means = Means::one_thread(MemoryLimit::new(1 << 30));
    let (game, max_pile) = (table.game(), table.max_pile());
    let mut maker = by.maker(Job { game, max_pile, isa: Isa::best() });
    maker.prepare(table, &by.needs(table, &means), &Control::new())?;
    Ok(take(maker.worker(table).tiles(0, table.tiles())))
}

fn rank(word: [usize; 4], side: usize) -> usize {
    word.iter().fold(0, |rank, pile| rank * side + pile)
}

/// Returns the lexicographically first word that stands for the same position as `word`.
fn sorted(piles: &str, mut word: [usize; 4]) -> [usize; 4] {
    match piles {
        "heaps" => word.sort_unstable(),
        "row" => word.sort_by_key(|&pile| pile > 0),
        _ => {}
    }
    word
}

/// Fills all words of four piles, option by option. A move takes coins from one place, or equal
/// numbers from two places (with `*`: any numbers). `f` and `l` are the ends of a row.
fn one_by_one(piles: &str, moves: &str, side: usize) -> Vec<u16> {
    let mut moves = moves.split(' ');
    let most: usize = moves.next().and_then(|most| most.parse().ok()).unwrap_or(side);
    let place = |name: u8| match name {
        b'f' => 4,
        b'l' => 3,
        digit => usize::from(digit - b'0'),
    };
    let moves: Vec<(usize, Option<usize>, bool)> = moves
        .map(str::as_bytes)
        .map(|m| (place(m[0]), m[1..].last().map(|&b| place(b)), m.contains(&b'*')))
        .collect();
    let (mut cells, mut seen) = (vec![0; side.pow(4)], vec![usize::MAX; 4096]);
    for cell in 0..cells.len() {
        let word = [3, 2, 1, 0].map(|at| cell / side.pow(at) % side);
        if sorted(piles, word) != word {
            continue;
        }
        let first = word.iter().position(|&pile| pile > 0).unwrap_or(3);
        for &(a, b, any) in &moves {
            let a = if a == 4 { first } else { a };
            if b == Some(a) {
                continue;
            }
            for t in 1..=word[a].min(most) {
                let others = match b {
                    Some(b) if any => 1..=word[b],
                    Some(b) => t..=t.min(word[b]),
                    None => 0..=0,
                };
                for s in others {
                    let mut option = word;
                    option[a] -= t;
                    b.into_iter().for_each(|b| option[b] -= s);
                    seen[usize::from(cells[rank(sorted(piles, option), side)])] = cell;
                }
            }
        }
        cells[cell] = (0..).zip(&seen).find(|it| *it.1 != cell).map_or(0, |it| it.0);
    }
    cells
}
