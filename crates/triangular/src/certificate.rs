//! Certificates: files of the families found, without the history of the search.
//!
//! docs/FORMAT.md specifies the bytes and shows that they prove the result. The checker in `check`
//! was written from that document and shares no code with this module.
//!
//! # Writing
//!
//! The root of n is the family that the search found for n itself. The certificate contains only
//! the roots and the families that they need. Its bytes depend only on the proof. A file is written
//! under a temporary name, synced, and renamed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::landings::put;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use crate::no_zstd as zstd;
use crate::proof::Proof;
use crate::triangular;

/// The first eight bytes of a certificate.
pub const MAGIC: [u8; 8] = *b"GRUNDYT\n";

/// The format version that is written.
pub const VERSION: u32 = 1;

/// The compression level. Families resemble each other, so higher levels save little.
const ZSTD_LEVEL: i32 = 9;

const UNUSED: u32 = u32::MAX;

impl Proof {
    /// Writes the certificate of everything proved so far into `to`. The certificate of an empty
    /// proof has the bound 0.
    pub fn write_to(&self, to: impl Write) -> io::Result<()> {
        let (numbers, count) = self.needed();
        let bound = self.decided().saturating_sub(1);
        let proved = self.roots.iter().flatten().count() as u32;
        let mut header = Vec::with_capacity(32);
        header.extend_from_slice(&MAGIC);
        header.extend_from_slice(&VERSION.to_le_bytes());
        header.extend_from_slice(&bound.to_le_bytes());
        header.extend_from_slice(&proved.to_le_bytes());
        header.extend_from_slice(&0_u32.to_le_bytes());
        header.extend_from_slice(&count.to_le_bytes());

        let mut to = Hashed { to: BufWriter::new(to), digest: blake3::Hasher::new() };
        to.write_all(&header)?;
        let mut body = zstd::stream::write::Encoder::new(to, ZSTD_LEVEL)?;
        let mut bytes = Vec::new();
        for n in 0..=bound {
            bytes.clear();
            let numbers_of_n = numbers.get(n as usize).map_or(&[][..], |numbers| numbers);
            put(&mut bytes, numbers_of_n.iter().filter(|&&number| number != UNUSED).count() as u32);
            // An empty proof lacks even the pile 0, so write that this pile has 0 families.
            if numbers_of_n.is_empty() {
                body.write_all(&bytes)?;
                continue;
            }
            let all = self.search.table.of(n).landings();
            for (landings, _) in all.zip(numbers_of_n).filter(|&(_, &number)| number != UNUSED) {
                for (i, landing) in landings.iter().enumerate() {
                    let m = triangular(i as u32) + u32::from(landing.slack);
                    put(&mut bytes, u32::from(landing.slack));
                    put(&mut bytes, numbers[m as usize][landing.family as usize]);
                }
            }
            body.write_all(&bytes)?;
        }
        let Hashed { mut to, digest } = body.finish()?;
        to.write_all(digest.finalize().as_bytes())?;
        to.flush()
    }

    /// Writes the certificate of everything proved so far to a file, and replaces an existing file.
    /// Afterwards the file is either complete or unchanged.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".tmp-{}", std::process::id()));
        let temporary = path.with_file_name(name);
        let written = (|| {
            let mut file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
            self.write_to(&mut file)?;
            file.sync_all()?;
            fs::rename(&temporary, path)
        })();
        if written.is_err() {
            // Report the first error, and ignore an error of the removal.
            let _ = fs::remove_file(&temporary);
            return written;
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }

    /// Returns the numbers of the families in the certificate, by n and by index in the proof. Also
    /// returns how many families are needed. A family that is not needed has the number [`UNUSED`].
    fn needed(&self) -> (Vec<Vec<u32>>, u64) {
        let table = &self.search.table;
        let mut numbers: Vec<Vec<u32>> =
            (0..self.decided()).map(|n| vec![UNUSED; table.of(n).count() as usize]).collect();
        let mut needed = 0;
        for n in (0..self.decided()).rev() {
            if let Some(root) = self.roots[n as usize] {
                numbers[n as usize][root as usize] = 0;
            }
            // Only families of larger piles refer to families of n, so the needed families of n are
            // marked.
            let mut number = 0;
            for (family, landings) in table.of(n).landings().enumerate() {
                if numbers[n as usize][family] == UNUSED {
                    continue;
                }
                numbers[n as usize][family] = number;
                number += 1;
                for (i, landing) in landings.iter().enumerate() {
                    let m = triangular(i as u32) + u32::from(landing.slack);
                    numbers[m as usize][landing.family as usize] = 0;
                }
            }
            needed += u64::from(number);
        }
        (numbers, needed)
    }
}

/// A writer that also computes the digest of the written bytes.
struct Hashed<W> {
    to: W,
    digest: blake3::Hasher,
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.digest.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
