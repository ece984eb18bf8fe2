//! Does the work of a page in a browser, without threads or a clock: computes values, fills a table
//! and sweeps. `make wasm` compiles this program for `wasm32-unknown-unknown` and runs it in Node.
//! A wrong value is an error. The program prints nothing, because a page has no standard output.

use grundy_kernels::Isa;
use grundy_rules::{Game, Table, games};
use grundy_solvers::{Env, Job, Means, NoTables, solver};
use grundy_sweep::{Control, Histogram, Ladder, MemoryLimit, sweep};

type Failure = Box<dyn std::error::Error>;

fn value(game: Game, text: &str) -> Result<Option<u32>, Failure> {
    let env = Env::with_nothing(&NoTables);
    Ok(solver(game).answer(game, &game.parse(text)?, &env)?.value)
}

fn main() -> Result<(), Failure> {
    // Compute values by intervals, with a memo, and by rows. 3,5 is a P-position of Wythoff's game.
    assert_eq!(value(games::END_NIM, "5,4,5,6,7")?, Some(9));
    assert_eq!(value(games::END_WYTHOFF, "3,5")?, Some(0));
    assert_eq!(value(games::SHORT_GLOBAL_NIM, "20,20/3")?, Some(2));
    assert_eq!(value(games::LONG_GLOBAL_NIM, "8{1,3,4}")?, Some(1));

    // The solver for any game fills a table of Wythoff's game up to 5.
    let (game, control) = (games::END_WYTHOFF, Control::new());
    let table = Table::new(game, 5, 2)?;
    let needs = solver(game).needs(
        &table,
        &Means { memory: MemoryLimit::new(1 << 20), threads: 1, frame_bytes: 1 << 16 },
    );
    let mut maker = solver(game).maker(Job { game, max_pile: 5, isa: Isa::best() });
    maker.prepare(&table, &needs, &control)?;
    let zeros = maker.worker(&table).tiles(0, 1).iter().filter(|&&value| value == 0).count();
    // The P-positions are 1,2; 2,1; 3,5; and 5,3.
    assert_eq!(zeros, 4);

    // Sweep a level of End-Nim, whose P-positions are the rows a, b, a where b differs from a.
    let mut ladder = Ladder::<u8>::new(games::END_NIM, 16, Isa::best());
    ladder.extend(2, &control)?;
    let level = Table::new(games::END_NIM, 16, 3)?;
    let counts = sweep(&ladder, &level, &control, &Histogram).acc;
    assert_eq!((counts.p_positions(), counts.positions()), (16 * 15, 16 * 16 * 16));
    Ok(())
}

#[test]
fn it_runs() -> Result<(), Failure> {
    main()
}
