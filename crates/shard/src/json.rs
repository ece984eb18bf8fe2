//! Reads JSON in which no object has two members of the same name.
//!
//! Parsers disagree about such objects: some take the first member, others the last. So a text that
//! this program accepts could mean something else to another reader, under the same seal.

use std::collections::BTreeSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Reads a JSON text. Refuses a member that is written twice, in any object of the text.
pub fn from_slice<T: DeserializeOwned>(text: &[u8]) -> serde_json::Result<T> {
    // The page in the browser reads only what its own modules write.
    if !cfg!(all(target_family = "wasm", target_os = "unknown")) {
        serde_json::from_slice::<Distinct>(text)?;
    }
    serde_json::from_slice(text)
}

/// Any value whose objects have members of different names.
struct Distinct;

impl<'de> Deserialize<'de> for Distinct {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Distinct, D::Error> {
        from.deserialize_any(Distinct)
    }
}

impl<'de> Visitor<'de> for Distinct {
    type Value = Distinct;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Distinct, E> {
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Distinct, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Distinct, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Distinct, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Distinct, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Distinct, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Distinct, A::Error> {
        while all.next_element::<Distinct>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut all: A) -> Result<Distinct, A::Error> {
        let mut names = BTreeSet::new();
        while let Some((name, _)) = all.next_entry::<String, Distinct>()? {
            if let Some(twice) = names.replace(name) {
                return Err(Error::custom(format_args!("the member {twice:?} is written twice")));
            }
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_member_is_written_once_in_each_object() {
        let said = |text: &str| from_slice::<Value>(text.as_bytes()).map_err(|e| e.to_string());
        for text in ["{}", r#"{"a": [{"b": 1}, {"b": -2}], "b": null}"#, "[1e9, true, \"a\"]"] {
            assert_eq!(said(text).unwrap(), serde_json::from_str::<Value>(text).unwrap());
        }
        for (text, name) in [
            (r#"{"a": 1, "a": 1}"#, "a"),
            // The same name may be spelt in two ways.
            (r#"{"a": 1, "b": 2, "\u0061": 3}"#, "a"),
            (r#"[0, {"x": {"\"": 1, "\"": 2}}]"#, "\\\""),
        ] {
            let error = said(text).unwrap_err();
            assert!(
                error.starts_with(&format!("the member \"{name}\" is written twice at")),
                "{error}"
            );
        }
    }
}
