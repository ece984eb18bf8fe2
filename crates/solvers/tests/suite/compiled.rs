//! Compares tables filled by the shapes of moves with tables filled option by option.

use grundy_kernels::Isa;
use grundy_rules::law::RuleFile;
use grundy_rules::reference::Reference;
use grundy_rules::rulesets::RULESETS;
use grundy_rules::{Form, Game, Pile, Table, outcome_form, remoteness_form};
use grundy_solvers::{
    AnyGame, Class, Counted, Env, NoTables, Solver, Surveyor, TableRequest, filling, solver,
    sum_row, words_of,
};
use grundy_sweep::Control;
use grundy_testing::cases::cases;

use crate::common::count_of;
use crate::laws::{bytes, holds};

pub(crate) fn game(text: &str) -> Game {
    RuleFile::from_text(text).and_then(RuleFile::game).unwrap()
}

#[test]
fn every_ruleset_is_filled_as_its_rules_say() {
    for (_, text) in RULESETS {
        let game = game(text);
        if !game.is_impartial() && game.blocks() == 0 {
            continue;
        }
        holds(game, 300, 1);
        for (max_pile, length) in [(1, 3), (40, 1), (17, 2), (7, 3), (4, 4), (2, 6)] {
            // Several piles of a sum have a test of their own. Heaps with at most N coins have many
            // positions.
            let is_large = game.is_within_total() && max_pile > 17;
            if (length == 1 || !game.is_sum()) && !is_large {
                holds(game, max_pile, length);
            }
        }
    }
}

/// Games that remember numbers, and whose moves need not take a coin, or may make a pile larger.
#[test]
fn games_that_remember_are_filled_by_falls_and_within_totals() {
    let lines = [
        "heaps\nwithin: total\nremembers: few in 0..2\nmove: i in 1..k, t in 1..piles[i], a in 0..1 \
         if t != few and a <= piles[i] - t: piles[i] := [a, piles[i] - t - a], few := min(t, 2)",
        "heaps\nwithin: total\nfalls: total, 1 - passed\nremembers: last move\nremembers: passed in \
         0..1\nmove: t in 1..last if t != last_move: last -= t, passed := 0\n\
         move: if passed == 0: last -= 0, passed := 1",
        "places\nlength: 2..2\nwithin: total\nremembers: touched in 0..2\nmove: i in 1..2, t in \
         2..piles[i] if i != touched: piles[i] -= t, piles[3 - i] += 1, touched := i",
        "row\nfalls: total, passes\nremembers: passes in 0..2\nplay: misere\nmove: t in 1..first if \
         t != passes: first -= t, passes := 2\nmove: if passes > 0: first -= 0, passes := passes - 1",
    ];
    for lines in lines {
        let game = game(&format!("name: x\ntitle: X\nsource: x\nrule: x\npiles: {lines}\n"));
        for (max_pile, length) in [(9, 1), (5, 1), (5, 2), (3, 3)] {
            holds(game, max_pile, length);
        }
    }
}

/// Tests that every value fits the width of the cells, which follows from the bound on values.
#[test]
fn values_fit_into_their_cells() {
    let ranges =
        ["{1..300} if t <= p1", "{1..300, 5} if t <= p1", "1..p1", "-5..min(p1, 300) if t > 0"];
    for (kind, range) in ["places", "heaps", "row"].into_iter().flat_map(|k| ranges.map(|r| (k, r)))
    {
        let text = format!(
            "name: x\ntitle: X\nsource: x\nrule: x\npiles: {kind}\nlength: 1..1\nmove: t in {range}: p1 -= t\n"
        );
        let game = game(&text);
        let table = Table::new(game, 400, 1).unwrap();
        for solver in [&AnyGame as &dyn Solver, solver(game)] {
            let found = bytes(solver, &table, u64::MAX, Isa::best()).unwrap();
            let number = 300 - u64::from(kind != "places");
            let at = number as usize * table.value_bytes();
            assert_eq!(found[at..][..2], 300u16.to_le_bytes(), "{text}");
        }
    }
}

/// Some of these positions have no value, because the reference evaluates ranges before conditions.
#[test]
fn undefined_moves_are_errors_in_tables_too() {
    let files = [
        (
            "places",
            2,
            5,
            "i in 1..2, t in 1..10 // piles[i] if piles[i] > 0 and t <= piles[i]: piles[i] -= t",
        ),
        ("places", 1, 3, "t in {1..500000 * p1} if t <= p1: p1 -= t"),
    ];
    for (kind, length, max_pile, line) in files {
        let text = format!(
            "name: x\ntitle: X\nsource: x\nrule: x\npiles: {kind}\nlength: {length}..{length}\nmove: {line}\n"
        );
        let game = game(&text);
        let table = Table::new(game, max_pile, length).unwrap();
        for solver in [&AnyGame as &dyn Solver, solver(game)] {
            assert!(bytes(solver, &table, u64::MAX, Isa::best()).is_err(), "{text}");
        }
    }
}

#[test]
fn every_ruleset_is_answered_as_its_rules_say() {
    let env = Env::with_nothing(&NoTables);
    let impartial = RULESETS.iter().map(|(_, text)| game(text)).filter(|game| game.is_impartial());
    let forms = |game| [Some(game), remoteness_form(game).ok(), outcome_form(game).ok()];
    for game in impartial.flat_map(forms).flatten() {
        let mut reference = Reference::new(game);
        for length in if game.is_sum() { 1..=3 } else { game.lengths_near(1..=3) } {
            let least = game.order().least_pile();
            let largest: Pile = if length > 3 { 1 } else { 5 };
            let side = largest + 1 - least;
            for word in 0..side.pow(length as u32) {
                let pile = |at| word / side.pow(at as u32) % side + least;
                let position = game.position(&(0..length).map(pile).collect::<Vec<Pile>>());
                if game.check(&position).is_err() {
                    continue;
                }
                let found = solver(game).moves(game, &position, &env).unwrap();
                let mut all = vec![(position, found.answer)];
                all.extend(found.moves.into_iter().map(|(made, answer)| (made.option, answer)));
                for (position, answer) in all {
                    let expected = Some(reference.value(&position));
                    assert_eq!(answer.value, expected, "{position} in {game}");
                }
            }
        }
    }
}

/// Compares rows of sums with the answers of a solver that visits the options. Each row needs more
/// values than the row before. The last sums take more than 2048 different numbers of coins.
#[test]
fn rows_of_sums_have_the_values_of_their_positions() {
    let lines = [
        "code: 0.37",
        "move: a in 1..(n - 1) // 2: n := [a, n - a]",
        "move: t in 1..n: n := [n - t]",
        "move: t in 2..n if all(d in 2..t - 1: t % d != 0): n := [n - t]",
        "move: n := [n // 2]\nmove: n := [n - 1]",
    ];
    let env = Env::with_nothing(&NoTables);
    for line in lines {
        let game = game(&format!("{HEAD}piles: sum\n{line}\n"));
        for (word, last) in [(&[][..], 30), (&[7][..], 40), (&[3, 3, 8][..], 1200)] {
            let row = solver(game).row(game, word, last, &env).unwrap();
            assert_eq!(row.len(), last as usize + 1 - game.order().least_pile() as usize);
            for (pile, found) in (game.order().least_pile()..).zip(row).step_by(7) {
                let position = game.position(&[word, &[pile]].concat());
                let one = solver(game).answer(game, &position, &env).unwrap();
                assert_eq!(found, Some(one), "{position} in {line}");
                if pile <= 40 {
                    assert_eq!(one.value, Some(Reference::new(game).value(&position)));
                }
            }
        }
    }
    for line in
        ["t in 1..n if t % 3 > 0: n := [n - t]", "s in 1..n if s * s <= n: n := [n - s * s]"]
    {
        let game = game(&format!("{HEAD}piles: sum\nmove: {line}\n"));
        let (classes, rate) = filling(game, 50_000, 1).unwrap();
        assert!(classes == [Class::Split] && rate > 1e6, "{line}: {classes:?} {rate}");
        let rule = |values: &[u32], pile: usize| match line.starts_with('t') {
            true => pile as u32 % 3,
            false => {
                let options = (1..).map(|s| s * s).take_while(|square| *square <= pile);
                let options: Vec<u32> = options.map(|square| values[pile - square]).collect();
                (0..).find(|value| !options.contains(value)).unwrap()
            }
        };
        let found = solver(game).row(game, &[], 50_000, &env).unwrap();
        let mut expected = Vec::new();
        (0..=50_000).for_each(|pile| expected.push(rule(&expected, pile)));
        let found = found.into_iter().map(|answer| answer.unwrap().value.unwrap());
        assert!(found.eq(expected[game.order().least_pile() as usize..].iter().copied()), "{line}");
    }
}

/// Compares the tables of a built-in game with the tables of a rule file for the same game.
#[test]
fn rulesets_are_filled_as_the_games_they_name() {
    let mut compared = Vec::new();
    for (name, text) in RULESETS {
        let Some(built_in) = Game::all().find(|game| game.id() == *name) else { continue };
        let file = game(text);
        for (max_pile, length) in [(40, 1), (30, 2), (12, 3), (6, 5)] {
            let tables = [built_in, file].map(|game| Table::new(game, max_pile, length));
            let [Ok(ours), Ok(theirs)] = tables else { continue };
            if (ours.numbering(), ours.value_bytes()) != (theirs.numbering(), theirs.value_bytes())
            {
                continue;
            }
            let [ours, theirs] = [ours, theirs]
                .map(|table| bytes(solver(table.game()), &table, u64::MAX, Isa::best()));
            assert_eq!(ours, theirs, "{name} {max_pile} {length}");
            compared.push(*name);
        }
    }
    compared.dedup();
    let games = [
        "end-nim",
        "end-wythoff",
        "loop-end-nim",
        "misere-end-nim",
        "misere-nim",
        "nim",
        "short-global-nim",
    ];
    assert_eq!(compared, games);
}

/// Tests that rows have the proved period beyond the columns that the proof computed. The sums are
/// from Guy and Smith 1956. The periods of the last two sums cannot be proved.
#[test]
fn rows_of_rule_files_go_on_as_proved() {
    let any = "i in 1..k, t in 1..piles[i]: piles[i] -= t";
    let more = format!("move: {any}\nmove: t in 1..min(p1, last) if k == 3: p1 -= t, last -= t\n");
    let toy = ("toy", game(&format!("{HEAD}play: misere\npiles: row\n{more}")));
    let mut proved = Vec::new();
    let named = RULESETS.iter().map(|(name, text)| (*name, game(text)));
    for ((name, game), word) in named.chain([toy]).flat_map(|game| WORDS.map(|word| (game, word))) {
        let is_word = game.check_part(word, word.len() + 1).is_ok();
        let Some(words) = is_word.then(|| words_of(game, word.len(), 3)).flatten() else {
            continue;
        };
        let row = words.strip(word[0], &word[1..], 2000, &Control::new()).unwrap().pop().unwrap();
        assert!(row.found.unwrap().proved, "{name} {word:?}");
        proved.push(name);
        let mut reference = Reference::new(game);
        for b in (1..=90).chain([row.values.len() as Pile + 50]) {
            let expected = reference.value(&game.position(&[word, &[b]].concat()));
            assert_eq!(row.value(b as usize), Some(expected), "{name} {word:?} {b}");
        }
    }
    proved.dedup();
    let all = "cyclic-nimhoff-3 diagonal-wythoff-1-2 end-nim end-wythoff misere-nim-empty-1 \
               misere-wythoff nim ryuo-nim wythoff toy";
    assert_eq!(proved.join(" "), all);
    for (line, expected) in [
        ("code: 0.77", Some((70, 12))),
        ("code: 0.07", Some((52, 34))),
        ("move: a in 1..(n - 1) // 2: n := [a, n - a]", None),
        ("move: t in 1..n if t == 1 or t == 9999: n := [n - t]", None),
        // The least periods of subtraction games, from an independent program.
        ("move: t in {1, 2} if t <= n: n := [n - t]", Some((0, 3))),
        ("move: t in {1, 3} if t <= n: n := [n - t]", Some((0, 2))),
        ("move: t in {1, 3, 4} if t <= n: n := [n - t]", Some((0, 7))),
        ("move: t in {1, 2, 5} if t <= n: n := [n - t]", Some((0, 3))),
        ("move: t in {2, 5, 7} if t <= n: n := [n - t]", Some((0, 22))),
        ("move: t in {1, 9999} if t <= n: n := [n - t]", None),
        // Calculated by hand.
        (LINES_WITH_BOUNDS, Some((7, 3))),
    ] {
        let row = sum_row(game(&format!("{HEAD}piles: sum\n{line}\n")), 4096, &Control::new());
        let found = row.unwrap().unwrap().found.filter(|found| found.proved);
        assert_eq!(found.map(|found| (found.preperiod, found.period)), expected, "{line}");
    }
}

/// Tests that tables and counts of several piles of a sum agree with the rules. The solver for any
/// game visits every move, and no nim-sum but that of its options.
#[test]
fn sums_of_several_piles_follow_from_single_piles() {
    let control = Control::new();
    let mut sums = 0;
    for game in RULESETS.iter().map(|(_, text)| game(text)).filter(|game| game.is_sum()) {
        sums += 1;
        for (max_pile, length) in [(19, 2), (9, 3), (4, 5)] {
            let table = Table::new(game, max_pile, length).unwrap();
            let [found, expected] = [solver(game) as &dyn Solver, &AnyGame]
                .map(|solver| bytes(solver, &table, u64::MAX, Isa::best()).unwrap());
            assert_eq!(found, expected, "{table}");
            let count = count_of(&table, None, &control);
            let counts = solver(game).count(count).unwrap();
            assert_eq!(counts, AnyGame.count(count).unwrap(), "{table}");
        }
        let wanted = TableRequest { length: Some(2), ..request(9) };
        assert!(solver(game).tables(game, &wanted).is_err());
    }
    assert!(sums > 9);
    // A published puzzle gives this number of triples.
    let (_, text) = RULESETS.iter().find(|(name, _)| *name == "take-a-square").unwrap();
    let table = Table::new(game(text), 100_000, 3).unwrap();
    let count = count_of(&table, None, &control);
    let Some(Counted::Values(counts)) = solver(table.game()).count(count).unwrap() else {
        panic!("{table} has values");
    };
    assert_eq!(counts.p_positions(), 2_586_440_105_697);
}

fn request(max_pile: Pile) -> TableRequest {
    TableRequest { max_pile, length: None, literally: true, single: None, form: Form::Whole }
}

/// Tests that the first values of a sum do not depend on the size of the table, if the number of
/// coins taken is not the chosen number. The given values were calculated by hand.
#[test]
fn values_of_small_piles_do_not_depend_on_the_largest() {
    let env = Env::with_nothing(&NoTables);
    for (lines, first) in [
        ("move: t in 2..n if t - 1 <= n: n := [n - (t - 1)]", &[0, 1][..]),
        ("move: t in primes if t // 2 <= n: n := [n - t // 2]", &[]),
        ("move: t in {50, 60} if t - 49 <= n: n := [n - (t - 49)]", &[]),
        ("move: t in 50..60 if t - 49 <= n: n := [n - (t - 49)]", &[]),
        (LINES_WITH_BOUNDS, &[0, 1, 2, 3, 1, 0, 3, 1, 0, 2, 1, 0, 2, 1, 0]),
    ] {
        let game = game(&format!("{HEAD}piles: sum\n{lines}\n"));
        let of = |by: &dyn Solver, largest| {
            let table = Table::new(game, largest, 1).unwrap();
            let found = bytes(by, &table, u64::MAX, Isa::best()).unwrap();
            let width = table.value_bytes();
            let all = found.chunks(width).map(|cell| u32::from(cell[0]));
            all.collect::<Vec<u32>>()
        };
        let expected = of(&AnyGame, 130);
        assert!(expected.starts_with(first), "{lines}: {expected:?}");
        for largest in [1, 2, 3, 10, 40, 55, 64, 130] {
            let found = of(solver(game), largest);
            assert_eq!(found, expected[..largest as usize], "{lines} {largest}");
        }
        let row = solver(game).row(game, &[], 130, &env).unwrap();
        let row = row.into_iter().map(|answer| answer.unwrap().value.unwrap());
        let row: Vec<u32> = row.skip(1 - game.order().least_pile() as usize).collect();
        assert_eq!(row, expected, "{lines}");
    }
}

/// The chosen number may be larger than the number of coins taken.
const LINES_WITH_BOUNDS: &str = "move: t in 2..min(n, 3) if t - 1 <= n: n := [n - (t - 1)]\n\
                                 move: t in {4} if t <= n: n := [n - t]";

const WORDS: [&[Pile]; 4] = [&[2], &[2, 1], &[1, 3], &[2, 2, 1]];

const HEAD: &str = "name: toy\ntitle: Toy\nsource: here\n";

#[test]
fn lines_have_classes_and_are_filled_as_they_say() {
    for (_, [kind, line, length, class]) in cases(include_str!("compiled.txt"), "lines") {
        let length = length.parse().unwrap();
        let lengths = match kind {
            "places" => format!("length: {length}\n"),
            "sum" => String::new(),
            _ => format!("length: 1..{length}\n"),
        };
        for play in ["normal", "misere"].into_iter().take(if kind == "sum" { 1 } else { 2 }) {
            let text = format!("{HEAD}play: {play}\npiles: {kind}\n{lengths}move: {line}\n");
            let game = game(&text);
            let found = filling(game, 20, length).unwrap();
            let found: Vec<String> = found.0.iter().map(|class| format!("{class:?}")).collect();
            assert_eq!(found, [class], "{line}");
            for (max_pile, length) in [(1, length), (9, length), (13, 2), (40, 1)] {
                holds(game, max_pile, length);
            }
        }
    }
}
