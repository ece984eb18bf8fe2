//! Fills a table of a rule file in every possible way. A fuzz target includes this file.

use grundy_kernels::Isa;
use grundy_rules::reference::ByRules;
use grundy_rules::{Game, Pile, Table, outcome_form, remoteness_form};
use grundy_solvers::{AnyGame, Class, Job, Making, Means, Solver, filling, solver, with_bytes};
use grundy_sweep::{Control, MemoryLimit};

use super::common::{Held, Shelf, bytes_of, check};

/// Returns the bytes of a table, as a solver fills it.
pub(crate) fn bytes(
    by: &dyn Solver,
    table: &Table,
    memory: u64,
    isa: Isa,
) -> Result<Vec<u8>, String> {
    let means = Means {
        memory: MemoryLimit::new(memory),
        threads: 1,
        frame_bytes: 1 << 16,
        in_order: false,
    };
    let job = Job { game: table.game(), max_pile: table.max_pile(), isa };
    let mut maker = by.maker(job);
    let needs = by.needs(table, &means);
    maker.prepare(table, &needs, &Control::new()).map_err(|why| why.to_string())?;
    let (mut worker, mut room) = (maker.worker(table), Vec::new());
    Ok(with_bytes(table, table.tiles(), worker.tiles(0, table.tiles()), &mut room).to_vec())
}

/// Compares the ways to fill a table, and checks the table.
pub(crate) fn holds(game: Game, max_pile: Pile, length: usize) {
    let Ok(table) = Table::new(game, max_pile, length) else { return };
    let expected = bytes(&AnyGame, &table, u64::MAX, Isa::best());
    if table.cells() <= MOST_BY_RULES {
        // The error may come from a shorter position, which only the solver visits.
        assert!(expected.is_err() || expected == by_rules(&table), "{}", said(&table));
        if let Ok(bytes) = &expected {
            is_checked(&Held::new(&table, bytes));
        }
        // Remoteness can be filled only by the solver for any game.
        if let Ok(form) = remoteness_form(game)
            && let Ok(table) = Table::new(form, max_pile, length)
        {
            let found = bytes(&AnyGame, &table, u64::MAX, Isa::best());
            assert!(found.is_err() || found == by_rules(&table), "{}", said(&table));
        }
    }
    if let Ok(form) = outcome_form(game) {
        let table_of = Table::new(form, max_pile, length).expect("as large as that of values");
        let outcome = |value: &[u8]| u8::from(value.iter().any(|&byte| byte > 0));
        let width = table.value_bytes();
        let expected = expected.as_ref().map(|all| all.chunks(width).map(outcome).collect());
        for memory in [u64::MAX, 0] {
            let found = bytes(solver(form), &table_of, memory, Isa::best());
            if found.as_ref().ok() != expected.as_ref().ok() {
                panic!("{}, outcomes, {memory}\n{found:?}\n{expected:?}", said(&table));
            }
        }
        if let Ok(all) = &expected {
            in_order_in_runs(&table_of, all);
        }
        if let (Ok(all), true) = (&expected, table.cells() <= MOST_BY_RULES) {
            is_checked(&Held::new(&table_of, all));
        }
    }
    // Rules without a shape are filled option by option anyway.
    let Some((classes, _)) = filling(game, max_pile, length) else { return };
    if classes.contains(&Class::Other) {
        return;
    }
    for isa in Isa::available() {
        for memory in [u64::MAX, 0] {
            let found = bytes(solver(game), &table, memory, isa);
            // An error names the first position with undefined moves, which depends on the order.
            if found == expected || found.is_err() && expected.is_err() {
                continue;
            }
            panic!("{}, {isa}, {memory}\n{found:?}\n{expected:?}", said(&table));
        }
    }
}

/// Tests that a table that is computed in order has these cells, in runs of any length.
fn in_order_in_runs(table: &Table, expected: &[u8]) {
    let by = solver(table.game());
    let needs = by.needs(table, &Means { in_order: true, ..Means::one_thread(MemoryLimit::NONE) });
    if needs.making != Making::Chained {
        return;
    }
    let job = Job { game: table.game(), max_pile: table.max_pile(), isa: Isa::best() };
    let mut maker = by.maker(job);
    for run in [1, 5, table.tiles()] {
        maker.prepare(table, &needs, &Control::new()).unwrap();
        assert!(bytes_of(&*maker, table, run) == expected, "runs of {run}, {}", said(table));
    }
}

/// Returns a text that states the rules of a table's game, and how the table is filled.
fn said(table: &Table) -> String {
    let (game, max_pile, length) = (table.game(), table.max_pile(), table.length());
    let text = game.rule_file().map_or("", |file| file.text.as_str());
    format!("{text}\n{table}: {:?}", filling(game, max_pile, length))
}

/// The maximum number of cells of tables that are compared with the rules.
const MOST_BY_RULES: u64 = 150;

/// Returns the bytes of a table, by the definition.
fn by_rules(table: &Table) -> Result<Vec<u8>, String> {
    let (mut rules, whole) = (ByRules::new(table.game()), table.with_all_lengths());
    let mut bytes = Vec::new();
    for number in 0..table.cells() {
        let value = match whole.position(number) {
            None => Ok(Some(0)),
            Some(position) => rules.cell_while(&position, &mut || true),
        };
        let value = value.map_err(|why| why.to_string())?.expect("it goes on");
        bytes.extend_from_slice(&value.to_le_bytes()[..table.value_bytes()]);
    }
    Ok(bytes)
}

/// Tests that the checker accepts a correct table, and finds a changed cell.
fn is_checked(held: &Held) {
    let by = solver(held.table.game());
    let wrong = |held: &Held| check(by, held, &Shelf::default(), 3, true).wrong;
    assert_eq!(wrong(held), None, "{}", said(&held.table));
    let Some(at) = (0..held.table.cells()).rev().find(|&at| held.table.position(at).is_some())
    else {
        return;
    };
    let changed = held.with_cell(at as usize, held.cells[at as usize] ^ 1);
    assert!(wrong(&changed).is_some(), "{}", said(&held.table));
}
