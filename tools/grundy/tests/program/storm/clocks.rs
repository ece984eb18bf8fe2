//! Runs commands while the clocks jump. A library that is loaded before the program answers in
//! place of the system's clock.

use std::process::{Command, Output};
use std::time::Duration;

use grundy_testing::cases::cases;
use grundy_testing::program::{Folder, text};

use super::hostile::limited;
use super::kills::{CASES, workplace};
use super::written;

/// The clock of the library. `JUMP` chooses how it lies; `n` counts the calls.
const CLOCK: &str = "
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    static long n;
    if (!real) real = dlsym(RTLD_NEXT, \"clock_gettime\");
    int code = real(clock, now);
    long call = __atomic_add_fetch(&n, 1, __ATOMIC_RELAXED);
    const char *jump = getenv(\"JUMP\");
    int is_date = clock == CLOCK_REALTIME, is_time = clock == CLOCK_MONOTONIC;
    switch (jump ? *jump : 0) {
    case 'a': if (is_date) now->tv_sec = call % 2 ? 0 : 4102444800; break;
    case 'b': if (is_date) now->tv_sec = -1000000; break;
    case 'c': if (is_date) now->tv_sec = 253402300800; break;
    case 'd': if (is_date) now->tv_sec = 1L << 61; break;
    case 'e': if (is_time) now->tv_sec += call * 3600; break;
    case 'f': if (is_time && call % 2) now->tv_sec = now->tv_sec > 500 ? now->tv_sec - 500 : 0; break;
    case 'g': if (is_time) now->tv_sec = 1000, now->tv_nsec = 0; break;
    case 'h': if (is_time && call % 7 == 0) now->tv_sec += 86400L * 365 * 200; break;
    }
    return code;
}
";

/// Returns a working folder with the library, or `None` if there is no compiler of C.
fn folder_with_clock() -> Option<Folder> {
    let folder = workplace();
    folder.write("clock.c", CLOCK);
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o", "clock.so", "clock.c", "-ldl"]);
    let made = compiler.current_dir(folder.path()).output();
    if made.is_ok_and(|made| made.status.success()) {
        return Some(folder);
    }
    println!("skipped: there is no compiler of C");
    None
}

/// Each command gives the files of a run with a right clock, or says that its time has passed.
#[test]
fn jumping_clocks_spoil_nothing() {
    let Some(folder) = folder_with_clock() else { return };
    let run = |line: &str, jump: &str| -> Output {
        let mut command = folder.command(line);
        command.env_remove("SOURCE_DATE_EPOCH");
        command.env("LD_PRELOAD", folder.at("clock.so")).env("JUMP", jump);
        limited(command.spawn().expect("it starts"))
    };
    let (mut runs, mut late, begun) = (0, 0, std::time::Instant::now());
    let readers = cases(CASES, "readers").into_iter().map(|(_, [line])| (line, ""));
    let writers = cases(CASES, "writers").into_iter().map(|(_, [line, name])| (line, name));
    for (line, name) in readers.chain(writers) {
        let mut whole = None;
        for jump in ["", "a", "b", "c", "d", "e", "f", "g", "h"] {
            let output = run(line, jump);
            let said = text(&output.stderr);
            runs += 1;
            match output.status.code() {
                Some(0) => {}
                Some(2) if said.contains("--seconds") && !jump.is_empty() => {
                    late += 1;
                    continue;
                }
                code => panic!("{jump}: {line}: {code:?}: {said}"),
            }
            if name.is_empty() {
                continue;
            }
            let files = written(&folder, name);
            let is_dated = line.starts_with("pack") || line.starts_with("dataset");
            let whole = whole.get_or_insert_with(|| files.clone());
            let (names, all) = (files.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>());
            assert_eq!(names, all, "{jump}: {line}");
            assert!(is_dated || files == *whole, "{jump}: {line}: other files");
            let place = folder.at(name);
            let removed = match place.is_dir() {
                true => std::fs::remove_dir_all(place),
                false => std::fs::remove_file(place),
            };
            removed.expect("removed");
        }
    }
    println!("{runs} runs with jumping clocks, {late} out of time");
    assert!(begun.elapsed() < Duration::from_secs(600));
}
