//! `grundy tasks`: a command, cut into tasks.

use crate::End;
use crate::args::{Common, Tasks};
use crate::output::Out;
use crate::work::Cut;

pub(crate) fn run(common: &Common, wanted: &Tasks, out: &mut Out) -> anyhow::Result<End> {
    let cut = Cut::of(common, wanted)?;
    for index in 0..cut.plan.shares.len() {
        out.line(serde_json::to_string(&cut.task(index))?)?;
    }
    Ok(End::Fine)
}
