use std::borrow::Cow;
use std::path::Path;

use anyhow::{Context, bail};
use grundy_shard::publish::read_regular;

use crate::output::tell;

const EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/explorer.rs"));

/// The page of a program that was built without the explorer.
const NO_PAGE: &[u8] =
    b"<!doctype html><html lang=\"en\"><title>Grundy</title><p>This program was built \
    without the page. <code>make explorer</code> makes it, and <code>grundy explore --assets \
    target/explorer</code> serves it. It also answers other programs, as in <a \
    href=\"api/value?game=end-nim&amp;position=3,1,4\">api/value</a>.</html>\n";

/// Maximum bytes of a file, and maximum number of files. The explorer needs less.
const MOST_BYTES: u64 = 16 << 20;
const MOST_FILES: usize = 200;

/// The level of compression, at which zstd compresses the page in a tenth of a second.
const LEVEL: i32 = 9;

/// A file, its form compressed by zstd, and its tag (`ETag`), by which browsers detect changes.
pub(crate) struct File {
    name: String,
    pub(crate) bytes: Cow<'static, [u8]>,
    pub(crate) packed: Vec<u8>,
    pub(crate) tag: String,
}

impl File {
    fn new(name: &str, bytes: Cow<'static, [u8]>) -> anyhow::Result<File> {
        let packed = zstd::bulk::compress(&bytes, LEVEL)?;
        // The tag is weak, because both forms of the file have the same tag.
        let tag = format!("W/\"{}\"", &blake3::hash(&bytes).to_hex()[..16]);
        Ok(File { name: name.to_owned(), bytes, packed, tag })
    }

    pub(crate) fn kind(&self) -> &'static str {
        kind(&self.name)
    }
}

/// All files of the page, in memory. A request never reads the file system.
pub(crate) struct Assets(Vec<File>);

impl Assets {
    pub(crate) fn of(folder: Option<&Path>) -> anyhow::Result<Assets> {
        let Some(folder) = folder else {
            if EMBEDDED.is_empty() {
                tell(
                    "grundy: this program was built without the page, so it answers only other \
                     programs; `make explorer` makes the page, and --assets target/explorer serves \
                     it",
                );
                let only = File::new("index.html", NO_PAGE.into())?;
                return Ok(Assets(vec![only]));
            }
            let own = |&(name, bytes): &(&str, &'static [u8])| File::new(name, bytes.into());
            return Ok(Assets(EMBEDDED.iter().map(own).collect::<anyhow::Result<_>>()?));
        };
        let cannot = || format!("cannot read {}; `make explorer` makes it", folder.display());
        let mut files = Vec::new();
        for entry in folder.read_dir().with_context(cannot)? {
            let path = entry.with_context(cannot)?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            // Skip links, which could lead anywhere, and hidden files.
            if name.starts_with('.') || !path.symlink_metadata().with_context(cannot)?.is_file() {
                continue;
            }
            if files.len() == MOST_FILES {
                bail!(
                    "{} has more than {MOST_FILES} files, too many for an explorer",
                    folder.display()
                );
            }
            let bytes = read_regular(&path, MOST_BYTES)
                .with_context(|| format!("cannot read {}", path.display()))?;
            files.push(File::new(name, bytes.into())?);
        }
        if !files.iter().any(|file| file.name == "index.html") {
            bail!("{} has no index.html; `make explorer` writes one", folder.display());
        }
        Ok(Assets(files))
    }

    pub(crate) fn get(&self, path: &str) -> Option<&File> {
        let name = if path == "/" { "index.html" } else { path.strip_prefix('/')? };
        self.0.iter().find(|file| file.name == name)
    }
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("md") => "text/markdown; charset=utf-8",
        _ => "application/octet-stream",
    }
}
