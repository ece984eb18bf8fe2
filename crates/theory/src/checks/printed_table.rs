//! The table printed in section 2 of Albert and Nowakowski.
//!
//! Our text of the paper has lost its spaces, in different places in each row. Only the sequence of
//! digits is certain. So each row is compared as such a sequence: the row's number, then sixteen
//! values.

use grundy_rules::games;

use super::levels::Levels;
use crate::job::{Examination, Job};

/// The rows a = 1 to 16 of the table of a,4,b. Each begins with the number a, as in the text.
const PRINTED: [&str; 16] = [
    "101234678 9 10 11 12 13 14 15 16",
    "210325487 10 9 12 11 14 13 16 15",
    "323016549 8 11 10 13 12 15 14 17",
    "4321478561112 9 1015161314",
    "5456703210 12 8 13 9 11 17 18 19",
    "66458301117 13141510 9 1218",
    "77845210136 1516141711 9 10",
    "88796101113012345181721",
    "9910 8 11 12 7 6 103254192022",
    "10 10 91112813152301674523",
    "11 11 12 10 9131416321076548",
    "12 12 11 13 10915144567012324",
    "13 13 14 12 15 11 10 17 5476103225",
    "14 14 13 15 16 17 9 11 18194523016",
    "15 15 16 14 13 18 12 9 17205432107",
    "16 16 15 17 14 19 18 10 21 22 23 8 24 25 6 7 0",
];

const MIDDLE: u32 = 4;

/// Each row of sixteen values is one comparison.
pub(crate) fn compare(job: &Job<'_>) -> Examination {
    Examination::by(|tally| {
        let side = PRINTED.len() as u32;
        let levels = Levels::of(job, games::END_NIM, side, 3)?;
        for (a, printed) in (1u32..).zip(PRINTED) {
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
