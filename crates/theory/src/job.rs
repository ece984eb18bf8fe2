//! The job of a check, and its result.

use grundy_kernels::Isa;
use grundy_rules::{Game, Table};
use grundy_sweep::{Control, MemoryLimit};
use grundy_triangular::ValidCertificate;
use serde::{Deserialize, Serialize};

use crate::domain::{Extent, Size};
use crate::estimate::CertificateSink;
use crate::stored::{Halt, Stored};
use crate::tally::Tally;

#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    /// The requested games that the claim covers.
    pub(crate) games: &'a [Game],
    pub(crate) extent: &'a Extent,
    pub(crate) isa: Isa,
    pub(crate) memory: MemoryLimit,
    pub(crate) certificate: Option<&'a ValidCertificate>,
    pub(crate) keeper: Option<CertificateSink<'a>>,
    pub(crate) control: &'a Control,
    pub(crate) stored: &'a dyn Stored,
}

impl Job<'_> {
    pub(crate) fn sizes(&self) -> &[Size] {
        self.extent.sizes()
    }

    pub(crate) fn bound(&self) -> u32 {
        self.extent.bound()
    }

    /// Returns the smallest stored table that has all positions of `table`.
    pub(crate) fn holder(&self, table: &Table) -> Option<Table> {
        let tables = self.stored.tables(table.game(), table.length());
        tables.into_iter().find(|held| held.max_pile() >= table.max_pile())
    }

    /// Calls `show` with the values of a stored table in order, block by block, until `show`
    /// returns false or the check is stopped.
    pub(crate) fn read(
        &self,
        held: &Table,
        mut show: impl FnMut(u64, &[u32]) -> Result<bool, Halt>,
    ) -> Result<(), Halt> {
        let mut halted = Ok(());
        self.stored.each_block(held, &mut |first, values| {
            let go_on = self.control.check().map_err(Halt::from).and_then(|()| show(first, values));
            match go_on {
                Ok(go_on) => go_on,
                Err(halt) => {
                    halted = Err(halt);
                    false
                }
            }
        })?;
        halted
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Examination {
    pub tally: Tally,
    /// Number of cases that the check could not decide; they do not count as checked.
    pub undecided: u64,
    pub stopped: bool,
    pub remark: Option<String>,
    #[serde(with = "hexadecimal")]
    pub certificate: Option<Vec<u8>>,
}

mod hexadecimal {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    const DIGITS: &[u8; 16] = b"0123456789abcdef";

    pub(super) fn serialize<S: Serializer>(
        bytes: &Option<Vec<u8>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let digit = |half: u8| char::from(DIGITS[usize::from(half)]);
        let text = |bytes: &Vec<u8>| -> String {
            bytes.iter().flat_map(|&byte| [digit(byte >> 4), digit(byte & 15)]).collect()
        };
        bytes.as_ref().map(text).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Vec<u8>>, D::Error> {
        let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let half = |digit: u8| DIGITS.iter().position(|&known| known == digit);
        let byte = |&[high, low]: &[u8; 2]| Some((half(high)? << 4 | half(low)?) as u8);
        let bytes: Option<Vec<u8>> = pairs.iter().map(byte).collect();
        match bytes.filter(|_| rest.is_empty()) {
            Some(bytes) => Ok(Some(bytes)),
            None => Err(de::Error::custom("a certificate is not written in pairs of hex digits")),
        }
    }
}

impl Examination {
    /// Runs a check that may halt early. Keeps the results from before the halt.
    pub(crate) fn by(check: impl FnOnce(&mut Tally) -> Result<(), Halt>) -> Examination {
        let mut examined = Examination::default();
        examined.stopped = check(&mut examined.tally).is_err();
        examined
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certificates_are_written_in_hexadecimal_digits() {
        let with = |certificate| Examination { certificate, ..Examination::default() };
        let some = with(Some(vec![0x00, 0x01, 0x9f, 0xff, 0xa0]));
        let text = serde_json::to_string(&some).unwrap();
        assert!(text.contains(r#""certificate":"00019fffa0""#), "{text}");
        assert_eq!(serde_json::from_str::<Examination>(&text).unwrap(), some);
        let none = serde_json::to_string(&with(None)).unwrap();
        assert_eq!(serde_json::from_str::<Examination>(&none).unwrap(), with(None));
        for wrong in ["0", "0g", "0A", "000", "/0", ":0"] {
            let text = text.replace("00019fffa0", wrong);
            assert!(serde_json::from_str::<Examination>(&text).is_err(), "{wrong}");
        }
    }
}
