//! Files with the state of a build between two parts of a table, which the builder of the next part
//! reads.
//!
//! ```text
//!   magic | length of the name | name | zstd stream | BLAKE3 digest of all bytes before it
//! ```
//!
//! The name says which program wrote the file, and before which tile of which table. A file of
//! another name is refused, because only the same program knows the form of the state. These files
//! are not part of a database: `finish` removes them.

use std::io::{self, Read, Write};

const MAGIC: &[u8; 16] = b"grundy state 1\n\n";
const DIGEST: usize = 32;

/// The reason why a file is not the expected state.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    #[error("it is damaged, or no file with a state")]
    Damaged,
    #[error("it is the state of {found}, not of {wanted}")]
    Other { found: String, wanted: String },
    #[error("it cannot be read")]
    Read(#[source] io::Error),
    #[error("it cannot be decoded")]
    Decode(#[source] io::Error),
}

/// Returns the bytes of a file with the state that `save` writes.
pub fn write_state(
    name: &str,
    level: i32,
    save: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<Vec<u8>> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&(name.len() as u32).to_le_bytes());
    bytes.extend_from_slice(name.as_bytes());
    let mut encoder = zstd::Encoder::new(bytes, level)?;
    save(&mut encoder)?;
    let mut bytes = encoder.finish()?;
    let digest = blake3::hash(&bytes);
    bytes.extend_from_slice(digest.as_bytes());
    Ok(bytes)
}

/// Checks the bytes of a file with the state of this name. Returns a reader of the state.
pub fn read_state<'a>(name: &str, bytes: &'a [u8]) -> Result<impl Read + use<'a>, StateError> {
    let parts = || {
        let (content, digest) = bytes.split_at_checked(bytes.len().checked_sub(DIGEST)?)?;
        if blake3::hash(content).as_bytes() != digest {
            return None;
        }
        let (length, rest) = content.strip_prefix(MAGIC)?.split_first_chunk()?;
        rest.split_at_checked(u32::from_le_bytes(*length) as usize)
    };
    let (found, state) = parts().ok_or(StateError::Damaged)?;
    if found != name.as_bytes() {
        let (found, wanted) = (String::from_utf8_lossy(found).into_owned(), name.to_owned());
        return Err(StateError::Other { found, wanted });
    }
    zstd::Decoder::with_buffer(state).map_err(StateError::Decode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_state_that_was_written_is_read() {
        let state: Vec<u8> = (0..100_000u32).map(|at| (at / 7) as u8).collect();
        let bytes = write_state("a", 1, |out| out.write_all(&state)).unwrap();
        let mut found = Vec::new();
        read_state("a", &bytes).unwrap().read_to_end(&mut found).unwrap();
        assert_eq!(found, state);
        assert!(matches!(read_state("b", &bytes), Err(StateError::Other { .. })));
        for at in [0, 17, 20, bytes.len() / 2, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(matches!(read_state("a", &damaged), Err(StateError::Damaged)), "{at}");
            assert!(matches!(read_state("a", &bytes[..at]), Err(StateError::Damaged)), "{at}");
        }
    }
}
