//! Measures how fast user statements are checked. Compares this speed with the speeds of NumPy and
//! of a Python function with a memo. The program also compares the answers of all three.
//!
//! The game is End-Nim. NumPy loads the values of four piles of up to 64 from a file before the
//! clock starts. The Python function checks three piles of up to 10, and its time includes filling
//! the memo. Speeds are in positions per second on one thread. The time for five piles includes
//! computing the values.

use std::time::Instant;

use grundy::{Ask, Cells, Level, Question, games};
use grundy_benches::cases::cases;
use grundy_benches::{Failure, PYTHON_MEMO, print_heading, python};

const PYTHON: &str = "
def xor(p):
    x = 0
    for q in p: x ^= q
    return x
t = time.perf_counter()
n = sum(not (STATEMENT) for p in itertools.product(range(1, 11), repeat=3))
print(time.perf_counter() - t, n)
";

const NUMPY: &str = "
import sys, time
from functools import reduce
import numpy as np
values = np.fromfile(FILE, dtype=np.uint8).reshape(64, 64, 64, 64).astype(np.int16)
g = values
p = list(np.ogrid[1:65, 1:65, 1:65, 1:65])
p = [q.astype(np.int16) for q in p]
xor = lambda p: reduce(np.bitwise_xor, p)
maximum = lambda p: reduce(np.maximum, p)
minimum = lambda p: reduce(np.minimum, p)
ones = np.array([bin(x).count('1') for x in range(256)], dtype=np.int16)
popcount = lambda g: ones[g]
def shifted():
    out = np.ones(g.shape, dtype=bool)
    out[:, 1:] = g[:, 1:] != g[:, :-1]
    return out
t = time.perf_counter()
n = int(np.count_nonzero(~np.broadcast_to(STATEMENT, g.shape)))
print(time.perf_counter() - t, n)
";

fn main() -> Result<(), Failure> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    print_heading("cargo run --release -p grundy-benches --bin questions");
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("values");
    std::fs::write(&file, rows()?)?;
    let file = format!("{:?}", file.display().to_string());
    println!(
        "| statement | 5 piles of 64 | 4 piles of 64 | NumPy, 4 piles of 64 | Python, 3 piles of 10 |"
    );
    println!("|---|---|---|---|---|");
    let all = cases(include_str!("../statements.txt"), "statements");
    for (_, [statement, numpy, by_definition]) in all {
        let question = Question::parse(games::END_NIM, statement)?;
        let ask = |length: usize, max_pile| -> Result<(u64, f64), Failure> {
            let begun = Instant::now();
            let found = Ask::new(&question).check(length..=length, max_pile)?;
            Ok((found.failures, found.checked as f64 / begun.elapsed().as_secs_f64()))
        };
        let ((_, five), (failures, four), (small, _)) = (ask(5, 64)?, ask(4, 64)?, ask(3, 10)?);
        let by_numpy = NUMPY.replace("FILE", &file).replace("STATEMENT", numpy);
        let beside = |program: String, expected: u64, positions: f64| -> Result<String, Failure> {
            let Some((seconds, count)) = python(&program) else {
                return Ok("not measured".to_owned());
            };
            if count != expected {
                return Err(format!("{statement}: {count} there, {expected} here").into());
            }
            Ok(format!("{:.1e}", positions / seconds))
        };
        let by_numpy = beside(by_numpy, failures, 64f64.powi(4))?;
        let program = PYTHON_MEMO.to_owned() + &PYTHON.replace("STATEMENT", by_definition);
        let by_python = beside(program, small, 1000.0)?;
        println!("| `{statement}` | {five:.1e} | {four:.1e} | {by_numpy} | {by_python} |");
    }
    Ok(())
}

/// Returns the values of all positions of four piles of up to 64, in lexicographic order.
fn rows() -> Result<Vec<u8>, Failure> {
    let mut rows = vec![0; 1 << 24];
    Level::new(games::END_NIM, 4, 64)?.each(|block| {
        debug_assert!(matches!(block.values(), Cells::Bytes(_)));
        block.each_position(|at| {
            let place = at.piles.iter().fold(0, |place, &pile| place * 64 + pile as usize - 1);
            rows[place] = at.value as u8;
        });
        true
    })?;
    Ok(rows)
}
