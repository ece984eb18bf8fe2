//! `pack.json`: the list of a pack's contents.

use std::collections::BTreeMap;

use grundy_shard::manifest::TableEntry;
use grundy_shard::seal::{Seal, sealed};
use grundy_shard::{Codec, Description, MAX_FRAME_BYTES};
use serde::{Deserialize, Serialize};

use crate::Fault;

pub const MANIFEST_FILE: &str = "pack.json";

/// The only version of a pack that this program writes and reads.
pub const PACK_VERSION: u32 = 1;

/// The lists of digests for other programs.
pub(crate) const SHA256_FILE: &str = "SHA256SUMS";
pub(crate) const BLAKE3_FILE: &str = "B3SUMS";

/// The file with the signature of `pack.json`. `minisign -Vm pack.json` expects this name.
pub const SIGNATURE_FILE: &str = "pack.json.minisig";

pub const MOST_FILES: usize = 90;

/// The maximum length of `pack.json`, enough for 50,000 shards. A reader needs ten times as much
/// memory.
pub const MOST_MANIFEST_BYTES: u64 = 8 << 20;

const MOST_NAME: usize = 80;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackManifest {
    pub format: u32,
    /// The date of publication, in seconds since the beginning of 1970.
    pub date: u64,
    /// The public key that checks the signature, in minisign's encoding, if the pack is signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signer: Option<String>,
    /// All files by name, except `pack.json`, the lists of digests and the signature.
    pub files: BTreeMap<String, FileEntry>,
    pub tables: BTreeMap<String, PackedTable>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    pub bytes: u64,
    /// BLAKE3 of the bytes, in hexadecimal.
    pub blake3: String,
    /// SHA-256 of the bytes, in hexadecimal.
    pub sha256: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedTable {
    /// The table's entry in the manifest of a database.
    pub entry: TableEntry,
    pub file: String,
    /// The offset of each shard in `file`; `entry` has the lengths.
    pub offsets: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<'a> {
    pub(crate) table: &'a str,
    pub(crate) entry: &'a TableEntry,
    pub(crate) shard: usize,
    pub(crate) offset: u64,
}

impl Placed<'_> {
    pub(crate) fn bytes(&self) -> u64 {
        self.entry.shards[self.shard].bytes
    }
}

/// Returns the description that a shard's header must have; `None` if the codec is unknown.
pub(crate) fn description(table: &str, entry: &TableEntry, shard: usize) -> Option<Description> {
    let codec = Codec::ALL.into_iter().find(|codec| codec.name() == entry.codec)?;
    Some(entry.description(table, u32::try_from(shard).ok()?, codec))
}

/// True if this name is valid in a pack: it has no folder, and begins with no dot or hyphen.
pub(crate) fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=MOST_NAME).contains(&name.len())
        && name.bytes().all(is_plain)
        && !name.starts_with(['.', '-'])
}

/// True if a text is a valid table id: folder names separated by slashes.
fn is_id(id: &str) -> bool {
    id.len() <= MOST_NAME && id.split('/').all(is_name)
}

/// Divides shards into batches that are checked in parallel. A batch has one shard for each thread,
/// or fewer if `memory` is small. If a shard exceeds `memory`, yields its length as an error.
pub(crate) fn batches<'a, 'b>(
    shards: &'b [Placed<'a>],
    memory: u64,
) -> impl Iterator<Item = Result<&'b [Placed<'a>], u64>> {
    let mut rest = shards;
    std::iter::from_fn(move || {
        let first = rest.first()?;
        if first.bytes() > memory {
            rest = &[];
            return Some(Err(first.bytes()));
        }
        let mut room = memory;
        let fits = |placed: &&Placed<'_>| match room.checked_sub(placed.bytes()) {
            Some(left) => {
                room = left;
                true
            }
            None => false,
        };
        let most = rayon::current_num_threads();
        let (batch, behind) = rest.split_at(rest.iter().take(most).take_while(fits).count());
        rest = behind;
        Some(Ok(batch))
    })
}

/// True for the files of a pack that `pack.json` does not list.
pub(crate) fn is_own(name: &str) -> bool {
    [MANIFEST_FILE, SHA256_FILE, BLAKE3_FILE, SIGNATURE_FILE].contains(&name)
}

fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

impl PackManifest {
    /// Returns the text of `pack.json` with its seal.
    pub fn to_text(&self) -> String {
        // This cannot fail: JSON can represent strings, numbers, and maps whose keys are strings.
        sealed(serde_json::to_string_pretty(self).unwrap_or_default())
    }

    /// Parses and validates a manifest.
    pub fn of_text(text: &[u8]) -> Result<PackManifest, Fault> {
        #[derive(Deserialize)]
        struct Format {
            format: u64,
        }
        // Check the seal first, because a damaged version number must not count as another version.
        if Seal::of(text) != Seal::Whole {
            return Err(Fault::Seal);
        }
        let Format { format: found } = serde_json::from_slice(text).map_err(|_| Fault::Syntax)?;
        if found != u64::from(PACK_VERSION) {
            return Err(Fault::Version { found, expected: PACK_VERSION });
        }
        let manifest: PackManifest = serde_json::from_slice(text).map_err(|_| Fault::Syntax)?;
        // Parsers disagree about duplicate names and unknown members, so accept only our own text.
        if manifest.to_text().as_bytes() != text {
            return Err(Fault::Syntax);
        }
        manifest.check()?;
        Ok(manifest)
    }

    fn check(&self) -> Result<(), Fault> {
        if let Some(name) = self.files.keys().find(|name| !is_name(name) || is_own(name)) {
            return Err(Fault::Name(name.clone()));
        }
        if self.files.len() + 4 > MOST_FILES {
            return Err(Fault::TooMany(MOST_FILES));
        }
        for file in self.files.values() {
            if !is_digest(&file.blake3) || !is_digest(&file.sha256) {
                return Err(Fault::Syntax);
            }
        }
        if self.tables.is_empty() {
            return Err(Fault::Empty);
        }
        for (id, PackedTable { entry, file, offsets }) in &self.tables {
            if !is_id(id) {
                return Err(Fault::Entry(id.chars().take(MOST_NAME).collect()));
            }
            let possible = entry.is_consistent()
                && offsets.len() == entry.shards.len()
                && self.files.contains_key(file)
                && entry.shards.iter().all(|shard| is_digest(&shard.blake3))
                && (0..entry.shards.len()).all(|shard| {
                    description(id, entry, shard).is_some_and(|description| {
                        description.validate().is_ok()
                            && description.frame_bytes() <= MAX_FRAME_BYTES
                    })
                });
            if !possible {
                return Err(Fault::Entry(id.clone()));
            }
        }
        // Every byte of a data file must belong to a shard.
        for (file, shards) in self.data() {
            let mut end = 0;
            for placed in shards {
                let begins_there = placed.offset == end;
                end = match end.checked_add(placed.bytes()) {
                    Some(sum) if begins_there => sum,
                    _ => return Err(Fault::Entry(placed.table.to_owned())),
                };
            }
            if self.files.get(file).map(|entry| entry.bytes) != Some(end) {
                return Err(Fault::Length {
                    name: file.to_owned(),
                    found: self.files.get(file).map_or(0, |entry| entry.bytes),
                    expected: end,
                });
            }
        }
        // The sum of all lengths must not overflow.
        let all = self.files.values().try_fold(0_u64, |sum, file| sum.checked_add(file.bytes));
        all.map(drop).ok_or(Fault::Syntax)
    }

    /// Returns the shards of each data file, in the order of their offsets.
    pub(crate) fn data(&self) -> BTreeMap<&str, Vec<Placed<'_>>> {
        let mut data: BTreeMap<&str, Vec<Placed<'_>>> = BTreeMap::new();
        for (table, PackedTable { entry, file, offsets }) in &self.tables {
            let each = offsets.iter().take(entry.shards.len()).enumerate();
            let placed = each.map(|(shard, &offset)| Placed { table, entry, shard, offset });
            data.entry(file).or_default().extend(placed);
        }
        for shards in data.values_mut() {
            shards.sort_by_key(|placed| placed.offset);
        }
        data
    }

    /// Returns the lists of digests by name, in the format of `sha256sum` and `b3sum`. `text` is
    /// the content of `pack.json`.
    pub(crate) fn sums(&self, text: &[u8]) -> [(&'static str, String); 2] {
        let own = FileEntry::of(text);
        let list = |digest: fn(&FileEntry) -> &str| {
            let mut files: BTreeMap<&str, &FileEntry> = BTreeMap::new();
            files.extend(self.files.iter().map(|(name, file)| (&name[..], file)));
            files.insert(MANIFEST_FILE, &own);
            let lines = files.iter().map(|(name, file)| format!("{}  {name}\n", digest(file)));
            lines.collect::<String>()
        };
        [(SHA256_FILE, list(|file| &file.sha256)), (BLAKE3_FILE, list(|file| &file.blake3))]
    }
}

/// Computes both digests of data that is read in pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Digester {
    blake3: blake3::Hasher,
    sha256: sha2::Sha256,
    bytes: u64,
}

impl Digester {
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        use sha2::Digest as _;

        self.blake3.update(bytes);
        self.sha256.update(bytes);
        self.bytes += bytes.len() as u64;
    }

    pub(crate) fn finish(self) -> FileEntry {
        use sha2::Digest as _;

        let sha256 = self.sha256.finalize();
        FileEntry {
            bytes: self.bytes,
            blake3: self.blake3.finalize().to_hex().to_string(),
            sha256: sha256.iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    }
}

impl FileEntry {
    pub(crate) fn of(bytes: &[u8]) -> FileEntry {
        let mut digester = Digester::default();
        digester.update(bytes);
        digester.finish()
    }

    /// Returns an entry of this length with placeholder digests.
    pub(crate) fn blank(bytes: u64) -> FileEntry {
        FileEntry { bytes, blake3: "0".repeat(64), sha256: "0".repeat(64) }
    }
}
