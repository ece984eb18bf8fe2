//! What is estimated: needs, parts, tables that nobody asked for by name, memory. Every number is
//! counted by hand from what a module promises of its memory and time, in a comment beside it, or is
//! what the kernel or walk says that the memory is for.

use grundy_kernels::Isa;
use grundy_kernels::subsets::SetRowValues;
use grundy_rules::{Form, Game, Multisets, Pile, Rules, Table, games, misere_form};
use grundy_solvers::{
    AnyGame, Count, Job, Making, Means, Needs, Packing, SolveError, Solver, Wanted, solver,
};
use grundy_sweep::{Control, MultisetLevels};

use crate::common::{Held, bytes_of, close, plain, tables_of, wanted};
use crate::toys::UpToThree;

const MEANS: Means = Means { memory: 1 << 30, threads: 2, frame_bytes: 1 << 16 };

fn table(game: Game, max_pile: Pile, length: usize) -> Table {
    Table::new(game, max_pile, length).unwrap()
}

/// Holds needs against what is expected of them.
fn agrees(found: Needs, expected: Needs) {
    assert!(close(found.seconds, expected.seconds), "{found:?} {expected:?}");
    assert!(close(found.bits_per_cell, expected.bits_per_cell), "{found:?} {expected:?}");
    assert_eq!(found.memory, expected.memory);
    assert_eq!((found.level, found.making), (expected.level, expected.making));
}

/// By hand: piles up to 4 have 4, 10 and 20 multisets of one, two and three piles. Four bytes of each
/// of the shorter ones and sixteen of each of its own are in memory; each looks at half of the 12
/// coins at the most, 90 ns an option, on two threads.
#[test]
fn any_game_needs_its_levels() {
    let game = Game::new(&UpToThree);
    let making = Making::Together;
    let expected = Needs {
        memory: 376,
        seconds: 20.0 * 6.0 * 90e-9 / 2.0,
        bits_per_cell: 8.0,
        level: 2,
        making,
    };
    agrees(AnyGame.needs(&table(game, 4, 3), &MEANS), expected);
    let expected = Needs {
        memory: 64,
        seconds: 4.0 * 2.0 * 90e-9 / 2.0,
        bits_per_cell: 8.0,
        level: 0,
        making,
    };
    agrees(AnyGame.needs(&table(game, 4, 1), &MEANS), expected);
    // 130 · 131 / 2 pairs, of values up to 260: two bytes.
    let expected = Needs {
        memory: 4 * 130 + 16 * 8515,
        seconds: 8515.0 * 130.0 * 90e-9 / 2.0,
        bits_per_cell: 16.0,
        level: 1,
        making,
    };
    agrees(AnyGame.needs(&table(game, 130, 2), &MEANS), expected);
}

/// By hand: 12 · 11 · 10 / 6 = 220 triples of piles up to 10, 5 ns a pile.
#[test]
fn nim_needs_its_levels() {
    for (game, bits) in [(games::NIM, 1.0), (games::MISERE_NIM, 6.0)] {
        let table = table(game, 10, 3);
        let multisets = Multisets::new(10, 3).unwrap();
        let memory = MultisetLevels::bytes(&multisets, table.largest_value());
        assert!(memory > 880);
        let expected = Needs {
            memory,
            seconds: 220.0 * 15e-9,
            bits_per_cell: bits,
            level: 0,
            making: Making::Together,
        };
        agrees(solver(game).needs(&table, &MEANS), expected);
    }
}

/// Of piles up to 10 a ladder holds all that is below; the bits of a cell are those of
/// docs/FORMAT.md, and twice as many where cells have two bytes.
#[test]
fn end_nim_needs_bits_by_its_length() {
    for (length, bits) in (1..).zip([8.0, 1.0, 3.6, 2.5, 1.2, 0.5, 0.5]) {
        let solver = solver(games::END_NIM);
        assert!(close(
            solver.needs(&table(games::END_NIM, 10, length), &MEANS).bits_per_cell,
            bits
        ));
        if length < 5 {
            let wide = table(games::END_NIM, 130, length);
            assert!(close(solver.needs(&wide, &MEANS).bits_per_cell, 2.0 * bits));
        }
    }
}

/// By hand: a run to row 1000 keeps 20 bytes a row, 8 of each of 502 counts, and a MiB; of pairs of
/// piles up to 3 there are 6, with four last moves each, of two bytes, and twice: the level below is
/// smaller. Each of the 6 looks at 3 coins on the average, and 3/8 for the last moves.
#[test]
fn short_global_nim_needs_rows_or_levels() {
    let solver = solver(games::SHORT_GLOBAL_NIM);
    let rows = |form| {
        let size = grundy_rules::Size { max_pile: 1000, length: 1, form };
        solver.needs(&Table::of(games::SHORT_GLOBAL_NIM, size).unwrap(), &MEANS)
    };
    let expected = Needs {
        memory: 20_000 + 8 * 502 + (1 << 20),
        seconds: 1000.0 * 900e-9,
        // 38 bytes for a record of 64 cells, as docs/FORMAT.md says.
        bits_per_cell: 4.75,
        level: 0,
        making: Making::InOrder,
    };
    agrees(rows(Form::Whole), expected);
    agrees(rows(Form::ValuesOnly), Needs { bits_per_cell: 12.0, ..expected });
    let pairs = solver.needs(&table(games::SHORT_GLOBAL_NIM, 3, 2), &MEANS);
    let expected = Needs {
        memory: 96,
        seconds: 6.0 * 3.375 * 4e-9,
        bits_per_cell: 0.9,
        level: 0,
        making: Making::Together,
    };
    agrees(pairs, expected);
}

/// By hand: of a pile of n a level has 2^n sets in blocks of 512 that take 192 bytes, at least one.
/// Below 12 these are ten blocks, two and four. The last level is only written: 8192 numbers of
/// sets, 0.1 ns each, by two threads.
#[test]
fn long_global_nim_needs_the_levels_below() {
    let game = games::LONG_GLOBAL_NIM;
    let needs = |max_pile, length| solver(game).needs(&table(game, max_pile, length), &MEANS);
    let expected = Needs {
        memory: 192 * 16,
        seconds: 8192.0 * 0.1e-9 / 2.0,
        bits_per_cell: 0.6,
        level: 0,
        making: Making::Together,
    };
    agrees(needs(12, 1), expected);
    assert_eq!(needs(1, 1).memory, 192);
    // Several piles: a byte for each position, and 6 ns.
    let cells = table(game, 3, 2).cells();
    let memory = SetRowValues::bytes(2, 3);
    assert!(memory >= cells);
    agrees(needs(3, 2), Needs { memory, seconds: cells as f64 * 6e-9, ..expected });
}

#[test]
fn partizan_tables_need_nothing() {
    let game = games::PARTIZAN_END_NIM;
    let needs = solver(game).needs(&table(game, 10, 3), &MEANS);
    let making = Making::Apart;
    assert_eq!(needs, Needs { memory: 0, seconds: 0.0, bits_per_cell: 0.4, level: 0, making });
}

#[test]
fn cells_are_prepared_as_the_format_says() {
    let packing = |game, max_pile, length| solver(game).packing(&table(game, max_pile, length));
    assert_eq!(packing(games::NIM, 10, 2), Packing::Raw);
    assert_eq!(packing(games::NIM, 300, 2), Packing::NimSumPlanes);
    assert_eq!(packing(games::END_NIM, 10, 2), Packing::NimSum);
    assert_eq!(packing(games::END_NIM, 130, 2), Packing::NimSumPlanes);
    assert_eq!(packing(games::SHORT_GLOBAL_NIM, 10, 1), Packing::Raw);
    assert_eq!(packing(games::LONG_GLOBAL_NIM, 10, 1), Packing::Raw);
    assert_eq!(packing(games::PARTIZAN_END_NIM, 10, 2), Packing::Raw);
    let values = Table::values_only(games::SHORT_GLOBAL_NIM, 10).unwrap();
    assert_eq!(solver(games::SHORT_GLOBAL_NIM).packing(&values), Packing::DeltaPlanes);
}

/// By hand, the longest table with at most so many positions: 2^31 of a row of End-Nim (16^7 = 2^28,
/// 16^8 = 2^32) and at most eight piles; 2^24 multisets of Nim (4 piles of up to 100: 4.4 million; up
/// to 150: 21.9 million) and at most four; 2^18 of any game (16^4 = 2^16; 8^6 = 64^3 = 2^18); and of
/// short global nim with last moves 2^26 (68: 971,635 · 69 = 67.04 million; 69: 1,028,790 · 70 = 72.0;
/// of two piles 511: 130,816 · 512 = 66.98 million; 512: 131,328 · 513 = 67.4).
#[test]
fn the_longest_table_is_chosen_by_its_positions() {
    let longest = |solver: &dyn Solver, game, max_pile| {
        let wanted = Wanted { length: None, single: None, ..wanted(max_pile, 1) };
        solver.tables(game, &wanted).unwrap().len()
    };
    let family = |game, max_pile| longest(solver(game), game, max_pile);
    for game in [games::END_NIM, games::PARTIZAN_END_NIM] {
        assert_eq!([2, 16, 100].map(|n| family(game, n)), [8, 7, 4], "{game}");
    }
    for game in [games::NIM, games::MISERE_NIM] {
        assert_eq!([2, 100, 150].map(|n| family(game, n)), [4, 4, 3], "{game}");
    }
    let any = plain(games::END_NIM);
    assert_eq!([2, 8, 16, 64].map(|n| longest(&AnyGame, any, n)), [8, 6, 4, 3]);
    let short = [16, 68, 69, 511, 512].map(|n| family(games::SHORT_GLOBAL_NIM, n));
    assert_eq!(short, [4, 4, 3, 2, 1]);
    assert_eq!(family(games::LONG_GLOBAL_NIM, 8), 4);
}

/// A single pile is 15,625 times as large as the others, and at most a million.
#[test]
fn single_piles_are_larger() {
    let game = games::SHORT_GLOBAL_NIM;
    let single = |max_pile, single| {
        let wanted = Wanted { single, ..wanted(max_pile, 2) };
        let tables = solver(game).tables(game, &wanted).unwrap();
        (tables[0].max_pile(), tables[1].max_pile())
    };
    assert_eq!(single(10, None), (156_250, 10));
    assert_eq!([64, 65].map(|n| single(n, None).0), [1_000_000; 2]);
    assert_eq!(single(10, Some(77)), (77, 10));
}

/// The largest piles of sets, by the number of piles, unless they are taken literally.
#[test]
fn sets_of_moves_keep_piles_small() {
    let game = games::LONG_GLOBAL_NIM;
    let sizes = |max_pile, length, literally| -> Vec<Pile> {
        let wanted = Wanted { literally, ..wanted(max_pile, length) };
        solver(game).tables(game, &wanted).unwrap().iter().map(Table::max_pile).collect()
    };
    assert_eq!(sizes(30, 8, false), [28, 16, 11, 9, 8, 7, 6, 6]);
    assert_eq!(sizes(10, 4, false), [10, 10, 10, 9]);
    assert_eq!(sizes(12, 2, true), [12, 12]);
}

/// By hand: of 100 coins levels 1 to 3 take 1,010,100 bytes, and level 4 more than the 64 MiB that a
/// count takes; the level between is made in two buffers of a frame. Two fills of half a nanosecond
/// for each of the 505,000 middles' ten thousand cells. Parts are the 100 inner words of five piles.
#[test]
fn counts_are_cut_by_the_table_alone() {
    let piece = |game, max_pile, length, memory| {
        solver(game).count_piece(&table(game, max_pile, length), memory)
    };
    let found = piece(games::END_NIM, 100, 5, 1 << 40);
    assert_eq!((found.parts, found.memory), (100, 1_010_100 + 2 * 65_536));
    assert!(close(found.seconds, 5.05), "{found:?}");
    assert_eq!(found.name, table(games::END_NIM, 100, 5).to_string());
    // With less memory a level less is kept: 10,100 bytes, and three levels in 2 + 4 buffers, which
    // take 2 + 4 fills.
    let found = piece(games::END_NIM, 100, 5, 1_010_099);
    assert_eq!(found.memory, 10_100 + 6 * 65_536);
    assert!(close(found.seconds, 3.0 * 5.05), "{found:?}");
    // 10^2 middles, 64 a part; words of 16 bytes, of 0 to 2 piles.
    let found = piece(games::PARTIZAN_END_NIM, 10, 4, 1 << 30);
    assert_eq!((found.parts, found.memory, found.seconds), (2, 16 * 111, 0.0));
    for game in [games::NIM, games::SHORT_GLOBAL_NIM, games::LONG_GLOBAL_NIM, plain(games::NIM)] {
        let found = piece(game, 5, 2, 1 << 30);
        let needs = solver(game).needs(&table(game, 5, 2), &Means { threads: 1, ..MEANS });
        assert_eq!((found.parts, found.memory), (1, needs.memory), "{game}");
        assert!(close(found.seconds, needs.seconds), "{game}");
        assert_eq!(found.name, table(game, 5, 2).to_string());
    }
}

/// Counts, or lists, with one byte too few, and with as many as it takes.
fn refused_below(needed: u64, table: &Table, take: impl Fn(Count<'_>) -> Result<(), SolveError>) {
    let control = Control::new();
    let of = |memory| Count { table, stored: None, memory, isa: Isa::best(), control: &control };
    match take(of(needed - 1)) {
        Err(SolveError::CountMemory { table: named, needed: found, allowed }) => {
            assert_eq!((named, found, allowed), (table.to_string(), needed, needed - 1));
        }
        other => panic!("{table}: {other:?}"),
    }
    take(of(needed)).unwrap();
}

/// What the walk says that the levels of Nim take, of three piles up to 10.
fn nim_bytes() -> u64 {
    let largest = table(games::NIM, 10, 3).largest_value();
    MultisetLevels::bytes(&Multisets::new(10, 3).unwrap(), largest)
}

/// The same numbers as above.
#[test]
fn counts_take_what_their_levels_take() {
    let refused = |game: Game, max_pile, length, needed| {
        let count = |of: Count<'_>| solver(game).count(of).map(|_| ());
        refused_below(needed, &table(game, max_pile, length), count);
    };
    refused(games::NIM, 10, 3, nim_bytes());
    refused(Game::new(&UpToThree), 4, 3, 376);
    refused(games::SHORT_GLOBAL_NIM, 1000, 1, 20_000 + 8 * 502 + (1 << 20));
    refused(games::SHORT_GLOBAL_NIM, 3, 2, 96);
    refused(games::LONG_GLOBAL_NIM, 12, 1, 192 * 16);
    refused(games::LONG_GLOBAL_NIM, 3, 2, SetRowValues::bytes(2, 3));
    // Of one pile the single piles themselves are made, and of two they are all that is made.
    for (length, words) in [(1, 1), (2, 1), (3, 11), (4, 111)] {
        refused(games::PARTIZAN_END_NIM, 10, length, 16 * words);
    }
    // What is stored takes nothing, however little there is.
    for game in Game::all().filter(|&game| game != games::PARTIZAN_END_NIM) {
        for held in &tables_of(game, 5, 2).unwrap().0 {
            let control = Control::new();
            let stored = Some(held as &dyn grundy_solvers::Stored);
            let of = Count {
                table: &held.table,
                stored,
                memory: 0,
                isa: Isa::best(),
                control: &control,
            };
            assert!(solver(game).count(of).unwrap().is_some(), "{}", held.table);
        }
    }
}

/// What is listed in the order of words is made as a whole first, beside what it is made from.
#[test]
fn rows_take_their_cells_besides() {
    let refused = |game: Game, max_pile, length, needed| {
        let rows = |of: Count<'_>| solver(game).rows(of).map(|_| ());
        refused_below(needed, &table(game, max_pile, length), rows);
    };
    refused(games::NIM, 10, 3, nim_bytes() + 220);
    refused(Game::new(&UpToThree), 4, 3, 376 + 20);
    refused(games::SHORT_GLOBAL_NIM, 3, 2, 96 + 24);
    refused(games::PARTIZAN_END_NIM, 10, 3, 1000 * 2);
    refused(games::LONG_GLOBAL_NIM, 12, 1, 192 * 16);
    refused(games::LONG_GLOBAL_NIM, 3, 2, SetRowValues::bytes(2, 3));
}

/// By hand: rows, cells of a row, bytes of a cell; the seconds of the needs, and 40 ns a cell.
#[test]
fn rows_have_the_shape_of_their_listing() {
    let control = Control::new();
    let shape = |game: Game, table: &Table, stored: Option<&Held>| {
        let stored = stored.map(|held| held as &dyn grundy_solvers::Stored);
        let of = Count { table, stored, memory: 1 << 30, isa: Isa::best(), control: &control };
        solver(game).rows(of).unwrap().shape()
    };
    let of = |game: Game, max_pile, length| {
        let shelf = tables_of(game, max_pile, length).unwrap();
        let held = shelf.of_length(length);
        let computed = shape(game, &held.table, None);
        let stored = shape(game, &held.table, Some(held));
        assert_eq!((computed.rows, computed.cells), (stored.rows, stored.cells));
        assert_eq!((computed.width, computed.together), (stored.width, 1));
        assert_eq!(computed.row_bytes(), computed.cells * computed.width);
        assert_eq!(computed.bytes(), Some(computed.rows * computed.row_bytes() as u64));
        let look = computed.rows as f64 * computed.cells as f64 * 40e-9;
        assert!(close(stored.seconds, look), "{game}");
        let needs = solver(game).needs(&held.table, &Means { threads: 1, ..MEANS });
        assert!(close(computed.seconds, look + needs.seconds), "{game}");
        (computed.rows, computed.cells, computed.width)
    };
    assert_eq!(of(games::NIM, 10, 3), (100, 10, 1));
    assert_eq!(of(games::NIM, 300, 1), (1, 300, 2));
    assert_eq!(of(games::PARTIZAN_END_NIM, 10, 3), (100, 10, 2));
    assert_eq!(of(Game::new(&UpToThree), 4, 3), (16, 4, 1));
    // With the last moves 0 to 3.
    assert_eq!(of(games::SHORT_GLOBAL_NIM, 3, 2), (3, 12, 1));
    // By number: of one pile up to 2 two numbers that are no sets, and six sets; up to 5 all 64. A set
    // that stands sixteen to a cell is listed as a byte.
    assert_eq!(of(games::LONG_GLOBAL_NIM, 2, 1), (8, 1, 1));
    assert_eq!(of(games::LONG_GLOBAL_NIM, 5, 1), (64, 1, 1));
    let several = table(games::LONG_GLOBAL_NIM, 3, 2);
    assert_eq!(of(games::LONG_GLOBAL_NIM, 3, 2), (several.values(), 1, several.value_bytes()));
    let long = grundy_solvers::RowShape {
        rows: u64::MAX / 2,
        cells: 3,
        width: 1,
        together: 1,
        seconds: 0.0,
    };
    assert_eq!(long.bytes(), None);
}

/// By hand: half of the memory, 10^6 bytes, holds levels 1 to 3 of 40 coins (65,640 bytes), not level
/// 4; between are two buffers of 64 KiB a thread. The 32,800 middles of five piles have 1600 cells
/// each, at a nanosecond, and both readings of each are made.
#[test]
fn rows_of_end_nim_are_made_from_a_ladder() {
    let table = table(games::END_NIM, 40, 5);
    let control = Control::new();
    let rows = |memory| {
        let of = Count { table: &table, stored: None, memory, isa: Isa::best(), control: &control };
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        one_thread.install(|| solver(games::END_NIM).rows(of).map(|rows| rows.shape()))
    };
    let shape = rows(2_000_000).unwrap();
    assert!(close(shape.seconds, 2.0 * 32_800.0 * 1600.0 * 1e-9), "{shape:?}");
    assert_eq!((shape.rows, shape.cells, shape.width), (40 * 40 * 40 * 40, 40, 1));
    assert_eq!(shape.together, 40 * 40 * 40);
    // Level 3 alone would fit, but not with the buffers.
    match rows(2 * 65_640) {
        Err(SolveError::CountMemory { needed, allowed, .. }) => {
            assert_eq!((needed, allowed), (65_640 + 2 * 65_536, 2 * 65_640));
        }
        other => panic!("{other:?}"),
    }
    // With the ladder up to level 2 there are six buffers.
    match rows(100_000) {
        Err(SolveError::CountMemory { needed, .. }) => assert_eq!(needed, 1640 + 6 * 65_536),
        other => panic!("{other:?}"),
    }
}

/// Rows that follow from two ends and read the same backwards, whatever their length, and no others.
#[test]
fn families_are_found_by_what_the_rules_say() {
    use grundy_rules::{Ends, Move, Order, Position};
    #[derive(Debug)]
    struct Said(Order, bool, Option<bool>);
    impl Rules for Said {
        fn id(&self) -> &'static str {
            "said"
        }
        fn title(&self) -> &'static str {
            "said"
        }
        fn paper(&self) -> &'static str {
            "made up"
        }
        fn order(&self) -> Order {
            self.0
        }
        fn moves(&self, _: &Position) -> Vec<Move> {
            Vec::new()
        }
        fn is_symmetric(&self) -> bool {
            self.1
        }
        fn ends(&self) -> Option<Ends> {
            self.2.map(|any_length| Ends { seed: |_| 1, any_length })
        }
    }
    for order in [Order::Row, Order::Any] {
        for symmetric in [false, true] {
            for ends in [None, Some(false), Some(true)] {
                let game = Game::new(Box::leak(Box::new(Said(order, symmetric, ends))));
                let expected = order == Order::Row && symmetric && ends == Some(true);
                assert_eq!(grundy_solvers::follows_from_ends(game), expected, "{order:?} {ends:?}");
            }
        }
    }
    // Families that have more to say than any game has.
    let of = |game: Game| {
        let solver = solver(game);
        (
            solver.has_thresholds(),
            solver.records().is_some(),
            solver.checks_in_order(&table(game, 3, 1)),
        )
    };
    assert_eq!(of(games::PARTIZAN_END_NIM), (true, false, false));
    assert_eq!(of(games::SHORT_GLOBAL_NIM), (false, true, true));
    for game in Game::all() {
        assert!(!solver(game).checks_in_order(&table(game, 3, 2)), "{game}");
        assert_eq!(solver(game).has_thresholds(), game == games::PARTIZAN_END_NIM, "{game}");
        if ![games::PARTIZAN_END_NIM, games::SHORT_GLOBAL_NIM].contains(&game) {
            assert_eq!(of(game), (false, false, false), "{game}");
        }
    }
    // The misère form of Nim is filled as Nim is, and its rules by another name as any game.
    let form = misere_form(games::NIM).unwrap();
    assert!(close(solver(form).needs(&table(form, 10, 3), &MEANS).seconds, 220.0 * 15e-9));
    assert_eq!(solver(plain(games::NIM)).needs(&table(plain(games::NIM), 10, 3), &MEANS).level, 2);
}

/// Sets of moves are made in pieces of more cells than anybody asks for: any run is the same.
#[test]
fn sets_may_be_asked_for_in_any_runs() {
    let game = games::LONG_GLOBAL_NIM;
    for (max_pile, length) in [(13, 1), (19, 1), (6, 2)] {
        let mut maker = solver(game).maker(Job { game, max_pile, isa: Isa::Portable });
        let table = table(game, max_pile, length);
        let needs = solver(game).needs(&table, &MEANS);
        maker.prepare(&table, &needs, 1 << 30, &Control::new()).unwrap();
        let whole = bytes_of(&*maker, &table, table.tiles());
        let tile = table.tile_cells() * table.value_bytes();
        for (first, count) in [(0, 1), (1, 1), (31, 2), (33, 70), (64, 32), (127, 129), (500, 12)] {
            let mut worker = maker.worker(&table);
            // A larger run before leaves nothing behind.
            worker.tiles(0, table.tiles().min(600));
            let (from, to) = (first as usize * tile, (first + count) as usize * tile);
            if to <= whole.len() {
                assert!(worker.tiles(first, count) == &whole[from..to], "{table} {first}");
            }
        }
        let (from, tiles) = ((table.tiles() as usize - 3) * tile, table.tiles());
        assert!(maker.worker(&table).tiles(tiles - 3, 3) == &whole[from..], "{table}");
    }
}
