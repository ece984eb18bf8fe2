//! What a task brings home.
//!
//! ```text
//! {"format":1,"program":"grundy 0.1.0","plan":"...","id":"...","blake3":"...","result":{...}}
//! ```

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::Task;
use crate::task::FORMAT;

/// The text of a result.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope {
    format: u32,
    program: String,
    plan: String,
    id: String,
    /// Of the bytes of `result`, behind the four fields above.
    blake3: String,
    result: Box<RawValue>,
}

/// Why a text is not the result of a task.
#[derive(Debug, thiserror::Error)]
pub enum ResultError {
    /// It is no result.
    #[error("it is not the result of a task")]
    Syntax(#[from] serde_json::Error),
    /// Another program made it, and may have counted otherwise.
    #[error("{program} made it in format {format}, and the task is of {expected}")]
    Program {
        /// Who made it.
        program: String,
        /// The version of the text.
        format: u32,
        /// Who should have.
        expected: String,
    },
    /// It is the result of another task.
    #[error("it is the result of {id}, and that of {expected} should stand there")]
    Other {
        /// The task that it is of.
        id: String,
        /// The one that it should be of.
        expected: String,
    },
    /// Its digest is not that of what it says.
    #[error("it is damaged: its digest is not that of what it says")]
    Digest,
}

/// The text of a result, with its digest. `result` is JSON.
///
/// # Errors
/// If it is not.
pub fn seal(task: &Task, result: String) -> Result<String, serde_json::Error> {
    let result = RawValue::from_string(result)?;
    let Task { format, program, plan, id, .. } = task.clone();
    let blake3 = digest(&task.program, &task.plan, &task.id, result.get());
    serde_json::to_string(&Envelope { format, program, plan, id, blake3, result })
}

/// Reads the result of a task.
///
/// # Errors
/// [`ResultError`] if the text is not that.
pub fn read(task: &Task, text: &[u8]) -> Result<Box<RawValue>, ResultError> {
    let Envelope { format, program, plan, id, blake3, result } = serde_json::from_slice(text)?;
    if blake3 != digest(&program, &plan, &id, result.get()) {
        return Err(ResultError::Digest);
    }
    if (format, &program) != (FORMAT, &task.program) {
        let expected = format!("{} with format {FORMAT}", task.program);
        return Err(ResultError::Program { program, format, expected });
    }
    if (&plan, &id) != (&task.plan, &task.id) {
        return Err(ResultError::Other { id, expected: task.id.clone() });
    }
    Ok(result)
}

fn digest(program: &str, plan: &str, id: &str, result: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(format!("{FORMAT}\n{program}\n{plan}\n{id}\n").as_bytes());
    hasher.update(result.as_bytes()).finalize().to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Piece, Plan};

    fn task(words: &[&str]) -> Task {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        let piece = Piece { name: "a".to_owned(), parts: 3, seconds: 3.0, memory: 0, bytes: 0 };
        Plan::new("grundy 9", &words, "", vec![piece], 3).task(1, Vec::new())
    }

    /// Every bit of every byte.
    #[test]
    fn no_flipped_bit_goes_unnoticed() {
        let task = task(&["check"]);
        let said = r#"{"checked":12,"first":"3,1,4"}"#;
        let text = seal(&task, said.to_owned()).unwrap().into_bytes();
        assert_eq!(read(&task, &text).unwrap().get(), said);
        for at in 0..text.len() {
            for bit in 0..8 {
                let mut damaged = text.clone();
                damaged[at] ^= 1 << bit;
                assert!(read(&task, &damaged).is_err(), "byte {at}, bit {bit}");
            }
            assert!(read(&task, &text[..at]).is_err());
        }
    }

    #[test]
    fn results_of_others_are_refused() {
        let (ours, theirs) = (task(&["check"]), task(&["check", "nim"]));
        let text = seal(&theirs, "{}".to_owned()).unwrap();
        assert!(matches!(read(&ours, text.as_bytes()), Err(ResultError::Other { .. })));
        let older = Task { program: "grundy 8".to_owned(), ..ours.clone() };
        let text = seal(&older, "{}".to_owned()).unwrap();
        assert!(matches!(read(&ours, text.as_bytes()), Err(ResultError::Program { .. })));
        assert!(seal(&ours, "{".to_owned()).is_err());
    }

    #[test]
    fn a_result_says_whose_it_is() {
        let ours = task(&["check"]);
        let theirs = task(&["check", "nim"]);
        let error = |task: &Task, text: &str| read(task, text.as_bytes()).unwrap_err().to_string();
        let other = error(&ours, &seal(&theirs, "{}".to_owned()).unwrap());
        let (id, expected) = (&theirs.id, &ours.id);
        assert_eq!(
            other,
            format!("it is the result of {id}, and that of {expected} should stand there")
        );
        // Of the same name and another plan.
        let plan = Task { plan: theirs.plan.clone(), ..ours.clone() };
        let text = seal(&plan, "{}".to_owned()).unwrap();
        assert!(matches!(read(&ours, text.as_bytes()), Err(ResultError::Other { .. })));
        let id = Task { id: theirs.id.clone(), ..ours.clone() };
        let text = seal(&id, "{}".to_owned()).unwrap();
        assert!(matches!(read(&ours, text.as_bytes()), Err(ResultError::Other { .. })));
        let older = Task { program: "grundy 8".to_owned(), ..ours.clone() };
        let said = "grundy 8 made it in format 1, and the task is of grundy 9 with format 1";
        assert_eq!(error(&ours, &seal(&older, "{}".to_owned()).unwrap()), said);
        // The format is that of the task.
        let newer = Task { format: 2, ..ours.clone() };
        let said = "grundy 9 made it in format 2, and the task is of grundy 9 with format 1";
        assert_eq!(error(&ours, &seal(&newer, "{}".to_owned()).unwrap()), said);
        assert_eq!(error(&ours, "x"), "it is not the result of a task");
        let text = seal(&ours, "{}".to_owned()).unwrap().replace(":{}", ":[]");
        assert_eq!(error(&ours, &text), "it is damaged: its digest is not that of what it says");
    }
}
