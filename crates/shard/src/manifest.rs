//! The manifest: the list of a database's finished tables and their shards.
//!
//! `manifest.json` lies in the database folder. Readers use only shards that the manifest lists,
//! because other files may be incomplete or damaged, or belong to another run. A build replaces the
//! whole manifest ([`publish`](crate::publish::publish)) after the last shard of a table is on
//! disk. So the manifest never lists a missing file. The text depends only on the tables, not on
//! times, threads or other properties of the run.
//!
//! The last line of the text is its *seal*: the BLAKE3 of all text before it. The seal detects
//! every changed bit, and distinguishes damage from a newer version. Manifests of version 1 have no
//! seal, and those of version 2 no numberings. They can still be read, and the next build replaces
//! them.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::description::{Codec, Description, bytes_of, cut, most_file_bytes};
use crate::disk::{Disk, FileSystem};
use crate::json;
use crate::publish::publish_on;
use crate::seal::{Seal, sealed};

/// The manifest's name in the database folder.
pub const MANIFEST_FILE: &str = "manifest.json";

/// The version of manifests that this program writes. It also reads older versions.
pub const MANIFEST_VERSION: u32 = 3;

/// The version of manifests without a seal.
pub const UNSEALED_VERSION: u32 = 1;

/// The maximum size of a manifest. A thousand tables of a hundred shards take ten million bytes.
const MOST_BYTES: u64 = 64 << 20;

/// The tables of a database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the text that was read. New texts have the version [`MANIFEST_VERSION`].
    pub format: u32,
    /// The finished tables by id, such as `end-nim/n64/k5`.
    pub tables: BTreeMap<String, TableEntry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableEntry {
    /// The size of a value in bytes: 1, 2 or 4, or 0 if a value is one bit.
    pub value_bytes: u8,
    pub tile_rows: u32,
    pub tile_cols: u32,
    pub tiles: u64,
    /// The number of tiles in a frame. The last frame of a shard may have fewer tiles.
    pub tiles_per_frame: u32,
    /// The number of tiles in a shard. The last shard may have fewer tiles.
    pub tiles_per_shard: u64,
    pub codec: String,
    /// The text of the rule file, if the game comes from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The numbering of the positions, if the game comes from a rule file. Manifests of version 2
    /// have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbering: Option<NumberingEntry>,
    pub shards: Vec<ShardEntry>,
}

/// How a table numbers its positions, for programs that do not know the rules of its game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberingEntry {
    /// The arrangement of the piles: `row`, `heaps`, `places`, `sum`, `row-by-total`,
    /// `places-by-total` or `heaps-by-total`.
    pub kind: String,
    /// True if a row and its reversal share a number.
    pub symmetric: bool,
    /// The numbers that positions remember beside their piles.
    pub memories: Vec<MemoryEntry>,
    /// The largest pile, or if positions are numbered by their total, the largest total.
    pub max_pile: u32,
}

impl NumberingEntry {
    /// Returns the numbering of positions with piles up to `max_pile`, arranged as `kind` says.
    /// `memories` has the name, the least and the largest of each number that positions remember.
    pub fn new(
        (kind, symmetric): (&str, bool),
        memories: &[(&str, u32, u32)],
        max_pile: u32,
    ) -> Self {
        let memory = |&(name, least, largest): &(&str, u32, u32)| MemoryEntry {
            name: name.to_owned(),
            least,
            largest,
        };
        let memories = memories.iter().map(memory).collect();
        NumberingEntry { kind: kind.to_owned(), symmetric, memories, max_pile }
    }
}

/// A number that positions remember, and its range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryEntry {
    pub name: String,
    pub least: u32,
    pub largest: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardEntry {
    pub bytes: u64,
    /// The BLAKE3 digest of the shard's uncompressed values, in hexadecimal.
    pub blake3: String,
}

impl TableEntry {
    /// Returns the total size of the shard files, in bytes.
    pub fn bytes(&self) -> u64 {
        self.shards.iter().fold(0, |sum, shard| sum.saturating_add(shard.bytes))
    }

    /// Returns the size of the values before compression, in bytes. If the entry is inconsistent,
    /// returns an upper bound.
    pub fn value_len(&self) -> u64 {
        bytes_of(self.cells(), self.value_bytes)
    }

    /// Returns the number of stored values, or an upper bound if the entry is inconsistent.
    pub fn cells(&self) -> u64 {
        let tile = u64::from(self.tile_rows).saturating_mul(self.tile_cols.into());
        self.tiles.saturating_mul(tile)
    }

    /// True for the table of a rule file whose numbering is not listed.
    pub fn lacks_numbering(&self) -> bool {
        self.rules.is_some() && self.numbering.is_none()
    }

    /// True if the entry is consistent: [`cut`] gives the same division, the shards contain all
    /// tiles, and each file has a possible length. The caller compares the shape with the table.
    pub fn is_consistent(&self) -> bool {
        let frame = u64::from(self.tiles_per_frame);
        let cells = u64::from(self.tile_rows).saturating_mul(u64::from(self.tile_cols));
        let width = self.value_bytes;
        let Some(tile) = cells.checked_mul(width.max(1).into()) else { return false };
        let most = most_file_bytes(bytes_of(self.tiles_per_shard.saturating_mul(cells), width));
        (frame, self.tiles_per_shard) == cut(cells, width)
            && self.tiles.checked_mul(tile).is_some()
            && self.tiles.div_ceil(self.tiles_per_shard) == self.shards.len() as u64
            && self.shards.iter().all(|shard| shard.bytes <= most)
    }

    /// Returns the description in the header of a shard. The entry must be consistent.
    pub fn description(&self, table: &str, shard: u32, codec: Codec) -> Description {
        let first_tile = u64::from(shard) * self.tiles_per_shard;
        Description {
            table: table.to_owned(),
            value_bytes: self.value_bytes,
            tile_rows: self.tile_rows,
            tile_cols: self.tile_cols,
            tiles_per_frame: self.tiles_per_frame,
            first_tile,
            tiles: self.tiles_per_shard.min(self.tiles.saturating_sub(first_tile)),
            shard,
            shards: self.shards.len() as u32,
            codec,
        }
    }

    /// Returns the digest of the whole table in hexadecimal: the BLAKE3 of its shards' digests, in
    /// order. It depends on the values and on their division into shards, but not on compression.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for shard in &self.shards {
            hasher.update(shard.blake3.as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }
}

/// Returns the path of a shard, relative to the database folder. The parts of the table's id are
/// the names of the folders. The file name alone also identifies the shard.
pub fn shard_path(table: &str, shard: u32) -> PathBuf {
    let name = format!("{}-{shard:05}.zst", table.replace('/', "-"));
    // Ids contain slashes on every system. The parts between the slashes are folders.
    table.split('/').collect::<PathBuf>().join(name)
}

/// Returns a digest in hexadecimal, as in the manifest.
pub fn hex(digest: &[u8; 32]) -> String {
    blake3::Hash::from_bytes(*digest).to_hex().to_string()
}

/// An error while reading or writing a manifest.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    #[error("cannot access {path}")]
    Io { path: PathBuf, source: io::Error },
    #[error("{path} is not a manifest of Grundy tables")]
    Syntax { path: PathBuf, source: serde_json::Error },
    #[error("{path} is damaged: its text does not match the digest at its end")]
    Damaged { path: PathBuf },
    #[error(
        "{path} is of manifest version {found}, and this program reads versions 1 to \
         {MANIFEST_VERSION}"
    )]
    Version { path: PathBuf, found: u32 },
}

impl Default for Manifest {
    fn default() -> Manifest {
        Manifest { format: MANIFEST_VERSION, tables: BTreeMap::new() }
    }
}

impl Manifest {
    /// Reads the manifest of a database folder. Returns `None` if the file does not exist.
    pub fn read(folder: &Path) -> Result<Option<Manifest>, ManifestError> {
        Manifest::read_on(&FileSystem, folder)
    }

    pub fn read_on(disk: &dyn Disk, folder: &Path) -> Result<Option<Manifest>, ManifestError> {
        let path = folder.join(MANIFEST_FILE);
        match disk.read(&path, MOST_BYTES) {
            Ok(text) => Manifest::of_text(&text, path).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(ManifestError::Io { path, source }),
        }
    }

    /// Parses a manifest. Error messages name `path` as the file that contains the text.
    pub fn of_text(text: &[u8], path: PathBuf) -> Result<Manifest, ManifestError> {
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        let seal = Seal::of(text);
        // Check the seal first, because damage must not look like another version.
        if seal == Seal::Broken {
            return Err(ManifestError::Damaged { path });
        }
        // Then check the version, because a manifest of another version may have any content.
        let found = match json::from_slice(text) {
            Ok(Format { format }) => format,
            Err(source) => return Err(ManifestError::Syntax { path, source }),
        };
        match (found, seal) {
            (UNSEALED_VERSION, Seal::Missing) | (2..=MANIFEST_VERSION, Seal::Whole) => {}
            (UNSEALED_VERSION..=MANIFEST_VERSION, _) => {
                return Err(ManifestError::Damaged { path });
            }
            _ => return Err(ManifestError::Version { path, found }),
        }
        json::from_slice(text).map_err(|source| ManifestError::Syntax { path, source })
    }

    /// Returns the manifest as text in [`MANIFEST_VERSION`], with its seal.
    pub fn to_text(&self) -> io::Result<String> {
        let current = Manifest { format: MANIFEST_VERSION, tables: self.tables.clone() };
        Ok(sealed(serde_json::to_string_pretty(&current)?))
    }

    /// Publishes the manifest in a database folder, as a whole or not at all.
    ///
    /// # Errors
    /// Returns [`ManifestError::Io`] if a step fails. The file is then the old or the new manifest.
    pub fn publish(&self, folder: &Path) -> Result<(), ManifestError> {
        self.publish_on(&FileSystem, folder)
    }

    pub fn publish_on(&self, disk: &dyn Disk, folder: &Path) -> Result<(), ManifestError> {
        let path = folder.join(MANIFEST_FILE);
        let written = self.to_text().and_then(|text| publish_on(disk, &path, text.as_bytes()));
        written.map_err(|source| ManifestError::Io { path, source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> TableEntry {
        // A tile has 40,000 values, so a frame has one tile, and a shard of 64 MiB has 1677 tiles.
        TableEntry {
            value_bytes: 1,
            tile_rows: 200,
            tile_cols: 200,
            tiles: 1700,
            tiles_per_frame: 1,
            tiles_per_shard: 1677,
            codec: "nim-sum".to_owned(),
            rules: None,
            numbering: None,
            shards: vec![
                ShardEntry { bytes: 10, blake3: hex(&[7; 32]) },
                ShardEntry { bytes: 5, blake3: hex(&[8; 32]) },
            ],
        }
    }

    #[test]
    fn a_published_manifest_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Manifest::read(folder.path()).unwrap().is_none());
        let mut manifest = Manifest::default();
        manifest.tables.insert("some-game/n2/k3".to_owned(), entry());
        manifest.publish(folder.path()).unwrap();
        assert_eq!(Manifest::read(folder.path()).unwrap(), Some(manifest));
        assert_eq!((entry().bytes(), entry().cells()), (15, 68_000_000));
    }

    #[test]
    fn an_unreadable_manifest_is_not_a_missing_one() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(MANIFEST_FILE)).unwrap();
        assert!(matches!(Manifest::read(folder.path()), Err(ManifestError::Io { .. })));
    }

    #[test]
    fn inconsistent_entries_are_recognised() {
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
        assert!(!spoilt(|entry| entry.tiles = u64::MAX / 2));
        assert!(!spoilt(|entry| entry.shards[1].bytes = 1 << 50));
        let most = TableEntry { tiles: u64::MAX, tile_rows: u32::MAX, ..entry() };
        assert_eq!((most.cells(), most.is_consistent()), (u64::MAX, false));
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

    fn read(text: &[u8]) -> Result<Manifest, ManifestError> {
        Manifest::of_text(text, PathBuf::from("there"))
    }

    fn with_seal() -> (Manifest, String) {
        let mut manifest = Manifest::default();
        manifest.tables.insert("some-game/n2/k3".to_owned(), entry());
        let text = manifest.to_text().unwrap();
        (manifest, text)
    }

    #[test]
    fn the_seal_is_of_the_text_before_it() {
        let (_, text) = with_seal();
        let (before, digits) = text.strip_suffix("\"\n}\n").unwrap().split_at(text.len() - 4 - 64);
        assert!(before.ends_with("\n  },\n  \"blake3\": \""), "{before}");
        assert_eq!(blake3::hash(before.as_bytes()).to_hex().as_str(), digits);
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&json["format"], &json["blake3"]), (&3.into(), &digits.into()));
    }

    #[test]
    fn no_bit_and_no_end_changes_unnoticed() {
        let (manifest, text) = with_seal();
        assert_eq!(read(text.as_bytes()).unwrap(), manifest);
        let mut bytes = text.into_bytes();
        for bit in 0..8 * bytes.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            let error = read(&bytes).expect_err("a changed bit");
            // Damage never looks like an unknown version.
            assert!(!matches!(error, ManifestError::Version { .. }), "bit {bit}: {error}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        for length in 0..bytes.len() {
            read(&bytes[..length]).expect_err("a shorter text");
        }
    }

    #[test]
    fn version_1_is_only_read() {
        let (manifest, _) = with_seal();
        let old = Manifest { format: 1, tables: manifest.tables.clone() };
        let text = serde_json::to_vec_pretty(&old).unwrap();
        assert_eq!(read(&text).unwrap(), old);
        assert_eq!(read(old.to_text().unwrap().as_bytes()).unwrap(), manifest);
        // Only version 1 may lack a seal.
        let text = String::from_utf8(text).unwrap().replace("\"format\": 1", "\"format\": 3");
        assert!(matches!(read(text.as_bytes()), Err(ManifestError::Damaged { .. })));
    }

    #[test]
    fn other_versions_and_other_files_are_refused() {
        let error = read(br#"{"format": 4, "whatever": []}"#).unwrap_err();
        assert!(matches!(error, ManifestError::Version { found: 4, .. }), "{error}");
        // A text that merely resembles a sealed text does not count as damaged.
        let note = format!("{{\"format\": 4, \"note\": \"{}\"\n}}\n", "x".repeat(200));
        let error = read(note.as_bytes()).unwrap_err();
        assert!(matches!(error, ManifestError::Version { found: 4, .. }), "{error}");
        for text in ["", "[]", "{\"format\": 1}", "{\"format\": 1, \"tables\": {\"x\": 3}}"] {
            let error = read(text.as_bytes()).unwrap_err();
            assert!(matches!(error, ManifestError::Syntax { .. }), "{text}: {error}");
        }
    }

    #[test]
    fn shard_paths_contain_table_and_number() {
        assert_eq!(
            shard_path("end-nim/n64/k5", 7),
            Path::new("end-nim/n64/k5/end-nim-n64-k5-00007.zst")
        );
    }
}
