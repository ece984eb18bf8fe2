//! Compares tables that are counted share by share with one count.

use grundy_kernels::Isa;
use grundy_query::{CountedShare, Database};
use grundy_rules::{Game, Pile, Remembers, Table, games, misere_form};
use grundy_sweep::{Control, MergeError, Parts, cut};
use serde_json::{Value, json};

/// Returns tables of every game, some in their misère form, and some with many parts.
fn tables() -> Vec<Table> {
    let mut all: Vec<(Game, Pile, usize)> = Game::all()
        .flat_map(|game| {
            let length = if game.remembers() == Remembers::Nothing { 4 } else { 2 };
            [(game, 5, length), (game, 9, 1)]
        })
        .collect();
    all.extend(games::END_NIM_GAMES.map(|game| (game, 5, 7)));
    all.push((misere_form(games::END_NIM).unwrap(), 5, 6));
    all.push((misere_form(games::NIM).unwrap(), 5, 3));
    all.push((games::PARTIZAN_END_NIM, 9, 5));
    all.into_iter().map(|(game, n, length)| Table::new(game, n, length).unwrap()).collect()
}

fn share(table: &Table, share: &[Parts], isa: Isa) -> CountedShare {
    let counted = Database::empty().count_share(table, share, isa, &Control::new());
    let text = serde_json::to_string(&counted.unwrap().unwrap()).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn shares_merge_to_one_count() {
    let database = Database::empty();
    let mut many = 0;
    for table in tables() {
        let expected = database.count(&table, Isa::best(), &Control::new()).unwrap().unwrap();
        let piece = database.count_piece(&table);
        assert!(piece.seconds >= 0.0 && piece.name == table.to_string());
        many += u32::from(piece.parts > 7);
        for shares in [1, 2, 7, 64] {
            let isas = [Isa::best(), Isa::Portable];
            let cut = cut(std::slice::from_ref(&piece), shares);
            let shares = cut.iter().rev().enumerate();
            let shares = shares.map(|(at, parts)| share(&table, parts, isas[at % isas.len()]));
            let merged = database.merge_counted(&table, shares.collect::<Vec<_>>()).unwrap();
            assert_eq!(merged, expected, "{table}");
        }
    }
    assert!(many >= 5, "{many}");
}

#[test]
fn a_stopped_share_has_no_result() {
    let table = Table::new(games::NIM, 5, 3).unwrap();
    let control = Control::new();
    let error =
        Database::empty().count_share(&table, &[(0, 1..3)], Isa::best(), &control).unwrap_err();
    let said = "invalid share: parts 1 to 2 of nim/n5/k3 (it has 1 parts)";
    assert_eq!(error.to_string(), said);
    control.stop();
    let stopped = Database::empty().count_share(&table, &[(0, 0..1)], Isa::best(), &control);
    assert_eq!(stopped.unwrap(), None);
}

/// Counts a table as one share.
fn whole(table: &Table) -> Value {
    let all = 0..Database::empty().count_piece(table).parts;
    serde_json::to_value(share(table, &[(0, all)], Isa::best())).unwrap()
}

/// True if the share is rejected after one change.
fn is_refused(table: &Table, spoil: impl Fn(&mut Value)) -> bool {
    let mut whole = whole(table);
    spoil(&mut whole["pieces"][0]["found"]);
    match Database::empty().merge_counted(table, [serde_json::from_value(whole).unwrap()]) {
        Ok(_) => false,
        Err(MergeError::Impossible { .. }) => true,
        Err(error) => panic!("{error}"),
    }
}

/// The place of the largest value must be a position of the table. It must have the right number of
/// piles, and no pile may be too large.
#[test]
fn a_largest_value_elsewhere_is_refused() {
    let table = Table::new(games::END_NIM, 5, 3).unwrap();
    let with =
        |text: &str| is_refused(&table, |found| found["values"]["first_maximum"] = json!(text));
    assert!(!with("5,5,5"));
    for text in ["5,6,5", "5,5", "5,5,5,5", "6,6", "", "x"] {
        assert!(with(text), "{text}");
    }
}

/// Counts of values end with the largest value that occurs, and their sum must not overflow.
#[test]
fn impossible_counts_are_refused() {
    let mut tried = 0;
    for table in tables() {
        let all = whole(&table);
        let Some(counts) = all.pointer("/pieces/0/found/values/values") else { continue };
        tried += 1;
        let mut longer = counts.as_array().unwrap().clone();
        longer.push(json!(0));
        for counts in [json!(longer), json!([u64::MAX, 1]), json!([])] {
            let refused = is_refused(&table, |found| found["values"]["values"] = counts.clone());
            assert!(refused, "{table} {counts}");
        }
    }
    assert!(tried > 10, "{tried}");
}

/// The counts have one position too many or too few, for each kind: values, classes of each length,
/// rows, sets.
#[test]
fn counts_with_a_wrong_sum_are_refused() {
    let more = |value: &mut Value| *value = json!(value.as_u64().unwrap() + 1);
    let table = |game, n, length| Table::new(game, n, length).unwrap();
    let partizan = table(games::PARTIZAN_END_NIM, 3, 3);
    assert!(!is_refused(&partizan, |_| ()));
    for length in 0..3 {
        // There is one more word of a class, or one word of another length.
        for class in 0..4 {
            assert!(is_refused(&partizan, |found| more(&mut found["classes"][length][1][class])));
        }
        assert!(is_refused(&partizan, |found| more(&mut found["classes"][length][0])));
        assert!(is_refused(&partizan, |found| {
            found["classes"].as_array_mut().unwrap().remove(length);
        }));
    }
    for (table, place) in [
        (table(games::NIM, 5, 3), "/values/values/0"),
        (table(games::SHORT_GLOBAL_NIM, 30, 1), "/records/counts/rows"),
        (table(games::LONG_GLOBAL_NIM, 6, 1), "/sets/counts/piles/3/0"),
    ] {
        assert!(!is_refused(&table, |_| ()));
        assert!(is_refused(&table, |found| more(found.pointer_mut(place).unwrap())), "{table}");
    }
}
