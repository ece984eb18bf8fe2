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
    #[error("{program} made it in format {format}, and the task is of {expected}")]
    Program { program: String, format: u32, expected: String },
    #[error("it is the result of {id}, and that of {expected} should stand there")]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::line::TaskPlan;
    use grundy::Piece;

    fn task(program: &str, word: &str) -> Task {
        let piece = Piece { name: "a".to_owned(), parts: 3, seconds: 3.0, memory: 0 };
        TaskPlan::new(program, &[word.to_owned()], "", vec![piece], 3).task(1, Vec::new(), 0)
    }

    /// A result is read exactly as it was written. The result of another task is refused.
    #[test]
    fn a_result_says_whose_it_is() {
        let (ours, theirs) = (task("grundy 9", "check"), task("grundy 9", "diff"));
        let said = r#"{"checked":12,  "first":"3,1,4"}"#;
        let text = write(&ours, said.to_owned()).unwrap();
        assert_eq!(read(&ours, text.into_bytes()).unwrap().get(), said);
        assert!(write(&ours, "{".to_owned()).is_err());
        let (id, expected) = (&theirs.id, &ours.id);
        let other = format!("it is the result of {id}, and that of {expected} should stand there");
        let same =
            format!("it is the result of {expected}, and that of {expected} should stand there");
        let older = "grundy 8 made it in format 2, and the task is of grundy 9 with format 2";
        let more = || "more".to_owned();
        for (task, said) in [
            (theirs.clone(), &other[..]),
            // The name is the same and the plan differs.
            (Task { plan: theirs.plan.clone(), ..ours.clone() }, &same),
            (Task { id: theirs.id.clone(), ..ours.clone() }, &other),
            (task("grundy 8", "check"), older),
            (
                Task { program: more(), plan: more(), ..ours.clone() },
                "more made it in format 2, and the task is of grundy 9 with format 2",
            ),
        ] {
            let text = write(&task, "{}".to_owned()).unwrap();
            assert_eq!(read(&ours, text.into_bytes()).unwrap_err().to_string(), said);
        }
        let damaged = write(&ours, "{}".to_owned()).unwrap().replace(": {}", ": []");
        let said = "it is damaged: its digest is not that of what it says";
        assert_eq!(read(&ours, damaged.into_bytes()).unwrap_err().to_string(), said);
    }
}
