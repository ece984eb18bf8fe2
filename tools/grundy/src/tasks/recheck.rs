//! Spot checks: `finish` computes some tasks again, and compares them with their results.
//!
//! The sample is chosen after all results are in, from a seed that nobody knew before. So a forger
//! cannot avoid it.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::str::FromStr;

use serde_json::Value;
use serde_json::value::RawValue;

/// The number of tasks to compute again, or their percentage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sample {
    Tasks(u64),
    Percent(f64),
}

impl FromStr for Sample {
    type Err = String;

    fn from_str(text: &str) -> Result<Sample, String> {
        let text = text.trim();
        let sample = match text.strip_suffix('%') {
            Some(percent) => percent.trim().parse().ok().map(Sample::Percent),
            None => text.parse().ok().map(Sample::Tasks),
        };
        let is_meant = |sample: &Sample| match sample {
            Sample::Tasks(tasks) => *tasks > 0,
            Sample::Percent(percent) => 0.0 < *percent && *percent <= 100.0,
        };
        sample.filter(is_meant).ok_or_else(|| {
            format!("'{text}' is not a number of tasks or a percentage of at most 100; write 200 or 0.1%")
        })
    }
}

impl Sample {
    /// Returns the number of tasks in a sample of `tasks` tasks. It is at least 1.
    fn size(self, tasks: usize) -> usize {
        let tasks = tasks as u64;
        let size = match self {
            Sample::Tasks(size) => size,
            Sample::Percent(percent) => (tasks as f64 * percent / 100.0).ceil() as u64,
        };
        size.clamp(1, tasks.max(1)) as usize
    }

    /// Chooses a sample of tasks, given by their ids. Returns their indices.
    pub(crate) fn choose<'a>(
        self,
        ids: impl ExactSizeIterator<Item = &'a str>,
        seed: u32,
    ) -> BTreeSet<usize> {
        let size = self.size(ids.len());
        let keys = ids.map(|id| *blake3::hash(format!("{seed}\n{id}").as_bytes()).as_bytes());
        let mut order: Vec<_> = keys.enumerate().map(|(index, key)| (key, index)).collect();
        order.sort_unstable();
        order.into_iter().take(size).map(|(_, index)| index).collect()
    }
}

/// Returns a seed that nobody can know before.
pub(crate) fn new_seed() -> u32 {
    RandomState::new().hash_one(()) as u32
}

/// Returns the probability that a sample of `size` of `tasks` tasks contains one of `forged` tasks.
pub(crate) fn chance(tasks: usize, size: usize, forged: usize) -> f64 {
    let honest = tasks - size;
    let missed = (0..forged).map(|n| honest.saturating_sub(n) as f64 / (tasks - n) as f64);
    1.0 - missed.product::<f64>()
}

/// The probability of [`least_found`].
const LIKELY: f64 = 0.95;

/// Returns the least number of forged tasks of which a sample contains one with probability 95 %.
pub(crate) fn least_found(tasks: usize, size: usize) -> usize {
    let (mut missed, mut forged) = (1.0, 0);
    while missed > 1.0 - LIKELY && forged < tasks {
        missed *= (tasks - size).saturating_sub(forged) as f64 / (tasks - forged) as f64;
        forged += 1;
    }
    forged
}

/// True if two results are equal except for the time that they took.
pub(crate) fn is_same(one: &RawValue, other: &RawValue) -> Result<bool, serde_json::Error> {
    let read = |result: &RawValue| {
        let mut value = serde_json::from_str(result.get())?;
        drop_seconds(&mut value);
        Ok(value)
    };
    Ok(read(one)? == read(other)?)
}

fn drop_seconds(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.remove("seconds");
            members.values_mut().for_each(drop_seconds);
        }
        Value::Array(values) => values.iter_mut().for_each(drop_seconds),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_read_and_have_a_size() {
        for (text, tasks, size) in [
            ("1", 5, 1),
            ("200", 5, 5),
            (" 200 ", 4000, 200),
            ("0.1%", 4000, 4),
            ("0.1 %", 4001, 5),
            ("0.1%", 3, 1),
            ("100%", 7, 7),
        ] {
            assert_eq!(text.parse::<Sample>().unwrap().size(tasks), size, "{text} of {tasks}");
        }
        for text in ["", "0", "-1", "1.5", "%", "0%", "101%", "nan%", "inf%", "1%%", "x"] {
            assert!(text.parse::<Sample>().unwrap_err().contains("write 200 or 0.1%"), "{text}");
        }
    }

    /// Simulates 1,000 forgers for each row of a table. Each forges the first tasks, and the sample
    /// finds as many forgers as the formula says.
    #[test]
    fn samples_find_forgers_as_often_as_they_say() {
        let ids: Vec<String> =
            (0..2000).map(|n| format!("check-0123456789abcdef-{n:05}")).collect();
        for (tasks, size, forged) in [
            (2000, 20, 1),
            (2000, 20, 20),
            (2000, 20, 278),
            (2000, 200, 1),
            (2000, 200, 29),
            (100, 1, 50),
            (64, 8, 20),
            (64, 64, 1),
            (1, 1, 1),
        ] {
            let finds = |seed| {
                let ids = ids[..tasks].iter().map(String::as_str);
                let sample = Sample::Tasks(size as u64).choose(ids, seed);
                assert_eq!(sample.len(), size);
                sample.first().is_some_and(|first| *first < forged)
            };
            let found = (0..1000).filter(|seed| finds(*seed)).count() as f64 / 1000.0;
            let chance = chance(tasks, size, forged);
            // Four standard deviations.
            let margin = 4.0 * (chance * (1.0 - chance) / 1000.0).sqrt() + 1e-9;
            println!("{size} of {tasks}, {forged} forged: found {found}, expected {chance:.3}");
            assert!((found - chance).abs() <= margin, "{found} instead of {chance}");
        }
    }

    #[test]
    fn the_least_number_found_is_the_least() {
        for (tasks, size) in [(1, 1), (2, 1), (64, 1), (64, 8), (2000, 20), (100_000, 200)] {
            let least = least_found(tasks, size);
            assert!(chance(tasks, size, least) >= LIKELY - 1e-12, "{tasks} {size}");
            assert!(chance(tasks, size, least - 1) < LIKELY, "{tasks} {size}: {least}");
        }
    }
}
