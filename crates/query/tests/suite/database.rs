//! Tests answers from whole, partial, missing and damaged databases.

use grundy_sweep::MemoryLimit;
use std::fs;

use grundy_builder::Request;
use grundy_query::{Access, Database, Difference, Limits, Problem, QueryError, Source};
use grundy_rules::{Pile, Position, Table, games};
use grundy_shard::manifest::Manifest;
use grundy_shard::{Description, Shard};
use grundy_solvers::Stored;
use grundy_testing::database::{encoded, forge};
use tempfile::TempDir;

use crate::common::{QUICK, checked, database, only, open, table};

fn end_nim(max_pile: Pile, length: usize) -> (TempDir, Database) {
    let request = Request::new(games::END_NIM_GAMES.to_vec(), max_pile);
    database(Request { length: Some(length), ..request })
}

#[test]
fn unknown_tables_are_reported() {
    let (folder, _db) = end_nim(4, 2);
    let mut manifest = Manifest::read(folder.path()).unwrap().unwrap();
    let entry = manifest.tables["end-nim/n4/k2"].clone();
    for id in ["chess/n4/k2", "end-nim/n04/k2", "end-nim/n4/k2/", "end-nim/n4", "END-NIM/n4/k2"] {
        manifest.tables.insert(id.to_owned(), entry.clone());
    }
    manifest.publish(folder.path()).unwrap();
    let db = open(folder.path());
    assert_eq!(db.unknown().len(), 5);
    let problems = checked(&db, &QUICK).problems;
    assert_eq!(problems.len(), 5);
    assert!(problems.iter().all(|problem| matches!(problem, Problem::Unknown { .. })));
    let found = checked(&db, &only("end-nim/n4/k2"));
    assert_eq!((found.tables, found.problems.len()), (1, 1));
}

/// Mapped files and read files give the same answers. If a file was shortened since it was opened,
/// a look-up returns an error.
#[test]
fn files_are_read_without_mapping() {
    let (folder, mapped) = end_nim(32, 4);
    let read = Database::open_by(folder.path(), Limits::default(), Access::Read).unwrap();
    let answer = |db: &Database, piles: &[Pile]| db.answer(games::END_NIM, Position::row(piles));
    let is_mapped = || {
        let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
        cfg!(target_os = "linux").then(|| maps.contains(folder.path().to_str().unwrap()))
    };
    let positions = [&[3, 1, 1, 4][..], &[5, 5, 5, 5], &[2, 5, 1, 3], &[4]];
    let found = positions.map(|piles| answer(&read, piles).unwrap());
    assert_ne!(is_mapped(), Some(true));
    assert!(found.iter().all(|found| found.source == Source::Table));
    assert_eq!(found, positions.map(|piles| answer(&mapped, piles).unwrap()));
    assert_ne!(is_mapped(), Some(false));
    let stored = table(&read, "end-nim/n32/k4");
    assert!(stored.frames() > 4);
    let path = stored.shard_path(0);
    let length = fs::metadata(&path).unwrap().len();
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(length / 2).unwrap();
    // The first frame is in memory, so it still gives answers; the last frames were cut off.
    assert_eq!(answer(&read, &[3, 1, 1, 4]).unwrap(), answer(&mapped, &[3, 1, 1, 4]).unwrap());
    let error = answer(&read, &[3, 31, 32, 4]).unwrap_err();
    assert!(matches!(error, QueryError::Damaged { .. }), "{error}");
}

/// Look-ups at random places in a table that does not fit into memory are slow. So the database
/// soon computes values from shorter tables. The values stay the same.
#[test]
fn a_large_table_asked_at_random_is_computed() {
    let (folder, all) = end_nim(32, 5);
    let table = Table::new(games::LOOP_END_NIM, 32, 5).unwrap();
    // The tables of lengths 1 to 4 fit into half of this memory. The tables of length 5 do not.
    let limits = Limits { memory: MemoryLimit::new(4 << 20), ..Limits::default() };
    let little = Database::open_within(folder.path(), limits).unwrap();
    assert!(!little.table(&table).unwrap().is_resident());
    assert!(all.table(&table).unwrap().is_resident());
    let mut sources = Vec::new();
    for at in 0..1000u64 {
        let offset = at * 2_654_435_761 % table.cells();
        let position = table.position(offset).unwrap();
        let (found, expected) = (
            little.answer(games::LOOP_END_NIM, &position).unwrap(),
            all.answer(games::LOOP_END_NIM, &position).unwrap(),
        );
        assert_eq!(found.value, expected.value, "{position}");
        assert_eq!(expected.source, Source::Table);
        sources.push(found.source);
    }
    assert_eq!(sources[0], Source::Table);
    assert!(sources.contains(&Source::TableAndComputed));
}

#[test]
fn lines_of_cells_cross_frames() {
    let (folder, all) = end_nim(130, 3);
    let table = Table::new(games::END_NIM, 130, 3).unwrap();
    // The table has 130 tiles of 130 x 130 values of two bytes. A frame of 64 KiB has one tile.
    assert_eq!(all.table(&table).unwrap().frames(), 130);
    let recent = Database::open_within(
        folder.path(),
        Limits { memory: MemoryLimit::new(1 << 20), ..Limits::default() },
    );
    for (db, is_resident) in [(&all, true), (&recent.unwrap(), false)] {
        let stored: &dyn Stored = db.table(&table).unwrap();
        assert_eq!(stored.is_resident(), is_resident);
        let mut out = vec![7];
        for (first, step, count) in
            [(0, 1, 40_000), (16_899, 1, 2), (16_890, 7, 20_000), (129, 16_900, 130), (5, 130, 1)]
        {
            stored.cells(first, step, count, &mut out).unwrap();
            assert_eq!(out.len(), count);
            for at in (0..count).step_by(611).chain([count - 1]) {
                let cell = stored.cell(first + step * at as u64).unwrap();
                assert_eq!(out[at], cell, "{first} {step} {at}");
            }
        }
    }
}

/// Half of the memory is for resident tables, and the smallest tables take it first. The nine
/// tables of up to three piles of up to 32 have 3 (32 + 32^2 + 32^3) = 101,472 bytes; each table of
/// four piles has 528 middles of 32^2.
#[test]
fn tables_that_fit_into_half_of_the_memory_stay_there() {
    let (folder, _db) = end_nim(32, 4);
    for (memory, expected) in [
        (2 * (101_472 + 540_672), 10),
        (2 * (101_471 + 540_672), 9),
        (2 * 101_472, 9),
        (2 * 101_471, 8),
        (1 << 30, 12),
    ] {
        let db = Database::open_within(
            folder.path(),
            Limits { memory: MemoryLimit::new(memory), ..Limits::default() },
        )
        .unwrap();
        let resident = db.tables().iter().filter(|stored| stored.is_resident()).count();
        assert_eq!(resident, expected, "{memory}");
    }
}

/// A shard of the right table is refused if its header has another shard number or another number
/// of tiles.
#[test]
fn a_shard_of_another_division_is_refused() {
    let (folder, db) = end_nim(9, 3);
    let table = Table::new(games::END_NIM, 9, 3).unwrap();
    let path = db.table(&table).unwrap().shard_path(0);
    drop(db);
    let sound = Shard::open(fs::read(&path).unwrap()).unwrap();
    let refusal = |spoil: fn(&mut Description)| {
        let mut description = sound.description().clone();
        spoil(&mut description);
        let values = vec![1; description.value_len() as usize];
        forge(folder.path(), &table, &encoded(&description, &values));
        open(folder.path()).answer(games::END_NIM, Position::row(&[1, 2, 3]))
    };
    assert_eq!(refusal(|_| ()).unwrap().value, Some(1));
    let spoils: [fn(&mut Description); 6] = [
        |is| is.tiles_per_frame = 4,
        |is| is.tiles = 8,
        |is| (is.tile_rows, is.tiles) = (3, 27),
        |is| (is.tile_cols, is.tiles) = (3, 27),
        |is| is.shards = 2,
        |is| (is.first_tile, is.shard, is.shards) = (9, 1, 2),
    ];
    for (at, spoil) in spoils.into_iter().enumerate() {
        let refused = refusal(spoil);
        let Err(QueryError::Foreign { what, .. }) = refused else { panic!("{at}: {refused:?}") };
        assert_eq!(what, Difference::Place, "{at}");
    }
}
