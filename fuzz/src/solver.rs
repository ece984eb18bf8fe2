//! The solvers of the games.
//!
//! - Every cell of a table that a game's maker fills follows the rules, for any run of tiles. So
//!   does every answer, with the table, with a part of the tables, and without any.
//! - The options of a position are its moves, each with its answer by the rules.
//! - Stored tables have the same counts as computed ones.
//! - The checker of the game accepts a table, and rejects it with one wrong cell.
//!
//! All of this holds for each game of the registry, by its own solver and, if tables hold only
//! values, by the generic solver. The reference evaluator decides.

use grundy_sweep::MemoryLimit;
use std::cell::RefCell;
use std::collections::BTreeMap;

use arbitrary::Unstructured;
use grundy_kernels::Isa;
use grundy_kernels::cells::cell_values;
use grundy_rules::{Game, Numbering, Pile, Position, Table};
use grundy_solvers::{
    Answer, AnyGame, Checking, Count, Counted, Desk, Job, Means, NoTables, Solver, Source, Tables,
    TileRun, solver,
};
use grundy_sweep::Control;

use tables::{Held, Oracle, Shelf, bytes_of, wanted, with_memory_of};

// Shares tables in memory and the oracle with the tests of `solvers`.
#[allow(dead_code)]
#[path = "../../crates/solvers/tests/suite/common.rs"]
mod tables;

/// Panics if one of the statements above is false for the game, size and positions chosen by these
/// bytes.
pub fn run(data: &[u8]) {
    // The input can run out only where a choice has no candidates, and all have some.
    let _ = try_run(&mut Unstructured::new(data));
}

/// Every game in every size.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = vec![Vec::new()];
    for game in 0..Game::all().count() as u8 {
        for (max_pile, length) in [(0, 0), (2, 1), (3, 2), (1, 3), (4, 1)] {
            seeds.push(vec![game, 0, max_pile, length, 2, 1, 40, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
            seeds.push(vec![game, 1, max_pile, length, 0, 0, 3, 0xFF, 1, 2, 3, 4, 5, 6, 7, 8]);
        }
    }
    seeds
}

thread_local! {
    /// Results for earlier inputs are reused for later ones.
    static ORACLES: RefCell<BTreeMap<Game, Oracle>> = const { RefCell::new(BTreeMap::new()) };
}

fn try_run(input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let games: Vec<Game> = Game::all().collect();
    let game = *input.choose(&games)?;
    ORACLES.with_borrow_mut(|oracles| {
        with_oracle(input, game, oracles.entry(game).or_insert_with(|| Oracle::new(game)))
    })
}

fn with_oracle(
    input: &mut Unstructured<'_>,
    game: Game,
    oracle: &mut Oracle,
) -> arbitrary::Result<()> {
    let by_moves = input.arbitrary()?;
    let max_pile = input.int_in_range(1..=5)?;
    let length = input.int_in_range(1..=4_u8)? as usize;
    let tables = solver(game).tables(game, &wanted(max_pile, length)).expect("small tables");
    let of: &dyn Solver = match by_moves && tables.iter().all(is_of_values) {
        true => &AnyGame,
        false => solver(game),
    };
    let run = input.int_in_range(1..=9)?;
    let memory = if input.arbitrary()? { 1 << 24 } else { 0 };
    let shelf = fill(of, game, &tables, run, memory);
    let left_out = input.int_in_range(1..=length)?;
    let part = without(&shelf, left_out);
    for _ in 0..4 {
        let count = input.int_in_range(0..=length as u8 + 1)?;
        let piles: Vec<Pile> =
            (0..count).map(|_| input.int_in_range(1..=max_pile + 1)).collect::<Result<_, _>>()?;
        if piles.is_empty() && !game.has_empty_position() {
            continue;
        }
        let position = with_memory_of(game, &piles, input.arbitrary()?);
        let is_held =
            (1..=length).contains(&piles.len()) && piles.iter().all(|&pile| pile <= max_pile);
        let answer = answers(of, game, &position, &shelf, oracle);
        assert_eq!(answer.source == Source::Table, is_held, "{game} {position}");
        answers(of, game, &position, &part, oracle);
        let answer = answers(of, game, &position, &NoTables, oracle);
        assert_eq!(answer.source, Source::Computed, "{game} {position}");
    }
    let longest = &shelf.0[length - 1];
    everything(longest, &shelf, of, oracle);
    counts(of, longest);
    let at = input.choose_index(longest.cells.len())?;
    let most = u32::MAX >> (32 - 8 * longest.table.value_bytes());
    let cell = match input.int_in_range(0..=2)? {
        0 => longest.cells[at] ^ 1 << input.int_in_range(0..=7)?,
        1 => longest.cells[at].saturating_add(1).min(most),
        _ => input.int_in_range(0..=most)?,
    };
    checks(of, longest, &part, (at, cell), input.int_in_range(1..=9)?);
    Ok(())
}

/// Returns the tables except those of one length.
fn without(shelf: &Shelf, length: usize) -> Shelf {
    Shelf::of(shelf.0.iter().filter(|held| held.table.length() != length).cloned())
}

/// True if the cells of a table are values of positions, and nothing else.
fn is_of_values(table: &Table) -> bool {
    table.numbering().is_plain() && table.game().is_impartial()
}

/// Fills tables as a build does, `run` tiles at a time.
fn fill(of: &dyn Solver, game: Game, tables: &[Table], run: u64, memory: u64) -> Shelf {
    let max_pile = tables.iter().map(Table::max_pile).max().expect("a table");
    let mut maker = of.maker(Job { game, max_pile, isa: Isa::best() });
    let fill = |table: &Table| {
        let needs = of.needs(
            table,
            &Means { memory: MemoryLimit::new(memory), threads: 1, frame_bytes: 1 << 10 },
        );
        maker.prepare(table, &needs, &Control::new()).expect("nobody stops it");
        Held::new(table, &bytes_of(&*maker, table, run))
    };
    Shelf(tables.iter().map(fill).collect())
}

/// Compares an answer and all moves with the rules.
fn answers(
    of: &dyn Solver,
    game: Game,
    position: &Position,
    tables: &dyn Tables,
    oracle: &mut Oracle,
) -> Answer {
    let desk = Desk::with_nothing(tables);
    let moves = of.moves(game, position, &desk).expect("a small position");
    oracle.hears(position, &moves.answer);
    let expected = game.moves(position);
    assert_eq!(moves.moves.len(), expected.len(), "{game} {position}");
    for ((made, answer), listed) in moves.moves.iter().zip(&expected) {
        assert_eq!(made, listed, "{game} {position}");
        oracle.hears(&made.option, answer);
    }
    let answer = of.answer(game, position, &desk).expect("a small position");
    oracle.hears(position, &answer);
    answer
}

/// Checks every number of a table that has a position.
fn everything(held: &Held, tables: &dyn Tables, of: &dyn Solver, oracle: &mut Oracle) {
    let (table, game) = (&held.table, held.table.game());
    let desk = Desk::with_nothing(tables);
    for number in 0..table.values() {
        let Some(position) = table.position(number).filter(|found| !found.piles().is_empty())
        else {
            continue;
        };
        let answer = of.answer(game, &position, &desk).expect("a stored position");
        oracle.hears(&position, &answer);
        assert_eq!(answer.source, Source::Table, "{table} {position}");
        if is_of_values(table) {
            assert_eq!(answer.value, Some(held.cells[number as usize]), "{table} {position}");
        }
    }
}

fn counts(of: &dyn Solver, held: &Held) {
    let count = |stored| {
        let (table, control) = (&held.table, &Control::new());
        let counted = of.count(Count {
            table,
            stored,
            memory: MemoryLimit::new(1 << 30),
            isa: Isa::best(),
            control,
        });
        match counted.expect("a small table").expect("nobody stops it") {
            Counted::Values(counts) => format!("{counts:?}"),
            Counted::Classes(lengths) => format!("{:?}", lengths.last()),
            Counted::Records { counts, exceptions } => format!("{counts:?} {exceptions}"),
            Counted::Sets { counts, first_maximum } => {
                format!("{:?} {first_maximum:?}", counts.piles)
            }
        }
    };
    assert_eq!(count(None), count(Some(held)), "{}", held.table);
}

/// Checks the table as it is, and with another cell, `tiles` tiles at a time.
fn checks(of: &dyn Solver, held: &Held, others: &Shelf, (at, cell): (usize, u32), tiles: u64) {
    let table = &held.table;
    let is_wrong = |held: &Held| {
        let control = Control::new();
        let means = Checking {
            stored: held,
            tables: others,
            memory: MemoryLimit::new(1 << 30),
            control: &control,
        };
        let mut checker = of.checker(means).expect("what is in memory can be read");
        let pieces = held.cells.chunks(tiles as usize * table.tile_cells());
        (0..).step_by(tiles as usize).zip(pieces).any(|(first, cells)| {
            let piece = TileRun { first, cells, full: true };
            checker.check(piece).expect("what is in memory can be read").wrong.is_some()
        })
    };
    assert!(!is_wrong(held), "{table}");
    let before = held.cells[at];
    // Sets have two codes for the same value.
    let same = table.numbering() == Numbering::Sets && cell_values(before) == cell_values(cell);
    let found = is_wrong(&held.with_cell(at, cell));
    assert_eq!(found, before != cell && !same, "{table}: {before} became {cell} at {at}");
}
