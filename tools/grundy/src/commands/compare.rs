//! `--compare` of `grundy sequence` and `grundy find`: compares terms with those that a file of the
//! OEIS contains.

use std::path::Path;

use anyhow::{Context, bail};
use grundy::Number;
use serde_json::{Value, json};

use crate::End;
use crate::inputs::read;
use crate::output::Out;

/// Maximum bytes of a file. The largest b-files have some megabytes.
const MOST_BYTES: u64 = 1 << 28;

/// The search for an alignment tries sequences that begin up to this many terms earlier or later.
const MOST_SHIFT: i64 = 12;

/// The search for an alignment tries every second, every third and every fourth term.
const STEPS: [(usize, &str); 3] = [(2, "second"), (3, "third"), (4, "fourth")];

/// The largest index of a term. Sequences of this length would not fit into memory.
const MOST_INDEX: u64 = 1 << 40;

/// An alignment needs at least this many equal terms, because short sequences agree by chance.
const LEAST_EQUAL: usize = 6;

/// The terms in a file.
struct Listed {
    /// The index of the first term. A line of `stripped` has no indexes.
    offset: Option<i64>,
    terms: Vec<i128>,
}

/// Reads a b-file (lines `n a(n)`), or a line of the file `stripped` (`A000045 ,0,1,1,2,`).
fn listed(file: &Path) -> anyhow::Result<Listed> {
    let what = format!("{} is neither a b-file nor a line of `stripped`", file.display());
    let text = String::from_utf8(read(file, MOST_BYTES)?).context(what.clone())?;
    let mut found = Listed { offset: None, terms: Vec::new() };
    for (at, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let bad = || {
            format!("{what}: line {} is '{}'", at + 1, line.chars().take(60).collect::<String>())
        };
        if let Some((name, terms)) = line.split_once(" ,") {
            let digits = name.strip_prefix('A').unwrap_or_default();
            let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            if !found.terms.is_empty() || !is_number {
                bail!("{}", bad());
            }
            let numbers = terms.trim_end_matches(',').split(',').map(|term| term.trim().parse());
            found.terms = numbers.collect::<Result<_, _>>().with_context(bad)?;
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let [n, term] = words[..] else { bail!("{}", bad()) };
        let n: i64 = n.parse().with_context(bad)?;
        if n.unsigned_abs() > MOST_INDEX {
            bail!("{}; the index is too large", bad());
        }
        let first = *found.offset.get_or_insert(n);
        if n != first + found.terms.len() as i64 {
            bail!("{}; the index {} should follow", bad(), first + found.terms.len() as i64);
        }
        found.terms.push(term.parse().with_context(bad)?);
    }
    if found.terms.is_empty() {
        bail!("{what}: it has no terms");
    }
    Ok(found)
}

/// Returns the number of terms that both sequences have, and the first of them that differs.
fn differ(ours: &[i128], theirs: &[i128]) -> (usize, Option<usize>) {
    let both = ours.len().min(theirs.len());
    (both, (0..both).find(|&at| ours[at] != theirs[at]))
}

/// Returns how the sequences agree after a shift, or if one has only some terms of the other.
fn aligned(ours: &[i128], theirs: &[i128]) -> Option<String> {
    let agree = |ours: &[i128], theirs: &[i128]| {
        let (both, differs) = differ(ours, theirs);
        (both >= LEAST_EQUAL && differs.is_none()).then_some(both)
    };
    let after = |terms: &[i128], shift: i64| -> Vec<i128> {
        terms.iter().skip(shift.max(0).unsigned_abs() as usize).copied().collect()
    };
    let every = |terms: &[i128], from: usize, step: usize| -> Vec<i128> {
        terms.iter().skip(from).step_by(step).copied().collect()
    };
    let mut shifts: Vec<i64> = (-MOST_SHIFT..=MOST_SHIFT).filter(|&shift| shift != 0).collect();
    shifts.sort_by_key(|shift| shift.abs());
    for shift in shifts {
        if let Some(both) = agree(&after(ours, shift), &after(theirs, -shift)) {
            let (of, terms) =
                if shift > 0 { ("this sequence", shift) } else { ("the file", -shift) };
            return Some(format!("{both} terms agree without the first {terms} of {of}"));
        }
    }
    for (step, word) in STEPS {
        for from in 0..step {
            if let Some(both) = agree(&every(ours, from, step), theirs) {
                return Some(format!(
                    "the {both} terms of the file are every {word} term of this sequence, from term \
                     {} on",
                    from + 1
                ));
            }
            if let Some(both) = agree(ours, &every(theirs, from, step)) {
                return Some(format!(
                    "the {both} terms are every {word} term of the file, from term {} on",
                    from + 1
                ));
            }
        }
    }
    None
}

/// Compares a(offset), a(offset + 1), ... with a file, and prints the result. The terms of a list
/// have no `offset`: they are compared in their order.
pub(super) fn run(
    file: &Path,
    offset: Option<u64>,
    terms: &[i64],
    about: Value,
    out: &mut Out,
) -> anyhow::Result<End> {
    let theirs = listed(file)?;
    let ours: Vec<i128> = terms.iter().map(|&term| term.into()).collect();
    // Terms with the same index are compared. The part before the later beginning is left out.
    let begins = theirs.offset.unwrap_or(1);
    let offset = offset.map_or(begins, u64::cast_signed);
    let ahead = theirs.offset.map_or(0, |first| first - offset);
    let skip = |terms: &[i128], count: i64| -> Vec<i128> {
        terms.iter().skip(usize::try_from(count).unwrap_or(0)).copied().collect()
    };
    let (mine, other) = (skip(&ours, ahead), skip(&theirs.terms, -ahead));
    let first = offset + ahead.max(0);
    let (both, differs) = differ(&mine, &other);
    let beyond = other.len() - both;
    let name = file.display();
    let agrees = both > 0 && differs.is_none();
    let alignment = if agrees { None } else { aligned(&ours, &theirs.terms) };
    let at = differs.map(|at| (first + at as i64, mine[at], other[at]));
    if out.is_json() {
        let mut line = about;
        line["compared"] = both.into();
        line["beyond"] = beyond.into();
        line["agrees"] = agrees.into();
        line["first"] = at.map_or(Value::Null, |(n, ours, theirs)| {
            json!({ "n": n, "term": ours.to_string(), "file": theirs.to_string() })
        });
        line["alignment"] = alignment.map_or(Value::Null, Value::from);
        out.object(&line)?;
    } else if agrees {
        let last = first + both as i64 - 1;
        let terms = Number(both as u64, "term");
        let more = match Number(beyond as u64, "further term") {
            Number(0, _) => String::new(),
            further => format!("; the file has {further}"),
        };
        out.line(format!("{name} agrees: {terms} from a({first}) to a({last}){more}"))?;
    } else {
        out.line(match at {
            Some((n, ours, theirs)) => {
                format!("{name} differs: a({n}) = {ours} here, and {theirs} in the file")
            }
            None => format!("{name} has no term with an index of this sequence"),
        })?;
        if let Some(alignment) = alignment {
            out.line(alignment)?;
        }
    }
    Ok(if agrees { End::Fine } else { End::Mismatch })
}
