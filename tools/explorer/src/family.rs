//! Families of rows u^i w v^j: the proved pattern of their values, and their first values. Only the
//! second module of the page contains this code.

use grundy::Control;
use grundy::theorems::{FamilyWords, Of, Within, families};
use serde::Deserialize;
use serde_json::json;

use crate::game::{Told, classes, named};
use crate::limits;
use crate::statement::Means;

/// A family of rows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rows {
    game: String,
    family: String,
}

impl Rows {
    pub(crate) fn prove(&self, means: Means) -> Told {
        let (game, words) = (named(&self.game)?, self.family.parse::<FamilyWords>()?);
        let of = if game.is_impartial() { Of::Values } else { Of::Outcomes };
        let control = Control::new();
        let within = Within { memory: limits::MEMORY, seconds: limits::SECONDS, control: &control };
        let until = (means.clock)() + limits::SECONDS;
        let theorem = families(game, &words, of, &within, |_| {
            if (means.clock)() > until {
                control.stop();
            }
        })?;
        let (found, side) = (&theorem.found, limits::COPIES);
        let cell = |at| found.value(at / side, at % side).number().unwrap_or(u32::MAX);
        let mut object = json!(found);
        object["classes"] = json!(classes(game));
        object["family"] = words.to_string().into();
        object["formula"] = found.formula().into();
        object["certificate"] = theorem.certificate.into();
        Ok((object, (0..side * side).map(cell).collect()))
    }
}
