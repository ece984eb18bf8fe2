//! Tests the displayed forms of theorems: the formula of a family and the picture of an automaton.

use std::ops::ControlFlow;

use grundy_provers::{FamilyWords, Of, prove, prove_family};

use crate::cases::cases;
use crate::{CASES, game_and_quantity, proved};

/// Reads the value for i and j from the text of a formula.
fn value_by(formula: &str, i: i64, j: i64) -> String {
    let (head, lines) = formula.split_once('\n').unwrap();
    let number = |text: &str| text.trim().parse::<i64>().unwrap();
    let times = |term: &str| number(&format!("0{}", &term[..term.len() - 1])).max(1);
    let (across, along) = head.split_once("d = ").unwrap().1.split_once(" - ").unwrap();
    let d = times(across) * j - times(along) * i;
    let is_of_class = |class: &str| match class.trim() {
        "i even" => i % 2 == 0,
        "i odd" => i % 2 == 1,
        class => {
            let (rest, e) = class.strip_prefix("i = ").unwrap().split_once(" mod ").unwrap();
            i % number(e) == number(rest)
        }
    };
    let mut list = lines.lines().filter_map(|line| match line.trim().strip_prefix("i ") {
        Some(_) => line.split_once(": ").filter(|(class, _)| is_of_class(class)).map(|it| it.1),
        None => Some(line.trim()),
    });
    let mut values = Vec::new();
    for part in list.next().unwrap().split("; ") {
        let (of, given) = part.strip_prefix("d ").unwrap().split_once(": ").unwrap();
        let given: Vec<&str> = given.trim_end_matches(" in turn").split(", ").collect();
        let (sign, of) = of.split_once(' ').unwrap();
        let places: Vec<i64> = match (sign, of.strip_suffix(", ..."), of.split_once(" to ")) {
            ("<=", ..) => (d.min(number(of))..=number(of)).collect(),
            (">=", ..) => (number(of)..=d.max(number(of))).collect(),
            (_, Some(two), _) => {
                let [a, b] = [0, 1].map(|at| number(two.split(", ").nth(at).unwrap()));
                (0..500).map(|n| a + n * (b - a)).collect()
            }
            (_, _, Some((from, to))) => (number(from)..=number(to)).collect(),
            _ => of.split(", ").map(number).collect(),
        };
        let at = places.iter().position(|&place| place == d);
        values.extend(at.map(|at| given[at % given.len()].to_owned()));
    }
    assert_eq!(values.len(), 1, "d = {d}: {formula}");
    values.remove(0)
}

#[test]
fn a_formula_gives_the_value_of_every_row() {
    for (_, [name, about, _]) in cases(CASES, "theorems") {
        let Ok(words) = about.parse::<FamilyWords>() else { continue };
        let (game, of) = game_and_quantity(name);
        let family = proved(prove_family(game, &words, of, &mut |_| ControlFlow::Continue(())));
        let formula = family.formula();
        let start = formula.split_once(">= ").unwrap().1.split_once(',').unwrap().0;
        let start: usize = start.parse().unwrap();
        for (i, j) in (start..start + 30).flat_map(|i| (start..start + 30).map(move |j| (i, j))) {
            let value = family.value(i, j).to_string();
            assert_eq!(value_by(&formula, i as i64, j as i64), value, "{name} {about} {i} {j}");
        }
    }
}

#[test]
fn a_picture_shows_every_state_and_arrow_within_its_frame() {
    for (_, [name, about, _]) in cases(CASES, "theorems") {
        let Ok(piles) = about.parse() else { continue };
        let (game, of): (_, Of) = game_and_quantity(name);
        let automaton = proved(prove(game, piles, of, &mut |_| ControlFlow::Continue(())));
        let picture = automaton.svg();
        let numbers = |line: &str, name: &str| -> f64 {
            line.split_once(&format!(" {name}=\""))
                .unwrap()
                .1
                .split('"')
                .next()
                .unwrap()
                .parse()
                .unwrap()
        };
        let frame = picture.split_once("viewBox=\"0 0 ").unwrap().1.split('"').next().unwrap();
        let (width, height) = frame.split_once(' ').unwrap();
        let (width, height): (f64, f64) = (width.parse().unwrap(), height.parse().unwrap());
        let circles: Vec<[f64; 2]> = picture
            .lines()
            .filter(|line| line.starts_with("<circle"))
            .map(|line| ["cx", "cy"].map(|at| numbers(line, at)))
            .collect();
        for (at, [x, y]) in circles.iter().enumerate() {
            assert!(*x >= 17.0 && x + 17.0 <= width && *y >= 17.0 && y + 17.0 <= height, "{x} {y}");
            let is_apart = |other: &[f64; 2]| (x - other[0]).hypot(y - other[1]) > 40.0;
            assert!(circles[..at].iter().all(is_apart), "{name} {about}");
        }
        // Do not count the arrow that marks the initial state.
        let arrows = picture.matches("<path d=\"M").count() - 2;
        assert_eq!(arrows, automaton.dot().matches(" -> ").count() - 1, "{name} {about}");
        assert_eq!(circles.len(), picture.matches("<title>state ").count());
        let labels = picture.lines().filter(|line| line.starts_with("<text x"));
        for line in labels.filter(|line| !line.contains("><")) {
            let (x, y) = (numbers(line, "x"), numbers(line, "y"));
            assert!((0.0..=width).contains(&x) && (0.0..=height).contains(&y), "{line}");
        }
    }
}
