//! The manifest: which tables of a database are finished, and what they consist of.
//!
//! `manifest.json` stands at the top of a database folder. A shard counts only if the
//! manifest lists it: a file that exists may be half a table, of another run, or
//! damaged. The manifest is replaced whole ([`publish`]) after the last shard of a
//! table is on disk, so it never names what is not there yet. It holds nothing that depends
//! on the run (no times, no threads): the same tables give the same bytes.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::FORMAT_VERSION;
use crate::publish::{publish, read_regular};

/// The manifest's name in the database folder.
pub const MANIFEST_FILE: &str = "manifest.json";

/// More than any manifest has: that of a thousand tables of a hundred shards has ten.
const MOST_BYTES: u64 = 1 << 30;

/// The tables of a database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The format version of the manifest and of every shard in it.
    pub format: u32,
    /// The finished tables by id, as in `end-nim/n64/k5`.
    pub tables: BTreeMap<String, TableEntry>,
}

/// One finished table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableEntry {
    /// Bytes of a value: 1, 2 or 4.
    pub value_bytes: u8,
    /// Rows of a tile.
    pub tile_rows: u32,
    /// Columns of a tile.
    pub tile_cols: u32,
    /// Tiles in the table.
    pub tiles: u64,
    /// Tiles in a frame (the last frame of a shard may have fewer).
    pub tiles_per_frame: u32,
    /// Tiles in a shard (the last one may have fewer).
    pub tiles_per_shard: u64,
    /// The codec's name.
    pub codec: String,
    /// The shards, in order.
    pub shards: Vec<ShardEntry>,
}

/// One shard of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardEntry {
    /// The file's length in bytes.
    pub bytes: u64,
    /// BLAKE3 of the shard's uncompressed values, in hexadecimal.
    pub blake3: String,
}

impl TableEntry {
    /// Bytes of all its shards.
    pub fn bytes(&self) -> u64 {
        self.shards.iter().map(|shard| shard.bytes).sum()
    }

    /// Stored values.
    pub fn cells(&self) -> u64 {
        self.tiles * u64::from(self.tile_rows) * u64::from(self.tile_cols)
    }

    /// Whether the entry makes sense by itself: shards for all tiles, each a whole number
    /// of frames. Who knows the table checks its shape besides.
    pub fn is_consistent(&self) -> bool {
        let frame = u64::from(self.tiles_per_frame);
        frame > 0
            && self.tiles_per_shard > 0
            && self.tiles_per_shard.is_multiple_of(frame)
            && self.tiles.div_ceil(self.tiles_per_shard) == self.shards.len() as u64
    }

    /// The digest of the whole table: BLAKE3 of its shards' digests, in order, in
    /// hexadecimal. It depends on the values and on how they are cut into shards, not on
    /// codec or compression.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for shard in &self.shards {
            hasher.update(shard.blake3.as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }
}

/// The path of a shard below the database folder: the table's id as folders, and a name
/// that says on its own what the file is.
pub fn shard_path(table: &str, shard: u32) -> PathBuf {
    let name = format!("{}-{shard:05}.zst", table.replace('/', "-"));
    Path::new(table).join(name)
}

/// A BLAKE3 digest in hexadecimal, as the manifest writes it.
pub fn hex(digest: &[u8; 32]) -> String {
    blake3::Hash::from_bytes(*digest).to_hex().to_string()
}

/// Why a manifest cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The file exists and cannot be read, or cannot be written.
    #[error("cannot access {path}")]
    Io {
        /// The manifest's path.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is no manifest.
    #[error("{path} is not a manifest of Grundy tables")]
    Syntax {
        /// The manifest's path.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// It is of another format.
    #[error("{path} is of format version {found}, and this program reads version {FORMAT_VERSION}")]
    Version {
        /// The manifest's path.
        path: PathBuf,
        /// The version it names.
        found: u32,
    },
}

impl Default for Manifest {
    fn default() -> Manifest {
        Manifest { format: FORMAT_VERSION, tables: BTreeMap::new() }
    }
}

impl Manifest {
    /// Reads the manifest of a database folder; `None` if there is none.
    ///
    /// # Errors
    /// [`ManifestError`] if there is one and it cannot be read.
    pub fn read(folder: &Path) -> Result<Option<Manifest>, ManifestError> {
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        let path = folder.join(MANIFEST_FILE);
        let text = match read_regular(&path, MOST_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(ManifestError::Io { path, source }),
        };
        // The version first: the rest of another version may look like anything.
        match serde_json::from_slice::<Format>(&text) {
            Ok(Format { format }) if format != FORMAT_VERSION => {
                Err(ManifestError::Version { path, found: format })
            }
            Ok(_) => serde_json::from_slice(&text)
                .map(Some)
                .map_err(|source| ManifestError::Syntax { path, source }),
            Err(source) => Err(ManifestError::Syntax { path, source }),
        }
    }

    /// Puts the manifest in its place in a database folder, whole or not at all.
    ///
    /// # Errors
    /// [`ManifestError::Io`]; the manifest that was there is still there.
    pub fn publish(&self, folder: &Path) -> Result<(), ManifestError> {
        let path = folder.join(MANIFEST_FILE);
        let written = serde_json::to_vec_pretty(self)
            .map_err(io::Error::from)
            .and_then(|text| publish(&path, &text));
        written.map_err(|source| ManifestError::Io { path, source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> TableEntry {
        TableEntry {
            value_bytes: 1,
            tile_rows: 2,
            tile_cols: 2,
            tiles: 3,
            tiles_per_frame: 2,
            tiles_per_shard: 2,
            codec: "nim-sum".to_owned(),
            shards: vec![
                ShardEntry { bytes: 10, blake3: hex(&[7; 32]) },
                ShardEntry { bytes: 5, blake3: hex(&[8; 32]) },
            ],
        }
    }

    #[test]
    fn what_is_published_is_read() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Manifest::read(folder.path()).unwrap().is_none());
        let mut manifest = Manifest::default();
        manifest.tables.insert("some-game/n2/k3".to_owned(), entry());
        manifest.publish(folder.path()).unwrap();
        assert_eq!(Manifest::read(folder.path()).unwrap(), Some(manifest));
        assert_eq!((entry().bytes(), entry().cells()), (15, 12));
    }

    #[test]
    fn entries_that_make_no_sense() {
        assert!(entry().is_consistent());
        let spoilt = |spoil: fn(&mut TableEntry)| {
            let mut entry = entry();
            spoil(&mut entry);
            entry.is_consistent()
        };
        assert!(!spoilt(|entry| entry.tiles_per_frame = 0));
        assert!(!spoilt(|entry| entry.tiles_per_shard = 0));
        assert!(!spoilt(|entry| entry.tiles_per_shard = 3));
        assert!(!spoilt(|entry| entry.tiles = u64::MAX));
        assert!(!spoilt(|entry| entry.shards.truncate(1)));
    }

    #[test]
    fn the_digest_is_of_the_values_only() {
        let mut other = entry();
        other.shards[0].bytes = 11;
        other.codec = "raw".to_owned();
        assert_eq!(other.digest(), entry().digest());
        other.shards[0].blake3 = hex(&[9; 32]);
        assert_ne!(other.digest(), entry().digest());
    }

    #[test]
    fn other_versions_and_other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let write = |text: &str| std::fs::write(folder.path().join(MANIFEST_FILE), text).unwrap();
        write(r#"{"format": 2, "whatever": []}"#);
        let error = Manifest::read(folder.path()).unwrap_err();
        assert!(matches!(error, ManifestError::Version { found: 2, .. }), "{error}");
        for text in ["", "[]", "{\"format\": 1}", "{\"format\": 1, \"tables\": {\"x\": 3}}"] {
            write(text);
            let error = Manifest::read(folder.path()).unwrap_err();
            assert!(matches!(error, ManifestError::Syntax { .. }), "{text}: {error}");
        }
    }

    #[test]
    fn paths_speak_for_themselves() {
        assert_eq!(
            shard_path("end-nim/n64/k5", 7),
            Path::new("end-nim/n64/k5/end-nim-n64-k5-00007.zst")
        );
    }
}
