//! Compares the fillers for arbitrary moves with the definition, which visits every option.

use grundy_kernels::shapes::{
    Bits, Grid, Guide, HeapMove, HeapShape, Heaps, LANES, Leaving, LimitError, Move, Open,
    OutcomeRows, Shape, Splits,
};
use grundy_kernels::{Compiler, Isa};
use proptest::prelude::*;

/// Returns the options of x that moves of this shape lead to.
fn options(shape: &Shape, x: &[usize]) -> Vec<Vec<usize>> {
    let minus = |t: usize, first: &[usize], step: &[usize]| -> Option<Vec<usize>> {
        let mut at = x.iter().zip(first).zip(step);
        at.try_fold(Vec::new(), |mut y, ((x, first), step)| {
            y.push(x.checked_sub(first + t * step)?);
            Some(y)
        })
    };
    match shape {
        Shape::Ray { first, step } => {
            let most = if step.iter().all(|&taken| taken == 0) { 1 } else { usize::MAX };
            (0..most).map_while(|t| minus(t, first, step)).collect()
        }
        Shape::Box { piles, all } => {
            let mut found = vec![x.to_vec()];
            for &pile in piles {
                let below = if *all { x[pile] } else { x[pile] + 1 };
                let lower = |y: &Vec<usize>| {
                    let y = y.clone();
                    (0..below).map(move |to| {
                        let mut y = y.clone();
                        y[pile] = to;
                        y
                    })
                };
                found = found.iter().flat_map(lower).collect();
            }
            found.retain(|y| y != x);
            found
        }
    }
}

fn number(sizes: &[usize], x: &[usize]) -> usize {
    sizes.iter().zip(x).fold(0, |number, (size, x)| number * size + x)
}

fn each(sizes: &[usize]) -> impl Iterator<Item = Vec<usize>> + '_ {
    (0..sizes.iter().product()).map(move |mut at: usize| {
        let mut x: Vec<usize> = sizes
            .iter()
            .rev()
            .map(|size| {
                let x = at % size;
                at /= size;
                x
            })
            .collect();
        x.reverse();
        x
    })
}

fn drawn(parts: &[usize], seed: usize) -> usize {
    let mixed = parts.iter().fold(seed as u64, |mixed, &part| {
        (mixed ^ part as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
    });
    (mixed >> 20) as usize
}

/// The guards and the given cells, for both the filler and the definition.
struct Told {
    seed: usize,
    /// True if the values of cells with a coordinate 0 are given.
    closes: bool,
}

impl Told {
    fn is_open(&self, guard: usize, x: &[usize]) -> bool {
        match guard {
            // Guard 0 depends on the row, guard 1 on the cell. Guard 2 is false, others are true.
            0 => drawn(&x[..x.len() - 1], self.seed).is_multiple_of(2),
            1 => !drawn(x, self.seed).is_multiple_of(3),
            2 => false,
            _ => true,
        }
    }

    fn value(&self, lane: usize, x: &[usize]) -> Option<u16> {
        let given = self.closes && x.contains(&0);
        given.then(|| (drawn(x, self.seed + 7 + lane) % 90) as u16)
    }
}

fn coordinates(outer: &[u32], column: usize) -> Vec<usize> {
    outer.iter().map(|&at| at as usize).chain([column]).collect()
}

impl Guide for Told {
    fn given(&self, lane: usize, outer: &[u32], row: &mut [u16]) -> usize {
        let values = (0..row.len()).map_while(|at| self.value(lane, &coordinates(outer, at)));
        let values: Vec<u16> = values.collect();
        row[..values.len()].copy_from_slice(&values);
        values.len()
    }

    fn open(&self, guard: usize, outer: &[u32], columns: &mut [bool]) -> Open {
        if guard > 1 {
            return if guard == 2 { Open::Never } else { Open::Always };
        }
        for (at, open) in columns.iter_mut().enumerate() {
            *open = self.is_open(guard, &coordinates(outer, at));
        }
        Open::Some
    }
}

fn by_definition(
    sizes: &[usize],
    moves: &[Move],
    terminal: u16,
    told: &Told,
    lane: usize,
) -> Vec<u16> {
    let mut values: Vec<u16> = Vec::new();
    for x in each(sizes) {
        let value = told.value(lane, &x).unwrap_or_else(|| {
            let open = moves.iter().filter(|m| m.guard.is_none_or(|guard| told.is_open(guard, &x)));
            let mut reached: Vec<u16> = open
                .flat_map(|m| options(&m.shape, &x))
                .map(|y| values[number(sizes, &y)])
                .collect();
            reached.sort_unstable();
            reached.dedup();
            let mex = (0..).zip(&reached).take_while(|&(at, &value)| at == value).count();
            if reached.is_empty() { terminal } else { mex as u16 }
        });
        values.push(value);
    }
    values
}

fn holds(sizes: &[usize], moves: &[Move], terminal: u16, told: &Told, memory: u64) {
    let expected: Vec<u16> =
        (0..LANES).flat_map(|lane| by_definition(sizes, moves, terminal, told, lane)).collect();
    let grid = Grid::new(sizes, moves, terminal);
    for isa in Isa::available() {
        for lanes in [1, LANES] {
            let mut memory = memory;
            let mut cells = vec![9999; grid.cells() * lanes];
            loop {
                match grid.fill(Compiler::new(isa), memory, told, lanes, &mut cells) {
                    Ok(()) => break,
                    Err(LimitError::Memory { needed }) => {
                        assert!(needed > memory);
                        memory = needed;
                    }
                    Err(other) => panic!("{other:?}"),
                }
            }
            let wrong = cells.iter().zip(&expected).position(|(a, b)| a != b);
            let at = wrong.map(|at| each(sizes).nth(at % grid.cells()));
            assert_eq!(wrong, None, "{isa} {sizes:?} {moves:?} {memory} {at:?}");
        }
    }
    for (lane, expected) in expected.chunks(grid.cells()).enumerate().filter(|_| terminal == 0) {
        let mut memory = memory;
        let cells = loop {
            match grid.outcomes(memory, told, lane) {
                Err(LimitError::Memory { needed }) if needed > memory => memory = needed,
                cells => break cells.unwrap(),
            }
        };
        let wrong = (0..cells.count()).find(|&at| cells.has(at) != (expected[at] > 0));
        let at = wrong.map(|at| each(sizes).nth(at));
        assert_eq!(wrong, None, "outcomes {sizes:?} {moves:?} {memory} {at:?}");
        if lane == 0 {
            let outer = each(&sizes[..sizes.len() - 1]);
            hands_out(grid.outcome_rows(Box::new(told)), outer, &cells);
        }
    }
}

/// Tests that rows are handed out one after another, with these outcomes.
fn hands_out(mut rows: OutcomeRows<'_>, mut outer: impl Iterator<Item = Vec<usize>>, cells: &Bits) {
    let (mut at, mut row) = (0, Bits::default());
    while rows.fill_next().unwrap() {
        let seen: Vec<usize> = rows.outer().iter().map(|&pile| pile as usize).collect();
        assert_eq!(outer.next(), Some(seen));
        let columns = rows.columns();
        // The first column is copied apart from the others.
        row.reset(columns);
        rows.copy(1..columns, &mut row, 1);
        rows.copy(0..1, &mut row, 0);
        let wrong = (0..columns).find(|&column| row.has(column) != cells.has(at + column));
        assert_eq!(wrong, None, "row at {at}");
        at += columns;
    }
    assert_eq!((at, outer.next()), (cells.count(), None));
}

fn ray(first: &[usize], step: &[usize]) -> Shape {
    Shape::Ray { first: first.to_vec(), step: step.to_vec() }
}

fn any_shape(places: usize) -> impl Strategy<Value = Shape> {
    let vector =
        prop::collection::vec(prop_oneof![3 => Just(0usize), 2 => Just(1), 1 => 2..4usize], places);
    let ray = (vector.clone(), vector, 0..4).prop_map(move |(mut first, step, kind)| {
        if kind == 0 && step.iter().any(|&taken| taken > 0) {
            return Shape::Ray { first: step.clone(), step };
        }
        if first.iter().all(|&taken| taken == 0) {
            first[places - 1] = 1;
        }
        Shape::Ray { first, step }
    });
    let piles = prop::collection::btree_set(0..places, 1..=places);
    let hull = (piles, any::<bool>())
        .prop_map(|(piles, all)| Shape::Box { piles: piles.into_iter().collect(), all });
    prop_oneof![3 => ray, 1 => hull]
}

fn any_grid() -> impl Strategy<Value = (Vec<usize>, Vec<Move>)> {
    let sizes = prop_oneof![
        prop::collection::vec(1..90usize, 1..=1),
        prop::collection::vec(1..20usize, 2..=2),
        prop::collection::vec(1..9usize, 3..=3),
        prop::collection::vec(1..6usize, 4..=4),
    ];
    sizes.prop_flat_map(|sizes| {
        let guard = prop_oneof![3 => Just(None), 1 => (0..4usize).prop_map(Some)];
        let moves =
            (any_shape(sizes.len()), guard).prop_map(|(shape, guard)| Move { shape, guard });
        (Just(sizes), prop::collection::vec(moves, 0..6))
    })
}

proptest! {
    #[test]
    fn grids_are_filled_as_defined(
        (sizes, moves) in any_grid(),
        seed in 0..1000usize,
        closes in any::<bool>(),
        terminal in 0..2u16,
        memory in prop_oneof![Just(u64::MAX), 0..20_000u64],
    ) {
        holds(&sizes, &moves, terminal, &Told { seed, closes }, memory);
    }
}

/// Returns the values of Wythoff's game with the given values of [`Told`], by marks at the values
/// of the options.
fn wythoff_by_marks([rows, columns]: [usize; 2], told: &Told) -> Vec<u16> {
    let (mut values, mut marks) = (vec![0; rows * columns], vec![usize::MAX; rows + 2 * columns]);
    for at in 0..values.len() {
        let (a, b) = (at / columns, at % columns);
        if let Some(given) = told.value(0, &[a, b]) {
            values[at] = given;
            continue;
        }
        let left = at - b..at;
        let above = (b..at).step_by(columns);
        let across = (1..=a.min(b)).map(|t| at - t * (columns + 1));
        for option in left.chain(above).chain(across) {
            marks[usize::from(values[option])] = at;
        }
        values[at] = (0..).zip(&marks).find(|(_, mark)| **mark != at).map_or(0, |(v, _)| v);
    }
    values
}

/// Sets become wider in the middle of a row, and the row is then filled again.
#[test]
fn wide_sets_are_read_word_by_word() {
    let moves = [[1, 0], [0, 1], [1, 1]].map(|step| Move { shape: ray(&step, &step), guard: None });
    for (sizes, closes) in [([330, 470], false), ([470, 330], true)] {
        let (told, grid) = (Told { seed: 5, closes }, Grid::new(&sizes, &moves, 0));
        let expected = wythoff_by_marks(sizes, &told);
        assert!(expected.iter().any(|&value| value > 512), "{sizes:?}");
        for isa in Isa::available() {
            let mut cells = vec![9999; grid.cells()];
            grid.fill(Compiler::new(isa), u64::MAX, &told, 1, &mut cells).unwrap();
            let wrong = cells.iter().zip(&expected).position(|(a, b)| a != b);
            assert_eq!(wrong, None, "{isa} {sizes:?}");
        }
    }
}

/// Sets become wider if necessary: for values of Nim up to 1023, for Wythoff's game, and for a row
/// that begins with a large value.
#[test]
fn wide_values() {
    let single = |at: usize| (0..2).map(|i| usize::from(i == at)).collect::<Vec<usize>>();
    let plain = |shape| Move { shape, guard: None };
    let nim: Vec<Move> = (0..2).map(|at| plain(ray(&single(at), &single(at)))).collect();
    let wythoff = [nim.clone(), vec![plain(ray(&[1, 1], &[1, 1]))]].concat();
    let grid = Grid::new(&[700, 1024], &nim, 0);
    let mut cells = vec![0; grid.cells()];
    grid.fill(
        Compiler::new(Isa::best()),
        u64::MAX,
        &grundy_kernels::shapes::Unguided,
        1,
        &mut cells,
    )
    .unwrap();
    assert!((0..).zip(&cells).all(|(at, &value)| (at / 1024) ^ (at % 1024) == u32::from(value)));
    let told = Told { seed: 3, closes: false };
    holds(&[100, 130], &wythoff, 0, &told, u64::MAX);
    let compiler = Compiler::new(Isa::best());
    let fill = |size: usize| {
        let mut cells = vec![0; size];
        let row = Grid::new(&[size], &[plain(ray(&[1], &[1]))], 0);
        row.fill(compiler, u64::MAX, &grundy_kernels::shapes::Unguided, 1, &mut cells)?;
        Ok(cells.iter().copied().eq(0..size as u16))
    };
    assert_eq!([8192, 8193].map(fill), [Ok(true), Err(LimitError::Value)]);
}

/// Returns the options of x that moves of this shape lead to, for each choice of heaps separately.
fn heap_options(shape: &HeapShape, x: &[usize]) -> Vec<Vec<usize>> {
    let heaps = x.len();
    let chosen =
        |count: usize| (0..1usize << heaps).filter(move |set| set.count_ones() as usize == count);
    let lowered = |taken: &[usize]| {
        let mut y: Vec<usize> =
            x.iter().zip(taken).map(|(x, taken)| x.checked_sub(*taken)).collect::<Option<_>>()?;
        y.sort_unstable();
        Some(y)
    };
    match shape {
        HeapShape::Equal(count) => chosen(*count)
            .flat_map(|set| (1..100).map(move |t| (set, t)))
            .filter_map(|(set, t)| {
                lowered(
                    &(0..heaps)
                        .map(|at| if set >> at & 1 == 1 { t } else { 0 })
                        .collect::<Vec<_>>(),
                )
            })
            .collect(),
        HeapShape::Box { heaps: count, all } => chosen(*count)
            .flat_map(|set| {
                let piles = (0..heaps).filter(|at| set >> at & 1 == 1).collect();
                options(&Shape::Box { piles, all: *all }, x)
            })
            .map(|mut y| {
                y.sort_unstable();
                y
            })
            .collect(),
        HeapShape::Point(taken) => {
            // For each number in turn, try each heap.
            let mut found = vec![vec![0; heaps]];
            for &t in taken {
                found = found
                    .iter()
                    .flat_map(|from: &Vec<usize>| {
                        (0..heaps).filter(|&at| from[at] == 0).map(|at| {
                            let mut taken = from.clone();
                            taken[at] = t;
                            taken
                        })
                    })
                    .collect();
            }
            found.iter().filter_map(|taken| lowered(taken)).collect()
        }
    }
}

/// Returns all heaps but the smallest of each row of multisets, in colexicographic order.
fn rows_of(largest: usize, heaps: usize) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> =
        each(&vec![largest + 1; heaps - 1]).filter(|x| x.is_sorted()).collect();
    rows.sort_by(|x, y| x.iter().rev().cmp(y.iter().rev()));
    rows
}

fn heaps_hold(largest: usize, heaps: usize, moves: &[HeapMove], terminal: u16, seed: usize) {
    let told = Told { seed, closes: false };
    // All positions, in colexicographic order.
    let mut all: Vec<Vec<usize>> =
        each(&vec![largest + 1; heaps]).filter(|x| x.is_sorted()).collect();
    all.sort_by(|x, y| x.iter().rev().cmp(y.iter().rev()));
    let mut values = std::collections::HashMap::new();
    for x in &all {
        // A guide receives the smallest heap last, because it is the column.
        let seen: Vec<usize> = x[1..].iter().copied().chain([x[0]]).collect();
        let open = moves.iter().filter(|m| m.guard.is_none_or(|guard| told.is_open(guard, &seen)));
        let reached: Vec<u16> =
            open.flat_map(|m| heap_options(&m.shape, x)).map(|y| values[&y]).collect();
        let mex = (0..).find(|value| !reached.contains(value)).unwrap_or(0);
        values.insert(x.clone(), if reached.is_empty() { terminal } else { mex });
    }
    let expected: Vec<u16> = all.iter().map(|x| values[x]).collect();
    let table = Heaps::new(largest, heaps, moves, terminal).unwrap();
    for isa in Isa::available() {
        let mut cells = vec![9999; table.cells()];
        table.fill(Compiler::new(isa), u64::MAX, &told, &mut cells).unwrap();
        let wrong = cells.iter().zip(&expected).position(|(a, b)| a != b);
        let wrong = wrong.map(|at| (&all[at], cells[at], expected[at]));
        assert_eq!(wrong, None, "{isa} {largest} {heaps} {moves:?}");
    }
    if terminal == 0 {
        let cells = table.outcomes(u64::MAX, &told).unwrap();
        let wrong = (0..expected.len()).find(|&at| cells.has(at) != (expected[at] > 0));
        assert_eq!(wrong.map(|at| &all[at]), None, "outcomes {largest} {heaps} {moves:?}");
        let outer = rows_of(largest, heaps).into_iter();
        hands_out(table.outcome_rows(Box::new(&told)).unwrap(), outer, &cells);
    }
}

fn any_heap_shape() -> impl Strategy<Value = HeapShape> {
    prop_oneof![
        (1..5usize).prop_map(HeapShape::Equal),
        (1..4usize, any::<bool>()).prop_map(|(heaps, all)| HeapShape::Box { heaps, all }),
        prop::collection::vec(1..4usize, 1..3).prop_map(HeapShape::Point),
    ]
}

proptest! {
    #[test]
    fn heaps_are_filled_as_defined(
        size in prop_oneof![(0..60usize, Just(1usize)), (0..12usize, Just(2)), (0..7usize, Just(3)), (0..5usize, Just(4)), (0..4usize, Just(5))],
        moves in prop::collection::vec(
            (any_heap_shape(), prop_oneof![3 => Just(None), 1 => (0..4usize).prop_map(Some)])
                .prop_map(|(shape, guard)| HeapMove { shape, guard }),
            0..4,
        ),
        terminal in 0..2u16,
        seed in 0..1000usize,
    ) {
        heaps_hold(size.0, size.1, &moves, terminal, seed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// In tables with many rows, the cells that no row reads any more are dropped.
    #[test]
    fn rows_that_are_handed_out_are_those_of_the_whole_table(
        (sizes, moves) in prop_oneof![Just(vec![90, 70]), Just(vec![19, 17, 21]), Just(vec![9, 8, 7, 11])]
            .prop_flat_map(|sizes| {
                let guard = prop_oneof![3 => Just(None), 1 => (0..4usize).prop_map(Some)];
                let moves = (any_shape(sizes.len()), guard)
                    .prop_map(|(shape, guard)| Move { shape, guard });
                (Just(sizes), prop::collection::vec(moves, 0..5))
            }),
        (largest, heaps) in prop_oneof![Just((90usize, 2usize)), Just((25, 3)), Just((14, 4)), Just((9, 5))],
        heap_moves in prop::collection::vec(
            (any_heap_shape(), prop_oneof![3 => Just(None), 1 => (0..4usize).prop_map(Some)])
                .prop_map(|(shape, guard)| HeapMove { shape, guard }),
            0..4,
        ),
        seed in 0..1000usize,
        closes in any::<bool>(),
    ) {
        let told = &Told { seed, closes };
        let grid = Grid::new(&sizes, &moves, 0);
        let whole = grid.outcomes(u64::MAX, told, 0).unwrap();
        hands_out(grid.outcome_rows(Box::new(told)), each(&sizes[..sizes.len() - 1]), &whole);
        let table = Heaps::new(largest, heaps, &heap_moves, 0).unwrap();
        let told = &Told { closes: false, ..*told };
        let whole = table.outcomes(u64::MAX, told).unwrap();
        hands_out(table.outcome_rows(Box::new(told)).unwrap(), rows_of(largest, heaps).into_iter(), &whole);
    }
}

/// Computes g(0), ..., g(N) from all options of each pile.
fn split_by_definition(splits: &Splits, last: usize) -> Vec<u16> {
    let mut values: Vec<u16> = vec![0];
    for n in 1..=last {
        let mut reached = Vec::new();
        if splits.lowers_any {
            reached.extend_from_slice(&values);
        }
        for leaving in splits.leaving.iter().filter(|l| l.taken.max(l.least) <= n) {
            let left = n - leaving.taken;
            if if left == 0 { leaving.nothing } else { leaving.one } {
                reached.push(values[left]);
            }
            let pairs = (1..left).map(|a| (a, left - a));
            let pairs = pairs.filter(|(a, b)| leaving.two && !(leaving.unequal && a == b));
            reached.extend(pairs.map(|(a, b)| values[a] ^ values[b]));
        }
        reached.sort_unstable();
        reached.dedup();
        let mex = (0..).zip(&reached).take_while(|&(at, &value)| at == value).count();
        values.push(mex as u16);
    }
    values
}

/// Returns the moves of an octal code. The first digit is for moves that take one coin.
fn octal(digits: &[usize]) -> Splits {
    let of = |(at, digit): (usize, &usize)| {
        let bit = |bit: usize| digit >> bit & 1 == 1;
        let (nothing, one, two) = (bit(0), bit(1), bit(2));
        Leaving { taken: at + 1, nothing, one, two, ..Leaving::default() }
    };
    Splits { leaving: digits.iter().enumerate().map(of).collect(), ..Splits::default() }
}

/// Returns the values that every instruction set computes.
fn values_of(splits: &Splits, last: usize) -> Vec<u16> {
    let by = |isa| splits.values(Compiler::new(isa), last, |_| true);
    let portable = by(Isa::Portable);
    Isa::available().for_each(|isa| assert!(by(isa) == portable, "{isa}: {splits:?}"));
    portable
}

/// Kayles and Dawson's Kayles have the periods 12 and 34 (Guy and Smith 1956). The first values of
/// Grundy's game are in OEIS A002188.
#[test]
fn splitting_games_have_the_published_values() {
    for (code, period, from) in [(&[7, 7][..], 12, 71), (&[0, 7], 34, 53)] {
        let values = values_of(&octal(code), 20_000);
        assert_eq!(values[..2000], split_by_definition(&octal(code), 1999));
        assert!((from..20_000 - period).all(|n| values[n] == values[n + period]), "{code:?}");
    }
    let unequal = Leaving { two: true, unequal: true, ..Leaving::default() };
    let grundys = Splits { leaving: vec![unequal], ..Splits::default() };
    let values = values_of(&grundys, 3000);
    assert_eq!(values[..20], [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3]);
    assert_eq!(values, split_by_definition(&grundys, 3000));
    // What was filled before the end is right.
    let stopped = grundys.values(Compiler::new(Isa::best()), 3000, |pile| pile < 2000);
    assert_eq!(stopped, values[..2048]);
}

/// The sets of numbers to take are primes, odd numbers, and even numbers, with which values grow
/// beyond those that have a row of bits. Some large piles may also be split.
#[test]
fn large_sets_of_numbers_to_take_have_the_defined_values() {
    let is_prime = |t: &usize| *t > 1 && (2..*t).all(|d| !t.is_multiple_of(d));
    let is_odd = |t: &usize| !t.is_multiple_of(2);
    let is_even = |t: &usize| t.is_multiple_of(2);
    let sets: [&dyn Fn(&usize) -> bool; 3] = [&is_prime, &is_odd, &is_even];
    for (set, splits) in sets.into_iter().flat_map(|set| [(set, false), (set, true)]) {
        let taking = |taken| Leaving { taken, nothing: true, one: true, ..Leaving::default() };
        let mut leaving: Vec<Leaving> = (1..=700).filter(set).map(taking).collect();
        leaving.push(Leaving { least: 50, ..taking(4) });
        if splits {
            leaving.push(Leaving { least: 30, taken: 3, two: true, ..Leaving::default() });
        }
        let splits = Splits { leaving, is_cut: true, ..Splits::default() };
        assert_eq!(values_of(&splits, 700), split_by_definition(&splits, 700));
    }
}

proptest! {
    #[test]
    fn splits_are_filled_as_defined(
        digits in prop::collection::vec(0..8usize, 1..5),
        whole in 0..3usize,
        unequal in any::<bool>(),
        least in prop_oneof![Just(vec![0]), prop::collection::vec(0..40usize, 1..4)],
        lowers_any in prop_oneof![4 => Just(false), 1 => Just(true)],
    ) {
        let mut splits = Splits { lowers_any, ..octal(&digits) };
        for (leaving, &least) in splits.leaving.iter_mut().zip(least.iter().cycle()) {
            *leaving = Leaving { unequal, least, ..*leaving };
        }
        if whole == 0 {
            splits.leaving.push(Leaving { two: true, unequal, ..Leaving::default() });
        }
        prop_assert_eq!(values_of(&splits, 700), split_by_definition(&splits, 700));
    }
}
