//! The search and its certificates, against values straight from the rules.

mod certificate;
mod values;
