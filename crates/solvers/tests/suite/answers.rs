//! Tests answers about positions in tables and about positions beyond the tables.

use std::cell::RefCell;
use std::collections::BTreeMap;

use grundy_rules::{Form, Game, Pile, Position, games, misere_form, nim_sum};
use grundy_solvers::{
    Answer, AnyGame, Env, NoTables, Solver, Source, Stored, TableRequest, Tables, Wanted,
    is_winning, solver,
};
use grundy_testing::oracle::Oracle;
use proptest::prelude::*;

use crate::common::{
    PLENTY, Shelf, fill, misere_forms, plain, positions, tables_of, wanted, with_memory_of,
};
use crate::toys::toys;

/// The largest pile and the largest length. At length 4, some tiles also represent reversed rows.
const MAX_PILE: Pile = 4;
const LONGEST: usize = 4;

/// Tables of every game, and copies whose longest tables report look-ups at random places.
struct Everything {
    tables: Shelf,
    at_random: Shelf,
    oracles: BTreeMap<Game, Oracle>,
}

thread_local! {
    static EVERYTHING: RefCell<Everything> = RefCell::new({
        let all = every_game().flat_map(|game| tables_of(game, MAX_PILE, LONGEST).unwrap().0);
        let tables = Shelf::of(all);
        let mut at_random = tables.clone();
        for held in &mut at_random.0 {
            held.at_random = held.table.length() == LONGEST;
        }
        let oracles = every_game().map(|game| (game, Oracle::new(game))).collect();
        Everything { tables, at_random, oracles }
    });
}

/// Returns the games of the registry, their misère forms, and the games defined in these tests.
fn every_game() -> impl Iterator<Item = Game> {
    Game::all().chain(misere_forms()).chain(toys())
}

/// Panics if an answer contradicts the rules.
pub(crate) fn agrees(oracle: &mut Oracle, position: &Position, answer: &Answer) {
    assert_eq!((answer.value, answer.outcome), oracle.says(position), "{position}");
}

/// Calls `with` for every game, with the tables and the oracle of the game.
fn for_every_game(mut with: impl FnMut(Game, &Shelf, &Shelf, &mut Oracle)) {
    EVERYTHING.with_borrow_mut(|Everything { tables, at_random, oracles }| {
        for (&game, oracle) in oracles {
            with(game, tables, at_random, oracle);
        }
    });
}

/// Returns a position whose memory depends on `seed`. `None` if the position would be invalid.
fn position(game: Game, piles: &[Pile], seed: u64) -> Option<Position> {
    let is_one = !piles.is_empty() || game.has_empty_position();
    is_one.then(|| with_memory_of(game, piles, seed))
}

/// Compares an answer, all moves, and the winning moves with the oracle.
fn check(
    solver: &dyn Solver,
    game: Game,
    position: &Position,
    tables: &dyn Tables,
    oracle: &mut Oracle,
) -> Answer {
    let env = Env::with_nothing(tables);
    let answer = solver.answer(game, position, &env).unwrap();
    agrees(oracle, position, &answer);
    let moves = solver.moves(game, position, &env).unwrap();
    agrees(oracle, position, &moves.answer);
    let (made, answers): (Vec<_>, Vec<_>) = moves.moves.into_iter().unzip();
    assert_eq!(made, game.moves(position), "{game} {position}");
    let mut is_won = false;
    for (made, answer) in made.iter().zip(&answers) {
        agrees(oracle, &made.option, answer);
        is_won |= is_winning(made.player, answer.outcome);
    }
    // In misère forms, a player without moves wins.
    is_won |= made.is_empty() && game.terminal_value() > 0;
    let (_, class) = oracle.says(position);
    assert_eq!(is_won, class != grundy_rules::Outcome::P, "{game} {position}");
    answer
}

struct WithoutLength<'a>(&'a Shelf, usize);

impl Tables for WithoutLength<'_> {
    fn find(&self, game: Game, length: usize, wanted: Wanted<'_>) -> Option<&dyn Stored> {
        if length == self.1 { None } else { self.0.find(game, length, wanted) }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Checks answers with all tables, with slow tables, with only some tables, and with no tables.
    #[test]
    fn any_position_of_any_game(
        piles in prop::collection::vec(1..=MAX_PILE + 2, 0..=LONGEST + 1),
        seed in any::<u64>(),
    ) {
        for_every_game(|game, tables, at_random, oracle| {
            let Some(position) = position(game, &piles, seed) else { return };
            let family = solver(game);
            let answer = check(family, game, &position, tables, oracle);
            let held = (1..=LONGEST).contains(&piles.len())
                && piles.iter().all(|&pile| pile <= MAX_PILE);
            assert_eq!(answer.source == Source::Table, held, "{game} {position}");
            check(family, game, &position, at_random, oracle);
            let some = WithoutLength(tables, seed as usize % LONGEST + 1);
            check(family, game, &position, &some, oracle);
            let answer = check(family, game, &position, &NoTables, oracle);
            assert_eq!(answer.source, Source::Computed, "{game} {position}");
        });
    }

    #[test]
    fn any_position_by_the_solver_for_any_game(
        piles in prop::collection::vec(1..=MAX_PILE + 1, 0..=LONGEST + 1),
        seed in any::<u64>(),
    ) {
        thread_local! {
            static NAMELESS: Vec<(Game, Game, Shelf)> = Game::all()
                .map(|game| {
                    let other = plain(game);
                    (game, other, fill(&AnyGame, other, &wanted(MAX_PILE, LONGEST), &PLENTY))
                })
                .collect();
        }
        for_every_game(|game, _, _, oracle| {
            let Some(position) = position(game, &piles, seed) else { return };
            check(&AnyGame, game, &position, &NoTables, oracle);
            NAMELESS.with(|all| {
                let Some((_, other, shelf)) = all.iter().find(|(of, _, _)| *of == game) else { return };
                let answer = check(solver(*other), *other, &position, shelf, oracle);
                let held = (1..=LONGEST).contains(&piles.len())
                    && piles.iter().all(|&pile| pile <= MAX_PILE);
                assert_eq!(answer.source == Source::Table, held, "{other} {position}");
            });
        });
    }

    /// Compares the answers for a row with the answers for each of its positions.
    #[test]
    fn rows_of_any_game(
        word in prop::collection::vec(1..=MAX_PILE + 1, 0..=LONGEST),
        last in 0..=MAX_PILE + 2,
    ) {
        for_every_game(|game, tables, at_random, oracle| {
            let mut row_agrees = |solver: &dyn Solver, tables: &dyn Tables| {
                let row = solver.row(game, &word, last, &Env::with_nothing(tables)).unwrap();
                assert_eq!(row.len(), last as usize, "{game} {word:?}");
                for (b, answer) in (1..).zip(row.iter().flatten()) {
                    let position = game.position(&[&word[..], &[b]].concat());
                    agrees(oracle, &position, answer);
                }
            };
            for tables in [tables as &dyn Tables, at_random, &NoTables] {
                row_agrees(solver(game), tables);
            }
            // The solver for any game can read only tables that it filled, so give it no tables.
            row_agrees(&AnyGame, &NoTables);
        });
    }
}

/// Compares tiles that have no middle with the values of their positions.
#[test]
fn tiles_of_multisets_are_their_positions() {
    let env = Env::with_nothing(&NoTables);
    for game in [games::NIM, games::MISERE_NIM, games::SHORT_GLOBAL_NIM] {
        let tile = solver(game).tile(game, &[], 9, &env).unwrap();
        let mut oracle = Oracle::new(game);
        assert_eq!(tile.len(), 81);
        for (at, found) in (0..).zip(tile.iter().flatten()) {
            let position = game.position(&[at / 9 + 1, at % 9 + 1]);
            agrees(&mut oracle, &position, found);
        }
    }
}

#[test]
fn the_smallest_table_that_holds_a_position_is_read() {
    for game in Game::all() {
        let small = tables_of(game, 2, 2).unwrap();
        let mut large = tables_of(game, 4, 2).unwrap();
        // Clear the large table, so that the test notices if it is read.
        large.0.iter_mut().for_each(|held| held.cells.fill(0));
        let shelf = Shelf::of(small.0.into_iter().chain(large.0));
        let mut oracle = Oracle::new(game);
        for length in 1..=2 {
            for position in positions(game, 2, length, 3) {
                let env = Env::with_nothing(&shelf);
                let answer = solver(game).answer(game, &position, &env).unwrap();
                agrees(&mut oracle, &position, &answer);
                assert_eq!(answer.source, Source::Table, "{game} {position}");
            }
        }
    }
}

#[test]
fn tables_of_values_answer_if_nothing_is_forbidden() {
    let mut tried = 0;
    for game in Game::all() {
        let request = TableRequest { form: Form::ValuesOnly, ..wanted(30, 1) };
        if solver(game).records(game).is_none() {
            continue;
        }
        tried += 1;
        let shelf = fill(solver(game), game, &request, &PLENTY);
        let whole = tables_of(game, 30, 1).unwrap();
        assert!(shelf.0[0].cells.len() < whole.0[0].cells.len());
        let mut oracle = Oracle::new(game);
        for position in positions(game, 32, 1, 34) {
            let (pile, last_move) = (position.max_pile(), position.last_move());
            let answer = check(solver(game), game, &position, &shelf, &mut oracle);
            let nothing_forbidden = last_move == 0 || last_move > pile;
            let held = pile <= 30 && nothing_forbidden;
            assert_eq!(answer.source == Source::Table, held, "{game} {position}");
            let answer = check(solver(game), game, &position, &whole, &mut oracle);
            assert_eq!(answer.source == Source::Table, pile <= 30, "{game} {position}");
        }
    }
    assert!(tried > 0);
}

/// Reads rows of single piles from a table, or computes them if no table is large enough.
#[test]
fn records_say_which_last_moves_are_exceptional() {
    let mut tried = 0;
    for game in Game::all() {
        let Some(records) = solver(game).records(game) else { continue };
        tried += 1;
        let shelf = tables_of(game, 40, 1).unwrap();
        let mut oracle = Oracle::new(game);
        let mut value = |pile, k| oracle.says(&Position::after(vec![pile], k)).0.unwrap();
        for (tables, last) in
            [(&shelf as &dyn Tables, 40), (&shelf, 7), (&shelf, 45), (&NoTables, 30)]
        {
            let mut pile = 0;
            let mut show = |g: u32, remaining: &[Pile]| {
                pile += 1;
                assert_eq!(g, value(pile, 0), "{game} {pile}");
                for k in 1..=pile {
                    let exceptional = remaining.contains(&(pile - k));
                    assert_eq!(exceptional, value(pile, k) != g, "{game} {pile}/{k}");
                }
                assert!(remaining.is_sorted());
                true
            };
            records.each(game, last, &Env::with_nothing(tables), &mut show).unwrap();
            assert_eq!(pile, last, "{game}");
            let mut shown = 0;
            let mut three = |_: u32, _: &[Pile]| {
                shown += 1;
                shown < 3
            };
            records.each(game, last, &Env::with_nothing(tables), &mut three).unwrap();
            assert_eq!(shown, 3, "{game}");
        }
    }
    assert!(tried > 0);
}

/// These values were calculated by hand. The value of Nim is the nim-sum for any piles. The misère
/// form has the same values unless all piles are 1; then an even number of piles has value 1.
/// End-Nim with two piles is Nim.
#[test]
fn a_formula_needs_no_tables() {
    let env = Env { theorems: true, ..Env::with_nothing(&NoTables) };
    let large = [1_000_000_000, 999_999_937, 17, 5];
    let form = misere_form(games::NIM).unwrap();
    let cases: [(Game, &[Pile], u32); 5] = [
        (games::NIM, &large, nim_sum(&large)),
        (games::END_NIM, &[900, 1000], 900 ^ 1000),
        (form, &[1_000_000, 999_999], 127),
        (form, &[1, 1, 1, 1], 1),
        (form, &[1, 1, 1], 0),
    ];
    for (game, piles, value) in cases {
        let answer = solver(game).answer(game, &game.position(piles), &env).unwrap();
        assert_eq!((answer.value, answer.source), (Some(value), Source::Theorem), "{game}");
    }
}

/// Compares computed values with the values from theorems (all positions of three small piles) and
/// from periods (rows with one large end pile). Also tests that solvers read tables first.
#[test]
fn proved_values_are_the_computed_ones() {
    let computing = Env::with_nothing(&NoTables);
    let proving = Env { theorems: true, ..computing };
    for game in Game::all().chain(misere_forms()) {
        for position in
            positions(game, 5, 3, 1).into_iter().filter(|position| !position.piles().is_empty())
        {
            let [computed, proved] = [&computing, &proving]
                .map(|env| solver(game).answer(game, &position, env).unwrap());
            assert_eq!(computed.cell(), proved.cell(), "{game} {position}");
            let has_theorem = game.theorem(&position).is_some();
            assert_eq!(proved.source == Source::Theorem, has_theorem, "{game} {position}");
            assert!(!matches!(computed.source, Source::Theorem | Source::Period));
        }
    }
    for game in games::END_NIM_GAMES.into_iter().chain(misere_form(games::END_NIM)) {
        for piles in [[5, 4, 500_000], [500_001, 4, 5], [9, 2, 600_000], [1, 8, 700_001]] {
            let position = Position::row(&piles);
            let [computed, proved] = [&computing, &proving]
                .map(|env| solver(game).answer(game, &position, env).unwrap());
            assert_eq!((proved.value, proved.source), (computed.value, Source::Period), "{game}");
        }
        // For this row, finding the period takes longer than computing the position.
        let position = Position::row(&[30, 33, 31, 60_000]);
        let [computed, sought] =
            [&computing, &proving].map(|env| solver(game).answer(game, &position, env).unwrap());
        assert_eq!((sought.value, sought.source), (computed.value, Source::Computed), "{game}");
    }
    let game = games::LONG_GLOBAL_NIM;
    let [computed, proved] = [&computing, &proving]
        .map(|env| solver(game).answer(game, &game.position(&[500]), env).unwrap());
    assert_eq!((proved.value, proved.source), (computed.value, Source::Theorem));
    let tables = tables_of(games::NIM, 4, 2).unwrap();
    let env = Env { theorems: true, ..Env::with_nothing(&tables) };
    let held = solver(games::NIM).answer(games::NIM, &Position::row(&[2, 3]), &env).unwrap();
    assert_eq!((held.value, held.source), (Some(1), Source::Table));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Tests that theorems answer two piles, and that periods answer rows with one large pile.
    #[test]
    fn random_positions_are_what_is_computed(
        at in 0..4usize,
        pair in [1..2000u32, 1..2000],
        small in prop::collection::vec(1..7u32, 2..4),
        large in 350_000..600_000u32,
    ) {
        let misere = misere_form(games::END_NIM).unwrap();
        let game = games::END_NIM_GAMES.into_iter().chain([misere]).nth(at).unwrap();
        let computing = Env::with_nothing(&NoTables);
        let proving = Env { theorems: true, ..computing };
        for piles in [pair.to_vec(), [&small[..], &[large]].concat()] {
            let position = Position::row(&piles);
            let [computed, proved] = [&computing, &proving]
                .map(|env| solver(game).answer(game, &position, env).unwrap());
            prop_assert_eq!(computed.value, proved.value, "{} {}", game, position);
            prop_assert_eq!(computed.source, Source::Computed);
        }
    }
}
