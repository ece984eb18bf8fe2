//! What is said to take so many bytes takes about as many: what is allocated is counted.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use grundy_kernels::last_move::{self, LastMoves};
use grundy_kernels::multisets::{self, fill, fill_bytes};
use grundy_kernels::records::Records;
use grundy_kernels::subsets::{SetRowValues, SubsetTables};
use grundy_kernels::{Edge, Isa};
use grundy_rules::{Multisets, Pile};

/// The system's allocator, with a count for each thread: bytes there are, and the most there were.
struct Counting;

thread_local! {
    static NOW: Cell<i64> = const { Cell::new(0) };
    static MOST: Cell<i64> = const { Cell::new(0) };
}

fn count(bytes: i64) {
    NOW.set(NOW.get() + bytes);
    MOST.set(MOST.get().max(NOW.get()));
}

// SAFETY: all is done by the system's allocator, with what the caller promised.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as i64 - layout.size() as i64);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// What comes of some work, and the most bytes that it had at a time beyond those there were.
fn taken<R>(work: impl FnOnce() -> R) -> (R, u64) {
    let before = NOW.get();
    MOST.set(before);
    let found = work();
    (found, (MOST.get() - before) as u64)
}

/// The estimate is no less than what was taken but for some small lists, and at most `factor` times
/// as much.
#[track_caller]
fn compare(estimate: u64, taken: u64, factor: f64) {
    assert!(taken <= estimate + 2048, "{taken} bytes, and {estimate} were estimated");
    assert!(estimate as f64 <= factor * taken as f64, "{taken} bytes of {estimate}");
}

#[test]
fn filling_multisets_takes_its_sets() {
    for (n, length, largest) in [(5, 3, 100), (30, 3, 62), (30, 3, 63), (60, 2, 300), (9, 6, 63)] {
        let multisets = Multisets::new(n, length).unwrap();
        let below = Multisets::new(n, length - 1).unwrap();
        // Bouton's theorem.
        let nim_sum = |number| {
            let mut piles = vec![0; length - 1];
            below.unrank(number, &mut piles);
            piles.iter().fold(0, |sum, &pile| sum ^ pile as u16)
        };
        let values: Vec<u16> = (0..below.count()).map(nim_sum).collect();
        let (filled, taken) = taken(|| fill(&multisets, &values, largest, |_| true).unwrap());
        compare(fill_bytes(&multisets, largest), taken - 2 * filled.len() as u64, 1.0);
    }
    // C(5 + 1, 2) = 15 lines of two piles of up to 5, and 101 values and a place that is never taken,
    // in two words.
    assert_eq!(fill_bytes(&Multisets::new(5, 3).unwrap(), 100), 15 * 2 * 8);
}

#[test]
fn rectangles_of_nim_take_their_lines() {
    for piles in [&[40, 30, 20][..], &[90, 5], &[7; 5], &[500, 400], &[100; 3]] {
        let rectangle = multisets::Rectangle::new(piles);
        let (_, taken) = taken(|| rectangle.evaluate(true, |_| true).unwrap());
        // With the values of the options, four bytes each in a list that was doubled.
        let coins: Pile = piles.iter().sum();
        compare(rectangle.bytes() as u64 + 8 * u64::from(coins), taken, 2.0);
        assert!(rectangle.bytes() <= taken as f64);
    }
    let rectangle = multisets::Rectangle::new(&[2, 4, 3]);
    // 5 * 4 * 3 points; 4 * 3 lines along the pile of 4, 5 * 3 along that of 3, one at a time along
    // that of 2, and nine coins fit a word.
    assert_eq!((rectangle.points(), rectangle.bytes()), (60.0, 8.0 * (12.0 + 15.0 + 1.0)));
    // 130 coins: three words.
    let rectangle = multisets::Rectangle::new(&[130]);
    assert_eq!((rectangle.points(), rectangle.bytes()), (131.0, 24.0));
    let nothing = multisets::Rectangle::new(&[]);
    assert_eq!((nothing.points(), nothing.bytes()), (1.0, 8.0));
}

/// By the rule that the documentation states: 2 ns a point; of each pile 1 ns more, and 0.3 ns for
/// each word of a line.
#[test]
fn seconds_of_rectangles_of_nim() {
    let close = |found: f64, expected: f64| (found / expected - 1.0).abs() < 1e-9;
    // 1998 coins take 32 words: 2 + 2 (1 + 9.6) = 23.2.
    let square = multisets::Rectangle::new(&[999, 999]);
    assert!(close(square.seconds(), 1e6 * 23.2e-9), "{}", square.seconds());
    // 3 coins take one: 2 + 3 * 1.3 = 5.9.
    let cube = multisets::Rectangle::new(&[1, 1, 1]);
    assert!(close(cube.seconds(), 8.0 * 5.9e-9), "{}", cube.seconds());
    assert_eq!(multisets::Rectangle::new(&[u32::MAX; 40]).points(), f64::INFINITY);
}

#[test]
fn rectangles_of_last_moves_take_their_values() {
    for piles in [&[40, 30][..], &[7, 6, 5], &[300], &[3; 5]] {
        let rectangle = last_move::Rectangle::new(piles);
        let estimate = rectangle.bytes() as u64;
        let (whole, taken) = taken(|| rectangle.evaluate(|_| true).unwrap());
        compare(estimate, taken, 1.0);
        assert_eq!(whole.row(piles).len(), piles.iter().copied().max().unwrap() as usize + 1);
    }
    let rectangle = last_move::Rectangle::new(&[3, 1, 2]);
    // 4 * 2 * 3 points, with the last moves 0 to 3, in two bytes.
    assert_eq!((rectangle.dimensions(), rectangle.cells()), (3, 96.0));
    assert_eq!(rectangle.bytes(), 192.0);
    // Values up to 65535 fit 16 bits.
    let bytes = |piles: &[Pile]| last_move::Rectangle::new(piles).bytes();
    assert_eq!(bytes(&[65_535]), 2.0 * 65_536.0 * 65_536.0);
    assert_eq!((bytes(&[65_536]), bytes(&[65_534, 2])), (f64::INFINITY, f64::INFINITY));
    assert!(bytes(&[65_534, 1]).is_finite());
    let nothing = last_move::Rectangle::new(&[]);
    assert_eq!((nothing.dimensions(), nothing.cells()), (0, 1.0));
}

/// By the rule that the documentation states: 20 ns a point, 3 ns for each option, of which there are
/// half as many as coins, and 0.3 ns for each last move.
#[test]
fn seconds_of_rectangles_of_last_moves() {
    let found = last_move::Rectangle::new(&[9, 99]).seconds();
    // 10 * 100 points, 108 coins, 100 last moves: 20 + 3 * 54 + 30 = 212.
    assert!((found / (1000.0 * 212e-9) - 1.0).abs() < 1e-9, "{found}");
}

#[test]
fn levels_of_last_moves_take_their_values() {
    let mut level = LastMoves::empty(12);
    for length in 1..=4 {
        let multisets = Multisets::new(12, length).unwrap();
        let (next, taken) = taken(|| level.with_another_pile(|_| true).unwrap());
        compare(LastMoves::bytes(&multisets), taken, 1.0);
        level = next;
    }
    // C(6 + 2, 3) = 56 multisets with the last moves 0 to 6.
    assert_eq!(LastMoves::bytes(&Multisets::new(6, 3).unwrap()), 56 * 7 * 2);
}

/// The options of all multisets, of equal piles once, counted one by one.
#[test]
fn work_of_levels_is_about_the_options() {
    for (n, length) in [(8, 2), (20, 3), (40, 2), (12, 4), (60, 1)] {
        let multisets = Multisets::new(n, length).unwrap();
        let mut piles = vec![1; length];
        let mut options = 0.0;
        loop {
            let mut different = piles.clone();
            different.dedup();
            options += f64::from(different.iter().sum::<Pile>());
            if !multisets.step(&mut piles) {
                break;
            }
        }
        let work = LastMoves::work(&multisets);
        assert!(options < 1.1 * work && work < 1.5 * options, "{n} {length}: {work} of {options}");
    }
    // C(8 + 1, 2) = 36 multisets of 8 coins on the average, and an eighth of the largest pile for
    // the row.
    assert_eq!(LastMoves::work(&Multisets::new(8, 2).unwrap()), 36.0 * (8.0 + 1.0));
}

#[test]
fn records_take_what_was_measured() {
    for last in [3_000, 100_000, 300_000] {
        let run = || {
            let mut records = Records::new(last);
            (0..last).for_each(|_| _ = records.next_row());
        };
        let ((), taken) = taken(run);
        let estimate = Records::bytes(last);
        assert!(taken <= estimate, "{last}: {taken} of {estimate}");
        assert!(estimate <= 2 * taken + (1 << 20), "{last}: {taken} of {estimate}");
    }
    // 20 bytes a row, 8 for each value up to half as many and two more, and 2^20.
    assert_eq!(Records::bytes(1000), 20_000 + 8 * 502 + 1_048_576);
}

#[test]
fn edges_take_their_sets() {
    for isa in Isa::available() {
        for (a, b) in [(3, 500), (64, 4000), (2000, 50), (130, 200), (700, 65), (300, 300)] {
            // Any values will do.
            let border = |n: usize| -> Vec<u32> { (1..=n as u32).collect() };
            let (row, col) = (border(b), border(a));
            let compute = || Edge::new(isa).compute(&row, &col);
            let ((), taken) = taken(compute);
            compare(Edge::bytes(a, b), taken, 1.0);
            assert_eq!(Edge::bytes(a, b), Edge::bytes(b, a));
        }
    }
    // Of one word a row: 26 bytes, and 4 for each value of the edge.
    assert_eq!((Edge::bytes(100, 30), Edge::bytes(100, 64)), (2600 + 520, 2600 + 656));
    // Both sides fit a word: the longer lies along the columns, and there are 3 rows.
    assert_eq!(Edge::bytes(60, 3), 26 * 3 + 4 * 63);
    // Far more rows than columns: 100 + 3 + 1 sets and one of columns, of a word each.
    assert_eq!(Edge::bytes(100, 3), 105 * 8 + 4 * 103);
    // 200 + 130 + 1 sets of values, and one of columns, of three words each.
    assert_eq!(Edge::bytes(130, 200), 332 * 3 * 8 + 4 * 330);
    // With 65 columns of two words.
    assert_eq!(Edge::bytes(65, 100), 167 * 2 * 8 + 4 * 165);
}

#[test]
fn levels_take_their_blocks() {
    for max_pile in [0, 5, 9, 10, 17] {
        let levels = || {
            let mut tables = SubsetTables::new(Isa::best());
            tables.extend(max_pile).unwrap();
            tables
        };
        let (_, taken) = taken(levels);
        // Besides, the list of levels, and what brings each to a line of the cache.
        compare(SubsetTables::bytes(max_pile) + 100 * u64::from(max_pile), taken, 1.1);
        assert!(SubsetTables::bytes(max_pile) <= taken);
    }
}

/// One byte for each position; and four for each set while the row of the largest pile is filled.
#[test]
fn rows_of_sets_take_their_values() {
    for (piles, max_pile) in [(1, 12), (2, 10), (3, 8)] {
        let (_, taken) =
            taken(|| SetRowValues::new(Isa::best(), piles, max_pile, 1 << 24).unwrap());
        compare(SetRowValues::bytes(piles, max_pile) + (4 << max_pile), taken, 1.0);
    }
    // One pile of 0, 1, 2 or 3 has 1 + 2 + 4 + 8 sets. Two of up to 2: (0,0), two with 1 and three
    // with 2.
    assert_eq!((SetRowValues::bytes(1, 3), SetRowValues::bytes(2, 2)), (15, 1 + 2 * 2 + 3 * 4));
}
