//! Tests of the search and its certificates, which are compared with values by the rules.

mod certificate;
mod values;
