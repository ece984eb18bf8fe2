//! The second part of `make bench`. For every game it compares the speed of filling tables with the
//! speed of the reference evaluator. All methods run on one thread. Speeds are in positions per
//! second. The program checks every answer.

use grundy_benches::{Failure, check, median_seconds, print_heading};
use grundy_kernels::Isa;
use grundy_kernels::records::Records;
use grundy_kernels::subsets::{Search, SubsetTables};
use grundy_rules::reference::{Outcomes, Reference};
use grundy_rules::{Form, Game, MoveSet, Outcome, Pile, Position, Table, games, lex_word};
use grundy_solvers::{Job, Means, TableRequest, read_cells, solver};
use grundy_sweep::outcomes::count_outcomes;
use grundy_sweep::{Control, MemoryLimit};
use grundy_triangular::{Limits, Verdict, prove};

fn main() -> Result<(), Failure> {
    print_heading("cargo run --release -p grundy-benches --bin games");
    println!("| task, one thread | positions/s | ratio |");
    println!("|---|---|---|");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| {
        Game::all().filter_map(tables_of_values).try_for_each(values)?;
        partizan()?;
        single_piles()?;
        sets()?;
        conjecture()
    })
}

/// Prints each method (name, positions, seconds) with the first method's speed relative to its own.
fn print(task: &str, ways: &[(&str, u64, f64)]) {
    let rate = |&(_, positions, seconds): &(&str, u64, f64)| positions as f64 / seconds;
    let ours = rate(&ways[0]);
    for way in ways {
        println!("| {task}: {} | {:.2e} | {:.2} |", way.0, rate(way), ours / rate(way));
    }
}

/// Returns the seconds that the reference evaluator takes, and the sum of the values.
fn memo<I: Iterator<Item = Position>>(game: Game, positions: impl Fn() -> I) -> (f64, u64) {
    let mut sum = 0;
    let seconds = median_seconds(3, || {
        let mut reference = Reference::new(game);
        sum = positions().map(|position| u64::from(reference.value(&position))).sum();
    });
    (seconds, sum)
}

/// Returns a game's tables of one to three piles up to 24; `None` if they store no plain values.
fn tables_of_values(game: Game) -> Option<Vec<Table>> {
    let (max_pile, length) = (24, Some(3));
    let wanted =
        TableRequest { max_pile, length, literally: true, single: None, form: Form::Whole };
    let tables = solver(game).tables(game, &wanted).ok()?;
    let of_values = |table: &Table| game.is_impartial() && table.numbering().is_plain();
    tables.iter().all(of_values).then_some(tables)
}

/// Compares the speed of filling a game's tables with the speed of the reference evaluator.
fn values(tables: Vec<Table>) -> Result<(), Failure> {
    let Some(largest) = tables.last() else { return Ok(()) };
    let (game, max_pile) = (largest.game(), largest.max_pile());
    let mut sum = 0u64;
    let mut cells = Vec::new();
    let ours = median_seconds(9, || {
        sum = 0;
        let mut maker = solver(game).maker(Job { game, max_pile, isa: Isa::best() });
        for table in &tables {
            let means = Means::one_thread(MemoryLimit::new(1 << 30));
            let needs = solver(game).needs(table, &means);
            if maker.prepare(table, &needs, &Control::new()).is_ok() {
                cells.clear();
                let bytes = maker.worker(table).tiles(0, table.tiles()).to_vec();
                read_cells(table.value_bytes(), &bytes, &mut cells);
                sum += cells.iter().map(|&value| u64::from(value)).sum::<u64>();
            }
        }
    });
    let (memo, memo_sum) = memo(game, || {
        tables.iter().flat_map(|table| (0..table.cells()).filter_map(move |at| table.position(at)))
    });
    check(game.id(), sum == memo_sum)?;
    let positions = tables.iter().map(Table::cells).sum();
    let ways = [("table", positions, ours), ("memo from the rules", positions, memo)];
    print(&format!("{}, 1 to 3 piles of up to {max_pile}", game.title()), &ways);
    Ok(())
}

fn partizan() -> Result<(), Failure> {
    const N: Pile = 20;
    const LENGTH: usize = 3;
    let mut counted = Vec::new();
    let ours = median_seconds(9, || {
        counted = count_outcomes(N, LENGTH, &Control::new()).acc;
    });
    let mut lost = 0u64;
    let memo = median_seconds(3, || {
        let mut outcomes = Outcomes::new(games::PARTIZAN_END_NIM);
        let mut word = vec![0; LENGTH];
        lost = 0;
        for index in 0..u64::from(N).pow(LENGTH as u32) {
            lex_word(index, u64::from(N), &mut word);
            lost += u64::from(outcomes.outcome(&Position::row(&word)) == Outcome::P);
        }
    });
    let of_class = |class: Outcome| Outcome::ALL.iter().position(|&other| other == class);
    let found = counted.last().zip(of_class(Outcome::P)).map(|(counts, at)| counts[at]);
    check("partizan-end-nim", found == Some(lost))?;
    let positions = u64::from(N).pow(LENGTH as u32);
    let ways = [("moves as bits", positions, ours), ("memo from the rules", positions, memo)];
    print("partizan End-Nim, 3 piles of up to 20", &ways);
    Ok(())
}

/// Compares the methods for short global nim with one pile.
fn single_piles() -> Result<(), Failure> {
    const ROWS: u64 = 1_000_000;
    let mut last = 0;
    let ours = median_seconds(3, || {
        let mut records = Records::new(ROWS as Pile);
        for _ in 0..ROWS {
            last = records.next_row().value;
        }
    });
    check("g(10^6)", last == 454_879)?;
    print("short global nim, all *(n,k), k up to n", &[("10^6 rows", ROWS * (ROWS + 3) / 2, ours)]);
    Ok(())
}

/// Compares the methods for long global nim with one pile and every set of moves.
fn sets() -> Result<(), Failure> {
    const N: u32 = 26;
    const FEW: u32 = 12;
    let mut seconds = Vec::new();
    let all = |n: u32| (2u64 << n) - 2;
    let mut small = SubsetTables::new(Isa::Portable);
    check("sets", small.extend(FEW).is_ok())?;
    for isa in Isa::available() {
        // Pack the last level frame by frame, as a build does. The whole level is never in memory.
        let (mut frame, mut scratch) = (vec![0; 1 << 16], Vec::new());
        let mut tables = SubsetTables::new(isa);
        let time = median_seconds(5, || {
            tables = SubsetTables::new(isa);
            let _ = tables.extend(N - 1);
            for first in (0..1 << (N - 3)).step_by(frame.len() / 4) {
                tables.pack_cells(first, &mut frame, &mut scratch);
            }
        });
        seconds.push((isa, time));
        check("sets", tables.level(FEW) == small.level(FEW))?;
    }
    let (memo, memo_sum) = memo(games::LONG_GLOBAL_NIM, || {
        let sets = (0..1u64 << FEW).map(MoveSet::of_mask);
        sets.map(|set| Position::with_available(vec![FEW], &set))
    });
    let table_sum: u64 = (0..1 << FEW).map(|set| u64::from(small.value(FEW, set))).sum();
    check("long-global-nim", memo_sum == table_sum)?;
    seconds.reverse();
    let names: Vec<String> =
        seconds.iter().map(|(isa, _)| format!("512 sets at a time, {isa}")).collect();
    let mut ways: Vec<(&str, u64, f64)> =
        names.iter().zip(&seconds).map(|(name, &(_, time))| (&name[..], all(N), time)).collect();
    ways.push(("memo from the rules, to 12", all(FEW), memo));
    print("long global nim, every set of a pile of up to 26", &ways);
    Ok(())
}

/// Compares two methods that check the triangular-number conjecture for all n up to a bound:
/// families and search.
fn conjecture() -> Result<(), Failure> {
    const BOUND: u32 = 300;
    let mut proved = 0;
    let families = median_seconds(5, || {
        let proof =
            prove(BOUND, &Limits { memory: 1 << 30 }, &mut |_| std::ops::ControlFlow::Continue(()));
        proved = proof.map_or(0, |(proof, _)| {
            let holds =
                |n: &u32| matches!(proof.verdict(*n), Some(Verdict::Proved | Verdict::Evaluated));
            (1..=BOUND).filter(holds).count()
        });
    });
    check("families", proved == BOUND as usize)?;
    let mut found = 0;
    let search = median_seconds(3, || {
        let mut search = Search::new(1 << 30);
        let holds = |&n: &u32| {
            let value = search.value(&[n], 1..=n, &mut |_| false).unwrap_or(0);
            let k = u32::from(value);
            k * (k + 1) / 2 <= n && n < (k + 1) * (k + 2) / 2
        };
        found = (1..=BOUND).filter(holds).count();
    });
    check("search", found == BOUND as usize)?;
    let n = u64::from(BOUND);
    let ways = [("families", n, families), ("search with bounds and a memo", n, search)];
    print("conjecture 34, every n up to 300", &ways);
    Ok(())
}
