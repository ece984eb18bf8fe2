//! What the program knows of itself, and how it is cited.

use std::sync::LazyLock;

use grundy_pack::PACK_VERSION;
use grundy_shard::FORMAT_VERSION;
use grundy_shard::manifest::MANIFEST_VERSION;

pub(crate) const COMMIT: &str = env!("GRUNDY_COMMIT");
pub(crate) const RUSTC: &str = env!("GRUNDY_RUSTC");
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
pub(crate) const AUTHOR: &str = "The Grundy developers";
pub(crate) const TITLE: &str = "Grundy: exhaustive tables of Nim variants";

/// The address of the program and the DOI of its release, of none of which there is one yet: this is the
/// place to put them, and what is cited has them then.
pub(crate) const URL: Option<&str> = None;
pub(crate) const DOI: Option<&str> = None;

/// The date of the commit, in seconds since the beginning of 1970; 0 if it is not known.
pub(crate) fn date() -> u64 {
    env!("GRUNDY_DATE").parse().unwrap_or(0)
}

/// BLAKE3 of the file that names all packages it is made of. It is worked out here, for the program that
/// compiles this would have to be compiled with BLAKE3 too.
pub(crate) fn lock() -> String {
    let packages: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/Cargo.lock"));
    match packages {
        [] => "unknown".to_owned(),
        packages => blake3::hash(packages).to_hex().to_string(),
    }
}

pub(crate) fn version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        format!(
            "{VERSION}\ncommit {COMMIT}\nshards of version {FORMAT_VERSION}, manifests of version \
             {MANIFEST_VERSION}, packs of version {PACK_VERSION}"
        )
    });
    &TEXT
}
