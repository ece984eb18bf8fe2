//! The sources of values for the statements of the papers.

use grundy::MemoryLimit;
use grundy::papers::{Flaw, Means, Tables};
use grundy::{Control, Database, Isa, Level, Table, games};
use grundy_sweep::{Fold, Tile};
use grundy_theory::TileSource as _;

use crate::common::built;

/// Counts zeros and positions.
struct Zeros;

impl Fold<u8> for Zeros {
    type Acc = (u64, u64);
    fn start(&self) -> (u64, u64) {
        (0, 0)
    }
    fn tile(&self, acc: &mut (u64, u64), tile: Tile<'_, u8>) {
        let zeros = tile.values.iter().filter(|&&value| value == 0).count() as u64;
        acc.0 += tile.weight() * zeros;
        acc.1 += tile.weight() * tile.values.len() as u64;
    }
    fn merge(&self, left: (u64, u64), right: (u64, u64)) -> (u64, u64) {
        (left.0 + right.0, left.1 + right.1)
    }
}

/// Flaws of your own claims have the same words as those of the papers.
#[test]
fn flaws_have_the_same_words() {
    let flaws = [Flaw::Misprint(""), Flaw::False, Flaw::Convention];
    assert_eq!(flaws.map(Flaw::word), grundy::FLAWS);
}

/// Cairns and Ho 2011: three piles are a P-position iff they read a, b, a with b other than a.
#[test]
fn stored_tables_are_read_and_others_computed() {
    let (_folder, database) = built(games::END_NIM, 4, 3);
    let means = Means {
        isa: Isa::best(),
        memory: MemoryLimit::new(1 << 30),
        threads: 2,
        certificate: None,
        keeper: None,
    };
    let mut tables = Tables::new(&database, &means);
    assert!(format!("{tables:?}").contains("folder"));
    let expected: Vec<Table> =
        database.tables().iter().map(|stored| stored.table().clone()).collect();
    assert_eq!((tables.tables(), expected.len()), (expected, 3));
    let control = Control::new();
    for (max_pile, is_stored) in [(4, true), (5, false)] {
        let table = Table::new(games::END_NIM, max_pile, 3).unwrap();
        assert_eq!(tables.parts(&table), 1);
        let swept = tables.fold::<u8, Zeros>(&table, 0..1, &control, &Zeros).unwrap();
        let n = u64::from(max_pile);
        assert_eq!((swept.acc, swept.complete), ((n * (n - 1), n * n * n), true));
        let mut values = Vec::new();
        let shown = tables.each_block(&table, &mut |first, cells: &[u32]| {
            assert_eq!(first, values.len() as u64);
            values.extend_from_slice(cells);
            true
        });
        shown.unwrap();
        let mut cells = Vec::new();
        let level = Level::new(games::END_NIM, 3, max_pile).unwrap().database(&database);
        let keep = |block: &grundy::Block<'_>| {
            block.each_cell(|at, _| cells.push(at.value));
            true
        };
        level.each(keep).unwrap();
        assert_eq!(values, if is_stored { cells } else { Vec::new() });
    }
    // A part for each inner word, of one pile.
    let five = Table::new(games::END_NIM, 4, 5).unwrap();
    let empty = Database::empty();
    assert_eq!(Tables::new(&empty, &means).parts(&five), 4);
    assert!(Tables::new(&empty, &means).tables().is_empty());
}
