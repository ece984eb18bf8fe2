//! Tests that compare questions about levels of every game with the reference and with closures.

use std::collections::BTreeSet;

use grundy::{
    Ask, AskError, Checkpoint, Control, Database, Error, Game, Least, Level, Memory, Merge,
    Outcome, Pile, Position, Question, Statement, Table, TableError, games, sweep,
};
use grundy_testing::oracle::Oracle;

use crate::common::built;

fn every_game() -> impl Iterator<Item = Game> {
    let rulesets = grundy::rulesets::RULESETS.iter();
    Game::all().chain(rulesets.map(|(_, text)| grundy::game_of_text(text).unwrap().0))
}

/// Returns sizes of the game that the reference evaluates fast.
fn sizes(game: Game) -> impl Iterator<Item = (usize, u32)> {
    let sizes = match game.remembers() {
        grundy::Remembers::Nothing if game.rule_file().is_none() => {
            [(1, 30), (2, 17), (3, 6), (4, 3)]
        }
        _ => [(1, 8), (2, 5), (3, 3), (4, 2)],
    };
    let all = sizes.into_iter().chain([(5, 2), (6, 1)]);
    all.filter(move |&(length, max_pile)| {
        // A small total has no positions of many piles.
        game.lengths_near(length..=length) == (length..=length)
            && !matches!(Table::new(game, max_pile, length), Err(TableError::FewCoins { .. }))
    })
}

fn question(game: Game, text: &str) -> Question {
    Question::parse(game, text).unwrap_or_else(|problem| panic!("{problem}"))
}

/// Returns every position of a table in the order of lists: by piles, then by memory.
fn listed(game: Game, length: usize, max_pile: u32) -> Vec<Position> {
    let table = Table::new(game, max_pile, length).unwrap();
    // Single piles of short global nim have records, so their positions have no indices.
    if game == games::SHORT_GLOBAL_NIM && length == 1 {
        let each = (1..=max_pile).flat_map(|n| (0..=n).map(move |k| Position::after(vec![n], k)));
        return each.collect();
    }
    let numbers = (0..table.values()).filter_map(|number| table.position(number));
    let mut all: Vec<Position> = numbers
        .filter(|position| position.length() == length)
        .flat_map(|position| match game.is_symmetric() {
            true => vec![position.reversed(), position],
            false => vec![position],
        })
        .collect();
    // Sets of moves are listed in the order of the table.
    if game.remembers() != grundy::Remembers::Moves {
        all.sort();
        all.dedup();
    }
    all
}

/// Checks that exactly the expected positions satisfy a question: lists them and counts them.
/// Returns the number of all positions.
fn finds(question: &Question, length: usize, max_pile: u32, expected: &[Position]) -> u64 {
    let mut found = Vec::new();
    let ask = Ask::new(question);
    let went = ask.find(length..=length, max_pile, |position, _| {
        found.push(position.clone());
        Ok::<bool, AskError>(true)
    });
    assert!(went.unwrap());
    assert_eq!(found, expected, "{}, {length} piles up to {max_pile}", question.text());
    let checked = ask.check(length..=length, max_pile).unwrap();
    assert_eq!(checked.checked - checked.failures, expected.len() as u64, "{}", question.text());
    checked.checked
}

#[test]
fn positions_are_found_in_order_and_counted_in_every_game() {
    for game in every_game() {
        let text = "P and total % 2 == 0 or first > last";
        let question = question(game, text);
        let mut oracle = Oracle::new(game);
        for (length, max_pile) in sizes(game) {
            let all = listed(game, length, max_pile);
            let positions = all.len() as u64;
            let expected: Vec<Position> = all
                .into_iter()
                .filter(|position| {
                    let (piles, is_even) = (position.piles(), position.coins() % 2 == 0);
                    let value = oracle.cell(position);
                    let is_p = if game.is_impartial() { value == 0 } else { value == 3 };
                    is_p && is_even || piles[0] > piles[piles.len() - 1]
                })
                .collect();
            assert_eq!(finds(&question, length, max_pile, &expected), positions, "{game}");
        }
    }
}

/// The value or class of a position follows from its options, down to the position without piles. A
/// statement that looks up the position itself finds the value that the walk shows.
#[test]
fn options_say_what_a_position_is() {
    // A forbidden option says nothing.
    for game in every_game().filter(|game| game.rules().blocks() == 0) {
        let numbers = game.rules().memories().map_or(&[][..], |memories| memories.all());
        let numbers: Vec<&str> = numbers.iter().map(|of| &*of.name).collect();
        let here = match game.remembers() {
            grundy::Remembers::Nothing => "piles".to_owned(),
            grundy::Remembers::Numbers => format!("piles; {}", numbers.join(", ")),
            grundy::Remembers::Moves => "piles; moves".to_owned(),
        };
        let text = match game.is_impartial() {
            true => format!("g == g({here}) and (options == {{}} or g == mex(options))"),
            false => "(L or N) <-> (P in left_options or L in left_options)".to_owned(),
        };
        let question = question(game, &text);
        for (length, max_pile) in sizes(game).map(|(length, largest)| (length, largest.min(8))) {
            let checked = Ask::new(&question).check(length..=length, max_pile).unwrap();
            assert!(checked.holds(), "{game}, {length} piles: {:?}", checked.least);
        }
    }
}

/// For each pair of games, finds the positions with the same value or class in both games.
#[test]
fn other_games_are_those_of_the_reference() {
    for (own, other) in Game::all().flat_map(|own| Game::all().map(move |other| (own, other))) {
        let value = if own.is_impartial() && other.is_impartial() { "g" } else { "outcome" };
        let question = question(own, &format!("{value} == {value}[{other}]"));
        let (mut oracle, mut others) = (Oracle::new(own), Oracle::new(other));
        let mut same = |position: &Position| {
            let there = match position.memory() {
                _ if own.remembers() != other.remembers() => other.position(position.piles()),
                memory @ Memory::Numbers(..) => {
                    Position::after(position.piles().to_vec(), memory.taken())
                }
                Memory::Available(set) => Position::with_available(position.piles().to_vec(), set),
                Memory::Nothing => other.position(position.piles()),
            };
            let class = |game: Game, cell| match game.is_impartial() {
                true => Outcome::of_value(cell),
                false => Outcome::ALL[cell as usize],
            };
            let (cell, there) = (oracle.cell(position), others.cell(&there));
            if value == "g" { cell == there } else { class(own, cell) == class(other, there) }
        };
        for (length, max_pile) in [(1, 8), (2, 5), (3, 3)] {
            let all = listed(own, length, max_pile);
            let expected: Vec<Position> = all.into_iter().filter(&mut same).collect();
            finds(&question, length, max_pile, &expected);
        }
    }
}

/// Estimates include look-ups in another game. If its levels do not fit, the work is refused.
#[test]
fn other_games_count_in_estimates() {
    let size = (4..=4, 32);
    let estimate = |text: &str| {
        let question = question(games::END_NIM, text);
        let ask = Ask::new(&question);
        let (_, seconds) = ask.estimate(size.0.clone(), size.1).unwrap();
        (seconds, ask.pieces(size.0.clone(), size.1).unwrap()[0].memory)
    };
    let (alone, beside) = (estimate("g == 1"), estimate("g == g[nim]"));
    assert!(alone.0 < beside.0 && alone.1 + (1 << 20) < beside.1, "{alone:?} {beside:?}");
    let text = question(games::END_NIM, "k < 3 or g == g[nim]");
    let ask = Ask::new(&text).memory(1 << 18);
    let found = [
        ask.check(1..=4, 32).map(|_| true),
        ask.find(1..=4, 32, |_, _| Ok::<bool, AskError>(true)),
        ask.pieces(1..=4, 32).map(|_| true),
    ];
    for refused in found {
        assert!(matches!(refused, Err(AskError::Level(Error::Memory { .. }))), "{refused:?}");
    }
    assert!(ask.check(1..=2, 32).unwrap().complete);
}

#[test]
fn a_question_and_a_closure_have_the_same_answer() {
    let (_folder, database) = built(games::END_NIM, 20, 3);
    let text = "g == 2 -> abs(first - last) <= 2";
    let question = question(games::END_NIM, text);
    let statement = Statement::new(games::END_NIM, |at| {
        at.value != 2 || at.piles[0].abs_diff(at.piles[at.piles.len() - 1]) <= 2
    });
    let expected = statement.check(1..=4, 20).unwrap();
    let lookups = [Ask::new(&question), Ask::new(&question).database(&database)];
    for (ask, source) in lookups.into_iter().zip(["computed", "mixed"]) {
        let checked = ask.check(1..=4, 20).unwrap();
        assert_eq!(checked.source().word(), source);
        assert_eq!((checked.checked, checked.failures), (expected.checked, expected.failures));
        assert_eq!(checked.least, expected.least);
    }
    let stored = Ask::new(&question).database(&database);
    let checked = stored.check(3..=3, 20).unwrap();
    assert!(checked.read && !checked.computed);
    // The time decides whether these values are read or computed.
    let fastest = stored.fastest().check(1..=4, 20).unwrap();
    assert_eq!((fastest.checked, fastest.failures), (expected.checked, expected.failures));
    assert_eq!(fastest.least, expected.least);
}

#[test]
fn the_least_counterexamples_are_the_least() {
    let question = question(games::LOOP_END_NIM, "g != 3");
    let checked = Ask::new(&question).show(5).check(1..=4, 12).unwrap();
    let mut all: Vec<(u64, Position)> = Vec::new();
    for length in 1..=4 {
        Level::new(games::LOOP_END_NIM, length, 12)
            .unwrap()
            .each(|block| {
                block.each_position(|at| {
                    all.extend((at.value == 3).then(|| (at.coins(), at.position())));
                });
                true
            })
            .unwrap();
    }
    all.sort();
    let expected: Vec<Position> = all.into_iter().take(5).map(|(_, position)| position).collect();
    let found: Vec<Position> = checked.least.into_iter().map(|(position, _)| position).collect();
    assert_eq!(found, expected);
    let mut least = Least::default();
    least.merge(Least::default());
    assert!(least.found().is_none());
}

#[test]
fn a_checkpoint_continues_only_its_own_question() {
    let law = question(games::END_NIM, "g == 1 -> abs(first - last) <= 1");
    let whole = Ask::new(&law).check(3..=4, 16).unwrap();
    // The check is stopped before the second level begins.
    let control = Control::new();
    let mut checkpoint = Checkpoint::default();
    let part = Ask::new(&law).control(&control).check_from(3..=4, 16, &mut checkpoint, |_| {
        control.stop();
        Ok(())
    });
    assert!(!part.unwrap().complete);
    let text = serde_json::to_string(&checkpoint).unwrap();
    let mut again: Checkpoint = serde_json::from_str(&text).unwrap();
    let rest = Ask::new(&law).check_from(3..=4, 16, &mut again, |_| Ok(())).unwrap();
    assert!(rest.complete && rest.fresh < whole.fresh);
    assert_eq!(
        (rest.checked, rest.premise, rest.failures),
        (whole.checked, whole.premise, whole.failures)
    );
    assert_eq!(rest.least, whole.least);
    let other = question(games::END_NIM, "g == 2 -> abs(first - last) <= 1");
    let refused = Ask::new(&other).check_from(3..=4, 16, &mut again, |_| Ok(()));
    assert!(matches!(refused, Err(AskError::OtherCheckpoint)));
}

#[test]
fn an_undefined_value_names_its_position() {
    let law = question(games::END_NIM, "g // (last - 3) >= 0");
    match Ask::new(&law).check(2..=2, 9) {
        Err(AskError::Undefined(wrong)) => assert!(wrong.position.ends_with(",3"), "{wrong}"),
        other => panic!("{other:?}"),
    }
    let law = question(games::END_NIM, "g == g(10 ** 7, 10 ** 7, 10 ** 7, 10 ** 7)");
    let found = Ask::new(&law).database(&Database::empty()).check(2..=2, 4);
    assert!(matches!(found, Err(AskError::Undefined(_))), "{found:?}");
    let law = question(games::END_NIM, "true");
    let refused = Ask::new(&law).seconds(0.001).check(6..=6, 64);
    assert!(matches!(refused, Err(AskError::Seconds { .. })));
}

/// The level is large enough for a walk on all threads. The walk finds rare positions, and the
/// search in order finds frequent positions. A plain sweep finds the same positions.
#[test]
fn large_levels_are_listed_in_order() {
    for (game, text, value) in
        [(games::END_NIM, "g == 60", 60), (games::PARTIZAN_END_NIM, "P", Outcome::P as u32)]
    {
        let expected: BTreeSet<Vec<Pile>> = sweep(game, 4, 46, |block| {
            let mut found = BTreeSet::new();
            block.each_position(|at| {
                if at.value == value {
                    found.insert(at.piles.to_vec());
                }
            });
            found
        })
        .unwrap();
        let expected: Vec<Vec<Pile>> = expected.into_iter().collect();
        let question = Question::parse(game, text).unwrap();
        for most in [1, 5, usize::MAX] {
            let mut all = Vec::new();
            let ask = Ask::new(&question).first(most as u64);
            ask.find(4..=4, 46, |position, _| {
                all.push(position.piles().to_vec());
                Ok::<bool, AskError>(all.len() < most)
            })
            .unwrap();
            assert!(all == expected[..most.min(expected.len())], "{game} {most}");
        }
    }
}

/// If the found positions do not fit into memory, a search in order continues after the walk. If
/// the statement has no value at a position, the positions before it are still listed.
#[test]
fn long_lists_and_faulty_ones_are_in_order() {
    let listed = |text: &str, memory: u64| {
        let question = Question::parse(games::END_NIM, text).unwrap();
        let mut all = Vec::new();
        let ended = Ask::new(&question).memory(memory).find(4..=4, 46, |position, _| {
            all.push(position.piles().to_vec());
            Ok::<bool, AskError>(true)
        });
        (all, ended)
    };
    let (expected, ended) = listed("g == 40 and p1 > 43", 1 << 30);
    assert!(ended.unwrap() && expected.is_sorted() && expected.len() > 2048);
    let (some, ended) = listed("g == 40 and p1 > 43", 1 << 17);
    assert!(ended.unwrap() && some == expected);
    let (expected, _) = listed("g == 40 and p1 < 13", 1 << 30);
    let (before, ended) = listed("g == 40 and 1 // (13 - p1) >= 0", 1 << 30);
    assert!(matches!(ended, Err(AskError::Undefined(_))));
    assert!(expected.starts_with(&before) && before.last().unwrap()[0] == 12);
}

/// Compares checks of several piles by the numbers of positions of each value with walks, which
/// show two counterexamples.
#[test]
fn statements_about_values_are_checked_without_a_walk_in_sums() {
    let statements =
        ["g == 0", "N -> g < 4", "g % 3 != 1 or k == 2", "P -> false", "g >= 0", "10 // g > 1"];
    for name in ["kayles", "grundys-game", "take-a-square", "totative"] {
        let game = grundy::game(name).unwrap();
        for (text, (lengths, max_pile)) in
            statements.iter().flat_map(|text| [(2..=3, 14), (1..=4, 6)].map(|size| (*text, size)))
        {
            let question = question(game, text);
            let ask = Ask::new(&question);
            let [counted, walked] = [1, 2].map(|show| {
                let checked = ask.clone().show(show).check(lengths.clone(), max_pile);
                let found = checked.map(|found| {
                    let least = found.least.first().cloned();
                    (found.checked, found.premise, found.failures, found.complete, least)
                });
                found.map_err(|error| matches!(error, AskError::Undefined(_)))
            });
            assert_eq!(counted, walked, "{name} {text}");
        }
    }
}
