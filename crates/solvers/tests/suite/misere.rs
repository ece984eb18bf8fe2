//! Misère forms, in which a position without moves has the value 1, like any other game.

use grundy_rules::{Game, Table, misere_form};
use grundy_solvers::{Counted, Desk, NoTables, SolveError, solver};
use grundy_sweep::Control;

use crate::common::{Oracle, PLENTY, count_of, fill, positions, wanted};

#[test]
fn misere_forms_are_solved_as_the_rules_say() {
    for game in Game::all() {
        let Ok(form) = misere_form(game) else { continue };
        let mut oracle = Oracle::new(form);
        let desk = Desk::with_nothing(&NoTables);
        for (max_pile, length) in [(5, 1), (5, 2), (4, 3), (3, 4)] {
            let shelf = fill(solver(form), form, &wanted(max_pile, length), &PLENTY);
            let shelf_desk = Desk::with_nothing(&shelf);
            let mut tally: Vec<u64> = Vec::new();
            for position in positions(form, max_pile, length, max_pile) {
                let found = solver(form).answer(form, &position, &desk).unwrap();
                oracle.hears(&position, &found);
                let stored = solver(form).answer(form, &position, &shelf_desk).unwrap();
                oracle.hears(&position, &stored);
                for (made, answer) in solver(form).moves(form, &position, &desk).unwrap().moves {
                    oracle.hears(&made.option, &answer);
                }
                let at = oracle.cell(&position) as usize;
                tally.resize(tally.len().max(at + 1), 0);
                tally[at] += 1;
            }
            let table = Table::new(form, max_pile, length).unwrap();
            match solver(form).count(count_of(&table, None, &Control::new())) {
                Ok(Some(Counted::Values(counts))) => assert_eq!(counts.values, tally, "{table}"),
                other => panic!("{table}: {other:?}"),
            }
        }
    }
}

/// What is known of Nim holds for large piles too, which nothing could search.
#[test]
fn large_positions_of_misere_nim_have_their_nim_sums() {
    let form = misere_form(Game::all().next().unwrap()).unwrap();
    let desk = Desk::with_nothing(&NoTables);
    let value = |text: &str| -> Result<Option<u32>, SolveError> {
        Ok(solver(form).answer(form, &form.parse(text).unwrap(), &desk)?.value)
    };
    // 1000000 xor 999999 = 127, and of an even number of ones it is 1.
    assert_eq!(value("1000000,999999").unwrap(), Some(127));
    assert_eq!((value("1,1,1,1").unwrap(), value("1,1,1").unwrap()), (Some(1), Some(0)));
}
