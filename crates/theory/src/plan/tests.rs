//! Sizes and estimates, by hand from what the modules say that they are.

use super::*;
use crate::checks::{
    dense, g_series, last_moves, multisets, outcomes, printed_cost, rows, several_piles,
    single_piles, small_words, subsets, three_games,
};
use crate::conjecture;
use grundy_kernels::Isa;
use grundy_kernels::subsets::{MAX_PILE, SubsetTables};
use grundy_rules::games;

fn means(memory: u64, threads: usize) -> Means<'static> {
    Means { isa: Isa::Portable, memory, threads, certificate: None, keeper: None }
}

fn sizes(sizes: &[(Pile, usize)]) -> Extent {
    Extent::Sizes(sizes.iter().map(|&(max_pile, length)| Size { max_pile, length }).collect())
}

fn numbers(to: u32) -> Extent {
    Extent::Numbers { what: "n", to }
}

#[track_caller]
fn is(found: Estimate, positions: u64, cells: u64, seconds: f64, memory: u64) {
    assert_eq!((found.positions, found.cells, found.memory), (positions, cells, memory));
    let seconds_found = found.seconds;
    assert!((seconds_found - seconds).abs() <= 1e-9 * seconds, "{seconds_found}, {seconds}");
}

const ONE: &[Game] = &[games::END_NIM];

/// Of 1000 rows: 20 bytes a row of corrections, 8 for each of 502 values, and a MiB, by
/// `Records::bytes`; then what the check keeps.
#[test]
fn costs_of_single_piles() {
    let records = 20 * 1000 + 8 * 502 + (1 << 20);
    let means = means(0, 1);
    let found = single_piles::cost(ONE, &numbers(1000), &means);
    is(found, 1000, 1000, 1.2e-3, records + 120_000);
    let found = single_piles::light_cost(ONE, &numbers(1000), &means);
    is(found, 1000, 1000, 1.2e-3, records + 8000);
    // 10 x 10 cells, half of them with k <= n; 8 bytes and 20 ns a cell.
    is(dense::cost(ONE, &numbers(10), &means), 50, 50, 2e-6, 800);
    // 2^10 sums of 0.2 us, and no more than 2^1000 are told.
    is(g_series::sums_cost(ONE, &numbers(10), &means), 0, 10, 1024.0 * 2e-7, 0);
    let many = g_series::sums_cost(ONE, &numbers(1_000_000), &means).seconds;
    assert!(many.is_finite() && many > 1e294);
    // 16 sets within 1..=3 and smaller piles.
    let found = subsets::cost(ONE, &numbers(3), &means);
    is(found, 16, 3, 16.0 * 5e-9, SubsetTables::bytes(3));
    let found = subsets::g_series_cost(ONE, &numbers(3), &means);
    is(found, 16, 3, 16.0 * 1e-5, SubsetTables::bytes(3));
    let largest = subsets::cost(ONE, &numbers(MAX_PILE), &means);
    assert_eq!(largest.memory, SubsetTables::bytes(MAX_PILE));
    // 8^3 / 6 multisets of three piles below 2^3, 1.5 ns each; of those below 2^31 more than are
    // counted.
    let chances = |to| {
        let range = Range { to: Some(to), ..Range::default() };
        Plan::new(&Claim::find("bouton.chance").unwrap(), &[], &range).unwrap().estimate(&means)
    };
    is(chances(3), 85, 85, 512.0 / 6.0 * 1.5e-9, 0);
    assert_eq!(chances(31).cells, u64::MAX);
    is(printed_cost(ONE, &Extent::Printed, &means), 256, 0, 0.0, 0);
}

#[test]
fn costs_of_several_piles() {
    let means = means(0, 1);
    is(several_piles::cost(ONE, &numbers(10), &means), 10, 10, 2e-4, 1 << 30);
    is(several_piles::equal_piles_cost(ONE, &numbers(31), &means), 31, 31, 0.3, 1 << 30);
    let seconds = 0.3 * 1.33 * 1.33;
    is(several_piles::equal_piles_cost(ONE, &numbers(33), &means), 33, 33, seconds, 1 << 30);
    // Six multisets of two piles up to 3, with last moves 0 to 3: 6 x 4 values of two bytes, kept
    // twice; work of 6 x (3 x 2 / 2 + 3 / 8), by `LastMoves::work`.
    let found = last_moves::cost(ONE, &sizes(&[(3, 1), (3, 2)]), &means);
    is(found, 24, 24, 20.25 * 5e-9 + 24.0 * 2e-9, 96);
    // The same of two games, two piles each, without last moves.
    let both = [games::NIM, games::MISERE_NIM];
    let found = multisets::cost(&both, &sizes(&[(3, 1), (3, 2)]), &means);
    is(found, 12, 12, 12.0 * 2.0 * 20e-9, found.memory);
    assert!(found.memory > 24);
    // 3 x 3 words with the one that is empty behind and 2 x 3 more, of two games.
    let found = small_words::cost(&both, &sizes(&[(3, 2)]), &means);
    is(found, 126, 9, 126.0 * 3.0 * 2e-6, 126 * 200);
    // 4 x 4 words with 4 options of two ends; 4^5 with those of three.
    let found = small_words::position_cost(&both, &sizes(&[(4, 2)]), &means);
    is(found, 32, 32, 32.0 * 4.0 * 2e-7, 32 * 200);
    let found = small_words::position_cost(&both[..1], &sizes(&[(4, 5)]), &means);
    is(found, 1024, 1024, 1024.0 * 6.0 * 2e-7, 1024 * 200);
}

#[test]
fn costs_of_words() {
    // 3 + 9 words in steps of rows of 3; a row of bits of 8 bytes for each player at length 1.
    let found = outcomes::cost(ONE, &sizes(&[(3, 1), (3, 2)]), &means(0, 2));
    is(found, 12, 12, 4.0 * 10e-9 / 2.0, 16);
    // 70 + 70^2 words in steps of 64; two words a row.
    let found = outcomes::cost(ONE, &sizes(&[(70, 2)]), &means(0, 1));
    is(found, 4970, 4970, 4970.0 / 64.0 * 10e-9, 32);
    // Strips of c + 3 rows of 80 columns, an eighth of it, for c = 1, 2, 3: 40 + 50 + 60 cells.
    let three = Extent::Rows { max_pile: 3, bound: 80 };
    let found = rows::cost(ONE, &three, &means(0, 2));
    is(found, 9, 720, 150.0 * 7.0 * 1e-9 / 2.0, 24 * 60 * 2);
    let both = [games::END_NIM, games::LOOP_END_NIM];
    is(rows::cost(&both, &three, &means(0, 1)), 18, 1440, 300.0 * 7.0 * 1e-9, 24 * 60);
    // 10 + 100 + 1000 cells of each of three games, at 1.15 ns and 1 to compare; the ladder of
    // the largest has 10 + 100 bytes, and a tile 100.
    let found = three_games::cost(ONE, &sizes(&[(10, 1), (10, 2), (10, 3)]), &means(1 << 20, 2));
    is(found, 1110, 3330, 3330.0 * 2.15e-9 / 2.0, 3 * 210);
    // Middles of three piles up to 10: 100 read the same backwards, and 450 pairs. Two levels
    // above a ladder of two, so 3 tiles for one and 3 more. Each thread has 2 x 10 x 4 + 8 tiles
    // and 2^16 cells.
    let working = 88 * 100 + (1 << 16);
    let found = three_games::cost(ONE, &sizes(&[(10, 5)]), &means(0, 1));
    is(found, 100_000, 165_000, 165_000.0 * (1.15 * 6.0 + 1.0) * 1e-9, 3 * (110 + working));
}

/// From the figures in `conjecture::cost`: 0.1 + 1 s and 16 + 16 MiB at 2000; of twice as large an
/// n 2^14 times the second and 2^9 times the first 16.
#[test]
fn costs_of_the_conjecture() {
    let means = means(0, 1);
    is(conjecture::cost(ONE, &numbers(2000), &means), 2000, 2000, 1.1, 32 << 20);
    let seconds = 0.1 + 16384.0;
    let found = conjecture::cost(ONE, &numbers(4000), &means);
    is(found, 4000, 4000, seconds, ((16 << 9) + 16) << 20);
}

/// What each kind of statement adds to 1.15 ns a cell.
#[test]
fn estimates_of_sweeps() {
    for (id, length, cells, added) in [
        ("an.thm2", 1, 10, 0.02),
        ("ch.thm5.1", 3, 1000, 0.05),
        ("an.prop1", 2, 100, 0.05),
        ("end.bound", 2, 100, 0.05),
        ("end.rows", 2, 100, 1.1),
        ("ch.two-pile", 2, 100, 5.0),
        ("end.p-count", 1, 10, 0.06),
    ] {
        let range = Range { max_pile: Some(10), length: Some(length), to: None };
        let claims = Claim::find(id).unwrap();
        let plan = Plan::new(&claims, &[games::END_NIM], &range).unwrap();
        let seconds = cells as f64 * (1.15 + added) * 1e-9;
        let memory = if length == 1 { 20 } else { 210 };
        for threads in [0, 1, 2] {
            let found = plan.estimate(&means(1 << 20, threads));
            is(found, cells, cells, seconds / threads.max(1) as f64, memory.min(found.memory));
        }
        assert!(plan.has_sweeps() && plan.checks.is_empty());
    }
    // 100 cells walked 1.6 times.
    let range = Range { max_pile: Some(10), length: Some(5), to: None };
    let plan = Plan::new(&Claim::find("an.prop1").unwrap(), &[games::END_NIM], &range).unwrap();
    let sweep = &plan.sweeps[&(games::END_NIM, 10, 5)];
    let found = plan.estimate_sweep(sweep, &means(0, 1));
    let working = 88 * 100 + (1 << 16);
    is(found, 100_000, 55_000, 55_000.0 * (1.15 * 1.6 + 0.05) * 1e-9, 110 + working);
}

/// One after the other: all but the memory adds up.
#[test]
fn estimates_of_several_claims_add_up() {
    let claims = ["gn.prop7", "lgn.prop29"].map(|id| Claim::find(id).unwrap()[0]);
    let range = Range { to: Some(10), ..Range::default() };
    let plan = Plan::new(&claims, &[], &range).unwrap();
    assert!(!plan.has_sweeps());
    is(plan.estimate(&means(0, 1)), 60, 60, 2e-4 + 2e-6, 1 << 30);
    let some = plan.estimate(&means(0, 1));
    some.within(1 << 30, some.seconds).unwrap();
    let text = |memory, seconds| some.within(memory, seconds).unwrap_err().to_string();
    let memory = text((1 << 30) - 1, 1.0);
    assert_eq!(memory, "this needs about 1024 MiB of memory, and 1023 are allowed");
    assert_eq!(text(1 << 30, 1e-4), "this would take about 0 s, and 0 are allowed");
}

/// Each length of a claim is checked with the largest piles for which it is; numbers of positions
/// at each size, since they follow from those of shorter rows.
#[test]
fn larger_sizes_serve() {
    let keys = |id: &str| -> Vec<(Pile, usize)> {
        let plan = Plan::new(&Claim::find(id).unwrap(), &[games::END_NIM], &Range::default());
        plan.unwrap().sweeps.keys().map(|&(_, max_pile, length)| (max_pile, length)).collect()
    };
    let served = [(2, 15..=20), (3, 12..=14), (4, 9..=11), (8, 7..=8), (16, 6..=6), (32, 5..=5)];
    let served = |from| {
        let served = served.iter().cloned().chain([(64, from..=4)]);
        let all = served.flat_map(|(n, lengths)| lengths.map(move |length| (n, length)));
        all.collect::<Vec<(Pile, usize)>>()
    };
    assert_eq!(keys("an.thm2"), served(1));
    assert_eq!(keys("an.prop1"), served(2));
    let all: Vec<(Pile, usize)> = [(2, 20), (3, 14), (4, 11), (8, 8), (16, 6), (32, 5), (64, 4)]
        .into_iter()
        .flat_map(|(n, longest)| (1..=longest).map(move |length| (n, length)))
        .collect();
    assert_eq!(keys("end.zeros"), all);
    assert_eq!(keys("ch.thm5.1"), [(127, 3)]);
}

/// Up to 2^24 words of a length that comes alone, and a max pile of 2000; up to 2^31 words of eight
/// piles, or 2^24 multisets of four, for a max pile that comes alone.
#[test]
fn what_is_left_out_is_chosen() {
    let of_length = [(1, 2000), (2, 2000), (3, 256), (4, 64), (6, 16), (24, 2), (25, 1), (60, 1)];
    for (length, max_pile) in of_length {
        assert_eq!(default_max_pile(length), max_pile, "{length}");
    }
    for (game, max_pile, length) in [
        (games::END_NIM, 1, 8),
        (games::END_NIM, 4, 8),
        (games::END_NIM, 16, 7),
        (games::END_NIM, 64, 5),
        (games::END_NIM, 1290, 3),
        (games::END_NIM, 1291, 2),
        (games::NIM, 4, 4),
        (games::NIM, 140, 4),
        (games::NIM, 142, 3),
        (games::NIM, 1000, 2),
    ] {
        assert_eq!(longest_by_default(game, max_pile), length, "{game} {max_pile}");
    }
    let keys = |id: &str, max_pile, length| -> Vec<(Pile, usize)> {
        let range = Range { max_pile, length, to: None };
        let plan = Plan::new(&Claim::find(id).unwrap(), &[games::END_NIM], &range).unwrap();
        plan.sweeps.keys().map(|&(_, max_pile, length)| (max_pile, length)).collect()
    };
    assert_eq!(keys("an.thm2", None, Some(3)), [(256, 1), (256, 2), (256, 3)]);
    assert_eq!(keys("an.prop1", Some(1290), None), [(1290, 2), (1290, 3)]);
    assert_eq!(keys("ch.thm5.1", Some(9), None), [(9, 3)]);
    assert_eq!(keys("ch.thm5.1", Some(9), Some(8)), [(9, 3)]);
    assert_eq!(keys("ch.thm5.1", None, Some(8)), [(256, 3)]);
    // No length is asked for, and the longest for this max pile is shorter than the claim's least.
    assert_eq!(keys("ch.thm5.1", Some(2000), Some(3)), [(2000, 3)]);
}

#[test]
fn bounds_that_there_cannot_be_are_refused() {
    let plan = |id: &str, max_pile, to| {
        let range = Range { max_pile, length: None, to };
        let plan = Plan::new(&Claim::find(id).unwrap(), &[], &range);
        plan.map(|_| ()).map_err(|error| error.to_string())
    };
    let largest = grundy_rules::index::LARGEST_RECORD;
    plan("gn.thm2", None, Some(largest)).unwrap();
    for to in [0, largest + 1] {
        let said = format!(
            "gn.thm2 is checked for n from 1 to a bound of at most {largest}; {to} is asked for"
        );
        assert_eq!(plan("gn.thm2", None, Some(to)).unwrap_err(), said);
    }
    plan("an.period", Some(1), Some(1)).unwrap();
    let zero = |error: String, what: &str| {
        let said = format!("an.period is checked for {what} from 1 to a bound of at most ");
        assert!(error.starts_with(&said) && error.ends_with("; 0 is asked for"), "{error}");
    };
    zero(plan("an.period", Some(5), Some(0)).unwrap_err(), "b");
    zero(plan("an.period", Some(0), Some(5)).unwrap_err(), "a");
    let short = Range { length: Some(2), ..Range::default() };
    let error = Plan::new(&Claim::find("ch.thm5.1").unwrap(), &[], &short).err().unwrap();
    let said = "ch.thm5.1 speaks about positions of at least 3 piles; length 2 has none";
    assert_eq!(error.to_string(), said);
    let games = [games::NIM, games::LOOP_END_NIM];
    let error = Plan::new(&Claim::find("ch.two-pile").unwrap(), &games, &short).err().unwrap();
    assert_eq!(
        error.to_string(),
        "ch.two-pile does not speak about nim, loop-end-nim; it speaks about end-nim, \
         misere-end-nim"
    );
}

/// What is set and not looked at, and what is asked for beyond the length of a claim.
#[test]
fn what_a_range_is_not_used_for() {
    let unused = |id: &str, max_pile, length, to| {
        Range { max_pile, length, to }.unused(&Claim::find(id).unwrap())
    };
    assert_eq!(unused("gn.thm2", Some(3), None, None), Some("max_pile"));
    assert_eq!(unused("an.period", Some(3), None, None), None);
    assert_eq!(unused("an.period", Some(3), Some(2), None), Some("length"));
    assert_eq!(unused("an.thm2", Some(3), Some(2), None), None);
    assert_eq!(unused("an.thm2", Some(3), Some(2), Some(1)), Some("to"));
    assert_eq!(unused("an.period", None, None, Some(1)), None);
    assert_eq!(unused("gn.thm2", None, None, Some(1)), None);
    let claims = Claim::find("an.").unwrap();
    assert_eq!(Range { max_pile: Some(1), length: Some(1), to: Some(1) }.unused(&claims), None);
    let claims: Vec<&Claim> = ["ch.two-pile", "ch.thm5.1", "an.thm2", "gn.thm2"]
        .map(|id| Claim::find(id).unwrap()[0])
        .to_vec();
    let shorter = |length| {
        let range = Range { length, ..Range::default() };
        let shorter = range.shorter(&claims).into_iter();
        shorter.map(|(claim, length)| (claim.id, length)).collect::<Vec<_>>()
    };
    assert_eq!(shorter(None), []);
    assert_eq!(shorter(Some(2)), []);
    assert_eq!(shorter(Some(3)), [("ch.two-pile", 2)]);
    assert_eq!(shorter(Some(4)), [("ch.two-pile", 2), ("ch.thm5.1", 3)]);
}
