//! Tests that rules are recognised in whatever way they are written, and that no others are.

use grundy_kernels::Isa;
use grundy_rules::law::RuleFile;
use grundy_rules::reference::ByRules;
use grundy_rules::rulesets::RULESETS;
use grundy_rules::{Family, Game, Pile, Position, Table};
use grundy_solvers::{Env, NoTables, filling, follows_from_ends, solver};
use grundy_testing::cases::cases;

use crate::laws::{bytes, holds};

const CASES: &str = include_str!("families.txt");

/// Returns the game of a row or of heaps with these lines.
fn game(kind: &str, lines: &str) -> Game {
    let lines = lines.replace(" / ", "\n");
    let text = format!("name: x\ntitle: X\nsource: x\npiles: {kind}\n{lines}\n");
    RuleFile::from_text(&text).and_then(RuleFile::game).unwrap_or_else(|why| panic!("{why}"))
}

fn recognised() -> Vec<(Game, Family)> {
    let of = |heading, kind, family| {
        let found = cases(CASES, heading).into_iter();
        found.map(move |(_, [lines])| (game(kind, lines), family))
    };
    let all = of("ends", "row", Family::Ends).chain(of("heaps", "heaps", Family::Heaps)).chain(of(
        "sides",
        "row",
        Family::Sides,
    ));
    all.chain(of("last moves", "heaps", Family::LastMoves)).collect()
}

fn text(game: Game) -> &'static str {
    game.rules().rule_file().map_or("", |file| &file.text)
}

#[test]
fn families_are_recognised_in_any_words() {
    for (game, family) in recognised() {
        assert_eq!(game.family(), family, "{}", text(game));
        let rate = filling(game, 64, 3).map_or(0.0, |(_, rate)| rate);
        assert!((1e6..2e9).contains(&rate), "{rate}\n{}", text(game));
        for (max_pile, length) in [(130, 1), (9, 2), (5, 3), (3, 4), (2, 6)] {
            holds(game, max_pile, length);
        }
    }
}

#[test]
fn rules_that_resemble_a_family_are_no_members() {
    for (_, [kind, lines]) in cases(CASES, "other") {
        assert_eq!(game(kind, lines).family(), Family::Lines, "{lines}");
    }
}

/// Answers all positions of up to three piles, and some long ones, and lists their moves.
#[test]
fn positions_have_the_values_of_the_reference() {
    for (game, family) in recognised() {
        let env = Env::with_nothing(&NoTables);
        let (mut rules, solver) = (ByRules::new(game), solver(game));
        let short = (0..6u32.pow(3)).map(|number| [number / 36, number / 6 % 6, number % 6]);
        let long = [vec![1; 70], [vec![2, 1], vec![1; 64], vec![2]].concat()];
        let long = long.into_iter().filter(|_| follows_from_ends(game));
        let short = short.map(|piles| piles.into_iter().filter(|&pile| pile > 0).collect());
        for piles in short.chain(long) {
            let piles: Vec<Pile> = piles;
            let last_moves = if family == Family::LastMoves { 0..7 } else { 0..1 };
            for last_move in last_moves {
                let position = match last_move {
                    0 => game.position(&piles),
                    _ => Position::after(piles.clone(), last_move),
                };
                let expected = rules.cell(&position);
                let found = solver.moves(game, &position, &env).unwrap();
                assert_eq!(found.answer.cell(), expected, "{position}\n{}", text(game));
                for (made, answer) in found.moves {
                    assert_eq!(answer.cell(), rules.cell(&made.option), "{made:?}\n{}", text(game));
                }
            }
            let row = solver.row(game, &piles, 4, &env).unwrap();
            for (b, found) in (1..).zip(row) {
                let position = game.position(&[&piles[..], &[b]].concat());
                assert_eq!(found.unwrap().cell(), rules.cell(&position), "{position}");
            }
        }
    }
}

/// The name of a game does not matter: a built-in game and its file have the same values.
#[test]
fn a_built_in_game_is_filled_like_its_file() {
    for game in Game::all() {
        let Some((_, text)) = RULESETS.iter().find(|(name, _)| *name == game.id()) else {
            continue;
        };
        let file = RuleFile::from_text(text).and_then(RuleFile::game).unwrap();
        assert_eq!((file.family(), file.is_symmetric()), (game.family(), game.is_symmetric()));
        for (max_pile, length) in [(20, 1), (20, 2), (7, 3), (5, 4)] {
            let [built_in, own] = [game, file].map(|of| Table::new(of, max_pile, length).unwrap());
            if game.has_thresholds() || built_in.numbering() != own.numbering() {
                continue;
            }
            let of =
                |table: &Table| bytes(solver(table.game()), table, u64::MAX, Isa::best()).unwrap();
            assert_eq!(of(&built_in), of(&own), "{game} {max_pile} {length}");
        }
    }
}
