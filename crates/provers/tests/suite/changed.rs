//! Changed certificates of theorems about piles of all sizes. The checker refuses each of them, or
//! its theorem is true by the slow evaluator. A seal protects nobody here: the checker reads only
//! the contents, so each change counts as sealed again, and the digest of the values is renewed.

use grundy_language::Evaluator;
use grundy_language::Setting;
use grundy_language::parser::parse;
use grundy_language::resolve::resolve;
use grundy_provers::check;
use grundy_provers::sizes::{Certificate, Found, Moves, NOT_A_POSITION, Table, least_box};
use grundy_rules::law::RuleFile;
use grundy_rules::{Game, Order, Pile, misere_form};
use serde_json::Value;

use crate::cases::cases;
use crate::trust::{Here, Random, at, digits, own, shrunk, table};

const CASES: &str = include_str!("trust.txt");

/// The values up to this one have classes.
const LARGEST: u32 = 1;

/// A theorem, and the tables of its game far outside its box.
struct Theorem {
    game: Game,
    length: usize,
    found: Found,
    far: Pile,
    tables: Vec<Table>,
    statement: String,
}

fn theorems() -> Vec<Theorem> {
    let read = |(line, [rules, length, far, statement]): (usize, [&str; 4])| {
        let lines = rules.replace("\\n", "\n");
        let text = format!("name: own\ntitle: Own\nsource: own\nrule: own\n{lines}\n");
        let game = if rules.contains(':') { own(&text) } else { rules.parse().ok() };
        let game = game.unwrap_or_else(|| panic!("line {line}: {rules}"));
        let (length, far) = (length.parse().unwrap(), far.parse().unwrap());
        let moves = Moves::of(game, length).unwrap_or_else(|why| panic!("line {line}: {why}"));
        let tables = tables(game, length, far, LARGEST);
        let of = |cap, modulus| moves.box_of(cap, modulus);
        let found = least_box(&tables, (moves.cap, moves.modulus), of, || true);
        let found = found.unwrap_or_else(|_| panic!("line {line}: no box"));
        Theorem { game, length, found, far, tables, statement: statement.to_owned() }
    };
    cases(CASES, "certificates that are changed").into_iter().map(read).collect()
}

fn tables(game: Game, length: usize, far: Pile, largest: u32) -> Vec<Table> {
    let first = if game.order() == Order::Places { length } else { 1 };
    (first..=length).map(|length| table(game, length, far, largest).unwrap()).collect()
}

/// True if the theorem of a certificate holds with piles up to `far`.
fn is_true(certificate: &Value, far: Pile) -> bool {
    let number = |name: &str| certificate[name].as_u64().unwrap();
    let named = match certificate["rules"].as_str() {
        Some(text) => RuleFile::from_text(text).and_then(RuleFile::game).unwrap(),
        None => certificate["game"].as_str().unwrap().parse().unwrap(),
    };
    let game =
        if certificate["convention"].is_null() { named } else { misere_form(named).unwrap() };
    let tables = tables(game, number("length") as usize, far, number("values") as u32);
    let (cap, modulus) = (number("cap").into(), number("modulus").into());
    let found = Found { cap, modulus, most: 0 };
    let positions = |table: &Table| -> Vec<(Vec<Pile>, u8)> {
        let all = table.values.iter().enumerate().filter(|(_, value)| **value != NOT_A_POSITION);
        all.map(|(place, value)| (digits(place, table.most + 1, table.length), *value)).collect()
    };
    let are_of_types = tables.iter().all(|table| {
        positions(table).iter().all(|(piles, value)| at(table, &shrunk(piles, found)) == *value)
    });
    let holds = |text: &str| {
        let tree = parse(text).and_then(|tree| resolve(&tree, Setting::of_rows(game.id())));
        let expr = tree.unwrap();
        positions(&tables[tables.len() - 1]).into_iter().all(|(piles, _)| {
            let here = Here { tables: &tables, game, piles };
            Evaluator::new(&here).truth(&expr).unwrap_or(false)
        })
    };
    are_of_types && certificate["statement"].as_str().is_none_or(holds)
}

/// Changes one letter of a text.
fn with_a_change(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = random.below(bytes.len());
    match random.below(3) {
        0 => bytes[at] = b' ' + random.below(95) as u8,
        1 => _ = bytes.remove(at),
        _ => bytes.insert(at, b"0123456789<>=!+- "[random.below(17)]),
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Returns a certificate with changes; `None` if it is no longer JSON.
fn changed(of: &Theorem, random: &mut Random) -> Option<Value> {
    let mut found = of.found;
    let kind = random.below(4);
    let statement = match kind {
        0 | 1 => with_a_change(&of.statement, random),
        2 => random.law(of.length),
        _ => of.statement.clone(),
    };
    if random.below(4) == 0 {
        found.cap = (found.cap + random.below(3) as i128 - 1).max(1);
        found.modulus = [1, found.modulus, 2 * found.modulus][random.below(3)];
    }
    // Larger boxes prove more statements.
    let room = i128::from(of.far) - found.most;
    found.most = (found.most + random.below(room as usize + 3) as i128 - 2).max(1);
    let certificate = Certificate::new(of.game, &of.tables, LARGEST, found, Some(&statement));
    let text = serde_json::to_string(&certificate).unwrap();
    match kind {
        3 => serde_json::from_str(&with_a_change(&text, random)).ok(),
        _ => serde_json::from_str(&text).ok(),
    }
}

/// Returns how many changed certificates were refused, and how many were accepted.
fn tried(count: usize, random: &mut Random) -> (usize, usize) {
    let (theorems, mut refused, mut accepted) = (theorems(), 0, 0);
    for _ in 0..count {
        let theorem = &theorems[random.below(theorems.len())];
        match changed(theorem, random).filter(|changed| check(changed, 1 << 30).is_ok()) {
            None => refused += 1,
            Some(changed) => {
                assert!(is_true(&changed, theorem.far), "{changed}");
                accepted += 1;
            }
        }
    }
    (refused, accepted)
}

#[test]
fn changed_certificates_are_refused_or_true() {
    let (refused, accepted) = tried(1000, &mut Random(50));
    println!("{refused} refused, {accepted} accepted");
    assert!(refused > 500 && accepted > 50, "{refused} refused, {accepted} accepted");
}

#[test]
#[ignore = "takes some minutes"]
fn many_changed_certificates_are_refused_or_true() {
    let (refused, accepted) = tried(20_000, &mut Random(51));
    println!("{refused} refused, {accepted} accepted");
}
