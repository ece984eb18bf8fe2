//! Rows and tiles of positions, and records of single piles, against the reference.

use grundy_builder::{Plan, Request, build};
use grundy_query::{Database, QueryError};
use grundy_rules::reference::Reference;
use grundy_rules::{Game, Pile, Position, games};
use grundy_shard::manifest::Manifest;
use grundy_sweep::Control;
use tempfile::TempDir;

fn database(games: &[Game]) -> (TempDir, Database) {
    let folder = tempfile::tempdir().unwrap();
    let request = Request { length: Some(3), single: Some(30), ..Request::new(games.to_vec(), 6) };
    let plan = Plan::new(request, &Manifest::default()).unwrap();
    build(&plan, folder.path(), &Control::new(), |_| ()).unwrap();
    let opened = Database::open(folder.path()).unwrap();
    (folder, opened)
}

/// Within the tables, beyond them and without any; (word, b) for all b, and (a, middle, b) row by row.
#[test]
fn rows_and_tiles_are_those_of_their_positions() {
    let (_folder, stored) = database(&[games::END_NIM, games::NIM]);
    let empty = Database::empty();
    assert!(!empty.exists() && empty.tables().is_empty());
    for (game, db) in
        [games::END_NIM, games::NIM].into_iter().flat_map(|game| [(game, &stored), (game, &empty)])
    {
        let mut reference = Reference::new(game);
        // The piles of Nim stand in ascending order.
        let mut value = |piles: &[Pile]| {
            let mut piles = piles.to_vec();
            if game == games::NIM {
                piles.sort_unstable();
            }
            Some(reference.value(&Position::new(piles).unwrap()))
        };
        for word in [&[][..], &[3], &[3, 1], &[2, 5, 4]] {
            let row = db.row(game, word, 9).unwrap();
            let found: Vec<Option<u32>> = row.iter().map(|answer| answer.value).collect();
            let expected: Vec<_> = (1..=9).map(|b| value(&[word, &[b]].concat())).collect();
            assert_eq!(found, expected, "{game} {word:?}");
            let tile = db.tile(game, word, 4).unwrap();
            let found: Vec<Option<u32>> =
                tile.rows().flatten().map(|answer| answer.value).collect();
            let cells = (1..=4).flat_map(|a| (1..=4).map(move |b| (a, b)));
            let expected: Vec<_> =
                cells.map(|(a, b)| value(&[&[a], word, &[b]].concat())).collect();
            assert_eq!(found, expected, "{game} {word:?}");
        }
        assert!(matches!(db.row(game, &[3, 0], 2), Err(QueryError::Position(_))));
        assert!(matches!(db.tile(game, &[0], 2), Err(QueryError::Position(_))));
    }
}

/// g(n), and m = n - k of each k for which *(n, k) is another value, as far as somebody wants them.
#[test]
fn records_are_those_of_single_piles() {
    const GAME: Game = games::SHORT_GLOBAL_NIM;
    let (_folder, stored) = database(&[GAME]);
    let empty = Database::empty();
    for (db, last) in [(&stored, 25), (&stored, 40), (&empty, 40)] {
        let mut reference = Reference::new(GAME);
        let mut n = 0;
        db.each_record(GAME, last, |value, exceptions| {
            n += 1;
            let mut of = |k| reference.value(&Position::after(vec![n], k));
            let free = of(0);
            let expected: Vec<Pile> =
                (1..=n).rev().filter(|&k| of(k) != free).map(|k| n - k).collect();
            assert_eq!((value, exceptions), (free, &expected[..]), "{n}");
            true
        })
        .unwrap();
        assert_eq!(n, last);
        let mut shown = 0;
        let stop = |_: u32, _: &[Pile]| {
            shown += 1;
            shown < 7
        };
        db.each_record(GAME, last, stop).unwrap();
        assert_eq!(shown, 7);
    }
    let error = stored.each_record(games::NIM, 9, |_, _| true).unwrap_err();
    assert!(matches!(error, QueryError::NoRecords { game: "nim" }), "{error}");
}
