//! Compares estimates of memory and work with counted allocations and options.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use grundy_kernels::last_move::{self, LastMoves};
use grundy_kernels::multisets::{self, fill, fill_bytes};
use grundy_kernels::records::Records;
use grundy_kernels::subsets::{SetRowValues, SubsetTables};
use grundy_kernels::{Edge, Isa};
use grundy_rules::{Multisets, Pile};

/// The system's allocator, with two counters for each thread: current and peak bytes.
struct Counting;

thread_local! {
    static NOW: Cell<i64> = const { Cell::new(0) };
    static MOST: Cell<i64> = const { Cell::new(0) };
}

fn count(bytes: i64) {
    NOW.set(NOW.get() + bytes);
    MOST.set(MOST.get().max(NOW.get()));
}

// SAFETY: the system's allocator does all the work, and the caller keeps its conditions.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller keeps the conditions of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller keeps the conditions of the system's allocator.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: the caller keeps the conditions of the system's allocator.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as i64 - layout.size() as i64);
        // SAFETY: the caller keeps the conditions of the system's allocator.
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Runs `work`, and returns the peak of the memory that it allocates, in bytes.
fn taken<R>(work: impl FnOnce() -> R) -> u64 {
    let before = NOW.get();
    MOST.set(before);
    let _found = work();
    (MOST.get() - before) as u64
}

/// A piece of work of one size, with its estimated and measured costs.
struct Case {
    estimate: u64,
    measure: Box<dyn FnOnce() -> u64>,
}

fn case(estimate: u64, measure: impl FnOnce() -> u64 + 'static) -> Case {
    Case { estimate, measure: Box::new(measure) }
}

fn multisets(n: Pile, length: usize) -> Multisets {
    Multisets::new(n, length).unwrap()
}

/// Returns each kind of work at growing sizes. The number in an entry says by how much an estimate
/// may exceed twice the measured cost.
fn cases() -> Vec<(&'static str, u64, Vec<Case>)> {
    let fills = [(5, 3, 63), (30, 3, 63), (60, 3, 127)].map(|(n, length, largest)| {
        let (all, below) = (multisets(n, length), multisets(n, length - 1));
        let values = 2 * all.count();
        case(fill_bytes(&all, largest) + values, move || {
            // The values are nim-sums, by Bouton's theorem.
            let nim_sum = |number| {
                let mut piles = vec![0; length - 1];
                below.unrank(number, &mut piles);
                piles.iter().fold(0, |sum, &pile| sum ^ pile as u16)
            };
            let values: Vec<u16> = (0..below.count()).map(nim_sum).collect();
            taken(|| fill(&all, &values, largest, |_| true).unwrap())
        })
    });
    let nim = [&[90, 5][..], &[40, 30, 20], &[7; 5], &[90; 3]].map(|piles| {
        let rectangle = multisets::Rectangle::new(piles);
        case(rectangle.bytes() as u64, move || {
            taken(|| rectangle.evaluate(&[1; 90], |_| true).unwrap())
        })
    });
    let last_moves = [&[3; 5][..], &[40, 30], &[300]].map(|piles| {
        let rectangle = last_move::Rectangle::new(piles);
        case(rectangle.bytes() as u64, move || taken(|| rectangle.evaluate(|_| true).unwrap()))
    });
    let levels = (1..=4).map(|length| {
        case(LastMoves::bytes(&multisets(12, length)), move || {
            let mut level = LastMoves::empty(12);
            (1..length).for_each(|_| level = level.with_another_pile(|_| true).unwrap());
            taken(|| level.with_another_pile(|_| true).unwrap())
        })
    });
    // Here the measured cost is the number of options, not memory. Equal piles count once.
    let options = [(8, 2), (60, 2), (60, 3)].map(|(n, length)| {
        let all = multisets(n, length);
        case(LastMoves::work(&all) as u64, move || {
            let (mut piles, mut options) = (vec![1; length], 0);
            loop {
                let mut different = piles.clone();
                different.dedup();
                options += u64::from(different.iter().sum::<Pile>());
                if !all.step(&mut piles) {
                    return options;
                }
            }
        })
    });
    let records = [3_000, 100_000, 300_000].map(|last| {
        case(Records::bytes(last), move || {
            taken(|| {
                let mut records = Records::new(last);
                (0..last).for_each(|_| _ = records.next_row());
            })
        })
    });
    let edge = |isa: Isa| {
        [(3, 500), (130, 200), (300, 300), (700, 650)].map(|(a, b)| {
            assert_eq!(Edge::bytes(a, b), Edge::bytes(b, a));
            case(Edge::bytes(a, b), move || {
                // Any border values suffice.
                let border = |n: usize| -> Vec<u32> { (1..=n as u32).collect() };
                let (row, col) = (border(b), border(a));
                taken(|| Edge::new(isa).compute(&row, &col))
            })
        })
    };
    let sets = [9, 10, 17].map(|max_pile| {
        case(SubsetTables::bytes(max_pile), move || {
            taken(|| {
                let mut tables = SubsetTables::new(Isa::best());
                tables.extend(max_pile).unwrap();
                tables
            })
        })
    });
    // Filling a row takes four more bytes for each of its sets.
    let rows = [(2, 8), (2, 10), (3, 10)].map(|(piles, max_pile)| {
        case(SetRowValues::bytes(piles, max_pile) + (4 << max_pile), move || {
            taken(|| SetRowValues::new(Isa::best(), piles, max_pile, 1 << 28).unwrap())
        })
    });
    let mut all = vec![
        ("multisets", 0, fills.into()),
        ("rectangles of Nim", 0, nim.into()),
        ("rectangles of last moves", 0, last_moves.into()),
        ("levels of last moves", 0, levels.collect()),
        ("options of last moves", 0, options.into()),
        ("records", 1 << 20, records.into()),
        ("sets", 0, sets.into()),
        ("rows of sets", 0, rows.into()),
    ];
    all.extend(Isa::available().map(|isa| (isa.name(), 0, edge(isa).into())));
    all
}

#[test]
fn estimates_are_about_what_is_taken_and_grow_with_it() {
    for (name, besides, sizes) in cases() {
        assert!(sizes.is_sorted_by(|one, next| one.estimate < next.estimate), "{name}");
        for Case { estimate, measure } in sizes {
            let taken = measure();
            // The estimate does not include small lists.
            assert!(taken <= estimate + estimate / 4 + 4096, "{name}: {taken} of {estimate}");
            assert!(estimate <= 2 * taken + besides, "{name}: {taken} of {estimate}");
        }
    }
}

/// Values up to 65535 fit into 16 bits. For larger values, the estimate is infinite.
#[test]
fn values_beyond_16_bits_have_an_infinite_estimate() {
    let bytes = |piles: &[Pile]| last_move::Rectangle::new(piles).bytes();
    assert_eq!(bytes(&[65_535]), 2.0 * 65_536.0 * 65_536.0);
    assert_eq!((bytes(&[65_536]), bytes(&[65_534, 2])), (f64::INFINITY, f64::INFINITY));
    assert!(bytes(&[65_534, 1]).is_finite());
    let points = |piles: &[Pile]| multisets::Rectangle::new(piles).points();
    assert_eq!(
        (points(&[2, 4, 3]), points(&[]), points(&[Pile::MAX; 40])),
        (60.0, 1.0, f64::INFINITY)
    );
}
