//! Tests that shares with impossible counts are refused.

use grundy_kernels::Isa;
use grundy_query::{CountedShare, Database};
use grundy_rules::{Table, games, misere_form};
use grundy_sweep::{Control, MergeError, Parts};
use serde_json::{Value, json};

fn share(table: &Table, share: &[Parts], isa: Isa) -> CountedShare {
    let counted = Database::empty().count_share(table, share, isa, &Control::new());
    let text = serde_json::to_string(&counted.unwrap().unwrap()).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn whole(table: &Table) -> Value {
    let all = 0..Database::empty().count_piece(table).parts;
    serde_json::to_value(share(table, &[(0, all)], Isa::best())).unwrap()
}

/// True if the share is rejected after the change `spoil`.
fn is_refused(table: &Table, spoil: impl Fn(&mut Value)) -> bool {
    let mut whole = whole(table);
    spoil(&mut whole["pieces"][0]["found"]);
    match Database::empty().merge_counted(table, [serde_json::from_value(whole).unwrap()]) {
        Ok(_) => false,
        Err(MergeError::Impossible { .. }) => true,
        Err(error) => panic!("{error}"),
    }
}

/// The first position with the largest value must be in the table: it must have the right number of
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
    for (game, max_pile, length) in [
        (games::END_NIM, 5, 4),
        (games::MISERE_NIM, 5, 3),
        (games::SHORT_GLOBAL_NIM, 5, 2),
        (games::END_WYTHOFF, 5, 4),
        (misere_form(games::END_NIM).unwrap(), 5, 6),
    ] {
        let table = Table::new(game, max_pile, length).unwrap();
        let mut longer = whole(&table)["pieces"][0]["found"]["values"]["values"].clone();
        longer.as_array_mut().unwrap().push(json!(0));
        for counts in [longer, json!([u64::MAX, 1]), json!([])] {
            let refused = is_refused(&table, |found| found["values"]["values"] = counts.clone());
            assert!(refused, "{table} {counts}");
        }
    }
}

/// The counts have one position too many or too few. The test covers values, classes of each
/// length, rows and sets.
#[test]
fn counts_with_a_wrong_sum_are_refused() {
    let more = |value: &mut Value| *value = json!(value.as_u64().unwrap() + 1);
    let table = |game, n, length| Table::new(game, n, length).unwrap();
    let partizan = table(games::PARTIZAN_END_NIM, 3, 3);
    assert!(!is_refused(&partizan, |_| ()));
    for length in 0..3 {
        // Add 1 to the number of words of one class, or to the number of all words.
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
