//! `grundy query`: the value, or the outcome class, of positions.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read as _, Write};

use anyhow::{Context, bail};
use grundy_query::Database;
use grundy_rules::Game;
use rayon::prelude::*;
use serde_json::json;

use crate::End;
use crate::args::{Common, Query};
use crate::output::{Out, bytes};
use crate::watch::end_search;

pub(crate) fn run(common: &Common, wanted: &Query, out: &mut Out) -> anyhow::Result<End> {
    let game: Game = wanted.game.parse()?;
    let database = common.open(wanted.seconds)?;
    for text in &wanted.positions {
        if text == "-" {
            from_stdin(common, &database, game, out)?;
        } else {
            let mut line = String::new();
            answer(&database, game, text, out.is_json(), &mut line)?;
            out.write_all(line.as_bytes())?;
        }
    }
    Ok(End::Fine)
}

/// Lines answered together: enough to keep every thread busy, few enough that answers
/// to somebody typing, or to another program, do not wait.
const BATCH_BYTES: usize = 1 << 20;

/// A position of a million piles has two million bytes.
const MOST_LINE_BYTES: u64 = 16 << 20;

/// Positions from standard input, one a line; empty lines are passed over. Whatever is
/// there to read is answered before more is waited for, in parallel if it is much.
fn from_stdin(
    common: &Common,
    database: &Database,
    game: Game,
    out: &mut Out,
) -> anyhow::Result<()> {
    let mut input = BufReader::with_capacity(BATCH_BYTES, io::stdin().lock());
    let mut batch = Vec::new();
    let mut lines_before = 0;
    let mut threads_started = false;
    let json = out.is_json();
    loop {
        batch.clear();
        let there = input.fill_buf().context("cannot read standard input")?;
        if there.is_empty() {
            return Ok(());
        }
        let length = there.len();
        batch.extend_from_slice(there);
        input.consume(length);
        if !batch.ends_with(b"\n") {
            // The last line goes on.
            let mut rest = (&mut input).take(MOST_LINE_BYTES);
            rest.read_until(b'\n', &mut batch).context("cannot read standard input")?;
            if rest.limit() == 0 && !batch.ends_with(b"\n") {
                let line = lines_before + batch.iter().filter(|&&byte| byte == b'\n').count() + 1;
                let most = bytes(MOST_LINE_BYTES);
                bail!("line {line} of standard input is longer than {most}, which no position is");
            }
        }
        let text = std::str::from_utf8(&batch).context("standard input is not text")?;
        let lines: Vec<&str> = text.lines().collect();
        if !threads_started && lines.len() > LINES_A_TASK {
            common.start_threads()?;
            threads_started = true;
        }
        let answer = |(at, lines): (usize, &[&str])| -> Answered {
            answer_lines(database, game, lines_before + at * LINES_A_TASK, lines, json)
        };
        let answered: Vec<Answered> = if threads_started {
            lines.par_chunks(LINES_A_TASK).enumerate().map(answer).collect()
        } else {
            lines.chunks(LINES_A_TASK).enumerate().map(answer).collect()
        };
        lines_before += lines.len();
        for Answered { text, error } in answered {
            out.write_all(text.as_bytes())?;
            if let Some(error) = error {
                return Err(error);
            }
        }
        out.flush()?;
    }
}

/// Lines that one thread answers at a time.
const LINES_A_TASK: usize = 1024;

/// The answers to some lines, up to the first mistake.
struct Answered {
    text: String,
    error: Option<anyhow::Error>,
}

fn answer_lines(
    database: &Database,
    game: Game,
    lines_before: usize,
    lines: &[&str],
    json: bool,
) -> Answered {
    let mut text = String::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        if let Err(error) = answer(database, game, line, json, &mut text) {
            let error = Some(error.context(format!("line {}", lines_before + at + 1)));
            return Answered { text, error };
        }
    }
    Answered { text, error: None }
}

/// Appends the answer to one position, a line.
fn answer(
    database: &Database,
    game: Game,
    line: &str,
    json: bool,
    text: &mut String,
) -> anyhow::Result<()> {
    let position = game.parse(line)?;
    let answer = database.answer(game, &position);
    end_search();
    let answer = answer?;
    if !json {
        writeln!(text, "{answer}")?;
        return Ok(());
    }
    let mut object = json!({
        "game": game.id(),
        "position": position.to_string(),
        "grundy": answer.value,
        "outcome": answer.outcome.to_string(),
        "source": answer.source.to_string(),
    });
    if let Some((left, right)) = answer.thresholds {
        object["left_threshold"] = left.into();
        object["right_threshold"] = right.into();
    }
    if let Some(other) = database.other_misere_value(game, &position)? {
        // "grundy" follows Cairns and Ho: the last coin is never taken, (1) has value 0.
        // "misere_grundy" follows the other convention: the empty position has value 1.
        object["misere_grundy"] = other.into();
        object["convention"] = "grundy: the last coin is never taken (Cairns and Ho 2011); \
                                misere_grundy: the empty position has value 1"
            .into();
    }
    writeln!(text, "{object}")?;
    Ok(())
}
