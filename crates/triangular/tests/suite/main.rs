//! Tests of the search and its certificates, compared with values straight from the rules.

mod certificate;
mod values;
