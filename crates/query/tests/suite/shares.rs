//! Tables counted share by share, against one count.

use std::ops::Range;

use grundy_kernels::Isa;
use grundy_query::{Counted, CountedShare, Database, QueryError};
use grundy_rules::{Game, Pile, Remembers, Table, games, misere_form};
use grundy_sweep::{Control, MergeError};
use serde_json::{Value, json};

/// A table of every game, some in their misère form, and some that are cut into many parts.
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

fn cut(parts: u64, shares: u64) -> impl DoubleEndedIterator<Item = Range<u64>> {
    let bound = move |share| share * parts / shares;
    (0..shares).map(move |share| bound(share)..bound(share + 1)).filter(|part| !part.is_empty())
}

fn share(database: &Database, table: &Table, parts: Range<u64>, isa: Isa) -> CountedShare {
    let counted = database.count_share(table, parts, isa, &Control::new());
    let text = serde_json::to_string(&counted.unwrap().unwrap()).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn shares_merge_to_one_count() {
    let database = Database::empty(grundy_query::Limits::default());
    let mut many = 0;
    for table in tables() {
        let expected = database.count(&table, Isa::best(), &Control::new()).unwrap().unwrap();
        let piece = database.count_piece(&table);
        assert!(piece.seconds >= 0.0 && piece.name == table.to_string());
        many += u32::from(piece.parts > 7);
        for shares in [1, 2, 7, 64] {
            let isas = [Isa::best(), Isa::Portable];
            let parts = cut(piece.parts, shares).rev().enumerate();
            let shares =
                parts.map(|(at, parts)| share(&database, &table, parts, isas[at % isas.len()]));
            let merged = database.merge_counted(&table, shares.collect::<Vec<_>>()).unwrap();
            assert_eq!(merged, expected, "{table}");
        }
    }
    assert!(many >= 5, "{many}");
}

/// Inner words of 3 piles up to 5, each with its reversal; 729 middles, 64 a part. By hand.
#[test]
fn tables_are_cut_by_their_walks() {
    let database = Database::empty(grundy_query::Limits::default());
    let parts = |game, n, length| database.count_piece(&Table::new(game, n, length).unwrap()).parts;
    assert_eq!(parts(games::END_NIM, 5, 7), (125 + 25) / 2);
    assert_eq!(parts(games::PARTIZAN_END_NIM, 9, 5), 12);
    assert_eq!(parts(games::NIM, 9, 5), 1);
}

#[test]
fn shares_that_make_no_whole_are_refused() {
    let database = Database::empty(grundy_query::Limits::default());
    let merge = |table: &Table, shares: &[CountedShare]| {
        database.merge_counted(table, shares.iter().cloned())
    };
    for (game, length) in [(games::END_NIM, 6), (games::PARTIZAN_END_NIM, 5)] {
        let table = Table::new(game, 5, length).unwrap();
        let all = database.count_piece(&table).parts;
        let shares: Vec<_> =
            cut(all, 2).map(|p| share(&database, &table, p, Isa::best())).collect();
        assert!(merge(&table, &shares).is_ok());
        let missing = merge(&table, &shares[1..]).unwrap_err();
        assert!(matches!(missing, MergeError::Missing { parts, .. } if parts.start == 0));
        let twice = [&shares[..], &shares[..1]].concat();
        assert!(matches!(merge(&table, &twice).unwrap_err(), MergeError::Twice { .. }));
        let other = Table::new(game, 4, length).unwrap();
        assert_eq!(merge(&other, &shares).unwrap_err(), MergeError::OtherWork);
        for parts in [0..0, 0..all + 1, all..all + 1] {
            let refused = database.count_share(&table, parts, Isa::best(), &Control::new());
            assert!(matches!(refused, Err(QueryError::NoSuchPart { .. })));
        }
        let control = Control::new();
        control.stop();
        assert_eq!(database.count_share(&table, 0..1, Isa::best(), &control).unwrap(), None);
        spoil(&table, &shares, &|shares| merge(&table, shares));
    }
}

/// Where the largest value stands has to be a position of the table: so many piles, none too large.
#[test]
fn a_largest_value_elsewhere_is_refused() {
    let database = Database::empty(grundy_query::Limits::default());
    let table = Table::new(games::END_NIM, 5, 3).unwrap();
    let all = 0..database.count_piece(&table).parts;
    let whole = serde_json::to_value(share(&database, &table, all, Isa::best())).unwrap();
    let merge = |first_maximum: &str| {
        let mut spoilt = whole.clone();
        *spoilt.pointer_mut("/counted/values/first_maximum").unwrap() = json!(first_maximum);
        database.merge_counted(&table, [serde_json::from_value(spoilt).unwrap()])
    };
    assert!(merge("5,5,5").is_ok());
    for text in ["5,6,5", "5,5", "5,5,5,5", "6,6", "", "x"] {
        let refused = merge(text);
        assert!(matches!(refused, Err(MergeError::Impossible { .. })), "{text}: {refused:?}");
    }
}

/// Counts of values end with the largest value that there is, and are as many as can be added up.
#[test]
fn counts_that_cannot_be_are_refused() {
    let database = Database::empty(grundy_query::Limits::default());
    let mut tried = 0;
    for table in tables() {
        let all = 0..database.count_piece(&table).parts;
        let whole = serde_json::to_value(share(&database, &table, all, Isa::best())).unwrap();
        let Some(counts) = whole.pointer("/counted/values/values") else { continue };
        tried += 1;
        let mut longer = counts.as_array().unwrap().clone();
        longer.push(json!(0));
        for spoilt in [json!(longer), json!([u64::MAX, 1]), json!([])] {
            let mut all = whole.clone();
            *all.pointer_mut("/counted/values/values").unwrap() = spoilt.clone();
            let refused = database.merge_counted(&table, [serde_json::from_value(all).unwrap()]);
            let is_refused = matches!(refused, Err(MergeError::Impossible { .. }));
            assert!(is_refused, "{table} {spoilt}: {refused:?}");
        }
    }
    assert!(tried > 10, "{tried}");
}

/// One position more or less than there are, of whatever is counted: of values, of classes in each length,
/// of rows, of sets.
#[test]
fn counts_that_are_not_of_all_positions_are_refused() {
    let database = Database::empty(grundy_query::Limits::default());
    let merge = |game, n, length, spoil: &dyn Fn(&mut Value)| {
        let table = Table::new(game, n, length).unwrap();
        let all = 0..database.count_piece(&table).parts;
        let mut whole = serde_json::to_value(share(&database, &table, all, Isa::best())).unwrap();
        spoil(&mut whole["counted"]);
        let read: CountedShare = serde_json::from_value(whole).unwrap();
        match database.merge_counted(&table, [read]) {
            Ok(_) => true,
            Err(MergeError::Impossible { .. }) => false,
            Err(error) => panic!("{error}"),
        }
    };
    let more = |value: &mut Value| *value = json!(value.as_u64().unwrap() + 1);
    let partizan = |spoil: &dyn Fn(&mut Value)| merge(games::PARTIZAN_END_NIM, 3, 3, spoil);
    assert!(partizan(&|_| ()));
    for length in 0..3 {
        // A word more of one class, and of another length.
        for class in 0..4 {
            assert!(!partizan(&|counted| more(&mut counted["classes"][length][1][class])));
        }
        assert!(!partizan(&|counted| more(&mut counted["classes"][length][0])));
        assert!(
            !partizan(&|counted| _ = counted["classes"].as_array_mut().unwrap().remove(length))
        );
    }
    let nim = |spoil: &dyn Fn(&mut Value)| merge(games::NIM, 5, 3, spoil);
    assert!(nim(&|_| ()) && !nim(&|counted| more(&mut counted["values"]["values"][0])));
    let records = |spoil: &dyn Fn(&mut Value)| merge(games::SHORT_GLOBAL_NIM, 30, 1, spoil);
    assert!(
        records(&|_| ()) && !records(&|counted| more(&mut counted["records"]["counts"]["rows"]))
    );
    let sets = |spoil: &dyn Fn(&mut Value)| merge(games::LONG_GLOBAL_NIM, 6, 1, spoil);
    assert!(sets(&|_| ()) && !sets(&|counted| more(&mut counted["sets"]["counts"]["piles"][3][0])));
}

/// Which parts there are, and which were asked for.
#[test]
fn parts_that_are_not_there_are_named() {
    let database = Database::empty(grundy_query::Limits::default());
    let table = Table::new(games::NIM, 5, 3).unwrap();
    assert_eq!(database.count_piece(&table).parts, 1, "see above");
    let error = database.count_share(&table, 1..3, Isa::best(), &Control::new()).unwrap_err();
    let text = "nim/n5/k3 has 1 parts to be counted, from 0; 1 to 3 are not among them";
    assert_eq!(error.to_string(), text);
}

/// Spoilt in every place and many ways: never a panic, and as many positions as there are.
fn spoil(
    table: &Table,
    shares: &[CountedShare],
    merge: &dyn Fn(&[CountedShare]) -> Result<Counted, MergeError>,
) {
    let all = serde_json::to_value(shares).unwrap();
    let mut places = Vec::new();
    pointers(&all, "", &mut places);
    let spoils = [json!(0), json!(u64::MAX), json!(-1), json!("9,9"), json!(null), json!([])];
    for place in &places {
        for spoilt in &spoils {
            let mut all = all.clone();
            *all.pointer_mut(place).unwrap() = spoilt.clone();
            let Ok(read) = serde_json::from_value::<Vec<CountedShare>>(all) else { continue };
            if let Ok(Counted::Values(counts)) = merge(&read) {
                assert_eq!(counts.positions(), table.positions(), "{place} {spoilt}");
            }
        }
    }
}

/// The place of every value within a value.
fn pointers(value: &Value, at: &str, places: &mut Vec<String>) {
    places.push(at.to_owned());
    match value {
        Value::Array(values) => {
            for (number, value) in values.iter().enumerate() {
                pointers(value, &format!("{at}/{number}"), places);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                pointers(value, &format!("{at}/{name}"), places);
            }
        }
        _ => {}
    }
}
