//! The table printed in section 2 of Albert and Nowakowski.
//!
//! The available text of the paper has lost spaces, in different places in each row. Only the
//! sequence of digits is certain. So each row is compared as a sequence of digits: the row's
//! number, then sixteen values.

use grundy_rules::games;

use super::levels::Levels;
use crate::job::{Examination, Job};

/// The rows a = 1 to 16 of the table of a,4,b. Each row begins with the number a, as in the text.
const PRINTED: &str = include_str!("printed_table.txt");

const MIDDLE: u32 = 4;

/// Counts each row of sixteen values as one comparison.
pub(crate) fn compare(job: &Job<'_>) -> Examination {
    Examination::by(|tally| {
        let side = PRINTED.lines().count() as u32;
        let levels = Levels::of(job, games::END_NIM, side, 3)?;
        for (a, printed) in (1u32..).zip(PRINTED.lines()) {
            let value = |b| levels.value(&[a, MIDDLE, b]).to_string();
            let digits: String = (1..=side).map(value).collect();
            let printed: String = printed.split(' ').collect();
            tally.checked += 1;
            if printed != format!("{a}{digits}") {
                tally.fail(games::END_NIM, &[a, MIDDLE], None, || {
                    format!(
                        "the row's digits are {digits}, but {printed} is printed, with the row's number first"
                    )
                });
            }
        }
        Ok(())
    })
}
