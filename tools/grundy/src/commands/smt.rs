//! `grundy check --all-sizes --smt`: writes questions for solvers, and runs the solvers.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context as _;
use grundy::{Ask, Game, Pile};

use crate::args::id_of;
use crate::output::save;

/// The solvers that `any` stands for.
const SOLVERS: [&str; 2] = ["z3", "cvc5"];

/// The answer of a solver.
enum Answer {
    None,
    Counterexample(Vec<Pile>),
    Unknown,
}

/// Writes the questions about a statement into a folder, and asks the solvers. Returns the verdict
/// and its reason.
pub(super) fn ask(
    (ask, game): (&Ask<'_>, Game),
    length: usize,
    folder: &Path,
    wanted: &[String],
    seconds: f64,
) -> anyhow::Result<(&'static str, String)> {
    let questions = match ask.solver_questions(length) {
        Ok(questions) => questions,
        Err(why) => return Ok(("undecided", why.to_string())),
    };
    let cannot = || format!("cannot make the folder {}", folder.display());
    std::fs::create_dir_all(folder).with_context(cannot)?;
    let mut files = Vec::new();
    for question in &questions {
        let file = folder.join(format!("{}-{length}-{}.smt2", id_of(game), question.name));
        save(&file, question.text.as_bytes())?;
        files.push(file);
    }
    let solvers = installed(wanted)?;
    if solvers.is_empty() {
        let folder = folder.display();
        let why = format!("the questions for solvers are in {folder}; --solver z3 asks one");
        return Ok(("undecided", why));
    }
    let mut asked = 0;
    for (solver, file) in solvers.iter().flat_map(|solver| files.iter().map(move |f| (solver, f))) {
        asked += 1;
        let left = seconds / (solvers.len() * files.len() + 1 - asked) as f64;
        let shown = file.display();
        match run(solver, file, left.max(1.0))? {
            Answer::None => {}
            Answer::Counterexample(piles) => {
                let position = game.position(&piles);
                return Ok(match ask.confirms(&piles) {
                    true => (
                        "fails",
                        format!(
                            "{solver} finds {position}, and the moves confirm that the statement is \
                             false there or at an option"
                        ),
                    ),
                    false => (
                        "undecided",
                        format!(
                            "{solver} finds {position} for {shown}, but the moves do not confirm it"
                        ),
                    ),
                });
            }
            Answer::Unknown => {
                let why = format!("{solver} does not decide {shown}; a larger --seconds may help");
                return Ok(("undecided", why));
            }
        }
    }
    let names = solvers.join(" and ");
    let finds = if solvers.len() == 1 { "finds" } else { "find" };
    Ok(("holds", format!("{names} {finds} no counterexample of any size")))
}

/// Returns the solvers to run.
fn installed(wanted: &[String]) -> anyhow::Result<Vec<&str>> {
    let runs = |name: &str| {
        let mut command = Command::new(name);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    };
    let mut all = Vec::new();
    for name in wanted {
        match &name[..] {
            "any" => all.extend(SOLVERS.into_iter().filter(|name| runs(name))),
            name => {
                let known = SOLVERS.contains(&name);
                anyhow::ensure!(known, "--solver {name} is unknown; write z3, cvc5 or any");
                anyhow::ensure!(runs(name), "cannot run {name}; install it, or leave out --solver");
                all.push(name);
            }
        }
    }
    anyhow::ensure!(
        wanted.is_empty() || !all.is_empty(),
        "no solver is installed; install z3 or cvc5, or leave out --solver"
    );
    all.dedup();
    Ok(all)
}

fn run(solver: &str, file: &Path, seconds: f64) -> anyhow::Result<Answer> {
    let limit = match solver {
        "z3" => format!("-T:{}", seconds.ceil()),
        _ => format!("--tlimit={}", (seconds * 1000.0).ceil()),
    };
    let output = Command::new(solver).arg(limit).arg(file).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(match text.split_once('\n').unwrap_or((&text, "")) {
        ("unsat", _) => Answer::None,
        // The values follow as `((p1 3)`, ` (p2 5))`.
        ("sat", values) => {
            let pairs = values.split(['(', ')']).filter_map(|pair| pair.trim().split_once(' '));
            let piles = pairs.map(|(_, value)| value.parse().ok()).collect::<Option<Vec<Pile>>>();
            piles.map_or(Answer::Unknown, Answer::Counterexample)
        }
        _ => Answer::Unknown,
    })
}
