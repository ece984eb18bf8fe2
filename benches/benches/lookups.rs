//! One value from a warm table, from the levels above it, and from nothing. Every answer
//! is also computed from nothing, which shares no table with the others.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use grundy_builder::{Plan, Request, build, manifest};
use grundy_kernels::Isa;
use grundy_query::{Database, Limits};
use grundy_rules::{Game, Position};
use grundy_sweep::Control;

const GAME: Game = Game::EndNim;

fn lookups(criterion: &mut Criterion) {
    let Ok(folder) = tempfile::tempdir() else { return };
    let request = Request {
        games: vec![GAME],
        max_pile: 64,
        length: 4,
        memory: 1 << 30,
        threads: 1,
        isa: Isa::best(),
    };
    let built = manifest(folder.path()).ok().and_then(|known| Plan::new(request, &known).ok());
    let Some(plan) = built else { panic!("no plan") };
    assert!(build(&plan, folder.path(), &Control::new(), |_| ()).is_ok());
    let open = |name: &str| Database::open(&folder.path().join(name), Limits::default());
    let (Ok(stored), Ok(empty)) = (open(""), open("none")) else { panic!("no database") };
    let value = |database: &Database, position: &Position| {
        database.value(GAME, position).map(|answer| answer.value).ok()
    };
    let mut group = criterion.benchmark_group("lookup");
    for (name, database, text) in [
        ("table, 4 piles", &stored, "47,3,60,31"),
        ("one level above", &stored, "47,3,60,31,52"),
        ("two levels above", &stored, "47,3,60,31,52,12"),
        ("from nothing, 6 piles", &empty, "47,3,60,31,52,12"),
        ("from nothing, 20 piles", &empty, &["64"; 20].join(",")),
    ] {
        let Ok(position) = GAME.parse(text) else { panic!("{text} is no position") };
        assert_eq!(value(database, &position), value(&empty, &position), "{text}");
        group.bench_function(name, |bencher| {
            bencher.iter(|| value(database, black_box(&position)));
        });
    }
    group.finish();
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
