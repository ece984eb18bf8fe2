//! Packs: writes a release of tables as a folder or a tar, reads it back, and checks it.
//!
//! ```text
//! database ──► write ──► DIR or FILE.tar ──► Pack::open ──► Pack::check ──► Pack::shard ──► import
//! (manifest,             pack.json            names, sizes,   every byte      bytes that are those
//!  shards)               data files           seal, places                    that were checked
//!                        texts, sums
//! ```
//!
//! A *pack* is a flat set of at most [`MOST_FILES`] files, as archives of research data accept
//! them. A *data file* holds the shards of a table one after another, unchanged. `pack.json`, the
//! [`PackManifest`], lists every other file with length and digests. For each table it has the
//! entry of the database's manifest, the data file, and the offsets of the shards. Its last line is
//! the seal of its text, as in a database's manifest. The lists of digests for other programs
//! follow from it, and a signature covers it alone.
//!
//! # Checks
//!
//! Nothing in a pack is trusted. [`Pack::open`] checks names and lengths. It refuses files that are
//! missing, added, renamed, linked, duplicated or of the wrong length, before it allocates memory
//! for a number it read. Shards must fill their data files without a gap. [`Pack::check`] reads
//! every byte once. It checks both digests of each file, and the header, frames and values of each
//! shard. Bytes read later for publication are compared with the checked ones.
//!
//! A tar also has headers and padding. A list of files has exactly one valid tar, so the reader
//! rebuilds each header and compares.
//!
//! This crate knows nothing about games: the builder, which publishes, checks each entry against
//! its table. A pack is a function of the tables, the texts and the date. Only a signature differs
//! each time: the library adds randomness, so that a faulty machine cannot leak the key.

#![forbid(unsafe_code)]

mod check;
mod describe;
mod error;
mod manifest;
mod member;
mod open;
mod output;
mod sign;
mod tar;
mod write;

pub use check::PackReport;
pub use describe::{About, day};
pub use error::{Fault, PackError, ShardFault};
pub use manifest::{
    FileEntry, MANIFEST_FILE, MOST_FILES, MOST_MANIFEST_BYTES, PACK_VERSION, PackManifest,
    PackedTable, SIGNATURE_FILE,
};
pub use open::Pack;
pub use sign::{PublicKey, SignError, Signer};
pub use tar::first_file;
pub use write::{Release, Written, write};
