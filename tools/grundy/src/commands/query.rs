//! `grundy query`: prints values or outcome classes of positions, and values of sums.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, IsTerminal as _, Read as _, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, bail};
use grundy::{Bytes, Control, Database, Game, Outcome, Pile, PositionReport, remoteness_form};
use rayon::prelude::*;
use serde_json::json;

use crate::End;
use crate::advice::with_advice;
use crate::args::{Common, Query, convention_of, id_of};
use crate::output::{Out, tell};
use crate::watch::{ANSWERED, end_search, show_line};

pub(crate) fn run(common: &Common, wanted: &Query, out: &mut Out) -> anyhow::Result<End> {
    let game = wanted.game.game(common, wanted.answering.seconds)?;
    let database = wanted.answering.open(common)?;
    if wanted.positions.iter().any(|text| text == "+") {
        if wanted.remoteness {
            bail!(
                "the remoteness of a sum does not follow from that of its parts; leave out \
                 --remoteness"
            );
        }
        return sum(common, wanted, &database, game, out);
    }
    let (json, keep_going) = (out.is_json(), wanted.keep_going);
    let lasting = wanted.remoteness.then(|| remoteness_form(game)).transpose()?;
    let options = LineOptions { game, lasting, json, keep_going };
    options.prepare(&database, wanted.positions.iter().map(String::as_str))?;
    if let (Some(convention), true) =
        (convention_of(game), !out.is_json() && io::stdout().is_terminal())
    {
        // Print the convention only on a terminal, because another program expects only values.
        tell(format_args!("grundy: {} ({convention})", id_of(game)));
    }
    let is_pile = |text: &String| text.parse::<Pile>().is_ok();
    if let (2.., true, true) = (
        wanted.positions.len(),
        wanted.positions.iter().all(is_pile),
        !out.is_json() && io::stdout().is_terminal(),
    ) {
        let (count, row) = (wanted.positions.len(), wanted.positions.join(","));
        tell(format_args!(
            "grundy: these are {count} positions of one pile; one position of {count} piles is {row}"
        ));
    }
    let (mut bad, mut before) = (0, 0);
    for run in wanted.positions.chunk_by(|a, b| a != "-" && b != "-") {
        if run == ["-"] {
            bad += from_stdin(common, &database, options, out)?;
        } else {
            let lines: Vec<Option<&str>> = run.iter().map(|text| Some(&**text)).collect();
            let refused = AtomicUsize::new(usize::MAX);
            let found = options.answer_lines(&database, before, &lines, &refused);
            out.write_all(found.text.as_bytes())?;
            bad += found.bad;
            found.error.map_or(Ok(()), |(_, error)| Err(error))?;
        }
        before += run.len();
    }
    if bad == 0 {
        return Ok(End::Fine);
    }
    out.flush()?;
    let have = if bad == 1 { "has" } else { "have" };
    let reasons = if json { "" } else { "; --json gives the reasons" };
    tell(format_args!("grundy: {bad} of the positions {have} no answer{reasons}"));
    Ok(End::BadInput)
}

/// Prints the nim-sum of the values of `GAME` POSITION + GAME POSITION + ...
fn sum(
    common: &Common,
    wanted: &Query,
    database: &Database,
    first: Game,
    out: &mut Out,
) -> anyhow::Result<End> {
    let mut parts = Vec::new();
    for (at, part) in wanted.positions.split(|word| word == "+").enumerate() {
        let (game, text) = match part {
            [text] if at == 0 => (first, text),
            [name, text] if at > 0 => (common.game(name, wanted.answering.seconds)?, text),
            _ => bail!(
                "write a sum GAME POSITION + GAME POSITION, as in end-nim 3,1,4 + short-global-nim \
                 5"
            ),
        };
        if !game.is_impartial() {
            bail!(
                "positions of {game} have outcome classes and no values, so they cannot be added"
            );
        }
        if game.misere_of().is_some() {
            bail!(
                "in misère play the values of the parts do not determine the value of a sum; leave \
                 out --convention"
            );
        }
        let position = game.parse(text)?;
        let answer = database.answer(game, &position);
        end_search();
        parts.push((game, position, answer?));
    }
    let value = parts.iter().fold(0, |sum, (.., answer)| sum ^ answer.value.unwrap_or(0));
    if !out.is_json() {
        out.line(value)?;
        return Ok(End::Fine);
    }
    let described = parts.iter().map(|(game, position, answer)| {
        json!({
            "game": game.id(),
            "position": position.to_string(),
            "grundy": answer.value,
            "source": answer.source.to_string(),
        })
    });
    let mut object = json!({
        "sum": described.collect::<Vec<_>>(),
        "grundy": value,
        "outcome": Outcome::of_value(value).to_string(),
    });
    if database.is_remote() {
        object["remote"] = true.into();
    }
    out.object(&object)?;
    Ok(End::Fine)
}

/// Maximum bytes of the lines that are answered together. Larger batches keep all threads busy;
/// smaller batches give the reader answers sooner.
const BATCH_BYTES: usize = 1 << 20;

/// Maximum bytes of a line. A position of a million piles takes two million bytes.
const MOST_LINE_BYTES: u64 = 16 << 20;

/// Answers positions from standard input, one on each line, many in parallel. A blank line or a
/// comment gives an empty line. All lines that have arrived are answered before the function waits
/// for more input. Returns the number of lines without an answer.
fn from_stdin(
    common: &Common,
    database: &Database,
    options: LineOptions,
    out: &mut Out,
) -> anyhow::Result<usize> {
    let mut input = BufReader::with_capacity(BATCH_BYTES, io::stdin().lock());
    let mut batch = Vec::new();
    let (mut lines_before, mut bad) = (0, 0);
    let mut threads_started = false;
    loop {
        batch.clear();
        let there = input.fill_buf().context("cannot read standard input")?;
        if there.is_empty() {
            return Ok(bad);
        }
        let length = there.len();
        batch.extend_from_slice(there);
        input.consume(length);
        if !batch.ends_with(b"\n") {
            // The batch ends within a line, so read the rest of this line.
            let mut rest = (&mut input).take(MOST_LINE_BYTES);
            rest.read_until(b'\n', &mut batch).context("cannot read standard input")?;
            if rest.limit() == 0 && !batch.ends_with(b"\n") {
                let line = lines_before + batch.iter().filter(|&&byte| byte == b'\n').count() + 1;
                let most = Bytes(MOST_LINE_BYTES);
                bail!("line {line} of standard input exceeds {most}, too long for a position");
            }
        }
        let text = match std::str::from_utf8(&batch) {
            Ok(text) => Cow::Borrowed(text),
            // Lines that are not valid UTF-8 count as invalid positions.
            Err(_) if options.keep_going => String::from_utf8_lossy(&batch),
            Err(error) => return Err(error).context("standard input is not text"),
        };
        // Some editors begin a file with an invisible byte order mark.
        let text = match lines_before {
            0 => text.strip_prefix('\u{feff}').unwrap_or(&text),
            _ => &text,
        };
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
        let lines: Vec<Option<&str>> =
            lines.map(|line| Some(line).filter(|line| !line.trim().is_empty())).collect();
        if !threads_started && lines.len() > LINES_A_TASK {
            common.start_threads()?;
            threads_started = true;
        }
        // Limit the lines of a chunk, because prefetched frames stay in memory until they are used.
        let together = if database.is_remote() { LINES_FETCHED } else { lines.len().max(1) };
        for lines in lines.chunks(together) {
            options.prepare(database, lines.iter().copied().flatten())?;
            options.precompute(database, lines);
            let refused = AtomicUsize::new(usize::MAX);
            let answer = |(at, lines): (usize, &[Option<&str>])| -> AnswerBatch {
                options.answer_lines(database, lines_before + at * LINES_A_TASK, lines, &refused)
            };
            let answered: Vec<AnswerBatch> = if threads_started {
                lines.par_chunks(LINES_A_TASK).enumerate().map(answer).collect()
            } else {
                lines.chunks(LINES_A_TASK).enumerate().map(answer).collect()
            };
            lines_before += lines.len();
            for AnswerBatch { text, bad: here, error } in answered {
                out.write_all(text.as_bytes())?;
                bad += here;
                if let Some((number, error)) = error {
                    return Err(error.context(format!("line {number}")));
                }
            }
            out.flush()?;
        }
    }
}

/// The number of lines whose remote frames are prefetched together.
const LINES_FETCHED: usize = 4096;

const LINES_A_TASK: usize = 1024;

struct AnswerBatch {
    text: String,
    bad: usize,
    /// The error of the first line that was refused, with the number of the line.
    error: Option<(usize, anyhow::Error)>,
}

#[derive(Clone, Copy)]
struct LineOptions {
    game: Game,
    /// The form of the game whose values are the remoteness; `None` if the user wants values.
    lasting: Option<Game>,
    json: bool,
    keep_going: bool,
}

impl LineOptions {
    /// Prefetches frames for positions of a remote database. Invalid positions are reported later.
    fn prepare<'a>(
        self,
        database: &Database,
        lines: impl Iterator<Item = &'a str>,
    ) -> anyhow::Result<()> {
        if !database.is_remote() {
            return Ok(());
        }
        let positions: Vec<_> = lines.filter_map(|line| self.game.parse(line).ok()).collect();
        match database.prepare(self.game, &positions) {
            // The output line of each position reports the error later.
            Err(_) if self.keep_going => Ok(()),
            prepared => Ok(prepared?),
        }
    }

    /// Returns the game form whose values are printed as text.
    fn shown(self) -> Game {
        self.lasting.filter(|_| !self.json).unwrap_or(self.game)
    }

    /// Passes a sample of many positions to the database, which may then compute a whole table.
    fn precompute(self, database: &Database, lines: &[Option<&str>]) {
        if lines.len() > LINES_A_TASK / 16 {
            let some = lines.iter().step_by(lines.len().div_ceil(LINES_A_TASK));
            let some: Vec<_> = some.filter_map(|line| self.game.parse((*line)?).ok()).collect();
            show_line(format!("computing the values for {} lines", lines.len()));
            database.precompute(self.shown(), &some, lines.len(), &Control::new());
            end_search();
        }
    }

    /// Answers lines, up to the first line that this call or a parallel call refuses. `None` is a
    /// line without a position. Begins with the largest piles, because a table that is filled for
    /// them answers the others.
    fn answer_lines(
        self,
        database: &Database,
        lines_before: usize,
        lines: &[Option<&str>],
        refused: &AtomicUsize,
    ) -> AnswerBatch {
        let mut found = AnswerBatch { text: String::new(), bad: 0, error: None };
        let largest = |line: &str| self.game.parse(line).map_or(0, |at| at.max_pile());
        let mut order: Vec<usize> = (0..lines.len()).collect();
        order.sort_by_cached_key(|&at| Reverse(lines[at].map_or(0, largest)));
        let mut texts = vec!["\n".to_owned(); lines.len()];
        for at in order {
            let (Some(line), number) = (lines[at], lines_before + at + 1) else { continue };
            if refused.load(Ordering::Relaxed) < number {
                continue;
            }
            ANSWERED.fetch_add(1, Ordering::Relaxed);
            texts[at].clear();
            match self.answer(database, number, line, &mut texts[at]) {
                Ok(here) => found.bad += here,
                Err(error) => {
                    refused.fetch_min(number, Ordering::Relaxed);
                    if found.error.as_ref().is_none_or(|(first, _)| number < *first) {
                        found.error = Some((number, error));
                    }
                }
            }
        }
        let end = found.error.as_ref().map_or(lines.len(), |(first, _)| first - lines_before - 1);
        found.text = texts[..end].concat();
        found
    }

    /// Appends the answer for an input line, or ? with `keep_going`. Returns the number of errors.
    fn answer(
        self,
        database: &Database,
        number: usize,
        line: &str,
        text: &mut String,
    ) -> anyhow::Result<usize> {
        let before = text.len();
        match self.one(database, line, text) {
            Ok(()) => Ok(0),
            Err(error) if self.keep_going => {
                text.truncate(before);
                if self.json {
                    let error = with_advice(error.as_ref());
                    writeln!(text, "{}", json!({"line": number, "error": error}))?;
                } else {
                    text.push_str("?\n");
                }
                Ok(1)
            }
            Err(error) => Err(error),
        }
    }
    fn one(self, database: &Database, line: &str, text: &mut String) -> anyhow::Result<()> {
        let position = self.game.parse(line)?;
        let answer = match self.json {
            true => database.outcome(self.game, &position),
            false => database.answer(self.shown(), &position),
        };
        end_search();
        let answer = answer?;
        if !self.json {
            writeln!(text, "{answer}")?;
            return Ok(());
        }
        let mut report = PositionReport::in_full(database, self.game, &position, &answer)?;
        if let Some(form) = self.lasting {
            report.remoteness = database.answer(form, &position)?.value;
        }
        writeln!(text, "{}", serde_json::to_string(&report)?)?;
        Ok(())
    }
}
