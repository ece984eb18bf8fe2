//! Theorems for all pile sizes: the formulas of the value classes, which a small box proves, are
//! compared with the tables of the solvers far outside the box.

use grundy::sizes::{Limits, value_classes};
use grundy::{Ask, Database, Game, MemoryLimit, Outcome, Pile, Question};
use grundy_testing::cases::cases;

const CASES: &str = include_str!("sizes.txt");

/// Returns the game of a name, or of the lines of a rule file that say its piles and moves.
fn game(text: &str) -> Game {
    match text.contains(':') {
        true => {
            let lines = text.replace("\\n", "\n");
            let text = format!("name: own\ntitle: Own\nsource: own\nrule: own\n{lines}\n");
            grundy::game_of_text(&text).unwrap_or_else(|problem| panic!("{text}{problem}")).0
        }
        false => grundy::game(text).unwrap_or_else(|error| panic!("{error}")),
    }
}

/// Compares the classes of some values with tables of `times` the largest pile of each case.
/// Returns the number of predictions at positions outside the boxes.
fn compared(times: f64) -> u64 {
    let (database, memory) = (Database::empty(), MemoryLimit::default());
    let limits = Limits { database: &database, memory, control: None };
    let mut outside = 0;
    for (line, [name, length, largest, most, far]) in cases(CASES, "classes") {
        let game = game(name);
        let length: usize = length.parse().unwrap();
        let number = |text: &str| text.parse::<u32>().unwrap();
        let values = match game.is_impartial() {
            true => 0..=number(largest),
            false => 0..=Outcome::ALL.len() as u32 - 1,
        };
        let found = value_classes(game, length, values, number(most), &limits).unwrap();
        let found = found.unwrap_or_else(|why| panic!("line {line}: {name}: {why}"));
        for class in &found.classes {
            let text = format!("{} <-> {}", class.name, class.formula);
            let proved = class.found.unwrap_or_else(|| panic!("line {line}: {name}: {text}"));
            let far = (f64::from(number(far)) * times) as Pile;
            assert!(i128::from(far) > proved.most, "line {line}: {name}: box {}", proved.most);
            let question = Question::parse(game, &text).unwrap();
            let report = Ask::new(&question).check(length..=length, far).unwrap();
            assert!(report.holds(), "line {line}: {name}: {text} fails with piles up to {far}");
            let inside = Ask::new(&question).check(length..=length, proved.most as Pile).unwrap();
            let counts = class.counts.as_ref().unwrap();
            let question = Question::parse(game, &class.name).unwrap();
            let period = counts.polynomials.len() as Pile;
            let sizes = (counts.from as Pile..=far).filter(|&n| n > 0);
            for n in sizes.clone().take(3).chain(sizes.rev().take(period.min(5) as usize)) {
                let report = Ask::new(&question).check(length..=length, n).unwrap();
                let said = counts.polynomials[(n % period) as usize].at(n.into());
                let number = report.checked - report.failures;
                assert_eq!(said, Some(number.into()), "line {line}: {name}: {text}: n = {n}");
            }
            outside += report.checked - inside.checked;
        }
    }
    outside
}

#[test]
fn formulas_hold_in_tables_far_outside_their_boxes() {
    let outside = compared(1.0);
    println!("{outside} predictions");
    assert!(outside > 1_000_000);
}

#[test]
#[ignore = "takes some minutes"]
fn formulas_hold_in_large_tables() {
    println!("{} predictions", compared(1.6));
}
