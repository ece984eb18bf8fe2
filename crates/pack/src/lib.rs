//! Tables that travel: writes a release of tables as a folder or a tar, reads one back, checks it.
//!
//! ```text
//!   database ──► write ──► DIR or FILE.tar ──► Pack::open ──► Pack::check ──► Pack::shard ──► a database
//!   (manifest,             pack.json            names, sizes,   every byte      bytes that are those
//!    shards)               data files           seal, places                    that were checked
//!                          texts, sums
//! ```
//!
//! A *pack* is a flat set of at most [`MOST_FILES`] files, as archives of research data take them: a
//! table's shards stand one behind the other, unchanged, in a *data file*. `pack.json`, its
//! [`PackManifest`], is what counts. It lists every other file with length and digests, and of each
//! table the entry that a database's manifest has of it, its data file, and where each shard begins
//! there. Its last line is the seal of its text, as a manifest's is. The lists of digests for other
//! programs follow from it, and a signature is of it alone.
//!
//! # What can be wrong, and is noticed
//!
//! Nothing about a pack is believed. [`Pack::open`] looks at names and lengths: a file that is
//! missing, added, renamed, a link, there twice, or of another length ends it there, before anything
//! is allocated by a number that was read. Shards must fill their data files without a gap.
//! [`Pack::check`] reads every byte once: both digests of each file, and of each shard header, frames
//! and values. What is read later, to be published, is held against what was checked then.
//!
//! A tar has headers and padding besides. There is one way to write them ([`tar`](self) of a list of
//! files has one form), so a reader makes each header anew and compares.
//!
//! Games are not known here: the check of an entry against what its table must be is left to the builder,
//! which publishes. A pack is a function of the tables, the texts and the date; only a signature is made
//! anew each time, for the library mixes chance into it, lest a faulty machine give the key away.

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
