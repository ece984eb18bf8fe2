//! Limits of memory, and the error if work needs more memory.

use std::fmt;
use std::str::FromStr;

use crate::words::Bytes;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MemoryLimit(u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryShortage {
    pub needed: u64,
    pub limit: MemoryLimit,
}

impl std::error::Error for MemoryShortage {}

impl fmt::Display for MemoryShortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (needed, limit) = (Bytes(self.needed).to_string(), self.limit.to_string());
        if needed != limit {
            return write!(f, "{needed} of memory is needed, but the limit is {limit}");
        }
        // The rounded amounts look equal, so show the bytes.
        let (needed, limit) = (self.needed, self.limit.0);
        write!(f, "{needed} bytes of memory is needed, but the limit is {limit} bytes")
    }
}

impl MemoryLimit {
    pub const NONE: MemoryLimit = MemoryLimit(u64::MAX);

    pub const fn new(bytes: u64) -> MemoryLimit {
        MemoryLimit(bytes)
    }

    pub const fn bytes(self) -> u64 {
        self.0
    }

    /// Returns the limit for each of `parts` equal jobs that run at the same time.
    pub const fn share(self, parts: u64) -> MemoryLimit {
        MemoryLimit(self.0 / if parts == 0 { 1 } else { parts })
    }

    pub fn at_most(self, bytes: u64) -> MemoryLimit {
        self.min(MemoryLimit(bytes))
    }

    /// Returns the limit that remains after `used` bytes are subtracted.
    pub const fn minus(self, used: u64) -> MemoryLimit {
        MemoryLimit(self.0.saturating_sub(used))
    }

    pub fn check(self, needed: u64) -> Result<(), MemoryShortage> {
        if needed > self.0 { Err(MemoryShortage { needed, limit: self }) } else { Ok(()) }
    }
}

impl Default for MemoryLimit {
    /// Returns 4 GiB.
    fn default() -> MemoryLimit {
        MemoryLimit(4 << 30)
    }
}

impl From<u64> for MemoryLimit {
    fn from(bytes: u64) -> MemoryLimit {
        MemoryLimit(bytes)
    }
}

impl fmt::Display for MemoryLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Bytes(self.0).fmt(f)
    }
}

impl FromStr for MemoryLimit {
    type Err = String;

    /// Reads a number of bytes, or a number with K, M or G, as in 512M or 4G.
    fn from_str(text: &str) -> Result<MemoryLimit, String> {
        let invalid =
            || format!("'{text}' is not a size; write bytes, or K, M or G as in 512M or 4G");
        let trimmed = text.trim().trim_end_matches(['b', 'B']).trim_end_matches(['i', 'I']);
        let digits = trimmed.trim_end_matches(|last: char| last.is_ascii_alphabetic());
        let shift = match trimmed[digits.len()..].to_ascii_uppercase().as_str() {
            "" => 0,
            "K" => 10,
            "M" => 20,
            "G" => 30,
            _ => return Err(invalid()),
        };
        let number: u64 = digits.trim().parse().map_err(|_| invalid())?;
        number.checked_mul(1 << shift).map(MemoryLimit).ok_or_else(invalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::cases;

    #[test]
    fn sizes_are_read_and_displayed() {
        for (_, [text, bytes, shown]) in cases(include_str!("memory.txt"), "sizes") {
            let limit: MemoryLimit = text.parse().unwrap();
            assert_eq!(
                (&*limit.bytes().to_string(), &*limit.to_string()),
                (bytes, shown),
                "{text}"
            );
        }
        for text in ["lots", "", "G", "-1", "4X", "1T", "99999999999G"] {
            assert!(text.parse::<MemoryLimit>().unwrap_err().contains(text), "{text}");
        }
        assert_eq!(MemoryLimit::NONE.to_string(), "16.0 EiB");
    }

    #[test]
    fn a_limit_is_shared_and_checked() {
        let limit = MemoryLimit::new(100);
        assert_eq!(
            (limit.share(3).bytes(), limit.share(0), limit.minus(101).bytes()),
            (33, limit, 0)
        );
        assert_eq!(limit.check(100), Ok(()));
        let shortage = limit.check(2048).unwrap_err().to_string();
        assert_eq!(shortage, "2.0 KiB of memory is needed, but the limit is 100 bytes");
        // If the rounded amounts look equal, the message shows bytes.
        let shortage = MemoryLimit::new(4 << 30).check((4 << 30) + 1).unwrap_err().to_string();
        assert_eq!(
            shortage,
            "4294967297 bytes of memory is needed, but the limit is 4294967296 bytes"
        );
    }
}
