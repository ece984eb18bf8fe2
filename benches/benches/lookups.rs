//! Values from a warm table, from the levels above it, and from nothing. What the timed
//! loop answered is compared with answers found another way: from tables what is found
//! from nothing, and the other way round; and rows of small piles with the reference.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use grundy_benches::random;
use grundy_builder::{Plan, Request, build, manifest};
use grundy_query::{Answer, Database, Limits, Source};
use grundy_rules::reference::Reference;
use grundy_rules::{Game, Pile, Position, games};
use grundy_sweep::Control;

const GAME: Game = games::END_NIM;

fn lookups(criterion: &mut Criterion) {
    let Ok(folder) = tempfile::tempdir() else { return };
    let request = Request { length: Some(4), threads: 1, ..Request::new(vec![GAME], 64) };
    let built = manifest(folder.path()).ok().and_then(|known| Plan::new(request, &known).ok());
    let Some(plan) = built else { panic!("no plan") };
    assert!(build(&plan, folder.path(), &Control::new(), |_| ()).is_ok());
    let open = |name: &str| Database::open(&folder.path().join(name), Limits::default());
    let (Ok(stored), Ok(empty)) = (open(""), open("none")) else { panic!("no database") };
    for (database, length, largest) in [(&stored, 4, 12), (&stored, 6, 8), (&empty, 20, 6)] {
        agrees_with_the_rules(database, length, largest);
    }
    let value = |database: &Database, position: &Position| {
        database.answer(GAME, position).expect("within the limits")
    };
    let mut group = criterion.benchmark_group("lookup");
    let mut random = random();
    // Many positions, for one alone would have all it needs in the first-level cache. The
    // figure to read is the throughput: lookups a second.
    for (name, database, other, source, length, count) in [
        ("table, 4 piles", &stored, &empty, Source::Table, 4, 1000),
        ("one level above, 5 piles", &stored, &empty, Source::TableAndComputed, 5, 1000),
        ("two levels above, 6 piles", &stored, &empty, Source::TableAndComputed, 6, 1000),
        ("from nothing, 6 piles", &empty, &stored, Source::Computed, 6, 100),
        ("from nothing, 20 piles", &empty, &stored, Source::Computed, 20, 10),
    ] {
        let positions: Vec<Position> =
            (0..count).map(|_| random_position(&mut random, length, 64)).collect();
        // Also makes the table warm, whichever of the two it is.
        let expected: Vec<Answer> = positions
            .iter()
            .inspect(|position| _ = value(database, position))
            .map(|position| Answer { source, ..value(other, position) })
            .collect();
        group.throughput(Throughput::Elements(count));
        group.bench_function(name, |bencher| {
            let mut found = Vec::with_capacity(positions.len());
            bencher.iter(|| {
                found.clear();
                found.extend(positions.iter().map(|position| value(database, position)));
            });
            assert_eq!(found, expected, "{name}");
        });
    }
    group.finish();
}

fn random_position(random: &mut impl FnMut(u64) -> u64, length: usize, largest: u64) -> Position {
    let piles = (0..length).map(|_| random(largest) as Pile + 1).collect();
    Position::new(piles).expect("no pile is empty")
}

/// Asks for some positions small enough for the reference evaluator.
fn agrees_with_the_rules(database: &Database, length: usize, largest: u64) {
    let (mut reference, mut random) = (Reference::new(GAME), random());
    for _ in 0..5 {
        let position = random_position(&mut random, length, largest);
        let found = database.answer(GAME, &position).map(|answer| answer.value);
        assert_eq!(found.ok(), Some(Some(reference.value(&position))), "{position}");
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = lookups
}
criterion_main!(benches);
