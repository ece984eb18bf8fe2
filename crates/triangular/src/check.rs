//! The checker of certificates. It verifies that every listed family satisfies the definition.
//!
//! The checker shares no code with the search and the writer, not even the triangular numbers. It
//! relies only on the format (docs/FORMAT.md) and on the theorem in the documentation of the crate.
//! For every family of n it computes and checks these facts from the definition:
//!
//! * l, the largest number for which the moves 1, 2, ..., l fit into n one after another;
//! * the pile m_i that each move q_i leaves; exactly i of the moves 1, 2, ... must fit into it;
//! * the set of moves that the family uses, from the sets of the families to which it refers. Those
//!   families come earlier in the file, and a number identifies each;
//! * that the family chosen for the pile m_i does not use q_i.
//!
//! Sets of moves are compared bit by bit; only the file as a whole is hashed. Memory holds the sets
//! of used moves, and the landings as encoded in the file. A family takes about n / 8 + 2 l bytes,
//! or more if family numbers exceed 127 and take two bytes.

use std::io::{self, BufRead, Read};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use crate::no_zstd as zstd;

/// An error while reading a certificate, or a fault in the certificate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    #[error("cannot read the certificate")]
    Io(#[from] io::Error),
    #[error("the certificate is cut short")]
    Truncated,
    #[error("this is not a certificate")]
    Magic,
    #[error("the certificate has version {0}; this program reads version 1")]
    Version(u32),
    #[error("the header of the certificate is damaged")]
    Header,
    #[error("[{n},{{1..{n}}}], family {family}: a number is not well formed")]
    Number { n: u32, family: u32 },
    #[error("[{n},{{1..{n}}}], family {family}: the slack {slack} leads outside level {level}")]
    OffLevel { n: u32, family: u32, level: u32, slack: u64 },
    #[error("[{n},{{1..{n}}}], family {family}: pile {landing} has no family {referred}")]
    NotListed { n: u32, family: u32, landing: u32, referred: u64 },
    #[error(
        "[{n},{{1..{n}}}], family {family}: the move {taken} leads to a family of pile {landing} that uses it"
    )]
    MoveUsedBelow { n: u32, family: u32, taken: u32, landing: u32 },
    #[error("the header promises {promised} families, but there are {found}")]
    Families { promised: u64, found: u64 },
    #[error("the header promises a proof for {promised} piles, but there is one for {found}")]
    Proved { promised: u32, found: u32 },
    #[error("the certificate has bytes after its end")]
    TooLong,
    #[error("the digest of the certificate is wrong")]
    Digest,
    #[error("checking needs more memory than the limit")]
    Memory,
}

#[derive(Debug)]
pub struct ValidCertificate {
    of: Vec<Families>,
    families: u64,
    moves: u64,
    bytes: u64,
}

impl ValidCertificate {
    pub fn bound(&self) -> u32 {
        self.of.len() as u32 - 1
    }

    /// True if the certificate proves Conjecture 34 for n.
    pub fn proves(&self, n: u32) -> bool {
        self.of.get(n as usize).is_some_and(|of| of.count > 0)
    }

    /// Returns the smallest n up to the bound that has no proof, if there is one.
    pub fn first_gap(&self) -> Option<u32> {
        (0..=self.bound()).find(|&n| !self.proves(n))
    }

    pub fn families(&self) -> u64 {
        self.families
    }

    pub fn moves(&self) -> u64 {
        self.moves
    }

    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the number of families of n; 0 for n above the bound.
    pub fn families_of(&self, n: u32) -> u32 {
        self.of.get(n as usize).map_or(0, |of| of.count)
    }

    /// Returns the families of n in order; none for n above the bound. For each family, returns its
    /// moves, where move x is bit x % 64 of word x / 64, and its landings (slack, family), in
    /// ascending order of their level.
    pub fn each_of(&self, n: u32) -> impl Iterator<Item = (&[u64], Vec<(u16, u32)>)> {
        self.of.get(n as usize).into_iter().flat_map(move |of| {
            let mut numbers = Numbers(of.numbers.iter());
            let rows = of.used.chunks_exact(n as usize / 64 + 1);
            rows.map(move |row| {
                let landings =
                    (0..of.landings_each()).map(|_| (numbers.next() as u16, numbers.next()));
                (row, landings.collect())
            })
        })
    }
}

#[derive(Debug)]
struct Families {
    /// The number of moves 1, 2, ... that fit into the pile one after another.
    longest: u32,
    count: u32,
    /// A row of bits for each family: bit x % 64 of word x / 64 is set if the family uses move x.
    used: Vec<u64>,
    /// The slack and the family of each landing as varints: seven bits per byte, the lowest first.
    numbers: Vec<u8>,
}

struct Numbers<'a>(std::slice::Iter<'a, u8>);

impl Numbers<'_> {
    fn next(&mut self) -> u32 {
        let mut value = 0;
        for (place, &byte) in self.0.by_ref().enumerate() {
            value |= u32::from(byte & 0x7F) << (7 * place);
            if byte < 0x80 {
                break;
            }
        }
        value
    }

    fn push(bytes: &mut Vec<u8>, mut value: u32) {
        while value > 0x7F {
            bytes.push((value & 0x7F) as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
    }
}

/// Reads and checks a certificate, without a limit on memory.
pub fn check_certificate(reader: impl BufRead) -> Result<ValidCertificate, CertificateError> {
    check_certificate_within(reader, u64::MAX)
}

/// Reads and checks a certificate, with about `memory` bytes at most.
pub fn check_certificate_within(
    reader: impl BufRead,
    memory: u64,
) -> Result<ValidCertificate, CertificateError> {
    let mut reader = Hashed { from: reader, digest: blake3::Hasher::new() };
    let mut header = [0_u8; 32];
    exactly(&mut reader, &mut header)?;
    let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|k| header[at + k]));
    if header[..8] != *b"GRUNDYT\n" {
        return Err(CertificateError::Magic);
    }
    if number(8) != 1 {
        return Err(CertificateError::Version(number(8)));
    }
    let (bound, proved) = (number(12), number(16));
    if bound > 60_000 || number(20) != 0 {
        return Err(CertificateError::Header);
    }
    let families = u64::from(number(24)) | u64::from(number(28)) << 32;

    let decoder = zstd::stream::read::Decoder::with_buffer(reader)?.single_frame();
    let mut body = Body { from: decoder, buffer: vec![0; 1 << 16], at: 0, filled: 0 };
    let mut checked = ValidCertificate { of: Vec::new(), families: 0, moves: 0, bytes: 0 };
    for n in 0..=bound {
        let of = pile(n, &mut body, &checked, memory, families)?;
        checked.families += u64::from(of.count);
        checked.moves += u64::from(of.count) * u64::from(of.landings_each());
        checked.bytes += of.bytes();
        checked.of.push(of);
    }
    if body.byte()?.is_some() {
        return Err(CertificateError::TooLong);
    }
    if checked.families != families {
        return Err(CertificateError::Families { promised: families, found: checked.families });
    }
    let found = (0..=bound).filter(|&n| checked.proves(n)).count() as u32;
    if found != proved {
        return Err(CertificateError::Proved { promised: proved, found });
    }
    let Hashed { from: mut reader, digest } = body.from.finish();
    let mut expected = [0_u8; 32];
    exactly(&mut reader, &mut expected)?;
    if digest.finalize() != expected {
        return Err(CertificateError::Digest);
    }
    if reader.read(&mut [0])? != 0 {
        return Err(CertificateError::TooLong);
    }
    Ok(checked)
}

fn pile(
    n: u32,
    body: &mut Body<impl Read>,
    earlier: &ValidCertificate,
    memory: u64,
    promised: u64,
) -> Result<Families, CertificateError> {
    let words = n as usize / 64 + 1;
    let longest = how_many_fit(n);
    let mut of = Families { longest, count: 0, used: Vec::new(), numbers: Vec::new() };
    let count = body.number(n, 0)?;
    let found = earlier.families.saturating_add(count);
    // Families without moves take no bytes, so a short file could state any number of them.
    if found > promised || count > u64::from(u32::MAX) || (longest < 2 && count > 1) {
        return Err(CertificateError::Families { promised, found });
    }
    for family in 0..count as u32 {
        let mut used = vec![0_u64; words];
        for x in 1..=longest {
            used[x as usize / 64] |= 1 << (x % 64);
        }
        let mut sum = 0; // 1 + ... + level
        for level in 0..longest.saturating_sub(1) {
            sum += level;
            let slack = body.number(n, family)?;
            let referred = body.number(n, family)?;
            let off = CertificateError::OffLevel { n, family, level, slack };
            let Ok(short) = u16::try_from(slack) else { return Err(off) };
            let landing = sum + u32::from(short);
            // The first condition implies `landing < n`, because level < longest. Check both.
            if how_many_fit(landing) != level || landing >= n {
                return Err(off);
            }
            let taken = n - landing;
            let there = &earlier.of[landing as usize];
            if referred >= u64::from(there.count) {
                return Err(CertificateError::NotListed { n, family, landing, referred });
            }
            let row = landing as usize / 64 + 1;
            let below = &there.used[referred as usize * row..][..row];
            if taken <= landing && below[taken as usize / 64] >> (taken % 64) & 1 == 1 {
                return Err(CertificateError::MoveUsedBelow { n, family, taken, landing });
            }
            used[taken as usize / 64] |= 1 << (taken % 64);
            for (mine, theirs) in used.iter_mut().zip(below) {
                *mine |= theirs;
            }
            Numbers::push(&mut of.numbers, u32::from(short));
            Numbers::push(&mut of.numbers, referred as u32);
        }
        of.used.extend_from_slice(&used);
        of.count += 1;
        if earlier.bytes + of.bytes() > memory {
            return Err(CertificateError::Memory);
        }
    }
    of.used.shrink_to_fit();
    of.numbers.shrink_to_fit();
    Ok(of)
}

fn how_many_fit(n: u32) -> u32 {
    let (mut left, mut fit) = (n, 0);
    while left > fit {
        fit += 1;
        left -= fit;
    }
    fit
}

fn exactly(reader: &mut impl Read, bytes: &mut [u8]) -> Result<(), CertificateError> {
    reader.read_exact(bytes).map_err(cut_short)
}

fn cut_short(error: io::Error) -> CertificateError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => CertificateError::Truncated,
        _ => CertificateError::Io(error),
    }
}

impl Families {
    fn landings_each(&self) -> u32 {
        self.longest.saturating_sub(1)
    }

    fn bytes(&self) -> u64 {
        (size_of::<Self>() + self.used.capacity() * 8 + self.numbers.capacity()) as u64
    }
}

struct Body<R> {
    from: R,
    buffer: Vec<u8>,
    at: usize,
    filled: usize,
}

impl<R: Read> Body<R> {
    fn byte(&mut self) -> Result<Option<u8>, CertificateError> {
        if self.at == self.filled {
            self.filled = self.from.read(&mut self.buffer).map_err(cut_short)?;
            self.at = 0;
            if self.filled == 0 {
                return Ok(None);
            }
        }
        self.at += 1;
        Ok(Some(self.buffer[self.at - 1]))
    }

    /// Reads the next number; errors name `n` and `family` as its place.
    fn number(&mut self, n: u32, family: u32) -> Result<u64, CertificateError> {
        let mut value = 0_u64;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?.ok_or(CertificateError::Truncated)?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                if byte == 0 && shift > 0 {
                    break;
                }
                return Ok(value);
            }
        }
        Err(CertificateError::Number { n, family })
    }
}

/// A reader that computes the digest of the bytes read.
struct Hashed<R> {
    from: R,
    digest: blake3::Hasher,
}

impl<R: BufRead> Read for Hashed<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(bytes)?;
        self.digest.update(&bytes[..read]);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Hashed<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.from.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // The buffer is not empty, so `fill_buf` reads nothing. If it failed, the digest would be
        // wrong, and the certificate would be refused.
        if let Ok(buffer) = self.from.fill_buf() {
            self.digest.update(&buffer[..amount.min(buffer.len())]);
        }
        self.from.consume(amount);
    }
}
