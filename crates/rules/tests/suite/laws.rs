//! Tests of laws written out for one length, bounds on the number of choices, and symmetric laws.
//! The expected results come from the slow listing of moves, which `rulesets.py` tests.

use std::collections::HashSet;

use grundy_language::ast::{CompareOp, Function};
use grundy_language::{Expr, ExprKind, Span};
use grundy_rules::law::{Binder, Change, Choice, Effect, Law, MoveRule, Plain, RuleFile};
use grundy_rules::rulesets::RULESETS;
use grundy_rules::{Game, Memory, Move, Order, Position};

use crate::cases::cases;

const CASES: &str = include_str!("laws.txt");

fn read(lines: &str) -> RuleFile {
    let text =
        format!("name: toy\ntitle: Toy\nsource: here\npiles: {}\n", lines.replace(" / ", "\n"));
    RuleFile::from_text(&text).unwrap_or_else(|problem| panic!("{problem}"))
}

fn game(lines: &str) -> Game {
    read(lines).game().unwrap()
}

/// Returns a game with the moves of the file, but with the lines written out for this length.
fn written(file: &RuleFile, length: usize) -> Option<Game> {
    let rule = |plain: Plain| {
        let of = |kind| Expr::new(kind, Span::default());
        let (mut before, mut after) = (plain.before, plain.after);
        if plain.effects.is_empty() {
            before.push(of(ExprKind::Bool(false)));
        }
        if plain.skips_nothing {
            let taken = plain.effects.iter().map(|(_, change)| match change {
                Change::Less(e) => e.clone(),
                other => panic!("{other:?}"),
            });
            let taken = of(ExprKind::Call(Function::Sum, taken.collect()));
            let some = vec![(CompareOp::Greater, of(ExprKind::Int(0)))];
            after.push(of(ExprKind::Compare(Box::new(taken), some)));
        }
        let binder = |(place, numbers)| Binder {
            name: String::new(),
            span: Span::default(),
            place,
            of: Choice::Number(numbers),
        };
        let effect = |(place, change)| Effect {
            pile: of(ExprKind::Int(place as i128 + 1)),
            over: None,
            change,
            span: Span::default(),
        };
        let (binders, effects) = (
            plain.binders.into_iter().enumerate().map(binder).collect(),
            plain.effects.into_iter().map(effect).collect(),
        );
        MoveRule {
            player: plain.player,
            binders,
            before,
            after,
            effects,
            remembers: Vec::new(),
            span: Span::default(),
        }
    };
    let moves = file.law.at(length)?.into_iter().map(rule).collect();
    let (law, text) = (Law { moves, ..file.law.clone() }, format!("{}# {length}", file.text));
    Some(RuleFile { law, text, ..file.clone() }.game().unwrap())
}

/// Returns all tuples of `length` numbers from `least` to `most`.
fn tuples(length: usize, least: u32, most: u32) -> Vec<Vec<u32>> {
    (0..length).fold(vec![Vec::new()], |all, _| {
        let longer = |tuple: &Vec<u32>| {
            let tuple = tuple.clone();
            (least..=most).map(move |pile| [&tuple[..], &[pile]].concat())
        };
        all.iter().flat_map(longer).collect()
    })
}

type Options = Option<HashSet<(&'static str, Position)>>;

fn options(game: Game, at: &Position) -> Options {
    let made = game.try_moves(at).ok()?;
    Some(made.into_iter().map(|made| (made.player.name(), made.option)).collect())
}

/// Compares the options that the law gives with those that the written-out lines give, at all
/// positions of up to four small piles. Returns each position with its options, and true if every
/// length could be written out.
fn all_options(file: &RuleFile) -> (Vec<(Position, Options)>, bool) {
    let (game, mut all, mut complete) = (file.clone().game().unwrap(), Vec::new(), true);
    for length in file.law.table_lengths().take_while(|&length| length <= 4) {
        let written = written(file, length);
        complete &= written.is_some();
        for piles in tuples(length, file.law.least_pile(), if length < 4 { 4 } else { 2 }) {
            let memories = match file.law.memories.is_some() {
                false => vec![Memory::Nothing],
                true => (0..4).map(|state| game.memory(state)).collect(),
            };
            let at = memories.iter().map(|memory| Position::written(&piles, memory));
            for at in
                at.filter(|at| game.position(&piles).piles() == piles && game.check(at).is_ok())
            {
                let found = options(game, &at);
                if let Some(written) = written {
                    assert_eq!(options(written, &at), found, "{}{at}", file.text);
                }
                all.push((at, found));
            }
        }
    }
    (all, complete)
}

#[test]
fn laws_are_those_written_out_and_seen_to_be_symmetric() {
    let rulesets = RULESETS.iter().map(|(_, text)| RuleFile::from_text(text).unwrap());
    let mut left_out = 0;
    for file in rulesets.chain(cases(CASES, "laws").into_iter().map(|(_, [lines])| read(lines))) {
        let game = file.clone().game().unwrap();
        let (all, complete) = all_options(&file);
        left_out += usize::from(!complete);
        let reversed = |at: &Position| {
            let piles: Vec<u32> = at.piles().iter().rev().copied().collect();
            Position::written(&piles, at.memory())
        };
        let mut symmetric = game.order() == Order::Row && game.is_impartial();
        for (at, found) in all {
            let back = |all: HashSet<_>| {
                all.into_iter().map(|(player, option)| (player, reversed(&option))).collect()
            };
            symmetric = symmetric && options(game, &reversed(&at)).map(back) == found;
        }
        assert_eq!(game.is_symmetric(), symmetric, "{}", file.text);
    }
    // Lines that set a memory are not written out either: imitation-nim has such lines.
    assert_eq!(left_out, 2);
}

#[test]
fn conditions_are_those_of_the_slow_evaluator() {
    let mut ids = HashSet::new();
    for (_, [condition]) in cases(CASES, "conditions") {
        let file = read(&format!(
            "row / length: 1..3 / move: i in 1..k, t in 1..piles[i] if {condition}: piles[i] -= t"
        ));
        let (all, complete) = all_options(&file);
        let made: usize = all.iter().map(|(_, found)| found.as_ref().unwrap().len()).sum();
        let nim: u64 = all.iter().map(|(at, _)| at.coins()).sum();
        assert!(complete && 0 < made && made < nim as usize, "{condition}");
        assert!(ids.insert(file.id), "{condition}");
    }
}

/// A condition that is tested early must not hide the error of a choice. Each case gives a choice,
/// and the sizes of a pile at which it is undefined, although no move satisfies the condition.
#[test]
fn undefined_parts_stay_before_conditions() {
    for (_, [lines, undefined]) in cases(CASES, "undefined") {
        let lines = lines.replace('x', "piles[i]");
        let file = read(&format!(
            "row / length: 1..2 / move: i in 1..k, {lines} piles[i] == 9: piles[i] -= t"
        ));
        let (all, complete) = all_options(&file);
        assert!(complete);
        for (at, found) in all {
            let fails = at.piles().iter().any(|pile| undefined.contains(&pile.to_string()));
            assert_eq!(found.is_none(), fails, "{lines} {at}");
        }
        let late = file.law.at(2).unwrap();
        assert!(late.iter().all(|line| line.after.is_empty() == (undefined == "none")), "{lines}");
    }
}

/// Games of single piles, with the digits of their codes.
const SUMS: [(&str, &[u8]); 12] = [
    ("code: 0.77", &[0, 7, 7]),
    ("code: .77", &[0, 7, 7]),
    ("code: 0.8F", &[0, 8, 15]),
    ("code: C.1a", &[12, 1, 10]),
    ("code: 0.61...", &[0, 6, 1, 1, 1, 1, 1, 1, 1]),
    ("code: 4.3...", &[4, 3, 3, 3, 3, 3, 3, 3, 3]),
    ("code: 0.0C...", &[0, 0, 12, 12, 12, 12, 12, 12, 12]),
    ("code: 4.1032", &[4, 1, 0, 3, 2]),
    ("code: 0.00564", &[0, 0, 0, 5, 6, 4]),
    ("move: t in 1..min(2, n): n -= t", &[0, 3, 3]),
    ("move: a in 1..n // 2: n := [a, n - a]", &[4]),
    ("move: if n > 2: n := [0, n - 2] / move: if n == 2: n := []", &[0, 0, 3]),
];

/// The bits 1, 2, 4 and 8 of digit t allow taking t coins and leaving no pile, one, two or three
/// piles.
#[test]
fn sums_are_those_of_their_codes() {
    for (lines, digits) in SUMS {
        let file = read(&format!("sum / {lines}"));
        let (game, written) = (file.clone().game().unwrap(), written(&file, 1).unwrap());
        for n in 1..9u32 {
            let left = |(t, digit): (u32, &u8)| {
                let rest = n.checked_sub(t)?;
                let mut all = Vec::new();
                if digit & if rest == 0 { 1 } else { 2 } > 0 {
                    all.push(vec![rest]);
                }
                all.extend((1..rest).filter(|_| digit & 4 > 0).map(|a| vec![a, rest - a]));
                let pairs = (1..rest).flat_map(|a| (1..rest - a).map(move |b| (a, b)));
                let three = pairs.map(|(a, b)| vec![a, b, rest - a - b]);
                all.extend(three.filter(|_| digit & 8 > 0));
                Some(all)
            };
            let all = (0..).zip(digits).filter_map(left).flatten();
            let expected = all.map(|piles| ("either", Position::multiset(piles))).collect();
            let at = game.position(&[n]);
            for game in [game, written] {
                assert_eq!(options(game, &at).as_ref(), Some(&expected), "{lines} {n}");
            }
            // A position of several piles has the moves of each pile. Equal piles count once.
            let count = |piles: &[u32]| options(game, &game.position(piles)).unwrap().len();
            assert_eq!(count(&[n, n, 9]), count(&[n]) + count(&[9]));
        }
    }
}

/// The bounds on the choices for two piles of at most 10 coins were found by hand. The bound is 20,
/// the number of coins, if no smaller bound is derived.
#[test]
fn choices_bound_the_values() {
    for (_, [binders, bound]) in cases(CASES, "bounds") {
        let bound: u64 = bound.parse().unwrap();
        let line = format!("move: {binders}: first -= t");
        let largest = |lines: &str, max_pile, length| game(lines).largest_value(max_pile, length);
        assert_eq!(largest(&format!("row / {line}"), 10, 2), bound, "{binders}");
        // The bounds of two lines are added. In a sum, the number of coins is the bound.
        let two = format!("places / {line} / move: t in 2..4: last -= t");
        assert_eq!(
            largest(&two, 10, 2),
            if bound == 1 { 3 } else { 20.min(bound + 3) },
            "{binders}"
        );
        assert_eq!(largest("sum / move: t in 1..3: n -= t", 10, 1), 10);
    }
}

#[test]
fn rows_played_on_their_ends() {
    let lines = [("on ends", true), ("not on ends", false)];
    let lines =
        lines.map(|(heading, is)| cases(CASES, heading).into_iter().map(move |it| (it, is)));
    for ((_, [lines]), on_ends) in lines.into_iter().flatten() {
        let game = game(&format!("row / move: {lines}"));
        assert_eq!(game.plays_on_ends(), on_ends, "{lines}");
        for piles in tuples(2, 1, 4).into_iter().filter(|_| on_ends) {
            let between = |made: Move| {
                let mut left = piles.clone();
                made.changes.iter().for_each(|change| left[change.pile - 1] = change.to[0]);
                Position::row(&[left[0], 3, 1, left[1]])
            };
            let longer = game.moves(&game.position(&[piles[0], 3, 1, piles[1]]));
            let expected: Vec<Position> =
                game.moves(&game.position(&piles)).into_iter().map(between).collect();
            assert_eq!(
                longer.into_iter().map(|made| made.option).collect::<Vec<_>>(),
                expected,
                "{lines}"
            );
        }
    }
    for part in ["length: 1..9", "where: first < 9", "remembers: last move"] {
        assert!(!game(&format!("row / {part} / move: t in 1..first: first -= t")).plays_on_ends());
    }
    for kind in ["heaps", "places"] {
        assert!(!game(&format!("{kind} / move: t in 1..first: first -= t")).plays_on_ends());
    }
}
