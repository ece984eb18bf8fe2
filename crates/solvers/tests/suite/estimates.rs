//! Tests that estimates grow with the sizes and the number of piles, and that solvers refuse only
//! work beyond the limits. The tests of the builder and the kernels measure real costs.

use grundy_kernels::Isa;
use grundy_rules::rulesets::RULESETS;
use grundy_rules::{Game, Pile, Position, Table, games, misere_form, outcome_form};
use grundy_solvers::{
    Count, Effort, Env, Job, Limit, Listing, Making, Means, SolveError, Stored, TableRequest,
    solver,
};
use grundy_sweep::{Control, MemoryLimit, MemoryShortage};

use crate::common::{bytes_of, count_of, env, plain, tables_of, wanted};
use crate::compiled;
use crate::toys::{AllAtOnce, LeftOrAllOfRight, UpToThree};

const MEANS: Means =
    Means { memory: MemoryLimit::new(1 << 30), threads: 2, frame_bytes: 1 << 16, in_order: false };

fn table(game: Game, max_pile: Pile, length: usize) -> Table {
    Table::new(game, max_pile, length).unwrap()
}

/// Returns games, each with a list of growing table sizes.
fn cases() -> Vec<(Game, Vec<(Pile, usize)>)> {
    let one_pile = |sizes: &[Pile]| sizes.iter().map(|&n| (n, 1)).collect::<Vec<_>>();
    let several = || vec![(4, 2), (6, 2), (6, 3), (9, 3), (9, 4), (12, 4)];
    let mut all: Vec<(Game, Vec<(Pile, usize)>)> =
        Game::all().chain([Game::new(&UpToThree)]).map(|game| (game, several())).collect();
    all.push((games::END_NIM, vec![(130, 2), (130, 3), (130, 4)]));
    all.push((games::SHORT_GLOBAL_NIM, one_pile(&[10, 1000, 5000])));
    all.push((games::LONG_GLOBAL_NIM, one_pile(&[3, 12, 15])));
    all
}

#[test]
fn needs_grow_with_the_piles_and_shrink_with_the_means() {
    for (game, sizes) in cases() {
        let mut before: Option<(u64, f64)> = None;
        for (max_pile, length) in sizes {
            let table = table(game, max_pile, length);
            let needs = solver(game).needs(&table, &MEANS);
            assert!(needs.seconds.is_finite() && needs.bits_per_cell > 0.0, "{table}: {needs:?}");
            assert_eq!(needs.making == Making::InOrder, solver(game).checks_in_order(&table));
            if let Some((memory, seconds)) = before {
                assert!(memory <= needs.memory && seconds <= needs.seconds, "{table}: {needs:?}");
            }
            before = Some((needs.memory, needs.seconds));
            // Fewer resources never make filling faster, and never keep more levels in memory.
            let less = [
                Means { memory: MemoryLimit::new(0), ..MEANS },
                Means { threads: 1, ..MEANS },
                Means { memory: MemoryLimit::new(needs.memory.saturating_sub(1)), ..MEANS },
            ];
            for less in less.map(|means| solver(game).needs(&table, &means)) {
                assert!(less.seconds >= needs.seconds, "{table}: {less:?} {needs:?}");
                assert!(less.level <= needs.level, "{table}: {less:?} {needs:?}");
            }
        }
    }
}

/// Tests that multisets of heaps take about the memory that stores them.
#[test]
fn heaps_take_memory_by_multisets() {
    let named =
        |name: &str| compiled::game(RULESETS.iter().find(|(known, _)| *known == name).unwrap().1);
    let least = |game: Game, max_pile: Pile, length: usize| {
        let table = table(game, max_pile, length);
        let means = Means { memory: MemoryLimit::new(0), ..MEANS };
        (solver(game).needs(&table, &means).memory, table.positions())
    };
    let (exact, moore) = (named("exact-nim-5-2"), named("moore-nim-2"));
    let outcomes = outcome_form(exact).unwrap();
    assert!(least(outcomes, 127, 5).0 < 100_000_000);
    assert!(least(outcomes, 255, 5).0 < 2 << 30);
    assert!(least(exact, 63, 5).0 < 300_000_000);
    assert!(least(moore, 128, 4).0 < 2 << 30);
    let (bytes, positions) = least(moore, 64, 4);
    assert!(bytes < 40 * positions);
    // In order, a table of outcomes takes only what later rows read.
    let in_order = |game: Game, max_pile: Pile, length: usize| {
        let needs =
            solver(game).needs(&table(game, max_pile, length), &Means { in_order: true, ..MEANS });
        assert_eq!(needs.making, Making::Chained, "{game}");
        needs.memory
    };
    assert!(in_order(outcomes, 127, 5) < 15_000_000);
    assert!(in_order(outcomes, 255, 5) < 200_000_000);
    let places = outcome_form(named("circular-nim-4-2")).unwrap();
    assert!(in_order(places, 255, 4) < 100_000_000);
}

/// Tests the length of the longest default table. The sizes were calculated by hand. End-Nim has at
/// most 2^31 rows and eight piles (16^7 = 2^28, 16^8 = 2^32). Nim has at most 2^24 multisets and
/// four piles (4 piles of up to 100: 4.4 million; up to 150: 21.9 million). Any game has at most
/// 2^18 positions (16^4 = 2^16; 8^6 = 64^3 = 2^18). Short global nim with last moves has at most
/// 2^26 values (68: 971,635 · 69 = 67.04 million; 69: 1,028,790 · 70 = 72.0 million; two piles of
/// 511: 130,816 · 512 = 66.98 million; 512: 131,328 · 513 = 67.4 million).
#[test]
fn the_longest_table_is_chosen_by_its_positions() {
    let cases: [(Game, &[(Pile, usize)]); 7] = [
        (games::END_NIM, &[(2, 8), (16, 7), (100, 4)]),
        (games::PARTIZAN_END_NIM, &[(2, 8), (16, 7), (100, 4)]),
        (games::NIM, &[(2, 4), (100, 4), (150, 3)]),
        (games::MISERE_NIM, &[(2, 4), (100, 4), (150, 3)]),
        (plain(games::END_NIM), &[(2, 8), (8, 6), (16, 4), (64, 3)]),
        (games::SHORT_GLOBAL_NIM, &[(16, 4), (68, 4), (69, 3), (511, 2), (512, 1)]),
        (games::LONG_GLOBAL_NIM, &[(8, 4)]),
    ];
    for (game, chosen) in cases {
        for &(max_pile, longest) in chosen {
            let wanted = TableRequest { length: None, single: None, ..wanted(max_pile, 1) };
            let tables = solver(game).tables(game, &wanted).unwrap();
            assert_eq!(tables.len(), longest, "{game} {max_pile}");
        }
    }
}

/// By default, the largest single pile is 15,625 times the largest pile of other tables, but at
/// most a million. The default largest piles of long global nim depend on the number of piles.
#[test]
fn largest_piles_are_chosen_by_the_length() {
    let sizes = |game, wanted: TableRequest| -> Vec<Pile> {
        solver(game).tables(game, &wanted).unwrap().iter().map(Table::max_pile).collect()
    };
    let (short, long) = (games::SHORT_GLOBAL_NIM, games::LONG_GLOBAL_NIM);
    for (max_pile, single, chosen) in
        [(10, None, 156_250), (64, None, 1_000_000), (65, None, 1_000_000), (10, Some(77), 77)]
    {
        let found = sizes(short, TableRequest { single, ..wanted(max_pile, 2) });
        assert_eq!(found, [chosen, max_pile]);
    }
    for (max_pile, literally, chosen) in [
        (30, false, &[28, 16, 11, 9, 8, 7, 6, 6][..]),
        (10, false, &[10, 10, 10, 9]),
        (12, true, &[12, 12]),
    ] {
        let request = TableRequest { literally, ..wanted(max_pile, chosen.len()) };
        assert_eq!(sizes(long, request), chosen);
    }
}

/// Tests that the memory named in a refusal is exactly enough.
fn refused_below_what_it_takes(table: &Table, take: impl Fn(Count<'_>) -> Result<(), SolveError>) {
    let control = Control::new();
    let of = |memory| Count { table, stored: None, memory, isa: Isa::best(), control: &control };
    let Err(SolveError::CountMemory { shortage, .. }) = take(of(MemoryLimit::new(0))) else {
        return assert!(take(of(MemoryLimit::new(0))).is_ok(), "{table}");
    };
    let needed = shortage.needed;
    let limit = MemoryLimit::new(needed - 1);
    match take(of(limit)) {
        Err(SolveError::CountMemory { table: named, shortage }) => {
            assert_eq!((named, shortage), (table.to_string(), MemoryShortage { needed, limit }));
        }
        other => panic!("{table}: {other:?}"),
    }
    take(of(MemoryLimit::new(needed))).unwrap();
}

#[test]
fn counts_and_rows_are_refused_if_and_only_if_they_take_too_much() {
    for (game, sizes) in cases() {
        for (max_pile, length) in sizes.into_iter().filter(|(max_pile, _)| *max_pile < 100) {
            let table = table(game, max_pile, length);
            refused_below_what_it_takes(&table, |of| solver(game).count(of).map(|_| ()));
            // Leave out games with ladders, because the height of a ladder depends on the memory.
            // Also leave out records, because they are listed in a different way.
            let listing = Listing::of(&table);
            if !grundy_solvers::follows_from_ends(game) && listing != Listing::Records {
                refused_below_what_it_takes(&table, |of| solver(game).rows(of).map(|_| ()));
            }
        }
    }
    // Stored tables need no memory.
    for game in Game::all().filter(|&game| game != games::PARTIZAN_END_NIM) {
        for held in &tables_of(game, 5, 2).unwrap().0 {
            let (control, stored) = (Control::new(), Some(held as &dyn Stored));
            let (table, isa) = (&held.table, Isa::best());
            let of = Count { table, stored, memory: MemoryLimit::new(0), isa, control: &control };
            assert!(solver(game).count(of).unwrap().is_some(), "{table}");
        }
    }
}

/// With more memory, rows of End-Nim take less time. With too little memory, they are refused.
#[test]
fn rows_of_end_nim_are_made_from_a_ladder() {
    let (table, control) = (table(games::END_NIM, 40, 5), Control::new());
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let rows = |memory| {
        let of = Count { memory: MemoryLimit::new(memory), ..count_of(&table, None, &control) };
        one_thread.install(|| solver(games::END_NIM).rows(of).map(|rows| rows.shape().seconds))
    };
    assert!(rows(20_000_000).unwrap() < rows(2_000_000).unwrap());
    match rows(100_000) {
        Err(SolveError::CountMemory { shortage, .. }) => assert!(rows(2 * shortage.needed).is_ok()),
        other => panic!("{other:?}"),
    }
}

/// Returns the position and the effort that the error names if there is no memory and no time.
fn work_of<T>(take: &dyn Fn(&Env<'_>) -> Result<T, SolveError>) -> (String, Effort) {
    match take(&env(0, 0.0)) {
        Err(SolveError::TooLarge { position, work, limit: Limit::Memory }) => (position, work),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it was not refused"),
    }
}

/// Tests that an answer is refused iff its cost exceeds the limit of memory or time, and that costs
/// grow with the piles.
#[test]
fn answers_are_refused_if_and_only_if_they_take_too_much() {
    type Take = dyn Fn(Game, &[Pile], &Env<'_>) -> Result<(), SolveError>;
    let answer: &Take =
        &|game, piles, env| solver(game).answer(game, &game.position(piles), env).map(|_| ());
    let moves: &Take =
        &|game, piles, env| solver(game).moves(game, &game.position(piles), env).map(|_| ());
    let records: &Take = &|game, piles, env| {
        let records = solver(game).records(game).unwrap();
        records.each(game, piles[0], env, &mut |_, _| true)
    };
    let tile: &Take =
        &|game, piles, env| solver(game).tile(game, &piles[1..2], piles[0], env).map(|_| ());
    let (short, misere) = (games::SHORT_GLOBAL_NIM, games::MISERE_NIM);
    type Case<'a> = (Game, &'a [&'a Take], &'a [&'a [Pile]]);
    let cases: [Case<'_>; 5] = [
        (games::PARTIZAN_END_NIM, &[answer], &[&[2, 7], &[2, 7, 1, 8, 2], &[3; 9]]),
        (short, &[answer, moves, records], &[&[10], &[1000], &[3000]]),
        (short, &[answer, moves], &[&[2, 3], &[4, 5], &[4, 5, 6]]),
        (misere, &[answer, moves], &[&[2, 3], &[20, 30], &[20, 30, 40]]),
        (games::END_NIM, &[answer, moves], &[&[2, 3], &[20, 30], &[20, 30, 40]]),
    ];
    for (game, takes, positions) in cases {
        for take in takes {
            let mut before = Effort::default();
            for piles in positions {
                let take = |env: &Env<'_>| take(game, piles, env);
                let (position, _) = work_of(&take);
                assert_eq!(position, Position::row(piles).to_string());
                let refused = |found: Result<(), SolveError>| match found {
                    Err(SolveError::TooLarge { work, limit, .. }) => Some((work, limit)),
                    Err(error) => panic!("{error}"),
                    Ok(()) => None,
                };
                // Without a time limit, increase the memory until it suffices.
                let mut work = Effort::default();
                while let Some((found, limit)) = refused(take(&env(work.memory, 1e9))) {
                    assert!(limit == Limit::Memory && found.memory > work.memory, "{found:?}");
                    work = found;
                }
                let short = refused(take(&env(work.memory - 1, 1e9)));
                assert_eq!(short.map(|(_, limit)| limit), Some(Limit::Memory), "{position}");
                assert!(refused(take(&env(work.memory, work.seconds * 1.001))).is_none());
                let late = refused(take(&env(1 << 40, work.seconds * 0.999)));
                assert_eq!(late.map(|(_, limit)| limit), Some(Limit::Seconds), "{position}");
                let grows = work.memory > before.memory && work.seconds > before.seconds;
                assert!(grows && work.cells > before.cells, "{position}: {work:?} {before:?}");
                before = work;
            }
        }
    }
    // A tile of side 3 has nine cells, and a tile of side 0 needs neither memory nor time.
    let (position, work) = work_of(&|env| tile(games::END_NIM, &[3, 1, 3], env));
    assert_eq!((&*position, work.cells), ("3,1,3", 9.0));
    assert!(tile(games::END_NIM, &[0, 1, 0], &env(0, 0.0)).is_ok());
}

/// Tests that a game has ladders iff its values follow from the ends and rows are symmetric.
#[test]
fn families_are_found_by_what_the_rules_say() {
    let follow = Game::all().filter(|&game| grundy_solvers::follows_from_ends(game));
    assert!(follow.eq(games::END_NIM_GAMES));
    for (game, expected) in [
        (Game::new(&AllAtOnce), true),
        (plain(games::END_NIM), false),
        (Game::new(&LeftOrAllOfRight), false),
        (misere_form(games::END_NIM).unwrap(), true),
        (misere_form(games::NIM).unwrap(), false),
    ] {
        assert_eq!(grundy_solvers::follows_from_ends(game), expected, "{game}");
    }
    // Only two families override these methods.
    let of = |game: Game| {
        let solver = solver(game);
        (
            game.has_thresholds(),
            solver.records(game).is_some(),
            solver.checks_in_order(&table(game, 3, 1)),
        )
    };
    assert_eq!(of(games::PARTIZAN_END_NIM), (true, false, false));
    assert_eq!(of(games::SHORT_GLOBAL_NIM), (false, true, true));
    for game in Game::all() {
        assert!(!solver(game).checks_in_order(&table(game, 3, 2)), "{game}");
        if ![games::PARTIZAN_END_NIM, games::SHORT_GLOBAL_NIM].contains(&game) {
            assert_eq!(of(game), (false, false, false), "{game}");
        }
    }
    // The misère form of Nim uses the solver of Nim. Nim under another name does not.
    let form = misere_form(games::NIM).unwrap();
    let needs = |game| solver(game).needs(&table(game, 10, 3), &MEANS);
    assert_eq!(needs(form), needs(games::NIM));
    assert_eq!(needs(plain(games::NIM)).level, 2);
}

/// Tests that runs have the same bytes as the whole table, although the kernel fills larger pieces.
#[test]
fn any_run_of_sets_gives_the_same_bytes() {
    let game = games::LONG_GLOBAL_NIM;
    for (max_pile, length) in [(13, 1), (19, 1), (6, 2)] {
        let mut maker = solver(game).maker(Job { game, max_pile, isa: Isa::Portable });
        let table = table(game, max_pile, length);
        let needs = solver(game).needs(&table, &MEANS);
        maker.prepare(&table, &needs, &Control::new()).unwrap();
        let whole = bytes_of(&*maker, &table, table.tiles());
        let tile = table.tile_cells() * table.value_bytes();
        for (first, count) in [(0, 1), (1, 1), (31, 2), (33, 70), (64, 32), (127, 129), (500, 12)] {
            let mut worker = maker.worker(&table);
            // Fill other tiles first. This must not affect the run that is compared.
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
