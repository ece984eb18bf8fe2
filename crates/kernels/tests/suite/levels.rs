//! Compares counts and places of values with those that a loop finds, and tests invalid arguments.

use std::panic::{AssertUnwindSafe, catch_unwind};

use grundy_kernels::Isa;
use grundy_kernels::subsets::{Block, PileTooLarge, SetRowValues, SetRowsError, SubsetTables};

const EMPTY: Block = [[0; 8]; 3];

fn tables(max_pile: u32) -> SubsetTables {
    let mut tables = SubsetTables::new(Isa::best());
    tables.extend(max_pile).unwrap();
    tables
}

/// Returns the set with this index. Bit j of the index is move n - j.
fn set_of(n: u32, index: u64) -> u64 {
    (0..n).filter(|j| index >> j & 1 == 1).map(|j| 1 << (n - j - 1)).sum()
}

fn refuses(work: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(work)).is_err()
}

#[test]
fn values_are_counted() {
    for isa in Isa::available() {
        let mut tables = SubsetTables::new(isa);
        assert_eq!(tables.isa(), isa);
        tables.extend(12).unwrap();
        assert_eq!(tables.max_pile(), 12);
        for n in 0..=12 {
            // Counts are added to existing counts.
            let mut expected = [5; 8];
            (0..1 << n).for_each(|set| expected[usize::from(tables.value(n, set))] += 1);
            let mut counts = [5; 8];
            tables.count(n, tables.level(n), &mut counts);
            assert_eq!(counts, expected, "level {n}");
        }
        // Count half of a level.
        let half = &tables.level(12)[4..];
        let mut expected = [0; 8];
        (4 * 512..8 * 512)
            .for_each(|index| expected[usize::from(tables.value(12, set_of(12, index)))] += 1);
        let mut counts = [0; 8];
        tables.count(12, half, &mut counts);
        assert_eq!(counts, expected);
    }
}

/// Writes values into the bit planes of a block, and searches for the first place of each value.
#[test]
fn every_value_has_its_first_place() {
    let mut blocks = [EMPTY; 3];
    // Write from the last place to the first, so that value v is first at 64 v + 9.
    for at in [70usize, 63, 9] {
        for value in 1..8 {
            let place = 512 + 64 * value + at;
            let (block, word, bit) = (place / 512, place / 64 % 8, place % 64);
            for (plane, words) in blocks[block].iter_mut().enumerate() {
                words[word] &= !(1 << bit);
                words[word] |= (value as u64 >> plane & 1) << bit;
            }
        }
    }
    assert_eq!(SubsetTables::first_place(&blocks, 0), Some(0));
    assert_eq!(SubsetTables::first_place(&blocks[1..], 0), Some(0));
    for value in 1..8u8 {
        let expected = 64 * u64::from(value) + 9;
        assert_eq!(SubsetTables::first_place(&blocks, value), Some(512 + expected), "{value}");
        assert_eq!(SubsetTables::first_place(&blocks[1..], value), Some(expected));
        // The third block contains the value 7 once, at 512 + 64 * 7 + 70 = 2 * 512 + 6.
        let last = (value == 7).then_some(6);
        assert_eq!(SubsetTables::first_place(&blocks[2..], value), last);
    }
    assert_eq!(SubsetTables::first_place(&[], 0), None);
    // Each value occurs in three places.
    let mut counts = [0; 8];
    SubsetTables::new(Isa::best()).count(20, &blocks, &mut counts);
    assert_eq!((counts[0], &counts[1..]), (3 * 512 - 7 * 3, &[3; 7][..]));

    let tables = tables(13);
    for n in 9..=13 {
        for value in 0..8 {
            let found = (0..1u64 << n).find(|&index| tables.value(n, set_of(n, index)) == value);
            assert_eq!(SubsetTables::first_place(tables.level(n), value), found, "{n} {value}");
        }
    }
}

/// Pieces must be whole grains within the level, and the levels below must exist.
#[test]
fn pieces_outside_a_level_are_refused() {
    let tables = tables(20);
    let fill = |n, first, blocks| refuses(|| tables.fill(n, first, &mut vec![EMPTY; blocks]));
    // Level 21 has 2^12 blocks, which are filled two at a time.
    assert!(!fill(21, 0, 2) && !fill(21, 4094, 2) && !fill(21, 6, 4));
    assert!(fill(21, 1, 2) && fill(21, 0, 1) && fill(21, 0, 3));
    assert!(fill(21, 4096, 2) && fill(21, 4094, 4));
    // Level 22 cannot be filled yet.
    assert!(!fill(20, 0, 2) && fill(22, 0, 2) && fill(36, 0, 64));
    // Level 10 has two blocks, which are filled one at a time.
    assert!(!fill(10, 1, 1) && fill(10, 1, 2) && fill(10, 2, 1));

    let mut more = tables.clone();
    let next = tables.next_level().unwrap();
    assert_eq!(next.n(), 21);
    more.push(next.clone());
    assert_eq!(more.max_pile(), 21);
    assert!(refuses(|| more.push(next)));
    assert_eq!(more.extend(36), Err(PileTooLarge(36)));
    assert_eq!(more.max_pile(), 21);
    let text = "a pile of 36 coins has values above 7; tables of all sets go up to 35";
    assert_eq!(PileTooLarge(36).to_string(), text);
}

/// A run begins and ends with a whole cell. Within a level it consists of whole blocks of 32 cells.
#[test]
fn runs_with_partial_cells_are_refused() {
    let tables = tables(12);
    let pack = |first, bytes| {
        let mut out = vec![0xAA; bytes];
        let refused = refuses(|| tables.pack_cells(first, &mut out, &mut Vec::new()));
        (!refused).then_some(out)
    };
    // Level 12 has the cells 256 to 511, and level 13 the cells 512 to 1023.
    let whole = pack(0, 4 * 1024).unwrap();
    for (first, cells) in [(0, 1), (0, 2), (256, 32), (288, 64), (480, 32), (512, 512), (1, 127)] {
        let found = pack(first, 4 * cells).unwrap();
        assert!(found[..] == whole[4 * first as usize..][..4 * cells], "{first} {cells}");
    }
    assert_eq!(pack(5, 0), Some(Vec::new()));
    assert!(pack(0, 3).is_none() && pack(256, 130).is_none());
    assert!(pack(257, 4 * 32).is_none(), "it begins within a block");
    assert!(pack(1024, 4 * 32).is_none(), "level 14 does not follow yet");
}

/// One pile of at most 3 coins has 1 + 2 + 4 + 8 = 15 positions, which take 15 bytes.
#[test]
fn tables_of_several_piles_have_a_largest_size() {
    let refusal = |piles, max_pile, memory| {
        let made = SetRowValues::new(Isa::best(), piles, max_pile, memory);
        made.err().map(|error| error.to_string())
    };
    for (piles, max_pile) in [(0, 3), (0, 5), (32, 1), (1, 32)] {
        let said =
            format!("{piles} piles of {max_pile} coins: tables have 1 to 31 piles of up to 31");
        assert_eq!(refusal(piles, max_pile, 1 << 20), Some(said));
    }
    for (piles, max_pile, least) in [(1, 3, 15), (2, 18, 9_437_185)] {
        assert_eq!(refusal(piles, max_pile, least), None);
        let less = least - 1;
        let said =
            format!("{piles} piles of {max_pile} coins need {least} bytes; the limit is {less}");
        assert_eq!(refusal(piles, max_pile, less), Some(said));
    }
    assert_eq!((refusal(31, 1, 1 << 20), refusal(2, 0, 1)), (None, None));
    assert!(refusal(1, 31, 1 << 20).is_some_and(|said| said.contains(" bytes; the limit is ")));
    assert_eq!(SetRowValues::bytes(31, 31), u64::MAX, "more than can be counted");
    let table = SetRowValues::new(Isa::best(), 3, 5, 1 << 20).unwrap();
    assert_eq!((table.piles(), table.max_pile()), (3, 5));
    // Positions with too many or too large piles have no value. The empty position has a value.
    assert_eq!((table.value(&[1, 2, 3, 4], 7), table.value(&[6], 7)), (None, None));
    assert_eq!(table.value(&[0, 0, 0, 0], 7), Some(0));
    let none = SetRowValues::new(Isa::best(), 2, 0, 1).unwrap();
    let values = [&[][..], &[0, 0], &[1]].map(|piles| none.value(piles, 7));
    assert_eq!((values, none.sets(&[0])), ([Some(0), Some(0), None], Some(&[0][..])));
}

/// There are C(3 + 2, 2) = 10 rows of two piles of 0 to 3.
#[test]
fn the_stop_function_is_called_before_each_row() {
    let rows = |stop: usize| {
        let mut calls = 0;
        let made = SetRowValues::watched(Isa::best(), 2, 3, 1 << 20, &mut || {
            calls += 1;
            calls < stop
        });
        (made.map(|_| ()), calls)
    };
    assert_eq!(rows(100), (Ok(()), 10));
    assert_eq!(rows(11), (Ok(()), 10));
    assert_eq!(rows(10), (Err(SetRowsError::Stopped), 10));
    assert_eq!(rows(1), (Err(SetRowsError::Stopped), 1));
}
