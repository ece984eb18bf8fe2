//! Compares the speed of user statements with the speed of NumPy on the same values, and of a
//! Python function with a memo. All answers are compared.
//!
//! The game is End-Nim. NumPy gets the values of four piles of up to 64 from a file, which it loads
//! before the clock starts. The Python function gets three piles of up to 10, and its time includes
//! filling the memo. The figures are positions a second on one thread. For five piles, the time
//! includes computing the values.

use std::time::Instant;

use grundy::{Ask, Cells, Level, Question, games};
use grundy_benches::{Failure, PYTHON_MEMO, print_heading, python};

/// Statements, each with its translation to NumPy and to Python, for piles p\[0\], p\[1\], ...
const STATEMENTS: [(&str, &str, &str); 10] = [
    (
        "g == 1 -> abs(first - last) <= 1",
        "(g != 1) | (abs(p[0] - p[-1]) <= 1)",
        "g(p) != 1 or abs(p[0] - p[-1]) <= 1",
    ),
    ("g <= first + last", "g <= p[0] + p[-1]", "g(p) <= p[0] + p[-1]"),
    (
        "P -> first == last or abs(first - last) == 1 and total % 2 == 1",
        "(g != 0) | (p[0] == p[-1]) | (abs(p[0] - p[-1]) == 1) & (sum(p) % 2 == 1)",
        "g(p) != 0 or p[0] == p[-1] or abs(p[0] - p[-1]) == 1 and sum(p) % 2 == 1",
    ),
    (
        "g % 2 == (first + last) % 2",
        "g % 2 == (p[0] + p[-1]) % 2",
        "g(p) % 2 == (p[0] + p[-1]) % 2",
    ),
    ("xor(piles) == g", "xor(p) == g", "xor(p) == g(p)"),
    (
        "max(piles) - min(piles) >= 3 or g > 0",
        "(maximum(p) - minimum(p) >= 3) | (g > 0)",
        "max(p) - min(p) >= 3 or g(p) > 0",
    ),
    (
        "count(x in piles: x == 1) <= g",
        "sum((x == 1) * 1 for x in p) <= g",
        "sum(x == 1 for x in p) <= g(p)",
    ),
    (
        "g ** 2 <= (first + last) ** 2 and popcount(g) <= 7",
        "(g ** 2 <= (p[0] + p[-1]) ** 2) & (popcount(g) <= 7)",
        "g(p) ** 2 <= (p[0] + p[-1]) ** 2 and bin(g(p)).count('1') <= 7",
    ),
    (
        "first // last + last // first >= g // 64",
        "p[0] // p[-1] + p[-1] // p[0] >= g // 64",
        "p[0] // p[-1] + p[-1] // p[0] >= g(p) // 64",
    ),
    (
        "p2 > 1 -> g != (g(p1, p2 - 1, p3, p4) if k == 4 else g(p1, p2 - 1, p3) if k == 3 else \
         g(p1, p2 - 1, p3, p4, p5))",
        "shifted()",
        "p[1] == 1 or g(p) != g((p[0], p[1] - 1) + p[2:])",
    ),
];

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
    for (statement, numpy, by_definition) in STATEMENTS {
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
        let shown = statement.split_whitespace().collect::<Vec<_>>().join(" ");
        println!("| `{shown}` | {five:.1e} | {four:.1e} | {by_numpy} | {by_python} |");
    }
    Ok(())
}

/// Returns the values of four piles of up to 64 in the order of their words.
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
