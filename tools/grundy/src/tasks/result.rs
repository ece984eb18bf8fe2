//! The result of a task.
//!
//! ```text
//! { "format": 2, "program": "grundy 0.1.0", "plan": "...", "id": "...", "result": {...},
//!   "blake3": "..." }
//! ```

use grundy_shard::seal::{SealError, from_sealed, to_sealed};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::Task;

const FORMAT: u32 = 2;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Letter {
    format: u32,
    program: String,
    plan: String,
    id: String,
    result: Box<RawValue>,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum ResultError {
    #[error(transparent)]
    Seal(#[from] SealError),
    #[error("{program} wrote it in format {format}, but the task was printed by {expected}")]
    Program { program: String, format: u32, expected: String },
    #[error("it is the result of {id} instead of {expected}")]
    Other { id: String, expected: String },
}

/// Returns the text of a result, with its digest. `result` is JSON.
pub(crate) fn write(task: &Task, result: String) -> Result<String, serde_json::Error> {
    let result = RawValue::from_string(result)?;
    let Task { program, plan, id, .. } = task.clone();
    to_sealed(&Letter { format: FORMAT, program, plan, id, result })
}

pub(crate) fn read(task: &Task, text: Vec<u8>) -> Result<Box<RawValue>, ResultError> {
    let Letter { format, program, plan, id, result } = from_sealed(text)?;
    if (format, &program) != (FORMAT, &task.program) {
        let expected = format!("{} with format {FORMAT}", task.program);
        return Err(ResultError::Program { program, format, expected });
    }
    if (&plan, &id) != (&task.plan, &task.id) {
        return Err(ResultError::Other { id, expected: task.id.clone() });
    }
    Ok(result)
}
