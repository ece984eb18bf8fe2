//! The program's version, origin and citation.

use std::sync::LazyLock;

use grundy_pack::PACK_VERSION;
use grundy_shard::FORMAT_VERSION;
use grundy_shard::manifest::MANIFEST_VERSION;

pub(crate) const COMMIT: &str = env!("GRUNDY_COMMIT");
pub(crate) const RUSTC: &str = env!("GRUNDY_RUSTC");
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
pub(crate) const AUTHOR: &str = "The Grundy developers";
pub(crate) const TITLE: &str = "Grundy: exhaustive tables of Nim variants";

/// The address of the program and the DOI of its release, which do not exist yet. Citations include
/// both as soon as these constants are set.
pub(crate) const URL: Option<&str> = None;
pub(crate) const DOI: Option<&str> = None;

/// Returns the date of the commit, in seconds since 1970; 0 if it is unknown.
pub(crate) fn date() -> u64 {
    env!("GRUNDY_DATE").parse().unwrap_or(0)
}

/// Returns the BLAKE3 digest of `Cargo.lock`, which lists all dependencies. The program computes
/// the digest at run time, because the build script has no BLAKE3.
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
            "{VERSION}\ncommit {COMMIT}\nshards of versions 1 to {FORMAT_VERSION}, manifests of version \
             {MANIFEST_VERSION}, packs of version {PACK_VERSION}"
        )
    });
    &TEXT
}
