#![doc = include_str!("../README.md")]
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
